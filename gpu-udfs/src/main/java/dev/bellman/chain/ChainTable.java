package dev.bellman.chain;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.Arrays;

/**
 * The textbook table (Godbole 1973; Cormen and others, "Introduction to Algorithms"): the cost of every product of neighbouring
 * matrices {@code i} to {@code j}, the least over all splits {@code k} of
 * {@code cost(i, k) + cost(k + 1, j) + dims[i - 1] * dims[k] * dims[j]}.
 *
 * <p>Rows are computed from the last one up, and within a row split by split: row {@code k + 1} is finished, so one split
 * relaxes the whole rest of row {@code i} in one pass over contiguous memory. Rows are stored from their far end, so that
 * {@code j} has the same index in all of them: that is what lets the compiler use vector instructions, together with a minimum
 * made of arithmetic. Splits are not stored but found again where they are asked for.
 *
 * <p>Every candidate is at most the largest dimension times the sum of all neighbouring products, plus one product, since an
 * optimum is no worse than the order from left to right. Where this bound fits 31 bits the table holds ints; where it fits
 * 63 bits, longs; else each candidate is checked, and one that overflows is no candidate.
 *
 * <p>Time O(n^3), memory {@code n (n + 1) / 2} cells.
 */
abstract sealed class ChainTable implements ChainSolver {
    /** The dimensions after the first, from the last one back: {@code dims[j]} at {@code n - j}. */
    final long[] reversed;

    final long[] dims;
    final int matrices;

    private ChainTable(long[] dims) {
        this.dims = dims;
        matrices = dims.length - 1;
        reversed = new long[matrices];
        for (int j = 1; j <= matrices; j++) {
            reversed[matrices - j] = dims[j];
        }
    }

    /**
     * Fills the table.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the table is larger than the heap of this JVM
     */
    static ChainTable of(String function, long[] dims) {
        return of(function, dims, Runtime.getRuntime().maxMemory());
    }

    static ChainTable of(String function, long[] dims, long memory) {
        long bound = bound(dims);
        boolean narrow = bound <= Integer.MAX_VALUE;
        long matrices = dims.length - 1L;
        long bytes = matrices * (matrices + 1) / 2 * (narrow ? Integer.BYTES : Long.BYTES);
        if (bytes > memory) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    ("%s: the table of a chain of %d matrices takes %d bytes; this JVM has a heap of at most %d. Use the "
                                    + "strategy hu-shing, which needs no table, or a larger heap")
                            .formatted(function, matrices, bytes, memory));
        }
        if (narrow) {
            return new IntTable(dims);
        }
        return bound < Long.MAX_VALUE ? new LongTable(dims) : new CheckedTable(dims);
    }

    /** A bound on every candidate, {@link Long#MAX_VALUE} where it is larger than that. */
    private static long bound(long[] dims) {
        long largest = Arrays.stream(dims).max().orElseThrow();
        long sum = product(largest, largest);
        for (int i = 0; i + 1 < dims.length && sum >= 0; i++) {
            sum = sum(sum, product(dims[i], dims[i + 1]));
        }
        long bound = product(largest, sum);
        return bound < 0 ? Long.MAX_VALUE : bound;
    }

    /** The product of two numbers, negative where it, or one of them, does not fit. */
    static long product(long a, long b) {
        return a < 0 || b < 0 || Math.multiplyHigh(a, b) != 0 ? OVERFLOW : a * b;
    }

    /** The sum of two numbers, negative where it, or one of them, does not fit. */
    static long sum(long a, long b) {
        return a < 0 || b < 0 ? OVERFLOW : a + b;
    }

    /** The cost of the product of the matrices {@code i} to {@code j}. */
    abstract long cost(int i, int j);

    @Override
    public final long cost() {
        return cost(1, matrices);
    }

    @Override
    public final int[] splits() {
        int[] splits = new int[matrices - 1];
        // products still to split: the right parts wait for the left ones
        int[] first = new int[matrices];
        int[] last = new int[matrices];
        int depth = 0;
        first[0] = 1;
        last[0] = matrices;
        for (int count = 0; count < splits.length; ) {
            int i = first[depth];
            int j = last[depth];
            if (i == j) {
                depth--;
                continue;
            }
            int k = split(i, j);
            splits[count++] = k;
            first[depth] = k + 1;
            depth++;
            first[depth] = i;
            last[depth] = k;
        }
        return splits;
    }

    /** The smallest optimal split. */
    private int split(int i, int j) {
        long cost = cost(i, j);
        for (int k = i; ; k++) {
            long parts = sum(cost(i, k), cost(k + 1, j));
            if (sum(parts, product(product(dims[i - 1], dims[k]), dims[j])) == cost) {
                return k;
            }
        }
    }

    private static final class IntTable extends ChainTable {
        private final int[][] rows;

        IntTable(long[] dims) {
            super(dims);
            int n = matrices;
            rows = new int[n + 1][];
            int[] weights = new int[n];
            for (int j = 0; j < n; j++) {
                weights[j] = (int) reversed[j];
            }
            for (int i = n; i >= 1; i--) {
                int[] row = new int[n - i + 1];
                Arrays.fill(row, 0, n - i, Integer.MAX_VALUE);
                for (int k = i; k < n; k++) {
                    relax(row, n - k, row[n - k], rows[k + 1], (int) (dims[i - 1] * dims[k]), weights);
                }
                rows[i] = row;
            }
        }

        private static void relax(int[] row, int end, int left, int[] right, int factor, int[] weights) {
            for (int j = 0; j < end; j++) {
                int gain = left + right[j] + factor * weights[j] - row[j];
                row[j] += gain & gain >> 31;
            }
        }

        @Override
        long cost(int i, int j) {
            return rows[i][matrices - j];
        }
    }

    private static final class LongTable extends ChainTable {
        private final long[][] rows;

        LongTable(long[] dims) {
            super(dims);
            int n = matrices;
            rows = new long[n + 1][];
            for (int i = n; i >= 1; i--) {
                long[] row = new long[n - i + 1];
                Arrays.fill(row, 0, n - i, Long.MAX_VALUE);
                for (int k = i; k < n; k++) {
                    relax(row, n - k, row[n - k], rows[k + 1], dims[i - 1] * dims[k], reversed);
                }
                rows[i] = row;
            }
        }

        private static void relax(long[] row, int end, long left, long[] right, long factor, long[] weights) {
            for (int j = 0; j < end; j++) {
                long gain = left + right[j] + factor * weights[j] - row[j];
                row[j] += gain & gain >> 63;
            }
        }

        @Override
        long cost(int i, int j) {
            return rows[i][matrices - j];
        }
    }

    private static final class CheckedTable extends ChainTable {
        private final long[][] rows;

        CheckedTable(long[] dims) {
            super(dims);
            int n = matrices;
            rows = new long[n + 1][];
            for (int i = n; i >= 1; i--) {
                long[] row = new long[n - i + 1];
                Arrays.fill(row, 0, n - i, OVERFLOW);
                for (int k = i; k < n; k++) {
                    relax(row, n - k, row[n - k], rows[k + 1], product(dims[i - 1], dims[k]));
                }
                rows[i] = row;
            }
        }

        private void relax(long[] row, int end, long left, long[] right, long factor) {
            if (left < 0 || factor < 0) {
                return;
            }
            for (int j = 0; j < end; j++) {
                long candidate = sum(sum(left, right[j]), product(factor, reversed[j]));
                if (candidate >= 0 && (row[j] < 0 || candidate < row[j])) {
                    row[j] = candidate;
                }
            }
        }

        @Override
        long cost(int i, int j) {
            return rows[i][matrices - j];
        }
    }
}
