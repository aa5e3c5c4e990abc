// Solves extensions. One warp solves a pair, in stripes of rows from top to bottom, along anti-diagonals as table.cuh
// does, but only in the columns within the band. After each stripe, it looks at the maxima of the stripe's rows in
// order; if the extension stops at one of them, the stripes below are not solved.
//
// For rows 4 to 7 and a band of 2, the cells within the band (*) are in columns 2 to 9, and `.` marks cells that the
// warp computes but that have no value:
//
//     column   2 3 4 5 6 7 8 9
//     row 4    * * * * * . . .
//     row 5    . * * * * * . .
//     row 6    . . * * * * * .
//     row 7    . . . * * * * *
#pragma once

#include "align/score/table.cuh"

// Arguments of a launch.
struct Extensions {
    const ScoredPair* pairs;
    int32 count;
    const int32* bands;   // the band of each row of the batch; null without limits
    const int32* drops;
    Crossing* crossings;  // `columns` crossings for each warp
    int64 columns;
    int32* ticket;        // the number of pairs taken so far; initially zero
    int64* results;

    // Takes the next pair for this warp. Returns whether there is one.
    __device__ __forceinline__ bool take(ScoredPair& pair) const {
        __syncwarp();
        int32 index = uniform(threadIdx.x % 32 == 0 ? atomicAdd(ticket, 1) : 0);
        if (index >= count) {
            return false;
        }
        pair = pairs[index];
        return true;
    }

    __device__ __forceinline__ int32 band(const ScoredPair& pair) const {
        return bands == nullptr ? MAX_BAND : min(bands[pair.row], MAX_BAND);
    }

    __device__ __forceinline__ int32 drop(const ScoredPair& pair) const {
        return drops == nullptr ? NO_LIMIT : drops[pair.row];
    }
};

// Solves a pair with a warp whose lanes have ROWS rows each. KEEPS: traceback bits are stored.
template <int ROWS, bool COMPARES, bool HAS_TWO_PIECES, bool KEEPS = false>
struct Extension {
    using OwnWays = Ways<ROWS, HAS_TWO_PIECES>;
    static constexpr int32 HEIGHT = 32 * ROWS;
    static constexpr int32 CROSSINGS = HAS_TWO_PIECES ? 2 : 1;
    static constexpr int32 MAX_IN_KEY = 1 << 24;  // the maximum magnitude of a value in a key

    const Scheme& scheme;
    const int32* scores;  // the scheme's table in shared memory, with an extra row for rows below a
    ScoredPair pair;
    int32 band;
    int32 drop;
    Crossing* crossings;
    uint32* ways;         // the traceback bits: WORDS words for each lane and step of each stripe
    int32 lane = threadIdx.x % 32;
    int32 first_row;      // the first row of this lane
    int32 symbols[ROWS];
    int32 best[ROWS];
    int32 erase[ROWS];    // `delete` for the next column
    int32 erase2[HAS_TWO_PIECES ? ROWS : 1];  // `delete` of the second piece
    int32 most[ROWS];     // the maximum of each row
    int32 at[ROWS];       // the first column with this maximum, counted from 1
    int32 above;          // the best value in the cell above the first row, in the previous column
    int32 insert;         // the value of `insert` below the last row
    int32 insert2;
    int32 letter;         // the letter of the current column
    End end = {0, 0, 0, 0};

    __device__ __forceinline__ Extension(
            const Scheme& its_scheme, const int32* its_scores, const ScoredPair& its_pair, int32 its_band,
            int32 its_drop, Crossing* its_crossings, uint32* its_ways = nullptr)
        : scheme(its_scheme), scores(its_scores), pair(its_pair), band(its_band), drop(its_drop),
          crossings(its_crossings), ways(its_ways) {}

    __device__ __forceinline__ int32 symbol(uint32 letter) const {
        return COMPARES ? letter : scheme.codes[letter];
    }

    __device__ __forceinline__ int32 border(int32 row) const {
        return row > band ? NO_SCORE : -insert_cost<HAS_TWO_PIECES>(scheme, row);
    }

