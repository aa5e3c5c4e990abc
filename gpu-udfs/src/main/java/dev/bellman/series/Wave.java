package dev.bellman.series;

import java.util.Arrays;

/**
 * Three anti-diagonals of a table, indexed by row, and the two series. For a cell in row {@code i}, the cell above is
 * at index {@code i - 1} of the previous diagonal, the cell to the left is at index {@code i} of the previous diagonal,
 * and the diagonal cell is at index {@code i - 1} of the diagonal before that.
 */
final class Wave {
    final CellRule rule;
    final double parameter;
    final int dimensions;
    /** The points of the first series. Point {@code i} in dimension {@code k} is at {@code k * aStride + i}. */
    final double[] a;

    final int aStride;
    /**
     * The points of the second series, in reverse order. Point {@code j} in dimension {@code k} is at {@code k *
     * bStride + columns - j}.
     */
    final double[] b;

    final int bStride;
    /** The costs of gaps in the order of {@link #a}; null if the rule has no gaps. */
    final double[] aGaps;

    final double[] bGaps;
    double[] now;
    double[] before;
    double[] beforeThat;

    Wave(SeriesTable table, int padding) {
        rule = table.rule;
        parameter = table.parameter;
        dimensions = table.a.dimensions();
        int rows = table.rows();
        int columns = table.columns();
        aStride = rows + 1 + padding;
        bStride = columns + padding;
        a = new double[Math.multiplyExact(dimensions, aStride)];
        b = new double[Math.multiplyExact(dimensions, bStride)];
        for (int k = 0; k < dimensions; k++) {
            System.arraycopy(table.a.values(), k * rows, a, k * aStride + 1, rows);
            for (int j = 1; j <= columns; j++) {
                b[k * bStride + columns - j] = table.b.at(k, j - 1);
            }
        }
        aGaps = table.aGaps == null ? null : Arrays.copyOf(table.aGaps, aStride);
        bGaps = table.bGaps == null ? null : backwards(table.bGaps, bStride);
        now = none(aStride + 1);
        before = none(aStride + 1);
        beforeThat = none(aStride + 1);
    }

    private static double[] backwards(double[] values, int length) {
        double[] backwards = new double[length];
        for (int j = 1; j < values.length; j++) {
            backwards[values.length - 1 - j] = values[j];
        }
        return backwards;
    }

    private static double[] none(int length) {
        double[] none = new double[length];
        Arrays.fill(none, SeriesTable.NONE);
        return none;
    }

    /** Rotates the arrays for the next diagonal. */
    void advance() {
        double[] free = beforeThat;
        beforeThat = before;
        before = now;
        now = free;
    }
}
