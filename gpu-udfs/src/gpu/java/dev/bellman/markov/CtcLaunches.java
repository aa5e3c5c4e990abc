package dev.bellman.markov;

import dev.bellman.columns.Batch;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Slots;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;

/** Solves the rows of a batch with the kernels of a module that includes {@code markov/ctc/frames.cuh}. */
record CtcLaunches(CudaModule module, CtcCalls calls, Instances instances) {
    static final int BLOCK = 128;

    /** @param name the name of the function, which its kernels' names begin with */
    static CtcLaunches of(Batch batch, SolverCall call, CudaModule module, String name) {
        CtcCalls calls = CtcCalls.of(batch, call);
        Instances instances = Instances.of(
                batch, call, module, module.constant("SLOT_UNIT"), classified -> module.kernel(name + "_classify")
                        .warps(batch.rows(), BLOCK)
                        .launch(batch.rows(), batch.validity(), calls, classified));
        return new CtcLaunches(module, calls, instances);
    }

    /** Solves all groups, and separates the rows that turn out to be invalid. */
    void solve(String name, Object answers) {
        Slots slots = Slots.of(instances);
        long unit = module.constant("SLOT_UNIT");
        for (Instances.Group group : instances.groups()) {
            Kernel kernel = module.kernel(name + "_" + (2 << group.key() / module.constant("LOGS")));
            slots.solve(
                    group,
                    new Slots.Shape(kernel, Kernel.WARP),
                    unit * group.largest(),
                    calls,
                    answers,
                    instances.classified());
        }
        instances.regroup();
    }
}
