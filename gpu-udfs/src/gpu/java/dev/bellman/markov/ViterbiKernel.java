package dev.bellman.markov;

import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.Slots;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;

/** Finds the most likely state sequences of hidden Markov models on the GPU. See {@code markov/viterbi.cu}. */
record ViterbiKernel(SolverCall call) implements ColumnarKernel {
    record Answers(long logWeights, long counts, long states) {}

    private static final int BLOCK = 128;
    private static final int WARP = 32;

    @Override
    public DataType type() {
        return Types.struct(Types.DOUBLE, Types.list(Types.INT));
    }

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("markov/viterbi");
        int rows = batch.rows();
        MarkovCalls calls = MarkovCalls.of(batch, call);
        DeviceMemoryBuffer logWeights = batch.allocate((long) Double.BYTES * rows);
        DeviceMemoryBuffer counts = batch.scratch().filled(Integer.BYTES * (rows + 1L), (byte) 0);
        Answers answers = new Answers(
                logWeights.getAddress(),
                counts.getAddress(),
                batch.scratch()
                        .allocate((long) Integer.BYTES * MarkovCalls.steps(batch, call))
                        .getAddress());
        GpuMemory memory = GpuMemory.ofSession();
        int most = (int) Math.min(Integer.MAX_VALUE, memory.perInstance() / module.constant("SLOT_UNIT"));
        Instances instances = new Instances(
                batch,
                call.options(),
                call::onCpu,
                module.constant("CLASSES"),
                key -> most / rowsOfBlock(statesOf(module, key)),
                classified -> module.kernel("viterbi_classify")
                        .threads((long) WARP * rows, BLOCK)
                        .launch(rows, batch.validity(), calls, classified));
        Launches launches = new Launches(module, memory, calls, answers, instances);
        for (Instances.Group group : instances.groups()) {
            launches.solve(group);
        }
        instances.regroup();
        Offsets offsets = batch.offsets(counts);
        DeviceMemoryBuffer states = batch.allocate((long) Integer.BYTES * offsets.total());
        module.kernel("viterbi_states")
                .threads((long) WARP * rows, BLOCK)
                .launch(
                        rows,
                        calls,
                        answers,
                        instances.classified(),
                        offsets.buffer().getAddress(),
                        states.getAddress());
        return Result.struct(Result.doubles(logWeights), Result.lists(offsets, Result.ints(states)));
    }

    /** The launches that solve the groups of a batch. */
    private record Launches(
            CudaModule module, GpuMemory memory, MarkovCalls calls, Answers answers, Instances instances) {
        void solve(Instances.Group group) {
            boolean isMany = shapeOf(module, group.key()) == module.constant("SHAPES") - 1;
            int states = statesOf(module, group.key());
            if (solveFew(group, states)) {
                return;
            }
            Kernel kernel = module.kernel("viterbi_" + (isMany ? "many" : states));
            int block =
                    isMany ? module.constant("MANY_BLOCK") : states <= WARP ? WARP : states * module.constant("PARTS");
            launch(kernel, block, rowsOfBlock(states), group);
        }

        /**
         * Solves rows with few states and symbols if there are enough rows to keep the whole GPU busy; otherwise,
         * returns false.
         */
        private boolean solveFew(Instances.Group group, int states) {
            if (calls.symbolOffsets() == 0
                    || shapeOf(module, group.key()) >= module.constant("FEW_SHAPES")) {
                return false;
            }
            Kernel kernel = module.kernel("viterbi_few_" + states);
            int rows = WARP / states * module.constant("OWN");
            int blocks = kernel.residentBlocks(WARP, 0);
            long bytes = (long) module.constant("SLOT_UNIT") * rows * group.largest();
            boolean isFull = group.count() / rows >= blocks && memory.together(blocks, bytes) == blocks;
            if (isFull) {
                launch(kernel, WARP, rows, group);
            }
            return isFull;
        }

        private void launch(Kernel kernel, int block, int rows, Instances.Group group) {
            try (Scratch scratch = new Scratch()) {
                Slots slots = Slots.of(scratch, memory, kernel, block, 0, group, module.constant("SLOT_UNIT") * rows);
                kernel.grid(slots.count())
                        .block(block)
                        .launch(
                                instances.order().getAddress(),
                                group.from(),
                                group.to(),
                                slots.ticket(),
                                calls,
                                answers,
                                instances.classified(),
                                slots.memory(),
                                slots.bytes() / rows);
            }
        }
    }

    private static int shapeOf(CudaModule module, int key) {
        return key / module.constant("LOGS");
    }

    private static int statesOf(CudaModule module, int key) {
        return module.constant("LEAST_STATES") << shapeOf(module, key);
    }

    private static int rowsOfBlock(int states) {
        return Math.max(WARP / states, 1);
    }
}
