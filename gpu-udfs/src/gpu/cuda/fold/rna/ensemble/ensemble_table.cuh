// The tables of dev.bellman.fold.rna.RnaEnsemble and the sums that both of its passes need. One block computes them.
#pragma once

#include "fold/rna/ensemble/loop_weights.cuh"

// The number of rows stored for pairs with their terms in the weights of internal loops: the number of rows that a loop
// can skip, one for the pairs themselves, and one that is being written.
constexpr int32 KEPT = MAX_INTERNAL + 2;

// The number of rows of derivatives stored for small internal loops, a power of two.
constexpr int32 RECENT = 4;

// Sums over internal loops are stored for each number of unpaired bases from LEAST_SIZE on, in SIZE_ROWS rows, one of
// which is not used. Loops of the last kind have at least LEAST_OTHER unpaired bases.
constexpr int32 LEAST_SIZE = 4;
constexpr int32 LEAST_OTHER = 6;
constexpr int32 SIZE_ROWS = MAX_INTERNAL + 2 - LEAST_SIZE;

// The number of words for a table: three per entry, WORDS_OF_BASE per base, and MORE_WORDS. Each word consists of a
// value and a level.
constexpr int32 TABLES_OF_CELLS = 3;
constexpr int32 WORDS_OF_BASE = KINDS * KEPT + 2 * SIZE_ROWS + RECENT + 11;
constexpr int32 MORE_WORDS = MAX_INTERNAL + 6;

class EnsembleTable {
public:
    EnsembleLoops loops;
    int32 n;
    double unpaired;
    uint16* listed;    // columns or rows in ascending order, in shared memory
    WideRow pairs;     // (i, j) is at place(i, j); in the reverse pass, earlier rows contain branches of multiloops
    WideRow multis;    // in the layout of `pairs`; in the reverse pass, earlier rows contain the probabilities of pairs
    WideRow severals;  // derivatives of multiloop parts with at least two branches
    WideRow kept;      // row i of kind k is at (i % KEPT * KINDS + k) * n
    WideRow grown;     // derivatives of the pairs in row i, at i % RECENT * n
    // the sums over the loops of the last kind with `size` unpaired bases, at their row of 2 n words, which are indexed
    // by i + j; see dev.bellman.fold.rna.InternalSums
    WideRow of_size;
    WideRow even;      // from here to `sums`: values of one row, indexed by its columns
    WideRow odd;
    WideRow several;
    WideRow one;
    WideRow ends;
    WideRow branches;
    WideRow sums;
    WideRow prefix;    // the total weight of the bases before j
    WideRow suffix;    // the total weight of the bases from i on

    // counts: 64 words of shared memory
    __device__ EnsembleTable(const EnsembleLoops& of, uint8* room, uint16* list, int32* counts) :
        EnsembleTable(of, room, list, counts, static_cast<int64>(of.n) * (of.n + 1) / 2) {}

    // cells: the number of entries in `pairs`, `multis` and `severals`
    __device__ EnsembleTable(const EnsembleLoops& of, uint8* room, uint16* list, int32* counts, int64 cells) :
        loops(of), n(of.n), listed(list), counts_(counts) {
        int64 words = TABLES_OF_CELLS * cells + static_cast<int64>(WORDS_OF_BASE) * n + MORE_WORDS;
        double* values = reinterpret_cast<double*>(room);
        pairs = {values, reinterpret_cast<int16*>(values + words)};
        multis = pairs.from(cells);
        severals = multis.from(cells);
        kept = severals.from(cells);
        grown = kept.from(static_cast<int64>(KINDS) * KEPT * n);
        of_size = grown.from(static_cast<int64>(RECENT) * n);
        even = of_size.from(2 * static_cast<int64>(SIZE_ROWS) * n);
        odd = even.from(n);
        several = odd.from(n);
        one = several.from(n);
        branches = one.from(n);
        sums = branches.from(n);
        columns_ = sums.from(n);
        ends = columns_.from(n);
        prefix = ends.from(n + 1);
        suffix = prefix.from(n + 1);
        loops.factors = suffix.from(n + 1);
    }

    // Returns the index of an entry, which is at most 2^29.
    __device__ __forceinline__ int32 place(int32 i, int32 j) const {
        return i * (2 * n - i + 1) / 2 + j - i;
    }

    // Returns an entry. Reads levels only if this thread knows that some level is not 0.
    __device__ __forceinline__ Wide get(const WideRow& row, int64 at) const {
        return {row.values[at], wide_ ? row.levels[at] : 0};
    }

