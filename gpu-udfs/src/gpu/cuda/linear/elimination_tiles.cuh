// Elimination of one large matrix by tiles of EDGE by EDGE entries, in one launch. The matrix is padded to whole tiles;
// a right-hand side is its column n. A block keeps a tile in registers: it subtracts the products of finished tiles
// left of it and above it, one after the other, and then finishes the tile
// (dev.bellman.large.tiles.Pattern.ELIMINATION, but each tile's D steps follow each other, so that it is read and
// written once).
//
// Blocks take tiles round by round: round k has the tiles right of tile (k, k) and below it. Tile (k + 1, k + 1) is
// taken as soon as both tiles that its last product needs were, so that the next round does not wait for it. A block
// waits only for tiles that were taken before its own.
//
// Products run on tensor cores if they support doubles. NVIDIA does not document their order of additions. On an H200,
// 5 million m16n8k16 of each of eleven kinds (cancellation, all magnitudes, infinities, subnormal factors and sums
// among them) had the bits of fused multiply-adds in ascending k,
// and so had m16n8k4 and m16n8k8. Large matrices run at the limit of the GPU's power, and m16n8k16 reads its registers
// least often.
#pragma once
#include "common/copies.cuh"
#include "common/ticket.cuh"
#include "linear/elimination.cuh"

namespace {

constexpr int EDGE = 128;
constexpr int GRID_THREADS = 256;
// Slices of DEPTH columns of L and rows of U are copied ahead of their turn. Pitches that are 4 more than a multiple of
// 16 keep the lanes of a fragment on separate banks.
constexpr int DEPTH = 16;
constexpr int SLICES = EDGE / DEPTH;
constexpr int STAGES = 4;
constexpr int L_PITCH = DEPTH + 4;
constexpr int U_PITCH = EDGE + 4;
constexpr int L_SLICE = EDGE * L_PITCH;
constexpr int STAGE = L_SLICE + DEPTH * U_PITCH;
constexpr int GRID_BYTES = STAGES * STAGE * 8;

// The entries of a tile held by one thread: a warp has 64 rows and 32 columns, 4 x 4 fragments of 16 x 8. A lane has
// rows lane / 4 and lane / 4 + 8 of a fragment, columns 2 (lane % 4) and the next.
using Cells = double[4][4][4];

__device__ __forceinline__ int warp_row() {
    return threadIdx.x / 128 * 64;
}

__device__ __forceinline__ int warp_column() {
    return threadIdx.x / 32 % 4 * 32;
}

__device__ __forceinline__ void load_cells(Cells& cells, const double* tile, int64 pitch) {
    int lane = threadIdx.x % 32;
    const double* from = tile + (warp_row() + lane / 4) * pitch + warp_column() + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < 4; i++) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
#pragma unroll
            for (int half = 0; half < 2; half++) {
                double2 pair = *reinterpret_cast<const double2*>(from + (16 * i + 8 * half) * pitch + 8 * j);
                cells[i][j][2 * half] = pair.x;
                cells[i][j][2 * half + 1] = pair.y;
            }
        }
    }
}

__device__ __forceinline__ void store_cells(const Cells& cells, double* tile, int64 pitch) {
    int lane = threadIdx.x % 32;
    double* to = tile + (warp_row() + lane / 4) * pitch + warp_column() + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < 4; i++) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
#pragma unroll
            for (int half = 0; half < 2; half++) {
                *reinterpret_cast<double2*>(to + (16 * i + 8 * half) * pitch + 8 * j) =
                        make_double2(cells[i][j][2 * half], cells[i][j][2 * half + 1]);
            }
        }
    }
}

// A slice of a tile of L: DEPTH columns. PIECES of 16 bytes per thread.
constexpr int PIECES = EDGE * DEPTH / 2 / GRID_THREADS;

__device__ __forceinline__ void copy_columns(double* to, const double* l, int64 pitch) {
#pragma unroll
    for (int piece = 0; piece < PIECES; piece++) {
        int at = piece * GRID_THREADS + threadIdx.x;
        int row = at / (DEPTH / 2);
        int column = at % (DEPTH / 2) * 2;
        copy_async(to + row * L_PITCH + column, l + row * pitch + column);
    }
}

// A slice of a tile of U: DEPTH rows.
__device__ __forceinline__ void copy_rows(double* to, const double* u, int64 pitch) {
#pragma unroll
    for (int piece = 0; piece < PIECES; piece++) {
        int at = piece * GRID_THREADS + threadIdx.x;
        int row = at / (EDGE / 2);
        int column = at % (EDGE / 2) * 2;
        copy_async(to + row * U_PITCH + column, u + row * pitch + column);
    }
}

