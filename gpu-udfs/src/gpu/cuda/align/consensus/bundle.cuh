// Reads the consensus from a graph: dev.bellman.align.consensus.HeaviestBundle.
#pragma once

#include "align/consensus/graph.cuh"
#include "common/utf8.cuh"

struct HeaviestBundle {
    const ConsensusGraph& graph;
    int32 nodes;
    int32* scores;  // the score of each node, by rank; NONE if no chosen edge leads to the node, or after `cut`
    int32* chosen;  // the rank of the node before each node, by rank, or NONE

    __device__ explicit HeaviestBundle(const ConsensusGraph& its_graph)
        : graph(its_graph),
          nodes(graph.counts.nodes),
          scores(reinterpret_cast<int32*>(graph.scratch)),
          chosen(scores + nodes) {}

    // Returns the rank of the last node. One warp calls this function.
    __device__ __forceinline__ int32 last(int32 lane) const {
        for (int32 rank = lane; rank < nodes; rank += 32) {
            scores[rank] = NONE;
        }
        __syncwarp();
        int32 rank = choose(0, false, lane);
        while ((graph.marks[graph.order[rank]] & ConsensusGraph::HAS_OUT) != 0) {
            cut(rank, lane);
            rank = choose(rank + 1, true, lane);
        }
        return rank;
    }

    // Writes the characters of the path up to a node, so that they end at `end`. Returns their number of bytes. Lane 0
    // calls this function.
    __device__ __forceinline__ int32 write(int32 rank, uint8* end) const {
        uint8* at = end;
        while (rank >= 0) {
            uint32 bytes = bytes_of(graph.characters[graph.order[rank]]);
            do {
                *--at = static_cast<uint8>(bytes);
                bytes >>= 8;
            } while (bytes != 0);
            rank = chosen[rank];
        }
        return static_cast<int32>(end - at);
    }

private:
    // Removes the scores of the other predecessors of a node's successors.
    __device__ __forceinline__ void cut(int32 last, int32 lane) const {
        for (int32 rank = last + 1 + lane; rank < nodes; rank += 32) {
            int32 begin = graph.rows[rank].begin;
            int32 end = graph.rows[rank].end;
            bool follows = false;
            for (int32 k = begin; k < end; k++) {
                follows = follows || graph.before[k] == last + 1;
            }
            for (int32 k = begin; follows && k < end; k++) {
                if (graph.before[k] != last + 1) {
                    scores[graph.before[k] - 1] = NONE;
                }
            }
        }
        __syncwarp();
    }

    // Chooses an incoming edge for each node from a rank on. Returns the rank with the highest score among these nodes.
    __device__ __forceinline__ int32 choose(int32 first, bool only_scored, int32 lane) const {
        int32 best = first;
        if (lane == 0) {
            int32 most = NONE;
            for (int32 rank = first; rank < nodes; rank++) {
                int32 score = choose(rank, only_scored);
                if (rank == first || score > most) {
                    best = rank;
                    most = score;
                }
            }
        }
        __syncwarp();
        return __shfl_sync(~0u, best, 0);
    }

    // Chooses the incoming edge of a node. Returns the node's score.
    __device__ __forceinline__ int32 choose(int32 rank, bool only_scored) const {
        int32 weight = NONE;
        int32 before = NONE;
        int32 score_before = 0;
        for (int32 edge = graph.first_edges[graph.order[rank]]; edge >= 0; edge = graph.next_edges[edge]) {
            int32 from = graph.ranks[graph.sources[edge]];
            int32 score = scores[from];
            int32 its_weight = graph.weights[edge];
            bool is_heavier = weight < its_weight || (weight == its_weight && score_before <= score);
            if (is_heavier && !(only_scored && score == NONE)) {
                weight = its_weight;
                before = from;
                score_before = score;
            }
        }
        scores[rank] = weight + score_before;
        chosen[rank] = before;
        return weight + score_before;
    }
};
