// Fills a folding table with 16-bit energies, with one block. The algorithm is that of dev.bellman.fold.rna.RowFill,
// but proceeds diagonal by diagonal instead of row by row.
#pragma once

#include "common/warp.cuh"
#include "fold/rna/narrow_loops.cuh"
#include "fold/rna/narrow_table.cuh"

// The number of candidates per row in shared memory, for short and for longer sequences, and the number of these that
// are always read, even if the row has fewer candidates.
constexpr int32 SHORT_NEAR = 6;
constexpr int32 NARROW_NEAR = 8;
constexpr int32 NARROW_AT_ONCE = 4;
constexpr uint32 NO_CANDIDATE = NARROW_NONE;

// The number of diagonals stored for pairs: seven, from which small loops are read, one that is being written, and one
// that is being cleared.
constexpr int32 NARROW_RECENT_PAIRS = 9;
constexpr uint32 NO_PAIR = static_cast<uint32>(NARROW_NONE) << 16;

// The number of table entries in shared memory: those before the tables of the exterior loop and of small internal
// loops.
constexpr int32 NARROW_TABLES = MISMATCH_EXTERIOR;

__device__ __forceinline__ int32 narrowed(int32 energy) {
    return energy >= NARROW_INFEASIBLE ? NARROW_NONE : energy;
}

// The parts of a block's shared memory, as NarrowFill lays it out, except the multis of short sequences: the number of
// bytes for each word of a diagonal, for each base in `insides`, for each candidate, for each base in all other arrays,
// and for everything else.
constexpr int32 BYTES_OF_WORD = sizeof(uint32) * NARROW_KEPT * NARROW_KINDS;
constexpr int32 INSIDES_OF_BASE = 4 * sizeof(int16);
constexpr int32 BYTES_OF_CANDIDATE = sizeof(uint32);
constexpr int32 BYTES_OF_BASE = sizeof(uint32) * (NARROW_KINDS + NARROW_RECENT_PAIRS)
    + sizeof(int16) * (2 + 2 + 3 + 2 + 1 + 1);
constexpr int32 FIXED_BYTES = sizeof(SizeCosts) * (MAX_INTERNAL + 1) + sizeof(uint32) * 2 * NARROW_KINDS
    + sizeof(int32) * 4 + sizeof(int16) * ((NARROW_TABLES + 1) / 2 * 2 + 1);

// The shared memory of a block, and the functions that fill the table.
//
// SHORT: sequences have at most NARROW_SHORT bases, and their multis are in shared memory, column by column.
template <bool SHORT>
struct NarrowFill {
    static constexpr int32 NEAR = SHORT ? SHORT_NEAR : NARROW_NEAR;

    const NarrowTable& table;
    int32 n;
    int32 half;   // the number of words up to the middle of the sequence
    int32 width_;
    SizeCosts* costs;
    uint32* known;       // pairs with their terms in the energy of a loop, in the layout that best_loops reads
    uint32* best;        // loops of kind k on diagonal d, at (d % 2 * NARROW_KINDS + k) * half
    // pairs on diagonal d, at d % NARROW_RECENT_PAIRS * n: energy << 16 | number of the pair as seen from outside it
    uint32* recent;
    uint32* candidates;  // the first candidates of the table
    int32* counters;     // the numbers of listed pairs on three diagonals
    int32* is_wide;      // whether an energy does not fit in 16 bits
    int16* energies;     // the tables
    int16* severals;     // multiloop parts with at least two branches; diagonal d is at d % 2 * n
    int16* latest;       // multis, in the layout of `severals`
    int16* branches;     // pairs on diagonal d as branches of multiloops, at d % 3 * n
    uint16* listed;      // pairs on diagonal d, at d % 2 * n
    uint16* counts;      // the number of candidates in each row
    uint16* around;      // for each base, three bits each for the previous base, the base itself and the next three
    int16* multis;
    int16* insides;      // as in FoldTable; diagonal d is at d % 4 * n
    int32 closing_cost;
    int32 branch_cost;
    int32 unpaired;
    int32 terminal_cost;
    int32 bulge_one;
    int32 two_three;

