// Fits hidden Markov models to sequences of normally distributed numbers or points, with one warp per row:
// dev.bellman.markov.GaussianTraining. Each sequence has a team of threads, one per state.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "markov/fit.cuh"
#include "markov/log_counting.cuh"

// Classifies the rows, with one warp per row.
extern "C" __global__ void hmm_fit_values_classify(
        int32 rows, const uint32* validity, FitCalls calls, FitResults results, Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    const MarkovMatrices& values = calls.sequences.values;
    FitLengthsOfRow of_row(calls.sequences, row, lane);
    int32 states = calls.states_of(row);
    int32 iterations = calls.iterations_of(row);
    double min_variance = calls.min_variance_of(row);
    bool is_accepted = of_row.is_accepted && states >= 1 && iterations >= 1 && min_variance >= LEAST_VARIANCE
        && min_variance <= GREATEST_VARIANCE;
    bool has_points = values.row_offsets != nullptr;
    int32 dimensions = 1;
    if (calls.has_models() && is_accepted) {
        Model model(calls.first, row);
        is_accepted = is_valid_model(calls.first, model, row, has_points, lane);
        dimensions = model.letters / 2;
    } else if (has_points && is_accepted) {
        dimensions = values.row_offsets[of_row.first + 1] - values.row_offsets[of_row.first];
        is_accepted = dimensions > 0;
    }
    is_accepted = is_accepted && are_valid_values(values, of_row.first, of_row.steps, dimensions, lane);
    if (lane != 0) {
        return;
    }
    if (!is_accepted) {
        rows_of.reject(row);
        return;
    }
    results.widths[row] = 2 * dimensions;
    int32 sums = emission_sums(min(dimensions, FIT_MAX_SUMS));
    classify_fit(rows_of, row, states, sums, iterations, of_row.longest, of_row.steps);
}

namespace {

// Returns an integer that is larger for larger numbers, and the same for 0.0 and -0.0.
__device__ __forceinline__ uint64 sortable(double number) {
    uint64 bits = static_cast<uint64>(__double_as_longlong(__dadd_rn(number, 0)));
    return bits >> 63 != 0 ? ~bits : bits | 1ULL << 63;
}

// The values of a row, from which a warp chooses the first means. The rank of a point is its position if points are
// sorted by their first coordinate, then by their second coordinate, and so on.
template <int32 STATES>
class FirstMeans {
public:
    __device__ __forceinline__ FirstMeans(
            const double* values, int32 count, int32 dimensions, int32 states, double* means) :
        values_(values), count_(count), dimensions_(dimensions), states_(states), means_(means) {}

    // Writes the means of state i to means[2 * dimensions * i + 2 * d].
    __device__ __forceinline__ void choose(int64 seed) {
#pragma unroll
        for (int32 i = 0; i < STATES; i++) {
            double u = uniform_number(seed, states_ * (states_ + 1) + i);
            double place = __dmul_rn(__ddiv_rn(__dadd_rn(i, u), states_), count_);
            ranks_[i] = static_cast<int32>(min(static_cast<int64>(count_ - 1), static_cast<int64>(place)));
        }
        bool are_unique = false;
        for (int32 d = 0; d < dimensions_ && !are_unique; d++) {
            choose(d);
            are_unique = take_points(d);
        }
    }

private:
    // Whether the first coordinates of a point, up to coordinate d (exclusive), are the means of a state.
    __device__ __forceinline__ bool begins(const double* point, int32 state, int32 d) const {
        const double* means = means_ + 2 * dimensions_ * state;
        bool is_equal = true;
        for (int32 e = 0; e < d && is_equal; e++) {
            is_equal = point[e] == means[2 * e];
        }
        return is_equal;
    }

