package dev.bellman.knapsack;

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
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverUdf;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;

/**
 * Knapsacks on the GPU, one block each; without values, they are the weights. See {@code knapsack/knapsack.cu}.
 */
record KnapsackKernel(SolverUdf<?> udf) implements ColumnarKernel {
    record Calls(
            long offsets,
            long weightValidity,
            long weights,
            long valueOffsets,
            long valueValidity,
            long values,
            long capacities) {}

    record Answers(long divisors, long widths, long sums, long counts, long taken) {}

    private static final int BLOCK = 128;
    private static final int WARP = 32;
    private static final int MAX_THREADS = 512;

    @Override
    public DataType type() {
        return new StructType(
                true, new BasicType(true, DType.INT64), new ListType(true, new BasicType(true, DType.INT32)));
    }

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("knapsack/knapsack");
        int rows = batch.rows();
        DeviceColumn weights = batch.lists(0, DType.INT64);
        int last = batch.arguments() - 1;
        DeviceColumn values = last == 1 ? weights : batch.lists(1, DType.INT64);
        Calls calls = new Calls(
                weights.offsets(),
                weights.elements().validity(),
                weights.elements().values(),
                values.offsets(),
                values.elements().validity(),
                values.elements().values(),
                batch.column(last, new BasicType(true, DType.INT64)).values());
        DeviceMemoryBuffer sums = batch.allocate((long) Long.BYTES * rows);
        DeviceMemoryBuffer counts = batch.scratch().filled(Integer.BYTES * (rows + 1L), (byte) 0);
        Answers answers = new Answers(
                batch.scratch().allocate((long) Long.BYTES * rows).getAddress(),
                batch.scratch().allocate((long) Integer.BYTES * rows).getAddress(),
                sums.getAddress(),
                counts.getAddress(),
                batch.scratch().allocate(weights.elements().rows()).getAddress());
        GpuMemory memory = GpuMemory.ofSession();
        int shared = Device.current().sharedMemoryPerBlock() - module.constant("MORE_SHARED");
        int most = (int) Math.min(Integer.MAX_VALUE, memory.perInstance() / module.constant("SLOT_UNIT"));
        Instances instances = new Instances(
                batch, udf.options(), udf::onCpu, module.constant("CLASSES"), key -> most, classified -> module.kernel(
                                "knapsack_classify")
                        .threads((long) WARP * rows, BLOCK)
                        .launch(rows, batch.validity(), calls, shared, answers, classified));
        for (Instances.Group group : instances.groups()) {
            solve(module, memory, shared, calls, answers, instances, group);
        }
        Offsets offsets = batch.offsets(counts);
        DeviceMemoryBuffer items = batch.allocate((long) Integer.BYTES * offsets.total());
        module.kernel("knapsack_items")
                .threads(rows, BLOCK)
                .launch(
                        rows,
                        calls,
                        answers,
                        instances.classified(),
                        offsets.buffer().getAddress(),
                        items.getAddress());
        return Result.struct(Result.longs(sums), Result.lists(offsets, Result.ints(items)));
    }

    private void solve(
            CudaModule module,
            GpuMemory memory,
            int shared,
            Calls calls,
            Answers answers,
            Instances instances,
            Instances.Group group) {
        int logs = module.constant("LOGS");
        boolean isLong = group.key() >= logs;
        long width = 1L << logs - 1 - group.key() % logs;
        long row = width * (isLong ? Long.BYTES : Integer.BYTES);
        int sharedMemory = row <= shared ? (int) row : 0;
        Kernel kernel = module.kernel(isLong ? "knapsack_longs" : "knapsack_ints");
        int block = (int) Math.max(WARP, Math.min(MAX_THREADS, width / module.constant("CELLS_OF_THREAD")));
        long slot = (long) module.constant("SLOT_UNIT") * group.largest();
        int slots = memory.together(Math.min(group.count(), kernel.residentBlocks(block, sharedMemory)), slot);
        try (Scratch scratch = new Scratch()) {
            kernel.grid(slots)
                    .block(block)
                    .sharedMemory(sharedMemory)
                    .launch(
                            instances.order().getAddress(),
                            group.from(),
                            group.to(),
                            scratch.filled(Integer.BYTES, (byte) 0).getAddress(),
                            calls,
                            answers,
                            sharedMemory == 0 ? row : 0L,
                            scratch.allocate(slot * slots).getAddress(),
                            slot);
        }
    }
}
