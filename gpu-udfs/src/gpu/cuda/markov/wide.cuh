// Computes Viterbi's recurrence for 33 to 64 states. A block solves a row, with one thread for each state. Comparing
// approximate values, which are integers, takes less than half the instructions of comparing doubles and their states.
#pragma once

#include "common/copies.cuh"
#include "markov/teams.cuh"

namespace {

// Approximate values are integers: logarithms relative to a base, in units of 1 / ROUGH_UNIT. Each term of a sum is
// wrong by at most half a unit, and so is the exact sum: a row has fewer than 2^26 steps, and a base changes by at most
// ROUGH_LIMIT units per step. Therefore a best path has at least the largest sum minus ROUGH_ERROR, unless the terms of
// this sum were cut off.
constexpr double ROUGH_UNIT = 8192;
constexpr int32 ROUGH_ERROR = 3;
constexpr int32 ROUGH_LIMIT = 1 << 27;         // terms are cut off beyond this magnitude
constexpr int32 ROUGH_IMPOSSIBLE = -(1 << 29);  // sums with this term are below all others

// Returns the approximate value of a logarithm. The base is in units, too.
__device__ __forceinline__ int32 rough_of(double log, double base) {
    int32 rough = __double2int_rn(__fma_rn(log, ROUGH_UNIT, -base));
    return log < -MAX_WEIGHT ? ROUGH_IMPOSSIBLE : max(min(rough, ROUGH_LIMIT), -ROUGH_LIMIT);
}

// The transitions of all threads, and the values before the current and the next step.
template <int32 STATES>
struct SharedWays {
    // the number of adjacent states in a group, whose paths are compared together
    static constexpr int32 NEAR = 4;
    static constexpr int32 GROUPS = STATES / NEAR;
    double2 moves[NEAR / 2][GROUPS][STATES];
    double values[2][STATES];
    int32 rough[2][STATES];
    int32 tops[2][STATES / 32];  // the largest approximate value of each warp
};

// The previous states and the path's states for several steps.
template <int32 STATES>
struct SharedPath {
    static constexpr int32 STEPS = 256;
    uint8 before[2][STEPS / GROUP][STATES][GROUP];  // one half is copied while the path follows the other half
    int32 states[STEPS];
};

// Finds the best paths to a thread's state: compares approximate values, and then the exact values of the groups that
// may contain the best path. Usually, that is one group.
template <int32 STATES>
class WideWays {
public:
    __device__ __forceinline__ WideWays(const double* to_states, int32 states, SharedWays<STATES>& shared) :
        shared_(shared) {
        int32 state = threadIdx.x;
        int32 largest = 0;
#pragma unroll
        for (int32 i = 0; i < STATES; i += 2) {
            double first = move_from(to_states, states, i);
            double second = move_from(to_states, states, i + 1);
            shared.moves[i % NEAR / 2][i / NEAR][state] = {first, second};
            rough_[i] = rough_of(first, 0);
            rough_[i + 1] = rough_of(second, 0);
            largest = max(largest, max(rough_[i], rough_[i + 1]));
        }
        largest_ = largest;
    }

    // Returns the best path, after the values of step t - 1. All threads of the block must call this. The values
    // include neither NaN nor negative zero, so the maximum is the same in any order.
    __device__ __forceinline__ Way best(int32 t, double value) {
        int32 slot = t % 2;
        shared_.values[slot][threadIdx.x] = value;
        int32 rough = rough_of(value, base_);
        shared_.rough[slot][threadIdx.x] = rough;
        int32 top = max_of_warp(rough);
        if (threadIdx.x % 32 == 0) {
            shared_.tops[slot][threadIdx.x / 32] = top;
        }
        __syncthreads();
#pragma unroll
        for (int32 w = 0; w < STATES / 32; w++) {
            top = max(top, shared_.tops[slot][w]);
        }
        uint32 groups = candidates(shared_.rough[slot], max(top, largest_));
        base_ = __dadd_rn(base_, top);
        int32 group = first_of(groups);
        Way best = best_of_group(shared_.values[slot], group);
        for (groups &= others(group); groups != 0; groups &= others(group)) {
            group = first_of(groups);
            best.meet_later(best_of_group(shared_.values[slot], group));
        }
        return best;
    }

private:
    static constexpr int32 NEAR = SharedWays<STATES>::NEAR;
    static constexpr int32 GROUPS = SharedWays<STATES>::GROUPS;

