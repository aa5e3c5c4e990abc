// The cells of a knapsack table that a warp computes at once, and the bits that show which items are taken.
#pragma once

#include "common/columns.cuh"
#include "common/host.cuh"

// The number of cells of 32 bits that a thread of a block processes at once.
constexpr int32 INTS_OF_THREAD = 16;
// The number of cells per thread in the smallest tables, each of which one warp computes.
constexpr int32 FEW_CELLS = 4;
FOR_HOST(INTS_OF_THREAD);

namespace {

// Returns the number of bytes of an item's masks, which contain a bit for each cell.
__device__ __forceinline__ int64 mask_bytes(int64 width) {
    return (width / (32 * INTS_OF_THREAD) + 1) * 4 * INTS_OF_THREAD;
}

// The masks of an item. A warp processes tiles of adjacent cells; each lane processes every 32nd cell of the tile, and
// has a mask with a bit for each of these cells.
//
// - CELLS: the number of bits in a mask, at most 16
template <int32 CELLS>
struct Masks {
    static constexpr int32 TILE = 32 * CELLS;

    uint8* bytes;

    __device__ __forceinline__ void put(int32 tile_low, uint32 mask) const {
        int32 place = tile_low / CELLS + threadIdx.x % 32;
        if (CELLS <= 8) {
            __stcg(bytes + place, static_cast<uint8>(mask));
        } else {
            __stcg(reinterpret_cast<uint16*>(bytes) + place, static_cast<uint16>(mask));
        }
    }

    __device__ __forceinline__ bool contains(int32 c) const {
        int32 place = c / TILE * 32 + c % 32;
        uint32 mask = CELLS <= 8 ? __ldcg(bytes + place) : __ldcg(reinterpret_cast<const uint16*>(bytes) + place);
        return (mask >> (c % TILE / 32) & 1) != 0;
    }
};

// The cells of a lane in a tile that starts at cell `low`.
template <class Value, int32 CELLS>
struct Cells {
    static constexpr int32 TILE = 32 * CELLS;

    int32 low;
    int32 first;
    Value best[CELLS];

    __device__ __forceinline__ explicit Cells(int32 tile_low) : low(tile_low), first(tile_low + threadIdx.x % 32) {}

    // Returns whether an item of this weight fits in one of the tile's cells.
    __device__ __forceinline__ bool may_fit(int32 width, int32 weight) const {
        return low <= width && low + TILE > weight;
    }

    template <class Row>
    __device__ __forceinline__ void read(Row row, int32 width) {
#pragma unroll
        for (int32 j = 0; j < CELLS; j++) {
            best[j] = first + 32 * j <= width ? row[first + 32 * j] : 0;
        }
    }

    // Takes the item in each cell whose value it increases, and returns the mask of these cells.
    template <class Row>
    __device__ __forceinline__ uint32 take(Row row, int32 width, int32 weight, Value value) {
        // for most tiles, no index needs to be compared with the limits
        return low >= weight && low + TILE - 1 <= width ? take_in_tile<true>(row, width, weight, value)
                                                        : take_in_tile<false>(row, width, weight, value);
    }

    template <bool IS_WHOLE, class Row>
    __device__ __forceinline__ uint32 take_in_tile(Row row, int32 width, int32 weight, Value value) {
        uint32 mask = 0;
#pragma unroll
        for (int32 j = 0; j < CELLS; j++) {
            int32 c = first + 32 * j;
            bool fits = IS_WHOLE || (c >= weight && c <= width);
            Value with = fits ? row[c - weight] + value : 0;
            bool is_better = fits && with > best[j];
            mask |= is_better ? 1u << j : 0;
            best[j] = is_better ? with : best[j];
        }
        return mask;
    }

    // Writes the cells in a mask.
    __device__ __forceinline__ void write(Value* row, uint32 mask) const {
#pragma unroll
        for (int32 j = 0; j < CELLS; j++) {
            if ((mask >> j & 1) != 0) {
                row[first + 32 * j] = best[j];
            }
        }
    }

    // Writes all cells up to `width`.
    __device__ __forceinline__ void write_all(Value* row, int32 width) const {
        if (low + TILE - 1 <= width) {
#pragma unroll
            for (int32 j = 0; j < CELLS; j++) {
                row[first + 32 * j] = best[j];
            }
        } else {
#pragma unroll
            for (int32 j = 0; j < CELLS; j++) {
                if (first + 32 * j <= width) {
                    row[first + 32 * j] = best[j];
                }
            }
        }
    }
};

}  // namespace
