// Solves the matrix chain with the papers' GPU algorithms, one chain at a time: computes the cost of the product of the
// matrices `start` to `end`, counted from 0. The products of one length form a phase, which follows the phases of all
// smaller lengths.
//
// - Solomon and Thulasiraman, "Performance study of mapping irregular computations on GPUs" (2010): one kernel
//   per phase, one thread per product, in the layouts of type 0 and, coalesced, of type 1.
// - Wani and Quadri, "Accelerated dynamic programming on GPU" (2013): the same algorithm, with a table
//   stored by rows.
// - Wu, Ke, Lin and Feng, "Optimizing dynamic programming on graphics processing units via
//   adaptive thread-level parallelism" (2011): several threads share a product, or one thread computes several
//   products, so that all multiprocessors are busy in every phase.
// - Matsumae and Miyazaki, "Solving dynamic programming problem by pipeline implementation on GPU" (2018):
//   products of several phases are computed at once, with one candidate of each product per step.
#include "chain/tree.cuh"
#include "chain/weights.cuh"

namespace {

// The layout of a table, in which the cost of the product of the matrices start..end is stored at by_start * start +
// by_end * end, less triangle * d (d - 1) / 2 for d = end - start. The layouts of Wu et al. for n matrices: type 0
// is (1, n, 0), a row for each end; type 1 is (1 - n, n, 0), a row for each length; type 2 is (n - 1, 1, 0), its
// transpose. A table stored by rows is (n, 1, 0), and a table stored by lengths without gaps is (1 - n, n, 1).
struct Layout {
    int64 by_start;
    int64 by_end;
    int64 triangle;

    __device__ __forceinline__ int64 operator()(int start, int end) const {
        int64 d = end - start;
        return by_start * start + by_end * end - triangle * (d * (d - 1) / 2);
    }
};

// Returns the result of a thread for the product of the matrices start..start + length - 1: the minimum over the splits
// with first, first + step, ... matrices on the left.
template <typename A>
__device__ __forceinline__ typename A::Value least(
        const typename A::Value* weights,
        const typename A::Value* costs,
        const Layout& layout,
        int start,
        int length,
        int first,
        int step) {
    using Value = typename A::Value;
    int end = start + length - 1;
    const Value* left = costs + layout(start, start + first - 1);
    const Value* right = costs + layout(start + first, end);
    int64 left_step = layout.by_end * step;
    int64 right_step = layout.by_start * step;
    Value outer = A::product(weights[start], weights[end + 1]);
    Value best = A::infinity();
#pragma unroll 4
    for (int split = first; split < length; split += step) {
        Value candidate = A::candidate(*left, outer, weights[start + split], *right);
        best = candidate < best ? candidate : best;
        left += left_step;
        right += right_step;
    }
    return best;
}

// Computes one product of `length` matrices per thread, or several in a grid-stride loop.
template <typename A>
__device__ __forceinline__ void solve_cells(
        int matrices, int length, const typename A::Value* weights, typename A::Value* costs, const Layout& layout) {
    for (int64 start = thread_index(); start <= matrices - length;
         start += static_cast<int64>(gridDim.x) * blockDim.x) {
        int own = static_cast<int>(start);
        costs[layout(own, own + length - 1)] = least<A>(weights, costs, layout, own, length, 1, 1);
    }
}

// Divides the products of `length` matrices among the blocks. In a block, each group of `subthreads` threads computes
// one product, or several products in turn. Each thread of a group processes every `subthreads`-th candidate. Then the
// group computes the minimum of its threads' results. This works for any number of values: in each step, the upper half
// of the values is combined with the lower half.
template <typename A>
__device__ __forceinline__ void solve_groups(
        int matrices,
        int length,
        int subthreads,
        const typename A::Value* weights,
        typename A::Value* costs,
        const Layout& layout) {
    using Value = typename A::Value;
    __shared__ Value found[1024];
    int64 products = matrices - length + 1;
    int begin = static_cast<int>(products * blockIdx.x / gridDim.x);
    int end = static_cast<int>(products * (blockIdx.x + 1) / gridDim.x);
    int groups = blockDim.x / subthreads;
    int group = threadIdx.x / subthreads;
    int own = threadIdx.x - group * subthreads;
    for (int from = begin; from < end; from += groups) {
        int start = from + group;
        bool works = group < groups && start < end;
        Value best = works ? least<A>(weights, costs, layout, start, length, 1 + own, subthreads) : A::infinity();
        if (subthreads > 1) {
            found[threadIdx.x] = best;
            for (int values = subthreads; values > 1;) {
                int lower = (values + 1) / 2;
                __syncthreads();
                if (own < values - lower && group < groups) {
                    Value other = found[threadIdx.x + lower];
                    best = other < best ? other : best;
                    found[threadIdx.x] = best;
                }
                values = lower;
            }
            __syncthreads();
        }
        if (works && own == 0) {
            costs[layout(start, start + length - 1)] = best;
        }
    }
}

// Returns the number of slots of the head that the products with `splits` splits take: one slot for each product or, if
// a product may begin only after the products with one split fewer are finished, at least one more than the splits.
__device__ __forceinline__ int pipeline_slots(int matrices, int splits, bool delayed) {
    int products = matrices - splits;
    return delayed ? max(products, splits + 1) : products;
}

// Runs the pipeline: in each step, stage t processes split t of the product that the head had t steps earlier. The
// split order printed in the paper reads costs before they are final. Therefore, the splits either go from the middle
// outwards, which leaves the products of the previous phase to the end, or go in the printed order with each phase
// delayed. Uses one block. The table has no gaps.
template <typename A>
__device__ __forceinline__ void solve_pipeline(
        int matrices,
        bool delayed,
        const typename A::Value* weights,
        typename A::Value* costs,
        const Layout& layout) {
    using Value = typename A::Value;
    for (int head_splits = 1; head_splits < matrices; head_splits++) {
        int slots = head_splits == matrices - 1 ? matrices - 1 : pipeline_slots(matrices, head_splits, delayed);
        for (int head = 0; head < slots; head++) {
            for (int stage = threadIdx.x; stage < head_splits; stage += blockDim.x) {
                int splits = head_splits;
                int start = head - stage;
                while (start < 0 && --splits > stage) {
                    start += pipeline_slots(matrices, splits, delayed);
                }
                if (start < 0 || start >= matrices - splits) {
                    continue;
                }
                // the number of matrices in the left part
                int split = stage + 1;
                if (!delayed) {
                    int upwards = (splits & 1) == (stage & 1) ? -1 : 1;
                    split = (splits + 1) / 2 + upwards * ((stage + 1) / 2);
                }
                int end = start + splits;
                Value candidate = A::candidate(
                        costs[layout(start, start + split - 1)],
                        A::product(weights[start], weights[start + split]),
                        weights[end + 1],
                        costs[layout(start + split, end)]);
                Value* cost = costs + layout(start, end);
                if (stage == 0 || candidate < *cost) {
                    *cost = candidate;
                }
            }
            __syncthreads();
        }
    }
}

template <typename A>
struct LaidOutTable {
    using Weights = ChainProduct<A>;
    using Value = typename A::Value;

