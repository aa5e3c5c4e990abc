// Hidden Markov models and their sequences, as the rows of columns: dev.bellman.markov.HiddenMarkov.
#pragma once

#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/strict_math.cuh"

constexpr int32 MAX_STATES = 1024;

// Lists of lists of numbers.
struct MarkovMatrices {
    const int32* offsets;
    const uint32* row_validity;
    const int32* row_offsets;
    const uint32* validity;
    const double* numbers;
};

struct MarkovCalls {
    const int32* start_offsets;
    const uint32* start_validity;
    const double* starts;
    MarkovMatrices transitions;
    MarkovMatrices emissions;
    const int32* symbol_offsets;  // null if each step has a row of emissions
    const uint32* symbol_validity;
    const int32* symbols;
    const uint8* logarithms;  // whether each row's numbers are natural logarithms; null if none are
};

STRUCT_FOR_HOST(MarkovMatrices);
MEMBER_FOR_HOST(MarkovMatrices, offsets);
MEMBER_FOR_HOST(MarkovMatrices, row_validity);
MEMBER_FOR_HOST(MarkovMatrices, row_offsets);
MEMBER_FOR_HOST(MarkovMatrices, validity);
MEMBER_FOR_HOST(MarkovMatrices, numbers);
STRUCT_FOR_HOST(MarkovCalls);
MEMBER_FOR_HOST(MarkovCalls, start_offsets);
MEMBER_FOR_HOST(MarkovCalls, start_validity);
MEMBER_FOR_HOST(MarkovCalls, starts);
MEMBER_FOR_HOST(MarkovCalls, transitions);
MEMBER_FOR_HOST(MarkovCalls, emissions);
MEMBER_FOR_HOST(MarkovCalls, symbol_offsets);
MEMBER_FOR_HOST(MarkovCalls, symbol_validity);
MEMBER_FOR_HOST(MarkovCalls, symbols);
MEMBER_FOR_HOST(MarkovCalls, logarithms);

namespace {

constexpr double MAX_WEIGHT = 1.7976931348623157e308;
constexpr double LEAST_NARROW = 5.527147875260445e-76;      // 2^-250
constexpr double GREATEST_NARROW = 1.8092513943330656e+75;  // 2^250
constexpr double GREATEST_LOG = 1e9;                        // the maximum magnitude of a logarithm
constexpr double GREATEST_NARROW_LOG = 173;                 // slightly below the logarithm of 2^250
// The maximum size of a table, above which the CPU rejects a row.
constexpr int64 MAX_NUMBERS = 0x7fffffff - 8;

// Returns whether the lists that a lane of a warp inspects are not NULL and contain the given number of numbers.
__device__ __forceinline__ bool have_width(
        const MarkovMatrices& of, int32 begin, int32 end, int32 width, int32 lane) {
    bool valid = true;
    for (int32 k = begin + lane; valid && k < end; k += 32) {
        valid = is_valid(of.row_validity, k) && of.row_offsets[k + 1] - of.row_offsets[k] == width;
    }
    return valid;
}

// The properties of a model's numbers, which a warp determines together.
struct Weights {
    bool valid = true;
    bool narrow = true;  // whether each weight is 0 or between the limits above
    bool are_logs;       // whether the numbers are the logarithms of weights
    double greatest;     // the largest allowed number

    __device__ Weights(bool logs, double most) : are_logs(logs), greatest(most) {}

    __device__ __forceinline__ void see(const uint32* validity, const double* numbers, int64 i) {
        double number = numbers[i];
        double magnitude = fabs(number);
        bool is_zero = are_logs ? number < -MAX_WEIGHT : number == 0;
        bool is_allowed = number <= greatest && (are_logs ? magnitude <= GREATEST_LOG : number >= 0);
        bool is_narrow = are_logs
            ? magnitude <= GREATEST_NARROW_LOG
            : number >= LEAST_NARROW && number <= GREATEST_NARROW;
        valid = valid && is_valid(validity, i) && (is_zero || is_allowed);
        narrow = narrow && (is_zero || is_narrow);
    }

