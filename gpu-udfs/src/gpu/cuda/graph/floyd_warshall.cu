// Runs the Floyd-Warshall algorithm on many graphs of at most 128 vertices, with one block per graph.
//
// The table is in registers: each thread has 4 rows of 8 columns. In step k, the threads that have row k or column k
// copy it to shared memory, from which all threads read it. Two copies alternate, so that one barrier per step
// suffices.
//
// Next vertices are computed together with the lengths. An edge of weight w from i to v is represented by the number
//
//     key = ((w << bits) + 1) << bits | v         2^bits > nodes
//
// A path's key is the sum of its edges' keys, where all edges after the first omit their vertex. The smallest key is
// the key of the shortest path; ties go to the fewest edges, then to the smallest next vertex. With nodes = 3 (bits =
// 2), the path 0 -> 2 -> 1 with weights 5 and 0 has the key 5 * 16 + 2 * 4 + 2 = 90, and an edge 0 -> 1 with weight 5
// has the smaller key 5 * 16 + 1 * 4 + 1 = 85. A cycle of weight 0 has a positive key; a cycle of weight -1 has a
// negative key.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "graph/edges.cuh"

constexpr int32 ROWS_OF_THREAD = 4;
constexpr int32 COLUMNS_OF_THREAD = 8;
constexpr int32 CELLS_OF_THREAD = ROWS_OF_THREAD * COLUMNS_OF_THREAD;
FOR_HOST(CELLS_OF_THREAD);

namespace {

template <typename Cell>
struct alignas(16) Vector {
    static constexpr int32 WIDTH = 16 / sizeof(Cell);
    Cell values[WIDTH];
};

// The N by N table of a thread block with N * N / 32 threads.
template <typename Cell, int N>
class Table {
public:
    static constexpr int32 WIDTH = Vector<Cell>::WIDTH;
    static constexpr int32 ROWS = ROWS_OF_THREAD;
    static constexpr int32 COLUMNS = COLUMNS_OF_THREAD;
    static constexpr int32 ACROSS = N / COLUMNS;
    static constexpr int32 VECTORS = COLUMNS / WIDTH;

    __device__ Table() : x_(threadIdx.x % ACROSS), y_(threadIdx.x / ACROSS) {}

    // Returns the index of one of this thread's columns in the table. A thread's columns form VECTORS groups of WIDTH
    // columns, so that adjacent threads read adjacent words.
    __device__ __forceinline__ int32 column(int32 c) const {
        return (c / WIDTH * ACROSS + x_) * WIDTH + c % WIDTH;
    }
    __device__ __forceinline__ int32 row(int32 r) const {
        return y_ * ROWS + r;
    }

    __device__ void read(const Cell* table, int32 n) {
#pragma unroll
        for (int32 r = 0; r < ROWS; r++) {
#pragma unroll
            for (int32 c = 0; c < COLUMNS; c++) {
                bool inside = row(r) < n && column(c) < n;
                cells_[r][c] = inside ? table[row(r) * n + column(c)] : Length<Cell>::unreached();
            }
        }
    }

    __device__ void write(Cell* table, int32 n) const {
#pragma unroll
        for (int32 r = 0; r < ROWS; r++) {
#pragma unroll
            for (int32 c = 0; c < COLUMNS; c++) {
                if (row(r) < n && column(c) < n) {
                    table[row(r) * n + column(c)] = cells_[r][c];
                }
            }
        }
    }

