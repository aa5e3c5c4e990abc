// Replaces items that have several copies with items that have one copy: groups of 1, 2, 4, ... copies, and last the
// remaining copies, as in dev.bellman.knapsack.KnapsackSolvers. The kernels of knapsack.cu solve these items.
#include "common/warp.cuh"
#include "knapsack/tables.cuh"

// The arguments; the values are int64 or doubles.
template <class Number>
struct BoundedCallsOf {
    const int32* offsets;
    const uint32* weight_validity;
    const int64* weights;
    const int32* value_offsets;
    const uint32* value_validity;
    const Number* values;
    const int32* count_offsets;
    const uint32* count_validity;
    const int64* counts;
    const int64* capacities;
};

template <class Number>
struct BoundedPartsOf {
    const int32* offsets;
    int64* weights;
    Number* values;
};

using BoundedCalls = BoundedCallsOf<int64>;
using BoundedParts = BoundedPartsOf<int64>;

STRUCT_FOR_HOST(BoundedCalls);
MEMBER_FOR_HOST(BoundedCalls, offsets);
MEMBER_FOR_HOST(BoundedCalls, weight_validity);
MEMBER_FOR_HOST(BoundedCalls, weights);
MEMBER_FOR_HOST(BoundedCalls, value_offsets);
MEMBER_FOR_HOST(BoundedCalls, value_validity);
MEMBER_FOR_HOST(BoundedCalls, values);
MEMBER_FOR_HOST(BoundedCalls, count_offsets);
MEMBER_FOR_HOST(BoundedCalls, count_validity);
MEMBER_FOR_HOST(BoundedCalls, counts);
MEMBER_FOR_HOST(BoundedCalls, capacities);
STRUCT_FOR_HOST(BoundedParts);
MEMBER_FOR_HOST(BoundedParts, offsets);
MEMBER_FOR_HOST(BoundedParts, weights);
MEMBER_FOR_HOST(BoundedParts, values);

namespace {

constexpr int64 MOST = 0x7fffffffffffffffLL;

// Returns whether a value is allowed for an item with this many copies. If values are int64, the total value of the
// copies must not overflow.
__device__ __forceinline__ bool are_values(int64 value, int64 copies) {
    return is_value(value) && (copies == 0 || value <= MOST / copies);
}

__device__ __forceinline__ bool are_values(double value, int64 copies) {
    return is_value(value);
}

__device__ __forceinline__ int64 times(int64 copies, int64 value) {
    return copies * value;
}

__device__ __forceinline__ double times(int64 copies, double value) {
    return __dmul_rn(static_cast<double>(copies), value);
}

// The items of a row.
template <class Number>
struct Items {
    using Calls = BoundedCallsOf<Number>;

    int32 begin;
    int32 value_begin;
    int32 count_begin;
    int32 count;

    __device__ __forceinline__ Items(const Calls& calls, int64 row) :
        begin(calls.offsets[row]),
        value_begin(calls.value_offsets[row]),
        count_begin(calls.count_offsets[row]),
        count(calls.offsets[row + 1] - begin) {}

    // Returns whether the row is valid. If values are int64, this requires that for each item, the total value of all
    // copies that fit does not overflow. All lanes of a warp must call this.
    __device__ __forceinline__ bool are_valid(const Calls& calls, int64 row, int32 lane) const {
        bool valid = calls.capacities[row] >= 0 && calls.value_offsets[row + 1] - value_begin == count
            && calls.count_offsets[row + 1] - count_begin == count;
        for (int32 i = lane; valid && i < count; i += 32) {
            valid = is_valid(calls.weight_validity, begin + i) && is_valid(calls.value_validity, value_begin + i)
                && is_valid(calls.count_validity, count_begin + i) && calls.weights[begin + i] >= 0
                && calls.counts[count_begin + i] >= 0
                && are_values(calls.values[value_begin + i], copies(calls, row, i));
        }
        return __all_sync(~0u, valid) != 0;
    }

    // Returns the number of copies of an item that fit.
    __device__ __forceinline__ int64 copies(const Calls& calls, int64 row, int32 i) const {
        int64 weight = calls.weights[begin + i];
        int64 given = calls.counts[count_begin + i];
        return weight == 0 ? given : min(given, calls.capacities[row] / weight);
    }