    // Inspects lists, each of which must contain the given number of numbers. All lanes of a warp must call this.
    __device__ __forceinline__ void see(
            const MarkovMatrices& of, int32 begin, int32 end, int32 width, int32 lane) {
        valid = valid && have_width(of, begin, end, width, lane);
        valid = __all_sync(~0u, valid) != 0;
        if (begin < end) {
            for (int64 i = of.row_offsets[begin] + lane; valid && i < of.row_offsets[end]; i += 32) {
                see(of.validity, of.numbers, i);
            }
        }
    }
};

// The start and the transitions of a model.
struct Chain {
    const double* start;
    const double* moves;  // for each state, the transitions to each state
    int32 states;
    bool are_logs;  // whether the numbers are logarithms

    // Returns the logarithm of a number of the model, which is never -0.0.
    __device__ __forceinline__ double log(double number) const {
        return are_logs ? __dadd_rn(number, 0) : strict_log(number);
    }
};

// The lengths of a row's lists, and the offsets of their numbers.
struct Model {
    int32 states;
    int32 steps;
    int32 letters;  // emission numbers per state: one per symbol, or two per coordinate; 0 if each step has emissions
    int32 first;    // the offset of the first step
    int32 transition_begin;
    int32 emission_begin;
    bool are_logs;  // whether the numbers are logarithms

    __device__ Model(const MarkovCalls& calls, int64 row) {
        states = calls.start_offsets[row + 1] - calls.start_offsets[row];
        transition_begin = calls.transitions.offsets[row];
        emission_begin = calls.emissions.offsets[row];
        const int32* of_steps = calls.symbol_offsets == nullptr ? calls.emissions.offsets : calls.symbol_offsets;
        first = of_steps[row];
        steps = of_steps[row + 1] - first;
        letters = 0;
        if (calls.symbol_offsets != nullptr && calls.emissions.offsets[row + 1] > emission_begin) {
            const int32* width = calls.emissions.row_offsets + emission_begin;
            letters = width[1] - width[0];
        }
        are_logs = calls.logarithms != nullptr && calls.logarithms[row] != 0;
    }

    // Returns the logarithm of a number of the model, which is never -0.0.
    __device__ __forceinline__ double log(double number) const {
        return are_logs ? __dadd_rn(number, 0) : strict_log(number);
    }

    __device__ __forceinline__ Chain chain(const MarkovCalls& calls, int64 row) const {
        const double* moves = calls.transitions.numbers + calls.transitions.row_offsets[transition_begin];
        return {calls.starts + calls.start_offsets[row], moves, states, are_logs};
    }

    // Checks the lengths of the lists, the start and the transitions. All lanes of a warp must call this.
    __device__ __forceinline__ void check_chain(
            const MarkovCalls& calls, int64 row, int32 lane, Weights& seen) const {
        int32 transition_end = calls.transitions.offsets[row + 1];
        seen.valid = states > 0 && steps > 0 && transition_end - transition_begin == states
            && (calls.symbol_offsets == nullptr || calls.emissions.offsets[row + 1] - emission_begin == states);
        for (int32 j = lane; seen.valid && j < states; j += 32) {
            seen.see(calls.start_validity, calls.starts, calls.start_offsets[row] + j);
        }
        seen.see(calls.transitions, transition_begin, transition_end, states, lane);
    }

    // Checks a model and its symbols, with a warp whose lanes all return the result.
    __device__ __forceinline__ Weights check(const MarkovCalls& calls, int64 row, int32 lane) const {
        Weights seen(are_logs, are_logs ? GREATEST_LOG : MAX_WEIGHT);
        bool has_symbols = calls.symbol_offsets != nullptr;
        check_chain(calls, row, lane, seen);
        for (int32 t = lane; seen.valid && has_symbols && t < steps; t += 32) {
            seen.valid = is_valid(calls.symbol_validity, first + t) && calls.symbols[first + t] >= 0
                && calls.symbols[first + t] < letters;
        }
        int32 width = has_symbols ? letters : states;
        seen.see(calls.emissions, emission_begin, calls.emissions.offsets[row + 1], width, lane);
        seen.valid = __all_sync(~0u, seen.valid) != 0;
        seen.narrow = __all_sync(~0u, seen.narrow) != 0;
        return seen;
    }
};

}  // namespace
