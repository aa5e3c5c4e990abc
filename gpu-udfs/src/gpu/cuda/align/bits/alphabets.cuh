// An alphabet determines which of a word's 32 rows equal a column's character. It keeps the pattern in registers or
// shared memory and reads the text eight columns at a time.
//
//   Nucleotides      A, C, G and T, by two bit planes of the pattern in registers
//   NucleotideRows   the same letters, by one lookup in shared memory
//   Ascii            seven bits, by two lookups in shared memory
//   AsciiRows        seven bits, by one lookup in a larger table
//   CodePoints       the characters of well-formed text, by 21 bit planes in registers
//   AnyCharacters    the characters of arbitrary bytes, by 32 bit planes
//
// A bit plane contains one bit from each of 32 characters. Bits 1 and 2 of a byte distinguish A (00), C (01), G (11)
// and T (10). In this example, the pattern is TGCA, and row 0 is on the right:
//
//              A C G T
//     plane 1  0 1 1 0
//     plane 2  0 0 1 1
//     G        0 0 1 0       the rows whose bits are 1 and 1: plane 1 & plane 2
//
// AsciiTexts, AsciiRows, CodePointTexts and AnyCharacterTexts are versions for threads that pass the text to each
// other. Their `fetch` loads a part of the text as `Raw`, and `read` converts it to `Text`, in which positions outside
// the string match no row.
#pragma once

#include "align/bits/text.cuh"
#include "align/bits/words.cuh"
#include "common/utf8.cuh"

// The letters A, C, G and T, distinguished by bits 1 and 2 of the byte.
template <int K, int BLOCK>
struct Nucleotides {
    uint32 low[K];
    uint32 high[K];
    Bytes text;
    uint32 text_low;
    uint32 text_high;

    struct Column {
        uint32 low;
        uint32 high;
        uint32 valid;
    };

    __device__ __forceinline__ Nucleotides(const Pair& pair, int32 first_row) : text(pair.text, pair.text_length) {
        Bytes pattern(pair.pattern, pair.pattern_length);
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint2 bytes[4];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                bytes[i] = pattern.eight(first_row + 32 * k + 8 * i);
            }
            low[k] = plane(bytes, 1);
            high[k] = plane(bytes, 2);
        }
    }

    __device__ __forceinline__ void load(int32 position) {
        uint2 bytes = text.eight(position);
        text_low = plane_descending(bytes, 1);
        text_high = plane_descending(bytes, 2);
    }

    __device__ __forceinline__ Column column(int32 i, uint32 valid) const {
        return {spread(text_low << i), spread(text_high << i), valid};
    }

    __device__ __forceinline__ uint32 equal(const Column& column, int k) const {
        return logic<SAME_AND>(high[k], column.high, logic<SAME_AND>(low[k], column.low, column.valid));
    }
};

// A, C, G and T, by one lookup in shared memory, which takes fewer instructions than bit planes. Because the tables
// leave less memory for the L1 cache, LCS, whose columns take few instructions, uses them only for long patterns: then
// there are fewer texts to cache.
// LETTERS is the number of table entries for a word: 4, or 5 if there are padding columns; the fifth entry matches no
// row.
template <int K, int BLOCK, int LETTERS>
struct NucleotideTables {
    static constexpr int STRIDE = K * BLOCK;

    Bytes text;
    uint2 letters;
    uint32 table;  // the address of this thread's column in [LETTERS][K][BLOCK]

    struct Column {
        uint32 rows;
    };

    __device__ __forceinline__ NucleotideTables(const Pair& pair, int32 first_row)
        : text(pair.text, pair.text_length) {
        __shared__ uint32 tables[LETTERS * STRIDE];
        uint32* mine = tables + threadIdx.x;
        table = shared_address(mine);
        Bytes pattern(pair.pattern, pair.pattern_length);
#pragma unroll(K <= 8 ? K : 1)
        for (int k = 0; k < K; k++) {
            uint2 bytes[4];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                bytes[i] = pattern.eight(first_row + 32 * k + 8 * i);
            }
            uint32 low = plane(bytes, 1);
            uint32 high = plane(bytes, 2);
#pragma unroll
            for (int letter = 0; letter < 4; letter++) {
                mine[letter * STRIDE + k * BLOCK] = (letter & 1 ? low : ~low) & (letter & 2 ? high : ~high);
            }
            if (LETTERS > 4) {
                mine[4 * STRIDE + k * BLOCK] = 0;
            }
        }
    }

    __device__ __forceinline__ void load(int32 position) {
        uint2 bytes = text.eight(position);
        letters = make_uint2((bytes.x >> 1) & 0x03030303, (bytes.y >> 1) & 0x03030303);
    }

    __device__ __forceinline__ Column column(int32 i, uint32 valid) const {
        uint32 letter = __byte_perm(i < 4 ? letters.x : letters.y, 0, 0x4440 | (i & 3));
        return {table + 4 * STRIDE * (LETTERS > 4 ? (letter & valid) | (4 & ~valid) : letter)};
    }

    __device__ __forceinline__ uint32 equal(const Column& column, int k) const {
        return load_shared(column.rows + 4 * BLOCK * k);
    }
};

