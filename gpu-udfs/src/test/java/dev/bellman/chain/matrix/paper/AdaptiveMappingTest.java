package dev.bellman.chain.matrix.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.bellman.chain.matrix.paper.AdaptiveMapping.Phase;
import dev.bellman.chain.matrix.paper.AdaptiveMapping.Reduction;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AdaptiveMappingTest {
    private static final AdaptiveMapping TESLA_C1060 = new AdaptiveMapping(30, 512, 1);

    /** Tests the chain of eight matrices in figures 3 and 4 of the paper. */
    @Test
    void example() {
        List<Phase> phases = IntStream.rangeClosed(1, 8)
                .mapToObj(phase -> TESLA_C1060.phase(8, phase))
                .toList();
        assertThat(phases).extracting(Phase::blocks).containsExactly(8, 7, 6, 5, 4, 3, 2, 1);
        assertThat(phases).extracting(Phase::subthreads).containsExactly(1, 1, 2, 3, 4, 5, 6, 7);
        assertThat(phases).extracting(Phase::threads).containsExactly(8L, 7L, 12L, 15L, 16L, 15L, 12L, 7L);
    }

    /** Tests two products of nine matrices with four threads, as in figure 5 of the paper. */
    @Test
    void reductions() {
        Reduction oneByOne = AdaptiveMapping.reduction(2, 8, 4, false);
        assertThat(oneByOne.steps()).isEqualTo(6);
        assertThat(oneByOne.utilization()).isCloseTo(0.5833, within(1e-4));
        Reduction together = AdaptiveMapping.reduction(2, 8, 4, true);
        assertThat(together.steps()).isEqualTo(4);
        assertThat(together.utilization()).isEqualTo(0.875);
        assertThat(AdaptiveMapping.reduction(1, 7, 7, true).steps()).isEqualTo(3);
    }

    /**
     * Once splitting begins, there are as many subthreads as fit in a block, but at most as many as there are splits.
     * Before that, each thread computes whole products.
     */
    @Test
    void firstStage() {
        AdaptiveMapping mapping = new AdaptiveMapping(30, 512, 128);
        assertThat(mapping.phase(4096, 127)).isEqualTo(new Phase(3970, 30, 133, 1));
        assertThat(mapping.phase(4096, 128)).isEqualTo(new Phase(3969, 30, 133, 3));
        assertThat(mapping.phase(4096, 3000)).isEqualTo(new Phase(1097, 30, 37, 13));
        assertThat(mapping.phase(4096, 4000)).isEqualTo(new Phase(97, 30, 4, 128));
        assertThat(mapping.phase(4096, 4096)).isEqualTo(new Phase(1, 1, 1, 512));
        assertThat(mapping.phase(130, 130)).isEqualTo(new Phase(1, 1, 1, 129));
    }

    /**
     * Each thread has (NT_P / N_B) / MNT_B products: the number of products, divided by the number of blocks and by the
     * maximum number of threads of a block.
     */
    @Test
    void secondStage() {
        assertThat(TESLA_C1060.phase(30 * 512, 1)).isEqualTo(new Phase(30 * 512, 30, 512, 1));
        Phase phase = TESLA_C1060.phase(4 * 30 * 512, 2);
        assertThat(phase).isEqualTo(new Phase(4 * 30 * 512 - 1, 30, 512, 1));
        assertThat(phase.threads()).isEqualTo(30 * 512);
        assertThat(phase.block()).isEqualTo(512);
    }

    /** No phase has a block that is too large, or groups without a product. */
    @Test
    void limits() {
        for (int multiprocessors : new int[] {1, 2, 30, 132}) {
            for (int blockThreads : new int[] {1, 32, 512, 1024}) {
                AdaptiveMapping mapping = new AdaptiveMapping(multiprocessors, blockThreads, 1);
                for (int matrices : new int[] {1, 2, 3, 100, 1000}) {
                    for (int length = 1; length <= matrices; length++) {
                        Phase phase = mapping.phase(matrices, length);
                        assertThat(phase.block()).isBetween(1, blockThreads);
                        assertThat(phase.subthreads()).isBetween(1, Math.max(1, length - 1));
                        assertThat(phase.blocks()).isEqualTo(Math.min(multiprocessors, matrices - length + 1));
                        assertThat((phase.groups() - 1) * phase.blocks()).isLessThan(phase.products());
                    }
                }
            }
        }
    }
}
