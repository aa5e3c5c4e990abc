// Computes edit distance and LCS in tiles, in the order of the r-way recursion by Javanmard et al., "Toward efficient
// architecture-independent algorithms for dynamic programs" (2019), Table 1. See
// dev.bellman.align.paper.RWayTablesOnGpu.
//
// Both problems use the same table of scores, which never decrease along a row or a column and are 0 on the borders:
//
//     score(i, j) = max(score(i - 1, j - 1) + gain, score(i - 1, j), score(i, j - 1))
//
// For LCS, the gain is 1 if the symbols are equal, and 0 otherwise. For edit distance, the gain is 2 if the symbols are
// equal, and 1 otherwise, and the distance is i + j - score(i, j). A score is at most twice the shorter length, so it
// fits in an unsigned 32-bit integer.
//
// Only the last row and column of each tile are kept. They overwrite the last row of the tile above and the last column
// of the tile to the left, so that a pair's memory is linear in the lengths of its strings. For a path, each tile keeps
// two bits per cell.
#include "align/bits/score.cuh"
#include "align/bits/writers.cuh"
#include "common/host.cuh"
#include "common/vectors.cuh"

namespace {

constexpr int WARP = 32;
// A warp computes a tile. Each lane has some of the tile's rows. It computes one block of ROWS_OF_LANE x
// COLUMNS_OF_STEP cells at a time, one block behind the lane above it:
//
//     step         0    1    2    3
//     lane 0      [0]  [1]  [2]  [3]   blocks of columns
//     lane 1           [0]  [1]  [2]
//     lane 2                [0]  [1]
constexpr int ROWS_OF_LANE = 16;
constexpr int COLUMNS_OF_STEP = 2;
constexpr int TILE_EDGE = WARP * ROWS_OF_LANE;
constexpr int BLOCK_THREADS = 128;
// The values above the columns of a tile are stored after the value above the previous column, which is padded to the
// size of a vector.
constexpr int BEFORE = 4;
constexpr int ABOVE = BEFORE + TILE_EDGE;
// The size of a block's moves: two bits for each cell.
constexpr int MOVE_BYTES = sizeof(uint2);
static_assert(ROWS_OF_LANE * COLUMNS_OF_STEP == 32);

struct EditGains {
    static constexpr uint32 EQUAL = 2;
    static constexpr uint32 DIFFERENT = 1;
};

struct LcsGains {
    static constexpr uint32 EQUAL = 1;
    static constexpr uint32 DIFFERENT = 0;
};

__device__ __forceinline__ int32 ceiling(int32 cells, int32 part) {
    return static_cast<int32>((static_cast<int64>(cells) + part - 1) / part);
}

}  // namespace

FOR_HOST(ROWS_OF_LANE);
FOR_HOST(COLUMNS_OF_STEP);
FOR_HOST(TILE_EDGE);
FOR_HOST(BLOCK_THREADS);
FOR_HOST(ABOVE);
FOR_HOST(MOVE_BYTES);

// Pairs that are solved together, and the start of each pair's memory.
struct RWayTables {
    const Pair* pairs;
    int32 count;
    const int64* border_places;
    uint32* borders;             // ABOVE values for each column of tiles, then one for each row; initially zero
    const int64* move_places;    // null unless paths are requested
    uint2* moves;                // the blocks for each step in each tile, one for each lane that has rows

    __device__ __forceinline__ uint32* above(int32 index, int32 tile_column) const {
        return borders + border_places[index] + static_cast<int64>(tile_column) * ABOVE;
    }

    __device__ __forceinline__ uint32* left(int32 index, int32 row) const {
        return above(index, ceiling(pairs[index].text_length, TILE_EDGE)) + row;
    }

    // Returns the number of lanes with rows of the tile that begins at `row`.
    static __device__ __forceinline__ int32 lanes(const Pair& pair, int32 row) {
        return ceiling(min(TILE_EDGE, pair.pattern_length - row), ROWS_OF_LANE);
    }

    // Returns where the bits of a tile's blocks are stored, starting with lane 0's block of step 0.
    __device__ __forceinline__ uint2* blocks(int32 index, const Pair& pair, int32 row, int32 column) const {
        int64 steps = ceiling(min(TILE_EDGE, pair.text_length), COLUMNS_OF_STEP) - 1;
        int64 across = ceiling(pair.text_length, TILE_EDGE);
        int32 own = lanes(pair, row);
        return moves + move_places[index] + row / TILE_EDGE * across * WARP * (steps + WARP)
                + column / TILE_EDGE * own * (steps + own);
    }
};

// The position of a large tile of parts x parts tiles, counted in large tiles.
struct LargeTile {
    int32 row;
    int32 column;
};

