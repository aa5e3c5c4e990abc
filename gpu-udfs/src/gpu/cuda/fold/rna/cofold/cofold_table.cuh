// The table of a folding of two strands: dev.bellman.fold.rna.CofoldTable. One block fills it diagonal by diagonal.
#pragma once

#include "fold/rna/fold_table.cuh"

// The number of words for a table in addition to those for a FoldTable of both strands: two per base, and
// MORE_COFOLD_WORDS.
constexpr int32 MORE_COFOLD_WORDS = 4;

// The strands are concatenated: the bases of b follow those of a. A cell (i, j) belongs to a, belongs to b, or connects
// the strands. For example, with three bases in a, the cells that connect the strands are marked with a plus:
//
//    i \ j   0   1   2   3   4
//      0     a   a   a   +   +
//      1         a   a   +   +
//      2             a   +   +
//      3                 b   b
//      4                     b
//
// The cells within a strand are those of a FoldTable, except for the multiloop parts that end at the last base of a or
// start at the first base of b, which are never used: no multiloop contains the end of a strand.
struct CofoldTable : FoldTable {
    int32 nick;        // the number of bases in a
    int32* before_a;   // the minimum energy of the bases of a before each base, in the exterior loop
    int32* before_b;   // the minimum energy of the bases of b before each base, in the exterior loop
    int32* connected;  // the minimum energy of a and the bases of b before each base, if the strands are connected
    int32* after_a;    // the minimum energy of the bases of a from each base on, in the exterior loop

    __device__ CofoldTable(const Strand& both, int32 length_of_a, int32* room) :
            FoldTable(both, room, Team(nullptr)), nick(length_of_a) {
        before_a = parts + 2 * n + 4;
        connected = before_a + nick + 1;
        after_a = connected + n - nick + 1;
        before_b = after_a + nick + 1;
    }

    // Whether a cell connects the strands.
    __device__ __forceinline__ bool connects(int32 i, int32 j) const {
        return i < nick && j >= nick;
    }

    // Returns the energy of a branch of the exterior loop. Bases do not dangle across the ends of the strands.
    __device__ int32 exterior(int32 p, int32 q) const {
        return end(strand.pair(p, q), p > 0 && p != nick ? p - 1 : -1, q + 1 < n && q + 1 != nick ? q + 1 : -1);
    }

    // Returns the energy of the part that a pair of both strands closes if its loop contains the ends of the strands.
    __device__ int32 open(int32 i, int32 j) const {
        int32 own = pair_of(strand.bases[j], strand.bases[i]);
        return strand.table(STRAND) + end(own, j > nick ? j - 1 : -1, i + 1 < nick ? i + 1 : -1) + after_a[i + 1]
            + before_b[j - nick];
    }

    __device__ void begin() {
        FoldTable::begin();
        for (int32 i = threadIdx.x; i <= nick; i += blockDim.x) {
            before_a[i] = i <= 1 ? 0 : NONE;
            after_a[i] = i >= nick - 1 ? 0 : NONE;
        }
        for (int32 j = threadIdx.x; j <= n - nick; j += blockDim.x) {
            before_b[j] = j <= 1 ? 0 : NONE;
            connected[j] = NONE;
        }
    }

    __device__ __forceinline__ void list(int32 diagonal, uint16* listed, int32* count) {
        FoldTable::list(diagonal, listed, count, [&](int32 i) {
            return diagonal > MIN_HAIRPIN || connects(i, i + diagonal);
        });
    }

    // Fills the listed pairs of a diagonal, with LANES adjacent threads per pair.
    template <int32 LANES>
    __device__ void fill_pairs(int32 diagonal, const uint16* listed, int32 count, const int32* sizes) {
        int32 lane = threadIdx.x % LANES;
        int32 rounds = (count * LANES + 31) / 32 * 32;
        for (int32 thread = threadIdx.x; thread < rounds; thread += blockDim.x) {
            int32 at = thread / LANES;
            int32 i = at < count ? listed[at] : 0;
            int32 least = at < count ? least_of_pair<LANES>(i, i + diagonal, lane, sizes) : NONE;
            least = reduce_lanes<LANES>(least, [](int32 x, int32 y) { return min(x, y); });
            if (at < count && lane == 0) {
                pairs[place(i, i + diagonal)] = least;
                keep(i, i + diagonal, least);
            }
        }
    }

