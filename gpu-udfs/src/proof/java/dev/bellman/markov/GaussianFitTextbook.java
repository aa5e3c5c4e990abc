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
        GaussianFitTextbook fit = new GaussianFitTextbook(row.getArray(0), row.getDouble(5));
        return fit.iterate(
                GaussianTextbook.of(row.getArray(1), row.getArray(2), row.getArray(3), false), row.getInt(4));
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
            Counts counts = new Counts(model);
            for (double[] x : sequences) {
                counts.add(x);
            }
            logs[round] = counts.log.doubleValue();
            model = counts.improved(this);
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

    /** The exact sums of the counts of all sequences. */
    private static final class Counts {
        private final GaussianTextbook model;
        private final LogTextbook chain;
        private final int states;
        private final BigDecimal[] starts;
        private final BigDecimal[][] moves;
        /** For each state, the number of values, and the sums of their deviations and squared deviations. */
        private final BigDecimal[][] values;

        private BigDecimal log = BigDecimal.ZERO;

        Counts(GaussianTextbook model) {
            this.model = model;
            chain = model.chain;
            states = model.means.length;
            starts = zeros(states);
            moves = new BigDecimal[states][];
            values = new BigDecimal[states][];
            Arrays.setAll(moves, i -> zeros(states));
            Arrays.setAll(values, i -> zeros(3));
        }

        private static BigDecimal[] zeros(int count) {
            BigDecimal[] zeros = new BigDecimal[count];
            Arrays.fill(zeros, BigDecimal.ZERO);
            return zeros;
        }

        void add(double... x) {
            double[][] f = new double[x.length][];
            double[][] densities = model.densities(x);
            double density = chain.forward(f, densities);
            require(density > Double.NEGATIVE_INFINITY);
            log = log.add(new BigDecimal(density));
            double[][] r = chain.backward(densities);
            for (int i = 0; i < states; i++) {
                double[] moved = new double[states];
                double[] emitted = new double[3];
                for (int t = x.length - 1; t >= 0; t--) {
                    double p = LogTextbook.probabilities(f[t], r[t])[i];
                    double d = x[t] - model.means[i];
                    emitted[0] += p;
                    emitted[1] += p * d;
                    emitted[2] += p * (d * d);
                    if (t < x.length - 1) {
                        addMoves(moved, p, chain.transitions[i], r[t][i], chain.after(r[t + 1], densities[t + 1]));
                    }
                }
                starts[i] = starts[i].add(new BigDecimal(LogTextbook.probabilities(f[0], r[0])[i]));
                addTo(moves[i], moved);
                addTo(values[i], emitted);
            }
        }

        /** Adds the probabilities of the transitions from a state with the probability {@code p}. */
        private static void addMoves(double[] moved, double p, double[] transitions, double r, double... b) {
            double sum = 0;
            for (int j = 0; j < b.length; j++) {
                sum += StrictMath.exp(b[j]) * transitions[j];
            }
            for (int j = 0; j < b.length && p > 0; j++) {
                moved[j] += sum >= 1e-290
                        ? p / sum * (transitions[j] * StrictMath.exp(b[j]))
                        : p * StrictMath.exp(b[j] + StrictMath.log(transitions[j]) - r);
            }
        }

        private static void addTo(BigDecimal[] sums, double... counts) {
            Arrays.setAll(sums, i -> sums[i].add(new BigDecimal(counts[i])));
        }

        GaussianTextbook improved(GaussianFitTextbook fit) {
            HmmTextbook.maximize(HmmTextbook.rounded(starts), chain.start);
            double[] means = model.means.clone();
            double[] variances = model.variances.clone();
            for (int i = 0; i < states; i++) {
                HmmTextbook.maximize(HmmTextbook.rounded(moves[i]), chain.transitions[i]);
                double[] sums = HmmTextbook.rounded(values[i]);
                if (sums[0] >= 1e-290) {
                    double shift = sums[1] / sums[0];
                    means[i] = Math.max(-1e100, Math.min(means[i] + shift, 1e100));
                    variances[i] = fit.bounded(sums[2] / sums[0] - shift * shift);
                }
            }
            return new GaussianTextbook(chain, means, variances);
        }
    }
}
