package dev.bellman.align.names;

import dev.bellman.columns.KernelOf;
import java.util.List;

/**
 * Lists the kernels for the functions in {@link RatioFunctions}, {@link MatchingFunctions} and {@link SplinkFunctions}.
 */
public final class NamesKernels {
    private NamesKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                new KernelOf("ratio", RatioKernel::new),
                new KernelOf("partial_ratio", PartialRatioKernel::new),
                new KernelOf("token_sort_ratio", call -> new TokenSortRatioKernel(call, false)),
                new KernelOf("partial_token_sort_ratio", call -> new TokenSortRatioKernel(call, true)),
                new KernelOf("token_set_ratio", TokenSetRatioKernel::new),
                new KernelOf("weighted_ratio", WeightedRatioKernel::new),
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

    private static KernelOf matching(String name) {
        return new KernelOf(name, call -> new MatchingKernel(call, name));
    }

    private static KernelOf splink(String name) {
        return new KernelOf(name, call -> new SplinkKernel(call, name));
    }
}
