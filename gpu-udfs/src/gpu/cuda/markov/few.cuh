// Computes Viterbi's recurrence for models with at most 8 states, and for many sequences of symbols. A warp solves
// several rows. Each thread computes OWN states from the values of all states; all of these values are in registers.
// Compared with one thread per state (markov/teams.cuh), this needs fewer instructions per transition, but OWN times as
// many rows to keep all threads busy.
#pragma once

#include "columns/slots.cuh"
#include "markov/ways.cuh"

// The number of states that a thread computes.
constexpr int32 OWN = 4;
FOR_HOST(OWN);

namespace {

// The number of steps whose previous states a thread packs into one uint4: 4 bits for each state and step.
constexpr int32 PACK = 8;

template <int32 STATES>
struct FewShape {
    static constexpr int32 LANES = STATES / OWN;  // the number of threads that solve a row
    static constexpr int32 ROWS = 32 / LANES;
    static constexpr int32 CHUNK = 32;  // the number of steps whose symbols are read, or whose path is written, at once
    static constexpr int32 SHARED = 8;  // the number of symbols whose emissions fit in shared memory
    static_assert(LANES <= 2, "a thread exchanges its values with at most one other thread");
};

// The memory for a row. Rows of transitions and of emissions are padded to STATES numbers, so that they are aligned.
template <int32 STATES>
struct FewSlot {
    double* moves;    // the logarithms of the transitions, grouped by their target
    double* letters;  // the logarithms of all states' emissions, for each symbol
    uint4* packs;     // for each thread, the previous states of each PACK steps

    __device__ FewSlot(const Model& model, uint8* begin) {
        moves = reinterpret_cast<double*>(begin);
        letters = moves + STATES * STATES;
        packs = reinterpret_cast<uint4*>(letters + static_cast<int64>(model.letters) * STATES);
    }
};

// The rows' data in shared memory.
template <int32 STATES>
struct FewShared {
    using Shape = FewShape<STATES>;
    // rows are padded by two numbers, so that rows with the same symbol use different banks
    double __align__(16) emissions[Shape::ROWS][Shape::SHARED * STATES + 2];
    double __align__(16) last[Shape::ROWS][STATES];  // the values of the last step
    int32 symbols[Shape::ROWS][Shape::CHUNK + 1];
    uint32 path[Shape::ROWS][Shape::CHUNK / PACK + 1];  // 4 bits for each step
};

// Returns the value of the given thread among LANES threads. Moves the halves of a double separately, because otherwise
// the compiler adds instructions that swap the two registers.
template <int32 LANES>
__device__ __forceinline__ double value_of_lane(double value, int32 lane) {
    if constexpr (LANES == 1) {
        return value;
    }
    int32 high = __shfl_sync(~0u, __double2hiint(value), lane, LANES);
    return __hiloint2double(high, __shfl_sync(~0u, __double2loint(value), lane, LANES));
}

// One row's team of LANES threads in the warp.
template <int32 STATES>
class Few {
public:
    __device__ __forceinline__ Few(
            const MarkovCalls& calls, const Model& model, int32 steps, const FewSlot<STATES>& slot,
            FewShared<STATES>& shared) :
        calls_(calls),
        model_(model),
        slot_(slot),
        shared_(shared),
        steps_(steps),
        longest_(max_of_lanes<32>(steps)) {}

    // Stores the logarithms of the model's numbers; those of `start` are stored in `last`.
    __device__ __forceinline__ void take_logs(int32 row) const {
        const double* starts = calls_.starts + calls_.start_offsets[row];
        for (int32 j = lane_; j < STATES; j += Shape::LANES) {
            shared_.last[team_][j] = j < model_.states ? model_.log(starts[j]) : strict_log(0);
        }
        const double* transitions =
                calls_.transitions.numbers + calls_.transitions.row_offsets[model_.transition_begin];
        for (int32 k = lane_; k < STATES * STATES; k += Shape::LANES) {
            int32 target = k / STATES;
            int32 source = k % STATES;
            bool has_move = max(target, source) < model_.states;
            slot_.moves[k] =
                    has_move ? model_.log(transitions[source * model_.states + target]) : strict_log(0);
        }
        const double* emissions = calls_.emissions.numbers + calls_.emissions.row_offsets[model_.emission_begin];
        double* table = emission_table();
        for (int32 j = lane_; j < STATES; j += Shape::LANES) {
            for (int32 letter = 0; letter < model_.letters; letter++) {
                int64 place = static_cast<int64>(j) * model_.letters + letter;
                table[static_cast<int64>(letter) * STATES + j] =
                        j < model_.states ? model_.log(emissions[place]) : strict_log(0);
            }
        }
    }

