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

// The number of rows of known pairs: those that an internal loop can reach, and the current one.
constexpr int32 MAX_ROWS = MAX_INTERNAL + 2;
// The number of columns before the first one, without pairs.
constexpr int32 MARGIN = MAX_INTERNAL + 1;
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
    int32 words = SUMS * min(n, MAX_ROWS) * (m + MARGIN);
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
    int32 width;
    Strand both;    // a, then b
    Strand turned;  // b, then a
    LoopCosts* costs;
    int32* known;  // pairs with their term of a loop, by row, kind and column
    int32* last;   // the energies of the helices that end at each pair, in device memory

    __device__ Duplex(const Energies& energies, uint8* shared, int32* table, int32 length_a, int32 length_b) :
        n(length_a), m(length_b), rows(min(n, MAX_ROWS)), width(m + MARGIN), last(table) {
        costs = reinterpret_cast<LoopCosts*>(shared);
        known = reinterpret_cast<int32*>(costs + MAX_INTERNAL + 1);
        uint8* bases = reinterpret_cast<uint8*>(known + SUMS * rows * width);
        both = {bases, n + m, energies};
        turned = {bases + n, n + m, energies};
    }

    __device__ __forceinline__ int32 place(int32 j) const {
        return n + m - 1 - j;
    }

    // Returns the column 0 of a kind of row i, which is one of the last rows.
    __device__ __forceinline__ int32* row(int32 i, int32 kind) const {
        return known + (i % rows * SUMS + kind) * width + MARGIN;
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
        for (int32 at = threadIdx.x; at < SUMS * rows * width; at += blockDim.x) {
            known[at] = NONE;
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

    // Returns the energy of the helix with a loop of l and r unpaired bases before the pair (i, j).
    __device__ __forceinline__ int32 through(int32 i, int32 j, int32 l, int32 r) const {
        int32 k = i - 1 - l;
        int32 c = j - 1 - r;
        if (k < 0 || c < 0) {
            return NONE;
        }
        int32 before = last[k * m + c];
        return before < INFEASIBLE ? before + both.internal(k, place(c), i, place(j)) : NONE;
    }

    // Returns the best loop of the pair (i, j) among those whose energy is a sum. large: the large loops of the pair
    // before on the diagonal, by size; then those of this one.
    __device__ __forceinline__ int32 summed(int32 i, int32 j, int32 (&large)[MAX_INTERNAL + 1]) const {
        int32 bulge = NONE;
        int32 one = NONE;
        int32 other = NONE;
        const int32* bulges = i > 0 ? row(i - 1, LONG_BULGE) + j - 1 : nullptr;
        const int32* ones = i > 1 ? row(i - 2, ONE_N) + j : nullptr;
        const int32* larges = i > 2 ? row(i - 3, LARGE) + j + 1 : nullptr;
        int32 slot = (i - 1 + rows) % rows;
#pragma unroll
        for (int32 size = MAX_INTERNAL; size >= 2; size--) {
            LoopCosts cost = costs[size];
            int32 from = slot - size;
            const int32* above = known + (from < 0 ? from + rows : from) * SUMS * width + MARGIN + j - 1;
            // row i - 1 - size exists
            bool has = size < i;
            int32 left = has ? above[LONG_BULGE * width] : NONE;
            int32 right = i > 0 ? bulges[-size] : NONE;
            bulge = min(bulge, min(left, right) + cost.bulge);
            if (size >= 4) {
                // l is size - 1 or 1; then size - 2 or 2
                int32 after = from + 1;
                const int32* next =
                    known + ((after < 0 ? after + rows : after) * SUMS + ONE_N) * width + MARGIN + j - 2;
                left = size <= i ? next[0] : NONE;
                right = i > 1 ? ones[-size] : NONE;
                one = min(one, min(left, right) + cost.one);
                after = from + 2;
                next = known + ((after < 0 ? after + rows : after) * SUMS + LARGE) * width + MARGIN + j - 3;
                left = size <= i + 1 ? next[0] : NONE;
                right = i > 2 ? larges[-size] : NONE;
                int32 smaller = size < 6 ? NONE : large[size - 2];
                large[size] = min(min(left, right) + cost.sides, smaller);
            }
            if (size >= 6) {
                other = min(other, large[size] + cost.other);
            }
        }
        if (i == 0 || j == 0) {
            return NONE;
        }
        int32 q = place(j);
        int32 own = both.pair(q, i);
        int32 x = both.bases[q + 1];
        int32 y = both.bases[i - 1];
        return min(min(bulge + both.terminal(own), one + both.mismatch(MISMATCH_INTERNAL_1N, own, x, y)),
                   other + both.mismatch(MISMATCH_INTERNAL, own, x, y));
    }

    // Returns the best loop of the pair (i, j) among the others.
    __device__ __forceinline__ int32 looked(int32 i, int32 j) const {
        int32 least = NONE;
#pragma unroll
        for (int32 l = 0; l <= 3; l++) {
#pragma unroll
            for (int32 r = 0; r <= 3; r++) {
                bool two_three = l + r == 5;
                if (two_three || (l <= 2 && r <= 2 && (l + r != 2 || l == r))) {
                    least = min(least, through(i, j, l, r));
                }
            }
        }
        return least;
    }

    // Computes the energy of the helices that end at (i, j), and returns that of the best helix whose last pair it is.
    __device__ __forceinline__ int32 fill(int32 i, int32 j, int32 loops) {
        int32 q = place(j);
        int32 pair = both.pair(i, q);
        int32 least = NONE;
        if (pair > 0) {
            least = min(min(both.table(STRAND) + both.exterior(i, q), loops), looked(i, j));
        }
        last[i * m + j] = least;
        bool is_before = pair > 0 && i < n - 1 && j < m - 1;
        int32 mismatch = is_before ? (pair * BASES + both.bases[i + 1]) * BASES + both.bases[q - 1] : 0;
        row(i, LONG_BULGE)[j] = is_before ? least + both.terminal(pair) : NONE;
        row(i, ONE_N)[j] = is_before ? least + both.table(MISMATCH_INTERNAL_1N + mismatch) : NONE;
        row(i, LARGE)[j] = is_before ? least + both.table(MISMATCH_INTERNAL + mismatch) : NONE;
        return pair > 0 ? least + turned.exterior(q - n, m + i) : NONE;
    }

    // Fills the table. Returns the best helix of this thread: its energy, then i and j of its last pair.
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
                int32 energy = fill(i, j, summed(i, j, large));
                best = min(best, (static_cast<int64>(energy) << 32) + (i << 16 | j));
            }
            __syncthreads();
        }
        return best;
    }
};

