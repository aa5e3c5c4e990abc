// Parenthesizations whose weights are given: cost(i, j) = w(i, j) + min over i < k < j of cost(i, k) + cost(k, j) over the vertices 0 to
// n between n leaves, where cost(i, i + 1) is the leaf behind vertex i. Parenthesization.java tells the problem.
//
// A block solves an instance in tiles of TILE x TILE entries, a thread each, one diagonal of tiles after the other: for each split
// between a tile's rows and columns 2 TILE loads and TILE^2 steps in registers; the splits within its own rows and columns follow. The
// table is kept whole, symmetric, so that rows of cost(i, k) and columns of cost(k, j) both lie along row k.
//
// The tree is found top down from the finished table, the smallest optimal split first.
#include "common/columns.cuh"
#include "common/ticket.cuh"

namespace {

constexpr int TILE = 4;

// Exact where the bound of costs.cu holds.
struct Int32 {
    using Value = int32;
    static __device__ __forceinline__ Value infinity() {
        return 0x7fffffff;
    }
    static __device__ __forceinline__ Value sum(Value a, Value b) {
        return a + b;
    }
};

// Doubles, and whole numbers below 2^53: twice as fast as 64-bit integers.
struct Float64 {
    using Value = double;
    static __device__ __forceinline__ Value infinity() {
        return __longlong_as_double(0x7ff0000000000000);
    }
    static __device__ __forceinline__ Value sum(Value a, Value b) {
        return a + b;
    }
};

// Any; what does not fit 64 bits is 2^64 - 1.
struct Saturating {
    using Value = uint64;
    static __device__ __forceinline__ Value infinity() {
        return ~0ull;
    }
    static __device__ __forceinline__ Value sum(Value a, Value b) {
        return a + b < a ? infinity() : a + b;
    }
};

// What the costs are made of: the leaf behind vertex i, and w(i, j) of the leaves between the vertices i and j, two or more. Vertices
// behind the last one pad a tile.
template <typename A, typename Element>
struct GivenWeights {
    using Arithmetic = A;
    using Value = typename A::Value;

    int vertices;
    const Element* leaves;
    const Element* weights;  // row by row, those of n leaves: n - 1, n - 2, ..., 1

    // Adding zero makes a negative zero positive.
    __device__ __forceinline__ Value leaf(int i) const {
        return i + 1 < vertices ? static_cast<Value>(leaves[i]) + Value(0) : Value(0);
    }
    __device__ __forceinline__ Value range(int i, int j) const {
        int64 before = static_cast<int64>(i) * (2 * vertices - 3 - i) / 2;
        return j < vertices ? static_cast<Value>(weights[before + j - i - 2]) + Value(0) : Value(0);
    }
};

template <typename Value>
struct Table {
    int vertices;
    int64 pitch;  // `vertices` padded to a multiple of TILE
    Value* costs;
    uint32* firsts;  // a queue of the nodes of the tree: first vertex, last vertex, place in preorder
    uint32* lasts;
    uint32* places;

