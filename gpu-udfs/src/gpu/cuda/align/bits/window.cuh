// A window of a table with all of its moves, and the traceback through that window.
//
// The walk processes one column at a time, regardless of how many rows it climbs in the column. Rows are stored in
// reverse bit order within their words, with row 0 in the highest bit. The path's row is a single bit of its word,
// `place`. Added to the rows that go up (`ups`), this bit carries through them to the first row that does not go up.
// For example, with eight rows and the path at row 4:
//
//     row             0 1 2 3 4 5 6 7
//     ups             0 0 1 1 1 0 1 0
//     place           0 0 0 0 1 0 0 0
//     ups + place     0 1 0 0 0 0 1 0
//     & ~ups          0 1 0 0 0 0 0 0     up from rows 4, 3 and 2; row 1 is left either leftwards or diagonally
//     diagonals       1 1 0 0 0 0 0 1     diagonally: row 1 has its bit here
//
// If the path leaves diagonally, the bit is added to itself in the next column: twice a bit is the bit of the row above
// (row 0 in the example). If the sum is zero, the bit was shifted out at the top, and the path continues in the word
// above.
#pragma once

#include "align/bits/borders.cuh"
#include "align/bits/wave.cuh"

// The moves in a window of HIGH x WIDE tiles in shared memory, which take (2 * STEP + WORDS * STRIDE) * 8 bytes, and
// the walk through the window.
template <int HIGH, int WIDE>
struct Window {
    static constexpr int SOLVERS = HIGH * WIDE * TILE_LANES;
    static constexpr int WORDS = HIGH * TILE_LANES;
    static constexpr int COLUMNS = WIDE * TILE_COLUMNS;
    // Padding, so that threads that write at the same time use different banks.
    static constexpr int STRIDE = COLUMNS + 9;
    // The number of columns that a walk processes at once. A walk reads up to twice as many columns to the left of the
    // window.
    static constexpr int STEP = 8;

    uint2* moves;  // for each column of a word, first the rows of diagonal steps, then those of steps up
    int32 first_word;
    int32 first_column;

    // Creates the window whose last tile contains the given cell.
    __device__ __forceinline__ Window(uint2* room, int32 row, int32 column)
        : moves(room + 2 * STEP),
          first_word((row / TILE_ROWS - HIGH + 1) * TILE_LANES),
          first_column((column / TILE_COLUMNS - WIDE + 1) * TILE_COLUMNS) {}

    __device__ __forceinline__ uint2* at(int32 word, int32 column) const {
        return moves + (word - first_word) * STRIDE + column - first_column;
    }

    // Walks from a cell to the first cell outside the window, identically in all threads of a warp. For each column
    // that the path leaves, stores 2 * row + 1 if it leaves diagonally, and 2 * row if it leaves leftwards, where `row`
    // is the row from which it leaves. The values of up to STEP columns to the left of these columns are undefined.
    __device__ __forceinline__ int2 walk(int32 row, int32 column, int32 padding, uint32* columns) const {
        int32 lane = threadIdx.x % 32;
        int32 top = max(0, first_word);
        int32 left = max(padding, first_column);
        int32 word = row >> 5;
        uint32 place = 0x80000000u >> (row & 31);
        // Each of the first STEP threads keeps one column and writes it during the next step, so that no thread waits
        // for the write.
        int32 mine = lane % STEP;
        uint32 masks[STEP];
#pragma unroll
        for (int i = 0; i < STEP; i++) {
            masks[i] = lane == i ? ~0u : 0;
            asm volatile("" : "+r"(masks[i]));  // keeps the mask out of the scarce predicate registers
        }
        uint32 kept = 0;
        uint32 kept_diagonal = 0;
        int32 kept_word = word;
        uint32* kept_at = columns + (column - first_column - mine);
        auto write = [&] {
            uint32 left_from = 2u * (32 * kept_word + __clz(kept)) + (kept_diagonal != 0 ? 1 : 0);
            if (kept != 0) {
                *kept_at = left_from;
            }
        };
        while (word >= top && column >= left) {
            const uint2* words = at(word, column);
            uint2 loaded[STEP];
#pragma unroll
            for (int i = 0; i < STEP; i++) {
                loaded[i] = words[-i];
            }
            int32 end = column;
            // while the path stays in the word and the window
            while (true) {
                uint32 diagonals = words[-mine].x;
                words -= STEP;
                write();
                kept_word = word;
                kept_at = columns + (end - first_column - mine);
                uint32 diagonal = 0;
                kept = 0;
#pragma unroll
                for (int i = 0; i < STEP; i++) {
                    uint32 sum = loaded[i].y + place + diagonal;
                    place = sum & ~loaded[i].y;
                    diagonal = sum & ~loaded[i].y & loaded[i].x;
                    kept |= place & masks[i];
                    loaded[i] = words[-i];
                }
                place += diagonal;
                kept_diagonal = kept & diagonals;
                if (place == 0 || end - left < STEP) {
                    break;
                }
                end -= STEP;
            }
            int32 most = min(STEP, end - left + 1);
            int32 done = min(most, __popc(__ballot_sync(~0u, kept != 0)));
            column = end - done;
            place = done < most ? 0 : __shfl_sync(~0u, kept + kept_diagonal, most - 1);
            if (place == 0) {
                word--;
                place = 1;
            }
        }
        write();
        return make_int2(32 * word + __clz(place), column);
    }
};

