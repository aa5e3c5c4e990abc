// The weights of an RNA's loops: dev.bellman.fold.rna.EnsembleLoops, with the same tables.
#pragma once

#include "common/strict_math.cuh"
#include "fold/rna/ensemble/wide.cuh"
#include "fold/rna/loop_energies.cuh"

// - tables: the weights for the first TABLES entries of the tables in Energies
// - hairpins: the weights of hairpins, indexed by size, without mismatches
// - keys, specials: the sequences of hairpins with special weights, three bits per base, in ascending order,
//   and these weights
// - thermal: kT, in cal/mol
struct Weights {
    const double* tables;
    const double* hairpins;
    const int32* keys;
    const double* specials;
    double thermal;
    int32 special_count;

    __device__ __forceinline__ double table(int32 at) const {
        return __ldg(tables + at);
    }

    __device__ __forceinline__ double mismatch(int32 table_at, int32 pair, int32 x, int32 y) const {
        return table(table_at + (pair * BASES + x) * BASES + y);
    }

    __device__ __forceinline__ double terminal(int32 pair) const {
        return pair > 2 ? table(SINGLES + 3) : 1;
    }

    // Returns the part of an internal loop's weight that depends on how many bases are unpaired on each side.
    __device__ __forceinline__ double sized(int32 l, int32 r) const {
        return l == 0 || r == 0 ? table(BULGE_SIZES + l + r)
                                : __dmul_rn(table(INTERNAL_SIZES + l + r), table(ASYMMETRIES + abs(l - r)));
    }

    // Returns the factor of an internal loop's weight that depends on the difference between its two sides.
    __device__ __forceinline__ double asymmetry(int32 difference) const {
        return table(ASYMMETRIES + difference);
    }

    // Converts an energy in hundredths of kcal/mol to the natural logarithm of its weight. The next function converts
    // the logarithm back.
    __device__ __forceinline__ double logarithm(double energy) const {
        return __ddiv_rn(__dmul_rn(-energy, CALORIES), thermal);
    }

    __device__ __forceinline__ double energy(double logarithm) const {
        return __ddiv_rn(__dmul_rn(-logarithm, thermal), CALORIES);
    }

private:
    static constexpr double CALORIES = 10;
};

// The number of combinations (l, r) of unpaired bases in an internal loop, where 0 <= r <= MAX_INTERNAL - l for each l.
constexpr int32 SIZED = (MAX_INTERNAL + 1) * (MAX_INTERNAL + 2) / 2;

// Returns the index of the first combination for l.
__device__ __forceinline__ int32 sized_place(int32 l) {
    return l * (2 * MAX_INTERNAL + 3 - l) / 2;
}

// The weights of the loops of a sequence. Each base contributes a factor, so that the weights of long segments stay
// close to 1.
struct EnsembleLoops {
    const uint8* bases;
    int32 n;
    Weights weights;
    double per_base;     // the energy that corresponds to the factor for one base
    WideRow factors;     // the factors, indexed by the number of bases
    // for l and r unpaired bases, the part of an internal loop's weight that depends on these numbers, times the
    // factors of the loop's bases; at sized_place(l) + r
    const double* sized;

    // Returns the product of the factors for a number of bases.
    __device__ Wide factor_of(int32 count) const {
        double logarithm = weights.logarithm(__dmul_rn(-per_base, count));
        double level = rint(__ddiv_rn(logarithm, LEVEL));
        return Wide::normal(
            strict_exp(__dsub_rn(logarithm, __dmul_rn(level, LEVEL))), static_cast<int32>(level));
    }

    // Returns the part of an internal loop's weight that depends on its number of unpaired bases, times the factors of
    // the loop's bases.
    __device__ __forceinline__ double size(int32 unpaired) const {
        return __dmul_rn(weights.table(INTERNAL_SIZES + unpaired), factors.values[unpaired + 2]);
    }

    // Returns the weight of an unpaired base in the exterior loop.
    __device__ __forceinline__ double factor() const {
        return factors.values[1];
    }

    // Returns the weight of an unpaired base in a multiloop.
    __device__ __forceinline__ double unpaired() const {
        return __dmul_rn(weights.table(SINGLES + 2), factor());
    }

    // Converts the total weight of all bases to an energy in hundredths of kcal/mol.
    __device__ double energy(Wide weight) const {
        double logarithm = __dadd_rn(strict_log(weight.value), __dmul_rn(weight.level, LEVEL));
        return __dadd_rn(weights.energy(logarithm), __dmul_rn(per_base, n));
    }

    __device__ __forceinline__ int32 pair(int32 i, int32 j) const {
        return pair_of(bases[i], bases[j]);
    }

    __device__ Wide hairpin(int32 i, int32 j) const {
        int32 size = j - i - 1;
        Wide factor = factors.get(size + 2);
        return Wide::normal(__dmul_rn(hairpin(i, j, size), factor.value), factor.level);
    }

