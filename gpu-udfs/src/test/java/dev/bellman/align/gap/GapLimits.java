package dev.bellman.align.gap;

import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Rows {@code (a, b, match, mismatch, a_gap_costs, b_gap_costs)} with a score or cost near a limit: the limit for
 * 64-bit tables, at which rows begin to be rejected, or the limit for 32-bit tables. Rows without letters have no
 * limit.
 *
 * @param accepted whether the function accepts the row
 */
record GapLimits(InternalRow row, boolean accepted) {
    private static final int[][] LENGTHS = {{1, 0}, {0, 1}, {1, 1}, {2, 1}, {1, 4}, {3, 3}, {5, 2}, {6, 7}};

    static List<GapLimits> all() {
        List<GapLimits> all = new ArrayList<>();
        for (int[] lengths : LENGTHS) {
            for (int bits : new int[] {28, 60}) {
                // the smallest value with which sums over this many letters can reach 2^bits
                long limit = -Math.floorDiv(-1L << bits, lengths[0] + lengths[1]);
                for (long value = limit - 2; value <= limit + 2; value++) {
                    add(all, lengths[0], lengths[1], value, bits < 60 || value < limit);
                }
            }
        }
        // without letters, there are no sums
        for (long value : new long[] {Long.MIN_VALUE, Long.MAX_VALUE}) {
            all.add(new GapLimits(row(0, 0, value, value, new long[0], new long[0]), true));
        }
        return all;
    }

    private static void add(List<GapLimits> all, int aLength, int bLength, long value, boolean accepted) {
        long[] none = new long[aLength];
        long[] noneOfB = new long[bLength];
        for (long score : new long[] {value, -value}) {
            all.add(new GapLimits(row(aLength, bLength, score, 0, none, noneOfB), accepted));
            all.add(new GapLimits(row(aLength, bLength, 0, score, none, noneOfB), accepted));
        }
        for (int k = 0; k < aLength; k++) {
            all.add(new GapLimits(row(aLength, bLength, 0, 0, one(aLength, k, value), noneOfB), accepted));
        }
        for (int k = 0; k < bLength; k++) {
            all.add(new GapLimits(row(aLength, bLength, 0, 0, none, one(bLength, k, value)), accepted));
        }
        long[] full = new long[aLength];
        long[] fullOfB = new long[bLength];
        Arrays.fill(full, value);
        Arrays.fill(fullOfB, value);
        all.add(new GapLimits(row(aLength, bLength, value, -value, full, fullOfB), accepted));
        all.add(new GapLimits(row(aLength, bLength, -value, -value, full, fullOfB), accepted));
    }

    private static long[] one(int length, int at, long value) {
        long[] costs = new long[length];
        costs[at] = value;
        return costs;
    }

    private static InternalRow row(int aLength, int bLength, long match, long mismatch, long[] aCosts, long[] bCosts) {
        return Values.row(
                UTF8String.fromString("abc".repeat(aLength).substring(0, aLength)),
                UTF8String.fromString("acab".repeat(bLength).substring(0, bLength)),
                match,
                mismatch,
                Values.array(aCosts),
                Values.array(bCosts));
    }
}
