// Computes one direction of the recurrence of dev.bellman.markov.Forward. Each row has a team of threads, one per
// state. With steps counted in this direction, and s(k) the exponent of the largest v(k, j):
//     v(0, j) = start(j) * emission(0, j)
//     v(k, j) = (sum over i of v(k - 1, i) * move(i, j)) * (emission(k, j) * 2^-s(k - 1))
// The reverse direction is the same, except that transitions are transposed and all start values are 1. The division by
// 2^s is delayed by one step, so that each step needs only one barrier. No number is subnormal or infinite, so all
// numbers are bit-for-bit the same as on the CPU: the model's nonzero entries are from 2^-250 to 2^250, and is_near
// checks that v(k - 1, j) is 0 or at least 2^-270 times the largest value of its step. Therefore v(k, j) is at least
// 2^(-270 - 500), and its products with transitions are at least 2^-1020.
#pragma once

#include "common/warp.cuh"
#include "markov/model.cuh"

namespace {

constexpr int32 LEAST_EXPONENT = -270;  // relative to s(k)

// Teams of STATES threads each. A warp contains several teams if the models have few states.
template <int32 STATES>
struct SweepShape {
    static constexpr int32 BLOCK = STATES < 32 ? 32 : STATES;
    static constexpr int32 ROWS = BLOCK / STATES;
    static constexpr int32 WARPS = BLOCK / 32;
    // The transitions to its state that each thread keeps: the first ones in registers, the others in shared memory, so
    // that enough registers remain for loading values in advance. If it keeps none, each step reads all of them from
    // device memory.
    static constexpr int32 SHARED_MOVES = STATES == 64 ? 8 : 0;
    static constexpr int32 OWN_MOVES = STATES <= 64 ? STATES - SHARED_MOVES : 0;

    // Returns the maximum number of steps of any team in the block.
    static __device__ __forceinline__ int32 longest(int32 steps) {
        return ROWS == 1 ? steps : max_of_lanes<32>(steps);
    }
};

// The values of two steps: threads read the values of one step while they write those of the next.
template <int32 STATES>
struct __align__(16) SharedStep {
    double values[2][SweepShape<STATES>::BLOCK];
    int32 tops[2][SweepShape<STATES>::WARPS];
    // each thread's transitions, in pairs, and one unused element, because there may be no transitions
    double2 moves[SweepShape<STATES>::SHARED_MOVES / 2 * SweepShape<STATES>::BLOCK + 1];
};

// Reads a state's emissions, step by step. The next emission, and the offset of the one after it, are loaded in
// advance.
template <bool BACKWARD>
class Emissions {
public:
    __device__ __forceinline__ Emissions(const MarkovCalls& calls, const Model& model, int32 state) :
        symbols_(calls.symbol_offsets == nullptr ? nullptr : calls.symbols + model.first),
        numbers_(calls.emissions.numbers + calls.emissions.row_offsets[model.emission_begin]
                + state * (symbols_ == nullptr ? 1 : model.letters)),
        states_(model.states),
        last_(model.steps - 1) {
        next_ = numbers_[place(0)];
        place_ = place(1);
    }

    // Returns the emission of step k. Callers must request steps in order. After the last step, the returned value is
    // arbitrary.
    __device__ __forceinline__ double take(int32 k) {
        double taken = next_;
        next_ = numbers_[place_];
        place_ = place(k + 2);
        return taken;
    }

private:
    __device__ __forceinline__ int32 place(int32 k) const {
        int32 t = BACKWARD ? max(last_ - k, 0) : min(k, last_);
        return symbols_ == nullptr ? t * states_ : symbols_[t];
    }

    const int32* symbols_;
    const double* numbers_;
    int32 states_;
    int32 last_;
    double next_;
    int32 place_;
};

template <int32 STATES, bool BACKWARD>
class Sweep {
public:
    // Whether each nonzero v(k, j) so far is large enough relative to the largest v of its step.
    bool is_near = true;
    // The sum of s over all steps except the last.
    int64 exponent = 0;
    // The value v(k, j) without the factor emission(k, j).
    double before_emission = 1;

    // - steps: 0 if the team has no row
    __device__ __forceinline__ Sweep(
            const MarkovCalls& calls, const Model& model, int32 row, int32 steps, SharedStep<STATES>& shared) :
        team_(threadIdx.x / STATES),
        state_(threadIdx.x % STATES),
        states_(model.states),
        steps_(steps),
        moves_(calls.transitions.numbers + calls.transitions.row_offsets[model.transition_begin]),
        emissions_(calls, model, min(state_, model.states - 1)) {
#pragma unroll
        for (int32 i = 0; i < Shape::OWN_MOVES; i++) {
            own_[i] = move_from(i);
        }
        for (int32 i = 0; i < Shape::SHARED_MOVES; i += 2) {
            int32 from = Shape::OWN_MOVES + i;
            shared.moves[i / 2 * Shape::BLOCK + threadIdx.x] = {move_from(from), move_from(from + 1)};
        }
        double start = BACKWARD ? 1 : calls.starts[calls.start_offsets[row] + min(state_, states_ - 1)];
        value_ = state_ < states_ ? __dmul_rn(start, emissions_.take(0)) : 0;
    }

