package dev.bellman.chain;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Scratch;
import dev.bellman.columns.TaskWaves;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import dev.bellman.cuda.ModuleInterface;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileKernel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Computes the table of a parenthesization with the whole GPU, in one launch for all tiles or by recursion. See
 * {@code chain/tiled.cuh}. Several instances may share a launch; each has its own table.
 */
public final class TiledTable {
    /**
     * A group of instances of similar sizes.
     *
     * @param memory the total memory that the instances may use
     * @param rows the address of the batch's row numbers, indexed by position
     * @param from the first position
     * @param count the number of positions
     * @param offsets the address of the offsets at which the rows' vertex weights or leaves begin
     * @param vertices the maximum number of vertices in an instance; an instance has one vertex per weight, or one more
     *     than it has leaves
     * @param given further arguments of the kernels. For chains: the address of the weights. For
     *     parenthesizations: the addresses of the leaves' costs, of the offsets at which the rows' range costs begin,
     *     and of the range costs, which are {@code w(1, 2), w(1, 3), ..., w(n - 1, n)} for each row. For search
     *     trees: the addresses of the gaps' weights, and of the sums of all keys and gaps up to each gap
     */
    public record Group(
            GpuMemory memory, long rows, int from, int count, long offsets, int vertices, Object... given) {}

    /**
     * The addresses of the results: for each row, the 64-bit cost, the splits in preorder, and the tree as a string.
     * The address of a result that is not requested is 0; costs are always requested. No tree is written for a row
     * whose cost overflows.
     */
    public record Answers(long costs, long splitOffsets, long splits, long textOffsets, long text) {}

    private static final ModuleInterface TILED = ModuleInterface.of("chain/tiled");
    private static final int THREADS = TILED.constant("TILE_THREADS");
    private static final int THREADS_OF_SIDE = TILED.constant("TILE_SIDE");
    private static final int MIN_SLICE = TILED.constant("LEAST_SLICE");

    /**
     * The minimum number of vertices for which threads with 4 x 4 entries are faster than threads with 2 x 2 entries,
     * for 32-bit costs and for wider costs.
     */
    private static final int LONG_INT32 = 4_500;

    private static final int LONG_WIDE = 10_000;

    /**
     * The number of diagonals of tiles whose products are added at a time. A larger number saves memory traffic; a
     * smaller number shortens the critical path to the last tile.
     */
    private static final int WINDOW = 2;

    private static final int WINDOW_OF_MANY_TILES = 4;
    private static final int MANY_TILES = 200;

    private static final int SHORT = 128;
    /** The number of vertices per multiprocessor above which solving each instance with one block is faster. */
    private static final long VERTICES_OF_MULTIPROCESSOR = 400;

    private static final int BLOCK = 1024;

    /** The number of tiles per side of the squares that a task of the recursion multiplies. */
    private static final int PARTS = 8;

    /** The number of ints per recursion task. */
    private static final int TASK_INTS = 4;

    private final TableKind kind;
    private final int entries;
    private final int side;
    private final boolean byRecursion;
    private final Kernel prepare;
    private final Kernel solve;
    private final Kernel report;

    private TiledTable(TableKind kind, int entries, boolean byRecursion) {
        this.kind = kind;
        this.entries = entries;
        this.byRecursion = byRecursion;
        side = THREADS_OF_SIDE * entries;
        CudaModule module = CudaModule.load("chain/tiled");
        prepare = module.kernel(kind.kernel("tiled%s_prepare".formatted(entries)));
        solve = module.kernel(kind.kernel("tiled%s_%s".formatted(entries, byRecursion ? "recursion" : "solve")));
        report = module.kernel(kind.kernel("tiled%s_report".formatted(entries)));
    }

    /**
     * Whether it is faster to solve each instance with the whole GPU than to solve the instances in parallel with one
     * block per instance.
     */
    public static boolean pays(GpuMemory memory, int count, long vertices, int bytes) {
        long multiprocessors = Device.current().multiprocessors();
        boolean few = count * vertices <= VERTICES_OF_MULTIPROCESSOR * multiprocessors;
        return vertices > SHORT && (few || memory.perLaunch() / (vertices * vertices * bytes) < multiprocessors / 4);
    }

    /** Computes the costs and, if requested, the trees. */
    public static void solve(TableKind kind, Group instances, Answers answers) {
        new TiledTable(kind, entries(kind, instances.vertices()), false).solve(instances, answers);
    }

    /**
     * Does the same as {@link #solve(TableKind, Group, Answers)}, but with the r-way recursion by Javanmard et al.,
     * "Toward efficient architecture-independent algorithms for dynamic programs" (2019), and one launch per wave.
     */
    public static void solveByRecursion(TableKind kind, Group instances, Answers answers) {
        new TiledTable(kind, entries(kind, instances.vertices()), true).solve(instances, answers);
    }

