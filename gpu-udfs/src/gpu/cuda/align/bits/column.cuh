// Represents a table column as bits: a recurrence keeps the differences between neighbouring cells and advances them
// one column at a time.
//
// Edit distance. Neighbouring cells differ by -1, 0 or 1, so each row needs two bits: Pv where a cell is one more than
// the cell above it, Mv where it is one less (Myers 1999; for whole tables Hyyro 2003). Eq marks the rows whose
// character equals the next column's:
//
//     U  = Pv & Eq
//     C  = (Pv + U) ^ Pv ^ U         the carries into each bit: rows whose upper neighbour falls by one from one column
//                                    to the next
//     D0 = Eq | Mv | C               rows that equal their upper left neighbour
//     Ph = Mv | ~(D0 | Pv)           rows that grow by one from one column to the next
//     Hs = Ph << 1                   with the bit from the row above shifted in
//     Pv = C | ~(D0 | Hs),  Mv = Hs & D0
//
// Myers computes and shifts a vector of falling rows. This code keeps the vector of carries instead, which needs no
// shift. After Eq, a word therefore takes eight operations. In this example, kitten runs down and sitting runs across,
// and the step leads from the column of "si" to the column of "sit". Row 0 is on the right, as in a number:
//
//              n e t t i k
//     Pv       1 1 1 1 0 0       the column 2, 1, 2, 3, 4, 5 below the border's 2
//     Mv       0 0 0 0 1 0
//     Eq       0 0 1 1 0 0       the rows of t
//     U        0 0 1 1 0 0
//     Pv + U   0 0 1 0 0 0       and a carry out of the last row, which the next word takes
//     C        1 1 1 0 0 0       below the rows of t, t and e, which fall: 2 to 1, 3 to 2, 4 to 3
//     D0       1 1 1 1 1 0
//     Ph       0 0 0 0 1 1       k grows from 2 to 3, i from 1 to 2
//     Hs       0 0 0 1 1 1       the border grows in every column
//     Pv       1 1 1 0 0 0       the column 3, 2, 1, 2, 3, 4 below 3
//     Mv       0 0 0 1 1 0
//
// Longest common subsequence. A cell is equal to the cell above it or greater by one, so each row needs one bit: V,
// which is clear where the cell is greater (Crochemore, Iliopoulos, Pinzon and Reid 2001; Hyyro 2004).
// V = (V + (V & Eq)) | (V & ~Eq) takes three operations. For the same column:
//
//              n e t t i k
//     V        1 1 1 1 0 1       the column 0, 1, 1, 1, 1, 1
//     V & Eq   0 0 1 1 0 0
//     sum      0 0 1 0 0 1       each run of ones up to a zero moves that zero to the run's first match
//     V & ~Eq  1 1 0 0 0 1
//     V        1 1 1 0 0 1       the column 0, 1, 2, 2, 2, 2
//
// A pattern of more than 32 rows is a chain of words, through which the addition passes its carry. A thread keeps K
// words in registers. L threads have room for a pattern of 32 * L * K rows; stripes of 32 threads process any pattern.
// Neighbouring threads exchange the gains across their border 32 columns at a time, as a word of Hs bits and a word of
// carries. Therefore, thread l is one block of 32 columns behind thread l - 1 (score_together). If a single pair must
// be fast, it is only eight columns behind (Wave). In both words, the earliest column is in the highest bit, so that a
// thread extracts its bits by shifting left.
//
// Padding at the front of a text extends it to whole blocks. The padding columns leave the state unchanged, because
// they match no row and the row above them does not grow.
#pragma once

#include "align/bits/words.cuh"

// The gains across a border in 32 columns, with the earliest column in the highest bit. A column never has both bits
// set.
struct Border {
    uint32 rises;
    uint32 carries;
};

