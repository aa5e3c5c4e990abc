package dev.bellman.segment;

import static dev.bellman.segment.PrefixSums.lost;

import java.util.Arrays;

/**
 * Finds the value with any rank in any range of a series, and the sum of the values that precede it in sorted order, in
 * one step per bit of a rank.
 *
 * <p>The tree is a wavelet matrix (Claude, Navarro and Ordonez, "The wavelet matrix", 2015). Each level stably sorts
 * the previous level's series by one bit of the values' ranks, with 0 before 1, and stores prefix counts and prefix
 * sums of the values whose bit is 0.
 */
final class RankTree {
    private final double[] sorted;
    /** The number of values whose bit is 0, for each level and prefix. */
    private final int[][] zeros;
    /** The prefix sums of the values whose bit is 0, for each level. */
    private final PrefixSums[] sums;

    double value;
    /** The sum of the range's values that precede {@link #value} in sorted order, as a pair of doubles. */
    double sum;

    double sumLow;

    RankTree(double... values) {
        int count = values.length;
        int[] order = sortedPlaces(values);
        int[] ranks = new int[count];
        sorted = new double[count];
        for (int rank = 0; rank < count; rank++) {
            ranks[order[rank]] = rank;
            sorted[rank] = values[order[rank]];
        }
        int levels = levels(count);
        zeros = new int[levels][];
        sums = new PrefixSums[levels];
        int[] next = new int[count];
        for (int level = 0; level < levels; level++) {
            int bit = levels - 1 - level;
            zeros[level] = new int[count + 1];
            double[] terms = new double[count];
            int left = 0;
            for (int i = 0; i < count; i++) {
                boolean isZero = (ranks[i] >> bit & 1) == 0;
                terms[i] = isZero ? sorted[ranks[i]] : 0;
                if (isZero) {
                    next[left++] = ranks[i];
                }
                zeros[level][i + 1] = left;
            }
            for (int i = 0; i < count; i++) {
                if ((ranks[i] >> bit & 1) == 1) {
                    next[left++] = ranks[i];
                }
            }
            sums[level] = PrefixSums.of(terms);
            int[] free = ranks;
            ranks = next;
            next = free;
        }
    }

    /** Returns the number of bits of a rank among the given number of values. */
    static int levels(int count) {
        return 32 - Integer.numberOfLeadingZeros(Math.max(0, count - 1));
    }

    /** Returns the positions of the values in ascending order of value; equal values stay in their original order. */
    private static int[] sortedPlaces(double... values) {
        Integer[] places = new Integer[values.length];
        Arrays.setAll(places, i -> i);
        Arrays.sort(places, (a, b) -> Double.compare(values[a], values[b]));
        return Arrays.stream(places).mapToInt(Integer::intValue).toArray();
    }

    /**
     * Finds the value of rank {@code before} in a range: the value that exactly {@code before} other values precede in
     * ascending order. {@code to} is exclusive.
     */
    void select(int from, int to, int before) {
        int first = from;
        int end = to;
        int left = before;
        int rank = 0;
        double high = 0;
        double low = 0;
        for (int level = 0; level < zeros.length; level++) {
            int[] counts = zeros[level];
            int firstZero = counts[first];
            int endZero = counts[end];
            rank <<= 1;
            if (left < endZero - firstZero) {
                first = firstZero;
                end = endZero;
            } else {
                double part = sums[level].between(first, end);
                double total = high + part;
                low += lost(high, part, total) + sums[level].lostBetween(first, end);
                high = total;
                left -= endZero - firstZero;
                int all = counts[counts.length - 1];
                first += all - firstZero;
                end += all - endZero;
                rank |= 1;
            }
        }
        value = sorted[rank];
        sum = high;
        sumLow = low;
    }
}
