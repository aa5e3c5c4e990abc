package dev.bellman.markov;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.cuda.KernelConstants;
import dev.bellman.cuda.ModuleInterface;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PairHmmKernelTest {
    @Test
    void layouts() {
        KernelConstants.assertSameLayout(PairHmmKernel.MODULE, "PairHmmStrings", PairHmmCalls.Strings.class);
        KernelConstants.assertSameLayout(PairHmmKernel.MODULE, "PairHmmCalls", PairHmmCalls.class);
        KernelConstants.assertSameLayout(PairHmmKernel.MODULE, "PairHmmResults", PairHmmKernel.Results.class);
    }

    @Test
    void classes() {
        ModuleInterface module = ModuleInterface.of(PairHmmKernel.MODULE);
        KernelConstants.assertFewClasses(
                PairHmmKernel.MODULE, "PAIR_HMM_LENGTHS", module.constant("PAIR_HMM_SHAPES"));
    }

    /**
     * The total number of rows grows from shape to shape; the last shape has 32 lanes with the maximum number of rows
     * each.
     */
    @Test
    void shapes() {
        assertThat(IntStream.of(0, 15, 16, 23, 24, 31).mapToObj(i -> PairHmmKernel.Shape.of("x", i, 16)))
                .extracting(shape -> shape.name() + " x " + shape.lanes())
                .containsExactly(
                        "x_1 x 8",
                        "x_16 x 8",
                        "x_9 x 16",
                        "x_16 x 16",
                        "x_9 x 32",
                        "x_16 x 32");
    }
}
