// Computes weighted sums over all structures of RNAs, with one block per RNA, as dev.bellman.fold.rna.RnaEnsemble does.
// The kernels for sequences of up to LONG bases assume that all weights have level 0, which is true for most of these
// sequences.
#include "common/host.cuh"
#include "common/warp.cuh"
#include "fold/rna/ensemble/ensemble_passes.cuh"
#include "fold/rna/ensemble/plain_exterior.cuh"
#include "fold/rna/ensemble/plain_passes.cuh"

constexpr int32 MAX_THREADS = 512;
FOR_HOST(MAX_THREADS);
FOR_HOST(TABLES);
FOR_HOST(TABLES_OF_CELLS);
FOR_HOST(WORDS_OF_BASE);
FOR_HOST(MORE_WORDS);

// For the kernels for weights with level 0: the maximum numbers of bases, and the shared memory that these kernels
// need.
constexpr int32 TINY = 32;
constexpr int32 SMALL = 64;
constexpr int32 SHORT = 120;
constexpr int32 MODEST = 160;
constexpr int32 MEDIUM = 192;
constexpr int32 LARGE = 256;
constexpr int32 LONG = 384;
constexpr int32 TINY_BYTES = PlainTable<TINY>::BYTES;
constexpr int32 SMALL_BYTES = PlainTable<SMALL>::BYTES;
constexpr int32 SHORT_BYTES = PlainTable<SHORT>::BYTES;
constexpr int32 MODEST_BYTES = PlainTable<MODEST>::BYTES;
constexpr int32 MEDIUM_BYTES = PlainTable<MEDIUM>::BYTES;
constexpr int32 LARGE_BYTES = PlainTable<LARGE>::BYTES;
constexpr int32 LONG_BYTES = PlainTable<LONG>::BYTES;
FOR_HOST(TINY);
FOR_HOST(SMALL);
FOR_HOST(SHORT);
FOR_HOST(MODEST);
FOR_HOST(MEDIUM);
FOR_HOST(LARGE);
FOR_HOST(LONG);
FOR_HOST(TINY_BYTES);
FOR_HOST(SMALL_BYTES);
FOR_HOST(SHORT_BYTES);
FOR_HOST(MODEST_BYTES);
FOR_HOST(MEDIUM_BYTES);
FOR_HOST(LARGE_BYTES);
FOR_HOST(LONG_BYTES);

STRUCT_FOR_HOST(Weights);
MEMBER_FOR_HOST(Weights, tables);
MEMBER_FOR_HOST(Weights, hairpins);
MEMBER_FOR_HOST(Weights, keys);
MEMBER_FOR_HOST(Weights, specials);
MEMBER_FOR_HOST(Weights, thermal);
MEMBER_FOR_HOST(Weights, special_count);

// The results for each row: the ensemble's free energy in kcal/mol, the frequency of the minimum-energy structure, and
// the ensemble's diversity. All pointers are null if the caller needs only the tables.
struct Ensembles {
    double* energies;
    double* frequencies;
    double* diversities;
};

STRUCT_FOR_HOST(Ensembles);
MEMBER_FOR_HOST(Ensembles, energies);
MEMBER_FOR_HOST(Ensembles, frequencies);
MEMBER_FOR_HOST(Ensembles, diversities);

__device__ __forceinline__ void write(
        const Ensembles& ensembles, int32 row, const EnsembleLoops& loops, int32 least, Wide total, double diversity) {
    double whole = loops.energy(total);
    ensembles.energies[row] = __ddiv_rn(whole, UNITS_OF_ENERGY);
    ensembles.frequencies[row] = strict_exp(loops.weights.logarithm(__dsub_rn(least, whole)));
    ensembles.diversities[row] = diversity;
}

