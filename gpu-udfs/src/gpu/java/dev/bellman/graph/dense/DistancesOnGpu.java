package dev.bellman.graph.dense;

import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.TaskWaves;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;
import dev.bellman.cuda.ModuleInterface;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileSparsity;

/**
 * Computes {@link Distances} in GPU memory, with bit-for-bit the same results. See {@code graph/dense/distances.cu}. A
 * table is computed by the whole GPU, and all work is enqueued on this thread's stream.
 */
public final class DistancesOnGpu implements AutoCloseable {
    private static final ModuleInterface DISTANCES = ModuleInterface.of("graph/dense/distances");

    /** The number of rows and columns of a tile. */
    public static final int EDGE = DISTANCES.constant("TILE");

    private static final int BLOCK = 256;

    /** The number of blocks of {@link #BLOCK} threads that initialize a table. */
    private static final int BLOCKS = 4096;

    /**
     * The maximum number of D tasks per block between task A on a pivot's tile and the first tasks that wait for that
     * tile.
     */
    private static final int AHEAD = 2;

    /** The number of ints per task of a wave: the task's round, row and column. */
    private static final int TASK_INTS = 3;

    /** The maximum number of tiles per side for which task numbers fit in 32 bits. */
    private static final int MAX_TILES = 1290;

    private final Cell cell;
    private final int bits;
    private final int vertices;
    private final int tiles;
    private final CudaModule module = CudaModule.load("graph/dense/distances");
    private final Scratch scratch = new Scratch();
    private final DeviceMemoryBuffer table;
    /** The smallest DOUBLE weight of any edge, or 0 if all weights are larger. */
    private final DeviceMemoryBuffer least;

    /**
     * Creates a table without edges.
     *
     * @param bits the number of bits per field of a key, as in {@link LongDistances}; 0 if the cells are lengths
     */
    public DistancesOnGpu(Cell cell, int bits, int vertices) {
        this.cell = cell;
        this.bits = bits;
        this.vertices = vertices;
        tiles = Grid.tiles(vertices, EDGE);
        if (vertices > maxVertices()) {
            throw new IllegalArgumentException(
                    "the graph has %d vertices, but a table supports at most %d".formatted(vertices, maxVertices()));
        }
        try {
            table = scratch.allocate(cells() * cell.bytes());
            module.kernel(cell.name("clear")).grid(BLOCKS).block(BLOCK).launch(table.getAddress(), pitch(), cells());
            least = scratch.filled(Double.BYTES, (byte) 0);
        } catch (Throwable e) {
            scratch.close();
            throw e;
        }
    }

    /** Returns the maximum number of vertices of a table, regardless of the available memory. */
    public static int maxVertices() {
        return MAX_TILES * EDGE;
    }

    /**
     * Returns the number of bytes of the table and the additional memory for {@link #solve()}, which needs more than
     * {@link #solve(TileSparsity)}.
     */
    public static long bytes(Cell cell, int vertices) {
        long side = Grid.tiles(vertices, EDGE);
        return cell.bytes() * EDGE * EDGE * (side * side + 4 * side + 4) + Integer.BYTES * counters(side);
    }

    private static long counters(long tiles) {
        return tiles * (tiles + 4) + 2;
    }

    private long cells() {
        return (long) pitch() * pitch();
    }

    /**
     * Returns the number of cells per row, which is also the number of rows, including padding after the last vertex.
     */
    public int pitch() {
        return tiles * EDGE;
    }

    /** Returns the number of tiles per side, for a {@link Schedule}. */
    public int side() {
        return tiles;
    }

    /** Returns the cells, row by row. The buffer is closed together with this object. */
    public DeviceMemoryBuffer table() {
        return table;
    }

    /**
     * Adds edges. If there are parallel edges, only the lightest one counts. A weight of -0.0 counts as 0.0. If the
     * cells are keys, the weight does not include the other fields of the key, which are {@code bits} bits for the
     * number of edges and {@code bits} bits for the second vertex.
     *
     * @param count the number of edges
     * @param sources the address of {@code int} vertices, which are not checked
     * @param targets the address of {@code int} vertices, which are not checked
     * @param weights the address of the weights: {@code double} if the cells are doubles, otherwise {@code long}, which
     *     must fit in the cells
     */
    public void add(long count, long sources, long targets, long weights) {
        lower(count, sources, targets, weights, bits);
    }

    /**
     * Does the same as {@link #add}, but takes complete cells, which are keys instead of weights if the table has keys.
     */
    public void addCells(long count, long rows, long columns, long cells) {
        lower(count, rows, columns, cells, 0);
    }

