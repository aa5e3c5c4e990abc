// Computes a table as defined by Gotoh (1982), in 32 bits, along its anti-diagonals. A lane keeps ROWS rows in
// registers and moves from column to column, one column behind the lane above it:
//
//     step       0   1   2   3
//     lane 0     0   1   2   3     the column that a lane processes
//     lane 1         0   1   2
//     lane 2             0   1
//
// In the recurrence for each cell, the cost of opening a gap is subtracted only when the gap is used, so that only one
// operation on `insert` depends on the row above:
//
//     match    = best(i - 1, j - 1) + score
//     before   = max(match, delete - delete_open)        the best without a gap against a
//     best     = max(before, insert - insert_open)
//     delete'  = max(delete - delete_extend, best)       for the next column
//     insert'  = max(insert - insert_extend, before)     for the next row: opening another gap costs at least
//                                                        as much as extending this one
//
// If gap costs have two pieces, `insert` and `delete` have a value for each piece, and `best` is the maximum of all.
// Opening a gap of one piece after a gap of the other piece costs at least as much as extending the second piece. For
// traceback bits, which show ties, `insert'` then includes such a gap.
//
// In a local table, negative values become 0.
#pragma once

#include "align/score/scheme.cuh"
#include "common/warp.cuh"

// The best end of an alignment so far; ties go to the smallest i, then to the smallest j.
struct End {
    int32 score;
    int32 i;
    int32 j;
    int32 unused;
};

constexpr int32 NO_SCORE = -0x40000000;

__device__ __forceinline__ bool is_better(const End& one, const End& other) {
    return one.score > other.score
        || (one.score == other.score && (one.i < other.i || (one.i == other.i && one.j < other.j)));
}

// The values that cross the border below a stripe, for each column: the best value in the stripe's last row, and
// `insert` for the next row. If gap costs have two pieces, a second crossing contains `insert` of the second piece,
// twice.
using Crossing = int2;

// The byte pattern to which memory for crossings is initialized; no value has this pattern.
constexpr int32 NOT_THERE = static_cast<int32>(0x80808080);

__device__ __forceinline__ Crossing look_at(const Crossing* from) {
    uint64 both = *reinterpret_cast<const volatile uint64*>(from);
    return make_int2(static_cast<int32>(both), static_cast<int32>(both >> 32));
}

__device__ __forceinline__ void hand_on(Crossing* to, int32 best, int32 insert) {
    *reinterpret_cast<volatile uint64*>(to) =
            static_cast<uint32>(best) | static_cast<uint64>(static_cast<uint32>(insert)) << 32;
}

// The traceback bits of a cell: the source of its best value, and whether its gaps were opened in this cell.
constexpr uint32 FROM_DIAGONAL = 0;
constexpr uint32 FROM_INSERT = 1;
constexpr uint32 FROM_DELETE = 2;
constexpr uint32 BEGIN = 3;
constexpr uint32 INSERT_OPENS = 4;
constexpr uint32 DELETE_OPENS = 8;

// If gap costs have two pieces: the pieces whose cost yields the best value, if this value ends in a gap, and whether
// gaps of the second piece were opened in this cell.
constexpr uint32 FIRST_PIECE = 16;
constexpr uint32 SECOND_PIECE = 32;
constexpr uint32 INSERT_OPENS_2 = 64;
constexpr uint32 DELETE_OPENS_2 = 128;

// The traceback bits of ROWS cells, BITS for each.
template <int ROWS, bool HAS_TWO_PIECES>
struct Ways {
    static constexpr int BITS = HAS_TWO_PIECES ? 8 : 4;
    static constexpr int CELLS = 32 / BITS;  // the number of cells in a word
    static constexpr int WORDS = (ROWS + CELLS - 1) / CELLS;
    uint32 words[WORDS];

    __device__ __forceinline__ void store(uint32* to) const {
        if (WORDS % 2 == 0) {
#pragma unroll
            for (int word = 0; word + 1 < WORDS; word += 2) {
                *reinterpret_cast<uint2*>(to + word) = make_uint2(words[word], words[word + 1]);
            }
        } else {
#pragma unroll
            for (int word = 0; word < WORDS; word++) {
                to[word] = words[word];
            }
        }
    }

    __device__ __forceinline__ void load(const uint32* from) {
#pragma unroll
        for (int word = 0; word < WORDS; word++) {
            words[word] = from[word];
        }
    }

