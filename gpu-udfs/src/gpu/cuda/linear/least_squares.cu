// Solves linear least squares with Householder reflections: dev.bellman.linear.LeastSquares. One block solves a system.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"
#include "linear/systems.cuh"

// The class number depends on the number of threads that solve a system and on the binary logarithm of its workspace.
// The largest workspaces come first.
constexpr int32 SIZES = 32;
constexpr int32 WIDTHS = 4;
constexpr int32 CLASSES = SIZES * WIDTHS;
constexpr int32 MAX_THREADS = 32 << (WIDTHS - 1);
FOR_HOST(SIZES);
FOR_HOST(CLASSES);

namespace {

// The workspace of a system, in doubles: the matrix with the right-hand side as its last column, and a vector of the
// reflection; then, for each column, its norm and the largest magnitude of its entries that are still to be reflected.
struct Workspace {
    double* matrix;
    double* vector;
    double* norms;
    double* scales;
    int32 pitch;

    // An odd pitch prevents bank conflicts.
    __device__ static __forceinline__ int64 pitch_of(int64 columns) {
        return (columns + 1) | 1;
    }

    __device__ static __forceinline__ int64 doubles(int64 rows, int64 columns) {
        return rows * (pitch_of(columns) + 1) + 2 * columns;
    }

    __device__ Workspace(double* memory, int32 rows, int32 columns) : matrix(memory) {
        pitch = static_cast<int32>(pitch_of(columns));
        vector = memory + static_cast<int64>(rows) * pitch;
        norms = vector + rows;
        scales = norms + columns;
    }

    __device__ __forceinline__ double* row(int32 i) const {
        return matrix + static_cast<int64>(i) * pitch;
    }
};

__device__ __forceinline__ void sync_block() {
    if (blockDim.x == 32) {
        __syncwarp();
    } else {
        __syncthreads();
    }
}

// Returns the number of adjacent threads that process a row: a power of two, at least `columns` if there are that many
// threads.
__device__ __forceinline__ int32 threads_across(int32 columns) {
    int32 across = columns <= 1 ? 1 : 1 << (32 - __clz(columns - 1));
    return min(across, static_cast<int32>(blockDim.x));
}

// The number of entries that a thread loads before it stores any of them, because each load takes long.
constexpr int BATCH = 4;

// Divides numbers by the same divisor, without the branch of a division, so that several divisions overlap.
struct Divisor {
    double divisor;
    double reciprocal;
    bool in_range;

    __device__ __forceinline__ explicit Divisor(double value) : divisor(value), reciprocal(1 / value) {
        in_range = is_in_range(value);
    }

    // Whether quotients and remainders of numbers in this range are normal numbers.
    __device__ static __forceinline__ bool is_in_range(double value) {
        return fabs(value) > 0x1p-480 && fabs(value) < 0x1p480;
    }