    __device__ NarrowFill(const NarrowTable& of, uint8* shared) : table(of) {
        n = table.n;
        half = n / 2 + 1;
        width_ = narrow_width(n);
        costs = reinterpret_cast<SizeCosts*>(shared);
        known = reinterpret_cast<uint32*>(costs + MAX_INTERNAL + 1);
        best = known + NARROW_KEPT * NARROW_KINDS * width();
        recent = best + 2 * NARROW_KINDS * half;
        candidates = recent + NARROW_RECENT_PAIRS * n;
        counters = reinterpret_cast<int32*>(candidates + NEAR * n);
        is_wide = counters + 3;
        energies = reinterpret_cast<int16*>(is_wide + 1);
        severals = energies + (NARROW_TABLES + 1) / 2 * 2;
        latest = severals + 2 * n;
        branches = latest + 2 * n;
        listed = reinterpret_cast<uint16*>(branches + 3 * n);
        counts = listed + 2 * n;
        around = counts + n;
        int16* rest = reinterpret_cast<int16*>(around + n + n % 2);
        multis = SHORT ? rest : table.multis;
        insides = SHORT ? rest + 2 * table.words() : rest;
        const Strand& strand = table.strand;
        closing_cost = strand.closing_cost();
        branch_cost = strand.branch_cost();
        unpaired = strand.unpaired_cost();
        terminal_cost = strand.terminal(PAIRS - 1);
        bulge_one = strand.table(BULGE_SIZES + 1);
        two_three = strand.table(INTERNAL_SIZES + 5) + strand.table(ASYMMETRIES + 1);
    }

    __device__ __forceinline__ int32 width() const {
        return SHORT ? narrow_width(NARROW_SHORT) : width_;
    }

    __device__ __forceinline__ uint32* known_of(int32 diagonal) const {
        return known + diagonal % NARROW_KEPT * (NARROW_KINDS * width());
    }

    __device__ __forceinline__ uint32* best_of(int32 diagonal) const {
        return best + diagonal % 2 * (NARROW_KINDS * half);
    }

    // Returns the pairs on the diagonal that is `before` diagonals earlier than the one at `slot`.
    __device__ __forceinline__ uint32* pairs_of(int32 slot, int32 before) const {
        return recent + (slot - before + (slot < before ? NARROW_RECENT_PAIRS : 0)) * n;
    }

    __device__ __forceinline__ int16* branches_of(int32 diagonal) const {
        return branches + diagonal % 3 * n;
    }

    __device__ __forceinline__ int16* insides_of(int32 diagonal) const {
        return insides + diagonal % 4 * n;
    }

    __device__ __forceinline__ int32 base(int32 i) const {
        return around[i] >> 3 & 7;
    }

    __device__ void begin(const uint8* text) {
        for (int32 size = threadIdx.x; size <= MAX_INTERNAL; size += blockDim.x) {
            costs[size] = size_costs(table.strand.energies.tables, size);
        }
        for (int32 at = threadIdx.x; at < NARROW_TABLES; at += blockDim.x) {
            energies[at] = static_cast<int16>(table.strand.table(at));
        }
        for (int32 at = threadIdx.x; at < NARROW_KEPT * NARROW_KINDS * width(); at += blockDim.x) {
            known[at] = both(NARROW_NONE);
        }
        for (int32 at = threadIdx.x; at < NARROW_RECENT_PAIRS * n; at += blockDim.x) {
            recent[at] = NO_PAIR;
        }
        for (int32 at = threadIdx.x; at < 7 * n; at += blockDim.x) {
            severals[at] = NARROW_NONE;
        }
        if (table.strand.energies.no_lonely_pairs != 0) {
            for (int32 at = threadIdx.x; at < 4 * n; at += blockDim.x) {
                insides[at] = NARROW_NONE;
            }
        }
        for (int32 at = threadIdx.x; at < NEAR * n; at += blockDim.x) {
            candidates[at] = NO_CANDIDATE;
        }
        uint32* pairs = reinterpret_cast<uint32*>(table.pairs);
        for (int32 at = threadIdx.x; at < table.words(); at += blockDim.x) {
            pairs[at] = both(NARROW_NONE);
        }
        for (int32 i = threadIdx.x; i < n; i += blockDim.x) {
            counts[i] = 0;
            uint32 bits = 0;
            for (int32 next = -1; next <= 3; next++) {
                int32 at = i + next;
                bits |= (at >= 0 && at < n ? static_cast<uint32>(base_of(text[at])) : 0u) << (3 * next + 3);
            }
            around[i] = static_cast<uint16>(bits);
            for (int32 j = i; j < min(n, i + MIN_HAIRPIN + 1); j++) {
                multis[multi_place(i, j)] = NARROW_NONE;
            }
        }
        if (threadIdx.x < 4) {
            counters[threadIdx.x] = 0;
        }
    }

