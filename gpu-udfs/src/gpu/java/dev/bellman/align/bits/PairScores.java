package dev.bellman.align.bits;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairClass;
import dev.bellman.align.PairClass.Symbols;
import dev.bellman.align.PairGroups;
import dev.bellman.columns.Batch;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.Kernel;
import java.util.List;

/** Computes a number for each pair of a batch, with at least one launch for each combination of alphabet and shape. */
public final class PairScores {
    private static final int BLOCK = 256;

    /**
     * The number of bytes that LCS kernels store for each word of a column: a single bit vector, whose clear bits mark
     * the rows in which the value grows.
     */
    public static final int LCS_SAVED_BYTES = 4;

    /**
     * The number of stripes with 8 words per thread below which stripes with one word per thread fill the GPU better.
     */
    private static final long ENOUGH_STRIPES = 768;
    /**
     * The maximum number of one-word stripes per multiprocessor at which pairs are solved from both ends, which doubles
     * the number of stripes.
     */
    private static final long FEW_STRIPES = 4;

    /**
     * The number of threads per multiprocessor from which half as many threads with twice as many words are faster
     * ({@code SCORE_MANY} in {@code score.cuh}).
     */
    private static final long MANY_THREADS = 640;
    /** The minimum number of words per pair in these kernels. */
    private static final int MIN_WORDS = 16;
    /** The maximum number of words per pair in these kernels. */
    private static final int MAX_WORDS = 256;

    private final CudaModule module;
    private final String kernels;
    private final int savedBytes;
    private final long option;

    /**
     * @param file the source file of the kernels
     * @param kernels the prefix of the kernel names
     * @param savedBytes the number of bytes that the kernels store for each word of a column
     * @param option the option of the problem, as defined in {@code score.cuh}
     */
    public PairScores(String file, String kernels, int savedBytes, long option) {
        module = CudaModule.load(file);
        this.kernels = kernels;
        this.savedBytes = savedBytes;
        this.option = option;
    }

    /** Returns an instance that computes the lengths of longest common subsequences. */
    public static PairScores lcs() {
        return new PairScores("align/subsequence/lcs", "lcs", LCS_SAVED_BYTES, 0);
    }

    /** Returns an int32 for each row, undefined for null rows and rows that the CPU solves. */
    public DeviceMemoryBuffer solve(Batch batch, SolverCall call) {
        return solve(batch, PairGroups.scores(batch, call));
    }

    /** Returns an int32 for each row, undefined for rows that are not in any group. */
    public DeviceMemoryBuffer solve(Batch batch, PairGroups groups) {
        DeviceMemoryBuffer results = batch.allocateInts(batch.rows());
        solve(groups, groups.shapes(), results);
        return results;
    }

    /** Writes an int32 for each pair of some classes, at the index of the pair's row. */
    public void solve(PairGroups groups, List<PairClass> classes, DeviceMemoryBuffer results) {
        for (PairClass group : classes) {
            switch (group.shape()) {
                case PairClass.EMPTY -> put(groups.address(group.first()), group.count(), 0, results);
                case PairClass.STRIPED -> solveStriped(groups, group, results);
                default -> {
                    boolean half = hasHalfTheLanes(group);
                    int lanes = half ? group.lanes() / 2 : group.lanes();
                    int words = half ? 2 * group.words() : group.words();
                    module.kernel("%s_%s_%sx%s"
                                    .formatted(kernels, group.symbols().kernels(), lanes, words))
                            .threads((long) group.count() * lanes, half ? Kernel.WARP : group.block())
                            .launch(groups.address(group.first()), group.count(), results.getAddress(), option);
                }
            }
        }
    }

    /**
     * Whether half as many lanes per pair as usual solve a class. This takes fewer instructions, but leaves more of the
     * GPU idle unless there are many pairs.
     */
    private static boolean hasHalfTheLanes(PairClass group) {
        int words = group.lanes() * group.words();
        return group.symbols() == Symbols.NUCLEOTIDES
                && MIN_WORDS <= words
                && words <= MAX_WORDS
                && (long) group.count() * group.lanes()
                        >= MANY_THREADS * Device.current().multiprocessors();
    }

    private void solveStriped(PairGroups groups, PairClass group, DeviceMemoryBuffer results) {
        int[] lengths = groups.lengths(group);
        if (stripes(lengths, 1) <= FEW_STRIPES * Device.current().multiprocessors()) {
            try (PairHalves halves = new PairHalves(module, kernels, groups, group, lengths, savedBytes)) {
                put(groups.address(group.first()), group.count(), halves.growths(), results);
            }
            return;
        }
        int words = group.symbols().isWide() || stripes(lengths, 8) < ENOUGH_STRIPES ? 1 : 8;
        for (int first = 0; first < group.count(); ) {
            try (PairStripes solved = PairStripes.growths(module, kernels, groups, group, lengths, first, words)) {
                put(groups.address(group.first() + first), solved.count(), solved.growths(), results);
                first = solved.end();
            }
        }
    }

    private static long stripes(int[] lengths, int words) {
        long stripes = 0;
        for (int i = 0; i < lengths.length; i += 2) {
            stripes += PairStripes.stripes(lengths[i], words);
        }
        return stripes;
    }

    private void put(long pairs, int count, long growths, DeviceMemoryBuffer results) {
        module.kernel(kernels + "_growths")
                .threads(count, BLOCK)
                .launch(pairs, count, growths, results.getAddress(), option);
    }
}
