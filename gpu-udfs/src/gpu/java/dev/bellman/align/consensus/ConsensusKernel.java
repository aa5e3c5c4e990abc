package dev.bellman.align.consensus;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.AlikeRows;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.Slots;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes the consensus of each row's strings on the GPU, with one block per row. See {@code
 * align/consensus/consensus.cu}. The CPU solves rows whose tables or graphs are very large, and rows whose scoring is
 * not among the first {@value #MAX_SCORINGS} of a batch.
 */
record ConsensusKernel(SolverCall call) implements ColumnarKernel {
    record Calls(long offsets, long stringOffsets, long bytes, long validity, long numbers, long scorings) {}

    record Answers(long lengths, long bytes) {}

    record Retries(long counts, long sizes, long rows, int stride, int most) {}

    private static final int MAX_SCORINGS = 64;
    private static final int BLOCK = 128;

    /** The kernels, in the order of their classes. */
    private static final String[] KERNELS = {
        "consensus_short",
        "consensus_long",
        "consensus_short_two_pieces",
        "consensus_long_two_pieces",
        "consensus_short_wide",
        "consensus_long_wide",
        "consensus_short_two_pieces_wide",
        "consensus_long_two_pieces_wide"
    };

    /** The launches for the rows of a batch. */
    private record Launches(CudaModule module, Calls calls, Answers answers, Instances.Classified classified) {
        /** Solves a group. The largest size in the group is the size of a slot, in units of SLOT_UNIT bytes. */
        private void solve(int kernel, Slots slots, Instances.Group group, Retries retries) {
            Slots.Shape shape = new Slots.Shape(
                    module.kernel(KERNELS[kernel]), module.constant(kernel % 2 == 0 ? "SHORT_BLOCK" : "LONG_BLOCK"));
            long bytes = (long) module.constant("SLOT_UNIT") * group.largest();
            int blocks = shape.blocks(group);
            slots.launch(
                    group,
                    shape,
                    slots.memory().together(blocks, bytes, blocks),
                    bytes,
                    calls,
                    answers,
                    classified,
                    retries);
        }
    }

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("align/consensus/consensus");
        int rows = batch.rows();
        DeviceColumn lists = batch.column(0, Types.list(Types.STRING));
        DeviceColumn strings = lists.elements();
        List<DeviceScoring> scorings = new ArrayList<>();
        DeviceMemoryBuffer numbers = number(batch, scorings);
        Calls calls = new Calls(
                lists.offsets(),
                strings.offsets(),
                strings.values(),
                strings.validity(),
                numbers.getAddress(),
                DeviceArrays.writeStructs(batch.scratch(), DeviceScoring.class, scorings)
                        .getAddress());
        DeviceMemoryBuffer lengths = batch.scratch().zeroInts(rows + 1L);
        Answers answers = new Answers(
                lengths.getAddress(), batch.allocate(strings.valueBytes()).getAddress());
        solve(batch, module, calls, answers);
        Offsets offsets = batch.offsets(lengths);
        DeviceMemoryBuffer bytes = batch.allocate(offsets.total());
        module.kernel("consensus_gather")
                .warps(rows, BLOCK)
                .launch(rows, calls, answers, offsets.buffer().getAddress(), bytes.getAddress());
        return Result.strings(offsets, bytes);
    }

    private void solve(Batch batch, CudaModule module, Calls calls, Answers answers) {
        GpuMemory memory = GpuMemory.ofSession();
        int sizes = module.constant("SIZES");
        int kinds = module.constant("KINDS");
        int most = memory.largest(module.constant("SLOT_UNIT"));
        Instances instances = new Instances(
                batch, call, KERNELS.length * sizes, key -> most, classified -> module.kernel("consensus_classify")
                        .warps(batch.rows(), BLOCK)
                        .launch(batch.rows(), batch.validity(), calls, classified));
        Launches launches = new Launches(module, calls, answers, instances.classified());
        DeviceMemoryBuffer counts = batch.scratch().zeroInts(2L * kinds);
        DeviceMemoryBuffer again = batch.scratch().allocateInts((long) kinds * batch.rows());
        Retries retries = new Retries(
                counts.getAddress(),
                counts.getAddress() + (long) kinds * Integer.BYTES,
                again.getAddress(),
                batch.rows(),
                most);
        Slots slots = Slots.of(instances);
        for (Instances.Group group : instances.groups()) {
            launches.solve(group.key() / sizes, slots, group, retries);
        }
        int[] counted = DeviceArrays.readInts(counts, 0, 2 * kinds);
        Retries none = new Retries(retries.counts(), retries.sizes(), retries.rows(), retries.stride(), 0);
        for (int kind = 0; kind < kinds; kind++) {
            long order = again.getAddress() + (long) kind * Integer.BYTES * batch.rows();
            if (counted[kind] > 0) {
                Instances.Group group = new Instances.Group(kind, 0, counted[kind], counted[kinds + kind]);
                launches.solve(kinds + kind, new Slots(memory, order), group, none);
            }
        }
        // counts the cells, and separates the rows that the kernels have left to the CPU
        instances.regroup();
    }

    /** Returns the number of each row's scoring, as int32, and collects the scorings. */
    private DeviceMemoryBuffer number(Batch batch, List<DeviceScoring> scorings) {
        return AlikeRows.number(batch, call, "scoring", MAX_SCORINGS, text -> {
            scorings.add(DeviceScoring.of(Scoring.of(call.function(), text), batch.scratch()));
            return scorings.size() - 1;
        });
    }
}
