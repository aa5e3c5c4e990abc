package dev.bellman.chain;

import java.util.Arrays;

/**
 * Computes the table of {@code cost(i, j) = w(i, j) + min over k of cost(i, k) + cost(k + 1, j)} in doubles. Costs and
 * weights must not be negative or NaN. A candidate is {@code (cost(i, k) + cost(k + 1, j)) + w(i, j)}; because rounding
 * is monotonic, the weight may be added to the minimum.
 */
public final class DoubleSumTable extends ParenthesizationTable {
    /** Returns the weight of the range from leaf {@code i} to leaf {@code j}, counted from 1. */
    @FunctionalInterface
    public interface Weight {
        double of(int i, int j);
    }

    private final double[][] rows;
    private final double[] leaf;
    private final Weight weight;

    public DoubleSumTable(double[] leaf, Weight weight) {
        super(leaf.length);
        this.leaf = leaf;
        this.weight = weight;
        rows = new double[leaves][];
    }

    @Override
    public int cellBytes() {
        return Double.BYTES;
    }

    @Override
    protected void open(int row) {
        rows[row] = new double[row + 1];
        Arrays.fill(rows[row], 0, row, Double.POSITIVE_INFINITY);
        rows[row][row] = leaf[leaves - row - 1];
    }

    @Override
    protected void relax(int row, int t, int from, int to) {
        double[] costs = rows[row];
        if (to - from < SHORT) {
            relaxFew(costs, from, to, costs[t], rows[t - 1]);
        } else {
            relaxMany(costs, from, to, costs[t], rows[t - 1]);
        }
    }

    private static void relaxFew(double[] row, int from, int to, double left, double[] right) {
        for (int c = from; c < to; c++) {
            double candidate = left + right[c];
            row[c] = candidate < row[c] ? candidate : row[c];
        }
    }

    static void relaxMany(double[] row, int from, int to, double left, double[] right) {
        for (int c = from; c < to; c++) {
            row[c] = Math.min(row[c], left + right[c]);
        }
    }

    @Override
    protected void finish(int row, int column) {
        rows[row][column] += weight.of(leaves - row, leaves - column);
    }

    @Override
    protected boolean isOptimal(int i, int k, int j) {
        return cost(i, k) + cost(k + 1, j) + weight.of(i, j) == cost(i, j);
    }

    private double cost(int i, int j) {
        return rows[leaves - i][leaves - j];
    }

    /** Returns the minimum cost of a tree over all leaves. */
    public double cost() {
        return cost(1, leaves);
    }
}
