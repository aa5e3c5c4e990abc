package dev.bellman.align.score;

import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.Cancellation;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Computes Gotoh's table along its anti-diagonals, after Wozniak, "Using video-oriented instructions to speed up
 * sequence comparison" (1997). The cells of diagonal {@code d = i + j} depend only on the two diagonals before it, so a
 * vector computes several of them. Cells are stored by row: the cell above is entry {@code i - 1} of diagonal
 * {@code d - 1}, the cell to the left is entry {@code i} of that diagonal, and the cell above and to the left is entry
 * {@code i - 1} of diagonal {@code d - 2}.
 *
 * <p>The last vector of a diagonal has lanes beyond its end. The values in these lanes are never read, because the
 * additional cells of a longer next diagonal are set explicitly.
 */
final class DiagonalVectors implements DiagonalTable {
    /** The number of {@link Cancellation} steps per cell. Vector code is slow until it is compiled. */
    private static final int STEPS = 16;

    private static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    /** A number below all values, but far enough from the limit that no sum overflows. */
    private static final int NONE = Integer.MIN_VALUE / 2;

    @Override
    public int stride(int aLength, int bLength) {
        return Math.min(aLength, bLength + DIAGONALS_OF_A_WORD) + 1 + LANES;
    }

    @Override
    public Solved solve(int[] a, int[] b, AlignmentMode mode, Scoring scoring, boolean keeps) {
        take(a.length, b.length, keeps);
        int stride = stride(a.length, b.length);
        int[] ways = keeps ? new int[(int) words(a.length, b.length)] : null;
        return new Diagonals(a, b, mode, scoring, ways, stride).solve();
    }

    /** The diagonals of a table; each array has an entry for each row. */
    private static final class Diagonals {
        private final int m;
        private final int n;
        private final AlignmentMode mode;
        private final Scoring scoring;
        private final int[] ways;
        private final int stride;
        /** The scores of all pairs of symbols; null if the scoring only compares symbols. */
        private final int[] table;
        /** The symbols of {@code a}, as offsets in the table if there is one. */
        private final int[] rows;
        /** The symbols of {@code b} from the last to the first. */
        private final int[] backwards;

        private final int[] scores;
        private int[] best;
        private int[] before;
        private int[] beforeThat;
        private int[] insert;
        private int[] insertBefore;
        private final int[] erase;
        private final Ends ends;

        Diagonals(int[] a, int[] b, AlignmentMode mode, Scoring scoring, int[] ways, int stride) {
            this.m = a.length;
            this.n = b.length;
            this.mode = mode;
            this.scoring = scoring;
            this.ways = ways;
            this.stride = stride;
            boolean compares = scoring.compares();
            table = compares ? null : flat(scoring.table());
            rows = new int[m + 1 + LANES];
            for (int i = 1; i <= m; i++) {
                rows[i] = compares ? a[i - 1] : scoring.column(a[i - 1]) * scoring.table().length;
            }
            backwards = new int[n + LANES];
            for (int j = 1; j <= n; j++) {
                backwards[n - j] = compares ? b[j - 1] : scoring.column(b[j - 1]);
            }
            scores = new int[m + 1 + LANES];
            best = new int[m + 1 + LANES];
            before = new int[m + 1 + LANES];
            beforeThat = new int[m + 1 + LANES];
            insert = new int[m + 1 + LANES];
            insertBefore = new int[m + 1 + LANES];
            erase = new int[m + 1 + LANES];
            ends = new Ends(m, n, mode, scoring);
        }

        Solved solve() {
            beforeThat[0] = 0;
            before[0] = top(1, mode, scoring);
            before[1] = side(1, mode, scoring);
            insert[0] = NONE;
            insertBefore[0] = NONE;
            erase[1] = NONE;
            Cancellation cancellation = new Cancellation();
            for (int d = 2; d <= m + n; d++) {
                int first = Math.max(1, d - n);
                int last = Math.min(m, d - 1);
                cancellation.count((long) STEPS * (last - first));
                if (table != null) {
                    for (int i = first; i <= last; i++) {
                        scores[i] = table[rows[i] + backwards[n - d + i]];
                    }
                }
                fill(d, first, last);
                ends.ofDiagonal(best, d);
                if (d <= n) {
                    best[0] = top(d, mode, scoring);
                }
                if (d <= m) {
                    best[d] = side(d, mode, scoring);
                    erase[d] = NONE;
                }
                int[] oldest = beforeThat;
                beforeThat = before;
                before = best;
                best = oldest;
                int[] swapped = insertBefore;
                insertBefore = insert;
                insert = swapped;
            }
            return ends.solved(ways, stride);
        }

