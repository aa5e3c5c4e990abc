// Runs both passes of dev.bellman.fold.rna.RnaEnsemble for a sequence whose weights all have level 0. The first threads
// of the columns compute parts of multiloops, and the second threads compute the listed pairs.
#pragma once

#include "fold/rna/ensemble/plain_table.cuh"

// Computes multiloop parts with one branch, which begins at the first base of a row, for the columns from `from` up to
// but excluding `behind`, in the order of the pass. `end` is the value of the last column.
template <int32 STEP, int32 WIDTH>
__device__ __forceinline__ void scan_ends(
        PlainTable<WIDTH>& table, double* row, int32 from, int32 behind, double& end) {
#pragma unroll 4
    for (int32 column = from; STEP * column < STEP * behind; column += STEP) {
        end = __dadd_rn(table.checked(__dmul_rn(end, table.unpaired)), row[column]);
        row[column] = end;
    }
}

// Adds the products of the first `count` listed branches and the entries in this thread's column of their rows.
template <int32 WIDTH>
__device__ __forceinline__ double add_listed(
        const PlainTable<WIDTH>& table, double sum, const double* entries, int32 count) {
    const double* column = entries + table.j;
#pragma unroll 1
    for (int32 first = 0; first < count; first += UNROLLED) {
        double products[UNROLLED];
#pragma unroll
        for (int32 each = 0; each < UNROLLED; each++) {
            products[each] = first + each < count ? column[table.places[first + each]] : 0;
        }
#pragma unroll
        for (int32 each = 0; each < UNROLLED; each++) {
            sum = __fma_rn(products[each], table.branches[first + each], sum);
        }
    }
    return sum;
}

// Returns the row of a batch whose ends this thread scans; only the last threads of a block scan ends.
__device__ __forceinline__ int32 row_to_scan() {
    return static_cast<int32>(blockDim.x) - 1 - static_cast<int32>(threadIdx.x);
}

// Computes the weights of all structures for each segment of the sequence, from the last row to the first.
template <int32 WIDTH>
class PlainInside {
public:
    __device__ explicit PlainInside(PlainTable<WIDTH>& of) : table(of), weights(of.weights), n(of.n), j(of.j) {}

    __device__ void run() {
        table.list(n - 1);
#pragma unroll 1
        for (int32 first = n - 1; first >= 0; first -= TOGETHER) {
            table.template sum_loops<true>(first);
            __syncthreads();
#pragma unroll 1
            for (int32 a = 0; a < TOGETHER && a <= first; a++) {
                fill_row(a, first - a, first + TOGETHER < n ? first + TOGETHER : -1);
            }
            table.finish_batch();
        }
    }

private:
    PlainTable<WIDTH>& table;
    const PlainWeights& weights;
    int32 n;
    int32 j;
    double several_ = 0;
    double one_ = 0;
    double end_ = 0;

    // Computes row i, the a-th row of its batch.
    //
    // - last: the first row of the last batch, whose multiloop parts are completed; negative if there is none
    __device__ __forceinline__ void fill_row(int32 a, int32 i, int32 last) {
        int32 count = table.count_partners(i, i + MIN_HAIRPIN + 1, n);
        bool is_pair = table.is_second && j < count;
        int32 column = is_pair ? table.listed[j] : 0;
        Parts parts;
        if (is_pair) {
            parts = parts_of(a, i, column);
        }
        table.template sum_small<true>(i, count);
        if (last >= 0 && a < TOGETHER - 1) {
            scan(a, last);
        } else if (last >= 0) {
            fill_multis(last);
        }
        fill_several(i + 1);
        if (a == 0) {
            table.make_room(i + MIN_HAIRPIN + 2);
        }
        __syncthreads();
        double* ends = table.ends(i + a) + a * table.width;
        if (is_pair) {
            fill_pair(a, i, column, parts, ends);
        }
        if (!table.is_second && j < n && j - i > MIN_HAIRPIN && weights.pair(i, j) == 0) {
            ends[j] = 0;
            table.pairs[table.place(i, j)] = 0;
            table.keep_none(a, i);
        }
        table.list(i - 1);
        __syncthreads();
    }

    // The parts of a pair's weight that do not depend on the row below.
    struct Parts {
        double sum;
        double closing;
        double branch;
        int32 seen;
    };

