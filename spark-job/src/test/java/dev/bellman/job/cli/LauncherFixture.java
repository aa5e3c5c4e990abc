package dev.bellman.job.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A launcher in a separate folder, with scripts instead of Java, Spark and GPUs. */
abstract class LauncherFixture {
    static final String PRINT_ARGUMENTS = "#!/bin/sh\nfor a; do printf '%s\\0' \"$a\"; done\n";

    record Launch(int code, List<String> arguments, String err) {
        /** Returns the arguments that Bellman receives. */
        List<String> own() {
            return arguments.subList(jar() + 1, arguments.size());
        }

        /** Returns the arguments that spark-submit keeps for itself. */
        List<String> spark() {
            return arguments.subList(0, jar());
        }

        private int jar() {
            return arguments.indexOf(arguments.stream()
                    // a class path may end with the jar, too; spark-internal stands for a jar on the class path
                    .filter(each -> each.matches("[^:]*bellman-spark-0\\.jar|spark-internal"))
                    .findFirst()
                    .orElseThrow());
        }

        List<String> valuesOf(String option) {
            List<String> spark = spark();
            return Stream.iterate(0, i -> i < spark.size() - 1, i -> i + 1)
                    .filter(i -> spark.get(i).equals(option))
                    .map(i -> spark.get(i + 1))
                    .toList();
        }
    }

    @TempDir
    Path root;

    @BeforeEach
    void install() throws IOException {
        Files.createDirectories(root.resolve("submit"));
        for (String script : List.of("bellman", "class-archive.sh", "gpu-cluster.sh", "rapids-folder.sh")) {
            Files.copy(Path.of("..", "submit", script), root.resolve("submit").resolve(script));
        }
        Files.createDirectories(root.resolve("spark/jars"));
        Files.createDirectory(root.resolve("conf"));
        Files.writeString(root.resolve("conf/gpu.conf"), "spark.plugins RAPIDS\n");
        Path target = Files.createDirectories(root.resolve("spark-job/target"));
        Files.writeString(target.resolve("spark.classpath"), "spark.jar");
        Files.writeString(target.resolve("rapids.classpath"), "/rapids.jar");
        Path jar =
                Files.writeString(target.resolve("bellman-spark-0.jar"), "dev/bellman/cuda/fold/fold.sm_90.cubin.zst");
        Files.createFile(target.resolve("bellman-spark-0-bench.jar"));
        Files.createFile(target.resolve("bellman-spark-0-check.jar"));
        Files.setLastModifiedTime(jar, FileTime.fromMillis(System.currentTimeMillis() + 60_000));
        script(root.resolve("spark/bin/spark-submit"), PRINT_ARGUMENTS);
        gpus(0);
    }

    void gpus(int count) throws IOException {
        script(
                root.resolve("bin/nvidia-smi"),
                "#!/bin/sh\n" + "echo GPU\n".repeat(count) + "exit " + (count > 0 ? 0 : 9) + "\n");
    }

    static void script(Path path, String text) throws IOException {
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    Launch launch(String... arguments) throws IOException, InterruptedException {
        return launch(Map.of("SPARK_HOME", root.resolve("spark").toString()), arguments);
    }

    Launch launch(Map<String, String> environment, String... arguments) throws IOException, InterruptedException {
        // a background process ignores INT, and so would a launcher that it starts
        List<String> command = new ArrayList<>(List.of(
                "env",
                "--default-signal=INT",
                "bash",
                root.resolve("submit/bellman").toString()));
        command.addAll(List.of(arguments));
        Path out = root.resolve("stdout");
        Path err = root.resolve("stderr");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment()
                .keySet()
                .removeAll(List.of(
                        "RAPIDS_JAR", "BELLMAN_DRIVER_MEMORY", "BELLMAN_JAR", "SPARK_HOME", "CUDA_VISIBLE_DEVICES"));
        builder.environment().put("TMPDIR", root.toString());
        builder.environment().put("XDG_CACHE_HOME", root.resolve("cache").toString());
        builder.environment().putAll(environment);
        builder.environment().merge("PATH", root.resolve("bin").toString(), (path, first) -> first + ":" + path);
        int code = builder.start().waitFor();
        String[] printed = Files.readString(out).split("\0", -1);
        return new Launch(code, List.of(Arrays.copyOf(printed, printed.length - 1)), Files.readString(err));
    }

    static String settingsOf(Launch launch) throws IOException {
        return Files.readString(Path.of(launch.valuesOf("--properties-file").get(0)));
    }
}
