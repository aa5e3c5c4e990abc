// Sums the weights of the structures that connect two strands, as in dev.bellman.fold.rna.CofoldEnsemble, in one block:
// row by row, with the columns of a row in parallel.
#pragma once

#include "fold/rna/ensemble/ensemble_passes.cuh"

// The strands are concatenated: base j of b is base `nick` + j. A row of the table contains the pairs of a base of a
// with the bases of b. Values with an index per column are at the column of the concatenated strands.
class CofoldPass {
public:
    // - of_a, of_b: the tables of the strands, for which InsidePass and both exterior loops were computed
    // - of_both: the table for the pairs that connect the strands, with a list for the columns of b
    // - turned: the loops of the strands concatenated in the other order
    __device__ CofoldPass(
            const EnsembleTable& of_a, const EnsembleTable& of_b, EnsembleTable& of_both, const EnsembleLoops& turned) :
        a(of_a), b(of_b), table(of_both), loops(of_both.loops), turned_(turned), nick(of_a.n), n(of_both.n) {}

    // Returns the total weight of all structures that connect the strands, in the threads of the last warp.
    __device__ Wide run() {
        table.know(a);
        table.know(b);
        table.clear();
        uint16* of_b = table.listed;
        Wide connected = Wide::none();
        for (int32 i = nick - 1; i >= 0; i--) {
            table.listed = a.listed;
            int32 branches = table.list(i + MIN_HAIRPIN + 1, nick, [&](int32 k) { return is_branch(i, k); });
            table.listed = of_b;
            table.grow<true>(i, nick, n, [&](int32 row, int32 column) { return is_cell(row, column); });
            int32 count = table.list(nick, n, [&](int32 j) {
                bool can_pair = loops.pair(i, j) > 0;
                if (!can_pair) {
                    table.pairs.set(place(i, j), Wide::none());
                    table.branches.set(j, Wide::none());
                    table.keep_none(i, j);
                }
                return can_pair;
            });
            for (int32 at = threadIdx.x; at < count; at += blockDim.x) {
                fill_pair(i, table.listed[at]);
            }
            table.sync();
            if (threadIdx.x < 32) {
                table.scan<1>(table.branches, nick, n - nick);
            }
            if (threadIdx.x + 32 >= blockDim.x) {
                add_connected(connected, count);
            }
            for (int32 j = nick + threadIdx.x; j < n; j += blockDim.x) {
                fill_several(i, j, branches, count);
            }
            table.sync();
            for (int32 j = nick + threadIdx.x; j < n; j += blockDim.x) {
                fill_multi(i, j);
            }
        }
        return connected;
    }

private:
    const EnsembleTable& a;
    const EnsembleTable& b;
    EnsembleTable& table;
    const EnsembleLoops& loops;
    const EnsembleLoops& turned_;
    int32 nick;
    int32 n;

    __device__ __forceinline__ int32 place(int32 i, int32 j) const {
        return i * (n - nick) + j - nick;
    }

    __device__ __forceinline__ bool is_cell(int32 i, int32 j) const {
        return i < nick && j >= nick;
    }

    // Returns whether a pair within a can be a branch of a multiloop. Stores the branch's weight.
    __device__ __forceinline__ bool is_branch(int32 i, int32 k) {
        Wide pair = table.get(a.pairs, a.place(i, k));
        if (pair.value == 0) {
            return false;
        }
        Wide branch = Wide::normal(__dmul_rn(pair.value, a.loops.branch(i, k)), pair.level);
        table.put(a.branches, k, branch);
        return branch.value > 0;
    }

