// Computes the likelihoods of reads, given their haplotypes: dev.bellman.markov.PairHmm. A group of 8, 16 or 32 lanes
// processes a pair. Each lane keeps several rows of the table in registers; a row represents a base of the read, and a
// column represents a base of the haplotype. In each step, a lane advances by one column, one column behind the lane
// above. A shuffle therefore passes the numbers in a lane's last row to the next lane. For example, consider 8 lanes of
// 2 rows, and a read of 13 bases, which are numbered from 0. Lanes 0 to 2 have one row more than they need, so their
// first row repeats the row above:
//
//     lane 0: -, 0    lane 1: -, 1    lane 2: -, 2    lane 3: 3, 4    ...    lane 7: 11, 12
//
// A cell passes two numbers to the row below: its contribution to the next cell on the diagonal, and the insertion
// below it. It keeps the deletion to its right. A cell therefore takes 8 operations, or 7 if the probabilities of gaps
// are constant, because one product then serves for the openings of insertions and deletions.
//
// The more rows a lane has, the less it passes to the next lane. If the probabilities of continuations are constant, a
// lane has enough registers for 20 rows instead of 8.
//
// Each pair is first solved with floats. Pairs whose likelihood is too small or too large for floats are solved again.
#include "columns/slots.cuh"
#include "markov/pair_hmm_check.cuh"

// The maximum number of rows per lane for each kind of Gaps.
constexpr int32 CONSTANT_ROWS = 20;
constexpr int32 OPENINGS_ROWS = 20;
constexpr int32 VARIED_ROWS = 8;
// The shapes, in order: for each kind of Gaps, for long reads, and for all other pairs, such as those with numbers that
// may be beyond the range of doubles. A read uses the smallest shape that has enough rows: 8 lanes of 1 to the maximum
// number of rows; then 16 lanes, and then 32 lanes, of more than half of that maximum.
constexpr int32 LONG_SHAPE = 2 * (CONSTANT_ROWS + OPENINGS_ROWS + VARIED_ROWS);
constexpr int32 WIDE_SHAPE = LONG_SHAPE + 1;
constexpr int32 PAIR_HMM_SHAPES = WIDE_SHAPE + 1;
// The length classes of haplotypes, the longest first: four for each power of two from 32.
constexpr int32 PAIR_HMM_LENGTHS = 24;
constexpr int32 PAIR_HMM_BLOCK = 32;
FOR_HOST(CONSTANT_ROWS);
FOR_HOST(OPENINGS_ROWS);
FOR_HOST(VARIED_ROWS);
FOR_HOST(LONG_SHAPE);
FOR_HOST(WIDE_SHAPE);
FOR_HOST(PAIR_HMM_SHAPES);
FOR_HOST(PAIR_HMM_LENGTHS);
FOR_HOST(PAIR_HMM_BLOCK);

namespace {

// The maximum length of a read on the GPU. The exponents for longer reads, which the CPU solves, might not fit in 32
// bits.
constexpr int32 MAX_READ = 1 << 24;

// The numbers that a row passes to the row below it.
template <typename Number>
struct Edge {
    Number diagonal{};   // the match below and to the right, without its emission
    Number insertion{};  // the insertion below
};

// The number of bytes that a strip needs for each column.
constexpr int32 LONG_BORDER_BYTES = sizeof(Edge<double>);
constexpr int32 WIDE_BORDER_BYTES = sizeof(Edge<Wide>);

// Which probabilities of gaps may vary.
enum class Gaps {
    CONSTANT,  // they are the same in all rows, and the same for insertions and deletions
    OPENINGS,  // the probabilities of continuations are the same in all rows
    VARIED,
};

// Adjacent rows of a table, which a lane computes column by column. PASSES: the maximum number of first rows that
// repeat the row above.
template <typename Number, typename Emissions, int32 ROWS, Gaps GAPS, int32 PASSES>
struct Rows {
    // the numbers in the last row of the current column
    Number match{};
    Number insertion{};

