package dev.bellman.chain;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.TaskGpu;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.Kernel;
import dev.bellman.cuda.ModuleInterface;
import dev.bellman.cuda.Stream;
import dev.bellman.large.tiles.CudaTiles;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.LargeTask;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileKernel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Computes {@link ParenthesizationTiles} in large tiles on a GPU, with the same resulting costs. See
 * {@code chain/large.cu}.
 */
final class LargeParenthesization extends CudaTiles {
    private static final ModuleInterface LARGE = ModuleInterface.of("chain/large");
    private static final int EDGE = LARGE.constant("TILE");
    private static final int CLOSING_THREADS = LARGE.constant("CLOSING_THREADS");

    /**
     * The maximum number of tiles per side of a square. A task of A or B that computes products multiplies two squares
     * of tiles.
     */
    private static final int SQUARE = 8;

    /** The number of ints per task of A and B. */
    private static final int TASK_INTS = 4;

    /** The amount of static shared memory in the kernels, rounded up, in bytes. */
    private static final int STATIC_SHARED_MEMORY = 18 << 10;

    /** The part of A or B that one launch computes: either products of squares, or the tiles to close. */
    private record Wave(boolean products, int square, int first, int tasks) {}

    /** All tasks of A or B, in GPU memory. */
    private record Program(List<Wave> waves, DeviceMemoryBuffer tasks) {}

    private final TableKind kind;
    private final int vertices;
    private final Kernel product;
    private final Kernel products;
    private final Kernel closing;
    private final Scratch scratch = new Scratch();

    private long factors;
    private long previous;
    private long next;
    /** The number of tiles per side of a large tile; 0 before the first task. */
    private int parts;

    private Program a;
    private Program b;

