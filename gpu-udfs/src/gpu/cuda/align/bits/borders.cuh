// The gains across a border between stripes or tiles of a table, as stored in device memory. Each word contains the
// gains of 32 columns, with the carries in its upper half. If all bits are set, the gains are not available yet.
#pragma once

#include "align/bits/column.cuh"

constexpr uint64 NOT_THERE = ~0ull;

// Returns whether the gains are available: no column of available gains has both of its bits set.
__device__ __forceinline__ bool is_there(uint64 border) {
    return (static_cast<uint32>(border) & static_cast<uint32>(border >> 32)) == 0;
}

__device__ __forceinline__ uint64 look_at(const uint64* border) {
    uint64 value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(border) : "memory");
    return value;
}

// Reads a border without branching, or returns `otherwise` if `may` is false.
__device__ __forceinline__ uint64 look_at_if(bool may, const uint64* border, uint64 otherwise) {
    asm volatile("{\n\t.reg .pred may;\n\tsetp.ne.u32 may, %2, 0;\n\t@may ld.relaxed.gpu.global.u64 %0, [%1];\n\t}"
                 : "+l"(otherwise)
                 : "l"(border), "r"(may ? 1 : 0)
                 : "memory");
    return otherwise;
}

__device__ __forceinline__ void hand_on(uint64* border, uint64 value) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(border), "l"(value) : "memory");
}

__device__ __forceinline__ uint64 pack(const Border& border) {
    return static_cast<uint64>(border.carries) << 32 | border.rises;
}

__device__ __forceinline__ Border unpack(uint64 border) {
    return {static_cast<uint32>(border), static_cast<uint32>(border >> 32)};
}

// A table with traceback is divided into tiles. Each tile has 8 lanes of 32 rows and 4 blocks of 32 columns.
constexpr int32 TILE_LANES = 8;
constexpr int32 TILE_ROWS = 32 * TILE_LANES;
constexpr int32 TILE_BLOCKS = 4;
constexpr int32 TILE_COLUMNS = 32 * TILE_BLOCKS;
constexpr int32 TILE_BODIES = 4 * TILE_BLOCKS;
