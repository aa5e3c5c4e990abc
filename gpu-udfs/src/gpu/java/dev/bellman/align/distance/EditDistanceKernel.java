package dev.bellman.align.distance;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairClass;
import dev.bellman.align.PairGroups;
import dev.bellman.align.bits.PairScores;
import dev.bellman.align.paper.RWayTablesOnGpu;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import java.util.List;

/** Runs {@code edit_distance(a, b)} and {@code edit_distance(a, b, max)} on the GPU. */
record EditDistanceKernel(SolverCall call) implements ColumnarKernel {
    @Override
    public Result evaluate(Batch batch) {
        long limits = PairGroups.limits(batch, call);
        if (call.strategy() == EditDistance.Strategy.R_WAY) {
            return Result.ints(new RWayTablesOnGpu("edit_distance").scores(batch, call, limits));
        }
        PairGroups groups = PairGroups.scores(batch, call);
        DeviceMemoryBuffer distances = batch.allocateInts(batch.rows());
        List<PairClass> classes = call.strategy() == EditDistance.Strategy.AUTO
                ? new EditWaves(groups, limits, distances).solve()
                : groups.shapes();
        new PairScores("align/distance/edit_distance", "edit_distance", EditCigarKernel.SAVED_BYTES, limits)
                .solve(groups, classes, distances);
        return Result.ints(distances);
    }
}