    // Creates the rows of a lane. If there are more rows than bases, the first rows of some lanes repeat the row above.
    //
    // - lane: the number of the lane, counted from the read's first lane
    // - lanes: the number of lanes with rows of this read
    __device__ __forceinline__ Rows(
            const PairHmmCall& call, int32 lane, int32 lanes, const Emissions& emissions)
        : emissions_(emissions) {
        int32 unused = lanes * ROWS - call.read.length;
        int32 each = unused / lanes;
        int32 rest = unused % lanes;
        passes_ = each + (lane < rest ? 1 : 0);
        int32 first = lane * (ROWS - each) - min(lane, rest) - passes_;
        diagonal_[ROWS] = Number{};
#pragma unroll
        for (int32 r = 0; r < ROWS; r++) {
            diagonal_[r] = deletion_[r] = Number{};
            bool is_base = r >= passes_ && lane < lanes;
            int32 quality = is_base ? call.qualities.of_base(first + r) : FIRST_QUALITY;
            emissions_.set(r, is_base ? call.read.bytes[first + r] : 0, is_base ? call.no_error(quality) : 0,
                    is_base ? call.wrong_base(quality) : 0);
        }
#pragma unroll
        for (int32 g = 0; g < OPENINGS; g++) {
            int32 i = GAPS == Gaps::CONSTANT ? 0 : first + g;
            bool is_used = GAPS == Gaps::CONSTANT || (g >= passes_ && i < call.read.length && lane < lanes);
            PairHmmGaps gaps(call, is_used ? i : 0);
            stay_[g] = is_used ? Number(gaps.stay) : Number{};
            insert_[g] = is_used ? Number(gaps.insert) : Number{};
            erase_[g] = is_used ? Number(gaps.erase) : Number{};
            if (g < CONTINUATIONS) {
                extend_[g] = is_used || CONTINUATIONS == 1 ? Number(gaps.extend) : Number{};
                close_[g] = is_used || CONTINUATIONS == 1 ? Number(gaps.close) : Number{};
            }
        }
    }

    // Starts in the column before the first one, where only the table's first row has a number other than 0. Returns
    // the last row of this lane.
    //
    // - lane: counted from the read's first lane
    // - top: the table's first row
    __device__ __forceinline__ Edge<Number> start(int32 lane, const Edge<Number>& top) {
        Edge<Number> last;
        if (lane == 0) {
            diagonal_[0] = top.diagonal;
#pragma unroll
            for (int32 r = 0; r < PASSES; r++) {
                diagonal_[r + 1] = pick(r < passes_, top.diagonal, diagonal_[r + 1]);
            }
            last.diagonal = diagonal_[ROWS];
        }
        return last;
    }

    // Advances by one column, and returns this lane's last row.
    //
    // - above: the row above in this column
    // - letter: the column's letter
    __device__ __forceinline__ Edge<Number> advance(const Edge<Number>& above, uint32 letter) {
        auto column = emissions_.column_of(letter);
        // matches are computed first, so that they can reuse the registers of the numbers on the diagonal
        Number matches[ROWS];
#pragma unroll
        for (int32 r = 0; r < ROWS; r++) {
            matches[r] = times(emissions_.get(r, column), diagonal_[r]);
        }
        diagonal_[0] = above.diagonal;
        Number below = above.insertion;
#pragma unroll
        for (int32 r = 0; r < ROWS; r++) {
            int32 own = OPENINGS == 1 ? 0 : r;
            int32 next = OPENINGS == 1 ? 0 : r + 1;
            int32 own_continuation = CONTINUATIONS == 1 ? 0 : r;
            int32 next_continuation = CONTINUATIONS == 1 ? 0 : r + 1;
            match = matches[r];
            insertion = below;
            Number gap = plus(insertion, deletion_[r]);
            Number open_deletion = times(erase_[own], match);
            Number open_insertion = GAPS == Gaps::CONSTANT ? open_deletion : times(insert_[next], match);
            Number diagonal = fused(stay_[next], match, times(close_[next_continuation], gap));
            below = fused(extend_[next_continuation], insertion, open_insertion);
            deletion_[r] = fused(extend_[own_continuation], deletion_[r], open_deletion);
            if (r < PASSES) {
                diagonal = pick(r < passes_, above.diagonal, diagonal);
                below = pick(r < passes_, above.insertion, below);
            }
            diagonal_[r + 1] = diagonal;
        }
        return {diagonal_[ROWS], below};
    }

private:
    // if probabilities vary, the last element of their array is for the row below
    static constexpr int32 OPENINGS = GAPS == Gaps::CONSTANT ? 1 : ROWS + 1;
    static constexpr int32 CONTINUATIONS = GAPS == Gaps::VARIED ? ROWS + 1 : 1;