    // Returns the bits of row r, given the word that contains them.
    static __device__ __forceinline__ uint32 bits(uint32 word, int32 r) {
        return word >> BITS * (r % CELLS) & ((1u << BITS) - 1);
    }
};

// Returns the traceback bits of a cell.
//
// - value, match: the best value, and the value with a match or mismatch
// - over, left: the best values in the cell above and in the cell to the left
// - insert, insert2, erase, erase2: the values for gaps of each piece, before the cost of opening is subtracted
template <bool IS_LOCAL, bool HAS_TWO_PIECES>
__device__ __forceinline__ uint32 way_of(
        const Scheme& scheme, int32 value, int32 match, int32 over, int32 left, int32 insert, int32 insert2,
        int32 erase, int32 erase2) {
    bool first = value == insert - scheme.insert_open;
    bool second = HAS_TWO_PIECES && value == insert2 - scheme.insert_open2;
    bool inserts = first || second;
    uint32 way = inserts ? FROM_INSERT : FROM_DELETE;
    way = value == match ? FROM_DIAGONAL : way;
    way = IS_LOCAL && value == 0 ? BEGIN : way;
    way |= insert == over ? INSERT_OPENS : 0;
    way |= erase == left ? DELETE_OPENS : 0;
    if (HAS_TWO_PIECES) {
        way |= (inserts ? first : value == erase - scheme.delete_open) ? FIRST_PIECE : 0;
        way |= (inserts ? second : value == erase2 - scheme.delete_open2) ? SECOND_PIECE : 0;
        way |= insert2 == over ? INSERT_OPENS_2 : 0;
        way |= erase2 == left ? DELETE_OPENS_2 : 0;
    }
    return way;
}

// Solves a pair, or LANES * ROWS of its rows, with LANES lanes. IS_LOCAL: the mode is local. COMPARES: characters are
// compared; otherwise, their scores are looked up. KEEPS: traceback bits are stored. HAS_TWO_PIECES: gap costs have two
// pieces.
template <int LANES, int ROWS, bool IS_LOCAL, bool COMPARES, bool KEEPS, bool HAS_TWO_PIECES = false>
struct Table {
    static constexpr int32 HEIGHT = LANES * ROWS;
    // the number of crossings of a column
    static constexpr int32 CROSSINGS = HAS_TWO_PIECES ? 2 : 1;
    using OwnWays = Ways<ROWS, HAS_TWO_PIECES>;

    const Scheme scheme;
    const ScoredPair pair;
    const int32* scores;  // the scheme's table in shared memory, with an extra row for rows below a
    int32 lane;
    int32 first_row;  // the first row of this lane
    int32 symbols[ROWS];
    int32 best[ROWS];
    int32 erase[ROWS];  // `delete` for the next column
    int32 erase2[HAS_TWO_PIECES ? ROWS : 1];  // `delete` of the second piece
    int32 above;        // the best value in the cell above the first row, in the previous column
    int32 insert = 0;   // the value for the cell below the last row
    int32 insert2 = 0;
    End end = {NO_SCORE, 0x7fffffff, 0x7fffffff, 0};

    __device__ __forceinline__ int32 symbol(uint32 letter) const {
        return COMPARES ? letter : scheme.codes[letter];
    }

    __device__ __forceinline__ int32 border(int32 row) const {
        return first_column_free(scheme.mode) ? 0 : -insert_cost<HAS_TWO_PIECES>(scheme, row);
    }

