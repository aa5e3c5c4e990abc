package dev.bellman.segment;

import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.math.BigDecimal;
import java.util.Arrays;

/**
 * Partitions numbers into bins so that the sum of squared deviations from the bins' means is minimal; this is optimal
 * one-dimensional k-means clustering.
 *
 * <pre>{@code
 * f(k, t) = min over s < t of f(k - 1, s) + cost(s, t)
 * }</pre>
 *
 * <p>Here, {@code f(k, t)} is the cost of {@code k} bins for the {@code t} smallest distinct numbers. Ties: the last
 * bin begins as early as possible, then the bin before it, and so on. Sums tie if they differ by at most {@value #SAME}
 * times the smaller sum, so that rounding does not decide ties.
 */
public final class OptimalBins {
    /** Both strategies return the same bins. */
    public enum Strategy {
        /**
         * Uses divide and conquer: the best start of the last bin does not decrease from one prefix to the next, so the
         * start for the middle prefix bounds the starts for the others. The method is that of the package
         * Ckmeans.1d.dp, version 4 and later, by Wang and Song, "Ckmeans.1d.dp: optimal k-means clustering in one
         * dimension by dynamic programming" (2011).
         */
        AUTO,
        /** Tries every start. */
        SERIAL
    }

    /** The maximum relative difference of costs that tie. */
    static final double SAME = 0x1p-36;

    /** The cost of adding a value to exact sums, measured in table cells. */
    private static final int EXACT_CELLS = 64;

    private final int distinct;
    private final double[] values;
    private final double[] weights;
    private final PrefixSums sums;
    private final PrefixSums squares;
    private final double[] counts;
    private final double floor;
    private final Cancellation cancellation = new Cancellation();

    /** @param numbers the numbers, which this constructor sorts */
    OptimalBins(double... numbers) {
        Arrays.sort(numbers);
        values = new double[numbers.length];
        weights = new double[numbers.length];
        int found = 0;
        for (double number : numbers) {
            if (found == 0 || values[found - 1] != number) {
                values[found++] = number;
            }
            weights[found - 1]++;
        }
        distinct = found;
        sums = PrefixSums.ofProducts(values, weights);
        squares = PrefixSums.ofSquares(values, weights);
        counts = new double[distinct + 1];
        for (int i = 0; i < distinct; i++) {
            counts[i + 1] = counts[i] + weights[i];
        }
        floor = SegmentCost.FLOOR * squares.high[distinct];
    }

    /**
     * Bins in ascending order.
     *
     * @param centers the means of the bins, each rounded once
     * @param bounds the smallest number, and the largest number of each bin
     * @param cost the sum of the bins' costs, added from the first bin to the last; each cost is rounded once
     */
    record Bins(double[] centers, double[] bounds, double cost) {}

    /** Returns at most {@code most} bins. If there are fewer distinct numbers, each of them gets a separate bin. */
    Bins into(String function, int most, Strategy strategy) {
        int bins = Math.min(most, distinct);
        TaskMemory.take(
                function,
                (long) Double.BYTES * (distinct + 1) * bins,
                "",
                () -> "a table for %,d bins and %,d distinct values".formatted(bins, distinct));
        double[][] costs = new double[bins][distinct + 1];
        for (int end = 1; end <= distinct; end++) {
            costs[0][end] = cost(0, end);
        }
        for (int bin = 1; bin < bins; bin++) {
            if (strategy == Strategy.SERIAL) {
                for (int end = bin + 1; end <= distinct; end++) {
                    best(costs, bin, end, bin, end - 1);
                }
            } else {
                solve(costs, bin, bin + 1, distinct, bin, distinct - 1);
            }
        }
        return bins(costs);
    }

    /**
     * Solves the prefixes from {@code from} to {@code to}. Their last bins begin between {@code low} and {@code high}.
     */
    private void solve(double[][] costs, int bin, int from, int to, int low, int high) {
        if (from > to) {
            return;
        }
        int middle = from + to >>> 1;
        int best = best(costs, bin, middle, low, Math.min(high, middle - 1));
        solve(costs, bin, from, middle - 1, low, best);
        solve(costs, bin, middle + 1, to, best, high);
    }

    private int best(double[][] costs, int bin, int end, int low, int high) {
        cancellation.count(8L * (high - low + 1));
        double least = Double.POSITIVE_INFINITY;
        int best = low;
        for (int start = low; start <= high; start++) {
            double sum = costs[bin - 1][start] + cost(start, end);
            if (sum < least) {
                least = sum;
                best = start;
            }
        }
        costs[bin][end] = least;
        return best;
    }

    private double cost(int from, int to) {
        return Pairs.deviation(
                sums.between(from, to),
                sums.lostBetween(from, to),
                squares.between(from, to),
                squares.lostBetween(from, to),
                counts[to] - counts[from],
                floor);
    }

    private Bins bins(double[]... costs) {
        int bins = costs.length;
        int[] ends = new int[bins + 1];
        ends[bins] = distinct;
        for (int bin = bins - 1; bin > 0; bin--) {
            int end = ends[bin + 1];
            double most = costs[bin][end] * (1 + SAME);
            int start = bin;
            while (costs[bin - 1][start] + cost(start, end) > most) {
                start++;
            }
            cancellation.count(8L * (start - bin + 1));
            ends[bin] = start;
        }
        double[] centers = new double[bins];
        double[] bounds = new double[bins + 1];
        bounds[0] = values[0];
        double cost = 0;
        for (int bin = 0; bin < bins; bin++) {
            int from = ends[bin];
            int to = ends[bin + 1];
            centers[bin] =
                    Pairs.quotient(sums.between(from, to), sums.lostBetween(from, to), counts[to] - counts[from], 0);
            bounds[bin + 1] = values[to - 1];
            cost += exactCost(from, to);
        }
        return new Bins(centers, bounds, cost);
    }

    /** Returns the cost of a bin in the result, rounded once. */
    private double exactCost(int from, int to) {
        BigDecimal count = BigDecimal.ZERO;
        BigDecimal sum = BigDecimal.ZERO;
        BigDecimal square = BigDecimal.ZERO;
        for (int i = from; i < to; i++) {
            cancellation.count(EXACT_CELLS);
            BigDecimal value = new BigDecimal(values[i]);
            BigDecimal weight = new BigDecimal(weights[i]);
            BigDecimal product = weight.multiply(value);
            count = count.add(weight);
            sum = sum.add(product);
            square = square.add(product.multiply(value));
        }
        return ExactQuotient.of(count.multiply(square).subtract(sum.multiply(sum)), count);
    }
}
