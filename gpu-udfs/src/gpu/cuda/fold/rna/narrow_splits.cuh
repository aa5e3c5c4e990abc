// Splits multiloop parts into their first branch and the rest.
#pragma once

#include "fold/rna/narrow_memory.cuh"

__device__ __forceinline__ int32 narrowed(int32 energy) {
    return energy >= NARROW_INFEASIBLE ? NARROW_NONE : energy;
}

// The minimum energies of multiloop parts that begin at one base and end at four adjacent bases.
struct FourSplits {
    int32 least[4] = {NONE, NONE, NONE, NONE};

    // Adds parts whose first branch has a given energy. Two words of the multis contain the rest.
    __device__ __forceinline__ void add(int32 first, uint2 rest) {
        add(least[0], first, low_of(rest.x));
        add(least[1], first, high_of(rest.x));
        add(least[2], first, low_of(rest.y));
        add(least[3], first, high_of(rest.y));
    }

    static __device__ __forceinline__ void add(int32& least, int32 first, int32 rest) {
        if (rest < NARROW_INFEASIBLE) {
            least = min(least, first + rest);
        }
    }
};

template <bool SHORT, int32 BLOCKS>
struct NarrowSplits {
    const NarrowTable& table;
    const NarrowMemory<SHORT, BLOCKS>& memory;

    // Returns a part of a multiloop that ends at base k, and its energy, in the form of a candidate.
    __device__ __forceinline__ uint32 candidate(int32 k, int32 energy) const {
        int32 high = SHORT ? multi_place(table.pitch, k + 1, 0) : k;
        return static_cast<uint32>(high) << 16 | (static_cast<uint32>(energy) & 0xffff);
    }

    // Returns the total energy of a short sequence's candidate and of the multiloop part that follows it and ends at j.
    __device__ __forceinline__ int32 split_at(uint32 candidate, int32 j) const {
        int32 right = memory.multis[(candidate >> 16) + j];
        int32 left = low_of(candidate);
        return max(left, right) < NARROW_INFEASIBLE ? left + right : NONE;
    }

    // Returns the minimum energy of a multiloop part of a short sequence with at least two branches, the first of which
    // is a candidate. If not all candidates are stored, tries all splits.
    __device__ __forceinline__ int32 least(int32 i, int32 j, int32 count) const {
        int32 least = NONE;
#pragma unroll
        for (int32 c = 0; c < SHORT_AT_ONCE; c++) {
            least = min(least, split_at(memory.near[c * NARROW_SHORT + i], j));
        }
        if (count > SHORT_AT_ONCE) {
#pragma unroll
            for (int32 c = SHORT_AT_ONCE; c < SHORT_NEAR; c++) {
                least = min(least, split_at(memory.near[c * NARROW_SHORT + i], j));
            }
            int32 stored = narrow_candidates(table.n);
            if (count > stored) {
                for (int32 k = i + MIN_HAIRPIN + 1; k < j - MIN_HAIRPIN - 1; k++) {
                    least = min(least, split_at(candidate(k, *memory.multi(i, k)), j));
                }
            } else {
#pragma unroll 1
                for (int32 c = SHORT_NEAR; c < count; c++) {
                    least = min(least, split_at(table.candidates[i * stored + c], j));
                }
            }
        }
        return least;
    }

    // Finds the multiloop parts with at least two branches that begin at base i, and end at base i + diagonal, which is
    // a multiple of four, or at one of the next three bases. The first branch is a candidate. The first branch and the
    // rest have at least five bases each, so they are on diagonals up to diagonal - 2, which have been filled. If not
    // all candidates are stored, tries all splits.
    __device__ __forceinline__ void fill(int32 i, int32 diagonal) const {
        int32 j = i + diagonal;
        FourSplits splits;
        int32 count = memory.counts[diagonal % 2 * memory.pitch() + i];
        int32 stored = narrow_candidates(table.n);
        if (count <= stored) {
            const uint4* candidates = reinterpret_cast<const uint4*>(table.candidates + i * stored);
#pragma unroll 1
            for (int32 from = 0; from < count; from += 8) {
                uint4 four = candidates[from / 4];
                uint4 more = from + 4 < count ? candidates[from / 4 + 1] : four;
                uint32 firsts[8] = {four.x, four.y, four.z, four.w, more.x, more.y, more.z, more.w};
                uint2 rests[8];
#pragma unroll
                for (int32 c = 0; c < 8; c++) {
                    uint2 none = {both(NARROW_NONE), both(NARROW_NONE)};
                    rests[c] = from + c < count ? rest_after(firsts[c] >> 16, j) : none;
                }
#pragma unroll
                for (int32 c = 0; c < 8; c++) {
                    splits.add(low_of(firsts[c]), rests[c]);
                }
            }
        } else {
#pragma unroll 4
            for (int32 k = i + MIN_HAIRPIN + 1; k < j - 1; k++) {
                int32 first = *memory.multi(i, k);
                uint2 rest = rest_after(k, j);
                if (first < NARROW_INFEASIBLE) {
                    splits.add(first, rest);
                }
            }
        }
#pragma unroll
        for (int32 next = 0; next < 4; next++) {
            memory.check(splits.least[next], NONE);
            memory.severals_of(diagonal + next)[i] = static_cast<int16>(narrowed(splits.least[next]));
        }
    }

    // Returns the multis that begin after base k, and end at base j or at one of the next three bases.
    __device__ __forceinline__ uint2 rest_after(int32 k, int32 j) const {
        return *reinterpret_cast<const uint2*>(memory.multi(k + 1, j));
    }
};
