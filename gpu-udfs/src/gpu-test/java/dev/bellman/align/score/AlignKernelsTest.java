package dev.bellman.align.score;

import static dev.bellman.cuda.KernelConstants.assertSameLayout;

import org.junit.jupiter.api.Test;

/** Checks that structs have the same layout in Java and in the kernels. */
class AlignKernelsTest {
    @Test
    void structs() {
        assertSameLayout("align/score/batch", "Scheme", Scheme.class);
        assertSameLayout("align/score/batch", "ScoredPair", AlignBatch.ScoredPair.class);
        assertSameLayout("align/score/table", "Stripes", AlignStripes.Stripes.class);
        assertSameLayout("align/score/extension", "Extensions", AlignmentScoreKernel.Extensions.class);
        assertSameLayout("align/score/path", "Alignments", AlignmentKernel.Alignments.class);
        assertSameLayout("align/score/path", "CigarWriter", AlignmentKernel.CigarWriter.class);
        assertSameLayout("align/score/path", "Walk", AlignmentKernel.Walk.class);
        assertSameLayout("align/score/wave", "Penalties", Penalties.class);
        assertSameLayout("align/score/wave", "Waves", AlignWaves.Waves.class);
        assertSameLayout("align/score/wave", "Bounded", AlignWaves.Bounded.class);
    }
}
