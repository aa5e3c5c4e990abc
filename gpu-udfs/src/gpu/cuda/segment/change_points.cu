// Finds the change points of series, as dev.bellman.segment.Partition does.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "segment/criterion.cuh"
#include "segment/rank_tree.cuh"
#include "segment/search.cuh"

struct SegmentCalls {
    const int32* offsets;
    const int32* point_offsets;      // null for series of numbers
    const uint32* point_validity;
    const uint32* validity;
    const double* values;
    double* penalties;               // penalties, given or computed from the criterion; null for given numbers
    const int32* criterion_offsets;  // null for given penalties
    const uint8* criteria;
    const int32* numbers;  // the numbers of change points; null if there are penalties
    const int32* cost_offsets;  // null for `l2`
    const uint8* costs;
    const int32* min_sizes;  // null for the default
};

// The rows of a launch, with a slot for each.
struct SegmentSlots {
    const int32* order;
    int32 count;
    int32 stride;  // one more than the largest number of values or points in a row
    double* inverses;   // not for the cost `l1`
    Prefix* sums;       // not for the cost `l1`: the sums of all prefixes; for points, in each dimension
    double* sources;    // the costs of prefixes; used in turn with `targets` for given numbers of change points
    double* targets;    // the cost of each prefix
    double* kept_sums;  // for `l2` and each candidate, the sum of the values before it
    double* kept_keys;  // for `l2` and each candidate, the cost of the prefix before it minus the sum of that prefix's
                        // squares; for other costs, a lower bound
    int32* kept;        // the starts that remain candidates, in ascending order
    int32* starts;      // the start of each prefix's last segment, for each number of segments
    int32 tables;       // an upper bound on the number of segments; 1 if there are penalties
    int32 dimensions;   // an upper bound on the number of dimensions of points; 1 for numbers
    RankTrees trees;    // only for the cost `l1`
};

struct SegmentAnswers {
    int32* counts;
    int32* points;  // the change points of each row, at the offset of its values or points
};

STRUCT_FOR_HOST(SegmentCalls);
MEMBER_FOR_HOST(SegmentCalls, offsets);
MEMBER_FOR_HOST(SegmentCalls, point_offsets);
MEMBER_FOR_HOST(SegmentCalls, point_validity);
MEMBER_FOR_HOST(SegmentCalls, validity);
MEMBER_FOR_HOST(SegmentCalls, values);
MEMBER_FOR_HOST(SegmentCalls, penalties);
MEMBER_FOR_HOST(SegmentCalls, criterion_offsets);
MEMBER_FOR_HOST(SegmentCalls, criteria);
MEMBER_FOR_HOST(SegmentCalls, numbers);
MEMBER_FOR_HOST(SegmentCalls, cost_offsets);
MEMBER_FOR_HOST(SegmentCalls, costs);
MEMBER_FOR_HOST(SegmentCalls, min_sizes);
STRUCT_FOR_HOST(SegmentSlots);
MEMBER_FOR_HOST(SegmentSlots, order);
MEMBER_FOR_HOST(SegmentSlots, count);
MEMBER_FOR_HOST(SegmentSlots, stride);
MEMBER_FOR_HOST(SegmentSlots, inverses);
MEMBER_FOR_HOST(SegmentSlots, sums);
MEMBER_FOR_HOST(SegmentSlots, sources);
MEMBER_FOR_HOST(SegmentSlots, targets);
MEMBER_FOR_HOST(SegmentSlots, kept_sums);
MEMBER_FOR_HOST(SegmentSlots, kept_keys);
MEMBER_FOR_HOST(SegmentSlots, kept);
MEMBER_FOR_HOST(SegmentSlots, starts);
MEMBER_FOR_HOST(SegmentSlots, tables);
MEMBER_FOR_HOST(SegmentSlots, dimensions);
MEMBER_FOR_HOST(SegmentSlots, trees);
STRUCT_FOR_HOST(RankTrees);
MEMBER_FOR_HOST(RankTrees, sums);
MEMBER_FOR_HOST(RankTrees, sorted);
MEMBER_FOR_HOST(RankTrees, unsorted);
MEMBER_FOR_HOST(RankTrees, magnitudes);
MEMBER_FOR_HOST(RankTrees, zeros);
MEMBER_FOR_HOST(RankTrees, places);
MEMBER_FOR_HOST(RankTrees, levels);
STRUCT_FOR_HOST(SegmentAnswers);
MEMBER_FOR_HOST(SegmentAnswers, counts);
MEMBER_FOR_HOST(SegmentAnswers, points);

