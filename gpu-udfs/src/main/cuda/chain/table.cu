// Optimal matrix chains with their orders: the full table of costs, then the tree.
//
// The cost of multiplying the matrices between the vertices i and j is
//   cost(i, j) = min over i < k < j of cost(i, k) + cost(k, j) + d(i) d(k) d(j).
// Two facts keep that from being n^3 / 6 steps on most chains.
//
// 1. A split k that some u in (i, k) and some v in (k, j) are both smaller than is never optimal: by Hu and Shing (SIAM J.
//    Comput. 11, 1982) no arc of an optimal partition of the polygon has on both of its sides a vertex smaller than its larger
//    end, and either i..k or k..j would. So k is the smallest of all up to k, or from k on.
// 2. That holds for a whole tile of rows and columns at once: between the tile's last row and its first column only the
//    running minima from either end count. They form two chains through the nearest smaller vertex, about 2 ln(gap) long in a
//    random sequence, all of the gap in a valley.
//
// So the table is worked off in tiles of TILE x TILE, a thread each, one diagonal of tiles after the other. For each k of
// the two chains a tile takes TILE + TILE loads and TILE^2 steps in registers; the splits within its own rows and columns follow,
// all of them. The table is kept whole, symmetric, so that rows of cost(i, k) and columns of cost(k, j) both lie along row k.
//
// The tree is found top down from the finished table, the smallest optimal split first.
#include "chain/tree.cuh"
#include "chain/weights.cuh"
#include "common/ticket.cuh"
#include "common/vectors.cuh"

namespace {

// The side of a thread's tile.
template <typename A>
constexpr int TILE_OF = sizeof(typename A::Value) == 4 ? 8 : 4;

constexpr int PADDING = 8;  // the table's sides are multiples of this, of every TILE and of 32 bytes

template <typename Value>
struct Chain {
    int vertices;
    int pitch;  // `vertices` padded; padding has dimension 0
    Value* dims;
    int32* next;      // the nearest smaller vertex to the right, or the number of vertices
    int32* previous;  // to the left, or -1
    Value* costs;
};

// Fills `next` and `previous`, a warp each; the chain is read 32 vertices at a time, towards what is known already.
template <typename Value>
__device__ void find_smaller(const Chain<Value>& chain, bool rightwards, int lane) {
    int vertices = chain.vertices;
    const Value* dims = chain.dims;
    int blocks = (vertices + 31) / 32;
    for (int block = 0; block < blocks; block++) {
        int begin = (rightwards ? blocks - 1 - block : block) * 32;
        int k = begin + lane;
        if (k < vertices) {
            Value own = dims[k];
            if (rightwards) {
                int at = k + 1;
                while (at < vertices && dims[at] >= own) {
                    at = at < begin + 32 ? at + 1 : chain.next[at];
                }
                chain.next[k] = at;
            } else {
                int at = k - 1;
                while (at >= 0 && dims[at] >= own) {
                    at = at >= begin ? at - 1 : chain.previous[at];
                }
                chain.previous[k] = at;
            }
        }
        __syncwarp();
    }
}

template <typename A>
__device__ void solve_diagonal_tile(const Chain<typename A::Value>& chain, int tile) {
    using Value = typename A::Value;
    constexpr int TILE = TILE_OF<A>;
    int first = tile * TILE;
    Value dims[TILE];
    load(dims, chain.dims + first);
    Value costs[TILE][TILE];
#pragma unroll
    for (int i = TILE - 1; i >= 0; i--) {
        costs[i][i] = 0;
#pragma unroll
        for (int j = i + 1; j < TILE; j++) {
            Value best = j == i + 1 ? Value(0) : A::infinity();
#pragma unroll
            for (int k = i + 1; k < j; k++) {
                best = A::least(best, costs[i][k], A::product(dims[i], dims[k]), dims[j], costs[k][j]);
            }
            costs[i][j] = best;
            costs[j][i] = best;
        }
    }
#pragma unroll
    for (int i = 0; i < TILE; i++) {
        store(chain.costs + static_cast<int64>(first + i) * chain.pitch + first, costs[i]);
    }
}

template <typename A>
struct Tile {
    using Value = typename A::Value;
    static constexpr int TILE = TILE_OF<A>;

