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

// Checks a model, with a warp whose lanes all return the result.
__device__ __forceinline__ bool is_valid_model(
        const MarkovCalls& calls, const Model& model, int64 row, bool has_points, int32 lane) {
    Weights seen(model.are_logs, model.are_logs ? 0 : 1);
    model.check_chain(calls, row, lane, seen);
    bool valid = seen.valid && model.letters > 0 && model.letters % 2 == 0 && (has_points || model.letters == 2);
    int32 emission_end = model.emission_begin + model.states;
    valid = valid && have_width(calls.emissions, model.emission_begin, emission_end, model.letters, lane);
    if (__all_sync(~0u, valid) == 0) {
        return false;
    }
    int64 begin = calls.emissions.row_offsets[model.emission_begin];
    for (int64 k = lane; valid && k < static_cast<int64>(model.states) * model.letters; k += 32) {
        double number = calls.emissions.numbers[begin + k];
        valid = is_valid(calls.emissions.validity, begin + k)
            && (k % 2 == 0 ? fabs(number) <= GREATEST_VALUE : number >= LEAST_VARIANCE && number <= GREATEST_VARIANCE);
    }
    return __all_sync(~0u, valid) != 0;
}

// Checks values, with a warp whose lanes all return the result. There must be at least one step.
__device__ __forceinline__ bool are_valid_values(
        const MarkovMatrices& values, int32 first, int32 steps, int32 dimensions, int32 lane) {
    bool valid = values.row_offsets == nullptr || have_width(values, first, first + steps, dimensions, lane);
    if (__all_sync(~0u, valid) == 0) {
        return false;
    }
    int64 begin = values.row_offsets == nullptr ? first : values.row_offsets[first];
    for (int64 k = lane; valid && k < static_cast<int64>(steps) * dimensions; k += 32) {
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
__device__ __forceinline__ uint32 neighbours(const Chain& chain, bool to_state) {
    int32 state = threadIdx.x % STATES;
    uint32 found = 0;
    for (int32 i = 0; i < chain.states && state < chain.states; i++) {
        double number = chain.moves[to_state ? i * chain.states + state : state * chain.states + i];
        found |= (chain.are_logs ? number >= -MAX_WEIGHT : number > 0) ? 1u << i : 0;
    }
    return found;
}

// Returns the maximum number of transitions that a sequence in the thread's state can continue with; 2^31 - 1 if this
// number is unlimited.
template <int32 STATES>
__device__ __forceinline__ int32 max_transitions(const Chain& chain) {
    uint32 successors = neighbours<STATES>(chain, false);
    int32 max = 0x7fffffff;
    uint32 continuing = ~0u;  // the states that can continue with k transitions
    for (int32 k = 0; k < STATES; k++) {
        bool continues = (successors & continuing) != 0;
        max = continues ? max : min(max, k);
        continuing = team_bits<STATES>(continues);
    }
    return max;
}

// The means and variances of a state's coordinates, and the values of a sequence.
struct NormalEmissions {
    const double* numbers;  // the mean and the variance of each coordinate
    const double* scales;   // log(2 pi variance) at the place of each variance
    const double* values;
    int32 dimensions;

    __device__ __forceinline__ NormalEmissions(
            const double* of_state, const double* its_scales, const double* sequence, int32 dimension_count) :
        numbers(of_state), scales(its_scales), values(sequence), dimensions(dimension_count) {}

    __device__ __forceinline__ NormalEmissions(const GaussianCalls& calls, const Model& model, int32 state) {
        int32 begin = calls.chains.emissions.row_offsets[model.emission_begin + state];
        numbers = calls.chains.emissions.numbers + begin;
        scales = calls.scales + begin;
        const int32* offsets = calls.values.row_offsets;
        values = calls.values.numbers + (offsets == nullptr ? model.first : offsets[model.first]);
        dimensions = model.letters / 2;
    }
};

// The densities of values in a state, as logarithms.
class Densities {
public:
    // first: the step for which `take` is called first
    __device__ __forceinline__ Densities(const NormalEmissions& of, int32 first) : of_(of) {
        mean_ = of.numbers[0];
        variance_ = of.numbers[1];
        scale_ = of.scales[1];
        next_ = of.values[static_cast<int64>(first) * of.dimensions];
    }

    // Returns the density of step t, and loads the first coordinate of step `next`, for which this must be called next.
    __device__ __forceinline__ double take(int32 t, int32 next) {
        double sum = term(next_, mean_, variance_, scale_);
        next_ = of_.values[static_cast<int64>(next) * of_.dimensions];
        for (int32 d = 1; d < of_.dimensions; d++) {
            double value = of_.values[static_cast<int64>(t) * of_.dimensions + d];
            sum = __dadd_rn(sum, term(value, of_.numbers[2 * d], of_.numbers[2 * d + 1], of_.scales[2 * d + 1]));
        }
        return __dmul_rn(sum, -0.5);
    }

private:
    static __device__ __forceinline__ double term(double value, double mean, double variance, double scale) {
        double deviation = __dsub_rn(value, mean);
        return __dadd_rn(scale, __ddiv_rn(__dmul_rn(deviation, deviation), variance));
    }

    NormalEmissions of_;
    // the parameters of the first coordinate
    double mean_;
    double variance_;
    double scale_;
    double next_;
};

}  // namespace
