// The tables of dev.bellman.fold.rna.RnaEnsemble for a sequence whose weights all have level 0. One block, with two
// threads per column, computes them, and stores the values that several rows need in shared memory.
//
// Rows are computed in batches of three, because internal loops with at least two unpaired bases on the left skip two
// rows. Rows are stored downwards: the rows before row i are after it in memory, in both passes.
#pragma once

#include "fold/rna/ensemble/ensemble_table.cuh"
#include "fold/rna/ensemble/plain_weights.cuh"

// The number of rows of a batch.
constexpr int32 TOGETHER = 3;

// The number of rows stored for loops with at least two unpaired bases on each side, and the number of these rows that
// a batch needs.
constexpr int32 PLAIN_KEPT = 32;
constexpr int32 PLAIN_NEEDED = PLAIN_KEPT - TOGETHER;

// The number of zeros after a row, for loops that do not fit in the sequence.
constexpr int32 PLAIN_ZEROS = MAX_INTERNAL - 2;

// The number of rows stored for bulges and loops with one unpaired base on a side. They are stored twice, so that the
// rows of a batch are adjacent.
constexpr int32 PLAIN_FAR = 32;

constexpr int32 KINDS_OF_EDGES = 2;

// The number of rows stored for small loops.
constexpr int32 PLAIN_RECENT = 4;

// The number of small loops that a pair can close.
constexpr int32 SMALL_LOOPS = 7;

// The minimum distance between the bases of a pair that closes an internal loop of the last kind.
constexpr int32 LEAST_SPAN = MIN_HAIRPIN + 3 + LEAST_OTHER;

// The sizes of bulges, with zeros before and after them.
constexpr int32 PLAIN_SIZES = MAX_INTERNAL + TOGETHER + 1;

// The number of values that a thread loads at once.
constexpr int32 UNROLLED = 8;

// WIDTH: the maximum number of bases, a multiple of four
template <int32 WIDTH>
class PlainTable {
    static constexpr int32 STRIDE = WIDTH + PLAIN_ZEROS;
    // the number of entries in a row of counts
    static constexpr int32 COUNTS = WIDTH + 4;
    static constexpr int32 ROWS_OF_DOUBLES = 4 * TOGETHER + KINDS + PLAIN_RECENT + 2 * TOGETHER + 3;

public:
    // The number of bytes of shared memory.
    static constexpr int32 BYTES =
        (PLAIN_ZEROS + PLAIN_KEPT * STRIDE + 2 * SIZE_ROWS + 2 * PLAIN_SIZES + ROWS_OF_DOUBLES * WIDTH + 8) * 8
        + (WIDTH + UNROLLED) * 12 + (BASES * COUNTS + WIDTH) * 2
        + PlainWeights::bytes(WIDTH);

    static constexpr int32 width = WIDTH;

    EnsembleLoops loops;
    PlainWeights weights;
    int32 n;
    int32 columns;        // the number of threads with different columns
    int32 j;              // this thread's column
    bool is_second;       // whether this is the second thread of the column
    double unpaired;
    double* pairs;        // EnsembleTable::pairs, in global memory
    double* multis;
    double* severals;
    double* several;      // the multiloop parts of the last row with at least two branches
    double* small_sums;   // for each listed pair, the sum of its small loops
    double* sums;         // scratch for the exterior loop
    double* prefix;
    double* suffix;
    double* branches;     // the weights of the branches of the last row or, in the reverse pass, of one column
    int32* places;        // for each of these branches, the index of its other factor, minus that factor's column
    uint16* listed;       // the columns that can pair with the current row
    uint8* bases;
    bool wide = false;    // whether this thread has seen a weight whose level is not 0

    __device__ PlainTable(const EnsembleTable& of, double* shared) :
        loops(of.loops),
        n(of.n),
        columns(blockDim.x / 2),
        j(threadIdx.x % (blockDim.x / 2)),
        is_second(threadIdx.x >= blockDim.x / 2) {
        pairs = of.pairs.values;
        multis = of.multis.values;
        severals = of.severals.values;
        far_ = of.kept.values;
        branches = shared;
        places = reinterpret_cast<int32*>(branches + width + UNROLLED);
        sizes_ = reinterpret_cast<double2*>(places + width + UNROLLED);
        kept_ = reinterpret_cast<double*>(sizes_ + SIZE_ROWS) + PLAIN_ZEROS;
        edge_sizes_ = kept_ + PLAIN_KEPT * STRIDE;
        others_ = edge_sizes_ + 2 * PLAIN_SIZES;
        edges_ = others_ + 2 * TOGETHER * width;
        bulges_ = edges_ + 2 * TOGETHER * width;
        ones_ = bulges_ + width;
        recent_ = ones_ + 2 * width;
        several = recent_ + PLAIN_RECENT * width;
        ends_ = several + width;
        small_sums = ends_ + 2 * TOGETHER * width;
        prefix = small_sums + width;
        suffix = prefix + width + 4;
        weights = PlainWeights(loops, suffix + width + 4, width);
        bases = weights.bases;
        counts_ = reinterpret_cast<uint16*>(bases + 2 * width);
        listed = counts_ + BASES * COUNTS;
        sums = others_;
        loops.bases = bases;
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
        uint64 bits = static_cast<uint64>(__double_as_longlong(weight));
        wide = wide || (static_cast<uint32>(bits >> 32) - SMALLEST >= LEVEL && bits != 0);
        return weight;
    }

