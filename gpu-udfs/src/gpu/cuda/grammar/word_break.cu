// Splits strings into words, with one thread per string: dev.bellman.grammar.WordBreak. The words are in a trie, whose
// nodes are the slots of one hash table. Each step of a thread looks up the next byte of a word that begins at the
// current start; a step that fails moves the thread to the next start, a position at which a word ends. So all threads
// of a warp do the same work until their strings end.
#include "columns/instances.cuh"
#include "common/columns.cuh"
#include "common/host.cuh"

// The classes contain strings of up to 16, 32, 64, ... bytes. The threads' tables for the first classes are in shared
// memory.
constexpr int32 BREAK_CLASSES = 11;
constexpr int32 BREAK_SHARED_CLASSES = 3;
// The CPU solves longer strings, because a thread is slow.
constexpr int32 MAX_STRING = 16 << (BREAK_CLASSES - 1);
// The memory, in bytes, per prefix of a string.
constexpr int32 BYTES_OF_A_PREFIX = 10;
FOR_HOST(BREAK_CLASSES);
FOR_HOST(BREAK_SHARED_CLASSES);
FOR_HOST(MAX_STRING);
FOR_HOST(BYTES_OF_A_PREFIX);
FOR_HOST(REJECTED);
FOR_HOST(ON_CPU);

// A node of the trie, in the slot of the hash table that its key leads to. A free slot contains zeros.
struct alignas(16) WordNode {
    uint64 key;     // the parent's number and the byte that leads from the parent to this node, plus 1
    uint64 weight;  // the largest weight of the words that end here, as `ordered` returns it; 0 if no word ends here
};

constexpr int32 NODE_BYTES = sizeof(WordNode);
FOR_HOST(NODE_BYTES);

// A node's number is the index of its slot plus 1; the root has the number 0 and no slot.
struct WordTrie {
    WordNode* nodes;
    int32 mask;   // the number of slots, which is a power of two, minus 1
    int32 shift;  // the number of a hash's bits that are not part of a slot's index
};

STRUCT_FOR_HOST(WordTrie);
MEMBER_FOR_HOST(WordTrie, nodes);
MEMBER_FOR_HOST(WordTrie, mask);
MEMBER_FOR_HOST(WordTrie, shift);

// The words, and the weight of each; without weights, each word has the weight -1.
struct WordList {
    const int32* offsets;
    const uint8* bytes;
    const double* weights;
};

STRUCT_FOR_HOST(WordList);
MEMBER_FOR_HOST(WordList, offsets);
MEMBER_FOR_HOST(WordList, bytes);
MEMBER_FOR_HOST(WordList, weights);

// The strings and their words.
struct BreakRows {
    const int32* offsets;
    const uint8* bytes;
    uint8* ends;     // for each byte of the strings, whether a word ends there; initially 0
    int32* counts;   // the number of words of each string; initially 0
    int32* lengths;  // the length of each string that has words, in bytes; initially 0

    // Returns the ends in a string. The first string may begin after unused bytes, which have no ends.
    __device__ __forceinline__ uint8* ends_of(int64 row) const {
        return ends + (offsets[row] - offsets[0]);
    }
};

STRUCT_FOR_HOST(BreakRows);
MEMBER_FOR_HOST(BreakRows, offsets);
MEMBER_FOR_HOST(BreakRows, bytes);
MEMBER_FOR_HOST(BreakRows, ends);
MEMBER_FOR_HOST(BreakRows, counts);
MEMBER_FOR_HOST(BreakRows, lengths);

