// Fits hidden Markov models to sequences of symbols, with one warp per row: dev.bellman.markov.HmmTraining. Each
// sequence has a team of threads, one per state.
//
// Sums over sequences are exact, as in dev.bellman.markov.ExactSums: a sum consists of several doubles, its levels,
// each of which passes its rounding error to the next level. Rows whose sums need more levels run on the CPU.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/ticket.cuh"
#include "markov/counting.cuh"

constexpr int32 FIT_MAX_STATES = 16;
constexpr int32 FIT_MAX_SYMBOLS = 128;
constexpr int32 FIT_MAX_ITERATIONS = 1000;
constexpr int32 FIT_LEVELS = 12;
// A class combines a shape, which has up to 2, 4, 8 or 16 states, and the binary logarithm of the number of symbols,
// rounded up.
constexpr int32 FIT_SHAPES = 4;
constexpr int32 FIT_SIZES = 8;
constexpr int32 FIT_CLASSES = FIT_SHAPES * FIT_SIZES;
FOR_HOST(FIT_LEVELS);
FOR_HOST(FIT_SIZES);
FOR_HOST(FIT_CLASSES);

// Lists of lists of symbols, and the other arguments. `iterations` and `seeds` may be null.
struct FitCalls {
    const int32* offsets;
    const uint32* sequence_validity;
    const int32* sequence_offsets;
    const uint32* symbol_validity;
    const int32* symbols;
    const int32* states;
    const int32* iterations;
    const int64* seeds;
    int64 default_seed;
    int32 default_iterations;

    __device__ __forceinline__ int32 iterations_of(int64 row) const {
        return iterations == nullptr ? default_iterations : iterations[row];
    }

    __device__ __forceinline__ int64 seed_of(int64 row) const {
        return seeds == nullptr ? default_seed : seeds[row];
    }
};

// The results of a row are in `numbers`, from its offset on: the start, the transitions, the emissions, and the
// logarithms of the probabilities.
struct FitResults {
    int32* symbols;  // the number of symbols of each row
    const int32* offsets;
    double* numbers;
};

// The lengths of each row's results.
struct FitLengths {
    int32* states;
    int32* transitions;
    int32* emissions;
    int32* iterations;
    int32* all;
};

// The offsets of the results, and the results.
struct FitColumns {
    const int32* states;
    const int32* transitions;
    const int32* emissions;
    const int32* iterations;
    double* starts;
    int32* transition_rows;
    double* transition_numbers;
    int32* emission_rows;
    double* emission_numbers;
    double* logs;
};

STRUCT_FOR_HOST(FitCalls);
MEMBER_FOR_HOST(FitCalls, offsets);
MEMBER_FOR_HOST(FitCalls, sequence_validity);
MEMBER_FOR_HOST(FitCalls, sequence_offsets);
MEMBER_FOR_HOST(FitCalls, symbol_validity);
MEMBER_FOR_HOST(FitCalls, symbols);
MEMBER_FOR_HOST(FitCalls, states);
MEMBER_FOR_HOST(FitCalls, iterations);
MEMBER_FOR_HOST(FitCalls, seeds);
MEMBER_FOR_HOST(FitCalls, default_seed);
MEMBER_FOR_HOST(FitCalls, default_iterations);
STRUCT_FOR_HOST(FitResults);
MEMBER_FOR_HOST(FitResults, symbols);
MEMBER_FOR_HOST(FitResults, offsets);
MEMBER_FOR_HOST(FitResults, numbers);
STRUCT_FOR_HOST(FitLengths);
MEMBER_FOR_HOST(FitLengths, states);
MEMBER_FOR_HOST(FitLengths, transitions);
MEMBER_FOR_HOST(FitLengths, emissions);
MEMBER_FOR_HOST(FitLengths, iterations);
MEMBER_FOR_HOST(FitLengths, all);
STRUCT_FOR_HOST(FitColumns);
MEMBER_FOR_HOST(FitColumns, states);
MEMBER_FOR_HOST(FitColumns, transitions);
MEMBER_FOR_HOST(FitColumns, emissions);
MEMBER_FOR_HOST(FitColumns, iterations);
MEMBER_FOR_HOST(FitColumns, starts);
MEMBER_FOR_HOST(FitColumns, transition_rows);
MEMBER_FOR_HOST(FitColumns, transition_numbers);
MEMBER_FOR_HOST(FitColumns, emission_rows);
MEMBER_FOR_HOST(FitColumns, emission_numbers);
MEMBER_FOR_HOST(FitColumns, logs);

