// The canonical way through a table, from its end to its beginning, and what is written along it. The pattern is a, the text b: on the
// diagonal first, then up, consuming a, then left, consuming b.
//
// Short pairs: a thread keeps two bits for each cell and walks back. Others: the table is cut into tiles. A first pass (solve_stripes)
// leaves what crosses the tiles' borders, so that tiles can be solved again independently of each other. The second pass solves a
// window of tiles at a time, all at once, which ends where the way has come to, walks back through it, and writes what the walk before
// has left.
#pragma once

#include "align/distance/bits/bit_parallel.cuh"

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

// A way through the table as a warp follows it, 32 columns at a time.
struct Way {
    const void* pattern;
    const void* text;
    int32 wide;
    int32 row;  // where it enters the next column

    struct Rows {
        int32 first;  // the lowest of the rows that the way goes up in this thread's column
        int32 rows;   // how many they are
    };

    __device__ __forceinline__ Way(const Pair& pair, int32 wide)
        : pattern(pair.pattern), text(pair.text), wide(wide), row(pair.pattern_length - 1) {}

    static __device__ __forceinline__ uint32 symbol(const void* symbols, int32 i, int32 wide) {
        return wide ? static_cast<const uint32*>(symbols)[i] : static_cast<const uint8*>(symbols)[i];
    }

    __device__ __forceinline__ uint32 of_pattern(int32 i) const {
        return symbol(pattern, i, wide);
    }

    __device__ __forceinline__ uint32 of_text(int32 i) const {
        return symbol(text, i, wide);
    }

    // The first threads have a column each, from the right to the left, which the way leaves at `from`.
    __device__ __forceinline__ Rows leave(int32 count, int32 from, bool diagonal) {
        int32 after = from - (diagonal ? 1 : 0);
        int32 first = __shfl_up_sync(~0u, after, 1);
        if (threadIdx.x % 32 == 0) {
            first = row;
        }
        row = __shfl_sync(~0u, after, count - 1);
        return {first, static_cast<int32>(threadIdx.x % 32) < count ? first - from : 0};
    }
};

// Both kinds of writer go along the way cell by cell, in a thread, or by columns, in a warp: `columns` gives each of the first threads a
// column, from the right to the left, with the row that the way leaves it from and whether it does so diagonally, and `finish` the rest
// of the rows and so many columns.

// Runs of =, X, I and D.
struct CigarWriter {
    template <int K>
    using Column = EditColumn<K>;

    Backwards text;
    uint32 operation = 0;
    int32 run = 0;
    Way way;

    __device__ __forceinline__ CigarWriter(uint8* end, const Pair& pair, int32 wide, int32) : text{end}, way(pair, wide) {}

    __device__ __forceinline__ void columns(int32 count, int32 column, int32 row, bool diagonal) {
        int32 lane = threadIdx.x % 32;
        int32 rows = way.leave(count, row, diagonal).rows;
        uint32 next = 'D';
        if (lane < count && diagonal) {
            next = way.of_pattern(row) == way.of_text(column) ? '=' : 'X';
        }
        uint32 before = __shfl_up_sync(~0u, next, 1);
        uint32 starts = __ballot_sync(~0u, lane < count && (lane == 0 || next != before || rows > 0));
        while (starts != 0) {
            int32 start = __ffs(starts) - 1;
            starts &= starts - 1;
            int32 end = starts != 0 ? __ffs(starts) - 1 : count;
            int32 up = __shfl_sync(~0u, rows, start);
            if (up > 0) {
                append('I', up);
            }
            append(__shfl_sync(~0u, next, start), end - start);
        }
    }

    __device__ __forceinline__ void finish(int32 columns) {
        rest(way.row + 1, columns);
    }

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
    int32 supersequence;
    Way way;

    __device__ __forceinline__ SequenceWriter(uint8* end, const Pair& pair, int32 wide, int32 supersequence)
        : text{end}, supersequence(supersequence), way(pair, wide) {}

    __device__ __forceinline__ void put(uint32 symbol) {
        if (way.wide) {
            text.put_character(symbol);
        } else {
            text.put(symbol);
        }
    }

    __device__ __forceinline__ void diagonal(int32 row, bool) {
        put(way.of_pattern(row));
    }

    __device__ __forceinline__ void up(int32 row) {
        if (supersequence) {
            put(way.of_pattern(row));
        }
    }

    __device__ __forceinline__ void left(int32 column) {
        if (supersequence) {
            put(way.of_text(column));
        }
    }

    __device__ __forceinline__ void rest(int32 rows, int32 columns) {
        if (supersequence) {
            while (rows > 0) {
                put(way.of_pattern(--rows));
            }
            while (columns > 0) {
                put(way.of_text(--columns));
            }
        }
    }

    __device__ __forceinline__ int32 bytes(uint32 symbol) const {
        return !way.wide || symbol < 0x80 ? 1 : symbol < 0x800 ? 2 : symbol < 0x10000 ? 3 : 4;
    }

