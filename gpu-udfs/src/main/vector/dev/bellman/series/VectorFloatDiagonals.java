package dev.bellman.series;

import static jdk.incubator.vector.VectorOperators.LT;

import dev.bellman.columns.Cancellation;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Computes several FLOAT cells at once. Arrays are indexed as in {@link Wave}. The last vector of a diagonal may have
 * lanes beyond its end; no cell depends on their values.
 */
final class VectorFloatDiagonals implements FloatDiagonals {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int LANES = SPECIES.length();
    private static final float NONE = Float.POSITIVE_INFINITY;

    /** The number of {@link Cancellation} steps per cell: several, because vector code is slow until it is compiled. */
    private static final int STEPS = 16;

    @Override
    public double last(SeriesTable table, double limit) {
        Cancellation cancellation = new Cancellation();
        int rows = table.rows();
        int columns = table.columns();
        boolean squared = table.rule.isSquared();
        float[] a = new float[rows + 1 + LANES];
        float[] b = new float[columns + LANES];
        for (int i = 1; i <= rows; i++) {
            a[i] = (float) table.a.at(0, i - 1);
        }
        for (int j = 1; j <= columns; j++) {
            b[columns - j] = (float) table.b.at(0, j - 1);
        }
        float[] now = none(rows + 2 + LANES);
        float[] before = none(now.length);
        float[] beforeThat = none(now.length);
        beforeThat[0] = 0;
        for (int d = 2; d <= rows + columns; d++) {
            int first = table.firstRow(d);
            int last = table.lastRow(d);
            cancellation.count((long) STEPS * (last - first + 1));
            for (int i = first; i <= last; i += LANES) {
                FloatVector difference = at(a, i).sub(at(b, i + columns - d));
                FloatVector least = min(at(beforeThat, i - 1), min(at(before, i - 1), at(before, i)));
                FloatVector cells = squared ? difference.fma(difference, least) : least.add(difference.abs());
                cells.intoArray(now, i);
            }
            now[first - 1] = NONE;
            now[last + 1] = NONE;
            float[] free = beforeThat;
            beforeThat = before;
            before = now;
            now = free;
            // every path visits at least one of any two consecutive diagonals
            if (limit < NONE
                    && d % SeriesDiagonals.LOOK == 0
                    && least(before, first, last) > limit
                    && least(beforeThat, table.firstRow(d - 1), table.lastRow(d - 1)) > limit) {
                return NONE;
            }
        }
        return before[rows];
    }

    private static float[] none(int length) {
        float[] none = new float[length];
        Arrays.fill(none, NONE);
        return none;
    }

    private static float least(float[] diagonal, int first, int last) {
        float least = NONE;
        for (int i = first; i <= last; i++) {
            least = Math.min(least, diagonal[i]);
        }
        return least;
    }

    private static FloatVector at(float[] values, int i) {
        return FloatVector.fromArray(SPECIES, values, i);
    }

    /**
     * Returns the lane-wise minimum. {@code FloatVector.min} would take longer, because it also handles NaN and zeros
     * of different signs.
     */
    private static FloatVector min(FloatVector x, FloatVector y) {
        return y.blend(x, x.compare(LT, y));
    }
}
