package dev.bellman.graph;

import static org.apache.spark.sql.types.DataTypes.DoubleType;
import static org.apache.spark.sql.types.DataTypes.IntegerType;
import static org.apache.spark.sql.types.DataTypes.LongType;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.BellmanFunction.Example;
import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The functions of this family. */
public final class GraphFunctions {
    private static final Problem<ShortestPaths.Strategy> SHORTEST_PATHS =
            new Problem<>("shortest_paths", ShortestPaths.Strategy.class, ShortestPaths.Strategy.FLOYD_WARSHALL);

    /** The problem of one large graph: a job solves it, not a function. */
    public static final Problem<ShortestPaths.Strategy> ALL_PAIRS = new Problem<>(
            "all_pairs_shortest_paths", ShortestPaths.Strategy.class, ShortestPaths.Strategy.FLOYD_WARSHALL);

    private static final String NO_GRAPH =
            "negative `nodes`; an edge that is NULL, has a NULL field, or begins or ends at no vertex; a DOUBLE weight "
                    + "that is NaN or beyond 1e288 in magnitude; a cycle of negative weight";

    private static final int SMALL = 9;
    /** Large enough for tiles, and for the whole GPU on one graph. */
    private static final int LARGE = 300;

    private static final InstanceGenerator LONGS = new InstanceGenerator(GraphInstances::longs, SMALL, LARGE, 3);
    private static final InstanceGenerator DOUBLES = new InstanceGenerator(GraphInstances::doubles, SMALL, LARGE, 3);

    private GraphFunctions() {}

    public static List<BellmanFunction<?>> list() {
        return List.of(
                new BellmanFunction<>(
                        "shortest_paths",
                        SHORTEST_PATHS,
                        List.of(
                                new Signature<>(
                                        graph(LongType),
                                        table(LongType),
                                        ShortestPathsUdf::ofLongs,
                                        LONGS,
                                        GraphTextbook::lengthsOfLongs),
                                new Signature<>(
                                        graph(DoubleType),
                                        table(DoubleType),
                                        ShortestPathsUdf::ofDoubles,
                                        DOUBLES,
                                        GraphTextbook::lengthsOfDoubles)),
                        "The lengths of the shortest paths between all vertices of a directed graph: an array for "
                                + "each vertex from 0 to `nodes - 1`, with the length of the path to each; NULL "
                                + "where there is no path. `edges` are structs of `source`, `target` and `weight`, "
                                + "which may be negative; of parallel edges the lightest counts. DOUBLE weights are "
                                + "added in the order of Floyd and Warshall's algorithm; rounding alone makes no "
                                + "cycle negative.",
                        Optional.of(NO_GRAPH + "; a length beyond 64 bits"),
                        new Example(
                                "shortest_paths(3, array(named_struct('source', 0, 'target', 1, 'weight', 4), "
                                        + "named_struct('source', 1, 'target', 2, 'weight', -1)))",
                                "[[0, 4, 3], [null, 0, -1], [null, null, 0]]"),
                        GraphTextbook.TRAITS),
                new BellmanFunction<>(
                        "shortest_path_next",
                        SHORTEST_PATHS,
                        List.of(
                                new Signature<>(
                                        graph(LongType),
                                        table(IntegerType),
                                        ShortestPathNextUdf::ofLongs,
                                        LONGS,
                                        GraphTextbook::nextOfLongs),
                                new Signature<>(
                                        graph(DoubleType),
                                        table(IntegerType),
                                        ShortestPathNextUdf::ofDoubles,
                                        DOUBLES,
                                        GraphTextbook::nextOfDoubles)),
                        "The shortest paths that `shortest_paths` measures: for each vertex, the next vertex on the "
                                + "way to each other one; NULL where there is no path, and from a vertex to itself. "
                                + "Of several shortest paths it is one with the fewest edges, of several of these "
                                + "the one by the smallest next vertex.",
                        Optional.of(NO_GRAPH),
                        new Example(
                                "shortest_path_next(3, array(named_struct('source', 0, 'target', 1, 'weight', 4), "
                                        + "named_struct('source', 1, 'target', 2, 'weight', -1)))",
                                "[[null, 1, 1], [null, null, 2], [null, null, null]]"),
                        GraphTextbook.TRAITS));
    }

    private static List<Parameter> graph(DataType weight) {
        return List.of(
                new Parameter("nodes", IntegerType),
                new Parameter("edges", DataTypes.createArrayType(GraphInstances.edge(weight))));
    }

    private static DataType table(DataType element) {
        return DataTypes.createArrayType(DataTypes.createArrayType(element));
    }
}
