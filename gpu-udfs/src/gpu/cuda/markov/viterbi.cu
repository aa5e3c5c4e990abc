// The likeliest states of hidden Markov models, a block for each row: dev.bellman.markov.Viterbi. The rows of the table
// are kept in device memory, and the way back finds the states from them, as on the CPU.
#include "common/strict_math.cuh"
#include "common/ticket.cuh"
#include "common/warp.cuh"
#include "markov/model.cuh"

// A class is a shape, which is a number of states, and the binary logarithm of the memory, most first.
constexpr int32 LOGS = 31;
// Of at most 16, 32 and 64 states, whose transitions are in registers, and of at most MAX_STATES.
constexpr int32 SHAPES = 4;
constexpr int32 LEAST_STATES = 16;
constexpr int32 CLASSES = SHAPES * LOGS;
// Threads for each state in registers, which share its transitions.
constexpr int32 PARTS = 2;
constexpr int32 MANY_BLOCK = 256;
// The host limits the memory of an instance, in units of this many bytes.
constexpr int32 SLOT_UNIT = 1024;
FOR_HOST(LOGS);
FOR_HOST(CLASSES);
FOR_HOST(SHAPES);
FOR_HOST(LEAST_STATES);
FOR_HOST(PARTS);
FOR_HOST(MANY_BLOCK);
FOR_HOST(SLOT_UNIT);

struct ViterbiAnswers {
    double* log_weights;
    int32* counts;
    int32* states;  // at the places of the steps
};

STRUCT_FOR_HOST(ViterbiAnswers);
MEMBER_FOR_HOST(ViterbiAnswers, log_weights);
MEMBER_FOR_HOST(ViterbiAnswers, counts);
MEMBER_FOR_HOST(ViterbiAnswers, states);

namespace {

// Numbers of some steps in shared memory.
constexpr int32 CHUNK = 2048;

}  // namespace

// One warp per row.
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
    // of transitions, emissions of symbols, and the table
    int64 numbers = model.states * (static_cast<int64>(model.states) + model.letters + model.steps);
    int64 units = (static_cast<int64>(sizeof(double)) * numbers + SLOT_UNIT - 1) / SLOT_UNIT;
    int32 size = static_cast<int32>(min(units, 0x7fffffffLL));
    rows_of.put(row, shape * LOGS + LOGS - 1 - (31 - __clz(size)), size, cells * model.states);
}

namespace {

// Transitions to a state in registers: those of a part, in pairs, from the states 2 part, 2 part + 1, 2 part + 2 PARTS
// and so on, so that the parts read neighbouring values.
template <int32 STATES>
struct OwnMoves {
    double moves[STATES / PARTS];

    static __device__ __forceinline__ int32 from(int32 k, int32 part) {
        return 2 * (k / 2 * PARTS + part) + k % 2;
    }

    __device__ __forceinline__ void load(const double* to_states, int32 states, int32 state, int32 part) {
#pragma unroll
        for (int32 k = 0; k < STATES / PARTS; k++) {
            int32 i = from(k, part);
            moves[k] = i < states && state < states ? to_states[state * states + i] : strict_log(0);
        }
    }

    // Neither a NaN nor a negative zero is among the values, so the maximum is the same in any order.
    __device__ __forceinline__ double best(const double* before, int32 part) const {
        double best[4];
#pragma unroll
        for (int32 k = 0; k < STATES / PARTS; k++) {
            double with = __dadd_rn(before[from(k, part)], moves[k]);
            best[k % 4] = k < 4 || with > best[k % 4] ? with : best[k % 4];
        }
#pragma unroll
        for (int32 k = 1; k < 4; k++) {
            best[0] = best[k] > best[0] ? best[k] : best[0];
        }
        return max_of_lanes<PARTS>(best[0]);
    }
};

// Many states: the transitions are in device memory, those from a state together.
template <>
struct OwnMoves<0> {
    __device__ __forceinline__ void load(const double*, int32, int32, int32) {}
};

// The tables of a row in its slot.
struct Slot {
    double* moves;
    double* letters;  // for each symbol, logarithms of the emissions of all states
    double* rows;

