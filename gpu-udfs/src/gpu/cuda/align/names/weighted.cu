// Computes the minimum cost of edits between two short texts, as defined by
// dev.bellman.align.names.WeightedEditDistance. A thread computes the table for a pair row by row. The cost of a path
// is summed from its beginning.
#include "align/names/texts.cuh"
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/utf8.cuh"

// The first class contains the pairs whose b has at most SHORT_BYTES bytes, and the second class the others. The CPU
// solves pairs with a text of more than MAX_BYTES bytes.
constexpr int32 SHORT_BYTES = 64;
constexpr int32 MAX_BYTES = 256;
FOR_HOST(SHORT_BYTES);
FOR_HOST(MAX_BYTES);

// The costs of edits in each row.
struct Costs {
    const double* insertion;
    const double* deletion;
    const double* substitution;
};

__device__ __forceinline__ bool is_allowed(double cost) {
    return cost >= 0 && cost <= 1.7976931348623157e308;
}

extern "C" __global__ void __launch_bounds__(256) weighted_classify(
        int32 rows, const uint32* validity, Texts a, Texts b, Costs costs, Classified rows_of) {
    int64 row = thread_index();
    if (row >= rows) {
        return;
    }
    if (!is_valid(validity, row)) {
        rows_of.put(row, NULL_ROW, 0, 0);
    } else if (
            !is_allowed(costs.insertion[row]) || !is_allowed(costs.deletion[row])
            || !is_allowed(costs.substitution[row])) {
        rows_of.put(row, REJECTED, 0, 0);
    } else {
        int32 a_bytes = a.offsets[row + 1] - a.offsets[row];
        int32 b_bytes = b.offsets[row + 1] - b.offsets[row];
        rows_of.put(row, b_bytes > SHORT_BYTES ? 1 : 0, max(a_bytes, b_bytes), 0);
    }
}

// Solves the rows order[0..count). For each thread of the block, shared memory contains a row of the table and the
// characters of b, of which there are at most `most`.
extern "C" __global__ void __launch_bounds__(64) weighted_solve(
        int32 count, const int32* order, Texts a, Texts b, Costs costs, int32 most, double* distances) {
    extern __shared__ double shared[];
    int64 place = thread_index();
    if (place >= count) {
        return;
    }
    int32 step = blockDim.x;
    double* values = shared + threadIdx.x;  // the value of column j is at j * step
    int32* characters = reinterpret_cast<int32*>(shared + (most + 1) * step) + threadIdx.x;
    int64 row = order[place];
    double insertion = costs.insertion[row];
    double deletion = costs.deletion[row];
    double substitution = costs.substitution[row];
    const uint8* bytes = b.bytes + b.offsets[row];
    int32 length = b.offsets[row + 1] - b.offsets[row];
    int32 columns = 0;
    double left = 0;
    values[0] = left;
    for (int32 at = 0; at < length; at += bytes_from(bytes[at])) {
        characters[columns * step] = character_at(bytes, at, length);
        left += insertion;
        values[++columns * step] = left;
    }
    bytes = a.bytes + a.offsets[row];
    length = a.offsets[row + 1] - a.offsets[row];
    for (int32 at = 0; at < length; at += bytes_from(bytes[at])) {
        int32 character = character_at(bytes, at, length);
        double diagonal = values[0];
        left = diagonal + deletion;
        values[0] = left;
        for (int32 j = 0; j < columns; j++) {
            double substituted = character == characters[j * step] ? diagonal : diagonal + substitution;
            diagonal = values[(j + 1) * step];
            left = min(substituted, min(diagonal + deletion, left + insertion));
            values[(j + 1) * step] = left;
        }
    }
    distances[row] = left;
}
