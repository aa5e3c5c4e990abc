// Finds the cheapest join trees, with one block per row: dev.bellman.order.JoinOrder. A number represents a set of
// relations, with one bit per relation. Sets of one size are solved after all smaller sets, with one warp per set.
#include "columns/instances.cuh"
#include "columns/slots.cuh"
#include "common/host.cuh"

// The class number depends on the number of relations; rows with the most relations come first.
constexpr int32 MAX_RELATIONS = 20;
constexpr int32 CLASSES = MAX_RELATIONS;
// The unit of a row's memory, in bytes.
constexpr int32 SLOT_UNIT = 1024;
// The length of the longest tree: 20 numbers with 30 digits in total, and 19 joins with two brackets and a space each,
// rounded up.
constexpr int32 TREE = 88;
FOR_HOST(MAX_RELATIONS);
FOR_HOST(CLASSES);
FOR_HOST(SLOT_UNIT);
FOR_HOST(TREE);

struct JoinCalls {
    const int32* offsets;
    const uint32* validity;
    const double* cardinalities;
    const int32* edge_offsets;
    const uint32* edge_validity;
    const uint32* source_validity;
    const int32* sources;
    const uint32* target_validity;
    const int32* targets;
    const uint32* selectivity_validity;
    const double* selectivities;
};

struct JoinAnswers {
    double* costs;
    int32* lengths;
    char* trees;  // the trees, with TREE bytes for each row
};

STRUCT_FOR_HOST(JoinCalls);
MEMBER_FOR_HOST(JoinCalls, offsets);
MEMBER_FOR_HOST(JoinCalls, validity);
MEMBER_FOR_HOST(JoinCalls, cardinalities);
MEMBER_FOR_HOST(JoinCalls, edge_offsets);
MEMBER_FOR_HOST(JoinCalls, edge_validity);
MEMBER_FOR_HOST(JoinCalls, source_validity);
MEMBER_FOR_HOST(JoinCalls, sources);
MEMBER_FOR_HOST(JoinCalls, target_validity);
MEMBER_FOR_HOST(JoinCalls, targets);
MEMBER_FOR_HOST(JoinCalls, selectivity_validity);
MEMBER_FOR_HOST(JoinCalls, selectivities);
STRUCT_FOR_HOST(JoinAnswers);
MEMBER_FOR_HOST(JoinAnswers, costs);
MEMBER_FOR_HOST(JoinAnswers, lengths);
MEMBER_FOR_HOST(JoinAnswers, trees);

namespace {

constexpr double MAX_NUMBER = 1.7976931348623157e308;
constexpr int32 BYTES_OF_SET = 2 * sizeof(double) + sizeof(int32);
constexpr int32 BYTES_OF_EDGE = sizeof(double) + sizeof(int32);

__device__ __forceinline__ double infinity() {
    return __longlong_as_double(0x7ff0000000000000);
}

// Returns whether edge e is valid: it connects two of the n relations, and its selectivity is above 0 and at most 1.
__device__ __forceinline__ bool is_edge(const JoinCalls& calls, int32 e, int32 n) {
    if (!is_valid(calls.edge_validity, e) || !is_valid(calls.source_validity, e)
        || !is_valid(calls.target_validity, e) || !is_valid(calls.selectivity_validity, e)) {
        return false;
    }
    int32 source = calls.sources[e];
    int32 target = calls.targets[e];
    double selectivity = calls.selectivities[e];
    return source >= 0 && source < n && target >= 0 && target < n && source != target && selectivity > 0
        && selectivity <= 1;
}

// Returns whether the edges connect the first relation, directly or indirectly, to all others. All lanes of a warp must
// call this.
__device__ __forceinline__ bool is_connected(const JoinCalls& calls, int64 row, int32 n, int32 lane) {
    uint32 reached = 1;
    for (uint32 before = 0; before != reached;) {
        before = reached;
        for (int32 e = calls.edge_offsets[row] + lane; e < calls.edge_offsets[row + 1]; e += 32) {
            uint32 ends = 1u << calls.sources[e] | 1u << calls.targets[e];
            reached |= (ends & reached) != 0 ? ends : 0;
        }
#pragma unroll
        for (int32 other = 16; other > 0; other /= 2) {
            reached |= __shfl_xor_sync(~0u, reached, other);
        }
    }
    return reached == (1u << n) - 1;
}

}  // namespace

