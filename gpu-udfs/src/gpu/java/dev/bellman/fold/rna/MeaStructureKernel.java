package dev.bellman.fold.rna;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;
import dev.bellman.fold.Structures;

/**
 * Runs {@code mea_structure} on the GPU, with one block per row. Computes pair probabilities as
 * {@code rna_pair_probabilities} does, and then the structures that follow from these probabilities. See
 * {@code fold/rna/mea_structure.cu}.
 */
final class MeaStructureKernel implements ColumnarKernel {
    private final SolverCall call;
    private final CudaModule module = CudaModule.load("fold/rna/mea_structure");

    MeaStructureKernel(SolverCall call) {
        this.call = call;
    }

    @Override
    public Result evaluate(Batch batch) {
        long gammas = batch.column(1, Types.DOUBLE).values();
        RnaRows.Checked checked = RnaRows.Checked.numbers(gammas, RnaSolvers.MAX_GAMMA);
        RnaRows rows = new RnaRows(batch, call, checked, RnaEnsembles::bytes);
        // each row's structure is written at the positions of its letters
        DeviceMemoryBuffer structures = batch.allocate(rows.text.valueBytes());
        Kernel kernel = module.kernel("mea_structure");
        for (Instances.Group group : rows.instances.groups()) {
            RnaEnsembles.solve(group, rows, (from, count, tables, slot) -> kernel.grid(count)
                    .block(Structures.threads(kernel, group.largest(), module.constant("MEA_THREADS"), count))
                    .launch(
                            rows.instances.order().getAddress(),
                            from,
                            rows.text.offsets(),
                            gammas,
                            tables,
                            slot,
                            structures.getAddress()));
        }
        return Structures.column(batch, rows.instances, rows.text, structures);
    }
}
