// Computes the recurrences of dev.bellman.markov.LogForward, with one thread per state. A warp solves several rows,
// with a team of STATES threads for each.
#pragma once

#include "markov/gaussian.cuh"
#include "markov/sweep_answers.cuh"

namespace {

// Smaller sums are computed again from logarithms: dev.bellman.markov.LogProduct.
constexpr double LEAST_SUM = 1e-290;

// The numbers of the current step and of the step before it.
struct SharedLogs {
    double __align__(16) logs[2][32];
    double __align__(16) weights[2][32];
    double __align__(16) parts[2][32];
};

// Sums the numbers of a team in the order of the states. States beyond the row's last state have zeros.
template <int32 STATES>
__device__ __forceinline__ double team_sum(const double* numbers) {
    const double2* pairs = reinterpret_cast<const double2*>(numbers + threadIdx.x / STATES * STATES);
    double sum = 0;
#pragma unroll
    for (int32 i = 0; i < STATES / 2; i++) {
        sum = __dadd_rn(__dadd_rn(sum, pairs[i].x), pairs[i].y);
    }
    return sum;
}

// Returns the logarithm of a sum of products whose logarithms are given, computed relative to the largest product.
__device__ __noinline__ double sum_of_logs(
        const Model& model, const double* logs, const double* moves, int32 stride) {
    double most = strict_log(0);
    for (int32 i = 0; i < model.states; i++) {
        most = fmax(most, __dadd_rn(logs[i], model.log(moves[i * stride])));
    }
    double sum = 0;
    for (int32 i = 0; i < model.states; i++) {
        double log = __dadd_rn(logs[i], model.log(moves[i * stride]));
        sum = __dadd_rn(sum, strict_exp_of_negative(__dsub_rn(log, most)));
    }
    return __dadd_rn(most, strict_log(sum));
}

// Multiplies rows of logarithms by the transitions, or by the transposed transitions if BACKWARD.
template <int32 STATES, bool BACKWARD>
class LogProduct {
public:
    __device__ __forceinline__ LogProduct(const MarkovCalls& calls, const Model& model) :
        model_(model),
        stride_(BACKWARD ? 1 : model.states),
        moves_(calls.transitions.numbers + calls.transitions.row_offsets[model.transition_begin]
                + (BACKWARD ? state_ * model.states : state_)),
        sources_(neighbours<STATES>(calls, model, !BACKWARD)) {
#pragma unroll
        for (int32 i = 0; i < STATES; i++) {
            bool has_move = max(i, state_) < model.states;
            double number = has_move ? moves_[i * stride_] : 0;
            own_[i] = has_move && model.are_logs ? strict_exp_of_negative(number) : number;
        }
    }

