// What the threads of a warp find out together. All of them must come here.
#pragma once

#include "common/columns.cuh"

// The bits that any thread of a warp has.
__device__ __forceinline__ uint32 any_bits(uint32 bits) {
#if __CUDA_ARCH__ >= 800
    return __reduce_or_sync(~0u, bits);
#else
#pragma unroll
    for (int other = 1; other < 32; other *= 2) {
        bits |= __shfl_xor_sync(~0u, bits, other);
    }
    return bits;
#endif
}

// The same value in all threads of a warp, so that the compiler knows it for the same.
__device__ __forceinline__ int32 uniform(int32 value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(~0u, value);
#else
    return __shfl_sync(~0u, value, 0);
#endif
}

// The sum over each LANES neighbouring threads, a power of two.
template <int LANES, typename Value>
__device__ __forceinline__ Value sum_of_lanes(Value value) {
#pragma unroll
    for (int other = 1; other < LANES; other *= 2) {
        value += __shfl_xor_sync(~0u, value, other);
    }
    return value;
}
