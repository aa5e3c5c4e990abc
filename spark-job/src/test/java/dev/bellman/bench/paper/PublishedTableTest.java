package dev.bellman.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublishedTableTest {
    @ParameterizedTest
    @CsvSource({
        "javanmard, gap, 32768, 2.8",
        "javanmard, floyd-warshall, 131072, 3.1",
        "matsumae, 18, pipeline, 2408",
        "wani, 5000, gpu, 41045.9",
        "wani, 2500, cpu, 25860",
        "wu, 1, 128, 60",
        "wu, 256, 256, 90",
        "wu, 4096, 4096, 9060",
        "zhao, 60000, gpu, 185.7801",
        "zhao, 2000, row-wise 32, 52.2534"
    })
    void figures(String table, String row, String column, double milliseconds) {
        assertThat(PublishedTable.of(table).figure(row, column)).hasValue(milliseconds);
    }

    @ParameterizedTest
    @CsvSource({
        "javanmard, floyd-warshall, 32768",
        "wu, 256, 128",
        "wu, 2, 128",
        "wani, 2500, sequential",
        "wani, 2500, matrices"
    })
    void absent(String table, String row, String column) {
        assertThat(PublishedTable.of(table).figure(row, column)).isEmpty();
    }

    @Test
    void least() {
        PublishedTable table = PublishedTable.of("matsumae");

        assertThat(table.least(14)).hasValue(64);
        assertThat(table.least(15)).isEmpty();
    }
}