template <int K, int BLOCK>
using NucleotideRows = NucleotideTables<K, BLOCK, 4>;

// The alphabet of NucleotideRows, for threads that solve a pair together.
template <int K, int BLOCK>
using SharedNucleotideRows = NucleotideTables<K, BLOCK, 5>;

// Handles seven-bit characters: a row equals a character if both its upper three bits and its lower four bits match.
// Both matches are looked up. PARTS is the number of table entries for the upper three bits: 8, or 9 if threads pass
// the text to each other; the ninth entry matches no row.
template <int K, int BLOCK, int PARTS>
struct AsciiParts {
    static constexpr int STRIDE = K * BLOCK;

    Bytes text;
    uint2 text_low;
    uint2 text_high;
    const uint32* table;  // [16 entries for lower parts, then PARTS for upper parts][K][BLOCK], this thread's column

    struct Column {
        const uint32* low;
        const uint32* high;
        uint32 valid;
    };

    __device__ __forceinline__ AsciiParts(const Pair& pair, int32 first_row) : text(pair.text, pair.text_length) {
        __shared__ uint32 tables[(16 + PARTS) * STRIDE];
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
            uint32 planes[7];
#pragma unroll
            for (int bit = 0; bit < 7; bit++) {
                planes[bit] = plane(bytes, bit);
            }
            uint32 pairs[8];
#pragma unroll
            for (int v = 0; v < 4; v++) {
                pairs[v] = (v & 1 ? planes[0] : ~planes[0]) & (v & 2 ? planes[1] : ~planes[1]);
                pairs[4 + v] = (v & 1 ? planes[2] : ~planes[2]) & (v & 2 ? planes[3] : ~planes[3]);
            }
#pragma unroll
            for (int v = 0; v < 16; v++) {
                mine[v * STRIDE + k * BLOCK] = pairs[v & 3] & pairs[4 + (v >> 2)];
            }
#pragma unroll
            for (int v = 0; v < 8; v++) {
                mine[(16 + v) * STRIDE + k * BLOCK] =
                        (v & 1 ? planes[4] : ~planes[4]) & (v & 2 ? planes[5] : ~planes[5])
                        & (v & 4 ? planes[6] : ~planes[6]);
            }
            if (PARTS > 8) {
                mine[24 * STRIDE + k * BLOCK] = 0;
            }
        }
    }

    __device__ __forceinline__ void load(int32 position) {
        uint2 bytes = text.eight(position);
        text_low = make_uint2(bytes.x & 0x0f0f0f0f, bytes.y & 0x0f0f0f0f);
        text_high = make_uint2((bytes.x >> 4) & 0x07070707, (bytes.y >> 4) & 0x07070707);
    }

    __device__ __forceinline__ Column column(int32 i, uint32 valid) const {
        uint32 low = __byte_perm(i < 4 ? text_low.x : text_low.y, 0, 0x4440 | (i & 3));
        uint32 high = __byte_perm(i < 4 ? text_high.x : text_high.y, 0, 0x4440 | (i & 3));
        return {table + low * STRIDE, table + (16 + high) * STRIDE, valid};
    }

    __device__ __forceinline__ uint32 equal(const Column& column, int k) const {
        return column.low[k * BLOCK] & column.high[k * BLOCK] & column.valid;
    }
};

template <int K, int BLOCK>
using Ascii = AsciiParts<K, BLOCK, 8>;

// The alphabet of Ascii, for threads that pass the text to each other.
template <int K, int BLOCK>
struct AsciiTexts : AsciiParts<K, BLOCK, 9> {
    using Parts = AsciiParts<K, BLOCK, 9>;
    using Raw = Bytes::Raw;
    using Text = uint2;

