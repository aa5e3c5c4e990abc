// Computes products of large tiles, and products of squares of tiles within them (large.cu).
#pragma once
#include "chain/weights.cuh"
#include "tiles/product.cuh"

namespace {

// The vertices of a chain. Splits are processed in slices, each of which contains as many splits as a product copies at
// a time. Slices that are not needed to find the minimum of any cell of a tile are skipped (weights.cuh). Only chains
// have vertex factors; for all other weights, the pointers are unused.
template <typename Value>
struct Vertices {
    const Value* factors;   // 0 after the last vertex
    // for each slice, the nearest earlier slice with a factor no larger than all of this slice's factors, or -1
    const int32* previous;
    const int32* next;      // the nearest such slice after it, or the number of slices
};

// The location of the two factors of a product.
template <typename Value>
struct Factors {
    const Value* left;   // the left factor's rows, from the first split on
    const Value* above;  // the right factor's columns, one row for each split
    int64 pitch;
    int splits;
    // the first vertex of the rows, of the splits and of the columns
    int row;
    int split;
    int column;
};

template <typename Weights>
struct SplitTile {
    using Value = typename Weights::Value;
    using A = typename Weights::Arithmetic;
    using Shape = TileShape<Value>;

    // In shared memory, a left factor has a line for each split, but in device memory, it has a line for each row. A
    // warp copies 8 rows of 4 splits at a time, which avoids bank conflicts.
    static constexpr int LEFT_PITCH = TILE + 32 / sizeof(Value);
    static constexpr int LEFT = Shape::DEPTH * LEFT_PITCH;
    static constexpr int STAGE = LEFT + Shape::SLICE + Shape::DEPTH;
    static constexpr int SHARED_BYTES = Shape::STAGES * STAGE * sizeof(Value);
    static constexpr int MAX_SLICES = 8192 / Shape::DEPTH;  // the maximum number of slices in a product

    ThreadTile<Value> x;
    Value row_factors[Weights::BY_SPLIT ? Shape::ROWS : 1];
    Value column_factors[Weights::BY_SPLIT ? Shape::COLUMNS : 1];

    static __device__ __forceinline__ void copy_left(Value* to, const Value* from, int64 pitch) {
        constexpr int WARPS = Shape::THREADS / 32;
        constexpr int SPLITS = Shape::DEPTH / 4;
        int split = threadIdx.x % 4;
        int row = threadIdx.x / 32 * 8 + threadIdx.x % 32 / 4;
#pragma unroll
        for (int piece = 0; piece < TILE / 8 / WARPS; piece++) {
#pragma unroll
            for (int at = 0; at < SPLITS; at++) {
                copy_value_async(
                        to + (at * 4 + split) * LEFT_PITCH + row + piece * (8 * WARPS),
                        from + (row + piece * (8 * WARPS)) * pitch + at * 4 + split);
            }
        }
    }

    // Writes the slices of a chain that are needed to find the minimum of each cell, in ascending order. Returns their
    // number.
    static __device__ __forceinline__ int choose(
            const Factors<Value>& of, const Vertices<Value>& vertices, uint16* chosen) {
        __shared__ uint32 bits[MAX_SLICES / 32];
        int slices = of.splits / Shape::DEPTH;
        int first = of.split / Shape::DEPTH;
        for (int slice = threadIdx.x; slice < (slices + 31) / 32 * 32; slice += Shape::THREADS) {
            bool relevant = slice < slices
                    && (vertices.previous[first + slice] < (of.row + TILE) / Shape::DEPTH
                        || vertices.next[first + slice] >= of.column / Shape::DEPTH);
            uint32 found = __ballot_sync(0xffffffff, relevant);
            if (threadIdx.x % 32 == 0) {
                bits[slice / 32] = found;
            }
        }
        __syncthreads();
        int count = 0;
        for (int word = 0; word < (slices + 31) / 32; word++) {
            uint32 found = bits[word];
            int lane = threadIdx.x % 32;
            if (threadIdx.x / 32 == word % (Shape::THREADS / 32) && (found >> lane & 1) != 0) {
                chosen[count + __popc(found & ((1u << lane) - 1))] = static_cast<uint16>(word * 32 + lane);
            }
            count += __popc(found);
        }
        __syncthreads();
        return count;
    }

    __device__ __forceinline__ void add(
            const Value (&left)[Shape::ROWS], Value factor, const Value (&above)[Shape::COLUMNS]) {
#pragma unroll
        for (int i = 0; i < Shape::ROWS; i++) {
            Value both = Weights::BY_SPLIT ? pair<Weights>(row_factors[Weights::BY_SPLIT ? i : 0], factor) : Value(0);
#pragma unroll
            for (int j = 0; j < Shape::COLUMNS; j++) {
                relax<Weights>(x.cells[i][j], left[i], both, column_factors[Weights::BY_SPLIT ? j : 0], above[j]);
            }
        }
    }

