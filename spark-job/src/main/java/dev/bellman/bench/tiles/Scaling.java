package dev.bellman.bench.tiles;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.large.grid.TileRun;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import scala.Tuple2;

/**
 * Computes tables in tiles with different numbers of executors. Starts a separate driver ({@link ScalingRun}) for each
 * number of executors, so that all runs start under the same conditions. In a local session, executors run on this host
 * and have one core each; otherwise, they run on the session's cluster.
 */
final class Scaling {
    /**
     * A computed table.
     *
     * @param seconds the time of the fastest run
     * @param operations the maximum number of operations that an executor performed
     * @param words the maximum number of panel cells that any executor read or wrote
     * @param messages the maximum number of panels that any executor read or wrote
     */
    record Run(int n, int executors, double seconds, double operations, double words, double messages) {}

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The prefixes of session settings that are not passed on to the other drivers. */
    private static final List<String> OWN =
            List.of("spark.app.", "spark.driver.host", "spark.driver.port", "spark.executor.id", "spark.submit.");

    private final SparkConf session;
    private final Path folder;
    private final int runs;

    /**
     * Creates runs with a session's settings.
     *
     * @param folder a folder for the runs' files; it may be local, but on a cluster, all executors must have access to
     *     it
     * @param runs the number of times that each table is computed
     */
    Scaling(SparkConf session, Path folder, int runs) {
        this.session = session;
        this.folder = folder.toAbsolutePath();
        this.runs = runs;
    }

    /** Computes tables of these sizes. */
    List<Run> run(int executors, List<Integer> sizes, long seed) {
        try {
            Files.createDirectories(folder.resolve("jars"));
            Path result = folder.resolve("result.json");
            Path log = folder.resolve("log");
            Files.deleteIfExists(result);
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                    .filter(argument -> !argument.startsWith("-Dspark."))
                    .forEach(command::add);
            settings(executors).forEach(setting -> command.add("-D" + setting._1 + "=" + setting._2));
            command.addAll(List.of("-cp", classPath(), ScalingRun.class.getName()));
            command.addAll(List.of(folder.resolve("tiles").toString(), result.toString()));
            command.addAll(List.of(Integer.toString(executors), Integer.toString(runs), Long.toString(seed)));
            sizes.forEach(n -> command.add(Integer.toString(n)));
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
            if (isLocal()) {
                // Spark's Workers run in the driver's process and start executors from this folder
                builder.environment().put("SPARK_HOME", folder.toString());
                builder.environment().put("SPARK_SCALA_VERSION", "2.13");
                builder.environment().putIfAbsent("SPARK_LOCAL_IP", "127.0.0.1");
            }
            int code = await(builder.start());
            if (code != 0 || !Files.exists(result)) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INTERNAL,
                        "a driver with %d executors exited with code %d; its log is %s"
                                .formatted(executors, code, log));
            }
            return Arrays.asList(JSON.readValue(result.toFile(), Run[].class));
        } catch (IOException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_OUTPUT_WRITE, "cannot run a driver in %s: %s".formatted(folder, e), e);
        }
    }

    private static int await(Process driver) {
        Thread end = new Thread(driver::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(end);
        try {
            return driver.waitFor();
        } catch (InterruptedException e) {
            driver.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new BellmanException(ErrorCode.BELLMAN_INTERNAL, "interrupted", e);
        } finally {
            Runtime.getRuntime().removeShutdownHook(end);
        }
    }

    private boolean isLocal() {
        return session.get("spark.master").startsWith("local");
    }

    private List<Tuple2<String, String>> settings(int executors) {
        SparkConf conf = new SparkConf(false);
        Arrays.stream(session.getAll())
                .filter(setting -> OWN.stream().noneMatch(setting._1::startsWith))
                .forEach(setting -> conf.set(setting._1, setting._2));
        conf.set("spark.dynamicAllocation.enabled", "false");
        if (isLocal()) {
            long memory = conf.getSizeAsMb("spark.executor.memory", "1g");
            conf.setMaster("local-cluster[%d,1,%d]".formatted(executors, memory));
            conf.set("spark.executor.cores", "1");
            conf.set("spark.executor.extraClassPath", classPath());
        }
        int cores = conf.getInt("spark.executor.cores", 1);
        conf.set("spark.executor.instances", Integer.toString(executors));
        conf.set("spark.executor.cores", Integer.toString(cores));
        conf.set("spark.cores.max", Integer.toString(executors * cores));
        return List.of(conf.getAll());
    }

    /**
     * Returns Spark's class path, with the jars of the benchmarks and the application, which spark-submit loads
     * separately.
     */
    private static String classPath() {
        return Stream.of(location(Scaling.class), location(TileRun.class), System.getProperty("java.class.path"))
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String location(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes the result, which {@link #run} reads. */
    static void write(Path result, List<Run> measured) {
        try {
            JSON.writeValue(result.toFile(), measured);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
