package dev.bellman.segment;

import dev.bellman.columns.Cancellation;
import java.util.Arrays;

/**
 * Finds the cheapest partition of each prefix of a series into segments.
 *
 * <pre>{@code
 * target(t) = (min over s <= t - min_size of source(s) + cost(s, t)) + penalty
 * }</pre>
 *
 * <p>With a penalty, source and target are the same array: this is the optimal partitioning by Jackson et al., "An
 * algorithm for optimal partitioning of data on an interval" (2005). With a fixed number of segments, the partitions
 * are extended by one segment at a time: the target for one number of segments is the source for the next.
 *
 * <p>{@code auto} uses {@link SegmentCost#solve} or, if that returns false, {@link BoundedSearch}.
 */
final class Partition {
    private final SegmentCost cost;
    private final int count;
    private final int minSize;
    private final boolean prunes;
    private final Cancellation cancellation = new Cancellation();

    Partition(SegmentCost cost, int count, int minSize, boolean prunes) {
        this.cost = cost;
        this.count = count;
        this.minSize = minSize;
        this.prunes = prunes;
    }

    /** Returns the costs of prefixes for the case in which only the empty prefix has a partition. */
    double[] empty() {
        double[] costs = new double[count + 1];
        Arrays.fill(costs, 1, count + 1, Double.POSITIVE_INFINITY);
        return costs;
    }

    /**
     * Computes the cost of each prefix and the start of its last segment; if several starts tie, the smallest start
     * wins.
     *
     * @param target receives the costs; may be the same array as {@code source}. Prefixes without a partition have the
     *     cost Infinity
     */
    void solve(double[] source, double[] target, double penalty, int... starts) {
        if (prunes) {
            if (!cost.solve(minSize, source, target, penalty, starts)) {
                new BoundedSearch(cost, minSize, source, target, penalty, starts).solve();
            }
            return;
        }
        Candidates candidates = cost.candidates();
        double[] costs = new double[0];
        Arrays.fill(target, 1, Math.min(minSize, count + 1), Double.POSITIVE_INFINITY);
        for (int end = minSize; end <= count; end++) {
            if (source[end - minSize] < Double.POSITIVE_INFINITY) {
                candidates.add(end - minSize, source[end - minSize]);
            }
            int possible = candidates.count;
            if (costs.length < possible) {
                costs = new double[candidates.starts.length];
            }
            cost.add(candidates, end, costs);
            cancellation.count(16L + 4L * possible);
            double least = Double.POSITIVE_INFINITY;
            int best = -1;
            for (int i = 0; i < possible; i++) {
                if (costs[i] < least) {
                    least = costs[i];
                    best = i;
                }
            }
            target[end] = least + penalty;
            starts[end] = best < 0 ? -1 : candidates.starts[best];
        }
        target[0] = source == target ? 0 : Double.POSITIVE_INFINITY;
    }
}
