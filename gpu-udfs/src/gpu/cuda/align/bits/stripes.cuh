// Solves pairs whose patterns are divided into stripes of 1,024 * K rows. One warp solves a stripe, and passes the
// gains across its lower border to the next stripe through device memory. Warps take stripes in order. Therefore, the
// stripe above a warp's stripe is always ahead or finished, and the stripes of a pair that are solved at the same time
// are consecutive.
//
// In this example, three warps solve a pair of five stripes. A stripe lags behind the stripe above it by the number of
// 32-column blocks that its lanes process at the same time:
//
//     warp 0     stripe 0 ............ stripe 3 ............
//     warp 1        stripe 1 ............ stripe 4 ............
//     warp 2           stripe 2 ............
//
// If only the value is needed, border rows are reused in rotation. For example, stripe 3 may overwrite the border of
// stripe 0, which stripe 1 has already read. Stripe 1 resets each word that it reads to NOT_THERE, for stripe 4.
#pragma once

#include "align/bits/borders.cuh"
#include "align/bits/wave.cuh"
#include "common/search.cuh"
#include "common/warp.cuh"

// Arguments of a launch.
template <class Saved>
struct Stripes {
    const Pair* pairs;
    const int32* firsts;          // the first stripe of each pair, followed by the total number of stripes
    int32 count;                  // the number of pairs
    const int64* border_places;   // the offset of each pair's border rows in `borders`
    // ceil(text / 32) words per border row, plus one word at the end; all ones before the launch
    uint64* borders;
    int32* ticket;                // the number of stripes that warps have taken; initially zero
    // the maximum number of border rows per pair, which exceeds the number of warps in the launch
    int32 border_rows;
    // the growth along each pair's last column, zero before the launch; null if the last column is saved instead
    int32* growths;
    const int64* saved_places;    // the offset of each pair's data in `saved`
    Saved* saved;                 // the data that a state saves for each word
};

// Solves stripes. If TILES is set, also saves the data for the traceback: for each row of tiles, the border below it;
// for each column of tiles, the states of all rows in its last column.
template <bool TILES, class Column, class Symbols, int K, int BLOCK>
__device__ __forceinline__ void solve_stripes(const Stripes<typename Column::Saved>& stripes) {
    using Waves = Wave<32, K, Column, Symbols>;
    constexpr bool STAYS = !Column::RISES;  // an LCS state does not change where no characters are equal
    __shared__ typename Waves::Text all_texts[BLOCK / 32][Waves::TEXTS];
    typename Waves::Text* texts = all_texts[threadIdx.x / 32];
    int32 lane = threadIdx.x % 32;
    int32 total = stripes.firsts[stripes.count];
    while (true) {
        __syncwarp();
        __threadfence();
        int32 stripe = uniform(lane == 0 ? atomicAdd(stripes.ticket, 1) : 0);
        __threadfence();
        if (stripe >= total) {
            return;
        }
        int32 index = last_at_most(stripes.firsts, stripes.count, stripe);
        Pair pair = stripes.pairs[index];
        int32 own_stripes = stripes.firsts[index + 1] - stripes.firsts[index];
        stripe = uniform(stripe - stripes.firsts[index]);
        int32 blocks = uniform((pair.text_length + 31) / 32);
        int32 padding = 32 * blocks - pair.text_length;
        int32 bodies = 4 * blocks;
        int32 word = 32 * stripe + lane;
        int32 words = (pair.pattern_length + TILE_ROWS - 1) / TILE_ROWS * TILE_LANES;
        int32 above_row = TILES ? stripe * (32 / TILE_LANES) - 1
                : (stripe + stripes.border_rows - 1) % stripes.border_rows;
        int32 below_row = TILES ? word / TILE_LANES : stripe % stripes.border_rows;
        bool hands_on = TILES ? lane % TILE_LANES == TILE_LANES - 1 && word + 1 < words
                : lane == 31 && stripe + 1 < own_stripes;
        bool saves = TILES && word < words;
        bool reuses = !TILES && stripe > 0 && own_stripes > stripes.border_rows;
        int32 behind = (lane + 1) / 4;  // the number of blocks by which this thread lags the first one
        uint64* pair_borders = stripes.borders + stripes.border_places[index];
        uint64* above = pair_borders + static_cast<int64>(above_row) * blocks - 1;
        uint64* below = pair_borders + static_cast<int64>(below_row) * blocks - behind - 1;
        auto* save_to = TILES ? stripes.saved + stripes.saved_places[index] + word : nullptr;

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
        // Starts with an empty block, so that the code is already loaded when the gains of the rows above arrive, and
        // ends when the last thread has finished. Blocks before a thread's first body do not change its state, and
        // blocks after its last body are ignored. A chunk of texts is eight blocks of four bodies.
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
        if (!TILES && stripes.growths == nullptr) {
            if (32 * K * word < pair.pattern_length) {
                (STAYS ? wave.state : last).save(stripes.saved + stripes.saved_places[index] + K * word);
            }
        } else if (!TILES) {
            int32 growth = (STAYS ? wave.state : last).growth(pair.pattern_length - 32 * K * word);
            growth = sum_of_lanes<32>(growth);
            if (lane == 0) {
                atomicAdd(stripes.growths + index, growth);
            }
        }
    }
}
