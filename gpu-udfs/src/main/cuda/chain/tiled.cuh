// The table of a parenthesization (weights.cuh) by the whole device: Javanmard et al., "Toward efficient architecture-independent
// algorithms for dynamic programs" (2019), their functions A (a tile on the diagonal), B (a tile and the two diagonal tiles beside
// it) and C (a product of two tiles) with r = n / SIDE.
//
// A tile (I, J) is SIDE x SIDE, a thread block; each of its 16 x 16 threads keeps R x R entries in registers. It is the minimum of the
// products (I, K) x (K, J) for all K between I and J, like a matrix product over slices in shared memory, and of the splits in its own
// rows and columns, which follow in the order of the anti-diagonals of threads.
//
// One launch works off all tiles (TiledWork): a tile is finished as soon as those beside and below it are; until then products whose
// factors are finished are added to tiles further out, so that no multiprocessor idles and a tile has two products and its own
// closing left when its turn comes.
//
// The table is kept whole, symmetric, so that rows of cost(i, k) and columns of cost(k, j) both lie along row k.
#pragma once
#include "chain/weights.cuh"
#include "common/vectors.cuh"

namespace {

constexpr int TILE_THREADS = 256;
constexpr int TILE_SIDE = 16;  // in threads
constexpr int STAGES = 3;
constexpr int LEAST_SLICE = 16;

template <typename Weights, int R>
struct TileShape {
    using Value = typename Weights::Value;
    static constexpr int SIDE = TILE_SIDE * R;
    static constexpr int SLICE = SIDE * sizeof(Value) <= 256 ? 32 : 16;  // splits that are in shared memory at a time
    static constexpr int SLICES = SIDE / SLICE;
    static constexpr int VECTOR = 16 / sizeof(Value);
    static constexpr int PITCH = SIDE + VECTOR;  // of tiles in shared memory
    static constexpr int STAGE = SLICE * (2 * SIDE + 1);
    static constexpr int CLOSING = 3 * SIDE * PITCH + 2 * SIDE;
    static constexpr int BYTES = (STAGES * STAGE > CLOSING ? STAGES * STAGE : CLOSING) * sizeof(Value);  // of a block
};

template <typename Value>
struct TiledTable {
    int tiles;
    int64 pitch;
    Value* costs;
    const Value* factors;   // of each vertex; 0 beyond the last
    const int32* previous;  // for each slice, the nearest before it with a factor no larger than all of its own, or -1
    const int32* next;      // the nearest after it, or the number of slices
};

// Copies 16 bytes from global to shared memory without waiting for them.
__device__ __forceinline__ void copy_async(void* to, const void* from) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(static_cast<uint32>(__cvta_generic_to_shared(to))), "l"(from)
                 : "memory");
#else
    *static_cast<uint4*>(to) = *static_cast<const uint4*>(from);
#endif
}

