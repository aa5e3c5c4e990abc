package dev.bellman.markov;

import static dev.bellman.markov.LogTextbook.require;

import dev.bellman.proof.Values;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Fits models to sequences of numbers by complete tables, as {@link GaussianFit} defines them. */
final class GaussianFitTextbook {
    private final double[][] sequences;
    private final double minVariance;

    private GaussianFitTextbook(ArrayData arrays, double minVariance) {
        require(arrays.numElements() > 0 && !Values.hasNull(arrays));
        require(minVariance >= 1e-80 && minVariance <= 1e200);
        sequences = new double[arrays.numElements()][];
        Arrays.setAll(sequences, i -> GaussianTextbook.sequence(arrays.getArray(i)));
        this.minVariance = minVariance;
    }

    static Object fromSeed(InternalRow row) {
        GaussianFitTextbook fit = new GaussianFitTextbook(row.getArray(0), row.getDouble(4));
        int states = row.getInt(1);
        require(states > 0);
        SplittableRandom random = new SplittableRandom(row.getLong(3));
        double[] start = HmmTextbook.random(random, states);
        double[][] transitions = new double[states][];
        Arrays.setAll(transitions, i -> HmmTextbook.random(random, states));
        double[] sorted = Arrays.stream(fit.sequences)
                .flatMapToDouble(Arrays::stream)
                .sorted()
                .toArray();
        double mean = exact(Arrays.stream(sorted)) / sorted.length;
        double variance = exact(Arrays.stream(sorted).map(x -> (x - mean) * (x - mean))) / sorted.length;
        double[] means = new double[states];
        double[] variances = new double[states];
        for (int i = 0; i < states; i++) {
            int place = (int) Math.floor((i + random.nextDouble()) / states * sorted.length);
            means[i] = sorted[Math.min(place, sorted.length - 1)] + 0.0;
            variances[i] = fit.bounded(variance);
        }
        return fit.iterate(
                new GaussianTextbook(new LogTextbook(false, start, transitions), means, variances), row.getInt(2));
    }

    static Object fromModel(InternalRow row) {
        GaussianFitTextbook fit = new GaussianFitTextbook(row.getArray(0), row.getDouble(6));
        return fit.iterate(
                GaussianTextbook.of(row.getArray(1), row.getArray(2), row.getArray(3), row.getBoolean(5)),
                row.getInt(4));
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
            LogFitTextbook counts = new LogFitTextbook(before.chain, 3);
            for (double[] x : sequences) {
                counts.add(before.densities(x), (sums, p, i, t) -> {
                    double d = x[t] - before.means[i];
                    sums[0] += p;
                    sums[1] += p * d;
                    sums[2] += p * (d * d);
                });
            }
            logs[round] = counts.log();
            counts.improve();
            model = improved(before, counts);
        }
        GaussianTextbook last = model;
        Object[] emissions = new Object[last.means.length];
        Arrays.setAll(emissions, i -> Values.array(last.means[i], last.variances[i]));
        return Values.row(
                Values.array(last.chain.start),
                Values.arrayOf(
                        Arrays.stream(last.chain.transitions).map(Values::array).toArray()),
                Values.arrayOf(emissions),
                Values.array(logs));
    }

    private GaussianTextbook improved(GaussianTextbook model, LogFitTextbook counts) {
        double[] means = model.means.clone();
        double[] variances = model.variances.clone();
        for (int i = 0; i < means.length; i++) {
            double[] sums = counts.emissions(i);
            if (sums[0] >= 1e-290) {
                double shift = sums[1] / sums[0];
                means[i] = Math.max(-1e100, Math.min(means[i] + shift, 1e100));
                variances[i] = bounded(sums[2] / sums[0] - shift * shift);
            }
        }
        return new GaussianTextbook(model.chain, means, variances);
    }
}
