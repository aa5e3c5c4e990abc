// Aligns a string with a graph: dev.bellman.align.consensus.GraphAlignment. The warps of a block compute the table row
// by row. A lane computes K adjacent columns, from one predecessor after another; a scan over all lanes adds the gaps
// opposite characters.
//
// A gap from column k to column j costs open - extend + j * extend - k * extend. So the best gap that ends in a column
// begins at the maximum of best[k] + k * extend over the previous columns. Example for open 3 and extend 1: if the
// scores without such gaps are 0 -2 5 -9 -9, then best[k] + k * extend is 0 -1 7 -6 -5, the maxima before columns 1 to
// 4 are 0 0 7 7, the scores of the gaps are -3 -4 2 1, and the scores with gaps are 0 -2 5 2 1.
#pragma once

#include "align/consensus/graph.cuh"
#include "align/consensus/lane_cells.cuh"

template <int WARPS>
__device__ __forceinline__ void sync() {
    if (WARPS == 1) {
        __syncwarp();
    } else {
        __syncthreads();
    }
}

// Returns whether a condition is true in all threads of the block.
template <int WARPS>
__device__ __forceinline__ bool holds_in_all(bool condition) {
    return (WARPS == 1 ? __all_sync(~0u, condition) : __syncthreads_and(condition)) != 0;
}

// The table. A row contains the best scores and then, for each piece of the costs of gaps, the best scores of
// alignments that end with a gap opposite nodes that has these costs.
template <typename Cell, int WARPS, int K, int PIECES>
struct GraphTable {
    using Cells = LaneCells<Cell, K, PIECES>;

    // A number below all scores.
    static constexpr int32 LOWEST = -(1 << 30);

    const ConsensusGraph& graph;
    ConsensusScoring scoring;
    int32* maxima;         // two rows with the maximum of each warp
    // copies, because loads from shared memory are slower
    const TableRow* rows;
    const int32* before;
    const int32* symbols;
    int32 n;
    int32 nodes;
    int32 width;           // the number of columns after column 0, rounded up to a multiple of K
    Cell* cells;

    __device__ GraphTable(const ConsensusGraph& its_graph, const ConsensusScoring& its_scoring, int32* its_maxima)
        : graph(its_graph),
          scoring(its_scoring),
          maxima(its_maxima),
          rows(graph.rows),
          before(graph.before),
          symbols(graph.string_symbols),
          n(graph.counts.length),
          nodes(graph.counts.nodes),
          width((n + K - 1) / K * K),
          cells(reinterpret_cast<Cell*>(graph.scratch)) {}

    // Returns the number of bytes of a row.
    __device__ static __forceinline__ int64 row_bytes(int64 longest) {
        return (1 + PIECES) * static_cast<int64>(sizeof(Cell)) * (K + (longest + K - 1) / K * K);
    }

    __device__ __forceinline__ Cell* best(int32 row) const {
        return cells + static_cast<uint64>(static_cast<uint32>(row)) * static_cast<uint32>((1 + PIECES) * part());
    }

    // Returns the scores of gaps with the costs of the first (0) or the second (1) piece.
    __device__ __forceinline__ Cell* skip(int32 piece, int32 row) const {
        return best(row) + (1 + piece) * part();
    }

    __device__ __forceinline__ int32 best(int32 row, int32 column) const {
        return best(row)[Cells::place(column)];
    }

    __device__ __forceinline__ int32 skip(int32 piece, int32 row, int32 column) const {
        return skip(piece, row)[Cells::place(column)];
    }

    // Computes the table. Returns whether all scores fit in cells, which 32-bit scores always do.
    __device__ __forceinline__ bool fill() const {
        Cells cells_of_lane(scoring);
        bool fits = start(cells_of_lane);
        sync<WARPS>();
        int32 pass = 0;
        TableRow next = rows[0];
        for (int32 row = 1; row <= nodes; row++) {
            TableRow its_row = next;
            // loads the next row while this row is computed
            next = rows[min(row, nodes - 1)];
            fits &= fill(row, its_row, cells_of_lane, pass);
            sync<WARPS>();
        }
        return sizeof(Cell) != 2 || holds_in_all<WARPS>(fits && cells_of_lane.all_fit());
    }

private:
    // Returns the distance between the parts of a row.
    __device__ __forceinline__ int32 part() const {
        return K + width;
    }

    // Returns the symbols in the order of cells.
    __device__ __forceinline__ const typename Cells::Symbol* cell_symbols() const {
        const void* all = symbols;
        if (sizeof(Cell) == 2) {
            all = graph.cell_symbols;
        }
        return static_cast<const typename Cells::Symbol*>(all);
    }

