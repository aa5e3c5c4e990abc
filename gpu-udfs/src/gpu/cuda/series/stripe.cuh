// Solves a table that is divided into stripes of rows. Each lane of a stripe has ROWS rows in registers and moves from
// column to column, one column behind the lane above it:
//
//     step       0   1   2   3
//     lane 0     0   1   2   3     the column that a lane processes; 0 is the border
//     lane 1         0   1   2
//     lane 2             0   1
//
// The last row of a stripe is passed through memory to the next stripe, one cell per column.
//
// For each cell, time warping of numbers takes four instructions of the FP64 unit (a difference, two comparisons, a
// fused multiply-add) and four instructions that each select half of a number. These instructions limit the speed.
// Comparing the sign of a difference, or the bits as integers, is slower.
#pragma once

#include "common/search.cuh"
#include "common/warp.cuh"
#include "series/rules.cuh"

constexpr int32 SERIES_BLOCK = 128;

// The bytes with which the memory for crossing cells is initially filled, for counts and for other numbers; no cell
// consists of such bytes. (A NaN computed by a GPU has different bytes.)
constexpr int32 NO_COUNT = 0x80;
constexpr int32 NO_NUMBER = 0xff;

template <int LANES, typename Number>
__device__ __forceinline__ Number from_above(Number value) {
    return __shfl_up_sync(~0u, value, 1, LANES);
}

template <int LANES>
__device__ __forceinline__ Way from_above(Way cell) {
    return {__shfl_up_sync(~0u, cell.value, 1, LANES), __shfl_up_sync(~0u, cell.begin, 1, LANES)};
}

template <typename Number>
__device__ __forceinline__ Number from_lane(Number value, int32 lane) {
    return __shfl_sync(~0u, value, lane);
}

__device__ __forceinline__ Way from_lane(Way cell, int32 lane) {
    return {__shfl_sync(~0u, cell.value, lane), __shfl_sync(~0u, cell.begin, lane)};
}

template <typename Number>
__device__ __forceinline__ Number look_at(const Number* from) {
    return *static_cast<const volatile Number*>(from);
}

__device__ __forceinline__ Way look_at(const Way* from) {
    return {look_at(&from->value), look_at(&from->begin)};
}

template <typename Number>
__device__ __forceinline__ void hand_on(Number* to, Number cell) {
    *static_cast<volatile Number*>(to) = cell;
}

__device__ __forceinline__ void hand_on(Way* to, Way cell) {
    hand_on(&to->value, cell.value);
    hand_on(&to->begin, cell.begin);
}

__device__ __forceinline__ bool is_there(int32 cell) {
    return cell != static_cast<int32>(0x80808080);
}

__device__ __forceinline__ bool is_there(float cell) {
    return __float_as_int(cell) != -1;
}

__device__ __forceinline__ bool is_there(double cell) {
    return __double_as_longlong(cell) != -1;
}

__device__ __forceinline__ bool is_there(Way cell) {
    return is_there(cell.value) && cell.begin >= 0;
}

// WAITS: whether another warp solves the stripe above at the same time.
template <class Problem, int DIMENSIONS, int LANES, bool WAITS>
struct Stripe {
    static constexpr int32 ROWS = rows_of_lane(DIMENSIONS, Problem::LARGE_CELLS);
    static constexpr int32 HEIGHT = LANES * ROWS;
    using Rule = typename Problem::template Rule<ROWS>;
    using Cell = typename Rule::Cell;

    SeriesPair pair;
    Points<typename Problem::Number, DIMENSIONS, ROWS> points;
    Rule rule;
    int32 lane;
    int32 number;  // the index of the stripe in its pair
    int32 base;    // the number of rows above this lane's rows
    int32 first;   // the first and the last column
    int32 last;
    int32 step;
    int32 steps;
    int32 inside_from;  // from this step to inside_to - 1, all lanes' rows are in the band, right of the border
    int32 inside_to;
    const Cell* above;  // the cells that cross from the stripe above, from that stripe's first column to its last
    int32 above_first;
    int32 above_last;
    Cell* below;
    Cell cells[ROWS];
    Cell corner;  // the cell above the first row, in the previous column
    Cell fed;     // the cell above the first row of lane 0, in the next column or, with WAITS, in one of 32 columns
    Way best;     // the best cell of the last row
    int32 end;
    uint8* trace;  // where this lane's steps are written, if the rule stores them; null without a stripe

