// Normalizes texts, as defined by dev.bellman.align.names.Normalization: every character becomes a lowercase letter, a
// number or a space, and spaces at both ends are removed. A few lanes of a warp normalize an ASCII text, four
// characters at a time. A single thread normalizes any other short text, and a whole warp a long one.
//
// Java passes its character tables, because their content depends on the Java runtime. The table consists of int32.
// First, for each block of BLOCK_POINTS code points, the index of the block's entries; then the entries of all distinct
// blocks, beginning with those of the first block. An entry is the difference between the normalized character and the
// character, or OTHER if the character becomes a space.
#include "align/names/texts.cuh"
#include "align/pairs.cuh"
#include "common/host.cuh"
#include "common/utf8_warp.cuh"
#include "common/warp.cuh"

constexpr int32 BLOCK_POINTS = 256;
constexpr int32 OTHER = 0x7fffffff;
FOR_HOST(CODE_POINTS);
FOR_HOST(BLOCK_POINTS);
FOR_HOST(OTHER);

namespace {

constexpr int32 LANES = 4;       // the number of lanes for an ASCII text
constexpr int32 SHORT = 64;      // the maximum number of bytes in a short text
constexpr int32 NOT_ASCII = -1;  // instead of the place where the rest of an ASCII text begins
constexpr uint32 SPACES = 0x20202020;

// Returns the bytes of a normalized character, as bytes_of does.
__device__ __forceinline__ uint32 normalized(const int32* table, int32 character) {
    if (static_cast<uint32>(character) >= CODE_POINTS) {
        return ' ';
    }
    int32 entries = character < BLOCK_POINTS ? CODE_POINTS / BLOCK_POINTS : table[character / BLOCK_POINTS];
    int32 change = table[entries + character % BLOCK_POINTS];
    return change == OTHER ? ' ' : bytes_of(character + change);
}

// Returns 0x80 for each of four ASCII characters that is at least `first` and less than `end`, and 0 for the others.
__device__ __forceinline__ uint32 in_range(uint32 characters, int32 first, int32 end) {
    return (characters + (0x80 - first) * 0x01010101u) & ~(characters + (0x80 - end) * 0x01010101u) & 0x80808080;
}

// Normalizes four ASCII characters. In every Unicode version, the table has the same characters.
__device__ __forceinline__ uint32 normalized_ascii(uint32 characters) {
    uint32 lower = characters | SPACES;
    uint32 kept = in_range(lower, 'a', 'z' + 1) | in_range(characters, '0', '9' + 1);
    return (lower & (kept | (kept - (kept >> 7)))) | SPACES;
}

// Loads the four bytes at any address before `end`, the end of the column's memory; those after the end are 0.
__device__ __forceinline__ uint32 load_four(const uint8* from, const uint8* end) {
    int32 shift = 8 * static_cast<int32>(reinterpret_cast<uint64>(from) & 3);
    const uint32* word = reinterpret_cast<const uint32*>(reinterpret_cast<uint64>(from) & ~3ull);
    int64 left = end - reinterpret_cast<const uint8*>(word);
    uint32 low = load_up_to(word, left);
    uint32 high = shift > 0 && left > 4 ? load_up_to(word + 1, left - 4) : 0;
    return __funnelshift_r(low, high, shift);
}

// The part of an ASCII text that remains if spaces at both ends are removed.
struct Rest {
    int32 begin;  // NOT_ASCII if some characters are not ASCII
    int32 end;
};

// Finds the rest of a text, with LANES lanes.
__device__ __forceinline__ Rest find_rest(const uint8* text, int32 bytes, const uint8* column_end) {
    Rest rest = {bytes, 0};
    uint32 all = 0;
    for (int32 i = 4 * (threadIdx.x % LANES); i < bytes; i += 4 * LANES) {
        uint32 characters = load_four(text + i, column_end) & ~0u >> 8 * max(0, 4 - (bytes - i));
        uint32 kept = normalized_ascii(characters) ^ SPACES;
        all |= characters;
        if (kept != 0) {
            rest.begin = min(rest.begin, i + (__ffs(kept) - 1) / 8);
            rest.end = i + 4 - __clz(kept) / 8;
        }
    }
    rest.begin = (all & 0x80808080) != 0 ? NOT_ASCII : rest.begin;
    rest.begin = reduce_lanes<LANES>(rest.begin, [](int32 a, int32 b) { return min(a, b); });
    rest.end = max_of_lanes<LANES>(rest.end);
    return {min(rest.begin, rest.end), rest.end};
}

// Writes `length` bytes of a text, with LANES lanes; normalizes them if they are ASCII characters to normalize. Each
// lane writes the bytes of an aligned word.
__device__ __forceinline__ void write_rest(
        const uint8* from, int32 length, bool normalizes, const uint8* column_end, uint8* to) {
    if (length == 0) {
        return;
    }
    int32 before = static_cast<int32>(reinterpret_cast<uint64>(to) & 3);
    for (int32 i = 4 * (threadIdx.x % LANES) - before; i < length; i += 4 * LANES) {
        uint32 bytes = load_four(from + max(i, 0), column_end) << 8 * max(-i, 0);
        bytes = normalizes ? normalized_ascii(bytes) : bytes;
        if (i >= 0 && length - i >= 4) {
            *reinterpret_cast<uint32*>(to + i) = bytes;
        } else {
#pragma unroll
            for (int32 k = 0; k < 4; k++) {
                if (i + k >= 0 && i + k < length) {
                    to[i + k] = static_cast<uint8>(bytes >> 8 * k);
                }
            }
        }
    }
}

// A normalized text that is written or only measured, character by character.
struct Characters {
    uint8* to;      // nullptr if the text is only measured
    int32 length;   // the length of the text that is written
    int32 at = 0;   // the number of bytes so far, including those of spaces that may be at the end
    int32 end = 0;  // the number of bytes up to the last character that is not a space

