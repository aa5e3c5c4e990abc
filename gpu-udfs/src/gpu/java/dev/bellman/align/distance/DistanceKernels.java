package dev.bellman.align.distance;

import static dev.bellman.columns.KernelOf.call;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link DistanceFunctions}. */
public final class DistanceKernels {
    private DistanceKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                call("edit_distance", EditDistanceKernel::new),
                call("edit_cigar", EditCigarKernel::new),
                call("hamming_distance", HammingDistanceKernel::new),
                call("damerau_levenshtein", TranspositionsKernel::damerauLevenshtein),
                call("osa_distance", TranspositionsKernel::osa),
                call("jaro_similarity", JaroWinklerKernel::jaro),
                call("jaro_winkler_similarity", JaroWinklerKernel::winkler));
    }
}