    __device__ __forceinline__ Parts parts_of(int32 a, int32 i, int32 column) {
        Wide hairpin = weights.hairpin(i, column);
        table.wide = table.wide || hairpin.level != 0;
        double sum = hairpin.value;
        int32 seen = weights.closes(i, column);
        double2 edges = table.template edges<true>(a, i, column);
        double two_three = table.template two_three<true>(i, column);
        double others = column - i >= LEAST_SPAN ? table.others(a, column) : 0;
        sum = __fma_rn(edges.x, weights.end(BULGE, seen), sum);
        sum = __fma_rn(edges.y, weights.end(ONE, seen), sum);
        sum = __fma_rn(two_three, weights.end(TWO_THREE, seen), sum);
        sum = __fma_rn(others, weights.end(OTHER, seen), sum);
        bool is_branch = i > 0 && column < n - 1;
        return {sum,
            weights.closing(i, column),
            is_branch ? weights.branch(i, column) : 0,
            is_branch ? weights.branches(i, column) : -1};
    }

    __device__ __forceinline__ void fill_pair(int32 a, int32 i, int32 column, const Parts& parts, double* ends) {
        double sum = table.checked(__fma_rn(
            table.several[column - 1], parts.closing, __dadd_rn(parts.sum, table.small_sums[j])));
        double branch = table.checked(__dmul_rn(sum, parts.branch));
        // no loop surrounds a pair that contains the first or the last base
        double kept = parts.seen >= 0 ? sum : 0;
        int32 seen = max(parts.seen, 0);
        table.keep(a, i, column, kept, seen);
        table.pairs[table.place(i, column)] = sum;
        ends[column] = branch;
        table.branches[j] = branch;
        table.places[j] = table.place(column + 1, 0);
    }

    // Computes half of the multiloop parts with one branch, which begins at the first base.
    __device__ __forceinline__ void scan(int32 half, int32 last) {
        int32 a = row_to_scan();
        if (a < TOGETHER) {
            int32 from = last - a + MIN_HAIRPIN + 1;
            int32 middle = max(from, (from + n) / 2);
            end_ = half == 0 ? 0 : end_;
            double* row = table.ends(last) + a * table.width;
            scan_ends<1>(table, row, half == 0 ? from : middle, half == 0 ? middle : n, end_);
        }
    }

    // Completes the multiloop parts of a batch of rows.
    __device__ __forceinline__ void fill_multis(int32 last) {
        const double* ends = table.ends(last);
#pragma unroll
        for (int32 a = 0; a < TOGETHER; a++) {
            int32 i = last - a;
            if (!table.is_second && j < n && j - i > MIN_HAIRPIN) {
                one_ = __dadd_rn(table.checked(__dmul_rn(one_, table.unpaired)), ends[a * table.width + j]);
                double* multi = table.multis + table.place(i, j);
                *multi = table.checked(__dadd_rn(table.checked(one_), *multi));
            }
        }
    }

    // Computes the multiloop parts of a row with at least two branches.
    __device__ __forceinline__ void fill_several(int32 i) {
        if (!table.is_second && i < n && j < n && j - i > MIN_HAIRPIN) {
            several_ = table.checked(__dmul_rn(several_, table.unpaired));
            int32 count = table.count_partners(i, i + MIN_HAIRPIN + 1, j - MIN_HAIRPIN - 1);
            several_ = add_listed(table, several_, table.multis, count);
            table.several[j] = several_;
            // `fill_multis` adds the parts with one branch
            table.multis[table.place(i, j)] = several_;
        }
    }
};

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
        for (int32 first = 0; first <= n; first += MIN_HAIRPIN + 1) {
            __syncthreads();
#pragma unroll 1
            for (int32 base = first; base <= min(n, first + MIN_HAIRPIN); base++) {
                if (base > 0) {
                    before = table.checked(__dadd_rn(sums[base], __dmul_rn(before, factor)));
                }
                if (own == 0) {
                    weights[from_end ? n - base : base] = before;
                }
                if (own < n && own - base > MIN_HAIRPIN) {
                    int32 i = from_end ? n - 1 - own : base;
                    int32 j = from_end ? n - 1 - base : own;
                    double inside = table.pairs[table.place(i, j)];
                    if (inside > 0) {
                        sum = __dadd_rn(sum, __dmul_rn(__dmul_rn(before, inside), loops.exterior(i, j)));
                        sums[own + 1] = sum;
                    }
                }
            }
        }
        __syncthreads();
    }

private:
    PlainTable<WIDTH>& table;
    const EnsembleLoops& loops;
    int32 n;
};

