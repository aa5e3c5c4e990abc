// Writes a CIGAR, a longest common subsequence or a shortest common supersequence along a path through the table, from
// its end to its beginning.
#pragma once

#include "align/bits/column.cuh"
#include "align/pairs.cuh"
#include "common/utf8.cuh"
#include "common/warp.cuh"

// The memory for a batch's results. Each row has `factor` bytes per byte of its strings, and its result is written
// backwards from their end.
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

    __device__ __forceinline__ void put_character(int32 character) {
        uint32 bytes = bytes_of(character);
        do {
            put(bytes & 0xff);
            bytes >>= 8;
        } while (bytes != 0);
    }
};

// A path through the table that a warp follows, 32 columns at a time, from right to left.
//
// Two facts per column describe a path: the row from which it leaves the column, and whether it leaves diagonally. The
// path enters a column in the row where it left the column to the right, or one row higher after a diagonal step. It
// then climbs the rows between that row and the row where it leaves the column. For example, starting at row 9:
//
//     column             7     6     5     4
//     enters at row      9     8     6     5
//     leaves from row    9     6     6     3
//     diagonally         yes   no    yes   yes
//     so it goes up      -     8, 7  -     5, 4
//     CIGAR, backwards   =     2I D  =     2I =
struct Way {
    const void* pattern;
    const void* text;
    int32 wide;
    int32 row;  // the row where the path enters the next column

    struct Rows {
        int32 first;  // the row where the path enters this thread's column
        int32 rows;   // the number of rows climbed
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

    // Returns the rows that the path climbs in a column. Each of the first `count` threads processes one column, in
    // order from right to left. The path leaves that column at row `from`.
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

// Both writers follow the path either cell by cell, in one thread, or column by column, in a warp. `columns`
// passes one column to each of the first `count` threads, from right to left: the row from which the path leaves the
// column, and whether it leaves diagonally. `finish` consumes the remaining rows and the given number of columns.

// Writes runs of =, X, I and D.
struct CigarWriter {
    static constexpr bool DIAGONAL_FIRST = true;

    template <int K>
    using Column = EditColumn<K>;

    Backwards text;
    uint32 operation = 0;
    int32 run = 0;
    Way way;

    __device__ __forceinline__ CigarWriter(uint8* end, const Pair& pair, int32 wide, int32)
            : text{end}, way(pair, wide) {}

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

// Writes the common subsequence or the common supersequence.
struct SequenceWriter {
    static constexpr bool DIAGONAL_FIRST = true;

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
        return way.wide ? 4 - __clz(bytes_of(symbol) | 1) / 8 : 1;
    }

    // Reserves memory for each thread's bytes, with the first thread's bytes last, and returns this thread's memory.
    __device__ __forceinline__ Backwards reserve(int32 bytes) {
        int32 sum = sum_up_to_lane(bytes);
        Backwards own = {text.at - (sum - bytes)};
        text.at -= __shfl_sync(~0u, sum, 31);
        return own;
    }

    // Writes `count` symbols, one from each thread whose `writes` is set. `place` is the symbol's index among them.
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

    // Writes the `count` symbols before `end`, from last to first, with all threads of the warp.
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
        // In the output, the symbols of a column, from its rows and from the column itself, come after the symbols of
        // earlier rows and columns; a diagonal step consumes one row and one column. Each thread writes every 32nd
        // symbol across all columns.
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

// A thread's cell-by-cell walk along the canonical path, guided by the two move bits of each cell.
template <class Writer>
struct Walk {
    Writer writer;
    int32 row;
    int32 column;

    __device__ __forceinline__ Walk(uint8* end, const Pair& pair, int32 wide, int32 supersequence)
        : writer(end, pair, wide, supersequence), row(pair.pattern_length - 1), column(pair.text_length - 1) {}

    __device__ __forceinline__ bool is_inside() const {
        return row >= 0 && column >= 0;
    }

    // moves: for each cell, x is whether the path leaves it diagonally; y is whether the symbols are equal if the path
    // leaves diagonally, and otherwise whether the path goes up
    __device__ __forceinline__ void step(uint2 moves, int32 bit) {
        bool second = (moves.y >> bit & 1) != 0;
        if ((moves.x >> bit & 1) != 0) {
            writer.diagonal(row--, second);
            column--;
        } else if (second) {
            writer.up(row--);
        } else {
            writer.left(column--);
        }
    }

    // Writes the remaining output, and returns the number of bytes written before `end`.
    __device__ __forceinline__ int32 finish(const uint8* end) {
        writer.rest(row + 1, column + 1);
        return static_cast<int32>(end - writer.text.at);
    }
};
