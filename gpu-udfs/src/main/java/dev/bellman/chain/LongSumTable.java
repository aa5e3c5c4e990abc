package dev.bellman.chain;

import java.util.Arrays;

/**
 * Computes the table of {@code cost(i, j) = w(i, j) + min over k of cost(i, k) + cost(k + 1, j)} in 64-bit integers.
 * Costs and weights must not be negative. If a bound shows that no candidate can exceed 63 bits, loops without checks,
 * which the compiler can vectorize, compute the table. Otherwise, each candidate is checked, and candidates beyond 63
 * bits are dropped.
 */
public final class LongSumTable extends ParenthesizationTable implements ChainSolver {
    /** Returns the weight of the range from leaf {@code i} to leaf {@code j}, counted from 1. */
    @FunctionalInterface
    public interface Weight {
        long of(int i, int j);
    }

    private final long[][] rows;
    private final long[] leaf;
    private final Weight weight;
    private final boolean checked;

    /** @param bound an upper bound on the cost of each range of leaves; negative if a cost may exceed 63 bits */
    public LongSumTable(long[] leaf, Weight weight, long bound) {
        super(leaf.length);
        this.leaf = leaf;
        this.weight = weight;
        rows = new long[leaves][];
        checked = isChecked(bound);
    }

    /** Whether candidates must be checked for overflow if no range costs more than {@code bound}. */
    static boolean isChecked(long bound) {
        return bound < 0 || bound > Long.MAX_VALUE / 2;
    }

    @Override
    public int cellBytes() {
        return Long.BYTES;
    }

    @Override
    protected void open(int row) {
        rows[row] = new long[row + 1];
        Arrays.fill(rows[row], 0, row, checked ? OVERFLOW : Long.MAX_VALUE);
        rows[row][row] = leaf[leaves - row - 1];
    }

    @Override
    protected void relax(int row, int t, int from, int to) {
        long[] costs = rows[row];
        if (checked) {
            relaxChecked(costs, from, to, costs[t], rows[t - 1]);
        } else if (to - from < SHORT) {
            relaxFew(costs, from, to, costs[t], rows[t - 1]);
        } else {
            relaxMany(costs, from, to, costs[t], rows[t - 1]);
        }
    }

    private static void relaxFew(long[] row, int from, int to, long left, long[] right) {
        for (int c = from; c < to; c++) {
            row[c] = Math.min(row[c], left + right[c]);
        }
    }

    private static void relaxMany(long[] row, int from, int to, long left, long[] right) {
        for (int c = from; c < to; c++) {
            long gain = left + right[c] - row[c];
            row[c] += gain & gain >> 63;
        }
    }

    static void relaxChecked(long[] row, int from, int to, long left, long[] right) {
        for (int c = from; c < to; c++) {
            long candidate = CostArithmetic.sum(left, right[c]);
            if (candidate >= 0 && (row[c] < 0 || candidate < row[c])) {
                row[c] = candidate;
            }
        }
    }

    @Override
    protected void finish(int row, int column) {
        long cost = CostArithmetic.sum(rows[row][column], weight.of(leaves - row, leaves - column));
        rows[row][column] = Math.max(OVERFLOW, cost);
    }

    @Override
    protected boolean isOptimal(int i, int k, int j) {
        return CostArithmetic.sum(CostArithmetic.sum(cost(i, k), cost(k + 1, j)), weight.of(i, j)) == cost(i, j);
    }

    private long cost(int i, int j) {
        return rows[leaves - i][leaves - j];
    }

    @Override
    public long cost() {
        return cost(1, leaves);
    }
}
