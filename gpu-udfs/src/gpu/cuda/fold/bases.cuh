// The bases of RNAs, numbered as in dev.bellman.fold.Bases: N, A, C, G, U; their pairs; and tables stored by diagonals.
#pragma once

#include "common/columns.cuh"

constexpr int32 BASES = 5;

// Returns the number of a base; negative for other letters.
__device__ __forceinline__ int32 base_of(uint8 letter) {
    switch (letter & ~0x20) {
        case 'N':
            return 0;
        case 'A':
            return 1;
        case 'C':
            return 2;
        case 'G':
            return 3;
        case 'U':
        case 'T':
            return 4;
        default:
            return -1;
    }
}

// Returns the number that represents a pair of two bases, with the 5' base first, or 0 if they cannot pair. The
// constant has a hexadecimal digit for each pair of A, C, G and U.
__device__ __forceinline__ int32 pair_of(int32 x, int32 y) {
    constexpr uint64 NUMBERS = 0x0406'3020'0100'5000ull;
    int32 shift = 16 * (x - 1) + 4 * (y - 1);
    return x == 0 || y == 0 ? 0 : static_cast<int32>(NUMBERS >> shift & 15);
}

// Whether all letters of a text are bases. A whole warp must call this.
__device__ __forceinline__ bool are_bases(const uint8* text, int32 n) {
    bool valid = true;
    for (int32 i = threadIdx.x % 32; i < n; i += 32) {
        valid = valid && base_of(text[i]) >= 0;
    }
    return __all_sync(~0u, valid);
}

// Returns the first number from `from` on that satisfies a condition, or `behind` if no number below `behind` does. A
// whole warp must call this; it tests 32 numbers at a time.
template <typename Holds>
__device__ __forceinline__ int32 first_that(int32 from, int32 behind, Holds holds) {
    int32 lane = threadIdx.x % 32;
    for (int32 each = from; each < behind; each += 32) {
        uint32 those = __ballot_sync(~0u, each + lane < behind && holds(each + lane));
        if (those != 0) {
            return each + __ffs(those) - 1;
        }
    }
    return behind;
}

// Returns the index of the entry (i, j) in a table stored by diagonals, in which adjacent threads read adjacent words.
// For n = 5:
//
//    i \ j   0   1   2   3   4
//      0     0   5   9  12  14
//      1         1   6  10  13
//      2             2   7  11
//      3                 3   8
//      4                     4
//
// n is at most 46,340.
__device__ __forceinline__ int32 diagonal_place(int32 n, int32 i, int32 j) {
    int32 diagonal = j - i;
    return diagonal * n - diagonal * (diagonal - 1) / 2 + i;
}
