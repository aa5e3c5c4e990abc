package dev.bellman.function;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.LongType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.align.distance.EditCigarUdf;
import dev.bellman.align.distance.EditDistance;
import dev.bellman.align.distance.EditDistanceUdf;
import dev.bellman.align.distance.LcsLengthUdf;
import dev.bellman.align.distance.LcsUdf;
import dev.bellman.align.distance.LongestCommonSubsequence;
import dev.bellman.align.distance.ScsAllUdf;
import dev.bellman.align.distance.ScsLengthUdf;
import dev.bellman.align.distance.ScsUdf;
import dev.bellman.align.distance.ShortestCommonSupersequence;
import dev.bellman.align.distance.SupersequenceOfAll;
import dev.bellman.chain.MatrixChain;
import dev.bellman.chain.MatrixChainCostUdf;
import dev.bellman.chain.MatrixChainOrderUdf;
import dev.bellman.chain.MatrixChainUdf;
import dev.bellman.chain.OptimalBst;
import dev.bellman.chain.OptimalBstCostUdf;
import dev.bellman.chain.OptimalBstUdf;
import dev.bellman.chain.Parenthesization;
import dev.bellman.chain.ParenthesizationUdf;
import dev.bellman.chain.TriangulationCostUdf;
import dev.bellman.chain.TriangulationUdf;
import dev.bellman.function.BellmanFunction.Example;
import dev.bellman.recurrence.SimplifiedDp;
import dev.bellman.recurrence.SimplifiedDpLastUdf;
import dev.bellman.recurrence.SimplifiedDpUdf;
import dev.bellman.recurrence.SimplifiedDpWeightedUdf;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Every function, once: registration, {@code bellman functions} and the table in the README are made from this list. */
public final class Catalogue {
    private static final Parameter A = new Parameter("a", StringType);
    private static final Parameter B = new Parameter("b", StringType);

    private static final Problem<EditDistance.Strategy> EDIT_DISTANCE =
            new Problem<>("edit_distance", EditDistance.Strategy.class);
    private static final Problem<LongestCommonSubsequence.Strategy> LCS =
            new Problem<>("lcs", LongestCommonSubsequence.Strategy.class);
    private static final Problem<ShortestCommonSupersequence.Strategy> SCS =
            new Problem<>("scs", ShortestCommonSupersequence.Strategy.class);
    private static final Problem<SupersequenceOfAll.Strategy> SCS_ALL =
            new Problem<>("scs_all", SupersequenceOfAll.Strategy.class);

    private static final List<BellmanFunction<?>> PAIRS = List.of(
            new BellmanFunction<>(
                    "edit_distance",
                    EDIT_DISTANCE,
                    List.of(
                            new Signature<>(List.of(A, B), IntegerType, EditDistanceUdf::new),
                            new Signature<>(
                                    List.of(A, B, new Parameter("max", IntegerType)),
                                    IntegerType,
                                    EditDistanceUdf::new)),
                    "Levenshtein distance: the fewest insertions, deletions and substitutions of characters that turn `a` into "
                            + "`b`. With `max`, -1 where the distance is larger.",
                    Optional.empty(),
                    new Example("edit_distance('kitten', 'sitting')", "3")),
            new BellmanFunction<>(
                    "edit_cigar",
                    EDIT_DISTANCE,
                    List.of(new Signature<>(List.of(A, B), StringType, EditCigarUdf::new)),
                    "The alignment with the fewest edits as a CIGAR: `=` and `X` consume a character of both, `I` of `a`, "
                            + "`D` of `b`.",
                    Optional.empty(),
                    new Example("edit_cigar('kitten', 'sitting')", "1X3=1X1=1D")),
            new BellmanFunction<>(
                    "lcs_length",
                    LCS,
                    List.of(new Signature<>(List.of(A, B), IntegerType, LcsLengthUdf::new)),
                    "The length of the longest common subsequence.",
                    Optional.empty(),
                    new Example("lcs_length('kitten', 'sitting')", "4")),
            new BellmanFunction<>(
                    "lcs",
                    LCS,
                    List.of(new Signature<>(List.of(A, B), StringType, LcsUdf::new)),
                    "A longest common subsequence: the most characters that `a` and `b` have in the same order.",
                    Optional.empty(),
                    new Example("lcs('kitten', 'sitting')", "ittn")),
            new BellmanFunction<>(
                    "scs_length",
                    SCS,
                    List.of(new Signature<>(List.of(A, B), IntegerType, ScsLengthUdf::new)),
                    "The length of the shortest common supersequence.",
                    Optional.empty(),
                    new Example("scs_length('kitten', 'sitting')", "9")),
            new BellmanFunction<>(
                    "scs",
                    SCS,
                    List.of(new Signature<>(List.of(A, B), StringType, ScsUdf::new)),
                    "A shortest common supersequence: the shortest text that has `a` and `b` as subsequences.",
                    Optional.empty(),
                    new Example("scs('kitten', 'sitting')", "skittieng")),
            new BellmanFunction<>(
                    "scs_all",
                    SCS_ALL,
                    List.of(new Signature<>(
                            List.of(new Parameter("strings", DataTypes.createArrayType(StringType))),
                            StringType,
                            ScsAllUdf::new)),
                    "A common supersequence of all strings of an array. It is a shortest one of two strings, and of more where their "
                            + "lengths, each plus one, have a product of at most 4,194,304; else the shorter of what a majority merge "
                            + "and a progressive merge find. Of none it is the empty string. On a GPU run, only the steps "
                            + "on two strings run on the GPU.",
                    Optional.of("`strings` with an entry that is NULL"),
                    new Example("scs_all(array('kitten', 'sitting', 'mitten'))", "mskittieng")));

