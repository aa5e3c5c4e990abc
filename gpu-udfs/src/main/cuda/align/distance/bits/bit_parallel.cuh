// Rows of a dynamic-programming table as bits of words.
//
// A column of the table of Levenshtein's distance is kept as its vertical differences, two bits for each row: Pv where the value
// grows by one, Mv where it falls by one (Myers 1999; for whole tables Hyyro 2003). With Eq the rows whose character is the text's:
//
//     U  = Pv & Eq
//     C  = (Pv + U) ^ Pv ^ U         the carries into each bit, which are the rows whose upper neighbour falls by one from column to column
//     D0 = Eq | Mv | C               rows that equal their upper left neighbour
//     Ph = Mv | ~(D0 | Pv)           rows that grow by one from column to column
//     Hs = Ph << 1                   with the bit that the row above hands in
//     Pv = C | ~(D0 | Hs),  Mv = Hs & D0
//
// Myers computes and shifts a vector of falling rows; it is the vector of carries, so its shift comes free: eight operations on a
// word after Eq. The longest common subsequence keeps one bit for each row, V clear where the value grows (Crochemore, Iliopoulos,
// Pinzon and Reid 2001; Hyyro 2004): V = (V + (V & Eq)) | (V & ~Eq), three operations.
//
// A pattern of more than 32 rows is a chain of words: the addition hands its carry on. A thread holds K words in registers, L threads
// a pattern of 32 * L * K rows, stripes of 32 threads any pattern. Neighbours hand on what crosses their border 32 columns at a time: a
// word of Hs bits and a word of carries, the earliest column in the highest bit, so that a thread takes its bits by shifting left.
// So thread l works one block of 32 columns behind thread l - 1. The text is padded at its front to whole blocks by columns that leave the
// state as it is: no row equals them and the row above does not grow. In stripes, where a single pair is to be fast, threads are only
// eight columns apart (Wave).
#pragma once

#include "align/pairs.cuh"

__device__ __forceinline__ uint32 add_carry_out(uint32 a, uint32 b) {
    uint32 sum;
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
    return sum;
}

__device__ __forceinline__ uint32 add_carry_through(uint32 a, uint32 b) {
    uint32 sum;
    asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
    return sum;
}

__device__ __forceinline__ uint32 add_carry_in(uint32 a, uint32 b) {
    uint32 sum;
    asm volatile("addc.u32 %0, %1, %2;" : "=r"(sum) : "r"(a), "r"(b));
    return sum;
}

// Any function of three words: the table is the function of 0xf0, 0xcc and 0xaa. The compiler by itself finds a word's eight operations
// one too many.
template <int TABLE>
__device__ __forceinline__ uint32 logic(uint32 a, uint32 b, uint32 c) {
    uint32 result;
    asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(a), "r"(b), "r"(c), "n"(TABLE));
    return result;
}

constexpr int XOR3 = 0xf0 ^ 0xcc ^ 0xaa;
constexpr int OR3 = 0xf0 | 0xcc | 0xaa;
constexpr int OR_NOR = 0xff & (0xf0 | ~(0xcc | 0xaa));       // a | ~(b | c)
constexpr int SAME_AND = 0xff & (~(0xf0 ^ 0xcc) & 0xaa);     // ~(a ^ b) & c

// Shared memory by addresses of 32 bits, so that a look-up takes a multiplication and a load.
__device__ __forceinline__ uint32 shared_address(const void* shared) {
    return static_cast<uint32>(__cvta_generic_to_shared(shared));
}

// Not volatile: what is at the address does not change while a thread knows it.
__device__ __forceinline__ uint32 load_shared(uint32 address) {
    uint32 loaded;
    asm("ld.shared.u32 %0, [%1];" : "=r"(loaded) : "r"(address));
    return loaded;
}

// The highest bit in all bits.
__device__ __forceinline__ uint32 spread(uint32 bits) {
    return static_cast<uint32>(static_cast<int32>(bits) >> 31);
}

