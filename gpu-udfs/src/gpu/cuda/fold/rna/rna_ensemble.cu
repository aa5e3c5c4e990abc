// All structures of RNAs, each with its weight: dev.bellman.fold.rna.RnaEnsemble, one block each.
#include "common/host.cuh"
#include "fold/rna/ensemble_passes.cuh"

constexpr int32 MAX_THREADS = 512;
FOR_HOST(MAX_THREADS);
FOR_HOST(TABLES);
FOR_HOST(TABLES_OF_CELLS);
FOR_HOST(WORDS_OF_BASE);
FOR_HOST(MORE_WORDS);

STRUCT_FOR_HOST(Weights);
MEMBER_FOR_HOST(Weights, tables);
MEMBER_FOR_HOST(Weights, hairpins);
MEMBER_FOR_HOST(Weights, keys);
MEMBER_FOR_HOST(Weights, specials);
MEMBER_FOR_HOST(Weights, thermal);
MEMBER_FOR_HOST(Weights, special_count);

// The results for each row: the energies in kcal/mol.
struct Ensembles {
    double* energies;
    double* frequencies;
    double* diversities;
};

STRUCT_FOR_HOST(Ensembles);
MEMBER_FOR_HOST(Ensembles, energies);
MEMBER_FOR_HOST(Ensembles, frequencies);
MEMBER_FOR_HOST(Ensembles, diversities);

// One block for each of the rows order[from], order[from + 1], ...; each has `slot` bytes of `tables`. Shared memory
// has three bytes for each base of the longest row. least: the least energy of a structure of each row, in kcal/mol.
extern "C" __global__ void __launch_bounds__(MAX_THREADS) rna_ensemble(
        const int32* order,
        int32 from,
        const int32* offsets,
        const uint8* text,
        Weights weights,
        const double* least,
        uint8* tables,
        int64 slot,
        Ensembles ensembles) {
    // the energy of an ensemble over the least energy of a structure, about
    constexpr double TYPICAL = 1.07;
    constexpr double UNIT = 100;

    extern __shared__ uint16 shared[];
    __shared__ double sized[SIZED];
    __shared__ int32 counts[64];
    int32 row = order[from + blockIdx.x];
    int32 begin = offsets[row];
    int32 n = offsets[row + 1] - begin;
    uint8* bases = reinterpret_cast<uint8*>(shared + n);
    for (int32 i = threadIdx.x; i < n; i += blockDim.x) {
        bases[i] = static_cast<uint8>(base_of(text[begin + i]));
    }
    int32 energy = __double2int_rn(__dmul_rn(least[row], UNIT));
    double per_base = n == 0 ? 0 : __ddiv_rn(__dmul_rn(TYPICAL, energy), n);
    EnsembleTable table({bases, n, weights, per_base}, tables + slot * blockIdx.x, shared, counts);
    table.begin(sized);
    InsidePass(table).run();
    table.fill_exterior<false>(table.prefix);
    table.fill_exterior<true>(table.suffix);
    OutsidePass(table).run();
    if (threadIdx.x == 0) {
        double whole = table.loops.energy(table.get(table.prefix, n));
        ensembles.energies[row] = __ddiv_rn(whole, UNIT);
        ensembles.frequencies[row] = strict_exp(weights.logarithm(__dsub_rn(energy, whole)));
        ensembles.diversities[row] = table.diversity();
    }
}
