// Finds the best internal loops of two pairs at a time, in the 16-bit halves of a word, as
// dev.bellman.fold.rna.InternalLoops does for a row.
//
// Pairs on one diagonal are numbered from both ends. Word x of a diagonal has the pair (x, x + diagonal) in its low
// half. Its high half has the pair that is equally far from the other end of the sequence. Seen from the other end, the
// high half looks like the low half, and loops with l and r unpaired bases have the same cost as loops with r and l.
// Therefore, words at the same distance contain the data for both halves. For example, with n = 9, diagonal 4 has these
// words:
//
//    x           0       1       2       3       4
//    low half    (0, 4)  (1, 5)  (2, 6)  (3, 7)  (4, 8)
//    high half   (4, 8)  (3, 7)  (2, 6)  (1, 5)  (0, 4)
//
// Only the words up to the middle are computed. Loops across the middle read the words after it, which are copies.
#pragma once

#include "common/packed.cuh"
#include "fold/rna/loop_energies.cuh"

// Energies in 16 bits. Parameters are at most NARROW_PARAMETER, the costs of sizes and asymmetries are not negative,
// and the costs of unpaired bases are not positive. Three facts follow:
// - Feasible energies are below NARROW_INFEASIBLE. The energy of a pair is at most the energy of a hairpin (two
//   parameters), plus one parameter for a stack. A branch adds three parameters; the unpaired bases next to it add
//   nothing. Two branches may have a higher energy, but then neither the pair around them nor a part of a multiloop
//   needs them.
// - NARROW_NONE plus or minus the parameters of a loop, of which there are at most four, is neither feasible nor
//   above 2^15.
// - The sum of an energy and the parameters of a loop fits in 16 bits unless it is below NARROW_LEAST. Structures
//   with lower energies are computed in 32 bits.
constexpr int32 NARROW_PARAMETER = 2'000;
constexpr int32 NARROW_NONE = 28'000;
constexpr int32 NARROW_INFEASIBLE = 20'000;
constexpr int32 NARROW_LEAST = -30'000;

// Longer foldings have energies of about -30 per base, which would be lower than NARROW_LEAST. Therefore, their
// energies are stored with this offset for each base from the first to the last one. The sum of NARROW_NONE, two
// parameters of a loop and the offsets of its bases fits in 16 bits. Structures whose energies reach NARROW_INFEASIBLE
// with the offset are computed in 32 bits.
constexpr int32 OFFSET_OF_BASE = 22;

// The number of diagonals stored for pairs with their terms in the energies of internal loops. In a step, which writes
// one diagonal and clears the next, loops read those that are up to MAX_INTERNAL diagonals before the one written.
constexpr int32 NARROW_KEPT = MAX_INTERNAL + 2;
constexpr int32 NARROW_KINDS = 3;
// The number of words for each x: those of all stored diagonals and kinds. It is odd, so that adjacent threads access
// different banks.
constexpr int32 NARROW_PITCH = NARROW_KEPT * NARROW_KINDS + 1 - NARROW_KEPT % 2;
// The number of pairs after the middle of a diagonal that loops can reach.
constexpr int32 NARROW_MARGIN = 16;
// For all sequences with at most this many bases, the shared memory has the same layout.
constexpr int32 NARROW_SHORT = 120;

// Returns the number of words of a diagonal.
__device__ __forceinline__ constexpr int32 narrow_width(int32 n) {
    return (n + 1) / 2 + NARROW_MARGIN;
}

// The costs of a loop, indexed by its size, each stored in both halves.
struct alignas(16) SizeCosts {
    uint32 bulge;
    uint32 one;    // loops with one unpaired base on one side
    uint32 sides;  // the asymmetry of loops with two unpaired bases on one side
    uint32 other;
};

// - offset: see OFFSET_OF_BASE
__device__ __forceinline__ SizeCosts size_costs(const int32* tables, int32 size, int32 offset) {
    const int32* sizes = tables + INTERNAL_SIZES;
    const int32* asymmetries = tables + ASYMMETRIES;
    int32 none = NARROW_NONE;
    int32 longer = offset * (size + 2);
    int32 bulge = size < 2 ? none : tables[BULGE_SIZES + size] + longer;
    int32 one = size < 4 ? none : sizes[size] + asymmetries[size - 2] + longer;
    int32 sides = size < 4 ? none : asymmetries[size - 4];
    int32 other = size < 6 ? none : sizes[size] + longer;
    return {both(bulge), both(one), both(sides), both(other)};
}

// The best internal loops of two pairs, without the terms of these pairs.
struct BestLoops {
    uint32 bulge;
    uint32 one;
    uint32 other;
};

