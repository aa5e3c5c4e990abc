// The words of texts in ascending order, joined by spaces, as dev.bellman.align.names.Words defines them. A thread
// takes a text of at most MAX_WORDS words that is well-formed UTF-8, whose bytes have the order of the characters.
#include "align/names/texts.cuh"
#include "common/host.cuh"
#include "common/sum.cuh"
#include "common/utf8.cuh"

constexpr int32 MAX_WORDS = 64;
constexpr int32 MAX_BYTES = 8192;  // of a text; a longer one would keep its warp waiting
FOR_HOST(MAX_WORDS);
FOR_HOST(MAX_BYTES);

namespace {

__device__ __forceinline__ bool is_space(int32 character, bool beyond_latin_1) {
    if (character <= ' ') {
        return (character >= '\t' && character <= '\r') || character >= 0x1c;
    }
    return beyond_latin_1
        && (character == 0x85 || character == 0xa0 || character == 0x1680
            || (character >= 0x2000 && character <= 0x200a) || character == 0x2028 || character == 0x2029
                    || character == 0x202f || character == 0x205f
            || character == 0x3000);
}

struct Words {
    const uint8* bytes;
    int32 length;
    int32 count = 0;
    int32 characters = 0;
    bool is_solved = true;  // whether a thread can take them
    uint16 begins[MAX_WORDS];
    uint16 ends[MAX_WORDS];

    __device__ Words(const Texts& texts, int64 row) :
        bytes(texts.bytes + texts.offsets[row]), length(texts.offsets[row + 1] - texts.offsets[row]) {
        if (length > MAX_BYTES) {
            is_solved = false;
            for (int32 at = 0; at < length; at += bytes_from(bytes[at])) {
                characters++;
            }
            return;
        }
        bool beyond_latin_1 = false;
        for (int32 at = 0; at < length; at += bytes_from(bytes[at])) {
            if (bytes[at] >= 0x80) {
                uint32 character = character_at(bytes, at, length);
                is_solved &= character < CODE_POINTS;
                beyond_latin_1 |= character >= 0x100;
            }
            characters++;
        }
        int32 begin = 0;
        for (int32 at = 0; at < length && is_solved;) {
            int32 next = at + bytes_from(bytes[at]);
            if (is_space(character_at(bytes, at, length), beyond_latin_1)) {
                add(begin, at);
                begin = next;
            }
            at = next;
        }
        add(begin, length);
    }

    __device__ __forceinline__ void add(int32 begin, int32 end) {
        if (begin < end && is_solved) {
            if (count == MAX_WORDS) {
                is_solved = false;
            } else {
                begins[count] = static_cast<uint16>(begin);
                ends[count++] = static_cast<uint16>(end);
            }
        }
    }

    __device__ __forceinline__ int32 joined() const {
        int32 bytes = max(0, count - 1);
        for (int32 i = 0; i < count; i++) {
            bytes += ends[i] - begins[i];
        }
        return is_solved ? bytes : 0;
    }

    __device__ __forceinline__ bool is_before(int32 begin, int32 end, int32 other) const {
        int32 from = begins[other];
        while (begin < end && from < ends[other] && bytes[begin] == bytes[from]) {
            begin++;
            from++;
        }
        return from < ends[other] && (begin == end || bytes[begin] < bytes[from]);
    }

    __device__ __forceinline__ void sort() {
        for (int32 i = 1; i < count; i++) {
            int32 begin = begins[i];
            int32 end = ends[i];
            int32 at = i;
            for (; at > 0 && is_before(begin, end, at - 1); at--) {
                begins[at] = begins[at - 1];
                ends[at] = ends[at - 1];
            }
            begins[at] = static_cast<uint16>(begin);
            ends[at] = static_cast<uint16>(end);
        }
    }

    __device__ __forceinline__ void join(uint8* to) const {
        for (int32 i = 0; i < count; i++) {
            if (i > 0) {
                *to++ = ' ';
            }
            for (int32 at = begins[i]; at < ends[i]; at++) {
                *to++ = bytes[at];
            }
        }
    }
};

}  // namespace

// The bytes of the joined words of each row: 0 for rows that are null, and for those that a thread cannot take.
//
// left     how many rows are left out, then these
// cells    added to: the cells of the tables of all texts
extern "C" __global__ void __launch_bounds__(256) token_lengths(
        int32 rows,
        const uint32* validity,
        Texts a,
        Texts b,
        int32* a_lengths,
        int32* b_lengths,
        int32* left,
        int64* cells) {
    int64 row = thread_index();
    int64 own = 0;
    if (row < rows) {
        a_lengths[row] = 0;
        b_lengths[row] = 0;
        if (is_valid(validity, row)) {
            Words a_words(a, row);
            Words b_words(b, row);
            own = static_cast<int64>(a_words.characters) * b_words.characters;
            if (a_words.is_solved && b_words.is_solved) {
                a_lengths[row] = a_words.joined();
                b_lengths[row] = b_words.joined();
            } else {
                left[1 + atomicAdd(left, 1)] = static_cast<int32>(row);
            }
        }
    }
    add_to(cells, own);
}

// The joined words of each row, of which there are as many bytes as token_lengths found. A thread for each text.
extern "C" __global__ void __launch_bounds__(256) token_join(
        int32 rows,
        Texts a,
        Texts b,
        const int32* a_offsets,
        uint8* a_joined,
        const int32* b_offsets,
        uint8* b_joined) {
    int64 row = thread_index() / 2;
    if (row >= rows) {
        return;
    }
    bool is_a = threadIdx.x % 2 == 0;
    const int32* offsets = is_a ? a_offsets : b_offsets;
    if (offsets[row + 1] > offsets[row]) {
        Words words(is_a ? a : b, row);
        words.sort();
        words.join((is_a ? a_joined : b_joined) + offsets[row]);
    }
}