    // Writes row 0 and the symbols in the order of cells. Returns whether the scores fit.
    __device__ __forceinline__ bool start(const Cells& cells_of_lane) const {
        for (int32 j = threadIdx.x; j <= width; j += 32 * WARPS) {
            best(0)[Cells::place(j)] = static_cast<Cell>(-scoring.insertion(j));
#pragma unroll
            for (int32 piece = 0; piece < PIECES; piece++) {
                skip(piece, 0)[Cells::place(j)] = static_cast<Cell>(cells_of_lane.no_score());
            }
            if (sizeof(Cell) == 2 && j > 0) {
                graph.cell_symbols[Cells::place(j) - K] = static_cast<uint16>(j <= n ? symbols[j - 1] : 0);
            }
        }
        return cells_of_lane.fits(-scoring.insertion(width));
    }

    // Adds the alignments of column 0 that come from row p. All of them end with a gap.
    __device__ __forceinline__ void add_border(int32 best_before, int32 p, int32 (&scores)[PIECES]) const {
        if (PIECES == 1) {
            scores[0] = max(scores[0], best_before - (p == 0 ? scoring.delete_open : scoring.delete_extend));
        } else {
#pragma unroll
            for (int32 piece = 0; piece < PIECES; piece++) {
                int32 opened = best_before - scoring.open_of_delete(piece);
                scores[piece] = max(scores[piece], max(opened, skip(piece, p, 0) - scoring.extend_of_delete(piece)));
            }
        }
    }

    // Computes a row. Returns whether the score in column 0 fits.
    __device__ __forceinline__ bool fill(int32 row, const TableRow& its_row, Cells& its_cells, int32& pass) const {
        bool fits = true;
        int32 most[PIECES];
        fill_with(most, LOWEST);
        for (int32 base = 0; base < width; base += 32 * WARPS * K) {
            int32 at = base + static_cast<int32>(threadIdx.x) * K;
            bool is_active = at < width;
            int32 border[PIECES];
            int32 lane_most[PIECES];
            fill_with(border, LOWEST);
            fill_with(lane_most, LOWEST);
            if (is_active) {
                add_border(its_cells.begin(best(its_row.first) + K + at, part()), its_row.first, border);
#pragma unroll 1
                for (int32 k = its_row.begin + 1; k < its_row.end; k++) {
                    int32 p = before[k];
                    add_border(its_cells.follow(best(p) + K + at, part()), p, border);
                }
                its_cells.match(cell_symbols() + at, its_row.symbol);
#pragma unroll
                for (int32 piece = 0; piece < PIECES; piece++) {
                    lane_most[piece] =
                            its_cells.tilted_most(piece) + (at + 1) * scoring.extend_of_insert(piece);
                }
            }
            int32 first = max(border[0], border[PIECES - 1]);
            if (at == 0) {
                best(row)[Cells::place(0)] = static_cast<Cell>(first);
                fits = its_cells.fits(first);
#pragma unroll
                for (int32 piece = 0; piece < PIECES; piece++) {
                    skip(piece, row)[Cells::place(0)] = static_cast<Cell>(border[piece]);
                    lane_most[piece] = max(lane_most[piece], first);
                }
            }
#pragma unroll
            for (int32 piece = 0; piece < PIECES; piece++) {
                int32 earlier = scan(lane_most[piece], most[piece], pass++);
                if (is_active) {
                    its_cells.insert(
                            piece, (at == 0 ? first : earlier) - at * scoring.extend_of_insert(piece));
                }
            }
            if (is_active) {
                its_cells.store(best(row) + K + at, part());
            }
        }
        return fits;
    }

    __device__ static __forceinline__ void fill_with(int32 (&values)[PIECES], int32 value) {
#pragma unroll
        for (int32 piece = 0; piece < PIECES; piece++) {
            values[piece] = value;
        }
    }

    // Returns the maximum of `most` and the values of all threads before this one. Then includes all values in `most`.
    __device__ __forceinline__ int32 scan(int32 value, int32& most, int32 pass) const {
        int32 lane = threadIdx.x % 32;
        int32 up_to_lane = value;
#pragma unroll
        for (int32 other = 1; other < 32; other *= 2) {
            int32 lower = __shfl_up_sync(~0u, up_to_lane, other);
            up_to_lane = lane >= other ? max(up_to_lane, lower) : up_to_lane;
        }
        int32 lower = __shfl_up_sync(~0u, up_to_lane, 1);
        int32 earlier = lane == 0 ? most : max(most, lower);
        if (WARPS == 1) {
            most = max(most, __shfl_sync(~0u, up_to_lane, 31));
            return earlier;
        }
        // the next pass uses the other half of `maxima`, so one barrier is enough
        int32* of_warps = maxima + pass % 2 * WARPS;
        int32 warp = threadIdx.x / 32;
        if (lane == 31) {
            of_warps[warp] = up_to_lane;
        }
        __syncthreads();
#pragma unroll
        for (int32 other = 0; other < WARPS; other++) {
            int32 its = of_warps[other];
            earlier = other < warp ? max(earlier, its) : earlier;
            most = max(most, its);
        }
        return earlier;
    }
};
