// Traces the best helices of two RNAs back through the tables of rna_duplex.cu, with one warp per row:
// dev.bellman.fold.rna.RnaDuplex.
#include "common/host.cuh"
#include "common/warp.cuh"
#include "fold/rna/loop_energies.cuh"

// The best helix of each row.
//
// - texts: a row's text begins at its offset in the letters of a, plus its offset in those of b, plus its row number
struct Helices {
    double* energies;
    uint32* bound;  // a bit for each row, set if any bases of the two strands can pair; initially 0
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

// A filled table for two strands. Base j of b is counted from its end.
struct FilledDuplex {
    int32 n;
    int32 m;
    Strand both;        // the concatenated strands a and b
    const int32* last;  // the minimum energy of the helices that end at each pair

    __device__ __forceinline__ int32 place(int32 j) const {
        return n + m - 1 - j;
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

    // Traces the helix with the last pair (i, j). Returns the first pair, as i * 2^16 + j.
    //
    // - letters: the output for the brackets of both strands, initially dots
    __device__ int32 trace(int32 i, int32 j, uint8* letters) const {
        constexpr int32 SIDES = MAX_INTERNAL + 1;
        while (true) {
            if (threadIdx.x % 32 == 0) {
                letters[i] = '(';
                letters[place(j)] = ')';
            }
            int32 energy = last[i * m + j];
            int32 loops = min(SIDES, i) * SIDES;
            int32 sizes = first_that(0, loops, [&](int32 each) {
                int32 l = each / SIDES;
                int32 r = each % SIDES;
                return l + r <= MAX_INTERNAL && through(i, j, l, r) == energy;
            });
            if (sizes == loops) {
                return i << 16 | j;
            }
            i -= 1 + sizes / SIDES;
            j -= 1 + sizes % SIDES;
        }
    }
};

// Writes the results of the rows order[from], order[from + 1], ..., whose tables are filled, with one warp each. Shared
// memory contains 2 * `longest` bytes for each warp, where `longest` is the maximum number of bases in both strands of
// a row.
extern "C" __global__ void rna_duplex_trace(
        const int32* order,
        int32 from,
        int32 count,
        const int32* offsets_a,
        const uint8* a,
        const int32* offsets_b,
        const uint8* b,
        Energies energies,
        const int32* tables,
        int64 slot,
        const int64* bests,
        int32 longest,
        Helices to) {
    extern __shared__ uint8 shared[];
    int32 lane = threadIdx.x % 32;
    int64 at = thread_index() / 32;
    if (at >= count) {
        return;
    }
    int32 row = order[from + at];
    int32 begin_a = offsets_a[row];
    int32 begin_b = offsets_b[row];
    int32 n = offsets_a[row + 1] - begin_a;
    int32 m = offsets_b[row + 1] - begin_b;
    int64 best = bests[at];
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
    uint8* bases = shared + threadIdx.x / 32 * 2 * longest;
    uint8* letters = bases + longest;
    for (int32 each = lane; each < n + m; each += 32) {
        bases[each] = static_cast<uint8>(base_of(each < n ? a[begin_a + each] : b[begin_b + each - n]));
        letters[each] = '.';
    }
    __syncwarp();
    FilledDuplex duplex = {n, m, {bases, n + m, energies}, tables + slot * at};
    int32 i = static_cast<int32>(best) >> 16;
    int32 j = static_cast<int32>(best) & 0xffff;
    int32 first = duplex.trace(i, j, letters);
    __syncwarp();
    int32 a_from = max(0, (first >> 16) - 1);
    int32 a_to = min(n, i + 2);
    int32 b_from = max(0, duplex.place(j) - n - 1);
    int32 b_to = min(m, duplex.place(first & 0xffff) - n + 2);
    int32 of_a = a_to - a_from;
    for (int32 each = lane; each < of_a; each += 32) {
        text[each] = letters[a_from + each];
    }
    for (int32 each = lane; each < b_to - b_from; each += 32) {
        text[of_a + 1 + each] = letters[n + b_from + each];
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

// Copies the structures to their positions in the result, with one warp per row.
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
