// Determines whether each graph of a batch is valid, how large it is, and which type its path lengths have.
// Also lays out the results, which are lists of lists, and copies the tables of large graphs to them.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"
#include "graph/edges.cuh"

STRUCT_FOR_HOST(Graphs);
MEMBER_FOR_HOST(Graphs, nodes);
MEMBER_FOR_HOST(Graphs, offsets);
MEMBER_FOR_HOST(Graphs, sources);
MEMBER_FOR_HOST(Graphs, targets);
MEMBER_FOR_HOST(Graphs, weights);

// The class number is TYPE * SIZES + s. For graphs with up to MAX_NODES vertices, s is the number of vertices divided
// by SIZE_STEP, rounded up; for larger graphs, s is SIZES - 1.
constexpr int32 SIZE_STEP = 32;
constexpr int32 MAX_NODES = 128;
constexpr int32 SIZES = MAX_NODES / SIZE_STEP + 2;
constexpr int32 INT32 = 0;
constexpr int32 EXACT = 1;  // integers that doubles represent exactly
constexpr int32 INT64 = 2;
constexpr int32 DOUBLE = 3;
constexpr int32 WIDE = 4;  // integers whose intermediate results may be too large for INT64
constexpr int32 TYPES = 5;
// The maximum magnitude of a DOUBLE weight, chosen so that no sum is infinite.
constexpr double MAX_WEIGHT = 1e288;
FOR_HOST(SIZE_STEP);
FOR_HOST(MAX_NODES);
FOR_HOST(SIZES);
FOR_HOST(INT32);
FOR_HOST(DOUBLE);
FOR_HOST(WIDE);
FOR_HOST(TYPES);

// The null masks in a column of edge lists; a mask's pointer is null if nothing is null.
struct EdgeMasks {
    const uint32* edges;
    const uint32* sources;
    const uint32* targets;
    const uint32* weights;
};

STRUCT_FOR_HOST(EdgeMasks);
MEMBER_FOR_HOST(EdgeMasks, edges);
MEMBER_FOR_HOST(EdgeMasks, sources);
MEMBER_FOR_HOST(EdgeMasks, targets);
MEMBER_FOR_HOST(EdgeMasks, weights);

namespace {

__device__ int32 type_of(double bound) {
    return bound < Length<int32>::LIMIT    ? INT32
           : bound < Length<double>::LIMIT ? EXACT
           : bound < Length<int64>::LIMIT  ? INT64
                                           : WIDE;
}

}  // namespace

// Classifies the graphs, with one warp each.
//
// - keys: whether paths are computed as keys, which include the next vertices (floyd_warshall.cu), or only their
//   lengths
extern "C" __global__ void graph_classify(
        int32 rows, const uint32* validity, Graphs graphs, EdgeMasks masks, int32 doubles, int32 keys,
        Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x & 31;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int32 nodes = graphs.nodes[row];
    bool valid = nodes >= 0;
    double largest = 0;
    for (int32 edge = graphs.offsets[row] + lane; edge < graphs.offsets[row + 1]; edge += 32) {
        bool known = is_valid(masks.edges, edge) && is_valid(masks.sources, edge) && is_valid(masks.targets, edge)
                     && is_valid(masks.weights, edge);
        // the fields of a null edge are arbitrary
        double weight = !known         ? 0.0
                        : doubles != 0 ? static_cast<const double*>(graphs.weights)[edge]
                                       : static_cast<double>(static_cast<const int64*>(graphs.weights)[edge]);
        int32 source = graphs.sources[edge];
        int32 target = graphs.targets[edge];
        valid = valid && known && source >= 0 && source < nodes && target >= 0 && target < nodes
                && fabs(weight) <= MAX_WEIGHT;
        largest = fabs(weight) > largest ? fabs(weight) : largest;
    }
    valid = __all_sync(~0u, valid);
    largest = max_of_lanes<32>(largest);
    if (lane != 0) {
        return;
    }
    if (!valid) {
        rows_of.reject(row);
        return;
    }
    double bound = largest * nodes;
    if (keys != 0) {
        bound = (bound + 1) * static_cast<double>(1ll << 2 * bits_of(nodes));
    }
    int32 type = doubles != 0 ? DOUBLE : type_of(bound);
    int32 size = nodes > MAX_NODES ? SIZES - 1 : (nodes + SIZE_STEP - 1) / SIZE_STEP;
    uint64 n = nodes;
    rows_of.put(row, type * SIZES + size, nodes, static_cast<int64>(n * n * n));
}

