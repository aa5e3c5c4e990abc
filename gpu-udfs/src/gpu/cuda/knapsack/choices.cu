// Solves knapsack problems that take one option from each class, with one block per problem. A block computes a row of
// dev.bellman.knapsack.CapacityTable in place, class after class, and stores for each class and cell the option that
// yields the cell's value. The traceback reads these options.
#include "common/warp.cuh"
#include "knapsack/tables.cuh"

// Lists of classes, each of which is a list of numbers.
template <class Number>
struct ChoiceListsOf {
    const int32* offsets;
    const uint32* class_validity;
    const int32* class_offsets;
    const uint32* validity;
    const Number* numbers;
};

// The arguments; the values are int64 or doubles.
template <class Number>
struct ChoiceCallsOf {
    ChoiceListsOf<int64> weights;
    ChoiceListsOf<Number> values;
    const int64* capacities;
};

template <class Number>
struct ChoiceAnswersOf {
    int64* lightest;  // the lightest weight in each class, at the offsets of the classes in the weights
    int64* lefts;     // the capacity of each row minus the sum of its classes' lightest weights
    int64* divisors;  // the divisor of each row's weights, which is applied after the lightest weights are subtracted
    int32* widths;    // the largest total weight in each row's table, divided by the divisor
    Number* sums;
    int32* counts;
    int32* chosen;    // the chosen options, at the offsets of the classes in the weights
};

using ChoiceLists = ChoiceListsOf<int64>;
using ChoiceCalls = ChoiceCallsOf<int64>;
using ChoiceAnswers = ChoiceAnswersOf<int64>;

STRUCT_FOR_HOST(ChoiceLists);
MEMBER_FOR_HOST(ChoiceLists, offsets);
MEMBER_FOR_HOST(ChoiceLists, class_validity);
MEMBER_FOR_HOST(ChoiceLists, class_offsets);
MEMBER_FOR_HOST(ChoiceLists, validity);
MEMBER_FOR_HOST(ChoiceLists, numbers);
STRUCT_FOR_HOST(ChoiceCalls);
MEMBER_FOR_HOST(ChoiceCalls, weights);
MEMBER_FOR_HOST(ChoiceCalls, values);
MEMBER_FOR_HOST(ChoiceCalls, capacities);
STRUCT_FOR_HOST(ChoiceAnswers);
MEMBER_FOR_HOST(ChoiceAnswers, lightest);
MEMBER_FOR_HOST(ChoiceAnswers, lefts);
MEMBER_FOR_HOST(ChoiceAnswers, divisors);
MEMBER_FOR_HOST(ChoiceAnswers, widths);
MEMBER_FOR_HOST(ChoiceAnswers, sums);
MEMBER_FOR_HOST(ChoiceAnswers, counts);
MEMBER_FOR_HOST(ChoiceAnswers, chosen);

constexpr int32 ROW_CELLS = CELLS_OF_THREAD;
constexpr int32 FEW_CELLS = CELLS_OF_THREAD;
constexpr int32 MAX_THREADS = 512;
constexpr int32 THREADS_OF_TWO = MAX_THREADS;
constexpr int32 TILES_BEFORE = 0;
FOR_HOST(ROW_CELLS);
FOR_HOST(FEW_CELLS);
FOR_HOST(MAX_THREADS);
FOR_HOST(THREADS_OF_TWO);
FOR_HOST(TILES_BEFORE);

namespace {

constexpr int64 MOST = 0x7fffffffffffffffLL;
// The maximum number of options in a class, so that an option's index fits in 16 bits.
constexpr int32 MAX_OPTIONS = 1 << 16;

// An option as the table uses it: its weight is reduced by the lightest weight in its class and divided by the divisor.
template <class Value>
struct Option {
    int32 weight;
    Value value;
};

constexpr int32 UNFIT = -1;

// Returns the sum of two nonnegative numbers, limited to `most`.
__device__ __forceinline__ int64 sum_up_to(int64 most, int64 a, int64 b) {
    return a > most - b ? most : a + b;
}

// The classes of a row.
template <class Number>
struct Classes {
    using Calls = ChoiceCallsOf<Number>;

