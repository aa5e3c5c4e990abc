// Finds the paths through solved tables from the steps of their cells: dev.bellman.series.WarpingPath.
#include "common/warp.cuh"
#include "series/pairs.cuh"

// Returns the steps that a lane stored for a column.
static __device__ __forceinline__ uint32 kept_steps(const uint8* at, int32 rows) {
    return rows == 16  ? *reinterpret_cast<const uint32*>(at)
           : rows == 8 ? *reinterpret_cast<const uint16*>(at)
                       : *at;
}

// Uses one warp per pair for the pairs order[from], order[from + 1], ... The path's steps, starting from its end, are
// stored as bytes; a pair's bytes start at the sum of the offsets of both series. The lanes load the steps of 32
// columns at a time, for all rows that one lane had when the table was solved.
extern "C" __global__ void series_walk(
        const int32* order,
        int32 from,
        int32 count,
        SeriesCalls calls,
        SeriesAnswers answers,
        uint8* slots,
        int64 slot_bytes,
        int32 lanes,
        uint8* steps) {
    int64 index = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (index >= count) {
        return;
    }
    int32 row = order[from + index];
    if (!answers.rows_of.is_solved(row)) {
        return;
    }
    SeriesPair pair(calls, row);
    int32 rows = rows_of_lane(min(pair.dimensions, MANY), false);
    Trace trace(pair, slots + slot_bytes * index, lanes, rows);
    uint8* to = steps + calls.a.offsets[row] + calls.b.offsets[row];
    int32 i = pair.m - 1;
    int32 j = pair.n;
    int32 cells = 1;
    while (i > 0 || j > 1) {
        int32 stripe = i / (lanes * rows);
        int32 of_lane = i / rows % lanes;
        int32 first_row = i / rows * rows;
        int32 first_column = pair.first_column(stripe, lanes * rows);
        int32 column = j - lane;
        uint32 own = column > 0 && column >= first_column
            ? kept_steps(trace.at(stripe, column - first_column + of_lane, of_lane), rows)
            : 0;
        int32 last_column = j;
        while ((i > 0 || j > 1) && i >= first_row && last_column - j < 32) {
            uint32 step = __shfl_sync(~0u, own, last_column - j) >> 2 * (i - first_row) & 3;
            if (lane == 0) {
                to[cells - 1] = static_cast<uint8>(step);
            }
            cells++;
            i -= step & 1;
            j -= step >> 1;
        }
    }
    if (lane == 0) {
        answers.counts[row] = cells;
    }
}

// Writes the cells of the paths of all solved rows, from the beginning of each path. Uses one warp per row.
extern "C" __global__ void series_path_cells(
        int32 rows,
        SeriesCalls calls,
        Classified rows_of,
        const uint8* steps,
        const int32* offsets,
        int32* of_a,
        int32* of_b) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (row >= rows || !rows_of.is_solved(row)) {
        return;
    }
    const uint8* from = steps + calls.a.offsets[row] + calls.b.offsets[row];
    int32 begin = offsets[row];
    int32 count = offsets[row + 1] - begin;
    // packs both positions into one number
    int64 before = 0;
    for (int32 first = 0; first < count; first += 32) {
        int32 c = first + lane;
        int64 step = c > 0 && c < count ? from[count - 1 - c] : 0;
        int64 place = before + sum_up_to_lane((step & 1) | (step >> 1) << 32);
        if (c < count) {
            of_a[begin + c] = static_cast<int32>(place);
            of_b[begin + c] = static_cast<int32>(place >> 32);
        }
        before = __shfl_sync(~0u, place, 31);
    }
}
