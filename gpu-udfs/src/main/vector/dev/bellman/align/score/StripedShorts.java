package dev.bellman.align.score;

import dev.bellman.align.scoring.GapCosts;
import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.Cancellation;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Computes the score of a pair with vectors, after Farrar, "Striped Smith-Waterman speeds database searches six times
 * over other SIMD implementations" (2007). The rows are distributed to the lanes of {@code segments} vectors, so that
 * neighbouring lanes are {@code segments} rows apart. With three lanes and twelve rows, the distribution is
 *
 * <pre>
 * vector 0    rows 0  4  8
 * vector 1         1  5  9
 * vector 2         2  6  10
 * vector 3         3  7  11
 * </pre>
 *
 * <p>Within a column, each vector depends on the previous one; the first vector depends on the last vector of the
 * previous column, shifted by one lane. Gaps against {@code a} may also continue from lane to lane. Such gaps are rare.
 * They are added after the column has been computed, for as long as a carried gap is better than a gap that opens in
 * the lane.
 *
 * <p>Values of local alignments are never negative, and the maximum grows by at most the largest score of two letters
 * from column to column. Therefore, each column shows whether the next column may overflow, and most pairs are first
 * tried with 8 bits. In other modes, the values must fit regardless of the letters.
 *
 * <p>The build generates {@code StripedBytes} and {@code StripedInts} from this class.
 */
final class StripedShorts implements StripedTable {
    private static final VectorSpecies<Short> SPECIES = ShortVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();
    private static final VectorShuffle<Short> ONE_LANE_ON = VectorShuffle.iota(SPECIES, LANES - 1, 1, true);
    /** Marks rows after the end of a, which score 0 with every letter. */
    private static final int BELOW_A = -1;

    /**
     * The size of a column, which exceeds the number of letters of any matrix. A power of two, so that Java need not
     * check a masked index.
     */
    private static final int COLUMN = 128;

    /** The number of vectors between two checks for cancellation: vector code is slow until it is compiled. */
    private static final int LOOK_VECTORS = 128;

    /**
     * The number of pairs for which a wider type is used after a pair with large values, because consecutive pairs are
     * often similar.
     */
    private static final int PASSED_ON = 15;

    /**
     * The number of upcoming pairs for which a wider type is used. Threads may overwrite each other's counts, which
     * does not affect scores.
     */
    private int passedOn;

    /**
     * The constants that all columns share.
     *
     * @param none the value that means no gap against a: so low that extending it is never best, but not so low that it
     *     could overflow
     * @param floor the minimum value of a cell
     * @param limit after a column with a larger value, values may overflow
     */
    private record Costs(
            short insertOpen,
            short insertExtend,
            short deleteOpen,
            short deleteExtend,
            short none,
            short floor,
            short limit) {
        static Costs of(int aLength, int bLength, AlignmentMode mode, Scoring scoring) {
            GapCosts insert = scoring.insert();
            GapCosts delete = scoring.delete();
            boolean local = mode == AlignmentMode.LOCAL;
            short none = (short) -(insert.open() + (local ? 0 : bound(aLength, bLength, scoring) + delete.open()));
            return new Costs(
                    (short) insert.open(),
                    (short) insert.extend(),
                    (short) delete.open(),
                    (short) delete.extend(),
                    none,
                    local ? 0 : none,
                    (short) (local ? Short.MAX_VALUE - Math.max(0, scoring.largest()) : Short.MAX_VALUE));
        }
    }

