// Partitions series into segments with a line through each, with one warp per row: dev.bellman.segment.Partition.
#include "columns/instances.cuh"
#include "columns/slots.cuh"
#include "common/host.cuh"
#include "segment/line.cuh"
#include "segment/search.cuh"

// A class is the binary logarithm of the number of values, counted from the largest.
constexpr int32 CLASSES = 32;
// The CPU solves longer rows, because the time is quadratic and a warp is slow.
constexpr int32 MAX_VALUES = 1 << 13;
// A slot's bytes per prefix: its sums, its cost, the start of its last segment, and a candidate with its key.
constexpr int32 PREFIX_BYTES = sizeof(LinePrefix) + 2 * sizeof(double) + 2 * sizeof(int32);
FOR_HOST(CLASSES);
FOR_HOST(PREFIX_BYTES);

struct LineCalls {
    const int32* offsets;
    const uint32* validity;
    const double* values;
    const double* penalties;
};

// The lines of each row, at the offset of its values.
struct LineAnswers {
    int32* counts;  // initially 0
    int32* begins;
    double* values;
    double* slopes;
};

struct LineResults {
    const int32* offsets;
    int32* begins;
    int32* ends;
    double* values;
    double* slopes;
};

STRUCT_FOR_HOST(LineCalls);
MEMBER_FOR_HOST(LineCalls, offsets);
MEMBER_FOR_HOST(LineCalls, validity);
MEMBER_FOR_HOST(LineCalls, values);
MEMBER_FOR_HOST(LineCalls, penalties);
STRUCT_FOR_HOST(LineAnswers);
MEMBER_FOR_HOST(LineAnswers, counts);
MEMBER_FOR_HOST(LineAnswers, begins);
MEMBER_FOR_HOST(LineAnswers, values);
MEMBER_FOR_HOST(LineAnswers, slopes);
STRUCT_FOR_HOST(LineResults);
MEMBER_FOR_HOST(LineResults, offsets);
MEMBER_FOR_HOST(LineResults, begins);
MEMBER_FOR_HOST(LineResults, ends);
MEMBER_FOR_HOST(LineResults, values);
MEMBER_FOR_HOST(LineResults, slopes);

// Classifies the rows, with one warp per row.
extern "C" __global__ void piecewise_linear_classify(
        int32 rows, const uint32* validity, LineCalls calls, Classified rows_of) {
    constexpr double LARGEST = 1e100;
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int64 begin = calls.offsets[row];
    int32 count = calls.offsets[row + 1] - calls.offsets[row];
    bool valid = calls.penalties[row] >= 0 && calls.penalties[row] <= LARGEST;
    for (int32 i = lane; valid && i < count; i += 32) {
        valid = is_valid(calls.validity, begin + i) && fabs(calls.values[begin + i]) <= LARGEST;
    }
    valid = __all_sync(~0u, valid) != 0;
    if (lane != 0) {
        return;
    }
    if (!valid) {
        rows_of.reject(row);
    } else if (count > MAX_VALUES) {
        rows_of.put(row, ON_CPU, 0, 0);
    } else {
        rows_of.put(row, __clz(count + 1), count + 1, static_cast<int64>(count) * (count + 1) / 2);
    }
}

