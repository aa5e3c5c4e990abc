// Finds the canonical path through a table, from its end to its beginning. The pattern is a, and the text is b. Where
// several steps are possible, the path prefers a diagonal step, then a step up, which consumes a character of a, then a
// step left, which consumes a character of b. If DIAGONAL_FIRST is false, the order differs (NoMoves).
//
// For short pairs, one thread solves a pair: it stores a column of the table every few columns, and solves the columns
// between two stored columns again when it traces the path back. For longer pairs, the table is divided into tiles. A
// first pass (stripes.cuh) stores the gains across tile borders, so that tiles can be recomputed independently. The
// second pass solves one window of tiles at a time, and all tiles of a window in parallel. The window ends at the
// current cell of the path. The pass traces the path back through the window. At the same time, it writes the result
// for the previous window.
#pragma once

#include "align/bits/alphabets.cuh"
#include "align/bits/window.cuh"
#include "align/bits/writers.cuh"

// The inputs and outputs of the traceback.
struct Paths {
    const Pair* pairs;
    int32 count;
    Room room;
    int32 supersequence;  // for subsequences: whether to write the shortest common supersequence instead
    int32* lengths;       // the number of bytes in each row's output

    __device__ __forceinline__ Pair pair(int64 index) const {
        return pairs[index];
    }

    __device__ __forceinline__ uint8* end(const Pair& pair) const {
        return room.end(pair.row);
    }

    template <class Writer>
    __device__ __forceinline__ void put(const Pair& pair, Walk<Writer>& walk, const uint8* end) const {
        lengths[pair.row] = walk.finish(end);
    }
};

// One thread's moves in a few columns of its table, in the shared memory of a block.
template <int K, int BLOCK, bool DIAGONALS>
struct ColumnMoves {
    static constexpr bool NEEDED = true;
    static constexpr bool DIAGONAL_FIRST = DIAGONALS;
    uint2* at;

    __device__ __forceinline__ void put(int k, uint32 diagonal, uint32 second) {
        at[k * BLOCK] = make_uint2(diagonal, second);
        if (k == K - 1) {
            at += K * BLOCK;
        }
    }
};

// The number of columns between two checkpoints. The moves in these columns and the tables of Ascii must fit in 64 KiB
// of shared memory.
constexpr int32 CHECKPOINT_COLUMNS = 8;
constexpr int32 CHECKPOINT_COLUMNS_OF_LONG = 4;

// Solves one pair per thread. The first pass stores a column of the table, a checkpoint, every few columns. The second
// pass goes from the last checkpoint to the first: it solves the columns after the checkpoint again, keeps their moves
// and traces the path back through them.
//
// - saved: memory for `checkpoints` checkpoints for each thread of the launch
template <class Writer, template <int, int> class Symbols, int K, int BLOCK, class Results>
__device__ __forceinline__ void path_alone(
        const Results& paths, typename Writer::template Column<1>::Saved* saved, int32 checkpoints) {
    constexpr int32 STEP = K <= 8 ? CHECKPOINT_COLUMNS : CHECKPOINT_COLUMNS_OF_LONG;
    using Moves = ColumnMoves<K, BLOCK, Writer::DIAGONAL_FIRST>;
    extern __shared__ uint2 column_moves[];
    uint2* moves = column_moves + threadIdx.x;
    int64 warp = thread_index() / 32;
    int64 warps = static_cast<int64>(gridDim.x) * BLOCK / 32;
    auto* own = saved + warp * checkpoints * (32 * K) + threadIdx.x % 32;
    for (int64 index = warp * 32 + threadIdx.x % 32; index < paths.count; index += warps * 32) {
        auto pair = paths.pair(index);
        Symbols<K, BLOCK> symbols(pair, 0);
        typename Writer::template Column<K> state;
        state.reset();
        NoMoves none;
        int32 head = pair.text_length % STEP;
        if (head > 0) {
            solve_columns<1>(state, symbols, 0, head, none);
        }
        auto* checkpoint = own;
        for (int32 position = head; position < pair.text_length; position += STEP) {
            state.template save<32>(checkpoint);
            checkpoint += 32 * K;
            solve_columns<STEP>(state, symbols, position, STEP, none);
        }
        uint8* end = paths.end(pair);
        Walk<Writer> walk(end, pair, 0, paths.supersequence);
        auto walk_from = [&](int32 position) {
            while (walk.row >= 0 && walk.column >= position) {
                walk.step(moves[((walk.column - position) * K + (walk.row >> 5)) * BLOCK], walk.row & 31);
            }
        };
        for (int32 position = pair.text_length - STEP; position >= head && walk.is_inside(); position -= STEP) {
            checkpoint -= 32 * K;
            state.template restore<32>(checkpoint);
            Moves kept{moves};
            solve_columns<STEP>(state, symbols, position, STEP, kept);
            walk_from(position);
        }
        if (head > 0 && walk.is_inside()) {
            state.reset();
            Moves kept{moves};
            solve_columns<1>(state, symbols, 0, head, kept);
            walk_from(0);
        }
        paths.put(pair, walk, end);
    }
}

