package dev.bellman.align.distance;

import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.Slots;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;

/**
 * Compares trees in bracket notation on the GPU: one warp computes the distance between two small trees in shared
 * memory, and one block computes the distance between larger trees. The CPU solves rows with trees of more than 32,767
 * nodes or 4 MiB, and rows that take more than 2^36 cells or too much memory. See {@code
 * align/distance/tree_edit_distance.cu}.
 */
record TreeEditDistanceKernel(SolverCall call) implements ColumnarKernel {
    record Calls(long aOffsets, long aBytes, long bOffsets, long bBytes, long inserts, long deletes, long renames) {}

    record Trees(long shapes, long aNodes, long bNodes) {}

    private static final String MODULE = "align/distance/tree_edit_distance";
    private static final int CLASSIFY_BLOCK = 128;
    private static final int WARP = 32;

    @Override
    public DataType type() {
        return Types.LONG;
    }

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load(MODULE);
        int rows = batch.rows();
        DeviceColumn a = batch.strings(0);
        DeviceColumn b = batch.strings(1);
        Calls calls = new Calls(
                a.offsets(),
                a.values(),
                b.offsets(),
                b.values(),
                costs(batch, "insert"),
                costs(batch, "delete"),
                costs(batch, "rename"));
        Trees trees = new Trees(
                batch.allocate(2L * module.constant("SHAPE_BYTES") * rows).getAddress(),
                nodes(batch, module, a),
                nodes(batch, module, b));
        int unit = module.constant("SLOT_UNIT");
        Instances instances = Instances.of(
                batch, call, module, unit, classified -> module.kernel("tree_edit_distance_classify")
                        .threads(2L * rows, CLASSIFY_BLOCK)
                        .launch(rows, batch.validity(), calls, trees, classified));
        DeviceMemoryBuffer distances = batch.allocate((long) Long.BYTES * rows);
        Slots slots = Slots.of(instances);
        for (Instances.Group group : instances.groups()) {
            int form = group.key() / module.constant("SIZES");
            if (form == module.constant("FORM_SMALL")) {
                module.kernel("tree_edit_distance_small")
                        .grid(group.count())
                        .block(WARP)
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

    /** Returns memory for the nodes of a column's trees. Each node takes at least two bytes of the text. */
    private static long nodes(Batch batch, CudaModule module, DeviceColumn texts) {
        return batch.allocate(module.constant("NODE_BYTES") * (texts.valueBytes() / 2 + 1))
                .getAddress();
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
