// Sums over the threads of a launch.
#pragma once

#include "common/warp.cuh"

// Adds every thread's value to `total`, with one addition per warp. All threads of the warp must call this.
__device__ __forceinline__ void add_to(int64* total, int64 mine) {
    mine = sum_of_lanes<32>(mine);
    if (threadIdx.x % 32 == 0 && mine != 0) {
        atomicAdd(reinterpret_cast<unsigned long long*>(total), static_cast<unsigned long long>(mine));
    }
}