namespace {

constexpr uint64 SIGN = 0x8000000000000000ULL;

// Returns a positive integer for a number; the integers have the same order as the numbers.
__device__ __forceinline__ uint64 ordered(double number) {
    uint64 bits = static_cast<uint64>(__double_as_longlong(number));
    return (bits & SIGN) != 0 ? ~bits : bits | SIGN;
}

__device__ __forceinline__ double number_of(uint64 integer) {
    return __longlong_as_double(static_cast<int64>((integer & SIGN) != 0 ? integer ^ SIGN : ~integer));
}

__device__ __forceinline__ double impossible() {
    return __longlong_as_double(0xfff0000000000000LL);
}

__device__ __forceinline__ uint64 key_of(int32 parent, uint8 byte) {
    return (static_cast<uint64>(parent) << 8 | byte) + 1;
}

__device__ __forceinline__ int32 slot_of(const WordTrie& trie, uint64 key) {
    return static_cast<int32>(key * 0x9e3779b97f4a7c15ULL >> trie.shift);
}

// Adds the child of a node unless the trie has it. Returns the child's slot.
__device__ __forceinline__ int32 add_child(const WordTrie& trie, int32 parent, uint8 byte) {
    uint64 key = key_of(parent, byte);
    for (int32 slot = slot_of(trie, key);; slot = (slot + 1) & trie.mask) {
        uint64 found = *static_cast<volatile uint64*>(&trie.nodes[slot].key);
        if (found == 0) {
            found = atomicCAS(&trie.nodes[slot].key, 0ULL, key);
        }
        if (found == 0 || found == key) {
            return slot;
        }
    }
}

struct Child {
    int32 node;  // the number of the child; 0 if there is none
    uint64 weight;
};

// Finds the child of a node in a complete trie.
__device__ __forceinline__ Child find_child(const WordTrie& trie, int32 parent, uint8 byte) {
    uint64 key = key_of(parent, byte);
    for (int32 slot = slot_of(trie, key);; slot = (slot + 1) & trie.mask) {
        ulonglong2 found = __ldg(reinterpret_cast<const ulonglong2*>(trie.nodes + slot));
        if (found.x == key) {
            return {slot + 1, found.y};
        }
        if (found.x == 0) {
            return {0, 0};
        }
    }
}

// A thread's table in shared memory, which also contains the string. The values of the block's threads are interleaved.
struct SharedTable {
    using Length = uint8;

    double* sums;    // for each prefix, the largest sum of weights
    uint8* lasts;    // for each prefix, the length of the last word
    uint8* letters;  // the bytes of the string

    // - memory: BYTES_OF_A_PREFIX bytes for each prefix of the longest string, for each thread
    // - longest: the length of the longest string
    __device__ __forceinline__ SharedTable(uint8* memory, int32 longest)
        : sums(reinterpret_cast<double*>(memory) + threadIdx.x) {
        lasts = memory + sizeof(double) * (longest + 1) * blockDim.x + threadIdx.x;
        letters = lasts + (longest + 1) * blockDim.x;
    }

    __device__ __forceinline__ void read(const uint8* string, int32 length) {
        for (int32 i = 0; i < length; i++) {
            letters[i * blockDim.x] = string[i];
        }
    }

    __device__ __forceinline__ uint8 letter(int32 i) const {
        return letters[i * blockDim.x];
    }

    __device__ __forceinline__ double& sum(int32 prefix) const {
        return sums[prefix * blockDim.x];
    }

    __device__ __forceinline__ uint8& last(int32 prefix) const {
        return lasts[prefix * blockDim.x];
    }
};

// A thread's table in device memory. The string is not copied.
struct DeviceTable {
    using Length = uint16;

    double* sums;
    uint16* lasts;
    const uint8* letters;

    __device__ __forceinline__ DeviceTable(uint8* memory, int32 longest) {
        uint8* of_block = memory
                + static_cast<int64>(BYTES_OF_A_PREFIX) * (longest + 1) * blockDim.x * blockIdx.x;
        sums = reinterpret_cast<double*>(of_block) + threadIdx.x;
        lasts = reinterpret_cast<uint16*>(of_block + sizeof(double) * (longest + 1) * blockDim.x) + threadIdx.x;
    }

    __device__ __forceinline__ void read(const uint8* string, int32) {
        letters = string;
    }

    __device__ __forceinline__ uint8 letter(int32 i) const {
        return letters[i];
    }

    __device__ __forceinline__ double& sum(int32 prefix) const {
        return sums[prefix * blockDim.x];
    }

    __device__ __forceinline__ uint16& last(int32 prefix) const {
        return lasts[prefix * blockDim.x];
    }
};

// Finds the best last word of each prefix that is a sequence of words.
template <typename Table>
__device__ __forceinline__ void fill(const WordTrie& trie, const Table& table, int32 length) {
    table.sum(0) = 0;
    for (int32 prefix = 1; prefix <= length; prefix++) {
        table.sum(prefix) = impossible();
    }
    int32 start = 0;
    int32 at = 0;
    int32 node = 0;
    double before = 0;  // the sum at the start
    while (start < length) {
        Child child = {0, 0};
        if (at < length) {
            child = find_child(trie, node, table.letter(at));
        }
        node = child.node;
        at++;
        if (child.weight != 0) {
            double sum = before + number_of(child.weight);
            // starts ascend, so the longest last word wins ties
            if (sum > table.sum(at)) {
                table.sum(at) = sum;
                table.last(at) = static_cast<typename Table::Length>(at - start);
            }
        }
        if (node == 0) {
            do {
                start++;
                before = table.sum(min(start, length));
            } while (start < length && before == impossible());
            at = start;
        }
    }
}

// Splits a string. Rejects the row if the string is not a sequence of words.
template <typename Table>
__device__ __forceinline__ void split(
        const WordTrie& trie, Table& table, const BreakRows& rows, int32 row, const Classified& rows_of) {
    int32 begin = rows.offsets[row];
    int32 length = rows.offsets[row + 1] - begin;
    table.read(rows.bytes + begin, length);
    fill(trie, table, length);
    if (table.sum(length) == impossible()) {
        rows_of.reject(row);
        return;
    }
    uint8* ends = rows.ends_of(row);
    int32 count = 0;
    for (int32 end = length; end > 0; end -= table.last(end)) {
        ends[end - 1] = 1;
        count++;
    }
    rows.counts[row] = count;
    rows.lengths[row] = length;
}

}  // namespace

