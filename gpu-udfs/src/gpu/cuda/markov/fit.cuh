// The arguments, the counts and the results of hmm_fit and hmm_refit: dev.bellman.markov.HmmTraining.
//
// Sums over sequences are exact, as in dev.bellman.markov.ExactSums: a sum consists of several doubles, its levels,
// each of which passes its rounding error to the next level. Rows whose sums need more than FIT_LEVELS levels run on
// the CPU.
#pragma once

#include "columns/slots.cuh"
#include "common/warp.cuh"
#include "markov/model.cuh"

constexpr int32 FIT_MAX_STATES = 16;
constexpr int32 FIT_MAX_ITERATIONS = 1000;
constexpr int32 FIT_LEVELS = 24;
// A class combines a shape, which has up to 2, 4, 8 or 16 states, and the binary logarithm of the number of sums for
// the emissions of each state, rounded up.
constexpr int32 FIT_SHAPES = 4;
constexpr int32 FIT_SIZES = 8;
constexpr int32 FIT_MAX_SUMS = 1 << (FIT_SIZES - 1);
constexpr int32 FIT_CLASSES = FIT_SHAPES * FIT_SIZES;
FOR_HOST(FIT_LEVELS);
FOR_HOST(FIT_SIZES);
FOR_HOST(FIT_CLASSES);

// The sequences of each row.
struct FitSequences {
    const int32* offsets;
    const uint32* validity;
    const int32* step_offsets;
    const uint32* symbol_validity;
    const int32* symbols;
    MarkovMatrices values;  // the values of each step; row_offsets is null if they are numbers rather than points
};

// `iterations`, `seeds` and `min_variances` may be null. If `first.start_offsets` is null, the kernels choose the first
// models; otherwise, `states` is null, and a row's sequences take the place of its symbols in `first`.
struct FitCalls {
    FitSequences sequences;
    MarkovCalls first;
    const int32* states;
    const int32* iterations;
    const int64* seeds;
    const double* min_variances;
    int64 default_seed;
    double default_min_variance;
    int32 default_iterations;

    __device__ __forceinline__ bool has_models() const {
        return first.start_offsets != nullptr;
    }

    __device__ __forceinline__ int32 states_of(int64 row) const {
        return has_models() ? first.start_offsets[row + 1] - first.start_offsets[row] : states[row];
    }

    __device__ __forceinline__ int32 iterations_of(int64 row) const {
        return iterations == nullptr ? default_iterations : iterations[row];
    }

    __device__ __forceinline__ int64 seed_of(int64 row) const {
        return seeds == nullptr ? default_seed : seeds[row];
    }

    __device__ __forceinline__ double min_variance_of(int64 row) const {
        return min_variances == nullptr ? default_min_variance : min_variances[row];
    }
};

// The results of a row are in `numbers`, from its offset on: the start, the transitions, the emissions, and the
// logarithms of the probabilities.
struct FitResults {
    int32* widths;  // the number of emission parameters of each state, for each row
    const int32* offsets;
    double* numbers;
};

STRUCT_FOR_HOST(FitSequences);
MEMBER_FOR_HOST(FitSequences, offsets);
MEMBER_FOR_HOST(FitSequences, validity);
MEMBER_FOR_HOST(FitSequences, step_offsets);
MEMBER_FOR_HOST(FitSequences, symbol_validity);
MEMBER_FOR_HOST(FitSequences, symbols);
MEMBER_FOR_HOST(FitSequences, values);
STRUCT_FOR_HOST(FitCalls);
MEMBER_FOR_HOST(FitCalls, sequences);
MEMBER_FOR_HOST(FitCalls, first);
MEMBER_FOR_HOST(FitCalls, states);
MEMBER_FOR_HOST(FitCalls, iterations);
MEMBER_FOR_HOST(FitCalls, seeds);
MEMBER_FOR_HOST(FitCalls, min_variances);
MEMBER_FOR_HOST(FitCalls, default_seed);
MEMBER_FOR_HOST(FitCalls, default_min_variance);
MEMBER_FOR_HOST(FitCalls, default_iterations);
STRUCT_FOR_HOST(FitResults);
MEMBER_FOR_HOST(FitResults, widths);
MEMBER_FOR_HOST(FitResults, offsets);
MEMBER_FOR_HOST(FitResults, numbers);

namespace {

// The lengths of a row's sequences, which a warp determines together.
struct FitLengthsOfRow {
    bool is_accepted;  // whether the row has sequences, none of which is NULL or empty
    int32 longest;
    int32 first;  // the first step of the first sequence
    int32 steps;  // the total number of steps