    // Finds the best loops for the pairs on a diagonal. Thread t processes the pairs whose midpoint is base t or the
    // gap after it.
    __device__ __forceinline__ void loops(int32 diagonal, int32 thread, LoopsBySize& by_size) {
        int32 x = thread - diagonal / 2;
        if (x >= 0 && 2 * x < n - diagonal) {
            BestLoops loops = best_loops(known + x, width(), diagonal, costs, by_size);
            uint32* to = best_of(diagonal) + x;
            to[0] = loops.bulge;
            to[half] = loops.one;
            to[2 * half] = loops.other;
        }
    }

    // Lists the pairs on a diagonal whose bases can pair, and clears the memory of that diagonal. Only whole warps
    // participate.
    __device__ __forceinline__ void list(int32 diagonal, int32 thread, int32 threads) {
        uint32* words = known_of(diagonal);
        for (int32 at = thread; at < NARROW_KINDS * width(); at += threads) {
            words[at] = both(NARROW_NONE);
        }
        uint32* pairs = pairs_of(diagonal % NARROW_RECENT_PAIRS, 0);
        int16* branch = branches_of(diagonal);
        int32 lane = threadIdx.x % 32;
        for (int32 first = thread - lane; first < n - diagonal; first += threads) {
            int32 i = first + lane;
            bool is_pair = i < n - diagonal;
            if (is_pair) {
                pairs[i] = NO_PAIR;
                branch[i] = NARROW_NONE;
                if (table.strand.energies.no_lonely_pairs != 0) {
                    insides_of(diagonal)[i] = NARROW_NONE;
                }
                is_pair = pair_of(base(i), base(i + diagonal)) > 0;
            }
            uint32 those = __ballot_sync(~0u, is_pair);
            int32 at = 0;
            if (lane == 0 && those != 0) {
                at = atomicAdd(counters + diagonal % 3, __popc(those));
            }
            at = __shfl_sync(~0u, at, 0);
            if (is_pair) {
                listed[diagonal % 2 * n + at + __popc(those & ((1u << lane) - 1))] = static_cast<uint16>(i);
            }
        }
    }

    __device__ __forceinline__ void check(int32 energy) const {
        if (energy < NARROW_LEAST) {
            *is_wide = 1;
        }
    }

    __device__ __forceinline__ int32 half_of(const uint32* words, int32 x, bool is_high) const {
        return reinterpret_cast<const int16*>(words)[2 * x + (is_high ? 1 : 0)];
    }

    __device__ __forceinline__ int32 terminal(int32 pair) const {
        return pair > 2 ? terminal_cost : 0;
    }

    __device__ __forceinline__ int32 large(int32 at) const {
        return __ldg(table.strand.energies.tables + at);
    }

    // The bases of a pair and those next to them.
    struct Ends {
        uint32 first;  // three bits each for a base and its neighbours, as in `around`
        uint32 last;

        // Returns the base that is this many bases after the pair's first base, or before it if the distance is
        // negative.
        __device__ __forceinline__ int32 after(int32 places) const {
            return first >> (3 * places + 3) & 7;
        }

        // Returns the base that is this many bases before the pair's last base, or after it if the distance is
        // negative.
        __device__ __forceinline__ int32 before(int32 places) const {
            return last >> (9 - 3 * places) & 7;
        }
    };

