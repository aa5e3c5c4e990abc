// Weights of unlimited range, as in dev.bellman.fold.rna.energy.WideRow, with all sums in the same order.
#pragma once

#include "common/columns.cuh"

// A DOUBLE times a power of 2^512. The exponent of 2^512 is called the level. Only `add_product` fuses a
// product and a sum.
struct Wide {
    double value;
    int32 level;

    static __device__ __forceinline__ Wide none() {
        return {0, 0};
    }

    static __device__ __forceinline__ Wide normal(double value, int32 level) {
        Wide weight = {value, level};
        weight.normalize();
        return weight;
    }

    __device__ __forceinline__ void add(double term, int32 of_term) {
        if (of_term == level) {
            value = __dadd_rn(value, term);
        } else if (term != 0) {
            *this = sum_apart(*this, term, of_term);
        }
    }

    __device__ __forceinline__ void add(Wide term) {
        add(term.value, term.level);
    }

    // Adds the product of two numbers, rounded only once if the levels are equal.
    __device__ __forceinline__ void add_product(double x, double y, int32 of_product) {
        if (of_product == level) {
            value = __fma_rn(x, y, value);
        } else {
            add(__dmul_rn(x, y), of_product);
        }
    }

    __device__ __forceinline__ void scale(double factor) {
        value = __dmul_rn(value, factor);
        normalize();
    }

    __device__ __forceinline__ void normalize() {
        if (value == 0) {
            level = 0;
        } else if (value >= LARGEST || value < SMALLEST) {
            *this = moved(*this);
        }
    }

    // Returns the DOUBLE value of a weight that is at most about 1.
    __device__ __forceinline__ double plain() const {
        double plain = value;
        for (int32 each = level; each < 0 && plain > 0; each++) {
            plain = __dmul_rn(plain, DOWN);
        }
        return plain;
    }

private:
    static constexpr double UP = 0x1p512;
    static constexpr double DOWN = 0x1p-512;
    static constexpr double LARGEST = 0x1p256;
    static constexpr double SMALLEST = 0x1p-256;
    static constexpr double FINITE = 0x1.fffffffffffffp1023;
    static constexpr int32 APART = 3;

    static __device__ __forceinline__ double lowered(double value, int32 levels) {
        return levels >= APART ? 0 : __dmul_rn(levels == 2 ? __dmul_rn(value, DOWN) : value, DOWN);
    }

    // Adds a term of a different level. Inlined, because calls would make the kernel save registers.
    static __device__ __forceinline__ Wide sum_apart(Wide sum, double term, int32 of_term) {
        int32 above = of_term - sum.level;
        if (sum.value == 0 || above >= APART) {
            return {term, of_term};
        }
        return above > 0 ? Wide{__dadd_rn(lowered(sum.value, above), term), of_term}
                         : Wide{__dadd_rn(sum.value, lowered(term, -above)), sum.level};
    }

    static __device__ __forceinline__ Wide moved(Wide weight) {
        while (weight.value >= LARGEST && weight.value <= FINITE) {
            weight.value = __dmul_rn(weight.value, DOWN);
            weight.level++;
        }
        while (weight.value < SMALLEST && weight.value > 0) {
            weight.value = __dmul_rn(weight.value, UP);
            weight.level--;
        }
        return weight;
    }
};

// Weights in memory, with values and levels in separate arrays.
struct WideRow {
    double* values;
    int16* levels;

    __device__ __forceinline__ WideRow from(int64 at) const {
        return {values + at, levels + at};
    }

    __device__ __forceinline__ Wide get(int64 at) const {
        return {values[at], levels[at]};
    }

    __device__ __forceinline__ void set(int64 at, Wide weight) const {
        values[at] = weight.value;
        levels[at] = static_cast<int16>(weight.level);
    }
};
