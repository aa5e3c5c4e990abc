// Isotonic regression: dev.bellman.segment.Isotonic. With one warp per row, the fitted values are the slopes of the
// lower convex hull of the points (sum of the weights, sum of the weights times the values) of all prefixes. These sums
// are exact integers. Rows whose numbers have too many bits are solved as on the CPU, with one thread per row.
#include "columns/instances.cuh"
#include "columns/slots.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"
#include "segment/violators.cuh"
#include "segment/whole.cuh"

// A class is the binary logarithm of the number of values, counted from the largest; plus HULLS for one thread per row.
constexpr int32 HULLS = 32;
constexpr int32 CLASSES = 2 * HULLS;
// The CPU solves longer rows, because a warp or a thread is slow.
constexpr int32 MAX_VALUES = 1 << 20;
constexpr int32 MAX_VALUES_OF_A_THREAD = 1 << 13;
// A slot's bytes per point if a warp solves one row, and per value if it solves 32 rows.
constexpr int32 POINT_BYTES = 32;
constexpr int32 BYTES_OF_32_BLOCKS = 32 * BLOCK_BYTES;
FOR_HOST(HULLS);
FOR_HOST(CLASSES);
FOR_HOST(POINT_BYTES);
FOR_HOST(BYTES_OF_32_BLOCKS);

struct IsotonicCalls {
    const int32* offsets;
    const uint32* validity;
    const double* values;
    const int32* weight_offsets;  // null if all weights are 1
    const uint32* weight_validity;
    const double* weights;
};

STRUCT_FOR_HOST(IsotonicCalls);
MEMBER_FOR_HOST(IsotonicCalls, offsets);
MEMBER_FOR_HOST(IsotonicCalls, validity);
MEMBER_FOR_HOST(IsotonicCalls, values);
MEMBER_FOR_HOST(IsotonicCalls, weight_offsets);
MEMBER_FOR_HOST(IsotonicCalls, weight_validity);
MEMBER_FOR_HOST(IsotonicCalls, weights);

namespace {

// The exponents of the units of a row's values and weights.
struct Units {
    int32 value;
    int32 weight;
};

// The binary digits that a row's numbers use.
struct Digits {
    int32 low = 1 << 20;
    int32 high = -(1 << 20);

    __device__ __forceinline__ void add(double number) {
        if (number != 0) {
            low = min(low, lowest_digit(number));
            high = max(high, highest_digit(number));
        }
    }

    __device__ __forceinline__ void merge_lanes() {
        low = min_of_warp(low);
        high = max_of_lanes<32>(high);
    }

    // Returns the number of digits from the lowest to the highest.
    __device__ __forceinline__ int32 count() const {
        return max(1, high - low + 1);
    }

    __device__ __forceinline__ int32 unit() const {
        return high < low ? 0 : low;
    }
};

// Finds the units of a row. Returns whether the row's numbers are in the range for which a warp can compute exact sums.
//
// Let all sums of weights be less than 2^w, and all values less than 2^v, in their units. For v + 2 w <= 102, the CPU
// computes exact sums. The relative error of its means is less than 2^-103 before the last rounding, and two different
// means differ by more. Therefore, its comparisons are correct unless the means are equal, and blocks with equal means
// may be merged or not.
__device__ __forceinline__ bool find_units(const IsotonicCalls& calls, int32 row, int32 lane, Units& units) {
    constexpr int32 MAX_DIGITS = 102;
    constexpr int32 MAX_WEIGHT_DIGITS = 31;
    constexpr int32 LOWEST = -600;
    constexpr int32 FARTHEST_WEIGHT = 200;
    int32 begin = calls.offsets[row];
    int32 count = calls.offsets[row + 1] - begin;
    Digits values;
    Digits weights;
    for (int32 i = lane; i < count; i += 32) {
        values.add(calls.values[begin + i]);
        weights.add(calls.weight_offsets == nullptr ? 1 : calls.weights[calls.weight_offsets[row] + i]);
    }
    values.merge_lanes();
    weights.merge_lanes();
    units = {values.unit(), weights.unit()};
    int32 weight_digits = weights.count() + 32 - __clz(count);
    return units.value >= LOWEST && weights.low >= -FARTHEST_WEIGHT && weights.high <= FARTHEST_WEIGHT
            && weight_digits <= MAX_WEIGHT_DIGITS && values.count() + 2 * weight_digits <= MAX_DIGITS;
}

}  // namespace