// Classifies the rows, with one warp per row.
extern "C" __global__ void join_order_classify(
        int32 rows, const uint32* validity, JoinCalls calls, JoinAnswers answers, Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int32 begin = calls.offsets[row];
    int32 n = calls.offsets[row + 1] - begin;
    if (n > MAX_RELATIONS) {
        if (lane == 0) {
            rows_of.put(row, ON_CPU, 0, 0);
        }
        return;
    }
    bool valid = n > 0;
    if (lane < n) {
        double size = calls.cardinalities[begin + lane];
        valid = is_valid(calls.validity, begin + lane) && size > 0 && size <= MAX_NUMBER;
    }
    int32 edges = calls.edge_offsets[row + 1] - calls.edge_offsets[row];
    for (int32 e = lane; valid && e < edges; e += 32) {
        valid = is_edge(calls, calls.edge_offsets[row] + e, n);
    }
    valid = __all_sync(~0u, valid) && is_connected(calls, row, n, lane);
    if (lane != 0) {
        return;
    }
    if (!valid) {
        rows_of.reject(row);
        return;
    }
    answers.lengths[row] = n + max(n - 10, 0) + 3 * (n - 1);
    int64 bytes = (static_cast<int64>(BYTES_OF_SET) << n) + static_cast<int64>(BYTES_OF_EDGE) * edges;
    int64 units = (bytes + SLOT_UNIT - 1) / SLOT_UNIT;
    rows_of.put(row, MAX_RELATIONS - n, static_cast<int32>(min(units, 0x7fffffffLL)), 1LL << n);
}

namespace {

// The relations of a row, in shared memory: their cardinalities, the sets of their neighbours, and the positions at
// which their edges to lower-numbered relations begin.
struct Relations {
    int32 n;
    double cardinalities[MAX_RELATIONS];
    uint32 neighbours[MAX_RELATIONS];
    int32 first_edge[MAX_RELATIONS + 1];

    __device__ __forceinline__ bool has_edges_within(uint32 set) const {
        uint32 reached = set & (0u - set);
        for (uint32 fresh = reached; fresh != 0;) {
            uint32 beside = 0;
            for (; fresh != 0; fresh &= fresh - 1) {
                beside |= neighbours[__ffs(fresh) - 1];
            }
            fresh = beside & set & ~reached;
            reached |= fresh;
        }
        return reached == set;
    }
};

// The table of a row and its edges, in the block's slot. For each set, the table has the number of rows of its join,
// the cost of the cheapest tree, and the child of the tree's root that contains the smallest relation, as a set.
struct Sets {
    double* rows;
    double* costs;
    double* selectivities;  // the selectivities of the edges, grouped by their larger relation, in list order
    int32* lower;           // the smaller relation of each edge
    uint32* parts;

    __device__ Sets(uint8* slot, int32 n, int32 edges) {
        rows = reinterpret_cast<double*>(slot);
        costs = rows + (1LL << n);
        selectivities = costs + (1LL << n);
        lower = reinterpret_cast<int32*>(selectivities + edges);
        parts = reinterpret_cast<uint32*>(lower + edges);
    }
};

// Loads the relations and edges of a row, with all threads of the block. A block has at least MAX_RELATIONS threads.
__device__ __forceinline__ void load(const JoinCalls& calls, int32 row, Relations& of, const Sets& sets) {
    int32 begin = calls.offsets[row];
    int32 n = calls.offsets[row + 1] - begin;
    int32 end = calls.edge_offsets[row + 1];
    int32 r = threadIdx.x;
    int32 edges = 0;
    if (r < n) {
        uint32 neighbours = 0;
        for (int32 e = calls.edge_offsets[row]; e < end; e++) {
            int32 source = calls.sources[e];
            int32 target = calls.targets[e];
            neighbours |= source == r ? 1u << target : target == r ? 1u << source : 0;
            edges += max(source, target) == r;
        }
        of.neighbours[r] = neighbours;
        of.cardinalities[r] = calls.cardinalities[begin + r];
        of.first_edge[r + 1] = edges;
        sets.rows[1u << r] = calls.cardinalities[begin + r];
        sets.costs[1u << r] = 0;
    }
    __syncthreads();
    if (r == 0) {
        of.n = n;
        of.first_edge[0] = 0;
        for (int32 k = 0; k < n; k++) {
            of.first_edge[k + 1] += of.first_edge[k];
        }
    }
    __syncthreads();
    int32 to = r < n ? of.first_edge[r] : 0;
    for (int32 e = calls.edge_offsets[row]; r < n && e < end; e++) {
        if (max(calls.sources[e], calls.targets[e]) == r) {
            sets.lower[to] = min(calls.sources[e], calls.targets[e]);
            sets.selectivities[to++] = calls.selectivities[e];
        }
    }
    __syncthreads();
}

// Returns the number of rows in the join of a set, computed by joining its largest relation last.
__device__ __forceinline__ double rows_of_set(const Relations& of, const Sets& sets, uint32 set) {
    int32 last = 31 - __clz(static_cast<int32>(set));
    double product = __dmul_rn(sets.rows[set & ~(1u << last)], of.cardinalities[last]);
    for (int32 e = of.first_edge[last]; e < of.first_edge[last + 1]; e++) {
        if ((set >> sets.lower[e] & 1) != 0) {
            product = __dmul_rn(product, sets.selectivities[e]);
        }
    }
    return product;
}

// A cost, and a part that yields this cost: the smallest such part if several do.
struct Cheapest {
    double cost;
    uint32 part;

