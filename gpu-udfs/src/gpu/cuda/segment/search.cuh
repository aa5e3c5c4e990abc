// The search for the best partition of a series. A group of lanes solves a series, and its lanes share the possible
// starts of the last segment. For the cost `l2`, the lanes approximate the costs for several ends at once, so that each
// start is loaded only once for these ends. For other costs, they only compute the costs of starts whose lower bound is
// not too high: a segment costs at least as much as its two parts, and the second part is the same for all starts.
//
// Example: a pruning at `middle` = 100 computes the keys of the starts 20 and 60, which are the costs of 100 values if
// the last segment begins there: 70 and 90. The segment from 100 to 105 costs 4, so 105 values cost at least 74 with
// the start 20, and at least 94 with the start 60. With the start 20, which has the lowest key, they cost 75.
// Therefore, the cost with the start 60 is not needed.
#pragma once

#include "common/warp.cuh"
#include "segment/costs.cuh"

namespace {

// The number of ends between prunings.
constexpr int32 PRUNE_EVERY = 16;

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

    typename Cost::Sums prefixes;
    const double* sources;
    double* targets;
    double* kept_sums;
    double* kept_keys;  // for costs that are not screened, lower bounds
    int32* kept;
    int32* starts;
    int32 lane;
    int32 min_size;
    double penalty;
    double slack;
    int32 first;  // the smallest start of a last segment after the first; a prefix of this length has a cost
    bool has_first_segment;
    int32 candidates;

    // for costs that are not screened
    int32 middle;    // the end of the prefixes whose costs are keys; -1 before the first pruning
    int32 keyed;     // the number of candidates with such keys; the other keys are lower bounds for every end
    int32 likely;    // the candidate with the lowest key
    double* bounds;  // for PRUNE_EVERY ends: the costs of the segments from `middle` and, after them, the costs of the
                     // prefixes whose last segment begins at `likely`

    __device__ __forceinline__ double exact(int32 start, int32 end) const {
        return __dadd_rn(Cost::of(prefixes, start, end), sources[start]);
    }

    // Returns the approximate cost of the prefix that ends at `end` if its last segment begins at `start`, minus the
    // sum of the prefix's squares, and without the penalty for the last segment.
    __device__ __forceinline__ double approximate(
            double key, double sum, int32 start, double end_sum, int32 end) const {
        double near = end_sum - sum;
        return key - near * near * prefixes.inverses[end - start];
    }

    // Returns whether the last segment of a longer prefix may begin at `start`.
    __device__ __forceinline__ bool is_start(int32 start) const {
        return start == 0 ? has_first_segment : start >= first;
    }

    __device__ __forceinline__ double key(int32 start) const {
        return sources[start] - prefixes.sums[start].squares;
    }

    // Returns the number of lanes before this one in the group for which `take` is true. Sets `total` to the number of
    // all such lanes in the group.
    __device__ __forceinline__ int32 place(bool take, int32& total) const {
        uint32 first = threadIdx.x % 32 - lane;
        uint32 mask = __ballot_sync(~0u, take) >> first & (LANES == 32 ? ~0u : (1u << LANES % 32) - 1);
        total = __popc(mask);
        return __popc(mask & ((1u << lane) - 1));
    }

