// The graph of a row's strings in a block's slot: dev.bellman.align.consensus.PartialOrderGraph. One warp changes it.
//
// Example: after ACG and ATG, whose second characters are aligned, the nodes are A0 C1 G2 T3. The node C1 has the mate
// T3 and vice versa. The edges are A0-C1, C1-G2, A0-T3 and T3-G2, each with weight 1. The order of nodes is
// A0 C1 T3 G2: the search from C1 first finishes T3, which is then listed after C1.
#pragma once

#include "common/columns.cuh"
#include "common/warp.cuh"

// For each node, a slot has space for these numbers of edges and of entries in lists of mates.
constexpr int32 EDGES_OF_A_NODE = 2;
constexpr int32 MATES_OF_A_NODE = 4;
constexpr int32 GRAPH_BYTES_OF_A_NODE = 4 * (13 + 3 * EDGES_OF_A_NODE + 1 + EDGES_OF_A_NODE + 2 * MATES_OF_A_NODE) + 1;
// The number of bytes of scratch memory per node: enough for the stack of the search, which is larger than the scores
// and choices of the bundle.
constexpr int32 SCRATCH_BYTES_OF_A_NODE = 4 * (1 + EDGES_OF_A_NODE + MATES_OF_A_NODE);
constexpr int32 BYTES_OF_A_CHARACTER = 3 * 4;
// The arrays in a slot begin at multiples of this number of bytes.
constexpr int32 ALIGNMENT = 16;
constexpr int32 ARRAYS = 24;
// The number of characters after a string that threads may read.
constexpr int32 PADDING = 8;

constexpr int32 NONE = -1;

// A node's incoming edges and mates, for the search.
struct alignas(16) NodeLinks {
    int32 before;     // the source of the first incoming edge
    int32 more;       // the second incoming edge
    int32 mates;      // the first entry of the list of mates
    int32 last_mate;  // the last entry
};

// A row of the table: the index of its first predecessor and the symbol of its node.
struct alignas(8) NodeRow {
    int32 begin;
    int32 symbol;
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
    NodeRow* rows;      // the rows by the ranks of their nodes, and one more entry
    int32* order;       // the nodes by rank
    int32* ranks;
    int32* symbols;
    int32* characters;
    int32* first_edges;
    int32* last_edges;
    int32* in_counts;
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
    int32* aligned;     // the node with which each character is aligned, or NONE
    uint8* scratch;     // memory for the search, the bundle or the table

    // Creates an empty graph. One thread calls this function.
    __device__ __forceinline__ void start(uint8* slot, int32 longest, int32 its_max_nodes) {
        counts = {0, 0, 0, 0, 1};
        max_nodes = its_max_nodes;
        SlotArrays arrays{slot};
        int64 nodes = max_nodes;
        links = arrays.take<NodeLinks>(nodes);
        rows = arrays.take<NodeRow>(nodes + 1);
        order = arrays.take<int32>(nodes);
        ranks = arrays.take<int32>(nodes);
        symbols = arrays.take<int32>(nodes);
        characters = arrays.take<int32>(nodes);
        first_edges = arrays.take<int32>(nodes);
        last_edges = arrays.take<int32>(nodes);
        in_counts = arrays.take<int32>(nodes);
        sources = arrays.take<int32>(EDGES_OF_A_NODE * nodes);
        next_edges = arrays.take<int32>(EDGES_OF_A_NODE * nodes);
        weights = arrays.take<int32>(EDGES_OF_A_NODE * nodes);
        before = arrays.take<int32>((1 + EDGES_OF_A_NODE) * nodes);
        mates = arrays.take<int32>(MATES_OF_A_NODE * nodes);
        next_mates = arrays.take<int32>(MATES_OF_A_NODE * nodes);
        marks = arrays.take<uint8>(nodes);
        string_symbols = arrays.take<int32>(longest + PADDING);
        string_characters = arrays.take<int32>(longest + PADDING);
        aligned = arrays.take<int32>(longest + PADDING);
        scratch = arrays.next;
    }

