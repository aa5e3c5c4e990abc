// The table of a folding: dev.bellman.fold.rna.FoldTable. One block fills it as in dev.bellman.fold.rna.RowFill, but
// diagonal by diagonal.
#pragma once

#include "common/warp.cuh"
#include "fold/rna/loop_energies.cuh"

// The number of diagonals stored for pairs with their terms in the energies of internal loops: one for each unpaired
// base of the largest loop, two for the bases of the pair around it, and one that is being written.
constexpr int32 KEPT = MAX_INTERNAL + 3;

// The number of diagonals stored for other values that later diagonals read, a power of two.
constexpr int32 RECENT = 4;

// A branch of a multiloop that starts at base i, in row i of the table, and ends at `last`. It has a lower energy than
// any other multiloop part from i to `last`.
struct alignas(8) Candidate {
    int32 last;
    int32 energy;
};

// At most n / BASES_OF_CANDIDATE + MORE_CANDIDATES candidates are stored per row; for a row with more candidates, all
// splits are tried. In a random sequence of 4,000 bases, a row has ten candidates on average.
constexpr int32 BASES_OF_CANDIDATE = 32;
constexpr int32 MORE_CANDIDATES = 16;

__device__ __forceinline__ int32 candidates_kept(int32 n) {
    return n / BASES_OF_CANDIDATE + MORE_CANDIDATES;
}

// The number of words for a table: n * (n + 1) for pairs and multiloops; WORDS_OF_BASE per base, which include two for
// each of MORE_CANDIDATES candidates; two for each further candidate of each row; and MORE_WORDS.
constexpr int32 WORDS_OF_BASE = 2 * MORE_CANDIDATES + KEPT * KINDS + 2 * RECENT + 5;
constexpr int32 MORE_WORDS = 6;

struct FoldTable {
    Strand strand;
    int32 n;
    Candidate* candidates;  // the c-th candidate of row i is at c * n + i
    int32* pairs;
    int32* multis;
    int32* known;     // pairs with their terms (`keep`); diagonal d of kind k is at (d % KEPT * KINDS + k) * n
    int32* severals;  // multiloop parts with at least two branches; diagonal d is at d % RECENT * n
    int32* insides;   // without lonely pairs: the minimum energy of a pair on which an outer pair is stacked
    int32* counts;    // the number of candidates in each row
    int32* prefix;    // the minimum energy of the bases before each base, and of all bases
    int32* pushed;    // the values of `prefix` while they are computed
    int32* parts;     // the parts of multiloops that must still be traced

    __device__ FoldTable(const Strand& of, int32* room) : strand(of), n(of.n) {
        int64 cells = static_cast<int64>(n) * (n + 1) / 2;
        candidates = reinterpret_cast<Candidate*>(room);
        pairs = room + 2ll * candidates_kept(n) * n;
        multis = pairs + cells;
        known = multis + cells;
        severals = known + KEPT * KINDS * n;
        insides = severals + RECENT * n;
        counts = insides + RECENT * n;
        prefix = counts + n;
        pushed = prefix + n + 1;
        parts = pushed + n + 1;
    }

    // Returns the index of an entry, which is at most 2^29.
    __device__ __forceinline__ int32 place(int32 i, int32 j) const {
        return diagonal_place(n, i, j);
    }

    __device__ __forceinline__ int32 pair(int32 i, int32 j) const {
        return pairs[place(i, j)];
    }

    __device__ __forceinline__ int32 multi(int32 i, int32 j) const {
        return multis[place(i, j)];
    }

    __device__ __forceinline__ int32* recent(int32* values, int32 diagonal) const {
        return values + diagonal % RECENT * n;
    }

    __device__ __forceinline__ int32* known_of(int32 diagonal, int32 kind) const {
        return known + (diagonal % KEPT * KINDS + kind) * n;
    }

    // Fills the diagonals that are too short for a pair.
    __device__ void begin() {
        for (int32 i = threadIdx.x; i < n; i += blockDim.x) {
            counts[i] = 0;
            pushed[i + 1] = NONE;
            for (int32 diagonal = 0; diagonal <= MIN_HAIRPIN; diagonal++) {
                recent(severals, diagonal)[i] = NONE;
                recent(insides, diagonal)[i] = NONE;
                if (i + diagonal < n) {
                    pairs[place(i, i + diagonal)] = NONE;
                    multis[place(i, i + diagonal)] = NONE;
                }
            }
        }
    }

    // Lists the positions on a diagonal whose bases can pair. Marks the other positions as having no pair.
    __device__ void list(int32 diagonal, uint16* listed, int32* count) {
        list(diagonal, listed, count, [](int32) { return true; });
    }

