// Fits hidden Markov models to sequences of symbols, with one warp per row: dev.bellman.markov.HmmTraining. Each
// sequence has a team of threads, one per state.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "markov/counting.cuh"
#include "markov/fit.cuh"

// The lengths of each row's results.
struct FitLengths {
    int32* states;
    int32* transitions;
    int32* emissions;
    int32* iterations;
    int32* all;
};

// The offsets of the results, and the results.
struct FitColumns {
    const int32* states;
    const int32* transitions;
    const int32* emissions;
    const int32* iterations;
    double* starts;
    int32* transition_rows;
    double* transition_numbers;
    int32* emission_rows;
    double* emission_numbers;
    double* logs;
};

STRUCT_FOR_HOST(FitLengths);
MEMBER_FOR_HOST(FitLengths, states);
MEMBER_FOR_HOST(FitLengths, transitions);
MEMBER_FOR_HOST(FitLengths, emissions);
MEMBER_FOR_HOST(FitLengths, iterations);
MEMBER_FOR_HOST(FitLengths, all);
STRUCT_FOR_HOST(FitColumns);
MEMBER_FOR_HOST(FitColumns, states);
MEMBER_FOR_HOST(FitColumns, transitions);
MEMBER_FOR_HOST(FitColumns, emissions);
MEMBER_FOR_HOST(FitColumns, iterations);
MEMBER_FOR_HOST(FitColumns, starts);
MEMBER_FOR_HOST(FitColumns, transition_rows);
MEMBER_FOR_HOST(FitColumns, transition_numbers);
MEMBER_FOR_HOST(FitColumns, emission_rows);
MEMBER_FOR_HOST(FitColumns, emission_numbers);
MEMBER_FOR_HOST(FitColumns, logs);

// Classifies the rows, with one warp per row.
extern "C" __global__ void hmm_fit_classify(
        int32 rows, const uint32* validity, FitCalls calls, FitResults results, Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    if (calls.has_models() && calls.first.logarithms != nullptr && calls.first.logarithms[row] != 0) {
        if (lane == 0) {
            rows_of.put(row, ON_CPU, 0, 0);
        }
        return;
    }
    const FitSequences& sequences = calls.sequences;
    FitLengthsOfRow of_row(sequences, row, lane);
    int32 states = calls.states_of(row);
    int32 iterations = calls.iterations_of(row);
    bool is_accepted = of_row.is_accepted && states >= 1 && iterations >= 1;
    int32 symbols = 0x7fffffff;
    if (calls.has_models() && is_accepted) {
        Model model(calls.first, row);
        Weights seen(false, 1);
        model.check_chain(calls.first, row, lane, seen);
        int32 emission_end = calls.first.emissions.offsets[row + 1];
        seen.see(calls.first.emissions, model.emission_begin, emission_end, model.letters, lane);
        is_accepted = __all_sync(~0u, seen.valid) != 0;
        symbols = model.letters;
    }
    int32 last = 0;
    for (int32 i = lane; is_accepted && i < of_row.steps; i += 32) {
        int32 symbol = sequences.symbols[of_row.first + i];
        is_accepted = is_valid(sequences.symbol_validity, of_row.first + i) && symbol >= 0 && symbol < symbols;
        last = max(last, symbol);
    }
    is_accepted = __all_sync(~0u, is_accepted);
    last = max_of_lanes<32>(last);
    if (lane != 0) {
        return;
    }
    if (!is_accepted) {
        rows_of.reject(row);
        return;
    }
    symbols = calls.has_models() ? symbols : min(last, FIT_MAX_SUMS) + 1;
    results.widths[row] = symbols;
    classify_fit(rows_of, row, states, symbols, iterations, of_row.longest, of_row.steps);
}

// Writes the lengths of the results, which are 0 for rows without results. Appends a zero to each array.
extern "C" __global__ void hmm_fit_lengths(
        int32 rows, FitCalls calls, FitResults results, Classified rows_of, FitLengths lengths) {
    int64 row = thread_index();
    if (row > rows) {
        return;
    }
    bool is_solved = row < rows && rows_of.is_solved(row);
    int32 states = is_solved ? calls.states_of(row) : 0;
    int32 width = is_solved ? results.widths[row] : 0;
    int32 iterations = is_solved ? calls.iterations_of(row) : 0;
    lengths.states[row] = states;
    lengths.transitions[row] = states * states;
    lengths.emissions[row] = states * width;
    lengths.iterations[row] = iterations;
    lengths.all[row] = states + states * states + states * width + iterations;
}

namespace {

template <int32 STATES>
class Fitting {
public:
    // shared: a row of numbers that threads exchange, the counts, and the model
    __device__ __forceinline__ Fitting(
            const FitCalls& calls, int64 row, int32 symbols, double* shared, double* table, double* levels) :
        calls_(calls), row_(row), states_(calls.states_of(row)), symbols_(symbols), shared_(shared), table_(table),
        counts_(shared + 32, levels, symbols), start_(shared + 32 * (1 + counts_.rows(symbols))) {
        moves_ = start_ + states_;
        emissions_ = moves_ + states_ * states_;
    }