    // Computes the table, and returns the end of the best path. All lanes of the warp must call this.
    __device__ __forceinline__ Way fill() const {
        const double* table = emission_table() + lane_ * OWN;
        double moves[OWN][STATES];
#pragma unroll
        for (int32 a = 0; a < OWN; a++) {
#pragma unroll
            for (int32 i = 0; i < STATES; i++) {
                moves[a][i] = slot_.moves[(lane_ * OWN + a) * STATES + i];
            }
        }
        double values[OWN];
        uint4 pack = {0, 0, 0, 0};
        for (int32 first = 0; first < longest_; first += PACK) {
            if (first % Shape::CHUNK == 0) {
                read_symbols(first);
            }
            const int32* symbol = shared_.symbols[team_] + first % Shape::CHUNK;
#pragma unroll 1
            for (int32 t = first; t < first + PACK; t += 2, symbol += 2) {
                Emissions first_of_two(table + static_cast<int64>(symbol[0]) * STATES);
                uint32 from = 0;
                if (t == 0) {
#pragma unroll
                    for (int32 a = 0; a < OWN; a++) {
                        values[a] = shared_.last[team_][lane_ * OWN + a];
                    }
                } else {
                    from = raise(moves, values);
                }
                emit(t, first_of_two, values);
                Emissions second_of_two(table + static_cast<int64>(symbol[1]) * STATES);
                from |= raise(moves, values) << (4 * OWN);
                emit(t + 1, second_of_two, values);
                pack = {pack.y, pack.z, pack.w, from};
            }
            if (first < steps_) {
                slot_.packs[static_cast<int64>(first / PACK) * Shape::LANES + lane_] = pack;
            }
        }
        __syncwarp();
        Way last = {shared_.last[team_][0], 0};
#pragma unroll
        for (int32 j = 1; j < STATES; j++) {
            last.meet_later({shared_.last[team_][j], j});
        }
        return last;
    }

    // Writes the path of each row. All lanes of the warp must call this.
    __device__ __forceinline__ void walk_back(int32 last, int32* states) const {
        constexpr int32 PACKS = Shape::CHUNK / PACK;
        int32 next = last;
        uint4 ahead[PACKS][Shape::LANES];
        int32 top = (longest_ - 1) / Shape::CHUNK * Shape::CHUNK;
        read_packs(top, ahead);
        for (int32 first = top; first >= 0; first -= Shape::CHUNK) {
            uint4 packs[PACKS][Shape::LANES];
#pragma unroll
            for (int32 p = 0; p < PACKS * Shape::LANES; p++) {
                packs[p / Shape::LANES][p % Shape::LANES] = ahead[p / Shape::LANES][p % Shape::LANES];
            }
            read_packs(first - Shape::CHUNK, ahead);
#pragma unroll
            for (int32 p = PACKS - 1; p >= 0; p--) {
                uint32 path = 0;
#pragma unroll
                for (int32 u = PACK - 1; u >= 0; u--) {
                    path |= static_cast<uint32>(next) << (4 * u);
                    uint32 low = word(packs[p][0], u / 2);
                    uint32 all = __byte_perm(low, Shape::LANES == 1 ? 0 : word(packs[p][Shape::LANES - 1], u / 2),
                            u % 2 == 0 ? 0x5410 : 0x7632);
                    int32 before = all >> (4 * next) & 7;
                    next = first + p * PACK + u < steps_ ? before : next;
                }
                if (lane_ == 0) {
                    shared_.path[team_][p] = path;
                }
            }
            write_paths(first, states);
        }
    }

private:
    using Shape = FewShape<STATES>;

    // The logarithms of the emissions of a thread's states at one step.
    struct Emissions {
        double2 pairs[OWN / 2];

        __device__ __forceinline__ explicit Emissions(const double* from) {
#pragma unroll
            for (int32 a = 0; a < OWN / 2; a++) {
                pairs[a] = reinterpret_cast<const double2*>(from)[a];
            }
        }
    };

    static __device__ __forceinline__ uint32 word(const uint4& pack, int32 k) {
        return k == 0 ? pack.x : k == 1 ? pack.y : k == 2 ? pack.z : pack.w;
    }

    __device__ __forceinline__ double* emission_table() const {
        return model_.letters <= Shape::SHARED ? shared_.emissions[team_] : slot_.letters;
    }

    // Reads the symbols of the next CHUNK steps. The loads are unconditional, so that they overlap.
    __device__ __forceinline__ void read_symbols(int32 first) const {
        __syncwarp();
        int32 t = first + static_cast<int32>(threadIdx.x);
#pragma unroll 16
        for (int32 r = 0; r < Shape::ROWS; r++) {
            int32 begin = __shfl_sync(~0u, model_.first, r * Shape::LANES);
            int32 last = __shfl_sync(~0u, model_.steps, r * Shape::LANES) - 1;
            shared_.symbols[r][threadIdx.x] = calls_.symbols[begin + min(t, last)];
        }
        __syncwarp();
    }

