package dev.bellman.align.distance;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link DistanceFunctions}. */
public final class DistanceKernels {
    private DistanceKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                new KernelOf("edit_distance", EditDistanceKernel::new),
                new KernelOf("edit_cigar", EditCigarKernel::new),
                new KernelOf("hamming_distance", HammingDistanceKernel::new),
                new KernelOf("damerau_levenshtein", TranspositionsKernel::damerauLevenshtein),
                new KernelOf("osa_distance", TranspositionsKernel::osa),
                new KernelOf("jaro_similarity", JaroWinklerKernel::jaro),
                new KernelOf("jaro_winkler_similarity", JaroWinklerKernel::winkler),
                new KernelOf("word_errors", WordErrorsKernel::new),
                new KernelOf("tree_edit_distance", TreeEditDistanceKernel::new));
    }
}