// Eight ASCII characters of a text. What is outside of it, 0x80, equals no row.
struct AsciiText {
    static __device__ __forceinline__ uint2 nothing() {
        return make_uint2(0x80808080, 0x80808080);
    }

    static __device__ __forceinline__ uint2 read(uint2 bytes, int32 position, int32 length) {
        int32 before = max(-position, 0);
        int32 behind = max(position + 8 - length, 0);
        uint64 inside = before >= 8 || behind >= 8 ? 0 : ~0ull << (8 * before) & ~0ull >> (8 * behind);
        uint2 kept = make_uint2(static_cast<uint32>(inside), static_cast<uint32>(inside >> 32));
        return make_uint2((bytes.x & kept.x) | (0x80808080 & ~kept.x), (bytes.y & kept.y) | (0x80808080 & ~kept.y));
    }
};

// Bytes of a string at any alignment, four to a word; outside of the string undefined, but not touched.
struct Bytes {
    const uint32* words;
    int32 shift;
    int32 last;
    uint32 tail;  // the last word, as far as it is the string's: the rest of it may be behind the column's memory

    __device__ __forceinline__ Bytes(const void* begin, int32 length) {
        uint64 address = reinterpret_cast<uint64>(begin);
        words = reinterpret_cast<const uint32*>(address & ~3ull);
        shift = static_cast<int32>(address & 3);
        int64 end = shift + static_cast<int64>(length);
        last = static_cast<int32>((end - 1) >> 2);
        tail = length > 0 ? load_up_to(words + last, end - 4ll * last) : 0;
    }

    __device__ __forceinline__ uint32 word(int32 index) const {
        return static_cast<uint32>(index) < static_cast<uint32>(last) ? __ldg(words + index) : index == last ? tail : 0;
    }

    // The words that the eight bytes from `position` on are in, as they are loaded, and the bits before them.
    struct Raw {
        uint32 first;
        uint32 second;
        uint32 third;
        int32 bits;
    };

    __device__ __forceinline__ Raw fetch(int32 position) const {
        int32 at = (position + shift) >> 2;
        int32 bits = ((position + shift) & 3) * 8;
        return {word(at), word(at + 1), bits == 0 ? 0 : word(at + 2), bits};
    }

    static __device__ __forceinline__ uint2 align(const Raw& raw) {
        return make_uint2(
                __funnelshift_r(raw.first, raw.second, raw.bits), __funnelshift_r(raw.second, raw.third, raw.bits));
    }

    // The eight bytes from `position` on.
    __device__ __forceinline__ uint2 eight(int32 position) const {
        return align(fetch(position));
    }
};

// Bit `bit` of eight bytes as the highest eight bits of a word, the first byte's bit lowest.
__device__ __forceinline__ uint32 plane_ascending(uint2 bytes, int32 bit) {
    uint32 bits = ((bytes.x >> bit) & 0x01010101) | (((bytes.y >> bit) & 0x01010101) << 4);
    return bits * 0x01020408;
}

// The same, the first byte's bit highest.
__device__ __forceinline__ uint32 plane_descending(uint2 bytes, int32 bit) {
    uint32 bits = (((bytes.x >> bit) & 0x01010101) << 4) | ((bytes.y >> bit) & 0x01010101);
    return bits * 0x08040201;
}

__device__ __forceinline__ uint32 highest_bytes(uint32 a, uint32 b, uint32 c, uint32 d) {
    return __byte_perm(__byte_perm(a, b, 0x0073), __byte_perm(c, d, 0x0073), 0x5410);
}

// Bit `bit` of 32 bytes.
__device__ __forceinline__ uint32 plane(const uint2 (&bytes)[4], int32 bit) {
    return highest_bytes(
            plane_ascending(bytes[0], bit),
            plane_ascending(bytes[1], bit),
            plane_ascending(bytes[2], bit),
            plane_ascending(bytes[3], bit));
}

