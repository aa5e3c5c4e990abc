package dev.bellman.large;

import dev.bellman.graph.Graph;
import dev.bellman.graph.PathTable;
import dev.bellman.graph.PathTiles;
import dev.bellman.graph.Predecessors;
import dev.bellman.graph.ShortestPaths;
import dev.bellman.graph.SparsePaths;
import dev.bellman.large.grid.TileFolder;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Tile;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.CatalystTypeConverters$;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.LongAccumulator;
import org.apache.spark.util.TaskCompletionListener;
import scala.Function1;

/**
 * Converts the shortest paths in a graph to rows. Each row contains the paths from one source to one block of
 * {@value #BLOCK} vertices. It lists the vertices of the block that can be reached, in ascending order, and their
 * results in parallel arrays.
 */
public final class GraphPaths implements Serializable {
    private static final long serialVersionUID = 1L;

    public static final String DISTANCE = "distance";
    public static final String NEXT = "next";
    static final String HOPS = "hops";
    public static final String PREVIOUS = "previous";
    static final List<String> RESULTS = List.of(DISTANCE, NEXT, HOPS, PREVIOUS);

    public static final String SOURCE = "source";
    /**
     * The column that contains the first of the vertices in {@link #TARGET}. The columns for the first and the last
     * vertex make it possible to find the rows that contain a specific vertex.
     */
    public static final String FIRST = "target_first";

    public static final String LAST = "target_last";
    public static final String TARGET = "target";

    static final int BLOCK = 4_096;

    /** The number of columns that precede the results. */
    private static final int FIXED = 4;

    private final ShortestPaths.Plan plan;
    private final List<String> results;

    /** @param plan the plan that {@link ShortestPaths#plan} returns */
    GraphPaths(ShortestPaths.Plan plan, List<String> results) {
        this.plan = plan;
        this.results = new ArrayList<>(results);
    }

