// Solves time warping for series of numbers if the band contains all cells, with the tables in registers. The rows are
// those of the shorter series, because swapping the series does not change the result. Up to 32 lanes of a warp solve a
// pair; all pairs of the warp advance together. A lane has ROWS rows, divided into two parts that are each one column
// behind the part above, so that the lane computes two independent cells at a time:
//
//     step             0   1   2   3
//     lane 0, part 0   1   2   3   4   the column that a part processes; columns before the first are infinite
//     lane 0, part 1       1   2   3
//     lane 1, part 0           1   2
//
// For each cell, FLOAT takes three instructions: a difference, a minimum of three, and a fused multiply-add. DOUBLE
// takes eight (stripe.cuh).
#pragma once

#include "common/warp.cuh"
#include "series/rules.cuh"
#include "series/whole_shape.cuh"

// A launch for pairs whose tables have the same shape.
struct SeriesWhole {
    const int32* order;
    int32 from;
    int32 to;
    int32* ticket;  // initially zero
    int32 lanes;    // the number of lanes per pair
    // The number of values stored for a pair: the points of the rows; an infinity for each part of its lanes; the
    // points of the columns; and the numbers that the steps after the last column read.
    int32 stride;
};

// The minimum number of lanes that copy one pair.
constexpr int32 COPYING_LANES = 8;

// Starts to copy a point to shared memory.
template <typename Number>
__device__ __forceinline__ void start_copy(Number* to, const Number* from) {
#if __CUDA_ARCH__ >= 800
    uint32 place = static_cast<uint32>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(place), "l"(from), "n"(sizeof(Number)) : "memory");
#else
    *to = *from;
#endif
}

__device__ __forceinline__ void await_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

template <typename Number>
struct WholePair {
    const Number* a;  // the shorter series
    const Number* b;
    int32 m;
    int32 n;

    // Creates an empty pair.
    __device__ __forceinline__ WholePair() : a(nullptr), b(nullptr), m(0), n(0) {}

    __device__ __forceinline__ WholePair(const SeriesCalls& calls, int32 row) :
        a(static_cast<const Number*>(calls.a.begin(row, calls.floats))),
        b(static_cast<const Number*>(calls.b.begin(row, calls.floats))),
        m(calls.a.length(row)),
        n(calls.b.length(row)) {
        if (m > n) {
            const Number* longer = a;
            a = b;
            b = longer;
            int32 columns = m;
            m = n;
            n = columns;
        }
    }

    __device__ __forceinline__ WholePair of_lane(int32 lane) const {
        WholePair other;
        other.a = reinterpret_cast<const Number*>(__shfl_sync(~0u, reinterpret_cast<uint64>(a), lane));
        other.b = reinterpret_cast<const Number*>(__shfl_sync(~0u, reinterpret_cast<uint64>(b), lane));
        other.m = __shfl_sync(~0u, m, lane);
        other.n = __shfl_sync(~0u, n, lane);
        return other;
    }
};

template <typename Number, int POWER, int ROWS>
struct WholeTable {
    static constexpr int32 PART = ROWS / WHOLE_PARTS;

    int32 lanes;
    bool is_first;  // whether this lane is the first lane of its pair
    Number rows[ROWS];
    Number cells[ROWS];
    Number corners[WHOLE_PARTS];  // the cell above the first row of each part, in the previous column
    Number columns[WHOLE_PARTS];  // the points of the parts' current columns

    __device__ __forceinline__ void begin(const Number* points, int32 its_lanes, int32 place) {
        lanes = its_lanes;
        is_first = place == 0;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            rows[r] = points[place * ROWS + r];
            cells[r] = infinite<Number>();
        }
#pragma unroll
        for (int p = 0; p < WHOLE_PARTS; p++) {
            corners[p] = p == 0 && is_first ? 0 : infinite<Number>();
            columns[p] = infinite<Number>();
        }
    }

    // column: the point of the first part's next column.
    __device__ __forceinline__ void step(Number column) {
        Number top = __shfl_up_sync(~0u, cells[ROWS - 1], 1, lanes);
        top = is_first ? infinite<Number>() : top;
#pragma unroll
        for (int p = WHOLE_PARTS - 1; p > 0; p--) {
            columns[p] = columns[p - 1];
        }
        columns[0] = column;
        // the last part comes first, because it must read the last row of the part above before that row changes
#pragma unroll
        for (int p = WHOLE_PARTS - 1; p >= 0; p--) {
            Number above = p == 0 ? top : cells[p * PART - 1];
            Number before = corners[p];
            corners[p] = above;
#pragma unroll
            for (int r = p * PART; r < (p + 1) * PART; r++) {
                Number left = cells[r];
                Number d = minus(rows[r], columns[p]);
                Number least = least_of(before, left, above);
                above = POWER == 2 ? plus_square(least, d) : plus_absolute(least, d);
                before = left;
                cells[r] = above;
            }
        }
    }
};