    // Makes room for the bytes of each thread, those of the first thread last, and gives the thread's own.
    __device__ __forceinline__ Backwards reserve(int32 bytes) {
        int32 lane = threadIdx.x % 32;
        int32 sum = bytes;
#pragma unroll
        for (int other = 1; other < 32; other *= 2) {
            int32 before = __shfl_up_sync(~0u, sum, other);
            sum += lane >= other ? before : 0;
        }
        Backwards own = {text.at - (sum - bytes)};
        text.at -= __shfl_sync(~0u, sum, 31);
        return own;
    }

    // `count` symbols of as many threads, each with its place among them.
    __device__ __forceinline__ void put_all(int32 count, bool writes, int32 place, uint32 symbol) {
        if (way.wide) {
            Backwards own = reserve(writes ? bytes(symbol) : 0);
            if (writes) {
                own.put_character(symbol);
            }
        } else {
            if (writes) {
                text.at[-1 - place] = static_cast<uint8>(symbol);
            }
            text.at -= count;
        }
    }

    // The symbols before `end`, by all threads.
    __device__ __forceinline__ void run(const void* symbols, int32 end, int32 count) {
        int32 lane = threadIdx.x % 32;
#pragma unroll 4
        for (int32 i = 0; i < count; i += 32) {
            bool writes = i + lane < count;
            put_all(min(32, count - i), writes, lane, writes ? Way::symbol(symbols, end - 1 - i - lane, way.wide) : 0);
        }
    }

    __device__ __forceinline__ void columns(int32 count, int32 column, int32 row, bool diagonal) {
        int32 lane = threadIdx.x % 32;
        int32 newest = way.row;
        Way::Rows up = way.leave(count, row, diagonal);
        bool inside = lane < count;
        diagonal = inside && diagonal;
        uint32 diagonals = __ballot_sync(~0u, diagonal);
        int32 before = __popc(diagonals & ((1u << lane) - 1));
        uint32 symbol = diagonal ? way.of_pattern(row) : inside && supersequence ? way.of_text(column) : 0;
        if (!supersequence) {
            put_all(__popc(diagonals), diagonal, before, symbol);
            return;
        }
        // A column's symbols, its rows and its own, come behind the rows and columns before it, of which a diagonal is one of both. Each
        // thread writes every 32nd symbol of all columns.
        int32 begin = newest - up.first + lane - before;
        int32 total = newest - way.row + count - __popc(diagonals);
        for (int32 from = 0; from < total; from += 32) {
            int32 place = begin - from;
            uint32 begins = any_bits(inside && place >= 0 && place < 32 ? 1u << place : 0);
            int32 begun = __popc(__ballot_sync(~0u, inside && place < 0));
            int32 mine = begun + __popc(begins & ((2u << lane) - 1)) - 1;
            int32 at = __shfl_sync(~0u, up.first + begin, mine) - from - lane;
            int32 last = __shfl_sync(~0u, up.first - up.rows, mine);
            uint32 own = __shfl_sync(~0u, symbol, mine);
            bool writes = from + lane < total;
            put_all(min(32, total - from), writes, lane, writes && at > last ? way.of_pattern(at) : own);
        }
    }

