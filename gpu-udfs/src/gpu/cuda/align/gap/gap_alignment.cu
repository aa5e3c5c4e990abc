// Computes alignments under arbitrary gap costs: dev.bellman.align.gap.GapAlignmentKernel.
#include "align/gap/gap_concave.cuh"
#include "align/gap/gap_tiles.cuh"
#include "align/gap/gap_walk.cuh"
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/ticket.cuh"
#include "common/utf8.cuh"

// The class number is (KIND * WIDTHS + WIDTH) * SIZES plus a size class. The size class depends on the binary logarithm
// of the size of the row's tables, and the largest tables come first.
constexpr int32 SIZES = 32;
constexpr int32 WIDTHS = 2;
// The kinds of gap costs: arbitrary, affine, and concave.
constexpr int32 ANY_COSTS = 0;
constexpr int32 AFFINE_COSTS = 1;
constexpr int32 CONCAVE_COSTS = 2;
constexpr int32 KINDS = 3;

constexpr int32 CONCAVE_LETTERS = 500;

FOR_HOST(SIZES);
FOR_HOST(WIDTHS);
FOR_HOST(ANY_COSTS);
FOR_HOST(AFFINE_COSTS);
FOR_HOST(CONCAVE_COSTS);
FOR_HOST(KINDS);
FOR_HOST(CONCAVE_BYTES);

constexpr int32 MAX_WARPS = 8;
FOR_HOST(MAX_WARPS);
FOR_HOST(ROWS);
FOR_HOST(TILE);
FOR_HOST(TILE_THREADS);
FOR_HOST(GAIN_ROOM);
FOR_HOST(COLUMNS);

// A column of strings, and a column of lists of int64.
struct Strings {
    const int32* offsets;
    const uint8* bytes;
};

struct Lists {
    const int32* offsets;
    const uint32* validity;
    const int64* values;
};

STRUCT_FOR_HOST(Strings);
MEMBER_FOR_HOST(Strings, offsets);
MEMBER_FOR_HOST(Strings, bytes);
STRUCT_FOR_HOST(Lists);
MEMBER_FOR_HOST(Lists, offsets);
MEMBER_FOR_HOST(Lists, validity);
MEMBER_FOR_HOST(Lists, values);

// The arguments of the function.
struct Given {
    Strings a;
    Strings b;
    const int64* match;
    const int64* mismatch;
    Lists a_costs;
    Lists b_costs;
};

STRUCT_FOR_HOST(Given);
MEMBER_FOR_HOST(Given, a);
MEMBER_FOR_HOST(Given, b);
MEMBER_FOR_HOST(Given, match);
MEMBER_FOR_HOST(Given, mismatch);
MEMBER_FOR_HOST(Given, a_costs);
MEMBER_FOR_HOST(Given, b_costs);

// The letters of all rows. A row's letters start at its offset: first the a_letters letters of a, then the letters of
// b.
struct Letters {
    const int32* offsets;
    const int32* a_letters;
    int32* symbols;
};

STRUCT_FOR_HOST(Letters);
MEMBER_FOR_HOST(Letters, offsets);
MEMBER_FOR_HOST(Letters, a_letters);
MEMBER_FOR_HOST(Letters, symbols);

// The results for each row: the score, the runs of the CIGAR (at the row's offset in the letters), the number of runs,
// and the length of the CIGAR text.
struct Found {
    int64* scores;
    int32* runs;
    int32* run_counts;
    int32* text_lengths;
};

STRUCT_FOR_HOST(Found);
MEMBER_FOR_HOST(Found, scores);
MEMBER_FOR_HOST(Found, runs);
MEMBER_FOR_HOST(Found, run_counts);
MEMBER_FOR_HOST(Found, text_lengths);

// The shared memory for a tile, in bytes, by the width of its values.
constexpr int32 TILE_BYTES_0 = TileMemory<int32>::BYTES;
constexpr int32 TILE_BYTES_1 = TileMemory<int64>::BYTES;
FOR_HOST(TILE_BYTES_0);
FOR_HOST(TILE_BYTES_1);