    Value row_dims[TILE];
    Value column_dims[TILE];
    Value costs[TILE][TILE];

    __device__ __forceinline__ void begin(const Chain<Value>& chain, int rows, int columns) {
        load(row_dims, chain.dims + rows);
        load(column_dims, chain.dims + columns);
#pragma unroll
        for (int i = 0; i < TILE; i++) {
#pragma unroll
            for (int j = 0; j < TILE; j++) {
                costs[i][j] = A::infinity();
            }
        }
    }

    // Splits everything at k, a vertex between the rows and the columns.
    __device__ __forceinline__ void split(const Chain<Value>& chain, int rows, int columns, int k) {
        const Value* row = chain.costs + static_cast<int64>(k) * chain.pitch;
        Value left[TILE];
        Value right[TILE];
        load(left, row + rows);
        load(right, row + columns);
        Value dim = chain.dims[k];
#pragma unroll
        for (int i = 0; i < TILE; i++) {
            Value pair = A::product(row_dims[i], dim);
#pragma unroll
            for (int j = 0; j < TILE; j++) {
                costs[i][j] = A::least(costs[i][j], left[i], pair, column_dims[j], right[j]);
            }
        }
    }

    // The splits at the tile's own rows and columns; then the tile is done.
    __device__ __forceinline__ void finish(const Chain<Value>& chain, int rows, int columns) {
        if (rows + TILE == columns) {
            costs[TILE - 1][0] = 0;
        }
        Value right[TILE][TILE];
#pragma unroll
        for (int j = 1; j < TILE; j++) {
            load(right[j], chain.costs + static_cast<int64>(columns + j) * chain.pitch + columns);
        }
#pragma unroll
        for (int i = TILE - 1; i >= 0; i--) {
            Value left[TILE];
            load(left, chain.costs + static_cast<int64>(rows + i) * chain.pitch + rows);
#pragma unroll
            for (int k = i + 1; k < TILE; k++) {
                Value pair = A::product(row_dims[i], row_dims[k]);
#pragma unroll
                for (int j = 0; j < TILE; j++) {
                    costs[i][j] = A::least(costs[i][j], left[k], pair, column_dims[j], costs[k][j]);
                }
            }
#pragma unroll
            for (int k = 0; k < TILE - 1; k++) {
                Value pair = A::product(row_dims[i], column_dims[k]);
#pragma unroll
                for (int j = k + 1; j < TILE; j++) {
                    costs[i][j] = A::least(costs[i][j], costs[i][k], pair, column_dims[j], right[j][k]);
                }
            }
        }
    }

    __device__ __forceinline__ void write(const Chain<Value>& chain, int rows, int columns) {
#pragma unroll
        for (int i = 0; i < TILE; i++) {
            store(chain.costs + static_cast<int64>(rows + i) * chain.pitch + columns, costs[i]);
        }
#pragma unroll
        for (int j = 0; j < TILE; j++) {
            Value transposed[TILE];
#pragma unroll
            for (int i = 0; i < TILE; i++) {
                transposed[i] = costs[i][j];
            }
            store(chain.costs + static_cast<int64>(columns + j) * chain.pitch + rows, transposed);
        }
    }
};

// One tile by one thread.
template <typename A>
__device__ __forceinline__ void solve_tile(const Chain<typename A::Value>& chain, int rows, int columns) {
    Tile<A> tile;
    tile.begin(chain, rows, columns);
    // Running minima from the left of the gap, up to its minimum; then those from the right, down to it.
    bool rightwards = true;
    int k = rows + TILE_OF<A>;
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
        tile.split(chain, rows, columns, k);
        k = rightwards ? chain.next[k] : chain.previous[k];
    }
    tile.finish(chain, rows, columns);
    tile.write(chain, rows, columns);
}

// Where a chain of up to `capacity` vertices keeps what grows with its length, in shared or in global memory.
template <typename Value>
__device__ __forceinline__ void place(
        Chain<Value>& chain, uint32*& parentheses, uint8* vectors, int capacity, uint8* table) {
    chain.dims = reinterpret_cast<Value*>(vectors);
    chain.next = reinterpret_cast<int32*>(chain.dims + capacity);
    chain.previous = chain.next + capacity;
    parentheses = reinterpret_cast<uint32*>(chain.previous + capacity);
    chain.costs = reinterpret_cast<Value*>(table);
}