    static constexpr uint32 STRIDE_BYTES = 4 * Parts::STRIDE;

    int32 length;
    uint32 low_rows;
    uint32 high_rows;

    struct Column {
        uint32 low;
        uint32 high;
    };

    __device__ __forceinline__ AsciiTexts(const Pair& pair, int32 first_row)
        : Parts(pair, first_row), length(pair.text_length) {
        low_rows = shared_address(this->table);
        high_rows = low_rows + 16 * STRIDE_BYTES;
    }

    static __device__ __forceinline__ Text nothing() {
        return AsciiText::nothing();
    }

    __device__ __forceinline__ Raw fetch(int32 position) const {
        return this->text.fetch(position);
    }

    __device__ __forceinline__ Text read(const Raw& raw, int32 position) const {
        return AsciiText::read(Bytes::align(raw), position, length);
    }

    __device__ __forceinline__ void take(const Text& bytes) {
        this->text_low = make_uint2(bytes.x & 0x0f0f0f0f, bytes.y & 0x0f0f0f0f);
        this->text_high = make_uint2((bytes.x >> 4) & 0x0f0f0f0f, (bytes.y >> 4) & 0x0f0f0f0f);
    }

    __device__ __forceinline__ Column column(int32 i) const {
        uint32 low = __byte_perm(i < 4 ? this->text_low.x : this->text_low.y, 0, 0x4440 | (i & 3));
        uint32 high = __byte_perm(i < 4 ? this->text_high.x : this->text_high.y, 0, 0x4440 | (i & 3));
        return {low_rows + low * STRIDE_BYTES, high_rows + high * STRIDE_BYTES};
    }

    __device__ __forceinline__ uint32 equal(const Column& column, int k) const {
        return load_shared(column.low + 4 * BLOCK * k) & load_shared(column.high + 4 * BLOCK * k);
    }
};

// Handles seven-bit characters with a single lookup, which requires a larger table. It is used for stripes and tiles
// with one word per thread, whose words process enough columns to repay the larger table.
template <int K, int BLOCK>
struct AsciiRows {
    static constexpr int STRIDE = K * BLOCK;

    using Raw = Bytes::Raw;

    // For each of eight characters, the offset of its rows in the table.
    struct alignas(16) Text {
        uint32 rows[8];
    };

    Bytes text;
    int32 length;
    Text now;
    uint32 table;  // the address of this thread's column in [128 characters, then one entry for no character][K][BLOCK]

    struct Column {
        uint32 rows;
    };

    __device__ __forceinline__ AsciiRows(const Pair& pair, int32 first_row)
        : text(pair.text, pair.text_length), length(pair.text_length) {
        __shared__ uint32 tables[129 * STRIDE];
        uint32* mine = tables + threadIdx.x;
        table = shared_address(mine);
        Bytes pattern(pair.pattern, pair.pattern_length);
#pragma unroll 1
        for (int k = 0; k < K; k++) {
            uint2 symbols[4];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                symbols[i] = pattern.eight(first_row + 32 * k + 8 * i);
            }
            uint32 planes[7];
#pragma unroll
            for (int bit = 0; bit < 7; bit++) {
                planes[bit] = plane(symbols, bit);
            }
#pragma unroll 1
            for (int high = 0; high < 8; high++) {
                uint32 upper = (high & 1 ? planes[4] : ~planes[4]) & (high & 2 ? planes[5] : ~planes[5])
                        & (high & 4 ? planes[6] : ~planes[6]);
#pragma unroll
                for (int low = 0; low < 16; low++) {
                    mine[(16 * high + low) * STRIDE + k * BLOCK] = upper & (low & 1 ? planes[0] : ~planes[0])
                            & (low & 2 ? planes[1] : ~planes[1]) & (low & 4 ? planes[2] : ~planes[2])
                            & (low & 8 ? planes[3] : ~planes[3]);
                }
            }
            mine[128 * STRIDE + k * BLOCK] = 0;
        }
    }

    static __device__ __forceinline__ uint32 rows(uint32 byte) {
        return 4 * STRIDE * byte;
    }

    static __device__ __forceinline__ Text nothing() {
        uint32 none = rows(128);
        return {{none, none, none, none, none, none, none, none}};
    }

    __device__ __forceinline__ Raw fetch(int32 position) const {
        return text.fetch(position);
    }

    __device__ __forceinline__ Text read(const Raw& raw, int32 position) const {
        uint2 bytes = AsciiText::read(Bytes::align(raw), position, length);
        Text text;
#pragma unroll
        for (int i = 0; i < 8; i++) {
            text.rows[i] = rows(__byte_perm(i < 4 ? bytes.x : bytes.y, 0, 0x4440 | (i & 3)));
        }
        return text;
    }

    __device__ __forceinline__ void take(const Text& text) {
        now = text;
    }

    __device__ __forceinline__ Column column(int32 i) const {
        return {table + now.rows[i]};
    }

    __device__ __forceinline__ uint32 equal(const Column& column, int k) const {
        return load_shared(column.rows + 4 * BLOCK * k);
    }
};

