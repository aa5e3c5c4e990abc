// Eliminates one large matrix in tiles of EDGE by EDGE entries, in one launch. The matrix is padded to whole tiles; a
// right-hand side is stored as column n. A block keeps a tile in registers: it subtracts the products of the finished
// tiles to the tile's left and above it, one by one, and then finishes the tile. This is
// dev.bellman.large.tiles.Pattern.ELIMINATION, except that all D steps of a tile follow each other directly, so that
// the tile is read and written only once.
//
// Blocks take tiles round by round. Round k consists of tile (k, k), the tiles to its right and the tiles below it.
// Tile (k + 1, k + 1) is taken early, as soon as both tiles that its last product needs have been taken, so that the
// next round does not have to wait for it. A block waits only for tiles that were taken before its own tile.
#pragma once
#include "common/ticket.cuh"
#include "linear/elimination.cuh"
#include "linear/elimination_order.cuh"
#include "linear/elimination_product.cuh"

namespace {

// The matrix in tiles.
//
// - rows: for each row of tiles, the number of finished tiles up to the diagonal
// - columns: for each column of tiles, the number of finished tiles up to the diagonal
struct Tiles {
    double* matrix;
    int64 pitch;
    int32 down;
    int32 across;
    int32* rows;
    int32* columns;

    __device__ __forceinline__ double* at(int32 i, int32 j) const {
        return matrix + i * EDGE * pitch + j * EDGE;
    }
    // Returns tile (i, k) of L.
    __device__ __forceinline__ const double* left(int32 i, int32 k) const {
        return at(i, k);
    }
    __device__ __forceinline__ const double* above(int32 k, int32 j) const {
        return at(k, j);
    }
    __device__ __forceinline__ const double* diagonal(int32 k) const {
        return at(k, k);
    }

    // Makes all threads of the block wait until the tiles (i, 0) to (i, least - 1) and (0, j) to (least - 1, j) are
    // finished. Returns how many pairs of these tiles are finished now.
    __device__ __forceinline__ int32 await_factors(int32 i, int32 j, int32 least) const {
        __shared__ int32 found[2];
        __syncthreads();
        if (threadIdx.x == 0) {
            found[0] = await(rows + i, least);
        } else if (threadIdx.x == 32) {
            found[1] = await(columns + j, least);
        }
        __syncthreads();
        return min(found[0], found[1]);
    }

    // Makes all threads of the block wait until tile (k, k) is finished.
    __device__ __forceinline__ void await_diagonal(int32 k) const {
        await_factors(k, k, k + 1);
    }

    // Marks a tile as finished, with one thread, after all threads have written the tile.
    __device__ __forceinline__ void finish(int32 i, int32 j) const {
        if (i >= j) {
            add_release(rows + i, 1);
        }
        if (i <= j) {
            add_release(columns + j, 1);
        }
    }
};

// The tiles of a large tile, for one task of ELIMINATION. They are numbered as in a matrix that begins with the pivots'
// large tile, which has `depth` tiles per side. A is this large tile itself; the tiles of B are to its right, and those
// of C below it.
//
// - finished: the number of finished tiles in each column (for B), in each row (for C), or in each row and then in each
//   column (for A)
struct LargeTiles {
    double* cells;
    const double* l;      // the rows of the large tile, in the columns of the pivots' large tile
    const double* u;      // the columns of the large tile, in the rows of the pivots' large tile
    const double* pivot;  // the pivots' large tile
    int64 pitch;
    int32 depth;
    bool right;  // whether the tile is to the right of the pivots' large tile
    bool below;
    int32* finished;

    __device__ __forceinline__ int64 row(int32 i) const {
        return (i - (below ? depth : 0)) * (EDGE * pitch);
    }
    __device__ __forceinline__ int64 column(int32 j) const {
        return (j - (right ? depth : 0)) * static_cast<int64>(EDGE);
    }
    __device__ __forceinline__ double* at(int32 i, int32 j) const {
        return cells + row(i) + column(j);
    }
    __device__ __forceinline__ const double* left(int32 i, int32 k) const {
        return l + row(i) + k * EDGE;
    }
    __device__ __forceinline__ const double* above(int32 k, int32 j) const {
        return u + k * (EDGE * pitch) + column(j);
    }
    __device__ __forceinline__ const double* diagonal(int32 k) const {
        return pivot + k * (EDGE * pitch) + k * EDGE;
    }

