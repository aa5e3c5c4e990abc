#include "chain/tiled.cuh"
#include "chain/tree.cuh"
#include "common/host.cuh"

FOR_HOST(TILE_THREADS);
FOR_HOST(TILE_SIDE);
FOR_HOST(LEAST_SLICE);

namespace {

// The table and the vectors for a row of up to `capacity` vertices; `capacity` is a multiple of the side of a tile.
template <typename Weights, int R>
struct TiledSlot {
    using Value = typename Weights::Value;
    static constexpr int SIDE = TileShape<Weights, R>::SIDE;

    TiledTable<Value> table;
    SlicedFactors<Value> sliced;
    TreeScratch tree;
    int32* counters;  // the ticket, then `finished` and `progress` of TiledWork

    __device__ __forceinline__ TiledSlot(uint8* slot, int capacity, int vertices) {
        table.tiles = (vertices + SIDE - 1) / SIDE;
        table.pitch = static_cast<int64>(table.tiles) * SIDE;
        table.costs = reinterpret_cast<Value*>(slot);
        sliced.factors = table.costs + static_cast<int64>(capacity) * capacity;
        sliced.minima = sliced.factors + capacity;
        sliced.previous = reinterpret_cast<int32*>(sliced.minima + capacity / LEAST_SLICE);
        sliced.next = sliced.previous + capacity / LEAST_SLICE;
        tree.ranges = reinterpret_cast<uint32*>(sliced.next + capacity / LEAST_SLICE);
        tree.indexes = reinterpret_cast<int32*>(tree.ranges + capacity);
        tree.parentheses = tree.ranges + 2 * capacity;
        counters = tree.indexes + 2 * capacity;
        table.factors = sliced.factors;
        table.previous = sliced.previous;
        table.next = sliced.next;
    }
};

// The rows of a launch: rows[from..from + count), with the i-th row in slot i.
//
// - offsets: the offsets of their entries, one per vertex for chains, and otherwise one per leaf
struct TiledBatch {
    const int32* rows;
    int from;
    int count;
    const int32* offsets;
    uint8* scratch;
    int64 slot_bytes;
    int capacity;

    __device__ __forceinline__ int row(int instance) const {
        return rows[from + instance];
    }
    template <typename Weights>
    __device__ __forceinline__ int vertices(int instance) const {
        return count_vertices<Weights>(offsets, row(instance));
    }
    template <typename Weights, int R>
    __device__ __forceinline__ TiledSlot<Weights, R> slot(int instance) const {
        return {scratch + instance * slot_bytes, capacity, vertices<Weights>(instance)};
    }
};

// Prepares the rows, with one block each.
template <typename Weights, int R>
__device__ __forceinline__ void prepare(const TiledBatch& batch, const Given<Weights>& given) {
    int instance = blockIdx.x;
    auto slot = batch.slot<Weights, R>(instance);
    for (int i = threadIdx.x; i < 1 + slot.table.tiles * (1 + slot.table.tiles); i += blockDim.x) {
        slot.counters[i] = 0;
    }
    if constexpr (Weights::BY_SPLIT) {
        prepare_factors<Weights, R>(
                slot.table,
                slot.sliced,
                given.dims + batch.offsets[batch.row(instance)],
                batch.vertices<Weights>(instance));
    }
}

// Solves the rows. Blocks whose indices are equal modulo `count` work on the same row.
template <typename Weights, int R>
__device__ __forceinline__ void solve(const TiledBatch& batch, const Given<Weights>& given, int window) {
    int instance = blockIdx.x % batch.count;
    auto slot = batch.slot<Weights, R>(instance);
    Weights weights = given.weights(batch.row(instance), batch.offsets, slot.table.factors);
    int32* finished = slot.counters + 1;
    int32* progress = finished + slot.table.tiles;
    TiledWork<Weights, R>{slot.table, weights, batch.vertices<Weights>(instance), window, finished, progress}.run(
            slot.counters);
}

// A task of the recursion, which processes squares of parts x parts tiles or single tiles.
struct RecursionTask {
    int i;
    int j;
    int middle;  // the middle index of a product (function C of the paper); -1 for functions A (i = j) and B
    int begun;   // whether products were already added to the target
};

// Runs the tasks of a wave, with one block for each tile of each task and row.
template <typename Weights, int R>
__device__ __forceinline__ void run_recursion(
        const TiledBatch& batch, const Given<Weights>& given, const RecursionTask* tasks, int parts) {
    using Value = typename Weights::Value;
    extern __shared__ __align__(16) uint8 shared_bytes[];
    int instance = blockIdx.x % batch.count;
    int part = blockIdx.x / batch.count % (parts * parts);
    RecursionTask task = tasks[blockIdx.x / batch.count / (parts * parts)];
    int I = task.i * parts + part / parts;
    int J = task.j * parts + part % parts;
    auto slot = batch.slot<Weights, R>(instance);
    if (J >= slot.table.tiles) {
        return;
    }
    Weights weights = given.weights(batch.row(instance), batch.offsets, slot.table.factors);
    TileSolver<Weights, R> tile(
            slot.table, weights, batch.vertices<Weights>(instance), reinterpret_cast<Value*>(shared_bytes), I, J);
    if (task.begun) {
        tile.read();
    } else {
        tile.own.clear();
    }
    if (task.middle >= 0) {
        tile.accumulate_between(task.middle * parts, task.middle * parts + parts - 1);
    } else if (I < J) {
        tile.close();
        tile.write_transposed();
    } else {
        tile.fill();
        if (tile.c >= tile.r) {
            tile.write_transposed();
        }
    }
    if (I < J || tile.c >= tile.r) {
        tile.write();
    }
}

// Reports the results, with one block per row.
template <typename Weights, int R>
__device__ __forceinline__ void report(const TiledBatch& batch, const Given<Weights>& given, const Answers& answers) {
    int instance = blockIdx.x;
    auto slot = batch.slot<Weights, R>(instance);
    Weights weights = given.weights(batch.row(instance), batch.offsets, slot.table.factors);
    FinishedTable<Weights> table{weights, batch.vertices<Weights>(instance), slot.table.pitch, slot.table.costs};
    report<true>(table, slot.tree, batch.row(instance), answers);
}

}  // namespace

