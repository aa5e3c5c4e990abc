// The rule of dev.bellman.series.SoftDtw. Its cells may be negative, and infinite numbers of both signs make one NaN.
#pragma once

#include "common/strict_math.cuh"
#include "series/rules.cuh"

// Like Java's Math.min, except for zeros of different signs, which do not occur.
__device__ __forceinline__ double least_or_nan(double x, double y) {
    return x < y || x != x ? x : y;
}

// One function for all rows, because it is long.
__device__ __noinline__ double soft_minimum(double before, double above, double left, double gamma) {
    double least = least_or_nan(least_or_nan(before, above), left);
    if (!(fabs(least) < infinite())) {
        return least;
    }
    double sum = strict_exp_of_negative(__ddiv_rn(__dsub_rn(least, before), gamma));
    sum = __dadd_rn(sum, strict_exp_of_negative(__ddiv_rn(__dsub_rn(least, above), gamma)));
    sum = __dadd_rn(sum, strict_exp_of_negative(__ddiv_rn(__dsub_rn(least, left), gamma)));
    return __dsub_rn(least, __dmul_rn(gamma, strict_log_of_small(sum)));
}

struct Soft {
    using Number = double;
    static constexpr bool LARGE_CELLS = true;

    template <int ROWS>
    struct Rule : Closed<> {
        double gamma;

        template <class P>
        __device__ __forceinline__ void begin(const P&, const SeriesPair& pair) {
            gamma = pair.parameter;
        }

        template <class P>
        __device__ __forceinline__ double cell(
                const P& points, int32 r, double before, double above, double left) const {
            return __dadd_rn(sum_of_squares(points, r, 0.0), soft_minimum(before, above, left, gamma));
        }

        static __device__ __forceinline__ void put(
                const SeriesAnswers& to, const SeriesCalls&, int32 row, double last) {
            to.distances[row] = last;
        }
    };
};
