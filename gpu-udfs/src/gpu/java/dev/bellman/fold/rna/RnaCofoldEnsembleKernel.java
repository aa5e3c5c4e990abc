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
import dev.bellman.fold.Structures;

/**
 * Runs {@code rna_cofold_ensemble} on the GPU, with one block per pair of strands. See
 * {@code fold/rna/cofold/rna_cofold_ensemble.cu}.
 */
final class RnaCofoldEnsembleKernel implements ColumnarKernel {
    /** The addresses of each row's results ({@code CofoldEnergies} in the kernel's source). */
    record CofoldEnergies(long all, long dimers, long connected, long ofA, long ofB, long uncorrected) {}

    /**
     * The number of bytes per base in shared memory: two for an entry of a list, and two for two copies of the base.
     */
    private static final int SHARED_BYTES = 4;

    private final SolverCall call;

    RnaCofoldEnsembleKernel(SolverCall call) {
        this.call = call;
    }

    private static CudaModule module() {
        return CudaModule.load("fold/rna/cofold/rna_cofold_ensemble");
    }

    @Override
    public Result evaluate(Batch batch) {
        CofoldRows rows = new CofoldRows(batch, call, RnaCofoldEnsembleKernel::bytes);
        DeviceMemoryBuffer all = batch.allocateDoubles(batch.rows());
        DeviceMemoryBuffer dimers = batch.allocateDoubles(batch.rows());
        DeviceMemoryBuffer connected = batch.emptyMask(batch.rows());
        DeviceMemoryBuffer ofA = batch.allocateDoubles(batch.rows());
        DeviceMemoryBuffer ofB = batch.allocateDoubles(batch.rows());
        DeviceMemoryBuffer uncorrected = batch.allocateDoubles(batch.rows());
        CofoldEnergies energies = new CofoldEnergies(
                all.getAddress(),
                dimers.getAddress(),
                connected.getAddress(),
                ofA.getAddress(),
                ofB.getAddress(),
                uncorrected.getAddress());
        for (Instances.Group group : rows.instances.groups()) {
            solve(group, rows, energies);
        }
        return Result.struct(
                Result.doubles(all),
                Result.doubles(dimers).withNulls(connected),
                Result.doubles(ofA),
                Result.doubles(ofB),
                Result.doubles(uncorrected));
    }

    private static void solve(Instances.Group group, CofoldRows rows, CofoldEnergies energies) {
        Kernel kernel = module().kernel("rna_cofold_ensemble");
        int longest = group.largest();
        long slot = bytes(longest);
        int together = rows.memory.together(group.count(), slot, kernel.device().multiprocessors());
        int threads = Structures.threads(kernel, longest, module().constant("COFOLD_THREADS"), together);
        int model = rows.model(group);
        try (Scratch scratch = new Scratch()) {
            long least = scratch.allocateDoubles(rows.batch.rows()).getAddress();
            rows.fold(group, least, 0L);
            long tables = scratch.allocate(slot * together).getAddress();
            for (int from = group.from(); from < group.to(); from += together) {
                kernel.grid(Math.min(together, group.to() - from))
                        .block(threads)
                        .sharedMemory(SHARED_BYTES * longest)
                        .launch(
                                rows.instances.order().getAddress(),
                                from,
                                rows.strands,
                                rows.models.weights(model),
                                rows.models.strand(model),
                                least,
                                tables,
                                slot,
                                energies);
            }
        }
    }

    /**
     * Returns an upper bound on the size of both strands' tables and the table for the pairs between them, in bytes,
     * given the total number of bases ({@code EnsembleTable} in {@code fold/rna/ensemble/ensemble_table.cuh}). The
     * number of entries in the three tables is at most that of a single table for all bases. The tables of a folding
     * are smaller.
     */
    static long bytes(long n) {
        CudaModule module = module();
        long words = n * (n + 1) / 2 * module.constant("TABLES_OF_CELLS")
                + 2 * n * module.constant("WORDS_OF_BASE")
                + 3L * module.constant("MORE_WORDS");
        // each table starts at a multiple of eight bytes
        return (words * (Double.BYTES + Short.BYTES) + 2 * Long.BYTES + 255) / 256 * 256;
    }
}
