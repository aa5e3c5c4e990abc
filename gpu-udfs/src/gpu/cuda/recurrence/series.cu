// Implements the steps of ModularSeries in Java, which defines the computation: transforms of series modulo three
// primes, and the products of transforms. The values of a transform are grouped by prime. Numbers modulo a prime are
// less than that prime, and all primes are between 2^61 and 2^62.
#include "recurrence/operators.cuh"

constexpr int32 PRIMES = 3;
constexpr int32 BLOCK = 256;
constexpr int32 TILE = 2048;
constexpr int32 ORDERS = 30;
FOR_HOST(PRIMES);
FOR_HOST(BLOCK);
FOR_HOST(TILE);
FOR_HOST(ORDERS);

// Returns the high half of an unsigned product; also usable at compile time.
constexpr __host__ __device__ uint64 high_product(uint64 a, uint64 b) {
    uint64 low = (a & 0xffffffffu) * (b & 0xffffffffu);
    uint64 middle = (a >> 32) * (b & 0xffffffffu) + (low >> 32);
    uint64 other = (a & 0xffffffffu) * (b >> 32) + (middle & 0xffffffffu);
    return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}

constexpr __host__ __device__ uint64 inverse_modulo_radix(uint64 odd) {
    uint64 inverse = odd;
    for (int32 bits = 3; bits < 64; bits *= 2) {
        inverse *= 2 - odd * inverse;
    }
    return inverse;
}

constexpr __host__ __device__ uint64 radix_squared_modulo(uint64 prime) {
    uint64 power = 1;
    for (int32 i = 0; i < 128; i++) {
        power = 2 * power >= prime ? 2 * power - prime : 2 * power;
    }
    return power;
}

// Arithmetic modulo a prime in PrimeTransform.ALL.
template <uint64 PRIME>
struct Field {
    static constexpr uint64 INVERSE = inverse_modulo_radix(PRIME);
    static constexpr uint64 RADIX_SQUARED = radix_squared_modulo(PRIME);

    // Returns a b / 2^64 modulo the prime.
    static __device__ __forceinline__ uint64 montgomery(uint64 a, uint64 b) {
        uint64 difference = __umul64hi(a, b) - __umul64hi(a * b * INVERSE, PRIME);
        return static_cast<int64>(difference) < 0 ? difference + PRIME : difference;
    }

    static constexpr __host__ __device__ uint64 constant_montgomery(uint64 a, uint64 b) {
        uint64 difference = high_product(a, b) - high_product(a * b * INVERSE, PRIME);
        return difference >> 63 != 0 ? difference + PRIME : difference;
    }

    // Returns 1 / number in Montgomery form.
    static constexpr __host__ __device__ uint64 reciprocal(uint64 number) {
        uint64 result = constant_montgomery(1, RADIX_SQUARED);
        uint64 square = constant_montgomery(number % PRIME, RADIX_SQUARED);
        for (uint64 exponent = PRIME - 2; exponent != 0; exponent >>= 1) {
            if ((exponent & 1) != 0) {
                result = constant_montgomery(result, square);
            }
            square = constant_montgomery(square, square);
        }
        return result;
    }

    static __device__ __forceinline__ uint64 add(uint64 a, uint64 b) {
        return reduce(a + b);
    }

    static __device__ __forceinline__ uint64 subtract(uint64 a, uint64 b) {
        return a >= b ? a - b : a - b + PRIME;
    }

    // Reduces a number that is less than twice the prime.
    static __device__ __forceinline__ uint64 reduce(uint64 number) {
        return number >= PRIME ? number - PRIME : number;
    }
};

constexpr uint64 FIRST_PRIME = 0x3fffffeec0000001ULL;
constexpr uint64 SECOND_PRIME = 0x3fffffee00000001ULL;
constexpr uint64 THIRD_PRIME = 0x3fffffe880000001ULL;
using First = Field<FIRST_PRIME>;
using Second = Field<SECOND_PRIME>;
using Third = Field<THIRD_PRIME>;
constexpr uint64 FIRST_IN_SECOND = Second::reciprocal(FIRST_PRIME);
constexpr uint64 FIRST_IN_THIRD = Third::reciprocal(FIRST_PRIME);
constexpr uint64 SECOND_IN_THIRD = Third::reciprocal(SECOND_PRIME);

// The prime that a block processes, and the block's index among the third of all blocks that process this prime.
struct Share {
    int32 prime;
    int32 block;
};

