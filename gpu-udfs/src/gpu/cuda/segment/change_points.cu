// Finds the change points of series, as dev.bellman.segment.Partition does: a group of lanes shares the possible starts
// of the last segment. The segments of all ends of a batch of ends are scanned together, so that each start is loaded
// once for several ends.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"
#include "segment/costs.cuh"
#include "segment/criterion.cuh"

struct SegmentCalls {
    const int32* offsets;
    const uint32* validity;
    const double* values;
    double* penalties;               // given, or those of the criterion
    const int32* criterion_offsets;  // null for given penalties
    const uint8* criteria;
    const int32* cost_offsets;  // null for `l2`
    const uint8* costs;
    const int32* min_sizes;  // null for the default
};

// The rows of a launch, with a slot for each.
struct SegmentSlots {
    const int32* order;
    int32 count;
    int32 stride;  // one more than the number of values of the largest row
    double* inverses;
    Prefix* sums;
    double* targets;    // the cost of each prefix
    double* kept_sums;  // for each candidate, the sum of the values before it
    double* kept_keys;  // the cost of the prefix before it minus the sum of the squares
    int32* kept;        // the starts that remain candidates, in ascending order
    int32* starts;      // the start of each prefix's last segment
};

struct SegmentAnswers {
    int32* counts;
    int32* points;  // the change points of each row, at the offset of its values
};

STRUCT_FOR_HOST(SegmentCalls);
MEMBER_FOR_HOST(SegmentCalls, offsets);
MEMBER_FOR_HOST(SegmentCalls, validity);
MEMBER_FOR_HOST(SegmentCalls, values);
MEMBER_FOR_HOST(SegmentCalls, penalties);
MEMBER_FOR_HOST(SegmentCalls, criterion_offsets);
MEMBER_FOR_HOST(SegmentCalls, criteria);
MEMBER_FOR_HOST(SegmentCalls, cost_offsets);
MEMBER_FOR_HOST(SegmentCalls, costs);
MEMBER_FOR_HOST(SegmentCalls, min_sizes);
STRUCT_FOR_HOST(SegmentSlots);
MEMBER_FOR_HOST(SegmentSlots, order);
MEMBER_FOR_HOST(SegmentSlots, count);
MEMBER_FOR_HOST(SegmentSlots, stride);
MEMBER_FOR_HOST(SegmentSlots, inverses);
MEMBER_FOR_HOST(SegmentSlots, sums);
MEMBER_FOR_HOST(SegmentSlots, targets);
MEMBER_FOR_HOST(SegmentSlots, kept_sums);
MEMBER_FOR_HOST(SegmentSlots, kept_keys);
MEMBER_FOR_HOST(SegmentSlots, kept);
MEMBER_FOR_HOST(SegmentSlots, starts);
STRUCT_FOR_HOST(SegmentAnswers);
MEMBER_FOR_HOST(SegmentAnswers, counts);
MEMBER_FOR_HOST(SegmentAnswers, points);

// A class combines the cost (l2, normal, poisson) and the number of bits in the number of values.
constexpr int32 SIZES = 17;
constexpr int32 CLASSES = 3 * SIZES;
constexpr int32 MAX_VALUES = 1 << 16;
constexpr int32 SEGMENT_BLOCK = 128;
FOR_HOST(SIZES);
FOR_HOST(CLASSES);
FOR_HOST(MAX_VALUES);
FOR_HOST(SEGMENT_BLOCK);

namespace {

constexpr double LARGEST = 1e100;
constexpr int32 DEFAULT_MIN_SIZE = 2;
// The number of ends between prunings.
constexpr int32 PRUNE_EVERY = 16;

constexpr int32 L2 = 0;
constexpr int32 NORMAL = 1;
constexpr int32 POISSON = 2;
constexpr int32 UNKNOWN = 3;

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
        : UNKNOWN;
}

// Whether the row's penalty is given or that of the known criterion.
__device__ __forceinline__ bool has_penalty(const SegmentCalls& calls, int64 row) {
    if (calls.criterion_offsets == nullptr) {
        return true;
    }
    int32 begin = calls.criterion_offsets[row];
    return is_text(calls.criteria + begin, calls.criterion_offsets[row + 1] - begin, "bic", 3);
}

__device__ __forceinline__ int32 min_size_of(const SegmentCalls& calls, int64 row) {
    return calls.min_sizes == nullptr ? DEFAULT_MIN_SIZE : calls.min_sizes[row];
}

// The lowest cost of a prefix, and the start of its last segment; of equal costs, the one with the smallest start.
struct Best {
    double cost = INFINITE;
    int32 start = 0x7fffffff;