    __device__ __forceinline__ void begin(int32 stripe, const Cell* its_above, Cell* its_below) {
        lane = threadIdx.x % LANES;
        number = stripe;
        base = stripe * HEIGHT + lane * ROWS;
        first = pair.first_column(stripe, HEIGHT);
        last = pair.last_column(stripe, HEIGHT);
        step = 0;
        steps = last - first + LANES;
        int32 above_band = stripe * HEIGHT - first;
        int32 height = min(HEIGHT, pair.m - stripe * HEIGHT);
        inside_from = LANES - 1 + max(first == 0 ? 1 : 0, above_band + height + pair.lowest);
        inside_to = min(last - first, above_band + pair.highest + 2);
        above = its_above;
        below = its_below;
        if (stripe > 0) {
            above_first = pair.first_column(stripe - 1, HEIGHT);
            above_last = pair.last_column(stripe - 1, HEIGHT);
        }
        points.read_rows(pair, base);
        rule.begin(points, pair);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            cells[r] = Rule::none();
        }
        corner = Rule::none();
        fed = Rule::none();
        points.prefetch(pair, first - lane - 1);
        feed(first);
        best = {infinite(), 1};
        end = 1;
    }

    // Sets up an empty stripe, whose single step has no effect.
    __device__ __forceinline__ void stop() {
        lane = threadIdx.x % LANES;
        number = 0;
        pair.n = 0;
        first = 1;
        last = 0;
        step = 0;
        steps = 1;
        inside_from = 1;
        inside_to = 0;
        below = nullptr;
        trace = nullptr;
        points.stop();
    }

    __device__ __forceinline__ bool is_done() const {
        return step == steps;
    }

    // Loads, in lane 0, the cell that crosses from the stripe above in column j, unless await_all does.
    __device__ __forceinline__ void feed(int32 j) {
        if (!WAITS && lane == 0 && number > 0 && j <= above_last) {
            fed = above[j - above_first];
        }
    }

    __device__ __forceinline__ Cell await() {
        int32 j = first + step + lane;
        Cell cell = Rule::none();
        bool waits = number > 0 && j <= above_last;
        while (__any_sync(~0u, waits)) {
            if (waits) {
                cell = look_at(above + (j - above_first));
                waits = !is_there(cell);
            }
        }
        return cell;
    }

    // Returns the cell above the first row of lane 0; `crossed` is the cell that crosses in this column.
    __device__ __forceinline__ Cell over(int32 j, const Cell& crossed) const {
        if (number > 0) {
            return j <= above_last ? crossed : Rule::none();
        }
        return j == 0 ? Rule::corner() : j <= pair.highest ? rule.top(corner, j) : Rule::none();
    }

    // In every 32nd step, waits for the cells that cross from the stripe above in the next 32 columns.
    __device__ __forceinline__ void await_all() {
        if (step % 32 == 0) {
            fed = await();
        }
    }

    // Returns the number of following steps in which all rows of all lanes are in the band and no lane has to wait.
    __device__ __forceinline__ int32 steps_inside() const {
        int32 left = step >= inside_from ? inside_to - step : 0;
        return WAITS ? min(left, 32 - step % 32) : left;
    }

    // Runs a step; all threads of the warp must call this, even threads without a stripe. INSIDE: whether all rows of
    // all lanes are in the band (see steps_inside).
    template <bool INSIDE>
    __device__ __forceinline__ void advance() {
        Cell top = from_above<LANES>(cells[ROWS - 1]);
        Cell crossed = fed;
        if (WAITS) {
            crossed = from_lane(fed, step % 32);
        }
        int32 j = first + step - lane;
        if (INSIDE || (j >= first && j <= last)) {
            if (INSIDE || j > 0) {
                points.take_column(pair, j);
                rule.column(points, pair);
            }
            if (lane == 0) {
                top = over(j, crossed);
                feed(j + 1);
            }
            if (INSIDE) {
                rows<false>(top, 0);
                corner = top;
            } else {
                column(j, top);
            }
            if constexpr (Rule::TRACES) {
                if (trace != nullptr && (INSIDE || j > 0)) {
                    rule.keep(trace + static_cast<int64>(step) * LANES * (ROWS / 4));
                }
            }
            if (lane == LANES - 1 && below != nullptr) {
                if (WAITS) {
                    hand_on(below + (j - first), cells[ROWS - 1]);
                } else {
                    below[j - first] = cells[ROWS - 1];
                }
            }
        }
        points.prefetch(pair, j);
        step++;
    }

    __device__ __forceinline__ void column(int32 j, const Cell& top) {
        // the rows from `from` to `to` are in the band
        int32 from = j - pair.highest - base - 1;
        int32 to = j - pair.lowest - base - 1;
        if (j == 0) {
            if constexpr (Rule::OPEN) {
                Cell over = top;
#pragma unroll
                for (int r = 0; r < ROWS; r++) {
                    over = r <= to ? rule.side(over, r) : Rule::none();
                    cells[r] = over;
                }
            }
        } else {
            uint32 up_to = to < 0 ? 0 : (2u << min(to, ROWS - 1)) - 1;
            uint32 before = from <= 0 ? 0 : (1u << min(from, ROWS)) - 1;
            rows<true>(top, up_to & ~before);
        }
        corner = top;
    }

    // inside: a bit for each row, set if the row is in the band.
    template <bool MASKS>
    __device__ __forceinline__ void rows(const Cell& top, uint32 inside) {
        Cell before = corner;
        Cell over = top;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            Cell left = cells[r];
            over = rule.cell(points, r, before, over, left);
            if (MASKS && (inside >> r & 1) == 0) {
                over = Rule::none();
            }
            before = left;
            cells[r] = over;
        }
    }

    // Writes the result in the step in which the result becomes known.
    __device__ __forceinline__ void report(const SeriesAnswers& to, const SeriesCalls& calls) {
        int32 bottom = pair.m - 1 - base;
        int32 j = first + step - 1 - lane;
        if (static_cast<uint32>(bottom) < ROWS && j >= first && j <= last) {
            if constexpr (Rule::SEARCHES) {
                Way found = at(bottom);
                if (j > 0 && found.value < best.value) {
                    best = found;
                    end = j;
                }
                if (j == last) {
                    Rule::put(to, pair.row, best, end);
                }
            } else if (j == last) {
                Rule::put(to, calls, pair.row, at(bottom));
            }
        }
    }

    // Runs one step if `inside` is less than 2; otherwise, runs `inside` steps, rounded down to an even number, in
    // pairs, so that cells stay in the same registers. In these steps, the result is not known yet, except for the best
    // end so far in a search.
    __device__ __forceinline__ void proceed(
            int32 inside, bool reports, const SeriesAnswers& to, const SeriesCalls& calls) {
        if (inside < 2) {
            advance<false>();
            if (reports) {
                report(to, calls);
            }
        }
        for (; inside >= 2; inside -= 2) {
#pragma unroll
            for (int each = 0; each < 2; each++) {
                advance<true>();
                if (Rule::SEARCHES && reports) {
                    report(to, calls);
                }
            }
        }
    }

    // Works like `report`, for a table without rows.
    __device__ __forceinline__ void report_empty(const SeriesAnswers& to, const SeriesCalls& calls) {
        if constexpr (!Rule::SEARCHES) {
            Rule::put(to, calls, pair.row, Rule::corner());
        }
    }

    __device__ __forceinline__ Cell at(int32 row) const {
        Cell found = cells[0];
#pragma unroll
        for (int r = 1; r < ROWS; r++) {
            if (r == row) {
                found = cells[r];
            }
        }
        return found;
    }
};