    // Prepares the rows of the stripe that begins at row `top`, to the left of column `begin`.
    __device__ __forceinline__ void start(int32 top, int32 begin) {
        first_row = top + lane * ROWS;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            int32 i = first_row + r;
            bool inside = i < pair.a_length;
            symbols[r] = COMPARES ? (inside ? symbol(pair.a[i]) : -1)
                    : (inside ? symbol(pair.a[i]) : scheme.letters) * scheme.letters;
            best[r] = begin == 0 ? border(i + 1) : NO_SCORE;
            erase[r] = best[r];
            if (HAS_TWO_PIECES) {
                erase2[r] = best[r];
            }
            most[r] = NO_SCORE;
            at[r] = 0;
        }
        above = begin == 0 ? border(first_row) : NO_SCORE;
        if (begin > 0 && lane == 0) {
            above = crossings[(begin - 1) * CROSSINGS].x;
        }
        insert = NO_SCORE;
        insert2 = NO_SCORE;
    }

    // Computes column j, counted from 0, as Table does. Cells outside the band become NO_SCORE. IS_WITHIN: no cell is
    // outside the band. Then the maxima are put into `keys` instead of `most` and `at`.
    template <bool IS_WITHIN>
    __device__ __forceinline__ void column(
            int32 j, int32 step, int32 top, int32 entering, int32 entering2, OwnWays& own, int32 (&keys)[ROWS]) {
        int32 diagonal = above;
        int32 over = top;  // the best value in the cell above
        above = top;
        insert = entering;
        insert2 = entering2;
        int32 below = j - first_row;  // the row of the main diagonal, counted from first_row
        uint32 inside = (1u << min(max(below + band + 1, 0), ROWS)) - (1u << min(max(below - band, 0), ROWS));
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            int32 score = COMPARES ? (symbols[r] == letter ? scheme.match : scheme.mismatch)
                    : scores[symbols[r] + letter];
            int32 match = diagonal + score;
            int32 value = __viaddmax_s32(erase[r], -scheme.delete_open, match);
            diagonal = best[r];
            if (HAS_TWO_PIECES) {
                value = __viaddmax_s32(erase2[r], -scheme.delete_open2, value);
                value = __viaddmax_s32(insert2, -scheme.insert_open2, value);
            }
            value = __viaddmax_s32(insert, -scheme.insert_open, value);
            if (KEEPS) {
                uint32 way = way_of<false, HAS_TWO_PIECES>(
                        scheme, value, match, over, diagonal, insert, insert2, erase[r],
                        HAS_TWO_PIECES ? erase2[r] : 0);
                uint32 before = r % OwnWays::CELLS == 0 ? 0 : own.words[r / OwnWays::CELLS];
                own.words[r / OwnWays::CELLS] = before | way << OwnWays::BITS * (r % OwnWays::CELLS);
            }
            value = IS_WITHIN || (inside >> r & 1) != 0 ? value : NO_SCORE;
            over = value;
            best[r] = value;
            erase[r] = __viaddmax_s32(erase[r], -scheme.delete_extend, value);
            insert = __viaddmax_s32(insert, -scheme.insert_extend, value);
            if (HAS_TWO_PIECES) {
                erase2[r] = __viaddmax_s32(erase2[r], -scheme.delete_extend2, value);
                insert2 = __viaddmax_s32(insert2, -scheme.insert_extend2, value);
            }
            if (IS_WITHIN) {
                keys[r] = max(keys[r], value * 32 + 31 - step);
            } else {
                bool stays;
                most[r] = __vibmax_s32(most[r], value, &stays);
                at[r] = stays ? at[r] : j + 1;
            }
        }
    }

    __device__ __forceinline__ uint32* ways_of_stripe(int32 stripe) const {
        return ways + static_cast<int64>(stripe) * extension_steps(pair.b_length, band) * 32 * OwnWays::WORDS;
    }

    // What the first lane takes from the row above a stripe, in the columns of 32 steps: each lane has one column.
    struct Fed {
        int32 letter;
        Crossing first;  // the best value, and `insert`
        int32 insert2;

        __device__ __forceinline__ Fed() : letter(0), first(make_int2(NO_SCORE, NO_SCORE)), insert2(NO_SCORE) {}
    };

    // Returns what the first lane takes in column j.
    __device__ __forceinline__ Fed fed_in(int32 j, int32 top, int32 after) const {
        Fed fed;
        if (j < after) {
            fed.letter = symbol(pair.b[j]);
            if (j + 1 - top <= band) {
                if (top == 0) {
                    fed.first.x = -delete_cost<HAS_TWO_PIECES>(scheme, j + 1);
                    fed.first.y = fed.first.x;
                    fed.insert2 = fed.first.x;
                } else {
                    fed.first = crossings[j * CROSSINGS];
                    fed.insert2 = HAS_TWO_PIECES ? crossings[j * CROSSINGS + 1].x : 0;
                }
            }
        }
        return fed;
    }

    // Computes at most 32 steps, in the first of which the first lane is in column `from`. The columns of the stripe
    // begin at `begin` and end before `after`. IS_WITHIN: all lanes have a column in each step, whose cells are all
    // within the band. Then a maximum and its step fit in one number, the larger the earlier the step.
    template <bool IS_WITHIN>
    __device__ __forceinline__ void advance(
            const Fed& fed, int32 steps, int32 from, int32 begin, int32 after, bool is_last, uint32* to) {
        int32 keys[ROWS];
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            keys[r] = NO_SCORE;
        }
