// The optimal string alignment distance: bit-parallel if a thread can hold the pattern, otherwise cell by cell.
#include "align/bits/score.cuh"
#include "align/distance/transpositions.cuh"
#include "common/host.cuh"

namespace {

// H. Hyyro (2003), as dev.bellman.align.distance.OsaDistance explains, on K words of 32 rows.
template <int K>
struct OsaColumn {
    uint32 pv[K];
    uint32 mv[K];
    uint32 level[K];   // rows of the last column that equal their upper left neighbour
    uint32 before[K];  // rows whose character equals the last column's

    __device__ __forceinline__ void reset() {
#pragma unroll
        for (int k = 0; k < K; k++) {
            pv[k] = ~0u;
            mv[k] = 0;
            level[k] = 0;
            before[k] = 0;
        }
    }

    // One thread holds the whole pattern, so nothing crosses a border: the row above grows by one.
    template <bool BORDER, class Moves>
    __device__ __forceinline__ void step(const uint32 (&equal)[K], Border&, Border&, Moves&) {
        static_assert(!BORDER, "only whole patterns");
        uint32 sum[K];
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint32 both = pv[k] & equal[k];
            sum[k] = k > 0 ? add_carry_through(pv[k], both) : add_carry_out(pv[k], both);
        }
        uint32 swaps_below = 0;
        uint32 rises_below = ~0u;
        uint32 falls_below = 0;
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint32 swaps = ~level[k] & equal[k];
            uint32 swapped = __funnelshift_l(swaps_below, swaps, 1) & before[k];
            level[k] = (sum[k] ^ pv[k]) | equal[k] | mv[k] | swapped;
            uint32 rises = mv[k] | ~(level[k] | pv[k]);
            uint32 falls = level[k] & pv[k];
            uint32 rises_above = __funnelshift_l(rises_below, rises, 1);
            uint32 falls_above = __funnelshift_l(falls_below, falls, 1);
            pv[k] = falls_above | ~(level[k] | rises_above);
            mv[k] = rises_above & level[k];
            before[k] = equal[k];
            swaps_below = swaps;
            rises_below = rises;
            falls_below = falls;
        }
    }

    // The sum of what the first `rows` rows add to the value at the foot of the column.
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

struct OsaScore : EditScore {
    template <int K>
    using Column = OsaColumn<K>;
};

}  // namespace

#define OSA_BYTES(name, Symbols) \
    SCORE_ALONE(name, OsaScore, Symbols, 1, 64) \
    SCORE_ALONE(name, OsaScore, Symbols, 2, 64) \
    SCORE_ALONE(name, OsaScore, Symbols, 3, 64) \
    SCORE_ALONE(name, OsaScore, Symbols, 4, 64) \
    SCORE_ALONE(name, OsaScore, Symbols, 5, 64) \
    SCORE_ALONE(name, OsaScore, Symbols, 6, 64) \
    SCORE_ALONE(name, OsaScore, Symbols, 7, 64) \
    SCORE_ALONE(name, OsaScore, Symbols, 8, 64)

OSA_BYTES(osa_distance_nucleotides, Nucleotides)
OSA_BYTES(osa_distance_ascii, Ascii)
SCORE_ALONE(osa_distance_wide, OsaScore, CodePoints, 1, 64)
SCORE_ALONE(osa_distance_malformed, OsaScore, AnyCharacters, 1, 64)
TRANSPOSITIONS(osa_distance, false)
