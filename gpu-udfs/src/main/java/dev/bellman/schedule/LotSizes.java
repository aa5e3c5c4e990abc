package dev.bellman.schedule;

import dev.bellman.columns.Cancellation;

/**
 * Decides when to produce how much for a known demand, after Wagner and Whitin, "Dynamic version of the economic lot
 * size model" (1958).
 *
 * <pre>{@code
 * best(t) = min over s <= t of best(s - 1) + setup + holding * (sum of (i - s) * demand(i) for i from s to t)
 * }</pre>
 *
 * <p>All costs are exact: their sums fit in 64 bits, because no sum exceeds twice the cost of a single lot for the
 * whole demand.
 */
public final class LotSizes {
    /** Both strategies find the same lots. */
    public enum Strategy {
        /**
         * Uses a queue of the starts that are best for some future end. Each start is stored with the first such end,
         * which a binary search finds. This works because a later start that is better than an earlier one remains
         * better. The method is by Galil and Giancarlo, "Speeding up dynamic programming with applications to molecular
         * biology" (1989).
         */
        AUTO,
        /** Tries every start. */
        SERIAL
    }

    private final long setup;
    private final long holding;
    private final long[] demands;
    /** Prefix sums of the demand times the period. */
    private final long[] moments;

    private final long[] best;
    private final int[] starts;
    private final Cancellation cancellation = new Cancellation();

    private LotSizes(long[] demand, long setup, long holding) {
        this.setup = setup;
        this.holding = holding;
        int count = demand.length;
        demands = new long[count + 1];
        moments = new long[count + 1];
        best = new long[count + 1];
        starts = new int[count + 1];
        for (int i = 0; i < count; i++) {
            demands[i + 1] = demands[i] + demand[i];
            moments[i + 1] = moments[i] + i * demand[i];
        }
    }

    record Plan(long cost, long[] lots) {}

    /**
     * Returns the best plan. Ties: the last lot is as early as possible, then the lot before it, and so on. Lots
     * without demand are omitted.
     */
    static Plan of(long[] demand, long setup, long holding, Strategy strategy) {
        LotSizes sizes = new LotSizes(demand, setup, holding);
        if (strategy == Strategy.SERIAL) {
            sizes.tryAll(demand);
        } else {
            sizes.queue(demand);
        }
        long[] lots = new long[demand.length];
        for (int end = demand.length; end > 0; end = sizes.starts[end]) {
            int start = sizes.starts[end];
            if (demand[end - 1] > 0 || start < end - 1) {
                lots[start] = sizes.demands[end] - sizes.demands[start];
            }
        }
        return new Plan(sizes.best[demand.length], lots);
    }

    /** Returns the cost of all periods before an end if the last lot is in period {@code start}, counted from 0. */
    private long cost(int start, int end) {
        return best[start]
                + setup
                + holding * (moments[end] - moments[start] - start * (demands[end] - demands[start]));
    }

    /**
     * Whether the last period before {@code end} has no demand; if so, records that the best plan for the previous
     * periods remains the best.
     */
    private boolean isIdle(int end, long... demand) {
        if (demand[end - 1] == 0) {
            best[end] = best[end - 1];
            starts[end] = end - 1;
            return true;
        }
        return false;
    }

    private void tryAll(long... demand) {
        for (int end = 1; end <= demand.length; end++) {
            if (isIdle(end, demand)) {
                continue;
            }
            cancellation.count(end);
            best[end] = Long.MAX_VALUE;
            for (int start = 0; start < end; start++) {
                if (cost(start, end) < best[end]) {
                    best[end] = cost(start, end);
                    starts[end] = start;
                }
            }
        }
    }

    private void queue(long... demand) {
        int count = demand.length;
        int[] queue = new int[count];
        // for each start in the queue, the first end for which it is the best
        int[] from = new int[count];
        int head = 0;
        int tail = 0;
        for (int end = 1; end <= count; end++) {
            cancellation.count(32);
            int start = end - 1;
            while (tail > head && isBetter(start, queue[tail - 1], Math.max(end, from[tail - 1]))) {
                tail--;
            }
            int first = tail == head ? end : firstBetter(queue[tail - 1], start, Math.max(end, from[tail - 1]), count);
            if (first <= count) {
                queue[tail] = start;
                from[tail] = first;
                tail++;
            }
            while (tail > head + 1 && from[head + 1] <= end) {
                head++;
            }
            if (!isIdle(end, demand)) {
                best[end] = cost(queue[head], end);
                starts[end] = queue[head];
            }
        }
    }

    private boolean isBetter(int start, int other, int end) {
        return cost(start, end) < cost(other, end);
    }

    /**
     * Returns the first end, starting at {@code least}, for which a later start costs less; a number beyond {@code
     * most} if there is no such end.
     */
    private int firstBetter(int start, int later, int least, int most) {
        int low = least;
        int high = most + 1;
        while (low < high) {
            int middle = low + high >>> 1;
            if (isBetter(later, start, middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