    static __device__ __forceinline__ double move_from(const double* to_states, int32 states, int32 i) {
        int32 state = threadIdx.x;
        return i < states && state < states ? to_states[state * states + i] : strict_log(0);
    }

    // Returns the first group, which has the highest bit; 0 if all bits are 0, because then no path is possible.
    static __device__ __forceinline__ int32 first_of(uint32 groups) {
        return (__clz(groups) + GROUPS) % 32 % GROUPS;
    }

    // Returns the bits of all groups except one.
    static __device__ __forceinline__ uint32 others(int32 group) {
        return ~(1u << (GROUPS - 1 - group));
    }

    // Returns a bit for each group that may contain a best path.
    __device__ __forceinline__ uint32 candidates(const int32* before, int32 largest) const {
        int32 tops[GROUPS];
        int32 top = 2 * ROUGH_IMPOSSIBLE;
#pragma unroll
        for (int32 g = 0; g < GROUPS; g++) {
            int4 values = *reinterpret_cast<const int4*>(before + g * NEAR);
            tops[g] = values.x + rough_[g * NEAR];
            tops[g] = __viaddmax_s32(values.y, rough_[g * NEAR + 1], tops[g]);
            tops[g] = __viaddmax_s32(values.z, rough_[g * NEAR + 2], tops[g]);
            tops[g] = __viaddmax_s32(values.w, rough_[g * NEAR + 3], tops[g]);
        }
#pragma unroll
        for (int32 g = 0; g < GROUPS; g += 2) {
            top = __vimax3_s32(top, tops[g], tops[g + 1]);
        }
        // a sum with a term that was cut off is at most this
        bool is_cut = largest >= ROUGH_LIMIT || top <= largest - ROUGH_LIMIT;
        int32 below = (is_cut ? -2 * ROUGH_LIMIT : top - ROUGH_ERROR) - 1;
        uint32 groups[2] = {0, 0};
#pragma unroll
        for (int32 g = 0; g < GROUPS / 2; g++) {
            groups[0] = __funnelshift_l(below - tops[g], groups[0], 1);
            groups[1] = __funnelshift_l(below - tops[GROUPS / 2 + g], groups[1], 1);
        }
        return groups[0] << GROUPS / 2 | groups[1];
    }

    __device__ __forceinline__ Way best_of_group(const double* before, int32 group) const {
        Way ways[NEAR];
#pragma unroll
        for (int32 k = 0; k < NEAR; k += 2) {
            int32 i = group * NEAR + k;
            double2 pair = *reinterpret_cast<const double2*>(before + i);
            double2 moves = shared_.moves[k / 2][group][threadIdx.x];
            ways[k] = {__dadd_rn(pair.x, moves.x), i};
            ways[k + 1] = {__dadd_rn(pair.y, moves.y), i + 1};
        }
        meet_as_tree<NEAR>(ways);
        return ways[0];
    }

