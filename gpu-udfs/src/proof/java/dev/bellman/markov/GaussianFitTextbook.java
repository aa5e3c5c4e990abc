package dev.bellman.markov;

import static dev.bellman.proof.Values.require;

import dev.bellman.proof.Values;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Fits models to sequences of numbers or points by complete tables, as {@link GaussianFit} defines them. */
final class GaussianFitTextbook {
    private final double[][][] sequences;
    private final int dimensions;
    private final double minVariance;

    private GaussianFitTextbook(ArrayData arrays, boolean ofPoints, double minVariance) {
        require(arrays.numElements() > 0 && !Values.hasNull(arrays));
        require(minVariance >= 1e-80 && minVariance <= 1e200);
        sequences = new double[arrays.numElements()][][];
        Arrays.setAll(sequences, i -> GaussianTextbook.sequence(arrays.getArray(i), ofPoints));
        dimensions = sequences[0][0].length;
        require(Stream.of(sequences).flatMap(Stream::of).allMatch(point -> point.length == dimensions));
        this.minVariance = minVariance;
    }

    static Object fromSeed(InternalRow row) {
        return fromSeed(row, false);
    }

    static Object pointsFromSeed(InternalRow row) {
        return fromSeed(row, true);
    }

    private static Object fromSeed(InternalRow row, boolean ofPoints) {
        GaussianFitTextbook fit = new GaussianFitTextbook(row.getArray(0), ofPoints, row.getDouble(4));
        int states = row.getInt(1);
        require(states > 0);
        SplittableRandom random = new SplittableRandom(row.getLong(3));
        double[] start = HmmTextbook.random(random, states);
        double[][] transitions = new double[states][];
        Arrays.setAll(transitions, i -> HmmTextbook.random(random, states));
        double[][] sorted = Stream.of(fit.sequences)
                .flatMap(Stream::of)
                // turns -0.0 into 0.0
                .map(point -> DoubleStream.of(point).map(x -> x + 0.0).toArray())
                .sorted(Comparator.comparing((double[] point) -> point, Arrays::compare))
                .toArray(double[][]::new);
        double[][] means = new double[states][];
        double[][] variances = new double[states][];
        for (int i = 0; i < states; i++) {
            int place = (int) Math.floor((i + random.nextDouble()) / states * sorted.length);
            means[i] = sorted[Math.min(place, sorted.length - 1)].clone();
            variances[i] = new double[fit.dimensions];
            Arrays.setAll(variances[i], d -> fit.bounded(variance(d, sorted)));
        }
        LogTextbook chain = new LogTextbook(false, start, transitions);
        return fit.iterate(new GaussianTextbook(chain, means, variances), row.getInt(2));
    }

    private static double variance(int dimension, double[]... points) {
        double mean = exact(Stream.of(points).mapToDouble(point -> point[dimension])) / points.length;
        return exact(Stream.of(points)
                        .mapToDouble(point -> point[dimension] - mean)
                        .map(x -> x * x))
                / points.length;
    }

    static Object fromModel(InternalRow row) {
        return fromModel(row, false);
    }

    static Object pointsFromModel(InternalRow row) {
        return fromModel(row, true);
    }

    private static Object fromModel(InternalRow row, boolean ofPoints) {
        GaussianFitTextbook fit = new GaussianFitTextbook(row.getArray(0), ofPoints, row.getDouble(6));
        GaussianTextbook model =
                GaussianTextbook.of(row.getArray(1), row.getArray(2), row.getArray(3), row.getBoolean(5));
        require(model.dimensions() == fit.dimensions);
        return fit.iterate(model, row.getInt(4));
    }

    private static double exact(DoubleStream numbers) {
        return numbers.mapToObj(BigDecimal::new)
                .reduce(BigDecimal.ZERO, BigDecimal::add)
                .doubleValue();
    }

    private double bounded(double variance) {
        return Math.min(Math.max(variance, minVariance), 1e200);
    }

    private Object iterate(GaussianTextbook first, int iterations) {
        require(iterations > 0);
        GaussianTextbook model = first;
        double[] logs = new double[iterations];
        for (int round = 0; round < iterations; round++) {
            GaussianTextbook before = model;
            LogFitTextbook counts = new LogFitTextbook(before.chain, 1 + 2 * dimensions);
            for (double[][] x : sequences) {
                counts.add(before.densities(x), (sums, p, i, t) -> {
                    sums[0] += p;
                    for (int d = 0; d < dimensions; d++) {
                        double deviation = x[t][d] - before.means[i][d];
                        sums[2 * d + 1] += p * deviation;
                        sums[2 * d + 2] += p * (deviation * deviation);
                    }
                });
            }
            logs[round] = counts.log();
            counts.improve();
            model = improved(before, counts);
        }
        GaussianTextbook last = model;
        Object[] emissions = new Object[last.means.length];
        Arrays.setAll(emissions, i -> {
            double[] pairs = new double[2 * dimensions];
            Arrays.setAll(pairs, k -> k % 2 == 0 ? last.means[i][k / 2] : last.variances[i][k / 2]);
            return Values.array(pairs);
        });
        return Values.row(
                Values.array(last.chain.start),
                HmmTextbook.rows(last.chain.transitions),
                Values.arrayOf(emissions),
                Values.array(logs));
    }

    private GaussianTextbook improved(GaussianTextbook model, LogFitTextbook counts) {
        double[][] means = new double[model.means.length][dimensions];
        double[][] variances = new double[model.means.length][dimensions];
        for (int i = 0; i < means.length; i++) {
            double[] sums = counts.emissions(i);
            for (int d = 0; d < dimensions; d++) {
                double shift = sums[2 * d + 1] / sums[0];
                boolean isReached = sums[0] >= 1e-290;
                means[i][d] = model.means[i][d];
                variances[i][d] = model.variances[i][d];
                if (isReached) {
                    means[i][d] = Math.max(-1e100, Math.min(means[i][d] + shift, 1e100));
                    variances[i][d] = bounded(sums[2 * d + 2] / sums[0] - shift * shift);
                }
            }
        }
        return new GaussianTextbook(model.chain, means, variances);
    }
}
