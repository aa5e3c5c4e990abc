package dev.bellman.chain.tree;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.LongType;

import dev.bellman.chain.CostArithmetic;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.Solver;
import dev.bellman.columns.TaskCores;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Defines the functions for search trees and general parenthesizations. Each function takes two lists of BIGINT or of
 * DOUBLE.
 */
public final class TreeFunctions {
    private static final Problem<OptimalBst.Strategy> OPTIMAL_BST =
            new Problem<>("optimal_bst", OptimalBst.Strategy.class, OptimalBst.Strategy.TABLE);
    /**
     * The problem of solving one large list of costs, whose table is computed in tiles. A job, not a function, solves
     * this problem.
     */
    public static final Problem<Parenthesization.Strategy> ONE_TREE =
            new Problem<>("optimal_parenthesization", Parenthesization.Strategy.class, Parenthesization.Strategy.TABLE);

    private static final Problem<Parenthesization.Strategy> PARENTHESIZATION =
            new Problem<>("parenthesization", Parenthesization.Strategy.class, Parenthesization.Strategy.TABLE);

    private static final String NO_TREE =
            "`gap_frequencies` that do not have exactly one more entry than `key_frequencies`; an entry that is NULL, "
                    + "negative, NaN or infinite; for BIGINT frequencies, a total cost above 2^63 - 1";
    private static final String NO_RANGES =
            "an empty `leaf_costs`; `range_costs` without exactly `n (n - 1) / 2` entries for `n` leaves; an entry "
                    + "that is NULL, negative or NaN; for BIGINT costs, a total cost above 2^63 - 1";

    /** Solves lists of BIGINT. */
    @FunctionalInterface
    private interface OfLongs<S> extends Serializable {
        Object solve(long[] first, long[] second, S strategy, int threads);
    }

    /** Solves lists of DOUBLE. */
    @FunctionalInterface
    private interface OfDoubles<S> extends Serializable {
        Object solve(double[] first, double[] second, S strategy, int threads);
    }