    // Waits like Tiles, except that it never waits for the results of earlier tasks, which are complete.
    __device__ __forceinline__ int32 await_factors(int32 i, int32 j, int32 least) const {
        __shared__ int32 found[2];
        if (right && below) {
            return depth;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            found[0] = right ? depth : await(finished + i - (below ? depth : 0), least);
        } else if (threadIdx.x == 32) {
            found[1] = below ? depth : await(finished + (right ? j - depth : depth + j), least);
        }
        __syncthreads();
        return min(found[0], found[1]);
    }

    __device__ __forceinline__ void await_diagonal(int32 k) const {
        if (!right && !below) {
            await_factors(k, k, k + 1);
        }
    }

    __device__ __forceinline__ void finish(int32 i, int32 j) const {
        if (!right && i >= j) {
            add_release(finished + i - (below ? depth : 0), 1);
        }
        if (!below && i <= j) {
            add_release(finished + (right ? j - depth : depth + j), 1);
        }
    }
};

// Reads tile (i, j) and subtracts the products of pairs of tiles to its left and above it, from the pair `begin`
// (inclusive) to the pair `end` (exclusive). A warp reads the factors of its next products before it computes the
// current ones, even across slices, and starts copies between products.
template <typename Tiles>
__device__ __forceinline__ void subtract_products(
        const Tiles& tiles, int32 i, int32 j, int32 begin, int32 end, Cells& cells, double* shared) {
    int32 slices = (end - begin) * SLICES;
    int32 ready = 0;  // the number of finished pairs, counted from `begin` on
    constexpr int OF_L = GRID_THREADS / (DEPTH / 2);  // the number of rows per piece
    constexpr int OF_U = GRID_THREADS / (EDGE / 2);
    int row = threadIdx.x / (DEPTH / 2);
    int column = threadIdx.x % (DEPTH / 2) * 2;
    const double* from_l = tiles.left(i, begin) + row * tiles.pitch + column;
    double* to_l = shared + row * L_PITCH + column;
    row = threadIdx.x / (EDGE / 2);
    column = threadIdx.x % (EDGE / 2) * 2;
    const double* from_u = tiles.above(begin, j) + row * tiles.pitch + column;
    double* to_u = shared + L_SLICE + row * U_PITCH + column;
    int64 of_l = OF_L * tiles.pitch;
    int64 of_u = OF_U * tiles.pitch;
    // consecutive slices are adjacent in the rows of L and in the columns of U
    auto copy = [&](int32 slice, int piece) {
        int to = slice % STAGES * STAGE;
        copy_async(to_l + to + piece * OF_L * L_PITCH, from_l + slice * DEPTH + piece * of_l);
        copy_async(to_u + to + piece * OF_U * U_PITCH, from_u + (slice * DEPTH * tiles.pitch + piece * of_u));
    };
    if (slices > 0) {
        ready = tiles.await_factors(i, j, begin + 1) - begin;
#pragma unroll
        for (int32 slice = 0; slice < STAGES - 1; slice++) {
#pragma unroll
            for (int piece = 0; piece < PIECES; piece++) {
                copy(slice, piece);
            }
            end_copies();
        }
    }
    load_cells(cells, tiles.at(i, j), tiles.pitch);
    Left left[2];
    Above above[4];
    if (slices > 0) {
        await_copies<STAGES - 2>();
        __syncthreads();
        load_left(left[0], shared, 0);
#pragma unroll
        for (int q = 0; q < 4; q++) {
            load_above(above[q], shared + L_SLICE, q);
        }
    }
#pragma unroll 1
    for (int32 slice = 0; slice < slices; slice++) {
        const double* of = shared + slice % STAGES * STAGE;
        int32 ahead = slice + STAGES - 1;
        bool copies = ahead < slices;
        if (copies && ahead / SLICES >= ready) {
            ready = tiles.await_factors(i, j, begin + ahead / SLICES + 1) - begin;
        }
#pragma unroll
        for (int row = 0; row < 4; row++) {
            if (row == 3) {
                end_copies();
                await_copies<STAGES - 2>();
                __syncthreads();
                of = shared + (slice + 1) % STAGES * STAGE;
            } else if (copies) {
                copy(ahead, row);
                if (row == 0) {
                    copy(ahead, PIECES - 1);
                }
            }
            // also loads the data after the last slice, which is not used
            load_left(left[(row + 1) % 2], of, (row + 1) % 4);
#pragma unroll
            for (int q = 0; q < 4; q++) {
                add_fragment(cells[row][q], left[row % 2], above[q]);
                if (row == 3) {
                    load_above(above[q], of + L_SLICE, q);
                }
            }
        }
    }
    await_copies<0>();
    __syncthreads();
}

// Stores DEPTH columns of the tile, from `first` on, in the memory of a slice of L.
__device__ __forceinline__ void put_columns(double* to, const Cells& cells, int first) {
    int lane = threadIdx.x % 32;
    double* at = to + (warp_row() + lane / 4) * L_PITCH + lane % 4 * 2;
#pragma unroll
    for (int j = 0; j < 4; j++) {
        int column = warp_column() + 8 * j - first;
        if (column == 0 || column == 8) {
#pragma unroll
            for (int i = 0; i < 4; i++) {
#pragma unroll
                for (int half = 0; half < 2; half++) {
                    *reinterpret_cast<double2*>(at + (16 * i + 8 * half) * L_PITCH + column) =
                            make_double2(cells[i][j][2 * half], cells[i][j][2 * half + 1]);
                }
            }
        }
    }
}

// Stores DEPTH rows of the tile, from `first` on, in the memory of a slice of U.
__device__ __forceinline__ void put_rows(double* to, const Cells& cells, int first) {
    int lane = threadIdx.x % 32;
    double* at = to + lane / 4 * U_PITCH + warp_column() + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        if (warp_row() + 16 * i == first) {
#pragma unroll
            for (int j = 0; j < 4; j++) {
#pragma unroll
                for (int half = 0; half < 2; half++) {
                    *reinterpret_cast<double2*>(at + 8 * half * U_PITCH + 8 * j) =
                            make_double2(cells[i][j][2 * half], cells[i][j][2 * half + 1]);
                }
            }
        }
    }
}

