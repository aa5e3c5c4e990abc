// Functions of Java's StrictMath that return bit-for-bit the same results. They use fdlibm's algorithms, in single
// operations that the compiler must not fuse.
#pragma once

#include "common/columns.cuh"

constexpr double LN_2_HIGH = 6.93147180369123816490e-01;
constexpr double LN_2_LOW = 1.90821492927058770002e-10;
constexpr double LOG_2_OF_E = 1.44269504088896338700e+00;

// Returns 2^k exp(r), for |r| <= ln 2 / 2: r = x for k = 0, and otherwise r = x = high - low.
__device__ __forceinline__ double strict_exp_of_reduced(double x, double high, double low, int32 k) {
    constexpr double P1 = 1.66666666666666019037e-01;
    constexpr double P2 = -2.77777777770155933842e-03;
    constexpr double P3 = 6.61375632143793436117e-05;
    constexpr double P4 = -1.65339022054652515390e-06;
    constexpr double P5 = 4.13813679705723846039e-08;
    constexpr int32 LEAST_NORMAL = -1021;
    constexpr int32 SCALE = 1000;
    constexpr double TWO_TO_MINUS_SCALE = 9.33263618503218878990e-302;

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

// Returns the exponential of a number that is at most 0, as in `e_exp.c` of Sun's fdlibm: x = k ln 2 + r with |r| <= ln
// 2 / 2, and exp(r) from a polynomial that approximates r (exp(r) + 1) / (exp(r) - 1) in r * r.
__device__ __forceinline__ double strict_exp_of_negative(double x) {
    // for lower arguments, the result is less than half of the smallest positive number
    constexpr double LEAST = -7.45133219101941108420e+02;

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
    return strict_exp_of_reduced(x, high, low, k);
}

// Returns the exponential of a number below 709.
__device__ __forceinline__ double strict_exp(double x) {
    if (x <= 0) {
        return strict_exp_of_negative(x);
    }
    uint32 upper = static_cast<uint32>(__double_as_longlong(x) >> 32);
    if (upper < 0x3e300000) {
        return __dadd_rn(1, x);
    }
    if (upper <= 0x3fd62e42) {
        return strict_exp_of_reduced(x, 0, 0, 0);
    }
    int32 k = upper < 0x3ff0a2b2 ? 1 : static_cast<int32>(__dadd_rn(__dmul_rn(LOG_2_OF_E, x), 0.5));
    double high = __dsub_rn(x, __dmul_rn(k, LN_2_HIGH));
    double low = __dmul_rn(k, LN_2_LOW);
    return strict_exp_of_reduced(__dsub_rn(high, low), high, low, k);
}

// Returns the natural logarithm of 2^k times a normal number above 0, as in `e_log.c` of Sun's fdlibm: x = 2^k (1 + f),
// and log(1 + f) from a polynomial in s = f / (2 + f).
__device__ __forceinline__ double strict_log_of_normal(double x, int32 k) {
    constexpr double LG1 = 6.666666666666735130e-01;
    constexpr double LG2 = 3.999999999940941908e-01;
    constexpr double LG3 = 2.857142874366239149e-01;
    constexpr double LG4 = 2.222219843214978396e-01;
    constexpr double LG5 = 1.818357216161805012e-01;
    constexpr double LG6 = 1.531383769920937332e-01;
    constexpr double LG7 = 1.479819860511658591e-01;

    int64 bits = __double_as_longlong(x);
    int32 upper = static_cast<int32>(bits >> 32);
    k += (upper >> 20) - 1023;
    upper &= 0xfffff;
    int32 halves = (upper + 0x95f64) & 0x100000;
    k += halves >> 20;
    x = __longlong_as_double((static_cast<int64>(upper | (halves ^ 0x3ff00000)) << 32) | (bits & 0xffffffffLL));
    double f = __dsub_rn(x, 1);
    double high = __dmul_rn(k, LN_2_HIGH);
    double low = __dmul_rn(k, LN_2_LOW);
    if ((0xfffff & (2 + upper)) < 3) {  // |f| is less than 2^-20
        if (f == 0) {
            return k == 0 ? 0 : __dadd_rn(high, low);
        }
        double rest = __dmul_rn(__dmul_rn(f, f), __dsub_rn(0.5, __dmul_rn(0.33333333333333333, f)));
        return k == 0 ? __dsub_rn(f, rest) : __dsub_rn(high, __dsub_rn(__dsub_rn(rest, low), f));
    }
    double s = __ddiv_rn(f, __dadd_rn(2, f));
    double z = __dmul_rn(s, s);
    double w = __dmul_rn(z, z);
    double even = __dmul_rn(w, __dadd_rn(LG2, __dmul_rn(w, __dadd_rn(LG4, __dmul_rn(w, LG6)))));
    double odd = __dadd_rn(LG3, __dmul_rn(w, __dadd_rn(LG5, __dmul_rn(w, LG7))));
    odd = __dmul_rn(z, __dadd_rn(LG1, __dmul_rn(w, odd)));
    double rest = __dadd_rn(odd, even);
    if (((upper - 0x6147a) | (0x6b851 - upper)) > 0) {
        double half = __dmul_rn(__dmul_rn(0.5, f), f);
        double product = __dmul_rn(s, __dadd_rn(half, rest));
        return k == 0 ? __dsub_rn(f, __dsub_rn(half, product))
                      : __dsub_rn(high, __dsub_rn(__dsub_rn(half, __dadd_rn(product, low)), f));
    }
    double product = __dmul_rn(s, __dsub_rn(f, rest));
    return k == 0 ? __dsub_rn(f, product) : __dsub_rn(high, __dsub_rn(__dsub_rn(product, low), f));
}

// Returns the natural logarithm of a number from 1 to 4.
__device__ __forceinline__ double strict_log_of_small(double x) {
    return strict_log_of_normal(x, 0);
}

// Returns the natural logarithm of a number that is at least 0.
__device__ __forceinline__ double strict_log(double x) {
    constexpr double LEAST_NORMAL = 2.2250738585072014e-308;
    constexpr double TWO_TO_54 = 18014398509481984.0;
    if (x == 0) {
        return __longlong_as_double(0xfff0000000000000LL);
    }
    bool is_normal = x >= LEAST_NORMAL;
    return strict_log_of_normal(is_normal ? x : __dmul_rn(x, TWO_TO_54), is_normal ? 0 : -54);
}

// Returns log(1 + x) for x from 2^-29 to 1, as in `s_log1p.c` of Sun's fdlibm: 1 + x = 2^k (1 + f), with a correction
// for the rounding of 1 + x.
__device__ __forceinline__ double strict_log_1_plus(double x) {
    constexpr double LP1 = 6.666666666666735130e-01;
    constexpr double LP2 = 3.999999999940941908e-01;
    constexpr double LP3 = 2.857142874366239149e-01;
    constexpr double LP4 = 2.222219843214978396e-01;
    constexpr double LP5 = 1.818357216161805012e-01;
    constexpr double LP6 = 1.531383769920937332e-01;
    constexpr double LP7 = 1.479819860511658591e-01;

    int32 k = 0;
    double f = x;
    double correction = 0;
    bool is_small = false;  // as in fdlibm: whether x is at least sqrt(2) - 1, and |f| is below about 2^-20
    if (static_cast<int32>(__double_as_longlong(x) >> 32) >= 0x3fda827a) {  // at least sqrt(2) - 1
        double u = __dadd_rn(1, x);
        int64 bits = __double_as_longlong(u);
        int32 upper = static_cast<int32>(bits >> 32);
        k = (upper >> 20) - 1023;
        correction = __ddiv_rn(k > 0 ? __dsub_rn(1, __dsub_rn(u, x)) : __dsub_rn(x, __dsub_rn(u, 1)), u);
        upper &= 0xfffff;
        bool is_low = upper < 0x6a09e;
        int32 scaled = upper | (is_low ? 0x3ff00000 : 0x3fe00000);
        k += is_low ? 0 : 1;
        is_small = (is_low ? upper : (0x100000 - upper) >> 2) == 0;
        f = __dsub_rn(__longlong_as_double(static_cast<int64>(scaled) << 32 | (bits & 0xffffffffLL)), 1);
    }
    double half = __dmul_rn(__dmul_rn(0.5, f), f);
    double high = __dmul_rn(k, LN_2_HIGH);
    double low = __dadd_rn(correction, __dmul_rn(k, LN_2_LOW));
    if (is_small) {
        if (f == 0) {
            return __dadd_rn(high, low);
        }
        double rest = __dmul_rn(half, __dsub_rn(1, __dmul_rn(0.66666666666666666, f)));
        return __dsub_rn(high, __dsub_rn(__dsub_rn(rest, low), f));
    }
    double s = __ddiv_rn(f, __dadd_rn(2, f));
    double z = __dmul_rn(s, s);
    double sum = __dadd_rn(LP6, __dmul_rn(z, LP7));
    sum = __dadd_rn(LP5, __dmul_rn(z, sum));
    sum = __dadd_rn(LP4, __dmul_rn(z, sum));
    sum = __dadd_rn(LP3, __dmul_rn(z, sum));
    sum = __dadd_rn(LP2, __dmul_rn(z, sum));
    sum = __dmul_rn(z, __dadd_rn(LP1, __dmul_rn(z, sum)));
    double product = __dmul_rn(s, __dadd_rn(half, sum));
    return k == 0 ? __dsub_rn(f, __dsub_rn(half, product))
                  : __dsub_rn(high, __dsub_rn(__dsub_rn(half, __dadd_rn(product, low)), f));
}

// Returns log(1 + x) for x from 0 to 1.
__device__ __forceinline__ double strict_log_1_plus_any(double x) {
    uint32 upper = static_cast<uint32>(__double_as_longlong(x) >> 32);
    if (upper < 0x3c900000) {  // less than 2^-54
        return x;
    }
    if (upper < 0x3e200000) {  // less than 2^-29
        return __dsub_rn(x, __dmul_rn(__dmul_rn(x, x), 0.5));
    }
    return strict_log_1_plus(x);
}
