package dev.bellman.markov;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.markov.lanes.SequenceBlock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares the expected counts of blocks of sequences with those of single sequences. */
class BaumWelchTest {
    /** Without vector instructions, these tests would compare single sequences with single sequences. */
    @BeforeAll
    static void usesVectors() {
        assertThat(SequenceBlock.of(BaumWelch.MIN_SUM, new double[1], new double[1], new double[1], 1))
                .isPresent();
    }

    private static BaumWelch step(HmmModel model) {
        return new BaumWelch(model, problem -> new BellmanException(ErrorCode.BELLMAN_INPUT_VALUE, problem));
    }

    private static String name(long index, int... symbols) {
        return "sequence %d of length %d".formatted(index, symbols.length);
    }

    private static void assertSame(HmmModel model, List<int[]> sequences) {
        BaumWelch alone = step(model);
        for (int[] sequence : sequences) {
            alone.count(() -> "", sequence);
        }
        BaumWelch together = step(model);
        together.count(BaumWelchTest::name, sequences.iterator());
        assertThat(HmmSamples.bits(together.counts()))
                .as("%d states, %d symbols, %d sequences", model.states(), model.symbols(), sequences.size())
                .isEqualTo(HmmSamples.bits(alone.counts()));
    }

    @Test
    void equalBits() {
        Random random = new Random(5);
        for (int states : new int[] {1, 2, 3, 4, 5, 7, 8, 13, 16, 33}) {
            for (int kind = 0; kind < 5; kind++) {
                for (int symbols : new int[] {1, 2, 20}) {
                    HmmModel model = HmmSamples.model(random, states, symbols, kind);
                    assertSame(model, HmmSamples.sequences(random, 1 + random.nextInt(40), 0, 30, symbols));
                }
            }
        }
        // around the largest number of states for which several sequences are counted at once
        for (int states : new int[] {127, 128, 129}) {
            assertSame(HmmSamples.model(random, states, 3, 1), HmmSamples.sequences(random, 9, 0, 4, 3));
        }
    }

    @Test
    void manySequences() {
        Random random = new Random(6);
        HmmModel model = HmmSamples.model(random, 3, 5, 1);
        assertSame(model, HmmSamples.sequences(random, 1_000, 0, 20, 5));
        assertSame(model, List.of());
        // blocks with each number of sequences, all of the same length
        for (int count = 1; count <= 18; count++) {
            assertSame(model, Collections.nCopies(count, new int[] {0, 4, 2, 2, 1}));
        }
        assertSame(model, Collections.nCopies(20, new int[1]));
        assertSame(model, Collections.nCopies(20, new int[0]));
        // some sequences are too long for a block
        List<int[]> ragged = HmmSamples.sequences(random, 20, 0, 10, 5);
        for (int i = 0; i < 20; i++) {
            ragged.add(i, random.ints(10_000 + 1_000 * i, 0, 5).toArray());
        }
        assertSame(model, ragged);
    }

    /** Tests probabilities of 0, including -0.0, and a model that allows only one sequence of states. */
    @Test
    void zeros() {
        HmmModel cycle = HmmModel.of(
                new double[] {1, 0, 0}, new double[] {0, 1, 0, 0, 0, 1, 1, 0, 0}, new double[] {1, 0, 0, 1, 0.5, 0.5});
        HmmModel negative = HmmModel.of(
                new double[] {1, -0.0}, new double[] {0.5, 0.5, -0.0, 1}, new double[] {0.25, 0.75, 1, -0.0});
        List<int[]> ofCycle = new ArrayList<>();
        List<int[]> ofNegative = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            ofCycle.addAll(List.of(new int[] {0}, new int[] {0, 1}, new int[] {0, 1, 0, 0, 1, 1, 0}));
            ofNegative.addAll(List.of(new int[] {0}, new int[] {0, 1, 0, 0}));
        }
        assertSame(cycle, ofCycle);
        assertSame(negative, ofNegative);
    }

    /** The error is that of the first sequence that is impossible or has a step that is too unlikely. */
    @Test
    void impossible() {
        HmmModel impossible = HmmModel.of(new double[] {1, 0}, new double[] {1, 0, 0, 1}, new double[] {1, 0, 0, 1});
        HmmModel tiny = HmmModel.of(new double[] {1, 0}, new double[] {1, 1e-300, 0, 1}, new double[] {1, 0, 0.5, 0.5});
        Random random = new Random(7);
        for (HmmModel model : List.of(impossible, tiny)) {
            List<int[]> sequences = HmmSamples.sequences(random, 600, 0, 50, 1);
            assertSame(model, sequences);
            sequences.set(310, new int[] {0, 0, 1});
            sequences.set(330, new int[] {0, 1});
            assertThatThrownBy(() -> step(model).count(BaumWelchTest::name, sequences.iterator()))
                    .hasMessageContaining("sequence 310 of length 3 is impossible or almost impossible in the model");
        }
    }

    @Test
    void products() {
        Random random = new Random(8);
        for (int i = 0; i < 1_000; i++) {
            double[] numbers = random.doubles(random.nextInt(50))
                    .map(x -> Math.scalb(1 + x, -random.nextInt(900)))
                    .toArray();
            Wide product = Wide.ONE;
            for (double number : numbers) {
                product = product.times(Wide.of(number));
            }
            assertThat(Wide.product(numbers)).isEqualTo(product);
        }
    }
}
