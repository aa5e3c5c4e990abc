package dev.bellman.markov;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.Slots;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;

/**
 * Fits hidden Markov models on the GPU, starting with random or given models. See {@code markov/hmm_fit.cu} for
 * sequences of symbols, and {@code markov/hmm_fit_values.cu} for sequences of numbers or points.
 */
record HmmFitKernel(SolverCall call) implements ColumnarKernel {
    private static final int BLOCK = 128;
    /** The number of bytes of a table for each step. */
    private static final int STEP_BYTES = Double.BYTES * Kernel.WARP;

    /**
     * The sizes of a class.
     *
     * @param states the maximum number of states
     * @param sums the maximum number of sums for the emissions of each state
     * @param levels the number of levels of a sum
     */
    private record Shape(int states, int sums, int levels) {
        static Shape of(CudaModule module, int key) {
            int sizes = module.constant("FIT_SIZES");
            return new Shape(2 << key / sizes, 1 << key % sizes, module.constant("FIT_LEVELS"));
        }

        private int rows() {
            return sums + states + 2;
        }

        /**
         * Returns the number of bytes of shared memory per block. For points, a model has fewer than {@code 2 * sums}
         * numbers for the emissions of each state.
         */
        int sharedMemory() {
            return STEP_BYTES * (1 + rows()) + Double.BYTES * states * (1 + states + 2 * sums);
        }

        long slotBytes(int longest) {
            return (long) STEP_BYTES * longest + (long) Double.BYTES * levels * Math.max(Kernel.WARP, rows() * states);
        }
    }

    @Override
    public Result evaluate(Batch batch) {
        boolean areSymbols = FitCalls.areSymbols(call);
        CudaModule module = areSymbols ? CudaModule.load("markov/hmm_fit") : CudaModule.load("markov/hmm_fit_values");
        String kernel = areSymbols ? "hmm_fit_" : "hmm_fit_values_";
        GpuMemory memory = GpuMemory.ofSession();
        FitCalls calls = FitCalls.of(batch, call);
        long widths = batch.allocateInts(batch.rows()).getAddress();
        Instances instances = new Instances(
                batch,
                call,
                module.constant("FIT_CLASSES"),
                key -> longest(memory, Shape.of(module, key)),
                classified -> module.kernel(kernel + "classify")
                        .warps(batch.rows(), BLOCK)
                        .launch(
                                batch.rows(),
                                batch.validity(),
                                calls,
                                new FitColumns.Results(widths, 0, 0),
                                classified));
        FitColumns columns = FitColumns.allocate(batch);
        columns.writeLengths(batch, calls, widths, instances);
        Offsets offsets = batch.offsets(columns.all());
        DeviceMemoryBuffer numbers = batch.allocateDoubles(offsets.total());
        FitColumns.Results results =
                new FitColumns.Results(widths, offsets.buffer().getAddress(), numbers.getAddress());
        Slots slots = Slots.of(instances);
        for (Instances.Group group : instances.groups()) {
            Shape shape = Shape.of(module, group.key());
            slots.solve(
                    group,
                    new Slots.Shape(module.kernel(kernel + shape.states()), Kernel.WARP, shape.sharedMemory()),
                    shape.slotBytes(group.largest()),
                    group.largest(),
                    calls,
                    results,
                    instances.classified());
        }
        if (instances.regroup()) {
            columns.writeLengths(batch, calls, widths, instances);
        }
        return columns.result(batch, calls, results, instances);
    }

    /** Returns the length of the longest sequence that the GPU counts. */
    private static int longest(GpuMemory memory, Shape shape) {
        long bytes = memory.perInstance() - shape.slotBytes(0);
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, bytes / STEP_BYTES));
    }
}
