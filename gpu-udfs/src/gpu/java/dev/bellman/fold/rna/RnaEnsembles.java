package dev.bellman.fold.rna;

import dev.bellman.columns.Instances;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.Kernel;
import dev.bellman.cuda.Launch;
import dev.bellman.fold.Structures;
import java.util.List;
import java.util.Locale;

/** Computes RNA ensembles on the GPU, with one block per sequence. See {@code fold/rna/ensemble/rna_ensemble.cu}. */
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

    /** The kernels for sequences whose weights all have level 0, named after the constants in the kernels' source. */
    private static final List<String> SIZES = List.of("TINY", "SMALL", "SHORT", "MEDIUM", "LONG");

    private static final int WARP = 32;

    /** The rows of a group, and the memory that the launches for these rows use. */
    private record Rows(Instances.Group group, RnaRows rows, long least, long tables, long slot) {
        void solve(Launch launch, int from, long wide, Ensembles ensembles) {
            launch.launch(
                    rows.instances.order().getAddress(),
                    from,
                    rows.text.offsets(),
                    rows.text.values(),
                    rows.models.weights(rows.model(group)),
                    least,
                    tables,
                    slot,
                    wide,
                    ensembles);
        }
    }

    private RnaEnsembles() {}

    private static CudaModule module() {
        return CudaModule.load("fold/rna/ensemble/rna_ensemble");
    }

    /**
     * Solves the rows of a group, several rows at a time. If there is a kernel for weights with level 0 and sequences
     * of the group's length, it runs first, and the general kernel solves the remaining rows.
     */
    static void solve(Instances.Group group, RnaRows rows, Ensembles ensembles, Use use) {
        Kernel general = module().kernel("rna_ensemble");
        int longest = group.largest();
        long slot = bytes(longest);
        int together = rows.memory.together(group.count(), slot, general.device().multiprocessors());
        int threads = Structures.threads(general, longest, module().constant("MAX_THREADS"), together);
        String size = size(longest, general.device());
        try (Scratch scratch = new Scratch()) {
            long least = scratch.allocate((long) Double.BYTES * rows.batch.rows()).getAddress();
            RnaFoldKernel.solve(group, rows, rows.sequences(), least, 0L);
            long wide = size == null
                    ? 0
                    : scratch.allocate((long) Integer.BYTES * together).getAddress();
            long tables = scratch.allocate(slot * together).getAddress();
            Rows launched = new Rows(group, rows, least, tables, slot);
            for (int from = group.from(); from < group.to(); from += together) {
                int count = Math.min(together, group.to() - from);
                if (size != null) {
                    Launch plain = module()
                            .kernel("rna_ensemble_" + size.toLowerCase(Locale.ROOT))
                            .grid(count)
                            .block(2 * WARP * Math.max(1, (longest + WARP - 1) / WARP))
                            .sharedMemory(module().constant(size + "_BYTES"));
                    launched.solve(plain, from, wide, ensembles);
                }
                Launch rest = general.grid(count).block(threads).sharedMemory(RnaFoldKernel.SHARED_BYTES * longest);
                launched.solve(rest, from, wide, ensembles);
                use.use(from, count, tables, slot);
            }
        }
    }

    /**
     * Returns the entry of {@link #SIZES} for sequences of up to the given length; null if there is no such kernel, or
     * if it needs more shared memory than a block has.
     */
    private static String size(int longest, Device device) {
        return SIZES.stream()
                .filter(size -> longest <= module().constant(size))
                .findFirst()
                .filter(size -> module().constant(size + "_BYTES") <= device.sharedMemoryPerBlock())
                .orElse(null);
    }

    /**
     * Returns the size of a table in bytes ({@code EnsembleTable} in {@code fold/rna/ensemble/ensemble_table.cuh}). The
     * table of a folding is smaller.
     */
    static long bytes(long n) {
        CudaModule module = module();
        long words = n * (n + 1) / 2 * module.constant("TABLES_OF_CELLS")
                + n * module.constant("WORDS_OF_BASE")
                + module.constant("MORE_WORDS");
        return (words * (Double.BYTES + Short.BYTES) + 255) / 256 * 256;
    }
}
