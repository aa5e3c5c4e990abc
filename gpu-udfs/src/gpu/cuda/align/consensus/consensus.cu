// Computes the consensus of the strings of each row: dev.bellman.align.consensus.Consensus. A block solves one row at a
// time, in a slot of memory. The size of a graph is not known before its strings are aligned, so a slot has space for
// the graph of strings with few errors. If a graph is larger, or if scores do not fit in 16 bits, a second launch
// solves the row in a larger slot, in 32 bits. If this slot is too small or does not fit in memory, the CPU does.
#include "align/consensus/bundle.cuh"
#include "align/consensus/graph.cuh"
#include "align/consensus/graph_order.cuh"
#include "align/consensus/graph_table.cuh"
#include "align/consensus/graph_trace.cuh"
#include "align/consensus/scoring.cuh"
#include "columns/instances.cuh"
#include "columns/slots.cuh"
#include "common/host.cuh"
#include "common/utf8.cuh"

// Limits above which the CPU solves a row: the estimated numbers of rows and cells in the tables of all its strings,
// and the magnitude of scores.
constexpr int64 MAX_ROWS = 1 << 22;
constexpr int64 MAX_CELLS = 1LL << 32;
constexpr int64 MAX_SCORE = 1 << 29;
// One warp solves a row whose strings have at most this many bytes each; several warps solve any other row.
constexpr int32 SHORT = 1024;
constexpr int32 SHORT_WARPS = 1;
constexpr int32 LONG_WARPS = 4;
constexpr int32 SHORT_BLOCK = 32 * SHORT_WARPS;
constexpr int32 LONG_BLOCK = 32 * LONG_WARPS;
// The number of adjacent columns that a lane computes.
constexpr int32 COLUMNS = 16;
// A class is a kernel and the binary logarithm of the size of a slot, counted from the largest. The kernels with
// 16 bits are in this order: short strings, long strings, short strings with two-piece gap costs, long strings with
// two-piece gap costs. The kernels with 32 bits follow in the same order.
constexpr int32 SIZES = 32;
constexpr int32 KINDS = 4;
constexpr int32 KERNELS = 2 * KINDS;
constexpr int32 SLOT_UNIT = 1024;
FOR_HOST(SHORT_BLOCK);
FOR_HOST(LONG_BLOCK);
FOR_HOST(SIZES);
FOR_HOST(KINDS);
FOR_HOST(KERNELS);
FOR_HOST(SLOT_UNIT);

// A column of lists of strings, and the number of each row's scoring.
struct ConsensusCalls {
    const int32* offsets;
    const int32* string_offsets;
    const uint8* bytes;
    const uint32* validity;  // the validity of the strings
    const int32* numbers;    // negative if the row has no scoring
    const ConsensusScoring* scorings;
};

// The results. The space for a row's result is as large as its strings, and the result is at the end of this space.
struct ConsensusAnswers {
    int32* lengths;  // initially 0
    uint8* bytes;
};

// The rows for the second launch, which has the same kinds of kernels as the first.
struct ConsensusRetries {
    int32* counts;  // initially 0
    int32* sizes;   // for each kind, the largest slot that a row needs, in units; initially 0
    int32* rows;    // `stride` rows of each kind
    int32 stride;
    int32 most;     // the maximum size of a slot in units; 0 in the second launch
};

