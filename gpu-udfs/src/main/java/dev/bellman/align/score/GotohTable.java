package dev.bellman.align.score;

import dev.bellman.align.Backtrace;
import dev.bellman.align.Move;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * The table of O. Gotoh, "An improved algorithm for matching biological sequences" (1982), row by row. Cell {@code (i, j)} has three values for
 * alignments that end with the first i letters of {@code a} and the first j of {@code b}: the best of those that end in a gap against {@code a},
 * of those that end in a gap against {@code b}, and of all.
 *
 * <pre>
 * insert(i, j) = max(best(i - 1, j) - open, insert(i - 1, j) - extend)
 * delete(i, j) = max(best(i, j - 1) - open, delete(i, j - 1) - extend)
 * best(i, j)   = max(best(i - 1, j - 1) + score(a[i], b[j]), insert(i, j), delete(i, j))    local: and 0
 * </pre>
 *
 * <p>The canonical alignment is traced back from its end; if several ends tie, the one with the fewest letters of {@code a}, then of {@code b}.
 * It takes the diagonal where that is best, else a gap against {@code a} where that is best, else one against {@code b}; it leaves a gap at the
 * first letter where the gap may have been opened; a local one ends at the first cell with value 0.
 */
final class GotohTable {
    /** Below all values, and no sum with it overflows. */
    private static final long NONE = Long.MIN_VALUE / 4;

    /** The traceback bits of a cell: where its best value comes from, and whether its gaps were opened there. */
    private static final int SOURCE = 3;

    private static final int FROM_DIAGONAL = 0;
    private static final int FROM_INSERT = 1;
    private static final int FROM_DELETE = 2;
    private static final int BEGIN = 3;
    private static final int INSERT_OPENS = 4;
    private static final int DELETE_OPENS = 8;

    /** The most cells in a part of the table whose traceback is kept; larger ones are cut into {@code PARTS} parts. */
    static final long MOST_KEPT = 1L << 26;

    private static final int PARTS = 8;

    /** The most cells in a table whose traceback is kept while it is scored, so that it need not be computed again. */
    private static final long MOST_KEPT_AT_ONCE = 1L << 20;

    /** Rows between checks whether the required score can still be reached. */
    private static final int LOOK_ROWS = 256;

    private final int[] a;
    private final int[] b;
    private final AlignmentMode mode;
    private final Scoring scoring;
    private final int[] columns;
    private final long largest;

    /** Of row {@code row}: the best values, and those of gaps against {@code a}. */
    private final long[] best;

    private final long[] insert;
    private int row;

    /** The traceback of all rows, if it was kept. */
    private byte[] kept;

    private long score = NONE;
    private int endA;
    private int endB;

    GotohTable(int[] a, int[] b, AlignmentMode mode, Scoring scoring) {
        this.a = a;
        this.b = b;
        this.mode = mode;
        this.scoring = scoring;
        columns = new int[b.length];
        for (int j = 0; j < b.length; j++) {
            columns[j] = scoring.compares() ? b[j] : scoring.column(b[j]);
        }
        largest = Math.max(0, scoring.largest());
        best = new long[b.length + 1];
        insert = new long[b.length + 1];
        firstRow();
    }

    private void firstRow() {
        for (int j = 0; j <= b.length; j++) {
            best[j] = mode.firstRowFree ? 0 : -scoring.delete().of(j);
            insert[j] = NONE;
        }
    }

    /**
     * The best score.
     *
     * @param least scores below it need not be found
     * @return a score below {@code least} if none reaches it
     */
    long score(long least) {
        return score(least, 0);
    }

