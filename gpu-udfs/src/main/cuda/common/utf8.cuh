// UTF-8 to code points, as Java decodes it. What is malformed has no effect beyond three bytes, so threads can decode a string from any
// byte on.
#pragma once

#include "common/columns.cuh"

__device__ __forceinline__ bool continues(int32 byte) {
    return (byte & 0xc0) == 0x80;
}

// Decodes what begins at `at` as Java does: a malformed sequence is U+FFFD, once for the longest part that could have begun a character.
// Returns how many bytes that takes.
__device__ inline int32 decode(const uint8* bytes, int32 at, int32 length, int32& character) {
    int32 lead = bytes[at];
    if (lead < 0x80) {
        character = lead;
        return 1;
    }
    character = 0xfffd;
    if (lead < 0xc2 || lead > 0xf4 || at + 1 >= length) {
        return 1;
    }
    int32 second = bytes[at + 1];
    if (!continues(second) || (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90)
            || (lead == 0xf4 && second >= 0x90)) {
        return 1;
    }
    if (lead < 0xe0) {
        character = (lead & 0x1f) << 6 | (second & 0x3f);
        return 2;
    }
    if (at + 2 >= length || !continues(bytes[at + 2])) {
        return 2;
    }
    int32 third = bytes[at + 2];
    if (lead < 0xf0) {
        int32 point = (lead & 0x0f) << 12 | (second & 0x3f) << 6 | (third & 0x3f);
        character = point >= 0xd800 && point < 0xe000 ? 0xfffd : point;
        return 3;
    }
    if (at + 3 >= length || !continues(bytes[at + 3])) {
        return 3;
    }
    character = (lead & 0x07) << 18 | (second & 0x3f) << 12 | (third & 0x3f) << 6 | (bytes[at + 3] & 0x3f);
    return 4;
}

// Whether a character, well-formed or not, begins at `at`. A byte that continues none begins one.
__device__ inline bool begins(const uint8* bytes, int32 at, int32 length) {
    if (!continues(bytes[at])) {
        return true;
    }
    for (int32 back = 1; back <= 3 && back <= at; back++) {
        if (!continues(bytes[at - back])) {
            int32 character;
            return decode(bytes, at - back, length, character) <= back;
        }
    }
    return true;
}
