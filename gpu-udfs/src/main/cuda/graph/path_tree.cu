// Next vertices from lengths of DOUBLE, for graphs of at most 128 vertices: one block per graph, one warp per target. ShortestPaths defines the tree
// of paths to a target, and says why that one.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"
#include "graph/edges.cuh"

constexpr int32 TREE_BLOCK = 512;
FOR_HOST(TREE_BLOCK);

namespace {

// How a vertex would join the tree, ordered by the least slack, which is not negative, then by the fewest edges to the target, then by the number in
// the low half. Stored as words, because a warp finds its minimum word by word.
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

// weights: the edge from i to u is at u * n + i. Vertex i belongs to lane i % 32; each lane has OF_LANE vertices.
template <int OF_LANE>
__device__ void grow(int32 n, const double* weights, const double* lengths, int32 target, int32* next) {
    int32 lane = threadIdx.x & 31;
    double unreached = Length<double>::unreached();
    double to_target[OF_LANE];
    uint32 outside = 0;
#pragma unroll
    for (int32 q = 0; q < OF_LANE; q++) {
        int32 i = q * 32 + lane;
        bool other = i < n && i != target;
        outside |= other ? 1u << q : 0;
        to_target[q] = other ? lengths[i * n + target] : unreached;
    }
    Join joins[OF_LANE];  // the number is that of the next vertex
#pragma unroll
    for (int32 q = 0; q < OF_LANE; q++) {
        joins[q] = Join::never();
    }
    int32 joined = target;
    uint32 edges = 0;
    while (true) {
        double rest = lengths[joined * n + target];
        Join first = Join::never();
#pragma unroll
        for (int32 q = 0; q < OF_LANE; q++) {
            int32 i = q * 32 + lane;
            double weight = i < n ? weights[joined * n + i] : unreached;
            if ((outside >> q & 1) != 0) {
                if (weight != unreached) {
                    double slack = weight + rest - to_target[q];
                    Join join = Join::of(slack > 0 ? slack : 0.0, (edges + 1) << 16 | joined);
                    joins[q] = join.before(joins[q]) ? join : joins[q];
                }
                Join own = joins[q];
                own.edges_and_number = (own.edges_and_number & 0xffff0000u) | i;
                first = own.before(first) ? own : first;
            }
        }
        first = first_of_lanes(first);
        if (first.is_never()) {
            break;
        }
        joined = first.edges_and_number & 0xffff;
        edges = first.edges_and_number >> 16;
#pragma unroll
        for (int32 q = 0; q < OF_LANE; q++) {
            if (joined == q * 32 + lane) {
                outside &= ~(1u << q);
                next[joined * n + target] = joins[q].edges_and_number & 0xffff;
            }
        }
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

// Solves graph order[from + blockIdx.x], unless it was rejected. lengths: as floyd_warshall.cu writes them, from begins[graph] on, like next. Shared
// memory: n * n doubles.
extern "C" __global__ void __launch_bounds__(TREE_BLOCK) graph_path_tree(
        Graphs graphs,
        const int32* order,
        int32 from,
        Classified rows_of,
        const int32* begins,
        const double* lengths,
        int32* next) {
    extern __shared__ double weights[];
    int32 graph = order[from + blockIdx.x];
    if (!rows_of.is_solved(graph)) {
        return;
    }
    int32 n = graphs.nodes[graph];
    for (int32 cell = threadIdx.x; cell < n * n; cell += blockDim.x) {
        weights[cell] = Length<double>::unreached();
    }
    __syncthreads();
    for (int32 edge = graphs.offsets[graph] + threadIdx.x; edge < graphs.offsets[graph + 1]; edge += blockDim.x) {
        double weight = static_cast<const double*>(graphs.weights)[edge];
        Length<double>::least(weights + graphs.targets[edge] * n + graphs.sources[edge], weight);
    }
    __syncthreads();
    for (int32 target = threadIdx.x / 32; target < n; target += blockDim.x / 32) {
        const double* own = lengths + begins[graph];
        int32* tree = next + begins[graph];
        switch ((n - 1) / 32) {
            case 0: grow<1>(n, weights, own, target, tree); break;
            case 1: grow<2>(n, weights, own, target, tree); break;
            case 2: grow<3>(n, weights, own, target, tree); break;
            default: grow<4>(n, weights, own, target, tree);
        }
    }
}
