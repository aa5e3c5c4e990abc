package dev.bellman.align.bits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.cuda.ModuleInterface;
import org.junit.jupiter.api.Test;

/** Checks that Java and the kernels agree on the tiles of a table and on the windows of the traceback. */
class PairTilesTest {
    @Test
    void numbers() {
        ModuleInterface paths = ModuleInterface.of("align/subsequence/lcs_path");
        ModuleInterface pairs = ModuleInterface.of("align/pair_batch");

        assertThat(PairStripes.WORDS_PER_TILE).isEqualTo(paths.constant("TILE_LANES"));
        assertThat(PairPaths.TILE_WORDS).isEqualTo(paths.constant("TILE_LANES"));
        assertThat(PairStripes.ROWS_PER_TILE)
                .isEqualTo(paths.constant("TILE_ROWS"))
                .isEqualTo(pairs.constant("TILE_ROWS"));
        assertThat(PairStripes.BLOCKS_PER_TILE).isEqualTo(paths.constant("TILE_BLOCKS"));
        assertThat(PairPaths.TILE_COLUMNS)
                .isEqualTo(PairStripes.COLUMNS_PER_BLOCK * PairStripes.BLOCKS_PER_TILE)
                .isEqualTo(paths.constant("TILE_COLUMNS"))
                .isEqualTo(pairs.constant("TILE_COLUMNS"));
        assertThat(PairPaths.checkpointColumns(8)).isEqualTo(paths.constant("CHECKPOINT_COLUMNS"));
        assertThat(PairPaths.checkpointColumns(10)).isEqualTo(paths.constant("CHECKPOINT_COLUMNS_OF_LONG"));
        assertThat(PairPaths.SMALL_WINDOW.bytes()).isEqualTo(paths.constant("SMALL_WINDOW_BYTES"));
        assertThat(PairPaths.LARGE_WINDOW.bytes()).isEqualTo(paths.constant("LARGE_WINDOW_BYTES"));
    }
}
