// Copies the windows of sequences, so that each window becomes a sequence that rna_fold folds:
// dev.bellman.fold.rna.RnaWindows.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "fold/rna/windows.cuh"

// The windows of all rows, in order. `begins` and `behinds` are positions in the row's sequence, `ends` are positions
// in the concatenated text of all windows, and `sources` are positions in the text of all sequences.
struct Windows {
    int32* begins;
    int32* behinds;
    int32* ends;
    int32* sources;
};

STRUCT_FOR_HOST(Windows);
MEMBER_FOR_HOST(Windows, begins);
MEMBER_FOR_HOST(Windows, behinds);
MEMBER_FOR_HOST(Windows, ends);
MEMBER_FOR_HOST(Windows, sources);

// Computes the number of windows of each row and the total number of their bases; both are 0 for rows that are not
// solved on the GPU. Appends a zero to each array.
extern "C" __global__ void rna_window_counts(
        int32 rows,
        const int32* offsets,
        const int32* windows,
        const int32* steps,
        Classified rows_of,
        int32* counts,
        int32* letters) {
    int64 row = thread_index();
    if (row > rows) {
        return;
    }
    bool is_solved = row < rows && rows_of.is_solved(row);
    int32 n = is_solved ? offsets[row + 1] - offsets[row] : 0;
    counts[row] = is_solved ? static_cast<int32>(window_count(n, windows[row], steps[row])) : 0;
    letters[row] = is_solved ? static_cast<int32>(window_letters(n, windows[row], steps[row])) : 0;
}

// Finds the windows of the rows order[from], order[from + 1], ..., with one warp per row.
//
// - counts: the number of windows before each row
// - letters: the number of bases in these windows
// - window_order: the windows, grouped in the same way as their rows
// - cursor: the number of windows in window_order
extern "C" __global__ void rna_window_places(
        const int32* order,
        int32 from,
        int32 count,
        const int32* offsets,
        const int32* windows,
        const int32* steps,
        const int32* counts,
        const int32* letters,
        Windows to,
        int32* window_order,
        int32* cursor) {
    int64 at = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (at >= count) {
        return;
    }
    int32 row = order[from + at];
    int32 begin = offsets[row];
    int32 n = offsets[row + 1] - begin;
    int32 window = windows[row];
    int32 step = steps[row];
    int32 first = counts[row];
    int32 its = counts[row + 1] - first;
    int32 place = 0;
    if (lane == 0) {
        place = atomicAdd(cursor, its);
    }
    place = __shfl_sync(~0u, place, 0);
    for (int32 each = lane; each < its; each += 32) {
        int32 start = each * step;
        int32 length = min(window, n - start);
        window_order[place + each] = first + each;
        to.begins[first + each] = start;
        to.behinds[first + each] = start + length;
        to.ends[first + each] = letters[row] + each * window + length;
        to.sources[first + each] = begin + start;
    }
}

// Copies the bases of all windows, with one warp per window.
//
// - offsets: the offsets of the windows in `to`
extern "C" __global__ void rna_window_text(
        int32 windows, const int32* sources, const uint8* text, const int32* offsets, uint8* to) {
    int64 window = thread_index() / 32;
    if (window < windows) {
        int32 begin = offsets[window];
        int32 count = offsets[window + 1] - begin;
        const uint8* from = text + sources[window];
        for (int32 at = threadIdx.x % 32; at < count; at += 32) {
            to[begin + at] = from[at];
        }
    }
}