    // Replaces the values of paths to the current states with the values of the best paths to the next states. Returns
    // the previous states on these paths, 4 bits each.
    __device__ __forceinline__ uint32 raise(const double (&moves)[OWN][STATES], double (&values)[OWN]) const {
        double before[STATES];
#pragma unroll
        for (int32 i = 0; i < STATES; i++) {
            before[i] = value_of_lane<Shape::LANES>(values[i % OWN], i / OWN);
        }
        uint32 from = 0;
#pragma unroll
        for (int32 a = OWN - 1; a >= 0; a--) {
            Way ways[STATES];
#pragma unroll
            for (int32 i = 0; i < STATES; i++) {
                ways[i] = {__dadd_rn(before[i], moves[a][i]), i};
            }
#pragma unroll
            for (int32 distance = 1; distance < STATES; distance *= 2) {
#pragma unroll
                for (int32 i = 0; i < STATES; i += 2 * distance) {
                    ways[i].meet_later(ways[i + distance]);
                }
            }
            values[a] = ways[0].value;
            from = from * 16 + ways[0].state;
        }
        return from;
    }

    // Adds the emissions of step t, and stores the values if t is the row's last step.
    __device__ __forceinline__ void emit(int32 t, const Emissions& emissions, double (&values)[OWN]) const {
        double2* last = reinterpret_cast<double2*>(shared_.last[team_] + lane_ * OWN);
#pragma unroll
        for (int32 a = 0; a < OWN; a += 2) {
            values[a] = __dadd_rn(values[a], emissions.pairs[a / 2].x);
            values[a + 1] = __dadd_rn(values[a + 1], emissions.pairs[a / 2].y);
            if (t == steps_ - 1) {
                last[a / 2] = {values[a], values[a + 1]};
            }
        }
    }

    __device__ __forceinline__ void read_packs(
            int32 first, uint4 (&to)[Shape::CHUNK / PACK][Shape::LANES]) const {
#pragma unroll
        for (int32 p = 0; p < Shape::CHUNK / PACK; p++) {
            int32 t = first + p * PACK;
#pragma unroll
            for (int32 l = 0; l < Shape::LANES; l++) {
                to[p][l] = t >= 0 && t < steps_
                    ? slot_.packs[static_cast<int64>(t / PACK) * Shape::LANES + l]
                    : uint4{0, 0, 0, 0};
            }
        }
    }

    // Writes a chunk of each row's path from shared memory.
    __device__ __forceinline__ void write_paths(int32 first, int32* states) const {
        __syncwarp();
        int32 lane = threadIdx.x;
#pragma unroll 8
        for (int32 r = 0; r < Shape::ROWS; r++) {
            int32 begin = __shfl_sync(~0u, model_.first, r * Shape::LANES);
            int32 steps = __shfl_sync(~0u, steps_, r * Shape::LANES);
            if (first + lane < steps) {
                states[begin + first + lane] = shared_.path[r][lane / PACK] >> (4 * (lane % PACK)) & 0xf;
            }
        }
        __syncwarp();
    }

    const MarkovCalls& calls_;
    const Model& model_;
    const FewSlot<STATES>& slot_;
    FewShared<STATES>& shared_;
    int32 team_ = threadIdx.x / Shape::LANES;
    int32 lane_ = threadIdx.x % Shape::LANES;
    int32 steps_;    // 0 if the team has no row
    int32 longest_;  // the number of steps of the longest row in the warp
};

// Solves the rows of a group. Each block consists of one warp, which takes several rows at a time.
template <int32 STATES>
__device__ __forceinline__ void solve_few(
        const Slots& slots, const MarkovCalls& calls, const ViterbiAnswers& answers, Classified rows_of) {
    constexpr int32 ROWS = FewShape<STATES>::ROWS;
    __shared__ FewShared<STATES> shared;
    int32 team = threadIdx.x / FewShape<STATES>::LANES;
    uint8* begin = slots.of_block() + slots.bytes / ROWS * team;
    for (int32 i = slots.next(ROWS); i < slots.to; i = slots.next(ROWS)) {
        bool has_row = i + team < slots.to;
        int32 row = slots.order[has_row ? i + team : i];
        Model model(calls, row);
        FewSlot<STATES> slot(model, begin);
        Few<STATES> few(calls, model, has_row ? model.steps : 0, slot, shared);
        few.take_logs(row);
        __syncwarp();
        Way last = few.fill();
        if (has_row && threadIdx.x % FewShape<STATES>::LANES == 0) {
            answer(answers, rows_of, row, last, model.steps);
        }
        few.walk_back(last.state, answers.states);
    }
}

}  // namespace
