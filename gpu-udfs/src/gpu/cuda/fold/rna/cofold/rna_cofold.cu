// Computes minimum-energy foldings of two RNAs, with one block per row: dev.bellman.fold.rna.RnaCofold.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "fold/rna/cofold/cofold_walk.cuh"
#include "fold/rna/cofold/strands.cuh"

// The class number is MODEL * COFOLD_SIZES plus a size class. The size class depends on the binary logarithm of the
// total number of bases, and the longest strands come first.
constexpr int32 COFOLD_SIZES = 33;
constexpr int32 COFOLD_THREADS = 512;

// The number of threads per base pair. On average, a diagonal of short strands has fewer base pairs than a warp has
// threads.
constexpr int32 LANES = 4;

FOR_HOST(COFOLD_SIZES);
FOR_HOST(COFOLD_THREADS);
FOR_HOST(BASES_OF_CANDIDATE);
FOR_HOST(WORDS_OF_BASE);
FOR_HOST(MORE_WORDS);
FOR_HOST(MORE_COFOLD_WORDS);

STRUCT_FOR_HOST(Strands);
MEMBER_FOR_HOST(Strands, offsets_a);
MEMBER_FOR_HOST(Strands, a);
MEMBER_FOR_HOST(Strands, offsets_b);
MEMBER_FOR_HOST(Strands, b);

// Classifies the rows, with one warp per row.
//
// - models: the model of each row; null if all rows have the first model
// - longest: for each model, the maximum total number of bases for which no energy overflows
extern "C" __global__ void rna_cofold_classify(
        int32 rows,
        const uint32* validity,
        Strands strands,
        const int32* models,
        int32 model_count,
        const int32* longest,
        Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int32 n = strands.length_of_a(row);
    int32 m = strands.length_of_b(row);
    bool valid = are_bases(strands.a + strands.offsets_a[row], n);
    valid = are_bases(strands.b + strands.offsets_b[row], m) && valid;
    if (lane != 0) {
        return;
    }
    int32 model = models == nullptr ? 0 : models[row];
    int64 length = static_cast<int64>(n) + m;
    if (model < 0 || model >= model_count || length > longest[model]) {
        // the CPU solves the row or reports an error
        rows_of.put(row, ON_CPU, 0, 0);
    } else if (valid) {
        int32 folded = static_cast<int32>(length);
        rows_of.put(row, model * COFOLD_SIZES + __clz(folded), folded, length * length / 2);
    } else {
        rows_of.reject(row);
    }
}

// Folds the rows order[from], order[from + 1], ..., one block per row. Each row has `slot` bytes of `tables`. Shared
// memory contains three bytes for each base of the longest row.
//
// - least: receives the minimum energy of each row, in kcal/mol
// - structures: the output for structures, without the ampersands, at Strands::begin; null if only energies are
//   requested
extern "C" __global__ void __launch_bounds__(COFOLD_THREADS) rna_cofold(
        const int32* order,
        int32 from,
        Strands strands,
        Energies energies,
        uint8* tables,
        int64 slot,
        double* least,
        uint8* structures) {
    extern __shared__ uint16 shared[];
    __shared__ int32 sizes[SINGLES - BULGE_SIZES];
    __shared__ int32 counts[2];
    int32 row = order[from + blockIdx.x];
    int32 begin_a = strands.offsets_a[row];
    int32 begin_b = strands.offsets_b[row];
    int32 nick = strands.length_of_a(row);
    int32 n = nick + strands.length_of_b(row);
    uint8* bases = reinterpret_cast<uint8*>(shared + n);
    for (int32 i = threadIdx.x; i < n; i += blockDim.x) {
        uint8 letter = i < nick ? strands.a[begin_a + i] : strands.b[begin_b + i - nick];
        bases[i] = static_cast<uint8>(base_of(letter));
    }
    for (int32 i = threadIdx.x; i < SINGLES - BULGE_SIZES; i += blockDim.x) {
        sizes[i] = energies.tables[BULGE_SIZES + i];
    }
    if (threadIdx.x < 2) {
        counts[threadIdx.x] = 0;
    }
    CofoldTable table({bases, n, energies}, nick, reinterpret_cast<int32*>(tables + slot * blockIdx.x));
    table.begin();
    __syncthreads();
    for (int32 diagonal = 1; diagonal < n; diagonal++) {
        table.list(diagonal, shared, counts + diagonal % 2);
        __syncthreads();
        int32 count = counts[diagonal % 2];
        if (threadIdx.x == 0) {
            counts[(diagonal + 1) % 2] = 0;
        }
        table.fill_pairs<LANES>(diagonal, shared, count, sizes);
        __syncthreads();
        for (int32 i = threadIdx.x; i < n - diagonal; i += blockDim.x) {
            table.fill_multi(i, i + diagonal);
        }
        table.fill_exterior(diagonal);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        least[row] = table.least() / 100.0;
    }
    if (structures != nullptr && threadIdx.x < 32) {
        CofoldWalk(table, structures + strands.begin(row)).walk();
    }
}

// Computes the length of each structure, or 0 for rows that are not solved on the GPU. Appends a zero.
extern "C" __global__ void rna_cofold_lengths(int32 rows, Strands strands, Classified rows_of, int32* lengths) {
    int64 row = thread_index();
    if (row <= rows) {
        bool is_solved = row < rows && rows_of.is_solved(row);
        lengths[row] = is_solved ? strands.length_of_a(row) + 1 + strands.length_of_b(row) : 0;
    }
}

// Copies the structures to their positions in the result, with an ampersand between the strands. Uses one warp per row.
extern "C" __global__ void rna_cofold_copy(
        int32 rows, Strands strands, const uint8* structures, const int32* to_offsets, uint8* to) {
    int64 row = thread_index() / 32;
    if (row < rows) {
        int32 begin = to_offsets[row];
        int32 count = to_offsets[row + 1] - begin;
        int32 nick = strands.length_of_a(row);
        const uint8* structure = structures + strands.begin(row);
        for (int32 at = threadIdx.x % 32; at < count; at += 32) {
            to[begin + at] = at < nick ? structure[at] : at == nick ? '&' : structure[at - 1];
        }
    }
}
