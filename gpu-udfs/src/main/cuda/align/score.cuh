// Values at the foot of the table: a thread for a pair, some lanes of a warp for a pair, or many warps for a pair.
#pragma once

#include "align/bit_parallel.cuh"

// What a table's growth down its last column becomes.
struct EditScore {
    template <int K>
    using Column = EditColumn<K>;

    int32* results;
    int64 option;  // address of the largest distance of interest for each row, or 0

    __device__ __forceinline__ void put(const Pair& pair, int32 growth) const {
        const int32* limits = reinterpret_cast<const int32*>(option);
        int32 distance = pair.text_length + growth;
        results[pair.row] = limits != nullptr && distance > limits[pair.row] ? -1 : distance;
    }
};

struct LcsScore {
    template <int K>
    using Column = LcsColumn<K>;

    int32* results;
    int64 option;  // whether the length of the shortest common supersequence is asked for

    __device__ __forceinline__ void put(const Pair& pair, int32 growth) const {
        results[pair.row] = option != 0 ? pair.pattern_length + pair.text_length - growth : growth;
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
#pragma unroll
    for (int other = 1; other < L; other *= 2) {
        growth += __shfl_xor_sync(~0u, growth, other);
    }
    if (lane == 0 && index < count) {
        score.put(pair, growth);
    }
}

// Stripes of 1,024 * K rows, a warp each, which pass their lower border on through device memory. Warps take stripes in order, so the stripe
// above is always further on or done.
//
// pairs      the pairs of this launch
// firsts     for each pair its first stripe, and the number of all stripes
// borders    for each pair the place of its borders: ceil(text / 32) for each stripe, all ones before the launch
// growths    the growth of each pair's last column, zero before the launch
// saved      for each pair the place of its saved columns, or nullptr: at the end of each tile a word pair for each word of all stripes
template <class Score, template <int, int> class Symbols, int K, int BLOCK>
__device__ __forceinline__ void score_striped(
        const Pair* pairs,
        const int32* firsts,
        int32 count,
        const int64* border_places,
        uint64* borders,
        const int64* saved_places,
        uint2* saved,
        int32* ticket,
        int32* growths) {
    int32 lane = threadIdx.x % 32;
    while (true) {
        int32 stripe = lane == 0 ? atomicAdd(ticket, 1) : 0;
        stripe = __shfl_sync(~0u, stripe, 0);
        if (stripe >= firsts[count]) {
            return;
        }
        int32 low = 0;
        int32 high = count - 1;
        while (low < high) {
            int32 middle = (low + high + 1) / 2;
            if (firsts[middle] <= stripe) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        Pair pair = pairs[low];
        int32 stripes = firsts[low + 1] - firsts[low];
        stripe -= firsts[low];
        int32 blocks = (pair.text_length + 31) / 32;
        int32 padding = 32 * blocks - pair.text_length;
        uint64* below = borders + border_places[low] + static_cast<int64>(stripe) * blocks;
        const uint64* above = below - blocks;
        int32 first_row = 32 * K * (32 * stripe + lane);
        Symbols<K, BLOCK> symbols(pair, first_row);
        typename Score::template Column<K> state;
        state.reset();
        NoMoves moves;
        Border out = {0, 0};
#pragma unroll 1
        for (int32 step = 0; step < blocks + 31; step++) {
            Border in;
            in.rises = __shfl_up_sync(~0u, out.rises, 1);
            in.carries = __shfl_up_sync(~0u, out.carries, 1);
            int32 block = step - lane;
            uint32 valid = valid_columns(block, padding);
            if (lane == 0) {
                if (stripe == 0) {
                    in = {valid, 0};
                } else if (block < blocks) {
                    in = wait_for(above + block);
                }
            }
            __syncwarp();
            if (block >= 0 && block < blocks) {
                solve_block(state, symbols, 32 * block - padding, valid, in, out, moves);
                if (lane == 31 && stripe + 1 < stripes) {
                    hand_on(below + block, out);
                }
                if (saved != nullptr && block % TILE_BLOCKS == TILE_BLOCKS - 1) {
                    int64 words = static_cast<int64>(stripes) * 32 * K;
                    state.save(saved + saved_places[low] + block / TILE_BLOCKS * words + K * (32 * stripe + lane));
                }
            }
            __syncwarp();
        }
        int32 growth = state.growth(pair.pattern_length - first_row);
#pragma unroll
        for (int other = 1; other < 32; other *= 2) {
            growth += __shfl_xor_sync(~0u, growth, other);
        }
        if (lane == 0 && growths != nullptr) {
            atomicAdd(growths + low, growth);
        }
    }
}

#define SCORE_ALONE(name, Score, Symbols, K, BLOCK) \
    extern "C" __global__ void __launch_bounds__(BLOCK) name##_1x##K(const Pair* pairs, int32 count, int32* results, int64 option) { \
        score_alone<Score, Symbols, K, BLOCK>(pairs, count, Score{results, option}); \
    }

#define SCORE_TOGETHER(name, Score, Symbols, L, K, BLOCK) \
    extern "C" __global__ void __launch_bounds__(BLOCK) name##_##L##x##K(const Pair* pairs, int32 count, int32* results, int64 option) { \
        score_together<Score, Symbols, L, K, BLOCK>(pairs, count, Score{results, option}); \
    }

