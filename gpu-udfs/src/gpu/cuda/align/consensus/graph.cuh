// The graph of a row's strings in a block's slot: dev.bellman.align.consensus.PartialOrderGraph. One warp changes it.
//
// Example: after ACG and ATG, whose second characters are aligned, the nodes are A0 C1 G2 T3. The node C1 has the mate
// T3 and vice versa. The edges are A0-C1, C1-G2, A0-T3 and T3-G2, each with weight 1.
#pragma once

#include "common/columns.cuh"
#include "common/warp.cuh"

// For each node, a slot has space for these numbers of edges and of entries in lists of mates.
constexpr int32 EDGES_OF_A_NODE = 2;
constexpr int32 MATES_OF_A_NODE = 4;
constexpr int32 GRAPH_BYTES_OF_A_NODE = 4 * (16 + 3 * EDGES_OF_A_NODE + 1 + EDGES_OF_A_NODE + 2 * MATES_OF_A_NODE) + 1;
// The number of bytes of scratch memory per node: enough for the places and stacks of GraphOrder, which are larger than
// the scores and choices of the bundle.
constexpr int32 SCRATCH_BYTES_OF_A_NODE = 4 * (2 + 2 + EDGES_OF_A_NODE);
constexpr int32 BYTES_OF_A_CHARACTER = 3 * 4 + 2;
// The arrays in a slot begin at multiples of this number of bytes.
constexpr int32 ALIGNMENT = 16;
constexpr int32 ARRAYS = 24;
// The number of characters after a string that threads may read.
constexpr int32 PADDING = 16;

constexpr int32 NONE = -1;

// A node's incoming edges and mates, for the search.
struct alignas(16) NodeLinks {
    int32 before;     // the source of the first incoming edge
    int32 more;       // the second incoming edge
    int32 mates;      // the first entry of the list of mates
    int32 last_mate;  // the last entry
};

// A row of the table: its predecessors are before[begin] to before[end - 1], and `first` is the first of them.
struct alignas(16) TableRow {
    int32 begin;
    int32 end;
    int32 symbol;
    int32 first;
};

// The numbers of a graph's parts.
struct GraphCounts {
    int32 nodes;
    int32 edges;
    int32 mates;
    int32 length;  // the length of the current string
    int32 fits;    // whether everything has fit in the slot so far
};

// The arrays in a slot.
struct SlotArrays {
    uint8* next;

    template <typename Value>
    __device__ __forceinline__ Value* take(int64 count) {
        Value* taken = reinterpret_cast<Value*>(next);
        next += (count * static_cast<int64>(sizeof(Value)) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        return taken;
    }
};

// Returns the number of bytes of a slot that do not depend on the number of nodes.
__device__ __forceinline__ int64 fixed_bytes(int64 longest) {
    return BYTES_OF_A_CHARACTER * (longest + PADDING) + ALIGNMENT * ARRAYS;
}

// The graph, in shared memory.
struct ConsensusGraph {
    enum Mark : uint8 { HAS_OUT = 1, IS_DONE = 2, IS_MATE = 4 };

    GraphCounts counts;
    int32 max_nodes;
    NodeLinks* links;
    TableRow* rows;     // the rows by the ranks of their nodes
    int32* order;       // the nodes by rank
    int32* ranks;
    int32* symbols;
    int32* characters;
    int32* first_edges;
    int32* last_edges;
    int32* in_counts;
    int32* starts;      // the first node whose search finds each node: see GraphOrder
    int32* sources;     // the source of each edge
    int32* next_edges;  // the next edge to the same node
    int32* weights;
    int32* before;      // the rows before each row, in the order of its edges; row 0 precedes the first nodes
    int32* mates;
    int32* next_mates;
    uint8* marks;
    // the current string
    int32* string_symbols;
    int32* string_characters;
    uint16* cell_symbols;  // the symbols in 16 bits, in the order of cells
    // the node with which each character is aligned, or NONE; after the string was added, the node of each character
    int32* aligned;
    uint8* scratch;     // memory for the search, the bundle or the table

    // Creates an empty graph. One thread calls this function.
    __device__ __forceinline__ void start(uint8* slot, int32 longest, int32 its_max_nodes) {
        counts = {0, 0, 0, 0, 1};
        max_nodes = its_max_nodes;
        SlotArrays arrays{slot};
        int64 nodes = max_nodes;
        links = arrays.take<NodeLinks>(nodes);
        rows = arrays.take<TableRow>(nodes);
        order = arrays.take<int32>(nodes);
        ranks = arrays.take<int32>(nodes);
        symbols = arrays.take<int32>(nodes);
        characters = arrays.take<int32>(nodes);
        first_edges = arrays.take<int32>(nodes);
        last_edges = arrays.take<int32>(nodes);
        in_counts = arrays.take<int32>(nodes);
        starts = arrays.take<int32>(nodes);
        sources = arrays.take<int32>(EDGES_OF_A_NODE * nodes);
        next_edges = arrays.take<int32>(EDGES_OF_A_NODE * nodes);
        weights = arrays.take<int32>(EDGES_OF_A_NODE * nodes);
        before = arrays.take<int32>((1 + EDGES_OF_A_NODE) * nodes);
        mates = arrays.take<int32>(MATES_OF_A_NODE * nodes);
        next_mates = arrays.take<int32>(MATES_OF_A_NODE * nodes);
        marks = arrays.take<uint8>(nodes);
        string_symbols = arrays.take<int32>(longest + PADDING);
        string_characters = arrays.take<int32>(longest + PADDING);
        cell_symbols = arrays.take<uint16>(longest + PADDING);
        aligned = arrays.take<int32>(longest + PADDING);
        scratch = arrays.next;
    }

