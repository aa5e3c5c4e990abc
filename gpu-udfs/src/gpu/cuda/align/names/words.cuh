// The words of a text, as defined by dev.bellman.align.names.Words. A thread supports texts with at most MAX_WORDS
// words and MAX_BYTES bytes in well-formed UTF-8, in which byte order equals character order.
#pragma once

#include "align/names/texts.cuh"
#include "common/utf8.cuh"

constexpr int32 MAX_WORDS = 64;
constexpr int32 MAX_BYTES = 8192;  // the maximum length of a text; a longer text would keep its warp waiting

namespace {

__device__ __forceinline__ bool is_space(int32 character, bool beyond_latin_1) {
    if (character <= ' ') {
        return (character >= '\t' && character <= '\r') || character >= 0x1c;
    }
    return beyond_latin_1
        && (character == 0x85 || character == 0xa0 || character == 0x1680
            || (character >= 0x2000 && character <= 0x200a) || character == 0x2028 || character == 0x2029
                    || character == 0x202f || character == 0x205f
            || character == 0x3000);
}

// Compares two words: the result is negative if a[begin..end) comes before b[from..to), and 0 if they are equal.
__device__ __forceinline__ int32 order(
        const uint8* a, int32 begin, int32 end, const uint8* b, int32 from, int32 to) {
    while (begin < end && from < to && a[begin] == b[from]) {
        begin++;
        from++;
    }
    return (begin < end ? a[begin] : -1) - (from < to ? b[from] : -1);
}

struct Words {
    const uint8* bytes;
    int32 length;
    int32 count = 0;
    int32 characters = 0;
    bool is_solved = true;  // whether a thread can process these words
    uint16 begins[MAX_WORDS];
    uint16 ends[MAX_WORDS];

    __device__ Words(const Texts& texts, int64 row) :
        bytes(texts.bytes + texts.offsets[row]), length(texts.offsets[row + 1] - texts.offsets[row]) {
        if (length > MAX_BYTES) {
            is_solved = false;
            for (int32 at = 0; at < length; at += bytes_from(bytes[at])) {
                characters++;
            }
            return;
        }
        bool beyond_latin_1 = false;
        for (int32 at = 0; at < length; at += bytes_from(bytes[at])) {
            if (bytes[at] >= 0x80) {
                uint32 character = character_at(bytes, at, length);
                is_solved &= character < CODE_POINTS;
                beyond_latin_1 |= character >= 0x100;
            }
            characters++;
        }
        int32 begin = 0;
        for (int32 at = 0; at < length && is_solved;) {
            int32 next = at + bytes_from(bytes[at]);
            if (is_space(character_at(bytes, at, length), beyond_latin_1)) {
                add(begin, at);
                begin = next;
            }
            at = next;
        }
        add(begin, length);
    }

    __device__ __forceinline__ void add(int32 begin, int32 end) {
        if (begin < end && is_solved) {
            if (count == MAX_WORDS) {
                is_solved = false;
            } else {
                begins[count] = static_cast<uint16>(begin);
                ends[count++] = static_cast<uint16>(end);
            }
        }
    }

    __device__ __forceinline__ int32 joined() const {
        int32 bytes = max(0, count - 1);
        for (int32 i = 0; i < count; i++) {
            bytes += ends[i] - begins[i];
        }
        return is_solved ? bytes : 0;
    }

    __device__ __forceinline__ void sort() {
        for (int32 i = 1; i < count; i++) {
            int32 begin = begins[i];
            int32 end = ends[i];
            int32 at = i;
            for (; at > 0 && order(bytes, begin, end, bytes, begins[at - 1], ends[at - 1]) < 0; at--) {
                begins[at] = begins[at - 1];
                ends[at] = ends[at - 1];
            }
            begins[at] = static_cast<uint16>(begin);
            ends[at] = static_cast<uint16>(end);
        }
    }

    __device__ __forceinline__ int32 compare(int32 i, const Words& other, int32 j) const {
        return order(bytes, begins[i], ends[i], other.bytes, other.begins[j], other.ends[j]);
    }

    // Returns the index of the first word after word i that differs from it. The words are sorted.
    __device__ __forceinline__ int32 behind(int32 i) const {
        int32 next = i + 1;
        while (next < count && compare(next, *this, i) == 0) {
            next++;
        }
        return next;
    }

    __device__ __forceinline__ void keep(int32 place, int32 i) {
        begins[place] = begins[i];
        ends[place] = ends[i];
    }

    // Returns the number of characters in a word.
    __device__ __forceinline__ int32 characters_of(int32 i) const {
        int32 found = 0;
        for (int32 at = begins[i]; at < ends[i]; at += bytes_from(bytes[at])) {
            found++;
        }
        return found;
    }

    __device__ __forceinline__ void join(uint8* to) const {
        for (int32 i = 0; i < count; i++) {
            if (i > 0) {
                *to++ = ' ';
            }
            for (int32 at = begins[i]; at < ends[i]; at++) {
                *to++ = bytes[at];
            }
        }
    }
};

}  // namespace