    // Chooses coordinate d of the means: among the points with the same earlier coordinates, the coordinate of the
    // point that has the rank of the state. Reduces the ranks by the numbers of points with smaller coordinates.
    __device__ __forceinline__ void choose(int32 d) {
        uint64 chosen[STATES];
        int32 below[STATES];
        int32 up_to[STATES];  // at least the number of points whose keys may still be chosen, plus `below`
#pragma unroll
        for (int32 i = 0; i < STATES; i++) {
            chosen[i] = 0;
            below[i] = 0;
            up_to[i] = count_;
        }
        bool are_unique = false;
        uint64 last_bit = 0;
        for (uint64 bit = 1ULL << 63; bit != 0 && !are_unique; bit >>= 1) {
            int32 counts[STATES];
#pragma unroll
            for (int32 i = 0; i < STATES; i++) {
                counts[i] = 0;
            }
#pragma unroll(STATES <= 4 ? 4 : 1)
            for (int32 k = threadIdx.x; k < count_; k += 32) {
                const double* point = values_ + static_cast<int64>(k) * dimensions_;
                uint64 key = sortable(point[d]);
#pragma unroll
                for (int32 i = 0; i < STATES; i++) {
                    counts[i] += key < (chosen[i] | bit) && i < states_ && begins(point, i, d) ? 1 : 0;
                }
            }
            are_unique = true;
#pragma unroll
            for (int32 i = 0; i < STATES; i++) {
                int32 count = sum_of_lanes<32>(counts[i]);
                bool is_set = count <= ranks_[i];
                chosen[i] |= is_set ? bit : 0;
                below[i] = is_set ? count : below[i];
                up_to[i] = is_set ? up_to[i] : count;
                are_unique = are_unique && (i >= states_ || up_to[i] - below[i] == 1);
            }
            last_bit = bit;
        }
        __syncwarp();
#pragma unroll
        for (int32 i = 0; i < STATES; i++) {
            ranks_[i] -= below[i];
            // the key in the range that begins at `chosen` and contains one point, or points with equal keys
            uint64 found = 0;
            for (int32 k = threadIdx.x; k < count_ && i < states_; k += 32) {
                const double* point = values_ + static_cast<int64>(k) * dimensions_;
                uint64 key = sortable(point[d]);
                bool is_found = key >= chosen[i] && key - chosen[i] < last_bit && begins(point, i, d);
                found = is_found ? key : found;
            }
            found = max_of_lanes<32>(found);
            __syncwarp();
            if (threadIdx.x == i && i < states_) {
                uint64 bits = found >> 63 != 0 ? found ^ 1ULL << 63 : ~found;
                means_[2 * dimensions_ * i + 2 * d] = __longlong_as_double(static_cast<int64>(bits));
            }
        }
        __syncwarp();
    }

    // Returns whether d is the last coordinate, or each state's means up to coordinate d (inclusive) are the
    // coordinates of only one point. Writes the other coordinates of such points.
    __device__ __forceinline__ bool take_points(int32 d) {
        if (d + 1 == dimensions_) {
            return true;
        }
        for (int32 i = 0; i < states_; i++) {
            int32 count = 0;
            int32 last = 0;
            for (int32 k = threadIdx.x; k < count_; k += 32) {
                if (begins(values_ + static_cast<int64>(k) * dimensions_, i, d + 1)) {
                    count++;
                    last = k;
                }
            }
            if (sum_of_lanes<32>(count) > 1) {
                return false;
            }
            const double* point = values_ + static_cast<int64>(max_of_lanes<32>(last)) * dimensions_;
            for (int32 e = d + 1 + threadIdx.x; e < dimensions_; e += 32) {
                means_[2 * dimensions_ * i + 2 * e] = __dadd_rn(point[e], 0);
            }
        }
        __syncwarp();
        return true;
    }

    const double* values_;
    int32 count_;
    int32 dimensions_;
    int32 states_;
    double* means_;
    int32 ranks_[STATES];
};

// Computes the variance of a coordinate of all values: dev.bellman.markov.GaussianStart. Returns, in all threads, a
// negative number if the levels of a sum do not suffice.
__device__ __noinline__ double exact_variance(const double* values, int32 count, int32 dimensions, double* levels) {
    double mean = 0;
    double variance = -1;
    for (int32 pass = 0; pass < 2; pass++) {
        FitSums sums(levels, 32);
        sums.clear(threadIdx.x);
        for (int32 k = threadIdx.x; k < count; k += 32) {
            double value = values[static_cast<int64>(k) * dimensions];
            double deviation = __dsub_rn(value, mean);
            sums.add(threadIdx.x, pass == 0 ? value : __dmul_rn(deviation, deviation));
        }
        int32 used = max_of_lanes<32>(sums.used());
        __syncwarp();
        if (threadIdx.x == 0) {
            sums.add_all_to_first(used);
        }
        __syncwarp();
        if (!__all_sync(~0u, sums.suffices)) {
            return -1;
        }
        if (threadIdx.x == 0) {
            sums.round(0);
        }
        __syncwarp();
        double average = __ddiv_rn(levels[0], count);
        __syncwarp();
        mean = average;
        variance = average;
    }
    return variance;
}

__device__ __forceinline__ double bounded_variance(double variance, double min_variance) {
    return fmin(fmax(variance, min_variance), GREATEST_VARIANCE);
}

template <int32 STATES>
class Fitting {
public:
    // shared: a row of numbers that is not used, the counts, and the model
    __device__ __forceinline__ Fitting(
            const FitCalls& calls, int64 row, int32 width, double* shared, double* table, double* levels) :
        calls_(calls), row_(row), states_(calls.states_of(row)), dimensions_(width / 2), table_(table),
        levels_(levels), counts_(shared + 32, levels, emission_sums(dimensions_)),
        start_(shared + 32 * (1 + counts_.rows(emission_sums(dimensions_)))) {
        are_logs_ = calls.has_models() && calls.first.logarithms != nullptr && calls.first.logarithms[row] != 0;
        pairs_ = start_ + states_ + states_ * states_;
        scales_ = pairs_ + states_ * width;
        min_variance_ = calls.min_variance_of(row);
        const FitSequences& sequences = calls.sequences;
        first_ = sequences.step_offsets[sequences.offsets[row]];
        steps_ = sequences.step_offsets[sequences.offsets[row + 1]] - first_;
        const int32* offsets = sequences.values.row_offsets;
        values_ = sequences.values.numbers + (offsets == nullptr ? first_ : offsets[first_]);
    }

