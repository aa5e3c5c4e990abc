// The memory layout of the table for a shortest common supersequence.
#pragma once

#include "common/columns.cuh"

// The anti-diagonals of a table with n + 1 rows and m + 1 columns. Each is contiguous, with one cell for each row that
// it crosses.
struct Diagonals {
    int32* table;
    int64 n;
    int64 m;
    int32 whole;  // whether all anti-diagonals are kept; otherwise, each one overwrites the fourth one before it

    // Returns the first row that anti-diagonal d crosses.
    __device__ __forceinline__ int64 first(int64 d) const {
        return max(0LL, d - m);
    }

    __device__ __forceinline__ int64 last(int64 d) const {
        return min(n, d);
    }

    // Returns anti-diagonal d, indexed by the row.
    __device__ __forceinline__ int32* line(int64 d) const {
        if (!whole) {
            return table + (d & 3) * (min(n, m) + 1) - first(d);
        }
        int64 beyond = max(0LL, d - n - 1);
        int64 before = d - beyond;
        int64 skipped = max(0LL, d - m - 1);
        return table + before * (before + 1) / 2 + beyond * (n + 1) - skipped * (skipped + 1) / 2 - first(d);
    }

    __device__ __forceinline__ int32 at(int64 i, int64 j) const {
        return line(i + j)[i];
    }
};

struct Rows {
    const int32* table;
    int64 columns;

    __device__ __forceinline__ int32 at(int64 i, int64 j) const {
        return table[i * columns + j];
    }
};
