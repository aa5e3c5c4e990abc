// Solves knapsack problems, with one block per problem. A block computes a row of dev.bellman.knapsack.Knapsack's table
// in place, item after item, and stores a bit for each cell and item that shows whether the item is taken. The
// traceback reads these bits.
#include "common/warp.cuh"
#include "knapsack/tables.cuh"

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
    int64* divisors;  // the divisor of each row's weights
    int32* widths;    // the largest total weight in each row's table, divided by the divisor
    int64* sums;
    int32* counts;
    uint8* taken;  // for each item, whether it is taken, at the offset of the item's weight
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

// The number of items from which on the CPU may have too many states; n items have at most 2^n states.
constexpr int32 MAX_ITEMS_OF_STATES = 24;

__device__ __forceinline__ int64 words_of(int64 width) {
    return width / 32 + 1;
}

// A summary of a row's items, which all lanes of a warp have. The CPU's equivalent is Options.reduced.
struct Summary {
    bool valid = true;
    int64 divisor = 0;
    double weight = 0;  // the total weight of all items that fit
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

// Classifies the rows, with one warp per row. shared: the number of bytes that a row may use in shared memory.
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
    // the sum of the weights is exact if it is less than the capacity, unless the CPU solves the row
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
    int64 bytes = row_bytes_of(width, items.value, shared) + 4LL * n * words_of(width);
    rows_of.put(row, table_class(width, items.value), units_of(bytes), n * (width + 1));
}

namespace {

// Applies an item to the cells best[0] to best[width]. Sets a bit in `bits` for each cell whose value the item
// increases. All threads of the block must call this.
template <class Value>
__device__ __forceinline__ void take_item(Value* best, int32 width, int32 weight, Value value, uint32* bits) {
    int32 lane = threadIdx.x % 32;
    int32 first = threadIdx.x / 32 * 32 * CELLS_OF_THREAD;
    int32 chunk = blockDim.x * CELLS_OF_THREAD;
    // from the top, because a cell reads a lower cell: no chunk is read after it has been written
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
        const KnapsackCalls& calls, const KnapsackAnswers& answers, int32 row, Value* best, uint8* slot) {
    uint32* bits = reinterpret_cast<uint32*>(slot);
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

}  // namespace

KNAPSACK_TABLES(knapsack, KnapsackCalls, KnapsackAnswers)

// Computes the indices of the items that are taken, with one thread per row.
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
