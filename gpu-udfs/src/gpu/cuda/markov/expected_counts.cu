// Computes the expected counts of sequences of symbols in a hidden Markov model: dev.bellman.markov.BaumWelch. Each
// sequence has a team of threads, one per state. All operations are the CPU's, in the same order. Missing states have
// probabilities of 0, which do not change any sum.
//
// Sums over sequences are exact. Each sum is an integer multiple of the smallest double, stored in words of 64 bits
// that are 32 bits apart. A number has 53 bits, so it changes at most three adjacent words, each by less than 2^32.
// Words therefore do not overflow before 2^31 numbers, and the order of the additions does not matter.
#include "common/host.cuh"
#include "common/strict_math.cuh"
#include "common/ticket.cuh"
#include "common/warp.cuh"

constexpr int32 COUNT_STATES = 16;
constexpr int32 COUNT_SYMBOLS = 254;  // the counts of a block must fit in 64 KiB of shared memory
constexpr int32 COUNT_BLOCK = 32;
constexpr int32 COUNT_WORDS = 66;
FOR_HOST(COUNT_STATES);
FOR_HOST(COUNT_SYMBOLS);
FOR_HOST(COUNT_BLOCK);
FOR_HOST(COUNT_WORDS);

struct CountedModel {
    const double* start;
    const double* moves;      // for each state, the transitions to each state
    const double* emissions;  // for each symbol, the emissions of each state
    int32 states;
    int32 symbols;
};

struct CountedSequences {
    const uint8* symbols;
    const int32* offsets;
    int32 count;
    int32 longest;
};

// The sums of the counts, in this order: starts, transitions, emissions, and the logarithm of the probability.
struct ExpectedSums {
    uint64* words;   // for each copy and each of its words, a number for each sum
    int32* rejected;  // the first sequence that is too unlikely
    int32 copies;    // sequences add to different copies, so that they rarely wait for each other
    int32 sums;
};

STRUCT_FOR_HOST(CountedModel);
MEMBER_FOR_HOST(CountedModel, start);
MEMBER_FOR_HOST(CountedModel, moves);
MEMBER_FOR_HOST(CountedModel, emissions);
MEMBER_FOR_HOST(CountedModel, states);
MEMBER_FOR_HOST(CountedModel, symbols);
STRUCT_FOR_HOST(CountedSequences);
MEMBER_FOR_HOST(CountedSequences, symbols);
MEMBER_FOR_HOST(CountedSequences, offsets);
MEMBER_FOR_HOST(CountedSequences, count);
MEMBER_FOR_HOST(CountedSequences, longest);
STRUCT_FOR_HOST(ExpectedSums);
MEMBER_FOR_HOST(ExpectedSums, words);
MEMBER_FOR_HOST(ExpectedSums, rejected);
MEMBER_FOR_HOST(ExpectedSums, copies);
MEMBER_FOR_HOST(ExpectedSums, sums);

namespace {

constexpr double LEAST_SUM = 1e-290;
constexpr double LN_2 = 6.931471805599453094e-01;

// Adds a number to a sum. `word` is the sum's first word, and the words are `stride` apart.
__device__ __forceinline__ void add_exactly(uint64* word, int32 stride, double number) {
    uint64 bits = static_cast<uint64>(__double_as_longlong(number));
    int32 exponent = static_cast<int32>(bits >> 52) & 0x7ff;
    uint64 mantissa = (bits & 0xfffffffffffffULL) | static_cast<uint64>(exponent != 0) << 52;
    // the number is this mantissa times 2^place, in units of the smallest double
    int32 place = max(exponent - 1, 0);
    int32 shift = place % 32;
    uint64 low = mantissa << shift;
    uint64 parts[3] = {low & 0xffffffffULL, low >> 32, shift == 0 ? 0 : mantissa >> (64 - shift)};
    word += static_cast<int64>(place / 32) * stride;
#pragma unroll
    for (int32 i = 0; i < 3; i++) {
        if (parts[i] != 0) {
            atomicAdd(word + static_cast<int64>(i) * stride, number < 0 ? 0 - parts[i] : parts[i]);
        }
    }
}

// Multiplies numbers by factors, and sums the products in order.
template <int32 STATES>
__device__ __forceinline__ double product_in_order(const double* numbers, const double* factors) {
    double sum = 0;
#pragma unroll
    for (int32 i = 0; i < STATES; i++) {
        sum = __dadd_rn(sum, __dmul_rn(numbers[i], factors[i]));
    }
    return sum;
}

template <int32 STATES>
__device__ __forceinline__ double sum_in_order(const double2* numbers) {
    double sum = 0;
#pragma unroll
    for (int32 i = 0; i < STATES / 2; i++) {
        sum = __dadd_rn(__dadd_rn(sum, numbers[i].x), numbers[i].y);
    }
    return sum;
}

template <int32 STATES>
__device__ __forceinline__ void read(const double2* from, double* to) {
#pragma unroll
    for (int32 i = 0; i < STATES / 2; i++) {
        to[2 * i] = from[i].x;
        to[2 * i + 1] = from[i].y;
    }
}

// Counts one sequence for each team of a warp.
template <int32 STATES>
class Counting {
public:
    // `shared` contains a row of 32 numbers that threads exchange, and then a row for each symbol; `table` contains a
    // row for each step
    __device__ __forceinline__ Counting(
            const CountedModel& model, const CountedSequences& sequences, double* shared, double* table) :
        model_(model), sequences_(sequences), shared_(shared), emitted_(shared + 32 + threadIdx.x),
        table_(table + threadIdx.x) {
        state_ = threadIdx.x % STATES;
        has_state_ = state_ < model.states;
        emissions_ = model.emissions + (has_state_ ? state_ : 0);
        for (int32 s = 0; s < model.symbols; s++) {
            emitted_[s * 32] = 0;
        }
    }

