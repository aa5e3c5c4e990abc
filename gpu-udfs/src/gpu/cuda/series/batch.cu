// Checks the rows of a batch of series pairs, and chooses the number of lanes that solve each pair.
#include "common/host.cuh"
#include "common/warp.cuh"
#include "series/checks.cuh"
#include "series/stripe.cuh"
#include "series/whole.cuh"

STRUCT_FOR_HOST(SeriesLists);
MEMBER_FOR_HOST(SeriesLists, offsets);
MEMBER_FOR_HOST(SeriesLists, validity);
MEMBER_FOR_HOST(SeriesLists, point_offsets);
MEMBER_FOR_HOST(SeriesLists, number_validity);
MEMBER_FOR_HOST(SeriesLists, numbers);
STRUCT_FOR_HOST(SeriesCalls);
MEMBER_FOR_HOST(SeriesCalls, a);
MEMBER_FOR_HOST(SeriesCalls, b);
MEMBER_FOR_HOST(SeriesCalls, bands);
MEMBER_FOR_HOST(SeriesCalls, powers);
MEMBER_FOR_HOST(SeriesCalls, most);
MEMBER_FOR_HOST(SeriesCalls, parameters);
MEMBER_FOR_HOST(SeriesCalls, anywhere);
MEMBER_FOR_HOST(SeriesCalls, floats);
STRUCT_FOR_HOST(SeriesAnswers);
MEMBER_FOR_HOST(SeriesAnswers, distances);
MEMBER_FOR_HOST(SeriesAnswers, counts);
MEMBER_FOR_HOST(SeriesAnswers, begins);
MEMBER_FOR_HOST(SeriesAnswers, ends);
MEMBER_FOR_HOST(SeriesAnswers, rows_of);
STRUCT_FOR_HOST(SeriesGroups);
MEMBER_FOR_HOST(SeriesGroups, order);
MEMBER_FOR_HOST(SeriesGroups, from);
MEMBER_FOR_HOST(SeriesGroups, to);
MEMBER_FOR_HOST(SeriesGroups, ticket);
MEMBER_FOR_HOST(SeriesGroups, slots);
MEMBER_FOR_HOST(SeriesGroups, slot_bytes);
MEMBER_FOR_HOST(SeriesGroups, slot_count);
STRUCT_FOR_HOST(SeriesStripes);
MEMBER_FOR_HOST(SeriesStripes, order);
MEMBER_FOR_HOST(SeriesStripes, from);
MEMBER_FOR_HOST(SeriesStripes, count);
MEMBER_FOR_HOST(SeriesStripes, firsts);
MEMBER_FOR_HOST(SeriesStripes, places);
MEMBER_FOR_HOST(SeriesStripes, crossings);
MEMBER_FOR_HOST(SeriesStripes, ticket);
MEMBER_FOR_HOST(SeriesStripes, slots);
MEMBER_FOR_HOST(SeriesStripes, slot_bytes);
STRUCT_FOR_HOST(SeriesWhole);
MEMBER_FOR_HOST(SeriesWhole, order);
MEMBER_FOR_HOST(SeriesWhole, from);
MEMBER_FOR_HOST(SeriesWhole, to);
MEMBER_FOR_HOST(SeriesWhole, ticket);
MEMBER_FOR_HOST(SeriesWhole, lanes);
MEMBER_FOR_HOST(SeriesWhole, stride);

// A class combines the power of differences, from 1 on; the number of dimensions, up to MANY; the number of lanes, few
// or all; and the binary logarithm of the number of steps, of which the largest comes first. These classes are followed
// by the classes of pairs whose tables are in registers. They combine the power, the number of rows per lane, the
// binary logarithm of the number of lanes, and a range of the number of columns, of which the largest comes first.
constexpr int32 POWERS = 2;
constexpr int32 SIZES = 40;
constexpr int32 STRIPE_CLASSES = POWERS * MANY * 2 * SIZES;
constexpr int32 CLASSES = STRIPE_CLASSES + POWERS * WHOLE_HEIGHTS * WHOLE_WIDTHS * WHOLE_SIZES;
// The memory for a pair is counted in units of this many bytes.
constexpr int32 SLOT_UNIT = 1024;
FOR_HOST(STRIPE_CLASSES);
FOR_HOST(CLASSES);
FOR_HOST(WHOLE_MIN_ROWS);
FOR_HOST(WHOLE_MORE_ROWS);
FOR_HOST(WHOLE_MAX_ROWS);
FOR_HOST(WHOLE_HEIGHTS);
FOR_HOST(WHOLE_WIDTHS);
FOR_HOST(WHOLE_PARTS);
FOR_HOST(WHOLE_UNROLLED);
FOR_HOST(WHOLE_SIZES);
FOR_HOST(MANY);
FOR_HOST(SIZES);
FOR_HOST(SLOT_UNIT);
FOR_HOST(FEW_LANES);
FOR_HOST(ALL_LANES);
FOR_HOST(SERIES_BLOCK);
FOR_HOST(NO_COUNT);
FOR_HOST(NO_NUMBER);

