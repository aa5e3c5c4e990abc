// Memory for the results of alignments, and a writer for CIGARs.
#pragma once

#include "align/score/scheme.cuh"

// Where the kernels write the alignments of a batch: one column for each number, and the memory for CIGARs.
struct Alignments {
    int64* scores;
    int32* begins_in_a;
    int32* ends_in_a;
    int32* begins_in_b;
    int32* ends_in_b;
    int32* identities;
    int32* gaps;
    const int32* a_offsets;
    const int32* b_offsets;
    // two bytes for each letter in a row's texts, after the bytes of earlier rows; a CIGAR ends where its row's bytes
    // end
    uint8* room;
    int32* lengths;   // the lengths of CIGARs
    const int64* least;  // the smallest score to return for each row, or null; rows with lower scores have no CIGAR
};

// Writes a CIGAR from its end to its beginning.
struct CigarWriter {
    uint8* at;
    int32 run = 0;
    uint8 operation = 0;

    __device__ __forceinline__ void append(uint8 next, int32 count) {
        if (next != operation) {
            flush();
            operation = next;
        }
        run += count;
    }

    __device__ __forceinline__ void flush() {
        if (run > 0) {
            *--at = operation;
        }
        for (; run > 0; run /= 10) {
            *--at = '0' + run % 10;
        }
    }
};

// Returns the end of the memory reserved for a row's CIGAR.
__device__ __forceinline__ uint8* end_of_cigar(const Alignments& to, int32 row) {
    int64 consumed = static_cast<int64>(to.a_offsets[row + 1]) - to.a_offsets[0] + to.b_offsets[row + 1]
            - to.b_offsets[0];
    return to.room + 2 * consumed;
}
