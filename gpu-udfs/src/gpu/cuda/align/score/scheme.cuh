// A pair and its scoring, for the kernels in this folder.
#pragma once

#include "common/columns.cuh"

// Scheme numbers for rows with no scheme or with an invalid one.
constexpr int32 UNKNOWN_SCHEME = -1;
constexpr int32 WRONG_SCHEME = -2;

enum Mode : int32 { GLOBAL = 0, LOCAL = 1, OVERLAP = 2, A_IN_B = 3, B_IN_A = 4, EXTENSION = 5 };

// A mode and a scoring that many rows share, called Scheme on the host.
struct Scheme {
    // for each byte below 128, its column in the table, or NO_CODE; null if characters are compared
    const uint8* codes;
    const int32* table;    // `letters` rows of `letters` scores
    int32 letters;
    int32 mode;
    int32 match;
    int32 mismatch;
    int32 insert_open;
    int32 insert_extend;
    int32 delete_open;
    int32 delete_extend;
    // the costs of the second piece; equal to those of the first piece if there is only one
    int32 insert_open2;
    int32 insert_extend2;
    int32 delete_open2;
    int32 delete_extend2;
    int32 has_two_pieces;  // whether gaps of either kind have two pieces
    int32 largest;         // the largest score of two letters, or 0 if all are negative
    int32 magnitude;       // the largest magnitude of any number in the scheme
    int32 packs;           // whether nucleotide tables may be packed; if so, scores and costs fit in a byte
    int32 has_profile;     // whether query profiles may be used; if so, all scores and costs fit in a byte
    // the scores of A, C, T and G with each of A, C, T and G, one byte each; if the mode is global, increased by the
    // costs of extending both gaps
    uint32 nucleotides_a;
    uint32 nucleotides_c;
    uint32 nucleotides_t;
    uint32 nucleotides_g;
};

constexpr int32 NO_CODE = 255;

constexpr int32 EXTENSION_BLOCK = 128;

// The block size of the kernels that store traceback bits of extensions. It is one warp, because each warp needs much
// memory.
constexpr int32 EXTENSION_PATH_BLOCK = 32;

// The number of rows of an extension's stripe that one lane computes, and the total number of rows of a stripe.
constexpr int32 EXTENSION_ROWS = 8;
constexpr int32 EXTENSION_HEIGHT = 32 * EXTENSION_ROWS;

// A band that contains all cells.
constexpr int32 MAX_BAND = 1 << 28;

// The value of band and z_drop if there is no limit.
constexpr int32 NO_LIMIT = 0x7fffffff;

__device__ __forceinline__ bool first_row_free(int32 mode) {
    return mode == LOCAL || mode == OVERLAP || mode == A_IN_B;
}

__device__ __forceinline__ bool first_column_free(int32 mode) {
    return mode == LOCAL || mode == OVERLAP || mode == B_IN_A;
}

__device__ __forceinline__ int32 gap_cost(int32 letters, int32 open, int32 extend) {
    return letters <= 0 ? 0 : open + (letters - 1) * extend;
}

template <bool HAS_TWO_PIECES>
__device__ __forceinline__ int32 insert_cost(const Scheme& scheme, int32 letters) {
    int32 cost = gap_cost(letters, scheme.insert_open, scheme.insert_extend);
    return HAS_TWO_PIECES ? min(cost, gap_cost(letters, scheme.insert_open2, scheme.insert_extend2)) : cost;
}

template <bool HAS_TWO_PIECES>
__device__ __forceinline__ int32 delete_cost(const Scheme& scheme, int32 letters) {
    int32 cost = gap_cost(letters, scheme.delete_open, scheme.delete_extend);
    return HAS_TWO_PIECES ? min(cost, gap_cost(letters, scheme.delete_open2, scheme.delete_extend2)) : cost;
}

// Returns the maximum number of steps that a warp needs for a stripe of an extension.
__device__ __forceinline__ int32 extension_steps(int32 columns, int32 band) {
    return static_cast<int32>(min(static_cast<int64>(columns), 2LL * band + EXTENSION_HEIGHT)) + 31;
}

// Returns the index of the last of `count` ascending numbers that is at most `value`, or 0 if there is none.
__device__ __forceinline__ int32 last_not_above(const int32* numbers, int32 count, int32 value) {
    int32 found = 0;
    int32 after = count;
    while (after - found > 1) {
        int32 middle = (found + after) / 2;
        if (numbers[middle] <= value) {
            found = middle;
        } else {
            after = middle;
        }
    }
    return found;
}

// Returns the position of a nucleotide in a scheme.
__device__ __forceinline__ int32 nucleotide_code(uint32 letter) {
    return letter >> 1 & 3;
}

// A pair to solve.
struct ScoredPair {
    const uint8* a;
    const uint8* b;
    int32 a_length;
    int32 b_length;
    int32 row;  // the pair's row in the batch
};
