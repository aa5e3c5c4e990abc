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
        KernelConstants.assertFewClasses(PairHmmKernel.MODULE, "PAIR_HMM_LENGTHS", module.constant("PAIR_HMM_SHAPES"));
    }

    /**
     * The total number of rows grows from shape to shape; the last shape has 32 lanes with the maximum number of rows
     * each.
     */
    @Test
    void shapes() {
        assertThat(IntStream.of(0, 15, 16, 23, 24, 31).mapToObj(i -> PairHmmKernel.Shape.of("x", i, 16)))
                .extracting(shape -> shape.rows() + " x " + shape.lanes())
                .containsExactly("1 x 8", "16 x 8", "9 x 16", "16 x 16", "9 x 32", "16 x 32");
    }

    /** The shape for DOUBLE numbers has enough rows, and at most one unused row per lane, for every length. */
    @Test
    void shapesOfDoubles() {
        ModuleInterface module = ModuleInterface.of(PairHmmKernel.MODULE);
        int most = module.constant("OPENINGS_ROWS");
        for (int length = 1, index = 0; length <= 32 * module.constant("VARIED_ROWS"); length++) {
            while (PairHmmKernel.Shape.of("openings", index, most).rows()
                            * PairHmmKernel.Shape.of("openings", index, most).lanes()
                    < length) {
                index++;
            }
            PairHmmKernel.Shape shape =
                    PairHmmKernel.Shape.of("openings", index, most).ofDoubles();
            assertThat(shape.rows()).isLessThanOrEqualTo(module.constant("VARIED_ROWS"));
            assertThat(shape.rows() * shape.lanes() - length).isBetween(0, shape.lanes());
        }
    }
}
