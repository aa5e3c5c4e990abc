package dev.bellman.markov;

import dev.bellman.columns.Batch;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.Slots;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;

/** Solves the rows of a batch with the kernels of a module that includes {@code markov/ctc.cuh}. */
record CtcLaunches(CudaModule module, GpuMemory memory, CtcCalls calls, Instances instances) {
    static final int BLOCK = 128;
    static final int WARP = 32;

    /** @param name the name of the function, which its kernels' names begin with */
    static CtcLaunches of(Batch batch, SolverCall call, CudaModule module, String name) {
        CtcCalls calls = CtcCalls.of(batch, call);
        GpuMemory memory = GpuMemory.ofSession();
        int most = (int) Math.min(Integer.MAX_VALUE, memory.perInstance() / module.constant("SLOT_UNIT"));
        Instances instances = new Instances(
                batch,
                call.options(),
                call::onCpu,
                module.constant("CLASSES"),
                key -> most,
                classified -> module.kernel(name + "_classify")
                        .threads((long) WARP * batch.rows(), BLOCK)
                        .launch(batch.rows(), batch.validity(), calls, classified));
        return new CtcLaunches(module, memory, calls, instances);
    }

    /** Solves all groups, and separates the rows that turn out to be invalid. */
    void solve(String name, Object answers) {
        for (Instances.Group group : instances.groups()) {
            Kernel kernel = module.kernel(name + "_" + (2 << group.key() / module.constant("LOGS")));
            try (Scratch scratch = new Scratch()) {
                Slots slots = Slots.of(scratch, memory, kernel, WARP, 0, group, module.constant("SLOT_UNIT"));
                kernel.grid(slots.count())
                        .block(WARP)
                        .launch(
                                instances.order().getAddress(),
                                group.from(),
                                group.to(),
                                slots.ticket(),
                                calls,
                                answers,
                                instances.classified(),
                                slots.memory(),
                                slots.bytes());
            }
        }
        instances.regroup();
    }
}