    __device__ __forceinline__ void meet(double other, uint32 of) {
        bool is_better = other < cost || (other == cost && of < part);
        cost = is_better ? other : cost;
        part = is_better ? of : part;
    }
};

// Finds the cheapest tree for a set among all ways to divide the set into two parts; each lane tries the divisions in
// which the part without the smallest relation contains a particular subset of the five next-smallest relations. Two
// connected parts of a connected set always have an edge between them; a part that is not connected has an infinite
// cost. A whole warp must call this.
__device__ __forceinline__ void solve_set(const Relations& of, const Sets& sets, uint32 set, int32 lane) {
    Cheapest best = {infinity(), ~0u};
    double rows = rows_of_set(of, sets, set);
    if (of.has_edges_within(set)) {
        uint32 high = set & (set - 1);
        uint32 mine = 0;
        bool has_parts = true;
        for (int32 bit = 0; bit < 5; bit++) {
            uint32 lowest = high & (0u - high);
            high &= ~lowest;
            mine |= (lane >> bit & 1) != 0 ? lowest : 0;
            has_parts = has_parts && (lowest != 0 || (lane >> bit & 1) == 0);
        }
        // from the largest set of other relations in b down to the empty set
        for (uint32 more = high; has_parts; more = (more - 1) & high) {
            uint32 b = mine | more;
            uint32 a = set & ~b;
            if (b != 0) {
                best.meet(__dadd_rn(__dadd_rn(sets.costs[a], sets.costs[b]), rows), a);
            }
            if (more == 0) {
                break;
            }
        }
    }
#pragma unroll
    for (int32 other = 16; other > 0; other /= 2) {
        double cost = __shfl_xor_sync(~0u, best.cost, other);
        best.meet(cost, __shfl_xor_sync(~0u, best.part, other));
    }
    if (lane == 0) {
        sets.rows[set] = rows;
        sets.costs[set] = best.cost;
        sets.parts[set] = best.part;
    }
}

__device__ __forceinline__ void solve_sets(const Relations& of, const Sets& sets) {
    int32 lane = threadIdx.x % 32;
    uint32 all = 1u << of.n;
    for (int32 size = 2; size <= of.n; size++) {
        for (uint32 first = threadIdx.x / 32 * 32; first < all; first += blockDim.x) {
            uint32 set = first + lane;
            uint32 found = __ballot_sync(~0u, set < all && __popc(set) == size);
            for (; found != 0; found &= found - 1) {
                solve_set(of, sets, first + __ffs(found) - 1, lane);
            }
        }
        __syncthreads();
    }
}

// Stack entries other than sets of relations: characters of a tree that are not written yet.
constexpr uint32 SPACE = 1u << 30;
constexpr uint32 CLOSE = 1u << 31;

// Writes a relation, or both parts of a set in parentheses.
__device__ __forceinline__ void write_tree(const uint32* parts, uint32 all, char* to) {
    uint32 stack[3 * MAX_RELATIONS];
    int32 depth = 0;
    stack[depth++] = all;
    while (depth > 0) {
        uint32 top = stack[--depth];
        if (top == SPACE || top == CLOSE) {
            *to++ = top == SPACE ? ' ' : ')';
        } else if ((top & (top - 1)) == 0) {
            int32 relation = __ffs(top) - 1;
            if (relation >= 10) {
                *to++ = static_cast<char>('0' + relation / 10);
            }
            *to++ = static_cast<char>('0' + relation % 10);
        } else {
            *to++ = '(';
            stack[depth++] = CLOSE;
            stack[depth++] = top & ~parts[top];
            stack[depth++] = SPACE;
            stack[depth++] = parts[top];
        }
    }
}

}  // namespace

// Solves the rows of a group, which blocks take in turn.
extern "C" __global__ void __launch_bounds__(1024) join_order_solve(
        Slots slots,
        JoinCalls calls,
        JoinAnswers answers,
        Classified rows_of) {
    __shared__ Relations relations;
    uint8* slot = slots.of_block();
    for (int32 i = slots.next(); i < slots.to; i = slots.next()) {
        int32 row = slots.order[i];
        int32 n = calls.offsets[row + 1] - calls.offsets[row];
        Sets sets(slot, n, calls.edge_offsets[row + 1] - calls.edge_offsets[row]);
        load(calls, row, relations, sets);
        solve_sets(relations, sets);
        uint32 all = (1u << n) - 1;
        if (threadIdx.x == 0) {
            answers.costs[row] = sets.costs[all];
            if (sets.costs[all] == infinity()) {
                answers.lengths[row] = 0;
                rows_of.reject(row);
            } else {
                write_tree(sets.parts, all, answers.trees + static_cast<int64>(TREE) * row);
            }
        }
    }
}

// Copies the trees of all rows, with one warp per row.
extern "C" __global__ void join_order_trees(int32 rows, JoinAnswers answers, const int32* offsets, char* trees) {
    int64 row = thread_index() / 32;
    if (row >= rows) {
        return;
    }
    for (int32 k = threadIdx.x % 32; k < offsets[row + 1] - offsets[row]; k += 32) {
        trees[offsets[row] + k] = answers.trees[TREE * row + k];
    }
}
