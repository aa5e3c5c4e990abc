package dev.bellman.graph;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import dev.bellman.graph.ShortestPaths.Strategy;
import dev.bellman.graph.dense.Cell;
import dev.bellman.graph.dense.Distances;
import dev.bellman.graph.dense.DistancesOnGpu;
import dev.bellman.large.tiles.Schedule;
import java.util.Locale;
import org.apache.spark.sql.types.DataTypes;

/**
 * Finds shortest paths on the GPU. A graph with up to 128 vertices is solved by one block, with the table in registers
 * ({@code graph/floyd_warshall.cu}). A larger graph is solved by the whole GPU ({@link DistancesOnGpu}), unless next
 * vertices are requested for DOUBLE weights; the CPU solves such graphs, and graphs whose path lengths may not fit in
 * 64 bits.
 */
final class ShortestPathsKernel implements ColumnarKernel {
    private static final int ROW_BLOCK = 128;
    private static final int ELEMENT_BLOCK = 256;
    private static final String[] TYPES = {"int32", "exact", "int64", "double"};

    /** The graphs of a batch, in the layout of {@code graph/edges.cuh}. */
    record Graphs(long nodes, long offsets, long sources, long targets, long weights) {}

    /** The null masks of edges and their fields, in the layout of {@code graph/batch.cu}. */
    record EdgeMasks(long edges, long sources, long targets, long weights) {}

    private final SolverCall call;
    /** Whether to return next vertices instead of lengths. */
    private final boolean next;

    private final boolean doubles;
    private final CudaModule module = CudaModule.load("graph/batch");
    private final int sizes = module.constant("SIZES");

    /** @param next whether to return next vertices instead of lengths */
    ShortestPathsKernel(SolverCall call, boolean next) {
        this.call = call;
        this.next = next;
        doubles = call.type("edges").equals(DataTypes.createArrayType(GraphFunctions.edge(DataTypes.DoubleType)));
    }

    private DType weights() {
        return doubles ? DType.FLOAT64 : DType.INT64;
    }

    @Override
    public Result evaluate(Batch batch) {
        DeviceColumn edges = batch.column(1, Types.list(Types.struct(Types.INT, Types.INT, Types.of(weights()))));
        DeviceColumn edge = edges.elements();
        Graphs graphs = new Graphs(
                batch.ints(0).values(),
                edges.offsets(),
                edge.field(0).values(),
                edge.field(1).values(),
                edge.field(2).values());
        EdgeMasks masks = new EdgeMasks(
                edge.validity(),
                edge.field(0).validity(),
                edge.field(1).validity(),
                edge.field(2).validity());
        GpuMemory memory = GpuMemory.ofSession();
        Instances instances = new Instances(
                batch, call, module.constant("TYPES") * sizes, key -> maxNodes(key, memory), rows -> module.kernel(
                                "graph_classify")
                        .warps(batch.rows(), ROW_BLOCK)
                        .launch(batch.rows(), batch.validity(), graphs, masks, doubles ? 1 : 0, next ? 1 : 0, rows));
        while (true) {
            Tables tables = tables(batch, instances);
            DeviceMemoryBuffer results = solve(batch, graphs, instances, tables);
            if (!instances.regroup()) {
                instances.groups().forEach(group -> {
                    Strategy chosen = isLarge(group.key()) ? Strategy.BLOCKED : Strategy.FLOYD_WARSHALL;
                    batch.whenDone(() -> GraphRow.chose(call.options(), call.strategy(), chosen, group.count()));
                });
                return result(batch, tables, results);
            }
            // solves the rows again without those that became NULL, which have no elements
            batch.scratch().free(results);
        }
    }

    /** Returns the maximum number of vertices of the graphs in a class that the GPU solves. */
    private int maxNodes(int key, GpuMemory memory) {
        int type = key / sizes;
        if (type == module.constant("WIDE")) {
            return 0;
        }
        if (!isLarge(key) || next && doubles) {
            return module.constant("MAX_NODES");
        }
        // the recursion needs two more tables of this size
        int copies = call.strategy() == Strategy.R_WAY ? 3 : 1;
        return memory.largest(ShortestPaths.MAX_NODES, nodes -> copies * DistancesOnGpu.bytes(cell(type), nodes));
    }