// Eliminates, with one warp, the first `steps` of the DEPTH pivots in rows first, first + 1, ... of the slice l. Also
// copies these rows to u. Returns whether all pivots are usable.
//
// - divides_last: whether the last pivot is used as a divisor
__device__ __forceinline__ bool factor_block(
        double* l, double* u, int first, int steps, bool divides_last, double least) {
    int lane = threadIdx.x % 32;
    double* line = l + (first + lane % DEPTH) * L_PITCH;
    double mine[DEPTH];
#pragma unroll
    for (int j = 0; j < DEPTH; j++) {
        mine[j] = line[j];
    }
    bool good = true;
#pragma unroll
    for (int k = 0; k < DEPTH; k++) {
        if (k < steps) {
            double pivot = __shfl_sync(~0u, mine[k], k);
            good = good && !is_bad_pivot(pivot, least, k < steps - 1 || divides_last);
            bool below = lane % DEPTH > k && lane % DEPTH < steps;
            double multiplier = mine[k] / pivot;
            mine[k] = below ? multiplier : mine[k];
#pragma unroll
            for (int j = k + 1; j < DEPTH; j++) {
                double above = __shfl_sync(~0u, mine[j], k);
                mine[j] = below ? fma(-multiplier, above, mine[j]) : mine[j];
            }
        }
    }
    __syncwarp();
    if (lane < DEPTH) {
#pragma unroll
        for (int j = 0; j < DEPTH; j++) {
            line[j] = mine[j];
            u[lane * U_PITCH + first + j] = mine[j];
        }
    }
    return good;
}

// Eliminates in one column of the slice u, using the multipliers in the rows first, first + 1, ... of l.
__device__ __forceinline__ void solve_column(const double* l, double* u, int first, int column) {
    double mine[DEPTH];
#pragma unroll
    for (int i = 0; i < DEPTH; i++) {
        mine[i] = u[i * U_PITCH + column];
    }
#pragma unroll
    for (int k = 0; k < DEPTH; k++) {
#pragma unroll
        for (int i = k + 1; i < DEPTH; i++) {
            mine[i] = fma(-l[(first + i) * L_PITCH + k], mine[k], mine[i]);
        }
    }
#pragma unroll
    for (int i = 0; i < DEPTH; i++) {
        u[i * U_PITCH + column] = mine[i];
    }
}

