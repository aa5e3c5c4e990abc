// Fills a folding table with 16-bit energies, with one block. The algorithm is that of dev.bellman.fold.rna.RowFill,
// but proceeds diagonal by diagonal instead of row by row.
#pragma once

#include "common/warp.cuh"
#include "fold/rna/narrow_splits.cuh"

// The functions that fill the table.
template <bool SHORT, int32 BLOCKS>
struct NarrowFill {
    using Number = typename NarrowMemory<SHORT, BLOCKS>::Number;
    static constexpr int32 OFFSET = NarrowMemory<SHORT, BLOCKS>::OFFSET;

    const NarrowTable& table;
    const NarrowMemory<SHORT, BLOCKS>& memory;
    NarrowSplits<SHORT, BLOCKS> splits;
    int32 n;
    int32 closing_cost;
    int32 branch_cost;
    int32 unpaired;
    int32 terminal_cost;
    int32 bulge_one;
    int32 two_three;

    __device__ NarrowFill(const NarrowTable& of, const NarrowMemory<SHORT, BLOCKS>& its) :
            table(of), memory(its), splits{of, its}, n(of.n) {
        const Strand& strand = table.strand;
        closing_cost = strand.closing_cost() + 2 * OFFSET;
        branch_cost = strand.branch_cost();
        unpaired = strand.unpaired_cost() + OFFSET;
        terminal_cost = strand.terminal(PAIRS - 1);
        bulge_one = strand.table(BULGE_SIZES + 1) + 3 * OFFSET;
        two_three = strand.table(INTERNAL_SIZES + 5) + strand.table(ASYMMETRIES + 1) + 7 * OFFSET;
    }

    // Whether two bases can pair. The constant has a bit for each pair.
    static __device__ __forceinline__ bool can_pair(int32 x, int32 y) {
        constexpr uint32 PAIRABLE = 1 << 9 | 1 << 13 | 1 << 17 | 1 << 19 | 1 << 21 | 1 << 23;
        return (PAIRABLE >> (BASES * x + y) & 1) != 0;
    }

    // Finds loops for the pairs on a diagonal, either large or small loops; the small ones complete the best loops. The
    // threads of a group process the midpoints of pairs from the middle of the sequence to its first base.
    template <bool LARGE>
    __device__ __forceinline__ void loops(int32 diagonal, int32 thread, LoopsBySize& by_size, BestLoops& best_loops) {
        int32 midpoint = min((n - 1) / 2, (memory.rank + 1) * memory.midpoints - 1) - thread;
        int32 x = midpoint - diagonal / 2;
        if (x < 0 || 2 * x >= n - diagonal || (BLOCKS > 1 && midpoint < memory.rank * memory.midpoints)) {
            return;
        }
        int32 word = BLOCKS == 1 ? x : midpoint - memory.first_of(memory.rank);
        if (LARGE) {
            large_loops<(BLOCKS > 1)>(memory.known, word, diagonal, memory.costs, by_size, best_loops);
        } else {
            small_loops<(BLOCKS > 1)>(memory.known, word, diagonal, memory.costs, by_size, best_loops);
            uint32* to = memory.best_of(diagonal) + x;
            memory.share(to, best_loops.bulge);
            memory.share(to + memory.half(), best_loops.one);
            memory.share(to + 2 * memory.half(), best_loops.other);
        }
    }

    // Clears the memory of a diagonal, and lists the pairs on it whose bases can pair. Only whole warps participate.
    __device__ __forceinline__ void list(int32 diagonal, int32 thread, int32 threads) const {
        uint32* words = memory.known_of(diagonal);
#pragma unroll 1
        for (int32 x = thread; x < memory.width; x += threads) {
#pragma unroll
            for (int32 kind = 0; kind < NARROW_KINDS; kind++) {
                words[x * NARROW_PITCH + kind] = both(NARROW_NONE);
            }
        }
        int32 lane = threadIdx.x % 32;
#pragma unroll 1
        for (int32 first = thread - lane; first < n - diagonal; first += threads) {
            list_warp(diagonal, first + lane);
        }
    }

