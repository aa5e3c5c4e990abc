// Computes distance tables with transpositions, cell by cell, in the registers of a warp.
// dev.bellman.align.distance.DamerauLevenshtein and OsaDistance explain the recurrences, and TranspositionBits explains
// why only transpositions with one empty gap matter. Therefore, each column and each row can carry all data from
// earlier rows and columns that later cells need, as in Zhao and Sahni (2019).
//
// The pattern runs across, W columns per thread; the text runs down, one character per row. In step s, thread t is at
// row s - t + 1: thread t - 1 computed the columns to its left one step earlier. Example with two columns per thread:
//
//     step       0    1    2    3    4
//     thread 0   1    2    3    4    5     rows of columns 1 and 2
//     thread 1        1    2    3    4     rows of columns 3 and 4
//     thread 2             1    2    3     rows of columns 5 and 6
//
// No lookup by symbol is needed. For the last row k where column j matched, the column keeps H(k - 1, j - 2) - k. For
// the last column l where the row matched, the row passes H(i - 2, l - 1) - l on to the columns on the right.
//
// A pattern of more than 32 W columns is divided into stripes, and the text is divided into chunks of rows. The
// intersection of a stripe and a chunk is a tile, which is solved by one warp. Values across a stripe's right border
// are stored per row (Crossing); values across a chunk's lower border are stored per thread (Columns).
#pragma once

#include "align/pairs.cuh"
#include "common/utf8.cuh"

namespace {

// A value that is larger than any distance, with enough headroom for sums.
constexpr int32 NONE = 0x3fffffff;

// The values that a row passes on to the columns on the right.
struct Crossing {
    int32 left;    // H of the last column
    int32 before;  // H of the column before that
    int32 of_row;  // H(i - 2, l - 1) - l, as explained above
    int32 equal;   // whether the last column matched
};

__device__ __forceinline__ Crossing from_left_thread(const Crossing& own, int32 threads) {
    return {__shfl_up_sync(~0u, own.left, 1, threads),
            __shfl_up_sync(~0u, own.before, 1, threads),
            __shfl_up_sync(~0u, own.of_row, 1, threads),
            __shfl_up_sync(~0u, own.equal, 1, threads)};
}

// Returns the values on the left border of the table.
__device__ __forceinline__ Crossing border(int32 row) {
    return {row, NONE, NONE, 0};
}

// The W columns of a thread. UNRESTRICTED: computes the Damerau-Levenshtein distance; otherwise, computes the optimal
// string alignment distance.
template <bool UNRESTRICTED, int W>
struct Columns {
    int32 above[W];      // H(i - 1, j)
    int32 two_above[W];  // H(i - 2, j)
    int32 of_column[W];
    uint32 equal_above;  // bit w: column w matched in row i - 1
    Crossing left_above;     // the values of row i - 1
    Crossing left_two_above; // the values of row i - 2

    // Resets the state to the row above the first row. `first` is the thread's first column, counted from 1.
    __device__ __forceinline__ void reset(int32 first) {
#pragma unroll
        for (int w = 0; w < W; w++) {
            above[w] = first + w;
            two_above[w] = NONE;
            of_column[w] = NONE;
        }
        equal_above = 0;
        left_above = {first - 1, first == 1 ? NONE : first - 2, NONE, 0};
        left_two_above = {NONE, NONE, NONE, 0};
    }

    // Solves row i, whose symbol is `symbol`.
    __device__ __forceinline__ Crossing solve(
            int32 i, int32 first, int32 symbol, const int32 (&symbols)[W], const Crossing& in) {
        int32 left = in.left;
        int32 diagonal = left_above.left;
        int32 diagonal_above = left_two_above.left;  // H(i - 2, j - 1)
        int32 before = left_above.before;            // H(i - 1, j - 2)
        int32 before_above = left_two_above.before;  // H(i - 2, j - 2)
        int32 of_row = in.of_row;
        bool equal_left = in.equal != 0;
        uint32 equal_here = 0;
#pragma unroll
        for (int w = 0; w < W; w++) {
            bool equal = symbol == symbols[w];
            int32 best = min(min(left, above[w]) + 1, diagonal + (equal ? 0 : 1));
            bool was_equal = (equal_above >> w & 1) != 0;
            if (UNRESTRICTED) {
                best = min(best, equal_left ? of_column[w] + i : NONE);
                best = min(best, was_equal ? of_row + first + w : NONE);
                of_column[w] = equal ? before - i : of_column[w];
                of_row = equal ? diagonal_above - first - w : of_row;
            } else {
                best = min(best, equal_left && was_equal ? before_above + 1 : NONE);
            }
            equal_here |= (equal ? 1u : 0u) << w;
            equal_left = equal;
            before_above = diagonal_above;
            before = diagonal;
            diagonal_above = two_above[w];
            diagonal = above[w];
            two_above[w] = above[w];
            above[w] = best;
            left = best;
        }
        equal_above = equal_here;
        left_two_above = left_above;
        left_above = in;
        return {left, W > 1 ? above[W - 2] : in.left, of_row, equal_left ? 1 : 0};
    }

