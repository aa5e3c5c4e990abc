// The tree that finds medians of segments, as dev.bellman.segment.RankTree does: a wavelet matrix. Each level sorts the
// previous level's series by one bit of the values' ranks, and has prefix counts and prefix sums of the values whose
// bit is 0.
//
// Example: the values 5 9 7 have the ranks 0 2 1, that is, 00 10 01.
//
//   level 0, upper bit 0 1 0: zeros 0 1 1 2, sums 0 5 5 12; order of the next level: 0 1 2
//   level 1, lower bit 0 1 0: zeros 0 1 1 2, sums 0 5 5 14
//
// To find the value of rank 1 among 9 7, which are values 1 to 3: level 0 has 2 - 1 = 1 zero between these positions,
// which is not more than 1, so the value's bit is 1, and 12 - 5 is the sum of smaller values. The only value whose bit
// is 1 is at position 2 on level 1, where its bit is 0: its rank is 2, and the value is 9.
#pragma once

#include "common/warp.cuh"
#include "segment/costs.cuh"

// A number and its rounding error.
struct alignas(16) Pair {
    double high;
    double low;
};

// The trees of a launch, with one tree per slot and dimension.
struct RankTrees {
    Pair* sums;          // for each level, the sums of prefixes; then those of the series itself
    double* sorted;      // the values in ascending order
    double* unsorted;    // for sorting
    double* magnitudes;  // for each tree, the sum of all magnitudes
    uint16* zeros;       // for each level, the counts of prefixes
    uint16* places;      // for sorting: two arrays of positions or ranks per tree
    int32 levels;        // the number of levels of the largest tree
};

namespace {

// Returns the number of bits of a rank among `count` values.
__device__ __forceinline__ int32 levels_of(int32 count) {
    return 32 - __clz(max(0, count - 1));
}

// A sum of differences between prefix sums.
struct PairSum {
    double sum = 0;
    double low = 0;

    __device__ __forceinline__ void add(const Pair& begin, const Pair& end) {
        SegmentSum part(begin.high, begin.low, end.high, end.low);
        double total = __dadd_rn(sum, part.sum);
        low = __dadd_rn(low, __dadd_rn(lost(sum, part.sum, total), part.low));
        sum = total;
    }
};

// The tree of a series.
struct RankTree {
    Pair* sums;
    double* sorted;
    double* magnitude;
    uint16* zeros;
    int32 count;
    int32 stride;  // the distance between levels
    int32 levels;

    RankTree() = default;

    __device__ __forceinline__ RankTree(const RankTrees& trees, int64 index, int32 value_count, int32 to_next) :
        sums(trees.sums + index * (trees.levels + 1) * to_next),
        sorted(trees.sorted + index * to_next),
        magnitude(trees.magnitudes + index),
        zeros(trees.zeros + index * trees.levels * to_next),
        count(value_count),
        stride(to_next),
        levels(levels_of(value_count)) {}

    // Returns how many values have the rank bit 0 on a level.
    __device__ __forceinline__ int32 zeros_of(int32 level) const {
        int32 unit = 1 << (levels - 1 - level);
        return (count & ~(2 * unit - 1)) / 2 + min(count & (2 * unit - 1), unit);
    }