        /**
         * Computes a diagonal. This is a single method, so that vectors stay in registers, and it uses local variables,
         * because a loop reads a field again after each call.
         */
        private void fill(int d, int first, int last) {
            int[] rows = this.rows;
            int[] columns = backwards;
            int[] scores = this.scores;
            int[] best = this.best;
            int[] before = this.before;
            int[] beforeThat = this.beforeThat;
            int[] insert = this.insert;
            int[] insertBefore = this.insertBefore;
            int[] erase = this.erase;
            int[] ways = this.ways;
            boolean compares = table == null;
            boolean local = mode == AlignmentMode.LOCAL;
            IntVector match = IntVector.broadcast(SPECIES, scoring.match());
            IntVector mismatch = IntVector.broadcast(SPECIES, scoring.mismatch());
            IntVector floor = IntVector.broadcast(SPECIES, local ? 0 : NONE);
            int insertOpen = scoring.insert().open();
            int insertExtend = scoring.insert().extend();
            int deleteOpen = scoring.delete().open();
            int deleteExtend = scoring.delete().extend();
            int words = d / DIAGONALS_OF_A_WORD * stride - DiagonalTable.firstRow(d, n);
            int shift = WAY_BITS * (d % DIAGONALS_OF_A_WORD);
            for (int i = first; i <= last; i += LANES) {
                IntVector score = vector(compares ? rows : scores, i);
                if (compares) {
                    score = mismatch.blend(match, score.compare(VectorOperators.EQ, vector(columns, n - d + i)));
                }
                IntVector matched = vector(beforeThat, i - 1).add(score);
                IntVector insertOpened = vector(before, i - 1).sub(insertOpen);
                IntVector inserted =
                        vector(insertBefore, i - 1).sub(insertExtend).max(insertOpened);
                IntVector deleteOpened = vector(before, i).sub(deleteOpen);
                IntVector deleted = vector(erase, i).sub(deleteExtend).max(deleteOpened);
                IntVector value = matched.max(inserted).max(deleted).max(floor);
                value.intoArray(best, i);
                inserted.intoArray(insert, i);
                deleted.intoArray(erase, i);
                if (ways != null) {
                    IntVector way = IntVector.broadcast(SPECIES, Walk.FROM_DELETE)
                            .blend(Walk.FROM_INSERT, value.compare(VectorOperators.EQ, inserted))
                            .blend(Walk.FROM_DIAGONAL, value.compare(VectorOperators.EQ, matched));
                    if (local) {
                        way = way.blend(Walk.BEGIN, value.compare(VectorOperators.EQ, 0));
                    }
                    way = way.add(Walk.INSERT_OPENS, inserted.compare(VectorOperators.EQ, insertOpened))
                            .add(Walk.DELETE_OPENS, deleted.compare(VectorOperators.EQ, deleteOpened));
                    vector(ways, words + i)
                            .or(way.lanewise(VectorOperators.LSHL, shift))
                            .intoArray(ways, words + i);
                }
                if (local && value.compare(VectorOperators.GE, ends.least()).anyTrue()) {
                    ends.look(best, i, Math.min(last, i + LANES - 1), d);
                }
            }
        }

        private static IntVector vector(int[] values, int at) {
            return IntVector.fromArray(SPECIES, values, at);
        }
    }

    private static int[] flat(int[][] table) {
        int[] flat = new int[table.length * table.length];
        for (int x = 0; x < table.length; x++) {
            System.arraycopy(table[x], 0, flat, x * table.length, table.length);
        }
        return flat;
    }

    private static int top(int j, AlignmentMode mode, Scoring scoring) {
        return mode.firstRowFree ? 0 : (int) -scoring.delete().of(j);
    }

    private static int side(int i, AlignmentMode mode, Scoring scoring) {
        return mode.firstColumnFree ? 0 : (int) -scoring.insert().of(i);
    }

    /**
     * The best end so far, either among all cells, or among those of the last row and the last column. Ties: the first
     * end in a, then in b.
     */
    private static final class Ends {
        private final int m;
        private final int n;
        private final AlignmentMode mode;
        private int best;
        private int endA;
        private int endB;
        /**
         * The best value in the last row, stored separately because its cells come after those of the last column in
         * case of ties.
         */
        private int bestOfRow = NONE;

        private int endOfRow;

        Ends(int m, int n, AlignmentMode mode, Scoring scoring) {
            this.m = m;
            this.n = n;
            this.mode = mode;
            if (mode == AlignmentMode.LOCAL) {
                return;
            }
            best = NONE;
            if (mode == AlignmentMode.FIT_B_IN_A) {
                best = top(n, mode, scoring);
                endB = n;
            } else if (mode == AlignmentMode.FIT_A_IN_B) {
                bestOfRow = side(m, mode, scoring);
            }
        }

        /** Returns the minimum value of an end; in a local table, a cell with a lower value is not an end. */
        int least() {
            return Math.max(1, best);
        }

        void look(int[] values, int first, int last, int d) {
            for (int i = first; i <= last; i++) {
                if (values[i] > best || values[i] == best && i < endA) {
                    best = values[i];
                    endA = i;
                    endB = d - i;
                }
            }
        }

        void ofDiagonal(int[] values, int d) {
            if (mode == AlignmentMode.LOCAL || mode == AlignmentMode.GLOBAL && d < m + n) {
                return;
            }
            if (d > m && mode != AlignmentMode.FIT_B_IN_A && values[m] > bestOfRow) {
                bestOfRow = values[m];
                endOfRow = d - m;
            }
            boolean ofColumn = mode == AlignmentMode.FIT_B_IN_A || mode == AlignmentMode.OVERLAP && d < m + n;
            if (d > n && ofColumn && values[d - n] > best) {
                best = values[d - n];
                endA = d - n;
                endB = n;
            }
        }

        Solved solved(int[] ways, int stride) {
            boolean inRow = bestOfRow > best;
            return new Solved(inRow ? bestOfRow : best, inRow ? m : endA, inRow ? endOfRow : endB, ways, stride, n);
        }
    }
}
