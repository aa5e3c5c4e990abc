package dev.bellman.align.distance;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairClass;
import dev.bellman.align.PairGroups;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;

/**
 * Runs {@code osa_distance} and {@code damerau_levenshtein}, with and without {@code max}, on the GPU. Uses
 * bit-parallel kernels for patterns that fit in one thread.
 *
 * @param function the function's name, which is also the name of the file with its kernels
 */
record TranspositionsKernel(String function, SolverCall call) implements ColumnarKernel {
    static TranspositionsKernel osa(SolverCall call) {
        return new TranspositionsKernel("osa_distance", call);
    }

    static TranspositionsKernel damerauLevenshtein(SolverCall call) {
        return new TranspositionsKernel("damerau_levenshtein", call);
    }

    @Override
    public Result evaluate(Batch batch) {
        long limits = PairGroups.limits(batch, call);
        DeviceMemoryBuffer distances = batch.allocateInts(batch.rows());
        PairGroups pairs = PairGroups.scores(batch, call);
        TranspositionTables tables = new TranspositionTables(function, pairs, limits, distances);
        for (PairClass group : pairs.shapes()) {
            if (group.shape() < PairClass.STRIPED && group.lanes() == 1) {
                CudaModule.load("align/distance/" + function)
                        .kernel("%s_%s_1x%s".formatted(function, group.symbols().kernels(), group.words()))
                        .threads(group.count(), group.block())
                        .launch(pairs.address(group.first()), group.count(), distances.getAddress(), limits);
            } else {
                tables.solve(group);
            }
        }
        return Result.ints(distances);
    }
}
