package dev.bellman.fold.rna;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;
import dev.bellman.fold.Structures;

/** Computes RNA ensembles on the GPU, with one block per sequence. See {@code fold/rna/rna_ensemble.cu}. */
final class RnaEnsembles {
    /** The addresses of each row's results, which are DOUBLE values. */
    record Ensembles(long energies, long frequencies, long diversities) {}

    /** An action that uses tables of pair probabilities. */
    @FunctionalInterface
    interface Use {
        /**
         * Uses the tables of {@code count} rows, starting with row {@code from} in the order of the instances.
         *
         * @param tables the address of the tables
         * @param slot the number of bytes per table
         */
        void use(int from, int count, long tables, long slot);
    }

    private RnaEnsembles() {}

    private static CudaModule module() {
        return CudaModule.load("fold/rna/rna_ensemble");
    }

    /** Solves the rows of a group, several rows at a time. */
    static void solve(Instances.Group group, RnaRows rows, Ensembles ensembles, Use use) {
        Kernel kernel = module().kernel("rna_ensemble");
        long slot = bytes(group.largest());
        int together = rows.memory.together(group.count(), slot, kernel.device().multiprocessors());
        int threads = Structures.threads(kernel, group.largest(), module().constant("MAX_THREADS"), together);
        int longest = group.largest();
        try (Scratch scratch = new Scratch()) {
            long least = scratch.allocate((long) Double.BYTES * rows.batch.rows()).getAddress();
            RnaFoldKernel.solve(group, rows, rows.sequences(), least, 0L);
            RnaModels.Weights weights = rows.models.weights(rows.model(group));
            DeviceMemoryBuffer tables = scratch.allocate(slot * together);
            for (int from = group.from(); from < group.to(); from += together) {
                int count = Math.min(together, group.to() - from);
                kernel.grid(count)
                        .block(threads)
                        .sharedMemory(RnaFoldKernel.SHARED_BYTES * longest)
                        .launch(
                                rows.instances.order().getAddress(),
                                from,
                                rows.text.offsets(),
                                rows.text.values(),
                                weights,
                                least,
                                tables.getAddress(),
                                slot,
                                ensembles);
                use.use(from, count, tables.getAddress(), slot);
            }
        }
    }

    /**
     * Returns the size of a table in bytes ({@code EnsembleTable} in {@code fold/rna/ensemble_table.cuh}). The table of
     * a folding is smaller.
     */
    static long bytes(long n) {
        CudaModule module = module();
        long words = n * (n + 1) / 2 * module.constant("TABLES_OF_CELLS")
                + n * module.constant("WORDS_OF_BASE")
                + module.constant("MORE_WORDS");
        return (words * (Double.BYTES + Short.BYTES) + 255) / 256 * 256;
    }
}
