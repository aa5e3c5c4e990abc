package dev.bellman.align.distance;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.AlikeRows;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.Slots;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;

/**
 * Compares trees on the GPU: one warp computes the distance between two small trees in shared memory, and one block
 * computes the distance between larger trees. JSON values are first converted to bracket notation. The CPU solves rows
 * with trees of more than 32,767 nodes or 4 MiB in bracket notation, and rows that take more than 2^36 cells or too
 * much memory. See {@code align/distance/tree_edit_distance.cu}.
 */
record TreeEditDistanceKernel(SolverCall call) implements ColumnarKernel {
    record Calls(
            long aOffsets,
            long aBytes,
            long bOffsets,
            long bBytes,
            long inserts,
            long deletes,
            long renames,
            long formats) {
        /** Returns the same calls, with the trees in bracket notation. */
        Calls converted(long aConverted, long bConverted, long from) {
            return new Calls(aOffsets, aConverted, bOffsets, bConverted, inserts, deletes, renames, from);
        }
    }

    record Trees(long shapes, long aNodes, long bNodes) {}

    private static final String MODULE = "align/distance/tree_edit_distance";
    private static final int CLASSIFY_BLOCK = 128;
    private static final String FORMAT = "format";
    /** The two formats and a wrong one. */
    private static final int MAX_FORMATS = 3;

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load(MODULE);
        int rows = batch.rows();
        DeviceColumn a = batch.strings(0);
        DeviceColumn b = batch.strings(1);
        long formats = formats(batch, module);
        int expansion = formats == 0 ? 1 : module.constant("JSON_EXPANSION");
        Calls given = new Calls(
                a.offsets(),
                a.values(),
                b.offsets(),
                b.values(),
                costs(batch, "insert"),
                costs(batch, "delete"),
                costs(batch, "rename"),
                0);
        Trees trees = new Trees(
                batch.allocate(2L * module.constant("SHAPE_BYTES") * rows).getAddress(),
                nodes(batch, module, expansion * a.valueBytes()),
                nodes(batch, module, expansion * b.valueBytes()));
        Calls calls = formats == 0 ? given : converted(batch, module, given, formats, trees);
        int unit = module.constant("SLOT_UNIT");
        Instances instances =
                Instances.of(batch, call, module, unit, classified -> module.kernel("tree_edit_distance_classify")
                        .threads(2L * rows, CLASSIFY_BLOCK)
                        .launch(rows, batch.validity(), calls, trees, classified));
        DeviceMemoryBuffer distances = batch.allocateLongs(rows);
        Slots slots = Slots.of(instances);
        for (Instances.Group group : instances.groups()) {
            int form = group.key() / module.constant("SIZES");
            if (form == module.constant("FORM_SMALL")) {
                module.kernel("tree_edit_distance_small")
                        .grid(group.count())
                        .block(Kernel.WARP)
                        .sharedMemory(group.largest() * module.constant("SLOT_UNIT"))
                        .launch(instances.order().getAddress(), group.from(), calls, trees, distances.getAddress());
            } else {
                boolean isWide = form == module.constant("FORM_WIDE");
                Kernel kernel = module.kernel("tree_edit_distance_" + (isWide ? "wide" : "narrow"));
                solve(module, kernel, slots, group, calls, trees, distances);
            }
        }
        return Result.longs(distances);
    }

    /** Returns the address of the values of a cost; 0 if the call omits it. */
    private long costs(Batch batch, String name) {
        int column = call.column(name);
        return column < 0 ? 0 : batch.ints(column).values();
    }

    /** Returns the address of the number of each row's format; 0 if all trees are given in bracket notation. */
    private long formats(Batch batch, CudaModule module) {
        boolean isConstant = call.column(FORMAT) < 0;
        if (isConstant && !isJson(call.ifAbsent(FORMAT).orElseThrow())) {
            return 0;
        }
        int brackets = module.constant("BRACKETS_FORMAT");
        int json = module.constant("JSON_FORMAT");
        return AlikeRows.number(batch, call, FORMAT, MAX_FORMATS, format -> isJson(format) ? json : brackets)
                .getAddress();
    }

    private boolean isJson(Object format) {
        return TreeEditDistance.isJson(call.function(), format.toString());
    }

    /** Returns memory for the nodes of trees with this number of bytes. Each node takes at least two bytes. */
    private static long nodes(Batch batch, CudaModule module, long bytes) {
        return batch.allocate(module.constant("NODE_BYTES") * (bytes / 2 + 1)).getAddress();
    }

    /** Converts JSON values to bracket notation, and copies trees that are already in bracket notation. */
    private static Calls converted(Batch batch, CudaModule module, Calls given, long formats, Trees trees) {
        int expansion = module.constant("JSON_EXPANSION");
        long a = batch.allocate(expansion * batch.strings(0).valueBytes()).getAddress();
        long b = batch.allocate(expansion * batch.strings(1).valueBytes()).getAddress();
        module.kernel("tree_edit_distance_convert")
                .threads(2L * batch.rows(), CLASSIFY_BLOCK)
                .launch(batch.rows(), batch.validity(), given, formats, trees, a, b);
        return given.converted(a, b, formats);
    }

    private static void solve(
            CudaModule module,
            Kernel kernel,
            Slots slots,
            Instances.Group group,
            Calls calls,
            Trees trees,
            DeviceMemoryBuffer distances) {
        long bytes = (long) module.constant("SLOT_UNIT") * group.largest();
        Slots.Shape shape = new Slots.Shape(kernel, module.constant("BLOCK"));
        int blocks = shape.blocks(group);
        slots.launch(
                group,
                shape,
                slots.memory().together(blocks, bytes, blocks),
                bytes,
                calls,
                trees,
                distances.getAddress());
    }
}
