// Walks back through a table along its traceback bits.
#pragma once

#include "align/score/alignments.cuh"
#include "align/score/table.cuh"

// A walk along a pair's alignment, from its end to its beginning.
struct Walk {
    int32 i;  // the numbers of letters of a and b before the current position
    int32 j;
    int32 is_over;
    uint32 gap;     // the gap that the walk is in, FROM_DIAGONAL if none, or BEGIN
    uint32 pieces;  // the pieces that yield the cost of this gap
    int32 identities;
    int32 gaps;
    CigarWriter cigar;

    // Starts at the end of the alignment, and writes the score and the end. The walk ends immediately if the score is
    // too low.
    __device__ __forceinline__ Walk(const ScoredPair& pair, const End& end, const Alignments& to)
        : i(end.i), j(end.j), is_over(0), gap(FROM_DIAGONAL), pieces(FIRST_PIECE), identities(0), gaps(0),
          cigar{end_of_cigar(to, pair.row)} {
        to.scores[pair.row] = end.score;
        to.ends_in_a[pair.row] = end.i;
        to.ends_in_b[pair.row] = end.j;
        is_over = to.least != nullptr && end.score < to.least[pair.row];
    }

    // Whether a gap of one of the pieces was opened in a cell.
    __device__ __forceinline__ bool opens(uint32 way, uint32 first, uint32 second) const {
        return ((way & first) != 0 && (pieces & FIRST_PIECE) != 0)
            || ((way & second) != 0 && (pieces & SECOND_PIECE) != 0);
    }

    // Continues the walk to row `top`, to column 0 or to the beginning of a local alignment.
    //
    // - way_at(i, j): the traceback bits of the cell after i letters of a and j of b
    template <class WayAt>
    __device__ __forceinline__ void go_on(const ScoredPair& pair, const Scheme& scheme, int32 top, WayAt way_at) {
        while (i > top && j > 0 && gap != BEGIN) {
            uint32 way = way_at(i, j);
            if (gap == FROM_DIAGONAL) {
                gap = way & 3;
                pieces = scheme.has_two_pieces ? way : FIRST_PIECE;
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
                gap = opens(way, INSERT_OPENS, INSERT_OPENS_2) ? FROM_DIAGONAL : gap;
                cigar.append('I', 1);
                gaps++;
                i--;
            } else if (gap == FROM_DELETE) {
                gap = opens(way, DELETE_OPENS, DELETE_OPENS_2) ? FROM_DIAGONAL : gap;
                cigar.append('D', 1);
                gaps++;
                j--;
            }
        }
    }

    // Ends the walk if it has reached the first row or column, or the beginning of a local alignment: consumes the
    // remaining letters unless they are free, and writes the rest of the alignment.
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

template <class WayAt>
__device__ __forceinline__ void walk(
        const ScoredPair& pair, const Scheme& scheme, const End& end, const Alignments& to, WayAt way_at) {
    Walk walk(pair, end, to);
    if (!walk.is_over) {
        walk.go_on(pair, scheme, 0, way_at);
    }
    walk.end(pair, scheme, to);
}

// The traceback bits near a walk through stripes of 32 lanes, in the registers of a warp. Each lane of the warp has one
// of 32 columns, with the bits for all rows that one lane computes in the table. As a result, the warp rarely waits for
// memory.
template <int ROWS, bool HAS_TWO_PIECES>
class NearWays {
    using OwnWays = Ways<ROWS, HAS_TWO_PIECES>;

    const uint32* ways;    // the bits of the first stripe
    int32 passed;          // the number of stripes above that stripe
    int32 steps;           // the number of steps in a stripe
    int32 band;            // a stripe begins this many columns to the left of the main diagonal
    int32 block = -1;      // the rows whose bits are loaded
    int32 column = 0;      // the last column
    OwnWays loaded;        // the bits in this lane's column

public:
    __device__ __forceinline__ NearWays(const uint32* its_ways, int32 its_passed, int32 its_steps, int32 its_band)
        : ways(its_ways), passed(its_passed), steps(its_steps), band(its_band) {}

    __device__ __forceinline__ uint32 operator()(int32 i, int32 j) {
        int32 row = i - 1;
        int32 behind = column - j;
        if (row / ROWS != block || static_cast<uint32>(behind) >= 32) {
            block = row / ROWS;
            column = j;
            behind = 0;
            int32 lane = block % 32;
            int32 stripe = block / 32;
            int32 begin = max(0, stripe * 32 * ROWS - band);
            int32 mine = max(j - 1 - static_cast<int32>(threadIdx.x % 32), begin);
            int64 step = static_cast<int64>(stripe - passed) * steps + mine - begin + lane;
            loaded.load(ways + (step * 32 + lane) * OwnWays::WORDS);
        }
        int32 r = row % ROWS;
        uint32 word = loaded.words[0];
#pragma unroll
        for (int other = 1; other < OwnWays::WORDS; other++) {
            word = r / OwnWays::CELLS == other ? loaded.words[other] : word;
        }
        return OwnWays::bits(__shfl_sync(~0u, word, behind), r);
    }
};
