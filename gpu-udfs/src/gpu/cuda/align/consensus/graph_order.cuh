// Sorts the nodes of a graph, and lists the rows of the table. All threads of a block call these functions.
//
// Searches from all nodes in turn determine the order. A search lists a node with its mates after all nodes that
// precede one of them. So the search from a node, its start, lists the nodes that precede the start or one of its
// mates, unless an earlier search has listed them: those whose first possible start is this one. If these first starts
// are known, the searches do not depend on each other, and each thread runs some of them.
//
// Example: the strings ACG and ATTG have the nodes A0 C1 G2 T3 T4; C1 and T4 are mates. T3 precedes T4, so the first
// starts are 0 1 2 1 1. The search from C1 lists T3 C1 T4, and the order is A0 T3 C1 T4 G2.
#pragma once

#include "align/consensus/graph.cuh"

struct GraphOrder {
    // The position at which the search from a start lists its first node, and the beginning of its stack.
    struct alignas(8) Place {
        int32 order;
        int32 stack;
    };

    const ConsensusGraph& graph;
    int32 nodes;
    Place* places;
    int32* stacks;  // with space for two entries for each node and one for each edge

    __device__ explicit GraphOrder(const ConsensusGraph& its_graph)
        : graph(its_graph),
          nodes(graph.counts.nodes),
          places(reinterpret_cast<Place*>(graph.scratch)),
          stacks(reinterpret_cast<int32*>(places + nodes)) {}

    // Sorts the nodes after a string was added.
    __device__ __forceinline__ void sort() const {
        int32 lane = threadIdx.x;
        if (lane < 32) {
            lower_starts(lane);
        }
        __syncthreads();
        count();
        __syncthreads();
        if (lane < 32) {
            place(lane);
        }
        __syncthreads();
        for (int32 start = threadIdx.x; start < nodes; start += blockDim.x) {
            if (graph.starts[start] == start) {
                search(start, places[start]);
            }
        }
        __syncthreads();
        if (lane < 32) {
            list_rows(lane);
        }
        __syncthreads();
        list_rows_before();
        __syncthreads();
    }

private:
    // Lowers the starts of the string's new nodes to those of the nodes after them. Other starts never change, because
    // the nodes with which the string is aligned are on a path of the graph: their starts do not decrease along the
    // string, and new nodes without mates have larger numbers and precede only nodes of the string. One warp calls this
    // function.
    __device__ __forceinline__ void lower_starts(int32 lane) const {
        int32 after = nodes;
        for (int32 last = graph.counts.length - 1; last >= 0; last -= 32) {
            int32 node = last >= lane ? graph.aligned[last - lane] : NONE;
            int32 own = node >= 0 ? graph.starts[node] : nodes;
            int32 start = min(own, after);
#pragma unroll
            for (int32 other = 1; other < 32; other *= 2) {
                start = min(start, __shfl_up_sync(~0u, start, other));
            }
            if (node >= 0 && start < own) {
                graph.starts[node] = start;
            }
            after = __shfl_sync(~0u, start, 31);
        }
    }

    // Counts the nodes and the entries on the stack of each search, and resets the marks.
    __device__ __forceinline__ void count() const {
        for (int32 node = threadIdx.x; node < nodes; node += blockDim.x) {
            places[node] = {0, 0};
            graph.marks[node] &= ConsensusGraph::HAS_OUT;
        }
        __syncthreads();
        for (int32 node = threadIdx.x; node < nodes; node += blockDim.x) {
            Place& its_place = places[graph.starts[node]];
            atomicAdd(&its_place.order, 1);
            atomicAdd(&its_place.stack, 2 + graph.in_counts[node]);
        }
    }

