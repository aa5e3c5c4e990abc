// Values at the foot of the table: a thread for a pair, some lanes of a warp for a pair, or many warps for a pair.
#pragma once

#include "align/distance/bits/bit_parallel.cuh"

// Of a word's 32 rows those with which a way gets better by one, and those with which it gets worse.
struct Gains {
    uint32 better;
    uint32 worse;

    __device__ __forceinline__ int32 sum() const {
        return __popc(better) - __popc(worse);
    }
};

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

    // Of two ways the better one has a growth as much less as its rows gain more.
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
    int64 option;  // whether the length of the shortest common supersequence is asked for

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
#pragma unroll
    for (int other = 1; other < L; other *= 2) {
        growth += __shfl_xor_sync(~0u, growth, other);
    }
    if (lane == 0 && index < count) {
        score.put(pair, growth);
    }
}

// Stripes of 1,024 * K rows, a warp each, which pass their lower border on through device memory. Warps take stripes in order, so the
// stripe above is always further on or done, and those at work at a time follow each other.
//
// pairs         the pairs of this launch
// firsts        for each pair its first stripe, and the number of all stripes
// borders       for each pair, from its place on, ceil(text / 32) for each row of borders, and a word more at the end; all ones before the
//               launch
// ticket        zero before the launch
//
// TILES keeps what walking back needs: a row of borders for each row of tiles, and at the end of each column of tiles what a state saves
// for each word of all rows of tiles, from the pair's place in `saved` on. Otherwise:
//
// border_rows   how many rows of borders a pair has, where it does not need less: more than the launch has warps. Stripes use them in
//               turn
// growths       the growth of each pair's last column, zero before the launch; or nullptr, and what a state saves for each word of the
//               last column is kept, from the pair's place in `saved` on
template <bool TILES, class Column, class Symbols, int K, int BLOCK>
__device__ __forceinline__ void solve_stripes(
        const Pair* pairs,
        const int32* firsts,
        int32 count,
        const int64* border_places,
        uint64* borders,
        int32* ticket,
        int32 border_rows,
        int32* growths,
        const int64* saved_places,
        typename Column::Saved* saved) {
    using Waves = Wave<32, K, Column, Symbols>;
    constexpr bool STAYS = !Column::RISES;  // a state of LCS stays as it is where nothing is equal
    __shared__ typename Waves::Text all_texts[BLOCK / 32][Waves::TEXTS];
    typename Waves::Text* texts = all_texts[threadIdx.x / 32];
    int32 lane = threadIdx.x % 32;
    int32 total = firsts[count];
    while (true) {
        __syncwarp();
        __threadfence();
        int32 stripe = uniform(lane == 0 ? atomicAdd(ticket, 1) : 0);
        __threadfence();
        if (stripe >= total) {
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
        stripe = uniform(stripe - firsts[low]);
        int32 blocks = uniform((pair.text_length + 31) / 32);
        int32 padding = 32 * blocks - pair.text_length;
        int32 bodies = 4 * blocks;
        int32 word = 32 * stripe + lane;
        int32 words = (pair.pattern_length + TILE_ROWS - 1) / TILE_ROWS * TILE_LANES;
        int32 above_row = TILES ? stripe * (32 / TILE_LANES) - 1 : (stripe + border_rows - 1) % border_rows;
        int32 below_row = TILES ? word / TILE_LANES : stripe % border_rows;
        bool hands_on = TILES ? lane % TILE_LANES == TILE_LANES - 1 && word + 1 < words : lane == 31 && stripe + 1 < stripes;
        bool saves = TILES && word < words;
        bool reuses = !TILES && stripe > 0 && stripes > border_rows;
        int32 behind = (lane + 1) / 4;  // blocks that this thread is behind the first one
        uint64* pair_borders = borders + border_places[low];
        uint64* above = pair_borders + static_cast<int64>(above_row) * blocks - 1;
        uint64* below = pair_borders + static_cast<int64>(below_row) * blocks - behind - 1;
        auto* save_to = TILES ? saved + saved_places[low] + word : nullptr;

        Waves wave(pair, 32 * K * word, texts);
        auto position = [&](int32 chunk) { return 8 * (32 * chunk + lane) - padding; };
        for (int32 i = lane; i < Waves::TEXTS; i += 32) {
            texts[i] = wave.symbols.nothing();
        }
        auto following = wave.symbols.fetch(position(0));
        __syncwarp();
        wave.begin(-4);
        NoMoves moves;
        auto last = wave.state;
        uint64 next = 0;
        auto is_inside = [&](int32 block) { return static_cast<uint32>(block) < static_cast<uint32>(blocks); };
        // Begins with a block of nothing, so that the code is there when the rows above are, and ends when the last thread does. What a
        // thread meets before its first body leaves its state as it is; what it meets behind its last one does not count. A chunk of
        // texts is eight blocks of four bodies.
#pragma unroll 1
        for (int32 chunk = -1; 8 * chunk < blocks + 8; chunk++) {
            texts[32 * (chunk + 1) % Waves::TEXTS + lane] = wave.symbols.read(following, position(chunk + 1));
            following = wave.symbols.fetch(position(chunk + 2));
            __syncwarp();
            int32 end = min(8 * chunk, blocks) + 8;
#pragma unroll 1
            for (int32 block = max(8 * chunk, -1); block < end; block++) {
                while (__any_sync(~0u, !is_there(next))) {
                    next = look_at(above);
                }
                Border top = unpack(next);
                if (reuses && lane == 0 && is_inside(block)) {
                    hand_on(above, NOT_THERE);
                }
                above++;
                next = look_at_if(stripe > 0 && is_inside(block + 1), above, valid_columns(block + 1, padding));
#pragma unroll(K == 1 ? 4 : 1)
                for (int i = 0; i < 4; i++) {
                    int32 body = 4 * block + i;
                    wave.template body<false>(body, {top.rises << (8 * i), top.carries << (8 * i)}, true, moves);
                    if (i == 2 && hands_on && is_inside(block - behind)) {
                        hand_on(below, pack(wave.out));
                    }
                    int32 done = body - lane + 1;
                    if (TILES && saves && done > 0 && done <= bodies && done % TILE_BODIES == 0) {
                        wave.state.save(save_to);
                        save_to += words;
                    }
                    if (!TILES && !STAYS && done == bodies) {
                        last = wave.state;
                    }
                }
                below++;
            }
        }
        if (!TILES && growths == nullptr) {
            if (32 * K * word < pair.pattern_length) {
                (STAYS ? wave.state : last).save(saved + saved_places[low] + K * word);
            }
        } else if (!TILES) {
            int32 growth = (STAYS ? wave.state : last).growth(pair.pattern_length - 32 * K * word);
#pragma unroll
            for (int other = 1; other < 32; other *= 2) {
                growth += __shfl_xor_sync(~0u, growth, other);
            }
            if (lane == 0) {
                atomicAdd(growths + low, growth);
            }
        }
    }
}

// The growths of pairs that were solved from both ends (pair_halve), a block each: the best way goes through the row of the text's middle
// where both halves together gain the most. All sums are over the rows above, so what the other half gains is what it gains in all, less
// what it does above.
//
// saved      the last columns of both halves of each pair, from their `places` on
constexpr int JOIN_BLOCK = 1024;

template <class Score>
__device__ __forceinline__ void join_halves(
        const Pair* pairs, const int64* places, const typename Score::template Column<1>::Saved* saved, int32* growths) {
    struct Part {
        int32 gained;  // in these rows, by the first half more than by the second one
        int32 most;    // the same down to the best of them
        int32 second;  // in these rows, by the second half

        __device__ __forceinline__ void append(const Part& below) {
            most = max(most, gained + below.most);
            gained += below.gained;
            second += below.second;
        }
    };
    __shared__ Part parts[JOIN_BLOCK / 32];
    int32 rows = pairs[blockIdx.x].pattern_length;
    const auto* first = saved + places[2 * blockIdx.x];
    const auto* second = saved + places[2 * blockIdx.x + 1];
    int32 words = (rows + 31) / 32;
    int32 each = (words + JOIN_BLOCK - 1) / JOIN_BLOCK;
    int32 begin = each * static_cast<int32>(threadIdx.x);
    Part part = {0, 0, 0};
    for (int32 word = begin; word < min(begin + each, words); word++) {
        uint32 inside = rows - 32 * word >= 32 ? ~0u : (1u << (rows & 31)) - 1;
        Gains one = Score::gains(first[word]);
        // the second half has its rows from the last one to the first
        int32 lower = rows / 32 - word - 1;
        Gains low = lower >= 0 ? Score::gains(second[lower]) : Gains{0, 0};
        Gains high = (rows & 31) != 0 ? Score::gains(second[lower + 1]) : Gains{0, 0};
        Gains other = {
            __brev(__funnelshift_r(low.better, high.better, rows & 31)) & inside,
            __brev(__funnelshift_r(low.worse, high.worse, rows & 31)) & inside
        };
        one = {one.better & inside, one.worse & inside};
        Part these = {0, 0, other.sum()};
#pragma unroll 8
        for (int32 i = 0; i < 32; i++) {
            these.gained += static_cast<int32>(one.better >> i & 1) - static_cast<int32>(one.worse >> i & 1)
                    - static_cast<int32>(other.better >> i & 1) + static_cast<int32>(other.worse >> i & 1);
            these.most = max(these.most, these.gained);
        }
        part.append(these);
    }
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
        part.append(
                {__shfl_down_sync(~0u, part.gained, distance),
                 __shfl_down_sync(~0u, part.most, distance),
                 __shfl_down_sync(~0u, part.second, distance)});
    }
    if (threadIdx.x % 32 == 0) {
        parts[threadIdx.x / 32] = part;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < JOIN_BLOCK / 32; i++) {
            part.append(parts[i]);
        }
        growths[blockIdx.x] = Score::growth(part.most + part.second);
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
            int32* ticket, \
            int32 border_rows, \
            int32* growths, \
            const int64* saved_places, \
            Score::Column<K>::Saved* saved) { \
        solve_stripes<false, Score::Column<K>, Symbols<K, BLOCK>, K, BLOCK>( \
                pairs, firsts, count, border_places, borders, ticket, border_rows, growths, saved_places, saved); \
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
                pairs, firsts, count, border_places, borders, ticket, 0, nullptr, saved_places, saved); \
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
    SCORE_TOGETHER(name, Score, Symbols, 32, 12, 32)

