package dev.bellman.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the launcher with packages that Spark downloads. */
class LauncherPackagesTest extends LauncherFixture {
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
        // the driver is on a different host, which does not have this file
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
