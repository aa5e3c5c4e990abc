// Knapsacks, one block each: a row of the table of dev.bellman.knapsack.Knapsack, in place, item after item, and a bit
// for each cell that says whether the item is taken. The way back reads the bits.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/ticket.cuh"
#include "common/warp.cuh"

// A class is the type of sums, 32 or 64 bits, and the binary logarithm of the width of a row, widest first.
constexpr int32 LOGS = 31;
constexpr int32 CLASSES = 2 * LOGS;
// The host limits the memory of an instance, in units of this many bytes.
constexpr int32 SLOT_UNIT = 1024;
constexpr int32 CELLS_OF_THREAD = 8;
// Bytes of a block's shared memory besides the row.
constexpr int32 MORE_SHARED = 64;
FOR_HOST(LOGS);
FOR_HOST(CLASSES);
FOR_HOST(SLOT_UNIT);
FOR_HOST(CELLS_OF_THREAD);
FOR_HOST(MORE_SHARED);

struct KnapsackCalls {
    const int32* offsets;
    const uint32* weight_validity;
    const int64* weights;
    const int32* value_offsets;
    const uint32* value_validity;
    const int64* values;
    const int64* capacities;
};

struct KnapsackAnswers {
    int64* divisors;  // of the weights of each row
    int32* widths;    // capacities of each row without the first, in divisors
    int64* sums;
    int32* counts;
    uint8* taken;  // at the places of the weights
};

STRUCT_FOR_HOST(KnapsackCalls);
MEMBER_FOR_HOST(KnapsackCalls, offsets);
MEMBER_FOR_HOST(KnapsackCalls, weight_validity);
MEMBER_FOR_HOST(KnapsackCalls, weights);
MEMBER_FOR_HOST(KnapsackCalls, value_offsets);
MEMBER_FOR_HOST(KnapsackCalls, value_validity);
MEMBER_FOR_HOST(KnapsackCalls, values);
MEMBER_FOR_HOST(KnapsackCalls, capacities);
STRUCT_FOR_HOST(KnapsackAnswers);
MEMBER_FOR_HOST(KnapsackAnswers, divisors);
MEMBER_FOR_HOST(KnapsackAnswers, widths);
MEMBER_FOR_HOST(KnapsackAnswers, sums);
MEMBER_FOR_HOST(KnapsackAnswers, counts);
MEMBER_FOR_HOST(KnapsackAnswers, taken);

