// Partitions numbers into bins, with one warp per row: dev.bellman.segment.OptimalBins. The CPU computes the costs of
// the resulting bins exactly and rounds them once. These kernels bound the errors of the costs, and leave a row to the
// CPU if a cost might be rounded differently.
#include "columns/instances.cuh"
#include "columns/slots.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"
#include "segment/costs.cuh"

// The class number decreases as the binary logarithm of a row's memory increases.
constexpr int32 CLASSES = 32;
// The host limits the memory for a row, in units of this many bytes.
constexpr int32 SLOT_UNIT = 1024;
// The CPU solves longer rows and larger tables, because the time for sorting is quadratic and a warp is slow.
constexpr int32 MAX_VALUES = 2048;
constexpr int64 MAX_CELLS = 1LL << 28;
FOR_HOST(CLASSES);
FOR_HOST(SLOT_UNIT);

struct BinCalls {
    const int32* offsets;
    const uint32* validity;
    const double* values;
    const int32* bins;
};

struct BinAnswers {
    double* costs;
    int32* centers_counts;  // the number of bins in each result; initially 0
    int32* bounds_counts;   // the number of bins plus 1 in each result; initially 0
    double* centers;        // the centers, stored from the offset of the row's values on
    double* bounds;         // the bounds, stored from the offset of the row's values plus the row's number on
};

STRUCT_FOR_HOST(BinCalls);
MEMBER_FOR_HOST(BinCalls, offsets);
MEMBER_FOR_HOST(BinCalls, validity);
MEMBER_FOR_HOST(BinCalls, values);
MEMBER_FOR_HOST(BinCalls, bins);
STRUCT_FOR_HOST(BinAnswers);
MEMBER_FOR_HOST(BinAnswers, costs);
MEMBER_FOR_HOST(BinAnswers, centers_counts);
MEMBER_FOR_HOST(BinAnswers, bounds_counts);
MEMBER_FOR_HOST(BinAnswers, centers);
MEMBER_FOR_HOST(BinAnswers, bounds);

namespace {

constexpr double LARGEST = 1e100;

__device__ __forceinline__ int64 bytes_of(int32 count, int32 bins) {
    return (sizeof(Prefix) + sizeof(double) * (bins + 1) + 2 * sizeof(int32)) * (count + 1);
}

}  // namespace

// Classifies the rows, with one warp per row.
extern "C" __global__ void optimal_bins_classify(
        int32 rows, const uint32* validity, BinCalls calls, Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int64 begin = calls.offsets[row];
    int32 count = calls.offsets[row + 1] - calls.offsets[row];
    int32 bins = min(calls.bins[row], count);
    bool valid = bins > 0;
    for (int32 i = lane; valid && i < count; i += 32) {
        valid = is_valid(calls.validity, begin + i) && fabs(calls.values[begin + i]) <= LARGEST;
    }
    valid = __all_sync(~0u, valid) != 0;
    if (lane != 0) {
        return;
    }
    int64 cells = static_cast<int64>(count) * (count + 1) / 2 * bins;
    if (!valid) {
        rows_of.reject(row);
    } else if (count > MAX_VALUES || cells > MAX_CELLS) {
        rows_of.put(row, ON_CPU, 0, 0);
    } else {
        int32 size = static_cast<int32>((bytes_of(count, bins) + SLOT_UNIT - 1) / SLOT_UNIT);
        rows_of.put(row, __clz(size), size, cells);
    }
}

namespace {

// A candidate for the start of a bin; in case of ties, the smallest start wins.
struct Start {
    double cost;
    int32 start;

    __device__ __forceinline__ void meet(const Start& other) {
        bool is_better = other.cost < cost || (other.cost == cost && other.start < start);
        cost = is_better ? other.cost : cost;
        start = is_better ? other.start : start;
    }
};

// Prefixes from `from` to `to` whose last bins begin between `low` and `high`.
struct Task {
    int32 from;
    int32 to;
    int32 low;
    int32 high;
};

// The distinct values of a row in ascending order, and the table. All arrays are in a slot.
struct Bins {
    int32 count;
    int32 distinct;
    int32 bins;
    double floor;
    Prefix* sums;
    double* values;
    double* costs;   // the minimum cost for each number of bins and each prefix
    int32* numbers;  // for each prefix, how many numbers it has
    int32* ends;     // the ends of the result's bins

