package dev.bellman.align.distance;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.align.PairFunction;
import dev.bellman.align.PairGroups;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;

/** {@code damerau_levenshtein(a, b)} and {@code damerau_levenshtein(a, b, max)} on the GPU. */
record DamerauLevenshteinKernel(PairFunction<DamerauLevenshtein.Strategy> udf) implements ColumnarKernel {
    @Override
    public DataType type() {
        return new BasicType(true, DType.INT32);
    }

    @Override
    public Result evaluate(Batch batch) {
        long limits = batch.arguments() == 3 ? batch.ints(2).values() : 0;
        DeviceMemoryBuffer distances = batch.allocate((long) Integer.BYTES * batch.rows());
        PairGroups pairs = PairGroups.scores(batch, udf);
        TranspositionTables tables = new TranspositionTables("damerau_levenshtein", pairs, limits, distances);
        pairs.shapes().forEach(tables::solve);
        return Result.ints(distances);
    }
}
