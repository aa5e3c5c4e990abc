// Computes the best helices of two RNAs, with one block per row: dev.bellman.fold.rna.RnaDuplex.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"
#include "fold/rna/loop_energies.cuh"

// The kinds of internal loops whose energy is a sum, except 2 x 3.
constexpr int32 LONG_BULGE = 0;
constexpr int32 ONE_N = 1;
constexpr int32 LARGE = 2;
constexpr int32 SUMS = 3;

// The number of rows of known pairs: those that an internal loop can reach, and the current one. A power of two.
constexpr int32 MAX_ROWS = MAX_INTERNAL + 2;
// The number of columns before the first one, without pairs.
constexpr int32 MARGIN = MAX_INTERNAL + 1;
// The number of rows of pairs that loops with tables need, and the current one.
constexpr int32 RECENT_ROWS = 5;
// The tables in shared memory: those before the tables of small internal loops.
constexpr int32 NEAR_TABLES = INT11;
// No pair, as an entry of Duplex::recent. Feasible energies are below a quarter of INFEASIBLE (rna_duplex_classify).
constexpr int32 NO_PAIR = (INFEASIBLE - 1) << 3;
// The maximum number of diagonals of a table, and the classes by its binary logarithm.
constexpr int32 MAX_DIAGONALS = 512;
constexpr int32 DUPLEX_SIZES = 33;
FOR_HOST(MAX_DIAGONALS);
FOR_HOST(DUPLEX_SIZES);

// The costs of a loop by its size.
struct alignas(16) LoopCosts {
    int32 bulge;
    int32 one;
    int32 sides;
    int32 other;
};

// Returns the bytes of shared memory for n and m bases.
__device__ __forceinline__ int32 duplex_bytes(int32 n, int32 m) {
    int32 words = SUMS * (min(n, MAX_ROWS) + 1) * (m + MARGIN);
    words += NEAR_TABLES + RECENT_ROWS * (m + RECENT_ROWS);
    return static_cast<int32>(sizeof(LoopCosts)) * (MAX_INTERNAL + 1) + 4 * words + (2 * n + m + 3) / 4 * 4;
}

// The table of a duplex. Base j of b is counted from its end, so that i and j grow from one pair to the next.
//
// A thread has the pairs with the same j - i. A loop with l and r unpaired bases before the pair (i, j) is a loop with
// l - 1 and r - 1 before (i - 1, j - 1), of the same asymmetry, unless l or r is two. The thread therefore keeps the
// best of the large loops by size, as narrow_loops.cuh does, and adds two for each size in each row.
struct Duplex {
    int32 n;
    int32 m;
    int32 rows;
    int32 stride;   // the number of words in a row of `known`
    Strand both;    // a, then b
    Strand turned;  // b, then a
    LoopCosts* costs;
    int32* known;   // pairs with their term of a loop, by row, column and kind; first a row without pairs
    int32* recent;  // the energies of the helices that end at each pair, times 8, plus the number of the pair
    int32* near;    // tables of energies
    int32* last;    // these energies in all rows, in device memory, which duplex_trace.cu reads

    __device__ Duplex(const Energies& energies, uint8* shared, int32* table, int32 length_a, int32 length_b) :
        n(length_a), m(length_b), rows(min(n, MAX_ROWS)), stride(SUMS * (m + MARGIN)), last(table) {
        costs = reinterpret_cast<LoopCosts*>(shared);
        known = reinterpret_cast<int32*>(costs + MAX_INTERNAL + 1);
        recent = known + (rows + 1) * stride;
        near = recent + RECENT_ROWS * (m + RECENT_ROWS);
        uint8* bases = reinterpret_cast<uint8*>(near + NEAR_TABLES);
        both = {bases, n + m, energies};
        turned = {bases + n, n + m, energies};
    }

    __device__ __forceinline__ int32 place(int32 j) const {
        return n + m - 1 - j;
    }

    // Returns the column j of row i, which is one of the last rows, or of the row without pairs if there is no row i.
    // WRAPS: whether the table has more rows than `known`.
    template <bool WRAPS>
    __device__ __forceinline__ int32* known_at(int32 i, int32 j) const {
        int32 slot = !WRAPS ? max(i + 1, 0) : i < 0 ? 0 : i % MAX_ROWS + 1;
        return known + SUMS * (MARGIN + j) + slot * stride;
    }

    // Returns the column 0 of row i, one of the last rows. Rows before the first one have no pairs.
    __device__ __forceinline__ int32* recent_row(int32 i) const {
        return recent + (i + RECENT_ROWS) % RECENT_ROWS * (m + RECENT_ROWS) + RECENT_ROWS;
    }

    __device__ __forceinline__ int32 mismatch(int32 table, int32 pair, int32 x, int32 y) const {
        return near[table + (pair * BASES + x) * BASES + y];
    }

