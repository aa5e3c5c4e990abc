// Scores a few queries, each against many strings b, with 16-bit scores and two pairs at a time. For all pairs of a
// block, shared memory contains the scores of each letter with a query, one byte per row, or for local tables of the
// most common heights one word per row (local_profile.cuh). On an H200, local tables with bytes and exactly as high as
// their queries compute 5.3 trillion cells per second; the ALU is busy in nine of ten cycles, which allows no more than
// 5.9 trillion. With words, they compute 5.8 trillion.
#include "align/score/local_profile.cuh"
#include "align/score/packed_table.cuh"
#include "common/host.cuh"

constexpr int32 PROFILE_BLOCK = 128;
constexpr int32 PROFILE_WORD = 4;  // the rows of a lane whose scores are in a word
// Local tables of this number of lanes and at least this number of rows per lane have a word for each row and letter.
constexpr int32 PROFILE_WIDE_LANES = 8;
constexpr int32 PROFILE_WIDE_ROWS = 44;
constexpr int32 PROFILE_PLACES = 258;  // the bytes for the places of letters in a profile of words
FOR_HOST(PROFILE_BLOCK);
FOR_HOST(PROFILE_WORD);
FOR_HOST(PROFILE_WIDE_LANES);
FOR_HOST(PROFILE_WIDE_ROWS);
FOR_HOST(PROFILE_PLACES);
static_assert(PROFILE_PLACES == (CHARACTERS + 1) * sizeof(uint16));

namespace {

// The scores for a query. Each word consists of the bytes for four rows of a lane. For each letter and word number, the
// lanes' words are adjacent, so that the lanes of a pair read from different banks.
template <int LANES, int ROWS>
struct ProfileScores {
    static constexpr int WORDS = (ROWS + PROFILE_WORD - 1) / PROFILE_WORD;
    static constexpr bool IN_REGISTERS = false;

    const Scheme& scheme;
    const uint32* profile;
    uint32 p_words[WORDS];
    uint32 q_words[WORDS];

    __device__ __forceinline__ ProfileScores(const Scheme& its_scheme, const uint32* its_profile)
        : scheme(its_scheme), profile(its_profile + threadIdx.x % LANES) {}

    __device__ __forceinline__ void put(int, int32, int32, const ScoredPair&, const ScoredPair&, bool) {}

    __device__ __forceinline__ uint32 letters(const ScoredPair& p, const ScoredPair& q, int32 j) const {
        uint32 x = j < p.b_length ? scheme.codes[p.b[j]] : 0;
        uint32 y = j < q.b_length ? scheme.codes[q.b[j]] : 0;
        return x | y << 16;
    }

    __device__ __forceinline__ void go_to(uint32 letter) {
        const uint32* p = profile + (letter & 0xffff) * (LANES * WORDS);
        const uint32* q = profile + (letter >> 16) * (LANES * WORDS);
#pragma unroll
        for (int word = 0; word < WORDS; word++) {
            p_words[word] = p[word * LANES];
            q_words[word] = q[word * LANES];
        }
    }

    __device__ __forceinline__ uint32 of_row(int r) const {
        int byte = r % 4;
        return select_bytes(p_words[r / 4], q_words[r / 4], byte * 0x11 + 0x80 + (byte * 0x11 + 0xc4 << 8));
    }
};

// Whether there is a word for each row and letter.
template <int KIND, int LANES, int ROWS>
constexpr bool IS_WIDE = KIND == ANYWHERE && LANES == PROFILE_WIDE_LANES && ROWS >= PROFILE_WIDE_ROWS;

// Scores the pairs of one query in each block. The pairs of query k are pairs[firsts[k]..firsts[k + 1]); the blocks
// from blocks[k] on solve them. The launch contains the blocks from number first_block on.
template <int KIND, int LANES, int ROWS>
__device__ __forceinline__ void score_queries(
        const ScoredPair* pairs,
        const int32* firsts,
        const int32* blocks,
        int32 queries,
        int32 first_block,
        const Scheme* its_scheme,
        int64* results) {
    constexpr int WORDS = ProfileScores<LANES, ROWS>::WORDS;
    extern __shared__ __align__(16) uint32 query_profile[];
    int32 block = first_block + static_cast<int32>(blockIdx.x);
    int32 query = last_not_above(blocks, queries, block);
    const ScoredPair* its_pairs = pairs + firsts[query];
    int32 count = firsts[query + 1] - firsts[query];
    Scheme scheme = *its_scheme;
    ScoredPair any = its_pairs[0];
    int64 group = static_cast<int64>(block - blocks[query]) * (PROFILE_BLOCK / LANES) + threadIdx.x / LANES;
    if constexpr (IS_WIDE<KIND, LANES, ROWS>) {
        LocalProfile<LANES, ROWS> profile(query_profile, scheme.letters);
        profile.fill(scheme, any);
        score_local(its_pairs, count, group, scheme, profile, results);
        return;
    }
    int32 padding = LANES * ROWS - any.a_length;
    uint8 in_padding = first_row_free(scheme.mode) ? 0 : 0x80;
    for (int32 at = threadIdx.x; at < scheme.letters * LANES * WORDS; at += blockDim.x) {
        int32 letter = at / (LANES * WORDS);
        int32 word = at / LANES % WORDS;
        int32 i = at % LANES * ROWS + 4 * word - padding;
        uint32 bytes = 0;
        for (int byte = 0; byte < 4; byte++) {
            bool inside = i + byte >= 0 && 4 * word + byte < ROWS;
            int32 score = inside ? scheme.table[scheme.codes[any.a[i + byte]] * scheme.letters + letter] : in_padding;
            bytes |= (score & 0xff) << 8 * byte;
        }
        query_profile[at] = bytes;
    }
    __syncthreads();
    ProfileScores<LANES, ROWS> scores(scheme, query_profile);
    score_packed<KIND, LANES, ROWS>(its_pairs, count, group, scheme, scores, results);
}

}  // namespace

// The number of blocks that must fit on a multiprocessor; 0 lets the compiler choose.
#define RESIDENT(KIND, LANES, ROWS) (IS_WIDE<KIND, LANES, ROWS> ? 3 : 0)
#define PROFILE(NAME, KIND, LANES, ROWS)                                                                    \
    extern "C" __global__ void __launch_bounds__(PROFILE_BLOCK, RESIDENT(KIND, LANES, ROWS))                \
            align_profile_##NAME##_##LANES##x##ROWS(                                                        \
            const ScoredPair* pairs,                                                                        \
            const int32* firsts,                                                                            \
            const int32* blocks,                                                                            \
            int32 queries,                                                                                  \
            int32 first_block,                                                                              \
            const Scheme* scheme,                                                                           \
            int64* results) {                                                                               \
        score_queries<KIND, LANES, ROWS>(pairs, firsts, blocks, queries, first_block, scheme, results);     \
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
SHAPE(8, 50)
SHAPE(8, 52)
SHAPE(16, 32)
SHAPE(16, 40)
SHAPE(16, 52)
SHAPE(16, 64)
