// Work that blocks take one piece at a time.
#pragma once

#include "common/columns.cuh"

// The next piece from `from` on, for all threads of a block. `ticket` counts the pieces taken, from zero.
__device__ __forceinline__ int32 take(int32* ticket, int32 from) {
    __shared__ int32 taken;
    __syncthreads();
    if (threadIdx.x == 0) {
        taken = from + atomicAdd(ticket, 1);
    }
    __syncthreads();
    return taken;
}
