// Operations across the threads of a warp. All threads of the warp must call them.
#pragma once

#include "common/columns.cuh"

// Declares to the compiler that a value is the same in all threads of a warp.
__device__ __forceinline__ int32 uniform(int32 value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(~0u, value);
#else
    return __shfl_sync(~0u, value, 0);
#endif
}

// Combines the values of each group of LANES adjacent threads, and returns the result in all of these threads. LANES is
// a power of two.
template <int LANES, typename Value, typename Combine>
__device__ __forceinline__ Value reduce_lanes(Value value, Combine combine) {
#pragma unroll
    for (int other = 1; other < LANES; other *= 2) {
        value = combine(value, __shfl_xor_sync(~0u, value, other));
    }
    return value;
}

template <int LANES, typename Value>
__device__ __forceinline__ Value sum_of_lanes(Value value) {
    return reduce_lanes<LANES>(value, [](Value a, Value b) { return a + b; });
}

template <int LANES, typename Value>
__device__ __forceinline__ Value max_of_lanes(Value value) {
    return reduce_lanes<LANES>(value, [](Value a, Value b) { return b > a ? b : a; });
}

// Returns the maximum of the values of all threads.
__device__ __forceinline__ int32 max_of_warp(int32 value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(~0u, value);
#else
    return reduce_lanes<32>(value, [](int32 a, int32 b) { return max(a, b); });
#endif
}

// Returns the minimum of the values of all threads.
__device__ __forceinline__ int32 min_of_warp(int32 value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(~0u, value);
#else
    return reduce_lanes<32>(value, [](int32 a, int32 b) { return min(a, b); });
#endif
}

// Returns the bits that are set in any thread of the warp.
__device__ __forceinline__ uint32 any_bits(uint32 bits) {
#if __CUDA_ARCH__ >= 800
    return __reduce_or_sync(~0u, bits);
#else
    return reduce_lanes<32>(bits, [](uint32 a, uint32 b) { return a | b; });
#endif
}

// Returns the sum of the values of this thread and of all threads before it.
template <typename Value>
__device__ __forceinline__ Value sum_up_to_lane(Value value) {
    int32 lane = threadIdx.x % 32;
#pragma unroll
    for (int other = 1; other < 32; other *= 2) {
        Value before = __shfl_up_sync(~0u, value, other);
        value += lane >= other ? before : 0;
    }
    return value;
}
