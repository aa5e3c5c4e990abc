// Walks back through a whole table along the canonical path and writes the supersequence, with one block per pair.
#include "align/bits/writers.cuh"
#include "align/subsequence/paper/scs_layout.cuh"

namespace {

constexpr int32 TILE = 32;

// Walks through the table: the block loads a tile of 32 x 32 cells at a time, and one thread walks through the tile.
template <class Table>
__device__ __forceinline__ void walk(
        const Pair& pair, int32 wide, const int32* x, const int32* y, const Table& table, const Room& room,
        int32* lengths) {
    __shared__ uint32 equal[TILE];
    __shared__ uint32 up[TILE];
    __shared__ int32 reached[2];
    int32 lane = threadIdx.x % TILE;
    int32 warp = threadIdx.x / TILE;
    uint8* end = room.end(pair.row);
    SequenceWriter writer(end, pair, wide, 1);
    int32 i = pair.pattern_length;
    int32 j = pair.text_length;
    while (i > 0 && j > 0) {
        int32 row = i - warp;
        int32 column = j - lane;
        bool inside = row > 0 && column > 0;
        uint32 equal_row = __ballot_sync(~0u, inside && x[row - 1] == y[column - 1]);
        uint32 up_row = __ballot_sync(~0u, inside && table.at(row, column) == table.at(row - 1, column) + 1);
        if (lane == 0) {
            equal[warp] = equal_row;
            up[warp] = up_row;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            int32 rows = 0;
            int32 columns = 0;
            while (rows < min(i, TILE) && columns < min(j, TILE)) {
                if ((equal[rows] >> columns & 1) != 0) {
                    writer.diagonal(i - ++rows, true);
                    columns++;
                } else if ((up[rows] >> columns & 1) != 0) {
                    writer.up(i - ++rows);
                } else {
                    writer.left(j - ++columns);
                }
            }
            reached[0] = i - rows;
            reached[1] = j - columns;
        }
        __syncthreads();
        i = reached[0];
        j = reached[1];
    }
    if (threadIdx.x == 0) {
        writer.rest(i, j);
        lengths[pair.row] = static_cast<int32>(end - writer.text.at);
    }
}

}  // namespace

// - table: a whole table, as written by scs_row or scs_rows
extern "C" __global__ void __launch_bounds__(TILE * TILE) scs_walk_rows(
        const Pair* pair,
        int32 wide,
        const int32* x,
        const int32* y,
        const int32* table,
        const int32* a_offsets,
        const int32* b_offsets,
        int32 factor,
        uint8* bytes,
        int32* lengths) {
    Rows rows{table, pair->text_length + 1LL};
    walk(*pair, wide, x, y, rows, Room{a_offsets, b_offsets, factor, bytes}, lengths);
}

// - table: a whole table, as written by scs_anti_diagonal
extern "C" __global__ void __launch_bounds__(TILE * TILE) scs_walk_diagonals(
        const Pair* pair,
        int32 wide,
        const int32* x,
        const int32* y,
        int32* table,
        const int32* a_offsets,
        const int32* b_offsets,
        int32 factor,
        uint8* bytes,
        int32* lengths) {
    Diagonals diagonals{table, pair->pattern_length, pair->text_length, 1};
    walk(*pair, wide, x, y, diagonals, Room{a_offsets, b_offsets, factor, bytes}, lengths);
}

// Computes the lengths for pairs with an empty string.
extern "C" __global__ void scs_length_empty(const Pair* pairs, int32 count, int32* results) {
    int64 index = thread_index();
    if (index < count) {
        results[pairs[index].row] = pairs[index].pattern_length + pairs[index].text_length;
    }
}

extern "C" __global__ void scs_length(const Pair* pair, const int32* corner, int32* results) {
    results[pair->row] = *corner;
}