    // Returns the last row's value in a column, counted from the thread's first column.
    __device__ __forceinline__ int32 at(int32 column) const {
        int32 found = 0;
#pragma unroll
        for (int w = 0; w < W; w++) {
            found = w == column ? above[w] : found;
        }
        return found;
    }
};

template <int W, typename Symbol>
__device__ __forceinline__ void load_symbols(const Pair& pair, int32 first, int32 (&symbols)[W]) {
    const Symbol* pattern = static_cast<const Symbol*>(pair.pattern);
#pragma unroll
    for (int w = 0; w < W; w++) {
        int32 column = first + w;
        symbols[w] = column <= pair.pattern_length ? static_cast<int32>(pattern[column - 1]) : NO_CHARACTER;
    }
}

__device__ __forceinline__ void put_distance(const Pair& pair, int32 distance, const int32* limits, int32* distances) {
    distances[pair.row] = limits != nullptr && distance > limits[pair.row] ? -1 : distance;
}

// Solves each pair with `threads` adjacent threads, whose columns cover its whole pattern; `threads` is a power of two
// up to 32.
template <bool UNRESTRICTED, int W, typename Symbol>
__device__ __forceinline__ void solve_pair(
        const Pair* pairs, int32 count, int32 threads, const int32* limits, int32* distances) {
    int64 index = thread_index() / threads;
    int32 thread = threadIdx.x % threads;
    int32 first = W * thread + 1;
    Pair pair = pairs[min(index, count - 1LL)];
    const Symbol* text = static_cast<const Symbol*>(pair.text);
    int32 steps = pair.text_length + threads - 1;
    for (int32 other = threads; other < 32; other *= 2) {
        steps = max(steps, __shfl_xor_sync(~0u, steps, other));
    }
    int32 symbols[W];
    load_symbols<W, Symbol>(pair, first, symbols);
    Columns<UNRESTRICTED, W> columns;
    columns.reset(first);
    Crossing out = border(0);
    for (int32 step = 0; step < steps; step++) {
        Crossing in = from_left_thread(out, threads);
        int32 row = step - thread + 1;
        if (thread == 0) {
            in = border(row);
        }
        if (row >= 1 && row <= pair.text_length) {
            out = columns.solve(row, first, text[row - 1], symbols, in);
        }
    }
    int32 last = pair.pattern_length - first;
    if (index < count && last >= 0 && last < W) {
        put_distance(pair, columns.at(last), limits, distances);
    }
}

constexpr int32 STRIPE_COLUMNS_OF_A_THREAD = 8;
constexpr int32 STRIPE = 32 * STRIPE_COLUMNS_OF_A_THREAD;
constexpr int32 CHUNK = 256;  // the number of rows per tile

// Solves the tiles on one diagonal of each pair: one warp per stripe of each pair, for the chunk diagonal - stripe.
//
// - stripes: the maximum number of stripes per pair
// - places: for each pair, the offset of its Crossings in `room`; the Columns of its stripes follow them
template <bool UNRESTRICTED, typename Symbol>
__device__ __forceinline__ void solve_tiles(
        const Pair* pairs,
        int32 count,
        int32 stripes,
        int32 diagonal,
        const int64* places,
        uint8* room,
        const int32* limits,
        int32* distances) {
    constexpr int W = STRIPE_COLUMNS_OF_A_THREAD;
    int64 warp = thread_index() / 32;
    int32 thread = threadIdx.x % 32;
    int32 index = static_cast<int32>(warp / stripes);
    int32 stripe = static_cast<int32>(warp % stripes);
    if (index >= count) {
        return;
    }
    Pair pair = pairs[index];
    int32 chunk = diagonal - stripe;
    int32 first_row = chunk * CHUNK + 1;
    if (stripe * STRIPE >= pair.pattern_length || chunk < 0 || first_row > pair.text_length) {
        return;
    }
    int32 rows = min(CHUNK, pair.text_length - first_row + 1);
    Crossing* crossings = reinterpret_cast<Crossing*>(room + places[index]);
    Columns<UNRESTRICTED, W>* kept =
            reinterpret_cast<Columns<UNRESTRICTED, W>*>(crossings + pair.text_length) + 32LL * stripe + thread;
    const Symbol* text = static_cast<const Symbol*>(pair.text);
    int32 first = stripe * STRIPE + W * thread + 1;
    int32 symbols[W];
    load_symbols<W, Symbol>(pair, first, symbols);
    Columns<UNRESTRICTED, W> columns;
    if (chunk == 0) {
        columns.reset(first);
    } else {
        columns = *kept;
    }
    Crossing out = border(0);
    for (int32 step = 0; step < rows + 31; step++) {
        Crossing in = from_left_thread(out, 32);
        int32 row = first_row + step - thread;
        if (row >= first_row && row < first_row + rows) {
            if (thread == 0) {
                in = stripe == 0 ? border(row) : crossings[row - 1];
            }
            out = columns.solve(row, first, text[row - 1], symbols, in);
            if (thread == 31) {
                crossings[row - 1] = out;
            }
        }
    }
    *kept = columns;
    int32 last = pair.pattern_length - first;
    if (first_row + rows > pair.text_length && last >= 0 && last < W) {
        put_distance(pair, columns.at(last), limits, distances);
    }
}

}  // namespace

