// Computes weighted sums over all structures of two RNAs, with one block per row, as
// dev.bellman.fold.rna.CofoldEnsemble does.
#include "common/host.cuh"
#include "fold/rna/cofold/cofold_pass.cuh"
#include "fold/rna/cofold/strands.cuh"

constexpr int32 COFOLD_THREADS = 512;
// With two such blocks per multiprocessor, a thread has at most 64 registers, so that more short rows run together.
constexpr int32 COFOLD_BLOCKS = 2;
FOR_HOST(COFOLD_THREADS);
FOR_HOST(TABLES_OF_CELLS);
FOR_HOST(WORDS_OF_BASE);
FOR_HOST(MORE_WORDS);

// The free energies of each row, in kcal/mol: of all structures, of the structures that connect the strands, of each
// strand, and of all structures without the terms for duplex initiation and symmetry.
//
// - connected: a bit for each row, set if the strands can pair with each other; initially zero
struct CofoldEnergies {
    double* all;
    double* dimers;
    uint32* connected;
    double* of_a;
    double* of_b;
    double* uncorrected;
};

STRUCT_FOR_HOST(CofoldEnergies);
MEMBER_FOR_HOST(CofoldEnergies, all);
MEMBER_FOR_HOST(CofoldEnergies, dimers);
MEMBER_FOR_HOST(CofoldEnergies, connected);
MEMBER_FOR_HOST(CofoldEnergies, of_a);
MEMBER_FOR_HOST(CofoldEnergies, of_b);
MEMBER_FOR_HOST(CofoldEnergies, uncorrected);

// Returns the size of one strand's table in bytes, a multiple of eight.
__device__ __forceinline__ int64 table_bytes(int32 n) {
    int64 words = TABLES_OF_CELLS * (static_cast<int64>(n) * (n + 1) / 2) + static_cast<int64>(WORDS_OF_BASE) * n
        + MORE_WORDS;
    return (words * static_cast<int64>(sizeof(double) + sizeof(int16)) + 7) / 8 * 8;
}

// Computes the inside weights of one strand.
__device__ void fill(EnsembleTable& table, double* sized) {
    table.begin(sized);
    InsidePass(table).run();
    table.fill_exterior<false>(table.prefix);
    table.fill_exterior<true>(table.suffix);
}

// Returns the number of rotations that map the bases to themselves. A whole warp must call this.
__device__ int32 rotations(const uint8* bases, int32 n) {
    for (int32 period = 1; period <= n / 2; period++) {
        if (n % period == 0) {
            int32 other = first_that(period, n, [&](int32 i) { return bases[i] != bases[i - period]; });
            if (other == n) {
                return n / period;
            }
        }
    }
    return 1;
}

// Returns the energy whose weight is the sum of the weights of two energies.
__device__ double sum_of_energies(const Weights& weights, double one, double other) {
    double rest = strict_exp(weights.logarithm(fabs(__dsub_rn(one, other))));
    return __dadd_rn(fmin(one, other), weights.energy(strict_log_1_plus_any(rest)));
}

// Writes the energies of a row.
//
// - strand: the energy that a second strand adds, in hundredths of kcal/mol
__device__ void write(
        const CofoldEnergies& to,
        int32 row,
        const EnsembleTable& a,
        const EnsembleTable& b,
        const EnsembleLoops& both,
        Wide connected,
        double strand,
        int32 turns) {
    const Weights& weights = both.weights;
    double of_a = a.loops.energy(a.get(a.prefix, a.n));
    double of_b = b.loops.energy(b.get(b.prefix, b.n));
    double apart = __dadd_rn(of_a, of_b);
    double all = apart;
    double uncorrected = apart;
    if (connected.value > 0) {
        double plain = both.energy(connected);
        double dimer = __dadd_rn(__dadd_rn(plain, strand), weights.energy(-strict_log(turns)));
        all = sum_of_energies(weights, apart, dimer);
        uncorrected = sum_of_energies(weights, apart, plain);
        to.dimers[row] = __ddiv_rn(dimer, UNITS_OF_ENERGY);
        atomicOr(to.connected + row / 32, 1u << row % 32);
    }
    to.all[row] = __ddiv_rn(all, UNITS_OF_ENERGY);
    to.of_a[row] = __ddiv_rn(of_a, UNITS_OF_ENERGY);
    to.of_b[row] = __ddiv_rn(of_b, UNITS_OF_ENERGY);
    to.uncorrected[row] = __ddiv_rn(uncorrected, UNITS_OF_ENERGY);
}

// Solves the rows order[from], order[from + 1], ..., one block per row. Each row has `slot` bytes of `tables`, which
// contain the tables for a, for b and for the pairs between them. Shared memory contains four bytes for each base of
// the longest row.
//
// - strand: the energy that a second strand adds, in hundredths of kcal/mol
// - least: the minimum free energy of each row, in kcal/mol
extern "C" __global__ void __launch_bounds__(COFOLD_THREADS, COFOLD_BLOCKS) rna_cofold_ensemble(
        const int32* order,
        int32 from,
        Strands strands,
        Weights weights,
        double strand,
        const double* least,
        uint8* tables,
        int64 slot,
        CofoldEnergies energies) {
    extern __shared__ uint16 shared[];
    __shared__ double sized[SIZED];
    __shared__ int32 counts[64];
    int32 row = order[from + blockIdx.x];
    int32 begin_a = strands.offsets_a[row];
    int32 begin_b = strands.offsets_b[row];
    int32 nick = strands.length_of_a(row);
    int32 n = nick + strands.length_of_b(row);
    // the bases of a, of b, and of a again
    uint8* bases = reinterpret_cast<uint8*>(shared + n);
    for (int32 i = threadIdx.x; i < n; i += blockDim.x) {
        uint8 letter = i < nick ? strands.a[begin_a + i] : strands.b[begin_b + i - nick];
        uint8 base = static_cast<uint8>(base_of(letter));
        bases[i] = base;
        if (i < nick) {
            bases[n + i] = base;
        }
    }
    double per_base =
        energy_per_base(n, weights, __double2int_rn(__dmul_rn(least[row], UNITS_OF_ENERGY)));
    uint8* room = tables + slot * blockIdx.x;
    EnsembleTable a({bases, nick, weights, per_base}, room, shared, counts);
    room += table_bytes(nick);
    EnsembleTable b({bases + nick, n - nick, weights, per_base}, room, shared + nick, counts);
    room += table_bytes(n - nick);
    fill(a, sized);
    fill(b, sized);
    int64 cells = static_cast<int64>(nick) * (n - nick);
    EnsembleTable both({bases, n, weights, per_base}, room, shared + nick, counts, cells);
    both.loops.factors = a.loops.factors;
    both.loops.sized = sized;
    both.unpaired = a.unpaired;
    EnsembleLoops turned = both.loops;
    turned.bases = bases + nick;
    Wide connected = CofoldPass(a, b, both, turned).run();
    if (threadIdx.x + 32 >= blockDim.x) {
        int32 turns = rotations(bases, n);
        if (threadIdx.x + 1 == blockDim.x) {
            write(energies, row, a, b, both.loops, connected, strand, turns);
        }
    }
}
