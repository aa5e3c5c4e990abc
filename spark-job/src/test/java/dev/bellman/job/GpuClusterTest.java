package dev.bellman.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs jobs on two GPUs of one host, as {@code submit/bellman} starts them, with one executor per GPU. The GPUs do not
 * exist: a fake nvidia-smi reports them, and Spark's scheduler assigns them. RAPIDS is turned off, so the functions run
 * on the CPU.
 */
public class GpuClusterTest {
    private static final int MAX_CLEARINGS = 300;

    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    static Path installed;

    @TempDir
    Path folder;

    private Path clusters;

    /** Creates an installation whose jars are those on the class path of this test. */
    @BeforeAll
    static void install() throws IOException {
        for (String name : List.of(
                "submit/bellman",
                "submit/class-archive.sh",
                "submit/gpu-cluster.sh",
                "submit/rapids-folder.sh",
                "conf/gpu.conf",
                "conf/log4j2.properties")) {
            Path copy = installed.resolve(name);
            Files.createDirectories(copy.getParent());
            Files.copy(PROJECT.resolve(name), copy, StandardCopyOption.COPY_ATTRIBUTES);
        }
        Path target = installed.resolve("spark-job/target");
        Path options = target.resolve("classes/dev/bellman/job/spark-jvm.options");
        Files.createDirectories(options.getParent());
        Files.copy(PROJECT.resolve(installed.relativize(options).toString()), options);

        Path jar = target.resolve("bellman-spark-0.jar");
        StringBuilder jars = new StringBuilder();
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            zip.setLevel(1);
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
                if (entry.endsWith(".jar")) {
                    jars.append(jars.isEmpty() ? "" : ":").append(entry);
                } else if (!entry.contains("test-classes")) {
                    add(zip, Path.of(entry));
                }
            }
        }
        Files.setLastModifiedTime(jar, FileTime.fromMillis(System.currentTimeMillis() + 60_000));
        Files.writeString(target.resolve("spark.classpath"), jars);
        Path rapids = installed.resolve("rapids-4-spark_0.jar");
        new ZipOutputStream(Files.newOutputStream(rapids)).close();
        Files.writeString(target.resolve("rapids.classpath"), rapids.toString());

        Path smi = Files.createDirectory(installed.resolve("bin")).resolve("nvidia-smi");
        Files.writeString(smi, "#!/bin/sh\necho 'GPU 0: one (UUID: GPU-1)'\necho 'GPU 1: two (UUID: GPU-2)'\n");
        Files.setPosixFilePermissions(smi, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void add(ZipOutputStream zip, Path classes) throws IOException {
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = classes.relativize(file).toString();
                // every module contains these files
                if (!name.matches("META-INF/(LICENSE|NOTICE)")) {
                    zip.putNextEntry(new ZipEntry(name));
                    Files.copy(file, zip);
                }
            }
        }
    }

    @BeforeEach
    void makeClusters() throws IOException {
        clusters = Files.createDirectory(folder.resolve("clusters"));
    }

    private Process start(String... arguments) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(Stream.concat(
                        Stream.of(
                                "bash",
                                installed.resolve("submit/bellman").toString(),
                                "run",
                                "--driver-memory=1g",
                                "--conf=spark.executor.memory=1g",
                                "--conf=spark.plugins="),
                        Stream.of(arguments))
                .toList());
        builder.environment().keySet().removeAll(List.of("SPARK_HOME", "RAPIDS_JAR", "CUDA_VISIBLE_DEVICES"));
        builder.environment().put("TMPDIR", clusters.toString());
        // archiving classes would take longer than the runs
        builder.environment().put("XDG_CACHE_HOME", "/dev/null");
        // compile quickly, because the runs are short
        builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1");
        builder.environment().merge("PATH", installed.resolve("bin").toString(), (path, first) -> first + ":" + path);
        return builder.directory(PROJECT.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    /** Returns the processes of the cluster's executors. */
    private List<ProcessHandle> executors() {
        return ProcessHandle.allProcesses()
                .filter(process -> command(process).contains("dev.bellman.job.cli.GpuExecutor")
                        && command(process).contains(clusters.toString()))
                .toList();
    }

    /** Returns a process's command line, which is empty if it has ended. Java returns only lines of up to 4 KiB. */
    private static String command(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/%d/cmdline".formatted(process.pid())), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    private void nothingIsRunning() throws InterruptedException {
        // an executor ends when it notices that the driver has ended
        while (!executors().isEmpty()) {
            Thread.sleep(50);
        }
    }

    @Test
    void anExecutorForEachGpu() throws Exception {
        Path events = Files.createDirectory(folder.resolve("events"));
        Process process = start(
                "conf/jobs/quickstart.yaml",
                "--output=" + folder.resolve("out"),
                "--conf=spark.eventLog.enabled=true",
                "--conf=spark.eventLog.compress=false",
                "--conf=spark.eventLog.dir=" + events.toUri());

        assertThat(process.waitFor()).as(log()).isZero();
        for (String job : List.of("proteins", "chains")) {
            assertThat(LocalSpark.session()
                            .read()
                            .parquet(folder.resolve("out").resolve(job).toString())
                            .select("id")
                            .distinct()
                            .count())
                    .isEqualTo(100);
        }
        nothingIsRunning();
        assertThat(clusters).isEmptyDirectory();
        List<JsonNode> logged = events(events);
        List<String> gpus = logged.stream()
                .filter(event -> isOf(event, "ExecutorAdded"))
                .map(event -> event.findPath("Resources").findPath("addresses").toString())
                .sorted()
                .toList();
        assertThat(gpus).containsExactly("[\"0\"]", "[\"1\"]");
        // no task starts before both executors are available
        assertThat(logged.stream()
                        .takeWhile(event -> !isOf(event, "TaskStart"))
                        .filter(event -> isOf(event, "ExecutorAdded")))
                .hasSize(2);
    }

    private static boolean isOf(JsonNode event, String kind) {
        return event.path("Event").asText().equals("SparkListener" + kind);
    }

    private static List<JsonNode> events(Path events) throws IOException {
        try (Stream<Path> files = Files.walk(events)) {
            return files.filter(Files::isRegularFile)
                    .flatMap(file -> {
                        try {
                            return Files.readAllLines(file).stream();
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    })
                    .filter(line -> line.startsWith("{\"Event\":\"SparkListener"))
                    .map(line -> {
                        try {
                            return new ObjectMapper().readTree(line);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    })
                    .toList();
        }
    }

    /**
     * If a run is ended or killed while both executors compute tables, which would take minutes, the executors end,
     * too.
     */
    @Test
    void endsWithItsExecutors() throws Exception {
        endsWithItsExecutors("KILL");
    }

    @Test
    @Tag("thorough")
    void endsWithItsExecutorsWhenItIsAskedTo() throws Exception {
        endsWithItsExecutors("TERM");
    }

    private void endsWithItsExecutors(String signal) throws Exception {
        Path pairs = folder.resolve("pairs.csv");
        String row = "ab".repeat(300_000) + "," + "ba".repeat(300_000) + "\n";
        Files.writeString(pairs, "a,b\n" + row + row);
        Process process = start(
                "--problem=edit_distance",
                "--strategy=serial",
                "--input-option=maxCharsPerColumn=-1",
                "--output-partitions=2",
                "--input=" + pairs,
                "--output=" + folder.resolve("out"));
        while (executors().size() < 2 || !isWriting()) {
            assertThat(process.isAlive()).as(log()).isTrue();
            Thread.sleep(50);
        }
        Path cluster = clusters().get(0);
        String secret = Files.readAllLines(cluster.resolve("spark.conf")).stream()
                .filter(line -> line.startsWith("spark.authenticate.secret"))
                .findFirst()
                .orElseThrow()
                .replaceFirst("\\S+\\s+", "");
        assertThat(secret).matches("[0-9a-f]{64}");
        assertThat(ProcessHandle.allProcesses().map(GpuClusterTest::command)).noneMatch(line -> line.contains(secret));
        assertThat(Files.getPosixFilePermissions(cluster.resolve("spark.conf")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));

        if (signal.equals("TERM")) {
            process.destroy();
        } else {
            process.destroyForcibly();
        }
        process.waitFor();
        nothingIsRunning();
        if (signal.equals("KILL")) {
            // the next run first deletes the files of a killed driver
            assertThat(clusters()).isNotEmpty();
            ProcessBuilder clear = new ProcessBuilder(
                    "bash", "-c", ". " + installed.resolve("submit/gpu-cluster.sh") + "; clear_dead_clusters");
            clear.environment().put("TMPDIR", clusters.toString());
            // a process that is still exiting may hold the lock, so try again
            for (int i = 0; i < MAX_CLEARINGS && !clusters().isEmpty(); i++) {
                assertThat(clear.start().waitFor()).isZero();
                Thread.sleep(100);
            }
        }
        assertThat(clusters()).as(log()).isEmpty();
        assertThat(folder.resolve("out")).doesNotExist();
    }

    /**
     * If executors cannot start, for example because a library is missing, the run ends with the output of one of them,
     * although Spark would retry endlessly.
     */
    @Test
    @Tag("thorough")
    void executorsThatCannotStart() throws Exception {
        Process process = start(
                "conf/jobs/quickstart.yaml",
                "--output=" + folder.resolve("out"),
                "--conf=spark.executor.extraJavaOptions=-agentlib:missing");

        assertThat(process.waitFor()).as(log()).isEqualTo(3);
        assertThat(log())
                .contains("error: [BELLMAN_EXECUTOR_START] ", "Could not find agent library missing")
                .doesNotContain("interrupted", "\tat ");
        assertThat(clusters()).isEmpty();
        assertThat(folder.resolve("out")).doesNotExist();
    }

    private List<Path> clusters() throws IOException {
        try (Stream<Path> folders = Files.list(clusters)) {
            return folders.filter(path -> path.getFileName().toString().startsWith("bellman-cluster."))
                    .toList();
        }
    }

    private boolean isWriting() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.anyMatch(file -> file.getFileName().toString().equals("_temporary"));
        } catch (UncheckedIOException e) {
            // a folder was deleted while the folders were listed
            return false;
        }
    }
}
