package dev.bellman.chain.tree;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.LongType;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Binary search trees and parenthesizations in general. */
public final class TreeFunctions {
    private static final Problem<OptimalBst.Strategy> OPTIMAL_BST =
            new Problem<>("optimal_bst", OptimalBst.Strategy.class, OptimalBst.Strategy.TABLE);
    /** The problem of one large list of costs, whose table is computed in tiles: a job solves it, not a function. */
    public static final Problem<Parenthesization.Strategy> ONE_TREE =
            new Problem<>("optimal_parenthesization", Parenthesization.Strategy.class, Parenthesization.Strategy.TABLE);

    private static final Problem<Parenthesization.Strategy> PARENTHESIZATION =
            new Problem<>("parenthesization", Parenthesization.Strategy.class, Parenthesization.Strategy.TABLE);

    private static final Optional<String> NO_TREE = Optional.of(
            "`q` without exactly one entry more than `p`; an entry that is NULL, negative, NaN or infinite; a cost "
                    + "beyond 64 bits");
    private static final Optional<String> NO_RANGES = Optional.of(
            "an empty `leaf`; `w` without exactly n (n - 1) / 2 entries; an entry that is NULL, negative or NaN; "
                    + "a BIGINT cost beyond 64 bits");

    /** A tree of more than 2,048 gaps has the whole GPU. */
    private static final InstanceGenerator LONG_TREES = new InstanceGenerator(CostInstances::longTree, 8, 2_200, 3);

    private static final InstanceGenerator DOUBLE_TREES = new InstanceGenerator(CostInstances::doubleTree, 8, 2_200, 3);
    private static final InstanceGenerator LONG_RANGES = new InstanceGenerator(CostInstances::longRanges, 10, 400, 3);
    private static final InstanceGenerator DOUBLE_RANGES =
            new InstanceGenerator(CostInstances::doubleRanges, 10, 400, 3);

    private TreeFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(optimalBstCost(), optimalBst(), parenthesization());
    }

    private static BellmanFunction<?> optimalBstCost() {
        return new BellmanFunction<>(
                "optimal_bst_cost",
                OPTIMAL_BST,
                List.of(
                        new Signature<>(
                                lists(LongType, "p", "q"),
                                LongType,
                                OptimalBstCostUdf::ofLongs,
                                LONG_TREES,
                                SearchTreeTextbook::costOfLongs),
                        new Signature<>(
                                lists(DoubleType, "p", "q"),
                                DoubleType,
                                OptimalBstCostUdf::ofDoubles,
                                DOUBLE_TREES,
                                SearchTreeTextbook::costOfDoubles)),
                "The lowest cost of a binary search tree. `p` holds the frequency of each key, `q` the "
                        + "frequencies of the gaps before, between and after the keys. A search costs the "
                        + "number of nodes that it visits, including the empty node at its end.",
                NO_TREE,
                new Example(
                        "optimal_bst_cost(array(0.15, 0.10, 0.05, 0.10, 0.20), array(0.05, 0.10, 0.05, "
                                + "0.05, 0.05, 0.10))",
                        "2.75"));
    }

    private static BellmanFunction<?> optimalBst() {
        return new BellmanFunction<>(
                "optimal_bst",
                OPTIMAL_BST,
                List.of(
                        new Signature<>(
                                lists(LongType, "p", "q"),
                                OptimalBstUdf.result(LongType),
                                OptimalBstUdf::ofLongs,
                                LONG_TREES,
                                SearchTreeTextbook::treeOfLongs),
                        new Signature<>(
                                lists(DoubleType, "p", "q"),
                                OptimalBstUdf.result(DoubleType),
                                OptimalBstUdf::ofDoubles,
                                DOUBLE_TREES,
                                SearchTreeTextbook::treeOfDoubles)),
                "The cost and the keys of a cheapest binary search tree, as in `optimal_bst_cost`. Keys are "
                        + "counted from 1 and listed in preorder: the root, then its left subtree, then its "
                        + "right subtree. Of several optimal trees, the one with the smallest roots.",
                NO_TREE,
                new Example(
                        "optimal_bst(array(15, 10, 5, 10, 20), array(5, 10, 5, 5, 5, 10))", "{275, [2, 1, 5, 4, 3]}"));
    }

    private static BellmanFunction<?> parenthesization() {
        return new BellmanFunction<>(
                "parenthesization",
                PARENTHESIZATION,
                List.of(
                        new Signature<>(
                                lists(LongType, "leaf", "w"),
                                ParenthesizationUdf.result(LongType),
                                ParenthesizationUdf::ofLongs,
                                LONG_RANGES,
                                RangeCostTextbook::ofLongs),
                        new Signature<>(
                                lists(DoubleType, "leaf", "w"),
                                ParenthesizationUdf.result(DoubleType),
                                ParenthesizationUdf::ofDoubles,
                                DOUBLE_RANGES,
                                RangeCostTextbook::ofDoubles)),
                "The cheapest binary tree over a sequence. Leaf `i` costs `leaf[i - 1]`; the part from leaf "
                        + "`i` to leaf `j` costs `w(i, j)` plus the costs of its two parts. `w` lists these "
                        + "for all `i < j`, row by row: `w(1, 2)`, `w(1, 3)`, ..., `w(2, 3)`, ...; "
                        + "`flatten` makes it from an array of rows. The splits are as in `matrix_chain`. "
                        + "The example merges four files of sizes 10, 20, 30 and 40, two adjacent ones at a "
                        + "time.",
                NO_RANGES,
                new Example("parenthesization(array(0, 0, 0, 0), array(30, 60, 100, 50, 90, 70))", "{190, [3, 2, 1]}"));
    }

    private static List<Parameter> lists(DataType element, String... names) {
        return Arrays.stream(names)
                .map(name -> new Parameter(name, DataTypes.createArrayType(element)))
                .toList();
    }
}
