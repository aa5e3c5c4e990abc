// The tree of a chain from its finished table, whatever the table's layout: no splits are kept while costs are computed.
#pragma once
#include "chain/text.cuh"

namespace {

// The product of the matrices between two vertices, and where its split comes in preorder.
struct Product {
    int32 first;
    int32 last;
    int32 index;
};

// Finds the smallest optimal split of every product of the tree, by one block of 1,024 threads at most, level by level: the warps share
// out the products of a level, and the candidates of each where there are fewer products than warps.
//
// cost(i, j): the table's entry for the matrices between the vertices i < j. queue: a Product for each vertex.
// parentheses: for each vertex, how many open before the matrix to its right and (upper half) close after the one to its left.
// splits: null if they are not wanted.
template <typename A, typename Cost>
__device__ void find_tree(
        const Cost& cost,
        const typename A::Value* dims,
        int vertices,
        Product* queue,
        uint32* parentheses,
        int32* splits) {
    constexpr int NONE = 0x7fffffff;
    constexpr int WARPS = 32;
    __shared__ int tail;
    __shared__ int smallest[WARPS];
    int lane = threadIdx.x & 31;
    int warp = threadIdx.x / 32;
    int warps = blockDim.x / 32;
    for (int i = threadIdx.x; i < vertices; i += blockDim.x) {
        parentheses[i] = 0;
    }
    if (threadIdx.x == 0) {
        queue[0] = Product{0, vertices - 1, 0};
        tail = vertices > 2 ? 1 : 0;
    }
    int begin = 0;
    while (true) {
        __syncthreads();
        int end = tail;
        if (begin == end) {
            return;
        }
        int team = warps;
        while (team > 1 && static_cast<int64>(team) * (end - begin) > warps) {
            team = (team + 1) / 2;
        }
        int teams = warps / team;
        int slot = warp / team;
        for (int base = begin; base < end; base += teams) {
            if (threadIdx.x < WARPS) {
                smallest[threadIdx.x] = NONE;
            }
            __syncthreads();
            bool works = slot < teams && base + slot < end;
            Product product{0, 0, 0};
            if (works) {
                product = queue[base + slot];
                typename A::Value best = cost(product.first, product.last);
                typename A::Value outer = A::product(dims[product.first], dims[product.last]);
                for (int from = product.first + 1 + 32 * (warp % team); from < product.last; from += 32 * team) {
                    int found = lane == 0 ? atomicAdd(smallest + slot, 0) : 0;
                    if (__shfl_sync(0xffffffff, found, 0) < from) {
                        break;
                    }
                    int k = from + lane;
                    bool optimal = k < product.last
                            && A::candidate(cost(product.first, k), outer, dims[k], cost(k, product.last)) == best;
                    uint32 hits = __ballot_sync(0xffffffff, optimal);
                    if (hits != 0) {
                        if (lane == 0) {
                            atomicMin(smallest + slot, from + __ffs(hits) - 1);
                        }
                        break;
                    }
                }
            }
            __syncthreads();
            if (works && warp % team == 0 && lane == 0) {
                int split = smallest[slot];
                if (splits != nullptr) {
                    splits[product.index] = split;
                }
                atomicAdd(parentheses + product.first, 1u);
                atomicAdd(parentheses + product.last, 0x10000u);
                bool left = split - product.first > 1;
                bool right = product.last - split > 1;
                int at = atomicAdd(&tail, (left ? 1 : 0) + (right ? 1 : 0));
                if (left) {
                    queue[at++] = Product{product.first, split, product.index + 1};
                }
                if (right) {
                    queue[at] = Product{split, product.last, product.index + split - product.first};
                }
            }
            __syncthreads();
        }
        begin = end;
    }
}

}  // namespace
