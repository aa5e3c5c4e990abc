// The energies of an RNA's loops: dev.bellman.fold.rna.energy.LoopEnergies, with the same tables.
#pragma once

#include "fold/bases.cuh"

constexpr int32 PAIRS = 7;

constexpr int32 NONE = 1 << 29;
constexpr int32 INFEASIBLE = NONE / 2;
constexpr int32 MIN_HAIRPIN = 3;
constexpr int32 MAX_INTERNAL = 30;

// Kinds of internal loops whose energy is a sum, as in dev.bellman.fold.rna.InternalLoops.
constexpr int32 BULGE = 0;
constexpr int32 ONE = 1;
constexpr int32 TWO_THREE = 2;
constexpr int32 OTHER = 3;
constexpr int32 KINDS = 4;

// The offsets of the tables, in the order of LoopEnergies.flat.
constexpr int32 MISMATCHES = PAIRS * BASES * BASES;
constexpr int32 STACK = 0;
constexpr int32 MISMATCH_HAIRPIN = STACK + PAIRS * PAIRS;
constexpr int32 MISMATCH_INTERNAL = MISMATCH_HAIRPIN + MISMATCHES;
constexpr int32 MISMATCH_INTERNAL_1N = MISMATCH_INTERNAL + MISMATCHES;
constexpr int32 MISMATCH_INTERNAL_23 = MISMATCH_INTERNAL_1N + MISMATCHES;
constexpr int32 MISMATCH_MULTI = MISMATCH_INTERNAL_23 + MISMATCHES;
constexpr int32 MISMATCH_EXTERIOR = MISMATCH_MULTI + MISMATCHES;
constexpr int32 DANGLE5 = MISMATCH_EXTERIOR + MISMATCHES;
constexpr int32 DANGLE3 = DANGLE5 + PAIRS * BASES;
constexpr int32 INT11 = DANGLE3 + PAIRS * BASES;
constexpr int32 INT21 = INT11 + PAIRS * MISMATCHES;
constexpr int32 INT22 = INT21 + PAIRS * MISMATCHES * BASES;
constexpr int32 BULGE_SIZES = INT22 + PAIRS * MISMATCHES * BASES * BASES;
constexpr int32 INTERNAL_SIZES = BULGE_SIZES + MAX_INTERNAL + 1;
constexpr int32 ASYMMETRIES = INTERNAL_SIZES + MAX_INTERNAL + 1;
constexpr int32 SINGLES = ASYMMETRIES + MAX_INTERNAL + 1;
constexpr int32 TABLES = SINGLES + 4;
// Energies that have no counterpart among the weights (loop_weights.cuh).
constexpr int32 STRAND = TABLES;
constexpr int32 ASYMMETRY = STRAND + 1;
constexpr int32 MOST_ASYMMETRY = ASYMMETRY + 1;
constexpr int32 ENERGY_TABLES = MOST_ASYMMETRY + 1;

// - tables: the tables, one after another
// - hairpins: the costs of hairpins, indexed by size, without mismatches
// - specials: the sequences of hairpins with special energies, three bits per base, in ascending order,
//   followed by the energies
struct Energies {
    const int32* tables;
    const int32* hairpins;
    const int32* specials;
    int32 special_count;
    int32 no_lonely_pairs;
};

// Returns the index of a hairpin in an ascending list of sequences with three bits per base, or a negative number if it
// is not in the list.
__device__ __forceinline__ int32 special_place(const int32* keys, int32 count, int32 key) {
    int32 from = 0;
    int32 behind = count;
    while (from < behind) {
        int32 middle = (from + behind) / 2;
        if (__ldg(keys + middle) < key) {
            from = middle + 1;
        } else {
            behind = middle;
        }
    }
    return from < count && __ldg(keys + from) == key ? from : -1;
}

__device__ __forceinline__ int32 special_place(
        const int32* keys, int32 count, const uint8* bases, int32 i, int32 j) {
    int32 key = 0;
    for (int32 at = i; at <= j; at++) {
        key = key << 3 | bases[at];
    }
    return special_place(keys, count, key);
}

// Returns the index, in the tables, of an internal loop with 1 x 1, 1 x 2, 2 x 1 or 2 x 2 unpaired bases.
__device__ __forceinline__ int32 small_place(const uint8* bases, int32 i, int32 j, int32 p, int32 q) {
    int32 outer = pair_of(bases[i], bases[j]);
    int32 inner = pair_of(bases[q], bases[p]);
    if (p - i == 2) {
        int32 at = (outer * PAIRS + inner) * BASES + bases[i + 1];
        return j - q == 2 ? INT11 + at * BASES + bases[j - 1]
                          : INT21 + (at * BASES + bases[q + 1]) * BASES + bases[j - 1];
    }
    return j - q == 2
        ? INT21 + (((inner * PAIRS + outer) * BASES + bases[q + 1]) * BASES + bases[i + 1]) * BASES + bases[p - 1]
        : INT22
            + ((((outer * PAIRS + inner) * BASES + bases[i + 1]) * BASES + bases[p - 1]) * BASES + bases[q + 1]) * BASES
            + bases[j - 1];
}

