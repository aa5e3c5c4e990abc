// Systems of linear equations: columns of matrices and of right-hand sides.
#pragma once

#include "common/columns.cuh"
#include "common/host.cuh"
#include "linear/elimination.cuh"

// Lists of lists of doubles.
struct Matrices {
    const int32* offsets;
    const uint32* row_validity;
    const int32* row_offsets;
    const uint32* entry_validity;
    const double* entries;

    // Returns the offset of a matrix's entries. The matrix's lists must be valid.
    __device__ __forceinline__ int64 first(int64 row) const {
        return row_offsets[offsets[row]];
    }

    __device__ __forceinline__ bool is_number(int64 at) const {
        return is_valid(entry_validity, at) && is_finite(entries[at]);
    }
};

// Lists of doubles; all pointers are null if there is no right-hand side.
struct Vectors {
    const int32* offsets;
    const uint32* validity;
    const double* values;
};

STRUCT_FOR_HOST(Matrices);
MEMBER_FOR_HOST(Matrices, offsets);
MEMBER_FOR_HOST(Matrices, row_validity);
MEMBER_FOR_HOST(Matrices, row_offsets);
MEMBER_FOR_HOST(Matrices, entry_validity);
MEMBER_FOR_HOST(Matrices, entries);
STRUCT_FOR_HOST(Vectors);
MEMBER_FOR_HOST(Vectors, offsets);
MEMBER_FOR_HOST(Vectors, validity);
MEMBER_FOR_HOST(Vectors, values);

namespace {

// Copies the solutions to their final positions in the result, with one warp per row.
//
// - found: contains each row's solution at the position of its right-hand side
__device__ __forceinline__ void write_solutions(
        int32 rows, const Vectors& vectors, const double* found, const int32* to_offsets, double* to) {
    int64 row = thread_index() / 32;
    if (row < rows) {
        int32 begin = to_offsets[row];
        for (int32 i = threadIdx.x % 32; i < to_offsets[row + 1] - begin; i += 32) {
            to[begin + i] = found[vectors.offsets[row] + i];
        }
    }
}

}  // namespace
