// The weights of a sequence's loops, as in EnsembleLoops, with small tables in shared memory.
#pragma once

#include "fold/rna/ensemble/loop_weights.cuh"

// The terms of a pair in the weights of internal loops.
struct Ends {
    double bulge;
    double one;
    double two_three;
    double other;
};

class PlainWeights {
    static constexpr int32 STACKS = PAIRS * PAIRS;
    static constexpr int32 CONSTANTS = 7;

public:
    uint8* bases;

    PlainWeights() = default;

    // width: the maximum number of bases
    __device__ PlainWeights(const EnsembleLoops& loops, double* room, int32 width) :
        weights_(loops.weights), factors_(loops.factors) {
        stacks_ = room;
        constants_ = stacks_ + 2 * STACKS;
        partners_ = reinterpret_cast<uint32*>(constants_ + CONSTANTS);
        bases = reinterpret_cast<uint8*>(partners_ + 2 * BASES);
        specials_ = bases + width;
    }

    // Returns the number of bytes of shared memory.
    static __device__ constexpr int32 bytes(int32 width) {
        return (2 * STACKS + CONSTANTS) * 8 + 2 * BASES * 4 + 2 * width;
    }

    // Computes the tables, after the bases and the factors.
    __device__ void begin(int32 n) {
        for (int32 at = threadIdx.x; at < 2 * STACKS; at += blockDim.x) {
            double stack = weights_.table(STACK + at % STACKS);
            double weight = at < STACKS ? stack : __dmul_rn(weights_.table(BULGE_SIZES + 1), stack);
            stacks_[at] = __dmul_rn(weight, factors_.values[at < STACKS ? 2 : 3]);
        }
        for (int32 at = threadIdx.x; at < 3; at += blockDim.x) {
            constants_[at] = factors_.values[4 + at];
        }
        if (threadIdx.x == 0) {
            constants_[3] = weights_.table(SINGLES + 3);
            constants_[4] = weights_.table(SINGLES + 1);
            constants_[5] = __dmul_rn(weights_.table(SINGLES), constants_[4]);
            constants_[6] = factors_.values[2];
        }
        for (int32 at = threadIdx.x; at < 2 * BASES; at += blockDim.x) {
            uint32 numbers = 0;
            for (int32 other = 0; other < BASES; other++) {
                int32 pair = at < BASES ? pair_of(at, other) : pair_of(other, at - BASES);
                numbers |= static_cast<uint32>(pair) << 4 * other;
            }
            partners_[at] = numbers;
        }
        for (int32 i = threadIdx.x; i < n; i += blockDim.x) {
            uint32 special = 0;
            for (int32 size = 3; size <= 6; size++) {
                bool is_special = size != 5 && i + size + 1 < n
                    && special_place(weights_.keys, weights_.special_count, bases, i, i + size + 1) >= 0;
                special |= is_special ? 1u << size : 0;
            }
            specials_[i] = static_cast<uint8>(special);
        }
    }

    // Returns the number of a pair as pair_of does.
    __device__ __forceinline__ int32 pair(int32 i, int32 column) const {
        return partners_[bases[i]] >> 4 * bases[column] & 15;
    }

    // Returns the number of a pair, with the base in the column first.
    __device__ __forceinline__ int32 turned(int32 i, int32 column) const {
        return partners_[BASES + bases[i]] >> 4 * bases[column] & 15;
    }

    // EnsembleLoops::closes
    __device__ __forceinline__ int32 closes(int32 i, int32 column) const {
        return (pair(i, column) * BASES + bases[i + 1]) * BASES + bases[column - 1];
    }

    // EnsembleLoops::branches, for a pair that contains neither the first nor the last base
    __device__ __forceinline__ int32 branches(int32 i, int32 column) const {
        return (turned(i, column) * BASES + bases[column + 1]) * BASES + bases[i - 1];
    }

