package dev.bellman.align.score;

import dev.bellman.align.Backtrace;
import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.TaskMemory;

/**
 * Computes, row by row, the table of Gotoh, "An improved algorithm for matching biological sequences" (1982). Cell
 * {@code (i, j)} has three values for the alignments that end after the first i letters of {@code a} and the first j
 * letters of {@code b}. {@code insert} is the best score of an alignment that ends in a gap against {@code a}, {@code
 * delete} is the best score of an alignment that ends in a gap against {@code b}, and {@code best} is the best score of
 * any alignment.
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
    private final ExtensionLimits limits;
    private final long largest;
    private final GotohRow row;

    /** The traceback of all rows; null if it is not stored. */
    private byte[] kept;

    private long score = GotohRow.NONE;
    private int endA;
    private int endB;

    /** @param limits the limits of an extension; {@link ExtensionLimits#UNLIMITED} for other modes */
    GotohTable(int[] a, int[] b, AlignmentMode mode, Scoring scoring, ExtensionLimits limits) {
        this.a = a;
        this.b = b;
        this.mode = mode;
        this.scoring = scoring;
        this.limits = limits;
        largest = Math.max(0, scoring.largest());
        row = new GotohRow(a, b, mode, scoring, limits);
    }

    /** Returns the best score, or any score below {@code least} if no alignment reaches {@code least}. */
    long score(long least) {
        return score(least, 0);
    }

    /** Like {@link #score(long)}, but also stores the traceback of a small table for {@link #walk}. */
    long scoreToWalk(long least) {
        return score(least, MAX_KEPT_AT_ONCE);
    }

    private long score(long least, long mostKept) {
        if (largest * Math.min(a.length, b.length) < least) {
            return GotohRow.NONE;
        }
        int width = b.length + 1;
        if ((long) a.length * width <= mostKept) {
            kept = new byte[a.length * width];
        }
        if (mode == AlignmentMode.EXTENSION) {
            extend(width);
            return score;
        }
        end();
        while (row.number() < a.length) {
            row.next(b.length, kept, row.number() * width);
            end();
            if (row.number() % LOOK_ROWS == 0 && bound() < least) {
                return GotohRow.NONE;
            }
        }
        return score;
    }

    /** Computes rows for as long as the extension continues. */
    private void extend(int width) {
        ExtensionEnd end = new ExtensionEnd(limits, scoring);
        boolean goesOn = true;
        while (goesOn && row.number() < a.length) {
            row.next(b.length, kept, row.number() * width);
            int first = limits.first(row.number());
            int last = limits.last(row.number(), b.length);
            int at = first;
            for (int j = first + 1; j <= last; j++) {
                at = row.best(j) > row.best(at) ? j : at;
            }
            goesOn = first <= last && end.goesOn(row.number(), at, row.best(at));
        }
        score = end.score();
        endA = end.endA();
        endB = end.endB();
    }

    /** Checks whether the best alignment so far ends in the current row. Ties: the first such end. */
    private void end() {
        switch (mode) {
            case LOCAL -> {
                for (int j = 0; j <= b.length; j++) {
                    endAt(j);
                }
            }
            case GLOBAL, FIT_B_IN_A -> {
                if (mode.mayEnd(row.number(), b.length, a.length, b.length)) {
                    endAt(b.length);
                }
            }
            case EXTENSION -> {}
            case FIT_A_IN_B, OVERLAP -> {
                if (row.number() == a.length) {
                    for (int j = 0; j < b.length; j++) {
                        if (mode.mayEnd(row.number(), j, a.length, b.length)) {
                            endAt(j);
                        }
                    }
                }
                if (mode.mayEnd(row.number(), b.length, a.length, b.length)) {
                    endAt(b.length);
                }
            }
        }
    }

    private void endAt(int j) {
        if (row.best(j) > score) {
            score = row.best(j);
            endA = row.number();
            endB = j;
        }
    }

    /** Returns an upper bound on the scores of alignments that have ended or will end later. */
    private long bound() {
        long bound = score;
        int left = a.length - row.number();
        for (int j = 0; j <= b.length; j++) {
            bound = Math.max(bound, row.best(j) + largest * Math.min(left, b.length - j));
        }
        return mode.firstColumnFree ? Math.max(bound, largest * Math.min(left, b.length)) : bound;
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
        Walk walk = new Walk(a, b, mode, scoring.hasTwoPieces(), steps, endA, endB);
        if (kept != null) {
            walk.go(0, (i, j) -> kept[(i - 1) * (b.length + 1) + j]);
        } else {
            row.firstRow();
            part(endA, walk, mostKept);
            walk.go(0, null);
        }
        return walk;
    }

    /** Returns the column of the first traceback byte in a row of a part. */
    private int firstOfBand(int number) {
        return Math.max(0, number - limits.band());
    }

    /**
     * Traces back from row {@code to}, which the walk has reached, to the current row, whose values are available.
     * Overwrites these values.
     */
    private void part(int to, Walk walk, long mostKept) {
        int from = row.number();
        long rows = to - from;
        if (rows == 0 || walk.hasEnded()) {
            return;
        }
        int columnsLeft = walk.beginB();
        int width = columnsLeft + 1;
        int widthOfBand = (int) Math.min(width, 2L * limits.band() + 1);
        if (rows * widthOfBand <= mostKept || rows == 1) {
            GotohRow.take(rows * widthOfBand, rows, widthOfBand);
            byte[] ways = new byte[Math.toIntExact(rows * widthOfBand)];
            while (row.number() < to) {
                int number = row.number();
                row.next(columnsLeft, ways, (number - from) * widthOfBand - firstOfBand(number + 1));
            }
            walk.go(from, (i, j) -> ways[(i - from - 1) * widthOfBand + j - firstOfBand(i)]);
            TaskMemory.release(rows * widthOfBand);
            return;
        }
        int parts = (int) Math.min(PARTS, rows);
        long bytes = row.bytes(width) * parts;
        GotohRow.take(bytes, rows, width);
        int[] starts = new int[parts + 1];
        long[][][] copies = new long[parts][][];
        for (int part = 0; part <= parts; part++) {
            starts[part] = (int) (from + rows * part / parts);
        }
        for (int part = 0; part < parts; part++) {
            while (row.number() < starts[part]) {
                row.next(columnsLeft, null, 0);
            }
            copies[part] = row.copy(width);
        }
        for (int part = parts - 1; part >= 0 && !walk.hasEnded(); part--) {
            row.restore(starts[part], copies[part], walk.beginB() + 1);
            part(starts[part + 1], walk, mostKept);
        }
        TaskMemory.release(bytes);
    }
}