    /** Returns the number of entries per side that each thread computes. */
    private static int entries(TableKind kind, int vertices) {
        boolean large = vertices >= (kind.bytes() == 4 ? LONG_INT32 : LONG_WIDE);
        boolean fits = sharedMemory(kind, 4) <= Device.current().sharedMemoryPerBlock();
        return large && fits ? 4 : 2;
    }

    /** Returns the number of bytes of GPU memory for an instance with the given number of vertices. */
    public static long bytes(TableKind kind, int vertices) {
        int side = THREADS_OF_SIDE * entries(kind, vertices);
        return bytes(kind, side, (vertices + side - 1L) / side * side);
    }

    private void solve(Group instances, Answers answers) {
        int capacity = (instances.vertices() + side - 1) / side * side;
        long slot = bytes(kind, side, capacity);
        int tiles = capacity / side;
        int sharedMemory = sharedMemory(kind, entries);
        int window = tiles < MANY_TILES ? WINDOW : WINDOW_OF_MANY_TILES;
        int together = instances.memory().together(instances.count(), slot);
        try (Scratch scratch = new Scratch()) {
            DeviceMemoryBuffer slots = scratch.allocate(slot * together);
            for (int done = 0; done < instances.count(); done += together) {
                int count = Math.min(together, instances.count() - done);
                List<Object> arguments = new ArrayList<>(List.of(
                        instances.rows(),
                        instances.from() + done,
                        count,
                        instances.offsets(),
                        slots.getAddress(),
                        slot,
                        capacity));
                arguments.addAll(Arrays.asList(instances.given()));
                prepare.grid(count).block(BLOCK).launch(arguments.toArray());
                if (byRecursion) {
                    runRecursion(arguments, count, tiles, scratch);
                } else {
                    long each = Math.min(
                            (solve.residentBlocks(THREADS, sharedMemory) + count - 1) / count,
                            tiles * (tiles + 1L) / 2);
                    solve.grid(Math.toIntExact(each * count))
                            .block(THREADS)
                            .sharedMemory(sharedMemory)
                            .launch(with(arguments, window));
                }
                report.grid(count)
                        .block(BLOCK)
                        .launch(with(
                                arguments,
                                answers.costs(),
                                answers.splitOffsets(),
                                answers.splits(),
                                answers.textOffsets(),
                                answers.text()));
            }
        }
    }

    private void runRecursion(List<Object> arguments, int count, int tiles, Scratch scratch) {
        TaskWaves waves = new TaskWaves(scratch, TASK_INTS);
        TaskWaves.Launch products = recursion(arguments, count, PARTS);
        TaskWaves.Launch inside = recursion(arguments, count, 1);
        BitSet begun = new BitSet(tiles * tiles);
        Schedule.rWayOfProducts(Pattern.TRIANGLE, tiles, PARTS, (wave, parts) -> {
            TaskWaves.Launch launch = parts == 1 ? inside : products;
            for (Task task : wave) {
                Tile first = task.target().part(parts, 0, 0);
                add(waves, launch, task, begun.get(first.row() * tiles + first.column()));
                for (int row = first.row(); row < first.row() + parts; row++) {
                    begun.set(row * tiles + first.column(), row * tiles + Math.min(tiles, first.column() + parts));
                }
            }
            waves.endWave(launch);
        });
        waves.launch();
    }

    private TaskWaves.Launch recursion(List<Object> arguments, int count, int parts) {
        return (tasks, descriptions) -> solve.grid(Math.multiplyExact(tasks, count * parts * parts))
                .block(THREADS)
                .sharedMemory(sharedMemory(kind, entries))
                .launch(with(arguments, descriptions, parts));
    }

    private static void add(TaskWaves waves, TaskWaves.Launch launch, Task task, boolean begun) {
        int middle = task.kernel() == TileKernel.D ? task.sources().get(0).column() : -1;
        waves.add(launch, task.target().row(), task.target().column(), middle, begun ? 1 : 0);
    }

    private static Object[] with(List<Object> arguments, Object... more) {
        List<Object> all = new ArrayList<>(arguments);
        all.addAll(Arrays.asList(more));
        return all.toArray();
    }

    /** Returns the size in bytes of an instance in the layout of {@code tiled.cu}. */
    private static long bytes(TableKind kind, int side, long capacity) {
        long tiles = capacity / side;
        long bytes = capacity * capacity * kind.bytes()
                + capacity * (kind.bytes() + 3L * Integer.BYTES)
                + capacity / MIN_SLICE * (kind.bytes() + 2L * Integer.BYTES)
                + Integer.BYTES * (1 + tiles + tiles * tiles);
        return (bytes + 255) / 256 * 256;
    }

    /** Returns the number of bytes of shared memory per block. */
    private static int sharedMemory(TableKind kind, int entries) {
        return TILED.constant(kind.kernel("tiled%s_shared".formatted(entries)));
    }
}
