// Gaussian elimination with bit-for-bit the results of dev.bellman.linear.Elimination: products are subtracted from
// a(i, j) in ascending order of k, each with one fused multiply-add, and the multiplier is a(i, k) / a(k, k).
#pragma once
#include "common/columns.cuh"

namespace {

// Returns false for NaN and infinities.
__device__ __forceinline__ bool is_finite(double value) {
    return fabs(value) <= 1.7976931348623157e308;
}

// Returns the bound that the magnitude of each divisor must exceed, given the largest magnitude in the matrix.
__device__ __forceinline__ double least_pivot(int32 n, double largest) {
    return n * 0x1p-52 * largest;
}

// Returns whether the pivot is unusable as a divisor.
__device__ __forceinline__ bool is_bad_pivot(double pivot, double least, bool divides) {
    return !is_finite(pivot) || (divides && !(fabs(pivot) > least));
}

// Raises a maximum to the magnitude of `value` if this is larger. Magnitudes compare in the same order as their bit
// patterns.
__device__ __forceinline__ void raise_to(double* largest, double value) {
    atomicMax(reinterpret_cast<unsigned long long*>(largest),
            static_cast<unsigned long long>(__double_as_longlong(fabs(value))));
}

// Exchanges row k with the row that has the largest magnitude in column k among row k and the rows below it, or with
// the first such row if there are several, with one block. Returns, in all threads, the index of that row; -1 if a
// number in column k is not finite. Without a permutation, the entries to the left of column k are not exchanged,
// because they are not used again.
//
// - y: the right-hand side, or null
// - permutation: for each row, its index before any rows were exchanged; null if it is not needed
__device__ int32 exchange_rows(double* a, int64 pitch, int32 n, int32 k, double* y, int32* permutation) {
    __shared__ int32 chosen;
    if (threadIdx.x < 32) {
        double largest = -1;
        int32 best = k;
        bool finite = true;
        for (int32 i = k + threadIdx.x; i < n; i += 32) {
            double magnitude = fabs(a[i * pitch + k]);
            finite = finite && is_finite(magnitude);
            best = magnitude > largest ? i : best;
            largest = magnitude > largest ? magnitude : largest;
        }
#pragma unroll
        for (int32 other = 16; other > 0; other /= 2) {
            double theirs = __shfl_xor_sync(~0u, largest, other);
            int32 their_best = __shfl_xor_sync(~0u, best, other);
            bool is_better = theirs > largest || (theirs == largest && their_best < best);
            largest = is_better ? theirs : largest;
            best = is_better ? their_best : best;
        }
        finite = __all_sync(~0u, finite) != 0;
        if (threadIdx.x == 0) {
            chosen = finite ? best : -1;
        }
    }
    __syncthreads();
    int32 with = chosen;
    if (with > k) {
        for (int32 j = (permutation != nullptr ? 0 : k) + threadIdx.x; j < n; j += blockDim.x) {
            double entry = a[k * pitch + j];
            a[k * pitch + j] = a[with * pitch + j];
            a[with * pitch + j] = entry;
        }
        if (y != nullptr && threadIdx.x == 0) {
            double entry = y[k];
            y[k] = y[with];
            y[with] = entry;
        }
        if (permutation != nullptr && threadIdx.x == 0) {
            int32 index = permutation[k];
            permutation[k] = permutation[with];
            permutation[with] = index;
        }
    }
    __syncthreads();
    return with;
}

// Eliminates one matrix in shared or device memory, with one block. Returns, in all threads, whether all pivots are
// usable.
//
// - PIVOTING: whether rows are exchanged
// - y: the right-hand side, or null
// - sign: receives the sign of the row permutation; 0 if a pivot that is not used as a divisor is 0
// - permutation: receives, for each row, its index before any rows were exchanged; null if it is not needed. In this
//   case, the elimination ends at a pivot of 0; otherwise, the multipliers below such a pivot are 0
template <bool PIVOTING>
__device__ bool eliminate_by_block(
        double* a, int32 pitch, int32 n, double* y, double least, int32& sign, int32* permutation) {
    sign = 1;
    // the number of adjacent threads that process a row
    int32 across = n <= 16 ? 16 : 32;
    int32 column = threadIdx.x % across;
    int32 row = threadIdx.x / across;
    int32 down = blockDim.x / across;
    for (int32 k = 0; k < n; k++) {
        if constexpr (PIVOTING) {
            int32 with = exchange_rows(a, pitch, n, k, y, permutation);
            if (with < 0) {
                return false;
            }
            sign = with > k ? -sign : sign;
        }
        double pivot = a[k * static_cast<int64>(pitch) + k];
        if (is_bad_pivot(pivot, least, y != nullptr || (k < n - 1 && !PIVOTING))) {
            return false;
        }
        bool is_zero = PIVOTING && pivot == 0;
        if (is_zero) {
            sign = 0;
            if (permutation == nullptr) {
                return true;
            }
        }
        for (int32 i = k + 1 + threadIdx.x; i < n; i += blockDim.x) {
            double multiplier = is_zero ? 0 : a[i * static_cast<int64>(pitch) + k] / pivot;
            a[i * static_cast<int64>(pitch) + k] = multiplier;
            if (y != nullptr) {
                y[i] = fma(-multiplier, y[k], y[i]);
            }
        }
        __syncthreads();
        for (int32 i = k + 1 + row; i < n; i += down) {
            double* line = a + i * static_cast<int64>(pitch);
            const double* pivots = a + k * static_cast<int64>(pitch);
            double multiplier = -line[k];
            for (int32 j = k + 1 + column; j < n; j += across) {
                line[j] = fma(multiplier, pivots[j], line[j]);
            }
        }
        __syncthreads();
    }
    return true;
}

// Solves U x = y. Replaces y with x. Returns, in all threads, whether all unknowns are finite.
__device__ bool substitute_by_block(const double* a, int32 pitch, int32 n, double* y) {
    bool good = true;
    for (int32 k = n - 1; k >= 0; k--) {
        double x = y[k] / a[k * static_cast<int64>(pitch) + k];
        good = good && is_finite(x);
        __syncthreads();
        for (int32 i = threadIdx.x; i < k; i += blockDim.x) {
            y[i] = fma(-a[i * static_cast<int64>(pitch) + k], x, y[i]);
        }
        if (threadIdx.x == 0) {
            y[k] = x;
        }
        __syncthreads();
    }
    return good;
}

// Returns the exponent of a number, as Math.getExponent does.
__device__ __forceinline__ int32 exponent_of(double number) {
    return (__double2hiint(number) >> 20 & 0x7ff) - 1023;
}

// Returns the product of the diagonal entries, multiplied from first to last, with one block. Only the first thread
// receives the product. If SCALED is true, the exponents of partial products are stored separately, as in
// EliminationTable.determinantPivoting, so only the result can exceed the range of a double.
template <bool SCALED>
__device__ double product_of_diagonal(const double* a, int64 pitch, int32 n) {
    constexpr int PART = 128;
    constexpr int64 MAX_SCALE = 2000;
    __shared__ double part[PART];
    double product = 1;
    int64 exponent = 0;
    for (int32 from = 0; from < n; from += PART) {
        int32 count = min(PART, n - from);
        __syncthreads();
        for (int32 k = threadIdx.x; k < count; k += blockDim.x) {
            part[k] = a[(from + k) * pitch + from + k];
        }
        __syncthreads();
        for (int32 k = 0; threadIdx.x == 0 && k < count; k++) {
            if constexpr (SCALED) {
                int32 of_pivot = exponent_of(part[k]);
                product *= scalbn(part[k], -of_pivot);
                int32 of_product = exponent_of(product);
                product = scalbn(product, -of_product);
                exponent += of_pivot + of_product;
            } else {
                product *= part[k];
            }
        }
    }
    return SCALED ? scalbn(product, static_cast<int>(max(-MAX_SCALE, min(MAX_SCALE, exponent)))) : product;
}

}  // namespace