__device__ __forceinline__ Share share() {
    int32 blocks = gridDim.x / PRIMES;
    return {static_cast<int32>(blockIdx.x) / blocks, static_cast<int32>(blockIdx.x) % blocks};
}

__device__ __forceinline__ int64 index(Share share) {
    return static_cast<int64>(share.block) * blockDim.x + threadIdx.x;
}

// Calls `ACTION(FIELD)` for the prime that this third of the blocks processes.
#define FOR_PRIME(share, ACTION)          \
    switch (share.prime) {                \
        case 0: ACTION(First); break;     \
        case 1: ACTION(Second); break;    \
        default: ACTION(Third); break;    \
    }

// Returns element i of PrimeTransform.roots: for each power of two h, the powers of the root of order 2h start at index
// h, in Montgomery form. `orders` contains the roots themselves: for each prime, the roots of orders 2, 4, 8 and so on.
template <typename Prime>
__device__ __forceinline__ uint64 root(const uint64* orders, int64 i) {
    int32 level = 63 - __clzll(i);
    uint64 square = orders[level];
    uint64 power = Prime::montgomery(1, Prime::RADIX_SQUARED);
    for (int64 exponent = i - (1LL << level); exponent != 0; exponent >>= 1) {
        if ((exponent & 1) != 0) {
            power = Prime::montgomery(power, square);
        }
        square = Prime::montgomery(square, square);
    }
    return power;
}

extern "C" __global__ void series_roots(const uint64* orders, int32 size, uint64* roots) {
    Share mine = share();
    int64 i = index(mine);
    if (i > 0 && i < size) {
#define ACTION(PRIME) roots[static_cast<int64>(size) * mine.prime + i] = root<PRIME>(orders + ORDERS * mine.prime, i)
        FOR_PRIME(mine, ACTION)
#undef ACTION
    }
}

// Marks the distances that are offsets.
extern "C" __global__ void series_marks(const int32* offsets, int32 stages, uint8* marks) {
    int64 j = thread_index();
    if (j < stages) {
        marks[offsets[j]] = 1;
    }
}

// Loads a series of `count` terms, padded with zeros to `size`, modulo each prime.
extern "C" __global__ void series_load(const uint64* series, int32 count, int32 size, uint64* values) {
    Share mine = share();
    int64 i = index(mine);
    if (i < size) {
        uint64 term = i < count ? series[i] : 0;
#define ACTION(PRIME) values[static_cast<int64>(size) * mine.prime + i] = PRIME::reduce(term)
        FOR_PRIME(mine, ACTION)
#undef ACTION
    }
}

// Loads a series whose term 0 has one value, whose marked terms have another value, and whose other terms are zero.
extern "C" __global__ void series_load_marks(
        const uint8* marks, int32 count, uint64 at_zero, uint64 at_marks, int32 size, uint64* values) {
    Share mine = share();
    int64 i = index(mine);
    if (i < size) {
        uint64 term = i == 0 ? at_zero : i < count && marks[i] != 0 ? at_marks : 0;
#define ACTION(PRIME) values[static_cast<int64>(size) * mine.prime + i] = PRIME::reduce(term)
        FOR_PRIME(mine, ACTION)
#undef ACTION
    }
}

// Runs `depth` successive levels of a transform, in tiles of `columns` neighbouring columns and 2^depth rows, which are
// `stride` apart.
template <typename Prime, bool INVERSE>
__device__ __forceinline__ void transform(
        uint64* tile, const uint64* roots, int32 block, int32 depth, int32 stride, int32 columns, uint64* values) {
    int32 rows = 1 << depth;
    int64 tiles_per_block = stride / columns;
    int64 first = block / tiles_per_block * rows * stride;
    int32 column = static_cast<int32>(block % tiles_per_block) * columns;
    uint64* mine = values + first + column;
    int32 count = rows * columns;
    for (int32 i = threadIdx.x; i < count; i += BLOCK) {
        tile[i] = mine[static_cast<int64>(i / columns) * stride + i % columns];
    }
    for (int32 step = 0; step < depth; step++) {
        __syncthreads();
        int32 half = 1 << (INVERSE ? step : depth - 1 - step);
        for (int32 i = threadIdx.x; i < count / 2; i += BLOCK) {
            int32 pair = i / columns;
            int32 row = (pair / half) * 2 * half + pair % half;
            uint64& a = tile[row * columns + i % columns];
            uint64& b = tile[(row + half) * columns + i % columns];
            // `power` is the exponent for the root of order 2 * whole
            int64 whole = static_cast<int64>(half) * stride;
            int64 power = static_cast<int64>(pair % half) * stride + column + i % columns;
            if constexpr (INVERSE) {
                uint64 x = a;
                // the inverse of a power is the negative of the power whose exponent is half the order minus this
                // exponent
                uint64 y = power == 0 ? Prime::subtract(0, b) : Prime::montgomery(b, roots[2 * whole - power]);
                a = Prime::subtract(x, y);
                b = Prime::add(x, y);
            } else {
                uint64 x = a;
                uint64 y = b;
                a = Prime::add(x, y);
                b = Prime::montgomery(Prime::subtract(x, y), roots[whole + power]);
            }
        }
    }
    __syncthreads();
    for (int32 i = threadIdx.x; i < count; i += BLOCK) {
        mine[static_cast<int64>(i / columns) * stride + i % columns] = tile[i];
    }
}

