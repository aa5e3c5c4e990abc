// Defines the rules that compute cells: dev.bellman.series.CellRule. Each operation is rounded once, in the order that
// the rule defines. Plain comparisons suffice to find minima, because no cell of the rules in this file is NaN or
// negative zero.
//
// A rule defines the type of its cells, the value of cells that no path reaches (none) and, among others:
//
//     side(above, r)                     only if OPEN: the cell in column 0 of this lane's row r, computed from the
//                                        cell above; without OPEN, these cells are none
//     top(left, column)                  the cell in row 0, computed from the cell to the left
//     cell(points, r, before, above, left)
//                                        the cell in this lane's row r, computed from its neighbours
#pragma once

#include "series/pairs.cuh"

template <typename Number = double>
__device__ __forceinline__ Number infinite() {
    return static_cast<Number>(__longlong_as_double(0x7ff0000000000000LL));
}

template <typename Number>
__device__ __forceinline__ Number lesser(Number x, Number y) {
    return x < y ? x : y;
}

__device__ __forceinline__ double least_of(double before, double left, double above) {
    // the cell above is compared last, because the other neighbours are known earlier
    return lesser(lesser(before, left), above);
}

// Floats that are neither negative nor NaN sort like the integers with the same bits, and one instruction finds the
// minimum of three integers.
__device__ __forceinline__ float least_of(float before, float left, float above) {
    return __int_as_float(__vimin3_s32(__float_as_int(before), __float_as_int(left), __float_as_int(above)));
}

__device__ __forceinline__ double minus(double x, double y) {
    return __dsub_rn(x, y);
}

__device__ __forceinline__ float minus(float x, float y) {
    return __fsub_rn(x, y);
}

__device__ __forceinline__ double plus_square(double sum, double d) {
    return __fma_rn(d, d, sum);
}

__device__ __forceinline__ float plus_square(float sum, float d) {
    return __fmaf_rn(d, d, sum);
}

__device__ __forceinline__ double plus_absolute(double sum, double d) {
    return __dadd_rn(sum, fabs(d));
}

__device__ __forceinline__ float plus_absolute(float sum, float d) {
    return __fadd_rn(sum, fabsf(d));
}

// The points for a lane's rows, and the point for a column.
template <typename Number, int DIMENSIONS, int ROWS>
struct Points {
    Number rows[DIMENSIONS][ROWS];
    Number column[DIMENSIONS];
    Number next[DIMENSIONS];

    __device__ __forceinline__ constexpr int32 dimensions() const {
        return DIMENSIONS;
    }

    __device__ __forceinline__ void read_rows(const SeriesPair& pair, int32 base) {
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
#pragma unroll
            for (int k = 0; k < DIMENSIONS; k++) {
                rows[k][r] = base + r < pair.m ? pair.a_of<Number>()[static_cast<int64>(base + r) * DIMENSIONS + k] : 0;
            }
        }
    }

    // Does nothing: cells without points are computed but not used.
    __device__ __forceinline__ void stop() {}

    // Loads the point for column j + 1, which will be used in the next step.
    __device__ __forceinline__ void prefetch(const SeriesPair& pair, int32 j) {
        if (static_cast<uint32>(j) < static_cast<uint32>(pair.n)) {
#pragma unroll
            for (int k = 0; k < DIMENSIONS; k++) {
                next[k] = pair.b_of<Number>()[static_cast<int64>(j) * DIMENSIONS + k];
            }
        }
    }

    __device__ __forceinline__ void take_column(const SeriesPair& pair, int32 j) {
#pragma unroll
        for (int k = 0; k < DIMENSIONS; k++) {
            column[k] = next[k];
        }
    }

    __device__ __forceinline__ Number of_row(int32 k, int32 r) const {
        return rows[k][r];
    }

    __device__ __forceinline__ Number of_column(int32 k) const {
        return column[k];
    }

    __device__ __forceinline__ Number difference(int32 k, int32 r) const {
        return minus(rows[k][r], column[k]);
    }
};

// Points of any size, which stay in memory.
template <int ROWS>
struct Points<double, MANY, ROWS> {
    const double* rows;
    const double* column;
    int32 size;
    int32 last;

    __device__ __forceinline__ int32 dimensions() const {
        return size;
    }

    __device__ __forceinline__ void read_rows(const SeriesPair& pair, int32 base) {
        size = pair.dimensions;
        last = max(0, pair.m - 1 - base);
        rows = pair.a_of<double>() + static_cast<int64>(min(base, max(0, pair.m - 1))) * size;
    }

    __device__ __forceinline__ void stop() {
        size = 0;
    }

    __device__ __forceinline__ void prefetch(const SeriesPair& pair, int32 j) {}

    __device__ __forceinline__ void take_column(const SeriesPair& pair, int32 j) {
        column = pair.b_of<double>() + static_cast<int64>(j - 1) * size;
    }

    __device__ __forceinline__ double of_row(int32 k, int32 r) const {
        return rows[static_cast<int64>(min(r, last)) * size + k];
    }

