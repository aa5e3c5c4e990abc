package dev.bellman.align.names;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairGroups;
import dev.bellman.align.bits.PairScores;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;

/**
 * Runs {@code token_set_ratio(a, b)} on the GPU. One thread compares the words of two strings; then the kernels of
 * {@code lcs_length} compare the words that the strings do not share.
 */
record TokenSetRatioKernel(SolverCall call) implements ColumnarKernel {
    private static final int BLOCK = 256;

    @Override
    public Result evaluate(Batch batch) {
        Tokens tokens = Tokens.of(batch, Tokens.Chosen.OTHER);
        tokens.count(batch, call);
        PairGroups pairs = tokens.pairs(batch, call);
        DeviceMemoryBuffer ratios = ratios(batch, pairs, tokens, 0);
        pairs.leaveToCpu(tokens.left());
        return Result.doubles(ratios);
    }

    /**
     * Returns a double for each row, undefined for rows that are not in any group.
     *
     * @param pairs the pairs of words selected by {@link Tokens.Chosen#OTHER}
     * @param cutoffs the address of a double for each row, below which the row's ratio becomes 0; 0 if there are no
     *     cutoffs
     */
    static DeviceMemoryBuffer ratios(Batch batch, PairGroups pairs, Tokens tokens, long cutoffs) {
        DeviceMemoryBuffer common = PairScores.lcs().solve(batch, pairs);
        DeviceMemoryBuffer ratios = batch.allocateDoubles(batch.rows());
        CudaModule.load("align/names/ratio")
                .kernel("ratio_of_sets")
                .threads(pairs.count(), BLOCK)
                .launch(
                        pairs.address(0),
                        pairs.count(),
                        common.getAddress(),
                        tokens.sets().getAddress(),
                        cutoffs,
                        ratios.getAddress());
        return ratios;
    }
}