// Runs a pass; see `transform`. The inverse transform omits the division by `size`.
#define PASS(NAME, ACTION)                                                                               \
    extern "C" __global__ void __launch_bounds__(BLOCK) NAME(                                            \
            const uint64* roots, int32 most, int32 size, int32 depth, int32 stride, int32 columns,       \
            uint64* values) {                                                                            \
        __shared__ uint64 tile[TILE];                                                                    \
        Share mine = share();                                                                            \
        FOR_PRIME(mine, ACTION)                                                                          \
    }
#define TRANSFORM(PRIME, BACK)                                                                           \
    transform<PRIME, BACK>(                                                                              \
            tile,                                                                                        \
            roots + static_cast<int64>(most) * mine.prime,                                               \
            mine.block,                                                                                  \
            depth,                                                                                       \
            stride,                                                                                      \
            columns,                                                                                     \
            values + static_cast<int64>(size) * mine.prime)
#define FORWARD(PRIME) TRANSFORM(PRIME, false)
#define BACKWARD(PRIME) TRANSFORM(PRIME, true)

PASS(series_forward, FORWARD)
PASS(series_inverse, BACKWARD)

// Multiplies two transforms, divides by 2^64, and writes the result to the first.
extern "C" __global__ void series_multiply(int32 size, uint64* values, const uint64* others) {
    Share mine = share();
    int64 i = index(mine);
    if (i < size) {
        i += static_cast<int64>(size) * mine.prime;
#define ACTION(PRIME) values[i] = PRIME::montgomery(values[i], others[i])
        FOR_PRIME(mine, ACTION)
#undef ACTION
    }
}

// Corresponds to ModularSeries.Factor.times in Java.
__device__ __forceinline__ uint64 times(uint64 residue, uint64 shifted, uint64 number, uint64 modulus) {
    uint64 rest = residue * number - __umul64hi(shifted, number) * modulus;
    return rest >= modulus ? rest - modulus : rest;
}

__device__ __forceinline__ uint64 difference(uint64 a, uint64 b, uint64 modulus) {
    return a >= b ? a - b : a - b + modulus;
}

// Computes the terms `from` to `from + count - 1` of a product, modulo `modulus`: Garner's algorithm (1959). `scale_*`
// undo the factors introduced by the transform and by the product. If `negated` is not 0, the product is subtracted
// from the series `minuend`, whose terms from `minuend_count` on count as 0.
extern "C" __global__ void series_combine(
        const uint64* values,
        int32 size,
        int32 from,
        int32 count,
        uint64 scale_first,
        uint64 scale_second,
        uint64 scale_third,
        uint64 modulus,
        uint64 second_residue,
        uint64 second_shifted,
        uint64 third_residue,
        uint64 third_shifted,
        int32 negated,
        const uint64* minuend,
        int32 minuend_count,
        uint64* result) {
    int64 i = thread_index();
    if (i >= count) {
        return;
    }
    const uint64* value = values + from + i;
    uint64 a = First::montgomery(value[0], scale_first);
    uint64 b = Second::montgomery(value[size], scale_second);
    uint64 c = Third::montgomery(value[2 * static_cast<int64>(size)], scale_third);
    b = Second::montgomery(Second::subtract(b, Second::reduce(a)), FIRST_IN_SECOND);
    c = Third::montgomery(Third::subtract(c, Third::reduce(a)), FIRST_IN_THIRD);
    c = Third::montgomery(Third::subtract(c, Third::reduce(b)), SECOND_IN_THIRD);
    uint64 sum = times(second_residue, second_shifted, b, modulus) + times(third_residue, third_shifted, c, modulus);
    sum = (sum + a % modulus) % modulus;
    result[i] = negated == 0 ? sum : difference(i < minuend_count ? minuend[i] : 0, sum, modulus);
}