STRUCT_FOR_HOST(ConsensusScoring);
MEMBER_FOR_HOST(ConsensusScoring, codes);
MEMBER_FOR_HOST(ConsensusScoring, table);
MEMBER_FOR_HOST(ConsensusScoring, columns);
MEMBER_FOR_HOST(ConsensusScoring, has_other);
MEMBER_FOR_HOST(ConsensusScoring, match);
MEMBER_FOR_HOST(ConsensusScoring, mismatch);
MEMBER_FOR_HOST(ConsensusScoring, insert_open);
MEMBER_FOR_HOST(ConsensusScoring, insert_extend);
MEMBER_FOR_HOST(ConsensusScoring, delete_open);
MEMBER_FOR_HOST(ConsensusScoring, delete_extend);
MEMBER_FOR_HOST(ConsensusScoring, insert_open2);
MEMBER_FOR_HOST(ConsensusScoring, insert_extend2);
MEMBER_FOR_HOST(ConsensusScoring, delete_open2);
MEMBER_FOR_HOST(ConsensusScoring, delete_extend2);
MEMBER_FOR_HOST(ConsensusScoring, has_two_pieces);
MEMBER_FOR_HOST(ConsensusScoring, magnitude);
STRUCT_FOR_HOST(ConsensusCalls);
MEMBER_FOR_HOST(ConsensusCalls, offsets);
MEMBER_FOR_HOST(ConsensusCalls, string_offsets);
MEMBER_FOR_HOST(ConsensusCalls, bytes);
MEMBER_FOR_HOST(ConsensusCalls, validity);
MEMBER_FOR_HOST(ConsensusCalls, numbers);
MEMBER_FOR_HOST(ConsensusCalls, scorings);
STRUCT_FOR_HOST(ConsensusAnswers);
MEMBER_FOR_HOST(ConsensusAnswers, lengths);
MEMBER_FOR_HOST(ConsensusAnswers, bytes);
STRUCT_FOR_HOST(ConsensusRetries);
MEMBER_FOR_HOST(ConsensusRetries, counts);
MEMBER_FOR_HOST(ConsensusRetries, sizes);
MEMBER_FOR_HOST(ConsensusRetries, rows);
MEMBER_FOR_HOST(ConsensusRetries, stride);
MEMBER_FOR_HOST(ConsensusRetries, most);

namespace {

constexpr int32 NO_CODE = 255;

// The number of a row's nonempty strings, their total length and the length of the longest string, in bytes; and the
// number of pieces of the costs of gaps.
struct ConsensusSize {
    int64 strings;
    int64 total;
    int64 longest;
    int32 pieces;

    __device__ __forceinline__ bool is_short() const {
        return longest <= SHORT;
    }

    __device__ __forceinline__ int32 kind() const {
        return (is_short() ? 0 : 1) + (pieces - 1) * 2;
    }

    // Returns the number of nodes for which the first launch has space. With errors in 5 % of the characters, of which
    // a third are deletions, each string adds at most about 1 / 30 of its length.
    __device__ __forceinline__ int64 usual_nodes() const {
        return min(total, longest + (strings - 1) * longest * 3 / 64 + 64);
    }

    // Returns the number of nodes for which the second launch has space.
    __device__ __forceinline__ int64 most_nodes() const {
        return min(total, 3 * usual_nodes());
    }

    // Returns the number of bytes for each node.
    __device__ __forceinline__ int64 bytes_of_a_node(bool wide) const {
        return GRAPH_BYTES_OF_A_NODE + max(static_cast<int64>(SCRATCH_BYTES_OF_A_NODE), row_bytes(wide));
    }

    __device__ __forceinline__ int64 other_bytes(bool wide) const {
        return fixed_bytes(longest) + row_bytes(wide);
    }

