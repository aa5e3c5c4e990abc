// Computes the ratios of dev.bellman.align.names.Ratios. The order of operations is part of the definition: no sum is
// fused with a product.
#pragma once

#include "common/columns.cuh"

constexpr double MAX_RATIO = 100;

// Returns a ratio from 0 to 1 for two texts with `both` characters in total and a common subsequence of `common`
// characters.
__device__ __forceinline__ double ratio_similarity(int64 both, int64 common) {
    return both == 0 ? 1 : __dadd_rn(1, -__ddiv_rn(static_cast<double>(both - 2 * common), static_cast<double>(both)));
}

__device__ __forceinline__ double ratio_at_least(double cutoff, double similarity) {
    return similarity >= __ddiv_rn(cutoff, MAX_RATIO) ? __dmul_rn(similarity, MAX_RATIO) : 0;
}

// Returns the ratio for sets of words, which is rounded in a different order. `both` must be more than 0.
__device__ __forceinline__ double ratio_of_distance(int64 distance, int64 both, double cutoff) {
    double share = __ddiv_rn(__dmul_rn(MAX_RATIO, static_cast<double>(distance)), static_cast<double>(both));
    double ratio = __dadd_rn(MAX_RATIO, -share);
    return ratio >= cutoff ? ratio : 0;
}