namespace {

// Pairs whose series have at least this many points in total are left to the CPU, because rows and columns are counted
// in 32 bits.
constexpr int64 MAX_POINTS = 1 << 30;

__device__ __forceinline__ bool are_arguments(const SeriesCalls& calls, int64 row, double least) {
    return (calls.bands == nullptr || calls.bands[row] >= 0)
        && (calls.powers == nullptr || calls.powers[row] == 1 || calls.powers[row] == 2)
        && (calls.most == nullptr || calls.most[row] == calls.most[row])
        && (calls.parameters == nullptr || (is_number(calls.parameters[row]) && calls.parameters[row] >= least));
}

// A way to solve a pair, and the cost of this way.
struct Plan {
    int64 stripes;
    int64 width;
    int64 steps;
    int64 cost;  // the number of issue cycles of a warp, multiplied by the number of lanes that the pair takes

    __device__ __forceinline__ Plan(const SeriesPair& pair, int32 lanes, int32 rows, int32 overhead, int32 cell) {
        stripes = pair.stripes(lanes * rows);
        width = pair.width(lanes * rows);
        steps = stripes * (width + lanes - 1);
        cost = steps * lanes * (overhead + cell * rows);
    }
};

// The number of instructions that a step takes in addition to its cells. Groups of lanes have a larger overhead,
// because each group shares a warp with groups that have less work.
constexpr int32 OVERHEAD = 25;
constexpr int32 OVERHEAD_OF_GROUPS = 40;
// The number of instructions per cell.
constexpr int32 CELL = 8;
constexpr int32 CELL_OF_FLOATS = 3;

}  // namespace

// Classifies the rows, with one warp per row. For pairs whose tables are in registers, the size is the number of
// columns. For any other pair, the size is the memory for its steps and for the cells that cross between its stripes,
// in units of SLOT_UNIT bytes.
//
// - least: the minimum of the parameter
// - traces: whether the steps of all cells are stored
// - may_be_whole: whether there are kernels that solve tables in registers
extern "C" __global__ void series_classify(
        int32 rows,
        const uint32* validity,
        SeriesCalls calls,
        int32 may_be_empty,
        double least,
        int32 cell_bytes,
        int32 large_cells,
        int32 traces,
        int32 may_be_whole,
        Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    bool are_series = is_series(calls.a, row, calls.floats, lane) && is_series(calls.b, row, calls.floats, lane);
    if (lane != 0) {
        return;
    }
    bool empty = calls.a.length(row) == 0 || calls.b.length(row) == 0;
    bool valid = are_series && are_arguments(calls, row, least)
        && (empty ? may_be_empty != 0 : calls.a.dimensions(row) == calls.b.dimensions(row));
    if (!valid) {
        rows_of.reject(row);
        return;
    }
    if (static_cast<int64>(calls.a.length(row)) + calls.b.length(row) >= MAX_POINTS) {
        rows_of.put(row, ON_CPU, 0, 0);
        return;
    }
    SeriesPair pair(calls, static_cast<int32>(row));
    int32 dimensions = min(pair.dimensions, MANY);
    int32 held = rows_of_lane(dimensions, large_cells != 0);
    int32 cell = calls.floats != 0 ? CELL_OF_FLOATS : CELL;
    Plan few(pair, FEW_LANES, held, OVERHEAD_OF_GROUPS, cell);
    Plan all(pair, ALL_LANES, held, OVERHEAD, cell);
    int32 power = calls.powers == nullptr ? 2 : calls.powers[row];
    if (may_be_whole != 0 && dimensions == 1 && pair.is_whole()) {
        int32 rows_of_pair = min(pair.m, pair.n);
        int32 columns = max(pair.m, pair.n);
        WholeShape whole(rows_of_pair, columns, cell_bytes);
        if (whole.cost < min(few.cost, all.cost)) {
            int32 shape = ((power - 1) * WHOLE_HEIGHTS + whole.height) * WHOLE_WIDTHS + whole.width;
            int32 key = STRIPE_CLASSES + shape * WHOLE_SIZES + WholeShape::size(columns);
            rows_of.put(row, key, columns, pair.cells());
            return;
        }
    }
    bool takes_all = all.cost < few.cost;
    int64 crossing = takes_all ? all.stripes * all.width : few.stripes > 1 ? 2 * few.width : 0;
    int64 kept = traces == 0 ? 0 : takes_all ? all.steps * ALL_LANES * (held / 4) : few.steps * FEW_LANES * (held / 4);
    int64 units = (crossing * cell_bytes + kept + SLOT_UNIT - 1) / SLOT_UNIT;
    int32 size = 63 - __clzll(max((takes_all ? all.steps : few.steps), 1LL));
    int32 key = (((power - 1) * MANY + dimensions - 1) * 2 + (takes_all ? 1 : 0)) * SIZES + max(0, SIZES - 1 - size);
    rows_of.put(row, key, static_cast<int32>(min(units, 0x7fffffffLL)), pair.cells());
}

// Computes, for the pairs order[from], order[from + 1], ..., the number of stripes, and an upper bound on the number of
// cells that each stripe passes to the next one.
extern "C" __global__ void series_stripes(
        SeriesCalls calls, const int32* order, int32 from, int32 count, int32 large_cells, int32* stripes) {
    int64 index = thread_index();
    if (index < count) {
        SeriesPair pair(calls, order[from + index]);
        int32 height = ALL_LANES * rows_of_lane(min(pair.dimensions, MANY), large_cells != 0);
        stripes[2 * index] = pair.stripes(height);
        stripes[2 * index + 1] = static_cast<int32>(pair.width(height));
    }
}
