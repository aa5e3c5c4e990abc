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
#include "common/columns.cuh"

namespace {

// Exact where the bound of batch.cu holds. Each type has the operations that the table is made of.
struct Int32 {
    using Value = int32;
    static constexpr int TILE = 8;
    static __device__ __forceinline__ Value infinity() {
        return 0x7fffffff;
    }
    static __device__ __forceinline__ Value product(Value a, Value b) {
        return a * b;
    }
    static __device__ __forceinline__ Value candidate(Value left, Value pair, Value third, Value right) {
        return pair * third + left + right;
    }
};

// Whole numbers below 2^53: twice as fast as 64-bit integers.
struct Float64 {
    using Value = double;
    static constexpr int TILE = 4;
    static __device__ __forceinline__ Value infinity() {
        return 1e300;
    }
    static __device__ __forceinline__ Value product(Value a, Value b) {
        return a * b;
    }
    static __device__ __forceinline__ Value candidate(Value left, Value pair, Value third, Value right) {
        return fma(pair, third, left) + right;
    }
};

// Any dimensions; what does not fit 64 bits is 2^64 - 1.
struct Saturating {
    using Value = uint64;
    static constexpr int TILE = 4;
    static __device__ __forceinline__ Value infinity() {
        return ~0ull;
    }
    static __device__ __forceinline__ Value product(Value a, Value b) {
        return __umul64hi(a, b) != 0 ? infinity() : a * b;
    }
    static __device__ __forceinline__ Value sum(Value a, Value b) {
        return a + b < a ? infinity() : a + b;
    }
    static __device__ __forceinline__ Value candidate(Value left, Value pair, Value third, Value right) {
        return sum(sum(product(pair, third), left), right);
    }
};

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

template <typename Value>
struct alignas(16) Vector {
    Value values[16 / sizeof(Value)];
};

template <int COUNT, typename Value>
__device__ __forceinline__ void load(Value (&to)[COUNT], const Value* from) {
    constexpr int WIDTH = 16 / sizeof(Value);
#pragma unroll
    for (int i = 0; i < COUNT; i += WIDTH) {
        Vector<Value> vector = *reinterpret_cast<const Vector<Value>*>(from + i);
#pragma unroll
        for (int lane = 0; lane < WIDTH; lane++) {
            to[i + lane] = vector.values[lane];
        }
    }
}

template <int COUNT, typename Value>
__device__ __forceinline__ void store(Value* to, const Value (&from)[COUNT]) {
    constexpr int WIDTH = 16 / sizeof(Value);
#pragma unroll
    for (int i = 0; i < COUNT; i += WIDTH) {
        Vector<Value> vector;
#pragma unroll
        for (int lane = 0; lane < WIDTH; lane++) {
            vector.values[lane] = from[i + lane];
        }
        *reinterpret_cast<Vector<Value>*>(to + i) = vector;
    }
}

template <typename A>
__device__ __forceinline__ void relax(
        typename A::Value& best,
        typename A::Value left,
        typename A::Value pair,
        typename A::Value third,
        typename A::Value right) {
    typename A::Value candidate = A::candidate(left, pair, third, right);
    best = candidate < best ? candidate : best;
}

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
    constexpr int TILE = A::TILE;
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
                relax<A>(best, costs[i][k], A::product(dims[i], dims[k]), dims[j], costs[k][j]);
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
    static constexpr int TILE = A::TILE;

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
                relax<A>(costs[i][j], left[i], pair, column_dims[j], right[j]);
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
                    relax<A>(costs[i][j], left[k], pair, column_dims[j], costs[k][j]);
                }
            }
