// Solves pairs from both ends (pair_halve): the first half of the text forwards and the second half backwards, in
// stripes. The best path crosses the middle of the text in the row with the largest sum of two gains: the first half's
// gain above the row and the second half's gain below it.
//
// For example, the longest common subsequence of bcd (down) and abcd (across, ab and then cd). The gains mark the rows
// where the length grows in a half's last column, from top to bottom. The second half reads both the text and the rows
// from last to first.
//
//     row       gains of "ab"   gains of "cd"     in the first half above and in the second below the row's lower edge
//     (top)                                       0 + 2
//     b              1               0            1 + 2   the maximum: the path is b in the first half, c and d in the
//                                                         second
//     c              0               1            1 + 1
//     d              0               1            1 + 0
//
// The gain of the second half below a row is its total gain minus its gain above the row. Therefore, a block can find
// the best row with one prefix sum.
#pragma once

#include "align/pairs.cuh"
#include "common/warp.cuh"

// The rows of a 32-row word at which a path improves by one, and the rows at which it worsens by one.
struct Gains {
    uint32 better;
    uint32 worse;

    __device__ __forceinline__ int32 sum() const {
        return __popc(better) - __popc(worse);
    }
};

constexpr int JOIN_BLOCK = 1024;

// Computes the growth along the last column of each pair's table, with one block per pair.
//
// - saved: the last columns of both halves of each pair, at the offsets in `places`
template <class Score>
__device__ __forceinline__ void join_halves(
        const Pair* pairs, const int64* places, const typename Score::template Column<1>::Saved* saved,
        int32* growths) {
    struct Part {
        int32 gained;  // the excess of the first half's gain over the second's in these rows
        int32 most;    // the excess summed down to the row where this sum is largest
        int32 second;  // the second half's gain in these rows

        __device__ __forceinline__ void append(const Part& below) {
            most = max(most, gained + below.most);
            gained += below.gained;
            second += below.second;
        }
    };
    __shared__ Part parts[JOIN_BLOCK / 32];
    int32 rows = pairs[blockIdx.x].pattern_length;
    const auto* first = saved + places[2 * blockIdx.x];
    const auto* second = saved + places[2 * blockIdx.x + 1];
    int32 words = (rows + 31) / 32;
    int32 each = (words + JOIN_BLOCK - 1) / JOIN_BLOCK;
    int32 begin = each * static_cast<int32>(threadIdx.x);
    Part part = {0, 0, 0};
    for (int32 word = begin; word < min(begin + each, words); word++) {
        uint32 inside = rows - 32 * word >= 32 ? ~0u : (1u << (rows & 31)) - 1;
        Gains one = Score::gains(first[word]);
        // the second half stores its rows from last to first
        int32 lower = rows / 32 - word - 1;
        Gains low = lower >= 0 ? Score::gains(second[lower]) : Gains{0, 0};
        Gains high = (rows & 31) != 0 ? Score::gains(second[lower + 1]) : Gains{0, 0};
        Gains other = {
            __brev(__funnelshift_r(low.better, high.better, rows & 31)) & inside,
            __brev(__funnelshift_r(low.worse, high.worse, rows & 31)) & inside
        };
        one = {one.better & inside, one.worse & inside};
        Part these = {0, 0, other.sum()};
#pragma unroll 8
        for (int32 i = 0; i < 32; i++) {
            these.gained += static_cast<int32>(one.better >> i & 1) - static_cast<int32>(one.worse >> i & 1)
                    - static_cast<int32>(other.better >> i & 1) + static_cast<int32>(other.worse >> i & 1);
            these.most = max(these.most, these.gained);
        }
        part.append(these);
    }
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
        part.append(
                {__shfl_down_sync(~0u, part.gained, distance),
                 __shfl_down_sync(~0u, part.most, distance),
                 __shfl_down_sync(~0u, part.second, distance)});
    }
    if (threadIdx.x % 32 == 0) {
        parts[threadIdx.x / 32] = part;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 1; i < JOIN_BLOCK / 32; i++) {
            part.append(parts[i]);
        }
        growths[blockIdx.x] = Score::growth(part.most + part.second);
    }
}
