// The shared memory of a block that fills a folding table with 16-bit energies.
#pragma once

#include "common/cluster.cuh"
#include "fold/rna/narrow_loops.cuh"
#include "fold/rna/narrow_table.cuh"

// The number of diagonals stored for pairs: seven, from which small loops are read, one that is being written, and one
// that is being cleared.
constexpr int32 NARROW_RECENT_PAIRS = 9;
constexpr uint32 NO_PAIR = static_cast<uint32>(NARROW_NONE) << 16;

// The number of diagonals stored for multiloop parts with at least two branches, for short and for longer sequences. In
// a step for longer sequences, the first of them is read, the second is completed, and the other four are written.
constexpr int32 SHORT_SEVERALS = 2;
constexpr int32 NARROW_SEVERALS = 6;

// The number of candidates per row in the shared memory for short sequences, and the number of these that are always
// read, even if the row has fewer candidates.
constexpr int32 SHORT_NEAR = 6;
constexpr int32 SHORT_AT_ONCE = 4;
constexpr uint32 NO_CANDIDATE = NARROW_NONE;

// The number of table entries in shared memory: those before the tables of the exterior loop and of small internal
// loops.
constexpr int32 NARROW_TABLES = MISMATCH_EXTERIOR;

// The parts of a block's shared memory, as NarrowMemory lays it out, except the multis of short sequences: the number
// of bytes for each word of a diagonal, for each base in `insides`, for each base of a short or of a longer sequence in
// other arrays, and for everything else. The memory for short sequences always has room for NARROW_SHORT bases, so that
// all addresses in it are constant.
constexpr int32 BYTES_OF_WORD = sizeof(uint32) * NARROW_PITCH;
constexpr int32 INSIDES_OF_BASE = 4 * sizeof(int16);
constexpr int32 BYTES_OF_BASE = sizeof(uint32) * (NARROW_KINDS + NARROW_RECENT_PAIRS) + sizeof(int16) * (3 + 1);
constexpr int32 SHORT_BYTES_OF_BASE = BYTES_OF_BASE + sizeof(uint32) * SHORT_NEAR + sizeof(int16) * SHORT_SEVERALS
    + sizeof(uint8) * (2 + 2);
constexpr int32 NARROW_BYTES_OF_BASE = BYTES_OF_BASE + sizeof(int16) * (NARROW_SEVERALS + 2) + sizeof(uint16) * (2 + 2);
constexpr int32 FIXED_BYTES = sizeof(SizeCosts) * (MAX_INTERNAL + 1) + sizeof(uint32) * 2 * NARROW_KINDS
    + sizeof(int32) * 4 + sizeof(int16) * ((NARROW_TABLES + 1) / 2 * 2);

// The type of the numbers of bases and candidates in shared memory.
template <bool SHORT>
struct Numbers {
    using Type = uint16;
};

template <>
struct Numbers<true> {
    using Type = uint8;
};

// The shared memory of a block, for a table and what is necessary to fill it.
//
// SHORT: sequences have at most NARROW_SHORT bases, and their multis are in shared memory.
// BLOCKS: the number of blocks that fill a table together, in a cluster. Each of them has some midpoints of the words
// in `known`, and a copy of most other arrays.
template <bool SHORT, int32 BLOCKS>
struct NarrowMemory {
    static constexpr int32 OFFSET = BLOCKS == 1 ? 0 : OFFSET_OF_BASE;
    static constexpr int32 SEVERALS = SHORT ? SHORT_SEVERALS : NARROW_SEVERALS;
    using Number = typename Numbers<SHORT>::Type;

    const NarrowTable& table;
    int32 n;
    int32 rank;          // the number of this block
    int32 midpoints;     // the number of midpoints of each block
    int32 width;         // the number of words of a diagonal
    SizeCosts* costs;
    uint32* known;       // pairs with their terms in the energy of a loop, in the layout that add_loops reads
    uint32* best;        // loops of kind k on diagonal d, at (d % 2 * NARROW_KINDS + k) * half()
    // pairs (i, i + d), at NARROW_RECENT_PAIRS * i + d % NARROW_RECENT_PAIRS: energy << 16 | number of the pair as seen
    // from outside it
    uint32* recent;
    int32* counters;     // the numbers of listed pairs on three diagonals
    int32* is_wide;      // whether an energy does not fit in 16 bits
    int16* energies;     // the tables
    int16* severals;     // multiloop parts with at least two branches; see severals_of
    int16* latest;       // multis on diagonal d, at d % 2 * pitch(); only for longer sequences
    uint32* near;        // the c-th candidate of row i, at c * NARROW_SHORT + i; only for short sequences
    int16* branches;     // pairs on diagonal d as branches of multiloops, at d % 3 * pitch()
    Number* listed;      // pairs on diagonal d, at d % 2 * pitch()
    Number* counts;      // the number of candidates in each row up to diagonal d, at d % 2 * pitch()
    uint16* around;      // for each base, three bits each for the previous base, the base itself and the next three
    int16* multis;       // those of the table, or a copy for short sequences
    int16* insides;      // as in FoldTable; diagonal d is at d % 4 * pitch()