// Classifies the rows, with one warp per row.
extern "C" __global__ void isotonic_classify(
        int32 rows, const uint32* validity, IsotonicCalls calls, Classified rows_of) {
    constexpr double LARGEST = 1e100;
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int64 begin = calls.offsets[row];
    int32 count = calls.offsets[row + 1] - calls.offsets[row];
    bool valid = true;
    for (int32 i = lane; valid && i < count; i += 32) {
        valid = is_valid(calls.validity, begin + i) && fabs(calls.values[begin + i]) <= LARGEST;
    }
    if (calls.weight_offsets != nullptr) {
        int64 first = calls.weight_offsets[row];
        valid = valid && calls.weight_offsets[row + 1] - first == count;
        for (int32 i = lane; valid && i < count; i += 32) {
            double weight = calls.weights[first + i];
            valid = is_valid(calls.weight_validity, first + i) && weight >= 1 / LARGEST && weight <= LARGEST;
        }
    }
    valid = __all_sync(~0u, valid) != 0;
    Units units;
    bool is_small = valid && count <= MAX_VALUES && (count == 0 || find_units(calls, row, lane, units));
    if (lane != 0) {
        return;
    }
    if (!valid) {
        rows_of.reject(row);
    } else if (is_small) {
        rows_of.put(row, __clz(count + 1), count + 1, count);
    } else if (count <= MAX_VALUES_OF_A_THREAD) {
        rows_of.put(row, HULLS + __clz(count), count, count);
    } else {
        rows_of.put(row, ON_CPU, 0, 0);
    }
}

namespace {

// The points of a row, and which of them are on the hull. Its arrays are in a slot.
struct Hull {
    int32 count;  // the number of points minus 1
    Whole* sums;
    int32* weights;
    int32* previous;  // the previous point on the hull; -1 if the point itself is not on the hull
    int32* next;

    __device__ Hull(uint8* slot, int32 count) : count(count) {
        sums = reinterpret_cast<Whole*>(slot);
        weights = reinterpret_cast<int32*>(sums + count + 1);
        previous = weights + count + 1;
        next = previous + count + 1;
    }

    // Computes the sums of all prefixes.
    __device__ __forceinline__ void add(const double* values, const double* given, Units units, int32 lane) const {
        Whole sum = {0, 0};
        int32 weight = 0;
        for (int32 first = 0; first < count; first += 32) {
            int32 i = first + lane;
            int32 own = 0;
            Whole product = {0, 0};
            if (i < count) {
                own = given == nullptr ? 1 : static_cast<int32>(whole(given[i], units.weight).low);
                product = whole(values[i], units.value) * own;
            }
            int32 weight_to = weight + sum_up_to_lane(own);
            Whole sum_to = product;
#pragma unroll
            for (int32 other = 1; other < 32; other *= 2) {
                Whole before = {
                    __shfl_up_sync(~0u, sum_to.low, other), __shfl_up_sync(~0u, sum_to.high, other)};
                if (lane >= other) {
                    sum_to = sum_to + before;
                }
            }
            sum_to = sum_to + sum;
            if (i < count) {
                sums[i + 1] = sum_to;
                weights[i + 1] = weight_to;
            }
            sum = {__shfl_sync(~0u, sum_to.low, 31), __shfl_sync(~0u, sum_to.high, 31)};
            weight = __shfl_sync(~0u, weight_to, 31);
        }
        if (lane == 0) {
            sums[0] = {0, 0};
            weights[0] = 0;
            previous[0] = 0;
        }
        __syncwarp();
    }

    // Returns whether `middle` is not below the line from `from` to `to`.
    __device__ __forceinline__ bool is_above(int32 from, int32 middle, int32 to) const {
        Whole left = sums[middle] - sums[from];
        Whole right = sums[to] - sums[middle];
        return !(left * (weights[to] - weights[middle]) < right * (weights[middle] - weights[from]));
    }

    __device__ __forceinline__ void link(int32 from, int32 to) const {
        next[from] = to;
        previous[to] = from;
    }

    // Finds the hull of the points from `begin` to `end`.
    __device__ __forceinline__ void scan(int32 begin, int32 end) const {
        int32 last = begin;
        for (int32 point = begin + 1; point <= end; point++) {
            while (last > begin && is_above(previous[last], last, point)) {
                int32 before = previous[last];
                previous[last] = -1;
                last = before;
            }
            link(last, point);
            last = point;
        }
    }

    // Joins the hulls from `begin` to `middle` and from `middle` to `end`.
    __device__ __forceinline__ void join(int32 begin, int32 middle, int32 end) const {
        int32 from = previous[middle];
        int32 to = next[middle];
        if (!is_above(from, middle, to)) {
            return;
        }
        previous[middle] = -1;
        while (true) {
            if (from > begin && is_above(previous[from], from, to)) {
                int32 before = previous[from];
                previous[from] = -1;
                from = before;
            } else if (to < end && is_above(from, to, next[to])) {
                previous[to] = -1;
                to = next[to];
            } else {
                break;
            }
        }
        link(from, to);
    }