STRUCT_FOR_HOST(RWayTables);
MEMBER_FOR_HOST(RWayTables, pairs);
MEMBER_FOR_HOST(RWayTables, count);
MEMBER_FOR_HOST(RWayTables, border_places);
MEMBER_FOR_HOST(RWayTables, borders);
MEMBER_FOR_HOST(RWayTables, move_places);
MEMBER_FOR_HOST(RWayTables, moves);

namespace {

// Computes the tile that begins at a row and a column of the table.
template <class Gains, class Symbol, bool KEEPS_MOVES>
__device__ void solve_tile(
        const RWayTables& tables, int32 index, const Pair& pair, int32 row, int32 column, uint32* above, int32* text) {
    int32 lane = threadIdx.x % WARP;
    int32 width = min(TILE_EDGE, pair.text_length - column);
    uint32* above_tile = tables.above(index, column / TILE_EDGE);
    uint32* left_of_tile = tables.left(index, row) + ROWS_OF_LANE * lane;
    const Symbol* pattern = static_cast<const Symbol*>(pair.pattern);
    // Columns beyond the table have no gains, so they repeat the table's last column.
    for (int32 j = lane; j < TILE_EDGE; j += WARP) {
        above[j] = above_tile[BEFORE + min(j, width - 1)];
        text[j] = j < width ? static_cast<int32>(static_cast<const Symbol*>(pair.text)[column + j]) : NO_CHARACTER;
    }
    int32 letters[ROWS_OF_LANE];
    uint32 left[ROWS_OF_LANE];
#pragma unroll
    for (int r = 0; r < ROWS_OF_LANE; r++) {
        int32 i = row + ROWS_OF_LANE * lane + r;
        letters[r] = i < pair.pattern_length ? static_cast<int32>(pattern[i]) : 0;
    }
    load(left, left_of_tile);
    uint32 first = above_tile[0];
    uint32 corner = __shfl_up_sync(~0u, left[ROWS_OF_LANE - 1], 1);
    corner = lane == 0 ? first : corner;
    __syncwarp();
    if (lane == WARP - 1) {
        above_tile[0] = left[ROWS_OF_LANE - 1];
    }
    int32 lanes = tables.lanes(pair, row);
    int32 steps = ceiling(width, COLUMNS_OF_STEP) + lanes - 1;
    uint2* blocks = KEEPS_MOVES ? tables.blocks(index, pair, row, column) + lane : nullptr;
    uint32 below[COLUMNS_OF_STEP] = {};
#pragma unroll 1
    for (int32 step = 0; step < steps; step++) {
        uint32 over[COLUMNS_OF_STEP];
#pragma unroll
        for (int c = 0; c < COLUMNS_OF_STEP; c++) {
            over[c] = __shfl_up_sync(~0u, below[c], 1);
        }
        int32 at = COLUMNS_OF_STEP * (step - lane);
        if (at >= 0 && at < width && lane < lanes) {
            if (lane == 0) {
                load(over, above + at);
            }
            int32 columns[COLUMNS_OF_STEP];
            load(columns, text + at);
            uint2 moves = make_uint2(0, 0);
#pragma unroll
            for (int c = 0; c < COLUMNS_OF_STEP; c++) {
                uint32 different = at + c < width ? Gains::DIFFERENT : 0;
                uint32 diagonal = c == 0 ? corner : over[c - 1];
                uint32 up = over[c];
#pragma unroll
                for (int r = 0; r < ROWS_OF_LANE; r++) {
                    bool equal = letters[r] == columns[c];
                    uint32 gained = diagonal + (equal ? Gains::EQUAL : different);
                    uint32 best = __vimax3_u32(gained, left[r], up);
                    if (KEEPS_MOVES) {
                        bool takes = equal || (Gains::DIFFERENT > 0 && gained == best);
                        uint32 bit = 1u << (c * ROWS_OF_LANE + r);
                        moves.x |= takes ? bit : 0;
                        moves.y |= (takes ? equal : up == best) ? bit : 0;
                    }
                    diagonal = left[r];
                    left[r] = best;
                    up = best;
                }
                below[c] = up;
            }
            corner = over[COLUMNS_OF_STEP - 1];
            if (lane == WARP - 1) {
                store(above + at, below);
            }
            if (KEEPS_MOVES) {
                blocks[static_cast<int64>(step) * lanes] = moves;
            }
        }
        __syncwarp();
    }
    for (int32 j = lane; j < width; j += WARP) {
        above_tile[BEFORE + j] = above[j];
    }
    store(left_of_tile, left);
}

// Computes the tiles on an antidiagonal of each given large tile, with one warp per tile and pair.
template <class Gains, class Symbol, bool KEEPS_MOVES>
__device__ void solve_wave(
        const RWayTables& tables, const LargeTile* tasks, int32 task_count, int32 parts, int32 antidiagonal) {
    __shared__ alignas(16) uint32 all_above[BLOCK_THREADS / WARP][TILE_EDGE];
    __shared__ alignas(16) int32 all_text[BLOCK_THREADS / WARP][TILE_EDGE];
    int64 warp = thread_index() / WARP;
    int32 top = max(0, antidiagonal - parts + 1);
    int32 tiles = min(antidiagonal, parts - 1) - top + 1;
    int32 index = static_cast<int32>(warp % tables.count);
    int32 tile = static_cast<int32>(warp / tables.count);
    if (tile / tiles >= task_count) {
        return;
    }
    LargeTile task = tasks[tile / tiles];
    int32 part = top + tile % tiles;
    int64 row = (static_cast<int64>(task.row) * parts + part) * TILE_EDGE;
    int64 column = (static_cast<int64>(task.column) * parts + antidiagonal - part) * TILE_EDGE;
    Pair pair = tables.pairs[index];
    if (row < pair.pattern_length && column < pair.text_length) {
        int32 own = threadIdx.x / WARP;
        solve_tile<Gains, Symbol, KEEPS_MOVES>(
                tables, index, pair, static_cast<int32>(row), static_cast<int32>(column), all_above[own],
                all_text[own]);
    }
}

// Returns the score of a whole table.
__device__ __forceinline__ uint32 last_score(const RWayTables& tables, int32 index, const Pair& pair) {
    return pair.pattern_length == 0 || pair.text_length == 0 ? 0 : *tables.left(index, pair.pattern_length - 1);
}

// Writes results along the canonical path, one thread per pair.
template <class Writer>
__device__ void write_path(const RWayTables& tables, const Room& room, int32 wide, int32* lengths) {
    int32 index = static_cast<int32>(thread_index());
    if (index >= tables.count) {
        return;
    }
    Pair pair = tables.pairs[index];
    uint8* end = room.end(pair.row);
    Walk<Writer> walk(end, pair, wide, 0);
    const uint2* read = nullptr;
    uint2 moves = make_uint2(0, 0);
    while (walk.is_inside()) {
        int32 row = walk.row;
        int32 column = walk.column;
        int32 lane = row % TILE_EDGE / ROWS_OF_LANE;
        int32 step = column % TILE_EDGE / COLUMNS_OF_STEP + lane;
        const uint2* block = tables.blocks(index, pair, row / TILE_EDGE * TILE_EDGE, column)
            + static_cast<int64>(step) * tables.lanes(pair, row / TILE_EDGE * TILE_EDGE) + lane;
        if (block != read) {
            moves = *block;
            read = block;
        }
        walk.step(moves, column % COLUMNS_OF_STEP * ROWS_OF_LANE + row % ROWS_OF_LANE);
    }
    lengths[pair.row] = walk.finish(end);
}

}  // namespace

