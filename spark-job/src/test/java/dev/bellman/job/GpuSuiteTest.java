package dev.bellman.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code submit/gpu-tests} with a fake GPU and a fake spark-submit, which reports results for the given classes in
 * JUnit's format.
 */
class GpuSuiteTest {
    private static final String PASS = """
            #!/bin/bash
            echo "arguments: $*" | tr ' ' '\\n' >>"$(dirname "$0")/seen"
            for each; do [[ $each != --select-class=* ]] || echo "JUnit Jupiter > ${each##*.} > works() :: SUCCESSFUL"; done
            """;

    private static final Pattern OF_GPU = Pattern.compile("(?m)^(@Tag\\(\"gpu\"\\)|class \\w+ extends GpuTest )");

    @TempDir
    Path root;

    @BeforeEach
    void install() throws IOException {
        Files.createDirectories(root.resolve("submit"));
        Files.copy(Path.of("..", "submit", "gpu-tests"), root.resolve("submit/gpu-tests"));
        Path tests = Files.createDirectories(root.resolve("spark-job/target/gpu-tests"));
        jar(
                tests.resolve("bellman-functions-tests.jar"),
                "GpuTest",
                "align/AGpuTest",
                "BGpuTest",
                "fold/CGpuTest",
                "DTest");
        jar(tests.resolve("bellman-tests.jar"), "job/EGpuTest");
        jar(tests.resolve("junit-platform-console.jar"));
        script("bin/nvidia-smi", "#!/bin/sh\necho 143771\n");
        script("spark/bin/spark-submit", PASS);
    }

    private static void jar(Path path, String... classes) throws IOException {
        try (ZipOutputStream jar = new ZipOutputStream(Files.newOutputStream(path))) {
            for (String each : classes) {
                jar.putNextEntry(new ZipEntry("dev/bellman/" + each + ".class"));
            }
        }
    }

    private void script(String path, String text) throws IOException {
        Path script = root.resolve(path);
        Files.createDirectories(script.getParent());
        Files.writeString(script, text);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Process start(String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("bash", root.resolve("submit/gpu-tests").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(root.resolve("out").toFile());
        builder.environment().put("PATH", root.resolve("bin") + ":" + System.getenv("PATH"));
        builder.environment().put("SPARK_HOME", root.resolve("spark").toString());
        return builder.start();
    }

    private String out() throws IOException {
        return Files.readString(root.resolve("out"));
    }

    @Test
    void everyClassRunsOnce() throws Exception {
        assertThat(start().waitFor()).isZero();

        assertThat(Files.readAllLines(root.resolve("spark/bin/seen")))
                .filteredOn(line -> line.startsWith("--select-class="))
                .containsExactlyInAnyOrder(
                        "--select-class=dev.bellman.align.AGpuTest",
                        "--select-class=dev.bellman.BGpuTest",
                        "--select-class=dev.bellman.fold.CGpuTest",
                        "--select-class=dev.bellman.job.EGpuTest");
        assertThat(out())
                .contains("JUnit Jupiter > AGpuTest > works() :: SUCCESSFUL")
                .containsPattern("gpu-tests: 4 passed, 0 failed, 0 skipped, in \\d+ s: OK\n$");
    }

    @Test
    void someClasses() throws Exception {
        assertThat(start(root.resolve("spark-job/target/gpu-tests").toString(), "CGpuTest", "EGpuTest")
                        .waitFor())
                .isZero();

        assertThat(out()).contains("gpu-tests: 2 passed");
    }

    @Test
    void failures() throws Exception {
        script("spark/bin/spark-submit", """
                #!/bin/bash
                echo 'JUnit Jupiter > A > works() :: SUCCESSFUL'
                echo 'JUnit Jupiter > A > two() :: ABORTED'
                [[ $* != *BGpuTest* ]] || { echo 'JUnit Jupiter > B > breaks() :: FAILED'; exit 1; }
                """);

        assertThat(start().waitFor()).isEqualTo(1);

        assertThat(out())
                .contains("results/gpu-udfs-")
                .containsPattern("gpu-tests: (\\d) passed, 1 failed, \\1 skipped, in \\d+ s: FAILED\n$");
    }

    /** An interrupted run reports its progress, and leaves no process behind. */
    @Test
    void cutOff() throws Exception {
        script("spark/bin/spark-submit", """
                #!/bin/bash
                echo 'JUnit Jupiter > A > works() :: SUCCESSFUL'
                exec sleep 3600
                """);
        Process process = start();
        while (!out().contains("SUCCESSFUL")) {
            assertThat(process.isAlive()).as(out()).isTrue();
            Thread.sleep(20);
        }
        List<ProcessHandle> sessions = process.descendants().toList();
        process.destroy();

        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isEqualTo(3);
        assertThat(out()).containsPattern("gpu-tests: [1-4] passed, 0 failed, 0 skipped, in \\d+ s: interrupted\n$");
        for (ProcessHandle session : sessions) {
            session.onExit().get(5, TimeUnit.MINUTES);
        }
    }

    @Test
    void withoutGpu() throws Exception {
        script("bin/nvidia-smi", "#!/bin/sh\nexit 9\n");

        assertThat(start().waitFor()).isEqualTo(2);

        assertThat(out()).isEqualTo("error: [BELLMAN_CONFIGURATION] nvidia-smi finds no NVIDIA GPU on this host\n");
    }

    /** The script finds GPU tests by their class names. */
    @Test
    void names() throws IOException {
        for (String module : List.of("gpu-udfs", "spark-job")) {
            try (Stream<Path> sources = Files.walk(Path.of("..", module, "src"))) {
                for (Path source :
                        (Iterable<Path>) sources.filter(path -> path.toString().endsWith("Test.java"))::iterator) {
                    if (OF_GPU.matcher(Files.readString(source)).find()) {
                        assertThat(source.getFileName().toString()).endsWith("GpuTest.java");
                    }
                }
            }
        }
    }
}