    __device__ Slot(const Model& model, double* begin) {
        moves = begin;
        letters = moves + static_cast<int64>(model.states) * model.states;
        rows = letters + static_cast<int64>(model.states) * model.letters;
    }
};

// STATES: 0 for many.
template <int32 STATES>
__device__ __forceinline__ int32 place_of_move(int32 states, int32 i, int32 j) {
    return STATES == 0 ? i * states + j : j * states + i;
}

// All threads of the block.
template <int32 STATES>
__device__ __forceinline__ void take_logs(const MarkovCalls& calls, const Model& model, const Slot& slot) {
    int32 n = model.states;
    const double* transitions = calls.transitions.numbers + calls.transitions.row_offsets[model.transition_begin];
    for (int32 k = threadIdx.x; k < n * n; k += blockDim.x) {
        slot.moves[place_of_move<STATES>(n, k / n, k % n)] = strict_log(transitions[k]);
    }
    const double* emissions = calls.emissions.numbers + calls.emissions.row_offsets[model.emission_begin];
    int64 count = static_cast<int64>(n) * model.letters;
    for (int64 k = threadIdx.x; k < count; k += blockDim.x) {
        slot.letters[k % model.letters * n + k / model.letters] = strict_log(emissions[k]);
    }
}

// Writes the rows of the table. chunk: shared memory. values: two rows of it in shared memory.
template <int32 STATES>
__device__ __forceinline__ void fill(
        const MarkovCalls& calls, const Model& model, int32 row, const Slot& slot, double* chunk, double* values) {
    constexpr int32 WIDTH = STATES == 0 ? MAX_STATES : STATES;
    int32 n = model.states;
    int32 state = STATES == 0 ? threadIdx.x : threadIdx.x / PARTS;
    int32 part = STATES == 0 ? 0 : threadIdx.x % PARTS;
    OwnMoves<STATES> own;
    own.load(slot.moves, n, state, part);
    // states that there are not stay impossible; the second row is before the first
    for (int32 j = threadIdx.x; j < WIDTH; j += blockDim.x) {
        values[j] = strict_log(0);
        values[WIDTH + j] = strict_log(j < n ? calls.starts[calls.start_offsets[row] + j] : 0);
    }
    const double* emissions = calls.emissions.numbers + calls.emissions.row_offsets[model.emission_begin];
    for (int32 first = 0; first < model.steps; first += CHUNK / n) {
        int32 end = min(first + CHUNK / n, model.steps);
        for (int32 k = threadIdx.x; k < (end - first) * n; k += blockDim.x) {
            chunk[k] = calls.symbol_offsets == nullptr
                ? strict_log(emissions[static_cast<int64>(first) * n + k])
                : slot.letters[static_cast<int64>(calls.symbols[model.first + first + k / n]) * n + k % n];
        }
        __syncthreads();
        for (int32 t = first; t < end; t++) {
            const double* before = values + (t + 1) % 2 * WIDTH;
            double* now = values + t % 2 * WIDTH;
            const double* emission = chunk + (t - first) * n;
            double* to = slot.rows + static_cast<int64>(t) * n;
            if constexpr (STATES == 0) {
                for (int32 j = state; j < n; j += blockDim.x) {
                    double best = t == 0 ? before[j] : strict_log(0);
                    for (int32 i = 0; t > 0 && i < n; i++) {
                        double with = __dadd_rn(before[i], slot.moves[i * n + j]);
                        best = with > best ? with : best;
                    }
                    now[j] = to[j] = __dadd_rn(best, emission[j]);
                }
            } else {
                double best = t == 0 ? before[state] : own.best(before, part);
                if (part == 0 && state < n) {
                    now[state] = to[state] = __dadd_rn(best, emission[state]);
                }
            }
            __syncthreads();
        }
    }
}

// The smallest state of those with the greatest value, for all lanes of a warp.
struct Greatest {
    double value;
    int32 state;

