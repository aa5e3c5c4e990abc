// What a split costs. A parenthesization over the vertices 0..n finds, for all i < j,
//   cost(i, i + 1) = leaf(i),
//   cost(i, j) = min over i < k < j of cost(i, k) + cost(k, j) + w(i, k, j).
// A member of the class is a functor like those at the end: its arithmetic, and w in two parts. What depends on k is the product of three
// factors, one for each vertex (BY_SPLIT); what does not is added once for each entry (BY_RANGE).
#pragma once
#include "common/columns.cuh"

namespace {

// Integers, exact where the bound of batch.cu holds.
template <typename Integer>
struct Exact {
    using Value = Integer;
    static __device__ __forceinline__ Value product(Value a, Value b) {
        return a * b;
    }
    static __device__ __forceinline__ Value sum(Value a, Value b) {
        return a + b;
    }
    static __device__ __forceinline__ Value candidate(Value left, Value pair, Value third, Value right) {
        return pair * third + left + right;
    }
};

// The smaller of what is known and a candidate of an arithmetic, without a factor or with one.
template <typename A, typename Value>
struct Compared {
    static __device__ __forceinline__ Value least(Value least, Value left, Value right) {
        Value candidate = A::sum(left, right);
        return candidate < least ? candidate : least;
    }
    static __device__ __forceinline__ Value least(Value least, Value left, Value pair, Value third, Value right) {
        Value candidate = A::candidate(left, pair, third, right);
        return candidate < least ? candidate : least;
    }
};

struct Int32 : Exact<int32> {
    static __device__ __forceinline__ Value infinity() {
        return 0x7fffffff;
    }
    // one instruction on Hopper
    static __device__ __forceinline__ Value least(Value least, Value left, Value right) {
        return __viaddmin_s32(left, right, least);
    }
    // and two
    static __device__ __forceinline__ Value least(Value least, Value left, Value pair, Value third, Value right) {
        return __viaddmin_s32(pair * third + left, right, least);
    }
};

// Whole numbers below 2^53: twice as fast as 64-bit integers.
struct Float64 : Compared<Float64, double> {
    using Value = double;
    static __device__ __forceinline__ Value infinity() {
        return __longlong_as_double(0x7ff0000000000000);
    }
    static __device__ __forceinline__ Value product(Value a, Value b) {
        return a * b;
    }
    static __device__ __forceinline__ Value sum(Value a, Value b) {
        return a + b;
    }
    static __device__ __forceinline__ Value candidate(Value left, Value pair, Value third, Value right) {
        return fma(pair, third, left) + right;
    }
};

// Below 2^60.
struct Int64 : Exact<int64> {
    static __device__ __forceinline__ Value infinity() {
        return 0x7ff0000000000000;
    }
    // a factor's cube is below 2^60
    static __device__ __forceinline__ Value product(Value a, Value b) {
        Value result;
        asm("mul.wide.u32 %0, %1, %2;" : "=l"(result) : "r"(static_cast<uint32>(a)), "r"(static_cast<uint32>(b)));
        return result;
    }
    static __device__ __forceinline__ Value candidate(Value left, Value pair, Value third, Value right) {
        Value result;
        asm("{ .reg .u32 pair_low, pair_high, factor, right_low, right_high;\n"
            ".reg .u64 sum, rest;\n"
            "mov.b64 {pair_low, pair_high}, %2;\n"
            "mov.b64 {right_low, right_high}, %4;\n"
            "cvt.u32.u64 factor, %3;\n"
            "mad.wide.u32 sum, pair_low, factor, %1;\n"
            "mad.lo.u32 right_high, pair_high, factor, right_high;\n"
            "mov.b64 rest, {right_low, right_high};\n"
            "add.u64 %0, sum, rest; }"
            : "=l"(result) : "l"(left), "l"(pair), "l"(third), "l"(right));
        return result;
    }
    // As bits of doubles, up to their infinity, positive numbers are in the same order, and units compare these that have nothing else to do.
    static __device__ __forceinline__ Value least(Value least, Value left, Value pair, Value third, Value right) {
        Value found = candidate(left, pair, third, right);
        return __longlong_as_double(found) < __longlong_as_double(least) ? found : least;
    }
};

// Any dimensions; what does not fit 64 bits is 2^64 - 1.
struct Saturating {
    using Value = uint64;
    static __device__ __forceinline__ Value infinity() {
        return ~0ull;
    }
    static __device__ __forceinline__ Value product(Value a, Value b) {
        return __umul64hi(a, b) != 0 ? infinity() : a * b;
    }
    static __device__ __forceinline__ Value sum(Value a, Value b) {
        return a + b < a ? infinity() : a + b;
    }
    static __device__ __forceinline__ Value candidate(Value left, Value pair, Value third, Value right) {
        return sum(sum(product(pair, third), left), right);
    }
    static __device__ __forceinline__ Value least(Value least, Value left, Value right) {
        Value found = left + right;
        return found >= left && found < least ? found : least;
    }
    static __device__ __forceinline__ Value least(Value least, Value left, Value pair, Value third, Value right) {
        Value found;
        Value beyond;  // the upper 64 bits of the candidate
        asm("mad.lo.cc.u64 %0, %3, %4, %2;\n"
            "madc.hi.u64 %1, %3, %4, 0;\n"
            "add.cc.u64 %0, %0, %5;\n"
            "addc.u64 %1, %1, 0;"
            : "=&l"(found), "=&l"(beyond)
            : "l"(left), "l"(pair), "l"(third), "l"(right));
        return beyond == 0 && found < least ? found : least;
    }
};

// A chain of matrices, or a polygon with a weight at each vertex: w(i, k, j) = factor(i) factor(k) factor(j), and nothing for a leaf.
//
// By Hu and Shing (SIAM J. Comput. 11, 1982) a split k that some u in (i, k) and some v in (k, j) are both smaller than is never
// optimal: no arc of an optimal partition of the polygon has on both of its sides a vertex smaller than its larger end, and either
// i..k or k..j would. Where u or v is as small as k, k may be optimal, but is not the only one: as if equal factors differed a little,
// those furthest out being the smallest.
template <typename A>
struct ChainProduct {
    using Arithmetic = A;
    using Value = typename A::Value;
    static constexpr bool BY_SPLIT = true;
    static constexpr bool BY_RANGE = false;

