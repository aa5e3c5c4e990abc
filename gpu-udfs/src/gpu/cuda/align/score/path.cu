// Computes alignments: fills 32-bit tables and stores traceback bits, then walks back through the tables along these
// bits.
#include "align/score/stripes.cuh"
#include "align/score/walk.cuh"
#include "common/host.cuh"

constexpr int32 PATH_BLOCK = 128;
FOR_HOST(PATH_BLOCK);

STRUCT_FOR_HOST(Alignments);
MEMBER_FOR_HOST(Alignments, scores);
MEMBER_FOR_HOST(Alignments, begins_in_a);
MEMBER_FOR_HOST(Alignments, ends_in_a);
MEMBER_FOR_HOST(Alignments, begins_in_b);
MEMBER_FOR_HOST(Alignments, ends_in_b);
MEMBER_FOR_HOST(Alignments, identities);
MEMBER_FOR_HOST(Alignments, gaps);
MEMBER_FOR_HOST(Alignments, a_offsets);
MEMBER_FOR_HOST(Alignments, b_offsets);
MEMBER_FOR_HOST(Alignments, room);
MEMBER_FOR_HOST(Alignments, lengths);
MEMBER_FOR_HOST(Alignments, least);

template <int LANES, int ROWS, bool IS_LOCAL, bool COMPARES, bool HAS_TWO_PIECES>
__device__ __forceinline__ void keep_ways(
        const ScoredPair* pairs, int32 count, const Scheme* scheme, int64 words_of_a_pair, uint32* ways, End* ends) {
    const int32* scores = load_scores(*scheme);
    int64 index = thread_index() / LANES;
    // lanes past the last pair repeat it without writing results
    bool inside = index < count;
    ScoredPair pair = pairs[inside ? index : count - 1];
    if (!inside) {
        pair.b_length = 0;
    }
    Table<LANES, ROWS, IS_LOCAL, COMPARES, true, HAS_TWO_PIECES> table(*scheme, pair, scores, 0);
    table.template solve<false>(nullptr, nullptr, ways + words_of_a_pair * index);
    End end = table.best_end();
    if (inside && threadIdx.x % LANES == 0) {
        ends[index] = end;
    }
}

#define KEEP(NAME, LANES, ROWS, IS_LOCAL, COMPARES, HAS_TWO_PIECES)                                               \
    extern "C" __global__ void __launch_bounds__(PATH_BLOCK) align_keep_##NAME##_##LANES##x##ROWS(                \
            const ScoredPair* pairs, int32 count, const Scheme* scheme, int64 words_of_a_pair, uint32* ways,      \
            End* ends) {                                                                                          \
        keep_ways<LANES, ROWS, IS_LOCAL, COMPARES, HAS_TWO_PIECES>(                                               \
                pairs, count, scheme, words_of_a_pair, ways, ends);                                               \
    }
#define KEEP_STRIPES(NAME, IS_LOCAL, COMPARES, HAS_TWO_PIECES)                                                    \
    extern "C" __global__ void __launch_bounds__(PATH_BLOCK)                                                      \
            align_keep_##NAME##_striped(Stripes stripes, const Scheme* scheme) {                                  \
        solve_stripes<IS_LOCAL, COMPARES, true, HAS_TWO_PIECES>(stripes, scheme, load_scores(*scheme));           \
    }
#define KEEPS(NAME, IS_LOCAL, COMPARES, HAS_TWO_PIECES)         \
    KEEP(NAME, 16, 8, IS_LOCAL, COMPARES, HAS_TWO_PIECES)       \
    KEEP(NAME, 16, 10, IS_LOCAL, COMPARES, HAS_TWO_PIECES)      \
    KEEP(NAME, 32, 8, IS_LOCAL, COMPARES, HAS_TWO_PIECES)       \
    KEEP_STRIPES(NAME, IS_LOCAL, COMPARES, HAS_TWO_PIECES)

KEEPS(ends_compared, false, true, false)
KEEPS(ends_looked_up, false, false, false)
KEEPS(local_compared, true, true, false)
KEEPS(local_looked_up, true, false, false)
KEEPS(ends_compared_two_pieces, false, true, true)
KEEPS(ends_looked_up_two_pieces, false, false, true)
KEEPS(local_compared_two_pieces, true, true, true)
KEEPS(local_looked_up_two_pieces, true, false, true)

STRUCT_FOR_HOST(CigarWriter);
MEMBER_FOR_HOST(CigarWriter, at);
MEMBER_FOR_HOST(CigarWriter, run);
MEMBER_FOR_HOST(CigarWriter, operation);
STRUCT_FOR_HOST(Walk);
MEMBER_FOR_HOST(Walk, i);
MEMBER_FOR_HOST(Walk, j);
MEMBER_FOR_HOST(Walk, is_over);
MEMBER_FOR_HOST(Walk, gap);
MEMBER_FOR_HOST(Walk, pieces);
MEMBER_FOR_HOST(Walk, identities);
MEMBER_FOR_HOST(Walk, gaps);
MEMBER_FOR_HOST(Walk, cigar);

