// A column of a distance table with transpositions, in K words of 32 rows; dev.bellman.align.distance.TranspositionBits
// explains the recurrences.
#pragma once

#include "align/bits/score.cuh"

namespace {

// GAPS: computes the Damerau-Levenshtein distance; otherwise, computes the optimal string alignment distance, which
// does not use `gaps`.
template <int K, bool GAPS>
struct TranspositionColumn {
    uint32 pv[K];
    uint32 mv[K];
    uint32 level[K];   // rows of the last column that equal their upper-left neighbour
    uint32 before[K];  // rows whose character equals the last column's
    uint32 gaps[K];    // rows below which a transposition with a gap in the text may end

    __device__ __forceinline__ void reset() {
#pragma unroll
        for (int k = 0; k < K; k++) {
            pv[k] = ~0u;
            mv[k] = 0;
            level[k] = 0;
            before[k] = 0;
            gaps[k] = 0;
        }
    }

    // Finds the rows in which a transposition ends, so that they equal their upper-left neighbour.
    __device__ __forceinline__ void transpose(const uint32 (&equal)[K], uint32 (&swapped)[K]) const {
        uint32 starts[K];
        uint32 above = 0;
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint32 swaps = ~level[k] & equal[k];
            starts[k] = __funnelshift_l(above, swaps, 1);
            above = swaps;
        }
        if constexpr (GAPS) {
            uint32 sum[K];
#pragma unroll
            for (int k = 0; k < K; k++) {
                uint32 both = pv[k] & starts[k];
                sum[k] = k > 0 ? add_carry_through(pv[k], both) : add_carry_out(pv[k], both);
            }
            above = 0;
#pragma unroll
            for (int k = 0; k < K; k++) {
                uint32 swaps = gaps[k] & equal[k];
                swapped[k] = (((sum[k] ^ pv[k]) | starts[k]) & before[k]) | __funnelshift_l(above, swaps, 1);
                above = swaps;
            }
        } else {
#pragma unroll
            for (int k = 0; k < K; k++) {
                swapped[k] = starts[k] & before[k];
            }
        }
    }

    // Advances by one column. A single thread processes the whole pattern, so no carry crosses a border, and the row
    // above grows by one.
    template <bool BORDER, class Moves>
    __device__ __forceinline__ void step(const uint32 (&equal)[K], Border&, Border&, Moves&) {
        static_assert(!BORDER, "only whole patterns");
        uint32 swapped[K];
        transpose(equal, swapped);
        uint32 sum[K];
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint32 both = pv[k] & equal[k];
            sum[k] = k > 0 ? add_carry_through(pv[k], both) : add_carry_out(pv[k], both);
        }
        uint32 rises_below = ~0u;
        uint32 falls_below = 0;
#pragma unroll
        for (int k = 0; k < K; k++) {
            level[k] = (sum[k] ^ pv[k]) | equal[k] | mv[k] | swapped[k];
            uint32 rises = mv[k] | ~(level[k] | pv[k]);
            uint32 falls = level[k] & pv[k];
            if (GAPS) {
                uint32 equal_below = __funnelshift_r(equal[k], k + 1 < K ? equal[k + 1 < K ? k + 1 : k] : 0, 1);
                gaps[k] = (gaps[k] & rises) | (~level[k] & equal_below);
            }
            uint32 rises_above = __funnelshift_l(rises_below, rises, 1);
            uint32 falls_above = __funnelshift_l(falls_below, falls, 1);
            pv[k] = falls_above | ~(level[k] | rises_above);
            mv[k] = rises_above & level[k];
            before[k] = equal[k];
            rises_below = rises;
            falls_below = falls;
        }
    }

    // Returns the total contribution of the first `rows` rows to the value at the foot of the column.
    __device__ __forceinline__ int32 growth(int32 rows) const {
        int32 growth = 0;
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint32 mask = rows >= 32 * (k + 1) ? ~0u : rows <= 32 * k ? 0 : (1u << (rows & 31)) - 1;
            growth += __popc(pv[k] & mask) - __popc(mv[k] & mask);
        }
        return growth;
    }
};

template <bool GAPS>
struct TranspositionScore : EditScore {
    template <int K>
    struct Column : TranspositionColumn<K, GAPS> {};
};

}  // namespace

#define TRANSPOSITION_WORDS(name, Score, Symbols) \
    SCORE_ALONE(name, Score, Symbols, 1, 64) \
    SCORE_ALONE(name, Score, Symbols, 2, 64) \
    SCORE_ALONE(name, Score, Symbols, 3, 64) \
    SCORE_ALONE(name, Score, Symbols, 4, 64) \
    SCORE_ALONE(name, Score, Symbols, 5, 64) \
    SCORE_ALONE(name, Score, Symbols, 6, 64) \
    SCORE_ALONE(name, Score, Symbols, 7, 64) \
    SCORE_ALONE(name, Score, Symbols, 8, 64)

// Defines the bit-parallel kernels for a distance function.
#define TRANSPOSITION_BITS(name, GAPS) \
    TRANSPOSITION_WORDS(name##_nucleotides, TranspositionScore<GAPS>, Nucleotides) \
    TRANSPOSITION_WORDS(name##_ascii, TranspositionScore<GAPS>, Ascii) \
    SCORE_ALONE(name##_wide, TranspositionScore<GAPS>, CodePoints, 1, 64) \
    SCORE_ALONE(name##_malformed, TranspositionScore<GAPS>, AnyCharacters, 1, 64)
