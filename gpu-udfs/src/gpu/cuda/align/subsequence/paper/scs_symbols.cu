// Prepares the symbols of a pair for shortest common supersequence tables. All kernels except scs_last_places run with
// any number of blocks of any size.
#include "align/pairs.cuh"
#include "common/utf8.cuh"
#include "common/warp.cuh"

namespace {

constexpr int32 IN_TEXT = -1;
constexpr int32 CLAIMED = -2;

__device__ __forceinline__ int32 symbol(const void* symbols, int32 wide, int64 i) {
    return wide ? static_cast<const int32*>(symbols)[i] : static_cast<const uint8*>(symbols)[i];
}

// The storage for the symbols' numbers: a table for bytes, a hash table for characters. `keys` contains the character
// of each of `size` slots, or NO_CHARACTER. At most half of the slots are used. `size` is a power of two.
struct Places {
    int32 wide;
    int32* keys;
    uint32 size;

    __device__ __forceinline__ uint32 first(int32 symbol) const {
        return __umulhi(symbol * 0x9e3779b1u, size);
    }

    // Returns the slot of a symbol, or -1 if it has none.
    __device__ __forceinline__ int64 find(int32 symbol) const {
        if (!wide) {
            return symbol;
        }
        uint32 place = first(symbol);
        while (keys[place] != symbol) {
            if (keys[place] == NO_CHARACTER) {
                return -1;
            }
            place = (place + 1) & (size - 1);
        }
        return place;
    }

    __device__ __forceinline__ int64 take(int32 symbol) const {
        if (!wide) {
            return symbol;
        }
        uint32 place = first(symbol);
        while (true) {
            int32 before = atomicCAS(keys + place, NO_CHARACTER, symbol);
            if (before == NO_CHARACTER || before == symbol) {
                return place;
            }
            place = (place + 1) & (size - 1);
        }
    }
};

}  // namespace

// Marks the symbols of the text.
//
// - numbers: int32[256], or int32[size] for characters; initially 0, becomes IN_TEXT for the symbols of the text
// - keys: int32[size] for characters; initially NO_CHARACTER, becomes the characters of the text
extern "C" __global__ void scs_mark(const Pair* pair, int32 wide, int32* numbers, int32* keys, uint32 size) {
    Places places = {wide, keys, size};
    int64 step = static_cast<int64>(gridDim.x) * blockDim.x;
    for (int64 j = thread_index(); j < pair->text_length; j += step) {
        numbers[places.take(symbol(pair->text, wide, j))] = IN_TEXT;
    }
}

// Assigns numbers to the symbols that occur in both strings, from 1 on, in any order. `count`, initially 0, becomes the
// number of these symbols.
extern "C" __global__ void scs_number(
        const Pair* pair, int32 wide, int32* numbers, int32* keys, uint32 size, int32* count) {
    Places places = {wide, keys, size};
    int64 step = static_cast<int64>(gridDim.x) * blockDim.x;
    for (int64 i = thread_index(); i < pair->pattern_length; i += step) {
        int64 place = places.find(symbol(pair->pattern, wide, i));
        int32* number = numbers + place;
        if (place >= 0 && *number == IN_TEXT && atomicCAS(number, IN_TEXT, CLAIMED) == IN_TEXT) {
            *number = atomicAdd(count, 1) + 1;
        }
    }
}

// Converts both strings to numbers: `x` is the pattern and `y` the text. A symbol that occurs in only one of the
// strings is 0 in x and -1 in y, which are never equal.
extern "C" __global__ void scs_translate(
        const Pair* pair, int32 wide, const int32* numbers, int32* keys, uint32 size, int32* x, int32* y) {
    Places places = {wide, keys, size};
    int64 step = static_cast<int64>(gridDim.x) * blockDim.x;
    for (int64 i = thread_index(); i < pair->pattern_length; i += step) {
        int64 place = places.find(symbol(pair->pattern, wide, i));
        x[i] = place < 0 ? 0 : max(numbers[place], 0);
    }
    for (int64 j = thread_index(); j < pair->text_length; j += step) {
        int32 number = numbers[places.find(symbol(pair->text, wide, j))];
        y[j] = number > 0 ? number : -1;
    }
}

// Computes equation (8), the last position up to j where y has the symbol c, or 0. There is one block of 1024 threads
// for each c, counted from 1. Each thread knows the matches in its warp, and the warps exchange the positions of their
// last matches.
//
// - places: int32[symbols + 1][m + 1]; row 0 is not written
extern "C" __global__ void __launch_bounds__(1024) scs_last_places(const int32* y, int32 m, int32* places) {
    __shared__ int32 last[2][32];
    int32 c = blockIdx.x + 1;
    int32* row = places + c * (m + 1LL);
    int32 lane = threadIdx.x % 32;
    int32 warp = threadIdx.x / 32;
    int32 before = 0;
    int32 round = 0;
    if (threadIdx.x == 0) {
        row[0] = 0;
    }
    for (int64 first = 1; first <= m; first += 1024, round ^= 1) {
        int64 j = first + threadIdx.x;
        uint32 matches = __ballot_sync(~0u, j <= m && y[j - 1] == c);
        int32 warp_first = static_cast<int32>(first) + 32 * warp;
        if (lane == 0) {
            last[round][warp] = matches == 0 ? 0 : warp_first + 31 - __clz(matches);
        }
        // one barrier per round suffices, because a warp that is a round ahead writes to the other half of the memory
        __syncthreads();
        int32 all = last[round][lane];
        int32 earlier = lane < warp ? all : 0;
        all = max_of_lanes<32>(all);
        earlier = max_of_lanes<32>(earlier);
        uint32 own = matches & (~0u >> (31 - lane));
        if (j <= m) {
            row[j] = own != 0 ? warp_first + 31 - __clz(own) : max(earlier, before);
        }
        before = max(before, all);
    }
}
