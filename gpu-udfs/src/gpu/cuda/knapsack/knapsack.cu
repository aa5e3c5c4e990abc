// Solves knapsack problems, with one block per problem. A block computes a row of dev.bellman.knapsack.Knapsack's table
// in place, item after item, and stores a bit for each cell and item that shows whether the item is taken. The
// traceback reads these bits. If only a few problems have wide tables, all blocks work together on one problem after
// another; an item then reads one of two rows and writes the other.
#include "common/team.cuh"
#include "common/warp.cuh"
#include "knapsack/cells.cuh"
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
    int64 bytes = row_bytes_of(width, items.value, shared) + n * mask_bytes(width);
    rows_of.put(row, table_class(width, items.value), units_of(bytes), n * (width + 1));
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

    // Calls take(k, weight, value) for each item that may be taken, in all threads of the block. The lanes of each warp
    // read 32 items at the same time.
    template <class Value, class Take>
    __device__ __forceinline__ void for_each_item(Take take) const {
        int32 lane = threadIdx.x % 32;
        for (int32 first = 0; first < n; first += 32) {
            int32 k = first + lane;
            bool may = k < n && may_take(k);
            int32 weight_of_lane = may ? weight(k) : 0;
            Value value_of_lane = may ? static_cast<Value>(values[k]) : 0;
            for (uint32 rest = __ballot_sync(~0u, may); rest != 0; rest &= rest - 1) {
                int32 i = __ffs(rest) - 1;
                take(first + i, __shfl_sync(~0u, weight_of_lane, i), __shfl_sync(~0u, value_of_lane, i));
            }
        }
    }

    // Traces back which items are taken. All threads of one warp must call this.
    //
    // - sum: the last cell of the table
    template <int32 CELLS>
    __device__ void trace(const KnapsackAnswersOf<Number>& answers, int32 row, Number sum, uint8* masks) const {
        int32 lane = threadIdx.x % 32;
        int64 bytes = mask_bytes(width);
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
                if (left >= weight && Masks<CELLS>{masks + (end - 1 - j) * bytes}.contains(left)) {
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

// Computes a table row in which each warp has one tile, in registers and shared memory. Returns the last cell.
template <class Value, int32 CELLS, class Number>
__device__ __forceinline__ Value take_items(const Problem<Number>& problem, uint8* masks) {
    int32 bytes = row_mask_bytes(problem.width);
    RowCells<Value, CELLS> cells(shared_row, problem.width);
    __syncthreads();
    problem.template for_each_item<Value>([&](int32 k, int32 weight, Value value) {
        uint32 mask = 0;
        if (weight < cells.end) {
            mask = cells.take(weight, value);
            Masks<CELLS>{masks + static_cast<int64>(k) * bytes}.put(cells.low, mask);
        }
        __syncthreads();
        cells.write(mask);
        __syncthreads();
    });
    return reinterpret_cast<const Value*>(shared_row)[cells.TILE + problem.width];
}

// Computes a table row in several chunks of equal size, with at most one tile per warp in each.
template <class Value, int32 CELLS, class Number>
__device__ __forceinline__ void take_items_in_chunks(const Problem<Number>& problem, Value* row, uint8* masks) {
    int32 width = problem.width;
    int64 bytes = mask_bytes(width);
    int32 tile = 32 * CELLS;
    int32 tiles = width / tile + 1;
    int32 warps = blockDim.x / 32;
    int32 chunks = (tiles + warps - 1) / warps;
    int32 chunk = (tiles + chunks - 1) / chunks * tile;
    int32 offset = threadIdx.x / 32 * tile;
    problem.template for_each_item<Value>([&](int32 k, int32 weight, Value value) {
        // proceeds from the top, because a cell reads a lower cell; thus, no chunk is read after it has been written
        for (int32 low = width / chunk * chunk; low >= 0 && low + chunk > weight; low -= chunk) {
            Cells<Value, CELLS> cells(low + offset);
            uint32 mask = 0;
            if (offset < chunk && cells.may_fit(width, weight)) {
                cells.read(row, width);
                mask = cells.take(row, width, weight, value);
                Masks<CELLS>{masks + k * bytes}.put(cells.low, mask);
            }
            __syncthreads();
            cells.write(row, mask);
        }
        __syncthreads();
    });
}

template <class Value, class Number>
__device__ __forceinline__ void solve(
        const KnapsackCallsOf<Number>& calls,
        const KnapsackAnswersOf<Number>& answers,
        int32 row,
        Value* best,
        uint8* slot) {
    constexpr int32 CHUNK = sizeof(Value) == sizeof(int32) ? INTS_OF_THREAD : CELLS_OF_THREAD;
    Problem<Number> problem(calls, answers, row);
    bool in_shared = __isShared(best);
    if (in_shared && problem.width < 32 * FEW_CELLS) {
        // the block has only one warp
        Value sum = take_items<Value, FEW_CELLS>(problem, slot);
        problem.template trace<FEW_CELLS>(answers, row, sum, slot);
        return;
    }
    if (in_shared && problem.width < blockDim.x * ROW_CELLS) {
        Value sum = take_items<Value, ROW_CELLS>(problem, slot);
        if (threadIdx.x < 32) {
            problem.template trace<ROW_CELLS>(answers, row, sum, slot);
        }
        return;
    }
    for (int32 c = threadIdx.x; c <= problem.width; c += blockDim.x) {
        best[c] = 0;
    }
    __syncthreads();
    take_items_in_chunks<Value, CHUNK>(problem, best, slot);
    if (threadIdx.x < 32) {
        problem.template trace<CHUNK>(answers, row, best[problem.width], slot);
    }
}

// A row in device memory that other blocks may have written.
template <class Value>
struct RowOfBlocks {
    const Value* row;

    __device__ __forceinline__ Value operator[](int32 c) const {
        return __ldcg(row + c);
    }
};

// Computes row `to`, given row `from` of the previous item. All threads of the team must call this.
template <class Value>
__device__ __forceinline__ void take_item(
        const Team& team, RowOfBlocks<Value> from, Value* to, int32 width, int32 weight, Value value, uint8* masks) {
    constexpr int32 CELLS = CELLS_OF_THREAD;
    for (int32 low = team.thread / 32 * 32 * CELLS; low <= width; low += team.threads * CELLS) {
        Cells<Value, CELLS> cells(low);
        cells.read(from, width);
        if (cells.may_fit(width, weight)) {
            Masks<CELLS>{masks}.put(low, cells.take(from, width, weight, value));
        }
        cells.write_all(to, width);
    }
}

// Solves row order[at] with all blocks.
//
// - memory: two rows of the table, of row_bytes each, and the masks
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
    uint8* masks = memory + 2 * row_bytes;
    int32 row = order[at];
    Problem<Number> problem(calls, answers, row);
    int64 bytes = mask_bytes(problem.width);
    for (int32 c = team.thread; c <= problem.width; c += team.threads) {
        __stcg(from + c, static_cast<Value>(0));
    }
    team.sync();
    problem.template for_each_item<Value>([&](int32 k, int32 weight, Value value) {
        take_item(team, RowOfBlocks<Value>{from}, to, problem.width, weight, value, masks + k * bytes);
        team.sync();
        Value* row_before = from;
        from = to;
        to = row_before;
    });
    if (team.thread < 32) {
        problem.template trace<CELLS_OF_THREAD>(answers, row, __ldcg(from + problem.width), masks);
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
