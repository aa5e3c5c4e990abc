// Finds the subarrays with the maximum sums, with one warp per row: dev.bellman.schedule.MaximumSubarray. The lanes
// load 32 values together; then each lane adds all of them, because the order of additions affects sums of DOUBLE
// values.
#include "columns/instances.cuh"
#include "common/host.cuh"

// The CPU solves longer rows, because a warp takes 70 ns per value.
constexpr int32 MAX_VALUES = 1 << 20;

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

constexpr double MAX_NUMBER = 1.7976931348623157e308;

__device__ __forceinline__ bool is_allowed(int64) {
    return true;
}

__device__ __forceinline__ bool is_allowed(double value) {
    return fabs(value) <= MAX_NUMBER;
}

__device__ __forceinline__ int64 normal(int64 value) {
    return value;
}

// Adding 0.0 turns -0.0 into 0.0.
__device__ __forceinline__ double normal(double value) {
    return __dadd_rn(value, 0.0);
}

__device__ __forceinline__ int64 add(int64 sum, int64 value) {
    return static_cast<int64>(static_cast<uint64>(sum) + static_cast<uint64>(value));
}

__device__ __forceinline__ double add(double sum, double value) {
    return __dadd_rn(sum, value);
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
__device__ __forceinline__ void solve(
        int32 rows,
        const uint32* validity,
        const int32* offsets,
        const uint32* value_validity,
        const Number* values,
        const SubarrayAnswers& answers,
        const Classified& rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int64 begin = offsets[row];
    int32 count = offsets[row + 1] - offsets[row];
    if (count > MAX_VALUES) {
        if (lane == 0) {
            rows_of.put(row, ON_CPU, 0, 0);
        }
        return;
    }
    bool valid = count > 0;
    Subarrays<Number> found;
    for (int32 first = 0; valid && first < count; first += 32) {
        Number mine = 0;
        if (first + lane < count) {
            mine = normal(values[begin + first + lane]);
            valid = is_valid(value_validity, begin + first + lane) && is_allowed(mine);
        }
        valid = __all_sync(~0u, valid);
        int32 loaded = min(32, count - first);
        for (int32 k = 0; valid && k < loaded; k++) {
            found.append(__shfl_sync(~0u, mine, k), first + k);
        }
    }
    valid = valid && !found.has_overflow && is_allowed(found.best);
    if (lane == 0) {
        if (!valid) {
            rows_of.reject(row);
            return;
        }
        rows_of.put(row, 0, 0, count);
        static_cast<Number*>(answers.sums)[row] = found.best;
        answers.begins[row] = found.best_begin;
        answers.ends[row] = found.best_end;
    }
}

}  // namespace

// Classifies and solves the rows.
extern "C" __global__ void maximum_subarray_longs(
        int32 rows,
        const uint32* validity,
        const int32* offsets,
        const uint32* value_validity,
        const int64* values,
        SubarrayAnswers answers,
        Classified rows_of) {
    solve(rows, validity, offsets, value_validity, values, answers, rows_of);
}

extern "C" __global__ void maximum_subarray_doubles(
        int32 rows,
        const uint32* validity,
        const int32* offsets,
        const uint32* value_validity,
        const double* values,
        SubarrayAnswers answers,
        Classified rows_of) {
    solve(rows, validity, offsets, value_validity, values, answers, rows_of);
}
