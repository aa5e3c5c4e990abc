package dev.bellman.chain;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;

/**
 * The order of multiplying a chain of matrices that takes the fewest scalar multiplications.
 *
 * <p>{@code dims} has one entry more than the chain has matrices: matrix {@code i}, from 1, has {@code dims[i - 1]} rows and
 * {@code dims[i]} columns. A tree is given by its <em>splits</em> in preorder (a product, then its left part, then its right
 * part): for each product of two or more matrices, the last matrix of its left part, counted from 1. There are {@code n - 1}.
 *
 * <p>Every method throws a {@link BellmanException}: {@link ErrorCode#BELLMAN_INPUT_VALUE} if {@code dims} has fewer than two
 * entries or one below 1, {@link ErrorCode#BELLMAN_OVERFLOW} if the cost of the best order exceeds 2^63 - 1, and
 * {@link ErrorCode#BELLMAN_LIMIT} if the table does not fit the heap. Methods may be called from any thread.
 */
public final class MatrixChain {
    /** How to solve it. Costs are the same by all of them. */
    public enum Strategy {
        /** {@link #HU_SHING} for the cost alone; {@link #TABLE} where the order is asked for. */
        AUTO,
        /** The textbook table, O(n^3). Of several optimal orders, each product takes the smallest split. */
        TABLE,
        /** The same table in tiles: on the GPU by all of it, however short the chain. */
        TILED,
        /** Hu and Shing's algorithm, O(n log n). Of several optimal orders, one of them, always the same. */
        HU_SHING
    }

    /** An optimal order: its scalar multiplications, its text such as {@code ((A1A2)A3)}, and its splits in preorder. */
    public record Solution(long cost, String order, int[] splits) {}

    private MatrixChain() {}

    /** The fewest scalar multiplications that the product takes. */
    public static long cost(long[] dims, Strategy strategy) {
        // for the cost alone Hu and Shing win at every length, from two matrices on
        boolean table = strategy != Strategy.AUTO && strategy != Strategy.HU_SHING;
        return solve("matrix_chain_cost", dims, table).cost();
    }

    /** An optimal order as text, such as {@code ((A1A2)A3)}; {@code A1} for one matrix. */
    public static String order(long[] dims, Strategy strategy) {
        ChainSolver solver = solve("matrix_chain_order", dims, strategy != Strategy.HU_SHING);
        return text(dims.length - 1, solver.splits());
    }

    /** The cost, the order as text, and its splits. */
    public static Solution solve(long[] dims, Strategy strategy) {
        ChainSolver solver = solve("matrix_chain", dims, strategy != Strategy.HU_SHING);
        int[] splits = solver.splits();
        return new Solution(solver.cost(), text(dims.length - 1, splits), splits);
    }

    /**
     * The candidates that the table of a chain of {@code n = dims.length - 1} matrices compares: {@code (n^3 - n) / 6}, or
     * 2^63 - 1 from about 2.6 million matrices on.
     */
    public static long relaxations(long[] dims) {
        long n = Math.max(1, dims.length - 1);
        long tripled = ChainTable.product(n * (n + 1) / 2, n - 1);
        return tripled < 0 ? Long.MAX_VALUE : tripled / 3;
    }

    private static ChainSolver solve(String function, long[] dims, boolean table) {
        check(function, dims);
        ChainSolver solver = table ? ChainTable.of(function, dims) : new HuShing(dims);
        if (solver.cost() == ChainSolver.OVERFLOW) {
            throw overflow(function, dims);
        }
        return solver;
    }

    private static BellmanException overflow(String function, long[] dims) {
        return new BellmanException(
                ErrorCode.BELLMAN_OVERFLOW,
                ("%s: the best order of this chain of %d matrices takes more than %d scalar multiplications, the most "
                                + "that a BIGINT holds; use smaller dimensions or try_%s, which returns NULL")
                        .formatted(function, dims.length - 1, Long.MAX_VALUE, function));
    }

    /** What is thrown for a chain that is known to be rejected: if its entries are allowed, its cost is not. */
    static BellmanException rejection(String function, long[] dims) {
        try {
            check(function, dims);
        } catch (BellmanException e) {
            return e;
        }
        return overflow(function, dims);
    }

    private static void check(String function, long[] dims) {
        if (dims.length < 2) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INPUT_VALUE,
                    "%s: dims has %d entries; it needs at least 2, one more than there are matrices"
                            .formatted(function, dims.length));
        }
        for (int i = 0; i < dims.length; i++) {
            if (dims[i] < 1) {
                throw invalidEntry(function, i, Long.toString(dims[i]));
            }
        }
    }

    /** What is thrown for the entry at an index, from 0, that is no dimension. */
    static BellmanException invalidEntry(String function, int index, String value) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE,
                ("%s: entry %d of dims (counted from 1) is %s; a dimension must be at least 1. Correct the row, or use try_%s, "
                                + "which returns NULL")
                        .formatted(function, index + 1, value, function));
    }

    /** The brackets of each product, counted at the matrix where it starts and the one where it ends. */
    private static String text(int matrices, int[] splits) {
        int[] opened = new int[matrices + 1];
        int[] closed = new int[matrices + 1];
        // the last matrices of the products around the current one: the right parts wait for the left ones
        int[] last = new int[matrices];
        int depth = 0;
        int first = 1;
        last[0] = matrices;
        for (int split : splits) {
            while (first == last[depth]) {
                depth--;
                first++;
            }
            opened[first]++;
            closed[last[depth]]++;
            depth++;
            last[depth] = split;
        }
        StringBuilder text = new StringBuilder(8 * matrices);
        for (int i = 1; i <= matrices; i++) {
            text.append("(".repeat(opened[i])).append('A').append(i).append(")".repeat(closed[i]));
        }
        return text.toString();
    }
}
