// The table of a folding in 16 bits, which narrow_fill.cuh writes to device memory. It has the same values as the table
// in fold_table.cuh.
#pragma once

#include "common/warp.cuh"
#include "fold/rna/narrow_loops.cuh"

// At most n / NARROW_BASES_OF_CANDIDATE + NARROW_MORE_CANDIDATES candidates are stored per row, as in fold_table.cuh.
constexpr int32 NARROW_BASES_OF_CANDIDATE = 32;
constexpr int32 NARROW_MORE_CANDIDATES = 16;

__device__ __forceinline__ int32 narrow_candidates(int32 n) {
    return n / NARROW_BASES_OF_CANDIDATE + NARROW_MORE_CANDIDATES;
}

__device__ __forceinline__ int32 widened(int32 energy) {
    return energy >= NARROW_INFEASIBLE ? NONE : energy;
}

// The number of words for a table in addition to pairs and multis: WORDS_OF_BASE per base, which include one for each
// of NARROW_MORE_CANDIDATES candidates; one for each further candidate of each row; and MORE_WORDS.
constexpr int32 WORDS_OF_BASE = NARROW_MORE_CANDIDATES + 2;
constexpr int32 MORE_WORDS = 5;

struct NarrowTable {
    Strand strand;
    int32 n;
    // whether multis with the same last base are contiguous; otherwise, multis with the same first base are
    bool by_columns;
    int32* is_wide;      // whether an energy does not fit in 16 bits; if so, all other values are undefined
    uint32* candidates;  // the c-th candidate of row i is at c * n + i: its last base, in the bits above its energy
    int32* prefix;
    int32* parts;
    int16* pairs;        // pairs with the same last base are contiguous
    int16* multis;

    __device__ NarrowTable(const Strand& of, bool columns, uint8* room) : strand(of), n(of.n), by_columns(columns) {
        is_wide = reinterpret_cast<int32*>(room);
        candidates = reinterpret_cast<uint32*>(is_wide + 1);
        parts = reinterpret_cast<int32*>(candidates + narrow_candidates(n) * n);
        multis = reinterpret_cast<int16*>(parts + 2 * n + 4);
        pairs = multis + 2 * words();
    }

    // Returns the number of 32-bit words for the pairs, which is also the number for the multis.
    __device__ __forceinline__ int32 words() const {
        return (n * (n + 1) / 2 + 1) / 2;
    }

    __device__ __forceinline__ int32 pair_place(int32 i, int32 j) const {
        return j * (j + 1) / 2 + i;
    }

    __device__ __forceinline__ int32 multi_place(int32 i, int32 j) const {
        return by_columns ? pair_place(i, j) : i * n - i * (i + 1) / 2 + j;
    }

    __device__ __forceinline__ int32 pair(int32 i, int32 j) const {
        return widened(pairs[pair_place(i, j)]);
    }

    __device__ __forceinline__ int32 multi(int32 i, int32 j) const {
        return widened(multis[multi_place(i, j)]);
    }

    // With one warp, computes the minimum energy of the bases before each base.
    __device__ void fill_prefix() {
        int32 lane = threadIdx.x % 32;
        int32 before = 0;
        if (lane == 0) {
            prefix[0] = 0;
        }
        __syncwarp();
        for (int32 j = 0; j < n; j++) {
            int32 least = before;
            for (int32 i = lane; i < j - MIN_HAIRPIN; i += 32) {
                int32 inner = pairs[pair_place(i, j)];
                if (inner < NARROW_INFEASIBLE) {
                    least = min(least, prefix[i] + inner + strand.exterior(i, j));
                }
            }
            before = min_of_warp(least);
            if (lane == 0) {
                prefix[j + 1] = before;
            }
            __syncwarp();
        }
    }
};
