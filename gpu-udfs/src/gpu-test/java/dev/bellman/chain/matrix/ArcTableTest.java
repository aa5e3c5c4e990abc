package dev.bellman.chain.matrix;

import dev.bellman.cuda.KernelConstants;
import org.junit.jupiter.api.Test;

class ArcTableTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout("chain/matrix/arcs", "ArcBatch", ArcTable.ArcBatch.class);
    }
}
