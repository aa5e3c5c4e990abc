// Parenthesizations with their trees, a block for each: the full table of costs, then the tree.
//
// The table is worked off in tiles of TILE x TILE, a thread each, one diagonal of tiles after the other. For each split between a tile's
// rows and columns it takes TILE + TILE loads and TILE^2 steps in registers; the splits within its own rows and columns follow. The table
// is kept whole, symmetric, so that rows of cost(i, k) and columns of cost(k, j) both lie along row k.
//
// Of a chain, only the splits that may be optimal are taken (weights.cuh): between a tile's last row and its first column the running
// minima from either end. They form two lists through the nearest smaller vertex, about 2 ln(gap) long in a random sequence, all of
// the gap in a valley.
//
// The tree is found top down from the finished table, the smallest optimal split first.
#include "chain/tree.cuh"
#include "chain/weights.cuh"
#include "common/ticket.cuh"
#include "common/vectors.cuh"

namespace {

// The side of a thread's tile.
template <typename Weights>
constexpr int TILE_OF = sizeof(typename Weights::Value) == 4 ? 8 : 4;

constexpr int PADDING = 8;  // the table's sides are multiples of this, of every TILE and of 32 bytes

template <typename W>
struct Instance {
    using Weights = W;
    using Value = typename Weights::Value;

    Weights weights;
    int vertices;
    int pitch;  // `vertices` padded
    Value* costs;
    // of chains
    Value* factors;   // of each vertex; padding has 0
    int32* next;      // the nearest vertex to the right with a smaller factor, or the number of vertices
    int32* previous;  // to the left, or -1
};

// The entry (i, j) from the least of its candidates. Behind the last vertex there is padding.
template <typename Weights, typename Value>
__device__ __forceinline__ Value finished(const Instance<Weights>& instance, int i, int j, Value least) {
    if (i + 1 == j) {
        return j < instance.vertices ? instance.weights.leaf(i) : Value(0);
    }
    if constexpr (Weights::BY_RANGE) {
        return j < instance.vertices ? Weights::Arithmetic::sum(least, instance.weights.range(i, j)) : least;
    } else {
        return least;
    }
}

// Fills `next` and `previous`, a warp each; the factors are read 32 at a time, towards what is known already.
template <typename Weights>
__device__ void find_smaller(const Instance<Weights>& instance, bool rightwards, int lane) {
    using Value = typename Weights::Value;
    int vertices = instance.vertices;
    const Value* factors = instance.factors;
    int blocks = (vertices + 31) / 32;
    for (int block = 0; block < blocks; block++) {
        int begin = (rightwards ? blocks - 1 - block : block) * 32;
        int k = begin + lane;
        if (k < vertices) {
            Value own = factors[k];
            if (rightwards) {
                int at = k + 1;
                while (at < vertices && factors[at] >= own) {
                    at = at < begin + 32 ? at + 1 : instance.next[at];
                }
                instance.next[k] = at;
            } else {
                int at = k - 1;
                while (at >= 0 && factors[at] >= own) {
                    at = at >= begin ? at - 1 : instance.previous[at];
                }
                instance.previous[k] = at;
            }
        }
        __syncwarp();
    }
}

template <typename Weights>
__device__ void solve_diagonal_tile(const Instance<Weights>& instance, int first) {
    using Value = typename Weights::Value;
    constexpr int TILE = TILE_OF<Weights>;
    Value factors[TILE] = {};
    if constexpr (Weights::BY_SPLIT) {
        load(factors, instance.factors + first);
    }
    Value costs[TILE][TILE];
#pragma unroll
    for (int i = TILE - 1; i >= 0; i--) {
        costs[i][i] = 0;
#pragma unroll
        for (int j = i + 1; j < TILE; j++) {
            Value best = Weights::Arithmetic::infinity();
#pragma unroll
            for (int k = i + 1; k < j; k++) {
                relax<Weights>(best, costs[i][k], pair<Weights>(factors[i], factors[k]), factors[j], costs[k][j]);
            }
            costs[i][j] = finished(instance, first + i, first + j, best);
            costs[j][i] = costs[i][j];
        }
    }
#pragma unroll
    for (int i = 0; i < TILE; i++) {
        store(instance.costs + static_cast<int64>(first + i) * instance.pitch + first, costs[i]);
    }
}

template <typename Weights>
struct Tile {
    using Value = typename Weights::Value;
    static constexpr int TILE = TILE_OF<Weights>;

    Value row_factors[TILE] = {};
    Value column_factors[TILE] = {};
    Value costs[TILE][TILE];

