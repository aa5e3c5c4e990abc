package dev.bellman.job.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DescriptionsTest {
    /** Checks that keys are sorted only if their map has no defined order. */
    @Test
    void json() {
        Map<String, Object> description = new LinkedHashMap<>();
        description.put("versions", Map.of("spark", "4.1", "java", "17", "bellman", "0.3", "scala", "2.13"));
        description.put("limits", List.of(Map.of("share", 0.5, "run", 3, "all", 6, "of", "a core")));
        assertThat(Descriptions.json(description)).isEqualToIgnoringWhitespace("""
                {
                  "versions": {"bellman": "0.3", "java": "17", "scala": "2.13", "spark": "4.1"},
                  "limits": [{"all": 6, "of": "a core", "run": 3, "share": 0.5}]
                }
                """);
    }
}
