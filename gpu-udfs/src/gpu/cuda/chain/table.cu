// Computes parenthesizations, one block per row: first the full table of costs, then, if requested, the tree.
//
// The table is filled in tiles of TILE x TILE entries, one thread per tile (tile.cuh), one diagonal of tiles after
// another. Each split between a tile's rows and columns takes TILE + TILE loads and TILE^2 steps in registers.
// Afterwards, the splits within the tile's own rows and columns are tried. The whole symmetric table is stored, so that
// rows of cost(i, k) and columns of cost(k, j) are both contiguous in row k.
//
// For a chain, only the splits that are needed to find the minimum are tried (weights.cuh). These are the running
// minima, from either end, of the factors between a tile's last row and its first column. These minima form two lists
// linked by the nearest smaller vertex. In a random sequence, the length of these lists is about 2 ln(gap); in a
// valley, it is the whole gap.
//
// The tree is built from the finished table, top down. Of several optimal splits, the smallest is chosen.
#include "chain/tile.cuh"
#include "chain/tree.cuh"
#include "columns/slots.cuh"

namespace {

// The side of a thread's tile.
template <typename Weights>
constexpr int TILE_OF = sizeof(typename Weights::Value) == 4 ? 8 : 4;

template <typename Weights>
using TileOf = ThreadTile<Weights, TILE_OF<Weights>>;

constexpr int PADDING = 8;  // the table's sides are multiples of this, of every TILE, and of 32 bytes

template <typename W>
struct Instance {
    using Weights = W;
    using Value = typename Weights::Value;

    Weights weights;
    int vertices;
    int pitch;  // `vertices` padded
    Value* costs;
    // for chains
    Value* factors;   // one factor per vertex; 0 in the padding
    int32* next;      // the nearest vertex to the right with a smaller factor, or the number of vertices
    int32* previous;  // the nearest vertex to the left with a smaller factor, or -1

    // Returns the address of the entry (i, j). The rest of the row follows it.
    __device__ __forceinline__ Value* at(int i, int j) const {
        return costs + static_cast<int64>(i) * pitch + j;
    }
};

// Computes the entry (i, j) from its smallest candidate. The entries after the last vertex are padding.
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

// Computes `next` (if `rightwards`) or `previous` with one warp, for 32 vertices at a time. Outside these 32 vertices,
// searches follow the entries that are already computed.
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
    TileOf<Weights> tile;
    tile.clear();
    if constexpr (Weights::BY_SPLIT) {
        load(tile.row_factors, instance.factors + first);
        load(tile.column_factors, instance.factors + first);
    }
    tile.close_diagonal([&](int i, int j, Value least) { return finished(instance, first + i, first + j, least); });
    tile.write(instance.at(first, first), instance.pitch);
}

// Tries to split an off-diagonal tile at k, a vertex between its rows and its columns.
template <typename Weights>
__device__ __forceinline__ void split_tile(
        TileOf<Weights>& tile, const Instance<Weights>& instance, int rows, int columns, int k) {
    using Value = typename Weights::Value;
    Value left[TILE_OF<Weights>];
    Value right[TILE_OF<Weights>];
    load(left, instance.at(k, rows));
    load(right, instance.at(k, columns));
    tile.split(left, Weights::BY_SPLIT ? instance.factors[k] : Value(0), right);
}

// Tries the splits in the tile's own rows and columns, and finishes the tile.
template <typename Weights>
__device__ __forceinline__ void close_tile(
        TileOf<Weights>& tile, const Instance<Weights>& instance, int rows, int columns) {
    using Value = typename Weights::Value;
    constexpr int TILE = TILE_OF<Weights>;
    struct Row {
        Value costs[TILE];

        __device__ __forceinline__ Value operator[](int k) const {
            return costs[k];
        }
    };
    Value right[TILE][TILE];
#pragma unroll
    for (int j = 1; j < TILE; j++) {
        load(right[j], instance.at(columns + j, columns));
    }
    tile.close(
            [&](int i) {
                Row left;
                load(left.costs, instance.at(rows + i, rows));
                return left;
            },
            [&](int k, int j) { return right[j][k]; },
            [&](int i, int j, Value least) {
                // in an off-diagonal tile, only this corner is a leaf
                bool changes = Weights::BY_RANGE || (i == TILE - 1 && j == 0);
                return changes ? finished(instance, rows + i, columns + j, least) : least;
            });
    tile.write(instance.at(rows, columns), instance.pitch);
    tile.write_transposed(instance.at(columns, rows), instance.pitch);
}

