// Edit distance by the textbook table of Wagner and Fischer (1974): a thread for each pair, one row of the table at a time.
#include "common/columns.cuh"
#include "common/utf8.cuh"

// `scratch` holds a row of each pair's table: byte length of b, plus one, integers from offset of b, plus row index. With `limits`, -1 where the distance exceeds the row's limit.
extern "C" __global__ void edit_distance_table(
        int rows,
        const uint32* validity,
        const int32* a_offsets,
        const uint8* a_bytes,
        const int32* b_offsets,
        const uint8* b_bytes,
        const int32* limits,
        int32* scratch,
        int32* distances) {
    int64 row = thread_index();
    if (row >= rows || !is_valid(validity, row)) {
        return;
    }
    const uint8* a_end = a_bytes + a_offsets[row + 1];
    const uint8* b_begin = b_bytes + b_offsets[row];
    const uint8* b_end = b_bytes + b_offsets[row + 1];
    int32* table = scratch + (b_offsets[row] - b_offsets[0]) + row;

    int32 columns = 0;
    table[0] = 0;
    for (const uint8* b = b_begin; b < b_end;) {
        next_code_point(b);
        columns++;
        table[columns] = columns;
    }
    for (const uint8* a = a_bytes + a_offsets[row]; a < a_end;) {
        uint32 character = next_code_point(a);
        int32 diagonal = table[0];
        int32 left = ++table[0];
        int32 j = 1;
        for (const uint8* b = b_begin; b < b_end; j++) {
            int32 substituted = diagonal + (next_code_point(b) == character ? 0 : 1);
            diagonal = table[j];
            left = min(substituted, min(diagonal, left) + 1);
            table[j] = left;
        }
    }
    int32 distance = table[columns];
    distances[row] = limits != nullptr && distance > limits[row] ? -1 : distance;
}