STRUCT_FOR_HOST(Progress);
MEMBER_FOR_HOST(Progress, ticket);
MEMBER_FOR_HOST(Progress, states);
MEMBER_FOR_HOST(Progress, window);

namespace {

// Returns the number of characters in a string, and writes the characters to `to` unless it is null.
__device__ int32 decode(const Strings& strings, int64 row, int32* to) {
    const uint8* text = strings.bytes + strings.offsets[row];
    int32 length = strings.offsets[row + 1] - strings.offsets[row];
    int32 count = 0;
    for (int32 at = 0; at < length; at += bytes_from(text[at])) {
        if (to != nullptr) {
            to[count] = character_at(text, at, length);
        }
        count++;
    }
    return count;
}

__device__ __forceinline__ uint64 magnitude(int64 value) {
    return value < 0 ? -static_cast<uint64>(value) : static_cast<uint64>(value);
}

// The properties of the costs that this lane has read.
struct Costs {
    bool valid = true;
    bool affine = true;
    bool concave = true;
    uint64 largest = 0;

    __device__ void look(const Lists& lists, int64 row, int32 letters, int32 lane) {
        int32 begin = lists.offsets[row];
        int32 count = lists.offsets[row + 1] - begin;
        valid = valid && count >= letters;
        for (int32 i = lane; i < count; i += 32) {
            valid = valid && is_valid(lists.validity, begin + i) && lists.values[begin + i] >= 0;
            if (i < letters && count >= letters) {
                const int64* at = lists.values + begin + i;
                largest = max(largest, magnitude(*at));
                if (i >= 2) {
                    // unsigned, because this may overflow; such large costs are rejected below
                    uint64 before = static_cast<uint64>(at[-1]) - static_cast<uint64>(at[-2]);
                    int64 difference = static_cast<int64>(
                            static_cast<uint64>(at[0]) - static_cast<uint64>(at[-1]) - before);
                    affine = affine && difference == 0;
                    concave = concave && difference <= 0;
                }
            }
        }
    }
};

}  // namespace

// Classifies rows, one warp per row. The algorithm for concave costs is faster only if both sequences have at least
// CONCAVE_LETTERS letters.
//
// - a_letters, letters: for each row, the number of letters in a, and in a and b together; 0 for null and rejected rows
// - kind: the kind for all rows; rows whose costs are not of this kind are rejected. -1: each row's fastest kind
extern "C" __global__ void gap_classify(
        int32 rows, const uint32* validity, Given given, int32 kind, int32* a_letters, int32* letters,
        Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (row >= rows) {
        return;
    }
    if (!is_valid(validity, row)) {
        if (lane == 0) {
            rows_of.put(row, NULL_ROW, 0, 0);
            a_letters[row] = 0;
            letters[row] = 0;
        }
        return;
    }
    int32 count = lane < 2 ? decode(lane == 0 ? given.a : given.b, row, nullptr) : 0;
    int32 a_count = __shfl_sync(~0u, count, 0);
    int32 b_count = __shfl_sync(~0u, count, 1);
    Costs costs;
    costs.largest = max(magnitude(given.match[row]), magnitude(given.mismatch[row]));
    costs.look(given.a_costs, row, a_count, lane);
    costs.look(given.b_costs, row, b_count, lane);
    uint64 largest = max_of_lanes<32>(costs.largest);
    bool valid = __all_sync(~0u, costs.valid);
    bool affine = __all_sync(~0u, costs.affine);
    bool concave = __all_sync(~0u, costs.concave);
    if (lane != 0) {
        return;
    }
    int64 both = static_cast<int64>(a_count) + b_count;
    // as in GapScores.check
    valid = valid && (both == 0 || largest <= (Scores<int64>::BOUND - 1) / both);
    valid = valid && (kind != AFFINE_COSTS || affine) && (kind != CONCAVE_COSTS || concave);
    a_letters[row] = valid ? a_count : 0;
    letters[row] = valid ? a_count + b_count : 0;
    if (!valid) {
        rows_of.reject(row);
        return;
    }
    if (kind < 0) {
        kind = affine ? AFFINE_COSTS : concave && min(a_count, b_count) >= CONCAVE_LETTERS ? CONCAVE_COSTS : ANY_COSTS;
    }
    int32 width = both == 0 || largest <= (Scores<int32>::BOUND - 1) / both ? 0 : 1;
    int64 size = min(instance_size(a_count, b_count), 0x7fffffffll);
    rows_of.put(
            row,
            (kind * WIDTHS + width) * SIZES + __clz(static_cast<int32>(size)),
            static_cast<int32>(size),
            static_cast<int64>(a_count) * b_count);
}

