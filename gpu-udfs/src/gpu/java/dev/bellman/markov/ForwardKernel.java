package dev.bellman.markov;

import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;

/** Computes the logarithms of the total weights of sequences in hidden Markov models on the GPU. */
record ForwardKernel(SolverCall call) implements ColumnarKernel {
    @Override
    public DataType type() {
        return Types.DOUBLE;
    }

    @Override
    public Result evaluate(Batch batch) {
        DeviceMemoryBuffer logWeights = batch.allocateDoubles(batch.rows());
        Sweeps.of(batch, call, Instances.UNLIMITED).solve("forward_", new Sweeps.Answers(0, logWeights.getAddress()));
        return Result.doubles(logWeights);
    }
}
