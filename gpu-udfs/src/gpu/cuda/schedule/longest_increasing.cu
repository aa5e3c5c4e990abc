// Finds the longest strictly increasing subsequences, with one warp per row: dev.bellman.schedule.LongestIncreasing.
// For each value, the lanes search together for the length of the longest subsequence that ends there. The lengths
// determine the subsequence: a value with length k is preceded by the last earlier value with length k - 1.
#include "schedule/lists.cuh"

// The results, and working memory for all values of the column.
struct IncreasingAnswers {
    int32* counts;   // the lengths of the subsequences, initially 0
    int32* lengths;  // for each value, the length of the longest subsequence that ends there
    void* tails;     // for each length, the smallest last value; int64 or double
};

STRUCT_FOR_HOST(IncreasingAnswers);
MEMBER_FOR_HOST(IncreasingAnswers, counts);
MEMBER_FOR_HOST(IncreasingAnswers, lengths);
MEMBER_FOR_HOST(IncreasingAnswers, tails);

namespace {

// Returns how many of `count` ascending numbers are less than a value. Each step divides the numbers into 32 parts, and
// each lane compares the last number of one part. All lanes of a warp must call this with the same arguments.
template <typename Number>
__device__ __forceinline__ int32 count_less(const Number* numbers, int32 count, Number value, int32 lane) {
    int32 low = 0;
    int32 high = count;
    while (low < high) {
        int32 part = (high - low + 31) / 32;
        int32 last = low + part * (lane + 1) - 1;
        bool is_less = last < high && numbers[last] < value;
        low += part * __popc(__ballot_sync(~0u, is_less));
        high = min(high, low + part - 1);
    }
    return low;
}

// Computes, for each value of a row, the length of the longest subsequence that ends there.
template <typename Number>
__device__ __forceinline__ bool solve(
        const List<Number>& list, const IncreasingAnswers& answers, int64 row, int32 lane) {
    Number* tails = static_cast<Number*>(answers.tails) + list.begin;
    bool valid = true;
    int32 longest = 0;
    for (int32 first = 0; valid && first < list.count; first += 32) {
        Number mine = 0;
        if (first + lane < list.count) {
            valid = list.read(first + lane, mine);
        }
        valid = __all_sync(~0u, valid) != 0;
        int32 loaded = valid ? min(32, list.count - first) : 0;
        int32 length = 0;
        for (int32 k = 0; k < loaded; k++) {
            Number value = __shfl_sync(~0u, mine, k);
            int32 shorter = count_less(tails, longest, value, lane);
            longest = max(longest, shorter + 1);
            length = lane == k ? shorter + 1 : length;
            __syncwarp();
            if (lane == 0) {
                tails[shorter] = value;
            }
            __syncwarp();
        }
        if (lane < loaded) {
            answers.lengths[list.begin + first + lane] = length;
        }
    }
    if (lane == 0 && valid) {
        answers.counts[row] = longest;
    }
    return valid;
}

}  // namespace

LIST_KERNELS(longest_increasing, IncreasingAnswers)

// Writes the positions of the subsequences, with one warp per row, from the last value to the first.
//
// - place_offsets: the offsets of the rows' results
extern "C" __global__ void longest_increasing_places(
        int32 rows, const int32* offsets, IncreasingAnswers answers, const int32* place_offsets, int32* places) {
    int64 row = thread_index() / 32;
    if (row >= rows) {
        return;
    }
    int32 lane = threadIdx.x % 32;
    int32 length = place_offsets[row + 1] - place_offsets[row];
    for (int32 first = (offsets[row + 1] - offsets[row] - 1) / 32 * 32; length > 0; first -= 32) {
        int32 mine = first + lane < offsets[row + 1] - offsets[row] ? answers.lengths[offsets[row] + first + lane] : -1;
        uint32 found = __ballot_sync(~0u, mine == length);
        while (found != 0) {
            int32 last = 31 - __clz(static_cast<int32>(found));
            length--;
            if (lane == 0) {
                places[place_offsets[row] + length] = first + last;
            }
            // only earlier values may come before this one
            found = __ballot_sync(~0u, mine == length) & ((1u << last) - 1);
        }
    }
}
