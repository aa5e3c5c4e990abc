package dev.bellman.markov;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import ai.rapids.cudf.HostColumnVector.ListType;
import ai.rapids.cudf.HostColumnVector.StructType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.Slots;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;

/** Finds the most likely states of hidden Markov models on the GPU. See {@code markov/viterbi.cu}. */
record ViterbiKernel(SolverCall call) implements ColumnarKernel {
    record Answers(long logWeights, long counts, long states) {}

    private static final int BLOCK = 128;
    private static final int WARP = 32;

    @Override
    public DataType type() {
        return new StructType(
                true, new BasicType(true, DType.FLOAT64), new ListType(true, new BasicType(true, DType.INT32)));
    }

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("markov/viterbi");
        int rows = batch.rows();
        MarkovCalls calls = MarkovCalls.of(batch);
        DeviceMemoryBuffer logWeights = batch.allocate((long) Double.BYTES * rows);
        DeviceMemoryBuffer counts = batch.scratch().filled(Integer.BYTES * (rows + 1L), (byte) 0);
        Answers answers = new Answers(
                logWeights.getAddress(),
                counts.getAddress(),
                batch.scratch()
                        .allocate((long) Integer.BYTES * MarkovCalls.steps(batch))
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
        for (Instances.Group group : instances.groups()) {
            solve(module, memory, calls, answers, instances, group);
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

    private static void solve(
            CudaModule module,
            GpuMemory memory,
            MarkovCalls calls,
            Answers answers,
            Instances instances,
            Instances.Group group) {
        boolean isMany = group.key() / module.constant("LOGS") == module.constant("SHAPES") - 1;
        int states = statesOf(module, group.key());
        Kernel kernel = module.kernel("viterbi_" + (isMany ? "many" : states));
        int block = isMany ? module.constant("MANY_BLOCK") : states <= WARP ? WARP : states * module.constant("PARTS");
        int rows = rowsOfBlock(states);
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

    private static int statesOf(CudaModule module, int key) {
        return module.constant("LEAST_STATES") << key / module.constant("LOGS");
    }

    private static int rowsOfBlock(int states) {
        return Math.max(WARP / states, 1);
    }
}