// A class combines the cost (l2, normal, poisson, l1), the number of bits in the number of values, and the number of
// bits in the number of change points, which is 0 if there are penalties and never exceeds the number of bits in the
// number of values: the pairs are (0, 0), (1, 0), (1, 1), (2, 0) and so on. For points, each number of bits in the
// number of dimensions has its own CLASSES classes.
constexpr int32 SIZES = 17;
constexpr int32 PAIRS = SIZES * (SIZES + 1) / 2;
constexpr int32 CLASSES = 4 * PAIRS;
constexpr int32 DIMENSION_BITS = 7;
constexpr int32 POINT_CLASSES = DIMENSION_BITS * CLASSES;
constexpr int32 MAX_VALUES = 1 << 16;
// Rows with more cells are left to the CPU, where the computation can be interrupted.
constexpr int64 MAX_CELLS = 1LL << 32;
// A cell takes about as long as four others if the cost is `l1`.
constexpr int32 L1_CELLS = 4;
constexpr int32 SEGMENT_BLOCK = 128;
FOR_HOST(PAIRS);
FOR_HOST(CLASSES);
FOR_HOST(POINT_CLASSES);
FOR_HOST(MAX_VALUES);
FOR_HOST(SEGMENT_BLOCK);

namespace {

constexpr double LARGEST = 1e100;
constexpr int32 DEFAULT_MIN_SIZE = 2;

constexpr int32 L2 = 0;
constexpr int32 NORMAL = 1;
constexpr int32 POISSON = 2;
constexpr int32 L1 = 3;
constexpr int32 UNKNOWN = 4;

__device__ __forceinline__ bool is_text(const uint8* text, int32 length, const char* name, int32 name_length) {
    bool same = length == name_length;
    for (int32 i = 0; same && i < length; i++) {
        same = text[i] == static_cast<uint8>(name[i]);
    }
    return same;
}

__device__ __forceinline__ int32 cost_of(const SegmentCalls& calls, int64 row) {
    if (calls.cost_offsets == nullptr) {
        return L2;
    }
    int32 begin = calls.cost_offsets[row];
    int32 length = calls.cost_offsets[row + 1] - begin;
    const uint8* text = calls.costs + begin;
    return is_text(text, length, "l2", 2) ? L2
        : is_text(text, length, "normal", 6) ? NORMAL
        : is_text(text, length, "poisson", 7) ? POISSON
        : is_text(text, length, "l1", 2) ? L1
        : UNKNOWN;
}

// Returns false if the row's penalty follows from a criterion other than 'bic', the only one that the GPU supports, or
// from 'bic' for the cost `l1`, which the CPU rejects.
__device__ __forceinline__ bool has_penalty(const SegmentCalls& calls, int64 row, int32 cost) {
    if (calls.criterion_offsets == nullptr) {
        return true;
    }
    if (cost == L1) {
        return false;
    }
    int32 begin = calls.criterion_offsets[row];
    return is_text(calls.criteria + begin, calls.criterion_offsets[row + 1] - begin, "bic", 3);
}

// The values of a row's series. For points, all values of a point are adjacent.
struct Series {
    const double* values;
    int32 begin;  // the index of the first value
    int32 count;
    int32 dimensions;

