// Computes a parenthesization's table (weights.cuh) that exceeds the GPU's memory, in large tiles that each consist of
// many tiles (dev.bellman.chain.LargeParenthesization). A large tile is in this memory while a task reads or writes it.
// The functions follow Javanmard et al., "Toward efficient architecture-independent algorithms for dynamic programs"
// (2019), as in tiled.cuh. A computes a large tile on the diagonal; B computes any other large tile from itself and the
// diagonal tiles of its rows and columns; C adds a product of two large tiles. In this file, C is one launch of
// `product`. A and B are recursions on their tiles. Each of their waves computes products of squares of tiles
// (`products`) or closes tiles (`close`).
//
// Large tiles are stored row by row, and only those on and above the diagonal exist. A cell without a value, which is
// on or below the diagonal or after the last vertex, contains the arithmetic's infinity.
#include "chain/large_tiles.cuh"
#include "common/host.cuh"

namespace {

// Returns the cost or, if it exceeds 63 bits, the single representation of all such costs.
template <typename Value>
__device__ __forceinline__ Value capped(Value cost) {
    return cost;
}
__device__ __forceinline__ uint64 capped(uint64 cost) {
    return cost >> 63 == 0 ? cost : Saturating::infinity();
}

constexpr int32 CLOSING_THREADS = 256;
constexpr int CLOSED = 16;  // the side of a square of cells that a warp closes

template <typename Value>
struct ClosingShape {
    static constexpr int PITCH = TILE + 16 / sizeof(Value);
    static constexpr int BYTES = TILE * PITCH * sizeof(Value);
};

// Closes a tile: after the splits outside the tile's own rows and columns have been tried, tries those inside. The tile
// is closed in squares of CLOSED by CLOSED cells, from the lower left one on. Squares on a diagonal are independent of
// each other, and each is processed by one warp. A warp adds the products of closed squares, and then closes its
// square.
template <typename Weights>
struct Closing {
    using Value = typename Weights::Value;
    using A = typename Weights::Arithmetic;
    static constexpr int PITCH = ClosingShape<Value>::PITCH;
    static constexpr int SQUARES = TILE / CLOSED;
    static constexpr int LANE_ROWS = 2;
    static constexpr int LANE_COLUMNS = 4;

    Value* cells;         // the cells, in shared memory
    const Value* rows;    // the diagonal tile in this tile's rows
    const Value* columns;  // the diagonal tile in this tile's columns
    int64 rows_pitch;
    int64 columns_pitch;
    bool on_diagonal;
    const Value* row_factors;
    const Value* column_factors;
    Value* weights;  // the weights of this warp's square of cells, in shared memory
    int vertices;    // the number of vertices from the tile's first column on

    // Returns the weight for row i and column j of this warp's square.
    __device__ __forceinline__ Value weight(int i, int j) const {
        return Weights::BY_RANGE ? weights[i * (CLOSED + 1) + j] : Value(0);
    }

    // Returns the cost of a cell in a column of the tile, given the smallest candidate.
    __device__ __forceinline__ Value finished(Value least, Value weight, int column) const {
        if (column >= vertices) {
            return A::infinity();
        }
        if constexpr (Weights::BY_RANGE) {
            return capped(A::sum(least, weight));
        } else {
            return capped(least);
        }
    }

    // Tries to split a cell at a vertex of the tile's rows or columns. The cell's row and column are relative to the
    // tile.
    __device__ __forceinline__ void relax_at(
            Value& least, Value left, int row, const Value* factors, int split, int column, Value right) const {
        if constexpr (Weights::BY_SPLIT) {
            relax<Weights>(least, left, pair<Weights>(row_factors[row], factors[split]), column_factors[column], right);
        } else {
            relax<Weights>(least, left, Value(0), Value(0), right);
        }
    }

    __device__ __forceinline__ void multiply(
            Value (&sums)[LANE_ROWS][LANE_COLUMNS], int row, int column, const Value* left, int64 left_pitch,
            const Value* above,
            int64 above_pitch, const Value* factors) const {
        constexpr int TOGETHER = 4;
#pragma unroll 2
        for (int first = 0; first < CLOSED; first += TOGETHER) {
            Value lefts[LANE_ROWS][TOGETHER];
#pragma unroll
            for (int i = 0; i < LANE_ROWS; i++) {
                load(lefts[i], left + i * left_pitch + first);
            }
#pragma unroll
            for (int k = 0; k < TOGETHER; k++) {
                Value aboves[LANE_COLUMNS];
                load(aboves, above + (first + k) * above_pitch);
#pragma unroll
                for (int i = 0; i < LANE_ROWS; i++) {
#pragma unroll
                    for (int j = 0; j < LANE_COLUMNS; j++) {
                        relax_at(sums[i][j], lefts[i][k], row + i, factors, first + k, column + j, aboves[j]);
                    }
                }
            }
        }
    }

