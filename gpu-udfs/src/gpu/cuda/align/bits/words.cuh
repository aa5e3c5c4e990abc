// 32-bit words: additions that propagate their carry, functions of three words, and access to shared memory by short
// addresses.
#pragma once

#include "common/columns.cuh"

__device__ __forceinline__ uint32 add_carry_out(uint32 a, uint32 b) {
    uint32 sum;
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
    return sum;
}

__device__ __forceinline__ uint32 add_carry_through(uint32 a, uint32 b) {
    uint32 sum;
    asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
    return sum;
}

__device__ __forceinline__ uint32 add_carry_in(uint32 a, uint32 b) {
    uint32 sum;
    asm volatile("addc.u32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
    return sum;
}

// Computes any bitwise function of three words. The truth table is the value of the function at 0xf0, 0xcc and 0xaa.
// Without this function, the compiler would need nine operations per word instead of eight.
template <int TABLE>
__device__ __forceinline__ uint32 logic(uint32 a, uint32 b, uint32 c) {
    uint32 result;
    asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(a), "r"(b), "r"(c), "n"(TABLE));
    return result;
}

constexpr int XOR3 = 0xf0 ^ 0xcc ^ 0xaa;
constexpr int OR3 = 0xf0 | 0xcc | 0xaa;
constexpr int OR_NOR = 0xff & (0xf0 | ~(0xcc | 0xaa));       // a | ~(b | c)
constexpr int SAME_AND = 0xff & (~(0xf0 ^ 0xcc) & 0xaa);     // ~(a ^ b) & c

// Converts a pointer to a 32-bit address in shared memory, so that a lookup takes only one multiplication and one load.
__device__ __forceinline__ uint32 shared_address(const void* shared) {
    return static_cast<uint32>(__cvta_generic_to_shared(shared));
}

// The load is not volatile, because the value at an address does not change while a thread uses the address.
__device__ __forceinline__ uint32 load_shared(uint32 address) {
    uint32 loaded;
    asm("ld.shared.u32 %0, [%1];" : "=r"(loaded) : "r"(address));
    return loaded;
}

// Copies the highest bit into all bits.
__device__ __forceinline__ uint32 spread(uint32 bits) {
    return static_cast<uint32>(static_cast<int32>(bits) >> 31);
}