    // EnsembleLoops::end, for a pair
    __device__ __forceinline__ double end(int32 kind, int32 seen) const {
        if (kind == BULGE) {
            return terminal(seen / (BASES * BASES));
        }
        int32 table = kind == ONE ? MISMATCH_INTERNAL_1N : kind == OTHER ? MISMATCH_INTERNAL : MISMATCH_INTERNAL_23;
        return weights_.table(table + seen);
    }

    __device__ __forceinline__ Ends ends(int32 seen) const {
        return {end(BULGE, seen), end(ONE, seen), end(TWO_THREE, seen), end(OTHER, seen)};
    }

    // Returns the weight of a hairpin.
    __device__ __forceinline__ Wide hairpin(int32 i, int32 column) const {
        int32 size = column - i - 1;
        double weight;
        if (size <= 6 && (specials_[i] >> size & 1) != 0) {
            weight = __ldg(weights_.specials + special_place(weights_.keys, weights_.special_count, bases, i, column));
        } else {
            int32 own = pair(i, column);
            weight = __dmul_rn(__ldg(weights_.hairpins + size), size == MIN_HAIRPIN
                    ? terminal(own)
                    : weights_.mismatch(MISMATCH_HAIRPIN, own, bases[i + 1], bases[column - 1]));
        }
        Wide factor = factors_.get(size + 2);
        return Wide::normal(__dmul_rn(weight, factor.value), factor.level);
    }

    // EnsembleLoops::closing
    __device__ __forceinline__ double closing(int32 i, int32 column) const {
        int32 own = turned(i, column);
        double weight = __dmul_rn(__dmul_rn(constants_[5], terminal(own)),
            weights_.mismatch(MISMATCH_MULTI, own, bases[column - 1], bases[i + 1]));
        return __dmul_rn(weight, constants_[6]);
    }

    // EnsembleLoops::branch, for a pair that contains neither the first nor the last base
    __device__ __forceinline__ double branch(int32 i, int32 column) const {
        int32 own = pair(i, column);
        return __dmul_rn(__dmul_rn(constants_[4], terminal(own)),
            weights_.mismatch(MISMATCH_MULTI, own, bases[i - 1], bases[column + 1]));
    }

    // Returns the weight of a loop with L and R unpaired bases, at most two on each side, that a pair closes. The
    // result is undefined, but finite, if such a loop does not exist.
    template <int32 L, int32 R>
    __device__ __forceinline__ double small(int32 i, int32 column, bool has_loop) const {
        int32 p = i + 1 + L;
        int32 q = column - 1 - R;
        int32 outer = pair(i, column);
        int32 inner = turned(p, q);
        if (L == 0 || R == 0) {
            return stacks_[(L + R) * STACKS + outer * PAIRS + inner];
        }
        // see small_place
        int32 at = L > R ? inner * PAIRS + outer : outer * PAIRS + inner;
        if (L > R) {
            at = INT21 + ((at * BASES + bases[q + 1]) * BASES + bases[i + 1]) * BASES + bases[p - 1];
        } else {
            at = at * BASES + bases[i + 1];
            at = L == 2 ? at * BASES + bases[p - 1] : at;
            at = R == 2 ? at * BASES + bases[q + 1] : at;
            at = (R == 1 ? INT11 : L == 1 ? INT21 : INT22) + at * BASES + bases[column - 1];
        }
        return __dmul_rn(weights_.table(has_loop ? at : 0), constants_[L + R - 2]);
    }

private:
    Weights weights_;
    WideRow factors_;
    double* stacks_;     // the weights of stacks, then of bulges of one base
    // the products of the factors of 4, 5 and 6 bases; the weights of a terminal pair, of a branch, and of a multiloop
    // with its closing pair; the product of the factors of 2 bases
    double* constants_;
    uint32* partners_;   // for each base, the numbers of its pairs, in four bits for each base; then, in reverse
    uint8* specials_;    // for each base, the sizes of the special hairpins that start there, as bits

    __device__ __forceinline__ double terminal(int32 pair) const {
        return pair > 2 ? constants_[3] : 1;
    }
};
