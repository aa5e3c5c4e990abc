// The last rows of pairs for loops with unpaired bases on one side and at most one unpaired base on the other: all rows
// for loops whose longer side is the left, and one row for bulges on the right, or two for loops with one base on the
// left.
#pragma once

#include "fold/rna/ensemble/ensemble_table.cuh"

// The number of rows of a batch.
constexpr int32 TOGETHER = 3;

// The number of rows stored, a multiple of the rows of four batches.
constexpr int32 PLAIN_FAR = 36;

// Bulges, and loops with one unpaired base on a side.
constexpr int32 KINDS_OF_EDGES = 2;

// A part of a sequence's global memory. Indices of 32 bits into a common address take fewer instructions than pointers.
struct Part {
    double* memory;
    uint32 first;

    __device__ __forceinline__ double& operator[](uint32 at) const {
        return memory[first + at];
    }

    __device__ __forceinline__ Part from(uint32 at) const {
        return {memory, first + at};
    }
};

// A sequence has at most n + MORE_FACTORS factors for numbers of bases.
constexpr int32 MORE_FACTORS = MAX_INTERNAL + 3;

// Returns the number of doubles for a sequence's factors and their levels.
__device__ constexpr int32 words_of_factors(int32 n) {
    return (n + MORE_FACTORS) * 5 / 4 + 1;
}

// In global memory. For long sequences, two successive batches sum the earlier rows together, so that a row is loaded
// once for both.
template <int32 WIDTH>
class PlainFar {
    // the number of rows whose sums a thread computes at once
    static constexpr int32 SUMMED = WIDTH > 120 ? 2 * TOGETHER : TOGETHER;

    // the number of rows that a thread loads at once
    static constexpr int32 AT_ONCE = (WIDTH > 64 ? 4 : 2) * TOGETHER;
    static_assert(PLAIN_FAR % AT_ONCE == 0, "rows are loaded in equal parts");

    // Whether all rows have the same length, which is that for WIDTH bases. Each sequence has a table for the longest
    // sequence of its launch, and smaller kernels solve launches whose longest sequence has at most WIDTH / 2 bases.
    static constexpr bool IS_FIXED = WIDTH > 32;
    static constexpr int32 SHORTEST = WIDTH / 2 + 1;
    // `PlainSums` needs SIZE_ROWS rows; a word contains a level, which is not used
    static_assert(!IS_FIXED || words_of_factors(SHORTEST) + (PLAIN_FAR * KINDS_OF_EDGES + SIZE_ROWS) * WIDTH
            <= WORDS_OF_BASE * SHORTEST * 5 / 4, "a table has no room for the rows");

public:
    // The number of sizes of bulges, with zeros after them.
    static constexpr int32 SIZES = PLAIN_FAR + SUMMED;

    PlainFar() = default;

    __device__ PlainFar(Part part, int32 n) : rows_(part), n_(n) {}

    // Returns the number of doubles.
    __device__ __forceinline__ int32 size() const {
        return PLAIN_FAR * row();
    }

    // Clears all rows, so that loops that do not fit in the sequence have a weight of 0.
    __device__ __forceinline__ void clear() {
        for (int32 at = threadIdx.x; at < size(); at += blockDim.x) {
            rows_[at] = 0;
        }
#pragma unroll
        for (double& each : later_) {
            each = 0;
        }
        first_ = 0;
    }

    // Stores an entry of the a-th row of a batch.
    __device__ __forceinline__ void keep(int32 a, int32 column, double bulge, double one) const {
        double* entry = &rows_[(first_ + a) * row() + column];
        entry[0] = bulge;
        entry[width()] = one;
    }

    // Counts a batch whose rows have been stored.
    __device__ __forceinline__ void finish_batch() {
        first_ = first_ + TOGETHER == PLAIN_FAR ? 0 : first_ + TOGETHER;
    }