    __device__ __forceinline__ void meet(double other, int32 of) {
        bool is_better = other > value || (other == value && of < state);
        value = is_better ? other : value;
        state = is_better ? of : state;
    }

    __device__ __forceinline__ void meet_lanes() {
#pragma unroll
        for (int32 other = 16; other > 0; other /= 2) {
            double theirs = __shfl_xor_sync(~0u, value, other);
            meet(theirs, __shfl_xor_sync(~0u, state, other));
        }
    }
};

// Finds the states from the rows, in the first warp.
template <int32 STATES>
__device__ __forceinline__ void walk_back(
        const Model& model, int32 row, const Slot& slot, double* chunk, const ViterbiAnswers& to, Classified rows_of) {
    int32 n = model.states;
    int32 next = 0;
    for (int32 end = model.steps; end > 0; end -= CHUNK / n) {
        int32 first = max(end - CHUNK / n, 0);
        for (int32 k = threadIdx.x; k < (end - first) * n; k += blockDim.x) {
            chunk[k] = slot.rows[static_cast<int64>(first) * n + k];
        }
        __syncthreads();
        for (int32 t = end - 1; threadIdx.x < 32 && t >= first; t--) {
            bool is_last = t == model.steps - 1;
            Greatest best = {strict_log(0), n};
            for (int32 i = threadIdx.x; i < n; i += 32) {
                double value = chunk[(t - first) * n + i];
                best.meet(is_last ? value : __dadd_rn(value, slot.moves[place_of_move<STATES>(n, i, next)]), i);
            }
            best.meet_lanes();
            next = best.state;
            if (threadIdx.x == 0) {
                to.states[model.first + t] = next;
                if (is_last && best.value == strict_log(0)) {
                    rows_of.reject(row);
                } else if (is_last) {
                    to.log_weights[row] = best.value;
                    to.counts[row] = model.steps;
                }
            }
        }
        __syncthreads();
    }
}

// Blocks take the rows order[from] to order[to - 1].
template <int32 STATES>
__device__ __forceinline__ void solve_all(
        const int32* order,
        int32 from,
        int32 to,
        int32* ticket,
        const MarkovCalls& calls,
        const ViterbiAnswers& answers,
        Classified rows_of,
        uint8* slots,
        int64 slot_bytes) {
    __shared__ double chunk[CHUNK];
    __shared__ double values[2 * (STATES == 0 ? MAX_STATES : STATES)];
    double* begin = reinterpret_cast<double*>(slots + slot_bytes * blockIdx.x);
    for (int32 i = take(ticket, from); i < to; i = take(ticket, from)) {
        Model model(calls, order[i]);
        Slot slot(model, begin);
        take_logs<STATES>(calls, model, slot);
        __syncthreads();
        fill<STATES>(calls, model, order[i], slot, chunk, values);
        walk_back<STATES>(model, order[i], slot, chunk, answers, rows_of);
    }
}

}  // namespace

#define VITERBI(name, STATES, BLOCK) \
    extern "C" __global__ void __launch_bounds__(BLOCK) viterbi_##name( \
            const int32* order, \
            int32 from, \
            int32 to, \
            int32* ticket, \
            MarkovCalls calls, \
            ViterbiAnswers answers, \
            Classified rows_of, \
            uint8* slots, \
            int64 slot_bytes) { \
        solve_all<STATES>(order, from, to, ticket, calls, answers, rows_of, slots, slot_bytes); \
    }

VITERBI(16, 16, 16 * PARTS)
VITERBI(32, 32, 32 * PARTS)
VITERBI(64, 64, 64 * PARTS)
VITERBI(many, 0, MANY_BLOCK)

// The states of all rows, one warp per row.
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
