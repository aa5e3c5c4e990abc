// Computes scores for nucleotides in 16 bits, two pairs at a time.
#include "align/score/packed_table.cuh"
#include "common/host.cuh"

constexpr int32 PACKED_BLOCK = 64;
FOR_HOST(PACKED_BLOCK);

namespace {

// For each row of each pair, one register contains the scores of the row's letter with A, C, T and G. The letter of a
// column selects bytes of these registers.
template <int ROWS>
struct NucleotideScores {
    static constexpr bool IN_REGISTERS = true;

    const Scheme& scheme;
    uint32 p_rows[ROWS];
    uint32 q_rows[ROWS];
    uint32 selection = 0;

    __device__ __forceinline__ explicit NucleotideScores(const Scheme& its_scheme) : scheme(its_scheme) {}

    __device__ __forceinline__ uint32 row_of(const ScoredPair& pair, int32 i, bool padding_is_0) const {
        if (i < 0 || i >= pair.a_length) {
            return padding_is_0 ? 0 : 0x80808080;
        }
        int32 code = nucleotide_code(pair.a[i]);
        return code < 2 ? (code == 0 ? scheme.nucleotides_a : scheme.nucleotides_c)
                        : (code == 2 ? scheme.nucleotides_t : scheme.nucleotides_g);
    }

    __device__ __forceinline__ void put(
            int r, int32 pi, int32 qi, const ScoredPair& p, const ScoredPair& q, bool padding_is_0) {
        p_rows[r] = row_of(p, pi, padding_is_0);
        q_rows[r] = row_of(q, qi, padding_is_0);
    }

    __device__ __forceinline__ uint32 letters(const ScoredPair& p, const ScoredPair& q, int32 j) const {
        uint32 x = j < p.b_length ? nucleotide_code(p.b[j]) : 0;
        uint32 y = j < q.b_length ? nucleotide_code(q.b[j]) : 0;
        return x * 0x11 + 0x80 + (y * 0x11 + 0xc4 << 8);
    }

    __device__ __forceinline__ void go_to(uint32 letter) {
        selection = letter;
    }

    __device__ __forceinline__ uint32 of_row(int r) const {
        return select_bytes(p_rows[r], q_rows[r], selection);
    }
};

// For each row, one register selects bytes from the scores of the column's letter with A, C, T and G. For a padding
// row, the register selects the sign of a score, so the row scores 0 or -1. In local tables, a padding row stays 0; in
// global tables, its values do not matter.
template <int ROWS>
struct NucleotideColumns {
    static constexpr bool IN_REGISTERS = true;

    uint32 columns;  // the address of the scores of both letters in shared memory
    uint32 selections[ROWS];
    uint2 column;

    __device__ __forceinline__ explicit NucleotideColumns(const uint2* its_columns)
        : columns(static_cast<uint32>(__cvta_generic_to_shared(its_columns))) {}

    __device__ __forceinline__ void put(int r, int32 pi, int32 qi, const ScoredPair& p, const ScoredPair& q, bool) {
        uint32 x = pi >= 0 && pi < p.a_length ? nucleotide_code(p.a[pi]) * 0x11 + 0x80 : 0x88;
        uint32 y = qi >= 0 && qi < q.a_length ? nucleotide_code(q.a[qi]) * 0x11 + 0xc4 : 0xcc;
        selections[r] = x + (y << 8);
    }

    __device__ __forceinline__ uint32 letters(const ScoredPair& p, const ScoredPair& q, int32 j) const {
        uint32 x = j < p.b_length ? nucleotide_code(p.b[j]) : 0;
        uint32 y = j < q.b_length ? nucleotide_code(q.b[j]) : 0;
        return columns + static_cast<uint32>(sizeof(uint2)) * (x + 4 * y);
    }

    __device__ __forceinline__ void go_to(uint32 letter) {
        asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(column.x), "=r"(column.y) : "r"(letter));
    }

    __device__ __forceinline__ uint32 of_row(int r) const {
        return select_bytes(column.x, column.y, selections[r]);
    }
};

// Returns the scores of a column's letter with A, C, T and G.
__device__ __forceinline__ uint32 column_of(const Scheme& scheme, int32 code) {
    int32 shift = 8 * code;
    return (scheme.nucleotides_a >> shift & 0xff) | (scheme.nucleotides_c >> shift & 0xff) << 8
        | (scheme.nucleotides_t >> shift & 0xff) << 16 | (scheme.nucleotides_g >> shift & 0xff) << 24;
}

template <int KIND, int LANES, int ROWS>
__device__ __forceinline__ void score_nucleotides(
        const ScoredPair* pairs, int32 count, const Scheme* its_scheme, int64* results) {
    Scheme scheme = *its_scheme;
    if constexpr (KIND != ENDS) {
        __shared__ uint2 columns[16];
        if (threadIdx.x < 16) {
            columns[threadIdx.x] = make_uint2(column_of(scheme, threadIdx.x % 4), column_of(scheme, threadIdx.x / 4));
        }
        __syncthreads();
        NucleotideColumns<ROWS> scores(columns);
        score_packed<KIND, LANES, ROWS>(pairs, count, thread_index() / LANES, scheme, scores, results);
    } else {
        NucleotideScores<ROWS> scores(scheme);
        score_packed<KIND, LANES, ROWS>(pairs, count, thread_index() / LANES, scheme, scores, results);
    }
}

}  // namespace

// The number of blocks that must fit on a multiprocessor, given the registers that a thread needs. Without this bound,
// the compiler would use a few more registers, which would leave fewer warps to hide a row's wait for the row above.
// For tables with free ends, the compiler chooses.
#define RESIDENT(KIND, ROWS) (KIND != ENDS ? 4 * 32 * (512 / ((3 * ROWS + 39) / 8 * 8)) / PACKED_BLOCK : 1)
#define PACKED(NAME, KIND, LANES, ROWS)                                                                \
    extern "C" __global__ void __launch_bounds__(PACKED_BLOCK, RESIDENT(KIND, ROWS))                   \
            align_packed_##NAME##_##LANES##x##ROWS(                                                    \
                    const ScoredPair* pairs, int32 count, const Scheme* scheme, int64* results) {      \
        score_nucleotides<KIND, LANES, ROWS>(pairs, count, scheme, results);                           \
    }
#define SHAPE(LANES, ROWS)                   \
    PACKED(local, ANYWHERE, LANES, ROWS)     \
    PACKED(ends, ENDS, LANES, ROWS)          \
    PACKED(global, TILTED, LANES, ROWS)

SHAPE(4, 16)
SHAPE(8, 12)
SHAPE(8, 16)
SHAPE(8, 19)
SHAPE(8, 24)
SHAPE(16, 16)
SHAPE(16, 20)
SHAPE(16, 24)
SHAPE(16, 32)
SHAPE(32, 20)
SHAPE(32, 24)
SHAPE(32, 32)
