// The tables of dev.bellman.fold.rna.RnaEnsemble for a sequence whose weights all have level 0. One block, with two
// threads per column, computes them, and stores the values that several rows need in shared memory.
//
// Internal loops with at least two unpaired bases on each side skip at least two rows. Therefore, they are summed for
// three rows at a time. A thread sums the loops of two adjacent columns, which need the same sizes and almost the same
// pairs. For example, with two unpaired bases on the left, columns 8 and 9 need these columns of the row three rows
// below, for 4, 5 and 6 unpaired bases on the right:
//
//              8   9
//         4    3   4
//         5    2   3
//         6    1   2
//
// A row of pairs is stored as two halves, the even and the odd columns, so that adjacent threads read adjacent words.
#pragma once

#include "fold/rna/ensemble_table.cuh"

// The number of rows processed together.
constexpr int32 TOGETHER = 3;

// The number of rows stored for loops with at least two unpaired bases on each side, for loops with two and three
// unpaired bases, and for smaller loops.
constexpr int32 PLAIN_KEPT = 32;
constexpr int32 PLAIN_TWOS = 5;
constexpr int32 PLAIN_RECENT = 4;

// The minimum distance between the bases of a pair that closes an internal loop with at least two unpaired bases on
// each side and at least six in total.
constexpr int32 LEAST_SPAN = MIN_HAIRPIN + 9;

// The factors for the sizes of loops with at least two unpaired bases on each side: one row for each l, padded with
// zeros to a multiple of four.
constexpr int32 LEAST_SIDE = 2;
constexpr int32 MOST_SIDE = MAX_INTERNAL - LEAST_SIDE;

__device__ __forceinline__ constexpr int32 sides_of(int32 l) {
    return (MAX_INTERNAL - l - LEAST_SIDE + 4) / 4 * 4;
}

__device__ __forceinline__ constexpr int32 sides_before(int32 l) {
    int32 before = 0;
    for (int32 each = LEAST_SIDE; each < l; each++) {
        before += sides_of(each);
    }
    return before;
}

constexpr int32 SIDES = sides_before(MOST_SIDE + 1);

// WIDTH: the maximum number of bases, a multiple of four
template <int32 WIDTH>
class PlainTable {
    // the number of entries in half a row of pairs, and in a row of counts
    static constexpr int32 HALF = (WIDTH / 2 + 7) / 8 * 8 + 3;
    static constexpr int32 COUNTS = WIDTH + 4;

public:
    // The number of bytes of shared memory.
    static constexpr int32 BYTES =
        (PLAIN_KEPT * 2 * HALF + SIDES + 64 + (PLAIN_TWOS + PLAIN_RECENT + 6 * TOGETHER + 6) * WIDTH + 8) * 8
        + TOGETHER * WIDTH * 4 + (BASES * COUNTS + WIDTH) * 2 + WIDTH;

    static constexpr int32 width = WIDTH;

    EnsembleLoops loops;
    int32 n;
    double unpaired;
    double* pairs;        // EnsembleTable::pairs, in global memory
    double* multis;
    double* severals;
    double* several;      // the multiloop parts of the last row with at least two branches
    double* sums_of_loops;
    double* edges;        // sums of bulges, then of loops with one unpaired base on one side, of the current row
    double* prefix;
    double* suffix;
    double* values;       // the branches of the last row; in the reverse pass, a list for each row of the next batch
    int32* places;        // for each of these branches, the index of its other factor, minus that factor's column
    uint16* listed;       // the columns that can pair with the current row
    double* diversities;  // for each column, the sum of p (1 - p)
    bool wide = false;    // whether this thread has seen a weight whose level is not 0

    __device__ PlainTable(const EnsembleTable& of, double* shared) : loops(of.loops), n(of.n) {
        pairs = of.pairs.values;
        multis = of.multis.values;
        severals = of.severals.values;
        far_bulges_ = of.kept.values;
        far_ones_ = far_bulges_ + 2 * PLAIN_KEPT * of.n;
        kept_ = shared;
        sides_ = kept_ + PLAIN_KEPT * 2 * HALF;
        bulge_sizes_ = sides_ + SIDES;
        one_sizes_ = bulge_sizes_ + 32;
        bulges_ = one_sizes_ + 32;
        ones_ = bulges_ + TOGETHER * width;
        twos_ = ones_ + TOGETHER * width;
        recent_ = twos_ + PLAIN_TWOS * width;
        several = recent_ + PLAIN_RECENT * width;
        ends_ = several + width;
        sums_of_loops = ends_ + 2 * TOGETHER * width;
        edges = sums_of_loops + TOGETHER * width;
        prefix = edges + 2 * width;
        suffix = prefix + width + 4;
        diversities = suffix + width + 4;
        values = diversities + width;
        places = reinterpret_cast<int32*>(values + TOGETHER * width);
        counts_ = reinterpret_cast<uint16*>(places + TOGETHER * width);
        listed = counts_ + BASES * COUNTS;
        bases_ = reinterpret_cast<uint8*>(listed + width);
        loops.bases = bases_;
    }

