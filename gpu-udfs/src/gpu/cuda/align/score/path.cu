// Computes alignments: fills 32-bit tables and stores traceback bits, then walks back through the tables along these
// bits.
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
    // lanes past the last pair repeat it without writing results
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

#define KEEP(NAME, LANES, ROWS, IS_LOCAL, COMPARES)                                                          \
    extern "C" __global__ void __launch_bounds__(PATH_BLOCK) align_keep_##NAME##_##LANES##x##ROWS(           \
            const ScoredPair* pairs, int32 count, const Scheme* scheme, int64 words_of_a_pair, uint32* ways, \
            End* ends) {                                                                                     \
        keep_ways<LANES, ROWS, IS_LOCAL, COMPARES>(pairs, count, scheme, words_of_a_pair, ways, ends);       \
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

// A walk along a pair's alignment, from its end to its beginning.
struct Walk {
    int32 i;  // the numbers of letters of a and b before the current position
    int32 j;
    int32 is_over;
    uint32 gap;  // the gap that the walk is in, or FROM_DIAGONAL
    int32 identities;
    int32 gaps;
    CigarWriter cigar;

    // Starts at the end of the alignment, and writes the score and the end. The walk ends immediately if the score is
    // too low.
    __device__ __forceinline__ Walk(const ScoredPair& pair, const End& end, const Alignments& to)
        : i(end.i), j(end.j), is_over(0), gap(FROM_DIAGONAL), identities(0), gaps(0),
          cigar{end_of_cigar(to, pair.row)} {
        to.scores[pair.row] = end.score;
        to.ends_in_a[pair.row] = end.i;
        to.ends_in_b[pair.row] = end.j;
        is_over = to.least != nullptr && end.score < to.least[pair.row];
    }

    // Continues the walk to row `top`.
    //
    // - way_at(i, j): the traceback bits of the cell after i letters of a and j of b
    template <class WayAt>
    __device__ __forceinline__ void go_on(const ScoredPair& pair, const Scheme& scheme, int32 top, WayAt way_at) {
        while (i > top && j > 0 && gap != BEGIN) {
            uint32 way = way_at(i, j);
            if (gap == FROM_DIAGONAL) {
                gap = way & 3;
            }
            if (gap == FROM_DIAGONAL) {
                uint32 x = pair.a[i - 1];
                uint32 y = pair.b[j - 1];
                bool equal = scheme.codes == nullptr
                    ? x == y
                    : scheme.codes[x] == scheme.codes[y] && (scheme.codes[x] < scheme.letters - 1 || x == y);
                identities += equal ? 1 : 0;
                cigar.append(equal ? '=' : 'X', 1);
                i--;
                j--;
            } else if (gap == FROM_INSERT) {
                gap = (way & INSERT_OPENS) != 0 ? FROM_DIAGONAL : gap;
                cigar.append('I', 1);
                gaps++;
                i--;
            } else if (gap == FROM_DELETE) {
                gap = (way & DELETE_OPENS) != 0 ? FROM_DIAGONAL : gap;
                cigar.append('D', 1);
                gaps++;
                j--;
            }
        }
    }

    // Ends the walk at the first row or column, or at the beginning of a local alignment: consumes the remaining
    // letters, and writes the rest of the alignment.
    __device__ __forceinline__ void end(const ScoredPair& pair, const Scheme& scheme, const Alignments& to) {
        if (is_over || (i > 0 && j > 0 && gap != BEGIN)) {
            return;
        }
        is_over = 1;
        if (i > 0 && j == 0 && !first_column_free(scheme.mode)) {
            cigar.append('I', i);
            gaps += i;
            i = 0;
        } else if (j > 0 && i == 0 && !first_row_free(scheme.mode)) {
            cigar.append('D', j);
            gaps += j;
            j = 0;
        }
        cigar.flush();
        int32 row = pair.row;
        to.begins_in_a[row] = i;
        to.begins_in_b[row] = j;
        to.identities[row] = identities;
        to.gaps[row] = gaps;
        to.lengths[row] = static_cast<int32>(end_of_cigar(to, row) - cigar.at);
    }
};

STRUCT_FOR_HOST(CigarWriter);
MEMBER_FOR_HOST(CigarWriter, at);
MEMBER_FOR_HOST(CigarWriter, run);
MEMBER_FOR_HOST(CigarWriter, operation);
STRUCT_FOR_HOST(Walk);
MEMBER_FOR_HOST(Walk, i);
MEMBER_FOR_HOST(Walk, j);
MEMBER_FOR_HOST(Walk, is_over);
MEMBER_FOR_HOST(Walk, gap);
MEMBER_FOR_HOST(Walk, identities);
MEMBER_FOR_HOST(Walk, gaps);
MEMBER_FOR_HOST(Walk, cigar);

template <class WayAt>
__device__ __forceinline__ void walk(
        const ScoredPair& pair, const Scheme& scheme, const End& end, const Alignments& to, WayAt way_at) {
    Walk walk(pair, end, to);
    if (!walk.is_over) {
        walk.go_on(pair, scheme, 0, way_at);
    }
    walk.end(pair, scheme, to);
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

// The traceback bits near a walk through stripes, in the registers of a warp. Each lane of the warp holds one of 32
// columns, with the bits for all rows that one lane computes in the table. As a result, the warp rarely waits for
// memory.
class NearWays {
    static constexpr int32 WORDS = Ways<STRIPE_ROWS>::WORDS;

    const uint32* ways;    // the bits of the first stripe
    int32 first_row;       // the first row of that stripe
    int64 steps;           // the number of steps in a stripe
    int32 block = -1;      // the rows whose bits are loaded
    int32 column = 0;      // the last column
    uint32 words[WORDS];   // the words of bits in this lane's column

public:
    __device__ __forceinline__ NearWays(const uint32* its_ways, int32 passed, int32 columns)
        : ways(its_ways), first_row(passed * STRIPE_HEIGHT), steps(columns + STRIPE_LANES - 1) {}

    __device__ __forceinline__ uint32 operator()(int32 i, int32 j) {
        int32 row = i - 1 - first_row;
        int32 behind = column - j;
        if (row / STRIPE_ROWS != block || static_cast<uint32>(behind) >= 32) {
            block = row / STRIPE_ROWS;
            column = j;
            behind = 0;
            int32 lane = block % STRIPE_LANES;
            int32 mine = max(j - static_cast<int32>(threadIdx.x % 32), 1);
            int64 step = block / STRIPE_LANES * steps + mine - 1 + lane;
            uint2 both = *reinterpret_cast<const uint2*>(ways + (step * STRIPE_LANES + lane) * WORDS);
            words[0] = both.x;
            words[1] = both.y;
        }
        int32 r = row % STRIPE_ROWS;
        return __shfl_sync(~0u, words[r / 8], behind) >> 4 * (r % 8) & 15;
    }
};

extern "C" __global__ void __launch_bounds__(PATH_BLOCK) align_walk_striped(
        Stripes stripes, const Scheme* scheme, Alignments to) {
    int64 index = thread_index() / 32;
    if (index < stripes.count) {
        ScoredPair pair = stripes.pairs[index];
        End end = best_of(stripes.ends + stripes.firsts[index], stripes.firsts[index + 1] - stripes.firsts[index]);
        walk(pair, *scheme, end, to, NearWays(stripes.ways + stripes.way_places[index], 0, pair.b_length));
    }
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
extern "C" __global__ void __launch_bounds__(PATH_BLOCK) align_walk_on(
        Stripes stripes, const Scheme* scheme, Walk* result, Alignments to) {
    ScoredPair pair = stripes.pairs[0];
    Walk walk = *result;
    walk.go_on(pair, *scheme, stripes.passed * STRIPE_HEIGHT,
            NearWays(stripes.ways, stripes.passed, min(pair.b_length, stripes.columns)));
    walk.end(pair, *scheme, to);
    __syncwarp();
    *result = walk;
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
        End end = {
            -gap_cost(i, scheme->insert_open, scheme->insert_extend)
                    - gap_cost(j, scheme->delete_open, scheme->delete_extend), i, j, 0};
        walk(pair, *scheme, end, to, [](int32, int32) { return BEGIN; });
    }
}
