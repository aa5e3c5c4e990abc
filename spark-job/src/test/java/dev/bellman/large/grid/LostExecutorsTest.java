package dev.bellman.large.grid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.Thorough;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills executors and drivers of a standalone cluster, which has a Master and two Workers and runs slow tasks twice, in
 * each phase of a round. In the thorough tests, {@code -Dbellman.test.kills=30 -Dbellman.test.size=4000} sets a larger
 * scale.
 */
class LostExecutorsTest {
    /** The number of kills per table; executors and drivers are killed in turn. */
    private static final int KILLS = Integer.getInteger("bellman.test.kills", 5);

    private static final int SIZE = Integer.getInteger("bellman.test.size", 1_500);

    /**
     * The kinds of tables. Steps of distances may run twice, but steps of an elimination must run once. On two GPUs,
     * both GPUs return to the last checkpoint. A table in files is rebuilt from the last checkpoint. In tables of the
     * last kind, panels are read until the end.
     */
    private static final List<String> KINDS =
            List.of(ClusterTable.PATHS, ClusterTable.GPUS, ClusterTable.FILES, ClusterTable.MATRIX, ClusterTable.KEPT);

    /** If there are at least this many kills, each phase must have been hit. */
    private static final int MANY = 20;

    /**
     * Returns the jobs in the middle of a table, as {@link TileRun} describes them; a pivot is in the same job as the
     * previous wave.
     */
    private static List<String> middle(String kind) {
        return switch (kind) {
            case ClusterTable.KEPT -> List.of("B", "checkpoint");
            case ClusterTable.FILES -> List.of("A B C D", "checkpoint");
            default -> List.of("B C", "D A", "checkpoint");
        };
    }

    private static String first(String kind) {
        return kind.equals(ClusterTable.FILES) ? "load the table onto the GPU" : "A";
    }

    /** The maximum number of milliseconds from the start of a phase to a kill. */
    private static final int LATEST = 50;

    @TempDir
    private static Path cluster;

    private static String master;
    private static final List<Process> daemons = new ArrayList<>();

    @TempDir
    Path folder;

    /** Starts a Java process with this class path. */
    private static Process start(Path log, String host, String... arguments) throws IOException {
        Files.createDirectories(cluster.resolve("jars"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add-opens")
                        || argument.startsWith("-XX")
                        || argument.startsWith("-Dlog4j2"))
                .forEach(command::add);
        command.addAll(List.of("-Xmx512m", "-cp", System.getProperty("java.class.path")));
        // a killed executor may be restarted any number of times
        command.add("-Dspark.deploy.maxExecutorRetries=-1");
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("SPARK_HOME", cluster.toString());
        builder.environment().put("SPARK_SCALA_VERSION", "2.13");
        builder.environment().put("SPARK_LOCAL_IP", host);
        return builder.start();
    }

    private static void startDaemon(String kind, String host, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of("org.apache.spark.deploy.%s.%s".formatted(kind.toLowerCase(Locale.ROOT), kind)));
        command.addAll(List.of("--host", host, "--webui-port", "0"));
        command.addAll(List.of(arguments));
        daemons.add(start(cluster.resolve("log"), host, command.toArray(String[]::new)));
    }

