// The tables of dev.bellman.fold.rna.RnaEnsemble for a sequence whose weights all have level 0. One block, with two
// threads per column, computes them, and stores the values that several rows need in shared memory.
//
// Rows are computed in batches of three, because internal loops with at least two unpaired bases on the left skip two
// rows. Rows are stored downwards: the rows before row i are after it in memory, in both passes.
#pragma once

#include "fold/rna/ensemble/ensemble_table.cuh"
#include "fold/rna/ensemble/plain_sums.cuh"
#include "fold/rna/ensemble/plain_weights.cuh"

// The number of rows stored for loops with at least two unpaired bases on each side, and the number of these rows that
// a batch needs.
constexpr int32 PLAIN_KEPT = 32;
constexpr int32 PLAIN_NEEDED = PLAIN_KEPT - TOGETHER;

// The number of zeros after a row, for loops that do not fit in the sequence.
constexpr int32 PLAIN_ZEROS = MAX_INTERNAL - 2;

// The number of rows stored for small loops.
constexpr int32 PLAIN_RECENT = 4;

// The number of small loops that a pair can close.
constexpr int32 SMALL_LOOPS = 7;

// The minimum distance between the bases of a pair that closes an internal loop of the last kind.
constexpr int32 LEAST_SPAN = MIN_HAIRPIN + 3 + LEAST_OTHER;

// The number of values that a thread loads at once.
constexpr int32 UNROLLED = 8;

// WIDTH: the maximum number of bases, a multiple of four
template <int32 WIDTH>
class PlainTable {
    static constexpr int32 STRIDE = WIDTH + PLAIN_ZEROS;
    static constexpr int32 SIZES = PlainFar<WIDTH>::SIZES;
    // the number of entries in a row of counts
    static constexpr int32 COUNTS = WIDTH + 4;
    static constexpr int32 ROWS_OF_DOUBLES = 4 * TOGETHER + PLAIN_RECENT + 3 * TOGETHER + 5;

public:
    static constexpr int32 width = WIDTH;

    // The number of listed branches that a thread loads at once. Many loads at once take less time, but more
    // instructions, because some loads are not needed.
    static constexpr int32 LISTED = WIDTH > 64 ? 16 : 8;

    static constexpr bool HAS_REGISTERS = WIDTH <= 120;

    using Grown = PlainSums<WIDTH, HAS_REGISTERS>;

    // Whether first threads sum edges of pairs, because one or two warps contain all second threads.
    static constexpr bool FIRST_SUM_EDGES = WIDTH <= 64;

    // The number of pairs for which a thread sums products at once.
    static constexpr int32 SUMMED = WIDTH > 64 ? 2 : 1;

    // The number of bytes of shared memory.
    static constexpr int32 BYTES =
        (PLAIN_ZEROS + PLAIN_KEPT * STRIDE + 2 * SIZE_ROWS + 2 * SIZES + ROWS_OF_DOUBLES * WIDTH
            + PlainBeside<WIDTH>::SIZE + 8) * 8
        + (WIDTH + LISTED) * 12 + (BASES * COUNTS + WIDTH) * 2
        + PlainWeights::bytes(WIDTH);

    EnsembleLoops loops;
    PlainWeights weights;
    int32 n;
    int32 columns;        // the number of threads with different columns
    int32 j;              // this thread's column
    bool is_second;       // whether this is the second thread of the column
    double unpaired;
    Part pairs;           // EnsembleTable::pairs
    Part multis;
    Part severals;
    double* several;      // the multiloop parts of the last row with at least two branches
    double* products;     // for each listed pair, the sum of products of multiloop parts
    double* grown;        // for each row of a batch, the derivatives of multiloop parts that follow a branch
    double* small_sums;   // for each listed pair, the sum of its small loops
    double* sums;         // scratch for the exterior loop
    double* prefix;
    double* suffix;
    double* branches;     // the weights of the branches of the last row or, in the reverse pass, of one column
    int32* places;        // for each of these branches, the index of its other factor, minus that factor's column
    uint16* listed;       // the columns that can pair with the current row
    uint8* bases;
    int32 wide = 0;       // 1 if this thread has seen a weight whose level is not 0

