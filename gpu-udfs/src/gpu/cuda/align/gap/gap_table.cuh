// The table for a pair of sequences, as in dev.bellman.align.gap.GapTable. Entry (i, j) has two values for i letters of
// a and j letters of b: before_a and before_b. The before_b values of a row depend only on the rows above, and the
// row's before_a values depend on its before_b values:
//
//   a_gap(i, j) = max over p < i of before_a(p, j) + a_gain(i - p)     before_b(i, j) = max(pair(i, j), a_gap(i, j))
//   b_gap(i, j) = max over q < j of before_b(i, q) + b_gain(j - q)     before_a(i, j) = max(pair(i, j), b_gap(i, j))
//
// The table is filled in tiles of ROWS rows and COLUMNS columns, with one lane of a warp per PER_LANE columns. The
// contributions from the rows above a tile and the columns to its left are (max, +) products. The factors are a region
// of the table and a matrix of gains that is constant along each diagonal. For every four rows above, a lane loads 4 x
// PER_LANE scores and ROWS + 4 gains, and performs 4 x ROWS x PER_LANE updates. All warps of the block compute these
// products together. Then one warp processes the tile row by row.
#pragma once
#include "align/gap/gap_scores.cuh"
#include "common/vectors.cuh"
#include "common/warp.cuh"