    // Finds the hull: each lane finds the hull of a part, and neighbours are joined.
    __device__ __forceinline__ void find(int32 lane) const {
        int32 part = (count + 31) / 32;
        int32 begin = min(count, lane * part);
        scan(begin, min(count, begin + part));
        __syncwarp();
        for (int32 parts = 1; parts < 32; parts *= 2) {
            int32 middle = begin + parts * part;
            if (lane % (2 * parts) == 0 && middle < count) {
                join(begin, middle, min(count, middle + parts * part));
            }
            __syncwarp();
        }
    }

    __device__ __forceinline__ void write(const double* values, int32 unit, double* fitted, int32 lane) const {
        double last = 0;
        for (int32 first = 0; first < count; first += 32) {
            int32 i = first + lane;
            bool begins = i < count && previous[i] >= 0;
            double mean = 0;
            if (begins) {
                mean = next[i] == i + 1
                    ? __dadd_rn(values[i], 0)  // turns -0.0 into 0.0
                    : quotient(sums[next[i]] - sums[i], weights[next[i]] - weights[i], unit);
            }
            uint32 before = __ballot_sync(~0u, begins) & (~0u >> (31 - lane));
            double of_block = __shfl_sync(~0u, mean, before == 0 ? 0 : 31 - __clz(before));
            mean = before == 0 ? last : of_block;
            if (i < count) {
                fitted[i] = mean;
            }
            last = __shfl_sync(~0u, mean, 31);
        }
    }
};

}  // namespace

// Solves the rows of a group, which warps take in turn. The results are at the offsets of the values.
extern "C" __global__ void __launch_bounds__(32, 24) isotonic(
        Slots slots, IsotonicCalls calls, double* fitted) {
    int32 lane = threadIdx.x;
    uint8* slot = slots.of_block();
    for (int32 i = slots.next(); i < slots.to; i = slots.next()) {
        int32 row = slots.order[i];
        int32 begin = calls.offsets[row];
        const double* values = calls.values + begin;
        bool has_weights = calls.weight_offsets != nullptr;
        Hull hull(slot, calls.offsets[row + 1] - begin);
        Units units;
        find_units(calls, row, lane, units);
        hull.add(values, has_weights ? calls.weights + calls.weight_offsets[row] : nullptr, units, lane);
        hull.find(lane);
        hull.write(values, units.value, fitted + begin, lane);
    }
}

// Solves the rows of a group, of which warps take 32 at a time. Leaves uncertain rows to the CPU.
//
// - most: the largest number of values in these rows
extern "C" __global__ void __launch_bounds__(32, 16) isotonic_pairs(
        Slots slots, int32 most, IsotonicCalls calls, double* fitted, Classified rows_of) {
    int32 lane = threadIdx.x;
    Blocks blocks(slots.of_block(), most, lane);
    for (int32 first = slots.next(32); first < slots.to; first = slots.next(32)) {
        int32 i = first + lane;
        if (i < slots.to) {
            int32 row = slots.order[i];
            int32 begin = calls.offsets[row];
            const double* weights =
                    calls.weight_offsets == nullptr ? nullptr : calls.weights + calls.weight_offsets[row];
            Violators violators = {calls.values + begin, weights, calls.offsets[row + 1] - begin};
            int32 found = violators.pool(blocks);
            if (found < 0 || !violators.write(blocks, found, fitted + begin)) {
                rows_of.put(row, ON_CPU, 0, 0);
            }
        }
    }
}

// Counts the values of each result.
extern "C" __global__ void isotonic_counts(int32 rows, IsotonicCalls calls, Classified rows_of, int32* counts) {
    int64 row = thread_index();
    if (row < rows) {
        counts[row] = rows_of.is_solved(row) ? calls.offsets[row + 1] - calls.offsets[row] : 0;
    }
}

// Copies the results of all rows, with one warp per row.
extern "C" __global__ void isotonic_results(
        int32 rows, IsotonicCalls calls, const double* fitted, const int32* result_offsets, double* results) {
    int64 row = thread_index() / 32;
    if (row >= rows) {
        return;
    }
    int64 begin = calls.offsets[row];
    int32 count = result_offsets[row + 1] - result_offsets[row];
    for (int32 i = threadIdx.x % 32; i < count; i += 32) {
        results[result_offsets[row] + i] = fitted[begin + i];
    }
}
