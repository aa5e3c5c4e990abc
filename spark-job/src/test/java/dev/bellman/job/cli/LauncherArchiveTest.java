package dev.bellman.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which runs list, archive and use classes, with a fake Java whose archives are text files. */
class LauncherArchiveTest extends LauncherFixture {
    /** On the embedded Spark, the first run lists classes. They are archived after it ends, and later runs use them. */
    @Test
    void archiveOfClasses() throws Exception {
        Map<String, String> environment = javaWithArchives();
        String jar = root.resolve("spark-job/target/bellman-spark-0.jar").toString();

        // commands other than run load fewer classes
        assertThat(launch(environment, "generate", "pairs").arguments())
                .noneMatch(argument -> argument.startsWith("-XX:DumpLoadedClassList="));
        assertThat(launch(environment, "run", "job.yaml").arguments())
                .contains("-Done=1", "org.apache.spark.deploy.SparkSubmit")
                .anyMatch(argument -> argument.startsWith("-XX:DumpLoadedClassList="))
                .noneMatch(argument -> argument.startsWith("-XX:SharedArchiveFile="));
        Path archive = archive(root.resolve("cache/bellman"));
        assertThat(archive)
                .content()
                .contains("-Xshare:dump")
                .contains("-cp " + jar + ":spark.jar")
                .doesNotContain("-XX:DumpLoadedClassList=");
        assertThat(launch(environment, "run", "job.yaml").arguments()).contains("-XX:SharedArchiveFile=" + archive);

        // Bellman's classes in an archive cannot find classes in other jars
        assertThat(launch(environment, "generate", "pairs", "--jars=other.jar").arguments())
                .contains("spark.jar")
                .noneMatch(argument -> argument.startsWith("-XX:SharedArchiveFile="));

        Files.writeString(root.resolve("spark-job/target/spark.classpath"), "another.jar");
        assertThat(launch(environment, "generate", "pairs").arguments())
                .noneMatch(argument -> argument.startsWith("-XX:SharedArchiveFile="));
    }

    /** Drivers with larger heaps have their own archive, because Java does not compress pointers in them. */
    @ParameterizedTest
    @CsvSource({"31g, false", "32736m, false", "32737m, true", "49152m, true"})
    void archiveForLargeHeap(String memory, boolean isLarge) throws Exception {
        Map<String, String> environment = new HashMap<>(javaWithArchives());
        launch(environment, "run", "job.yaml");
        Path small = archive(root.resolve("cache/bellman"));
        assertThat(small).content().doesNotContain("UseCompressedOops");
        environment.put("BELLMAN_DRIVER_MEMORY", memory);
        List<String> arguments = launch(environment, "run", "job.yaml").arguments();
        assertThat(arguments.contains("-XX:SharedArchiveFile=" + small)).isNotEqualTo(isLarge);
        if (isLarge) {
            while (sums(root.resolve("cache/bellman")).size() < 2) {
                Thread.sleep(20);
            }
            assertThat(launch(environment, "run", "job.yaml").arguments())
                    .filteredOn(argument -> argument.startsWith("-XX:SharedArchiveFile="))
                    .singleElement()
                    .satisfies(option -> assertThat(Path.of(option.substring(option.indexOf('=') + 1)))
                            .content()
                            .contains("-XX:-UseCompressedOops"));
        }
    }

    /** The executors of several GPUs also list classes, and later use the archive. */
    @Test
    void archiveOfExecutors() throws Exception {
        gpus(2);
        Map<String, String> environment = javaWithArchives();
        Path cache = root.resolve("cache/bellman");
        String jars = root.resolve("spark-job/target/bellman-spark-0.jar") + ":spark.jar";

        assertThat(settingsOf(launch(environment, "run", "job.yaml")))
                .contains("spark.executor.extraClassPath " + jars)
                .contains("spark.executor.defaultJavaOptions \"-XX:DumpLoadedClassList=" + cache + "/spark-")
                .contains(".classes.{{EXECUTOR_ID}}\"");
        Path archive = archive(cache);
        assertThat(settingsOf(launch(environment, "run", "job.yaml")))
                .contains("spark.executor.extraClassPath " + jars)
                .contains("spark.executor.defaultJavaOptions -XX:SharedArchiveFile=" + archive + " ");

        Path mine = Files.writeString(root.resolve("mine"), "spark.executor.extraClassPath /mine\n");
        assertThat(settingsOf(launch(environment, "run", "job.yaml", "--properties-file=" + mine)))
                .contains("spark.executor.extraClassPath /mine")
                .doesNotContain(jars);
    }

