// Runs the Floyd-Warshall algorithm on a dense table of path lengths (dev.bellman.graph.dense.Distances), either in
// rounds in a single launch (tiles/rounds.cuh) or as the waves of another schedule. Both return bit-for-bit the same
// result as the textbook loop.
//
// A table consists of whole tiles; it is padded with vertices that have no edges. A table that exceeds the GPU's memory
// is divided into large tiles, which consist of many tiles each (dev.bellman.graph.dense.LargeDistances). A large tile
// is in this memory only while a task reads or writes it.
#include "common/host.cuh"
#include "tiles/rounds.cuh"

namespace {

// Represents no edge. A sum that includes this value is larger than all lengths and does not overflow, as the host
// ensures.
template <typename Value>
constexpr Value UNREACHED = static_cast<Value>(1) << (8 * sizeof(Value) - 3);

__device__ __forceinline__ double infinity() {
    return __longlong_as_double(0x7ff0000000000000);
}

// Marks a cell as having no edge. With integers, a vertex does not even reach itself by an empty path, so that its
// diagonal cell becomes the length of its shortest cycle.
__device__ __forceinline__ void clear(int32& cell, bool diagonal) {
    cell = UNREACHED<int32>;
}
__device__ __forceinline__ void clear(int64& cell, bool diagonal) {
    cell = UNREACHED<int64>;
}
__device__ __forceinline__ void clear(double& cell, bool diagonal) {
    cell = diagonal ? 0.0 : infinity();
}

// Returns the length of an edge: its weight, or its key if `bits` is not 0. A key
// (dev.bellman.graph.dense.LongDistances) combines the weight, the number of edges, which is one, and the edge's target
// as the next vertex.
__device__ __forceinline__ int64 length_of(int64 weight, int target, int bits) {
    return bits == 0 ? weight : (((weight << bits) + 1) << bits) + target;
}
// Returns a length that is never -0.0, so that no path has length -0.0.
__device__ __forceinline__ double length_of(double weight, int target, int bits) {
    return weight + 0.0;
}

// Lowers a cell, so that of parallel edges, only the lightest one counts.
__device__ __forceinline__ void lower(int32* cell, int64 length) {
    atomicMin(cell, static_cast<int32>(length));
}
__device__ __forceinline__ void lower(int64* cell, int64 length) {
    atomicMin(cell, length);
}
__device__ __forceinline__ void lower(double* cell, double length) {
    auto* bits = reinterpret_cast<unsigned long long*>(cell);
    unsigned long long seen = *bits;
    while (length < __longlong_as_double(seen)) {
        unsigned long long before = atomicCAS(bits, seen, __double_as_longlong(length));
        if (before == seen) {
            return;
        }
        seen = before;
    }
}

// Records the smallest DOUBLE weight if it is negative.
__device__ __forceinline__ void note(double* least, int64 weight) {}
__device__ __forceinline__ void note(double* least, double weight) {
    lower(least, weight);
}

__device__ __forceinline__ double without_last(double length, int bits) {
    return length;
}
template <typename Integer>
__device__ __forceinline__ Integer without_last(Integer key, int bits) {
    return key >> bits << bits;
}

__device__ __forceinline__ double farther(double length, double margin) {
    return length + margin;
}
template <typename Integer>
__device__ __forceinline__ Integer farther(Integer length, double margin) {
    return length;
}

// The operations of a min-plus matrix product (tiles/product.cuh): values are added, and the smallest sum is kept.
template <typename Type>
struct Lengths {
    using Value = Type;

    int* negative;  // the smallest vertex known to lie on a negative cycle, or a larger number
    int bits;       // the number of a key's low bits that count only in the key of a path's first edge
    int first;      // the vertex of the diagonal tile's first row
    double margin;  // how much smaller a DOUBLE sum must be than the value that it replaces (DoubleDistances)

    static __device__ __forceinline__ Value times(Value left, Value right) {
        return left + right;
    }

    static __device__ __forceinline__ bool improves(Value least, Value sum) {
        return sum < least;
    }

    __device__ __forceinline__ Value reach(Value value) const {
        return farther(value, margin);
    }