    // Sums loops for column j of the rows of a batch: bulges, or loops with one unpaired base on the right or, in the
    // reverse pass, the left.
    //
    // - loops: the number of loops of the first row that fit in the sequence
    // - sizes: the factors for the sizes of loops
    template <bool INSIDE>
    __device__ __forceinline__ void sum(
            int32 kind, int32 j, int32 loops, const double* sizes, double (&sums)[TOGETHER]) {
        uint32 column = kind * width() + (INSIDE ? j - 1 - kind : j + 1 + kind);
        if (SUMMED == TOGETHER || first_ % SUMMED == 0) {
            double all[SUMMED] = {};
#pragma unroll 1
            for (int32 distance = PLAIN_FAR; distance > 0; distance -= AT_ONCE) {
                if (distance - AT_ONCE < loops) {
                    add<AT_ONCE>(column, distance, sizes, all);
                }
            }
#pragma unroll
            for (int32 a = 0; a < TOGETHER; a++) {
                sums[a] = all[a];
                later_[a] = all[SUMMED - TOGETHER + a];
            }
        } else {
#pragma unroll
            for (int32 a = 0; a < TOGETHER; a++) {
                sums[a] = later_[a];
            }
            if (loops > 0) {
                add<TOGETHER>(column, TOGETHER, sizes, sums);
            }
        }
    }

private:
    Part rows_;
    int32 n_;
    int32 first_ = 0;            // the place of the first row of the batch
    double later_[TOGETHER];     // the sums of this thread for the next batch

    // Adds loops with the pairs of COUNT rows to the sums of ROWS rows.
    //
    // - distance: from the first of the sums' rows to the farthest of the pairs' rows
    template <int32 COUNT, int32 ROWS>
    __device__ __forceinline__ void add(
            uint32 column, int32 distance, const double* sizes, double (&sums)[ROWS]) const {
        double pairs[COUNT];
#pragma unroll
        for (int32 part = 0; part < COUNT; part += SUMMED) {
            int32 place = first_ - distance + part;
            const double* rows = &rows_[(place < 0 ? place + PLAIN_FAR : place) * row() + column];
#pragma unroll
            for (int32 each = part; each < min(COUNT, part + SUMMED); each++) {
                pairs[each] = rows[(each - part) * row()];
            }
        }
        const double* its = sizes + distance - COUNT;
#pragma unroll
        for (int32 each = 0; each < COUNT; each++) {
#pragma unroll
            for (int32 a = 0; a < ROWS; a++) {
                sums[a] = __fma_rn(pairs[each], its[COUNT - 1 - each + a], sums[a]);
            }
        }
    }

    __device__ __forceinline__ int32 width() const {
        return IS_FIXED ? WIDTH : n_;
    }

    __device__ __forceinline__ int32 row() const {
        return KINDS_OF_EDGES * width();
    }
};

// In shared memory.
template <int32 WIDTH>
class PlainBeside {
    static constexpr int32 AT_ONCE = 8;
    // AT_ONCE zeros are before and after each row, for loops that do not fit in the sequence
    static constexpr int32 STRIDE = WIDTH + AT_ONCE;

public:
    // The number of doubles.
    static constexpr int32 SIZE = 3 * STRIDE + AT_ONCE;

    PlainBeside() = default;

    __device__ explicit PlainBeside(double* room) : bulges_(room + AT_ONCE), ones_(bulges_ + STRIDE) {}

    __device__ __forceinline__ void keep(int32 i, int32 column, double bulge, double one) const {
        bulges_[column] = bulge;
        ones_[(i & 1) * STRIDE + column] = one;
    }

    // Adds the loops next to a pair of row i: bulges to the first sum, loops with one unpaired base to the second.
    //
    // - most: the maximum number of unpaired bases next to the pair
    // - bulge_sizes, one_sizes: the factors for the sizes of loops
    template <bool INSIDE>
    __device__ __forceinline__ void sum(
            int32 i,
            int32 column,
            int32 most,
            const double* bulge_sizes,
            const double* one_sizes,
            double& bulges,
            double& ones) const {
        constexpr int32 STEP = INSIDE ? -1 : 1;
        const double* of_bulges = bulges_ + column + STEP;
        const double* of_ones = ones_ + (i & 1) * STRIDE + column + STEP;
        double bulge = bulges;
        double one = ones;
#pragma unroll 1
        for (int32 first = 2; first <= min(MAX_INTERNAL, most); first += AT_ONCE) {
#pragma unroll
            for (int32 r = first; r < first + AT_ONCE; r++) {
                bulge = __fma_rn(of_bulges[STEP * r], bulge_sizes[r], bulge);
                one = __fma_rn(of_ones[STEP * r], one_sizes[r], one);
            }
        }
        bulges = bulge;
        ones = one;
    }

private:
    double* bulges_;  // the last row
    double* ones_;    // the last two rows
};