    __device__ Bins(uint8* slot, int32 count, int32 bins) : count(count), distinct(0), bins(bins), floor(0) {
        sums = reinterpret_cast<Prefix*>(slot);
        values = reinterpret_cast<double*>(sums + count + 1);
        costs = values + count + 1;
        numbers = reinterpret_cast<int32*>(costs + static_cast<int64>(bins) * (count + 1));
        ends = numbers + count + 1;
    }

    __device__ __forceinline__ double* costs_of(int32 bin) const {
        return costs + static_cast<int64>(bin) * (count + 1);
    }

    // Sorts the numbers by counting the smaller ones, and removes duplicates.
    __device__ __forceinline__ void sort(const double* given, int32 lane) {
        double* sorted = costs;
        for (int32 i = lane; i < count; i += 32) {
            // adding 0.0 turns -0.0 into 0.0
            double value = __dadd_rn(given[i], 0.0);
            int32 place = 0;
            for (int32 k = 0; k < count; k++) {
                place += given[k] < value || (given[k] == value && k < i) ? 1 : 0;
            }
            sorted[place] = value;
        }
        __syncwarp();
        for (int32 first = 0; first < count; first += 32) {
            int32 i = first + lane;
            bool is_new = i < count && (i == 0 || sorted[i - 1] != sorted[i]);
            uint32 found = __ballot_sync(~0u, is_new);
            if (is_new) {
                int32 place = distinct + __popc(found & ((1u << lane) - 1));
                values[place] = sorted[i];
                numbers[place] = i;
            }
            distinct += __popc(found);
        }
        if (lane == 0) {
            numbers[distinct] = count;
        }
        bins = min(bins, distinct);
        __syncwarp();
    }

    __device__ __forceinline__ void add(int32 lane) {
        if (lane == 0) {
            Prefix sum = {0, 0, 0, 0};
            sums[0] = sum;
            for (int32 i = 0; i < distinct; i++) {
                double value = values[i];
                double weight = numbers[i + 1] - numbers[i];
                double product = __dmul_rn(weight, value);
                append(sum.sum, sum.sum_low, product, __fma_rn(weight, value, -product));
                double square = __dmul_rn(value, value);
                double rest = __fma_rn(value, value, -square);
                product = __dmul_rn(weight, square);
                append(sum.squares, sum.squares_low, product,
                        __dadd_rn(__fma_rn(weight, square, -product), __dmul_rn(weight, rest)));
                sums[i + 1] = sum;
            }
        }
        __syncwarp();
        floor = __dmul_rn(FLOOR, sums[distinct].squares);
    }

    __device__ __forceinline__ double cost(int32 from, int32 to) const {
        double weight = numbers[to] - numbers[from];
        return deviation(sums[from], sums[to], weight, __ddiv_rn(1, weight), floor);
    }

    // Returns the best start, from `low` to `high`, of the last bin of the prefix that ends at `end`. Stores its cost.
    __device__ __forceinline__ int32 best(int32 bin, int32 end, int32 low, int32 high, int32 lane) const {
        const double* before = costs_of(bin - 1);
        Start least = {__longlong_as_double(0x7ff0000000000000), 0x7fffffff};
        for (int32 start = low + lane; start <= high; start += 32) {
            least.meet({__dadd_rn(before[start], cost(start, end)), start});
        }
#pragma unroll
        for (int32 other = 16; other > 0; other /= 2) {
            least.meet({__shfl_xor_sync(~0u, least.cost, other), __shfl_xor_sync(~0u, least.start, other)});
        }
        if (lane == 0) {
            costs_of(bin)[end] = least.cost;
        }
        return least.start;
    }

