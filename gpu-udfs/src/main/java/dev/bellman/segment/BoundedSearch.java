package dev.bellman.segment;

import dev.bellman.columns.Cancellation;
import java.util.Arrays;

/**
 * Finds the same partitions as {@link Partition}, but computes only a few costs for each prefix.
 *
 * <p>A segment costs at least as much as its parts together. For starts {@code s} in one {@link Block}, the sums
 * {@code source(s) + cost(s, anchor)} are known, where the anchor is a position after these starts. So a lower bound on
 * the cost of a prefix whose last segment begins at {@code s} is
 *
 * <pre>{@code
 * source(s) + cost(s, anchor) + cost(anchor, middle) + cost(middle, end)
 * }</pre>
 *
 * <p>The same {@code middle} is used for {@value #PRUNE_EVERY} ends, so for each end, only the last term changes. The
 * search computes the costs with two likely starts, {@code middle} and the best start for the previous end. Then it
 * computes only the costs with starts whose bound is not above the lower of these two.
 *
 * <p>Example: the values are 0 before position 50 and 10 from there on, the cost is {@code l1}, and the penalty is 20.
 * With the anchor 100, the sum is 40 for the start 48 and 20 for the start 50. For each later end, the two bounds have
 * the same additional terms, so the cost with the start 48 is not computed as long as the values remain 10.
 *
 * <p>If the lower bound for the prefix that ends at {@code middle} exceeds {@code source(middle)}, the search drops the
 * start: {@code middle} is a better start for all later ends. With exact costs instead of bounds, this is PELT by
 * Killick, Fearnhead and Eckley, "Optimal detection of changepoints with a linear computational cost" (2012), and, for
 * a fixed number of segments, SNIP by Maidstone et al., "On optimal multiple changepoint algorithms for large data"
 * (2017).
 *
 * <p>Comparisons with bounds have a margin for all rounding errors, so the same starts win as without bounds, even if
 * costs tie.
 */
final class BoundedSearch {
    /** The number of ends between two prunings, which is small enough that superfluous starts cost little. */
    private static final int PRUNE_EVERY = 16;

    private static final int FIRST_SIZE = 64;

    private final SegmentCost cost;
    private final int minSize;
    private final double[] source;
    private final double[] target;
    private final double penalty;
    private final int[] starts;
    /** Twice {@link SegmentCost#margin}, because bounds are sums of up to three costs instead of one. */
    private final double slack;

    private final double smallest;
    private final Cancellation cancellation = new Cancellation();

    private Block[] blocks = new Block[1];
    private int blockCount;
    /** The starts that were added after the last pruning; they are in no block yet. */
    private int[] recent = new int[FIRST_SIZE];

    private int recentCount;
    /** The end of the prefix at which the last pruning compared costs, or -1 before the first pruning. */
    private int middle = -1;

    /** The starts whose costs are computed. */
    private final Candidates computed;

    private double[] costs = new double[FIRST_SIZE];
    private double least;
    private int best;

    /** The parameters are those of {@link Partition#solve}. */
    BoundedSearch(SegmentCost cost, int minSize, double[] source, double[] target, double penalty, int... starts) {
        this.cost = cost;
        this.minSize = minSize;
        this.source = source;
        this.target = target;
        this.penalty = penalty;
        this.starts = starts;
        slack = 2 * cost.margin(penalty);
        smallest = cost.smallest();
        computed = cost.candidates();
    }

    /** Computes the same results as {@link Partition#solve}. */
    void solve() {
        Arrays.fill(target, 1, Math.min(minSize, target.length), Double.POSITIVE_INFINITY);
        for (int end = minSize; end < target.length; end++) {
            int start = end - minSize;
            if (source[start] < Double.POSITIVE_INFINITY) {
                if (recentCount == recent.length) {
                    recent = Arrays.copyOf(recent, 2 * recentCount);
                }
                recent[recentCount++] = start;
            }
            solve(end);
            if (end % PRUNE_EVERY == 0) {
                // the largest start for the next end
                prune(start + 1);
            }
        }
        target[0] = source == target ? 0 : Double.POSITIVE_INFINITY;
    }

    private void solve(int end) {
        least = Double.POSITIVE_INFINITY;
        best = -1;
        computed.count = 0;
        if (middle < 0) {
            addRecent(-1, Double.POSITIVE_INFINITY);
        } else {
            int last = starts[end - 1];
            computed.add(middle, source[middle]);
            if (last != middle) {
                computed.add(last, source[last]);
            }
            compute(end, false);
            double part = costs[0];
            for (int i = 0; i < computed.count; i++) {
                costs[i] += computed.before[i];
            }
            update();
            computed.count = 0;
            addFromBlocks(last, least + slack - part);
            addRecent(last, least + slack);
        }
        compute(end, true);
        update();
        target[end] = least + penalty;
        starts[end] = best;
    }

