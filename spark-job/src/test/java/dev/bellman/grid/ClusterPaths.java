package dev.bellman.grid;

import dev.bellman.graph.Graph;
import dev.bellman.graph.PathTable;
import dev.bellman.graph.PathTiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.zip.CRC32C;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** A driver with executors in processes of their own. Its arguments: a folder, and the number of vertices. It writes a checksum of all distances. */
final class ClusterPaths {
    private ClusterPaths() {}

    public static void main(String... arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        Graph graph = Graphs.random(Integer.parseInt(arguments[1]), true, 1_000_000);
        SparkConf conf = new SparkConf()
                .setAppName("paths")
                .setMaster("local-cluster[2,1,1024]")
                .set("spark.ui.enabled", "false")
                .set("spark.executor.memory", "512m")
                .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
                // a killed executor counts as a failure of its tasks
                .set("spark.task.maxFailures", "1000")
                .set("spark.deploy.maxExecutorRetries", "-1");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            Files.writeString(
                    folder.resolve("sum"), Long.toString(sum(spark, graph, PathTiles.of(graph, false), folder)));
        }
    }

    private static <T> long sum(JavaSparkContext spark, Graph graph, PathTiles<T> tiles, Path folder) throws Exception {
        TileRun<T> run = new TileRun<>(
                spark,
                tiles,
                new TileRun.Settings(
                        folder.resolve("tiles").toUri().toString(), "graph", 1, 20 << 20, Duration.ofSeconds(4)),
                System.out::println);
        TileRun.Finished<T> table = run.run();
        CRC32C sum = new CRC32C();
        for (int row = 0; row < table.side(); row++) {
            PathTable paths = tiles.paths(table.tiles(row, 0, table.side()));
            for (int from = row * table.edge(); from < Math.min(graph.nodes(), (row + 1) * table.edge()); from++) {
                for (int to = 0; to < graph.nodes(); to++) {
                    sum.update(Long.toString(paths.reaches(from, to) ? paths.length(from, to) : -1)
                            .getBytes());
                }
            }
        }
        Files.writeString(folder.resolve("report"), run.report().toString());
        return sum.getValue();
    }
}