    __device__ __forceinline__ Value row(Value value) const {
        return without_last(value, bits);
    }

    // At the step of a vertex that is on a negative cycle through earlier vertices, its distance to itself is negative.
    // Before that step, each length is that of a simple path, so none has overflowed.
    __device__ __forceinline__ void pivot(Value value, int k) const {
        if (value < 0) {
            atomicMin(negative, first + k);
        }
    }
};

// The table, together with lines: copies of each step's row and column with their values at that step. A tile's part of
// a row is in the tile's slot of `rows`; its part of a column is in the mirror image's slot of `columns`. The lines of
// the last `rounds` rounds are kept.
template <typename Value>
struct KeptTable {
    Value* table;
    Value* rows;
    Value* columns;
    int64 pitch;
    int rounds;

    __device__ __forceinline__ int64 at(int i, int j) const {
        return i * (TILE * pitch) + j * TILE;
    }

    __device__ __forceinline__ int64 kept(int round, int j) const {
        return at(round % rounds, j);
    }
};

// Runs a task of a round.
//
// - own_rows, own_columns: whether the table contains the round's rows and columns and therefore stores their lines;
//   otherwise, other tasks have stored them
// - first: the vertex of the table's first row
template <typename Value>
__device__ __forceinline__ void run_task(
        const KeptTable<Value>& kept, const RoundsTask& task, Lengths<Value> lengths, bool own_rows = true,
        bool own_columns = true) {
    int k = task.round;
    bool in_row = own_rows && task.i == k;
    bool in_column = own_columns && task.j == k;
    lengths.first += k * TILE;
    Value* columns = kept.columns + kept.kept(k, task.i);
    Value* rows = kept.rows + kept.kept(k, task.j);
    ThreadTile<Value> x;
    x.load_from(kept.table + kept.at(task.i, task.j), kept.pitch);
    if (in_row && in_column) {
        sweep<true, true>(lengths, x, columns, kept.pitch, rows, kept.pitch);
    } else if (in_row) {
        sweep<false, true>(lengths, x, columns, kept.pitch, rows, kept.pitch);
    } else if (in_column) {
        sweep<true, false>(lengths, x, columns, kept.pitch, rows, kept.pitch);
    } else {
        add_product(lengths, x, columns, rows, kept.pitch);
    }
    x.store_to(kept.table + kept.at(task.i, task.j), kept.pitch);
}

// A task on a large tile: A contains the pivots' rows and columns, B only their rows, and C only their columns.
constexpr int32 OWN_ROWS = 1;
constexpr int32 OWN_COLUMNS = 2;

// The tiles of a large tile that a launch computes in a round: the diagonal tile, the tiles in the round's row and
// column, or all other tiles.
constexpr int32 DIAGONAL = 0;
constexpr int32 CROSS = 1;
constexpr int32 REST = 2;

// A large tile of `down` by `across` tiles. Keeps the lines of as many rounds as a large tile has tiles per side: the
// task's own lines, which the task writes, and the lines of the task on the pivot.
template <typename Value>
struct LargeTile {
    KeptTable<Value> kept;
    int down;
    int across;
    int own;

    // Returns the tile that a block computes.
    __device__ __forceinline__ RoundsTask task(int round, int part, int block) const {
        bool rows = (own & OWN_ROWS) != 0;
        bool columns = (own & OWN_COLUMNS) != 0;
        RoundsTask task = {round, round, round};
        if (part == CROSS) {
            int in_row = rows ? across - (columns ? 1 : 0) : 0;
            if (block < in_row) {
                task.j = skip(block, columns, round);
            } else {
                task.i = skip(block - in_row, rows, round);
            }
        } else if (part == REST) {
            by_bands(block, down - (rows ? 1 : 0), across - (columns ? 1 : 0), task.i, task.j);
            task.i = skip(task.i, rows, round);
            task.j = skip(task.j, columns, round);
        }
        return task;
    }

private:
    static __device__ __forceinline__ int skip(int index, bool skips, int round) {
        return index + (skips && index >= round ? 1 : 0);
    }
};

}  // namespace

FOR_HOST(TILE);
FOR_HOST(OWN_ROWS);
FOR_HOST(OWN_COLUMNS);
FOR_HOST(DIAGONAL);
FOR_HOST(CROSS);
FOR_HOST(REST);