    Emissions emissions_;
    Number stay_[OPENINGS];
    Number insert_[OPENINGS];
    Number erase_[OPENINGS];
    Number extend_[CONTINUATIONS];
    Number close_[CONTINUATIONS];
    int32 passes_;
    // the numbers that the row above, and then each row, passes to the next cell on the diagonal
    Number diagonal_[ROWS + 1];
    // the deletions in the next column
    Number deletion_[ROWS];
};

// Returns the first row of a table, which is the same in all columns.
template <typename Number>
__device__ __forceinline__ Edge<Number> top_of(const PairHmmCall& call) {
    Edge<Number> top;
    top.diagonal = times(Number(PairHmmGaps(call, 0).close), first_deletion<Number>(call.haplotype.length));
    return top;
}

// The letters of a haplotype, which lanes read one after another.
struct Letters {
    const uint8* bytes;
    int32 columns;
    uint32 next;

    __device__ __forceinline__ Letters(const Bytes& haplotype, int32 columns_of_row, int32 first)
        : bytes(haplotype.bytes), columns(columns_of_row) {
        next = read(first);
    }

    // Returns the letter of a column, counted from 0; returns 0 outside the haplotype.
    __device__ __forceinline__ uint32 read(int32 column) const {
        return static_cast<uint32>(column) < static_cast<uint32>(columns) ? bytes[column] : 0;
    }

