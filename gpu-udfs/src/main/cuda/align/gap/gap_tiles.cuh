// The table of one large pair, computed by all blocks: tiles of TILE rows and columns, one antidiagonal of tiles after another
// (dev.bellman.tiles.Pattern.PREFIXES). A block takes the next tile, adds the (max, +) products of the finished tiles above and to the left with the
// gain matrices, and then finishes the tile row by row. Until then the tile itself holds the partial results: before_b those of gaps of letters of a,
// before_a those of letters of b.
#pragma once
#include "align/gap/gap_table.cuh"
#include "common/copies.cuh"
#include "common/utf8.cuh"

namespace {

constexpr int TILE = 128;
constexpr int TILE_THREADS = 256;
constexpr int DEPTH = 16;  // rows, or columns, of a factor copied at a time
constexpr int SLICES = TILE / DEPTH;
constexpr int STAGES = 3;
constexpr int LEFT_PITCH = DEPTH + 4;
// Gains for a tile and a source: those for -TILE + 1 to TILE - 1 more than the distance between them.
constexpr int TILE_GAINS = 2 * TILE + 8;

// Lanes that take even and odd rows read them from different banks.
constexpr int ABOVE_PITCH = TILE + 16;

template <typename Value>
struct TileMemory {
    static constexpr int SLICE = DEPTH * TILE > TILE * LEFT_PITCH ? DEPTH * TILE : TILE * LEFT_PITCH;
    static constexpr int PRODUCT = STAGES * SLICE + 2 * TILE_GAINS;
    // before_a of the tile, and some rows
    static constexpr int FINISH = TILE * ABOVE_PITCH + 8 * TILE;
    static constexpr int BYTES = (PRODUCT > FINISH ? PRODUCT : FINISH) * sizeof(Value);
};

// Waits for a tile. `finished` counts how often it was finished, which is at most once. One thread polls.
__device__ __forceinline__ void await_tile(const uint32* finished) {
    if (threadIdx.x == 0) {
        while (*static_cast<const volatile uint32*>(finished) == 0) {
            __nanosleep(100);
        }
        __threadfence();
    }
    __syncthreads();
}

template <typename Value>
__device__ __forceinline__ void copy_line(Value* to, const Value* from, int index) {
    constexpr int WIDTH = 16 / sizeof(Value);
    copy_async(to + index * WIDTH, from + index * WIDTH);
}

// Adds to a tile the contributions of the sources from tile `begin` to before `end` of its column (or row). ALONG_COLUMN: sources above, with gaps of
// letters of a.
//
// A thread has rows 8 * (thread / 16) and the next 7, columns 4 * (thread % 16) and the next 3, and TILE / 2 more than these.
template <bool ALONG_COLUMN, typename Value>
__device__ void add_products(
        const Table<Value>& table, int32 row, int32 column, int32 begin, int32 end, const uint32* finished, int32 stride, Value* shared) {
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
            await_tile(finished + source * stride);
            // from distance - TILE on, a multiple of four
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
                copy_line(to + p * TILE, table.before_a + table.at(source * TILE + part + p, column), at % (TILE / WIDTH));
            } else {
                int i = at / (DEPTH / WIDTH);
                copy_line(to + i * LEFT_PITCH, table.before_b + table.at(row + i, source * TILE + part), at % (DEPTH / WIDTH));
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
        const Value* factor = shared + slice % STAGES * Memory::SLICE;
        // the gain of k more letters than the distance is at k + TILE + 3
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
                        load<4>(from, factor + (part + d) * TILE + my_column + half * (TILE / 2));
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
                    load<4>(from, factor + (my_row + r) * LEFT_PITCH + part);
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

// Finishes a tile, row by row. Two neighbouring lanes share a column: one takes the sources at even positions, the other those at odd ones.
template <typename Value>
__device__ void finish_tile(const Table<Value>& table, int32 row, int32 column, Value* shared) {
    constexpr Value NONE = Scores<Value>::NONE;
    Value* above = shared;  // before_a of the rows so far
    Value* before_b = shared + TILE * ABOVE_PITCH;  // two rows, in alternation
    Value* best = before_b + 2 * TILE;              // likewise, for the row above, from the column left of the tile on
    Value* near_a = best + 4 * TILE;
    Value* near_b = near_a + TILE;
    int32 j = threadIdx.x / 2;
    int32 half = threadIdx.x % 2;
    int32 rows = min(TILE, table.a_letters + 1 - row);
    int64 at = table.at(row, column + j);
    Value a_sum = half == 0 ? __ldcg(table.before_b + at) : NONE;
    Value b_sum = half == 0 ? __ldcg(table.before_a + at) : NONE;
    int32 letter = column + j > 0 && column + j <= table.b_letters ? table.b[column + j - 1] : NO_CHARACTER;
    int32 next_letter = row > 0 ? table.a[row - 1] : NO_CHARACTER;
    if (half == 0) {
        near_a[j] = table.a_gains[j + BEFORE_GAINS];
        near_b[j] = table.b_gains[j + BEFORE_GAINS];
        best[j + 1] = row > 0 ? table.best(row - 1, column + j) : NONE;
    } else if (j == 0) {
        best[0] = row > 0 && column > 0 ? table.best(row - 1, column - 1) : NONE;
    }
    __syncthreads();
    for (int32 r = 0; r < rows; r++, at += table.columns) {
        Value a_gap = a_sum;
        Value b_gap = b_sum;
        bool equal = next_letter == letter;
        if (r + 1 < rows) {
            next_letter = table.a[row + r];
            if (half == 0) {
                a_sum = __ldcg(table.before_b + at + table.columns);
                b_sum = __ldcg(table.before_a + at + table.columns);
            }
        }
        // the values of this row left of the tile; the next row needs them
        Value left = half == 1 && j == 0 && column > 0 ? table.best(row + r, column - 1) : NONE;
#pragma unroll 8
        for (int32 p = half; p < r; p += 2) {
            relax(a_gap, above[p * ABOVE_PITCH + j], near_a[r - p]);
        }
        a_gap = larger(a_gap, __shfl_xor_sync(~0u, a_gap, 1));
        Value pair = table.pair(row + r, column + j, best[r % 2 * 2 * TILE + j], equal);
        Value to_b = larger(pair, a_gap);
        Value* of_row = before_b + r % 2 * TILE;
        if (half == 0) {
            of_row[j] = to_b;
            table.before_b[at] = to_b;
        }
        __syncthreads();
#pragma unroll 8
        for (int32 q = half; q < j; q += 2) {
            relax(b_gap, of_row[q], near_b[j - q]);
        }
        __syncwarp();
        b_gap = larger(b_gap, __shfl_xor_sync(~0u, b_gap, 1));
        Value to_a = larger(pair, b_gap);
        Value* next_best = best + (1 - r % 2) * 2 * TILE;
        if (half == 0) {
            above[r * ABOVE_PITCH + j] = to_a;
            table.before_a[at] = to_a;
            next_best[j + 1] = larger(to_a, to_b);
        } else if (j == 0) {
            next_best[0] = left;
        }
        __syncthreads();
    }
}

// Tile number `index`, counted by antidiagonals.
__device__ __forceinline__ void tile_of(int32 index, int32 down, int32 across, int32& i, int32& j) {
    int32 diagonal = 0;
    while (true) {
        int32 first = max(0, diagonal - across + 1);
        int32 count = min(down - 1, diagonal) - first + 1;
        if (index < count) {
            i = first + index;
            j = diagonal - i;
            return;
        }
        index -= count;
        diagonal++;
    }
}

}  // namespace
