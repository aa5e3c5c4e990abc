// Inspects the chains of a batch: whether they are valid, the width of their costs, and their length.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"

// A class combines a width and a bin: the class number is WIDTH * BINS plus the bin. A bin depends on the number of
// entries in units of BIN_VERTICES, and the longest chains come first.
constexpr int32 BINS = 1024;
constexpr int32 BIN_VERTICES = 8;
constexpr int32 WIDTHS = 4;
FOR_HOST(BINS);
FOR_HOST(WIDTHS);

// Classifies the chains, one warp per row. The size of a chain is its number of entries.
//
// A width follows from an upper bound on every candidate of the table and every value of Hu and Shing's algorithm. The
// cost of any part of the chain is at most the cost of a fan around the part's smallest vertex. It is therefore at most
// the largest dimension times the sum of the products of neighbours. The width is 0 for bounds below 2^31, 1 up to 2^52
// (exact in a double), 2 up to 2^60, and otherwise 3.
//
// - widths: whether to distinguish the widths 0, 1 and 2
extern "C" __global__ void chain_classify(
        int32 rows,
        const uint32* validity,
        const int32* offsets,
        const uint32* element_validity,
        const int64* dims,
        int32 widths,
        Classified rows_of) {
    int64 row = thread_index() / 32;
    int lane = threadIdx.x & 31;
    if (!rows_of.has_row(row, lane, rows, validity)) {
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
    if (!valid) {
        rows_of.reject(row);
        return;
    }
    double bound = largest * (products + largest * largest);
    int width = bound <= 0x7fffffff ? 0 : bound <= 0x1p52 ? 1 : bound <= 0x1p60 ? 2 : 3;
    width = width == 3 || widths != 0 ? width : 0;
    int32 key = width * BINS + (BINS - 1) - min((vertices - 1) / BIN_VERTICES, BINS - 1);
    int64 n = vertices - 1;
    rows_of.put(row, key, vertices, (n - 1) * n / 2 * (n + 1) / 3);
}

// Computes the number of bytes of each chain's order and its number of products; both are 0 for rows without a result
// on the GPU.
extern "C" __global__ void chain_lengths(
        int32 rows, Classified rows_of, int32* text_lengths, int32* split_lengths) {
    int64 row = thread_index();
    if (row >= rows) {
        return;
    }
    int32 text = 0;
    int32 products = 0;
    if (rows_of.is_solved(row)) {
        int32 matrices = rows_of.sizes[row] - 1;
        products = matrices - 1;
        text = 2 * products + 2 * matrices;
        for (int32 longer = 9; longer < matrices; longer = longer * 10 + 9) {
            text += matrices - longer;
        }
    }
    text_lengths[row] = text;
    split_lengths[row] = products;
}