    __device__ __forceinline__ void begin(const Instance<Weights>& instance, int rows, int columns) {
        if constexpr (Weights::BY_SPLIT) {
            load(row_factors, instance.factors + rows);
            load(column_factors, instance.factors + columns);
        }
#pragma unroll
        for (int i = 0; i < TILE; i++) {
#pragma unroll
            for (int j = 0; j < TILE; j++) {
                costs[i][j] = Weights::Arithmetic::infinity();
            }
        }
    }

    // Splits everything at k, a vertex between the rows and the columns.
    __device__ __forceinline__ void split(const Instance<Weights>& instance, int rows, int columns, int k) {
        const Value* row = instance.costs + static_cast<int64>(k) * instance.pitch;
        Value left[TILE];
        Value right[TILE];
        load(left, row + rows);
        load(right, row + columns);
        Value factor = Weights::BY_SPLIT ? instance.factors[k] : Value(0);
#pragma unroll
        for (int i = 0; i < TILE; i++) {
            Value both = pair<Weights>(row_factors[i], factor);
#pragma unroll
            for (int j = 0; j < TILE; j++) {
                relax<Weights>(costs[i][j], left[i], both, column_factors[j], right[j]);
            }
        }
    }

    // The splits at the tile's own rows and columns; then the tile is done.
    __device__ __forceinline__ void finish(const Instance<Weights>& instance, int rows, int columns) {
        Value right[TILE][TILE];
#pragma unroll
        for (int j = 1; j < TILE; j++) {
            load(right[j], instance.costs + static_cast<int64>(columns + j) * instance.pitch + columns);
        }
#pragma unroll
        for (int i = TILE - 1; i >= 0; i--) {
            Value left[TILE];
            load(left, instance.costs + static_cast<int64>(rows + i) * instance.pitch + rows);
#pragma unroll
            for (int k = i + 1; k < TILE; k++) {
                Value both = pair<Weights>(row_factors[i], row_factors[k]);
#pragma unroll
                for (int j = 0; j < TILE; j++) {
                    relax<Weights>(costs[i][j], left[k], both, column_factors[j], costs[k][j]);
                }
            }
#pragma unroll
            for (int k = 0; k < TILE; k++) {
                // only this corner of a tile beside the diagonal is a leaf
                if (Weights::BY_RANGE || (i == TILE - 1 && k == 0)) {
                    costs[i][k] = finished(instance, rows + i, columns + k, costs[i][k]);
                }
                Value both = pair<Weights>(row_factors[i], column_factors[k]);
#pragma unroll
                for (int j = k + 1; j < TILE; j++) {
                    relax<Weights>(costs[i][j], costs[i][k], both, column_factors[j], right[j][k]);
                }
            }
        }
    }