    int32 first;  // the offset of the first class
    int32 value_first;
    int32 count;

    __device__ __forceinline__ Classes(const Calls& calls, int64 row) :
        first(calls.weights.offsets[row]),
        value_first(calls.values.offsets[row]),
        count(calls.weights.offsets[row + 1] - first) {}

    __device__ __forceinline__ int32 begin(const Calls& calls, int32 k) const {
        return calls.weights.class_offsets[first + k];
    }

    __device__ __forceinline__ int32 value_begin(const Calls& calls, int32 k) const {
        return calls.values.class_offsets[value_first + k];
    }

    __device__ __forceinline__ int32 options(const Calls& calls, int32 k) const {
        return begin(calls, k + 1) - begin(calls, k);
    }

    // Returns the total number of options in all classes.
    __device__ __forceinline__ int32 options(const Calls& calls) const {
        return count == 0 ? 0 : begin(calls, count) - begin(calls, 0);
    }

    __device__ __forceinline__ bool is_valid_class(const Calls& calls, int32 k) const {
        int32 n = options(calls, k);
        bool valid = is_valid(calls.weights.class_validity, first + k)
            && is_valid(calls.values.class_validity, value_first + k) && n > 0
            && value_begin(calls, k + 1) - value_begin(calls, k) == n;
        for (int32 o = 0; valid && o < n; o++) {
            int32 weight = begin(calls, k) + o;
            int32 value = value_begin(calls, k) + o;
            valid = is_valid(calls.weights.validity, weight) && is_valid(calls.values.validity, value)
                && calls.weights.numbers[weight] >= 0 && is_value(calls.values.numbers[value]);
        }
        return valid;
    }
};

// A row's problem, reduced as in dev.bellman.knapsack.Options.reduced. All lanes of a warp have the same values.
template <class Number>
struct Reduced {
    bool valid;
    int64 left;       // the capacity that remains after the lightest options are taken; negative if they do not fit
    int64 divisor = 0;
    int64 heaviest = 0;
    double value = 0;     // an upper bound on the total value of any choice
    double choices = 1;
    int32 most_options = 0;

