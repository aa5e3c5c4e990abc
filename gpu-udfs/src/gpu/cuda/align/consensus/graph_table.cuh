// Aligns a string with a graph: dev.bellman.align.consensus.GraphAlignment. The warps of a block compute the table row
// by row. A lane computes K adjacent columns, from one predecessor after another; a scan over all lanes adds the gaps
// opposite characters. Then one warp traces back.
//
// A gap from column k to column j costs open - extend + j * extend - k * extend. So the best gap that ends in a column
// begins at the maximum of best[k] + k * extend over the previous columns. Example for open 3 and extend 1: if the
// scores without such gaps are 0 -2 5 -9 -9, then best[k] + k * extend is 0 -1 7 -6 -5, the maxima before columns 1 to
// 4 are 0 0 7 7, the scores of the gaps are -3 -4 2 1, and the scores with gaps are 0 -2 5 2 1.
#pragma once

#include "align/consensus/graph.cuh"

// A scoring in the form that the kernels use.
struct ConsensusScoring {
    // for each ASCII character, its column of the table, or NO_CODE; null if characters are compared
    const uint8* codes;
    // `columns` rows of `columns` scores; the last row and column are for characters that are not in the matrix
    const int32* table;
    int32 columns;
    int32 has_other;     // whether such characters have a score
    int32 match;
    int32 mismatch;
    int32 insert_open;
    int32 insert_extend;
    int32 delete_open;
    int32 delete_extend;
    int32 magnitude;     // the largest magnitude of a number in the scoring

    __device__ __forceinline__ int32 column(int32 symbol) const {
        return min(symbol, columns - 1);
    }

    __device__ __forceinline__ int32 score(int32 x, int32 y) const {
        return codes == nullptr ? (x == y ? match : mismatch) : table[column(x) * columns + column(y)];
    }

    __device__ __forceinline__ int32 insertion(int32 letters) const {
        return letters == 0 ? 0 : insert_open + (letters - 1) * insert_extend;
    }
};

template <typename Value, int K>
struct alignas(K * sizeof(Value) < 16 ? K * sizeof(Value) : 16) Several {
    Value values[K];
};

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

// The table. Column j of a row is at K - 1 + j, so that columns 1, K + 1, ... are aligned. A row contains the best
// scores, and then the best scores of alignments that end with a gap opposite nodes.
template <typename Cell, int WARPS, int K>
struct GraphTable {
    // The score if there is no alignment; it is smaller than any score, even after a gap is extended.
    static constexpr int32 NO_SCORE = sizeof(Cell) == 2 ? -(1 << 15) : -(1 << 30);
    static constexpr int32 LARGEST = (1 << 15) - 1;

    const ConsensusGraph& graph;
    ConsensusScoring scoring;
    int32* maxima;         // two rows with the maximum of each warp
    // copies, because loads from shared memory are slower
    const NodeRow* rows;
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
        return 2 * static_cast<int64>(sizeof(Cell)) * (K + (longest + K - 1) / K * K);
    }

    __device__ __forceinline__ Cell* best(int32 row) const {
        return cells + 2LL * row * (K + width) + K - 1;
    }

    __device__ __forceinline__ Cell* skip(int32 row) const {
        return best(row) + K + width;
    }

    // Computes the table. Returns whether all scores fit in cells, which 32-bit scores always do.
    __device__ __forceinline__ bool fill() const {
        bool fits = start();
        sync<WARPS>();
        int32 pass = 0;
        for (int32 row = 1; row <= nodes; row++) {
            fits &= fill(row, pass);
            sync<WARPS>();
        }
        return sizeof(Cell) != 2 || holds_in_all<WARPS>(fits);
    }

    // Traces back, and finds the node with which each character is aligned. One warp calls this function.
    __device__ __forceinline__ void trace(int32 lane) const {
        for (int32 i = lane; i < n; i += 32) {
            graph.aligned[i] = NONE;
        }
        __syncwarp();
        int32 row = last_row(lane);
        int32 j = n;
        int32 score = best(row)[j];
        while (row > 0 && j > 0) {
            int32 begin = rows[row - 1].begin;
            int32 end = rows[row].begin;
            int32 wanted = score - scoring.score(symbols[j - 1], rows[row - 1].symbol);
            int32 aligned = find(begin, end, lane, [=](int32 p) { return best(p)[j - 1] == wanted; });
            if (aligned >= 0) {
                j--;
                if (lane == 0) {
                    graph.aligned[j] = graph.order[row - 1];
                }
                row = aligned;
                score = wanted;
                continue;
            }
            int32 skipped = before_skipped(begin, end, j, score, lane);
            if (skipped >= 0) {
                row = skipped;
            } else {
                j = before_inserted(row, j, score, lane);
            }
            score = best(row)[j];
        }
        __syncwarp();
    }

