package dev.bellman.align.score;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link ScoreFunctions}. */
public final class ScoreKernels {
    private ScoreKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                new KernelOf("alignment_score", AlignmentScoreKernel::new),
                new KernelOf("alignment", AlignmentKernel::new),
                new KernelOf("bit_score", StatisticsKernel::bitScore),
                new KernelOf("e_value", StatisticsKernel::eValue));
    }
}
