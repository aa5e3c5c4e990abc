// The canonical way through a table, from its end to its beginning, and what is written along it. The pattern is a, the text b: on the
// diagonal first, then up, consuming a, then left, consuming b.
//
// Short pairs: a thread keeps two bits for each cell and walks back. Others: the table is cut into tiles of 1,024 rows and columns. A first
// pass (score_striped) leaves what crosses the tiles' borders; the second solves each tile that the way passes once more and walks back
// through it. So a pair takes one bit for 16 to 32 cells of the first pass, and a warp 256 KiB for its tile.
#pragma once

#include "align/bit_parallel.cuh"

// Where the results of a batch are written from their ends backwards: each row has `factor` bytes for each byte of its strings.
struct Room {
    const int32* a_offsets;
    const int32* b_offsets;
    int32 factor;
    uint8* bytes;

    __device__ __forceinline__ uint8* end(int64 row) const {
        int64 consumed = static_cast<int64>(a_offsets[row + 1]) - a_offsets[0] + b_offsets[row + 1] - b_offsets[0];
        return bytes + factor * consumed;
    }
};

// A string that is written backwards.
struct Backwards {
    uint8* at;

    __device__ __forceinline__ void put(uint32 byte) {
        *--at = static_cast<uint8>(byte);
    }

    __device__ __forceinline__ void put_character(uint32 character) {
        if (character < 0x80) {
            put(character);
            return;
        }
        put(0x80 | (character & 0x3f));
        if (character < 0x800) {
            put(0xc0 | character >> 6);
            return;
        }
        put(0x80 | (character >> 6 & 0x3f));
        if (character < 0x10000) {
            put(0xe0 | character >> 12);
            return;
        }
        put(0x80 | (character >> 12 & 0x3f));
        put(0xf0 | character >> 18);
    }
};

// Runs of =, X, I and D.
struct CigarWriter {
    template <int K>
    using Column = EditColumn<K>;

    Backwards text;
    uint32 operation = 0;
    int32 run = 0;

    __device__ __forceinline__ CigarWriter(uint8* end, const Pair&, int32, int32) : text{end} {}

    __device__ __forceinline__ void append(uint32 next, int32 count) {
        if (next != operation) {
            flush();
            operation = next;
        }
        run += count;
    }

    __device__ __forceinline__ void diagonal(int32, bool equal) {
        append(equal ? '=' : 'X', 1);
    }

    __device__ __forceinline__ void up(int32) {
        append('I', 1);
    }

    __device__ __forceinline__ void left(int32) {
        append('D', 1);
    }

    __device__ __forceinline__ void rest(int32 rows, int32 columns) {
        if (rows > 0) {
            append('I', rows);
        }
        if (columns > 0) {
            append('D', columns);
        }
        flush();
    }

    __device__ __forceinline__ void flush() {
        if (run == 0) {
            return;
        }
        text.put(operation);
        for (; run > 0; run /= 10) {
            text.put('0' + run % 10);
        }
    }
};

// The common subsequence, or the common supersequence.
struct SequenceWriter {
    template <int K>
    using Column = LcsColumn<K>;

    Backwards text;
    const void* pattern_symbols;
    const void* text_symbols;
    int32 supersequence;
    int32 wide;

    __device__ __forceinline__ SequenceWriter(uint8* end, const Pair& pair, int32 wide, int32 supersequence)
        : text{end}, pattern_symbols(pair.pattern), text_symbols(pair.text), supersequence(supersequence), wide(wide) {}

    __device__ __forceinline__ void put(const void* symbols, int32 i) {
        if (wide) {
            text.put_character(static_cast<const uint32*>(symbols)[i]);
        } else {
            text.put(static_cast<const uint8*>(symbols)[i]);
        }
    }

    __device__ __forceinline__ void diagonal(int32 row, bool) {
        put(pattern_symbols, row);
    }

    __device__ __forceinline__ void up(int32 row) {
        if (supersequence) {
            put(pattern_symbols, row);
        }
    }

    __device__ __forceinline__ void left(int32 column) {
        if (supersequence) {
            put(text_symbols, column);
        }
    }

    __device__ __forceinline__ void rest(int32 rows, int32 columns) {
        if (supersequence) {
            while (rows > 0) {
                put(pattern_symbols, --rows);
            }
            while (columns > 0) {
                put(text_symbols, --columns);
            }
        }
    }
};

