package dev.bellman.markov;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link MarkovFunctions}. */
public final class MarkovKernels {
    private MarkovKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                new KernelOf("viterbi", ViterbiKernel::new),
                new KernelOf("forward", ForwardKernel::new),
                new KernelOf("posterior", PosteriorKernel::new),
                new KernelOf("hmm_fit", HmmFitKernel::new),
                new KernelOf("hmm_refit", HmmFitKernel::new),
                new KernelOf("ctc_align", CtcAlignKernel::new),
                new KernelOf("ctc_score", CtcScoreKernel::new),
                new KernelOf("pair_hmm", PairHmmKernel::new));
    }
}
