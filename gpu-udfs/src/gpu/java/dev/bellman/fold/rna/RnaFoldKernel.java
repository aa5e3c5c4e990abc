package dev.bellman.fold.rna;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;
import dev.bellman.cuda.Launch;
import dev.bellman.fold.Structures;

/**
 * Folds RNAs on the GPU, with one block per sequence, or with several for each of a few long sequences. Uses 16-bit
 * energies if these suffice ({@link NarrowFolds}), otherwise 32-bit energies. See {@code fold/rna/rna_fold.cu}.
 */
final class RnaFoldKernel implements ColumnarKernel {
    /** The number of bytes per base in shared memory: one for the base, and two for an entry of a list. */
    static final int SHARED_BYTES = 3;

    /** The number of threads of each of the blocks that fold a sequence together. */
    private static final int TEAM_BLOCK = 512;
    /** The minimum number of bases for each of the blocks that fold a sequence together. */
    private static final int BASES_OF_BLOCK = 256;

    private final SolverCall call;
    private final boolean withStructure;

    RnaFoldKernel(SolverCall call, boolean withStructure) {
        this.call = call;
        this.withStructure = withStructure;
    }

    private static CudaModule module() {
        return CudaModule.load("fold/rna/rna_fold");
    }

    @Override
    public Result evaluate(Batch batch) {
        RnaRows rows = new RnaRows(batch, call, RnaRows.Checked.NOTHING, RnaFoldKernel::bytes);
        DeviceMemoryBuffer energies = batch.allocateDoubles(batch.rows());
        // each row's structure is written at the positions of its letters
        DeviceMemoryBuffer structures = batch.allocate(withStructure ? rows.text.valueBytes() : 0);
        for (Instances.Group group : rows.instances.groups()) {
            long written = withStructure ? structures.getAddress() : 0L;
            solve(group, rows, rows.sequences(), energies.getAddress(), written);
        }
        Result least = Result.doubles(energies);
        return withStructure
                ? Result.struct(least, Structures.column(batch, rows.instances, rows.text, structures))
                : least;
    }

    /**
     * Computes the energies of a group's sequences, and also their structures unless the address for structures is 0.
     *
     * @param sequences the rows' sequences, or windows of these
     */
    static void solve(
            Instances.Group group, RnaRows rows, RnaRows.Sequences sequences, long energies, long structures) {
        NarrowFolds narrow = new NarrowFolds(group, rows, sequences);
        if (!narrow.fits()) {
            long order = sequences.order() + (long) Integer.BYTES * group.from();
            solve(group, rows, at(sequences, order), group.count(), energies, structures);
            return;
        }
        try (Scratch scratch = new Scratch()) {
            DeviceMemoryBuffer left = narrow.solve(energies, structures, scratch);
            int count = NarrowFolds.count(left);
            if (count > 0) {
                long order = left.getAddress() + Integer.BYTES;
                solve(group, rows, at(sequences, order), count, energies, structures);
            }
        }
    }

    private static RnaRows.Sequences at(RnaRows.Sequences sequences, long order) {
        return new RnaRows.Sequences(order, sequences.offsets(), sequences.letters());
    }

    /** Solves the first {@code count} sequences of the given order, using 32-bit energies. */
    private static void solve(
            Instances.Group group,
            RnaRows rows,
            RnaRows.Sequences sequences,
            int count,
            long energies,
            long structures) {
        Kernel fold = module().kernel("rna_fold");
        int longest = group.largest();
        int sharedMemory = SHARED_BYTES * longest;
        long slot = bytes(longest);
        int together = rows.memory.together(count, slot);
        int resident = fold.residentBlocks(TEAM_BLOCK, sharedMemory);
        int blocks = Math.max(1, Math.min(resident / together, longest / BASES_OF_BLOCK));
        int threads =
                blocks > 1 ? TEAM_BLOCK : Structures.threads(fold, longest, module().constant("MAX_THREADS"), together);
        try (Scratch scratch = new Scratch()) {
            DeviceMemoryBuffer tables = scratch.allocate(slot * together);
            for (int from = 0; from < count; from += together) {
                DeviceMemoryBuffer arrivals = scratch.zeroInts(together);
                Launch launch = fold.grid(blocks * Math.min(together, count - from))
                        .block(threads)
                        .sharedMemory(sharedMemory);
                (blocks > 1 ? launch.cooperative() : launch)
                        .launch(
                                sequences.order(),
                                from,
                                sequences.offsets(),
                                sequences.letters(),
                                rows.models.get(rows.model(group)),
                                tables.getAddress(),
                                slot,
                                energies,
                                structures,
                                blocks,
                                arrivals.getAddress());
                scratch.free(arrivals);
            }
        }
    }

    /** Returns the size of a table in bytes ({@code FoldTable} in {@code fold/rna/fold_table.cuh}). */
    static long bytes(long n) {
        CudaModule module = module();
        long ofBase = module.constant("WORDS_OF_BASE") + n / module.constant("BASES_OF_CANDIDATE") * 2;
        long words = n * (n + 1) + ofBase * n + module.constant("MORE_WORDS");
        return (words * Integer.BYTES + 255) / 256 * 256;
    }
}