    private TreeFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(optimalBstCost(), optimalBst(), parenthesization());
    }

    private static BellmanFunction<?> optimalBstCost() {
        return Entry.of("optimal_bst_cost", OPTIMAL_BST)
                .signature(frequencies(LongType), LongType, longs(1, OptimalBst::cost))
                .signature(frequencies(DoubleType), DoubleType, doubles(1, OptimalBst::cost))
                .kernels(OptimalBst.Strategy.values())
                .description("Returns the lowest cost of a binary search tree: the sum of the searches' costs, each "
                        + "multiplied by its frequency. `key_frequencies` contains the frequency of each key, and "
                        + "`gap_frequencies` contains the frequencies of searches that end before, between and after "
                        + "the keys. The cost of a search is the number of nodes that it visits; a search that finds "
                        + "no key also visits the empty node at which it ends.")
                .rejects(NO_TREE)
                .example(
                        "optimal_bst_cost(array(0.15, 0.10, 0.05, 0.10, 0.20), array(0.05, 0.10, 0.05, 0.05, 0.05, "
                                + "0.10))",
                        "2.75")
                .function();
    }

    private static BellmanFunction<?> optimalBst() {
        return Entry.of("optimal_bst", OPTIMAL_BST)
                .signature(frequencies(LongType), tree(LongType, "roots"), longs(1, TreeFunctions::longBst))
                .signature(frequencies(DoubleType), tree(DoubleType, "roots"), doubles(1, TreeFunctions::doubleBst))
                .kernels(OptimalBst.Strategy.values())
                .description("Returns the lowest cost of a binary search tree, as in `optimal_bst_cost`, and the keys "
                        + "of a tree with this cost. Keys are counted from 1 and listed in preorder: the root, then "
                        + "its left subtree, then its right subtree. Ties: the tree in which each subtree has the "
                        + "smallest possible root.")
                .rejects(NO_TREE)
                .example("optimal_bst(array(15, 10, 5, 10, 20), array(5, 10, 5, 5, 5, 10))", "{275, [2, 1, 5, 4, 3]}")
                .function();
    }

    private static BellmanFunction<?> parenthesization() {
        return Entry.of("parenthesization", PARENTHESIZATION)
                .signature(costs(LongType), tree(LongType, "splits"), longs(0, TreeFunctions::longTree))
                .signature(costs(DoubleType), tree(DoubleType, "splits"), doubles(0, TreeFunctions::doubleTree))
                .kernels(Parenthesization.Strategy.values())
                .description("Returns the cost and the splits of a cheapest binary tree over a sequence. Leaf `i` "
                        + "costs `leaf_costs[i - 1]`; the range from leaf `i` to leaf `j` costs `w(i, j)` plus the "
                        + "costs of its two subranges. `range_costs` lists `w(i, j)` for all `i < j`, row by row: "
                        + "`w(1, 2)`, `w(1, 3)`, ..., `w(2, 3)`, ...; `flatten` turns an array of rows into such a "
                        + "list. Splits have the same form as in `matrix_chain`. Ties: the tree in which each range "
                        + "has the smallest possible split. The example merges four files of sizes 10, 20, 30 and "
                        + "40; each step merges two adjacent files.")
                .rejects(NO_RANGES)
                .example("parenthesization(array(0, 0, 0, 0), array(30, 60, 100, 50, 90, 70))", "{190, [3, 2, 1]}")
                .function();
    }

    private static List<Parameter> frequencies(DataType element) {
        return lists(element, "key_frequencies", "gap_frequencies");
    }

    private static List<Parameter> costs(DataType element) {
        return lists(element, "leaf_costs", "range_costs");
    }

    private static List<Parameter> lists(DataType element, String first, String second) {
        DataType list = DataTypes.createArrayType(element);
        return List.of(new Parameter(first, list), new Parameter(second, list));
    }

    /** Returns a result type with the cost and the inner nodes of a tree in preorder. */
    private static StructType tree(DataType cost, String nodes) {
        return new StructType()
                .add("cost", cost, false)
                .add(nodes, DataTypes.createArrayType(IntegerType, false), false);
    }

    /** @param leaves the index of the list with an entry per leaf: 0 or 1 */
    private static <S extends Enum<S>> Solver<S> longs(int leaves, OfLongs<S> solver) {
        return (strategy, options, arguments) -> {
            Object result = solver.solve(
                    list(arguments, 0).toLongArray(), list(arguments, 1).toLongArray(), strategy, TaskCores.count());
            options.cells()
                    .add(CostArithmetic.relaxations(arguments.array(leaves).numElements()));
            return result;
        };
    }

    /** @param leaves the index of the list with an entry per leaf: 0 or 1 */
    private static <S extends Enum<S>> Solver<S> doubles(int leaves, OfDoubles<S> solver) {
        return (strategy, options, arguments) -> {
            Object result = solver.solve(
                    list(arguments, 0).toDoubleArray(),
                    list(arguments, 1).toDoubleArray(),
                    strategy,
                    TaskCores.count());
            options.cells()
                    .add(CostArithmetic.relaxations(arguments.array(leaves).numElements()));
            return result;
        };
    }

    /** Returns a list argument, which must not contain NULL. */
    private static ArrayData list(Arguments arguments, int place) {
        ArrayData list = arguments.array(place);
        for (int i = 0; i < list.numElements(); i++) {
            if (list.isNullAt(i)) {
                throw Costs.invalidEntry(arguments.function(), name(arguments, place), i, "NULL");
            }
        }
        return list;
    }

    private static String name(Arguments arguments, int place) {
        return (arguments.function().equals("parenthesization") ? costs(LongType) : frequencies(LongType))
                .get(place)
                .name();
    }

    private static Object longBst(long[] keys, long[] gaps, OptimalBst.Strategy strategy, int threads) {
        OptimalBst.LongSolution solution = OptimalBst.solve(keys, gaps, strategy, threads);
        return RowFactory.create(solution.cost(), solution.roots());
    }

    private static Object doubleBst(double[] keys, double[] gaps, OptimalBst.Strategy strategy, int threads) {
        OptimalBst.DoubleSolution solution = OptimalBst.solve(keys, gaps, strategy, threads);
        return RowFactory.create(solution.cost(), solution.roots());
    }

    private static Object longTree(long[] leaves, long[] ranges, Parenthesization.Strategy strategy, int threads) {
        Parenthesization.LongSolution solution = Parenthesization.solve(leaves, ranges, strategy, threads);
        return RowFactory.create(solution.cost(), solution.splits());
    }

    private static Object doubleTree(
            double[] leaves, double[] ranges, Parenthesization.Strategy strategy, int threads) {
        Parenthesization.DoubleSolution solution = Parenthesization.solve(leaves, ranges, strategy, threads);
        return RowFactory.create(solution.cost(), solution.splits());
    }
}
