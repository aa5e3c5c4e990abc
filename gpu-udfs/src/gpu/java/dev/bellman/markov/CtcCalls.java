package dev.bellman.markov;

import ai.rapids.cudf.DType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.SolverCall;

/** The frames and tokens of a batch, in the layout of {@code markov/ctc/frames.cuh}. */
record CtcCalls(MarkovCalls.Matrices frames, long tokenOffsets, long tokenValidity, long tokens, long blanks) {
    /** Returns the arguments of a batch. */
    static CtcCalls of(Batch batch, SolverCall call) {
        DeviceColumn tokens = batch.lists(call.column("tokens"), DType.INT32);
        int blank = call.column("blank");
        return new CtcCalls(
                MarkovCalls.Matrices.of(batch.column(call.column("log_probabilities"), MarkovCalls.MATRIX)),
                tokens.offsets(),
                tokens.elements().validity(),
                tokens.elements().values(),
                blank < 0 ? 0 : batch.ints(blank).values());
    }
}