// A launch for pairs that are solved by FEW_LANES lanes each, one stripe after another. A group of lanes takes one pair
// after another; all groups of a warp advance together, even if they process different stripes.
struct SeriesGroups {
    const int32* order;
    int32 from;
    int32 to;
    int32* ticket;      // initially zero
    uint8* slots;       // one for each group of lanes: the crossings of a stripe and of the previous one; if the
                        // rule stores steps, one for each pair: see Trace
    int64 slot_bytes;
    int32 slot_count;   // the number of groups that take pairs; other groups stay idle
};

template <class Problem, int DIMENSIONS>
__device__ __forceinline__ void solve_groups(
        const SeriesGroups& groups, const SeriesCalls& calls, const SeriesAnswers& to) {
    using Table = Stripe<Problem, DIMENSIONS, FEW_LANES, false>;
    using Cell = typename Table::Cell;
    constexpr uint32 MATES = (1u << FEW_LANES) - 1;
    uint32 mates = MATES << (threadIdx.x % 32 / FEW_LANES * FEW_LANES);
    int64 group = thread_index() / FEW_LANES;
    Cell* slot = reinterpret_cast<Cell*>(groups.slots + groups.slot_bytes * group);
    int64 half = groups.slot_bytes / static_cast<int64>(2 * sizeof(Cell));
    Table table;
    int32 left = 0;  // the number of stripes that remain in the pair
    bool works = group < groups.slot_count;
    table.stop();
    while (true) {
        if (works && table.is_done()) {
            __syncwarp(mates);
            int32 stripe = table.number + 1;
            if (left == 0) {
                int32 position = 0;
                if (table.lane == 0) {
                    position = groups.from + atomicAdd(groups.ticket, 1);
                }
                position = __shfl_sync(mates, position, 0, FEW_LANES);
                works = position < groups.to;
                stripe = 0;
                if (works) {
                    table.pair = SeriesPair(calls, groups.order[position]);
                    left = table.pair.stripes(Table::HEIGHT);
                    if constexpr (Table::Rule::TRACES) {
                        slot = reinterpret_cast<Cell*>(groups.slots + groups.slot_bytes * (position - groups.from));
                        half = table.pair.width(Table::HEIGHT);
                    }
                    if (left == 0 && table.lane == 0) {
                        table.report_empty(to, calls);
                    }
                }
            }
            if (left > 0) {
                left--;
                table.begin(stripe, slot + (stripe + 1) % 2 * half, left == 0 ? nullptr : slot + stripe % 2 * half);
                if constexpr (Table::Rule::TRACES) {
                    Trace trace(table.pair, reinterpret_cast<uint8*>(slot), FEW_LANES, Table::ROWS);
                    table.trace = trace.at(stripe, 0, table.lane);
                }
            } else {
                table.stop();
            }
        }
        if (__any_sync(~0u, works) == 0) {
            return;
        }
        table.proceed(min_of_warp(works ? table.steps_inside() : 0x7fffffff), works, to, calls);
    }
}