    // All threads of the warp must call this. Teams without a sequence pass any sequence, and false for `has_sequence`.
    __device__ __forceinline__ void count(int32 sequence, bool has_sequence, const ExpectedSums& sums, int32 copy) {
        int32 from = sequences_.offsets[sequence];
        symbols_ = sequences_.symbols + from;
        steps_ = has_sequence ? sequences_.offsets[sequence + 1] - from : 0;
        longest_ = max_of_lanes<32>(steps_);
        is_likely_ = true;
        double log_probability = forward();
        double start = backward();
        // all threads of a team have the same `is_likely_`, so one of them reports the sequence
        if (!is_likely_ && state_ == 0) {
            atomicMin(sums.rejected, sequence);
        }
        uint64* words = sums.words + static_cast<int64>(copy) * COUNT_WORDS * sums.sums;
        int32 n = model_.states;
        if (has_sequence && has_state_) {
            add_exactly(words + state_, sums.sums, start);
            words += n;
#pragma unroll
            for (int32 j = 0; j < STATES; j++) {
                if (j < n) {
                    add_exactly(words + state_ * n + j, sums.sums, moved_[j]);
                }
            }
            words += n * n;
            for (int32 s = 0; s < model_.symbols; s++) {
                add_exactly(words + s * n + state_, sums.sums, emitted_[s * 32]);
                emitted_[s * 32] = 0;
            }
            if (state_ == 0) {
                add_exactly(words + model_.symbols * n, sums.sums, log_probability);
            }
        }
    }

private:
    const CountedModel& model_;
    const CountedSequences& sequences_;
    double* shared_;
    double* emitted_;
    double* table_;
    int32 state_;
    bool has_state_;
    const double* emissions_;
    const uint8* symbols_;
    int32 steps_;
    int32 longest_;  // of all teams
    // whether no sum of the sequence is too small
    bool is_likely_;
    double moved_[STATES];

    // Returns the numbers that the threads of this team pass. All threads of the warp must call this.
    __device__ __forceinline__ const double2* share(double number) {
        __syncwarp();
        shared_[threadIdx.x] = number;
        __syncwarp();
        return reinterpret_cast<const double2*>(shared_ + threadIdx.x / STATES * STATES);
    }

    // Writes the table, and returns the logarithm of the sequence's probability.
    __device__ __forceinline__ double forward() {
        double moves_into[STATES];
#pragma unroll
        for (int32 i = 0; i < STATES; i++) {
            moves_into[i] = has_state_ && i < model_.states ? model_.moves[i * model_.states + state_] : 0;
        }
        double start = has_state_ ? model_.start[state_] : 0;
        double before[STATES];
        double mantissa = 1;
        int64 exponent = 0;
        double next = emission(0);
        for (int32 t = 0; t < longest_; t++) {
            double emitted = next;
            next = emission(t + 1);
            double number = __dmul_rn(t > 0 ? product_in_order<STATES>(before, moves_into) : start, emitted);
            double sum = sum_in_order<STATES>(share(number));
            double scaled = __ddiv_rn(number, sum);
            read<STATES>(share(scaled), before);
            if (t < steps_) {
                is_likely_ = is_likely_ && sum >= LEAST_SUM;
                table_[static_cast<int64>(t) * 32] = scaled;
                scale(mantissa, exponent, sum);
            }
        }
        return __dadd_rn(strict_log_of_small(mantissa), __dmul_rn(static_cast<double>(exponent), LN_2));
    }

