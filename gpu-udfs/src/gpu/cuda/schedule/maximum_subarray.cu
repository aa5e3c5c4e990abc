// Finds the subarrays with the maximum sums, with one warp per row: dev.bellman.schedule.MaximumSubarray. The lanes
// load 32 values together; then each lane adds all of them, because the order of additions affects sums of DOUBLE
// values.
#include "schedule/lists.cuh"

struct SubarrayAnswers {
    void* sums;  // int64 or double
    int32* begins;
    int32* ends;
};

STRUCT_FOR_HOST(SubarrayAnswers);
MEMBER_FOR_HOST(SubarrayAnswers, sums);
MEMBER_FOR_HOST(SubarrayAnswers, begins);
MEMBER_FOR_HOST(SubarrayAnswers, ends);

namespace {

__device__ __forceinline__ int64 normal(int64 value) {
    return value;
}

// Adding 0.0 turns -0.0 into 0.0.
__device__ __forceinline__ double normal(double value) {
    return __dadd_rn(value, 0.0);
}

// The best subarray of the values so far, and the best one that ends at the last value.
template <typename Number>
struct Subarrays {
    Number best = 0;
    int32 best_begin = 0;
    int32 best_end = 0;
    Number sum = 0;
    int32 begin = 0;
    bool has_overflow = false;

    __device__ __forceinline__ void append(Number value, int32 i) {
        bool starts = sum <= 0;
        begin = starts ? i : begin;
        Number before = starts ? 0 : sum;
        sum = add(before, value);
        has_overflow = has_overflow || (before > 0 && value > 0 && sum < 0);
        bool is_better = best_end == 0 || sum > best;
        best = is_better ? sum : best;
        best_begin = is_better ? begin : best_begin;
        best_end = is_better ? i + 1 : best_end;
    }
};

template <typename Number>
__device__ __forceinline__ bool solve(
        const List<Number>& list, const SubarrayAnswers& answers, int64 row, int32 lane) {
    bool valid = list.count > 0;
    Subarrays<Number> found;
    for (int32 first = 0; valid && first < list.count; first += 32) {
        Number mine = 0;
        if (first + lane < list.count) {
            valid = list.read(first + lane, mine);
            mine = normal(mine);
        }
        valid = __all_sync(~0u, valid);
        int32 loaded = min(32, list.count - first);
        for (int32 k = 0; valid && k < loaded; k++) {
            found.append(__shfl_sync(~0u, mine, k), first + k);
        }
    }
    valid = valid && !found.has_overflow && is_allowed(found.best);
    if (lane == 0 && valid) {
        static_cast<Number*>(answers.sums)[row] = found.best;
        answers.begins[row] = found.best_begin;
        answers.ends[row] = found.best_end;
    }
    return valid;
}

}  // namespace

LIST_KERNELS(maximum_subarray, SubarrayAnswers)