    // Adds the products of the squares that lie between a square's rows and its columns.
    __device__ __forceinline__ void add_products(int a, int b) const {
        int lane = threadIdx.x % 32;
        int row = a * CLOSED + lane / 4 * LANE_ROWS;
        int column = b * CLOSED + lane % 4 * LANE_COLUMNS;
        Value sums[LANE_ROWS][LANE_COLUMNS];
#pragma unroll
        for (int i = 0; i < LANE_ROWS; i++) {
            load(sums[i], cells + (row + i) * PITCH + column);
        }
        for (int middle = a + 1; middle < (on_diagonal ? b : SQUARES); middle++) {
            multiply(
                    sums, row, column, rows + row * rows_pitch + middle * CLOSED, rows_pitch,
                    cells + middle * CLOSED * PITCH + column, PITCH, row_factors + middle * CLOSED);
        }
        for (int middle = 0; middle < (on_diagonal ? 0 : b); middle++) {
            multiply(
                    sums, row, column, cells + row * PITCH + middle * CLOSED, PITCH,
                    columns + middle * CLOSED * columns_pitch + column, columns_pitch,
                    column_factors + middle * CLOSED);
        }
#pragma unroll
        for (int i = 0; i < LANE_ROWS; i++) {
            store(cells + (row + i) * PITCH + column, sums[i]);
        }
    }

    // Closes a diagonal square of a diagonal tile. The splits of a cell in this square are the vertices between its row
    // and its column. Processes one diagonal of cells after another, with one lane per row.
    __device__ __forceinline__ void close_diagonal(int a) const {
        int i = threadIdx.x % 32;
        Value* square = cells + a * CLOSED * (PITCH + 1);
        for (int distance = 1; distance < CLOSED; distance++) {
            int j = i + distance;
            if (j < CLOSED) {
                Value least = square[i * PITCH + j];
                for (int k = i + 1; k < j; k++) {
                    relax_at(least, square[i * PITCH + k], a * CLOSED + i, row_factors, a * CLOSED + k, a * CLOSED + j,
                            square[k * PITCH + j]);
                }
                square[i * PITCH + j] = finished(least, weight(i, j), a * CLOSED + j);
            }
            __syncwarp();
        }
    }

    // Closes a square that is not on the diagonal, several columns at a time, with one lane for each row. The last row
    // of a column is closed first. Its cell then serves as a split for the cells above it, and so on upwards. Each
    // column is one row behind the previous column.
    __device__ __forceinline__ void close(int a, int b) const {
        constexpr int TOGETHER = 4;
        int i = threadIdx.x % CLOSED;  // both halves of the warp do the same work
        Value* row = cells + (a * CLOSED + i) * PITCH + b * CLOSED;
        const Value* above = columns + b * CLOSED * columns_pitch + b * CLOSED;
        Value lefts[CLOSED];
        load(lefts, rows + (a * CLOSED + i) * rows_pitch + a * CLOSED);
#pragma unroll 1
        for (int first = 0; first < CLOSED; first += TOGETHER) {
            Value x[TOGETHER];
            load(x, row + first);
            for (int k = 0; k < first; k += TOGETHER) {
                Value own[TOGETHER];
                load(own, row + k);
#pragma unroll
                for (int e = 0; e < TOGETHER; e++) {
                    Value aboves[TOGETHER];
                    load(aboves, above + (k + e) * columns_pitch + first);
#pragma unroll
                    for (int c = 0; c < TOGETHER; c++) {
                        relax_at(x[c], own[e], a * CLOSED + i, column_factors, b * CLOSED + k + e,
                                b * CLOSED + first + c, aboves[c]);
                    }
                }
            }
            Value given[TOGETHER];
#pragma unroll
            for (int c = 0; c < TOGETHER; c++) {
                given[c] = weight(i, first + c);
            }
            Value between[TOGETHER][TOGETHER];
#pragma unroll
            for (int c = 0; c < TOGETHER - 1; c++) {
                load(between[c], above + (first + c) * columns_pitch + first);
            }
#pragma unroll
            for (int step = 0; step < CLOSED + TOGETHER - 1; step++) {
#pragma unroll
                for (int c = 0; c < TOGETHER; c++) {
                    int k = CLOSED - 1 - step + c;
                    if (k < 0 || k >= CLOSED) {
                        continue;
                    }
                    if (i == k) {
                        x[c] = finished(x[c], given[c], b * CLOSED + first + c);
#pragma unroll
                        for (int later = c + 1; later < TOGETHER; later++) {
                            relax_at(
                                    x[later], x[c], a * CLOSED + i, column_factors, b * CLOSED + first + c,
                                    b * CLOSED + first + later,
                                    between[c][later]);
                        }
                    }
                    Value below = __shfl_sync(0xffffffff, x[c], k);
                    if (i < k) {
                        relax_at(x[c], lefts[k], a * CLOSED + i, row_factors, a * CLOSED + k, b * CLOSED + first + c,
                                below);
                    }
                }
            }
            __syncwarp();
            store(row + first, x);
            __syncwarp();
        }
    }

