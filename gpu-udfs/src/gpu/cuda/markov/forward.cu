// Sums the weights of all state sequences of hidden Markov models, and computes the probabilities of the states at each
// step, with one or two states per thread: dev.bellman.markov.Forward. Sums are added in the order of the states, as on
// the CPU. Each step divides by a power of two, which does not change the mantissa as long as the numbers are normal.
// The CPU solves rows whose numbers differ too much in magnitude.
#include "columns/slots.cuh"
#include "common/warp.cuh"
#include "markov/pairs.cuh"
#include "markov/sweep.cuh"
#include "markov/sweep_answers.cuh"

// A class combines a shape, which depends on the number of states, and the binary logarithm of the table's size,
// rounded down; within a shape, the classes with the largest tables come first.
constexpr int32 LOGS = 31;
constexpr int32 LEAST_STATES = 2;
constexpr int32 SHAPES = 10;
constexpr int32 CLASSES = SHAPES * LOGS;
// The size of a table is counted in units of this many bytes.
constexpr int32 TABLE_UNIT = 1024;
FOR_HOST(LOGS);
FOR_HOST(LEAST_STATES);
FOR_HOST(CLASSES);
FOR_HOST(TABLE_UNIT);

// The weights of a batch's models, at the places of the models' numbers.
struct MarkovWeights {
    double* starts;
    double* transitions;
    double* emissions;
};

STRUCT_FOR_HOST(MarkovWeights);
MEMBER_FOR_HOST(MarkovWeights, starts);
MEMBER_FOR_HOST(MarkovWeights, transitions);
MEMBER_FOR_HOST(MarkovWeights, emissions);

static_assert(LEAST_STATES << (SHAPES - 1) == MAX_STATES, "the last shape has the most states");

// Classifies the rows, with one warp per row.
extern "C" __global__ void forward_classify(
        int32 rows, const uint32* validity, MarkovCalls calls, Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    Model model(calls, row);
    Weights weights = model.check(calls, row, lane);
    if (lane != 0) {
        return;
    }
    if (!weights.valid) {
        rows_of.reject(row);
        return;
    }
    int64 numbers = static_cast<int64>(model.states) * model.steps;
    if (model.states > MAX_STATES || numbers > MAX_NUMBERS || !weights.narrow) {
        rows_of.put(row, ON_CPU, 0, 0);
        return;
    }
    int32 shape = 0;
    while (LEAST_STATES << shape < model.states) {
        shape++;
    }
    int64 units = (static_cast<int64>(sizeof(double)) * numbers + TABLE_UNIT - 1) / TABLE_UNIT;
    int32 size = static_cast<int32>(units);
    rows_of.put(row, shape * LOGS + LOGS - 1 - (31 - __clz(size)), size, numbers * model.states);
}

