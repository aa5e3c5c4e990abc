// Computes the expected counts of sequences of normally distributed numbers or points in a hidden Markov model:
// dev.bellman.markov.ExpectedCounts.
#include "common/host.cuh"
#include "common/ticket.cuh"
#include "markov/exact_sums.cuh"
#include "markov/log_counting.cuh"

constexpr int32 COUNT_DIMENSIONS = 126;  // the counts of a block must fit in 64 KiB of shared memory
FOR_HOST(COUNT_DIMENSIONS);

// A model whose start and transitions are probabilities rather than logarithms.
struct ValueModel {
    const double* start;
    const double* moves;   // for each state, the transitions to each state
    const double* pairs;   // for each state, the mean and the variance of each coordinate
    const double* scales;  // log(2 pi variance) at the place of each variance
    int32 states;
    int32 dimensions;
};

struct ValueSequences {
    const double* values;  // the coordinates of all steps
    const int32* offsets;  // the first step of each sequence
    int32 count;
    int32 longest;
};

STRUCT_FOR_HOST(ValueModel);
MEMBER_FOR_HOST(ValueModel, start);
MEMBER_FOR_HOST(ValueModel, moves);
MEMBER_FOR_HOST(ValueModel, pairs);
MEMBER_FOR_HOST(ValueModel, scales);
MEMBER_FOR_HOST(ValueModel, states);
MEMBER_FOR_HOST(ValueModel, dimensions);
STRUCT_FOR_HOST(ValueSequences);
MEMBER_FOR_HOST(ValueSequences, values);
MEMBER_FOR_HOST(ValueSequences, offsets);
MEMBER_FOR_HOST(ValueSequences, count);
MEMBER_FOR_HOST(ValueSequences, longest);

namespace {

template <int32 STATES>
__device__ __forceinline__ void count_all(
        const ValueModel& of, const ValueSequences& sequences, int32* ticket, double* tables,
        const ExpectedSums& sums) {
    constexpr int32 TEAMS = COUNT_BLOCK / STATES;
    __shared__ SharedLogs logs;
    extern __shared__ __align__(16) double shared[];
    int32 emissions = emission_sums(of.dimensions);
    double* emitted = shared + threadIdx.x;
    for (int32 s = 0; s < emissions; s++) {
        emitted[s * 32] = 0;
    }
    double* table = tables + static_cast<int64>(blockIdx.x) * sequences.longest * COUNT_BLOCK;
    NormalModel model = {{of.start, of.moves, of.states, false}, of.pairs, of.scales, of.dimensions};
    LogCounting<STATES> counting(model, shared, table, logs);
    int32 place = threadIdx.x / STATES;
    int32 state = threadIdx.x % STATES;
    int32 copy = (blockIdx.x * TEAMS + place) % sums.copies;
    for (int32 i = take(ticket, 0) * TEAMS; i < sequences.count; i = take(ticket, 0) * TEAMS) {
        bool has_sequence = i + place < sequences.count;
        int32 sequence = has_sequence ? i + place : i;
        int32 from = sequences.offsets[sequence];
        const double* values = sequences.values + static_cast<int64>(from) * of.dimensions;
        if (!counting.count(values, sequences.offsets[sequence + 1] - from, has_sequence)) {
            // the CPU then counts all sequences of the batch, and finds the first impossible one
            if (threadIdx.x == 0) {
                atomicMin(sums.rejected, i);
            }
        } else if (has_sequence && state < of.states) {
            add_counts<STATES>(
                    sums, copy, of.states, emissions, counting.start, counting.moved, emitted, counting.log_density);
        }
    }
}

}  // namespace

#define EXPECTED_VALUES(STATES, BLOCKS) \
    extern "C" __global__ void __launch_bounds__(COUNT_BLOCK, BLOCKS) expected_values_##STATES( \
            ValueModel model, ValueSequences sequences, int32* ticket, double* tables, ExpectedSums sums) { \
        count_all<STATES>(model, sequences, ticket, tables, sums); \
    }

EXPECTED_VALUES(2, 20)
EXPECTED_VALUES(4, 16)
EXPECTED_VALUES(8, 16)
EXPECTED_VALUES(16, 10)