    /** Whether the results contain next vertices or are computed from them. */
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
                        case NEXT, PREVIOUS -> DataTypes.createArrayType(network.type(), true);
                        default -> DataTypes.createArrayType(DataTypes.IntegerType, false);
                    },
                    false);
        }
        return schema;
    }

    /**
     * The network as tasks receive it, with the names of vertices as Spark's internal values. This class is not a
     * record, because Kryo cannot serialize records.
     */
    private static final class Shared implements Serializable {
        private static final long serialVersionUID = 1L;

        private final Graph graph;
        private final Object[] names;

        Shared(GraphInput.Network network) {
            graph = network.graph();
            Function1<Object, Object> converter =
                    CatalystTypeConverters$.MODULE$.createToCatalystConverter(network.type());
            names = Arrays.stream(network.names()).map(converter::apply).toArray();
        }
    }

    /**
     * Returns the rows for some sources. With Dijkstra's algorithm, the sources are divided among tasks. A table, in
     * contrast, is computed by a single task.
     *
     * @param done counts relaxations if there is a table, and sources otherwise
     */
    JavaRDD<InternalRow> rows(
            JavaSparkContext spark, GraphInput.Network network, int[] sources, int partitions, LongAccumulator done) {
        Broadcast<Shared> shared = spark.broadcast(new Shared(network));
        if (plan.hasTable()) {
            return spark.parallelize(List.of(sources), 1).flatMap(all -> ofTable(shared.value(), done, all));
        }
        int shares = Math.max(1, Math.min(partitions, sources.length));
        List<int[]> split = IntStream.range(0, shares)
                .mapToObj(share -> Arrays.copyOfRange(sources, (int) ((long) sources.length * share / shares), (int)
                        ((long) sources.length * (share + 1) / shares)))
                .toList();
        return spark.parallelize(new ArrayList<>(split), shares)
                .flatMap(share -> ofSources(shared.value(), done, share));
    }

    /**
     * In a single task, computes a table, and copies the paths from some sources into tiles. The plan must be
     * {@linkplain ShortestPaths.Plan#shared shared}.
     *
     * @param done counts the relaxations
     * @param <T> a tile
     */
    <T> void solve(JavaSparkContext spark, int[] sources, PathTiles<T> tiles, TileFolder<T> to, LongAccumulator done) {
        Broadcast<PathTiles<T>> shared = spark.broadcast(tiles);
        Broadcast<TileFolder<T>> target = spark.broadcast(to);
        boolean next = needNext(results);
        spark.parallelize(List.of(sources), 1).foreach(all -> {
            try (PathTable table = ShortestPaths.solve(shared.value().graph(), plan, next, done::add)) {
                copy(table, shared.value(), target.value(), all);
            }
        });
    }

    private static <T> void copy(PathTable table, PathTiles<T> tiles, TileFolder<T> to, int... sources) {
        int parts = to.edge() / tiles.edge();
        for (int row = 0; row < to.side(); row++) {
            int[] own = within(row, to.edge(), sources);
            if (own.length == 0) {
                continue;
            }
            int top = row;
            List<Grid<T>> line = IntStream.range(0, to.side())
                    .mapToObj(column -> to.make(new Tile(top, column)))
                    .toList();
            for (int source : own) {
                tiles.copy(table, source, tile -> line.get(tile.column() / parts)
                        .get(tile.row() % parts, tile.column() % parts));
            }
            IntStream.range(0, line.size())
                    .parallel()
                    .forEach(column -> to.write(new Tile(top, column), line.get(column)));
        }
    }

    /** Returns those sources whose paths are in this row of large tiles. */
    private static int[] within(int row, int edge, int... sources) {
        return Arrays.stream(sources).filter(source -> source / edge == row).toArray();
    }

    /**
     * Returns the rows for some sources from a tiled table. Each task reads the part of the table in which one row of
     * large tiles and one block of targets intersect or, if predecessors are requested, {@linkplain #wholeRows whole
     * rows} of the table.
     *
     * @param memory if tasks need whole rows of the table, the maximum number of bytes that paths may occupy in a
     *     task's memory
     * @param <T> a tile
     */
    <T> JavaRDD<InternalRow> rows(
            JavaSparkContext spark,
            GraphInput.Network network,
            int[] sources,
            PathTiles<T> tiles,
            TileFolder<T> table,
            long memory) {
        Broadcast<Shared> shared = spark.broadcast(new Shared(network));
        Broadcast<TileFolder<T>> finished = spark.broadcast(table);
        if (results.contains(PREVIOUS)) {
            return wholeRows(spark, shared, sources, tiles, finished, memory);
        }
        int blocks = blocks(network.graph());
        List<int[]> shares = new ArrayList<>();
        for (int row = 0; row < table.side(); row++) {
            int[] own = within(row, table.edge(), sources);
            for (int block = 0; own.length > 0 && block < blocks; block++) {
                shares.add(IntStream.concat(IntStream.of(row, block), Arrays.stream(own))
                        .toArray());
            }
        }
        int perBlock = BLOCK / table.edge();
        return spark.parallelize(shares, Math.max(1, shares.size())).flatMap(share -> {
            int block = share[1];
            int begin = block * perBlock;
            PathTable paths = tiles.paths(
                    finished.value().tiles(share[0], begin, Math.min(table.side(), begin + perBlock)),
                    block * BLOCK,
                    end(shared.value().graph, block));
            return Arrays.stream(share)
                    .skip(2)
                    .boxed()
                    .flatMap(source -> block(shared.value(), new Row(paths, source, source, null), block))
                    .iterator();
        });
    }

    /**
     * Returns the rows for some sources from a tiled table; the rows contain predecessors. Each task reads all paths
     * that start at some of the sources.
     *
     * @param memory the maximum number of bytes that paths may occupy in a task's memory
     */
    private <T> JavaRDD<InternalRow> wholeRows(
            JavaSparkContext spark,
            Broadcast<Shared> shared,
            int[] sources,
            PathTiles<T> tiles,
            Broadcast<TileFolder<T>> finished,
            long memory) {
        int edge = finished.value().edge();
        int side = finished.value().side();
        int atOnce = (int)
                Math.max(1, Math.min(edge, memory / Long.BYTES / tiles.graph().nodes()));
        List<int[]> shares = new ArrayList<>();
        for (int row = 0; row < side; row++) {
            int[] own = within(row, edge, sources);
            for (int begin = 0; begin < own.length; begin += atOnce) {
                shares.add(Arrays.copyOfRange(own, begin, Math.min(own.length, begin + atOnce)));
            }
        }
        return spark.parallelize(shares, Math.max(1, shares.size())).flatMap(share -> {
            PathTable paths = tiles.rows(
                    share, edge, begin -> finished.value().tiles(share[0] / edge, begin / edge, begin / edge + 1));
            return Arrays.stream(share)
                    .boxed()
                    .flatMap(source -> blocks(shared.value(), paths, source, source))
                    .iterator();
        });
    }

    private static int blocks(Graph graph) {
        return (graph.nodes() + BLOCK - 1) / BLOCK;
    }

    /** Returns the vertex that follows the last vertex of a block. */
    private static int end(Graph graph, int block) {
        return Math.min(graph.nodes(), (block + 1) * BLOCK);
    }

    private Iterator<InternalRow> ofTable(Shared shared, LongAccumulator done, int... sources) {
        PathTable table = ShortestPaths.solve(shared.graph, plan, needNext(results), done::add);
        TaskContext.get().addTaskCompletionListener((TaskCompletionListener) task -> table.close());
        return Arrays.stream(sources)
                .boxed()
                .flatMap(source -> blocks(shared, table, source, source))
                .iterator();
    }

    private Iterator<InternalRow> ofSources(Shared shared, LongAccumulator done, int... sources) {
        SparsePaths paths = new SparsePaths(shared.graph, needNext(results));
        return Arrays.stream(sources)
                .boxed()
                .flatMap(source -> {
                    done.add(1);
                    return blocks(shared, paths.from(source), 0, source);
                })
                .iterator();
    }

    /**
     * The paths from one source.
     *
     * @param row the row of the table that contains these paths
     * @param previous the vertex before each target on its path; null unless requested
     */
    private record Row(PathTable table, int row, int source, int[] previous) {
        boolean reaches(int target) {
            return table.reaches(row, target);
        }
    }

    /** @param row the row of the table that contains the paths from the source */
    private Stream<InternalRow> blocks(Shared shared, PathTable table, int row, int source) {
        int[] previous = results.contains(PREVIOUS) ? Predecessors.of(shared.graph, table, row, source) : null;
        Row paths = new Row(table, row, source, previous);
        return IntStream.range(0, blocks(shared.graph)).boxed().flatMap(block -> block(shared, paths, block));
    }

    /** Returns one row, or no row if no vertex of the block can be reached. */
    private Stream<InternalRow> block(Shared shared, Row paths, int block) {
        int[] targets = IntStream.range(block * BLOCK, end(shared.graph, block))
                .filter(paths::reaches)
                .toArray();
        return targets.length == 0 ? Stream.of() : Stream.of(row(shared, paths, targets));
    }

    private InternalRow row(Shared shared, Row paths, int... targets) {
        Object[] names = shared.names;
        PathTable table = paths.table();
        int row = paths.row();
        Object[] values = new Object[FIXED + results.size()];
        values[0] = names[paths.source()];
        values[1] = names[targets[0]];
        values[2] = names[targets[targets.length - 1]];
        values[3] = names(names, targets);
        for (int i = 0; i < results.size(); i++) {
            values[FIXED + i] = switch (results.get(i)) {
                case DISTANCE -> lengths(shared.graph, table, row, targets);
                case NEXT -> names(names, each(targets, target -> table.next(row, target)));
                case PREVIOUS -> names(names, each(targets, target -> paths.previous()[target]));
                default -> UnsafeArrayData.fromPrimitiveArray(each(targets, target -> table.edges(row, target)));
            };
        }
        return new GenericInternalRow(values);
    }

    private static int[] each(int[] targets, IntUnaryOperator value) {
        return Arrays.stream(targets).map(value).toArray();
    }

    /**
     * Returns the names of vertices; the name of {@link PathTable#NONE} is NULL. Names that are integers are not boxed.
     */
    private static ArrayData names(Object[] names, int... vertices) {
        UnsafeArrayData integers;
        if (names[0] instanceof Integer) {
            integers = UnsafeArrayData.fromPrimitiveArray(Arrays.stream(vertices)
                    .map(vertex -> vertex == PathTable.NONE ? 0 : (int) names[vertex])
                    .toArray());
        } else if (names[0] instanceof Long) {
            integers = UnsafeArrayData.fromPrimitiveArray(Arrays.stream(vertices)
                    .mapToLong(vertex -> vertex == PathTable.NONE ? 0 : (long) names[vertex])
                    .toArray());
        } else {
            return new GenericArrayData(Arrays.stream(vertices)
                    .mapToObj(vertex -> vertex == PathTable.NONE ? null : names[vertex])
                    .toArray());
        }
        for (int i = 0; i < vertices.length; i++) {
            if (vertices[i] == PathTable.NONE) {
                integers.setNullAt(i);
            }
        }
        return integers;
    }

    private static ArrayData lengths(Graph graph, PathTable table, int row, int... targets) {
        LongStream lengths = Arrays.stream(targets).mapToLong(target -> table.length(row, target));
        return graph.hasDoubles()
                ? UnsafeArrayData.fromPrimitiveArray(
                        lengths.mapToDouble(Double::longBitsToDouble).toArray())
                : UnsafeArrayData.fromPrimitiveArray(lengths.toArray());
    }
}
