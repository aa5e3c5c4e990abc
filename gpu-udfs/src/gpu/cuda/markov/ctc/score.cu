// Computes the log-probabilities of tokens in recordings.
#include "common/strict_math.cuh"
#include "markov/ctc/frames.cuh"

constexpr int32 SHAPES = 3;
constexpr int32 CLASSES = SHAPES * LOGS;
FOR_HOST(CLASSES);

namespace {

constexpr double LOG_2 = 0.6931471805599453;

// A non-negative number with a 64-bit exponent: dev.bellman.markov.Wide. The mantissa is at least 1 and less than 2,
// or 0.
struct Wide {
    double mantissa;
    int64 exponent;

    // The exponent of 0 is less than all others.
    static __device__ __forceinline__ Wide zero() {
        return {0, -(1LL << 62)};
    }

    // Returns `mantissa * 2^exponent`, for a mantissa that is 0, or at least 1 and less than 4.
    static __device__ __forceinline__ Wide of(double mantissa, int64 exponent) {
        bool is_large = mantissa >= 2;
        return {is_large ? __dmul_rn(mantissa, 0.5) : mantissa, is_large ? exponent + 1 : exponent};
    }

    static __device__ __forceinline__ Wide exp(double x) {
        if (x == impossible()) {
            return zero();
        }
        double exponent = rint(__ddiv_rn(x, LOG_2));
        double rest = strict_exp(__dsub_rn(x, __dmul_rn(exponent, LOG_2)));
        bool is_small = rest < 1;
        return of(is_small ? __dmul_rn(rest, 2) : rest, static_cast<int64>(exponent) - (is_small ? 1 : 0));
    }

    __device__ __forceinline__ Wide times(const Wide& other) const {
        double product = __dmul_rn(mantissa, other.mantissa);
        return product == 0 ? zero() : of(product, exponent + other.exponent);
    }

    __device__ __forceinline__ Wide plus(const Wide& other) const {
        constexpr int64 FAR = 60;
        bool is_less = exponent < other.exponent;
        int64 greatest = is_less ? other.exponent : exponent;
        int64 less = greatest - (is_less ? exponent : other.exponent);
        double smaller = is_less ? mantissa : other.mantissa;
        smaller = less > FAR ? 0 : __longlong_as_double(__double_as_longlong(smaller) - (less << 52));
        return of(__dadd_rn(is_less ? other.mantissa : mantissa, smaller), greatest);
    }

    __device__ __forceinline__ double log() const {
        return mantissa == 0 ? impossible()
                             : __dadd_rn(strict_log_of_small(mantissa),
                                       __dmul_rn(static_cast<double>(exponent), LOG_2));
    }
};

// Adds the probabilities of all paths.
struct AllPaths {
    using Value = Wide;
    static constexpr bool HAS_MOVES = false;
    static constexpr int32 SHAPES = ::SHAPES;

    static __device__ __forceinline__ int32 move_bytes(int32) {
        return 0;
    }

    static __device__ __forceinline__ Wide none() {
        return Wide::zero();
    }

    static __device__ __forceinline__ Wide certain() {
        return {1, 0};
    }

    static __device__ __forceinline__ Wide factor(double log) {
        return Wide::exp(log);
    }

    static __device__ __forceinline__ uint32 step(
            Wide& value, const Wide& before, const Wide& skipped, const Wide& probability) {
        value = value.plus(before).plus(skipped).times(probability);
        return 0;
    }

    static __device__ __forceinline__ Wide from_lane_before(const Wide& value) {
        return {__shfl_up_sync(~0u, value.mantissa, 1), __shfl_up_sync(~0u, value.exponent, 1)};
    }

    static __device__ __forceinline__ Wide from_lane(const Wide& value, int32 lane) {
        return {__shfl_sync(~0u, value.mantissa, lane), __shfl_sync(~0u, value.exponent, lane)};
    }
};

// Solves the rows of a group, which warps take in turn.
template <int32 WIDTH>
__device__ __forceinline__ void solve(
        Slots slots,
        const CtcCalls& calls,
        double* scores,
        const Classified& rows_of) {
    Wide* border = reinterpret_cast<Wide*>(slots.of_block());
    for (int32 i = slots.next(); i < slots.to; i = slots.next()) {
        int32 row = slots.order[i];
        Ends<Wide> ends = fill<AllPaths, uint8, WIDTH>(calls, Recording(calls, row), border, nullptr);
        if (threadIdx.x == 0) {
            scores[row] = ends.blank.plus(ends.token).log();
            if (!ends.valid) {
                rows_of.reject(row);
            }
        }
    }
}

}  // namespace

extern "C" __global__ void ctc_score_classify(int32 rows, const uint32* validity, CtcCalls calls, Classified rows_of) {
    classify<AllPaths>(rows, validity, calls, rows_of);
}

#define CTC_SCORE(WIDTH) \
    extern "C" __global__ void __launch_bounds__(32, 16) ctc_score_##WIDTH( \
            Slots slots, CtcCalls calls, double* scores, Classified rows_of) { \
        solve<WIDTH>(slots, calls, scores, rows_of); \
    }

CTC_SCORE(2)
CTC_SCORE(4)
CTC_SCORE(8)
