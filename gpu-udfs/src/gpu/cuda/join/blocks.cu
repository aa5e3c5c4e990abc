// Numbers distinct strings in the order that dev.bellman.join.Strings defines, and copies them to this order. The host
// copies the strings block by block, each with a word that describes it. The order is by length, hash, group and bytes.
// A key contains the length and the highest bits of the hash, so cudf can sort it as an integer. Strings with equal
// keys are sorted afterwards; they are so rare that one thread sorts them, unless somebody constructed them.
#include "join/strings.cuh"

constexpr int32 BLOCKS_THREADS = 256;
// A word contains the offset of the string's bytes and, from these bits on, its length and its flags.
constexpr int32 WORD_LENGTH = 40;
constexpr int32 WORD_FLAGS = 46;
// The maximum number of strings with equal keys; the host numbers other strings itself.
constexpr int32 MAX_TIES = 256;
FOR_HOST(BLOCKS_THREADS);
FOR_HOST(WORD_LENGTH);
FOR_HOST(WORD_FLAGS);

// Strings in the order of their blocks.
struct BlockStrings {
    const uint64* words;
    const uint64* groups;  // null if all strings are in group 0
    const uint8* bytes;
    int32 count;
};
STRUCT_FOR_HOST(BlockStrings);
MEMBER_FOR_HOST(BlockStrings, words);
MEMBER_FOR_HOST(BlockStrings, groups);
MEMBER_FOR_HOST(BlockStrings, bytes);
MEMBER_FOR_HOST(BlockStrings, count);

namespace {

__device__ __forceinline__ const uint8* text(const BlockStrings& all, int64 string) {
    return all.bytes + (all.words[string] & (1ull << WORD_LENGTH) - 1);
}

__device__ __forceinline__ int32 length(const BlockStrings& all, int64 string) {
    return static_cast<int32>(all.words[string] >> WORD_LENGTH) & LONGEST - 1;
}

__device__ __forceinline__ uint64 group(const BlockStrings& all, int64 string) {
    return all.groups == nullptr ? 0 : all.groups[string];
}

// The hash of dev.bellman.join.DescribedStrings: of eight bytes at a time, and then of single bytes.
__device__ uint64 hash_of(const BlockStrings& all, int64 string) {
    const uint8* bytes = text(all, string);
    int32 end = length(all, string);
    uint64 hash = mix(group(all, string) + 0x517cc1b727220aull);
    for (int32 at = 0; at < end;) {
        int32 taken = end - at >= 8 ? 8 : 1;
        uint64 value = 0;
        for (int32 i = 0; i < taken; i++) {
            value |= static_cast<uint64>(bytes[at + i]) << 8 * i;
        }
        hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
        hash ^= hash >> 29;
        at += taken;
    }
    return mix(hash);
}

// Whether string x precedes string y, which has the same length.
__device__ bool precedes(const BlockStrings& all, int64 x, int64 y) {
    uint64 x_hash = hash_of(all, x);
    uint64 y_hash = hash_of(all, y);
    int64 x_group = static_cast<int64>(group(all, x));
    int64 y_group = static_cast<int64>(group(all, y));
    if (x_hash != y_hash || x_group != y_group) {
        return x_hash != y_hash ? x_hash < y_hash : x_group < y_group;
    }
    const uint8* x_bytes = text(all, x);
    const uint8* y_bytes = text(all, y);
    int32 end = length(all, x);
    int32 at = 0;
    while (at < end && x_bytes[at] == y_bytes[at]) {
        at++;
    }
    return at < end && x_bytes[at] < y_bytes[at];
}

}  // namespace

extern "C" __global__ void __launch_bounds__(BLOCKS_THREADS) join_blocks_keys(BlockStrings all, uint64* keys) {
    int64 string = thread_index();
    if (string < all.count) {
        keys[string] = static_cast<uint64>(length(all, string)) << 58 | hash_of(all, string) >> 6;
    }
}

// Sorts each run of strings with equal keys. Sets `failed` if a run is too long.
extern "C" __global__ void __launch_bounds__(BLOCKS_THREADS)
        join_blocks_ties(BlockStrings all, const uint64* keys, int32* order, int32* failed) {
    int64 first = thread_index();
    // another thread may move strings of its run meanwhile, but they all have the same key
    if (first >= all.count || first > 0 && keys[order[first - 1]] == keys[order[first]]) {
        return;
    }
    int64 end = first + 1;
    while (end < all.count && keys[order[end]] == keys[order[first]]) {
        end++;
        if (end - first > MAX_TIES) {
            *failed = 1;
            return;
        }
    }
    for (int64 next = first + 1; next < end; next++) {
        int32 string = order[next];
        int64 at = next;
        for (; at > first && precedes(all, string, order[at - 1]); at--) {
            order[at] = order[at - 1];
        }
        order[at] = string;
    }
}

// Writes the place (the block, from bit 32 on, and the index in the block) and the flags of each numbered string.
extern "C" __global__ void __launch_bounds__(BLOCKS_THREADS) join_blocks_numbers(
        BlockStrings all,
        const int32* order,
        const int32* block_starts,
        int32 blocks,
        int64* places,
        uint8* flags) {
    int64 number = thread_index();
    if (number >= all.count) {
        return;
    }
    int32 string = order[number];
    int32 block = 0;
    for (int32 beyond = blocks; beyond - block > 1;) {
        int32 middle = block + (beyond - block) / 2;
        if (block_starts[middle] <= string) {
            block = middle;
        } else {
            beyond = middle;
        }
    }
    places[number] = static_cast<int64>(block) << 32 | (string - block_starts[block]);
    flags[number] = static_cast<uint8>(all.words[string] >> WORD_FLAGS);
}

// Copies the strings to the order of their numbers. For each length, `firsts` has its first string, and `starts` has
// the offset of this string's bytes.
extern "C" __global__ void __launch_bounds__(BLOCKS_THREADS) join_blocks_strings(
        BlockStrings all,
        const int32* order,
        const int32* firsts,
        const int64* starts,
        int32 count,
        JoinString* strings,
        uint8* bytes) {
    int64 number = thread_index();
    if (number >= count) {
        return;
    }
    int32 string = order[number];
    const uint8* from = text(all, string);
    int32 size = length(all, string);
    int64 start = starts[size] + (number - firsts[size]) * size;
    uint32 once = 0;
    uint32 twice = 0;
    for (int32 at = 0; at < size; at++) {
        uint8 character = from[at];
        uint32 bit = 1u << (character & 31);
        twice |= once & bit;
        once |= bit;
        bytes[start + at] = character;
    }
    uint64 signature = once | static_cast<uint64>(twice) << 32;
    uint64 seed = mix(group(all, string) + 0x2545f4914f6cdd1dull);
    strings[number] = {start, signature, seed, size, static_cast<int32>(all.words[string] >> WORD_FLAGS) & 3};
}
