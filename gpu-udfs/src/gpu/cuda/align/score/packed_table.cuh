// Computes the scores of two pairs at a time, in 16 bits each, along the anti-diagonals of their tables, as in
// table.cuh.
//
// Per row and column, local tables and tables with free ends need five operations and one byte selection, which looks
// up both scores. Local tables also take half an operation to update the maximum. The total is 6 or 6.5 operations for
// two cells. All of these except additions run on one unit, the ALU, which processes 64 lanes per cycle. On an H200,
// the ALU was busy in nearly nine of ten cycles. Local tables were 4 to 7% slower if the other unit computed more of
// the sums, or if dot products added the scores. In these cases, the ALU is busy 70% of the time, and instructions wait
// to be dispatched. Therefore the overhead of a step is kept off the ALU: steps are counted in uniform registers, and
// checked only when a lane may begin or end.
//
// Global tables of nucleotides are tilted: each value is increased by the cost of extending a gap for each letter
// already consumed. For a letter of a, this is the cost of extending an insertion; for a letter of b, the cost of
// extending a deletion. Therefore, extending a gap is free, and for each row the ALU computes only a maximum of three
// values, two maxima of sums, and the byte selection. An insertion is opened only after a match: an adjacent deletion
// and insertion may be exchanged, and two gaps of one kind that then become adjacent are cheaper as one gap, because
// extending costs at most as much as opening. (If an insertion were opened from the cell's best value instead of the
// match, the compiler would fuse the sum with a maximum, on the ALU.)
//
// Other tables, including global ones for queries, are padded with rows above the first one, so that their last row is
// that of the last lane. A padding row behaves like the border above it. If the border is free, the row's scores are 0;
// otherwise, they are so low that gaps score higher. Tilted tables are padded with rows below the last one.
#pragma once

#include "align/score/scheme.cuh"
#include "common/packed.cuh"
#include "common/warp.cuh"

