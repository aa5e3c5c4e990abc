package dev.bellman.markov;

import static dev.bellman.columns.KernelOf.entry;

import dev.bellman.columns.KernelOf;
import dev.bellman.columns.SolverUdf;
import java.util.List;

/** The kernels of {@link MarkovFunctions}. */
public final class MarkovKernels {
    private MarkovKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                entry("viterbi", SolverUdf.class, ViterbiKernel::new),
                entry("forward", SolverUdf.class, ForwardKernel::new),
                entry("posterior", SolverUdf.class, PosteriorKernel::new));
    }
}