// Decodes the strings. Each row has one thread for a and one for b.
extern "C" __global__ void gap_decode(int32 rows, Given given, Letters letters, Classified rows_of) {
    int64 row = thread_index() / 2;
    if (row < rows && rows_of.is_solved(row)) {
        int32* to = letters.symbols + letters.offsets[row];
        if (threadIdx.x % 2 == 0) {
            decode(given.a, row, to);
        } else {
            decode(given.b, row, to + letters.a_letters[row]);
        }
    }
}

namespace {

template <typename Value>
__device__ Table<Value> table_of(int32 row, const Given& given, const Letters& letters, int32 multiple, Value* room) {
    int32 begin = letters.offsets[row];
    int32 a_letters = letters.a_letters[row];
    return Table<Value>(
            a_letters,
            letters.offsets[row + 1] - begin - a_letters,
            letters.symbols + begin,
            given.match[row],
            given.mismatch[row],
            multiple,
            room);
}

// Traces back through a filled table with one warp, and writes the row's results.
template <typename Value>
__device__ void finish(const Table<Value>& table, int32 row, const Letters& letters, const Found& found) {
    int32 lane = threadIdx.x % 32;
    Runs runs(found.runs + letters.offsets[row], lane);
    walk(table, lane, runs);
    if (lane == 0) {
        found.scores[row] = table.best(table.a_letters, table.b_letters);
        found.run_counts[row] = runs.count;
        found.text_lengths[row] = runs.text;
    }
}

// Solves the rows order[from], order[from + 1], ..., one block per row; each block has `slot` bytes of `tables`. The
// number of warps is a power of two.
template <typename Value>
__device__ void solve_by_blocks(
        const int32* order, int32 from, const Given& given, const Letters& letters, uint8* tables, int64 slot,
        const Found& found) {
    extern __shared__ int4 shared[];
    int32 row = order[from + blockIdx.x];
    Table<Value> table = table_of(row, given, letters, ROWS, reinterpret_cast<Value*>(tables + slot * blockIdx.x));
    table.set_gains(
            given.a_costs.values + given.a_costs.offsets[row], given.b_costs.values + given.b_costs.offsets[row]);
    for (int32 i = 0; i <= table.a_letters; i += ROWS) {
        for (int32 j = 0; j <= table.b_letters; j += COLUMNS) {
            fill_tile_by_block(table, i, j, reinterpret_cast<Value*>(shared));
        }
    }
    if (threadIdx.x < 32) {
        finish(table, row, letters, found);
    }
}

// Solves one row with all blocks, in a table of tiles.
template <typename Value>
__device__ void solve_by_grid(
        int32 row, const Given& given, const Letters& letters, uint8* room, Progress progress, const Found& found) {
    extern __shared__ int4 shared_words[];
    Value* shared = reinterpret_cast<Value*>(shared_words);
    Table<Value> table = table_of(row, given, letters, TILE, reinterpret_cast<Value*>(room));
    // every block writes the same value
    table.set_gains(
            given.a_costs.values + given.a_costs.offsets[row], given.b_costs.values + given.b_costs.offsets[row]);
    int32 down = table.rows / TILE;
    int32 across = table.columns / TILE;
    finish_tiles<true>(table, 0, 0, down, across, progress, shared, [&](int32 i, int32 j) {
        if (i == down - 1 && j == across - 1 && threadIdx.x < 32) {
            finish(table, row, letters, found);
        }
    });
}

// A task of the recursion. It processes squares of parts x parts tiles, or single tiles.
struct RecursionTask {
    int32 i;
    int32 j;
    int32 above;  // kernel C: the row of the source square; otherwise -1
    int32 left;   // kernel B: the column of the source square; otherwise -1
};

// The rows order[from] to order[from + count - 1], each with a table of tiles in `slot` bytes of `tables`.
struct RecursionBatch {
    const int32* order;
    int32 from;
    int32 count;
    uint8* tables;
    int64 slot;