    __device__ void begin(const uint8* a, const uint8* b) {
        uint8* bases = const_cast<uint8*>(both.bases);
        for (int32 at = threadIdx.x; at < n; at += blockDim.x) {
            bases[at] = static_cast<uint8>(base_of(a[at]));
            bases[n + m + at] = bases[at];
        }
        for (int32 at = threadIdx.x; at < m; at += blockDim.x) {
            bases[n + at] = static_cast<uint8>(base_of(b[at]));
        }
        for (int32 at = threadIdx.x; at < (rows + 1) * stride; at += blockDim.x) {
            known[at] = NONE;
        }
        for (int32 at = threadIdx.x; at < RECENT_ROWS * (m + RECENT_ROWS); at += blockDim.x) {
            recent[at] = NO_PAIR;
        }
        for (int32 at = threadIdx.x; at < NEAR_TABLES; at += blockDim.x) {
            near[at] = both.table(at);
        }
        for (int32 size = threadIdx.x; size <= MAX_INTERNAL; size += blockDim.x) {
            int32 of = both.table(INTERNAL_SIZES + size);
            costs[size] = {
                both.table(BULGE_SIZES + size),
                size < 4 ? NONE : of + both.table(ASYMMETRIES + size - 2),
                size < 4 ? NONE : both.table(ASYMMETRIES + size - 4),
                of};
        }
    }

    // Returns the best loop of the pair (i, j) among those whose energy is a sum. large: the large loops of the pair
    // before on the diagonal, by size; then those of this one.
    template <bool WRAPS>
    __device__ __forceinline__ int32 summed(int32 i, int32 j, int32 own, int32 (&large)[MAX_INTERNAL + 1]) const {
        int32 bulge = NONE;
        int32 one = NONE;
        int32 other = NONE;
        // loops with zero, one and two unpaired bases in a
        const int32* bulges = known_at<WRAPS>(i - 1, j - 1) + LONG_BULGE;
        const int32* ones = known_at<WRAPS>(i - 2, j - 1) + ONE_N;
        const int32* larges = known_at<WRAPS>(i - 3, j - 1) + LARGE;
#pragma unroll
        for (int32 size = MAX_INTERNAL; size >= 2; size--) {
            LoopCosts cost = costs[size];
            int32 left = known_at<WRAPS>(i - 1 - size, j - 1)[LONG_BULGE];
            int32 right = bulges[-SUMS * size];
            bulge = min(bulge, min(left, right) + cost.bulge);
            if (size >= 4) {
                // one and two unpaired bases in b, and the others in a
                left = known_at<WRAPS>(i - size, j - 2)[ONE_N];
                right = ones[-SUMS * (size - 1)];
                one = min(one, min(left, right) + cost.one);
                left = known_at<WRAPS>(i + 1 - size, j - 3)[LARGE];
                right = larges[-SUMS * (size - 2)];
                int32 smaller = size < 6 ? NONE : large[size - 2];
                large[size] = min(min(left, right) + cost.sides, smaller);
            }
            if (size >= 6) {
                other = min(other, large[size] + cost.other);
            }
        }
        if (i == 0 || j == 0 || own == 0) {
            return NONE;
        }
        int32 x = both.bases[place(j) + 1];
        int32 y = both.bases[i - 1];
        return min(min(bulge + both.terminal(own), one + mismatch(MISMATCH_INTERNAL_1N, own, x, y)),
                   other + mismatch(MISMATCH_INTERNAL, own, x, y));
    }

    // Returns the energy of a table for small internal loops, if a pair is in the loop.
    __device__ __forceinline__ int32 small(int32 outer, int32 at) const {
        return (outer & 7) != 0 ? both.table(at) : 0;
    }

    // Returns the best loop of the pair (i, j) among the others, for i and j from 1 on. own: the pair as seen from
    // within the loop. Rows and columns before the first ones have no pairs.
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
        const int32* stack = near + STACK + own;
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

    // Returns the energy of an end of the helix, whose pair is `pair` as seen from within the helix, with a base x
    // before and y after it; negative if there is none.
    __device__ __forceinline__ int32 end(int32 pair, int32 x, int32 y) const {
        int32 dangling = x >= 0 && y >= 0 ? mismatch(MISMATCH_EXTERIOR, pair, x, y)
            : x >= 0                      ? near[DANGLE5 + pair * BASES + x]
            : y >= 0                      ? near[DANGLE3 + pair * BASES + y]
                                          : 0;
        return both.terminal(pair) + dangling;
    }