    // Returns the address of the ends for the batch that contains this row. The ends of two batches are stored.
    __device__ __forceinline__ double* ends(int32 row) const {
        return ends_ + row / TOGETHER % 2 * TOGETHER * width;
    }

    __device__ __forceinline__ int32 place(int32 i, int32 j) const {
        return i * (2 * n - i + 1) / 2 + j - i;
    }

    // Sets `wide` if the level of a weight is not 0, and returns the weight.
    __device__ __forceinline__ double checked(double weight) {
        constexpr uint32 SMALLEST = 0x2ff00000;  // the upper word of 2^-256
        constexpr uint32 LEVEL = 0x20000000;     // the difference from the upper word of 2^256
        uint32 upper = static_cast<uint32>(__double_as_longlong(weight) >> 32);
        wide = wide || (upper - SMALLEST >= LEVEL && weight != 0);
        return weight;
    }

    // Reads the bases, counts the bases that can pair with each kind of base, and computes the factors for the sizes of
    // loops.
    __device__ void begin(const uint8* text) {
        int32 column = threadIdx.x;
        for (int32 i = column; i < n; i += blockDim.x) {
            bases_[i] = static_cast<uint8>(base_of(text[i]));
        }
        __syncthreads();
        // each warp processes one kind of base at a time
        for (int32 base = column / 32; base < BASES; base += blockDim.x / 32) {
            int32 count = 0;
            for (int32 first = 0; first <= n; first += 32) {
                int32 i = first + column % 32;
                uint32 those = __ballot_sync(~0u, i < n && pair_of(base, bases_[i]) > 0);
                if (i <= n) {
                    counts_[base * COUNTS + i] = static_cast<uint16>(count + __popc(those & ((1u << i % 32) - 1)));
                }
                count += __popc(those);
            }
        }
        for (int32 count = column; count <= max(n, MAX_INTERNAL + 2); count += blockDim.x) {
            loops.factors.set(count, loops.factor_of(count));
        }
        clear();
        __syncthreads();
        int32 before = 0;
        for (int32 l = LEAST_SIDE; l <= MOST_SIDE; l++) {
            for (int32 at = column; at < sides_of(l); at += blockDim.x) {
                int32 r = at + LEAST_SIDE;
                sides_[before + at] = l + r > 5 && l + r <= MAX_INTERNAL ? sized(l, r) : 0;
            }
            before += sides_of(l);
        }
        for (int32 size = column; size < 32; size += blockDim.x) {
            bulge_sizes_[size] = size >= 2 && size <= MAX_INTERNAL ? sized(0, size) : 0;
            one_sizes_[size] = size >= 3 && size < MAX_INTERNAL ? sized(1, size) : 0;
        }
        unpaired = loops.unpaired();
        two_three_ = sized(2, 3);
        __syncthreads();
    }

    // Clears all stored rows.
    __device__ void clear() {
        for (int32 at = threadIdx.x; at < PLAIN_KEPT * 2 * HALF; at += blockDim.x) {
            kept_[at] = 0;
        }
        int32 rows = (4 * TOGETHER + PLAIN_TWOS + PLAIN_RECENT + 1) * width;
        for (int32 at = threadIdx.x; at < rows; at += blockDim.x) {
            bulges_[at] = 0;
        }
    }

    // Returns how many bases from `from` up to but excluding `behind` can pair with base i.
    __device__ __forceinline__ int32 count_partners(int32 i, int32 from, int32 behind) const {
        const uint16* counts = counts_ + bases_[i] * COUNTS;
        return behind > from ? counts[behind] - counts[from] : 0;
    }

    // Adds a column that can pair with row i to the list.
    __device__ __forceinline__ void list(int32 i, int32 j) const {
        listed[count_partners(i, i + MIN_HAIRPIN + 1, j)] = static_cast<uint16>(j);
    }

    // Clears the entry for column j, which cannot pair with row i, the a-th row of its batch.
    __device__ __forceinline__ void keep_none(int32 a, int32 i, int32 j) const {
        *recent(i, j) = 0;
#pragma unroll
        for (int32 kind = 0; kind < KINDS; kind++) {
            keep(kind, a, i, j, 0);
        }
    }

    // Stores a pair with its term in the weights of internal loops of one kind.
    __device__ __forceinline__ void keep(int32 kind, int32 a, int32 i, int32 j, double value) const {
        *part(kind, a, i, j) = value;
        if (kind <= ONE) {
            double* far = far_bulges_ + (2 * kind * PLAIN_KEPT + i % PLAIN_KEPT) * n + j;
            far[0] = value;
            far[PLAIN_KEPT * n] = value;
        }
    }

