// Eliminates the matrices of a batch: dev.bellman.linear.EliminationKernel. If rows are exchanged, one block solves a
// matrix.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"
#include "linear/elimination_tiles.cuh"
#include "linear/systems.cuh"

// The class number depends on the binary logarithm of the number of rows; the largest matrices come first. Matrices
// whose rows are exchanged have the class numbers from SIZES on.
constexpr int32 SIZES = 32;
constexpr int32 CLASSES = 2 * SIZES;
FOR_HOST(SIZES);
FOR_HOST(CLASSES);
FOR_HOST(EDGE);
FOR_HOST(GRID_THREADS);
FOR_HOST(GRID_BYTES);

// The results to compute.
constexpr int32 FACTORS = 0;
constexpr int32 SOLUTION = 1;
constexpr int32 DETERMINANT = 2;

constexpr int32 MAX_THREADS = 256;
FOR_HOST(FACTORS);
FOR_HOST(SOLUTION);
FOR_HOST(DETERMINANT);
FOR_HOST(MAX_THREADS);

// Classifies the rows, with one warp per row. The size of an instance is the number of rows in its matrix. The kernels
// that read the entries also check them, because a single warp would take too long to check a large matrix.
//
// - pivot: for each row, whether the rows of its matrix are exchanged; null if no matrix has exchanged rows
extern "C" __global__ void linear_classify(
        int32 rows, const uint32* validity, Matrices matrices, Vectors vectors, const uint8* pivot,
        Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int32 begin = matrices.offsets[row];
    int64 n = matrices.offsets[row + 1] - begin;
    bool valid = n > 0;
    for (int64 i = begin + lane; i < begin + n; i += 32) {
        valid = valid && is_valid(matrices.row_validity, i)
                && matrices.row_offsets[i + 1] - matrices.row_offsets[i] == n;
    }
    if (vectors.offsets != nullptr) {
        int64 first = vectors.offsets[row];
        valid = valid && vectors.offsets[row + 1] - first == n;
        for (int64 i = lane; valid && i < n; i += 32) {
            valid = is_valid(vectors.validity, first + i) && is_finite(vectors.values[first + i]);
        }
    }
    valid = __all_sync(~0u, valid);
    if (lane == 0) {
        if (valid) {
            int32 key = __clz(static_cast<int32>(n)) + (pivot != nullptr && pivot[row] != 0 ? SIZES : 0);
            rows_of.put(row, key, static_cast<int32>(n), (n - 1) * n / 2 * (2 * n - 1) / 3);
        } else {
            rows_of.reject(row);
        }
    }
}

