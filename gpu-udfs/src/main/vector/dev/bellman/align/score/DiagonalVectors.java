package dev.bellman.align.score;

import dev.bellman.align.scoring.GapCosts;
import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.Cancellation;
import java.util.Arrays;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Computes Gotoh's table along its anti-diagonals, after Wozniak, "Using video-oriented instructions to speed up
 * sequence comparison" (1997). The cells of diagonal {@code d = i + j} depend only on the two diagonals before it, so a
 * vector computes several of them. Cells are stored by row: the cell above is entry {@code i - 1} of diagonal {@code d
 * - 1}, the cell to the left is entry {@code i} of that diagonal, and the cell above and to the left is entry {@code i
 * - 1} of diagonal {@code d - 2}.
 *
 * <p>The last vector of a diagonal has lanes beyond its end. No cell depends on the values in these lanes, because the
 * additional cells of a longer next diagonal are set explicitly.
 */
final class DiagonalVectors implements DiagonalTable {
    /** The number of {@link Cancellation} steps per cell: several, because vector code is slow until it is compiled. */
    private static final int STEPS = 16;

    private static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    @Override
    public int stride(int aLength, int bLength, int band) {
        return Math.min(aLength, Math.min(bLength, band) + MAX_DIAGONALS_OF_A_WORD) + 1 + LANES;
    }

    @Override
    public Solved solve(int[] a, int[] b, AlignmentMode mode, Scoring scoring, ExtensionLimits limits, int mostWords) {
        take(a.length, b.length, mode, scoring, limits, mostWords);
        DiagonalTraceback ways = new DiagonalTraceback(this, a.length, b.length, scoring, limits.band(), mostWords);
        return new Diagonals(a, b, mode, scoring, limits, ways).solve();
    }

    /** The diagonals of a table; each array has an entry for each row. */
    private static final class Diagonals implements DiagonalTraceback.Diagonals {
        private final int m;
        private final int n;
        private final AlignmentMode mode;
        private final Scoring scoring;
        private final int band;
        private final boolean hasTwoPieces;
        private final DiagonalTraceback traceback;
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
        /** Like {@code insert}, {@code insertBefore} and {@code erase}, for the second piece of gap costs. */
        private int[] insert2;

        private int[] insert2Before;
        private final int[] erase2;
        private final DiagonalEnds ends;
        /** The best value of each row of an extension, and the first diagonal with this value. */
        private final int[] bestOfRows;

        private final int[] diagonals;
        private final Cancellation cancellation = new Cancellation();

        Diagonals(
                int[] a, int[] b, AlignmentMode mode, Scoring scoring, ExtensionLimits limits, DiagonalTraceback ways) {
            this.m = a.length;
            this.n = b.length;
            this.mode = mode;
            this.scoring = scoring;
            this.band = limits.band();
            hasTwoPieces = scoring.hasTwoPieces();
            traceback = ways;
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
            int pieceLength = hasTwoPieces ? erase.length : 0;
            insert2 = new int[pieceLength];
            insert2Before = new int[pieceLength];
            erase2 = new int[pieceLength];
            ends = new DiagonalEnds(m, n, mode, scoring, limits);
            int rowsOfExtension = mode == AlignmentMode.EXTENSION ? m + 1 + LANES : 0;
            bestOfRows = new int[rowsOfExtension];
            Arrays.fill(bestOfRows, Integer.MIN_VALUE);
            diagonals = new int[rowsOfExtension];
        }

        Solved solve() {
            beforeThat[0] = 0;
            before[0] = top(1);
            before[1] = side(1);
            insert[0] = NONE;
            insertBefore[0] = NONE;
            erase[1] = NONE;
            if (hasTwoPieces) {
                insert2[0] = NONE;
                insert2Before[0] = NONE;
                erase2[1] = NONE;
            }
            for (int d = 2; d <= m + n; d++) {
                traceback.enter(d, first(d), last(d), this);
                compute(d);
                ends.ofDiagonal(best, d);
                if (mode == AlignmentMode.EXTENSION) {
                    rowsOfDiagonal(d, first(d), last(d));
                    if (!ends.goesOn(bestOfRows, diagonals, d)) {
                        break;
                    }
                }
                advance();
            }
            return ends.solved((i, j) -> traceback.at(i, j, this));
        }