    // Tries to split all cells of a tile at the vertices of a product, which are outside the tile.
    __device__ __forceinline__ void split(Value* cells, const Factors<Value>& of, const Vertices<Value>& vertices) {
        extern __shared__ __align__(16) uint8 shared_bytes[];
        __shared__ uint16 chosen[Weights::BY_SPLIT ? MAX_SLICES : 1];
        Value* shared = reinterpret_cast<Value*>(shared_bytes);
        int slices = of.splits / Shape::DEPTH;
        if constexpr (Weights::BY_SPLIT) {
            slices = choose(of, vertices, chosen);
            if (slices == 0) {
                return;
            }
            load_rows(row_factors, vertices.factors + of.row);
            load_columns(column_factors, vertices.factors + of.column);
        }
        x.load_from(cells, of.pitch);
        auto copy = [&](int number) {
            int first = (Weights::BY_SPLIT ? chosen[number] : number) * Shape::DEPTH;
            Value* to = shared + number % Shape::STAGES * STAGE;
            copy_left(to, of.left + first, of.pitch);
            copy_slice(to + LEFT, of.above + first * of.pitch, of.pitch);
            if (Weights::BY_SPLIT && threadIdx.x < Shape::DEPTH) {
                copy_value_async(to + LEFT + Shape::SLICE + threadIdx.x,
                        vertices.factors + of.split + first + threadIdx.x);
            }
        };
#pragma unroll
        for (int number = 0; number < Shape::STAGES - 1; number++) {
            if (number < slices) {
                copy(number);
            }
            end_copies();
        }
#pragma unroll 1
        for (int number = 0; number < slices; number++) {
            await_copies<Shape::STAGES - 2>();
            __syncthreads();
            if (number + Shape::STAGES - 1 < slices) {
                copy(number + Shape::STAGES - 1);
            }
            end_copies();
            const Value* u = shared + number % Shape::STAGES * STAGE;
            const Value* v = u + LEFT;
#pragma unroll(Weights::BY_SPLIT ? 2 : Shape::DEPTH)
            for (int k = 0; k < Shape::DEPTH; k++) {
                Value left[Shape::ROWS];
                Value above[Shape::COLUMNS];
                load_rows(left, u + k * LEFT_PITCH);
                load_columns(above, v + k * TILE);
                add(left, Weights::BY_SPLIT ? v[Shape::SLICE + k] : Value(0), above);
            }
        }
        x.store_to(cells, of.pitch);
    }
};

// Runs function C, with one block per tile of the target.
//
// - cells: the target, a large tile of `down` by `across` tiles
// - large: the location of the product's two factors, which are large tiles with the target's pitch
template <typename Weights>
__device__ __forceinline__ void split_large(
        typename Weights::Value* cells, const Factors<typename Weights::Value>& large, int down, int across,
        const Vertices<typename Weights::Value>& vertices) {
    int i;
    int j;
    by_bands(blockIdx.x, down, across, i, j);
    auto of = large;
    of.left += i * (TILE * of.pitch);
    of.above += j * TILE;
    of.row += i * TILE;
    of.column += j * TILE;
    SplitTile<Weights>().split(cells + i * (TILE * of.pitch) + j * TILE, of, vertices);
}

// A task of function A or B. Tiles are numbered over the rows and then the columns of the target: tiles 0 to parts - 1
// belong to the rows. For A, all tiles belong to the rows.
template <typename Value>
struct LargeTile {
    Value* cells;
    const Value* weights;  // the weights of the target
    const Value* rows;     // the large tile on the diagonal in the target's rows; for A, the target itself
    const Value* columns;  // the diagonal large tile in the target's columns
    int64 pitch;
    int parts;
    int tiles;  // the total number of tiles in the rows and the columns
    int row;    // the first vertex of the target's rows
    int column;
    int vertices;

    __device__ __forceinline__ int64 at(int i, int j) const {
        return i % parts * (TILE * pitch) + j % parts * TILE;
    }
    __device__ __forceinline__ Value* target(int i, int j) const {
        return cells + at(i, j);
    }
    __device__ __forceinline__ const Value* source(int i, int j) const {
        return (j < parts ? rows : i < parts ? cells : columns) + at(i, j);
    }
    __device__ __forceinline__ int vertex(int tile) const {
        return tile < parts ? row + tile * TILE : column + (tile - parts) * TILE;
    }
};

// A product of squares of tiles, function C for the squares i, middle and j; or a tile (i, j) to close, without
// `middle`.
struct LargeTask {
    int i;
    int j;
    int middle;
    int unused;
};

// Computes the products of all tasks, with one block for each tile of a task's square.
template <typename Weights>
__device__ __forceinline__ void split_squares(
        const LargeTile<typename Weights::Value>& large, const LargeTask* tasks, int square,
        const Vertices<typename Weights::Value>& vertices) {
    LargeTask task = tasks[blockIdx.x / (square * square)];
    int part = blockIdx.x % (square * square);
    int i = task.i * square + part % square;
    int j = task.j * square + part / square;
    int middle = task.middle * square;
    if (j >= large.tiles) {
        return;
    }
    SplitTile<Weights>().split(
            large.target(i, j),
            {large.source(i, middle), large.source(middle, j), large.pitch, square * TILE, large.vertex(i),
            large.vertex(middle),
                    large.vertex(j)},
            vertices);
}

}  // namespace