    @BeforeAll
    static void startCluster() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            port = free.getLocalPort();
        }
        master = "spark://127.0.0.1:" + port;
        startDaemon("Master", "127.0.0.1", "--port", Integer.toString(port));
        // a slow task runs a second time only on a different host
        for (String host : List.of("127.0.0.1", "127.0.0.2")) {
            startDaemon(
                    "Worker",
                    host,
                    "--cores",
                    "1",
                    "--memory",
                    "1g",
                    "--work-dir",
                    cluster.resolve("work").toString(),
                    master);
        }
    }

    @AfterAll
    static void stopCluster() {
        daemons.forEach(daemon -> {
            daemon.descendants().forEach(ProcessHandle::destroyForcibly);
            daemon.destroyForcibly();
        });
    }

    private Process start(String kind, int size) throws IOException {
        Files.deleteIfExists(folder.resolve(ClusterTable.PHASE));
        return start(
                folder.resolve("log"),
                "127.0.0.1",
                ClusterTable.class.getName(),
                folder.toString(),
                kind,
                Integer.toString(size),
                master);
    }

    private String phase() throws IOException {
        Path file = folder.resolve(ClusterTable.PHASE);
        return Files.exists(file) ? Files.readString(file) : "";
    }

    /** Waits for a phase, or for the result's phase, which is the last one. */
    private String await(Process driver, String wanted) throws IOException, InterruptedException {
        String phase = phase();
        while (driver.isAlive() && !phase.equals(wanted) && !phase.equals(ClusterTable.RESULT)) {
            Thread.sleep(1);
            phase = phase();
        }
        return phase;
    }

    private static List<ProcessHandle> executors() {
        return daemons.stream()
                .flatMap(Process::children)
                .filter(process -> process.info()
                        .command()
                        .filter(path -> path.endsWith("java"))
                        .isPresent())
                .toList();
    }

    /** Kills an executor, then a driver. */
    @Test
    void sameDistances() throws Exception {
        sameTable(ClusterTable.PATHS, 2, SIZE / 2);
    }

    static Stream<String> kinds() {
        return Thorough.seeds(KINDS.size()).mapToObj(seed -> KINDS.get(seed % KINDS.size()));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    @Tag("thorough")
    void sameTable(String kind) throws Exception {
        // the other tables have smaller tiles
        sameTable(kind, KILLS, kind.equals(ClusterTable.PATHS) ? SIZE : SIZE / 2);
    }

    private void sameTable(String kind, int kills, int size) throws Exception {
        Random random = new Random(1);
        Map<String, Integer> hits = new LinkedHashMap<>();
        hits.put(first(kind), 0);
        middle(kind).forEach(phase -> hits.put(phase, 0));
        if (!kind.equals(ClusterTable.KEPT)) {
            // for this table, no tasks compute the result
            hits.put(ClusterTable.RESULT, 0);
        }
        int killed = 0;
        Process driver = start(kind, size);
        try {
            while (driver.isAlive() && killed < kills) {
                String wanted = wanted(kind, kills, killed, hits);
                String phase = await(driver, wanted);
                driver.waitFor(random.nextInt(LATEST), TimeUnit.MILLISECONDS);
                List<ProcessHandle> executors = executors();
                if (!driver.isAlive() || executors.isEmpty()) {
                    continue;
                }
                if (killed % 2 == (kind.equals(ClusterTable.MATRIX) ? 0 : 1)) {
                    // the executors live on for a moment
                    driver.destroyForcibly().waitFor();
                } else {
                    executors.get(random.nextInt(executors.size())).destroyForcibly();
                }
                killed++;
                if (phase().equals(phase)) {
                    hits.merge(phase, 1, Integer::sum);
                }
                if (!driver.isAlive()) {
                    driver = start(kind, size);
                }
                driver.waitFor(random.nextInt(1_000), TimeUnit.MILLISECONDS);
            }
            driver.waitFor();
            String log = Files.readString(folder.resolve("log"));
            assertThat(folder.resolve("sum")).as(log).hasContent(Long.toString(ClusterTable.expected(kind, size)));
            System.out.printf(
                    "%s: killed %d executors and drivers, in phases %s; ran %d tasks twice; %s%n",
                    kind,
                    killed,
                    hits,
                    Files.size(folder.resolve(ClusterTable.REPEATED)),
                    Files.readString(folder.resolve("report")));
            assertThat(killed).as("kills before the end").isPositive();
            if (kind.equals(ClusterTable.FILES)) {
                // all folders are gone, including that of the last task, except the folders of a few runs that were
                // killed at the very end
                assertThat(folder.resolve(ClusterTable.LOCAL).toFile().list()).hasSizeLessThanOrEqualTo(2);
            }
            if (kills >= MANY) {
                assertThat(hits.values()).as("kills in each phase").doesNotContain(0);
            }
        } finally {
            driver.destroyForcibly();
        }
    }

    /**
     * Returns the phase for the next kill: initially the first phase, at the end the phase of the result, and otherwise
     * the phase that was hit least.
     */
    private static String wanted(String kind, int kills, int killed, Map<String, Integer> hits) {
        if (killed == 0) {
            return first(kind);
        }
        if (hits.containsKey(ClusterTable.RESULT) && killed >= kills - Math.max(1, kills / 6)) {
            return ClusterTable.RESULT;
        }
        return middle(kind).stream().min(Comparator.comparing(hits::get)).orElseThrow();
    }
}
