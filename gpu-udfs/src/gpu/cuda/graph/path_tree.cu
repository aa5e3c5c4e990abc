// Computes next vertices from DOUBLE lengths, for graphs of at most 128 vertices, with one block per graph.
// ShortestPaths defines the tree of paths to a target and explains why that tree is chosen. A vertex joins this tree
// along an edge with a slack, which depends only on the edge and on the target.
//
// `graph_path_next` takes the edge with the smallest slack at each vertex, with one or more threads per target. Let
// `most` be the largest of these slacks. These edges are the tree if all other edges have more slack than `most`, and
// if each edge leads to a vertex with a shorter path: then the edges lead from every vertex to the target, so as long
// as vertices are outside the tree, one of them can join with a slack of at most `most`. So each vertex joins with such
// a slack, and it has only one edge with such a slack. For other targets, which have ties, `graph_path_tree` grows the
// tree, with one warp per target.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"
#include "graph/edges.cuh"

constexpr int32 TREE_BLOCK = 512;
// The shared memory of graph_path_tree contains a weight and the source of an edge for each pair of vertices, a count
// of edges for each vertex, and a State for each warp and vertex.
constexpr int32 BYTES_OF_PAIR = 9;
constexpr int32 BYTES_OF_VERTEX = 4;
constexpr int32 BYTES_OF_STATE = 18;
FOR_HOST(TREE_BLOCK);
FOR_HOST(BYTES_OF_PAIR);
FOR_HOST(BYTES_OF_VERTEX);
FOR_HOST(BYTES_OF_STATE);
// The maximum number of threads in a block of graph_path_next. Its shared memory contains a weight and the target of
// each edge, up to EDGES_OF_VERTEX edges per vertex on average.
constexpr int32 NEXT_BLOCK = 256;
constexpr int32 EDGES_OF_VERTEX = 12;
constexpr int32 BYTES_OF_EDGE = 9;
FOR_HOST(NEXT_BLOCK);
FOR_HOST(EDGES_OF_VERTEX);
FOR_HOST(BYTES_OF_EDGE);

namespace {

constexpr int32 MAX_VERTICES = 128;
// Stored as a target's own next vertex as long as the tree of paths to this target is not known.
constexpr int32 UNKNOWN = -2;

// The edges that leave each vertex: those of vertex i have the indices begins[i] to begins[i + 1] - 1.
struct Leaving {
    double* weights;
    uint8* targets;
    int32* begins;

    __device__ __forceinline__ void read(const Graphs& graphs, int32 graph, int32 n) const {
        __shared__ int32 places[MAX_VERTICES];
        int32 first = graphs.offsets[graph];
        int32 last = graphs.offsets[graph + 1];
        for (int32 i = threadIdx.x; i < n; i += blockDim.x) {
            places[i] = 0;
        }
        __syncthreads();
        for (int32 edge = first + threadIdx.x; edge < last; edge += blockDim.x) {
            atomicAdd(places + graphs.sources[edge], 1);
        }
        __syncthreads();
        if (threadIdx.x < 32) {
            int32 begin = 0;
            for (int32 from = 0; from < n; from += 32) {
                int32 i = from + threadIdx.x;
                int32 count = i < n ? places[i] : 0;
                int32 end = begin + sum_up_to_lane(count);
                if (i < n) {
                    begins[i] = end - count;
                    places[i] = end - count;
                }
                begin = __shfl_sync(~0u, end, 31);
            }
            if (threadIdx.x == 0) {
                begins[n] = begin;
            }
        }
        __syncthreads();
        for (int32 edge = first + threadIdx.x; edge < last; edge += blockDim.x) {
            int32 place = atomicAdd(places + graphs.sources[edge], 1);
            weights[place] = static_cast<const double*>(graphs.weights)[edge];
            targets[place] = static_cast<uint8>(graphs.targets[edge]);
        }
        __syncthreads();
    }
};

// A way for a vertex to join the tree. Ways are ordered by slack, which is not negative, then by the number of edges to
// the target, and then by the vertex number, which is in the low half of the last word. A way is stored as separate
// words, because a warp finds the minimum word by word.
struct Join {
    uint32 slack_high;
    uint32 slack_low;
    uint32 edges_and_number;