#define R_WAY_WAVE(name, Gains, Symbol, KEEPS_MOVES)                                                          \
    extern "C" __global__ void __launch_bounds__(BLOCK_THREADS) r_way_##name(                                 \
            RWayTables tables, const LargeTile* tasks, int32 task_count, int32 parts, int32 antidiagonal) {   \
        solve_wave<Gains, Symbol, KEEPS_MOVES>(tables, tasks, task_count, parts, antidiagonal);               \
    }

#define R_WAY(name, Gains, Score, Writer, GROWTH)                                                             \
    R_WAY_WAVE(name##_bytes_scores, Gains, uint8, false)                                                      \
    R_WAY_WAVE(name##_characters_scores, Gains, int32, false)                                                 \
    R_WAY_WAVE(name##_bytes_moves, Gains, uint8, true)                                                        \
    R_WAY_WAVE(name##_characters_moves, Gains, int32, true)                                                   \
    extern "C" __global__ void r_way_##name##_results(RWayTables tables, int32* results, int64 option) {      \
        int32 index = static_cast<int32>(thread_index());                                                     \
        if (index < tables.count) {                                                                           \
            Pair pair = tables.pairs[index];                                                                  \
            uint32 score = last_score(tables, index, pair);                                                   \
            Score{results, option}.put(pair, static_cast<int32>(GROWTH));                                     \
        }                                                                                                     \
    }                                                                                                         \
    extern "C" __global__ void r_way_##name##_walk(                                                           \
            RWayTables tables,                                                                                \
            const int32* a_offsets,                                                                           \
            const int32* b_offsets,                                                                           \
            int32 factor,                                                                                     \
            uint8* bytes,                                                                                     \
            int32 wide,                                                                                       \
            int32* lengths) {                                                                                 \
        write_path<Writer>(tables, {a_offsets, b_offsets, factor, bytes}, wide, lengths);                           \
    }

// The distance is the length of the text plus the growth of the table's last column: n + m - score.
R_WAY(edit_distance, EditGains, EditScore, CigarWriter, pair.pattern_length - score)
R_WAY(lcs, LcsGains, LcsScore, SequenceWriter, score)
