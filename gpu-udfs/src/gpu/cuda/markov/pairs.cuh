// Computes the recurrence of markov/sweep.cuh for 33 to 64 states, from the first step to the last one. A warp solves a
// row, with two states per lane. Therefore each value that a lane loads from shared memory is a term of two sums; with
// one state per lane, these loads would limit the speed.
#pragma once

#include "common/warp.cuh"
#include "markov/sweep.cuh"

namespace {

// The numbers of a row. The elements of a double2 belong to a lane's states, which are LANES apart.
struct __align__(16) SharedPairs {
    static constexpr int32 LANES = 32;
    static constexpr int32 STATES = 2 * LANES;
    static constexpr int32 LETTERS = 32;
    // the values of two steps: lanes read the values of one step while they write those of the next
    double values[2][STATES];
    // each fourth state's transitions; the others are in registers
    double2 moves[STATES / 4][LANES];
    // the emissions of each symbol, unless there are more symbols
    double emissions[LETTERS][STATES];
};

class PairSweep {
public:
    // Whether each nonzero v(k, j) so far is large enough relative to the largest v of its step.
    bool is_near = true;
    // The sum of s over all steps except the last.
    int64 exponent = 0;

    // Computes v(0, j).
    __device__ __forceinline__ PairSweep(
            const MarkovCalls& calls, const Model& model, int32 row, SharedPairs& shared) :
        shared_(shared),
        symbols_(calls.symbol_offsets == nullptr ? nullptr : calls.symbols + uniform(model.first)),
        states_(uniform(model.states)),
        last_(uniform(model.steps) - 1) {
        int32 other = min(lane() + LANES, states_ - 1);
        find_emissions(calls, model, other);
        load_moves(calls.transitions.numbers + calls.transitions.row_offsets[model.transition_begin]);
        const double* starts = calls.starts + calls.start_offsets[row];
        place_ = place(0);
        load(1);
        double first = __dmul_rn(starts[lane()], next_.x);
        double second = lane() + LANES < states_ ? __dmul_rn(starts[other], next_.y) : 0;
        load(2);
        share(0, {first, second});
    }

    // Advances from v(k - 1, j) to v(k, j). All lanes must call this for one step after the other.
    __device__ __forceinline__ void advance(int32 k) {
        double2 factors = {__dmul_rn(next_.x, scale_), __dmul_rn(next_.y, scale_)};
        load(k + 2);
        double2 sums = product(k - 1);
        exponent += shift_;
        share(k, {__dmul_rn(sums.x, factors.x), __dmul_rn(sums.y, factors.y)});
    }

    // Returns the values v(k, j) of the last step.
    __device__ __forceinline__ const double* values(int32 k) const {
        return shared_.values[k % 2];
    }

private:
    static constexpr int32 LANES = SharedPairs::LANES;
    static constexpr int32 STATES = SharedPairs::STATES;

    static __device__ __forceinline__ int32 lane() {
        return threadIdx.x % LANES;
    }

    static __device__ __forceinline__ constexpr bool is_shared(int32 i) {
        return i % 4 == 3;
    }

    static __device__ __forceinline__ int32 exponent_of(int32 upper) {
        return Sweep<STATES, false>::exponent_of(upper);
    }

    // Determines where the emissions are, and copies them to shared memory if there are few symbols.
    __device__ __forceinline__ void find_emissions(const MarkovCalls& calls, const Model& model, int32 other) {
        int32 width = symbols_ == nullptr ? 1 : uniform(model.letters);
        numbers_ = calls.emissions.numbers + calls.emissions.row_offsets[model.emission_begin];
        stride_ = symbols_ == nullptr ? states_ : 1;
        if (symbols_ != nullptr && width <= SharedPairs::LETTERS) {
            for (int32 l = 0; l < width; l++) {
                shared_.emissions[l][lane()] = numbers_[lane() * width + l];
                shared_.emissions[l][lane() + LANES] = numbers_[other * width + l];
            }
            numbers_ = &shared_.emissions[0][lane()];
            stride_ = STATES;
            distance_ = LANES;
        } else {
            numbers_ += lane() * width;
            distance_ = (other - lane()) * width;
        }
    }

    __device__ __forceinline__ void load_moves(const double* moves) {
#pragma unroll
        for (int32 i = 0; i < STATES; i++) {
            double2 move;
            move.x = i < states_ ? moves[i * states_ + lane()] : 0;
            move.y = i < states_ && lane() + LANES < states_ ? moves[i * states_ + lane() + LANES] : 0;
            if (is_shared(i)) {
                shared_.moves[i / 4][lane()] = move;
            } else {
                own_[i - i / 4] = move;
            }
        }
    }

    // Returns the place of a step's emissions.
    __device__ __forceinline__ int32 place(int32 k) const {
        int32 t = min(k, last_);
        return symbols_ == nullptr ? t : symbols_[t];
    }

    // Loads the emissions of the next step, and the place of those of a later step.
    __device__ __forceinline__ void load(int32 later) {
        const double* numbers = numbers_ + place_ * stride_;
        next_ = {numbers[0], numbers[distance_]};
        place_ = place(later);
    }

    // Publishes v(k, j), and determines s(k).
    __device__ __forceinline__ void share(int32 k, double2 value) {
        shared_.values[k % 2][lane()] = value.x;
        shared_.values[k % 2][lane() + LANES] = value.y;
        // the upper halves of nonnegative doubles sort in the same order as the doubles
        int32 top = max_of_warp(max(__double2hiint(value.x), __double2hiint(value.y)));
        shift_ = top > 0 ? exponent_of(top) : 0;
        scale_ = __longlong_as_double(static_cast<int64>(1023 - shift_) << 52);
        is_near &= is_zero_or_near(__double2hiint(value.x)) & is_zero_or_near(__double2hiint(value.y));
        __syncwarp();
    }

    __device__ __forceinline__ bool is_zero_or_near(int32 upper) const {
        return (upper == 0) | (exponent_of(upper) >= shift_ + LEAST_EXPONENT);
    }

    __device__ __forceinline__ double2 move(int32 i) const {
        return is_shared(i) ? shared_.moves[i / 4][lane()] : own_[i - i / 4];
    }

    static __device__ __forceinline__ double2 times(double value, double2 move) {
        return {__dmul_rn(value, move.x), __dmul_rn(value, move.y)};
    }

    static __device__ __forceinline__ double2 plus(double2 a, double2 b) {
        return {__dadd_rn(a.x, b.x), __dadd_rn(a.y, b.y)};
    }

    // Sums the values of step k in the order of the states. Unlike Sweep, this does not add the first product to 0,
    // which would only change -0.0; the CPU solves rows with such a value.
    __device__ __forceinline__ double2 product(int32 k) const {
        const double* values = shared_.values[k % 2];
        double2 sums;
#pragma unroll
        for (int32 i = 0; i < STATES; i += 2) {
            double2 pair = *reinterpret_cast<const double2*>(values + i);
            double2 first = times(pair.x, move(i));
            double2 second = times(pair.y, move(i + 1));
            sums = plus(i == 0 ? first : plus(sums, first), second);
        }
        return sums;
    }

    SharedPairs& shared_;
    const int32* symbols_;
    const double* numbers_;
    int32 stride_;    // from a place to the next one
    int32 distance_;  // from the number of a state to that of the lane's other state
    int32 states_;
    int32 last_;
    int32 place_;
    double2 next_;
    double2 own_[STATES / 4 * 3];
    double scale_ = 1;
    int32 shift_ = 0;
};

}  // namespace