    __device__ PlainTable(const EnsembleTable& of, double* shared) :
        loops(of.loops),
        n(of.n),
        columns(blockDim.x / 2),
        j(threadIdx.x % (blockDim.x / 2)),
        is_second(threadIdx.x >= blockDim.x / 2) {
        uint32 cells = n * (n + 1) / 2;
        pairs = {of.pairs.values, 0};
        multis = pairs.from(cells);
        severals = multis.from(cells);
        Part rest = severals.from(cells);
        loops.factors = {&rest[0], reinterpret_cast<int16*>(&rest[n + MORE_FACTORS])};
        rest = rest.from(words_of_factors(n));
        far_ = PlainFar<WIDTH>(rest, n);
        grown_ = Grown(rest.from(far_.size()));
        branches = shared;
        places = reinterpret_cast<int32*>(branches + width + LISTED);
        sizes_ = reinterpret_cast<double2*>(places + width + LISTED);
        kept_ = reinterpret_cast<double*>(sizes_ + SIZE_ROWS) + PLAIN_ZEROS;
        edge_sizes_ = kept_ + PLAIN_KEPT * STRIDE;
        others_ = edge_sizes_ + 2 * SIZES;
        edges_ = others_ + 2 * TOGETHER * width;
        beside_ = PlainBeside<WIDTH>(edges_ + 2 * TOGETHER * width);
        recent_ = edges_ + 2 * TOGETHER * width + PlainBeside<WIDTH>::SIZE;
        ends_ = recent_ + PLAIN_RECENT * width;
        small_sums = ends_ + 2 * TOGETHER * width;
        products = small_sums + width;
        several = products + width;
        grown = several + width;
        prefix = grown + TOGETHER * width;
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
        return static_cast<uint32>(i * (2 * n - i + 1)) / 2 + j - i;
    }

