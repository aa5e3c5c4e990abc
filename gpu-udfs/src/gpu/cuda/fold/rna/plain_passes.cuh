// Runs both passes of dev.bellman.fold.rna.RnaEnsemble for a sequence whose weights all have level 0.
#pragma once

#include "fold/rna/plain_table.cuh"
#include "fold/rna/small_loops.cuh"

// Adds the values of a pair's lanes from `from` up to but excluding `behind` to a sum, in order. All lanes of the pair
// get the result.
__device__ __forceinline__ double add_lanes(double sum, double value, int32 from, int32 behind) {
#pragma unroll
    for (int32 each = from; each < behind; each++) {
        sum = __dadd_rn(sum, __shfl_sync(~0u, value, threadIdx.x % 32 / PAIR_LANES * PAIR_LANES + each));
    }
    return sum;
}

// A value for each row of a batch, in registers.
struct BatchValues {
    double first = 0;
    double second = 0;
    double third = 0;

    __device__ __forceinline__ double get(int32 a) const {
        return a == 0 ? first : a == 1 ? second : third;
    }

    __device__ __forceinline__ void set(int32 a, double value) {
        first = a == 0 ? value : first;
        second = a == 1 ? value : second;
        third = a == 2 ? value : third;
    }
};

// Processes the pairs of a row in either pass, with PAIR_LANES lanes for each pair.
template <int32 WIDTH>
class PlainPairs {
public:
    PlainTable<WIDTH>& table;
    const EnsembleLoops& loops;
    int32 n;
    int32 lane;         // the index of this lane among those of the pair
    SmallLoops small;

    __device__ PlainPairs(PlainTable<WIDTH>& of, int32 number) :
        table(of), loops(of.loops), n(of.n), lane(threadIdx.x % PAIR_LANES), small(of.loops, number) {
        is_kind_ = lane < KINDS;
        term_ = lane == ONE ? MISMATCH_INTERNAL_1N : lane == TWO_THREE ? MISMATCH_INTERNAL_23 : MISMATCH_INTERNAL;
    }

    // Calls `process` with the column and the index of each listed pair of a row. The last argument is false for a
    // repetition, which only keeps all lanes of a warp busy.
    template <typename Process>
    __device__ __forceinline__ void for_each(int32 count, Process process) const {
        // starts with a warp in the middle of the block, because the first warps have more other work
        int32 warps = blockDim.x / 32;
        int32 warp = (threadIdx.x / 32 + warps / 2) % warps;
        for (int32 first = warp * (32 / PAIR_LANES); first < count; first += blockDim.x / PAIR_LANES) {
            int32 at = first + threadIdx.x % 32 / PAIR_LANES;
            process(static_cast<int32>(table.listed[min(at, count - 1)]), min(at, count - 1), at < count);
        }
    }

    // Returns the term of a pair in internal loops of this lane's kind.
    //
    // - seen: see EnsembleLoops.end
    __device__ __forceinline__ double term(int32 seen) const {
        if (!is_kind_ || seen < BASES * BASES) {
            return 0;
        }
        return lane == BULGE ? loops.weights.terminal(seen / (BASES * BASES)) : loops.weights.table(term_ + seen);
    }

    // Stores a pair with its terms in the weights of internal loops.
    __device__ __forceinline__ void keep(int32 a, int32 i, int32 j, double pair, int32 seen) const {
        if (is_kind_) {
            table.keep(lane, a, i, j, table.checked(__dmul_rn(pair, term(seen))));
        } else if (lane == KINDS) {
            *table.recent(i, j) = pair;
        }
    }

private:
    bool is_kind_;
    int32 term_;
};

// Computes the weights of all structures for each segment of the sequence, from the last row to the first.
template <int32 WIDTH>
class PlainInside {
public:
    __device__ explicit PlainInside(PlainTable<WIDTH>& of) :
        table(of),
        loops(of.loops),
        n(of.n),
        j(threadIdx.x % (blockDim.x / 2)),
        is_second(threadIdx.x >= blockDim.x / 2),
        pairs_(of, (threadIdx.x + PAIR_LANES - 1) % PAIR_LANES) {}

