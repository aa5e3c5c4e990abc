// Traces back an alignment of a string with a graph, with one warp: dev.bellman.align.consensus.GraphAlignment.
//
// Each step depends on the previous one, and the table is in device memory. So the warp copies a window of the table to
// shared memory, and usually makes many steps in this window.
#pragma once

#include "align/consensus/graph_table.cuh"

// A part of the table.
template <typename Cell>
struct TraceWindow {
    static constexpr int32 SIZE = 32;

    TableRow rows[SIZE];  // without row 0
    int32 symbols[SIZE];  // the symbol of the character after each column
    Cell cells[SIZE][SIZE];
};

template <typename Cell, int WARPS, int K, int PIECES>
struct GraphTrace {
    static constexpr int32 SIZE = TraceWindow<Cell>::SIZE;
    // If fewer rows than this are left above a row, the warp copies another window, because predecessors are above it.
    static constexpr int32 ROWS_ABOVE = 6;

    const ConsensusGraph& graph;
    const ConsensusScoring& scoring;
    const GraphTable<Cell, WARPS, K, PIECES>& table;
    TraceWindow<Cell>& window;
    int32 lane;
    int32 top;   // the first row in the window
    int32 left;  // the first column

    __device__ GraphTrace(
            const ConsensusGraph& its_graph,
            const GraphTable<Cell, WARPS, K, PIECES>& its_table,
            TraceWindow<Cell>& its_window)
        : graph(its_graph),
          scoring(its_table.scoring),
          table(its_table),
          window(its_window),
          lane(threadIdx.x),
          top(1 << 30),
          left(1 << 30) {}

    // Finds the node with which each character is aligned.
    __device__ __forceinline__ void trace() {
        int32 n = table.n;
        // the ranks of the nodes
        int32* aligned = graph.aligned;
        for (int32 i = lane; i < n; i += 32) {
            aligned[i] = NONE;
        }
        __syncwarp();
        int32 row = last_row();
        int32 j = n;
        int32 score = table.best(row, j);
        while (row > 0 && j > 0) {
            if ((row < top + ROWS_ABOVE && top > 0) || j <= left) {
                copy(row, j);
            }
            TableRow its_row = window.rows[row - top];
            int32 wanted = score - scoring.score(window.symbols[j - 1 - left], its_row.symbol);
            int32 before = its_row.first;
            if (best(before, j - 1) != wanted) {
                before = find(its_row.begin + 1, its_row.end, [=](int32 p) { return best(p, j - 1) == wanted; });
            }
            if (before >= 0) {
                j--;
                if (lane == 0) {
                    aligned[j] = row - 1;
                }
                row = before;
                score = wanted;
                continue;
            }
            int32 skipped = before_skipped(its_row.begin, its_row.end, j, score);
            if (skipped >= 0) {
                row = skipped;
            } else {
                j = before_inserted(row, j, score);
            }
            score = best(row, j);
        }
        __syncwarp();
        for (int32 i = lane; i < n; i += 32) {
            aligned[i] = aligned[i] >= 0 ? graph.order[aligned[i]] : NONE;
        }
        __syncwarp();
    }

private:
    // Copies the window that ends with a row and the column before `j`.
    __device__ __forceinline__ void copy(int32 row, int32 j) {
        top = max(0, row - (SIZE - 1));
        left = max(0, j - SIZE);
        __syncwarp();
        int32 column = min(left + lane, table.n);
        Cell cells[SIZE];
#pragma unroll
        for (int32 r = 0; r < SIZE; r++) {
            cells[r] = table.best(min(top + r, row), column);
        }
        int32 own = top + lane;
        if (own > 0 && own <= row) {
            window.rows[lane] = table.rows[own - 1];
        }
        window.symbols[lane] = table.symbols[min(left + lane, table.n - 1)];
#pragma unroll
        for (int32 r = 0; r < SIZE; r++) {
            window.cells[r][lane] = cells[r];
        }
        __syncwarp();
    }

    __device__ __forceinline__ int32 best(int32 row, int32 j) const {
        uint32 r = static_cast<uint32>(row - top);
        uint32 column = static_cast<uint32>(j - left);
        return r < SIZE && column < SIZE ? window.cells[r][column] : table.best(row, j);
    }

