// The kernels for rows that consist of one list of numbers, with one warp per row.
#pragma once

#include "common/host.cuh"
#include "schedule/numbers.cuh"

namespace {

// The CPU solves longer rows, because a warp takes one value after another.
constexpr int32 MAX_VALUES = 1 << 20;

// A row's numbers.
template <typename Number>
struct List {
    int64 begin;
    int32 count;
    const uint32* validity;
    const Number* values;

    // Reads a value. Returns whether it is neither NULL nor forbidden.
    __device__ __forceinline__ bool read(int32 i, Number& to) const {
        to = values[begin + i];
        return is_valid(validity, begin + i) && is_allowed(to);
    }
};

// Calls solve(list, answers, row, lane), which returns whether the row is valid, and classifies the rows.
template <typename Number, typename Answers>
__device__ __forceinline__ void solve_lists(
        int32 rows, const uint32* validity, const int32* offsets, const uint32* value_validity, const Number* values,
        const Answers& answers, const Classified& rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    List<Number> list = {offsets[row], offsets[row + 1] - offsets[row], value_validity, values};
    bool is_short = list.count <= MAX_VALUES;
    bool valid = is_short && solve(list, answers, row, lane);
    if (lane != 0) {
        return;
    }
    if (!is_short) {
        rows_of.put(row, ON_CPU, 0, 0);
    } else if (!valid) {
        rows_of.reject(row);
    } else {
        rows_of.put(row, 0, 0, list.count);
    }
}

}  // namespace

#define LIST_KERNEL(NAME, Number, Answers) \
    extern "C" __global__ void NAME( \
            int32 rows, const uint32* validity, const int32* offsets, const uint32* value_validity, \
            const Number* values, Answers answers, Classified rows_of) { \
        solve_lists(rows, validity, offsets, value_validity, values, answers, rows_of); \
    }

// Defines the kernels NAME_longs and NAME_doubles.
#define LIST_KERNELS(NAME, Answers) \
    LIST_KERNEL(NAME##_longs, int64, Answers) \
    LIST_KERNEL(NAME##_doubles, double, Answers)
