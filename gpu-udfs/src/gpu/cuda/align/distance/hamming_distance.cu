// Computes the Hamming distance: the number of positions at which the characters of a pair differ.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/utf8.cuh"
#include "common/warp.cuh"

// The class CHARACTERS contains the pairs that are not pure ASCII. The other classes contain ASCII pairs, grouped by
// the bit length of their number of characters, so that pairs in one launch have similar lengths.
constexpr int32 CHARACTERS = 0;
constexpr int32 CLASSES = 33;
constexpr int32 CLASSIFY_THREADS = 8;  // the number of threads per pair
FOR_HOST(CHARACTERS);
FOR_HOST(CLASSES);
FOR_HOST(CLASSIFY_THREADS);

namespace {

struct Bytes {
    const uint8* bytes;
    int32 length;

    __device__ Bytes(const int32* offsets, const uint8* all, int64 row) :
        bytes(all + offsets[row]), length(offsets[row + 1] - offsets[row]) {}

    // Returns whether the highest bit is set in any byte that this thread reads: the byte `first`, and every `step`-th
    // one after it.
    __device__ bool has_high_bits(int32 first, int32 step) const {
        uint32 any = 0;
        for (int32 i = first; i < length; i += step) {
            any |= bytes[i];
        }
        return any >= 0x80;
    }

    __device__ int32 characters() const {
        int32 count = 0;
        for (int32 i = 0; i < length; i += bytes_from(bytes[i])) {
            count++;
        }
        return count;
    }
};

}  // namespace

// Determines the class of each pair with CLASSIFY_THREADS adjacent threads. Rejects pairs of unequal lengths.
extern "C" __global__ void __launch_bounds__(256) hamming_classify(
        int32 rows,
        const uint32* validity,
        const int32* a_offsets,
        const uint8* a_bytes,
        const int32* b_offsets,
        const uint8* b_bytes,
        Classified rows_of) {
    int64 row = thread_index() / CLASSIFY_THREADS;
    int32 thread = threadIdx.x % CLASSIFY_THREADS;
    bool present = row < rows && is_valid(validity, row);
    bool wide = false;
    if (present) {
        wide = Bytes(a_offsets, a_bytes, row).has_high_bits(thread, CLASSIFY_THREADS)
            || Bytes(b_offsets, b_bytes, row).has_high_bits(thread, CLASSIFY_THREADS);
    }
    wide = max_of_lanes<CLASSIFY_THREADS>(static_cast<int32>(wide)) != 0;
    if (thread != 0 || row >= rows) {
        return;
    }
    if (!present) {
        rows_of.put(row, NULL_ROW, 0, 0);
        return;
    }
    Bytes a(a_offsets, a_bytes, row);
    Bytes b(b_offsets, b_bytes, row);
    int32 a_length = wide ? a.characters() : a.length;
    int32 b_length = wide ? b.characters() : b.length;
    int32 key = a_length != b_length ? REJECTED : wide ? CHARACTERS : 1 + (31 - __clz(a_length | 1));
    rows_of.put(row, key, a_length, a_length);
}

// Solves each ASCII pair with `threads` adjacent threads, a power of two.
//
// - order: the rows to solve
// - distances: the distance of each row, to which the kernel adds the number of differences
extern "C" __global__ void __launch_bounds__(256) hamming_bytes(
        int32 count,
        const int32* order,
        const int32* a_offsets,
        const uint8* a_bytes,
        const int32* b_offsets,
        const uint8* b_bytes,
        int32 threads,
        int32* distances) {
    int64 place = thread_index() / threads;
    int32 thread = static_cast<int32>(thread_index() % threads);
    int32 row = place < count ? order[place] : 0;
    int32 distance = 0;
    if (place < count) {
        Bytes a(a_offsets, a_bytes, row);
        Bytes b(b_offsets, b_bytes, row);
        for (int32 i = thread; i < a.length; i += threads) {
            distance += a.bytes[i] != b.bytes[i];
        }
    }
    for (int32 other = 1; other < min(threads, 32); other *= 2) {
        distance += __shfl_xor_sync(~0u, distance, other);
    }
    if (place < count && thread % 32 == 0 && distance > 0) {
        atomicAdd(distances + row, distance);
    }
}

// Solves pairs that are not ASCII with one thread each, because the start of a character depends on all characters
// before it.
extern "C" __global__ void __launch_bounds__(256) hamming_characters(
        int32 count,
        const int32* order,
        const int32* a_offsets,
        const uint8* a_bytes,
        const int32* b_offsets,
        const uint8* b_bytes,
        int32 threads,
        int32* distances) {
    int64 place = thread_index() / threads;
    if (place >= count) {
        return;
    }
    int32 row = order[place];
    Bytes a(a_offsets, a_bytes, row);
    Bytes b(b_offsets, b_bytes, row);
    int32 distance = 0;
    int32 j = 0;
    for (int32 i = 0; i < a.length; i += bytes_from(a.bytes[i])) {
        distance += character_at(a.bytes, i, a.length) != character_at(b.bytes, j, b.length);
        j += bytes_from(b.bytes[j]);
    }
    distances[row] = distance;
}