    const Value* factors;  // of each vertex

    // The cost of an instance, and whether it is one: what does not fit 63 bits is negative.
    static __device__ __forceinline__ bool answer(Value cost, int64& to) {
        to = static_cast<int64>(cost);
        return to >= 0;
    }
    __device__ __forceinline__ Value leaf(int) const {
        return 0;
    }
    __device__ __forceinline__ Value range(int, int) const {
        return 0;
    }
    // What the entry (i, j) would be if it were split at k, into parts of these costs.
    __device__ __forceinline__ Value candidate(int i, int k, int j, Value left, Value right) const {
        return A::candidate(left, A::product(factors[i], factors[k]), factors[j], right);
    }
};

// Given costs of the leaves, and of each range of two or more leaves a weight whatever its split. Both are at least 0.
template <typename A, typename Given>
struct RangeWeights {
    using Arithmetic = A;
    using Value = typename A::Value;
    static constexpr bool BY_SPLIT = false;
    static constexpr bool BY_RANGE = true;

    const Given* leaves;
    const Given* ranges;  // those from the first leaf, shortest first, then those from the second one and so on
    int count;            // of leaves

    static __device__ __forceinline__ bool answer(uint64 cost, int64& to) {
        to = static_cast<int64>(cost);
        return to >= 0;
    }
    static __device__ __forceinline__ bool answer(double cost, int64& to) {
        to = __double_as_longlong(cost);
        return true;
    }
    __device__ __forceinline__ Value leaf(int i) const {
        // makes -0.0 the other zero, as adding does everywhere else
        return static_cast<Value>(leaves[i]) + Value{};
    }
    __device__ __forceinline__ Value range(int i, int j) const {
        return static_cast<Value>(ranges[static_cast<int64>(i) * (2 * count - i - 1) / 2 + j - i - 2]);
    }
    __device__ __forceinline__ Value candidate(int i, int, int j, Value left, Value right) const {
        return A::sum(A::sum(left, right), range(i, j));
    }
};

}  // namespace