    // Returns the sum of the absolute deviations from the lower median, as MedianCost does.
    __device__ __forceinline__ double deviation(int32 from, int32 to) const {
        int32 first = from;
        int32 end = to;
        int32 left = (to - from - 1) / 2;
        int32 rank = 0;
        PairSum low_values;
        // the sum of a level is added while the counts of the next level are loaded
        bool has_part = false;
        Pair begin_part;
        Pair end_part;
#pragma unroll 1
        for (int32 level = 0; level < levels; level++) {
            const uint16* counts = zeros + static_cast<int64>(level) * stride;
            int32 first_zero = counts[first];
            int32 end_zero = counts[end];
            if (has_part) {
                low_values.add(begin_part, end_part);
            }
            has_part = left >= end_zero - first_zero;
            if (has_part) {
                const Pair* prefixes = sums + static_cast<int64>(level) * stride;
                begin_part = prefixes[first];
                end_part = prefixes[end];
            }
            int32 ones = has_part ? zeros_of(level) : 0;
            left -= has_part ? end_zero - first_zero : 0;
            first = has_part ? ones + first - first_zero : first_zero;
            end = has_part ? ones + end - end_zero : end_zero;
            rank = 2 * rank + (has_part ? 1 : 0);
        }
        const Pair* prefixes = sums + static_cast<int64>(levels) * stride;
        Pair begin_all = prefixes[from];
        Pair end_all = prefixes[to];
        double value = sorted[rank];
        if (has_part) {
            low_values.add(begin_part, end_part);
        }
        SegmentSum all(begin_all.high, begin_all.low, end_all.high, end_all.low);
        double upper = __dsub_rn(all.sum, 2 * low_values.sum);
        double low = __dadd_rn(__dsub_rn(all.low, 2 * low_values.low), lost(all.sum, -2 * low_values.sum, upper));
        double medians = (to - from) % 2 == 0 ? 2 * value : value;
        double cost = __dsub_rn(upper, medians);
        cost = __dadd_rn(cost, __dadd_rn(lost(upper, -medians, cost), low));
        return cost < __dmul_rn(FLOOR, *magnitude) ? 0 : cost;
    }
};

// Is not inlined, so that the search has few registers and instructions.
__device__ __noinline__ double deviation_of(RankTree tree, int32 from, int32 to) {
    return tree.deviation(from, to);
}

// Sorts a series with the threads of a warp: merges runs of 1, 2, 4 and so on values. Equal values stay in order.
//
// - step: the distance between neighbours in memory
// - places: receives the positions of the sorted values
// - returns memory for as many positions, which is not in use
__device__ __forceinline__ uint16* sort(
        const double* values, int64 step, const RankTree& tree, double* unsorted, uint16*& places) {
    int32 lane = threadIdx.x % 32;
    double* to = tree.levels % 2 == 0 ? tree.sorted : unsorted;
    double* from = tree.levels % 2 == 0 ? unsorted : tree.sorted;
    uint16* to_places = places;
    uint16* from_places = places + tree.stride;
    for (int32 i = lane; i < tree.count; i += 32) {
        to[i] = __dadd_rn(values[i * step], 0);  // turns -0.0 into 0.0
        to_places[i] = static_cast<uint16>(i);
    }
    for (int32 width = 1; width < tree.count; width *= 2) {
        __syncwarp();
        double* next = from;
        from = to;
        to = next;
        uint16* next_places = from_places;
        from_places = to_places;
        to_places = next_places;
        for (int32 i = lane; i < tree.count; i += 32) {
            int32 begin = i / (2 * width) * (2 * width);
            int32 middle = min(begin + width, tree.count);
            bool is_left = i < middle;
            double value = from[i];
            int32 low = is_left ? middle : begin;
            int32 high = is_left ? min(middle + width, tree.count) : middle;
            while (low < high) {
                int32 center = (low + high) / 2;
                double other = from[center];
                if (other < value || (!is_left && other == value)) {
                    low = center + 1;
                } else {
                    high = center;
                }
            }
            int32 place = is_left ? i + low - middle : i - middle + low;
            to[place] = value;
            to_places[place] = from_places[i];
        }
    }
    __syncwarp();
    places = to_places;
    return from_places;
}

// Builds a tree with the threads of a warp, except for sums: writes the terms of each sum instead.
__device__ __forceinline__ void build(
        const double* values, int64 step, const RankTree& tree, double* unsorted, uint16* places) {
    int32 lane = threadIdx.x % 32;
    uint16* ranks = sort(values, step, tree, unsorted, places);
    for (int32 i = lane; i < tree.count; i += 32) {
        ranks[places[i]] = static_cast<uint16>(i);
        tree.sums[static_cast<int64>(tree.levels) * tree.stride + i + 1].high = __dadd_rn(values[i * step], 0);
    }
    uint16* next = places;
    for (int32 level = 0; level < tree.levels; level++) {
        __syncwarp();
        int32 unit = 1 << (tree.levels - 1 - level);
        int32 all = tree.zeros_of(level);
        uint16* zeros = tree.zeros + static_cast<int64>(level) * tree.stride;
        Pair* sums = tree.sums + static_cast<int64>(level) * tree.stride;
        int32 left = 0;
        if (lane == 0) {
            zeros[0] = 0;
        }
        for (int32 base = 0; base < tree.count; base += 32) {
            int32 i = base + lane;
            int32 rank = i < tree.count ? ranks[i] : 0;
            bool is_zero = i < tree.count && (rank & unit) == 0;
            uint32 mask = __ballot_sync(~0u, is_zero);
            int32 before = left + __popc(mask & ((1u << lane) - 1));
            if (i < tree.count) {
                zeros[i + 1] = static_cast<uint16>(before + (is_zero ? 1 : 0));
                sums[i + 1].high = is_zero ? tree.sorted[rank] : 0;
                next[is_zero ? before : all + i - before] = static_cast<uint16>(rank);
            }
            left += __popc(mask);
        }
        uint16* free = ranks;
        ranks = next;
        next = free;
    }
}

// Replaces the terms of one level by the sums of prefixes. For the series itself, which is the last level, also
// computes the sum of all magnitudes.
__device__ __forceinline__ void sum_level(const RankTree& tree, int32 level) {
    Pair* sums = tree.sums + static_cast<int64>(level) * tree.stride;
    Pair sum = {0, 0};
    double magnitude = 0;
    sums[0] = sum;
    for (int32 i = 1; i <= tree.count; i++) {
        double term = sums[i].high;
        append(sum.high, sum.low, term, 0);
        sums[i] = sum;
        magnitude = __dadd_rn(magnitude, fabs(term));
    }
    if (level == tree.levels) {
        *tree.magnitude = magnitude;
    }
}

}  // namespace

// The trees of a series of points: one per dimension.
struct PointTrees {
    RankTrees trees;
    int64 first;
    int32 count;
    int32 stride;
    int32 dimensions;

    __device__ __forceinline__ RankTree dimension(int32 k) const {
        return {trees, first + k, count, stride};
    }
};

// The cost `l1`.
struct MedianCost {
    using Sums = RankTree;
    using SumsOfPoints = PointTrees;
    static constexpr bool IS_SCREENED = false;
    static constexpr bool MAY_BE_NEGATIVE = false;
    static constexpr bool IS_OF_POINTS = false;
    static constexpr int32 ENDS = 1;

    __device__ static __forceinline__ double largest(const RankTree& tree) {
        return 2 * *tree.magnitude;
    }

    __device__ static __forceinline__ double slack(const RankTree& tree, double penalty) {
        return 0x1p-46 * (largest(tree) + penalty) + LEAST_NORMAL;
    }

    __device__ static __forceinline__ double of(const RankTree& tree, int32 from, int32 to) {
        return deviation_of(tree, from, to);
    }
};
