// Computes a tile of a parenthesization's table (weights.cuh) with a thread block.
//
// A tile (I, J) has SIDE x SIDE entries; each of the block's 16 x 16 threads keeps R x R of them in registers
// (tile.cuh). The value of an entry is the minimum over two kinds of candidates. The first kind comprises the products
// (I, K) x (K, J) for all K between I and J, computed like a matrix product from slices in shared memory
// (`accumulate`). The second kind comprises the splits in the tile's own rows and columns, which are processed by one
// anti-diagonal of threads after another (`close`). A diagonal tile has only the second kind (`fill`).
//
// `close` takes 31 steps. In step s, the threads with TILE_SIDE - 1 - r + c = s close their entries, starting with the
// lower left one, and pass them to the threads above and to the right through shared memory. For example, with 3 x 3
// threads, the number at each thread is the step in which it closes its entries:
//
//     r = 0     2  3  4
//     r = 1     1  2  3
//     r = 2     0  1  2
//
// The whole symmetric table is stored, so that rows of cost(i, k) and columns of cost(k, j) are both contiguous in row
// k.
#pragma once
#include "chain/tile.cuh"
#include "common/copies.cuh"

namespace {

constexpr int TILE_THREADS = 256;
constexpr int TILE_SIDE = 16;  // the number of threads per side
constexpr int STAGES = 3;
constexpr int LEAST_SLICE = 16;

template <typename Weights, int R>
struct TileShape {
    using Value = typename Weights::Value;
    static constexpr int SIDE = TILE_SIDE * R;
    static constexpr int SLICE = SIDE * sizeof(Value) <= 256 ? 32 : 16;  // the number of splits per stage
    static constexpr int SLICES = SIDE / SLICE;
    static constexpr int VECTOR = 16 / sizeof(Value);
    static constexpr int PITCH = SIDE + VECTOR;  // the pitch of tiles in shared memory
    static constexpr int STAGE = SLICE * (2 * SIDE + 1);
    static constexpr int CLOSING = 3 * SIDE * PITCH + 2 * SIDE;
    static constexpr int BYTES = (STAGES * STAGE > CLOSING ? STAGES * STAGE : CLOSING) * sizeof(Value);
};

template <typename Value>
struct TiledTable {
    int tiles;
    int64 pitch;
    Value* costs;
    const Value* factors;   // one factor per vertex; 0 after the last vertex
    // for each slice, the nearest earlier slice with a factor no larger than all of this slice's factors, or -1
    const int32* previous;
    const int32* next;      // the nearest such slice after it, or the number of slices
};

// Computes a tile (I, J) with a block.
template <typename Weights, int R>
struct TileSolver {
    using A = typename Weights::Arithmetic;
    using Value = typename Weights::Value;
    using Shape = TileShape<Weights, R>;
    static constexpr int SIDE = Shape::SIDE;
    static constexpr int SLICE = Shape::SLICE;
    static constexpr int SLICES = Shape::SLICES;
    static constexpr int VECTOR = Shape::VECTOR;
    static constexpr int PITCH = Shape::PITCH;

    const TiledTable<Value>& table;
    const Weights& weights;
    int vertices;
    Value* shared;
    // this thread's entries: rows from I * SIDE + r * R, columns from J * SIDE + c * R
    int I;
    int J;
    int r;
    int c;
    ThreadTile<Weights, R> own;

    __device__ __forceinline__ TileSolver(
            const TiledTable<Value>& table, const Weights& weights, int vertices, Value* shared, int I, int J)
            : table(table), weights(weights), vertices(vertices), shared(shared), I(I), J(J) {
        int warp = threadIdx.x / 32;
        int lane = threadIdx.x & 31;
        r = warp / 2 * 4 + lane / 8;
        c = warp % 2 * 8 + lane % 8;
        if constexpr (Weights::BY_SPLIT) {
            load(own.row_factors, table.factors + I * SIDE + r * R);
            load(own.column_factors, table.factors + J * SIDE + c * R);
        }
    }

    __device__ __forceinline__ Value* entries() const {
        return table.costs + (static_cast<int64>(I) * SIDE + r * R) * table.pitch + J * SIDE + c * R;
    }