// Solves `count` rows: order[from], order[from + 1], ... Each block solves one row at a time. Row `at` has `slot` bytes
// of `tables`, at the index at % slots; there must be at least as many slots as blocks. If the caller needs only
// `ensembles`, few slots are better, because they remain in the cache. Shared memory contains three bytes for each base
// of the longest row.
//
// - least: the minimum free energy of each row, in kcal/mol
// - wide: for each row, whether it must be solved; null if all rows must
extern "C" __global__ void __launch_bounds__(MAX_THREADS) rna_ensemble(
        const int32* order,
        int32 from,
        int32 count,
        const int32* offsets,
        const uint8* text,
        Weights weights,
        const double* least,
        uint8* tables,
        int64 slot,
        int32 slots,
        const int32* wide,
        Ensembles ensembles) {
    extern __shared__ double shared[];
    __shared__ double sized[SIZED];
    __shared__ int32 counts[64];
    for (int32 at = blockIdx.x; at < count; at += gridDim.x) {
        if (wide != nullptr && wide[at] == 0) {
            continue;
        }
        int32 row = order[from + at];
        int32 begin = offsets[row];
        int32 n = offsets[row + 1] - begin;
        uint16* listed = reinterpret_cast<uint16*>(shared);
        uint8* bases = reinterpret_cast<uint8*>(listed + n);
        for (int32 i = threadIdx.x; i < n; i += blockDim.x) {
            bases[i] = static_cast<uint8>(base_of(text[begin + i]));
        }
        int32 energy = __double2int_rn(__dmul_rn(least[row], UNITS_OF_ENERGY));
        EnsembleLoops loops = loops_of(n, weights, energy);
        loops.bases = bases;
        EnsembleTable table(loops, tables + slot * (at % slots), listed, counts);
        table.begin(sized);
        InsidePass(table).run();
        table.fill_exterior<false>(table.prefix);
        table.fill_exterior<true>(table.suffix);
        OutsidePass(table).run();
        if (threadIdx.x == 0 && ensembles.energies != nullptr) {
            write(ensembles, row, table.loops, energy, table.get(table.prefix, n), table.diversity());
        }
        __syncthreads();
    }
}

// Solves a row with at most WIDTH bases, as long as all its weights have level 0; otherwise, sets `wide`, and the
// results are undefined.
template <int32 WIDTH>
__device__ __forceinline__ void solve(
        int32 row,
        const int32* offsets,
        const uint8* text,
        const Weights& weights,
        const double* least,
        uint8* room,
        double* shared,
        int32& wide,
        const Ensembles& ensembles) {
    int32 begin = offsets[row];
    int32 n = offsets[row + 1] - begin;
    int32 energy = __double2int_rn(__dmul_rn(least[row], UNITS_OF_ENERGY));
    PlainTable<WIDTH> table(EnsembleTable(loops_of(n, weights, energy), room, nullptr, nullptr), shared);
    table.begin(text + begin);
    PlainInside<WIDTH>(table).run();
    PlainExterior<WIDTH>(table).run();
    bool is_wide = __syncthreads_or(table.wide) != 0;
    if (!is_wide) {
        PlainOutside<WIDTH> pass(table);
        pass.run();
        is_wide = __syncthreads_or(table.wide) != 0;
        double diversity = pass.diversity();
        if (threadIdx.x == 0 && !is_wide && ensembles.energies != nullptr) {
            write(ensembles, row, table.loops, energy, {table.prefix[n], 0}, diversity);
        }
    }
    if (threadIdx.x == 0) {
        wide = is_wide;
    }
}

// These kernels solve rows as rna_ensemble does, but only rows whose weights all have level 0. A block has two threads
// per base of the longest row, whose length is rounded up to a multiple of 32.
//
// - wide (output): for each row, whether it was not solved
#define RNA_ENSEMBLE(NAME, WIDTH, BLOCKS)                                                                         \
    extern "C" __global__ void __launch_bounds__((WIDTH + 31) / 32 * 64, BLOCKS) NAME(                            \
            const int32* order, int32 from, int32 count, const int32* offsets, const uint8* text,                 \
            Weights weights, const double* least, uint8* tables, int64 slot, int32 slots, int32* wide,            \
            Ensembles ensembles) {                                                                                \
        extern __shared__ double shared[];                                                                        \
        for (int32 at = blockIdx.x; at < count; at += gridDim.x) {                                                \
            uint8* room = tables + slot * (at % slots);                                                           \
            solve<WIDTH>(order[from + at], offsets, text, weights, least, room, shared, wide[at], ensembles);     \
            __syncthreads();                                                                                      \
        }                                                                                                         \
    }

RNA_ENSEMBLE(rna_ensemble_tiny, TINY, 8)
RNA_ENSEMBLE(rna_ensemble_small, SMALL, 4)
RNA_ENSEMBLE(rna_ensemble_short, SHORT, 2)
RNA_ENSEMBLE(rna_ensemble_modest, MODEST, 2)
RNA_ENSEMBLE(rna_ensemble_medium, MEDIUM, 2)
RNA_ENSEMBLE(rna_ensemble_large, LARGE, 1)
RNA_ENSEMBLE(rna_ensemble_long, LONG, 1)

// A base pair with its probability. Bases are counted from 1.
struct ProbablePair {
    int32 i;
    int32 j;
    double p;
};

