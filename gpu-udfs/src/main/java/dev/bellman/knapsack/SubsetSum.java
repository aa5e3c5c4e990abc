package dev.bellman.knapsack;

import dev.bellman.CellCounter;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * Chooses the items with the largest sum up to a capacity: a {@link Knapsack} whose values are the weights.
 *
 * <p>A row of the table has a bit for each sum; the next row is the bitwise OR of this row and a shifted copy of it.
 * For each sum, the table stores the first item such that a subset of the items up to and including this item has the
 * sum. The traceback takes this item, because the items before it cannot have the sum, and later items are avoided if
 * possible.
 */
final class SubsetSum {
    private static final int BITS = Long.SIZE;

    /** The number of bytes per sum: one bit in each of two rows, and the sum's first item. */
    private static final double BYTES_OF_A_SUM = Integer.BYTES + 2.0 / Byte.SIZE;

    private SubsetSum() {}

    /** Returns 1 for each item that is taken, and 0 for the others. */
    static int[] choose(String function, long[] weights, long capacity, Knapsack.Strategy strategy, CellCounter cells) {
        Options options = Options.ofItems(weights, weights, false);
        if (strategy == Knapsack.Strategy.AUTO) {
            Options.Reduced reduced = options.reduced(function, capacity);
            long width = reduced.capacity();
            long bytes = (long) (BYTES_OF_A_SUM * width);
            boolean isWorthIt = width / BITS <= 1 << 10 || width >>> Math.min(BITS - 2, weights.length) == 0;
            if (width < CapacityTable.MAX_CAPACITY && isWorthIt && bytes <= TaskMemory.left()) {
                TaskMemory.take(function, bytes, "", () -> "a table of %,d sums".formatted(width));
                cells.add(weights.length * (width + 1));
                return choose(reduced.options().weights(), (int) width);
            }
        }
        return Knapsack.choose(function, options, capacity, strategy, cells);
    }

    /**
     * @param weights an array with the items' weights at its odd positions, because taking an item is the second option
     *     of its class
     */
    private static int[] choose(long[] weights, int width) {
        int[] firsts = new int[width + 1];
        long[] sums = new long[width / BITS + 1];
        long[] added = new long[sums.length];
        sums[0] = 1;
        int[] chosen = new int[weights.length / 2];
        Cancellation cancellation = new Cancellation();
        int reached = 0;
        for (int k = 0; k < chosen.length; k++) {
            cancellation.count(sums.length);
            long weight = weights[2 * k + 1];
            if (weight > 0 && weight <= width) {
                reached = (int) Math.min(width, reached + weight);
                add(sums, added, (int) weight, reached, firsts, k);
            }
        }
        int sum = width;
        while ((sums[sum / BITS] >>> sum & 1) == 0) {
            sum--;
        }
        while (sum > 0) {
            int k = firsts[sum];
            chosen[k] = 1;
            sum -= (int) weights[2 * k + 1];
        }
        return chosen;
    }

    /**
     * Adds the sums that one more item makes possible, up to {@code reached}, and records the item for each new sum.
     */
    private static void add(long[] sums, long[] added, int weight, int reached, int[] firsts, int item) {
        int words = weight / BITS;
        int bits = weight % BITS;
        int end = reached / BITS + 1;
        Arrays.fill(added, 0, Math.min(words, end), 0);
        for (int w = words; w < end; w++) {
            // compute the carry with two shifts, because Java ignores a shift by 64 bits
            long carry = w > words ? sums[w - words - 1] >>> 1 >>> BITS - 1 - bits : 0;
            added[w] = sums[w - words] << bits | carry;
        }
        for (int w = words; w < end; w++) {
            long fresh = added[w] & ~sums[w];
            sums[w] |= fresh;
            for (; fresh != 0; fresh &= fresh - 1) {
                int sum = w * BITS + Long.numberOfTrailingZeros(fresh);
                if (sum < firsts.length) {
                    firsts[sum] = item;
                }
            }
        }
    }
}
