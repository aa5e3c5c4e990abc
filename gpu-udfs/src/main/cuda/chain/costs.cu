// Sorts the rows of a function of two lists of costs: which are valid, how wide their costs are, and how many leaves they have.
#include "common/sum.cuh"

namespace {

constexpr int CLASSES = 32;  // for each width, by the binary logarithm of the leaves, from many to few
constexpr int WIDTHS = 3;
// Behind the counts of the classes: the most leaves in each, and the first rejected row counted back from the number of rows, 0 for none.
constexpr int MOST_LEAVES = WIDTHS * CLASSES;
constexpr int FIRST_REJECTED = 2 * WIDTHS * CLASSES;

// The largest of the entries as seen by this lane, or a negative number if one of them is no cost.
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

// A warp for each row. states: 0 for an instance, 1 for NULL, 2 for a row that the function rejects; a row that has 2 before is rejected.
// leaves: of each instance, 0 for other rows. keys: the class of each instance, -1 for other rows. counts: zeros before.
//
// given_weights: the lists are the leaves and the weights of a parenthesization, and else the keys and the gaps of a search tree.
// Widths of given weights, by a bound on every cost: 0: below 2^31; 1: below 2^52, exact in a double, or a double; 2: more.
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
        uint8* states,
        int32* leaves,
        int32* keys,
        int32* counts) {
    int64 row = thread_index() / 32;
    int lane = threadIdx.x & 31;
    if (row >= rows) {
        return;
    }
    bool null = !is_valid(validity, row);
    if (null || states[row] == 2) {
        __syncwarp();
        if (lane == 0) {
            states[row] = null ? 1 : 2;
            leaves[row] = 0;
            keys[row] = -1;
        }
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
        states[row] = 2;
        leaves[row] = 0;
        keys[row] = -1;
        atomicMax(counts + FIRST_REJECTED, static_cast<int32>(rows - row));
        return;
    }
    int n = static_cast<int>(given_weights != 0 ? first_count : second_count);
    // a tree has a leaf more than it has parts
    double bound = largest * (2.0 * n);
    int width = given_weights == 0 ? 0 : doubles != 0 ? 1 : bound < 0x1p31 ? 0 : bound < 0x1p52 ? 1 : 2;
    int key = width * CLASSES + __clz(n);
    states[row] = 0;
    leaves[row] = n;
    keys[row] = key;
    atomicAdd(counts + key, 1);
    atomicMax(counts + MOST_LEAVES + key, n);
}

// order: the instances, by class. Advances `starts`, the first position of each class, to the ends.
extern "C" __global__ void costs_order(int32 rows, const int32* keys, int32* starts, int32* order) {
    int64 row = thread_index();
    if (row < rows && keys[row] >= 0) {
        order[atomicAdd(starts + keys[row], 1)] = static_cast<int32>(row);
    }
}

// Rejects the instances whose cost is negative, which stands for one beyond 63 bits. A double that is not negative has no negative bits.
extern "C" __global__ void costs_reject_overflows(int32 rows, const int64* costs, uint8* states, int32* counts) {
    int64 row = thread_index();
    if (row < rows && states[row] == 0 && costs[row] < 0) {
        states[row] = 2;
        atomicMax(counts + FIRST_REJECTED, static_cast<int32>(rows - row));
    }
}

// How many parts of two or more leaves each row's tree has, 0 for rows that are no instances; one more with any value.
extern "C" __global__ void costs_lengths(int32 rows, const int32* leaves, int32* lengths) {
    int64 row = thread_index();
    if (row <= rows) {
        lengths[row] = row < rows && leaves[row] > 0 ? leaves[row] - 1 : 0;
    }
}

// candidates: added to, the splits of all parts of the instances.
extern "C" __global__ void costs_candidates(int32 rows, const int32* leaves, int64* candidates) {
    int64 row = thread_index();
    int64 n = row < rows ? leaves[row] : 0;
    int64 mine = n == 0 ? 0 : (n - 1) * n / 2 * (n + 1) / 3;
    add_to(candidates, mine);
}
