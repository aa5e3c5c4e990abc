// Finds the cheapest lots, with one warp per row: dev.bellman.schedule.LotSizes. For each end, the lanes try the starts
// of the last lot. Starts before the best one for an earlier end are skipped: they cost more, and their disadvantage
// never decreases with the end.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"

// The CPU solves longer rows, because the time is quadratic if a single lot is best.
constexpr int32 MAX_PERIODS = 4096;

struct LotCalls {
    const int32* offsets;
    const uint32* validity;
    const int64* demand;
    const int64* setups;
    const int64* holdings;
};

// The results, and working memory for all periods of the column.
struct LotAnswers {
    int64* costs;
    int32* counts;     // the number of periods, initially 0
    int64* constants;  // for each start, the cost of a last lot from there, except for the part that depends on the end
    int32* starts;     // for each end, the start of the last lot, or the last period if it has no demand
};

STRUCT_FOR_HOST(LotCalls);
MEMBER_FOR_HOST(LotCalls, offsets);
MEMBER_FOR_HOST(LotCalls, validity);
MEMBER_FOR_HOST(LotCalls, demand);
MEMBER_FOR_HOST(LotCalls, setups);
MEMBER_FOR_HOST(LotCalls, holdings);
STRUCT_FOR_HOST(LotAnswers);
MEMBER_FOR_HOST(LotAnswers, costs);
MEMBER_FOR_HOST(LotAnswers, counts);
MEMBER_FOR_HOST(LotAnswers, constants);
MEMBER_FOR_HOST(LotAnswers, starts);

namespace {

constexpr uint64 MAX_TOTAL = 0x7fffffffffffffff;  // 2^63 - 1
constexpr uint64 MAX_COST = MAX_TOTAL / 2;

// Sums and products of numbers up to 2^63; a result above 2^63 - 1 becomes 2^63.
__device__ __forceinline__ uint64 limited_sum(uint64 a, uint64 b) {
    return a > MAX_TOTAL || b > MAX_TOTAL ? MAX_TOTAL + 1 : min(a + b, MAX_TOTAL + 1);
}

__device__ __forceinline__ uint64 limited_product(uint64 a, uint64 b) {
    return __umul64hi(a, b) != 0 ? MAX_TOTAL + 1 : min(a * b, MAX_TOTAL + 1);
}

// Returns whether the numbers are valid, the total demand is at most MAX_TOTAL, and the cost of a single lot is at most
// MAX_COST. All lanes of a warp return the same result.
__device__ __forceinline__ bool check(const LotCalls& calls, int64 row, int32 lane) {
    int64 begin = calls.offsets[row];
    int32 count = calls.offsets[row + 1] - calls.offsets[row];
    int64 setup = calls.setups[row];
    int64 holding = calls.holdings[row];
    bool valid = setup >= 0 && holding >= 0;
    uint64 total = 0;
    uint64 moment = 0;
    for (int32 i = lane; valid && i < count; i += 32) {
        int64 demand = calls.demand[begin + i];
        valid = is_valid(calls.validity, begin + i) && demand >= 0;
        total = limited_sum(total, static_cast<uint64>(demand));
        moment = limited_sum(moment, limited_product(static_cast<uint64>(i), static_cast<uint64>(demand)));
    }
    if (__all_sync(~0u, valid) == 0) {
        return false;
    }
    total = reduce_lanes<32>(total, limited_sum);
    moment = holding == 0 ? 0 : reduce_lanes<32>(moment, limited_sum);
    return total <= MAX_TOTAL && moment <= MAX_COST
            && limited_sum(static_cast<uint64>(setup), limited_product(static_cast<uint64>(holding), moment))
            <= MAX_COST;
}

// The lowest cost for all periods before an end, and the start of the last lot.
struct Lot {
    int64 cost;
    int32 start;

    __device__ __forceinline__ void meet(const Lot& other) {
        bool is_better = other.cost < cost || (other.cost == cost && other.start < start);
        cost = is_better ? other.cost : cost;
        start = is_better ? other.start : start;
    }