    Weights weights;
    int vertices;
    Layout layout;
    const Value* costs;

    __device__ __forceinline__ Value cost(int a, int b) const {
        return costs[layout(min(a, b), max(a, b) - 1)];
    }
};

}  // namespace

// Defines the kernels. `weights` contains the dimensions of the chain, and `costs` is its table. A cost that does not
// fit in 63 bits is written as a negative number.
//
// - <name>_begin runs the first phase, which sets the costs to 0, with one thread per dimension.
// - <name>_cells runs the phase of `length` matrices, with any grid.
// - <name>_groups also runs this phase, with at most as many blocks as products and at most 1,024 threads per block.
// - <name>_pipeline runs all phases but the first, with one block.
// - <name>_report writes the cost of the row and, if requested, its tree, with one block. `tree` has 12 bytes per
//   dimension.
#define STRATEGIES(name, arithmetic) \
    extern "C" __global__ void __launch_bounds__(1024) name##_begin( \
            int32 row, const int32* offsets, const int64* dims, arithmetic::Value* weights, arithmetic::Value* costs, \
            int64 by_start, int64 by_end, int64 triangle) { \
        int32 begin = offsets[row]; \
        int32 matrices = offsets[row + 1] - begin - 1; \
        int32 i = static_cast<int32>(thread_index()); \
        if (i <= matrices) { \
            weights[i] = static_cast<arithmetic::Value>(dims[begin + i]); \
        } \
        if (i < matrices) { \
            costs[Layout{by_start, by_end, triangle}(i, i)] = 0; \
        } \
    } \
    extern "C" __global__ void __launch_bounds__(1024) name##_cells( \
            int32 matrices, int32 length, const arithmetic::Value* weights, arithmetic::Value* costs, int64 by_start, \
            int64 by_end) { \
        solve_cells<arithmetic>(matrices, length, weights, costs, Layout{by_start, by_end, 0}); \
    } \
    extern "C" __global__ void __launch_bounds__(1024) name##_groups( \
            int32 matrices, int32 length, int32 subthreads, const arithmetic::Value* weights, \
            arithmetic::Value* costs, int64 by_start, int64 by_end) { \
        solve_groups<arithmetic>(matrices, length, subthreads, weights, costs, Layout{by_start, by_end, 0}); \
    } \
    extern "C" __global__ void __launch_bounds__(1024) name##_pipeline( \
            int32 matrices, int32 delayed, const arithmetic::Value* weights, arithmetic::Value* costs, int64 by_start, \
            int64 by_end, int64 triangle) { \
        solve_pipeline<arithmetic>(matrices, delayed != 0, weights, costs, Layout{by_start, by_end, triangle}); \
    } \
    extern "C" __global__ void __launch_bounds__(1024) name##_report( \
            int32 row, int32 matrices, const arithmetic::Value* weights, const arithmetic::Value* table, \
            int64 by_start, int64 by_end, int64 triangle, uint32* tree, int64* costs, const int32* split_offsets, \
            int32* splits, const int32* text_offsets, uint8* text) { \
        int vertices = matrices + 1; \
        TreeScratch scratch{tree, reinterpret_cast<int32*>(tree + vertices), tree + 2 * vertices}; \
        report<true>(LaidOutTable<arithmetic>{{weights}, vertices, {by_start, by_end, triangle}, table}, scratch, row, \
                Answers{costs, split_offsets, splits, text_offsets, text}); \
    }

STRATEGIES(chain_int32, Int32)
STRATEGIES(chain_float64, Float64)
STRATEGIES(chain_int64, Int64)
STRATEGIES(chain_saturating, Saturating)
