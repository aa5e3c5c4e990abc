// Pairs of sequences in the layout used by the kernels in this folder, and the classes by which a batch is grouped.
#pragma once

#include "common/columns.cuh"

// A pair to solve. The pattern runs down the table, 32 rows per word; the text runs across it. Symbols are bytes, or
// the characters of common/utf8.cuh if the pair is not ASCII.
struct Pair {
    const void* pattern;
    const void* text;
    int32 pattern_length;
    int32 text_length;
    int32 row;      // the pair's row in the batch
    int32 swapped;  // whether the pattern is b
};

// A class combines an alphabet, a shape (score_shape, path_shape) and a length class of the text (text_class),
// from most to least significant. The host uses the same numbers (PairClass).
enum Alphabet : int32 { NUCLEOTIDES = 0, ASCII = 1, WIDE = 2, MALFORMED = 3 };

constexpr int32 SHAPE_STRIPED = 25;
constexpr int32 SHAPE_EMPTY = 26;
constexpr int32 SHAPES = 27;
constexpr int32 TEXT_CLASSES = 16;
constexpr int32 CLASSES = 4 * SHAPES * TEXT_CLASSES;

// Returns the class of a text length. Classes end at multiples of 32 up to 256, then at powers of two up to 32,768; all
// longer texts are in one class. The longest texts come first, so that they start first.
__device__ __forceinline__ int32 text_class(int32 length) {
    int32 blocks = (length + 31) / 32;
    int32 ascending = blocks <= 8 ? max(blocks, 1) - 1 : min(15, 8 + (31 - __clz((blocks - 1) / 8)));
    return TEXT_CLASSES - 1 - ascending;
}

// Returns the shape of a pair without traceback. Up to 8 words: one thread. Up to 384 words: 2 to 32 lanes of 5, 6, 8,
// 10 or 12 words. Characters beyond ASCII, up to 32 words: 1, 4, 8 or 32 lanes of one word. More words: stripes.
__device__ __forceinline__ int32 score_shape(int32 alphabet, int32 pattern_length) {
    int32 words = (pattern_length + 31) / 32;
    if (words == 0) {
        return SHAPE_EMPTY;
    }
    if (alphabet >= WIDE) {
        return words == 1 ? 0 : words <= 4 ? 1 : words <= 8 ? 2 : words <= 32 ? 3 : SHAPE_STRIPED;
    }
    if (words <= 8) {
        return words - 1;
    }
    if (words > 256) {
        return words <= 320 ? 23 : words <= 384 ? 24 : SHAPE_STRIPED;
    }
    int32 log = 31 - __clz((words - 1) / 8);
    int32 lanes = 2 << log;
    return 8 + 3 * log + (words <= 5 * lanes ? 0 : words <= 6 * lanes ? 1 : 2);
}

// Returns the shape of a pair with traceback. Up to 16 words and 1,024 columns: one thread of 1 to 8, 10, 12 or 16
// words. Larger pairs, and characters beyond ASCII: tiles.
__device__ __forceinline__ int32 path_shape(int32 alphabet, int32 pattern_length, int32 text_length) {
    if (pattern_length == 0 || text_length == 0) {
        return SHAPE_EMPTY;
    }
    int32 words = (pattern_length + 31) / 32;
    if (alphabet >= WIDE || words > 16 || text_length > 1024) {
        return SHAPE_STRIPED;
    }
    return words <= 8 ? words - 1 : words <= 10 ? 8 : words <= 12 ? 9 : 10;
}

// Loads a word, but reads only its first `bytes` bytes if `bytes` is less than 4.
__device__ __forceinline__ uint32 load_up_to(const uint32* word, int64 bytes) {
    if (bytes >= 4) {
        return __ldg(word);
    }
    uint32 loaded = 0;
#pragma unroll 1
    for (int32 i = 0; i < bytes; i++) {
        loaded |= static_cast<uint32>(__ldg(reinterpret_cast<const uint8*>(word) + i)) << (8 * i);
    }
    return loaded;
}
