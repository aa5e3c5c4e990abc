// Runs both passes of dev.bellman.fold.rna.RnaEnsemble for a sequence whose weights all have level 0. The first threads
// of the columns compute parts of multiloops, and the second threads compute the listed pairs.
#pragma once

#include "fold/rna/ensemble/plain_table.cuh"

// The number of ends that a thread loads at once.
constexpr int32 ENDS = 4;

// Computes multiloop parts with one branch, which begins at the first base of a row, for the columns from `from` up to
// but excluding `behind`, in the order of the pass. `end` is the value of the last column.
template <int32 STEP, int32 WIDTH>
__device__ __forceinline__ void scan_ends(
        PlainTable<WIDTH>& table, double* row, int32 from, int32 behind, double& end) {
    auto add = [&](double value) { return end = __dadd_rn(table.checked(__dmul_rn(end, table.unpaired)), value); };
    int32 column = from;
#pragma unroll 1
    for (int32 count = STEP * (behind - from) % ENDS; count > 0; count--) {
        row[column] = add(row[column]);
        column += STEP;
    }
#pragma unroll 1
    for (; STEP * column < STEP * behind; column += STEP * ENDS) {
        double values[ENDS];
#pragma unroll
        for (int32 each = 0; each < ENDS; each++) {
            values[each] = row[column + STEP * each];
        }
#pragma unroll
        for (int32 each = 0; each < ENDS; each++) {
            row[column + STEP * each] = add(values[each]);
        }
    }
}

