// Computes a table in one launch, in rounds, one for each diagonal tile (dev.bellman.large.tiles.Pattern.CLOSURE,
// strategy `blocked`). In round k, tile (k, k) is closed (A). Then it is used to update the other tiles of its row (B)
// and column (C), which are used to update all other tiles (D). Blocks take one task after another, in an order in
// which each task follows the tasks that it depends on, and wait for results that other blocks have not finished yet.
//
// Task A is the work of a single block, which would leave the other blocks idle. Therefore, round k + 1 begins during
// round k: D first finishes the row and the column of tile (k + 1, k + 1); then one block closes that tile while other
// blocks process the rest of D. D does not read the pivot's row and column from the table, because the next round
// changes them. Instead, it reads copies of these rows and columns, each saved at its own step. Rounds alternate
// between two sets of copies. Thus the result equals that of the textbook loop over k, bit for bit, even if sums are
// rounded.
#pragma once
#include "common/ticket.cuh"
#include "tiles/product.cuh"

namespace {

// The blocks' shared state, in device memory.
template <typename Value>
struct RoundsState {
    int tiles;  // the number of tiles per side
    Value* table;
    int64 pitch;
    Value* pivots;      // 2 x 2 x [TILE][TILE], the columns of tile (k, k), each as a line, and its rows
    Value* rows;        // 2 x [TILE][pitch], the rows of the pivot's row of tiles
    Value* columns;     // 2 x [TILE][pitch], the columns of its column of tiles, each as a line
    int* ticket;        // the number of tasks that blocks have taken
    int* closed;        // the number of diagonal tiles that are closed
    int* row_ready;     // for each column of tiles, the number of rounds whose pivot row has been copied
    int* column_ready;  // for each row of tiles, the number of rounds whose pivot column has been copied
    int* panel_done;    // for each round, the number of finished tiles of B and C
    int* round_done;    // for each round, the number of finished tiles of D
    int* finished;      // for each tile, the number of finished rounds

    // `copies` has room for 4 tiles and 4 rows of tiles; `counters` initially contains tiles * (tiles + 4) + 2 zeros.
    __device__ __forceinline__ RoundsState(int tiles, Value* table, Value* copies, int* counters) :
        tiles(tiles),
        table(table),
        pitch(static_cast<int64>(tiles) * TILE),
        pivots(copies),
        rows(pivots + 4 * TILE * TILE),
        columns(rows + 2 * TILE * pitch),
        ticket(counters),
        closed(ticket + 1),
        row_ready(closed + 1),
        column_ready(row_ready + tiles),
        panel_done(column_ready + tiles),
        round_done(panel_done + tiles),
        finished(round_done + tiles) {
    }