    // Returns the letter of a column. Callers must request the columns in order.
    __device__ __forceinline__ uint32 take(int32 column) {
        uint32 letter = next;
        next = read(column + 1);
        return letter;
    }
};

// Solves pairs whose reads have at most lanes * ROWS bases, and more than lanes * (ROWS - 1).
template <typename Number, int32 ROWS, Gaps GAPS>
__device__ __forceinline__ void solve(
        const int32* order, int32 from, int32 to, int32 lanes, const PairHmmCalls& calls,
        const PairHmmResults& results) {
    int64 place = from + thread_index() / lanes;
    bool has_row = place < to;
    int32 row = order[has_row ? place : to - 1];
    int32 lane = threadIdx.x % lanes;
    PairHmmCall call(calls, row);
    int32 columns = call.haplotype.length;
    Edge<Number> top = top_of<Number>(call);
    using Emissions = SharedEmissions<Number, ROWS>;
    __shared__ typename Emissions::Part shared[Emissions::SIZE];
    Rows<Number, Emissions, ROWS, GAPS, 1> rows(call, lane, lanes, Emissions(shared));
    Edge<Number> last = rows.start(lane, top);
    Letters letters(call.haplotype, columns, -lane);
    int32 steps = max_of_lanes<32>(columns) + lanes - 1;
    Number sum = 0;
    constexpr int COLUMNS = sizeof(Number) == sizeof(float) ? 2 : 1;
#pragma unroll COLUMNS
    for (int32 column = -lane; column < steps - lane; column++) {
        Edge<Number> above;
        above.diagonal = pick(lane == 0, top.diagonal, from_above(last.diagonal, lanes));
        above.insertion = pick(lane == 0, Number{}, from_above(last.insertion, lanes));
        last = rows.advance(above, letters.take(column));
        if (column < columns) {
            sum = plus(sum, plus(rows.match, rows.insertion));
        }
    }
    if (has_row && lane == lanes - 1) {
        put(results, row, sum);
    }
}

// Solves pairs with any number of bases, in strips of 32 lanes. A slot contains an Edge for each base of a haplotype.
template <typename Number, int32 ROWS, int32 PASSES>
__device__ __forceinline__ void solve_strips(
        const Slots& slots, const PairHmmCalls& calls, const PairHmmResults& results) {
    Edge<Number>* border = reinterpret_cast<Edge<Number>*>(slots.of_block());
    int32 lane = threadIdx.x;
    for (int32 i = slots.next(); i < slots.to; i = slots.next()) {
        int32 row = slots.order[i];
        PairHmmCall call(calls, row);
        int32 columns = call.haplotype.length;
        Edge<Number> top = top_of<Number>(call);
        int32 lanes = (call.read.length + ROWS - 1) / ROWS;
        Number sum{};
        for (int32 lanes_above = 0; lanes_above < lanes; lanes_above += 32) {
            using Emissions = OwnEmissions<Number, ROWS>;
            Rows<Number, Emissions, ROWS, Gaps::VARIED, PASSES> rows(call, lanes_above + lane, lanes, Emissions());
            Edge<Number> last = rows.start(lanes_above + lane, top);
            Letters letters(call.haplotype, columns, -lane);
            bool reads = lane == 0 && lanes_above > 0;
            Edge<Number> next = reads ? border[0] : top;
            sum = Number{};
#pragma unroll 1
            for (int32 column = -lane; column < columns + 31 - lane; column++) {
                Edge<Number> above = {from_above(last.diagonal, 32), from_above(last.insertion, 32)};
                if (lane == 0) {
                    above = next;
                }
                if (reads && column + 1 < columns) {
                    next = border[column + 1];
                }
                last = rows.advance(above, letters.take(column));
                if (static_cast<uint32>(column) < static_cast<uint32>(columns)) {
                    sum = plus(sum, plus(rows.match, rows.insertion));
                    if (lane == 31) {
                        border[column] = last;
                    }
                }
            }
            __syncwarp();
        }
        if (lane == (lanes - 1) % 32) {
            put(results, row, sum);
        }
    }
}

// Returns the index of the smallest shape with enough rows; -1 if there is none.
//
// - most: the maximum number of rows per lane
__device__ __forceinline__ int32 shape_of(int32 length, int32 most) {
    int32 rows = (length + 7) / 8;
    if (rows <= most) {
        return rows - 1;
    }
    for (int32 larger = 0; larger < 2; larger++) {
        rows = (rows + 1) / 2;
        if (rows <= most) {
            return most + larger * (most / 2) + rows - most / 2 - 1;
        }
    }
    return -1;
}

}  // namespace

FOR_HOST(LONG_BORDER_BYTES);
FOR_HOST(WIDE_BORDER_BYTES);

// Classifies the rows, with one warp per row.
extern "C" __global__ void pair_hmm_classify(
        int32 rows, const uint32* validity, PairHmmCalls calls, Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    PairHmmCall call(calls, row);
    int32 length = call.read.length;
    PairHmmCheck check;
    check.see_letters(call.read, lane);
    check.is_usual = true;
    check.see_letters(call.haplotype, lane);
    check.see_length(call.qualities, length, false);
    check.see_length(call.insertions, length, true);
    check.see_length(call.deletions, length, true);
    check.see_length(call.continuations, length, true);
    if (__all_sync(~0u, check.is_valid)) {
        for (int32 i = lane; i < length; i += 32) {
            check.see_quality(0, call.qualities.of_base(i));
            check.see_quality(1, call.insertions.of_base(i));
            check.see_quality(2, call.deletions.of_base(i));
            check.see_quality(3, call.continuations.of_base(i));
        }
    }
    if (!__all_sync(~0u, check.is_valid)) {
        if (lane == 0) {
            rows_of.put(row, REJECTED, 0, 0);
        }
        return;
    }
    for (int32 i = lane; i < length; i += 32) {
        check.see_gaps(call, i);
    }
    check.join();
    if (lane != 0) {
        return;
    }
    int32 columns = call.haplotype.length;
    int32 shape = WIDE_SHAPE;
    if (check.is_narrow(call)) {
        bool is_long = shape_of(length, VARIED_ROWS) < 0;
        if (check.is_usual && check.is_constant && shape_of(length, CONSTANT_ROWS) >= 0) {
            shape = shape_of(length, CONSTANT_ROWS);
        } else if (check.is_usual && !is_long) {
            shape = 2 * CONSTANT_ROWS
                + (check.has_same_continuations ? shape_of(length, OPENINGS_ROWS)
                                                : 2 * OPENINGS_ROWS + shape_of(length, VARIED_ROWS));
        } else {
            // haplotypes with other letters are rare; the kernels for strips compute the same numbers, but more slowly
            shape = is_long ? LONG_SHAPE : WIDE_SHAPE;
        }
    }
    int32 log = 31 - __clz(columns);
    int32 of_length = log < 5 ? 0 : min(4 * (log - 5) + (columns >> (log - 2) & 3), PAIR_HMM_LENGTHS - 1);
    int32 key = shape * PAIR_HMM_LENGTHS + PAIR_HMM_LENGTHS - 1 - of_length;
    rows_of.put(row, length > MAX_READ ? ON_CPU : key, columns, static_cast<int64>(length) * columns);
}