    static __device__ __forceinline__ Join never() {
        return {0x7ff00000, 0, ~0u};
    }

    static __device__ __forceinline__ Join of(double slack, uint32 edges_and_number) {
        uint64 bits = static_cast<uint64>(__double_as_longlong(slack));
        return {static_cast<uint32>(bits >> 32), static_cast<uint32>(bits), edges_and_number};
    }

    __device__ __forceinline__ bool is_never() const {
        return slack_high == 0x7ff00000;
    }

    __device__ __forceinline__ bool before(Join other) const {
        return slack_high < other.slack_high
               || slack_high == other.slack_high
                          && (slack_low < other.slack_low
                              || slack_low == other.slack_low && edges_and_number < other.edges_and_number);
    }
};

__device__ __forceinline__ uint32 least_of_lanes(uint32 word) {
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(~0u, word);
#else
    return reduce_lanes<32>(word, [](uint32 a, uint32 b) { return a < b ? a : b; });
#endif
}

__device__ __forceinline__ Join first_of_lanes(Join join) {
    uint32 high = least_of_lanes(join.slack_high);
    uint32 low = least_of_lanes(join.slack_high == high ? join.slack_low : ~0u);
    bool least = join.slack_high == high && join.slack_low == low;
    return {high, low, least_of_lanes(least ? join.edges_and_number : ~0u)};
}

// The edges of a graph. The `counts[v]` edges into vertex v are stored from index v * n on; there is at most one from
// each other vertex.
struct Edges {
    int32 n;
    double* weights;
    uint8* sources;
    int32* counts;

