// UTF-8 to code points. Spark's strings are taken to be well-formed, as cudf takes them.
#pragma once

#include "common/columns.cuh"

// Reads the code point at `bytes` and moves `bytes` behind it.
__device__ __forceinline__ uint32 next_code_point(const uint8*& bytes) {
    uint32 lead = *bytes++;
    if (lead < 0x80) {
        return lead;
    }
    int continuations = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    uint32 point = lead & (0x3f >> continuations);
    for (int i = 0; i < continuations; i++) {
        point = point << 6 | (*bytes++ & 0x3f);
    }
    return point;
}

// Whether a byte begins a code point: counting those counts characters.
__device__ __forceinline__ bool begins_code_point(uint8 byte) {
    return (byte & 0xc0) != 0x80;
}
