package dev.bellman.linear;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.cuda.KernelConstants;
import dev.bellman.cuda.ModuleInterface;
import org.junit.jupiter.api.Test;

class EliminationKernelTest {
    @Test
    void layouts() {
        String source = "linear/elimination";
        KernelConstants.assertSameLayout(source, "Matrices", Matrices.class);
        KernelConstants.assertSameLayout(source, "Vectors", Vectors.class);
        KernelConstants.assertSameLayout(source, "Large", EliminationKernel.Large.class);
    }

    @Test
    void edge() {
        assertThat(ModuleInterface.of("linear/elimination").constant("EDGE")).isEqualTo(EliminationTiles.GPU_EDGE);
    }
}
