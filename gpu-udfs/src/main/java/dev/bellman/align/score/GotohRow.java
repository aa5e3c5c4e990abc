package dev.bellman.align.score;

import dev.bellman.align.scoring.GapCosts;
import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/** The current row of a {@link GotohTable}, which advances from row to row. Cells outside the band have no value. */
final class GotohRow {
    /** A number below all values, but far enough from the limit that no sum overflows. */
    static final long NONE = Long.MIN_VALUE / 4;

    private final int[] a;
    private final AlignmentMode mode;
    private final Scoring scoring;
    private final ExtensionLimits limits;
    private final boolean hasTwoPieces;
    private final int[] columns;

    /** The best values of row {@code row}. */
    private final long[] best;

    /** The best values of alignments that end in a gap against {@code a}. */
    private final long[] insert;

    /** The values of {@code insert} for the second piece of gap costs; null if they have one piece. */
    private final long[] insert2;

    private final Cancellation cancellation = new Cancellation();
    private int row;

    GotohRow(int[] a, int[] b, AlignmentMode mode, Scoring scoring, ExtensionLimits limits) {
        this.a = a;
        this.mode = mode;
        this.scoring = scoring;
        this.limits = limits;
        hasTwoPieces = scoring.hasTwoPieces();
        take(Integer.BYTES * b.length + bytes(b.length), 1, b.length);
        columns = new int[b.length];
        for (int j = 0; j < b.length; j++) {
            columns[j] = scoring.compares() ? b[j] : scoring.column(b[j]);
        }
        best = new long[b.length + 1];
        insert = new long[b.length + 1];
        insert2 = hasTwoPieces ? new long[b.length + 1] : null;
        firstRow();
    }

    /** Returns the number of bytes of a row with the given number of columns. */
    long bytes(int width) {
        return (hasTwoPieces ? 3L : 2L) * Long.BYTES * width;
    }

    static void take(long bytes, long rows, long width) {
        TaskMemory.take(bytes, () -> "a table for %,d by %,d letters".formatted(rows, width));
    }

    int number() {
        return row;
    }

    long best(int j) {
        return best[j];
    }

    /** Returns a copy of the values in the first {@code width} columns. */
    long[][] copy(int width) {
        return new long[][] {
            Arrays.copyOf(best, width),
            Arrays.copyOf(insert, width),
            hasTwoPieces ? Arrays.copyOf(insert2, width) : new long[0]
        };
    }

    /** Restores the values of row {@code number} in the first {@code width} columns from its {@link #copy}. */
    void restore(int number, long[][] copy, int width) {
        row = number;
        System.arraycopy(copy[0], 0, best, 0, width);
        System.arraycopy(copy[1], 0, insert, 0, width);
        if (hasTwoPieces) {
            System.arraycopy(copy[2], 0, insert2, 0, width);
        }
    }

    void firstRow() {
        row = 0;
        for (int j = 0; j < best.length; j++) {
            best[j] = j > limits.band()
                    ? NONE
                    : mode.firstRowFree ? 0 : -scoring.delete().of(j);
            insert[j] = NONE;
        }
        if (hasTwoPieces) {
            Arrays.fill(insert2, NONE);
        }
    }

    /**
     * Advances by one row, in the columns of the band up to {@code last}.
     *
     * @param ways receives the traceback bits, those of column {@code j} at {@code place + j}; may be null
     */
    void next(int last, byte[] ways, int place) {
        int to = limits.last(row + 1, last);
        if (hasTwoPieces) {
            nextRowOfTwo(to, ways, place);
        } else {
            nextRow(to, ways, place);
        }
    }

    /**
     * Returns the best value in the column before the first column of the band, and sets the value if that column is
     * column 0.
     */
    private long beforeRow(int first) {
        if (first > 1) {
            return NONE;
        }
        best[0] = row > limits.band()
                ? NONE
                : mode.firstColumnFree ? 0 : -scoring.insert().of(row);
        return best[0];
    }