    __device__ __forceinline__ void merge(double other, int32 other_start) {
        if (other < cost || (other == cost && other_start < start)) {
            cost = other;
            start = other_start;
        }
    }

    template <int32 LANES>
    __device__ __forceinline__ void merge_lanes() {
#pragma unroll
        for (int32 other = 1; other < LANES; other *= 2) {
            double other_cost = __shfl_xor_sync(~0u, cost, other);
            merge(other_cost, __shfl_xor_sync(~0u, start, other));
        }
    }
};

// The search of one group of lanes.
template <typename Cost, int32 LANES>
struct Search {
    static constexpr int32 ENDS = Cost::ENDS;

    Prefixes prefixes;
    double* targets;
    double* kept_sums;
    double* kept_keys;
    int32* kept;
    int32* starts;
    int32 lane;
    int32 min_size;
    double penalty;
    double slack;
    int32 candidates = 0;

    __device__ __forceinline__ double exact(int32 start, int32 end) const {
        return __dadd_rn(Cost::of(prefixes, start, end), targets[start]);
    }

    // Returns the approximate cost of a prefix, without the sum of its squares.
    __device__ __forceinline__ double approximate(double key, double sum, int32 start, double end_sum, int32 end) const {
        double near = end_sum - sum;
        return key - near * near * prefixes.inverses[end - start];
    }

    // Whether the last segment of a longer prefix may begin here.
    __device__ __forceinline__ bool is_start(int32 start) const {
        return start == 0 || start >= min_size;
    }

    __device__ __forceinline__ double key(int32 start) const {
        return targets[start] - prefixes.sums[start].squares;
    }

    // Returns the number of lanes of the group before this one for which `take` is true, and adds all to `total`.
    __device__ __forceinline__ int32 place(bool take, int32& total) const {
        uint32 first = threadIdx.x % 32 - lane;
        uint32 mask = __ballot_sync(~0u, take) >> first & (LANES == 32 ? ~0u : (1u << LANES % 32) - 1);
        total = __popc(mask);
        return __popc(mask & ((1u << lane) - 1));
    }

    __device__ __forceinline__ void add(bool active, int32 end) {
        int32 start = end - min_size - (ENDS - 1) + lane;
        bool take = active && lane < ENDS && start >= 0 && is_start(start);
        int32 total;
        int32 to = candidates + place(take, total);
        if (take) {
            kept[to] = start;
            if constexpr (Cost::IS_SCREENED) {
                kept_sums[to] = prefixes.sums[start].sum;
                kept_keys[to] = key(start);
            }
        }
        candidates += total;
        __syncwarp();
    }

    // Computes the costs of ENDS prefixes.
    __device__ __forceinline__ void solve(bool active, int32 end) {
        if constexpr (Cost::IS_SCREENED) {
            solve_screened(active, end);
        } else {
            Best best;
            for (int32 i = lane; active && i < candidates; i += LANES) {
                best.merge(exact(kept[i], end), kept[i]);
            }
            __syncwarp();
            put(best, active, end);
        }
    }

    __device__ __forceinline__ void put(Best best, bool active, int32 end) {
        best.template merge_lanes<LANES>();
        if (active && lane == 0) {
            targets[end] = __dadd_rn(best.cost, penalty);
            starts[end] = best.start;
        }
        __syncwarp();
    }

