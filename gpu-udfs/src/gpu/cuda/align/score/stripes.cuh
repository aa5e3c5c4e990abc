// Solves long pairs. Their tables are divided into stripes. One warp solves each stripe, and passes the lower border on
// through device memory. Warps take stripes in order, so the stripe above a warp's stripe is always ahead or finished.
//
// The traceback bits for a long pair may exceed the memory. In this case, the stripes are first solved without these
// bits, but the borders of all stripes are stored. Then they are solved again from the last one upwards, as many at a
// time as fit in memory, and only as far to the right as the path goes. Since all borders are stored, the stripes do
// not wait for each other in this second pass.
#pragma once

#include "align/score/table.cuh"
#include "common/search.cuh"

constexpr int32 STRIPE_LANES = 32;
constexpr int32 STRIPE_ROWS = 16;
constexpr int32 STRIPE_HEIGHT = STRIPE_LANES * STRIPE_ROWS;

// Arguments of a launch.
struct Stripes {
    const ScoredPair* pairs;
    const int32* firsts;      // the first stripe of each pair, followed by the total number of stripes
    int32 count;              // the number of pairs
    // the start of each pair's crossings, in letters: each letter of b has one crossing per stripe, or two if gap costs
    // have two pieces
    const int64* crossing_places;
    Crossing* crossings;      // initially NOT_THERE
    const int64* way_places;  // the start of each pair's traceback bits, in words; or null
    uint32* ways;             // the traceback bits; null if they are not stored
    End* ends;                // the best end in each stripe
    int32* ticket;            // the number of stripes taken so far; initially zero
    int32 passed;             // if stripes of the only pair are recomputed, the number of stripes above this launch
    int32 columns;            // the number of columns to solve, from the left
};

template <bool IS_LOCAL, bool COMPARES, bool KEEPS, bool HAS_TWO_PIECES = false>
__device__ __forceinline__ void solve_stripes(const Stripes& stripes, const Scheme* scheme, const int32* scores) {
    using Stripe = Table<STRIPE_LANES, STRIPE_ROWS, IS_LOCAL, COMPARES, KEEPS, HAS_TWO_PIECES>;
    int32 total = stripes.firsts[stripes.count];
    while (true) {
        __syncwarp();
        int32 stripe = uniform(threadIdx.x % 32 == 0 ? atomicAdd(stripes.ticket, 1) : 0);
        if (stripe >= total) {
            return;
        }
        int32 index = last_at_most(stripes.firsts, stripes.count, stripe);
        ScoredPair pair = stripes.pairs[index];
        int32 place = stripe - stripes.firsts[index];
        int32 own = stripes.passed + place;
        bool is_last = stripe + 1 == stripes.firsts[index + 1];
        Crossing* crossings = stripes.crossings
                + Stripe::CROSSINGS * (stripes.crossing_places[index] + static_cast<int64>(own) * pair.b_length);
        const Crossing* above =
                own == 0 ? nullptr : crossings - Stripe::CROSSINGS * static_cast<int64>(pair.b_length);
        pair.b_length = min(pair.b_length, stripes.columns);
        uint32* ways = KEEPS && stripes.ways != nullptr
            ? stripes.ways + stripes.way_places[index]
                + static_cast<int64>(place) * (pair.b_length + STRIPE_LANES - 1) * STRIPE_LANES
                        * Ways<STRIPE_ROWS, HAS_TWO_PIECES>::WORDS
            : nullptr;
        Stripe table(*scheme, pair, scores, own);
        table.template solve<true>(above, is_last ? nullptr : crossings, ways);
        End end = table.best_end();
        if (threadIdx.x % 32 == 0) {
            stripes.ends[stripe] = end;
        }
    }
}

// Returns the best end of a pair's alignment.
__device__ __forceinline__ End best_of(const End* ends, int32 count) {
    End best = ends[0];
    for (int32 i = 1; i < count; i++) {
        best = is_better(ends[i], best) ? ends[i] : best;
    }
    return best;
}
