// Computes the value in the last row of the table's last column with one thread per pair, with some lanes of a warp per
// pair (score_together), or with many warps (stripes.cuh, halves.cuh).
#pragma once

#include "align/bits/alphabets.cuh"
#include "align/bits/column.cuh"
#include "align/bits/halves.cuh"
#include "align/bits/stripes.cuh"
#include "common/warp.cuh"

// Converts the growth along a table's last column to the result.
struct EditScore {
    template <int K>
    using Column = EditColumn<K>;

    int32* results;
    int64 option;  // the address of the rows' largest distances of interest, or 0

    __device__ __forceinline__ void put(const Pair& pair, int32 growth) const {
        const int32* limits = reinterpret_cast<const int32*>(option);
        int32 distance = pair.text_length + growth;
        results[pair.row] = limits != nullptr && distance > limits[pair.row] ? -1 : distance;
    }

    // Returns the rows at which a path improves and those at which it worsens. For a distance, these are the rows at
    // which it falls and those at which it rises.
    static __device__ __forceinline__ Gains gains(const uint2& saved) {
        return {saved.y, saved.x};
    }

    static __device__ __forceinline__ int32 growth(int32 gained) {
        return -gained;
    }
};

struct LcsScore {
    template <int K>
    using Column = LcsColumn<K>;

    int32* results;
    int64 option;  // whether the caller wants the length of the shortest common supersequence

    __device__ __forceinline__ void put(const Pair& pair, int32 growth) const {
        results[pair.row] = option != 0 ? pair.pattern_length + pair.text_length - growth : growth;
    }

    static __device__ __forceinline__ Gains gains(uint32 saved) {
        return {~saved, 0};
    }

    static __device__ __forceinline__ int32 growth(int32 gained) {
        return gained;
    }
};

template <class Score, template <int, int> class Symbols, int K, int BLOCK>
__device__ __forceinline__ void score_alone(const Pair* pairs, int32 count, const Score& score) {
    int64 index = thread_index();
    if (index >= count) {
        return;
    }
    Pair pair = pairs[index];
    Symbols<K, BLOCK> symbols(pair, 0);
    typename Score::template Column<K> state;
    state.reset();
    NoMoves moves;
    solve_alone(state, symbols, pair.text_length, moves);
    score.put(pair, state.growth(pair.pattern_length));
}

template <class Score, template <int, int> class Symbols, int L, int K, int BLOCK>
__device__ __forceinline__ void score_together(const Pair* pairs, int32 count, const Score& score) {
    int32 index = static_cast<int32>(thread_index() / L);
    int32 lane = threadIdx.x % L;
    Pair pair = pairs[min(index, count - 1)];
    int32 blocks = (pair.text_length + 31) / 32;
    int32 padding = 32 * blocks - pair.text_length;
    int32 steps = blocks + L - 1;
#pragma unroll
    for (int other = L; other < 32; other *= 2) {
        steps = max(steps, __shfl_xor_sync(~0u, steps, other));
    }
    Symbols<K, BLOCK> symbols(pair, 32 * K * lane);
    typename Score::template Column<K> state;
    state.reset();
    NoMoves moves;
    Border out = {0, 0};
#pragma unroll 1
    for (int32 step = 0; step < steps; step++) {
        Border in;
        in.rises = __shfl_up_sync(~0u, out.rises, 1, L);
        in.carries = __shfl_up_sync(~0u, out.carries, 1, L);
        int32 block = step - lane;
        uint32 valid = valid_columns(block, padding);
        if (lane == 0) {
            in = {valid, 0};
        }
        if (block >= 0 && block < blocks) {
            solve_block(state, symbols, 32 * block - padding, valid, in, out, moves);
        }
        __syncwarp();
    }
    int32 growth = state.growth(pair.pattern_length - 32 * K * lane);
    growth = sum_of_lanes<L>(growth);
    if (lane == 0 && index < count) {
        score.put(pair, growth);
    }
}

#define SCORE_ALONE(name, Score, Symbols, K, BLOCK) \
    extern "C" __global__ void __launch_bounds__(BLOCK) name##_1x##K( \
            const Pair* pairs, int32 count, int32* results, int64 option) { \
        score_alone<Score, Symbols, K, BLOCK>(pairs, count, Score{results, option}); \
    }

#define SCORE_TOGETHER(name, Score, Symbols, L, K, BLOCK) \
    extern "C" __global__ void __launch_bounds__(BLOCK) name##_##L##x##K( \
            const Pair* pairs, int32 count, int32* results, int64 option) { \
        score_together<Score, Symbols, L, K, BLOCK>(pairs, count, Score{results, option}); \
    }

#define SCORE_STRIPED(name, Score, Symbols, K, BLOCK) \
    extern "C" __global__ void __launch_bounds__(BLOCK) name##_striped_##K( \
            const Pair* pairs, \
            const int32* firsts, \
            int32 count, \
            const int64* border_places, \
            uint64* borders, \
            int32* ticket, \
            int32 border_rows, \
            int32* growths, \
            const int64* saved_places, \
            Score::Column<K>::Saved* saved) { \
        solve_stripes<false, Score::Column<K>, Symbols<K, BLOCK>, K, BLOCK>( \
                {pairs, firsts, count, border_places, borders, ticket, border_rows, growths, saved_places, saved}); \
    }

