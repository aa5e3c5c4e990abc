package dev.bellman.segment;

import dev.bellman.columns.Cancellation;
import java.util.Arrays;

/**
 * Finds the same partitions as {@link Partition} for the cost {@code l2}, but keeps fewer starts.
 *
 * <p>At a level {@code x}, a segment costs the sum of its values' squared distances from {@code x}. The minimum over
 * all levels, which is at the mean, is the cost of the segment. Consider the cost of a prefix whose last segment is at
 * level {@code x}, for two starts {@code r < s} of this segment. The cost for {@code r} minus the cost for {@code s} is
 * the same for all ends: {@code k + n * (x - mean)^2}, where {@code n} is the number of values from {@code r} to {@code
 * s}, and {@code k} is {@code source(r) + cost(r, s) - source(s)}. So {@code s} is better outside an interval of
 * levels, and {@code r} is better inside it. A start is no longer needed if each level between the smallest and the
 * largest value has a better start. This is functional pruning by Rigaill, "A pruned dynamic programming algorithm to
 * recover the best segmentations with 1 to K_max change-points" (2015), and Maidstone et al., "On optimal multiple
 * changepoint algorithms for large data" (2017).
 *
 * <p>For each start, {@link Levels} stores two intervals: outside the first, a later start is better; inside the
 * second, the hole, an earlier start is better. A start counts as better only if its cost is lower by more than all
 * rounding errors, so starts that tie with the best one are never removed.
 *
 * <p>At each end, a few operations approximate the costs of all starts. Only starts whose approximate costs are close
 * to the lowest one are compared by their actual costs.
 */
final class LevelSearch {
    /** The number of prefixes between prunings. */
    private static final int PRUNE_EVERY = 4;

    /** The average number of actual costs per prefix above which {@link BoundedSearch} is faster. */
    private static final long MANY = 16;

    /** The number of prefixes by which a search that is too slow is recognized. */
    private static final int PATIENCE = 500;

    /** The smallest sum of squares for which no term underflows that is as large as a rounding error of the sum. */
    private static final double SMALLEST = 1e-200;

    private final SquaresCost cost;
    private final int minSize;
    private final int count;
    private final double[] sums;
    private final double[] squares;
    private final double lowest;
    private final double highest;
    private final Cancellation cancellation = new Cancellation();
    private final Levels levels = new Levels();
    private double[] costs = {};
    private double[] below = {};
    private double[] above = {};
    /** The hole of each start; if there is no hole, both bounds are Infinity. */
    private final double[] holesFrom;

    private final double[] holesTo;

    private double slack;
    /** The lowest cost of the current prefix, without the penalty for its last segment. */
    private double least;

    private long compared;

    LevelSearch(SquaresCost cost, int minSize, PrefixSums sums, PrefixSums squares, double... values) {
        this.cost = cost;
        this.minSize = minSize;
        this.sums = sums.high;
        this.squares = squares.high;
        count = values.length;
        lowest = Arrays.stream(values).min().orElse(0);
        highest = Arrays.stream(values).max().orElse(0);
        holesFrom = new double[count + 1];
        holesTo = new double[count + 1];
    }

    /**
     * Returns an upper bound on the rounding errors in a comparison. Let {@code u} be 2^-53, {@code q} the sum of all
     * squares plus the penalty, and {@code m} the largest magnitude of a prefix sum. The difference of two prefix sums
     * has an error of at most {@code 4 * u * m}; divided by the square root of the number of values, it is at most
     * {@code sqrt(q)}. So an approximate cost has an error of at most {@code 8 * u * m * sqrt(q) + 10 * u * q}. An
     * actual cost has an error of at most {@code 6 * u * q}. At a computed bound of an interval, the difference of two
     * costs has an error of at most {@code 9 * u * m * sqrt(q) + 30 * u * q}. The slack is more than twice the sum of
     * these errors.
     */
    private double slack(double penalty) {
        double all = squares[count] + penalty;
        double largest = 0;
        for (double sum : sums) {
            largest = Math.max(largest, Math.abs(sum));
        }
        return 0x1p-49 * (8 * all + 4 * largest * Math.sqrt(all)) + Double.MIN_NORMAL;
    }