    // Reads the bases, counts the bases that can pair with each kind of base, and computes the factors for the sizes of
    // loops.
    __device__ void begin(const uint8* text) {
        int32 thread = threadIdx.x;
        for (int32 i = thread; i < n; i += blockDim.x) {
            bases[i] = static_cast<uint8>(base_of(text[i]));
        }
        __syncthreads();
        // each warp processes one kind of base at a time
        for (int32 base = thread / 32; base < BASES; base += blockDim.x / 32) {
            int32 count = 0;
            for (int32 first = 0; first <= n; first += 32) {
                int32 i = first + thread % 32;
                uint32 those = __ballot_sync(~0u, i < n && pair_of(base, bases[i]) > 0);
                if (i <= n) {
                    counts_[base * COUNTS + i] = static_cast<uint16>(count + __popc(those & ((1u << i % 32) - 1)));
                }
                count += __popc(those);
            }
        }
        for (int32 count = thread; count <= max(n, MAX_INTERNAL + 2); count += blockDim.x) {
            loops.factors.set(count, loops.factor_of(count));
        }
        clear();
        __syncthreads();
        for (int32 at = thread; at < SIZE_ROWS; at += blockDim.x) {
            int32 size = min(LEAST_SIZE + at, MAX_INTERNAL);
            sizes_[at] = {loops.weights.asymmetry(size - LEAST_SIZE), size < LEAST_OTHER ? 0 : loops.size(size)};
        }
        for (int32 size = thread; size < PLAIN_SIZES; size += blockDim.x) {
            edge_sizes_[size] = size >= 2 && size <= MAX_INTERNAL ? sized(0, size) : 0;
            edge_sizes_[PLAIN_SIZES + size] = size >= 3 && size < MAX_INTERNAL ? sized(1, size) : 0;
        }
        weights.begin(n);
        unpaired = loops.unpaired();
        two_three_ = sized(2, 3);
        __syncthreads();
    }

    // Clears all stored rows.
    __device__ void clear() {
        for (int32 at = threadIdx.x; at < PLAIN_ZEROS + PLAIN_KEPT * STRIDE; at += blockDim.x) {
            kept_[at - PLAIN_ZEROS] = 0;
        }
        for (int32 at = threadIdx.x; at < small_sums - edges_; at += blockDim.x) {
            edges_[at] = 0;
        }
        for (int32 at = threadIdx.x; at < width + UNROLLED; at += blockDim.x) {
            branches[at] = 0;
        }
        slot_ = PLAIN_KEPT - PLAIN_NEEDED;
#pragma unroll
        for (double& each : grown_) {
            each = 0;
        }
    }

    // Returns how many bases from `from` up to but excluding `behind` can pair with base i.
    __device__ __forceinline__ int32 count_partners(int32 i, int32 from, int32 behind) const {
        const uint16* counts = counts_ + bases[i] * COUNTS;
        return behind > from ? counts[behind] - counts[from] : 0;
    }

    // Lists this thread's column if it can pair with row i.
    __device__ __forceinline__ void list(int32 i) const {
        if (!is_second && i >= 0 && i < n && j < n && j - i > MIN_HAIRPIN && weights.pair(i, j) > 0) {
            listed[count_partners(i, i + MIN_HAIRPIN + 1, j)] = static_cast<uint16>(j);
        }
    }

    // Stores a pair of row i, the a-th row of its batch, with its terms in the weights of internal loops.
    //
    // - seen: the number that represents the pair, as in EnsembleLoops::end
    __device__ __forceinline__ void keep(int32 a, int32 i, int32 column, double pair, int32 seen) {
        double bulge = checked(__dmul_rn(pair, weights.end(BULGE, seen)));
        double one = checked(__dmul_rn(pair, weights.end(ONE, seen)));
        double other = checked(__dmul_rn(pair, weights.end(OTHER, seen)));
        keep(a, i, column, pair, bulge, one, other);
    }

