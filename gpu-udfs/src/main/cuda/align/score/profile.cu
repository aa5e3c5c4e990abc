// Scores of pairs of some queries, each with many texts b, in 16 bits, two pairs side by side. The scores of each letter against a query are in shared
// memory, for all pairs of a block: a word for each row, of which the lower half matters.
//
// The selection of bytes that would combine two smaller scores is on the unit that computes the maxima, and so is every operation of a row but one. A
// product and sum of two words is on another one.
#include "align/score/packed_table.cuh"
#include "common/host.cuh"

constexpr int32 PROFILE_BLOCK = 128;
constexpr int32 PROFILE_BYTES = 4;  // for each row and letter
FOR_HOST(PROFILE_BLOCK);
FOR_HOST(PROFILE_BYTES);

namespace {

// Four rows of a lane are read at once; those of a letter are stored lane after lane, so that lanes read from different banks whatever their letters are.
//
// shift   65,536, hidden from the compiler so that it multiplies by it
template <int LANES, int ROWS>
struct ProfileScores {
    static constexpr int FOURS = ROWS / 4;

    const Scheme& scheme;
    const uint4* profile;
    uint32 shift;
    const uint4* p_column;
    const uint4* q_column;
    uint4 p_rows;
    uint4 q_rows;

    __device__ __forceinline__ ProfileScores(const Scheme& its_scheme, const uint4* its_profile, uint32 its_shift)
        : scheme(its_scheme), profile(its_profile + threadIdx.x % LANES), shift(its_shift) {}

    __device__ __forceinline__ void put(int, int32, int32, const ScoredPair&, const ScoredPair&, bool) {}

    // Where the scores of both letters begin, which is below 65,536 because no block has so much memory.
    __device__ __forceinline__ uint32 letters(const ScoredPair& p, const ScoredPair& q, int32 j) const {
        uint32 x = j < p.b_length ? scheme.codes[p.b[j]] : 0;
        uint32 y = j < q.b_length ? scheme.codes[q.b[j]] : 0;
        return (x | y << 16) * (LANES * FOURS);
    }

    __device__ __forceinline__ void go_to(uint32 letter) {
        p_column = profile + (letter & 0xffff);
        q_column = profile + (letter >> 16);
    }

    __device__ __forceinline__ uint32 of_row(int r) {
        if (r % 4 == 0) {
            p_rows = p_column[r / 4 * LANES];
            q_rows = q_column[r / 4 * LANES];
        }
        uint32 of_p = r % 4 == 0 ? p_rows.x : r % 4 == 1 ? p_rows.y : r % 4 == 2 ? p_rows.z : p_rows.w;
        uint32 of_q = r % 4 == 0 ? q_rows.x : r % 4 == 1 ? q_rows.y : r % 4 == 2 ? q_rows.z : q_rows.w;
        return of_q * shift + of_p;
    }
};

// A block scores pairs of one query. Those of query k are pairs[firsts[k]..firsts[k + 1]), for blocks from blocks[k].
template <int KIND, int LANES, int ROWS>
__device__ __forceinline__ void score_queries(
        const ScoredPair* pairs,
        const int32* firsts,
        const int32* blocks,
        int32 queries,
        const Scheme* its_scheme,
        uint32 shift,
        int64* results) {
    extern __shared__ uint32 query_profile[];
    int32 query = last_not_above(blocks, queries, static_cast<int32>(blockIdx.x));
    const ScoredPair* its_pairs = pairs + firsts[query];
    int32 count = firsts[query + 1] - firsts[query];
    Scheme scheme = *its_scheme;
    ScoredPair any = its_pairs[0];
    int32 padding = LANES * ROWS - any.a_length;
    int32 in_padding = first_row_free(scheme.mode) ? 0 : -128;
    for (int32 at = threadIdx.x; at < scheme.letters * LANES * ROWS; at += blockDim.x) {
        int32 letter = at / (LANES * ROWS);
        int32 four = at / (4 * LANES) % (ROWS / 4);
        int32 i = at / 4 % LANES * ROWS + 4 * four + at % 4 - padding;
        int32 score = i >= 0 ? scheme.table[scheme.codes[any.a[i]] * scheme.letters + letter] : in_padding;
        query_profile[at] = score & 0xffff;
    }
    __syncthreads();
    ProfileScores<LANES, ROWS> scores(scheme, reinterpret_cast<const uint4*>(query_profile), shift);
    int64 group = static_cast<int64>(blockIdx.x - blocks[query]) * (PROFILE_BLOCK / LANES) + threadIdx.x / LANES;
    score_packed<KIND, LANES, ROWS>(its_pairs, count, group, scheme, scores, 1, results);
}

}  // namespace

#define PROFILE(NAME, KIND, LANES, ROWS)                                                                    \
    extern "C" __global__ void __launch_bounds__(PROFILE_BLOCK) align_profile_##NAME##_##LANES##x##ROWS(    \
            const ScoredPair* pairs,                                                                        \
            const int32* firsts,                                                                            \
            const int32* blocks,                                                                            \
            int32 queries,                                                                                  \
            const Scheme* scheme,                                                                           \
            uint32 shift,                                                                                   \
            int64* results) {                                                                               \
        score_queries<KIND, LANES, ROWS>(pairs, firsts, blocks, queries, scheme, shift, results);           \
    }
#define SHAPE(LANES, ROWS)                    \
    PROFILE(local, ANYWHERE, LANES, ROWS)     \
    PROFILE(ends, ENDS, LANES, ROWS)

SHAPE(8, 16)
SHAPE(8, 24)
SHAPE(8, 32)
SHAPE(8, 40)
SHAPE(8, 44)
SHAPE(8, 48)
SHAPE(8, 52)
SHAPE(16, 32)
SHAPE(16, 40)
SHAPE(16, 52)
SHAPE(16, 64)
