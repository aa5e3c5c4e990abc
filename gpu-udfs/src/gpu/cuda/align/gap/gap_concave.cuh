// Fills a table with concave costs, using one warp: dev.bellman.align.gap.GapTable.fillConcave. Each lane processes a
// row, one column behind the lane above it. Each row and each column has a list of candidates, as
// dev.bellman.align.gap.Candidates explains. Each lane passes the candidates of a column on to the lane below it.
#pragma once
#include "align/gap/gap_table.cuh"

namespace {

// A stack of the positions from which a gap is the best one for some target, with the positions for the next targets on
// top. Each position is stored with its last target. Entry k is `stride` after entry k - 1. `Values` returns the score
// at a position; `gains` is defined as in Table.
template <typename Value, typename Values>
struct Candidates {
    int32* positions;
    int32* ends;
    int32 stride;
    int32 size;
    int32 last_target;
    const Value* gains;
    Values values;

    __device__ __forceinline__ Value value(int32 candidate, int32 target) const {
        int32 position = positions[candidate * static_cast<int64>(stride)];
        return values(position) + gains[target - position + BEFORE_GAINS];
    }

    __device__ __forceinline__ int32& end(int32 candidate) const {
        return ends[candidate * static_cast<int64>(stride)];
    }

    __device__ __forceinline__ void drop(int32 target) {
        while (size > 0 && end(size - 1) < target) {
            size--;
        }
    }

    // Returns the best score for a target, given all positions added so far.
    __device__ __forceinline__ Value best(int32 target) {
        drop(target);
        return value(size - 1, target);
    }

    __device__ __forceinline__ void push(int32 position, int32 last) {
        positions[size * static_cast<int64>(stride)] = position;
        end(size) = last;
        size++;
    }

    // Adds a position that is greater than all others. The caller has already queried the position's own best score.
    __device__ void add(int32 position, Value score) {
        int32 next = position + 1;
        if (next > last_target) {
            return;
        }
        drop(next);
        auto mine = [&](int32 target) { return score + gains[target - position + BEFORE_GAINS]; };
        if (size > 0 && value(size - 1, next) >= mine(next)) {
            return;
        }
        int32 ahead = next;
        while (size > 0 && mine(end(size - 1)) > value(size - 1, end(size - 1))) {
            ahead = end(size - 1);
            size--;
        }
        if (size == 0) {
            push(position, last_target);
            return;
        }
        int32 behind = end(size - 1);
        while (behind - ahead > 1) {
            int32 middle = (ahead + behind) / 2;
            if (mine(middle) > value(size - 1, middle)) {
                ahead = middle;
            } else {
                behind = middle;
            }
        }
        push(position, ahead);
    }
};

template <typename Value>
struct OfColumn {
    const Value* before_a;
    int64 pitch;

    __device__ __forceinline__ Value operator()(int32 i) const {
        return __ldcg(before_a + i * pitch);
    }
};

template <typename Value>
struct OfRow {
    const Value* before_b;

    __device__ __forceinline__ Value operator()(int32 j) const {
        return __ldcg(before_b + j);
    }
};

// Fills the table.
//
// - room: memory for int32 numbers, CONCAVE_BYTES per unit of an instance's size. It contains, in this order: the
//   candidates of the columns, two numbers for each cell; the count of each column's candidates; and the candidates of
//   the rows, two numbers for each column and lane
template <typename Value>
__device__ void fill_concave(const Table<Value>& table, int32* room, int32 lane) {
    constexpr Value NONE = Scores<Value>::NONE;
    int64 columns = table.columns;
    int32* of_columns = room;
    int32* sizes = of_columns + 2 * columns * table.rows;
    int32* of_rows = sizes + columns;
    for (int32 j = lane; j < table.columns; j += 32) {
        sizes[j] = 0;
    }
    __syncwarp();
    for (int32 first = 0; first <= table.a_letters; first += 32) {
        int32 i = first + lane;
        Candidates<Value, OfRow<Value>> row = {
            of_rows + lane, of_rows + 32 * columns + lane, 32, 0, table.b_letters, table.b_gains,
                    {table.before_b + table.at(i, 0)}};
        Value last = NONE;          // the best score in this lane's previous column
        Value one_before = NONE;    // the best score in the column before that
        for (int32 step = 0; step <= table.b_letters + 31; step++) {
            int32 j = step - lane;
            Value diagonal = __shfl_up_sync(~0u, one_before, 1);
            Value best = NONE;
            if (i <= table.a_letters && j >= 0 && j <= table.b_letters) {
                if (lane == 0) {
                    diagonal = i > 0 && j > 0 ? table.best(i - 1, j - 1) : NONE;
                }
                Candidates<Value, OfColumn<Value>> column = {of_columns + j,
                                                             of_columns + columns * table.rows + j,
                                                             table.columns,
                                                             sizes[j],
                                                             table.a_letters,
                                                             table.a_gains,
                                                             {table.before_a + j, columns}};
                Value pair = table.pair(i, j, diagonal);
                Value before_b = i > 0 ? larger(pair, column.best(i)) : pair;
                Value before_a = j > 0 ? larger(pair, row.best(j)) : pair;
                table.before_a[table.at(i, j)] = before_a;
                table.before_b[table.at(i, j)] = before_b;
                column.add(i, before_a);
                row.add(j, before_b);
                sizes[j] = column.size;
                best = larger(before_a, before_b);
            }
            one_before = last;
            last = best;
            __syncwarp();
        }
    }
}

}  // namespace