    /** Adds the starts in blocks whose bound for the prefix that ends at {@link #middle} is at most the limit. */
    private void addFromBlocks(int last, double limit) {
        for (int b = 0; b < blockCount; b++) {
            Block block = blocks[b];
            if (block.least + block.link <= limit) {
                for (int i = 0; i < block.count; i++) {
                    if (block.keys[i] + block.link <= limit && block.starts[i] != last) {
                        computed.add(block.starts[i], source[block.starts[i]]);
                    }
                }
            }
        }
    }

    private void addRecent(int last, double limit) {
        for (int i = 0; i < recentCount; i++) {
            int start = recent[i];
            if (source[start] + smallest <= limit && start != middle && start != last) {
                computed.add(start, source[start]);
            }
        }
    }

    /**
     * Sets {@link #costs} to the costs of the segments from each of the {@link #computed} starts.
     *
     * @param isPrefix whether to add the cost of all segments before the start
     */
    private void compute(int end, boolean isPrefix) {
        if (costs.length < computed.count) {
            costs = new double[computed.starts.length];
        }
        cancellation.count(8L + blockCount / 2 + 4L * computed.count);
        if (isPrefix) {
            cost.add(computed, end, costs);
        } else {
            cost.set(computed, 0, end, costs);
        }
    }

    private void update() {
        for (int i = 0; i < computed.count; i++) {
            if (costs[i] < least || costs[i] == least && computed.starts[i] < best) {
                least = costs[i];
                best = computed.starts[i];
            }
        }
    }

    /** Drops starts that are not needed for ends of at least {@code end + minSize}, and computes new bounds. */
    private void prune(int end) {
        if (source[end] == Double.POSITIVE_INFINITY || target[end] == Double.POSITIVE_INFINITY) {
            return;
        }
        double limit = source[end] + slack;
        link(end, limit);
        for (int i = 0; i < recentCount; i++) {
            if (blockCount == 0 || blocks[blockCount - 1].isFull()) {
                if (blockCount == blocks.length) {
                    blocks = Arrays.copyOf(blocks, 2 * blockCount);
                }
                blocks[blockCount++] = new Block();
            }
            blocks[blockCount - 1].add(recent[i]);
        }
        recentCount = 0;
        // starts with higher bounds are rarely needed until the next pruning
        double low = (target[end] - penalty + source[end]) / 2;
        int left = 0;
        for (int b = 0; b < blockCount; b++) {
            Block block = blocks[b];
            if (block.hasNew || block.least + block.link <= low) {
                computed.count = 0;
                for (int i = 0; i < block.count; i++) {
                    computed.add(block.starts[i], source[block.starts[i]]);
                }
                compute(end, true);
                block.move(end, costs, limit);
            }
            if (block.count > 0) {
                blocks[left++] = block;
            }
        }
        blockCount = left;
        middle = end;
    }

    /** Computes the links of all blocks to {@code end}, and drops the blocks whose bounds exceed the limit. */
    private void link(int end, double limit) {
        computed.count = 0;
        for (int b = 0; b < blockCount; b++) {
            computed.add(blocks[b].anchor, 0);
        }
        compute(end, false);
        int left = 0;
        for (int b = 0; b < blockCount; b++) {
            blocks[b].link = costs[b];
            if (blocks[b].least + costs[b] <= limit) {
                blocks[left++] = blocks[b];
            }
        }
        blockCount = left;
    }

    /** Possible starts of a prefix's last segment, with costs that yield lower bounds. */
    private static final class Block {
        private static final int SIZE = 64;

        int count;
        final int[] starts = new int[SIZE];
        /** For each start, the cost of the prefix that ends at {@link #anchor} if its last segment begins there. */
        final double[] keys = new double[SIZE];

        /** The lowest of the keys. */
        double least;

        int anchor;
        /** The cost of the segment from the anchor to the end of the last pruning. */
        double link;
        /** Whether starts without keys were added. */
        boolean hasNew;

        boolean isFull() {
            return count == SIZE;
        }

        void add(int start) {
            starts[count++] = start;
            hasNew = true;
        }

        /**
         * Changes the anchor, and drops starts.
         *
         * @param costs the new key of each start
         * @param limit the largest key with which a start remains
         */
        void move(int end, double[] costs, double limit) {
            int left = 0;
            least = Double.POSITIVE_INFINITY;
            for (int i = 0; i < count; i++) {
                if (costs[i] <= limit) {
                    starts[left] = starts[i];
                    keys[left] = costs[i];
                    least = Math.min(least, costs[i]);
                    left++;
                }
            }
            count = left;
            anchor = end;
            link = 0;
            hasNew = false;
        }
    }
}
