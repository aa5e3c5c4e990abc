// Finds the most likely state sequences of hidden Markov models: dev.bellman.markov.Viterbi. With up to 64 states,
// each step finds a state's value and its best previous state together, and stores the previous state for the
// traceback. Rows with few states share a warp. With many states, the table itself is stored, and the traceback
// derives the states from the table, as on the CPU.
#include "markov/few.cuh"
#include "markov/wide.cuh"

// A class combines a shape, which depends on the number of states, and the binary logarithm of the memory, rounded
// down; within a shape, the classes with the most memory come first.
constexpr int32 LOGS = 31;
// The shapes: rows with up to 4, 8, 16 and 32 states, as teams within a warp; rows with up to 64 states, one per block;
// and rows with up to MAX_STATES states. For many rows, the first FEW_SHAPES shapes also have a kernel with fewer
// threads per row.
constexpr int32 SHAPES = 6;
constexpr int32 LEAST_STATES = 4;
constexpr int32 FEW_SHAPES = 2;
constexpr int32 CLASSES = SHAPES * LOGS;
constexpr int32 MANY_BLOCK = 256;
// The memory for a row is counted in units of this many bytes.
constexpr int32 SLOT_UNIT = 1024;
FOR_HOST(LOGS);
FOR_HOST(CLASSES);
FOR_HOST(SHAPES);
FOR_HOST(LEAST_STATES);
FOR_HOST(FEW_SHAPES);
FOR_HOST(MANY_BLOCK);
FOR_HOST(SLOT_UNIT);

// Classifies the rows, with one warp per row.
extern "C" __global__ void viterbi_classify(
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
    int64 cells = static_cast<int64>(model.states) * model.steps;
    if (model.states > MAX_STATES || cells > MAX_NUMBERS) {
        rows_of.put(row, ON_CPU, 0, 0);
        return;
    }
    int32 shape = 0;
    while (shape < SHAPES - 1 && LEAST_STATES << shape < model.states) {
        shape++;
    }
    bool is_many = shape == SHAPES - 1;
    // the bytes for transitions, emissions of symbols, and the table; FewSlot pads rows of numbers to `width`, and
    // needs no more bytes per step than Slot
    int64 width = shape < FEW_SHAPES ? LEAST_STATES << shape : model.states;
    int64 numbers = width * (width + model.letters + (is_many ? model.steps : 0));
    int64 bytes = static_cast<int64>(sizeof(double)) * numbers
            + (is_many ? 0 : sizeof(uint32) * groups_of(model.steps) * (LEAST_STATES << shape));
    int64 units = (bytes + SLOT_UNIT - 1) / SLOT_UNIT;
    int32 size = static_cast<int32>(min(units, 0x7fffffffLL));
    rows_of.put(row, shape * LOGS + LOGS - 1 - (31 - __clz(size)), size, cells * model.states);
}

