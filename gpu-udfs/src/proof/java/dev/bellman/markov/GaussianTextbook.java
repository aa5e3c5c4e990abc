package dev.bellman.markov;

import static dev.bellman.markov.LogTextbook.require;

import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Computes the densities of numbers, which determine the results of {@link LogTextbook}. */
final class GaussianTextbook {
    final LogTextbook chain;
    final double[] means;
    final double[] variances;

    GaussianTextbook(LogTextbook chain, double[] means, double... variances) {
        this.chain = chain;
        this.means = means;
        this.variances = variances;
    }

    static GaussianTextbook of(ArrayData start, ArrayData transitions, ArrayData emissions, boolean logs) {
        LogTextbook chain = LogTextbook.of(start, transitions, logs);
        require(!Values.hasNull(emissions) && emissions.numElements() == chain.states());
        double[][] pairs = new double[chain.states()][];
        Arrays.setAll(pairs, i -> numbers(emissions.getArray(i), 1e200));
        require(Arrays.stream(pairs).allMatch(pair -> pair.length == 2));
        require(Arrays.stream(pairs).allMatch(pair -> Math.abs(pair[0]) <= 1e100 && pair[1] >= 1e-80));
        return new GaussianTextbook(
                chain,
                Arrays.stream(pairs).mapToDouble(pair -> pair[0]).toArray(),
                Arrays.stream(pairs).mapToDouble(pair -> pair[1]).toArray());
    }

    static double[] sequence(ArrayData array) {
        require(array.numElements() > 0);
        return numbers(array, 1e100);
    }

    private static double[] numbers(ArrayData array, double most) {
        require(!Values.hasNull(array));
        require(Arrays.stream(array.toDoubleArray()).allMatch(x -> Math.abs(x) <= most));
        return array.toDoubleArray().clone();
    }

    /** Returns the logarithm of the density of each value in each state. */
    double[][] densities(double... values) {
        return Arrays.stream(values)
                .mapToObj(x -> IntStream.range(0, means.length)
                        .mapToDouble(j -> -(StrictMath.log(2 * Math.PI * variances[j])
                                        + (x - means[j]) * (x - means[j]) / variances[j])
                                / 2)
                        .toArray())
                .toArray(double[][]::new);
    }

    private static GaussianTextbook of(InternalRow row) {
        return of(row.getArray(0), row.getArray(1), row.getArray(2), row.getBoolean(4));
    }

    static Object forward(InternalRow row) {
        GaussianTextbook model = of(row);
        double[] x = sequence(row.getArray(3));
        return model.chain.forward(new double[x.length][], model.densities(x));
    }

    static Object posterior(InternalRow row) {
        GaussianTextbook model = of(row);
        return model.chain.posterior(model.densities(sequence(row.getArray(3))));
    }

    static Object viterbi(InternalRow row) {
        GaussianTextbook model = of(row);
        return model.chain.viterbi(model.densities(sequence(row.getArray(3))));
    }
}