    // Clears the entries for this thread's column, which cannot pair with row i.
    __device__ __forceinline__ void keep_none(int32 a, int32 i) const {
        keep(a, i, j, 0, 0, 0, 0);
    }

    // Returns a pair of one of the last rows, or its derivative.
    __device__ __forceinline__ double recent(int32 i, int32 column) const {
        return recent_[static_cast<uint32>(i) % PLAIN_RECENT * width + column];
    }

    // Makes room for the rows of a batch whose loops have been summed, with the last threads of the block. All threads
    // must call this.
    //
    // - from: the first column that later batches need
    __device__ __forceinline__ void make_room(int32 from) {
        if (slot_ > 0) {
            return;
        }
        for (int32 two = from / 2 + blockDim.x - 1 - threadIdx.x; two < (n + 1) / 2; two += blockDim.x) {
            double2* column = reinterpret_cast<double2*>(kept_) + two;
#pragma unroll
            for (int32 row = PLAIN_NEEDED - TOGETHER - 1; row >= 0; row--) {
                column[(row + 2 * TOGETHER) * (STRIDE / 2)] = column[row * (STRIDE / 2)];
            }
        }
        slot_ = 2 * TOGETHER;
    }

    // Counts a batch whose rows have been stored.
    __device__ __forceinline__ void finish_batch() {
        slot_ -= TOGETHER;
    }

    // Sums loops for the rows of a batch: the loops of the last kind for one thread per sum of row and column, and, for
    // each column, the bulges or the loops with one unpaired base on the right (in the reverse pass, the left).
    //
    // - first: the first row of the batch; the next rows are above it or, in the reverse pass, below it
    template <bool INSIDE>
    __device__ __forceinline__ void sum_loops(int32 first) {
        if (is_second) {
            sum_others<INSIDE, 1>(first);
            sum_edges<INSIDE, ONE>(first);
        } else {
            sum_others<INSIDE, 0>(first);
            sum_edges<INSIDE, BULGE>(first);
        }
    }

    // Returns the sum of the loops of the last kind, without the term of a pair, which must span at least LEAST_SPAN
    // bases in the first pass.
    __device__ __forceinline__ double others(int32 a, int32 column) const {
        return __dadd_rn(others_[a * width + column], others_[(TOGETHER + a) * width + column]);
    }

    // Returns the sums of bulges and of loops with one unpaired base on a side.
    template <bool INSIDE>
    __device__ __forceinline__ double2 edges(int32 a, int32 i, int32 column) const {
        constexpr int32 STEP = INSIDE ? -1 : 1;
        double2 sums = {edges_[a * width + column], edges_[(TOGETHER + a) * width + column]};
        int32 most = INSIDE ? column - i - MIN_HAIRPIN - 3 : i > 0 ? n - 2 - column : 0;
        int32 most_of_ones = INSIDE ? most - 1 : i > 1 ? most : 0;
        most = min(MAX_INTERNAL, most);
        most_of_ones = min(MAX_INTERNAL - 1, most_of_ones);
        const double* bulges = bulges_ + column + STEP;
        const double* ones = ones_ + (i & 1) * width + column + STEP;
        const double* bulge_sizes = edge_sizes_;
        const double* one_sizes = edge_sizes_ + PLAIN_SIZES;
        int32 r = 2;
#pragma unroll 4
        for (; r < most_of_ones; r++) {
            sums.x = __fma_rn(bulges[STEP * r], bulge_sizes[r], sums.x);
            sums.y = __fma_rn(ones[STEP * (r + 1)], one_sizes[r + 1], sums.y);
        }
#pragma unroll 1
        for (; r <= most; r++) {
            sums.x = __fma_rn(bulges[STEP * r], bulge_sizes[r], sums.x);
        }
        return sums;
    }

    // Returns the sums of products for the pairs of a row, in place of its sums of bulges, which were read before.
    __device__ __forceinline__ double* products(int32 a) const {
        return edges_ + a * width;
    }

    // Returns the sum of the loops with two and three unpaired bases inside or around a pair, without the pair's term.
    template <bool INSIDE>
    __device__ __forceinline__ double two_three(int32 i, int32 column) {
        double sum = 0;
#pragma unroll
        for (int32 l = 2; l <= 3; l++) {
            int32 row = INSIDE ? i + 1 + l : i - 1 - l;
            int32 other = INSIDE ? column - 1 - (5 - l) : column + 1 + (5 - l);
            double pair = is_cell<INSIDE>(row, other) ? recent(row, other) : 0;
            if (pair > 0) {
                int32 seen = INSIDE ? weights.branches(row, other) : weights.closes(row, other);
                sum = __fma_rn(checked(__dmul_rn(pair, weights.end(TWO_THREE, seen))), two_three_, sum);
            }
        }
        return sum;
    }

