// The last rows of pairs for loops with unpaired bases on one side and at most one unpaired base on the other.
#pragma once

#include "fold/rna/ensemble/ensemble_table.cuh"

// The number of rows of a batch.
constexpr int32 TOGETHER = 3;

// The number of rows stored.
constexpr int32 PLAIN_FAR = 32;

// Bulges, and loops with one unpaired base on a side.
constexpr int32 KINDS_OF_EDGES = 2;

// The sizes of bulges, with zeros before and after them.
constexpr int32 PLAIN_SIZES = PLAIN_FAR + TOGETHER - 1;

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

class PlainFar {
public:
    PlainFar() = default;

    __device__ PlainFar(Part part, int32 n) : rows_(part), width_(n > 0 ? 1u << (32 - __clz(n)) : 0) {}

    // Clears all rows, so that loops that do not fit in the sequence have a weight of 0.
    __device__ __forceinline__ void clear() const {
        for (int32 at = threadIdx.x; at < PLAIN_FAR * KINDS_OF_EDGES * width_; at += blockDim.x) {
            rows_[at] = 0;
        }
    }

    __device__ __forceinline__ void keep(int32 i, int32 column, double bulge, double one) const {
        Part row = rows_.from(static_cast<uint32>(i) % PLAIN_FAR * KINDS_OF_EDGES * width_ + column);
        row[0] = bulge;
        row[width_] = one;
    }

    // Sums loops for column j of the rows of a batch: bulges, or loops with one unpaired base on the right or, in the
    // reverse pass, the left. Loads AT_ONCE pairs at a time.
    //
    // - first: the first row of the batch
    // - loops: the number of loops of the first row that fit in the sequence
    // - sizes: the factors for the sizes of loops
    template <bool INSIDE, int32 KIND, int32 AT_ONCE>
    __device__ __forceinline__ void sum(
            int32 first, int32 j, int32 loops, const double* sizes, double (&sums)[TOGETHER]) const {
        uint32 row = KINDS_OF_EDGES * width_;
        uint32 step = INSIDE ? row : -row;
        uint32 nearest = first * row + step + KIND * width_ + (INSIDE ? j - 1 - KIND : j + 1 + KIND);
#pragma unroll 1
        for (int32 from = PLAIN_FAR - AT_ONCE; from >= 0; from -= AT_ONCE) {
            if (from >= loops) {
                continue;
            }
            double pairs[AT_ONCE];
#pragma unroll
            for (int32 each = 0; each < AT_ONCE; each++) {
                // the number of entries is a power of two
                pairs[each] = rows_[(nearest + (from + each) * step) & (PLAIN_FAR * row - 1)];
            }
#pragma unroll
            for (int32 each = AT_ONCE - 1; each >= 0; each--) {
#pragma unroll
                for (int32 a = 0; a < TOGETHER; a++) {
                    sums[a] = __fma_rn(pairs[each], sizes[from + each + a], sums[a]);
                }
            }
        }
    }

private:
    Part rows_;
    int32 width_;  // a power of two above n
};
