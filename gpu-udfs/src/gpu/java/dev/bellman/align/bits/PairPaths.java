package dev.bellman.align.bits;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairClass;
import dev.bellman.align.PairGroups;
import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.Kernel;

/** For each pair in a batch, writes a string that describes or follows the canonical path through the pair's table. */
public final class PairPaths {
    private static final int[] WIDER_WORDS = {10, 12, 16};
    private static final int THREAD_SHAPES = 8;
    private static final int BLOCK = 64;
    /**
     * The maximum number of pattern words for which a block has {@link #BLOCK} threads; for more words, it has one
     * warp.
     */
    private static final int MAX_WORDS_OF_BLOCK = 4;

    private static final int PAIRS_BLOCK = 256;
    /**
     * The minimum number of lanes that move a string. More lanes are used for long strings, so that each lane moves
     * about {@link #BYTES_PER_LANE} bytes.
     */
    private static final int MIN_LANES = 8;

    private static final int BYTES_PER_LANE = 16;
    /** The number of bytes that store the moves of 32 rows in a column, two bits per row. */
    private static final long MOVES_BYTES = 8;

    static final int TILE_WORDS = 8;
    static final int TILE_COLUMNS = 128;
    /**
     * The window through which the traceback walks a table if there are few pairs. The window takes most of the shared
     * memory.
     */
    static final Window LARGE_WINDOW = new Window(4, 6);

    /** The window through which the traceback walks a table if there are many pairs. */
    static final Window SMALL_WINDOW = new Window(2, 2);
    /** The maximum shared memory that the kernels use in addition to the window. */
    private static final int STATIC_BYTES = 32 * 1024;

    private final CudaModule module;
    private final String scoresFile;
    private final String kernels;
    private final int savedBytes;
    private final int supersequence;

    /**
     * @param file the source file of the kernels
     * @param scoresFile the source file of the problem's kernels for stripes
     * @param kernels the prefix of the kernel names
     * @param savedBytes the number of bytes that the kernels store for each word of a column
     * @param supersequence for LCS, whether to write the shortest common supersequence instead
     */
    public PairPaths(String file, String scoresFile, String kernels, int savedBytes, boolean supersequence) {
        module = CudaModule.load(file);
        this.scoresFile = scoresFile;
        this.kernels = kernels;
        this.savedBytes = savedBytes;
        this.supersequence = supersequence ? 1 : 0;
    }

    /**
     * Returns a batch's results, which are strings.
     *
     * @param room the maximum number of bytes of a result for each byte of the pair's strings
     */
    public Result solve(Batch batch, int room, SolverCall call) {
        PairGroups groups = PairGroups.paths(batch, call, savedBytes);
        DeviceColumn a = groups.a();
        DeviceColumn b = groups.b();
        DeviceMemoryBuffer written = batch.allocate(Math.max(1, room * (a.valueBytes() + b.valueBytes())));
        DeviceMemoryBuffer lengths = batch.scratch().zeroInts(batch.rows() + 1L);
        Target target =
                new Target(a.offsets(), b.offsets(), room, written.getAddress(), supersequence, lengths.getAddress());
        for (PairClass group : groups.classes()) {
            switch (group.shape()) {
                case PairClass.EMPTY ->
                    module.kernel(kernels + "_path_empty")
                            .threads(group.count(), PAIRS_BLOCK)
                            .launch(target.arguments(groups.address(group.first()), group.count(), wide(group)));
                case PairClass.STRIPED -> solveTiled(groups, group, target);
                default -> solveAlone(groups, group, target);
            }
        }
        return gather(batch, a, b, room, written, lengths);
    }

    /** Works like the method with two more parameters, for pairs whose strings are the first two arguments. */
    public static Result gather(Batch batch, int factor, DeviceMemoryBuffer written, DeviceMemoryBuffer lengths) {
        return gather(batch, batch.strings(0), batch.strings(1), factor, written, lengths);
    }

    /**
     * Moves a batch's strings into a column, without the unused bytes between them.
     *
     * @param a the first strings of the pairs
     * @param b the second strings of the pairs
     * @param factor the number of bytes that are reserved for each byte of a pair's strings
     * @param written the resulting strings, each at the end of its reserved bytes
     * @param lengths the lengths of the resulting strings, as int32, with one extra entry
     */
    public static Result gather(
            Batch batch,
            DeviceColumn a,
            DeviceColumn b,
            int factor,
            DeviceMemoryBuffer written,
            DeviceMemoryBuffer lengths) {
        Offsets offsets = batch.offsets(lengths);
        DeviceMemoryBuffer bytes = batch.allocate(offsets.total());
        int lanes = Math.max(MIN_LANES, Integer.highestOneBit(offsets.total() / batch.rows() / BYTES_PER_LANE));
        CudaModule.load("align/pair_batch")
                .kernel("pair_gather")
                .threads((long) batch.rows() * lanes, PAIRS_BLOCK)
                .launch(
                        batch.rows(),
                        a.offsets(),
                        b.offsets(),
                        factor,
                        written.getAddress(),
                        offsets.buffer().getAddress(),
                        bytes.getAddress(),
                        lanes);
        return Result.strings(offsets, bytes);
    }