    __device__ __forceinline__ Value* tile(int i, int j) const {
        return table + i * (TILE * pitch) + j * TILE;
    }
    __device__ __forceinline__ Value* pivot(int round) const {
        return pivots + round % 2 * (2 * TILE * TILE);
    }
    __device__ __forceinline__ Value* row(int round, int j) const {
        return rows + round % 2 * (TILE * pitch) + j * TILE;
    }
    __device__ __forceinline__ Value* column(int round, int i) const {
        return columns + round % 2 * (TILE * pitch) + i * TILE;
    }
};

// A task: A if i = j = round, B if i = round, C if j = round, otherwise D.
struct RoundsTask {
    int round;
    int i;
    int j;
};

// Returns the task at a position in the order. Up to `ahead` tasks of D come between task A and the tasks B and C that
// depend on it, so that blocks need not wait for A.
__device__ __forceinline__ RoundsTask rounds_task(int index, int tiles, int ahead) {
    int panel = 2 * (tiles - 1);
    int64 each = static_cast<int64>(tiles) * tiles;
    RoundsTask task;
    int in_panel = -1;
    if (index <= panel) {
        task.round = 0;
        in_panel = index - 1;
    } else {
        index -= panel + 1;
        int round = static_cast<int>(index / each);
        int at = static_cast<int>(index - round * each);
        int last = tiles - 1;
        if (round == last) {
            task.round = last;
            by_bands(at, last, last, task.i, task.j);
            return task;
        }
        int next = round + 1;
        int cross = 2 * tiles - 3;
        int rest = (tiles - 2) * (tiles - 2);
        int before = min(ahead, rest);
        task.round = round;
        if (at < cross) {
            int other = (at - 1) / 2;
            other += other >= round ? 2 : 0;
            task.i = at == 0 || at % 2 != 0 ? next : other;
            task.j = at == 0 || at % 2 == 0 ? next : other;
            return task;
        }
        at -= cross;
        if (at == 0) {
            task.round = next;
            in_panel = -1;
        } else if (at <= before || at > before + panel) {
            by_bands(at <= before ? at - 1 : at - 1 - panel, tiles - 2, tiles - 2, task.i, task.j);
            task.i += task.i >= round ? 2 : 0;
            task.j += task.j >= round ? 2 : 0;
            return task;
        } else {
            task.round = next;
            in_panel = at - before - 1;
        }
    }
    if (in_panel < 0) {
        task.i = task.round;
        task.j = task.round;
        return task;
    }
    int other = in_panel / 2;
    other += other >= task.round ? 1 : 0;
    task.i = in_panel % 2 == 0 ? task.round : other;
    task.j = in_panel % 2 == 0 ? other : task.round;
    return task;
}

// Waits until a task may start. Each of the first four threads waits for at most one condition.
template <typename Value>
__device__ __forceinline__ void await_task(const RoundsState<Value>& state, const RoundsTask& task) {
    int k = task.round;
    bool in_row = task.i == k;
    bool in_column = task.j == k;
    int panel = 2 * (state.tiles - 1);
    int inner = (state.tiles - 1) * (state.tiles - 1);
    if (threadIdx.x == 0) {
        await(state.finished + task.i * state.tiles + task.j, k);
    } else if (threadIdx.x == 1) {
        if (in_row && in_column) {
            // waits until B and C no longer read the copies of the diagonal tile of two rounds before
            if (k >= 2) {
                await(state.panel_done + k - 2, panel);
            }
        } else if (in_row || in_column) {
            await(state.closed, k + 1);
        } else {
            await(state.column_ready + task.i, k + 1);
        }
    } else if (threadIdx.x == 2) {
        if (!in_row && !in_column) {
            await(state.row_ready + task.j, k + 1);
        }
    } else if (threadIdx.x == 3) {
        // waits until no block reads the copies that the new ones will overwrite
        if (in_row != in_column && k >= 2) {
            await(state.round_done + k - 2, inner);
        }
    }
    __syncthreads();
}

// Solves the table. `Problem` defines a type Value, the functions that add_product and sweep require, and `first`,
// which is the first row of tile (k, k).
template <typename Problem>
__device__ __forceinline__ void run_rounds(
        const RoundsState<typename Problem::Value>& state, Problem problem, int ahead) {
    using Value = typename Problem::Value;
    __shared__ int drawn;
    int total = state.tiles * state.tiles * state.tiles;
    if (threadIdx.x == 0) {
        drawn = atomicAdd(state.ticket, 1);
    }
    __syncthreads();
    int index = drawn;
    while (index < total) {
        RoundsTask task = rounds_task(index, state.tiles, ahead);
        await_task(state, task);
        int k = task.round;
        Value* tile = state.tile(task.i, task.j);
        Value* pivot = state.pivot(k);
        bool in_row = task.i == k;
        bool in_column = task.j == k;
        ThreadTile<Value> x;
        problem.first = k * TILE;
        x.load_from(tile, state.pitch);
        if (in_row && in_column) {
            sweep<true, true>(problem, x, pivot, TILE, pivot + TILE * TILE, TILE);
        } else if (in_row) {
            sweep<false, true>(problem, x, pivot, TILE, state.row(k, task.j), state.pitch);
        } else if (in_column) {
            sweep<true, false>(problem, x, state.column(k, task.i), state.pitch, pivot + TILE * TILE, TILE);
        } else {
            add_product(problem, x, state.column(k, task.i), state.row(k, task.j), state.pitch);
        }
        if (threadIdx.x == 0) {
            drawn = atomicAdd(state.ticket, 1);
        }
        x.store_to(tile, state.pitch);
        __syncthreads();
        if (threadIdx.x == 0) {
            add_release(state.finished + task.i * state.tiles + task.j, 1);
            if (in_row) {
                add_release(state.row_ready + task.j, 1);
            }
            if (in_column) {
                add_release(state.column_ready + task.i, 1);
            }
            if (in_row && in_column) {
                add_release(state.closed, 1);
            } else if (in_row || in_column) {
                add_release(state.panel_done + k, 1);
            } else {
                add_release(state.round_done + k, 1);
            }
        }
        index = drawn;
    }
}

}  // namespace