#define PAIR_HMM(ROWS, NAME, NUMBER, GAPS)                                                                         \
    extern "C" __global__ void __launch_bounds__(PAIR_HMM_BLOCK) pair_hmm_##NAME##_##ROWS(                         \
            const int32* order, int32 from, int32 to, int32 lanes, PairHmmCalls calls, PairHmmResults results) {   \
        solve<NUMBER, ROWS, Gaps::GAPS>(order, from, to, lanes, calls, results);                                   \
    }
#define PAIR_HMM_TO_8(...)                                                                                         \
    PAIR_HMM(1, __VA_ARGS__)                                                                                       \
    PAIR_HMM(2, __VA_ARGS__)                                                                                       \
    PAIR_HMM(3, __VA_ARGS__)                                                                                       \
    PAIR_HMM(4, __VA_ARGS__)                                                                                       \
    PAIR_HMM(5, __VA_ARGS__)                                                                                       \
    PAIR_HMM(6, __VA_ARGS__)                                                                                       \
    PAIR_HMM(7, __VA_ARGS__)                                                                                       \
    PAIR_HMM(8, __VA_ARGS__)
#define PAIR_HMM_TO_20(...)                                                                                        \
    PAIR_HMM_TO_8(__VA_ARGS__)                                                                                     \
    PAIR_HMM(9, __VA_ARGS__)                                                                                       \
    PAIR_HMM(10, __VA_ARGS__)                                                                                      \
    PAIR_HMM(11, __VA_ARGS__)                                                                                      \
    PAIR_HMM(12, __VA_ARGS__)                                                                                      \
    PAIR_HMM(13, __VA_ARGS__)                                                                                      \
    PAIR_HMM(14, __VA_ARGS__)                                                                                      \
    PAIR_HMM(15, __VA_ARGS__)                                                                                      \
    PAIR_HMM(16, __VA_ARGS__)                                                                                      \
    PAIR_HMM(17, __VA_ARGS__)                                                                                      \
    PAIR_HMM(18, __VA_ARGS__)                                                                                      \
    PAIR_HMM(19, __VA_ARGS__)                                                                                      \
    PAIR_HMM(20, __VA_ARGS__)

PAIR_HMM_TO_20(float_constant, float, CONSTANT)
PAIR_HMM_TO_20(constant, double, CONSTANT)
PAIR_HMM_TO_20(float_openings, float, OPENINGS)
PAIR_HMM_TO_8(float_varied, float, VARIED)
// also solves the pairs of the other kernels for varied probabilities again
PAIR_HMM_TO_8(varied, double, VARIED)

#define PAIR_HMM_STRIPS(NAME, NUMBER, ROWS, PASSES)                                                                \
    extern "C" __global__ void __launch_bounds__(32) pair_hmm_##NAME(                                              \
            Slots slots, PairHmmCalls calls, PairHmmResults results) {                                             \
        solve_strips<NUMBER, ROWS, PASSES>(slots, calls, results);                                                 \
    }

PAIR_HMM_STRIPS(float_long, float, 8, 1)
PAIR_HMM_STRIPS(float_wide, float, 4, 4)
PAIR_HMM_STRIPS(long, double, 8, 1)
PAIR_HMM_STRIPS(wide, Wide, 4, 4)
