package dev.bellman.chain;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.Rmm;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.Kernel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The table of a parenthesization by the whole GPU: tiles, one launch for all of them. See {@code chain/tiled.cuh}. Instances may share
 * the launch; each has a table of its own.
 */
public final class TiledTable {
    /**
     * Instances of like sizes.
     *
     * @param function for messages
     * @param rows the address of the rows of the batch, by position
     * @param from the first position
     * @param count how many positions
     * @param offsets the address of the offsets of what each row has: weights of vertices, or leaves
     * @param vertices the most vertices of an instance: its weights, or its leaves and one
     * @param given what the kernels are given besides: of chains the address of the weights; of ranges those of the leaves, of the offsets of
     *     the ranges, and of the ranges, {@code w(1, 2), w(1, 3), ..., w(1, n), w(2, 3), ..., w(n - 1, n)} of each row
     */
    record Instances(String function, long rows, int from, int count, long offsets, int vertices, Object... given) {}

    /**
     * Where the answers go, addresses: of each row the cost as 64 bits, the splits in preorder and the text. 0 for what is not wanted, but
     * for the costs. A tree is not written where the cost does not fit.
     */
    public record Answers(long costs, long splitOffsets, long splits, long textOffsets, long text) {}

    /** As in {@code tiled.cuh}. */
    private static final int THREADS = 256;

    private static final int THREADS_OF_SIDE = 16;
    private static final int STAGES = 3;
    private static final int LEAST_SLICE = 16;

    /** From that many vertices on, threads with 4 x 4 entries are faster than those with 2 x 2. */
    private static final int LONG_INT32 = 4_500;

    private static final int LONG_WIDE = 10_000;

    /** How many distances of products are added at a time: more go easier on memory, fewer shorten the way to the last tile. */
    private static final int WINDOW = 2;

    private static final int WINDOW_OF_MANY_TILES = 4;
    private static final int MANY_TILES = 200;

    private static final int SHORT = 128;
    /** A block each is faster from so many vertices to a multiprocessor on. */
    private static final long VERTICES_OF_MULTIPROCESSOR = 400;

    private static final int BLOCK = 1024;
    /** Bytes of tables that suffice to keep the device busy; an instance that needs more gets it. */
    private static final long SCRATCH = 2L << 30;

    private final TableKind kind;
    private final int side;
    private final Kernel prepare;
    private final Kernel solve;
    private final Kernel report;

    private TiledTable(TableKind kind, int entries) {
        this.kind = kind;
        side = THREADS_OF_SIDE * entries;
        CudaModule module = CudaModule.load("chain/tiled");
        prepare = module.kernel(kind.kernel("tiled%d_prepare".formatted(entries)));
        solve = module.kernel(kind.kernel("tiled%d_solve".formatted(entries)));
        report = module.kernel(kind.kernel("tiled%d_report".formatted(entries)));
    }

    /** Whether instances are done sooner one after the other by the whole device than side by side by a block each. */
    static boolean pays(int count, long vertices, int bytes) {
        long multiprocessors = Device.current().multiprocessors();
        boolean few = count * vertices <= VERTICES_OF_MULTIPROCESSOR * multiprocessors;
        return vertices > SHORT && (few || SCRATCH / (vertices * vertices * bytes) < multiprocessors / 4);
    }

    /**
     * Finds the costs, and the trees that are asked for.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_LIMIT} if the table of the largest instance is larger than the GPU's memory
     */
    static void solve(TableKind kind, Instances instances, Answers answers) {
        boolean large = instances.vertices() >= (kind.bytes() == 4 ? LONG_INT32 : LONG_WIDE);
        boolean fits = sharedMemory(kind, 64) <= Device.current().sharedMemoryPerBlock();
        new TiledTable(kind, large && fits ? 4 : 2).solve(instances, answers);
    }

    private void solve(Instances instances, Answers answers) {
        int capacity = (instances.vertices() + side - 1) / side * side;
        long slot = slotBytes(capacity);
        checkMemory(instances, slot);
        int tiles = capacity / side;
        int sharedMemory = sharedMemory(kind, side);
        int window = tiles < MANY_TILES ? WINDOW : WINDOW_OF_MANY_TILES;
        int together = (int) Math.min(instances.count(), Math.max(1, SCRATCH / slot));
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
                long each = Math.min(
                        (solve.residentBlocks(THREADS, sharedMemory) + count - 1) / count, tiles * (tiles + 1L) / 2);
                solve.grid(Math.toIntExact(each * count))
                        .block(THREADS)
                        .sharedMemory(sharedMemory)
                        .launch(with(arguments, window));
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

    private static Object[] with(List<Object> arguments, Object... more) {
        List<Object> all = new ArrayList<>(arguments);
        all.addAll(Arrays.asList(more));
        return all.toArray();
    }

    /** Of the GPU, as far as RAPIDS uses it. Not what is free: RAPIDS makes room by spilling what other tasks keep there. */
    public static long memory() {
        long memory = Cuda.memGetInfo().total;
        return Rmm.getPoolSize() > 0 ? Math.min(memory, Rmm.getPoolSize()) : memory;
    }

    private void checkMemory(Instances instances, long slot) {
        long memory = memory();
        if (slot > memory) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    ("%s: the table of %d x %d costs takes %d bytes; the GPU has %d for all that RAPIDS keeps there. Use shorter rows, or "
                                    + "a function and a strategy that need no table, such as matrix_chain_cost with hu-shing")
                            .formatted(instances.function(), instances.vertices(), instances.vertices(), slot, memory));
        }
    }

    /** As {@code tiled.cu} lays it out. */
    private long slotBytes(long capacity) {
        long tiles = capacity / side;
        long bytes = capacity * capacity * kind.bytes()
                + capacity * (kind.bytes() + 3L * Integer.BYTES)
                + capacity / LEAST_SLICE * (kind.bytes() + 2L * Integer.BYTES)
                + Integer.BYTES * (1 + tiles + tiles * tiles);
        return (bytes + 255) / 256 * 256;
    }

    /** As {@code TileShape} says. */
    private static int sharedMemory(TableKind kind, int side) {
        int slice = side * kind.bytes() <= 256 ? 32 : 16;
        int stages = STAGES * slice * (2 * side + 1);
        int closing = 3 * side * (side + 16 / kind.bytes()) + 2 * side;
        return Math.max(stages, closing) * kind.bytes();
    }
}
