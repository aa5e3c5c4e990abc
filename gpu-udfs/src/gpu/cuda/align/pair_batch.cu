// Classifies pairs by alphabet, shape and length, decodes those that are not ASCII, and moves results into a column.
#include "align/pairs.cuh"
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/utf8_warp.cuh"
#include "common/warp.cuh"

// VALUES: the shorter string is the pattern. PATHS and SEARCHES: a is the pattern. PATHS are traced back.
enum Purpose : int32 { VALUES = 0, PATHS = 1, SEARCHES = 2 };

FOR_HOST(SHAPE_STRIPED);
FOR_HOST(SHAPE_EMPTY);
FOR_HOST(SHAPES);
FOR_HOST(TEXT_CLASSES);
FOR_HOST(CLASSES);
FOR_HOST(VALUES);
FOR_HOST(PATHS);
FOR_HOST(SEARCHES);
constexpr int32 CLASSIFY_LANES = 2;  // the number of lanes per pair in pair_classify
constexpr int32 HALVE_BLOCKS = 32;   // the number of blocks per pair in pair_halve
FOR_HOST(CLASSIFY_LANES);
FOR_HOST(HALVE_BLOCKS);
STRUCT_FOR_HOST(Pair);
MEMBER_FOR_HOST(Pair, pattern);
MEMBER_FOR_HOST(Pair, text);
MEMBER_FOR_HOST(Pair, pattern_length);
MEMBER_FOR_HOST(Pair, text_length);
MEMBER_FOR_HOST(Pair, row);
MEMBER_FOR_HOST(Pair, swapped);

constexpr int32 TILE_ROWS = 256;  // the height of the tiles that determine the size of a pair with a path
constexpr int32 TILE_COLUMNS = 128;
FOR_HOST(TILE_ROWS);
FOR_HOST(TILE_COLUMNS);

namespace {

constexpr int32 LANES = CLASSIFY_LANES;
constexpr int32 WARP = 32;
constexpr int32 LONG = 4096;  // a warp reads a pair with a longer string; CLASSIFY_LANES lanes read any other pair

// Returns zero if all four bytes are A, C, G or T. Bits 1 and 2 determine which of the four a byte must be.
__device__ __forceinline__ uint32 unlike_nucleotides(uint32 bytes) {
    uint32 t = (bytes >> 2) & ~(bytes >> 1) & 0x01010101;
    return (0x41414141 | (bytes & 0x06060606)) ^ (t * 0x11) ^ bytes;
}

// Returns the alphabets that a lane's part of a string rules out. Bit 0 is set if not all characters are nucleotides,
// and bit 1 if not all are ASCII. Each lane keeps several 16-byte loads in flight.
//
// - column_end: the end of the column's memory
template <int LANES, int CHUNKS>
__device__ __forceinline__ int32 look(const uint8* begin, int32 length, const uint8* column_end, int32 lane) {
    if (length == 0) {
        return 0;
    }
    uint64 address = reinterpret_cast<uint64>(begin);
    int32 shift = static_cast<int32>(address & 15);
    const uint4* chunks = reinterpret_cast<const uint4*>(address & ~15ull);
    int32 end = shift + length;  // fits, because a column has at most 2^31 - 1 bytes
    uint32 unlike = 0;
    uint32 all = 0;
    for (int32 first = lane; first < (end + 15) / 16; first += CHUNKS * LANES) {
        uint4 loaded[CHUNKS];
#pragma unroll
        for (int i = 0; i < CHUNKS; i++) {
            int32 chunk = first + i * LANES;
            loaded[i] = make_uint4(0, 0, 0, 0);
            if (chunk > (end - 1) / 16) {
                continue;
            }
            if (reinterpret_cast<const uint8*>(chunks + chunk + 1) <= column_end) {
                loaded[i] = __ldg(chunks + chunk);
            } else {
                const uint32* last = reinterpret_cast<const uint32*>(chunks + chunk);
#pragma unroll 1
                for (int32 word = 0; 16 * chunk + 4 * word < end; word++) {
                    uint32 value = load_up_to(last + word, end - 16 * chunk - 4 * word);
                    loaded[i].x = word == 0 ? value : loaded[i].x;
                    loaded[i].y = word == 1 ? value : loaded[i].y;
                    loaded[i].z = word == 2 ? value : loaded[i].z;
                    loaded[i].w = word == 3 ? value : loaded[i].w;
                }
            }
        }
#pragma unroll
        for (int i = 0; i < 4 * CHUNKS; i++) {
            uint4 loads = loaded[i / 4];
            uint32 word = i % 4 == 0 ? loads.x : i % 4 == 1 ? loads.y : i % 4 == 2 ? loads.z : loads.w;
            int32 chunk = first + i / 4 * LANES;
            if (chunk == 0 || chunk >= end / 16) {
                int32 at = 16 * chunk + 4 * (i % 4);
                int32 before = max(shift - at, 0);
                int32 behind = max(at + 4 - end, 0);
                uint32 ours = before >= 4 || behind >= 4 ? 0 : ~0u << (8 * before) & ~0u >> (8 * behind);
                word = (word & ours) | (0x41414141 & ~ours);
            }
            unlike |= unlike_nucleotides(word);
            all |= word;
        }
    }
    return (unlike != 0 ? 1 : 0) | ((all & 0x80808080) != 0 ? 2 : 0);
}

struct Decoded {
    int32 count;
    bool malformed;  // whether some characters are not code points, as far as this lane knows
};

// Decodes the characters of a string, with all lanes of a warp. `to` may be nullptr.
__device__ Decoded decode_string(const uint8* bytes, int32 length, int32* to, int32 lane) {
    Decoded decoded = {0, false};
    uint32 carry = 0;
    for (int32 first = 0; first < length; first += 32) {
        int32 at = first + lane;
        uint32 byte = at < length ? bytes[at] : 0;
        uint32 all = begins_in_warp(byte, length - first, carry);
        if (all >> lane & 1) {
            int32 character = character_at(bytes, at, length);
            decoded.malformed |= static_cast<uint32>(character) >= CODE_POINTS;
            if (to != nullptr) {
                to[decoded.count + __popc(all & ((1u << lane) - 1))] = character;
            }
        }
        decoded.count += __popc(all);
    }
    return decoded;
}

}  // namespace