    // Sums the loops with at most two unpaired bases on each side, inside a pair or around it.
    template <bool INSIDE>
    __device__ __forceinline__ double small_loops(int32 i, int32 column) const {
        Small found[SMALL_LOOPS];
        if (INSIDE) {
            found[0] = small<INSIDE, 0, 0>(i, column);
            found[1] = small<INSIDE, 0, 1>(i, column);
            found[2] = small<INSIDE, 1, 0>(i, column);
            found[3] = small<INSIDE, 1, 1>(i, column);
            found[4] = small<INSIDE, 1, 2>(i, column);
            found[5] = small<INSIDE, 2, 1>(i, column);
            found[6] = small<INSIDE, 2, 2>(i, column);
        } else {
            found[0] = small<INSIDE, 2, 1>(i, column);
            found[1] = small<INSIDE, 2, 2>(i, column);
            found[2] = small<INSIDE, 1, 0>(i, column);
            found[3] = small<INSIDE, 1, 1>(i, column);
            found[4] = small<INSIDE, 1, 2>(i, column);
            found[5] = small<INSIDE, 0, 0>(i, column);
            found[6] = small<INSIDE, 0, 1>(i, column);
        }
        double sum = 0;
#pragma unroll
        for (const Small& each : found) {
            sum = __fma_rn(each.pair, each.weight, sum);
        }
        return sum;
    }

    // Sums the small loops of the listed pairs of a row, with the last threads of the block if they are idle.
    template <bool INSIDE>
    __device__ __forceinline__ void sum_small(int32 i, int32 count) const {
        int32 half = columns / 2;
        int32 at = count <= half ? j - half : j;
        if (is_second && at >= 0 && at < count) {
            small_sums[at] = small_loops<INSIDE>(i, listed[at]);
        }
    }

private:
    double2* sizes_;       // for each size from LEAST_SIZE on, the factors for the difference of the sides and the size
    double* edge_sizes_;   // the factors of bulges, then those of loops with one unpaired base on a side
    double* others_;       // the sums of the loops of the last kind, for even and odd sizes and each row of a batch
    double* edges_;        // the sums of bulges and loops with one unpaired base on a side, for each row of a batch
    double* kept_;         // the pairs for loops of the last kind; the first stored row is at slot_
    double* far_;          // in global memory: row i is at i % PLAIN_FAR, and again PLAIN_FAR rows later
    double* bulges_;       // the last row
    double* ones_;         // the last two rows
    double* recent_;
    double* ends_;
    double two_three_;
    int32 slot_;
    double grown_[SIZE_ROWS / 2];  // InternalSums.ofSize, for this thread's sum of row and column
    // for each kind of base and each column, the number of earlier bases that can pair with this kind of base
    uint16* counts_;

    __device__ __forceinline__ double sized(int32 l, int32 r) const {
        return __dmul_rn(loops.weights.sized(l, r), loops.factors.values[l + r + 2]);
    }

    // The loop with L and R unpaired bases inside a pair or around it: the other pair, and the loop's weight.
    struct Small {
        double pair;
        double weight;
    };

    template <bool INSIDE, int32 L, int32 R>
    __device__ __forceinline__ Small small(int32 i, int32 column) const {
        int32 row = INSIDE ? i + 1 + L : max(0, i - 1 - L);
        int32 other = INSIDE ? column - 1 - R : min(n - 1, column + 1 + R);
        bool has_loop = is_cell<INSIDE>(INSIDE ? row : i - 1 - L, INSIDE ? other : column + 1 + R);
        double pair = has_loop ? recent(row, other) : 0;
        has_loop = pair > 0;
        return {pair, INSIDE ? weights.small<L, R>(i, column, has_loop) : weights.small<L, R>(row, other, has_loop)};
    }

    // Whether an entry inside a pair, or around it, exists.
    template <bool INSIDE>
    __device__ __forceinline__ bool is_cell(int32 i, int32 column) const {
        return INSIDE ? column - i > MIN_HAIRPIN : i >= 0 && column < n;
    }