        /** Returns the first row of diagonal {@code d} within the band, not counting row 0. */
        private int first(int d) {
            return Math.max(Math.max(1, d - n), d - band + 1 >> 1);
        }

        private int last(int d) {
            return Math.min(Math.min(m, d - 1), d + band >> 1);
        }

        private void compute(int d) {
            int first = first(d);
            int last = last(d);
            cancellation.count((long) STEPS * (last - first));
            if (table != null) {
                lookUp(d, first, last);
            }
            if (hasTwoPieces) {
                fillOfTwo(d, first, last);
            } else {
                fill(d, first, last);
            }
            leaveBand(first - 1, last + 1);
            if (d <= n) {
                best[0] = top(d);
            }
            if (d <= m) {
                best[d] = side(d);
                erase[d] = NONE;
                if (hasTwoPieces) {
                    erase2[d] = NONE;
                }
            }
        }

        private void lookUp(int d, int first, int last) {
            int[] table = this.table;
            int[] rows = this.rows;
            int[] backwards = this.backwards;
            int[] scores = this.scores;
            for (int i = first; i <= last; i++) {
                scores[i] = table[rows[i] + backwards[n - d + i]];
            }
        }

        private void advance() {
            int[] oldest = beforeThat;
            beforeThat = before;
            before = best;
            best = oldest;
            int[] swapped = insertBefore;
            insertBefore = insert;
            insert = swapped;
            swapped = insert2Before;
            insert2Before = insert2;
            insert2 = swapped;
        }

        @Override
        public int[][] values() {
            return hasTwoPieces
                    ? new int[][] {beforeThat, before, insertBefore, erase, insert2Before, erase2}
                    : new int[][] {beforeThat, before, insertBefore, erase};
        }

        @Override
        public void repeat(int from, int to) {
            for (int d = from; d <= to; d++) {
                compute(d);
                advance();
            }
        }

        /** Returns the value of row 0 on diagonal {@code d}. */
        private int top(int d) {
            return d > band ? NONE : DiagonalEnds.top(d, mode, scoring);
        }

        /** Returns the value of column 0 on diagonal {@code d}. */
        private int side(int d) {
            return d > band ? NONE : DiagonalEnds.side(d, mode, scoring);
        }

        /** Clears the values in the rows before and after those of a diagonal; these rows may be outside the band. */
        private void leaveBand(int above, int below) {
            if (band >= Math.max(m, n)) {
                return;
            }
            best[above] = NONE;
            insert[above] = NONE;
            best[below] = NONE;
            erase[below] = NONE;
            if (insert2.length > 0) {
                insert2[above] = NONE;
                erase2[below] = NONE;
            }
        }

