// The properties of a batch's rows that a family's kernels report, so that dev.bellman.columns.Instances can group the
// rows.
#pragma once

#include "common/columns.cuh"

// The class numbers of rows that belong to no class.
constexpr int32 NULL_ROW = -1;
constexpr int32 REJECTED = -2;
constexpr int32 ON_CPU = -3;  // left to the CPU, for example because the row is too large for the GPU

// The class of each row, which is at least 0 or one of the numbers above; the size of each row, which the host limits
// per class; and the number of cells in the row's table.
struct Classified {
    int32* keys;
    int32* sizes;
    int64* cells;

    __device__ __forceinline__ void put(int64 row, int32 key, int32 size, int64 cell_count) const {
        keys[row] = key;
        sizes[row] = size;
        cells[row] = cell_count;
    }

    // Returns whether the row that a warp processes is in the batch and is not null. Also sets the class of null rows.
    __device__ __forceinline__ bool has_row(int64 row, int32 lane, int32 row_count, const uint32* validity) const {
        if (row >= row_count) {
            return false;
        }
        if (!is_valid(validity, row)) {
            if (lane == 0) {
                put(row, NULL_ROW, 0, 0);
            }
            return false;
        }
        return true;
    }

    // Rejects a row, even after the rows were grouped, for example if a result does not fit.
    __device__ __forceinline__ void reject(int64 row) const {
        keys[row] = REJECTED;
    }

    // Returns whether the row still has a result on the GPU.
    __device__ __forceinline__ bool is_solved(int64 row) const {
        return keys[row] >= 0;
    }
};