namespace {

// Computes the sums of all prefixes. A lane adds the values, another their squares, and another their products with
// their indices.
__device__ __forceinline__ LinePrefixes add(const double* values, int32 count, LinePrefix* sums, int32 lane) {
    double* to = reinterpret_cast<double*>(sums) + 2 * lane;
    constexpr int32 STEP = sizeof(LinePrefix) / sizeof(double);
    double high = 0;
    double low = 0;
    double magnitudes = 0;
    if (lane < STEP / 2) {
        to[0] = 0;
        to[1] = 0;
    }
    for (int32 i = 0; i < count; i++) {
        double value = __dadd_rn(values[i], 0);  // turns -0.0 into 0.0
        double factor = lane == 0 ? 1 : lane == 1 ? value : i;
        double product = __dmul_rn(factor, value);
        append(high, low, product, __fma_rn(factor, value, -product));
        magnitudes = __dadd_rn(magnitudes, fabs(value));
        if (lane < STEP / 2) {
            to[STEP * (i + 1)] = high;
            to[STEP * (i + 1) + 1] = low;
        }
    }
    __syncwarp();
    return {sums, count, __dmul_rn(FLOOR, sums[count].squares), __dmul_rn(__dmul_rn(FLOOR, magnitudes), count)};
}

// Writes the starts of the lines in ascending order. Returns their number.
__device__ __forceinline__ int32 put_begins(const int32* starts, int32 count, int32* begins) {
    int32 found = count == 0 ? 0 : 1;
    for (int32 end = count; end > 0 && starts[end] > 0; end = starts[end]) {
        found++;
    }
    int32 place = found;
    for (int32 end = count; place > 0; end = starts[end]) {
        begins[--place] = starts[end];
    }
    return found;
}

}  // namespace

// Solves the rows of a group, which warps take in turn.
extern "C" __global__ void __launch_bounds__(32, 16) piecewise_linear(
        Slots slots,
        LineCalls calls,
        LineAnswers answers) {
    __shared__ double bounds[2 * PRUNE_EVERY];
    int32 lane = threadIdx.x;
    uint8* slot = slots.of_block();
    for (int32 i = slots.next(); i < slots.to; i = slots.next()) {
        int32 row = slots.order[i];
        int32 offset = calls.offsets[row];
        int32 count = calls.offsets[row + 1] - offset;
        LinePrefix* sums = reinterpret_cast<LinePrefix*>(slot);
        Search<LineCost, 32> search;
        search.prefixes = add(calls.values + offset, count, sums, lane);
        search.targets = reinterpret_cast<double*>(sums + count + 1);
        search.sources = search.targets;
        search.kept_keys = search.targets + count + 1;
        search.starts = reinterpret_cast<int32*>(search.kept_keys + count + 1);
        search.kept = search.starts + count + 1;
        search.kept_sums = nullptr;
        search.bounds = bounds;
        search.lane = lane;
        search.min_size = 2;
        search.penalty = calls.penalties[row];
        search.slack = LineCost::slack(search.prefixes, search.penalty);
        search.first = search.min_size;
        search.has_first_segment = true;
        if (lane == 0) {
            search.targets[0] = 0;
            search.starts[count] = 0;
        }
        __syncwarp();
        search.run(count >= 2 * search.min_size);
        int32* begins = answers.begins + offset;
        int32 lines = lane == 0 ? put_begins(search.starts, count, begins) : 0;
        lines = __shfl_sync(~0u, lines, 0);
        __syncwarp();
        for (int32 k = lane; k < lines; k += 32) {
            Line line = LineCost::line(search.prefixes, begins[k], k + 1 < lines ? begins[k + 1] : count);
            answers.values[offset + k] = line.value;
            answers.slopes[offset + k] = line.slope;
        }
        if (lane == 0) {
            answers.counts[row] = lines;
        }
    }
}

// Copies the lines of all rows, with one warp per row.
extern "C" __global__ void piecewise_linear_results(
        int32 rows, LineCalls calls, LineAnswers answers, LineResults results) {
    int64 row = thread_index() / 32;
    if (row >= rows) {
        return;
    }
    int64 begin = calls.offsets[row];
    int32 to = results.offsets[row];
    int32 count = results.offsets[row + 1] - to;
    int32 values = calls.offsets[row + 1] - calls.offsets[row];
    for (int32 i = threadIdx.x % 32; i < count; i += 32) {
        results.begins[to + i] = answers.begins[begin + i];
        results.ends[to + i] = i + 1 < count ? answers.begins[begin + i + 1] : values;
        results.values[to + i] = answers.values[begin + i];
        results.slopes[to + i] = answers.slopes[begin + i];
    }
}
