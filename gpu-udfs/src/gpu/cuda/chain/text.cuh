// Writes the parenthesization of a chain as a string.
#pragma once
#include "common/warp.cuh"

namespace {

__device__ __forceinline__ int digits(int number) {
    return number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : number < 10000 ? 4 : 5;
}

// Writes a string such as "((A1A2)A3)" with one warp.
//
// - parentheses: for each vertex, the number of parentheses that open before the matrix to its right and (upper half)
//   close after the one to its left
__device__ void write_text(int vertices, const uint32* parentheses, uint8* text, int lane) {
    int written = 0;
    for (int from = 1; from < vertices; from += 32) {
        int matrix = from + lane;
        int opening = 0;
        int closing = 0;
        int length = 0;
        if (matrix < vertices) {
            opening = parentheses[matrix - 1] & 0xffff;
            closing = parentheses[matrix] >> 16;
            length = opening + 1 + digits(matrix) + closing;
        }
        int end = sum_up_to_lane(length);
        if (matrix < vertices) {
            uint8* to = text + written + end - length;
            for (int i = 0; i < opening; i++) {
                *to++ = '(';
            }
            *to = 'A';
            to += digits(matrix);
            int rest = matrix;
            for (int i = digits(matrix); i > 0; i--) {
                *to-- = static_cast<uint8>('0' + rest % 10);
                rest /= 10;
            }
            to += digits(matrix) + 1;
            for (int i = 0; i < closing; i++) {
                *to++ = ')';
            }
        }
        written += __shfl_sync(0xffffffff, end, 31);
    }
}

}  // namespace
