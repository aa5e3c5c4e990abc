// Computes minimum-energy foldings of RNAs, with one or several blocks per RNA: dev.bellman.fold.rna.RnaFold.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "fold/rna/fold_table.cuh"
#include "fold/rna/fold_walk.cuh"
#include "fold/rna/windows.cuh"

// The class number is MODEL * SIZES plus a size class. The size class depends on the binary logarithm of the number of
// bases, and the longest sequences come first.
constexpr int32 SIZES = 33;
constexpr int32 MAX_THREADS = 1024;
FOR_HOST(SIZES);
FOR_HOST(MAX_THREADS);
FOR_HOST(ENERGY_TABLES);
FOR_HOST(BASES_OF_CANDIDATE);
FOR_HOST(WORDS_OF_BASE);
FOR_HOST(MORE_WORDS);

// The model of a row to which no model has been assigned yet. The CPU solves rows with WRONG_MODEL.
constexpr int32 UNKNOWN_MODEL = -1;
constexpr int32 WRONG_MODEL = -2;
FOR_HOST(WRONG_MODEL);

STRUCT_FOR_HOST(Energies);
MEMBER_FOR_HOST(Energies, tables);
MEMBER_FOR_HOST(Energies, hairpins);
MEMBER_FOR_HOST(Energies, specials);
MEMBER_FOR_HOST(Energies, special_count);
MEMBER_FOR_HOST(Energies, no_lonely_pairs);

// Assigns the model number of row `like` to those rows without a model that have the same options.
//
// - models: the model number of each row; initially UNKNOWN_MODEL
// - like: the row whose options are compared; -1 for none
// - first_unknown: the first row still without a model, or `rows` if there is none; initially `rows`
extern "C" __global__ void rna_find_models(
        int32 rows,
        const uint32* validity,
        const int32* offsets,
        const uint8* options,
        int32 like,
        int32 model,
        int32* models,
        int32* first_unknown) {
    int64 row = thread_index();
    if (row >= rows || !is_valid(validity, row) || models[row] != UNKNOWN_MODEL) {
        return;
    }
    int32 begin = offsets[row];
    int32 length = offsets[row + 1] - begin;
    bool same = like >= 0 && length == offsets[like + 1] - offsets[like];
    for (int32 i = 0; same && i < length; i++) {
        same = options[begin + i] == options[offsets[like] + i];
    }
    if (same) {
        models[row] = model;
    } else {
        atomicMin(first_unknown, static_cast<int32>(row));
    }
}

// Classifies the rows, with one warp per row.
//
// - models: the model of each row; null if all rows have the first model
// - longest: for each model, the maximum number of bases for which no energy overflows
// - numbers: one number per row; a row is rejected unless its number is from 0 to `most`; null if rows have no numbers
// - windows: for each row, the maximum number of bases that are folded together; null for whole sequences
// - steps: the distance between the starts of each row's windows; a row is rejected unless its window and step are at
//   least 1
extern "C" __global__ void rna_classify(
        int32 rows,
        const uint32* validity,
        const int32* offsets,
        const uint8* text,
        const int32* models,
        int32 model_count,
        const int32* longest,
        const double* numbers,
        double most,
        const int32* windows,
        const int32* steps,
        Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int32 begin = offsets[row];
    int32 n = offsets[row + 1] - begin;
    bool valid = are_bases(text + begin, n);
    if (lane != 0) {
        return;
    }
    valid = valid && (numbers == nullptr || (numbers[row] >= 0 && numbers[row] <= most));
    int32 folded = n;
    int64 cells = static_cast<int64>(n) * n / 2;
    bool fits = true;
    if (windows != nullptr) {
        valid = valid && windows[row] > 0 && steps[row] > 0;
        folded = valid ? min(n, windows[row]) : 0;
        cells = static_cast<int64>(n) * folded;
        fits = !valid || window_letters(n, windows[row], steps[row]) <= INT32_MOST;
    }
    int32 model = models == nullptr ? 0 : models[row];
    if (model < 0 || model >= model_count || folded > longest[model] || !fits) {
        // the CPU solves the row or reports an error
        rows_of.put(row, ON_CPU, 0, 0);
    } else if (valid) {
        rows_of.put(row, model * SIZES + __clz(folded), folded, cells);
    } else {
        rows_of.reject(row);
    }
}

// Folds the rows order[from], order[from + 1], ..., with `blocks` blocks each. Each row has `slot` bytes of `tables`.
// Shared memory contains three bytes for each base of the longest row.
//
// - least: receives the minimum energy of each row, in kcal/mol
// - structures: the output for structures, at the offsets of the sequences' letters; null if only energies are
//   requested
// - arrivals: a zero-initialized word for each row
extern "C" __global__ void __launch_bounds__(MAX_THREADS) rna_fold(
        const int32* order,
        int32 from,
        const int32* offsets,
        const uint8* text,
        Energies energies,
        uint8* tables,
        int64 slot,
        double* least,
        uint8* structures,
        int32 blocks,
        uint32* arrivals) {
    extern __shared__ uint16 shared[];
    __shared__ int32 sizes[SINGLES - BULGE_SIZES];
    __shared__ int32 counts[2];
    int32 at = blockIdx.x / blocks;
    Team team(arrivals + at, blocks);
    int32 row = order[from + at];
    int32 begin = offsets[row];
    int32 n = offsets[row + 1] - begin;
    uint16* listed = shared;
    uint8* bases = reinterpret_cast<uint8*>(shared + n);
    for (int32 i = threadIdx.x; i < n; i += blockDim.x) {
        bases[i] = static_cast<uint8>(base_of(text[begin + i]));
    }
    for (int32 i = threadIdx.x; i < SINGLES - BULGE_SIZES; i += blockDim.x) {
        sizes[i] = energies.tables[BULGE_SIZES + i];
    }
    if (threadIdx.x < 2) {
        counts[threadIdx.x] = 0;
    }
    FoldTable table({bases, n, energies}, reinterpret_cast<int32*>(tables + slot * at), team);
    table.begin();
    team.sync();
    for (int32 diagonal = MIN_HAIRPIN + 1; diagonal < n; diagonal++) {
        table.list(diagonal, listed, counts + diagonal % 2);
        __syncthreads();
        int32 count = counts[diagonal % 2];
        if (threadIdx.x == 0) {
            counts[(diagonal + 1) % 2] = 0;
        }
        table.fill_pairs(diagonal, listed, count, sizes);
        team.sync();
        for (int32 i = table.thread; i < n - diagonal; i += table.threads) {
            table.fill_multi(i, i + diagonal);
        }
        table.fill_prefix(diagonal);
    }
    team.sync();
    if (team.thread == 0) {
        least[row] = table.prefix[n] / 100.0;
    }
    if (structures != nullptr && team.thread < 32) {
        FoldWalk<FoldTable>(table, structures + begin).walk();
    }
}