    // Replaces the counts with their sums over the searches before each search.
    __device__ __forceinline__ void place(int32 lane) const {
        Place before = {0, 0};
        for (int32 first = 0; first < nodes; first += 32) {
            int32 node = first + lane;
            Place counted = node < nodes ? places[node] : Place{0, 0};
            Place end = {before.order + sum_up_to_lane(counted.order), before.stack + sum_up_to_lane(counted.stack)};
            if (node < nodes) {
                places[node] = {end.order - counted.order, end.stack - counted.stack};
            }
            before = {__shfl_sync(~0u, end.order, 31), __shfl_sync(~0u, end.stack, 31)};
        }
    }

    // Lists the nodes that one search finds.
    __device__ __forceinline__ void search(int32 start, Place place) const {
        int32* stack = stacks + place.stack;
        int32 sorted = place.order;
        int32 height = 0;
        stack[height++] = start;
        while (height > 0) {
            int32 node = stack[height - 1];
            if ((graph.marks[node] & ConsensusGraph::IS_DONE) == 0) {
                int32 higher = push_needed(node, start, stack, height);
                if (higher > height) {
                    height = higher;
                    continue;
                }
                graph.marks[node] |= ConsensusGraph::IS_DONE;
                if ((graph.marks[node] & ConsensusGraph::IS_MATE) == 0) {
                    graph.order[sorted++] = node;
                    for (int32 entry = graph.links[node].mates; entry >= 0; entry = graph.next_mates[entry]) {
                        graph.order[sorted++] = graph.mates[entry];
                    }
                }
            }
            height--;
        }
    }

    __device__ __forceinline__ bool is_needed(int32 node, int32 start) const {
        return graph.starts[node] == start && (graph.marks[node] & ConsensusGraph::IS_DONE) == 0;
    }

    // Pushes the nodes that the search must finish before a node. Returns the new height of the stack.
    __device__ __forceinline__ int32 push_needed(int32 node, int32 start, int32* stack, int32 height) const {
        NodeLinks its_links = graph.links[node];
        if (its_links.before >= 0 && is_needed(its_links.before, start)) {
            stack[height++] = its_links.before;
        }
        for (int32 edge = its_links.more; edge >= 0; edge = graph.next_edges[edge]) {
            if (is_needed(graph.sources[edge], start)) {
                stack[height++] = graph.sources[edge];
            }
        }
        if ((graph.marks[node] & ConsensusGraph::IS_MATE) == 0) {
            for (int32 entry = its_links.mates; entry >= 0; entry = graph.next_mates[entry]) {
                int32 mate = graph.mates[entry];
                if ((graph.marks[mate] & ConsensusGraph::IS_DONE) == 0) {
                    stack[height++] = mate;
                    graph.marks[mate] |= ConsensusGraph::IS_MATE;
                }
            }
        }
        return height;
    }

    // Writes the rows of the table. One warp calls this function.
    __device__ __forceinline__ void list_rows(int32 lane) const {
        int32 listed = 0;
        for (int32 first = 0; first < nodes; first += 32) {
            int32 rank = first + lane;
            int32 node = rank < nodes ? graph.order[rank] : NONE;
            int32 count = node >= 0 ? max(1, graph.in_counts[node]) : 0;
            int32 end = listed + sum_up_to_lane(count);
            if (node >= 0) {
                graph.ranks[node] = rank;
                graph.rows[rank] = {end - count, end, graph.symbols[node], 0};
            }
            listed = __shfl_sync(~0u, end, 31);
        }
    }

    // Writes the rows before each row.
    __device__ __forceinline__ void list_rows_before() const {
        for (int32 rank = threadIdx.x; rank < nodes; rank += blockDim.x) {
            int32 at = graph.rows[rank].begin;
            int32 edge = graph.first_edges[graph.order[rank]];
            int32 first = edge < 0 ? 0 : graph.ranks[graph.sources[edge]] + 1;
            graph.rows[rank].first = first;
            graph.before[at++] = first;
            while (edge >= 0 && (edge = graph.next_edges[edge]) >= 0) {
                graph.before[at++] = graph.ranks[graph.sources[edge]] + 1;
            }
        }
    }
};