// Computes an off-diagonal tile with one thread.
template <typename Weights>
__device__ __forceinline__ void solve_tile(const Instance<Weights>& instance, int rows, int columns) {
    TileOf<Weights> tile;
    tile.clear();
    if constexpr (Weights::BY_SPLIT) {
        load(tile.row_factors, instance.factors + rows);
        load(tile.column_factors, instance.factors + columns);
    }
    if constexpr (Weights::BY_SPLIT) {
        // first the running minima from the left end of the gap up to its minimum, then those from the right end down
        // to its minimum
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
            split_tile(tile, instance, rows, columns, k);
            k = rightwards ? instance.next[k] : instance.previous[k];
        }
    } else {
        for (int k = rows + TILE_OF<Weights>; k < columns; k++) {
            split_tile(tile, instance, rows, columns, k);
        }
    }
    close_tile(tile, instance, rows, columns);
}

// Reads the factors of a chain, and computes `next` and `previous`, with one block.
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

// The arguments of a launch; see the kernels below.
struct TableBatch {
    Slots slots;
    const int32* offsets;
    int capacity;
    int64 vectors_at;
};

template <typename Weights>
__device__ __forceinline__ void solve_batch(
        const TableBatch& batch, const Given<Weights>& given, const Answers& answers) {
    using Value = typename Weights::Value;
    constexpr int TILE = TILE_OF<Weights>;
    extern __shared__ __align__(16) uint8 shared[];
    uint8* slot = batch.slots.of_block();
    Instance<Weights> instance;
    instance.costs = reinterpret_cast<Value*>(slot);
    instance.factors = reinterpret_cast<Value*>(batch.vectors_at < 0 ? shared : slot + batch.vectors_at);
    instance.next = reinterpret_cast<int32*>(instance.factors + (Weights::BY_SPLIT ? batch.capacity : 0));
    instance.previous = instance.next + batch.capacity;
    // the tree's queue reuses memory that is needed only for the table
    TreeScratch tree{
            reinterpret_cast<uint32*>(instance.next),
            instance.previous,
            reinterpret_cast<uint32*>(instance.previous + batch.capacity)};
    for (int32 i = batch.slots.next(); i < batch.slots.to; i = batch.slots.next()) {
        int32 row = batch.slots.order[i];
        instance.weights = given.weights(row, batch.offsets, instance.factors);
        instance.vertices = count_vertices<Weights>(batch.offsets, row);
        instance.pitch = (instance.vertices + PADDING - 1) / PADDING * PADDING;
        if constexpr (Weights::BY_SPLIT) {
            read(instance, given, batch.offsets[row]);
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
                FinishedTable<Weights>{instance.weights, instance.vertices, instance.pitch, instance.costs}, tree, row,
                answers);
    }
}

}  // namespace

// Defines the kernels, with one block per row, the costliest rows first. The table is at the start of a slot.
//
// - offsets: the offsets of the given factors or leaves
// - vectors_at: the position, within the slot, of the arrays whose size depends on the number of vertices; negative if
//   these arrays are in shared memory. For each of `capacity` vertices, they have 12 bytes and, for a chain, a value of
//   the table's type
// - capacity: a multiple of 8 that is at least the largest number of vertices in a row
#define SOLVER(name, weights, GIVEN, ...) \
    extern "C" __global__ void __launch_bounds__(128, sizeof(weights::Value) == 4 ? 3 : 2) name##_batch( \
            Slots slots, const int32* offsets, GIVEN, int32 capacity, int64 vectors_at, int64* costs, \
            const int32* split_offsets, int32* splits, const int32* text_offsets, uint8* text) { \
        solve_batch<weights>({slots, offsets, capacity, vectors_at}, \
                {__VA_ARGS__}, \
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
