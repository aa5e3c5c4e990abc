// Numbers and arguments of the pair hidden Markov model: dev.bellman.markov.PairHmm. The operations and their order are
// the same as on the CPU, so the results are bit-for-bit the same.
#pragma once

#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/strict_math.cuh"
#include "common/warp.cuh"

struct PairHmmStrings {
    const int32* offsets;  // null if all rows have the same string, which is one byte long
    const uint8* bytes;
};

struct PairHmmCalls {
    PairHmmStrings reads;
    PairHmmStrings qualities;
    PairHmmStrings haplotypes;
    PairHmmStrings insertions;
    PairHmmStrings deletions;
    PairHmmStrings continuations;
    // for each quality: the probability of an error, the probability of no error, and a third of the former
    const double* probabilities;
};

// The results of a launch for rows of one group.
struct PairHmmResults {
    double* logs;
    // rows whose likelihoods are too small or too large for floats, and the number of these rows
    int32* rest;
    int32* count;
};

STRUCT_FOR_HOST(PairHmmStrings);
MEMBER_FOR_HOST(PairHmmStrings, offsets);
MEMBER_FOR_HOST(PairHmmStrings, bytes);
STRUCT_FOR_HOST(PairHmmCalls);
MEMBER_FOR_HOST(PairHmmCalls, reads);
MEMBER_FOR_HOST(PairHmmCalls, qualities);
MEMBER_FOR_HOST(PairHmmCalls, haplotypes);
MEMBER_FOR_HOST(PairHmmCalls, insertions);
MEMBER_FOR_HOST(PairHmmCalls, deletions);
MEMBER_FOR_HOST(PairHmmCalls, continuations);
MEMBER_FOR_HOST(PairHmmCalls, probabilities);
STRUCT_FOR_HOST(PairHmmResults);
MEMBER_FOR_HOST(PairHmmResults, logs);
MEMBER_FOR_HOST(PairHmmResults, rest);
MEMBER_FOR_HOST(PairHmmResults, count);

namespace {

// The exponents of the powers of two by which floats and doubles are multiplied.
constexpr int32 PAIR_HMM_FLOAT_SCALE = 120;
constexpr int32 PAIR_HMM_SCALE = 960;
// The smallest scaled likelihood that is precise if it is computed with floats.
constexpr float PAIR_HMM_LEAST_SUM = 1e-28f;
// The character for quality 0, and the number of qualities.
constexpr int32 FIRST_QUALITY = '!';
constexpr int32 QUALITIES = '~' - FIRST_QUALITY + 1;

// A non-negative number with a 32-bit exponent: dev.bellman.markov.Wide. The mantissa is at least 1 and less than 2,
// or 0.
struct Wide {
    double mantissa = 0;
    int32 exponent = 0;

    Wide() = default;

