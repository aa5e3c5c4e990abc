// Updates a tile X of TILE by TILE cells in registers: X = X + U x V, where U and V are other tiles, or X itself is U
// or V or both. Proceeds column by column of U and row by row of V. `operation` defines the product (`times`) and,
// instead of the sum, a choice: `improves` tests whether the second of two values improves on the first. A candidate
// replaces a cell only if it improves the cell even when it is computed from `operation.reach(value)` instead of the
// value of V. A block processes one tile, and each thread has ROWS by COLUMNS cells of the tile.
//
// A warp has 32 rows, in groups of 4 vectors of 16 bytes; each of its 4 x 8 lanes has one vector in each of these
// groups. Columns are divided likewise. Therefore, 8 adjacent lanes read 8 adjacent vectors and the 4 rows of lanes
// read 4 vectors, so that there are no bank conflicts.
#pragma once
#include "common/copies.cuh"
#include "common/vectors.cuh"

namespace {

constexpr int TILE = 128;

template <typename Value>
struct TileShape {
    static constexpr int WIDTH = 16 / sizeof(Value);  // the number of values in a vector
    static constexpr int ROWS = 8;
    static constexpr int COLUMNS = 32 / sizeof(Value);
    static constexpr int THREADS = TILE * TILE / (ROWS * COLUMNS);
    static constexpr int WARP_COLUMNS = 8 * COLUMNS;
    static constexpr int DEPTH = 64 / sizeof(Value);  // the depth of the slice that is copied at a time
    static constexpr int SLICES = TILE / DEPTH;
    static constexpr int STAGES = 4;
    static constexpr int SLICE = DEPTH * TILE;
    static constexpr int SHARED_BYTES = STAGES * 2 * SLICE * sizeof(Value);
};

// The cells of a tile that one thread processes.
template <typename Value>
class ThreadTile {
public:
    using Shape = TileShape<Value>;
    static constexpr int WIDTH = Shape::WIDTH;

    Value cells[Shape::ROWS][Shape::COLUMNS];

    // Returns the first of this thread's rows.
    static __device__ __forceinline__ int first_row() {
        return threadIdx.x / 32 % 4 * 32 + threadIdx.x % 32 / 8 * WIDTH;
    }
    static __device__ __forceinline__ int first_column() {
        return threadIdx.x / 128 * Shape::WARP_COLUMNS + threadIdx.x % 8 * WIDTH;
    }
    static __device__ __forceinline__ int row(int i) {
        return first_row() + i / WIDTH * (4 * WIDTH) + i % WIDTH;
    }
    static __device__ __forceinline__ int column(int j) {
        return first_column() + j / WIDTH * (8 * WIDTH) + j % WIDTH;
    }

    // Loads this thread's cells, bypassing the L1 cache, in which other blocks' writes may not be visible.
    __device__ __forceinline__ void load_from(const Value* tile, int64 pitch) {
#pragma unroll
        for (int i = 0; i < Shape::ROWS; i++) {
#pragma unroll
            for (int j = 0; j < Shape::COLUMNS; j += WIDTH) {
                union {
                    uint4 vector;
                    Value values[WIDTH];
                } read;
                read.vector = __ldcg(reinterpret_cast<const uint4*>(tile + row(i) * pitch + column(j)));
#pragma unroll
                for (int lane = 0; lane < WIDTH; lane++) {
                    cells[i][j + lane] = read.values[lane];
                }
            }
        }
    }