template <int LANES, int ROWS, bool HAS_TWO_PIECES>
__device__ __forceinline__ void walk_pairs(
        const ScoredPair* pairs,
        int32 count,
        const Scheme* scheme,
        int64 words_of_a_pair,
        const uint32* ways,
        const End* ends,
        const Alignments& to) {
    using OwnWays = Ways<ROWS, HAS_TWO_PIECES>;
    int64 index = thread_index();
    if (index < count) {
        const uint32* own = ways + words_of_a_pair * index;
        walk(pairs[index], *scheme, ends[index], to, [&](int32 i, int32 j) {
            int32 lane = (i - 1) / ROWS;
            int32 r = (i - 1) % ROWS;
            int64 first = (static_cast<int64>(j - 1 + lane) * LANES + lane) * OwnWays::WORDS;
            return OwnWays::bits(own[first + r / OwnWays::CELLS], r);
        });
    }
}

#define WALK(NAME, LANES, ROWS, HAS_TWO_PIECES)                                                   \
    extern "C" __global__ void __launch_bounds__(PATH_BLOCK) align_##NAME##_##LANES##x##ROWS(     \
            const ScoredPair* pairs,                                                              \
            int32 count,                                                                          \
            const Scheme* scheme,                                                                 \
            int64 words_of_a_pair,                                                                \
            const uint32* ways,                                                                   \
            const End* ends,                                                                      \
            Alignments to) {                                                                      \
        walk_pairs<LANES, ROWS, HAS_TWO_PIECES>(pairs, count, scheme, words_of_a_pair, ways, ends, to); \
    }

WALK(walk, 16, 8, false)
WALK(walk, 16, 10, false)
WALK(walk, 32, 8, false)
WALK(walk_two_pieces, 16, 8, true)
WALK(walk_two_pieces, 16, 10, true)
WALK(walk_two_pieces, 32, 8, true)

template <bool HAS_TWO_PIECES>
__device__ __forceinline__ void walk_stripes(const Stripes& stripes, const Scheme* scheme, const Alignments& to) {
    int64 index = thread_index() / 32;
    if (index < stripes.count) {
        ScoredPair pair = stripes.pairs[index];
        End end = best_of(stripes.ends + stripes.firsts[index], stripes.firsts[index + 1] - stripes.firsts[index]);
        walk(pair, *scheme, end, to,
                NearWays<STRIPE_ROWS, HAS_TWO_PIECES>(
                        stripes.ways + stripes.way_places[index], 0, pair.b_length + STRIPE_LANES - 1, MAX_BAND));
    }
}

extern "C" __global__ void __launch_bounds__(PATH_BLOCK) align_walk_striped(
        Stripes stripes, const Scheme* scheme, Alignments to) {
    walk_stripes<false>(stripes, scheme, to);
}

extern "C" __global__ void __launch_bounds__(PATH_BLOCK) align_walk_two_pieces_striped(
        Stripes stripes, const Scheme* scheme, Alignments to) {
    walk_stripes<true>(stripes, scheme, to);
}

// Begins the walk for a launch with a single pair, whose stripes have been solved without traceback bits.
extern "C" __global__ void __launch_bounds__(PATH_BLOCK) align_walk_begin(
        Stripes stripes, const Scheme* scheme, Walk* result, Alignments to) {
    if (thread_index() == 0) {
        ScoredPair pair = stripes.pairs[0];
        Walk walk(pair, best_of(stripes.ends, stripes.firsts[1]), to);
        walk.end(pair, *scheme, to);
        *result = walk;
    }
}

// Continues the walk through some stripes, with one warp.
template <bool HAS_TWO_PIECES>
__device__ __forceinline__ void walk_on(
        const Stripes& stripes, const Scheme* scheme, Walk* result, const Alignments& to) {
    ScoredPair pair = stripes.pairs[0];
    Walk walk = *result;
    walk.go_on(pair, *scheme, stripes.passed * STRIPE_HEIGHT,
            NearWays<STRIPE_ROWS, HAS_TWO_PIECES>(
                    stripes.ways, stripes.passed, min(pair.b_length, stripes.columns) + STRIPE_LANES - 1, MAX_BAND));
    walk.end(pair, *scheme, to);
    __syncwarp();
    *result = walk;
}

extern "C" __global__ void __launch_bounds__(PATH_BLOCK) align_walk_on(
        Stripes stripes, const Scheme* scheme, Walk* result, Alignments to) {
    walk_on<false>(stripes, scheme, result, to);
}

extern "C" __global__ void __launch_bounds__(PATH_BLOCK) align_walk_two_pieces_on(
        Stripes stripes, const Scheme* scheme, Walk* result, Alignments to) {
    walk_on<true>(stripes, scheme, result, to);
}

// Writes the alignments of pairs with an empty string.
extern "C" __global__ void __launch_bounds__(PATH_BLOCK) align_walk_empty(
        const ScoredPair* pairs, int32 count, const Scheme* scheme, Alignments to) {
    int64 index = thread_index();
    if (index < count) {
        ScoredPair pair = pairs[index];
        int32 mode = scheme->mode;
        bool all_of_a = mode == GLOBAL || mode == A_IN_B;
        bool all_of_b = mode == GLOBAL || mode == B_IN_A;
        int32 i = all_of_a ? pair.a_length : 0;
        int32 j = all_of_b ? pair.b_length : 0;
        End end = {-insert_cost<true>(*scheme, i) - delete_cost<true>(*scheme, j), i, j, 0};
        walk(pair, *scheme, end, to, [](int32, int32) { return BEGIN; });
    }
}