    __device__ __forceinline__ double of_column(int32 k) const {
        return column[k];
    }

    __device__ __forceinline__ double difference(int32 k, int32 r) const {
        return minus(of_row(k, r), of_column(k));
    }
};

template <class P, typename Number>
__device__ __forceinline__ Number sum_of_squares(const P& points, int32 r, Number sum) {
#pragma unroll
    for (int k = 0; k < points.dimensions(); k++) {
        sum = plus_square(sum, points.difference(k, r));
    }
    return sum;
}

template <class P, typename Number>
__device__ __forceinline__ Number sum_of_differences(const P& points, int32 r, Number sum) {
#pragma unroll
    for (int k = 0; k < points.dimensions(); k++) {
        sum = plus_absolute(sum, points.difference(k, r));
    }
    return sum;
}

template <class P>
__device__ __forceinline__ bool matches(const P& points, int32 r, double tolerance) {
    bool all = true;
#pragma unroll
    for (int k = 0; k < points.dimensions(); k++) {
        all = all && fabs(points.difference(k, r)) <= tolerance;
    }
    return all;
}

// The code shared by rules that store no steps.
struct Untraced {
    static constexpr bool TRACES = false;
};

// The code shared by rules without gaps, whose tables have a closed border.
template <typename Number = double>
struct Closed : Untraced {
    using Cell = Number;
    static constexpr bool OPEN = false;
    static constexpr bool SEARCHES = false;

    static __device__ __forceinline__ Number none() {
        return infinite<Number>();
    }

    static __device__ __forceinline__ Number corner() {
        return 0;
    }

    template <class P>
    __device__ __forceinline__ void begin(const P&, const SeriesPair&) {}

    template <class P>
    __device__ __forceinline__ void column(const P&, const SeriesPair&) {}

    __device__ __forceinline__ Number top(Number, int32) const {
        return infinite<Number>();
    }
};

template <int POWER, class P, typename Number>
__device__ __forceinline__ Number warped(const P& points, int32 r, Number least) {
    return POWER == 2 ? sum_of_squares(points, r, least) : sum_of_differences(points, r, least);
}

template <int POWER>
__device__ __forceinline__ double distance(double sum) {
    return POWER == 2 ? __dsqrt_rn(sum) : sum;
}

// Writes the result, given the last cell.
template <int POWER>
__device__ __forceinline__ void put_warped(
        const SeriesAnswers& to, const SeriesCalls& calls, int32 row, double last) {
    double found = distance<POWER>(last);
    to.distances[row] = calls.most != nullptr && found > calls.most[row] ? infinite() : found;
}

template <int POWER, typename Of = double>
struct Warping {
    using Number = Of;
    static constexpr bool LARGE_CELLS = false;

    template <int ROWS>
    struct Rule : Closed<Number> {
        template <class P>
        __device__ __forceinline__ Number cell(
                const P& points, int32 r, Number before, Number above, Number left) const {
            return warped<POWER>(points, r, least_of(before, left, above));
        }

        static __device__ __forceinline__ void put(
                const SeriesAnswers& to, const SeriesCalls& calls, int32 row, double last) {
            put_warped<POWER>(to, calls, row, last);
        }
    };
};

struct Frechet {
    using Number = double;
    static constexpr bool LARGE_CELLS = false;

    template <int ROWS>
    struct Rule : Closed<> {
        template <class P>
        __device__ __forceinline__ double cell(
                const P& points, int32 r, double before, double above, double left) const {
            double sum = sum_of_squares(points, r, 0.0);
            double least = least_of(before, left, above);
            return sum > least ? sum : least;
        }

        static __device__ __forceinline__ void put(
                const SeriesAnswers& to, const SeriesCalls&, int32 row, double last) {
            to.distances[row] = __dsqrt_rn(last);
        }
    };
};

struct Erp {
    using Number = double;
    static constexpr bool LARGE_CELLS = true;

    template <int ROWS>
    struct Rule : Untraced {
        using Cell = double;
        static constexpr bool OPEN = true;
        static constexpr bool SEARCHES = false;

        double row_gaps[ROWS];
        double column_gap;

        static __device__ __forceinline__ double none() {
            return infinite();
        }

        static __device__ __forceinline__ double corner() {
            return 0;
        }

        template <class P>
        __device__ __forceinline__ void begin(const P& points, const SeriesPair& pair) {
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                row_gaps[r] = 0;
#pragma unroll
                for (int k = 0; k < points.dimensions(); k++) {
                    row_gaps[r] = __dadd_rn(row_gaps[r], fabs(__dsub_rn(points.of_row(k, r), pair.parameter)));
                }
            }
        }

        template <class P>
        __device__ __forceinline__ void column(const P& points, const SeriesPair& pair) {
            column_gap = 0;
#pragma unroll
            for (int k = 0; k < points.dimensions(); k++) {
                column_gap = __dadd_rn(column_gap, fabs(__dsub_rn(points.of_column(k), pair.parameter)));
            }
        }