    // Returns the size of a slot in units.
    __device__ __forceinline__ int64 units(int64 nodes, bool wide) const {
        return (other_bytes(wide) + nodes * bytes_of_a_node(wide) + SLOT_UNIT - 1) / SLOT_UNIT;
    }

private:
    __device__ __forceinline__ int64 row_bytes(bool wide) const {
        int64 cells = pieces == 1 ? GraphTable<int16, SHORT_WARPS, COLUMNS, 1>::row_bytes(longest)
                                  : GraphTable<int16, SHORT_WARPS, COLUMNS, 2>::row_bytes(longest);
        return wide ? 2 * cells : cells;
    }
};

__device__ __forceinline__ int64 most_of_lanes(int64 value) {
    return max_of_lanes<32>(value);
}

__device__ __forceinline__ ConsensusSize size_of(const ConsensusCalls& calls, int32 row, int32 lane) {
    int64 strings = 0;
    int64 longest = 0;
    for (int32 i = calls.offsets[row] + lane; i < calls.offsets[row + 1]; i += 32) {
        int64 length = calls.string_offsets[i + 1] - calls.string_offsets[i];
        strings += length > 0 ? 1 : 0;
        longest = max(longest, length);
    }
    int64 total = calls.string_offsets[calls.offsets[row + 1]] - calls.string_offsets[calls.offsets[row]];
    int32 pieces = calls.scorings[calls.numbers[row]].has_two_pieces != 0 ? 2 : 1;
    return {sum_of_lanes<32>(strings), total, most_of_lanes(longest), pieces};
}

// Returns whether no string is null and each character has a score.
__device__ __forceinline__ bool check(
        const ConsensusCalls& calls, const ConsensusScoring& scoring, int32 row, int32 lane) {
    bool valid = true;
    for (int32 i = calls.offsets[row] + lane; i < calls.offsets[row + 1]; i += 32) {
        valid = valid && is_valid(calls.validity, i);
    }
    if (__all_sync(~0u, valid) == 0) {
        return false;
    }
    if (scoring.codes != nullptr && scoring.has_other == 0) {
        int32 end = calls.string_offsets[calls.offsets[row + 1]];
        for (int32 at = calls.string_offsets[calls.offsets[row]] + lane; at < end; at += 32) {
            uint32 byte = calls.bytes[at];
            valid = valid && byte < 128 && scoring.codes[byte] != NO_CODE;
        }
    }
    return __all_sync(~0u, valid) != 0;
}

}  // namespace

// Classifies the rows, with one warp per row. The size of a row is the size of its slot.
extern "C" __global__ void consensus_classify(
        int32 rows, const uint32* validity, ConsensusCalls calls, Classified rows_of) {
    int64 index = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(index, lane, rows, validity)) {
        return;
    }
    int32 row = static_cast<int32>(index);
    if (calls.numbers[row] < 0) {
        if (lane == 0) {
            rows_of.put(row, ON_CPU, 0, 0);
        }
        return;
    }
    const ConsensusScoring& scoring = calls.scorings[calls.numbers[row]];
    bool valid = check(calls, scoring, row, lane);
    ConsensusSize size = size_of(calls, row, lane);
    if (lane != 0) {
        return;
    }
    if (!valid) {
        rows_of.put(row, REJECTED, 0, 0);
        return;
    }
    bool is_large = (size.total + size.longest + 2) * scoring.magnitude >= MAX_SCORE
            || size.strings * size.most_nodes() > MAX_ROWS
            || size.strings * size.most_nodes() * size.longest > MAX_CELLS;
    // the scores in row 0 do not fit in 16 bits
    bool is_wide = scoring.insertion(static_cast<int32>(size.longest) + COLUMNS)
            >= (1 << 15) - (COLUMNS + 2) * static_cast<int64>(scoring.magnitude);
    int64 units = is_large ? 0 : size.units(size.usual_nodes(), is_wide);
    if (is_large || units > 0x7fffffff) {
        rows_of.put(row, ON_CPU, 0, 0);
    } else {
        int32 kernel = size.kind() + (is_wide ? KINDS : 0);
        rows_of.put(row, kernel * SIZES + __clz(static_cast<int32>(units)), static_cast<int32>(units), 0);
    }
}

