package dev.bellman.fold.rna;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;

/** Runs {@code rna_ensemble} on the GPU. */
final class RnaEnsembleKernel implements ColumnarKernel {
    private final SolverCall call;

    RnaEnsembleKernel(SolverCall call) {
        this.call = call;
    }

    @Override
    public Result evaluate(Batch batch) {
        RnaRows rows = new RnaRows(batch, call, RnaRows.Checked.NOTHING, RnaEnsembles::bytes);
        long bytes = (long) Double.BYTES * batch.rows();
        DeviceMemoryBuffer energies = batch.allocate(bytes);
        DeviceMemoryBuffer frequencies = batch.allocate(bytes);
        DeviceMemoryBuffer diversities = batch.allocate(bytes);
        RnaEnsembles.Ensembles ensembles =
                new RnaEnsembles.Ensembles(energies.getAddress(), frequencies.getAddress(), diversities.getAddress());
        for (Instances.Group group : rows.instances.groups()) {
            RnaEnsembles.solve(group, rows, ensembles);
        }
        return Result.struct(Result.doubles(energies), Result.doubles(frequencies), Result.doubles(diversities));
    }
}