#define SCORE_TILES(name, Score, Symbols, BLOCK) \
    extern "C" __global__ void __launch_bounds__(BLOCK) name##_tiles( \
            const Pair* pairs, \
            const int32* firsts, \
            int32 count, \
            const int64* border_places, \
            uint64* borders, \
            int32* ticket, \
            const int64* saved_places, \
            Score::Column<1>::Saved* saved) { \
        solve_stripes<true, Score::Column<1>, Symbols<1, BLOCK>, 1, BLOCK>( \
                {pairs, firsts, count, border_places, borders, ticket, 0, nullptr, saved_places, saved}); \
    }

#define SCORE_LANES(name, Score, Symbols, L) \
    SCORE_TOGETHER(name, Score, Symbols, L, 5, 64) \
    SCORE_TOGETHER(name, Score, Symbols, L, 6, 64) \
    SCORE_TOGETHER(name, Score, Symbols, L, 8, 64)

// Defines kernels for the shapes in pairs.cuh except stripes, for a byte alphabet: Symbols for single threads, and
// SharedSymbols for threads that solve a pair together.
#define SCORE_BYTES(name, Score, Symbols, SharedSymbols) \
    SCORE_ALONE(name, Score, Symbols, 1, 64) \
    SCORE_ALONE(name, Score, Symbols, 2, 64) \
    SCORE_ALONE(name, Score, Symbols, 3, 64) \
    SCORE_ALONE(name, Score, Symbols, 4, 64) \
    SCORE_ALONE(name, Score, Symbols, 5, 64) \
    SCORE_ALONE(name, Score, Symbols, 6, 64) \
    SCORE_ALONE(name, Score, Symbols, 7, 64) \
    SCORE_ALONE(name, Score, Symbols, 8, 64) \
    SCORE_LANES(name, Score, SharedSymbols, 2) \
    SCORE_LANES(name, Score, SharedSymbols, 4) \
    SCORE_LANES(name, Score, SharedSymbols, 8) \
    SCORE_LANES(name, Score, SharedSymbols, 16) \
    SCORE_LANES(name, Score, SharedSymbols, 32) \
    SCORE_TOGETHER(name, Score, SharedSymbols, 32, 10, 32) \
    SCORE_TOGETHER(name, Score, SharedSymbols, 32, 12, 32)

#define SCORE_MANY_LANES(name, Score, Symbols, L) \
    SCORE_TOGETHER(name, Score, Symbols, L, 10, 32) \
    SCORE_TOGETHER(name, Score, Symbols, L, 12, 32) \
    SCORE_TOGETHER(name, Score, Symbols, L, 16, 32)

// Defines kernels for many pairs, which have half as many lanes with twice as many words as the shapes in pairs.cuh:
// Symbols for single threads, and SharedSymbols for threads that solve a pair together.
#define SCORE_MANY(name, Score, Symbols, SharedSymbols) \
    SCORE_ALONE(name, Score, Symbols, 16, 32) \
    SCORE_MANY_LANES(name, Score, SharedSymbols, 2) \
    SCORE_MANY_LANES(name, Score, SharedSymbols, 4) \
    SCORE_MANY_LANES(name, Score, SharedSymbols, 8) \
    SCORE_MANY_LANES(name, Score, SharedSymbols, 16)

// Defines kernels for stripes, for any byte alphabet.
#define SCORE_STRIPES(name, Score) \
    SCORE_STRIPED(name, Score, AsciiRows, 1, 32) \
    SCORE_STRIPED(name, Score, AsciiTexts, 8, 32) \
    SCORE_TILES(name, Score, AsciiRows, 32)

// Defines kernels for characters beyond ASCII: Symbols for up to 32 lanes per pair, and Texts for stripes.
#define SCORE_CHARACTERS(name, Score, Symbols, Texts) \
    SCORE_ALONE(name, Score, Symbols, 1, 64) \
    SCORE_TOGETHER(name, Score, Symbols, 4, 1, 64) \
    SCORE_TOGETHER(name, Score, Symbols, 8, 1, 64) \
    SCORE_TOGETHER(name, Score, Symbols, 32, 1, 64) \
    SCORE_STRIPED(name, Score, Texts, 1, 32) \
    SCORE_TILES(name, Score, Texts, 32)

// Defines kernels that compute the results of pairs solved in stripes, and of pairs with an empty string.
#define SCORE_OTHERS(name, Score) \
    extern "C" __global__ void __launch_bounds__(JOIN_BLOCK) name##_join( \
            const Pair* pairs, const int64* places, const Score::Column<1>::Saved* saved, int32* growths) { \
        join_halves<Score>(pairs, places, saved, growths); \
    } \
    extern "C" __global__ void name##_growths( \
            const Pair* pairs, int32 count, const int32* growths, int32* results, int64 option) { \
        int64 index = thread_index(); \
        if (index < count) { \
            Score{results, option}.put(pairs[index], growths == nullptr ? 0 : growths[index]); \
        } \
    }