    // Finds all paths. Returns whether the graph has no negative cycle. Rows and columns from n on have no paths, so
    // their steps change nothing.
    //
    // - borders: memory for 4 N cells
    // - low: the number of low bits of a key that count only in a path's first edge
    // - margin: a sum must be smaller than the value that it replaces by at least this amount
    //   (dev.bellman.graph.dense.DoubleDistances); 0 without WITH_MARGIN
    template <bool WITH_MARGIN>
    __device__ bool close(Cell* borders, int32 n, int32 low, Cell margin) {
        for (int32 first = 0; first < n; first += ROWS) {
#pragma unroll
            for (int32 step = 0; step < ROWS; step++) {
                int32 k = first + step;
                Cell* pivot_row = borders + step % 2 * 2 * N;
                Cell* pivot_column = pivot_row + N;
                publish(pivot_row, pivot_column, k, step, low);
                __syncthreads();
                if (pivot_row[k] < 0) {
                    return false;
                }
                relax<WITH_MARGIN>(pivot_row, pivot_column, margin);
            }
        }
        return true;
    }

private:
    // Publishes row k and column k. A path from k through k would lose its next vertex, so column k must not contain a
    // path from k to itself.
    __device__ __forceinline__ void publish(Cell* pivot_row, Cell* pivot_column, int32 k, int32 step, int32 low) const {
        if (y_ == k / ROWS) {
#pragma unroll
            for (int32 c = 0; c < COLUMNS; c++) {
                Cell cell = cells_[step][c];
                pivot_row[column(c)] = low == 0 ? cell : Length<Cell>::without_low(cell, low);
            }
        }
#pragma unroll
        for (int32 v = 0; v < VECTORS; v++) {
            if (k / WIDTH == v * ACROSS + x_) {
#pragma unroll
                for (int32 r = 0; r < ROWS; r++) {
                    pivot_column[row(r)] =
                            row(r) == k ? Length<Cell>::unreached() : cells_[r][v * WIDTH + step % WIDTH];
                }
            }
        }
    }

    template <bool WITH_MARGIN>
    __device__ __forceinline__ void relax(const Cell* pivot_row, const Cell* pivot_column, Cell margin) {
        Cell to[COLUMNS];
        Cell from[ROWS];
        Cell reach[COLUMNS];
#pragma unroll
        for (int32 v = 0; v < VECTORS; v++) {
            auto read = *reinterpret_cast<const Vector<Cell>*>(pivot_row + column(v * WIDTH));
#pragma unroll
            for (int32 c = 0; c < WIDTH; c++) {
                to[v * WIDTH + c] = read.values[c];
                reach[v * WIDTH + c] = WITH_MARGIN ? read.values[c] + margin : read.values[c];
            }
        }
#pragma unroll
        for (int32 v = 0; v < ROWS / WIDTH; v++) {
            auto read = *reinterpret_cast<const Vector<Cell>*>(pivot_column + row(v * WIDTH));
#pragma unroll
            for (int32 r = 0; r < WIDTH; r++) {
                from[v * WIDTH + r] = read.values[r];
            }
        }
#pragma unroll
        for (int32 r = 0; r < ROWS; r++) {
#pragma unroll
            for (int32 c = 0; c < COLUMNS; c++) {
                cells_[r][c] = from[r] + reach[c] < cells_[r][c] ? from[r] + to[c] : cells_[r][c];
            }
        }
    }