    __device__ __forceinline__ void put(const WideRow& row, int64 at, Wide weight) {
        row.set(at, weight);
        wide_ = wide_ || weight.level != 0;
    }

    // Takes over from another table whether this thread knows of a level that is not 0.
    __device__ __forceinline__ void know(const EnsembleTable& other) {
        wide_ = wide_ || other.wide_;
    }

    // Waits at a barrier, after which all threads know whether any level differs from 0.
    __device__ __forceinline__ void sync() {
        wide_ = __syncthreads_or(wide_) != 0;
    }

    // Computes the factors for bases and for the sizes of internal loops.
    //
    // - sized: shared memory for SIZED doubles
    __device__ void begin(double* sized) {
        for (int32 count = threadIdx.x; count <= max(n, MAX_INTERNAL + 2); count += blockDim.x) {
            loops.factors.set(count, loops.factor_of(count));
        }
        clear();
        for (int32 j = threadIdx.x; j < n; j += blockDim.x) {
            columns_.values[j] = 0;
        }
        sync();
        for (int32 at = threadIdx.x; at < (MAX_INTERNAL + 1) * (MAX_INTERNAL + 1); at += blockDim.x) {
            int32 l = at / (MAX_INTERNAL + 1);
            int32 r = at % (MAX_INTERNAL + 1);
            if (l + r <= MAX_INTERNAL) {
                sized[sized_place(l) + r] = __dmul_rn(loops.weights.sized(l, r), loops.factors.values[l + r + 2]);
            }
        }
        loops.sized = sized;
        unpaired = loops.unpaired();
        sync();
    }

    // Clears `several` and `one`.
    __device__ void clear() {
        for (int32 j = threadIdx.x; j < n; j += blockDim.x) {
            several.set(j, Wide::none());
            one.set(j, Wide::none());
        }
    }

    // Lists the numbers from `from` up to but excluding `behind` that satisfy a condition, in ascending order, with a
    // barrier before and after.
    template <typename Holds>
    __device__ int32 list(int32 from, int32 behind, Holds holds) {
        int32 lane = threadIdx.x % 32;
        int32 warp = threadIdx.x / 32;
        int32 warps = blockDim.x / 32;
        int32 found = 0;
        sync();
        // the counts of a round are read while the counts of the next round are written
        int32* counts = counts_;
        for (int32 first = from; first < behind; first += blockDim.x) {
            int32 each = first + static_cast<int32>(threadIdx.x);
            bool is_one = each < behind && holds(each);
            uint32 those = __ballot_sync(~0u, is_one);
            if (lane == 0) {
                counts[warp] = __popc(those);
            }
            __syncthreads();
            int32 before = found;
            for (int32 other = 0; other < warps; other++) {
                before += other < warp ? counts[other] : 0;
                found += counts[other];
            }
            if (is_one) {
                listed[before + __popc(those & ((1u << lane) - 1))] = static_cast<uint16>(each);
            }
            counts = counts == counts_ ? counts_ + 32 : counts_;
        }
        sync();
        return found;
    }

    // Stores a pair together with its term in the weights of the internal loops on one side of it.
    __device__ __forceinline__ void keep(int32 i, int32 j, Wide pair, int32 seen) {
#pragma unroll
        for (int32 kind = 0; kind < KINDS; kind++) {
            Wide part = Wide::normal(__dmul_rn(pair.value, loops.end(kind, seen)), pair.level);
            put(kept, static_cast<int64>(i % KEPT * KINDS + kind) * n + j, part);
        }
    }

    __device__ __forceinline__ void keep_none(int32 i, int32 j) {
        for (int32 kind = 0; kind < KINDS; kind++) {
            kept.set(static_cast<int64>(i % KEPT * KINDS + kind) * n + j, Wide::none());
        }
    }

