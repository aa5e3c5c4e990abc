package dev.bellman.fold.rna;

import dev.bellman.columns.Instances;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.Kernel;
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
    private static final List<String> SIZES = List.of("TINY", "SMALL", "SHORT", "MODEST", "MEDIUM", "LARGE", "LONG");

    /** A kernel with the threads and the dynamic shared memory of its blocks. */
    private record Shape(Kernel kernel, int threads, int sharedMemory) {
        int residentBlocks() {
            return kernel.residentBlocks(threads, sharedMemory);
        }
    }

    /** The rows of a group, and the memory that the launches for these rows use. */
    private record Rows(Instances.Group group, RnaRows rows, long least, long tables, long slot, int slots) {
        /** Solves {@code count} rows, with at most one block per table. */
        void solve(Shape shape, int from, int count, long wide, Ensembles ensembles) {
            shape.kernel
                    .grid(Math.min(count, slots))
                    .block(shape.threads)
                    .sharedMemory(shape.sharedMemory)
                    .launch(
                            rows.instances.order().getAddress(),
                            from,
                            count,
                            rows.text.offsets(),
                            rows.text.values(),
                            rows.models.weights(rows.model(group)),
                            least,
                            tables,
                            slot,
                            slots,
                            wide,
                            ensembles);
        }
    }

    private RnaEnsembles() {}

    private static CudaModule module() {
        return CudaModule.load("fold/rna/ensemble/rna_ensemble");
    }

    /** Solves the rows of a group. A block uses one table for all its rows, so that the tables remain in the cache. */
    static void solve(Instances.Group group, RnaRows rows, Ensembles ensembles) {
        solve(group, rows, ensembles, null);
    }

    /** Solves the rows of a group, several rows at a time, and uses their tables. */
    static void solve(Instances.Group group, RnaRows rows, Use use) {
        solve(group, rows, new Ensembles(0, 0, 0), use);
    }

    /**
     * Solves the rows of a group. If there is a kernel for weights with level 0 and sequences of the group's length, it
     * runs first, and the general kernel solves the remaining rows.
     *
     * @param use null if the tables are not needed
     */
    private static void solve(Instances.Group group, RnaRows rows, Ensembles ensembles, Use use) {
        int longest = group.largest();
        long slot = bytes(longest);
        Kernel kernel = module().kernel("rna_ensemble");
        int slots = rows.memory.together(group.count(), slot, kernel.device().multiprocessors());
        int threads = Structures.threads(kernel, longest, module().constant("MAX_THREADS"), slots);
        Shape general = new Shape(kernel, threads, RnaFoldKernel.SHARED_BYTES * longest);
        Shape plain = plain(longest, kernel.device());
        int together = slots;
        if (use == null) {
            together = group.count();
            slots = Math.min(slots, (plain == null ? general : plain).residentBlocks());
        }
        try (Scratch scratch = new Scratch()) {
            long least = scratch.allocateDoubles(rows.batch.rows()).getAddress();
            RnaFoldKernel.solve(group, rows, rows.sequences(), least, 0L);
            long wide = plain == null ? 0 : scratch.allocateInts(together).getAddress();
            long tables = scratch.allocate(slot * slots).getAddress();
            Rows solved = new Rows(group, rows, least, tables, slot, slots);
            for (int from = group.from(); from < group.to(); from += together) {
                int count = Math.min(together, group.to() - from);
                if (plain != null) {
                    solved.solve(plain, from, count, wide, ensembles);
                }
                solved.solve(general, from, count, wide, ensembles);
                if (use != null) {
                    use.use(from, count, tables, slot);
                }
            }
        }
    }

    /**
     * Returns the kernel for sequences of up to the given length whose weights all have level 0; null if there is no
     * such kernel, or if it needs more shared memory than a block has.
     */
    private static Shape plain(int longest, Device device) {
        return SIZES.stream()
                .filter(size -> longest <= module().constant(size))
                .findFirst()
                .filter(size -> module().constant(size + "_BYTES") <= device.sharedMemoryPerBlock())
                .map(size -> new Shape(
                        module().kernel("rna_ensemble_" + size.toLowerCase(Locale.ROOT)),
                        2 * Kernel.WARP * Math.max(1, (longest + Kernel.WARP - 1) / Kernel.WARP),
                        module().constant(size + "_BYTES")))
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
