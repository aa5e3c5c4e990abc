package dev.bellman.align.score;

import static dev.bellman.columns.KernelOf.call;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link ScoreFunctions}. */
public final class ScoreKernels {
    private ScoreKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                call("alignment_score", AlignmentScoreKernel::new),
                call("alignment", AlignmentKernel::new),
                call("bit_score", StatisticsKernel::bitScore),
                call("e_value", StatisticsKernel::eValue));
    }
}
