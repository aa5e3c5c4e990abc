package dev.bellman.fold.rna;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.Batch;
import dev.bellman.columns.CpuFunction;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.fold.rna.energy.LoopEnergies;
import java.util.function.IntToLongFunction;

/** The sequences of a batch, its first argument, grouped by their options and lengths. */
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
     * Classifies and groups.
     *
     * @param optionsAt the argument with the options, which may be left out
     * @param probabilities the address of a DOUBLE for each row, which must be from 0 to 1; 0 for none
     * @param bytes that a sequence needs, by its length
     */
    RnaRows(
            Batch batch,
            String function,
            int optionsAt,
            FunctionOptions options,
            CpuFunction cpu,
            long probabilities,
            IntToLongFunction bytes) {
        this.batch = batch;
        text = batch.strings(0);
        models = new RnaModels(batch, module, function, optionsAt);
        int most = memory.largest(LoopEnergies.MAX_LENGTH, bytes);
        long longest = models.longest();
        instances = new Instances(
                batch,
                options,
                cpu,
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

    /** The number of the options of a group. */
    int model(Instances.Group group) {
        return group.key() / sizes;
    }
}
