package dev.bellman.align.distance;

import static dev.bellman.align.PairKernels.pair;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link DistanceFunctions}. */
public final class DistanceKernels {
    private DistanceKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                pair("edit_distance", EditDistanceKernel::new),
                pair("edit_cigar", EditCigarKernel::new),
                KernelOf.call("hamming_distance", HammingDistanceKernel::new),
                pair("damerau_levenshtein", TranspositionsKernel::damerauLevenshtein),
                pair("osa_distance", TranspositionsKernel::osa),
                pair("jaro_similarity", JaroWinklerKernel::jaro),
                pair("jaro_winkler_similarity", JaroWinklerKernel::winkler));
    }
}
