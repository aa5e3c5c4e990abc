// Defines the cost of a split. A parenthesization over the vertices 0..n finds, for all i < j, cost(i, i + 1) =
// leaf(i), cost(i, j) = min over i < k < j of cost(i, k) + cost(k, j) + w(i, k, j). The functors at the end of this
// file represent the kinds of input: their arithmetic, and w in two parts. The part of w that depends on k is the
// product of three factors, one per vertex (BY_SPLIT). The rest is added once per entry (BY_RANGE).
#pragma once
#include "common/columns.cuh"

namespace {

// For integers, an arithmetic is exact, and all costs are smaller than its infinity, if the costs are within a bound in
// batch.cu or costs.cu. A split costs `left` and `right` for its two parts and, for a chain, also the product of `pair`
// and `third`. `candidate` is their sum, and `least` is the smaller of this sum and the current minimum.

template <typename A, typename Value>
struct Compared {
    static __device__ __forceinline__ Value least(Value least, Value left, Value right) {
        Value found = A::sum(left, right);
        return found < least ? found : least;
    }
    static __device__ __forceinline__ Value least(Value least, Value left, Value pair, Value third, Value right) {
        Value found = A::candidate(left, pair, third, right);
        return found < least ? found : least;
    }
};

struct Int32 : Compared<Int32, int32> {
    using Value = int32;
    static __device__ __forceinline__ Value infinity() {
        return 0x7fffffff;
    }
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

// Handles doubles, and integers below 2^53, with which it is faster than 64-bit integer arithmetic.
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

// Handles costs below 2^60. The cube of a factor is also below 2^60, so this code needs fewer operations than the
// compiler's 64-bit multiplication.
struct Int64 {
    using Value = int64;
    static __device__ __forceinline__ Value infinity() {
        return 0x7ff0000000000000;
    }
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
            : "=l"(result)
            : "l"(left), "l"(pair), "l"(third), "l"(right));
        return result;
    }
    // Compares values as doubles: numbers up to this infinity sort like the doubles with the same bits, and the
    // double-precision units are otherwise idle.
    static __device__ __forceinline__ Value least(Value least, Value left, Value pair, Value third, Value right) {
        Value found = candidate(left, pair, third, right);
        return __longlong_as_double(found) < __longlong_as_double(least) ? found : least;
    }
};

// Handles any dimensions and weights; numbers that overflow 64 bits become 2^64 - 1.
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

// A chain of matrices, or a polygon with a weight at each vertex: w(i, k, j) = factor(i) factor(k) factor(j), and a
// leaf costs nothing.
//
// A split at k is not optimal if some u between i and k and some v between k and j both have smaller factors than k, as
// HuShing.java proves (fact 5). Kernels that compute only the cost also skip a split if such u and v are in the same
// gap between i and j and have equal or smaller factors. Such a split may be optimal, but then a different split is
// optimal, too. To prove this, perturb equal factors of the gap slightly. The first and the last of them become smaller
// than those between. The last becomes smaller than the first if the first is skipped; otherwise, the first becomes
// smaller than the last. Then u and v are smaller for each skipped k: the first of the equal factors can only be
// skipped for a u that is smaller anyway, and the last one for such a v. A split that is optimal for arbitrarily small
// perturbations is also optimal without them.
template <typename A>
struct ChainProduct {
    using Arithmetic = A;
    using Value = typename A::Value;
    static constexpr bool BY_SPLIT = true;
    static constexpr bool BY_RANGE = false;

    const Value* factors;  // the factor of each vertex

    // Writes the cost, and returns whether it fits in 63 bits. A cost that does not fit becomes negative.
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
    // Returns the candidate for entry (i, j) if it is split at k into parts with these costs.
    __device__ __forceinline__ Value candidate(int i, int k, int j, Value left, Value right) const {
        return A::candidate(left, A::product(factors[i], factors[k]), factors[j], right);
    }
};

// The costs of the leaves and, for each range of two or more leaves, a weight that does not depend on how the range is
// split. Both are at least 0.
template <typename A, typename Type>
struct RangeWeights {
    using Arithmetic = A;
    using Value = typename A::Value;
    static constexpr bool BY_SPLIT = false;
    static constexpr bool BY_RANGE = true;