STRUCT_FOR_HOST(ProbablePair);

// The tables for a row, together with the probabilities of its pairs.
class Probabilities {
public:
    int32 n;
    int32* found;  // the number of pairs before the pairs of i

    __device__ Probabilities(int32 length, uint8* room, double least) :
        n(length), table_({nullptr, length}, room, nullptr, nullptr), least_(least) {
        found = reinterpret_cast<int32*>(table_.several.values);
    }

    __device__ __forceinline__ double p(int32 i, int32 j) const {
        return table_.multis.values[table_.place(i, j)];
    }

    __device__ __forceinline__ bool has(int32 i, int32 j) const {
        return j < n && p(i, j) > 0 && p(i, j) >= least_;
    }

private:
    EnsembleTable table_;
    double least_;
};

// Counts the pairs that are probable enough in the rows that the kernels above solved. Uses one block per row, whose
// warps process one base at a time.
//
// - least: for each row, the minimum probability of a pair
// - lengths (output): the number of pairs in each row
// - starts (output): for each row, the offset of its pairs among those of the launch
// - cursor: initially zero; becomes the total number of pairs
extern "C" __global__ void rna_count_pairs(
        const int32* order,
        int32 from,
        const int32* offsets,
        const double* least,
        uint8* tables,
        int64 slot,
        int32* lengths,
        int64* starts,
        uint64* cursor) {
    int32 row = order[from + blockIdx.x];
    int32 lane = threadIdx.x % 32;
    Probabilities pairs(offsets[row + 1] - offsets[row], tables + slot * blockIdx.x, least[row]);
    for (int32 i = threadIdx.x / 32; i < pairs.n; i += blockDim.x / 32) {
        int32 count = 0;
        for (int32 first = i + MIN_HAIRPIN + 1; first < pairs.n; first += 32) {
            count += __popc(__ballot_sync(~0u, pairs.has(i, first + lane)));
        }
        if (lane == 0) {
            pairs.found[i] = count;
        }
    }
    __syncthreads();
    if (threadIdx.x >= 32) {
        return;
    }
    int32 before = 0;
    for (int32 first = 0; first < pairs.n; first += 32) {
        int32 own = first + lane < pairs.n ? pairs.found[first + lane] : 0;
        int32 up_to = sum_up_to_lane(own);
        if (first + lane < pairs.n) {
            pairs.found[first + lane] = before + up_to - own;
        }
        before += __shfl_sync(~0u, up_to, 31);
    }
    if (lane == 0) {
        lengths[row] = before;
        starts[row] = static_cast<int64>(atomicAdd(cursor, static_cast<uint64>(before)));
    }
}

// Writes the pairs that rna_count_pairs counted, in ascending order.
//
// - places (output): the address of each row's first pair
extern "C" __global__ void rna_write_pairs(
        const int32* order,
        int32 from,
        const int32* offsets,
        const double* least,
        uint8* tables,
        int64 slot,
        const int64* starts,
        ProbablePair* written,
        const ProbablePair** places) {
    int32 row = order[from + blockIdx.x];
    int32 lane = threadIdx.x % 32;
    Probabilities pairs(offsets[row + 1] - offsets[row], tables + slot * blockIdx.x, least[row]);
    ProbablePair* its = written + starts[row];
    if (threadIdx.x == 0) {
        places[row] = its;
    }
    for (int32 i = threadIdx.x / 32; i < pairs.n; i += blockDim.x / 32) {
        int32 at = pairs.found[i];
        for (int32 first = i + MIN_HAIRPIN + 1; first < pairs.n; first += 32) {
            int32 j = first + lane;
            bool is_one = pairs.has(i, j);
            uint32 those = __ballot_sync(~0u, is_one);
            if (is_one) {
                its[at + __popc(those & ((1u << lane) - 1))] = {i + 1, j + 1, pairs.p(i, j)};
            }
            at += __popc(those);
        }
    }
}

// Copies the pairs of all rows to their positions in the result, with one warp per row.
extern "C" __global__ void rna_copy_pairs(
        int32 rows, const int32* to_offsets, const ProbablePair* const* places, int32* i, int32* j, double* p) {
    int64 row = thread_index() / 32;
    if (row >= rows) {
        return;
    }
    int32 begin = to_offsets[row];
    int32 count = to_offsets[row + 1] - begin;
    for (int32 at = threadIdx.x % 32; at < count; at += 32) {
        ProbablePair pair = places[row][at];
        i[begin + at] = pair.i;
        j[begin + at] = pair.j;
        p[begin + at] = pair.p;
    }
}
