package dev.bellman.large.tiles;

import dev.bellman.large.tiles.TieredTileCache.Block;
import dev.bellman.large.tiles.TieredTileCache.Use;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The table of a {@link TiledProblem} in large tiles, each one array, which a GPU computes; they are in its memory, in
 * memory of its host, and in files.
 * For {@link Pattern#CLOSURE} and {@link Pattern#ELIMINATION}: some rounds at a time, in a {@link RoundOrder}. The
 * lines that all tiles read in these rounds stay on the GPU while the tiles go through it; the next rounds go in the
 * opposite direction, and begin with those that are there. For {@link Pattern#TRIANGLE} and
 * {@link Pattern#PREFIXES}, diagonal by diagonal, in a {@link DiagonalOrder}.
 *
 * <p>For one thread at a time.
 *
 * @param <T> a tile of the problem
 */
public final class LevelTable<T> implements AutoCloseable {
    /** Bytes, and seconds for files, in {@link #moved}. */
    public static final String TO_GPU = "bytesToGpu";

    public static final String FROM_GPU = "bytesFromGpu";
    public static final String FROM_DISK = "bytesFromDisk";
    public static final String TO_DISK = "bytesToDisk";
    public static final String READING = "secondsReading";
    public static final String WRITING = "secondsWriting";
    /**
     * Bytes per second that the disk reached alone, before the table was made; only if the table has no room in memory.
     */
    public static final String READ_SPEED = "bytesPerSecondRead";

    public static final String WRITE_SPEED = "bytesPerSecondWritten";

    /** Cells per side of the largest tiles that are worth it: beyond, copies are hidden behind the tasks by far. */
    private static final int MAX_EDGE = 8_192;

    /** The least share of the GPU's memory for tiles that come and go, as the lines of a round take the rest. */
    private static final double MOVING = 0.3;

    /** Columns of tiles that tasks work on at a time. */
    private static final int COLUMNS = 2;

    /** Rounds, below which too many tiles would be worked on one after another. */
    private static final int MIN_ROUNDS = 4;

    /**
     * Tiles of {@link Pattern#TRIANGLE} on the GPU, below which smaller ones are better: each of a task's three would
     * have to come up first.
     */
    private static final int MIN_IN_TRIANGLE = 24;

    /** The share of the heap for tiles that are put or read, which are there a second time as bytes of files. */
    private static final int OF_HEAP = 4;

    private final TiledProblem<T> problem;
    private final TileArrays<T> arrays;
    private final TileGpu gpu;
    private final TieredTileCache levels;
    private final int places;
    private final int buffers;
    private final Map<Tile, Block> tiles = new HashMap<>();
    /** The tasks that have not run, by round. */
    private final List<List<Task>> rounds = new ArrayList<>();
    /** Of the rounds at hand, by the tile of the task that keeps them. */
    private final Map<Tile, Block> rows = new HashMap<>();

    private final Map<Tile, Block> columns = new HashMap<>();
    private boolean backwards;
    /** Null if the disk was not measured. */
    private LevelFiles.Speed disk;

    /**
     * A table without tiles.
     *
     * @param problem one that {@link TiledProblem#runsOnGpu}
     * @param parts tiles per side of a large tile
     * @param gpuMemory bytes
     * @param hostMemory bytes
     * @param folder for files, which belongs to this table; local
     */
    public LevelTable(TiledProblem<T> problem, int parts, long gpuMemory, long hostMemory, Path folder) {
        this.problem = problem;
        arrays = new TileArrays<>(problem, parts);
        int size = arrays.bytes();
        long side = arrays.side();
        // the tiles, and the lines of a round
        long most = arrays.count() + 2 * side;
        places = (int) Math.min(most, Math.max(problem.pattern().tilesOfTask(), gpuMemory / size));
        buffers = (int) Math.min(most, Math.max(1, hostMemory / size));
        gpu = problem.openGpu((long) places * size);
        levels = new TieredTileCache(gpu, size, places, buffers, folder);
    }

    /**
     * Tiles per side of a large tile for this much memory of a GPU: the largest for which the lines of a round leave
     * room for others, or, for {@link Pattern#TRIANGLE}, for which it has room for {@value #MIN_IN_TRIANGLE}.
     *
     * @return a power of 2
     */
    public static int parts(TiledProblem<?> problem, long gpuMemory) {
        int parts = problem.fewestParts();
        while (2 * parts * problem.edge() <= MAX_EDGE
                && 2 * parts * MIN_ROUNDS <= problem.side()
                && hasRoom(problem, 2 * parts, gpuMemory)) {
            parts *= 2;
        }
        return parts;
    }

    private static boolean hasRoom(TiledProblem<?> problem, int parts, long gpuMemory) {
        if (problem.pattern() == Pattern.TRIANGLE) {
            return MIN_IN_TRIANGLE * (double) parts * parts * problem.bytesOnGpu() <= gpuMemory;
        }
        double lines = linesOfRound(problem) * problem.side() * parts * problem.bytesOnGpu();
        return lines <= (1 - MOVING) * gpuMemory;
    }

    /**
     * The rows and columns of tiles that a round reads. With {@link Pattern#PREFIXES}, a tile is read by the tiles of
     * its row and of its column.
     */
    private static double linesOfRound(TiledProblem<?> problem) {
        return problem.pattern() == Pattern.PREFIXES ? 1 : 2;
    }

    /**
     * The bytes of a GPU with which a table can be computed at all.
     *
     * @param parts tiles per side of a large tile
     */
    public static long leastMemory(TiledProblem<?> problem, int parts) {
        return (long) problem.pattern().tilesOfTask() * parts * parts * problem.bytesOnGpu();
    }

    /**
     * Puts all large tiles into the table, which has none.
     *
     * @param content makes one, on several threads
     */
    public void put(List<Tile> all, Function<Tile, Grid<T>> content) {
        gpu.use();
        Set<Tile> streaming = streaming(all);
        if (!streaming.isEmpty()) {
            disk = levels.probe(streaming.size());
        }
        inGroups(all, group -> {
            levels.reserve(group.size());
            List<ByteBuffer> memory = group.stream()
                    .map(tile -> {
                        Block block = levels.make(streaming.contains(tile));
                        tiles.put(tile, block);
                        return levels.pin(List.of(block)).get(0);
                    })
                    .toList();
            IntStream.range(0, group.size())
                    .parallel()
                    .forEach(i -> arrays.write(content.apply(group.get(i)), memory.get(i)));
        });
    }

    /**
     * The tiles for which the GPU and its host have no room beside the others. They are spread evenly over the order of
     * the tasks, so that files are read and written all the time.
     */
    private Set<Tile> streaming(List<Tile> all) {
        int lines = problem.pattern() == Pattern.CLOSURE && gpu.keepsLines() ? lines() : 0;
        int count = Math.max(0, all.size() - TieredTileCache.staying(places - lines, buffers));
        List<Tile> byColumn = all.stream()
                .sorted(Comparator.comparing(Tile::column).thenComparing(Tile::row))
                .toList();
        return IntStream.range(0, all.size())
                .filter(i -> (i + 1L) * count / all.size() > (long) i * count / all.size())
                .mapToObj(byColumn::get)
                .collect(Collectors.toSet());
    }

    /** The lines of rounds that run together, if all have as many as the first. */
    private int lines() {
        int ofRound = arrays.side() + COLUMNS;
        return Math.max(1, mostLines() / ofRound) * ofRound;
    }

    /**
     * The most arrays that all tasks read; where all tiles have room on the GPU, nothing is won with more than the
     * arrays of a round.
     */
    private int mostLines() {
        return places < arrays.side() * (arrays.side() + 2) ? (int) ((1 - MOVING) * places) : 0;
    }

    /**
     * Reads large tiles, after {@link #finish}.
     *
     * @param reader takes them, on several threads
     */
    public void get(List<Tile> places, BiConsumer<Tile, Grid<T>> reader) {
        inGroups(places, group -> {
            List<ByteBuffer> memory = levels.pin(group.stream().map(tiles::get).toList());
            IntStream.range(0, group.size())
                    .parallel()
                    .forEach(i -> reader.accept(group.get(i), arrays.read(group.get(i), memory.get(i))));
        });
    }

    @FunctionalInterface
    private interface Groups {
        void accept(List<Tile> group);
    }

    /**
     * As many tiles at a time as there are threads, and as memory of the host and the heap have room for; their arrays
     * are held meanwhile.
     */
    private void inGroups(List<Tile> places, Groups action) {
        gpu.use();
        Runtime machine = Runtime.getRuntime();
        long inHeap = machine.maxMemory() / OF_HEAP / arrays.bytesInHeap();
        int most = (int) Math.max(1, Math.min(inHeap, Math.min(levels.most(), machine.availableProcessors())));
        for (int first = 0; first < places.size(); first += most) {
            List<Tile> group = places.subList(first, Math.min(places.size(), first + most));
            try {
                action.accept(group);
            } finally {
                group.forEach(tile -> levels.unpin(tiles.get(tile)));
            }
        }
    }

    /**
     * Adds tasks on large tiles that do not depend on each other, after those before. They run with {@link #finish},
     * which is to follow whole rounds: none is to be left in the middle.
     */
    public void run(List<Task> wave) {
        if (rounds.isEmpty() || problem.pattern().beginsRound(wave.get(0).kernel())) {
            rounds.add(new ArrayList<>());
        }
        rounds.get(rounds.size() - 1).addAll(wave);
    }

    /** The tasks so far in the order in which they run. */
    private List<Task> ordered() {
        if (goesByDiagonals()) {
            return DiagonalOrder.of(
                    problem.pattern(), rounds.stream().flatMap(List::stream).toList());
        }
        List<Task> order = new ArrayList<>();
        int first = 0;
        while (first < rounds.size()) {
            int end = first + 1;
            int lines = lines(rounds.get(first));
            while (end < rounds.size() && lines + lines(rounds.get(end)) <= mostLines()) {
                lines += lines(rounds.get(end));
                end++;
            }
            order.addAll(RoundOrder.of(rounds.subList(first, end), backwards));
            backwards = !backwards;
            first = end;
        }
        return order;
    }

    /** Arrays that the tasks of a round read of others, as far as they are there at a time. */
    private static int lines(List<Task> round) {
        int column = round.get(0).target().column();
        return COLUMNS
                + (int) round.stream()
                        .filter(task -> task.target().column() == column)
                        .count();
    }

    private boolean goesByDiagonals() {
        return problem.pattern() == Pattern.TRIANGLE || problem.pattern() == Pattern.PREFIXES;
    }

    private Use use(Task task) {
        if (problem.pattern() == Pattern.PREFIXES) {
            return useFinished(task);
        }
        Tile place = task.target();
        TileKernel kernel = task.kernel();
        Block target = tiles.get(place);
        List<Block> reads = new ArrayList<>();
        List<Block> keeps = new ArrayList<>();
        Block rowsOf = null;
        Block columnsOf = null;
        switch (kernel) {
            case A -> {
                rowsOf = keep(rows, place, keeps);
                columnsOf = keep(columns, place, keeps);
            }
            case B -> {
                rowsOf = keep(rows, place, keeps);
                columnsOf = read(columns, task.sources().get(0), reads);
                if (task.sources().size() > 1) {
                    rowsOf = read(rows, task.sources().get(1), reads);
                }
            }
            case C -> {
                rowsOf = read(rows, task.sources().get(0), reads);
                columnsOf = keep(columns, place, keeps);
            }
            case D -> {
                columnsOf = read(columns, task.sources().get(0), reads);
                rowsOf = read(rows, task.sources().get(1), reads);
            }
        }
        Block ofRows = rowsOf;
        Block ofColumns = columnsOf;
        return new Use(
                reads,
                List.of(target),
                keeps,
                stream -> gpu.run(stream, arrays.task(task, target.address(), address(ofRows), address(ofColumns))));
    }

    /** A task of {@link Pattern#PREFIXES}. */
    private Use useFinished(Task task) {
        Tile place = task.target();
        Block target = tiles.get(place);
        List<Block> reads = new ArrayList<>();
        Block above = null;
        Block left = null;
        Block corner = null;
        for (Tile source : task.sources()) {
            Block block = read(tiles, source, reads);
            if (source.column() == place.column()) {
                above = block;
            } else if (source.row() == place.row()) {
                left = block;
            } else {
                corner = block;
            }
        }
        Block ofAbove = above;
        Block ofLeft = left;
        Block ofCorner = corner;
        return new Use(
                reads,
                List.of(target),
                List.of(),
                stream -> gpu.run(
                        stream,
                        arrays.task(task, target.address(), address(ofAbove), address(ofLeft), address(ofCorner))));
    }

    private static long address(Block block) {
        return block == null ? 0 : block.address();
    }

    /** Lines that a task keeps; null if others read its tile itself. */
    private Block keep(Map<Tile, Block> of, Tile place, List<Block> keeps) {
        if (!gpu.keepsLines()) {
            return null;
        }
        Block lines = levels.temporary();
        of.put(place, lines);
        keeps.add(lines);
        return lines;
    }

    private Block read(Map<Tile, Block> of, Tile source, List<Block> reads) {
        Block block = (gpu.keepsLines() ? of : tiles).get(source);
        reads.add(block);
        return block;
    }

    /** Whether any round after those so far uses a tile. */
    private boolean isUsedLater(Tile tile) {
        if (goesByDiagonals()) {
            return true;
        }
        int next = rounds.get(rounds.size() - 1).get(0).target().row() + 1;
        int last = problem.pattern() == Pattern.CLOSURE ? arrays.side() - 1 : Math.min(tile.row(), tile.column());
        return next <= last;
    }

    /**
     * Runs the tasks so far, and waits for them.
     *
     * @throws RuntimeException as {@link TiledProblem#run}
     */
    public void finish() {
        gpu.use();
        if (!rounds.isEmpty()) {
            tiles.forEach((tile, block) -> block.usedLater(isUsedLater(tile)));
            levels.run(ordered().stream().map(this::use).toList());
            rounds.clear();
            rows.clear();
            columns.clear();
        }
        if (!levels.finish()) {
            for (int i = 0; i < arrays.side(); i++) {
                Tile diagonal = new Tile(i, i);
                get(List.of(diagonal), arrays::check);
            }
            throw new IllegalStateException("a task found no answer, and no tile tells why");
        }
    }

    /** Bytes moved between levels so far, by the names above. */
    public Map<String, Double> moved() {
        Map<String, Double> moved = new LinkedHashMap<>();
        moved.put(TO_GPU, (double) levels.up());
        moved.put(FROM_GPU, (double) levels.down());
        moved.put(FROM_DISK, (double) levels.files().read().bytes());
        moved.put(TO_DISK, (double) levels.files().written().bytes());
        moved.put(READING, levels.files().read().seconds());
        moved.put(WRITING, levels.files().written().seconds());
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
