// Alignments: tables in 32 bits that keep traceback bits, and the walks along them.
#include "align/score/alignments.cuh"
#include "align/score/stripes.cuh"
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

template <int LANES, int ROWS, bool IS_LOCAL, bool COMPARES>
__device__ __forceinline__ void keep_ways(
        const ScoredPair* pairs, int32 count, const Scheme* scheme, int64 words_of_a_pair, uint32* ways, End* ends) {
    const int32* scores = load_scores(*scheme);
    int64 index = thread_index() / LANES;
    // lanes past the last pair repeat it and leave no trace
    bool inside = index < count;
    ScoredPair pair = pairs[inside ? index : count - 1];
    if (!inside) {
        pair.b_length = 0;
    }
    Table<LANES, ROWS, IS_LOCAL, COMPARES, true> table(*scheme, pair, scores, 0);
    table.template solve<false>(nullptr, nullptr, ways + words_of_a_pair * index);
    End end = table.best_end();
    if (inside && threadIdx.x % LANES == 0) {
        ends[index] = end;
    }
}

#define KEEP(NAME, LANES, ROWS, IS_LOCAL, COMPARES)                                                                       \
    extern "C" __global__ void __launch_bounds__(PATH_BLOCK) align_keep_##NAME##_##LANES##x##ROWS(                        \
            const ScoredPair* pairs, int32 count, const Scheme* scheme, int64 words_of_a_pair, uint32* ways, End* ends) { \
        keep_ways<LANES, ROWS, IS_LOCAL, COMPARES>(pairs, count, scheme, words_of_a_pair, ways, ends);                    \
    }
#define KEEP_STRIPES(NAME, IS_LOCAL, COMPARES)                                                           \
    extern "C" __global__ void __launch_bounds__(PATH_BLOCK)                                             \
            align_keep_##NAME##_striped(Stripes stripes, const Scheme* scheme) {                         \
        solve_stripes<IS_LOCAL, COMPARES, true>(stripes, scheme, load_scores(*scheme));                                \
    }
#define KEEPS(NAME, IS_LOCAL, COMPARES)         \
    KEEP(NAME, 16, 8, IS_LOCAL, COMPARES)       \
    KEEP(NAME, 16, 10, IS_LOCAL, COMPARES)      \
    KEEP(NAME, 32, 8, IS_LOCAL, COMPARES)       \
    KEEP_STRIPES(NAME, IS_LOCAL, COMPARES)

KEEPS(ends_compared, false, true)
KEEPS(ends_looked_up, false, false)
KEEPS(local_compared, true, true)
KEEPS(local_looked_up, true, false)

// Walks back from a pair's end, and writes what it finds. way_at(i, j): the traceback bits of the cell after i letters of a and j of b.
template <class WayAt>
__device__ __forceinline__ void walk(
        const ScoredPair& pair, const Scheme& scheme, const End& end, const Alignments& to, WayAt way_at) {
    int32 row = pair.row;
    to.scores[row] = end.score;
    if (to.least != nullptr && end.score < to.least[row]) {
        return;
    }
    uint8* last = end_of_cigar(to, row);
    CigarWriter cigar = {last};
    int32 i = end.i;
    int32 j = end.j;
    int32 identities = 0;
    int32 gaps = 0;
    bool row_free = first_row_free(scheme.mode);
    bool column_free = first_column_free(scheme.mode);
    uint32 gap = FROM_DIAGONAL;
    while (i > 0 && j > 0) {
        uint32 way = way_at(i, j);
        if (gap == FROM_DIAGONAL) {
            gap = way & 3;
            if (gap == BEGIN) {
                break;
            }
        }
        if (gap == FROM_DIAGONAL) {
            uint32 x = pair.a[i - 1];
            uint32 y = pair.b[j - 1];
            bool equal = scheme.codes == nullptr ? x == y : scheme.codes[x] == scheme.codes[y] && (scheme.codes[x] < scheme.letters - 1 || x == y);
            identities += equal ? 1 : 0;
            cigar.append(equal ? '=' : 'X', 1);
            i--;
            j--;
        } else if (gap == FROM_INSERT) {
            gap = (way & INSERT_OPENS) != 0 ? FROM_DIAGONAL : gap;
            cigar.append('I', 1);
            gaps++;
            i--;
        } else {
            gap = (way & DELETE_OPENS) != 0 ? FROM_DIAGONAL : gap;
            cigar.append('D', 1);
            gaps++;
            j--;
        }
    }
    if (i > 0 && j == 0 && !column_free) {
        cigar.append('I', i);
        gaps += i;
        i = 0;
    } else if (j > 0 && i == 0 && !row_free) {
        cigar.append('D', j);
        gaps += j;
        j = 0;
    }
    cigar.flush();
    to.begins_in_a[row] = i;
    to.ends_in_a[row] = end.i;
    to.begins_in_b[row] = j;
    to.ends_in_b[row] = end.j;
    to.identities[row] = identities;
    to.gaps[row] = gaps;
    to.lengths[row] = static_cast<int32>(last - cigar.at);
}

