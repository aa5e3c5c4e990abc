package dev.bellman.fold.rna;

import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.fold.rna.energy.LoopEnergies;
import java.util.function.IntToLongFunction;

/** Groups the sequences of a batch, the first argument, by their options and lengths. */
final class RnaRows {
    private static final int BLOCK = 128;
    private static final int WARP = 32;

    private final CudaModule module = CudaModule.load("fold/rna/rna_fold");
    private final int sizes = module.constant("SIZES");
    final Batch batch;
    final DeviceColumn text;
    final RnaModels models;
    final GpuMemory memory = GpuMemory.ofSession();
    final Instances instances;

    /**
     * Classifies and groups the rows.
     *
     * @param probabilities the address of a DOUBLE for each row, which must be from 0 to 1; 0 if there are none
     * @param bytes returns the number of bytes that a sequence of a given length needs
     */
    RnaRows(Batch batch, SolverCall call, long probabilities, IntToLongFunction bytes) {
        this.batch = batch;
        text = batch.strings(0);
        models = RnaModels.of(batch, call, FoldOptions::constrained);
        int most = memory.largest(LoopEnergies.MAX_LENGTH, bytes);
        long longest = models.longest();
        instances = new Instances(
                batch,
                call.options(),
                call::onCpu,
                Math.max(1, models.count()) * sizes,
                key -> most,
                classified -> module.kernel("rna_classify")
                        .threads((long) WARP * batch.rows(), BLOCK)
                        .launch(
                                batch.rows(),
                                batch.validity(),
                                text.offsets(),
                                text.values(),
                                models.ofRows(),
                                models.count(),
                                longest,
                                probabilities,
                                classified));
    }

    /** Returns the number of a group's model. */
    int model(Instances.Group group) {
        return group.key() / sizes;
    }
}
