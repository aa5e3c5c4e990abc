// Codes the tokens of two arrays as characters, so that the kernels for strings solve pairs of arrays. A token of one
// array and a token of the other array get the same character if and only if they are equal. Tokens that only the
// shorter array contains (a, if both are equally long) get code 0; those that only the other array contains get code 1:
//
//     the cat sat on the mat     2 1 3 1 2 4
//     a mat the dog sat          0 4 2 0 3
//
// First, a group of threads inserts the tokens of the shorter array into a hash table in shared memory and
// searches for the tokens of the other array. Then it numbers the slots whose tokens were found. Which of two common
// tokens gets the smaller code may differ between runs; the results of the kernels for strings do not depend on it.
#include "align/bits/text.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"

constexpr int32 SHORT_LANES = 32;     // the number of threads for a pair of short arrays
constexpr int32 SHORT_TOKENS = 128;   // the maximum number of tokens in the smaller of two short arrays
constexpr int32 SHORT_OTHERS = 1024;  // the maximum number of tokens in the larger of two short arrays
constexpr int32 LONG_LANES = 512;
constexpr int32 LONG_TOKENS = 4096;
constexpr int32 LONG_BYTES = 1 << 20;  // the maximum size of an array's strings; one thread reads each string
constexpr int32 WRITE_LANES = 16;
constexpr int32 CODE_BLOCK = 256;
constexpr int32 CODE_BLOCKS = 6;  // the number of blocks per multiprocessor, which hides the latency of reading tokens
FOR_HOST(SHORT_LANES);
FOR_HOST(LONG_LANES);
FOR_HOST(WRITE_LANES);
FOR_HOST(CODE_BLOCK);

// A column of arrays of tokens.
struct TokenLists {
    const int32* offsets;
    const uint32* validity;     // the validity mask of the tokens
    const void* values;         // integers, or the bytes of strings
    const int32* text_offsets;  // the offsets of the strings; unused for integers
};

// The codes of both columns' tokens, and the lengths of the coded strings in bytes.
struct Coded {
    uint16* a;
    uint16* b;
    int32* a_lengths;
    int32* b_lengths;
};

// Rows for a later step: their number, and then the rows.
struct RowList {
    int32* rows;

    __device__ __forceinline__ void add(int64 row) const {
        rows[1 + atomicAdd(rows, 1)] = static_cast<int32>(row);
    }
};

namespace {

constexpr uint32 HASH_OF_NULL = 0x85ebca6b;

__device__ __forceinline__ uint32 mix(uint32 hash, uint32 value) {
    hash = (hash ^ value) * 0x9e3779b1;
    return hash ^ hash >> 15;
}

// Arrays of INT or BIGINT.
template <typename Integer>
struct IntegerTokens {
    TokenLists lists;

    struct Token {
        bool present;
        Integer value;
    };

    __device__ __forceinline__ Token at(int32 i) const {
        return {is_valid(lists.validity, i), static_cast<const Integer*>(lists.values)[i]};
    }

    static __device__ __forceinline__ uint32 hash(const Token& token) {
        uint32 hash = mix(0, static_cast<uint32>(token.value));
        if (sizeof(Integer) == 8) {
            hash = mix(hash, static_cast<uint32>(static_cast<int64>(token.value) >> 32));
        }
        return token.present ? mix(hash, 0) : HASH_OF_NULL;
    }

    static __device__ __forceinline__ bool are_equal(const Token& a, const Token& b) {
        return a.present == b.present && (!a.present || a.value == b.value);
    }

    __device__ __forceinline__ bool is_short(int32, int32) const {
        return true;
    }
};

// Arrays of STRING.
struct TextTokens {
    TokenLists lists;

    struct Token {
        const uint8* begin;
        uint2 head;    // the first eight bytes; the bytes after the end are 0
        int32 length;  // NULL_LENGTH if the token is null
    };

    static constexpr int32 HEAD = 8;
    static constexpr int32 NULL_LENGTH = -1;

    __device__ __forceinline__ Token at(int32 i) const {
        if (!is_valid(lists.validity, i)) {
            return {nullptr, {}, NULL_LENGTH};
        }
        int32 from = lists.text_offsets[i];
        int32 length = lists.text_offsets[i + 1] - from;
        const uint8* begin = static_cast<const uint8*>(lists.values) + from;
        return {begin, length == 0 ? uint2{} : Bytes(begin, length).eight(0), length};
    }