    // Writes the first model. Returns, in all threads, NULL_ROW or ON_CPU.
    __device__ __forceinline__ int32 begin() {
        begin_chain(calls_, row_, states_, start_);
        if (calls_.has_models()) {
            const MarkovMatrices& emissions = calls_.first.emissions;
            const double* given = emissions.numbers + emissions.row_offsets[emissions.offsets[row_]];
            for (int32 i = threadIdx.x; i < states_ * 2 * dimensions_; i += 32) {
                pairs_[i] = given[i];
            }
        } else {
            FirstMeans<STATES> means(values_, steps_, dimensions_, states_, pairs_);
            means.choose(calls_.seed_of(row_));
            for (int32 d = 0; d < dimensions_; d++) {
                double variance = exact_variance(values_ + d, steps_, dimensions_, levels_);
                if (variance < 0) {
                    return ON_CPU;
                }
                if (threadIdx.x < states_) {
                    pairs_[2 * dimensions_ * threadIdx.x + 2 * d + 1] = bounded_variance(variance, min_variance_);
                }
            }
            __syncwarp();
            counts_.clear_levels();
        }
        __syncwarp();
        write_scales();
        return NULL_ROW;
    }

    // Runs an iteration for the sequences from `first` (inclusive) to `end` (exclusive). Returns, in all threads,
    // NULL_ROW if it succeeds, and otherwise the new class of the row.
    __device__ __forceinline__ int32 improve(int32 first, int32 end, double* log_probability) {
        __shared__ SharedLogs shared;
        NormalModel model = {{start_, start_ + states_, states_, are_logs_}, pairs_, scales_, dimensions_};
        LogCounting<STATES> counting(model, counts_.own(0) - threadIdx.x, table_, shared);
        const int32* offsets = calls_.sequences.step_offsets;
        for (int32 i = first; i < end; i += counts_.TEAMS) {
            bool has_sequence = i + team_ < end;
            int32 sequence = has_sequence ? i + team_ : i;
            int32 from = offsets[sequence];
            const double* values = values_ + static_cast<int64>(from - first_) * dimensions_;
            if (!counting.count(values, offsets[sequence + 1] - from, has_sequence)) {
                return REJECTED;
            }
            counts_.add(counting.moved, counting.start, counting.log_density);
        }
        if (!counts_.round()) {
            return ON_CPU;
        }
        for (int32 i = threadIdx.x; i <= states_; i += 32) {
            counts_.improve_chain(i, start_, states_, are_logs_);
        }
        for (int32 k = threadIdx.x; k < states_ * dimensions_; k += 32) {
            improve_emissions(k / dimensions_, k % dimensions_);
        }
        if (threadIdx.x == 0) {
            *log_probability = counts_.log_probability();
        }
        counts_.clear();
        write_scales();
        return NULL_ROW;
    }

    // Writes the start, the transitions and the emissions, which are adjacent in memory.
    __device__ __forceinline__ void write(double* to) const {
        int32 count = states_ + states_ * states_ + states_ * 2 * dimensions_;
        for (int32 i = threadIdx.x; i < count; i += 32) {
            to[i] = start_[i];
        }
        __syncwarp();
    }

private:
    // Replaces the mean and the variance of a coordinate with the most likely ones in the allowed ranges. Changes
    // neither if the state's expected count is too small.
    __device__ __forceinline__ void improve_emissions(int32 state, int32 d) {
        double count = counts_.emissions(0)[state];
        if (count >= LEAST_SUM) {
            double shift = __ddiv_rn(counts_.emissions(1 + 2 * d)[state], count);
            double square = __ddiv_rn(counts_.emissions(2 + 2 * d)[state], count);
            double* pair = pairs_ + 2 * (state * dimensions_ + d);
            pair[0] = fmax(-GREATEST_VALUE, fmin(__dadd_rn(pair[0], shift), GREATEST_VALUE));
            pair[1] = bounded_variance(__dsub_rn(square, __dmul_rn(shift, shift)), min_variance_);
        }
    }

    __device__ __forceinline__ void write_scales() {
        __syncwarp();
        for (int32 k = threadIdx.x; k < states_ * dimensions_; k += 32) {
            scales_[2 * k + 1] = strict_log(__dmul_rn(TWO_PI, pairs_[2 * k + 1]));
        }
        __syncwarp();
    }

    const FitCalls& calls_;
    int64 row_;
    int32 team_ = threadIdx.x / STATES;
    int32 states_;
    int32 dimensions_;
    double* table_;
    double* levels_;
    FitCounts<STATES> counts_;
    double* start_;
    bool are_logs_;
    double* pairs_;
    double* scales_;
    double min_variance_;
    int32 first_;
    int32 steps_;
    const double* values_;
};

}  // namespace

FIT(hmm_fit_values, 2, 20)
FIT(hmm_fit_values, 4, 20)
FIT(hmm_fit_values, 8, 16)
FIT(hmm_fit_values, 16, 10)
