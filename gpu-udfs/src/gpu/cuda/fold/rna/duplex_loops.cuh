// Finds the best internal loops of a duplex among those whose energy is a sum of terms instead of a table entry
// (dev.bellman.fold.rna.InternalLoops), except loops of 2 x 3 bases.
//
// A thread processes the pairs with the same j - i. Unless l or r is two, a loop with l and r unpaired bases before the
// pair (i, j) corresponds to a loop with l - 1 and r - 1 unpaired bases before (i - 1, j - 1), which has the same
// asymmetry. The thread therefore keeps the best large loop of each size, as narrow_loops.cuh does, and adds two loops
// of each size in each row.
#pragma once

#include "fold/rna/narrow_loops.cuh"

// The number of rows of stored pairs: the rows that an internal loop can reach, and the current row. A power of two.
constexpr int32 MAX_ROWS = MAX_INTERNAL + 2;
// The number of columns before the first one, which contain no pairs.
constexpr int32 MARGIN = MAX_INTERNAL + 1;

// The costs of a loop, indexed by its size.
struct alignas(16) LoopCosts {
    int32 bulge;
    int32 one;
    int32 sides;
    int32 other;
};

// The best loops of each kind, without the terms of the pair after them.
struct LoopSums {
    int32 bulge;
    int32 one;
    int32 other;
};

// Loops in 32 bits.
struct WideLoops {
    using BySize = int32[MAX_INTERNAL + 1];
    static constexpr int32 NO_ENERGY = NONE;
    static constexpr int32 LONG_BULGE = 0;
    static constexpr int32 ONE_N = 1;
    static constexpr int32 LARGE = 2;
    static constexpr int32 SUMS = 3;

    const LoopCosts* costs;
    // pairs with their terms in the energy of a loop, by row, column and kind; the first row contains no pairs
    int32* known;
    int32 rows;
    int32 stride;  // the number of words in a row

    WideLoops() = default;

    __device__ WideLoops(uint8* room, const LoopCosts* of, int32 n, int32 m) :
        costs(of), known(reinterpret_cast<int32*>(room)), rows(min(n, MAX_ROWS)), stride(SUMS * (m + MARGIN)) {}

    static __device__ __forceinline__ int32 bytes(int32 n, int32 m) {
        return 4 * SUMS * (min(n, MAX_ROWS) + 1) * (m + MARGIN);
    }

    __device__ void begin() {
        for (int32 at = threadIdx.x; at < (rows + 1) * stride; at += blockDim.x) {
            known[at] = NONE;
        }
    }

    static __device__ __forceinline__ void clear(BySize& large) {
#pragma unroll
        for (int32 size = 0; size <= MAX_INTERNAL; size++) {
            large[size] = NONE;
        }
    }

    // Returns the address of column j in row i, which is one of the last rows, or in the row without pairs if there is
    // no row i.
    __device__ __forceinline__ int32* at(int32 i, int32 j) const {
        int32 slot = i < 0 ? 0 : i % MAX_ROWS + 1;
        return known + SUMS * (MARGIN + j) + slot * stride;
    }

    // Returns the best loops before the pair (i, j).
    //
    // - large: the large loops by size: on input, those of the previous pair on the diagonal; on output, those of this
    //   pair
    __device__ __forceinline__ LoopSums best(int32 i, int32 j, BySize& large) const {
        LoopSums best = {NONE, NONE, NONE};
        // loops with zero, one and two unpaired bases in a
        const int32* bulges = at(i - 1, j - 1) + LONG_BULGE;
        const int32* ones = at(i - 2, j - 1) + ONE_N;
        const int32* larges = at(i - 3, j - 1) + LARGE;
#pragma unroll
        for (int32 size = MAX_INTERNAL; size >= 2; size--) {
            LoopCosts cost = costs[size];
            int32 left = at(i - 1 - size, j - 1)[LONG_BULGE];
            int32 right = bulges[-SUMS * size];
            best.bulge = min(best.bulge, min(left, right) + cost.bulge);
            if (size >= 4) {
                // loops with one and two unpaired bases in b
                left = at(i - size, j - 2)[ONE_N];
                right = ones[-SUMS * (size - 1)];
                best.one = min(best.one, min(left, right) + cost.one);
                left = at(i + 1 - size, j - 3)[LARGE];
                right = larges[-SUMS * (size - 2)];
                int32 smaller = size < 6 ? NONE : large[size - 2];
                large[size] = min(min(left, right) + cost.sides, smaller);
            }
            if (size >= 6) {
                best.other = min(best.other, large[size] + cost.other);
            }
        }
        return best;
    }

    // Stores a pair with its term in the energy of each kind of loop that may follow it.
    __device__ __forceinline__ void put(int32 i, int32 j, int32 bulge, int32 one, int32 large) const {
        int32* to = at(i, j);
        to[LONG_BULGE] = bulge;
        to[ONE_N] = one;
        to[LARGE] = large;
    }
};

// The values of a stored pair for the three kinds of loops, each in 16 bits.
struct alignas(8) NarrowKinds {
    uint32 bulge_and_one;
    uint32 large;  // the value for large loops, in the low half
};