// Classifies the rows, with one warp per row. The size of a row is the length of its longest sequence.
extern "C" __global__ void hmm_fit_classify(
        int32 rows, const uint32* validity, FitCalls calls, FitResults results, Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int32 first = calls.offsets[row];
    int32 end = calls.offsets[row + 1];
    int32 states = calls.states[row];
    int32 iterations = calls.iterations_of(row);
    bool is_accepted = first < end && states >= 1 && iterations >= 1;
    int32 longest = 0;
    for (int32 i = first + lane; i < end; i += 32) {
        int32 length = calls.sequence_offsets[i + 1] - calls.sequence_offsets[i];
        is_accepted = is_accepted && is_valid(calls.sequence_validity, i) && length > 0;
        longest = max(longest, length);
    }
    // a batch without sequences may have no offsets of sequences
    int32 begin = first < end ? calls.sequence_offsets[first] : 0;
    int32 count = first < end ? calls.sequence_offsets[end] - begin : 0;
    int32 last = 0;
    for (int32 i = lane; i < count; i += 32) {
        int32 symbol = calls.symbols[begin + i];
        is_accepted = is_accepted && is_valid(calls.symbol_validity, begin + i) && symbol >= 0;
        last = max(last, symbol);
    }
    is_accepted = __all_sync(~0u, is_accepted);
    longest = max_of_lanes<32>(longest);
    last = max_of_lanes<32>(last);
    if (lane != 0) {
        return;
    }
    if (!is_accepted) {
        rows_of.reject(row);
        return;
    }
    if (states > FIT_MAX_STATES || last >= FIT_MAX_SYMBOLS || iterations > FIT_MAX_ITERATIONS) {
        rows_of.put(row, ON_CPU, 0, 0);
        return;
    }
    int32 shape = states <= 2 ? 0 : 31 - __clz(states - 1);
    int32 size = last == 0 ? 0 : 32 - __clz(last);
    results.symbols[row] = last + 1;
    rows_of.put(row, shape * FIT_SIZES + size, longest, static_cast<int64>(count) * states * states * iterations);
}

// Writes the lengths of the results, which are 0 for rows without results. Writes one extra entry for each, which may
// have any value.
extern "C" __global__ void hmm_fit_lengths(
        int32 rows, FitCalls calls, FitResults results, Classified rows_of, FitLengths lengths) {
    int64 row = thread_index();
    if (row > rows) {
        return;
    }
    bool is_solved = row < rows && rows_of.is_solved(row);
    int32 states = is_solved ? calls.states[row] : 0;
    int32 symbols = is_solved ? results.symbols[row] : 0;
    int32 iterations = is_solved ? calls.iterations_of(row) : 0;
    lengths.states[row] = states;
    lengths.transitions[row] = states * states;
    lengths.emissions[row] = states * symbols;
    lengths.iterations[row] = iterations;
    lengths.all[row] = states + states * states + states * symbols + iterations;
}

namespace {

// Returns a random number of HmmModel.uniform.
__device__ __forceinline__ double uniform_number(int64 seed, int32 index) {
    constexpr uint64 GOLDEN_GAMMA = 0x9E3779B97F4A7C15ULL;
    uint64 state = static_cast<uint64>(seed) + (index + 1) * GOLDEN_GAMMA;
    uint64 mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBULL;
    return __dmul_rn(static_cast<double>(static_cast<int64>((mixed ^ mixed >> 31) >> 11)), 1.0 / (1LL << 53));
}

// Divides numbers by their sum, and writes the quotients; writes nothing if the sum is 0.
__device__ __forceinline__ void divide_by_sum(
        const double* numbers, int32 stride, double* to, int32 to_stride, int32 count) {
    double sum = 0;
    for (int32 j = 0; j < count; j++) {
        sum = __dadd_rn(sum, numbers[j * stride]);
    }
    for (int32 j = 0; j < count && sum > 0; j++) {
        to[j * to_stride] = __ddiv_rn(numbers[j * stride], sum);
    }
}

// Sums, each of which belongs to one thread. Level i of the sum with index q is `levels[i * count + q]`.
class FitSums {
public:
    // whether the levels suffice
    bool suffices = true;

