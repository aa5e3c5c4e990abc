// Reads the bytes of a string, eight at a time.
#pragma once

#include "align/pairs.cuh"

// Reads eight ASCII characters of a text. Positions outside the text read as 0x80, which is not ASCII and therefore
// equals no character of the pattern.
struct AsciiText {
    static __device__ __forceinline__ uint2 nothing() {
        return make_uint2(0x80808080, 0x80808080);
    }

    static __device__ __forceinline__ uint2 read(uint2 bytes, int32 position, int32 length) {
        int32 before = max(-position, 0);
        int32 behind = max(position + 8 - length, 0);
        uint64 inside = before >= 8 || behind >= 8 ? 0 : ~0ull << (8 * before) & ~0ull >> (8 * behind);
        uint2 kept = make_uint2(static_cast<uint32>(inside), static_cast<uint32>(inside >> 32));
        return make_uint2((bytes.x & kept.x) | (0x80808080 & ~kept.x), (bytes.y & kept.y) | (0x80808080 & ~kept.y));
    }
};

// The bytes of a string at any alignment, four to a word. The values of bytes outside the string are undefined, and
// bytes after its end are never read from memory.
struct Bytes {
    const uint32* words;
    int32 shift;
    int32 last;
    // the last word, with only the bytes inside the string, because later bytes may be past the end of the column's
    // memory
    uint32 tail;

    __device__ __forceinline__ Bytes(const void* begin, int32 length) {
        uint64 address = reinterpret_cast<uint64>(begin);
        words = reinterpret_cast<const uint32*>(address & ~3ull);
        shift = static_cast<int32>(address & 3);
        int64 end = shift + static_cast<int64>(length);
        last = static_cast<int32>((end - 1) >> 2);
        tail = length > 0 ? load_up_to(words + last, end - 4ll * last) : 0;
    }

    __device__ __forceinline__ uint32 word(int32 index) const {
        return static_cast<uint32>(index) < static_cast<uint32>(last) ? __ldg(words + index) : index == last ? tail : 0;
    }

    // The loaded words that contain the eight bytes from `position` on, and the number of bits that precede these
    // bytes.
    struct Raw {
        uint32 first;
        uint32 second;
        uint32 third;
        int32 bits;
    };

    __device__ __forceinline__ Raw fetch(int32 position) const {
        int32 at = (position + shift) >> 2;
        int32 bits = ((position + shift) & 3) * 8;
        return {word(at), word(at + 1), bits == 0 ? 0 : word(at + 2), bits};
    }

    static __device__ __forceinline__ uint2 align(const Raw& raw) {
        return make_uint2(
                __funnelshift_r(raw.first, raw.second, raw.bits), __funnelshift_r(raw.second, raw.third, raw.bits));
    }

    // Returns the eight bytes from `position` on.
    __device__ __forceinline__ uint2 eight(int32 position) const {
        return align(fetch(position));
    }
};

// Gathers bit `bit` of each of eight bytes in the top eight bits of a word. The first byte's bit is the lowest of the
// eight.
__device__ __forceinline__ uint32 plane_ascending(uint2 bytes, int32 bit) {
    uint32 bits = ((bytes.x >> bit) & 0x01010101) | (((bytes.y >> bit) & 0x01010101) << 4);
    return bits * 0x01020408;
}

// Gathers the same bits as plane_ascending, but the first byte's bit is the highest of the eight.
__device__ __forceinline__ uint32 plane_descending(uint2 bytes, int32 bit) {
    uint32 bits = (((bytes.x >> bit) & 0x01010101) << 4) | ((bytes.y >> bit) & 0x01010101);
    return bits * 0x08040201;
}

__device__ __forceinline__ uint32 highest_bytes(uint32 a, uint32 b, uint32 c, uint32 d) {
    return __byte_perm(__byte_perm(a, b, 0x0073), __byte_perm(c, d, 0x0073), 0x5410);
}

// Gathers bit `bit` of each of 32 bytes.
__device__ __forceinline__ uint32 plane(const uint2 (&bytes)[4], int32 bit) {
    return highest_bytes(
            plane_ascending(bytes[0], bit),
            plane_ascending(bytes[1], bit),
            plane_ascending(bytes[2], bit),
            plane_ascending(bytes[3], bit));
}
