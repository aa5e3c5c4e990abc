package dev.bellman.large.levels;

import dev.bellman.large.levels.TieredTileCache.Use;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileGpu;
import dev.bellman.large.tiles.TileKernel;
import dev.bellman.large.tiles.TiledProblem;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Computes the table of a {@link TiledProblem} in large tiles on a GPU. Each large tile is one array. The GPU computes
 * the whole table, or one share of it while other GPUs compute the other shares.
 *
 * <p>The tiles of a whole table are in GPU memory, in host memory and in files. With {@link Pattern#CLOSURE} and {@link
 * Pattern#ELIMINATION}, several rounds run together, in a {@link RoundOrder}. The lines that all tiles read in these
 * rounds stay on the GPU while the tiles stream through GPU memory. The next rounds proceed in the opposite direction
 * and begin with the tiles that are still on the GPU. With {@link Pattern#TRIANGLE} and {@link Pattern#PREFIXES}, tasks
 * run diagonal by diagonal, in a {@link DiagonalOrder}.
 *
 * <p>With CLOSURE and ELIMINATION, a table can be divided into {@linkplain #share shares}, each of which fits on a GPU.
 * Each GPU sends the panels of a round, which tasks on other tiles read, to the other GPUs through host memory. Tasks
 * for which other tasks wait overtake the rest. Tasks on the tiles of the next pivot's row and column come before the
 * other products of a round, as do A, B and C of the next round. Thus, the panels of a round are transferred while the
 * products of the previous round run.
 *
 * <p>Not thread-safe.
 *
 * @param <T> a tile of the problem
 */
public final class LevelTable<T> implements AutoCloseable {
    /**
     * A key of {@link #moved}. The values of this key and the next three keys are numbers of bytes; those of the two
     * keys after them are seconds during which arrays were read and written.
     */
    public static final String TO_GPU = "bytesToGpu";

    public static final String FROM_GPU = "bytesFromGpu";
    public static final String FROM_DISK = "bytesFromDisk";
    public static final String TO_DISK = "bytesToDisk";
    public static final String READING = "secondsReading";
    public static final String WRITING = "secondsWriting";
    /**
     * The key for the idle disk's read throughput in bytes per second, measured before a table that does not fit in
     * memory is filled.
     */
    public static final String READ_SPEED = "bytesPerSecondRead";

    public static final String WRITE_SPEED = "bytesPerSecondWritten";

    /**
     * The reciprocal of the fraction of the heap that is available for tiles being put or read. Each of these tiles
     * also exists in serialized form.
     */
    private static final int OF_HEAP = 4;

    private final TiledProblem<T> problem;
    private final TileArrays<T> arrays;
    private final TileGpu gpu;
    private final TieredTileCache levels;
    private final int buffers;
    private final boolean isShare;
    private final Map<Tile, Block> tiles = new HashMap<>();
    /** The tasks of a whole table that have not run yet. */
    private final TaskOrder order;
    /** The panels that tasks read: lines stored by other tasks, or tiles of other shares. */
    private final Map<Panel, Block> panels = new HashMap<>();

    private int round;
    /** The speed of the disk; null if it was not measured. */
    private LevelFiles.Speed disk;

    /**
     * Creates an empty table that is not divided into shares.
     *
     * @param problem a problem whose {@link TiledProblem#openGpu} opens a GPU
     * @param parts the number of tiles per side of a large tile
     * @param gpuMemory the number of bytes of GPU memory
     * @param hostMemory the number of bytes of host memory
     * @param folder a local folder for files, which belongs to this table
     */
    public LevelTable(TiledProblem<T> problem, int parts, long gpuMemory, long hostMemory, Path folder) {
        this(
                problem,
                parts,
                folder,
                Math.max(problem.pattern().tilesOfTask(), gpuMemory / LevelSizes.bytes(problem, parts)),
                hostMemory / LevelSizes.bytes(problem, parts));
    }

    /**
     * Creates an empty share.
     *
     * @param problem a problem whose {@link TiledProblem#openGpu} opens a GPU
     * @param parts the number of tiles per side of a large tile
     * @param mostTiles the maximum number of large tiles
     * @param hostMemory the number of bytes of host memory for arrays in transit
     */
    public static <T> LevelTable<T> share(TiledProblem<T> problem, int parts, int mostTiles, long hostMemory) {
        return new LevelTable<>(
                problem,
                parts,
                null,
                LevelSizes.slotsOfShare(problem, parts, mostTiles),
                Math.min(
                        hostMemory / LevelSizes.bytes(problem, parts),
                        Runtime.getRuntime().availableProcessors()));
    }

    /** @param folder the folder for files; null for a share */
    private LevelTable(TiledProblem<T> problem, int parts, Path folder, long places, long buffers) {
        this.problem = problem;
        isShare = folder == null;
        arrays = new TileArrays<>(problem, parts);
        int size = arrays.bytes();
        // the number of slots for the tiles of a whole table and the lines of a round
        long most = arrays.count() + 2L * arrays.side();
        int slots = (int) (isShare ? places : Math.min(most, places));
        this.buffers = (int) Math.max(1, Math.min(most, buffers));
        order = new TaskOrder(problem.pattern(), arrays.side(), slots);
        gpu = problem.openGpu((long) slots * size);
        levels = new TieredTileCache(gpu, size, slots, this.buffers, folder);
    }

    /**
     * Puts all large tiles into the empty table.
     *
     * @param content creates a tile; called on several threads
     */
    public void put(List<Tile> all, Function<Tile, Grid<T>> content) {
        gpu.use();
        Set<Tile> streaming = isShare ? Set.of() : order.streaming(all, buffers, gpu.keepsLines());
        if (!streaming.isEmpty()) {
            disk = levels.host().probe(streaming.size());
        }
        onHost(
                all,
                tile -> make(tiles, tile, streaming.contains(tile)),
                (tile, to) -> arrays.write(content.apply(tile), to));
    }

    private <K> Block make(Map<K, Block> in, K key, boolean streams) {
        Block made = levels.make(streams);
        in.put(key, made);
        return made;
    }

    /**
     * Reads large tiles, after {@link #finish}.
     *
     * @param reader receives the tiles; called on several threads
     */
    public void get(List<Tile> places, BiConsumer<Tile, Grid<T>> reader) {
        onHost(places, tiles::get, (tile, from) -> reader.accept(tile, arrays.read(tile, from)));
    }

    /**
     * Fetches the panels of other shares' tiles that the next tasks read. Must be called before {@link #run}.
     *
     * @param reader fills a buffer with the bytes that {@link #publish} passed to its writer for the panel; called on
     *     several threads
     */
    public void fetch(List<Task> wave, BiConsumer<Panel, ByteBuffer> reader) {
        releasePanels(wave);
        List<Panel> missing = wave.stream()
                .flatMap(task -> Panel.reads(problem.pattern(), task).stream())
                .distinct()
                .filter(panel -> block(panel) == null)
                .toList();
        onHost(missing, panel -> make(panels, panel, false), reader);
    }

    /**
     * Publishes the panels that tasks on other tiles read, as soon as they are computed. Returns after all panels have
     * been published.
     *
     * @param writer receives the panels; called on several threads
     */
    public void publish(List<Task> wave, BiConsumer<Panel, ByteBuffer> writer) {
        onHost(wave.stream().flatMap(task -> Panel.writes(task).stream()).toList(), this::block, writer);
    }

    /**
     * Calls an action for arrays in host memory, on as many threads as memory allows. In a share, the arrays are copied
     * to the GPU afterwards.
     *
     * @param blocks finds or creates the array
     */
    private <K> void onHost(List<K> keys, Function<K, Block> blocks, BiConsumer<K, ByteBuffer> action) {
        gpu.use();
        HostLevel host = levels.host();
        Runtime machine = Runtime.getRuntime();
        long inHeap = machine.maxMemory() / OF_HEAP / arrays.bytesInHeap();
        int most = (int) Math.max(1, Math.min(inHeap, Math.min(host.most(), machine.availableProcessors())));
        for (int first = 0; first < keys.size(); first += most) {
            List<K> group = keys.subList(first, Math.min(keys.size(), first + most));
            host.reserve(group.size());
            List<Block> held = new ArrayList<>();
            for (K key : group) {
                Block block = blocks.apply(key);
                held.add(block);
                levels.pin(block);
            }
            try {
                await(IntStream.range(0, group.size())
                        .mapToObj(i -> CompletableFuture.runAsync(
                                () -> action.accept(group.get(i), held.get(i).content())))
                        .toArray(CompletableFuture[]::new));
                if (isShare) {
                    held.forEach(levels::bring);
                }
            } finally {
                held.forEach(host::unpin);
            }
        }
    }

    /** Waits for all actions, even if one fails, because they use the arrays. */
    private static void await(CompletableFuture<?>... actions) {
        try {
            CompletableFuture.allOf(actions).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException own ? own : e;
        }
    }

    /**
     * Adds independent tasks on large tiles, to run after all earlier tasks. Tasks of a share are sent to the GPU
     * immediately. Tasks of a whole table run in {@link #finish}, which must not be called in the middle of a round.
     */
    public void run(List<Task> wave) {
        if (isShare) {
            gpu.use();
            releasePanels(wave);
            levels.run(Stream.concat(
                            wave.stream().filter(LevelTable::isUrgent),
                            wave.stream().filter(task -> !isUrgent(task)))
                    .map(task -> use(task, isUrgent(task)))
                    .toList());
            return;
        }
        order.add(wave);
    }

    /**
     * Whether other tasks wait for a task: tasks of its round wait for A, B and C, and tasks of the next round wait for
     * D in the next pivot's row or column.
     */
    private static boolean isUrgent(Task task) {
        int next = round(task) + 1;
        return task.kernel() != TileKernel.D
                || task.target().row() == next
                || task.target().column() == next;
    }

    private static int round(Task task) {
        return switch (task.kernel()) {
            case A, B -> task.target().row();
            case C -> task.target().column();
            case D -> task.sources().get(0).column();
        };
    }

    /** Releases the panels of completed rounds. */
    private void releasePanels(List<Task> wave) {
        int next = round(wave.get(0));
        if (next > round) {
            round = next;
            panels.entrySet().removeIf(panel -> {
                boolean over = panel.getKey().round() <= round - LevelSizes.ROUNDS;
                if (over) {
                    levels.release(panel.getValue());
                }
                return over;
            });
        }
    }

    private Use use(Task task, boolean urgent) {
        Block target = tiles.get(task.target());
        List<Block> reads = new ArrayList<>();
        List<Block> keeps = new ArrayList<>();
        Map<Panel.Lines, Block> lines = new EnumMap<>(Panel.Lines.class);
        for (Panel panel : Panel.reads(problem.pattern(), task)) {
            Block block = block(panel);
            reads.add(block);
            lines.put(panel.lines(), block);
        }
        if (gpu.keepsLines()) {
            for (Panel panel : Panel.writes(task)) {
                Block block = TieredTileCache.empty(!isShare);
                panels.put(panel, block);
                keeps.add(block);
                lines.put(panel.lines(), block);
            }
        }
        return new Use(
                reads,
                List.of(target),
                keeps,
                urgent,
                stream -> gpu.run(
                        stream,
                        arrays.task(
                                task,
                                target.address(),
                                address(lines.get(Panel.Lines.ROWS)),
                                address(lines.get(Panel.Lines.COLUMNS)),
                                address(lines.get(Panel.Lines.CORNER)))));
    }

    private static long address(Block block) {
        return block == null ? 0 : block.address();
    }

    /** Returns the array of a panel, or null if this share does not have the array. */
    private Block block(Panel panel) {
        Block tile = gpu.keepsLines() ? null : tiles.get(panel.tile());
        return tile == null ? panels.get(panel) : tile;
    }

    /**
     * Runs all tasks that have been added, and waits for them.
     *
     * @return false if a task of a share found that the problem has no solution; {@link #check} then gives the reason,
     *     in this or a different share
     * @throws RuntimeException if a task of a whole table found that the problem has no solution, as in
     *     {@link TiledProblem#run}
     */
    public boolean finish() {
        gpu.use();
        if (!order.isEmpty()) {
            tiles.forEach((tile, block) -> block.usedLater(order.isUsedLater(tile)));
            levels.run(order.take().stream().map(task -> use(task, false)).toList());
            panels.clear();
        }
        boolean answer = levels.finish();
        if (!answer && !isShare) {
            IntStream.range(0, arrays.side()).forEach(i -> check(new Tile(i, i)));
            throw new IllegalStateException(
                    "a task found no solution, but no tile on the table's diagonal shows the reason");
        }
        return answer;
    }

    /**
     * Throws an exception with the reason why the problem has no solution. Must be called for the tiles on the diagonal
     * in ascending order, in all shares.
     *
     * @throws RuntimeException if this tile contains the reason, as in {@link TiledProblem#run}
     */
    public void check(Tile diagonal) {
        get(List.of(diagonal), arrays::check);
    }

    /** Returns the number of bytes moved between levels so far, and other figures, indexed by the keys above. */
    public Map<String, Double> moved() {
        Map<String, Double> moved = new LinkedHashMap<>();
        moved.put(TO_GPU, (double) levels.up());
        moved.put(FROM_GPU, (double) levels.down());
        moved.put(FROM_DISK, (double) levels.host().files().read().bytes());
        moved.put(TO_DISK, (double) levels.host().files().written().bytes());
        moved.put(READING, levels.host().files().read().seconds());
        moved.put(WRITING, levels.host().files().written().seconds());
        if (disk != null) {
            moved.put(READ_SPEED, disk.reading());
            moved.put(WRITE_SPEED, disk.writing());
        }
        return moved;
    }

    @Override
    public void close() {
        gpu.use();
        try {
            levels.close();
        } finally {
            gpu.close();
        }
    }
}