        /** Updates the best values of the rows of an extension. */
        private void rowsOfDiagonal(int d, int first, int last) {
            int[] best = this.best;
            int[] bestOfRows = this.bestOfRows;
            int[] diagonals = this.diagonals;
            for (int i = first; i <= last; i += LANES) {
                IntVector value = vector(best, i);
                IntVector most = vector(bestOfRows, i);
                VectorMask<Integer> more =
                        value.compare(VectorOperators.GT, most).and(SPECIES.indexInRange(i, last + 1));
                most.blend(value, more).intoArray(bestOfRows, i);
                vector(diagonals, i).blend(d, more).intoArray(diagonals, i);
            }
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
            int[] ways = traceback.ways();
            boolean compares = table == null;
            boolean local = mode == AlignmentMode.LOCAL;
            IntVector match = IntVector.broadcast(SPECIES, scoring.match());
            IntVector mismatch = IntVector.broadcast(SPECIES, scoring.mismatch());
            IntVector floor = IntVector.broadcast(SPECIES, local ? 0 : NONE);
            int insertOpen = scoring.insert().open();
            int insertExtend = scoring.insert().extend();
            int deleteOpen = scoring.delete().open();
            int deleteExtend = scoring.delete().extend();
            int words = traceback.place(d);
            int shift = traceback.bit(d);
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

        /** Does the same as {@link #fill} for gap costs with two pieces. */
        private void fillOfTwo(int d, int first, int last) {
            int[] best = this.best;
            int[] before = this.before;
            int[] insert = this.insert;
            int[] insertBefore = this.insertBefore;
            int[] insert2 = this.insert2;
            int[] insert2Before = this.insert2Before;
            int[] erase = this.erase;
            int[] erase2 = this.erase2;
            int[] ways = traceback.ways();
            boolean local = mode == AlignmentMode.LOCAL;
            GapCosts insertion = scoring.insert();
            GapCosts deletion = scoring.delete();
            IntVector floor = IntVector.broadcast(SPECIES, local ? 0 : NONE);
            int words = traceback.place(d);
            int shift = traceback.bit(d);
            for (int i = first; i <= last; i += LANES) {
                IntVector matched = vector(beforeThat, i - 1).add(score(d, i));
                IntVector up = vector(before, i - 1);
                IntVector left = vector(before, i);
                IntVector inserted =
                        vector(insertBefore, i - 1).sub(insertion.extend()).max(up.sub(insertion.open()));
                IntVector inserted2 =
                        vector(insert2Before, i - 1).sub(insertion.extend2()).max(up.sub(insertion.open2()));
                IntVector deleted = vector(erase, i).sub(deletion.extend()).max(left.sub(deletion.open()));
                IntVector deleted2 = vector(erase2, i).sub(deletion.extend2()).max(left.sub(deletion.open2()));
                IntVector insertedBest = inserted.max(inserted2);
                IntVector value =
                        matched.max(insertedBest).max(deleted.max(deleted2)).max(floor);
                value.intoArray(best, i);
                inserted.intoArray(insert, i);
                inserted2.intoArray(insert2, i);
                deleted.intoArray(erase, i);
                deleted2.intoArray(erase2, i);
                if (ways != null) {
                    VectorMask<Integer> inserts = value.compare(VectorOperators.EQ, insertedBest);
                    IntVector way = IntVector.broadcast(SPECIES, Walk.FROM_DELETE)
                            .blend(Walk.FROM_INSERT, inserts)
                            .blend(Walk.FROM_DIAGONAL, value.compare(VectorOperators.EQ, matched));
                    if (local) {
                        way = way.blend(Walk.BEGIN, value.compare(VectorOperators.EQ, 0));
                    }
                    IntVector ofFirst = deleted.blend(inserted, inserts);
                    IntVector ofSecond = deleted2.blend(inserted2, inserts);
                    way = way.add(Walk.FIRST_PIECE, value.compare(VectorOperators.EQ, ofFirst))
                            .add(Walk.SECOND_PIECE, value.compare(VectorOperators.EQ, ofSecond))
                            .add(Walk.INSERT_OPENS, inserted.compare(VectorOperators.EQ, up.sub(insertion.open())))
                            .add(Walk.INSERT_OPENS_2, inserted2.compare(VectorOperators.EQ, up.sub(insertion.open2())))
                            .add(Walk.DELETE_OPENS, deleted.compare(VectorOperators.EQ, left.sub(deletion.open())))
                            .add(Walk.DELETE_OPENS_2, deleted2.compare(VectorOperators.EQ, left.sub(deletion.open2())));
                    vector(ways, words + i)
                            .or(way.lanewise(VectorOperators.LSHL, shift))
                            .intoArray(ways, words + i);
                }
                if (local && value.compare(VectorOperators.GE, ends.least()).anyTrue()) {
                    ends.look(best, i, Math.min(last, i + LANES - 1), d);
                }
            }
        }

        /**
         * For the cells of diagonal {@code d}, starting at row {@code i}, returns the scores of aligning their letters.
         */
        private IntVector score(int d, int i) {
            return table != null
                    ? vector(scores, i)
                    : IntVector.broadcast(SPECIES, scoring.mismatch())
                            .blend(
                                    scoring.match(),
                                    vector(rows, i).compare(VectorOperators.EQ, vector(backwards, n - d + i)));
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
}
