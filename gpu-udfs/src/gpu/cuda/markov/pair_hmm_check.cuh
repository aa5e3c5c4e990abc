// What determines the class of a call of the pair hidden Markov model: dev.bellman.markov.PairHmm.
#pragma once

#include "markov/pair_hmm.cuh"

namespace {

// The properties of a call's arguments, which a warp determines together.
struct PairHmmCheck {
    bool is_valid = true;
    bool is_constant = true;
    bool has_same_continuations = true;
    bool is_usual = true;  // whether the haplotype has only usual letters
    // the highest and the lowest quality of each kind
    int32 most[4] = {0, 0, 0, 0};
    int32 least[4] = {QUALITIES, QUALITIES, QUALITIES, QUALITIES};
    double least_stay = 1;
    double most_return = 0;   // the largest weight of the deletions that follow a match
    double growth = 0;        // the binary logarithm of an upper bound for the growth of all numbers
    int64 continuations = 0;  // the sum of the qualities of continuations
    bool is_closed = true;    // whether all gaps may end

    __device__ __forceinline__ void see_quality(int32 kind, int32 character) {
        int32 quality = character - FIRST_QUALITY;
        is_valid = is_valid && static_cast<uint32>(quality) < QUALITIES;
        most[kind] = max(most[kind], quality);
        // emissions of probability 0 remain 0
        least[kind] = min(least[kind], quality == 0 && kind == 0 ? QUALITIES : quality);
    }

    __device__ __forceinline__ void see_letters(const Bytes& bases, int32 lane) {
        is_valid = is_valid && bases.length > 0;
        for (int32 i = lane; i < bases.length; i += 32) {
            int32 letter = bases.bytes[i] & ~0x20;
            is_valid = is_valid && letter >= 'A' && letter <= 'Z';
            is_usual = is_usual && is_usual_letter(letter);
        }
    }

    __device__ __forceinline__ void see_length(const Bytes& qualities, int32 length, bool is_short_allowed) {
        is_valid = is_valid && (qualities.length == length || (is_short_allowed && qualities.length == 1));
    }

    __device__ __forceinline__ void see_gaps(const PairHmmCall& call, int32 i) {
        PairHmmGaps gaps(call, i);
        least_stay = gaps.stay == 0 ? least_stay : fmin(least_stay, gaps.stay);
        is_closed = is_closed && gaps.close > 0;
        most_return = fmax(most_return, gaps.erase / gaps.close);
        if (i > 0) {
            PairHmmGaps above(call, i - 1);
            double here = gaps.stay + gaps.insert + gaps.close * (above.erase / above.close);
            growth += log2f(fmax(1.0f, static_cast<float>(here)));
        }
        continuations += call.continuations.of_base(i) - FIRST_QUALITY;
    }

    // Combines the properties that the lanes found.
    __device__ __forceinline__ void join() {
#pragma unroll
        for (int32 kind = 0; kind < 4; kind++) {
            most[kind] = max_of_lanes<32>(most[kind]);
            least[kind] = min_of_warp(least[kind]);
        }
        has_same_continuations = most[3] == least[3];
        is_constant = most[1] == least[1] && most[2] == least[2] && most[1] == most[2] && has_same_continuations;
        least_stay = reduce_lanes<32>(least_stay, [](double a, double b) { return fmin(a, b); });
        most_return = max_of_lanes<32>(most_return);
        growth = sum_of_lanes<32>(growth);
        continuations = sum_of_lanes<32>(continuations);
        is_closed = __all_sync(~0u, is_closed);
        is_usual = __all_sync(~0u, is_usual);
    }

    // Returns whether all numbers other than 0 are in the range of doubles, as PairHmm.isNarrow does, but with an upper
    // bound that may be larger. The sum of a match and an insertion is at most their sum in the row above, times the
    // sum of the factors for a match, an insertion and the return from a deletion. A deletion is at most the sum of all
    // extensions from matches in its row.
    __device__ __forceinline__ bool is_narrow(const PairHmmCall& call) const {
        constexpr double LEAST = -1000;
        constexpr double GREATEST = 1000;
        constexpr double LOG_OF_QUALITY = 0.33219280948873623;  // log2(10) / 10
        double emission = log2(call.no_error(FIRST_QUALITY + min(least[0], QUALITIES - 1)));
        emission = fmin(emission, -LOG_OF_QUALITY * most[0] - log2(3.0));
        double close = log2(call.no_error(FIRST_QUALITY + least[3]));
        double lowest = -LOG_OF_QUALITY * (continuations + most[3] + most[1] + 2 * max(most[1], most[2]))
            + 2 * emission + log2(least_stay) + 2 * close;
        double highest = growth + log2(fmax(1.0, most_return)) + 1;
        return is_closed && lowest - log2(static_cast<double>(call.haplotype.length)) + PAIR_HMM_SCALE > LEAST
            && highest + PAIR_HMM_SCALE < GREATEST;
    }
};

}  // namespace