    __device__ __forceinline__ void store_to(Value* tile, int64 pitch) const {
#pragma unroll
        for (int i = 0; i < Shape::ROWS; i++) {
#pragma unroll
            for (int j = 0; j < Shape::COLUMNS; j += WIDTH) {
                Value vector[WIDTH];
#pragma unroll
                for (int lane = 0; lane < WIDTH; lane++) {
                    vector[lane] = cells[i][j + lane];
                }
                store(tile + row(i) * pitch + column(j), vector);
            }
        }
    }
};

// Starts to copy a slice of a factor, which consists of several lines of TILE values each.
template <typename Value>
__device__ __forceinline__ void copy_slice(Value* to, const Value* from, int64 pitch) {
    using Shape = TileShape<Value>;
    constexpr int LINE = TILE / Shape::WIDTH;
#pragma unroll
    for (int piece = 0; piece < Shape::DEPTH * LINE / Shape::THREADS; piece++) {
        int at = piece * Shape::THREADS + threadIdx.x;
        int column = at % LINE * Shape::WIDTH;
        copy_async(to + at / LINE * TILE + column, from + at / LINE * pitch + column);
    }
}

// Loads a thread's values (those of its rows or of its columns) from a line of TILE values.
template <typename Value>
__device__ __forceinline__ void load_rows(Value (&to)[TileShape<Value>::ROWS], const Value* line) {
    constexpr int WIDTH = TileShape<Value>::WIDTH;
#pragma unroll
    for (int i = 0; i < TileShape<Value>::ROWS; i += WIDTH) {
        load(reinterpret_cast<Value(&)[WIDTH]>(to[i]), line + ThreadTile<Value>::row(i));
    }
}

template <typename Value>
__device__ __forceinline__ void load_columns(Value (&to)[TileShape<Value>::COLUMNS], const Value* line) {
    constexpr int WIDTH = TileShape<Value>::WIDTH;
#pragma unroll
    for (int j = 0; j < TileShape<Value>::COLUMNS; j += WIDTH) {
        load(reinterpret_cast<Value(&)[WIDTH]>(to[j]), line + ThreadTile<Value>::column(j));
    }
}

// Adds the product of one column of U and one row of V. An H200 computes the minimum of a value and a 32-bit sum in one
// instruction. With 64 bits, a selection takes as long as the sum and the comparison together, but sums seldom improve
// a cell. Therefore, a thread first compares the sums for two rows, and selects only if a sum is better.
template <typename Operation, typename Value>
__device__ __forceinline__ void add_outer(
        const Operation& operation,
        ThreadTile<Value>& x,
        const Value (&left)[TileShape<Value>::ROWS],
        const Value (&above)[TileShape<Value>::COLUMNS]) {
    constexpr int COLUMNS = TileShape<Value>::COLUMNS;
    Value reach[COLUMNS];
#pragma unroll
    for (int j = 0; j < COLUMNS; j++) {
        reach[j] = operation.reach(above[j]);
    }
    constexpr int TOGETHER = sizeof(Value) == 4 ? 1 : 2;
#pragma unroll
    for (int first = 0; first < TileShape<Value>::ROWS; first += TOGETHER) {
        Value products[TOGETHER][COLUMNS];
        bool improves = false;
#pragma unroll
        for (int i = 0; i < TOGETHER; i++) {
#pragma unroll
            for (int j = 0; j < COLUMNS; j++) {
                products[i][j] = Operation::times(left[first + i], reach[j]);
                improves |= Operation::improves(x.cells[first + i][j], products[i][j]);
            }
        }
        if (TOGETHER > 1) {
            if (!improves) {
                continue;
            }
            asm volatile("");  // without this, the compiler would select without a branch
        }
#pragma unroll
        for (int i = 0; i < TOGETHER; i++) {
#pragma unroll
            for (int j = 0; j < COLUMNS; j++) {
                Value& cell = x.cells[first + i][j];
                cell = Operation::improves(cell, products[i][j]) ? Operation::times(left[first + i], above[j]) : cell;
            }
        }
    }
}

// Adds a product. Both factors are stored as lines that are `pitch` apart: the columns of U and the rows of V, `slices`
// times DEPTH of each, in ascending order.
template <typename Operation, typename Value>
__device__ __forceinline__ void add_product(
        const Operation& operation,
        ThreadTile<Value>& x,
        const Value* columns,
        const Value* rows,
        int64 pitch,
        int slices = TileShape<Value>::SLICES) {
    using Shape = TileShape<Value>;
    extern __shared__ __align__(16) uint8 shared_bytes[];
    Value* shared = reinterpret_cast<Value*>(shared_bytes);
    auto copy = [&](int slice) {
        Value* to = shared + slice % Shape::STAGES * 2 * Shape::SLICE;
        copy_slice(to, columns + slice * Shape::DEPTH * pitch, pitch);
        copy_slice(to + Shape::SLICE, rows + slice * Shape::DEPTH * pitch, pitch);
    };
#pragma unroll
    for (int slice = 0; slice < Shape::STAGES - 1; slice++) {
        copy(slice);
        end_copies();
    }
#pragma unroll 1
    for (int slice = 0; slice < slices; slice++) {
        await_copies<Shape::STAGES - 2>();
        __syncthreads();
        if (slice + Shape::STAGES - 1 < slices) {
            copy(slice + Shape::STAGES - 1);
        }
        end_copies();
        const Value* u = shared + slice % Shape::STAGES * 2 * Shape::SLICE;
        const Value* v = u + Shape::SLICE;
#pragma unroll
        for (int k = 0; k < Shape::DEPTH; k++) {
            Value left[Shape::ROWS];
            Value above[Shape::COLUMNS];
            load_rows(left, u + k * TILE);
            load_columns(above, v + k * TILE);
            add_outer(operation, x, left, above);
        }
    }
    __syncthreads();
}

// Adds the product of column k and row k for each k in ascending order, if the columns, the rows, or both belong to
// this tile itself. At step k, the threads with the cells of column k or row k pass them to the other threads, and
// write them to `columns` or `rows` for other blocks. Columns or rows that do not belong to the tile are read from
// `columns` or `rows` instead.
//
// `operation.row(value)` is the value that a row passes on. `operation.pivot(value, k)` receives cell (k, k) of a tile
// that supplies both the columns and the rows.
template <bool OWN_COLUMNS, bool OWN_ROWS, typename Operation, typename Value>
__device__ __forceinline__ void sweep(
        const Operation& operation, ThreadTile<Value>& x, Value* columns, int64 columns_pitch, Value* rows,
        int64 rows_pitch) {
    using Shape = TileShape<Value>;
    constexpr int WIDTH = Shape::WIDTH;
    extern __shared__ __align__(16) uint8 shared_bytes[];
    Value* given = reinterpret_cast<Value*>(shared_bytes);
    __shared__ __align__(16) Value own_columns[2][TILE];
    __shared__ __align__(16) Value own_rows[2][TILE];
    auto copy = [&](int slice) {
        Value* to = given + slice % Shape::STAGES * Shape::SLICE;
        if (!OWN_COLUMNS) {
            copy_slice(to, columns + slice * Shape::DEPTH * columns_pitch, columns_pitch);
        } else if (!OWN_ROWS) {
            copy_slice(to, rows + slice * Shape::DEPTH * rows_pitch, rows_pitch);
        }
    };
    int lane_row = threadIdx.x % 32 / 8;
    int lane_column = threadIdx.x % 8;
    int warp_row = threadIdx.x / 32 % 4;
    int warp_column = threadIdx.x / 128;
#pragma unroll
    for (int slice = 0; slice < Shape::STAGES - 1; slice++) {
        copy(slice);
        end_copies();
    }
    // k = ((high * 2 + second) * 2 + first) * DEPTH + low * WIDTH + e, so that the registers of row and column k are
    // known at compile time
#pragma unroll 1
    for (int high = 0; high < Shape::SLICES / 4; high++) {
#pragma unroll
        for (int second = 0; second < 2; second++) {
#pragma unroll
            for (int first = 0; first < 2; first++) {
                int slice = (high * 2 + second) * 2 + first;
                await_copies<Shape::STAGES - 2>();
                __syncthreads();
                if (slice + Shape::STAGES - 1 < Shape::SLICES) {
                    copy(slice + Shape::STAGES - 1);
                }
                end_copies();
#pragma unroll 1
                for (int low = 0; low < 4; low++) {
#pragma unroll
                    for (int e = 0; e < WIDTH; e++) {
                        int k = slice * Shape::DEPTH + low * WIDTH + e;
                        const Value* line = given + slice % Shape::STAGES * Shape::SLICE + (low * WIDTH + e) * TILE;
                        int my_row = (second * 2 + first) % (Shape::ROWS / WIDTH) * WIDTH + e;
                        int my_column = second * WIDTH + e;
                        bool has_row = warp_row == k / 32 && lane_row == low;
                        bool has_column = warp_column == k / Shape::WARP_COLUMNS && lane_column == first * 4 + low;
                        if (OWN_ROWS && has_row) {
#pragma unroll
                            for (int j = 0; j < Shape::COLUMNS; j += WIDTH) {
                                Value vector[WIDTH];
#pragma unroll
                                for (int lane = 0; lane < WIDTH; lane++) {
                                    vector[lane] = operation.row(x.cells[my_row][j + lane]);
                                }
                                store(own_rows[e % 2] + x.column(j), vector);
                                store(rows + k * rows_pitch + x.column(j), vector);
                            }
                        }
                        if (OWN_COLUMNS && has_column) {
#pragma unroll
                            for (int i = 0; i < Shape::ROWS; i += WIDTH) {
                                Value vector[WIDTH];
#pragma unroll
                                for (int lane = 0; lane < WIDTH; lane++) {
                                    vector[lane] = x.cells[i + lane][my_column];
                                }
                                store(own_columns[e % 2] + x.row(i), vector);
                                store(columns + k * columns_pitch + x.row(i), vector);
                            }
                        }
                        if (OWN_ROWS && OWN_COLUMNS && has_row && has_column) {
                            operation.pivot(x.cells[my_row][my_column], k);
                        }
                        __syncthreads();
                        Value left[Shape::ROWS];
                        Value above[Shape::COLUMNS];
                        load_rows(left, OWN_COLUMNS ? own_columns[e % 2] : line);
                        load_columns(above, OWN_ROWS ? own_rows[e % 2] : line);
                        add_outer(operation, x, left, above);
                    }
                }
            }
        }
    }
    __syncthreads();
}

// The number of rows of tiles in a band. Products are processed band by band, and within a band column by column, so
// that the band's left factors stay in the cache.
constexpr int BAND = 16;

// Finds the position of tile number `index` among `down` x `across` tiles.
__device__ __forceinline__ void by_bands(int index, int down, int across, int& i, int& j) {
    int band = index / (BAND * across);
    int height = min(BAND, down - band * BAND);
    index -= band * (BAND * across);
    i = band * BAND + index % height;
    j = index / height;
}

}  // namespace
