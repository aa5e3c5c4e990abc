package dev.bellman.markov;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.GpuSide;
import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the expected counts of sequences of numbers and points on the GPU with those on the CPU. */
class ExpectedValuesGpuTest extends GpuTest {
    private final ExpectedCounts.Gpu gpu = GpuSide.get(ExpectedCounts.Gpu.class);

    private static GaussianFit onCpu(GaussianModel model) {
        return new GaussianFit(model, problem -> new BellmanException(ErrorCode.BELLMAN_INPUT_VALUE, problem));
    }

    private static void count(GaussianFit step, double... values) {
        step.count(() -> "a sequence of " + values.length, values);
    }

    /** Asserts that the results are equal, and that the CPU counts none of the sequences for the GPU. */
    private void assertSame(GaussianModel model, List<double[]> sequences) {
        GaussianFit expected = onCpu(model);
        sequences.forEach(values -> count(expected, values));
        GaussianFit actual = onCpu(model);
        gpu.count(model, sequences.iterator(), actual.counts(), values -> {
            throw new AssertionError("the CPU counts a sequence of " + values.length);
        });
        assertThat(HmmSamples.bits(actual.counts()))
                .as("%d states, %d coordinates", model.states(), model.dimensions())
                .isEqualTo(HmmSamples.bits(expected.counts()));
    }

    private static double value(Random random, int kind) {
        return switch (kind) {
            case 0 -> random.nextInt(3) - 1;
            case 1 -> (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(200) - 100);
            default -> 5 * random.nextGaussian();
        };
    }

    /** Returns a model in which every sequence is possible. */
    private static GaussianModel model(Random random, int states, int dimensions, int kind) {
        double[][] transitions = new double[states][states];
        double[][] emissions = new double[states][2 * dimensions];
        for (int i = 0; i < states; i++) {
            int state = i;
            Arrays.setAll(
                    transitions[i],
                    j -> kind == 2 && j != state ? Math.scalb(1.0, -random.nextInt(1_000)) : random.nextDouble());
            Arrays.setAll(
                    emissions[i],
                    k -> k % 2 == 0
                            ? value(random, kind)
                            : (0.1 + random.nextDouble()) * (kind == 1 ? Math.pow(10, random.nextInt(250) - 79) : 1));
        }
        double[] start = random.doubles(states, 1e-3, 1).toArray();
        return GaussianModel.of(start, transitions, emissions);
    }

    private static List<double[]> sequences(Random random, int count, int longest, int dimensions, int kind) {
        return Stream.generate(() -> DoubleStream.generate(() -> value(random, kind))
                        .limit((1L + random.nextInt(longest)) * dimensions)
                        .toArray())
                .limit(count)
                .toList();
    }

    @Test
    void equalTheCpu() {
        Random random = new Random(3);
        for (int states = 1; states <= 16; states++) {
            for (int kind = 0; kind < 4; kind++) {
                for (int dimensions : new int[] {1, 2, 3, 20, 126}) {
                    assertSame(
                            model(random, states, dimensions, kind),
                            sequences(random, 1 + random.nextInt(100), 40, dimensions, kind));
                }
            }
        }
    }

    @Test
    void longAndMany() {
        Random random = new Random(4);
        GaussianModel model = model(random, 3, 1, 3);
        assertSame(model, List.of(random.doubles(300_000).toArray(), new double[] {1}));
        // more than one batch
        assertSame(model, sequences(random, 200_000, 100, 1, 3));
        assertSame(model, List.of());
    }

    /** Sequences that do not fit in GPU memory are counted on the CPU. */
    @Test
    void memory() {
        Random random = new Random(5);
        GaussianModel model = model(random, 4, 2, 3);
        List<double[]> sequences = sequences(random, 50, 9_000, 2, 3);
        GaussianFit expected = onCpu(model);
        sequences.forEach(values -> count(expected, values));
        GaussianFit step = onCpu(model);
        List<Integer> onCpu = new ArrayList<>();
        withConf(GpuSide.MEMORY, "1m", () -> {
            gpu.count(model, sequences.iterator(), step.counts(), values -> {
                onCpu.add(values.length / 2);
                count(step, values);
            });
        });
        assertThat(onCpu).hasSizeBetween(1, 49).allMatch(length -> length > 4_096);
        assertThat(HmmSamples.bits(step.counts())).isEqualTo(HmmSamples.bits(expected.counts()));
    }

    /** If a sequence is impossible, the error is that of the first such sequence. */
    @Test
    void impossible() {
        GaussianModel model = GaussianModel.of(
                new double[] {1, 0, 0},
                new double[][] {{0, 1, 0}, {0, 0, 1}, {0, 0, 0}},
                new double[][] {{0, 1}, {1, 1}, {2, 1}});
        Random random = new Random(6);
        List<double[]> sequences = new ArrayList<>(sequences(random, 5_000, 3, 1, 3));
        assertSame(model, sequences);
        sequences.set(3_000, new double[4]);
        sequences.set(4_000, new double[5]);
        GaussianFit step = onCpu(model);
        assertThatThrownBy(() -> gpu.count(model, sequences.iterator(), step.counts(), values -> count(step, values)))
                .hasMessageContaining("a sequence of 4 is impossible in the model");
    }

    @Test
    void limits() {
        assertThat(gpu.supportsPoints(16, 126)).isTrue();
        assertThat(gpu.supportsPoints(17, 1)).isFalse();
        assertThat(gpu.supportsPoints(1, 127)).isFalse();
    }
}
