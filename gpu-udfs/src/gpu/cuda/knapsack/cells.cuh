// The cells of a knapsack table that a warp computes at once, and the bits that show which items are taken.
#pragma once

#include "common/columns.cuh"
#include "common/host.cuh"

// The number of cells per thread in tables whose rows are in registers.
constexpr int32 ROW_CELLS = 20;
// The number of cells per thread in the smallest tables, each of which one warp computes.
constexpr int32 FEW_CELLS = 4;
constexpr int32 MAX_THREADS = 1024;
// The maximum size of a block if two blocks fit on a multiprocessor.
constexpr int32 THREADS_OF_TWO = 512;
// In shared memory, this number of tiles is before the row.
constexpr int32 TILES_BEFORE = 1;
FOR_HOST(ROW_CELLS);
FOR_HOST(FEW_CELLS);
FOR_HOST(MAX_THREADS);
FOR_HOST(THREADS_OF_TWO);
FOR_HOST(TILES_BEFORE);

namespace {

// The number of cells of 32 bits that a thread processes at once in wider tables.
constexpr int32 INTS_OF_THREAD = 16;

// Returns the number of bytes of an item's masks, which contain a bit for each cell, in a table whose row may be in
// registers.
__device__ __forceinline__ int32 row_mask_bytes(int32 width) {
    return (width / (32 * ROW_CELLS) + 1) * 32 * static_cast<int32>(sizeof(uint32));
}

// Returns the number of bytes of an item's masks in any table.
__device__ __forceinline__ int64 mask_bytes(int64 width) {
    return width < MAX_THREADS * ROW_CELLS ? row_mask_bytes(static_cast<int32>(width))
                                           : (width / (32 * INTS_OF_THREAD) + 1) * 4 * INTS_OF_THREAD;
}

// The masks of an item. A warp processes tiles of adjacent cells; each lane processes every 32nd cell of the tile, and
// has a mask with a bit for each of these cells.
//
// - CELLS: the number of bits in a mask
template <int32 CELLS>
struct Masks {
    static constexpr int32 TILE = 32 * CELLS;

    uint8* bytes;

    __device__ __forceinline__ void put(int32 tile_low, uint32 mask) const {
        int32 place = tile_low / CELLS + threadIdx.x % 32;
        if (CELLS <= 8) {
            __stcg(bytes + place, static_cast<uint8>(mask));
        } else if (CELLS <= 16) {
            __stcg(reinterpret_cast<uint16*>(bytes) + place, static_cast<uint16>(mask));
        } else {
            __stcg(reinterpret_cast<uint32*>(bytes) + place, mask);
        }
    }