    // Writes a character at a position, unless the position is after the end of the text.
    __device__ __forceinline__ void write(uint32 character, int32 count, int32 position) const {
        if (to != nullptr && position < length) {
            for (int32 i = count - 1; i >= 0; i--) {
                to[position + i] = static_cast<uint8>(character);
                character >>= 8;
            }
        }
    }

    // Normalizes a text with this thread.
    __device__ __forceinline__ void by_thread(const uint8* text, int32 bytes, const int32* table) {
        for (int32 i = 0; i < bytes;) {
            int32 character = text[i];
            int32 next = i + 1;
            if (character >= 0x80) {
                next = i + bytes_from(character);
                character = character_at(text, i, bytes);
            }
            i = next;
            uint32 its = normalized(table, character);
            if (its == ' ' && at == 0) {
                continue;
            }
            int32 count = (39 - __clz(its)) / 8;
            write(its, count, at);
            at += count;
            end = its == ' ' ? end : at;
        }
    }

    // Normalizes a text with all threads of a warp.
    __device__ __forceinline__ void by_warp(const uint8* text, int32 bytes, const int32* table) {
        int32 lane = threadIdx.x % 32;
        uint32 carry = 0;
        for (int32 first = 0; first < bytes; first += 32) {
            int32 i = first + lane;
            uint32 byte = i < bytes ? text[i] : 0;
            bool begins = begins_in_warp(byte, bytes - first, carry) >> lane & 1;
            uint32 its = begins ? normalized(table, character_at(text, i, bytes)) : 0;
            uint32 kept = __ballot_sync(~0u, begins && its != ' ');
            if (at == 0 && (kept & ((2u << lane) - 1)) == 0) {
                its = 0;
            }
            uint32 one = __ballot_sync(~0u, its != 0);
            uint32 two = __ballot_sync(~0u, its > 0xff);
            uint32 three = __ballot_sync(~0u, its > 0xffff);
            uint32 four = __ballot_sync(~0u, its > 0xffffff);
            auto bytes_in = [&](uint32 lanes) {
                return __popc(one & lanes) + __popc(two & lanes) + __popc(three & lanes) + __popc(four & lanes);
            };
            if (its != 0) {
                write(its, bytes_in(1u << lane), at + bytes_in((1u << lane) - 1));
            }
            end = kept == 0 ? end : at + bytes_in(~0u >> __clz(kept));
            at += bytes_in(~0u);
        }
    }
};

// Normalizes the text of each thread that has one. Returns the length of the thread's normalized text.
__device__ __forceinline__ int32 normalize_characters(
        bool has_text, const uint8* text, int32 bytes, const int32* table, uint8* to, int32 length) {
    Characters own = {to, length};
    if (has_text && bytes <= SHORT) {
        own.by_thread(text, bytes, table);
    }
    for (uint32 left = __ballot_sync(~0u, has_text && bytes > SHORT); left != 0; left &= left - 1) {
        int32 source = __ffs(left) - 1;
        Characters its = {
            reinterpret_cast<uint8*>(__shfl_sync(~0u, reinterpret_cast<uint64>(to), source)),
            __shfl_sync(~0u, length, source)};
        its.by_warp(
                reinterpret_cast<const uint8*>(__shfl_sync(~0u, reinterpret_cast<uint64>(text), source)),
                __shfl_sync(~0u, bytes, source),
                table);
        own.end = threadIdx.x % 32 == source ? its.end : own.end;
    }
    return own.end;
}

}  // namespace