    // Multiplies mantissa * 2^exponent by a positive normal number. The mantissa stays at least 1 and below 2.
    static __device__ __forceinline__ void scale(double& mantissa, int64& exponent, double factor) {
        int64 bits = __double_as_longlong(factor);
        exponent += (bits >> 52) - 1023;
        double product = __dmul_rn(mantissa, with_exponent(bits));
        bits = __double_as_longlong(product);
        exponent += (bits >> 52) - 1023;
        mantissa = with_exponent(bits);
    }

    // Returns the number with the mantissa in these bits that is at least 1 and below 2.
    static __device__ __forceinline__ double with_exponent(int64 bits) {
        return __longlong_as_double((bits & 0xfffffffffffffLL) | (1023LL << 52));
    }

    // Counts the transitions and the emissions, and returns the probability that the sequence starts in this state.
    __device__ __forceinline__ double backward() {
        double moves_from[STATES];
        double after[STATES];
#pragma unroll
        for (int32 j = 0; j < STATES; j++) {
            moves_from[j] = has_state_ && j < model_.states ? model_.moves[state_ * model_.states + j] : 0;
            moved_[j] = 0;
        }
        double probability = 0;
        double next = emission(steps_ - 1);
        double next_forward = forward_at(steps_ - 1);
        for (int32 k = 0; k < longest_; k++) {
            int32 t = steps_ - 1 - k;
            double emitted = next;
            next = emission(t - 1);
            double forward = next_forward;
            next_forward = forward_at(t - 1);
            double r = k > 0 ? product_in_order<STATES>(after, moves_from) : has_state_ ? 1 : 0;
            double sum = sum_in_order<STATES>(share(__dmul_rn(forward, r)));
            double all = sum_in_order<STATES>(share(r));
            double w = __ddiv_rn(forward, sum);
            if (t >= 0) {
                is_likely_ = is_likely_ && sum >= LEAST_SUM && all >= LEAST_SUM;
                probability = __dmul_rn(w, r);
                double* to = emitted_ + symbols_[t] * 32;
                *to = __dadd_rn(*to, probability);
                if (k > 0) {
#pragma unroll
                    for (int32 j = 0; j < STATES; j++) {
                        moved_[j] = __dadd_rn(moved_[j], __dmul_rn(w, after[j]));
                    }
                }
            }
            read<STATES>(share(__dmul_rn(emitted, __ddiv_rn(r, all))), after);
        }
        return probability;
    }

    // Returns the emission of a step; 0 for steps and states that do not exist.
    __device__ __forceinline__ double emission(int32 t) const {
        return has_state_ && t >= 0 && t < steps_ ? emissions_[symbols_[t] * model_.states] : 0;
    }

    __device__ __forceinline__ double forward_at(int32 t) const {
        return t >= 0 ? table_[static_cast<int64>(t) * 32] : 0;
    }
};

template <int32 STATES>
__device__ __forceinline__ void count_all(
        const CountedModel& model, const CountedSequences& sequences, int32* ticket, double* tables,
        const ExpectedSums& sums) {
    constexpr int32 TEAMS = COUNT_BLOCK / STATES;
    extern __shared__ __align__(16) double shared[];
    Counting<STATES> counting(
            model, sequences, shared, tables + static_cast<int64>(blockIdx.x) * sequences.longest * COUNT_BLOCK);
    int32 place = threadIdx.x / STATES;
    int32 copy = (blockIdx.x * TEAMS + place) % sums.copies;
    for (int32 i = take(ticket, 0) * TEAMS; i < sequences.count; i = take(ticket, 0) * TEAMS) {
        bool has_sequence = i + place < sequences.count;
        counting.count(has_sequence ? i + place : i, has_sequence, sums, copy);
    }
}

}  // namespace

#define EXPECTED_COUNTS(STATES, BLOCKS) \
    extern "C" __global__ void __launch_bounds__(COUNT_BLOCK, BLOCKS) expected_counts_##STATES( \
            CountedModel model, CountedSequences sequences, int32* ticket, double* tables, ExpectedSums sums) { \
        count_all<STATES>(model, sequences, ticket, tables, sums); \
    }

EXPECTED_COUNTS(2, 24)
EXPECTED_COUNTS(4, 20)
EXPECTED_COUNTS(8, 16)
EXPECTED_COUNTS(16, 10)

// Adds the other copies to the first copy, with one thread per word.
extern "C" __global__ void expected_counts_sum(ExpectedSums sums) {
    int64 words = static_cast<int64>(COUNT_WORDS) * sums.sums;
    int64 word = thread_index();
    if (word >= words) {
        return;
    }
    uint64 sum = 0;
    for (int32 copy = 0; copy < sums.copies; copy++) {
        sum += sums.words[copy * words + word];
    }
    sums.words[word] = sum;
}
