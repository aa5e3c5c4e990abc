// Pairs of strands.
#pragma once

#include "common/columns.cuh"

// Two columns of strands.
struct Strands {
    const int32* offsets_a;
    const uint8* a;
    const int32* offsets_b;
    const uint8* b;

    // Returns the position of a row's letters if the letters of a and b are stored together.
    __device__ __forceinline__ int64 begin(int64 row) const {
        return static_cast<int64>(offsets_a[row]) + offsets_b[row];
    }

    __device__ __forceinline__ int32 length_of_a(int64 row) const {
        return offsets_a[row + 1] - offsets_a[row];
    }

    __device__ __forceinline__ int32 length_of_b(int64 row) const {
        return offsets_b[row + 1] - offsets_b[row];
    }
};