    // Lists the pair that begins at base i, if its bases can pair. A whole warp must call this.
    __device__ __forceinline__ void list_warp(int32 diagonal, int32 i) const {
        int32 lane = threadIdx.x % 32;
        bool is_pair = i < n - diagonal;
        if (is_pair) {
            *memory.pair_at(diagonal % NARROW_RECENT_PAIRS, 0, i) = NO_PAIR;
            memory.branches_of(diagonal)[i] = NARROW_NONE;
            if (table.strand.energies.no_lonely_pairs != 0) {
                memory.insides_of(diagonal)[i] = NARROW_NONE;
            }
            is_pair = i / 32 % BLOCKS == memory.rank && can_pair(memory.base(i), memory.base(i + diagonal));
        }
        uint32 those = __ballot_sync(~0u, is_pair);
        int32 at = 0;
        if (lane == 0 && those != 0) {
            at = atomicAdd(memory.counters + diagonal % 3, __popc(those));
        }
        at = __shfl_sync(~0u, at, 0);
        if (is_pair) {
            at += __popc(those & ((1u << lane) - 1));
            memory.listed[diagonal % 2 * memory.pitch() + at] = static_cast<Number>(i);
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
        constexpr int32 NEXT = NARROW_RECENT_PAIRS;  // from a pair to the one that begins at the next base
        const uint32* three = memory.pair_at(slot, 3, i) + NEXT;
        const uint32* five = memory.pair_at(slot, 5, i) + 2 * NEXT;
        const uint32* seven = memory.pair_at(slot, 7, i) + 3 * NEXT;
        int32 bulge_right = three[0];
        int32 bulge_left = three[NEXT];
        int32 one_one = memory.pair_at(slot, 4, i)[2 * NEXT];
        int32 one_two = five[0];
        int32 two_one = five[NEXT];
        int32 two_two = memory.pair_at(slot, 6, i)[3 * NEXT];
        int32 left_two = seven[0];
        int32 left_three = seven[NEXT];
        int32 a1 = ends.after(1);
        int32 a2 = ends.after(2);
        int32 z1 = ends.before(1);
        int32 z2 = ends.before(2);
        int32 ones = large(INT11 + ((outer * PAIRS + (one_one & 7)) * BASES + a1) * BASES + z1);
        int32 more = large(INT21 + (((outer * PAIRS + (one_two & 7)) * BASES + a1) * BASES + z2) * BASES + z1);
        int32 less = large(INT21 + ((((two_one & 7) * PAIRS + outer) * BASES + z1) * BASES + a1) * BASES + a2);
        int32 twos = large(
            INT22 + ((((outer * PAIRS + (two_two & 7)) * BASES + a1) * BASES + a2) * BASES + z2) * BASES + z1);
        const int16* stack = memory.energies + STACK + outer * PAIRS;
        int32 bulge = min((bulge_right >> 16) + stack[bulge_right & 7], (bulge_left >> 16) + stack[bulge_left & 7]);
        const int16* mismatches = memory.energies + MISMATCH_INTERNAL_23;
        int32 inner = min(
            (left_two >> 16) + mismatches[((left_two & 7) * BASES + ends.before(3)) * BASES + a2],
            (left_three >> 16) + mismatches[((left_three & 7) * BASES + z2) * BASES + ends.after(3)]);
        int32 least = min(bulge + bulge_one, inner + mismatches[(outer * BASES + a1) * BASES + z1] + two_three);
        least = min(least, min((one_one >> 16) + ones + 4 * OFFSET, (two_two >> 16) + twos + 6 * OFFSET));
        return min(least, min((one_two >> 16) + more, (two_one >> 16) + less) + 5 * OFFSET);
    }

    // Computes the energy of a pair of two bases that can pair.
    __device__ __forceinline__ void fill_pair(int32 i, int32 diagonal) {
        int32 j = i + diagonal;
        int32 other = n - 1 - j;
        Ends ends = {memory.around[i], memory.around[j - 2]};
        int32 outer = pair_of(ends.after(0), ends.before(0));
        int32 turned = pair_of(ends.before(0), ends.after(0));
        int32 slot = diagonal % NARROW_RECENT_PAIRS;
        int32 stacked = memory.pair_at(slot, 2, i)[NARROW_RECENT_PAIRS];
        int32 least = looked(i, slot, outer, ends);
        int32 mismatch = (outer * BASES + ends.after(1)) * BASES + ends.before(1);
        bool is_high = other < i;
        int32 x = is_high ? other : i;
        const uint32* bulges = memory.best_of(diagonal);
        const uint32* ones = bulges + memory.half();
        const uint32* others = ones + memory.half();
        least = min(least, half_of(bulges, x, is_high) + terminal(outer));
        least = min(least, half_of(ones, x, is_high) + memory.energies[MISMATCH_INTERNAL_1N + mismatch]);
        least = min(least, half_of(others, x, is_high) + memory.energies[MISMATCH_INTERNAL + mismatch]);
        int32 closed = closing_cost + branch_cost + terminal(turned)
            + memory.energies[MISMATCH_MULTI + (turned * BASES + ends.before(1)) * BASES + ends.after(1)];
        least = min(least, memory.severals_of(diagonal - 2)[i + 1] + closed);
        least = min(least, hairpin(i, j, outer, mismatch) + OFFSET * (diagonal + 1));
        const int16* stack = memory.energies + STACK + outer * PAIRS;
        if (table.strand.energies.no_lonely_pairs != 0) {
            int32 on_stack =
                memory.insides_of(diagonal - 2)[i + 1] + stack[pair_of(ends.before(1), ends.after(1))] + 2 * OFFSET;
            int32 either = min(least, on_stack);
            memory.check(either, NONE);
            memory.share(memory.insides_of(diagonal) + i, static_cast<int16>(narrowed(either)));
            memory.check(on_stack, NARROW_NONE - NARROW_PARAMETER);
            least = on_stack;
        } else {
            least = min(least, (stacked >> 16) + stack[stacked & 7] + 2 * OFFSET);
            memory.check(least, NONE);
        }
        if (least < NARROW_INFEASIBLE) {
            memory.share(memory.pair_at(slot, 0, i), static_cast<uint32>(least) << 16 | static_cast<uint32>(turned));
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
        uint32* to = memory.known_of(diagonal);
        int32 energies[] = {
            energy + terminal(inner),
            energy + memory.energies[MISMATCH_INTERNAL_1N + beside],
            energy + memory.energies[MISMATCH_INTERNAL + beside]};
#pragma unroll
        for (int32 kind = 0; kind < NARROW_KINDS; kind++) {
            memory.put(to + kind, diagonal, i, 0, energies[kind]);
            memory.put(to + kind, diagonal, other, 1, energies[kind]);
        }
        int32 branch = energy + branch_cost + terminal(outer)
            + memory.energies[MISMATCH_MULTI + (outer * BASES + ends.after(-1)) * BASES + ends.before(-1)];
        memory.check(branch, NONE);
        memory.share(memory.branches_of(diagonal) + i, static_cast<int16>(branch));
    }

    __device__ __forceinline__ int32 hairpin(int32 i, int32 j, int32 outer, int32 mismatch) const {
        int32 size = j - i - 1;
        if (size == 3 || size == 4 || size == 6) {
            int32 key = 0;
            for (int32 at = i; at <= j; at++) {
                key = key << 3 | memory.base(at);
            }
            const Energies& of = table.strand.energies;
            int32 own = special_place(of.specials, of.special_count, key);
            if (own >= 0) {
                return __ldg(of.specials + of.special_count + own);
            }
        }
        return __ldg(table.strand.energies.hairpins + size)
            + (size == 3 ? terminal(outer) : memory.energies[MISMATCH_HAIRPIN + mismatch]);
    }

    __device__ __forceinline__ void fill_multi(int32 i, int32 diagonal) {
        int32 j = i + diagonal;
        int32 now = diagonal % 2 * memory.pitch() + i;
        int32 before = (diagonal + 1) % 2 * memory.pitch() + i;
        int32 count = memory.counts[before];
        int32 apart = SHORT ? splits.least(i, j, count) : memory.severals_of(diagonal)[i];
        int32 several = min(memory.severals_of(diagonal - 1)[i + 1] + unpaired, apart);
        int32 shorter = SHORT ? min(*memory.multi(i, j - 1), *memory.multi(i + 1, j))
                              : min(memory.latest[before], memory.latest[before + 1]);
        int32 least = min(shorter + unpaired, several);
        int32 branch = memory.branches_of(diagonal)[i];
        if (branch < least && branch < NARROW_INFEASIBLE) {
            least = branch;
            uint32 candidate = splits.candidate(j, branch);
            int32 stored = narrow_candidates(n);
            if (SHORT && count < SHORT_NEAR) {
                memory.near[count * NARROW_SHORT + i] = candidate;
            } else if (count < stored) {
                table.candidates[i * stored + count] = candidate;
            }
            count++;
        }
        memory.counts[now] = static_cast<Number>(count);
        memory.check(least, NARROW_NONE - NARROW_PARAMETER);
        if (OFFSET != 0) {
            memory.check(several, NARROW_NONE - NARROW_PARAMETER);
        }
        memory.share(memory.severals_of(diagonal) + i, static_cast<int16>(narrowed(several)));
        int16 narrow = static_cast<int16>(narrowed(least));
        if (!SHORT) {
            memory.share(memory.latest + now, narrow);
        }
        *memory.multi(i, j) = narrow;
    }

    // Fills the table. Each step finds loops of the next two diagonals, pairs the bases of a diagonal, and finds the
    // multiloop parts of the diagonal before it. Separate warps do these three things at the same time, so that the
    // threads synchronize only once per step.
    //
    // - loop_threads: the number of threads that find the loops of the even diagonals, which is also the number of
    //   those for the odd diagonals: whole warps, with one thread for every two bases
    // - pair_threads: the number of the next threads, which pair bases; the rest find multiloop parts
    __device__ void fill(int32 loop_threads, int32 pair_threads) {
        int32 thread = static_cast<int32>(threadIdx.x) - 2 * loop_threads;
        if (thread < 0) {
            fill_loops(loop_threads);
        } else if (thread < pair_threads) {
            fill_pairs(thread, pair_threads);
        } else {
            fill_multis(thread - pair_threads, blockDim.x - 2 * loop_threads - pair_threads);
        }
        __syncthreads();
        if (SHORT) {
            const uint32* from = reinterpret_cast<const uint32*>(memory.multis);
            uint32* to = reinterpret_cast<uint32*>(table.multis);
            for (int32 at = threadIdx.x; at < table.multi_words(); at += blockDim.x) {
                to[at] = from[at];
            }
        }
    }

    // Finds the large loops two steps before the pairs that close them, and the small loops one step before.
    __device__ __forceinline__ void fill_loops(int32 loop_threads) {
        LoopsBySize by_size;
#pragma unroll
        for (int32 size = 0; size <= MAX_INTERNAL; size++) {
            by_size[size] = both(NARROW_NONE);
        }
        BestLoops best = {by_size[0], by_size[0], by_size[0]};
        int32 parity = threadIdx.x < loop_threads ? 0 : 1;
        int32 own = static_cast<int32>(threadIdx.x) - parity * loop_threads;
        // diagonal MIN_HAIRPIN has no pairs
#pragma unroll 1
        for (int32 diagonal = MIN_HAIRPIN; diagonal <= n; diagonal++) {
            if (!SHORT) {
                // the last warps of both groups find loops of the fewest diagonals, so they are the first to list pairs
                int32 lane = threadIdx.x % 32;
                list(diagonal + 1, 2 * (loop_threads - 32 - own + lane) + 32 * parity + lane, 2 * loop_threads);
            }
            if ((diagonal + 1) % 2 == parity) {
                loops<false>(diagonal + 1, own, by_size, best);
            } else {
                loops<true>(diagonal + 2, own, by_size, best);
            }
            memory.synchronize();
        }
    }

    __device__ __forceinline__ void fill_pairs(int32 thread, int32 threads) {
#pragma unroll 1
        for (int32 diagonal = MIN_HAIRPIN; diagonal <= n; diagonal++) {
            int32 count = memory.counters[diagonal % 3];
            const Number* listed = memory.listed + diagonal % 2 * memory.pitch();
#pragma unroll 1
            for (int32 at = thread; at < count; at += threads) {
                fill_pair(listed[at], diagonal);
            }
            if (thread == 0) {
                memory.counters[(diagonal + 2) % 3] = 0;
            }
            memory.synchronize();
        }
    }

    // Finds the multiloop parts one step after the pairs on their diagonal, and those with at least two branches up to
    // three steps earlier. For short sequences, these threads also list pairs; for longer ones, the threads that find
    // loops have more time.
    __device__ __forceinline__ void fill_multis(int32 thread, int32 threads) {
#pragma unroll 1
        for (int32 diagonal = MIN_HAIRPIN; diagonal <= n; diagonal++) {
            if (diagonal > MIN_HAIRPIN + 1) {
#pragma unroll 1
                for (int32 i = memory.own(thread, 32); i <= n - diagonal; i += BLOCKS * threads) {
                    fill_multi(i, diagonal - 1);
                }
            }
            if (SHORT) {
                list(diagonal + 1, thread, threads);
                memory.synchronize();
                continue;
            }
            // the last warps have fewer multis to fill
            int32 first = 4 * memory.own(threads - 1 - thread, 8) + (-diagonal & 3);
#pragma unroll 1
            for (int32 i = first; i < n - diagonal; i += 4 * BLOCKS * threads) {
                splits.fill(i, diagonal);
            }
            memory.synchronize();
        }
    }
};