    private LargeParenthesization(TableKind kind, int leaves, long memory, long... weights) {
        super(memory);
        this.kind = kind;
        vertices = leaves + 1;
        try {
            CudaModule module = CudaModule.load("chain/large");
            product = module.kernel(kind.kernel("product"));
            products = module.kernel(kind.kernel("products"));
            closing = module.kernel(kind.kernel("close"));
            if (kind.isChain()) {
                load(weights);
            }
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /**
     * Creates an instance that uses the GPU of a Spark task.
     *
     * @param memory the number of bytes available for tiles
     * @param weights the weights of a chain's vertices
     */
    static LargeParenthesization open(TableKind kind, int leaves, long memory, long... weights) {
        TaskGpu.use();
        return new LargeParenthesization(kind, leaves, memory, weights);
    }

    /** Whether this thread's GPU has enough shared memory for all kinds of tables. */
    static boolean fits() {
        return List.of(TableKind.RANGES_SATURATING, TableKind.CHAIN_SATURATING).stream()
                .allMatch(kind -> LARGE.constant(kind.kernel("closing_shared")) + STATIC_SHARED_MEMORY
                        <= Device.current().sharedMemoryPerBlock());
    }

    private int constant(String name) {
        return LARGE.constant(kind.kernel(name));
    }

    /**
     * Loads the factors, padded with zeros to the end of the table. Also loads, for each slice of factors, the nearest
     * earlier slice and the nearest later slice whose smallest factor is at most the smallest factor of this slice.
     */
    private void load(long... weights) {
        int slice = constant("slice");
        long[] all = Arrays.copyOf(weights, Grid.tiles(vertices, EDGE) * EDGE);
        int slices = all.length / slice;
        long[] least = new long[slices];
        for (int i = 0; i < slices; i++) {
            least[i] = Arrays.stream(all, i * slice, (i + 1) * slice).min().orElseThrow();
        }
        int[] before = new int[slices];
        int[] after = new int[slices];
        for (int i = 0; i < slices; i++) {
            int at = i - 1;
            while (at >= 0 && least[at] > least[i]) {
                at = before[at];
            }
            before[i] = at;
        }
        for (int i = slices - 1; i >= 0; i--) {
            int at = i + 1;
            while (at < slices && least[at] > least[i]) {
                at = after[at];
            }
            after[i] = at;
        }
        factors = switch (kind) {
            case CHAIN_INT32 ->
                address(DeviceArrays.writeInts(
                        scratch,
                        Arrays.stream(all).mapToInt(factor -> (int) factor).toArray()));
            case CHAIN_FLOAT64 ->
                address(DeviceArrays.writeLongs(
                        scratch,
                        Arrays.stream(all)
                                .map(factor -> Double.doubleToRawLongBits(factor))
                                .toArray()));
            default -> address(DeviceArrays.writeLongs(scratch, all));
        };
        previous = address(DeviceArrays.writeInts(scratch, before));
        next = address(DeviceArrays.writeInts(scratch, after));
        // wait, because the data was copied on a stream other than those of the tile tasks
        Cuda.DEFAULT_STREAM.sync();
    }

    private static long address(DeviceMemoryBuffer buffer) {
        return buffer.getAddress();
    }

    /**
     * Prepares all tasks that compute A or B on large tiles. Tiles are numbered along the rows first and then along the
     * columns.
     */
    private Program program(Task task) {
        List<Wave> waves = new ArrayList<>();
        IntStream.Builder tasks = IntStream.builder();
        int[] count = {0};
        int square = Math.min(SQUARE, parts);
        Schedule.rWayOfProducts(Pattern.TRIANGLE, task, parts / square, square, (wave, of) -> {
            boolean areProducts = wave.get(0).kernel() == TileKernel.D;
            waves.add(new Wave(areProducts, of, count[0], wave.size()));
            for (Task each : wave) {
                tasks.add(each.target().row())
                        .add(each.target().column())
                        .add(areProducts ? each.sources().get(0).column() : 0)
                        .add(0);
                count[0]++;
            }
        });
        return new Program(waves, DeviceArrays.writeInts(scratch, tasks.build().toArray()));
    }

    private void begin(int tilesOfLarge) {
        parts = tilesOfLarge;
        Tile rows = new Tile(0, 0);
        Tile columns = new Tile(1, 1);
        a = program(new Task(TileKernel.A, rows));
        b = program(new Task(TileKernel.B, new Tile(0, 1), rows, columns));
        // wait, because the data was copied on a stream other than those of the tile tasks
        Cuda.DEFAULT_STREAM.sync();
    }

    @Override
    public boolean keepsLines() {
        return false;
    }

    @Override
    public void run(int stream, LargeTask task) {
        if (parts == 0) {
            begin(task.pitch() / EDGE);
        }
        int row = task.task().target().row() * task.pitch();
        int column = task.task().target().column() * task.pitch();
        int down = task.down() / EDGE;
        int across = task.across() / EDGE;
        switch (task.task().kernel()) {
            case A -> runFirst(stream, on -> run(on, a, task, task.cells(), task.cells(), down, row, column));
            case B ->
                runFirst(stream, on -> run(on, b, task, task.columns(), task.rows(), parts + across, row, column));
            default ->
                product.grid(down * across)
                        .block(constant("threads"))
                        .sharedMemory(constant("shared"))
                        .on(stream(stream))
                        .launch(
                                task.cells(),
                                task.columns(),
                                task.rows(),
                                (long) task.pitch(),
                                down,
                                across,
                                task.depth(),
                                row,
                                task.task().sources().get(0).column() * task.pitch(),
                                column,
                                factors,
                                previous,
                                next);
        }
    }

    /**
     * Runs A or B.
     *
     * @param ofRows the address of the large diagonal tile in the target's rows
     * @param ofColumns the address of the large diagonal tile in the target's columns
     * @param tiles the number of tiles along the target's rows plus, for B, the number along its columns
     */
    private void run(
            Stream stream,
            Program program,
            LargeTask task,
            long ofRows,
            long ofColumns,
            int tiles,
            int row,
            int column) {
        for (Wave wave : program.waves) {
            long tasks = program.tasks.getAddress() + (long) wave.first * TASK_INTS * Integer.BYTES;
            if (wave.products) {
                products.grid(wave.tasks * wave.square * wave.square)
                        .block(constant("threads"))
                        .sharedMemory(constant("shared"))
                        .on(stream)
                        .launch(
                                task.cells(),
                                ofRows,
                                ofColumns,
                                (long) task.pitch(),
                                parts,
                                tiles,
                                row,
                                column,
                                tasks,
                                wave.square,
                                factors,
                                previous,
                                next);
            } else {
                // the weights are stored after the cells
                long given = kind.isChain() ? 0 : task.cells() + (long) task.pitch() * task.pitch() * kind.bytes();
                closing.grid(wave.tasks)
                        .block(CLOSING_THREADS)
                        .sharedMemory(constant("closing_shared"))
                        .on(stream)
                        .launch(
                                task.cells(),
                                given,
                                ofRows,
                                ofColumns,
                                (long) task.pitch(),
                                parts,
                                tiles,
                                row,
                                column,
                                vertices,
                                tasks,
                                factors);
            }
        }
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
