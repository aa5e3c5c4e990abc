package dev.bellman.fold.rna;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.Kernel;
import dev.bellman.cuda.Launch;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs {@code rna_eval} on the GPU, with one warp per row. One launch checks the structures and counts their loops;
 * another launch writes the loops. See {@code fold/rna/rna_eval.cu}.
 */
final class RnaEvalKernel implements ColumnarKernel {
    /** The addresses of the loops' fields, and of each row's energy ({@code Evaluated} in the kernel's source). */
    record Evaluated(
            long kindEnds,
            long kinds,
            long i,
            long j,
            long p,
            long q,
            long energies,
            long closed,
            long inner,
            long totals) {}

    private static final int MAX_WARPS = 4;

    private final SolverCall call;
    private final CudaModule module = CudaModule.load("fold/rna/rna_eval");

    RnaEvalKernel(SolverCall call) {
        this.call = call;
    }

    @Override
    public Result evaluate(Batch batch) {
        int most = Device.current().sharedMemoryPerBlock();
        // structures are stored in shared memory; the CPU evaluates those that do not fit
        RnaRows rows = new RnaRows(batch, call, RnaRows.Checked.NOTHING, n -> bytes(n) <= most ? 0 : Long.MAX_VALUE);
        long bytes = Integer.BYTES * (batch.rows() + 1L);
        DeviceMemoryBuffer loops = batch.scratch().filled(bytes, (byte) 0);
        DeviceMemoryBuffer letters = batch.scratch().filled(bytes, (byte) 0);
        DeviceColumn structures = batch.strings(1);
        for (Instances.Group group : rows.instances.groups()) {
            launch("rna_eval_count", group)
                    .launch(
                            rows.instances.order().getAddress(),
                            group.from(),
                            group.count(),
                            rows.text.offsets(),
                            rows.text.values(),
                            structures.offsets(),
                            structures.values(),
                            words(group.largest()),
                            rows.instances.classified(),
                            loops.getAddress(),
                            letters.getAddress());
        }
        rows.instances.regroup();
        return write(batch, rows, batch.offsets(loops), batch.offsets(letters));
    }

    private Result write(Batch batch, RnaRows rows, Offsets loops, Offsets letters) {
        DeviceMemoryBuffer ends = batch.scratch().zeroInts(loops.total() + 1L);
        DeviceMemoryBuffer kinds = batch.allocate(letters.total());
        List<DeviceMemoryBuffer> bases = Stream.generate(() -> batch.allocateInts(loops.total()))
                .limit(4)
                .toList();
        DeviceMemoryBuffer energies = batch.allocateDoubles(loops.total());
        DeviceMemoryBuffer closed = batch.emptyMask(loops.total());
        DeviceMemoryBuffer inner = batch.emptyMask(loops.total());
        DeviceMemoryBuffer totals = batch.allocateDoubles(batch.rows());
        Evaluated to = new Evaluated(
                ends.getAddress() + Integer.BYTES,
                kinds.getAddress(),
                bases.get(0).getAddress(),
                bases.get(1).getAddress(),
                bases.get(2).getAddress(),
                bases.get(3).getAddress(),
                energies.getAddress(),
                closed.getAddress(),
                inner.getAddress(),
                totals.getAddress());
        DeviceColumn structures = batch.strings(1);
        for (Instances.Group group : rows.instances.groups()) {
            launch("rna_eval_write", group)
                    .launch(
                            rows.instances.order().getAddress(),
                            group.from(),
                            group.count(),
                            rows.text.offsets(),
                            rows.text.values(),
                            structures.offsets(),
                            structures.values(),
                            rows.models.get(rows.model(group)),
                            words(group.largest()),
                            loops.buffer().getAddress(),
                            letters.buffer().getAddress(),
                            to);
        }
        Result loop = Result.struct(
                Result.strings(new Offsets(ends, letters.total()), kinds),
                Result.ints(bases.get(0)).withNulls(closed),
                Result.ints(bases.get(1)).withNulls(closed),
                Result.ints(bases.get(2)).withNulls(inner),
                Result.ints(bases.get(3)).withNulls(inner),
                Result.doubles(energies));
        return Result.struct(Result.doubles(totals), Result.lists(loops, loop));
    }

    private Launch launch(String kernel, Instances.Group group) {
        int most = Device.current().sharedMemoryPerBlock();
        int bytes = (int) bytes(group.largest());
        int warps = Math.min(MAX_WARPS, most / Math.max(1, bytes));
        return module.kernel(kernel).warps(group.count(), Kernel.WARP * warps).sharedMemory(warps * bytes);
    }

    /** Returns the number of groups of 32 bases in a sequence, rounded up. */
    private static int words(int n) {
        return (n + Kernel.WARP - 1) / Kernel.WARP;
    }

    /** Returns the amount of shared memory per warp in bytes. */
    private long bytes(int n) {
        return (long) words(n) * module.constant("BYTES_OF_32_BASES");
    }
}
