package dev.bellman.job;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code submit/bellman} with a fake spark-submit that prints its arguments, on hosts with and without a GPU. */
class LauncherTest {
    private static final String PRINT_ARGUMENTS = "#!/bin/sh\nfor a; do printf '%s\\0' \"$a\"; done\n";

    private record Launch(int code, List<String> arguments, String err) {
        /** The arguments that Bellman gets. */
        List<String> own() {
            return arguments.subList(jar() + 1, arguments.size());
        }

        /** The arguments that spark-submit keeps. */
        List<String> spark() {
            return arguments.subList(0, jar());
        }

        private int jar() {
            return arguments.indexOf(arguments.stream()
                    .filter(each -> each.endsWith("bellman-0.jar"))
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
        Files.copy(Path.of("..", "submit", "bellman"), root.resolve("submit/bellman"));
        Path target = Files.createDirectories(root.resolve("spark-job/target"));
        Files.writeString(target.resolve("spark.classpath"), "spark.jar");
        Files.writeString(target.resolve("rapids.classpath"), "/rapids.jar");
        Path jar = Files.writeString(target.resolve("bellman-0.jar"), "");
        Files.setLastModifiedTime(jar, FileTime.fromMillis(System.currentTimeMillis() + 60_000));
        script(root.resolve("spark/bin/spark-submit"), PRINT_ARGUMENTS);
        gpu(false);
    }

    private void gpu(boolean present) throws IOException {
        script(root.resolve("bin/nvidia-smi"), "#!/bin/sh\nexit " + (present ? 0 : 9) + "\n");
    }

    private static void script(Path path, String text) throws IOException {
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Launch launch(String... arguments) throws IOException, InterruptedException {
        return launch(Map.of("SPARK_HOME", root.resolve("spark").toString()), arguments);
    }

    private Launch launch(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("bash", root.resolve("submit/bellman").toString()));
        command.addAll(List.of(arguments));
        Path out = root.resolve("stdout");
        Path err = root.resolve("stderr");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment()
                .keySet()
                .removeAll(List.of("RAPIDS_JAR", "BELLMAN_DRIVER_MEMORY", "BELLMAN_JAR", "SPARK_HOME"));
        builder.environment().putAll(environment);
        builder.environment().merge("PATH", root.resolve("bin").toString(), (path, first) -> first + ":" + path);
        int code = builder.start().waitFor();
        String[] printed = Files.readString(out).split("\0", -1);
        return new Launch(code, List.of(Arrays.copyOf(printed, printed.length - 1)), Files.readString(err));
    }

    @Test
    void argumentsArriveAsTheyAre() throws Exception {
        String[] own = {
            "run",
            "my job.yaml",
            "--argument",
            "concat(a, ' \"x\" ')",
            "--argument=$HOME `id` \\",
            "--input",
            "",
            "--input=*",
            "--keep",
            "a\nb",
            "--name=é文"
        };
        String[] mixed = Stream.of(
                        Arrays.stream(own, 0, 2),
                        Stream.of(
                                "--conf", "spark.a=b c", "--conf=spark.d=e=f \"g\"", "--driver-java-options=-Dx=' y'"),
                        Arrays.stream(own, 2, 6),
                        Stream.of("--conf", "", "--queue", "*", "--supervise"),
                        Arrays.stream(own, 6, own.length))
                .flatMap(each -> each)
                .toArray(String[]::new);

        Launch launch = launch(mixed);

        assertThat(launch.own()).containsExactly(own);
        assertThat(launch.valuesOf("--conf")).containsExactly("spark.a=b c", "spark.d=e=f \"g\"", "");
        assertThat(launch.valuesOf("--driver-java-options")).containsExactly("-Dx=' y'");
        assertThat(launch.valuesOf("--queue")).containsExactly("*");
        assertThat(launch.valuesOf("--class")).containsExactly("dev.bellman.job.Main");
        assertThat(launch.spark()).contains("--supervise", "--load-spark-defaults");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--conf", "--master", "--keytab"})
    void aValueIsMissing(String option) throws Exception {
        Launch launch = launch("run", "job.yaml", option);

        assertThat(launch.err()).isEqualTo("error: [BELLMAN_USAGE] " + option + " needs a value\n");
        assertThat(launch.code()).isEqualTo(1);
    }

    @Test
    void settingsOfCpuRuns() throws Exception {
        assertThat(launch("run", "job.yaml").valuesOf("--properties-file"))
                .containsExactly(root.resolve("conf/cpu.conf").toString());
        assertThat(launch("run", "job.yaml", "--properties-file=mine.conf").valuesOf("--properties-file"))
                .containsExactly("mine.conf");
        assertThat(launch("run", "job.yaml").valuesOf("--driver-memory")).isEmpty();
        assertThat(launch(
                                Map.of("SPARK_HOME", root.resolve("spark").toString(), "BELLMAN_DRIVER_MEMORY", "3g"),
                                "run",
                                "job.yaml")
                        .valuesOf("--driver-memory"))
                .containsExactly("3g");
    }

    @Test
    void settingsOfGpuRuns() throws Exception {
        gpu(true);
        Launch launch = launch("run", "job.yaml", "--jars", "/mine.jar");

        assertThat(launch.valuesOf("--properties-file"))
                .containsExactly(root.resolve("conf/gpu.conf").toString());
        assertThat(launch.valuesOf("--jars")).last().isEqualTo("/mine.jar,/rapids.jar");
        assertThat(launch.valuesOf("--driver-memory")).containsExactly("8g");
        assertThat(launch("run", "job.yaml", "--engine=cpu").valuesOf("--jars")).isEmpty();
    }

    @Test
    void gpusOfACluster() throws Exception {
        Launch launch = launch(
                "run", "job.yaml", "--engine", "gpu", "--master", "yarn", "--files", "mine.txt", "--conf", "spark.x=y");

        assertThat(launch.valuesOf("--files"))
                .last()
                .isEqualTo("mine.txt," + root.resolve("submit/get-gpu-resources.sh"));
        assertThat(launch.valuesOf("--conf")).contains("spark.executor.resource.gpu.amount=1", "spark.x=y");
        assertThat(launch("run", "job.yaml", "--master", "yarn").valuesOf("--files"))
                .isEmpty();
    }

    @Test
    void noGpu() throws Exception {
        Launch launch = launch("run", "job.yaml", "--engine", "gpu");

        assertThat(launch.err()).startsWith("error: [BELLMAN_GPU_REQUIRED] ");
        assertThat(launch.code()).isEqualTo(4);
    }

    /** The Python package has the launcher and the jar, but no build. */
    @Test
    void jarOfTheEnvironment() throws Exception {
        Files.delete(root.resolve("spark-job/target/bellman-0.jar"));
        Files.delete(root.resolve("spark-job/target/spark.classpath"));
        String jar = root.resolve("elsewhere/bellman-0.jar").toString();

        Launch launch =
                launch(Map.of("SPARK_HOME", root.resolve("spark").toString(), "BELLMAN_JAR", jar), "run", "job.yaml");
        Launch withoutSpark = launch(Map.of("BELLMAN_JAR", jar), "run", "job.yaml");

        assertThat(launch.arguments()).containsSequence(jar, "run", "job.yaml");
        assertThat(withoutSpark.code()).isEqualTo(2);
        assertThat(withoutSpark.err()).startsWith("error: [BELLMAN_CONFIGURATION] BELLMAN_JAR is set");
    }
}