    // Writes the first model. Returns, in all threads, NULL_ROW.
    __device__ __forceinline__ int32 begin() {
        begin_chain(calls_, row_, states_, start_);
        int32 before_emissions = states_ + states_ * states_;
        const double* given = nullptr;
        if (calls_.has_models()) {
            const MarkovMatrices& emissions = calls_.first.emissions;
            given = emissions.numbers + emissions.row_offsets[emissions.offsets[row_]];
        }
        int64 seed = calls_.seed_of(row_);
        for (int32 i = threadIdx.x; i < states_ * symbols_; i += 32) {
            emissions_[i % symbols_ * states_ + i / symbols_] =
                    given == nullptr ? random_number(seed, before_emissions + i) : given[i];
        }
        __syncwarp();
        for (int32 i = threadIdx.x; i < states_ && given == nullptr; i += 32) {
            divide_by_sum(emissions_ + i, states_, emissions_ + i, states_, symbols_, false);
        }
        __syncwarp();
        return NULL_ROW;
    }

    // Runs an iteration for the sequences from `first` (inclusive) to `end` (exclusive). Returns, in all threads,
    // NULL_ROW if it succeeds, and otherwise the new class of the row.
    __device__ __forceinline__ int32 improve(int32 first, int32 end, double* log_probability) {
        CountedModel model = {start_, moves_, emissions_, states_, symbols_};
        Counting<STATES, int32> counting(model, shared_, table_);
        const int32* offsets = calls_.sequences.step_offsets;
        for (int32 i = first; i < end; i += counts_.TEAMS) {
            bool has_sequence = i + team_ < end;
            int32 sequence = has_sequence ? i + team_ : i;
            int32 from = offsets[sequence];
            counting.count(calls_.sequences.symbols + from, has_sequence ? offsets[sequence + 1] - from : 0);
            if (!__all_sync(~0u, counting.is_likely)) {
                return REJECTED;
            }
            counts_.add(counting.moved, counting.start, counting.log_probability);
        }
        if (!counts_.round()) {
            return ON_CPU;
        }
        for (int32 i = threadIdx.x; i < states_ * states_; i += 32) {
            double* count = counts_.moves_to(i % states_) + i / states_;
            *count = __dmul_rn(*count, moves_[i]);
        }
        __syncwarp();
        for (int32 i = threadIdx.x; i < 2 * states_ + 1; i += 32) {
            if (i <= states_) {
                counts_.improve_chain(i, start_, states_, false);
            } else {
                int32 state = i - states_ - 1;
                divide_by_sum(counts_.emissions(0) + state, STATES, emissions_ + state, states_, symbols_, false);
            }
        }
        if (threadIdx.x == 0) {
            *log_probability = counts_.log_probability();
        }
        counts_.clear();
        return NULL_ROW;
    }

    // Writes the start, the transitions and the emissions.
    __device__ __forceinline__ void write(double* to) const {
        int32 before_emissions = states_ + states_ * states_;
        for (int32 i = threadIdx.x; i < before_emissions + states_ * symbols_; i += 32) {
            int32 emission = i - before_emissions;
            to[i] = emission < 0 ? start_[i] : emissions_[emission % symbols_ * states_ + emission / symbols_];
        }
        __syncwarp();
    }

private:
    const FitCalls& calls_;
    int64 row_;
    int32 team_ = threadIdx.x / STATES;
    int32 states_;
    int32 symbols_;
    double* shared_;
    double* table_;
    FitCounts<STATES> counts_;
    double* start_;
    double* moves_;
    double* emissions_;
};

}  // namespace

FIT(hmm_fit, 2, 24)
FIT(hmm_fit, 4, 20)
FIT(hmm_fit, 8, 16)
FIT(hmm_fit, 16, 10)

// Copies the results to their final positions, with one warp per row.
extern "C" __global__ void hmm_fit_results(
        int32 rows, FitCalls calls, FitResults results, Classified rows_of, FitColumns to) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (row == 0 && lane == 0) {
        to.transition_rows[to.states[rows]] = to.transitions[rows];
        to.emission_rows[to.states[rows]] = to.emissions[rows];
    }
    if (row >= rows || !rows_of.is_solved(row)) {
        return;
    }
    int32 states = calls.states_of(row);
    int32 width = results.widths[row];
    int32 iterations = calls.iterations_of(row);
    const double* numbers = results.numbers + results.offsets[row];
    for (int32 i = lane; i < states; i += 32) {
        to.starts[to.states[row] + i] = numbers[i];
        to.transition_rows[to.states[row] + i] = to.transitions[row] + i * states;
        to.emission_rows[to.states[row] + i] = to.emissions[row] + i * width;
    }
    numbers += states;
    for (int32 i = lane; i < states * states; i += 32) {
        to.transition_numbers[to.transitions[row] + i] = numbers[i];
    }
    numbers += states * states;
    for (int32 i = lane; i < states * width; i += 32) {
        to.emission_numbers[to.emissions[row] + i] = numbers[i];
    }
    numbers += states * width;
    for (int32 i = lane; i < iterations; i += 32) {
        to.logs[to.iterations[row] + i] = numbers[i];
    }
}
