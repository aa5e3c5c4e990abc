package dev.bellman.align.score;

import dev.bellman.align.Backtrace;
import dev.bellman.align.scoring.GapCosts;
import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * Computes, row by row, the table of Gotoh, "An improved algorithm for matching biological sequences" (1982). Cell
 * {@code (i, j)} has three values, all for alignments that end after the first i letters of {@code a} and the first j
 * letters of {@code b}: the best score of those that end in a gap against {@code a}, the best score of those that end
 * in a gap against {@code b}, and the best score overall.
 *
 * <pre>
 * insert(i, j) = max(best(i - 1, j) - open, insert(i - 1, j) - extend)
 * delete(i, j) = max(best(i, j - 1) - open, delete(i, j - 1) - extend)
 * best(i, j)   = max(best(i - 1, j - 1) + score(a[i], b[j]), insert(i, j), delete(i, j))    local: and 0
 * </pre>
 *
 * <p>If gap costs have two pieces, {@code insert} and {@code delete} have a value for the costs of each piece, and
 * {@code best} is the maximum of all of them, as in Gotoh, "Optimal sequence alignment allowing for long gaps" (1990).
 *
 * <p>The canonical alignment is traced back from its end. Among tied ends, the end after the fewest letters of
 * {@code a} is used, and among those, the end after the fewest letters of {@code b}.
 */
final class GotohTable {
    /** A number below all values, but far enough from the limit that no sum overflows. */
    private static final long NONE = Long.MIN_VALUE / 4;

    /**
     * The maximum number of cells in a part of the table whose traceback is stored; larger parts are divided into
     * {@code PARTS} parts.
     */
    static final long MAX_KEPT = 1L << 26;

    private static final int PARTS = 8;

    /**
     * The maximum number of cells in a table whose traceback is stored during scoring; for larger tables, the traceback
     * is recomputed.
     */
    private static final long MAX_KEPT_AT_ONCE = 1L << 20;

    /** The number of rows between checks of whether the required score is still within reach. */
    private static final int LOOK_ROWS = 256;

    private final int[] a;
    private final int[] b;
    private final AlignmentMode mode;
    private final Scoring scoring;
    private final boolean hasTwoPieces;
    private final int[] columns;
    private final long largest;

    /** The best values of row {@code row}. */
    private final long[] best;

    /** The best values of alignments that end in a gap against {@code a}. */
    private final long[] insert;

    /** The values of {@code insert} for the second piece of gap costs; null if they have one piece. */
    private final long[] insert2;

    private final Cancellation cancellation = new Cancellation();
    private int row;

    /** The traceback of all rows; null if it is not stored. */
    private byte[] kept;

    private long score = NONE;
    private int endA;
    private int endB;

    GotohTable(int[] a, int[] b, AlignmentMode mode, Scoring scoring) {
        this.a = a;
        this.b = b;
        this.mode = mode;
        this.scoring = scoring;
        hasTwoPieces = scoring.hasTwoPieces();
        take((Integer.BYTES + (long) arrays() * Long.BYTES) * b.length, 1, b.length);
        columns = new int[b.length];
        for (int j = 0; j < b.length; j++) {
            columns[j] = scoring.compares() ? b[j] : scoring.column(b[j]);
        }
        largest = Math.max(0, scoring.largest());
        best = new long[b.length + 1];
        insert = new long[b.length + 1];
        insert2 = hasTwoPieces ? new long[b.length + 1] : null;
        firstRow();
    }

    /** Returns the number of arrays that contain the values of a row. */
    private int arrays() {
        return hasTwoPieces ? 3 : 2;
    }

    private static void take(long bytes, long rows, long width) {
        TaskMemory.take(bytes, () -> "a table for %,d by %,d letters".formatted(rows, width));
    }

    private void firstRow() {
        for (int j = 0; j <= b.length; j++) {
            best[j] = mode.firstRowFree ? 0 : -scoring.delete().of(j);
            insert[j] = NONE;
        }
        if (hasTwoPieces) {
            Arrays.fill(insert2, NONE);
        }
    }

    /**
     * Returns the best score.
     *
     * @param least the smallest score of interest
     * @return the best score, or any score below {@code least} if no alignment reaches {@code least}
     */
    long score(long least) {
        return score(least, 0);
    }

    /** Returns the best score, and also stores the traceback of a small table for {@link #walk}. */
    long scoreToWalk(long least) {
        return score(least, MAX_KEPT_AT_ONCE);
    }

    private long score(long least, long mostKept) {
        if (largest * Math.min(a.length, b.length) < least) {
            return NONE;
        }
        int width = b.length + 1;
        if ((long) a.length * width <= mostKept) {
            kept = new byte[a.length * width];
        }
        end();
        while (row < a.length) {
            next(b.length, kept, row * width);
            end();
            if (row % LOOK_ROWS == 0 && bound() < least) {
                return NONE;
            }
        }
        return score;
    }

