package dev.bellman.recurrence;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;
import dev.bellman.recurrence.instance.DeviceInstance;
import dev.bellman.recurrence.instance.DeviceRows;
import dev.bellman.recurrence.instance.Operator;

/** Runs {@link LatticeSearch} on the GPU, in rounds over all elements. See {@code recurrence/search.cu}. */
final class LatticeSearchOnGpu {
    private static final int BLOCK = 256;
    /** The number of rounds after which the host checks whether anything still changes. */
    private static final int ROUNDS = 8;

    private static final int MAX_ROUNDS = 32;
    private static final int SPARSITY = 32;
    private static final int WINDOWS = 64;

    private LatticeSearchOnGpu() {}

    /** Whether the operator is a lattice operator, and the search is expected to need only a few cheap rounds. */
    static boolean serves(DeviceInstance instance) {
        Operator.Kind[] kinds = Operator.Kind.values();
        boolean lattice = instance.kind() < kinds.length
                && switch (kinds[instance.kind()]) {
                    case MIN, MAX, BIT_AND, BIT_OR, BOOL_AND, BOOL_OR -> true;
                    default -> false;
                };
        return lattice
                && instance.farthest() - instance.nearest() < (long) instance.stages() * SPARSITY
                && instance.length() < (long) instance.farthest() * WINDOWS;
    }

    /** Computes the table. Returns whether the table was complete within the maximum number of rounds. */
    static boolean solve(RecurrencePlan plan, DeviceRows.Large large) {
        CudaModule module = CudaModule.load("recurrence/search");
        int group = module.constant("GROUP");
        int warp = module.constant("WARP");
        int groups = (large.instance().length() + group - 1) / group;
        try (Scratch scratch = new Scratch()) {
            DeviceMemoryBuffer groupValues = scratch.allocateLongs(groups);
            DeviceMemoryBuffer blockValues = scratch.allocateLongs((long) groups * warp);
            DeviceMemoryBuffer distances = scratch.zeroInts(large.instance().farthest() / warp + 1L);
            DeviceMemoryBuffer changes = scratch.allocateInts(MAX_ROUNDS);
            module.kernel("s_dp_search_begin")
                    .grid(groups)
                    .block(group)
                    .launch(
                            plan.rows(),
                            large.row(),
                            blockValues.getAddress(),
                            groupValues.getAddress(),
                            distances.getAddress(),
                            changes.getAddress(),
                            MAX_ROUNDS);
            Kernel round = module.kernel("s_dp_search_round");
            int grid = round.residentBlocks(BLOCK, 0);
            boolean changed = true;
            for (int next = 0; changed && next < MAX_ROUNDS; next++) {
                round.grid(grid)
                        .block(BLOCK)
                        .launch(
                                plan.rows(),
                                large.row(),
                                blockValues.getAddress(),
                                groupValues.getAddress(),
                                distances.getAddress(),
                                changes.getAddress(),
                                next);
                if (next % ROUNDS == ROUNDS - 1) {
                    changed = DeviceArrays.readInts(changes, next, 1)[0] != 0;
                }
            }
            return !changed;
        }
    }
}
