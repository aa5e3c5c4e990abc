// Runs both passes of dev.bellman.fold.rna.RnaEnsemble in one block: row by row, as in that class, with the columns of
// a row in parallel.
#pragma once

#include "fold/rna/ensemble/ensemble_table.cuh"

// The number of partial sums of products; equal to WideRow.LANES.
constexpr int32 LANES = 8;

// Returns the first thread that does work other than the first warp's. If a block consists of only the first warp, that
// warp does all work.
__device__ __forceinline__ int32 beside_first_warp() {
    return blockDim.x > 32 ? 32 : 0;
}

// Computes the weights of all structures for each segment of the sequence, from the last row to the first.
class InsidePass {
public:
    __device__ explicit InsidePass(EnsembleTable& of) : table(of), loops(of.loops), n(of.n) {}

    __device__ void run() {
        for (int32 i = n - 1; i >= 0; i--) {
            table.grow<true>(i, i + MIN_HAIRPIN + 1, n, is_cell);
            int32 count = table.list(i + MIN_HAIRPIN + 1, n, [&](int32 j) {
                bool can_pair = loops.pair(i, j) > 0;
                if (!can_pair) {
                    table.pairs.set(table.place(i, j), Wide::none());
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
                table.scan<1>(table.branches, i + MIN_HAIRPIN + 1, n - i - MIN_HAIRPIN - 1);
            }
            int32 others = beside_first_warp();
            int32 first = i + MIN_HAIRPIN + 1 + static_cast<int32>(threadIdx.x) - others;
            for (int32 j = first; j < n && static_cast<int32>(threadIdx.x) >= others; j += blockDim.x - others) {
                fill_several(i, j, count);
            }
            table.sync();
            for (int32 j = i + MIN_HAIRPIN + 1 + threadIdx.x; j < n; j += blockDim.x) {
                fill_multi(i, j);
            }
        }
        table.sync();
    }

private:
    EnsembleTable& table;
    const EnsembleLoops& loops;
    int32 n;

    static __device__ __forceinline__ bool is_cell(int32 i, int32 j) {
        return j - i > MIN_HAIRPIN;
    }

    __device__ void fill_pair(int32 i, int32 j) {
        Wide sum = loops.hairpin(i, j);
        Wide of_kinds[KINDS] = {};
        table.sum_loops<true>(i, j, of_kinds, is_cell);
        int32 outer = loops.closes(i, j);
#pragma unroll
        for (int32 kind = 0; kind < KINDS; kind++) {
            sum.add_product(of_kinds[kind].value, loops.end(kind, outer), of_kinds[kind].level);
        }
        Wide small = Wide::none();
#pragma unroll 1
        for (int32 l = 0; l <= 2; l++) {
#pragma unroll 1
            for (int32 r = 0; r <= 2; r++) {
                int32 p = i + 1 + l;
                int32 q = j - 1 - r;
                // bulges of two bases are computed as products
                if ((l + r != 2 || l == r) && q - p > MIN_HAIRPIN) {
                    Wide inner = table.get(table.pairs, table.place(p, q));
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
        table.put(table.pairs, table.place(i, j), sum);
        table.put(table.branches, j, Wide::normal(__dmul_rn(sum.value, loops.branch(i, j)), sum.level));
        table.keep(i, j, sum, loops.branches(i, j));
    }

    // Computes the weight of the multiloop parts from i to j with at least two branches (`several`). Either base i is
    // unpaired and precedes such a part of the row below, or a branch from i to k precedes a part with at least one
    // branch (`multis`) of row k + 1. The branches of this row must be listed first.
    __device__ void fill_several(int32 i, int32 j, int32 count) {
        Wide sum = table.get(table.several, j);
        sum.scale(table.unpaired);
        int32 behind = table.listed_before(j - MIN_HAIRPIN - 1, count);
        table.add_products(sum, table.multis, table.branches, 0, behind, 1, [&](int32 at) {
            int32 k = table.listed[at];
            return make_int2(table.place(k + 1, j), k);
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
        table.put(table.multis, table.place(i, j), sum);
    }
};

// Computes the derivatives of the total weight with respect to the weight of each segment, from the first row to the
// last.
class OutsidePass {
public:
    __device__ explicit OutsidePass(EnsembleTable& of) : table(of), loops(of.loops), n(of.n) {}

    __device__ void run() {
        table.clear();
        Wide whole = table.get(table.prefix, n);
        for (int32 i = 0; i < n; i++) {
            grow_multis(i);
            table.grow<false>(i, i + MIN_HAIRPIN + 1, n, IsCell{n});
            int32 count = table.list(i + MIN_HAIRPIN + 1, n, [&](int32 j) {
                bool is_pair = table.pairs.values[table.place(i, j)] > 0;
                if (!is_pair) {
                    table.grown.set(recent(i, j), Wide::none());
                    table.multis.values[table.place(i, j)] = 0;
                    table.keep_none(i, j);
                }
                return is_pair;
            });
            if (threadIdx.x < 32) {
                table.scan<-1>(table.one, n - 1, n - i - MIN_HAIRPIN - 1);
            }
            sum_products(i, count);
            table.sync();
            for (int32 at = threadIdx.x; at < count; at += blockDim.x) {
                grow_pair(i, table.listed[at], whole);
            }
        }
        table.sync();
    }

private:
    EnsembleTable& table;
    const EnsembleLoops& loops;
    int32 n;

    // Whether the entry of a surrounding pair exists.
    struct IsCell {
        int32 n;

        __device__ __forceinline__ bool operator()(int32 i, int32 j) const {
            return i >= 0 && j < n;
        }
    };

    __device__ __forceinline__ int64 recent(int32 i, int32 j) const {
        return static_cast<int64>(i % RECENT) * n + j;
    }

    // Processes the multiloop parts that start at i: first those that follow a pair that ends at i - 1, then the
    // others.
    __device__ void grow_multis(int32 i) {
        int32 count = table.list(1, i - MIN_HAIRPIN - 1, [&](int32 row) {
            Wide branch = table.get(table.pairs, table.place(row, i - 1));
            table.branches.set(row, branch);
            return branch.value > 0;
        });
        for (int32 j = i + MIN_HAIRPIN + 1 + threadIdx.x; j < n; j += blockDim.x) {
            Wide multi = Wide::none();
            table.add_products(multi, table.severals, table.branches, 0, count, 1, [&](int32 at) {
                int32 row = table.listed[at];
                return make_int2(table.place(row, j), row);
            });
            multi.normalize();
            Wide one = table.get(table.one, j);
            Wide several = table.get(table.several, j);
            if (i > 0) {
                one.scale(table.unpaired);
                several.scale(table.unpaired);
                add_closing(several, i - 1, j + 1);
            }
            one.add(multi);
            several.add(multi);
            several.normalize();
            table.put(table.one, j, one);
            table.put(table.several, j, several);
            table.put(table.severals, table.place(i, j), several);
        }
    }

    // Adds the multiloop that a pair closes.
    __device__ __forceinline__ void add_closing(Wide& several, int32 i, int32 j) const {
        if (j < n) {
            Wide pair = table.get(table.grown, recent(i, j));
            if (pair.value > 0) {
                several.add_product(pair.value, loops.closing(i, j), pair.level);
            }
        }
    }

    // For each listed pair, multiplies the value of each multiloop part after the pair by the value of the part around
    // both, and sums these products. Uses LANES threads per pair.
    __device__ void sum_products(int32 i, int32 count) {
        int32 others = beside_first_warp();
        int32 lane = threadIdx.x % LANES;
        int32 worker = (static_cast<int32>(threadIdx.x) - others) / 32 * (32 / LANES);
        int32 workers = (static_cast<int32>(blockDim.x) - others) / LANES;
        if (static_cast<int32>(threadIdx.x) < others) {
            return;
        }
        for (int32 first = worker; first < count; first += workers) {
            int32 at = first + threadIdx.x % 32 / LANES;
            int32 j = at < count ? table.listed[at] : n;
            Wide sum = Wide::none();
            int32 row = table.place(j + 1, j + 1);
            // shorter parts do not contain a branch
            int32 shortest = lane > MIN_HAIRPIN ? lane : lane + LANES;
            table.add_products(sum, table.several, table.multis, shortest, n - j - 1, LANES, [&](int32 k) {
                return make_int2(j + 1 + k, row + k);
            });
            for (int32 half = LANES / 2; half > 0; half /= 2) {
                double value = __shfl_xor_sync(~0u, sum.value, half);
                sum.add(value, __shfl_xor_sync(~0u, sum.level, half));
            }
            if (lane == 0 && at < count) {
                table.put(table.sums, j, sum);
            }
        }
    }

    __device__ void grow_pair(int32 i, int32 j, Wide whole) {
        Wide inside = table.get(table.pairs, table.place(i, j));
        Wide sum = grown_by_small(i, j);
        double branch = loops.branch(i, j);
        if (branch > 0) {
            Wide multi = table.get(table.ends, j);
            multi.normalize();
            multi.add(table.get(table.sums, j));
            sum.add_product(multi.value, branch, multi.level);
        }
        sum.normalize();
        Wide before = table.get(table.prefix, i);
        Wide behind = table.get(table.suffix, j + 1);
        double around = __dmul_rn(before.value, behind.value);
        Wide rest = {__dmul_rn(around, loops.exterior(i, j)), before.level + behind.level};
        Wide of_kinds[KINDS] = {};
        table.sum_loops<false>(i, j, of_kinds, IsCell{n});
        int32 seen = loops.branches(i, j);
#pragma unroll
        for (int32 kind = 0; kind < KINDS; kind++) {
            rest.add_product(of_kinds[kind].value, loops.end(kind, seen), of_kinds[kind].level);
        }
        sum.add(rest);
        sum.normalize();
        table.put(table.grown, recent(i, j), sum);
        table.keep(i, j, sum, loops.closes(i, j));
        table.put(table.pairs, table.place(i, j), Wide::normal(__dmul_rn(inside.value, branch), inside.level));
        double p = Wide::normal(__dmul_rn(sum.value, __ddiv_rn(inside.value, whole.value)),
            sum.level + inside.level - whole.level).plain();
        table.multis.values[table.place(i, j)] = p;
        table.add_probability(j, p);
    }

    // Returns the derivative that reaches a pair from the pairs around it through stacks and other small loops.
    __device__ Wide grown_by_small(int32 p, int32 q) const {
        Wide sum = Wide::none();
#pragma unroll 1
        for (int32 l = 2; l >= 0; l--) {
#pragma unroll 1
            for (int32 r = 0; r <= 2; r++) {
                int32 i = p - 1 - l;
                int32 j = q + 1 + r;
                if ((l + r != 2 || l == r) && i >= 0 && j < n) {
                    Wide outer = table.get(table.grown, recent(i, j));
                    if (outer.value > 0) {
                        sum.add_product(outer.value, loops.small(i, j, p, q), outer.level);
                    }
                }
            }
        }
        return sum;
    }
};