    __device__ __forceinline__ void read(const Graphs& graphs, int32 graph) const {
        for (int32 cell = threadIdx.x; cell < n * n; cell += blockDim.x) {
            weights[cell] = Length<double>::unreached();
        }
        __syncthreads();
        for (int32 edge = graphs.offsets[graph] + threadIdx.x; edge < graphs.offsets[graph + 1]; edge += blockDim.x) {
            double weight = static_cast<const double*>(graphs.weights)[edge];
            Length<double>::least(weights + graphs.targets[edge] * n + graphs.sources[edge], weight);
        }
        __syncthreads();
        // moves the edges together in place, which is safe because an edge never moves to a higher index
        int32 lane = threadIdx.x & 31;
        for (int32 v = threadIdx.x / 32; v < n; v += blockDim.x / 32) {
            int32 count = 0;
            for (int32 first = 0; first < n; first += 32) {
                int32 i = first + lane;
                double weight = i < n ? weights[v * n + i] : Length<double>::unreached();
                bool exists = i != v && weight != Length<double>::unreached();
                uint32 all = __ballot_sync(~0u, exists);
                int32 to = v * n + count + __popc(all & ((1u << lane) - 1));
                __syncwarp();
                if (exists) {
                    weights[to] = weight;
                    sources[to] = static_cast<uint8>(i);
                }
                count += __popc(all);
                __syncwarp();
            }
            if (lane == 0) {
                counts[v] = count;
            }
        }
        __syncthreads();
    }
};

// The state of each vertex in a warp's tree: its path length to the target, and the best way to join the tree, which is
// stored as its slack and as `edges << 8 | next`.
struct State {
    double* to_target;
    double* slack;
    uint16* joins;
};

// Offers the edges into v, which has just joined, to the vertices at their sources.
__device__ __forceinline__ void offer(const Edges& given, const State& state, int32 v, uint32 edges) {
    double rest = state.to_target[v];
    uint32 join = (edges + 1) << 8 | v;
    for (int32 edge = threadIdx.x & 31; edge < given.counts[v]; edge += 32) {
        int32 i = given.sources[v * given.n + edge];
        double slack = given.weights[v * given.n + edge] + rest - state.to_target[i];
        slack = slack > 0 ? slack : 0.0;
        double least = state.slack[i];
        if (slack < least || (slack == least && join < state.joins[i])) {
            state.slack[i] = slack;
            state.joins[i] = static_cast<uint16>(join);
        }
    }
    __syncwarp();
}

// Grows the tree. Vertex i belongs to lane i % 32; each lane has OF_LANE vertices. Vertices with the smallest slack and
// the fewest edges join one after another. If the slack is 0, the paths that these vertices offer to others have more
// edges, so all of them join at the same time.
template <int OF_LANE>
__device__ void grow(const Edges& given, const State& state, const double* lengths, int32 target, int32* next) {
    int32 n = given.n;
    int32 lane = threadIdx.x & 31;
    uint32 outside = 0;
    uint32 joined[OF_LANE];  // a bit for each vertex that joined in the last round
#pragma unroll
    for (int32 q = 0; q < OF_LANE; q++) {
        int32 i = q * 32 + lane;
        joined[q] = target / 32 == q ? 1u << target % 32 : 0;
        if (i < n) {
            outside |= i != target ? 1u << q : 0;
            state.to_target[i] = lengths[i * n + target];
            state.slack[i] = Length<double>::unreached();
            state.joins[i] = 0xffff;
        }
    }
    __syncwarp();
    uint32 edges = 0;
    while (true) {
#pragma unroll
        for (int32 q = 0; q < OF_LANE; q++) {
            for (uint32 left = joined[q]; left != 0; left &= left - 1) {
                offer(given, state, q * 32 + __ffs(left) - 1, edges);
            }
        }
        uint32 any = 0;
#pragma unroll
        for (int32 q = 0; q < OF_LANE; q++) {
            bool joins = (outside >> q & 1) != 0 && state.slack[q * 32 + lane] == 0;
            joined[q] = __ballot_sync(~0u, joins);
            any |= joined[q];
        }
        edges++;
        if (any == 0) {
            Join first = Join::never();
#pragma unroll
            for (int32 q = 0; q < OF_LANE; q++) {
                int32 i = q * 32 + lane;
                if ((outside >> q & 1) != 0) {
                    Join own = Join::of(state.slack[i], (state.joins[i] >> 8) << 16 | i);
                    first = own.before(first) ? own : first;
                }
            }
            first = first_of_lanes(first);
            if (first.is_never()) {
                break;
            }
            edges = first.edges_and_number >> 16;
            int32 i = first.edges_and_number & 0xffff;
#pragma unroll
            for (int32 q = 0; q < OF_LANE; q++) {
                joined[q] = i / 32 == q ? 1u << i % 32 : 0;
            }
        }
#pragma unroll
        for (int32 q = 0; q < OF_LANE; q++) {
            int32 i = q * 32 + lane;
            if ((joined[q] >> lane & 1) != 0) {
                outside &= ~(1u << q);
                next[i * n + target] = state.joins[i] & 0xff;
            }
        }
        __syncwarp();
    }
#pragma unroll
    for (int32 q = 0; q < OF_LANE; q++) {
        int32 i = q * 32 + lane;
        if (i < n && ((outside >> q & 1) != 0 || i == target)) {
            next[i * n + target] = -1;
        }
    }
}

}  // namespace

