// Solves knapsack problems, with one block per problem. A block computes a row of dev.bellman.knapsack.Knapsack's table
// in place, item after item, and stores a bit for each cell and item that shows whether the item is taken. The
// traceback reads these bits. If only a few problems have wide tables, all blocks work together on one problem after
// another; an item then reads one of two rows and writes the other.
#include "common/team.cuh"
#include "common/warp.cuh"
#include "knapsack/tables.cuh"

// The arguments; the values are int64 or doubles.
template <class Number>
struct KnapsackCallsOf {
    const int32* offsets;
    const uint32* weight_validity;
    const int64* weights;
    const int32* value_offsets;
    const uint32* value_validity;
    const Number* values;
    const int64* capacities;
    double max_value;  // the largest allowed value, if the values are doubles
};

template <class Number>
struct KnapsackAnswersOf {
    int64* divisors;  // the divisor of each row's weights
    int32* widths;    // the largest total weight in each row's table, divided by the divisor
    Number* sums;
    int32* counts;
    uint8* taken;  // for each item, whether it is taken, at the offset of the item's weight
};

using KnapsackCalls = KnapsackCallsOf<int64>;
using KnapsackAnswers = KnapsackAnswersOf<int64>;

STRUCT_FOR_HOST(KnapsackCalls);
MEMBER_FOR_HOST(KnapsackCalls, offsets);
MEMBER_FOR_HOST(KnapsackCalls, weight_validity);
MEMBER_FOR_HOST(KnapsackCalls, weights);
MEMBER_FOR_HOST(KnapsackCalls, value_offsets);
MEMBER_FOR_HOST(KnapsackCalls, value_validity);
MEMBER_FOR_HOST(KnapsackCalls, values);
MEMBER_FOR_HOST(KnapsackCalls, capacities);
MEMBER_FOR_HOST(KnapsackCalls, max_value);
STRUCT_FOR_HOST(KnapsackAnswers);
MEMBER_FOR_HOST(KnapsackAnswers, divisors);
MEMBER_FOR_HOST(KnapsackAnswers, widths);
MEMBER_FOR_HOST(KnapsackAnswers, sums);
MEMBER_FOR_HOST(KnapsackAnswers, counts);
MEMBER_FOR_HOST(KnapsackAnswers, taken);

namespace {

// Rows with at least this many items are not left to the CPU because of few states; n items have at most 2^n states.
constexpr int32 MAX_ITEMS_OF_STATES = 24;

__device__ __forceinline__ int64 words_of(int64 width) {
    return width / 32 + 1;
}

__device__ __forceinline__ bool is_value(const KnapsackCallsOf<int64>& calls, int64 value) {
    return value >= 0;
}

__device__ __forceinline__ bool is_value(const KnapsackCallsOf<double>& calls, double value) {
    return value >= 0 && value <= calls.max_value;
}

// A summary of a row's items, which is the same in all lanes of a warp. The CPU's equivalent is Options.reduced.
template <class Number>
struct Summary {
    bool valid = true;
    int64 divisor = 0;
    double weight = 0;  // the total weight of all items that fit
    double value = 0;