    __device__ __forceinline__ void run(const Value* given, int64 pitch) const {
        int a = threadIdx.x / 32;
        for (int diagonal = on_diagonal ? 0 : 1 - SQUARES; diagonal < SQUARES; diagonal++) {
            int b = a + diagonal;
            if (b >= 0 && b < SQUARES) {
                if constexpr (Weights::BY_RANGE) {
                    for (int cell = threadIdx.x % 32; cell < CLOSED * CLOSED; cell += 32) {
                        int i = cell / CLOSED;
                        int j = cell % CLOSED;
                        weights[i * (CLOSED + 1) + j] = given[(a * CLOSED + i) * pitch + b * CLOSED + j];
                    }
                }
                add_products(a, b);
                __syncwarp();
                if (on_diagonal && a == b) {
                    close_diagonal(a);
                } else {
                    close(a, b);
                }
            }
            __syncthreads();
        }
    }
};

// Prefetches the upper triangle of a tile into the L1 cache, on GPUs of compute capability 8.0 or later.
template <typename Value>
__device__ __forceinline__ void fetch(const Value* tile, int64 pitch) {
#if __CUDA_ARCH__ >= 800
    constexpr int LINE = 128 / sizeof(Value);
    for (int i = threadIdx.x; i < TILE * TILE / LINE; i += CLOSING_THREADS) {
        int row = i / (TILE / LINE);
        int column = i % (TILE / LINE) * LINE;
        if (column + LINE > row) {
            asm volatile("prefetch.global.L1 [%0];" ::"l"(tile + row * pitch + column));
        }
    }
#endif
}

// Closes the tile (i, j) of each task, with one block per task.
template <typename Weights>
__device__ __forceinline__ void close_tiles(
        const LargeTile<typename Weights::Value>& large, const LargeTask* tasks,
        const typename Weights::Value* factors) {
    using Value = typename Weights::Value;
    constexpr int PITCH = ClosingShape<Value>::PITCH;
    constexpr int VECTOR = 16 / sizeof(Value);
    constexpr int WARPS = CLOSING_THREADS / 32;
    extern __shared__ __align__(16) uint8 shared_bytes[];
    __shared__ Value row_factors[Weights::BY_SPLIT ? TILE : 1];
    __shared__ Value column_factors[Weights::BY_SPLIT ? TILE : 1];
    __shared__ Value weights[Weights::BY_RANGE ? WARPS : 1][Weights::BY_RANGE ? CLOSED * (CLOSED + 1) : 1];
    LargeTask task = tasks[blockIdx.x];
    if (task.j >= large.tiles) {
        return;
    }
    Value* cells = reinterpret_cast<Value*>(shared_bytes);
    Value* target = large.target(task.i, task.j);
    for (int i = threadIdx.x; i < TILE * TILE / VECTOR; i += CLOSING_THREADS) {
        int row = i / (TILE / VECTOR);
        int column = i % (TILE / VECTOR) * VECTOR;
        copy_async(cells + row * PITCH + column, target + row * large.pitch + column);
    }
    end_copies();
    bool on_diagonal = task.i == task.j;
    if (!on_diagonal) {
        fetch(large.source(task.i, task.i), large.pitch);
        fetch(large.source(task.j, task.j), large.pitch);
    }
    if (Weights::BY_SPLIT && threadIdx.x < TILE) {
        row_factors[threadIdx.x] = factors[large.vertex(task.i) + threadIdx.x];
        column_factors[threadIdx.x] = factors[large.vertex(task.j) + threadIdx.x];
    }
    await_copies<0>();
    __syncthreads();
    Closing<Weights>{
            cells,
            on_diagonal ? cells : large.source(task.i, task.i),
            on_diagonal ? cells : large.source(task.j, task.j),
            on_diagonal ? PITCH : large.pitch,
            on_diagonal ? PITCH : large.pitch,
            on_diagonal,
            row_factors,
            column_factors,
            weights[Weights::BY_RANGE ? threadIdx.x / 32 : 0],
            large.vertices - large.vertex(task.j)}
            .run(large.weights + large.at(task.i, task.j), large.pitch);
    for (int i = threadIdx.x; i < TILE * TILE / VECTOR; i += CLOSING_THREADS) {
        int row = i / (TILE / VECTOR);
        int column = i % (TILE / VECTOR) * VECTOR;
        *reinterpret_cast<uint4*>(target + row * large.pitch + column) =
                *reinterpret_cast<const uint4*>(cells + row * PITCH + column);
    }
}

}  // namespace

