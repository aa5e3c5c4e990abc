package dev.bellman.series;

import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.Arrays;

/**
 * The dynamic-programming table of two series. Row {@code i} and column {@code j} represent the first {@code i} points
 * of {@code a} and the first {@code j} points of {@code b}; row 0 and column 0 are the border. A {@link CellRule}
 * defines the other cells.
 *
 * <p>A band of width {@code r} (Sakoe and Chiba, 1978) allows the cells within {@code r} of the diagonal. If one series
 * is longer, the band allows the cells between the diagonals through the first and the last cell, and the cells within
 * {@code r} of either diagonal, so that a path always exists. Cells outside the band are infinite.
 */
public final class SeriesTable {
    /** All strategies return bit-for-bit the same results. */
    public enum Strategy {
        /** Uses {@link #ANTI_DIAGONAL} if vector instructions are available, otherwise {@link #SERIAL}. */
        AUTO,
        /** Computes the table row by row. */
        SERIAL,
        /** Computes the table along anti-diagonals, whose cells do not depend on each other. */
        ANTI_DIAGONAL
    }

    static final double NONE = Double.POSITIVE_INFINITY;

    /** The number of bytes per row and per column of a table, for two series, four diagonals and the gap costs. */
    private static final int BYTES_OF_A_ROW = 8 * Double.BYTES;

    final Series a;
    final Series b;
    final CellRule rule;
    /** The tolerance or the gap value of the rule, if it has one. */
    final double parameter;
    /** Whether an alignment may begin at any point of {@code b} without cost. */
    final boolean beginsAnywhere;
    /** The minimum of column minus row over the cells that are both in the band and in the table. */
    final int lowest;

    final int highest;
    /** The cost of pairing each point of {@code a} with a gap, starting at index 1. */
    final double[] aGaps;

    /** The cost of pairing each point of {@code b} with a gap, starting at index 1. */
    final double[] bGaps;
    /**
     * The border in column 0: the cost of the first points of {@code a} without any point of {@code b}, indexed by the
     * number of these points.
     */
    private final double[] aBorder;

    /**
     * The border in row 0: the cost of the first points of {@code b} without any point of {@code a}, indexed by the
     * number of these points.
     */
    private final double[] bBorder;

    private SeriesTable(Series a, Series b, CellRule rule, double parameter, int band, boolean beginsAnywhere) {
        this.a = a;
        this.b = b;
        this.rule = rule;
        this.parameter = parameter;
        this.beginsAnywhere = beginsAnywhere;
        int longer = b.length() - a.length();
        lowest = (int) Math.max(-a.length(), Math.min(0, longer) - (long) band);
        highest = (int) Math.min(b.length(), Math.max(0, longer) + (long) band);
        TaskMemory.take((long) BYTES_OF_A_ROW * (a.length() + b.length()), () -> "the table for %,d by %,d points"
                .formatted(a.length(), b.length()));
        boolean gaps = rule == CellRule.ERP;
        aGaps = gaps ? gaps(a, parameter) : null;
        bGaps = gaps ? gaps(b, parameter) : null;
        aBorder = border(a.length(), aGaps);
        bBorder = border(b.length(), bGaps);
    }

    /** Creates the table of two whole series. */
    static SeriesTable of(Series a, Series b, CellRule rule, double parameter, int band) {
        return new SeriesTable(a, b, rule, parameter, band, false);
    }

    /** Creates the table that aligns all of {@code a} with any part of {@code b}. */
    static SeriesTable within(Series a, Series b, CellRule rule) {
        return new SeriesTable(a, b, rule, 0, Integer.MAX_VALUE, true);
    }

    private static double[] gaps(Series series, double gap) {
        double[] gaps = new double[series.length() + 1];
        for (int k = 0; k < series.dimensions(); k++) {
            for (int i = 1; i < gaps.length; i++) {
                gaps[i] += Math.abs(series.at(k, i - 1) - gap);
            }
        }
        return gaps;
    }

    /** Returns a border, or null if the border consists of infinite cells because every point must have a partner. */
    private double[] border(int length, double[] gaps) {
        if (rule.isClosed()) {
            return null;
        }
        double[] border = new double[length + 1];
        for (int i = 1; i <= length; i++) {
            border[i] = rule == CellRule.ERP ? border[i - 1] + gaps[i] : rule == CellRule.EDR ? i : 0;
        }
        return border;
    }

    /** Returns the cell {@code (i, 0)} of the border. */
    double side(int i) {
        return i == 0 ? 0 : aBorder == null || -i < lowest ? NONE : aBorder[i];
    }

    /** Returns the cell {@code (0, j)} of the border. */
    double top(int j) {
        return j == 0 || beginsAnywhere ? 0 : bBorder == null || j > highest ? NONE : bBorder[j];
    }

    int rows() {
        return a.length();
    }

    int columns() {
        return b.length();
    }

    /** Returns the number of cells in the band. */
    long cells() {
        return (long) rows() * columns() - triangle(rows() + lowest - 1) - triangle(columns() - highest - 1);
    }

    private static long triangle(long side) {
        return side < 0 ? 0 : side * (side + 1) / 2;
    }

    private double cell(int i, int j, double before, double above, double left) {
        double least = Math.min(Math.min(before, above), left);
        return switch (rule) {
            case SQUARED -> sumOfSquares(i, j, least);
            case ABSOLUTE -> sumOfDifferences(i, j, least);
            case SQUARED_FLOAT, ABSOLUTE_FLOAT ->
                CellRule.plusInFloat(rule.isSquared(), least, (float) a.at(0, i - 1) - (float) b.at(0, j - 1));
            case FRECHET -> Math.max(least, sumOfSquares(i, j, 0));
            case ERP -> Math.min(Math.min(before + sumOfDifferences(i, j, 0), above + aGaps[i]), left + bGaps[j]);
            case EDR -> Math.min(before + (matches(i, j) ? 0 : 1), Math.min(above, left) + 1);
            case LCSS -> Math.min(before - (matches(i, j) ? 1 : 0), Math.min(above, left));
        };
    }

