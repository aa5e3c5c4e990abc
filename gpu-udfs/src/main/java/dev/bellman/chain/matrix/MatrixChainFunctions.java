package dev.bellman.chain.matrix;

import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.LongType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.FunctionOptions;
import dev.bellman.chain.matrix.MatrixChain.Strategy;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.TaskCores;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Defines the functions for matrix chains and triangulations. */
public final class MatrixChainFunctions {
    private static final Problem<Strategy> MATRIX_CHAIN = new Problem<>("matrix_chain", Strategy.class, Strategy.TABLE);
    private static final Problem<Strategy> TRIANGULATION =
            new Problem<>("triangulation", Strategy.class, Strategy.TABLE);

    /**
     * The problem of solving one long chain, whose table is computed in tiles. A job, not a function, solves this
     * problem.
     */
    public static final Problem<Strategy> ONE_CHAIN =
            new Problem<>("matrix_chain_multiplication", Strategy.class, Strategy.TABLE);

    private static final List<Parameter> DIMS = list("dims");
    private static final List<Parameter> WEIGHTS = list("weights");

    /** The cost, the order as text, and the splits in preorder, as {@link MatrixChain} defines them. */
    private static final StructType CHAIN = new StructType()
            .add("cost", LongType, false)
            .add("order", StringType, false)
            .add("splits", DataTypes.createArrayType(IntegerType, false), false);

    private static final StructType TRIANGLE = new StructType()
            .add("a", IntegerType, false)
            .add("b", IntegerType, false)
            .add("c", IntegerType, false);
    /** The cost and the triangles, as {@link Triangulation.Solution} defines them. */
    private static final StructType TRIANGLES = new StructType()
            .add("cost", LongType, false)
            .add("triangles", DataTypes.createArrayType(TRIANGLE, false), false);

    /** The strategies that return orders on the GPU: Hu and Shing's algorithm returns only costs there. */
    private static final Strategy[] TABLES = Stream.of(Strategy.values())
            .filter(strategy -> strategy != Strategy.HU_SHING)
            .toArray(Strategy[]::new);

    private static final String NO_CHAIN =
            "`dims` with fewer than two entries, or with an entry that is NULL or below 1; a cost above 2^63 - 1";
    private static final String NO_POLYGON =
            "`weights` with fewer than two entries, or with an entry that is NULL or below 1; a cost above 2^63 - 1";

