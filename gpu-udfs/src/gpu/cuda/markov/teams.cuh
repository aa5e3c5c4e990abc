// Computes Viterbi's recurrence for at most 32 states. A warp solves several rows, with one thread for each state of
// each row.
#pragma once

#include "columns/slots.cuh"
#include "markov/ways.cuh"

namespace {

// Reads the logarithms of a state's emissions. The number for the next step, and the offset for the step after it, are
// loaded in advance.
class EmissionLogs {
public:
    __device__ __forceinline__ EmissionLogs(
            const MarkovCalls& calls, const Model& model, const Slot& slot, int32 state) :
        symbols_(calls.symbol_offsets == nullptr ? nullptr : calls.symbols + model.first),
        numbers_(symbols_ != nullptr
                ? slot.letters + state
                : calls.emissions.numbers + calls.emissions.row_offsets[model.emission_begin] + state),
        states_(model.states),
        last_(model.steps - 1),
        are_weights_(symbols_ == nullptr && !model.are_logs) {
        next_ = numbers_[place(0) * states_];
        place_ = place(1);
    }

    // Returns the logarithm for step t. Callers must request steps in order. After the last step, the returned value is
    // arbitrary. Ignores the value of the path to the state, which other classes of emissions need.
    __device__ __forceinline__ double take(int32 t, double) {
        double taken = are_weights_ ? strict_log(next_) : next_;
        next_ = numbers_[place_ * states_];
        place_ = place(t + 2);
        return taken;
    }

private:
    // Returns the list of a step's emissions. A row has fewer than 2^31 emissions. The caller multiplies by the number
    // of states, so that it does not wait for the symbol here.
    __device__ __forceinline__ int32 place(int32 t) const {
        int32 step = min(t, last_);
        return symbols_ == nullptr ? step : symbols_[step];
    }

    const int32* symbols_;
    const double* numbers_;
    int32 states_;
    int32 last_;
    bool are_weights_;
    double next_;
    int32 place_;
};

// The rows of a warp, with one thread for each state.
template <int32 STATES>
struct Teams {
    static constexpr int32 ROWS = 32 / STATES;
    // the number of groups of steps that the traceback loads at once
    static constexpr int32 AHEAD = 4;
    int32 state = threadIdx.x % STATES;
    int32 steps;    // 0 if the team has no row
    int32 longest;  // the largest number of steps of any team
    uint32* groups;

    __device__ Teams(int32 own_steps, const Slot& slot) :
        steps(own_steps),
        longest(max_of_lanes<32>(own_steps)),
        groups(slot.groups) {}

    // Computes the table, and returns the end of the best path.
    //
    // - values: two rows for each team, in shared memory
    template <typename Emissions>
    __device__ __forceinline__ Way fill(
            const MarkovCalls& calls, const Model& model, int32 row, const Slot& slot, Emissions& emissions,
            double (*values)[32]) const {
        int32 n = model.states;
        OwnMoves<STATES> own;
        own.load(slot.moves, n, state);
        int32 used = min(state, n - 1);
        double start = state < n ? model.log(calls.starts[calls.start_offsets[row] + used]) : strict_log(0);
        double value = start;
        // processes whole groups: a row's values do not change after its last step, and the traceback ignores the
        // states that are stored for later steps
        for (int32 first = 0; first < longest; first += GROUP) {
            uint32 group = 0;
#pragma unroll
            for (int32 u = 0; u < GROUP; u++) {
                int32 t = first + u;
                values[u % 2][threadIdx.x] = value;
                __syncwarp();
                Way best = own.best(values[u % 2] + threadIdx.x / STATES * STATES);
                double before = t == 0 ? start : best.value;
                double next = __dadd_rn(before, emissions.take(t, before));
                value = t < steps ? next : value;
                group = append(group, best.state);
            }
            if (first < steps) {
                groups[static_cast<int64>(first / GROUP) * STATES + state] = group;
            }
        }
        Way last = {value, state};
        last.meet_lanes<STATES>();
        return last;
    }

    __device__ __forceinline__ void walk_back(int32 last, int32* to) const {
        int32 next = last;
        uint32 read[AHEAD];
        int32 top = (longest - 1) / (GROUP * AHEAD) * AHEAD;
        read_groups(top, read);
        for (int32 first = top; first >= 0; first -= AHEAD) {
            uint32 now[AHEAD];
#pragma unroll
            for (int32 g = 0; g < AHEAD; g++) {
                now[g] = read[g];
            }
            read_groups(first - AHEAD, read);
#pragma unroll
            for (int32 g = AHEAD - 1; g >= 0; g--) {
                int32 begin = (first + g) * GROUP;
                int32 own = 0;
#pragma unroll
                for (int32 u = GROUP - 1; u >= 0; u--) {
                    own = state == u ? next : own;
                    int32 before = __shfl_sync(~0u, now[g], next, STATES) >> (8 * u) & 0xff;
                    next = begin + u < steps ? before : next;
                }
                if (state < GROUP && begin + state < steps) {
                    to[begin + state] = own;
                }
            }
        }
    }

private:
    __device__ __forceinline__ void read_groups(int32 first, uint32 (&to)[AHEAD]) const {
#pragma unroll
        for (int32 g = 0; g < AHEAD; g++) {
            bool has_group = first + g >= 0 && (first + g) * GROUP < steps;
            to[g] = has_group ? groups[static_cast<int64>(first + g) * STATES + state] : 0;
        }
    }
};

// Solves the rows of a group. Each block consists of one warp, which takes several rows at a time.
template <int32 STATES>
__device__ __forceinline__ void solve_teams(
        const Slots& slots, const MarkovCalls& calls, const ViterbiAnswers& answers, Classified rows_of) {
    constexpr int32 ROWS = Teams<STATES>::ROWS;
    __shared__ __align__(16) double values[2][32];
    int32 team = threadIdx.x / STATES;
    int32 state = threadIdx.x % STATES;
    uint8* begin = slots.of_block() + slots.bytes / ROWS * team;
    for (int32 i = slots.next(ROWS); i < slots.to; i = slots.next(ROWS)) {
        bool has_row = i + team < slots.to;
        int32 row = slots.order[has_row ? i + team : i];
        Model model(calls, row);
        Slot slot(model, begin);
        take_logs<STATES>(calls, model, slot, state, STATES);
        __syncwarp();
        Teams<STATES> teams(has_row ? model.steps : 0, slot);
        EmissionLogs emissions(calls, model, slot, min(state, model.states - 1));
        Way last = teams.fill(calls, model, row, slot, emissions, values);
        if (has_row && state == 0) {
            answer(answers, rows_of, row, last, model.steps);
        }
        teams.walk_back(last.state, answers.states + model.first);
    }
}

}  // namespace