namespace {

constexpr int ROWS = 8;
constexpr int PER_LANE = 4;
constexpr int COLUMNS = 32 * PER_LANE;

// The gain of a gap of k letters is its negated cost. It is at index k + 3 of a list, so that loads of four gains from
// k = 4 x - 3 on are aligned. For k < 1, and for gaps longer than the sequence, the gain is FORBIDDEN.
constexpr int BEFORE_GAINS = 3;

// The number of gains in a list that are stored in addition to the padded number of rows or columns.
constexpr int GAIN_ROOM = 16;

__host__ __device__ constexpr int64 round_up(int64 value, int64 multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

// The size of a pair's table. A pair needs memory for at most twice this number of Values: both tables, the gains and
// an edge. Concave costs take CONCAVE_BYTES more for each unit of size: two numbers per cell and 65 per column. The
// number of columns is at most the size divided by 24.
constexpr int CONCAVE_BYTES = 20;

__host__ __device__ constexpr int64 instance_size(int64 a_letters, int64 b_letters) {
    return (round_up(a_letters + 1, ROWS) + GAIN_ROOM) * (round_up(b_letters + 1, ROWS) + GAIN_ROOM);
}

template <typename Value>
struct Table {
    int32 a_letters;
    int32 b_letters;
    int32 rows;     // the number of rows, including padding
    int32 columns;  // the distance from one row to the next
    const int32* a;
    const int32* b;
    Value match;
    Value mismatch;
    Value* before_a;
    Value* before_b;
    Value* a_gains;
    Value* b_gains;
    Value* edge;  // one Value per row

    // multiple: the numbers of rows and columns are rounded up to this multiple, which must itself be a multiple of
    // ROWS and PER_LANE
    __device__ Table(
            int32 a_count, int32 b_count, const int32* symbols, int64 match_score, int64 mismatch_score, int32 multiple,
            Value* room) :
        a_letters(a_count),
        b_letters(b_count),
        rows(static_cast<int32>(round_up(a_count + 1ll, multiple))),
        columns(static_cast<int32>(round_up(b_count + 1ll, multiple))),
        a(symbols),
        b(symbols + a_count),
        match(static_cast<Value>(match_score)),
        mismatch(static_cast<Value>(mismatch_score)) {
        before_a = room;
        before_b = before_a + at(rows, 0);
        a_gains = before_b + at(rows, 0);
        b_gains = a_gains + rows + GAIN_ROOM;
        edge = b_gains + columns + GAIN_ROOM;
    }

    // Creates a view of a region of a table, whose cells and gains are stored elsewhere.
    //
    // - pitch: the number of columns from one row of the region to the next
    // - row, column: the first cell of the region
    __device__ Table(
            int32 a_count, int32 b_count, const int32* symbols, int64 match_score, int64 mismatch_score, int32 pitch,
            int32 row, int32 column,
            Value* part_a, Value* part_b, Value* gains_a, Value* gains_b) :
        a_letters(a_count),
        b_letters(b_count),
        rows(row + pitch),
        columns(pitch),
        a(symbols),
        b(symbols + a_count),
        match(static_cast<Value>(match_score)),
        mismatch(static_cast<Value>(mismatch_score)) {
        before_a = part_a - at(row, column);
        before_b = part_b - at(row, column);
        a_gains = gains_a;
        b_gains = gains_b;
        edge = nullptr;
    }

    // Copies the negated costs. All threads of the block must call this.
    __device__ void set_gains(const int64* of_a, const int64* of_b) {
        set_gains(a_gains, of_a, a_letters, rows);
        set_gains(b_gains, of_b, b_letters, columns);
        __syncthreads();
    }

    __device__ __forceinline__ int64 at(int32 i, int32 j) const {
        return static_cast<int64>(i) * columns + j;
    }

    __device__ __forceinline__ Value best(int32 i, int32 j) const {
        return larger(__ldcg(before_a + at(i, j)), __ldcg(before_b + at(i, j)));
    }

    // Returns the score of the best alignment of the first i letters of a and j letters of b that ends with a match or
    // mismatch, given the best score before it.
    __device__ __forceinline__ Value pair(int32 i, int32 j, Value before) const {
        // the scores of the padding after the letters are arbitrary
        return pair(i, j, before, i > 0 && j > 0 && i <= a_letters && j <= b_letters && a[i - 1] == b[j - 1]);
    }

    // Works like the function above, given whether letter i of a equals letter j of b.
    __device__ __forceinline__ Value pair(int32 i, int32 j, Value before, bool equal) const {
        if (i == 0 || j == 0) {
            return i == 0 && j == 0 ? 0 : Scores<Value>::NONE;
        }
        return before + (equal ? match : mismatch);
    }

private:
    __device__ static void set_gains(Value* to, const int64* from, int32 letters, int32 rows) {
        for (int32 at = threadIdx.x; at < rows + GAIN_ROOM; at += blockDim.x) {
            int32 k = at - BEFORE_GAINS;
            to[at] = k >= 1 && k <= letters ? static_cast<Value>(-from[k - 1]) : Scores<Value>::FORBIDDEN;
        }
    }
};

// Loads COUNT values, bypassing the L1 cache, because another block may have written them.
template <int COUNT, typename Value>
__device__ __forceinline__ void load_shared_row(Value (&to)[COUNT], const Value* from) {
    constexpr int WORDS = COUNT * sizeof(Value) / sizeof(int4);
    int4 words[WORDS];
#pragma unroll
    for (int i = 0; i < WORDS; i++) {
        words[i] = __ldcg(reinterpret_cast<const int4*>(from) + i);
    }
    const Value* values = reinterpret_cast<const Value*>(words);
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        to[i] = values[i];
    }
}

template <typename Value>
using Tile = Value[ROWS][PER_LANE];

// Adds the contributions of the rows above the tile to `a_gap`. Reads only groups of four rows that start at 4 * share,
// 4 * (share + shares), and so on.
template <typename Value>
__device__ void relax_from_above(
        const Table<Value>& table, int32 row, int32 column, int32 share, int32 shares, Tile<Value>& a_gap) {
    for (int32 p = 4 * share; p < row; p += 4 * shares) {
        Value from[4][PER_LANE];
#pragma unroll
        for (int d = 0; d < 4; d++) {
            load<PER_LANE>(from[d], table.before_a + table.at(p + d, column));
        }
        Value gains[12];
        load<12>(gains, table.a_gains + row - p);
#pragma unroll
        for (int d = 0; d < 4; d++) {
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
#pragma unroll
                for (int c = 0; c < PER_LANE; c++) {
                    relax(a_gap[r][c], from[d][c], gains[r - d + 3]);
                }
            }
        }
    }
}

// Adds the contributions of the columns to the left of the tile to `b_gap`.
template <typename Value>
__device__ void relax_from_left(
        const Table<Value>& table, int32 row, int32 first, int32 column, int32 share, int32 shares,
        Tile<Value>& b_gap) {
    for (int32 q = 4 * share; q < first; q += 4 * shares) {
        Value gains[8];
        load<8>(gains, table.b_gains + column - q);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            Value from[4];
            load_shared_row<4>(from, table.before_b + table.at(row + r, q));
#pragma unroll
            for (int d = 0; d < 4; d++) {
#pragma unroll
                for (int c = 0; c < PER_LANE; c++) {
                    relax(b_gap[r][c], from[d], gains[c - d + 3]);
                }
            }
        }
    }
}