    __device__ __forceinline__ void write(const Instance<Weights>& instance, int rows, int columns) {
#pragma unroll
        for (int i = 0; i < TILE; i++) {
            store(instance.costs + static_cast<int64>(rows + i) * instance.pitch + columns, costs[i]);
        }
#pragma unroll
        for (int j = 0; j < TILE; j++) {
            Value transposed[TILE];
#pragma unroll
            for (int i = 0; i < TILE; i++) {
                transposed[i] = costs[i][j];
            }
            store(instance.costs + static_cast<int64>(columns + j) * instance.pitch + rows, transposed);
        }
    }
};

// One tile by one thread.
template <typename Weights>
__device__ __forceinline__ void solve_tile(const Instance<Weights>& instance, int rows, int columns) {
    Tile<Weights> tile;
    tile.begin(instance, rows, columns);
    if constexpr (Weights::BY_SPLIT) {
        // Running minima from the left of the gap, up to its minimum; then those from the right, down to it.
        bool rightwards = true;
        int k = rows + TILE_OF<Weights>;
        int minimum = columns;
        while (true) {
            if (rightwards) {
                if (k >= columns) {
                    if (minimum == columns) {
                        break;
                    }
                    rightwards = false;
                    k = columns - 1;
                } else {
                    minimum = k;
                }
            }
            if (!rightwards && k <= minimum) {
                break;
            }
            tile.split(instance, rows, columns, k);
            k = rightwards ? instance.next[k] : instance.previous[k];
        }
    } else {
        for (int k = rows + TILE_OF<Weights>; k < columns; k++) {
            tile.split(instance, rows, columns, k);
        }
    }
    tile.finish(instance, rows, columns);
    tile.write(instance, rows, columns);
}

// Reads the factors of a chain, by one block.
template <typename A>
__device__ __forceinline__ void read(
        const Instance<ChainProduct<A>>& instance, const Given<ChainProduct<A>>& given, int first) {
    for (int i = threadIdx.x; i < instance.pitch; i += blockDim.x) {
        instance.factors[i] = static_cast<typename A::Value>(i < instance.vertices ? given.dims[first + i] : 0);
    }
    __syncthreads();
    int lane = threadIdx.x & 31;
    if (threadIdx.x < 32) {
        find_smaller(instance, true, lane);
    }
    if (threadIdx.x / 32 == blockDim.x / 32 - 1) {
        find_smaller(instance, false, lane);
    }
}

template <typename Weights>
__device__ __forceinline__ void solve_batch(
        const int32* rows,
        int from,
        int to,
        int32* ticket,
        const int32* offsets,
        const Given<Weights>& given,
        uint8* scratch,
        int64 slot_bytes,
        int capacity,
        int64 vectors_at,
        const Answers& answers) {
    using Value = typename Weights::Value;
    constexpr int TILE = TILE_OF<Weights>;
    extern __shared__ __align__(16) uint8 shared[];
    uint8* slot = scratch + blockIdx.x * slot_bytes;
    Instance<Weights> instance;
    instance.costs = reinterpret_cast<Value*>(slot);
    instance.factors = reinterpret_cast<Value*>(vectors_at < 0 ? shared : slot + vectors_at);
    instance.next = reinterpret_cast<int32*>(instance.factors + (Weights::BY_SPLIT ? capacity : 0));
    instance.previous = instance.next + capacity;
    // the tree's queue takes the place of what only the table needs
    TreeScratch tree{
            reinterpret_cast<uint32*>(instance.next),
            instance.previous,
            reinterpret_cast<uint32*>(instance.previous + capacity)};
    while (true) {
        int32 position = take(ticket, from);
        if (position >= to) {
            return;
        }
        int row = rows[position];
        instance.weights = given.weights(row, offsets, instance.factors);
        instance.vertices = count_vertices<Weights>(offsets, row);
        instance.pitch = (instance.vertices + PADDING - 1) / PADDING * PADDING;
        if constexpr (Weights::BY_SPLIT) {
            read(instance, given, offsets[row]);
        }
        int tiles = (instance.vertices + TILE - 1) / TILE;
        for (int tile = threadIdx.x; tile < tiles; tile += blockDim.x) {
            solve_diagonal_tile(instance, tile * TILE);
        }
        for (int diagonal = 1; diagonal < tiles; diagonal++) {
            __syncthreads();
            for (int tile = threadIdx.x; tile + diagonal < tiles; tile += blockDim.x) {
                solve_tile(instance, tile * TILE, (tile + diagonal) * TILE);
            }
        }
        __syncthreads();
        report<false>(
                FinishedTable<Weights>{instance.weights, instance.vertices, instance.pitch, instance.costs}, tree, row, answers);
    }
}

}  // namespace

// A block for each instance rows[from..to), the costliest first; `ticket` begins at 0. offsets: of the given factors, or leaves. scratch: a
// slot for each block, in which the table comes first and, unless they are in shared memory (vectors_at < 0), what grows with an instance
// at vectors_at: for each of `capacity` vertices 12 bytes and, of a chain, a value of the table's type. `capacity` is at least the most
// vertices of an instance, a multiple of 8.
#define SOLVER(name, weights, GIVEN, ...) \
    extern "C" __global__ void __launch_bounds__(128, sizeof(weights::Value) == 4 ? 3 : 2) name##_batch( \
            const int32* rows, int32 from, int32 to, int32* ticket, const int32* offsets, GIVEN, \
            uint8* scratch, int64 slot_bytes, int32 capacity, int64 vectors_at, int64* costs, \
            const int32* split_offsets, int32* splits, const int32* text_offsets, uint8* text) { \
        solve_batch<weights>(rows, from, to, ticket, offsets, {__VA_ARGS__}, scratch, slot_bytes, capacity, vectors_at, \
                {costs, split_offsets, splits, text_offsets, text}); \
    }
#define LIST(...) __VA_ARGS__
#define CHAIN(name, arithmetic) SOLVER(name, ChainProduct<arithmetic>, const int64* dims, dims)
#define RANGES(name, arithmetic, type) \
    SOLVER(name, LIST(RangeWeights<arithmetic, type>), \
            LIST(const type* leaves, const int32* range_offsets, const type* ranges), leaves, range_offsets, ranges)

CHAIN(chain_int32, Int32)
CHAIN(chain_float64, Float64)
CHAIN(chain_int64, Int64)
CHAIN(chain_saturating, Saturating)
RANGES(ranges_int32, Int32, int64)
RANGES(ranges_float64, Float64, int64)
RANGES(ranges_saturating, Saturating, int64)
RANGES(ranges_double, Float64, double)
