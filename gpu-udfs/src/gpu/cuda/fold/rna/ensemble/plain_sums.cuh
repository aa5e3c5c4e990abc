// InternalSums.ofSize for each thread's sum of row and column.
#pragma once

#include "fold/rna/ensemble/plain_far.cuh"

// Sums in registers.
template <bool HAS_REGISTERS>
class PlainSums {
    struct Sums {
        double (&values)[SIZE_ROWS / 2];

        __device__ __forceinline__ double get(int32 at) const {
            return values[at];
        }

        __device__ __forceinline__ void set(int32 at, double sum) const {
            values[at] = sum;
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

    __device__ __forceinline__ void clear(int32) {
#pragma unroll
        for (double& each : values_) {
            each = 0;
        }
    }

    // Returns a thread's sums for even or odd sizes.
    __device__ __forceinline__ Sums of(int32, int32, int32) {
        return {values_};
    }

private:
    double values_[SIZE_ROWS / 2];
};

// Sums in memory, in SIZE_ROWS rows, for blocks whose threads have few registers.
template <>
class PlainSums<false> {
    struct Sums {
        Part rows;
        int32 step;

        __device__ __forceinline__ double get(int32 at) const {
            return rows[at * step];
        }

        __device__ __forceinline__ void set(int32 at, double sum) const {
            rows[at * step] = sum;
        }

        __device__ __forceinline__ void clear() const {
#pragma unroll 1
            for (int32 at = 0; at < SIZE_ROWS / 2; at++) {
                set(at, 0);
            }
        }
    };

public:
    PlainSums() = default;

    __device__ explicit PlainSums(Part rows) : rows_(rows) {}

    __device__ __forceinline__ void clear(int32 n) const {
        for (int32 at = threadIdx.x; at < SIZE_ROWS * n; at += blockDim.x) {
            rows_[at] = 0;
        }
    }

    __device__ __forceinline__ Sums of(int32 odd, int32 n, int32 j) const {
        return {rows_.from(odd * n + j), 2 * n};
    }

private:
    Part rows_;
};