// Adds the words to a trie of zeros, with one thread per word. Words of more than MAX_STRING bytes are left out.
extern "C" __global__ void word_break_insert(int32 count, WordList words, WordTrie trie) {
    int64 word = thread_index();
    if (word >= count) {
        return;
    }
    int32 begin = words.offsets[word];
    int32 end = words.offsets[word + 1];
    if (end - begin > MAX_STRING) {
        return;
    }
    int32 slot = -1;
    for (int32 i = begin; i < end; i++) {
        slot = add_child(trie, slot + 1, words.bytes[i]);
    }
    atomicMax(&trie.nodes[slot].weight, ordered(words.weights == nullptr ? -1.0 : words.weights[word]));
}

// Classifies the strings, with one thread per row.
//
// - key: the key of all rows that are not null if there is no trie; otherwise 0
extern "C" __global__ void word_break_classify(
        int32 rows, const uint32* validity, BreakRows strings, int32 key, Classified rows_of) {
    int64 row = thread_index();
    if (row >= rows) {
        return;
    }
    if (!is_valid(validity, row)) {
        rows_of.put(row, NULL_ROW, 0, 0);
        return;
    }
    int32 length = strings.offsets[row + 1] - strings.offsets[row];
    if (key != 0 || length > MAX_STRING) {
        rows_of.put(row, key != 0 ? key : ON_CPU, 0, 0);
    } else {
        rows_of.put(row, max(0, 28 - __clz(max(1, length) - 1)), length, length);
    }
}

// Splits the strings of a class, with one thread per string and the threads' tables in shared memory.
//
// - longest: the length of the longest string
extern "C" __global__ void word_break_shared(
        const int32* order, int32 from, int32 to, int32 longest, WordTrie trie, BreakRows rows, Classified rows_of) {
    extern __shared__ double2 shared[];
    int64 i = from + thread_index();
    if (i < to) {
        SharedTable table(reinterpret_cast<uint8*>(shared), longest);
        split(trie, table, rows, order[i], rows_of);
    }
}

// Splits the strings of a class, with one thread per string and the threads' tables in device memory.
extern "C" __global__ void word_break_global(
        const int32* order,
        int32 from,
        int32 to,
        int32 longest,
        uint8* memory,
        WordTrie trie,
        BreakRows rows,
        Classified rows_of) {
    DeviceTable table(memory, longest);
    int64 threads = static_cast<int64>(gridDim.x) * blockDim.x;
    for (int64 i = from + thread_index(); i < to; i += threads) {
        split(trie, table, rows, order[i], rows_of);
    }
}

// Writes the words of all rows, with one warp per row. Together, the words of a row are its string.
//
// - word_offsets: the offset of the first word of each row
// - byte_offsets: the offset of the bytes of each row's words
extern "C" __global__ void word_break_words(
        int32 count,
        BreakRows rows,
        const int32* word_offsets,
        const int32* byte_offsets,
        int32* offsets,
        uint8* bytes) {
    int64 row = thread_index() / 32;
    if (row >= count) {
        return;
    }
    int32 lane = threadIdx.x % 32;
    if (row == 0 && lane == 0) {
        offsets[0] = 0;
    }
    const uint8* string = rows.bytes + rows.offsets[row];
    const uint8* ends = rows.ends_of(row);
    int32 begin = byte_offsets[row];
    int32 length = byte_offsets[row + 1] - begin;
    int32 word = word_offsets[row];
    for (int32 first = 0; first < length; first += 32) {
        int32 i = first + lane;
        bool is_end = i < length && ends[i] != 0;
        uint32 all = __ballot_sync(~0u, is_end);
        if (i < length) {
            bytes[begin + i] = string[i];
        }
        if (is_end) {
            offsets[word + __popc(all & ((1u << lane) - 1)) + 1] = begin + i + 1;
        }
        word += __popc(all);
    }
}