    __device__ void fill_multi(int32 i, int32 j) {
        bool is_within = !connects(i, j);
        if (is_within && j - i <= MIN_HAIRPIN) {
            return;
        }
        int32 unpaired = strand.unpaired_cost();
        bool has_left = is_within || i + 1 < nick;
        bool has_right = is_within || j > nick;
        int32 two = has_left ? recent(severals, j - i - 1)[i + 1] + unpaired : NONE;
        int32 shorter = min(has_left ? multi(i + 1, j) : NONE, has_right ? multi(i, j - 1) : NONE);
        int32 energy = pair(i, j);
        int32 several = min(two >= INFEASIBLE ? NONE : two, split(i, j));
        recent(severals, j - i)[i] = several;
        int32 least = min(shorter + unpaired, several);
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

    // After a diagonal of pairs was filled, computes the next entry of `before_a`, `after_a`, `before_b` and
    // `connected` each. The warps are divided among these four.
    __device__ void fill_exterior(int32 diagonal) {
        int32 warp = threadIdx.x / 32;
        int32 warps = blockDim.x / 32;
        for (int32 which = warp % 4; which < 4; which += warps) {
            int32 sharing = max(1, (warps + 3 - which) / 4);
            fill_exterior(diagonal, which, warp / 4 * 32 + threadIdx.x % 32, 32 * sharing);
        }
    }

    // Returns the minimum energy of structures that do not connect the strands.
    __device__ __forceinline__ int32 apart() const {
        return before_a[nick] + before_b[n - nick];
    }

    // Returns the minimum energy of all structures.
    __device__ __forceinline__ int32 least() const {
        return min(connected[n - nick], apart());
    }

private:
    // Returns the energy of the end of a helix in an exterior loop, given the bases that dangle on it; -1 for none.
    __device__ __forceinline__ int32 end(int32 own, int32 before, int32 after) const {
        const uint8* bases = strand.bases;
        int32 dangling = 0;
        if (before >= 0 && after >= 0) {
            dangling = strand.mismatch(MISMATCH_EXTERIOR, own, bases[before], bases[after]);
        } else if (before >= 0) {
            dangling = strand.table(DANGLE5 + own * BASES + bases[before]);
        } else if (after >= 0) {
            dangling = strand.table(DANGLE3 + own * BASES + bases[after]);
        }
        return strand.terminal(own) + dangling;
    }

    // Returns the minimum energy of a pair among those of its loops that this lane considers.
    template <int32 LANES>
    __device__ __forceinline__ int32 least_of_pair(int32 i, int32 j, int32 lane, const int32* sizes) const {
        bool is_within = !connects(i, j);
        // the numbers of bases between the pair and the ends of the strands; no limit for a pair within a strand
        int32 left = is_within ? n : nick - 1 - i;
        int32 right = is_within ? n : j - nick;
        int32 span = is_within ? MIN_HAIRPIN : 0;
        int32 least = NONE;
        if (lane == 0) {
            least = is_within ? strand.hairpin(i, j) : open(i, j);
        }
        if (left == 0 || right == 0) {
            return least;
        }
        if (lane == LANES - 1) {
            least = min(least, recent(severals, j - i - 2)[i + 1] + strand.closing(i, j));
        }
        for (int32 each = lane; each < 9; each += LANES) {
            int32 l = each / 3;
            int32 r = each % 3;
            int32 p = i + 1 + l;
            int32 q = j - 1 - r;
            // the energies of bulges of two or more bases are sums
            if ((l + r != 2 || l == r) && l < left && r < right && q - p > span && pair(p, q) < INFEASIBLE) {
                least = min(least, pair(p, q) + strand.internal(i, j, p, q));
            }
        }
        return min(least, summed<LANES>(i, j, lane, left, right, span, sizes));
    }

    // Returns the minimum energy of a pair's internal loops with 2 + lane, 2 + lane + LANES and so on unpaired bases,
    // among those whose energy is a sum.
    //
    // - left, right: upper limits, exclusive, for the numbers of unpaired bases on each side
    // - span: inner pairs span more than this number of bases
    template <int32 LANES>
    __device__ __forceinline__ int32 summed(
            int32 i, int32 j, int32 lane, int32 left, int32 right, int32 span, const int32* sizes) const {
        const int32* internal_sizes = sizes + INTERNAL_SIZES - BULGE_SIZES;
        const int32* asymmetries = sizes + ASYMMETRIES - BULGE_SIZES;
        int32 bulge = NONE;
        int32 one = NONE;
        int32 two_three = NONE;
        int32 other = NONE;
        int32 most = min(MAX_INTERNAL, j - i - 3 - span);
        int32 slot = (j - i - 2) % KEPT;
        for (int32 size = 2 + lane; size <= most; size += LANES) {
            int32 its = slot - size;
            // at p = i + 1
            const int32* inner = known + (its < 0 ? its + KEPT : its) * KINDS * n + i + 1;
            // the numbers of unpaired bases on the left
            int32 from = max(0, size - right + 1);
            int32 to = min(size, left - 1);
            auto either = [&](int32 kind, int32 l) {
                const int32* of_kind = inner + kind * n;
                return min(
                    from <= l && l <= to ? of_kind[l] : NONE,
                    from <= size - l && size - l <= to ? of_kind[size - l] : NONE);
            };
            bulge = min(bulge, either(BULGE, 0) + sizes[size]);
            if (size >= 4) {
                one = min(one, either(ONE, 1) + internal_sizes[size] + asymmetries[size - 2]);
            }
            if (size == 5) {
                two_three = either(TWO_THREE, 2) + internal_sizes[5] + asymmetries[1];
            }
            if (size >= 6) {
                const int32* others = inner + OTHER * n;
                int32 least = NONE;
                int32 last = min(size - 2, to);
#pragma unroll 4
                for (int32 l = max(2, from); l <= last; l++) {
                    least = min(least, others[l] + asymmetries[abs(size - 2 * l)]);
                }
                other = min(other, least + internal_sizes[size]);
            }
        }
        return strand.closed(i, j, bulge, one, two_three, other);
    }

    // Returns the minimum energy of a multiloop part with at least two branches, the first of which is a candidate. If
    // not all candidates are stored, tries all splits. The end of a must not be between the branches.
    __device__ __forceinline__ int32 split(int32 i, int32 j) const {
        constexpr int32 AT_ONCE = 4;
        int32 least = NONE;
        int32 count = counts[i];
        if (count > candidates_kept(n)) {
            for (int32 k = i + 1; k < j; k++) {
                least = min(least, k == nick - 1 ? NONE : multi(i, k) + multi(k + 1, j));
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
                Candidate first = firsts[each];
                if (first.last < j && first.last != nick - 1) {
                    least = min(least, first.energy + multi(first.last + 1, j));
                }
            }
            if (firsts[AT_ONCE - 1].last >= j) {
                break;
            }
        }
        return least;
    }

    // Computes the next entry of one of the four arrays for the exterior loop, with `threads` threads.
    __device__ __forceinline__ void fill_exterior(int32 diagonal, int32 which, int32 thread, int32 threads) const {
        int32 behind = diagonal + 1;
        int32 first = nick - behind;
        int32 last = nick + diagonal;
        if (which == 0 && behind <= nick) {
            push(before_a + behind, before_a[diagonal], 0, diagonal, thread, threads, [&](int32 i) {
                return before_a[i] + branch(i, diagonal);
            });
        } else if (which == 1 && behind <= nick) {
            push(after_a + first, after_a[first + 1], first + 1, nick, thread, threads, [&](int32 j) {
                return branch(first, j) + after_a[j + 1];
            });
        } else if (which == 2 && last < n) {
            push(before_b + behind, before_b[diagonal], nick, last, thread, threads, [&](int32 i) {
                return before_b[i - nick] + branch(i, last);
            });
        } else if (which == 3 && diagonal >= nick) {
            int32 at = diagonal - nick;
            push(connected + at + 1, connected[at], 0, diagonal, thread, threads, [&](int32 i) {
                return (i < nick ? before_a[i] : connected[i - nick]) + branch(i, diagonal);
            });
        }
    }

    // Returns the energy of a branch of the exterior loop, and of everything inside it.
    __device__ __forceinline__ int32 branch(int32 i, int32 j) const {
        int32 inside = pair(i, j);
        return inside < INFEASIBLE ? inside + exterior(i, j) : NONE;
    }

    // Lowers an energy to the minimum of `least` and the energies for the numbers from `from` up to but excluding
    // `behind`. Whole warps participate.
    template <typename Energy>
    static __device__ __forceinline__ void push(
            int32* to, int32 least, int32 from, int32 behind, int32 thread, int32 threads, Energy energy) {
        for (int32 each = from + thread; each < behind; each += threads) {
            int32 found = energy(each);
            least = min(least, found >= INFEASIBLE ? NONE : found);
        }
        least = min_of_warp(least);
        if (threadIdx.x % 32 == 0) {
            atomicMin(to, least);
        }
    }
};
