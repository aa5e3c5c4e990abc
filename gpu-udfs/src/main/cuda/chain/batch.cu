// Sorts the chains of a batch: which are valid, how wide their costs are, and how long they are.
#include "common/sum.cuh"

namespace {

constexpr int BINS = 1024;  // for each width, from the longest chains to the shortest
constexpr int BIN_VERTICES = 8;
constexpr int WIDTHS = 4;
// Behind the counts of the bins.
constexpr int MOST_VERTICES = WIDTHS * BINS;  // of each width
constexpr int FIRST_REJECTED = MOST_VERTICES + WIDTHS;  // counted back from the number of rows; 0 for none

}  // namespace

// A warp for each row. states: 0 for a chain, 1 for NULL, 2 for a row that the function rejects.
// keys: the bin of each chain, -1 for other rows. counts: zeros before; how many chains each bin has, MOST_VERTICES and
// FIRST_REJECTED. widths: whether to tell widths 0, 1 and 2 apart.
//
// Widths, by a bound on every candidate of the table and every value of Hu and Shing's algorithm: a cost of any part of the chain is at
// most that of a fan around its smallest vertex, so at most the largest dimension times the sum of the products of neighbours.
// 0: below 2^31; 1: below 2^52, exact in a double; 2: below 2^60; 3: more.
extern "C" __global__ void chain_classify(
        int32 rows,
        const uint32* validity,
        const int32* offsets,
        const uint32* element_validity,
        const int64* dims,
        uint8* states,
        int32* keys,
        int32* counts,
        int32 widths) {
    int64 row = thread_index() / 32;
    int lane = threadIdx.x & 31;
    if (row >= rows) {
        return;
    }
    if (!is_valid(validity, row)) {
        if (lane == 0) {
            states[row] = 1;
            keys[row] = -1;
        }
        return;
    }
    int begin = offsets[row];
    int vertices = offsets[row + 1] - begin;
    bool valid = vertices >= 2;
    double largest = 0;
    double products = 0;
    for (int i = lane; i < vertices; i += 32) {
        valid = valid && is_valid(element_validity, begin + i) && dims[begin + i] >= 1;
        double dim = static_cast<double>(dims[begin + i]);
        double next = static_cast<double>(dims[begin + (i + 1 == vertices ? 0 : i + 1)]);
        largest = dim > largest ? dim : largest;
        products += dim * next;
    }
    largest = max_of_lanes<32>(largest);
    products = sum_of_lanes<32>(products);
    valid = __all_sync(0xffffffff, valid);
    if (lane != 0) {
        return;
    }
    states[row] = valid ? 0 : 2;
    if (!valid) {
        keys[row] = -1;
        atomicMax(counts + FIRST_REJECTED, static_cast<int32>(rows - row));
        return;
    }
    double bound = largest * (products + largest * largest);
    int width = bound <= 0x7fffffff ? 0 : bound <= 0x1p52 ? 1 : bound <= 0x1p60 ? 2 : 3;
    width = width == 3 || widths != 0 ? width : 0;
    int key = width * BINS + (BINS - 1) - min((vertices - 1) / BIN_VERTICES, BINS - 1);
    keys[row] = key;
    atomicAdd(counts + key, 1);
    atomicMax(counts + MOST_VERTICES + width, vertices);
}

// starts: the first position of each bin. One block of BINS threads.
extern "C" __global__ void chain_starts(const int32* counts, int32* starts) {
    __shared__ int32 sums[BINS];
    int thread = threadIdx.x;
    int32 own[WIDTHS];
    int32 sum = 0;
    for (int i = 0; i < WIDTHS; i++) {
        own[i] = counts[thread * WIDTHS + i];
        sum += own[i];
    }
    sums[thread] = sum;
    for (int distance = 1; distance < BINS; distance *= 2) {
        __syncthreads();
        int32 other = thread >= distance ? sums[thread - distance] : 0;
        __syncthreads();
        sums[thread] += other;
    }
    int32 start = sums[thread] - sum;
    for (int i = 0; i < WIDTHS; i++) {
        starts[thread * WIDTHS + i] = start;
        start += own[i];
    }
}

// order: the chains, by bin. Advances `starts` to the ends of the bins.
extern "C" __global__ void chain_order(int32 rows, const int32* keys, int32* starts, int32* order) {
    int64 row = thread_index();
    if (row < rows && keys[row] >= 0) {
        order[atomicAdd(starts + keys[row], 1)] = static_cast<int32>(row);
    }
}

// Rejects the chains order[from..to) whose cost is negative, which stands for one beyond 63 bits.
extern "C" __global__ void chain_reject_overflows(
        int32 rows, const int32* order, int32 from, int32 to, const int64* costs, uint8* states, int32* counts) {
    int64 position = from + thread_index();
    if (position < to && costs[order[position]] < 0) {
        states[order[position]] = 2;
        atomicMax(counts + FIRST_REJECTED, rows - order[position]);
    }
}

// Makes rejected rows null.
extern "C" __global__ void chain_set_null(int32 rows, const uint8* states, uint32* validity) {
    int64 row = thread_index();
    if (row < rows && states[row] == 2) {
        set_null(validity, row);
    }
}

// The bytes of each chain's order and how many products it has, 0 for other rows.
extern "C" __global__ void chain_lengths(
        int32 rows, const uint8* states, const int32* offsets, int32* text_lengths, int32* split_lengths) {
    int64 row = thread_index();
    if (row >= rows) {
        return;
    }
    int32 text = 0;
    int32 products = 0;
    if (states[row] == 0) {
        int32 matrices = offsets[row + 1] - offsets[row] - 1;
        products = matrices - 1;
        text = 2 * products + 2 * matrices;
        for (int32 longer = 9; longer < matrices; longer = longer * 10 + 9) {
            text += matrices - longer;
        }
    }
    text_lengths[row] = text;
    if (split_lengths != nullptr) {
        split_lengths[row] = products;
    }
}

// How many entries each of the rows order[from..to) has.
extern "C" __global__ void chain_vertices(
        const int32* order, int32 from, int32 to, const int32* offsets, int32* vertices) {
    int64 i = thread_index();
    if (i < to - from) {
        vertices[i] = offsets[order[from + i] + 1] - offsets[order[from + i]];
    }
}

// One row for an error message: its entries, and in `summary` how many there are and which is the first NULL, -1 for none. One thread
// block of one thread; the entries only where `entries` is not null.
extern "C" __global__ void chain_row(
        int32 row,
        const int32* offsets,
        const uint32* element_validity,
        const int64* dims,
        int64* summary,
        int64* entries) {
    int32 begin = offsets[row];
    int32 count = offsets[row + 1] - begin;
    int64 first_null = -1;
    for (int32 i = count - 1; i >= 0; i--) {
        if (!is_valid(element_validity, begin + i)) {
            first_null = i;
        } else if (entries != nullptr) {
            entries[i] = dims[begin + i];
        }
    }
    summary[0] = count;
    summary[1] = first_null;
}

// candidates: added to, the splits of all entries of the tables of the rows that are chains.
extern "C" __global__ void chain_candidates(int32 rows, const uint8* states, const int32* offsets, int64* candidates) {
    int64 row = thread_index();
    int64 mine = 0;
    if (row < rows && states[row] == 0) {
        int64 n = offsets[row + 1] - offsets[row] - 1;
        mine = (n - 1) * n / 2 * (n + 1) / 3;
    }
    add_to(candidates, mine);
}
