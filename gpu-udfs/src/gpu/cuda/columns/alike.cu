// Numbers the rows by the value of a string argument, so that the host reads each distinct string only once:
// dev.bellman.columns.AlikeRows.
#include "common/columns.cuh"
#include "common/host.cuh"

constexpr int32 UNNUMBERED = -1;
FOR_HOST(UNNUMBERED);

// Assigns `number` to the unnumbered rows whose string equals that of row `like`, with one warp per row.
//
// - like: -1 if there is no such row
// - first: is set to the minimum of its previous value and the indices of all rows that remain unnumbered
extern "C" __global__ void alike_rows(
        int32 rows,
        const uint32* validity,
        const int32* offsets,
        const uint8* bytes,
        int32 like,
        int32 number,
        int32* numbers,
        int32* first) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (row >= rows || !is_valid(validity, row) || numbers[row] != UNNUMBERED) {
        return;
    }
    int32 begin = offsets[row];
    int32 length = offsets[row + 1] - begin;
    bool same = like >= 0 && length == offsets[like + 1] - offsets[like];
    // all lanes of a warp process the same row, so they leave the loop together
    for (int32 i = lane; __any_sync(~0u, same && i < length); i += 32) {
        same = __all_sync(~0u, same && (i >= length || bytes[begin + i] == bytes[offsets[like] + i])) != 0;
    }
    if (lane > 0) {
        return;
    }
    if (same) {
        numbers[row] = number;
    } else {
        atomicMin(first, static_cast<int32>(row));
    }
}
