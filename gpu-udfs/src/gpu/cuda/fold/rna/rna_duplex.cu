// Computes the best helices of two RNAs, with one block per row: dev.bellman.fold.rna.RnaDuplex.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"
#include "fold/rna/duplex_loops.cuh"

// The number of rows of pairs that are read for small loops, including the current row.
constexpr int32 RECENT_ROWS = 5;
// The number of table entries in shared memory: those before the tables of small internal loops, except the mismatches
// of hairpins and multiloops.
constexpr int32 NEAR_TABLES = INT11 - 2 * MISMATCHES;
static_assert(MISMATCH_HAIRPIN < MISMATCH_INTERNAL && MISMATCH_INTERNAL_23 < MISMATCH_MULTI);

// Returns the position of a table in shared memory.
__device__ __forceinline__ constexpr int32 near_place(int32 table) {
    return table < MISMATCH_HAIRPIN ? table : table < MISMATCH_MULTI ? table - MISMATCHES : table - 2 * MISMATCHES;
}

// The value in Duplex::recent if there is no pair. Feasible energies are below a quarter of INFEASIBLE
// (rna_duplex_classify).
constexpr int32 NO_PAIR = (INFEASIBLE - 1) << 3;
// The maximum number of diagonals of a table, and the number of size classes, which depend on the binary logarithm of
// the number of diagonals.
constexpr int32 MAX_DIAGONALS = 512;
constexpr int32 DUPLEX_SIZES = 33;
FOR_HOST(MAX_DIAGONALS);
FOR_HOST(DUPLEX_SIZES);
FOR_HOST(NARROW_PARAMETER);
FOR_HOST(BULGE_SIZES);
FOR_HOST(HELIX_ROOM);

// Returns the number of bytes of shared memory for n and m bases, given the result of Loops::bytes.
__device__ __forceinline__ int32 duplex_bytes(int32 n, int32 m, int32 loops) {
    int32 words = NEAR_TABLES + RECENT_ROWS * (m + RECENT_ROWS);
    return static_cast<int32>(sizeof(LoopCosts)) * (MAX_INTERNAL + 1) + loops + 4 * words + (n + m + 3) / 4 * 4;
}

// The table of a duplex. Base j of b is counted from its end, so that i and j grow from one pair to the next.
//
// Loops: WideLoops or NarrowLoops, which find the best loops among those whose energy is a sum of terms.
template <typename Loops>
struct Duplex {
    int32 n;
    int32 m;
    Strand both;    // the concatenated strands a and b
    LoopCosts* costs;
    Loops loops;
    int32* recent;  // the minimum energies of the helices that end at each pair, times 8, plus the number of the pair
    int32* near;    // tables of energies
    int32* last;    // the minimum energies for all rows, in device memory, which duplex_trace.cu reads

    __device__ Duplex(const Energies& energies, uint8* shared, int32* table, int32 length_a, int32 length_b) :
        n(length_a), m(length_b), last(table) {
        costs = reinterpret_cast<LoopCosts*>(shared);
        uint8* room = reinterpret_cast<uint8*>(costs + MAX_INTERNAL + 1);
        loops = Loops(room, costs, n, m);
        recent = reinterpret_cast<int32*>(room + Loops::bytes(n, m));
        near = recent + RECENT_ROWS * (m + RECENT_ROWS);
        uint8* bases = reinterpret_cast<uint8*>(near + NEAR_TABLES);
        both = {bases, n + m, energies};
    }

    __device__ __forceinline__ int32 place(int32 j) const {
        return n + m - 1 - j;
    }

    // Returns the address of column 0 in row i, which is one of the last rows. Rows before the first one have no pairs.
    __device__ __forceinline__ int32* recent_row(int32 i) const {
        return recent + (i + RECENT_ROWS) % RECENT_ROWS * (m + RECENT_ROWS) + RECENT_ROWS;
    }

    __device__ __forceinline__ int32 mismatch(int32 table, int32 pair, int32 x, int32 y) const {
        return near[near_place(table) + (pair * BASES + x) * BASES + y];
    }

