// A column of texts, as an argument of a kernel.
#pragma once

#include "common/columns.cuh"

struct Texts {
    const int32* offsets;
    const uint8* bytes;

    // Returns whether the text of a row equals this constant.
    template <int SIZE>
    __device__ __forceinline__ bool equals(int64 row, const char (&constant)[SIZE]) const {
        const uint8* begin = bytes + offsets[row];
        bool same = offsets[row + 1] - offsets[row] == SIZE - 1;
        for (int32 i = 0; i < SIZE - 1 && same; i++) {
            same = begin[i] == static_cast<uint8>(constant[i]);
        }
        return same;
    }
};