    // The first point determines the number of dimensions, which is 1 for numbers and for empty series.
    __device__ __forceinline__ Series(const SegmentCalls& calls, int64 row) :
        values(calls.values), begin(calls.offsets[row]), count(calls.offsets[row + 1] - begin), dimensions(1) {
        if (calls.point_offsets != nullptr && count > 0) {
            int32 first = begin;
            begin = calls.point_offsets[first];
            dimensions = calls.point_offsets[first + 1] - begin;
        }
    }

    // Returns the address of a dimension's first value. The next value is `dimensions` doubles further.
    __device__ __forceinline__ const double* of(int32 dimension) const {
        return values + begin + dimension;
    }
};

// Returns whether point i of a row is not null, and has as many dimensions as the first point.
__device__ __forceinline__ bool is_point(const SegmentCalls& calls, int64 row, int32 i, int32 dimensions) {
    int32 place = calls.offsets[row] + i;
    return is_valid(calls.point_validity, place)
        && calls.point_offsets[place + 1] - calls.point_offsets[place] == dimensions;
}

__device__ __forceinline__ bool is_value(const SegmentCalls& calls, int32 place, int32 cost) {
    double value = calls.values[place];
    return is_valid(calls.validity, place) && fabs(value) <= LARGEST && (cost != POISSON || value >= 0);
}

// Returns whether the points or numbers of a row are valid. All lanes of a warp must call this.
__device__ __forceinline__ bool are_valid(
        const SegmentCalls& calls, int64 row, const Series& series, int32 cost, int32 lane) {
    bool valid = series.dimensions > 0;
    for (int32 i = lane; calls.point_offsets != nullptr && valid && i < series.count; i += 32) {
        valid = is_point(calls, row, i, series.dimensions);
    }
    valid = __all_sync(~0u, valid) != 0;
    for (int64 i = lane; valid && i < static_cast<int64>(series.count) * series.dimensions; i += 32) {
        valid = is_value(calls, static_cast<int32>(series.begin + i), cost);
    }
    return __all_sync(~0u, valid) != 0;
}

__device__ __forceinline__ int32 min_size_of(const SegmentCalls& calls, int64 row) {
    return calls.min_sizes == nullptr ? DEFAULT_MIN_SIZE : calls.min_sizes[row];
}

// Writes the change points of a row; `starts` is null if the series is too short for change points.
__device__ __forceinline__ void put_points(
        const int32* starts, int32 count, const SegmentAnswers& answers, int32 row, int32 offset) {
    int32 last = starts == nullptr ? 0 : starts[count];
    int32 found = 0;
    for (int32 end = last; end > 0; end = starts[end]) {
        found++;
    }
    answers.counts[row] = found;
    int32* to = answers.points + offset + found;
    for (int32 end = last; end > 0; end = starts[end]) {
        *--to = end;
    }
}

// Writes the given number of change points. Table i of `starts` contains the starts of the last segments of prefixes
// with i change points.
__device__ __forceinline__ void put_number(
        const int32* starts,
        int32 stride,
        int32 number,
        int32 count,
        const SegmentAnswers& answers,
        int32 row,
        int32 offset) {
    answers.counts[row] = number;
    int32 end = count;
    for (int32 i = number; i > 0; i--) {
        end = starts[static_cast<int64>(i) * stride + end];
        answers.points[offset + i - 1] = end;
    }
}

// Returns the sums of a slot's series, in the form that the cost needs. The last parameter only selects the function.
__device__ __forceinline__ Prefixes sums_of(
        const SegmentSlots& slots, int64 slot, int32 count, int32 dimensions, Prefixes*) {
    return {slots.sums + slot * slots.stride, slots.inverses, count};
}

__device__ __forceinline__ PointPrefixes sums_of(
        const SegmentSlots& slots, int64 slot, int32 count, int32 dimensions, PointPrefixes*) {
    return {slots.sums + slot * slots.stride * slots.dimensions, slots.inverses, count, slots.stride, dimensions};
}

__device__ __forceinline__ RankTree sums_of(
        const SegmentSlots& slots, int64 slot, int32 count, int32 dimensions, RankTree*) {
    return {slots.trees, slot, count, slots.stride};
}

__device__ __forceinline__ PointTrees sums_of(
        const SegmentSlots& slots, int64 slot, int32 count, int32 dimensions, PointTrees*) {
    return {slots.trees, slot * slots.dimensions, count, slots.stride, dimensions};
}

template <typename Cost, int32 LANES>
__device__ __forceinline__ void solve(const SegmentSlots& slots, const SegmentCalls& calls, SegmentAnswers answers) {
    int64 slot = thread_index() / LANES;
    bool has_row = slot < slots.count;
    int32 row = has_row ? slots.order[slot] : 0;
    int32 offset = has_row ? calls.offsets[row] : 0;
    int32 count = has_row ? calls.offsets[row + 1] - offset : 0;
    int64 from = slot * slots.stride;
    Search<Cost, LANES> search;
    if constexpr (!Cost::IS_SCREENED) {
        __shared__ double bounds[SEGMENT_BLOCK / LANES * 2 * PRUNE_EVERY];
        search.bounds = bounds + threadIdx.x / LANES * 2 * PRUNE_EVERY;
    }
    int32 dimensions = Cost::IS_OF_POINTS && has_row ? Series(calls, row).dimensions : 1;
    search.prefixes = sums_of(slots, slot, count, dimensions, static_cast<typename Cost::Sums*>(nullptr));
    search.kept_sums = slots.kept_sums + from;
    search.kept_keys = slots.kept_keys + from;
    search.kept = slots.kept + from;
    search.starts = slots.starts + from * slots.tables;
    search.lane = threadIdx.x % LANES;
    search.min_size = has_row ? min_size_of(calls, row) : 0;
    bool has_number = calls.numbers != nullptr;
    int32 number = has_number && has_row ? calls.numbers[row] : 0;
    search.penalty = !has_number && has_row ? calls.penalties[row] : 0;
    bool active = has_row && (has_number ? number > 0 : search.min_size <= count / 2);
    search.slack = active ? Cost::slack(search.prefixes, search.penalty) : 0;
    double* other = slots.sources + from;
    for (int32 segments = 0; __any_sync(~0u, active && segments <= number); segments++) {
        bool is_even = segments % 2 == 0;
        search.first = !has_number ? search.min_size : segments == 0 ? 0x7fffffff : segments * search.min_size;
        search.has_first_segment = segments == 0;
        search.sources = is_even ? slots.targets + from : other;
        search.targets = has_number && is_even ? other : slots.targets + from;
        search.run(active && segments <= number);
        search.starts += slots.stride;
    }
    if (has_row && search.lane == 0) {
        const int32* starts = slots.starts + from * slots.tables;
        if (has_number) {
            put_number(starts, slots.stride, number, count, answers, row, offset);
        } else {
            put_points(active ? starts : nullptr, count, answers, row, offset);
        }
    }
}

}  // namespace