// Eliminates in one row of the slice l, using the pivots and the entries to their right in the columns first, first +
// 1, ... of u.
__device__ __forceinline__ void solve_row(double* l, const double* u, int first, int row) {
    double mine[DEPTH];
#pragma unroll
    for (int j = 0; j < DEPTH; j++) {
        mine[j] = l[row * L_PITCH + j];
    }
#pragma unroll
    for (int k = 0; k < DEPTH; k++) {
        mine[k] /= u[k * U_PITCH + first + k];
#pragma unroll
        for (int j = k + 1; j < DEPTH; j++) {
            mine[j] = fma(-mine[k], u[k * U_PITCH + first + j], mine[j]);
        }
    }
#pragma unroll
    for (int j = 0; j < DEPTH; j++) {
        l[row * L_PITCH + j] = mine[j];
    }
}

// The state that is needed to check the pivots of tile (k, k).
struct Pivots {
    int32 count;  // the number of the matrix's rows in this tile
    bool divides_last;
    double least;
    int32* bad;
};

// Finishes tile (i, j) in steps of DEPTH rows, columns or both: eliminates within these, then subtracts their product
// from the rest of the tile. Tiles to the right of tile (k, k) use its slices of L, tiles below it use its slices of U,
// and tile (k, k) uses its own slices.
template <typename Tiles>
__device__ __forceinline__ void finish_tile(
        const Tiles& tiles, int32 i, int32 j, Cells& cells, const Pivots& pivots, double* shared) {
    bool has_columns = i >= j;  // whether the tile computes columns of L
    bool has_rows = i <= j;     // whether the tile computes rows of U
    int32 k = min(i, j);
    const double* diagonal = tiles.diagonal(k);
    double* tile = tiles.at(i, j);
    if (i != j) {
        tiles.await_diagonal(k);
    }
    auto copy = [&](int slice) {
        if (slice < SLICES) {
            double* to = shared + slice % STAGES * STAGE;
            if (!has_columns) {
                copy_columns(to, diagonal + slice * DEPTH, tiles.pitch);
            } else if (!has_rows) {
                copy_rows(to + L_SLICE, diagonal + slice * DEPTH * tiles.pitch, tiles.pitch);
            }
        }
        end_copies();
    };
#pragma unroll 1
    for (int slice = 0; slice < STAGES - 1; slice++) {
        copy(slice);
    }
#pragma unroll 1
    for (int slice = 0; slice < SLICES; slice++) {
        int first = slice * DEPTH;
        int next = first + DEPTH;
        await_copies<STAGES - 2>();
        __syncthreads();
        copy(slice + STAGES - 1);
        double* l = shared + slice % STAGES * STAGE;
        double* u = l + L_SLICE;
        if (has_columns) {
            put_columns(l, cells, first);
        }
        if (has_rows) {
            put_rows(u, cells, first);
        }
        __syncthreads();
        if (i == j) {
            if (threadIdx.x < 32) {
                int steps = min(DEPTH, pivots.count - first);
                bool divides_last = pivots.divides_last || next < pivots.count;
                if (!factor_block(l, u, first, steps, divides_last, pivots.least) && threadIdx.x == 0) {
                    *pivots.bad = 1;
                }
            }
            __syncthreads();
        }
        int column = threadIdx.x;
        int row = threadIdx.x - EDGE;
        if (has_rows && column < EDGE && (i != j || column >= next)) {
            solve_column(l, u, first, column);
        } else if (has_columns && row >= 0 && (i != j || (row >= next && row < pivots.count))) {
            solve_row(l, u, first, row);
        }
        __syncthreads();
#pragma unroll
        for (int piece = 0; piece < PIECES; piece++) {
            int at = piece * GRID_THREADS + threadIdx.x;
            int of_row = at / (DEPTH / 2);
            int of_column = at % (DEPTH / 2) * 2;
            if (has_columns && (i != j || of_row >= first)) {
                *reinterpret_cast<double2*>(tile + of_row * tiles.pitch + first + of_column) =
                        *reinterpret_cast<const double2*>(l + of_row * L_PITCH + of_column);
            }
            of_row = at / (EDGE / 2);
            of_column = at % (EDGE / 2) * 2;
            if (has_rows && (i != j || of_column >= next)) {
                *reinterpret_cast<double2*>(tile + (first + of_row) * tiles.pitch + of_column) =
                        *reinterpret_cast<const double2*>(u + of_row * U_PITCH + of_column);
            }
        }
        subtract_slice(cells, l, u, has_rows ? next : 0, has_columns ? next : 0);
    }
    await_copies<0>();
}

}  // namespace
