// Finds the paths, sums the densities and computes the probabilities of the states of hidden Markov models whose states
// emit normally distributed numbers or points, for at most 32 states: dev.bellman.markov.GaussianModel. A warp solves
// several rows, with one thread per state. The densities are computed at each step, so that they take no memory.
#include "markov/log_sweep.cuh"
#include "markov/sweep_answers.cuh"
#include "markov/teams.cuh"

// A class combines a shape and the binary logarithm of the memory, rounded down; within a shape, the classes with the
// most memory come first. The shapes have up to 4, 8, 16 and 32 states.
constexpr int32 LOGS = 31;
constexpr int32 LEAST_STATES = 4;
constexpr int32 SHAPES = 4;
constexpr int32 CLASSES = SHAPES * LOGS;
// The memory for a row is counted in units of this many bytes.
constexpr int32 SLOT_UNIT = 1024;
FOR_HOST(LOGS);
FOR_HOST(LEAST_STATES);
FOR_HOST(CLASSES);
FOR_HOST(SLOT_UNIT);

// Classifies the rows, with one warp per row. step_bytes: the number of bytes that a row needs for each step and state.
extern "C" __global__ void values_classify(
        int32 rows, const uint32* validity, GaussianCalls calls, int32 step_bytes, Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    Model model(calls.chains, row);
    bool is_accepted = is_valid_model(calls.chains, model, row, calls.values.row_offsets != nullptr, lane)
        && are_valid_values(calls.values, model.first, model.steps, model.letters / 2, lane);
    if (lane != 0) {
        return;
    }
    if (!is_accepted) {
        rows_of.reject(row);
        return;
    }
    int64 numbers = static_cast<int64>(model.states) * model.steps;
    if (model.states > LEAST_STATES << (SHAPES - 1) || numbers > MAX_NUMBERS) {
        rows_of.put(row, ON_CPU, 0, 0);
        return;
    }
    int32 shape = 0;
    while (LEAST_STATES << shape < model.states) {
        shape++;
    }
    int64 bytes = static_cast<int64>(sizeof(double)) * model.states * model.states
            + groups_of(model.steps) * GROUP * (LEAST_STATES << shape) * step_bytes;
    int32 size = static_cast<int32>((bytes + SLOT_UNIT - 1) / SLOT_UNIT);
    rows_of.put(row, shape * LOGS + LOGS - 1 - (31 - __clz(size)), size, numbers * model.states);
}

// Computes log(2 pi variance) for all numbers that may be variances.
extern "C" __global__ void values_scales(int32 count, const double* numbers, double* scales) {
    int64 i = thread_index();
    if (i < count) {
        double number = numbers[i];
        bool is_variance = number >= LEAST_VARIANCE && number <= GREATEST_VARIANCE;
        scales[i] = is_variance ? strict_log(__dmul_rn(TWO_PI, number)) : 0;
    }
}

namespace {

// The emissions for Teams: the densities of the values, relative to the maximum of each step.
template <int32 STATES>
class RelativeDensities {
public:
    // The sum of the maxima.
    double sum = 0;

    __device__ __forceinline__ RelativeDensities(
            const GaussianCalls& calls, const Model& model, const Chain& chain, int32 state) :
        densities_(NormalEmissions(calls, model, state), 0),
        max_transitions_(max_transitions<STATES>(chain)),
        last_(model.steps - 1) {}

