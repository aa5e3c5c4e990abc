// The graphs of a batch, and the number types that the kernels use for path lengths.
#pragma once

#include "common/columns.cuh"

// The graphs of a batch. The edges of graph g have the indices offsets[g] to offsets[g + 1] - 1.
//
// - nodes: the number of vertices in each graph
// - weights: the weight of each edge, either int64 or double
struct Graphs {
    const int32* nodes;
    const int32* offsets;
    const int32* sources;
    const int32* targets;
    const void* weights;
};

// `LIMIT` bounds the magnitude of every integer length found; `unreached` represents the absence of a path. A sum of
// `unreached` and any length still exceeds that limit, and twice `unreached` does not overflow.
template <typename Cell>
struct Length;

template <>
struct Length<int32> {
    static constexpr double LIMIT = 0x1p28;
    static __device__ __forceinline__ int32 unreached() {
        return 3 << 28;
    }
    static __device__ __forceinline__ bool is_unreached(int32 length) {
        return length >= 1 << 28;
    }
    static __device__ __forceinline__ int32 without_low(int32 length, int32 bits) {
        return length >> bits << bits;
    }
    static __device__ __forceinline__ void least(int32* at, int32 value) {
        atomicMin(at, value);
    }
};

template <>
struct Length<int64> {
    static constexpr double LIMIT = 0x1p60;
    static __device__ __forceinline__ int64 unreached() {
        return 3ll << 60;
    }
    static __device__ __forceinline__ bool is_unreached(int64 length) {
        return length >= 1ll << 60;
    }
    static __device__ __forceinline__ int64 without_low(int64 length, int32 bits) {
        return length >> bits << bits;
    }
    static __device__ __forceinline__ void least(int64* at, int64 value) {
        atomicMin(at, value);
    }
};

// For lengths of type DOUBLE, and for integers that a double represents exactly: an H200 adds doubles twice as fast as
// int64 values.
template <>
struct Length<double> {
    static constexpr double LIMIT = 0x1p51;
    static __device__ __forceinline__ double unreached() {
        return __longlong_as_double(0x7ff0000000000000);
    }
    static __device__ __forceinline__ bool is_unreached(double length) {
        return length == unreached();
    }
    static __device__ __forceinline__ double without_low(double length, int32 bits) {
        double part = __longlong_as_double((1023ll - bits) << 52);
        return floor(length * part) * static_cast<double>(1ll << bits);
    }
    static __device__ __forceinline__ void least(double* at, double value) {
        auto* bits = reinterpret_cast<unsigned long long*>(at);
        unsigned long long seen = *bits;
        while (value < __longlong_as_double(static_cast<int64>(seen))) {
            unsigned long long before =
                    atomicCAS(bits, seen, static_cast<unsigned long long>(__double_as_longlong(value)));
            if (before == seen) {
                return;
            }
            seen = before;
        }
    }
};

// Returns the number of bits that suffice both for the number of edges in any cycle, which is at most `nodes`, and for
// the number of any vertex.
__device__ __forceinline__ int32 bits_of(int32 nodes) {
    return 32 - __clz(nodes);
}
