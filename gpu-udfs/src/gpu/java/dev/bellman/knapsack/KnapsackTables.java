package dev.bellman.knapsack;

import dev.bellman.columns.Batch;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.Slots;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;

/**
 * Solves the rows of a batch with tables of capacities, with one block per row. See {@code knapsack/tables.cuh}.
 *
 * @param name the name of the module, which is also the prefix of its kernels' names
 * @param calls the arguments of the kernels
 * @param answers the addresses of the results
 */
record KnapsackTables(String name, CudaModule module, int shared, Record calls, Record answers, Instances instances) {
    static final int BLOCK = 128;
    static final int WARP = 32;

    private static final int MAX_THREADS = 512;

    /** Classifies the rows. */
    static KnapsackTables of(Batch batch, SolverCall call, String name, Record calls, Record answers) {
        CudaModule module = CudaModule.load("knapsack/" + name);
        int shared = Device.current().sharedMemoryPerBlock() - module.constant("MORE_SHARED");
        long unit = module.constant("SLOT_UNIT");
        int most = (int) Math.min(Integer.MAX_VALUE, GpuMemory.ofSession().perInstance() / unit);
        Instances instances = new Instances(
                batch,
                call.options(),
                call::onCpu,
                module.constant("CLASSES"),
                key -> most,
                classified -> module.kernel(name + "_classify")
                        .threads((long) WARP * batch.rows(), BLOCK)
                        .launch(batch.rows(), batch.validity(), calls, shared, answers, classified));
        return new KnapsackTables(name, module, shared, calls, answers, instances);
    }

    void solve() {
        GpuMemory memory = GpuMemory.ofSession();
        for (Instances.Group group : instances.groups()) {
            solve(memory, group);
        }
    }

    private void solve(GpuMemory memory, Instances.Group group) {
        int logs = module.constant("LOGS");
        boolean isLong = group.key() >= logs;
        long width = 1L << logs - 1 - group.key() % logs;
        long row = width * (isLong ? Long.BYTES : Integer.BYTES);
        int sharedMemory = row <= shared ? (int) row : 0;
        Kernel kernel = module.kernel(name + (isLong ? "_longs" : "_ints"));
        int block = (int) Math.max(WARP, Math.min(MAX_THREADS, width / module.constant("CELLS_OF_THREAD")));
        try (Scratch scratch = new Scratch()) {
            Slots slots = Slots.of(scratch, memory, kernel, block, sharedMemory, group, module.constant("SLOT_UNIT"));
            kernel.grid(slots.count())
                    .block(block)
                    .sharedMemory(sharedMemory)
                    .launch(
                            instances.order().getAddress(),
                            group.from(),
                            group.to(),
                            slots.ticket(),
                            calls,
                            answers,
                            sharedMemory == 0 ? row : 0L,
                            slots.memory(),
                            slots.bytes());
        }
    }
}
