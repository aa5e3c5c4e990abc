// InternalSums.ofSize for each thread's sum of row and column.
#pragma once

#include "fold/rna/ensemble/plain_far.cuh"

// Sums in registers.
template <int32 WIDTH, bool HAS_REGISTERS>
class PlainSums {
    struct Sums {
        double (&values)[SIZE_ROWS / 2];

        __device__ __forceinline__ double& operator[](int32 at) const {
            return values[at];
        }

        __device__ __forceinline__ void clear() const {
#pragma unroll
            for (double& each : values) {
                each = 0;
            }
        }
    };

public:
    PlainSums() = default;

    __device__ explicit PlainSums(Part) {}

    __device__ __forceinline__ void clear() {
#pragma unroll
        for (double& each : values_) {
            each = 0;
        }
    }

    // Returns a thread's sums for even or odd sizes.
    __device__ __forceinline__ Sums of(int32, int32) {
        return {values_};
    }

private:
    double values_[SIZE_ROWS / 2];
};

// Sums in memory, in SIZE_ROWS rows, for blocks whose threads have few registers. All rows have the same length; with
// lengths that depend on the sequence, the compiler stores the addresses of all rows on the stack.
template <int32 WIDTH>
class PlainSums<WIDTH, false> {
    struct Sums {
        double* first;

        __device__ __forceinline__ double& operator[](int32 at) const {
            return first[at * 2 * WIDTH];
        }

        __device__ __forceinline__ void clear() const {
#pragma unroll
            for (int32 at = 0; at < SIZE_ROWS / 2; at++) {
                (*this)[at] = 0;
            }
        }
    };

public:
    PlainSums() = default;

    __device__ explicit PlainSums(Part rows) : rows_(rows) {}

    __device__ __forceinline__ void clear() const {
        for (int32 at = threadIdx.x; at < SIZE_ROWS * WIDTH; at += blockDim.x) {
            rows_[at] = 0;
        }
    }

    __device__ __forceinline__ Sums of(int32 odd, int32 j) const {
        return {&rows_[odd * WIDTH + j]};
    }

private:
    Part rows_;
};
