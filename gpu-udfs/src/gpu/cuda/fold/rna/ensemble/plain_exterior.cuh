// Computes the exterior loop of dev.bellman.fold.rna.RnaEnsemble for a sequence whose weights all have level 0.
#pragma once

#include "fold/rna/ensemble/plain_table.cuh"

// Computes the weights of the exterior loop for the bases before each base, and for the bases from each base on. As in
// EnsembleTable, threads synchronize once per MIN_HAIRPIN + 1 bases.
template <int32 WIDTH>
class PlainExterior {
public:
    __device__ explicit PlainExterior(PlainTable<WIDTH>& of) : table(of), loops(of.loops), n(of.n) {}

    __device__ void run() {
        int32 own = table.j;
        bool from_end = table.is_second;
        double factor = loops.factor();
        double* sums = table.sums + (from_end ? table.width + 4 : 0);
        double* weights = from_end ? table.suffix : table.prefix;
        double sum = 0;
        double before = 1;
        if (own < n) {
            sums[own + 1] = 0;
        }
        Cells next = cells(0);
        for (int32 first = 0; first <= n; first += AT_ONCE) {
            Cells its = next;
            next = cells(first + AT_ONCE);
            __syncthreads();
#pragma unroll
            for (int32 each = 0; each < AT_ONCE; each++) {
                int32 base = first + each;
                if (base > 0 && base <= n) {
                    before = table.checked(__dadd_rn(sums[base], __dmul_rn(before, factor)));
                }
                if (own == 0 && base <= n) {
                    weights[from_end ? n - base : base] = before;
                }
                if (its.pairs[each] > 0) {
                    sum = __dadd_rn(sum, __dmul_rn(__dmul_rn(before, its.pairs[each]), its.exteriors[each]));
                    sums[own + 1] = sum;
                }
            }
        }
        __syncthreads();
    }

private:
    static constexpr int32 AT_ONCE = MIN_HAIRPIN + 1;

    PlainTable<WIDTH>& table;
    const EnsembleLoops& loops;
    int32 n;

    // Pairs of this thread's base with successive bases, and the weights of these pairs in the exterior loop.
    struct Cells {
        double pairs[AT_ONCE];
        double exteriors[AT_ONCE];
    };

    // Loads the pairs with AT_ONCE bases from `first` on, without a branch for each, so that reads do not wait for each
    // other.
    __device__ __forceinline__ Cells cells(int32 first) const {
        Cells found = {};
        int32 own = table.j;
        if (own < n && own - first > MIN_HAIRPIN) {
#pragma unroll
            for (int32 each = 0; each < AT_ONCE; each++) {
                bool is_cell = own - first - each > MIN_HAIRPIN;
                int32 base = is_cell ? first + each : first;
                int32 i = table.is_second ? n - 1 - own : base;
                int32 column = table.is_second ? n - 1 - base : own;
                double pair = table.pairs[table.place(i, column)];
                found.pairs[each] = is_cell ? pair : 0;
                found.exteriors[each] = loops.exterior(i, column);
            }
        }
        return found;
    }
};