    __device__ __forceinline__ FitLengthsOfRow(const FitSequences& sequences, int64 row, int32 lane) {
        int32 begin = sequences.offsets[row];
        int32 end = sequences.offsets[row + 1];
        is_accepted = begin < end;
        longest = 0;
        for (int32 i = begin + lane; i < end; i += 32) {
            int32 length = sequences.step_offsets[i + 1] - sequences.step_offsets[i];
            is_accepted = is_accepted && is_valid(sequences.validity, i) && length > 0;
            longest = max(longest, length);
        }
        is_accepted = __all_sync(~0u, is_accepted);
        longest = max_of_lanes<32>(longest);
        // a batch without sequences may have no step offsets
        first = begin < end ? sequences.step_offsets[begin] : 0;
        steps = begin < end ? sequences.step_offsets[end] - first : 0;
    }
};

// Classifies a valid row. `sums` is the number of sums for the emissions of each state. The size of the row is the
// length of its longest sequence.
__device__ __forceinline__ void classify_fit(
        const Classified& rows_of, int64 row, int32 states, int32 sums, int32 iterations, int32 longest, int32 steps) {
    if (states > FIT_MAX_STATES || sums > FIT_MAX_SUMS || iterations > FIT_MAX_ITERATIONS
        || static_cast<int64>(longest) * states > MAX_NUMBERS) {
        rows_of.put(row, ON_CPU, 0, 0);
        return;
    }
    int32 shape = states <= 2 ? 0 : 31 - __clz(states - 1);
    int32 size = sums <= 1 ? 0 : 32 - __clz(sums - 1);
    rows_of.put(row, shape * FIT_SIZES + size, longest, static_cast<int64>(steps) * states * states * iterations);
}

// Returns the random number with the given index, as HmmModel.uniform does.
__device__ __forceinline__ double uniform_number(int64 seed, int32 index) {
    constexpr uint64 GOLDEN_GAMMA = 0x9E3779B97F4A7C15ULL;
    uint64 state = static_cast<uint64>(seed) + (index + 1) * GOLDEN_GAMMA;
    uint64 mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBULL;
    return __dmul_rn(static_cast<double>(static_cast<int64>((mixed ^ mixed >> 31) >> 11)), 1.0 / (1LL << 53));
}

// Returns a random number from which HmmModel.distributions computes a probability.
__device__ __forceinline__ double random_number(int64 seed, int32 index) {
    return -strict_log(__dsub_rn(1, uniform_number(seed, index)));
}

// Divides numbers by their sum, and writes the quotients or, if `are_logs` is true, their logarithms; writes nothing if
// the sum is 0.
__device__ __forceinline__ void divide_by_sum(
        const double* numbers, int32 stride, double* to, int32 to_stride, int32 count, bool are_logs) {
    double sum = 0;
    for (int32 j = 0; j < count; j++) {
        sum = __dadd_rn(sum, numbers[j * stride]);
    }
    for (int32 j = 0; j < count && sum > 0; j++) {
        double quotient = __ddiv_rn(numbers[j * stride], sum);
        to[j * to_stride] = are_logs ? strict_log(quotient) : quotient;
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

    // Returns the maximum number of levels of this thread's sums.
    __device__ __forceinline__ int32 used() const {
        return used_;
    }

    // Adds the sums from 1 to 31 to sum 0, which must belong to this thread. None of the sums has more than `used`
    // levels.
    __device__ __forceinline__ void add_all_to_first(int32 used) {
        for (int32 q = 1; q < 32; q++) {
            for (int32 level = 0; level < used; level++) {
                add(0, levels_[level * count_ + q]);
            }
        }
    }

private:
    double* levels_;
    int32 count_;
    int32 used_ = 0;
};

// The expected counts of the sequences that a warp counts at once, and their sums over all sequences. Both have a row
// for each sum of emissions, then for the transitions to each state, then for the starts and for the logarithms of the
// probabilities. In a row of counts, each thread has the number of its state and its sequence.
template <int32 STATES>
class FitCounts {
public:
    static constexpr int32 TEAMS = 32 / STATES;

    // counts: row_count rows of 32 numbers; levels: FIT_LEVELS numbers for each row and state
    __device__ __forceinline__ FitCounts(double* counts, double* levels, int32 emission_sums) :
        counts_(counts), levels_(levels), emission_sums_(emission_sums), row_count_(rows(emission_sums)),
        sums_(levels, row_count_ * STATES) {
        for (int32 r = 0; r < emission_sums; r++) {
            *own(r) = 0;
        }
        clear_levels();
    }

    static __device__ __forceinline__ int32 rows(int32 emission_sums) {
        return emission_sums + STATES + 2;
    }

    // Returns this thread's number in a row of counts. In rows of emissions, it is initially 0.
    __device__ __forceinline__ double* own(int32 r) const {
        return counts_ + r * 32 + threadIdx.x;
    }

    // Adds the counts of each team's sequence to the sums, and clears the emissions.
    __device__ __forceinline__ void add(const double (&moved)[STATES], double start, double log_probability) {
#pragma unroll
        for (int32 j = 0; j < STATES; j++) {
            *own(emission_sums_ + j) = moved[j];
        }
        *own(emission_sums_ + STATES) = start;
        *own(emission_sums_ + STATES + 1) = state_ == 0 ? log_probability : 0;
        __syncwarp();
        for (int32 r = team_; r < row_count_; r += TEAMS) {
            for (int32 team = 0; team < TEAMS; team++) {
                sums_.add(r * STATES + state_, counts_[r * 32 + team * STATES + state_]);
            }
        }
        __syncwarp();
        for (int32 r = 0; r < emission_sums_; r++) {
            *own(r) = 0;
        }
    }

    // Rounds all sums if their levels sufficed. Returns, in all threads, whether they did.
    __device__ __forceinline__ bool round() {
        if (!__all_sync(~0u, sums_.suffices)) {
            return false;
        }
        for (int32 r = team_; r < row_count_; r += TEAMS) {
            sums_.round(r * STATES + state_);
        }
        __syncwarp();
        return true;
    }

    // Returns the rounded sum of a row of emissions for state 0, followed by those of the other states.
    __device__ __forceinline__ double* emissions(int32 r) const {
        return levels_ + r * STATES;
    }

    // Returns the rounded sum of the transitions from state 0 to a state, followed by those from the other states.
    __device__ __forceinline__ double* moves_to(int32 state) const {
        return emissions(emission_sums_ + state);
    }

    __device__ __forceinline__ double log_probability() const {
        return *emissions(emission_sums_ + STATES + 1);
    }

    // Replaces the start or the transitions from one state with the most likely ones, unless their counts are 0. `i` is
    // 0 for the start, and otherwise the state plus 1. The transitions follow the start.
    __device__ __forceinline__ void improve_chain(int32 i, double* start, int32 states, bool are_logs) const {
        const double* from = i == 0 ? emissions(emission_sums_ + STATES) : moves_to(0) + i - 1;
        divide_by_sum(from, i == 0 ? 1 : STATES, start + i * states, 1, states, are_logs);
    }

    // Clears all levels of all sums, which may have had any value.
    __device__ __forceinline__ void clear_levels() {
        for (int32 r = team_; r < row_count_; r += TEAMS) {
            sums_.clear(r * STATES + state_);
        }
        __syncwarp();
    }

    // Clears all sums after they were rounded.
    __device__ __forceinline__ void clear() const {
        __syncwarp();
        for (int32 r = team_; r < row_count_; r += TEAMS) {
            levels_[r * STATES + state_] = 0;
        }
    }

private:
    int32 state_ = threadIdx.x % STATES;
    int32 team_ = threadIdx.x / STATES;
    double* counts_;
    double* levels_;
    int32 emission_sums_;
    int32 row_count_;
    FitSums sums_;
};

// Writes the start and the transitions of the first model of a row, with a warp. The transitions follow the start.
__device__ __forceinline__ void begin_chain(const FitCalls& calls, int64 row, int32 states, double* start) {
    int32 count = states + states * states;
    if (calls.has_models()) {
        Chain first = Model(calls.first, row).chain(calls.first, row);
        for (int32 i = threadIdx.x; i < count; i += 32) {
            double number = i < states ? first.start[i] : first.moves[i - states];
            start[i] = first.are_logs ? __dadd_rn(number, 0) : number;
        }
        return;
    }
    int64 seed = calls.seed_of(row);
    for (int32 i = threadIdx.x; i < count; i += 32) {
        start[i] = random_number(seed, i);
    }
    __syncwarp();
    for (int32 i = threadIdx.x; i <= states; i += 32) {
        double* numbers = start + i * states;
        divide_by_sum(numbers, 1, numbers, 1, states, false);
    }
}

// Fits the models of the rows of a group. `Fitting` computes the iterations of a row.
template <typename Fitting>
__device__ __forceinline__ void fit_all(
        const Slots& slots, int32 longest, const FitCalls& calls, const FitResults& results, Classified rows_of) {
    extern __shared__ __align__(16) double shared[];
    double* table = reinterpret_cast<double*>(slots.of_block());
    double* levels = table + static_cast<int64>(longest) * 32;
    for (int32 i = slots.next(); i < slots.to; i = slots.next()) {
        int32 row = slots.order[i];
        int32 states = calls.states_of(row);
        int32 width = results.widths[row];
        double* numbers = results.numbers + results.offsets[row];
        double* logs = numbers + states + states * states + states * width;
        Fitting fitting(calls, row, width, shared, table, levels);
        int32 iterations = calls.iterations_of(row);
        int32 key = fitting.begin();
        for (int32 k = 0; k < iterations && key == NULL_ROW; k++) {
            key = fitting.improve(calls.sequences.offsets[row], calls.sequences.offsets[row + 1], logs + k);
        }
        if (key == NULL_ROW) {
            fitting.write(numbers);
        } else if (threadIdx.x == 0) {
            rows_of.keys[row] = key;
        }
    }
}

}  // namespace

// Defines a kernel for a shape. Each block consists of one warp.
//
// - longest: the length of the longest sequence
// - slots: for each block, a table with 32 numbers for each step, and then the levels of the sums
#define FIT(NAME, STATES, BLOCKS) \
    extern "C" __global__ void __launch_bounds__(32, BLOCKS) NAME##_##STATES( \
            const __grid_constant__ Slots slots, int32 longest, FitCalls calls, FitResults results, \
            Classified rows_of) { \
        fit_all<Fitting<STATES>>(slots, longest, calls, results, rows_of); \
    }
