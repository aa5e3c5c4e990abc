package dev.bellman.align.names;

import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.KernelOf;
import dev.bellman.columns.SolverCall;
import java.util.List;
import java.util.function.Function;

/**
 * Lists the kernels for the functions in {@link RatioFunctions}, {@link MatchingFunctions} and {@link SplinkFunctions}.
 */
public final class NamesKernels {
    private NamesKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                ratio("ratio", RatioKernel::new),
                ratio("partial_ratio", PartialRatioKernel::new),
                ratio("token_sort_ratio", call -> new TokenSortRatioKernel(call, false)),
                ratio("partial_token_sort_ratio", call -> new TokenSortRatioKernel(call, true)),
                ratio("token_set_ratio", TokenSetRatioKernel::new),
                ratio("weighted_ratio", WeightedRatioKernel::new),
                new KernelOf("affine_gap_similarity", AffineGapKernel::new),
                matching("monge_elkan"),
                matching("pairwise_min"),
                matching("pairwise_max"),
                new KernelOf("qgram_similarity", QGramsKernel::new),
                new KernelOf("weighted_edit_distance", WeightedKernel::new),
                splink("jaro_sim"),
                splink("jaro_winkler"),
                splink("jaccard"));
    }

    /** Returns a kernel for a function that may normalize its strings. */
    private static KernelOf ratio(String name, Function<SolverCall, ColumnarKernel> kernel) {
        return new KernelOf(name, call -> NormalizedTexts.of(call, kernel.apply(call)));
    }

    private static KernelOf matching(String name) {
        return new KernelOf(name, call -> new MatchingKernel(call, name));
    }

    private static KernelOf splink(String name) {
        return new KernelOf(name, call -> new SplinkKernel(call, name));
    }
}