private:
    __device__ static __forceinline__ Several<Cell, K> load(const Cell* from) {
        return *reinterpret_cast<const Several<Cell, K>*>(from);
    }

    __device__ static __forceinline__ void store(Cell* to, const int32 (&values)[K]) {
        Several<Cell, K> several;
#pragma unroll
        for (int32 e = 0; e < K; e++) {
            several.values[e] = static_cast<Cell>(values[e]);
        }
        *reinterpret_cast<Several<Cell, K>*>(to) = several;
    }

    // Returns whether the scores fit. A score up to NO_SCORE does not, because NO_SCORE may have replaced it.
    __device__ static __forceinline__ bool fits(int32 smaller, int32 larger) {
        return sizeof(Cell) != 2 || (smaller > NO_SCORE && larger <= LARGEST);
    }

    // Writes row 0.
    __device__ __forceinline__ bool start() const {
        int32 thread = threadIdx.x;
        for (int32 j = thread; j <= width; j += 32 * WARPS) {
            best(0)[j] = static_cast<Cell>(-scoring.insertion(j));
            skip(0)[j] = static_cast<Cell>(NO_SCORE);
        }
        return fits(-scoring.insertion(width), 0);
    }

    __device__ __forceinline__ bool fill(int32 row, int32& pass) const {
        int32 begin = rows[row - 1].begin;
        int32 symbol = rows[row - 1].symbol;
        int32 end = rows[row].begin;
        int32 first = NO_SCORE;
        for (int32 k = begin; k < end; k++) {
            int32 p = before[k];
            // in column 0, all alignments end with a gap
            first = max(first, best(p)[0] - (p == 0 ? scoring.delete_open : scoring.delete_extend));
        }
        bool all_fit = fits(first, first);
        if (threadIdx.x == 0) {
            best(row)[0] = static_cast<Cell>(first);
            skip(row)[0] = static_cast<Cell>(first);
        }
        int32 most = first;
        for (int32 base = 0; base < width; base += 32 * WARPS * K) {
            int32 at = base + static_cast<int32>(threadIdx.x) * K;
            bool is_active = at < width;
            int32 bests[K];
            int32 skips[K];
            int32 tilt = (at + 1) * scoring.insert_extend;
            int32 lane_most = -(1 << 30);
            if (is_active) {
                from_predecessors(begin, end, at, symbol, bests, skips);
#pragma unroll
                for (int32 e = 0; e < K; e++) {
                    lane_most = max(lane_most, bests[e] + tilt + e * scoring.insert_extend);
                }
            }
            int32 earlier = scan(lane_most, most, pass++);
            if (is_active) {
                insert(earlier, tilt, bests);
#pragma unroll
                for (int32 e = 0; e < K; e++) {
                    all_fit &= fits(skips[e], bests[e]);
                }
                store(best(row) + at + 1, bests);
                store(skip(row) + at + 1, skips);
            }
        }
        return all_fit;
    }

    // Computes the scores of alignments that do not end with a gap opposite a character. The first column is `at + 1`.
    __device__ __forceinline__ void from_predecessors(
            int32 begin, int32 end, int32 at, int32 symbol, int32 (&bests)[K], int32 (&skips)[K]) const {
#pragma unroll
        for (int32 e = 0; e < K; e++) {
            bests[e] = NO_SCORE;
            skips[e] = NO_SCORE;
        }
        for (int32 k = begin; k < end; k++) {
            int32 p = before[k];
            Several<Cell, K> best_before = load(best(p) + at + 1);
            Several<Cell, K> skip_before = load(skip(p) + at + 1);
            int32 diagonal = best(p)[at];
#pragma unroll
            for (int32 e = 0; e < K; e++) {
                int32 above = best_before.values[e];
                bests[e] = max(bests[e], diagonal);
                skips[e] = max(
                        skips[e],
                        max(above - scoring.delete_open, skip_before.values[e] - scoring.delete_extend));
                diagonal = above;
            }
        }
        Several<int32, K> characters = *reinterpret_cast<const Several<int32, K>*>(symbols + at);
        if (scoring.codes == nullptr) {
#pragma unroll
            for (int32 e = 0; e < K; e++) {
                bests[e] += characters.values[e] == symbol ? scoring.match : scoring.mismatch;
            }
        } else {
            const int32* scores = scoring.table + scoring.column(symbol);
#pragma unroll
            for (int32 e = 0; e < K; e++) {
                bests[e] += scores[scoring.column(characters.values[e]) * scoring.columns];
            }
        }
#pragma unroll
        for (int32 e = 0; e < K; e++) {
            bests[e] = max(bests[e], skips[e]);
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

    // Raises the scores to those of alignments that end with a gap opposite a character, where these are higher.
    __device__ __forceinline__ void insert(int32 earlier, int32 tilt, int32 (&bests)[K]) const {
        int32 opening = scoring.insert_open - scoring.insert_extend;
#pragma unroll
        for (int32 e = 0; e < K; e++) {
            int32 tilted = bests[e] + tilt;
            bests[e] = max(bests[e], earlier - opening - tilt);
            earlier = max(earlier, tilted);
            tilt += scoring.insert_extend;
        }
    }

    // Returns the row at which the alignment ends.
    __device__ __forceinline__ int32 last_row(int32 lane) const {
        int32 found = 0;
        int32 most = 0;
        for (int32 rank = lane; rank < nodes; rank += 32) {
            if ((graph.marks[graph.order[rank]] & ConsensusGraph::HAS_OUT) == 0) {
                int32 score = best(rank + 1)[n];
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
    __device__ __forceinline__ int32 find(int32 begin, int32 end, int32 lane, Property has) const {
        for (int32 k = begin; k < end; k += 32) {
            int32 p = k + lane < end ? before[k + lane] : NONE;
            uint32 found = __ballot_sync(~0u, p >= 0 && has(p));
            if (found != 0) {
                return __shfl_sync(~0u, p, __ffs(found) - 1);
            }
        }
        return NONE;
    }

    // Returns the row before the gap opposite nodes that ends in a cell with the given score, or NONE if no such gap
    // leads to this score.
    __device__ __forceinline__ int32 before_skipped(int32 begin, int32 end, int32 j, int32 score, int32 lane) const {
        int32 open = scoring.delete_open;
        int32 extend = scoring.delete_extend;
        bool is_affine = open != extend;
        int32 p = find(begin, end, lane, [=](int32 row) {
            return (is_affine && score == skip(row)[j] - extend) || score == best(row)[j] - open;
        });
        if (p < 0 || !is_affine || score != skip(p)[j] - extend) {
            return p;
        }
        // finds the gap's first node
        while (true) {
            int32 gap = skip(p)[j];
            p = find(rows[p - 1].begin, rows[p].begin, lane, [=](int32 row) {
                return gap == best(row)[j] - open || gap == skip(row)[j] - extend;
            });
            if (gap == best(p)[j] - open) {
                return p;
            }
        }
    }

    // Returns the column before the gap opposite characters that ends in a cell with the given score.
    __device__ __forceinline__ int32 before_inserted(int32 row, int32 last, int32 score, int32 lane) const {
        int32 open = scoring.insert_open;
        int32 extend = scoring.insert_extend;
        if (open == extend) {
            return last - 1;
        }
        // the longest gap with this score
        for (int32 first = 0; first < last; first += 32) {
            int32 j = first + lane;
            bool begins = j < last && best(row)[j] - open - (last - 1 - j) * extend == score;
            uint32 found = __ballot_sync(~0u, begins);
            if (found != 0) {
                return first + __ffs(found) - 1;
            }
        }
        return last - 1;
    }
};
