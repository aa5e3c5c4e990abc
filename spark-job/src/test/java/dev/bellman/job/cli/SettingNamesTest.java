package dev.bellman.job.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingNamesTest {
    @ParameterizedTest
    @CsvSource({
        "spark.bellman.edit_distance.stratgy, spark.bellman.edit_distance.strategy",
        "spark.bellman.edit_distanse.strategy, spark.bellman.edit_distance.strategy",
        "spark.bellman.gpumemory, spark.bellman.gpuMemory",
        "spark.bellman.tiles.checkpoints, spark.bellman.tiles.checkpoint"
    })
    void misspelled(String name, String meant) {
        assertThatThrownBy(() -> SettingNames.check(new SparkConf(false).set(name, "x")))
                .hasMessageStartingWith(
                        "[BELLMAN_CONFIGURATION] unknown setting '" + name + "' (did you mean '" + meant + "'");
    }

    @Test
    void existing() {
        SparkConf given = new SparkConf(false)
                .set("spark.bellman.join.method", "plain")
                .set("spark.bellman.edit_distance.strategy", "serial")
                .set("spark.bellman.matrix_chain_cost.strategy", "tiled")
                .set("spark.bellmann", "not Bellman's");
        assertThatCode(() -> SettingNames.check(given)).doesNotThrowAnyException();
    }

    @Test
    void documented() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "configuration.md"));
        List<String> rows = Pattern.compile("(?m)^\\| `(spark\\.bellman\\.[\\w.]+)` \\|")
                .matcher(page)
                .results()
                .map((MatchResult row) -> row.group(1))
                .toList();
        assertThat(rows).containsExactlyInAnyOrderElementsOf(SettingNames.OTHERS);
    }
}
