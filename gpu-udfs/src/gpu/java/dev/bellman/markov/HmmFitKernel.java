package dev.bellman.markov;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
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

/** Fits hidden Markov models to sequences of symbols on the GPU. See {@code markov/hmm_fit.cu}. */
record HmmFitKernel(SolverCall call) implements ColumnarKernel {
    /** The arguments of a batch in the kernels' layout. */
    record Calls(
            long offsets,
            long sequenceValidity,
            long sequenceOffsets,
            long symbolValidity,
            long symbols,
            long states,
            long iterations,
            long seeds,
            long defaultSeed,
            int defaultIterations) {}

    /** The results of each row in the kernels' layout. */
    record Results(long symbols, long offsets, long numbers) {}

    /** The lengths of the results in the kernels' layout. */
    record Lengths(long states, long transitions, long emissions, long iterations, long all) {}

    /** The result columns in the kernels' layout. */
    record ResultColumns(
            long states,
            long transitions,
            long emissions,
            long iterations,
            long starts,
            long transitionRows,
            long transitionNumbers,
            long emissionRows,
            long emissionNumbers,
            long logs) {}

    private static final DataType NUMBERS = Types.list(Types.DOUBLE);
    private static final DataType SEQUENCES = Types.list(Types.list(Types.INT));
    private static final int BLOCK = 128;
    private static final int WARP = 32;
    /** The number of bytes of a table for each step. */
    private static final int STEP_BYTES = Double.BYTES * WARP;

    /** The sizes of a class: the maximum numbers of states and symbols, and the number of levels of a sum. */
    private record Shape(int states, int symbols, int levels) {
        static Shape of(CudaModule module, int key) {
            int sizes = module.constant("FIT_SIZES");
            return new Shape(2 << key / sizes, 1 << key % sizes, module.constant("FIT_LEVELS"));
        }

        private int rows() {
            return symbols + states + 2;
        }

        int sharedMemory() {
            return STEP_BYTES * (1 + rows()) + Double.BYTES * states * (1 + states + symbols);
        }

        long slotBytes(int longest) {
            return (long) STEP_BYTES * longest + (long) Double.BYTES * levels * rows() * states;
        }
    }

    /** The lengths of the results, in device memory. */
    private record Counts(
            DeviceMemoryBuffer states,
            DeviceMemoryBuffer transitions,
            DeviceMemoryBuffer emissions,
            DeviceMemoryBuffer iterations,
            DeviceMemoryBuffer all) {
        static Counts allocate(Batch batch) {
            return new Counts(ints(batch), ints(batch), ints(batch), ints(batch), ints(batch));
        }

        private static DeviceMemoryBuffer ints(Batch batch) {
            return batch.allocate(Integer.BYTES * (batch.rows() + 1L));
        }

        Lengths lengths() {
            return new Lengths(
                    states.getAddress(),
                    transitions.getAddress(),
                    emissions.getAddress(),
                    iterations.getAddress(),
                    all.getAddress());
        }
    }