    /** Checks whether the best alignment ends in this row. Ties: the first such end. */
    private void end() {
        switch (mode) {
            case LOCAL -> {
                for (int j = 0; j <= b.length; j++) {
                    endAt(j);
                }
            }
            case GLOBAL, FIT_B_IN_A -> {
                if (mode.mayEnd(row, b.length, a.length, b.length)) {
                    endAt(b.length);
                }
            }
            case FIT_A_IN_B, OVERLAP -> {
                if (row == a.length) {
                    for (int j = 0; j < b.length; j++) {
                        if (mode.mayEnd(row, j, a.length, b.length)) {
                            endAt(j);
                        }
                    }
                }
                if (mode.mayEnd(row, b.length, a.length, b.length)) {
                    endAt(b.length);
                }
            }
        }
    }

    private void endAt(int j) {
        if (best[j] > score) {
            score = best[j];
            endA = row;
            endB = j;
        }
    }

    /** Returns an upper bound on the scores of alignments that have ended or will end later. */
    private long bound() {
        long bound = score;
        int left = a.length - row;
        for (int j = 0; j <= b.length; j++) {
            bound = Math.max(bound, best[j] + largest * Math.min(left, b.length - j));
        }
        return mode.firstColumnFree ? Math.max(bound, largest * Math.min(left, b.length)) : bound;
    }

    /**
     * Advances by one row, in the columns up to {@code last}.
     *
     * @param ways receives the traceback, starting at {@code place}; may be null
     */
    private void next(int last, byte[] ways, int place) {
        if (hasTwoPieces) {
            nextRowOfTwo(last, ways, place);
        } else {
            nextRow(last, ways, place);
        }
    }

    private void nextRow(int last, byte[] ways, int place) {
        cancellation.count(last);
        int letter = a[row];
        int[] scores = scoring.compares() ? null : scoring.table()[scoring.column(letter)];
        row++;
        GapCosts insertion = scoring.insert();
        GapCosts deletion = scoring.delete();
        boolean local = mode == AlignmentMode.LOCAL;
        long diagonal = best[0];
        best[0] = mode.firstColumnFree ? 0 : -insertion.of(row);
        insert[0] = mode.firstColumnFree ? NONE : best[0];
        long left = best[0];
        long delete = NONE;
        for (int j = 1; j <= last; j++) {
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
        long diagonal = best[0];
        best[0] = mode.firstColumnFree ? 0 : -insertion.of(row);
        long left = best[0];
        long delete = NONE;
        long delete2 = NONE;
        for (int j = 1; j <= last; j++) {
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

    /** Returns the row where the alignment with the best score ends, as found by {@link #score}. */
    int endA() {
        return endA;
    }

    int endB() {
        return endB;
    }

    /**
     * Follows the canonical traceback from its end.
     *
     * @param mostKept {@link #MAX_KEPT}, or less in tests
     */
    Walk walk(Backtrace.Steps steps, long mostKept) {
        Walk walk = new Walk(a, b, mode, hasTwoPieces, steps, endA, endB);
        if (kept != null) {
            walk.go(0, ways(kept, 0, b.length + 1));
        } else {
            row = 0;
            firstRow();
            part(endA, walk, mostKept);
            walk.go(0, null);
        }
        return walk;
    }

    private static Walk.Ways ways(byte[] kept, int from, int width) {
        return (i, j) -> kept[(i - from - 1) * width + j];
    }

    /**
     * Traces back from row {@code to}, which the walk has reached, to row {@link #row}, whose values are available.
     * Overwrites these values.
     */
    private void part(int to, Walk walk, long mostKept) {
        int from = row;
        long rows = to - from;
        if (rows == 0 || walk.hasEnded()) {
            return;
        }
        int columnsLeft = walk.beginB();
        int width = columnsLeft + 1;
        if (rows * width <= mostKept || rows == 1) {
            take(rows * width, rows, width);
            byte[] ways = new byte[Math.toIntExact(rows * width)];
            while (row < to) {
                next(columnsLeft, ways, (row - from) * width);
            }
            walk.go(from, ways(ways, from, width));
            TaskMemory.release(rows * width);
            return;
        }
        int parts = (int) Math.min(PARTS, rows);
        long bytes = (long) arrays() * Long.BYTES * width * parts;
        take(bytes, rows, width);
        int[] starts = new int[parts + 1];
        long[][] bests = new long[parts][];
        long[][] inserts = new long[parts][];
        long[][] inserts2 = new long[parts][];
        for (int part = 0; part <= parts; part++) {
            starts[part] = (int) (from + rows * part / parts);
        }
        for (int part = 0; part < parts; part++) {
            while (row < starts[part]) {
                next(columnsLeft, null, 0);
            }
            bests[part] = Arrays.copyOf(best, width);
            inserts[part] = Arrays.copyOf(insert, width);
            inserts2[part] = hasTwoPieces ? Arrays.copyOf(insert2, width) : null;
        }
        for (int part = parts - 1; part >= 0 && !walk.hasEnded(); part--) {
            System.arraycopy(bests[part], 0, best, 0, walk.beginB() + 1);
            System.arraycopy(inserts[part], 0, insert, 0, walk.beginB() + 1);
            if (hasTwoPieces) {
                System.arraycopy(inserts2[part], 0, insert2, 0, walk.beginB() + 1);
            }
            row = starts[part];
            part(starts[part + 1], walk, mostKept);
        }
        TaskMemory.release(bytes);
    }
}