    // Works like the function above, except that bases i and i + diagonal can pair only if `may_pair(i)` is true.
    template <typename MayPair>
    __device__ __forceinline__ void list(int32 diagonal, uint16* listed, int32* count, MayPair may_pair) {
        int32 lane = threadIdx.x % 32;
        int32 length = n - diagonal;
        for (int32 first = threadIdx.x - lane; first < length; first += blockDim.x) {
            int32 i = first + lane;
            bool can_pair = i < length && strand.pair(i, i + diagonal) > 0 && may_pair(i);
            uint32 those = __ballot_sync(~0u, can_pair);
            int32 at = 0;
            if (lane == 0 && those != 0) {
                at = atomicAdd(count, __popc(those));
            }
            at = __shfl_sync(~0u, at, 0);
            if (can_pair) {
                listed[at + __popc(those & ((1u << lane) - 1))] = static_cast<uint16>(i);
            } else if (i < length) {
                pairs[place(i, i + diagonal)] = NONE;
                recent(insides, diagonal)[i] = NONE;
                for (int32 kind = 0; kind < KINDS; kind++) {
                    known_of(diagonal, kind)[i] = NONE;
                }
            }
        }
    }

    // Returns the energy of a pair (p, q) and of the internal loop between (i, j) and (p, q), for the small loops whose
    // energies are listed in tables.
    __device__ __forceinline__ int32 looked(int32 i, int32 j, int32 p, int32 q) const {
        if (q - p <= MIN_HAIRPIN) {
            return NONE;
        }
        int32 inside = pair(p, q);
        return inside < INFEASIBLE ? inside + strand.internal(i, j, p, q) : NONE;
    }

    // Returns the minimum energy of a pair that closes an internal loop whose energy is a sum of terms.
    //
    // - sizes: BULGE_SIZES and the tables after it
    __device__ int32 summed(int32 i, int32 j, const int32* sizes) const {
        const int32* internal_sizes = sizes + INTERNAL_SIZES - BULGE_SIZES;
        const int32* asymmetries = sizes + ASYMMETRIES - BULGE_SIZES;
        int32 bulge = NONE;
        int32 one = NONE;
        int32 two_three = NONE;
        int32 other = NONE;
        int32 most = min(MAX_INTERNAL, j - i - 2 - MIN_HAIRPIN - 1);
        int32 slot = (j - i - 2) % KEPT;
        for (int32 size = 2; size <= most; size++) {
            int32 its = slot - size;
            // at p = i + 1
            const int32* inner = known + (its < 0 ? its + KEPT : its) * KINDS * n + i + 1;
            bulge = min(bulge, min(inner[BULGE * n], inner[BULGE * n + size]) + sizes[size]);
            if (size >= 4) {
                int32 least = min(inner[ONE * n + 1], inner[ONE * n + size - 1]);
                one = min(one, least + internal_sizes[size] + asymmetries[size - 2]);
            }
            if (size == 5) {
                int32 least = min(inner[TWO_THREE * n + 2], inner[TWO_THREE * n + 3]);
                two_three = least + internal_sizes[5] + asymmetries[1];
            }
            if (size >= 6) {
                int32 least = NONE;
#pragma unroll 4
                for (int32 left = 2; 2 * left <= size; left++) {
                    int32 either = min(inner[OTHER * n + left], inner[OTHER * n + size - left]);
                    least = min(least, either + asymmetries[size - 2 * left]);
                }
                other = min(other, least + internal_sizes[size]);
            }
        }
        int32 outer = strand.pair(i, j);
        int32 x = strand.bases[i + 1];
        int32 y = strand.bases[j - 1];
        return min(min(bulge + strand.terminal(outer), one + strand.mismatch(MISMATCH_INTERNAL_1N, outer, x, y)),
                   min(two_three + strand.mismatch(MISMATCH_INTERNAL_23, outer, x, y),
                       other + strand.mismatch(MISMATCH_INTERNAL, outer, x, y)));
    }

    __device__ void fill_pair(int32 i, int32 j, const int32* sizes) {
        int32 least = min(strand.hairpin(i, j), summed(i, j, sizes));
        for (int32 l = 0; l <= 2; l++) {
            for (int32 r = 0; r <= 2; r++) {
                // the energies of bulges of two or more bases are sums
                if (l + r != 2 || l == r) {
                    least = min(least, looked(i, j, i + 1 + l, j - 1 - r));
                }
            }
        }
        least = min(least, recent(severals, j - i - 2)[i + 1] + strand.closing(i, j));
        if (strand.energies.no_lonely_pairs != 0) {
            int32 inside = recent(insides, j - i - 2)[i + 1];
            int32 stacked = inside < INFEASIBLE ? inside + strand.internal(i, j, i + 1, j - 1) : NONE;
            recent(insides, j - i)[i] = min(least, stacked);
            least = stacked;
        }
        pairs[place(i, j)] = least;
        keep(i, j, least);
    }

