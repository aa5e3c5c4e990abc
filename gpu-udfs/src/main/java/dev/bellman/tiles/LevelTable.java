package dev.bellman.tiles;

import dev.bellman.tiles.Levels.Block;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The table of a {@link TiledProblem} in large tiles, each one array, which a GPU computes; they are in its memory, in memory of its host, and in files.
 * For {@link Pattern#CLOSURE} and {@link Pattern#ELIMINATION}, in rounds: what the tiles of a round read of others stays on the GPU, the tiles go through
 * it, and every other round in the opposite order, so that it begins with those that are there.
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

    /** Cells per side of the largest tiles that are worth it: beyond, copies are hidden behind the tasks by far. */
    private static final int MOST_EDGE = 8_192;

    /** The least share of the GPU's memory for tiles that come and go, as the lines of a round take the rest. */
    private static final double MOVING = 0.3;

    /** Rounds, below which too many tiles would be worked on one after another. */
    private static final int FEWEST_ROUNDS = 4;

    private final TiledProblem<T> problem;
    private final TileArrays<T> arrays;
    private final TileGpu gpu;
    private final Levels levels;
    private final Map<Tile, Block> tiles = new HashMap<>();
    /** Of the round, by the tile of the task that keeps them, or the tile itself. */
    private final Map<Tile, Block> rows = new HashMap<>();

    private final Map<Tile, Block> columns = new HashMap<>();
    private boolean backwards;

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
        long most = side * side + 2 * side;
        int places = (int) Math.min(most, Math.max(Levels.FEWEST, gpuMemory / size));
        int buffers = (int) Math.min(most, Math.max(1, hostMemory / size));
        gpu = problem.openGpu((long) places * size);
        levels = new Levels(gpu, size, places, buffers, folder);
    }

    /**
     * Tiles per side of a large tile for this much memory of a GPU: the largest for which the lines of a round leave room for others.
     *
     * @return a power of 2
     */
    public static int parts(TiledProblem<?> problem, long gpuMemory) {
        double share = 1 - MOVING;
        int parts = problem.fewestParts();
        while (2 * parts * problem.edge() <= MOST_EDGE && 2 * parts * FEWEST_ROUNDS <= problem.side()) {
            double lines = 2.0 * problem.side() * 2 * parts * problem.bytes();
            if (lines > share * gpuMemory) {
                break;
            }
            parts *= 2;
        }
        return parts;
    }

    /**
     * Puts large tiles into the table, which has none at these places.
     *
     * @param content makes one, on several threads
     */
    public void put(List<Tile> places, Function<Tile, Grid<T>> content) {
        inGroups(places, group -> {
            levels.reserve(group.size());
            List<ByteBuffer> buffers = group.stream()
                    .map(tile -> {
                        Block block = levels.make();
                        tiles.put(tile, block);
                        return levels.hold(block);
                    })
                    .toList();
            IntStream.range(0, group.size())
                    .parallel()
                    .forEach(i -> arrays.write(content.apply(group.get(i)), buffers.get(i)));
        });
    }

    /**
     * Reads large tiles, after {@link #finish}.
     *
     * @param reader takes them, on several threads
     */
    public void get(List<Tile> places, BiConsumer<Tile, Grid<T>> reader) {
        inGroups(places, group -> {
            List<ByteBuffer> buffers =
                    group.stream().map(tile -> levels.hold(tiles.get(tile))).toList();
            IntStream.range(0, group.size())
                    .parallel()
                    .forEach(i -> reader.accept(group.get(i), arrays.read(group.get(i), buffers.get(i))));
        });
    }

    @FunctionalInterface
    private interface Groups {
        void accept(List<Tile> group);
    }

    /** As many tiles at a time as there are threads, and as memory of the host has room for; their arrays are held meanwhile. */
    private void inGroups(List<Tile> places, Groups action) {
        gpu.use();
        int most = Math.min(levels.most(), Runtime.getRuntime().availableProcessors());
        for (int first = 0; first < places.size(); first += most) {
            List<Tile> group = places.subList(first, Math.min(places.size(), first + most));
            try {
                action.accept(group);
            } finally {
                group.forEach(tile -> levels.letGo(tiles.get(tile)));
            }
        }
    }

    /** Runs tasks on large tiles that do not depend on each other, after those before; returns at once. */
    public void run(List<Task> wave) {
        gpu.use();
        List<Task> ordered = new ArrayList<>(wave);
        if (wave.get(0).kernel() == TileKernel.D) {
            if (backwards) {
                Collections.reverse(ordered);
            }
            backwards = !backwards;
        }
        ordered.forEach(this::run);
    }

    private void run(Task task) {
        Tile place = task.target();
        TileKernel kernel = task.kernel();
        if (kernel == TileKernel.A) {
            endRound();
        }
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
        levels.run(
                reads,
                List.of(target),
                keeps,
                stream -> gpu.run(
                        stream,
                        arrays.task(
                                task,
                                target.address(),
                                ofRows == null ? 0 : ofRows.address(),
                                ofColumns == null ? 0 : ofColumns.address())));
    }

    /** Lines that a task keeps; null if others read its tile itself. */
    private Block keep(Map<Tile, Block> of, Tile place, List<Block> keeps) {
        if (!gpu.keepsLines()) {
            return null;
        }
        Block lines = levels.lines();
        of.put(place, lines);
        keeps.add(lines);
        return lines;
    }

    private Block read(Map<Tile, Block> of, Tile source, List<Block> reads) {
        Block block = (gpu.keepsLines() ? of : tiles).get(source);
        reads.add(block);
        return block;
    }

    private void endRound() {
        rows.values().forEach(levels::release);
        columns.values().forEach(levels::release);
        rows.clear();
        columns.clear();
    }

    /**
     * Waits for all tasks.
     *
     * @throws RuntimeException as {@link TiledProblem#run}
     */
    public void finish() {
        gpu.use();
        if (!gpu.finish()) {
            for (int i = 0; i < arrays.side(); i++) {
                Tile diagonal = new Tile(i, i);
                get(List.of(diagonal), arrays::check);
            }
            throw new IllegalStateException("a task found no answer, and no tile tells why");
        }
    }

    /** What moved between levels so far, by the names above. */
    public Map<String, Double> moved() {
        Map<String, Double> moved = new LinkedHashMap<>();
        moved.put(TO_GPU, (double) levels.up());
        moved.put(FROM_GPU, (double) levels.down());
        moved.put(FROM_DISK, (double) levels.files().bytesRead());
        moved.put(TO_DISK, (double) levels.files().bytesWritten());
        moved.put(READING, levels.files().secondsReading());
        moved.put(WRITING, levels.files().secondsWriting());
        return moved;
    }

    @Override
    public void close() {
        gpu.use();
        gpu.close();
    }
}
