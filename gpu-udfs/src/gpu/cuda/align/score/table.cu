// Computes scores with tables in 32 bits.
#include "align/score/stripes.cuh"
#include "common/host.cuh"

constexpr int32 TABLE_BLOCK = 128;
FOR_HOST(TABLE_BLOCK);
STRUCT_FOR_HOST(Stripes);
MEMBER_FOR_HOST(Stripes, pairs);
MEMBER_FOR_HOST(Stripes, firsts);
MEMBER_FOR_HOST(Stripes, count);
MEMBER_FOR_HOST(Stripes, crossing_places);
MEMBER_FOR_HOST(Stripes, crossings);
MEMBER_FOR_HOST(Stripes, way_places);
MEMBER_FOR_HOST(Stripes, ways);
MEMBER_FOR_HOST(Stripes, ends);
MEMBER_FOR_HOST(Stripes, ticket);
MEMBER_FOR_HOST(Stripes, passed);
MEMBER_FOR_HOST(Stripes, columns);

template <int LANES, int ROWS, bool IS_LOCAL, bool COMPARES, bool HAS_TWO_PIECES>
__device__ __forceinline__ void score_pairs(
        const ScoredPair* pairs, int32 count, const Scheme* scheme, int64* results) {
    const int32* scores = load_scores(*scheme);
    int64 index = thread_index() / LANES;
    ScoredPair pair = pairs[min(index, static_cast<int64>(count - 1))];
    Table<LANES, ROWS, IS_LOCAL, COMPARES, false, HAS_TWO_PIECES> table(*scheme, pair, scores, 0);
    table.template solve<false>(nullptr, nullptr, nullptr);
    End end = table.best_end();
    if (index < count && threadIdx.x % LANES == 0) {
        results[pair.row] = end.score;
    }
}

#define SCORE(NAME, LANES, ROWS, IS_LOCAL, COMPARES, HAS_TWO_PIECES)                                     \
    extern "C" __global__ void __launch_bounds__(TABLE_BLOCK) align_score_##NAME##_##LANES##x##ROWS(     \
            const ScoredPair* pairs, int32 count, const Scheme* scheme, int64* results) {                \
        score_pairs<LANES, ROWS, IS_LOCAL, COMPARES, HAS_TWO_PIECES>(pairs, count, scheme, results);     \
    }
#define SCORE_STRIPES(NAME, IS_LOCAL, COMPARES, HAS_TWO_PIECES)                                          \
    extern "C" __global__ void __launch_bounds__(TABLE_BLOCK)                                            \
            align_score_##NAME##_striped(Stripes stripes, const Scheme* scheme) {                        \
        solve_stripes<IS_LOCAL, COMPARES, false, HAS_TWO_PIECES>(stripes, scheme, load_scores(*scheme)); \
    }
#define SCORES(NAME, IS_LOCAL, COMPARES, HAS_TWO_PIECES)        \
    SCORE(NAME, 16, 8, IS_LOCAL, COMPARES, HAS_TWO_PIECES)      \
    SCORE(NAME, 32, 8, IS_LOCAL, COMPARES, HAS_TWO_PIECES)      \
    SCORE_STRIPES(NAME, IS_LOCAL, COMPARES, HAS_TWO_PIECES)

SCORES(ends_compared, false, true, false)
SCORES(ends_looked_up, false, false, false)
SCORES(local_compared, true, true, false)
SCORES(local_looked_up, true, false, false)
SCORES(ends_compared_two_pieces, false, true, true)
SCORES(ends_looked_up_two_pieces, false, false, true)
SCORES(local_compared_two_pieces, true, true, true)
SCORES(local_looked_up_two_pieces, true, false, true)

// Writes the scores of pairs that were solved in stripes.
extern "C" __global__ void __launch_bounds__(256) align_score_of_stripes(
        const ScoredPair* pairs, int32 count, const int32* firsts, const End* ends, int64* results) {
    int64 index = thread_index();
    if (index < count) {
        results[pairs[index].row] = best_of(ends + firsts[index], firsts[index + 1] - firsts[index]).score;
    }
}
