package dev.bellman.fold.rna;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;

/** Runs {@code rna_cofold} on the GPU. */
final class RnaCofoldKernel implements ColumnarKernel {
    private static final int BLOCK = 128;

    private final SolverCall call;

    RnaCofoldKernel(SolverCall call) {
        this.call = call;
    }

    @Override
    public Result evaluate(Batch batch) {
        CofoldRows rows = new CofoldRows(batch, call, CofoldRows::bytes);
        DeviceMemoryBuffer energies = batch.allocateDoubles(batch.rows());
        DeviceMemoryBuffer structures = batch.scratch().allocate(rows.letters);
        for (Instances.Group group : rows.instances.groups()) {
            rows.fold(group, energies.getAddress(), structures.getAddress());
        }
        return Result.struct(Result.doubles(energies), column(rows, structures));
    }

    private static Result column(CofoldRows rows, DeviceMemoryBuffer structures) {
        Batch batch = rows.batch;
        int count = batch.rows();
        DeviceMemoryBuffer lengths = batch.allocateInts(count + 1L);
        CofoldRows.module()
                .kernel("rna_cofold_lengths")
                .threads(count + 1L, BLOCK)
                .launch(count, rows.strands, rows.instances.classified(), lengths.getAddress());
        Offsets offsets = batch.offsets(lengths);
        DeviceMemoryBuffer letters = batch.allocate(offsets.total());
        CofoldRows.module()
                .kernel("rna_cofold_copy")
                .warps(count, BLOCK)
                .launch(
                        count,
                        rows.strands,
                        structures.getAddress(),
                        offsets.buffer().getAddress(),
                        letters.getAddress());
        return Result.strings(offsets, letters);
    }
}