    // Replaces each number by its correctly rounded quotient. The reciprocal is correctly rounded, too, so the first
    // correction returns one of the two numbers next to the quotient, and the second one rounds correctly. See
    // P. Markstein, "IA-64 and Elementary Functions", chapter 8.
    __device__ __forceinline__ void divide(double (&numbers)[BATCH]) const {
        bool fast = in_range;
        double quotients[BATCH];
#pragma unroll
        for (int c = 0; c < BATCH; c++) {
            double number = numbers[c];
            fast = fast && (number == 0 || is_in_range(number));
            double quotient = __dmul_rn(number, reciprocal);
            double closer = fma(fma(-quotient, divisor, number), reciprocal, quotient);
            closer = fma(fma(-closer, divisor, number), reciprocal, closer);
            // a quotient of zero has the right sign
            quotients[c] = number == 0 ? quotient : closer;
        }
#pragma unroll
        for (int c = 0; c < BATCH; c++) {
            numbers[c] = fast ? quotients[c] : numbers[c] / divisor;
        }
    }
};

// Copies the system to the workspace, and computes the norms of all columns. Returns, in all threads, whether all
// entries are finite.
__device__ __forceinline__ bool read(
        const Workspace& work, const Matrices& matrices, const double* rhs, int64 begin, int32 rows, int32 columns) {
    bool valid = true;
    for (int32 j = threadIdx.x; j < columns; j += blockDim.x) {
        work.norms[j] = 0;
    }
    sync_block();
    int32 across = threads_across(columns + 1);
    int32 down = blockDim.x / across;
    for (int32 j = threadIdx.x % across; j <= columns; j += across) {
        double largest = 0;
        for (int32 from = threadIdx.x / across; from < rows; from += BATCH * down) {
            double entries[BATCH];
#pragma unroll
            for (int c = 0; c < BATCH; c++) {
                int32 i = from + c * down;
                int64 at = begin + static_cast<int64>(i) * columns + j;
                entries[c] = i >= rows ? 0 : j == columns ? rhs[i] : matrices.entries[at];
                valid = valid && (i >= rows || j == columns || is_valid(matrices.entry_validity, at));
            }
#pragma unroll
            for (int c = 0; c < BATCH; c++) {
                if (from + c * down < rows) {
                    work.row(from + c * down)[j] = entries[c];
                }
                valid = valid && is_finite(entries[c]);
                largest = fmax(largest, fabs(entries[c]));
            }
        }
        if (j < columns) {
            raise_to(work.norms + j, largest);
        }
    }
    valid = __syncthreads_and(valid) != 0;
    for (int32 j = threadIdx.x; valid && j < columns; j += blockDim.x) {
        double scale = work.norms[j];
        double sum = 0;
        Divisor by(scale);
        for (int32 from = 0; from < rows && scale > 0; from += BATCH) {
            double parts[BATCH];
#pragma unroll
            for (int c = 0; c < BATCH; c++) {
                parts[c] = from + c < rows ? work.row(from + c)[j] : 0;
            }
            by.divide(parts);
#pragma unroll
            for (int c = 0; c < BATCH; c++) {
                // zeros after the last row do not change the sum, which is at least 0
                sum = fma(parts[c], parts[c], sum);
            }
        }
        work.norms[j] = __dmul_rn(scale, sqrt(sum));
        work.scales[j] = j == 0 ? scale : 0;
    }
    sync_block();
    return valid;
}

// Writes the quotients of a column's entries, from the given row on, to the vector.
__device__ __forceinline__ void divide_column(
        const Workspace& work, int32 k, int32 first, int32 rows, const Divisor& by) {
    int32 threads = blockDim.x;
    for (int32 from = first + threadIdx.x; from < rows; from += BATCH * threads) {
        double numbers[BATCH];
#pragma unroll
        for (int c = 0; c < BATCH; c++) {
            numbers[c] = from + c * threads < rows ? work.row(from + c * threads)[k] : 0;
        }
        by.divide(numbers);
#pragma unroll
        for (int c = 0; c < BATCH; c++) {
            if (from + c * threads < rows) {
                work.vector[from + c * threads] = numbers[c];
            }
        }
    }
}

// Returns the norm of a column's entries from row k on.
__device__ __forceinline__ double norm_from(const Workspace& work, int32 k, int32 rows) {
    double scale = work.scales[k];
    if (scale == 0) {
        return 0;
    }
    divide_column(work, k, k, rows, Divisor(scale));
    sync_block();
    double sum = 0;
#pragma unroll 8
    for (int32 i = k; i < rows; i++) {
        sum = fma(work.vector[i], work.vector[i], sum);
    }
    return __dmul_rn(scale, sqrt(sum));  // not fused with an addition, as on the CPU
}

// Reflects the rows from k on, so that column k becomes zero below row k. All threads of a column compute the same sum.
// Returns, in all threads, whether the column is linearly independent of the columns before it.
__device__ __forceinline__ bool reflect(const Workspace& work, int32 k, int32 rows, int32 columns) {
    double rest = norm_from(work, k, rows);
    double least = rows * static_cast<double>(columns) * 0x1p-52 * work.norms[k];
    if (!is_finite(rest) || !(rest > least)) {
        return false;
    }
    double first = work.row(k)[k];
    double diagonal = first < 0 ? rest : -rest;
    double divisor = first - diagonal;
    double twice = (diagonal - first) / diagonal;
    sync_block();
    divide_column(work, k, k + 1, rows, Divisor(divisor));
    sync_block();
    int32 across = threads_across(columns - k);
    int32 down = blockDim.x / across;
    double largest = 0;
    for (int32 from = k + 1; from <= columns; from += across) {
        int32 j = from + threadIdx.x % across;
        double factor = 0;
        if (j <= columns) {
            factor = work.row(k)[j];
#pragma unroll 8
            for (int32 i = k + 1; i < rows; i++) {
                factor = fma(work.vector[i], work.row(i)[j], factor);
            }
            factor = __dmul_rn(factor, twice);
        }
        // every thread must have read the column before any of them changes it
        sync_block();
        if (j > columns) {
            continue;
        }
        double change = -factor;
        for (int32 i = k + 1 + threadIdx.x / across; i < rows; i += BATCH * down) {
            double entries[BATCH];
#pragma unroll
            for (int c = 0; c < BATCH; c++) {
                int32 at = i + c * down;
                entries[c] = at < rows ? fma(work.vector[at], change, work.row(at)[j]) : 0;
            }
#pragma unroll
            for (int c = 0; c < BATCH; c++) {
                if (i + c * down < rows) {
                    work.row(i + c * down)[j] = entries[c];
                    largest = j == k + 1 ? fmax(largest, fabs(entries[c])) : largest;
                }
            }
        }
        if (threadIdx.x < across) {
            work.row(k)[j] -= factor;
        }
    }
    if (threadIdx.x == 0) {
        work.row(k)[k] = diagonal;
    }
    if (k + 1 < columns && threadIdx.x % across == 0) {
        raise_to(work.scales + k + 1, largest);
    }
    sync_block();
    return true;
}

// Solves a system in its workspace. Returns, in all threads, whether it has a solution, which is then in the vector.
__device__ __forceinline__ bool solve(const Workspace& work, int32 rows, int32 columns) {
    for (int32 k = 0; k < columns; k++) {
        if (!reflect(work, k, rows, columns)) {
            return false;
        }
    }
    for (int32 i = threadIdx.x; i < columns; i += blockDim.x) {
        work.vector[i] = work.row(i)[columns];
    }
    __syncthreads();
    return substitute_by_block(work.matrix, work.pitch, columns, work.vector);
}

// Solves the rows order[from + blockIdx.x], order[from + blockIdx.x + gridDim.x], ... in the given memory.
__device__ __forceinline__ void solve_rows(
        double* memory, const int32* order, int32 from, int32 to, const Matrices& matrices, const Vectors& vectors,
        int32* counts, double* found, const Classified& rows_of) {
    for (int32 at = from + blockIdx.x; at < to; at += gridDim.x) {
        int32 row = order[at];
        int32 rhs = vectors.offsets[row];
        int32 m = vectors.offsets[row + 1] - rhs;
        int64 begin = matrices.first(row);
        int32 n = static_cast<int32>((matrices.row_offsets[matrices.offsets[row + 1]] - begin) / m);
        Workspace work(memory, m, n);
        bool good = read(work, matrices, vectors.values + rhs, begin, m, n) && solve(work, m, n);
        if (good) {
            for (int32 i = threadIdx.x; i < n; i += blockDim.x) {
                found[rhs + i] = work.vector[i];
            }
        }
        if (threadIdx.x == 0) {
            if (good) {
                counts[row] = n;
            } else {
                rows_of.reject(row);
            }
        }
        __syncthreads();
    }
}

}  // namespace