    private void nextRow(int last, byte[] ways, int place) {
        cancellation.count(last);
        int letter = a[row];
        int[] scores = scoring.compares() ? null : scoring.table()[scoring.column(letter)];
        row++;
        GapCosts insertion = scoring.insert();
        GapCosts deletion = scoring.delete();
        boolean local = mode == AlignmentMode.LOCAL;
        int first = limits.first(row);
        long diagonal = best[first - 1];
        long left = beforeRow(first);
        long delete = NONE;
        for (int j = first; j <= last; j++) {
            int column = columns[j - 1];
            long matched = diagonal
                    + (scores == null ? column == letter ? scoring.match() : scoring.mismatch() : scores[column]);
            long insertOpened = best[j] - insertion.open();
            long inserted = Math.max(insertOpened, insert[j] - insertion.extend());
            long deleteOpened = left - deletion.open();
            delete = Math.max(deleteOpened, delete - deletion.extend());
            long value = Math.max(matched, Math.max(inserted, delete));
            if (local && value < 0) {
                value = 0;
            }
            if (ways != null) {
                int source = local && value == 0
                        ? Walk.BEGIN
                        : value == matched
                                ? Walk.FROM_DIAGONAL
                                : value == inserted ? Walk.FROM_INSERT : Walk.FROM_DELETE;
                ways[place + j] = (byte) (source
                        | (inserted == insertOpened ? Walk.INSERT_OPENS : 0)
                        | (delete == deleteOpened ? Walk.DELETE_OPENS : 0));
            }
            diagonal = best[j];
            best[j] = value;
            insert[j] = inserted;
            left = value;
        }
    }

    /** Does the same as {@link #nextRow} for gap costs with two pieces. */
    private void nextRowOfTwo(int last, byte[] ways, int place) {
        cancellation.count(last);
        int letter = a[row];
        int[] scores = scoring.compares() ? null : scoring.table()[scoring.column(letter)];
        row++;
        GapCosts insertion = scoring.insert();
        GapCosts deletion = scoring.delete();
        boolean local = mode == AlignmentMode.LOCAL;
        int first = limits.first(row);
        long diagonal = best[first - 1];
        long left = beforeRow(first);
        long delete = NONE;
        long delete2 = NONE;
        for (int j = first; j <= last; j++) {
            int column = columns[j - 1];
            long matched = diagonal
                    + (scores == null ? column == letter ? scoring.match() : scoring.mismatch() : scores[column]);
            long up = best[j];
            insert[j] = Math.max(up - insertion.open(), insert[j] - insertion.extend());
            insert2[j] = Math.max(up - insertion.open2(), insert2[j] - insertion.extend2());
            delete = Math.max(left - deletion.open(), delete - deletion.extend());
            delete2 = Math.max(left - deletion.open2(), delete2 - deletion.extend2());
            long inserted = Math.max(insert[j], insert2[j]);
            long value = Math.max(matched, Math.max(inserted, Math.max(delete, delete2)));
            if (local && value < 0) {
                value = 0;
            }
            if (ways != null) {
                boolean inserts = value == inserted;
                int source = local && value == 0
                        ? Walk.BEGIN
                        : value == matched ? Walk.FROM_DIAGONAL : inserts ? Walk.FROM_INSERT : Walk.FROM_DELETE;
                ways[place + j] = (byte) (source
                        | (value == (inserts ? insert[j] : delete) ? Walk.FIRST_PIECE : 0)
                        | (value == (inserts ? insert2[j] : delete2) ? Walk.SECOND_PIECE : 0)
                        | (insert[j] == up - insertion.open() ? Walk.INSERT_OPENS : 0)
                        | (insert2[j] == up - insertion.open2() ? Walk.INSERT_OPENS_2 : 0)
                        | (delete == left - deletion.open() ? Walk.DELETE_OPENS : 0)
                        | (delete2 == left - deletion.open2() ? Walk.DELETE_OPENS_2 : 0));
            }
            diagonal = up;
            best[j] = value;
            left = value;
        }
    }
}