    // Returns the address of a pair or of its derivative.
    __device__ __forceinline__ double* recent(int32 i, int32 j) const {
        return recent_ + i % PLAIN_RECENT * width + j;
    }

    // Sums loops with at least two unpaired bases on each side and at least six in total, for a batch of rows. `row` is
    // the first row of the batch; the next rows are above it or, in the reverse pass, below it. The columns are those
    // from `from` up to but excluding `behind`.
    template <bool INSIDE>
    __device__ void sum_loops(int32 row, int32 from, int32 behind) {
        int32 first = from / 2;
        int32 count = (behind + 1) / 2 - first;
        int32 thread = (threadIdx.x + blockDim.x / 2) % blockDim.x;
        for (int32 each = thread; each < TOGETHER * count; each += blockDim.x) {
            int32 a = each % TOGETHER;
            int32 two = first + each / TOGETHER;
            double2 sums = INSIDE ? sum_inside(row - a, two) : sum_outside(row + a, two);
            sums_of_loops[a * width + 2 * two] = sums.x;
            sums_of_loops[a * width + 2 * two + 1] = sums.y;
        }
    }

    // Sums the bulges of at least two bases (KIND = BULGE) or the loops with one unpaired base on one side and at least
    // three on the other (KIND = ONE) that a pair closes or, in the reverse pass, in which it is a branch. Row i is the
    // a-th row of its batch.
    template <bool INSIDE, int32 KIND>
    __device__ __forceinline__ void sum_edges(int32 a, int32 i, int32 j) const {
        constexpr int32 LEAST = 2 + KIND;
        constexpr int32 MOST = MAX_INTERNAL - KIND;
        const double* sizes = KIND == BULGE ? bulge_sizes_ : one_sizes_;
        double sum = 0;
        int32 near = (a + TOGETHER - 1 - KIND) % TOGETHER;
        const double* row = (KIND == BULGE ? bulges_ : ones_) + near * width;
        const double* fars = KIND == BULGE ? far_bulges_ : far_ones_;
        if (INSIDE) {
            int32 most = min(MOST, j - i - MIN_HAIRPIN - 3 - KIND);
#pragma unroll 4
            for (int32 r = LEAST; r <= most; r++) {
                sum = __dadd_rn(sum, __dmul_rn(row[j - 1 - r], sizes[r]));
            }
            const double* far = fars + (i + 1 + LEAST) % PLAIN_KEPT * n + j - 1 - KIND;
#pragma unroll 8
            for (int32 l = LEAST; l <= most; l++) {
                sum = __dadd_rn(sum, __dmul_rn(*far, sizes[l]));
                far += n;
            }
        } else {
            int32 most = j + 1 + KIND < n ? min(MOST, i - 1) : 0;
            const double* far = fars + (i - 1 - most) % PLAIN_KEPT * n + j + 1 + KIND;
#pragma unroll 8
            for (int32 l = most; l >= LEAST; l--) {
                sum = __dadd_rn(sum, __dmul_rn(*far, sizes[l]));
                far += n;
            }
            most = i > KIND ? min(MOST, n - 2 - j) : 0;
#pragma unroll 4
            for (int32 r = LEAST; r <= most; r++) {
                sum = __dadd_rn(sum, __dmul_rn(row[j + 1 + r], sizes[r]));
            }
        }
        edges[KIND * width + j] = sum;
    }

    // Returns the sum of the loops of one kind, without the term of a pair: the loops that this pair closes or, in the
    // reverse pass, those in which it is a branch.
    template <bool INSIDE>
    __device__ __forceinline__ double sum_of_kind(int32 kind, int32 a, int32 i, int32 j) const {
        if (kind == TWO_THREE) {
            double sum = 0;
#pragma unroll
            for (int32 each = 0; each < 2; each++) {
                int32 l = INSIDE ? 2 + each : 3 - each;
                int32 row = INSIDE ? i + 1 + l : i - 1 - l;
                int32 column = INSIDE ? j - 1 - (5 - l) : j + 1 + (5 - l);
                if (INSIDE ? column - row > MIN_HAIRPIN : row >= 0 && column < n) {
                    sum = __dadd_rn(sum, __dmul_rn(*part(TWO_THREE, a, row, column), two_three_));
                }
            }
            return sum;
        }
        bool has = kind != OTHER || (INSIDE ? j - i >= LEAST_SPAN : j < n - MIN_HAIRPIN);
        return has ? (kind == OTHER ? sums_of_loops + a * width : edges + kind * width)[j] : 0;
    }