// An alphabet answers which of a word's 32 rows equal a column's character. It keeps the pattern in registers or shared memory and
// takes the text eight columns at a time. For threads that hand the text to each other there is besides Raw, as it is loaded, and Text, in
// which what is outside of the string equals no row.

// A, C, G and T: bits 1 and 2 of the byte tell them apart.
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

// Seven bits: the rows that equal a character are those that share its upper three bits and its lower four, each looked up.
// PARTS is 8, or 9 where threads hand the text to each other: the last part is of no row.
template <int K, int BLOCK, int PARTS>
struct AsciiParts {
    static constexpr int STRIDE = K * BLOCK;

    Bytes text;
    uint2 text_low;
    uint2 text_high;
    const uint32* table;  // [16 lower then PARTS upper parts][K][BLOCK], this thread's column

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
                mine[(16 + v) * STRIDE + k * BLOCK] = (v & 1 ? planes[4] : ~planes[4]) & (v & 2 ? planes[5] : ~planes[5])
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

// The same for threads that hand the text to each other.
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

// Seven bits in a single look-up: a larger table for the longest patterns, where a word's columns are many.
template <int K, int BLOCK>
struct AsciiRows {
    static constexpr int STRIDE = K * BLOCK;

    using Raw = Bytes::Raw;

    // Where in the table the rows of eight characters are.
    struct alignas(16) Text {
        uint32 rows[8];
    };

    Bytes text;
    int32 length;
    Text now;
    uint32 table;  // address of [128 characters and nothing][K][BLOCK], this thread's column

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

// Any code point: the 21 bits one after the other.
template <int K, int BLOCK>
struct CodePoints {
    uint32 planes[21][K];
    const int32* text;
    int32 length;
    int32 position;

    struct Column {
        int32 character;
        uint32 valid;
    };

