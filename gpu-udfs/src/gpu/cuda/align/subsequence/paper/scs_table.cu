// Computes the table by Zhao, "Parallel computing the shortest common supersequence problem" (2023), as explained in
// SupersequenceTable, with one kernel per row or anti-diagonal, or all rows in one kernel. scs_symbols.cu prepares the
// strings: x of length n, y of length m.
//
// The kernels for single rows or anti-diagonals form a series, which is launched repeatedly. `done`, an int32, is the
// number of rows or anti-diagonals that earlier series covered. Kernels past the end of the table do nothing.
#include "align/subsequence/paper/scs_layout.cuh"

namespace {

// Computes equation (9) without branches: `left` is M[i-1][max(A-1, 0)] + j - A, and a cell equals the cell above it or
// is greater by one.
__device__ __forceinline__ int32 by_equation_9(int32 left, int32 above) {
    return above + 1 + ((left - above) >> 31);
}

}  // namespace

extern "C" __global__ void __launch_bounds__(256) scs_first_row(int32* table, int64 columns) {
    int64 j = thread_index();
    if (j < columns) {
        table[j] = static_cast<int32>(j);
    }
}

// Computes the row `of_series` of the series, counted from 0. In the first series, row 0 is row 1 of the table. Uses
// one thread per column.
//
// - places: the output of scs_last_places, with zeros in row 0
// - table: int32[rows][columns], with either 2 rows or all rows
// - mask: 1 or -1: row i is kept in row `i & mask`
extern "C" __global__ void __launch_bounds__(256) scs_row(
        const int32* x,
        int32 n,
        const int32* places,
        int64 columns,
        int32* table,
        int32 mask,
        const int32* done,
        int32 of_series) {
    int64 j = thread_index();
    int64 i = *done + 1LL + of_series;
    if (j >= columns || i > n) {
        return;
    }
    const int32* above = table + ((i - 1) & mask) * columns;
    int32 up = above[j];
    int32 place = places[x[i - 1] * columns + j];
    int32 left = above[max(place - 1, 0)] + static_cast<int32>(j) - place;
    table[(i & mask) * columns + j] = by_equation_9(left, up);
}

// Computes the anti-diagonal `of_series` of the series by equation (2), with one thread for each row that the
// anti-diagonal crosses. `whole`: whether all anti-diagonals are kept; otherwise, only the last four are.
extern "C" __global__ void __launch_bounds__(256) scs_anti_diagonal(
        const int32* x,
        const int32* y,
        int32 n,
        int32 m,
        int32* table,
        int32 whole,
        const int32* done,
        int32 of_series) {
    Diagonals diagonals{table, n, m, whole};
    int64 d = *done + static_cast<int64>(of_series);
    if (d > diagonals.n + diagonals.m) {
        return;
    }
    int64 i = diagonals.first(d) + thread_index();
    if (i > diagonals.last(d)) {
        return;
    }
    int32 value = static_cast<int32>(d);
    if (i > 0 && i < d) {
        value = 1 + (x[i - 1] == y[d - i - 1]
                        ? diagonals.line(d - 2)[i - 1]
                        : min(diagonals.line(d - 1)[i - 1], diagonals.line(d - 1)[i]));
    }
    diagonals.line(d)[i] = value;
}

// Ends a series, after the series' last kernel.
extern "C" __global__ void scs_series_done(int32* done, int32 count) {
    *done += count;
}

constexpr int32 STRIPE = 512;  // one column per thread
constexpr int32 AHEAD = 32;

// Computes all rows in one kernel. A block computes a stripe of columns from top to bottom, with the row above in
// shared memory, then takes the next stripe. To the left of its stripe, a row needs only two cells of the row above:
// the last cell left of the stripe, and the cell that equation (9) reads for the symbol's last position left of the
// stripe. The previous stripe passes on both cells, row by row, so no row waits for the whole row above. Stripes are
// assigned in order, so a waiting block always waits for a running block.
//
// - crossings: uint64[n][2], initially 0: the values that cross the left border of a stripe, with the number of the
//   stripe in the upper halves
// - next: int32, initially 0: the number of the next stripe
// - table: int32[n + 1][m + 1], in which the rows from 1 on are written; or nullptr
// - corner (output, int32): the last cell
extern "C" __global__ void __launch_bounds__(STRIPE) scs_rows(
        const int32* x,
        int32 n,
        const int32* places,
        int32 m,
        volatile uint64* crossings,
        int32* next,
        int32* table,
        int32* corner) {
    // two rows: the cell at the symbol's last position left of the stripe, the cell next to the stripe on the left, and
    // the cells of the stripe
    __shared__ int32 rows[2][2 + STRIPE];
    __shared__ int32 crossed[2][AHEAD];
    __shared__ int32 taken;
    int64 columns = m + 1LL;
    int32 stripes = static_cast<int32>((columns + STRIPE - 1) / STRIPE);
    int32 thread = threadIdx.x;
    for (;;) {
        if (thread == 0) {
            taken = atomicAdd(next, 1);
        }
        __syncthreads();
        int32 stripe = taken;
        if (stripe >= stripes) {
            return;
        }
        int32 begin = stripe * STRIPE;
        int64 column = begin + static_cast<int64>(thread);
        int32 above = static_cast<int32>(column);
        rows[0][2 + thread] = above;
        // also computes cells past the end of the table, which are not used
        const int32* column_places = places + min(column, static_cast<int64>(m));
        int32 place = __ldg(column_places + x[0] * columns);
        int32 symbol = n > 1 ? __ldg(x + 1) : 0;
        for (int32 first = 1; first <= n; first += AHEAD) {
            int32 count = min(AHEAD, n - first + 1);
            if (thread < 2 * AHEAD && thread / 2 < count) {
                int32 at = thread / 2;
                int32 value = first + at - 1;
                if (stripe > 0) {
                    uint64 crossing;
                    do {
                        crossing = crossings[2LL * (first - 1) + thread];
                    } while (static_cast<int32>(crossing >> 32) != stripe);
                    value = static_cast<int32>(crossing);
                }
                crossed[thread % 2][at] = value;
                if (at == 0) {
                    rows[(first - 1) & 1][thread] = value;
                }
            }
            __syncthreads();
            for (int32 at = 0; at < count; at++) {
                int32 i = first + at;
                int32* row = rows[i & 1];
                int32 symbol_after = i + 1 < n ? __ldg(x + i + 1) : 0;
                if (thread < 2 && at + 1 < count) {
                    row[thread] = crossed[thread][at + 1];
                }
                int32 found = rows[(i - 1) & 1][max(place - begin + 1, 0)];
                if (thread == STRIPE - 1 && stripe + 1 < stripes) {
                    uint64 reader = static_cast<uint64>(stripe + 1) << 32;
                    crossings[2LL * (i - 1)] = reader | static_cast<uint32>(found);
                    crossings[2LL * (i - 1) + 1] = reader | static_cast<uint32>(above);
                }
                above = by_equation_9(found + static_cast<int32>(column) - place, above);
                row[2 + thread] = above;
                if (table != nullptr && column <= m) {
                    table[i * columns + column] = above;
                }
                place = __ldg(column_places + symbol * columns);
                symbol = symbol_after;
                __syncthreads();
            }
        }
        if (column == m) {
            *corner = above;
        }
    }
}