    private boolean isLarge(int key) {
        return key % sizes == sizes - 1;
    }

    private Cell cell(int type) {
        return type == module.constant("INT32")
                ? Cell.INT32
                : type == module.constant("DOUBLE") ? Cell.DOUBLE : Cell.INT64;
    }

    /** The offsets of each row's lists, and of the elements of these lists. */
    private record Tables(Offsets lists, Offsets elements) {}

    private Tables tables(Batch batch, Instances instances) {
        int rows = batch.rows();
        DeviceMemoryBuffer lists = batch.allocateInts(rows + 1L);
        DeviceMemoryBuffer elements = batch.allocateInts(rows + 1L);
        module.kernel("graph_counts")
                .threads(rows + 1L, ROW_BLOCK)
                .launch(rows, instances.classified(), lists.getAddress(), elements.getAddress());
        return new Tables(batch.offsets(lists), batch.offsets(elements));
    }

    private int elementBytes() {
        return next ? Integer.BYTES : Long.BYTES;
    }

    /** Returns the elements of the tables. Rejects rows with a negative cycle. */
    private DeviceMemoryBuffer solve(Batch batch, Graphs graphs, Instances instances, Tables tables) {
        DeviceMemoryBuffer results =
                batch.allocate((long) elementBytes() * tables.elements().total());
        boolean trees = next && doubles;
        DeviceMemoryBuffer lengths =
                trees ? batch.allocateDoubles(tables.elements().total()) : results;
        for (Instances.Group group : instances.groups()) {
            if (isLarge(group.key())) {
                large(batch, graphs, instances, group, tables, lengths);
            } else {
                floydWarshall(graphs, instances, group, tables, lengths);
            }
        }
        if (trees) {
            for (Instances.Group group : instances.groups()) {
                trees(graphs, instances, group, tables, lengths, results);
            }
            batch.scratch().free(lengths);
        }
        return results;
    }

    private void floydWarshall(
            Graphs graphs, Instances instances, Instances.Group group, Tables tables, DeviceMemoryBuffer lengths) {
        int step = module.constant("SIZE_STEP");
        int size = Math.max(1, group.key() % sizes) * step;
        String type = TYPES[group.key() / sizes];
        CudaModule floydWarshall = CudaModule.load("graph/floyd_warshall");
        Kernel kernel =
                floydWarshall.kernel("graph_%s_%s_%s".formatted(next && !doubles ? "next" : "lengths", type, size));
        int cellBytes = type.equals("int32") ? Integer.BYTES : Long.BYTES;
        kernel.grid(group.count())
                .block(size * size / floydWarshall.constant("CELLS_OF_THREAD"))
                .sharedMemory(cellBytes * (group.largest() * group.largest() + 4 * size))
                .launch(
                        graphs,
                        instances.order().getAddress(),
                        group.from(),
                        instances.classified(),
                        tables.elements().buffer().getAddress(),
                        lengths.getAddress());
    }