// Computes the lengths of the normalized texts: 0 for null rows.
//
// - flags: for each row, whether its text is normalized; other texts are copied
// - begins (output): where the bytes of each row's text begin that normalize_write copies, or NOT_ASCII
extern "C" __global__ void __launch_bounds__(256) normalize_lengths(
        int32 rows,
        const uint32* validity,
        const uint8* flags,
        Texts texts,
        const int32* table,
        int32* begins,
        int32* lengths) {
    int64 row = thread_index();
    bool present = row < rows && is_valid(validity, row);
    int32 from = present ? texts.offsets[row] : 0;
    int32 bytes = present ? texts.offsets[row + 1] - from : 0;
    bool normalizes = present && flags[row] != 0;
    const uint8* column_end = texts.bytes + texts.offsets[rows];
    Rest rest = {0, bytes};
    for (int32 i = 0; i < LANES; i++) {
        int32 its_from = __shfl_sync(~0u, from, i, LANES);
        int32 its_bytes = __shfl_sync(~0u, normalizes ? bytes : 0, i, LANES);
        Rest its = find_rest(texts.bytes + its_from, its_bytes, column_end);
        if (normalizes && threadIdx.x % LANES == i) {
            rest = its;
        }
    }
    bool has_others = rest.begin == NOT_ASCII;
    int32 length = normalize_characters(has_others, texts.bytes + from, bytes, table, nullptr, 0);
    if (row < rows) {
        begins[row] = rest.begin;
        lengths[row] = has_others ? length : rest.end - rest.begin;
    }
}

// Writes the normalized texts.
//
// - begins: the output of normalize_lengths
// - offsets: the offsets of the normalized texts in `to`
extern "C" __global__ void __launch_bounds__(256) normalize_write(
        int32 rows,
        const uint8* flags,
        Texts texts,
        const int32* table,
        const int32* begins,
        const int32* offsets,
        uint8* to) {
    int64 row = thread_index();
    int32 at = row < rows ? offsets[row] : 0;
    int32 length = row < rows ? offsets[row + 1] - at : 0;
    int32 begin = length > 0 ? begins[row] : 0;
    int32 from = length > 0 ? texts.offsets[row] : 0;
    bool has_others = begin == NOT_ASCII;
    bool normalizes = length > 0 && flags[row] != 0;
    const uint8* column_end = texts.bytes + texts.offsets[rows];
    for (int32 i = 0; i < LANES; i++) {
        int32 its_from = __shfl_sync(~0u, from + begin, i, LANES);
        int32 its_length = __shfl_sync(~0u, has_others ? 0 : length, i, LANES);
        bool its_normalizes = __shfl_sync(~0u, normalizes, i, LANES);
        int32 its_at = __shfl_sync(~0u, at, i, LANES);
        write_rest(texts.bytes + its_from, its_length, its_normalizes, column_end, to + its_at);
    }
    int32 bytes = has_others ? texts.offsets[row + 1] - from : 0;
    normalize_characters(has_others, texts.bytes + from, bytes, table, to + at, length);
}
