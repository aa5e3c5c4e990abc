// Selects intervals with the maximum total weight, with one warp per row: dev.bellman.schedule.IntervalSchedule. The
// lanes sort the intervals, and search for the intervals before each of them. Then one lane adds the weights.
#include "common/host.cuh"
#include "schedule/numbers.cuh"

// The CPU solves longer rows, because the time for sorting is quadratic.
constexpr int32 MAX_INTERVALS = 2048;
// The class number depends on the binary logarithm of the number of intervals; the classes with the largest
// rows come first.
constexpr int32 CLASSES = 13;
FOR_HOST(CLASSES);

// One of the three lists of numbers, which are int64 or double.
struct IntervalNumbers {
    const int32* offsets;
    const uint32* validity;
    const void* numbers;
};

struct IntervalCalls {
    IntervalNumbers starts;
    IntervalNumbers ends;
    IntervalNumbers weights;
};

struct ScheduleAnswers {
    void* sums;     // int64 or double
    int32* counts;  // the number of selected intervals, initially 0
    int32* items;   // the selected intervals, at the end of each row's range in the list of starts
};

STRUCT_FOR_HOST(IntervalNumbers);
MEMBER_FOR_HOST(IntervalNumbers, offsets);
MEMBER_FOR_HOST(IntervalNumbers, validity);
MEMBER_FOR_HOST(IntervalNumbers, numbers);
STRUCT_FOR_HOST(IntervalCalls);
MEMBER_FOR_HOST(IntervalCalls, starts);
MEMBER_FOR_HOST(IntervalCalls, ends);
MEMBER_FOR_HOST(IntervalCalls, weights);
STRUCT_FOR_HOST(ScheduleAnswers);
MEMBER_FOR_HOST(ScheduleAnswers, sums);
MEMBER_FOR_HOST(ScheduleAnswers, counts);
MEMBER_FOR_HOST(ScheduleAnswers, items);

namespace {

__device__ __forceinline__ int32 count_of(const IntervalNumbers& list, int64 row) {
    return list.offsets[row + 1] - list.offsets[row];
}

template <typename Number>
__device__ __forceinline__ const Number* numbers_of(const IntervalNumbers& list, int64 row) {
    return static_cast<const Number*>(list.numbers) + list.offsets[row];
}

template <typename Number>
__device__ __forceinline__ bool is_interval(const IntervalCalls& calls, int64 row, int32 i) {
    Number start = numbers_of<Number>(calls.starts, row)[i];
    Number end = numbers_of<Number>(calls.ends, row)[i];
    Number weight = numbers_of<Number>(calls.weights, row)[i];
    return is_valid(calls.starts.validity, calls.starts.offsets[row] + i)
            && is_valid(calls.ends.validity, calls.ends.offsets[row] + i)
            && is_valid(calls.weights.validity, calls.weights.offsets[row] + i) && is_allowed(start) && is_allowed(end)
            && is_allowed(weight) && weight >= 0 && start < end;
}

// Classifies the rows, with one warp per row.
template <typename Number>
__device__ __forceinline__ void classify(
        int32 rows, const uint32* validity, const IntervalCalls& calls, const Classified& rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int32 count = count_of(calls.starts, row);
    bool valid = count_of(calls.ends, row) == count && count_of(calls.weights, row) == count;
    for (int32 i = lane; valid && i < count; i += 32) {
        valid = is_interval<Number>(calls, row, i);
    }
    valid = __all_sync(~0u, valid) != 0;
    if (lane != 0) {
        return;
    }
    if (!valid) {
        rows_of.reject(row);
    } else if (count > MAX_INTERVALS) {
        rows_of.put(row, ON_CPU, 0, 0);
    } else {
        rows_of.put(row, CLASSES - 1 - (32 - __clz(count)), count, count);
    }
}

// The intervals of a row, in shared memory, which has room for `count` intervals.
template <typename Number>
struct Intervals {
    Number* starts;
    Number* ends;
    int32* order;
    int32* before;

    __device__ Intervals(uint8* memory, int32 count) {
        starts = reinterpret_cast<Number*>(memory);
        ends = starts + count;
        order = reinterpret_cast<int32*>(ends + count + 1);
        before = order + count;
    }

    __device__ __forceinline__ bool is_earlier(int32 i, Number end, Number start, int32 place) const {
        return ends[i] < end || (ends[i] == end && (starts[i] < start || (starts[i] == start && i < place)));
    }

