package dev.bellman.segment;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.Slots;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;

/** Computes isotonic regressions on the GPU, with one warp per row. See {@code segment/isotonic.cu}. */
record IsotonicKernel(SolverCall call) implements ColumnarKernel {
    record Calls(
            long offsets, long validity, long values, long weightOffsets, long weightValidity, long weights) {}

    private static final int BLOCK = 128;
    private static final int WARP = 32;

    @Override
    public DataType type() {
        return Types.list(Types.DOUBLE);
    }

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("segment/isotonic");
        int rows = batch.rows();
        Calls calls = calls(batch);
        GpuMemory memory = GpuMemory.ofSession();
        int bytes = module.constant("POINT_BYTES");
        int most = (int) Math.min(Integer.MAX_VALUE, memory.perInstance() / bytes);
        Instances instances = new Instances(
                batch,
                call.options(),
                call::onCpu,
                module.constant("CLASSES"),
                key -> most,
                classified -> module.kernel("isotonic_classify")
                        .threads((long) WARP * rows, BLOCK)
                        .launch(rows, batch.validity(), calls, classified));
        DeviceMemoryBuffer counts = batch.scratch().filled(Integer.BYTES * (rows + 1L), (byte) 0);
        module.kernel("isotonic_counts")
                .threads(rows, BLOCK)
                .launch(rows, calls, instances.classified(), counts.getAddress());
        Offsets offsets = batch.offsets(counts);
        DeviceMemoryBuffer fitted = batch.allocate((long) Double.BYTES * offsets.total());
        Kernel kernel = module.kernel("isotonic");
        for (Instances.Group group : instances.groups()) {
            try (Scratch scratch = new Scratch()) {
                Slots slots = Slots.of(scratch, memory, kernel, WARP, 0, group, bytes);
                kernel.grid(slots.count())
                        .block(WARP)
                        .launch(
                                instances.order().getAddress(),
                                group.from(),
                                group.to(),
                                slots.ticket(),
                                calls,
                                offsets.buffer().getAddress(),
                                fitted.getAddress(),
                                slots.memory(),
                                slots.bytes());
            }
        }
        return Result.lists(offsets, Result.doubles(fitted));
    }

    private Calls calls(Batch batch) {
        DeviceColumn values = batch.lists(0, DType.FLOAT64);
        int column = call.column("weights");
        DeviceColumn weights = column < 0 ? null : batch.lists(column, DType.FLOAT64);
        return new Calls(
                values.offsets(),
                values.elements().validity(),
                values.elements().values(),
                weights == null ? 0 : weights.offsets(),
                weights == null ? 0 : weights.elements().validity(),
                weights == null ? 0 : weights.elements().values());
    }
}
