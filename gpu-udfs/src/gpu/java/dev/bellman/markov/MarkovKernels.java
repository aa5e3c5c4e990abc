package dev.bellman.markov;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link MarkovFunctions}. */
public final class MarkovKernels {
    private MarkovKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                KernelOf.call("viterbi", ViterbiKernel::new),
                KernelOf.call("forward", ForwardKernel::new),
                KernelOf.call("posterior", PosteriorKernel::new));
    }
}
