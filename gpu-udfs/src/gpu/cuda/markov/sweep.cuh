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

constexpr double LEAST_PART = 5.271098971615262e-82;  // 2^-270

// Teams of STATES threads each. A warp contains several teams if the models have few states.
template <int32 STATES>
struct SweepShape {
    static constexpr int32 BLOCK = STATES < 32 ? 32 : STATES;
    static constexpr int32 ROWS = BLOCK / STATES;
    static constexpr int32 WARPS = BLOCK / 32;
    // Whether threads keep transitions in registers. If not, each step reads them from device memory.
    static constexpr bool MOVES_IN_REGISTERS = STATES <= 64;

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
    __device__ __forceinline__ Sweep(const MarkovCalls& calls, const Model& model, int32 row, int32 steps) :
        team_(threadIdx.x / STATES),
        state_(threadIdx.x % STATES),
        states_(model.states),
        steps_(steps),
        moves_(calls.transitions.numbers + calls.transitions.row_offsets[model.transition_begin]),
        emissions_(calls, model, min(state_, model.states - 1)) {
        bool has_state = state_ < states_;
        if constexpr (Shape::MOVES_IN_REGISTERS) {
#pragma unroll
            for (int32 i = 0; i < STATES; i++) {
                own_[i] = has_state && i < states_ ? moves_[place_of_move(i)] : 0;
            }
        }
        double start = BACKWARD ? 1 : calls.starts[calls.start_offsets[row] + min(state_, states_ - 1)];
        value_ = has_state ? __dmul_rn(start, emissions_.take(0)) : 0;
    }

    // Publishes v(k, j) to the team. Returns the value divided by 2^s(k). All threads of the block must call this.
    __device__ __forceinline__ double share(int32 k, SharedStep<STATES>& shared) {
        shared.values[k % 2][threadIdx.x] = value_;
        // the upper halves of nonnegative doubles sort in the same order as the doubles
        int32 top = static_cast<int32>(__double_as_longlong(value_) >> 32);
        top = max_of_lanes<Shape::ROWS == 1 ? 32 : STATES>(top);
        if (Shape::WARPS > 1 && threadIdx.x % 32 == 0) {
            shared.tops[k % 2][threadIdx.x / 32] = top;
        }
        __syncthreads();
#pragma unroll
        for (int32 w = 0; Shape::WARPS > 1 && w < Shape::WARPS; w++) {
            top = max(top, shared.tops[k % 2][w]);
        }
        shift_ = top > 0 ? (top >> 20) - 1023 : 0;
        scale_ = __longlong_as_double(static_cast<int64>(1023 - shift_) << 52);
        double scaled = __dmul_rn(value_, scale_);
        is_near = is_near && (value_ == 0 || scaled >= LEAST_PART);
        return scaled;
    }

    // Advances from v(k - 1, j) to v(k, j). The value does not change after the row's last step.
    __device__ __forceinline__ void advance(int32 k, const SharedStep<STATES>& shared) {
        double sum = product(team_values(k - 1, shared));
        double next = __dmul_rn(sum, __dmul_rn(emissions_.take(k), scale_));
        if (k < steps_) {
            before_emission = __dmul_rn(sum, scale_);
            value_ = next;
            exponent += shift_;
        }
    }

    __device__ __forceinline__ const double* team_values(int32 k, const SharedStep<STATES>& shared) const {
        return shared.values[k % 2] + team_ * STATES;
    }

private:
    using Shape = SweepShape<STATES>;

    __device__ __forceinline__ int32 place_of_move(int32 i) const {
        return BACKWARD ? state_ * states_ + i : i * states_ + state_;
    }

    // Sums the values in the order of the states. States beyond the row's last state contribute zeros.
    __device__ __forceinline__ double product(const double* before) const {
        double sum = 0;
        if constexpr (Shape::MOVES_IN_REGISTERS) {
            const double2* pairs = reinterpret_cast<const double2*>(before);
#pragma unroll
            for (int32 i = 0; i < STATES / 2; i++) {
                double2 pair = pairs[i];
                sum = __dadd_rn(sum, __dmul_rn(pair.x, own_[2 * i]));
                sum = __dadd_rn(sum, __dmul_rn(pair.y, own_[2 * i + 1]));
            }
        } else if (state_ < states_) {
#pragma unroll 8
            for (int32 i = 0; i < states_; i++) {
                sum = __dadd_rn(sum, __dmul_rn(before[i], moves_[place_of_move(i)]));
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
    double own_[Shape::MOVES_IN_REGISTERS ? STATES : 1];
    double value_;
    double scale_ = 1;
    int32 shift_ = 0;
};

}  // namespace
