package dev.bellman.segment;

import java.util.Arrays;

/**
 * The possible starts of a prefix's last segment, in ascending order. The data that segment costs need for each start
 * is copied into contiguous arrays, so that loops over the starts compile to vector instructions.
 */
final class Candidates {
    private static final int FIRST_SIZE = 64;

    /** The arrays from which {@link #columns} are copied, with an entry for each position in the series. */
    private final double[][] sources;

    int count;
    int[] starts = new int[FIRST_SIZE];
    /** The cost of all segments before each start. */
    double[] before = new double[FIRST_SIZE];

    double[][] columns;

    Candidates(double[][] sources) {
        this.sources = sources;
        columns = new double[sources.length][FIRST_SIZE];
    }

    void add(int start, double cost) {
        if (count == starts.length) {
            int size = 2 * count;
            starts = Arrays.copyOf(starts, size);
            before = Arrays.copyOf(before, size);
            for (int c = 0; c < columns.length; c++) {
                columns[c] = Arrays.copyOf(columns[c], size);
            }
        }
        starts[count] = start;
        before[count] = cost;
        for (int c = 0; c < columns.length; c++) {
            columns[c][count] = sources[c][start];
        }
        count++;
    }
}