// A sequence with the energies of its loops.
struct Strand {
    const uint8* bases;
    int32 n;
    Energies energies;

    __device__ __forceinline__ int32 table(int32 at) const {
        return __ldg(energies.tables + at);
    }

    __device__ __forceinline__ int32 mismatch(int32 table_at, int32 pair, int32 x, int32 y) const {
        return table(table_at + (pair * BASES + x) * BASES + y);
    }

    __device__ __forceinline__ int32 pair(int32 i, int32 j) const {
        return pair_of(bases[i], bases[j]);
    }

    __device__ __forceinline__ int32 closing_cost() const {
        return table(SINGLES);
    }

    __device__ __forceinline__ int32 branch_cost() const {
        return table(SINGLES + 1);
    }

    __device__ __forceinline__ int32 unpaired_cost() const {
        return table(SINGLES + 2);
    }

    __device__ __forceinline__ int32 terminal(int32 pair) const {
        return pair > 2 ? table(SINGLES + 3) : 0;
    }

    __device__ int32 hairpin(int32 i, int32 j) const {
        int32 size = j - i - 1;
        if (size == 3 || size == 4 || size == 6) {
            int32 own = special_place(energies.specials, energies.special_count, bases, i, j);
            if (own >= 0) {
                return __ldg(energies.specials + energies.special_count + own);
            }
        }
        int32 closing = pair(i, j);
        return __ldg(energies.hairpins + size)
            + (size == 3 ? terminal(closing) : mismatch(MISMATCH_HAIRPIN, closing, bases[i + 1], bases[j - 1]));
    }

    // Returns the energy of the loop that is closed by the pair (i, j) and has the single branch (p, q): a stack, a
    // bulge or an internal loop.
    __device__ int32 internal(int32 i, int32 j, int32 p, int32 q) const {
        int32 left = p - i - 1;
        int32 right = j - q - 1;
        int32 outer = pair(i, j);
        int32 inner = pair_of(bases[q], bases[p]);
        int32 pairs = outer * PAIRS + inner;
        int32 less = min(left, right);
        int32 more = max(left, right);
        if (more == 0) {
            return table(STACK + pairs);
        }
        if (less == 0) {
            return table(BULGE_SIZES + more)
                + (more == 1 ? table(STACK + pairs) : terminal(outer) + terminal(inner));
        }
        if (more <= 2) {
            return table(small_place(bases, i, j, p, q));
        }
        int32 mismatches = less == 1 ? MISMATCH_INTERNAL_1N
            : less == 2 && more == 3 ? MISMATCH_INTERNAL_23
                                     : MISMATCH_INTERNAL;
        return table(INTERNAL_SIZES + left + right) + table(ASYMMETRIES + more - less)
            + mismatch(mismatches, outer, bases[i + 1], bases[j - 1])
            + mismatch(mismatches, inner, bases[q + 1], bases[p - 1]);
    }

    // Returns the minimum energy of the internal loops that a pair closes, from the minimum of each kind without the
    // term of this pair.
    __device__ __forceinline__ int32 closed(
            int32 i, int32 j, int32 bulge, int32 one, int32 two_three, int32 other) const {
        int32 outer = pair(i, j);
        int32 x = bases[i + 1];
        int32 y = bases[j - 1];
        return min(min(bulge + terminal(outer), one + mismatch(MISMATCH_INTERNAL_1N, outer, x, y)),
                   min(two_three + mismatch(MISMATCH_INTERNAL_23, outer, x, y),
                       other + mismatch(MISMATCH_INTERNAL, outer, x, y)));
    }

    // Returns the energy of a branch of a multiloop.
    __device__ int32 branch(int32 p, int32 q) const {
        int32 own = pair(p, q);
        return branch_cost() + terminal(own) + mismatch(MISMATCH_MULTI, own, bases[p - 1], bases[q + 1]);
    }

    // Returns the energy of a multiloop without its branches and unpaired bases, including the pair that closes it.
    __device__ int32 closing(int32 i, int32 j) const {
        int32 own = pair_of(bases[j], bases[i]);
        return closing_cost() + branch_cost() + terminal(own)
            + mismatch(MISMATCH_MULTI, own, bases[j - 1], bases[i + 1]);
    }

    // Returns the energy of a branch of the exterior loop.
    __device__ int32 exterior(int32 p, int32 q) const {
        int32 own = pair(p, q);
        int32 dangling = 0;
        if (p > 0 && q + 1 < n) {
            dangling = mismatch(MISMATCH_EXTERIOR, own, bases[p - 1], bases[q + 1]);
        } else if (p > 0) {
            dangling = table(DANGLE5 + own * BASES + bases[p - 1]);
        } else if (q + 1 < n) {
            dangling = table(DANGLE3 + own * BASES + bases[q + 1]);
        }
        return terminal(own) + dangling;
    }
};
