// Marks the rows that may be among the best of their group. Each block processes ROWS_OF_A_BLOCK consecutive rows, one
// run of rows with the same group after another.
#include "common/columns.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"

constexpr int32 BEST_BLOCK = 256;
constexpr int32 ROWS_OF_A_BLOCK = 4096;
FOR_HOST(BEST_BLOCK);
FOR_HOST(ROWS_OF_A_BLOCK);

namespace {

// The maximum number of runs that a block examines. The block marks all non-null rows after the last of these runs.
constexpr int32 MAX_RUNS = 16;

// Returns, in all threads of the block, the sum of their values.
__device__ __forceinline__ int32 sum_of_block(int32 mine, int32* of_warps) {
    mine = sum_of_lanes<32>(mine);
    if (threadIdx.x % 32 == 0) {
        of_warps[threadIdx.x / 32] = mine;
    }
    __syncthreads();
    int32 sum = 0;
    for (int32 warp = 0; warp < BEST_BLOCK / 32; warp++) {
        sum += of_warps[warp];
    }
    __syncthreads();
    return sum;
}

}  // namespace

// - marks: 1 for rows that may be among the `count` rows with the largest values of their group; 0 for other rows and
//   for null rows
extern "C" __global__ void __launch_bounds__(BEST_BLOCK) may_be_best(
        int32 rows, const uint32* validity, const int64* groups, const int64* values, int32 count, uint8* marks) {
    // ranks that sort like the values; null rows have the rank 0, which is never counted
    __shared__ uint64 ranks[ROWS_OF_A_BLOCK];
    __shared__ int32 of_warps[BEST_BLOCK / 32];
    __shared__ int32 run_end;
    int64 first = static_cast<int64>(blockIdx.x) * ROWS_OF_A_BLOCK;
    int32 all = static_cast<int32>(min(static_cast<int64>(ROWS_OF_A_BLOCK), rows - first));
    for (int32 i = threadIdx.x; i < all; i += BEST_BLOCK) {
        ranks[i] = is_valid(validity, first + i) ? static_cast<uint64>(values[first + i]) ^ 1ull << 63 : 0;
    }
    int32 begin = 0;
    for (int32 run = 0; run < MAX_RUNS && begin < all; run++) {
        if (threadIdx.x == 0) {
            run_end = all;
        }
        __syncthreads();
        // null rows do not end a run of rows
        bool is_of_nulls = !is_valid(validity, first + begin);
        int64 group = groups[first + begin];
        for (int32 i = begin + threadIdx.x; i < all; i += BEST_BLOCK) {
            if (is_valid(validity, first + i) && (is_of_nulls || groups[first + i] != group)) {
                atomicMin(&run_end, i);
                break;
            }
        }
        __syncthreads();
        int32 end = run_end;
        // in runs of more than `count` rows, the largest rank that at least `count` ranks reach, determined bit by bit
        uint64 least = 0;
        for (int32 bit = 63; bit >= 0 && end - begin > count; bit--) {
            uint64 higher = least | 1ull << bit;
            int32 reach = 0;
            for (int32 i = begin + threadIdx.x; i < end; i += BEST_BLOCK) {
                reach += ranks[i] >= higher;
            }
            least = sum_of_block(reach, of_warps) >= count ? higher : least;
        }
        for (int32 i = begin + threadIdx.x; i < end; i += BEST_BLOCK) {
            marks[first + i] = is_valid(validity, first + i) && ranks[i] >= least;
        }
        begin = end;
        __syncthreads();
    }
    for (int32 i = begin + threadIdx.x; i < all; i += BEST_BLOCK) {
        marks[first + i] = is_valid(validity, first + i);
    }
}