    // Returns the minimum energy of a pair with a bulge of one base, or a loop of up to 2 x 2 or of 2 x 3 bases. All
    // inner pairs are read unconditionally, so that the loads overlap; sums with NARROW_NONE are infeasible.
    __device__ __forceinline__ int32 looked(int32 i, int32 slot, int32 outer, Ends ends) const {
        const uint32* three = pairs_of(slot, 3) + i + 1;
        const uint32* five = pairs_of(slot, 5) + i + 2;
        const uint32* seven = pairs_of(slot, 7) + i + 3;
        int32 bulge_right = three[0];
        int32 bulge_left = three[1];
        int32 one_one = pairs_of(slot, 4)[i + 2];
        int32 one_two = five[0];
        int32 two_one = five[1];
        int32 two_two = pairs_of(slot, 6)[i + 3];
        int32 left_two = seven[0];
        int32 left_three = seven[1];
        int32 a1 = ends.after(1);
        int32 a2 = ends.after(2);
        int32 z1 = ends.before(1);
        int32 z2 = ends.before(2);
        int32 ones = large(INT11 + ((outer * PAIRS + (one_one & 7)) * BASES + a1) * BASES + z1);
        int32 more = large(INT21 + (((outer * PAIRS + (one_two & 7)) * BASES + a1) * BASES + z2) * BASES + z1);
        int32 less = large(INT21 + ((((two_one & 7) * PAIRS + outer) * BASES + z1) * BASES + a1) * BASES + a2);
        int32 twos = large(
            INT22 + ((((outer * PAIRS + (two_two & 7)) * BASES + a1) * BASES + a2) * BASES + z2) * BASES + z1);
        const int16* stack = energies + STACK + outer * PAIRS;
        int32 bulge = min((bulge_right >> 16) + stack[bulge_right & 7], (bulge_left >> 16) + stack[bulge_left & 7]);
        const int16* mismatches = energies + MISMATCH_INTERNAL_23;
        int32 inner = min(
            (left_two >> 16) + mismatches[((left_two & 7) * BASES + ends.before(3)) * BASES + a2],
            (left_three >> 16) + mismatches[((left_three & 7) * BASES + z2) * BASES + ends.after(3)]);
        int32 least = min(bulge + bulge_one, inner + mismatches[(outer * BASES + a1) * BASES + z1] + two_three);
        least = min(least, min((one_one >> 16) + ones, (two_two >> 16) + twos));
        return min(least, min((one_two >> 16) + more, (two_one >> 16) + less));
    }

    // Computes the energy of a pair of two bases that can pair.
    __device__ __forceinline__ void fill_pair(int32 i, int32 diagonal, int32 hairpin_size) {
        int32 j = i + diagonal;
        int32 other = n - 1 - j;
        Ends ends = {around[i], around[j - 2]};
        int32 outer = pair_of(ends.after(0), ends.before(0));
        int32 turned = pair_of(ends.before(0), ends.after(0));
        int32 slot = diagonal % NARROW_RECENT_PAIRS;
        int32 stacked = pairs_of(slot, 2)[i + 1];
        int32 least = looked(i, slot, outer, ends);
        int32 mismatch = (outer * BASES + ends.after(1)) * BASES + ends.before(1);
        bool is_high = other < i;
        int32 x = is_high ? other : i;
        const uint32* found = best_of(diagonal);
        least = min(least, half_of(found, x, is_high) + terminal(outer));
        least = min(least, half_of(found + half, x, is_high) + energies[MISMATCH_INTERNAL_1N + mismatch]);
        least = min(least, half_of(found + 2 * half, x, is_high) + energies[MISMATCH_INTERNAL + mismatch]);
        int32 closed = closing_cost + branch_cost + terminal(turned)
            + energies[MISMATCH_MULTI + (turned * BASES + ends.before(1)) * BASES + ends.after(1)];
        least = min(least, severals[diagonal % 2 * n + i + 1] + closed);
        least = min(least, hairpin(i, j, outer, mismatch, hairpin_size));
        const int16* stack = energies + STACK + outer * PAIRS;
        if (table.strand.energies.no_lonely_pairs != 0) {
            int32 on_stack = insides_of(diagonal - 2)[i + 1] + stack[pair_of(ends.before(1), ends.after(1))];
            int32 either = min(least, on_stack);
            check(either);
            insides_of(diagonal)[i] = static_cast<int16>(narrowed(either));
            least = on_stack;
        } else {
            least = min(least, (stacked >> 16) + stack[stacked & 7]);
        }
        check(least);
        if (least < NARROW_INFEASIBLE) {
            pairs_of(slot, 0)[i] = static_cast<uint32>(least) << 16 | static_cast<uint32>(turned);
            table.pairs[table.pair_place(i, j)] = static_cast<int16>(least);
            if (i > 0 && other > 0) {
                keep(i, diagonal, least, ends);
            }
        }
    }