    __device__ __forceinline__ void solve_screened(bool active, int32 end) {
        double sums[ENDS];
        int32 ends[ENDS];
        double least[ENDS];
        double second[ENDS];
        int32 at[ENDS];
#pragma unroll
        for (int32 j = 0; j < ENDS; j++) {
            ends[j] = min(end + j, prefixes.count);
            sums[j] = active ? prefixes.sums[ends[j]].sum : 0;
            least[j] = INFINITE;
            second[j] = INFINITE;
            at[j] = 0;
        }
        for (int32 i = lane; active && i < candidates; i += LANES) {
            int32 start = kept[i];
            double sum = kept_sums[i];
            double key = kept_keys[i];
#pragma unroll
            for (int32 j = 0; j < ENDS; j++) {
                double cost = approximate(key, sum, start, sums[j], ends[j]);
                bool less = cost < least[j];
                second[j] = less ? least[j] : cost < second[j] ? cost : second[j];
                least[j] = less ? cost : least[j];
                at[j] = less ? start : at[j];
            }
        }
        __syncwarp();
#pragma unroll
        for (int32 j = 0; j < ENDS; j++) {
            // the starts that the first of these ends does not have yet
            int32 more = end - min_size + 1 + lane;
            bool has_more = active && lane < j && is_start(more) && end + j <= prefixes.count;
            double of_more = INFINITE;
            if (has_more) {
                of_more = approximate(key(more), prefixes.sums[more].sum, more, sums[j], ends[j]);
                bool less = of_more < least[j];
                second[j] = less ? least[j] : of_more < second[j] ? of_more : second[j];
                least[j] = less ? of_more : least[j];
                at[j] = less ? more : at[j];
            }
            double limit =
                reduce_lanes<LANES>(least[j], [](double a, double b) { return b < a ? b : a; }) + 3 * slack;
            Best best;
            if (least[j] <= limit && least[j] < INFINITE) {
                if (second[j] <= limit) {
                    for (int32 i = lane; i < candidates; i += LANES) {
                        int32 start = kept[i];
                        if (approximate(kept_keys[i], kept_sums[i], start, sums[j], ends[j]) <= limit) {
                            best.merge(exact(start, ends[j]), start);
                        }
                    }
                    if (has_more && of_more <= limit) {
                        best.merge(exact(more, ends[j]), more);
                    }
                } else {
                    best.merge(exact(at[j], ends[j]), at[j]);
                }
            }
            __syncwarp();
            put(best, active && end + j <= prefixes.count, end + j);
        }
    }

    // Removes the candidates that no end from `middle + min_size` on needs.
    __device__ __forceinline__ void prune(bool active, int32 middle) {
        double limit = 0;
        double sum = 0;
        if (active) {
            limit = Cost::IS_SCREENED ? key(middle) + 4 * slack : targets[middle] + slack;
            sum = prefixes.sums[middle].sum;
        }
        int32 left = 0;
        int32 rounds = max_of_lanes<32>(active ? (candidates + LANES - 1) / LANES : 0);
        for (int32 round = 0; round < rounds; round++) {
            int32 i = round * LANES + lane;
            int32 start = 0;
            double start_sum = 0;
            double start_key = 0;
            bool take = active && i < candidates;
            if (take) {
                start = kept[i];
                double cost;
                if constexpr (Cost::IS_SCREENED) {
                    start_sum = kept_sums[i];
                    start_key = kept_keys[i];
                    cost = approximate(start_key, start_sum, start, sum, middle);
                } else {
                    cost = exact(start, middle);
                }
                take = !(cost > limit);
            }
            __syncwarp();
            int32 total;
            int32 to = left + place(take, total);
            if (take) {
                kept[to] = start;
                if constexpr (Cost::IS_SCREENED) {
                    kept_sums[to] = start_sum;
                    kept_keys[to] = start_key;
                }
            }
            left += total;
            __syncwarp();
        }
        candidates = active ? left : candidates;
    }

    // Solves all prefixes; `active` tells whether the group has a series that may have change points.
    __device__ __forceinline__ void run(bool active) {
        int32 end = active ? min_size : 0;
        for (int32 round = 1; __any_sync(~0u, active); round++) {
            add(active, end);
            solve(active, end);
            end += ENDS;
            active = active && end <= prefixes.count;
            if (round % (PRUNE_EVERY / ENDS) == 0) {
                prune(active && end - min_size >= min_size, end - min_size);
            }
        }
    }
};