    /**
     * Computes the same results as {@link Partition#solve}. Returns false, without results, if rounding errors are so
     * large that this search is not faster.
     */
    boolean solve(double[] source, double[] target, double penalty, int... starts) {
        if (squares[count] < SMALLEST && (lowest < 0 || highest > 0)) {
            return false;
        }
        slack = slack(penalty);
        levels.count = 0;
        compared = 0;
        Arrays.fill(holesFrom, Double.POSITIVE_INFINITY);
        Arrays.fill(holesTo, Double.POSITIVE_INFINITY);
        Arrays.fill(target, 1, Math.min(minSize, count + 1), Double.POSITIVE_INFINITY);
        for (int end = minSize; end <= count; end++) {
            add(end - minSize, source[end - minSize]);
            cancellation.count(16L + 2L * levels.count);
            levels.approximate(end, sums[end], costs);
            int near = nearBest();
            starts[end] = near < 0 ? -1 : best(near, end, source);
            target[end] = (near < 0 ? Double.POSITIVE_INFINITY : least) + penalty;
            if (compared > MANY * (PATIENCE + end)) {
                return false;
            }
            if (near >= 0 && source[end] < Double.POSITIVE_INFINITY) {
                prune(end, near, source[end] - squares[end]);
            }
        }
        target[0] = source == target ? 0 : Double.POSITIVE_INFINITY;
        return true;
    }

    private void add(int start, double before) {
        if (before < Double.POSITIVE_INFINITY) {
            levels.add(start, sums[start], before - squares[start], lowest, highest, holesFrom[start], holesTo[start]);
            if (costs.length < levels.count) {
                costs = new double[levels.starts.length];
                below = new double[costs.length];
                above = new double[costs.length];
            }
        }
    }

    /** Returns the index of the start with the lowest approximate cost, or -1 if there are no starts. */
    private int nearBest() {
        double lowestCost = Double.POSITIVE_INFINITY;
        int best = -1;
        for (int i = 0; i < levels.count; i++) {
            if (costs[i] < lowestCost) {
                lowestCost = costs[i];
                best = i;
            }
        }
        return best;
    }

    /** Finds the lowest cost and returns the first start that has it. */
    private int best(int near, int end, double... source) {
        double limit = costs[near] + slack;
        least = Double.POSITIVE_INFINITY;
        int best = -1;
        for (int i = 0; i < levels.count; i++) {
            if (costs[i] <= limit) {
                int start = (int) levels.starts[i];
                // the cost of a segment is not negative
                if (source[start] < least) {
                    double actual = cost.deviation(start, end) + source[start];
                    compared++;
                    if (actual < least) {
                        least = actual;
                        best = start;
                    }
                }
            }
        }
        return best;
    }

    /**
     * Determines the hole of the start {@code end}, and sometimes removes levels and starts.
     *
     * @param key the cost of all segments before {@code end}, minus the sum of the squares of their values
     */
    private void prune(int end, int near, double key) {
        levels.compare(sums[end], costs, key - 2 * slack, below, above);
        if (below[near] <= above[near]) {
            double inHole = below[near];
            double outOfHole = above[near];
            for (int i = levels.count - 1; i >= 0; i--) {
                // joins overlapping intervals; comparisons with NaN are false
                if (below[i] <= outOfHole && above[i] >= inHole) {
                    inHole = Math.min(inHole, below[i]);
                    outOfHole = Math.max(outOfHole, above[i]);
                }
            }
            holesFrom[end] = inHole;
            holesTo[end] = outOfHole;
        }
        if (end % PRUNE_EVERY == 0) {
            levels.compare(sums[end], costs, key + 2 * slack, below, above);
            levels.narrow(below, above);
            levels.prune(end, minSize);
        }
    }
}
