// Integers of 128 bits, for exact sums of doubles in units of a power of two.
#pragma once

#include "common/columns.cuh"

struct alignas(16) Whole {
    uint64 low;
    int64 high;

    __device__ __forceinline__ Whole operator+(const Whole& other) const {
        uint64 sum = low + other.low;
        return {sum, high + other.high + (sum < low ? 1 : 0)};
    }

    __device__ __forceinline__ Whole operator-(const Whole& other) const {
        return {low - other.low, high - other.high - (low < other.low ? 1 : 0)};
    }

    __device__ __forceinline__ Whole operator*(int32 factor) const {
        uint64 wide = static_cast<uint64>(factor);
        return {low * wide, high * factor + static_cast<int64>(__umul64hi(low, wide))};
    }

    __device__ __forceinline__ bool operator<(const Whole& other) const {
        return high < other.high || (high == other.high && low < other.low);
    }
};

namespace {

constexpr int32 MANTISSA_BITS = 52;

// Returns the mantissa of a number with its leading bit.
__device__ __forceinline__ uint64 mantissa(double number) {
    constexpr uint64 LEADING = 1ULL << MANTISSA_BITS;
    uint64 bits = static_cast<uint64>(__double_as_longlong(number));
    uint64 fraction = bits & (LEADING - 1);
    return (bits >> MANTISSA_BITS & 0x7ff) == 0 ? fraction : fraction | LEADING;
}

// Returns the exponent of the last bit of a number's mantissa.
__device__ __forceinline__ int32 exponent(double number) {
    constexpr int32 LEAST = -1074;
    int32 biased = static_cast<int32>(__double_as_longlong(number) >> MANTISSA_BITS & 0x7ff);
    return LEAST + max(biased, 1) - 1;
}

// Returns the exponent of the lowest bit of a number that is not 0.
__device__ __forceinline__ int32 lowest_digit(double number) {
    uint64 bits = mantissa(number);
    return exponent(number) + 63 - __clzll(static_cast<int64>(bits & (0 - bits)));
}

// Returns the exponent of the highest bit of a number that is not 0.
__device__ __forceinline__ int32 highest_digit(double number) {
    return exponent(number) + 63 - __clzll(static_cast<int64>(mantissa(number)));
}

// Returns a number in units of 2^unit, which must divide the number.
__device__ __forceinline__ Whole whole(double number, int32 unit) {
    uint64 bits = mantissa(number);
    int32 shift = bits == 0 ? 0 : exponent(number) - unit;
    Whole result;
    if (shift <= 0) {
        result = {bits >> -shift, 0};
    } else if (shift < 64) {
        result = {bits << shift, static_cast<int64>(bits >> 1 >> (63 - shift))};
    } else {
        result = {0, static_cast<int64>(bits << (shift - 64))};
    }
    return number < 0 ? Whole{0, 0} - result : result;
}

// Returns number / divisor * 2^unit, rounded once. The magnitude of `number` must be less than 2^126.
__device__ __forceinline__ double quotient(Whole number, int32 divisor, int32 unit) {
    if (number.low == 0 && number.high == 0) {
        return 0;
    }
    bool is_negative = number.high < 0;
    Whole size = is_negative ? Whole{0, 0} - number : number;
    // shifts the number so that the quotient has at least 64 digits
    int32 shift = size.high != 0 ? __clzll(size.high) : 64 + __clzll(static_cast<int64>(size.low));
    uint64 high = static_cast<uint64>(size.high);
    uint64 low = size.low;
    if (shift >= 64) {
        high = low << (shift - 64);
        low = 0;
    } else {
        high = high << shift | (low >> 1 >> (63 - shift));
        low <<= shift;
    }
    uint64 wide = static_cast<uint64>(divisor);
    uint64 quotient_high = high / wide;
    uint64 rest = high % wide << 32 | low >> 32;
    uint64 quotient_low = rest / wide << 32;
    rest = rest % wide << 32 | (low & 0xffffffff);
    quotient_low |= rest / wide;
    rest %= wide;
    int32 more = __clzll(static_cast<int64>(quotient_high));
    uint64 digits = quotient_high << more | (quotient_low >> 1 >> (63 - more));
    uint64 others = quotient_low << more | rest;
    // the lowest bit is also set if a dropped bit is set, which suffices to round 64 bits to 53
    double rounded = __ull2double_rn(digits | (others != 0 ? 1 : 0));
    double scale = __longlong_as_double(static_cast<int64>(1023 + 64 - more - shift + unit) << MANTISSA_BITS);
    double result = __dmul_rn(rounded, scale);
    return is_negative ? -result : result;
}

}  // namespace