        __device__ __forceinline__ double side(double above, int32 r) const {
            return __dadd_rn(above, row_gaps[r]);
        }

        __device__ __forceinline__ double top(double left, int32) const {
            return __dadd_rn(left, column_gap);
        }

        template <class P>
        __device__ __forceinline__ double cell(
                const P& points, int32 r, double before, double above, double left) const {
            double both = __dadd_rn(before, sum_of_differences(points, r, 0.0));
            return lesser(lesser(both, __dadd_rn(left, column_gap)), __dadd_rn(above, row_gaps[r]));
        }

        static __device__ __forceinline__ void put(
                const SeriesAnswers& to, const SeriesCalls&, int32 row, double last) {
            to.distances[row] = last;
        }
    };
};

// Rules whose cells are counts. Each cell in the band is reached by the path along its diagonal, so a cell computed
// from none() may differ slightly from none() without affecting any cell in the band.
struct Counting : Untraced {
    using Cell = int32;
    static constexpr bool OPEN = true;
    static constexpr bool SEARCHES = false;

    double tolerance;

    static __device__ __forceinline__ int32 none() {
        return 0x3fffffff;
    }

    static __device__ __forceinline__ int32 corner() {
        return 0;
    }

    template <class P>
    __device__ __forceinline__ void begin(const P&, const SeriesPair& pair) {
        tolerance = pair.parameter;
    }

    template <class P>
    __device__ __forceinline__ void column(const P&, const SeriesPair&) {}
};

struct Edr {
    using Number = double;
    static constexpr bool LARGE_CELLS = false;

    template <int ROWS>
    struct Rule : Counting {
        __device__ __forceinline__ int32 side(int32 above, int32) const {
            return above + 1;
        }

        __device__ __forceinline__ int32 top(int32 left, int32) const {
            return left + 1;
        }

        template <class P>
        __device__ __forceinline__ int32 cell(
                const P& points, int32 r, int32 before, int32 above, int32 left) const {
            int32 both = before + (matches(points, r, tolerance) ? 0 : 1);
            return min(min(both, left + 1), above + 1);
        }

        static __device__ __forceinline__ void put(const SeriesAnswers& to, const SeriesCalls&, int32 row, int32 last) {
            to.counts[row] = last;
        }
    };
};

struct Lcss {
    using Number = double;
    static constexpr bool LARGE_CELLS = false;

    template <int ROWS>
    struct Rule : Counting {
        __device__ __forceinline__ int32 side(int32 above, int32) const {
            return above;
        }

        __device__ __forceinline__ int32 top(int32 left, int32) const {
            return left;
        }

        template <class P>
        __device__ __forceinline__ int32 cell(
                const P& points, int32 r, int32 before, int32 above, int32 left) const {
            int32 both = before - (matches(points, r, tolerance) ? 1 : 0);
            return min(min(both, left), above);
        }

        static __device__ __forceinline__ void put(const SeriesAnswers& to, const SeriesCalls&, int32 row, int32 last) {
            to.counts[row] = -last;
        }
    };
};

// A cell's value, together with the column in which the cell's path begins.
struct Way {
    double value;
    int32 begin;
};

// All cells of the row above the first one are 0. A path leaves this row along a diagonal, so the row's cell in column
// j stores j + 1 as the path's beginning.
template <int POWER>
struct Search {
    using Number = double;
    static constexpr bool LARGE_CELLS = true;

    template <int ROWS>
    struct Rule : Untraced {
        using Cell = Way;
        static constexpr bool OPEN = false;
        static constexpr bool SEARCHES = true;

        static __device__ __forceinline__ Way none() {
            return {infinite(), 0};
        }

        static __device__ __forceinline__ Way corner() {
            return {0, 1};
        }

        template <class P>
        __device__ __forceinline__ void begin(const P&, const SeriesPair&) {}

        template <class P>
        __device__ __forceinline__ void column(const P&, const SeriesPair&) {}

        __device__ __forceinline__ Way top(Way, int32 column) const {
            return {0, column + 1};
        }

        // In case of ties, the diagonal neighbour wins, then the cell above.
        template <class P>
        __device__ __forceinline__ Way cell(
                const P& points, int32 r, Way before, Way above, Way left) const {
            bool is_above = above.value < before.value;
            double least = is_above ? above.value : before.value;
            int32 begin = is_above ? above.begin : before.begin;
            bool is_left = left.value < least;
            least = is_left ? left.value : least;
            begin = is_left ? left.begin : begin;
            return {warped<POWER>(points, r, least), begin};
        }

        static __device__ __forceinline__ void put(const SeriesAnswers& to, int32 row, Way least, int32 end) {
            double found = distance<POWER>(least.value);
            if (!(found < infinite())) {
                to.rows_of.reject(row);
            }
            to.distances[row] = found;
            to.begins[row] = least.begin - 1;
            to.ends[row] = end;
        }
    };
};
