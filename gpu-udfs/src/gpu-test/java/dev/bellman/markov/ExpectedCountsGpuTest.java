package dev.bellman.markov;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.GpuSide;
import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the expected counts of sequences on the GPU with those on the CPU. */
class ExpectedCountsGpuTest extends GpuTest {
    private final ExpectedCounts.Gpu gpu = GpuSide.get(ExpectedCounts.Gpu.class);

    private static BellmanException error(String problem) {
        return new BellmanException(ErrorCode.BELLMAN_INPUT_VALUE, problem);
    }

    private static BaumWelch onCpu(HmmModel model, List<int[]> sequences) {
        BaumWelch step = new BaumWelch(model, ExpectedCountsGpuTest::error);
        sequences.forEach(sequence -> step.count(() -> "a sequence of " + sequence.length, sequence));
        return step;
    }

    /** Asserts that the results are equal, and that the CPU counts none of the sequences for the GPU. */
    private void assertSame(HmmModel model, List<int[]> sequences) {
        ExpectedCounts actual = new ExpectedCounts(model.states(), model.symbols());
        gpu.count(model, sequences.iterator(), actual, sequence -> {
            throw new AssertionError("the CPU counts a sequence of " + sequence.length);
        });
        assertThat(HmmSamples.bits(actual))
                .as("%d states, %d symbols", model.states(), model.symbols())
                .isEqualTo(HmmSamples.bits(onCpu(model, sequences).counts()));
    }

    @Test
    void equalTheCpu() {
        Random random = new Random(3);
        for (int states = 1; states <= 16; states++) {
            for (int kind = 0; kind < 4; kind++) {
                for (int symbols : new int[] {1, 2, 4, 20, 254}) {
                    List<int[]> sequences = HmmSamples.sequences(random, 1 + random.nextInt(200), 1, 40, symbols);
                    assertSame(HmmSamples.model(random, states, symbols, kind), sequences);
                }
            }
        }
    }

    /** Tests probabilities of zero, including -0.0, and a model that allows only one sequence of states. */
    @Test
    void zeros() {
        HmmModel cycle = HmmModel.of(
                new double[] {1, 0, 0}, new double[] {0, 1, 0, 0, 0, 1, 1, 0, 0}, new double[] {1, 0, 0, 1, 0.5, 0.5});
        assertSame(cycle, List.of(new int[] {0}, new int[] {0, 1}, new int[] {0, 1, 0, 0, 1, 1, 0}));
        HmmModel negative = HmmModel.of(
                new double[] {1, -0.0}, new double[] {0.5, 0.5, -0.0, 1}, new double[] {0.25, 0.75, 1, -0.0});
        assertSame(negative, List.of(new int[] {0}, new int[] {0, 1, 0, 0}));
    }

    @Test
    void longAndMany() {
        Random random = new Random(4);
        HmmModel model = HmmSamples.model(random, 3, 5, 1);
        assertSame(model, List.of(random.ints(300_000, 0, 5).toArray(), new int[] {1}));
        // more than one batch
        assertSame(model, HmmSamples.sequences(random, 200_000, 1, 100, 5));
        assertSame(model, List.of());
    }

    /** Sequences that do not fit in GPU memory are counted on the CPU. */
    @Test
    void memory() {
        Random random = new Random(5);
        HmmModel model = HmmSamples.model(random, 4, 3, 1);
        List<int[]> sequences = HmmSamples.sequences(random, 50, 1, 9_000, 3);
        BaumWelch step = new BaumWelch(model, ExpectedCountsGpuTest::error);
        List<Integer> onCpu = new ArrayList<>();
        withConf(GpuSide.MEMORY, "1m", () -> {
            gpu.count(model, sequences.iterator(), step.counts(), sequence -> {
                onCpu.add(sequence.length);
                step.count(() -> "", sequence);
            });
        });
        assertThat(onCpu).hasSizeBetween(1, 49).allMatch(length -> length > 4_096);
        assertThat(HmmSamples.bits(step.counts()))
                .isEqualTo(HmmSamples.bits(onCpu(model, sequences).counts()));
    }

    /** If a sequence is impossible, or a step is too unlikely, the error is that of the first such sequence. */
    @Test
    void unlikely() {
        HmmModel impossible = HmmModel.of(new double[] {1, 0}, new double[] {1, 0, 0, 1}, new double[] {1, 0, 0, 1});
        HmmModel tiny = HmmModel.of(new double[] {1, 0}, new double[] {1, 1e-300, 0, 1}, new double[] {1, 0, 0.5, 0.5});
        Random random = new Random(6);
        for (HmmModel model : List.of(impossible, tiny)) {
            List<int[]> sequences = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                sequences.add(new int[1 + random.nextInt(50)]);
            }
            assertSame(model, sequences);
            sequences.set(3_000, new int[] {0, 0, 1});
            sequences.set(4_000, new int[] {0, 1});
            BaumWelch step = new BaumWelch(model, ExpectedCountsGpuTest::error);
            assertThatThrownBy(() -> gpu.count(
                            model,
                            sequences.iterator(),
                            step.counts(),
                            sequence -> step.count(() -> "a sequence of " + sequence.length, sequence)))
                    .hasMessageContaining("a sequence of 3 is impossible or almost impossible in the model");
        }
    }

    @Test
    void limits() {
        assertThat(gpu.supports(16, 254)).isTrue();
        assertThat(gpu.supports(17, 1)).isFalse();
        assertThat(gpu.supports(1, 255)).isFalse();
    }
}
