package dev.bellman.recurrence;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.recurrence.instance.DeviceInstance;
import dev.bellman.recurrence.instance.DeviceRows;

/**
 * Runs the blocked strategy on the GPU. One warp solves a short table, one block a longer table, and the whole GPU a
 * large table with thousands of offsets. With the whole GPU, very large tables of sums modulo a number are computed as
 * quotients of power series, tables of lattice operators by search if this is expected to be fast, and all other tables
 * tile by tile. See {@code recurrence/blocked.cu}.
 */
final class BlockedTables {
    private static final int CHUNKS_OF_MULTIPROCESSOR = 2;

    private final RecurrencePlan plan;
    private final CudaModule module = CudaModule.load("recurrence/blocked");
    private final int tile = module.constant("TILE");

    BlockedTables(RecurrencePlan plan) {
        this.plan = plan;
    }

    void solve() {
        RecurrencePlan.Rows shortRows = plan.shortRows();
        int warp = module.constant("WARP");
        module.kernel("s_dp_short")
                .threads((long) warp * shortRows.count(), warp * module.constant("SHORT_WARPS"))
                .launch(plan.rows(), shortRows.address(), shortRows.count());
        RecurrencePlan.Rows longRows = plan.longRows();
        module.kernel("s_dp_long").grid(longRows.count()).block(tile).launch(plan.rows(), longRows.address());
        for (DeviceRows.Large large : plan.largeRows()) {
            if (ModularSeriesOnGpu.serves(large.instance(), plan.memory())) {
                ModularSeriesOnGpu.solve(large.instance());
            } else if (!LatticeSearchOnGpu.serves(large.instance()) || !LatticeSearchOnGpu.solve(plan, large)) {
                solveTiles(large);
            }
        }
    }

    private void solveTiles(DeviceRows.Large large) {
        DeviceInstance instance = large.instance();
        int blocks = CHUNKS_OF_MULTIPROCESSOR * Device.current().multiprocessors();
        int chunk = (instance.stages() + blocks - 1) / blocks;
        int chunks = (instance.stages() + chunk - 1) / chunk;
        try (Scratch scratch = new Scratch()) {
            DeviceMemoryBuffer partial = scratch.allocate((long) module.constant("ACCUMULATOR_BYTES") * tile * chunks);
            for (int begin = instance.start(); begin >= 0 && begin < instance.length(); begin += tile) {
                module.kernel("s_dp_fold_tile")
                        .grid(chunks)
                        .block(tile)
                        .launch(plan.rows(), large.row(), begin, chunk, partial.getAddress());
                module.kernel("s_dp_solve_tile")
                        .grid(1)
                        .block(tile)
                        .launch(plan.rows(), large.row(), begin, chunks, chunk, partial.getAddress());
            }
        }
    }
}