// Determines the class of each pair. For paths, the size of a pair is the number of tiles in its table; otherwise, it
// is 0.
//
// - purpose: a Purpose
// - lengths (output, int2[rows]): the numbers of characters in a and b
// - wide: an int64 to which the kernel adds the number of characters in pairs that are not ASCII
extern "C" __global__ void __launch_bounds__(256) pair_classify(
        int32 rows,
        const uint32* validity,
        const int32* a_offsets,
        const uint8* a_bytes,
        const int32* b_offsets,
        const uint8* b_bytes,
        int32 purpose,
        int2* lengths,
        int64* wide,
        Classified rows_of) {
    int32 lane = threadIdx.x % LANES;
    int32 warp_lane = threadIdx.x % WARP;
    int32 step = gridDim.x * blockDim.x / LANES;
    int32 first = static_cast<int32>(thread_index() / LANES);
    const uint8* a_end = a_bytes + a_offsets[rows];
    const uint8* b_end = b_bytes + b_offsets[rows];
    for (int64 round = 0; round < rows; round += step) {
        int64 row = round + first;
        bool present = row < rows && is_valid(validity, row);
        int32 found = 0;
        int32 a_length = 0;
        int32 b_length = 0;
        if (present) {
            a_length = a_offsets[row + 1] - a_offsets[row];
            b_length = b_offsets[row + 1] - b_offsets[row];
        }
        bool is_long = max(a_length, b_length) > LONG;
        if (present && !is_long) {
            found = look<LANES, 2>(a_bytes + a_offsets[row], a_length, a_end, lane)
                | look<LANES, 2>(b_bytes + b_offsets[row], b_length, b_end, lane);
        }
        for (uint32 left = __ballot_sync(~0u, lane == 0 && is_long); left != 0; left &= left - 1) {
            int32 source = __ffs(left) - 1;
            int64 looked_at = __shfl_sync(~0u, row, source);
            int32 a = a_offsets[looked_at];
            int32 b = b_offsets[looked_at];
            int32 its = look<WARP, 8>(a_bytes + a, a_offsets[looked_at + 1] - a, a_end, warp_lane)
                | look<WARP, 8>(b_bytes + b, b_offsets[looked_at + 1] - b, b_end, warp_lane);
            bool not_nucleotides = __any_sync(~0u, (its & 1) != 0);
            bool not_ascii = __any_sync(~0u, (its & 2) != 0);
            if (warp_lane == source) {
                found = (not_nucleotides ? 1 : 0) | (not_ascii ? 2 : 0);
            }
        }
        found = reduce_lanes<LANES>(found, [](int32 a, int32 b) { return a | b; });
        for (uint32 left = __ballot_sync(~0u, lane == 0 && (found & 2) != 0); left != 0; left &= left - 1) {
            int32 source = __ffs(left) - 1;
            int64 decoded = __shfl_sync(~0u, row, source);
            Decoded a = decode_string(
                    a_bytes + a_offsets[decoded], a_offsets[decoded + 1] - a_offsets[decoded], nullptr, warp_lane);
            Decoded b = decode_string(
                    b_bytes + b_offsets[decoded], b_offsets[decoded + 1] - b_offsets[decoded], nullptr, warp_lane);
            bool malformed = __any_sync(~0u, a.malformed || b.malformed);
            if (warp_lane == source) {
                a_length = a.count;
                b_length = b.count;
                found |= malformed ? 4 : 0;
                atomicAdd(
                        reinterpret_cast<unsigned long long*>(wide),
                        static_cast<unsigned long long>(a.count) + b.count);
            }
        }
        if (lane == 0 && row < rows) {
            lengths[row] = make_int2(a_length, b_length);
            if (!present) {
                rows_of.put(row, NULL_ROW, 0, 0);
            } else {
                int32 alphabet = (found & 4) != 0 ? MALFORMED
                    : (found & 2) != 0            ? WIDE
                    : (found & 1) != 0            ? ASCII
                                                  : NUCLEOTIDES;
                int32 pattern = purpose == VALUES ? min(a_length, b_length) : a_length;
                int32 text = purpose == VALUES ? max(a_length, b_length) : b_length;
                int32 shape = purpose == PATHS ? path_shape(alphabet, pattern, text) : score_shape(alphabet, pattern);
                int32 key = (alphabet * SHAPES + shape) * TEXT_CLASSES + text_class(text);
                int64 tiles = (pattern + TILE_ROWS - 1LL) / TILE_ROWS * ((text + TILE_COLUMNS - 1LL) / TILE_COLUMNS);
                int32 size = purpose == PATHS ? static_cast<int32>(min(tiles, 0x7fffffffLL)) : 0;
                rows_of.put(row, key, size, static_cast<int64>(a_length) * b_length);
            }
        }
    }
}