// A class of moves receives two traceback bits for each cell; this one ignores them. The first bit is set if the path
// steps diagonally. On a diagonal step, the second bit is set if the characters are equal; otherwise, it is set if the
// path goes up, consuming a character of the pattern. For edit distance, several steps may be optimal. If
// DIAGONAL_FIRST is true, the path prefers a diagonal step. Otherwise, it prefers a step up, then a step left if the
// cell to the left is less than the diagonal neighbour, and then a diagonal step.
struct NoMoves {
    static constexpr bool NEEDED = false;
    static constexpr bool DIAGONAL_FIRST = true;
    __device__ __forceinline__ void put(int, uint32, uint32) {}
};

// Marks, in K words, the rows whose character equals the column's character.
template <int K, class Alphabet, class Column>
__device__ __forceinline__ void find_equal(const Alphabet& alphabet, const Column& column, uint32 (&equal)[K]) {
#pragma unroll
    for (int k = 0; k < K; k++) {
        equal[k] = alphabet.equal(column, k);
    }
}

template <int K>
struct EditColumn {
    static constexpr bool RISES = true;  // whether borders also carry rises
    using Saved = uint2;

    uint32 pv[K];
    uint32 mv[K];

    __device__ __forceinline__ void reset() {
#pragma unroll
        for (int k = 0; k < K; k++) {
            pv[k] = ~0u;
            mv[k] = 0;
        }
    }

    // Reads the gains of the row above from the highest bits of `in`, and shifts the gains of the last row into `out`.
    // Without a border, the row above grows by one.
    template <bool BORDER, class Moves>
    __device__ __forceinline__ void step(const uint32 (&equal)[K], Border& in, Border& out, Moves& moves) {
        uint32 both[K];
        uint32 sum[K];
#pragma unroll
        for (int k = 0; k < K; k++) {
            both[k] = pv[k] & equal[k];
        }
        if (BORDER) {
            in.carries = add_carry_out(in.carries, in.carries);
        }
#pragma unroll
        for (int k = 0; k < K; k++) {
            sum[k] = BORDER || k > 0 ? add_carry_through(pv[k], both[k]) : add_carry_out(pv[k], both[k]);
        }
        if (BORDER) {
            out.carries = add_carry_in(out.carries, out.carries);
        }
        uint32 below = BORDER ? in.rises : ~0u;
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint32 carry = logic<XOR3>(sum[k], pv[k], both[k]);
            uint32 level = logic<OR3>(equal[k], mv[k], carry);
            uint32 rises = logic<OR_NOR>(mv[k], level, pv[k]);
            uint32 shifted = __funnelshift_l(below, rises, 1);
            uint32 falls = mv[k];
            below = rises;
            pv[k] = logic<OR_NOR>(carry, level, shifted);
            mv[k] = shifted & level;
            if (Moves::NEEDED) {
                uint32 diagonal = Moves::DIAGONAL_FIRST ? equal[k] | ~level : ~(pv[k] | falls);
                moves.put(k, diagonal, (diagonal & equal[k]) | (~diagonal & pv[k]));
            }
        }
        if (BORDER) {
            in.rises <<= 1;
            out.rises = __funnelshift_l(below, out.rises, 1);
        }
    }

    // Returns by how much the value in row `rows` of this column exceeds the value above the first row.
    __device__ __forceinline__ int32 growth(int32 rows) const {
        int32 growth = 0;
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint32 mask = rows >= 32 * (k + 1) ? ~0u : rows <= 32 * k ? 0 : (1u << (rows & 31)) - 1;
            growth += __popc(pv[k] & mask) - __popc(mv[k] & mask);
        }
        return growth;
    }

    template <int STRIDE = 1>
    __device__ __forceinline__ void save(Saved* to) const {
#pragma unroll
        for (int k = 0; k < K; k++) {
            to[k * STRIDE] = make_uint2(pv[k], mv[k]);
        }
    }

    template <int STRIDE = 1>
    __device__ __forceinline__ void restore(const Saved* from) {
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint2 saved = from[k * STRIDE];
            pv[k] = saved.x;
            mv[k] = saved.y;
        }
    }
};

template <int K>
struct LcsColumn {
    static constexpr bool RISES = false;
    using Saved = uint32;