    private static final Problem<MatrixChain.Strategy> MATRIX_CHAIN =
            new Problem<>("matrix_chain", MatrixChain.Strategy.class);

    private static final List<Parameter> DIMS = List.of(new Parameter("dims", DataTypes.createArrayType(LongType)));

    private static final Optional<String> NO_CHAIN = Optional.of(
            "`dims` with fewer than two entries, or with one that is NULL or below 1; a cost beyond 64 bits");

    private static final List<BellmanFunction<?>> CHAINS = List.of(
            new BellmanFunction<>(
                    "matrix_chain_cost",
                    MATRIX_CHAIN,
                    List.of(new Signature<>(DIMS, LongType, MatrixChainCostUdf::new)),
                    "The fewest scalar multiplications that the product of a chain of matrices takes. Matrix `i` has `dims[i - 1]` "
                            + "rows and `dims[i]` columns.",
                    NO_CHAIN,
                    new Example("matrix_chain_cost(array(40, 2, 30, 10, 8))", "1400")),
            new BellmanFunction<>(
                    "matrix_chain_order",
                    MATRIX_CHAIN,
                    List.of(new Signature<>(DIMS, StringType, MatrixChainOrderUdf::new)),
                    "An order of multiplying a chain of matrices that takes the fewest scalar multiplications. Of several, each "
                            + "product takes the smallest split; with the strategy `hu-shing`, any optimal order, always the same.",
                    NO_CHAIN,
                    new Example("matrix_chain_order(array(40, 2, 30, 10, 8))", "(A1((A2A3)A4))")),
            new BellmanFunction<>(
                    "matrix_chain",
                    MATRIX_CHAIN,
                    List.of(new Signature<>(DIMS, MatrixChainUdf.RESULT, MatrixChainUdf::new)),
                    "The cost, the order as text, and its splits: for each product, before those of its parts, left before right, "
                            + "the last matrix of its left part, counted from 1.",
                    NO_CHAIN,
                    new Example("matrix_chain(array(40, 2, 30, 10, 8))", "{1400, (A1((A2A3)A4)), [1, 3, 2]}")));

    private static final Problem<MatrixChain.Strategy> TRIANGULATION =
            new Problem<>("triangulation", MatrixChain.Strategy.class);
    private static final Problem<OptimalBst.Strategy> OPTIMAL_BST =
            new Problem<>("optimal_bst", OptimalBst.Strategy.class);
    private static final Problem<Parenthesization.Strategy> PARENTHESIZATION =
            new Problem<>("parenthesization", Parenthesization.Strategy.class);

    private static final List<Parameter> WEIGHTS =
            List.of(new Parameter("weights", DataTypes.createArrayType(LongType)));

    private static final Optional<String> NO_POLYGON = Optional.of(
            "`weights` with fewer than two entries, or with one that is NULL or below 1; a cost beyond 64 bits");

    private static final Optional<String> NO_TREE = Optional.of(
            "`q` with other than one entry more than `p`; an entry that is NULL, negative, NaN or infinite; a cost beyond 64 bits");

