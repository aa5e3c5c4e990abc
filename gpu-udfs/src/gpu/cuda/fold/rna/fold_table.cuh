// The table of a folding: dev.bellman.fold.rna.FoldTable. A team fills it as in dev.bellman.fold.rna.RowFill, but
// diagonal by diagonal.
#pragma once

#include "common/team.cuh"
#include "common/warp.cuh"
#include "fold/rna/loop_energies.cuh"

// The number of diagonals stored for pairs with their terms in the energies of internal loops: one for each unpaired
// base of the largest loop, two for the bases of the pair around it, and one that is being written.
constexpr int32 KEPT = MAX_INTERNAL + 3;

// The number of diagonals stored for other values that later diagonals read, a power of two.
constexpr int32 RECENT = 4;

// The number of threads that compute a pair if several blocks fill the table. Otherwise, a thread computes a pair,
// because then adjacent threads read closer entries.
constexpr int32 TEAM_PARTS = 4;

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
constexpr int32 WORDS_OF_BASE = 2 * MORE_CANDIDATES + KEPT * KINDS + 2 * RECENT + 4;
constexpr int32 MORE_WORDS = 5;

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
    int32* parts;     // the parts of multiloops that must still be traced
    int32 thread;     // the number of this thread, Team::dealt
    int32 threads;
    int32 parts_of_pair;  // the number of threads that compute a pair

    __device__ FoldTable(const Strand& of, int32* room, const Team& team) :
            strand(of), n(of.n), thread(team.dealt()), threads(team.threads),
            parts_of_pair(team.threads > blockDim.x ? TEAM_PARTS : 1) {
        int64 cells = static_cast<int64>(n) * (n + 1) / 2;
        candidates = reinterpret_cast<Candidate*>(room);
        pairs = room + 2ll * candidates_kept(n) * n;
        multis = pairs + cells;
        known = multis + cells;
        severals = known + KEPT * KINDS * n;
        insides = severals + RECENT * n;
        counts = insides + RECENT * n;
        prefix = counts + n;
        parts = prefix + n + 1;
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
        for (int32 i = thread; i <= n; i += threads) {
            prefix[i] = i <= MIN_HAIRPIN + 1 ? 0 : NONE;
        }
        for (int32 i = thread; i < n; i += threads) {
            counts[i] = 0;
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

    // Lists this block's share of the positions on a diagonal whose bases can pair. Marks the other positions as having
    // no pair.
    __device__ void list(int32 diagonal, uint16* listed, int32* count) {
        list(diagonal, listed, count, [](int32) { return true; });
    }

    // Works like the function above, except that bases i and i + diagonal can pair only if `may_pair(i)` is true.
    template <typename MayPair>
    __device__ __forceinline__ void list(int32 diagonal, uint16* listed, int32* count, MayPair may_pair) {
        int32 lane = threadIdx.x % 32;
        int32 length = n - diagonal;
        for (int32 first = thread - lane; first < length; first += threads) {
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

    // Returns the minimum energy of a pair that closes an internal loop whose energy is a sum of terms, and that has
    // 2 + part, 2 + part + parts_of_pair and so on unpaired bases.
    //
    // - sizes: BULGE_SIZES and the tables after it
    __device__ __forceinline__ int32 summed(int32 i, int32 j, int32 part, const int32* sizes) const {
        const int32* internal_sizes = sizes + INTERNAL_SIZES - BULGE_SIZES;
        const int32* asymmetries = sizes + ASYMMETRIES - BULGE_SIZES;
        int32 bulge = NONE;
        int32 one = NONE;
        int32 two_three = NONE;
        int32 other = NONE;
        int32 most = min(MAX_INTERNAL, j - i - 2 - MIN_HAIRPIN - 1);
        int32 slot = (j - i - 2) % KEPT;
        for (int32 size = 2 + part; size <= most; size += parts_of_pair) {
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
        return strand.closed(i, j, bulge, one, two_three, other);
    }

    // Fills the pairs of a diagonal that this block listed. The threads that compute a pair are apart, so that adjacent
    // threads read adjacent entries.
    __device__ void fill_pairs(int32 diagonal, const uint16* listed, int32 count, const int32* sizes) {
        int32 pairs_of_warp = 32 / parts_of_pair;
        int32 part = threadIdx.x % 32 / pairs_of_warp;
        int32 own = threadIdx.x / 32 * pairs_of_warp;
        for (int32 first = own; first < count; first += blockDim.x / parts_of_pair) {
            int32 at = first + threadIdx.x % pairs_of_warp;
            int32 i = listed[min(at, count - 1)];
            int32 least = least_of_pair(i, i + diagonal, part, sizes);
            for (int32 other = pairs_of_warp; other < 32; other *= 2) {
                least = min(least, __shfl_xor_sync(~0u, least, other));
            }
            if (part == 0 && at < count) {
                store(i, i + diagonal, least);
            }
        }
    }

    // Returns the minimum energy of a pair among those of its loops that this thread considers.
    __device__ __forceinline__ int32 least_of_pair(int32 i, int32 j, int32 part, const int32* sizes) const {
        int32 least = summed(i, j, part, sizes);
        for (int32 each = part; each < 9; each += parts_of_pair) {
            int32 l = each / 3;
            int32 r = each % 3;
            // the energies of bulges of two or more bases are sums
            if (l + r != 2 || l == r) {
                least = min(least, looked(i, j, i + 1 + l, j - 1 - r));
            }
        }
        if (part == 0) {
            least = min(least, strand.hairpin(i, j));
        }
        if (part == parts_of_pair - 1) {
            least = min(least, recent(severals, j - i - 2)[i + 1] + strand.closing(i, j));
        }
        return least;
    }

    __device__ __forceinline__ void store(int32 i, int32 j, int32 least) {
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
        constexpr int32 AT_ONCE = 4;
        int32 least = NONE;
        int32 count = counts[i];
        if (count > candidates_kept(n)) {
            for (int32 k = i + MIN_HAIRPIN + 1; k < j - MIN_HAIRPIN - 1; k++) {
                least = min(least, multi(i, k) + multi(k + 1, j));
            }
            return least;
        }
        for (int32 c = 0; c < count; c += AT_ONCE) {
            Candidate firsts[AT_ONCE];
#pragma unroll
            for (int32 each = 0; each < AT_ONCE; each++) {
                firsts[each] =
                    c + each < count ? candidates[static_cast<int64>(c + each) * n + i] : Candidate{j, NONE};
            }
#pragma unroll
            for (int32 each = 0; each < AT_ONCE; each++) {
                if (firsts[each].last < j) {
                    least = min(least, firsts[each].energy + multi(firsts[each].last + 1, j));
                }
            }
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

    // Computes the minimum energy of the bases up to `last`, whose pairs are known.
    __device__ void fill_prefix(int32 last) {
        int32 least = thread == 0 ? prefix[last] : NONE;
        for (int32 i = thread; i < last - MIN_HAIRPIN; i += threads) {
            int32 inner = pair(i, last);
            if (inner < INFEASIBLE) {
                least = min(least, prefix[i] + inner + strand.exterior(i, last));
            }
        }
        least = min_of_warp(least);
        if (threadIdx.x % 32 == 0 && least < NONE) {
            atomicMin(prefix + last + 1, least);
        }
    }
};