    /** A site's own spark-submit starts the driver with the archive, too, unless its settings could conflict with it. */
    @Test
    void archiveWithSparkSubmit() throws Exception {
        Map<String, String> environment = new HashMap<>(javaWithArchives());
        environment.put("SPARK_HOME", root.resolve("spark").toString());
        script(root.resolve("spark/bin/spark-submit"), """
                #!/bin/bash
                printf '%s\\0' "$@"
                # Spark parses quotes like a shell, except that it expands nothing
                eval "given=($SPARK_SUBMIT_OPTS)"
                printf '%s\\n' "${given[@]}" >"$SPARK_HOME/given"
                for each in "${given[@]}"; do
                  case $each in -XX:DumpLoadedClassList=*) seq 20000 >"${each#*=}" ;; esac
                done
                """);
        Path launcher = root.resolve("spark/bin/spark-class");
        script(launcher, "java org.apache.spark.launcher.Main");
        Path given = root.resolve("spark/given");
        Path core = Files.createFile(root.resolve("spark/jars/spark-core_2.13-4.1.3.jar"));
        String classPath = root.resolve("spark-job/target/bellman-spark-0.jar") + ":" + core;
        String lists = "-XX:DumpLoadedClassList=";
        String uses = "-XX:SharedArchiveFile=";

        assertThat(launch(environment, "generate", "pairs").valuesOf("--driver-class-path"))
                .isEmpty();
        assertThat(launch(environment, "run", "job.yaml", "--master=spark://host:7077")
                        .valuesOf("--driver-class-path"))
                .containsExactly(classPath);
        assertThat(given).content().contains(lists).doesNotContain(uses);
        Path archive = archive(root.resolve("cache/bellman"));
        assertThat(archive).content().contains("-Xshare:dump").contains("-cp " + classPath);
        assertThat(launch(environment, "run", "job.yaml").valuesOf("--driver-class-path"))
                .containsExactly(classPath);
        assertThat(given)
                .content()
                .contains("\n" + uses + archive + "\n", "\n-Xlog:cds*=off\n", "error: [BELLMAN_INTERNAL] Java crashed");

        for (List<String> options : List.of(
                List.of("--driver-class-path=mine"),
                List.of("--conf=spark.driver.extraClassPath=mine"),
                List.of("--deploy-mode=cluster"),
                List.of("--driver-java-options=-javaagent:agent.jar"))) {
            String[] command = Stream.concat(Stream.of("run", "job.yaml"), options.stream())
                    .toArray(String[]::new);
            assertThat(launch(environment, command).spark()).as("%s", options).doesNotContain(classPath);
            assertThat(given).content().as("%s", options).doesNotContain(lists, uses);
        }
        for (String line : List.of(
                "spark.driver.extraClassPath mine",
                "spark.submit.deployMode=cluster",
                "spark.driver.extraJavaOptions -javaagent:agent.jar")) {
            Files.createDirectories(root.resolve("spark/conf"));
            Files.writeString(root.resolve("spark/conf/spark-defaults.conf"), line + "\n");
            assertThat(launch(environment, "run", "job.yaml").spark()).as(line).doesNotContain(classPath);
            assertThat(given).content().as(line).doesNotContain(lists, uses);
        }
        Files.delete(root.resolve("spark/conf/spark-defaults.conf"));
        for (String[] file :
                new String[][] {{"spark-env.sh", "export SPARK_HOME=/other"}, {"java-opts", "-javaagent:agent.jar"}}) {
            Path settings = Files.writeString(root.resolve("spark/conf").resolve(file[0]), file[1]);
            assertThat(launch(environment, "run", "job.yaml").spark())
                    .as(file[0])
                    .doesNotContain(classPath);
            assertThat(given).content().as(file[0]).doesNotContain(lists, uses);
            Files.delete(settings);
        }
        assertThat(launch(environment, "run", "job.yaml").spark()).contains(classPath);
        script(launcher, "java $SPARK_SUBMIT_OPTS");
        assertThat(launch(environment, "run", "job.yaml").spark()).doesNotContain(classPath);
        assertThat(given).content().doesNotContain(lists, uses);
    }

