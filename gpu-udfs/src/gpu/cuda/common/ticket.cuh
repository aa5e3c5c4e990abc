// Assigns work to blocks one piece at a time, and waits for results from other blocks.
#pragma once

#include "common/columns.cuh"

// Returns the next piece, counted from `from`, in all threads of a block. `ticket` counts the pieces taken so far; it
// is initially zero.
__device__ __forceinline__ int32 take(int32* ticket, int32 from) {
    __shared__ int32 taken;
    __syncthreads();
    if (threadIdx.x == 0) {
        taken = from + atomicAdd(ticket, 1);
    }
    __syncthreads();
    return taken;
}

__device__ __forceinline__ int32 read_acquire(const int32* from) {
    int32 value;
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
    return value;
}

__device__ __forceinline__ void add_release(int32* to, int32 value) {
    asm volatile("red.release.gpu.global.add.s32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
}

// Waits until the counter is at least this number, and then returns the counter.
__device__ __forceinline__ int32 await(const int32* counter, int32 least) {
    int32 value = read_acquire(counter);
    while (value < least) {
        __nanosleep(100);
        value = read_acquire(counter);
    }
    return value;
}
