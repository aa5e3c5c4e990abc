// Computes the recurrences of dev.bellman.markov.LogForward, with one thread per state. A warp solves several rows,
// with a team of STATES threads for each.
#pragma once

#include "markov/gaussian.cuh"

namespace {

// Smaller sums are computed again from logarithms: dev.bellman.markov.LogProduct.
constexpr double LEAST_SUM = 1e-290;

// The numbers of the current step and of the step before it.
struct SharedLogs {
    double __align__(16) logs[2][32];
    double __align__(16) weights[2][32];
    double __align__(16) parts[2][32];
};

// Sums the numbers of a team in the order of the states. States beyond the model's last state have zeros.
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
        const Chain& chain, const double* logs, const double* moves, int32 stride) {
    double most = strict_log(0);
    for (int32 i = 0; i < chain.states; i++) {
        most = fmax(most, __dadd_rn(logs[i], chain.log(moves[i * stride])));
    }
    double sum = 0;
    for (int32 i = 0; i < chain.states; i++) {
        double log = __dadd_rn(logs[i], chain.log(moves[i * stride]));
        sum = __dadd_rn(sum, strict_exp_of_negative(__dsub_rn(log, most)));
    }
    return __dadd_rn(most, strict_log(sum));
}

// Returns the share of a product in a sum; `log_sum` is the result of sum_of_logs.
__device__ __noinline__ double share_of_logs(const Chain& chain, double log, double move, double log_sum) {
    return strict_exp_of_negative(__dsub_rn(__dadd_rn(log, chain.log(move)), log_sum));
}

// Multiplies rows of logarithms by the transitions, or by the transposed transitions if BACKWARD.
template <int32 STATES, bool BACKWARD>
class LogProduct {
public:
    __device__ __forceinline__ explicit LogProduct(const Chain& chain) :
        chain_(chain),
        stride_(BACKWARD ? 1 : chain.states),
        moves_(chain.moves + (BACKWARD ? state_ * chain.states : state_)),
        sources_(neighbours<STATES>(chain, !BACKWARD)) {
#pragma unroll
        for (int32 i = 0; i < STATES; i++) {
            bool has_move = max(i, state_) < chain.states;
            double number = has_move ? moves_[i * stride_] : 0;
            own_[i] = has_move && chain.are_logs ? strict_exp_of_negative(number) : number;
        }
    }

    // Returns the logarithm of the product's entry for the thread's state. All lanes of the warp must call this.
    __device__ __forceinline__ double multiply(double log, int32 step, SharedLogs& shared) {
        double* logs = shared.logs[step % 2];
        double* weights = shared.weights[step % 2];
        logs[threadIdx.x] = log;
        weights[threadIdx.x] = strict_exp_of_negative(log);
        uint32 possible = team_bits<STATES>(log >= -MAX_WEIGHT);
        __syncwarp();
        const double2* pairs = of_team(weights);
        double sum = 0;
#pragma unroll
        for (int32 i = 0; i < STATES / 2; i++) {
            double2 pair = pairs[i];
            sum = __dadd_rn(sum, __dmul_rn(pair.x, own_[2 * i]));
            sum = __dadd_rn(sum, __dmul_rn(pair.y, own_[2 * i + 1]));
        }
        sum_ = sum;
        if (sum >= LEAST_SUM) {
            return strict_log(sum);
        }
        return (possible & sources_) == 0
            ? strict_log(0)
            : sum_of_logs(chain_, logs + threadIdx.x / STATES * STATES, moves_, stride_);
    }

    // Adds the probabilities of the transitions from the thread's state to each state. BACKWARD must be true.
    //
    // - probability: the probability of the thread's state
    // - product: the result of `multiply` for the same step
    __device__ __forceinline__ void add_moves(
            double (&counts)[STATES], double probability, double product, int32 step, const SharedLogs& shared) const {
        if (sum_ >= LEAST_SUM) {
            double factor = __ddiv_rn(probability, sum_);
            const double2* pairs = of_team(shared.weights[step % 2]);
#pragma unroll
            for (int32 i = 0; i < STATES / 2; i++) {
                double2 pair = pairs[i];
                counts[2 * i] = add_product(counts[2 * i], factor, __dmul_rn(pair.x, own_[2 * i]));
                counts[2 * i + 1] = add_product(counts[2 * i + 1], factor, __dmul_rn(pair.y, own_[2 * i + 1]));
            }
        } else if (probability > 0) {
            const double* logs = shared.logs[step % 2] + threadIdx.x / STATES * STATES;
#pragma unroll
            for (int32 j = 0; j < STATES; j++) {
                if (j < chain_.states) {
                    double share = share_of_logs(chain_, logs[j], moves_[j], product);
                    counts[j] = add_product(counts[j], probability, share);
                }
            }
        }
    }

private:
    static __device__ __forceinline__ const double2* of_team(const double* numbers) {
        return reinterpret_cast<const double2*>(numbers + threadIdx.x / STATES * STATES);
    }