    const Type* leaves;
    // the weights of the ranges that start at the first leaf, shortest first, then at the second leaf, and so on
    const Type* ranges;
    int count;           // the number of leaves

    static __device__ __forceinline__ int64 bits(int64 cost) {
        return cost;
    }
    static __device__ __forceinline__ int64 bits(double cost) {
        return __double_as_longlong(cost);
    }
    static __device__ __forceinline__ bool answer(Value cost, int64& to) {
        to = bits(static_cast<Type>(cost));
        return to >= 0;
    }
    __device__ __forceinline__ Value leaf(int i) const {
        // turns -0.0 into 0.0, as addition does everywhere else
        return static_cast<Value>(leaves[i]) + Value{};
    }
    __device__ __forceinline__ Value range(int i, int j) const {
        return static_cast<Value>(ranges[static_cast<int64>(i) * (2 * count - i - 1) / 2 + j - i - 2]);
    }
    __device__ __forceinline__ Value candidate(int i, int, int j, Value left, Value right) const {
        return A::sum(A::sum(left, right), range(i, j));
    }
};

// A search tree represented as a parenthesization: its leaves are the gaps, and the weight of a range is the sum of its
// keys and gaps (dev.bellman.chain.tree.OptimalBst).
template <typename A>
struct TreeWeights {
    using Arithmetic = A;
    using Value = typename A::Value;
    static constexpr bool BY_SPLIT = false;
    static constexpr bool BY_RANGE = true;

    const int64* gaps;
    const int64* sums;  // the sum of all keys and gaps up to each gap

    static __device__ __forceinline__ bool answer(Value cost, int64& to) {
        to = static_cast<int64>(cost);
        return to >= 0;
    }
    __device__ __forceinline__ Value leaf(int i) const {
        return static_cast<Value>(gaps[i]);
    }
    __device__ __forceinline__ Value range(int i, int j) const {
        return static_cast<Value>(sums[j - 1] - sums[i] + gaps[i]);
    }
    __device__ __forceinline__ Value candidate(int i, int, int j, Value left, Value right) const {
        return A::sum(A::sum(left, right), range(i, j));
    }
};

// Returns the product of two factors, or 0 if the weights have no factors.
template <typename Weights, typename Value>
__device__ __forceinline__ Value pair(Value a, Value b) {
    if constexpr (Weights::BY_SPLIT) {
        return Weights::Arithmetic::product(a, b);
    } else {
        return 0;
    }
}

// Lowers the minimum to the candidate of a split if the candidate is smaller.
template <typename Weights, typename Value>
__device__ __forceinline__ void relax(Value& least, Value left, Value pair, Value third, Value right) {
    using A = typename Weights::Arithmetic;
    if constexpr (Weights::BY_SPLIT) {
        least = A::least(least, left, pair, third, right);
    } else {
        least = A::least(least, left, right);
    }
}

// The input for all rows of a batch: the factors of chains, the costs of leaves and ranges, or the frequencies.
//
// - offsets: the offsets of the factors, leaves or gaps
template <typename Weights>
struct Given;

template <typename A>
struct Given<ChainProduct<A>> {
    const int64* dims;

    // - factors: the row's factors in the arithmetic's type
    __device__ __forceinline__ ChainProduct<A> weights(int, const int32*, const typename A::Value* factors) const {
        return {factors};
    }
};

template <typename A, typename Type>
struct Given<RangeWeights<A, Type>> {
    const Type* leaves;
    const int32* range_offsets;
    const Type* ranges;

    __device__ __forceinline__ RangeWeights<A, Type> weights(int row, const int32* offsets, const void*) const {
        return {leaves + offsets[row], ranges + range_offsets[row], offsets[row + 1] - offsets[row]};
    }
};

template <typename A>
struct Given<TreeWeights<A>> {
    const int64* gaps;
    const int64* sums;

    __device__ __forceinline__ TreeWeights<A> weights(int row, const int32* offsets, const void*) const {
        return {gaps + offsets[row], sums + offsets[row]};
    }
};

// Returns the number of vertices of a row.
template <typename Weights>
__device__ __forceinline__ int count_vertices(const int32* offsets, int row) {
    return offsets[row + 1] - offsets[row] + (Weights::BY_SPLIT ? 0 : 1);
}

}  // namespace