    private static final List<BellmanFunction<?>> PARENTHESIZATIONS = List.of(
            new BellmanFunction<>(
                    "triangulation_cost",
                    TRIANGULATION,
                    List.of(new Signature<>(WEIGHTS, LongType, TriangulationCostUdf::new)),
                    "The least cost of cutting a convex polygon into triangles, where a triangle costs the product of the weights of "
                            + "its three vertices.",
                    NO_POLYGON,
                    new Example("triangulation_cost(array(3, 1, 4, 2))", "14")),
            new BellmanFunction<>(
                    "triangulation",
                    TRIANGULATION,
                    List.of(new Signature<>(WEIGHTS, TriangulationUdf.RESULT, TriangulationUdf::new)),
                    "The cost and the triangles of such a triangulation, their vertices counted from 0: first the one on the side of the "
                            + "first and the last vertex, then those behind its side `(a, b)`, then those behind `(b, c)`. Of several, "
                            + "each takes the smallest `b`; with the strategy `hu-shing`, any, always the same.",
                    NO_POLYGON,
                    new Example("triangulation(array(3, 1, 4, 2))", "{14, [{0, 1, 3}, {1, 2, 3}]}")),
            new BellmanFunction<>(
                    "optimal_bst_cost",
                    OPTIMAL_BST,
                    List.of(
                            new Signature<>(frequencies(LongType), LongType, OptimalBstCostUdf::ofLongs),
                            new Signature<>(frequencies(DoubleType), DoubleType, OptimalBstCostUdf::ofDoubles)),
                    "The least cost of a binary search tree: `p` has the frequency of each key, `q` those of the gaps before, between and "
                            + "behind them, and a search costs the nodes it visits, the empty one at its end included.",
                    NO_TREE,
                    new Example(
                            "optimal_bst_cost(array(0.15, 0.10, 0.05, 0.10, 0.20), array(0.05, 0.10, 0.05, 0.05, 0.05, 0.10))",
                            "2.75")),
            new BellmanFunction<>(
                    "optimal_bst",
                    OPTIMAL_BST,
                    List.of(
                            new Signature<>(
                                    frequencies(LongType), OptimalBstUdf.result(LongType), OptimalBstUdf::ofLongs),
                            new Signature<>(
                                    frequencies(DoubleType),
                                    OptimalBstUdf.result(DoubleType),
                                    OptimalBstUdf::ofDoubles)),
                    "The cost and the keys of such a tree in preorder, counted from 1: the root, then the tree of the keys below it, then that "
                            + "of those above. Of several, each root is the smallest.",
                    NO_TREE,
                    new Example(
                            "optimal_bst(array(15, 10, 5, 10, 20), array(5, 10, 5, 5, 5, 10))",
                            "{275, [2, 1, 5, 4, 3]}")),
            new BellmanFunction<>(
                    "parenthesization",
                    PARENTHESIZATION,
                    List.of(
                            new Signature<>(
                                    leavesAndWeights(LongType),
                                    ParenthesizationUdf.result(LongType),
                                    ParenthesizationUdf::ofLongs),
                            new Signature<>(
                                    leavesAndWeights(DoubleType),
                                    ParenthesizationUdf.result(DoubleType),
                                    ParenthesizationUdf::ofDoubles)),
                    "The cheapest binary tree over a sequence: leaf `i` costs `leaf[i - 1]`, and the part from leaf `i` to leaf `j` costs "
                            + "`w(i, j)` and what its two parts cost. `w` has these for all `i < j`, row by row: `w(1, 2)`, `w(1, 3)`, ..., "
                            + "`w(2, 3)`, ...; `flatten` makes it of an array of rows. The splits are as in `matrix_chain`. Here four files of "
                            + "10, 20, 30 and 40 are merged two neighbours at a time.",
                    Optional.of(
                            "an empty `leaf`; `w` with other than n (n - 1) / 2 entries; an entry that is NULL, negative or NaN; "
                                    + "a BIGINT cost beyond 64 bits"),
                    new Example(
                            "parenthesization(array(0, 0, 0, 0), array(30, 60, 100, 50, 90, 70))",
                            "{190, [3, 2, 1]}")));

    private static final Problem<SimplifiedDp.Strategy> S_DP = new Problem<>("s_dp", SimplifiedDp.Strategy.class);

    private static final String RECURRENCE =
            "`initial` continued to `n` elements: each is made of those that lie `offsets` before it, "
                    + "folded by `op` in the order of the offsets, which decrease.";

    private static final String OPERATORS =
            " `op` is `min`, `max`, `sum`, `first` or `last`, and for BIGINT also `sum mod M`, "
                    + "`bit_and`, `bit_or`, `bit_xor`, `bool_and` or `bool_or`.";

