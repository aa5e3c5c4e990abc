// Checks of the numbers in series.
#pragma once

#include "series/pairs.cuh"

__device__ __forceinline__ bool is_number(double value) {
    return fabs(value) <= 1.7976931348623157e308;
}

__device__ __forceinline__ bool is_number(const SeriesLists& lists, int64 index, int32 floats) {
    return is_number(
        floats != 0 ? static_cast<const float*>(lists.numbers)[index]
                    : static_cast<const double*>(lists.numbers)[index]);
}

// Returns whether a list is empty, or all its points have the same size above 0 and consist of finite numbers, none of
// which is NULL. The result is the same in all lanes of the warp.
__device__ __forceinline__ bool is_series(const SeriesLists& lists, int64 row, int32 floats, int32 lane) {
    int32 length = lists.length(row);
    if (length == 0) {
        return true;
    }
    int32 begin = lists.offsets[row];
    int64 numbers = length;
    bool valid = true;
    if (lists.point_offsets != nullptr) {
        int32 dimensions = lists.dimensions(row);
        numbers *= dimensions;
        for (int32 i = lane; i < length; i += 32) {
            const int32* of_point = lists.point_offsets + begin + i;
            valid = valid && is_valid(lists.validity, begin + i) && of_point[1] - of_point[0] == dimensions;
        }
        valid = __all_sync(~0u, valid && dimensions > 0) != 0;
    }
    if (valid) {
        const uint32* validity = lists.point_offsets == nullptr ? lists.validity : lists.number_validity;
        int64 first = lists.first(row);
        for (int64 i = lane; i < numbers; i += 32) {
            valid = valid && is_valid(validity, first + i) && is_number(lists, first + i, floats);
        }
    }
    return __all_sync(~0u, valid) != 0;
}