    __device__ __forceinline__ bool contains(int32 c) const {
        int32 place = c / TILE * 32 + c % 32;
        uint32 mask = CELLS <= 8 ? __ldcg(bytes + place)
            : CELLS <= 16        ? __ldcg(reinterpret_cast<const uint16*>(bytes) + place)
                                 : __ldcg(reinterpret_cast<const uint32*>(bytes) + place);
        return (mask >> (c % TILE / 32) & 1) != 0;
    }
};

// The bits of a cell in a register. DOUBLE cells are not negative, so that their bits have the order of the numbers.
template <class Value>
struct CellBits {
    using Bits = Value;
    static constexpr Bits LOWEST = static_cast<Bits>(1) << (8 * sizeof(Bits) - 1);
};

template <>
struct CellBits<double> {
    using Bits = int64;
    static constexpr Bits LOWEST = 0xfff0000000000000;  // minus infinity
};

// Adds the value of an item to the cell at an address in shared memory. If the sum is larger than `best`, replaces
// `best`, and sets `bit` in the mask. From C++ code, the compiler makes loops that move the cells between registers for
// each item.
__device__ __forceinline__ void take_cell(int32& best, uint32& mask, uint32 from, int32 value, uint32 bit) {
    asm volatile(
        "{ .reg .pred p; .reg .s32 sum;"
        "ld.shared.s32 sum, [%2]; add.s32 sum, sum, %3; setp.gt.s32 p, sum, %0; @p mov.s32 %0, sum;"
        "@p or.b32 %1, %1, %4; }"
        : "+r"(best), "+r"(mask) : "r"(from), "r"(value), "r"(bit));
}

__device__ __forceinline__ void take_cell(int64& best, uint32& mask, uint32 from, int64 value, uint32 bit) {
    asm volatile(
        "{ .reg .pred p; .reg .s64 sum;"
        "ld.shared.s64 sum, [%2]; add.s64 sum, sum, %3; setp.gt.s64 p, sum, %0; @p mov.s64 %0, sum;"
        "@p or.b32 %1, %1, %4; }"
        : "+l"(best), "+r"(mask) : "r"(from), "l"(value), "r"(bit));
}

__device__ __forceinline__ void take_cell(int64& best, uint32& mask, uint32 from, double value, uint32 bit) {
    asm volatile(
        "{ .reg .pred p; .reg .f64 sum; .reg .s64 bits;"
        "ld.shared.f64 sum, [%2]; add.rn.f64 sum, sum, %3; mov.b64 bits, sum; setp.gt.s64 p, bits, %0;"
        "@p mov.s64 %0, bits; @p or.b32 %1, %1, %4; }"
        : "+l"(best), "+r"(mask) : "r"(from), "d"(value), "r"(bit));
}

__device__ __forceinline__ void store_cell(uint32 to, int32 bits) {
    asm volatile("st.shared.s32 [%0], %1;" ::"r"(to), "r"(bits) : "memory");
}

__device__ __forceinline__ void store_cell(uint32 to, int64 bits) {
    asm volatile("st.shared.s64 [%0], %1;" ::"r"(to), "l"(bits) : "memory");
}

// The cells of a lane in a table row in which each warp has one tile. The cells are in registers, and for other lanes
// also in shared memory, after a tile whose cells are lower than any sum, for items that do not fit.
template <class Value, int32 CELLS>
struct RowCells {
    static constexpr int32 TILE = 32 * CELLS;
    static constexpr int32 STEP = 32 * sizeof(Value);
    using Bits = typename CellBits<Value>::Bits;

    int32 low;
    int32 end;     // the end of the tile; 0 if the tile is beyond the table's width
    uint32 place;  // the address of the first cell
    Bits best[CELLS];

    __device__ __forceinline__ RowCells(const void* shared, int32 width)
        : low(threadIdx.x / 32 * TILE), end(low <= width ? low + TILE : 0) {
        int32 first = TILE + low + threadIdx.x % 32;
        place = static_cast<uint32>(__cvta_generic_to_shared(shared)) + first * static_cast<int32>(sizeof(Value));
        // otherwise, the compiler would compute the address again for each cell
        asm volatile("" : "+r"(place));
#pragma unroll
        for (int32 j = 0; j < CELLS; j++) {
            best[j] = 0;
            store_cell(place + j * STEP, best[j]);
            if (low == 0) {
                store_cell(place + (j - CELLS) * STEP, CellBits<Value>::LOWEST);
            }
        }
    }

    // Takes the item in each cell whose value it increases, and returns the mask of these cells.
    __device__ __forceinline__ uint32 take(int32 weight, Value value) {
        uint32 mask = 0;
        uint32 from = place - weight * static_cast<int32>(sizeof(Value));
#pragma unroll
        for (int32 j = 0; j < CELLS; j++) {
            take_cell(best[j], mask, from + j * STEP, value, 1u << j);
        }
        return mask;
    }

    // Writes the cells in a mask.
    __device__ __forceinline__ void write(uint32 mask) const {
        if (mask != 0) {
#pragma unroll
            for (int32 j = 0; j < CELLS; j++) {
                if ((mask >> j & 1) != 0) {
                    store_cell(place + j * STEP, best[j]);
                }
            }
        }
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