    /** The same; keeps the traceback of a small table for {@link #walk}. */
    long scoreToWalk(long least) {
        return score(least, MOST_KEPT_AT_ONCE);
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
            nextRow(b.length, kept, row * width);
            end();
            if (row % LOOK_ROWS == 0 && bound() < least) {
                return NONE;
            }
        }
        return score;
    }

    /** Checks a row for the end of the best alignment; on a tie, the first one. */
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

    /** An upper bound for alignments that end from here on or have already ended. */
    private long bound() {
        long bound = score;
        int left = a.length - row;
        for (int j = 0; j <= b.length; j++) {
            bound = Math.max(bound, best[j] + largest * Math.min(left, b.length - j));
        }
        return mode.firstColumnFree ? Math.max(bound, largest * Math.min(left, b.length)) : bound;
    }

    /**
     * Advances by a row, in the columns up to {@code last}.
     *
     * @param ways where to keep the traceback, from {@code place} on; or null
     */
    private void nextRow(int last, byte[] ways, int place) {
        int letter = a[row];
        int[] scores = scoring.compares() ? null : scoring.table()[scoring.column(letter)];
        row++;
        GapCosts insertion = scoring.insert();
        GapCosts deletion = scoring.delete();
        boolean local = mode == AlignmentMode.LOCAL;
        long diagonal = best[0];
        best[0] = mode.firstColumnFree ? 0 : -insertion.of(row);
        insert[0] = mode.firstColumnFree ? NONE : best[0];
        if (ways != null) {
            ways[place] = (byte) (FROM_INSERT | (row == 1 ? INSERT_OPENS : 0));
        }
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
                        ? BEGIN
                        : value == matched ? FROM_DIAGONAL : value == inserted ? FROM_INSERT : FROM_DELETE;
                ways[place + j] = (byte) (source
                        | (inserted == insertOpened ? INSERT_OPENS : 0)
                        | (delete == deleteOpened ? DELETE_OPENS : 0));
            }
            diagonal = best[j];
            best[j] = value;
            insert[j] = inserted;
            left = value;
        }
    }

    /** Where the alignment with the best score ends, as found by {@link #score}. */
    int endA() {
        return endA;
    }

    int endB() {
        return endB;
    }

    /**
     * Follows the canonical traceback from the end.
     *
     * @param mostKept {@link #MOST_KEPT}, or less in tests
     */
    Walk walk(Backtrace.Steps steps, long mostKept) {
        Walk walk = new Walk(steps, mostKept);
        row = 0;
        if (kept != null) {
            walk.go(0, kept, b.length + 1);
        } else {
            firstRow();
            walk.part(endA);
        }
        walk.firstRow();
        return walk;
    }

    /** The traceback from the end of the best alignment. */
    final class Walk {
        private final Backtrace.Steps steps;
        private final long mostKept;
        private int i = endA;
        private int j = endB;
        private boolean ended;
        /** The gap that the path is in, or the diagonal outside of gaps. */
        private Move gap = Move.DIAGONAL;

        private Walk(Backtrace.Steps steps, long mostKept) {
            this.steps = steps;
            this.mostKept = mostKept;
        }

        int beginA() {
            return i;
        }

        int beginB() {
            return j;
        }

        /** Traces back from row {@code to}, where the path is, to {@link #row}, whose values are present. They are overwritten. */
        private void part(int to) {
            int from = row;
            long rows = to - from;
            if (rows == 0 || ended) {
                return;
            }
            int width = j + 1;
            if (rows * width <= mostKept || rows == 1) {
                TaskMemory.check(
                        "alignment", "the table of %,d by %,d letters".formatted(rows, width), rows * width, "");
                byte[] ways = new byte[Math.toIntExact(rows * width)];
                while (row < to) {
                    nextRow(j, ways, (row - from) * width);
                }
                go(from, ways, width);
                return;
            }
            int parts = (int) Math.min(PARTS, rows);
            TaskMemory.check(
                    "alignment",
                    "the table of %,d by %,d letters".formatted(rows, width),
                    2L * Long.BYTES * width * parts,
                    "");
            int[] starts = new int[parts + 1];
            long[][] bests = new long[parts][];
            long[][] inserts = new long[parts][];
            for (int part = 0; part <= parts; part++) {
                starts[part] = (int) (from + rows * part / parts);
            }
            for (int part = 0; part < parts; part++) {
                while (row < starts[part]) {
                    nextRow(j, null, 0);
                }
                bests[part] = Arrays.copyOf(best, width);
                inserts[part] = Arrays.copyOf(insert, width);
            }
            for (int part = parts - 1; part >= 0 && !ended; part--) {
                System.arraycopy(bests[part], 0, best, 0, j + 1);
                System.arraycopy(inserts[part], 0, insert, 0, j + 1);
                row = starts[part];
                part(starts[part + 1]);
            }
        }

        private void go(int from, byte[] ways, int width) {
            while (i > from && !ended) {
                int way = ways[(i - from - 1) * width + j];
                if (gap == Move.DIAGONAL) {
                    int source = way & SOURCE;
                    if (source == BEGIN || j == 0 && mode.firstColumnFree) {
                        ended = true;
                        return;
                    }
                    gap = source == FROM_INSERT ? Move.A : source == FROM_DELETE ? Move.B : Move.DIAGONAL;
                }
                Move move = gap;
                boolean opens = (way & (move == Move.A ? INSERT_OPENS : DELETE_OPENS)) != 0;
                step(move);
                if (opens) {
                    gap = Move.DIAGONAL;
                }
            }
        }

        /** Consumes the rest of {@code b} in the first row, unless it is free. */
        private void firstRow() {
            while (!ended && j > 0 && !mode.firstRowFree) {
                step(Move.B);
            }
        }

        private void step(Move move) {
            boolean equal = move == Move.DIAGONAL && a[i - 1] == b[j - 1];
            steps.step(move, equal, i - 1, j - 1);
            if (move != Move.B) {
                i--;
            }
            if (move != Move.A) {
                j--;
            }
        }
    }
}
