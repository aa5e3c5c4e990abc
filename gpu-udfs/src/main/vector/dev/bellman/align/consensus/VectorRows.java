package dev.bellman.align.consensus;

import dev.bellman.align.scoring.GapCosts;
import java.util.stream.IntStream;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/** Computes several columns at once; {@link PlainRows} computes the columns after the last whole vector. */
final class VectorRows implements RowSteps {
    private static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();

    /** Moves each lane up by one; the first lane also stays. */
    private static final VectorShuffle<Integer> BY_1 = up(1);

    private static final VectorShuffle<Integer> BY_2 = up(2);
    private static final VectorShuffle<Integer> BY_4 = up(4);
    private static final VectorShuffle<Integer> BY_8 = up(8);
    private static final VectorMask<Integer> FIRST = SPECIES.indexInRange(0, 1);

    private static final IntVector LANE =
            IntVector.fromArray(SPECIES, IntStream.range(0, LANES).toArray(), 0);

    private static VectorShuffle<Integer> up(int lanes) {
        return VectorShuffle.fromOp(SPECIES, lane -> Math.max(lane - lanes, 0));
    }

    @Override
    public int steps() {
        // each cell counts as several steps, because vector code is slow until it is compiled
        return 16;
    }

    @Override
    public void first(int[] best, int[] skip, int[] bestBefore, int[] skipBefore, int[] profile, GapCosts delete) {
        int open = delete.open();
        int extend = delete.extend();
        int j = 1;
        for (; j <= best.length - LANES; j += LANES) {
            IntVector skipped =
                    at(bestBefore, j).sub(open).max(at(skipBefore, j).sub(extend));
            skipped.intoArray(skip, j);
            at(bestBefore, j - 1).add(at(profile, j)).max(skipped).intoArray(best, j);
        }
        PlainRows.first(best, skip, bestBefore, skipBefore, profile, delete, j);
    }

    @Override
    public void next(int[] best, int[] skip, int[] bestBefore, int[] skipBefore, int[] profile, GapCosts delete) {
        int open = delete.open();
        int extend = delete.extend();
        int j = 1;
        for (; j <= best.length - LANES; j += LANES) {
            IntVector skipped =
                    at(bestBefore, j).sub(open).max(at(skipBefore, j).sub(extend));
            skipped.max(at(skip, j)).intoArray(skip, j);
            at(bestBefore, j - 1)
                    .add(at(profile, j))
                    .max(skipped)
                    .max(at(best, j))
                    .intoArray(best, j);
        }
        PlainRows.next(best, skip, bestBefore, skipBefore, profile, delete, j);
    }

    @Override
    public void skip(int[] best, int[] skip, int[] bestBefore, int[] skipBefore, GapCosts delete) {
        int open = delete.open();
        int extend = delete.extend();
        int j = 1;
        for (; j <= best.length - LANES; j += LANES) {
            IntVector skipped = at(bestBefore, j)
                    .sub(open)
                    .max(at(skipBefore, j).sub(extend))
                    .max(at(skip, j));
            skipped.intoArray(skip, j);
            skipped.max(at(best, j)).intoArray(best, j);
        }
        PlainRows.skip(best, skip, bestBefore, skipBefore, delete, j);
    }

    /**
     * A gap from column {@code k} to column {@code j} costs {@code open - extend + j * extend - k * extend}. So the
     * best gap that ends in a column begins at the maximum of {@code best[k] + k * extend} over the previous columns.
     */
    @Override
    public void insert(int[] best, GapCosts insert) {
        int extend = insert.extend();
        int opening = insert.open() - extend;
        IntVector step = LANE.mul(extend);
        int most = best[0];
        int j = 1;
        for (; j <= best.length - LANES; j += LANES) {
            IntVector other = at(best, j);
            IntVector offset = step.add(j * extend);
            IntVector maxima = maxima(other.add(offset));
            IntVector before = maxima.rearrange(BY_1).blend(most, FIRST).max(most);
            other.max(before.sub(offset).sub(opening)).intoArray(best, j);
            most = Math.max(most, maxima.lane(LANES - 1));
        }
        PlainRows.insert(best, insert, j, most - opening - j * extend);
    }

    /** Returns the maximum of each lane and the lanes before it. */
    private static IntVector maxima(IntVector values) {
        IntVector maxima = values.max(values.rearrange(BY_1));
        maxima = maxima.max(maxima.rearrange(BY_2));
        if (LANES > 4) {
            maxima = maxima.max(maxima.rearrange(BY_4));
        }
        return LANES > 8 ? maxima.max(maxima.rearrange(BY_8)) : maxima;
    }

    private static IntVector at(int[] scores, int j) {
        return IntVector.fromArray(SPECIES, scores, j);
    }
}
