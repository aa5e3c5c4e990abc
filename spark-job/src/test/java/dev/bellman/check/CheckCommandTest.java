package dev.bellman.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

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
}
