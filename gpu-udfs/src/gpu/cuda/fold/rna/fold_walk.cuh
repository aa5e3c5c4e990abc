// Traces back through the table of a folding, as in dev.bellman.fold.rna.FoldTable, with one warp. Where that class
// tests entries one by one, each lane tests one entry, and the first suitable entry is chosen.
#pragma once

#include "fold/rna/loop_energies.cuh"

// The number of possible counts of unpaired bases on either side of a loop, 5' or 3'.
constexpr int32 SIDES = MAX_INTERNAL + 1;

// Traces back through a table, which is a FoldTable, a NarrowTable or, within its strands, a CofoldTable.
template <typename Table>
struct FoldWalk {
    const Table& table;
    const Strand& strand;
    uint8* structure;
    int32 lane;
    int32 count;  // the number of words in the table's `parts`, two for each part

    __device__ FoldWalk(const Table& of, uint8* to)
        : table(of), strand(of.strand), structure(to), lane(threadIdx.x % 32), count(0) {}

    // Traces the whole sequence.
    __device__ void walk() {
        clear();
        exterior(0, table.n, table.prefix, [&](int32 i, int32 j) { return strand.exterior(i, j); });
    }

    __device__ __forceinline__ void clear() {
        for (int32 i = lane; i < table.n; i += 32) {
            structure[i] = '.';
        }
        __syncwarp();
    }

    // Traces the exterior loop of the bases from `begin` up to but excluding `behind`, and everything inside it.
    //
    // - prefix: for each base of the strand that starts at `begin`, the minimum energy of the bases before it
    // - of_branch(i, j): the energy of a branch of the exterior loop
    template <typename OfBranch>
    __device__ void exterior(int32 begin, int32 behind, const int32* prefix, OfBranch of_branch) {
        int32 end = behind - begin;
        constexpr int32 LEAST = MIN_HAIRPIN + 1;
        while (true) {
            // skips the unpaired bases at the end
            end -= first_that(0, end, [&](int32 dropped) {
                int32 at = end - dropped;
                return at <= LEAST || prefix[at] != prefix[at - 1];
            });
            if (end <= LEAST) {
                return;
            }
            int32 energy = prefix[end];
            int32 last = begin + end - 1;
            int32 skipped = first_that(0, end - LEAST, [&](int32 each) {
                int32 i = last - LEAST - each;
                int32 inner = table.pair(i, last);
                return inner < INFEASIBLE && prefix[i - begin] + inner + of_branch(i, last) == energy;
            });
            int32 i = last - LEAST - skipped;
            closed(i, last);
            end = i - begin;
        }
    }

    // Traces a pair and everything inside it.
    __device__ void closed(int32 i, int32 j) {
        follow(i, j);
        finish();
    }

    // Traces the parts that must still be traced.
    __device__ void finish() {
        while (count > 0) {
            count -= 2;
            part(table.parts[count], table.parts[count + 1]);
        }
    }

    __device__ __forceinline__ void push(int32 i, int32 j) {
        if (lane == 0) {
            table.parts[count] = i;
            table.parts[count + 1] = j;
        }
        count += 2;
        __syncwarp();
    }

    // Traces a part of a multiloop.
    __device__ void part(int32 i, int32 j) {
        int32 unpaired = strand.unpaired_cost();
        __syncwarp();
        j -= first_that(0, j - i, [&](int32 dropped) {
            int32 last = j - dropped;
            return table.multi(i, last) != table.multi(i, last - 1) + unpaired;
        });
        i += first_that(0, j - i, [&](int32 dropped) {
            int32 begin = i + dropped;
            return table.multi(begin, j) != table.multi(begin + 1, j) + unpaired;
        });
        int32 energy = table.multi(i, j);
        int32 inner = table.pair(i, j);
        if (inner < INFEASIBLE && energy == inner + strand.branch(i, j)) {
            follow(i, j);
        } else {
            split(i, j, energy);
        }
    }

    __device__ void split(int32 i, int32 j, int32 energy) {
        int32 k = first_that(i + 1, j - 1, [&](int32 each) {
            int32 left = table.multi(i, each);
            int32 right = table.multi(each + 1, j);
            return left < INFEASIBLE && right < INFEASIBLE && left + right == energy;
        });
        push(i, k);
        push(k + 1, j);
    }

    // Traces a pair and the pairs nested in it, up to a hairpin or a multiloop.
    __device__ void follow(int32 i, int32 j) {
        int32 energy = table.pair(i, j);
        while (true) {
            if (lane == 0) {
                structure[i] = '(';
                structure[j] = ')';
            }
            if (strand.energies.no_lonely_pairs != 0 && energy == table.pair(i, j)) {
                energy -= strand.internal(i, j, i + 1, j - 1);
                i++;
                j--;
                continue;
            }
            if (energy == strand.hairpin(i, j)) {
                return;
            }
            int32 sizes = inner(i, j, energy);
            if (sizes == SIDES * SIDES) {
                split(i + 1, j - 1, energy - strand.closing(i, j));
                return;
            }
            i += 1 + sizes / SIDES;
            j -= 1 + sizes % SIDES;
            energy = table.pair(i, j);
        }
    }

    // Returns the numbers of unpaired bases in the internal loop that a pair closes, as l * SIDES + r, or SIDES squared
    // if the pair closes a multiloop.
    __device__ int32 inner(int32 i, int32 j, int32 energy) const {
        return first_that(0, SIDES * SIDES, [&](int32 each) {
            int32 l = each / SIDES;
            int32 r = each % SIDES;
            int32 p = i + 1 + l;
            int32 q = j - 1 - r;
            if (l + r > MAX_INTERNAL || q - p <= MIN_HAIRPIN) {
                return false;
            }
            int32 inside = table.pair(p, q);
            return inside < INFEASIBLE && inside + strand.internal(i, j, p, q) == energy;
        });
    }
};
