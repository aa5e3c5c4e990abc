package dev.bellman.align.gap;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.Strategies;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.TaskWaves;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileKernel;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Computes alignments with arbitrary gap costs on the GPU. Each alignment is solved by one block, or by one warp with
 * the algorithms for affine and concave costs. If only a few large alignments have other costs, they are solved one
 * after another, each by the whole GPU. The recursion on tiles needs one launch per wave for several alignments. See
 * {@code align/gap/gap_table.cuh}.
 */
final class GapAlignmentKernel implements ColumnarKernel {
    record Strings(long offsets, long bytes) {
        static Strings of(DeviceColumn column) {
            return new Strings(column.offsets(), column.values());
        }
    }

    record Lists(long offsets, long validity, long values) {
        static Lists of(DeviceColumn column) {
            return new Lists(
                    column.offsets(),
                    column.elements().validity(),
                    column.elements().values());
        }
    }

    record Given(Strings a, Strings b, long match, long mismatch, Lists aCosts, Lists bCosts) {}

    record Letters(long offsets, long aLetters, long symbols) {}

    record Progress(long ticket, long states, int window) {}

    record Found(long scores, long runs, long runCounts, long textLengths) {}

    /** The kernel names, indexed by the kind of costs. */
    private static final String[] KERNELS = {"gap_blocks_", "gap_affine_", "gap_concave_"};

    private static final GapAlignment.Strategy[] STRATEGIES = {
        GapAlignment.Strategy.BLOCKED, GapAlignment.Strategy.AFFINE, GapAlignment.Strategy.CONCAVE
    };

    private static final String[] VALUES = {"int32", "int64"};
    private static final int BLOCK = 128;
    /**
     * The number of warps that keep a multiprocessor busy. If tables with arbitrary costs would take fewer warps with
     * one warp each, several warps solve each table.
     */
    private static final int WARPS = 16;

    /** The minimum number of cells for which the whole GPU solves a table if there are at most {@link #FEW} tables. */
    private static final int CELLS_OF_A_GRID = 1 << 21;

    private static final int FEW = 16;

    /**
     * The number of antidiagonals of tiles whose products are added at a time. A larger number saves memory traffic; a
     * smaller number shortens the critical path to the last tile.
     */
    private static final int WINDOW = 2;

    private static final int WINDOW_OF_MANY_TILES = 8;
    /** The minimum total number of rows and columns of tiles for which {@link #WINDOW_OF_MANY_TILES} is used. */
    private static final int MANY_TILES = 200;
    /** The maximum number of tasks in a table that the whole GPU solves, because task numbers are ints. */
    private static final long MAX_TASKS = 1L << 30;

    /** The number of tiles per side of the squares that a task of the recursion multiplies. */
    private static final int PARTS = 8;

    /** The number of ints per task of the recursion. */
    private static final int TASK_INTS = 4;

    /** The maximum number of blocks that initialize a table. */
    private static final int BLOCKS = 4096;

    private final SolverCall call;
    private final CudaModule module = CudaModule.load("align/gap/gap_alignment");
    private final int sizes = module.constant("SIZES");
    private final int widths = module.constant("WIDTHS");
    private final GpuMemory memory = GpuMemory.ofSession();
    /** The number of letters of the string {@code a} in each row. */
    private DeviceMemoryBuffer aLetters;

    private Offsets offsets;

    GapAlignmentKernel(SolverCall call) {
        this.call = call;
    }

    @Override
    public Result evaluate(Batch batch) {
        int rows = batch.rows();
        Given given = new Given(
                Strings.of(batch.strings(0)),
                Strings.of(batch.strings(1)),
                batch.column(2, Types.LONG).values(),
                batch.column(3, Types.LONG).values(),
                Lists.of(batch.lists(4, DType.INT64)),
                Lists.of(batch.lists(batch.arguments() - 1, DType.INT64)));
        aLetters = batch.allocateInts(rows);
        DeviceMemoryBuffer bothLetters = batch.allocateInts(rows + 1L);
        Instances instances = classify(batch, given, bothLetters);
        offsets = batch.offsets(bothLetters);
        Letters letters = new Letters(
                offsets.buffer().getAddress(),
                aLetters.getAddress(),
                batch.allocateInts(offsets.total()).getAddress());
        module.kernel("gap_decode").threads(2L * rows, BLOCK).launch(rows, given, letters, instances.classified());
        DeviceMemoryBuffer scores = batch.allocateLongs(rows);
        DeviceMemoryBuffer textLengths = batch.allocateInts(rows + 1L);
        Found found = new Found(
                scores.getAddress(),
                batch.allocateInts(offsets.total()).getAddress(),
                batch.allocateInts(rows).getAddress(),
                textLengths.getAddress());
        for (Instances.Group group : instances.groups()) {
            solve(instances, group, given, letters, found);
            if (call.strategy() == GapAlignment.Strategy.AUTO) {
                String chosen = Strategies.name(STRATEGIES[kind(group.key())]);
                batch.whenDone(() -> call.options().cells().chose(chosen, group.count()));
            }
        }
        return Result.struct(Result.longs(scores), texts(batch, instances, letters, found, textLengths));
    }