namespace {

template <typename Cell>
struct ConsensusShared {
    ConsensusGraph graph;
    int32 maxima[2 * LONG_WARPS];
    TraceWindow<Cell> window;
};

// Reads a string into the graph's arrays. Returns whether its symbols fit in 16 bits. One warp calls this function.
__device__ __forceinline__ bool read_string(
        const ConsensusCalls& calls, const ConsensusScoring& scoring, int32 string, ConsensusGraph& graph, int32 lane) {
    const uint8* bytes = calls.bytes + calls.string_offsets[string];
    int32 length = calls.string_offsets[string + 1] - calls.string_offsets[string];
    bool is_ascii = true;
    for (int32 i = lane; i < length; i += 32) {
        is_ascii = is_ascii && bytes[i] < 128;
        graph.string_characters[i] = bytes[i];
    }
    is_ascii = __all_sync(~0u, is_ascii) != 0;
    if (!is_ascii) {
        int32 count = 0;
        for (int32 at = 0; lane == 0 && at < length; at += bytes_from(bytes[at])) {
            graph.string_characters[count++] = character_at(bytes, at, length);
        }
        length = __shfl_sync(~0u, count, 0);
    }
    __syncwarp();
    bool is_narrow = true;
    for (int32 i = lane; i < length + PADDING; i += 32) {
        int32 character = i < length ? graph.string_characters[i] : 0;
        int32 symbol = character;
        if (scoring.codes != nullptr) {
            uint32 number = character;
            symbol = number < 128 ? scoring.codes[number] : scoring.columns - 1;
            if (symbol >= scoring.columns - 1) {
                symbol = scoring.columns - 1 + (character & 0x3fffffff);
            }
        }
        is_narrow = is_narrow && static_cast<uint32>(symbol) < 1 << 16;
        graph.string_symbols[i] = symbol;
        graph.aligned[i] = NONE;
    }
    if (lane == 0) {
        graph.counts.length = length;
    }
    return __all_sync(~0u, is_narrow) != 0;
}

template <typename Cell, int WARPS, int K, int PIECES>
struct ConsensusRow {
    const ConsensusCalls& calls;
    const ConsensusAnswers& answers;
    const Classified& rows_of;
    ConsensusShared<Cell>& shared;

    // Solves a row. Returns whether its graph fits in the slot, and its scores in cells.
    __device__ __forceinline__ bool solve(int32 row, uint8* slot, int64 slot_bytes) const {
        int32 warp = threadIdx.x / 32;
        int32 lane = threadIdx.x % 32;
        ConsensusSize size = size_of(calls, row, lane);
        int64 nodes =
                (slot_bytes - size.other_bytes(sizeof(Cell) > 2)) / size.bytes_of_a_node(sizeof(Cell) > 2);
        ConsensusGraph& graph = shared.graph;
        if (threadIdx.x == 0) {
            graph.start(slot, static_cast<int32>(size.longest), static_cast<int32>(min(size.total, nodes)));
        }
        sync<WARPS>();
        const ConsensusScoring& scoring = calls.scorings[calls.numbers[row]];
        int64 cells = 0;
        for (int32 i = calls.offsets[row]; i < calls.offsets[row + 1]; i++) {
            if (calls.string_offsets[i + 1] == calls.string_offsets[i]) {
                continue;
            }
            if (warp == 0) {
                bool is_narrow = read_string(calls, scoring, i, graph, lane);
                if (lane == 0 && sizeof(Cell) == 2 && !is_narrow) {
                    graph.counts.fits = 0;
                }
            }
            sync<WARPS>();
            int32 before = graph.counts.nodes;
            bool fits = graph.counts.fits != 0;
            cells += static_cast<int64>(before) * graph.counts.length;
            sync<WARPS>();
            fits = fits && (before == 0 || align(graph, scoring));
            if (warp == 0 && fits) {
                graph.add(lane);
            }
            sync<WARPS>();
            if (!fits || graph.counts.fits == 0) {
                return false;
            }
            GraphOrder(graph).sort();
        }
        if (warp == 0) {
            write(graph, row, cells, lane);
        }
        sync<WARPS>();
        return true;
    }

private:
    // Aligns the current string. Returns whether the scores fit.
    __device__ __forceinline__ bool align(ConsensusGraph& graph, const ConsensusScoring& scoring) const {
        GraphTable<Cell, WARPS, K, PIECES> table(graph, scoring, shared.maxima);
        bool fits = table.fill();
        if (threadIdx.x < 32 && fits) {
            GraphTrace<Cell, WARPS, K, PIECES>(graph, table, shared.window).trace();
        }
        return fits;
    }