// The values that a lane reads of a slice of L for the 16 rows of a fragment, and of a slice of U for its 8 columns.
using Left = double[DEPTH / 2];
using Above = double[DEPTH / 4];

__device__ __forceinline__ void load_left(Left& left, const double* l, int i) {
    int lane = threadIdx.x % 32;
    const double* of = l + (warp_row() + 16 * i + lane / 4) * L_PITCH + lane % 4;
#pragma unroll
    for (int k = 0; k < DEPTH; k += 4) {
        left[k / 2] = of[k];
        left[k / 2 + 1] = of[8 * L_PITCH + k];
    }
}

// Negated, by integer units: those for doubles are the bottleneck.
__device__ __forceinline__ void load_above(Above& above, const double* u, int j) {
    int lane = threadIdx.x % 32;
    const double* of = u + lane % 4 * U_PITCH + warp_column() + 8 * j + lane / 4;
#pragma unroll
    for (int k = 0; k < DEPTH; k += 4) {
        double value = of[k * U_PITCH];
        above[k / 4] = __hiloint2double(__double2hiint(value) ^ 0x80000000, __double2loint(value));
    }
}

// c = c + l u, for 16 rows, 8 columns and DEPTH products.
__device__ __forceinline__ void add_fragment(double (&c)[4], const Left& l, const Above& u) {
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(l[0]), "d"(l[1]), "d"(l[2]), "d"(l[3]), "d"(l[4]), "d"(l[5]), "d"(l[6]), "d"(l[7]), "d"(u[0]), "d"(u[1]), "d"(u[2]), "d"(u[3]));
#elif __CUDA_ARCH__ >= 800
#pragma unroll
    for (int k = 0; k < DEPTH / 4; k++) {
#pragma unroll
        for (int half = 0; half < 2; half++) {
            asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                : "+d"(c[2 * half]), "+d"(c[2 * half + 1])
                : "d"(l[2 * k + half]), "d"(u[k]));
        }
    }
#else
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int k = 0; k < DEPTH; k++) {
        double low = __shfl_sync(~0u, l[k / 4 * 2], lane / 4 * 4 + k % 4);
        double high = __shfl_sync(~0u, l[k / 4 * 2 + 1], lane / 4 * 4 + k % 4);
        double left = __shfl_sync(~0u, u[k / 4], lane % 4 * 8 + k % 4);
        double right = __shfl_sync(~0u, u[k / 4], lane % 4 * 8 + 4 + k % 4);
        c[0] = fma(low, left, c[0]);
        c[1] = fma(low, right, c[1]);
        c[2] = fma(high, left, c[2]);
        c[3] = fma(high, right, c[3]);
    }
#endif
}

// Subtracts the product of a slice of L and a slice of U from the fragments with rows from `row` and columns from
// `column` on; both are multiples of 16.
__device__ __forceinline__ void subtract_slice(Cells& cells, const double* l, const double* u, int row, int column) {
    if (warp_row() + 64 <= row || warp_column() + 32 <= column) {
        return;
    }
    Above above[4];
#pragma unroll
    for (int j = 0; j < 4; j++) {
        load_above(above[j], u, j);
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        if (warp_row() + 16 * i >= row) {
            Left left;
            load_left(left, l, i);
#pragma unroll
            for (int j = 0; j < 4; j++) {
                add_fragment(cells[i][j], left, above[j]);
            }
        }
    }
}

// The matrix in tiles. rows: for each row of tiles, how many of its tiles up to the diagonal are finished, one after
// the other; columns: the same for each column.
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
    // A tile of L, and one of U.
    __device__ __forceinline__ const double* left(int32 i, int32 k) const {
        return at(i, k);
    }
    __device__ __forceinline__ const double* above(int32 k, int32 j) const {
        return at(k, j);
    }
    __device__ __forceinline__ const double* diagonal(int32 k) const {
        return at(k, k);
    }

    // All threads of the block wait until the tiles (i, 0) to (i, least - 1) and (0, j) to (least - 1, j) are finished.
    // Returns to how many of each that applies by now.
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

    // All threads of the block wait until tile (k, k) is finished.
    __device__ __forceinline__ void await_diagonal(int32 k) const {
        await_factors(k, k, k + 1);
    }

    // By one thread, after all have written the tile.
    __device__ __forceinline__ void finish(int32 i, int32 j) const {
        if (i >= j) {
            add_release(rows + i, 1);
        }
        if (i <= j) {
            add_release(columns + j, 1);
        }
    }
};

// The tiles of a large tile, for one task of ELIMINATION: they have the places that they would have in a matrix that
// begins with the pivot's large tile, of `depth` tiles per side. For A that is the large tile itself; B has tiles right
// of it and C below it. finished: the tiles finished in each column of B,
// in each row of C, and for A in each row and then in each column.
struct LargeTiles {
    double* cells;
    const double* l;      // the rows of the large tile, in columns of the pivot's
    const double* u;      // its columns, in rows of the pivot's
    const double* pivot;  // the large tile of the pivots
    int64 pitch;
    int32 depth;
    bool right;  // of the pivot's large tile
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