template <typename Cost, int32 LANES>
__device__ __forceinline__ void solve(const SegmentSlots& slots, const SegmentCalls& calls, SegmentAnswers answers) {
    int64 slot = thread_index() / LANES;
    bool has_row = slot < slots.count;
    int32 row = has_row ? slots.order[slot] : 0;
    int32 offset = has_row ? calls.offsets[row] : 0;
    int32 count = has_row ? calls.offsets[row + 1] - offset : 0;
    int64 from = slot * slots.stride;
    Search<Cost, LANES> search;
    search.prefixes = {slots.sums + from, slots.inverses, count};
    search.targets = slots.targets + from;
    search.kept_sums = slots.kept_sums + from;
    search.kept_keys = slots.kept_keys + from;
    search.kept = slots.kept + from;
    search.starts = slots.starts + from;
    search.lane = threadIdx.x % LANES;
    search.min_size = has_row ? min_size_of(calls, row) : 0;
    search.penalty = has_row ? calls.penalties[row] : 0;
    bool active = has_row && search.min_size <= count / 2;
    search.slack = active ? Cost::slack(search.prefixes, search.penalty) : 0;
    search.run(active);
    if (has_row && search.lane == 0) {
        int32 found = 0;
        for (int32 end = active ? search.starts[count] : 0; end > 0; end = search.starts[end]) {
            found++;
        }
        answers.counts[row] = found;
        int32* to = answers.points + offset + found;
        for (int32 end = active ? search.starts[count] : 0; end > 0; end = search.starts[end]) {
            *--to = end;
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
    int32 begin = calls.offsets[row];
    int32 count = calls.offsets[row + 1] - begin;
    int32 cost = cost_of(calls, row);
    bool is_given = calls.criterion_offsets == nullptr;
    double penalty = is_given ? calls.penalties[row] : 0;
    bool valid = penalty >= 0 && penalty <= LARGEST && min_size_of(calls, row) >= 1;
    for (int32 i = lane; valid && i < count; i += 32) {
        double value = calls.values[begin + i];
        valid = is_valid(calls.validity, begin + i) && fabs(value) <= LARGEST && (cost != POISSON || value >= 0);
    }
    valid = __all_sync(~0u, valid) != 0;
    if (lane != 0) {
        return;
    }
    if (cost == UNKNOWN || !has_penalty(calls, row) || count >= MAX_VALUES) {
        rows_of.put(row, ON_CPU, 0, 0);
    } else if (!valid) {
        rows_of.reject(row);
    } else {
        rows_of.put(
            row, cost * SIZES + 32 - __clz(count), count, static_cast<int64>(count) * (count + 1) / 2);
    }
}

// Computes the penalties of the criterion, with one warp per row.
extern "C" __global__ void change_points_criterion(const int32* order, int32 count, SegmentCalls calls) {
    int64 index = thread_index() / 32;
    if (index >= count) {
        return;
    }
    int32 row = order[index];
    int32 cost = cost_of(calls, row);
    int32 offset = calls.offsets[row];
    int32 values = calls.offsets[row + 1] - offset;
    double log = strict_log(max(1, values));
    double penalty = __dmul_rn(cost == NORMAL ? 3 : 2, log);
    if (cost == L2) {
        penalty = __dmul_rn(penalty, noise_variance(calls.values + offset, values));
    }
    if (threadIdx.x % 32 == 0) {
        calls.penalties[row] = penalty;
    }
}

// Computes the prefixes of each row, with one thread per row, and the reciprocals of all lengths.
extern "C" __global__ void change_points_sums(SegmentSlots slots, SegmentCalls calls) {
    int64 slot = thread_index();
    for (int64 i = slot; i < slots.stride; i += static_cast<int64>(gridDim.x) * blockDim.x) {
        slots.inverses[i] = __ddiv_rn(1, static_cast<double>(i));
    }
    if (slot >= slots.count) {
        return;
    }
    int32 row = slots.order[slot];
    int32 count = calls.offsets[row + 1] - calls.offsets[row];
    const double* values = calls.values + calls.offsets[row];
    // as in SquaresCost.reduced; adding 0 replaces -0.0
    double first = count == 0 || cost_of(calls, row) == POISSON ? 0 : values[0] + 0.0;
    double least = fmin(first / 2, 2 * first);
    double greatest = fmax(first / 2, 2 * first);
    bool reduces = true;
    for (int32 i = 0; reduces && i < count; i++) {
        reduces = values[i] >= least && values[i] <= greatest;
    }
    double base = reduces ? first : 0;
    Prefix* to = slots.sums + slot * slots.stride;
    Prefix sums = {0, 0, 0, 0};
    to[0] = sums;
    for (int32 i = 0; i < count; i++) {
        double value = __dsub_rn(__dadd_rn(values[i], 0), base);
        double square = __dmul_rn(value, value);
        append(sums.sum, sums.sum_low, value, 0);
        append(sums.squares, sums.squares_low, square, __fma_rn(value, value, -square));
        to[i + 1] = sums;
    }
    slots.targets[slot * slots.stride] = 0;
}

#define CHANGE_POINTS(NAME, COST, LANES)                                                                       \
    extern "C" __global__ void __launch_bounds__(SEGMENT_BLOCK)                                                \
        change_points_##NAME##_##LANES(SegmentSlots slots, SegmentCalls calls, SegmentAnswers answers) {       \
        solve<COST, LANES>(slots, calls, answers);                                                             \
    }

CHANGE_POINTS(l2, SquaresCost, 8)
CHANGE_POINTS(l2, SquaresCost, 32)
CHANGE_POINTS(normal, NormalCost, 8)
CHANGE_POINTS(normal, NormalCost, 32)
CHANGE_POINTS(poisson, PoissonCost, 8)
CHANGE_POINTS(poisson, PoissonCost, 32)

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
