package dev.bellman.align.names;

import static dev.bellman.align.PairKernels.pair;
import static dev.bellman.columns.KernelOf.entry;

import dev.bellman.align.PairFunction;
import dev.bellman.columns.KernelOf;
import dev.bellman.columns.SolverUdf;
import java.util.List;

/** The kernels of {@link RatioFunctions}, {@link MatchingFunctions} and {@link SplinkFunctions}. */
public final class NamesKernels {
    private NamesKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                pair("ratio", RatioKernel::new),
                pair("partial_ratio", PartialRatioKernel::new),
                pair(
                        "token_sort_ratio",
                        (PairFunction<Ratios.Strategy> udf) -> new TokenSortRatioKernel(udf, false)),
                pair(
                        "partial_token_sort_ratio",
                        (PairFunction<Ratios.Strategy> udf) -> new TokenSortRatioKernel(udf, true)),
                pair("token_set_ratio", TokenSetRatioKernel::new),
                pair("weighted_ratio", WeightedRatioKernel::new),
                pair("affine_gap_similarity", AffineGapKernel::new),
                matching("monge_elkan"),
                matching("pairwise_min"),
                matching("pairwise_max"),
                entry("qgram_similarity", SolverUdf.class, QGramsKernel::new),
                entry("weighted_edit_distance", SolverUdf.class, WeightedKernel::new),
                splink("jaro_sim"),
                splink("jaro_winkler"),
                splink("jaccard"));
    }

    private static KernelOf matching(String name) {
        return entry(name, SolverUdf.class, udf -> new MatchingKernel(udf, name));
    }

    private static KernelOf splink(String name) {
        return entry(name, SolverUdf.class, udf -> new SplinkKernel(udf, name));
    }
}
