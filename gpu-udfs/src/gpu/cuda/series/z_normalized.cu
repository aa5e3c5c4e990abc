// Scales series to mean 0 and standard deviation 1: dev.bellman.series.ZNormalization. A warp scales 32 series of
// similar lengths. Each lane adds the numbers of one series, in the CPU's order. The lanes copy the numbers together,
// in tiles, so that adjacent lanes read adjacent numbers.
#include "common/copies.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"
#include "series/checks.cuh"

// The CPU solves longer series, because a lane adds one number at a time.
constexpr int32 MAX_SCALED = 1 << 20;
// A class contains the series with the same binary logarithm of the length; the longest series come first.
constexpr int32 SCALED_CLASSES = 21;
FOR_HOST(SCALED_CLASSES);

namespace {

constexpr int32 TILE = 32;
// The rows of a tile are padded, so that the lanes read different banks.
constexpr int32 TILE_ROW = TILE + 1;

// One dimension of a series. If the deviation is 0, all numbers are equal. With this alignment, one instruction loads
// two of the members.
struct __align__(16) Dimension {
    const double* numbers;
    int32 count;
    int32 stride;
    double* scaled;
    double mean;
    double deviation;
};

struct Tiles {
    Dimension dimensions[32];
    double numbers[32 * TILE_ROW];
};

// Loads the tiles one after another, and calls a function for each with the index of its first number in each series.
template <typename Visit>
__device__ __forceinline__ void each_tile(Tiles& tiles, int32 longest, int32 lane, Visit visit) {
    for (int32 first = 0; first < longest; first += TILE) {
#pragma unroll 8
        for (int32 s = 0; s < 32; s++) {
            Dimension dimension = tiles.dimensions[s];
            if (first + lane < dimension.count) {
                copy_value_async(
                    tiles.numbers + s * TILE_ROW + lane,
                    dimension.numbers + static_cast<int64>(first + lane) * dimension.stride);
            }
        }
        end_copies();
        await_copies<0>();
        __syncwarp();
        visit(first);
        __syncwarp();
    }
}

// Computes the mean and the deviation of the lane's numbers. Returns whether the deviation is valid.
__device__ __forceinline__ bool measure(Tiles& tiles, int32 count, int32 longest, int32 lane) {
    const double* mine = tiles.numbers + lane * TILE_ROW;
    double sum = 0;
    double first_number = 0;
    bool equal = true;
    each_tile(tiles, longest, lane, [&](int32 first) {
        first_number = first == 0 ? mine[0] : first_number;
        int32 added = min(TILE, count - first);
#pragma unroll 8
        for (int32 i = 0; i < added; i++) {
            sum = __dadd_rn(sum, mine[i]);
            equal = equal && mine[i] == first_number;
        }
    });
    double mean = __ddiv_rn(sum, count);
    double squares = 0;
    each_tile(tiles, longest, lane, [&](int32 first) {
        int32 added = min(TILE, count - first);
#pragma unroll 8
        for (int32 i = 0; i < added; i++) {
            double d = __dsub_rn(mine[i], mean);
            squares = __fma_rn(d, d, squares);
        }
    });
    double deviation = __dsqrt_rn(__ddiv_rn(squares, count));
    bool valid = equal || (deviation > 0 && is_number(deviation));
    tiles.dimensions[lane].mean = mean;
    tiles.dimensions[lane].deviation = equal ? 0 : deviation;
    return valid;
}

}  // namespace

// Classifies the rows, with one warp per row, and writes the lengths of their results.
//
// - lengths: initially 0
extern "C" __global__ void z_normalized_classify(
        int32 rows, const uint32* validity, SeriesLists series, int32* lengths, Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int32 length = series.length(row);
    if (length > MAX_SCALED) {
        if (lane == 0) {
            rows_of.put(row, ON_CPU, 0, 0);
        }
        return;
    }
    bool valid = is_series(series, row, 0, lane);
    if (lane == 0 && !valid) {
        rows_of.reject(row);
    } else if (lane == 0) {
        int64 numbers = length == 0 ? 0 : static_cast<int64>(length) * series.dimensions(row);
        rows_of.put(row, __clz(max(length, 1)) - __clz(MAX_SCALED), 0, numbers);
        lengths[row] = length;
    }
}

// Writes the number of dimensions of each point in the results, with one warp per row.
extern "C" __global__ void z_normalized_points(
        int32 rows, SeriesLists series, const int32* scaled_offsets, int32* dimensions) {
    int64 row = thread_index() / 32;
    if (row < rows) {
        for (int32 i = scaled_offsets[row] + threadIdx.x % 32; i < scaled_offsets[row + 1]; i += 32) {
            dimensions[i] = series.dimensions(row);
        }
    }
}

// Scales the series order[0], ..., order[count - 1]. Rejects rows with a dimension whose numbers differ although their
// standard deviation is not a positive number, and sets the lengths of their results to 0.
//
// - scaled: the offsets of the results
// - numbers: the results
extern "C" __global__ void __launch_bounds__(32) z_normalized(
        const int32* order,
        int32 count,
        SeriesLists series,
        SeriesLists scaled,
        double* numbers,
        int32* lengths,
        Classified rows_of) {
    __shared__ Tiles tiles;
    int32 lane = threadIdx.x;
    int64 index = thread_index();
    int32 row = index < count ? order[index] : 0;
    int32 length = index < count ? series.length(row) : 0;
    int32 dimensions = length == 0 ? 0 : series.dimensions(row);
    int32 longest = max_of_lanes<32>(length);
    int32 most_dimensions = max_of_lanes<32>(dimensions);
    for (int32 k = 0; k < most_dimensions; k++) {
        Dimension& mine = tiles.dimensions[lane];
        mine.count = k < dimensions ? length : 0;
        if (k < dimensions) {
            mine.numbers = static_cast<const double*>(series.numbers) + series.first(row) + k;
            mine.scaled = numbers + scaled.first(row) + k;
            mine.stride = dimensions;
        }
        __syncwarp();
        if (!measure(tiles, mine.count, longest, lane)) {
            lengths[row] = 0;
            rows_of.reject(row);
        }
        each_tile(tiles, longest, lane, [&](int32 first) {
#pragma unroll 4
            for (int32 s = 0; s < 32; s++) {
                Dimension dimension = tiles.dimensions[s];
                if (first + lane < dimension.count) {
                    double d = __dsub_rn(tiles.numbers[s * TILE_ROW + lane], dimension.mean);
                    dimension.scaled[static_cast<int64>(first + lane) * dimension.stride] =
                        dimension.deviation == 0 ? 0 : __ddiv_rn(d, dimension.deviation);
                }
            }
        });
    }
}
