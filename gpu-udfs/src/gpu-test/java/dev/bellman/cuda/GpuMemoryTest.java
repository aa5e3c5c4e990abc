package dev.bellman.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GpuMemoryTest {
    @Test
    void launches() {
        assertThat(new GpuMemory(80L << 30).perLaunch()).isEqualTo(2L << 30);
        GpuMemory small = new GpuMemory(800);
        assertThat(small.perLaunch()).isEqualTo(100);
        assertThat(small.together(7, 10)).isEqualTo(7);
        assertThat(small.together(7, 30)).isEqualTo(3);
        assertThat(small.together(7, 500)).as("one instance may take more").isEqualTo(1);
        assertThat(small.together(7, 80, 132)).as("a quarter of an instance").isEqualTo(2);
        assertThat(small.together(7, 30, 4)).as("no fewer than otherwise").isEqualTo(4);
        assertThat(small.together(7, 0)).as("nothing to keep").isEqualTo(7);
    }

    @Test
    void largest() {
        GpuMemory memory = new GpuMemory(1_000);
        assertThat(memory.largest(Integer.MAX_VALUE, size -> 10L * size)).isEqualTo(100);
        assertThat(memory.largest(99, size -> 10L * size)).isEqualTo(99);
        assertThat(memory.largest(1 << 28, size -> 8L * size * size)).isEqualTo(11);
        assertThat(memory.largest(1 << 28, size -> 1_001)).isZero();
    }

    @Test
    void setting() {
        assertThat(GpuMemory.parse("8g")).isEqualTo(8L << 30);
        assertThat(GpuMemory.parse("100")).isEqualTo(100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "much", "0", "-5m", "5 apples"})
    void wrongSetting(String value) {
        assertThatThrownBy(() -> GpuMemory.parse(value))
                .isInstanceOfSatisfying(
                        BellmanException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BELLMAN_CONFIGURATION))
                .hasMessageContaining("spark.bellman.gpuMemory is '" + value + "'");
    }
}
