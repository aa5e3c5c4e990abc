// The type of the numbers in a table: int32 if all scores are known to fit in int32, otherwise int64.
#pragma once
#include "common/columns.cuh"

namespace {

template <typename Value>
struct Scores;

// NONE is the score when there is no alignment; it is less than any other score. FORBIDDEN is the gain of a forbidden
// gap. Its distance from zero exceeds the difference between any two scores. The sum of NONE and FORBIDDEN does not
// overflow the type.
template <>
struct Scores<int32> {
    static constexpr int64 BOUND = 1ll << 28;
    static constexpr int32 NONE = -(1 << 30);
    static constexpr int32 FORBIDDEN = -(3 << 28);
};

template <>
struct Scores<int64> {
    static constexpr int64 BOUND = 1ll << 60;
    static constexpr int64 NONE = -(1ll << 62);
    static constexpr int64 FORBIDDEN = -(3ll << 60);
};

__device__ __forceinline__ int32 larger(int32 a, int32 b) {
    return max(a, b);
}

__device__ __forceinline__ int64 larger(int64 a, int64 b) {
    return a > b ? a : b;
}

// Raises a score to `from + gain` if that is larger. Because gains are negated costs, this is a single instruction for
// int32 on GPUs that have it.
__device__ __forceinline__ void relax(int32& score, int32 from, int32 gain) {
    score = max(score, from + gain);
}

__device__ __forceinline__ void relax(int64& score, int64 from, int64 gain) {
    score = larger(score, from + gain);
}

}  // namespace