    __device__ __forceinline__ void read() {
#pragma unroll
        for (int i = 0; i < R; i++) {
            load(own.best[i], entries() + i * table.pitch);
        }
    }

    __device__ __forceinline__ void write() const {
        own.write(entries(), table.pitch);
    }

    __device__ __forceinline__ void write_transposed() const {
        own.write_transposed(table.costs + (static_cast<int64>(J) * SIDE + c * R) * table.pitch + I * SIDE + r * R,
                table.pitch);
    }

    // Returns the first vertex of a slice. The products whose farther factor is at a distance from `nearest` to
    // `farthest` come in pairs, K = I + distance and K = J - distance. They are divided into slices, which are
    // numbered in this order.
    __device__ __forceinline__ int first_vertex(int nearest, int slice) const {
        int distance = nearest + slice / (2 * SLICES);
        int K = slice / SLICES % 2 == 0 ? I + distance : J - distance;
        return K * SIDE + slice % SLICES * SLICE;
    }

    // Returns the slices that are needed to find the minimum of each entry, as up to 32 bits.
    __device__ __forceinline__ uint32 slices(int nearest, int farthest) const {
        int slice = threadIdx.x & 31;
        int distance = nearest + slice / (2 * SLICES);
        bool relevant = distance <= farthest && !(slice / SLICES % 2 == 1 && 2 * distance == J - I);
        if constexpr (Weights::BY_SPLIT) {
            if (relevant) {
                int at = first_vertex(nearest, slice) / SLICE;
                relevant = table.previous[at] < (I + 1) * SLICES || table.next[at] >= J * SLICES;
            }
        }
        return __ballot_sync(0xffffffff, relevant);
    }

    __device__ __forceinline__ void stage(Value* to, int first_vertex) const {
        constexpr int VECTORS = SIDE / VECTOR;
#pragma unroll
        for (int i = 0; i < SLICE * VECTORS; i += TILE_THREADS) {
            int vector = i + threadIdx.x;
            if (SLICE * VECTORS % TILE_THREADS == 0 || vector < SLICE * VECTORS) {
                int row = vector / VECTORS;
                int at = vector % VECTORS * VECTOR;
                const Value* from = table.costs + (first_vertex + row) * table.pitch + at;
                copy_async(to + row * SIDE + at, from + I * SIDE);
                copy_async(to + (SLICE + row) * SIDE + at, from + J * SIDE);
            }
        }
        if constexpr (Weights::BY_SPLIT) {
            if (threadIdx.x < SLICE / VECTOR) {
                copy_async(to + 2 * SLICE * SIDE + threadIdx.x * VECTOR,
                        table.factors + first_vertex + threadIdx.x * VECTOR);
            }
        }
    }

    // Updates this thread's entries with the products in the slices.
    __device__ __forceinline__ void accumulate(int nearest, uint32 slices) {
        uint32 staged = slices;
        auto stage_next = [&](int to) {
            if (staged != 0) {
                stage(shared + to * Shape::STAGE, first_vertex(nearest, __ffs(staged) - 1));
                staged &= staged - 1;
            }
            end_copies();
        };
#pragma unroll
        for (int i = 0; i < STAGES - 1; i++) {
            stage_next(i);
        }
        int current = 0;
        int last = STAGES - 1;
        for (int left_over = __popc(slices); left_over > 0; left_over--) {
            await_copies<STAGES - 2>();
            __syncthreads();
            stage_next(last);
            const Value* lefts = shared + current * Shape::STAGE + r * R;
            const Value* rights = shared + current * Shape::STAGE + SLICE * SIDE + c * R;
            const Value* factors = shared + current * Shape::STAGE + 2 * SLICE * SIDE;
#pragma unroll(R == 8 ? 4 : 8)
            for (int k = 0; k < SLICE; k++) {
                Value left[R];
                Value right[R];
                load(left, lefts + k * SIDE);
                load(right, rights + k * SIDE);
                Value factor = Weights::BY_SPLIT ? factors[k] : Value(0);
                own.split(left, factor, right);
            }
            current = current + 1 == STAGES ? 0 : current + 1;
            last = last + 1 == STAGES ? 0 : last + 1;
        }
    }

