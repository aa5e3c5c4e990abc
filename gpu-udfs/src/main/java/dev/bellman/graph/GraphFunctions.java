package dev.bellman.graph;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.LongType;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.graph.ShortestPaths.Strategy;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Defines the graph functions. Each function accepts edges with BIGINT or with DOUBLE weights. */
public final class GraphFunctions {
    private static final Problem<Strategy> SHORTEST_PATHS =
            new Problem<>("shortest_paths", Strategy.class, Strategy.FLOYD_WARSHALL);

    /** The problem of finding the shortest paths of one large graph. A job, not a function, solves this problem. */
    public static final Problem<Strategy> ALL_PAIRS =
            new Problem<>("all_pairs_shortest_paths", Strategy.class, Strategy.FLOYD_WARSHALL);

    private static final String NO_GRAPH =
            "a negative `vertex_count`; an edge that is NULL, has a NULL field, or begins or ends at a vertex that "
                    + "does not exist; a DOUBLE weight that is NaN or beyond 1e288 in magnitude; a cycle of negative "
                    + "weight";

    /** Two edges of a graph with three vertices. */
    private static final String EXAMPLE = "array(named_struct('source', 0, 'target', 1, 'weight', 4), "
            + "named_struct('source', 1, 'target', 2, 'weight', -1))";

    private GraphFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(shortestPaths(), shortestPathNext());
    }

    private static BellmanFunction<?> shortestPaths() {
        return entry("shortest_paths")
                .signature(graph(LongType), table(LongType), GraphRow::lengthsOfLongs)
                .signature(graph(DoubleType), table(DoubleType), GraphRow::lengthsOfDoubles)
                .description("Returns the lengths of the shortest paths between all vertices of a directed graph: an "
                        + "array for each vertex from 0 to `vertex_count - 1`, with the length of the path to each "
                        + "vertex, or NULL if no path exists. `edges` are structs with the fields `source`, `target` "
                        + "and `weight`. Weights may be negative; of parallel edges, only the lightest one counts. "
                        + "DOUBLE weights are added in the order of the Floyd-Warshall algorithm; rounding alone does "
                        + "not make a cycle negative.")
                .rejects(NO_GRAPH + "; a path length beyond the range of BIGINT")
                .example("shortest_paths(3, " + EXAMPLE + ")", "[[0, 4, 3], [null, 0, -1], [null, null, 0]]")
                .function();
    }

    private static BellmanFunction<?> shortestPathNext() {
        return entry("shortest_path_next")
                .signature(graph(LongType), table(IntegerType), GraphRow::nextOfLongs)
                .signature(graph(DoubleType), table(IntegerType), GraphRow::nextOfDoubles)
                .description("Returns the shortest paths between all vertices: for each vertex, an array with the "
                        + "next vertex on the path to each other vertex, or NULL if no path exists. The entry for the "
                        + "vertex itself is NULL. Ties: the path with the fewest edges, then the smallest next "
                        + "vertex. If sums of DOUBLE weights are rounded, a different path may be preferred.")
                .rejects(NO_GRAPH)
                .example(
                        "shortest_path_next(3, " + EXAMPLE + ")", "[[null, 1, 1], [null, null, 2], [null, null, null]]")
                .function();
    }

    private static Entry<Strategy> entry(String name) {
        return Entry.of(name, SHORTEST_PATHS)
                .kernels(Strategy.AUTO, Strategy.FLOYD_WARSHALL, Strategy.R_WAY, Strategy.BLOCKED);
    }

    private static List<Parameter> graph(DataType weight) {
        return List.of(
                new Parameter("vertex_count", IntegerType),
                new Parameter("edges", DataTypes.createArrayType(edge(weight))));
    }

    static StructType edge(DataType weight) {
        return new StructType()
                .add("source", IntegerType)
                .add("target", IntegerType)
                .add("weight", weight);
    }

    private static DataType table(DataType element) {
        return DataTypes.createArrayType(DataTypes.createArrayType(element));
    }
}