    template <typename Value>
    __device__ __forceinline__ Table<Value> table(int32 instance, const Given& given, const Letters& letters) const {
        return table_of(
                order[from + instance], given, letters, TILE, reinterpret_cast<Value*>(tables + slot * instance));
    }
};

// Initializes the gains, and marks all table entries as having no alignment. Uses several blocks per row.
template <typename Value>
__device__ void begin_recursion(const RecursionBatch& batch, const Given& given, const Letters& letters) {
    int32 instance = blockIdx.x % batch.count;
    int32 row = batch.order[batch.from + instance];
    Table<Value> table = batch.table<Value>(instance, given, letters);
    if (blockIdx.x < batch.count) {
        table.set_gains(
                given.a_costs.values + given.a_costs.offsets[row], given.b_costs.values + given.b_costs.offsets[row]);
    }
    // the second table follows the first
    int64 cells = 2 * table.at(table.rows, 0);
    int32 blocks = gridDim.x / batch.count;
    for (int64 at = static_cast<int64>(blockIdx.x / batch.count) * blockDim.x + threadIdx.x; at < cells;
            at += static_cast<int64>(blocks) * blockDim.x) {
        table.before_a[at] = Scores<Value>::NONE;
    }
}

// Runs a wave, with one block per tile of each task and row. Earlier waves have finished the tiles that a task reads.
//
// - finished: points to the state value of a finished tile
template <typename Value>
__device__ void run_recursion(
        const RecursionBatch& batch,
        const Given& given,
        const Letters& letters,
        const int32* finished,
        const RecursionTask* tasks,
        int32 parts) {
    extern __shared__ int4 shared_words[];
    Value* shared = reinterpret_cast<Value*>(shared_words);
    int32 instance = blockIdx.x % batch.count;
    int32 part = blockIdx.x / batch.count % (parts * parts);
    RecursionTask task = tasks[blockIdx.x / batch.count / (parts * parts)];
    Table<Value> table = batch.table<Value>(instance, given, letters);
    int32 row = (task.i * parts + part / parts) * TILE;
    int32 column = (task.j * parts + part % parts) * TILE;
    if (row >= table.rows || column >= table.columns) {
        return;
    }
    if (task.above >= 0) {
        add_products<true>(table, table.before_a, row, column, task.above * parts, (task.above + 1) * parts, finished,
                0, shared);
    } else if (task.left >= 0) {
        add_products<false>(table, table.before_b, row, column, task.left * parts, (task.left + 1) * parts, finished, 0,
                shared);
    } else {
        finish_tile(table, row, column, shared);
    }
}

// Solves rows with the specialized algorithm for affine or concave costs, one warp per row.
template <bool CONCAVE, typename Value>
__device__ void solve_by_warps(
        const int32* order, int32 from, const Given& given, const Letters& letters, uint8* tables, int64 slot,
        const Found& found) {
    int32 row = order[from + blockIdx.x];
    Table<Value> table = table_of(row, given, letters, ROWS, reinterpret_cast<Value*>(tables + slot * blockIdx.x));
    table.set_gains(
            given.a_costs.values + given.a_costs.offsets[row], given.b_costs.values + given.b_costs.offsets[row]);
    if (CONCAVE) {
        fill_concave(table, reinterpret_cast<int32*>(table.edge + table.rows), threadIdx.x);
    } else {
        fill_affine(table, threadIdx.x);
    }
    __syncwarp();
    finish(table, row, letters, found);
}

}  // namespace