    private static final String NO_RECURRENCE =
            "an entry that is NULL; `offsets` that are empty, not decreasing, not positive or "
                    + "beyond the entries of `initial`; an `op` that there is not; a negative `n`; a value beyond 64 bits";

    private static final List<BellmanFunction<?>> RECURRENCES = List.of(
            new BellmanFunction<>(
                    "s_dp",
                    S_DP,
                    List.of(
                            new Signature<>(recurrence(LongType), elements(LongType), SimplifiedDpUdf::ofLongs),
                            new Signature<>(recurrence(DoubleType), elements(DoubleType), SimplifiedDpUdf::ofDoubles)),
                    RECURRENCE + OPERATORS
                            + " Here the ways to pay 0 to 7 in coins of 1 and 2 where their order counts, which are "
                            + "Fibonacci's numbers.",
                    Optional.of(NO_RECURRENCE),
                    new Example("s_dp(array(1, 1), array(2, 1), 8, 'sum')", "[1, 1, 2, 3, 5, 8, 13, 21]")),
            new BellmanFunction<>(
                    "s_dp_last",
                    S_DP,
                    List.of(
                            new Signature<>(recurrence(LongType), LongType, SimplifiedDpLastUdf::ofLongs),
                            new Signature<>(recurrence(DoubleType), DoubleType, SimplifiedDpLastUdf::ofDoubles)),
                    "The last element of `s_dp`. Here the 201st Fibonacci number modulo a prime.",
                    Optional.of(NO_RECURRENCE + "; an `n` of 0"),
                    new Example("s_dp_last(array(0, 1), array(2, 1), 202, 'sum mod 1000000007')", "529309711")),
            new BellmanFunction<>(
                    "s_dp_weighted",
                    S_DP,
                    List.of(
                            new Signature<>(
                                    weightedRecurrence(LongType), elements(LongType), SimplifiedDpWeightedUdf::ofLongs),
                            new Signature<>(
                                    weightedRecurrence(DoubleType),
                                    elements(DoubleType),
                                    SimplifiedDpWeightedUdf::ofDoubles)),
                    "As `s_dp`, with a weight for each offset that is added to the element there; `op` is `min` or `max`. Coin change: "
                            + "offsets are the coins, each of weight 1, and `initial` is 0 for the amount 0 after a large number for each "
                            + "negative amount; here the fewest coins of 4, 3 and 1 for 0 to 6. Word break: the same with the lengths of words for "
                            + "coins. The unbounded knapsack: offsets are the sizes of the items, weights their values, `op` is `max`.",
                    Optional.of(NO_RECURRENCE + "; other than one of `weights` for each offset"),
                    new Example(
                            "slice(s_dp_weighted(array(99, 99, 99, 0), array(4, 3, 1), array(1, 1, 1), 10, 'min'), 4, 7)",
                            "[0, 1, 2, 1, 1, 2, 2]")));

    private static final List<BellmanFunction<?>> FUNCTIONS = Stream.of(PAIRS, CHAINS, PARENTHESIZATIONS, RECURRENCES)
            .flatMap(List::stream)
            .toList();

    private Catalogue() {}

    private static ArrayType elements(DataType element) {
        return DataTypes.createArrayType(element, false);
    }

    private static List<Parameter> frequencies(DataType element) {
        return List.of(
                new Parameter("p", DataTypes.createArrayType(element)),
                new Parameter("q", DataTypes.createArrayType(element)));
    }

    private static List<Parameter> leavesAndWeights(DataType element) {
        return List.of(
                new Parameter("leaf", DataTypes.createArrayType(element)),
                new Parameter("w", DataTypes.createArrayType(element)));
    }

    private static List<Parameter> recurrence(DataType element) {
        return List.of(
                new Parameter("initial", DataTypes.createArrayType(element)),
                new Parameter("offsets", DataTypes.createArrayType(IntegerType)),
                new Parameter("n", IntegerType),
                new Parameter("op", StringType));
    }

    private static List<Parameter> weightedRecurrence(DataType element) {
        return List.of(
                new Parameter("initial", DataTypes.createArrayType(element)),
                new Parameter("offsets", DataTypes.createArrayType(IntegerType)),
                new Parameter("weights", DataTypes.createArrayType(element)),
                new Parameter("n", IntegerType),
                new Parameter("op", StringType));
    }

    public static List<BellmanFunction<?>> functions() {
        return FUNCTIONS;
    }

    /** The problems, in the order of their first function. */
    public static List<Problem<?>> problems() {
        return FUNCTIONS.stream()
                .<Problem<?>>map(BellmanFunction::problem)
                .distinct()
                .toList();
    }
}