    __device__ Summary(const KnapsackCallsOf<Number>& calls, int64 row, int32 lane) {
        int32 begin = calls.offsets[row];
        int32 n = calls.offsets[row + 1] - begin;
        int32 value_begin = calls.value_offsets[row];
        int64 capacity = calls.capacities[row];
        valid = capacity >= 0 && calls.value_offsets[row + 1] - value_begin == n;
        for (int32 k = lane; valid && k < n; k += 32) {
            int64 of_item = calls.weights[begin + k];
            Number worth = calls.values[value_begin + k];
            valid = is_valid(calls.weight_validity, begin + k) && is_valid(calls.value_validity, value_begin + k)
                && of_item >= 0 && is_value(calls, worth);
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
        value = sum_bound<Number>(value);
    }
};

// Classifies the rows, with one warp per row.
//
// - shared: the number of bytes that a row may use in shared memory
template <class Number>
__device__ __forceinline__ void classify(
        int32 rows,
        const uint32* validity,
        const KnapsackCallsOf<Number>& calls,
        int32 shared,
        const KnapsackAnswersOf<Number>& answers,
        const Classified& rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    Summary<Number> items(calls, row, lane);
    if (lane != 0) {
        return;
    }
    if (!items.valid) {
        rows_of.reject(row);
        return;
    }
    int64 divisor = max(items.divisor, 1LL);
    int64 capacity = calls.capacities[row];
    // a sum of weights below 2^53 is exact; if neither the sum nor the capacity is below 2^53, the CPU solves the row
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

// Applies an item to the cells best[0] to best[width]. Writes a bit to `bits` for each cell from `weight` on: whether
// the item increases the cell's value. All threads of the block must call this.
template <class Value>
__device__ __forceinline__ void take_item(Value* best, int32 width, int32 weight, Value value, uint32* bits) {
    int32 lane = threadIdx.x % 32;
    int32 first = threadIdx.x / 32 * 32 * CELLS_OF_THREAD;
    int32 chunk = blockDim.x * CELLS_OF_THREAD;
    // proceeds from the top, because a cell reads a lower cell; thus, no chunk is read after it has been written
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

// A problem whose table has a row of `width` + 1 cells.
template <class Number>
struct Problem {
    const int64* weights;
    const Number* values;
    int64 capacity;
    int64 divisor;
    int32 begin;
    int32 n;
    int32 width;

    __device__ Problem(const KnapsackCallsOf<Number>& calls, const KnapsackAnswersOf<Number>& answers, int32 row) :
        capacity(calls.capacities[row]), divisor(answers.divisors[row]), begin(calls.offsets[row]),
        n(calls.offsets[row + 1] - begin), width(answers.widths[row]) {
        weights = calls.weights + begin;
        values = calls.values + calls.value_offsets[row];
    }

    __device__ __forceinline__ bool may_take(int32 k) const {
        return weights[k] <= capacity && values[k] > 0;
    }

    // Returns the weight of an item that may be taken, divided by the divisor.
    __device__ __forceinline__ int32 weight(int32 k) const {
        return static_cast<int32>(divisor == 1 ? weights[k] : weights[k] / divisor);
    }

    // Traces back which items are taken. All threads of one warp must call this.
    //
    // - sum: the last cell of the table
    __device__ void trace(const KnapsackAnswersOf<Number>& answers, int32 row, Number sum, const uint32* bits) const {
        int32 lane = threadIdx.x % 32;
        int64 words = words_of(width);
        int32 left = width;
        int32 count = 0;
        for (int32 end = n; end > 0; end -= 32) {
            // each lane processes one item, starting with the last item
            int32 k = end - 1 - lane;
            bool may = k >= 0 && may_take(k);
            int32 of_lane = may ? weight(k) : 0;
            uint32 rest = __ballot_sync(~0u, may);
            uint32 taken = 0;
            while (rest != 0) {
                int32 j = __ffs(rest) - 1;
                rest &= rest - 1;
                int32 weight = __shfl_sync(~0u, of_lane, j);
                if (left >= weight && (__ldcg(bits + (end - 1 - j) * words + left / 32) >> (left & 31) & 1) != 0) {
                    left -= weight;
                    taken |= 1u << j;
                }
            }
            if (k >= 0) {
                answers.taken[begin + k] = taken >> lane & 1;
            }
            count += __popc(taken);
        }
        if (lane == 0) {
            answers.sums[row] = sum;
            answers.counts[row] = count;
        }
    }
};

template <class Value, class Number>
__device__ __forceinline__ void solve(
        const KnapsackCallsOf<Number>& calls,
        const KnapsackAnswersOf<Number>& answers,
        int32 row,
        Value* best,
        uint8* slot) {
    uint32* bits = reinterpret_cast<uint32*>(slot);
    Problem<Number> problem(calls, answers, row);
    int64 words = words_of(problem.width);
    for (int32 c = threadIdx.x; c <= problem.width; c += blockDim.x) {
        best[c] = 0;
    }
    __syncthreads();
    for (int32 k = 0; k < problem.n; k++) {
        if (problem.may_take(k)) {
            Value value = static_cast<Value>(problem.values[k]);
            take_item(best, problem.width, problem.weight(k), value, bits + k * words);
        }
    }
    if (threadIdx.x < 32) {
        problem.trace(answers, row, best[problem.width], bits);
    }
}

// Computes row `to`, given row `from` of the previous item. All threads of the team must call this.
template <class Value>
__device__ __forceinline__ void take_item(
        const Team& team, const Value* from, Value* to, int32 width, int32 weight, Value value, uint32* bits) {
    int32 lane = threadIdx.x % 32;
    int32 chunk = team.threads * CELLS_OF_THREAD;
    for (int32 low = team.thread / 32 * 32 * CELLS_OF_THREAD; low <= width; low += chunk) {
        Value best[CELLS_OF_THREAD];
        Value with[CELLS_OF_THREAD];
#pragma unroll
        for (int32 j = 0; j < CELLS_OF_THREAD; j++) {
            int32 c = low + 32 * j + lane;
            best[j] = c <= width ? __ldcg(from + c) : 0;
            with[j] = c >= weight && c <= width ? __ldcg(from + c - weight) + value : 0;
        }
        uint32 word = 0;
#pragma unroll
        for (int32 j = 0; j < CELLS_OF_THREAD; j++) {
            int32 c = low + 32 * j + lane;
            uint32 of_warp = __ballot_sync(~0u, with[j] > best[j]);
            word = lane == j ? of_warp : word;
            if (c <= width) {
                __stcg(to + c, max(best[j], with[j]));
            }
        }
        int32 place = low / 32 + lane;
        if (lane < CELLS_OF_THREAD && place <= width / 32) {
            __stcg(bits + place, word);
        }
    }
}

// Solves row order[at] with all blocks.
//
// - memory: two rows of the table, of row_bytes each, and the bits
template <class Value, class Number>
__device__ __forceinline__ void solve_together(
        const int32* order,
        int32 at,
        const KnapsackCallsOf<Number>& calls,
        const KnapsackAnswersOf<Number>& answers,
        int64 row_bytes,
        uint8* memory,
        uint32* arrivals) {
    Team team(arrivals);
    Value* from = reinterpret_cast<Value*>(memory);
    Value* to = reinterpret_cast<Value*>(memory + row_bytes);
    uint32* bits = reinterpret_cast<uint32*>(memory + 2 * row_bytes);
    int32 row = order[at];
    Problem<Number> problem(calls, answers, row);
    int64 words = words_of(problem.width);
    for (int32 c = team.thread; c <= problem.width; c += team.threads) {
        __stcg(from + c, static_cast<Value>(0));
    }
    team.sync();
    for (int32 k = 0; k < problem.n; k++) {
        if (problem.may_take(k)) {
            Value value = static_cast<Value>(problem.values[k]);
            take_item(team, from, to, problem.width, problem.weight(k), value, bits + k * words);
            team.sync();
            Value* row_before = from;
            from = to;
            to = row_before;
        }
    }
    if (team.thread < 32) {
        problem.trace(answers, row, __ldcg(from + problem.width), bits);
    }
}

}  // namespace

#define KNAPSACK_CLASSIFY(NAME, Number) \
    extern "C" __global__ void NAME( \
            int32 rows, \
            const uint32* validity, \
            KnapsackCallsOf<Number> calls, \
            int32 shared, \
            KnapsackAnswersOf<Number> answers, \
            Classified rows_of) { \
        classify(rows, validity, calls, shared, answers, rows_of); \
    }

KNAPSACK_CLASSIFY(knapsack_classify, int64)
KNAPSACK_CLASSIFY(knapsack_classify_doubles, double)

#define KNAPSACK_TOGETHER(NAME, Value, Number) \
    extern "C" __global__ void __launch_bounds__(1024) NAME( \
            const int32* order, \
            int32 at, \
            KnapsackCallsOf<Number> calls, \
            KnapsackAnswersOf<Number> answers, \
            int64 row_bytes, \
            uint8* memory, \
            uint32* arrivals) { \
        solve_together<Value>(order, at, calls, answers, row_bytes, memory, arrivals); \
    }

KNAPSACK_TOGETHER(knapsack_ints_together, int32, int64)
KNAPSACK_TOGETHER(knapsack_longs_together, int64, int64)
KNAPSACK_TOGETHER(knapsack_doubles_together, double, double)

KNAPSACK_TABLES(knapsack, KnapsackCallsOf, KnapsackAnswersOf)

// Computes the indices of the items that are taken, with one thread per row. Does not read values or sums, so their
// type does not matter.
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