// The helices, for each row. texts: at the places of its letters in a and b, and of the rows before it.
struct Helices {
    double* energies;
    uint32* bound;  // a bit for each row, set if bases can pair; initially 0
    uint8* texts;
    int32* lengths;
    int32* begin_a;
    int32* end_a;
    int32* begin_b;
    int32* end_b;
};

STRUCT_FOR_HOST(Helices);
MEMBER_FOR_HOST(Helices, energies);
MEMBER_FOR_HOST(Helices, bound);
MEMBER_FOR_HOST(Helices, texts);
MEMBER_FOR_HOST(Helices, lengths);
MEMBER_FOR_HOST(Helices, begin_a);
MEMBER_FOR_HOST(Helices, end_a);
MEMBER_FOR_HOST(Helices, begin_b);
MEMBER_FOR_HOST(Helices, end_b);

// Traces the helix with the last pair (i, j), with one warp. letters: of both strands, dots before. Returns the first
// pair, as i * 2^16 + j.
__device__ int32 trace(const Duplex& duplex, int32 i, int32 j, uint8* letters) {
    constexpr int32 SIDES = MAX_INTERNAL + 1;
    while (true) {
        if (threadIdx.x == 0) {
            letters[i] = '(';
            letters[duplex.place(j)] = ')';
        }
        int32 energy = duplex.last[i * duplex.m + j];
        int32 sizes = first_that(0, SIDES * SIDES, [&](int32 each) {
            int32 l = each / SIDES;
            int32 r = each % SIDES;
            return l + r <= MAX_INTERNAL && duplex.through(i, j, l, r) == energy;
        });
        if (sizes == SIDES * SIDES) {
            return i << 16 | j;
        }
        i -= 1 + sizes / SIDES;
        j -= 1 + sizes % SIDES;
    }
}

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
    if (model < 0 || model >= model_count || min(n, m) > longest[model]) {
        // the CPU then reports the error
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

// Solves the rows order[from], order[from + 1], ..., with one block each, which has a thread per diagonal. Each row has
// `slot` int32 of `tables`.
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
        Helices to) {
    extern __shared__ LoopCosts shared[];
    __shared__ long long best;
    int32 row = order[from + blockIdx.x];
    int32 begin_a = offsets_a[row];
    int32 begin_b = offsets_b[row];
    int32 n = offsets_a[row + 1] - begin_a;
    int32 m = offsets_b[row + 1] - begin_b;
    Duplex duplex(energies, reinterpret_cast<uint8*>(shared), tables + slot * blockIdx.x, n, m);
    if (threadIdx.x == 0) {
        best = static_cast<int64>(NONE) << 32;
    }
    duplex.begin(a + begin_a, b + begin_b);
    __syncthreads();
    int64 own = n > 0 && m > 0 ? duplex.fill() : static_cast<int64>(NONE) << 32;
    own = reduce_lanes<32>(own, [](int64 x, int64 y) { return min(x, y); });
    if (threadIdx.x % 32 == 0) {
        atomicMin(&best, own);
    }
    __syncthreads();
    if (threadIdx.x >= 32) {
        return;
    }
    int32 lane = threadIdx.x;
    int32 energy = static_cast<int32>(best >> 32);
    uint8* text = to.texts + begin_a + static_cast<int64>(begin_b) + row;
    if (energy >= INFEASIBLE) {
        if (lane == 0) {
            text[0] = '&';
            to.lengths[row] = 1;
            to.begin_a[row] = 0;
            to.end_a[row] = 0;
            to.begin_b[row] = 0;
            to.end_b[row] = 0;
        }
        return;
    }
    int32 i = static_cast<int32>(best) >> 16;
    int32 j = static_cast<int32>(best) & 0xffff;
    // the known pairs are no longer needed
    uint8* letters = reinterpret_cast<uint8*>(duplex.known);
    for (int32 at = lane; at < n + m; at += 32) {
        letters[at] = '.';
    }
    __syncwarp();
    int32 first = trace(duplex, i, j, letters);
    __syncwarp();
    int32 a_from = max(0, (first >> 16) - 1);
    int32 a_to = min(n, i + 2);
    int32 b_from = max(0, duplex.place(j) - n - 1);
    int32 b_to = min(m, duplex.place(first & 0xffff) - n + 2);
    int32 of_a = a_to - a_from;
    for (int32 at = lane; at < of_a; at += 32) {
        text[at] = letters[a_from + at];
    }
    for (int32 at = lane; at < b_to - b_from; at += 32) {
        text[of_a + 1 + at] = letters[n + b_from + at];
    }
    if (lane == 0) {
        text[of_a] = '&';
        to.lengths[row] = of_a + 1 + b_to - b_from;
        to.energies[row] = energy / 100.0;
        atomicOr(to.bound + row / 32, 1u << row % 32);
        to.begin_a[row] = a_from;
        to.end_a[row] = a_to;
        to.begin_b[row] = b_from;
        to.end_b[row] = b_to;
    }
}

// Copies the structures to their places in the result, with one warp per row.
extern "C" __global__ void rna_duplex_copy(
        int32 rows,
        const int32* offsets_a,
        const int32* offsets_b,
        const uint8* texts,
        const int32* to_offsets,
        uint8* to) {
    int64 row = thread_index() / 32;
    if (row < rows) {
        const uint8* text = texts + offsets_a[row] + static_cast<int64>(offsets_b[row]) + row;
        int32 begin = to_offsets[row];
        int32 count = to_offsets[row + 1] - begin;
        for (int32 at = threadIdx.x % 32; at < count; at += 32) {
            to[begin + at] = text[at];
        }
    }
}