    __device__ __forceinline__ void write(const ConsensusGraph& graph, int32 row, int64 cells, int32 lane) const {
        int32 last = NONE;
        HeaviestBundle bundle(graph);
        if (graph.counts.nodes > 0) {
            last = bundle.last(lane);
        }
        if (lane == 0) {
            uint8* end = answers.bytes + calls.string_offsets[calls.offsets[row + 1]];
            answers.lengths[row] = bundle.write(last, end);
            rows_of.cells[row] = cells;
        }
    }
};

// Solves the rows of a group, which blocks take in turn. Adds those that do not fit to `retries`, or leaves them to the
// CPU.
template <typename Cell, int WARPS, int K, int PIECES>
__device__ __forceinline__ void solve_rows(
        const Slots& slots,
        const ConsensusCalls& calls,
        const ConsensusAnswers& answers,
        const Classified& rows_of,
        const ConsensusRetries& retries) {
    __shared__ ConsensusShared<Cell> shared;
    ConsensusRow<Cell, WARPS, K, PIECES> solver{calls, answers, rows_of, shared};
    for (int32 i = slots.next(); i < slots.to; i = slots.next()) {
        int32 row = slots.order[i];
        bool solved = solver.solve(row, slots.of_block(), slots.bytes);
        if (!solved && threadIdx.x < 32) {
            ConsensusSize size = size_of(calls, row, threadIdx.x);
            int64 units = size.units(size.most_nodes(), true);
            if (threadIdx.x == 0 && units <= retries.most) {
                int32 kind = size.kind();
                retries.rows[kind * retries.stride + atomicAdd(retries.counts + kind, 1)] = row;
                atomicMax(retries.sizes + kind, static_cast<int32>(units));
            } else if (threadIdx.x == 0) {
                rows_of.put(row, ON_CPU, 0, 0);
            }
        }
    }
}

}  // namespace

// Each kernel solves rows of one kind; at least BLOCKS blocks fit on a multiprocessor.
#define CONSENSUS_KERNEL(name, Cell, WARPS, PIECES, BLOCKS) \
    extern "C" __global__ void __launch_bounds__(32 * WARPS, BLOCKS) name( \
            const __grid_constant__ Slots slots, \
            ConsensusCalls calls, \
            ConsensusAnswers answers, \
            Classified rows_of, \
            ConsensusRetries retries) { \
        solve_rows<Cell, WARPS, COLUMNS, PIECES>(slots, calls, answers, rows_of, retries); \
    }

CONSENSUS_KERNEL(consensus_short, int16, SHORT_WARPS, 1, 20)
CONSENSUS_KERNEL(consensus_long, int16, LONG_WARPS, 1, 5)
CONSENSUS_KERNEL(consensus_short_two_pieces, int16, SHORT_WARPS, 2, 16)
CONSENSUS_KERNEL(consensus_long_two_pieces, int16, LONG_WARPS, 2, 5)
CONSENSUS_KERNEL(consensus_short_wide, int32, SHORT_WARPS, 1, 20)
CONSENSUS_KERNEL(consensus_long_wide, int32, LONG_WARPS, 1, 5)
CONSENSUS_KERNEL(consensus_short_two_pieces_wide, int32, SHORT_WARPS, 2, 16)
CONSENSUS_KERNEL(consensus_long_two_pieces_wide, int32, LONG_WARPS, 2, 5)

// Copies the results to their positions in the column, with one warp per row.
extern "C" __global__ void consensus_gather(
        int32 rows, ConsensusCalls calls, ConsensusAnswers answers, const int32* to_offsets, uint8* to) {
    int64 row = thread_index() / 32;
    if (row < rows) {
        int32 begin = to_offsets[row];
        int32 count = to_offsets[row + 1] - begin;
        const uint8* from = answers.bytes + calls.string_offsets[calls.offsets[row + 1]] - count;
        for (int32 i = threadIdx.x % 32; i < count; i += 32) {
            to[begin + i] = from[i];
        }
    }
}