    /** @param bothLetters receives the total number of letters in both strings of each row */
    private Instances classify(Batch batch, Given given, DeviceMemoryBuffer bothLetters) {
        int rows = batch.rows();
        return new Instances(
                batch,
                call,
                module.constant("KINDS") * widths * sizes,
                key -> memory.largest(Integer.MAX_VALUE - 1, size -> bytes(key, size)),
                classified -> module.kernel("gap_classify")
                        .warps(rows, BLOCK)
                        .launch(
                                rows,
                                batch.validity(),
                                given,
                                switch ((GapAlignment.Strategy) call.strategy()) {
                                    case R_WAY, BLOCKED -> module.constant("ANY_COSTS");
                                    case AFFINE -> module.constant("AFFINE_COSTS");
                                    case CONCAVE -> module.constant("CONCAVE_COSTS");
                                    default -> -1;
                                },
                                aLetters.getAddress(),
                                bothLetters.getAddress(),
                                classified));
    }

    private Result texts(
            Batch batch, Instances instances, Letters letters, Found found, DeviceMemoryBuffer textLengths) {
        int rows = batch.rows();
        module.kernel("gap_lengths")
                .threads(rows + 1L, BLOCK)
                .launch(rows, instances.classified(), textLengths.getAddress());
        Offsets textOffsets = batch.offsets(textLengths);
        DeviceMemoryBuffer text = batch.allocate(textOffsets.total());
        module.kernel("gap_write")
                .threads(rows, BLOCK)
                .launch(
                        rows,
                        instances.classified(),
                        letters,
                        found,
                        textOffsets.buffer().getAddress(),
                        text.getAddress());
        return Result.strings(textOffsets, text);
    }

    private int kind(int key) {
        return key / sizes / widths;
    }

    private int valueBytes(int key) {
        return key / sizes % widths == 0 ? Integer.BYTES : Long.BYTES;
    }

    /** Returns the number of bytes that an instance needs. */
    private long bytes(int key, int size) {
        long more = kind(key) == module.constant("CONCAVE_COSTS") ? module.constant("CONCAVE_BYTES") : 0;
        return ((2L * valueBytes(key) + more) * size + 255) / 256 * 256;
    }

    private void solve(Instances instances, Instances.Group group, Given given, Letters letters, Found found) {
        long slot = bytes(group.key(), group.largest());
        boolean any = kind(group.key()) == module.constant("ANY_COSTS");
        String value = VALUES[group.key() / sizes % widths];
        try (Scratch scratch = new Scratch()) {
            if (call.strategy() == GapAlignment.Strategy.R_WAY
                    && solveByRecursion(scratch, value, instances, group, given, letters, found)) {
                return;
            }
            if (any && group.largest() >= CELLS_OF_A_GRID && group.count() <= FEW) {
                for (int row : instances.rows(group)) {
                    solveByGrid(value, row, given, letters, found);
                }
                return;
            }
            Kernel kernel = module.kernel(KERNELS[kind(group.key())] + value);
            int together = memory.together(group.count(), slot);
            int warps = 1;
            while (any
                    && warps < module.constant("MAX_WARPS")
                    && warps * together < WARPS * kernel.device().multiprocessors()) {
                warps *= 2;
            }
            DeviceMemoryBuffer tables = scratch.allocate(slot * together);
            for (int from = group.from(); from < group.to(); from += together) {
                kernel.grid(Math.min(together, group.to() - from))
                        .block(Kernel.WARP * warps)
                        .sharedMemory(any ? sharedMemory(value, warps) : 0)
                        .launch(instances.order().getAddress(), from, given, letters, tables.getAddress(), slot, found);
            }
        }
    }

    /**
     * Solves a group with the r-way recursion on tiles, with one launch per wave for all instances that fit in memory.
     *
     * @return false if each instance consists of a single tile, which one block can fill
     */
    private boolean solveByRecursion(
            Scratch scratch,
            String value,
            Instances instances,
            Instances.Group group,
            Given given,
            Letters letters,
            Found found) {
        Extent extent = extent(instances.rows(group));
        if (extent.side() == 1) {
            return false;
        }
        int valueBytes = value.equals(VALUES[0]) ? Integer.BYTES : Long.BYTES;
        long slot = (extent.values() * valueBytes + 255) / 256 * 256;
        int together = memory.together(group.count(), slot);
        DeviceMemoryBuffer tables = scratch.allocate(slot * together);
        // the state of the tiles that a task reads, which marks all of them as finished
        DeviceMemoryBuffer finished = scratch.filled(Integer.BYTES, Byte.MAX_VALUE);
        TaskWaves waves = new TaskWaves(scratch, TASK_INTS);
        for (int from = group.from(); from < group.to(); from += together) {
            int count = Math.min(together, group.to() - from);
            Object[] batch = {instances.order().getAddress(), from, count, given, letters, tables.getAddress(), slot};
            long blocks = Math.min(BLOCKS, (extent.values() + BLOCK - 1) / BLOCK);
            module.kernel("gap_recursion_begin_" + value)
                    .grid(Math.toIntExact(count * blocks))
                    .block(BLOCK)
                    .launch(batch);
            runRecursion(waves, value, extent.side(), count, with(batch, finished.getAddress()));
            module.kernel("gap_recursion_end_" + value)
                    .grid(count)
                    .block(Kernel.WARP)
                    .launch(with(batch, found));
        }
        return true;
    }

