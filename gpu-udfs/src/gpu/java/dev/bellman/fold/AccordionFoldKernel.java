package dev.bellman.fold;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;

/** Computes accordion foldings on the GPU, with one warp per folding. See {@code fold/accordion.cu}. */
final class AccordionFoldKernel implements ColumnarKernel {
    private static final int BLOCK = 128;
    /** The maximum number of residues. The table of a longer chain would not fit on any GPU. */
    private static final int MAX_RESIDUES = 1 << 20;

    private final SolverCall call;
    private final CudaModule module = CudaModule.load("fold/accordion");

    AccordionFoldKernel(SolverCall call) {
        this.call = call;
    }

    @Override
    public Result evaluate(Batch batch) {
        int rows = batch.rows();
        DeviceColumn text = batch.strings(0);
        GpuMemory memory = GpuMemory.ofSession();
        int most = memory.largest(MAX_RESIDUES, AccordionFoldKernel::bytes);
        Instances instances = new Instances(
                batch, call, module.constant("SIZES"), key -> most, classified -> module.kernel("accordion_classify")
                        .warps(rows, BLOCK)
                        .launch(rows, batch.validity(), text.offsets(), text.values(), classified));
        DeviceMemoryBuffer scores = batch.allocateInts(rows);
        DeviceMemoryBuffer counts = batch.allocateInts(rows + 1L);
        // each row's results are written at the positions of its residues
        DeviceMemoryBuffer found = batch.allocateInts(text.valueBytes());
        for (Instances.Group group : instances.groups()) {
            long slot = bytes(group.largest());
            int together = memory.together(group.count(), slot);
            try (Scratch scratch = new Scratch()) {
                DeviceMemoryBuffer tables = scratch.allocate(slot * together);
                for (int from = group.from(); from < group.to(); from += together) {
                    module.kernel("accordion_fold")
                            .grid(Math.min(together, group.to() - from))
                            .block(Kernel.WARP)
                            .launch(
                                    instances.order().getAddress(),
                                    from,
                                    text.offsets(),
                                    text.values(),
                                    tables.getAddress(),
                                    slot,
                                    scores.getAddress(),
                                    counts.getAddress(),
                                    found.getAddress());
                }
            }
        }
        module.kernel("accordion_lengths")
                .threads(rows + 1L, BLOCK)
                .launch(rows, instances.classified(), counts.getAddress());
        Offsets offsets = batch.offsets(counts);
        DeviceMemoryBuffer ends = batch.allocateInts(offsets.total());
        module.kernel("accordion_write")
                .warps(rows, BLOCK)
                .launch(
                        rows,
                        text.offsets(),
                        found.getAddress(),
                        offsets.buffer().getAddress(),
                        ends.getAddress());
        return Result.struct(Result.ints(scores), Result.lists(offsets, Result.ints(ends)));
    }

    /** Returns an upper bound on the size of a table and its two additional rows, in bytes. */
    private static long bytes(int n) {
        return (n + 3L) * (n + 1L) * Integer.BYTES;
    }
}
