package dev.bellman.fold;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;

/**
 * Computes the maximum numbers of base pairs of RNAs, or structures with that many pairs, on the GPU, with one block
 * per sequence. See {@code fold/base_pairs.cu}.
 */
final class BasePairsKernel implements ColumnarKernel {
    private static final int BLOCK = 128;

    private final SolverCall call;
    private final boolean withStructure;
    private final CudaModule module = CudaModule.load("fold/base_pairs");

    BasePairsKernel(SolverCall call, boolean withStructure) {
        this.call = call;
        this.withStructure = withStructure;
    }

    @Override
    public Result evaluate(Batch batch) {
        int rows = batch.rows();
        DeviceColumn text = batch.strings(0);
        int minLoop = call.column("min_loop");
        long minLoops = minLoop < 0 ? 0 : batch.ints(minLoop).values();
        GpuMemory memory = GpuMemory.ofSession();
        int most = memory.largest(module.constant("MAX_BASES"), this::bytes);
        Instances instances = new Instances(
                batch, call, module.constant("SIZES"), key -> most, classified -> module.kernel("base_pairs_classify")
                        .warps(rows, BLOCK)
                        .launch(rows, batch.validity(), text.offsets(), text.values(), minLoops, classified));
        DeviceMemoryBuffer counts = batch.allocateInts(rows);
        // each row's structure is written at the positions of its letters
        DeviceMemoryBuffer structures = batch.allocate(withStructure ? text.valueBytes() : 0);
        Kernel kernel = module.kernel("base_pairs");
        for (Instances.Group group : instances.groups()) {
            long slot = bytes(group.largest());
            int together = memory.together(group.count(), slot);
            int threads = Structures.threads(kernel, group.largest(), module.constant("MAX_THREADS"), together);
            try (Scratch scratch = new Scratch()) {
                DeviceMemoryBuffer tables = scratch.allocate(slot * together);
                for (int from = group.from(); from < group.to(); from += together) {
                    kernel.grid(Math.min(together, group.to() - from))
                            .block(threads)
                            .sharedMemory(group.largest())
                            .launch(
                                    instances.order().getAddress(),
                                    from,
                                    text.offsets(),
                                    text.values(),
                                    minLoops,
                                    tables.getAddress(),
                                    slot,
                                    counts.getAddress(),
                                    withStructure ? structures.getAddress() : 0L);
                }
            }
        }
        return withStructure ? Structures.column(batch, instances, text, structures) : Result.ints(counts);
    }

    /** Returns the size of a table in bytes ({@code PairTable} in {@code fold/base_pairs.cu}). */
    private long bytes(long n) {
        long kept = n / module.constant("BASES_OF_CANDIDATE") + module.constant("MORE_CANDIDATES");
        long bytes = Integer.BYTES * kept * n + Integer.BYTES * (3 * n + 4) + Short.BYTES * (n * (n + 1) / 2);
        return (bytes + 255) / 256 * 256;
    }
}
