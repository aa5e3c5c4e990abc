// Computes the expected counts of a sequence of normally distributed numbers or points in a hidden Markov model:
// dev.bellman.markov.GaussianFit. Each sequence has a team of threads, one per state. All operations are the CPU's, in
// the same order.
#pragma once

#include "markov/log_sweep.cuh"

// A model whose states emit normally distributed values.
struct NormalModel {
    Chain chain;
    const double* pairs;   // for each state, the mean and the variance of each coordinate
    const double* scales;  // log(2 pi variance) at the place of each variance
    int32 dimensions;
};

namespace {

// The sums for the emissions of each state are the probability and, for each coordinate, the deviation from the mean
// and its square, both times the probability.
__device__ __forceinline__ int32 emission_sums(int32 dimensions) {
    return 1 + 2 * dimensions;
}

// Counts one sequence for each team of a warp.
template <int32 STATES>
class LogCounting {
public:
    // the probability that the sequence starts in this state, and the logarithm of the sequence's density
    double start;
    double log_density;
    // the expected numbers of transitions from this state to each state
    double moved[STATES];

    // - emitted: a row of 32 numbers for each sum of emissions, initially 0
    // - table: a row of 32 numbers for each step
    __device__ __forceinline__ LogCounting(
            const NormalModel& model, double* emitted, double* table, SharedLogs& shared) :
        model_(model), emitted_(emitted + threadIdx.x), table_(table + threadIdx.x), shared_(shared) {
        int32 used = min(static_cast<int32>(threadIdx.x) % STATES, model.chain.states - 1);
        pairs_ = model.pairs + used * 2 * model.dimensions;
        scales_ = model.scales + used * 2 * model.dimensions;
    }

    // Counts a sequence with `steps` steps, of which there is at least one. All threads of the warp must call this;
    // teams for which `has_sequence` is false count nothing. Returns, in all threads, whether all sequences are
    // possible.
    __device__ __forceinline__ bool count(const double* values, int32 steps, bool has_sequence) {
        int32 counted = has_sequence ? steps : 0;
        int32 longest = max_of_lanes<32>(counted);
        NormalEmissions emissions(pairs_, scales_, values, model_.dimensions);
        double density = sweep_forward<STATES>(
                model_.chain, emissions, steps - 1, counted, longest, table_, 32, shared_);
        log_density = has_sequence ? density : 0;
        if (!__all_sync(~0u, log_density >= -MAX_WEIGHT)) {
            return false;
        }
        start = 0;
#pragma unroll
        for (int32 j = 0; j < STATES; j++) {
            moved[j] = 0;
        }
        double mean = pairs_[0];
        double sum = 0;
        double deviations = 0;
        double squares = 0;
        auto step = [&](int32 k, int32 t, double probability, const LogProduct<STATES, true>& product, double rest) {
            if (k >= counted) {
                return;
            }
            if (k > 0) {
                product.add_moves(moved, probability, rest, k, shared_);
            }
            start = probability;
            sum = __dadd_rn(sum, probability);
            const double* value = values + static_cast<int64>(t) * model_.dimensions;
            add_deviation(deviations, squares, probability, value[0], mean);
            for (int32 d = 1; d < model_.dimensions; d++) {
                double* to = emitted_ + (1 + 2 * d) * 32;
                add_deviation(to[0], to[32], probability, value[d], pairs_[2 * d]);
            }
        };
        sweep_backward<STATES>(model_.chain, emissions, steps - 1, longest, table_, 32, shared_, step);
        emitted_[0] = sum;
        emitted_[32] = deviations;
        emitted_[64] = squares;
        return true;
    }

private:
    static __device__ __forceinline__ void add_deviation(
            double& deviations, double& squares, double probability, double value, double mean) {
        double deviation = __dsub_rn(value, mean);
        deviations = __dadd_rn(deviations, __dmul_rn(probability, deviation));
        squares = __dadd_rn(squares, __dmul_rn(probability, __dmul_rn(deviation, deviation)));
    }

    const NormalModel& model_;
    double* emitted_;
    double* table_;
    SharedLogs& shared_;
    const double* pairs_;
    const double* scales_;
};

}  // namespace
