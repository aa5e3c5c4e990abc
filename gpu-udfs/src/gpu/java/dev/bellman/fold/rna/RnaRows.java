package dev.bellman.fold.rna;

import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.fold.rna.energy.LoopEnergies;
import java.util.function.IntToLongFunction;

/**
 * Groups the sequences of a batch, which are the first argument, by their options and by the number of bases to fold.
 */
final class RnaRows {
    private static final int BLOCK = 128;

    /**
     * Other arguments, which the classifying kernel checks.
     *
     * @param numbers the address of a DOUBLE for each row, which must be between 0 and {@code most}; 0 if there is no
     *     such argument
     * @param windows the address of the window length of each row, an INT that must be positive; the address is 0 if
     *     whole sequences are folded
     * @param steps the address of the distance between the windows of each row, an INT that must be positive; 0 if
     *     whole sequences are folded
     */
    record Checked(long numbers, double most, long windows, long steps) {
        static final Checked NOTHING = new Checked(0, 0, 0, 0);

        static Checked numbers(long numbers, double most) {
            return new Checked(numbers, most, 0, 0);
        }
    }

    /**
     * Addresses of sequences.
     *
     * @param order the indexes of the sequences, grouped
     * @param offsets the position of each sequence in {@code letters}
     */
    record Sequences(long order, long offsets, long letters) {}

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
     * @param bytes returns the number of bytes that are needed for a given number of bases
     */
    RnaRows(Batch batch, SolverCall call, Checked checked, IntToLongFunction bytes) {
        this.batch = batch;
        text = batch.strings(0);
        models = RnaModels.of(batch, call, FoldOptions::constrained);
        int most = memory.largest(LoopEnergies.MAX_LENGTH, bytes);
        long longest = models.longest();
        instances = new Instances(
                batch, call, Math.max(1, models.count()) * sizes, key -> most, classified -> module.kernel(
                                "rna_classify")
                        .warps(batch.rows(), BLOCK)
                        .launch(
                                batch.rows(),
                                batch.validity(),
                                text.offsets(),
                                text.values(),
                                models.ofRows(),
                                models.count(),
                                longest,
                                checked.numbers,
                                checked.most,
                                checked.windows,
                                checked.steps,
                                classified));
    }

    Sequences sequences() {
        return new Sequences(instances.order().getAddress(), text.offsets(), text.values());
    }

    /** Returns the number of a group's model. */
    int model(Instances.Group group) {
        return group.key() / sizes;
    }
}
