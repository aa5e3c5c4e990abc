// Computes minimum-energy foldings of RNAs in 16 bits, with up to four blocks per RNA:
// dev.bellman.fold.rna.RnaFold.
#include "common/host.cuh"
#include "fold/rna/fold_walk.cuh"
#include "fold/rna/narrow_fill.cuh"

// The maximum number of threads of a block for short sequences, of which four fit in the shared memory of a
// multiprocessor.
constexpr int32 SHORT_THREADS = 288;
FOR_HOST(SHORT_THREADS);

constexpr int32 MAX_THREADS = 1024;
FOR_HOST(MAX_THREADS);

// The number of warps of a block that traces foldings back. With these limits, a thread has 64 registers.
constexpr int32 WALKS_OF_BLOCK = 4;
constexpr int32 WALK_BLOCKS = 8;
FOR_HOST(WALKS_OF_BLOCK);

FOR_HOST(NARROW_SHORT);
FOR_HOST(NARROW_PARAMETER);
FOR_HOST(NARROW_MARGIN);
FOR_HOST(OFFSET_OF_BASE);
FOR_HOST(BULGE_SIZES);
FOR_HOST(FIXED_BYTES);
FOR_HOST(SHORT_BYTES_OF_BASE);
FOR_HOST(NARROW_BYTES_OF_BASE);
FOR_HOST(INSIDES_OF_BASE);
FOR_HOST(BYTES_OF_WORD);
FOR_HOST(NARROW_BASES_OF_CANDIDATE);
FOR_HOST(WORDS_OF_BASE);
FOR_HOST(MORE_WORDS);

template <bool SHORT, int32 BLOCKS>
__device__ __forceinline__ void fill(
        const int32* order,
        const int32* offsets,
        const uint8* text,
        const Energies& energies,
        int32 loop_threads,
        int32 pair_threads,
        int32 longest,
        uint8* tables,
        int64 slot,
        uint8* shared,
        int32* wide,
        int32* wide_count) {
    int32 at = blockIdx.x / BLOCKS;
    int32 row = order[at];
    int32 begin = offsets[row];
    int32 n = uniform(offsets[row + 1] - begin);
    NarrowTable table({nullptr, n, energies}, tables + slot * at, 0);
    NarrowMemory<SHORT, BLOCKS> memory(table, shared);
    bool fits = SHORT || n <= longest;
    if (fits) {
        memory.begin(text + begin);
        memory.synchronize();
        NarrowFill<SHORT, BLOCKS>(table, memory).fill(loop_threads, pair_threads);
    }
    if (threadIdx.x == 0 && memory.rank == 0) {
        bool is_wide = !fits || *memory.is_wide != 0;
        *table.is_wide = is_wide ? 1 : 0;
        if (is_wide) {
            wide[atomicAdd(wide_count, 1)] = row;
        }
    }
}

// Fills the tables of the rows order[from], order[from + 1], ..., with BLOCKS blocks each. Each row has `slot` bytes of
// `tables`. Appends the rows that have more than `longest` bases, or energies that do not fit in 16 bits, to `wide`.
#define RNA_FOLD(NAME, LIMITS, SHORT, BLOCKS)                                                                   \
    extern "C" __global__ void LIMITS NAME(                                                                     \
            const int32* order, int32 from, const int32* offsets, const uint8* text, Energies energies,         \
            int32 loop_threads, int32 pair_threads, int32 longest, uint8* tables, int64 slot, int32* wide,      \
            int32* wide_count) {                                                                                \
        extern __shared__ uint8 shared[];                                                                       \
        fill<SHORT, BLOCKS>(order + from, offsets, text, energies, loop_threads, pair_threads, longest, tables, \
            slot, shared, wide, wide_count);                                                                    \
    }

// With these limits, a multiprocessor has enough registers for four blocks with short sequences, and for two blocks
// with 360 bases: as many as fit in its shared memory.
RNA_FOLD(rna_fold_short, __launch_bounds__(SHORT_THREADS, 4), true, 1)
RNA_FOLD(rna_fold_narrow, __maxnreg__(56), false, 1)

// Each of these blocks runs on its own multiprocessor.
RNA_FOLD(rna_fold_two, CLUSTER(2) __launch_bounds__(MAX_THREADS, 1), false, 2)
RNA_FOLD(rna_fold_four, CLUSTER(4) __launch_bounds__(MAX_THREADS, 1), false, 4)

// Writes the energies and, if requested, the structures of the foldings in the tables, with one warp each. For each
// warp, shared memory contains five bytes for each base of the longest row, and up to seven additional bytes.
extern "C" __global__ void __launch_bounds__(32 * WALKS_OF_BLOCK, WALK_BLOCKS) rna_walk_narrow(
        const int32* order,
        int32 from,
        int32 count,
        const int32* offsets,
        const uint8* text,
        Energies energies,
        uint8* tables,
        int64 slot,
        int32 longest,
        int32 offset,
        double* least,
        uint8* structures) {
    extern __shared__ uint8 shared[];
    int32 lane = threadIdx.x % 32;
    int64 at = thread_index() / 32;
    if (at >= count) {
        return;
    }
    int32 row = order[from + at];
    int32 begin = offsets[row];
    int32 n = offsets[row + 1] - begin;
    int32 words = longest + 1 + (longest + 3) / 4;
    int32* prefix = reinterpret_cast<int32*>(shared) + threadIdx.x / 32 * words;
    uint8* bases = reinterpret_cast<uint8*>(prefix + longest + 1);
    NarrowTable table({bases, n, energies}, tables + slot * at, offset);
    if (*table.is_wide != 0) {
        return;
    }
    for (int32 i = lane; i < n; i += 32) {
        bases[i] = static_cast<uint8>(base_of(text[begin + i]));
    }
    __syncwarp();
    table.prefix = prefix;
    table.fill_prefix();
    if (lane == 0) {
        least[row] = prefix[n] / 100.0;
    }
    if (structures != nullptr) {
        FoldWalk<NarrowTable>(table, structures + begin).walk();
    }
}