    // Stores a pair together with its term in the energies of the loops around it.
    __device__ __forceinline__ void keep(int32 i, int32 j, int32 energy) {
        bool is_inner = energy < INFEASIBLE && i > 0 && j < n - 1;
        int32 inner = pair_of(strand.bases[j], strand.bases[i]);
        int32 x = is_inner ? strand.bases[j + 1] : 0;
        int32 y = is_inner ? strand.bases[i - 1] : 0;
        int32 diagonal = j - i;
        known_of(diagonal, BULGE)[i] = is_inner ? energy + strand.terminal(inner) : NONE;
        known_of(diagonal, ONE)[i] = is_inner ? energy + strand.mismatch(MISMATCH_INTERNAL_1N, inner, x, y) : NONE;
        known_of(diagonal, TWO_THREE)[i] =
            is_inner ? energy + strand.mismatch(MISMATCH_INTERNAL_23, inner, x, y) : NONE;
        known_of(diagonal, OTHER)[i] = is_inner ? energy + strand.mismatch(MISMATCH_INTERNAL, inner, x, y) : NONE;
    }

    // Returns the minimum energy of a multiloop part from i to j with at least two branches, the first of which is a
    // candidate. If not all candidates are stored, tries all splits.
    __device__ __forceinline__ int32 split(int32 i, int32 j) const {
        int32 least = NONE;
        int32 count = counts[i];
        if (count > candidates_kept(n)) {
            for (int32 k = i + MIN_HAIRPIN + 1; k < j - MIN_HAIRPIN - 1; k++) {
                least = min(least, multi(i, k) + multi(k + 1, j));
            }
            return least;
        }
        for (int32 c = 0; c < count; c++) {
            Candidate first = candidates[static_cast<int64>(c) * n + i];
            if (first.last >= j - MIN_HAIRPIN - 1) {
                break;
            }
            least = min(least, first.energy + multi(first.last + 1, j));
        }
        return least;
    }

    __device__ void fill_multi(int32 i, int32 j) {
        int32 unpaired = strand.unpaired_cost();
        int32 two = recent(severals, j - i - 1)[i + 1] + unpaired;
        int32 several = min(two >= INFEASIBLE ? NONE : two, split(i, j));
        recent(severals, j - i)[i] = several;
        int32 least = min(min(multi(i + 1, j), multi(i, j - 1)) + unpaired, several);
        int32 energy = pair(i, j);
        if (energy < INFEASIBLE && i > 0 && j < n - 1) {
            energy += strand.branch(i, j);
            if (energy < least) {
                least = energy;
                int32 count = counts[i]++;
                if (count < candidates_kept(n)) {
                    candidates[static_cast<int64>(count) * n + i] = {j, energy};
                }
            }
        }
        multis[place(i, j)] = least >= INFEASIBLE ? NONE : least;
    }

    // For each base, computes the minimum energy of the bases before it. A branch that starts at i ends after i +
    // MIN_HAIRPIN, so the values for the next MIN_HAIRPIN + 1 bases do not depend on each other, and threads
    // synchronize only once per MIN_HAIRPIN + 1 bases.
    __device__ void fill_prefix() {
        int32 before = 0;
        for (int32 first = 0; first < n; first += MIN_HAIRPIN + 1) {
            __syncthreads();
            for (int32 i = first; i < min(n, first + MIN_HAIRPIN + 1); i++) {
                before = i == 0 ? 0 : min(before, pushed[i]);
                if (threadIdx.x == 0) {
                    prefix[i] = before;
                }
                // each thread processes the same bases j for every i
                int32 least = i + MIN_HAIRPIN + 1;
                int32 threads = blockDim.x;
                int32 skipped = least - static_cast<int32>(threadIdx.x) + threads - 1;
                int32 j = static_cast<int32>(threadIdx.x) + (skipped > 0 ? skipped / threads * threads : 0);
                for (; j < n; j += threads) {
                    int32 inner = pair(i, j);
                    if (inner < INFEASIBLE) {
                        pushed[j + 1] = min(pushed[j + 1], before + inner + strand.exterior(i, j));
                    }
                }
            }
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            prefix[n] = n == 0 ? 0 : min(before, pushed[n]);
        }
        __syncthreads();
    }
};
