// Isotonic regression in the order of dev.bellman.segment.Isotonic and with its pairs of doubles, for numbers with too
// many bits for exact sums. A thread solves a row. It stops if the CPU would compare exact sums or if the rounding of a
// mean is uncertain.
#pragma once

#include "segment/costs.cuh"

namespace {

// A block: its weighted sum, its weight, and the mean.
struct Block {
    double sum;
    double sum_low;
    double weight;
    double weight_low;
    double mean;
    int32 end;
    bool is_constant;  // whether all values are equal

    __device__ __forceinline__ bool is_exact() const {
        return sum_low == 0 && weight_low == 0;
    }
};

constexpr int32 BLOCK_BYTES = 5 * sizeof(double) + sizeof(int32);

// The blocks of 32 rows, one row for each lane.
struct Blocks {
    double* numbers;
    int32* ends;  // the end of each block, inverted if not all values are equal

    __device__ Blocks(uint8* slot, int32 most, int32 lane) {
        numbers = reinterpret_cast<double*>(slot) + lane;
        ends = reinterpret_cast<int32*>(reinterpret_cast<double*>(slot) + static_cast<int64>(most) * 5 * 32) + lane;
    }

    __device__ __forceinline__ void put(int32 i, const Block& block) const {
        double* to = numbers + static_cast<int64>(i) * 5 * 32;
        to[0] = block.sum;
        to[32] = block.sum_low;
        to[64] = block.weight;
        to[96] = block.weight_low;
        to[128] = block.mean;
        ends[i * 32] = block.is_constant ? block.end : ~block.end;
    }

    __device__ __forceinline__ Block get(int32 i) const {
        const double* from = numbers + static_cast<int64>(i) * 5 * 32;
        int32 end = ends[i * 32];
        return {from[0], from[32], from[64], from[96], from[128], end < 0 ? ~end : end, end >= 0};
    }

    __device__ __forceinline__ int32 end(int32 i) const {
        return ends[i * 32] < 0 ? ~ends[i * 32] : ends[i * 32];
    }
};

enum class Order { INCREASES, VIOLATES, UNCERTAIN };

__device__ __forceinline__ Order compare(const Block& before, const Block& last) {
    constexpr double MIN_PRODUCT = 1e-250;
    if (before.mean != last.mean) {
        return before.mean < last.mean ? Order::INCREASES : Order::VIOLATES;
    }
    if ((before.is_constant && last.is_constant) || (before.sum == 0 && last.sum == 0)) {
        return Order::VIOLATES;
    }
    double left = __dmul_rn(before.sum, last.weight);
    double right = __dmul_rn(last.sum, before.weight);
    if (!before.is_exact() || !last.is_exact() || !(fmin(fabs(left), fabs(right)) > MIN_PRODUCT)) {
        return Order::UNCERTAIN;
    }
    double left_low = __fma_rn(before.sum, last.weight, -left);
    double right_low = __fma_rn(last.sum, before.weight, -right);
    return left < right || (left == right && left_low < right_low) ? Order::INCREASES : Order::VIOLATES;
}

// Returns the quotient of two pairs and, in `rest`, its correction.
__device__ __forceinline__ double quotient(
        double high, double low, double divisor, double divisor_low, double& rest) {
    double result = __ddiv_rn(high, divisor);
    rest = __ddiv_rn(
        __dadd_rn(__fma_rn(-result, divisor, high), __dsub_rn(low, __dmul_rn(result, divisor_low))), divisor);
    return result;
}

__device__ __forceinline__ Block merge(const Block& before, const Block& last) {
    Block both;
    both.is_constant = before.is_constant && last.is_constant && before.mean == last.mean;
    both.end = last.end;
    double sum = __dadd_rn(before.sum, last.sum);
    double low = __dadd_rn(lost(before.sum, last.sum, sum), __dadd_rn(before.sum_low, last.sum_low));
    both.sum = __dadd_rn(sum, low);
    both.sum_low = lost(sum, low, both.sum);
    double weight = __dadd_rn(before.weight, last.weight);
    low = __dadd_rn(lost(before.weight, last.weight, weight), __dadd_rn(before.weight_low, last.weight_low));
    both.weight = __dadd_rn(weight, low);
    both.weight_low = lost(weight, low, both.weight);
    double rest;
    double high = quotient(both.sum, both.sum_low, both.weight, both.weight_low, rest);
    both.mean = __dadd_rn(high, rest);
    return both;
}

// A row's values and their weights.
struct Violators {
    const double* values;
    const double* weights;  // null if all weights are 1
    int32 count;

    __device__ __forceinline__ double value(int32 i) const {
        return __dadd_rn(values[i], 0);  // turns -0.0 into 0.0
    }

    __device__ __forceinline__ double weight(int32 i) const {
        return weights == nullptr ? 1 : weights[i];
    }

    // Merges neighbours whose means do not increase. Returns the number of blocks; -1 if a comparison is uncertain.
    __device__ __forceinline__ int32 pool(const Blocks& blocks) const {
        int32 found = 0;
        for (int32 i = 0; i < count; i++) {
            double product = __dmul_rn(weight(i), value(i));
            Block last = {product, __fma_rn(weight(i), value(i), -product), weight(i), 0, value(i), i + 1, true};
            while (found > 0) {
                Block before = blocks.get(found - 1);
                Order order = compare(before, last);
                if (order == Order::UNCERTAIN) {
                    return -1;
                }
                if (order == Order::INCREASES) {
                    break;
                }
                last = merge(before, last);
                found--;
            }
            blocks.put(found++, last);
        }
        return found;
    }

    // Returns the mean of several values, rounded once; NaN if the rounding is uncertain. Each addition to a pair has
    // an error of at most 2^-103 times the sum of the magnitudes, and the quotient has an error of at most 2^-102 times
    // the result.
    __device__ __forceinline__ double mean(int32 from, int32 to) const {
        constexpr double ERROR = 0x1p-99;
        constexpr double SMALLEST = 0x1p-900;
        double sum = 0;
        double sum_low = 0;
        double total = 0;
        double total_low = 0;
        double magnitude = 0;
        bool is_zero = true;
        for (int32 i = from; i < to; i++) {
            double product = __dmul_rn(weight(i), value(i));
            append(sum, sum_low, product, __fma_rn(weight(i), value(i), -product));
            append(total, total_low, weight(i), 0);
            magnitude = __dadd_rn(magnitude, fabs(product));
            is_zero = is_zero && value(i) == 0;
        }
        if (is_zero) {
            return 0;
        }
        double rest;
        double high = quotient(sum, sum_low, total, total_low, rest);
        double result = __dadd_rn(high, rest);
        double low = lost(high, rest, result);
        double error = __dmul_rn(__dmul_rn(ERROR, to - from + 8), __ddiv_rn(magnitude, total));
        double least = __dadd_rn(result, __dsub_rn(low, error));
        bool is_certain = fabs(sum) >= SMALLEST && fabs(result) >= SMALLEST
            && least == __dadd_rn(result, __dadd_rn(low, error));
        return is_certain ? least : __longlong_as_double(0x7ff8000000000000LL);
    }

    // Writes the fitted values. Returns whether all are certain.
    __device__ __forceinline__ bool write(const Blocks& blocks, int32 found, double* fitted) const {
        int32 i = 0;
        for (int32 block = 0; block < found; block++) {
            int32 end = blocks.end(block);
            double fit = end - i == 1 ? value(i) : mean(i, end);
            if (isnan(fit)) {
                return false;
            }
            for (; i < end; i++) {
                fitted[i] = fit;
            }
        }
        return true;
    }
};

}  // namespace
