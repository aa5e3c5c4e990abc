// Computes the table for one large pair with all blocks, in tiles of TILE rows and columns
// (dev.bellman.large.tiles.Pattern.PREFIXES). First, the finished tiles above a tile and to its left are multiplied by
// the gain matrices, and these (max, +) products are added to the tile. Then the tile can be finished. Until then, the
// tile itself contains the partial results: before_b contains the result for gaps of letters of a, and before_a the
// result for gaps of letters of b.
#pragma once
#include "align/gap/gap_table.cuh"
#include "common/copies.cuh"
#include "common/ticket.cuh"
#include "common/utf8.cuh"

namespace {

constexpr int TILE = 128;
constexpr int TILE_THREADS = 256;
constexpr int DEPTH = 16;  // the number of rows, or columns, of a factor that are copied at a time
constexpr int SLICES = TILE / DEPTH;
constexpr int STAGES = 3;
constexpr int LEFT_PITCH = DEPTH + 4;
// The number of gains between a source tile and a target tile, for gaps whose length differs from the distance between
// the tiles by at most TILE - 1 letters.
constexpr int TILE_GAINS = 2 * TILE + 8;

// A tile is finished in parts of PART rows and columns. Lanes that process adjacent rows of a part read from different
// banks.
constexpr int PART = 32;
constexpr int PARTS = TILE / PART;
constexpr int PART_PITCH = PART + 4;

template <typename Value>
struct TileMemory {
    static constexpr int SLICE = DEPTH * TILE > TILE * LEFT_PITCH ? DEPTH * TILE : TILE * LEFT_PITCH;
    static constexpr int PRODUCT = STAGES * SLICE + 2 * TILE_GAINS;
    // both tables for an antidiagonal of parts, and the gains
    static constexpr int FINISH = PARTS * 2 * PART * PART_PITCH + 2 * TILE_GAINS;
    static constexpr int BYTES = (PRODUCT > FINISH ? PRODUCT : FINISH) * sizeof(Value);
};

// The smallest state value of a finished tile. Before that, the state is the number of windows whose products the tile
// has received.
constexpr int32 FINISHED = 1 << 30;

// Makes all threads of the block wait until the state is at least this value. One thread polls.
__device__ __forceinline__ void await_tile(const int32* state, int32 least) {
    if (threadIdx.x == 0) {
        await(state, least);
    }
    __syncthreads();
}

template <typename Value>
__device__ __forceinline__ void copy_line(Value* to, const Value* from, int index) {
    constexpr int WIDTH = 16 / sizeof(Value);
    copy_async(to + index * WIDTH, from + index * WIDTH);
}

// Adds to a tile the contributions of the source tiles in its column (or row), from tile `begin` up to but excluding
// tile `end`.
//
// - ALONG_COLUMN: the sources are above, with gaps of letters of a
// - factor: before_a (or before_b) of the sources, in the same table unless the sources are stored elsewhere
//
// A thread processes 8 rows from 8 * (thread / 16) on, 4 columns from 4 * (thread % 16) on, and the 4 columns TILE / 2
// to the right of these.
template <bool ALONG_COLUMN, typename Value>
__device__ void add_products(
        const Table<Value>& table, const Value* factor, int32 row, int32 column, int32 begin, int32 end,
        const int32* states, int32 stride,
        Value* shared) {
    using Memory = TileMemory<Value>;
    constexpr int WIDTH = 16 / sizeof(Value);
    if (begin >= end) {
        return;
    }
    Value* gains_of = shared + STAGES * Memory::SLICE;
    Value* sums = ALONG_COLUMN ? table.before_b : table.before_a;
    const Value* gains = ALONG_COLUMN ? table.a_gains : table.b_gains;
    int32 distance = ALONG_COLUMN ? row : column;
    int32 my_row = threadIdx.x / 16 * 8;
    int32 my_column = threadIdx.x % 16 * 4;
    int32 slices = (end - begin) * SLICES;
    auto copy = [&](int32 slice) {
        int32 source = begin + slice / SLICES;
        int32 part = slice % SLICES * DEPTH;
        if (part == 0) {
            await_tile(states + source * stride, FINISHED);
            // starts at distance - TILE, which is a multiple of four
            const Value* from = gains + distance - source * TILE - TILE;
            if (threadIdx.x < TILE_GAINS / WIDTH) {
                copy_line(gains_of + slice / SLICES % 2 * TILE_GAINS, from, threadIdx.x);
            }
        }
        Value* to = shared + slice % STAGES * Memory::SLICE;
        constexpr int PIECES = DEPTH * TILE / WIDTH / TILE_THREADS;
#pragma unroll
        for (int piece = 0; piece < PIECES; piece++) {
            int at = piece * TILE_THREADS + threadIdx.x;
            if (ALONG_COLUMN) {
                int p = at / (TILE / WIDTH);
                copy_line(to + p * TILE, factor + table.at(source * TILE + part + p, column), at % (TILE / WIDTH));
            } else {
                int i = at / (DEPTH / WIDTH);
                copy_line(to + i * LEFT_PITCH, factor + table.at(row + i, source * TILE + part), at % (DEPTH / WIDTH));
            }
        }
    };
    Value cells[8][8];
#pragma unroll
    for (int r = 0; r < 8; r++) {
#pragma unroll
        for (int half = 0; half < 2; half++) {
            Value line[4];
            load_shared_row<4>(line, sums + table.at(row + my_row + r, column + my_column + half * (TILE / 2)));
#pragma unroll
            for (int c = 0; c < 4; c++) {
                cells[r][4 * half + c] = line[c];
            }
        }
    }
#pragma unroll 1
    for (int slice = 0; slice < STAGES - 1; slice++) {
        copy(slice);
        end_copies();
    }
#pragma unroll 1
    for (int slice = 0; slice < slices; slice++) {
        await_copies<STAGES - 2>();
        __syncthreads();
        if (slice + STAGES - 1 < slices) {
            copy(slice + STAGES - 1);
        }
        end_copies();
        const Value* lines = shared + slice % STAGES * Memory::SLICE;
        // the gain of a gap k letters longer than the distance is at k + TILE + 3
        const Value* near = gains_of + slice / SLICES % 2 * TILE_GAINS + TILE - slice % SLICES * DEPTH;
#pragma unroll 1
        for (int part = 0; part < DEPTH; part += 4) {
            if (ALONG_COLUMN) {
                Value of[12];
                load<12>(of, near + my_row - part);
#pragma unroll
                for (int d = 0; d < 4; d++) {
#pragma unroll
                    for (int half = 0; half < 2; half++) {
                        Value from[4];
                        load<4>(from, lines + (part + d) * TILE + my_column + half * (TILE / 2));
#pragma unroll
                        for (int r = 0; r < 8; r++) {
#pragma unroll
                            for (int c = 0; c < 4; c++) {
                                relax(cells[r][4 * half + c], from[c], of[r - d + 3]);
                            }
                        }
                    }
                }
            } else {
                Value of[2][8];
                load<8>(of[0], near + my_column - part);
                load<8>(of[1], near + my_column + TILE / 2 - part);
#pragma unroll
                for (int r = 0; r < 8; r++) {
                    Value from[4];
                    load<4>(from, lines + (my_row + r) * LEFT_PITCH + part);
#pragma unroll
                    for (int d = 0; d < 4; d++) {
#pragma unroll
                        for (int half = 0; half < 2; half++) {
#pragma unroll
                            for (int c = 0; c < 4; c++) {
                                relax(cells[r][4 * half + c], from[d], of[half][c - d + 3]);
                            }
                        }
                    }
                }
            }
        }
    }
    await_copies<0>();
#pragma unroll
    for (int r = 0; r < 8; r++) {
#pragma unroll
        for (int half = 0; half < 2; half++) {
            Value line[4];
#pragma unroll
            for (int c = 0; c < 4; c++) {
                line[c] = cells[r][4 * half + c];
            }
            store<4>(sums + table.at(row + my_row + r, column + my_column + half * (TILE / 2)), line);
        }
    }
    __syncthreads();
}

// Finishes a part with one warp, row by row. Each lane processes one column.
//
// - before_a, before_b: the part in shared memory, which initially contains the table's partial results
//
// The contribution of the rows above to a column is in registers: near[k] is the contribution to the row that is k rows
// after this one. For the contribution of the columns to the left, all lanes read the same row, and each lane has its
// gains in registers.
template <typename Cells, typename Value>
__device__ __forceinline__ void finish_part(
        const Cells& table, int32 row, int32 column, const Value* a_gains, const Value* b_gains, Value* before_a,
        Value* before_b) {
    constexpr Value NONE = Scores<Value>::NONE;
    int32 lane = threadIdx.x % 32;
    int32 j = column + lane;
    Value of_column[PART];
#pragma unroll
    for (int q = 0; q < PART; q++) {
        of_column[q] = q < lane ? b_gains[lane - q + BEFORE_GAINS] : Scores<Value>::FORBIDDEN;
    }
    Value near[PART];
#pragma unroll
    for (int k = 0; k < PART; k++) {
        near[k] = NONE;
    }
    Value above = row > 0 ? table.best(row - 1, j) : NONE;
    // lane r has the score to the left of row r - 1, and the letter of row r
    Value left = row + lane > 0 && column > 0 ? table.best(row + lane - 1, column - 1) : NONE;
    int32 letter = j > 0 && j <= table.b_letters ? table.b[j - 1] : NO_CHARACTER;
    int32 letters = row + lane > 0 && row + lane <= table.a_letters ? table.a[row + lane - 1] : NO_CHARACTER;
#pragma unroll 1
    for (int r = 0; r < PART; r++) {
        Value* line_a = before_a + r * PART_PITCH;
        Value* line_b = before_b + r * PART_PITCH;
        Value diagonal = __shfl_up_sync(~0u, above, 1);
        Value first = __shfl_sync(~0u, left, r);
        bool equal = __shfl_sync(~0u, letters, r) == letter;
        Value pair = table.pair(row + r, j, lane == 0 ? first : diagonal, equal);
        Value to_b = larger(pair, larger(line_b[lane], near[0]));
        Value b_gap[4] = {line_a[lane], NONE, NONE, NONE};
        line_b[lane] = to_b;
        __syncwarp();
#pragma unroll
        for (int q = 0; q < PART; q += 4) {
            Value from[4];
            load<4>(from, line_b + q);
#pragma unroll
            for (int d = 0; d < 4; d++) {
                relax(b_gap[d], from[d], of_column[q + d]);
            }
        }
        Value to_a = larger(pair, larger(larger(b_gap[0], b_gap[1]), larger(b_gap[2], b_gap[3])));
        line_a[lane] = to_a;
        above = larger(to_a, to_b);
        int64 at = table.at(row + r, j);
        table.before_a[at] = to_a;
        table.before_b[at] = to_b;
        // the gains for 1, 2, ... letters
#pragma unroll
        for (int k = 0; k < PART; k += 4) {
            Value gains[4];
            load<4>(gains, a_gains + 1 + BEFORE_GAINS + k);
#pragma unroll
            for (int d = 0; d < 4; d++) {
                if (k + d + 1 < PART) {
                    near[k + d] = near[k + d + 1];
                    relax(near[k + d], to_a, gains[d]);
                }
            }
        }
    }
}

// Adds the contribution of a finished part to half of the rows of another part of the tile, with one warp.
//
// - ALONG_COLUMN: the other part is below, and before_a contributes; otherwise it is to the right, and before_b
//   contributes
// - from: the finished part
// - distance: the distance between the two parts
// - sums: the first cell of the other part in the table
template <bool ALONG_COLUMN, typename Value>
__device__ __forceinline__ void add_part(
        const Value* from, int32 first, int32 distance, const Value* gains, Value* sums, int64 columns) {
    int32 lane = threadIdx.x % 32;
    int32 across = lane % 8 * 4;
    // each group of eight lanes reads one row; the rows of adjacent groups are adjacent or, along a column, four apart,
    // so that reads have no bank conflicts
    int32 down = first + (ALONG_COLUMN ? lane / 8 * 4 : lane / 8);
    constexpr int STEP = ALONG_COLUMN ? 1 : 4;
    Value cells[4][4];
#pragma unroll
    for (int r = 0; r < 4; r++) {
        load_shared_row<4>(cells[r], sums + (down + r * STEP) * columns + across);
    }
#pragma unroll 2
    for (int part = 0; part < PART; part += 4) {
        Value of[8];
        load<8>(of, gains + distance + (ALONG_COLUMN ? down : across) - part);
#pragma unroll
        for (int e = 0; e < 4; e++) {
            // along a column, the values of a row above in this lane's four columns; otherwise, four values to the left
            // in one of this lane's rows
            Value line[4];
            load<4>(line, from + (ALONG_COLUMN ? (part + e) * PART_PITCH + across
                    : (down + e * STEP) * PART_PITCH + part));
#pragma unroll
            for (int d = 0; d < 4; d++) {
#pragma unroll
                for (int c = 0; c < 4; c++) {
                    if (ALONG_COLUMN) {
                        relax(cells[d][c], line[c], of[d - e + 3]);
                    } else {
                        relax(cells[e][c], line[d], of[c - d + 3]);
                    }
                }
            }
        }
    }
#pragma unroll
    for (int r = 0; r < 4; r++) {
        store<4>(sums + (down + r * STEP) * columns + across, cells[r]);
    }
}

// Finishes a tile, one antidiagonal of parts after another. One warp finishes each part, then all warps add its
// contributions to the parts below it and to its right. Skips parts outside the table.
template <typename Cells, typename Value>
__device__ void finish_tile(const Cells& table, int32 row, int32 column, Value* shared) {
    constexpr int WIDTH = 16 / sizeof(Value);
    constexpr int SIZE = PART * PART_PITCH;
    Value* a_gains = shared + PARTS * 2 * SIZE;
    Value* b_gains = a_gains + TILE_GAINS;
    int32 warp = threadIdx.x / 32;
    int32 lane = threadIdx.x % 32;
    int32 down = min(PARTS, (table.a_letters - row) / PART + 1);
    int32 across = min(PARTS, (table.b_letters - column) / PART + 1);
    for (int32 k = threadIdx.x; k < TILE + 8; k += TILE_THREADS) {
        a_gains[k] = table.a_gains[k];
        b_gains[k] = table.b_gains[k];
    }
    for (int32 diagonal = 0; diagonal < down + across - 1; diagonal++) {
        int32 top = max(0, diagonal - across + 1);
        int32 parts = min(down - 1, diagonal) - top + 1;
        __syncthreads();
        if (warp < parts) {
            int32 i = row + (top + warp) * PART;
            int32 j = column + (diagonal - top - warp) * PART;
            Value* before_a = shared + warp * 2 * SIZE;
            Value* before_b = before_a + SIZE;
            for (int32 at = lane; at < PART * PART / WIDTH; at += 32) {
                int32 r = at / (PART / WIDTH);
                int32 c = at % (PART / WIDTH) * WIDTH;
                copy_async(before_a + r * PART_PITCH + c, table.before_a + table.at(i + r, j + c));
                copy_async(before_b + r * PART_PITCH + c, table.before_b + table.at(i + r, j + c));
            }
            end_copies();
            await_copies<0>();
            __syncwarp();
            finish_part(table, i, j, a_gains, b_gains, before_a, before_b);
        }
        __syncthreads();
        // for each finished part, updates the parts below it, and then those to its right; each task updates half of a
        // part
        int32 others = down + across - 2 - diagonal;
        for (int32 task = warp; task < 2 * parts * others; task += TILE_THREADS / 32) {
            int32 part = task / 2 / others;
            int32 other = task / 2 % others + 1;
            int32 first = task % 2 * (PART / 2);
            int32 i = top + part;
            int32 j = diagonal - i;
            int32 below = down - 1 - i;
            const Value* from = shared + part * 2 * SIZE;
            if (other <= below) {
                Value* sums = table.before_b + table.at(row + (i + other) * PART, column + j * PART);
                add_part<true>(from, first, other * PART, a_gains, sums, table.columns);
            } else {
                other -= below;
                Value* sums = table.before_a + table.at(row + i * PART, column + (j + other) * PART);
                add_part<false>(from + SIZE, first, other * PART, b_gains, sums, table.columns);
            }
        }
    }
}

// The tasks, in the order in which blocks take them. On each antidiagonal, the tiles of that antidiagonal are finished
// first. Then tiles further out receive products, so that blocks stay busy and few products remain when those
// tiles are finished. For antidiagonal t in window w = t / window, the tiles further out are those on the antidiagonals
// t + window, t + 2 window and so on, and they receive the products of the sources in window w - 1. A block waits only
// for tasks that were taken before its own task.
class GapTasks {
public:
    int32 i;
    int32 j;
    int32 window;     // the number of the task's window, w
    bool finishes;    // whether the task finishes the tile; otherwise, it adds the products of window w - 1

