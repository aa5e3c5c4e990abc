// Reads text as common/utf8.cuh does, with all threads of a warp.
#pragma once

#include "common/utf8.cuh"

// Returns which of the next 32 bytes of a text begin a character, with one bit per byte.
//
// - byte: this lane's byte; any value after the end of the text
// - left: the number of bytes from lane 0's byte to the end of the text
// - carry: 0 at the beginning of the text; see find_begins
__device__ __forceinline__ uint32 begins_in_warp(uint32 byte, int32 left, uint32& carry) {
    int32 bytes_if_first = bytes_from(byte);
    uint32 begins = find_begins(
            __ballot_sync(~0u, (byte & 0xc0) == 0x80),
            __ballot_sync(~0u, bytes_if_first >= 2),
            __ballot_sync(~0u, bytes_if_first >= 3),
            __ballot_sync(~0u, bytes_if_first == 4),
            carry);
    return begins & ~0u >> max(0, 32 - left);
}