template <typename Value>
__device__ __forceinline__ void measure(Chain<Value>& chain, const int32* offsets, int row) {
    chain.vertices = offsets[row + 1] - offsets[row];
    chain.pitch = (chain.vertices + PADDING - 1) / PADDING * PADDING;
}

// By one block.
template <typename Value>
__device__ __forceinline__ void read(const Chain<Value>& chain, const int64* weights) {
    for (int i = threadIdx.x; i < chain.pitch; i += blockDim.x) {
        chain.dims[i] = i < chain.vertices ? static_cast<Value>(weights[i]) : Value(0);
    }
    __syncthreads();
    int lane = threadIdx.x & 31;
    if (threadIdx.x < 32) {
        find_smaller(chain, true, lane);
    }
    if (threadIdx.x / 32 == blockDim.x / 32 - 1) {
        find_smaller(chain, false, lane);
    }
}

template <typename A>
__device__ __forceinline__ void solve_batch(
        const int32* rows,
        int from,
        int to,
        int32* ticket,
        const int32* offsets,
        const int64* dims,
        uint8* scratch,
        int64 slot_bytes,
        int capacity,
        int64 vectors_at,
        const Answers& answers) {
    extern __shared__ __align__(16) uint8 shared[];
    Chain<typename A::Value> chain;
    uint32* parentheses;
    uint8* slot = scratch + blockIdx.x * slot_bytes;
    place(chain, parentheses, vectors_at < 0 ? shared : slot + vectors_at, capacity, slot);
    while (true) {
        int32 position = take(ticket, from);
        if (position >= to) {
            return;
        }
        int row = rows[position];
        measure(chain, offsets, row);
        read(chain, dims + offsets[row]);
        int tiles = (chain.vertices + TILE_OF<A> - 1) / TILE_OF<A>;
        for (int tile = threadIdx.x; tile < tiles; tile += blockDim.x) {
            solve_diagonal_tile<A>(chain, tile);
        }
        for (int diagonal = 1; diagonal < tiles; diagonal++) {
            __syncthreads();
            for (int tile = threadIdx.x; tile + diagonal < tiles; tile += blockDim.x) {
                solve_tile<A>(chain, tile * TILE_OF<A>, (tile + diagonal) * TILE_OF<A>);
            }
        }
        __syncthreads();
        // the tree's queue takes the place of what only the table needs
        TreeScratch tree{reinterpret_cast<uint32*>(chain.next), chain.previous, parentheses};
        FinishedTable<ChainProduct<A>> table{{chain.dims}, chain.vertices, chain.pitch, chain.costs};
        report<false>(table, tree, row, answers);
    }
}

}  // namespace

// A block for each chain rows[from..to), the costliest first; `ticket` begins at 0. scratch: a slot for each block, in which the table
// comes first and, unless they are in shared memory (vectors_at < 0), what grows with the length of a chain at vectors_at: for each of
// `capacity` vertices a value of the table's type and 12 bytes. `capacity` is at least the most vertices of a chain, a multiple of 8.
#define SOLVER(name, arithmetic) \
    extern "C" __global__ void __launch_bounds__(128, sizeof(arithmetic::Value) == 4 ? 3 : 2) name##_batch( \
            const int32* rows, int32 from, int32 to, int32* ticket, const int32* offsets, const int64* dims, \
            uint8* scratch, int64 slot_bytes, int32 capacity, int64 vectors_at, int64* costs, \
            const int32* split_offsets, int32* splits, const int32* text_offsets, uint8* text) { \
        solve_batch<arithmetic>(rows, from, to, ticket, offsets, dims, scratch, slot_bytes, capacity, vectors_at, \
                {costs, split_offsets, splits, text_offsets, text}); \
    }

SOLVER(chain_int32, Int32)
SOLVER(chain_float64, Float64)
SOLVER(chain_int64, Int64)
SOLVER(chain_saturating, Saturating)
