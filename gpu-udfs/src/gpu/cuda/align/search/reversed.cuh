// Reverses pairs, so that a search for the reversed pattern from the end of a match finds its beginning.
#pragma once

#include "align/pairs.cuh"

// Copies symbols in reverse order, with the threads of a warp.
template <typename Symbol>
__device__ __forceinline__ void reverse(const void* from, int32 length, void* to, int32 thread) {
    for (int32 i = thread; i < length; i += 32) {
        static_cast<Symbol*>(to)[i] = static_cast<const Symbol*>(from)[length - 1 - i];
    }
}

// Writes the reversed pattern and the last `length` characters of the text before `end`, reversed, with the threads of
// a warp. Returns them as a pair.
__device__ __forceinline__ Pair
reverse_pair(const Pair& pair, int32 end, int32 length, bool is_wide, uint8* to, int32 thread) {
    int32 bytes = is_wide ? 4 : 1;
    uint8* text = to + static_cast<int64>(bytes) * pair.pattern_length;
    const uint8* part = static_cast<const uint8*>(pair.text) + static_cast<int64>(bytes) * (end - length);
    if (is_wide) {
        reverse<int32>(pair.pattern, pair.pattern_length, to, thread);
        reverse<int32>(part, length, text, thread);
    } else {
        reverse<uint8>(pair.pattern, pair.pattern_length, to, thread);
        reverse<uint8>(part, length, text, thread);
    }
    return {to, text, pair.pattern_length, length, pair.row, 0};
}