    private static int wide(PairClass group) {
        return group.symbols().isWide() ? 1 : 0;
    }

    private void solveAlone(PairGroups groups, PairClass group, Target target) {
        solveAlone(
                module,
                "%s_%s_path".formatted(kernels, group.symbols().kernels()),
                savedBytes,
                group,
                (saved, checkpoints) ->
                        target.arguments(groups.address(group.first()), group.count(), saved, checkpoints));
    }

    /** Returns the arguments of a kernel, given the address of all checkpoints and their number per pair. */
    @FunctionalInterface
    public interface AloneArguments {
        Object[] of(long saved, int checkpoints);
    }

    /**
     * Solves each pair of a class with one thread. Each warp solves 32 pairs at a time and has memory for their
     * checkpoints.
     *
     * @param kernels the prefix of the kernel names
     * @param savedBytes the number of bytes that the kernels store for each word of a column
     */
    public static void solveAlone(
            CudaModule module, String kernels, int savedBytes, PairClass group, AloneArguments arguments) {
        int words = group.shape() < THREAD_SHAPES ? group.shape() + 1 : WIDER_WORDS[group.shape() - THREAD_SHAPES];
        int block = words > MAX_WORDS_OF_BLOCK ? Kernel.WARP : BLOCK;
        int checkpoints = Math.max(1, group.maxColumns() / checkpointColumns(words));
        long bytes = (long) savedBytes * Kernel.WARP * words * checkpoints;
        int moves = (int) MOVES_BYTES * checkpointColumns(words) * words * block;
        Kernel kernel = module.kernel("%s_1x%s".formatted(kernels, words));
        int blocks = blocks((group.count() + Kernel.WARP - 1) / Kernel.WARP, bytes, kernel, block, moves);
        try (Scratch scratch = new Scratch()) {
            DeviceMemoryBuffer saved = scratch.allocate(bytes * block / Kernel.WARP * blocks);
            kernel.grid(blocks).block(block).sharedMemory(moves).launch(arguments.of(saved.getAddress(), checkpoints));
        }
    }

    /** Returns the number of columns between two checkpoints, given the number of pattern words per thread. */
    static int checkpointColumns(int words) {
        return words <= THREAD_SHAPES ? 8 : 4;
    }

    private void solveTiled(PairGroups groups, PairClass group, Target target) {
        CudaModule scores = CudaModule.load(scoresFile);
        Device device = Device.current();
        Window window = group.count() <= device.multiprocessors()
                        && LARGE_WINDOW.bytes() + STATIC_BYTES <= device.sharedMemoryPerBlock()
                ? LARGE_WINDOW
                : SMALL_WINDOW;
        Kernel kernel = module.kernel("%s_%s_path_tiled_%sx%s"
                .formatted(kernels, group.symbols().longKernels(), window.high(), window.wide()));
        int block = window.threads();
        int shared = window.bytes();
        int[] lengths = groups.lengths(group);
        for (int first = 0; first < group.count(); ) {
            try (PairStripes solved = PairStripes.tiles(scores, kernels, groups, group, lengths, first, savedBytes)) {
                kernel.grid(Math.min(solved.count(), kernel.residentBlocks(block, shared)))
                        .block(block)
                        .sharedMemory(shared)
                        .launch(target.arguments(
                                groups.address(group.first() + first),
                                solved.count(),
                                solved.borderPlaces(),
                                solved.borders(),
                                solved.savedPlaces(),
                                solved.saved()));
                first = solved.end();
            }
        }
    }

    /** Returns the number of blocks (at least one), which depends on the amount of work, the memory and the device. */
    private static int blocks(int warps, long bytesPerWarp, Kernel kernel, int block, int sharedMemory) {
        int warpsPerBlock = block / Kernel.WARP;
        long needed = (warps + warpsPerBlock - 1L) / warpsPerBlock;
        long most = Math.max(1, PairStripes.mostBytes() / bytesPerWarp / warpsPerBlock);
        return (int) Math.min(needed, Math.min(most, kernel.residentBlocks(block, sharedMemory)));
    }

    /** A window of {@code high} by {@code wide} tiles, as defined in {@code window.cuh}. */
    record Window(int high, int wide) {
        int bytes() {
            return (int) MOVES_BYTES * (16 + high * TILE_WORDS * (wide * TILE_COLUMNS + 9));
        }

        /** Returns the number of threads: those that solve a window, and a warp that writes. */
        int threads() {
            return high * wide * TILE_WORDS + Kernel.WARP;
        }
    }

    /** The addresses and options for writing results, which all kernels take as arguments. */
    private record Target(long aOffsets, long bOffsets, int factor, long bytes, int supersequence, long lengths) {
        Object[] arguments(long pairs, int count, Object... more) {
            Object[] arguments = new Object[8 + more.length];
            arguments[0] = pairs;
            arguments[1] = count;
            arguments[2] = aOffsets;
            arguments[3] = bOffsets;
            arguments[4] = factor;
            arguments[5] = bytes;
            arguments[6] = supersequence;
            arguments[7] = lengths;
            System.arraycopy(more, 0, arguments, 8, more.length);
            return arguments;
        }
    }
}