    __device__ void run() {
#pragma unroll 1
        for (int32 i = n - 1; i >= 0; i--) {
            int32 a = (n - 1 - i) % TOGETHER;
            double* last_ends = table.ends(i + a + TOGETHER);
            bool has_last = i + a + TOGETHER < n;
            if (a == 0) {
                if (has_last) {
                    scan(last_ends, i + TOGETHER);
                }
                table.template sum_loops<true>(i, i + 1 - TOGETHER + LEAST_SPAN, n);
            } else if (a == 1 && has_last) {
                fill_multis(last_ends, i + a + TOGETHER);
            }
            fill_several((a + TOGETHER - 1) % TOGETHER, i + 1);
            fill_row(a, i, table.ends(i + a) + a * table.width);
        }
    }

private:
    PlainTable<WIDTH>& table;
    const EnsembleLoops& loops;
    int32 n;
    int32 j;
    bool is_second;  // whether this is the second thread of the column
    PlainPairs<WIDTH> pairs_;
    double several_ = 0;
    double one_ = 0;
    BatchValues severals_;  // the values for the rows of the last batch

    // Computes the multiloop parts with one branch, which begins at the first base, with one thread for each row of a
    // batch.
    __device__ void scan(double* ends, int32 last) {
        int32 a = static_cast<int32>(blockDim.x) - 1 - static_cast<int32>(threadIdx.x);
        if (a >= TOGETHER) {
            return;
        }
        double* row = ends + a * table.width;
        double end = 0;
#pragma unroll 4
        for (int32 column = last + 2 - TOGETHER + MIN_HAIRPIN; column < n; column++) {
            end = __dadd_rn(table.checked(__dmul_rn(end, table.unpaired)), row[column]);
            row[column] = end;
        }
    }

    // Computes the multiloop parts of a batch of rows.
    __device__ __forceinline__ void fill_multis(const double* ends, int32 last) {
#pragma unroll
        for (int32 a = 0; a < TOGETHER; a++) {
            int32 i = last - a;
            if (!is_second && j < n && j - i > MIN_HAIRPIN) {
                double unpaired = table.checked(__dmul_rn(one_, table.unpaired));
                one_ = __dadd_rn(unpaired, ends[a * table.width + j]);
                double multi = __dadd_rn(table.checked(one_), severals_.get(a));
                table.multis[table.place(i, j)] = table.checked(multi);
            }
        }
    }

    // Computes the multiloop parts of a row with at least two branches.
    __device__ __forceinline__ void fill_several(int32 a, int32 i) {
        if (!is_second && i < n && j < n && j - i > MIN_HAIRPIN) {
            several_ = table.checked(__dmul_rn(several_, table.unpaired));
            int32 count = table.count_partners(i, i + MIN_HAIRPIN + 1, j - MIN_HAIRPIN - 1);
            several_ = table.add_listed(several_, table.multis, table.values, table.places, count, j);
            table.several[j] = several_;
        }
        severals_.set(a, several_);
    }

    __device__ __forceinline__ void fill_row(int32 a, int32 i, double* ends) {
        bool is_listed = j < n && j - i > MIN_HAIRPIN && loops.pair(i, j) > 0;
        if (is_listed && is_second) {
            table.list(i, j);
            table.template sum_edges<true, ONE>(a, i, j);
        } else if (is_listed) {
            table.template sum_edges<true, BULGE>(a, i, j);
        } else if (is_second && j < n) {
            ends[j] = 0;
            if (j - i > MIN_HAIRPIN) {
                table.pairs[table.place(i, j)] = 0;
                table.keep_none(a, i, j);
            }
        }
        __syncthreads();
        int32 count = table.count_partners(i, i + MIN_HAIRPIN + 1, n);
        pairs_.for_each(count, [&](int32 column, int32 at, bool is_first) {
            fill_pair(a, i, column, at, is_first, ends);
        });
        __syncthreads();
    }