    // As in Tiles; what another task finished is there.
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

// Reads tile (i, j), and subtracts the products of the tiles left of it and above it, from the pair `begin` to before
// `end`. A warp reads its next factors before the products are added, across slices, too, and copies are started
// between products.
template <typename Tiles>
__device__ __forceinline__ void subtract_products(
        const Tiles& tiles, int32 i, int32 j, int32 begin, int32 end, Cells& cells, double* shared) {
    int32 slices = (end - begin) * SLICES;
    int32 ready = 0;  // tiles from `begin` on
    constexpr int OF_L = GRID_THREADS / (DEPTH / 2);  // rows per piece
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
    // slices follow each other in rows of L and in columns of U
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
            // after the last slice this reads what nobody uses
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

// Puts DEPTH columns of the tile, from `first` on, where a slice of L is.
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

// Puts DEPTH rows of the tile, from `first` on, where a slice of U is.
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

// Eliminates within rows first, first + 1, ... of the slice l, by one warp: `steps` pivots of DEPTH. Their rows go to
// u, too. Returns whether all pivots are good; divides_last: whether something is divided by the last.
__device__ __forceinline__ bool factor_block(double* l, double* u, int first, int steps, bool divides_last, double least) {
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

// Eliminates in one column of the slice u, by the multipliers in rows first, first + 1, ... of l.
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

// Eliminates in one row of the slice l, by the pivots and what is right of them in columns first, first + 1, ... of u.
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

// The checks of the pivots of tile (k, k).
struct Pivots {
    int32 count;  // as many as the matrix has rows there
    bool divides_last;
    double least;
    int32* bad;
};

// Finishes tile (i, j), DEPTH rows or columns or both at a time: their elimination within themselves, then their
// product, which the rest of the tile subtracts. Tiles right of tile (k, k) take its slices of L, tiles below it its
// slices of U, and tile (k, k) has its own.
template <typename Tiles>
__device__ __forceinline__ void finish_tile(const Tiles& tiles, int32 i, int32 j, Cells& cells, const Pivots& pivots, double* shared) {
    bool has_columns = i >= j;  // of L
    bool has_rows = i <= j;     // of U
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

// The tiles in the order in which blocks take them. A block asks for ascending numbers.
//
// A patch has the tiles of ROUNDS rounds in WIDTH columns, right of the diagonal, or its mirror image below. Blocks
// that work at the same time share the tiles of L that a row of a patch needs, and the tiles of U that a column needs,
// so the L2 cache reads most of them once. Patches right and below
// alternate. After the first of each, those tiles of the next rounds follow that are in both their rows and their
// columns.
constexpr int32 ROUNDS = 2;
constexpr int32 WIDTH = 33;

class Order {
public:
    __device__ Order(int32 down, int32 across) :
        down_(down), across_(across), begin_(height() * height()) {
    }

    __device__ __forceinline__ void find(int32 index, int32& i, int32& j) {
        if (first_ == 0 && index < begin_) {
            i = index / height();
            j = index % height();
            return;
        }
        while (index - begin_ >= size()) {
            begin_ += size();
            first_ += ROUNDS;
        }
        int32 at = index - begin_;
        int32 rest = first_ + height();
        int32 right = across_ - rest;
        int32 below = down_ - rest;
        int32 next = min(ROUNDS, below);
        int32 pair = height() * (min(WIDTH, right) + min(WIDTH, below));
        if (at >= pair && at < pair + next * next) {
            i = rest + (at - pair) / next;
            j = rest + (at - pair) % next;
            return;
        }
        at -= at >= pair ? next * next : 0;
        int32 patch = at / (2 * height() * WIDTH) * WIDTH;
        at %= 2 * height() * WIDTH;
        int32 width = min(WIDTH, right - patch);
        if (at < height() * width) {
            i = first_ + at / width;
            j = rest + patch + at % width;
        } else {
            at -= height() * width;
            width = min(WIDTH, below - patch);
            i = rest + patch + at % width;
            j = first_ + at / width;
        }
    }

private:
    int32 down_;
    int32 across_;
    int32 first_ = 0;  // round
    int32 begin_;

    // The rounds that are done together.
    __device__ __forceinline__ int32 height() const {
        return min(ROUNDS, down_ - first_);
    }

    __device__ __forceinline__ int32 size() const {
        int32 rest = first_ + height();
        int32 next = min(ROUNDS, down_ - rest);
        return height() * (across_ - rest + down_ - rest) + next * next;
    }
};

}  // namespace