    SharedWays<STATES>& shared_;
    int32 rough_[STATES];  // the approximate transitions
    int32 largest_;        // the largest of them; 0 if all are negative
    double base_ = 0;
};

// Computes the table, and stores the previous state for each step and state. Returns the values of the last step.
template <int32 STATES>
__device__ __forceinline__ const double* fill_wide(
        const MarkovCalls& calls, const Model& model, int32 row, const Slot& slot, SharedWays<STATES>& shared) {
    int32 state = threadIdx.x;
    int32 used = min(state, model.states - 1);
    WideWays<STATES> ways(slot.moves, model.states, shared);
    EmissionLogs emissions(calls, model, slot, used);
    double start = model.log(calls.starts[calls.start_offsets[row] + used]);
    // states beyond the last one stay impossible, because no transition leads to them
    double value = state < model.states ? __dadd_rn(start, emissions.take(0, start)) : strict_log(0);
    uint32 group = 0;
    for (int32 t = 1; t < model.steps; t++) {
        double emission = emissions.take(t, value);
        Way best = ways.best(t, value);
        value = __dadd_rn(best.value, emission);
        group = append(group, best.state);
        if (t % GROUP == GROUP - 1) {
            slot.groups[static_cast<int64>(t / GROUP) * STATES + state] = group;
        }
    }
    if (model.steps % GROUP > 0) {
        // the path stays in its state after the last step
        for (int32 t = model.steps % GROUP; t < GROUP; t++) {
            group = append(group, state);
        }
        slot.groups[static_cast<int64>(model.steps / GROUP) * STATES + state] = group;
    }
    double* values = shared.values[model.steps % 2];
    values[state] = value;
    __syncthreads();
    return values;
}

// Starts to copy the previous states of the steps from `first` on; copies nothing if `first` is negative.
template <int32 STATES>
__device__ __forceinline__ void start_copying(const Slot& slot, int32 steps, int32 first, SharedPath<STATES>& shared) {
    constexpr int32 STEPS = SharedPath<STATES>::STEPS;
    if (first >= 0) {
        uint2* to = reinterpret_cast<uint2*>(shared.before[first / STEPS % 2]);
        const uint2* from = reinterpret_cast<const uint2*>(slot.groups + static_cast<int64>(first / GROUP) * STATES);
        int32 count = static_cast<int32>(groups_of(min(steps - first, STEPS))) * STATES / 2;
        for (int32 k = threadIdx.x; k < count; k += STATES) {
            copy_value_async(to + k, from + k);
        }
    }
    end_copies();
}

// Traces back through the groups. One thread follows the path through several steps, while all threads copy the
// previous states of earlier steps. All threads of the block must call this.
template <int32 STATES>
__device__ __forceinline__ void follow_groups(
        const Slot& slot, int32 steps, int32 last, int32* to, SharedPath<STATES>& shared) {
    constexpr int32 STEPS = SharedPath<STATES>::STEPS;
    int32 next = last;
    int32 top = (steps - 1) / STEPS * STEPS;
    start_copying(slot, steps, top, shared);
    for (int32 first = top; first >= 0; first -= STEPS) {
        start_copying(slot, steps, first - STEPS, shared);
        await_copies<1>();
        __syncthreads();
        int32 count = min(steps - first, STEPS);
        for (int32 g = (count - 1) / GROUP; threadIdx.x == 0 && g >= 0; g--) {
#pragma unroll
            for (int32 u = GROUP - 1; u >= 0; u--) {
                shared.states[g * GROUP + u] = next;
                next = shared.before[first / STEPS % 2][g][next][u];
            }
        }
        __syncthreads();
        for (int32 t = threadIdx.x; t < count; t += STATES) {
            to[first + t] = shared.states[t];
        }
    }
}

// Solves the rows of a group, which blocks take in turn.
template <int32 STATES>
__device__ __forceinline__ void solve_wide(
        const Slots& slots, const MarkovCalls& calls, const ViterbiAnswers& answers, Classified rows_of) {
    __shared__ __align__(16) union {
        SharedWays<STATES> ways;
        SharedPath<STATES> path;
    } shared;
    uint8* begin = slots.of_block();
    for (int32 i = slots.next(); i < slots.to; i = slots.next()) {
        int32 row = slots.order[i];
        Model model(calls, row);
        Slot slot(model, begin);
        take_logs<STATES>(calls, model, slot, threadIdx.x, STATES);
        __syncthreads();
        Way last = last_of(fill_wide<STATES>(calls, model, row, slot, shared.ways), model.states);
        if (threadIdx.x == 0) {
            answer(answers, rows_of, row, last, model.steps);
        }
        follow_groups<STATES>(slot, model.steps, last.state, answers.states + model.first, shared.path);
    }
}

}  // namespace
