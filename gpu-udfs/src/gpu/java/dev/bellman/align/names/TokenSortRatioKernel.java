package dev.bellman.align.names;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairGroups;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;

/**
 * Runs {@code token_sort_ratio(a, b)} and {@code partial_token_sort_ratio(a, b)} on the GPU. One thread sorts the words
 * of a string; then {@link RatioKernel} or {@link PartialRatioKernel} compares the sorted strings.
 */
record TokenSortRatioKernel(SolverCall call, boolean partial) implements ColumnarKernel {
    @Override
    public Result evaluate(Batch batch) {
        Tokens tokens = Tokens.of(batch, Tokens.Chosen.SORTED);
        tokens.count(batch, call);
        PairGroups pairs = tokens.pairs(batch, call);
        DeviceMemoryBuffer ratios =
                partial ? PartialRatioKernel.ratios(batch, pairs) : RatioKernel.ratios(batch, pairs);
        pairs.leaveToCpu(tokens.left());
        return Result.doubles(ratios);
    }
}
