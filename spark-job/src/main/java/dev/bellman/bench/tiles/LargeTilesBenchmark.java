package dev.bellman.bench.tiles;

import dev.bellman.bench.measure.Bench;
import dev.bellman.bench.measure.Stopwatch;
import dev.bellman.bench.measure.Table;
import dev.bellman.large.levels.LevelSizes;
import dev.bellman.large.levels.LevelTable;
import dev.bellman.large.tiles.Grid;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TiledProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.apache.commons.io.FileUtils;

/**
 * Benchmarks tables that are computed in large tiles with limited GPU and host memory. Measures the time to load and
 * the time to compute a table, and the number of bytes that move between memory levels.
 */
final class LargeTilesBenchmark {
    /**
     * The times and the number of bytes moved, with lower bounds for any schedule. The bounds are the same as for a
     * matrix multiplication with as many operations as {@link Instance#operations}.
     */
    record Moved(
            String problem,
            int n,
            int edge,
            long gpuMemory,
            long hostMemory,
            double loadSeconds,
            double seconds,
            Map<String, Double> moved,
            double leastToGpu,
            double leastToDisk) {}

    /**
     * A table to be computed.
     *
     * @param <T> a tile of the problem
     */
    interface Instance<T> {
        String name();

        TiledProblem<T> tiles();

        double operations();

        /** Creates the initial content of a tile. */
        T make(Tile tile);

        /** Checks the table after it has been computed. */
        void check(int parts, LevelTable<T> table);
    }

    private final Bench bench;
    private final long gpuMemory;
    private final long hostMemory;
    private final Table table;

    LargeTilesBenchmark(Bench bench, long gpuMemory, long hostMemory) {
        this.bench = bench;
        this.gpuMemory = gpuMemory;
        this.hostMemory = hostMemory;
        table = bench.table()
                .text("problem", 16)
                .number("n", 8, 0)
                .number("edge", 6, 0)
                .number("load s", 8, 2)
                .number("s", 9, 3)
                .number("trillion operations/s", 21, 3)
                .number("GB up", 9, 1)
                .number("GB down", 9, 1)
                .number("times minimum", 13, 2)
                .number("GB read", 9, 1)
                .number("GB written", 11, 1)
                .number("times minimum", 13, 2)
                .number("GB/s read", 10, 2)
                .number("GB/s written", 13, 2)
                .number("disk only GB/s read", 19, 2)
                .number("disk only GB/s written", 22, 2);
    }

    <T> void measure(Instance<T> instance) {
        TiledProblem<T> problem = instance.tiles();
        int parts = LevelSizes.parts(problem, gpuMemory);
        int side = Grid.tiles(problem.side(), parts);
        List<Tile> all = IntStream.range(0, side * side)
                .mapToObj(i -> new Tile(i / side, i % side))
                .filter(large -> IntStream.range(0, parts * parts)
                        .anyMatch(part -> problem.has(large.part(parts, part / parts, part % parts))))
                .toList();
        Path folder = folder();
        try (LevelTable<T> levels = new LevelTable<>(problem, parts, gpuMemory, hostMemory, folder)) {
            double load = Stopwatch.seconds(() -> levels.put(
                    all,
                    tile -> new Grid<>(parts, part -> {
                        Tile place = tile.part(parts, part.row(), part.column());
                        return problem.has(place) ? instance.make(place) : null;
                    })));
            double seconds = Stopwatch.seconds(() -> {
                Schedule.blocked(side).run(problem.pattern(), side, levels::run);
                levels.finish();
            });
            row(instance, parts * problem.edge(), load, seconds, levels.moved());
            instance.check(parts, levels);
        } finally {
            FileUtils.deleteQuietly(folder.toFile());
        }
    }

    private Path folder() {
        try {
            return Files.createTempDirectory(
                    Files.createDirectories(Path.of(bench.folder("tiles")).toAbsolutePath()), "levels");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void row(Instance<?> instance, int edge, double load, double seconds, Map<String, Double> moved) {
        TiledProblem<?> problem = instance.tiles();
        double cell = problem.bytesOnGpu() / Math.pow(problem.edge(), 2);
        double toGpu = least(instance, gpuMemory, cell);
        double toDisk = least(instance, gpuMemory + hostMemory, cell);
        int n = problem.side() * problem.edge();
        double up = moved.get(LevelTable.TO_GPU);
        double down = moved.get(LevelTable.FROM_GPU);
        double read = moved.get(LevelTable.FROM_DISK);
        double written = moved.get(LevelTable.TO_DISK);
        bench.add(new Moved(instance.name(), n, edge, gpuMemory, hostMemory, load, seconds, moved, toGpu, toDisk));
        table.row(
                instance.name(),
                n,
                edge,
                load,
                seconds,
                instance.operations() / seconds / 1e12,
                up / 1e9,
                down / 1e9,
                (up + down) / toGpu,
                read / 1e9,
                written / 1e9,
                (read + written) / toDisk,
                speed(read, moved.get(LevelTable.READING)),
                speed(written, moved.get(LevelTable.WRITING)),
                disk(moved, LevelTable.READ_SPEED),
                disk(moved, LevelTable.WRITE_SPEED));
    }

    private static double least(Instance<?> instance, long memory, double cell) {
        return 2 * instance.operations() / Math.sqrt(memory / cell) * cell;
    }

    private static OptionalDouble disk(Map<String, Double> moved, String speed) {
        return moved.containsKey(speed) ? OptionalDouble.of(moved.get(speed) / 1e9) : OptionalDouble.empty();
    }

    private static OptionalDouble speed(double bytes, double seconds) {
        return seconds == 0 ? OptionalDouble.empty() : OptionalDouble.of(bytes / seconds / 1e9);
    }
}
