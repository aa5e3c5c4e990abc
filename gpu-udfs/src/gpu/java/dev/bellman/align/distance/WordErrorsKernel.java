package dev.bellman.align.distance;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairClass;
import dev.bellman.align.PairGroups;
import dev.bellman.align.bits.PairPaths;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs {@code word_errors(reference, hypothesis)} on the GPU, with one thread per pair. The CPU solves pairs whose
 * reference has more than 512 words, whose hypothesis has more than 1,024 words, that share more than 126 distinct
 * words, or whose words take more than 1 MiB. See {@code align/distance/word_errors.cu}.
 */
record WordErrorsKernel(SolverCall call) implements ColumnarKernel {
    private static final int BLOCK = 256;

    /** The addresses of the results of all rows, in the kernels' layout. */
    record ErrorCounts(long substitutions, long deletions, long insertions, long hits, long rates) {}

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("align/distance/word_errors");
        PairGroups groups = PairGroups.paths(batch, call, EditCigarKernel.SAVED_BYTES);
        DeviceMemoryBuffer[] counts = new DeviceMemoryBuffer[4];
        Arrays.setAll(counts, i -> batch.allocateInts(batch.rows()));
        DeviceMemoryBuffer rates = batch.allocateDoubles(batch.rows());
        ErrorCounts results = new ErrorCounts(
                counts[0].getAddress(),
                counts[1].getAddress(),
                counts[2].getAddress(),
                counts[3].getAddress(),
                rates.getAddress());
        List<Integer> tooLarge = new ArrayList<>();
        for (PairClass group : groups.classes()) {
            long pairs = groups.address(group.first());
            switch (group.shape()) {
                case PairClass.EMPTY ->
                    module.kernel("word_errors_empty")
                            .threads(group.count(), BLOCK)
                            .launch(pairs, group.count(), results);
                case PairClass.STRIPED -> Arrays.stream(groups.rows(group)).forEach(tooLarge::add);
                default ->
                    PairPaths.solveAlone(
                            module, "word_errors", EditCigarKernel.SAVED_BYTES, group, (saved, checkpoints) ->
                                    new Object[] {pairs, group.count(), results, saved, checkpoints});
            }
        }
        groups.leaveToCpu(tooLarge);
        return Result.struct(
                Result.ints(counts[0]),
                Result.ints(counts[1]),
                Result.ints(counts[2]),
                Result.ints(counts[3]),
                Result.doubles(rates));
    }
}