    static __device__ __forceinline__ uint32 hash(const Token& token) {
        uint32 hash = mix(mix(token.length, token.head.x), token.head.y);
        if (token.length > HEAD) {
            Bytes bytes(token.begin, token.length);
#pragma unroll 1
            for (int32 i = HEAD; i < token.length; i += 8) {
                uint2 eight = bytes.eight(i);
                hash = mix(mix(hash, eight.x), eight.y);
            }
        }
        return mix(hash, 0);
    }

    static __device__ __forceinline__ bool are_equal(const Token& a, const Token& b) {
        bool equal = a.length == b.length && a.head.x == b.head.x && a.head.y == b.head.y;
        if (equal && a.length > HEAD) {
            Bytes a_bytes(a.begin, a.length);
            Bytes b_bytes(b.begin, b.length);
#pragma unroll 1
            for (int32 i = HEAD; i < a.length && equal; i += 8) {
                uint2 a_eight = a_bytes.eight(i);
                uint2 b_eight = b_bytes.eight(i);
                equal = a_eight.x == b_eight.x && a_eight.y == b_eight.y;
            }
        }
        return equal;
    }

    __device__ __forceinline__ bool is_short(int32 from, int32 to) const {
        return from == to || lists.text_offsets[to] - lists.text_offsets[from] <= LONG_BYTES;
    }
};

// The hash table of a group of LANES threads. A slot contains 19 bits of a token's hash and, in the lower bits, the
// token's index plus 1; or 0 if it is free.
template <class Tokens, int LANES, int TOKENS>
struct TokenTable {
    static constexpr uint32 HASH = 0xffffe000;
    static constexpr uint32 INDEX = 0x1fff;
    static constexpr int32 SLOTS = 2 * TOKENS;
    static constexpr uint16 NOWHERE = 0xffff;
    static_assert(TOKENS < INDEX && SLOTS < NOWHERE, "an index fits in a slot, and a slot in a code");

    // Whether a table contains the tokens of the array with fewer tokens; otherwise, they are read again.
    static constexpr bool HAS_TOKENS = LANES == SHORT_LANES;

    // The memory of a table.
    struct Room {
        typename Tokens::Token tokens[HAS_TOKENS ? TOKENS : 1];
        uint32 slots[SLOTS];
        uint32 found[SLOTS / 32];  // a bit for each slot: whether the other array also contains its token
        int32 codes;               // the number of codes
    };

    Room& room;
    Tokens few;
    int32 few_from;
    uint32 mask;
    int32 lane;

    static __device__ __forceinline__ void sync() {
        if (LANES == 32) {
            __syncwarp();
        } else {
            __syncthreads();
        }
    }

    __device__ __forceinline__ TokenTable(Room& room, const Tokens& few, int32 from, int32 count)
        : room(room), few(few), few_from(from), lane(threadIdx.x % LANES) {
        // at most half of the slots are occupied
        mask = max(2u << (31 - __clz(2 * max(count, 1) - 1)), LANES) - 1;
        for (int32 i = lane; i <= mask; i += LANES) {
            room.slots[i] = 0;
        }
        for (int32 i = lane; i <= mask / 32; i += LANES) {
            room.found[i] = 0;
        }
        if (lane == 0) {
            room.codes = 2;
        }
        for (int32 i = lane; HAS_TOKENS && i < count; i += LANES) {
            room.tokens[i] = few.at(from + i);
        }
        sync();
    }

    __device__ __forceinline__ typename Tokens::Token token_of_few(int32 index) const {
        return HAS_TOKENS ? room.tokens[index] : few.at(few_from + index);
    }

    __device__ __forceinline__ bool holds(uint32 slot, uint32 hash, const typename Tokens::Token& token) const {
        if (((slot ^ hash) & HASH) != 0) {
            return false;
        }
        return Tokens::are_equal(token, token_of_few(static_cast<int32>(slot & INDEX) - 1));
    }

    // Inserts a token of the array with fewer tokens, unless the table already contains it, and returns its slot.
    __device__ __forceinline__ uint16 insert(int32 index) const {
        typename Tokens::Token token = token_of_few(index);
        uint32 hash = Tokens::hash(token);
        uint32 place = hash & mask;
        while (true) {
            uint32 slot = atomicCAS(room.slots + place, 0u, (hash & HASH) | (index + 1));
            if (slot == 0 || holds(slot, hash, token)) {
                return static_cast<uint16>(place);
            }
            place = (place + 1) & mask;
        }
    }