    __device__ __forceinline__ void finish(int32 columns) {
        if (supersequence) {
            run(way.pattern, way.row + 1, way.row + 1);
            run(way.text, columns, columns);
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

// The moves of a window of HIGH x WIDE tiles in shared memory, (2 * STEP + WORDS * STRIDE) * 8 bytes, and the walk through it. Rows are
// turned over within their words: then going up is what an addition's carry does.
template <int HIGH, int WIDE>
struct Window {
    static constexpr int SOLVERS = HIGH * WIDE * TILE_LANES;
    static constexpr int WORDS = HIGH * TILE_LANES;
    static constexpr int COLUMNS = WIDE * TILE_COLUMNS;
    // Threads that write at the same time are in different banks.
    static constexpr int STRIDE = COLUMNS + 9;
    // A walk takes as many columns at a time, and so looks at twice as many left of the window.
    static constexpr int STEP = 8;

    uint2* moves;  // in each column of a word first the rows that go on diagonally, then those that go up
    int32 first_word;
    int32 first_column;

    // The window that ends with the tile of a cell.
    __device__ __forceinline__ Window(uint2* room, int32 row, int32 column)
        : moves(room + 2 * STEP),
          first_word((row / TILE_ROWS - HIGH + 1) * TILE_LANES),
          first_column((column / TILE_COLUMNS - WIDE + 1) * TILE_COLUMNS) {}

    __device__ __forceinline__ uint2* at(int32 word, int32 column) const {
        return moves + (word - first_word) * STRIDE + column - first_column;
    }

    // Walks from a cell to the first one that is not in the window, by all threads of a warp alike. Leaves twice the row that the way
    // leaves a column from, and one more where it does so diagonally; up to STEP columns left of the last one are undefined.
    //
    // The way's row is a single bit of its word. Added to the rows that go up it comes out at the first one that does not.
    __device__ __forceinline__ int2 walk(int32 row, int32 column, int32 padding, uint32* columns) const {
        int32 lane = threadIdx.x % 32;
        int32 top = max(0, first_word);
        int32 left = max(padding, first_column);
        int32 word = row >> 5;
        uint32 place = 0x80000000u >> (row & 31);
        // The first STEP threads keep a column each. What they keep is written during the next step, so that nothing waits for it.
        int32 mine = lane % STEP;
        uint32 masks[STEP];
#pragma unroll
        for (int i = 0; i < STEP; i++) {
            masks[i] = lane == i ? ~0u : 0;
            asm volatile("" : "+r"(masks[i]));  // no predicate, for there are too few
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
            // as long as the way stays in the word and the window
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

// Volatile, since under a condition it becomes three instructions.
__device__ __forceinline__ uint32 turned_over(uint32 word) {
    uint32 turned;
    asm volatile("brev.b32 %0, %1;" : "=r"(turned) : "r"(word));
    return turned;
}

// Each column is written with the one after it, for turning it over takes time.
struct WindowMoves {
    static constexpr bool NEEDED = true;
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

// Solves this thread's tile of a window again, eight threads each.
template <class Window, class Column, class Symbols>
__device__ __forceinline__ void solve_window(
        const Window& window,
        const Pair& pair,
        int32 blocks,
        int32 padding,
        const uint64* borders,
        const typename Column::Saved* saved) {
    using Waves = Wave<TILE_LANES, 1, Column, Symbols>;
    __shared__ typename Waves::Text all_texts[Window::SOLVERS / TILE_LANES][Waves::TEXTS];
    int32 tile = threadIdx.x / TILE_LANES;
    int32 lane = threadIdx.x % TILE_LANES;
    typename Waves::Text* texts = all_texts[tile];
    int32 tiles_high = Window::WORDS / TILE_LANES;
    int32 word = window.first_word + tile % tiles_high * TILE_LANES + lane;
    int32 first_block = window.first_column / 32 + tile / tiles_high * TILE_BLOCKS;
    // A state of edit distance does not stay as it is where nothing is equal, unless it is the first: its lanes wait for their first
    // body.
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
        crossing = tile_row == 0 ? valid_columns(block, padding) : borders[static_cast<int64>(tile_row - 1) * blocks + block];
    }
    typename Column::Saved before = {};
    if (first_block > 0) {
        int64 words = (pair.pattern_length + TILE_ROWS - 1) / TILE_ROWS * TILE_LANES;
        before = saved[(first_block / TILE_BLOCKS - 1) * words + word];
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

// Eight threads for each tile of a window, and a warp that writes, for each pair; blocks take pair after pair. `borders` and `saved` are
// as solve_stripes left them; pairs of a single tile need neither. The first warp walks. What a walk has left, the last warp writes while
// the next window is solved and walked, in about the proportion of the times that these take.
template <class Writer, template <int, int> class Symbols, class Window>
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
        const typename Writer::template Column<1>::Saved* saved) {
    extern __shared__ uint2 window_room[];
    __shared__ uint32 walked[2][Window::STEP + Window::COLUMNS];
    __shared__ int2 cell;
    int32 warp = threadIdx.x / 32;
    int32 lane = threadIdx.x % 32;
    bool writes = threadIdx.x >= Window::SOLVERS;
    int32 parity = 0;
    for (int32 index = blockIdx.x; index < count; index += gridDim.x) {
        Pair pair = pairs[index];
        int32 blocks = (pair.text_length + 31) / 32;
        int32 padding = 32 * blocks - pair.text_length;
        uint8* end = room.end(pair.row);
        Writer writer(end, pair, wide, supersequence);
        int32 row = pair.pattern_length - 1;
        int32 column = pair.text_length - 1 + padding;
        // the columns behind `column` that are not written yet, and where their window begins
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
                        window, pair, blocks, padding, borders + border_places[index], saved + saved_places[index]);
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
                lengths[pair.row] = static_cast<int32>(end - writer.text.at);
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
            uint2* moves, \
            int32 columns) { \
        path_alone<Writer, Symbols, K, BLOCK>( \
                pairs, count, Room{a_offsets, b_offsets, factor, bytes}, supersequence, lengths, moves, columns); \
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
                pairs, \
                count, \
                Room{a_offsets, b_offsets, factor, bytes}, \
                WIDE_SYMBOLS, \
                supersequence, \
                lengths, \
                border_places, \
                borders, \
                saved_places, \
                saved); \
    }

#define PATH_TILED(name, Writer, Symbols, WIDE_SYMBOLS) \
    PATH_WINDOW(name, Writer, Symbols, WIDE_SYMBOLS, 2, 2) \
    PATH_WINDOW(name, Writer, Symbols, WIDE_SYMBOLS, 4, 6)

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
    PATH_ALONE(name, Writer, Symbols, 16, 32)

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
