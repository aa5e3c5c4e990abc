package dev.bellman.graph;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import ai.rapids.cudf.HostColumnVector.ListType;
import ai.rapids.cudf.HostColumnVector.StructType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;

/**
 * Shortest paths on the GPU, of graphs of up to 128 vertices: a block of threads for each, its table in registers ({@code
 * graph/floyd_warshall.cu}). Larger ones are solved on the CPU.
 */
final class ShortestPathsKernel implements ColumnarKernel {
    private static final int ROW_BLOCK = 128;
    private static final int ELEMENT_BLOCK = 256;
    private static final String[] TYPES = {"int32", "exact", "int64", "double"};

    /** The edges of a batch, as {@code graph/edges.cuh} has them. */
    record Graphs(long nodes, long offsets, long sources, long targets, long weights) {}

    /** As {@code graph/batch.cu} has them. */
    record EdgeMasks(long edges, long sources, long targets, long weights) {}

    private final GraphUdf udf;
    private final CudaModule module = CudaModule.load("graph/batch");
    private final int sizes = module.constant("SIZES");

    ShortestPathsKernel(GraphUdf udf) {
        this.udf = udf;
    }

    @Override
    public DataType type() {
        DType element = udf.next ? DType.INT32 : weights();
        return new ListType(true, new ListType(true, new BasicType(true, element)));
    }

    private DType weights() {
        return udf.doubles ? DType.FLOAT64 : DType.INT64;
    }

    @Override
    public Result evaluate(Batch batch) {
        BasicType vertex = new BasicType(true, DType.INT32);
        DeviceColumn edges = batch.column(
                1, new ListType(true, new StructType(true, vertex, vertex, new BasicType(true, weights()))));
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
        int mostNodes = module.constant("MOST_NODES");
        int wide = module.constant("WIDE");
        Instances instances = new Instances(
                batch,
                udf.options,
                udf::onCpu,
                module.constant("TYPES") * sizes,
                key -> key / sizes == wide ? 0 : mostNodes,
                rows -> module.kernel("graph_classify")
                        .threads(32L * batch.rows(), ROW_BLOCK)
                        .launch(
                                batch.rows(),
                                batch.validity(),
                                graphs,
                                masks,
                                udf.doubles ? 1 : 0,
                                udf.next ? 1 : 0,
                                rows));
        while (true) {
            Tables tables = tables(batch, instances);
            DeviceMemoryBuffer results = solve(batch, graphs, instances, tables);
            if (!instances.regroup()) {
                return result(batch, tables, results);
            }
            // with a row less: one that is NULL has no elements
            batch.scratch().free(results);
        }
    }

    /** Where the lists of each row begin, and their elements. */
    private record Tables(Offsets lists, Offsets elements) {}

    private Tables tables(Batch batch, Instances instances) {
        int rows = batch.rows();
        DeviceMemoryBuffer lists = batch.allocate(Integer.BYTES * (rows + 1L));
        DeviceMemoryBuffer elements = batch.allocate(Integer.BYTES * (rows + 1L));
        module.kernel("graph_counts")
                .threads(rows + 1L, ROW_BLOCK)
                .launch(rows, instances.classified(), lists.getAddress(), elements.getAddress());
        return new Tables(batch.offsets(lists), batch.offsets(elements));
    }

    private int elementBytes() {
        return udf.next ? Integer.BYTES : Long.BYTES;
    }

    /** The elements of the tables. Rows with a negative cycle are rejected. */
    private DeviceMemoryBuffer solve(Batch batch, Graphs graphs, Instances instances, Tables tables) {
        DeviceMemoryBuffer results =
                batch.allocate((long) elementBytes() * tables.elements().total());
        boolean trees = udf.next && udf.doubles;
        DeviceMemoryBuffer lengths =
                trees ? batch.allocate((long) Double.BYTES * tables.elements().total()) : results;
        for (Instances.Group group : instances.groups()) {
            floydWarshall(graphs, instances, group, tables, lengths);
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
        Kernel kernel = floydWarshall.kernel(
                "graph_%s_%s_%d".formatted(udf.next && !udf.doubles ? "next" : "lengths", type, size));
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

    private static void trees(
            Graphs graphs,
            Instances instances,
            Instances.Group group,
            Tables tables,
            DeviceMemoryBuffer lengths,
            DeviceMemoryBuffer next) {
        CudaModule trees = CudaModule.load("graph/path_tree");
        trees.kernel("graph_path_tree")
                .grid(group.count())
                .block(trees.constant("TREE_BLOCK"))
                .sharedMemory(Double.BYTES * group.largest() * group.largest())
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
        DeviceMemoryBuffer offsets = batch.allocate(Integer.BYTES * (lists + 1L));
        module.kernel("graph_list_offsets")
                .threads(32L * batch.rows(), ROW_BLOCK)
                .launch(
                        batch.rows(),
                        tables.lists().buffer().getAddress(),
                        tables.elements().buffer().getAddress(),
                        offsets.getAddress());
        DeviceMemoryBuffer validity = batch.allocateMask(elements);
        module.kernel("graph_validity")
                .threads(elements, ELEMENT_BLOCK)
                .launch(elements, results.getAddress(), udf.doubles ? 1 : 0, udf.next ? 1 : 0, validity.getAddress());
        Result values = udf.next ? Result.ints(results) : udf.doubles ? Result.doubles(results) : Result.longs(results);
        return Result.lists(tables.lists(), Result.lists(new Offsets(offsets, elements), values.withNulls(validity)));
    }
}