    // Computes the sums over the internal loops of the last kind with an even and with an odd number of unpaired bases,
    // for the columns from `from` up to but excluding `behind` of row i. The loops are inside the pairs of the row or
    // around them.
    //
    // - is_cell: whether an entry exists
    template <bool INSIDE, typename IsCell>
    __device__ void grow(int32 i, int32 from, int32 behind, IsCell is_cell) {
        constexpr int32 STEP = INSIDE ? 1 : -1;
        for (int32 j = from + threadIdx.x; j < behind; j += blockDim.x) {
            Wide sums[2] = {};
            bool has_last = is_cell(i + STEP, j - STEP);
#pragma unroll 1
            for (int32 size = LEAST_SIZE; size <= MAX_INTERNAL; size++) {
                WideRow own = of_size.from((2 * (INSIDE ? i : n - 1 - i) + size) % SIZE_ROWS * 2ll * n + i + j);
                Wide sum = size >= LEAST_OTHER && has_last ? get(own, 0) : Wide::none();
                Wide both = term(OTHER, i + 3 * STEP, j + (1 - size) * STEP, is_cell);
                if (size > LEAST_SIZE) {
                    both.add(term(OTHER, i + (size - 1) * STEP, j - 3 * STEP, is_cell));
                }
                sum.add_product(both.value, loops.weights.asymmetry(size - LEAST_SIZE), both.level);
                put(own, 0, sum);
                if (size >= LEAST_OTHER) {
                    sums[size % 2].add_product(sum.value, loops.size(size), sum.level);
                }
            }
            put(even, j, sums[0]);
            put(odd, j, sums[1]);
        }
    }

    // Sums the internal loops of each kind between the pair (i, j) and the stored pairs inside it or around it. `grow`
    // must have been called for the row.
    template <bool INSIDE, typename IsCell>
    __device__ __forceinline__ void sum_loops(int32 i, int32 j, Wide (&of_kinds)[KINDS], IsCell is_cell) const {
#pragma unroll 1
        for (int32 l = MAX_INTERNAL; l >= 2; l--) {
            add_loops<INSIDE>(of_kinds[BULGE], BULGE, i, j, l, 0, 0, is_cell);
            if (l > 2 && l < MAX_INTERNAL) {
                add_loops<INSIDE>(of_kinds[ONE], ONE, i, j, l, 1, 1, is_cell);
            }
        }
        add_loops<INSIDE>(of_kinds[BULGE], BULGE, i, j, 0, 2, MAX_INTERNAL, is_cell);
        add_loops<INSIDE>(of_kinds[ONE], ONE, i, j, 1, 3, MAX_INTERNAL - 1, is_cell);
        add_loops<INSIDE>(of_kinds[TWO_THREE], TWO_THREE, i, j, 2, 3, 3, is_cell);
        add_loops<INSIDE>(of_kinds[TWO_THREE], TWO_THREE, i, j, 3, 2, 2, is_cell);
        of_kinds[OTHER] = get(even, j);
        of_kinds[OTHER].add(get(odd, j));
    }

    // Adds products of entries in two rows, at the indices that `places(k)` returns for k = from, from + step, ...
    template <typename Places>
    __device__ __forceinline__ void add_products(
            Wide& sum,
            const WideRow& row,
            const WideRow& other_row,
            int32 from,
            int32 behind,
            int32 step,
            Places places) const {
        // while no thread knows of a level other than 0, this sum may still have another level, because scaling changes
        // levels
        if (!wide_ && sum.level == 0) {
            double plain = sum.value;
#pragma unroll 4
            for (int32 each = from; each < behind; each += step) {
                int2 both = places(each);
                plain = __fma_rn(row.values[both.x], other_row.values[both.y], plain);
            }
            sum.value = plain;
            return;
        }
#pragma unroll 1
        for (int32 each = from; each < behind; each += step) {
            int2 both = places(each);
            Wide one = row.get(both.x);
            Wide other = other_row.get(both.y);
            sum.add_product(one.value, other.value, one.level + other.level);
        }
    }

    // Returns how many of the first `count` listed numbers are below a bound.
    __device__ __forceinline__ int32 listed_before(int32 bound, int32 count) const {
        int32 before = 0;
        int32 behind = count;
        while (before < behind) {
            int32 middle = (before + behind) / 2;
            if (listed[middle] < bound) {
                before = middle + 1;
            } else {
                behind = middle;
            }
        }
        return before;
    }

    // Computes the row `ends` with a whole warp. Each end is the previous end times the weight of an unpaired base,
    // plus a term. Processes `steps` columns, in descending order if `STEP` is negative.
    template <int32 STEP>
    __device__ void scan(const WideRow& terms, int32 from, int32 steps) {
        int32 lane = threadIdx.x % 32;
        Wide end = Wide::none();
        for (int32 first = 0; first < steps; first += 32) {
            int32 column = from + STEP * (first + lane);
            bool is_one = first + lane < steps;
            Wide term = is_one ? get(terms, column) : Wide::none();
            Wide mine = Wide::none();
#pragma unroll 4
            for (int32 other = 0; other < 32; other++) {
                end.scale(unpaired);
                end.add(__shfl_sync(~0u, term.value, other), __shfl_sync(~0u, term.level, other));
                if (other == lane) {
                    mine = end;
                }
            }
            if (is_one) {
                put(ends, column, mine);
            }
        }
    }

