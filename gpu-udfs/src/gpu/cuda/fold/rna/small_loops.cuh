// The weights of small internal loops, with one lane for each combination of l and r, the numbers of unpaired bases on
// both sides.
#pragma once

#include "fold/rna/loop_weights.cuh"

// The number of lanes that process a pair, and the number of small loops that a pair can close.
constexpr int32 PAIR_LANES = 8;
constexpr int32 SMALL_LOOPS = 7;

// The weights of stacks, bulges of one base, and internal loops with l and r unpaired bases, at most two on each side.
// The index of such a loop in the tables is a linear function of the numbers of its pairs and unpaired bases.
struct SmallLoops {
    int32 l;
    int32 r;

    // number: the index of the loop, in ascending order of l, then of r
    __device__ SmallLoops(const EnsembleLoops& loops, int32 number) {
        // two bits for each loop
        constexpr uint32 LEFTS = 0b10'10'01'01'01'00'00;
        constexpr uint32 RIGHTS = 0b10'01'10'01'00'01'00;
        l = LEFTS >> 2 * number & 3;
        r = RIGHTS >> 2 * number & 3;
        scale_ = l + r == 1 ? loops.weights.table(BULGE_SIZES + 1) : 1;
        factor_ = loops.factors.values[l + r + 2];
        from_ = STACK;
        of_outer_ = PAIRS;
        of_inner_ = 1;
        if (l > 0 && r > 0) {
            bool is_reversed = l > r;
            from_ = l + r == 2 ? INT11 : l + r == 3 ? INT21 : INT22;
            before_right_ = is_reversed ? 0 : 1;
            after_inner_ = l + r == 2 ? 0 : is_reversed ? BASES * BASES : BASES;
            before_inner_ = is_reversed ? 1 : l == 2 ? BASES * BASES : 0;
            after_left_ = l + r == 4 ? BASES * BASES * BASES : l + r == 3 && !is_reversed ? BASES * BASES : BASES;
            int32 of_pair = l + r == 2 ? BASES * BASES : l + r == 3 ? BASES * BASES * BASES
                                                                    : BASES * BASES * BASES * BASES;
            of_outer_ = is_reversed ? of_pair : of_pair * PAIRS;
            of_inner_ = is_reversed ? of_pair * PAIRS : of_pair;
        }
    }

    // Returns the weight of the loop that the pair (i, j) closes.
    __device__ __forceinline__ double weight(const EnsembleLoops& loops, int32 i, int32 j) const {
        const uint8* bases = loops.bases;
        int32 p = i + 1 + l;
        int32 q = j - 1 - r;
        int32 at = from_ + pair_of(bases[i], bases[j]) * of_outer_ + pair_of(bases[q], bases[p]) * of_inner_
            + bases[i + 1] * after_left_ + bases[p - 1] * before_inner_ + bases[q + 1] * after_inner_
            + bases[j - 1] * before_right_;
        return __dmul_rn(__dmul_rn(scale_, loops.weights.table(at)), factor_);
    }

private:
    double scale_;
    double factor_;
    int32 from_;
    int32 of_outer_;
    int32 of_inner_;
    int32 after_left_ = 0;
    int32 before_inner_ = 0;
    int32 after_inner_ = 0;
    int32 before_right_ = 0;
};