// Computes each row's number of lists and the total number of elements in these lists; both are 0 for rows without a
// result on the GPU. Appends a zero to each array.
extern "C" __global__ void graph_counts(int32 rows, Classified rows_of, int32* lists, int32* elements) {
    int64 row = thread_index();
    if (row <= rows) {
        int32 nodes = row < rows && rows_of.is_solved(row) ? rows_of.sizes[row] : 0;
        lists[row] = nodes;
        elements[row] = nodes * nodes;
    }
}

// Computes the offsets of the lists, with one warp per row.
//
// - lists, elements: the index of each row's first list and of its first element, followed by their total numbers
extern "C" __global__ void graph_list_offsets(int32 rows, const int32* lists, const int32* elements, int32* offsets) {
    int64 row = thread_index() / 32;
    if (row >= rows) {
        return;
    }
    int32 nodes = lists[row + 1] - lists[row];
    for (int32 i = threadIdx.x & 31; i < nodes; i += 32) {
        offsets[lists[row] + i] = elements[row] + i * nodes;
    }
    if (row == rows - 1 && (threadIdx.x & 31) == 0) {
        offsets[lists[rows]] = elements[rows];
    }
}

// Computes where the edges of graph order[from + i] begin and end, and where the graph's results begin.
extern "C" __global__ void graph_places(
        Graphs graphs, const int32* order, int32 from, int32 count, const int32* begins, int32* places) {
    int64 i = thread_index();
    if (i < count) {
        int32 graph = order[from + i];
        places[3 * i] = graphs.offsets[graph];
        places[3 * i + 1] = graphs.offsets[graph + 1];
        places[3 * i + 2] = begins[graph];
    }
}

extern "C" __global__ void graph_reject(Classified rows_of, int32 row) {
    rows_of.reject(row);
}

namespace {

// Copies n * n results, with one thread each.
//
// - table: a table with `pitch` cells per row, whose diagonal is not read
// - bits: if the results are the next vertices in keys, the number of bits per field of a key; 0 for lengths
template <typename Cell, typename Weight>
__device__ __forceinline__ void copy(
        int32 n, const Cell* table, int32 pitch, int32 bits, Weight nothing, void* results) {
    int64 i = thread_index();
    if (i >= static_cast<int64>(n) * n) {
        return;
    }
    int64 row = i / n;
    int64 column = i - row * n;
    Cell length = row == column ? Cell(0) : table[row * pitch + column];
    bool none = Length<Cell>::is_unreached(length);
    if (bits == 0) {
        static_cast<Weight*>(results)[i] = none ? nothing : static_cast<Weight>(length);
    } else {
        int64 next = static_cast<int64>(length) & ((1ll << bits) - 1);
        static_cast<int32*>(results)[i] = none || row == column ? -1 : static_cast<int32>(next);
    }
}

}  // namespace

extern "C" __global__ void graph_copy_int32(int32 n, const int32* table, int32 pitch, int32 bits, void* results) {
    copy<int32, int64>(n, table, pitch, bits, 0x7fffffffffffffffll, results);
}

extern "C" __global__ void graph_copy_int64(int32 n, const int64* table, int32 pitch, int32 bits, void* results) {
    copy<int64, int64>(n, table, pitch, bits, 0x7fffffffffffffffll, results);
}

extern "C" __global__ void graph_copy_double(int32 n, const double* table, int32 pitch, int32 bits, void* results) {
    copy<double, double>(n, table, pitch, bits, Length<double>::unreached(), results);
}

// Computes the null mask of results, with one thread per element. The largest int64, infinity, or -1 represents null.
extern "C" __global__ void graph_validity(
        int32 count, const void* results, int32 doubles, int32 next, uint32* validity) {
    int64 i = thread_index();
    bool valid = false;
    if (i < count) {
        valid = next != 0      ? static_cast<const int32*>(results)[i] >= 0
                : doubles != 0 ? !Length<double>::is_unreached(static_cast<const double*>(results)[i])
                               : static_cast<const int64*>(results)[i] != 0x7fffffffffffffffll;
    }
    uint32 word = __ballot_sync(~0u, valid);
    if ((threadIdx.x & 31) == 0 && i < count) {
        validity[i / 32] = word;
    }
}
