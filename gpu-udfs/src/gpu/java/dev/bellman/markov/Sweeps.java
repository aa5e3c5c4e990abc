package dev.bellman.markov;

import dev.bellman.columns.Batch;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Slots;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;
import java.util.function.IntUnaryOperator;

/**
 * Solves the rows of a batch with the kernels of {@code markov/forward.cu} and {@code markov/values.cu}, whose blocks
 * have as many threads as their launch bounds.
 *
 * @param module the kernels that sum the weights of state sequences
 * @param suffix the part of the kernel names between the function and the number of states
 * @param arguments the models and sequences in the layout of the module
 */
record Sweeps(CudaModule module, String suffix, Record arguments, MarkovCalls calls, Instances instances) {
    /**
     * The addresses that receive the result.
     *
     * @param offsets the offset of each row's first number; 0 if each row has one number
     */
    record Answers(long offsets, long numbers) {}

    static final String MODULE = "markov/forward";
    static final int BLOCK = 128;

    /**
     * @param limit returns the maximum size of a table in each class, in units of {@link #unit} bytes; the CPU solves
     * rows with larger tables
     */
    static Sweeps of(Batch batch, SolverCall call, IntUnaryOperator limit) {
        if (MarkovCalls.hasValues(call)) {
            GaussianCalls values = GaussianCalls.of(batch, call);
            Instances instances = values.instances(batch, call, Double.BYTES, limit);
            return new Sweeps(CudaModule.load(GaussianCalls.MODULE), "values_", values, values.chains(), instances);
        }
        CudaModule module = CudaModule.load(MODULE);
        MarkovCalls calls = MarkovCalls.of(batch, call);
        Instances instances = new Instances(
                batch, call, module.constant("CLASSES"), limit, classified -> module.kernel("forward_classify")
                        .warps(batch.rows(), BLOCK)
                        .launch(batch.rows(), batch.validity(), calls, classified));
        MarkovCalls weights = weights(batch, module, calls, instances);
        return new Sweeps(module, "", weights, weights, instances);
    }

    /** Returns the models with weights instead of logarithms. */
    private static MarkovCalls weights(Batch batch, CudaModule module, MarkovCalls calls, Instances instances) {
        if (calls.logarithms() == 0) {
            return calls;
        }
        MarkovCalls.Weights weights = MarkovCalls.allocateWeights(batch);
        module.kernel("forward_weigh")
                .warps(batch.rows(), BLOCK)
                .launch(batch.rows(), calls, instances.classified(), weights);
        return calls.with(weights);
    }

    /** Returns the unit of the sizes of tables in bytes. */
    static int unit() {
        return CudaModule.load(MODULE).constant("TABLE_UNIT");
    }

    /**
     * Solves all groups. Assigns rows to the CPU if their numbers turn out to differ too much in magnitude.
     *
     * @param prefix the prefix of the kernel names
     * @return whether there are such rows, or rejected rows
     */
    boolean solve(String prefix, Answers answers) {
        Slots slots = Slots.of(instances);
        for (Instances.Group group : instances.groups()) {
            int states = module.constant("LEAST_STATES") << group.key() / module.constant("LOGS");
            Kernel kernel = module.kernel(prefix + suffix + states);
            Slots.Shape shape = new Slots.Shape(kernel, kernel.maxThreads(), 0, Math.max(1, Kernel.WARP / states));
            slots.solve(group, shape, 0, arguments, answers, instances.classified());
        }
        return instances.regroup();
    }
}
