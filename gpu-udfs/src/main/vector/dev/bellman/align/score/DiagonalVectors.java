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
        int m = a.length;
        int n = b.length;
        take(m, n, keeps);
        int stride = stride(m, n);
        int[] ways = keeps ? new int[(int) words(m, n)] : null;
        boolean compares = scoring.compares();
        boolean local = mode == AlignmentMode.LOCAL;
        int[] table = compares ? null : flat(scoring.table());
        int[] rows = new int[m + 1 + LANES];
        for (int i = 1; i <= m; i++) {
            rows[i] = compares ? a[i - 1] : scoring.column(a[i - 1]) * scoring.table().length;
        }
        int[] backwards = new int[n + LANES];
        for (int j = 1; j <= n; j++) {
            backwards[n - j] = compares ? b[j - 1] : scoring.column(b[j - 1]);
        }
        int[] scores = new int[m + 1 + LANES];
        int[] best = new int[m + 1 + LANES];
        int[] before = new int[m + 1 + LANES];
        int[] beforeThat = new int[m + 1 + LANES];
        int[] insert = new int[m + 1 + LANES];
        int[] insertBefore = new int[m + 1 + LANES];
        int[] erase = new int[m + 1 + LANES];
        beforeThat[0] = 0;
        before[0] = top(1, mode, scoring);
        before[1] = side(1, mode, scoring);
        insert[0] = NONE;
        insertBefore[0] = NONE;
        erase[1] = NONE;
        IntVector match = IntVector.broadcast(SPECIES, scoring.match());
        IntVector mismatch = IntVector.broadcast(SPECIES, scoring.mismatch());
        int insertOpen = scoring.insert().open();
        int insertExtend = scoring.insert().extend();
        int deleteOpen = scoring.delete().open();
        int deleteExtend = scoring.delete().extend();
        IntVector floor = IntVector.broadcast(SPECIES, local ? 0 : NONE);
        Ends ends = new Ends(m, n, mode, scoring);
        Cancellation cancellation = new Cancellation();
        for (int d = 2; d <= m + n; d++) {
            int first = Math.max(1, d - n);
            int last = Math.min(m, d - 1);
            cancellation.count((long) STEPS * (last - first));
            int letters = n - d;
            if (!compares) {
                for (int i = first; i <= last; i++) {
                    scores[i] = table[rows[i] + backwards[letters + i]];
                }
            }
            int words = d / DIAGONALS_OF_A_WORD * stride - DiagonalTable.firstRow(d, n);
            int shift = WAY_BITS * (d % DIAGONALS_OF_A_WORD);
            for (int i = first; i <= last; i += LANES) {
                IntVector score = compares
                        ? mismatch.blend(
                                match,
                                IntVector.fromArray(SPECIES, rows, i)
                                        .compare(
                                                VectorOperators.EQ,
                                                IntVector.fromArray(SPECIES, backwards, letters + i)))
                        : IntVector.fromArray(SPECIES, scores, i);
                IntVector matched =
                        IntVector.fromArray(SPECIES, beforeThat, i - 1).add(score);
                IntVector insertOpened =
                        IntVector.fromArray(SPECIES, before, i - 1).sub(insertOpen);
                IntVector inserted = IntVector.fromArray(SPECIES, insertBefore, i - 1)
                        .sub(insertExtend)
                        .max(insertOpened);
                IntVector deleteOpened =
                        IntVector.fromArray(SPECIES, before, i).sub(deleteOpen);
                IntVector deleted =
                        IntVector.fromArray(SPECIES, erase, i).sub(deleteExtend).max(deleteOpened);
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
                    way = way.add(
                            Walk.INSERT_OPENS, inserted.compare(VectorOperators.EQ, insertOpened));
                    way = way.add(
                            Walk.DELETE_OPENS, deleted.compare(VectorOperators.EQ, deleteOpened));
                    IntVector.fromArray(SPECIES, ways, words + i)
                            .or(way.lanewise(VectorOperators.LSHL, shift))
                            .intoArray(ways, words + i);
                }
                if (local && value.compare(VectorOperators.GE, ends.least()).anyTrue()) {
                    ends.look(best, i, Math.min(last, i + LANES - 1), d);
                }
            }
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
     * The best end so far, among all cells or among the last row and the last column. Ties: the first end in a, then in
     * b.
     */
    private static final class Ends {
        private final int m;
        private final int n;
        private final AlignmentMode mode;
        private int best;
        private int endA;
        private int endB;
        /** The best value in the last row, whose cells come after the cells of the last column. */
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
