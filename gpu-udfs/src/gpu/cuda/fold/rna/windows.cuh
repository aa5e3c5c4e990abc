// The windows of a sequence: dev.bellman.fold.rna.RnaWindows.
#pragma once

#include "common/columns.cuh"

constexpr int64 INT32_MOST = 0x7fffffff;

// Returns the number of windows of a sequence of n bases. Windows begin at the multiples of the step that are less than
// n, up to the first window that reaches the end.
__device__ __forceinline__ int64 window_count(int32 n, int32 window, int32 step) {
    int64 most = (static_cast<int64>(n) + step - 1) / step;
    int64 behind = max(0ll, static_cast<int64>(n) - window);
    return min(most, 1 + (behind + step - 1) / step);
}

// Returns the total number of bases in all windows. All windows but the last one have `window` bases.
__device__ __forceinline__ int64 window_letters(int32 n, int32 window, int32 step) {
    int64 before = window_count(n, window, step) - 1;
    return n == 0 ? 0 : before * window + min(static_cast<int64>(window), n - before * step);
}
