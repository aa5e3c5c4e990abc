// The table of a folding in 16 bits, which narrow_fill.cuh writes to device memory. It has the same values as the table
// in fold_table.cuh.
#pragma once

#include "common/warp.cuh"
#include "fold/rna/narrow_loops.cuh"

// At most n / NARROW_BASES_OF_CANDIDATE + NARROW_MORE_CANDIDATES candidates are stored per row, rounded down to a
// multiple of four, because four are read at a time.
constexpr int32 NARROW_BASES_OF_CANDIDATE = 32;
constexpr int32 NARROW_MORE_CANDIDATES = 16;

__device__ __forceinline__ int32 narrow_candidates(int32 n) {
    return (n / NARROW_BASES_OF_CANDIDATE + NARROW_MORE_CANDIDATES) / 4 * 4;
}

__device__ __forceinline__ int32 widened(int32 energy) {
    return energy >= NARROW_INFEASIBLE ? NONE : energy;
}

// The number of words for a table in addition to pairs and multis: WORDS_OF_BASE per base, which include one for each
// of NARROW_MORE_CANDIDATES candidates, and three for unused entries between rows of multis; one for each further
// candidate of each row; and MORE_WORDS.
constexpr int32 WORDS_OF_BASE = NARROW_MORE_CANDIDATES + 5;
constexpr int32 MORE_WORDS = 14;

// Returns the index of an entry in a table of multis, which is stored row by row. Row i begins with the entry for base
// i / 4 * 4, so that the four entries from any multiple of four on are aligned.
//
// - pitch: the number of entries in the first row, a multiple of four
__device__ __forceinline__ int32 multi_place(int32 pitch, int32 i, int32 j) {
    int32 four = i / 4;
    return i * pitch + j - 4 * four * (i - 2 * four - 1);
}

struct NarrowTable {
    Strand strand;
    int32 n;
    int32 pitch;
    int32 offset;        // the offset per base in the energies of pairs and multis
    // whether the sequence is too long or an energy does not fit in 16 bits; if so, all other values are undefined
    int32* is_wide;
    // the c-th candidate of row i is at i * narrow_candidates(n) + c: its last base, or for short sequences the index
    // in `multis` of the row after it, in the bits above its energy
    uint32* candidates;
    int16* multis;       // see multi_place
    int16* pairs;        // pairs with the same last base are contiguous
    int32* prefix;
    int32* parts;

    __device__ NarrowTable(const Strand& of, uint8* room, int32 of_base) :
            strand(of), n(of.n), pitch((of.n + 3) / 4 * 4), offset(of_base) {
        is_wide = reinterpret_cast<int32*>(room);
        candidates = reinterpret_cast<uint32*>(is_wide + 4);
        multis = reinterpret_cast<int16*>(candidates + narrow_candidates(n) * n);
        pairs = multis + 2 * multi_words();
        parts = reinterpret_cast<int32*>(pairs + 2 * pair_words());
    }

    // Returns the number of 32-bit words for the pairs.
    __device__ __forceinline__ int32 pair_words() const {
        return (n * (n + 1) / 2 + 1) / 2;
    }

    // Returns the number of 32-bit words for the multis.
    __device__ __forceinline__ int32 multi_words() const {
        return pitch * (pitch + 4) / 4;
    }

    __device__ __forceinline__ int32 pair_place(int32 i, int32 j) const {
        return j * (j + 1) / 2 + i;
    }

    __device__ __forceinline__ int32 pair(int32 i, int32 j) const {
        return widened(pairs[pair_place(i, j)]) - offset * (j - i + 1);
    }

    __device__ __forceinline__ int32 multi(int32 i, int32 j) const {
        return widened(multis[multi_place(pitch, i, j)]) - offset * (j - i + 1);
    }

    // With one warp, computes the minimum energy of the bases before each base. A branch that ends at one of four
    // adjacent bases begins before all of them, so the pairs that end at four bases are read at a time.
    __device__ void fill_prefix() {
        constexpr int32 AT_ONCE = MIN_HAIRPIN + 1;
        int32 lane = threadIdx.x % 32;
        int32 before = 0;
        if (lane == 0) {
            prefix[0] = 0;
        }
        __syncwarp();
        for (int32 first = 0; first < n; first += AT_ONCE) {
            int32 least[AT_ONCE] = {NONE, NONE, NONE, NONE};
#pragma unroll 4
            for (int32 i = lane; i < first; i += 32) {
                int32 inner[AT_ONCE];
#pragma unroll
                for (int32 each = 0; each < AT_ONCE; each++) {
                    int32 j = first + each;
                    inner[each] = i + MIN_HAIRPIN < j && j < n ? pairs[pair_place(i, j)] : NARROW_NONE;
                }
#pragma unroll
                for (int32 each = 0; each < AT_ONCE; each++) {
                    if (inner[each] < NARROW_INFEASIBLE) {
                        int32 energy = inner[each] - offset * (first + each - i + 1);
                        least[each] = min(least[each], prefix[i] + energy + strand.exterior(i, first + each));
                    }
                }
            }
#pragma unroll
            for (int32 each = 0; each < AT_ONCE; each++) {
                before = min(before, min_of_warp(least[each]));
                if (lane == 0 && first + each < n) {
                    prefix[first + each + 1] = before;
                }
            }
            __syncwarp();
        }
    }
};
