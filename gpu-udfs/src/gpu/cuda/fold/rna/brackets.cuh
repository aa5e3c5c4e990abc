// The structure of an RNA in dot-bracket notation, in which a warp finds the pairs 32 bases at a time.
#pragma once

#include "common/warp.cuh"
#include "fold/rna/loop_energies.cuh"

// The kinds of loops, in the order of dev.bellman.fold.rna.RnaEval.Kind.
constexpr int32 EXTERIOR = 0;
constexpr int32 HAIRPIN = 1;
constexpr int32 STACK_LOOP = 2;
constexpr int32 BULGE_LOOP = 3;
constexpr int32 INTERNAL = 4;
constexpr int32 MULTILOOP = 5;

// - p, q: the inner pair of a stack, a bulge or an internal loop, or the first branch of a multiloop
struct Loop {
    int32 kind;
    int32 p;
    int32 q;

    __device__ __forceinline__ bool has_inner() const {
        return kind >= STACK_LOOP && kind <= INTERNAL;
    }
};

constexpr int32 BYTES_OF_32_BASES = 2 * sizeof(uint32) + 32 * (2 * sizeof(uint16) + sizeof(uint8));

// A structure in shared memory, and the bases of its sequence.
struct Brackets {
    int32 n;
    uint32* begins;    // a bit for each base, set if the base has an opening bracket
    uint32* paired;    // a bit for each base, set if the base has a bracket of either kind
    uint16* partners;  // the partner of each paired base
    uint16* open;      // for each number of enclosing pairs, the base with the last opening bracket
    uint8* bases;

    // words: the number of 32-base groups for which a warp has memory.
    __device__ Brackets(uint32* shared, int32 words, int32 length) : n(length) {
        uint8* own = reinterpret_cast<uint8*>(shared) + threadIdx.x / 32 * words * BYTES_OF_32_BASES;
        begins = reinterpret_cast<uint32*>(own);
        paired = begins + words;
        partners = reinterpret_cast<uint16*>(paired + words);
        open = partners + 32 * words;
        bases = reinterpret_cast<uint8*>(open + 32 * words);
    }

    // Reads a sequence and its structure. Returns whether the structure consists of dots and balanced brackets that
    // connect only bases that can pair.
    //
    // Between an opening bracket and its closing one, inclusive, no other brackets have the same number of enclosing
    // pairs. Therefore, a closing bracket belongs to the last preceding bracket among the 32 letters with the same
    // number or, if there is none, to the last such bracket in earlier letters:
    //
    //    letters    ( ( . ) ( . ) )
    //    enclosing  0 1   1 1   1 0
    __device__ bool read(const uint8* text, const uint8* structure) const {
        int32 lane = threadIdx.x % 32;
        uint32 before = (1u << lane) - 1;
        int32 depth = 0;
        bool valid = true;
        for (int32 first = 0; first < n; first += 32) {
            int32 i = first + lane;
            uint8 letter = '.';
            if (i < n) {
                letter = structure[i];
                bases[i] = static_cast<uint8>(base_of(text[i]));
            }
            bool is_begin = letter == '(';
            bool is_end = letter == ')';
            uint32 begin = __ballot_sync(~0u, is_begin);
            uint32 end = __ballot_sync(~0u, is_end);
            int32 enclosing = depth + __popc(begin & before) - __popc(end & before) - (is_end ? 1 : 0);
            valid = valid && (is_begin || is_end || letter == '.') && enclosing >= 0;
            if (!__all_sync(~0u, valid)) {
                return false;
            }
            uint32 same = __match_any_sync(~0u, is_begin || is_end ? enclosing : -1);
            int32 partner = 0;
            if (is_end) {
                uint32 earlier = same & before;
                partner = earlier != 0 ? first + 31 - __clz(earlier) : open[enclosing];
            }
            __syncwarp();
            if (is_end) {
                partners[i] = static_cast<uint16>(partner);
                partners[partner] = static_cast<uint16>(i);
                valid = pair_of(bases[partner], bases[i]) > 0;
            } else if (is_begin && same >> lane == 1) {
                open[enclosing] = static_cast<uint16>(i);
            }
            if (lane == 0) {
                begins[first / 32] = begin;
                paired[first / 32] = begin | end;
            }
            __syncwarp();
            depth += __popc(begin) - __popc(end);
        }
        return __all_sync(~0u, valid) && depth == 0;
    }

    // Returns the next paired base after base i. There must be such a base.
    __device__ __forceinline__ int32 next(int32 i) const {
        int32 word = (i + 1) / 32;
        uint32 bits = paired[word] & ~0u << (i + 1) % 32;
        while (bits == 0) {
            bits = paired[++word];
        }
        return 32 * word + __ffs(bits) - 1;
    }

    // Returns the loop that a pair closes.
    __device__ __forceinline__ Loop loop(int32 i, int32 j) const {
        int32 p = next(i);
        if (p == j) {
            return {HAIRPIN, 0, 0};
        }
        int32 q = partners[p];
        if (next(q) != j) {
            return {MULTILOOP, p, q};
        }
        bool left = p > i + 1;
        bool right = q < j - 1;
        return {left && right ? INTERNAL : left || right ? BULGE_LOOP : STACK_LOOP, p, q};
    }
};
