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
import java.util.function.IntUnaryOperator;

/** Finds the most likely state sequences of hidden Markov models on the GPU. See {@code markov/viterbi.cu}. */
record ViterbiKernel(SolverCall call) implements ColumnarKernel {
    record Answers(long logWeights, long counts, long states) {}

    private static final String MODULE = "markov/viterbi";
    private static final int BLOCK = 128;

    @Override
    public Result evaluate(Batch batch) {
        int rows = batch.rows();
        DeviceMemoryBuffer logWeights = batch.allocateDoubles(rows);
        DeviceMemoryBuffer counts = batch.scratch().zeroInts(rows + 1L);
        Answers answers = new Answers(
                logWeights.getAddress(),
                counts.getAddress(),
                batch.scratch()
                        .allocateInts(MarkovCalls.countSteps(batch, call))
                        .getAddress());
        Launches launches = MarkovCalls.hasValues(call) ? ofValues(batch, answers) : ofSymbols(batch, answers);
        Instances instances = launches.instances;
        for (Instances.Group group : instances.groups()) {
            launches.solve(group);
        }
        instances.regroup();
        Offsets offsets = batch.offsets(counts);
        DeviceMemoryBuffer states = batch.allocateInts(offsets.total());
        CudaModule.load(MODULE)
                .kernel("viterbi_states")
                .warps(rows, BLOCK)
                .launch(
                        rows,
                        launches.calls,
                        answers,
                        instances.classified(),
                        offsets.buffer().getAddress(),
                        states.getAddress());
        return Result.struct(Result.doubles(logWeights), Result.lists(offsets, Result.ints(states)));
    }

    private Launches ofSymbols(Batch batch, Answers answers) {
        CudaModule module = CudaModule.load(MODULE);
        MarkovCalls calls = MarkovCalls.of(batch, call);
        Instances instances = new Instances(
                batch, call, module.constant("CLASSES"), limit(module), classified -> module.kernel("viterbi_classify")
                        .warps(batch.rows(), BLOCK)
                        .launch(batch.rows(), batch.validity(), calls, classified));
        return new Launches(module, calls, calls, answers, instances);
    }

    private Launches ofValues(Batch batch, Answers answers) {
        CudaModule module = CudaModule.load(GaussianCalls.MODULE);
        GaussianCalls calls = GaussianCalls.of(batch, call);
        Instances instances = calls.instances(batch, call, 1, limit(module));
        return new Launches(module, calls.chains(), calls, answers, instances);
    }

    /** Returns the maximum size of a row in each class, in units of {@code SLOT_UNIT} bytes. */
    private static IntUnaryOperator limit(CudaModule module) {
        long most = GpuMemory.ofSession().perInstance() / module.constant("SLOT_UNIT");
        return key -> (int) Math.min(Integer.MAX_VALUE, most) / rowsOfBlock(statesOf(module, key));
    }

    /**
     * The launches that solve the groups of a batch.
     *
     * @param arguments the models and sequences in the layout of the module
     */
    private record Launches(
            CudaModule module, MarkovCalls calls, Record arguments, Answers answers, Instances instances) {
        void solve(Instances.Group group) {
            if (arguments instanceof GaussianCalls) {
                int ofTeam = statesOf(module, group.key());
                launch(module.kernel("viterbi_values_" + ofTeam), Kernel.WARP, rowsOfBlock(ofTeam), group);
                return;
            }
            boolean isMany = shapeOf(module, group.key()) == module.constant("SHAPES") - 1;
            int states = statesOf(module, group.key());
            if (solveFew(group, states)) {
                return;
            }
            Kernel kernel = module.kernel("viterbi_" + (isMany ? "many" : states));
            int block = isMany ? module.constant("MANY_BLOCK") : Math.max(Kernel.WARP, states);
            launch(kernel, block, rowsOfBlock(states), group);
        }

        /**
         * Solves rows of symbols with few states if there are enough such rows, and enough memory, to keep the whole
         * GPU busy. Returns whether it did.
         */
        private boolean solveFew(Instances.Group group, int states) {
            if (calls.symbolOffsets() == 0 || shapeOf(module, group.key()) >= module.constant("FEW_SHAPES")) {
                return false;
            }
            Kernel kernel = module.kernel("viterbi_few_" + states);
            int rows = Kernel.WARP / states * module.constant("OWN");
            int blocks = kernel.residentBlocks(Kernel.WARP, 0);
            long bytes = (long) module.constant("SLOT_UNIT") * rows * group.largest();
            boolean isFull =
                    group.count() / rows >= blocks && GpuMemory.ofSession().together(blocks, bytes) == blocks;
            if (isFull) {
                launch(kernel, Kernel.WARP, rows, group);
            }
            return isFull;
        }

        /** @param rows the number of rows that a block solves at the same time */
        private void launch(Kernel kernel, int block, int rows, Instances.Group group) {
            Slots.of(instances)
                    .solve(
                            group,
                            new Slots.Shape(kernel, block, 0, rows),
                            (long) module.constant("SLOT_UNIT") * rows * group.largest(),
                            arguments,
                            answers,
                            instances.classified());
        }
    }

    private static int shapeOf(CudaModule module, int key) {
        return key / module.constant("LOGS");
    }

    private static int statesOf(CudaModule module, int key) {
        return module.constant("LEAST_STATES") << shapeOf(module, key);
    }

    private static int rowsOfBlock(int states) {
        return Math.max(Kernel.WARP / states, 1);
    }
}
