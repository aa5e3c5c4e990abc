package dev.bellman.grid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.graph.Graph;
import dev.bellman.graph.PathTable;
import dev.bellman.graph.ShortestPaths;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Executors and drivers that are killed while they compute a table. {@code -Dbellman.test.kills=30 -Dbellman.test.vertices=4000} does so at larger
 * scale.
 */
class LostExecutorsTest {
    private static final int KILLS = Integer.getInteger("bellman.test.kills", 2);
    private static final int VERTICES = Integer.getInteger("bellman.test.vertices", 1_500);

    @TempDir
    Path folder;

    private Process start() throws IOException {
        Path home = folder.resolve("spark");
        Files.createDirectories(home.resolve("jars"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add-opens")
                        || argument.startsWith("-XX")
                        || argument.startsWith("-Dlog4j2"))
                .forEach(command::add);
        command.addAll(List.of("-Xmx512m", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(ClusterPaths.class.getName(), folder.toString(), Integer.toString(VERTICES)));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(folder.toFile(), "log")));
        builder.environment().put("SPARK_HOME", home.toString());
        builder.environment().put("SPARK_SCALA_VERSION", "2.13");
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        return builder.start();
    }

    private static long expected() {
        Graph graph = Graphs.random(VERTICES, true, 1_000_000);
        PathTable paths = ShortestPaths.solve(graph, ShortestPaths.Strategy.BLOCKED, false);
        CRC32C sum = new CRC32C();
        for (int from = 0; from < VERTICES; from++) {
            for (int to = 0; to < VERTICES; to++) {
                sum.update(Long.toString(paths.reaches(from, to) ? paths.length(from, to) : -1)
                        .getBytes());
            }
        }
        return sum.getValue();
    }

    private boolean hasBegun() {
        return Files.exists(folder.resolve("tiles/manifest"));
    }

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void sameTable() throws Exception {
        Random random = new Random(1);
        int executors = 0;
        int drivers = 0;
        Process driver = start();
        try {
            while (driver.isAlive() && (executors < KILLS || drivers < KILLS)) {
                driver.waitFor(200 + random.nextInt(1_500), TimeUnit.MILLISECONDS);
                List<ProcessHandle> running = driver.children().toList();
                if (!hasBegun() || running.isEmpty()) {
                    continue;
                }
                if (drivers < executors && drivers < KILLS) {
                    driver.descendants().forEach(ProcessHandle::destroyForcibly);
                    driver.destroyForcibly().waitFor();
                    drivers++;
                    driver = start();
                } else if (executors < KILLS) {
                    running.get(random.nextInt(running.size())).destroyForcibly();
                    executors++;
                }
            }
            driver.waitFor();
            String log = Files.readString(folder.resolve("log"));
            assertThat(folder.resolve("sum")).as(log).hasContent(Long.toString(expected()));
            System.out.printf(
                    "killed %d executors and %d drivers; %s%n",
                    executors, drivers, Files.readString(folder.resolve("report")));
            assertThat(executors + drivers).as("kills before the end").isPositive();
        } finally {
            driver.descendants().forEach(ProcessHandle::destroyForcibly);
            driver.destroyForcibly();
        }
    }
}
