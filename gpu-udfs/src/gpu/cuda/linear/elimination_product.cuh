// Subtracts the product of a slice of L and a slice of U from a tile of EDGE by EDGE entries in the registers of a
// block.
//
// Products run on tensor cores if these support doubles. NVIDIA does not document the order in which tensor cores add.
// On an H200, 5 million m16n8k16 operations of each of eleven kinds (which cover cancellation, all magnitudes,
// infinities, and subnormal factors and sums) returned bit-for-bit the same results as fused multiply-adds in ascending
// order of k. So did m16n8k4 and m16n8k8. Large matrices run at the GPU's power limit; m16n8k16 is used because it
// reads registers least often.
#pragma once
#include "common/copies.cuh"
#include "linear/elimination.cuh"

namespace {

constexpr int EDGE = 128;
constexpr int GRID_THREADS = 256;
// The number of columns of L, and of rows of U, in a slice. A slice is copied to shared memory before it is needed.
// Pitches that exceed a multiple of 16 by 4 ensure that the lanes of a fragment use separate banks.
constexpr int DEPTH = 16;
constexpr int SLICES = EDGE / DEPTH;
constexpr int STAGES = 4;
constexpr int L_PITCH = DEPTH + 4;
constexpr int U_PITCH = EDGE + 4;
constexpr int L_SLICE = EDGE * L_PITCH;
constexpr int STAGE = L_SLICE + DEPTH * U_PITCH;
constexpr int GRID_BYTES = STAGES * STAGE * 8;

// The entries of a tile that one thread processes, in registers. A warp has 64 rows and 32 columns, which form 4 x 4
// fragments of 16 x 8 entries. A lane has rows lane / 4 and lane / 4 + 8 of a fragment, and the two columns from 2
// (lane % 4) on.
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

// Copies a slice of a tile of L, which has DEPTH columns. Each thread copies PIECES pieces of 16 bytes.
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

// Copies a slice of a tile of U, which has DEPTH rows.
__device__ __forceinline__ void copy_rows(double* to, const double* u, int64 pitch) {
#pragma unroll
    for (int piece = 0; piece < PIECES; piece++) {
        int at = piece * GRID_THREADS + threadIdx.x;
        int row = at / (EDGE / 2);
        int column = at % (EDGE / 2) * 2;
        copy_async(to + row * U_PITCH + column, u + row * pitch + column);
    }
}

// The values that a lane reads from a slice of L for the 16 rows of a fragment, and from a slice of U for its 8
// columns.
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

// Loads negated values. Integer units negate the values, because the FP64 units are the bottleneck.
__device__ __forceinline__ void load_above(Above& above, const double* u, int j) {
    int lane = threadIdx.x % 32;
    const double* of = u + lane % 4 * U_PITCH + warp_column() + 8 * j + lane / 4;
#pragma unroll
    for (int k = 0; k < DEPTH; k += 4) {
        double value = of[k * U_PITCH];
        above[k / 4] = __hiloint2double(__double2hiint(value) ^ 0x80000000, __double2loint(value));
    }
}

// Computes c = c + l u for 16 rows and 8 columns, with DEPTH products per entry.
__device__ __forceinline__ void add_fragment(double (&c)[4], const Left& l, const Above& u) {
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(l[0]), "d"(l[1]), "d"(l[2]), "d"(l[3]), "d"(l[4]), "d"(l[5]), "d"(l[6]), "d"(l[7]),
          "d"(u[0]), "d"(u[1]), "d"(u[2]), "d"(u[3]));
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

// Subtracts the product of a slice of L and a slice of U from the rows from `row` on and the columns from `column` on,
// which are multiples of 16. Also changes up to 16 earlier columns, which are no longer needed.
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

}  // namespace
