// The best paths to the states of hidden Markov models, and the previous states on these paths:
// dev.bellman.markov.Viterbi.
#pragma once

#include "common/warp.cuh"
#include "markov/model.cuh"

struct ViterbiAnswers {
    double* log_weights;
    int32* counts;
    int32* states;  // the states of the paths, at the offsets of the rows' steps
};

STRUCT_FOR_HOST(ViterbiAnswers);
MEMBER_FOR_HOST(ViterbiAnswers, log_weights);
MEMBER_FOR_HOST(ViterbiAnswers, counts);
MEMBER_FOR_HOST(ViterbiAnswers, states);

namespace {

// The number of steps whose previous states are packed into one word, with one byte for each step.
constexpr int32 GROUP = 4;

__device__ __forceinline__ int64 groups_of(int32 steps) {
    return (static_cast<int64>(steps) + GROUP - 1) / GROUP;
}

// Appends the previous state of a step. The earliest step of a group is in the lowest byte.
__device__ __forceinline__ uint32 append(uint32 group, int32 state) {
    return __byte_perm(group, state, 0x4321);
}

// A state, and the value of a path that ends in this state or comes from it.
struct Way {
    double value;
    int32 state;

    // Replaces this path if a path that comes from a larger state is better.
    __device__ __forceinline__ void meet_later(const Way& other) {
        bool is_better = other.value > value;
        value = is_better ? other.value : value;
        state = is_better ? other.state : state;
    }

    __device__ __forceinline__ void meet(const Way& other) {
        bool is_better = other.value > value || (other.value == value && other.state < state);
        value = is_better ? other.value : value;
        state = is_better ? other.state : state;
    }

    // Replaces this path with the best path in its group of LANES adjacent threads; in case of ties, the path from the
    // smallest state.
    template <int32 LANES>
    __device__ __forceinline__ void meet_lanes() {
#pragma unroll
        for (int32 other = LANES / 2; other > 0; other /= 2) {
            double theirs = __shfl_xor_sync(~0u, value, other);
            meet({theirs, __shfl_xor_sync(~0u, state, other)});
        }
    }
};

// Replaces the first path with the best of COUNT paths, which are in the order of the states that they come from.
template <int32 COUNT>
__device__ __forceinline__ void meet_as_tree(Way (&ways)[COUNT]) {
#pragma unroll
    for (int32 distance = 1; distance < COUNT; distance *= 2) {
#pragma unroll
        for (int32 k = 0; k < COUNT; k += 2 * distance) {
            ways[k].meet_later(ways[k + distance]);
        }
    }
}

// Returns the end of the best path, in all lanes of a warp.
__device__ __forceinline__ Way last_of(const double* values, int32 states) {
    Way last = {strict_log(0), states};
    for (int32 i = threadIdx.x % 32; i < states; i += 32) {
        last.meet({values[i], i});
    }
    last.meet_lanes<32>();
    return last;
}

// The transitions to a state, in registers.
template <int32 STATES>
struct OwnMoves {
    // the number of paths that are compared as a tree rather than one after another
    static constexpr int32 TREE = STATES < 8 ? STATES : 8;
    double moves[STATES];

    __device__ __forceinline__ void load(const double* to_states, int32 states, int32 state) {
#pragma unroll
        for (int32 i = 0; i < STATES; i++) {
            moves[i] = i < states && state < states ? to_states[state * states + i] : strict_log(0);
        }
    }

    // Returns the best path. The values include neither NaN nor negative zero, so the maximum is the same in any order.
    __device__ __forceinline__ Way best(const double* before) const {
        Way best;
#pragma unroll
        for (int32 first = 0; first < STATES; first += TREE) {
            Way ways[TREE];
#pragma unroll
            for (int32 k = 0; k < TREE; k += 2) {
                int32 i = first + k;
                double2 pair = *reinterpret_cast<const double2*>(before + i);
                ways[k] = {__dadd_rn(pair.x, moves[i]), i};
                ways[k + 1] = {__dadd_rn(pair.y, moves[i + 1]), i + 1};
            }
            meet_as_tree<TREE>(ways);
            if (first == 0) {
                best = ways[0];
            } else {
                best.meet_later(ways[0]);
            }
        }
        return best;
    }
};

// The memory for a row.
struct Slot {
    double* moves;
    double* letters;  // the logarithms of all states' emissions, for each symbol
    double* rows;     // the table for many states
    uint32* groups;   // the previous states, for each group of steps and each state

    __device__ Slot(const Model& model, uint8* begin) {
        moves = reinterpret_cast<double*>(begin);
        letters = moves + static_cast<int64>(model.states) * model.states;
        rows = letters + static_cast<int64>(model.states) * model.letters;
        groups = reinterpret_cast<uint32*>(rows);
    }
};

// Computes the logarithms of a model's numbers with `count` threads; `thread` is the index of this thread among them.
// STATES: the maximum number of states; 0 for many states. With few states, the transitions to a state are contiguous;
// with many states, the transitions from a state are.
template <int32 STATES>
__device__ __forceinline__ void take_logs(
        const MarkovCalls& calls, const Model& model, const Slot& slot, int32 thread, int32 count) {
    int32 n = model.states;
    const double* transitions = calls.transitions.numbers + calls.transitions.row_offsets[model.transition_begin];
    for (int32 k = thread; k < n * n; k += count) {
        slot.moves[STATES == 0 ? k : k % n * n + k / n] = model.log(transitions[k]);
    }
    const double* emissions = calls.emissions.numbers + calls.emissions.row_offsets[model.emission_begin];
    int64 numbers = static_cast<int64>(n) * model.letters;
    for (int64 k = thread; k < numbers; k += count) {
        slot.letters[k % model.letters * n + k / model.letters] = model.log(emissions[k]);
    }
}

// Writes the value and the length of the best path, or rejects the row if no path is possible.
__device__ __forceinline__ void answer(
        const ViterbiAnswers& to, const Classified& rows_of, int32 row, const Way& last, int32 steps) {
    if (last.value == strict_log(0)) {
        rows_of.reject(row);
    } else {
        to.log_weights[row] = last.value;
        to.counts[row] = steps;
    }
}

}  // namespace
