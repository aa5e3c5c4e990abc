// Computes the expected counts of sequences of symbols in a hidden Markov model: dev.bellman.markov.ExpectedCounts.
//
// Sums over sequences are exact. Each sum is an integer multiple of the smallest double, stored in words of 64 bits
// that are 32 bits apart. A number has 53 bits, so it changes at most three adjacent words, each by less than 2^32.
// Words therefore do not overflow before 2^31 numbers, and the order of the additions does not matter.
#include "common/host.cuh"
#include "common/ticket.cuh"
#include "markov/counting.cuh"

constexpr int32 COUNT_STATES = 16;
constexpr int32 COUNT_SYMBOLS = 254;  // the counts of a block must fit in 64 KiB of shared memory
constexpr int32 COUNT_BLOCK = 32;
constexpr int32 COUNT_WORDS = 66;
FOR_HOST(COUNT_STATES);
FOR_HOST(COUNT_SYMBOLS);
FOR_HOST(COUNT_BLOCK);
FOR_HOST(COUNT_WORDS);

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

// Adds the counts of a team's sequence to the sums, and clears the emissions.
template <int32 STATES>
__device__ __forceinline__ void add_counts(
        const Counting<STATES, uint8>& counting, const CountedModel& model, double* emitted, const ExpectedSums& sums,
        int32 copy) {
    uint64* words = sums.words + static_cast<int64>(copy) * COUNT_WORDS * sums.sums;
    int32 n = model.states;
    int32 state = threadIdx.x % STATES;
    add_exactly(words + state, sums.sums, counting.start);
    words += n;
#pragma unroll
    for (int32 j = 0; j < STATES; j++) {
        if (j < n) {
            add_exactly(words + state * n + j, sums.sums, counting.moved[j]);
        }
    }
    words += n * n;
    for (int32 s = 0; s < model.symbols; s++) {
        add_exactly(words + s * n + state, sums.sums, emitted[s * 32]);
        emitted[s * 32] = 0;
    }
    if (state == 0) {
        add_exactly(words + model.symbols * n, sums.sums, counting.log_probability);
    }
}

template <int32 STATES>
__device__ __forceinline__ void count_all(
        const CountedModel& model, const CountedSequences& sequences, int32* ticket, double* tables,
        const ExpectedSums& sums) {
    constexpr int32 TEAMS = COUNT_BLOCK / STATES;
    extern __shared__ __align__(16) double shared[];
    double* emitted = shared + 32 + threadIdx.x;
    for (int32 s = 0; s < model.symbols; s++) {
        emitted[s * 32] = 0;
    }
    double* table = tables + static_cast<int64>(blockIdx.x) * sequences.longest * COUNT_BLOCK;
    Counting<STATES, uint8> counting(model, shared, table);
    int32 place = threadIdx.x / STATES;
    int32 state = threadIdx.x % STATES;
    int32 copy = (blockIdx.x * TEAMS + place) % sums.copies;
    for (int32 i = take(ticket, 0) * TEAMS; i < sequences.count; i = take(ticket, 0) * TEAMS) {
        bool has_sequence = i + place < sequences.count;
        int32 sequence = has_sequence ? i + place : i;
        int32 from = sequences.offsets[sequence];
        counting.count(sequences.symbols + from, has_sequence ? sequences.offsets[sequence + 1] - from : 0);
        // all threads of a team have the same `is_likely`, so one of them reports the sequence
        if (!counting.is_likely && state == 0) {
            atomicMin(sums.rejected, sequence);
        }
        if (has_sequence && state < model.states) {
            add_counts(counting, model, emitted, sums, copy);
        }
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