// Adds the products of the first `count` listed branches and the entries in this thread's column of their rows.
template <int32 WIDTH>
__device__ __forceinline__ double add_listed(const PlainTable<WIDTH>& table, double sum, Part entries, int32 count) {
    constexpr int32 LISTED = PlainTable<WIDTH>::LISTED;
    entries = entries.from(table.j);
#pragma unroll 1
    for (int32 first = 0; first < count; first += LISTED) {
        int32 remaining = count - first;
        // without conditions, so that these loads do not wait for each other
        const int4* listed = reinterpret_cast<const int4*>(table.places + first);
        const double2* branches = reinterpret_cast<const double2*>(table.branches + first);
        int4 places[LISTED / 4];
#pragma unroll
        for (int32 each = 0; each < LISTED / 4; each++) {
            places[each] = listed[each];
        }
        double factors[LISTED];
#pragma unroll
        for (int32 each = 0; each < LISTED; each++) {
            int4 four = places[each / 4];
            int32 place = each % 4 == 0 ? four.x : each % 4 == 1 ? four.y : each % 4 == 2 ? four.z : four.w;
            factors[each] = each < remaining ? entries[place] : 0;
        }
#pragma unroll
        for (int32 each = 0; each < LISTED; each += 2) {
            double2 two = branches[each / 2];
            sum = __fma_rn(factors[each + 1], two.y, __fma_rn(factors[each], two.x, sum));
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
        auto work = table.work(count);
        table.template sum_listed<true>(a, i, work);
        if (last >= 0 && a < TOGETHER - 1) {
            scan(a, last);
        } else if (last >= 0) {
            fill_multis(last);
        }
        fill_several(i + 1);
        if (a == 0) {
            table.make_room(i + MIN_HAIRPIN + 2);
        }
        int32 at = work.pair;
        int32 column = at >= 0 ? table.listed[at] : 0;
        Parts parts = {};
        if (at >= 0) {
            parts = parts_of(i, column);
        }
        __syncthreads();
        double* ends = table.ends(i + a) + a * table.width;
        if (at >= 0) {
            fill_pair(a, i, at, column, parts, ends);
        }
        if (!table.is_second && j < n && j - i > MIN_HAIRPIN && weights.pair(i, j) == 0) {
            ends[j] = 0;
            table.pairs[table.place(i, j)] = 0;
            table.keep_none(a, i);
        }
        table.list(i - 1);
        __syncthreads();
    }

    // The parts of a pair's weight that depend neither on the row below nor on loops with another pair.
    struct Parts {
        double sum;
        double closing;
        double branch;
        Ends ends;     // of the pair as the outer pair of a loop
        Ends as_inner;
    };

    __device__ __forceinline__ Parts parts_of(int32 i, int32 column) {
        Parts parts = {0, weights.closing(i, column), 0, weights.ends(weights.closes(i, column)), {}};
        // no loop surrounds a pair that contains the first or the last base
        if (i > 0 && column < n - 1) {
            parts.branch = weights.branch(i, column);
            parts.as_inner = weights.ends(weights.branches(i, column));
        }
        Wide hairpin = weights.hairpin(i, column);
        table.wide |= hairpin.level != 0;
        parts.sum = hairpin.value;
        return parts;
    }

    __device__ __forceinline__ void fill_pair(
            int32 a, int32 i, int32 at, int32 column, const Parts& parts, double* ends) {
        double sum = __dadd_rn(table.add_loops(parts.sum, a, column, parts.ends), table.small_sums[at]);
        sum = table.checked(__fma_rn(table.several[column - 1], parts.closing, sum));
        double branch = table.checked(__dmul_rn(sum, parts.branch));
        table.keep(a, i, column, parts.branch > 0 ? sum : 0, parts.as_inner);
        table.pairs[table.place(i, column)] = sum;
        ends[column] = branch;
        table.branches[at] = branch;
        table.places[at] = table.place(column + 1, 0);
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
        auto is_multi = [&](int32 i) { return !table.is_second && j < n && j - i > MIN_HAIRPIN; };
        const double* ends = table.ends(last);
        double several[TOGETHER];
#pragma unroll
        for (int32 a = 0; a < TOGETHER; a++) {
            several[a] = is_multi(last - a) ? table.multis[table.place(last - a, j)] : 0;
        }
#pragma unroll
        for (int32 a = 0; a < TOGETHER; a++) {
            if (is_multi(last - a)) {
                one_ = __dadd_rn(table.checked(__dmul_rn(one_, table.unpaired)), ends[a * table.width + j]);
                table.multis[table.place(last - a, j)] = table.checked(__dadd_rn(table.checked(one_), several[a]));
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

    __device__ __forceinline__ void grow_row(int32 a, int32 i) {
        int32 count = table.count_partners(i, i + MIN_HAIRPIN + 1, n);
        auto work = table.work(count);
        double branch = 0;
        double multi = 0;
        if (table.is_second) {
            branch = branch_to(i + TOGETHER);
            // for long sequences, this takes more time than first threads need until they arrive
            multi = WIDTH > 120 ? 0 : multi_of(i + TOGETHER);
        } else {
            grow_several(a, i);
        }
        __syncthreads();
        table.template sum_listed<false>(a, i, work);
        if (!table.is_second) {
            sum_products(count);
        } else if (WIDTH > 120) {
            multi = multi_of(i + TOGETHER);
        }
        if (a == 0) {
            scan(1, i);
            table.make_room(i + MIN_HAIRPIN + 1);
        }
        int32 at = work.pair;
        int32 column = at >= 0 ? table.listed[at] : 0;
        Parts parts = {};
        if (at >= 0) {
            parts = parts_of(i, column);
        }
        __syncthreads();
        if (at >= 0) {
            grow_pair(a, i, at, column, parts);
        }
        if (table.is_second) {
            grow_one(a, i + TOGETHER, multi);
            list_branch(i + TOGETHER, branch);
        } else if (j < n && j - i > MIN_HAIRPIN && weights.pair(i, j) == 0) {
            table.multis[table.place(i, j)] = 0;
            table.keep_none(a, i);
        }
        table.list(i + 1);
        __syncthreads();
    }

    // Returns the weight of the branch from this thread's column to a base.
    __device__ __forceinline__ double branch_to(int32 last) const {
        return has_branch_to(last) ? table.pairs[table.place(j, last)] : 0;
    }

    __device__ __forceinline__ bool has_branch_to(int32 last) const {
        return last < n && j > 0 && last - j > MIN_HAIRPIN && weights.pair(j, last) > 0;
    }

    __device__ __forceinline__ void list_branch(int32 last, double branch) const {
        if (has_branch_to(last)) {
            int32 at = table.count_partners(last, 1, j);
            table.branches[at] = branch;
            table.places[at] = table.place(j, 0);
        }
    }

    // Returns the derivative of the multiloop part that starts in row i and follows a branch.
    __device__ __forceinline__ double multi_of(int32 i) const {
        bool has_branch = i > MIN_HAIRPIN + 1 && j < n && j - i > MIN_HAIRPIN;
        int32 count = has_branch ? table.count_partners(i - 1, 1, i - 1 - MIN_HAIRPIN) : 0;
        return add_listed(table, 0, table.severals, count);
    }

    // Stores a derivative for row i, the a-th row of its batch, and computes that of the part with one branch.
    __device__ __forceinline__ void grow_one(int32 a, int32 i, double multi) {
        if (j < n && j - i > MIN_HAIRPIN) {
            table.grown[a * table.width + j] = table.checked(multi);
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
        if (j < n && j - i > MIN_HAIRPIN) {
            several_ = table.checked(__dmul_rn(several_, table.unpaired));
            if (i > 0 && j + 1 < n) {
                double around = table.recent(i - 1, j + 1);
                if (around > 0) {
                    several_ = __fma_rn(around, weights.closing(i - 1, j + 1), several_);
                }
            }
            several_ = table.checked(__dadd_rn(several_, table.grown[a * table.width + j]));
            table.severals[table.place(i, j)] = several_;
            table.several[j] = several_;
        }
    }

    // The parts of a pair's derivative that depend neither on multiloops nor on other loops.
    struct Parts {
        double sum;
        double branch;
        double inside;
        double share;   // the weight inside the pair, divided by the total weight
        Ends ends;      // of the pair as the inner pair of a loop
        Ends as_outer;
    };

    __device__ __forceinline__ Parts parts_of(int32 i, int32 column) {
        double around = __dmul_rn(table.prefix[i], table.suffix[column + 1]);
        double inside = table.pairs[table.place(i, column)];
        Parts parts = {__dmul_rn(around, table.loops.exterior(i, column)), 0, inside, __ddiv_rn(inside, whole_), {},
            weights.ends(weights.closes(i, column))};
        if (i > 0 && column < n - 1) {
            parts.branch = weights.branch(i, column);
            parts.ends = weights.ends(weights.branches(i, column));
        }
        return parts;
    }

    // Multiplies the value of each multiloop part after a listed pair by the value of the part around both, and sums
    // these products, with LANES of the first threads per pair and SUMMED pairs at a time.
    __device__ __forceinline__ void sum_products(int32 count) const {
        constexpr int32 SUMMED = PlainTable<WIDTH>::SUMMED;
        int32 lane = threadIdx.x % LANES;
        int32 step = table.columns / LANES;
        // shorter parts do not contain a branch
        int32 shortest = lane > MIN_HAIRPIN ? lane : lane + LANES;
        for (int32 first = j / 32 * (32 / LANES); first < count; first += SUMMED * step) {
            int32 at = first + threadIdx.x % 32 / LANES;
            int32 behind[SUMMED];
            Part parts[SUMMED];
            const double* severals[SUMMED];
            double sums[SUMMED] = {};
#pragma unroll
            for (int32 pair = 0; pair < SUMMED; pair++) {
                int32 column = at + pair * step < count ? table.listed[at + pair * step] : n - 1;
                behind[pair] = n - column - 1;
                parts[pair] = table.multis.from(table.place(column + 1, column + 1));
                severals[pair] = table.several + column + 1;
            }
            // the first pair has the smallest column
#pragma unroll 1
            for (int32 from = shortest; from < behind[0]; from += UNROLLED * LANES) {
                double values[SUMMED][UNROLLED];
#pragma unroll
                for (int32 pair = 0; pair < SUMMED; pair++) {
                    int32 remaining = behind[pair] - from;
                    const double* its = &parts[pair][from];
#pragma unroll
                    for (int32 each = 0; each < UNROLLED; each++) {
                        values[pair][each] = each * LANES < remaining ? its[each * LANES] : 0;
                    }
                }
#pragma unroll
                for (int32 pair = 0; pair < SUMMED; pair++) {
#pragma unroll
                    for (int32 each = 0; each < UNROLLED; each++) {
                        // after the last column, this reads `grown`, which is finite and not written at this time
                        double several = severals[pair][from + each * LANES];
                        sums[pair] = __fma_rn(several, values[pair][each], sums[pair]);
                    }
                }
            }
#pragma unroll
            for (int32 pair = 0; pair < SUMMED; pair++) {
#pragma unroll
                for (int32 half = LANES / 2; half > 0; half /= 2) {
                    sums[pair] = __dadd_rn(sums[pair], __shfl_xor_sync(~0u, sums[pair], half));
                }
                if (lane == 0 && at + pair * step < count) {
                    table.products[at + pair * step] = sums[pair];
                }
            }
        }
    }

    __device__ __forceinline__ void grow_pair(int32 a, int32 i, int32 at, int32 column, const Parts& parts) {
        double multi = __dadd_rn(table.checked(table.ends(i)[a * table.width + column]), table.products[at]);
        double sum = table.checked(__fma_rn(multi, parts.branch, table.small_sums[at]));
        bool is_inner = i > 0 && column < n - 1;
        double rest = is_inner ? table.add_loops(parts.sum, a, column, parts.ends) : parts.sum;
        sum = table.checked(__dadd_rn(sum, rest));
        sum = parts.inside > 0 ? sum : 0;
        table.keep(a, i, column, sum, parts.as_outer);
        int32 place = table.place(i, column);
        table.pairs[place] = table.checked(__dmul_rn(parts.inside, parts.branch));
        double p = Wide::normal(__dmul_rn(sum, parts.share), 0).plain();
        table.multis[place] = p;
    }
};
