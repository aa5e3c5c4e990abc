// Computes the best global alignment of short texts with affine gaps, as defined by
// dev.bellman.align.names.Matching.affineGap. Scores are in units of one half: a match scores 2, and a gap costs 2 plus
// 1 for each character after the first. A thread computes the table for a pair column by column (Gotoh, 1982).
//
// All values of a table fit in 16 bits, because a text has at most LONGEST characters.
#include "align/pairs.cuh"
#include "common/host.cuh"

constexpr int32 LONGEST = 4096;
FOR_HOST(LONGEST);

namespace {

constexpr int32 MATCH = 2;
constexpr int32 OPEN = 2;
constexpr int32 EXTEND = 1;
constexpr int32 NONE = -16384;  // less than any score, even after it is extended by a gap

// The values in a row of the column: the score of the best alignment, and of the best one that ends with a gap in the
// pattern.
struct Row {
    int16 score;
    int16 gap;
};

__device__ __forceinline__ int32 gap_score(int32 length) {
    return length == 0 ? 0 : -OPEN - (length - 1) * EXTEND;
}

// Solves pairs. For each thread, shared memory contains `most` Rows and `most` characters.
template <typename Symbol>
__device__ __forceinline__ void solve(const Pair* pairs, int32 count, int32 most, double* similarities) {
    extern __shared__ int32 shared[];
    int64 index = thread_index();
    if (index >= count) {
        return;
    }
    Pair pair = pairs[index];
    const Symbol* pattern = static_cast<const Symbol*>(pair.pattern);
    const Symbol* text = static_cast<const Symbol*>(pair.text);
    int32 step = blockDim.x;
    Row* rows = reinterpret_cast<Row*>(shared) + threadIdx.x;  // row i is at i * step
    int32* characters = shared + most * step + threadIdx.x;
    for (int32 i = 0; i < pair.pattern_length; i++) {
        rows[i * step] = {static_cast<int16>(gap_score(i + 1)), NONE};
        characters[i * step] = pattern[i];
    }
    int32 above = gap_score(pair.pattern_length);
    for (int32 j = 0; j < pair.text_length; j++) {
        int32 character = text[j];
        int32 diagonal = gap_score(j);
        int32 down = NONE;
        above = gap_score(j + 1);
        for (int32 i = 0; i < pair.pattern_length; i++) {
            Row row = rows[i * step];
            int32 gap = max(row.gap - EXTEND, row.score - OPEN);
            down = max(down - EXTEND, above - OPEN);
            above = max(diagonal + (characters[i * step] == character ? MATCH : 0), max(gap, down));
            diagonal = row.score;
            rows[i * step] = {static_cast<int16>(above), static_cast<int16>(gap)};
        }
    }
    similarities[pair.row] = pair.pattern_length == 0 ? 0 : above / 2.0;
}

}  // namespace

extern "C" __global__ void __launch_bounds__(64) affine_gap_bytes(
        const Pair* pairs, int32 count, int32 most, double* similarities) {
    solve<uint8>(pairs, count, most, similarities);
}

extern "C" __global__ void __launch_bounds__(64) affine_gap_characters(
        const Pair* pairs, int32 count, int32 most, double* similarities) {
    solve<int32>(pairs, count, most, similarities);
}