// Fills the tile with one warp.
//
// - row_of: COLUMNS values in shared memory
template <typename Value>
__device__ void fill_tile(
        const Table<Value>& table, int32 row, int32 first, int32 lane, Tile<Value>& a_gap, Tile<Value>& b_gap,
        Value* row_of) {
    constexpr Value NONE = Scores<Value>::NONE;
    int32 column = first + PER_LANE * lane;
    bool has_columns = column < table.columns;
    Value above[PER_LANE];
#pragma unroll
    for (int c = 0; c < PER_LANE; c++) {
        above[c] = has_columns && row > 0 ? table.best(row - 1, column + c) : NONE;
    }
    Value near_gains[12];
    load<12>(near_gains, table.a_gains);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        int32 i = row + r;
        Value before = __shfl_up_sync(~0u, above[PER_LANE - 1], 1);
        if (lane == 0) {
            before = i > 0 && first > 0 ? table.best(i - 1, first - 1) : NONE;
        }
        Value pair[PER_LANE];
        Value before_b[PER_LANE];
#pragma unroll
        for (int c = 0; c < PER_LANE; c++) {
            pair[c] = table.pair(i, column + c, c == 0 ? before : above[c - 1]);
            before_b[c] = larger(pair[c], a_gap[r][c]);
        }
        store<PER_LANE>(row_of + PER_LANE * lane, before_b);
        __syncwarp();
        for (int32 q = 0; has_columns && q <= PER_LANE * lane; q += 4) {
            Value gains[8];
            load<8>(gains, table.b_gains + PER_LANE * lane - q);
            Value from[4];
            load<4>(from, row_of + q);
#pragma unroll
            for (int d = 0; d < 4; d++) {
#pragma unroll
                for (int c = 0; c < PER_LANE; c++) {
                    relax(b_gap[r][c], from[d], gains[c - d + 3]);
                }
            }
        }
        Value before_a[PER_LANE];
#pragma unroll
        for (int c = 0; c < PER_LANE; c++) {
            before_a[c] = larger(pair[c], b_gap[r][c]);
            above[c] = larger(before_a[c], before_b[c]);
#pragma unroll
            for (int later = r + 1; later < ROWS; later++) {
                relax(a_gap[later][c], before_a[c], near_gains[later - r + BEFORE_GAINS]);
            }
        }
        if (has_columns) {
            store<PER_LANE>(table.before_a + table.at(i, column), before_a);
            store<PER_LANE>(table.before_b + table.at(i, column), before_b);
        }
        __syncwarp();
    }
}

// Fills a tile with all warps of the block.
//
// - shared: 2 * ROWS * COLUMNS values for every two warps, and at least COLUMNS values
template <typename Value>
__device__ void fill_tile_by_block(const Table<Value>& table, int32 row, int32 first, Value* shared) {
    constexpr Value NONE = Scores<Value>::NONE;
    int32 lane = threadIdx.x % 32;
    int32 warp = threadIdx.x / 32;
    int32 warps = blockDim.x / 32;
    int32 column = first + PER_LANE * lane;
    Tile<Value> a_gap;
    Tile<Value> b_gap;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
#pragma unroll
        for (int c = 0; c < PER_LANE; c++) {
            a_gap[r][c] = NONE;
            b_gap[r][c] = NONE;
        }
    }
    // lanes past the end of the table recompute its last columns, but do not store them
    int32 inside = min(column, table.columns - PER_LANE);
    relax_from_above(table, row, inside, warp, warps, a_gap);
    relax_from_left(table, row, first, inside, warp, warps, b_gap);
    // tree reduction: half of the warps pass their results to the other half
    for (int32 half = warps / 2; half > 0; half /= 2) {
        Value* place = shared + (warp % half) * 2 * ROWS * COLUMNS + PER_LANE * lane;
        if (warp >= half && warp < 2 * half) {
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                store<PER_LANE>(place + r * COLUMNS, a_gap[r]);
                store<PER_LANE>(place + (ROWS + r) * COLUMNS, b_gap[r]);
            }
        }
        __syncthreads();
        if (warp < half) {
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                Value other_a[PER_LANE];
                Value other_b[PER_LANE];
                load<PER_LANE>(other_a, place + r * COLUMNS);
                load<PER_LANE>(other_b, place + (ROWS + r) * COLUMNS);
#pragma unroll
                for (int c = 0; c < PER_LANE; c++) {
                    a_gap[r][c] = larger(a_gap[r][c], other_a[c]);
                    b_gap[r][c] = larger(b_gap[r][c], other_b[c]);
                }
            }
        }
        __syncthreads();
    }
    if (warp == 0) {
        fill_tile(table, row, first, lane, a_gap, b_gap, shared);
    }
    __syncthreads();
}