    // Updates this thread's entries with the products (I, K) x (K, J) for all K from `first` to `last`.
    __device__ __forceinline__ void accumulate_between(int first, int last) {
        constexpr int AT_A_TIME = 32 / (2 * SLICES);
        constexpr uint32 IN_ROW = 0xffffffff / ((1u << SLICES) + 1);  // the slices of K = I + distance
        for (int nearest = first - I; nearest <= last - I; nearest += AT_A_TIME) {
            accumulate(nearest, slices(nearest, min(last - I, nearest + AT_A_TIME - 1)) & IN_ROW);
            __syncthreads();
        }
    }

    __device__ __forceinline__ Value finished(int i, int j, Value least, Value range) const {
        int row = I * SIDE + r * R + i;
        int column = J * SIDE + c * R + j;
        if (row + 1 == column) {
            return column < vertices ? weights.leaf(row) : Value(0);
        }
        if constexpr (Weights::BY_RANGE) {
            return A::sum(least, range);
        } else {
            return least;
        }
    }

    // The weights w of this thread's entries, loaded in advance.
    struct Ranges {
        Value values[Weights::BY_RANGE ? R : 1][Weights::BY_RANGE ? R : 1];

        __device__ __forceinline__ Value at(int i, int j) const {
            return Weights::BY_RANGE ? values[i][j] : Value(0);
        }
    };

    __device__ __forceinline__ void read_ranges(Ranges& ranges) const {
        if constexpr (Weights::BY_RANGE) {
#pragma unroll
            for (int i = 0; i < R; i++) {
#pragma unroll
                for (int j = 0; j < R; j++) {
                    int row = I * SIDE + r * R + i;
                    int column = J * SIDE + c * R + j;
                    ranges.values[i][j] = row + 1 < column && column < vertices ? weights.range(row, column) : Value(0);
                }
            }
        }
    }

    // Runs function B: tries the splits in the tile's own rows and columns, in 2 * TILE_SIDE - 1 steps. In each step,
    // one anti-diagonal of threads closes its entries.
    __device__ __forceinline__ void close() {
        Value* own_rows = shared;                        // tile (I, I)
        Value* own_columns = shared + SIDE * PITCH;      // tile (J, J)
        Value* done = shared + 2 * SIDE * PITCH;         // the finished part of this tile
        constexpr int VECTORS = SIDE / VECTOR;
        __syncthreads();
#pragma unroll 4
        for (int i = threadIdx.x; i < SIDE * VECTORS; i += TILE_THREADS) {
            int row = i / VECTORS;
            int at = i % VECTORS * VECTOR;
            const Value* from = table.costs + at;
            copy_async(own_rows + row * PITCH + at,
                    from + (static_cast<int64>(I) * SIDE + row) * table.pitch + I * SIDE);
            copy_async(
                    own_columns + row * PITCH + at,
                    from + (static_cast<int64>(J) * SIDE + row) * table.pitch + J * SIDE);
        }
        Value* rows = shared + 3 * SIDE * PITCH;  // the factors of the tile's rows, followed by those of its columns
        Value* columns = rows + SIDE;
        if (threadIdx.x < SIDE / VECTOR) {
            copy_async(rows + threadIdx.x * VECTOR, table.factors + I * SIDE + threadIdx.x * VECTOR);
            copy_async(columns + threadIdx.x * VECTOR, table.factors + J * SIDE + threadIdx.x * VECTOR);
        }
        end_copies();
        Ranges ranges;
        read_ranges(ranges);
        await_copies<0>();
        __syncthreads();
        for (int step = 0; step < 2 * TILE_SIDE - 1; step++) {
            if (TILE_SIDE - 1 - r + c == step) {
                close_own(own_rows, own_columns, ranges);
                own.write(done + r * R * PITCH + c * R, PITCH);
            }
            __syncthreads();
            // the row of the thread below this one that finished in this step
            int row = TILE_SIDE - 1 - step + c;
            if (row <= TILE_SIDE - 1 && row > r) {
#pragma unroll
                for (int k = 0; k < R; k++) {
                    Value left[R];
                    Value right[R];
                    load(left, own_rows + (row * R + k) * PITCH + r * R);
                    load(right, done + (row * R + k) * PITCH + c * R);
                    Value factor = Weights::BY_SPLIT ? rows[row * R + k] : Value(0);
                    own.split(left, factor, right);
                }
            }
            int column = step - (TILE_SIDE - 1) + r;  // the column of the thread to the left that finished in this step
            if (column >= 0 && column < c) {
#pragma unroll
                for (int k = 0; k < R; k++) {
                    Value left[R];
                    Value right[R];
#pragma unroll
                    for (int i = 0; i < R; i++) {
                        left[i] = done[(r * R + i) * PITCH + column * R + k];
                    }
                    load(right, own_columns + (column * R + k) * PITCH + c * R);
                    Value factor = Weights::BY_SPLIT ? columns[column * R + k] : Value(0);
                    own.split(left, factor, right);
                }
            }
        }
    }