// Computes the derivatives of the total weight with respect to the weight of each segment, from the first row to the
// last.
template <int32 WIDTH>
class PlainOutside {
public:
    __device__ explicit PlainOutside(PlainTable<WIDTH>& of) :
        table(of), weights(of.weights), n(of.n), j(of.j), whole_(of.prefix[of.n]) {}

    __device__ void run() {
        table.clear();
        table.list(0);
        __syncthreads();
#pragma unroll 1
        for (int32 first = 0; first < n; first += TOGETHER) {
            table.template sum_loops<false>(first);
            scan(0, first);
            __syncthreads();
#pragma unroll 1
            for (int32 a = 0; a < TOGETHER && first + a < n; a++) {
                grow_row(a, first + a);
            }
            table.finish_batch();
        }
    }

    // Returns twice the sum over pairs of p (1 - p). Each column has a separate sum.
    __device__ double diversity() const {
        double* sums = table.small_sums;
        if (!table.is_second && j < n) {
            double sum = 0;
#pragma unroll 4
            for (int32 i = 0; i < j - MIN_HAIRPIN; i++) {
                double p = table.multis[table.place(i, j)];
                sum = __dadd_rn(sum, __dmul_rn(p, __dsub_rn(1, p)));
            }
            sums[j] = sum;
        }
        __syncthreads();
        double sum = 0;
        for (int32 column = 0; column < n; column++) {
            sum = __dadd_rn(sum, sums[column]);
        }
        return __dmul_rn(2, sum);
    }

private:
    PlainTable<WIDTH>& table;
    const PlainWeights& weights;
    int32 n;
    int32 j;
    double whole_;
    double several_ = 0;
    double one_ = 0;
    double end_ = 0;
    double multis_[TOGETHER] = {};

    __device__ __forceinline__ void grow_row(int32 a, int32 i) {
        int32 count = table.count_partners(i, i + MIN_HAIRPIN + 1, n);
        bool is_pair = table.is_second && j < count;
        int32 column = is_pair ? table.listed[j] : 0;
        Parts parts;
        if (is_pair) {
            parts = parts_of(a, i, column);
        }
        table.template sum_small<false>(i, count);
        grow_several(a, i);
        if (a == 0) {
            scan(1, i);
            table.make_room(i + MIN_HAIRPIN + 1);
        }
        list_branches(i + TOGETHER - 1);
        __syncthreads();
        sum_products(a, count);
        __syncthreads();
        if (is_pair) {
            grow_pair(a, i, column, parts);
        }
        if (!table.is_second && j < n && j - i > MIN_HAIRPIN && weights.pair(i, j) == 0) {
            table.multis[table.place(i, j)] = 0;
            table.keep_none(a, i);
        }
        table.list(i + 1);
        grow_multi(a, i + TOGETHER);
        __syncthreads();
    }

    // Lists the branches that end at a base.
    __device__ __forceinline__ void list_branches(int32 last) {
        if (table.is_second && last < n && j > 0 && last - j > MIN_HAIRPIN && weights.pair(j, last) > 0) {
            int32 at = table.count_partners(last, 1, j);
            table.branches[at] = table.pairs[table.place(j, last)];
            table.places[at] = table.place(j, 0);
        }
    }

    // Computes the derivatives of multiloop parts that start in row i, the a-th row of its batch, and follow a branch.
    __device__ __forceinline__ void grow_multi(int32 a, int32 i) {
        if (!table.is_second && j < n && j - i > MIN_HAIRPIN) {
            int32 count = i > MIN_HAIRPIN + 1 ? table.count_partners(i - 1, 1, i - 1 - MIN_HAIRPIN) : 0;
            double multi = table.checked(add_listed(table, 0, table.severals, count));
            multis_[0] = a == 0 ? multi : multis_[0];
            multis_[1] = a == 1 ? multi : multis_[1];
            multis_[2] = a == 2 ? multi : multis_[2];
            one_ = __dadd_rn(table.checked(__dmul_rn(one_, table.unpaired)), multi);
            table.ends(i)[a * table.width + j] = one_;
        }
    }

    // Computes half of the derivatives of multiloop parts with one branch.
    __device__ __forceinline__ void scan(int32 half, int32 first) {
        int32 a = row_to_scan();
        if (a < TOGETHER) {
            int32 behind = first + a + MIN_HAIRPIN;
            int32 middle = max(behind, (n + behind) / 2);
            end_ = half == 0 ? 0 : end_;
            double* row = table.ends(first) + a * table.width;
            scan_ends<-1>(table, row, half == 0 ? n - 1 : middle, half == 0 ? middle : behind, end_);
        }
    }

