// How costs of chains are computed, by the widths of batch.cu: exact where its bound on every candidate holds.
#pragma once
#include "common/columns.cuh"

namespace {

struct Int32 {
    using Value = int32;
    static __device__ __forceinline__ Value infinity() {
        return 0x7fffffff;
    }
    static __device__ __forceinline__ Value product(Value a, Value b) {
        return a * b;
    }
    static __device__ __forceinline__ Value candidate(Value left, Value pair, Value third, Value right) {
        return pair * third + left + right;
    }
};

// Whole numbers below 2^53: twice as fast as 64-bit integers.
struct Float64 {
    using Value = double;
    static __device__ __forceinline__ Value infinity() {
        return 1e300;
    }
    static __device__ __forceinline__ Value product(Value a, Value b) {
        return a * b;
    }
    static __device__ __forceinline__ Value candidate(Value left, Value pair, Value third, Value right) {
        return fma(pair, third, left) + right;
    }
};

// Any dimensions; what does not fit 64 bits is 2^64 - 1.
struct Saturating {
    using Value = uint64;
    static __device__ __forceinline__ Value infinity() {
        return ~0ull;
    }
    static __device__ __forceinline__ Value product(Value a, Value b) {
        return __umul64hi(a, b) != 0 ? infinity() : a * b;
    }
    static __device__ __forceinline__ Value sum(Value a, Value b) {
        return a + b < a ? infinity() : a + b;
    }
    static __device__ __forceinline__ Value candidate(Value left, Value pair, Value third, Value right) {
        return sum(sum(product(pair, third), left), right);
    }
};

}  // namespace