    /** Solves the graphs one by one, each with the whole GPU. */
    private void large(
            Batch batch,
            Graphs graphs,
            Instances instances,
            Instances.Group group,
            Tables tables,
            DeviceMemoryBuffer results) {
        DeviceMemoryBuffer found = batch.scratch().allocateInts(3L * group.count());
        module.kernel("graph_places")
                .threads(group.count(), ROW_BLOCK)
                .launch(
                        graphs,
                        instances.order().getAddress(),
                        group.from(),
                        group.count(),
                        tables.elements().buffer().getAddress(),
                        found.getAddress());
        int[] places = DeviceArrays.readInts(found, 0, 3 * group.count());
        batch.scratch().free(found);
        int[] rows = instances.rows(group);
        int[] nodes = instances.sizes(group);
        Cell cell = cell(group.key() / sizes);
        for (int i = 0; i < rows.length; i++) {
            int first = places[3 * i];
            int bits = next ? LongTable.bits(nodes[i]) : 0;
            try (DistancesOnGpu table = new DistancesOnGpu(cell, bits, nodes[i])) {
                table.add(
                        places[3 * i + 1] - first,
                        graphs.sources() + (long) Integer.BYTES * first,
                        graphs.targets() + (long) Integer.BYTES * first,
                        graphs.weights() + (long) Long.BYTES * first);
                int negative =
                        call.strategy() == Strategy.R_WAY ? table.solve(Schedule.twoWay(table.side())) : table.solve();
                if (negative == Distances.NONE) {
                    module.kernel("graph_copy_" + cell.name().toLowerCase(Locale.ROOT))
                            .threads((long) nodes[i] * nodes[i], ELEMENT_BLOCK)
                            .launch(
                                    nodes[i],
                                    table.table().getAddress(),
                                    table.pitch(),
                                    bits,
                                    results.getAddress() + (long) elementBytes() * places[3 * i + 2]);
                } else {
                    module.kernel("graph_reject").grid(1).launch(instances.classified(), rows[i]);
                }
            }
        }
    }

    private static void trees(
            Graphs graphs,
            Instances instances,
            Instances.Group group,
            Tables tables,
            DeviceMemoryBuffer lengths,
            DeviceMemoryBuffer next) {
        CudaModule trees = CudaModule.load("graph/path_tree");
        int n = group.largest();
        // first the targets for which a local choice of edges suffices
        int targets = Math.max(1, (n + Kernel.WARP - 1) / Kernel.WARP) * Kernel.WARP;
        int capacity = n * trees.constant("EDGES_OF_VERTEX");
        trees.kernel("graph_path_next")
                .grid(group.count())
                .block(trees.constant("NEXT_BLOCK") / targets * targets)
                .sharedMemory(capacity * trees.constant("BYTES_OF_EDGE"))
                .launch(
                        graphs,
                        instances.order().getAddress(),
                        group.from(),
                        instances.classified(),
                        tables.elements().buffer().getAddress(),
                        lengths.getAddress(),
                        next.getAddress(),
                        capacity);
        Kernel kernel = trees.kernel("graph_path_tree");
        int edges = n * (n * trees.constant("BYTES_OF_PAIR") + trees.constant("BYTES_OF_VERTEX"));
        int ofWarp = Math.max(1, n * trees.constant("BYTES_OF_STATE"));
        // as many warps as shared memory allows
        int most = (kernel.device().sharedMemoryPerBlock() - edges) / ofWarp;
        int warps = Math.max(1, Math.min(trees.constant("TREE_BLOCK") / Kernel.WARP, most));
        kernel.grid(group.count())
                .block(Kernel.WARP * warps)
                .sharedMemory(edges + warps * ofWarp)
                .launch(
                        graphs,
                        instances.order().getAddress(),
                        group.from(),
                        instances.classified(),
                        tables.elements().buffer().getAddress(),
                        lengths.getAddress(),
                        next.getAddress());
    }

    private Result result(Batch batch, Tables tables, DeviceMemoryBuffer results) {
        int lists = tables.lists().total();
        int elements = tables.elements().total();
        DeviceMemoryBuffer offsets = batch.allocateInts(lists + 1L);
        module.kernel("graph_list_offsets")
                .warps(batch.rows(), ROW_BLOCK)
                .launch(
                        batch.rows(),
                        tables.lists().buffer().getAddress(),
                        tables.elements().buffer().getAddress(),
                        offsets.getAddress());
        DeviceMemoryBuffer validity = batch.allocateMask(elements);
        module.kernel("graph_validity")
                .threads(elements, ELEMENT_BLOCK)
                .launch(elements, results.getAddress(), doubles ? 1 : 0, next ? 1 : 0, validity.getAddress());
        Result values = next ? Result.ints(results) : doubles ? Result.doubles(results) : Result.longs(results);
        return Result.lists(tables.lists(), Result.lists(new Offsets(offsets, elements), values.withNulls(validity)));
    }
}