    // Sorts the intervals by ends, then starts, then positions. Each interval's place in this order is the number of
    // earlier intervals.
    __device__ __forceinline__ void sort(int32 count, int32 lane) const {
        for (int32 i = lane; i < count; i += 32) {
            int32 place = 0;
            for (int32 k = 0; k < count; k++) {
                place += is_earlier(k, ends[i], starts[i], i) ? 1 : 0;
            }
            order[place] = i;
        }
        __syncwarp();
    }

    // Counts the intervals that end at or before the start of each interval.
    __device__ __forceinline__ void search(int32 count, int32 lane) const {
        for (int32 i = lane; i < count; i += 32) {
            Number start = starts[order[i]];
            int32 low = 0;
            int32 high = i;
            while (low < high) {
                int32 middle = (low + high) / 2;
                if (ends[order[middle]] <= start) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            before[i] = low;
        }
        __syncwarp();
    }
};

// Solves the rows order[from], ..., each with one block of one warp.
//
// - largest: the maximum number of intervals in these rows
template <typename Number>
__device__ __forceinline__ void solve(
        const int32* order,
        int32 from,
        int32 largest,
        const IntervalCalls& calls,
        const ScheduleAnswers& answers,
        const Classified& rows_of) {
    extern __shared__ __align__(8) uint8 memory[];
    int32 row = order[from + blockIdx.x];
    int32 lane = threadIdx.x;
    int32 count = count_of(calls.starts, row);
    Intervals<Number> intervals(memory, largest);
    for (int32 i = lane; i < count; i += 32) {
        intervals.starts[i] = numbers_of<Number>(calls.starts, row)[i];
        intervals.ends[i] = numbers_of<Number>(calls.ends, row)[i];
    }
    __syncwarp();
    intervals.sort(count, lane);
    intervals.search(count, lane);
    // the starts and ends are no longer needed
    Number* weights = intervals.starts;
    Number* sums = intervals.ends;
    for (int32 i = lane; i < count; i += 32) {
        weights[i] = numbers_of<Number>(calls.weights, row)[intervals.order[i]];
    }
    __syncwarp();
    if (lane != 0) {
        return;
    }
    sums[0] = 0;
    bool has_overflow = false;
    for (int32 i = 0; i < count; i++) {
        Number sum = add(sums[intervals.before[i]], weights[i]);
        has_overflow = has_overflow || sum < 0;
        sums[i + 1] = max(sum, sums[i]);
    }
    if (has_overflow || !is_allowed(sums[count])) {
        rows_of.reject(row);
        return;
    }
    int32* items = answers.items + calls.starts.offsets[row];
    int32 left = count;
    for (int32 i = count - 1; i >= 0;) {
        bool is_selected = sums[i + 1] > sums[i];
        if (is_selected) {
            items[--left] = intervals.order[i];
        }
        i = is_selected ? intervals.before[i] - 1 : i - 1;
    }
    static_cast<Number*>(answers.sums)[row] = sums[count];
    answers.counts[row] = count - left;
}

}  // namespace

// Defines the kernels for a type.
#define WEIGHTED_SCHEDULE(name, Number) \
    extern "C" __global__ void weighted_schedule_classify_##name( \
            int32 rows, const uint32* validity, IntervalCalls calls, Classified rows_of) { \
        classify<Number>(rows, validity, calls, rows_of); \
    } \
    extern "C" __global__ void __launch_bounds__(32) weighted_schedule_##name( \
            const int32* order, \
            int32 from, \
            int32 largest, \
            IntervalCalls calls, \
            ScheduleAnswers answers, \
            Classified rows_of) { \
        solve<Number>(order, from, largest, calls, answers, rows_of); \
    }

WEIGHTED_SCHEDULE(longs, int64)
WEIGHTED_SCHEDULE(doubles, double)

// Copies the selected intervals of all rows, with one warp per row.
extern "C" __global__ void weighted_schedule_items(
        int32 rows, IntervalCalls calls, ScheduleAnswers answers, const int32* offsets, int32* items) {
    int64 row = thread_index() / 32;
    if (row >= rows) {
        return;
    }
    int32 count = offsets[row + 1] - offsets[row];
    const int32* from = answers.items + calls.starts.offsets[row + 1] - count;
    for (int32 i = threadIdx.x % 32; i < count; i += 32) {
        items[offsets[row] + i] = from[i];
    }
}