    // Creates value * 2^exponent_of_value; the value must be 0 or a positive normal number.
    __device__ __forceinline__ explicit Wide(double value, int32 exponent_of_value = 0) {
        int32 upper = __double2hiint(value);
        if (value != 0) {
            mantissa = __hiloint2double((upper & 0xfffff) | 0x3ff00000, __double2loint(value));
            exponent = exponent_of_value + (upper >> 20) - 1023;
        }
    }
};

// Returns 2^exponent.
__device__ __forceinline__ double power_of_two(int32 exponent) {
    return __hiloint2double((exponent + 1023) << 20, 0);
}

__device__ __forceinline__ float times(float a, float b) {
    return __fmul_rn(a, b);
}

__device__ __forceinline__ double times(double a, double b) {
    return __dmul_rn(a, b);
}

__device__ __forceinline__ Wide times(const Wide& a, const Wide& b) {
    return Wide(__dmul_rn(a.mantissa, b.mantissa), a.exponent + b.exponent);
}

__device__ __forceinline__ float plus(float a, float b) {
    return __fadd_rn(a, b);
}

__device__ __forceinline__ double plus(double a, double b) {
    return __dadd_rn(a, b);
}

__device__ __forceinline__ Wide plus(const Wide& a, const Wide& b) {
    constexpr int32 FAR = 60;  // a sum equals the larger number if the exponents differ by more than this
    if (a.mantissa == 0 || b.mantissa == 0) {
        return a.mantissa == 0 ? b : a;
    }
    int32 less = abs(a.exponent - b.exponent);
    bool is_first = a.exponent >= b.exponent;
    double large = is_first ? a.mantissa : b.mantissa;
    double small = is_first ? b.mantissa : a.mantissa;
    double scaled = less > FAR ? 0 : __dmul_rn(small, power_of_two(-less));
    return Wide(__dadd_rn(large, scaled), max(a.exponent, b.exponent));
}

// Returns a * b + c, rounded once.
__device__ __forceinline__ float fused(float a, float b, float c) {
    return __fmaf_rn(a, b, c);
}

__device__ __forceinline__ double fused(double a, double b, double c) {
    return __fma_rn(a, b, c);
}

__device__ __forceinline__ Wide fused(const Wide& a, const Wide& b, const Wide& c) {
    // if the exponents differ by more than this, the result is the product or the summand, whichever is larger, except
    // that a smaller summand still affects the rounding of a product
    constexpr int32 FAR = 150;
    int32 of_product = a.exponent + b.exponent;
    int32 more = c.exponent - of_product;
    if (a.mantissa == 0 || b.mantissa == 0 || (c.mantissa != 0 && more > FAR)) {
        return c;
    }
    double scaled = c.mantissa == 0 ? 0 : __dmul_rn(c.mantissa, power_of_two(max(more, -FAR)));
    return Wide(__fma_rn(a.mantissa, b.mantissa, scaled), of_product);
}

template <typename Number>
__device__ __forceinline__ Number pick(bool is_first, Number a, Number b) {
    return is_first ? a : b;
}

template <>
__device__ __forceinline__ Wide pick(bool is_first, Wide a, Wide b) {
    Wide picked;
    picked.mantissa = is_first ? a.mantissa : b.mantissa;
    picked.exponent = is_first ? a.exponent : b.exponent;
    return picked;
}

// Returns the number that the lane above passes. Lanes form groups of the given size.
template <typename Number>
__device__ __forceinline__ Number from_above(Number number, int32 lanes) {
    return __shfl_up_sync(~0u, number, 1, lanes);
}

template <>
__device__ __forceinline__ Wide from_above(Wide number, int32 lanes) {
    Wide above;
    above.mantissa = __shfl_up_sync(~0u, number.mantissa, 1, lanes);
    above.exponent = __shfl_up_sync(~0u, number.exponent, 1, lanes);
    return above;
}

// Returns the scaled value of each deletion in the first row.
template <typename Number>
__device__ __forceinline__ Number first_deletion(int32 columns);

template <>
__device__ __forceinline__ float first_deletion<float>(int32 columns) {
    return __fmul_rn(__fdiv_rn(1, columns), static_cast<float>(power_of_two(PAIR_HMM_FLOAT_SCALE)));
}

template <>
__device__ __forceinline__ double first_deletion<double>(int32 columns) {
    return __dmul_rn(__ddiv_rn(1, columns), power_of_two(PAIR_HMM_SCALE));
}

template <>
__device__ __forceinline__ Wide first_deletion<Wide>(int32 columns) {
    return Wide(__ddiv_rn(1, columns));
}

// Returns the base-10 logarithm of a likelihood.
__device__ __forceinline__ double log_10(const Wide& likelihood) {
    constexpr double LN_10 = 2.302585092994046;
    constexpr double LN_2 = 0.6931471805599453;
    if (likelihood.mantissa == 0) {
        return strict_log(0);
    }
    double log = __dadd_rn(strict_log_of_small(likelihood.mantissa),
            __dmul_rn(static_cast<double>(likelihood.exponent), LN_2));
    return __ddiv_rn(log, LN_10);
}

__device__ __forceinline__ double log_10(double likelihood) {
    return log_10(Wide(likelihood, -PAIR_HMM_SCALE));
}

// Writes the result of a row.
template <typename Number>
__device__ __forceinline__ void put(const PairHmmResults& results, int32 row, const Number& likelihood) {
    results.logs[row] = log_10(likelihood);
}

template <>
__device__ __forceinline__ void put(const PairHmmResults& results, int32 row, const float& likelihood) {
    if (likelihood >= PAIR_HMM_LEAST_SUM && isfinite(likelihood)) {
        results.logs[row] = log_10(Wide(likelihood, -PAIR_HMM_FLOAT_SCALE));
    } else {
        results.rest[atomicAdd(results.count, 1)] = row;
    }
}

// The bytes of a row's string.
struct Bytes {
    const uint8* bytes;
    int32 length;

    __device__ __forceinline__ Bytes(const PairHmmStrings& strings, int32 row)
        : bytes(strings.bytes), length(1) {
        if (strings.offsets != nullptr) {
            bytes += strings.offsets[row];
            length = strings.offsets[row + 1] - strings.offsets[row];
        }
    }

    // Returns a byte of a string that has one byte for each base, or one byte for all bases.
    __device__ __forceinline__ int32 of_base(int32 i) const {
        return bytes[length == 1 ? 0 : i];
    }
};

// The bytes of a call's arguments.
struct PairHmmCall {
    Bytes read;
    Bytes qualities;
    Bytes haplotype;
    Bytes insertions;
    Bytes deletions;
    Bytes continuations;
    const double* probabilities;

