// The shapes of the tables that whole.cuh solves in registers.
#pragma once

#include "series/pairs.cuh"

// A lane has 16, 20, 24, 28, 32 or 38 rows; more than 38 rows of doubles do not fit in the registers.
constexpr int32 WHOLE_MIN_ROWS = 16;
constexpr int32 WHOLE_MORE_ROWS = 4;
constexpr int32 WHOLE_MAX_ROWS = 38;
constexpr int32 WHOLE_HEIGHTS = 6;
// A pair has 1, 2, 4, 8, 16 or 32 lanes.
constexpr int32 WHOLE_WIDTHS = 6;
// The number of parts into which a lane's rows are divided, and the number of steps per iteration of the loop.
constexpr int32 WHOLE_PARTS = 2;
constexpr int32 WHOLE_UNROLLED = 4;

// Pairs with the same shape are ordered by their number of columns, in four classes for each power of two.
constexpr int32 WHOLE_SIZES = 52;
constexpr int32 WHOLE_MAX_COLUMNS = 4096;
// The maximum memory for a warp, in bytes, so that eight warps fit on a multiprocessor.
constexpr int32 WHOLE_MAX_BYTES = 28 * 1024;

struct WholeShape {
    int32 height;  // the index of the number of rows per lane
    int32 width;   // the binary logarithm of the number of lanes
    int64 cost;    // the cost, in the same unit as in Plan; the maximum value if the pair does not fit

    // Chooses the cheapest shape for a pair.
    __device__ __forceinline__ WholeShape(int32 m, int32 n, int32 number_bytes) {
        int32 cell = number_bytes == sizeof(float) ? 3 : 8;
        cost = 0x7fffffffffffffffLL;
        for (int32 w = 0; w < WHOLE_WIDTHS && n <= WHOLE_MAX_COLUMNS; w++) {
            int32 lanes = 1 << w;
            int32 least = (m + lanes - 1) / lanes;
            int32 more = (max(least - WHOLE_MIN_ROWS, 0) + WHOLE_MORE_ROWS - 1) / WHOLE_MORE_ROWS;
            int32 h = min(more, WHOLE_HEIGHTS - 1);
            int32 rows = h + 1 < WHOLE_HEIGHTS ? WHOLE_MIN_ROWS + h * WHOLE_MORE_ROWS : WHOLE_MAX_ROWS;
            // a little more than the host allocates
            int32 bytes = (32 * rows + 32 / lanes * (n + n / 4 + 8) + 128) * number_bytes;
            int64 its = static_cast<int64>(n + lanes * WHOLE_PARTS) * lanes * (10 + cell * rows);
            if (least <= rows && bytes <= WHOLE_MAX_BYTES && its < cost) {
                cost = its;
                height = h;
                width = w;
            }
        }
    }

    // Returns the class for a number of columns; the classes with the most columns come first.
    static __device__ __forceinline__ int32 size(int32 columns) {
        int32 log = 31 - __clz(columns);
        int32 quarter = (log >= 2 ? columns >> (log - 2) : columns << (2 - log)) & 3;
        return WHOLE_SIZES - 1 - (4 * log + quarter);
    }
};
