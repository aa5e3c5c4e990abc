package dev.bellman.markov;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;

/** Computes the log-probabilities of tokens in recordings on the GPU. See {@code markov/ctc/score.cu}. */
record CtcScoreKernel(SolverCall call) implements ColumnarKernel {
    private static final String NAME = "ctc_score";

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("markov/ctc/score");
        DeviceMemoryBuffer scores = batch.allocateDoubles(batch.rows());
        CtcLaunches.of(batch, call, module, NAME).solve(NAME, scores.getAddress());
        return Result.doubles(scores);
    }
}
