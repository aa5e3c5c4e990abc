// The K adjacent cells of a row that a lane computes, in 32 or in 16 bits. The costs of gaps have 1 or 2 PIECES.
//
// - begin() and follow() add the alignments that come from the first and from another predecessor of the row's node.
//   The predecessor's scores of gaps follow its best scores at a distance of `part` and, for the second piece, twice
//   this distance. The methods return the best score of the predecessor's cell before these cells;
// - match() adds the scores of the row's symbol, and the gaps opposite nodes;
// - tilted_most() returns the maximum of best[e] + e * extend over all cells e, for one piece;
// - insert() adds the gaps opposite characters that begin before the cells and have the costs of one piece, and is
//   called for the last piece at last. Its parameter is the score of the best such gap that ends in the first cell,
//   without the cost of opening it.
#pragma once

#include "align/consensus/scoring.cuh"

#include "common/packed.cuh"

// COUNT words of 32 bits, which a lane reads and writes at once.
template <typename Word, int COUNT>
struct alignas(COUNT < 4 ? 4 * COUNT : 16) Words {
    Word values[COUNT];

    __device__ static __forceinline__ Words load(const void* from) {
        return *reinterpret_cast<const Words*>(from);
    }

    __device__ __forceinline__ void store(void* to) const {
        // the compiler would otherwise write each word separately
        if (COUNT % 4 == 0) {
#pragma unroll
            for (int32 i = 0; i < COUNT; i += 4) {
                __stwb(
                        static_cast<uint4*>(to) + i / 4,
                        make_uint4(values[i], values[i + 1], values[i + 2], values[i + 3]));
            }
        } else {
            *static_cast<Words*>(to) = *this;
        }
    }
};

template <typename Cell, int K, int PIECES>
class LaneCells;

template <int K, int PIECES>
class LaneCells<int32, K, PIECES> {
public:
    using Symbol = int32;

    const ConsensusScoring& scoring;

    __device__ explicit LaneCells(const ConsensusScoring& its_scoring) : scoring(its_scoring) {}

    // Returns the position of a column in a row. Column 0 is at K - 1, so that columns 1, K + 1, ... are aligned.
    __device__ static __forceinline__ int32 place(int32 column) {
        return column + K - 1;
    }

    // Returns the score if there is no alignment; it is smaller than any score, even after a gap is extended.
    __device__ __forceinline__ int32 no_score() const {
        return -(1 << 30);
    }

    __device__ __forceinline__ bool fits(int32) const {
        return true;
    }

    __device__ __forceinline__ bool all_fit() const {
        return true;
    }

    __device__ __forceinline__ int32 begin(const int32* best, int32 part) {
        return follow<true>(best, part);
    }

    __device__ __forceinline__ int32 follow(const int32* best, int32 part) {
        return follow<false>(best, part);
    }

    __device__ __forceinline__ void match(const int32* symbols, int32 symbol) {
        Words<int32, K> its_symbols = Words<int32, K>::load(symbols);
#pragma unroll
        for (int32 e = 0; e < K; e++) {
            bests_[e] = max(bests_[e] + scoring.score(its_symbols.values[e], symbol), skips_[0][e]);
            if (PIECES == 2) {
                bests_[e] = max(bests_[e], skips_[PIECES - 1][e]);
            }
        }
    }

    __device__ __forceinline__ int32 tilted_most(int32 piece) const {
        int32 most = bests_[K - 1];
#pragma unroll
        for (int32 e = K - 2; e >= 0; e--) {
            most = max(most + scoring.extend_of_insert(piece), bests_[e]);
        }
        return most;
    }

    __device__ __forceinline__ void insert(int32 piece, int32 gap) {
#pragma unroll
        for (int32 e = 0; e < K; e++) {
            int32 without = bests_[e];
            bests_[e] = max(without, gap - scoring.open_of_insert(piece));
            gap = max(gap - scoring.extend_of_insert(piece), without);
        }
    }

