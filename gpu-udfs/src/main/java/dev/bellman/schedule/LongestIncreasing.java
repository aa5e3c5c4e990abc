package dev.bellman.schedule;

import dev.bellman.columns.Cancellation;

/** Finds the longest strictly increasing subsequence of a series. */
public final class LongestIncreasing {
    /** Both strategies find the same subsequence. */
    public enum Strategy {
        /**
         * For each value, finds the length of the longest subsequence that ends there, after Schensted, "Longest
         * increasing and decreasing subsequences" (1961). A binary search finds this length in an array that contains,
         * for each length, the smallest last value of a subsequence of that length.
         */
        AUTO,
        /** Searches the smallest last values one by one, starting with the shortest subsequences. */
        SERIAL
    }

    /** Compares the values at two positions. */
    @FunctionalInterface
    interface Order {
        boolean isLess(int place, int other);
    }

    private LongestIncreasing() {}

    /**
     * Returns the positions of the subsequence's values. Ties: the last value is at the last possible position, then
     * the value before it, and so on.
     */
    static int[] of(int count, Order order, Strategy strategy) {
        // indexed by length minus 1: the last position of the subsequence of that length that ends with the smallest
        // value
        int[] ends = new int[count];
        int[] before = new int[count];
        int longest = 0;
        Cancellation cancellation = new Cancellation();
        for (int place = 0; place < count; place++) {
            cancellation.count(strategy == Strategy.SERIAL ? longest + 1L : 32);
            int length = strategy == Strategy.SERIAL
                    ? firstOf(ends, longest, place, order)
                    : search(ends, longest, place, order);
            before[place] = length == 0 ? -1 : ends[length - 1];
            ends[length] = place;
            longest = Math.max(longest, length + 1);
        }
        int[] places = new int[longest];
        int place = longest == 0 ? -1 : ends[longest - 1];
        for (int i = longest - 1; i >= 0; i--) {
            places[i] = place;
            place = before[place];
        }
        return places;
    }

    private static int search(int[] ends, int lengths, int place, Order order) {
        int low = 0;
        int high = lengths;
        while (low < high) {
            int middle = low + high >>> 1;
            if (order.isLess(ends[middle], place)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static int firstOf(int[] ends, int lengths, int place, Order order) {
        int length = 0;
        while (length < lengths && order.isLess(ends[length], place)) {
            length++;
        }
        return length;
    }
}