namespace {

// Sums beyond are the CPU's, which fails if no smaller one is the answer.
constexpr double MAX_SUM = 9e18;
constexpr double MAX_INT_SUM = 2e9;
constexpr int64 MAX_WIDTH = 1 << 29;
// The CPU has at most 2^n states of n items, each of which takes as long as so many cells.
constexpr int32 MAX_ITEMS_OF_STATES = 24;
constexpr int64 CELLS_OF_STATE = 16;

__device__ __forceinline__ int64 divisor_of(int64 a, int64 b) {
    while (b != 0) {
        int64 rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

__device__ __forceinline__ int64 words_of(int64 width) {
    return width / 32 + 1;
}

// A summary of the items of a row, for all lanes of a warp. Options.reduced is the same on the CPU.
struct Summary {
    bool valid = true;
    int64 divisor = 0;
    double weight = 0;  // of all items that fit
    double value = 0;

    __device__ Summary(const KnapsackCalls& calls, int64 row, int32 lane) {
        int32 begin = calls.offsets[row];
        int32 n = calls.offsets[row + 1] - begin;
        int32 value_begin = calls.value_offsets[row];
        int64 capacity = calls.capacities[row];
        valid = capacity >= 0 && calls.value_offsets[row + 1] - value_begin == n;
        for (int32 k = lane; valid && k < n; k += 32) {
            int64 of_item = calls.weights[begin + k];
            int64 worth = calls.values[value_begin + k];
            valid = is_valid(calls.weight_validity, begin + k) && is_valid(calls.value_validity, value_begin + k)
                && of_item >= 0 && worth >= 0;
            if (valid && of_item <= capacity) {
                divisor = divisor_of(of_item, divisor);
                weight += static_cast<double>(of_item);
                value += static_cast<double>(worth);
            }
        }
        valid = __all_sync(~0u, valid) != 0;
#pragma unroll
        for (int32 other = 16; other > 0; other /= 2) {
            divisor = divisor_of(__shfl_xor_sync(~0u, divisor, other), divisor);
            weight += __shfl_xor_sync(~0u, weight, other);
            value += __shfl_xor_sync(~0u, value, other);
        }
    }
};

}  // namespace

// One warp per row. shared: the bytes that a row may have in shared memory.
extern "C" __global__ void knapsack_classify(
        int32 rows,
        const uint32* validity,
        KnapsackCalls calls,
        int32 shared,
        KnapsackAnswers answers,
        Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    Summary items(calls, row, lane);
    if (lane != 0) {
        return;
    }
    if (!items.valid) {
        rows_of.reject(row);
        return;
    }
    int64 divisor = max(items.divisor, 1LL);
    int64 capacity = calls.capacities[row];
    // the sum of the weights is exact where it is less than the capacity and the row is not left to the CPU
    double exact = 9007199254740992.0;
    int64 heaviest = items.weight < exact ? min(static_cast<int64>(items.weight), capacity) : capacity;
    int64 width = heaviest / divisor;
    int32 n = calls.offsets[row + 1] - calls.offsets[row];
    bool has_few_states = n < MAX_ITEMS_OF_STATES && CELLS_OF_STATE << n < n * (width + 1);
    if (has_few_states || width >= MAX_WIDTH || items.value > MAX_SUM || (items.weight >= exact && capacity >= exact)) {
        rows_of.put(row, ON_CPU, 0, 0);
        return;
    }
    answers.divisors[row] = divisor;
    answers.widths[row] = static_cast<int32>(width);
    int32 type = items.value > MAX_INT_SUM ? 1 : 0;
    int32 log = 64 - __clzll(width);
    int64 row_bytes = static_cast<int64>(type == 0 ? sizeof(int32) : sizeof(int64)) << log;
    int64 bytes = (row_bytes <= shared ? 0 : row_bytes) + 4LL * n * words_of(width);
    int64 units = (bytes + SLOT_UNIT - 1) / SLOT_UNIT;
    rows_of.put(
            row,
            type * LOGS + LOGS - 1 - log,
            static_cast<int32>(min(units, 0x7fffffffLL)),
            n * (width + 1));
}

namespace {

// Takes an item into the row: best[c] for c from 0 to width. A bit of `bits` is set where that is worth more.
// All threads of the block.
template <class Value>
__device__ __forceinline__ void take_item(Value* best, int32 width, int32 weight, Value value, uint32* bits) {
    int32 lane = threadIdx.x % 32;
    int32 first = threadIdx.x / 32 * 32 * CELLS_OF_THREAD;
    int32 chunk = blockDim.x * CELLS_OF_THREAD;
    // from the top, as a cell reads one below: no chunk is read after it is written
    for (int32 low = width / chunk * chunk; low >= 0 && low + chunk > weight; low -= chunk) {
        Value with[CELLS_OF_THREAD];
        uint32 word = 0;
        uint32 better = 0;
#pragma unroll
        for (int32 j = 0; j < CELLS_OF_THREAD; j++) {
            int32 c = low + first + 32 * j + lane;
            bool fits = c >= weight && c <= width;
            with[j] = fits ? best[c - weight] + value : 0;
            bool is_better = fits && with[j] > best[c];
            better |= is_better ? 1u << j : 0;
            uint32 of_warp = __ballot_sync(~0u, is_better);
            word = lane == j ? of_warp : word;
        }
        __syncthreads();
#pragma unroll
        for (int32 j = 0; j < CELLS_OF_THREAD; j++) {
            if (better >> j & 1) {
                best[low + first + 32 * j + lane] = with[j];
            }
        }
        int32 place = (low + first) / 32 + lane;
        if (lane < CELLS_OF_THREAD && place <= width / 32) {
            bits[place] = word;
        }
    }
    __syncthreads();
}

template <class Value>
__device__ __forceinline__ void solve(
        const KnapsackCalls& calls, const KnapsackAnswers& answers, int32 row, Value* best, uint32* bits) {
    int32 begin = calls.offsets[row];
    int32 n = calls.offsets[row + 1] - begin;
    const int64* weights = calls.weights + begin;
    const int64* values = calls.values + calls.value_offsets[row];
    int64 capacity = calls.capacities[row];
    int64 divisor = answers.divisors[row];
    int32 width = answers.widths[row];
    int64 words = words_of(width);
    for (int32 c = threadIdx.x; c <= width; c += blockDim.x) {
        best[c] = 0;
    }
    __syncthreads();
    for (int32 k = 0; k < n; k++) {
        if (weights[k] <= capacity && values[k] > 0) {
            int32 weight = static_cast<int32>(divisor == 1 ? weights[k] : weights[k] / divisor);
            take_item(best, width, weight, static_cast<Value>(values[k]), bits + k * words);
        }
    }
    if (threadIdx.x == 0) {
        int32 left = width;
        int32 count = 0;
        for (int32 k = n - 1; k >= 0; k--) {
            bool taken = false;
            if (weights[k] <= capacity && values[k] > 0) {
                int32 weight = static_cast<int32>(divisor == 1 ? weights[k] : weights[k] / divisor);
                taken = left >= weight && (bits[k * words + left / 32] >> (left & 31) & 1) != 0;
                left -= taken ? weight : 0;
            }
            answers.taken[begin + k] = taken ? 1 : 0;
            count += taken ? 1 : 0;
        }
        answers.sums[row] = best[width];
        answers.counts[row] = count;
    }
}

// Blocks take the rows order[from] to order[to - 1]. row_bytes: of the row of the table at the beginning of a slot, 0
// if it is in shared memory.
template <class Value>
__device__ __forceinline__ void solve_all(
        const int32* order,
        int32 from,
        int32 to,
        int32* ticket,
        const KnapsackCalls& calls,
        const KnapsackAnswers& answers,
        int64 row_bytes,
        uint8* slots,
        int64 slot_bytes) {
    extern __shared__ int64 shared_row[];
    uint8* slot = slots + slot_bytes * blockIdx.x;
    Value* best = row_bytes == 0 ? reinterpret_cast<Value*>(shared_row) : reinterpret_cast<Value*>(slot);
    uint32* bits = reinterpret_cast<uint32*>(slot + row_bytes);
    for (int32 i = take(ticket, from); i < to; i = take(ticket, from)) {
        solve(calls, answers, order[i], best, bits);
    }
}

}  // namespace

#define KNAPSACK(name, Value) \
    extern "C" __global__ void __launch_bounds__(512) knapsack_##name( \
            const int32* order, \
            int32 from, \
            int32 to, \
            int32* ticket, \
            KnapsackCalls calls, \
            KnapsackAnswers answers, \
            int64 row_bytes, \
            uint8* slots, \
            int64 slot_bytes) { \
        solve_all<Value>(order, from, to, ticket, calls, answers, row_bytes, slots, slot_bytes); \
    }

KNAPSACK(ints, int32)
KNAPSACK(longs, int64)

// The places of the items that are taken, one thread per row.
extern "C" __global__ void knapsack_items(
        int32 rows,
        KnapsackCalls calls,
        KnapsackAnswers answers,
        Classified rows_of,
        const int32* item_offsets,
        int32* items) {
    int64 row = thread_index();
    if (row >= rows || !rows_of.is_solved(row)) {
        return;
    }
    int32 begin = calls.offsets[row];
    int32 n = calls.offsets[row + 1] - begin;
    int32* to = items + item_offsets[row];
    for (int32 k = 0; k < n; k++) {
        if (answers.taken[begin + k] != 0) {
            *to++ = k;
        }
    }
}