#define SCORE_STRIPED(name, Score, Symbols, K, BLOCK) \
    extern "C" __global__ void __launch_bounds__(BLOCK) name##_striped_##K( \
            const Pair* pairs, \
            const int32* firsts, \
            int32 count, \
            const int64* border_places, \
            uint64* borders, \
            const int64* saved_places, \
            uint2* saved, \
            int32* ticket, \
            int32* growths) { \
        score_striped<Score, Symbols, K, BLOCK>( \
                pairs, firsts, count, border_places, borders, saved_places, saved, ticket, growths); \
    }

#define SCORE_LANES(name, Score, Symbols, L) \
    SCORE_TOGETHER(name, Score, Symbols, L, 5, 64) \
    SCORE_TOGETHER(name, Score, Symbols, L, 6, 64) \
    SCORE_TOGETHER(name, Score, Symbols, L, 8, 64)

// The shapes of pairs.cuh, for an alphabet of bytes.
#define SCORE_BYTES(name, Score, Symbols) \
    SCORE_ALONE(name, Score, Symbols, 1, 64) \
    SCORE_ALONE(name, Score, Symbols, 2, 64) \
    SCORE_ALONE(name, Score, Symbols, 3, 64) \
    SCORE_ALONE(name, Score, Symbols, 4, 64) \
    SCORE_ALONE(name, Score, Symbols, 5, 64) \
    SCORE_ALONE(name, Score, Symbols, 6, 64) \
    SCORE_ALONE(name, Score, Symbols, 7, 64) \
    SCORE_ALONE(name, Score, Symbols, 8, 64) \
    SCORE_LANES(name, Score, Symbols, 2) \
    SCORE_LANES(name, Score, Symbols, 4) \
    SCORE_LANES(name, Score, Symbols, 8) \
    SCORE_LANES(name, Score, Symbols, 16) \
    SCORE_LANES(name, Score, Symbols, 32) \
    SCORE_TOGETHER(name, Score, Symbols, 32, 10, 32) \
    SCORE_TOGETHER(name, Score, Symbols, 32, 12, 32) \
    SCORE_STRIPED(name, Score, Symbols, 1, 64) \
    SCORE_STRIPED(name, Score, Symbols, 8, 64)

#define SCORE_CODE_POINTS(name, Score, Symbols) \
    SCORE_ALONE(name, Score, Symbols, 1, 64) \
    SCORE_TOGETHER(name, Score, Symbols, 4, 1, 64) \
    SCORE_TOGETHER(name, Score, Symbols, 8, 1, 64) \
    SCORE_TOGETHER(name, Score, Symbols, 32, 1, 64) \
    SCORE_STRIPED(name, Score, Symbols, 1, 64)

// The results of pairs solved in stripes, and of pairs with an empty side.
#define SCORE_OTHERS(name, Score) \
    extern "C" __global__ void name##_growths(const Pair* pairs, int32 count, const int32* growths, int32* results, int64 option) { \
        int64 index = thread_index(); \
        if (index < count) { \
            Score{results, option}.put(pairs[index], growths == nullptr ? 0 : growths[index]); \
        } \
    }
