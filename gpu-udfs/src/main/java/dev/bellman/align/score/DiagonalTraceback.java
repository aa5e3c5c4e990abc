package dev.bellman.align.score;

import dev.bellman.align.scoring.Scoring;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The traceback of a {@link DiagonalTable}, with the bits of {@link Walk}. Row {@code i} of diagonal {@code d} is in
 * word {@code i - firstRow(d)} of group {@code d >> wordShift}, starting at bit {@code bit(d)}.
 *
 * <p>A large traceback is divided into segments, one of which is stored at a time. While the table is solved, the
 * values at the beginning of each segment are saved. The walk then computes the segments that it enters again, from the
 * last to the first.
 */
final class DiagonalTraceback {
    /** The diagonals of a table. */
    interface Diagonals {
        /** Returns the arrays with the values that the next diagonal needs. They have an entry for each row. */
        int[][] values();

        /** Computes the diagonals from {@code from} to {@code to} again. */
        void repeat(int from, int to);
    }

    /** The values before a segment in the rows that its first diagonal reads, starting at row {@code row}. */
    private record Checkpoint(int row, int[][] values) {}

    private final int stride;
    private final int wordShift;
    private final int bLength;
    private final int band;
    private final boolean isDivided;
    /** The number of diagonals in a segment. */
    private final int segment;

    private final List<Checkpoint> checkpoints = new ArrayList<>();
    /** The traceback of the segment that begins at diagonal {@link #start}; null if none is stored. */
    private int[] ways;

    private int start;

    /** @param mostWords the maximum number of words to store at a time; 0 if no traceback is needed */
    DiagonalTraceback(DiagonalTable table, int aLength, int bLength, Scoring scoring, int band, int mostWords) {
        long words = table.words(aLength, bLength, scoring, band);
        stride = table.stride(aLength, bLength, band);
        wordShift = DiagonalTable.wordShift(scoring);
        this.bLength = bLength;
        this.band = band;
        isDivided = mostWords > 0 && words > mostWords;
        segment = groups(mostWords, stride) << wordShift;
        start = isDivided ? Integer.MAX_VALUE : 0;
        ways = mostWords == 0 || isDivided ? null : new int[(int) words];
    }

    /** Returns the number of groups of diagonals in a segment. */
    static int groups(int mostWords, int stride) {
        return Math.max(1, mostWords / stride);
    }

    /** Returns the words to which the traceback bits are added; null if these are not needed now. */
    int[] ways() {
        return ways;
    }

    /** Returns where row 0 of diagonal {@code d} would be in {@link #ways}. */
    int place(int d) {
        return (d - start >> wordShift) * stride - firstRow(d);
    }

    /** Returns the first row that has a word for diagonal {@code d}. */
    private int firstRow(int d) {
        int first = d >> wordShift << wordShift;
        return Math.max(0, Math.max(first - bLength, first - band + 1 >> 1));
    }

    /** Returns the position of the traceback bits of diagonal {@code d} in their words. */
    int bit(int d) {
        return (d & (1 << wordShift) - 1) << 5 - wordShift;
    }

    /** Saves the values that diagonal {@code d} needs in rows {@code first} to {@code last} if it begins a segment. */
    void enter(int d, int first, int last, Diagonals diagonals) {
        if (isDivided && (checkpoints.isEmpty() || d % segment == 0)) {
            int[][] values = diagonals.values();
            int[][] copies = new int[values.length][];
            for (int k = 0; k < values.length; k++) {
                copies[k] = Arrays.copyOfRange(values[k], first - 1, last + 2);
            }
            checkpoints.add(new Checkpoint(first - 1, copies));
        }
    }

    /** Returns the traceback bits of a cell; calls must not return to a later segment. Higher bits are undefined. */
    int at(int i, int j, Diagonals diagonals) {
        int d = i + j;
        if (d < start) {
            repeat(d, diagonals);
        }
        return ways[place(d) + i] >>> bit(d);
    }

    /** Computes the segment of diagonal {@code last} again, up to this diagonal. */
    private void repeat(int last, Diagonals diagonals) {
        Checkpoint checkpoint = checkpoints.get(last / segment);
        start = last / segment * segment;
        if (ways == null) {
            ways = new int[(segment >> wordShift) * stride];
        } else {
            Arrays.fill(ways, 0);
        }
        int[][] values = diagonals.values();
        for (int k = 0; k < values.length; k++) {
            int[] copy = checkpoint.values()[k];
            System.arraycopy(copy, 0, values[k], checkpoint.row(), copy.length);
        }
        diagonals.repeat(Math.max(2, start), last);
    }
}
