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
    int32 has_other;       // whether such characters have a score
    int32 match;
    int32 mismatch;
    int32 insert_open;
    int32 insert_extend;
    int32 delete_open;
    int32 delete_extend;
    // the costs of the second piece; equal to those of the first piece if there is only one
    int32 insert_open2;
    int32 insert_extend2;
    int32 delete_open2;
    int32 delete_extend2;
    int32 has_two_pieces;  // whether gaps of either kind have two pieces
    int32 magnitude;       // the largest magnitude of a number in the scoring

    __device__ __forceinline__ int32 column(int32 symbol) const {
        return min(symbol, columns - 1);
    }

    __device__ __forceinline__ int32 score(int32 x, int32 y) const {
        return codes == nullptr ? (x == y ? match : mismatch) : table[column(x) * columns + column(y)];
    }

    // Returns the costs of the first (0) or the second (1) piece.
    __device__ __forceinline__ int32 open_of_insert(int32 piece) const {
        return piece == 0 ? insert_open : insert_open2;
    }

    __device__ __forceinline__ int32 extend_of_insert(int32 piece) const {
        return piece == 0 ? insert_extend : insert_extend2;
    }

    __device__ __forceinline__ int32 open_of_delete(int32 piece) const {
        return piece == 0 ? delete_open : delete_open2;
    }

    __device__ __forceinline__ int32 extend_of_delete(int32 piece) const {
        return piece == 0 ? delete_extend : delete_extend2;
    }

    __device__ __forceinline__ int32 insertion(int32 letters) const {
        return letters == 0
                ? 0
                : min(insert_open + (letters - 1) * insert_extend, insert_open2 + (letters - 1) * insert_extend2);
    }
};