    // Fills the table by divide and conquer, as on the CPU.
    __device__ __forceinline__ void fill(int32 lane) const {
        constexpr int32 MAX_DEPTH = 16;
        __shared__ Task stack[MAX_DEPTH];
        for (int32 end = 1 + lane; end <= distinct; end += 32) {
            costs_of(0)[end] = cost(0, end);
        }
        __syncwarp();
        for (int32 bin = 1; bin < bins; bin++) {
            int32 depth = 0;
            Task task = {bin + 1, distinct, bin, distinct - 1};
            while (true) {
                if (task.from <= task.to) {
                    int32 middle = (task.from + task.to) / 2;
                    int32 start = best(bin, middle, task.low, min(task.high, middle - 1), lane);
                    if (lane == 0) {
                        stack[depth] = {middle + 1, task.to, start, task.high};
                    }
                    __syncwarp();
                    depth++;
                    task = {task.from, middle - 1, task.low, start};
                } else if (depth > 0) {
                    depth--;
                    task = stack[depth];
                    __syncwarp();
                } else {
                    break;
                }
            }
        }
    }

    // Finds the bins from the last to the first. Each begins at the earliest start whose cost is at most 1 + SAME times
    // the minimum.
    __device__ __forceinline__ void trace(int32 lane) const {
        constexpr double SAME = 0x1p-36;
        int32 end = distinct;
        for (int32 bin = bins - 1; bin >= 0; bin--) {
            if (lane == 0) {
                ends[bin] = end;
            }
            if (bin > 0) {
                double most = __dmul_rn(costs_of(bin)[end], 1 + SAME);
                const double* before = costs_of(bin - 1);
                uint32 found = 0;
                int32 first = bin - 32;
                while (found == 0) {
                    first += 32;
                    int32 start = first + lane;
                    found = __ballot_sync(
                            ~0u, start < end && !(__dadd_rn(before[start], cost(start, end)) > most));
                }
                end = first + __ffs(static_cast<int32>(found)) - 1;
            }
        }
        __syncwarp();
    }

    __device__ __forceinline__ double center(int32 from, int32 to) const {
        SegmentSum sum(sums[from], sums[to]);
        double weight = numbers[to] - numbers[from];
        double quotient = __ddiv_rn(sum.sum, weight);
        double rest = __dadd_rn(
                __fma_rn(-quotient, weight, sum.sum), __dsub_rn(sum.low, __dmul_rn(quotient, 0.0)));
        return __dadd_rn(quotient, __ddiv_rn(rest, weight));
    }

