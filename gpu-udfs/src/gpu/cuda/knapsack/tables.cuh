// The code that the knapsack kernels share. Each problem has a block, which stores a row of the capacity table, in
// shared memory if the row fits there.
#pragma once

#include "columns/instances.cuh"
#include "columns/slots.cuh"
#include "common/host.cuh"

// The sizes of table rows are 1, 2, 3, 4, 6, 8, 12, ... cells: number 2 * i + 1 is 2^i, and number 2 * i is three
// quarters of that. A class combines the type of sums (32 or 64 bits) and the size of the row. Rows with 32-bit sums
// come first; among rows with sums of the same type, the widest rows come first.
constexpr int32 SIZES = 62;
constexpr int32 CLASSES = 2 * SIZES;
// The host limits the memory per problem, in units of this many bytes.
constexpr int32 SLOT_UNIT = 1024;
constexpr int32 CELLS_OF_THREAD = 8;
// The number of bytes that a block uses in shared memory in addition to the row.
constexpr int32 MORE_SHARED = 64;
FOR_HOST(SIZES);
FOR_HOST(CLASSES);
FOR_HOST(SLOT_UNIT);
FOR_HOST(CELLS_OF_THREAD);
FOR_HOST(MORE_SHARED);

// The part of the shared memory that the host reserves for a table row.
extern __shared__ int64 shared_row[];

namespace {

// The largest upper bound on the result of a row that the GPU solves. The CPU solves rows with larger bounds, because
// their results may overflow.
constexpr double MAX_SUM = 9e18;
constexpr double MAX_INT_SUM = 2e9;
constexpr int64 MAX_WIDTH = 1 << 29;
// The largest allowed DOUBLE value of an item or option. Sums of such values do not overflow.
constexpr double LARGEST = 1e100;
// The cost of one state in the CPU's lists, as a number of table cells.
constexpr int64 CELLS_OF_STATE = 16;

__device__ __forceinline__ int64 divisor_of(int64 a, int64 b) {
    while (b != 0) {
        int64 rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

__device__ __forceinline__ bool is_value(int64 value) {
    return value >= 0;
}

__device__ __forceinline__ bool is_value(double value) {
    return value >= 0 && value <= LARGEST;
}

// Returns the bound on a table's values that determines the type of sums, given an upper bound on the values. For
// doubles, sums take 64 bits and cannot overflow.
template <class Number>
__device__ __forceinline__ double sum_bound(double sum) {
    return sum;
}

template <>
__device__ __forceinline__ double sum_bound<double>(double sum) {
    return MAX_SUM;
}

// Returns the number of the smallest size for a row of `width` + 1 cells.
__device__ __forceinline__ int32 size_of(int64 width) {
    int32 log = 64 - __clzll(width);
    return 2 * log + (4 * (width + 1) <= 3LL << log ? 0 : 1);
}

__device__ __forceinline__ int64 cells_of_size(int32 size) {
    return (size % 2 == 0 ? 3LL : 4LL) << (size / 2) >> 2;
}

// Returns the class of a table.
//
// - sum: an upper bound on the table's values
__device__ __forceinline__ int32 table_class(int64 width, double sum) {
    return (sum > MAX_INT_SUM ? SIZES : 0) + SIZES - 1 - size_of(width);
}

// Returns the number of bytes that a table row takes in device memory: 0 if the row fits in the `shared` bytes of
// shared memory that are available.
__device__ __forceinline__ int64 row_bytes_of(int64 width, double sum, int32 shared) {
    int64 bytes = static_cast<int64>(sum > MAX_INT_SUM ? sizeof(int64) : sizeof(int32)) * cells_of_size(size_of(width));
    return bytes <= shared ? 0 : bytes;
}

__device__ __forceinline__ int32 units_of(int64 bytes) {
    return static_cast<int32>(min((bytes + SLOT_UNIT - 1) / SLOT_UNIT, 0x7fffffffLL));
}

// Solves a group of rows.
//
// - row_bytes: the size of the table row, which is at the start of a slot; 0 if it is in shared memory
// - solve: a function that solves a row, given the table row and the rest of the slot
template <class Value, class Solve>
__device__ __forceinline__ void solve_tables(
        const Slots& slots, int64 row_bytes, Solve solve) {
    uint8* slot = slots.of_block();
    Value* best = row_bytes == 0 ? reinterpret_cast<Value*>(shared_row) : reinterpret_cast<Value*>(slot);
    for (int32 i = slots.next(); i < slots.to; i = slots.next()) {
        int32 row = slots.order[i];
        solve(row, best, slot + row_bytes);
    }
}

}  // namespace

// Defines the kernels NAME_ints, NAME_longs and NAME_doubles, which call solve(calls, answers, row, best, slot).
// The values are int64, or doubles for NAME_doubles. The module defines MAX_THREADS and THREADS_OF_TWO, the maximum
// sizes of a block if one or two blocks fit on a multiprocessor.
#define KNAPSACK_TABLE(NAME, Value, Calls, Answers) \
    extern "C" __global__ void __launch_bounds__(MAX_THREADS, 2 * THREADS_OF_TWO / MAX_THREADS) NAME( \
            const __grid_constant__ Slots slots, Calls calls, Answers answers, int64 row_bytes) { \
        solve_tables<Value>(slots, row_bytes, \
                [&](int32 row, Value* best, uint8* slot) { solve(calls, answers, row, best, slot); }); \
    }

#define KNAPSACK_TABLES(NAME, Calls, Answers) \
    KNAPSACK_TABLE(NAME##_ints, int32, Calls<int64>, Answers<int64>) \
    KNAPSACK_TABLE(NAME##_longs, int64, Calls<int64>, Answers<int64>) \
    KNAPSACK_TABLE(NAME##_doubles, double, Calls<double>, Answers<double>)