    static __device__ __forceinline__ double add_product(double to, double factor, double number) {
        return __dadd_rn(to, __dmul_rn(factor, number));
    }

    int32 state_ = threadIdx.x % STATES;
    Chain chain_;
    int32 stride_;
    const double* moves_;
    uint32 sources_;
    double own_[STATES];
    double sum_;  // the entry of the last product, without the logarithm
};

// Adds the densities of a step to a row, relative to the maximum density of its possible states, and subtracts the
// row's maximum. Returns the sum of both maxima; -Infinity if no state is possible.
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

// Computes f of dev.bellman.markov.LogForward, from the first step to the last. Returns the logarithm of the density of
// the sequence; -Infinity if the sequence is impossible.
//
// - last: the last step of the sequence that `emissions` contains
// - steps: the number of steps; 0 if the team has no sequence
// - longest: the largest number of steps of any team
// - table: receives the numbers of the thread's state, which are `stride` apart; null if they are not needed
template <int32 STATES>
__device__ __forceinline__ double sweep_forward(
        const Chain& chain, const NormalEmissions& emissions, int32 last, int32 steps, int32 longest, double* table,
        int32 stride, SharedLogs& shared) {
    int32 state = threadIdx.x % STATES;
    int32 used = min(state, chain.states - 1);
    LogProduct<STATES, false> product(chain);
    int32 most_transitions = max_transitions<STATES>(chain);
    Densities densities(emissions, 0);
    double start = chain.start[used];
    double log = state < chain.states ? chain.log(start) : strict_log(0);
    double log_density = 0;
    for (int32 t = 0; t < longest; t++) {
        double next = t == 0 ? log : product.multiply(log, t, shared);
        next = most_transitions < steps - 1 - t ? strict_log(0) : next;
        double added = add_density<STATES>(next, densities.take(min(t, last), min(t + 1, last)));
        if (t < steps) {
            log = next;
            log_density = __dadd_rn(log_density, added);
            if (table != nullptr && state < chain.states) {
                table[static_cast<int64>(t) * stride] = log;
            }
        }
    }
    __syncwarp();
    shared.parts[0][threadIdx.x] = strict_exp_of_negative(log);
    __syncwarp();
    return __dadd_rn(log_density, strict_log(team_sum<STATES>(shared.parts[0])));
}

// Computes the probabilities of the states, from the last step to the first. The sequence must be possible; otherwise,
// the probabilities are arbitrary.
//
// - table: f, as sweep_forward wrote it for the states of the model
// - step: receives k, the step last - k, the probability of the thread's state, and the products of the transitions
//   with their last result; is also called for k >= steps, with an arbitrary probability
template <int32 STATES, typename Step>
__device__ __forceinline__ void sweep_backward(
        const Chain& chain, const NormalEmissions& emissions, int32 last, int32 longest, const double* table,
        int32 stride, SharedLogs& shared, Step step) {
    int32 state = threadIdx.x % STATES;
    LogProduct<STATES, true> product(chain);
    Densities densities(emissions, last);
    double after = 0;
    double forward = table[static_cast<int64>(last) * stride];
    for (int32 k = 0; k < longest; k++) {
        int32 t = max(last - k, 0);
        double rest = k == 0 ? 0 : product.multiply(after, k, shared);
        forward = state < chain.states ? forward : strict_log(0);
        double sum = __dadd_rn(forward, rest);
        double part = strict_exp_of_negative(__dsub_rn(sum, max_of_lanes<STATES>(sum)));
        // begins with parts[1], because other threads may still read parts[0] in sweep_forward
        double* parts = shared.parts[(k + 1) % 2];
        parts[threadIdx.x] = part;
        __syncwarp();
        double probability = __ddiv_rn(part, team_sum<STATES>(parts));
        after = forward >= -MAX_WEIGHT ? rest : strict_log(0);
        forward = table[static_cast<int64>(max(t - 1, 0)) * stride];
        step(k, t, probability, product, rest);
        add_density<STATES>(after, densities.take(t, max(t - 1, 0)));
    }
}

}  // namespace
