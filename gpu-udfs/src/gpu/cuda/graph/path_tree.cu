// Computes next vertices from DOUBLE lengths, for graphs of at most 128 vertices, with one block per graph and one warp
// per target. ShortestPaths defines the tree of paths to a target and explains why that tree is chosen.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"
#include "graph/edges.cuh"

constexpr int32 TREE_BLOCK = 512;
// Shared memory contains a weight and the source of an edge for each pair of vertices, a count of edges for each
// vertex, and a State for each warp and vertex.
constexpr int32 BYTES_OF_PAIR = 9;
constexpr int32 BYTES_OF_VERTEX = 4;
constexpr int32 BYTES_OF_STATE = 18;
FOR_HOST(TREE_BLOCK);
FOR_HOST(BYTES_OF_PAIR);
FOR_HOST(BYTES_OF_VERTEX);
FOR_HOST(BYTES_OF_STATE);

namespace {

// A way for a vertex to join the tree. Ways are ordered by slack, which is not negative, then by the number of edges to
// the target, and then by the vertex number, which is in the low half. A way is stored as separate words, because a
// warp finds the minimum word by word.
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
        // sorted in place, which is safe because an edge never moves up
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

// Solves graph order[from + blockIdx.x], unless it was rejected.
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
    int32 warps = blockDim.x / 32;
    int32 warp = threadIdx.x / 32;
    double* doubles = shared + n * n;  // memory for each warp
    int32* counts = reinterpret_cast<int32*>(doubles + 2 * warps * n);
    uint16* joins = reinterpret_cast<uint16*>(counts + n);
    Edges edges = {n, shared, reinterpret_cast<uint8*>(joins + warps * n), counts};
    State state = {doubles + 2 * warp * n, doubles + (2 * warp + 1) * n, joins + warp * n};
    edges.read(graphs, graph);
    const double* own = lengths + begins[graph];
    int32* tree = next + begins[graph];
    for (int32 target = warp; target < n; target += warps) {
        switch ((n - 1) / 32) {
            case 0: grow<1>(edges, state, own, target, tree); break;
            case 1: grow<2>(edges, state, own, target, tree); break;
            case 2: grow<3>(edges, state, own, target, tree); break;
            default: grow<4>(edges, state, own, target, tree);
        }
        __syncwarp();
    }
}
