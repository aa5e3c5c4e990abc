package dev.bellman.align.paper;

import static dev.bellman.cuda.KernelConstants.assertSameLayout;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.cuda.ModuleInterface;
import org.junit.jupiter.api.Test;

/** Checks the layout of a struct, and relations between the constants of {@code align/paper/r_way.cu}. */
class RWayTablesTest {
    @Test
    void layout() {
        assertSameLayout(RWayTablesOnGpu.MODULE, "RWayTables", RWayTablesOnGpu.RWayTables.class);
    }

    @Test
    void constants() {
        ModuleInterface declared = ModuleInterface.of(RWayTablesOnGpu.MODULE);

        assertThat(declared.constant("TILE_EDGE")).isEqualTo(32 * declared.constant("ROWS_OF_LANE"));
        // a word of moves contains one bit for each cell of a block
        assertThat(declared.constant("ROWS_OF_LANE") * declared.constant("COLUMNS_OF_STEP"))
                .isEqualTo(Integer.SIZE);
        assertThat(declared.constant("MOVE_BYTES")).isEqualTo(2 * Integer.BYTES);
        // left values are read as vectors of 16 bytes
        assertThat(declared.constant("ABOVE") * Integer.BYTES % 16).isZero();
        assertThat(declared.constant("BLOCK_THREADS") % 32).isZero();
    }
}