    // Computes the energy of the helices that end at (i, j), and returns that of the best helix whose last pair it is.
    template <bool WRAPS>
    __device__ __forceinline__ int32 fill(int32 i, int32 j, int32 (&large)[MAX_INTERNAL + 1]) {
        const uint8* bases = both.bases;
        int32 q = place(j);
        int32 pair = both.pair(i, q);
        int32 own = both.pair(q, i);
        int32 loops = summed<WRAPS>(i, j, own, large);
        int32 least = NONE;
        int32 whole = NONE;
        if (pair > 0) {
            least = min(loops, both.table(STRAND) + end(pair, i > 0 ? bases[i - 1] : -1, j > 0 ? bases[q + 1] : -1));
            int32 loop = i > 0 && j > 0 ? looked(i, j, own) : NONE;
            least = loop < INFEASIBLE / 2 ? min(least, loop) : least;
            whole = least + end(own, j < m - 1 ? bases[q - 1] : -1, i < n - 1 ? bases[i + 1] : -1);
        }
        last[i * m + j] = least;
        recent_row(i)[j] = least < INFEASIBLE ? least << 3 | pair : NO_PAIR;
        bool is_before = pair > 0 && i < n - 1 && j < m - 1;
        int32 x = is_before ? bases[i + 1] : 0;
        int32 y = is_before ? bases[q - 1] : 0;
        int32* to = known_at<WRAPS>(i, j);
        to[LONG_BULGE] = is_before ? least + both.terminal(pair) : NONE;
        to[ONE_N] = is_before ? least + mismatch(MISMATCH_INTERNAL_1N, pair, x, y) : NONE;
        to[LARGE] = is_before ? least + mismatch(MISMATCH_INTERNAL, pair, x, y) : NONE;
        return whole;
    }

    // Fills the table. Returns the best helix of this thread: its energy, then i and j of its last pair.
    template <bool WRAPS>
    __device__ int64 fill() {
        int32 large[MAX_INTERNAL + 1];
#pragma unroll
        for (int32 size = 0; size <= MAX_INTERNAL; size++) {
            large[size] = NONE;
        }
        int64 best = static_cast<int64>(NONE) << 32;
        for (int32 i = 0; i < n; i++) {
            int32 j = static_cast<int32>(threadIdx.x) - (n - 1) + i;
            if (j >= 0 && j < m) {
                int32 energy = fill<WRAPS>(i, j, large);
                best = min(best, (static_cast<int64>(energy) << 32) + (i << 16 | j));
            }
            __syncthreads();
        }
        return best;
    }
};

// Classifies the rows, with one warp per row. A class is MODEL * DUPLEX_SIZES plus a binary logarithm of the number of
// diagonals, and the size is the number of bytes of shared memory.
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
        // the CPU may report an error
        rows_of.put(row, ON_CPU, 0, 0);
    } else if (!valid) {
        rows_of.reject(row);
    } else if (diagonals > MAX_DIAGONALS) {
        rows_of.put(row, ON_CPU, 0, 0);
    } else {
        int32 logarithm = __clz(static_cast<int32>(max(diagonals - 1, 0ll)));
        rows_of.put(row, model * DUPLEX_SIZES + logarithm, duplex_bytes(n, m), static_cast<int64>(n) * m);
    }
}

// Fills the tables of the rows order[from], order[from + 1], ..., with one block each, which has a thread per diagonal.
// Each row has `slot` int32 of `tables`. bests: for each of these rows, the energy of the best helix in the upper half,
// and below it i and j of its last pair.
extern "C" __global__ void __launch_bounds__(MAX_DIAGONALS) rna_duplex(
        const int32* order,
        int32 from,
        const int32* offsets_a,
        const uint8* a,
        const int32* offsets_b,
        const uint8* b,
        Energies energies,
        int32* tables,
        int64 slot,
        int64* bests) {
    extern __shared__ LoopCosts shared[];
    __shared__ long long best;
    int32 row = order[from + blockIdx.x];
    int32 begin_a = offsets_a[row];
    int32 begin_b = offsets_b[row];
    int32 n = uniform(offsets_a[row + 1] - begin_a);
    int32 m = uniform(offsets_b[row + 1] - begin_b);
    Duplex duplex(energies, reinterpret_cast<uint8*>(shared), tables + slot * blockIdx.x, n, m);
    if (threadIdx.x == 0) {
        best = static_cast<int64>(NONE) << 32;
    }
    duplex.begin(a + begin_a, b + begin_b);
    __syncthreads();
    int64 own = static_cast<int64>(NONE) << 32;
    if (n > 0 && m > 0) {
        own = n > MAX_ROWS ? duplex.fill<true>() : duplex.fill<false>();
    }
    own = reduce_lanes<32>(own, [](int64 x, int64 y) { return min(x, y); });
    if (threadIdx.x % 32 == 0) {
        atomicMin(&best, own);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        bests[blockIdx.x] = best;
    }
}
