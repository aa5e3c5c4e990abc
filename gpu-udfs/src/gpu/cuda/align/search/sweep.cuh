// Computes the columns of the table for a pattern and a text, with one thread or several lanes of a warp per pair. A
// visitor observes the value in the last row, as its decrease since column 0, where it is the pattern's length.
//
// The recurrence is that of bits/column.cuh. If a match may begin anywhere, the row above the table is 0 and never
// grows. The pattern ends at the last row of the last word (symbols.cuh). Therefore, a column's value grows if the
// highest of its rise bits is set, and falls if the addition carries out of the last word.
#pragma once

#include "align/bits/column.cuh"
#include "align/search/symbols.cuh"
#include "common/warp.cuh"

// A column of a whole pattern in one thread.
template <int K>
struct SearchColumn {
    uint32 pv[K];
    uint32 mv[K];

    __device__ __forceinline__ explicit SearchColumn(int32 first_row) {
#pragma unroll
        for (int k = 0; k < K; k++) {
            pv[k] = ~free_rows(first_row + 32 * k);
            mv[k] = 0;
        }
    }

    // Works like EditColumn::step, but the row above grows by the highest bit of `top`.
    __device__ __forceinline__ void step(const uint32 (&equal)[K], uint32 top, int32& fallen) {
        uint32 both[K];
        uint32 sum[K];
#pragma unroll
        for (int k = 0; k < K; k++) {
            both[k] = pv[k] & equal[k];
        }
#pragma unroll
        for (int k = 0; k < K; k++) {
            sum[k] = k > 0 ? add_carry_through(pv[k], both[k]) : add_carry_out(pv[k], both[k]);
        }
        uint32 falls = add_carry_in(fallen, 0);
        uint32 below = top;
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint32 carry = logic<XOR3>(sum[k], pv[k], both[k]);
            uint32 level = logic<OR3>(equal[k], mv[k], carry);
            uint32 rises = logic<OR_NOR>(mv[k], level, pv[k]);
            uint32 shifted = __funnelshift_l(below, rises, 1);
            below = rises;
            pv[k] = logic<OR_NOR>(carry, level, shifted);
            mv[k] = shifted & level;
        }
        fallen = static_cast<int32>(falls) + (static_cast<int32>(below) >> 31);
    }
};

// Computes all columns in one thread. Calls visitor.column(fallen, column) for each column, counted from 1, and
// visitor.columns(from, to) after every few columns.
template <template <int, int> class Symbols, int K, int BLOCK, class Visitor>
__device__ __forceinline__ void sweep_alone(const Pair& pair, int32 length, bool anywhere, Visitor& visitor) {
    int32 first_row = pair.pattern_length - 32 * K;
    Symbols<K, BLOCK> symbols(pair, first_row, anywhere);
    SearchColumn<K> state(first_row);
    uint32 top = anywhere ? 0 : ~0u;
    int32 fallen = 0;
    auto pass = [&](int32 i, int32 column) {
        uint32 equal[K];
        find_equal(symbols, symbols.column(i, ~0u), equal);
        state.step(equal, top, fallen);
        visitor.column(fallen, column);
    };
    int32 head = length & 7;
    if (head != 0) {
        symbols.load(0);
#pragma unroll 1
        for (int32 i = 0; i < head; i++) {
            pass(i, i + 1);
        }
        visitor.columns(0, head);
    }
#pragma unroll 1
    for (int32 position = head; position < length; position += 8) {
        symbols.load(position);
#pragma unroll
        for (int i = 0; i < 8; i++) {
            pass(i, position + i + 1);
        }
        visitor.columns(position, position + 8);
    }
}

// Computes all columns with L lanes of a warp. A lane has K words of rows below the previous lane's rows, and is 32
// columns behind that lane. The last lane has the last row: it calls visitor.pass(rises, falls, from, columns) for up
// to 32 columns, given words whose highest bits show where the value rises and falls. All lanes of a warp must call
// this function.
template <template <int, int> class Symbols, int L, int K, int BLOCK, class Visitor>
__device__ __forceinline__ void sweep_together(
        const Pair& pair, int32 length, bool anywhere, int32 lane, Visitor& visitor) {
    int32 blocks = static_cast<int32>((length + 31LL) / 32);
    int32 steps = blocks + L - 1;
#pragma unroll
    for (int other = L; other < 32; other *= 2) {
        steps = max(steps, __shfl_xor_sync(~0u, steps, other));
    }
    int32 first_row = pair.pattern_length - 32 * K * (L - lane);
    Symbols<K, BLOCK> symbols(pair, first_row, anywhere);
    EditColumn<K> state;
    state.reset();
#pragma unroll
    for (int k = 0; k < K; k++) {
        state.pv[k] &= ~free_rows(first_row + 32 * k);
    }
    NoMoves moves;
    Border out = {0, 0};
#pragma unroll 1
    for (int32 step = 0; step < steps; step++) {
        Border in;
        in.rises = __shfl_up_sync(~0u, out.rises, 1, L);
        in.carries = __shfl_up_sync(~0u, out.carries, 1, L);
        if (lane == 0) {
            in = {anywhere ? 0 : ~0u, 0};
        }
        int32 block = step - lane;
        if (block >= 0 && block < blocks) {
            solve_block(state, symbols, 32 * block, ~0u, in, out, moves);
            if (lane == L - 1) {
                visitor.pass(out.rises, out.carries, 32 * block, min(32, length - 32 * block));
            }
        }
        __syncwarp();
    }
}