// Lists the pairs of the rows order[0..count).
extern "C" __global__ void __launch_bounds__(256) pair_list(
        int32 count,
        const int32* order,
        const int32* a_offsets,
        const uint8* a_bytes,
        const int32* b_offsets,
        const uint8* b_bytes,
        int32 purpose,
        const int2* lengths,
        Pair* pairs) {
    int64 position = thread_index();
    if (position < count) {
        int32 row = order[position];
        int2 length = lengths[row];
        const uint8* a = a_bytes + a_offsets[row];
        const uint8* b = b_bytes + b_offsets[row];
        bool swapped = purpose == VALUES && length.x > length.y;
        pairs[position] = swapped ? Pair{b, a, length.y, length.x, row, 1} : Pair{a, b, length.x, length.y, row, 0};
    }
}

// Decodes pairs that are not ASCII, one warp each. `taken` counts the characters of the pairs that warps have begun, so
// it is the offset of the next pair's characters.
extern "C" __global__ void __launch_bounds__(256) pair_decode(
        Pair* pairs, int32 count, const int32* a_offsets, const int32* b_offsets, int32* characters, int64* taken) {
    int64 index = thread_index() / 32;
    if (index >= count) {
        return;
    }
    int32 lane = threadIdx.x % 32;
    Pair pair = pairs[index];
    int64 place = 0;
    if (lane == 0) {
        place = static_cast<int64>(atomicAdd(
                reinterpret_cast<unsigned long long*>(taken),
                static_cast<unsigned long long>(pair.pattern_length) + pair.text_length));
    }
    place = __shfl_sync(~0u, place, 0);
    int32* pattern = characters + place;
    int32* text = pattern + pair.pattern_length;
    int32 a_length = a_offsets[pair.row + 1] - a_offsets[pair.row];
    int32 b_length = b_offsets[pair.row + 1] - b_offsets[pair.row];
    decode_string(static_cast<const uint8*>(pair.pattern), pair.swapped ? b_length : a_length, pattern, lane);
    decode_string(static_cast<const uint8*>(pair.text), pair.swapped ? a_length : b_length, text, lane);
    if (lane == 0) {
        pairs[index].pattern = pattern;
        pairs[index].text = text;
    }
}