    __device__ __forceinline__ void keep(
            int32 a, int32 i, int32 column, double pair, double bulge, double one, double other) const {
        recent_[static_cast<uint32>(i) % PLAIN_RECENT * width + column] = pair;
        kept_[(slot_ - 1 - a) * STRIDE + column] = other;
        bulges_[column] = bulge;
        ones_[(i & 1) * width + column] = one;
        double* far = far_ + static_cast<uint32>(i) % PLAIN_FAR * KINDS_OF_EDGES * n + column;
        far[0] = bulge;
        far[n] = one;
        far += PLAIN_FAR * KINDS_OF_EDGES * n;
        far[0] = bulge;
        far[n] = one;
    }

    template <bool INSIDE, int32 ODD>
    __device__ __forceinline__ void sum_others(int32 first) {
        constexpr int32 STEP = INSIDE ? 1 : -1;
        int32 last = INSIDE ? first : first + TOGETHER - 1;
        int32 column = j + (last > j ? n : 0) - first;
        bool is_new = INSIDE ? first <= j && j < first + TOGETHER : first >= j - 1 && first < j - 1 + TOGETHER;
        if (is_new) {
#pragma unroll
            for (double& each : grown_) {
                each = 0;
            }
        }
        // the number of bases between those of the widest pair of the batch
        int32 span = column - first + (INSIDE ? 2 * (TOGETHER - 1) : 0) - 1;
        if (j >= n || span < MIN_HAIRPIN + (INSIDE ? LEAST_SIZE + 2 : 0)) {
            return;
        }
        const double* own = kept_ + (slot_ - 1) * STRIDE + column;
        double last_sums[TOGETHER + 1] = {};
        double sums[TOGETHER] = {};
#pragma unroll
        for (int32 at = 0; at < SIZE_ROWS / 2 - ODD; at++) {
            int32 size = LEAST_SIZE + 2 * at + ODD;
            double2 factors = sizes_[2 * at + ODD];
            double before[TOGETHER + 1];
            before[0] = grown_[at];
#pragma unroll
            for (int32 a = 0; a < TOGETHER; a++) {
                const double* row = own - a * STRIDE + a * STEP;
                double both = row[3 * STRIDE + (1 - size) * STEP];
                if (size > LEAST_SIZE) {
                    both = __dadd_rn(both, row[(size - 1) * STRIDE - 3 * STEP]);
                }
                before[a + 1] = __fma_rn(both, factors.x, last_sums[a]);
                if (size >= LEAST_OTHER) {
                    sums[a] = __fma_rn(before[a + 1], factors.y, sums[a]);
                }
            }
            grown_[at] = before[TOGETHER];
#pragma unroll
            for (int32 a = 0; a <= TOGETHER; a++) {
                last_sums[a] = before[a];
            }
        }
#pragma unroll
        for (int32 a = 0; a < TOGETHER; a++) {
            int32 to = column + a * STEP;
            if (to < n) {
                others_[(ODD * TOGETHER + a) * width + to] = sums[a];
            }
        }
    }

    template <bool INSIDE, int32 KIND>
    __device__ __forceinline__ void sum_edges(int32 first) const {
        if (j >= n) {
            return;
        }
        constexpr int32 MOST = MAX_INTERNAL + 1;
        int32 column = INSIDE ? j - 1 - KIND : j + 1 + KIND;
        int32 most = INSIDE ? min(MOST, column - MIN_HAIRPIN - 1 - first) : column < n ? min(MOST, first) : 0;
        int32 stride = (INSIDE ? -1 : 1) * KINDS_OF_EDGES * n;
        int32 nearest = INSIDE ? (first + 1) % PLAIN_FAR : (first + PLAIN_FAR - 1) % PLAIN_FAR + PLAIN_FAR;
        const double* row = far_ + (nearest * KINDS_OF_EDGES + KIND) * n + column + stride;
        const double* sizes = edge_sizes_ + KIND * PLAIN_SIZES;
        double sums[TOGETHER] = {};
#pragma unroll 1
        for (int32 from = MOST / UNROLLED * UNROLLED; from >= 0; from -= UNROLLED) {
            if (from >= most) {
                continue;
            }
            double pairs[UNROLLED];
#pragma unroll
            for (int32 each = 0; each < UNROLLED; each++) {
                pairs[each] = from + each < most ? row[-(from + each + 1) * stride] : 0;
            }
#pragma unroll
            for (int32 each = UNROLLED - 1; each >= 0; each--) {
#pragma unroll
                for (int32 a = 0; a < TOGETHER; a++) {
                    sums[a] = __fma_rn(pairs[each], sizes[from + each + a], sums[a]);
                }
            }
        }
#pragma unroll
        for (int32 a = 0; a < TOGETHER; a++) {
            edges_[(KIND * TOGETHER + a) * width + j] = sums[a];
        }
    }
};
