// Text in UTF-8, or any other bytes, divided into characters as in dev.bellman.align.Text and Spark. The first byte of
// a character determines its length, the following bytes may have any value, and the last character may be truncated.
//
// An int32 represents a character. If UTF-8's scheme encodes a number below CODE_POINTS with the character's bytes, the
// int32 is this number; surrogates and numbers above 0x10ffff are accepted. Otherwise, the int32 is the complement of
// the character's bytes, which is at least CODE_POINTS as an unsigned number. NO_CHARACTER stands for no character.
#pragma once

#include "common/columns.cuh"

// The number of bits in the largest accepted code point, which is 0x13ffff: F4 is the largest first byte, and
// F4 BF BF BF encodes this code point.
constexpr int32 CODE_POINT_BITS = 21;
constexpr int32 CODE_POINTS = 0x140000;
constexpr int32 NO_CHARACTER = -1;

// Returns the length in bytes of a character that begins with this byte.
__device__ __forceinline__ int32 bytes_from(uint32 first) {
    return first < 0xc2 || first > 0xf4 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

// Returns the character with the given bytes; the last byte is the least significant.
__device__ __forceinline__ int32 character_of(uint32 bytes) {
    if (bytes < 0x80) {
        return bytes;
    }
    if ((bytes & 0xffffe0c0) == 0xc080) {
        return (bytes >> 2 & 0x7c0) | (bytes & 0x3f);
    }
    uint32 point = (bytes >> 4 & 0xf000) | (bytes >> 2 & 0xfc0) | (bytes & 0x3f);
    if ((bytes & 0xfff0c0c0) == 0xe08080 && point >= 0x800) {
        return point;
    }
    point = (bytes >> 6 & 0x1c0000) | (bytes >> 4 & 0x3f000) | (bytes >> 2 & 0xfc0) | (bytes & 0x3f);
    return (bytes & 0xf8c0c0c0) == 0xf0808080 && point >= 0x10000 ? point : static_cast<int32>(~bytes);
}

// Returns the bytes of a character. The last byte is the least significant; the bytes before the character's first byte
// are 0.
__device__ __forceinline__ uint32 bytes_of(int32 character) {
    uint32 point = character;
    if (point < 0x80) {
        return point;
    }
    if (point < 0x800) {
        return 0xc080 | (point << 2 & 0x1f00) | (point & 0x3f);
    }
    if (point < 0x10000) {
        return 0xe08080 | (point << 4 & 0xf0000) | (point << 2 & 0x3f00) | (point & 0x3f);
    }
    if (point < CODE_POINTS) {
        return 0xf0808080 | (point << 6 & 0x7000000) | (point << 4 & 0x3f0000) | (point << 2 & 0x3f00) | (point & 0x3f);
    }
    return ~point;
}

// Returns the character that begins at `at`.
__device__ __forceinline__ int32 character_at(const uint8* text, int32 at, int32 length) {
    uint32 bytes = text[at];
    int32 count = min(bytes_from(bytes), length - at);
    for (int32 i = 1; i < count; i++) {
        bytes = bytes << 8 | text[at + i];
    }
    return character_of(bytes);
}

// Finds which of 32 bytes begin characters, with one bit per byte. The result for a byte depends on all bytes before
// it. `continues` marks the bytes 80 to BF. `two`, `three` and `four` mark the bytes that, if they begin a character,
// begin one of at least that many bytes. `carry` marks the bytes that are covered by a character that begins before
// these 32 bytes; on return, it marks the bytes after these 32 that are covered by a character that begins in them.
//
// Bit i of the result depends only on earlier bits, so each round corrects at least one additional bit. For well-formed
// text, the first guess is correct.
__device__ __forceinline__ uint32 find_begins(uint32 continues, uint32 two, uint32 three, uint32 four, uint32& carry) {
    uint32 begins = ~continues;
    while (true) {
        uint64 covered = carry | static_cast<uint64>(begins & two) << 1 | static_cast<uint64>(begins & three) << 2
            | static_cast<uint64>(begins & four) << 3;
        uint32 next = ~static_cast<uint32>(covered);
        if (next == begins) {
            carry = static_cast<uint32>(covered >> 32);
            return begins;
        }
        begins = next;
    }
}
