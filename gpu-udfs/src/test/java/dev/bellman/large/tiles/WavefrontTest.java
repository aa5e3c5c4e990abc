package dev.bellman.large.tiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WavefrontTest {
    @ParameterizedTest
    @CsvSource({"1, 1, 1", "7, 5, 1", "1, 9, 3", "9, 1, 3", "40, 3, 4", "3, 40, 4", "100, 100, 3"})
    void eachTileOnceAfterThoseThatItNeeds(int rows, int columns, int threads) {
        Set<Tile> done = ConcurrentHashMap.newKeySet();
        Wavefront.run(rows, columns, threads, (row, column) -> {
            assertThat(row == 0 || done.contains(new Tile(row - 1, column))).isTrue();
            assertThat(column == 0 || done.contains(new Tile(row, column - 1))).isTrue();
            assertThat(done.add(new Tile(row, column))).isTrue();
        });
        assertThat(done).hasSize(rows * columns);
    }

    @Test
    void aTileThatFailsEndsIt() {
        assertThatThrownBy(() -> Wavefront.run(20, 20, 3, (row, column) -> {
                    if (row == 7 && column == 3) {
                        throw new IllegalStateException("failed");
                    }
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("failed");
    }
}