// Loops in 16 bits, for at most MAX_ROWS rows.
//
// The loops of one size with l = 0, 1 and 2, and those with r = 0, 1 and 2, follow pairs in three different rows and
// columns. Therefore, the pairs are stored with a shift that depends on the kind, so that a thread reads all three at
// once, and a single operation processes both halves of `bulge_and_one`. For example, the loops of size 9 before (i,
// j):
//
//    r is 0, 1 or 2    left(i - 9), column j - 1      bulge (i - 10, j - 1), one (i - 9, j - 2), large (i - 8, j - 3)
//    l is 0, 1 or 2    right(i), column j - 10        bulge (i - 1, j - 10), one (i - 2, j - 9), large (i - 3, j - 8)
//
// Parameters are at most NARROW_PARAMETER in magnitude, and the costs of sizes and asymmetries are not negative. The
// energy of a helix is at most that of its last pair alone, which consists of three parameters. Together with a loop,
// it is below NARROW_INFEASIBLE. NARROW_NONE plus the parameters of a loop is above that, and below 2^15. Each pair
// adds at least twice the lowest parameter. The host limits the number of pairs, so that the total contribution of all
// pairs is at most HELIX_ROOM in magnitude. Therefore, no energy is below NARROW_LEAST.
constexpr int32 HELIX_ROOM = -NARROW_LEAST - 3 * NARROW_PARAMETER;

struct NarrowLoops {
    using BySize = uint32[MAX_INTERNAL + 1];
    static constexpr int32 NO_ENERGY = NARROW_NONE;
    // The number of rows of `rights`.
    static constexpr int32 COMING = 4;
    // The number of columns after the last one, which are needed because of the shifts.
    static constexpr int32 AFTER = 2;

    const LoopCosts* costs;
    NarrowKinds* rights;  // row i is at i % COMING
    NarrowKinds* lefts;   // row i is at index i + 2, from row -1; index 0 stands for all earlier rows and has no pairs
    LoopCosts* packed;    // the costs of both kinds in `bulge`, and `sides` and `other` in the low halves
    int32 rows;
    int32 width;

    NarrowLoops() = default;

    __device__ NarrowLoops(uint8* room, const LoopCosts* of, int32 n, int32 m) :
        costs(of), rows(n), width(m + MARGIN + AFTER) {
        packed = reinterpret_cast<LoopCosts*>(room);
        rights = reinterpret_cast<NarrowKinds*>(packed + MAX_INTERNAL + 1);
        lefts = rights + COMING * width;
    }

    static __device__ __forceinline__ int32 bytes(int32 n, int32 m) {
        return static_cast<int32>(sizeof(LoopCosts)) * (MAX_INTERNAL + 1)
            + static_cast<int32>(sizeof(NarrowKinds)) * (COMING + n + 2) * (m + MARGIN + AFTER);
    }

    // Clears all rows, and packs `costs`, which must already be computed.
    __device__ void begin() {
        NarrowKinds none = {both(NO_ENERGY), both(NO_ENERGY)};
        for (int32 at = threadIdx.x; at < (COMING + rows + 2) * width; at += blockDim.x) {
            rights[at] = none;
        }
        for (int32 size = threadIdx.x; size <= MAX_INTERNAL; size += blockDim.x) {
            LoopCosts cost = costs[size];
            uint32 of_two = two(cost.bulge, size < 4 ? 0 : cost.one);
            packed[size] = {static_cast<int32>(of_two), 0, cost.sides & 0xffff, cost.other & 0xffff};
        }
    }

    static __device__ __forceinline__ void clear(BySize& large) {
#pragma unroll
        for (int32 size = 0; size <= MAX_INTERNAL; size++) {
            large[size] = both(NO_ENERGY);
        }
    }

    __device__ __forceinline__ NarrowKinds* left(int32 i) const {
        return lefts + max(i + 2, 0) * width + MARGIN;
    }

    __device__ __forceinline__ NarrowKinds* right(int32 i) const {
        return rights + i % COMING * width + MARGIN;
    }

    // Returns the best loops before the pair (i, j), as WideLoops does.
    __device__ __forceinline__ LoopSums best(int32 i, int32 j, BySize& large) const {
        uint32 none = both(NO_ENERGY);
        uint32 bulge_and_one = none;
        uint32 other = none;
        const NarrowKinds* its = right(i) + j - 1;
#pragma unroll
        for (int32 size = MAX_INTERNAL; size >= 2; size--) {
            LoopCosts cost = packed[size];
            NarrowKinds of_a = left(i - size)[j - 1];
            NarrowKinds of_b = its[-size];
            uint32 least = min2(of_a.bulge_and_one, of_b.bulge_and_one);
            if (size < 4) {
                least = two(least, NO_ENERGY);
            }
            bulge_and_one = add_min2(least, cost.bulge, bulge_and_one);
            if (size >= 4) {
                uint32 smaller = size < 6 ? none : large[size - 2];
                large[size] = add_min2(min2(of_a.large, of_b.large), cost.sides, smaller);
            }
            if (size >= 6) {
                other = add_min2(large[size], cost.other, other);
            }
        }
        return {low_of(bulge_and_one), high_of(bulge_and_one), low_of(other)};
    }

    // Stores a pair as WideLoops does. Nothing reads the last row.
    __device__ __forceinline__ void put(int32 i, int32 j, int32 bulge, int32 one, int32 large) const {
        if (i < rows - 1) {
            int16 of_bulge = static_cast<int16>(bulge);
            int16 of_one = static_cast<int16>(one);
            int16 of_large = static_cast<int16>(large);
            put(left(i + 1) + j, 0, of_bulge);
            put(left(i) + j + 1, 1, of_one);
            put(left(i - 1) + j + 2, 2, of_large);
            put(right(i + 1) + j, 0, of_bulge);
            put(right(i + 2) + j - 1, 1, of_one);
            put(right(i + 3) + j - 2, 2, of_large);
        }
    }

private:
    static __device__ __forceinline__ void put(NarrowKinds* to, int32 half, int16 value) {
        reinterpret_cast<int16*>(to)[half] = value;
    }
};
