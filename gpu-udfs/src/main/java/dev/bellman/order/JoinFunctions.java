package dev.bellman.order;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.StringType;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.Arguments;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.order.JoinOrder.Strategy;
import java.util.List;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Defines the function {@code join_order}. */
public final class JoinFunctions {
    private static final StructType EDGE = new StructType()
            .add("source", IntegerType)
            .add("target", IntegerType)
            .add("selectivity", DoubleType);
    private static final StructType TREE =
            new StructType().add("cost", DoubleType, false).add("tree", StringType, false);

    private static final Parameter BLOCK_SIZE = Parameter.setting(
                    "block_size", IntegerType, (function, size) -> checkBlockSize(function, (Integer) size))
            .orElse(JoinGraph.MAX_RELATIONS)
            .withoutKernel();

    private JoinFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(Entry.of("join_order", new Problem<>("join_order", Strategy.class, Strategy.SERIAL))
                .signature(
                        List.of(
                                new Parameter("cardinalities", DataTypes.createArrayType(DoubleType)),
                                new Parameter("edges", DataTypes.createArrayType(EDGE)),
                                BLOCK_SIZE),
                        TREE,
                        JoinFunctions::solve)
                .kernels(Strategy.AUTO)
                .description("Returns the cheapest order in which to join up to 63 relations without cross products; "
                        + "the join tree may be bushy. `cardinalities` contains the number of rows in each relation. "
                        + "An edge contains the numbers of two relations, counted from 0, and the selectivity of the "
                        + "predicate between them. `cost` is the sum of the row counts of all joins. The row count of "
                        + "a join is the product of the cardinalities of its relations and the selectivities of the "
                        + "edges between them. `tree` encloses each join in parentheses; the side that contains the "
                        + "lowest-numbered relation comes first. Ties: at each join, the first side has the smallest "
                        + "possible sum of `2^i` over its relations `i`. The time depends on the number of connected "
                        + "sets of relations, which must not exceed 33,554,432; graphs of up to 25 relations never "
                        + "exceed this limit. For larger graphs, set `block_size`, for example to 12. Iterative "
                        + "dynamic programming (IDP2) then starts with a greedy tree, and repeatedly replaces the join "
                        + "of at most `block_size` subtrees with the cheapest join of these subtrees. The tree is "
                        + "cheap, but not always the cheapest.")
                .rejects("an entry that is NULL, or not a finite number above 0; an edge to an unknown relation or "
                        + "from a relation to itself; a selectivity above 1; an empty `cardinalities`; relations that "
                        + "are not connected by edges; a cost beyond the range of DOUBLE; `block_size` below 2")
                .example(
                        "join_order(array(1000, 10, 500), array(named_struct('source', 0, 'target', 1, 'selectivity', "
                                + "0.01), named_struct('source', 1, 'target', 2, 'selectivity', 0.5)))",
                        "{25100.0, ((0 1) 2)}")
                .function());
    }

    private static Object solve(Strategy strategy, FunctionOptions options, Arguments arguments) {
        JoinGraph graph = JoinGraph.of(arguments.array(0), arguments.array(1));
        int blockSize = arguments.integer(2);
        checkBlockSize(arguments.function(), blockSize);
        JoinOrder.Solution solution = blockSize < graph.relations()
                ? JoinBlocks.solve(graph, blockSize, strategy)
                : JoinOrder.solve(graph, strategy, false);
        options.cells().add(solution.sets());
        JoinTree tree = solution.tree();
        if (tree.cost() == Double.POSITIVE_INFINITY) {
            throw JoinGraph.tooExpensive();
        }
        return RowFactory.create(tree.cost(), tree.toString());
    }

    private static void checkBlockSize(String function, int size) {
        if (size < 2) {
            throw BellmanException.inSetting(function, "block_size is %d; it must be at least 2".formatted(size));
        }
    }
}
