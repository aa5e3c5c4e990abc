// Computes the significance of scores: bit scores and E-values. The operations are the same as on the CPU, so results
// are bit-for-bit the same.
#include "align/score/scheme.cuh"
#include "columns/instances.cuh"
#include "common/strict_math.cuh"

namespace {

// The number of constants for each scoring: lambda, K and the logarithm of K.
constexpr int32 NUMBERS = 3;
constexpr double LN_2 = 0x1.62e42fefa39efp-1;

}  // namespace

// Rejects rows whose scoring has no statistics, and rows with a negative score or length. The CPU solves rows whose
// scoring is not among the known ones.
//
// - scorings: the index of each row's scoring, as set by align_find_scheme
// - second, third: for E-values, the lengths of the query and of the targets; otherwise null
extern "C" __global__ void __launch_bounds__(256) statistics_classify(
        int32 rows,
        const uint32* validity,
        const int32* scorings,
        const int64* scores,
        const int64* second,
        const int64* third,
        Classified rows_of) {
    int64 row = thread_index();
    if (row >= rows) {
        return;
    }
    if (!is_valid(validity, row)) {
        rows_of.put(row, NULL_ROW, 0, 0);
        return;
    }
    bool negative = scores[row] < 0 || (second != nullptr && (second[row] < 0 || third[row] < 0));
    int32 key = scorings[row] == WRONG_SCHEME || negative ? REJECTED : scorings[row] == UNKNOWN_SCHEME ? ON_CPU : 0;
    rows_of.put(row, key, 0, 0);
}

extern "C" __global__ void __launch_bounds__(256) statistics_bit_scores(
        int32 rows,
        const int32* scorings,
        const double* numbers,
        const int64* scores,
        const int64* second,
        const int64* third,
        double* bits) {
    int64 row = thread_index();
    if (row < rows && scorings[row] >= 0) {
        const double* its = numbers + NUMBERS * scorings[row];
        double exponent = __dmul_rn(its[0], static_cast<double>(scores[row]));
        bits[row] = __ddiv_rn(__dsub_rn(exponent, its[2]), LN_2);
    }
}

extern "C" __global__ void __launch_bounds__(256) statistics_e_values(
        int32 rows,
        const int32* scorings,
        const double* numbers,
        const int64* scores,
        const int64* query_letters,
        const int64* target_letters,
        double* expected) {
    int64 row = thread_index();
    if (row < rows && scorings[row] >= 0) {
        const double* its = numbers + NUMBERS * scorings[row];
        double exponent = __dmul_rn(its[0], static_cast<double>(scores[row]));
        double space = __dmul_rn(
                __dmul_rn(its[1], static_cast<double>(query_letters[row])), static_cast<double>(target_letters[row]));
        // a negative score marks a rejected row
        expected[row] = __dmul_rn(space, strict_exp_of_negative(-fabs(exponent)));
    }
}
