package dev.bellman.align.score;

import static dev.bellman.columns.KernelOf.entry;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link ScoreFunctions}. */
public final class ScoreKernels {
    private ScoreKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                entry("alignment_score", AlignmentScoreUdf.class, AlignmentScoreKernel::new),
                entry("alignment", AlignmentUdf.class, AlignmentKernel::new),
                entry("bit_score", StatisticsUdf.class, StatisticsKernel::new),
                entry("e_value", StatisticsUdf.class, StatisticsKernel::new));
    }
}
