// Lists the pairs of patterns and texts for rows with an array of patterns, so that edit_search_all.cu searches for
// each pattern as if it had its own row. An element is a pattern; elements are counted through the arrays of all rows.
//
// The classes of the rows come from align/pair_batch.cu, which reads all patterns of a row as one string. The CPU
// solves rows with characters that are not ASCII, because their patterns would have to be decoded one by one. It also
// solves rows with a pattern that is too long for one warp, and rows that could need too much memory.
#include "align/pairs.cuh"
#include "columns/instances.cuh"
#include "common/host.cuh"

// The rows of a batch.
struct PatternRows {
    int32 rows;
    Classified rows_of;
    const int32* lists;      // the offsets of the arrays of patterns
    const uint32* validity;  // the validity of the patterns
    const int32* offsets;    // the offsets of the patterns' bytes
    const uint8* bytes;
    const int32* text_offsets;
    const uint8* text_bytes;
    const int32* limits;  // the maximum distance for each row
    const uint8* iupac;   // for each row, whether its letters are IUPAC codes; null without such an argument
    int64 most_bytes;     // the GPU memory that a row may use
};

// The outputs, which are arrays with one entry for each element.
struct PatternElements {
    int32* keys;  // classes, as in Classified
    int32* row_of;
    int32* pattern_of;  // the index of the pattern in its row
    int32* limits;
    uint8* iupac;  // null if the rows have no such argument
};

constexpr int32 PATTERN_CLASSES = 2 * SHAPES;  // a class combines an alphabet and a shape
FOR_HOST(PATTERN_CLASSES);

namespace {

__device__ __forceinline__ int32 alphabet_of(const PatternRows& rows, int32 row) {
    return rows.rows_of.keys[row] / (SHAPES * TEXT_CLASSES);
}

__device__ __forceinline__ int32 length_of(const PatternRows& rows, int32 element) {
    return rows.offsets[element + 1] - rows.offsets[element];
}

__device__ __forceinline__ int32 class_of(const PatternRows& rows, int32 row, int32 element) {
    int32 alphabet = alphabet_of(rows, row);
    return alphabet * SHAPES + score_shape(alphabet, length_of(rows, element));
}

// Returns the counter's next value, with one atomic operation for all threads of a warp that take from it.
__device__ __forceinline__ int32 take(int32* counters, int32 counter) {
    uint32 same = __match_any_sync(__activemask(), counter);
    int32 lane = threadIdx.x % 32;
    int32 leader = __ffs(same) - 1;
    int32 next = lane == leader ? atomicAdd(counters + counter, __popc(same)) : 0;
    return __shfl_sync(same, next, leader) + __popc(same & ((1u << lane) - 1));
}

}  // namespace

// Computes the offsets of the strings that result if all patterns of a row are read as one string.
extern "C" __global__ void patterns_join(int32 rows, const int32* lists, const int32* offsets, int32* joined) {
    int64 row = thread_index();
    if (row <= rows) {
        joined[row] = offsets[lists[row]];
    }
}

// Rejects rows with a null pattern or a negative limit, assigns rows that the GPU does not solve to the CPU, and counts
// the patterns of the other rows in each class.
extern "C" __global__ void patterns_count(PatternRows rows, int32* counts) {
    int64 row = thread_index();
    if (row >= rows.rows || !rows.rows_of.is_solved(row)) {
        return;
    }
    int32 alphabet = alphabet_of(rows, row);
    // the memory for reversed copies of the text, one for each pattern
    int64 copies = static_cast<int64>(rows.lists[row + 1] - rows.lists[row])
            * (rows.text_offsets[row + 1] - rows.text_offsets[row]);
    bool on_cpu = alphabet > ASCII || copies > rows.most_bytes;
    bool rejected = rows.limits[row] < 0;
    for (int32 element = rows.lists[row]; element < rows.lists[row + 1]; element++) {
        rejected |= !is_valid(rows.validity, element);
        on_cpu |= score_shape(alphabet, length_of(rows, element)) == SHAPE_STRIPED;
    }
    if (rejected) {
        rows.rows_of.reject(row);
    } else if (on_cpu) {
        rows.rows_of.keys[row] = ON_CPU;
    } else {
        for (int32 element = rows.lists[row]; element < rows.lists[row + 1]; element++) {
            take(counts, class_of(rows, row, element));
        }
    }
}

// Lists the pairs of each class.
//
// - places: for each class, the index of its next pair
extern "C" __global__ void patterns_list(PatternRows rows, int32* places, PatternElements elements, Pair* pairs) {
    int64 row = thread_index();
    if (row >= rows.rows || !rows.rows_of.is_solved(row)) {
        return;
    }
    int32 begin = rows.lists[row];
    for (int32 each = begin; each < rows.lists[row + 1]; each++) {
        int32 element = each - rows.lists[0];
        elements.keys[element] = 0;
        elements.row_of[element] = row;
        elements.pattern_of[element] = each - begin;
        elements.limits[element] = rows.limits[row];
        if (rows.iupac != nullptr) {
            elements.iupac[element] = rows.iupac[row];
        }
        int32 place = take(places, class_of(rows, row, each));
        pairs[place] = {
            rows.bytes + rows.offsets[each],
            rows.text_bytes + rows.text_offsets[row],
            length_of(rows, each),
            rows.text_offsets[row + 1] - rows.text_offsets[row],
            element,
            0};
    }
}

// Assigns rows to the CPU if one of their elements is assigned to it; rejects other rows with a rejected element.
extern "C" __global__ void patterns_settle(const Pair* pairs, int32 count, PatternElements elements, Classified rows) {
    int64 index = thread_index();
    if (index < count) {
        int32 element = pairs[index].row;
        if (elements.keys[element] < 0) {
            atomicMin(rows.keys + elements.row_of[element], elements.keys[element]);
        }
    }
}

// Removes the matches of all elements of rows that have no result on the GPU.
extern "C" __global__ void patterns_clear(
        const Pair* pairs,
        int32 count,
        PatternElements elements,
        Classified rows,
        int32* element_counts,
        int32* counts) {
    int64 index = thread_index();
    if (index < count && !rows.is_solved(elements.row_of[pairs[index].row])) {
        element_counts[pairs[index].row] = 0;
        counts[index] = 0;
    }
}

// Computes the offsets of the rows' matches from those of the elements.
extern "C" __global__ void patterns_offsets(
        int32 rows, const int32* lists, const int32* element_offsets, int32* offsets) {
    int64 row = thread_index();
    if (row <= rows) {
        offsets[row] = element_offsets[lists[row] - lists[0]];
    }
}