    // Computes the weights of the exterior loop for the bases before each base, or for the bases from each base on. A
    // pair spans more than MIN_HAIRPIN bases, so the values for the next MIN_HAIRPIN + 1 bases do not depend on each
    // other, and threads synchronize only once per MIN_HAIRPIN + 1 bases.
    template <bool FROM_END>
    __device__ void fill_exterior(const WideRow& weights) {
        double factor = loops.factor();
        for (int32 base = threadIdx.x; base <= n; base += blockDim.x) {
            ends.set(base, Wide::none());
        }
        Wide before = {1, 0};
        for (int32 first = 0; first < n; first += MIN_HAIRPIN + 1) {
            sync();
#pragma unroll 1
            for (int32 base = first; base < min(n, first + MIN_HAIRPIN + 1); base++) {
                before = base == 0 ? before : exterior_sum(base, before, factor);
                if (threadIdx.x == 0) {
                    put(weights, FROM_END ? n - base : base, before);
                }
                push<FROM_END>(base, before);
            }
        }
        sync();
        before = n == 0 ? before : exterior_sum(n, before, factor);
        if (threadIdx.x == 0) {
            put(weights, FROM_END ? 0 : n, before);
        }
        sync();
    }

    // Returns twice the sum over pairs of p (1 - p), in one thread. Each column has a separate sum.
    __device__ double diversity() const {
        double sum = 0;
        for (int32 j = 0; j < n; j++) {
            sum = __dadd_rn(sum, columns_.values[j]);
        }
        return __dmul_rn(2, sum);
    }

    // Adds a probability to the sum of a column.
    __device__ __forceinline__ void add_probability(int32 j, double p) const {
        columns_.values[j] = __dadd_rn(columns_.values[j], __dmul_rn(p, __dsub_rn(1, p)));
    }

private:
    int32* counts_;
    WideRow columns_;
    bool wide_ = false;

    // Returns a stored pair with its term in the weights of internal loops of one kind; 0 outside the table.
    template <typename IsCell>
    __device__ __forceinline__ Wide term(int32 kind, int32 i, int32 j, IsCell is_cell) const {
        return is_cell(i, j) ? get(kept, static_cast<int64>(i % KEPT * KINDS + kind) * n + j) : Wide::none();
    }

    // Adds the loops with l unpaired bases on the left and from r to `most` on the right.
    template <bool INSIDE, typename IsCell>
    __device__ __forceinline__ void add_loops(
            Wide& sum, int32 kind, int32 i, int32 j, int32 l, int32 r, int32 most, IsCell is_cell) const {
        constexpr int32 STEP = INSIDE ? 1 : -1;
        const double* sized = loops.sized + sized_place(l);
#pragma unroll 4
        for (int32 each = r; each <= most; each++) {
            Wide inner = term(kind, i + (1 + l) * STEP, j - (1 + each) * STEP, is_cell);
            sum.add_product(inner.value, sized[each], inner.level);
        }
    }

    __device__ __forceinline__ Wide exterior_sum(int32 base, Wide before, double factor) const {
        Wide sum = get(ends, base);
        sum.add(__dmul_rn(before.value, factor), before.level);
        sum.normalize();
        return sum;
    }

    // Processes the pairs of a base. Each thread always adds to the sums of the same bases, regardless of the base that
    // is processed.
    template <bool FROM_END>
    __device__ void push(int32 base, Wide before) {
        int32 threads = blockDim.x;
        int32 thread = threadIdx.x;
        int32 least = base + MIN_HAIRPIN + 1;
        int32 skipped = least - thread + threads - 1;
        for (int32 other = thread + (skipped > 0 ? skipped / threads * threads : 0); other < n; other += threads) {
            int32 i = FROM_END ? n - 1 - other : base;
            int32 j = FROM_END ? n - 1 - base : other;
            Wide inside = get(pairs, place(i, j));
            if (inside.value > 0) {
                Wide sum = get(ends, other + 1);
                sum.add(__dmul_rn(__dmul_rn(before.value, inside.value), loops.exterior(i, j)),
                    before.level + inside.level);
                put(ends, other + 1, sum);
            }
        }
    }
};
