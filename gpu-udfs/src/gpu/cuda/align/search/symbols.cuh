// Versions of the alphabets in bits/alphabets.cuh for patterns that end at the last row: the rows above the first
// character are free. A free row has the values of the row above it. If the match may begin anywhere, a free row equals
// every character, so all its values are 0. Otherwise, it equals no character and grows in each column.
#pragma once

#include "align/bits/alphabets.cuh"

// Returns the free rows among the 32 rows from `first_row` on: the first `-first_row` of them if `first_row` is
// negative.
__device__ __forceinline__ uint32 free_rows(int32 first_row) {
    return first_row >= 0 ? 0 : first_row <= -32 ? ~0u : (1u << -first_row) - 1;
}

// Handles seven-bit characters, like Ascii.
template <int K, int BLOCK>
struct FreeAscii : Ascii<K, BLOCK> {
    __device__ __forceinline__ FreeAscii(const Pair& pair, int32 first_row, bool equal) :
        Ascii<K, BLOCK>(pair, first_row) {
        uint32* mine = const_cast<uint32*>(this->table);
#pragma unroll 1
        for (int k = 0; k < K; k++) {
            uint32 rows = free_rows(first_row + 32 * k);
            if (rows != 0) {
#pragma unroll 1
                for (int part = 0; part < 24; part++) {
                    uint32* word = mine + part * Ascii<K, BLOCK>::STRIDE + k * BLOCK;
                    *word = equal ? *word | rows : *word & ~rows;
                }
            }
        }
    }
};

// Handles A, C, G and T with one lookup in shared memory.
template <int K, int BLOCK>
struct FreeNucleotides {
    static constexpr int STRIDE = K * BLOCK;

    Bytes text;
    uint2 codes;
    const uint32* table;  // [4 nucleotides][K][BLOCK], this thread's column

    struct Column {
        const uint32* rows;
    };

    __device__ __forceinline__ FreeNucleotides(const Pair& pair, int32 first_row, bool equal) :
        text(pair.text, pair.text_length) {
        __shared__ uint32 tables[4 * STRIDE];
        uint32* mine = tables + threadIdx.x;
        table = mine;
        Bytes pattern(pair.pattern, pair.pattern_length);
#pragma unroll 1
        for (int k = 0; k < K; k++) {
            uint2 bytes[4];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                bytes[i] = pattern.eight(first_row + 32 * k + 8 * i);
            }
            uint32 low = plane(bytes, 1);
            uint32 high = plane(bytes, 2);
            uint32 rows = free_rows(first_row + 32 * k);
#pragma unroll
            for (int code = 0; code < 4; code++) {
                uint32 same = (code & 1 ? low : ~low) & (code & 2 ? high : ~high);
                mine[code * STRIDE + k * BLOCK] = equal ? same | rows : same & ~rows;
            }
        }
    }

    __device__ __forceinline__ void load(int32 position) {
        uint2 bytes = text.eight(position);
        codes = make_uint2(bytes.x >> 1 & 0x03030303, bytes.y >> 1 & 0x03030303);
    }

    __device__ __forceinline__ Column column(int32 i, uint32) const {
        return {table + __byte_perm(i < 4 ? codes.x : codes.y, 0, 0x4440 | (i & 3)) * STRIDE};
    }

    __device__ __forceinline__ uint32 equal(const Column& column, int k) const {
        return column.rows[k * BLOCK];
    }
};

// Handles characters of BITS bits, like Characters.
template <int K, int BLOCK, int BITS>
struct FreeCharacters : Characters<K, BLOCK, BITS> {
    using Column = typename Characters<K, BLOCK, BITS>::Column;

    uint32 always[K];
    uint32 never[K];

    __device__ __forceinline__ FreeCharacters(const Pair& pair, int32 first_row, bool equal) :
        Characters<K, BLOCK, BITS>({pair.pattern, pair.text, 0, pair.text_length, 0, 0}, 0) {
        const int32* pattern = static_cast<const int32*>(pair.pattern);
#pragma unroll
        for (int k = 0; k < K; k++) {
            for (int i = 0; i < 32; i++) {
                int32 row = first_row + 32 * k + i;
                int32 character = row >= 0 ? pattern[row] : 0;
#pragma unroll
                for (int bit = 0; bit < BITS; bit++) {
                    this->planes[bit][k] |= (character >> bit & 1) << i;
                }
            }
            uint32 rows = free_rows(first_row + 32 * k);
            always[k] = equal ? rows : 0;
            never[k] = equal ? 0 : rows;
        }
    }

    __device__ __forceinline__ uint32 equal(const Column& column, int k) const {
        return (Characters<K, BLOCK, BITS>::equal(column, k) | always[k]) & ~never[k];
    }
};

template <int K, int BLOCK>
using FreeCodePoints = FreeCharacters<K, BLOCK, CODE_POINT_BITS>;

template <int K, int BLOCK>
using FreeAnyCharacters = FreeCharacters<K, BLOCK, 32>;
