package dev.bellman.markov;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;

/** Aligns tokens with the frames of recordings on the GPU. See {@code markov/ctc/align.cu}. */
record CtcAlignKernel(SolverCall call) implements ColumnarKernel {
    record Answers(long scores, long frames, long tokens, long places) {}

    private static final String NAME = "ctc_align";

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("markov/ctc/align");
        int rows = batch.rows();
        CtcLaunches launches = CtcLaunches.of(batch, call, module, NAME);
        DeviceMemoryBuffer scores = batch.allocateDoubles(rows);
        DeviceMemoryBuffer frames = batch.scratch().zeroInts(rows + 1L);
        DeviceMemoryBuffer tokens = batch.scratch().zeroInts(rows + 1L);
        int allFrames = batch.column(call.column("log_probabilities"), MarkovCalls.MATRIX)
                .elements()
                .rows();
        Answers answers = new Answers(
                scores.getAddress(),
                frames.getAddress(),
                tokens.getAddress(),
                batch.scratch().allocateInts(allFrames).getAddress());
        launches.solve(NAME, answers);
        return results(batch, launches, scores, answers, batch.offsets(frames), batch.offsets(tokens));
    }

    private static Result results(
            Batch batch,
            CtcLaunches launches,
            DeviceMemoryBuffer scores,
            Answers answers,
            Offsets frames,
            Offsets tokens) {
        DeviceMemoryBuffer path = batch.allocateInts(frames.total());
        DeviceMemoryBuffer labels = batch.allocateInts(tokens.total());
        DeviceMemoryBuffer begins = batch.allocateInts(tokens.total());
        DeviceMemoryBuffer ends = batch.allocateInts(tokens.total());
        launches.module()
                .kernel("ctc_align_results")
                .warps(batch.rows(), CtcLaunches.BLOCK)
                .launch(
                        batch.rows(),
                        launches.calls(),
                        answers,
                        frames.buffer().getAddress(),
                        path.getAddress(),
                        tokens.buffer().getAddress(),
                        labels.getAddress(),
                        begins.getAddress(),
                        ends.getAddress());
        return Result.struct(
                Result.doubles(scores),
                Result.lists(frames, Result.ints(path)),
                Result.lists(tokens, Result.struct(Result.ints(labels), Result.ints(begins), Result.ints(ends))));
    }
}
