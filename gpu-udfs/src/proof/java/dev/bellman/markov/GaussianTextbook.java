package dev.bellman.markov;

import static dev.bellman.proof.Values.require;

import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * Computes the densities of points, which determine the results of {@link LogTextbook}. A number is a point with one
 * coordinate.
 */
final class GaussianTextbook {
    final LogTextbook chain;
    /** For each state, the mean of each coordinate. */
    final double[][] means;

    final double[][] variances;

    GaussianTextbook(LogTextbook chain, double[][] means, double[]... variances) {
        this.chain = chain;
        this.means = means;
        this.variances = variances;
    }

    static GaussianTextbook of(ArrayData start, ArrayData transitions, ArrayData emissions, boolean logs) {
        LogTextbook chain = LogTextbook.of(start, transitions, logs);
        require(!Values.hasNull(emissions) && emissions.numElements() == chain.states());
        double[][] pairs = new double[chain.states()][];
        Arrays.setAll(pairs, i -> numbers(emissions.getArray(i), 1e200));
        int dimensions = pairs[0].length / 2;
        require(dimensions > 0 && Arrays.stream(pairs).allMatch(row -> row.length == 2 * dimensions));
        double[][] means = everySecond(0, pairs);
        double[][] variances = everySecond(1, pairs);
        require(Stream.of(means).flatMapToDouble(Arrays::stream).allMatch(mean -> Math.abs(mean) <= 1e100));
        require(Stream.of(variances).flatMapToDouble(Arrays::stream).allMatch(variance -> variance >= 1e-80));
        return new GaussianTextbook(chain, means, variances);
    }

    private static double[][] everySecond(int first, double[]... rows) {
        return Stream.of(rows)
                .map(row -> IntStream.range(0, row.length / 2)
                        .mapToDouble(i -> row[2 * i + first])
                        .toArray())
                .toArray(double[][]::new);
    }

    /** Returns a sequence of numbers or points, as points. */
    static double[][] sequence(ArrayData array, boolean ofPoints) {
        require(array.numElements() > 0 && !Values.hasNull(array));
        double[][] points = new double[array.numElements()][];
        if (ofPoints) {
            Arrays.setAll(points, t -> numbers(array.getArray(t), 1e100));
        } else {
            double[] numbers = numbers(array, 1e100);
            Arrays.setAll(points, t -> new double[] {numbers[t]});
        }
        require(points[0].length > 0);
        require(Stream.of(points).allMatch(point -> point.length == points[0].length));
        return points;
    }

    private static double[] numbers(ArrayData array, double most) {
        require(!Values.hasNull(array));
        require(Arrays.stream(array.toDoubleArray()).allMatch(x -> Math.abs(x) <= most));
        return array.toDoubleArray().clone();
    }

    int dimensions() {
        return means[0].length;
    }

    /** Returns the logarithm of the density of each point in each state. */
    double[][] densities(double[]... points) {
        require(points[0].length == dimensions());
        return Stream.of(points)
                .map(x -> IntStream.range(0, means.length)
                        .mapToDouble(j -> density(x, means[j], variances[j]))
                        .toArray())
                .toArray(double[][]::new);
    }

    private static double density(double[] x, double[] means, double... variances) {
        double sum = 0;
        for (int d = 0; d < x.length; d++) {
            sum += StrictMath.log(2 * Math.PI * variances[d]) + (x[d] - means[d]) * (x[d] - means[d]) / variances[d];
        }
        return -sum / 2;
    }

    /** Computes a result from the densities of all steps. */
    private interface Result {
        Object of(LogTextbook chain, double[]... densities);
    }

    private static Object solve(InternalRow row, boolean ofPoints, Result result) {
        GaussianTextbook model = of(row.getArray(0), row.getArray(1), row.getArray(2), row.getBoolean(4));
        require(ofPoints || model.dimensions() == 1);
        return result.of(model.chain, model.densities(sequence(row.getArray(3), ofPoints)));
    }

    private static Object forward(InternalRow row, boolean ofPoints) {
        return solve(row, ofPoints, (chain, densities) -> chain.forward(new double[densities.length][], densities));
    }

    static Object forward(InternalRow row) {
        return forward(row, false);
    }

    static Object forwardOfPoints(InternalRow row) {
        return forward(row, true);
    }

    static Object posterior(InternalRow row) {
        return solve(row, false, LogTextbook::posterior);
    }

    static Object posteriorOfPoints(InternalRow row) {
        return solve(row, true, LogTextbook::posterior);
    }

    static Object viterbi(InternalRow row) {
        return solve(row, false, LogTextbook::viterbi);
    }

    static Object viterbiOfPoints(InternalRow row) {
        return solve(row, true, LogTextbook::viterbi);
    }
}