// A thread's part of a warp's table: for each column K words of each of the 32 threads.
template <int K>
struct TableMoves {
    static constexpr bool NEEDED = true;
    uint2* at;

    __device__ __forceinline__ void put(int k, uint32 diagonal, uint32 second) {
        at[32 * k] = make_uint2(diagonal, second);
        if (k == K - 1) {
            at += 32 * K;
        }
    }
};

// moves    room for the tables of the warps of this launch, `columns` columns each
template <class Writer, template <int, int> class Symbols, int K, int BLOCK>
__device__ __forceinline__ void path_alone(
        const Pair* pairs, int32 count, const Room& room, int32 supersequence, int32* lengths, uint2* moves, int32 columns) {
    int64 warp = thread_index() / 32;
    int64 warps = static_cast<int64>(gridDim.x) * BLOCK / 32;
    uint2* table = moves + warp * columns * (32 * K) + threadIdx.x % 32;
    for (int64 index = warp * 32 + threadIdx.x % 32; index < count; index += warps * 32) {
        Pair pair = pairs[index];
        {
            Symbols<K, BLOCK> symbols(pair, 0);
            typename Writer::template Column<K> state;
            state.reset();
            TableMoves<K> kept{table};
            solve_alone(state, symbols, pair.text_length, kept);
        }
        uint8* end = room.end(pair.row);
        Writer writer(end, pair, 0, supersequence);
        int32 row = pair.pattern_length - 1;
        int32 column = pair.text_length - 1;
        while (row >= 0 && column >= 0) {
            uint2 words = table[(column * K + (row >> 5)) * 32];
            bool second = (words.y >> (row & 31) & 1) != 0;
            if ((words.x >> (row & 31) & 1) != 0) {
                writer.diagonal(row--, second);
                column--;
            } else if (second) {
                writer.up(row--);
            } else {
                writer.left(column--);
            }
        }
        writer.rest(row + 1, column + 1);
        lengths[pair.row] = static_cast<int32>(end - writer.text.at);
    }
}

// A warp's tile, a word of each thread for each column. Threads are a block of columns apart, so a thread's block is `block + lane`
// modulo 32: what they write at a time lies side by side.
struct TileMoves {
    static constexpr bool NEEDED = true;
    uint2* at;

    __device__ __forceinline__ void put(int, uint32 diagonal, uint32 second) {
        *at = make_uint2(diagonal, second);
        at += 32;
    }

    static __device__ __forceinline__ int32 place(int32 block, int32 lane) {
        return ((block + lane) & 31) * 1024 + lane;
    }
};

constexpr int32 TILE_WORDS = 32 * 1024;