// Fills a table for affine gap costs with one warp, strip by strip, where a strip is a range of columns that is
// processed row by row. A gap of letters of a extends the gap in the row above, which is in registers. A gap of letters
// of b passes from lane to lane by a prefix maximum, to which each column adds the cost of extending the gap.
template <typename Value>
__device__ void fill_affine(const Table<Value>& table, int32 lane) {
    constexpr Value NONE = Scores<Value>::NONE;
    Value a_first = table.a_letters > 0 ? table.a_gains[1 + BEFORE_GAINS] : 0;
    Value a_next = table.a_letters > 1 ? table.a_gains[2 + BEFORE_GAINS] - a_first : 0;
    Value b_first = table.b_letters > 0 ? table.b_gains[1 + BEFORE_GAINS] : 0;
    Value b_next = table.b_letters > 1 ? table.b_gains[2 + BEFORE_GAINS] - b_first : 0;
    for (int32 first = 0; first < table.columns; first += COLUMNS) {
        int32 column = first + PER_LANE * lane;
        bool has_columns = column < table.columns;
        Value above[PER_LANE];
        Value above_a[PER_LANE];
        Value a_gap[PER_LANE];
#pragma unroll
        for (int c = 0; c < PER_LANE; c++) {
            above[c] = NONE;
            above_a[c] = NONE;
            a_gap[c] = NONE;
        }
        for (int32 i = 0; i <= table.a_letters; i++) {
            Value before = __shfl_up_sync(~0u, above[PER_LANE - 1], 1);
            if (lane == 0) {
                before = i > 0 && first > 0 ? table.best(i - 1, first - 1) : NONE;
            }
            Value pair[PER_LANE];
            Value before_b[PER_LANE];
#pragma unroll
            for (int c = 0; c < PER_LANE; c++) {
                if (i > 0) {
                    a_gap[c] = larger(above_a[c] + a_first, a_gap[c] + a_next);
                }
                pair[c] = table.pair(i, column + c, c == 0 ? before : above[c - 1]);
                before_b[c] = larger(pair[c], a_gap[c]);
            }
            // the best gap that ends in the column after this lane's last one: first among gaps that open in this
            // lane's columns, then also among gaps that open in earlier lanes' columns
            Value open = before_b[0] + b_first;
#pragma unroll
            for (int c = 1; c < PER_LANE; c++) {
                open = larger(open + b_next, before_b[c] + b_first);
            }
#pragma unroll
            for (int other = 1; other < 32; other *= 2) {
                Value from = __shfl_up_sync(~0u, open, other);
                if (lane >= other) {
                    open = larger(open, from + PER_LANE * other * b_next);
                }
            }
            Value enters = first > 0 ? table.edge[i] : NONE;
            Value b_gap = __shfl_up_sync(~0u, open, 1);
            Value through = enters + PER_LANE * lane * b_next;
            b_gap = lane == 0 ? through : larger(b_gap, through);
            __syncwarp();
            if (lane == 31) {
                table.edge[i] = larger(open, through + PER_LANE * b_next);
            }
            Value before_a[PER_LANE];
#pragma unroll
            for (int c = 0; c < PER_LANE; c++) {
                before_a[c] = larger(pair[c], b_gap);
                b_gap = larger(b_gap + b_next, before_b[c] + b_first);
                above[c] = larger(before_a[c], before_b[c]);
                above_a[c] = before_a[c];
            }
            if (has_columns) {
                store<PER_LANE>(table.before_a + table.at(i, column), before_a);
                store<PER_LANE>(table.before_b + table.at(i, column), before_b);
            }
            __syncwarp();
        }
    }
}

}  // namespace