// The output of the first pass for all pairs, and the offset of each pair's output.
template <class Saved>
struct FirstPass {
    const int64* border_places;
    const uint64* borders;
    const int64* saved_places;
    const Saved* saved;

    __device__ __forceinline__ Crossings<Saved> of(int32 index) const {
        return {borders + border_places[index], saved + saved_places[index]};
    }
};

// Solves each pair with eight threads per tile of a window, plus one warp that writes the results. Each block processes
// pairs one after another. Pairs whose table is a single tile need no first pass. The first warp traces the path back.
// While other warps solve and trace the next window, the last warp writes the result of the previous window at about
// the same pace.
template <class Writer, template <int, int> class Symbols, class Window>
__device__ __forceinline__ void path_tiled(
        const Paths& paths, int32 wide, const FirstPass<typename Writer::template Column<1>::Saved>& first_pass) {
    extern __shared__ uint2 window_room[];
    __shared__ uint32 walked[2][Window::STEP + Window::COLUMNS];
    __shared__ int2 cell;
    int32 warp = threadIdx.x / 32;
    int32 lane = threadIdx.x % 32;
    bool writes = threadIdx.x >= Window::SOLVERS;
    int32 parity = 0;
    for (int32 index = blockIdx.x; index < paths.count; index += gridDim.x) {
        Pair pair = paths.pairs[index];
        int32 blocks = (pair.text_length + 31) / 32;
        int32 padding = 32 * blocks - pair.text_length;
        uint8* end = paths.room.end(pair.row);
        Writer writer(end, pair, wide, paths.supersequence);
        int32 row = pair.pattern_length - 1;
        int32 column = pair.text_length - 1 + padding;
        // the rightmost column that is not written yet, and the first column of its window
        int32 newest = column;
        int32 first_column = 0;
        auto write = [&](int32 end) {
            const uint32* columns = walked[parity ^ 1] + Window::STEP;
            for (; newest > end; newest -= 32) {
                int32 mine = newest - lane;
                uint32 left = mine > end ? columns[mine - first_column] : 0;
                writer.columns(min(32, newest - end), mine - padding, static_cast<int32>(left >> 1), (left & 1) != 0);
            }
        };
        while (row >= 0 && column >= padding) {
            Window window(window_room, row, column);
            if (writes) {
                write(newest - (newest - column) * 3 / 8 / 32 * 32);
            } else {
                solve_window<Window, typename Writer::template Column<1>, Symbols<1, Window::SOLVERS>>(
                        window, pair, blocks, padding, first_pass.of(index));
            }
            __syncthreads();
            if (writes) {
                write(column);
            } else if (warp == 0) {
                int2 next = window.walk(row, column, padding, walked[parity] + Window::STEP);
                if (lane == 0) {
                    cell = next;
                }
            }
            __syncthreads();
            newest = column;
            first_column = window.first_column;
            row = cell.x;
            column = cell.y;
            parity ^= 1;
        }
        if (writes) {
            write(column);
            writer.finish(column + 1 - padding);
            if (lane == 0) {
                paths.lengths[pair.row] = static_cast<int32>(end - writer.text.at);
            }
        }
    }
}