// Kernels that solve rows with the whole device: <name>_prepare, <name>_solve, <name>_report. A slot of `scratch`
// contains the table of capacity x capacity values; a value and 12 bytes for each vertex; a value and 8 bytes for each
// LEAST_SLICE vertices; and 4 bytes for each tile, 4 bytes for each diagonal of tiles, and another 4 bytes.
// <name>_shared is the size in bytes of a block's shared memory in <name>_solve and <name>_recursion. <name>_recursion
// is a wave of the recursion, which replaces <name>_solve.
#define TILED_BY_RECURSION(name, weights, R, GIVEN, ...) \
    constexpr int32 name##_shared = TileShape<weights, R>::BYTES; \
    FOR_HOST(name##_shared); \
    extern "C" __global__ void __launch_bounds__(1024) name##_prepare( \
            const int32* rows, int32 from, int32 count, const int32* offsets, uint8* scratch, int64 slot_bytes, \
            int32 capacity, GIVEN) { \
        prepare<weights, R>({rows, from, count, offsets, scratch, slot_bytes, capacity}, {__VA_ARGS__}); \
    } \
    extern "C" __global__ void __launch_bounds__(TILE_THREADS, 2) name##_recursion( \
            const int32* rows, int32 from, int32 count, const int32* offsets, uint8* scratch, int64 slot_bytes, \
            int32 capacity, GIVEN, const RecursionTask* tasks, int32 parts) { \
        run_recursion<weights, R>( \
                {rows, from, count, offsets, scratch, slot_bytes, capacity}, {__VA_ARGS__}, tasks, parts); \
    } \
    extern "C" __global__ void __launch_bounds__(1024) name##_report( \
            const int32* rows, int32 from, int32 count, const int32* offsets, uint8* scratch, int64 slot_bytes, \
            int32 capacity, GIVEN, int64* costs, const int32* split_offsets, int32* splits, const int32* text_offsets, \
            uint8* text) { \
        report<weights, R>({rows, from, count, offsets, scratch, slot_bytes, capacity}, {__VA_ARGS__}, \
                {costs, split_offsets, splits, text_offsets, text}); \
    }
#define TILED(name, weights, R, GIVEN, ...) \
    TILED_BY_RECURSION(name, LIST(weights), R, LIST(GIVEN), __VA_ARGS__) \
    extern "C" __global__ void __launch_bounds__(TILE_THREADS, 2) name##_solve( \
            const int32* rows, int32 from, int32 count, const int32* offsets, uint8* scratch, int64 slot_bytes, \
            int32 capacity, GIVEN, int32 window) { \
        solve<weights, R>({rows, from, count, offsets, scratch, slot_bytes, capacity}, {__VA_ARGS__}, window); \
    }
#define LIST(...) __VA_ARGS__
#define TILED_CHAIN(name, arithmetic, R) TILED(name, ChainProduct<arithmetic>, R, const int64* dims, dims)
#define TILED_RANGES(name, arithmetic, type, R) \
    TILED(name, LIST(RangeWeights<arithmetic, type>), R, \
            LIST(const type* leaves, const int32* range_offsets, const type* ranges), leaves, range_offsets, ranges)

#define TILED_TREES(name, arithmetic, R) \
    TILED_BY_RECURSION(name, TreeWeights<arithmetic>, R, LIST(const int64* gaps, const int64* sums), gaps, sums)

TILED_CHAIN(chain_int32_tiled2, Int32, 2)
TILED_CHAIN(chain_int32_tiled4, Int32, 4)
TILED_CHAIN(chain_float64_tiled2, Float64, 2)
TILED_CHAIN(chain_float64_tiled4, Float64, 4)
TILED_CHAIN(chain_int64_tiled2, Int64, 2)
TILED_CHAIN(chain_int64_tiled4, Int64, 4)
TILED_CHAIN(chain_saturating_tiled2, Saturating, 2)
TILED_CHAIN(chain_saturating_tiled4, Saturating, 4)
TILED_RANGES(ranges_int32_tiled2, Int32, int64, 2)
TILED_RANGES(ranges_int32_tiled4, Int32, int64, 4)
TILED_RANGES(ranges_float64_tiled2, Float64, int64, 2)
TILED_RANGES(ranges_float64_tiled4, Float64, int64, 4)
TILED_RANGES(ranges_saturating_tiled2, Saturating, int64, 2)
TILED_RANGES(ranges_saturating_tiled4, Saturating, int64, 4)
TILED_RANGES(ranges_double_tiled2, Float64, double, 2)
TILED_RANGES(ranges_double_tiled4, Float64, double, 4)
TILED_TREES(trees_saturating_tiled2, Saturating, 2)
TILED_TREES(trees_saturating_tiled4, Saturating, 4)