#pragma unroll
            for (int k = 0; k < TILE - 1; k++) {
                Value pair = A::product(row_dims[i], column_dims[k]);
#pragma unroll
                for (int j = k + 1; j < TILE; j++) {
                    relax<A>(costs[i][j], costs[i][k], pair, column_dims[j], right[j][k]);
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
    int k = rows + A::TILE;
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

// One tile by one warp, the splits shared out.
template <typename A>
__device__ __forceinline__ void solve_tile_by_warp(
        const Chain<typename A::Value>& chain, int rows, int columns, int lane) {
    Tile<A> tile;
    tile.begin(chain, rows, columns);
    int last = rows + A::TILE - 1;
    for (int k = last + 1 + lane; k < columns; k += 32) {
        if (chain.previous[k] <= last || chain.next[k] >= columns) {
            tile.split(chain, rows, columns, k);
        }
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < A::TILE; i++) {
#pragma unroll
        for (int j = 0; j < A::TILE; j++) {
            for (int distance = 16; distance > 0; distance /= 2) {
                typename A::Value other = __shfl_xor_sync(0xffffffff, tile.costs[i][j], distance);
                tile.costs[i][j] = other < tile.costs[i][j] ? other : tile.costs[i][j];
            }
        }
    }
    tile.finish(chain, rows, columns);
    if (lane == 0) {
        tile.write(chain, rows, columns);
    }
}

// Writes the tree of a solved chain. `ranges` and `indexes` hold a queue of its nodes, `parentheses` how many open before and
// (upper half) close after each matrix; each has an entry per vertex.
template <typename A>
__device__ void find_tree(
        const Chain<typename A::Value>& chain,
        uint32* ranges,
        int32* indexes,
        uint32* parentheses,
        int32* splits) {
    using Value = typename A::Value;
    __shared__ int tail;
    int lane = threadIdx.x & 31;
    int warp = threadIdx.x / 32;
    int warps = blockDim.x / 32;
    __syncthreads();
    for (int i = threadIdx.x; i < chain.vertices; i += blockDim.x) {
        parentheses[i] = 0;
    }
    if (threadIdx.x == 0) {
        ranges[0] = static_cast<uint32>(chain.vertices - 1) << 16;
        indexes[0] = 0;
        tail = chain.vertices > 2 ? 1 : 0;
    }
    int begin = 0;
    while (true) {
        __syncthreads();
        int end = tail;
        __syncthreads();
        if (begin == end) {
            break;
        }
        for (int node = begin + warp; node < end; node += warps) {
            uint32 range = ranges[node];
            int i = range & 0xffff;
            int j = range >> 16;
            int index = indexes[node];
            const Value* row_i = chain.costs + static_cast<int64>(i) * chain.pitch;
            const Value* row_j = chain.costs + static_cast<int64>(j) * chain.pitch;
            Value best = row_i[j];
            Value first = chain.dims[i];
            Value last = chain.dims[j];
            constexpr int LOADS = 4;
            int split = 0;
            for (int from = i + 1; split == 0; from += 32 * LOADS) {
                Value left[LOADS];
                Value right[LOADS];
#pragma unroll
                for (int load = 0; load < LOADS; load++) {
                    int k = from + load * 32 + lane;
                    if (k < j) {
                        left[load] = row_i[k];
                        right[load] = row_j[k];
                    }
                }
#pragma unroll
                for (int load = LOADS - 1; load >= 0; load--) {
                    int k = from + load * 32 + lane;
                    bool optimal = k < j
                            && A::candidate(left[load], A::product(first, chain.dims[k]), last, right[load]) == best;
                    uint32 found = __ballot_sync(0xffffffff, optimal);
                    if (found != 0) {
                        split = from + load * 32 + __ffs(found) - 1;
                    }
                }
            }
            if (lane == 0) {
                if (splits != nullptr) {
                    splits[index] = split;
                }
                atomicAdd(&parentheses[i], 1u);
                atomicAdd(&parentheses[j], 0x10000u);
                int children = (split - i > 1 ? 1 : 0) + (j - split > 1 ? 1 : 0);
                if (children > 0) {
                    int at = atomicAdd(&tail, children);
                    if (split - i > 1) {
                        ranges[at] = i | static_cast<uint32>(split) << 16;
                        indexes[at] = index + 1;
                        at++;
                    }
                    if (j - split > 1) {
                        ranges[at] = split | static_cast<uint32>(j) << 16;
                        indexes[at] = index + split - i;
                    }
                }
            }
        }
        begin = end;
    }
}

__device__ __forceinline__ int digits(int number) {
    return number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : number < 10000 ? 4 : 5;
}

// "((A1A2)A3)", by one warp.
__device__ void write_text(int vertices, const uint32* parentheses, uint8* text, int lane) {
    int written = 0;
    for (int from = 1; from < vertices; from += 32) {
        int matrix = from + lane;
        int opening = 0;
        int closing = 0;
        int length = 0;
        if (matrix < vertices) {
            opening = parentheses[matrix - 1] & 0xffff;
            closing = parentheses[matrix] >> 16;
            length = opening + 1 + digits(matrix) + closing;
        }
        int end = length;
        for (int distance = 1; distance < 32; distance *= 2) {
            int other = __shfl_up_sync(0xffffffff, end, distance);
            end += lane >= distance ? other : 0;
        }
        if (matrix < vertices) {
            uint8* to = text + written + end - length;
            for (int i = 0; i < opening; i++) {
                *to++ = '(';
            }
            *to = 'A';
            to += digits(matrix);
            int rest = matrix;
            for (int i = digits(matrix); i > 0; i--) {
                *to-- = static_cast<uint8>('0' + rest % 10);
                rest /= 10;
            }
            to += digits(matrix) + 1;
            for (int i = 0; i < closing; i++) {
                *to++ = ')';
            }
        }
        written += __shfl_sync(0xffffffff, end, 31);
    }
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

// By one block, once the table is full.
template <typename A>
__device__ __forceinline__ void report(
        const Chain<typename A::Value>& chain,
        uint32* parentheses,
        int row,
        int64* costs,
        const int32* split_offsets,
        int32* splits,
        const int32* text_offsets,
        uint8* text) {
    int64 cost = static_cast<int64>(chain.costs[chain.vertices - 1]);
    if (threadIdx.x == 0) {
        costs[row] = cost;
    }
    if ((splits == nullptr && text == nullptr) || cost < 0) {
        return;
    }
    find_tree<A>(
            chain,
            reinterpret_cast<uint32*>(chain.next),
            chain.previous,
            parentheses,
            splits == nullptr ? nullptr : splits + split_offsets[row]);
    if (text != nullptr && threadIdx.x < 32) {
        write_text(chain.vertices, parentheses, text + text_offsets[row], threadIdx.x);
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
        int64* costs,
        const int32* split_offsets,
        int32* splits,
        const int32* text_offsets,
        uint8* text) {
    extern __shared__ __align__(16) uint8 shared[];
    __shared__ int position;
    Chain<typename A::Value> chain;
    uint32* parentheses;
    uint8* slot = scratch + blockIdx.x * slot_bytes;
    place(chain, parentheses, vectors_at < 0 ? shared : slot + vectors_at, capacity, slot);
    while (true) {
        __syncthreads();
        if (threadIdx.x == 0) {
            position = from + atomicAdd(ticket, 1);
        }
        __syncthreads();
        if (position >= to) {
            return;
        }
        int row = rows[position];
        measure(chain, offsets, row);
        read(chain, dims + offsets[row]);
        int tiles = (chain.vertices + A::TILE - 1) / A::TILE;
        for (int tile = threadIdx.x; tile < tiles; tile += blockDim.x) {
            solve_diagonal_tile<A>(chain, tile);
        }
        for (int diagonal = 1; diagonal < tiles; diagonal++) {
            __syncthreads();
            for (int tile = threadIdx.x; tile + diagonal < tiles; tile += blockDim.x) {
                solve_tile<A>(chain, tile * A::TILE, (tile + diagonal) * A::TILE);
            }
        }
        __syncthreads();
        report<A>(chain, parentheses, row, costs, split_offsets, splits, text_offsets, text);
    }
}

// One step of one chain that has the whole device: diagonal -1 reads the chain, a block; 0 fills the tiles on the diagonal, a
// thread each; the others are a warp for each tile.
template <typename A>
__device__ __forceinline__ void solve_diagonal(
        int row, int diagonal, const int32* offsets, const int64* dims, uint8* scratch, int capacity, int64 vectors_at) {
    Chain<typename A::Value> chain;
    uint32* parentheses;
    place(chain, parentheses, scratch + vectors_at, capacity, scratch);
    measure(chain, offsets, row);
    int tiles = (chain.vertices + A::TILE - 1) / A::TILE;
    if (diagonal < 0) {
        read(chain, dims + offsets[row]);
    } else if (diagonal == 0) {
        if (thread_index() < tiles) {
            solve_diagonal_tile<A>(chain, static_cast<int>(thread_index()));
        }
    } else {
        int tile = static_cast<int>(thread_index() / 32);
        if (tile + diagonal < tiles) {
            solve_tile_by_warp<A>(chain, tile * A::TILE, (tile + diagonal) * A::TILE, threadIdx.x & 31);
        }
    }
}

template <typename A>
__device__ __forceinline__ void report_one(
        int row,
        const int32* offsets,
        uint8* scratch,
        int capacity,
        int64 vectors_at,
        int64* costs,
        const int32* split_offsets,
        int32* splits,
        const int32* text_offsets,
        uint8* text) {
    Chain<typename A::Value> chain;
    uint32* parentheses;
    place(chain, parentheses, scratch + vectors_at, capacity, scratch);
    measure(chain, offsets, row);
    report<A>(chain, parentheses, row, costs, split_offsets, splits, text_offsets, text);
}

}  // namespace

// scratch: a slot for each block, in which the table comes first and, unless they are in shared memory (vectors_at < 0), what grows with
// the length of a chain at vectors_at: for each of `capacity` vertices a value of the table's type and 12 bytes. `capacity` is at
// least the most vertices of a chain, a multiple of 8. A cost that does not fit 63 bits is written as a negative number.
//
// <name>_batch: a block for each chain rows[from..to), the costliest first; `ticket` begins at 0.
// <name>_diagonal and <name>_report: one chain by the whole device.
#define SOLVER(name, arithmetic) \
    extern "C" __global__ void __launch_bounds__(128, sizeof(arithmetic::Value) == 4 ? 3 : 2) name##_batch( \
            const int32* rows, int32 from, int32 to, int32* ticket, const int32* offsets, const int64* dims, \
            uint8* scratch, int64 slot_bytes, int32 capacity, int64 vectors_at, int64* costs, \
            const int32* split_offsets, int32* splits, const int32* text_offsets, uint8* text) { \
        solve_batch<arithmetic>(rows, from, to, ticket, offsets, dims, scratch, slot_bytes, capacity, vectors_at, costs, \
                split_offsets, splits, text_offsets, text); \
    } \
    extern "C" __global__ void __launch_bounds__(128) name##_diagonal( \
            int32 row, int32 diagonal, const int32* offsets, const int64* dims, uint8* scratch, int32 capacity, \
            int64 vectors_at) { \
        solve_diagonal<arithmetic>(row, diagonal, offsets, dims, scratch, capacity, vectors_at); \
    } \
    extern "C" __global__ void __launch_bounds__(1024) name##_report( \
            int32 row, const int32* offsets, uint8* scratch, int32 capacity, int64 vectors_at, int64* costs, \
            const int32* split_offsets, int32* splits, const int32* text_offsets, uint8* text) { \
        report_one<arithmetic>(row, offsets, scratch, capacity, vectors_at, costs, split_offsets, splits, text_offsets, \
                text); \
    }

SOLVER(chain_int32, Int32)
SOLVER(chain_float64, Float64)
SOLVER(chain_saturating, Saturating)