// Classifies the rows, with one warp per row.
extern "C" __global__ void change_points_classify(
        int32 rows, const uint32* validity, SegmentCalls calls, Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    Series series(calls, row);
    int32 count = series.count;
    int32 cost = cost_of(calls, row);
    bool is_given = calls.numbers == nullptr && calls.criterion_offsets == nullptr;
    double penalty = is_given ? calls.penalties[row] : 0;
    int32 number = calls.numbers == nullptr ? 0 : calls.numbers[row];
    int32 min_size = min_size_of(calls, row);
    bool valid = penalty >= 0 && penalty <= LARGEST && min_size >= 1 && number >= 0
        && (number == 0 || (number + 1LL) * min_size <= count);
    valid = valid && are_valid(calls, row, series, cost, lane);
    if (lane != 0) {
        return;
    }
    int64 cells = static_cast<int64>(count) * (count + 1) / 2 * (calls.numbers == nullptr ? 1 : number);
    int32 dimension_bits = 32 - __clz(max(1, series.dimensions));
    bool is_small = count < MAX_VALUES && dimension_bits <= DIMENSION_BITS && cells <= MAX_CELLS;
    int32 weight = cost == L1 ? L1_CELLS : 1;
    if (cost == UNKNOWN || !has_penalty(calls, row, cost) || !is_small
            || cells * series.dimensions > MAX_CELLS / weight) {
        rows_of.put(row, ON_CPU, 0, 0);
    } else if (!valid) {
        rows_of.reject(row);
    } else {
        int32 bits = 32 - __clz(count);
        int32 key = cost * PAIRS + bits * (bits + 1) / 2 + 32 - __clz(number);
        rows_of.put(row, (dimension_bits - 1) * CLASSES + key, count, cells * series.dimensions);
    }
}