    // Stores a pair together with its term in the energies of the loops around it.
    __device__ __forceinline__ void keep(int32 i, int32 diagonal, int32 energy, Ends ends) {
        int32 other = n - 1 - i - diagonal;
        int32 inner = pair_of(ends.before(0), ends.after(0));
        int32 outer = pair_of(ends.after(0), ends.before(0));
        int32 beside = (inner * BASES + ends.before(-1)) * BASES + ends.after(-1);
        uint32* to = known_of(diagonal);
        put(to, i, other, energy + terminal(inner));
        put(to + width(), i, other, energy + energies[MISMATCH_INTERNAL_1N + beside]);
        put(to + 2 * width(), i, other, energy + energies[MISMATCH_INTERNAL + beside]);
        int32 branch = energy + branch_cost + terminal(outer)
            + energies[MISMATCH_MULTI + (outer * BASES + ends.after(-1)) * BASES + ends.before(-1)];
        check(branch);
        branches_of(diagonal)[i] = static_cast<int16>(branch);
    }

    __device__ __forceinline__ int32 hairpin(int32 i, int32 j, int32 outer, int32 mismatch, int32 of_size) const {
        int32 size = j - i - 1;
        if (size == 3 || size == 4 || size == 6) {
            int32 key = 0;
            for (int32 at = i; at <= j; at++) {
                key = key << 3 | base(at);
            }
            const Energies& of = table.strand.energies;
            int32 own = special_place(of.specials, of.special_count, key);
            if (own >= 0) {
                return __ldg(of.specials + of.special_count + own);
            }
        }
        return of_size + (size == 3 ? terminal(outer) : energies[MISMATCH_HAIRPIN + mismatch]);
    }

    __device__ __forceinline__ void put(uint32* words, int32 low, int32 high, int32 value) const {
        int16* halves = reinterpret_cast<int16*>(words);
        if (low < width()) {
            halves[2 * low] = static_cast<int16>(value);
        }
        if (high < width()) {
            halves[2 * high + 1] = static_cast<int16>(value);
        }
    }

    __device__ __forceinline__ int32 multi_place(int32 i, int32 j) const {
        return SHORT ? j * (j + 1) / 2 + i : i * n - i * (i + 1) / 2 + j;
    }

    // Returns the total energy of a row's candidate and of the multiloop part that follows it and ends at j.
    __device__ __forceinline__ int32 split_at(uint32 candidate, int32 j) const {
        int32 right = multis[multi_place(static_cast<int32>(candidate >> 16) + 1, j)];
        int32 left = static_cast<int16>(candidate);
        return max(left, right) < NARROW_INFEASIBLE ? left + right : NONE;
    }

    // Returns the minimum energy of a multiloop part from i to j with at least two branches, the first of which is a
    // candidate. If not all candidates are stored, tries all splits.
    __device__ __forceinline__ int32 split(int32 i, int32 j) const {
        int32 least = NONE;
        int32 count = counts[i];
        const uint32* near = candidates + i;
#pragma unroll
        for (int32 c = 0; c < NARROW_AT_ONCE; c++) {
            least = min(least, split_at(near[c * n], j));
        }
        if (count > NARROW_AT_ONCE) {
#pragma unroll
            for (int32 c = NARROW_AT_ONCE; c < NEAR; c++) {
                least = min(least, split_at(near[c * n], j));
            }
            if (count > narrow_candidates(n)) {
                for (int32 k = i + MIN_HAIRPIN + 1; k < j - MIN_HAIRPIN - 1; k++) {
                    uint32 first = static_cast<uint32>(multis[multi_place(i, k)]) & 0xffff;
                    least = min(least, split_at(static_cast<uint32>(k) << 16 | first, j));
                }
            } else {
#pragma unroll 1
                for (int32 c = NEAR; c < count; c++) {
                    least = min(least, split_at(table.candidates[c * n + i], j));
                }
            }
        }
        return least;
    }

