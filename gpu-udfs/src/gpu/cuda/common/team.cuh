// A group of threads that work together and synchronize: the threads of one block, or of all blocks in a cooperative
// launch.
#pragma once

#include "common/columns.cuh"

class Team {
public:
    int32 thread;
    int32 threads;

    // `arrivals` is a zero-initialized word shared by all blocks of the launch, or null for a single block.
    __device__ explicit Team(uint32* arrivals) :
        thread(threadIdx.x), threads(blockDim.x), arrivals_(arrivals) {
        if (arrivals != nullptr) {
            thread += blockIdx.x * blockDim.x;
            threads *= gridDim.x;
        }
    }

    // Waits for all threads. Afterwards, each thread sees all earlier writes of other threads to device memory, if it
    // bypasses the L1 cache (__ldcg).
    __device__ __forceinline__ void sync() {
        __syncthreads();
        if (arrivals_ != nullptr) {
            if (threadIdx.x == 0) {
                expected_ += gridDim.x;
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
    uint32 expected_ = 0;
};
