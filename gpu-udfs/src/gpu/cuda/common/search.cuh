// Binary search.
#pragma once

#include "common/columns.cuh"

// Returns the index of the last of `count` ascending numbers that is at most `value`. The first number must be at most
// `value`.
__device__ __forceinline__ int32 last_at_most(const int32* numbers, int32 count, int32 value) {
    int32 low = 0;
    int32 high = count - 1;
    while (low < high) {
        int32 middle = (low + high + 1) / 2;
        if (numbers[middle] <= value) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}
