package dev.bellman.align.paper;

import static dev.bellman.cuda.KernelConstants.assertSameLayout;

import org.junit.jupiter.api.Test;

/** Java and the kernels of {@code align/paper/r_way.cu} agree. */
class RWayTablesTest {
    @Test
    void layout() {
        assertSameLayout("align/paper/r_way", "RWayTables", RWayTablesOnGpu.RWayTables.class);
    }
}