// Defines the kernels:
// - <name>_clear creates a table without edges.
// - <name>_edges adds edges.
// - <name>_rounds finds all paths: `copies` has room for 4 tiles and 4 rows of tiles, and `counters` initially contains
//   tiles * (tiles + 4) + 2 zeros.
// - <name>_wave runs independent tasks, one block each; the lines of the last `rounds` rounds are kept.
// - <name>_large runs a part (DIAGONAL, CROSS or REST) of a round of task A, B or C on a large tile.
// - <name>_product runs task D: it multiplies `depth` columns of one large tile by as many rows of another.
//
// The last two kernels have these parameters:
// - pitch: the pitch of large tiles and of lines
// - first: only for <name>_large, the vertex of the large tile's first row
#define DISTANCES(name, type, weight, blocks) \
    constexpr int32 name##_threads = TileShape<type>::THREADS; \
    FOR_HOST(name##_threads); \
    constexpr int32 name##_shared = TileShape<type>::SHARED_BYTES; \
    FOR_HOST(name##_shared); \
    extern "C" __global__ void name##_clear(type* table, int32 pitch, int64 cells) { \
        for (int64 i = thread_index(); i < cells; i += static_cast<int64>(gridDim.x) * blockDim.x) { \
            clear(table[i], i % (pitch + 1) == 0); \
        } \
    } \
    extern "C" __global__ void name##_edges( \
            int tiles, type* table, int64 count, const int32* sources, const int32* targets, \
            const weight* weights, int bits, double* least) { \
        int64 edge = thread_index(); \
        if (edge < count) { \
            int64 row = sources[edge] * (static_cast<int64>(tiles) * TILE); \
            lower(table + row + targets[edge], length_of(weights[edge], targets[edge], bits)); \
            note(least, weights[edge]); \
        } \
    } \
    extern "C" __global__ void __launch_bounds__(TileShape<type>::THREADS, blocks) name##_rounds( \
            int tiles, type* table, type* copies, int* counters, int* negative, int bits, int ahead, double margin) { \
        run_rounds({tiles, table, copies, counters}, Lengths<type>{negative, bits, 0, margin}, ahead); \
    } \
    extern "C" __global__ void __launch_bounds__(TileShape<type>::THREADS, blocks) name##_wave( \
            int tiles, type* table, type* rows, \
            type* columns, int rounds, const RoundsTask* tasks, int* negative, int bits, double margin) { \
        run_task({table, rows, columns, static_cast<int64>(tiles) * TILE, rounds}, tasks[blockIdx.x], \
                Lengths<type>{negative, bits, 0, margin}); \
    } \
    extern "C" __global__ void __launch_bounds__(TileShape<type>::THREADS, blocks) name##_large( \
            type* cells, type* rows, type* columns, \
            int64 pitch, int down, int across, int own, int round, int part, int first, int* negative, int bits, \
            double margin) { \
        LargeTile<type> large = {{cells, rows, columns, pitch, round + 1}, down, across, own}; \
        run_task(large.kept, large.task(round, part, blockIdx.x), Lengths<type>{negative, bits, first, margin}, \
                (own & OWN_ROWS) != 0, (own & OWN_COLUMNS) != 0); \
    } \
    extern "C" __global__ void __launch_bounds__(TileShape<type>::THREADS, blocks) name##_product( \
            type* cells, const type* columns, const type* rows, int64 pitch, int down, int across, int depth, \
            double margin) { \
        int i; \
        int j; \
        by_bands(blockIdx.x, down, across, i, j); \
        type* tile = cells + i * (TILE * pitch) + j * TILE; \
        ThreadTile<type> x; \
        x.load_from(tile, pitch); \
        add_product(Lengths<type>{nullptr, 0, 0, margin}, x, columns + i * TILE, rows + j * TILE, pitch, \
                depth / TileShape<type>::DEPTH); \
        x.store_to(tile, pitch); \
    }

DISTANCES(distances_int32, int32, int64, 2)
DISTANCES(distances_int64, int64, int64, 1)
DISTANCES(distances_double, double, double, 1)