    // Finds the best lot of all lanes of a warp. Costs are at least 0.
    __device__ __forceinline__ void meet_lanes() {
        constexpr uint32 SIGN = 0x80000000;
        constexpr int32 NONE = 0x7fffffff;
        int32 high = static_cast<int32>(cost >> 32);
        int32 least_high = min_of_warp(high);
        // as signed numbers, the lower words have the same order after their highest bit is inverted
        int32 low = static_cast<int32>(static_cast<uint32>(cost) ^ SIGN);
        int32 least_low = min_of_warp(high == least_high ? low : NONE);
        start = min_of_warp(high == least_high && low == least_low ? start : NONE);
        cost = static_cast<int64>(least_high) << 32 | (static_cast<uint32>(least_low) ^ SIGN);
    }
};

}  // namespace

// Classifies the rows, and finds the starts.
extern "C" __global__ void lot_sizes_starts(
        int32 rows, const uint32* validity, LotCalls calls, LotAnswers answers, Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int64 begin = calls.offsets[row];
    int32 count = calls.offsets[row + 1] - calls.offsets[row];
    bool valid = count <= MAX_PERIODS && check(calls, row, lane);
    if (!valid) {
        if (lane == 0) {
            rows_of.put(row, count > MAX_PERIODS ? ON_CPU : REJECTED, 0, 0);
        }
        return;
    }
    // costs are computed modulo 2^64, because some of the intermediate results may be larger
    uint64 setup = static_cast<uint64>(calls.setups[row]);
    uint64 holding = static_cast<uint64>(calls.holdings[row]);
    uint64* constants = reinterpret_cast<uint64*>(answers.constants) + begin;
    uint64 demands = 0;  // the sum of the demands before the end
    uint64 moments = 0;  // the sum of these demands, each multiplied by its period
    Lot best = {0, 0};
    int32 least = 0;
    for (int32 end = 1; end <= count; end++) {
        uint64 start = static_cast<uint64>(end - 1);
        if (lane == 0) {
            constants[end - 1] = static_cast<uint64>(best.cost) + setup - holding * (moments - start * demands);
        }
        __syncwarp();
        uint64 demand = static_cast<uint64>(calls.demand[begin + end - 1]);
        demands += demand;
        moments += start * demand;
        if (demand == 0) {
            best.start = end - 1;
        } else {
            best = {static_cast<int64>(MAX_TOTAL), end};
            for (int32 i = least + lane; i < end; i += 32) {
                uint64 cost = constants[i] + holding * (moments - static_cast<uint64>(i) * demands);
                best.meet({static_cast<int64>(cost), i});
            }
            best.meet_lanes();
            least = best.start;
        }
        if (lane == 0) {
            answers.starts[begin + end - 1] = best.start;
        }
    }
    if (lane == 0) {
        rows_of.put(row, 0, 0, count);
        answers.costs[row] = best.cost;
        answers.counts[row] = count;
    }
}

// Writes the lots of all rows, with one warp per row.
//
// - lot_offsets: the offsets of the rows' results
extern "C" __global__ void lot_sizes_lots(
        int32 rows, LotCalls calls, LotAnswers answers, const int32* lot_offsets, int64* lots) {
    int64 row = thread_index() / 32;
    if (row >= rows) {
        return;
    }
    int32 lane = threadIdx.x % 32;
    int64 begin = calls.offsets[row];
    int64* of_row = lots + lot_offsets[row];
    for (int32 end = lot_offsets[row + 1] - lot_offsets[row]; end > 0;) {
        int32 start = answers.starts[begin + end - 1];
        int64 sum = 0;
        for (int32 i = start + lane; i < end; i += 32) {
            sum += calls.demand[begin + i];
            of_row[i] = 0;
        }
        sum = sum_of_lanes<32>(sum);
        if (lane == 0) {
            of_row[start] = sum;
        }
        end = start;
    }
}