    __device__ __forceinline__ PairHmmCall(const PairHmmCalls& calls, int32 row)
        : read(calls.reads, row),
          qualities(calls.qualities, row),
          haplotype(calls.haplotypes, row),
          insertions(calls.insertions, row),
          deletions(calls.deletions, row),
          continuations(calls.continuations, row),
          probabilities(calls.probabilities) {}

    __device__ __forceinline__ double error(int32 quality) const {
        return probabilities[3 * (quality - FIRST_QUALITY)];
    }

    __device__ __forceinline__ double no_error(int32 quality) const {
        return probabilities[3 * (quality - FIRST_QUALITY) + 1];
    }

    // Returns the probability of each of the three wrong bases.
    __device__ __forceinline__ double wrong_base(int32 quality) const {
        return probabilities[3 * (quality - FIRST_QUALITY) + 2];
    }
};

// The probabilities of gaps at a base of a read, as in dev.bellman.markov.PairHmmRead.
struct PairHmmGaps {
    double stay;
    double insert;
    double erase;
    double extend;
    double close;

    __device__ __forceinline__ PairHmmGaps(const PairHmmCall& call, int32 i)
        : insert(call.error(call.insertions.of_base(i))),
          erase(call.error(call.deletions.of_base(i))),
          extend(call.error(call.continuations.of_base(i))),
          close(call.no_error(call.continuations.of_base(i))) {
        stay = fmax(0.0, __dsub_rn(1, __dadd_rn(insert, erase)));
    }
};

// Returns the set that contains one letter, ignoring case; for N, returns the set of all letters.
__device__ __forceinline__ uint32 letter_set(uint32 letter) {
    uint32 index = letter & 31;
    return index == ('N' & 31) ? ~0u : 1u << index;
}

// The number of letters of usual haplotypes: A, C, T, G and N.
constexpr int32 USUAL_LETTERS = 5;

__device__ __forceinline__ bool is_usual_letter(uint32 letter) {
    return letter == 'A' || letter == 'C' || letter == 'G' || letter == 'T' || letter == 'N';
}

// The emissions of a lane's rows, in registers, for haplotypes with any letters.
template <typename Number, int32 ROWS>
class OwnEmissions {
public:
    // Sets a row; a row without a base has the emission 0.
    __device__ __forceinline__ void set(int32 r, uint32 letter, double match, double mismatch) {
        letters_[r] = letter_set(letter);
        matches_[r] = Number(match);
        mismatches_[r] = Number(mismatch);
    }

    // Returns the argument `column` of `get` for a haplotype's letter: the set of letters that match it.
    __device__ __forceinline__ uint32 column_of(uint32 letter) const {
        return letter_set(letter);
    }

    __device__ __forceinline__ Number get(int32 r, uint32 column) const {
        return pick((letters_[r] & column) != 0, matches_[r], mismatches_[r]);
    }

private:
    uint32 letters_[ROWS];
    Number matches_[ROWS];
    Number mismatches_[ROWS];
};

// The emissions of a lane's rows, in shared memory, for each letter of a usual haplotype. Each lane has its own banks.
template <typename Number, int32 ROWS>
class SharedEmissions {
public:
    static constexpr int32 PER_PART = 16 / sizeof(Number);
    static constexpr int32 PARTS = (ROWS + PER_PART - 1) / PER_PART;
    // the number of parts for a warp
    static constexpr int32 SIZE = 32 * PARTS * USUAL_LETTERS;

    // The emissions of adjacent rows, which a lane loads together.
    struct alignas(16) Part {
        Number rows[PER_PART];
    };

    __device__ __forceinline__ explicit SharedEmissions(Part* of_warp) : own_(of_warp + threadIdx.x % 32) {}

    __device__ __forceinline__ void set(int32 r, uint32 letter, double match, double mismatch) {
        uint32 letters = letter_set(letter);
#pragma unroll
        for (int32 i = 0; i < USUAL_LETTERS; i++) {
            Part& part = own_[32 * (i * PARTS + r / PER_PART)];
            part.rows[r % PER_PART] = Number((letters & letter_set("ACTGN"[i])) != 0 ? match : mismatch);
        }
    }

    // Returns the emissions for a haplotype's letter.
    __device__ __forceinline__ const Part* column_of(uint32 letter) const {
        return own_ + 32 * PARTS * min(letter >> 1 & 7, USUAL_LETTERS - 1);
    }

    __device__ __forceinline__ Number get(int32 r, const Part* column) const {
        Part part = column[32 * (r / PER_PART)];
        return part.rows[r % PER_PART];
    }

private:
    Part* own_;
};

}  // namespace