    // Returns the cost of a bin, rounded once; NaN if the rounding is uncertain. The cost is q - s * s / n, where q and
    // s are the sums of the squared and plain differences from a number near the mean. The errors of q and of s * s / n
    // are less than 2^-90 q each, for up to MAX_VALUES differences.
    __device__ __forceinline__ double exact_cost(int32 from, int32 to, double center, int32 lane) const {
        constexpr double ERROR = 0x1p-76;
        constexpr double MIN_SHARE = 0x1p-10;
        constexpr double MIN_COST = 0x1p-900;
        if (to - from == 1) {
            return 0;
        }
        Prefix sum = {0, 0, 0, 0};
        for (int32 i = from + lane; i < to; i += 32) {
            double weight = numbers[i + 1] - numbers[i];
            double near = __dsub_rn(values[i], center);
            double near_low = lost(values[i], -center, near);
            double product = __dmul_rn(weight, near);
            append(sum.sum, sum.sum_low, product,
                    __dadd_rn(__fma_rn(weight, near, -product), __dmul_rn(weight, near_low)));
            double square = __dmul_rn(near, near);
            double rest = __dadd_rn(__fma_rn(near, near, -square), __dmul_rn(__dmul_rn(2, near), near_low));
            product = __dmul_rn(weight, square);
            append(sum.squares, sum.squares_low, product,
                    __dadd_rn(__fma_rn(weight, square, -product), __dmul_rn(weight, rest)));
        }
#pragma unroll
        for (int32 other = 16; other > 0; other /= 2) {
            Prefix others = {__shfl_xor_sync(~0u, sum.sum, other), __shfl_xor_sync(~0u, sum.sum_low, other),
                __shfl_xor_sync(~0u, sum.squares, other), __shfl_xor_sync(~0u, sum.squares_low, other)};
            append(sum.sum, sum.sum_low, others.sum, others.sum_low);
            append(sum.squares, sum.squares_low, others.squares, others.squares_low);
        }
        double weight = numbers[to] - numbers[from];
        double product = __dmul_rn(sum.sum, sum.sum);
        double product_low = __dadd_rn(
                __fma_rn(sum.sum, sum.sum, -product), __dmul_rn(__dmul_rn(2, sum.sum), sum.sum_low));
        double part = __ddiv_rn(product, weight);
        double part_low = __ddiv_rn(__dadd_rn(__fma_rn(-part, weight, product), product_low), weight);
        double difference = __dsub_rn(sum.squares, part);
        double low = __dadd_rn(lost(sum.squares, -part, difference), __dsub_rn(sum.squares_low, part_low));
        double result = __dadd_rn(difference, low);
        double rest = lost(difference, low, result);
        double error = __dmul_rn(result, ERROR);
        double least = __dadd_rn(result, __dsub_rn(rest, error));
        bool is_certain = result >= MIN_COST && result >= __dmul_rn(sum.squares, MIN_SHARE)
                && least == __dadd_rn(result, __dadd_rn(rest, error));
        return is_certain ? least : __longlong_as_double(0x7ff8000000000000LL);
    }
};

}  // namespace

// Solves the rows of a group, which warps take in turn.
extern "C" __global__ void __launch_bounds__(32, 16) optimal_bins(
        Slots slots,
        BinCalls calls,
        BinAnswers answers,
        Classified rows_of) {
    int32 lane = threadIdx.x;
    uint8* slot = slots.of_block();
    for (int32 i = slots.next(); i < slots.to; i = slots.next()) {
        int32 row = slots.order[i];
        int32 begin = calls.offsets[row];
        int32 count = calls.offsets[row + 1] - begin;
        Bins table(slot, count, min(calls.bins[row], count));
        table.sort(calls.values + begin, lane);
        table.add(lane);
        table.fill(lane);
        table.trace(lane);
        double* centers = answers.centers + begin;
        double* bounds = answers.bounds + begin + row;
        double cost = 0;
        for (int32 bin = 0; bin < table.bins; bin++) {
            int32 first = bin == 0 ? 0 : table.ends[bin - 1];
            int32 end = table.ends[bin];
            double center = table.center(first, end);
            cost = __dadd_rn(cost, table.exact_cost(first, end, center, lane));
            if (lane == 0) {
                centers[bin] = center;
                bounds[bin + 1] = table.values[end - 1];
            }
        }
        if (lane == 0 && isnan(cost)) {
            rows_of.put(row, ON_CPU, 0, 0);
        } else if (lane == 0) {
            bounds[0] = table.values[0];
            answers.costs[row] = cost;
            answers.centers_counts[row] = table.bins;
            answers.bounds_counts[row] = table.bins + 1;
        }
    }
}

// Copies the centers and bounds of all rows, with one warp per row.
extern "C" __global__ void optimal_bins_results(
        int32 rows,
        BinCalls calls,
        BinAnswers answers,
        const int32* center_offsets,
        double* centers,
        const int32* bound_offsets,
        double* bounds) {
    int64 row = thread_index() / 32;
    if (row >= rows) {
        return;
    }
    int64 begin = calls.offsets[row];
    int32 count = bound_offsets[row + 1] - bound_offsets[row];
    for (int32 i = threadIdx.x % 32; i < count; i += 32) {
        bounds[bound_offsets[row] + i] = answers.bounds[begin + row + i];
        if (i < count - 1) {
            centers[center_offsets[row] + i] = answers.centers[begin + i];
        }
    }
}
