package dev.bellman.fold.rna;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import dev.bellman.fold.Structures;
import dev.bellman.fold.rna.energy.LoopEnergies;
import java.util.function.IntToLongFunction;

/**
 * Groups the pairs of strands of a batch, which are the first two arguments, by their options and by their total number
 * of bases, and folds them with one block per pair. See {@code fold/rna/cofold/rna_cofold.cu}.
 */
final class CofoldRows {
    /** The addresses of the strands ({@code Strands} in {@code fold/rna/cofold/strands.cuh}). */
    record Strands(long offsetsA, long a, long offsetsB, long b) {}

    private static final int BLOCK = 128;

    private final int sizes = module().constant("COFOLD_SIZES");
    final Batch batch;
    final Strands strands;
    /** The total number of letters in both columns. */
    final long letters;

    final RnaModels models;
    final GpuMemory memory = GpuMemory.ofSession();
    final Instances instances;

    /**
     * Classifies and groups the rows.
     *
     * @param bytes returns the number of bytes that are needed for a given total number of bases
     */
    CofoldRows(Batch batch, SolverCall call, IntToLongFunction bytes) {
        this.batch = batch;
        DeviceColumn a = batch.strings(0);
        DeviceColumn b = batch.strings(1);
        strands = new Strands(a.offsets(), a.values(), b.offsets(), b.values());
        letters = a.valueBytes() + b.valueBytes();
        models = RnaModels.of(batch, call, FoldOptions::ofStrands);
        int most = memory.largest(LoopEnergies.MAX_LENGTH, bytes);
        long longest = models.longest();
        instances = new Instances(
                batch, call, Math.max(1, models.count()) * sizes, key -> most, classified -> module().kernel(
                                "rna_cofold_classify")
                        .warps(batch.rows(), BLOCK)
                        .launch(
                                batch.rows(),
                                batch.validity(),
                                strands,
                                models.ofRows(),
                                models.count(),
                                longest,
                                classified));
    }

    static CudaModule module() {
        return CudaModule.load("fold/rna/cofold/rna_cofold");
    }

    /** Returns the number of a group's model. */
    int model(Instances.Group group) {
        return group.key() / sizes;
    }

    /**
     * Computes the minimum energies of a group's rows, in kcal/mol, and also their structures unless the address for
     * structures is 0. The structures have no ampersands.
     */
    void fold(Instances.Group group, long energies, long structures) {
        int longest = group.largest();
        Kernel kernel = module().kernel("rna_cofold");
        long slot = bytes(longest);
        int together = memory.together(group.count(), slot);
        // with several threads per pair, half as many threads as for one strand are faster
        int threads = Structures.threads(kernel, longest / 2, module().constant("COFOLD_THREADS"), together);
        try (Scratch scratch = new Scratch()) {
            DeviceMemoryBuffer tables = scratch.allocate(slot * together);
            for (int from = group.from(); from < group.to(); from += together) {
                kernel.grid(Math.min(together, group.to() - from))
                        .block(threads)
                        .sharedMemory(RnaFoldKernel.SHARED_BYTES * longest)
                        .launch(
                                instances.order().getAddress(),
                                from,
                                strands,
                                models.get(model(group)),
                                tables.getAddress(),
                                slot,
                                energies,
                                structures);
            }
        }
    }

    /** Returns the size of a table in bytes ({@code CofoldTable} in {@code fold/rna/cofold/cofold_table.cuh}). */
    static long bytes(long n) {
        CudaModule module = module();
        long ofBase = module.constant("WORDS_OF_BASE") + 2 + n / module.constant("BASES_OF_CANDIDATE") * 2;
        long words = n * (n + 1) + ofBase * n + module.constant("MORE_WORDS") + module.constant("MORE_COFOLD_WORDS");
        return (words * Integer.BYTES + 255) / 256 * 256;
    }
}