// A warp for each pair, which takes pair after pair. `borders` and `saved` as score_striped left them with one word a thread; pairs of a
// single tile need neither. `tiles` has room for a tile of each warp.
template <class Writer, template <int, int> class Symbols, int BLOCK>
__device__ __forceinline__ void path_tiled(
        const Pair* pairs,
        int32 count,
        const Room& room,
        int32 wide,
        int32 supersequence,
        int32* lengths,
        const int64* border_places,
        const uint64* borders,
        const int64* saved_places,
        const uint2* saved,
        uint2* tiles) {
    int32 lane = threadIdx.x % 32;
    int64 warp = thread_index() / 32;
    int64 warps = static_cast<int64>(gridDim.x) * BLOCK / 32;
    uint2* tile = tiles + warp * TILE_WORDS;
    for (int64 index = warp; index < count; index += warps) {
        Pair pair = pairs[index];
        int32 blocks = (pair.text_length + 31) / 32;
        int32 padding = 32 * blocks - pair.text_length;
        int64 words = (pair.pattern_length + 1023) / 1024 * 32;
        uint8* end = room.end(pair.row);
        Writer writer(end, pair, wide, supersequence);
        int32 row = pair.pattern_length - 1;
        int32 column = pair.text_length - 1 + padding;
        while (row >= 0 && column >= padding) {
            int32 stripe = row >> 10;
            int32 first_block = column >> 10 << 5;
            int32 tile_blocks = (column >> 5) - first_block + 1;
            {
                Symbols<1, BLOCK> symbols(pair, 1024 * stripe + 32 * lane);
                typename Writer::template Column<1> state;
                if (first_block == 0) {
                    state.reset();
                } else {
                    state.restore(saved + saved_places[index] + (first_block / TILE_BLOCKS - 1) * words + 32 * stripe + lane);
                }
                const uint64* above = stripe == 0 ? nullptr
                        : borders + border_places[index] + static_cast<int64>(stripe - 1) * blocks;
                Border out = {0, 0};
#pragma unroll 1
                for (int32 step = 0; step < tile_blocks + 31; step++) {
                    Border in;
                    in.rises = __shfl_up_sync(~0u, out.rises, 1);
                    in.carries = __shfl_up_sync(~0u, out.carries, 1);
                    int32 in_tile = step - lane;
                    int32 block = first_block + in_tile;
                    uint32 valid = valid_columns(block, padding);
                    if (in_tile >= 0 && in_tile < tile_blocks) {
                        if (lane == 0) {
                            uint64 crossing = stripe == 0 ? valid : above[block];
                            in = {static_cast<uint32>(crossing), static_cast<uint32>(crossing >> 32)};
                        }
                        TileMoves kept{tile + TileMoves::place(in_tile, lane)};
                        solve_block(state, symbols, 32 * block - padding, valid, in, out, kept);
                    }
                    __syncwarp();
                }
            }
            // Through the tile in windows of a word of rows and 32 columns, a column in each thread.
            int32 first_column = max(32 * first_block, padding);
            while (row >= 0 && row >> 10 == stripe && column >= first_column) {
                int32 word = row >> 5;
                int32 newest = column;
                int32 mine = newest - lane;
                uint2 window = make_uint2(0, 0);
                if (mine >= first_column) {
                    window = tile[TileMoves::place((mine >> 5) - first_block, word & 31) + 32 * (mine & 31)];
                }
                while (row >= 0 && row >> 5 == word && column >= first_column && newest - column < 32) {
                    uint32 first = __shfl_sync(~0u, window.x, newest - column);
                    bool second = (__shfl_sync(~0u, window.y, newest - column) >> (row & 31) & 1) != 0;
                    if ((first >> (row & 31) & 1) != 0) {
                        if (lane == 0) {
                            writer.diagonal(row, second);
                        }
                        row--;
                        column--;
                    } else if (second) {
                        if (lane == 0) {
                            writer.up(row);
                        }
                        row--;
                    } else {
                        if (lane == 0) {
                            writer.left(column - padding);
                        }
                        column--;
                    }
                }
            }
            __syncwarp();
        }
        if (lane == 0) {
            writer.rest(row + 1, column + 1 - padding);
            lengths[pair.row] = static_cast<int32>(end - writer.text.at);
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
            uint2* moves, \
            int32 columns) { \
        path_alone<Writer, Symbols, K, BLOCK>( \
                pairs, count, Room{a_offsets, b_offsets, factor, bytes}, supersequence, lengths, moves, columns); \
    }

#define PATH_TILED(name, Writer, Symbols, WIDE_SYMBOLS, BLOCK) \
    extern "C" __global__ void __launch_bounds__(BLOCK) name##_path_tiled( \
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
            const uint2* saved, \
            uint2* tiles) { \
        path_tiled<Writer, Symbols, BLOCK>( \
                pairs, \
                count, \
                Room{a_offsets, b_offsets, factor, bytes}, \
                WIDE_SYMBOLS, \
                supersequence, \
                lengths, \
                border_places, \
                borders, \
                saved_places, \
                saved, \
                tiles); \
    }

#define PATH_BYTES(name, Writer, Symbols) \
    PATH_ALONE(name, Writer, Symbols, 1, 64) \
    PATH_ALONE(name, Writer, Symbols, 2, 64) \
    PATH_ALONE(name, Writer, Symbols, 3, 64) \
    PATH_ALONE(name, Writer, Symbols, 4, 64) \
    PATH_ALONE(name, Writer, Symbols, 5, 64) \
    PATH_ALONE(name, Writer, Symbols, 6, 64) \
    PATH_ALONE(name, Writer, Symbols, 7, 64) \
    PATH_ALONE(name, Writer, Symbols, 8, 64) \
    PATH_ALONE(name, Writer, Symbols, 10, 32) \
    PATH_ALONE(name, Writer, Symbols, 12, 32) \
    PATH_ALONE(name, Writer, Symbols, 16, 32) \
    PATH_TILED(name, Writer, Symbols, 0, 64)

// Pairs with an empty side.
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