    // Returns the row at which the alignment ends.
    __device__ __forceinline__ int32 last_row() const {
        int32 found = 0;
        int32 most = 0;
        for (int32 rank = lane; rank < table.nodes; rank += 32) {
            if ((graph.marks[graph.order[rank]] & ConsensusGraph::HAS_OUT) == 0) {
                int32 score = table.best(rank + 1, table.n);
                if (found == 0 || score > most) {
                    found = rank + 1;
                    most = score;
                }
            }
        }
#pragma unroll
        for (int32 other = 1; other < 32; other *= 2) {
            int32 other_found = __shfl_xor_sync(~0u, found, other);
            int32 other_most = __shfl_xor_sync(~0u, most, other);
            bool is_better = other_found != 0
                    && (found == 0 || other_most > most || (other_most == most && other_found < found));
            found = is_better ? other_found : found;
            most = is_better ? other_most : most;
        }
        return found;
    }

    // Returns the first of the rows before[begin] to before[end - 1] that has a property, or NONE.
    template <typename Property>
    __device__ __forceinline__ int32 find(int32 begin, int32 end, Property has) const {
        for (int32 k = begin; k < end; k += 32) {
            int32 p = k + lane < end ? table.before[k + lane] : NONE;
            uint32 found = __ballot_sync(~0u, p >= 0 && has(p));
            if (found != 0) {
                return __shfl_sync(~0u, p, __ffs(found) - 1);
            }
        }
        return NONE;
    }

    // Returns the row before the gap opposite nodes that ends in a cell with the given score, or NONE if no such gap
    // leads to this score.
    __device__ __forceinline__ int32 before_skipped(int32 begin, int32 end, int32 j, int32 score) const {
        int32 open = scoring.delete_open;
        int32 extend = scoring.delete_extend;
        bool is_affine = open != extend;
        int32 p = find(begin, end, [=](int32 row) {
            return (is_affine && score == table.skip(0, row, j) - extend) || score == best(row, j) - open
                    || (PIECES == 2 && score == table.skip(PIECES - 1, row, j) - scoring.delete_extend2);
        });
        if (p < 0) {
            return p;
        }
        if (is_affine && score == table.skip(0, p, j) - extend) {
            return begin_of_gap(0, p, j);
        }
        return PIECES == 1 || score == best(p, j) - open ? p : begin_of_gap(PIECES - 1, p, j);
    }

    // Returns the row before the gap with the costs of a piece that ends in a row.
    __device__ __forceinline__ int32 begin_of_gap(int32 piece, int32 row, int32 j) const {
        int32 open = scoring.open_of_delete(piece);
        int32 extend = scoring.extend_of_delete(piece);
        int32 p = row;
        while (true) {
            int32 gap = table.skip(piece, p, j);
            p = find(table.rows[p - 1].begin, table.rows[p - 1].end, [=](int32 other) {
                return gap == best(other, j) - open || gap == table.skip(piece, other, j) - extend;
            });
            if (gap == best(p, j) - open) {
                return p;
            }
        }
    }

    // Returns the column before the gap opposite characters that ends in a cell with the given score.
    __device__ __forceinline__ int32 before_inserted(int32 row, int32 last, int32 score) const {
        bool is_linear = scoring.insert_open == scoring.insert_extend;
        if (is_linear && (PIECES == 1 || score == best(row, last - 1) - scoring.insert_open)) {
            return last - 1;
        }
        int32 j = before_longest(0, row, last, score);
        return PIECES == 1 || j >= 0 ? j : before_longest(PIECES - 1, row, last, score);
    }

    // Returns the column before the longest gap opposite characters that has the costs of a piece and ends in a cell
    // with the given score, or NONE if there is no such gap.
    __device__ __forceinline__ int32 before_longest(int32 piece, int32 row, int32 last, int32 score) const {
        int32 open = scoring.open_of_insert(piece);
        int32 extend = scoring.extend_of_insert(piece);
        // before the gap, each character adds at most `most`
        int32 most = scoring.codes == nullptr ? max(scoring.match, max(scoring.mismatch, 0)) : scoring.magnitude;
        int32 least = (score + open + (last - 1) * extend) / max(1, most + extend);
        for (int32 first = max(0, least); first < last; first += 32) {
            int32 j = first + lane;
            bool begins = j < last && best(row, j) - open - (last - 1 - j) * extend == score;
            uint32 found = __ballot_sync(~0u, begins);
            if (found != 0) {
                return first + __ffs(found) - 1;
            }
        }
        return NONE;
    }
};