    // Returns the weight of a stack, a bulge of one base, or an internal loop with at most two bases on each side.
    __device__ double small(int32 i, int32 j, int32 p, int32 q) const {
        int32 left = p - i - 1;
        int32 right = j - q - 1;
        double weight = 0;
        if (left == 0 || right == 0) {
            double stack = weights.table(STACK + pair(i, j) * PAIRS + pair_of(bases[q], bases[p]));
            weight = left + right == 0 ? stack : __dmul_rn(weights.table(BULGE_SIZES + 1), stack);
        } else {
            weight = weights.table(small_place(bases, i, j, p, q));
        }
        return __dmul_rn(weight, factors.values[left + right + 2]);
    }

    // Returns the weight of a multiloop without its branches and unpaired bases, including the pair that closes it.
    __device__ double closing(int32 i, int32 j) const {
        int32 own = pair_of(bases[j], bases[i]);
        double weight = __dmul_rn(weights.table(SINGLES), weights.table(SINGLES + 1));
        weight = __dmul_rn(__dmul_rn(weight, weights.terminal(own)),
            weights.mismatch(MISMATCH_MULTI, own, bases[j - 1], bases[i + 1]));
        return __dmul_rn(weight, factors.values[2]);
    }

    // Returns the weight of a branch of a multiloop. Pairs with the first or the last base are not branches of a
    // multiloop.
    __device__ double branch(int32 p, int32 q) const {
        if (p == 0 || q == n - 1) {
            return 0;
        }
        int32 own = pair(p, q);
        return __dmul_rn(__dmul_rn(weights.table(SINGLES + 1), weights.terminal(own)),
            weights.mismatch(MISMATCH_MULTI, own, bases[p - 1], bases[q + 1]));
    }

    // Does not branch, so that the reads for several pairs do not wait for each other.
    __device__ double exterior(int32 p, int32 q) const {
        int32 own = pair(p, q);
        bool has_left = p > 0;
        bool has_right = q + 1 < n;
        int32 left = bases[has_left ? p - 1 : p];
        int32 right = bases[has_right ? q + 1 : q];
        int32 both = MISMATCH_EXTERIOR + (own * BASES + left) * BASES + right;
        int32 single = has_left ? DANGLE5 + own * BASES + left : DANGLE3 + own * BASES + right;
        double dangling = weights.table(has_left && has_right ? both : single);
        return __dmul_rn(weights.terminal(own), has_left || has_right ? dangling : 1);
    }

    // Returns the number that represents a pair and the bases next to it, as seen from within the loop that the pair
    // closes; this number is the argument `seen` of `end`.
    __device__ __forceinline__ int32 closes(int32 i, int32 j) const {
        return (pair(i, j) * BASES + bases[i + 1]) * BASES + bases[j - 1];
    }

    // Returns the number that represents a pair and the bases next to it, as seen from within the loop around the pair.
    // A pair that contains the first or the last base has the number 0.
    __device__ __forceinline__ int32 branches(int32 p, int32 q) const {
        return p == 0 || q == n - 1 ? 0 : (pair_of(bases[q], bases[p]) * BASES + bases[q + 1]) * BASES + bases[p - 1];
    }

    // Returns the part of the weight of an internal loop of this kind that depends on one of its pairs; 0 for no pair.
    __device__ __forceinline__ double end(int32 kind, int32 seen) const {
        if (seen < BASES * BASES) {
            return 0;
        }
        switch (kind) {
            case BULGE:
                return weights.terminal(seen / (BASES * BASES));
            case ONE:
                return weights.table(MISMATCH_INTERNAL_1N + seen);
            case TWO_THREE:
                return weights.table(MISMATCH_INTERNAL_23 + seen);
            default:
                return weights.table(MISMATCH_INTERNAL + seen);
        }
    }

private:
    // The natural logarithm of a level: 512 ln 2.
    static constexpr double LEVEL = 512 * 0.6931471805599453;

    __device__ double hairpin(int32 i, int32 j, int32 size) const {
        if (size == 3 || size == 4 || size == 6) {
            int32 own = special_place(weights.keys, weights.special_count, bases, i, j);
            if (own >= 0) {
                return __ldg(weights.specials + own);
            }
        }
        int32 closing = pair(i, j);
        double end = size == 3 ? weights.terminal(closing)
                               : weights.mismatch(MISMATCH_HAIRPIN, closing, bases[i + 1], bases[j - 1]);
        return __dmul_rn(__ldg(weights.hairpins + size), end);
    }
};

constexpr double UNITS_OF_ENERGY = 100;

// Returns the energy that each base contributes to a typical structure, in hundredths of kcal/mol.
//
// - least: the minimum free energy, in hundredths of kcal/mol
__device__ __forceinline__ double energy_per_base(int32 n, const Weights& weights, int32 least) {
    // see RnaEnsemble.TYPICAL
    constexpr double TYPICAL = 0.75;
    // with this limit, the factors for the bases of an internal loop have level 0, as in RnaEnsemble
    constexpr double MAX_PER_BASE = 0.5545;

    double most = __dmul_rn(MAX_PER_BASE, weights.thermal);
    return n == 0 ? 0 : fmax(__ddiv_rn(__dmul_rn(TYPICAL, least), n), -most);
}

// Returns the weights of a sequence's loops, in which the sequence's bases are not set yet.
__device__ __forceinline__ EnsembleLoops loops_of(int32 n, const Weights& weights, int32 least) {
    return {nullptr, n, weights, energy_per_base(n, weights, least)};
}