    __device__ NarrowMemory(const NarrowTable& of, uint8* shared) : table(of) {
        n = table.n;
        rank = BLOCKS == 1 ? 0 : block_in_cluster();
        midpoints = ((n + 1) / 2 + BLOCKS - 1) / BLOCKS;
        width = BLOCKS == 1 ? narrow_width(n) : midpoints + 2 * NARROW_MARGIN;
        costs = reinterpret_cast<SizeCosts*>(shared);
        int16* rest = reinterpret_cast<int16*>(costs + MAX_INTERNAL + 1);
        multis = SHORT ? rest : table.multis;
        known = reinterpret_cast<uint32*>(SHORT ? rest + NARROW_SHORT * (NARROW_SHORT + 4) / 2 : rest);
        best = known + NARROW_PITCH * (SHORT ? narrow_width(NARROW_SHORT) : width);
        recent = best + 2 * NARROW_KINDS * half();
        near = recent + NARROW_RECENT_PAIRS * pitch();
        counters = reinterpret_cast<int32*>(near + (SHORT ? SHORT_NEAR * NARROW_SHORT : 0));
        is_wide = counters + 3;
        energies = reinterpret_cast<int16*>(is_wide + 1);
        severals = energies + (NARROW_TABLES + 1) / 2 * 2;
        branches = severals + SEVERALS * pitch();
        latest = branches + 3 * pitch();
        around = reinterpret_cast<uint16*>(latest + (SHORT ? 0 : 2 * pitch()));
        counts = reinterpret_cast<Number*>(around + pitch());
        listed = counts + 2 * pitch();
        insides = reinterpret_cast<int16*>(listed + 2 * pitch());
    }

    // Returns the number of entries in a row of the arrays with an entry per base.
    __device__ __forceinline__ int32 pitch() const {
        return SHORT ? NARROW_SHORT : n;
    }

    // Returns the number of words up to the middle of a row.
    __device__ __forceinline__ int32 half() const {
        return pitch() / 2 + 1;
    }

    // Returns the first midpoint of the words that a block has in `known`: its own, and those that their loops reach.
    __device__ __forceinline__ int32 first_of(int32 block) const {
        return block * midpoints - NARROW_MARGIN;
    }

    // Returns the index of an item that this block processes. The blocks take turns, each with `size` items.
    //
    // - at: the index among the items of this block
    __device__ __forceinline__ int32 own(int32 at, int32 size) const {
        return BLOCKS == 1 ? at : (at / size * BLOCKS + rank) * size + at % size;
    }

    // Stores a value in the memory of all blocks.
    template <typename T>
    __device__ __forceinline__ void share(T* to, T value) const {
        *to = value;
#pragma unroll
        for (int32 next = 1; next < BLOCKS; next++) {
            *in_block(to, (rank + next) % BLOCKS) = value;
        }
    }

    // Stores an energy of a pair in half a word of `known`, in all blocks that have the word.
    //
    // - to: the first word of a diagonal
    __device__ __forceinline__ void put(uint32* to, int32 diagonal, int32 x, int32 half, int32 value) const {
        int16* halves = reinterpret_cast<int16*>(to) + half;
        if (BLOCKS == 1) {
            if (x < width) {
                halves[2 * NARROW_PITCH * x] = static_cast<int16>(value);
            }
        } else {
#pragma unroll
            for (int32 block = 0; block < BLOCKS; block++) {
                int32 at = x + diagonal / 2 - first_of(block);
                if (at >= 0 && at < width) {
                    *in_block(halves + 2 * NARROW_PITCH * at, block) = static_cast<int16>(value);
                }
            }
        }
    }

    // Waits for all threads. Unlike with __syncthreads(), threads may wait in different lines.
    __device__ __forceinline__ void synchronize() const {
        if (BLOCKS == 1) {
            asm volatile("bar.sync 1, %0;" ::"r"(blockDim.x) : "memory");
        } else {
            synchronize_cluster();
        }
    }

