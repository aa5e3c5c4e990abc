// Next vertices from lengths of DOUBLE, for graphs of at most 128 vertices: one block per graph, one thread per vertex. ShortestPaths defines the
// tree of paths to a target, and says why that one.
//
// The trees of 32 targets grow at the same time; a target is a bit of a word. A thread has the edges from its vertex. In each step the vertices that
// have just joined a tree, its frontier, offer themselves to those that have an edge to them. If the slack is 0 for some vertices, these join and are
// the next frontier: what they offer has more edges, so the order among them does not matter. A tree with an empty frontier gets one vertex, the one
// with the least slack, then the fewest edges, then the smallest number.
//
// Example with four vertices, target 0, edges 1 -> 0, 2 -> 0 and 3 -> 1, where only that of 2 has a slack: the frontiers are {0}, {1}, {3}, {2}.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "graph/edges.cuh"

constexpr int32 TARGETS = 32;
// Shared memory for each thread: per target a length, a slack and a join; a word of bits and the number of edges.
constexpr int32 BYTES_OF_VERTEX = TARGETS * (2 * 8 + 2) + 2 * 4;
constexpr int32 BYTES_OF_EDGE = 8 + 4;
FOR_HOST(BYTES_OF_VERTEX);
FOR_HOST(BYTES_OF_EDGE);

namespace {

__device__ __forceinline__ uint32 or_of_lanes(uint32 bits) {
#if __CUDA_ARCH__ >= 800
    return __reduce_or_sync(~0u, bits);
#else
    for (int32 distance = 16; distance > 0; distance /= 2) {
        bits |= __shfl_xor_sync(~0u, bits, distance);
    }
    return bits;
#endif
}

// The edges of a graph by their source, in device memory; only those from this thread's vertex.
struct EdgesFrom {
    double* weights;
    int32* targets;
    int32 count;

    // begins: shared memory, a number for each thread.
    __device__ EdgesFrom(const Graphs& graphs, int32 graph, double* all_weights, int32* all_targets, int32* begins) {
        int32 first = graphs.offsets[graph];
        int32 last = graphs.offsets[graph + 1];
        begins[threadIdx.x] = 0;
        __syncthreads();
        for (int32 edge = first + threadIdx.x; edge < last; edge += blockDim.x) {
            atomicAdd(begins + graphs.sources[edge], 1);
        }
        __syncthreads();
        count = begins[threadIdx.x];
        int32 begin = first;
        for (int32 i = 0; i < threadIdx.x; i++) {
            begin += begins[i];
        }
        __syncthreads();
        begins[threadIdx.x] = begin;
        weights = all_weights + begin;
        targets = all_targets + begin;
        __syncthreads();
        for (int32 edge = first + threadIdx.x; edge < last; edge += blockDim.x) {
            int32 place = atomicAdd(begins + graphs.sources[edge], 1);
            all_weights[place] = static_cast<const double*>(graphs.weights)[edge];
            all_targets[place] = graphs.targets[edge];
        }
        __syncthreads();
    }
};

// The trees of 32 targets, in shared memory. A vertex has TARGETS cells, in an order of its own, so that threads with the same target read different
// banks.
struct Trees {
    double* lengths;
    double* slacks;    // of the best way to join
    uint16* joins;     // the edges to the target << 8 | the next vertex
    uint32* frontier;  // of each vertex, the targets

    __device__ __forceinline__ static int32 at(int32 vertex, int32 target) {
        return vertex * TARGETS + (target ^ (vertex % TARGETS));
    }