namespace {

enum Kind { ANYWHERE, ENDS, TILTED };

constexpr uint32 LOWEST = 0x80008000;

// Solves the tables of pairs 2 * group and 2 * group + 1. `Scores` looks up the scores of letters: put() receives the
// rows, and whether padding scores 0; letters() packs two letters of a column; go_to() receives a column; of_row()
// returns both scores of a row. IN_REGISTERS: the scores of the rows are in registers. In this case, matches are
// computed before the cells of a column, and a separate loop runs the steps in which no lane begins or ends. Tables for
// queries, whose scores come from shared memory, were 5% slower with this option.
template <int KIND, int LANES, int ROWS, class Scores>
__device__ __forceinline__ void score_packed(
        const ScoredPair* pairs, int32 count, int64 group, const Scheme& scheme, Scores& scores, int64* results) {
    int32 lane = threadIdx.x % LANES;
    int32 first = static_cast<int32>(min(2 * group, static_cast<int64>(count - 1)));
    int32 second = min(first + 1, count - 1);
    ScoredPair p = pairs[first];
    ScoredPair q = pairs[second];
    bool row_free = KIND == ANYWHERE || (KIND == ENDS && first_row_free(scheme.mode));
    bool column_free = KIND == ANYWHERE || (KIND == ENDS && first_column_free(scheme.mode));
    int32 p_padding = KIND == TILTED ? 0 : LANES * ROWS - p.a_length;
    int32 q_padding = KIND == TILTED ? 0 : LANES * ROWS - q.a_length;
    int32 insert_tilt = KIND == TILTED ? scheme.insert_extend : 0;
    int32 delete_tilt = KIND == TILTED ? scheme.delete_extend : 0;
    int32 insert_open = scheme.insert_open - insert_tilt;
    int32 insert_extend = scheme.insert_extend - insert_tilt;
    int32 delete_open = scheme.delete_open - delete_tilt;
    int32 delete_extend = scheme.delete_extend - delete_tilt;
    auto border = [&](int32 row) {
        return column_free ? 0 : -gap_cost(row, insert_open, insert_extend);
    };
    uint32 no_insert_open = both(-insert_open);
    uint32 no_insert_extend = both(-insert_extend);
    uint32 no_delete_open = both(-delete_open);
    uint32 no_delete_extend = both(-delete_extend);
    int32 first_row = lane * ROWS;
    uint32 best[ROWS];
    // the best score that ends with a deletion in the next column; unless the table is tilted, the cost of opening the
    // gap is not yet subtracted, as in `insert`
    uint32 erase[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        int32 pi = first_row + r - p_padding;
        int32 qi = first_row + r - q_padding;
        scores.put(r, pi, qi, p, q, row_free || KIND == TILTED);
        best[r] = two(border(pi + 1), border(qi + 1));
        erase[r] = KIND == TILTED ? add2(best[r], no_delete_open) : best[r];
    }
    uint32 above = two(border(first_row - p_padding), border(first_row - q_padding));
    uint32 edge = both(row_free ? 0 : -delete_open);
    uint32 edge_step = row_free ? 0 : no_delete_extend;
    int32 columns = max(p.b_length, q.b_length);
    int32 steps = max_of_lanes<32>(columns + LANES - 1);
    // no lane reaches the end of a text before this step
    int32 plain_steps = 0;
    if (Scores::IN_REGISTERS) {
        steps = uniform(steps);
        plain_steps = uniform(-max_of_lanes<32>(1 - min(p.b_length, q.b_length)));
    }
    uint32 letters = 0;
    uint32 letter = 0;
    uint32 insert = 0;
    uint32 most = KIND == ANYWHERE ? 0 : LOWEST;
    uint32 answer = 0;
    auto pass = [&](int32 step) {
        if (step % LANES == 0) {
            letters = scores.letters(p, q, step + lane);
        }
        uint32 fed = __shfl_sync(~0u, letters, step % LANES, LANES);
        letter = __shfl_up_sync(~0u, letter, 1, LANES);
        uint32 top = __shfl_up_sync(~0u, best[ROWS - 1], 1, LANES);
        insert = __shfl_up_sync(~0u, insert, 1, LANES);
        if (lane == 0) {
            letter = fed;
            top = edge;
            insert = KIND == TILTED ? add2(edge, no_insert_open) : edge;
            edge = add2(edge, edge_step);
        }
        return top;
    };
    auto fill = [&](uint32 top) {
        scores.go_to(letter);
        uint32 diagonal = above;
        if (Scores::IN_REGISTERS) {
            // from the last row upwards, so that a match can replace the cell of its row, which the row below no longer
            // needs
#pragma unroll
            for (int r = ROWS - 1; r >= 0; r--) {
                best[r] = add2(scores.of_row(r), r == 0 ? above : best[r - 1]);
            }
        }
        above = top;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            uint32 match = Scores::IN_REGISTERS ? best[r] : add2(scores.of_row(r), diagonal);
            diagonal = best[r];
            if (KIND == TILTED) {
                best[r] = max2(match, erase[r], insert);
                erase[r] = add_max2(best[r], no_delete_open, erase[r]);
                insert = add_max2(match, no_insert_open, insert);
                continue;
            }
            uint32 before = KIND == ANYWHERE ? add_max2_or_0(erase[r], no_delete_open, match)
                                             : add_max2(erase[r], no_delete_open, match);
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
    };
    for (int32 step = 0; step < steps; step++) {
        if (Scores::IN_REGISTERS && step == LANES - 1) {
            for (; step < plain_steps; step++) {
                fill(pass(step));
            }
        }
        uint32 top = pass(step);
        int32 j = step - lane;
        if (static_cast<uint32>(j) < static_cast<uint32>(columns)) {
            fill(top);
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
                    now = scheme.mode == GLOBAL ? best[ROWS - 1] : most;
                    if (lane < LANES - 1 || scheme.mode == B_IN_A) {
                        now = LOWEST;
                    }
                    if (scheme.mode == OVERLAP || scheme.mode == B_IN_A) {
                        // an overlap ends after a letter of a
                        int32 least = scheme.mode == B_IN_A ? -1 : 0;
#pragma unroll
                        for (int r = 0; r < ROWS; r++) {
                            bool in_p = first_row + r - p_padding >= least;
                            bool in_q = first_row + r - q_padding >= least;
                            now = max2(now, (in_p ? best[r] & 0xffff : 0x8000)
                                    | (in_q ? best[r] & 0xffff0000 : 0x80000000));
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
                score -= insert_tilt * pair.a_length + delete_tilt * pair.b_length;
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
