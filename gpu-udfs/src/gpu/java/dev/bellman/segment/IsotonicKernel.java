package dev.bellman.segment;

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
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;

/** Computes isotonic regressions on the GPU, with one warp or one thread per row. See {@code segment/isotonic.cu}. */
record IsotonicKernel(SolverCall call) implements ColumnarKernel {
    record Calls(long offsets, long validity, long values, long weightOffsets, long weightValidity, long weights) {}

    private static final int BLOCK = 128;

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("segment/isotonic");
        int rows = batch.rows();
        Calls calls = calls(batch);
        long values = batch.lists(0, DType.FLOAT64).elements().rows();
        long fitted = batch.scratch().allocateDoubles(values).getAddress();
        Instances instances = solve(batch, module, calls, fitted);
        DeviceMemoryBuffer counts = batch.scratch().zeroInts(rows + 1L);
        module.kernel("isotonic_counts")
                .threads(rows, BLOCK)
                .launch(rows, calls, instances.classified(), counts.getAddress());
        Offsets offsets = batch.offsets(counts);
        DeviceMemoryBuffer results = batch.allocateDoubles(offsets.total());
        module.kernel("isotonic_results")
                .warps(rows, BLOCK)
                .launch(rows, calls, fitted, offsets.buffer().getAddress(), results.getAddress());
        return Result.lists(offsets, Result.doubles(results));
    }

    private Instances solve(Batch batch, CudaModule module, Calls calls, long fitted) {
        GpuMemory memory = GpuMemory.ofSession();
        int hulls = module.constant("HULLS");
        int pointBytes = module.constant("POINT_BYTES");
        int blockBytes = module.constant("BYTES_OF_32_BLOCKS");
        Instances instances = new Instances(
                batch,
                call,
                module.constant("CLASSES"),
                key -> memory.largest(key < hulls ? pointBytes : blockBytes),
                classified -> module.kernel("isotonic_classify")
                        .warps(batch.rows(), BLOCK)
                        .launch(batch.rows(), batch.validity(), calls, classified));
        Slots slots = Slots.of(instances);
        Slots.Shape hull = new Slots.Shape(module.kernel("isotonic"), Kernel.WARP);
        Slots.Shape pairs = new Slots.Shape(module.kernel("isotonic_pairs"), Kernel.WARP, 0, Kernel.WARP);
        for (Instances.Group group : instances.groups()) {
            int largest = group.largest();
            if (group.key() < hulls) {
                slots.solve(group, hull, (long) pointBytes * largest, calls, fitted);
            } else {
                slots.solve(group, pairs, (long) blockBytes * largest, largest, calls, fitted, instances.classified());
            }
        }
        instances.regroup();
        return instances;
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
