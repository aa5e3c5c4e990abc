package dev.bellman.chain.matrix;

import static org.apache.spark.sql.types.DataTypes.LongType;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.types.DataTypes;

/** Matrix chains and triangulations. */
public final class MatrixChainFunctions {
    private static final Problem<MatrixChain.Strategy> MATRIX_CHAIN =
            new Problem<>("matrix_chain", MatrixChain.Strategy.class, MatrixChain.Strategy.TABLE);
    private static final Problem<MatrixChain.Strategy> TRIANGULATION =
            new Problem<>("triangulation", MatrixChain.Strategy.class, MatrixChain.Strategy.TABLE);

    /** The problem of one long chain, whose table is computed in tiles: a job solves it, not a function. */
    public static final Problem<MatrixChain.Strategy> ONE_CHAIN =
            new Problem<>("matrix_chain_multiplication", MatrixChain.Strategy.class, MatrixChain.Strategy.TABLE);

    private static final List<Parameter> DIMS = list("dims");
    private static final List<Parameter> WEIGHTS = list("weights");

    private static final Optional<String> NO_CHAIN = Optional.of(
            "`dims` with fewer than two entries, or with one that is NULL or below 1; a cost beyond 64 bits");
    private static final Optional<String> NO_POLYGON = Optional.of(
            "`weights` with fewer than two entries, or with one that is NULL or below 1; a cost beyond 64 bits");
    /** Long enough for tiles, and for several groups of lengths. */
    private static final InstanceGenerator CHAINS = new InstanceGenerator(ChainInstances::chain, 12, 1_500, 3);

    private MatrixChainFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(matrixChainCost(), matrixChainOrder(), matrixChain(), triangulationCost(), triangulation());
    }

    private static BellmanFunction<?> matrixChainCost() {
        return new BellmanFunction<>(
                "matrix_chain_cost",
                MATRIX_CHAIN,
                List.of(new Signature<>(DIMS, LongType, MatrixChainCostUdf::new, CHAINS, ChainTextbook::cost)),
                "The fewest scalar multiplications that compute the product of a chain of matrices. Matrix "
                        + "`i` has `dims[i - 1]` rows and `dims[i]` columns.",
                NO_CHAIN,
                new Example("matrix_chain_cost(array(40, 2, 30, 10, 8))", "1400"),
                ChainTraits.COST);
    }

    private static BellmanFunction<?> matrixChainOrder() {
        return new BellmanFunction<>(
                "matrix_chain_order",
                MATRIX_CHAIN,
                List.of(new Signature<>(
                        DIMS, DataTypes.StringType, MatrixChainOrderUdf::new, CHAINS, ChainTextbook::order)),
                "An order of multiplication that needs the fewest scalar multiplications. Of several "
                        + "optimal orders, the one whose products have the smallest splits; the strategy "
                        + "`hu-shing` may return another one, always the same.",
                NO_CHAIN,
                new Example("matrix_chain_order(array(40, 2, 30, 10, 8))", "(A1((A2A3)A4))"),
                ChainTraits.ORDER);
    }

    private static BellmanFunction<?> matrixChain() {
        return new BellmanFunction<>(
                "matrix_chain",
                MATRIX_CHAIN,
                List.of(new Signature<>(
                        DIMS, MatrixChainUdf.RESULT, MatrixChainUdf::new, CHAINS, ChainTextbook::chain)),
                "The cost, the order as text, and its splits: for each product, the last matrix of its left "
                        + "factor, counted from 1. A product comes before its factors, the left factor "
                        + "before the right.",
                NO_CHAIN,
                new Example("matrix_chain(array(40, 2, 30, 10, 8))", "{1400, (A1((A2A3)A4)), [1, 3, 2]}"),
                ChainTraits.CHAIN);
    }

    private static BellmanFunction<?> triangulationCost() {
        return new BellmanFunction<>(
                "triangulation_cost",
                TRIANGULATION,
                List.of(new Signature<>(WEIGHTS, LongType, TriangulationCostUdf::new, CHAINS, PolygonTextbook::cost)),
                "The lowest cost of a triangulation of a convex polygon. A triangle costs the product of "
                        + "the weights of its three vertices.",
                NO_POLYGON,
                new Example("triangulation_cost(array(3, 1, 4, 2))", "14"),
                ChainTraits.COST);
    }

    private static BellmanFunction<?> triangulation() {
        return new BellmanFunction<>(
                "triangulation",
                TRIANGULATION,
                List.of(new Signature<>(
                        WEIGHTS,
                        TriangulationUdf.RESULT,
                        TriangulationUdf::new,
                        CHAINS,
                        PolygonTextbook::triangulation)),
                "The cost and the triangles of a cheapest triangulation of a convex polygon, as in "
                        + "`triangulation_cost`. Vertices are counted from 0. The triangle on the side "
                        + "between the first and the last vertex comes first; a triangle `(a, b, c)` is "
                        + "followed by those beyond its side `(a, b)`, then those beyond `(b, c)`. Of "
                        + "several optimal triangulations, the one whose triangles have the smallest `b`; "
                        + "the strategy `hu-shing` may return another one, always the same.",
                NO_POLYGON,
                new Example("triangulation(array(3, 1, 4, 2))", "{14, [{0, 1, 3}, {1, 2, 3}]}"),
                ChainTraits.TRIANGULATION);
    }

    private static List<Parameter> list(String name) {
        return List.of(new Parameter(name, DataTypes.createArrayType(LongType)));
    }
}