// Copies the pairs of a warp to shared memory.
template <typename Number>
__device__ __forceinline__ void copy_pairs(
        const WholePair<Number>& pair, Number* shared, int32 lanes, int32 height, int32 stride) {
    int32 lane = threadIdx.x % 32;
    int32 team = max(lanes, COPYING_LANES);
    for (int32 k = 0; k < team; k += lanes) {
        int32 first = (lane & -team) + k;
        WholePair<Number> copied = pair.of_lane(first);
        Number* slot = shared + first / lanes * stride;
        for (int32 i = lane & (team - 1); i < copied.m; i += team) {
            start_copy(slot + i, copied.a + i);
        }
        slot += height + lanes * WHOLE_PARTS;
        for (int32 i = lane & (team - 1); i < copied.n; i += team) {
            start_copy(slot + i, copied.b + i);
        }
    }
    await_copies();
    __syncwarp();
}

// Uses blocks of one warp.
template <typename Number, int POWER, int ROWS>
__device__ __forceinline__ void solve_whole(
        const SeriesWhole& work, const SeriesCalls& calls, const SeriesAnswers& to) {
    using Table = WholeTable<Number, POWER, ROWS>;
    extern __shared__ double shared[];
    int32 lane = threadIdx.x;
    int32 lanes = work.lanes;
    int32 place = lane & (lanes - 1);
    int32 height = lanes * ROWS;
    Number* slot = reinterpret_cast<Number*>(shared) + lane / lanes * work.stride;
    Number* first_column = slot + height + lanes * WHOLE_PARTS;
    for (int32 i = height + place; slot + i < first_column; i += lanes) {
        slot[i] = infinite<Number>();
    }
    while (true) {
        int32 position = 0;
        if (lane == 0) {
            position = work.from + atomicAdd(work.ticket, 32 / lanes);
        }
        position = __shfl_sync(~0u, position, 0) + lane / lanes;
        bool works = position < work.to;
        if (__any_sync(~0u, works) == 0) {
            return;
        }
        int32 row = works ? work.order[position] : 0;
        WholePair<Number> pair;
        if (works) {
            pair = WholePair<Number>(calls, row);
        }
        copy_pairs(pair, reinterpret_cast<Number*>(shared), lanes, height, work.stride);
        Table table;
        table.begin(slot, lanes, place);
        int32 part = (pair.m - 1) / Table::PART;  // the index of the part with the last row, among all lanes' parts
        int32 end = works ? pair.n + part : 0;
        const Number* next = first_column - place * WHOLE_PARTS;
        int32 step = 0;
        while (true) {
            // the next step after which some pair is solved
            int32 until = min_of_warp(end > step ? end : 0x7fffffff);
            if (until == 0x7fffffff) {
                break;
            }
            for (; step + WHOLE_UNROLLED <= until; step += WHOLE_UNROLLED) {
#pragma unroll
                for (int u = 0; u < WHOLE_UNROLLED; u++) {
                    table.step(next[u]);
                }
                next += WHOLE_UNROLLED;
            }
#pragma unroll 1
            for (; step < until; step++) {
                table.step(*next++);
            }
            if (end == until && place == part / WHOLE_PARTS) {
                // the points are no longer needed
                Number* cells = slot + place * ROWS;
#pragma unroll
                for (int r = 0; r < ROWS; r++) {
                    cells[r] = table.cells[r];
                }
                put_warped<POWER>(to, calls, row, slot[pair.m - 1]);
            }
        }
        __syncwarp();
    }
}

// The minimum number of resident warps per multiprocessor, chosen so that each warp has enough registers.
constexpr __device__ int32 whole_warps(int32 number_bytes, int32 rows) {
    return number_bytes == sizeof(float) ? (rows <= 32 ? 16 : 12) : rows <= 16 ? 16 : rows <= 24 ? 12 : 8;
}

#define SERIES_WHOLE_ROWS(NAME, NUMBER, POWER, ROWS)                                              \
    extern "C" __global__ void __launch_bounds__(32, whole_warps(sizeof(NUMBER), ROWS))           \
            series_whole_##NAME##_##ROWS(SeriesWhole work, SeriesCalls calls, SeriesAnswers to) { \
        solve_whole<NUMBER, POWER, ROWS>(work, calls, to);                                        \
    }

#define SERIES_WHOLE(NAME, NUMBER, POWER)            \
    SERIES_WHOLE_ROWS(NAME, NUMBER, POWER, 16)       \
    SERIES_WHOLE_ROWS(NAME, NUMBER, POWER, 20)       \
    SERIES_WHOLE_ROWS(NAME, NUMBER, POWER, 24)       \
    SERIES_WHOLE_ROWS(NAME, NUMBER, POWER, 28)       \
    SERIES_WHOLE_ROWS(NAME, NUMBER, POWER, 32)       \
    SERIES_WHOLE_ROWS(NAME, NUMBER, POWER, 38)