    // Adds the products of `count` listed branches and the entries in column j of their rows.
    //
    // - branches: the values of the listed branches
    // - places: for each of these branches, the index of its other factor, minus that factor's column
    static __device__ __forceinline__ double add_listed(
            double sum, const double* entries, const double* branches, const int32* places, int32 count, int32 j) {
        constexpr int32 UNROLLED = 8;
        for (int32 first = 0; first < count; first += UNROLLED) {
            double products[UNROLLED];
#pragma unroll
            for (int32 each = 0; each < UNROLLED; each++) {
                products[each] = first + each < count ? entries[places[first + each] + j] : 0;
            }
#pragma unroll
            for (int32 each = 0; each < UNROLLED; each++) {
                double value = first + each < count ? branches[first + each] : 0;
                sum = __dadd_rn(sum, __dmul_rn(products[each], value));
            }
        }
        return sum;
    }

private:
    double* kept_;         // column j of row i is at (i % PLAIN_KEPT * 2 + j % 2) * HALF + j / 2
    double* sides_;
    double* bulge_sizes_;
    double* one_sizes_;
    double* far_bulges_;   // in global memory; row i is at i % PLAIN_KEPT * n, and again PLAIN_KEPT rows later
    double* far_ones_;
    double* bulges_;       // the last TOGETHER rows
    double* ones_;
    double* twos_;
    double* ends_;
    double* recent_;
    double two_three_;     // the factor for the size of a loop with two and three unpaired bases
    // for each kind of base and each column, the number of earlier bases that can pair with this kind of base
    uint16* counts_;
    uint8* bases_;

    __device__ __forceinline__ double sized(int32 l, int32 r) const {
        return __dmul_rn(loops.weights.sized(l, r), loops.factors.values[l + r + 2]);
    }

    // Returns the address of a pair with its term in the weights of internal loops of one kind.
    __device__ __forceinline__ double* part(int32 kind, int32 a, int32 i, int32 j) const {
        if (kind == OTHER) {
            return kept_ + (i % PLAIN_KEPT * 2 + j % 2) * HALF + j / 2;
        }
        return (kind == TWO_THREE ? twos_ + i % PLAIN_TWOS * width : bulges_ + (kind * TOGETHER + a) * width) + j;
    }

    __device__ __forceinline__ double2 sum_inside(int32 row, int32 two) const {
        const double* sizes = sides_;
        double2 sums = {0, 0};
#pragma unroll 1
        for (int32 l = LEAST_SIDE; l <= MOST_SIDE; l++) {
            int32 inner = row + 1 + l;
            int32 most = min(MAX_INTERNAL - l, 2 * two - inner - MIN_HAIRPIN - 1);
            if (most < LEAST_SIDE) {
                break;
            }
            const double* even = kept_ + inner % PLAIN_KEPT * 2 * HALF + two - 1;
            const double* odd = even + HALF;
            double last = even[0];
#pragma unroll 1
            for (int32 at = 0; at + LEAST_SIDE <= most; at += 4) {
                const double2* four_sizes = reinterpret_cast<const double2*>(sizes + at);
                double2 low = four_sizes[0];
                double2 high = four_sizes[1];
                double a = odd[-1];
                double b = even[-1];
                double c = odd[-2];
                double d = even[-2];
                even -= 2;
                odd -= 2;
                add(sums, low.x, a, last);
                add(sums, low.y, b, a);
                add(sums, high.x, c, b);
                add(sums, high.y, d, c);
                last = d;
            }
            sizes += sides_of(l);
        }
        return sums;
    }

    __device__ __forceinline__ double2 sum_outside(int32 row, int32 two) const {
        const double* sizes = sides_ + SIDES;
        double2 sums = {0, 0};
#pragma unroll 1
        for (int32 l = MOST_SIDE; l >= LEAST_SIDE; l--) {
            int32 outer = row - 1 - l;
            int32 most = min(MAX_INTERNAL - l, n - 2 - 2 * two);
            sizes -= sides_of(l);
            if (outer < 0) {
                continue;
            }
            const double* even = kept_ + outer % PLAIN_KEPT * 2 * HALF + two + 1;
            const double* odd = even + HALF;
            double last = odd[0];
#pragma unroll 1
            for (int32 at = 0; at + LEAST_SIDE <= most; at += 4) {
                const double2* four_sizes = reinterpret_cast<const double2*>(sizes + at);
                double2 low = four_sizes[0];
                double2 high = four_sizes[1];
                double a = even[1];
                double b = odd[1];
                double c = even[2];
                double d = odd[2];
                even += 2;
                odd += 2;
                add(sums, low.x, last, a);
                add(sums, low.y, a, b);
                add(sums, high.x, b, c);
                add(sums, high.y, c, d);
                last = d;
            }
        }
        return sums;
    }

    static __device__ __forceinline__ void add(double2& sums, double size, double first, double second) {
        sums.x = __dadd_rn(sums.x, __dmul_rn(first, size));
        sums.y = __dadd_rn(sums.y, __dmul_rn(second, size));
    }
};