// Classifies the rows, with one warp per row. The size of an instance is the number of doubles in its workspace. The
// kernel that reads the entries also checks them.
extern "C" __global__ void least_squares_classify(
        int32 rows, const uint32* validity, Matrices matrices, Vectors vectors, Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int32 begin = matrices.offsets[row];
    int32 m = matrices.offsets[row + 1] - begin;
    int32 n = m == 0 ? 0 : matrices.row_offsets[begin + 1] - matrices.row_offsets[begin];
    int64 first = vectors.offsets[row];
    bool valid = n > 0 && m >= n && vectors.offsets[row + 1] - first == m;
    for (int32 i = lane; valid && i < m; i += 32) {
        valid = is_valid(matrices.row_validity, begin + i)
                && matrices.row_offsets[begin + i + 1] - matrices.row_offsets[begin + i] == n
                && is_valid(vectors.validity, first + i) && is_finite(vectors.values[first + i]);
    }
    valid = __all_sync(~0u, valid) != 0;
    if (lane != 0) {
        return;
    }
    int64 doubles = Workspace::doubles(m, n);
    if (!valid) {
        rows_of.reject(row);
    } else if (doubles > 0x7fffffff) {
        rows_of.put(row, ON_CPU, 0, 0);
    } else {
        int32 width = min(WIDTHS - 1, max(0, 27 - __clz(n)));
        rows_of.put(row, width * SIZES + __clz(static_cast<int32>(doubles)), static_cast<int32>(doubles),
                static_cast<int64>(m) * n * n);
    }
}

// Solves the rows order[from] to order[to - 1].
//
// - slots: the workspaces of the blocks, with `slot_doubles` doubles each; null if they fit in shared memory
// - counts: receives the length of each solution; initially 0
// - found: receives the solutions at the positions of the right-hand sides
extern "C" __global__ void __launch_bounds__(MAX_THREADS) least_squares(
        const int32* order,
        int32 from,
        int32 to,
        double* slots,
        int64 slot_doubles,
        Matrices matrices,
        Vectors vectors,
        int32* counts,
        double* found,
        Classified rows_of) {
    extern __shared__ double shared[];
    // two copies of the code, because instructions for shared memory are faster
    if (slots == nullptr) {
        solve_rows(shared, order, from, to, matrices, vectors, counts, found, rows_of);
    } else {
        solve_rows(slots + slot_doubles * blockIdx.x, order, from, to, matrices, vectors, counts, found, rows_of);
    }
}

// Copies the solutions to their final positions in the result, with one warp per row.
extern "C" __global__ void least_squares_write(
        int32 rows, Vectors vectors, const double* found, const int32* to_offsets, double* to) {
    write_solutions(rows, vectors, found, to_offsets, to);
}
