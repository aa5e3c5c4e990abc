package dev.bellman.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which runs unpack RAPIDS and use its folder, with a fake Java that unpacks. */
class LauncherRapidsTest extends LauncherFixture {
    private static final String UNPACKING = "bellman: unpacking RAPIDS";

    private Map<String, String> environment;
    private Path rapids;

    @BeforeEach
    void installRapids() throws IOException {
        Path target = root.resolve("spark-job/target");
        Files.createDirectories(target.resolve("classes/dev/bellman/job"));
        Files.writeString(target.resolve("classes/dev/bellman/job/spark-jvm.options"), "-Done=1");
        Files.writeString(target.resolve("spark.classpath"), "/jars/spark-core_2.13-4.1.3.jar:/jars/other-1.jar");
        rapids = Files.writeString(root.resolve("rapids-4-spark_2.13-1.jar"), "jar");
        Files.writeString(target.resolve("rapids.classpath"), rapids.toString());
        script(root.resolve("jdk/bin/java"), """
                #!/bin/bash
                if [[ $* != *' dev.bellman.job.cli.RapidsFolder '* ]]; then
                  printf '%s\\0' "$@"
                elif [[ ! -e $JAVA_HOME/../full ]]; then
                  jar=${@: -3:1}
                  mkdir "${@: -1}" && echo "${@: -2:1}" >"${@: -1}/${jar##*/}" && echo >"${@: -1}/libcudf.so"
                else
                  mkdir "${@: -1}" && exit 1
                fi
                """);
        // with this option, no process archives classes, which would take longer than the test
        environment = Map.of("JAVA_HOME", root.resolve("jdk").toString(), "JAVA_TOOL_OPTIONS", "-Xshare:auto");
    }

    /** The first run unpacks the jar, and all runs use the folder. A new jar gets a new folder. */
    @Test
    void unpacksOnce() throws Exception {
        gpus(1);
        Launch first = launch(environment, "run", "job.yaml");
        Path folder = folder();
        String bellman = root.resolve("spark-job/target/bellman-spark-0.jar").toString();
        String classPath = "%s:%s:/jars/spark-core_2.13-4.1.3.jar:/jars/other-1.jar"
                .formatted(folder.resolve(rapids.getFileName()), bellman);

        assertThat(first.err()).contains(UNPACKING);
        assertThat(folder.resolve(rapids.getFileName())).content().isEqualTo("4.1.3\n");
        assertThat(first.arguments()).contains(classPath, "-Dai.rapids.cudf.lib-native-dir=" + folder);
        Launch second = launch(environment, "run", "job.yaml");
        assertThat(second.err()).doesNotContain(UNPACKING);
        assertThat(second.arguments()).contains(classPath, "-Dai.rapids.cudf.lib-native-dir=" + folder);

        Files.writeString(rapids, "new jar");
        assertThat(launch(environment, "run", "job.yaml").err()).contains(UNPACKING);
        assertThat(launch(environment, "run", "job.yaml", "--engine=cpu").arguments())
                .noneMatch(argument -> argument.contains("rapids"));
    }

    /** Executors get the jar by their class path, and must not find it a second time. */
    @Test
    void executors() throws Exception {
        gpus(2);
        String settings = settingsOf(launch(environment, "run", "job.yaml"));
        Path folder = folder();

        assertThat(settings)
                .containsPattern(
                        "(?m)^spark.executor.extraClassPath %s:".formatted(folder.resolve(rapids.getFileName())))
                .containsPattern("(?m)^spark.executor.defaultJavaOptions .*-Dai.rapids.cudf.lib-native-dir=" + folder);
        assertThat(jarsOfCluster()).noneMatch(jar -> jar.startsWith("rapids"));

        Path mine = Files.writeString(root.resolve("mine"), "spark.executor.defaultJavaOptions -Dmine=1\n");
        assertThat(settingsOf(launch(environment, "run", "job.yaml", "--properties-file=" + mine)))
                .doesNotContain("lib-native-dir");
        assertThat(jarsOfCluster()).contains(rapids.getFileName().toString());
    }

    /** If unpacking fails, for example because the disk is full, runs use the jar, and do not try again on this day. */
    @Test
    void cannotUnpack() throws Exception {
        gpus(1);
        Files.createFile(root.resolve("full"));

        Launch first = launch(environment, "run", "job.yaml");
        assertThat(first.arguments())
                .anyMatch(argument -> argument.endsWith(":" + rapids))
                .noneMatch(argument -> argument.contains("lib-native-dir"));
        Launch second = launch(environment, "run", "job.yaml");
        assertThat(second.err()).doesNotContain(UNPACKING);
        assertThat(second.arguments()).anyMatch(argument -> argument.endsWith(":" + rapids));
        try (Stream<Path> files = Files.list(root.resolve("cache/bellman"))) {
            assertThat(files.filter(Files::isDirectory)).isEmpty();
        }
    }

    /** A folder that other users could have changed is replaced. */
    @Test
    void unsafeFolder() throws Exception {
        gpus(1);
        launch(environment, "run", "job.yaml");
        assertThat(new ProcessBuilder("chmod", "777", folder().toString())
                        .start()
                        .waitFor())
                .isZero();
        assertThat(launch(environment, "run", "job.yaml").err()).contains(UNPACKING);
        assertThat(launch(environment, "run", "job.yaml").err()).doesNotContain(UNPACKING);
    }

    private Path folder() throws IOException {
        try (Stream<Path> files = Files.list(root.resolve("cache/bellman"))) {
            return files.filter(Files::isDirectory).findFirst().orElseThrow();
        }
    }

    /** Returns the jars of the latest cluster, whose folder remains because the fake Java deletes nothing. */
    private List<String> jarsOfCluster() throws IOException {
        try (Stream<Path> files = Files.list(root)) {
            Path latest = files.filter(file -> file.getFileName().toString().startsWith("bellman-cluster."))
                    .max((one, other) -> Long.compare(
                            one.toFile().lastModified(), other.toFile().lastModified()))
                    .orElseThrow();
            try (Stream<Path> jars = Files.list(latest.resolve("jars"))) {
                return jars.map(jar -> jar.getFileName().toString()).toList();
            }
        }
    }
}