    // Tries the splits in this thread's own rows and columns.
    __device__ __forceinline__ void close_own(const Value* own_rows, const Value* own_columns, const Ranges& ranges) {
        own.close(
                [&](int i) { return own_rows + (r * R + i) * PITCH + r * R; },
                [&](int k, int j) { return own_columns[(c * R + k) * PITCH + c * R + j]; },
                [&](int i, int j, Value least) { return finished(i, j, least, ranges.at(i, j)); });
    }

    // Runs function A: computes a diagonal tile in TILE_SIDE steps. Threads below the diagonal are idle.
    __device__ __forceinline__ void fill() {
        Value* done = shared;  // the finished part of the tile, which is symmetric
        Ranges ranges;
        read_ranges(ranges);
        for (int step = 0; step < TILE_SIDE; step++) {
            if (c - r == step) {
                if (step == 0) {
                    own.close_diagonal(
                            [&](int i, int j, Value least) { return finished(i, j, least, ranges.at(i, j)); });
                } else {
                    close_own(done, done, ranges);
                }
                own.write(done + r * R * PITCH + c * R, PITCH);
                own.write_transposed(done + c * R * PITCH + r * R, PITCH);
            }
            __syncthreads();
            if (step == 0 || c - r <= step) {
                continue;
            }
            int near = r + step;  // the threads in this thread's row and column that finished in this step
            int far = c - step;
            if (c - near <= step) {
                relax_by(done, near);
            }
            if (far - r <= step && far != near) {
                relax_by(done, far);
            }
        }
    }

    __device__ __forceinline__ void relax_by(const Value* done, int split) {
#pragma unroll
        for (int k = 0; k < R; k++) {
            Value left[R];
            Value right[R];
            load(left, done + (split * R + k) * PITCH + r * R);
            load(right, done + (split * R + k) * PITCH + c * R);
            Value factor = Weights::BY_SPLIT ? table.factors[I * SIDE + split * R + k] : Value(0);
            own.split(left, factor, right);
        }
    }
};

// The factors of a chain; see TiledTable. `minima` contains the smallest factor of each slice.
template <typename Value>
struct SlicedFactors {
    Value* factors;
    Value* minima;
    int32* previous;
    int32* next;
};

// Reads the factors and computes `previous` and `next`, with one block.
template <typename Weights, int R>
__device__ __forceinline__ void prepare_factors(
        const TiledTable<typename Weights::Value>& table,
        const SlicedFactors<typename Weights::Value>& sliced,
        const int64* dims,
        int vertices) {
    using Value = typename Weights::Value;
    auto [factors, minima, previous, next] = sliced;
    constexpr int SLICE = TileShape<Weights, R>::SLICE;
    int slices = static_cast<int>(table.pitch / SLICE);
    for (int i = threadIdx.x; i < table.pitch; i += blockDim.x) {
        factors[i] = i < vertices ? static_cast<Value>(dims[i]) : Value(0);
    }
    __syncthreads();
    for (int slice = threadIdx.x; slice < slices; slice += blockDim.x) {
        Value least = factors[slice * SLICE];
        for (int i = 1; i < SLICE; i++) {
            least = min(least, factors[slice * SLICE + i]);
        }
        minima[slice] = least;
    }
    __syncthreads();
    for (int slice = threadIdx.x; slice < slices; slice += blockDim.x) {
        int at = slice - 1;
        while (at >= 0 && minima[at] > minima[slice]) {
            at--;
        }
        previous[slice] = at;
        at = slice + 1;
        while (at < slices && minima[at] > minima[slice]) {
            at++;
        }
        next[slice] = at;
    }
}

}  // namespace
