// Computes the expected counts of a sequence of symbols in a hidden Markov model: dev.bellman.markov.BaumWelch. Each
// sequence has a team of STATES threads, one per state; states that the model lacks have probabilities of 0, which do
// not change any sum. All operations are the CPU's, in the same order.
#pragma once

#include "common/strict_math.cuh"
#include "common/warp.cuh"

struct CountedModel {
    const double* start;
    const double* moves;      // for each state, the transitions to each state
    const double* emissions;  // for each symbol, the emissions of each state
    int32 states;
    int32 symbols;
};

namespace {

constexpr double LEAST_SUM = 1e-290;
constexpr double LN_2 = 6.931471805599453094e-01;

// Multiplies numbers by factors, and sums the products in order.
template <int32 STATES>
__device__ __forceinline__ double product_in_order(const double* numbers, const double* factors) {
    double sum = 0;
#pragma unroll
    for (int32 i = 0; i < STATES; i++) {
        sum = __dadd_rn(sum, __dmul_rn(numbers[i], factors[i]));
    }
    return sum;
}

template <int32 STATES>
__device__ __forceinline__ double sum_in_order(const double2* numbers) {
    double sum = 0;
#pragma unroll
    for (int32 i = 0; i < STATES / 2; i++) {
        sum = __dadd_rn(__dadd_rn(sum, numbers[i].x), numbers[i].y);
    }
    return sum;
}

template <int32 STATES>
__device__ __forceinline__ void read(const double2* from, double* to) {
#pragma unroll
    for (int32 i = 0; i < STATES / 2; i++) {
        to[2 * i] = from[i].x;
        to[2 * i + 1] = from[i].y;
    }
}

// Counts one sequence for each team of a warp.
template <int32 STATES, typename Symbol>
class Counting {
public:
    // the probability that the sequence starts in this state, and the logarithm of the sequence's probability
    double start;
    double log_probability;
    // whether no sum of the sequence is too small
    bool is_likely;
    // the expected numbers of transitions from this state to each state, divided by the transitions' probabilities
    double moved[STATES];

    // `shared` contains a row of 32 numbers that threads exchange, and then a row for each symbol, to which the
    // expected emissions are added and which must be zero at first; `table` contains a row of 32 numbers for each step
    __device__ __forceinline__ Counting(const CountedModel& model, double* shared, double* table) :
        model_(model), shared_(shared), emitted_(shared + 32 + threadIdx.x), table_(table + threadIdx.x) {
        state_ = threadIdx.x % STATES;
        has_state_ = state_ < model.states;
        emissions_ = model.emissions + (has_state_ ? state_ : 0);
    }

    // All threads of the warp must call this. Teams without a sequence pass 0 for `steps`.
    __device__ __forceinline__ void count(const Symbol* symbols, int32 steps) {
        symbols_ = symbols;
        steps_ = steps;
        longest_ = max_of_lanes<32>(steps);
        is_likely = true;
        log_probability = forward();
        start = backward();
    }

private:
    const CountedModel& model_;
    double* shared_;
    double* emitted_;
    double* table_;
    int32 state_;
    bool has_state_;
    const double* emissions_;
    const Symbol* symbols_;
    int32 steps_;
    int32 longest_;  // the largest number of steps of any team

    // Returns the numbers that the threads of this team pass. All threads of the warp must call this.
    __device__ __forceinline__ const double2* share(double number) {
        __syncwarp();
        shared_[threadIdx.x] = number;
        __syncwarp();
        return reinterpret_cast<const double2*>(shared_ + threadIdx.x / STATES * STATES);
    }

    // Writes the table, and returns the logarithm of the sequence's probability.
    __device__ __forceinline__ double forward() {
        double moves_into[STATES];
#pragma unroll
        for (int32 i = 0; i < STATES; i++) {
            moves_into[i] = has_state_ && i < model_.states ? model_.moves[i * model_.states + state_] : 0;
        }
        double start = has_state_ ? model_.start[state_] : 0;
        double before[STATES];
        double mantissa = 1;
        int64 exponent = 0;
        double next = emission(0);
        for (int32 t = 0; t < longest_; t++) {
            double emitted = next;
            next = emission(t + 1);
            double number = __dmul_rn(t > 0 ? product_in_order<STATES>(before, moves_into) : start, emitted);
            double sum = sum_in_order<STATES>(share(number));
            double scaled = __ddiv_rn(number, sum);
            read<STATES>(share(scaled), before);
            if (t < steps_) {
                is_likely = is_likely && sum >= LEAST_SUM;
                table_[static_cast<int64>(t) * 32] = scaled;
                scale(mantissa, exponent, sum);
            }
        }
        return __dadd_rn(strict_log_of_small(mantissa), __dmul_rn(static_cast<double>(exponent), LN_2));
    }

    // Multiplies mantissa * 2^exponent by a positive normal number. The mantissa stays at least 1 and below 2.
    static __device__ __forceinline__ void scale(double& mantissa, int64& exponent, double factor) {
        int64 bits = __double_as_longlong(factor);
        exponent += (bits >> 52) - 1023;
        double product = __dmul_rn(mantissa, with_exponent(bits));
        bits = __double_as_longlong(product);
        exponent += (bits >> 52) - 1023;
        mantissa = with_exponent(bits);
    }

    // Returns the number with the mantissa in these bits that is at least 1 and below 2.
    static __device__ __forceinline__ double with_exponent(int64 bits) {
        return __longlong_as_double((bits & 0xfffffffffffffLL) | (1023LL << 52));
    }

    // Counts the transitions and the emissions, and returns the probability that the sequence starts in this state.
    __device__ __forceinline__ double backward() {
        double moves_from[STATES];
        double after[STATES];
#pragma unroll
        for (int32 j = 0; j < STATES; j++) {
            moves_from[j] = has_state_ && j < model_.states ? model_.moves[state_ * model_.states + j] : 0;
            moved[j] = 0;
        }
        double probability = 0;
        double next = emission(steps_ - 1);
        double next_forward = forward_at(steps_ - 1);
        for (int32 k = 0; k < longest_; k++) {
            int32 t = steps_ - 1 - k;
            double emitted = next;
            next = emission(t - 1);
            double forward = next_forward;
            next_forward = forward_at(t - 1);
            double r = k > 0 ? product_in_order<STATES>(after, moves_from) : has_state_ ? 1 : 0;
            double sum = sum_in_order<STATES>(share(__dmul_rn(forward, r)));
            double all = sum_in_order<STATES>(share(r));
            double w = __ddiv_rn(forward, sum);
            if (t >= 0) {
                is_likely = is_likely && sum >= LEAST_SUM && all >= LEAST_SUM;
                probability = __dmul_rn(w, r);
                double* to = emitted_ + symbols_[t] * 32;
                *to = __dadd_rn(*to, probability);
                if (k > 0) {
#pragma unroll
                    for (int32 j = 0; j < STATES; j++) {
                        moved[j] = __dadd_rn(moved[j], __dmul_rn(w, after[j]));
                    }
                }
            }
            read<STATES>(share(__dmul_rn(emitted, __ddiv_rn(r, all))), after);
        }
        return probability;
    }

    // Returns the emission of a step; 0 for steps and states that do not exist.
    __device__ __forceinline__ double emission(int32 t) const {
        return has_state_ && t >= 0 && t < steps_ ? emissions_[symbols_[t] * model_.states] : 0;
    }

    __device__ __forceinline__ double forward_at(int32 t) const {
        return t >= 0 ? table_[static_cast<int64>(t) * 32] : 0;
    }
};

}  // namespace
