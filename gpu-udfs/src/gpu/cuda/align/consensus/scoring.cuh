// Scorings of alignments.
#pragma once

#include "common/columns.cuh"

// A scoring in the form that the kernels use.
struct ConsensusScoring {
    // for each ASCII character, its column of the table, or NO_CODE; null if characters are compared
    const uint8* codes;
    // `columns` rows of `columns` scores; the last row and column are for characters that are not in the matrix
    const int32* table;
    int32 columns;
    int32 has_other;     // whether such characters have a score
    int32 match;
    int32 mismatch;
    int32 insert_open;
    int32 insert_extend;
    int32 delete_open;
    int32 delete_extend;
    int32 magnitude;     // the largest magnitude of a number in the scoring

    __device__ __forceinline__ int32 column(int32 symbol) const {
        return min(symbol, columns - 1);
    }

    __device__ __forceinline__ int32 score(int32 x, int32 y) const {
        return codes == nullptr ? (x == y ? match : mismatch) : table[column(x) * columns + column(y)];
    }

    __device__ __forceinline__ int32 insertion(int32 letters) const {
        return letters == 0 ? 0 : insert_open + (letters - 1) * insert_extend;
    }
};