    __device__ __forceinline__ FitSums(double* levels, int32 count) : levels_(levels), count_(count) {}

    __device__ __forceinline__ void clear(int32 q) {
        for (int32 level = 0; level < FIT_LEVELS; level++) {
            levels_[level * count_ + q] = 0;
        }
    }

    __device__ __forceinline__ void add(int32 q, double number) {
        double rest = number;
        int32 level = 0;
        while (rest != 0 && level < FIT_LEVELS) {
            double* to = levels_ + level * count_ + q;
            double before = *to;
            double sum = __dadd_rn(before, rest);
            double of_rest = __dsub_rn(sum, before);
            rest = __dadd_rn(__dsub_rn(before, __dsub_rn(sum, of_rest)), __dsub_rn(rest, of_rest));
            *to = sum;
            level++;
        }
        used_ = max(used_, level);
        suffices = suffices && rest == 0;
    }

    // Replaces level 0 with the double closest to the sum, and all other levels with zeros: ExactSums.rounded.
    __device__ __forceinline__ void round(int32 q) {
        int32 count = 0;
        for (int32 level = 0; level < used_; level++) {
            double x = levels_[level * count_ + q];
            int32 used = 0;
            for (int32 i = 0; i < count; i++) {
                double part = levels_[i * count_ + q];
                double large = fabs(x) < fabs(part) ? part : x;
                double small = fabs(x) < fabs(part) ? x : part;
                double sum = __dadd_rn(large, small);
                double error = __dsub_rn(small, __dsub_rn(sum, large));
                if (error != 0) {
                    levels_[used++ * count_ + q] = error;
                }
                x = sum;
            }
            levels_[used++ * count_ + q] = x;
            count = used;
        }
        double sum = count == 0 ? 0 : levels_[--count * count_ + q];
        double error = 0;
        while (count > 0 && error == 0) {
            double part = levels_[--count * count_ + q];
            double before = sum;
            sum = __dadd_rn(before, part);
            error = __dsub_rn(part, __dsub_rn(sum, before));
        }
        if (count > 0 && error != 0) {
            double next_part = levels_[(count - 1) * count_ + q];
            double next = __dadd_rn(sum, __dmul_rn(2, error));
            bool has_same_sign = next_part != 0 && (next_part > 0) == (error > 0);
            sum = has_same_sign && __dsub_rn(next, sum) == __dmul_rn(2, error) ? next : sum;
        }
        levels_[q] = sum;
        for (int32 level = 1; level < used_; level++) {
            levels_[level * count_ + q] = 0;
        }
    }

private:
    double* levels_;
    int32 count_;
    int32 used_ = 0;  // the maximum number of levels of this thread's sums
};

// The memory of a block. `rows` contains a row of 32 numbers for each symbol, then for each state, then for the starts
// and the logarithms; each thread writes the counts of its state and its sequence. Sum r * STATES + i is the sum of row
// r over all sequences, for state i.
template <int32 STATES>
class Fitting {
public:
    static constexpr int32 TEAMS = 32 / STATES;

    __device__ __forceinline__ Fitting(
            const FitCalls& calls, int64 row, int32 symbols, double* shared, double* table, double* levels) :
        calls_(calls), states_(calls.states[row]), symbols_(symbols), shared_(shared), table_(table),
        rows_(shared + 32 + threadIdx.x), row_count_(symbols + STATES + 2), levels_(levels),
        sums_(levels, row_count_ * STATES) {
        start_ = shared + 32 * (1 + row_count_);
        moves_ = start_ + states_;
        emissions_ = moves_ + states_ * states_;
        for (int32 s = 0; s < symbols_; s++) {
            rows_[s * 32] = 0;
        }
        for (int32 r = team_; r < row_count_; r += TEAMS) {
            sums_.clear(r * STATES + state_);
        }
        // random numbers for the start, the transitions and the emissions of each state
        int64 seed = calls.seed_of(row);
        int32 before_emissions = states_ + states_ * states_;
        for (int32 i = threadIdx.x; i < before_emissions + states_ * symbols_; i += 32) {
            int32 emission = i - before_emissions;
            double* to = emission < 0 ? start_ + i
                                      : emissions_ + emission % symbols_ * states_ + emission / symbols_;
            *to = -strict_log(__dsub_rn(1, uniform_number(seed, i)));
        }
        __syncwarp();
        for (int32 i = threadIdx.x; i < 2 * states_ + 1; i += 32) {
            if (i <= states_) {
                double* numbers = start_ + i * states_;
                divide_by_sum(numbers, 1, numbers, 1, states_);
            } else {
                double* numbers = emissions_ + i - states_ - 1;
                divide_by_sum(numbers, states_, numbers, states_, symbols_);
            }
        }
        __syncwarp();
    }