// Loops with at least two unpaired bases on each side of a pair, indexed by their total number of unpaired bases,
// without the cost of that number. A thread processes the loops of the pairs with the same midpoint, from the inside
// out; consecutive pairs are two diagonals apart. Unless l or r is two, a loop with l and r unpaired bases corresponds
// to a loop with l - 1 and r - 1 of the next inner pair, with the same asymmetry (Lyngso, Zuker and Pedersen, "Fast
// evaluation of internal loops in RNA secondary structure prediction", 1999).
using LoopsBySize = uint32[MAX_INTERNAL + 1];

// Updates the loops of FROM to TO unpaired bases, starting with the larger loops, because these are built from smaller
// ones.
//
// - known: see large_loops
// - slot: the slot of the diagonal that is two diagonals before the pairs
// - odd: whether the diagonal is odd
template <int FROM, int TO, bool BY_MIDPOINT>
__device__ __forceinline__ void add_loops(
        const uint32* known,
        int32 x,
        int32 slot,
        bool odd,
        const SizeCosts* costs,
        LoopsBySize& loops,
        BestLoops& best) {
    // offsets in bytes, from which all addresses differ by constants
    int32 before = (x * NARROW_PITCH + slot * NARROW_KINDS) * sizeof(uint32);
    int32 wrapped = before + NARROW_KEPT * NARROW_KINDS * sizeof(uint32);
    const uint8* room = reinterpret_cast<const uint8*>(known);
#pragma unroll
    for (int32 size = TO; size >= FROM; size--) {
        const uint32* inner =
            reinterpret_cast<const uint32*>(room + (size > slot ? wrapped : before)) - size * NARROW_KINDS;
        if (BY_MIDPOINT) {
            inner -= ((size + 1) / 2 + 1 - (size % 2 != 0 && odd ? 1 : 0)) * NARROW_PITCH;
        }
        SizeCosts cost = costs[size];
        best.bulge = add_min2(min2(inner[NARROW_PITCH], inner[(1 + size) * NARROW_PITCH]), cost.bulge, best.bulge);
        if (size >= 4) {
            const uint32* ones = inner + 1;
            best.one = add_min2(min2(ones[2 * NARROW_PITCH], ones[size * NARROW_PITCH]), cost.one, best.one);
            const uint32* others = inner + 2;
            uint32 other = min2(others[3 * NARROW_PITCH], others[(size - 1) * NARROW_PITCH]);
            uint32 smaller = size < 6 ? both(NARROW_NONE) : loops[size - 2];
            loops[size] = add_min2(other, cost.sides, smaller);
        }
        if (size >= 6) {
            best.other = add_min2(loops[size], cost.other, best.other);
        }
    }
}

// Finds the best loops with at least 17 unpaired bases for both pairs in word x of a diagonal. All pairs that are at
// least 19 diagonals before it must be known.
//
// BY_MIDPOINT: words of all diagonals are numbered by their midpoints, that is, d / 2 is added to x.
//
// - known: kind k of word x of diagonal d is at x * NARROW_PITCH + d % NARROW_KEPT * NARROW_KINDS + k
template <bool BY_MIDPOINT>
__device__ __forceinline__ void large_loops(
        const uint32* known, int32 x, int32 diagonal, const SizeCosts* costs, LoopsBySize& loops, BestLoops& best) {
    best = {both(NARROW_NONE), both(NARROW_NONE), both(NARROW_NONE)};
    int32 slot = (diagonal - 2 + NARROW_KEPT) % NARROW_KEPT;
    bool odd = diagonal % 2 != 0;
    int32 most = diagonal - 2 - MIN_HAIRPIN - 1;
    if (most > 23) {
        add_loops<24, MAX_INTERNAL, BY_MIDPOINT>(known, x, slot, odd, costs, loops, best);
    }
    if (most > 16) {
        add_loops<17, 23, BY_MIDPOINT>(known, x, slot, odd, costs, loops, best);
    }
}

// Completes the best loops by those with fewer unpaired bases. All pairs that are at least 4 diagonals before the
// diagonal must be known.
template <bool BY_MIDPOINT>
__device__ __forceinline__ void small_loops(
        const uint32* known, int32 x, int32 diagonal, const SizeCosts* costs, LoopsBySize& loops, BestLoops& best) {
    int32 slot = (diagonal - 2 + NARROW_KEPT) % NARROW_KEPT;
    bool odd = diagonal % 2 != 0;
    if (diagonal - 2 - MIN_HAIRPIN - 1 > 8) {
        add_loops<9, 16, BY_MIDPOINT>(known, x, slot, odd, costs, loops, best);
    }
    add_loops<2, 8, BY_MIDPOINT>(known, x, slot, odd, costs, loops, best);
}