    __device__ __forceinline__ uint32* known_of(int32 diagonal) const {
        return known + diagonal % NARROW_KEPT * NARROW_KINDS;
    }

    __device__ __forceinline__ uint32* best_of(int32 diagonal) const {
        return best + diagonal % 2 * (NARROW_KINDS * half());
    }

    // Returns the address of the pair that begins at base i, on the diagonal that is `before` diagonals earlier than
    // the one at `slot`.
    __device__ __forceinline__ uint32* pair_at(int32 slot, int32 before, int32 i) const {
        uint32* own = recent + NARROW_RECENT_PAIRS * i + slot;
        return (slot < before ? own + NARROW_RECENT_PAIRS : own) - before;
    }

    __device__ __forceinline__ int16* severals_of(int32 diagonal) const {
        return severals + diagonal % SEVERALS * pitch();
    }

    __device__ __forceinline__ int16* branches_of(int32 diagonal) const {
        return branches + diagonal % 3 * pitch();
    }

    __device__ __forceinline__ int16* insides_of(int32 diagonal) const {
        return insides + diagonal % 4 * pitch();
    }

    __device__ __forceinline__ int32 base(int32 i) const {
        return around[i] >> 3 & 7;
    }

    // Marks the table as wide if an energy is too low for 16 bits, or if a feasible energy is too high.
    //
    // - none: a number that is not higher than infeasible energies
    __device__ __forceinline__ void check(int32 energy, int32 none) const {
        if (energy < NARROW_LEAST || (OFFSET != 0 && energy >= NARROW_INFEASIBLE && energy < none)) {
            *(BLOCKS == 1 ? is_wide : in_block(is_wide, 0)) = 1;
        }
    }

    // Returns the address of an entry of the table of multis.
    __device__ __forceinline__ int16* multi(int32 i, int32 j) const {
        return multis + multi_place(table.pitch, i, j);
    }

    // Initializes the memory.
    __device__ void begin(const uint8* text) {
        for (int32 size = threadIdx.x; size <= MAX_INTERNAL; size += blockDim.x) {
            costs[size] = size_costs(table.strand.energies.tables, size, OFFSET);
        }
        for (int32 at = threadIdx.x; at < NARROW_TABLES; at += blockDim.x) {
            energies[at] = static_cast<int16>(table.strand.table(at));
        }
        for (int32 at = threadIdx.x; at < NARROW_PITCH * width; at += blockDim.x) {
            known[at] = both(NARROW_NONE);
        }
        for (int32 at = threadIdx.x; at < NARROW_RECENT_PAIRS * n; at += blockDim.x) {
            recent[at] = NO_PAIR;
        }
        for (int32 at = threadIdx.x; at < (SEVERALS + 3 + (SHORT ? 0 : 2)) * pitch(); at += blockDim.x) {
            severals[at] = NARROW_NONE;
        }
        if (table.strand.energies.no_lonely_pairs != 0) {
            for (int32 at = threadIdx.x; at < 4 * pitch(); at += blockDim.x) {
                insides[at] = NARROW_NONE;
            }
        }
        for (int32 at = threadIdx.x; SHORT && at < SHORT_NEAR * NARROW_SHORT; at += blockDim.x) {
            near[at] = NO_CANDIDATE;
        }
        uint32* pairs = reinterpret_cast<uint32*>(table.pairs);
        for (int32 at = rank * blockDim.x + threadIdx.x; at < table.pair_words(); at += BLOCKS * blockDim.x) {
            pairs[at] = both(NARROW_NONE);
        }
        for (int32 i = threadIdx.x; i < n; i += blockDim.x) {
            counts[i] = 0;
            counts[pitch() + i] = 0;
            uint32 bits = 0;
            for (int32 next = -1; next <= 3; next++) {
                int32 at = i + next;
                bits |= (at >= 0 && at < n ? static_cast<uint32>(base_of(text[at])) : 0u) << (3 * next + 3);
            }
            around[i] = static_cast<uint16>(bits);
            for (int32 j = i; j < min(n, i + MIN_HAIRPIN + 1); j++) {
                *multi(i, j) = NARROW_NONE;
            }
            for (int32 j = n; j < table.pitch; j++) {
                *multi(i, j) = NARROW_NONE;
            }
        }
        if (threadIdx.x < 4) {
            counters[threadIdx.x] = 0;
        }
    }
};
