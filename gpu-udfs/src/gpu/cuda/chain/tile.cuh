// A square of a table's entries (weights.cuh) in the registers of a thread, and the code that tries their splits.
//
// An entry (i, j) of a tile with rows I and columns J is split at each vertex k between i and j. If k is outside I and
// J, all entries of the tile are split at k in the same way, using cost(i, k) and cost(k, j) from other tiles
// (`split`). The splits in the tile's own rows and columns are tried last. They read the entries of the tile itself and
// of the diagonal tiles of I and J. Therefore, entries are finished (`close`) starting at the lower left corner: rows
// from last to first, and each row from left to right.
//
// For example, consider the matrices A 40 x 2, B 2 x 30 and C 30 x 10: the vertices 0 to 3 have the weights 40, 2, 30
// and 10. The tile with rows 0, 1 and columns 2, 3 has no vertex between them:
//
//     (1, 2)   B        a leaf: 0
//     (1, 3)   BC       at column 2: (1, 2) + (2, 3) of the tile of J + 2 * 30 * 10 = 600
//     (0, 2)   AB       at row 1: (0, 1) of the tile of I + (1, 2) + 40 * 2 * 30 = 2400
//     (0, 3)   ABC      at row 1: (0, 1) + (1, 3) + 40 * 2 * 10 = 1400, or at column 2: (0, 2) + (2, 3) + 40 * 30 * 10
//                       = 14400
#pragma once
#include "chain/weights.cuh"
#include "common/vectors.cuh"

namespace {

template <typename Weights, int R>
struct ThreadTile {
    using A = typename Weights::Arithmetic;
    using Value = typename Weights::Value;

    Value best[R][R];
    Value row_factors[R];
    Value column_factors[R];

    __device__ __forceinline__ void clear() {
#pragma unroll
        for (int i = 0; i < R; i++) {
#pragma unroll
            for (int j = 0; j < R; j++) {
                best[i][j] = A::infinity();
            }
        }
    }

    // Tries to split all entries at a vertex outside the tile; left and right are cost(i, k) and cost(k, j).
    __device__ __forceinline__ void split(const Value (&left)[R], Value factor, const Value (&right)[R]) {
#pragma unroll
        for (int i = 0; i < R; i++) {
            Value both = pair<Weights>(row_factors[i], factor);
#pragma unroll
            for (int j = 0; j < R; j++) {
                relax<Weights>(best[i][j], left[i], both, column_factors[j], right[j]);
            }
        }
    }

    // Tries the splits in the tile's own rows and columns. left(i)[k] and right(k, j) are the costs in the diagonal
    // tiles of the rows and of the columns; finish(i, j, least) computes an entry from its smallest candidate.
    template <typename Left, typename Right, typename Finish>
    __device__ __forceinline__ void close(const Left& left, const Right& right, const Finish& finish) {
#pragma unroll
        for (int i = R - 1; i >= 0; i--) {
            auto lefts = left(i);
#pragma unroll
            for (int k = i + 1; k < R; k++) {
                Value both = pair<Weights>(row_factors[i], row_factors[k]);
#pragma unroll
                for (int j = 0; j < R; j++) {
                    relax<Weights>(best[i][j], lefts[k], both, column_factors[j], best[k][j]);
                }
            }
#pragma unroll
            for (int j = 0; j < R; j++) {
#pragma unroll
                for (int k = 0; k < j; k++) {
                    Value both = pair<Weights>(row_factors[i], column_factors[k]);
                    relax<Weights>(best[i][j], best[i][k], both, column_factors[j], right(k, j));
                }
                best[i][j] = finish(i, j, best[i][j]);
            }
        }
    }

    // Works like `close` for a diagonal tile, whose rows and columns are the same vertices. The tile is symmetric.
    template <typename Finish>
    __device__ __forceinline__ void close_diagonal(const Finish& finish) {
#pragma unroll
        for (int i = R - 1; i >= 0; i--) {
            best[i][i] = 0;
#pragma unroll
            for (int j = i + 1; j < R; j++) {
#pragma unroll
                for (int k = i + 1; k < j; k++) {
                    Value both = pair<Weights>(row_factors[i], row_factors[k]);
                    relax<Weights>(best[i][j], best[i][k], both, column_factors[j], best[k][j]);
                }
                best[i][j] = finish(i, j, best[i][j]);
                best[j][i] = best[i][j];
            }
        }
    }

    // Writes the entries to memory at `to`; the next function writes their mirror images.
    __device__ __forceinline__ void write(Value* to, int64 pitch) const {
#pragma unroll
        for (int i = 0; i < R; i++) {
            store(to + i * pitch, best[i]);
        }
    }

    __device__ __forceinline__ void write_transposed(Value* to, int64 pitch) const {
#pragma unroll
        for (int j = 0; j < R; j++) {
            Value column[R];
#pragma unroll
            for (int i = 0; i < R; i++) {
                column[i] = best[i][j];
            }
            store(to + j * pitch, column);
        }
    }
};

}  // namespace
