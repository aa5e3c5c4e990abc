package dev.bellman.chain.matrix;

import static dev.bellman.chain.CostArithmetic.product;
import static dev.bellman.chain.CostArithmetic.sum;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.chain.ChainSolver;
import dev.bellman.chain.ParenthesizationTable;
import java.util.Arrays;

/**
 * The table of a matrix chain (Godbole 1973; Cormen et al., "Introduction to Algorithms"): the cost of every product of
 * neighbouring matrices {@code i} to {@code j} is the minimum over all splits {@code k} of {@code cost(i, k) + cost(k +
 * 1, j) + dims[i - 1] * dims[k] * dims[j]}.
 *
 * <p><b>Splits that are never optimal.</b> Consider the chain as a polygon, as in {@link HuShing}; fact 5 there is the
 * proof. A split of a product is never optimal if there are smaller dimensions on both sides of it: one between the
 * split and each end of the product. {@link #lowest} skips such splits. In a random chain, about {@code 2 ln n} splits
 * per product remain. The computations by tiles and by the recursion use this property; the computation by rows does
 * not.
 *
 * <p>Where candidates need no check, the innermost loops compute the minimum without branches, so that the compiler can
 * use vector instructions.
 *
 * <p>Every candidate is at most the largest dimension times the sum of all neighbouring products, plus one product,
 * since an optimum is no worse than the order from left to right. If this bound fits in 31 bits, the table stores ints;
 * if the bound fits in 63 bits, the table stores longs. Otherwise, each candidate is checked, and candidates that
 * overflow are dropped.
 */
abstract sealed class ChainTable extends ParenthesizationTable implements ChainSolver {
    /** The dimensions in reverse order: {@code dims[j]} is at {@code n - j}, the column that ends at {@code j}. */
    final long[] weights;

    /** For each column, the nearest lower column with a smaller weight, or -1. */
    private final int[] smallerBelow;

    /** For each column, the nearest higher column with a smaller weight, or {@code n + 1}. */
    private final int[] smallerAbove;

    private ChainTable(long[] dims) {
        super(dims.length - 1);
        weights = new long[dims.length];
        for (int j = 0; j <= leaves; j++) {
            weights[leaves - j] = dims[j];
        }
        smallerBelow = new int[dims.length];
        smallerAbove = new int[dims.length];
        for (int c = 0; c <= leaves; c++) {
            int at = c - 1;
            while (at >= 0 && weights[at] >= weights[c]) {
                at = smallerBelow[at];
            }
            smallerBelow[c] = at;
        }
        for (int c = leaves; c >= 0; c--) {
            int at = c + 1;
            while (at <= leaves && weights[at] >= weights[c]) {
                at = smallerAbove[at];
            }
            smallerAbove[c] = at;
        }
    }

    /**
     * Returns a table, filled by rows.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the table exceeds a task's share of the heap
     */
    static ChainTable of(String function, long[] dims) {
        ChainTable table = empty(function, dims);
        table.fill();
        return table;
    }

    /** Returns a table, filled by tiles with the given number of threads. */
    static ChainTable tiled(String function, long[] dims, int threads) {
        ChainTable table = empty(function, dims);
        table.fill(threads);
        return table;
    }

    /** Returns a table, filled by the 2-way recursion with the given number of threads. */
    static ChainTable rWay(String function, long[] dims, int threads) {
        ChainTable table = empty(function, dims);
        table.fillRWay(threads);
        return table;
    }

    /** Returns a table that is still to be filled. */
    static ChainTable empty(String function, long[] dims) {
        long bound = bound(dims);
        boolean narrow = bound <= Integer.MAX_VALUE;
        int matrices = dims.length - 1;
        boolean polygon = Triangulation.takesWeights(function);
        takeMemory(
                function,
                () -> polygon
                        ? "a polygon of %d vertices".formatted(dims.length)
                        : "a chain of %d matrices".formatted(matrices),
                matrices,
                narrow ? Integer.BYTES : Long.BYTES,
                "the strategy hu-shing (which needs no table), "
                        + (polygon
                                ? ""
                                : "the job %s (which computes the table on all executors), "
                                        .formatted(MatrixChainFunctions.ONE_CHAIN.name())));
        if (narrow) {
            return new IntTable(dims);
        }
        return bound < Long.MAX_VALUE ? new LongTable(dims) : new CheckedTable(dims);
    }

    /** Returns an upper bound on every candidate, capped at {@link Long#MAX_VALUE}. */
    static long bound(long[] dims) {
        long largest = Arrays.stream(dims).max().orElseThrow();
        long sum = product(largest, largest);
        for (int i = 0; i + 1 < dims.length && sum >= 0; i++) {
            sum = sum(sum, product(dims[i], dims[i + 1]));
        }
        long bound = product(largest, sum);
        return bound < 0 ? Long.MAX_VALUE : bound;
    }