template <int LANES, int ROWS>
__device__ __forceinline__ void walk_pairs(
        const ScoredPair* pairs,
        int32 count,
        const Scheme* scheme,
        int64 words_of_a_pair,
        const uint32* ways,
        const End* ends,
        const Alignments& to) {
    constexpr int32 WORDS = Ways<ROWS>::WORDS;
    int64 index = thread_index();
    if (index < count) {
        const uint32* own = ways + words_of_a_pair * index;
        walk(pairs[index], *scheme, ends[index], to, [&](int32 i, int32 j) {
            int32 lane = (i - 1) / ROWS;
            int32 r = (i - 1) % ROWS;
            return own[(static_cast<int64>(j - 1 + lane) * LANES + lane) * WORDS + r / 8] >> 4 * (r % 8) & 15;
        });
    }
}

#define WALK(LANES, ROWS)                                                                 \
    extern "C" __global__ void __launch_bounds__(PATH_BLOCK) align_walk_##LANES##x##ROWS( \
            const ScoredPair* pairs,                                                      \
            int32 count,                                                                  \
            const Scheme* scheme,                                                         \
            int64 words_of_a_pair,                                                        \
            const uint32* ways,                                                           \
            const End* ends,                                                              \
            Alignments to) {                                                              \
        walk_pairs<LANES, ROWS>(pairs, count, scheme, words_of_a_pair, ways, ends, to);   \
    }

WALK(16, 8)
WALK(16, 10)
WALK(32, 8)

extern "C" __global__ void __launch_bounds__(PATH_BLOCK) align_walk_striped(Stripes stripes, const Scheme* scheme, Alignments to) {
    constexpr int32 WORDS = Ways<STRIPE_ROWS>::WORDS;
    int64 index = thread_index();
    if (index < stripes.count) {
        ScoredPair pair = stripes.pairs[index];
        const uint32* own = stripes.ways + stripes.way_places[index];
        End end = best_of(stripes.ends + stripes.firsts[index], stripes.firsts[index + 1] - stripes.firsts[index]);
        walk(pair, *scheme, end, to, [&](int32 i, int32 j) {
            int32 stripe = (i - 1) / STRIPE_HEIGHT;
            int32 lane = (i - 1) % STRIPE_HEIGHT / STRIPE_ROWS;
            int32 r = (i - 1) % STRIPE_ROWS;
            int64 step = static_cast<int64>(stripe) * (pair.b_length + STRIPE_LANES - 1) + j - 1 + lane;
            return own[(step * STRIPE_LANES + lane) * WORDS + r / 8] >> 4 * (r % 8) & 15;
        });
    }
}

// The alignments of pairs with an empty side.
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
        End end = {
            -gap_cost(i, scheme->insert_open, scheme->insert_extend) - gap_cost(j, scheme->delete_open, scheme->delete_extend), i, j, 0};
        walk(pair, *scheme, end, to, [](int32, int32) { return BEGIN; });
    }
}