__device__ __forceinline__ void end_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Waits for this thread's groups of copies but the last PENDING.
template <int PENDING>
__device__ __forceinline__ void await_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
#endif
}

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
    Value best[R][R];
    Value row_factors[R];
    Value column_factors[R];

    __device__ __forceinline__ TileSolver(
            const TiledTable<Value>& table, const Weights& weights, int vertices, Value* shared, int I, int J)
            : table(table), weights(weights), vertices(vertices), shared(shared), I(I), J(J) {
        int warp = threadIdx.x / 32;
        int lane = threadIdx.x & 31;
        r = warp / 2 * 4 + lane / 8;
        c = warp % 2 * 8 + lane % 8;
        if constexpr (Weights::BY_SPLIT) {
            load(row_factors, table.factors + I * SIDE + r * R);
            load(column_factors, table.factors + J * SIDE + c * R);
        }
    }

    __device__ __forceinline__ Value* entries() const {
        return table.costs + (static_cast<int64>(I) * SIDE + r * R) * table.pitch + J * SIDE + c * R;
    }

    __device__ __forceinline__ void clear() {
#pragma unroll
        for (int i = 0; i < R; i++) {
#pragma unroll
            for (int j = 0; j < R; j++) {
                best[i][j] = A::infinity();
            }
        }
    }

    __device__ __forceinline__ void read() {
#pragma unroll
        for (int i = 0; i < R; i++) {
            load(best[i], entries() + i * table.pitch);
        }
    }

    __device__ __forceinline__ void write() const {
#pragma unroll
        for (int i = 0; i < R; i++) {
            store(entries() + i * table.pitch, best[i]);
        }
    }

    __device__ __forceinline__ void write_transposed() const {
        Value* to = table.costs + (static_cast<int64>(J) * SIDE + c * R) * table.pitch + I * SIDE + r * R;
#pragma unroll
        for (int j = 0; j < R; j++) {
            Value column[R];
#pragma unroll
            for (int i = 0; i < R; i++) {
                column[i] = best[i][j];
            }
            store(to + j * table.pitch, column);
        }
    }

    // The products whose farther factor is at the distances from `nearest` to `farthest` come by two, K = I + distance and K = J -
    // distance, and in slices. This numbers them.
    __device__ __forceinline__ int first_split(int nearest, int slice) const {
        int distance = nearest + slice / (2 * SLICES);
        int K = slice / SLICES % 2 == 0 ? I + distance : J - distance;
        return K * SIDE + slice % SLICES * SLICE;
    }

    // Which of up to 32 slices may have an optimal split, as bits.
    __device__ __forceinline__ uint32 slices(int nearest, int farthest) const {
        int slice = threadIdx.x & 31;
        int distance = nearest + slice / (2 * SLICES);
        bool relevant = distance <= farthest && !(slice / SLICES % 2 == 1 && 2 * distance == J - I);
        if constexpr (Weights::BY_SPLIT) {
            if (relevant) {
                int at = first_split(nearest, slice) / SLICE;
                relevant = table.previous[at] < (I + 1) * SLICES || table.next[at] >= J * SLICES;
            }
        }
        return __ballot_sync(0xffffffff, relevant);
    }

    __device__ __forceinline__ void stage(Value* to, int first_split) const {
        constexpr int VECTORS = SIDE / VECTOR;
#pragma unroll
        for (int i = 0; i < SLICE * VECTORS; i += TILE_THREADS) {
            int vector = i + threadIdx.x;
            if (SLICE * VECTORS % TILE_THREADS == 0 || vector < SLICE * VECTORS) {
                int row = vector / VECTORS;
                int at = vector % VECTORS * VECTOR;
                const Value* from = table.costs + (first_split + row) * table.pitch + at;
                copy_async(to + row * SIDE + at, from + I * SIDE);
                copy_async(to + (SLICE + row) * SIDE + at, from + J * SIDE);
            }
        }
        if constexpr (Weights::BY_SPLIT) {
            if (threadIdx.x < SLICE / VECTOR) {
                copy_async(to + 2 * SLICE * SIDE + threadIdx.x * VECTOR, table.factors + first_split + threadIdx.x * VECTOR);
            }
        }
    }

    // The minimum with the products of the slices.
    __device__ __forceinline__ void accumulate(int nearest, uint32 slices) {
        uint32 staged = slices;
        auto stage_next = [&](int to) {
            if (staged != 0) {
                stage(shared + to * Shape::STAGE, first_split(nearest, __ffs(staged) - 1));
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
#pragma unroll
                for (int i = 0; i < R; i++) {
                    Value both = pair<Weights>(row_factors[i], factor);
#pragma unroll
                    for (int j = 0; j < R; j++) {
                        relax<Weights>(best[i][j], left[i], both, column_factors[j], right[j]);
                    }
                }
            }
            current = current + 1 == STAGES ? 0 : current + 1;
            last = last + 1 == STAGES ? 0 : last + 1;
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

    // w of this thread's entries, read before they are needed.
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

    // Function B: the splits in the tile's own rows and columns, in 2 * TILE_SIDE - 1 steps of a diagonal of threads each.
    __device__ __forceinline__ void close() {
        Value* own_rows = shared;                        // tile (I, I)
        Value* own_columns = shared + SIDE * PITCH;      // tile (J, J)
        Value* done = shared + 2 * SIDE * PITCH;         // this tile, as far as it is finished
        constexpr int VECTORS = SIDE / VECTOR;
        __syncthreads();
#pragma unroll 4
        for (int i = threadIdx.x; i < SIDE * VECTORS; i += TILE_THREADS) {
            int row = i / VECTORS;
            int at = i % VECTORS * VECTOR;
            const Value* from = table.costs + at;
            copy_async(own_rows + row * PITCH + at, from + (static_cast<int64>(I) * SIDE + row) * table.pitch + I * SIDE);
            copy_async(
                    own_columns + row * PITCH + at, from + (static_cast<int64>(J) * SIDE + row) * table.pitch + J * SIDE);
        }
        Value* rows = shared + 3 * SIDE * PITCH;  // the factors
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
                finish_entries(own_rows, own_columns, ranges);
#pragma unroll
                for (int i = 0; i < R; i++) {
                    store(done + (r * R + i) * PITCH + c * R, best[i]);
                }
            }
            __syncthreads();
            int row = TILE_SIDE - 1 - step + c;  // of the threads that have finished the entries below this thread's
            if (row <= TILE_SIDE - 1 && row > r) {
#pragma unroll
                for (int k = 0; k < R; k++) {
                    Value left[R];
                    Value right[R];
                    load(left, own_rows + (row * R + k) * PITCH + r * R);
                    load(right, done + (row * R + k) * PITCH + c * R);
                    Value factor = Weights::BY_SPLIT ? rows[row * R + k] : Value(0);
#pragma unroll
                    for (int i = 0; i < R; i++) {
                        Value both = pair<Weights>(row_factors[i], factor);
#pragma unroll
                        for (int j = 0; j < R; j++) {
                            relax<Weights>(best[i][j], left[i], both, column_factors[j], right[j]);
                        }
                    }
                }
            }
            int column = step - (TILE_SIDE - 1) + r;  // and of those to the left
            if (column >= 0 && column < c) {
#pragma unroll
                for (int k = 0; k < R; k++) {
                    Value right[R];
                    load(right, own_columns + (column * R + k) * PITCH + c * R);
                    Value factor = Weights::BY_SPLIT ? columns[column * R + k] : Value(0);
#pragma unroll
                    for (int i = 0; i < R; i++) {
                        Value left = done[(r * R + i) * PITCH + column * R + k];
                        Value both = pair<Weights>(row_factors[i], factor);
#pragma unroll
                        for (int j = 0; j < R; j++) {
                            relax<Weights>(best[i][j], left, both, column_factors[j], right[j]);
                        }
                    }
                }
            }
        }
    }

    // The splits in this thread's own rows and columns.
    __device__ __forceinline__ void finish_entries(const Value* own_rows, const Value* own_columns, const Ranges& ranges) {
#pragma unroll
        for (int i = R - 1; i >= 0; i--) {
#pragma unroll
            for (int k = i + 1; k < R; k++) {
                Value left = own_rows[(r * R + i) * PITCH + r * R + k];
                Value both = pair<Weights>(row_factors[i], row_factors[k]);
#pragma unroll
                for (int j = 0; j < R; j++) {
                    relax<Weights>(best[i][j], left, both, column_factors[j], best[k][j]);
                }
            }
#pragma unroll
            for (int j = 0; j < R; j++) {
#pragma unroll
                for (int k = 0; k < j; k++) {
                    Value right = own_columns[(c * R + k) * PITCH + c * R + j];
                    relax<Weights>(best[i][j], best[i][k], pair<Weights>(row_factors[i], column_factors[k]), column_factors[j], right);
                }
                best[i][j] = finished(i, j, best[i][j], ranges.at(i, j));
            }
        }
    }

    // Function A: a tile on the diagonal, in TILE_SIDE steps. Threads below the diagonal have no part.
    __device__ __forceinline__ void fill() {
        Value* done = shared;  // symmetric
        Ranges ranges;
        read_ranges(ranges);
        for (int step = 0; step < TILE_SIDE; step++) {
            if (c - r == step) {
                if (step == 0) {
#pragma unroll
                    for (int i = R - 1; i >= 0; i--) {
                        best[i][i] = 0;
#pragma unroll
                        for (int j = i + 1; j < R; j++) {
#pragma unroll
                            for (int k = i + 1; k < j; k++) {
                                Value both = pair<Weights>(row_factors[i], row_factors[k]);
                                relax<Weights>(best[i][j], best[i][k], both, column_factors[j], best[k][j]);
                            }
                            best[i][j] = finished(i, j, best[i][j], ranges.at(i, j));
                            best[j][i] = best[i][j];
                        }
                    }
                } else {
                    finish_entries(done, done, ranges);
                }
#pragma unroll
                for (int i = 0; i < R; i++) {
                    store(done + (r * R + i) * PITCH + c * R, best[i]);
                    Value column[R];
#pragma unroll
                    for (int k = 0; k < R; k++) {
                        column[k] = best[k][i];
                    }
                    store(done + (c * R + i) * PITCH + r * R, column);
                }
            }
            __syncthreads();
            if (step == 0 || c - r <= step) {
                continue;
            }
            int near = r + step;  // threads that finished in this step, in this thread's row and column
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
#pragma unroll
            for (int i = 0; i < R; i++) {
                Value both = pair<Weights>(row_factors[i], factor);
#pragma unroll
                for (int j = 0; j < R; j++) {
                    relax<Weights>(best[i][j], left[i], both, column_factors[j], right[j]);
                }
            }
        }
    }
};

