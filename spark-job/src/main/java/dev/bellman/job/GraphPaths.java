package dev.bellman.job;

import dev.bellman.graph.PathTable;
import dev.bellman.graph.PathTiles;
import dev.bellman.graph.ShortestPaths;
import dev.bellman.graph.SparsePaths;
import dev.bellman.grid.TileRun;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.TaskCompletionListener;

/**
 * The shortest paths of one graph as rows: one for each source and each block of {@value #BLOCK} vertices, with the reachable ones in ascending
 * order, in parallel arrays.
 */
final class GraphPaths implements Serializable {
    private static final long serialVersionUID = 1L;

    static final String DISTANCE = "distance";
    static final String NEXT = "next";
    static final String HOPS = "hops";
    static final List<String> RESULTS = List.of(DISTANCE, NEXT, HOPS);

    static final String SOURCE = "source";
    /** The first and the last vertex of {@link #TARGET}, for readers that search for one. */
    static final String FIRST = "target_first";

    static final String LAST = "target_last";
    static final String TARGET = "target";

    static final int BLOCK = 4_096;

    private final ShortestPaths.Plan plan;
    private final List<String> results;

    /** @param strategy one that {@link ShortestPaths#choose} returns */
    GraphPaths(ShortestPaths.Plan plan, List<String> results) {
        this.plan = plan;
        this.results = new ArrayList<>(results);
    }

    /** Whether paths with their next vertices are wanted. */
    static boolean needNext(List<String> results) {
        return results.contains(NEXT) || results.contains(HOPS);
    }

    static StructType schema(GraphInput.Network network, List<String> results) {
        StructType schema = new StructType()
                .add(SOURCE, network.type(), false)
                .add(FIRST, network.type(), false)
                .add(LAST, network.type(), false)
                .add(TARGET, DataTypes.createArrayType(network.type(), false), false);
        for (String result : results) {
            schema = schema.add(
                    result,
                    switch (result) {
                        case DISTANCE ->
                            DataTypes.createArrayType(
                                    network.graph().hasDoubles() ? DataTypes.DoubleType : DataTypes.LongType, false);
                        case NEXT -> DataTypes.createArrayType(network.type(), true);
                        default -> DataTypes.createArrayType(DataTypes.IntegerType, false);
                    },
                    false);
        }
        return schema;
    }

    /** The rows of some sources. Dijkstra's algorithm splits the sources among tasks; a table is computed by one task. */
    JavaRDD<Row> rows(JavaSparkContext spark, GraphInput.Network network, int[] sources, int partitions) {
        Broadcast<GraphInput.Network> shared = spark.broadcast(network);
        if (plan.hasTable()) {
            return spark.parallelize(List.of(sources), 1).flatMap(all -> ofTable(shared.value(), all));
        }
        int shares = Math.max(1, Math.min(partitions, sources.length));
        List<int[]> split = IntStream.range(0, shares)
                .mapToObj(share -> Arrays.copyOfRange(sources, (int) ((long) sources.length * share / shares), (int)
                        ((long) sources.length * (share + 1) / shares)))
                .toList();
        return spark.parallelize(new ArrayList<>(split), shares).flatMap(share -> ofSources(shared.value(), share));
    }

    /**
     * The rows of some sources from a table in tiles, of which a task reads those for one row of large tiles and one block of targets.
     *
     * @param <T> a tile
     */
    <T> JavaRDD<Row> rows(
            JavaSparkContext spark,
            GraphInput.Network network,
            int[] sources,
            PathTiles<T> tiles,
            TileRun.Finished<T> table) {
        Broadcast<GraphInput.Network> shared = spark.broadcast(network);
        Broadcast<TileRun.Finished<T>> finished = spark.broadcast(table);
        int blocks = blocks(network);
        List<int[]> shares = new ArrayList<>();
        for (int row = 0; row < table.side(); row++) {
            int begin = row * table.edge();
            int end = begin + table.edge();
            int[] own = Arrays.stream(sources)
                    .filter(source -> source >= begin && source < end)
                    .toArray();
            for (int block = 0; own.length > 0 && block < blocks; block++) {
                shares.add(IntStream.concat(IntStream.of(row, block), Arrays.stream(own))
                        .toArray());
            }
        }
        int perBlock = BLOCK / table.edge();
        return spark.parallelize(shares, Math.max(1, shares.size())).flatMap(share -> {
            int block = share[1];
            int begin = block * perBlock;
            PathTable paths =
                    tiles.paths(finished.value().tiles(share[0], begin, Math.min(table.side(), begin + perBlock)));
            return Arrays.stream(share)
                    .skip(2)
                    .boxed()
                    .flatMap(source -> block(shared.value(), paths, source, source, block))
                    .iterator();
        });
    }

    private static int blocks(GraphInput.Network network) {
        return (network.graph().nodes() + BLOCK - 1) / BLOCK;
    }

    private Iterator<Row> ofTable(GraphInput.Network network, int... sources) {
        PathTable table = ShortestPaths.solve(network.graph(), plan, needNext(results));
        TaskContext.get().addTaskCompletionListener((TaskCompletionListener) task -> table.close());
        return Arrays.stream(sources)
                .boxed()
                .flatMap(source -> blocks(network, table, source, source))
                .iterator();
    }

    private Iterator<Row> ofSources(GraphInput.Network network, int... sources) {
        SparsePaths paths = new SparsePaths(network.graph(), needNext(results));
        return Arrays.stream(sources)
                .boxed()
                .flatMap(source -> blocks(network, paths.from(source), 0, source))
                .iterator();
    }

    /** @param row the row of the table with the paths from the source */
    private Stream<Row> blocks(GraphInput.Network network, PathTable table, int row, int source) {
        return IntStream.range(0, blocks(network)).boxed().flatMap(block -> block(network, table, row, source, block));
    }

    /** One row, or none. */
    private Stream<Row> block(GraphInput.Network network, PathTable table, int row, int source, int block) {
        int[] targets = IntStream.range(block * BLOCK, Math.min(network.graph().nodes(), (block + 1) * BLOCK))
                .filter(target -> table.reaches(row, target))
                .toArray();
        return targets.length == 0 ? Stream.of() : Stream.of(row(network, table, row, source, targets));
    }

    private Row row(GraphInput.Network network, PathTable table, int row, int source, int... targets) {
        Object[] names = network.names();
        List<Object> values = new ArrayList<>(List.of(
                names[source],
                names[targets[0]],
                names[targets[targets.length - 1]],
                column(targets, target -> names[target])));
        for (String result : results) {
            values.add(
                    switch (result) {
                        case DISTANCE -> column(targets, target -> length(network, table.length(row, target)));
                        case NEXT ->
                            column(targets, target -> {
                                int next = table.next(row, target);
                                return next == PathTable.NONE ? null : names[next];
                            });
                        default -> column(targets, target -> table.edges(row, target));
                    });
        }
        return RowFactory.create(values.toArray());
    }

    private static Object length(GraphInput.Network network, long bits) {
        // not a conditional expression, which would convert both to double
        if (network.graph().hasDoubles()) {
            return Double.longBitsToDouble(bits);
        }
        return bits;
    }

    private static Object[] column(int[] targets, java.util.function.IntFunction<Object> value) {
        return Arrays.stream(targets).mapToObj(value).toArray();
    }
}