namespace {

// Solves the rows order[from], order[from + 1], ..., with one block each.
//
// - PIVOTING: whether rows are exchanged
// - in_shared: whether the matrix and the right-hand side fit in shared memory, with n rows of n | 1 entries; otherwise
//   the block works in `factors`
// - factors: the output for all entries of the batch, or null
// - found: receives each determinant, or each solution at the position of its right-hand side; null for factors only
// - permutations: the output for the rows of all matrices of the batch, or null. The block works in n ints of shared
//   memory, which follow the matrix if the matrix is also in shared memory
template <bool PIVOTING>
__device__ __forceinline__ void solve_by_block(
        const int32* order, int32 from, int32 in_shared, const Matrices& matrices, const Vectors& vectors,
        double* factors, double* found, int32* permutations, Classified rows_of) {
    extern __shared__ double shared[];
    __shared__ double largest;
    int32 row = order[from + blockIdx.x];
    int32 n = rows_of.sizes[row];
    int64 begin = matrices.first(row);
    double* of_all = factors + begin;
    int32 pitch = in_shared != 0 ? n | 1 : n;
    double* a = in_shared != 0 ? shared : of_all;
    if (threadIdx.x == 0) {
        largest = 0;
    }
    __syncthreads();
    double mine = 0;
    bool valid = true;
    for (int32 at = threadIdx.x; at < n * n; at += blockDim.x) {
        double entry = matrices.entries[begin + at];
        valid = valid && matrices.is_number(begin + at);
        mine = fmax(mine, fabs(entry));
        a[at / n * static_cast<int64>(pitch) + at % n] = entry;
    }
    raise_to(&largest, mine);
    double* y = nullptr;
    if (vectors.offsets != nullptr) {
        int32 first = vectors.offsets[row];
        y = in_shared != 0 ? shared + n * pitch : found + first;
        for (int32 i = threadIdx.x; i < n; i += blockDim.x) {
            y[i] = vectors.values[first + i];
        }
    }
    int32* permutation = nullptr;
    if (PIVOTING && permutations != nullptr) {
        permutation = reinterpret_cast<int32*>(in_shared != 0 ? shared + n * pitch : shared);
        for (int32 i = threadIdx.x; i < n; i += blockDim.x) {
            permutation[i] = i;
        }
    }
    int32 sign = 1;
    bool good = __syncthreads_and(valid)
            && eliminate_by_block<PIVOTING>(a, pitch, n, y, least_pivot(n, largest), sign, permutation);
    if (good && y != nullptr) {
        good = substitute_by_block(a, pitch, n, y);
    }
    if (!good) {
        if (threadIdx.x == 0) {
            rows_of.reject(row);
        }
    } else if (y != nullptr) {
        if (in_shared != 0) {
            for (int32 i = threadIdx.x; i < n; i += blockDim.x) {
                found[vectors.offsets[row] + i] = y[i];
            }
        }
    } else if (found != nullptr) {
        double product = sign == 0 ? 0 : product_of_diagonal<PIVOTING>(a, pitch, n);
        if (threadIdx.x == 0) {
            found[row] = sign < 0 ? -product : product;
        }
    } else {
        for (int32 at = threadIdx.x; in_shared != 0 && at < n * n; at += blockDim.x) {
            of_all[at] = a[at / n * pitch + at % n];
        }
        for (int32 i = threadIdx.x; permutation != nullptr && i < n; i += blockDim.x) {
            permutations[matrices.offsets[row] + i] = permutation[i];
        }
    }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(MAX_THREADS) linear_blocks(
        const int32* order, int32 from, int32 in_shared, Matrices matrices, Vectors vectors, double* factors,
        double* found, int32* permutations, Classified rows_of) {
    solve_by_block<false>(order, from, in_shared, matrices, vectors, factors, found, permutations, rows_of);
}

extern "C" __global__ void __launch_bounds__(MAX_THREADS) linear_blocks_pivoting(
        const int32* order, int32 from, int32 in_shared, Matrices matrices, Vectors vectors, double* factors,
        double* found, int32* permutations, Classified rows_of) {
    solve_by_block<true>(order, from, in_shared, matrices, vectors, factors, found, permutations, rows_of);
}

// A large matrix, stored in `matrix` with `pitch` doubles per row, and its right-hand side as column n.
//
// - largest, bad: initially zero
struct Large {
    double* matrix;
    int64 pitch;
    int32 n;
    int32 solves;
    double* largest;
    int32* bad;
};

STRUCT_FOR_HOST(Large);
MEMBER_FOR_HOST(Large, matrix);
MEMBER_FOR_HOST(Large, pitch);
MEMBER_FOR_HOST(Large, n);
MEMBER_FOR_HOST(Large, solves);
MEMBER_FOR_HOST(Large, largest);
MEMBER_FOR_HOST(Large, bad);

// Copies the matrix, and pads it with zeros to whole tiles, with one block per row.
extern "C" __global__ void linear_large_read(Large large, int32 row, Matrices matrices, Vectors vectors) {
    int32 i = blockIdx.x;
    double mine = 0;
    for (int64 j = threadIdx.x; j < large.pitch; j += blockDim.x) {
        double entry = 0;
        if (i < large.n && j < large.n) {
            int64 at = matrices.first(row) + static_cast<int64>(i) * large.n + j;
            entry = matrices.entries[at];
            if (!matrices.is_number(at)) {
                *large.bad = 1;
            }
            mine = fmax(mine, fabs(entry));
        } else if (i < large.n && j == large.n && large.solves != 0) {
            entry = vectors.values[vectors.offsets[row] + i];
        }
        large.matrix[i * large.pitch + j] = entry;
    }
    raise_to(large.largest, mine);
}

namespace {

__device__ __forceinline__ Pivots pivots_of(const Large& large, int32 i, int32 down, double least) {
    return {min(EDGE, large.n - i * EDGE), large.solves != 0 || i + 1 < down, least, large.bad};
}

}  // namespace

// Factorizes the matrix with all blocks.
//
// - counters: the number of tiles that blocks have taken, then the `rows` and `columns` of Tiles; initially zero
extern "C" __global__ void __launch_bounds__(GRID_THREADS) linear_large_factor(
        Large large, int32 down, int32* counters) {
    extern __shared__ double shared[];
    int32* ticket = counters;
    Tiles tiles = {large.matrix, large.pitch, down, static_cast<int32>(large.pitch / EDGE), counters + 1,
            counters + 1 + down};
    Order order(tiles.down, tiles.across);
    double least = least_pivot(large.n, *large.largest);
    for (int32 index = take(ticket, 0); index < tiles.down * tiles.across; index = take(ticket, 0)) {
        int32 i;
        int32 j;
        order.find(index, i, j);
        Cells cells;
        subtract_products(tiles, i, j, 0, min(i, j), cells, shared);
        finish_tile(tiles, i, j, cells, pivots_of(large, i, tiles.down, least), shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            tiles.finish(i, j);
        }
    }
}

// A task of the recursion, which processes a square of parts x parts tiles or a single tile.
struct RecursionTask {
    int32 i;
    int32 j;
    int32 middle;  // the middle index of a product (kernel D); -1 for A, B and C
};

// Runs a wave of the recursion, with one block per tile of each task.
//
// - counters: the `rows` and `columns` of Tiles, set as if all tiles were finished, because the tiles that a task reads
//   were finished in earlier waves
extern "C" __global__ void __launch_bounds__(GRID_THREADS) linear_large_wave(
        Large large, int32 down, int32* counters, const RecursionTask* tasks, int32 parts) {
    extern __shared__ double shared[];
    Tiles tiles = {large.matrix, large.pitch, down, static_cast<int32>(large.pitch / EDGE), counters, counters + down};
    int32 part = blockIdx.x % (parts * parts);
    RecursionTask task = tasks[blockIdx.x / (parts * parts)];
    int32 i = task.i * parts + part / parts;
    int32 j = task.j * parts + part % parts;
    if (i >= tiles.down || j >= tiles.across) {
        return;
    }
    Cells cells;
    if (task.middle >= 0) {
        subtract_products(tiles, i, j, task.middle * parts, (task.middle + 1) * parts, cells, shared);
        store_cells(cells, tiles.at(i, j), tiles.pitch);
    } else {
        load_cells(cells, tiles.at(i, j), tiles.pitch);
        finish_tile(tiles, i, j, cells, pivots_of(large, i, down, least_pivot(large.n, *large.largest)), shared);
    }
}

// Runs a task on a large tile of a matrix that exceeds the memory: task B if the large tile is to the right of the
// pivots' large tile, task C if it is below, task D if both, and otherwise task A.
//
// - l, u: for B and D, l is the large tile in the same rows and in the pivots' columns; for C and D, u is the large
//   tile in the same columns and in the pivots' rows; otherwise, each is the large tile itself
// - down, across: the numbers of rows and columns of tiles that have entries
// - rows: the number of the matrix's rows from the first pivot on
// - counters: the number of tiles that blocks have taken, then the counters of LargeTiles; initially zero
extern "C" __global__ void __launch_bounds__(GRID_THREADS) linear_tile(
        double* cells, const double* l, const double* u, const double* pivot,
        int64 pitch, int32 depth, int32 right, int32 below, int32 down, int32 across, int32 rows, int32 solves, int32 n,
        double largest,
        int32* bad, int32* counters) {
    extern __shared__ double shared[];
    LargeTiles tiles = {cells, l, u, pivot, pitch, depth, right != 0, below != 0, counters + 1};
    double least = least_pivot(n, largest);
    Order order(down, across);
    bool factors = right == 0 && below == 0;
    for (int32 index = take(counters, 0); index < down * across; index = take(counters, 0)) {
        int32 i;
        int32 j;
        if (factors) {
            order.find(index, i, j);
        } else if (below != 0) {
            // column by column for C and D
            i = depth + index % down;
            j = index / down + (right != 0 ? depth : 0);
        } else {
            i = index / across;
            j = depth + index % across;
        }
        Cells found;
        subtract_products(tiles, i, j, 0, min(min(i, j), depth), found, shared);
        if (right != 0 && below != 0) {
            store_cells(found, tiles.at(i, j), pitch);
            continue;
        }
        Pivots pivots = {min(EDGE, rows - i * EDGE), solves != 0 || rows > (i + 1) * EDGE, least, bad};
        finish_tile(tiles, i, j, found, pivots, shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            tiles.finish(i, j);
        }
    }
}

// Solves U x = y, EDGE rows at a time from last to first. One block solves the rows of the diagonal tile. If `above` is
// set, all blocks subtract the contribution of this part of x from the rows above. y is column n.
extern "C" __global__ void linear_large_substitute(Large large, int32 first, int32 above) {
    double* y = large.matrix + large.n;
    int32 count = min(EDGE, large.n - first);
    if (above != 0) {
        int32 i = static_cast<int32>(thread_index());
        if (i < first) {
            const double* line = large.matrix + i * large.pitch + first;
            double rest = y[i * large.pitch];
            for (int32 k = count - 1; k >= 0; k--) {
                rest = fma(-line[k], y[(first + k) * large.pitch], rest);
            }
            y[i * large.pitch] = rest;
        }
        return;
    }
    // each thread has a row, and loads its entries before the unknowns by which they are multiplied are known
    constexpr int AHEAD = 8;
    __shared__ double solved[2];
    int32 i = threadIdx.x;
    const double* line = large.matrix + (first + i) * large.pitch + first;
    double pivot = line[i];
    double rest = i < count ? y[(first + i) * large.pitch] : 0;
    double next[AHEAD];
#pragma unroll
    for (int c = 0; c < AHEAD; c++) {
        next[c] = line[EDGE - AHEAD + c];
    }
#pragma unroll 1
    for (int32 from = EDGE - AHEAD; from >= 0; from -= AHEAD) {
        double entries[AHEAD];
#pragma unroll
        for (int c = 0; c < AHEAD; c++) {
            entries[c] = next[c];
            next[c] = from > 0 ? line[from - AHEAD + c] : 0;
        }
#pragma unroll
        for (int c = AHEAD - 1; c >= 0; c--) {
            int32 k = from + c;
            if (k >= count) {
                continue;
            }
            if (i == k) {
                rest /= pivot;
                if (!is_finite(rest)) {
                    *large.bad = 1;
                }
                solved[c % 2] = rest;
            }
            __syncthreads();
            if (i < k) {
                rest = fma(-entries[c], solved[c % 2], rest);
            }
        }
    }
    if (i < count) {
        y[(first + i) * large.pitch] = rest;
    }
}

// Writes the result (the factors, the solution or the determinant), with one block per row.
extern "C" __global__ void linear_large_write(
        Large large, int32 row, int32 kind, Matrices matrices, Vectors vectors, double* factors, double* found,
        Classified rows_of) {
    int32 i = blockIdx.x;
    if (*large.bad != 0) {
        if (i == 0 && threadIdx.x == 0) {
            rows_of.reject(row);
        }
        return;
    }
    if (kind == FACTORS) {
        for (int32 j = threadIdx.x; j < large.n; j += blockDim.x) {
            factors[matrices.first(row) + static_cast<int64>(i) * large.n + j] = large.matrix[i * large.pitch + j];
        }
    } else if (kind == SOLUTION) {
        if (threadIdx.x == 0) {
            found[vectors.offsets[row] + i] = large.matrix[i * large.pitch + large.n];
        }
    } else if (i == 0) {
        double product = product_of_diagonal<false>(large.matrix, large.pitch, large.n);
        if (threadIdx.x == 0) {
            found[row] = product;
        }
    }
}

// Computes the number of rows and the number of entries in each row's result; both are 0 for rows without a result on
// the GPU. Appends a zero to each array.
extern "C" __global__ void linear_lengths(int32 rows, Classified rows_of, int32* row_counts, int32* entry_counts) {
    int64 row = thread_index();
    if (row <= rows) {
        int32 n = row < rows && rows_of.is_solved(row) ? rows_of.sizes[row] : 0;
        row_counts[row] = n;
        entry_counts[row] = n * n;
    }
}

// Copies the solutions to their final positions in the result, with one warp per row.
extern "C" __global__ void linear_write_solutions(
        int32 rows, Vectors vectors, const double* found, const int32* to_offsets, double* to) {
    write_solutions(rows, vectors, found, to_offsets, to);
}

// Writes both factors, the offsets of their rows and, if `permutation` is not null, the permutations. The number of
// blocks is the same for each row.
//
// - pivot: as for linear_classify; permutations of matrices whose rows are not exchanged have not been computed
extern "C" __global__ void linear_write_factors(
        int32 rows,
        Classified rows_of,
        Matrices matrices,
        const uint8* pivot,
        const double* factors,
        const int32* permutations,
        const int32* to_rows,
        const int32* to_entries,
        int32* row_offsets,
        double* lower,
        double* upper,
        int32* permutation) {
    int32 row = blockIdx.x % rows;
    int32 thread = blockIdx.x / rows * blockDim.x + threadIdx.x;
    int32 threads = gridDim.x / rows * blockDim.x;
    if (row == 0 && thread == 0) {
        row_offsets[to_rows[rows]] = to_entries[rows];
    }
    if (!rows_of.is_solved(row)) {
        return;
    }
    int32 n = rows_of.sizes[row];
    int64 begin = to_entries[row];
    const double* from = factors + matrices.first(row);
    for (int32 i = thread; i < n; i += threads) {
        row_offsets[to_rows[row] + i] = static_cast<int32>(begin + static_cast<int64>(i) * n);
        if (permutation != nullptr) {
            permutation[to_rows[row] + i] = pivot[row] != 0 ? permutations[matrices.offsets[row] + i] : i;
        }
    }
    for (int64 at = thread; at < static_cast<int64>(n) * n; at += threads) {
        int32 i = static_cast<int32>(at) / n;
        int32 j = static_cast<int32>(at) % n;
        double entry = from[at];
        lower[begin + at] = j < i ? entry : j == i ? 1.0 : 0.0;
        upper[begin + at] = j < i ? 0.0 : entry;
    }
}
