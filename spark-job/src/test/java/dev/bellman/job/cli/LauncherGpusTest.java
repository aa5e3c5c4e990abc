package dev.bellman.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.GpuClusterTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the launcher on hosts with and without GPUs. */
class LauncherGpusTest extends LauncherFixture {
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

    /** {@link GpuClusterTest} tests runs on several GPUs. */
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
            // other users could guess the names of the files in the folder
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
        "--gpus=0, 1, BELLMAN_USAGE] --gpus is 0; it must be a number of GPUs",
        "--gpus=some, 1, BELLMAN_USAGE] --gpus is some; it must be a number of GPUs",
        "--gpus, 1, BELLMAN_USAGE] --gpus is missing; it must be a number of GPUs",
        "--gpus=, 1, BELLMAN_USAGE] --gpus is missing; it must be a number of GPUs",
        "--gpus=2 --engine=cpu, 1, BELLMAN_USAGE",
        "--gpus=2 --master=yarn, 1, BELLMAN_USAGE",
    })
    void gpusThatCannotBe(String flags, int code, String error) throws Exception {
        gpus(4);
        Launch launch = launch(Stream.concat(Stream.of("run", "job.yaml"), Stream.of(flags.split(" ")))
                .toArray(String[]::new));
        assertThat(launch.err()).startsWith("error: [" + error);
        assertThat(launch.code()).isEqualTo(code);
    }

    @Test
    void noGpu() throws Exception {
        Launch launch = launch("run", "job.yaml", "--engine", "gpu");

        assertThat(launch.err()).startsWith("error: [BELLMAN_GPU_REQUIRED] ");
        assertThat(launch.code()).isEqualTo(4);
    }
}
