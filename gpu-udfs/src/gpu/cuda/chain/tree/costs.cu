// Inspects the rows of a function of two lists of costs: whether they are valid, the width of their costs, and their
// number of leaves.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"

// A class number is WIDTH * SIZES plus a size class. The size class depends on the binary logarithm of the number of
// leaves, and rows with the most leaves come first.
constexpr int32 SIZES = 32;
constexpr int32 WIDTHS = 3;
FOR_HOST(SIZES);
FOR_HOST(WIDTHS);

namespace {

// Returns the largest entry among those that this lane reads, or a negative number if any of them is not a valid cost.
__device__ double largest_cost(
        const uint32* validity, const void* values, int begin, int end, int lane, bool doubles, double limit) {
    double largest = 0;
    bool valid = true;
    for (int i = begin + lane; i < end; i += 32) {
        double value = doubles ? static_cast<const double*>(values)[i]
                               : static_cast<double>(static_cast<const int64*>(values)[i]);
        valid = valid && is_valid(validity, i) && value >= 0 && value <= limit;
        largest = value > largest ? value : largest;
    }
    return valid ? largest : -1;
}

}  // namespace

// Classifies the rows, with one warp per row. The size of a row is its number of leaves.
//
// The width of given weights follows from an upper bound on every cost. It is 0 for bounds below 2^31, 1 for bounds
// below 2^52 (exact in a double) and for doubles, and otherwise 2.
//
// - given_weights: whether the lists are the leaves and the weights of a parenthesization; otherwise, they are the keys
//   and the gaps of a search tree
extern "C" __global__ void costs_classify(
        int32 rows,
        const uint32* validity,
        const int32* first_offsets,
        const uint32* first_validity,
        const void* first,
        const int32* second_offsets,
        const uint32* second_validity,
        const void* second,
        int32 given_weights,
        int32 doubles,
        Classified rows_of) {
    int64 row = thread_index() / 32;
    int lane = threadIdx.x & 31;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int first_begin = first_offsets[row];
    int first_end = first_offsets[row + 1];
    int second_begin = second_offsets[row];
    int second_end = second_offsets[row + 1];
    int64 first_count = first_end - first_begin;
    int64 second_count = second_end - second_begin;
    bool valid = given_weights != 0 ? first_count > 0 && second_count == first_count * (first_count - 1) / 2
                                    : second_count == first_count + 1;
    double limit = given_weights != 0 ? __longlong_as_double(0x7ff0000000000000) : 1.7976931348623157e308;
    double a = largest_cost(first_validity, first, first_begin, first_end, lane, doubles != 0, limit);
    double b = largest_cost(second_validity, second, second_begin, second_end, lane, doubles != 0, limit);
    valid = __all_sync(0xffffffff, valid && a >= 0 && b >= 0);
    double largest = a > b ? a : b;
    largest = max_of_lanes<32>(largest);
    if (lane != 0) {
        return;
    }
    if (!valid) {
        rows_of.reject(row);
        return;
    }
    int64 n = given_weights != 0 ? first_count : second_count;
    // a tree has one more leaf than inner nodes
    double bound = largest * (2.0 * n);
    int width = given_weights == 0 ? 0 : doubles != 0 ? 1 : bound < 0x1p31 ? 0 : bound < 0x1p52 ? 1 : 2;
    int32 key = width * SIZES + __clz(static_cast<int32>(n));
    rows_of.put(row, key, static_cast<int32>(n), (n - 1) * n / 2 * (n + 1) / 3);
}

// Computes the number of inner nodes in each row's tree, or 0 for rows without a result on the GPU. Appends a zero.
extern "C" __global__ void costs_lengths(int32 rows, Classified rows_of, int32* lengths) {
    int64 row = thread_index();
    if (row <= rows) {
        lengths[row] = row < rows && rows_of.is_solved(row) ? rows_of.sizes[row] - 1 : 0;
    }
}
