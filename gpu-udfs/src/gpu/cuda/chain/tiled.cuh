// Computes a parenthesization's table (weights.cuh) with the whole device, after Javanmard et al., "Toward efficient
// architecture-independent algorithms for dynamic programs" (2019). It uses their functions A (computes a diagonal
// tile), B (completes a tile, given the two diagonal tiles of its row and column) and C (adds a product of two tiles).
// The paper's parameter r is n / SIDE. A block processes one tile at a time (block_tile.cuh): A is `fill`, B is
// `close`, and C is `accumulate`.
//
// One launch processes all tiles (TiledWork). A tile is finished as soon as the tiles to its left and below it are
// finished. Until then, products of finished factors are added to tiles further out, so that no multiprocessor idles.
// When it is a tile's turn, only the products of the last few distances and the closing of the tile remain.
#pragma once
#include "chain/block_tile.cuh"

namespace {

// The work on one table, ordered so that every task comes after the tasks that it depends on. For each distance t, from
// 0 on, the tiles at that distance are finished first. Then, for F = t - 1, products are added to the tiles at the
// distances F + window, F + 2 window and so on up to 2 F. These are the products whose farther factor is at a distance
// from F - window + 1 to F. Therefore, when a tile at the distance t is finished, only products whose farther factor is
// at a distance above t - window are left. Blocks take one task after another, and wait for the task's inputs, which
// are computed by tasks that were taken earlier.
//
// For example, with five by five tiles and a window of 2:
//
//     t = 0     finish (0, 0) to (4, 4)
//     t = 1     finish (0, 1) to (3, 4), which have no products
//     t = 2     finish (0, 2) to (2, 4): (0, 2) takes (0, 1) x (1, 2)
//     t = 3     finish (0, 3) and (1, 4); then, F = 2, add (0, 2) x (2, 4) to (0, 4), the one tile at the distance F +
//               window
//     t = 4     finish (0, 4): two products are left, (0, 1) x (1, 4) and (0, 3) x (3, 4), whose farther factors are at
//               the distance 3
template <typename Weights, int R>
struct TiledWork {
    using Value = typename Weights::Value;
    using Solver = TileSolver<Weights, R>;
    static constexpr int FINISHED = 0x7fffffff;

    const TiledTable<Value>& table;
    const Weights& weights;
    int vertices;
    int window;       // at least 2, and at most 32 divided by the number of slices in two products
    int32* finished;  // the number of finished tiles per distance
    int32* progress;  // for each tile, F + 1 for the last F whose products were added, or FINISHED

    // Returns the number of tiles at the first `count` distances F + window, F + 2 window, ...
    __device__ __forceinline__ int tiles_beyond(int F, int count) const {
        return count * (table.tiles - F) - window * (count * (count + 1) / 2);
    }

    __device__ __forceinline__ int tasks(int distance) const {
        int F = distance - 1;
        int count = F < window ? 0 : min(F, table.tiles - 1 - F) / window;
        return table.tiles - distance + tiles_beyond(F, count);
    }

    // Runs tasks until none are left. `ticket` starts at 0.
    __device__ __forceinline__ void run(int32* ticket) const {
        extern __shared__ __align__(16) uint8 shared_bytes[];
        __shared__ int drawn;
        int distance = 0;
        int first = 0;
        int32* completed = nullptr;  // the progress of the last task's tile; that task finished the tile if `finishing`
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

    // Waits until *from is at least the given value.
    static __device__ __forceinline__ void await(const int32* from, int least) {
        int value;
        do {
            asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
        } while (value < least);
    }

    __device__ __forceinline__ void work(Value* shared, int I, int J, int distance, const int32* own_progress) const {
        Solver tile(table, weights, vertices, shared, I, J);
        if (distance == 0) {
            tile.own.clear();
            tile.fill();
            if (tile.c >= tile.r) {
                tile.write();
                tile.write_transposed();
            }
            return;
        }
        bool finishing = J - I == distance;
        int farthest = distance - 1;
        int before = finishing ? distance - window : farthest - window;  // the last F whose products were added, if any
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
            tile.own.clear();
        }
        tile.accumulate(nearest, slices);
        if (finishing) {
            tile.close();
            tile.write_transposed();
        }
        tile.write();
    }
};

}  // namespace