    // Adds the starts that are possible for this end, but not for the end that is ENDS values earlier.
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
            } else {
                kept_keys[to] = Cost::MAY_BE_NEGATIVE ? -INFINITE : sources[start];
            }
        }
        candidates += total;
        __syncwarp();
    }

    // Computes the costs of the ENDS prefixes that end at `end`, `end` + 1, and so on, and the starts of their last
    // segments.
    __device__ __forceinline__ void solve(bool active, int32 end) {
        if constexpr (Cost::IS_SCREENED) {
            solve_screened(active, end);
        } else {
            solve_bounded(active, end);
        }
    }

    // Writes the best result of all lanes. If the costs are screened, usually only one lane has a result.
    __device__ __forceinline__ void put(Best best, bool active, int32 end) {
        bool has_best = best.cost < INFINITE;
        int32 total;
        place(has_best, total);
        if (__any_sync(~0u, total > 1)) {
            best.template merge_lanes<LANES>();
            has_best = lane == 0;
        }
        if (active && has_best) {
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
        double lowest[ENDS];
#pragma unroll
        for (int32 j = 0; j < ENDS; j++) {
            lowest[j] = reduce_lanes<LANES>(least[j], [](double a, double b) { return b < a ? b : a; });
        }
#pragma unroll
        for (int32 j = 0; j < ENDS; j++) {
            // the starts that are possible for this end but not for the first end; all lanes approximate the costs for
            // these starts, and one lane per start computes the exact cost if necessary
            int32 more = -1;
            double of_more = INFINITE;
            for (int32 i = 0; i < j; i++) {
                int32 start = end - min_size + 1 + i;
                if (active && is_start(start) && end + j <= prefixes.count) {
                    double cost = approximate(key(start), prefixes.sums[start].sum, start, sums[j], ends[j]);
                    lowest[j] = cost < lowest[j] ? cost : lowest[j];
                    more = lane == i ? start : more;
                    of_more = lane == i ? cost : of_more;
                }
            }
            double limit = lowest[j] + 3 * slack;
            Best best;
            if (least[j] <= limit && least[j] < INFINITE) {
                if (second[j] <= limit) {
                    for (int32 i = lane; i < candidates; i += LANES) {
                        int32 start = kept[i];
                        if (approximate(kept_keys[i], kept_sums[i], start, sums[j], ends[j]) <= limit) {
                            best.merge(exact(start, ends[j]), start);
                        }
                    }
                } else {
                    best.merge(exact(at[j], ends[j]), at[j]);
                }
            }
            if (of_more <= limit && more >= 0) {
                best.merge(exact(more, ends[j]), more);
            }
            __syncwarp();
            put(best, active && end + j <= prefixes.count, end + j);
        }
    }

    // Computes the cost of the prefix that ends at `end`, and the start of its last segment. The starts with the lowest
    // key and of the last solved prefix are good ones, so most lower bounds exceed their costs. The slack is more than
    // the rounding errors of the comparison in a pruning, so twice the slack is more than those of this comparison.
    __device__ __forceinline__ void solve_bounded(bool active, int32 end) {
        Best best;
        double part = 0;
        double limit = INFINITE;
        bool has_bounds = active && middle >= 0;
        int32 last = -1;
        if (has_bounds) {
            const double* costs = bounds + (end - min_size - middle);
            part = costs[0];
            Best known;
            known.merge(__dadd_rn(part, sources[middle]), middle);
            known.merge(costs[PRUNE_EVERY], likely);
            last = starts[end - 1];
            if (last != middle && last != likely) {
                known.merge(exact(last, end), last);
            }
            limit = known.cost + 2 * slack;
            if (lane == 0) {
                best = known;
            }
        }
        int32 i = lane;
        for (bool more = true; more;) {
            // each lane looks for its next start, so that the lanes compute costs at the same time
            int32 start = -1;
            while (active && i < candidates && start < 0) {
                double bound = i < keyed ? kept_keys[i] + part : kept_keys[i];
                if (bound <= limit) {
                    int32 next = kept[i];
                    start = has_bounds && (next == middle || next == likely || next == last) ? -1 : next;
                }
                i += LANES;
            }
            more = __any_sync(~0u, start >= 0);
            if (start >= 0) {
                best.merge(exact(start, end), start);
            }
        }
        __syncwarp();
        put(best, active, end);
    }

    // Removes the candidates that no end from `end` on needs, and computes new keys and bounds. `end` is `new_middle`
    // plus `min_size`.
    __device__ __forceinline__ void prune_bounded(bool active, int32 new_middle, int32 end) {
        double limit = active ? sources[new_middle] + slack : 0;
        Best best;
        int32 left = 0;
        int32 rounds = max_of_lanes<32>(active ? (candidates + LANES - 1) / LANES : 0);
        for (int32 round = 0; round < rounds; round++) {
            int32 i = round * LANES + lane;
            int32 start = 0;
            double cost = 0;
            bool take = active && i < candidates;
            if (take) {
                start = kept[i];
                cost = exact(start, new_middle);
                take = !(cost > limit);
            }
            __syncwarp();
            int32 total;
            int32 to = left + place(take, total);
            if (take) {
                kept[to] = start;
                kept_keys[to] = cost;
                best.merge(cost, start);
            }
            left += total;
            __syncwarp();
        }
        best.template merge_lanes<LANES>();
        if (active) {
            candidates = left;
            keyed = left;
            middle = new_middle;
            likely = best.start;
        }
        for (int32 i = lane; i < 2 * PRUNE_EVERY; i += LANES) {
            int32 start = i < PRUNE_EVERY ? middle : likely;
            int32 to = min(end + i % PRUNE_EVERY, prefixes.count);
            if (active) {
                double cost = start > middle ? INFINITE : Cost::of(prefixes, start, to);
                bounds[i] = i < PRUNE_EVERY || start > middle ? cost : __dadd_rn(cost, sources[start]);
            }
        }
        __syncwarp();
    }

    // Removes the candidates that no end from `middle + min_size` on needs.
    __device__ __forceinline__ void prune_screened(bool active, int32 middle) {
        double limit = 0;
        double sum = 0;
        if (active) {
            limit = key(middle) + 4 * slack;
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
                start_sum = kept_sums[i];
                start_key = kept_keys[i];
                take = !(approximate(start_key, start_sum, start, sum, middle) > limit);
            }
            __syncwarp();
            int32 total;
            int32 to = left + place(take, total);
            if (take) {
                kept[to] = start;
                kept_sums[to] = start_sum;
                kept_keys[to] = start_key;
            }
            left += total;
            __syncwarp();
        }
        candidates = active ? left : candidates;
    }

    // Solves all prefixes that have a partition. `active` is true if the group has a series to solve.
    __device__ __forceinline__ void run(bool active) {
        int32 end = !active ? 0 : has_first_segment ? min_size : first + min_size;
        candidates = 0;
        keyed = 0;
        middle = -1;
        for (int32 round = 1; __any_sync(~0u, active); round++) {
            add(active, end);
            solve(active, end);
            end += ENDS;
            active = active && end <= prefixes.count;
            if (round % (PRUNE_EVERY / ENDS) == 0) {
                int32 start = end - min_size;
                if constexpr (Cost::IS_SCREENED) {
                    prune_screened(active && start >= first, start);
                } else {
                    prune_bounded(active && start >= first, start, end);
                }
            }
        }
    }
};

}  // namespace