    // Returns the emission of step t.
    //
    // - before: the value of the best path to the thread's state, without this emission
    __device__ __forceinline__ double take(int32 t, double before) {
        double density = densities_.take(min(t, last_), min(t + 1, last_));
        bool is_on_path = before >= -MAX_WEIGHT && max_transitions_ >= last_ - t;
        double most = max_of_lanes<STATES>(is_on_path ? density : strict_log(0));
        if (most < -MAX_WEIGHT) {
            return 0;  // no path is possible
        }
        sum = t <= last_ ? __dadd_rn(sum, most) : sum;
        return __dsub_rn(density, most);
    }

private:
    Densities densities_;
    int32 max_transitions_;
    int32 last_;
};

template <int32 STATES>
__device__ __forceinline__ void find_paths(
        const Slots& slots, const GaussianCalls& calls, const ViterbiAnswers& answers, Classified rows_of) {
    constexpr int32 ROWS = Teams<STATES>::ROWS;
    __shared__ __align__(16) double values[2][32];
    int32 team = threadIdx.x / STATES;
    int32 state = threadIdx.x % STATES;
    uint8* begin = slots.of_block() + slots.bytes / ROWS * team;
    for (int32 i = slots.next(ROWS); i < slots.to; i = slots.next(ROWS)) {
        bool has_row = i + team < slots.to;
        int32 row = slots.order[has_row ? i + team : i];
        Model model(calls.chains, row);
        RelativeDensities<STATES> densities(calls, model, model.chain(calls.chains, row), min(state, model.states - 1));
        model.letters = 0;  // the slot contains no emissions
        Slot slot(model, begin);
        take_logs<STATES>(calls.chains, model, slot, state, STATES);
        __syncwarp();
        Teams<STATES> teams(has_row ? model.steps : 0, slot);
        Way last = teams.fill(calls.chains, model, row, slot, densities, values);
        if (has_row && state == 0) {
            answer(answers, rows_of, row, {__dadd_rn(last.value, densities.sum), last.state}, model.steps);
        }
        teams.walk_back(last.state, answers.states + model.first);
    }
}

// Computes the logarithm of each row's density or, if PROBABILITIES, the probabilities of the states.
template <int32 STATES, bool PROBABILITIES>
__device__ __forceinline__ void sweep_all(
        const Slots& slots, const GaussianCalls& calls, const SweepAnswers& answers, Classified rows_of) {
    constexpr int32 ROWS = 32 / STATES;
    __shared__ SharedLogs shared;
    int32 team = threadIdx.x / STATES;
    for (int32 i = slots.next(ROWS); i < slots.to; i = slots.next(ROWS)) {
        bool has_row = i + team < slots.to;
        int32 row = slots.order[has_row ? i + team : i];
        Model model(calls.chains, row);
        int32 steps = has_row ? model.steps : 0;
        int32 longest = max_of_lanes<32>(steps);
        int32 state = threadIdx.x % STATES;
        int32 used = min(state, model.states - 1);
        int32 last = model.steps - 1;
        Chain chain = model.chain(calls.chains, row);
        NormalEmissions emissions(calls, model, used);
        double* table = PROBABILITIES ? answers.numbers + answers.offsets[row] + used : nullptr;
        double log_density =
                sweep_forward<STATES>(chain, emissions, last, steps, longest, table, chain.states, shared);
        if constexpr (PROBABILITIES) {
            // replaces the rows of f, each of which was loaded before, with probabilities
            auto write = [&](int32 k, int32 t, double probability, const LogProduct<STATES, true>&, double) {
                if (k < steps && state < chain.states) {
                    table[static_cast<int64>(t) * chain.states] = probability < LEAST_PROBABILITY ? 0 : probability;
                }
            };
            sweep_backward<STATES>(chain, emissions, last, longest, table, chain.states, shared, write);
            if (has_row && log_density < -MAX_WEIGHT) {
                rows_of.reject(row);
            }
        } else if (has_row && threadIdx.x % STATES == 0) {
            answers.numbers[row] = log_density;
        }
    }
}

}  // namespace

// Defines the kernels for a shape. BLOCKS: the minimum number of resident blocks per multiprocessor.
#define VALUES(STATES, BLOCKS) \
    extern "C" __global__ void __launch_bounds__(32, BLOCKS) viterbi_values_##STATES( \
            Slots slots, GaussianCalls calls, ViterbiAnswers answers, Classified rows_of) { \
        find_paths<STATES>(slots, calls, answers, rows_of); \
    } \
    extern "C" __global__ void __launch_bounds__(32, BLOCKS) forward_values_##STATES( \
            Slots slots, GaussianCalls calls, SweepAnswers answers, Classified rows_of) { \
        sweep_all<STATES, false>(slots, calls, answers, rows_of); \
    } \
    extern "C" __global__ void __launch_bounds__(32, BLOCKS) posterior_values_##STATES( \
            Slots slots, GaussianCalls calls, SweepAnswers answers, Classified rows_of) { \
        sweep_all<STATES, true>(slots, calls, answers, rows_of); \
    }

VALUES(4, 20)
VALUES(8, 16)
VALUES(16, 16)
VALUES(32, 12)
