package dev.bellman.columns;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TaskGpuTest {
    @Test
    void rapidsVersion() {
        assertThat(new TaskGpu().rapidsVersion().orElseThrow()).matches("\\d+[.]\\d+[.]\\d+.*");
    }
}