    // Adds the current string. One warp calls this function.
    __device__ __forceinline__ void add(int32 lane) {
        int32 previous = NONE;
        for (int32 first = 0; first < counts.length && counts.fits != 0; first += 32) {
            previous = add(first, previous, lane);
        }
    }

private:
    // Adds up to 32 characters, each in one lane. This is possible because the characters of a string are in different
    // columns, so a lane does not change what another lane reads. Returns the node of the last lane, or NONE.
    __device__ __forceinline__ int32 add(int32 first, int32 previous, int32 lane) {
        int32 i = first + lane;
        bool has_character = i < counts.length;
        int32 symbol = has_character ? string_symbols[i] : 0;
        int32 opposite = has_character ? aligned[i] : NONE;
        int32 node = opposite >= 0 ? find(opposite, symbol) : NONE;
        uint32 added = __ballot_sync(~0u, has_character && node < 0);
        int32 nodes = counts.nodes;
        if (nodes + __popc(added) > max_nodes) {
            return fail(lane);
        }
        if (has_character && node < 0) {
            node = nodes + __popc(added & ((1u << lane) - 1));
            create(node, symbol, string_characters[i], opposite);
        }
        if (has_character) {
            aligned[i] = node;
        }
        __syncwarp();
        int32 from = __shfl_up_sync(~0u, node, 1);
        from = lane == 0 ? previous : from;
        bool joins = has_character && from >= 0;
        int32 edge = joins ? find_edge(from, node) : NONE;
        uint32 joined = __ballot_sync(~0u, joins && edge < 0);
        int32 edges = counts.edges;
        if (edges + __popc(joined) > EDGES_OF_A_NODE * max_nodes) {
            return fail(lane);
        }
        if (edge >= 0) {
            weights[edge]++;
        } else if (joins) {
            join(edges + __popc(joined & ((1u << lane) - 1)), from, node);
        }
        __syncwarp();
        if (lane == 0) {
            counts.nodes = nodes + __popc(added);
            counts.edges = edges + __popc(joined);
            counts.fits = counts.mates <= MATES_OF_A_NODE * max_nodes ? 1 : 0;
        }
        __syncwarp();
        return __shfl_sync(~0u, node, 31);
    }

    __device__ __forceinline__ int32 fail(int32 lane) {
        __syncwarp();
        if (lane == 0) {
            counts.fits = 0;
        }
        __syncwarp();
        return NONE;
    }

    // Returns the node of a column with this symbol, or NONE.
    __device__ __forceinline__ int32 find(int32 opposite, int32 symbol) const {
        if (symbols[opposite] == symbol) {
            return opposite;
        }
        for (int32 entry = links[opposite].mates; entry >= 0; entry = next_mates[entry]) {
            if (symbols[mates[entry]] == symbol) {
                return mates[entry];
            }
        }
        return NONE;
    }

    __device__ __forceinline__ int32 find_edge(int32 from, int32 to) const {
        int32 edge = first_edges[to];
        while (edge >= 0 && sources[edge] != from) {
            edge = next_edges[edge];
        }
        return edge;
    }

    // Creates a node.
    //
    // - opposite: a node of its column, or NONE
    __device__ __forceinline__ void create(int32 node, int32 symbol, int32 character, int32 opposite) {
        symbols[node] = symbol;
        characters[node] = character;
        first_edges[node] = NONE;
        last_edges[node] = NONE;
        in_counts[node] = 0;
        marks[node] = 0;
        starts[node] = opposite < 0 ? node : starts[opposite];
        links[node] = {NONE, NONE, NONE, NONE};
        if (opposite < 0) {
            return;
        }
        int32 others = 1;
        for (int32 entry = links[opposite].mates; entry >= 0; entry = next_mates[entry]) {
            others++;
        }
        int32 free = atomicAdd(&counts.mates, 2 * others);
        if (free + 2 * others > MATES_OF_A_NODE * max_nodes) {
            return;
        }
        for (int32 entry = links[opposite].mates; entry >= 0; entry = next_mates[entry]) {
            list_mate(free++, mates[entry], node);
            list_mate(free++, node, mates[entry]);
        }
        list_mate(free++, opposite, node);
        list_mate(free, node, opposite);
    }

    // Appends a mate to the list of a node.
    __device__ __forceinline__ void list_mate(int32 entry, int32 node, int32 mate) const {
        mates[entry] = mate;
        next_mates[entry] = NONE;
        if (links[node].mates < 0) {
            links[node].mates = entry;
        } else {
            next_mates[links[node].last_mate] = entry;
        }
        links[node].last_mate = entry;
    }

    __device__ __forceinline__ void join(int32 edge, int32 from, int32 to) const {
        sources[edge] = from;
        next_edges[edge] = NONE;
        weights[edge] = 1;
        int32 last = last_edges[to];
        if (last < 0) {
            first_edges[to] = edge;
            links[to].before = from;
        } else {
            next_edges[last] = edge;
            if (last == first_edges[to]) {
                links[to].more = edge;
            }
        }
        last_edges[to] = edge;
        in_counts[to]++;
        marks[from] = HAS_OUT;
    }
};
