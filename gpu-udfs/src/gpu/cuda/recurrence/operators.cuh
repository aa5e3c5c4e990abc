// Defines the operators of a recurrence. An accumulator appends each candidate on the right, in the order of the
// offsets.
#pragma once

#include "common/columns.cuh"
#include "common/host.cuh"

// MIN to LAST are the ordinals of Operator.Kind. `NOTHING` is for rows with nothing to solve, and `BAD` is for an
// operator that is unknown or does not accept the elements.
enum Kind : int32 {
    BAD = -2,
    NOTHING = -1,
    MIN = 0,
    MAX,
    SUM,
    SUM_MOD,
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    BOOL_AND,
    BOOL_OR,
    FIRST,
    LAST,
    DOUBLE_SUM,
    MIN_PLUS,
    MAX_PLUS,
    DOUBLE_MIN_PLUS,
    DOUBLE_MAX_PLUS
};

// A valid row. `table` has `length` elements; the first `start` elements are initial values. Corresponds to the record
// DeviceInstance in Java.
struct Instance {
    const int64* initial;
    const int32* offsets;
    const int64* weights;
    int64* table;
    int64 modulus;
    int32 length;
    int32 start;
    int32 stages;
    int32 kind;
    int32 overflow;  // the first index whose value overflows, or the largest int32
    int32 farthest;  // the first offset
    int32 nearest;   // the last offset
};

constexpr int32 FITS = 0x7fffffff;

// The maximum length of a table that a warp keeps in shared memory.
constexpr int32 SHORT = 1024;

// The numbers of candidates and stages from which several multiprocessors are faster than one. A very large number of
// stages is sufficient regardless of the number of candidates. Sums of doubles always run on one multiprocessor,
// because the order of the additions must not change.
constexpr int64 LARGE_CANDIDATES = 1 << 24;
constexpr int32 LARGE_STAGES = 2048;
constexpr int32 LONG_STAGES = 16384;

__device__ __forceinline__ bool is_large(const Instance& instance) {
    return instance.kind != DOUBLE_SUM && instance.stages >= LARGE_STAGES
        && (instance.stages >= LONG_STAGES
            || static_cast<int64>(instance.length - instance.start) * instance.stages >= LARGE_CANDIDATES);
}

// Returns the same value as Element.key in Java: a double's rank in the total order, in which NaN is last.
__device__ __forceinline__ int64 double_key(double value) {
    int64 bits = value != value ? 0x7ff8000000000000LL : __double_as_longlong(value);
    return bits ^ ((bits >> 63) & 0x7fffffffffffffffLL);
}

__device__ __forceinline__ double key_double(int64 key) {
    return __longlong_as_double(key ^ ((key >> 63) & 0x7fffffffffffffffLL));
}

// A sum in 128 bits.
struct Wide {
    int64 low;
    int64 high;
};

template <int32 KIND>
struct Operator {
    using Accumulator = int64;

    static __device__ __forceinline__ int64 candidate(
            const Instance& instance, int64 element, int32 stage, bool& overflow) {
        if constexpr (KIND == MIN_PLUS || KIND == MAX_PLUS) {
            int64 weight = instance.weights[stage];
            int64 sum = static_cast<int64>(static_cast<uint64>(element) + static_cast<uint64>(weight));
            overflow |= ((element ^ sum) & (weight ^ sum)) < 0;
            return sum;
        } else if constexpr (KIND == DOUBLE_MIN_PLUS || KIND == DOUBLE_MAX_PLUS) {
            return double_key(__dadd_rn(key_double(element), __longlong_as_double(instance.weights[stage])));
        } else {
            return element;
        }
    }

    static __device__ __forceinline__ int64 combine(const Instance& instance, int64 left, int64 right) {
        if constexpr (KIND == MIN || KIND == MIN_PLUS || KIND == DOUBLE_MIN_PLUS) {
            return min(left, right);
        } else if constexpr (KIND == MAX || KIND == MAX_PLUS || KIND == DOUBLE_MAX_PLUS) {
            return max(left, right);
        } else if constexpr (KIND == SUM_MOD) {
            int64 sum = left + right;
            return sum >= instance.modulus ? sum - instance.modulus : sum;
        } else if constexpr (KIND == BIT_AND) {
            return left & right;
        } else if constexpr (KIND == BIT_OR) {
            return left | right;
        } else if constexpr (KIND == BIT_XOR) {
            return left ^ right;
        } else if constexpr (KIND == FIRST) {
            return left;
        } else if constexpr (KIND == LAST) {
            return right;
        } else {
            static_assert(KIND == DOUBLE_SUM);
            return double_key(__dadd_rn(key_double(left), key_double(right)));
        }
    }

    static __device__ __forceinline__ int64 value(int64 accumulator, bool& overflow) {
        return accumulator;
    }
};

template <>
struct Operator<SUM> {
    using Accumulator = Wide;

    static __device__ __forceinline__ Wide candidate(
            const Instance& instance, int64 element, int32 stage, bool& overflow) {
        return {element, element >> 63};
    }

    static __device__ __forceinline__ Wide combine(const Instance& instance, Wide left, Wide right) {
        uint64 low = static_cast<uint64>(left.low) + static_cast<uint64>(right.low);
        return {static_cast<int64>(low), left.high + right.high + (low < static_cast<uint64>(right.low) ? 1 : 0)};
    }

    static __device__ __forceinline__ int64 value(Wide accumulator, bool& overflow) {
        overflow |= accumulator.high != accumulator.low >> 63;
        return accumulator.low;
    }
};

// Calls `ACTION(KIND)` for the kind of an instance's operator; operators with the same code share a kind.
#define FOR_KIND(kind, ACTION)                           \
    switch (kind) {                                      \
        case MIN:                                        \
        case BOOL_AND: ACTION(MIN); break;               \
        case MAX:                                        \
        case BOOL_OR: ACTION(MAX); break;                \
        case SUM: ACTION(SUM); break;                    \
        case SUM_MOD: ACTION(SUM_MOD); break;            \
        case BIT_AND: ACTION(BIT_AND); break;            \
        case BIT_OR: ACTION(BIT_OR); break;              \
        case BIT_XOR: ACTION(BIT_XOR); break;            \
        case FIRST: ACTION(FIRST); break;                \
        case LAST: ACTION(LAST); break;                  \
        case DOUBLE_SUM: ACTION(DOUBLE_SUM); break;      \
        case MIN_PLUS: ACTION(MIN_PLUS); break;          \
        case MAX_PLUS: ACTION(MAX_PLUS); break;          \
        case DOUBLE_MIN_PLUS: ACTION(DOUBLE_MIN_PLUS); break; \
        case DOUBLE_MAX_PLUS: ACTION(DOUBLE_MAX_PLUS); break; \
        default: break;                                  \
    }
