package dev.bellman.grid;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Executors and drivers that are killed while they compute a table. {@code -Dbellman.test.kills=30 -Dbellman.test.size=4000} does so at larger
 * scale.
 */
class LostExecutorsTest {
    private static final int KILLS = Integer.getInteger("bellman.test.kills", 2);
    private static final int SIZE = Integer.getInteger("bellman.test.size", 1_500);

    @TempDir
    Path folder;

    private Process start(String kind) throws IOException {
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
        command.addAll(List.of(ClusterTable.class.getName(), folder.toString(), kind, Integer.toString(size(kind))));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(folder.toFile(), "log")));
        builder.environment().put("SPARK_HOME", home.toString());
        builder.environment().put("SPARK_SCALA_VERSION", "2.13");
        builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
        return builder.start();
    }

    /** Tiles of the others are smaller. */
    private static int size(String kind) {
        return kind.equals(ClusterTable.PATHS) ? SIZE : SIZE / 2;
    }

    private boolean hasBegun() {
        return Files.exists(folder.resolve("tiles/manifest"));
    }

    /** Not one of the commands by which Hadoop sets permissions. */
    private static boolean isJava(ProcessHandle process) {
        return process.info().command().filter(path -> path.endsWith("java")).isPresent();
    }

    /** Distances, for which a step may be repeated; elimination, for which none may; and tables whose panels are read to the end. */
    @ParameterizedTest
    @ValueSource(strings = {ClusterTable.PATHS, ClusterTable.MATRIX, ClusterTable.KEPT})
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void sameTable(String kind) throws Exception {
        Random random = new Random(1);
        int executors = 0;
        int drivers = 0;
        Process driver = start(kind);
        try {
            while (driver.isAlive() && (executors < KILLS || drivers < KILLS)) {
                driver.waitFor(200 + random.nextInt(1_500), TimeUnit.MILLISECONDS);
                List<ProcessHandle> running =
                        driver.children().filter(LostExecutorsTest::isJava).toList();
                if (!hasBegun() || running.isEmpty()) {
                    continue;
                }
                if (drivers < executors && drivers < KILLS) {
                    driver.descendants().forEach(ProcessHandle::destroyForcibly);
                    driver.destroyForcibly().waitFor();
                    drivers++;
                    driver = start(kind);
                } else if (executors < KILLS) {
                    running.get(random.nextInt(running.size())).destroyForcibly();
                    executors++;
                }
            }
            driver.waitFor();
            String log = Files.readString(folder.resolve("log"));
            assertThat(folder.resolve("sum"))
                    .as(log)
                    .hasContent(Long.toString(ClusterTable.expected(kind, size(kind))));
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
