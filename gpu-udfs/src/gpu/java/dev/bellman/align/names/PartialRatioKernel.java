package dev.bellman.align.names;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairClass;
import dev.bellman.align.PairGroups;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Runs {@code partial_ratio(a, b)} on the GPU, with one thread per pair. The CPU solves two kinds of pairs: those whose
 * shorter string has more than 256 characters (128 if some are not ASCII), and those whose longer string has more than
 * {@code LONGEST} characters.
 */
record PartialRatioKernel(SolverCall call) implements ColumnarKernel {
    private static final int BLOCK = 64;
    private static final double MAX = 100;

    /** The number of words that a thread uses for the pattern, indexed by the shape of an ASCII pair. */
    private static final int[] WORDS = {1, 2, 3, 4, 6, 6, 8, 8};

    private static final int[] WIDE_WORDS = {1, 4};

    @Override
    public Result evaluate(Batch batch) {
        return Result.doubles(ratios(batch, PairGroups.scores(batch, call)));
    }

    /** Returns a double for each row, undefined for rows that are not in any group. */
    static DeviceMemoryBuffer ratios(Batch batch, PairGroups pairs) {
        return ratios(batch, pairs, Optional.empty());
    }

    /**
     * @param cutoffs contains a double for each row, below which the row's ratio becomes 0; rows with a cutoff above
     *     100 are skipped
     */
    static DeviceMemoryBuffer ratios(Batch batch, PairGroups pairs, Optional<DeviceMemoryBuffer> cutoffs) {
        CudaModule module = CudaModule.load("align/names/partial_ratio");
        DeviceMemoryBuffer ratios = batch.allocateDoubles(batch.rows());
        List<Integer> tooLong = new ArrayList<>();
        for (PairClass group : pairs.classes()) {
            int[] words = group.symbols().isWide() ? WIDE_WORDS : WORDS;
            String symbols = group.symbols().longKernels();
            boolean isEmpty = group.shape() == PairClass.EMPTY;
            if (isEmpty || group.shape() < words.length && group.maxColumns() <= module.constant("LONGEST")) {
                module.kernel(
                                isEmpty
                                        ? "partial_ratio_empty"
                                        : "partial_ratio_%s_%s".formatted(symbols, words[group.shape()]))
                        .threads(group.count(), BLOCK)
                        .launch(
                                pairs.address(group.first()),
                                group.count(),
                                cutoffs.map(DeviceMemoryBuffer::getAddress).orElse(0L),
                                ratios.getAddress());
            } else {
                Arrays.stream(pairs.rows(group)).forEach(tooLong::add);
            }
        }
        if (!tooLong.isEmpty() && cutoffs.isPresent()) {
            long[] bits = DeviceArrays.readLongs(cutoffs.get(), 0, batch.rows());
            tooLong.removeIf(row -> Double.longBitsToDouble(bits[row]) > MAX);
        }
        pairs.leaveToCpu(tooLong);
        return ratios;
    }
}
