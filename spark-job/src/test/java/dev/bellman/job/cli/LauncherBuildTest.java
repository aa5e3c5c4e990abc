package dev.bellman.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that the launcher builds missing or outdated files, and refuses hosts that cannot run Bellman. */
class LauncherBuildTest extends LauncherFixture {
    @ParameterizedTest
    @CsvSource({
        "2.12-3.5.1, Spark 3.5.1 with Scala 2.12",
        "2.13-3.5.1, Spark 3.5.1 with Scala 2.13",
        "2.13-4.4.0, 'Spark 4.4.0 '"
    })
    void anotherSpark(String version, String named) throws Exception {
        Files.createFile(root.resolve("spark/jars/spark-core_" + version + ".jar"));
        Launch launch = launch("run", "job.yaml");
        assertThat(launch.err())
                .startsWith("error: [BELLMAN_CONFIGURATION] SPARK_HOME has " + named)
                .contains("needs Spark 4.0 to 4.3 with Scala 2.13")
                .hasLineCount(1);
        assertThat(launch.code()).isEqualTo(2);
    }

    @Test
    void theSparkOfTheTests() throws Exception {
        Files.createFile(root.resolve("spark/jars/spark-core_2.13-4.1.3.jar"));
        assertThat(launch("run", "job.yaml").err()).isEmpty();
        assertThat(launch(Map.of("SPARK_HOME", root.resolve("none").toString()), "run", "job.yaml")
                        .err())
                .startsWith("error: [BELLMAN_CONFIGURATION] SPARK_HOME is ")
                .contains("which lacks bin/spark-submit");
    }

    @Test
    void anotherJava() throws Exception {
        Path old = root.resolve("jdk11");
        script(old.resolve("bin/java"), "#!/bin/sh\n");
        Files.writeString(old.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");
        assertThat(launch(Map.of("JAVA_HOME", old.toString()), "run", "job.yaml")
                        .err())
                .startsWith("error: [BELLMAN_CONFIGURATION] " + old.toRealPath()
                        + " is Java 11, but Bellman needs Java 17");
        assertThat(launch(Map.of("JAVA_HOME", root.resolve("none").toString()), "run", "job.yaml")
                        .err())
                .startsWith("error: [BELLMAN_CONFIGURATION] Java is missing at JAVA_HOME=");
    }

    @ParameterizedTest
    @CsvSource({"java.base java.xml, false", "java.base jdk.incubator.vector java.xml, true"})
    void aJavaWithoutSomeModules(String modules, boolean supported) throws Exception {
        Path home = root.resolve("small");
        script(home.resolve("bin/java"), PRINT_ARGUMENTS);
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"21\"\nMODULES=\"" + modules + "\"\n");

        Launch launch = launch(Map.of("JAVA_HOME", home.toString()), "run", "job.yaml");

        assertThat(launch.code()).isEqualTo(supported ? 0 : 2);
        assertThat(launch.err())
                .isEqualTo(
                        supported
                                ? ""
                                : "error: [BELLMAN_CONFIGURATION] " + home.toRealPath() + " lacks the module"
                                        + " jdk.incubator.vector, which Spark needs; set JAVA_HOME to a complete JDK 17"
                                        + " or 21\n");
    }

    @Test
    void tooFewOpenFiles() throws Exception {
        Path limit = Files.writeString(root.resolve("limit"), "ulimit -n 200\n");
        Launch launch = launch(Map.of("BASH_ENV", limit.toString()), "run", "job.yaml");
        assertThat(launch.err())
                .isEqualTo("error: [BELLMAN_CONFIGURATION] processes may open at most 200 files, but Spark needs 512; "
                        + "raise the limit (ulimit -n)\n");
        assertThat(launch.code()).isEqualTo(2);
    }

    /** Without SPARK_HOME, Spark is the embedded 4.1. */
    @ParameterizedTest
    @CsvSource({"23, 4.1.3, true", "24, 4.1.3, false", "25, 4.0.2, false", "25, 4.3.0, true", "23,, true", "25,, false"
    })
    void aJavaThatSparkDoesNotSupport(String java, String spark, boolean supported) throws Exception {
        Path home = root.resolve("newer");
        script(home.resolve("bin/java"), PRINT_ARGUMENTS);
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + java + "\"\n");
        Map<String, String> environment = new HashMap<>(Map.of("JAVA_HOME", home.toString()));
        if (spark != null) {
            Files.createFile(root.resolve("spark/jars/spark-core_2.13-" + spark + ".jar"));
            environment.put("SPARK_HOME", root.resolve("spark").toString());
        }

        Launch launch = launch(environment, "run", "job.yaml");

