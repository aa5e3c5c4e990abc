// Scores of two pairs of nucleotides side by side, in 16 bits each: their tables along the anti-diagonals, as in table.cuh.
//
// For each row and column five operations, a selection of bytes that looks up both scores, and for local tables half an operation that keeps
// the most: 6 or 6.5 operations of 64 lanes in a cycle for two cells. A GPU of 132 multiprocessors at 1.98 GHz can do 5.6 or 5.1 tera
// cells a second so.
//
// Local tables, and those with free ends, have rows of padding above the first one, so that the last row is the last of the last lane. A row
// of padding is as the border above it: its scores are 0 where the border is free, and else so low that gaps are better.
//
// Global tables are tilted: a value has `tilt` added for each letter that it is behind. So no score and no value is negative, and the sum of two
// halves is that of two words, which another unit than the one for maxima adds. They have rows of padding below.
#include "align/score/packed.cuh"
#include "align/score/scheme.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"

constexpr int32 PACKED_BLOCK = 64;
FOR_HOST(PACKED_BLOCK);

namespace {

enum Kind { ANYWHERE, ENDS, TILTED };

__device__ __forceinline__ uint32 scores_of(const Scheme& scheme, uint32 letter) {
    int32 code = nucleotide_code(letter);
    return code < 2 ? (code == 0 ? scheme.nucleotides_a : scheme.nucleotides_c)
                    : (code == 2 ? scheme.nucleotides_t : scheme.nucleotides_g);
}

constexpr uint32 LOWEST = 0x80008000;

template <int KIND, int LANES, int ROWS>
__device__ __forceinline__ void score_packed(
        const ScoredPair* pairs, int32 count, const Scheme* its_scheme, int32 one, int64* results) {
    Scheme scheme = *its_scheme;
    int32 lane = threadIdx.x % LANES;
    int64 group = thread_index() / LANES;
    int32 first = static_cast<int32>(min(2 * group, static_cast<int64>(count - 1)));
    int32 second = min(first + 1, count - 1);
    ScoredPair p = pairs[first];
    ScoredPair q = pairs[second];
    bool row_free = first_row_free(scheme.mode);
    bool column_free = first_column_free(scheme.mode);
    int32 p_padding = KIND == TILTED ? 0 : LANES * ROWS - p.a_length;
    int32 q_padding = KIND == TILTED ? 0 : LANES * ROWS - q.a_length;
    int32 base = KIND == TILTED ? scheme.insert_open + scheme.delete_open : 0;
    int32 insert_open = scheme.insert_open - scheme.tilt;
    int32 insert_extend = scheme.insert_extend - scheme.tilt;
    int32 delete_open = scheme.delete_open - scheme.tilt;
    int32 delete_extend = scheme.delete_extend - scheme.tilt;
    auto border = [&](int32 row) {
        return row <= 0 || column_free ? base : base - insert_open - (row - 1) * insert_extend;
    };
    int32 first_row = lane * ROWS;
    uint32 padding_scores = row_free || KIND == TILTED ? 0 : 0x80808080;
    uint32 p_scores[ROWS];
    uint32 q_scores[ROWS];
    uint32 best[ROWS];
    uint32 erase[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        int32 pi = first_row + r - p_padding;
        int32 qi = first_row + r - q_padding;
        p_scores[r] = pi < 0 || pi >= p.a_length ? padding_scores : scores_of(scheme, p.a[pi]);
        q_scores[r] = qi < 0 || qi >= q.a_length ? padding_scores : scores_of(scheme, q.a[qi]);
        best[r] = two(border(pi + 1), border(qi + 1));
        erase[r] = best[r];
    }
    uint32 above = two(border(first_row - p_padding), border(first_row - q_padding));
    uint32 no_insert_open = both(-insert_open);
    uint32 no_insert_extend = both(-insert_extend);
    uint32 no_delete_open = both(-delete_open);
    uint32 no_delete_extend = both(-delete_extend);
    uint32 edge = both(row_free ? 0 : base - delete_open);
    uint32 edge_step = row_free ? 0 : no_delete_extend;
    int32 columns = max(p.b_length, q.b_length);
    int32 steps = max_of_lanes<32>(columns + LANES - 1);
    uint32 letters = 0;
    uint32 letter = 0;
    uint32 insert = 0;
    uint32 most = KIND == ANYWHERE ? 0 : LOWEST;
    uint32 answer = 0;
    for (int32 step = 0; step < steps; step++) {
        if (step % LANES == 0) {
            int32 j = step + lane;
            uint32 x = j < p.b_length ? nucleotide_code(p.b[j]) : 0;
            uint32 y = j < q.b_length ? nucleotide_code(q.b[j]) : 0;
            letters = x * 0x11 + 0x80 + (y * 0x11 + 0xc4 << 8);
        }
        uint32 fed = __shfl_sync(~0u, letters, step % LANES, LANES);
        letter = __shfl_up_sync(~0u, letter, 1, LANES);
        uint32 top = __shfl_up_sync(~0u, best[ROWS - 1], 1, LANES);
        insert = __shfl_up_sync(~0u, insert, 1, LANES);
        if (lane == 0) {
            letter = fed;
            top = edge;
            insert = edge;
            edge = add2(edge, edge_step);
        }
        int32 j = step - lane;
        if (static_cast<uint32>(j) < static_cast<uint32>(columns)) {
            uint32 diagonal = above;
            above = top;
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                uint32 score = select_bytes(p_scores[r], q_scores[r], letter);
                uint32 match = KIND == TILTED ? score * one + diagonal : add2(score, diagonal);
                uint32 before = KIND == ANYWHERE ? add_max2_or_0(erase[r], no_delete_open, match)
                                                 : add_max2(erase[r], no_delete_open, match);
                diagonal = best[r];
                best[r] = add_max2(insert, no_insert_open, before);
                erase[r] = add_max2(erase[r], no_delete_extend, best[r]);
                insert = add_max2(insert, no_insert_extend, before);
                if (KIND == ANYWHERE && r % 2 == 1) {
                    most = max2(most, best[r - 1], best[r]);
                } else if (KIND == ANYWHERE && r == ROWS - 1) {
                    most = max2(most, best[r]);
                }
            }
            if (KIND == ENDS) {
                most = max2(most, best[ROWS - 1]);
            }
            if (j + 1 == p.b_length || j + 1 == q.b_length) {
                uint32 now = most;
                if (KIND == TILTED) {
                    int32 p_last = p.a_length - 1 - first_row;
                    int32 q_last = q.a_length - 1 - first_row;
                    now = 0;
#pragma unroll
                    for (int r = 0; r < ROWS; r++) {
                        now |= (r == p_last ? best[r] & 0xffff : 0) | (r == q_last ? best[r] & 0xffff0000 : 0);
                    }
                } else if (KIND == ENDS) {
                    if (lane < LANES - 1 || scheme.mode == B_IN_A) {
                        now = LOWEST;
                    }
                    if (scheme.mode != A_IN_B) {
                        // the end of an overlap is behind a letter of a
                        int32 least = scheme.mode == B_IN_A ? -1 : 0;
#pragma unroll
                        for (int r = 0; r < ROWS; r++) {
                            bool in_p = first_row + r - p_padding >= least;
                            bool in_q = first_row + r - q_padding >= least;
                            now = max2(now, (in_p ? best[r] & 0xffff : 0x8000) | (in_q ? best[r] & 0xffff0000 : 0x80000000));
                        }
                    }
                }
                answer = j + 1 == p.b_length ? (answer & 0xffff0000) | (now & 0xffff) : answer;
                answer = j + 1 == q.b_length ? (answer & 0xffff) | (now & 0xffff0000) : answer;
            }
        }
    }
    answer = reduce_lanes<LANES>(answer, [](uint32 a, uint32 b) { return KIND == TILTED ? a | b : max2(a, b); });
    if (lane == 0 && 2 * group < count) {
        auto put = [&](const ScoredPair& pair, int32 score) {
            if (scheme.mode == A_IN_B) {
                score = max(score, -gap_cost(pair.a_length, scheme.insert_open, scheme.insert_extend));
            } else if (scheme.mode == B_IN_A) {
                score = max(score, -gap_cost(pair.b_length, scheme.delete_open, scheme.delete_extend));
            } else if (KIND == TILTED) {
                score -= base + scheme.tilt * (pair.a_length + pair.b_length);
            }
            results[pair.row] = score;
        };
        put(p, low_of(answer));
        if (second != first) {
            put(q, high_of(answer));
        }
    }
}

}  // namespace

// one   1, of which the compiler must not know, so that it multiplies by it: another unit adds the product
#define PACKED(NAME, KIND, LANES, ROWS)                                                                    \
    extern "C" __global__ void __launch_bounds__(PACKED_BLOCK) align_packed_##NAME##_##LANES##x##ROWS(     \
            const ScoredPair* pairs, int32 count, const Scheme* scheme, int32 one, int64* results) {       \
        score_packed<KIND, LANES, ROWS>(pairs, count, scheme, one, results);                               \
    }
#define SHAPE(LANES, ROWS)                   \
    PACKED(local, ANYWHERE, LANES, ROWS)     \
    PACKED(ends, ENDS, LANES, ROWS)          \
    PACKED(global, TILTED, LANES, ROWS)

SHAPE(4, 16)
SHAPE(8, 12)
SHAPE(8, 16)
SHAPE(8, 19)
SHAPE(8, 24)
SHAPE(16, 16)
SHAPE(16, 20)
SHAPE(16, 24)
SHAPE(16, 32)
SHAPE(32, 20)
SHAPE(32, 24)
SHAPE(32, 32)