    __device__ __forceinline__ void fill_pair(
            int32 a, int32 i, int32 column, int32 at, bool is_first, double* ends) {
        int32 lane = pairs_.lane;
        double term = 0;
        if (lane == 0) {
            Wide hairpin = loops.hairpin(i, column);
            table.wide = table.wide || hairpin.level != 0;
            term = hairpin.value;
        } else {
            int32 p = i + 1 + pairs_.small.l;
            int32 q = column - 1 - pairs_.small.r;
            if (q - p > MIN_HAIRPIN) {
                term = __dmul_rn(*table.recent(p, q), pairs_.small.weight(loops, i, column));
            }
        }
        double other = 0;
        if (lane < KINDS) {
            double loops_of_kind = table.template sum_of_kind<true>(lane, a, i, column);
            other = __dmul_rn(loops_of_kind, pairs_.term(loops.closes(i, column)));
        } else if (lane == KINDS) {
            other = __dmul_rn(table.several[column - 1], loops.closing(i, column));
        } else if (lane == KINDS + 1) {
            other = loops.branch(i, column);
        }
        double sum = add_lanes(0, term, 0, 1);
        sum = add_lanes(sum, other, 0, KINDS);
        sum = add_lanes(sum, term, 1, 1 + SMALL_LOOPS);
        sum = table.checked(add_lanes(sum, other, KINDS, KINDS + 1));
        double branch = table.checked(__dmul_rn(sum, add_lanes(0, other, KINDS + 1, KINDS + 2)));
        if (!is_first) {
            return;
        }
        pairs_.keep(a, i, column, sum, loops.branches(i, column));
        if (lane == KINDS + 1) {
            table.pairs[table.place(i, column)] = sum;
        } else if (lane == KINDS + 2) {
            ends[column] = branch;
            table.values[at] = branch;
            table.places[at] = table.place(column + 1, 0);
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
        int32 columns = static_cast<int32>(blockDim.x) / 2;
        int32 own = static_cast<int32>(threadIdx.x) % columns;
        bool from_end = static_cast<int32>(threadIdx.x) >= columns;
        double factor = loops.factor();
        double* sums = table.sums_of_loops + (from_end ? table.width + 4 : 0);
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
        table(of),
        loops(of.loops),
        n(of.n),
        j(threadIdx.x % (blockDim.x / 2)),
        is_second(threadIdx.x >= blockDim.x / 2),
        pairs_(of, NUMBERS >> 4 * (threadIdx.x % PAIR_LANES) & 7),
        whole_(of.prefix[of.n]) {}

    __device__ void run() {
        table.clear();
        if (!is_second && j < n) {
            table.diversities[j] = 0;
        }
        __syncthreads();
#pragma unroll 1
        for (int32 i = 0; i < n; i++) {
            int32 a = i % TOGETHER;
            if (a == 0) {
                scan(i);
                table.template sum_loops<false>(i, i + MIN_HAIRPIN + 1, n - MIN_HAIRPIN);
            } else if (a == TOGETHER - 1) {
                list_branches(i + 1);
            }
            grow_row(a, i);
        }
    }

    // Returns twice the sum over pairs of p (1 - p), in one thread. Each column has a separate sum.
    __device__ double diversity() const {
        double sum = 0;
        for (int32 column = 0; column < n; column++) {
            sum = __dadd_rn(sum, table.diversities[column]);
        }
        return __dmul_rn(2, sum);
    }

private:
    // the indices of the lanes' small loops, in descending order of l, then in ascending order of r
    static constexpr uint32 NUMBERS = 0x7104'3265;

    PlainTable<WIDTH>& table;
    const EnsembleLoops& loops;
    int32 n;
    int32 j;
    bool is_second;  // whether this is the second thread of the column
    PlainPairs<WIDTH> pairs_;
    double whole_;
    double several_ = 0;
    double one_ = 0;
    BatchValues multis_;

    // Lists, for each row of a batch, the branches that end just before the row.
    __device__ __forceinline__ void list_branches(int32 first) {
#pragma unroll
        for (int32 a = 0; a < TOGETHER; a++) {
            int32 last = first + a - 1;
            if (is_second && last < n && j > 0 && last - j > MIN_HAIRPIN && loops.pair(j, last) > 0) {
                int32 at = table.count_partners(last, 1, j);
                table.values[a * table.width + at] = table.pairs[table.place(j, last)];
                table.places[a * table.width + at] = table.place(j, 0);
            }
        }
    }

    // Computes the derivatives of multiloop parts that start in the rows of a batch and follow a branch.
    __device__ __forceinline__ void grow_multis(int32 first) {
#pragma unroll
        for (int32 a = 0; a < TOGETHER; a++) {
            int32 i = first + a;
            if (!is_second && j < n && j - i > MIN_HAIRPIN) {
                int32 count = i > MIN_HAIRPIN + 1 ? table.count_partners(i - 1, 1, i - 1 - MIN_HAIRPIN) : 0;
                double multi = table.checked(table.add_listed(
                    0, table.severals, table.values + a * table.width, table.places + a * table.width, count, j));
                multis_.set(a, multi);
                one_ = __dadd_rn(table.checked(__dmul_rn(one_, table.unpaired)), multi);
                table.ends(first)[a * table.width + j] = one_;
            }
        }
    }

    __device__ void scan(int32 first) {
        int32 a = static_cast<int32>(blockDim.x) - 1 - static_cast<int32>(threadIdx.x);
        if (a >= TOGETHER || first + a >= n) {
            return;
        }
        double* row = table.ends(first) + a * table.width;
        double end = 0;
#pragma unroll 4
        for (int32 column = n - 1; column > first + a + MIN_HAIRPIN; column--) {
            end = __dadd_rn(table.checked(__dmul_rn(end, table.unpaired)), row[column]);
            row[column] = end;
        }
    }

    __device__ __forceinline__ void grow_row(int32 a, int32 i) {
        bool is_entry = j < n && j - i > MIN_HAIRPIN;
        bool is_listed = is_entry && loops.pair(i, j) > 0;
        if (is_entry && !is_second) {
            several_ = table.checked(__dmul_rn(several_, table.unpaired));
            if (i > 0 && j + 1 < n) {
                double around = *table.recent(i - 1, j + 1);
                if (around > 0) {
                    several_ = __dadd_rn(several_, __dmul_rn(around, loops.closing(i - 1, j + 1)));
                }
            }
            several_ = table.checked(__dadd_rn(several_, multis_.get(a)));
            table.severals[table.place(i, j)] = several_;
            table.several[j] = several_;
        }
        fill_edges(a, i, is_entry, is_listed);
        __syncthreads();
        if (a == TOGETHER - 1) {
            grow_multis(i + 1);
        }
        grow_pairs(a, i);
        __syncthreads();
    }

    __device__ __forceinline__ void fill_edges(int32 a, int32 i, bool is_entry, bool is_listed) const {
        if (is_listed && is_second) {
            table.list(i, j);
            table.template sum_edges<false, ONE>(a, i, j);
        } else if (is_listed) {
            table.template sum_edges<false, BULGE>(a, i, j);
        } else if (is_entry && is_second) {
            table.multis[table.place(i, j)] = 0;
            table.keep_none(a, i, j);
        }
    }

    __device__ __forceinline__ void grow_pairs(int32 a, int32 i) {
        int32 count = table.count_partners(i, i + MIN_HAIRPIN + 1, n);
        pairs_.for_each(count, [&](int32 column, int32, bool is_first) { grow_pair(a, i, column, is_first); });
    }

    // Multiplies the value of each multiloop part after a pair by the value of the part around both, and sums these
    // products.
    __device__ __forceinline__ double sum_products(int32 column) const {
        const double* parts = table.multis + table.place(column + 1, column + 1);
        const double* severals = table.several + column + 1;
        // shorter parts do not contain a branch
        int32 shortest = pairs_.lane > MIN_HAIRPIN ? pairs_.lane : pairs_.lane + LANES;
        double sum = 0;
#pragma unroll 4
        for (int32 k = shortest; k < n - column - 1; k += LANES) {
            sum = __dadd_rn(sum, __dmul_rn(severals[k], parts[k]));
        }
#pragma unroll
        for (int32 half = LANES / 2; half > 0; half /= 2) {
            sum = __dadd_rn(sum, __shfl_xor_sync(~0u, sum, half));
        }
        return sum;
    }

    __device__ __forceinline__ void grow_pair(int32 a, int32 i, int32 column, bool is_first) {
        int32 lane = pairs_.lane;
        double inside = table.pairs[table.place(i, column)];
        double product = sum_products(column);
        double term = 0;
        if (lane < SMALL_LOOPS) {
            int32 row = i - 1 - pairs_.small.l;
            int32 end = column + 1 + pairs_.small.r;
            if (row >= 0 && end < n) {
                term = __dmul_rn(*table.recent(row, end), pairs_.small.weight(loops, row, end));
            }
        } else {
            double around = __dmul_rn(table.prefix[i], table.suffix[column + 1]);
            term = __dmul_rn(around, loops.exterior(i, column));
        }
        double other = 0;
        if (lane < KINDS) {
            double loops_of_kind = table.template sum_of_kind<false>(lane, a, i, column);
            other = __dmul_rn(loops_of_kind, pairs_.term(loops.branches(i, column)));
        } else if (lane == KINDS) {
            other = loops.branch(i, column);
        }
        double branch = add_lanes(0, other, KINDS, KINDS + 1);
        double sum = add_lanes(0, term, 0, SMALL_LOOPS);
        double multi = __dadd_rn(table.checked(table.ends(i)[a * table.width + column]), product);
        sum = table.checked(__dadd_rn(sum, __dmul_rn(multi, branch)));
        sum = add_lanes(sum, term, SMALL_LOOPS, SMALL_LOOPS + 1);
        sum = table.checked(add_lanes(sum, other, 0, KINDS));
        if (!is_first) {
            return;
        }
        sum = inside > 0 ? sum : 0;
        pairs_.keep(a, i, column, sum, loops.closes(i, column));
        if (lane == KINDS + 1) {
            table.pairs[table.place(i, column)] = table.checked(__dmul_rn(inside, branch));
        } else if (lane == KINDS + 2) {
            double p = Wide::normal(__dmul_rn(sum, __ddiv_rn(inside, whole_)), 0).plain();
            table.multis[table.place(i, column)] = p;
            table.diversities[column] = __dadd_rn(table.diversities[column], __dmul_rn(p, __dsub_rn(1, p)));
        }
    }
};