// Copies symbols in reverse order, with several threads.
template <class Symbol>
__device__ __forceinline__ void turn(const void* symbols, int32 length, void* to, int32 thread, int32 threads) {
    for (int64 i = thread; i < length; i += threads) {
        static_cast<Symbol*>(to)[i] = static_cast<const Symbol*>(symbols)[length - 1 - i];
    }
}

// Splits each pair into two pairs that meet in the middle of the text: the pattern with the first half of the text, and
// the reversed pattern with the reversed second half.
//
// - places: for each pair, the byte offset of its symbols in `turned`
// - turned (output): the symbols of each pair's reversed pattern and reversed second half
// - halves (output): Pair[2 * count]
extern "C" __global__ void __launch_bounds__(256) pair_halve(
        const Pair* pairs, int32 wide, const int64* places, uint8* turned, Pair* halves) {
    int32 index = blockIdx.x / HALVE_BLOCKS;
    int32 thread = blockIdx.x % HALVE_BLOCKS * blockDim.x + threadIdx.x;
    int32 threads = HALVE_BLOCKS * blockDim.x;
    Pair pair = pairs[index];
    int32 first = pair.text_length / 2;
    int32 second = pair.text_length - first;
    int64 bytes = wide ? sizeof(int32) : 1;
    const uint8* text = static_cast<const uint8*>(pair.text) + bytes * first;
    uint8* turned_pattern = turned + places[index];
    uint8* turned_text = turned_pattern + bytes * pair.pattern_length;
    if (wide) {
        turn<int32>(pair.pattern, pair.pattern_length, turned_pattern, thread, threads);
        turn<int32>(text, second, turned_text, thread, threads);
    } else {
        turn<uint8>(pair.pattern, pair.pattern_length, turned_pattern, thread, threads);
        turn<uint8>(text, second, turned_text, thread, threads);
    }
    if (thread == 0) {
        halves[2 * index] = {pair.pattern, pair.text, pair.pattern_length, first, pair.row, pair.swapped};
        halves[2 * index + 1] = {turned_pattern, turned_text, pair.pattern_length, second, pair.row, pair.swapped};
    }
}

// Copies each string from the end of its reserved memory to its position in the column, with `lanes` threads.
extern "C" __global__ void __launch_bounds__(256) pair_gather(
        int32 rows,
        const int32* a_offsets,
        const int32* b_offsets,
        int32 factor,
        const uint8* room,
        const int32* offsets,
        uint8* bytes,
        int32 lanes) {
    int64 row = thread_index() / lanes;
    if (row >= rows) {
        return;
    }
    int32 length = offsets[row + 1] - offsets[row];
    int64 consumed = static_cast<int64>(a_offsets[row + 1]) - a_offsets[0] + b_offsets[row + 1] - b_offsets[0];
    const uint8* from = room + factor * consumed - length;
    uint8* to = bytes + offsets[row];
    for (int64 i = thread_index() % lanes; i < length; i += lanes) {
        to[i] = from[i];
    }
}