    /** Runs without an archive if the environment prevents it, and reports nothing. */
    @ParameterizedTest
    @CsvSource({
        "JAVA_TOOL_OPTIONS, -XX:StartFlightRecording=duration=9s",
        "_JAVA_OPTIONS, -javaagent:agent.jar",
        "JDK_JAVA_OPTIONS, -Xshare:off",
        "XDG_CACHE_HOME, $root/10:30",
        "XDG_CACHE_HOME, relative",
        "XDG_CACHE_HOME, /dev/null"
    })
    void environmentWithoutArchive(String name, String value) throws Exception {
        Map<String, String> environment = new HashMap<>(javaWithArchives());
        environment.put(name, value.replace("$root", root.toString()));

        Launch launch = launch(environment, "run", "job.yaml");

        assertThat(launch.arguments())
                .contains("org.apache.spark.deploy.SparkSubmit")
                .noneMatch(argument -> argument.matches("-XX:(DumpLoadedClassList|SharedArchiveFile)=.*"));
        assertThat(launch.err()).isEmpty();
    }

    /** After Java or a jar was replaced by a file with the same name, a run lists classes again. */
    @ParameterizedTest
    @ValueSource(strings = {"jdk/bin/java", "core.jar", "spark-job/target/bellman-spark-0.jar"})
    void replacedFile(String file) throws Exception {
        Map<String, String> environment = javaWithArchives();
        Path core = Files.createFile(root.resolve("core.jar"));
        Files.writeString(root.resolve("spark-job/target/spark.classpath"), core.toString());
        launch(environment, "run", "job.yaml");
        archive(root.resolve("cache/bellman"));

        Files.setLastModifiedTime(root.resolve(file), FileTime.fromMillis(System.currentTimeMillis() + 90_000));

        assertThat(launch(environment, "run", "job.yaml").arguments())
                .anyMatch(argument -> argument.startsWith("-XX:DumpLoadedClassList="));
        // otherwise, the second archive would be written while JUnit deletes the folder
        while (sums(root.resolve("cache/bellman")).size() < 2) {
            Thread.sleep(20);
        }
    }

    /** If Java cannot read the list of a run that was killed, the next run lists classes again. Unfinished archives are deleted. */
    @Test
    void listOfKilledRun() throws Exception {
        Map<String, String> environment = javaWithArchives();
        Path cache = Files.createDirectories(root.resolve("cache/bellman"));
        Path unfinished = Files.createFile(cache.resolve("spark-1.jsa.new"));
        Files.setLastModifiedTime(unfinished, FileTime.fromMillis(System.currentTimeMillis() - 7_200_000));
        Path killed = Files.createFile(root.resolve("killed"));
        launch(environment, "run", "job.yaml");
        try (Stream<Path> files = Files.list(cache)) {
            assertThat(files).noneMatch(file -> file.toString().endsWith(".sum"));
        }
        awaitNone(cache, ".classes");
        assertThat(unfinished).doesNotExist();

        Files.delete(killed);
        assertThat(launch(environment, "run", "job.yaml").arguments())
                .anyMatch(argument -> argument.startsWith("-XX:DumpLoadedClassList="));
        archive(cache);
    }

