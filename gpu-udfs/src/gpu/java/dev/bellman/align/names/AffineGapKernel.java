package dev.bellman.align.names;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairClass;
import dev.bellman.align.PairGroups;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs {@code affine_gap_similarity(a, b)} on the GPU, with one thread per pair. The CPU solves pairs whose shorter
 * string has more than 256 characters, or whose longer string has more than {@code LONGEST} characters.
 */
record AffineGapKernel(SolverCall call) implements ColumnarKernel {
    private static final int MAX_ROWS = 256;
    private static final int ROWS_OF_A_WORD = 32;
    private static final int BYTES_OF_A_ROW = 2 * Integer.BYTES;

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("align/names/affine_gap");
        PairGroups pairs = PairGroups.scores(batch, call);
        DeviceMemoryBuffer similarities = batch.allocateDoubles(batch.rows());
        List<Integer> tooLong = new ArrayList<>();
        for (PairClass group : pairs.classes()) {
            int rows = rows(group);
            if (rows <= MAX_ROWS && group.maxColumns() <= module.constant("LONGEST")) {
                // a block's rows of cells take at most 64 KiB of shared memory
                int block = rows <= MAX_ROWS / 4 ? 64 : 32;
                module.kernel(group.symbols().isWide() ? "affine_gap_characters" : "affine_gap_bytes")
                        .threads(group.count(), block)
                        .sharedMemory(block * rows * BYTES_OF_A_ROW)
                        .launch(pairs.address(group.first()), group.count(), rows, similarities.getAddress());
            } else {
                Arrays.stream(pairs.rows(group)).forEach(tooLong::add);
            }
        }
        pairs.leaveToCpu(tooLong);
        return Result.doubles(similarities);
    }

    /** Returns the maximum length of the shorter strings in a class, in characters. */
    private static int rows(PairClass group) {
        return switch (group.shape()) {
            case PairClass.EMPTY -> 0;
            case PairClass.STRIPED -> Integer.MAX_VALUE;
            default -> ROWS_OF_A_WORD * group.lanes() * group.words();
        };
    }
}