    __device__ void fill_pair(int32 i, int32 j) {
        Wide after = table.get(a.suffix, i + 1);
        Wide before = table.get(b.prefix, j - nick);
        double open = __dmul_rn(__dmul_rn(turned_.exterior(j - nick, n - nick + i), loops.factor()), loops.factor());
        Wide sum = Wide::normal(__dmul_rn(__dmul_rn(after.value, before.value), open), after.level + before.level);
        if (i + 1 < nick && j > nick) {
            add_loops(sum, i, j);
        }
        table.put(table.pairs, place(i, j), sum);
        table.put(table.branches, j, Wide::normal(__dmul_rn(sum.value, loops.branch(i, j)), sum.level));
        table.keep(i, j, sum, loops.branches(i, j));
        before = table.get(a.prefix, i);
        after = table.get(b.suffix, j + 1 - nick);
        Wide ends = Wide::normal(__dmul_rn(before.value, sum.value), before.level + sum.level);
        table.put(table.sums, j,
            {__dmul_rn(__dmul_rn(ends.value, after.value), loops.exterior(i, j)), ends.level + after.level});
    }

    // Adds the loops that do not contain the ends of the strands.
    __device__ __forceinline__ void add_loops(Wide& sum, int32 i, int32 j) const {
        Wide of_kinds[KINDS] = {};
        table.sum_loops<true>(i, j, of_kinds, [&](int32 row, int32 column) { return is_cell(row, column); });
        int32 outer = loops.closes(i, j);
#pragma unroll
        for (int32 kind = 0; kind < KINDS; kind++) {
            sum.add_product(of_kinds[kind].value, loops.end(kind, outer), of_kinds[kind].level);
        }
        Wide small = Wide::none();
#pragma unroll 1
        for (int32 l = 0; l <= min(2, nick - 2 - i); l++) {
#pragma unroll 1
            for (int32 r = 0; r <= min(2, j - 1 - nick); r++) {
                // bulges of two bases are computed as products
                if (l + r != 2 || l == r) {
                    int32 p = i + 1 + l;
                    int32 q = j - 1 - r;
                    Wide inner = table.get(table.pairs, place(p, q));
                    if (inner.value > 0) {
                        small.add_product(inner.value, loops.small(i, j, p, q), inner.level);
                    }
                }
            }
        }
        sum.add(small);
        Wide inner = table.get(table.several, j - 1);
        sum.add_product(inner.value, loops.closing(i, j), inner.level);
        sum.normalize();
    }

    // Adds the listed pairs as the branches of the exterior loop that connect the strands, in the order of the columns.
    __device__ void add_connected(Wide& connected, int32 count) const {
        int32 lane = threadIdx.x % 32;
        for (int32 first = 0; first < count; first += 32) {
            Wide own = first + lane < count ? table.get(table.sums, table.listed[first + lane]) : Wide::none();
#pragma unroll 4
            for (int32 other = 0; other < min(32, count - first); other++) {
                connected.add(__shfl_sync(~0u, own.value, other), __shfl_sync(~0u, own.level, other));
                connected.normalize();
            }
        }
    }

    // Computes the weight of the multiloop parts from i to j with at least two branches, as InsidePass does. The first
    // branch is within a and precedes a part that connects the strands, or it connects the strands and precedes a part
    // within b.
    __device__ void fill_several(int32 i, int32 j, int32 branches, int32 count) {
        Wide sum = table.get(table.several, j);
        sum.scale(table.unpaired);
        table.add_products(sum, table.multis, a.branches, 0, branches, 1, [&](int32 at) {
            int32 k = a.listed[at];
            return make_int2(place(k + 1, j), k);
        });
        int32 behind = table.listed_before(j - MIN_HAIRPIN - 1, count);
        table.add_products(sum, b.multis, table.branches, 0, behind, 1, [&](int32 at) {
            int32 k = table.listed[at];
            return make_int2(b.place(k + 1 - nick, j - nick), k);
        });
        table.put(table.several, j, sum);
    }

    __device__ void fill_multi(int32 i, int32 j) {
        Wide sum = table.get(table.one, j);
        sum.scale(table.unpaired);
        sum.add(table.get(table.ends, j));
        table.put(table.one, j, sum);
        sum.normalize();
        sum.add(table.get(table.several, j));
        sum.normalize();
        table.put(table.multis, place(i, j), sum);
    }
};
