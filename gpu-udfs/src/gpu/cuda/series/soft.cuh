// The cell rule for dev.bellman.series.SoftDtw. Its cells may be negative, and the sum of infinities of opposite signs
// is NaN.
#pragma once

#include "common/strict_math.cuh"
#include "series/rules.cuh"

// Works like Java's Math.min, except for zeros of different signs, which do not occur.
__device__ __forceinline__ double least_or_nan(double x, double y) {
    return x < y || x != x ? x : y;
}

// Returns exp(x) for x <= 0, bit-for-bit the same as strict_exp_of_negative, but almost without branches, so that two
// calls can overlap. x must not be infinite.
__device__ __forceinline__ double overlapping_exp(double x) {
    constexpr double LEAST = -7.45133219101941108420e+02;
    // 1.5 * 2^52: in a sum with this number, the last bit has the value 1
    constexpr double ROUNDS = 6755399441055744.0;
    constexpr int32 LEAST_NORMAL = -1021;
    constexpr int32 SCALE = 1000;
    constexpr double TWO_TO_MINUS_SCALE = 9.33263618503218878990e-302;

    uint32 upper = static_cast<uint32>(__double2hiint(x)) & 0x7fffffff;
    bool is_reduced = upper > 0x3fd62e42;  // more than ln(2) / 2
    // this number is negative, so rounding it up truncates it
    double rounded = __dadd_ru(__dsub_rn(__dmul_rn(LOG_2_OF_E, x), 0.5), ROUNDS);
    int32 k = is_reduced ? __double2loint(rounded) : 0;
    double of_k = is_reduced ? __dsub_rn(rounded, ROUNDS) : 0;
    // this product is exact
    double high = __fma_rn(-of_k, LN_2_HIGH, x);
    double low = __dmul_rn(of_k, LN_2_LOW);
    // the formula for k = 0 is the same, except for signs that cancel
    double twice = strict_exp_of_reduced(__dsub_rn(high, low), high, low, 1);
    double result = __hiloint2double(__double2hiint(twice) + (k - 1) * (1 << 20), __double2loint(twice));
    if (k < LEAST_NORMAL) {
        int32 upper_of_scaled = __double2hiint(twice) + (k - 1 + SCALE) * (1 << 20);
        result = __dmul_rn(__hiloint2double(upper_of_scaled, __double2loint(twice)), TWO_TO_MINUS_SCALE);
        result = x < LEAST ? 0 : result;
    }
    return upper < 0x3e300000 ? __dadd_rn(1, x) : result;  // less than 2^-28
}

// Returns the rounded quotient, if neither it nor its rounding error leaves the range of normal numbers: two
// corrections of a product with the rounded inverse (Markstein, 1990).
__device__ __forceinline__ double divided_by(double x, double y, double inverse) {
    double quotient = __dmul_rn(x, inverse);
    quotient = __fma_rn(__fma_rn(-quotient, y, x), inverse, quotient);
    return __fma_rn(__fma_rn(-quotient, y, x), inverse, quotient);
}

// Returns the soft minimum of three cells. The function is not inlined for each row, because its code is long.
//
// - inverse: 1 / gamma, or 0 if gamma is so large or so small that 1 / gamma cannot be used
__device__ __noinline__ double soft_minimum(double before, double above, double left, double gamma, double inverse) {
    // below this value, the exponentials do not change a sum of at least 1
    constexpr double VANISHES = -38;

    double least = least_or_nan(least_or_nan(before, above), left);
    if (!(fabs(least) < infinite())) {
        return least;
    }
    // exp(0) = 1 is known
    bool is_before = before == least;
    bool is_left = !is_before && above != least;
    double one = __dsub_rn(least, is_before ? above : before);
    double other = __dsub_rn(least, is_left ? above : left);
    double vanishing = __dmul_rn(VANISHES, gamma);
    if (one < vanishing && other < vanishing) {
        return least;
    }
    double of_one;
    double of_other;
    if (inverse != 0) {
        double zero = __dmul_rn(-800, gamma);  // the result for -800 is already 0
        of_one = overlapping_exp(divided_by(one < zero ? zero : one, gamma, inverse));
        of_other = overlapping_exp(divided_by(other < zero ? zero : other, gamma, inverse));
    } else {
        of_one = strict_exp_of_negative(__ddiv_rn(one, gamma));
        of_other = strict_exp_of_negative(__ddiv_rn(other, gamma));
    }
    // adds in the order before, above, left
    double sum = is_left ? __dadd_rn(__dadd_rn(of_one, of_other), 1) : __dadd_rn(__dadd_rn(1, of_one), of_other);
    return __dsub_rn(least, __dmul_rn(gamma, strict_log_of_small(sum)));
}

struct Soft {
    using Number = double;
    static constexpr bool LARGE_CELLS = true;

    template <int ROWS>
    struct Rule : Closed<> {
        double gamma;
        double inverse;

        template <class P>
        __device__ __forceinline__ void begin(const P&, const SeriesPair& pair) {
            // ensures that the rounding errors of divisions are normal numbers; smaller quotients do not change 1
            constexpr double MAX = 1e150;

            gamma = pair.parameter;
            inverse = gamma > 1 / MAX && gamma < MAX ? __ddiv_rn(1, gamma) : 0;
        }

        template <class P>
        __device__ __forceinline__ double cell(
                const P& points, int32 r, double before, double above, double left) const {
            return __dadd_rn(sum_of_squares(points, r, 0.0), soft_minimum(before, above, left, gamma, inverse));
        }

        static __device__ __forceinline__ void put(
                const SeriesAnswers& to, const SeriesCalls&, int32 row, double last) {
            to.distances[row] = last;
        }
    };
};