    __device__ __forceinline__ void store(int32* best, int32 part) {
        bests_.store(best);
#pragma unroll
        for (int32 piece = 0; piece < PIECES; piece++) {
            skips_[piece].store(best + (1 + piece) * part);
        }
    }

private:
    struct Cells : Words<int32, K> {
        __device__ __forceinline__ int32& operator[](int32 e) {
            return this->values[e];
        }

        __device__ __forceinline__ int32 operator[](int32 e) const {
            return this->values[e];
        }
    };

    Cells bests_;
    Cells skips_[PIECES];

    template <bool IS_FIRST>
    __device__ __forceinline__ int32 follow(const int32* best, int32 part) {
        Words<int32, K> best_before = Words<int32, K>::load(best);
#pragma unroll
        for (int32 piece = 0; piece < PIECES; piece++) {
            Words<int32, K> skip_before = Words<int32, K>::load(best + (1 + piece) * part);
#pragma unroll
            for (int32 e = 0; e < K; e++) {
                int32 skipped = max(
                        best_before.values[e] - scoring.open_of_delete(piece),
                        skip_before.values[e] - scoring.extend_of_delete(piece));
                skips_[piece][e] = IS_FIRST ? skipped : max(skips_[piece][e], skipped);
            }
        }
        int32 before = best[-1];
        int32 diagonal = before;
#pragma unroll
        for (int32 e = 0; e < K; e++) {
            bests_[e] = IS_FIRST ? diagonal : max(bests_[e], diagonal);
            diagonal = best_before.values[e];
        }
        return before;
    }
};

// In 16 bits, a register contains the cells e and e + K / 2, and these cells are adjacent in memory. So both halves of
// the cells are computed together.
//
// A score fits if it is at least K + 2 times the largest number of the scoring away from the limits of 16 bits. Then no
// sum in a row exceeds 16 bits before the row's scores are checked. If the best gap before the cells has a lower score,
// it is replaced by one that is still lower than all scores that fit.
template <int K, int PIECES>
class LaneCells<int16, K, PIECES> {
public:
    using Symbol = uint16;

    const ConsensusScoring& scoring;

    __device__ explicit LaneCells(const ConsensusScoring& its_scoring)
        : scoring(its_scoring), least_(0), most_(0) {
#pragma unroll
        for (int32 piece = 0; piece < PIECES; piece++) {
            no_insert_open_[piece] = both(-scoring.open_of_insert(piece));
            no_insert_extend_[piece] = both(-scoring.extend_of_insert(piece));
            no_delete_open_[piece] = both(-scoring.open_of_delete(piece));
            no_delete_extend_[piece] = both(-scoring.extend_of_delete(piece));
        }
    }

    __device__ static __forceinline__ int32 place(int32 column) {
        uint32 at = static_cast<uint32>(column + K - 1);
        return static_cast<int32>(at / K * K + at % H * 2 + at % K / H);
    }

    __device__ __forceinline__ int32 no_score() const {
        return LOWEST + 2 * scoring.magnitude;
    }

    __device__ __forceinline__ bool fits(int32 score) const {
        int32 margin = (K + 2) * scoring.magnitude;
        return score > LOWEST + margin && score < -LOWEST - margin;
    }

    __device__ __forceinline__ bool all_fit() const {
        return fits(min(low_of(least_), high_of(least_))) && fits(max(low_of(most_), high_of(most_)));
    }

    __device__ __forceinline__ int32 begin(const int16* best, int32 part) {
        return follow<true>(best, part);
    }

    __device__ __forceinline__ int32 follow(const int16* best, int32 part) {
        return follow<false>(best, part);
    }

    __device__ __forceinline__ void match(const uint16* symbols, int32 symbol) {
        Words<uint32, H> its_symbols = Words<uint32, H>::load(symbols);
        if (scoring.codes == nullptr) {
            constexpr uint32 ONES = 0x00010001;
            uint32 its_symbol = both(symbol);
            uint32 match = both(scoring.match);
            uint32 change = static_cast<uint32>(scoring.match ^ scoring.mismatch) & 0xffff;
#pragma unroll
            for (int32 e = 0; e < H; e++) {
                uint32 differ = __vminu2(its_symbols.values[e] ^ its_symbol, ONES);
                add_score(e, match ^ differ * change);
            }
        } else {
            const int32* scores = scoring.table + scoring.column(symbol);
#pragma unroll
            for (int32 e = 0; e < H; e++) {
                uint32 two_symbols = its_symbols.values[e];
                int32 low = scores[scoring.column(static_cast<int32>(two_symbols & 0xffff)) * scoring.columns];
                int32 high = scores[scoring.column(static_cast<int32>(two_symbols >> 16)) * scoring.columns];
                add_score(e, two(low, high));
            }
        }
    }

