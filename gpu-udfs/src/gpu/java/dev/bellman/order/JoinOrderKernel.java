package dev.bellman.order;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.Slots;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;

/** Finds the cheapest join trees on the GPU, with one block per row. See {@code order/join_order.cu}. */
record JoinOrderKernel(SolverCall call) implements ColumnarKernel {
    record Calls(
            long offsets,
            long validity,
            long cardinalities,
            long edgeOffsets,
            long edgeValidity,
            long sourceValidity,
            long sources,
            long targetValidity,
            long targets,
            long selectivityValidity,
            long selectivities) {}

    record Answers(long costs, long lengths, long trees) {}

    private static final int BLOCK = 128;
    private static final int MAX_THREADS = 1024;
    /** The number of sets for each thread of a block, if this yields 32 to {@link #MAX_THREADS} threads. */
    private static final int SETS_OF_THREAD = 8;

    private static Calls calls(Batch batch) {
        DeviceColumn cardinalities = batch.lists(0, DType.FLOAT64);
        DeviceColumn edges = batch.column(1, Types.list(Types.struct(Types.INT, Types.INT, Types.DOUBLE)));
        DeviceColumn edge = edges.elements();
        return new Calls(
                cardinalities.offsets(),
                cardinalities.elements().validity(),
                cardinalities.elements().values(),
                edges.offsets(),
                edge.validity(),
                edge.field(0).validity(),
                edge.field(0).values(),
                edge.field(1).validity(),
                edge.field(1).values(),
                edge.field(2).validity(),
                edge.field(2).values());
    }

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("order/join_order");
        int rows = batch.rows();
        Calls calls = calls(batch);
        DeviceMemoryBuffer costs = batch.allocateDoubles(rows);
        DeviceMemoryBuffer lengths = batch.scratch().zeroInts(rows + 1L);
        Answers answers = new Answers(
                costs.getAddress(),
                lengths.getAddress(),
                batch.scratch().allocate((long) module.constant("TREE") * rows).getAddress());
        int unit = module.constant("SLOT_UNIT");
        Instances instances = Instances.of(batch, call, module, unit, classified -> module.kernel("join_order_classify")
                .warps(rows, BLOCK)
                .launch(rows, batch.validity(), calls, answers, classified));
        Slots slots = Slots.of(instances);
        for (Instances.Group group : instances.groups()) {
            int sets = 1 << module.constant("MAX_RELATIONS") - group.key();
            int block = Math.max(Kernel.WARP, Math.min(MAX_THREADS, sets / SETS_OF_THREAD));
            slots.solve(
                    group,
                    new Slots.Shape(module.kernel("join_order_solve"), block),
                    (long) unit * group.largest(),
                    calls,
                    answers,
                    instances.classified());
        }
        instances.regroup();
        Offsets offsets = batch.offsets(lengths);
        DeviceMemoryBuffer trees = batch.allocate(offsets.total());
        module.kernel("join_order_trees")
                .warps(rows, BLOCK)
                .launch(rows, answers, offsets.buffer().getAddress(), trees.getAddress());
        return Result.struct(Result.doubles(costs), Result.strings(offsets, trees));
    }
}
