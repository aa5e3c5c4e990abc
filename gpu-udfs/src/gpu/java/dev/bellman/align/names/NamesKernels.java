package dev.bellman.align.names;

import static dev.bellman.columns.KernelOf.call;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link RatioFunctions}, {@link MatchingFunctions} and {@link SplinkFunctions}. */
public final class NamesKernels {
    private NamesKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                call("ratio", RatioKernel::new),
                call("partial_ratio", PartialRatioKernel::new),
                call("token_sort_ratio", call -> new TokenSortRatioKernel(call, false)),
                call("partial_token_sort_ratio", call -> new TokenSortRatioKernel(call, true)),
                call("token_set_ratio", TokenSetRatioKernel::new),
                call("weighted_ratio", WeightedRatioKernel::new),
                call("affine_gap_similarity", AffineGapKernel::new),
                matching("monge_elkan"),
                matching("pairwise_min"),
                matching("pairwise_max"),
                call("qgram_similarity", QGramsKernel::new),
                call("weighted_edit_distance", WeightedKernel::new),
                splink("jaro_sim"),
                splink("jaro_winkler"),
                splink("jaccard"));
    }

    private static KernelOf matching(String name) {
        return call(name, call -> new MatchingKernel(call, name));
    }

    private static KernelOf splink(String name) {
        return call(name, call -> new SplinkKernel(call, name));
    }
}
