// The variance of a series' noise, which dev.bellman.segment.InformationCriterion estimates from the differences
// between neighbours. A warp finds medians bit by bit.
#pragma once

#include "common/warp.cuh"

namespace {

// Returns an integer key; the keys of numbers have the same order as the numbers.
__device__ __forceinline__ uint64 key_of_number(double number) {
    uint64 bits = static_cast<uint64>(__double_as_longlong(number));
    return bits >> 63 != 0 ? ~bits : bits | 1ULL << 63;
}

__device__ __forceinline__ double number_of_key(uint64 key) {
    return __longlong_as_double(static_cast<int64>(key >> 63 != 0 ? key ^ 1ULL << 63 : ~key));
}

// The differences between neighbours or, if `deviates` is set, the absolute deviations of these differences from
// `middle`.
struct Differences {
    const double* values;
    int32 step;  // the distance between neighbours in memory
    int32 count;
    bool deviates = false;
    double middle = 0;

    __device__ __forceinline__ uint64 key(int32 i) const {
        const double* value = values + static_cast<int64>(i) * step;
        double difference = __dsub_rn(value[step], value[0]);
        return key_of_number(deviates ? fabs(__dsub_rn(difference, middle)) : difference);
    }

    // Returns how many keys are less than `limit`.
    __device__ __forceinline__ int32 below(uint64 limit) const {
        int32 found = 0;
        for (int32 i = threadIdx.x % 32; i < count; i += 32) {
            found += key(i) < limit ? 1 : 0;
        }
        return sum_of_lanes<32>(found);
    }

    // Returns the median: the mean of the two middle numbers, or the only middle number if the count is odd.
    __device__ __forceinline__ double median() const {
        uint64 lower = 0;
        for (int32 bit = 63; bit >= 0; bit--) {
            uint64 next = lower | 1ULL << bit;
            lower = below(next) <= (count - 1) / 2 ? next : lower;
        }
        uint64 upper = ~0ULL;
        for (int32 i = threadIdx.x % 32; i < count; i += 32) {
            uint64 other = key(i);
            upper = other > lower && other < upper ? other : upper;
        }
        upper = reduce_lanes<32>(upper, [](uint64 a, uint64 b) { return b < a ? b : a; });
        upper = below(lower + 1) > count / 2 ? lower : upper;
        return __dadd_rn(number_of_key(lower), number_of_key(upper)) / 2;
    }
};

// Returns the estimated variance of the noise, which is the same in all lanes of a warp; 0 for fewer than two values.
//
// - step: the distance between neighbours in memory
__device__ __forceinline__ double noise_variance(const double* values, int32 step, int32 count) {
    constexpr double NORMAL_MEDIAN = 0.6744897501960817;
    if (count < 2) {
        return 0;
    }
    Differences differences{values, step, count - 1};
    double middle = differences.median();
    Differences deviations{values, step, count - 1, true, middle};
    double deviation = __ddiv_rn(deviations.median(), NORMAL_MEDIAN);
    return __dmul_rn(deviation, deviation) / 2;
}

}  // namespace