// A launch with one warp for each stripe. Warps take stripes in order, so the stripe above is finished or in progress
// when a warp takes a stripe.
struct SeriesStripes {
    const int32* order;
    int32 from;
    int32 count;
    const int32* firsts;    // the first stripe of each pair, followed by the total number of stripes
    const int64* places;    // the offset of each pair's crossing cells, counted in cells
    uint8* crossings;       // initially filled with NO_COUNT or NO_NUMBER
    int32* ticket;          // initially zero
    uint8* slots;           // one for each pair, if the rule stores steps: see Trace
    int64 slot_bytes;
};

template <class Problem, int DIMENSIONS>
__device__ __forceinline__ void solve_stripes(
        const SeriesStripes& stripes, const SeriesCalls& calls, const SeriesAnswers& to) {
    using Table = Stripe<Problem, DIMENSIONS, ALL_LANES, true>;
    using Cell = typename Table::Cell;
    int32 total = stripes.firsts[stripes.count];
    while (true) {
        __syncwarp();
        int32 stripe = uniform(threadIdx.x % 32 == 0 ? atomicAdd(stripes.ticket, 1) : 0);
        if (stripe >= total) {
            return;
        }
        int32 index = last_at_most(stripes.firsts, stripes.count, stripe);
        Table table;
        table.pair = SeriesPair(calls, stripes.order[stripes.from + index]);
        int32 number = stripe - stripes.firsts[index];
        int64 width = table.pair.width(Table::HEIGHT);
        Cell* crossings = reinterpret_cast<Cell*>(stripes.crossings) + stripes.places[index] + number * width;
        bool is_last = stripe + 1 == stripes.firsts[index + 1];
        table.begin(number, crossings - width, is_last ? nullptr : crossings);
        if constexpr (Table::Rule::TRACES) {
            uint8* slot = stripes.slots + stripes.slot_bytes * index;
            table.trace = Trace(table.pair, slot, ALL_LANES, Table::ROWS).at(number, 0, table.lane);
        }
        while (!table.is_done()) {
            table.await_all();
            table.proceed(table.steps_inside(), is_last, to, calls);
        }
    }
}

#define SERIES_SIZE(NAME, PROBLEM, DIMENSIONS)                                                                       \
    extern "C" __global__ void __launch_bounds__(SERIES_BLOCK, 4)                                                    \
            series_##NAME##_##DIMENSIONS##_groups(SeriesGroups groups, SeriesCalls calls, SeriesAnswers to) {        \
        solve_groups<PROBLEM, DIMENSIONS>(groups, calls, to);                                                        \
    }                                                                                                                \
    extern "C" __global__ void __launch_bounds__(SERIES_BLOCK, 4)                                                    \
            series_##NAME##_##DIMENSIONS##_stripes(SeriesStripes stripes, SeriesCalls calls, SeriesAnswers to) {     \
        solve_stripes<PROBLEM, DIMENSIONS>(stripes, calls, to);                                                      \
    }

#define SERIES(NAME, PROBLEM)      \
    SERIES_SIZE(NAME, PROBLEM, 1)  \
    SERIES_SIZE(NAME, PROBLEM, 2)  \
    SERIES_SIZE(NAME, PROBLEM, 3)  \
    SERIES_SIZE(NAME, PROBLEM, 4)
