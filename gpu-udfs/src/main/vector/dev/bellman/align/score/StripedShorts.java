package dev.bellman.align.score;

import dev.bellman.align.scoring.GapCosts;
import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.Cancellation;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * The score of a pair by vectors, after M. Farrar, "Striped Smith-Waterman speeds database searches six times over
 * other SIMD implementations" (2007). The rows are dealt out to the lanes of {@code segments} vectors, so that
 * neighbours of a vector are {@code segments} rows apart:
 * three lanes and twelve rows are
 *
 * <pre>
 * vector 0    rows 0  4  8
 * vector 1         1  5  9
 * vector 2         2  6  10
 * vector 3         3  7  11
 * </pre>
 *
 * <p>Within a column each vector needs the one before it, and the first one the last one of the column before, a lane
 * further. Gaps against a go on from lane to lane too: those are seldom, and are put right behind the column, for as
 * long as one is better than a gap that opens there.
 *
 * <p>The build makes {@code StripedInts} of this class.
 */
final class StripedShorts implements StripedTable {
    private static final VectorSpecies<Short> SPECIES = ShortVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();
    private static final VectorShuffle<Short> ONE_LANE_ON = VectorShuffle.iota(SPECIES, LANES - 1, 1, true);
    /** No symbol. */
    private static final int BELOW_A = -1;

    private static final VectorMask<Short> FIRST_LANE = VectorMask.fromLong(SPECIES, 1);

    @Override
    public long score(int[] a, int[] b, AlignmentMode mode, Scoring scoring) {
        int segments = (a.length + LANES - 1) / LANES;
        short[] best = new short[segments * LANES];
        short[] before = new short[segments * LANES];
        short[] erase = new short[segments * LANES];
        GapCosts insert = scoring.insert();
        GapCosts delete = scoring.delete();
        for (int i = 0; i < a.length; i++) {
            int place = i % segments * LANES + i / segments;
            best[place] = (short) (mode.firstColumnFree ? 0 : -insert.of(i + 1));
            erase[place] = (short) (best[place] - delete.open());
        }
        Cancellation cancellation = new Cancellation();
        short[][] profile = profile(a, b, scoring, segments, cancellation);
        boolean local = mode == AlignmentMode.LOCAL;
        // below any value from which a gap could go on, and above what overflows
        short none = (short) -(bound(a.length, b.length, scoring) + insert.open() + delete.open());
        ShortVector noInsert = ShortVector.broadcast(SPECIES, none);
        ShortVector insertOpen = ShortVector.broadcast(SPECIES, (short) insert.open());
        ShortVector insertExtend = ShortVector.broadcast(SPECIES, (short) insert.extend());
        ShortVector deleteOpen = ShortVector.broadcast(SPECIES, (short) delete.open());
        ShortVector deleteExtend = ShortVector.broadcast(SPECIES, (short) delete.extend());
        ShortVector floor = ShortVector.broadcast(SPECIES, local ? 0 : none);
        ShortVector most = ShortVector.zero(SPECIES);
        int lastRow = (a.length - 1) % segments * LANES + (a.length - 1) / segments;
        long answer = mode == AlignmentMode.FIT_A_IN_B ? -insert.of(a.length) : Long.MIN_VALUE;
        for (int j = 0; j < b.length; j++) {
            cancellation.count((long) StripedTable.STEPS * a.length);
            short[] scores = profile[j];
            short edgeBefore = (short) (mode.firstRowFree ? 0 : -delete.of(j));
            short edge = (short) (mode.firstRowFree ? 0 : -delete.of(j + 1));
            ShortVector inserted = noInsert.withLane(0, (short) (edge - insert.open()));
            ShortVector diagonal = ShortVector.fromArray(SPECIES, best, (segments - 1) * LANES)
                    .rearrange(ONE_LANE_ON)
                    .withLane(0, edgeBefore);
            short[] swapped = before;
            before = best;
            best = swapped;
            for (int at = 0; at < segments * LANES; at += LANES) {
                ShortVector deleted = ShortVector.fromArray(SPECIES, erase, at);
                ShortVector value = diagonal
                        .add(ShortVector.fromArray(SPECIES, scores, at))
                        .max(deleted)
                        .max(inserted)
                        .max(floor);
                diagonal = ShortVector.fromArray(SPECIES, before, at);
                value.intoArray(best, at);
                most = most.max(value);
                deleted.sub(deleteExtend).max(value.sub(deleteOpen)).intoArray(erase, at);
                inserted = inserted.sub(insertExtend).max(value.sub(insertOpen));
            }
            goOn(inserted, best, erase, noInsert, insertOpen, insertExtend, deleteOpen);
            if (mode == AlignmentMode.FIT_A_IN_B || mode == AlignmentMode.OVERLAP) {
                answer = Math.max(answer, best[lastRow]);
            }
        }
        return switch (mode) {
            case LOCAL -> most.reduceLanes(VectorOperators.MAX);
            case GLOBAL -> best[lastRow];
            case FIT_A_IN_B -> answer;
            case OVERLAP -> Math.max(answer, lastColumn(best, a.length, segments));
            case FIT_B_IN_A -> Math.max(-delete.of(b.length), lastColumn(best, a.length, segments));
        };
    }

    /** Carries the gaps that leave a lane into the next one. */
    private static void goOn(
            ShortVector leaving,
            short[] best,
            short[] erase,
            ShortVector noInsert,
            ShortVector insertOpen,
            ShortVector insertExtend,
            ShortVector deleteOpen) {
        ShortVector inserted = leaving;
        for (int lane = 1; lane < LANES; lane++) {
            inserted = inserted.rearrange(ONE_LANE_ON).blend(noInsert, FIRST_LANE);
            for (int at = 0; at < best.length; at += LANES) {
                ShortVector value = ShortVector.fromArray(SPECIES, best, at);
                if (!inserted.compare(VectorOperators.GT, value.sub(insertOpen)).anyTrue()) {
                    return;
                }
                value = value.max(inserted);
                value.intoArray(best, at);
                ShortVector.fromArray(SPECIES, erase, at).max(value.sub(deleteOpen)).intoArray(erase, at);
                inserted = inserted.sub(insertExtend).max(noInsert);
            }
        }
    }

    /** For each letter of b what the letters of a score with it, in the order of the vectors; 0 below a. */
    private static short[][] profile(int[] a, int[] b, Scoring scoring, int segments, Cancellation cancellation) {
        int[] placed = new int[segments * LANES];
        Arrays.fill(placed, BELOW_A);
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
            short[] column = new short[table.length];
            for (int x = 0; x < column.length; x++) {
                column[x] = (short) table[x][letter];
            }
            for (int place = 0; place < placed.length; place++) {
                scores[place] = placed[place] == BELOW_A ? 0 : column[placed[place]];
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

    /** No value is below its negation. */
    private static long bound(int aLength, int bLength, Scoring scoring) {
        return scoring.insert().of(aLength) + scoring.delete().of(bLength) - Math.min(0, scoring.smallest());
    }

    /** Whether no value of the tables of a pair is beyond the type. */
    @Override
    public boolean holds(int aLength, int bLength, Scoring scoring) {
        long costs = 2L * (scoring.insert().open() + scoring.delete().open());
        return bound(aLength, bLength, scoring) + costs + 2L * scoring.insert().extend() < Short.MAX_VALUE
                && (long) Math.max(0, scoring.largest()) * Math.min(aLength, bLength) < Short.MAX_VALUE;
    }
}
