package dev.bellman.markov;

import dev.bellman.columns.Batch;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;
import java.util.function.IntUnaryOperator;

/** Solves the rows of a batch with the kernels of {@code markov/forward.cu}, which have one thread per state. */
record Sweeps(CudaModule module, MarkovCalls calls, Instances instances) {
    /**
     * The addresses that receive the result.
     *
     * @param offsets the offset of each row's first number; 0 if each row has one number
     */
    record Answers(long offsets, long numbers) {}

    static final String MODULE = "markov/forward";
    static final int BLOCK = 128;
    static final int WARP = 32;

    /** @param limit the maximum size of a table that the GPU solves, in units of {@code TABLE_UNIT} bytes */
    static Sweeps of(Batch batch, SolverCall call, IntUnaryOperator limit) {
        CudaModule module = CudaModule.load(MODULE);
        MarkovCalls calls = MarkovCalls.of(batch, call);
        Instances instances = new Instances(
                batch,
                call.options(),
                call::onCpu,
                module.constant("CLASSES"),
                limit,
                classified -> module.kernel("forward_classify")
                        .threads((long) WARP * batch.rows(), BLOCK)
                        .launch(batch.rows(), batch.validity(), calls, classified));
        return new Sweeps(module, weights(batch, module, calls, instances), instances);
    }

    /** Returns the models with weights instead of logarithms. */
    private static MarkovCalls weights(Batch batch, CudaModule module, MarkovCalls calls, Instances instances) {
        if (calls.logarithms() == 0) {
            return calls;
        }
        MarkovCalls.Weights weights = MarkovCalls.allocateWeights(batch);
        module.kernel("forward_weigh")
                .threads((long) WARP * batch.rows(), BLOCK)
                .launch(batch.rows(), calls, instances.classified(), weights);
        return calls.with(weights);
    }

    /**
     * Solves all groups. Assigns rows to the CPU if their numbers turn out to differ too much in magnitude.
     *
     * @param prefix the prefix of the kernel names, which is followed by the number of states
     * @return whether there are such rows, or rejected rows
     */
    boolean solve(String prefix, Answers answers) {
        for (Instances.Group group : instances.groups()) {
            int states = module.constant("LEAST_STATES") << group.key() / module.constant("LOGS");
            int block = Math.max(WARP, states);
            int rows = block / states;
            Kernel kernel = module.kernel(prefix + states);
            try (Scratch scratch = new Scratch()) {
                kernel.grid(Math.min((group.count() + rows - 1) / rows, kernel.residentBlocks(block, 0)))
                        .block(block)
                        .launch(
                                instances.order().getAddress(),
                                group.from(),
                                group.to(),
                                scratch.filled(Integer.BYTES, (byte) 0).getAddress(),
                                calls,
                                answers,
                                instances.classified());
            }
        }
        return instances.regroup();
    }
}