    __device__ __forceinline__ Table(uint8* slot, int capacity, int vertices) : vertices(vertices) {
        pitch = (vertices + TILE - 1) / TILE * TILE;
        costs = reinterpret_cast<Value*>(slot);
        firsts = reinterpret_cast<uint32*>(costs + static_cast<int64>(capacity) * capacity);
        lasts = firsts + capacity;
        places = lasts + capacity;
    }
};

template <typename Value>
struct alignas(16) Vector {
    Value values[16 / sizeof(Value)];
};

template <typename Value>
__device__ __forceinline__ void load(Value (&to)[TILE], const Value* from) {
    constexpr int WIDTH = 16 / sizeof(Value);
#pragma unroll
    for (int i = 0; i < TILE; i += WIDTH) {
        Vector<Value> vector = *reinterpret_cast<const Vector<Value>*>(from + i);
#pragma unroll
        for (int lane = 0; lane < WIDTH; lane++) {
            to[i + lane] = vector.values[lane];
        }
    }
}

template <typename Value>
__device__ __forceinline__ void store(Value* to, const Value (&from)[TILE]) {
    constexpr int WIDTH = 16 / sizeof(Value);
#pragma unroll
    for (int i = 0; i < TILE; i += WIDTH) {
        Vector<Value> vector;
#pragma unroll
        for (int lane = 0; lane < WIDTH; lane++) {
            vector.values[lane] = from[i + lane];
        }
        *reinterpret_cast<Vector<Value>*>(to + i) = vector;
    }
}

template <typename A>
__device__ __forceinline__ void relax(typename A::Value& best, typename A::Value left, typename A::Value right) {
    typename A::Value candidate = A::sum(left, right);
    best = candidate < best ? candidate : best;
}

template <typename Weights>
__device__ void solve_diagonal_tile(const Table<typename Weights::Value>& table, const Weights& weights, int first) {
    using A = typename Weights::Arithmetic;
    using Value = typename Weights::Value;
    Value costs[TILE][TILE];
#pragma unroll
    for (int i = TILE - 1; i >= 0; i--) {
        costs[i][i] = 0;
#pragma unroll
        for (int j = i + 1; j < TILE; j++) {
            Value best = j == i + 1 ? weights.leaf(first + i) : A::infinity();
#pragma unroll
            for (int k = i + 1; k < j; k++) {
                relax<A>(best, costs[i][k], costs[k][j]);
            }
            costs[i][j] = j == i + 1 ? best : A::sum(best, weights.range(first + i, first + j));
            costs[j][i] = costs[i][j];
        }
    }
#pragma unroll
    for (int i = 0; i < TILE; i++) {
        store(table.costs + (first + i) * table.pitch + first, costs[i]);
    }
}

template <typename Weights>
__device__ void solve_tile(const Table<typename Weights::Value>& table, const Weights& weights, int rows, int columns) {
    using A = typename Weights::Arithmetic;
    using Value = typename Weights::Value;
    Value costs[TILE][TILE];
#pragma unroll
    for (int i = 0; i < TILE; i++) {
#pragma unroll
        for (int j = 0; j < TILE; j++) {
            costs[i][j] = A::infinity();
        }
    }
    for (int k = rows + TILE; k < columns; k++) {
        const Value* row = table.costs + k * table.pitch;
        Value left[TILE];
        Value right[TILE];
        load(left, row + rows);
        load(right, row + columns);
#pragma unroll
        for (int i = 0; i < TILE; i++) {
#pragma unroll
            for (int j = 0; j < TILE; j++) {
                relax<A>(costs[i][j], left[i], right[j]);
            }
        }
    }
    // the splits at the tile's own rows and columns
    Value right[TILE][TILE];
#pragma unroll
    for (int j = 1; j < TILE; j++) {
        load(right[j], table.costs + (columns + j) * table.pitch + columns);
    }
#pragma unroll
    for (int i = TILE - 1; i >= 0; i--) {
        Value left[TILE];
        load(left, table.costs + (rows + i) * table.pitch + rows);
#pragma unroll
        for (int j = 0; j < TILE; j++) {
#pragma unroll
            for (int k = i + 1; k < TILE; k++) {
                relax<A>(costs[i][j], left[k], costs[k][j]);
            }
#pragma unroll
            for (int k = 0; k < j; k++) {
                relax<A>(costs[i][j], costs[i][k], right[j][k]);
            }
            costs[i][j] = i == TILE - 1 && j == 0 && rows + TILE == columns
                    ? weights.leaf(rows + i)
                    : A::sum(costs[i][j], weights.range(rows + i, columns + j));
        }
    }
#pragma unroll
    for (int i = 0; i < TILE; i++) {
        store(table.costs + (rows + i) * table.pitch + columns, costs[i]);
    }
#pragma unroll
    for (int j = 0; j < TILE; j++) {
        Value column[TILE];
#pragma unroll
        for (int i = 0; i < TILE; i++) {
            column[i] = costs[i][j];
        }
        store(table.costs + (columns + j) * table.pitch + rows, column);
    }
}

// The splits in preorder, by one block, a warp for each node.
template <typename Weights>
__device__ void find_splits(const Table<typename Weights::Value>& table, const Weights& weights, int32* splits) {
    using A = typename Weights::Arithmetic;
    using Value = typename Weights::Value;
    __shared__ int tail;
    int lane = threadIdx.x & 31;
    __syncthreads();
    if (threadIdx.x == 0) {
        table.firsts[0] = 0;
        table.lasts[0] = table.vertices - 1;
        table.places[0] = 0;
        tail = table.vertices > 2 ? 1 : 0;
    }
    for (int begin = 0;;) {
        __syncthreads();
        int end = tail;
        __syncthreads();
        if (begin == end) {
            return;
        }
        for (int node = begin + threadIdx.x / 32; node < end; node += blockDim.x / 32) {
            int i = table.firsts[node];
            int j = table.lasts[node];
            int place = table.places[node];
            const Value* row_i = table.costs + i * table.pitch;
            const Value* row_j = table.costs + j * table.pitch;
            Value cost = row_i[j];
            Value weight = weights.range(i, j);
            int split = 0;
            for (int from = i + 1; split == 0; from += 32) {
                int k = from + lane;
                bool optimal = k < j && A::sum(A::sum(row_i[k], row_j[k]), weight) == cost;
                uint32 found = __ballot_sync(0xffffffff, optimal);
                split = found != 0 ? from + __ffs(found) - 1 : 0;
            }
            if (lane == 0) {
                splits[place] = split;
                int at = atomicAdd(&tail, (split - i > 1 ? 1 : 0) + (j - split > 1 ? 1 : 0));
                if (split - i > 1) {
                    table.firsts[at] = i;
                    table.lasts[at] = split;
                    table.places[at] = place + 1;
                    at++;
                }
                if (j - split > 1) {
                    table.firsts[at] = split;
                    table.lasts[at] = j;
                    table.places[at] = place + split - i;
                }
            }
        }
        begin = end;
    }
}

template <typename A, typename Element>
__device__ __forceinline__ void solve_batch(
        const int32* order,
        int32 from,
        int32 to,
        int32* ticket,
        const int32* leaf_offsets,
        const Element* leaves,
        const int32* weight_offsets,
        const Element* weights,
        uint8* scratch,
        int64 slot_bytes,
        int32 capacity,
        Element* costs,
        const int32* split_offsets,
        int32* splits) {
    uint8* slot = scratch + blockIdx.x * slot_bytes;
    while (true) {
        int32 position = take(ticket, from);
        if (position >= to) {
            return;
        }
        int row = order[position];
        int vertices = leaf_offsets[row + 1] - leaf_offsets[row] + 1;
        Table<typename A::Value> table(slot, capacity, vertices);
        GivenWeights<A, Element> given{vertices, leaves + leaf_offsets[row], weights + weight_offsets[row]};
        int tiles = (vertices + TILE - 1) / TILE;
        for (int tile = threadIdx.x; tile < tiles; tile += blockDim.x) {
            solve_diagonal_tile(table, given, tile * TILE);
        }
        for (int diagonal = 1; diagonal < tiles; diagonal++) {
            __syncthreads();
            for (int tile = threadIdx.x; tile + diagonal < tiles; tile += blockDim.x) {
                solve_tile(table, given, tile * TILE, (tile + diagonal) * TILE);
            }
        }
        __syncthreads();
        Element cost = static_cast<Element>(table.costs[vertices - 1]);
        if (threadIdx.x == 0) {
            costs[row] = cost;
        }
        if (cost < 0) {
            continue;
        }
        find_splits(table, given, splits + split_offsets[row]);
    }
}

}  // namespace

// A block for each of the instances order[from..to), the costliest first; `ticket` begins at 0. scratch: a slot for each block, for the
// table and the tree of up to `capacity` vertices, a multiple of TILE: capacity^2 values and 12 bytes for each vertex. A cost that exceeds
// 63 bits is written as a negative number, without splits.
#define SOLVER(name, arithmetic, Element) \
    extern "C" __global__ void __launch_bounds__(256) name( \
            const int32* order, int32 from, int32 to, int32* ticket, const int32* leaf_offsets, const Element* leaves, \
            const int32* weight_offsets, const Element* weights, uint8* scratch, int64 slot_bytes, int32 capacity, \
            Element* costs, const int32* split_offsets, int32* splits) { \
        solve_batch<arithmetic, Element>(order, from, to, ticket, leaf_offsets, leaves, weight_offsets, weights, scratch, \
                slot_bytes, capacity, costs, split_offsets, splits); \
    }

SOLVER(parenthesization_int32, Int32, int64)
SOLVER(parenthesization_float64, Float64, int64)
SOLVER(parenthesization_saturating, Saturating, int64)
SOLVER(parenthesization_double, Float64, double)
