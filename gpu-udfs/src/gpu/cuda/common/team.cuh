// A group of threads that work together and synchronize: the threads of one or more adjacent blocks. A team of several
// blocks needs a cooperative launch.
#pragma once

#include "common/columns.cuh"

class Team {
public:
    int32 thread;
    int32 threads;

    // A team of all blocks of the launch, or of a single block.
    //
    // - arrivals: a zero-initialized word shared by the team, or null for a single block
    __device__ explicit Team(uint32* arrivals) : Team(arrivals, arrivals == nullptr ? 1 : gridDim.x) {}

    // One of several teams of `blocks` blocks each.
    __device__ Team(uint32* arrivals, int32 blocks) :
        thread(blockIdx.x % blocks * blockDim.x + threadIdx.x), threads(blocks * blockDim.x), arrivals_(arrivals),
        blocks_(blocks) {}

    // Returns a number below `threads` that is different for each thread, and the same as `thread` for a single block.
    // Successive warps of these numbers belong to different blocks.
    __device__ __forceinline__ int32 dealt() const {
        int32 lane = threadIdx.x % 32;
        int32 block = thread / static_cast<int32>(blockDim.x);
        return (static_cast<int32>(threadIdx.x) - lane) * blocks_ + block * 32 + lane;
    }

    // Waits for all threads. Afterwards, each thread sees all earlier writes of other threads to device memory.
    __device__ __forceinline__ void sync() {
        __syncthreads();
        if (blocks_ > 1) {
            if (threadIdx.x == 0) {
                expected_ += blocks_;
                // fences also invalidate the L1 cache
                __threadfence();
                atomicAdd(arrivals_, 1u);
                while (static_cast<int32>(*static_cast<volatile uint32*>(arrivals_) - expected_) < 0) {
                }
                __threadfence();
            }
            __syncthreads();
        }
    }

private:
    uint32* arrivals_;
    int32 blocks_;
    uint32 expected_ = 0;
};
