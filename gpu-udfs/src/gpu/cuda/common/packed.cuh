// Operations for dynamic programs on two 16-bit numbers in a register. On GPUs with DPX, each operation is one
// instruction.
#pragma once

#include "common/columns.cuh"

// Returns a + b in each half.
__device__ __forceinline__ uint32 add2(uint32 a, uint32 b) {
#if __CUDA_ARCH__ >= 900
    uint32 sum;
    asm("add.s16x2 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
    return sum;
#else
    return __vadd2(a, b);
#endif
}

__device__ __forceinline__ uint32 max2(uint32 a, uint32 b) {
    return __vmaxs2(a, b);
}

__device__ __forceinline__ uint32 min2(uint32 a, uint32 b) {
    return __vmins2(a, b);
}

// Returns min(a + b, c) in each half.
__device__ __forceinline__ uint32 add_min2(uint32 a, uint32 b, uint32 c) {
    return __viaddmin_s16x2(a, b, c);
}

// Returns max(a + b, c) in each half.
__device__ __forceinline__ uint32 add_max2(uint32 a, uint32 b, uint32 c) {
    return __viaddmax_s16x2(a, b, c);
}

// Returns max(a + b, c, 0) in each half.
__device__ __forceinline__ uint32 add_max2_or_0(uint32 a, uint32 b, uint32 c) {
    return __viaddmax_s16x2_relu(a, b, c);
}

__device__ __forceinline__ uint32 max2(uint32 a, uint32 b, uint32 c) {
    return __vimax3_s16x2(a, b, c);
}

// Selects bytes from two registers, which contain eight bytes. Each four bits of `which` select one byte; if the
// highest of the four bits is set, they select the byte's sign, copied to all bits.
__device__ __forceinline__ uint32 select_bytes(uint32 low, uint32 high, uint32 which) {
    uint32 selected;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(selected) : "r"(low), "r"(high), "r"(which));
    return selected;
}

__device__ __forceinline__ uint32 both(int32 value) {
    return __byte_perm(value, value, 0x1010);
}

__device__ __forceinline__ uint32 two(int32 low, int32 high) {
    return __byte_perm(low, high, 0x5410);
}

__device__ __forceinline__ int32 low_of(uint32 two) {
    return static_cast<int16>(two);
}

__device__ __forceinline__ int32 high_of(uint32 two) {
    return static_cast<int32>(two) >> 16;
}