    __device__ Reduced(const ChoiceCallsOf<Number>& calls, int64 row, int32 lane, int64* lightest) {
        Classes<Number> classes(calls, row);
        int64 capacity = calls.capacities[row];
        valid = capacity >= 0 && calls.values.offsets[row + 1] - classes.value_first == classes.count;
        int64 least = 0;
        for (int32 k = lane; valid && k < classes.count; k += 32) {
            valid = classes.is_valid_class(calls, k);
            if (valid) {
                const int64* weights = calls.weights.numbers + classes.begin(calls, k);
                int64 found = weights[0];
                for (int32 o = 1; o < classes.options(calls, k); o++) {
                    found = min(found, weights[o]);
                }
                lightest[classes.first + k] = found;
                least = sum_up_to(MOST, least, found);
            }
        }
        valid = __all_sync(~0u, valid) != 0;
        least = reduce_lanes<32>(least, [](int64 a, int64 b) { return sum_up_to(MOST, a, b); });
        left = least > capacity ? -1 : capacity - least;
        if (!valid || left < 0) {
            return;
        }
        for (int32 k = lane; k < classes.count; k += 32) {
            see(calls, classes, k, lightest[classes.first + k]);
        }
        int64 most = left;
        heaviest = reduce_lanes<32>(heaviest, [most](int64 a, int64 b) { return sum_up_to(most, a, b); });
        divisor = reduce_lanes<32>(divisor, [](int64 a, int64 b) { return divisor_of(a, b); });
        value = sum_bound<Number>(sum_of_lanes<32>(value));
        choices = reduce_lanes<32>(choices, [](double a, double b) { return a * b; });
        most_options = max_of_lanes<32>(most_options);
    }

private:
    __device__ __forceinline__ void see(
            const ChoiceCallsOf<Number>& calls, const Classes<Number>& classes, int32 k, int64 least) {
        const int64* weights = calls.weights.numbers + classes.begin(calls, k);
        const Number* values = calls.values.numbers + classes.value_begin(calls, k);
        int32 n = classes.options(calls, k);
        int64 most = 0;
        Number best = 0;
        for (int32 o = 0; o < n; o++) {
            int64 weight = weights[o] - least;
            if (weight <= left) {
                divisor = divisor_of(weight, divisor);
                most = max(most, weight);
                best = max(best, values[o]);
            }
        }
        heaviest = sum_up_to(left, heaviest, most);
        value += static_cast<double>(best);
        choices *= n;
        most_options = max(most_options, n);
    }
};

// Classifies the rows, with one warp per row.
//
// - shared: the number of bytes that a row may use in shared memory
template <class Number>
__device__ __forceinline__ void classify(
        int32 rows,
        const uint32* validity,
        const ChoiceCallsOf<Number>& calls,
        int32 shared,
        const ChoiceAnswersOf<Number>& answers,
        const Classified& rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    Reduced<Number> reduced(calls, row, lane, answers.lightest);
    if (lane != 0) {
        return;
    }
    if (!reduced.valid || reduced.left < 0) {
        rows_of.reject(row);
        return;
    }
    Classes<Number> classes(calls, row);
    int64 divisor = max(reduced.divisor, 1LL);
    int64 width = reduced.heaviest / divisor;
    int64 options = classes.options(calls);
    // on the CPU, there is at most one state for each choice of options
    bool has_few_states = CELLS_OF_STATE * reduced.choices < static_cast<double>(options) * (width + 1);
    if (has_few_states || width >= MAX_WIDTH || reduced.value > MAX_SUM || reduced.most_options > MAX_OPTIONS) {
        rows_of.put(row, ON_CPU, 0, 0);
        return;
    }
    answers.lefts[row] = reduced.left;
    answers.divisors[row] = divisor;
    answers.widths[row] = static_cast<int32>(width);
    int64 cells = classes.count * (width + 1);
    int64 bytes = row_bytes_of(width, reduced.value, shared)
        + static_cast<int64>(sizeof(Option<int64>)) * options + static_cast<int64>(sizeof(uint16)) * cells;
    rows_of.put(row, table_class(width, reduced.value), units_of(bytes), cells);
}

// Takes the best option of a class in each of the cells best[0] to best[width]. In case of ties, the first option wins.
// All threads of the block must call this.
template <class Value>
__device__ __forceinline__ void take_class(
        Value* best, int32 width, const Option<Value>* options, int32 count, uint16* choices) {
    int32 first = threadIdx.x / 32 * 32 * CELLS_OF_THREAD + threadIdx.x % 32;
    int32 chunk = blockDim.x * CELLS_OF_THREAD;
    // proceeds from the top, because a cell reads lower cells; thus, no chunk is read after it has been written
    for (int32 low = width / chunk * chunk; low >= 0; low -= chunk) {
        Value with[CELLS_OF_THREAD];
        int32 choice[CELLS_OF_THREAD];
#pragma unroll
        for (int32 j = 0; j < CELLS_OF_THREAD; j++) {
            with[j] = -1;
            choice[j] = 0;
        }
        for (int32 o = 0; o < count; o++) {
            Option<Value> option = options[o];
            if (option.weight == UNFIT || low + chunk <= option.weight) {
                continue;
            }
#pragma unroll
            for (int32 j = 0; j < CELLS_OF_THREAD; j++) {
                int32 c = low + first + 32 * j;
                Value value = c >= option.weight && c <= width ? best[c - option.weight] + option.value : -1;
                choice[j] = value > with[j] ? o : choice[j];
                with[j] = value > with[j] ? value : with[j];
            }
        }
        __syncthreads();
#pragma unroll
        for (int32 j = 0; j < CELLS_OF_THREAD; j++) {
            int32 c = low + first + 32 * j;
            if (c <= width) {
                best[c] = with[j];
                choices[c] = static_cast<uint16>(choice[j]);
            }
        }
    }
    __syncthreads();
}

// Reads the options of a row, with one warp per class. Weights are counted from the lightest option of the class, in
// units of the row's divisor.
template <class Value, class Number>
__device__ __forceinline__ void read_options(
        const ChoiceCallsOf<Number>& calls,
        const ChoiceAnswersOf<Number>& answers,
        int32 row,
        Option<Value>* options) {
    Classes<Number> classes(calls, row);
    int64 left = answers.lefts[row];
    int64 divisor = answers.divisors[row];
    for (int32 k = threadIdx.x / 32; k < classes.count; k += blockDim.x / 32) {
        int32 begin = classes.begin(calls, k);
        int64 least = answers.lightest[classes.first + k];
        for (int32 o = threadIdx.x % 32; o < classes.options(calls, k); o += 32) {
            int64 weight = calls.weights.numbers[begin + o] - least;
            Number value = calls.values.numbers[classes.value_begin(calls, k) + o];
            Option<Value>& to = options[begin - classes.begin(calls, 0) + o];
            to.weight = weight > left ? UNFIT : static_cast<int32>(divisor == 1 ? weight : weight / divisor);
            to.value = static_cast<Value>(value);
        }
    }
}

template <class Value, class Number>
__device__ __forceinline__ void solve(
        const ChoiceCallsOf<Number>& calls,
        const ChoiceAnswersOf<Number>& answers,
        int32 row,
        Value* best,
        uint8* slot) {
    Classes<Number> classes(calls, row);
    int32 width = answers.widths[row];
    int32 first = classes.count == 0 ? 0 : classes.begin(calls, 0);
    Option<Value>* options = reinterpret_cast<Option<Value>*>(slot);
    uint16* choices = reinterpret_cast<uint16*>(options + classes.options(calls));
    read_options(calls, answers, row, options);
    for (int32 c = threadIdx.x; c <= width; c += blockDim.x) {
        best[c] = 0;
    }
    __syncthreads();
    for (int32 k = 0; k < classes.count; k++) {
        take_class(best, width, options + (classes.begin(calls, k) - first), classes.options(calls, k),
                choices + k * (width + 1LL));
    }
    if (threadIdx.x == 0) {
        int32 left = width;
        for (int32 k = classes.count - 1; k >= 0; k--) {
            int32 choice = choices[k * (width + 1LL) + left];
            answers.chosen[classes.first + k] = choice;
            left -= options[classes.begin(calls, k) - first + choice].weight;
        }
        answers.sums[row] = best[width];
        answers.counts[row] = classes.count;
    }
}

}  // namespace

#define CHOICES_CLASSIFY(NAME, Number) \
    extern "C" __global__ void NAME( \
            int32 rows, \
            const uint32* validity, \
            ChoiceCallsOf<Number> calls, \
            int32 shared, \
            ChoiceAnswersOf<Number> answers, \
            Classified rows_of) { \
        classify(rows, validity, calls, shared, answers, rows_of); \
    }

CHOICES_CLASSIFY(choices_classify, int64)
CHOICES_CLASSIFY(choices_classify_doubles, double)

KNAPSACK_TABLES(choices, ChoiceCallsOf, ChoiceAnswersOf)

// Copies the chosen options of all rows, with one warp per row. Does not read values or sums, so their type does not
// matter.
extern "C" __global__ void choices_of_rows(
        int32 rows, ChoiceCalls calls, ChoiceAnswers answers, Classified rows_of, const int32* offsets, int32* to) {
    int64 row = thread_index() / 32;
    if (row >= rows || !rows_of.is_solved(row)) {
        return;
    }
    Classes<int64> classes(calls, row);
    for (int32 k = threadIdx.x % 32; k < classes.count; k += 32) {
        to[offsets[row] + k] = answers.chosen[classes.first + k];
    }
}