namespace {

// The number of doubles in shared memory for the data of several steps.
constexpr int32 CHUNK = 2048;

// Writes the table with one block. Returns the row of values of the last step.
//
// - chunk: shared memory
// - values: two rows in shared memory
__device__ __forceinline__ const double* fill(
        const MarkovCalls& calls, const Model& model, int32 row, const Slot& slot, double* chunk, double* values) {
    int32 n = model.states;
    // the second row has the values of the step before the first
    for (int32 j = threadIdx.x; j < n; j += blockDim.x) {
        values[MAX_STATES + j] = model.log(calls.starts[calls.start_offsets[row] + j]);
    }
    const double* emissions = calls.emissions.numbers + calls.emissions.row_offsets[model.emission_begin];
    for (int32 first = 0; first < model.steps; first += CHUNK / n) {
        int32 end = min(first + CHUNK / n, model.steps);
        for (int32 k = threadIdx.x; k < (end - first) * n; k += blockDim.x) {
            chunk[k] = calls.symbol_offsets == nullptr
                ? model.log(emissions[static_cast<int64>(first) * n + k])
                : slot.letters[static_cast<int64>(calls.symbols[model.first + first + k / n]) * n + k % n];
        }
        __syncthreads();
        for (int32 t = first; t < end; t++) {
            const double* before = values + (t + 1) % 2 * MAX_STATES;
            double* now = values + t % 2 * MAX_STATES;
            const double* emission = chunk + (t - first) * n;
            for (int32 j = threadIdx.x; j < n; j += blockDim.x) {
                int32 ways = t == 0 ? 0 : n;
                double best = t == 0 ? before[j] : strict_log(0);
#pragma unroll 8
                for (int32 i = 0; i < ways; i++) {
                    double with = __dadd_rn(before[i], slot.moves[i * n + j]);
                    best = with > best ? with : best;
                }
                now[j] = slot.rows[static_cast<int64>(t) * n + j] = __dadd_rn(best, emission[j]);
            }
            __syncthreads();
        }
    }
    return values + (model.steps - 1) % 2 * MAX_STATES;
}

// Finds the states from the table, with the first warp.
__device__ __forceinline__ void find_again(
        const Model& model, const Slot& slot, int32 last, int32* to, double* chunk) {
    int32 n = model.states;
    int32 next = last;
    for (int32 end = model.steps; end > 0; end -= CHUNK / n) {
        int32 first = max(end - CHUNK / n, 0);
        for (int32 k = threadIdx.x; k < (end - first) * n; k += blockDim.x) {
            chunk[k] = slot.rows[static_cast<int64>(first) * n + k];
        }
        __syncthreads();
        for (int32 t = end - 1; threadIdx.x < 32 && t >= first; t--) {
            if (t < model.steps - 1) {
                Way best = {strict_log(0), n};
                for (int32 i = threadIdx.x; i < n; i += 32) {
                    best.meet({__dadd_rn(chunk[(t - first) * n + i], slot.moves[i * n + next]), i});
                }
                best.meet_lanes<32>();
                next = best.state;
            }
            if (threadIdx.x == 0) {
                to[t] = next;
            }
        }
        __syncthreads();
    }
}

// Solves the rows of a group, which blocks take in turn.
__device__ __forceinline__ void solve_many(
        const Slots& slots, const MarkovCalls& calls, const ViterbiAnswers& answers, Classified rows_of) {
    __shared__ __align__(16) double chunk[CHUNK];
    __shared__ __align__(16) double values[2 * MAX_STATES];
    uint8* begin = slots.of_block();
    for (int32 i = slots.next(); i < slots.to; i = slots.next()) {
        int32 row = slots.order[i];
        Model model(calls, row);
        Slot slot(model, begin);
        take_logs<0>(calls, model, slot, threadIdx.x, blockDim.x);
        __syncthreads();
        Way last = last_of(fill(calls, model, row, slot, chunk, values), model.states);
        if (threadIdx.x == 0) {
            answer(answers, rows_of, row, last, model.steps);
        }
        find_again(model, slot, last.state, answers.states + model.first, chunk);
    }
}

}  // namespace

// Defines a kernel. BLOCKS: the minimum number of resident blocks per multiprocessor. Parameters are read where they
// are used, because registers are scarce.
#define VITERBI(name, SOLVE, BLOCK, BLOCKS) \
    extern "C" __global__ void __launch_bounds__(BLOCK, BLOCKS) viterbi_##name( \
            const __grid_constant__ Slots slots, \
            const __grid_constant__ MarkovCalls calls, \
            const __grid_constant__ ViterbiAnswers answers, \
            const __grid_constant__ Classified rows_of) { \
        SOLVE(slots, calls, answers, rows_of); \
    }

VITERBI(few_4, solve_few<4>, 32, 16)
VITERBI(few_8, solve_few<8>, 32, 12)
VITERBI(4, solve_teams<4>, 32, 28)
VITERBI(8, solve_teams<8>, 32, 28)
VITERBI(16, solve_teams<16>, 32, 20)
VITERBI(32, solve_teams<32>, 32, 16)
VITERBI(64, solve_wide<64>, 64, 6)
VITERBI(many, solve_many, MANY_BLOCK, 4)

// Copies the states of all solved rows, with one warp per row.
extern "C" __global__ void viterbi_states(
        int32 rows,
        MarkovCalls calls,
        ViterbiAnswers answers,
        Classified rows_of,
        const int32* offsets,
        int32* states) {
    int64 row = thread_index() / 32;
    if (row >= rows || !rows_of.is_solved(row)) {
        return;
    }
    Model model(calls, row);
    for (int32 t = threadIdx.x % 32; t < model.steps; t += 32) {
        states[offsets[row] + t] = answers.states[model.first + t];
    }
}