// The work of one table, in an order in which everything comes after what it needs. For each distance t, from 0 on: its tiles are
// finished; then, for F = t - 1, the products whose farther factor is at the distances F - window + 1 to F are added to the tiles at the
// distances F + window, F + 2 window and so on to 2 F, so that the last of them are no more than `window` distances old when a tile is
// finished. Blocks take one task after the other and wait for what it needs, which other blocks have taken before.
template <typename Weights, int R>
struct TiledWork {
    using Value = typename Weights::Value;
    using Solver = TileSolver<Weights, R>;
    static constexpr int FINISHED = 0x7fffffff;

    const TiledTable<Value>& table;
    const Weights& weights;
    int vertices;
    int window;       // at least 2; times the slices of two products it is at most 32
    int32* finished;  // for each distance how many tiles are finished
    int32* progress;  // for each tile t + 1 of what was added last, or FINISHED

    // How many tiles there are at the first `count` distances F + window, F + 2 window, ...
    __device__ __forceinline__ int tiles_beyond(int F, int count) const {
        return count * (table.tiles - F) - window * (count * (count + 1) / 2);
    }

    __device__ __forceinline__ int tasks(int distance) const {
        int F = distance - 1;
        int count = F < window ? 0 : min(F, table.tiles - 1 - F) / window;
        return table.tiles - distance + tiles_beyond(F, count);
    }

