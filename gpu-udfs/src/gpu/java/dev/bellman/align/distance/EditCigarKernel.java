package dev.bellman.align.distance;

import dev.bellman.align.bits.PairPaths;
import dev.bellman.align.paper.RWayTablesOnGpu;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;

/** Runs {@code edit_cigar(a, b)} on the GPU. */
record EditCigarKernel(SolverCall call) implements ColumnarKernel {
    /**
     * The maximum number of bytes per symbol. A run of a single symbol takes two characters; longer runs take fewer
     * characters per symbol.
     */
    private static final int MAX_BYTES_PER_SYMBOL = 2;

    /**
     * The number of bytes that the kernels store for each word of a column: two bit vectors, which mark the rows in
     * which the value increases and those in which it decreases.
     */
    static final int SAVED_BYTES = 8;

    @Override
    public Result evaluate(Batch batch) {
        if (call.strategy() == EditDistance.Strategy.R_WAY) {
            return new RWayTablesOnGpu("edit_distance").paths(batch, call, MAX_BYTES_PER_SYMBOL);
        }
        return new PairPaths(
                        "align/distance/edit_path", "align/distance/edit_distance", "edit_distance", SAVED_BYTES, false)
                .solve(batch, MAX_BYTES_PER_SYMBOL, call);
    }
}