    // Computes the derivatives of the multiloop parts of a row with at least two branches.
    __device__ __forceinline__ void grow_several(int32 a, int32 i) {
        if (!table.is_second && j < n && j - i > MIN_HAIRPIN) {
            several_ = table.checked(__dmul_rn(several_, table.unpaired));
            if (i > 0 && j + 1 < n) {
                double around = table.recent(i - 1, j + 1);
                if (around > 0) {
                    several_ = __fma_rn(around, weights.closing(i - 1, j + 1), several_);
                }
            }
            double multi = a == 0 ? multis_[0] : a == 1 ? multis_[1] : multis_[2];
            several_ = table.checked(__dadd_rn(several_, multi));
            table.severals[table.place(i, j)] = several_;
            table.several[j] = several_;
        }
    }

    // The parts of a pair's derivative that depend neither on multiloops nor on small loops.
    struct Parts {
        double sum;
        double branch;
        double inside;
    };

    __device__ __forceinline__ Parts parts_of(int32 a, int32 i, int32 column) {
        double around = __dmul_rn(table.prefix[i], table.suffix[column + 1]);
        Parts parts = {__dmul_rn(around, table.loops.exterior(i, column)), 0, table.pairs[table.place(i, column)]};
        if (i > 0 && column < n - 1) {
            double2 edges = table.template edges<false>(a, i, column);
            int32 seen = weights.branches(i, column);
            parts.branch = weights.branch(i, column);
            parts.sum = __fma_rn(edges.x, weights.end(BULGE, seen), parts.sum);
            parts.sum = __fma_rn(edges.y, weights.end(ONE, seen), parts.sum);
            double two_three = table.template two_three<false>(i, column);
            parts.sum = __fma_rn(two_three, weights.end(TWO_THREE, seen), parts.sum);
            parts.sum = __fma_rn(table.others(a, column), weights.end(OTHER, seen), parts.sum);
        }
        return parts;
    }

    // Multiplies the value of each multiloop part after a listed pair by the value of the part around both, and sums
    // these products, with LANES lanes per pair.
    __device__ __forceinline__ void sum_products(int32 a, int32 count) const {
        int32 lane = threadIdx.x % LANES;
        for (int32 first = threadIdx.x / 32 * (32 / LANES); first < count; first += blockDim.x / LANES) {
            int32 at = first + threadIdx.x % 32 / LANES;
            int32 column = at < count ? table.listed[at] : n;
            const double* parts = table.multis + table.place(column + 1, column + 1);
            const double* severals = table.several + column + 1;
            // shorter parts do not contain a branch
            int32 shortest = lane > MIN_HAIRPIN ? lane : lane + LANES;
            int32 behind = n - column - 1;
            double sum = 0;
#pragma unroll 1
            for (int32 first = shortest; first < behind; first += UNROLLED * LANES) {
                double values[UNROLLED];
#pragma unroll
                for (int32 each = 0; each < UNROLLED; each++) {
                    int32 k = first + each * LANES;
                    values[each] = k < behind ? parts[k] : 0;
                }
#pragma unroll
                for (int32 each = 0; each < UNROLLED; each++) {
                    int32 k = first + each * LANES;
                    sum = k < behind ? __fma_rn(severals[k], values[each], sum) : sum;
                }
            }
#pragma unroll
            for (int32 half = LANES / 2; half > 0; half /= 2) {
                sum = __dadd_rn(sum, __shfl_xor_sync(~0u, sum, half));
            }
            if (lane == 0 && at < count) {
                table.products(a)[column] = sum;
            }
        }
    }

    __device__ __forceinline__ void grow_pair(int32 a, int32 i, int32 column, const Parts& parts) {
        double multi = __dadd_rn(table.checked(table.ends(i)[a * table.width + column]), table.products(a)[column]);
        double sum = table.checked(__fma_rn(multi, parts.branch, table.small_sums[j]));
        sum = table.checked(__dadd_rn(sum, parts.sum));
        sum = parts.inside > 0 ? sum : 0;
        int32 seen = weights.closes(i, column);
        table.keep(a, i, column, sum, seen);
        int32 place = table.place(i, column);
        table.pairs[place] = table.checked(__dmul_rn(parts.inside, parts.branch));
        double p = Wide::normal(__dmul_rn(sum, __ddiv_rn(parts.inside, whole_)), 0).plain();
        table.multis[place] = p;
    }
};