    __device__ __forceinline__ int32 tilted_most(int32 piece) {
        uint32 extend = both(scoring.extend_of_insert(piece));
        uint32 most = bests_.values[H - 1];
#pragma unroll
        for (int32 e = H - 2; e >= 0; e--) {
            most = add_max2(most, extend, bests_.values[e]);
        }
        lower_most_[piece] = low_of(most);
        return max(lower_most_[piece], high_of(most) + H * scoring.extend_of_insert(piece));
    }

    __device__ __forceinline__ void insert(int32 piece, int32 gap) {
        int32 lowest = LOWEST + H * scoring.magnitude;
        int32 extend = scoring.extend_of_insert(piece);
        int32 upper_gap = max(gap - H * extend, lower_most_[piece] - (H - 1) * extend);
        uint32 gaps = two(max(gap, lowest), max(upper_gap, lowest));
#pragma unroll
        for (int32 e = 0; e < H; e++) {
            uint32 without = bests_.values[e];
            bests_.values[e] = add_max2(gaps, no_insert_open_[piece], without);
            gaps = add_max2(gaps, no_insert_extend_[piece], without);
            least_ = min2(least_, skips_[piece].values[e]);
            if (piece == PIECES - 1) {
                most_ = max2(most_, bests_.values[e]);
            }
        }
    }

    __device__ __forceinline__ void store(int16* best, int32 part) const {
        bests_.store(best);
#pragma unroll
        for (int32 piece = 0; piece < PIECES; piece++) {
            skips_[piece].store(best + (1 + piece) * part);
        }
    }

private:
    static constexpr int32 H = K / 2;
    static constexpr int32 LOWEST = -(1 << 15);

    uint32 no_insert_open_[PIECES];
    uint32 no_insert_extend_[PIECES];
    uint32 no_delete_open_[PIECES];
    uint32 no_delete_extend_[PIECES];
    uint32 least_;  // the minimum of all cells so far
    uint32 most_;
    int32 lower_most_[PIECES];
    Words<uint32, H> bests_;
    Words<uint32, H> skips_[PIECES];

    template <bool IS_FIRST>
    __device__ __forceinline__ int32 follow(const int16* best, int32 part) {
        constexpr uint32 NONE_YET = 0x80008000;
        Words<uint32, H> best_before = Words<uint32, H>::load(best);
#pragma unroll
        for (int32 piece = 0; piece < PIECES; piece++) {
            Words<uint32, H> skip_before = Words<uint32, H>::load(best + (1 + piece) * part);
#pragma unroll
            for (int32 e = 0; e < H; e++) {
                uint32 above = best_before.values[e];
                uint32 skipped =
                        add_max2(above, no_delete_open_[piece], IS_FIRST ? NONE_YET : skips_[piece].values[e]);
                skips_[piece].values[e] = add_max2(skip_before.values[e], no_delete_extend_[piece], skipped);
            }
        }
        int32 before = best[-1];
        uint32 diagonal = two(before, static_cast<int32>(best_before.values[H - 1]));
#pragma unroll
        for (int32 e = 0; e < H; e++) {
            bests_.values[e] = IS_FIRST ? diagonal : max2(bests_.values[e], diagonal);
            diagonal = best_before.values[e];
        }
        return before;
    }

    __device__ __forceinline__ void add_score(int32 e, uint32 score) {
        bests_.values[e] = add_max2(bests_.values[e], score, skips_[0].values[e]);
        if (PIECES == 2) {
            bests_.values[e] = max2(bests_.values[e], skips_[PIECES - 1].values[e]);
        }
    }
};
