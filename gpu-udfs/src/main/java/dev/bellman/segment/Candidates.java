package dev.bellman.segment;

import java.util.Arrays;

/**
 * The possible starts of a prefix's last segment, in ascending order. The data that segment costs need for each start
 * is copied into contiguous arrays, so that loops over the starts compile to vector instructions.
 */
final class Candidates {
    private static final int NEVER = Integer.MAX_VALUE;
    private static final int FIRST_SIZE = 64;

    /** The arrays from which {@link #columns} are copied, with an entry for each position in the series. */
    private final double[][] sources;

    int count;
    int[] starts = new int[FIRST_SIZE];
    /** The cost of all segments before each start. */
    double[] before = new double[FIRST_SIZE];

    double[][] columns;
    /** For each start, the first end for which the start is no longer needed. */
    private int[] until = new int[FIRST_SIZE];

    Candidates(double[][] sources) {
        this.sources = sources;
        columns = new double[sources.length][FIRST_SIZE];
    }

    void add(int start, double cost) {
        if (count == starts.length) {
            int size = 2 * count;
            starts = Arrays.copyOf(starts, size);
            before = Arrays.copyOf(before, size);
            until = Arrays.copyOf(until, size);
            for (int c = 0; c < columns.length; c++) {
                columns[c] = Arrays.copyOf(columns[c], size);
            }
        }
        starts[count] = start;
        before[count] = cost;
        until[count] = NEVER;
        for (int c = 0; c < columns.length; c++) {
            columns[c][count] = sources[c][start];
        }
        count++;
    }

    /**
     * Removes the starts that longer prefixes do not need.
     *
     * @param end the end of the current prefix
     * @param costs for each start, the cost of the current prefix if its last segment begins there
     * @param limit the cost limit; starts with a larger cost are not needed for ends of at least {@code from}
     */
    void prune(int end, double[] costs, double limit, int from) {
        int left = 0;
        for (int i = 0; i < count; i++) {
            if (costs[i] > limit) {
                until[i] = Math.min(until[i], from);
            }
            if (until[i] > end + 1) {
                starts[left] = starts[i];
                before[left] = before[i];
                until[left] = until[i];
                for (double[] column : columns) {
                    column[left] = column[i];
                }
                left++;
            }
        }
        count = left;
    }
}
