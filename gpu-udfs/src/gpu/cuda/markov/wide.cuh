// Computes Viterbi's recurrence for 33 to 64 states. A block solves a row, with one thread for each state.
#pragma once

#include "markov/teams.cuh"

namespace {

// The values before the current and the next step, and the transitions that threads keep in shared memory.
template <int32 STATES>
struct SharedWays {
    static constexpr int32 MOVES = 16;
    double values[2][STATES];
    double2 moves[MOVES / 2][STATES];
};

// The transitions to a thread's state: the first ones in registers, the others in shared memory, so that enough
// registers remain for loading values in advance.
template <int32 STATES>
struct WideMoves {
    static constexpr int32 OWN = STATES - SharedWays<STATES>::MOVES;
    // paths from adjacent states are compared one after another, in each of several chains
    static constexpr int32 CHAINS = 2;
    static constexpr int32 CHAIN = STATES / CHAINS;
    double own[OWN];

    __device__ __forceinline__ void load(const double* to_states, int32 states, SharedWays<STATES>& shared) {
        int32 state = threadIdx.x;
        auto move_from = [&](int32 i) {
            return i < states && state < states ? to_states[state * states + i] : strict_log(0);
        };
#pragma unroll
        for (int32 i = 0; i < OWN; i++) {
            own[i] = move_from(i);
        }
#pragma unroll
        for (int32 i = OWN; i < STATES; i += 2) {
            shared.moves[(i - OWN) / 2][state] = {move_from(i), move_from(i + 1)};
        }
    }

    // Returns the best path. The values include neither NaN nor negative zero, so the maximum is the same in any order.
    __device__ __forceinline__ Way best(const double* before, const SharedWays<STATES>& shared) const {
        Way ways[CHAINS];
#pragma unroll
        for (int32 k = 0; k < CHAIN; k += 2) {
#pragma unroll
            for (int32 c = 0; c < CHAINS; c++) {
                int32 i = c * CHAIN + k;
                double2 pair = *reinterpret_cast<const double2*>(before + i);
                double2 moves;
                if (i < OWN) {
                    moves = {own[i], own[i + 1]};
                } else {
                    moves = shared.moves[(i - OWN) / 2][threadIdx.x];
                }
                Way first = {__dadd_rn(pair.x, moves.x), i};
                if (k == 0) {
                    ways[c] = first;
                } else {
                    ways[c].meet_later(first);
                }
                ways[c].meet_later({__dadd_rn(pair.y, moves.y), i + 1});
            }
        }
        meet_as_tree<CHAINS>(ways);
        return ways[0];
    }
};

// Computes the table, and stores the previous state for each step and state. Returns the values of the last step.
template <int32 STATES>
__device__ __forceinline__ const double* fill_wide(
        const MarkovCalls& calls, const Model& model, int32 row, const Slot& slot, SharedWays<STATES>& shared) {
    int32 state = threadIdx.x;
    int32 used = min(state, model.states - 1);
    WideMoves<STATES> own;
    own.load(slot.moves, model.states, shared);
    EmissionLogs emissions(calls, model, slot, used);
    double start = model.log(calls.starts[calls.start_offsets[row] + used]);
    // states beyond the last one stay impossible, because no transition leads to them
    double value = state < model.states ? __dadd_rn(start, emissions.take(0, start)) : strict_log(0);
    uint32 group = 0;
    for (int32 t = 1; t < model.steps; t++) {
        shared.values[t % 2][state] = value;
        __syncthreads();
        double emission = emissions.take(t, value);
        Way best = own.best(shared.values[t % 2], shared);
        value = __dadd_rn(best.value, emission);
        group = append(group, best.state);
        if (t % GROUP == GROUP - 1) {
            slot.groups[static_cast<int64>(t / GROUP) * STATES + state] = group;
        }
    }
    int32 filled = model.steps % GROUP;
    if (filled > 0) {
        slot.groups[static_cast<int64>(model.steps / GROUP) * STATES + state] = group >> (8 * (GROUP - filled));
    }
    double* values = shared.values[model.steps % 2];
    values[state] = value;
    __syncthreads();
    return values;
}

// Traces back through the groups, loading several steps at a time into shared memory. All threads of the block must
// call this.
template <int32 STATES>
__device__ __forceinline__ void follow_groups(const Slot& slot, int32 steps, int32 last, int32* to) {
    constexpr int32 STEPS = 64;
    __shared__ uint32 groups[STEPS / GROUP * STATES];
    __shared__ int32 states[STEPS];
    int32 next = last;
    for (int32 first = (steps - 1) / STEPS * STEPS; first >= 0; first -= STEPS) {
        int32 count = min(steps - first, STEPS);
        const uint32* from = slot.groups + static_cast<int64>(first / GROUP) * STATES;
        for (int32 k = threadIdx.x; k < groups_of(count) * STATES; k += blockDim.x) {
            groups[k] = from[k];
        }
        __syncthreads();
        for (int32 t = count - 1; threadIdx.x == 0 && t >= 0; t--) {
            states[t] = next;
            next = groups[t / GROUP * STATES + next] >> (8 * (t % GROUP)) & 0xff;
        }
        __syncthreads();
        for (int32 t = threadIdx.x; t < count; t += blockDim.x) {
            to[first + t] = states[t];
        }
    }
}

// Solves the rows of a group, which blocks take in turn.
template <int32 STATES>
__device__ __forceinline__ void solve_wide(
        const Slots& slots, const MarkovCalls& calls, const ViterbiAnswers& answers, Classified rows_of) {
    __shared__ __align__(16) SharedWays<STATES> shared;
    uint8* begin = slots.of_block();
    for (int32 i = slots.next(); i < slots.to; i = slots.next()) {
        int32 row = slots.order[i];
        Model model(calls, row);
        Slot slot(model, begin);
        take_logs<STATES>(calls, model, slot, threadIdx.x, STATES);
        __syncthreads();
        Way last = last_of(fill_wide<STATES>(calls, model, row, slot, shared), model.states);
        if (threadIdx.x == 0) {
            answer(answers, rows_of, row, last, model.steps);
        }
        follow_groups<STATES>(slot, model.steps, last.state, answers.states + model.first);
    }
}

}  // namespace