    @Override
    protected final int lowest(int row, int t) {
        return smallerAbove[t] > row ? 0 : smallerBelow[t];
    }

    /** Returns the cost of the product of the matrices {@code i} to {@code j}. */
    abstract long cost(int i, int j);

    @Override
    public final long cost() {
        return cost(1, leaves);
    }

    @Override
    protected final boolean isOptimal(int i, int k, int j) {
        long parts = sum(cost(i, k), cost(k + 1, j));
        long product = product(product(weights[leaves - i + 1], weights[leaves - k]), weights[leaves - j]);
        return sum(parts, product) == cost(i, j);
    }

    private static final class IntTable extends ChainTable {
        private final int[][] rows = new int[leaves][];
        private final int[] narrow = new int[leaves + 1];

        IntTable(long[] dims) {
            super(dims);
            for (int c = 0; c <= leaves; c++) {
                narrow[c] = (int) weights[c];
            }
        }

        @Override
        public int cellBytes() {
            return Integer.BYTES;
        }

        @Override
        protected void open(int row) {
            rows[row] = new int[row + 1];
            Arrays.fill(rows[row], 0, row, Integer.MAX_VALUE);
        }

        @Override
        protected void relax(int row, int t, int from, int to) {
            int[] costs = rows[row];
            int factor = narrow[row + 1] * narrow[t];
            if (to - from < SHORT) {
                relaxFew(costs, from, to, costs[t], rows[t - 1], factor, narrow);
            } else {
                relaxMany(costs, from, to, costs[t], rows[t - 1], factor, narrow);
            }
        }

        private static void relaxFew(int[] row, int from, int to, int left, int[] right, int factor, int[] weights) {
            for (int c = from; c < to; c++) {
                row[c] = Math.min(row[c], left + right[c] + factor * weights[c]);
            }
        }

        private static void relaxMany(int[] row, int from, int to, int left, int[] right, int factor, int[] weights) {
            for (int c = from; c < to; c++) {
                int gain = left + right[c] + factor * weights[c] - row[c];
                row[c] += gain & gain >> 31;
            }
        }

        @Override
        long cost(int i, int j) {
            return rows[leaves - i][leaves - j];
        }
    }

    private static non-sealed class LongTable extends ChainTable {
        final long[][] rows = new long[leaves][];

        LongTable(long[] dims) {
            super(dims);
        }

        @Override
        public final int cellBytes() {
            return Long.BYTES;
        }

        @Override
        protected final void open(int row) {
            rows[row] = new long[row + 1];
            Arrays.fill(rows[row], 0, row, none());
        }

        /** Returns the initial value of a cost, before any candidate. */
        long none() {
            return Long.MAX_VALUE;
        }

        @Override
        protected void relax(int row, int t, int from, int to) {
            long[] costs = rows[row];
            long factor = weights[row + 1] * weights[t];
            if (to - from < SHORT) {
                relaxFew(costs, from, to, costs[t], rows[t - 1], factor, weights);
            } else {
                relaxMany(costs, from, to, costs[t], rows[t - 1], factor, weights);
            }
        }

        private static void relaxFew(
                long[] row, int from, int to, long left, long[] right, long factor, long[] weights) {
            for (int c = from; c < to; c++) {
                row[c] = Math.min(row[c], left + right[c] + factor * weights[c]);
            }
        }

        private static void relaxMany(
                long[] row, int from, int to, long left, long[] right, long factor, long[] weights) {
            for (int c = from; c < to; c++) {
                long gain = left + right[c] + factor * weights[c] - row[c];
                row[c] += gain & gain >> 63;
            }
        }

        @Override
        final long cost(int i, int j) {
            return rows[leaves - i][leaves - j];
        }
    }

    private static final class CheckedTable extends LongTable {
        CheckedTable(long[] dims) {
            super(dims);
        }

        @Override
        long none() {
            return OVERFLOW;
        }

        @Override
        protected void relax(int row, int t, int from, int to) {
            long[] costs = rows[row];
            long[] right = rows[t - 1];
            long left = costs[t];
            long factor = product(weights[row + 1], weights[t]);
            if (left < 0 || factor < 0) {
                return;
            }
            for (int c = from; c < to; c++) {
                long candidate = sum(sum(left, right[c]), product(factor, weights[c]));
                if (candidate >= 0 && (costs[c] < 0 || candidate < costs[c])) {
                    costs[c] = candidate;
                }
            }
        }
    }
}