    // Runs an iteration for the sequences from `first` (inclusive) to `end` (exclusive). Returns, in all threads,
    // NULL_ROW if it succeeds, and otherwise the new class of the row.
    __device__ __forceinline__ int32 improve(int32 first, int32 end, double* log_probability) {
        CountedModel model = {start_, moves_, emissions_, states_, symbols_};
        Counting<STATES, int32> counting(model, shared_, table_);
        for (int32 i = first; i < end; i += TEAMS) {
            bool has_sequence = i + team_ < end;
            int32 sequence = has_sequence ? i + team_ : i;
            int32 from = calls_.sequence_offsets[sequence];
            counting.count(calls_.symbols + from, has_sequence ? calls_.sequence_offsets[sequence + 1] - from : 0);
            if (!__all_sync(~0u, counting.is_likely)) {
                return REJECTED;
            }
            add(counting);
        }
        if (!__all_sync(~0u, sums_.suffices)) {
            return ON_CPU;
        }
        for (int32 r = team_; r < row_count_; r += TEAMS) {
            sums_.round(r * STATES + state_);
        }
        __syncwarp();
        const double* moved = levels_ + symbols_ * STATES;
        for (int32 i = threadIdx.x; i < states_ * states_; i += 32) {
            double* count = levels_ + (symbols_ + i % states_) * STATES + i / states_;
            *count = __dmul_rn(*count, moves_[i]);
        }
        __syncwarp();
        for (int32 i = threadIdx.x; i < 2 * states_ + 1; i += 32) {
            if (i == 0) {
                divide_by_sum(moved + STATES * STATES, 1, start_, 1, states_);
                *log_probability = moved[(STATES + 1) * STATES];
            } else if (i <= states_) {
                divide_by_sum(moved + i - 1, STATES, moves_ + (i - 1) * states_, 1, states_);
            } else {
                int32 state = i - states_ - 1;
                divide_by_sum(levels_ + state, STATES, emissions_ + state, states_, symbols_);
            }
        }
        __syncwarp();
        for (int32 r = team_; r < row_count_; r += TEAMS) {
            levels_[r * STATES + state_] = 0;
        }
        return NULL_ROW;
    }

    // Writes the start, the transitions and the emissions.
    __device__ __forceinline__ void write(double* to) const {
        int32 before_emissions = states_ + states_ * states_;
        for (int32 i = threadIdx.x; i < before_emissions + states_ * symbols_; i += 32) {
            int32 emission = i - before_emissions;
            to[i] = emission < 0 ? start_[i] : emissions_[emission % symbols_ * states_ + emission / symbols_];
        }
        __syncwarp();
    }

private:
    // Adds the counts of each team's sequence to the sums.
    __device__ __forceinline__ void add(const Counting<STATES, int32>& counting) {
#pragma unroll
        for (int32 j = 0; j < STATES; j++) {
            rows_[(symbols_ + j) * 32] = counting.moved[j];
        }
        rows_[(symbols_ + STATES) * 32] = counting.start;
        rows_[(symbols_ + STATES + 1) * 32] = state_ == 0 ? counting.log_probability : 0;
        __syncwarp();
        for (int32 r = team_; r < row_count_; r += TEAMS) {
            for (int32 team = 0; team < TEAMS; team++) {
                sums_.add(r * STATES + state_, shared_[32 * (1 + r) + team * STATES + state_]);
            }
        }
        __syncwarp();
        for (int32 s = 0; s < symbols_; s++) {
            rows_[s * 32] = 0;
        }
    }

