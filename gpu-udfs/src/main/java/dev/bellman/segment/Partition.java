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
 * <p>If {@code source(s) + cost(s, t)} exceeds {@code source(t)}, {@code auto} drops the start {@code s} for ends of at
 * least {@code t + min_size}. This is PELT by Killick, Fearnhead and Eckley, "Optimal detection of changepoints with a
 * linear computational cost" (2012), and, for a fixed number of segments, SNIP by Maidstone et al., "On optimal
 * multiple changepoint algorithms for large data" (2017). The start {@code s} is then not needed: {@code t} is a better
 * start for any segment that may begin at {@code t}, since {@code cost(s, t) + cost(t, u) <= cost(s, u)}. Before {@code
 * t + min_size}, no segment can begin at {@code t}. The comparison has a margin for all rounding errors, so the same
 * starts win as without pruning, even in ties.
 */
final class Partition {
    /** The number of prefixes between prunings, which is small enough that superfluous starts cost little. */
    private static final int PRUNE_EVERY = 16;

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
        if (prunes && cost.solve(minSize, source, target, penalty, starts)) {
            return;
        }
        double margin = cost.margin(penalty);
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
            if (prunes && end % PRUNE_EVERY == 0 && source[end] < Double.POSITIVE_INFINITY) {
                candidates.prune(end, costs, source[end] + margin, end + minSize);
            }
        }
        target[0] = source == target ? 0 : Double.POSITIVE_INFINITY;
    }
}
