// Exact sums of expected counts. Each sum is an integer multiple of the smallest double, stored in words of 64 bits
// that are 32 bits apart. A number has 53 bits, so it changes at most three adjacent words, each by less than 2^32.
// Words therefore do not overflow before 2^31 numbers, and the order of the additions does not matter.
#pragma once

#include "common/columns.cuh"
#include "common/host.cuh"

constexpr int32 COUNT_STATES = 16;
constexpr int32 COUNT_BLOCK = 32;
constexpr int32 COUNT_WORDS = 66;
FOR_HOST(COUNT_STATES);
FOR_HOST(COUNT_BLOCK);
FOR_HOST(COUNT_WORDS);

// The sums of the counts, in this order: starts, transitions, emissions, and the logarithm of the probability.
struct ExpectedSums {
    uint64* words;   // for each copy and each of its words, a number for each sum
    int32* rejected;  // less than the number of sequences if one of them is too unlikely
    int32 copies;    // sequences add to different copies, so that they rarely wait for each other
    int32 sums;
};

STRUCT_FOR_HOST(ExpectedSums);
MEMBER_FOR_HOST(ExpectedSums, words);
MEMBER_FOR_HOST(ExpectedSums, rejected);
MEMBER_FOR_HOST(ExpectedSums, copies);
MEMBER_FOR_HOST(ExpectedSums, sums);

namespace {

// Adds a number to a sum. `word` is the sum's first word, and the words are `stride` apart.
__device__ __forceinline__ void add_exactly(uint64* word, int32 stride, double number) {
    uint64 bits = static_cast<uint64>(__double_as_longlong(number));
    int32 exponent = static_cast<int32>(bits >> 52) & 0x7ff;
    uint64 mantissa = (bits & 0xfffffffffffffULL) | static_cast<uint64>(exponent != 0) << 52;
    // the number's magnitude is this mantissa times 2^place, in units of the smallest double
    int32 place = max(exponent - 1, 0);
    int32 shift = place % 32;
    uint64 low = mantissa << shift;
    uint64 parts[3] = {low & 0xffffffffULL, low >> 32, shift == 0 ? 0 : mantissa >> (64 - shift)};
    word += static_cast<int64>(place / 32) * stride;
#pragma unroll
    for (int32 i = 0; i < 3; i++) {
        if (parts[i] != 0) {
            atomicAdd(word + static_cast<int64>(i) * stride, number < 0 ? 0 - parts[i] : parts[i]);
        }
    }
}

// Adds the counts of a sequence in a thread's state to the sums, and clears the emissions.
//
// - emitted: the numbers of emissions, of which there are `emissions`, 32 apart
template <int32 STATES>
__device__ __forceinline__ void add_counts(
        const ExpectedSums& sums, int32 copy, int32 states, int32 emissions, double start,
        const double (&moved)[STATES], double* emitted, double log_probability) {
    uint64* words = sums.words + static_cast<int64>(copy) * COUNT_WORDS * sums.sums;
    int32 state = threadIdx.x % STATES;
    add_exactly(words + state, sums.sums, start);
    words += states;
#pragma unroll
    for (int32 j = 0; j < STATES; j++) {
        if (j < states) {
            add_exactly(words + state * states + j, sums.sums, moved[j]);
        }
    }
    words += states * states;
    for (int32 s = 0; s < emissions; s++) {
        add_exactly(words + s * states + state, sums.sums, emitted[s * 32]);
        emitted[s * 32] = 0;
    }
    if (state == 0) {
        add_exactly(words + emissions * states, sums.sums, log_probability);
    }
}

}  // namespace
