package dev.bellman.align.distance;

import static dev.bellman.columns.KernelOf.entry;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link DistanceFunctions}. */
public final class DistanceKernels {
    private DistanceKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                entry("edit_distance", EditDistanceUdf.class, EditDistanceKernel::new),
                entry("edit_cigar", EditCigarUdf.class, EditCigarKernel::new),
                entry("hamming_distance", HammingDistanceUdf.class, HammingDistanceKernel::new),
                entry("damerau_levenshtein", DamerauLevenshteinUdf.class, DamerauLevenshteinKernel::new),
                entry("osa_distance", OsaDistanceUdf.class, OsaDistanceKernel::new),
                entry("jaro_winkler_similarity", JaroWinklerUdf.class, JaroWinklerKernel::new));
    }
}
