// The costs of segments, which are bit-for-bit those of dev.bellman.segment.SegmentCost, in single operations that the
// compiler must not fuse.
#pragma once

#include "common/strict_math.cuh"

constexpr double INFINITE = 1e308;
constexpr double LEAST_NORMAL = 2.2250738585072014e-308;

// The sums of a prefix of a series and of its squares: pairs of a sum and its rounding error.
struct alignas(16) Prefix {
    double sum;
    double sum_low;
    double squares;
    double squares_low;
};

// The prefixes of a series, by their lengths, and the reciprocals of the lengths.
struct Prefixes {
    const Prefix* sums;
    const double* inverses;
    int32 count;

    __device__ __forceinline__ const Prefix& all() const {
        return sums[count];
    }
};

// The prefixes of a series of points: the prefixes of each dimension, at a distance of `stride`.
struct PointPrefixes {
    const Prefix* sums;
    const double* inverses;
    int32 count;
    int32 stride;
    int32 dimensions;

    __device__ __forceinline__ Prefixes dimension(int32 k) const {
        return {sums + static_cast<int64>(k) * stride, inverses, count};
    }
};

namespace {

// Returns the exact rounding error of a sum `a + b`.
__device__ __forceinline__ double lost(double a, double b, double sum) {
    double second = __dsub_rn(sum, a);
    return __dadd_rn(__dsub_rn(a, __dsub_rn(sum, second)), __dsub_rn(b, second));
}

// Adds a value and its rounding error to a pair.
__device__ __forceinline__ void append(double& high, double& low, double value, double rest) {
    double sum = __dadd_rn(high, value);
    double error = __dadd_rn(lost(high, value, sum), __dadd_rn(low, rest));
    high = __dadd_rn(sum, error);
    low = __dsub_rn(error, __dsub_rn(high, sum));
}

// The sum of the values of a segment, as a pair.
struct SegmentSum {
    double sum;
    double low;

    __device__ __forceinline__ SegmentSum(const Prefix& begin, const Prefix& end)
        : SegmentSum(begin.sum, begin.sum_low, end.sum, end.sum_low) {}

    // Subtracts the sums of two prefixes, which are pairs.
    __device__ __forceinline__ SegmentSum(double begin, double begin_low, double end, double end_low) {
        double near = __dsub_rn(end, begin);
        double rest = __dadd_rn(lost(end, -begin, near), __dsub_rn(end_low, begin_low));
        sum = __dadd_rn(near, rest);
        low = lost(near, rest, sum);
    }
};

// Returns the sum of squared deviations from the mean of the values between two prefixes, as Pairs.deviation does.
//
// - inverse: the reciprocal of the number of values
// - floor: smaller results become 0
__device__ __forceinline__ double deviation(
        Prefix begin, Prefix end, double values, double inverse, double floor) {
    SegmentSum segment(begin, end);
    double squares = __dsub_rn(end.squares, begin.squares);
    double squares_low =
        __dadd_rn(lost(end.squares, -begin.squares, squares), __dsub_rn(end.squares_low, begin.squares_low));
    double product = __dmul_rn(segment.sum, segment.sum);
    double product_low = __dadd_rn(
        __fma_rn(segment.sum, segment.sum, -product), __dmul_rn(__dmul_rn(2, segment.sum), segment.low));
    double part = __dmul_rn(product, inverse);
    double part_low = __dmul_rn(__dadd_rn(__fma_rn(-part, values, product), product_low), inverse);
    double difference = __dsub_rn(squares, part);
    double result = __dadd_rn(
        difference, __dadd_rn(lost(squares, -part, difference), __dsub_rn(squares_low, part_low)));
    return result < floor ? 0 : result;
}

constexpr double FLOOR = 0x1p-88;

__device__ __forceinline__ double deviation(const Prefixes& prefixes, int32 from, int32 to) {
    return deviation(prefixes.sums[from], prefixes.sums[to], to - from, prefixes.inverses[to - from],
        __dmul_rn(FLOOR, prefixes.all().squares));
}

}  // namespace

// The cost `l2`. Approximate costs exclude most candidates. For up to 2^16 values, the errors of these costs are less
// than the slack. Let t be the sum of the squares of all n values. The difference of two sums has an error of at most
// 2^-51 sqrt(n t), and the difference divided by the length of the segment is at most sqrt(t). The rounding errors of
// the other terms, which are at most t and the penalty, are smaller.
struct SquaresCost {
    using Sums = Prefixes;
    using SumsOfPoints = PointPrefixes;
    static constexpr bool IS_SCREENED = true;
    static constexpr bool MAY_BE_NEGATIVE = false;
    static constexpr bool IS_OF_POINTS = false;
    static constexpr int32 ENDS = 4;