    // Returns the slot of a token of the other array and marks this slot, or returns NOWHERE if no slot contains the
    // token.
    __device__ __forceinline__ uint16 find(const typename Tokens::Token& token) const {
        uint32 hash = Tokens::hash(token);
        for (uint32 place = hash & mask;; place = (place + 1) & mask) {
            uint32 slot = room.slots[place];
            if (slot == 0) {
                return NOWHERE;
            }
            if (holds(slot, hash, token)) {
                atomicOr(room.found + place / 32, 1u << place % 32);
                return static_cast<uint16>(place);
            }
        }
    }

    // Replaces the contents of each slot with the code of its token, which is 0 if the other array lacks the token.
    __device__ __forceinline__ void number() const {
        for (int32 i = lane; i <= mask; i += LANES) {
            uint32 found = room.found[i / 32];
            int32 first = 0;
            if (i % 32 == 0) {
                first = atomicAdd(&room.codes, __popc(found));
            }
            first = __shfl_sync(~0u, first, 0);
            uint32 bit = 1u << i % 32;
            room.slots[i] = (found & bit) != 0 ? first + __popc(found & (bit - 1)) : 0;
        }
    }
};

// Returns the number of bytes that each character takes, given the number of codes. See write_characters.
__device__ __forceinline__ int32 width_of(int32 codes) {
    return codes <= 0x80 ? 1 : codes <= 0x800 - 0x80 ? 2 : 3;
}

template <class Tokens, int LANES, int TOKENS>
__device__ __forceinline__ void code_row(
        int64 row,
        const Tokens& a,
        const Tokens& b,
        const Coded& coded,
        typename TokenTable<Tokens, LANES, TOKENS>::Room& room) {
    using Table = TokenTable<Tokens, LANES, TOKENS>;
    int32 a_from = a.lists.offsets[row];
    int32 b_from = b.lists.offsets[row];
    int32 a_count = a.lists.offsets[row + 1] - a_from;
    int32 b_count = b.lists.offsets[row + 1] - b_from;
    bool swapped = a_count > b_count;
    Tokens few = swapped ? b : a;
    Tokens many = swapped ? a : b;
    int32 many_from = swapped ? a_from : b_from;
    int32 few_count = min(a_count, b_count);
    int32 many_count = max(a_count, b_count);
    uint16* few_codes = swapped ? coded.b + b_from : coded.a + a_from;
    uint16* many_codes = swapped ? coded.a + a_from : coded.b + b_from;
    Table table(room, few, swapped ? b_from : a_from, few_count);
    // each thread stores the slots of its tokens in place of their codes
    for (int32 i = table.lane; i < few_count; i += LANES) {
        few_codes[i] = table.insert(i);
    }
    table.sync();
    for (int32 i = table.lane; i < many_count; i += LANES) {
        many_codes[i] = table.find(many.at(many_from + i));
    }
    table.sync();
    table.number();
    table.sync();
    for (int32 i = table.lane; i < few_count; i += LANES) {
        few_codes[i] = static_cast<uint16>(room.slots[few_codes[i]]);
    }
    for (int32 i = table.lane; i < many_count; i += LANES) {
        uint16 place = many_codes[i];
        uint32 code = place == Table::NOWHERE ? 0 : room.slots[place];
        many_codes[i] = static_cast<uint16>(code == 0 ? 1 : code);
    }
    if (table.lane == 0) {
        int32 width = width_of(room.codes);
        coded.a_lengths[row] = width * a_count;
        coded.b_lengths[row] = width * b_count;
    }
}

// Codes short rows, with one warp per row, and lists the other rows that are not null.
template <class Tokens>
__device__ __forceinline__ void code_short_rows(
        int32 rows,
        const uint32* validity,
        const Tokens& a,
        const Tokens& b,
        const Coded& coded,
        RowList long_rows,
        RowList left) {
    __shared__ typename TokenTable<Tokens, SHORT_LANES, SHORT_TOKENS>::Room rooms[CODE_BLOCK / SHORT_LANES];
    int64 row = thread_index() / SHORT_LANES;
    if (row >= rows) {
        return;
    }
    bool present = is_valid(validity, row);
    int32 few = 0;
    int32 many = 0;
    if (present) {
        int32 a_from = a.lists.offsets[row];
        int32 b_from = b.lists.offsets[row];
        int32 a_to = a.lists.offsets[row + 1];
        int32 b_to = b.lists.offsets[row + 1];
        few = min(a_to - a_from, b_to - b_from);
        many = max(a_to - a_from, b_to - b_from);
        if (!a.is_short(a_from, a_to) || !b.is_short(b_from, b_to)) {
            few = LONG_TOKENS + 1;
        }
    }
    if (present && few <= SHORT_TOKENS && many <= SHORT_OTHERS) {
        code_row<Tokens, SHORT_LANES, SHORT_TOKENS>(row, a, b, coded, rooms[threadIdx.x / SHORT_LANES]);
    } else if (threadIdx.x % SHORT_LANES == 0) {
        coded.a_lengths[row] = 0;
        coded.b_lengths[row] = 0;
        if (few > LONG_TOKENS) {
            left.add(row);
        } else if (present) {
            long_rows.add(row);
        }
    }
}

// Codes the rows in a list, with one block per row.
template <class Tokens>
__device__ __forceinline__ void code_long_rows(
        RowList rows, const Tokens& a, const Tokens& b, const Coded& coded) {
    __shared__ typename TokenTable<Tokens, LONG_LANES, LONG_TOKENS>::Room room;
    code_row<Tokens, LONG_LANES, LONG_TOKENS>(rows.rows[1 + blockIdx.x], a, b, coded, room);
}

// Writes the UTF-8 bytes of an array's codes, `width` bytes each: the code itself, or the character whose number is
// larger by the number of characters with fewer bytes.
__device__ __forceinline__ void write_characters(
        const uint16* codes, int32 count, int32 width, uint8* to, int32 lane) {
    for (int32 i = lane; i < count; i += WRITE_LANES) {
        uint32 code = codes[i];
        if (width == 1) {
            to[i] = static_cast<uint8>(code);
        } else if (width == 2) {
            code += 0x80;
            to[2 * i] = static_cast<uint8>(0xc0 | code >> 6);
            to[2 * i + 1] = static_cast<uint8>(0x80 | (code & 0x3f));
        } else {
            code += 0x800;
            to[3 * i] = static_cast<uint8>(0xe0 | code >> 12);
            to[3 * i + 1] = static_cast<uint8>(0x80 | (code >> 6 & 0x3f));
            to[3 * i + 2] = static_cast<uint8>(0x80 | (code & 0x3f));
        }
    }
}

}  // namespace

