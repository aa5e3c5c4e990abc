package dev.bellman.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.GpuClusterTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
                    .filter(each -> each.endsWith("bellman-spark-0.jar"))
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
        for (String script : List.of("bellman", "gpu-cluster.sh")) {
            Files.copy(Path.of("..", "submit", script), root.resolve("submit").resolve(script));
        }
        Files.createDirectories(root.resolve("spark/jars"));
        Files.createDirectory(root.resolve("conf"));
        Files.writeString(root.resolve("conf/gpu.conf"), "spark.plugins RAPIDS\n");
        Path target = Files.createDirectories(root.resolve("spark-job/target"));
        Files.writeString(target.resolve("spark.classpath"), "spark.jar");
        Files.writeString(target.resolve("rapids.classpath"), "/rapids.jar");
        Path jar = Files.writeString(target.resolve("bellman-spark-0.jar"), "dev/bellman/cuda/fold/fold.sm_90.cubin");
        Files.createFile(target.resolve("bellman-spark-0-bench.jar"));
        Files.createFile(target.resolve("bellman-spark-0-check.jar"));
        Files.setLastModifiedTime(jar, FileTime.fromMillis(System.currentTimeMillis() + 60_000));
        script(root.resolve("spark/bin/spark-submit"), PRINT_ARGUMENTS);
        gpus(0);
    }

    private void gpus(int count) throws IOException {
        script(
                root.resolve("bin/nvidia-smi"),
                "#!/bin/sh\n" + "echo GPU\n".repeat(count) + "exit " + (count > 0 ? 0 : 9) + "\n");
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
        // a process in the background ignores INT, and so would the launcher
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
        assertThat(launch(withoutSpark, "--help").arguments())
                .contains(classpath + name + "-bench.jar:" + name + "-check.jar:spark.jar");
        assertThat(launch(withoutSpark, "functions").arguments()).contains(classpath + "spark.jar");

        Files.delete(Path.of(jar));
        Launch without = launch(command, "pairs");
        assertThat(without.code()).isEqualTo(2);
        assertThat(without.err())
                .startsWith("error: [BELLMAN_CONFIGURATION] " + command + " needs " + jar + ", which is not here; ")
                .hasLineCount(1);
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
        gpus(1);
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
        assertThat(launch("run", "job.yaml", "--engine", "gpu", "--master", "k8s://https://example")
                        .valuesOf("--conf"))
                .contains(
                        "spark.executor.resource.gpu.vendor=nvidia.com",
                        "spark.executor.resource.gpu.discoveryScript=/opt/bellman/submit/get-gpu-resources.sh");
        assertThat(launch("run", "job.yaml", "--master", "yarn").valuesOf("--files"))
                .isEmpty();
    }

    /** How runs go on several GPUs is tried by {@link GpuClusterTest}. */
    @Test
    void gpusOfThisHost() throws Exception {
        gpus(4);
        Files.writeString(root.resolve("mine.conf"), "spark.x y\n");
        for (List<String> asked : List.of(List.<String>of(), List.of("--gpus=all"), List.of("--gpus", "3"))) {
            Launch launch = launch(Stream.concat(
                            Stream.of("run", "job.yaml", "--properties-file=" + root.resolve("mine.conf"), "--quiet"),
                            asked.stream())
                    .toArray(String[]::new));
            int gpus = asked.contains("3") ? 3 : 4;

            assertThat(launch.own()).containsExactly("run", "job.yaml", "--quiet");
            assertThat(launch.valuesOf("--master")).singleElement().asString().startsWith("local-cluster[1,");
            Path settings = Path.of(launch.valuesOf("--properties-file").get(0));
            assertThat(settings)
                    .content()
                    .containsPattern("spark.worker.resource.gpu.amount +" + gpus)
                    .contains("spark.x y", "spark.authenticate.secret ");
            assertThat(settings.resolveSibling("gpus.json"))
                    .content()
                    .contains(
                            "\"addresses\": " + (gpus == 3 ? "[\"0\", \"1\", \"2\"]" : "[\"0\", \"1\", \"2\", \"3\"]"));
            // others could guess the names of the files in it
            Path panels = Files.readAllLines(settings).stream()
                    .filter(line -> line.startsWith("spark.bellman.tiles.exchangeDirectory"))
                    .map(line -> Path.of(line.replaceFirst(".*file:", "")))
                    .findFirst()
                    .orElseThrow();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(panels)))
                    .isEqualTo("rwx------");
        }
        assertThat(launch("run", "job.yaml", "--gpus=1").valuesOf("--master")).isEmpty();
        assertThat(launch(
                                Map.of("SPARK_HOME", root.resolve("spark").toString(), "CUDA_VISIBLE_DEVICES", "2"),
                                "run",
                                "job.yaml")
                        .valuesOf("--master"))
                .isEmpty();
        assertThat(launch("bench", "pairs").valuesOf("--master")).isEmpty();
        Files.delete(root.resolve("spark-job/target/rapids.classpath"));
        assertThat(launch("run", "job.yaml", "--gpus=2").err())
                .startsWith("error: [BELLMAN_GPU_REQUIRED] --gpus needs the RAPIDS");
        assertThat(launch("run", "job.yaml", "--master=local[2]").valuesOf("--master"))
                .containsExactly("local[2]");
    }

    @ParameterizedTest
    @CsvSource({
        "--gpus=5, 4, BELLMAN_GPU_REQUIRED",
        "--gpus=0, 1, BELLMAN_USAGE",
        "--gpus=some, 1, BELLMAN_USAGE",
        "--gpus, 1, BELLMAN_USAGE",
        "--gpus=2 --engine=cpu, 1, BELLMAN_USAGE",
        "--gpus=2 --master=yarn, 1, BELLMAN_USAGE",
    })
    void gpusThatCannotBe(String flags, int code, String error) throws Exception {
        gpus(4);
        Launch launch = launch(Stream.concat(Stream.of("run", "job.yaml"), Stream.of(flags.split(" ")))
                .toArray(String[]::new));
        assertThat(launch.err()).startsWith("error: [" + error + "] ");
        assertThat(launch.code()).isEqualTo(code);
    }

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
                .contains("needs 4.0 to 4.3 with Scala 2.13")
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
                .contains("which has no bin/spark-submit");
    }

    @Test
    void anotherJava() throws Exception {
        Path old = root.resolve("jdk11");
        script(old.resolve("bin/java"), "#!/bin/sh\n");
        Files.writeString(old.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");
        assertThat(launch(Map.of("JAVA_HOME", old.toString()), "run", "job.yaml")
                        .err())
                .startsWith("error: [BELLMAN_CONFIGURATION] " + old.toRealPath() + " is Java 11, and Bellman needs 17");
        assertThat(launch(Map.of("JAVA_HOME", root.resolve("none").toString()), "run", "job.yaml")
                        .err())
                .startsWith("error: [BELLMAN_CONFIGURATION] there is no Java at JAVA_HOME=");
    }

    /** The first build, by a Maven that fails and one that works. */
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
                        error: [BELLMAN_INTERNAL] the build failed; its log is %s
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

    /** A Maven that writes its options to a file, prints, and makes a jar. */
    private void mavenMakes(Path jar, String prints) throws IOException {
        script(root.resolve("bin/mvn"), """
                #!/bin/bash
                echo "$*" >'%s/options'
                %s
                echo '%s' >'%s'
                """.formatted(root, prints, "dev/bellman/cuda/fold/fold.sm_90.cubin", jar));
    }

    /** The last tenth comes between the steps of the build, whose time is not one of downloads. */
    @ParameterizedTest
    @CsvSource({"56, ', about \\d+ s left for the rest'", "241, ''"})
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

    /** The GPU side is built where there is a GPU that may be used, even if the jar is there without it. */
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

    /**
     * Of three runs on the embedded Spark, the first lists classes, the second has them archived, and the third uses
     * the archive.
     */
    @Test
    void archiveOfClasses() throws Exception {
        Map<String, String> environment = javaWithArchives();

        assertThat(launch(environment, "run", "job.yaml").arguments())
                .contains("-Done=1", "org.apache.spark.deploy.SparkSubmit")
                .anyMatch(argument -> argument.startsWith("-XX:DumpLoadedClassList="))
                .noneMatch(argument -> argument.startsWith("-XX:SharedArchiveFile="));
        assertThat(launch(environment, "run", "job.yaml").arguments())
                .noneMatch(argument -> argument.matches("-XX:(DumpLoadedClassList|SharedArchiveFile)=.*"));
        Path archive = archive(root.resolve("cache/bellman"));
        assertThat(archive).content().contains("-Xshare:dump").contains("-cp spark.jar");
        assertThat(launch(environment, "run", "job.yaml").arguments()).contains("-XX:SharedArchiveFile=" + archive);

        Map<String, String> recorded = new HashMap<>(environment);
        recorded.put("JAVA_TOOL_OPTIONS", "-XX:StartFlightRecording=duration=9s");
        assertThat(launch(recorded, "run", "job.yaml").arguments())
                .contains("org.apache.spark.deploy.SparkSubmit")
                .noneMatch(argument -> argument.startsWith("-XX:SharedArchiveFile="));

        Files.writeString(root.resolve("spark-job/target/spark.classpath"), "another.jar");
        assertThat(launch(environment, "run", "job.yaml").arguments())
                .noneMatch(argument -> argument.startsWith("-XX:SharedArchiveFile="));
    }

    /** The environment of a Java whose archives are texts. */
    private Map<String, String> javaWithArchives() throws IOException {
        Path target = root.resolve("spark-job/target");
        Files.createDirectories(target.resolve("classes/dev/bellman/job"));
        Files.writeString(target.resolve("classes/dev/bellman/job/spark-jvm.options"), "-Done=1 -Dtwo=2");
        script(root.resolve("jdk/bin/java"), """
                #!/bin/bash
                for each; do
                  case $each in
                    -XX:DumpLoadedClassList=*) seq 20000 >"${each#*=}" ;;
                    -XX:SharedArchiveFile=*.new) echo "$*" >"${each#*=}"; chmod 444 "${each#*=}"; exit ;;
                  esac
                  printf '%s\\0' "$each"
                done
                """);
        return Map.of("JAVA_HOME", root.resolve("jdk").toString());
    }

    /** Java itself tells that it crashed with an archive, and what to do. */
    @Test
    void crashWithArchive() throws Exception {
        Map<String, String> environment = javaWithArchives();
        launch(environment, "run", "job.yaml");
        launch(environment, "run", "job.yaml");
        Path archive = archive(root.resolve("cache/bellman"));
        List<String> options = launch(environment, "run", "job.yaml").arguments().stream()
                .filter(argument -> argument.matches("-XX:(ErrorFile|OnError)=.*"))
                .toList();
        assertThat(options).contains("-XX:ErrorFile=" + archive + ".crash");

        String java = Path.of(System.getProperty("java.home"), "bin/java").toString();
        Path waiting = Files.writeString(root.resolve("Waiting.java"), """
                class Waiting {
                    public static void main(String[] none) throws Exception {
                        new ProcessBuilder("kill", "-SEGV", "" + ProcessHandle.current().pid()).start();
                        Thread.sleep(60_000);
                    }
                }
                """);
        List<String> command = new ArrayList<>(List.of(java, "-XX:-CreateCoredumpOnCrash"));
        command.addAll(options);
        command.add(waiting.toString());
        Path messages = root.resolve("messages");
        Process crashed = new ProcessBuilder(command)
                .redirectError(messages.toFile())
                .redirectOutput(root.resolve("printed").toFile())
                .start();
        assertThat(crashed.waitFor()).isNotZero();
        assertThat(messages)
                .content()
                .contains("error: [BELLMAN_INTERNAL] Java crashed")
                .contains("Run the command again");
        assertThat(Path.of(archive + ".crash")).exists();
        assertThat(launch(environment, "run", "job.yaml").arguments())
                .noneMatch(argument -> argument.startsWith("-XX:SharedArchiveFile="));
    }

    /** What was done to an archive, and whether runs use it nonetheless. */
    @ParameterizedTest
    @CsvSource({
        "true, ':'",
        "true, 'cp -p $0 copy; mv -f copy $0'",
        "true, 'touch $0'",
        "false, 'chmod u+w $0; echo more >>$0'",
        "false, 'chmod u+w $0; touch -r $0 then; printf x | dd of=$0 conv=notrunc; touch -r then $0'",
        "false, 'chmod u+w $0; : >$0'",
        "false, 'chmod 664 $0'",
        "false, 'chmod 666 $0.sum'",
        "false, 'mv $0 other; ln -s $PWD/other $0'",
        "false, 'rm $0.sum'",
        "false, 'rm $0'",
        "false, ': >$0.sum'",
        "false, 'sleep 0.1; : >$0.crash'"
    })
    void whoChangesAnArchive(boolean used, String change) throws Exception {
        Map<String, String> environment = javaWithArchives();
        launch(environment, "run", "job.yaml");
        launch(environment, "run", "job.yaml");
        Path cache = root.resolve("cache/bellman");
        Path archive = archive(cache);
        new ProcessBuilder("bash", "-c", change, archive.toString())
                .directory(root.toFile())
                .redirectErrorStream(true)
                .redirectOutput(root.resolve("changed").toFile())
                .start()
                .waitFor();

        List<String> arguments = launch(environment, "run", "job.yaml").arguments();
        assertThat(arguments).contains("org.apache.spark.deploy.SparkSubmit");
        String option = "-XX:SharedArchiveFile=" + archive;
        if (used) {
            assertThat(arguments).contains(option);
        } else {
            assertThat(arguments).noneMatch(argument -> argument.startsWith("-XX:SharedArchiveFile="));
            archive(cache);
        }
        assertThat(launch(environment, "run", "job.yaml").arguments()).contains(option);
    }

    /** A Spark on this host without settings starts without spark-submit's scripts, and its jars are archived. */
    @Test
    void plainSpark() throws Exception {
        Path target = root.resolve("spark-job/target");
        Files.createDirectories(target.resolve("classes/dev/bellman/job"));
        Files.writeString(target.resolve("classes/dev/bellman/job/spark-jvm.options"), "-Done=1 -Dtwo=2");
        Path jars = root.resolve("spark/jars");
        Files.createFile(jars.resolve("spark-core_2.13-4.1.3.jar"));
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

        String core = jars.resolve("spark-core_2.13-4.1.3.jar").toString();
        String conf = root.resolve("spark/conf").toString();
        assertThat(launch(environment, "run", "job.yaml", "--engine", "cpu").arguments())
                .contains(direct, "org.apache.spark.deploy.SparkSubmit", core + ":" + conf)
                .anyMatch(argument -> argument.startsWith("-XX:DumpLoadedClassList="));
        assertThat(launch(environment, "run", "job.yaml").arguments())
                .contains(direct, core + ":" + rapids + ":" + conf)
                .doesNotContain("--jars");

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

    /** Waits for it. */
    private static Path archive(Path folder) throws IOException, InterruptedException {
        while (true) {
            try (Stream<Path> files = Files.list(folder)) {
                Optional<Path> sum =
                        files.filter(file -> file.toString().endsWith(".sum")).findAny();
                if (sum.isPresent()) {
                    return Path.of(sum.get().toString().replaceFirst(".sum$", ""));
                }
            }
            Thread.sleep(20);
        }
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

    @Test
    void packagesComeFromTheCentralRepositoryFirst() throws Exception {
        String ours = "spark.jars.ivySettings=" + root.resolve("conf/ivy.xml");

        assertThat(launch("run", "job.yaml", "--packages", "a:b:1").valuesOf("--conf"))
                .contains(ours);
        assertThat(launch("run", "--conf=spark.jars.packages=a:b:1").valuesOf("--conf"))
                .contains(ours);
        assertThat(launch("run", "--packages=a:b:1", "--conf=spark.jars.ivySettings=own.xml")
                        .valuesOf("--conf"))
                .endsWith("spark.jars.ivySettings=own.xml");
        assertThat(launch("run", "job.yaml").valuesOf("--conf")).doesNotContain(ours);
        // the driver is on another host, which has no such file
        assertThat(launch("run", "--packages=a:b:1", "--master=yarn", "--deploy-mode=cluster")
                        .valuesOf("--conf"))
                .doesNotContain(ours);
        Files.writeString(root.resolve("own.conf"), "spark.jars.ivySettings  own.xml\n");
        assertThat(launch("run", "--packages=a:b:1", "--properties-file=" + root.resolve("own.conf"))
                        .valuesOf("--conf"))
                .doesNotContain(ours);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unresolved dependency: no.such#thing_2.13;1.0: not found, download failed: a.b#c;2-x!c.jar | "
                        + "no.such:thing_2.13:1.0, a.b:c:2-x",
                "download failed: io.delta#delta-storage;4.4.0!delta-storage.jar | io.delta:delta-storage:4.4.0"
            })
    void packagesThatCannotBeHad(String problems, String names) throws Exception {
        script(root.resolve("spark/bin/spark-submit"), """
                #!/bin/sh
                echo ':: resolving dependencies ::' >&2
                echo 'Exception in thread "main" java.lang.RuntimeException: [%s]' >&2
                echo '\tat org.apache.spark.util.MavenUtils' >&2
                exit 1
                """.formatted(problems));

        Launch launch = launch("run", "job.yaml", "--packages=no.such:thing_2.13:1.0");

        assertThat(launch.code()).isEqualTo(2);
        assertThat(launch.err())
                .startsWith(
                        ":: resolving dependencies ::\nerror: [BELLMAN_CONFIGURATION] Spark cannot find or download "
                                + "the packages "
                                + names + "; ")
                .hasLineCount(2);
    }

    @Test
    void runWithPackagesEndsAsSparkDoes() throws Exception {
        String text =
                "Exception in thread \"main\" java.lang.RuntimeException: [unresolved dependency: a#b;1: of the job]";
        script(
                root.resolve("spark/bin/spark-submit"),
                "#!/bin/sh\nprintf '%s\n' ':: retrieving :: x' '" + text + "' 'no end' >&2\nexit 5\n");

        Launch launch = launch("run", "job.yaml", "--packages=a:b:1");

        assertThat(launch.code()).isEqualTo(5);
        assertThat(launch.err()).isEqualTo(":: retrieving :: x\n" + text + "\nno end\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void runWithPackagesIsStopped(String signal) throws Exception {
        script(
                root.resolve("spark/bin/spark-submit"),
                "#!/bin/bash\ntrap 'echo stopped >&2; exit 3' " + signal + "\nkill -" + signal
                        + " $PPID\nfor i in {1..600}; do sleep 0.1; done\n");

        Launch launch = launch("run", "job.yaml", "--packages=a:b:1");

        assertThat(launch.code()).isEqualTo(3);
        assertThat(launch.err()).contains("stopped\n");
    }
}