    // Takes tasks until there are none. `ticket` begins at 0.
    __device__ __forceinline__ void run(int32* ticket) const {
        extern __shared__ __align__(16) uint8 shared_bytes[];
        __shared__ int drawn;
        int distance = 0;
        int first = 0;
        int32* completed = nullptr;  // the progress of the tile of the last task, which finished it if `finishing`
        bool finishing = false;
        while (true) {
            __syncthreads();
            if (threadIdx.x == 0 && completed != nullptr) {
                __threadfence();
                atomicExch(completed, finishing ? FINISHED : distance);
                if (finishing) {
                    atomicAdd(finished + distance, 1);
                }
            }
            if (threadIdx.x == 32) {
                drawn = atomicAdd(ticket, 1);
            }
            __syncthreads();
            int task = drawn - first;
            for (int here = tasks(distance); task >= here; here = tasks(distance)) {
                task -= here;
                first += here;
                if (++distance == table.tiles) {
                    return;
                }
            }
            finishing = task < table.tiles - distance;
            int I = task;
            int J = task + distance;
            if (!finishing) {
                task -= table.tiles - distance;
                int F = distance - 1;
                float longest = table.tiles - F - 0.5f * window;
                int before = static_cast<int>((longest - sqrtf(longest * longest - 2.0f * window * task)) / window);
                while (tiles_beyond(F, before) > task) {
                    before--;
                }
                while (tiles_beyond(F, before + 1) <= task) {
                    before++;
                }
                I = task - tiles_beyond(F, before);
                J = I + F + (before + 1) * window;
            }
            completed = progress + static_cast<int64>(I) * table.tiles + J;
            work(reinterpret_cast<Value*>(shared_bytes), I, J, distance, completed);
        }
    }

    // Waits until *from is at least so much.
    static __device__ __forceinline__ void await(const int32* from, int least) {
        int value;
        do {
            asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
        } while (value < least);
    }

    __device__ __forceinline__ void work(Value* shared, int I, int J, int distance, const int32* own_progress) const {
        Solver tile(table, weights, vertices, shared, I, J);
        if (distance == 0) {
            tile.clear();
            tile.fill();
            if (tile.c >= tile.r) {
                tile.write();
                tile.write_transposed();
            }
            return;
        }
        bool finishing = J - I == distance;
        int farthest = distance - 1;
        int before = finishing ? distance - window : farthest - window;  // what is in the tile, if anything is
        int middle = (J - I + 1) / 2;
        int nearest = max(before + 1, middle);
        bool begun = before >= middle;
        uint32 slices = tile.slices(nearest, farthest);
        const int32* needed = threadIdx.x == 0 ? own_progress : own_progress - 1;
        int least = threadIdx.x == 0 ? before + 1 : FINISHED;
        if (threadIdx.x == 2) {
            needed = own_progress + table.tiles;
        }
        if (threadIdx.x == 1 && !finishing) {
            needed = finished + farthest;
            least = table.tiles - farthest;
        }
        if (threadIdx.x < (finishing ? 3 : 2) && (threadIdx.x != 0 || begun)) {
            await(needed, least);
        }
        __syncthreads();
        if (slices == 0 && begun && !finishing) {
            return;
        }
        if (begun) {
            tile.read();
        } else {
            tile.clear();
        }
        tile.accumulate(nearest, slices);
        if (finishing) {
            tile.close();
            tile.write_transposed();
        }
        tile.write();
    }
};

// Reads the factors of a chain and finds `previous` and `next`; by one block. `minima` has room for a value for each slice.
template <typename Weights, int R>
__device__ __forceinline__ void prepare_factors(
        const TiledTable<typename Weights::Value>& table,
        const int64* dims,
        int vertices,
        typename Weights::Value* factors,
        typename Weights::Value* minima,
        int32* previous,
        int32* next) {
    using Value = typename Weights::Value;
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
