// Copies from global to shared memory. GPUs before compute capability 8.0 copy synchronously; on others, threads wait
// only when they need the data.
#pragma once

#include "common/columns.cuh"

// Starts a copy of 16 bytes.
__device__ __forceinline__ void copy_async(void* to, const void* from) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<uint32>(__cvta_generic_to_shared(to))),
            "l"(from)
                 : "memory");
#else
    *static_cast<uint4*>(to) = *static_cast<const uint4*>(from);
#endif
}

// Starts a copy of one value of 4 or 8 bytes. Unlike copy_async above, this function uses the L1 cache, which then
// contains adjacent values.
template <typename Value>
__device__ __forceinline__ void copy_value_async(Value* to, const Value* from) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(static_cast<uint32>(__cvta_generic_to_shared(to))),
            "l"(from),
                 "n"(sizeof(Value))
                 : "memory");
#else
    *to = *from;
#endif
}

// Ends a group of copies.
__device__ __forceinline__ void end_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Waits for all of this thread's groups of copies except the last PENDING.
template <int PENDING>
__device__ __forceinline__ void await_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
#endif
}
