// Clusters of blocks, which run at the same time and write to each other's shared memory. They require compute
// capability 9.0; kernels for earlier GPUs compile, but must not be launched.
#pragma once

#include "common/columns.cuh"

#if __CUDA_ARCH__ >= 900
#define CLUSTER(blocks) __cluster_dims__(blocks, 1, 1)
#else
#define CLUSTER(blocks)
#endif

// Returns the number of this block in its cluster.
__device__ __forceinline__ int32 block_in_cluster() {
    int32 block = 0;
#if __CUDA_ARCH__ >= 900
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(block));
#endif
    return block;
}

// Returns the address in a block's shared memory that corresponds to an address in this block's shared memory.
template <typename T>
__device__ __forceinline__ T* in_block(T* own, int32 block) {
#if __CUDA_ARCH__ >= 900
    T* there;
    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(own), "r"(block));
    return there;
#else
    return own;
#endif
}

// Waits for all threads of the cluster. Unlike __syncthreads(), threads may wait in different lines.
__device__ __forceinline__ void synchronize_cluster() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
#endif
}
