// Computes the expected counts of sequences of symbols in a hidden Markov model: dev.bellman.markov.ExpectedCounts.
#include "common/host.cuh"
#include "common/ticket.cuh"
#include "markov/counting.cuh"
#include "markov/exact_sums.cuh"

constexpr int32 COUNT_SYMBOLS = 254;  // the counts of a block must fit in 64 KiB of shared memory
FOR_HOST(COUNT_SYMBOLS);

struct CountedSequences {
    const uint8* symbols;
    const int32* offsets;
    int32 count;
    int32 longest;
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
namespace {

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
            add_counts<STATES>(
                    sums, copy, model.states, model.symbols, counting.start, counting.moved, emitted,
                    counting.log_probability);
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
