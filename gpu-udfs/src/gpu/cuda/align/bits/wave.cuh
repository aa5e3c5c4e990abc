// A group of lanes in a warp that solve one pair together, each eight columns behind the previous lane.
//
// A body is a group of eight columns of the text. For example, with three lanes, each of which processes the rows below
// the previous lane's rows:
//
//     step       0   1   2   3   4
//     lane 0     0   1   2   3   4       the body that a lane processes
//     lane 1         0   1   2   3
//     lane 2             0   1   2
//
// A lane processes half a body (four columns) at a time, and passes on the gains across its lower border after each
// half. For example, after the first half of step 1, lane 0 passes to lane 1 the gains that lane 1 needs in the first
// half of step 2. A lane's input is therefore available half a step early. A lane also looks up half a body in advance
// which rows equal the next characters. As a result, a step takes only as long as the dependencies of the recurrence
// itself.
#pragma once

#include "align/bits/alphabets.cuh"
#include "align/bits/column.cuh"

// A lane in a group that solves one pair. It has K words of rows below the previous lane's rows, and is eight columns
// behind that lane.
template <int L, int K, class State, class Symbols>
struct Wave {
    using Text = typename Symbols::Text;

    static constexpr int TEXTS = 4 * L;

    State state;
    Symbols symbols;
    const Text* texts;  // the texts of the last bodies; body i is at index i modulo TEXTS
    int32 lane;
    Border first = {0, 0};  // the gains that enter the two halves of the next body
    Border second = {0, 0};
    Border out = {0, 0};
    uint32 equal[4][K];  // the rows that equal the characters of the next half

    __device__ __forceinline__ Wave(const Pair& pair, int32 first_row, const Text* texts)
        : symbols(pair, first_row), texts(texts), lane(threadIdx.x % L) {
        state.reset();
    }

    // Prepares the lane after the text for the first body is loaded.
    __device__ __forceinline__ void begin(int32 first_body) {
        symbols.take(text(first_body));
        look<0>(equal);
    }

    __device__ __forceinline__ Text text(int32 body) const {
        return texts[(body - lane) & (TEXTS - 1)];
    }

    template <int FIRST>
    __device__ __forceinline__ void look(uint32 (&rows)[4][K]) const {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            find_equal(symbols, symbols.column(FIRST + i), rows[i]);
        }
    }

    static __device__ __forceinline__ Border up(const Border& border) {
        return {State::RISES ? __shfl_up_sync(~0u, border.rises, 1, L) : 0, __shfl_up_sync(~0u, border.carries, 1, L)};
    }

    template <class Moves>
    __device__ __forceinline__ void half(const uint32 (&rows)[4][K], Border top, const Border& above, Moves& moves) {
        Border in = {lane == 0 ? top.rises : above.rises << 28, lane == 0 ? top.carries : above.carries << 28};
#pragma unroll
        for (int i = 0; i < 4; i++) {
            state.template step<true>(rows[i], in, out, moves);
        }
    }

    // Advances by eight columns. The first lane takes its input from the highest bits of `top`. The text for the next
    // body must already be loaded. If CHECKED is set, a lane that is not `active` keeps its state.
    template <bool CHECKED, class Moves>
    __device__ __forceinline__ void body(int32 index, Border top, bool active, Moves& moves) {
        Text next = text(index + 1);
        uint32 following[4][K];
        look<4>(following);
        if (!CHECKED || active) {
            half(equal, top, first, moves);
        }
        first = up(out);
        symbols.take(next);
        look<0>(equal);
        top = {top.rises << 4, top.carries << 4};
        if (!CHECKED || active) {
            half(following, top, second, moves);
        }
        second = up(out);
    }
};