    // Adds the current string. If it fits, sorts the nodes and lists the rows of the table.
    __device__ __forceinline__ void add(int32 lane) {
        int32 previous = NONE;
        for (int32 first = 0; first < counts.length && counts.fits != 0; first += 32) {
            previous = add(first, previous, lane);
        }
        if (counts.fits != 0) {
            sort(lane);
            list_rows(lane);
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

    // Sorts the nodes. A node is on the stack at most once for each of its edges and mates, and once as a start.
    __device__ __forceinline__ void sort(int32 lane) const {
        for (int32 node = lane; node < counts.nodes; node += 32) {
            marks[node] &= HAS_OUT;
        }
        __syncwarp();
        if (lane == 0) {
            int32* stack = reinterpret_cast<int32*>(scratch);
            int32 sorted = 0;
            for (int32 start = 0; start < counts.nodes; start++) {
                sorted = search(start, stack, sorted);
            }
        }
        __syncwarp();
    }

    // Lists the nodes that the search finds from a start. Returns the number of all listed nodes.
    __device__ __forceinline__ int32 search(int32 start, int32* stack, int32 sorted) const {
        int32 height = 0;
        if ((marks[start] & IS_DONE) == 0) {
            stack[height++] = start;
        }
        while (height > 0) {
            int32 node = stack[height - 1];
            if ((marks[node] & IS_DONE) == 0) {
                int32 higher = push_needed(node, stack, height);
                if (higher > height) {
                    height = higher;
                    continue;
                }
                marks[node] |= IS_DONE;
                if ((marks[node] & IS_MATE) == 0) {
                    order[sorted++] = node;
                    for (int32 entry = links[node].mates; entry >= 0; entry = next_mates[entry]) {
                        order[sorted++] = mates[entry];
                    }
                }
            }
            height--;
        }
        return sorted;
    }

    // Pushes the nodes that the search must finish before a node. Returns the new height of the stack.
    __device__ __forceinline__ int32 push_needed(int32 node, int32* stack, int32 height) const {
        NodeLinks its_links = links[node];
        if (its_links.before >= 0 && (marks[its_links.before] & IS_DONE) == 0) {
            stack[height++] = its_links.before;
        }
        for (int32 edge = its_links.more; edge >= 0; edge = next_edges[edge]) {
            if ((marks[sources[edge]] & IS_DONE) == 0) {
                stack[height++] = sources[edge];
            }
        }
        if ((marks[node] & IS_MATE) == 0) {
            for (int32 entry = its_links.mates; entry >= 0; entry = next_mates[entry]) {
                int32 mate = mates[entry];
                if ((marks[mate] & IS_DONE) == 0) {
                    stack[height++] = mate;
                    marks[mate] |= IS_MATE;
                }
            }
        }
        return height;
    }

    // Writes the rows of the table and the rows before them.
    __device__ __forceinline__ void list_rows(int32 lane) const {
        int32 nodes = counts.nodes;
        int32 listed = 0;
        for (int32 first = 0; first < nodes; first += 32) {
            int32 rank = first + lane;
            int32 node = rank < nodes ? order[rank] : NONE;
            int32 count = node >= 0 ? max(1, in_counts[node]) : 0;
            int32 end = listed + sum_up_to_lane(count);
            if (node >= 0) {
                ranks[node] = rank;
                rows[rank] = {end - count, symbols[node]};
            }
            listed = __shfl_sync(~0u, end, 31);
        }
        if (lane == 0) {
            rows[nodes] = {listed, 0};
        }
        __syncwarp();
        for (int32 rank = lane; rank < nodes; rank += 32) {
            int32 at = rows[rank].begin;
            int32 edge = first_edges[order[rank]];
            if (edge < 0) {
                before[at] = 0;
            }
            for (; edge >= 0; edge = next_edges[edge]) {
                before[at++] = ranks[sources[edge]] + 1;
            }
        }
        __syncwarp();
    }
};
