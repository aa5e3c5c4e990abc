// The cost of a line through a segment, which is bit-for-bit that of dev.bellman.segment.LineCost, in single operations
// that the compiler must not fuse.
#pragma once

#include "segment/costs.cuh"

// The sums of a prefix of a series, of its squares, and of its values times their positions: pairs of a sum and its
// rounding error.
struct alignas(16) LinePrefix {
    double sum;
    double sum_low;
    double squares;
    double squares_low;
    double moment;
    double moment_low;
};

// The prefixes of a series, by their lengths.
struct LinePrefixes {
    const LinePrefix* sums;
    int32 count;
    double floor;         // smaller costs become 0
    double moment_floor;  // smaller covariances become 0
};

struct Line {
    double value;
    double slope;
};

namespace {

__device__ __forceinline__ SegmentSum sum_between(const LinePrefix& begin, const LinePrefix& end) {
    return SegmentSum(begin.sum, begin.sum_low, end.sum, end.sum_low);
}

// Returns the covariance of positions and values, multiplied by the count, as a pair.
__device__ __forceinline__ SegmentSum covariance(
        const LinePrefix& begin, const LinePrefix& end, const SegmentSum& sum, int32 from, int32 to, double floor) {
    double middle = (static_cast<double>(from) + to - 1) / 2;
    double product = __dmul_rn(middle, sum.sum);
    double product_low = __dadd_rn(__fma_rn(middle, sum.sum, -product), __dmul_rn(middle, sum.low));
    SegmentSum moment(begin.moment, begin.moment_low, end.moment, end.moment_low);
    double difference = __dsub_rn(moment.sum, product);
    double rest =
        __dadd_rn(lost(moment.sum, -product, difference), __dsub_rn(moment.low, product_low));
    SegmentSum result = moment;
    result.sum = __dadd_rn(difference, rest);
    result.low = lost(difference, rest, result.sum);
    if (fabs(result.sum) < floor) {
        result.sum = 0;
        result.low = 0;
    }
    return result;
}

// Returns the sum of the squared distances of the positions from their middle, times 12.
__device__ __forceinline__ double spread(double count) {
    return __dmul_rn(count, __dsub_rn(__dmul_rn(count, count), 1));
}

// Returns the quotient of a pair and a number, as a pair that is not normalized.
__device__ __forceinline__ void divide(double& high, double& low, double divisor) {
    double quotient = __ddiv_rn(high, divisor);
    low = __ddiv_rn(__dadd_rn(__fma_rn(-quotient, divisor, high), low), divisor);
    high = quotient;
}

}  // namespace

struct LineCost {
    using Sums = LinePrefixes;
    static constexpr bool IS_SCREENED = false;
    static constexpr bool MAY_BE_NEGATIVE = false;
    static constexpr int32 ENDS = 1;

    __device__ static __forceinline__ double slack(const LinePrefixes& prefixes, double penalty) {
        return 0x1p-46 * (prefixes.sums[prefixes.count].squares + penalty) + LEAST_NORMAL;
    }

    __device__ static __forceinline__ double of(const LinePrefixes& prefixes, int32 from, int32 to) {
        if (to - from < 3) {
            return 0;
        }
        LinePrefix begin = prefixes.sums[from];
        LinePrefix end = prefixes.sums[to];
        double count = to - from;
        SegmentSum sum = sum_between(begin, end);
        double mean = __dmul_rn(sum.sum, sum.sum);
        double mean_low =
            __dadd_rn(__fma_rn(sum.sum, sum.sum, -mean), __dmul_rn(__dmul_rn(2, sum.sum), sum.low));
        divide(mean, mean_low, count);
        SegmentSum covaried = covariance(begin, end, sum, from, to, prefixes.moment_floor);
        double product = __dmul_rn(covaried.sum, covaried.sum);
        double product_low = __dadd_rn(__fma_rn(covaried.sum, covaried.sum, -product),
            __dmul_rn(__dmul_rn(2, covaried.sum), covaried.low));
        double slope = __dmul_rn(12, product);
        double slope_low = __dadd_rn(__fma_rn(12, product, -slope), __dmul_rn(12, product_low));
        divide(slope, slope_low, spread(count));
        SegmentSum all(begin.squares, begin.squares_low, end.squares, end.squares_low);
        double around = __dsub_rn(all.sum, mean);
        double around_low = __dadd_rn(lost(all.sum, -mean, around), __dsub_rn(all.low, mean_low));
        double rest = __dsub_rn(around, slope);
        double cost =
            __dadd_rn(rest, __dadd_rn(lost(around, -slope, rest), __dsub_rn(around_low, slope_low)));
        return cost < prefixes.floor ? 0 : cost;
    }

    // Returns the line through a segment.
    __device__ static __forceinline__ Line line(const LinePrefixes& prefixes, int32 from, int32 to) {
        LinePrefix begin = prefixes.sums[from];
        LinePrefix end = prefixes.sums[to];
        double count = to - from;
        SegmentSum sum = sum_between(begin, end);
        double covaried = covariance(begin, end, sum, from, to, prefixes.moment_floor).sum;
        double slope = count < 2 ? 0 : __ddiv_rn(__dmul_rn(12, covaried), spread(count));
        return {__fma_rn(slope, __dmul_rn(__dsub_rn(1, count), 0.5), __ddiv_rn(sum.sum, count)), slope};
    }
};