    @Override
    public long score(int[] a, int[] b, AlignmentMode mode, Scoring scoring) {
        int segments = (a.length + LANES - 1) / LANES;
        short[] best = new short[segments * LANES];
        short[] before = new short[segments * LANES];
        short[] erase = new short[segments * LANES];
        GapCosts insert = scoring.insert();
        GapCosts delete = scoring.delete();
        for (int lane = 0, i = 0; lane < LANES; lane++) {
            for (int place = lane; place < best.length && i < a.length; place += LANES, i++) {
                best[place] = (short) (mode.firstColumnFree ? 0 : -insert.of(i + 1));
                erase[place] = (short) (best[place] - delete.open());
            }
        }
        Cancellation cancellation = new Cancellation();
        short[][] profile = profile(a, b, scoring, segments, cancellation);
        Costs costs = Costs.of(a.length, b.length, mode, scoring);
        short[] most = new short[LANES];
        int lastRow = (a.length - 1) % segments * LANES + (a.length - 1) / segments;
        long answer = mode == AlignmentMode.FIT_A_IN_B ? -insert.of(a.length) : Long.MIN_VALUE;
        int vectors = 0;
        for (int j = 0; j < b.length; j++) {
            cancellation.count(a.length);
            vectors += segments;
            if (vectors >= LOOK_VECTORS) {
                vectors = 0;
                Cancellation.check();
            }
            short[] swapped = before;
            before = best;
            best = swapped;
            short edgeBefore = (short) (mode.firstRowFree ? 0 : -delete.of(j));
            short edge = (short) (mode.firstRowFree ? 0 : -delete.of(j + 1));
            if (!column(before, best, erase, profile[j], most, edgeBefore, edge, costs)) {
                passedOn = PASSED_ON;
                return BEYOND;
            }
            if (mode == AlignmentMode.FIT_A_IN_B || mode == AlignmentMode.OVERLAP) {
                answer = Math.max(answer, best[lastRow]);
            }
        }
        return switch (mode) {
            case LOCAL -> ShortVector.fromArray(SPECIES, most, 0).reduceLanes(VectorOperators.MAX);
            case GLOBAL -> best[lastRow];
            case FIT_A_IN_B -> answer;
            case OVERLAP -> Math.max(answer, lastColumn(best, a.length, segments));
            case EXTENSION -> throw new IllegalArgumentException("extensions have no striped table");
            case FIT_B_IN_A -> Math.max(-delete.of(b.length), lastColumn(best, a.length, segments));
        };
    }

    /**
     * Solves a column. In this separate method, all vectors stay in registers; if vectors were live across columns,
     * Java 17 would allocate them on the heap at each step.
     *
     * @param before the values of the previous column
     * @param best receives the values of the column
     * @param erase the values of alignments that end in a gap against b; updated from column to column
     * @param most the maximum values so far
     * @param edgeBefore the top border's value above the previous column
     * @param edge the top border's value above this column
     * @return whether the next column cannot overflow
     */
    private static boolean column(
            short[] before,
            short[] best,
            short[] erase,
            short[] scores,
            short[] most,
            short edgeBefore,
            short edge,
            Costs costs) {
        ShortVector insertOpen = ShortVector.broadcast(SPECIES, costs.insertOpen);
        ShortVector insertExtend = ShortVector.broadcast(SPECIES, costs.insertExtend);
        ShortVector deleteOpen = ShortVector.broadcast(SPECIES, costs.deleteOpen);
        ShortVector deleteExtend = ShortVector.broadcast(SPECIES, costs.deleteExtend);
        ShortVector floor = ShortVector.broadcast(SPECIES, costs.floor);
        ShortVector greatest = ShortVector.fromArray(SPECIES, most, 0);
        ShortVector inserted =
                ShortVector.broadcast(SPECIES, costs.none).withLane(0, (short) (edge - costs.insertOpen));
        ShortVector diagonal = ShortVector.fromArray(SPECIES, before, before.length - LANES)
                .rearrange(ONE_LANE_ON)
                .withLane(0, edgeBefore);
        for (int at = 0; at < best.length; at += LANES) {
            ShortVector deleted = ShortVector.fromArray(SPECIES, erase, at);
            // the best value without a gap against a: opening a gap after such a gap costs at least as much as
            // extending it
            ShortVector other = diagonal.add(ShortVector.fromArray(SPECIES, scores, at))
                    .max(deleted)
                    .max(floor);
            diagonal = ShortVector.fromArray(SPECIES, before, at);
            ShortVector value = other.max(inserted);
            value.intoArray(best, at);
            greatest = greatest.max(value);
            deleted.sub(deleteExtend).max(value.sub(deleteOpen)).intoArray(erase, at);
            inserted = inserted.sub(insertExtend).max(other.sub(insertOpen));
        }
        greatest.intoArray(most, 0);
        goOn(inserted, best, erase, costs);
        return !greatest.compare(VectorOperators.GT, costs.limit).anyTrue();
    }