// Computes the penalties that follow from the criterion, with one warp per row.
extern "C" __global__ void change_points_criterion(const int32* order, int32 count, SegmentCalls calls) {
    int64 index = thread_index() / 32;
    if (index >= count) {
        return;
    }
    int32 row = order[index];
    int32 cost = cost_of(calls, row);
    Series series(calls, row);
    double log = strict_log(max(1, series.count));
    double penalty = __dmul_rn(1 + (cost == NORMAL ? 2 : 1) * series.dimensions, log);
    if (cost == L2) {
        double sum = 0;
        for (int32 k = 0; k < series.dimensions; k++) {
            sum = __dadd_rn(sum, noise_variance(series.of(k), series.dimensions, series.count));
        }
        penalty = __dmul_rn(penalty, __ddiv_rn(sum, series.dimensions));
    }
    if (threadIdx.x % 32 == 0) {
        calls.penalties[row] = penalty;
    }
}

namespace {

// Computes, for every prefix of one dimension, the sums of the values and of their squares. If may_reduce is set and
// all values are close to the first one, it is subtracted from them first.
//
// - step: the distance between consecutive values, in doubles
// - may_reduce: whether the cost depends only on differences between values
__device__ __forceinline__ void sum_prefixes(
        const double* values, int32 step, int32 count, bool may_reduce, Prefix* to) {
    // as in SquaresCost.reduced; adding 0 turns -0.0 into 0.0
    double first = count == 0 || !may_reduce ? 0 : values[0] + 0.0;
    double least = fmin(first / 2, 2 * first);
    double greatest = fmax(first / 2, 2 * first);
    bool reduces = true;
    for (int64 i = 0; reduces && i < count; i++) {
        double value = values[i * step];
        reduces = value >= least && value <= greatest;
    }
    double base = reduces ? first : 0;
    Prefix sums = {0, 0, 0, 0};
    to[0] = sums;
    for (int64 i = 0; i < count; i++) {
        double value = __dsub_rn(__dadd_rn(values[i * step], 0), base);
        double square = __dmul_rn(value, value);
        append(sums.sum, sums.sum_low, value, 0);
        append(sums.squares, sums.squares_low, square, __fma_rn(value, value, -square));
        to[i + 1] = sums;
    }
}

}  // namespace

// Computes the sums of each row's prefixes, with one thread per row and dimension, and the reciprocals of all lengths.
extern "C" __global__ void change_points_sums(SegmentSlots slots, SegmentCalls calls) {
    int64 thread = thread_index();
    for (int64 i = thread; i < slots.stride; i += static_cast<int64>(gridDim.x) * blockDim.x) {
        slots.inverses[i] = __ddiv_rn(1, static_cast<double>(i));
    }
    int64 slot = thread / slots.dimensions;
    int32 dimension = static_cast<int32>(thread % slots.dimensions);
    if (slot >= slots.count) {
        return;
    }
    int32 row = slots.order[slot];
    Series series(calls, row);
    if (dimension < series.dimensions) {
        sum_prefixes(series.of(dimension), series.dimensions, series.count, cost_of(calls, row) != POISSON,
            slots.sums + thread * slots.stride);
    }
    if (dimension == 0) {
        slots.targets[slot * slots.stride] = 0;
    }
}