// Defines the kernels for a type of tokens.
//
// - coded (output)
// - long_rows and left (output): the rows that the kernel for long rows codes, and the rows that the CPU solves. The
//   first kernel sets the lengths of all these rows, and of null rows, to 0
#define TOKEN_KERNELS(name, Tokens) \
    extern "C" __global__ void __launch_bounds__(CODE_BLOCK, CODE_BLOCKS) token_code_##name( \
            int32 rows, \
            const uint32* validity, \
            TokenLists a, \
            TokenLists b, \
            Coded coded, \
            int32* long_rows, \
            int32* left) { \
        code_short_rows<Tokens>(rows, validity, {a}, {b}, coded, {long_rows}, {left}); \
    } \
    extern "C" __global__ void __launch_bounds__(LONG_LANES) token_code_long_##name( \
            int32* long_rows, TokenLists a, TokenLists b, Coded coded) { \
        code_long_rows<Tokens>({long_rows}, {a}, {b}, coded); \
    }

TOKEN_KERNELS(ints, IntegerTokens<int32>)
TOKEN_KERNELS(longs, IntegerTokens<int64>)
TOKEN_KERNELS(texts, TextTokens)

// Writes the coded strings.
//
// - offsets, text_offsets: the offsets of the arrays, and of the coded strings, whose lengths are in Coded
extern "C" __global__ void __launch_bounds__(CODE_BLOCK) token_write(
        int32 rows,
        const int32* offsets,
        const int32* text_offsets,
        const uint16* codes,
        uint8* texts) {
    int64 row = thread_index() / WRITE_LANES;
    if (row >= rows) {
        return;
    }
    int32 bytes = text_offsets[row + 1] - text_offsets[row];
    if (bytes > 0) {
        int32 from = offsets[row];
        int32 count = offsets[row + 1] - from;
        write_characters(
                codes + from, count, bytes / count, texts + text_offsets[row],
                static_cast<int32>(threadIdx.x % WRITE_LANES));
    }
}