    private void runRecursion(TaskWaves waves, String value, int side, int count, Object... arguments) {
        Kernel kernel = module.kernel("gap_recursion_" + value);
        Schedule.rWayOfProducts(Pattern.PREFIXES, side, PARTS, (wave, parts) -> {
            TaskWaves.Launch launch =
                    (tasks, descriptions) -> kernel.grid(Math.multiplyExact(tasks, count * parts * parts))
                            .block(module.constant("TILE_THREADS"))
                            .sharedMemory(tileBytes(value))
                            .launch(with(arguments, descriptions, parts));
            for (Task task : wave) {
                Tile target = task.target();
                int above =
                        task.kernel() == TileKernel.C ? task.sources().get(0).row() : -1;
                int left = task.kernel() == TileKernel.B ? task.sources().get(0).column() : -1;
                waves.add(launch, target.row(), target.column(), above, left);
            }
            waves.endWave(launch);
        });
        waves.launch();
    }

    private static Object[] with(Object[] arguments, Object... more) {
        return Stream.concat(Stream.of(arguments), Stream.of(more)).toArray();
    }

    /** The maximum number of tiles per side, and the maximum number of values, of several tiled tables. */
    private record Extent(int side, long values) {}

    private Extent extent(int... rows) {
        int edge = module.constant("TILE");
        int[] ends = DeviceArrays.readInts(
                offsets.buffer(), 0, Arrays.stream(rows).max().orElseThrow() + 2);
        int[] ofA = DeviceArrays.readInts(aLetters, 0, ends.length - 1);
        int side = 0;
        long values = 0;
        for (int row : rows) {
            int down = Grid.tiles(ofA[row] + 1L, edge);
            int across = Grid.tiles(ends[row + 1] - ends[row] - ofA[row] + 1L, edge);
            side = Math.max(side, Math.max(down, across));
            values = Math.max(values, values(down, across));
        }
        return new Extent(side, values);
    }

    /** Returns the number of values in a tiled table, including its gains. */
    private long values(long down, long across) {
        long edge = module.constant("TILE");
        return 2 * down * across * edge * edge + (down + across) * edge + 2L * module.constant("GAIN_ROOM");
    }

    private int tileBytes(String value) {
        return module.constant(value.equals(VALUES[0]) ? "TILE_BYTES_0" : "TILE_BYTES_1");
    }

    private void solveByGrid(String value, int row, Given given, Letters letters, Found found) {
        int edge = module.constant("TILE");
        int[] both = DeviceArrays.readInts(offsets.buffer(), row, 2);
        int a = DeviceArrays.readInts(aLetters, row, 1)[0];
        long down = (a + edge) / edge;
        long across = (both[1] - both[0] - a + edge) / edge;
        boolean narrow = value.equals(VALUES[0]);
        int sharedMemory = tileBytes(value);
        int block = module.constant("TILE_THREADS");
        Kernel kernel = module.kernel("gap_grid_" + value);
        try (Scratch scratch = new Scratch()) {
            DeviceMemoryBuffer room = scratch.allocate(values(down, across) * (narrow ? Integer.BYTES : Long.BYTES));
            DeviceMemoryBuffer zeros = scratch.zeroInts(down * across + 1);
            kernel.grid((int) Math.min(down * across, kernel.residentBlocks(block, sharedMemory)))
                    .block(block)
                    .sharedMemory(sharedMemory)
                    .launch(
                            row,
                            given,
                            letters,
                            room.getAddress(),
                            new Progress(zeros.getAddress(), zeros.getAddress() + Integer.BYTES, window(down, across)),
                            found);
        }
    }

    /**
     * Returns the number of antidiagonals in a window. Windows are so large that a table has at most {@link #MAX_TASKS}
     * tasks, even if every tile is a task in every window.
     */
    private static int window(long down, long across) {
        long tasksOfWindowsOfOne = (down + across) * down * across;
        int least = (int) (tasksOfWindowsOfOne / MAX_TASKS) + 1;
        return Math.max(least, down + across < MANY_TILES ? WINDOW : WINDOW_OF_MANY_TILES);
    }

    /**
     * Returns the number of bytes of shared memory for a block. Half of the warps pass their parts of a tile to the
     * other warps; afterwards, the first warp needs memory for a row.
     */
    private int sharedMemory(String value, int warps) {
        int values = module.constant("COLUMNS") * Math.max(1, warps * module.constant("ROWS"));
        return values * (value.equals(VALUES[0]) ? Integer.BYTES : Long.BYTES);
    }
}