    private MatrixChainFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(matrixChainCost(), matrixChainOrder(), matrixChain(), triangulationCost(), triangulation());
    }

    private static List<Parameter> list(String name) {
        return List.of(new Parameter(name, DataTypes.createArrayType(LongType)));
    }

    private static Entry<Strategy> ofCost(String name, Problem<Strategy> problem) {
        return Entry.of(name, problem).kernels(Strategy.values()).traits(ChainTraits.COST);
    }

    private static Entry<Strategy> ofOrder(String name, Problem<Strategy> problem) {
        return Entry.of(name, problem).kernels(TABLES).traits(ChainTraits.ORDER);
    }

    private static BellmanFunction<?> matrixChainCost() {
        return ofCost("matrix_chain_cost", MATRIX_CHAIN)
                .signature(DIMS, LongType, MatrixChainFunctions::cost)
                .description("Returns the minimum number of scalar multiplications that compute the product of a "
                        + "chain of matrices. Matrix `i` has `dims[i - 1]` rows and `dims[i]` columns.")
                .rejects(NO_CHAIN)
                .example("matrix_chain_cost(array(40, 2, 30, 10, 8))", "1400")
                .function();
    }

    private static BellmanFunction<?> matrixChainOrder() {
        return ofOrder("matrix_chain_order", MATRIX_CHAIN)
                .signature(DIMS, StringType, MatrixChainFunctions::order)
                .description("Returns a multiplication order with the fewest scalar multiplications. Ties: the order "
                        + "that splits each product at the smallest position. The strategy `hu-shing` may return a "
                        + "different optimal order than the other strategies, but returns the same one on every run.")
                .rejects(NO_CHAIN)
                .example("matrix_chain_order(array(40, 2, 30, 10, 8))", "(A1((A2A3)A4))")
                .function();
    }

    private static BellmanFunction<?> matrixChain() {
        return ofOrder("matrix_chain", MATRIX_CHAIN)
                .signature(DIMS, CHAIN, MatrixChainFunctions::chain)
                .description("Returns the minimum cost, the order that `matrix_chain_order` returns, and the splits "
                        + "of this order: for each product, the last matrix in the left factor, counted from 1. Each "
                        + "product is listed before its factors, and the left factor before the right factor.")
                .rejects(NO_CHAIN)
                .example("matrix_chain(array(40, 2, 30, 10, 8))", "{1400, (A1((A2A3)A4)), [1, 3, 2]}")
                .function();
    }

    private static BellmanFunction<?> triangulationCost() {
        return ofCost("triangulation_cost", TRIANGULATION)
                .signature(WEIGHTS, LongType, MatrixChainFunctions::cost)
                .description("Returns the lowest cost of a triangulation of a convex polygon. `weights` contains a "
                        + "weight for each vertex, in the order around the polygon. The cost of a triangle is the "
                        + "product of the weights of its three vertices.")
                .rejects(NO_POLYGON)
                .example("triangulation_cost(array(3, 1, 4, 2))", "14")
                .function();
    }

    private static BellmanFunction<?> triangulation() {
        return ofOrder("triangulation", TRIANGULATION)
                .signature(WEIGHTS, TRIANGLES, MatrixChainFunctions::triangles)
                .description("Returns the cost and the triangles of a cheapest triangulation of a convex polygon, as "
                        + "in `triangulation_cost`. Vertices are counted from 0. The first triangle contains the side "
                        + "between the first and last vertices. A triangle `(a, b, c)` is followed by the triangles "
                        + "beyond its side `(a, b)`, then by the triangles beyond its side `(b, c)`. Ties: the "
                        + "triangulation in which each triangle, in this order, has the smallest possible `b`. "
                        + "The strategy `hu-shing` may return a different optimal triangulation than the other "
                        + "strategies, but returns the same one on every run.")
                .rejects(NO_POLYGON)
                .example("triangulation(array(3, 1, 4, 2))", "{14, [{0, 1, 3}, {1, 2, 3}]}")
                .function();
    }

    private static Object cost(Strategy strategy, FunctionOptions options, Arguments arguments) {
        long[] dims = numbers(arguments);
        long cost = MatrixChain.costSolver(arguments.function(), dims, strategy, TaskCores.count())
                .cost();
        options.cells().add(MatrixChain.relaxations(dims));
        return cost;
    }

    private static Object order(Strategy strategy, FunctionOptions options, Arguments arguments) {
        long[] dims = numbers(arguments);
        String order = MatrixChain.order(dims, strategy, TaskCores.count());
        options.cells().add(MatrixChain.relaxations(dims));
        return order;
    }

    private static Object chain(Strategy strategy, FunctionOptions options, Arguments arguments) {
        long[] dims = numbers(arguments);
        MatrixChain.Solution solution = MatrixChain.solve(dims, strategy, TaskCores.count());
        options.cells().add(MatrixChain.relaxations(dims));
        return RowFactory.create(solution.cost(), solution.order(), solution.splits());
    }

    private static Object triangles(Strategy strategy, FunctionOptions options, Arguments arguments) {
        long[] weights = numbers(arguments);
        Triangulation.Solution solution = Triangulation.solve(weights, strategy, TaskCores.count());
        options.cells().add(MatrixChain.relaxations(weights));
        return RowFactory.create(
                solution.cost(),
                Arrays.stream(solution.triangles())
                        .map(triangle -> RowFactory.create(triangle.a(), triangle.b(), triangle.c()))
                        .toArray(Row[]::new));
    }

    private static long[] numbers(Arguments arguments) {
        ArrayData list = arguments.array(0);
        for (int i = 0; i < list.numElements(); i++) {
            if (list.isNullAt(i)) {
                throw MatrixChain.invalidEntry(arguments.function(), i, "NULL");
            }
        }
        return list.toLongArray();
    }
}