    private double sumOfSquares(int i, int j, double start) {
        double sum = start;
        for (int k = 0; k < a.dimensions(); k++) {
            double d = a.at(k, i - 1) - b.at(k, j - 1);
            sum = Math.fma(d, d, sum);
        }
        return sum;
    }

    private double sumOfDifferences(int i, int j, double start) {
        double sum = start;
        for (int k = 0; k < a.dimensions(); k++) {
            sum += Math.abs(a.at(k, i - 1) - b.at(k, j - 1));
        }
        return sum;
    }

    private boolean matches(int i, int j) {
        for (int k = 0; k < a.dimensions(); k++) {
            if (Math.abs(a.at(k, i - 1) - b.at(k, j - 1)) > parameter) {
                return false;
            }
        }
        return true;
    }

    /** Returns the last cell. */
    double last(Strategy strategy) {
        return last(strategy, NONE);
    }

    /**
     * Returns the last cell, or infinity if it is certain to be larger than {@code limit}. A finite limit requires a
     * rule whose cells are never less than the minimum of the cells from which they are computed, so any rule except
     * {@link CellRule#LCSS}.
     */
    double last(Strategy strategy, double limit) {
        if (rows() == 0) {
            return top(columns());
        }
        if (columns() == 0) {
            return side(rows());
        }
        if (strategy == Strategy.SERIAL || strategy == Strategy.AUTO && DiagonalSteps.VECTORS.isEmpty()) {
            return lastByRows(limit);
        }
        return rule.isFloat() && FloatDiagonals.VECTORS.isPresent()
                ? FloatDiagonals.VECTORS.get().last(this, limit)
                : new SeriesDiagonals(this).last(limit);
    }

    /** Returns the first row of an anti-diagonal inside the table and the band. */
    int firstRow(int diagonal) {
        // half of the difference, rounded up
        int ofBand = diagonal - highest + 1 >> 1;
        return Math.max(Math.max(1, diagonal - columns()), ofBand);
    }

    /** Returns the last row of an anti-diagonal, or the first row minus 1 if the diagonal is empty. */
    int lastRow(int diagonal) {
        int ofBand = (int) ((long) diagonal - lowest >> 1);
        return Math.min(Math.min(rows(), diagonal - 1), ofBand);
    }

    private double lastByRows(double limit) {
        Cancellation cancellation = new Cancellation();
        double[] row = firstRow();
        for (int i = 1; i <= rows(); i++) {
            cancellation.count(Math.min(columns(), (long) highest - lowest + 1));
            if (next(row, i) > limit) {
                return NONE;
            }
        }
        return row[columns()];
    }

    private double[] firstRow() {
        double[] row = new double[columns() + 1];
        Arrays.setAll(row, this::top);
        return row;
    }

    double[][] allRows() {
        Cancellation cancellation = new Cancellation();
        double[][] rows = new double[rows() + 1][];
        rows[0] = firstRow();
        for (int i = 1; i <= rows(); i++) {
            cancellation.count(columns());
            rows[i] = rows[i - 1].clone();
            next(rows[i], i);
        }
        return rows;
    }

    /** Replaces row {@code i - 1} with row {@code i} and returns the minimum of row {@code i}. */
    private double next(double[] row, int i) {
        int from = Math.max(1, i + lowest);
        int to = (int) Math.min(columns(), (long) i + highest);
        double before = row[from - 1];
        row[from - 1] = from == 1 ? side(i) : NONE;
        return rule == CellRule.SQUARED && a.dimensions() == 1
                ? nextOfSquares(row, i, from, to, before)
                : next(row, i, from, to, before);
    }

    private double next(double[] row, int i, int from, int to, double diagonal) {
        double before = diagonal;
        double left = row[from - 1];
        double least = left;
        for (int j = from; j <= to; j++) {
            double above = row[j];
            left = cell(i, j, before, above, left);
            row[j] = left;
            before = above;
            least = Math.min(least, left);
        }
        return least;
    }

    /** Like {@link #next}, but only for the most frequent case, {@link CellRule#SQUARED} in one dimension. */
    private double nextOfSquares(double[] row, int i, int from, int to, double diagonal) {
        double[] y = b.values();
        double x = a.values()[i - 1];
        double before = diagonal;
        double left = row[from - 1];
        double least = left;
        for (int j = from; j <= to; j++) {
            double above = row[j];
            double d = x - y[j - 1];
            left = Math.fma(d, d, Math.min(left, Math.min(before, above)));
            row[j] = left;
            before = above;
            least = Math.min(least, left);
        }
        return least;
    }

    /** Returns the minimum of the last row, where {@code a} ends, and the first column with that minimum. */
    End end(Strategy strategy) {
        if (strategy == Strategy.ANTI_DIAGONAL || strategy == Strategy.AUTO && DiagonalSteps.VECTORS.isPresent()) {
            return new SeriesDiagonals(this).endOfLastRow();
        }
        Cancellation cancellation = new Cancellation();
        double[] row = firstRow();
        for (int i = 1; i <= rows(); i++) {
            cancellation.count(columns());
            next(row, i);
        }
        int end = 1;
        for (int j = 2; j <= columns(); j++) {
            end = row[j] < row[end] ? j : end;
        }
        return new End(row[end], end);
    }

    /** A cell of the last row. */
    record End(double value, int column) {}
}