// Finds the next vertices of graph order[from + blockIdx.x] for the targets whose tree consists of the edges with the
// smallest slack. Writes UNKNOWN as the next vertex of the other targets, and of all targets of a graph with more than
// `capacity` edges. Other arguments are those of graph_path_tree. Uses up to NEXT_BLOCK threads.
extern "C" __global__ void __launch_bounds__(NEXT_BLOCK) graph_path_next(
        Graphs graphs,
        const int32* order,
        int32 from,
        Classified rows_of,
        const int32* begins,
        const double* lengths,
        int32* next,
        int32 capacity) {
    extern __shared__ double shared[];
    __shared__ int32 leaving_begins[MAX_VERTICES + 1];
    __shared__ double most_of[NEXT_BLOCK];
    __shared__ double least_of[NEXT_BLOCK];
    int32 graph = order[from + blockIdx.x];
    if (!rows_of.is_solved(graph)) {
        return;
    }
    int32 n = graphs.nodes[graph];
    lengths += begins[graph];
    next += begins[graph];
    if (graphs.offsets[graph + 1] - graphs.offsets[graph] > capacity) {
        for (int32 i = threadIdx.x; i < n; i += blockDim.x) {
            next[i * n + i] = UNKNOWN;
        }
        return;
    }
    Leaving edges = {shared, reinterpret_cast<uint8*>(shared + capacity), leaving_begins};
    edges.read(graphs, graph, n);
    // the threads of a slice have the targets in order; the slices take turns at the vertices
    int32 width = max(32, (n + 31) / 32 * 32);
    int32 slices = blockDim.x / width;
    int32 slice = threadIdx.x / width;
    int32 target = threadIdx.x % width;
    double most = 0;
    // the smallest slack of the other edges; 0 if the edges do not form a tree
    double least = Length<double>::unreached();
    if (slice < slices && target < n) {
        for (int32 i = slice; i < n; i += slices) {
            double own = lengths[i * n + target];
            if (i == target) {
                continue;
            }
            int32 best = -1;
            double slack = Length<double>::unreached();
            double rest_of_best = Length<double>::unreached();
            if (!Length<double>::is_unreached(own)) {
                for (int32 edge = edges.begins[i]; edge < edges.begins[i + 1]; edge++) {
                    int32 v = edges.targets[edge];
                    double rest = lengths[v * n + target];
                    double found = edges.weights[edge] + rest - own;
                    found = found > 0 ? found : 0.0;
                    if (v == i) {
                        continue;
                    }
                    bool better = found < slack;
                    double other = better ? slack : found;
                    least = v != best && other < least ? other : least;
                    slack = better ? found : slack;
                    rest_of_best = better ? rest : rest_of_best;
                    best = better ? v : best;
                }
                most = slack > most ? slack : most;
                least = rest_of_best < own ? least : 0.0;
            }
            next[i * n + target] = best;
        }
    }
    most_of[threadIdx.x] = most;
    least_of[threadIdx.x] = least;
    __syncthreads();
    if (slice == 0 && target < n) {
        for (int32 at = target + width; at < slices * width; at += width) {
            most = most_of[at] > most ? most_of[at] : most;
            least = least_of[at] < least ? least_of[at] : least;
        }
        next[target * n + target] = least > most ? -1 : UNKNOWN;
    }
}

// Solves graph order[from + blockIdx.x], unless it was rejected, for the targets whose next vertex is UNKNOWN.
//
// - lengths: the output of floyd_warshall.cu; a graph's lengths start at begins[graph], and so do its vertices in
//   `next`
extern "C" __global__ void __launch_bounds__(TREE_BLOCK) graph_path_tree(
        Graphs graphs,
        const int32* order,
        int32 from,
        Classified rows_of,
        const int32* begins,
        const double* lengths,
        int32* next) {
    extern __shared__ double shared[];
    int32 graph = order[from + blockIdx.x];
    if (!rows_of.is_solved(graph)) {
        return;
    }
    int32 n = graphs.nodes[graph];
    int32* tree = next + begins[graph];
    bool unknown = false;
    for (int32 i = threadIdx.x; i < n; i += blockDim.x) {
        unknown = unknown || tree[i * n + i] == UNKNOWN;
    }
    if (__syncthreads_or(unknown) == 0) {
        return;
    }
    int32 warps = blockDim.x / 32;
    int32 warp = threadIdx.x / 32;
    double* doubles = shared + n * n;  // memory for each warp
    int32* counts = reinterpret_cast<int32*>(doubles + 2 * warps * n);
    uint16* joins = reinterpret_cast<uint16*>(counts + n);
    Edges edges = {n, shared, reinterpret_cast<uint8*>(joins + warps * n), counts};
    State state = {doubles + 2 * warp * n, doubles + (2 * warp + 1) * n, joins + warp * n};
    edges.read(graphs, graph);
    const double* own = lengths + begins[graph];
    for (int32 target = warp; target < n; target += warps) {
        if (tree[target * n + target] != UNKNOWN) {
            continue;
        }
        switch ((n - 1) / 32) {
            case 0: grow<1>(edges, state, own, target, tree); break;
            case 1: grow<2>(edges, state, own, target, tree); break;
            case 2: grow<3>(edges, state, own, target, tree); break;
            default: grow<4>(edges, state, own, target, tree);
        }
        __syncwarp();
    }
}
