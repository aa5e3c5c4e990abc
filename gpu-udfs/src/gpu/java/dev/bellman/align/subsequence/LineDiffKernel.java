package dev.bellman.align.subsequence;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.Slots;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;

/** Compares texts line by line on the GPU, with one warp per row. See {@code align/subsequence/line_diff.cu}. */
record LineDiffKernel(SolverCall call) implements ColumnarKernel {
    record Calls(long aOffsets, long aBytes, long bOffsets, long bBytes) {}

    record Answers(long counts, long offsets, long lines) {}

    record Results(long offsets, long lines, long kindLengths, long textLengths) {}

    private static final int BLOCK = 128;

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("align/subsequence/line_diff");
        DeviceColumn a = batch.strings(0);
        DeviceColumn b = batch.strings(1);
        Calls calls = new Calls(a.offsets(), a.values(), b.offsets(), b.values());
        DeviceMemoryBuffer counts = batch.scratch().zeroInts(batch.rows() + 1L);
        Answers answers = solve(batch, module, calls, counts);
        Offsets offsets = batch.offsets(counts);
        int lines = offsets.total();
        Scratch scratch = batch.scratch();
        DeviceMemoryBuffer all = scratch.allocate((long) module.constant("LINE_BYTES") * lines);
        DeviceMemoryBuffer kindLengths = scratch.allocateInts(lines + 1L);
        DeviceMemoryBuffer textLengths = scratch.allocateInts(lines + 1L);
        Results results = new Results(
                offsets.buffer().getAddress(), all.getAddress(), kindLengths.getAddress(), textLengths.getAddress());
        module.kernel("line_diff_lines").warps(batch.rows(), BLOCK).launch(batch.rows(), answers, results);
        Offsets kindOffsets = batch.offsets(kindLengths, lines);
        Offsets textOffsets = batch.offsets(textLengths, lines);
        DeviceMemoryBuffer kinds = batch.allocate(kindOffsets.total());
        DeviceMemoryBuffer texts = batch.allocate(textOffsets.total());
        DeviceMemoryBuffer aLines = batch.allocateInts(lines);
        DeviceMemoryBuffer bLines = batch.allocateInts(lines);
        DeviceMemoryBuffer inA = batch.emptyMask(lines);
        DeviceMemoryBuffer inB = batch.emptyMask(lines);
        module.kernel("line_diff_columns")
                .threads(lines, BLOCK)
                .launch(
                        lines,
                        calls,
                        all.getAddress(),
                        kindOffsets.buffer().getAddress(),
                        kinds.getAddress(),
                        textOffsets.buffer().getAddress(),
                        texts.getAddress(),
                        aLines.getAddress(),
                        inA.getAddress(),
                        bLines.getAddress(),
                        inB.getAddress());
        return Result.lists(
                offsets,
                Result.struct(
                        Result.strings(kindOffsets, kinds),
                        Result.ints(aLines).withNulls(inA),
                        Result.ints(bLines).withNulls(inB),
                        Result.strings(textOffsets, texts)));
    }

    private Answers solve(Batch batch, CudaModule module, Calls calls, DeviceMemoryBuffer counts) {
        int unit = module.constant("SLOT_UNIT");
        DeviceMemoryBuffer linesOfRows = batch.scratch().zeroInts(batch.rows() + 1L);
        Instances instances = Instances.of(batch, call, module, unit, classified -> module.kernel("line_diff_classify")
                .warps(batch.rows(), BLOCK)
                .launch(batch.rows(), batch.validity(), calls, linesOfRows.getAddress(), classified));
        Offsets offsets = batch.offsets(linesOfRows);
        Answers answers = new Answers(
                counts.getAddress(),
                offsets.buffer().getAddress(),
                batch.scratch()
                        .allocate((long) module.constant("LINE_BYTES") * offsets.total())
                        .getAddress());
        Slots slots = Slots.of(instances);
        Slots.Shape shape = new Slots.Shape(module.kernel("line_diff"), Kernel.WARP);
        for (Instances.Group group : instances.groups()) {
            slots.solve(group, shape, (long) unit * group.largest(), calls, answers);
        }
        return answers;
    }
}