    /** A list of classes from an earlier run is archived immediately, unless it is short because that run failed. */
    @ParameterizedTest
    @ValueSource(ints = {9, 20_000})
    void listOfEarlierRun(int classes) throws Exception {
        Map<String, String> environment = javaWithArchives();
        launch(environment, "generate", "pairs");
        Path cache = root.resolve("cache/bellman");
        Path lock;
        try (Stream<Path> files = Files.list(cache)) {
            lock = files.findAny().orElseThrow();
        }
        Files.writeString(Path.of(lock.toString().replaceFirst("lock$", "classes")), "class\n".repeat(classes));

        boolean lists = launch(environment, "run", "job.yaml").arguments().stream()
                .anyMatch(argument -> argument.startsWith("-XX:DumpLoadedClassList="));

        assertThat(lists).isEqualTo(classes == 9);
        archive(cache);
    }

    /** A process may write an archive between a run's first check and its lock. The run uses this archive. */
    @Test
    void archiveOfAnotherProcess() throws Exception {
        Map<String, String> environment = javaWithArchives();
        launch(environment, "run", "job.yaml");
        Path archive = archive(root.resolve("cache/bellman"));
        Path sum = Path.of(archive + ".sum");
        Path hidden = Files.move(sum, root.resolve("sum"));
        script(root.resolve("bin/flock"), "#!/bin/sh\nmv '%s' '%s'\n".formatted(hidden, sum));

        assertThat(launch(environment, "run", "job.yaml").arguments()).contains("-XX:SharedArchiveFile=" + archive);
        assertThat(archive).exists();
    }

    /** Returns an environment with the fake Java. */
    private Map<String, String> javaWithArchives() throws IOException {
        Path target = root.resolve("spark-job/target");
        Files.createDirectories(target.resolve("classes/dev/bellman/job"));
        Files.writeString(target.resolve("classes/dev/bellman/job/spark-jvm.options"), "-Done=1 -Dtwo=2");
        script(root.resolve("jdk/bin/java"), """
                #!/bin/bash
                for each; do
                  case $each in
                    -XX:DumpLoadedClassList=*)
                      seq 20000 >"${each#*=}"
                      echo '@lambda-form-invoker [SPECIES_RESOLVE] java.lang.invoke.BoundMethodHandle$Species_LI' >>"${each#*=}"
                      ;;
                    -Xshare:dump) [ ! -e "$JAVA_HOME/../killed" ] || exit 1 ;;
                    -XX:SharedClassListFile=*) ! grep SPECIES_RESOLVE "${each#*=}" || exit ;;
                    -XX:SharedArchiveFile=*.new) echo "$*" >"${each#*=}"; chmod 444 "${each#*=}"; exit ;;
                  esac
                  printf '%s\\0' "$each"
                done
                """);
        return Map.of("JAVA_HOME", root.resolve("jdk").toString());
    }

    /** If Java crashes with an archive, Java itself reports the crash and a remedy. */
    @Test
    void crashWithArchive() throws Exception {
        Map<String, String> environment = javaWithArchives();
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
        archive(root.resolve("cache/bellman"));
    }

    /** Changes an archive, and tests whether later runs still use it. */
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

    /** Waits until no file's name has this ending. */
    private static void awaitNone(Path folder, String ending) throws IOException, InterruptedException {
        while (true) {
            try (Stream<Path> files = Files.list(folder)) {
                if (files.noneMatch(file -> file.toString().endsWith(ending))) {
                    return;
                }
            }
            Thread.sleep(20);
        }
    }

    /** Waits until an archive is complete, and returns its path. */
    private static Path archive(Path folder) throws IOException, InterruptedException {
        while (true) {
            List<Path> sums = sums(folder);
            if (!sums.isEmpty()) {
                return Path.of(sums.get(0).toString().replaceFirst(".sum$", ""));
            }
            Thread.sleep(20);
        }
    }

    /** Returns the files that are written after each archive. */
    private static List<Path> sums(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".sum")).toList();
        }
    }
}