    __device__ __forceinline__ Table(
            const Scheme& its_scheme, const ScoredPair& its_pair, const int32* its_scores, int32 stripe)
        : scheme(its_scheme), pair(its_pair), scores(its_scores), lane(threadIdx.x % LANES) {
        first_row = stripe * HEIGHT + lane * ROWS;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            int32 i = first_row + r;
            bool inside = i < pair.a_length;
            symbols[r] = COMPARES ? (inside ? symbol(pair.a[i]) : -1)
                    : (inside ? symbol(pair.a[i]) : scheme.letters) * scheme.letters;
            best[r] = border(i + 1);
            erase[r] = best[r];
            if (HAS_TWO_PIECES) {
                erase2[r] = best[r];
            }
        }
        above = border(first_row);
    }

    __device__ __forceinline__ void offer(int32 score, int32 i, int32 j) {
        End other = {score, i, j, 0};
        if (is_better(other, end)) {
            end = other;
        }
    }

    // Computes column j, counted from 0, for the letter `letter`. `top`, `entering` and `entering2` come from the row
    // above the first one.
    __device__ __forceinline__ void column(
            int32 j, int32 letter, int32 top, int32 entering, int32 entering2, OwnWays& ways) {
        int32 diagonal = above;
        int32 over = top;  // the best value in the cell above
        above = top;
        insert = entering;
        insert2 = entering2;
        int32 most = -1;   // the best value in this column; if KEEPS, a key of it and its first row
#pragma unroll
        for (int word = 0; word < OwnWays::WORDS; word++) {
            ways.words[word] = 0;
        }
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            int32 score = COMPARES ? (symbols[r] == letter ? scheme.match : scheme.mismatch)
                    : scores[symbols[r] + letter];
            int32 match = diagonal + score;
            diagonal = best[r];
            int32 before = IS_LOCAL ? __viaddmax_s32_relu(erase[r], -scheme.delete_open, match)
                                    : __viaddmax_s32(erase[r], -scheme.delete_open, match);
            if (HAS_TWO_PIECES) {
                before = __viaddmax_s32(erase2[r], -scheme.delete_open2, before);
            }
            int32 value = __viaddmax_s32(insert, -scheme.insert_open, before);
            if (HAS_TWO_PIECES) {
                value = __viaddmax_s32(insert2, -scheme.insert_open2, value);
            }
            if (KEEPS) {
                uint32 way = way_of<IS_LOCAL, HAS_TWO_PIECES>(
                        scheme, value, match, over, diagonal, insert, insert2, erase[r],
                        HAS_TWO_PIECES ? erase2[r] : 0);
                ways.words[r / OwnWays::CELLS] |= way << OwnWays::BITS * (r % OwnWays::CELLS);
                over = value;
            }
            if (HAS_TWO_PIECES) {
                before = KEEPS ? value : before;
                erase2[r] = __viaddmax_s32(erase2[r], -scheme.delete_extend2, value);
                insert2 = __viaddmax_s32(insert2, -scheme.insert_extend2, before);
            }
            best[r] = value;
            erase[r] = __viaddmax_s32(erase[r], -scheme.delete_extend, value);
            insert = __viaddmax_s32(insert, -scheme.insert_extend, before);
            if (IS_LOCAL) {
                most = KEEPS ? max(most, value * 16 + (15 - r)) : max(most, value);
            }
        }
        if (IS_LOCAL) {
            if (KEEPS) {
                // a key that orders the rows of a lane; a larger key means a larger value, or the same value in an
                // earlier row
                int32 known = end.score == NO_SCORE ? -1 : end.score * 16 + (15 - (end.i - 1 - first_row));
                if (most > known) {
                    end = {most >> 4, first_row + 15 - (most & 15) + 1, j + 1, 0};
                }
            } else {
                end.score = max(end.score, most);
            }
        } else if (scheme.mode != GLOBAL && scheme.mode != B_IN_A
                && static_cast<uint32>(pair.a_length - 1 - first_row) < ROWS) {
            int32 last = 0;
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                last = first_row + r == pair.a_length - 1 ? best[r] : last;
            }
            if (last > end.score) {
                end = {last, pair.a_length, j + 1, 0};
            }
        }
        if (!IS_LOCAL && j == pair.b_length - 1 && scheme.mode != A_IN_B) {
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                int32 i = first_row + r + 1;
                if (i == pair.a_length || (i < pair.a_length && scheme.mode != GLOBAL)) {
                    offer(best[r], i, j + 1);
                }
            }
        }
    }

    // Computes all columns.
    //
    // - from: for each column, the crossing above the first row, which another warp may still have to write; null if
    //   there is no stripe above
    // - below: the output for crossings below the last row, or null
    // - keep_at: the output for the traceback bits, which are WORDS words for each lane and step; may be null in
    //   stripes
    template <bool IS_STRIPED>
    __device__ __forceinline__ void solve(const Crossing* from, Crossing* below, uint32* keep_at) {
        bool row_free = first_row_free(scheme.mode);
        int32 columns = pair.b_length;
        int32 steps = columns + LANES - 1;
        if (LANES < 32) {
            steps = max_of_lanes<32>(steps);
        }
        int32 letters = 0;
        int32 letter = 0;
        int32 top_best = 0;
        int32 top_insert = 0;
        int32 top_insert2 = 0;
        for (int32 step = 0; step < steps; step++) {
            if (step % LANES == 0) {
                int32 j = step + lane;
                letters = j < columns ? symbol(pair.b[j]) : 0;
                if (IS_STRIPED && from != nullptr) {
                    Crossing crossing = make_int2(0, 0);
                    Crossing second = make_int2(0, 0);
                    bool waits = j < columns;
                    while (__any_sync(~0u, waits)) {
                        if (waits) {
                            crossing = look_at(from + static_cast<int64>(j) * CROSSINGS);
                            waits = crossing.x == NOT_THERE || crossing.y == NOT_THERE;
                            if (HAS_TWO_PIECES) {
                                second = look_at(from + static_cast<int64>(j) * CROSSINGS + 1);
                                waits = waits || second.x == NOT_THERE || second.y == NOT_THERE;
                            }
                        }
                    }
                    top_best = crossing.x;
                    top_insert = crossing.y;
                    top_insert2 = second.x;
                }
            }
            int32 fed = __shfl_sync(~0u, letters, step % LANES, LANES);
            letter = __shfl_up_sync(~0u, letter, 1, LANES);
            int32 top = __shfl_up_sync(~0u, best[ROWS - 1], 1, LANES);
            int32 entering = __shfl_up_sync(~0u, insert, 1, LANES);
            int32 entering2 = HAS_TWO_PIECES ? __shfl_up_sync(~0u, insert2, 1, LANES) : 0;
            int32 fed_best = 0;
            int32 fed_insert = 0;
            int32 fed_insert2 = 0;
            if (IS_STRIPED && from != nullptr) {
                fed_best = __shfl_sync(~0u, top_best, step % LANES, LANES);
                fed_insert = __shfl_sync(~0u, top_insert, step % LANES, LANES);
                fed_insert2 = HAS_TWO_PIECES ? __shfl_sync(~0u, top_insert2, step % LANES, LANES) : 0;
            } else {
                fed_best = row_free ? 0 : -delete_cost<HAS_TWO_PIECES>(scheme, step + 1);
                fed_insert = fed_best;
                fed_insert2 = fed_best;
            }
            if (lane == 0) {
                letter = fed;
                top = fed_best;
                entering = fed_insert;
                entering2 = fed_insert2;
            }
            int32 j = step - lane;
            if (static_cast<uint32>(j) < static_cast<uint32>(columns)) {
                OwnWays ways;
                column(j, letter, top, entering, entering2, ways);
                if (KEEPS && (!IS_STRIPED || keep_at != nullptr)) {
                    ways.store(keep_at + (static_cast<int64>(step) * LANES + lane) * OwnWays::WORDS);
                }
                if (IS_STRIPED && below != nullptr && lane == LANES - 1) {
                    hand_on(below + static_cast<int64>(j) * CROSSINGS, best[ROWS - 1], insert);
                    if (HAS_TWO_PIECES) {
                        hand_on(below + static_cast<int64>(j) * CROSSINGS + 1, insert2, insert2);
                    }
                }
            }
        }
    }

    // Returns, in every lane, the best end that any lane found. Includes the ends in the first row and the first column
    // if the mode allows them and the pair's first lane is among these lanes.
    __device__ __forceinline__ End best_end() {
        if (first_row == 0) {
            if (scheme.mode == A_IN_B) {
                offer(-insert_cost<HAS_TWO_PIECES>(scheme, pair.a_length), pair.a_length, 0);
            } else if (scheme.mode == B_IN_A) {
                offer(-delete_cost<HAS_TWO_PIECES>(scheme, pair.b_length), 0, pair.b_length);
            } else if (IS_LOCAL) {
                offer(0, 0, 0);
            }
        }
        return reduce_lanes_of_ends(end);
    }

    static __device__ __forceinline__ End reduce_lanes_of_ends(End mine) {
#pragma unroll
        for (int other = 1; other < LANES; other *= 2) {
            End its = {
                __shfl_xor_sync(~0u, mine.score, other), __shfl_xor_sync(~0u, mine.i, other),
                        __shfl_xor_sync(~0u, mine.j, other), 0};
            mine = is_better(its, mine) ? its : mine;
        }
        return mine;
    }
};

// Loads the table of a scheme into shared memory, using all threads of a block. The table has an extra row for rows
// below a.
__device__ __forceinline__ const int32* load_scores(const Scheme& scheme) {
    extern __shared__ int32 to[];
    if (scheme.codes != nullptr) {
        int32 count = scheme.letters * scheme.letters;
        for (int32 i = threadIdx.x; i < count + scheme.letters; i += blockDim.x) {
            to[i] = i < count ? scheme.table[i] : -0x1000000;
        }
    }
    __syncthreads();
    return to;
}