    __device__ GapTasks(int32 down, int32 across, int32 antidiagonals) :
        down_(down), across_(across), antidiagonals_(antidiagonals) {
    }

    // Finds the task with this number, if it exists. A block must request task numbers in ascending order.
    __device__ bool find(int32 index) {
        for (; turn_ < down_ + across_ - 1; turn_++) {
            int32 at = index - begin_;
            for (int32 of = turn_; of < down_ + across_ - 1; of += antidiagonals_) {
                int32 top = max(0, of - across_ + 1);
                int32 count = min(down_ - 1, of) - top + 1;
                if (at < count) {
                    i = top + at;
                    j = of - i;
                    window = turn_ / antidiagonals_;
                    finishes = of == turn_;
                    return true;
                }
                at -= count;
                if (turn_ < antidiagonals_) {
                    break;
                }
            }
            begin_ = index - at;
        }
        return false;
    }

    // Returns the first source tile that is on this antidiagonal or a later one and is above tile (i, j), or to its
    // left if i and j are exchanged.
    static __device__ __forceinline__ int32 first_source(int32 antidiagonal, int32 other) {
        return max(0, antidiagonal - other);
    }

private:
    int32 down_;
    int32 across_;
    int32 antidiagonals_;  // the number of antidiagonals in a window
    int32 turn_ = 0;
    int32 begin_ = 0;
};

// The state that blocks share while they compute a table or a large tile: the number of tasks taken and the states of
// the tiles, all initially zero, and the number of antidiagonals in a window, which is at least 2.
struct Progress {
    int32* ticket;
    int32* states;
    int32 window;
};

// Finishes `down` by `across` tiles from tile (top, left) on, with all blocks. EMPTY: the tiles have no results yet.
// The block that finished a tile calls done(i, j), where i and j are counted from the first tile.
template <bool EMPTY, typename Value, typename Cells, typename Done>
__device__ __forceinline__ void finish_tiles(
        const Cells& table, int32 top, int32 left, int32 down, int32 across, const Progress& progress, Value* shared,
        Done done) {
    GapTasks task(down, across, progress.window);
    while (task.find(take(progress.ticket, 0))) {
        int32 i = task.i;
        int32 j = task.j;
        int32 row = (top + i) * TILE;
        int32 column = (left + j) * TILE;
        int32* state = progress.states + i * across + j;
        if (task.window > 1) {
            await_tile(state, task.window - 1);
        } else if (EMPTY) {
            for (int32 at = threadIdx.x; at < TILE * TILE; at += blockDim.x) {
                int64 cell = table.at(row + at / TILE, column + at % TILE);
                table.before_a[cell] = Scores<Value>::NONE;
                table.before_b[cell] = Scores<Value>::NONE;
            }
            __syncthreads();
        }
        int32 end = task.window * progress.window;
        int32 begin = end - progress.window;
        int32 first_above = task.first_source(begin, j);
        int32 first_left = task.first_source(begin, i);
        // the tile above and the tile to the left are finished last
        int32 last_above = task.finishes ? i - 1 : min(i, end - j);
        int32 last_left = task.finishes ? j : min(j, end - i);
        // indexed by the number of the tile in the whole table
        const int32* of_row = progress.states + i * across - left;
        const int32* of_column = progress.states + j - static_cast<int64>(top) * across;
        add_products<true>(table, table.before_a, row, column, top + first_above, top + last_above, of_column, across,
                shared);
        add_products<false>(table, table.before_b, row, column, left + first_left, left + last_left, of_row, 1, shared);
        if (task.finishes) {
            add_products<true>(table, table.before_a, row, column, top + max(0, i - 1), top + i, of_column, across,
                    shared);
            finish_tile(table, row, column, shared);
        }
        if (threadIdx.x == 0) {
            add_release(state, task.finishes ? FINISHED : 1);
        }
        if (task.finishes) {
            done(i, j);
        }
    }
}

}  // namespace