    const FitCalls& calls_;
    int32 state_ = threadIdx.x % STATES;
    int32 team_ = threadIdx.x / STATES;
    int32 states_;
    int32 symbols_;
    double* shared_;
    double* table_;
    double* rows_;
    int32 row_count_;
    double* levels_;
    FitSums sums_;
    double* start_;
    double* moves_;
    double* emissions_;
};

template <int32 STATES>
__device__ __forceinline__ void fit_all(
        const int32* order, int32 from, int32 to, int32 longest, int32* ticket, const FitCalls& calls,
        const FitResults& results, Classified rows_of, uint8* slots, int64 slot_bytes) {
    extern __shared__ __align__(16) double shared[];
    double* table = reinterpret_cast<double*>(slots + slot_bytes * blockIdx.x);
    double* levels = table + static_cast<int64>(longest) * 32;
    for (int32 i = from + take(ticket, 0); i < to; i = from + take(ticket, 0)) {
        int32 row = order[i];
        int32 states = calls.states[row];
        int32 symbols = results.symbols[row];
        double* numbers = results.numbers + results.offsets[row];
        double* logs = numbers + states + states * states + states * symbols;
        Fitting<STATES> fitting(calls, row, symbols, shared, table, levels);
        int32 iterations = calls.iterations_of(row);
        int32 key = NULL_ROW;
        for (int32 k = 0; k < iterations && key == NULL_ROW; k++) {
            key = fitting.improve(calls.offsets[row], calls.offsets[row + 1], logs + k);
        }
        if (key == NULL_ROW) {
            fitting.write(numbers);
        } else if (threadIdx.x == 0) {
            rows_of.keys[row] = key;
        }
    }
}

}  // namespace

// Fits the models of the rows order[from] to order[to - 1]. Each block consists of one warp.
//
// - longest: the length of the longest sequence
// - slots: for each block, a table with 32 numbers for each step, and then the levels of the sums
#define HMM_FIT(STATES, BLOCKS) \
    extern "C" __global__ void __launch_bounds__(32, BLOCKS) hmm_fit_##STATES( \
            const int32* order, \
            int32 from, \
            int32 to, \
            int32 longest, \
            int32* ticket, \
            FitCalls calls, \
            FitResults results, \
            Classified rows_of, \
            uint8* slots, \
            int64 slot_bytes) { \
        fit_all<STATES>(order, from, to, longest, ticket, calls, results, rows_of, slots, slot_bytes); \
    }

HMM_FIT(2, 24)
HMM_FIT(4, 20)
HMM_FIT(8, 16)
HMM_FIT(16, 10)

// Copies the results to their final positions, with one warp per row.
extern "C" __global__ void hmm_fit_results(
        int32 rows, FitCalls calls, FitResults results, Classified rows_of, FitColumns to) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (row == 0 && lane == 0) {
        to.transition_rows[to.states[rows]] = to.transitions[rows];
        to.emission_rows[to.states[rows]] = to.emissions[rows];
    }
    if (row >= rows || !rows_of.is_solved(row)) {
        return;
    }
    int32 states = calls.states[row];
    int32 symbols = results.symbols[row];
    int32 iterations = calls.iterations_of(row);
    const double* numbers = results.numbers + results.offsets[row];
    for (int32 i = lane; i < states; i += 32) {
        to.starts[to.states[row] + i] = numbers[i];
        to.transition_rows[to.states[row] + i] = to.transitions[row] + i * states;
        to.emission_rows[to.states[row] + i] = to.emissions[row] + i * symbols;
    }
    numbers += states;
    for (int32 i = lane; i < states * states; i += 32) {
        to.transition_numbers[to.transitions[row] + i] = numbers[i];
    }
    numbers += states * states;
    for (int32 i = lane; i < states * symbols; i += 32) {
        to.emission_numbers[to.emissions[row] + i] = numbers[i];
    }
    numbers += states * symbols;
    for (int32 i = lane; i < iterations; i += 32) {
        to.logs[to.iterations[row] + i] = numbers[i];
    }
}