namespace {

constexpr double LN_2 = 6.931471805599453094e-01;

// Returns the weight of a logarithm, as Wide.exp does; the weight must be 0 or within the limits of Weights.
__device__ __forceinline__ double weight_of(double log) {
    if (log < -MAX_WEIGHT) {
        return 0;
    }
    double exponent = rint(__ddiv_rn(log, LN_2));
    double scale = __longlong_as_double((static_cast<int64>(exponent) + 1023) << 52);
    return __dmul_rn(strict_exp(__dsub_rn(log, __dmul_rn(exponent, LN_2))), scale);
}

// Copies numbers, or the weights of logarithms, with the lanes of a warp.
__device__ __forceinline__ void weigh(const Model& model, const double* from, double* to, int64 begin, int64 end) {
    for (int64 k = begin + threadIdx.x % 32; k < end; k += 32) {
        to[k] = model.are_logs ? weight_of(from[k]) : from[k];
    }
}

__device__ __forceinline__ void weigh(const Model& model, const MarkovMatrices& from, double* to, int64 row) {
    weigh(model, from.numbers, to, from.row_offsets[from.offsets[row]], from.row_offsets[from.offsets[row + 1]]);
}

// Returns the logarithm of a number times a power of two, as Wide.log does; the number must be normal or 0.
__device__ __forceinline__ double log_of(double value, int64 exponent) {
    if (value == 0) {
        return strict_log(0);
    }
    int64 bits = __double_as_longlong(value);
    exponent += (bits >> 52) - 1023;
    double mantissa = __longlong_as_double((bits & 0xfffffffffffffLL) | (1023LL << 52));
    return __dadd_rn(strict_log_of_small(mantissa), __dmul_rn(static_cast<double>(exponent), LN_2));
}

// Sums numbers in the given order.
__device__ __forceinline__ double sum_in_order(const double* numbers, int32 count) {
    double sum = numbers[0];
    for (int32 i = 1; i < count; i++) {
        sum = __dadd_rn(sum, numbers[i]);
    }
    return sum;
}

template <int32 STATES>
__device__ __forceinline__ void sum_all(
        const Slots& slots, const MarkovCalls& calls, const SweepAnswers& answers, Classified rows_of) {
    using Shape = SweepShape<STATES>;
    __shared__ SharedStep<STATES> shared;
    int32 place = threadIdx.x / STATES;
    for (int32 i = slots.next(Shape::ROWS); i < slots.to; i = slots.next(Shape::ROWS)) {
        bool has_row = i + place < slots.to;
        int32 row = slots.order[has_row ? i + place : i];
        Model model(calls, row);
        int32 steps = has_row ? model.steps : 0;
        int32 longest = Shape::longest(steps);
        Sweep<STATES, false> sweep(calls, model, row, steps, shared);
        for (int32 k = 1; k < longest; k++) {
            sweep.share(k - 1, shared);
            sweep.scale(k - 1, shared);
            sweep.advance(k, shared);
        }
        sweep.share(longest - 1, shared);
        sweep.scale(longest - 1, shared);
        if (has_row && threadIdx.x % STATES == 0) {
            answers.numbers[row] = log_of(sum_in_order(sweep.team_values(longest - 1, shared), model.states),
                    sweep.exponent);
        }
        if (has_row && !sweep.is_near) {
            rows_of.keys[row] = ON_CPU;
        }
    }
}

// Sums the weights of rows with 33 to 64 states. Each block consists of one warp.
__device__ __forceinline__ void sum_pairs(
        const Slots& slots, const MarkovCalls& calls, const SweepAnswers& answers, Classified rows_of) {
    __shared__ SharedPairs shared;
    for (int32 i = slots.next(); i < slots.to; i = slots.next()) {
        int32 row = slots.order[i];
        Model model(calls, row);
        PairSweep sweep(calls, model, row, shared);
        int32 last = uniform(model.steps) - 1;
        for (int32 k = 1; k <= last; k++) {
            sweep.advance(k);
        }
        if (threadIdx.x == 0) {
            answers.numbers[row] = log_of(sum_in_order(sweep.values(last), model.states), sweep.exponent);
        }
        if (!sweep.is_near) {
            rows_of.keys[row] = ON_CPU;
        }
    }
}

// The weights of the states at several steps, which are in shared memory until they are divided by the sum of their
// step. Each step is summed by its own thread, so that the sums of all steps take little time.
template <int32 STATES>
struct Tile {
    // rows are padded by one number, so that threads that each read their own row use different banks
    static constexpr int32 WIDTH = STATES + 1;
    static constexpr int32 STEPS = STATES < 64 ? STATES : 2048 / STATES;
    double weights[SweepShape<STATES>::ROWS][STEPS][WIDTH];
    double sums[SweepShape<STATES>::ROWS][STEPS];
};

// Replaces the table's values with probabilities, for some steps from `first` on, where steps are counted from the last
// one. All threads of the block must call this.
template <int32 STATES>
__device__ __forceinline__ void divide(
        const Model& model, int32 steps, int32 first, Tile<STATES>& tile, double* table, int32 row,
        Classified rows_of) {
    int32 place = threadIdx.x / STATES;
    int32 state = threadIdx.x % STATES;
    int32 count = min(steps - first, Tile<STATES>::STEPS);
    __syncthreads();
    if (state < count) {
        double sum = sum_in_order(tile.weights[place][state], model.states);
        tile.sums[place][state] = sum;
        if (sum == 0) {
            rows_of.reject(row);
        }
    }
    __syncthreads();
    for (int32 s = 0; s < count && state < model.states; s++) {
        double probability = __ddiv_rn(tile.weights[place][s][state], tile.sums[place][s]);
        table[static_cast<int64>(steps - 1 - first - s) * model.states + state] =
                probability < LEAST_PROBABILITY ? 0 : probability;
    }
}

// Solves the rows order[from] to order[to - 1]. A row's table is in the memory for the results.
template <int32 STATES>
__device__ __forceinline__ void solve_all(
        const Slots& slots, const MarkovCalls& calls, const SweepAnswers& answers, Classified rows_of) {
    using Shape = SweepShape<STATES>;
    __shared__ SharedStep<STATES> shared;
    __shared__ Tile<STATES> tile;
    int32 place = threadIdx.x / STATES;
    int32 state = threadIdx.x % STATES;
    for (int32 i = slots.next(Shape::ROWS); i < slots.to; i = slots.next(Shape::ROWS)) {
        bool has_row = i + place < slots.to;
        int32 row = slots.order[has_row ? i + place : i];
        Model model(calls, row);
        int32 n = model.states;
        int32 steps = has_row ? model.steps : 0;
        double* table = answers.numbers + answers.offsets[row];
        int32 longest = Shape::longest(steps);
        bool is_near;
        {
            Sweep<STATES, false> sweep(calls, model, row, steps, shared);
            for (int32 k = 0; k < longest; k++) {
                if (k > 0) {
                    sweep.advance(k, shared);
                }
                sweep.share(k, shared);
                double scaled = sweep.scale(k, shared);
                if (k < steps && state < n) {
                    table[static_cast<int64>(k) * n + state] = scaled;
                }
            }
            is_near = sweep.is_near;
        }
        __syncthreads();
        Sweep<STATES, true> sweep(calls, model, row, steps, shared);
        for (int32 k = 0; k < longest; k++) {
            bool has_step = k < steps && state < n;
            double forward = has_step ? table[static_cast<int64>(steps - 1 - k) * n + state] : 0;
            if (k > 0) {
                sweep.advance(k, shared);
            }
            sweep.share(k, shared);
            sweep.scale(k, shared);
            tile.weights[place][k % Tile<STATES>::STEPS][state] = __dmul_rn(forward, sweep.before_emission);
            if ((k + 1) % Tile<STATES>::STEPS == 0 || k + 1 == longest) {
                divide(model, steps, k / Tile<STATES>::STEPS * Tile<STATES>::STEPS, tile, table, row, rows_of);
            }
        }
        // after the last division, which may have rejected the row
        if (has_row && !(is_near && sweep.is_near)) {
            rows_of.keys[row] = ON_CPU;
        }
    }
}

}  // namespace

