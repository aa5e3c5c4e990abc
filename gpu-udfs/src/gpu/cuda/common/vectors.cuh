// Loads and stores contiguous values, 16 bytes at a time if there are enough values.
#pragma once
#include "common/columns.cuh"

namespace {

template <int BYTES, typename Value>
struct alignas(BYTES) Vector {
    Value values[BYTES / sizeof(Value)];
};

// Loads COUNT values. Their address must be a multiple of their total size, or of 16 bytes if their total size is
// larger.
template <int COUNT, typename Value>
__device__ __forceinline__ void load(Value (&to)[COUNT], const Value* from) {
    constexpr int BYTES = COUNT * sizeof(Value) < 16 ? COUNT * sizeof(Value) : 16;
    constexpr int WIDTH = BYTES / sizeof(Value);
#pragma unroll
    for (int i = 0; i < COUNT; i += WIDTH) {
        Vector<BYTES, Value> vector = *reinterpret_cast<const Vector<BYTES, Value>*>(from + i);
#pragma unroll
        for (int lane = 0; lane < WIDTH; lane++) {
            to[i + lane] = vector.values[lane];
        }
    }
}

template <int COUNT, typename Value>
__device__ __forceinline__ void store(Value* to, const Value (&from)[COUNT]) {
    constexpr int BYTES = COUNT * sizeof(Value) < 16 ? COUNT * sizeof(Value) : 16;
    constexpr int WIDTH = BYTES / sizeof(Value);
#pragma unroll
    for (int i = 0; i < COUNT; i += WIDTH) {
        Vector<BYTES, Value> vector;
#pragma unroll
        for (int lane = 0; lane < WIDTH; lane++) {
            vector.values[lane] = from[i + lane];
        }
        *reinterpret_cast<Vector<BYTES, Value>*>(to + i) = vector;
    }
}

}  // namespace