    int32 x_;
    int32 y_;
    Cell cells_[ROWS][COLUMNS];
};

// Stores the lengths of the edges, or their keys, and a length of 0 from each vertex to itself.
template <typename Cell, typename Weight, bool KEYS>
__device__ void read_edges(const Graphs& graphs, int32 graph, int32 n, Cell* table) {
    for (int32 cell = threadIdx.x; cell < n * n; cell += blockDim.x) {
        table[cell] = cell % (n + 1) == 0 ? Cell(0) : Length<Cell>::unreached();
    }
    __syncthreads();
    int32 bits = bits_of(n);
    for (int32 edge = graphs.offsets[graph] + threadIdx.x; edge < graphs.offsets[graph + 1]; edge += blockDim.x) {
        Weight weight = static_cast<const Weight*>(graphs.weights)[edge];
        int32 target = graphs.targets[edge];
        Cell length;
        if constexpr (KEYS) {
            length = static_cast<Cell>((((weight << bits) + 1) << bits) + target);
        } else {
            length = static_cast<Cell>(weight + 0);  // avoids -0.0
        }
        Length<Cell>::least(table + graphs.sources[edge] * n + target, length);
    }
    __syncthreads();
}

// Returns the margin for a graph with DOUBLE weights.
__device__ double margin_of(const Graphs& graphs, int32 graph, int32 n) {
    __shared__ double least;
    if (threadIdx.x == 0) {
        least = 0;
    }
    __syncthreads();
    for (int32 edge = graphs.offsets[graph] + threadIdx.x; edge < graphs.offsets[graph + 1]; edge += blockDim.x) {
        Length<double>::least(&least, static_cast<const double*>(graphs.weights)[edge]);
    }
    __syncthreads();
    return 0x1p-50 * n * n * -least;
}

// Solves graph order[from + blockIdx.x] and writes its n * n lengths, or its next vertices, to results + begins[graph].
// If there is no path, writes the largest int64, infinity or -1. Rejects a graph with a negative cycle. Shared memory:
// n * n + 4 N cells.
template <typename Cell, typename Weight, int N, bool KEYS>
__device__ __forceinline__ void solve(
        const Graphs& graphs, const int32* order, int32 from, Classified rows_of, const int32* begins, void* results) {
    extern __shared__ char shared[];
    Cell* borders = reinterpret_cast<Cell*>(shared);
    Cell* table = borders + 4 * N;
    int32 graph = order[from + blockIdx.x];
    int32 n = graphs.nodes[graph];
    read_edges<Cell, Weight, KEYS>(graphs, graph, n, table);
    Table<Cell, N> own;
    own.read(table, n);
    int32 bits = bits_of(n);
    bool solved;
    if constexpr (Weight(1) / 2 == 0) {
        solved = own.template close<false>(borders, n, KEYS ? bits : 0, 0);
    } else {
        double margin = margin_of(graphs, graph, n);
        solved = margin > 0 ? own.template close<true>(borders, n, 0, margin)
                            : own.template close<false>(borders, n, 0, 0);
    }
    if (!solved) {
        if (threadIdx.x == 0) {
            rows_of.reject(graph);
        }
        return;
    }
    __syncthreads();
    own.write(table, n);
    __syncthreads();
    int32 begin = begins[graph];
    for (int32 cell = threadIdx.x; cell < n * n; cell += blockDim.x) {
        Cell length = table[cell];
        if constexpr (KEYS) {
            bool none = length == 0 || Length<Cell>::is_unreached(length);
            int64 next = static_cast<int64>(length) & ((1ll << bits) - 1);
            static_cast<int32*>(results)[begin + cell] = none ? -1 : static_cast<int32>(next);
        } else {
            bool none = Length<Cell>::is_unreached(length);
            length = cell % (n + 1) == 0 ? Cell(0) : length;
            Weight nothing;
            if constexpr (Weight(1) / 2 == 0) {
                nothing = 0x7fffffffffffffffll;
            } else {
                nothing = Length<double>::unreached();
            }
            static_cast<Weight*>(results)[begin + cell] = none ? nothing : static_cast<Weight>(length);
        }
    }
}

// The minimum number of blocks per multiprocessor. Without this bound, 64-bit cells take so many registers that only
// one block of 96 x 96 cells fits, which leaves half of the multiprocessor idle.
template <typename Cell, int N>
constexpr int32 LEAST_BLOCKS = N == 96 && sizeof(Cell) == 8 ? 2 : 1;

}  // namespace

#define FLOYD_WARSHALL(NAME, CELL, WEIGHT, N, KEYS)                                                    \
    extern "C" __global__ void __launch_bounds__(N * N / CELLS_OF_THREAD, LEAST_BLOCKS<CELL, N>) NAME##_##N( \
            Graphs graphs, const int32* order, int32 from, Classified rows_of, const int32* begins, void* results) { \
        solve<CELL, WEIGHT, N, KEYS>(graphs, order, from, rows_of, begins, results);                   \
    }
#define FLOYD_WARSHALL_OF_SIZES(NAME, CELL, WEIGHT, KEYS) \
    FLOYD_WARSHALL(NAME, CELL, WEIGHT, 32, KEYS)          \
    FLOYD_WARSHALL(NAME, CELL, WEIGHT, 64, KEYS)          \
    FLOYD_WARSHALL(NAME, CELL, WEIGHT, 96, KEYS)          \
    FLOYD_WARSHALL(NAME, CELL, WEIGHT, 128, KEYS)

FLOYD_WARSHALL_OF_SIZES(graph_lengths_int32, int32, int64, false)
FLOYD_WARSHALL_OF_SIZES(graph_lengths_exact, double, int64, false)
FLOYD_WARSHALL_OF_SIZES(graph_lengths_int64, int64, int64, false)
FLOYD_WARSHALL_OF_SIZES(graph_lengths_double, double, double, false)
FLOYD_WARSHALL_OF_SIZES(graph_next_int32, int32, int64, true)
FLOYD_WARSHALL_OF_SIZES(graph_next_exact, double, int64, true)
FLOYD_WARSHALL_OF_SIZES(graph_next_int64, int64, int64, true)