    __device__ __forceinline__ CodePoints(const Pair& pair, int32 first_row)
        : text(static_cast<const int32*>(pair.text)), length(pair.text_length) {
        const int32* pattern = static_cast<const int32*>(pair.pattern);
#pragma unroll
        for (int k = 0; k < K; k++) {
#pragma unroll
            for (int bit = 0; bit < 21; bit++) {
                planes[bit][k] = 0;
            }
            for (int i = 0; i < 32; i++) {
                int32 row = first_row + 32 * k + i;
                int32 character = row < pair.pattern_length ? pattern[row] : 0;
#pragma unroll
                for (int bit = 0; bit < 21; bit++) {
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
        for (int bit = 0; bit < 21; bit++) {
            different |= planes[bit][k] ^ spread(column.character << (31 - bit));
        }
        return ~different & column.valid;
    }
};

// The same for threads that hand the text to each other.
template <int K, int BLOCK>
struct CodePointTexts : CodePoints<K, BLOCK> {
    using Column = typename CodePoints<K, BLOCK>::Column;

    struct Raw {
        int32 characters[8];
    };

    using Text = Raw;

    Text now;

    using CodePoints<K, BLOCK>::CodePoints;

    static constexpr int32 NOTHING = -1;  // more bits than a character has

    static __device__ __forceinline__ Text nothing() {
        return {{NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING}};
    }

    __device__ __forceinline__ Raw fetch(int32 position) const {
        Raw raw;
#pragma unroll
        for (int i = 0; i < 8; i++) {
            raw.characters[i] = this->character(position + i, NOTHING);
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

// What crosses a border in 32 columns, the earliest in the highest bit. Never both bits of a column.
struct Border {
    uint32 rises;
    uint32 carries;
};

// For walking back, two bits for each cell. First: the way goes on diagonally. Second: on a diagonal, whether the characters are equal;
// else whether the way goes up, consuming the pattern.
struct NoMoves {
    static constexpr bool NEEDED = false;
    __device__ __forceinline__ void put(int, uint32, uint32) {}
};

// The rows of a word that equal a column's character, for K words.
template <int K, class Alphabet, class Column>
__device__ __forceinline__ void find_equal(const Alphabet& alphabet, const Column& column, uint32 (&equal)[K]) {
#pragma unroll
    for (int k = 0; k < K; k++) {
        equal[k] = alphabet.equal(column, k);
    }
}

template <int K>
struct EditColumn {
    static constexpr bool RISES = true;  // whether borders have them
    using Saved = uint2;

    uint32 pv[K];
    uint32 mv[K];

    __device__ __forceinline__ void reset() {
#pragma unroll
        for (int k = 0; k < K; k++) {
            pv[k] = ~0u;
            mv[k] = 0;
        }
    }

    // Takes the highest bit of `in`, and shifts what goes out into `out`. Without a border the row above grows by one.
    template <bool BORDER, class Moves>
    __device__ __forceinline__ void step(const uint32 (&equal)[K], Border& in, Border& out, Moves& moves) {
        uint32 both[K];
        uint32 sum[K];
#pragma unroll
        for (int k = 0; k < K; k++) {
            both[k] = pv[k] & equal[k];
        }
        if (BORDER) {
            in.carries = add_carry_out(in.carries, in.carries);
        }
#pragma unroll
        for (int k = 0; k < K; k++) {
            sum[k] = BORDER || k > 0 ? add_carry_through(pv[k], both[k]) : add_carry_out(pv[k], both[k]);
        }
        if (BORDER) {
            out.carries = add_carry_in(out.carries, out.carries);
        }
        uint32 below = BORDER ? in.rises : ~0u;
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint32 carry = logic<XOR3>(sum[k], pv[k], both[k]);
            uint32 level = logic<OR3>(equal[k], mv[k], carry);
            uint32 rises = logic<OR_NOR>(mv[k], level, pv[k]);
            uint32 shifted = __funnelshift_l(below, rises, 1);
            below = rises;
            pv[k] = logic<OR_NOR>(carry, level, shifted);
            mv[k] = shifted & level;
            if (Moves::NEEDED) {
                uint32 diagonal = equal[k] | ~level;
                moves.put(k, diagonal, (diagonal & equal[k]) | (~diagonal & pv[k]));
            }
        }
        if (BORDER) {
            in.rises <<= 1;
            out.rises = __funnelshift_l(below, out.rises, 1);
        }
    }

    // What the rows below `rows` add to the value at the foot of the column.
    __device__ __forceinline__ int32 growth(int32 rows) const {
        int32 growth = 0;
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint32 mask = rows >= 32 * (k + 1) ? ~0u : rows <= 32 * k ? 0 : (1u << (rows & 31)) - 1;
            growth += __popc(pv[k] & mask) - __popc(mv[k] & mask);
        }
        return growth;
    }

    __device__ __forceinline__ void save(Saved* to) const {
#pragma unroll
        for (int k = 0; k < K; k++) {
            to[k] = make_uint2(pv[k], mv[k]);
        }
    }

    __device__ __forceinline__ void restore(const Saved* from) {
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint2 saved = from[k];
            pv[k] = saved.x;
            mv[k] = saved.y;
        }
    }
};

template <int K>
struct LcsColumn {
    static constexpr bool RISES = false;
    using Saved = uint32;

    uint32 v[K];

    __device__ __forceinline__ void reset() {
#pragma unroll
        for (int k = 0; k < K; k++) {
            v[k] = ~0u;
        }
    }

    template <bool BORDER, class Moves>
    __device__ __forceinline__ void step(const uint32 (&equal)[K], Border& in, Border& out, Moves& moves) {
        uint32 both[K];
        uint32 sum[K];
#pragma unroll
        for (int k = 0; k < K; k++) {
            both[k] = v[k] & equal[k];
        }
        if (BORDER) {
            in.carries = add_carry_out(in.carries, in.carries);
        }
#pragma unroll
        for (int k = 0; k < K; k++) {
            sum[k] = BORDER || k > 0 ? add_carry_through(v[k], both[k]) : add_carry_out(v[k], both[k]);
        }
        if (BORDER) {
            out.carries = add_carry_in(out.carries, out.carries);
        }
#pragma unroll
        for (int k = 0; k < K; k++) {
            v[k] = sum[k] | (v[k] & ~both[k]);
            if (Moves::NEEDED) {
                moves.put(k, equal[k], equal[k] | v[k]);
            }
        }
    }

    __device__ __forceinline__ int32 growth(int32 rows) const {
        int32 growth = 0;
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint32 mask = rows >= 32 * (k + 1) ? ~0u : rows <= 32 * k ? 0 : (1u << (rows & 31)) - 1;
            growth += __popc(~v[k] & mask);
        }
        return growth;
    }

    __device__ __forceinline__ void save(Saved* to) const {
#pragma unroll
        for (int k = 0; k < K; k++) {
            to[k] = v[k];
        }
    }

    __device__ __forceinline__ void restore(const Saved* from) {
#pragma unroll
        for (int k = 0; k < K; k++) {
            v[k] = from[k];
        }
    }
};

// A pair by a single thread.
template <template <int> class State, int K, class Symbols, class Moves>
__device__ __forceinline__ void solve_alone(State<K>& state, Symbols& symbols, int32 length, Moves& moves) {
    Border none = {0, 0};
    uint32 equal[K];
    int32 head = length & 7;
    if (head != 0) {
        symbols.load(0);
#pragma unroll 1
        for (int i = 0; i < head; i++) {
            find_equal(symbols, symbols.column(i, ~0u), equal);
            state.template step<false>(equal, none, none, moves);
        }
    }
#pragma unroll 1
    for (int32 position = head; position < length; position += 8) {
        symbols.load(position);
#pragma unroll
        for (int i = 0; i < 8; i++) {
            find_equal(symbols, symbols.column(i, ~0u), equal);
            state.template step<false>(equal, none, none, moves);
        }
    }
}

// 32 columns of this thread's rows, which begin at `position` of the text. `valid` has a bit for each column that is not padding.
template <template <int> class State, int K, class Symbols, class Moves>
__device__ __forceinline__ void solve_block(
        State<K>& state, Symbols& symbols, int32 position, uint32 valid, Border in, Border& out, Moves& moves) {
    uint32 equal[K];
#pragma unroll 1
    for (int group = 0; group < 4; group++) {
        symbols.load(position + 8 * group);
#pragma unroll
        for (int i = 0; i < 8; i++) {
            find_equal(symbols, symbols.column(i, spread(valid << i)), equal);
            state.template step<true>(equal, in, out, moves);
        }
        valid <<= 8;
    }
}

__device__ __forceinline__ uint32 valid_columns(int32 block, int32 padding) {
    return block == 0 ? ~0u >> padding : ~0u;
}

// Some lanes of a warp, each with K words of rows below those of the lane before it, and eight columns behind it. A body is eight
// columns; lanes hand on what crosses their borders after each half of it, half a body before it is needed, and they look up which rows
// equal the characters half a body ahead. So nothing but the dependencies of the recurrence itself takes time.
template <int L, int K, class State, class Symbols>
struct Wave {
    using Text = typename Symbols::Text;

    static constexpr int TEXTS = 4 * L;

    State state;
    Symbols symbols;
    const Text* texts;  // of the last bodies, each at its number modulo TEXTS
    int32 lane;
    Border first = {0, 0};  // into the two halves of the next body
    Border second = {0, 0};
    Border out = {0, 0};
    uint32 equal[4][K];  // of the next half

    __device__ __forceinline__ Wave(const Pair& pair, int32 first_row, const Text* texts)
        : symbols(pair, first_row), texts(texts), lane(threadIdx.x % L) {
        state.reset();
    }

    // Comes when the texts of the first body are there.
    __device__ __forceinline__ void begin(int32 first_body) {
        symbols.take(text(first_body));
        look<0>(equal);
    }

    __device__ __forceinline__ Text text(int32 body) const {
        return texts[(body - lane) & (TEXTS - 1)];
    }

    template <int FIRST>
    __device__ __forceinline__ void look(uint32 (&rows)[4][K]) const {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            find_equal(symbols, symbols.column(FIRST + i), rows[i]);
        }
    }

    static __device__ __forceinline__ Border up(const Border& border) {
        return {State::RISES ? __shfl_up_sync(~0u, border.rises, 1, L) : 0, __shfl_up_sync(~0u, border.carries, 1, L)};
    }

    template <class Moves>
    __device__ __forceinline__ void half(const uint32 (&rows)[4][K], Border top, const Border& above, Moves& moves) {
        Border in = {lane == 0 ? top.rises : above.rises << 28, lane == 0 ? top.carries : above.carries << 28};
#pragma unroll
        for (int i = 0; i < 4; i++) {
            state.template step<true>(rows[i], in, out, moves);
        }
    }

    // Eight columns. The first lane takes what comes from above from the highest bits of `top`. The text of the next body is there.
    // CHECKED: a lane may be not `active`, and keeps its state.
    template <bool CHECKED, class Moves>
    __device__ __forceinline__ void body(int32 index, Border top, bool active, Moves& moves) {
        Text next = text(index + 1);
        uint32 following[4][K];
        look<4>(following);
        if (!CHECKED || active) {
            half(equal, top, first, moves);
        }
        first = up(out);
        symbols.take(next);
        look<0>(equal);
        top = {top.rises << 4, top.carries << 4};
        if (!CHECKED || active) {
            half(following, top, second, moves);
        }
        second = up(out);
    }
};

// The bits that any thread of a warp has.
__device__ __forceinline__ uint32 any_bits(uint32 bits) {
#if __CUDA_ARCH__ >= 800
    return __reduce_or_sync(~0u, bits);
#else
#pragma unroll
    for (int other = 1; other < 32; other *= 2) {
        bits |= __shfl_xor_sync(~0u, bits, other);
    }
    return bits;
#endif
}

// The same value in all threads of a warp, so that the compiler knows it for the same.
__device__ __forceinline__ int32 uniform(int32 value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(~0u, value);
#else
    return __shfl_sync(~0u, value, 0);
#endif
}

// The borders that the rows above hand to a stripe and that it hands on, in device memory: carries in the upper half. All ones mean
// not there yet.
constexpr uint64 NOT_THERE = ~0ull;

// A column never has both bits.
__device__ __forceinline__ bool is_there(uint64 border) {
    return (static_cast<uint32>(border) & static_cast<uint32>(border >> 32)) == 0;
}

__device__ __forceinline__ uint64 look_at(const uint64* border) {
    uint64 value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(border) : "memory");
    return value;
}

// The same without a branch, where it `may` be looked at.
__device__ __forceinline__ uint64 look_at_if(bool may, const uint64* border, uint64 otherwise) {
    asm volatile("{\n\t.reg .pred may;\n\tsetp.ne.u32 may, %2, 0;\n\t@may ld.relaxed.gpu.global.u64 %0, [%1];\n\t}"
                 : "+l"(otherwise)
                 : "l"(border), "r"(may ? 1 : 0)
                 : "memory");
    return otherwise;
}

__device__ __forceinline__ void hand_on(uint64* border, uint64 value) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(border), "l"(value) : "memory");
}

__device__ __forceinline__ uint64 pack(const Border& border) {
    return static_cast<uint64>(border.carries) << 32 | border.rises;
}

__device__ __forceinline__ Border unpack(uint64 border) {
    return {static_cast<uint32>(border), static_cast<uint32>(border >> 32)};
}

// A table that is walked back is cut into tiles, 8 lanes of a word high and 4 blocks of 32 columns wide.
constexpr int32 TILE_LANES = 8;
constexpr int32 TILE_ROWS = 32 * TILE_LANES;
constexpr int32 TILE_BLOCKS = 4;
constexpr int32 TILE_COLUMNS = 32 * TILE_BLOCKS;
constexpr int32 TILE_BODIES = 4 * TILE_BLOCKS;
