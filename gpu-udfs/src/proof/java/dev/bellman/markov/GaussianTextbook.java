package dev.bellman.markov;

import static dev.bellman.proof.Values.invalid;

import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Computes complete tables of logarithms for normally distributed values, as {@link GaussianForward} defines them. */
final class GaussianTextbook {
    final double[] start;
    final double[][] transitions;
    final double[] means;
    final double[] variances;

    GaussianTextbook(double[] start, double[][] transitions, double[] means, double... variances) {
        this.start = start;
        this.transitions = transitions;
        this.means = means;
        this.variances = variances;
    }

    static GaussianTextbook of(ArrayData start, ArrayData transitions, ArrayData emissions) {
        double[] first = numbers(start, 1);
        double[][] moves = matrix(transitions, first.length, 1);
        double[][] pairs = matrix(emissions, 2, 1e200);
        require(first.length > 0 && moves.length == first.length && pairs.length == first.length);
        require(Arrays.stream(first).allMatch(p -> p >= 0));
        require(Arrays.stream(moves).flatMapToDouble(Arrays::stream).allMatch(p -> p >= 0));
        require(Arrays.stream(pairs).allMatch(pair -> Math.abs(pair[0]) <= 1e100 && pair[1] >= 1e-80));
        return new GaussianTextbook(
                first,
                moves,
                Arrays.stream(pairs).mapToDouble(pair -> pair[0]).toArray(),
                Arrays.stream(pairs).mapToDouble(pair -> pair[1]).toArray());
    }

    static double[] sequence(ArrayData array) {
        require(array.numElements() > 0);
        return numbers(array, 1e100);
    }

    private static double[][] matrix(ArrayData rows, int columns, double most) {
        require(!Values.hasNull(rows));
        double[][] matrix = new double[rows.numElements()][];
        Arrays.setAll(matrix, i -> numbers(rows.getArray(i), most));
        require(Arrays.stream(matrix).allMatch(row -> row.length == columns));
        return matrix;
    }

    private static double[] numbers(ArrayData array, double most) {
        require(!Values.hasNull(array));
        require(Arrays.stream(array.toDoubleArray()).allMatch(x -> Math.abs(x) <= most));
        return array.toDoubleArray().clone();
    }

    static void require(boolean holds) {
        if (!holds) {
            throw invalid();
        }
    }

    /** Returns the logarithm of the density of a value in each state. */
    double[] densities(double x) {
        return IntStream.range(0, means.length)
                .mapToDouble(j ->
                        -(StrictMath.log(2 * Math.PI * variances[j]) + (x - means[j]) * (x - means[j]) / variances[j])
                                / 2)
                .toArray();
    }

    /** Returns the logarithms of the densities relative to the largest of them. */
    double[] relative(double x) {
        return minus(densities(x), max(densities(x)));
    }

    /** Returns {@code log(sum of exp(logs(i)) * probabilities(i))}. */
    static double logOfSum(double[] logs, double... probabilities) {
        double sum = 0;
        double most = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < logs.length; i++) {
            sum += StrictMath.exp(logs[i]) * probabilities[i];
            most = Math.max(most, logs[i] + StrictMath.log(probabilities[i]));
        }
        if (sum >= 1e-290 || most == Double.NEGATIVE_INFINITY) {
            return StrictMath.log(sum);
        }
        double scaled = 0;
        for (int i = 0; i < logs.length; i++) {
            scaled += StrictMath.exp(logs[i] + StrictMath.log(probabilities[i]) - most);
        }
        return most + StrictMath.log(scaled);
    }

    double[] into(int state) {
        return Arrays.stream(transitions).mapToDouble(row -> row[state]).toArray();
    }

    static double max(double... row) {
        return Arrays.stream(row).max().orElseThrow();
    }

    private static double[] plus(double[] a, double... b) {
        return IntStream.range(0, a.length).mapToDouble(j -> a[j] + b[j]).toArray();
    }

    static double[] minus(double[] row, double x) {
        return Arrays.stream(row).map(each -> each - x).toArray();
    }

    /** Fills the table {@code f}, and returns the logarithm of the density of all values. */
    double forward(double[][] f, double... x) {
        double sum = 0;
        for (int t = 0; t < x.length; t++) {
            double[] reached = new double[start.length];
            for (int j = 0; j < reached.length; j++) {
                reached[j] = t == 0 ? StrictMath.log(start[j]) : logOfSum(f[t - 1], into(j));
            }
            double[] u = plus(reached, relative(x[t]));
            if (max(u) == Double.NEGATIVE_INFINITY) {
                return max(u);
            }
            f[t] = minus(u, max(u));
            sum += max(densities(x[t])) + max(u);
        }
        double last = 0;
        for (double each : f[x.length - 1]) {
            last += StrictMath.exp(each);
        }
        return sum + StrictMath.log(last);
    }

    /** Returns the table {@code r} of {@link GaussianForward}. */
    double[][] backward(double... x) {
        double[][] r = new double[x.length][start.length];
        for (int t = x.length - 2; t >= 0; t--) {
            double[] b = after(r[t + 1], x[t + 1]);
            for (int i = 0; i < start.length; i++) {
                r[t][i] = logOfSum(b, transitions[i]);
            }
        }
        return r;
    }

    /** Returns {@code b} at a step, given {@code r} and the value at this step. */
    double[] after(double[] r, double x) {
        double[] v = plus(r, relative(x));
        return minus(v, max(v));
    }

    /** Returns the probabilities of the states at a step, given {@code f} and {@code r}. */
    static double[] probabilities(double[] f, double... r) {
        double[] both = plus(f, r);
        double[] weights =
                Arrays.stream(minus(both, max(both))).map(StrictMath::exp).toArray();
        double sum = 0;
        for (double weight : weights) {
            sum += weight;
        }
        double all = sum;
        return Arrays.stream(weights).map(weight -> weight / all).toArray();
    }

    private static GaussianTextbook of(InternalRow row) {
        return of(row.getArray(0), row.getArray(1), row.getArray(2));
    }

    static Object forward(InternalRow row) {
        GaussianTextbook model = of(row);
        double[] x = sequence(row.getArray(3));
        return model.forward(new double[x.length][], x);
    }

    static Object posterior(InternalRow row) {
        GaussianTextbook model = of(row);
        double[] x = sequence(row.getArray(3));
        double[][] f = new double[x.length][];
        require(model.forward(f, x) > Double.NEGATIVE_INFINITY);
        double[][] r = model.backward(x);
        return Values.arrayOf(IntStream.range(0, x.length)
                .mapToObj(t -> Values.array(Arrays.stream(probabilities(f[t], r[t]))
                        .map(p -> p < Forward.MIN_PROBABILITY ? 0 : p)
                        .toArray()))
                .toArray());
    }

    /** Decodes the sequence with relative densities as emissions, and adds the largest density of each step. */
    static Object viterbi(InternalRow row) {
        GaussianTextbook model = of(row);
        double[] x = sequence(row.getArray(3));
        InternalRow path = MarkovTextbook.viterbi(
                Arrays.stream(model.start).map(StrictMath::log).toArray(),
                Arrays.stream(model.transitions)
                        .map(each -> Arrays.stream(each).map(StrictMath::log).toArray())
                        .toArray(double[][]::new),
                Arrays.stream(x).mapToObj(model::relative).toArray(double[][]::new));
        double sum = 0;
        for (double each : x) {
            sum += max(model.densities(each));
        }
        return Values.row(path.getDouble(0) + sum, path.getArray(1));
    }
}