    uint32 v[K];

    __device__ __forceinline__ void reset() {
#pragma unroll
        for (int k = 0; k < K; k++) {
            v[k] = ~0u;
        }
    }

    template <bool BORDER, class Moves>
    __device__ __forceinline__ void step(const uint32 (&equal)[K], Border& in, Border& out, Moves& moves) {
        uint32 both[K];
        uint32 sum[K];
#pragma unroll
        for (int k = 0; k < K; k++) {
            both[k] = v[k] & equal[k];
        }
        if (BORDER) {
            in.carries = add_carry_out(in.carries, in.carries);
        }
#pragma unroll
        for (int k = 0; k < K; k++) {
            sum[k] = BORDER || k > 0 ? add_carry_through(v[k], both[k]) : add_carry_out(v[k], both[k]);
        }
        if (BORDER) {
            out.carries = add_carry_in(out.carries, out.carries);
        }
#pragma unroll
        for (int k = 0; k < K; k++) {
            v[k] = sum[k] | (v[k] & ~both[k]);
            if (Moves::NEEDED) {
                moves.put(k, equal[k], equal[k] | v[k]);
            }
        }
    }

    __device__ __forceinline__ int32 growth(int32 rows) const {
        int32 growth = 0;
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint32 mask = rows >= 32 * (k + 1) ? ~0u : rows <= 32 * k ? 0 : (1u << (rows & 31)) - 1;
            growth += __popc(~v[k] & mask);
        }
        return growth;
    }

    template <int STRIDE = 1>
    __device__ __forceinline__ void save(Saved* to) const {
#pragma unroll
        for (int k = 0; k < K; k++) {
            to[k * STRIDE] = v[k];
        }
    }

    template <int STRIDE = 1>
    __device__ __forceinline__ void restore(const Saved* from) {
#pragma unroll
        for (int k = 0; k < K; k++) {
            v[k] = from[k * STRIDE];
        }
    }
};

// Advances by `count` columns, at most eight, UNROLLED columns at a time.
template <int UNROLLED, template <int> class State, int K, class Symbols, class Moves>
__device__ __forceinline__ void solve_columns(
        State<K>& state, Symbols& symbols, int32 position, int32 count, Moves& moves) {
    Border none = {0, 0};
    uint32 equal[K];
    symbols.load(position);
#pragma unroll 1
    for (int first = 0; first < count; first += UNROLLED) {
#pragma unroll
        for (int i = 0; i < UNROLLED; i++) {
            find_equal(symbols, symbols.column((UNROLLED < 4 ? first : 0) + i, ~0u), equal);
            state.template step<false>(equal, none, none, moves);
        }
    }
}

// Solves a pair in a single thread.
template <template <int> class State, int K, class Symbols, class Moves>
__device__ __forceinline__ void solve_alone(State<K>& state, Symbols& symbols, int32 length, Moves& moves) {
    int32 head = length & 7;
    if (head != 0) {
        solve_columns<1>(state, symbols, 0, head, moves);
    }
#pragma unroll 1
    for (int32 position = head; position < length; position += 8) {
        solve_columns<8>(state, symbols, position, 8, moves);
    }
}

// Advances this thread's rows by 32 columns, starting at `position` of the text. `valid` has a bit for each column that
// is not padding.
template <template <int> class State, int K, class Symbols, class Moves>
__device__ __forceinline__ void solve_block(
        State<K>& state, Symbols& symbols, int32 position, uint32 valid, Border in, Border& out, Moves& moves) {
    uint32 equal[K];
#pragma unroll 1
    for (int group = 0; group < 4; group++) {
        symbols.load(position + 8 * group);
#pragma unroll
        for (int i = 0; i < 8; i++) {
            find_equal(symbols, symbols.column(i, spread(valid << i)), equal);
            state.template step<true>(equal, in, out, moves);
        }
        valid <<= 8;
    }
}

__device__ __forceinline__ uint32 valid_columns(int32 block, int32 padding) {
    return block == 0 ? ~0u >> padding : ~0u;
}