    __device__ void begin(const uint8* a, const uint8* b) {
        uint8* bases = const_cast<uint8*>(both.bases);
        for (int32 at = threadIdx.x; at < n; at += blockDim.x) {
            bases[at] = static_cast<uint8>(base_of(a[at]));
        }
        for (int32 at = threadIdx.x; at < m; at += blockDim.x) {
            bases[n + at] = static_cast<uint8>(base_of(b[at]));
        }
        for (int32 at = threadIdx.x; at < RECENT_ROWS * (m + RECENT_ROWS); at += blockDim.x) {
            recent[at] = NO_PAIR;
        }
        for (int32 at = threadIdx.x; at < INT11; at += blockDim.x) {
            bool is_far = (at >= MISMATCH_HAIRPIN && at < MISMATCH_INTERNAL)
                || (at >= MISMATCH_MULTI && at < MISMATCH_EXTERIOR);
            if (!is_far) {
                near[near_place(at)] = both.table(at);
            }
        }
        for (int32 size = threadIdx.x; size <= MAX_INTERNAL; size += blockDim.x) {
            int32 of = both.table(INTERNAL_SIZES + size);
            costs[size] = {
                both.table(BULGE_SIZES + size),
                size < 4 ? NONE : of + both.table(ASYMMETRIES + size - 2),
                size < 4 ? NONE : both.table(ASYMMETRIES + size - 4),
                of};
        }
        __syncthreads();
        loops.begin();
    }

    // Returns the energy of a small internal loop from its table, or 0 if the loop has no outer pair.
    __device__ __forceinline__ int32 small(int32 outer, int32 at) const {
        return (outer & 7) != 0 ? both.table(at) : 0;
    }

    // Returns the minimum energy of the helices with a small loop before their last pair (i, j), for i and j from 1 on:
    // a stack, a bulge of one base, or an internal loop of up to 2 x 2 or of 2 x 3 bases. Rows and columns before the
    // first ones have no pairs.
    //
    // - own: the number that represents the pair as seen from within the loop
    __device__ __forceinline__ int32 looked(int32 i, int32 j, int32 own) const {
        const uint8* before = both.bases + i;
        const uint8* behind = both.bases + place(j);
        const int32* one = recent_row(i - 1) + j;
        const int32* two = recent_row(i - 2) + j;
        const int32* three = recent_row(i - 3) + j;
        const int32* four = recent_row(i - 4) + j;
        int32 a1 = before[-1];
        int32 a2 = i > 1 ? before[-2] : 0;
        int32 a3 = i > 2 ? before[-3] : 0;
        int32 b1 = behind[1];
        int32 b2 = j > 1 ? behind[2] : 0;
        int32 b3 = j > 2 ? behind[3] : 0;
        // pairs around the loop, by the unpaired bases on the side of a, then of b
        int32 p00 = one[-1];
        int32 p01 = one[-2];
        int32 p10 = two[-1];
        int32 p11 = two[-2];
        int32 p12 = two[-3];
        int32 p21 = three[-2];
        int32 p22 = three[-3];
        int32 p23 = three[-4];
        int32 p32 = four[-3];
        const int32* stack = near + near_place(STACK) + own;
        int32 bulge = min((p01 >> 3) + stack[(p01 & 7) * PAIRS], (p10 >> 3) + stack[(p10 & 7) * PAIRS]);
        int32 least = min((p00 >> 3) + stack[(p00 & 7) * PAIRS], bulge + costs[1].bulge);
        int32 e11 = small(p11, INT11 + (((p11 & 7) * PAIRS + own) * BASES + a1) * BASES + b1);
        int32 e12 = small(p12, INT21 + ((((p12 & 7) * PAIRS + own) * BASES + a1) * BASES + b1) * BASES + b2);
        int32 e21 = small(p21, INT21 + (((own * PAIRS + (p21 & 7)) * BASES + b1) * BASES + a2) * BASES + a1);
        int32 e22 = small(
            p22, INT22 + (((((p22 & 7) * PAIRS + own) * BASES + a2) * BASES + a1) * BASES + b1) * BASES + b2);
        least = min(least, min(min((p11 >> 3) + e11, (p12 >> 3) + e12), min((p21 >> 3) + e21, (p22 >> 3) + e22)));
        int32 e23 = mismatch(MISMATCH_INTERNAL_23, p23 & 7, a2, b3);
        int32 e32 = mismatch(MISMATCH_INTERNAL_23, p32 & 7, a3, b2);
        int32 two_three = costs[5].other + costs[5].sides + mismatch(MISMATCH_INTERNAL_23, own, b1, a1);
        return min(least, min((p23 >> 3) + e23, (p32 >> 3) + e32) + two_three);
    }

