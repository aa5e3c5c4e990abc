// The series pairs of a batch: dev.bellman.series.SeriesTable.
#pragma once

#include "columns/instances.cuh"

// Lists of numbers or, for series of points, lists of lists of numbers.
struct SeriesLists {
    const int32* offsets;
    const uint32* validity;         // the validity of the numbers or points
    const int32* point_offsets;     // null for lists of numbers
    const uint32* number_validity;  // the validity of the numbers in points
    const void* numbers;            // DOUBLE, or FLOAT

    __device__ __forceinline__ int32 length(int64 row) const {
        return offsets[row + 1] - offsets[row];
    }

    // Returns the number of dimensions of a list's points; the list must not be empty.
    __device__ __forceinline__ int32 dimensions(int64 row) const {
        int32 begin = offsets[row];
        return point_offsets == nullptr ? 1 : point_offsets[begin + 1] - point_offsets[begin];
    }

    // Returns the index of the first number in a list that is not empty.
    __device__ __forceinline__ int64 first(int64 row) const {
        int32 begin = offsets[row];
        return point_offsets == nullptr ? begin : point_offsets[begin];
    }

    __device__ __forceinline__ const void* begin(int64 row, int32 floats) const {
        return static_cast<const uint8*>(numbers) + first(row) * (floats != 0 ? sizeof(float) : sizeof(double));
    }
};

// The arguments of a function; those that the function does not have are null.
struct SeriesCalls {
    SeriesLists a;
    SeriesLists b;
    const int32* bands;
    const int32* powers;
    const double* most;
    const double* parameters;  // tolerances, gap values, or values of gamma
    int32 anywhere;            // whether a may begin at any point of b
    int32 floats;              // whether the numbers are FLOAT
};

// The results.
//
// - begins, ends: where matches begin and end
struct SeriesAnswers {
    double* distances;
    int32* counts;
    int32* begins;
    int32* ends;
    Classified rows_of;
};

// Each number of dimensions below MANY has its own kernels; MANY represents all other numbers.
constexpr int32 MANY = 4;

// Returns the number of rows per lane; it is smaller for points of more than one dimension, and for rules with
// LARGE_CELLS, which need more registers per row.
constexpr __device__ int32 rows_of_lane(int32 dimensions, bool large_cells) {
    return dimensions == MANY || (dimensions == 3 && large_cells) ? 4 : dimensions == 1 && !large_cells ? 16 : 8;
}

// The number of lanes that solve a pair stripe after stripe, and the number that solve a stripe in parallel with other
// stripes.
constexpr int32 FEW_LANES = 4;
constexpr int32 ALL_LANES = 32;

// A pair of series, swapped if the first one is empty, so that the table has rows unless both are empty.
struct SeriesPair {
    const void* a;  // null if the series is empty
    const void* b;
    int32 row;
    int32 m;
    int32 n;
    int32 dimensions;
    int32 lowest;   // the minimum of column minus row in the band
    int32 highest;
    double parameter;

    __device__ __forceinline__ SeriesPair() {}

    __device__ __forceinline__ SeriesPair(const SeriesCalls& calls, int32 its_row) : row(its_row) {
        m = calls.a.length(row);
        n = calls.b.length(row);
        a = m == 0 ? nullptr : calls.a.begin(row, calls.floats);
        b = n == 0 ? nullptr : calls.b.begin(row, calls.floats);
        dimensions = m != 0 ? calls.a.dimensions(row) : n != 0 ? calls.b.dimensions(row) : 1;
        parameter = calls.parameters == nullptr ? 0 : calls.parameters[row];
        if (m == 0) {
            a = b;
            b = nullptr;
            m = n;
            n = 0;
        }
        int64 band = calls.bands == nullptr || calls.anywhere != 0 ? 0x7fffffff : calls.bands[row];
        int64 longer = n - m;
        lowest = static_cast<int32>(max(static_cast<int64>(-m), min(0LL, longer) - band));
        highest = static_cast<int32>(min(static_cast<int64>(n), max(0LL, longer) + band));
    }

    template <typename Number>
    __device__ __forceinline__ const Number* a_of() const {
        return static_cast<const Number*>(a);
    }

    template <typename Number>
    __device__ __forceinline__ const Number* b_of() const {
        return static_cast<const Number*>(b);
    }

    // Returns whether the band contains all cells.
    __device__ __forceinline__ bool is_whole() const {
        return lowest <= 1 - m && highest >= n - 1;
    }

    __device__ __forceinline__ int32 stripes(int32 height) const {
        return (m + height - 1) / height;
    }

    // The columns of a stripe, starting with the border or with the last column before the band.
    __device__ __forceinline__ int32 first_column(int32 stripe, int32 height) const {
        return max(0, stripe * height + lowest);
    }

    __device__ __forceinline__ int32 last_column(int32 stripe, int32 height) const {
        return min(n, min(m - stripe * height, height) + stripe * height + highest);
    }

    // Returns an upper bound on the number of columns of each stripe.
    __device__ __forceinline__ int64 width(int32 height) const {
        return min(n + 1LL, static_cast<int64>(height) + highest - lowest + 1);
    }

    static __device__ __forceinline__ int64 triangle(int64 side) {
        return side < 0 ? 0 : side * (side + 1) / 2;
    }

    __device__ __forceinline__ int64 cells() const {
        return static_cast<int64>(m) * n - triangle(m + lowest - 1LL) - triangle(n - highest - 1LL);
    }
};

// The steps back from the cells of a table, in the slot of a pair: for each stripe, each step of the stripe and each
// lane, two bits for each row of the lane. If few lanes solve the pair, the cells that cross from stripe to stripe are
// stored before the steps.
struct Trace {
    int32 lanes;
    int32 rows;
    int64 stripe_bytes;
    uint8* begin;

    __device__ __forceinline__ Trace(const SeriesPair& pair, uint8* slot, int32 its_lanes, int32 its_rows) :
        lanes(its_lanes), rows(its_rows) {
        int64 width = pair.width(lanes * rows);
        stripe_bytes = (width + lanes - 1) * lanes * (rows / 4);
        bool crosses = lanes == FEW_LANES && pair.stripes(lanes * rows) > 1;
        begin = slot + (crosses ? 2 * static_cast<int64>(sizeof(double)) * width : 0);
    }

    __device__ __forceinline__ uint8* at(int32 stripe, int32 step, int32 lane) const {
        return begin + stripe * stripe_bytes + (static_cast<int64>(step) * lanes + lane) * (rows / 4);
    }
};
