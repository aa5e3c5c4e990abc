package dev.bellman.schedule;

import dev.bellman.columns.Cancellation;
import java.util.Arrays;

/**
 * Selects intervals of maximum total weight such that no two overlap. With the intervals sorted by their ends, the
 * recurrence is
 *
 * <pre>{@code
 * best(i) = max(best(i - 1), best(the number of intervals that end by the start of i) + weight(i))
 * }</pre>
 */
public final class IntervalSchedule {
    /** Both strategies choose the same intervals. */
    public enum Strategy {
        /**
         * Uses a binary search to count the intervals that end by the start of another interval (Kleinberg and Tardos,
         * 2005, section 6.1).
         */
        AUTO,
        /** Counts the intervals that end by the start of another interval one by one. */
        SERIAL
    }

    private IntervalSchedule() {}

    /**
     * The total weight of the selected intervals, and their positions in the input. Both the additions and the
     * positions are in the order of the intervals' ends.
     *
     * @param sum the total weight if the weights are integers; otherwise, {@code real} is the total weight
     */
    record Plan(long sum, double real, int[] items) {}

    /**
     * Returns the best plan. From the last interval to the first, an interval is omitted if any best plan omits it.
     *
     * @param intervals the intervals, sorted by ends, then starts, then positions
     */
    static Plan of(Intervals intervals, Strategy strategy) {
        int count = intervals.count();
        int[] before = new int[count];
        Cancellation cancellation = new Cancellation();
        for (int i = 0; i < count; i++) {
            before[i] = strategy == Strategy.SERIAL ? countBefore(intervals, i) : intervals.search(i);
            cancellation.count(strategy == Strategy.SERIAL ? 1L + before[i] : 1);
        }
        long[] sums = new long[count + 1];
        double[] reals = new double[count + 1];
        boolean[] taken = new boolean[count];
        for (int i = 0; i < count; i++) {
            if (intervals.isReal()) {
                double sum = reals[before[i]] + intervals.real(i);
                taken[i] = sum > reals[i];
                reals[i + 1] = taken[i] ? sum : reals[i];
            } else {
                long sum = intervals.add(sums[before[i]], intervals.integer(i));
                taken[i] = sum > sums[i];
                sums[i + 1] = taken[i] ? sum : sums[i];
            }
        }
        int[] items = new int[count];
        int left = count;
        for (int i = count - 1; i >= 0; ) {
            if (taken[i]) {
                items[--left] = intervals.place(i);
                i = before[i] - 1;
            } else {
                i--;
            }
        }
        return new Plan(sums[count], reals[count], Arrays.copyOfRange(items, left, count));
    }

    private static int countBefore(Intervals intervals, int of) {
        int count = 0;
        while (intervals.endsBefore(count, of)) {
            count++;
        }
        return count;
    }
}
