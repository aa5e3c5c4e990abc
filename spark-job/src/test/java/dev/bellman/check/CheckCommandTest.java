package dev.bellman.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.job.Main;
import dev.bellman.job.run.KilledRunTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandTest {
    @Test
    void summary() {
        Finding finding = new Finding("lcs", "auto on cpu", "");

        assertThat(CheckCommand.summary(List.of(finding)))
                .startsWith("found a difference in lcs with auto on cpu; ")
                .contains("this bug");
        assertThat(CheckCommand.summary(List.of(finding, finding)))
                .startsWith("found 2 differences, the first in lcs with auto on cpu; ")
                .contains("these bugs");
    }

    @Test
    void earlyEnd(@TempDir Path folder) throws Exception {
        Path log = folder.resolve("log");
        Process process = KilledRunTest.start(
                log, Main.class, "check", "--functions", "edit_distance", "--engine", "cpu", "--minutes", "10");
        try {
            while (!Files.readString(log).contains("check: 1 functions")) {
                assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
                Thread.sleep(20);
            }
            process.destroy();

            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).isEqualTo(130);
        assertThat(Files.readString(log))
                .containsPattern("the check ended early; so far:\nfunction .*\n(edit_distance.*\n)+"
                        + "check: .*, 0 differences\n$");
    }
}
