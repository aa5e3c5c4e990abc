package dev.bellman.bench.tiles;

import dev.bellman.graph.ErrorContext;
import dev.bellman.graph.Graph;
import dev.bellman.graph.PathTable;
import dev.bellman.graph.PathTiles;
import dev.bellman.graph.dense.IntDistances;
import dev.bellman.large.grid.TileFolder;
import dev.bellman.large.grid.TileRun;
import dev.bellman.large.grid.TileSettings;
import dev.bellman.large.grid.TileSizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.io.FileUtils;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * The driver that {@link Scaling} starts for one number of executors. Its arguments are a folder for tiles, the result
 * file, the number of executors, the number of runs per table, the seed, and the number of vertices of each table.
 */
final class ScalingRun {
    /** The maximum number of vertices of the table with which the executors warm up. */
    private static final int WARM_UP = 1_024;

    /**
     * The checkpoint interval. It is longer than any run, so that a run writes only the checkpoint at its end, because
     * the time of a checkpoint depends on the disk.
     */
    private static final Duration NEVER = Duration.ofDays(1);

    private final JavaSparkContext spark;
    private final Path tiles;
    private final int executors;
    private final long seed;

    private ScalingRun(JavaSparkContext spark, Path tiles, int executors, long seed) {
        this.spark = spark;
        this.tiles = tiles;
        this.executors = executors;
        this.seed = seed;
    }

    public static void main(String... arguments) throws IOException, InterruptedException {
        int executors = Integer.parseInt(arguments[2]);
        int runs = Integer.parseInt(arguments[3]);
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("bellman bench"))) {
            // Spark's list of executors also contains the driver
            while (spark.sc().statusTracker().getExecutorInfos().length <= executors) {
                Thread.sleep(50);
            }
            ScalingRun run = new ScalingRun(spark, Path.of(arguments[0]), executors, Long.parseLong(arguments[4]));
            run.measure(Math.min(WARM_UP, Integer.parseInt(arguments[5])));
            List<Scaling.Run> measured = new ArrayList<>();
            for (String n : Arrays.asList(arguments).subList(5, arguments.length)) {
                Scaling.Run best = run.measure(Integer.parseInt(n));
                for (int more = 1; more < runs; more++) {
                    Scaling.Run next = run.measure(Integer.parseInt(n));
                    best = next.seconds() < best.seconds() ? next : best;
                }
                measured.add(best);
            }
            Scaling.write(Path.of(arguments[1]), measured);
        }
    }

    private Scaling.Run measure(int n) throws IOException {
        ShortestPathsTable.Edges edges = ShortestPathsTable.Edges.random(n, seed);
        Graph graph = Graph.ofLongs(
                ErrorContext.ofFunction("bench"),
                n,
                edges.sources(),
                edges.targets(),
                Arrays.stream(edges.weights()).asLongStream().toArray());
        return measure(n, PathTiles.of(graph, false), edges);
    }

    private <T> Scaling.Run measure(int n, PathTiles<T> problem, ShortestPathsTable.Edges edges) throws IOException {
        long memory = spark.sc().executorMemory() * 1_048_576L / 2;
        Path folder = Files.createDirectories(tiles).resolve("run");
        FileUtils.deleteDirectory(folder.toFile());
        TileRun<T> run = new TileRun<>(
                spark,
                problem,
                new TileSettings(
                        folder.toUri().toString(),
                        "bench",
                        TileSizes.parts(
                                problem,
                                spark.defaultParallelism(),
                                Math.max(1, spark.defaultParallelism() / executors),
                                memory),
                        memory,
                        NEVER),
                note -> {});
        double start = System.nanoTime() / 1e9;
        TileFolder<T> table = run.run();
        double seconds = System.nanoTime() / 1e9 - start;
        Map<Integer, PathTable> rows = new HashMap<>();
        edges.check("tiles on %d executors".formatted(executors), (from, to) -> {
            PathTable row = rows.computeIfAbsent(
                    from / table.edge(), each -> problem.paths(table.tiles(each, 0, table.side())));
            return row.reaches(from, to) ? (int) row.length(from, to) : IntDistances.UNREACHED;
        });
        FileUtils.deleteDirectory(folder.toFile());
        return new Scaling.Run(
                n, executors, seconds, most(run, "operations"), most(run, "words"), most(run, "messages"));
    }

    /** Returns the maximum of a report's figure over all executors. */
    @SuppressWarnings("unchecked")
    private static double most(TileRun<?> run, String figure) {
        return ((Map<String, Map<String, Number>>) run.report().get("executors"))
                .values().stream()
                        .mapToDouble(executor -> executor.get(figure).doubleValue())
                        .max()
                        .orElseThrow();
    }
}
