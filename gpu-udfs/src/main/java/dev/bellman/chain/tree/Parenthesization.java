package dev.bellman.chain.tree;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.chain.ChainSolver;
import dev.bellman.chain.CostArithmetic;
import dev.bellman.chain.DoubleSumTable;
import dev.bellman.chain.LongSumTable;
import dev.bellman.chain.ParenthesizationTable;
import dev.bellman.columns.TaskMemory;

/**
 * Finds the cheapest binary tree over a sequence of {@code n} leaves. A leaf costs its entry in {@code leaf}, and a
 * range of two or more leaves, from {@code i} to {@code j}, costs {@code w(i, j)} regardless of where it is split:
 *
 * <pre>{@code
 * cost(i, i) = leaf(i)
 * cost(i, j) = w(i, j) + min over i <= k < j of cost(i, k) + cost(k + 1, j)
 * }</pre>
 *
 * <p>{@code leaf} has {@code n} entries, at least one. {@code w} has {@code n (n - 1) / 2} entries: {@code w(i, j)} for
 * {@code i < j}, row by row, {@code w(1, 2), w(1, 3), ..., w(1, n), w(2, 3), ..., w(n - 1, n)}. All entries are at
 * least 0: adding a constant to all of {@code w} adds {@code n - 1} times this constant to the cost of every tree, so
 * negative weights need no special support. A DOUBLE may be infinite, to forbid a range; in this case, the cost may
 * also be infinite. With BIGINT, use any large value: the cost overflows only if every tree costs more than 2^63 - 1.
 *
 * <p>A tree is represented by its splits in preorder, as {@link ChainSolver} defines them; in case of ties, each range
 * uses the smallest optimal split. With doubles, a split is optimal if {@code (cost(i, k) + cost(k + 1, j)) + w(i, j)},
 * added in this order, equals the cost.
 *
 * <p>The methods throw a {@link BellmanException}: {@link ErrorCode#BELLMAN_INPUT_VALUE} if {@code leaf} is empty,
 * {@code w} has the wrong number of entries, or an entry is negative or NaN; {@link ErrorCode#BELLMAN_OVERFLOW} if the
 * cost exceeds 63 bits; {@link ErrorCode#BELLMAN_LIMIT} if the table does not fit in the heap.
 */
public final class Parenthesization {
    /** All strategies return the same tree. */
    public enum Strategy {
        /** Uses {@link #TILED} or, on a GPU, the one of {@link #TABLE} and {@link #TILED} that is probably faster. */
        AUTO,
        /** Computes the textbook table in O(n^3). */
        TABLE,
        /** Computes the same table, tile by tile: on several cores of a CPU, or on the whole GPU. */
        TILED,
        /**
         * Computes the same table by tiles in the order of a 2-way recursion or, on a GPU, of an r-way recursion
         * (Javanmard et al., 2019).
         */
        R_WAY
    }

    /** The cost, and the splits in preorder. */
    public record LongSolution(long cost, int[] splits) {}

    /** Like {@link LongSolution}, but with a double cost. */
    public record DoubleSolution(double cost, int[] splits) {}

    private Parenthesization() {}

    public static LongSolution solve(long[] leaf, long[] w, Strategy strategy) {
        return solve(leaf, w, strategy, 1);
    }

    public static DoubleSolution solve(double[] leaf, double[] w, Strategy strategy) {
        return solve(leaf, w, strategy, 1);
    }

    static LongSolution solve(long[] leaf, long[] w, Strategy strategy, int threads) {
        int n = leaf.length;
        checkLengths(n, w.length);
        TaskMemory.takeArguments("parenthesization", "leaf_costs and range_costs", n + w.length);
        Costs.check("parenthesization", "leaf_costs", leaf);
        Costs.check("parenthesization", "range_costs", w);
        long largest = 0;
        for (long cost : leaf) {
            largest = Math.max(largest, cost);
        }
        for (long cost : w) {
            largest = Math.max(largest, cost);
        }
        LongSumTable table =
                new LongSumTable(leaf, (i, j) -> w[index(n, i, j)], CostArithmetic.product(largest, 2L * n));
        fill(table, strategy, threads);
        if (table.cost() == ChainSolver.OVERFLOW) {
            throw Costs.overflow("parenthesization", "the best tree for these %d leaves".formatted(n));
        }
        return new LongSolution(table.cost(), table.splits());
    }

    static DoubleSolution solve(double[] leaf, double[] w, Strategy strategy, int threads) {
        int n = leaf.length;
        checkLengths(n, w.length);
        TaskMemory.takeArguments("parenthesization", "leaf_costs and range_costs", n + w.length);
        double[] leaves = Costs.checked("parenthesization", "leaf_costs", leaf, Double.POSITIVE_INFINITY);
        double[] weights = Costs.checked("parenthesization", "range_costs", w, Double.POSITIVE_INFINITY);
        DoubleSumTable table = new DoubleSumTable(leaves, (i, j) -> weights[index(n, i, j)]);
        fill(table, strategy, threads);
        return new DoubleSolution(table.cost(), table.splits());
    }

    private static void fill(ParenthesizationTable table, Strategy strategy, int threads) {
        ParenthesizationTable.takeMemory(
                "parenthesization",
                () -> "%d leaves".formatted(table.leaves),
                table.leaves,
                table.cellBytes(),
                "the job %s (which computes the table on all executors), ".formatted(TreeFunctions.ONE_TREE.name()));
        if (strategy == Strategy.TABLE) {
            table.fill();
        } else if (strategy == Strategy.R_WAY) {
            table.fillRWay(threads);
        } else {
            table.fill(threads);
        }
    }

    /** Returns the index of {@code w(i, j)}, with leaves counted from 1. */
    private static int index(int n, int i, int j) {
        return (int) ((i - 1L) * (2L * n - i) / 2 + j - i - 1);
    }

    private static void checkLengths(int leaves, int weights) {
        if (leaves == 0) {
            throw BellmanException.inRow("parenthesization", "leaf_costs is empty; it needs at least one entry");
        }
        long expected = leaves * (leaves - 1L) / 2;
        if (weights != expected) {
            throw BellmanException.inRow(
                    "parenthesization",
                    "range_costs has %d entries; for %d leaves it needs %d, one for each i < j"
                            .formatted(weights, leaves, expected));
        }
    }
}
