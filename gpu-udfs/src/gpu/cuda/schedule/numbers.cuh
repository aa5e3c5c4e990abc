// Functions for the numbers in rows, which are int64 or double.
#pragma once

#include "columns/instances.cuh"

namespace {

constexpr double MAX_NUMBER = 1.7976931348623157e308;

__device__ __forceinline__ bool is_allowed(int64) {
    return true;
}

__device__ __forceinline__ bool is_allowed(double value) {
    return fabs(value) <= MAX_NUMBER;
}

__device__ __forceinline__ int64 add(int64 sum, int64 value) {
    return static_cast<int64>(static_cast<uint64>(sum) + static_cast<uint64>(value));
}

__device__ __forceinline__ double add(double sum, double value) {
    return __dadd_rn(sum, value);
}

}  // namespace