#define TRANSPOSITIONS_PAIR(name, UNRESTRICTED, Symbol, W) \
    extern "C" __global__ void __launch_bounds__(128) name##_##W( \
            const Pair* pairs, int32 count, int32 threads, const int32* limits, int32* distances) { \
        solve_pair<UNRESTRICTED, W, Symbol>(pairs, count, threads, limits, distances); \
    }

#define TRANSPOSITIONS_SYMBOLS(name, UNRESTRICTED, Symbol) \
    TRANSPOSITIONS_PAIR(name, UNRESTRICTED, Symbol, 6) \
    TRANSPOSITIONS_PAIR(name, UNRESTRICTED, Symbol, 8) \
    TRANSPOSITIONS_PAIR(name, UNRESTRICTED, Symbol, 10) \
    extern "C" __global__ void __launch_bounds__(128) name##_tiles( \
            const Pair* pairs, \
            int32 count, \
            int32 stripes, \
            int32 diagonal, \
            const int64* places, \
            uint8* room, \
            const int32* limits, \
            int32* distances) { \
        solve_tiles<UNRESTRICTED, Symbol>(pairs, count, stripes, diagonal, places, room, limits, distances); \
    }

// Defines the cell-by-cell kernels for a distance function, and their constants for the host.
#define TRANSPOSITIONS(name, UNRESTRICTED) \
    FOR_HOST(STRIPE); \
    FOR_HOST(CHUNK); \
    constexpr int32 CROSSING_BYTES = sizeof(Crossing); \
    constexpr int32 STRIPE_BYTES = 32 * sizeof(Columns<UNRESTRICTED, STRIPE_COLUMNS_OF_A_THREAD>); \
    FOR_HOST(CROSSING_BYTES); \
    FOR_HOST(STRIPE_BYTES); \
    TRANSPOSITIONS_SYMBOLS(name##_bytes, UNRESTRICTED, uint8) \
    TRANSPOSITIONS_SYMBOLS(name##_characters, UNRESTRICTED, int32) \
    extern "C" __global__ void name##_empty(const Pair* pairs, int32 count, const int32* limits, int32* distances) { \
        int64 index = thread_index(); \
        if (index < count) { \
            put_distance(pairs[index], pairs[index].text_length, limits, distances); \
        } \
    }
