// Sums over the threads of a launch.
#pragma once

#include "common/warp.cuh"

// Adds every thread's value to `total`, with at most one atomic addition per warp. All threads of a warp must call it.
__device__ __forceinline__ void add_to(int64* total, int64 mine) {
    mine = sum_of_lanes<32>(mine);
    if (threadIdx.x % 32 == 0 && mine != 0) {
        atomicAdd(reinterpret_cast<unsigned long long*>(total), static_cast<unsigned long long>(mine));
    }
}