// Characters of BITS bits each, compared bit by bit.
template <int K, int BLOCK, int BITS>
struct Characters {
    uint32 planes[BITS][K];
    const int32* text;
    int32 length;
    int32 position;

    struct Column {
        int32 character;
        uint32 valid;
    };

    __device__ __forceinline__ Characters(const Pair& pair, int32 first_row)
        : text(static_cast<const int32*>(pair.text)), length(pair.text_length) {
        const int32* pattern = static_cast<const int32*>(pair.pattern);
#pragma unroll
        for (int k = 0; k < K; k++) {
#pragma unroll
            for (int bit = 0; bit < BITS; bit++) {
                planes[bit][k] = 0;
            }
            for (int i = 0; i < 32; i++) {
                int32 row = first_row + 32 * k + i;
                int32 character = row < pair.pattern_length ? pattern[row] : 0;
#pragma unroll
                for (int bit = 0; bit < BITS; bit++) {
                    planes[bit][k] |= ((character >> bit) & 1) << i;
                }
            }
        }
    }

    __device__ __forceinline__ void load(int32 at) {
        position = at;
    }

    __device__ __forceinline__ int32 character(int32 at, int32 otherwise) const {
        return static_cast<uint32>(at) < static_cast<uint32>(length) ? __ldg(text + at) : otherwise;
    }

    __device__ __forceinline__ Column column(int32 i, uint32 valid) const {
        return {character(position + i, 0), valid};
    }

    __device__ __forceinline__ uint32 equal(const Column& column, int k) const {
        uint32 different = 0;
#pragma unroll
        for (int bit = 0; bit < BITS; bit++) {
            different |= planes[bit][k] ^ spread(column.character << (31 - bit));
        }
        return ~different & column.valid;
    }
};

// The alphabet of Characters, for threads that pass the text to each other.
template <int K, int BLOCK, int BITS>
struct CharacterTexts : Characters<K, BLOCK, BITS> {
    using Column = typename Characters<K, BLOCK, BITS>::Column;

    struct Raw {
        int32 characters[8];
    };

    using Text = Raw;

    Text now;

    using Characters<K, BLOCK, BITS>::Characters;

    static __device__ __forceinline__ Text nothing() {
        return {
            {NO_CHARACTER,
             NO_CHARACTER,
             NO_CHARACTER,
             NO_CHARACTER,
             NO_CHARACTER,
             NO_CHARACTER,
             NO_CHARACTER,
             NO_CHARACTER}};
    }

    __device__ __forceinline__ Raw fetch(int32 position) const {
        Raw raw;
#pragma unroll
        for (int i = 0; i < 8; i++) {
            raw.characters[i] = this->character(position + i, NO_CHARACTER);
        }
        return raw;
    }

    __device__ __forceinline__ Text read(const Raw& raw, int32) const {
        return raw;
    }

    __device__ __forceinline__ void take(const Text& text) {
        now = text;
    }

    __device__ __forceinline__ Column column(int32 i) const {
        return {now.characters[i], ~0u};
    }
};

// The characters in well-formed text.
template <int K, int BLOCK>
using CodePoints = Characters<K, BLOCK, CODE_POINT_BITS>;

template <int K, int BLOCK>
using CodePointTexts = CharacterTexts<K, BLOCK, CODE_POINT_BITS>;

// The characters in arbitrary bytes.
template <int K, int BLOCK>
using AnyCharacters = Characters<K, BLOCK, 32>;

template <int K, int BLOCK>
using AnyCharacterTexts = CharacterTexts<K, BLOCK, 32>;