    @Override
    public DataType type() {
        return Types.struct(NUMBERS, Types.list(NUMBERS), Types.list(NUMBERS), NUMBERS);
    }

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("markov/hmm_fit");
        GpuMemory memory = GpuMemory.ofSession();
        Calls calls = calls(batch);
        long symbols = batch.allocate((long) Integer.BYTES * batch.rows()).getAddress();
        Instances instances = new Instances(
                batch,
                call.options(),
                call::onCpu,
                module.constant("FIT_CLASSES"),
                key -> longest(memory, Shape.of(module, key)),
                classified -> module.kernel("hmm_fit_classify")
                        .threads((long) WARP * batch.rows(), BLOCK)
                        .launch(batch.rows(), batch.validity(), calls, new Results(symbols, 0, 0), classified));
        Counts counts = Counts.allocate(batch);
        writeLengths(batch, module, calls, symbols, instances, counts);
        Offsets offsets = batch.offsets(counts.all());
        Results results = new Results(
                symbols,
                offsets.buffer().getAddress(),
                batch.allocate((long) Double.BYTES * offsets.total()).getAddress());
        for (Instances.Group group : instances.groups()) {
            solve(module, memory, calls, results, instances, group);
        }
        if (instances.regroup()) {
            writeLengths(batch, module, calls, symbols, instances, counts);
        }
        return columns(batch, module, calls, results, instances, counts);
    }

    private Calls calls(Batch batch) {
        DeviceColumn lists = batch.column(call.column("sequences"), SEQUENCES);
        DeviceColumn sequences = lists.elements();
        DeviceColumn symbols = sequences.elements();
        int iterations = call.column("iterations");
        int seed = call.column("seed");
        return new Calls(
                lists.offsets(),
                sequences.validity(),
                sequences.offsets(),
                symbols.validity(),
                symbols.values(),
                batch.ints(call.column("states")).values(),
                iterations < 0 ? 0 : batch.ints(iterations).values(),
                seed < 0 ? 0 : batch.column(seed, Types.LONG).values(),
                (Long) call.ifAbsent("seed").orElseThrow(),
                (Integer) call.ifAbsent("iterations").orElseThrow());
    }

    /** Returns the length of the longest sequence that the GPU counts. */
    private static int longest(GpuMemory memory, Shape shape) {
        long bytes = memory.perInstance() - shape.slotBytes(0);
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, bytes / STEP_BYTES));
    }

    private static void writeLengths(
            Batch batch, CudaModule module, Calls calls, long symbols, Instances instances, Counts counts) {
        module.kernel("hmm_fit_lengths")
                .threads(batch.rows() + 1L, BLOCK)
                .launch(
                        batch.rows(),
                        calls,
                        new Results(symbols, 0, 0),
                        instances.classified(),
                        counts.lengths());
    }

    private static void solve(
            CudaModule module,
            GpuMemory memory,
            Calls calls,
            Results results,
            Instances instances,
            Instances.Group group) {
        Shape shape = Shape.of(module, group.key());
        Kernel kernel = module.kernel("hmm_fit_" + shape.states());
        try (Scratch scratch = new Scratch()) {
            Slots slots = Slots.of(
                    scratch,
                    memory,
                    kernel,
                    WARP,
                    shape.sharedMemory(),
                    group.count(),
                    shape.slotBytes(group.largest()));
            kernel.grid(slots.count())
                    .block(WARP)
                    .sharedMemory(shape.sharedMemory())
                    .launch(
                            instances.order().getAddress(),
                            group.from(),
                            group.to(),
                            group.largest(),
                            slots.ticket(),
                            calls,
                            results,
                            instances.classified(),
                            slots.memory(),
                            slots.bytes());
        }
    }

    private static Result columns(
            Batch batch, CudaModule module, Calls calls, Results results, Instances instances, Counts counts) {
        Offsets states = batch.offsets(counts.states());
        Offsets transitions = batch.offsets(counts.transitions());
        Offsets emissions = batch.offsets(counts.emissions());
        Offsets iterations = batch.offsets(counts.iterations());
        DeviceMemoryBuffer starts = batch.allocate((long) Double.BYTES * states.total());
        DeviceMemoryBuffer transitionRows = batch.allocate(Integer.BYTES * (states.total() + 1L));
        DeviceMemoryBuffer transitionNumbers = batch.allocate((long) Double.BYTES * transitions.total());
        DeviceMemoryBuffer emissionRows = batch.allocate(Integer.BYTES * (states.total() + 1L));
        DeviceMemoryBuffer emissionNumbers = batch.allocate((long) Double.BYTES * emissions.total());
        DeviceMemoryBuffer logs = batch.allocate((long) Double.BYTES * iterations.total());
        module.kernel("hmm_fit_results")
                .threads((long) WARP * batch.rows(), BLOCK)
                .launch(
                        batch.rows(),
                        calls,
                        results,
                        instances.classified(),
                        new ResultColumns(
                                states.buffer().getAddress(),
                                transitions.buffer().getAddress(),
                                emissions.buffer().getAddress(),
                                iterations.buffer().getAddress(),
                                starts.getAddress(),
                                transitionRows.getAddress(),
                                transitionNumbers.getAddress(),
                                emissionRows.getAddress(),
                                emissionNumbers.getAddress(),
                                logs.getAddress()));
        return Result.struct(
                Result.lists(states, Result.doubles(starts)),
                matrices(copy(batch, states), transitionRows, transitions, transitionNumbers),
                matrices(copy(batch, states), emissionRows, emissions, emissionNumbers),
                Result.lists(iterations, Result.doubles(logs)));
    }

    private static Result matrices(
            Offsets rows, DeviceMemoryBuffer rowOffsets, Offsets entries, DeviceMemoryBuffer numbers) {
        return Result.lists(rows, Result.lists(new Offsets(rowOffsets, entries.total()), Result.doubles(numbers)));
    }

    /** Copies offsets, because each column must own its offsets. */
    private static Offsets copy(Batch batch, Offsets offsets) {
        DeviceMemoryBuffer copy = batch.allocate(offsets.buffer().getLength());
        copy.copyFromDeviceBufferAsync(0, offsets.buffer(), 0, copy.getLength(), Cuda.DEFAULT_STREAM);
        return new Offsets(copy, offsets.total());
    }
}
