// Writes a column of RNA structures, each of which is as long as its sequence.
#include "columns/instances.cuh"

// Computes the length of each structure, or 0 for rows that are not solved on the GPU. Appends a zero.
extern "C" __global__ void structure_lengths(int32 rows, const int32* offsets, Classified rows_of, int32* lengths) {
    int64 row = thread_index();
    if (row <= rows) {
        lengths[row] = row < rows && rows_of.is_solved(row) ? offsets[row + 1] - offsets[row] : 0;
    }
}

// Copies the structures to their positions in the result, with one warp per row.
extern "C" __global__ void structure_write(
        int32 rows, const int32* offsets, const uint8* structures, const int32* to_offsets, uint8* to) {
    int64 row = thread_index() / 32;
    if (row < rows) {
        int32 begin = to_offsets[row];
        int32 count = to_offsets[row + 1] - begin;
        for (int32 i = threadIdx.x % 32; i < count; i += 32) {
            to[begin + i] = structures[offsets[row] + i];
        }
    }
}
