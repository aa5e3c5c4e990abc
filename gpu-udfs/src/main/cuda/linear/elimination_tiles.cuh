// Elimination of one large matrix by tiles of EDGE by EDGE entries, in rounds: A factors the diagonal tile, B and C update the tiles right of it and
// below it, D subtracts their product from all others (dev.bellman.tiles.Pattern.ELIMINATION). The matrix is padded to whole tiles. A right-hand side
// is its column n.
//
// D runs on tensor cores if they support doubles. Their products are the fused multiply-adds of the definition, in ascending k: checked bit for bit
// on an H100 and an H200 for m8n8k4 and m16n8k16, with cancellation, all magnitudes, infinities and subnormal numbers.
#pragma once
#include "common/copies.cuh"
#include "linear/elimination.cuh"

namespace {

constexpr int EDGE = 128;
constexpr int STRIP = 32;  // columns of B, or rows of C, per block

// Factors tile (k, k), by one block. shared: PANEL_BYTES. bad: set if a pivot is bad.
__device__ void factor_diagonal(double* matrix, int64 pitch, int32 n, bool solves, int32 first, double least, int32* bad, double* shared) {
    constexpr int PITCH = EDGE + 1;
    double* tile = matrix + first * pitch + first;
    for (int32 at = threadIdx.x; at < EDGE * EDGE; at += blockDim.x) {
        shared[at / EDGE * PITCH + at % EDGE] = tile[at / EDGE * pitch + at % EDGE];
    }
    __syncthreads();
    int32 steps = min(EDGE, n - first);
    int32 column = threadIdx.x % 32;
    int32 row = threadIdx.x / 32;
    int32 down = blockDim.x / 32;
    for (int32 k = 0; k < steps; k++) {
        double pivot = shared[k * PITCH + k];
        if (threadIdx.x == 0 && is_bad_pivot(pivot, least, first + k < n - 1 || solves)) {
            *bad = 1;
        }
        int32 i = k + 1 + threadIdx.x;
        if (i < steps) {
            shared[i * PITCH + k] /= pivot;
        }
        __syncthreads();
        for (int32 r = k + 1 + row; r < steps; r += down) {
            double multiplier = -shared[r * PITCH + k];
            for (int32 j = k + 1 + column; j < EDGE; j += 32) {
                shared[r * PITCH + j] = fma(multiplier, shared[k * PITCH + j], shared[r * PITCH + j]);
            }
        }
        __syncthreads();
    }
    for (int32 at = threadIdx.x; at < EDGE * EDGE; at += blockDim.x) {
        tile[at / EDGE * pitch + at % EDGE] = shared[at / EDGE * PITCH + at % EDGE];
    }
}

// Shared memory for a tile and a strip.
constexpr int PANEL_BYTES = (EDGE + STRIP) * (EDGE + 1) * 8;

__device__ __forceinline__ void load_diagonal(const double* matrix, int64 pitch, int32 first, double* shared) {
    for (int32 at = threadIdx.x; at < EDGE * EDGE; at += blockDim.x) {
        shared[at / EDGE * (EDGE + 1) + at % EDGE] = matrix[(first + at / EDGE) * pitch + first + at % EDGE];
    }
}

// STRIP columns right of the tile (k, k), each independent, by lanes of one warp. shared: PANEL_BYTES.
__device__ void right_of_pivots(double* matrix, int64 pitch, int32 first, int32 column, double* shared) {
    constexpr int PITCH = EDGE + 1;
    double* multipliers = shared;
    double* strip = shared + EDGE * PITCH;
    load_diagonal(matrix, pitch, first, multipliers);
    double* from = matrix + first * pitch + column;
    for (int32 at = threadIdx.x; at < EDGE * STRIP; at += blockDim.x) {
        strip[at % STRIP * PITCH + at / STRIP] = from[at / STRIP * pitch + at % STRIP];
    }
    __syncthreads();
    int32 lanes = blockDim.x / STRIP;
    int32 lane = threadIdx.x % lanes;
    double* line = strip + threadIdx.x / lanes * PITCH;
    for (int32 k = 0; k < EDGE; k++) {
        double above = line[k];
        for (int32 i = k + 1 + lane; i < EDGE; i += lanes) {
            line[i] = fma(-multipliers[i * PITCH + k], above, line[i]);
        }
        __syncwarp();
    }
    __syncthreads();
    for (int32 at = threadIdx.x; at < EDGE * STRIP; at += blockDim.x) {
        from[at / STRIP * pitch + at % STRIP] = strip[at % STRIP * PITCH + at / STRIP];
    }
}

// STRIP rows below the tile (k, k), each independent: its multipliers, and the entries right of them.
__device__ void below_pivots(double* matrix, int64 pitch, int32 first, int32 row, double* shared) {
    constexpr int PITCH = EDGE + 1;
    double* pivots = shared;
    double* strip = shared + EDGE * PITCH;
    load_diagonal(matrix, pitch, first, pivots);
    double* from = matrix + static_cast<int64>(row) * pitch + first;
    for (int32 at = threadIdx.x; at < EDGE * STRIP; at += blockDim.x) {
        strip[at / EDGE * PITCH + at % EDGE] = from[at / EDGE * pitch + at % EDGE];
    }
    __syncthreads();
    int32 lanes = blockDim.x / STRIP;
    int32 lane = threadIdx.x % lanes;
    double* line = strip + threadIdx.x / lanes * PITCH;
    for (int32 k = 0; k < EDGE; k++) {
        double multiplier = line[k] / pivots[k * PITCH + k];
        __syncwarp();
        if (lane == 0) {
            line[k] = multiplier;
        }
        for (int32 j = k + 1 + lane; j < EDGE; j += lanes) {
            line[j] = fma(-multiplier, pivots[k * PITCH + j], line[j]);
        }
        __syncwarp();
    }
    __syncthreads();
    for (int32 at = threadIdx.x; at < EDGE * STRIP; at += blockDim.x) {
        from[at / EDGE * pitch + at % EDGE] = strip[at / EDGE * PITCH + at % EDGE];
    }
}

// The product that D subtracts: slices of DEPTH columns of L and rows of U are copied ahead of their turn. A warp has 64 rows and 32 columns of the
// tile, 4 x 4 fragments of 16 x 8. Pitches that are 4 more than a multiple of 16 keep the lanes of a fragment on separate banks.
constexpr int DEPTH = 16;
constexpr int STAGES = 4;
constexpr int L_PITCH = DEPTH + 4;
constexpr int U_PITCH = EDGE + 4;
constexpr int STAGE = EDGE * L_PITCH + DEPTH * U_PITCH;
constexpr int PRODUCT_THREADS = 256;
constexpr int PRODUCT_BYTES = STAGES * STAGE * 8;

__device__ __forceinline__ void copy_slice(double* to, const double* l, const double* u, int64 pitch, int32 k) {
    double* to_u = to + EDGE * L_PITCH;
#pragma unroll
    for (int piece = 0; piece < EDGE * DEPTH / 2 / PRODUCT_THREADS; piece++) {
        int at = piece * PRODUCT_THREADS + threadIdx.x;
        int row = at / (DEPTH / 2);
        int column = at % (DEPTH / 2) * 2;
        copy_async(to + row * L_PITCH + column, l + row * pitch + k + column);
        row = at / (EDGE / 2);
        column = at % (EDGE / 2) * 2;
        copy_async(to_u + row * U_PITCH + column, u + (k + row) * pitch + column);
    }
}

// c = c - l u, for 16 rows, 8 columns and 16 products. A lane has rows lane / 4 and lane / 4 + 8, columns 2 (lane % 4) and the next.
__device__ __forceinline__ void subtract_fragment(double (&c)[4], const double (&l)[8], const double (&u)[4]) {
#if __CUDA_ARCH__ >= 900
    asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, "
        "%3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(l[0]), "d"(l[1]), "d"(l[2]), "d"(l[3]), "d"(l[4]), "d"(l[5]), "d"(l[6]), "d"(l[7]), "d"(u[0]), "d"(u[1]), "d"(u[2]),
          "d"(u[3]));
#elif __CUDA_ARCH__ >= 800
#pragma unroll
    for (int k = 0; k < 4; k++) {
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
    for (int k = 0; k < 4; k++) {
#pragma unroll
        for (int t = 0; t < 4; t++) {
            double low = __shfl_sync(~0u, l[2 * k], lane / 4 * 4 + t);
            double high = __shfl_sync(~0u, l[2 * k + 1], lane / 4 * 4 + t);
            double left = __shfl_sync(~0u, u[k], lane % 4 * 8 + t);
            double right = __shfl_sync(~0u, u[k], lane % 4 * 8 + 4 + t);
            c[0] = fma(low, left, c[0]);
            c[1] = fma(low, right, c[1]);
            c[2] = fma(high, left, c[2]);
            c[3] = fma(high, right, c[3]);
        }
    }
#endif
}

// Subtracts l u from the tile c.
__device__ void subtract_product(double* c, const double* l, const double* u, int64 pitch, double* shared) {
    constexpr int SLICES = EDGE / DEPTH;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int row = warp / 4 * 64 + lane / 4;
    int column = warp % 4 * 32;
#pragma unroll
    for (int slice = 0; slice < STAGES - 1; slice++) {
        copy_slice(shared + slice * STAGE, l, u, pitch, slice * DEPTH);
        end_copies();
    }
    double cells[4][4][4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
#pragma unroll
            for (int half = 0; half < 2; half++) {
                const double2 pair = *reinterpret_cast<const double2*>(
                        c + (row + 16 * i + 8 * half) * pitch + column + 8 * j + lane % 4 * 2);
                cells[i][j][2 * half] = pair.x;
                cells[i][j][2 * half + 1] = pair.y;
            }
        }
    }
#pragma unroll 1
    for (int slice = 0; slice < SLICES; slice++) {
        await_copies<STAGES - 2>();
        __syncthreads();
        if (slice + STAGES - 1 < SLICES) {
            copy_slice(shared + (slice + STAGES - 1) % STAGES * STAGE, l, u, pitch, (slice + STAGES - 1) * DEPTH);
        }
        end_copies();
        const double* of_l = shared + slice % STAGES * STAGE;
        const double* of_u = of_l + EDGE * L_PITCH;
        double above[4][4];
#pragma unroll
        for (int j = 0; j < 4; j++) {
#pragma unroll
            for (int k = 0; k < 4; k++) {
                above[j][k] = -of_u[(lane % 4 + 4 * k) * U_PITCH + column + 8 * j + lane / 4];
            }
        }
#pragma unroll
        for (int i = 0; i < 4; i++) {
            double left[8];
#pragma unroll
            for (int e = 0; e < 8; e++) {
                left[e] = of_l[(row + 16 * i + 8 * (e % 2)) * L_PITCH + lane % 4 + 4 * (e / 2)];
            }
#pragma unroll
            for (int j = 0; j < 4; j++) {
                subtract_fragment(cells[i][j], left, above[j]);
            }
        }
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
#pragma unroll
            for (int half = 0; half < 2; half++) {
                *reinterpret_cast<double2*>(c + (row + 16 * i + 8 * half) * pitch + column + 8 * j + lane % 4 * 2) =
                        make_double2(cells[i][j][2 * half], cells[i][j][2 * half + 1]);
            }
        }
    }
}

}  // namespace