#define PATH_ALONE(name, Writer, Symbols, K, BLOCK) \
    extern "C" __global__ void __launch_bounds__(BLOCK) name##_path_1x##K( \
            const Pair* pairs, \
            int32 count, \
            const int32* a_offsets, \
            const int32* b_offsets, \
            int32 factor, \
            uint8* bytes, \
            int32 supersequence, \
            int32* lengths, \
            Writer::Column<1>::Saved* saved, \
            int32 checkpoints) { \
        path_alone<Writer, Symbols, K, BLOCK>( \
                Paths{pairs, count, {a_offsets, b_offsets, factor, bytes}, supersequence, lengths}, \
                saved, \
                checkpoints); \
    }

#define PATH_WINDOW(name, Writer, Symbols, WIDE_SYMBOLS, HIGH, WIDE) \
    extern "C" __global__ void __launch_bounds__(HIGH * WIDE * TILE_LANES + 32, 1) name##_path_tiled_##HIGH##x##WIDE( \
            const Pair* pairs, \
            int32 count, \
            const int32* a_offsets, \
            const int32* b_offsets, \
            int32 factor, \
            uint8* bytes, \
            int32 supersequence, \
            int32* lengths, \
            const int64* border_places, \
            const uint64* borders, \
            const int64* saved_places, \
            const Writer::Column<1>::Saved* saved) { \
        path_tiled<Writer, Symbols, Window<HIGH, WIDE>>( \
                {pairs, count, {a_offsets, b_offsets, factor, bytes}, supersequence, lengths}, \
                WIDE_SYMBOLS, \
                {border_places, borders, saved_places, saved}); \
    }

#define PATH_TILED(name, Writer, Symbols, WIDE_SYMBOLS) \
    PATH_WINDOW(name, Writer, Symbols, WIDE_SYMBOLS, 2, 2) \
    PATH_WINDOW(name, Writer, Symbols, WIDE_SYMBOLS, 4, 6)

#define PATH_BYTES(name, Writer, Symbols) \
    PATH_ALONE(name, Writer, Symbols, 1, 64) \
    PATH_ALONE(name, Writer, Symbols, 2, 64) \
    PATH_ALONE(name, Writer, Symbols, 3, 64) \
    PATH_ALONE(name, Writer, Symbols, 4, 64) \
    PATH_ALONE(name, Writer, Symbols, 5, 32) \
    PATH_ALONE(name, Writer, Symbols, 6, 32) \
    PATH_ALONE(name, Writer, Symbols, 7, 32) \
    PATH_ALONE(name, Writer, Symbols, 8, 32) \
    PATH_ALONE(name, Writer, Symbols, 10, 32) \
    PATH_ALONE(name, Writer, Symbols, 12, 32) \
    PATH_ALONE(name, Writer, Symbols, 16, 32)

// Writes the results of pairs with an empty string.
#define PATH_EMPTY(name, Writer) \
    extern "C" __global__ void name##_path_empty( \
            const Pair* pairs, \
            int32 count, \
            const int32* a_offsets, \
            const int32* b_offsets, \
            int32 factor, \
            uint8* bytes, \
            int32 supersequence, \
            int32* lengths, \
            int32 wide) { \
        int64 index = thread_index(); \
        if (index < count) { \
            Pair pair = pairs[index]; \
            uint8* end = Room{a_offsets, b_offsets, factor, bytes}.end(pair.row); \
            Writer writer(end, pair, wide, supersequence); \
            writer.rest(pair.pattern_length, pair.text_length); \
            lengths[pair.row] = static_cast<int32>(end - writer.text.at); \
        } \
    }