    // Publishes v(k, j) to the team. All threads of the block must call this.
    __device__ __forceinline__ void share(int32 k, SharedStep<STATES>& shared) {
        shared.values[k % 2][threadIdx.x] = value_;
        top_ = Shape::ROWS == 1 ? max_of_warp(upper()) : max_of_lanes<STATES>(upper());
        if (Shape::WARPS > 1 && threadIdx.x % 32 == 0) {
            shared.tops[k % 2][threadIdx.x / 32] = top_;
        }
        __syncthreads();
    }

    // Determines s(k), after share(k). Returns v(k, j) divided by 2^s(k).
    __device__ __forceinline__ double scale(int32 k, const SharedStep<STATES>& shared) {
        int32 top = top_;
#pragma unroll
        for (int32 w = 0; Shape::WARPS > 1 && w < Shape::WARPS; w++) {
            top = max(top, shared.tops[k % 2][w]);
        }
        shift_ = top > 0 ? exponent_of(top) : 0;
        scale_ = __longlong_as_double(static_cast<int64>(1023 - shift_) << 52);
        is_near &= (upper() == 0) | (exponent_of(upper()) >= shift_ + LEAST_EXPONENT);
        return __dmul_rn(value_, scale_);
    }

    // Advances from v(k - 1, j) to v(k, j), after scale(k - 1). The value does not change after the row's last step.
    __device__ __forceinline__ void advance(int32 k, const SharedStep<STATES>& shared) {
        double factor = __dmul_rn(emissions_.take(k), scale_);
        double sum = product(k - 1, shared);
        double next = __dmul_rn(sum, factor);
        if (k < steps_) {
            before_emission = __dmul_rn(sum, scale_);
            value_ = next;
            exponent += shift_;
        }
    }

    __device__ __forceinline__ const double* team_values(int32 k, const SharedStep<STATES>& shared) const {
        return shared.values[k % 2] + team_ * STATES;
    }

    // Returns the exponent of a double from its upper half.
    static __device__ __forceinline__ int32 exponent_of(int32 upper) {
        return (upper >> 20) - 1023;
    }

private:
    using Shape = SweepShape<STATES>;

    // The upper half of the value. The upper halves of nonnegative doubles sort in the same order as the doubles.
    __device__ __forceinline__ int32 upper() const {
        return static_cast<int32>(__double_as_longlong(value_) >> 32);
    }

    __device__ __forceinline__ int32 place_of_move(int32 i) const {
        return BACKWARD ? state_ * states_ + i : i * states_ + state_;
    }

    // Returns the transition from a state, or 0 if the row has no such transition.
    __device__ __forceinline__ double move_from(int32 i) const {
        return state_ < states_ && i < states_ ? moves_[place_of_move(i)] : 0;
    }

    // Sums the values of step k in the order of the states. States beyond the row's last state contribute zeros.
    __device__ __forceinline__ double product(int32 k, const SharedStep<STATES>& shared) const {
        const double* values = team_values(k, shared);
        double sum = 0;
        if constexpr (Shape::OWN_MOVES > 0) {
#pragma unroll
            for (int32 i = 0; i < STATES; i += 2) {
                double2 pair = *reinterpret_cast<const double2*>(values + i);
                double2 moves;
                if (i < Shape::OWN_MOVES) {
                    moves = {own_[i], own_[i + 1]};
                } else {
                    moves = shared.moves[(i - Shape::OWN_MOVES) / 2 * Shape::BLOCK + threadIdx.x];
                }
                sum = __dadd_rn(sum, __dmul_rn(pair.x, moves.x));
                sum = __dadd_rn(sum, __dmul_rn(pair.y, moves.y));
            }
        } else if (state_ < states_) {
#pragma unroll 8
            for (int32 i = 0; i < states_; i++) {
                sum = __dadd_rn(sum, __dmul_rn(values[i], moves_[place_of_move(i)]));
            }
        }
        return sum;
    }

    int32 team_;
    int32 state_;
    int32 states_;
    int32 steps_;
    const double* moves_;
    Emissions<BACKWARD> emissions_;
    double own_[Shape::OWN_MOVES + 1];
    double value_;
    double scale_ = 1;
    int32 shift_ = 0;
    int32 top_ = 0;  // the upper half of the largest value of the warp's part of the team
};

}  // namespace