    // Sets `wide` if the level of a weight is not 0, and returns the weight.
    __device__ __forceinline__ double checked(double weight) {
        constexpr uint32 SMALLEST = 0x2ff00000;  // the upper word of 2^-256
        constexpr uint32 LEVEL = 0x20000000;     // the difference from the upper word of 2^256
        uint64 bits = static_cast<uint64>(__double_as_longlong(weight));
        uint32 upper = static_cast<uint32>(bits >> 32);
        if (upper - SMALLEST >= LEVEL && (upper | static_cast<uint32>(bits)) != 0) {
            wide = 1;
        }
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
        for (int32 size = thread; size < SIZES; size += blockDim.x) {
            edge_sizes_[size] = size >= 2 && size <= MAX_INTERNAL ? sized(0, size) : 0;
            edge_sizes_[SIZES + size] = size >= 3 && size < MAX_INTERNAL ? sized(1, size) : 0;
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
        for (int32 at = threadIdx.x; at < prefix - edges_; at += blockDim.x) {
            edges_[at] = 0;
        }
        for (int32 at = threadIdx.x; at < width + LISTED; at += blockDim.x) {
            branches[at] = 0;
        }
        far_.clear();
        slot_ = PLAIN_KEPT - PLAIN_NEEDED;
        grown_.clear();
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
    __device__ __forceinline__ void keep(int32 a, int32 i, int32 column, double pair, const Ends& ends) {
        double bulge = checked(__dmul_rn(pair, ends.bulge));
        double one = checked(__dmul_rn(pair, ends.one));
        double other = checked(__dmul_rn(pair, ends.other));
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
        far_.finish_batch();
    }

    // Sums loops for the rows of a batch: the loops of the last kind for one thread per sum of row and column, and, for
    // each column, the bulges or the loops with one unpaired base on the right (in the reverse pass, the left).
    //
    // - first: the first row of the batch; the next rows are above it or, in the reverse pass, below it
    template <bool INSIDE>
    __device__ __forceinline__ void sum_loops(int32 first) {
        sum_others<INSIDE>(first, is_second ? 1 : 0);
        sum_edges<INSIDE>(first, is_second ? ONE : BULGE);
    }

    // Adds the loops that are not small to the weight of a pair.
    __device__ __forceinline__ double add_loops(double sum, int32 a, int32 column, const Ends& ends) const {
        sum = __fma_rn(edges_[a * width + column], ends.bulge, sum);
        sum = __fma_rn(edges_[(TOGETHER + a) * width + column], ends.one, sum);
        sum = __fma_rn(others_[(TOGETHER + a) * width + column], ends.two_three, sum);
        return __fma_rn(others_[a * width + column], ends.other, sum);
    }

    // Returns the sum of the loops with two and three unpaired bases inside or around a pair, without the pair's term.
    template <bool INSIDE>
    __device__ __forceinline__ double two_three(int32 i, int32 column) {
        double sum = 0;
#pragma unroll
        for (int32 l = 2; l <= 3; l++) {
            Cell cell = cell_of<INSIDE>(i, column, l, 5 - l);
            int32 seen = INSIDE ? weights.branches(cell.i, cell.j) : weights.closes(cell.i, cell.j);
            double weight = weights.end(TWO_THREE, cell.pair > 0 ? seen : 0);
            sum = __fma_rn(checked(__dmul_rn(cell.pair, weight)), two_three_, sum);
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

    // The parts of the work for listed pairs that this thread does: for each part, the index of a pair, or -1.
    struct Work {
        int32 loops;  // sums small loops, and loops with two and three unpaired bases
        int32 edges;  // sums bulges, and loops with one unpaired base on a side
        int32 pair;   // computes the pair
    };

    // Divides the work for `count` pairs among threads, in different warps if possible.
    __device__ __forceinline__ Work work(int32 count) const {
        auto one_of = [&](int32 at) { return static_cast<uint32>(at) < static_cast<uint32>(count) ? at : -1; };
        int32 half = count <= columns / 2 ? columns / 2 : 0;
        if (FIRST_SUM_EDGES) {
            return {is_second ? one_of(j) : -1, is_second ? -1 : one_of(j), is_second ? one_of(j - half) : -1};
        }
        if (!is_second) {
            return {-1, -1, -1};
        }
        int32 third = min((count + 31) / 32 * 32, columns / 3);
        return count <= third ? Work{one_of(j), one_of(j - third), one_of(j - 2 * third)}
                              : Work{one_of(j), one_of(j), one_of(j - half)};
    }

    // Sums the loops of the listed pairs of a row.
    template <bool INSIDE>
    __device__ __forceinline__ void sum_listed(int32 a, int32 i, const Work& work) {
        if (work.loops >= 0) {
            int32 column = listed[work.loops];
            small_sums[work.loops] = small_loops<INSIDE>(i, column);
            double& even = others_[a * width + column];
            double& odd = others_[(TOGETHER + a) * width + column];
            even = !INSIDE || column - i >= LEAST_SPAN ? __dadd_rn(even, odd) : 0;
            odd = two_three<INSIDE>(i, column);
        }
        if (work.edges >= 0) {
            int32 column = listed[work.edges];
            int32 most = INSIDE ? column - i - MIN_HAIRPIN - 3 : i > 0 ? n - 2 - column : 0;
            beside_.template sum<INSIDE>(i, column, most, edge_sizes_, edge_sizes_ + SIZES,
                edges_[a * width + column], edges_[(TOGETHER + a) * width + column]);
        }
    }

private:
    double2* sizes_;       // for each size from LEAST_SIZE on, the factors for the difference of the sides and the size
    double* edge_sizes_;   // the factors of bulges, then those of loops with one unpaired base on a side
    double* others_;       // the sums of the loops of the last kind, for even and odd sizes and each row of a batch
    double* edges_;        // the sums of bulges and loops with one unpaired base on a side, for each row of a batch
    double* kept_;         // the pairs for loops of the last kind; the first stored row is at slot_
    PlainFar<WIDTH> far_;
    PlainBeside<WIDTH> beside_;
    double* recent_;
    double* ends_;
    double two_three_;
    int32 slot_;
    Grown grown_;
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
        Cell cell = cell_of<INSIDE>(i, column, L, R);
        bool has_loop = cell.pair > 0;
        return {cell.pair,
            INSIDE ? weights.small<L, R>(i, column, has_loop) : weights.small<L, R>(cell.i, cell.j, has_loop)};
    }

    // A cell inside a pair or around it.
    struct Cell {
        int32 i;
        int32 j;
        double pair;
    };

    // Returns the cell with l and r bases between it and a pair. If this cell does not exist, returns another cell with
    // the value 0. It does not branch, so that reads do not wait for each other.
    template <bool INSIDE>
    __device__ __forceinline__ Cell cell_of(int32 i, int32 column, int32 l, int32 r) const {
        int32 row = INSIDE ? i + 1 + l : i - 1 - l;
        int32 other = INSIDE ? column - 1 - r : column + 1 + r;
        bool is_cell = INSIDE ? other - row > MIN_HAIRPIN : row >= 0 && other < n;
        row = INSIDE ? row : max(0, row);
        other = INSIDE ? other : min(n - 1, other);
        double pair = recent(row, other);
        return {row, other, is_cell ? pair : 0};
    }

    __device__ __forceinline__ void keep(
            int32 a, int32 i, int32 column, double pair, double bulge, double one, double other) const {
        recent_[static_cast<uint32>(i) % PLAIN_RECENT * width + column] = pair;
        kept_[(slot_ - 1 - a) * STRIDE + column] = other;
        beside_.keep(i, column, bulge, one);
        far_.keep(a, column, bulge, one);
    }

    // odd: 1 for odd sizes, 0 for even sizes. Both run the same code, because different code takes more room in the
    // instruction cache.
    template <bool INSIDE>
    __device__ __forceinline__ void sum_others(int32 first, int32 odd) {
        constexpr int32 STEP = INSIDE ? 1 : -1;
        constexpr int32 HALF = SIZE_ROWS / 2;
        int32 last = INSIDE ? first : first + TOGETHER - 1;
        int32 column = j + (last > j ? n : 0) - first;
        bool is_new = INSIDE ? first <= j && j < first + TOGETHER : first >= j - 1 && first < j - 1 + TOGETHER;
        auto all_grown = grown_.of(odd, j);
        if (is_new && j < n) {
            all_grown.clear();
        }
        // the number of bases between those of the widest pair of the batch
        int32 span = column - first + (INSIDE ? 2 * (TOGETHER - 1) : 0) - 1;
        if (j >= n || span < MIN_HAIRPIN + (INSIDE ? LEAST_SIZE + 2 : 0)) {
            return;
        }
        const double* nearest = kept_ + (slot_ + 2) * STRIDE + column - odd * STEP;
        const double* farthest = kept_ + (slot_ - 1 + odd) * STRIDE + column - 3 * STEP;
        double grown[HALF];
#pragma unroll
        for (int32 at = 0; at < HALF; at++) {
            grown[at] = all_grown[at];
        }
        double last_sums[TOGETHER + 1] = {};
        double sums[TOGETHER] = {};
#pragma unroll
        for (int32 at = 0; at < HALF; at++) {
            if (at == HALF - 1 && odd == 1) {
                continue;
            }
            int32 even = LEAST_SIZE + 2 * at;
            double2 factors = sizes_[2 * at + odd];
            double before[TOGETHER + 1];
            before[0] = grown[at];
#pragma unroll
            for (int32 a = 0; a < TOGETHER; a++) {
                int32 pair = a * (STEP - STRIDE);
                double both = nearest[pair + (1 - even) * STEP];
                if (even + odd > LEAST_SIZE) {
                    both = __dadd_rn(both, farthest[pair + (even - 1) * STRIDE]);
                }
                before[a + 1] = __fma_rn(both, factors.x, last_sums[a]);
                if (even >= LEAST_OTHER) {
                    sums[a] = __fma_rn(before[a + 1], factors.y, sums[a]);
                }
            }
            all_grown[at] = before[TOGETHER];
#pragma unroll
            for (int32 a = 0; a <= TOGETHER; a++) {
                last_sums[a] = before[a];
            }
        }
#pragma unroll
        for (int32 a = 0; a < TOGETHER; a++) {
            int32 to = column + a * STEP;
            if (to < n) {
                others_[(odd * TOGETHER + a) * width + to] = sums[a];
            }
        }
    }

    template <bool INSIDE>
    __device__ __forceinline__ void sum_edges(int32 first, int32 kind) {
        if (j >= n) {
            return;
        }
        int32 loops = INSIDE ? j - kind - MIN_HAIRPIN - 2 - first : j + 1 + kind < n ? first : 0;
        double sums[TOGETHER] = {};
        far_.template sum<INSIDE>(kind, j, loops, edge_sizes_ + kind * SIZES, sums);
#pragma unroll
        for (int32 a = 0; a < TOGETHER; a++) {
            edges_[(kind * TOGETHER + a) * width + j] = sums[a];
        }
    }
};
