// Computes a table that exceeds the memory, for one long pair, in large tiles that each consist of many tiles
// (dev.bellman.align.gap.LargeGap). A large tile is in memory while a task reads or writes it. The tasks follow
// dev.bellman.large.tiles.Pattern.PREFIXES. A finishes a large tile in one launch, as gap_grid finishes a whole table.
// B adds the products of a finished large tile to another large tile in the same rows, and C to one in the same
// columns.
//
// A large tile is `pitch` rows of before_a, then `pitch` rows of before_b. Indices of rows, columns and gains are
// relative to the start of the table.
#include "align/gap/gap_tiles.cuh"
#include "common/host.cuh"

FOR_HOST(TILE);
FOR_HOST(TILE_THREADS);
FOR_HOST(GAIN_ROOM);
FOR_HOST(BEFORE_GAINS);

// The shared memory for a block, in bytes, by the width of its values.
constexpr int32 int32_shared = TileMemory<int32>::BYTES;
constexpr int32 int64_shared = TileMemory<int64>::BYTES;
FOR_HOST(int32_shared);
FOR_HOST(int64_shared);

// The letters of a, then the letters of b, and the scores of a match and a mismatch.
struct Pair {
    int32 a_letters;
    int32 b_letters;
    const int32* letters;
    int64 match;
    int64 mismatch;
};

STRUCT_FOR_HOST(Pair);
MEMBER_FOR_HOST(Pair, a_letters);
MEMBER_FOR_HOST(Pair, b_letters);
MEMBER_FOR_HOST(Pair, letters);
MEMBER_FOR_HOST(Pair, match);
MEMBER_FOR_HOST(Pair, mismatch);

namespace {

// A large tile, together with the last cells of the finished large tiles above it, to its left, and diagonally above
// it.
template <typename Value>
struct LargeTile : Table<Value> {
    int32 row;
    int32 column;
    const Value* above;
    const Value* left;
    const Value* corner;

    __device__ LargeTile(
            const Pair& pair, Value* a_gains, Value* b_gains, int32 pitch, int32 first_row, int32 first_column,
            Value* cells,
            const Value* tile_above, const Value* tile_left, const Value* tile_corner) :
        Table<Value>(
                pair.a_letters, pair.b_letters, pair.letters, pair.match, pair.mismatch, pitch, first_row, first_column,
                cells,
                cells + static_cast<int64>(pitch) * pitch, a_gains, b_gains),
        row(first_row),
        column(first_column),
        above(tile_above - this->at(first_row - pitch, first_column)),
        left(tile_left - this->at(first_row, first_column - pitch)),
        corner(tile_corner - this->at(first_row - pitch, first_column - pitch)) {
    }

    __device__ __forceinline__ Value best(int32 i, int32 j) const {
        const Value* tile = i >= row ? j >= column ? this->before_a : left : j >= column ? above : corner;
        const Value* cell = tile + this->at(i, j);
        return larger(__ldcg(cell), __ldcg(cell + static_cast<int64>(this->columns) * this->columns));
    }
};

// Adds the products of a finished large tile to a large tile, with one block per tile in a grid with `across` columns.
//
// - source: the first row (or column) of the finished large tile
template <bool ALONG_COLUMN, typename Value>
__device__ __forceinline__ void add_large(
        Value* gains, int32 pitch, int32 row, int32 column, Value* cells, const Value* finished, int32 source,
        int32 across,
        const int32* state) {
    extern __shared__ int4 shared_words[];
    Value* half = cells + static_cast<int64>(pitch) * pitch;
    Table<Value> table(0, 0, nullptr, 0, 0, pitch, row, column, cells, half, gains, gains);
    const Value* factor = ALONG_COLUMN ? finished - table.at(source, column)
                                       : finished + static_cast<int64>(pitch) * pitch - table.at(row, source);
    int32 i = row + blockIdx.x / across * TILE;
    int32 j = column + blockIdx.x % across * TILE;
    int32 begin = source / TILE;
    add_products<ALONG_COLUMN>(
            table, factor, i, j, begin, begin + pitch / TILE, state, 0, reinterpret_cast<Value*>(shared_words));
}

}  // namespace

// Defines A, for any number of blocks, and B and C, for one block per tile.
//
// - state: points to the state value of a finished tile
#define LARGE(VALUE)                                                                                               \
    extern "C" __global__ void __launch_bounds__(TILE_THREADS, 8 / sizeof(VALUE)) finish_##VALUE(                  \
            Pair pair, VALUE* a_gains, VALUE* b_gains, int32 pitch, int32 row, int32 column, VALUE* cells,         \
            const VALUE* above,                                                                                    \
            const VALUE* left, const VALUE* corner, int32 down, int32 across, int32* ticket, int32* states,        \
            int32 window) {                                                                                        \
        extern __shared__ int4 shared_words[];                                                                     \
        LargeTile<VALUE> tile(pair, a_gains, b_gains, pitch, row, column, cells, above, left, corner);             \
        finish_tiles<false>(                                                                                       \
                tile, row / TILE, column / TILE, down, across, {ticket, states, window},                           \
                reinterpret_cast<VALUE*>(shared_words),                                                            \
                [](int32, int32) {});                                                                              \
    }                                                                                                              \
    extern "C" __global__ void __launch_bounds__(TILE_THREADS, 8 / sizeof(VALUE)) along_rows_##VALUE(              \
            VALUE* gains, int32 pitch, int32 row, int32 column, VALUE* cells, const VALUE* finished, int32 source, \
            int32 across,                                                                                          \
            const int32* state) {                                                                                  \
        add_large<false>(gains, pitch, row, column, cells, finished, source, across, state);                       \
    }                                                                                                              \
    extern "C" __global__ void __launch_bounds__(TILE_THREADS, 8 / sizeof(VALUE)) along_columns_##VALUE(           \
            VALUE* gains, int32 pitch, int32 row, int32 column, VALUE* cells, const VALUE* finished, int32 source, \
            int32 across,                                                                                          \
            const int32* state) {                                                                                  \
        add_large<true>(gains, pitch, row, column, cells, finished, source, across, state);                        \
    }

LARGE(int32)
LARGE(int64)
