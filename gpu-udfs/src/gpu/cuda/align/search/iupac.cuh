// Handles the IUPAC codes of nucleotides: a letter of the pattern equals a letter of the text if the former stands for
// all of the latter's bases, as in dev.bellman.align.search.Letters.
#pragma once

#include "align/search/symbols.cuh"

// The bases that each ASCII character stands for, as bits in the order A, C, G, T; 0 if it is not an IUPAC code.
__device__ const uint8 IUPAC_BASES[128] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    // A  B   C  D         G  H         K      M  N             R  S  T  U  V  W     Y
    0, 1, 14, 2, 13, 0, 0, 4, 11, 0, 0, 12, 0, 3, 15, 0, 0, 0, 5, 6, 8, 8, 7, 9, 0, 10, 0, 0, 0, 0, 0, 0,
    0, 1, 14, 2, 13, 0, 0, 4, 11, 0, 0, 12, 0, 3, 15, 0, 0, 0, 5, 6, 8, 8, 7, 9, 0, 10, 0, 0, 0, 0, 0, 0,
};

__device__ __forceinline__ uint32 iupac_bases(uint32 character) {
    return __ldg(IUPAC_BASES + (character & 127));
}

// Looks up the rows by the bases of the text's letter.
template <int K, int BLOCK>
struct FreeIupac {
    static constexpr int STRIDE = K * BLOCK;

    Bytes text;
    uint2 letters;
    const uint32* table;  // [16 sets of bases][K][BLOCK], this thread's column

    struct Column {
        const uint32* rows;
    };

    __device__ __forceinline__ FreeIupac(const Pair& pair, int32 first_row, bool equal) :
        text(pair.text, pair.text_length) {
        __shared__ uint32 tables[16 * STRIDE];
        uint32* mine = tables + threadIdx.x;
        table = mine;
        const uint8* pattern = static_cast<const uint8*>(pair.pattern);
#pragma unroll 1
        for (int k = 0; k < K; k++) {
            uint32 rows_of[4] = {0, 0, 0, 0};
#pragma unroll 1
            for (int32 i = 0; i < 32; i++) {
                int32 row = first_row + 32 * k + i;
                uint32 bases = row >= 0 ? iupac_bases(pattern[row]) : 0;
#pragma unroll
                for (int base = 0; base < 4; base++) {
                    rows_of[base] |= (bases >> base & 1) << i;
                }
            }
            uint32 rows = free_rows(first_row + 32 * k);
#pragma unroll
            for (int set = 0; set < 16; set++) {
                uint32 same = set == 0 ? 0 : ~0u;
#pragma unroll
                for (int base = 0; base < 4; base++) {
                    same &= (set >> base & 1) != 0 ? rows_of[base] : ~0u;
                }
                mine[set * STRIDE + k * BLOCK] = equal ? same | rows : same & ~rows;
            }
        }
    }

    __device__ __forceinline__ void load(int32 position) {
        letters = text.eight(position);
    }

    __device__ __forceinline__ Column column(int32 i, uint32) const {
        return {table + iupac_bases(__byte_perm(i < 4 ? letters.x : letters.y, 0, 0x4440 | (i & 3))) * STRIDE};
    }

    __device__ __forceinline__ uint32 equal(const Column& column, int k) const {
        return column.rows[k * BLOCK];
    }
};
