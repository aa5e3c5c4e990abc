// Hidden Markov models whose states emit normally distributed numbers or points: dev.bellman.markov.GaussianModel.
#pragma once

#include "common/warp.cuh"
#include "markov/model.cuh"

struct GaussianCalls {
    MarkovCalls chains;     // each step has a value instead of a symbol
    MarkovMatrices values;  // row_offsets is null if the values are numbers rather than points
    const double* scales;   // log(2 pi variance) at the place of each variance
};

STRUCT_FOR_HOST(GaussianCalls);
MEMBER_FOR_HOST(GaussianCalls, chains);
MEMBER_FOR_HOST(GaussianCalls, values);
MEMBER_FOR_HOST(GaussianCalls, scales);

namespace {

constexpr double GREATEST_VALUE = 1e100;
constexpr double LEAST_VARIANCE = 1e-80;
constexpr double GREATEST_VARIANCE = 1e200;
constexpr double TWO_PI = 6.283185307179586;

// Checks a model and its values, with a warp whose lanes all return the result.
__device__ __forceinline__ bool is_valid_call(
        const GaussianCalls& calls, const Model& model, int64 row, int32 lane) {
    const MarkovCalls& chains = calls.chains;
    const MarkovMatrices& values = calls.values;
    int32 dimensions = model.letters / 2;
    Weights seen(model.are_logs, model.are_logs ? 0 : 1);
    model.check_chain(chains, row, lane, seen);
    bool valid = seen.valid && model.letters > 0 && model.letters % 2 == 0
        && (values.row_offsets != nullptr || dimensions == 1);
    int32 emission_end = model.emission_begin + model.states;
    valid = valid && have_width(chains.emissions, model.emission_begin, emission_end, model.letters, lane);
    if (__all_sync(~0u, valid) == 0) {
        return false;
    }
    int64 begin = chains.emissions.row_offsets[model.emission_begin];
    for (int64 k = lane; valid && k < static_cast<int64>(model.states) * model.letters; k += 32) {
        double number = chains.emissions.numbers[begin + k];
        valid = is_valid(chains.emissions.validity, begin + k)
            && (k % 2 == 0 ? fabs(number) <= GREATEST_VALUE : number >= LEAST_VARIANCE && number <= GREATEST_VARIANCE);
    }
    if (values.row_offsets != nullptr) {
        valid = valid && have_width(values, model.first, model.first + model.steps, dimensions, lane);
        if (__all_sync(~0u, valid) == 0) {
            return false;
        }
    }
    begin = values.row_offsets == nullptr ? model.first : values.row_offsets[model.first];
    for (int64 k = lane; valid && k < static_cast<int64>(model.steps) * dimensions; k += 32) {
        valid = is_valid(values.validity, begin + k) && fabs(values.numbers[begin + k]) <= GREATEST_VALUE;
    }
    return __all_sync(~0u, valid) != 0;
}

// Returns the values of `bit` in this thread's team of STATES threads, with one bit for each state.
template <int32 STATES>
__device__ __forceinline__ uint32 team_bits(bool bit) {
    return __ballot_sync(~0u, bit) >> (threadIdx.x / STATES * STATES) & (~0u >> (32 - STATES));
}

// Returns, as bits, the states to which the thread's state has transitions or, if `to_state` is true, the states that
// have transitions to it.
template <int32 STATES>
__device__ __forceinline__ uint32 neighbours(const MarkovCalls& calls, const Model& model, bool to_state) {
    const double* moves = calls.transitions.numbers + calls.transitions.row_offsets[model.transition_begin];
    int32 state = threadIdx.x % STATES;
    uint32 found = 0;
    for (int32 i = 0; i < model.states && state < model.states; i++) {
        double number = moves[to_state ? i * model.states + state : state * model.states + i];
        found |= (model.are_logs ? number >= -MAX_WEIGHT : number > 0) ? 1u << i : 0;
    }
    return found;
}

// Returns the maximum number of transitions that a sequence in the thread's state can continue with; 2^31 - 1 if this
// number is unlimited.
template <int32 STATES>
__device__ __forceinline__ int32 max_transitions(const MarkovCalls& calls, const Model& model) {
    uint32 successors = neighbours<STATES>(calls, model, false);
    int32 max = 0x7fffffff;
    uint32 continuing = ~0u;  // the states that can continue with k transitions
    for (int32 k = 0; k < STATES; k++) {
        bool continues = (successors & continuing) != 0;
        max = continues ? max : min(max, k);
        continuing = team_bits<STATES>(continues);
    }
    return max;
}

// The densities of values in a state, as logarithms.
class Densities {
public:
    __device__ __forceinline__ Densities(const GaussianCalls& calls, const Model& model, int32 state, int32 first) {
        int32 begin = calls.chains.emissions.row_offsets[model.emission_begin + state];
        numbers_ = calls.chains.emissions.numbers + begin;
        scales_ = calls.scales + begin;
        const int32* offsets = calls.values.row_offsets;
        values_ = calls.values.numbers + (offsets == nullptr ? model.first : offsets[model.first]);
        dimensions_ = model.letters / 2;
        mean_ = numbers_[0];
        variance_ = numbers_[1];
        scale_ = scales_[1];
        next_ = values_[static_cast<int64>(first) * dimensions_];
    }

    // Returns the density of step t, and loads the first coordinate of step `next`, for which this must be called next.
    __device__ __forceinline__ double take(int32 t, int32 next) {
        double sum = term(next_, mean_, variance_, scale_);
        next_ = values_[static_cast<int64>(next) * dimensions_];
        for (int32 d = 1; d < dimensions_; d++) {
            double value = values_[static_cast<int64>(t) * dimensions_ + d];
            sum = __dadd_rn(sum, term(value, numbers_[2 * d], numbers_[2 * d + 1], scales_[2 * d + 1]));
        }
        return __dmul_rn(sum, -0.5);
    }

private:
    static __device__ __forceinline__ double term(double value, double mean, double variance, double scale) {
        double deviation = __dsub_rn(value, mean);
        return __dadd_rn(scale, __ddiv_rn(__dmul_rn(deviation, deviation), variance));
    }

    const double* numbers_;
    const double* scales_;
    const double* values_;
    int32 dimensions_;
    // the parameters of the first coordinate
    double mean_;
    double variance_;
    double scale_;
    double next_;
};

}  // namespace
