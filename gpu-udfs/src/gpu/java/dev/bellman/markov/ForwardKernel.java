package dev.bellman.markov;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;

/** Computes the logarithms of the total weights of sequences in hidden Markov models on the GPU. */
record ForwardKernel(SolverCall call) implements ColumnarKernel {
    @Override
    public Result evaluate(Batch batch) {
        DeviceMemoryBuffer logWeights = batch.allocateDoubles(batch.rows());
        Sweeps.of(batch, call, Instances.UNLIMITED).solve("forward_", new Sweeps.Answers(0, logWeights.getAddress()));
        return Result.doubles(logWeights);
    }
}