// Reverses the bits of a word. The instruction is volatile, because otherwise the compiler replaces it with three
// conditional instructions.
__device__ __forceinline__ uint32 turned_over(uint32 word) {
    uint32 turned;
    asm volatile("brev.b32 %0, %1;" : "=r"(turned) : "r"(word));
    return turned;
}

// Writes a column's moves only when it receives those of the next column, to hide the latency of the bit reversal.
struct WindowMoves {
    static constexpr bool NEEDED = true;
    static constexpr bool DIAGONAL_FIRST = true;
    uint2* at;
    bool inside;
    uint2 moves = {0, 0};
    bool moves_inside = false;

    __device__ __forceinline__ void put(int, uint32 diagonal, uint32 second) {
        write();
        moves = make_uint2(turned_over(diagonal), turned_over(second & ~diagonal));
        moves_inside = inside;
        at++;
    }

    __device__ __forceinline__ void write() const {
        if (moves_inside) {
            at[-1] = moves;
        }
    }
};

// The output of the first pass (stripes.cuh, with TILES) for a pair: its border rows, and the data that the states
// saved for each word at the end of each column of tiles.
template <class Saved>
struct Crossings {
    const uint64* borders;
    const Saved* saved;
};

// Recomputes this thread's tile of a window, with eight threads per tile.
template <class Window, class Column, class Symbols>
__device__ __forceinline__ void solve_window(
        const Window& window,
        const Pair& pair,
        int32 blocks,
        int32 padding,
        const Crossings<typename Column::Saved>& crossings) {
    using Waves = Wave<TILE_LANES, 1, Column, Symbols>;
    __shared__ typename Waves::Text all_texts[Window::SOLVERS / TILE_LANES][Waves::TEXTS];
    int32 tile = threadIdx.x / TILE_LANES;
    int32 lane = threadIdx.x % TILE_LANES;
    typename Waves::Text* texts = all_texts[tile];
    int32 tiles_high = Window::WORDS / TILE_LANES;
    int32 word = window.first_word + tile % tiles_high * TILE_LANES + lane;
    int32 first_block = window.first_column / 32 + tile / tiles_high * TILE_BLOCKS;
    // An edit-distance state, except the initial one, changes even if no characters are equal, unlike an LCS state.
    // Therefore, its lanes wait for their first body.
    constexpr bool WAITS = Column::RISES;
    WindowMoves moves = {window.at(word, 32 * first_block) - (WAITS ? 0 : 8 * lane), false};
    bool inside = word >= 0 && first_block >= 0;
    word = max(word, lane);
    first_block = max(first_block, 0);
    int32 tile_row = word / TILE_LANES;
    int32 bodies = inside ? min(TILE_BODIES, 4 * (blocks - first_block)) : 0;

    uint64 crossing = 0;
    int32 block = first_block + lane;
    if (lane < TILE_BLOCKS && block < blocks) {
        crossing = tile_row == 0 ? valid_columns(block, padding)
                : crossings.borders[static_cast<int64>(tile_row - 1) * blocks + block];
    }
    typename Column::Saved before = {};
    if (first_block > 0) {
        int64 words = (pair.pattern_length + TILE_ROWS - 1) / TILE_ROWS * TILE_LANES;
        before = crossings.saved[(first_block / TILE_BLOCKS - 1) * words + word];
    }
    Waves wave(pair, 32 * word, texts);
    if (first_block > 0) {
        wave.state.restore(&before);
    }
    int32 position = 32 * first_block - padding + 8 * lane;
#pragma unroll
    for (int i = 0; i < Waves::TEXTS / TILE_LANES; i++) {
        int32 at = position + 8 * TILE_LANES * i;
        texts[TILE_LANES * i + lane] =
                i < TILE_BODIES / TILE_LANES ? wave.symbols.read(wave.symbols.fetch(at), at) : wave.symbols.nothing();
    }
    __syncwarp();
    wave.begin(0);
    Border above = unpack(__shfl_sync(~0u, crossing, 0, TILE_LANES));
#pragma unroll 1
    for (int32 i = 0; i < TILE_BODIES + TILE_LANES - 1; i++) {
        Border top = {above.rises << (8 * (i & 3)), above.carries << (8 * (i & 3))};
        above = unpack(__shfl_sync(~0u, crossing, min((i + 1) / 4, TILE_BLOCKS - 1), TILE_LANES));
        moves.inside = i >= lane && i - lane < bodies;
        wave.template body<WAITS>(i, top, i >= lane, moves);
    }
    moves.write();
}