    /** Carries gaps from lane to lane. */
    private static void goOn(ShortVector leaving, short[] best, short[] erase, Costs costs) {
        ShortVector insertOpen = ShortVector.broadcast(SPECIES, costs.insertOpen);
        ShortVector insertExtend = ShortVector.broadcast(SPECIES, costs.insertExtend);
        ShortVector deleteOpen = ShortVector.broadcast(SPECIES, costs.deleteOpen);
        ShortVector floor = ShortVector.broadcast(SPECIES, costs.floor);
        ShortVector none = ShortVector.broadcast(SPECIES, costs.none);
        ShortVector inserted = leaving;
        for (int lane = 1; lane < LANES; lane++) {
            inserted = inserted.rearrange(ONE_LANE_ON).withLane(0, costs.none);
            for (int at = 0; at < best.length; at += LANES) {
                ShortVector value = ShortVector.fromArray(SPECIES, best, at);
                // a gap that is not better than a gap that opens here, or than the floor, does not improve any value
                if (!inserted.compare(VectorOperators.GT, value.sub(insertOpen).max(floor))
                        .anyTrue()) {
                    return;
                }
                value = value.max(inserted);
                value.intoArray(best, at);
                ShortVector.fromArray(SPECIES, erase, at)
                        .max(value.sub(deleteOpen))
                        .intoArray(erase, at);
                inserted = inserted.sub(insertExtend).max(none);
            }
        }
    }

    /**
     * Returns, for each letter of b, its scores with the letters of a in the order of the vectors; 0 beyond the end of
     * a.
     */
    private static short[][] profile(int[] a, int[] b, Scoring scoring, int segments, Cancellation cancellation) {
        int[] placed = new int[segments * LANES];
        Arrays.fill(placed, scoring.compares() ? BELOW_A : scoring.table().length);
        for (int lane = 0, i = 0; i < a.length; lane++) {
            cancellation.count(segments);
            for (int segment = 0; segment < segments && i < a.length; segment++, i++) {
                placed[segment * LANES + lane] = scoring.compares() ? a[i] : scoring.column(a[i]);
            }
        }
        Map<Integer, short[]> known = new HashMap<>();
        short[][] letters = new short[128][];
        short[][] profile = new short[b.length][];
        for (int j = 0; j < b.length; j++) {
            int letter = scoring.compares() ? b[j] : scoring.column(b[j]);
            boolean small = letter >= 0 && letter < letters.length;
            short[] scores = small ? letters[letter] : known.get(letter);
            if (scores == null) {
                cancellation.count(placed.length);
                scores = scores(placed, letter, scoring);
                if (small) {
                    letters[letter] = scores;
                } else {
                    known.put(letter, scores);
                }
            }
            profile[j] = scores;
        }
        return profile;
    }

    private static short[] scores(int[] placed, int letter, Scoring scoring) {
        short[] scores = new short[placed.length];
        if (scoring.compares()) {
            for (int place = 0; place < placed.length; place++) {
                int match = placed[place] == letter ? scoring.match() : scoring.mismatch();
                scores[place] = (short) (placed[place] == BELOW_A ? 0 : match);
            }
        } else {
            int[][] table = scoring.table();
            short[] column = new short[COLUMN];
            for (int x = 0; x < table.length; x++) {
                column[x] = (short) table[x][letter];
            }
            for (int place = 0; place < placed.length; place++) {
                scores[place] = column[placed[place] & COLUMN - 1];
            }
        }
        return scores;
    }

    private static long lastColumn(short[] best, int rows, int segments) {
        long most = Long.MIN_VALUE;
        for (int i = 0; i < rows; i++) {
            most = Math.max(most, best[i % segments * LANES + i / segments]);
        }
        return most;
    }

    /** Returns an upper bound on the magnitude of the negative values in the table. */
    private static long bound(int aLength, int bLength, Scoring scoring) {
        return scoring.insert().of(aLength) + scoring.delete().of(bLength) - Math.min(0, scoring.smallest());
    }

    @Override
    public boolean passesOn() {
        if (passedOn <= 0) {
            return false;
        }
        passedOn--;
        return true;
    }

    @Override
    public boolean holds(int aLength, int bLength, AlignmentMode mode, Scoring scoring) {
        if (scoring.hasTwoPieces() || mode == AlignmentMode.EXTENSION) {
            return false;
        }
        GapCosts insert = scoring.insert();
        GapCosts delete = scoring.delete();
        if (mode == AlignmentMode.LOCAL) {
            // no value is negative, and no gap value is below minus the cost of the first letter
            return insert.open() + insert.extend() < Short.MAX_VALUE
                    && delete.open() + delete.extend() < Short.MAX_VALUE
                    && -scoring.smallest() < Short.MAX_VALUE
                    && scoring.largest() < Short.MAX_VALUE;
        }
        long costs = 2L * (insert.open() + delete.open());
        return bound(aLength, bLength, scoring) + costs + 2L * insert.extend() < Short.MAX_VALUE
                && (long) Math.max(0, scoring.largest()) * Math.min(aLength, bLength) < Short.MAX_VALUE;
    }
}