#pragma unroll 1
        for (int32 step = 0; step < steps; step++) {
            int32 fed_letter = __shfl_sync(~0u, fed.letter, step);
            int32 fed_best = __shfl_sync(~0u, fed.first.x, step);
            int32 fed_insert = __shfl_sync(~0u, fed.first.y, step);
            int32 fed_insert2 = HAS_TWO_PIECES ? __shfl_sync(~0u, fed.insert2, step) : 0;
            letter = __shfl_up_sync(~0u, letter, 1);
            int32 over = __shfl_up_sync(~0u, best[ROWS - 1], 1);
            int32 entering = __shfl_up_sync(~0u, insert, 1);
            int32 entering2 = HAS_TWO_PIECES ? __shfl_up_sync(~0u, insert2, 1) : 0;
            if (lane == 0) {
                letter = fed_letter;
                over = fed_best;
                entering = fed_insert;
                entering2 = fed_insert2;
            }
            int32 j = from + step - lane;
            if (IS_WITHIN || (j >= begin && j < after)) {
                OwnWays own;
                column<IS_WITHIN>(j, step, over, entering, entering2, own, keys);
                if (KEEPS) {
                    own.store(to + static_cast<int64>(step) * 32 * OwnWays::WORDS);
                }
                if (!is_last && lane == 31) {
                    crossings[j * CROSSINGS] = make_int2(best[ROWS - 1], insert);
                    if (HAS_TWO_PIECES) {
                        crossings[j * CROSSINGS + 1] = make_int2(insert2, insert2);
                    }
                }
            }
        }