// Writes the weights of all numbers of the rows' models, with one warp per row. `to` has the columns of the weights.
extern "C" __global__ void forward_weigh(int32 rows, MarkovCalls calls, Classified rows_of, MarkovWeights to) {
    int64 row = thread_index() / 32;
    if (row >= rows || !rows_of.is_solved(row)) {
        return;
    }
    Model model(calls, row);
    weigh(model, calls.starts, to.starts, calls.start_offsets[row], calls.start_offsets[row + 1]);
    weigh(model, calls.transitions, to.transitions, row);
    weigh(model, calls.emissions, to.emissions, row);
}

// Defines a kernel. BLOCKS: the minimum number of resident blocks per multiprocessor. Parameters are read where they
// are used, because registers are scarce.
#define KERNEL(NAME, SOLVE, BLOCK, BLOCKS) \
    extern "C" __global__ void __launch_bounds__(BLOCK, BLOCKS) NAME( \
            const __grid_constant__ Slots slots, \
            const __grid_constant__ MarkovCalls calls, \
            const __grid_constant__ SweepAnswers answers, \
            const __grid_constant__ Classified rows_of) { \
        SOLVE(slots, calls, answers, rows_of); \
    }

#define POSTERIOR(STATES, BLOCKS) \
    KERNEL(posterior_##STATES, solve_all<STATES>, SweepShape<STATES>::BLOCK, BLOCKS)

#define FORWARD(STATES, BLOCKS) \
    KERNEL(forward_##STATES, sum_all<STATES>, SweepShape<STATES>::BLOCK, BLOCKS) \
    POSTERIOR(STATES, BLOCKS)

FORWARD(2, 1)
FORWARD(4, 1)
FORWARD(8, 1)
FORWARD(16, 1)
FORWARD(32, 16)
KERNEL(forward_64, sum_pairs, 32, 8)
// three warps per scheduler, because each warp's additions depend on each other
POSTERIOR(64, 6)
FORWARD(128, 1)
FORWARD(256, 3)
FORWARD(512, 1)
FORWARD(1024, 1)

// Counts the steps and the numbers of each row; both counts are 0 for rows without a result.
extern "C" __global__ void posterior_lengths(
        int32 rows, MarkovCalls calls, Classified rows_of, int32* steps, int32* numbers) {
    int64 row = thread_index();
    if (row >= rows) {
        return;
    }
    bool is_solved = rows_of.is_solved(row);
    Model model(calls, is_solved ? row : 0);
    steps[row] = is_solved ? model.steps : 0;
    numbers[row] = is_solved ? model.steps * model.states : 0;
}

// Computes where each step's numbers begin and where the last step's numbers end, with one warp per row.
extern "C" __global__ void posterior_step_offsets(
        int32 rows, MarkovCalls calls, Classified rows_of, const int32* step_offsets, const int32* offsets, int32* to) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (row >= rows) {
        return;
    }
    if (row == 0 && lane == 0) {
        to[step_offsets[rows]] = offsets[rows];
    }
    if (!rows_of.is_solved(row)) {
        return;
    }
    Model model(calls, row);
    for (int32 t = lane; t < model.steps; t += 32) {
        to[step_offsets[row] + t] = offsets[row] + t * model.states;
    }
}

// Copies the numbers of rows that have a result, with one warp per row.
extern "C" __global__ void posterior_move(int32 rows, Classified rows_of, SweepAnswers from, SweepAnswers to) {
    int64 row = thread_index() / 32;
    if (row >= rows || !rows_of.is_solved(row)) {
        return;
    }
    int32 begin = to.offsets[row];
    int32 count = to.offsets[row + 1] - begin;
    for (int32 k = threadIdx.x % 32; k < count; k += 32) {
        to.numbers[begin + k] = from.numbers[from.offsets[row] + k];
    }
}