        assertThat(launch.code()).isEqualTo(supported ? 0 : 2);
        assertThat(launch.err())
                .isEqualTo(
                        supported
                                ? ""
                                : "error: [BELLMAN_CONFIGURATION] " + home.toRealPath() + " is Java " + java
                                        + ", which Spark 4.0 and 4.1 do not support; set JAVA_HOME to Java 17 or 21,"
                                        + " or SPARK_HOME to Spark 4.3\n");
    }

    /** Tests the first build, once with a Maven that fails and once with a Maven that works. */
    @Test
    void theFirstBuild() throws Exception {
        Path jar = root.resolve("spark-job/target/bellman-spark-0.jar");
        Files.delete(jar);
        script(root.resolve("bin/mvn"), """
                #!/bin/sh
                cat <<LOG
                [INFO] --- antrun:3.2.0:run (compile-kernels) @ bellman-functions-spark-4.1_2.13 ---
                [INFO]      [exec] kernels: 3 of 158
                [INFO] ------------------------------------------------------------------------
                [INFO] Reactor Summary for Bellman 0.3.0:
                [INFO] BUILD FAILURE
                [ERROR] Failed to execute goal: the compiler of the kernels ends with exit code 137
                [ERROR] \s
                [ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.
                [ERROR] [Help 1] http://cwiki.apache.org/confluence/display/MAVEN/MojoExecutionException
                LOG
                exit 1
                """);
        Launch failed = launch("run", "job.yaml");
        String log = root.resolve("spark-job/target/build.log").toString();
        assertThat(failed.err()).endsWith("""
                        bellman: the last lines of the log:
                          [INFO] --- antrun:3.2.0:run (compile-kernels) @ bellman-functions-spark-4.1_2.13 ---
                          [INFO]      [exec] kernels: 3 of 158
                        [ERROR] Failed to execute goal: the compiler of the kernels ends with exit code 137
                        error: [BELLMAN_INTERNAL] the build failed; see %s
                        """.formatted(log));
        assertThat(failed.code()).isEqualTo(3);

        script(root.resolve("bin/mvn"), "#!/bin/sh\necho killed\nkill -9 $$\n");
        Launch killed = launch("run", "job.yaml");
        assertThat(killed.err()).contains("the last lines of the log:\n  killed\nerror: [BELLMAN_INTERNAL]");
        assertThat(killed.code()).isEqualTo(3);

        mavenMakes(jar, "");
        assertThat(launch("run", "job.yaml").own()).containsExactly("run", "job.yaml");
        assertThat(root.resolve("options"))
                .content()
                .contains("-Dmaven.test.skip")
                .doesNotContain("-P");
    }

    /** Creates a fake Maven that writes its options to a file, prints a text, and creates a jar. */
    private void mavenMakes(Path jar, String prints) throws IOException {
        script(root.resolve("bin/mvn"), """
                #!/bin/bash
                echo "$*" >'%s/options'
                %s
                echo '%s' >'%s'
                """.formatted(root, prints, "dev/bellman/cuda/fold/fold.sm_90.cubin.zst", jar));
    }

    /**
     * Maven alternates the last tenth of the downloads with build steps, so the launcher does not estimate the time
     * that this tenth takes.
     */
    @ParameterizedTest
    @CsvSource({"56, ', about \\d+ s left'", "241, ''"})
    void progressOfTheFirstBuild(int megabytes, String left) throws Exception {
        Path jar = root.resolve("spark-job/target/bellman-spark-0.jar");
        Files.delete(jar);
        mavenMakes(jar, """
                echo '[INFO] --- maven-compiler-plugin:3.15.0:compile (default-compile) @ bellman-functions-spark-4.1_2.13 ---'
                echo '[INFO] Downloaded from central: https://repo/org/apache/spark/spark-core.jar (%d MB at 9.1 MB/s)'
                echo '[INFO] Downloading from central: https://repo/org/apache/spark/spark-sql.jar'
                until grep -q 'MB downloaded' '%s/stderr'; do sleep 0.1; done
                """.formatted(megabytes, root));
        Launch launch = launch(
                Map.of("SPARK_HOME", root.resolve("spark").toString(), "HOME", root.toString()), "run", "job.yaml");

        assertThat(launch.err())
                .contains("bellman: the first build downloads about ")
                .containsPattern("bellman: " + megabytes + " of about \\d+ MB downloaded" + left
                        + "; downloading spark-sql.jar\n");
    }

    @Test
    void progressOfKernels() throws Exception {
        Path jar = root.resolve("spark-job/target/bellman-spark-0.jar");
        Files.delete(jar);
        mavenMakes(jar, """
                echo '[INFO] --- antrun:3.2.0:run (compile-kernels) @ bellman-functions-spark-4.1_2.13 ---'
                echo '[INFO]      [exec] kernels: 3 of 158'
                echo '[INFO]      [exec] kernels: 4 of 158'
                until grep -q kernels '%s/stderr'; do sleep 0.1; done
                """.formatted(root));

        assertThat(launch("run", "job.yaml").err()).contains("bellman: compiling kernels, 4 of 158\n");
    }

    /**
     * The launcher builds the GPU side if the host has a GPU that may be used, even if a jar without the GPU side
     * exists.
     */
    @Test
    void theGpuSide() throws Exception {
        for (String module : List.of("gpu-udfs", "spark-job")) {
            Files.createDirectories(root.resolve(module + "/src"));
            Files.createFile(root.resolve(module + "/pom.xml"));
        }
        Files.createFile(root.resolve("pom.xml"));
        Path jar = root.resolve("spark-job/target/bellman-spark-0.jar");
        Files.writeString(jar, "dev/bellman/cuda/Kernel.class");
        Files.setLastModifiedTime(jar, FileTime.fromMillis(System.currentTimeMillis() + 60_000));
        mavenMakes(jar, "");
        Path options = root.resolve("options");

        launch("run", "job.yaml");
        gpus(1);
        launch("run", "job.yaml", "--engine=cpu");
        assertThat(options).doesNotExist();
        launch("run", "job.yaml");
        assertThat(options).content().contains("-Pgpu-side");
        Files.delete(options);
        launch("run", "job.yaml");
        assertThat(options).doesNotExist();
    }
}