    // Returns those of the targets for which this thread's vertex joins. edges: to each target, from its frontier.
    __device__ __forceinline__ uint32 offer(const EdgesFrom& from, uint32 outside, const int32* edges) const {
        uint32 joined = 0;
        for (int32 edge = 0; edge < from.count; edge++) {
            int32 v = from.targets[edge];
            for (uint32 offers = frontier[v] & outside; offers != 0; offers &= offers - 1) {
                int32 target = __ffs(offers) - 1;
                int32 cell = at(threadIdx.x, target);
                double slack = from.weights[edge] + lengths[at(v, target)] - lengths[cell];
                slack = slack > 0 ? slack : 0.0;
                uint32 join = (edges[target] + 1) << 8 | v;
                if (slack < slacks[cell] || (slack == slacks[cell] && join < joins[cell])) {
                    slacks[cell] = slack;
                    joins[cell] = static_cast<uint16>(join);
                }
                joined |= slack == 0 ? offers & -offers : 0;
            }
        }
        return joined;
    }
};

// What the threads tell each other about each target, in shared memory.
struct Step {
    unsigned long long least[TARGETS];  // slack of a vertex that might join; slacks are not negative, so they sort like their bits
    uint32 first[TARGETS];              // of those with it, the least edges << 16 | vertex
    int32 edges[TARGETS];
    uint32 joined[2];  // the targets whose trees grow in this step; two steps alternate
};

constexpr uint32 NOBODY = ~0u;

// Grows the trees of the targets `all`, of `first_target` and those after it. Returns those that this thread's vertex does not reach.
__device__ uint32 grow(const EdgesFrom& from, const Trees& trees, Step& step, uint32 all, int32 first_target, bool is_vertex) {
    int32 lane = threadIdx.x % 32;
    uint32 own = threadIdx.x / TARGETS * TARGETS == first_target ? all & 1u << lane : 0;  // own target
    uint32 outside = is_vertex ? all & ~own : 0;
    uint32 joined = own;
    uint32 growing = all;
    if (threadIdx.x < TARGETS) {
        step.edges[lane] = 0;
        step.joined[0] = 0;
    }
    for (int32 turn = 0; growing != 0; turn ^= 1) {
        trees.frontier[threadIdx.x] = joined;
        __syncthreads();
        if (threadIdx.x < TARGETS) {
            step.least[lane] = 0x7ff0000000000000;
            step.first[lane] = NOBODY;
            step.joined[turn ^ 1] = 0;
        }
        joined = trees.offer(from, outside, step.edges);
        outside &= ~joined;
        uint32 of_warp = or_of_lanes(joined);
        if (lane == 0 && of_warp != 0) {
            atomicOr(step.joined + turn, of_warp);
        }
        __syncthreads();
        uint32 grown = step.joined[turn];
        uint32 waiting = growing & ~grown;
        if (waiting != 0) {
            for (uint32 left = waiting & outside; left != 0; left &= left - 1) {
                int32 target = __ffs(left) - 1;
                double slack = trees.slacks[trees.at(threadIdx.x, target)];
                atomicMin(step.least + target, static_cast<unsigned long long>(__double_as_longlong(slack)));
            }
            __syncthreads();
            for (uint32 left = waiting & outside; left != 0; left &= left - 1) {
                int32 target = __ffs(left) - 1;
                int32 cell = trees.at(threadIdx.x, target);
                double slack = trees.slacks[cell];
                if (slack != Length<double>::unreached() && slack == __longlong_as_double(static_cast<int64>(step.least[target]))) {
                    atomicMin(step.first + target, static_cast<uint32>(trees.joins[cell] >> 8 << 16 | threadIdx.x));
                }
            }
            __syncthreads();
            for (uint32 left = waiting & outside; left != 0; left &= left - 1) {
                if ((step.first[__ffs(left) - 1] & 0xffff) == threadIdx.x) {
                    joined |= left & -left;
                }
            }
            outside &= ~joined;
            growing &= ~__ballot_sync(~0u, (waiting >> lane & 1) != 0 && step.first[lane] == NOBODY);
        }
        if (threadIdx.x < TARGETS) {
            step.edges[lane] = (grown >> lane & 1) != 0 ? step.edges[lane] + 1 : step.first[lane] >> 16;
        }
    }
    return outside;
}

}  // namespace

// Solves graph order[from + blockIdx.x], unless it was rejected. lengths: as floyd_warshall.cu writes them, from begins[graph] on, like next.
// weights, targets: room for as many as the batch has edges.
extern "C" __global__ void __launch_bounds__(128) graph_path_tree(
        Graphs graphs,
        const int32* order,
        int32 from,
        Classified rows_of,
        const int32* begins,
        double* weights,
        int32* targets,
        const double* lengths,
        int32* next) {
    extern __shared__ double shared[];
    __shared__ Step step;
    int32 graph = order[from + blockIdx.x];
    if (!rows_of.is_solved(graph)) {
        return;
    }
    int32 n = graphs.nodes[graph];
    int32 cells = blockDim.x * TARGETS;
    uint16* joins = reinterpret_cast<uint16*>(shared + 2 * cells);
    uint32* frontier = reinterpret_cast<uint32*>(joins + cells);
    Trees trees = {shared, shared + cells, joins, frontier};
    EdgesFrom edges(graphs, graph, weights, targets, reinterpret_cast<int32*>(frontier + blockDim.x));
    int32 lane = threadIdx.x % 32;
    for (int32 first = 0; first < n; first += TARGETS) {
        int32 target = first + lane;
        for (int32 i = threadIdx.x / 32; i < n; i += blockDim.x / 32) {
            int32 cell = trees.at(i, lane);
            trees.lengths[cell] = target < n ? lengths[begins[graph] + i * n + target] : Length<double>::unreached();
            trees.slacks[cell] = Length<double>::unreached();
            trees.joins[cell] = 0xffff;
        }
        uint32 all = n - first >= TARGETS ? ~0u : (1u << (n - first)) - 1;
        uint32 outside = grow(edges, trees, step, all, first, threadIdx.x < n);
        trees.frontier[threadIdx.x] = outside;
        __syncthreads();
        for (int32 i = threadIdx.x / 32; i < n; i += blockDim.x / 32) {
            if (target < n) {
                bool none = i == target || (trees.frontier[i] >> lane & 1) != 0;
                next[begins[graph] + i * n + target] = none ? -1 : trees.joins[trees.at(i, lane)] & 0xff;
            }
        }
        __syncthreads();
    }
}