#define GAP_KERNELS(VALUE) \
    extern "C" __global__ void __launch_bounds__(32 * MAX_WARPS, 2) gap_blocks_##VALUE( \
            const int32* order, int32 from, Given given, Letters letters, uint8* tables, int64 slot, Found found) { \
        solve_by_blocks<VALUE>(order, from, given, letters, tables, slot, found); \
    } \
    extern "C" __global__ void __launch_bounds__(TILE_THREADS, 8 / sizeof(VALUE)) gap_grid_##VALUE( \
            int32 row, Given given, Letters letters, uint8* room, Progress progress, Found found) { \
        solve_by_grid<VALUE>(row, given, letters, room, progress, found); \
    } \
    extern "C" __global__ void gap_recursion_begin_##VALUE( \
            const int32* order, int32 from, int32 count, Given given, Letters letters, uint8* tables, int64 slot) { \
        begin_recursion<VALUE>({order, from, count, tables, slot}, given, letters); \
    } \
    extern "C" __global__ void __launch_bounds__(TILE_THREADS, 8 / sizeof(VALUE)) gap_recursion_##VALUE( \
            const int32* order, int32 from, int32 count, Given given, Letters letters, uint8* tables, int64 slot, \
            const int32* finished, const RecursionTask* tasks, int32 parts) { \
        run_recursion<VALUE>({order, from, count, tables, slot}, given, letters, finished, tasks, parts); \
    } \
    extern "C" __global__ void __launch_bounds__(32) gap_recursion_end_##VALUE( \
            const int32* order, int32 from, int32 count, Given given, Letters letters, uint8* tables, int64 slot, \
            Found found) { \
        RecursionBatch batch = {order, from, count, tables, slot}; \
        finish(batch.table<VALUE>(blockIdx.x, given, letters), order[from + blockIdx.x], letters, found); \
    } \
    extern "C" __global__ void __launch_bounds__(32) gap_affine_##VALUE( \
            const int32* order, int32 from, Given given, Letters letters, uint8* tables, int64 slot, Found found) { \
        solve_by_warps<false, VALUE>(order, from, given, letters, tables, slot, found); \
    } \
    extern "C" __global__ void __launch_bounds__(32) gap_concave_##VALUE( \
            const int32* order, int32 from, Given given, Letters letters, uint8* tables, int64 slot, Found found) { \
        solve_by_warps<true, VALUE>(order, from, given, letters, tables, slot, found); \
    }

GAP_KERNELS(int32)
GAP_KERNELS(int64)

// Sets the text length to 0 for each row without a result on the GPU, and for the extra entry after the last row.
extern "C" __global__ void gap_lengths(int32 rows, Classified rows_of, int32* text_lengths) {
    int64 row = thread_index();
    if (row <= rows && !(row < rows && rows_of.is_solved(row))) {
        text_lengths[row] = 0;
    }
}

// Writes the CIGARs as strings.
extern "C" __global__ void gap_write(
        int32 rows, Classified rows_of, Letters letters, Found found, const int32* text_offsets, uint8* text) {
    int64 row = thread_index();
    if (row >= rows || !rows_of.is_solved(row)) {
        return;
    }
    const int32* runs = found.runs + letters.offsets[row];
    uint8* end = text + text_offsets[row + 1];
    for (int32 i = 0; i < found.run_counts[row]; i++) {
        *--end = "=XID"[runs[i] % 4];
        for (int32 rest = runs[i] / 4; rest > 0; rest /= 10) {
            *--end = static_cast<uint8>('0' + rest % 10);
        }
    }
}