// Builds the trees of each row, except for their sums, with one warp per row and dimension.
extern "C" __global__ void change_points_ranks(SegmentSlots slots, SegmentCalls calls) {
    int64 index = thread_index() / 32;
    int64 slot = index / slots.dimensions;
    int32 dimension = static_cast<int32>(index % slots.dimensions);
    if (slot >= slots.count) {
        return;
    }
    Series series(calls, slots.order[slot]);
    if (dimension < series.dimensions) {
        const RankTrees& trees = slots.trees;
        build(series.of(dimension), series.dimensions, {trees, index, series.count, slots.stride},
            trees.unsorted + index * slots.stride, trees.places + 2 * index * slots.stride);
    }
    if (dimension == 0 && threadIdx.x % 32 == 0) {
        slots.targets[slot * slots.stride] = 0;
    }
}

// Computes the sums of each tree, with one thread per level.
extern "C" __global__ void change_points_rank_sums(SegmentSlots slots, SegmentCalls calls) {
    int64 thread = thread_index();
    int32 levels = slots.trees.levels + 1;
    int64 index = thread / levels;
    int32 level = static_cast<int32>(thread % levels);
    int64 slot = index / slots.dimensions;
    if (slot >= slots.count) {
        return;
    }
    Series series(calls, slots.order[slot]);
    RankTree tree(slots.trees, index, series.count, slots.stride);
    if (index % slots.dimensions < series.dimensions && level <= tree.levels) {
        sum_level(tree, level);
    }
}

// The last arguments are launch bounds.
#define CHANGE_POINTS(NAME, COST, LANES, ...)                                                                    \
    extern "C" __global__ void __launch_bounds__(__VA_ARGS__)                                                    \
        change_points_##NAME##_##LANES(SegmentSlots slots, SegmentCalls calls, SegmentAnswers answers) {         \
        solve<COST, LANES>(slots, calls, answers);                                                               \
    }

CHANGE_POINTS(l2, SquaresCost, 8, SEGMENT_BLOCK)
CHANGE_POINTS(l2, SquaresCost, 32, SEGMENT_BLOCK)
CHANGE_POINTS(normal, NormalCost, 8, SEGMENT_BLOCK)
CHANGE_POINTS(normal, NormalCost, 32, SEGMENT_BLOCK)
CHANGE_POINTS(poisson, PoissonCost, 8, SEGMENT_BLOCK)
CHANGE_POINTS(poisson, PoissonCost, 32, SEGMENT_BLOCK)
CHANGE_POINTS(l1, MedianCost, 8, SEGMENT_BLOCK, 5)
CHANGE_POINTS(l1, MedianCost, 32, SEGMENT_BLOCK, 5)
CHANGE_POINTS(l2_of_points, PointCost<SquaresCost>, 8, SEGMENT_BLOCK)
CHANGE_POINTS(l2_of_points, PointCost<SquaresCost>, 32, SEGMENT_BLOCK)
CHANGE_POINTS(normal_of_points, PointCost<NormalCost>, 8, SEGMENT_BLOCK)
CHANGE_POINTS(normal_of_points, PointCost<NormalCost>, 32, SEGMENT_BLOCK)
CHANGE_POINTS(poisson_of_points, PointCost<PoissonCost>, 8, SEGMENT_BLOCK)
CHANGE_POINTS(poisson_of_points, PointCost<PoissonCost>, 32, SEGMENT_BLOCK)
CHANGE_POINTS(l1_of_points, PointCost<MedianCost>, 8, SEGMENT_BLOCK, 5)
CHANGE_POINTS(l1_of_points, PointCost<MedianCost>, 32, SEGMENT_BLOCK, 5)

// Copies the change points of each row into the result.
extern "C" __global__ void change_points_copy(
        int32 rows,
        SegmentCalls calls,
        SegmentAnswers answers,
        Classified rows_of,
        const int32* point_offsets,
        int32* points) {
    int64 row = thread_index();
    if (row >= rows || !rows_of.is_solved(row)) {
        return;
    }
    const int32* from = answers.points + calls.offsets[row];
    for (int32 i = 0; i < answers.counts[row]; i++) {
        points[point_offsets[row] + i] = from[i];
    }
}
