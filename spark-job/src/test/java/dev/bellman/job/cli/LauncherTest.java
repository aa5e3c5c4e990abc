package dev.bellman.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs {@code submit/bellman} with a fake spark-submit that prints its arguments, on hosts with and without a GPU. */
class LauncherTest extends LauncherFixture {
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
    @ValueSource(strings = {"run", "show", "path", "generate", "bench", "check"})
    void commandsWithASession(String command) throws Exception {
        assertThat(launch(command, "out").valuesOf("--class")).containsExactly("dev.bellman.job.Main");
    }

    @ParameterizedTest
    @CsvSource({"bench, -bench.jar", "check, -check.jar"})
    void optionalCommandsHaveTheirJarOnThePath(String command, String end) throws Exception {
        String name = root.resolve("spark-job/target/bellman-spark-0").toString();
        String jar = name + end;

        assertThat(launch(command, "pairs").valuesOf("--jars")).containsExactly(jar);
        assertThat(launch(command, "pairs", "--jars=own.jar").valuesOf("--jars"))
                .endsWith("own.jar," + jar);
        assertThat(launch("run", "job.yaml").valuesOf("--jars")).isEmpty();
        script(root.resolve("bin/java"), PRINT_ARGUMENTS);
        String classpath = name + ".jar:";
        Map<String, String> withoutSpark = Map.of("JAVA_HOME", root.toString());
        assertThat(launch(withoutSpark, command, "--help").arguments()).contains(classpath + jar + ":spark.jar");
        String everything = classpath + name + "-bench.jar:" + name + "-check.jar:spark.jar";
        assertThat(launch(withoutSpark, "--help").arguments()).contains(everything);
        assertThat(launch(withoutSpark).arguments()).contains(everything).endsWith("dev.bellman.job.Main");
        assertThat(launch(withoutSpark, "benhc").arguments()).contains(everything);
        assertThat(launch(withoutSpark, "functions").arguments()).contains(classpath + "spark.jar");

        Files.delete(Path.of(jar));
        Launch without = launch(command, "pairs");
        assertThat(without.code()).isEqualTo(2);
        assertThat(without.err())
                .startsWith("error: [BELLMAN_CONFIGURATION] " + command + " needs " + jar + ", which is missing; ")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--conf",
                "--master",
                "--keytab",
                "--master=",
                "--deploy-mode=",
                "--properties-file=",
                "--driver-memory="
            })
    void aValueIsMissing(String option) throws Exception {
        Launch launch = launch("run", "job.yaml", option);

        assertThat(launch.err()).isEqualTo("error: [BELLMAN_USAGE] " + option.replace("=", "") + " needs a value\n");
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

    /**
     * If the Spark on this host has no settings, it starts without spark-submit's scripts, and its classes are
     * archived.
     */
    @Test
    void plainSpark() throws Exception {
        Path target = root.resolve("spark-job/target");
        Files.createDirectories(target.resolve("classes/dev/bellman/job"));
        Files.writeString(target.resolve("classes/dev/bellman/job/spark-jvm.options"), "-Done=1 -Dtwo=2");
        Path jars = root.resolve("spark/jars");
        Files.createFile(jars.resolve("spark-core_2.13-4.1.3.jar"));
        // the jars with the most classes come first
        Files.createFile(jars.resolve("other-1.jar"));
        Path rapids = Files.createFile(jars.resolve("rapids-4-spark_2.13-26.08.1-cuda13.jar"));
        script(root.resolve("jdk/bin/java"), PRINT_ARGUMENTS);
        script(root.resolve("spark/bin/spark-class"), PRINT_ARGUMENTS);
        String published = """
                #!/usr/bin/env bash
                exec "${SPARK_HOME}"/bin/spark-class org.apache.spark.deploy.SparkSubmit "$@"
                """;
        script(root.resolve("spark/bin/spark-submit"), published);
        gpus(1);
        Map<String, String> environment = Map.of(
                "JAVA_HOME", root.resolve("jdk").toString(),
                "SPARK_HOME", root.resolve("spark").toString());
        String direct = "-Done=1";

        String core = jars.resolve("spark-core_2.13-4.1.3.jar") + ":" + jars.resolve("other-1.jar");
        String jar = root.resolve("spark-job/target/bellman-spark-0.jar").toString();
        String conf = root.resolve("spark/conf").toString();
        assertThat(launch(environment, "run", "job.yaml", "--engine", "cpu").arguments())
                .contains(direct, "org.apache.spark.deploy.SparkSubmit", jar + ":" + core + ":" + conf)
                .anyMatch(argument -> argument.startsWith("-XX:DumpLoadedClassList="));
        assertThat(launch(environment, "run", "job.yaml").arguments())
                .contains(direct, jar + ":" + core + ":" + rapids + ":" + conf)
                .containsSequence("spark-internal", "run", "job.yaml")
                .doesNotContain("--jars");
        // with other jars, the application jar is not on the class path
        assertThat(launch(environment, "run", "job.yaml", "--jars=other.jar").arguments())
                .contains(direct)
                .containsSequence(jar, "run", "job.yaml");

        for (String option : List.of(
                "--master=yarn",
                "--driver-java-options=-Dx=y",
                "--conf=spark.driver.extraClassPath=x",
                "--properties-file=" + Files.writeString(root.resolve("p"), "spark.driver.memory 3g\n"))) {
            assertThat(launch(environment, "run", "job.yaml", option).arguments())
                    .as(option)
                    .contains("org.apache.spark.deploy.SparkSubmit")
                    .doesNotContain(direct);
        }
        script(root.resolve("spark/bin/spark-submit"), published.replace("exec", "HOME=/other exec"));
        assertThat(launch(environment, "run", "job.yaml").arguments()).doesNotContain(direct);
        script(root.resolve("spark/bin/spark-submit"), published);
        Files.createDirectories(root.resolve("spark/conf"));
        Files.createFile(root.resolve("spark/conf/spark-defaults.conf"));
        assertThat(launch(environment, "run", "job.yaml").arguments()).doesNotContain(direct);
    }

    /** The Python package contains the launcher and the jar, but no build. */
    @Test
    void jarOfTheEnvironment() throws Exception {
        Files.delete(root.resolve("spark-job/target/bellman-spark-0.jar"));
        Files.delete(root.resolve("spark-job/target/spark.classpath"));
        String jar = root.resolve("elsewhere/bellman-spark-0.jar").toString();

        Launch launch =
                launch(Map.of("SPARK_HOME", root.resolve("spark").toString(), "BELLMAN_JAR", jar), "run", "job.yaml");
        Launch withoutSpark = launch(Map.of("BELLMAN_JAR", jar), "run", "job.yaml");

        assertThat(launch.arguments()).containsSequence(jar, "run", "job.yaml");
        assertThat(withoutSpark.code()).isEqualTo(2);
        assertThat(withoutSpark.err()).startsWith("error: [BELLMAN_CONFIGURATION] BELLMAN_JAR is set");
    }
}
