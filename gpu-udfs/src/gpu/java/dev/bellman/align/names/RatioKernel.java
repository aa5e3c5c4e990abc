package dev.bellman.align.names;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairGroups;
import dev.bellman.align.bits.PairScores;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;

/** Runs {@code ratio(a, b)} on the GPU, using the kernels of {@code lcs_length}. */
record RatioKernel(SolverCall call) implements ColumnarKernel {
    private static final int BLOCK = 256;

    @Override
    public Result evaluate(Batch batch) {
        return Result.doubles(ratios(batch, PairGroups.scores(batch, call)));
    }

    /** Returns a double for each row, undefined for rows that are not in any group. */
    static DeviceMemoryBuffer ratios(Batch batch, PairGroups pairs) {
        return ratios(batch, pairs, 0);
    }

    /**
     * @param cutoffs the address of a double for each row, below which the row's ratio becomes 0; 0 if there are no
     *     cutoffs
     */
    static DeviceMemoryBuffer ratios(Batch batch, PairGroups pairs, long cutoffs) {
        DeviceMemoryBuffer common = PairScores.lcs().solve(batch, pairs);
        DeviceMemoryBuffer ratios = batch.allocateDoubles(batch.rows());
        CudaModule.load("align/names/ratio")
                .kernel("ratio_of_lengths")
                .threads(pairs.count(), BLOCK)
                .launch(pairs.address(0), pairs.count(), common.getAddress(), cutoffs, ratios.getAddress());
        return ratios;
    }
}