    // Returns the energy of one end of the helix. `pair` is the number that represents its last pair as seen from
    // within the helix; x and y are the bases before and after this end. A negative x or y stands for a missing base.
    __device__ __forceinline__ int32 end(int32 pair, int32 x, int32 y) const {
        int32 dangling = x >= 0 && y >= 0 ? mismatch(MISMATCH_EXTERIOR, pair, x, y)
            : x >= 0                      ? near[near_place(DANGLE5) + pair * BASES + x]
            : y >= 0                      ? near[near_place(DANGLE3) + pair * BASES + y]
                                          : 0;
        return both.terminal(pair) + dangling;
    }

    // Returns the minimum energy of the helices with a larger loop, whose energy is a sum, before their last pair
    // (i, j), for i and j from 1 on.
    __device__ __forceinline__ int32 summed(int32 i, int32 j, int32 own, LoopSums sums) const {
        int32 x = both.bases[place(j) + 1];
        int32 y = both.bases[i - 1];
        return min(min(sums.bulge + both.terminal(own), sums.one + mismatch(MISMATCH_INTERNAL_1N, own, x, y)),
                   sums.other + mismatch(MISMATCH_INTERNAL, own, x, y));
    }

    // Computes the minimum energy of the helices that end at (i, j), and returns the total energy of the best helix
    // whose last pair is (i, j).
    __device__ __forceinline__ int32 fill(int32 i, int32 j, typename Loops::BySize& by_size) {
        const uint8* bases = both.bases;
        int32 q = place(j);
        int32 pair = both.pair(i, q);
        int32 own = both.pair(q, i);
        LoopSums sums = loops.best(i, j, by_size);
        int32 least = NONE;
        int32 whole = NONE;
        if (pair > 0) {
            least = both.table(STRAND) + end(pair, i > 0 ? bases[i - 1] : -1, j > 0 ? bases[q + 1] : -1);
            if (i > 0 && j > 0) {
                least = min(least, summed(i, j, own, sums));
                int32 loop = looked(i, j, own);
                least = loop < INFEASIBLE / 2 ? min(least, loop) : least;
            }
            whole = least + end(own, j < m - 1 ? bases[q - 1] : -1, i < n - 1 ? bases[i + 1] : -1);
        }
        last[i * m + j] = least;
        recent_row(i)[j] = least < INFEASIBLE ? least << 3 | pair : NO_PAIR;
        bool is_before = pair > 0 && i < n - 1 && j < m - 1;
        int32 x = is_before ? bases[i + 1] : 0;
        int32 y = is_before ? bases[q - 1] : 0;
        if (is_before) {
            loops.put(
                i,
                j,
                least + both.terminal(pair),
                least + mismatch(MISMATCH_INTERNAL_1N, pair, x, y),
                least + mismatch(MISMATCH_INTERNAL, pair, x, y));
        } else {
            loops.put(i, j, Loops::NO_ENERGY, Loops::NO_ENERGY, Loops::NO_ENERGY);
        }
        return whole;
    }

    // Fills the table. Returns this thread's best helix: its energy in the upper half, and i and j of its last pair in
    // the lower half.
    __device__ int64 fill() {
        typename Loops::BySize by_size;
        Loops::clear(by_size);
        int64 best = static_cast<int64>(NONE) << 32;
        for (int32 i = 0; i < n; i++) {
            int32 j = static_cast<int32>(threadIdx.x) - (n - 1) + i;
            if (j >= 0 && j < m) {
                int32 energy = fill(i, j, by_size);
                best = min(best, (static_cast<int64>(energy) << 32) + (i << 16 | j));
            }
            __syncthreads();
        }
        return best;
    }
};

