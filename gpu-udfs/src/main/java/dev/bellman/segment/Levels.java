package dev.bellman.segment;

import java.util.Arrays;

/**
 * The possible starts of a prefix's last segment, in ascending order, with the levels at which each start may be the
 * best one. {@link LevelSearch} explains the levels.
 */
final class Levels {
    private static final int FIRST_SIZE = 64;

    int count;
    double[] starts = new double[FIRST_SIZE];
    /** The cost of all segments before each start, minus the sum of the squares of their values. */
    double[] keys = new double[FIRST_SIZE];

    /** The sum of the values before each start. */
    private double[] sums = new double[FIRST_SIZE];

    /** The reciprocal of the number of values from each start to the current end. */
    private double[] inverses = new double[FIRST_SIZE];

    private double[] from = new double[FIRST_SIZE];
    private double[] to = new double[FIRST_SIZE];
    private double[] holeFrom = new double[FIRST_SIZE];
    private double[] holeTo = new double[FIRST_SIZE];

    /** For each start, the first end for which the start is no longer needed. */
    private int[] until = new int[FIRST_SIZE];

    /**
     * Adds a start whose levels are between the first two numbers, but not between the last two.
     *
     * @param key the cost of all segments before the start, minus the sum of the squares of their values
     */
    void add(int start, double sum, double key, double lowest, double highest, double inHole, double outOfHole) {
        if (count == starts.length) {
            int size = 2 * count;
            starts = Arrays.copyOf(starts, size);
            keys = Arrays.copyOf(keys, size);
            sums = Arrays.copyOf(sums, size);
            from = Arrays.copyOf(from, size);
            to = Arrays.copyOf(to, size);
            holeFrom = Arrays.copyOf(holeFrom, size);
            holeTo = Arrays.copyOf(holeTo, size);
            until = Arrays.copyOf(until, size);
        }
        starts[count] = start;
        keys[count] = key;
        sums[count] = sum;
        from[count] = lowest;
        to[count] = highest;
        holeFrom[count] = inHole;
        holeTo[count] = outOfHole;
        until[count] = Integer.MAX_VALUE;
        count++;
    }

    /**
     * Sets {@code costs} to the approximate cost of the current prefix for each start, minus the sum of the squares of
     * its values.
     */
    void approximate(double end, double sum, double[] costs) {
        if (inverses.length < count) {
            inverses = new double[starts.length];
        }
        approximate(count, starts, sums, keys, end, sum, inverses, costs);
    }

    // the compiler vectorizes this loop only if the arrays are parameters
    private static void approximate(
            int count,
            double[] starts,
            double[] sums,
            double[] keys,
            double end,
            double sum,
            double[] inverses,
            double[] costs) {
        for (int i = 0; i < count; i++) {
            double near = sum - sums[i];
            double inverse = 1 / (end - starts[i]);
            inverses[i] = inverse;
            costs[i] = keys[i] - near * near * inverse;
        }
    }

    /**
     * Sets {@code below} and {@code above} to the bounds of the levels at which each start is better than {@code end},
     * or to NaN if there are no such levels.
     *
     * @param limit the cost of all segments before {@code end}, minus the sum of the squares of their values
     */
    void compare(double sum, double[] costs, double limit, double[] below, double[] above) {
        compare(count, inverses, sums, costs, sum, limit, below, above);
    }

    private static void compare(
            int count,
            double[] inverses,
            double[] sums,
            double[] costs,
            double sum,
            double limit,
            double[] below,
            double[] above) {
        for (int i = 0; i < count; i++) {
            double mean = (sum - sums[i]) * inverses[i];
            double width = Math.sqrt((limit - costs[i]) * inverses[i]);
            below[i] = mean - width;
            above[i] = mean + width;
        }
    }

    /** Removes the levels of each start that are not between two bounds. */
    void narrow(double[] below, double[] above) {
        for (int i = 0; i < count; i++) {
            from[i] = Math.max(from[i], below[i]);
            to[i] = Math.min(to[i], above[i]);
        }
    }

    /** Removes the starts without levels, as soon as segments can begin at the current end. */
    void prune(int end, int minSize) {
        int left = 0;
        for (int i = 0; i < count; i++) {
            boolean hasLevel = from[i] <= to[i] && (from[i] < holeFrom[i] || to[i] > holeTo[i]);
            if (!hasLevel) {
                until[i] = Math.min(until[i], end + minSize);
            }
            if (until[i] > end + 1) {
                if (left < i) {
                    move(i, left);
                }
                left++;
            }
        }
        count = left;
    }

    private void move(int i, int left) {
        starts[left] = starts[i];
        keys[left] = keys[i];
        sums[left] = sums[i];
        from[left] = from[i];
        to[left] = to[i];
        holeFrom[left] = holeFrom[i];
        holeTo[left] = holeTo[i];
        until[left] = until[i];
    }
}
