package dev.bellman.markov;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** Random models and sequences for the tests of expected counts. */
final class HmmSamples {
    private HmmSamples() {}

    /** Returns the bits of all counts. */
    static long[] bits(ExpectedCounts counts) {
        return Stream.of(counts.starts(), counts.moves(), counts.emissions(), new double[] {counts.logProbability()})
                .flatMapToDouble(DoubleStream::of)
                .mapToLong(Double::doubleToLongBits)
                .toArray();
    }

    /**
     * Returns a model.
     *
     * @param kind 0 for equal probabilities, 1 for similar ones, 2 and 3 for very different ones, and 4 for some zeros
     */
    static HmmModel model(Random random, int states, int symbols, int kind) {
        return HmmModel.of(
                distributions(random, 1, states, kind),
                distributions(random, states, states, kind),
                distributions(random, states, symbols, Math.min(kind, 1)));
    }

    private static double[] distributions(Random random, int rows, int width, int kind) {
        double[] all = new double[rows * width];
        for (int row = 0; row < rows; row++) {
            double sum = 0;
            for (int i = row * width; i < (row + 1) * width; i++) {
                all[i] = kind == 0 ? 1 : random.nextDouble() + 1e-3;
                all[i] *= kind == 2 ? Math.pow(10, -random.nextInt(40)) : 1;
                all[i] *= kind == 3 && random.nextBoolean() ? Math.pow(10, -random.nextInt(300)) : 1;
                // the first entry remains positive
                all[i] *= kind == 4 && i > row * width && random.nextBoolean() ? 0 : 1;
                sum += all[i];
            }
            for (int i = row * width; i < (row + 1) * width; i++) {
                all[i] /= sum;
            }
        }
        return all;
    }

    static List<int[]> sequences(Random random, int count, int shortest, int longest, int symbols) {
        return Stream.generate(() -> random.ints(random.nextInt(shortest, longest + 1), 0, symbols)
                        .toArray())
                .limit(count)
                .collect(Collectors.toCollection(ArrayList::new));
    }
}