FOR_HOST(TILE);
FOR_HOST(CLOSING_THREADS);

// Defines the kernels <name>_product, <name>_products and <name>_close, which are described above, and these constants:
// - <name>_threads: the number of threads of a block, except for <name>_close
// - <name>_slice: the number of vertices in a slice
// - <name>_shared: the bytes of shared memory of a block, except for <name>_close
// - <name>_closing_shared: the bytes of shared memory of a block of <name>_close
#define LARGE(name, weights, value, blocks) \
    constexpr int32 name##_threads = TileShape<value>::THREADS; \
    FOR_HOST(name##_threads); \
    constexpr int32 name##_slice = TileShape<value>::DEPTH; \
    FOR_HOST(name##_slice); \
    constexpr int32 name##_shared = SplitTile<weights>::SHARED_BYTES; \
    FOR_HOST(name##_shared); \
    constexpr int32 name##_closing_shared = ClosingShape<value>::BYTES; \
    FOR_HOST(name##_closing_shared); \
    extern "C" __global__ void __launch_bounds__(TileShape<value>::THREADS, blocks) name##_product( \
            value* cells, const value* left, const value* above, int64 pitch, int down, int across, int splits, \
            int row, int split, int column, const value* factors, const int32* previous, const int32* next) { \
        split_large<weights>(cells, {left, above, pitch, splits, row, split, column}, down, across, \
                {factors, previous, next}); \
    } \
    extern "C" __global__ void __launch_bounds__(TileShape<value>::THREADS, blocks) name##_products( \
            value* cells, const value* rows, const value* columns, int64 pitch, int parts, int tiles, int row, \
            int column, \
            const LargeTask* tasks, int square, const value* factors, const int32* previous, const int32* next) { \
        split_squares<weights>({cells, nullptr, rows, columns, pitch, parts, tiles, row, column, 0}, tasks, square, \
                {factors, previous, next}); \
    } \
    extern "C" __global__ void __launch_bounds__(CLOSING_THREADS) name##_close( \
            value* cells, const value* given, const value* rows, const value* columns, int64 pitch, int parts, \
            int tiles, int row, \
            int column, int vertices, const LargeTask* tasks, const value* factors) { \
        close_tiles<weights>({cells, given, rows, columns, pitch, parts, tiles, row, column, vertices}, tasks, \
                factors); \
    }
#define LIST(...) __VA_ARGS__
#define LARGE_CHAIN(name, arithmetic, value, blocks) LARGE(name, ChainProduct<arithmetic>, value, blocks)
#define LARGE_RANGES(name, arithmetic, value, blocks) LARGE(name, LIST(RangeWeights<arithmetic, value>), value, blocks)

LARGE_CHAIN(chain_int32, Int32, int32, 2)
LARGE_CHAIN(chain_float64, Float64, double, 1)
LARGE_CHAIN(chain_saturating, Saturating, uint64, 1)
LARGE_RANGES(ranges_int32, Int32, int32, 2)
LARGE_RANGES(ranges_float64, Float64, double, 1)
LARGE_RANGES(ranges_saturating, Saturating, uint64, 1)