    private void lower(long count, long sources, long targets, long weights, int bitsOfKeys) {
        module.kernel(cell.name("edges"))
                .threads(count, BLOCK)
                .launch(tiles, table.getAddress(), count, sources, targets, weights, bitsOfKeys, least.getAddress());
    }

    /**
     * Replaces the lengths of edges with the lengths of shortest paths, in rounds, with a single launch.
     *
     * @return the result of {@link Distances#solve}
     */
    public int solve() {
        Kernel kernel = module.kernel(cell.name("rounds"));
        int blocks = (int) Math.min(kernel.residentBlocks(threads(), sharedMemory()), (long) tiles * tiles);
        try (Scratch working = new Scratch()) {
            DeviceMemoryBuffer copies = working.allocate((4L + 4 * tiles) * EDGE * EDGE * cell.bytes());
            DeviceMemoryBuffer counters = working.filled(counters(tiles) * Integer.BYTES, (byte) 0);
            DeviceMemoryBuffer negative = negative(working);
            kernel.grid(blocks)
                    .block(threads())
                    .sharedMemory(sharedMemory())
                    .launch(
                            tiles,
                            table.getAddress(),
                            copies.getAddress(),
                            counters.getAddress(),
                            negative.getAddress(),
                            bits,
                            AHEAD * blocks,
                            margin());
            return read(negative);
        }
    }

    /**
     * Replaces the lengths of edges with the lengths of shortest paths, wave by wave, with one launch per wave. Takes
     * three times the memory of the table.
     *
     * @return the result of {@link Distances#solve}
     */
    public int solve(Schedule schedule) {
        return solve(schedule, tiles);
    }

    /**
     * Replaces the lengths of edges with the lengths of shortest paths, in rounds that skip empty tiles, with up to
     * three launches per round.
     *
     * @return the result of {@link Distances#solve}
     */
    public int solve(TileSparsity fill) {
        return solve(Schedule.blocked(fill), 1);
    }

    /** @param rounds the number of rounds whose rows and columns are stored at the same time */
    private int solve(Schedule schedule, int rounds) {
        long kept = (long) rounds * EDGE * pitch() * cell.bytes();
        try (Scratch working = new Scratch()) {
            DeviceMemoryBuffer rows = working.allocate(kept);
            DeviceMemoryBuffer columns = working.allocate(kept);
            DeviceMemoryBuffer negative = negative(working);
            Kernel kernel = module.kernel(cell.name("wave"));
            double margin = margin();
            TaskWaves waves = new TaskWaves(working, TASK_INTS);
            TaskWaves.Launch launch = (tasks, descriptions) -> kernel.grid(tasks)
                    .block(threads())
                    .sharedMemory(sharedMemory())
                    .launch(
                            tiles,
                            table.getAddress(),
                            rows.getAddress(),
                            columns.getAddress(),
                            rounds,
                            descriptions,
                            negative.getAddress(),
                            bits,
                            margin);
            schedule.run(Pattern.CLOSURE, tiles, wave -> {
                for (Task task : wave) {
                    Tile target = task.target();
                    int round = task.sources().isEmpty()
                            ? target.row()
                            : task.sources().get(0).column();
                    waves.add(launch, round, target.row(), target.column());
                }
                waves.endWave(launch);
            });
            waves.launch();
            return read(negative);
        }
    }

    private int threads() {
        return module.constant(cell.name("threads"));
    }

    private int sharedMemory() {
        return module.constant(cell.name("shared"));
    }

    /**
     * Allocates an int for the smallest vertex found on a negative cycle; initially, it is larger than every vertex.
     */
    private static DeviceMemoryBuffer negative(Scratch working) {
        return working.filled(Integer.BYTES, Byte.MAX_VALUE);
    }

    /** Returns the margin of {@link DoubleDistances}, which is 0 for integers. */
    private double margin() {
        if (cell != Cell.DOUBLE) {
            return 0;
        }
        try (HostMemoryBuffer host = HostMemoryBuffer.allocate(Double.BYTES)) {
            host.copyFromDeviceBuffer(least);
            return DoubleDistances.margin(vertices, host.getDouble(0));
        }
    }

    private int read(DeviceMemoryBuffer negative) {
        try (HostMemoryBuffer host = HostMemoryBuffer.allocate(Integer.BYTES)) {
            host.copyFromDeviceBuffer(negative);
            int vertex = host.getInt(0);
            return vertex < pitch() ? vertex : Distances.NONE;
        }
    }

    @Override
    public void close() {
        scratch.close();
    }
}
