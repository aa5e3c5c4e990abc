// Functions of Java's StrictMath, the same to the last bit: the algorithms of fdlibm, by single operations that the
// compiler must not fuse.
#pragma once

#include "common/columns.cuh"

// The exponential of a number that is 0 or below, as `e_exp.c` of Sun's fdlibm computes it: x = k ln 2 + r with |r| <=
// ln 2 / 2, and exp(r) by a polynomial that approximates r (exp(r) + 1) / (exp(r) - 1) in r * r.
__device__ __forceinline__ double strict_exp_of_negative(double x) {
    // below it, the result is less than half of the smallest number
    constexpr double LEAST = -7.45133219101941108420e+02;
    constexpr double LN_2_HIGH = 6.93147180369123816490e-01;
    constexpr double LN_2_LOW = 1.90821492927058770002e-10;
    constexpr double LOG_2_OF_E = 1.44269504088896338700e+00;
    constexpr double P1 = 1.66666666666666019037e-01;
    constexpr double P2 = -2.77777777770155933842e-03;
    constexpr double P3 = 6.61375632143793436117e-05;
    constexpr double P4 = -1.65339022054652515390e-06;
    constexpr double P5 = 4.13813679705723846039e-08;
    constexpr int32 LEAST_NORMAL = -1021;
    constexpr int32 SCALE = 1000;
    constexpr double TWO_TO_MINUS_SCALE = 9.33263618503218878990e-302;

    if (x < LEAST) {
        return 0;
    }
    uint32 upper = static_cast<uint32>(__double_as_longlong(x) >> 32) & 0x7fffffff;
    double high = 0;
    double low = 0;
    int32 k = 0;
    if (upper > 0x3fd62e42) {  // more than ln 2 / 2
        if (upper < 0x3ff0a2b2) {  // less than 1.5 ln 2
            k = -1;
            high = __dadd_rn(x, LN_2_HIGH);
            low = -LN_2_LOW;
        } else {
            k = static_cast<int32>(__dsub_rn(__dmul_rn(LOG_2_OF_E, x), 0.5));
            high = __dsub_rn(x, __dmul_rn(k, LN_2_HIGH));
            low = __dmul_rn(k, LN_2_LOW);
        }
        x = __dsub_rn(high, low);
    } else if (upper < 0x3e300000) {  // less than 2^-28
        return __dadd_rn(1, x);
    }
    double square = __dmul_rn(x, x);
    double sum = __dadd_rn(P4, __dmul_rn(square, P5));
    sum = __dadd_rn(P3, __dmul_rn(square, sum));
    sum = __dadd_rn(P2, __dmul_rn(square, sum));
    sum = __dadd_rn(P1, __dmul_rn(square, sum));
    double c = __dsub_rn(x, __dmul_rn(square, sum));
    double product = __dmul_rn(x, c);
    if (k == 0) {
        return __dsub_rn(1, __dsub_rn(__ddiv_rn(product, __dsub_rn(c, 2)), x));
    }
    double y = __dsub_rn(1, __dsub_rn(__dsub_rn(low, __ddiv_rn(product, __dsub_rn(2, c))), high));
    if (k >= LEAST_NORMAL) {
        return __longlong_as_double(__double_as_longlong(y) + (static_cast<int64>(k) << 52));
    }
    return __dmul_rn(__longlong_as_double(__double_as_longlong(y) + (static_cast<int64>(k + SCALE) << 52)),
            TWO_TO_MINUS_SCALE);
}
