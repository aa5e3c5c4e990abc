// Next vertices from lengths of DOUBLE, for graphs of at most 128 vertices: a block for each, a warp for each target. ShortestPaths says what
// tree of paths to a target is grown, and why.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "graph/edges.cuh"

constexpr int32 TREE_BLOCK = 512;
constexpr int32 TREE_NODES = 128;
FOR_HOST(TREE_BLOCK);

namespace {

constexpr int32 OF_LANE = TREE_NODES / 32;

// How a vertex would join the tree: first by the least slack, then by the fewest edges to the target, then by the number in the low half.
struct Join {
    double slack;
    int32 edges_and_number;

    __device__ __forceinline__ bool before(Join other) const {
        return slack < other.slack || slack == other.slack && edges_and_number < other.edges_and_number;
    }
};

__device__ __forceinline__ Join first_of_lanes(Join join) {
#pragma unroll
    for (int32 other = 1; other < 32; other *= 2) {
        Join theirs = {__shfl_xor_sync(~0u, join.slack, other), __shfl_xor_sync(~0u, join.edges_and_number, other)};
        join = theirs.before(join) ? theirs : join;
    }
    return join;
}

// weights: of the edge from i to u at u * n + i. Vertex i belongs to lane i % 32.
__device__ void grow(int32 n, const double* weights, const double* lengths, int32 target, int32* next) {
    int32 lane = threadIdx.x & 31;
    double unreached = Length<double>::unreached();
    double to_target[OF_LANE];
    Join joins[OF_LANE];  // the number is that of the next vertex
    bool outside[OF_LANE];
#pragma unroll
    for (int32 q = 0; q < OF_LANE; q++) {
        int32 i = q * 32 + lane;
        outside[q] = i < n && i != target;
        to_target[q] = outside[q] ? lengths[i * n + target] : unreached;
        joins[q] = {unreached, 0x7fffffff};
    }
    int32 joined = target;
    int32 edges = 0;
    while (true) {
        double rest = lengths[joined * n + target];
        Join first = {unreached, 0x7fffffff};
#pragma unroll
        for (int32 q = 0; q < OF_LANE; q++) {
            int32 i = q * 32 + lane;
            double weight = i < n ? weights[joined * n + i] : unreached;
            if (outside[q] && weight != unreached) {
                double slack = weight + rest - to_target[q];
                Join join = {slack > 0 ? slack : 0.0, (edges + 1) << 16 | joined};
                joins[q] = join.before(joins[q]) ? join : joins[q];
            }
            Join own = {joins[q].slack, joins[q].edges_and_number >> 16 << 16 | i};
            first = outside[q] && own.before(first) ? own : first;
        }
        first = first_of_lanes(first);
        if (first.slack == unreached) {
            break;
        }
        joined = first.edges_and_number & 0xffff;
        edges = first.edges_and_number >> 16;
#pragma unroll
        for (int32 q = 0; q < OF_LANE; q++) {
            if (joined == q * 32 + lane) {
                outside[q] = false;
                next[joined * n + target] = joins[q].edges_and_number & 0xffff;
            }
        }
    }
#pragma unroll
    for (int32 q = 0; q < OF_LANE; q++) {
        int32 i = q * 32 + lane;
        if (i < n && (outside[q] || i == target)) {
            next[i * n + target] = -1;
        }
    }
}

}  // namespace

// Of graph order[from + blockIdx.x], unless it was rejected. lengths: as floyd_warshall.cu writes them, from begins[graph] on, as next. Shared memory: n * n doubles.
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
        grow(n, weights, lengths + begins[graph], target, next + begins[graph]);
    }
}
