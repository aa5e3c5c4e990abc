// Finds the tree of a parenthesization from its finished table. Of several optimal splits, it chooses the smallest. The
// kernels do not store splits while they compute costs.
#pragma once
#include "chain/text.cuh"

namespace {

// A finished table, which is stored completely and symmetrically. The code below works with any type that has
// `Weights`, `weights`, `vertices` and `cost`, and therefore with any layout.
template <typename W>
struct FinishedTable {
    using Weights = W;
    using Value = typename Weights::Value;

    Weights weights;
    int vertices;
    int64 pitch;
    const Value* costs;

    // Returns the cost of the range between two vertices, in either order. Callers read the costs for consecutive
    // values of b.
    __device__ __forceinline__ Value cost(int a, int b) const {
        return costs[a * pitch + b];
    }
};

// The memory per vertex for the tree search: a queue of the tree's nodes, and the number of parentheses that open
// before the leaf to the vertex's right and (in the upper half) close after the leaf to its left.
struct TreeScratch {
    uint32* ranges;
    int32* indexes;
    uint32* parentheses;
};

constexpr int NO_SPLIT = 0x7fffffff;

// Returns the smallest optimal split k of (i, j) among those that this warp checks, or NO_SPLIT. The `members` warps
// take turns at checking 128 splits each. With several warps, `found` contains the smallest split that any
// of them has found so far.
template <typename Table>
__device__ __forceinline__ int find_split(const Table& table, int i, int j, int member, int members, int32* found) {
    using Value = typename Table::Value;
    constexpr int LOADS = 4;
    Value best = table.cost(i, j);
    int lane = threadIdx.x & 31;
    for (int from = i + 1 + member * 32 * LOADS; from < j; from += members * 32 * LOADS) {
        Value left[LOADS];
        Value right[LOADS];
#pragma unroll
        for (int load = 0; load < LOADS; load++) {
            int k = from + load * 32 + lane;
            if (k < j) {
                left[load] = table.cost(i, k);
                right[load] = table.cost(j, k);
            }
        }
        int split = NO_SPLIT;
#pragma unroll
        for (int load = LOADS - 1; load >= 0; load--) {
            int k = from + load * 32 + lane;
            bool optimal = k < j && table.weights.candidate(i, k, j, left[load], right[load]) == best;
            uint32 optima = __ballot_sync(0xffffffff, optimal);
            if (optima != 0) {
                split = from + load * 32 + __ffs(optima) - 1;
            }
        }
        if (split != NO_SPLIT) {
            return split;
        }
        if (members > 1) {
            int other = lane == 0 ? *static_cast<volatile int32*>(found) : 0;
            if (__shfl_sync(0xffffffff, other, 0) < from) {
                break;
            }
        }
    }
    return NO_SPLIT;
}

// Returns how many leaves, from i on, split off from (i, j) one at a time. Each check tries only the split after the
// first leaf.
template <typename Table>
__device__ __forceinline__ int count_peeled(const Table& table, int i, int j) {
    int lane = threadIdx.x & 31;
    int peeled = 0;
    while (true) {
        int first = i + peeled + lane;
        bool peels = first + 2 <= j
                && table.weights.candidate(first, first + 1, j, table.cost(first, first + 1), table.cost(j, first + 1))
                        == table.cost(j, first);
        uint32 others = __ballot_sync(0xffffffff, !peels);
        if (others != 0) {
            return peeled + __ffs(others) - 1;
        }
        peeled += 32;
    }
}

// Splits a node with one warp: writes the split and, in a long right part, the splits of leaves that split off one at a
// time, and adds the ranges that must still be split to the queue.
template <typename Table>
__device__ __forceinline__ void split_node(
        const Table& table, const TreeScratch& scratch, int32* splits, int node, int split, int* tail) {
    constexpr int PEELED_FROM = 128;  // the minimum number of leaves for which peeling is faster
    int lane = threadIdx.x & 31;
    int i = scratch.ranges[node] & 0xffff;
    int j = scratch.ranges[node] >> 16;
    int index = scratch.indexes[node];
    int peeled = 0;
    if (split == i + 1 && j - split >= PEELED_FROM) {
        peeled = count_peeled(table, split, j);
        for (int leaf = lane; leaf < peeled; leaf += 32) {
            if (splits != nullptr) {
                splits[index + 1 + leaf] = split + 1 + leaf;
            }
            atomicAdd(scratch.parentheses + split + leaf, 1u);
        }
    }
    if (lane == 0) {
        if (splits != nullptr) {
            splits[index] = split;
        }
        atomicAdd(scratch.parentheses + i, 1u);
        atomicAdd(scratch.parentheses + j, (1u + peeled) << 16);
        int right = split + peeled;
        int children = (split - i > 1 ? 1 : 0) + (j - right > 1 ? 1 : 0);
        if (children > 0) {
            int at = atomicAdd(tail, children);
            if (split - i > 1) {
                scratch.ranges[at] = i | static_cast<uint32>(split) << 16;
                scratch.indexes[at] = index + 1;
                at++;
            }
            if (j - right > 1) {
                scratch.ranges[at] = right | static_cast<uint32>(j) << 16;
                scratch.indexes[at] = index + right - i;
            }
        }
    }
}

// With one warp, splits `peeled` nodes that have the same first leaf: a node and, one after another, the left parts.
// Each of these nodes has a single leaf on the right. The last left part is also split if the caller passes its split.
template <typename Table>
__device__ __forceinline__ void split_peeled(
        const Table& table,
        const TreeScratch& scratch,
        int32* splits,
        int node,
        int peeled,
        int split,
        int* tail) {
    int lane = threadIdx.x & 31;
    int i = scratch.ranges[node] & 0xffff;
    int j = scratch.ranges[node] >> 16;
    int index = scratch.indexes[node];
    __syncwarp();
    if (lane < peeled) {
        if (splits != nullptr) {
            splits[index + lane] = j - lane - 1;
        }
        atomicAdd(scratch.parentheses + j - lane, 0x10000u);
    }
    int last = j - peeled;
    if (lane == 0) {
        atomicAdd(scratch.parentheses + i, static_cast<uint32>(peeled));
        if (last - i >= 2) {
            int at = split == NO_SPLIT ? atomicAdd(tail, 1) : node;
            scratch.ranges[at] = i | static_cast<uint32>(last) << 16;
            scratch.indexes[at] = index + peeled;
        }
    }
    __syncwarp();
    if (last - i >= 2 && split != NO_SPLIT) {
        split_node(table, scratch, splits, node, split, tail);
    }
}

// Finds the tree level by level, with one block. The warps divide the nodes of a level among them. SHARE_NODES: if
// there are fewer nodes than warps, the warps also divide the splits of a node among them. If there is only one node,
// and the previous one had a single leaf on the right, the warps look ahead to the nodes that follow if this node and
// its successors also have a single leaf on the right.
template <bool SHARE_NODES, typename Table>
__device__ void find_tree(const Table& table, const TreeScratch& scratch, int32* splits) {
    __shared__ int tail;
    __shared__ int32 found[32];
    int lane = threadIdx.x & 31;
    int warp = threadIdx.x / 32;
    int warps = blockDim.x / 32;
    __syncthreads();
    for (int i = threadIdx.x; i < table.vertices; i += blockDim.x) {
        scratch.parentheses[i] = 0;
    }
    if (threadIdx.x == 0) {
        scratch.ranges[0] = static_cast<uint32>(table.vertices - 1) << 16;
        scratch.indexes[0] = 0;
        tail = table.vertices > 2 ? 1 : 0;
    }
    int begin = 0;
    int ahead = 1;
    while (true) {
        __syncthreads();
        int end = tail;
        if (threadIdx.x < 32) {
            found[threadIdx.x] = NO_SPLIT;
        }
        __syncthreads();
        int nodes = end - begin;
        if (nodes == 0) {
            break;
        }
        if (!SHARE_NODES || nodes >= warps) {
            for (int node = begin + warp; node < end; node += warps) {
                uint32 range = scratch.ranges[node];
                int split = find_split(table, range & 0xffff, range >> 16, 0, 1, found);
                split_node(table, scratch, splits, node, split, &tail);
            }
            begin = end;
            continue;
        }
        int teams = nodes > 1 ? nodes : ahead;
        int members = warps / teams;
        int team = warp / members;
        uint32 range = scratch.ranges[nodes > 1 && team < nodes ? begin + team : begin];
        int i = range & 0xffff;
        int j = range >> 16;
        int last = nodes > 1 ? j : j - team;
        if (team < teams && last - i >= 2) {
            int split = find_split(table, i, last, warp % members, members, found + team);
            if (split != NO_SPLIT && lane == 0) {
                atomicMin(found + team, split);
            }
        }
        __syncthreads();
        if (nodes > 1) {
            if (team < nodes && warp % members == 0) {
                split_node(table, scratch, splits, begin + team, found[team], &tail);
            }
        } else {
            int peeled = 0;
            while (peeled < ahead && j - peeled - i >= 2 && found[peeled] == j - peeled - 1) {
                peeled++;
            }
            if (warp == 0) {
                split_peeled(table, scratch, splits, begin, peeled, peeled < ahead ? found[peeled] : NO_SPLIT, &tail);
            }
            ahead = peeled == ahead ? min(2 * ahead, warps) : 1;
        }
        begin = end;
    }
}

// The results of a batch. The pointers of results that are not requested are null; costs are always requested.
struct Answers {
    // the cost of each row in 64 bits: a double if the given weights are doubles, and otherwise an integer, which is
    // negative if the cost exceeds 63 bits
    int64* costs;
    const int32* split_offsets;
    int32* splits;
    const int32* text_offsets;
    uint8* text;
};

// Writes the cost of a row and, if requested and unless the cost overflows, the tree, with one block.
template <bool SHARE_NODES, typename Table>
__device__ __forceinline__ void report(
        const Table& table, const TreeScratch& scratch, int row, const Answers& answers) {
    int64 cost;
    bool fits = Table::Weights::answer(table.cost(0, table.vertices - 1), cost);
    if (threadIdx.x == 0) {
        answers.costs[row] = cost;
    }
    if (!fits || (answers.splits == nullptr && answers.text == nullptr)) {
        return;
    }
    find_tree<SHARE_NODES>(table, scratch,
            answers.splits == nullptr ? nullptr : answers.splits + answers.split_offsets[row]);
    if (answers.text != nullptr && threadIdx.x < 32) {
        write_text(table.vertices, scratch.parentheses, answers.text + answers.text_offsets[row], threadIdx.x);
    }
}

}  // namespace