    // Returns the entry of the thread's state. All lanes of the warp must call this.
    __device__ __forceinline__ double multiply(double log, int32 step, SharedLogs& shared) const {
        double* logs = shared.logs[step % 2];
        double* weights = shared.weights[step % 2];
        logs[threadIdx.x] = log;
        weights[threadIdx.x] = strict_exp_of_negative(log);
        uint32 possible = team_bits<STATES>(log >= -MAX_WEIGHT);
        __syncwarp();
        const double2* pairs = reinterpret_cast<const double2*>(weights + threadIdx.x / STATES * STATES);
        double sum = 0;
#pragma unroll
        for (int32 i = 0; i < STATES / 2; i++) {
            double2 pair = pairs[i];
            sum = __dadd_rn(sum, __dmul_rn(pair.x, own_[2 * i]));
            sum = __dadd_rn(sum, __dmul_rn(pair.y, own_[2 * i + 1]));
        }
        if (sum >= LEAST_SUM) {
            return strict_log(sum);
        }
        return (possible & sources_) == 0
            ? strict_log(0)
            : sum_of_logs(model_, logs + threadIdx.x / STATES * STATES, moves_, stride_);
    }

private:
    int32 state_ = threadIdx.x % STATES;
    const Model& model_;
    int32 stride_;
    const double* moves_;
    uint32 sources_;
    double own_[STATES];
};

// Adds the densities of a step to a row, relative to the maximum density of its possible states, and subtracts the
// maximum. Returns the sum of both maxima; -Infinity if no state is possible.
template <int32 STATES>
__device__ __forceinline__ double add_density(double& log, double density) {
    double most_dense = max_of_lanes<STATES>(log >= -MAX_WEIGHT ? density : strict_log(0));
    if (most_dense < -MAX_WEIGHT) {
        density = most_dense = 0;
    }
    double sum = __dadd_rn(log, __dsub_rn(density, most_dense));
    double most = max_of_lanes<STATES>(sum);
    log = most < -MAX_WEIGHT ? sum : __dsub_rn(sum, most);
    return __dadd_rn(most_dense, most);
}

// Computes f, from the first step to the last. Returns the logarithm of the density of the sequence; -Infinity if the
// sequence is impossible.
//
// - steps: the number of steps; 0 if the team has no row
// - longest: the largest number of steps of any team
// - table: receives the rows of f; null if they are not needed
template <int32 STATES>
__device__ __forceinline__ double sweep_forward(
        const GaussianCalls& calls, const Model& model, int32 row, int32 steps, int32 longest, double* table,
        SharedLogs& shared) {
    int32 state = threadIdx.x % STATES;
    int32 used = min(state, model.states - 1);
    int32 last = model.steps - 1;
    LogProduct<STATES, false> product(calls.chains, model);
    int32 most_transitions = max_transitions<STATES>(calls.chains, model);
    Densities densities(calls, model, used, 0);
    double start = calls.chains.starts[calls.chains.start_offsets[row] + used];
    double log = state < model.states ? model.log(start) : strict_log(0);
    double log_density = 0;
    for (int32 t = 0; t < longest; t++) {
        double next = t == 0 ? log : product.multiply(log, t, shared);
        next = most_transitions < steps - 1 - t ? strict_log(0) : next;
        double added = add_density<STATES>(next, densities.take(min(t, last), min(t + 1, last)));
        if (t < steps) {
            log = next;
            log_density = __dadd_rn(log_density, added);
            if (table != nullptr && state < model.states) {
                table[static_cast<int64>(t) * model.states + state] = log;
            }
        }
    }
    __syncwarp();
    shared.parts[0][threadIdx.x] = strict_exp_of_negative(log);
    __syncwarp();
    return __dadd_rn(log_density, strict_log(team_sum<STATES>(shared.parts[0])));
}

// Replaces the rows of f with the probabilities of the states, from the last step to the first. The sequence must be
// possible; otherwise, the probabilities are arbitrary.
template <int32 STATES>
__device__ __forceinline__ void sweep_backward(
        const GaussianCalls& calls, const Model& model, int32 steps, int32 longest, double* table,
        SharedLogs& shared) {
    int32 state = threadIdx.x % STATES;
    int32 used = min(state, model.states - 1);
    LogProduct<STATES, true> product(calls.chains, model);
    Densities densities(calls, model, used, model.steps - 1);
    double after = 0;
    double forward = table[static_cast<int64>(model.steps - 1) * model.states + used];
    for (int32 k = 0; k < longest; k++) {
        int32 t = max(model.steps - 1 - k, 0);
        double rest = k == 0 ? 0 : product.multiply(after, k, shared);
        forward = state < model.states ? forward : strict_log(0);
        double sum = __dadd_rn(forward, rest);
        double part = strict_exp_of_negative(__dsub_rn(sum, max_of_lanes<STATES>(sum)));
        // begins with parts[1], because other threads may still read parts[0] in sweep_forward
        double* parts = shared.parts[(k + 1) % 2];
        parts[threadIdx.x] = part;
        __syncwarp();
        double probability = __ddiv_rn(part, team_sum<STATES>(parts));
        after = forward >= -MAX_WEIGHT ? rest : strict_log(0);
        forward = table[static_cast<int64>(max(t - 1, 0)) * model.states + used];
        if (k < steps && state < model.states) {
            table[static_cast<int64>(t) * model.states + state] = probability < LEAST_PROBABILITY ? 0 : probability;
        }
        add_density<STATES>(after, densities.take(t, max(t - 1, 0)));
    }
}

}  // namespace