// Classifies the rows, with one warp per row. A class number is (2 * MODEL + KIND) * DUPLEX_SIZES plus a size class,
// where KIND is 1 for rows with energies in 16 bits. The size class depends on the binary logarithm of the number of
// diagonals. The size is the number of bytes of shared memory.
//
// - narrow: for each model, the maximum number of pairs in a helix whose energies fit in 16 bits
extern "C" __global__ void rna_duplex_classify(
        int32 rows,
        const uint32* validity,
        const int32* offsets_a,
        const uint8* a,
        const int32* offsets_b,
        const uint8* b,
        const int32* models,
        int32 model_count,
        const int32* longest,
        const int32* narrow,
        Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int32 n = offsets_a[row + 1] - offsets_a[row];
    int32 m = offsets_b[row + 1] - offsets_b[row];
    bool valid = are_bases(a + offsets_a[row], n);
    valid = are_bases(b + offsets_b[row], m) && valid;
    if (lane != 0) {
        return;
    }
    int32 model = models == nullptr ? 0 : models[row];
    int64 diagonals = static_cast<int64>(n) + m - 1;
    if (model < 0 || model >= model_count || min(n, m) > longest[model] / 4) {
        // the CPU solves the row or reports an error
        rows_of.put(row, ON_CPU, 0, 0);
    } else if (!valid) {
        rows_of.reject(row);
    } else if (diagonals > MAX_DIAGONALS) {
        rows_of.put(row, ON_CPU, 0, 0);
    } else {
        int32 logarithm = __clz(static_cast<int32>(max(diagonals - 1, 0ll)));
        bool is_narrow = n <= MAX_ROWS && min(n, m) <= narrow[model];
        int32 loops = is_narrow ? NarrowLoops::bytes(n, m) : WideLoops::bytes(n, m);
        int32 key = (2 * model + (is_narrow ? 1 : 0)) * DUPLEX_SIZES + logarithm;
        rows_of.put(row, key, duplex_bytes(n, m, loops), static_cast<int64>(n) * m);
    }
}

// Fills the table for two strands. Returns, in the first thread, the energy of the best helix in the upper half and i
// and j of its last pair in the lower half.
template <typename Loops>
__device__ __forceinline__ int64 fill_duplex(
        const uint8* a, int32 n, const uint8* b, int32 m, const Energies& energies, int32* table, uint8* shared) {
    __shared__ long long best;
    if (threadIdx.x == 0) {
        best = static_cast<int64>(NONE) << 32;
    }
    Duplex<Loops> duplex(energies, shared, table, n, m);
    duplex.begin(a, b);
    __syncthreads();
    int64 own = n > 0 && m > 0 ? duplex.fill() : static_cast<int64>(NONE) << 32;
    own = reduce_lanes<32>(own, [](int64 x, int64 y) { return min(x, y); });
    if (threadIdx.x % 32 == 0) {
        atomicMin(&best, own);
    }
    __syncthreads();
    return best;
}

// Fills the tables of the rows order[from], order[from + 1], ..., with one block each, which has a thread per diagonal.
// Each row has `slot` int32 of `tables`.
//
// - bests: the results of fill_duplex for these rows
#define RNA_DUPLEX(NAME, BOUNDS, LOOPS)                                                                              \
    extern "C" __global__ void BOUNDS NAME(                                                                          \
            const int32* order, int32 from, const int32* offsets_a, const uint8* a, const int32* offsets_b,          \
            const uint8* b, Energies energies, int32* tables, int64 slot, int64* bests) {                            \
        extern __shared__ LoopCosts shared[];                                                                        \
        int32 row = order[from + blockIdx.x];                                                                        \
        int32 n = uniform(offsets_a[row + 1] - offsets_a[row]);                                                      \
        int32 m = uniform(offsets_b[row + 1] - offsets_b[row]);                                                      \
        int64 best = fill_duplex<LOOPS>(                                                                             \
            a + offsets_a[row], n, b + offsets_b[row], m, energies, tables + slot * blockIdx.x,                      \
            reinterpret_cast<uint8*>(shared));                                                                       \
        if (threadIdx.x == 0) {                                                                                      \
            bests[blockIdx.x] = best;                                                                                \
        }                                                                                                            \
    }

RNA_DUPLEX(rna_duplex, __launch_bounds__(MAX_DIAGONALS), WideLoops)
// with 80 registers per thread, six blocks of 128 threads fit on a multiprocessor
RNA_DUPLEX(rna_duplex_narrow, __maxnreg__(80), NarrowLoops)
