package dev.bellman.recurrence.paper;

import dev.bellman.columns.Offsets;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;
import dev.bellman.recurrence.instance.DeviceRows;

/** Runs the strategies by Matsumae and Miyazaki (2018) on the GPU. See {@code recurrence/paper/strategies.cu}. */
public final class StepStrategies {
    private static final int SEQUENTIAL_BLOCK = 32;
    private static final int BLOCK = 1024;

    private final DeviceRows rows;
    private final Offsets tables;
    private final CudaModule module = CudaModule.load("recurrence/paper/strategies");

    /** @param tables the offsets at which the rows' tables begin */
    public StepStrategies(DeviceRows rows, Offsets tables) {
        this.rows = rows;
        this.tables = tables;
    }

    public void solve(PaperStrategy strategy) {
        switch (strategy) {
            case SEQUENTIAL ->
                module.kernel("s_dp_sequential")
                        .threads(rows.count(), SEQUENTIAL_BLOCK)
                        .launch(rows.address(), rows.count());
            case TOURNAMENT -> solve("s_dp_tournament", 1);
            case NAIVE_PARALLEL -> solve("s_dp_naive_parallel", 1);
            case PIPELINE -> solve("s_dp_pipeline", 1);
            case PIPELINE_2X2 -> solve("s_dp_pipeline", 2);
        }
    }

    /** @param width the number of offsets that a thread processes per step */
    private void solve(String name, int width) {
        Kernel kernel = module.kernel(name);
        try (Scratch scratch = new Scratch()) {
            long accumulators = scratch.allocate(
                            module.constant("ACCUMULATOR_BYTES") * ((long) tables.total() + rows.offsets()))
                    .getAddress();
            long firstTable = tables.buffer().getAddress();
            kernel.grid(rows.count())
                    .block(BLOCK)
                    .launch(rows.address(), firstTable, rows.offsetOffsets(), accumulators, width, 0, 0L);
            for (DeviceRows.Large large : rows.large()) {
                int threads = (large.instance().stages() - 1) / width + 1;
                int blocks = Math.min(kernel.residentBlocks(BLOCK, 0), (threads - 1) / BLOCK + 1);
                long arrivals = scratch.zeroInts(1).getAddress();
                kernel.grid(blocks)
                        .block(BLOCK)
                        .cooperative()
                        .launch(
                                rows.address(),
                                firstTable,
                                rows.offsetOffsets(),
                                accumulators,
                                width,
                                large.row(),
                                arrivals);
            }
        }
    }
}