// Stripes of any alphabet of bytes.
#define SCORE_STRIPES(name, Score) \
    SCORE_STRIPED(name, Score, AsciiRows, 1, 32) \
    SCORE_STRIPED(name, Score, AsciiTexts, 8, 32) \
    SCORE_TILES(name, Score, AsciiRows, 32)

#define SCORE_CODE_POINTS(name, Score, Symbols) \
    SCORE_ALONE(name, Score, Symbols, 1, 64) \
    SCORE_TOGETHER(name, Score, Symbols, 4, 1, 64) \
    SCORE_TOGETHER(name, Score, Symbols, 8, 1, 64) \
    SCORE_TOGETHER(name, Score, Symbols, 32, 1, 64) \
    SCORE_STRIPED(name, Score, CodePointTexts, 1, 32) \
    SCORE_TILES(name, Score, CodePointTexts, 32)

// The results of pairs solved in stripes, and of pairs with an empty side.
#define SCORE_OTHERS(name, Score) \
    extern "C" __global__ void __launch_bounds__(JOIN_BLOCK) name##_join( \
            const Pair* pairs, const int64* places, const Score::Column<1>::Saved* saved, int32* growths) { \
        join_halves<Score>(pairs, places, saved, growths); \
    } \
    extern "C" __global__ void name##_growths(const Pair* pairs, int32 count, const int32* growths, int32* results, int64 option) { \
        int64 index = thread_index(); \
        if (index < count) { \
            Score{results, option}.put(pairs[index], growths == nullptr ? 0 : growths[index]); \
        } \
    }
