package dev.bellman.align.distance;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairClass;
import dev.bellman.align.PairGroups;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs {@code jaro_similarity(a, b)} and {@code jaro_winkler_similarity(a, b)} on the GPU. One thread solves a short
 * pair bit-parallel; one warp solves a longer pair. For each character, a warp searches the positions of the other
 * string for a match, which takes quadratic time in total. The CPU, which takes linear time, solves pairs that are even
 * longer.
 */
record JaroWinklerKernel(SolverCall call, int mostPrefix) implements ColumnarKernel {
    /** The maximum length of strings that the GPU solves, in characters. */
    static final int MAX_LENGTH = 4096;

    private static final int MAX_PREFIX = 4;
    private static final int BLOCK = 64;

    /** The number of words that a thread uses for the pattern, indexed by the shape of pairs that are not ASCII. */
    private static final int[] WIDE_WORDS = {1, 4};

    static ColumnarKernel jaro(SolverCall call) {
        return new JaroWinklerKernel(call, 0);
    }

    static ColumnarKernel winkler(SolverCall call) {
        return new JaroWinklerKernel(call, MAX_PREFIX);
    }

    @Override
    public Result evaluate(Batch batch) {
        DeviceMemoryBuffer similarities = batch.allocateDoubles(batch.rows());
        PairGroups pairs = PairGroups.scores(batch, call);
        CudaModule module = CudaModule.load("align/distance/jaro_winkler");
        List<Integer> tooLong = new ArrayList<>();
        for (PairClass group : pairs.classes()) {
            if (group.shape() == PairClass.EMPTY) {
                solve(module, pairs, group, 0, similarities);
            } else if (group.maxColumns() <= module.constant("LONGEST")
                    && (!group.symbols().isWide() || group.shape() < WIDE_WORDS.length)) {
                module.kernel("jaro_winkler_%s_%s".formatted(group.symbols().kernels(), words(group)))
                        .threads(group.count(), BLOCK)
                        .launch(pairs.address(group.first()), group.count(), mostPrefix, similarities.getAddress());
            } else if (group.maxColumns() <= MAX_LENGTH) {
                solve(module, pairs, group, group.maxColumns(), similarities);
            } else {
                Arrays.stream(pairs.rows(group)).forEach(tooLong::add);
            }
        }
        pairs.leaveToCpu(tooLong);
        return Result.doubles(similarities);
    }

    private static int words(PairClass group) {
        return group.symbols().isWide() ? WIDE_WORDS[group.shape()] : group.words();
    }

    /** @param most the maximum length of the class's texts, a multiple of 32 */
    private void solve(
            CudaModule module, PairGroups pairs, PairClass group, int most, DeviceMemoryBuffer similarities) {
        int warps = module.constant("WARPS");
        boolean isWide = group.symbols().isWide();
        // one bit for each position of the pattern, and one character for each position of the text
        int sharedMemory = most / Byte.SIZE + most * (isWide ? Integer.BYTES : 1);
        module.kernel(isWide ? "jaro_winkler_characters" : "jaro_winkler_bytes")
                .warps(group.count(), Kernel.WARP * warps)
                .sharedMemory(warps * sharedMemory)
                .launch(pairs.address(group.first()), group.count(), most, mostPrefix, similarities.getAddress());
    }
}
