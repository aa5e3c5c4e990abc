package dev.bellman.align.gap;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.TaskGpu;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.Kernel;
import dev.bellman.cuda.ModuleInterface;
import dev.bellman.large.tiles.CudaTiles;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.LargeTask;
import dev.bellman.large.tiles.Tile;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Computes {@link GapTiles} in large tiles on a GPU, with the same results in all cells. See
 * {@code align/gap/large.cu}.
 */
final class LargeGap extends CudaTiles {
    /**
     * The numbers of letters in a and b, the address of the letters of a and then b, and the scores of a match and a
     * mismatch, in the kernels' layout.
     */
    record Pair(int aLetters, int bLetters, long letters, long match, long mismatch) {}

    private static final ModuleInterface LARGE = ModuleInterface.of("align/gap/large");
    private static final int EDGE = LARGE.constant("TILE");
    private static final int THREADS = LARGE.constant("TILE_THREADS");

    /**
     * The number of tiles per block when a large tile is finished. With fewer tiles, a block would often wait, instead
     * of leaving its multiprocessor to the products of other large tiles.
     */
    private static final int TILES_OF_BLOCK = 8;

    /** The number of antidiagonals of tiles whose products are added at a time. */
    private static final int WINDOW = 2;

    private final boolean wide;
    private final Pair pair;
    private final long aGains;
    private final long bGains;
    /** The address of a state that marks a tile as finished. */
    private final long finished;

    private final Kernel finish;
    private final Kernel alongRows;
    private final Kernel alongColumns;
    private final Scratch scratch = new Scratch();
    /**
     * For each stream, the number of tasks that blocks have taken in the current large tile, and the states of its
     * tiles; null before the first large tile.
     */
    private DeviceMemoryBuffer progress;

    private LargeGap(int[] a, int[] b, GapScores scores, boolean wide, long memory) {
        super(memory);
        this.wide = wide;
        try {
            CudaModule module = CudaModule.load("align/gap/large");
            finish = module.kernel("finish_" + value(wide));
            alongRows = module.kernel("along_rows_" + value(wide));
            alongColumns = module.kernel("along_columns_" + value(wide));
            int[] letters = IntStream.concat(Arrays.stream(a), Arrays.stream(b)).toArray();
            pair = new Pair(
                    a.length,
                    b.length,
                    DeviceArrays.writeInts(scratch, letters).getAddress(),
                    scores.match(),
                    scores.mismatch());
            aGains = gains(scores.aCosts(), a.length);
            bGains = gains(scores.bCosts(), b.length);
            finished = scratch.filled(Integer.BYTES, Byte.MAX_VALUE).getAddress();
            // wait, because the data was written on a stream other than those of the tile tasks
            Cuda.DEFAULT_STREAM.sync();
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /**
     * Creates an instance that uses the GPU of a Spark task.
     *
     * @param wide whether cells are 64-bit values
     * @param memory the number of bytes available for tiles
     */
    static LargeGap open(int[] a, int[] b, GapScores scores, boolean wide, long memory) {
        TaskGpu.use();
        return new LargeGap(a, b, scores, wide, memory);
    }

    /** Whether this thread's GPU has enough shared memory. */
    static boolean fits() {
        return sharedMemory(true) <= Device.current().sharedMemoryPerBlock();
    }

    private static String value(boolean wide) {
        return wide ? "int64" : "int32";
    }

    private static int sharedMemory(boolean wide) {
        return LARGE.constant(value(wide) + "_shared");
    }

    /** Returns the address of the negated gap costs, as in {@code gap_table.cuh}. */
    private long gains(long[] costs, int letters) {
        long[] gains = new long[Grid.tiles(letters + 1L, EDGE) * EDGE + LARGE.constant("GAIN_ROOM")];
        Arrays.fill(gains, wide ? -3L << 60 : -3L << 28);
        for (int k = 1; k <= letters; k++) {
            gains[k + LARGE.constant("BEFORE_GAINS")] = -costs[k - 1];
        }
        DeviceMemoryBuffer written = wide
                ? DeviceArrays.writeLongs(scratch, gains)
                : DeviceArrays.writeInts(
                        scratch,
                        Arrays.stream(gains).mapToInt(gain -> (int) gain).toArray());
        return written.getAddress();
    }

    private static long progressBytes(LargeTask task) {
        long tiles = task.pitch() / EDGE;
        return (tiles * tiles + 1) * Integer.BYTES;
    }

    @Override
    public boolean keepsLines() {
        return false;
    }

    @Override
    public void run(int stream, LargeTask task) {
        if (progress == null) {
            progress = scratch.allocate(STREAMS * progressBytes(task));
            Cuda.DEFAULT_STREAM.sync();
        }
        Tile target = task.task().target();
        int row = target.row() * task.pitch();
        int column = target.column() * task.pitch();
        int down = Grid.tiles(Math.min(task.pitch(), pair.aLetters + 1 - row), EDGE);
        int across = Grid.tiles(Math.min(task.pitch(), pair.bLetters + 1 - column), EDGE);
        switch (task.task().kernel()) {
            case A ->
                runFirst(stream, on -> {
                    long ticket = progress.getAddress() + stream * progressBytes(task);
                    on.zero(ticket, progressBytes(task));
                    finish.grid(Math.max(1, down * across / TILES_OF_BLOCK))
                            .block(THREADS)
                            .sharedMemory(sharedMemory(wide))
                            .on(on)
                            .launch(
                                    pair,
                                    aGains,
                                    bGains,
                                    task.pitch(),
                                    row,
                                    column,
                                    task.cells(),
                                    task.rows(),
                                    task.columns(),
                                    task.corner(),
                                    down,
                                    across,
                                    ticket,
                                    ticket + Integer.BYTES,
                                    WINDOW);
                });
            case B -> {
                int source = task.task().sources().get(0).column() * task.pitch();
                addProducts(alongRows, bGains, stream, task, row, column, task.columns(), source, down, across);
            }
            default -> {
                int source = task.task().sources().get(0).row() * task.pitch();
                addProducts(alongColumns, aGains, stream, task, row, column, task.rows(), source, down, across);
            }
        }
    }

    private void addProducts(
            Kernel products,
            long gains,
            int stream,
            LargeTask task,
            int row,
            int column,
            long from,
            int source,
            int down,
            int across) {
        products.grid(down * across)
                .block(THREADS)
                .sharedMemory(sharedMemory(wide))
                .on(stream(stream))
                .launch(gains, task.pitch(), row, column, task.cells(), from, source, across, finished);
    }

    @Override
    public void close() {
        try {
            super.close();
        } finally {
            scratch.close();
        }
    }
}