#pragma unroll
        for (int r = 0; IS_WITHIN && r < ROWS; r++) {
            if (keys[r] >> 5 > most[r]) {
                most[r] = keys[r] >> 5;
                at[r] = from + 31 - (keys[r] & 31) - lane + 1;
            }
        }
    }

    // Computes the stripe that begins at row `top`.
    __device__ __forceinline__ void stripe(int32 top, bool is_last) {
        int32 begin = max(0, top - band);
        int32 after = min(pair.b_length, top + HEIGHT + band);
        start(top, begin);
        uint32* to = KEEPS ? ways_of_stripe(top / HEIGHT) + lane * OwnWays::WORDS : nullptr;
        letter = 0;
        // the columns that the first lane is in while all lanes are within the band; none if values may not fit in keys
        int64 largest = static_cast<int64>(scheme.magnitude) * (pair.a_length + pair.b_length + HEIGHT);
        int32 first_within = largest > MAX_IN_KEY ? after : max(begin + 31, top + HEIGHT - 1 + 31 - band);
        int32 last_within = min(after - 1, top + band);
        for (int32 from = begin; from < after + 31; from += 32) {
            Fed fed = fed_in(from + lane, top, after);
            if (from >= first_within && from + 31 <= last_within) {
                advance<true>(fed, 32, from, begin, after, is_last, to);
            } else {
                advance<false>(fed, min(32, after + 31 - from), from, begin, after, is_last, to);
            }
            to += KEEPS ? 32 * 32 * OwnWays::WORDS : 0;
        }
        __syncwarp();
    }

    // Adds row i, counted from 1, whose maximum is `value` in column j, to the end `to`. Returns whether the extension
    // continues, as ExtensionEnd.java does.
    __device__ __forceinline__ bool goes_on(End& to, int32 value, int32 i, int32 j) const {
        if (value > to.score) {
            to = {value, i, j, 0};
            return true;
        }
        if (j < to.j || drop == NO_LIMIT) {
            return true;
        }
        int64 excess = static_cast<int64>(i - to.i) - (j - to.j);
        int64 cost = excess > 0 ? excess * scheme.insert_extend2 : -excess * scheme.delete_extend2;
        return to.score - value <= drop + cost;
    }

    // Updates `end` with the best score in the rows of the stripe. Returns whether the extension continues below them.
    __device__ __forceinline__ bool add(int32 rows) {
        End before = end;  // the best end in the rows before this lane's rows
        End own = {NO_SCORE, 0, 0, 0};
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (first_row + r < rows && most[r] > own.score) {
                own = {most[r], first_row + r + 1, at[r], 0};
            }
        }
        for (int distance = 1; distance < 32; distance *= 2) {
            End its = up(own, distance);
            if (lane >= distance && its.score >= own.score) {
                own = its;
            }
        }
        End its = up(own, 1);
        if (lane > 0 && its.score > before.score) {
            before = its;
        }
        bool goes = true;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (goes && first_row + r < rows) {
                goes = goes_on(before, most[r], first_row + r + 1, at[r]);
            }
        }
        uint32 stopped = __ballot_sync(~0u, !goes);
        int32 from = stopped == 0 ? 31 : __ffs(stopped) - 1;
        end = {
            __shfl_sync(~0u, before.score, from), __shfl_sync(~0u, before.i, from),
            __shfl_sync(~0u, before.j, from), 0};
        return stopped == 0;
    }

    static __device__ __forceinline__ End up(const End& its, int32 distance) {
        return {
            __shfl_up_sync(~0u, its.score, distance), __shfl_up_sync(~0u, its.i, distance),
            __shfl_up_sync(~0u, its.j, distance), 0};
    }

    // Finds the end of the extension.
    __device__ __forceinline__ void solve() {
        int32 rows = min(pair.a_length, pair.b_length + band);
        for (int32 top = 0; top < rows; top += HEIGHT) {
            stripe(top, top + HEIGHT >= rows);
            if (!add(rows)) {
                break;
            }
        }
    }
};

// Solves the pairs of a launch, with a warp for each. Warps take pairs in order.
template <int ROWS, bool COMPARES, bool HAS_TWO_PIECES>
__device__ __forceinline__ void extend_pairs(const Extensions& its, const Scheme* scheme) {
    const int32* scores = load_scores(*scheme);
    Crossing* crossings = its.crossings + thread_index() / 32 * its.columns;
    const Scheme shared = *scheme;
    for (ScoredPair pair; its.take(pair);) {
        Extension<ROWS, COMPARES, HAS_TWO_PIECES> extension(
                shared, scores, pair, its.band(pair), its.drop(pair), crossings);
        extension.solve();
        if (threadIdx.x % 32 == 0) {
            its.results[pair.row] = extension.end.score;
        }
    }
}