    // Returns an upper bound on a sum of costs, like dev.bellman.segment.SegmentCost.largest.
    __device__ static __forceinline__ double largest(const Prefixes& prefixes) {
        return prefixes.all().squares;
    }

    __device__ static __forceinline__ double slack(const Prefixes& prefixes, double penalty) {
        return 0x1p-40 * (largest(prefixes) + penalty) + LEAST_NORMAL;
    }

    __device__ static __forceinline__ double of(const Prefixes& prefixes, int32 from, int32 to) {
        return deviation(prefixes, from, to);
    }
};

// The cost `normal`.
struct NormalCost {
    using Sums = Prefixes;
    using SumsOfPoints = PointPrefixes;
    static constexpr bool IS_SCREENED = false;
    static constexpr bool MAY_BE_NEGATIVE = true;
    static constexpr bool IS_OF_POINTS = false;
    static constexpr int32 ENDS = 1;
    static constexpr double SMALL = 1e-6;

    __device__ static __forceinline__ double largest(const Prefixes& prefixes) {
        double all = prefixes.all().squares;
        double log = fmax(-strict_log(SMALL), strict_log(all + 1));
        return prefixes.count * (2 + log) + all * 0x1p-30;
    }

    __device__ static __forceinline__ double slack(const Prefixes& prefixes, double penalty) {
        return 0x1p-46 * (largest(prefixes) + penalty) + LEAST_NORMAL;
    }

    __device__ static __forceinline__ double of(const Prefixes& prefixes, int32 from, int32 to) {
        double count = to - from;
        double variance = __ddiv_rn(deviation(prefixes, from, to), count);
        return __dmul_rn(count, strict_log_of_normal(__dadd_rn(variance, SMALL), 0));
    }
};

// The cost `poisson`.
struct PoissonCost {
    using Sums = Prefixes;
    using SumsOfPoints = PointPrefixes;
    static constexpr bool IS_SCREENED = false;
    static constexpr bool MAY_BE_NEGATIVE = true;
    static constexpr bool IS_OF_POINTS = false;
    static constexpr int32 ENDS = 1;

    __device__ static __forceinline__ double largest(const Prefixes& prefixes) {
        double all = prefixes.all().sum;
        double logs = strict_log(prefixes.count) + strict_log(all + 1);
        return 2 * (all * logs + prefixes.count);
    }

    __device__ static __forceinline__ double slack(const Prefixes& prefixes, double penalty) {
        return 0x1p-46 * (largest(prefixes) + penalty) + LEAST_NORMAL;
    }

    __device__ static __forceinline__ double of(const Prefixes& prefixes, int32 from, int32 to) {
        constexpr double SMALLEST = 1e-290;
        Prefix begin = prefixes.sums[from];
        Prefix end = prefixes.sums[to];
        double near = __dsub_rn(end.sum, begin.sum);
        double near_low = __dadd_rn(lost(end.sum, -begin.sum, near), __dsub_rn(end.sum_low, begin.sum_low));
        double sum = __dadd_rn(near, near_low);
        return sum > SMALLEST
            ? __dmul_rn(__dmul_rn(2, sum), strict_log_of_normal(__ddiv_rn(to - from, sum), 0))
            : 0;
    }
};

// The cost of segments of points: the sum of the costs in each dimension, added from the first dimension.
template <typename Cost>
struct PointCost {
    using Sums = typename Cost::SumsOfPoints;
    static constexpr bool IS_SCREENED = false;
    static constexpr bool MAY_BE_NEGATIVE = Cost::MAY_BE_NEGATIVE;
    static constexpr bool IS_OF_POINTS = true;
    static constexpr int32 ENDS = 1;

    // As in dev.bellman.segment.SumCost, the rounding errors of 16 additions count as much as the errors of the costs.
    __device__ static __forceinline__ double slack(const Sums& prefixes, double penalty) {
        double sum = 0;
        for (int32 k = 0; k < prefixes.dimensions; k++) {
            sum += Cost::largest(prefixes.dimension(k));
        }
        return 0x1p-46 * (sum * (1 + prefixes.dimensions / 16.0) + penalty) + LEAST_NORMAL;
    }

    __device__ static __forceinline__ double of(const Sums& prefixes, int32 from, int32 to) {
        double sum = Cost::of(prefixes.dimension(0), from, to);
        for (int32 k = 1; k < prefixes.dimensions; k++) {
            sum = __dadd_rn(sum, Cost::of(prefixes.dimension(k), from, to));
        }
        return sum;
    }
};