    // Returns the number of copies of an item that fit, or 0 for indices beyond the last item.
    __device__ __forceinline__ int64 copies_or_none(const Calls& calls, int64 row, int32 i) const {
        return i < count ? copies(calls, row, i) : 0;
    }
};

__device__ __forceinline__ int32 parts_of(int64 copies) {
    return 64 - __clzll(copies);
}

__device__ __forceinline__ int64 size_of_part(int64 copies, int32 part) {
    int64 before = (1LL << part) - 1;
    return min(1LL << part, copies - before);
}

// Counts the groups of copies in each row, with one warp per row. A rejected row has one group, which `fill` makes
// invalid.
template <class Number>
__device__ __forceinline__ void count_parts(
        int32 rows, const uint32* validity, const BoundedCallsOf<Number>& calls, int32* parts) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (row >= rows) {
        return;
    }
    int64 sum = 0;
    if (is_valid(validity, row)) {
        Items<Number> items(calls, row);
        if (items.are_valid(calls, row, lane)) {
            for (int32 i = lane; i < items.count; i += 32) {
                sum += parts_of(items.copies(calls, row, i));
            }
            sum = sum_of_lanes<32>(sum);
        } else {
            sum = 1;
        }
    }
    if (lane == 0) {
        parts[row] = static_cast<int32>(min(sum, 0x7fffffffLL));
    }
}

// Writes the groups of copies, with one warp per row.
template <class Number>
__device__ __forceinline__ void fill(
        int32 rows,
        const uint32* validity,
        const BoundedCallsOf<Number>& calls,
        const BoundedPartsOf<Number>& parts) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (row >= rows || !is_valid(validity, row)) {
        return;
    }
    Items<Number> items(calls, row);
    int32 begin = parts.offsets[row];
    if (!items.are_valid(calls, row, lane)) {
        if (lane == 0) {
            parts.weights[begin] = -1;
            parts.values[begin] = 0;
        }
        return;
    }
    for (int32 first = 0; first < items.count; first += 32) {
        int32 i = first + lane;
        int64 copies = items.copies_or_none(calls, row, i);
        int32 count = parts_of(copies);
        int32 end = begin + sum_up_to_lane(count);
        for (int32 p = 0; p < count; p++) {
            int64 size = size_of_part(copies, p);
            parts.weights[end - count + p] = size * calls.weights[items.begin + i];
            parts.values[end - count + p] = times(size, calls.values[items.value_begin + i]);
        }
        begin = __shfl_sync(~0u, end, 31);
    }
}

}  // namespace

#define BOUNDED_PARTS(COUNT, FILL, Number) \
    extern "C" __global__ void COUNT( \
            int32 rows, const uint32* validity, BoundedCallsOf<Number> calls, int32* parts) { \
        count_parts(rows, validity, calls, parts); \
    } \
    extern "C" __global__ void FILL( \
            int32 rows, const uint32* validity, BoundedCallsOf<Number> calls, BoundedPartsOf<Number> parts) { \
        fill(rows, validity, calls, parts); \
    }

BOUNDED_PARTS(bounded_parts, bounded_fill, int64)
BOUNDED_PARTS(bounded_parts_doubles, bounded_fill_doubles, double)

// The following kernels do not read values, so the type of values does not matter.

// Computes the number of items in each row, or 0 for rows without a result on the GPU.
extern "C" __global__ void bounded_lengths(int32 rows, BoundedCalls calls, Classified rows_of, int32* lengths) {
    int64 row = thread_index();
    if (row < rows) {
        lengths[row] = rows_of.is_solved(row) ? calls.offsets[row + 1] - calls.offsets[row] : 0;
    }
}

// Computes how many copies of each item are taken, given the groups that are taken, with one warp per row.
extern "C" __global__ void bounded_copies(
        int32 rows,
        BoundedCalls calls,
        Classified rows_of,
        BoundedParts parts,
        const uint8* taken,
        const int32* offsets,
        int64* to) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (row >= rows || !rows_of.is_solved(row)) {
        return;
    }
    Items<int64> items(calls, row);
    int32 begin = parts.offsets[row];
    for (int32 first = 0; first < items.count; first += 32) {
        int32 i = first + lane;
        int64 copies = items.copies_or_none(calls, row, i);
        int32 count = parts_of(copies);
        int32 end = begin + sum_up_to_lane(count);
        int64 sum = 0;
        for (int32 p = 0; p < count; p++) {
            sum += taken[end - count + p] != 0 ? size_of_part(copies, p) : 0;
        }
        if (i < items.count) {
            to[offsets[row] + i] = sum;
        }
        begin = __shfl_sync(~0u, end, 31);
    }
}