    __device__ __forceinline__ void fill_multi(int32 i, int32 diagonal) {
        int32 j = i + diagonal;
        int32 now = diagonal % 2 * n + i;
        int32 before = (diagonal + 1) % 2 * n + i;
        int32 several = min(severals[before + 1] + unpaired, split(i, j));
        int32 least = min(min(latest[before], latest[before + 1]) + unpaired, several);
        int32 branch = branches_of(diagonal)[i];
        if (branch < least && branch < NARROW_INFEASIBLE) {
            least = branch;
            int32 count = counts[i];
            counts[i] = static_cast<uint16>(count + 1);
            uint32 candidate = static_cast<uint32>(j) << 16 | (static_cast<uint32>(branch) & 0xffff);
            if (count < NEAR) {
                candidates[count * n + i] = candidate;
            } else if (count < narrow_candidates(n)) {
                table.candidates[count * n + i] = candidate;
            }
        }
        check(least);
        severals[now] = static_cast<int16>(narrowed(several));
        int16 narrow = static_cast<int16>(narrowed(least));
        latest[now] = narrow;
        multis[multi_place(i, j)] = narrow;
    }

    // Fills the table. Each step finds the loops of a diagonal, pairs the bases of the previous diagonal, and finds the
    // multiloop parts of the diagonal before that, so that the threads synchronize only once per step.
    //
    // loop_threads: the number of threads that find loops: whole warps, with one thread for every two bases. first: the
    // first thread that does the remaining work.
    __device__ void fill(int32 loop_threads, int32 first) {
        LoopsBySize even;
        LoopsBySize odd;
#pragma unroll
        for (int32 size = 0; size <= MAX_INTERNAL; size++) {
            even[size] = both(NARROW_NONE);
            odd[size] = both(NARROW_NONE);
        }
        int32 thread = threadIdx.x;
        int32 threads = blockDim.x - first;
        // diagonal MIN_HAIRPIN has no pairs
        for (int32 diagonal = MIN_HAIRPIN; diagonal <= n; diagonal++) {
            if (thread < loop_threads && diagonal + 1 < n) {
                if (diagonal % 2 == 0) {
                    loops(diagonal + 1, thread, odd);
                } else {
                    loops(diagonal + 1, thread, even);
                }
            }
            if (thread >= first) {
                // the first warp has the most pairs, so the remaining work starts at the last warp
                int32 last = blockDim.x - 1 - thread;
                int32 lane = thread % 32;
                int32 turned = last - last % 32 + lane;
                int32 hairpin_size = __ldg(table.strand.energies.hairpins + diagonal - 1);
                int32 count = counters[diagonal % 3];
                const uint16* list_of = listed + diagonal % 2 * n;
                for (int32 at = thread - first; at < count; at += threads) {
                    fill_pair(list_of[at], diagonal, hairpin_size);
                }
                int32 multis = diagonal > MIN_HAIRPIN + 1 ? n - diagonal + 1 : 0;
                for (int32 i = turned; i < multis; i += threads) {
                    fill_multi(i, diagonal - 1);
                }
                if (diagonal + 1 < n) {
                    list(diagonal + 1, turned, threads);
                }
            }
            if (thread == 0) {
                counters[(diagonal + 2) % 3] = 0;
            }
            __syncthreads();
        }
        if (SHORT) {
            const uint32* from = reinterpret_cast<const uint32*>(multis);
            uint32* to = reinterpret_cast<uint32*>(table.multis);
            for (int32 at = thread; at < table.words(); at += blockDim.x) {
                to[at] = from[at];
            }
        }
    }
};
