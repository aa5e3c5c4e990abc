// Time warping that stores a two-bit step for each cell: 1 is a step back in the first series, 2 in the second series,
// and 3 in both. In case of ties, as in dev.bellman.series.WarpingPath, the diagonal neighbour wins, then the cell
// above.
#pragma once

#include "series/rules.cuh"

template <int POWER>
struct Path {
    using Number = double;
    static constexpr bool LARGE_CELLS = false;

    template <int ROWS>
    struct Rule : Closed<> {
        static constexpr bool TRACES = true;

        uint32 steps;  // the steps of a lane's rows in a column, starting from the lowest bits

        template <class P>
        __device__ __forceinline__ double cell(
                const P& points, int32 r, double before, double above, double left) {
            // the cell above is compared last, because the other neighbours are known earlier
            bool is_before = before <= left;
            double least = is_before ? before : left;
            bool is_above = above < least || (above == least && !is_before);
            uint32 step = is_above ? 1 : is_before ? 3 : 2;
            steps = r == 0 ? step : steps | step << 2 * r;
            return warped<POWER>(points, r, is_above ? above : least);
        }

        __device__ __forceinline__ void keep(uint8* to) const {
            if constexpr (ROWS == 16) {
                *reinterpret_cast<uint32*>(to) = steps;
            } else if constexpr (ROWS == 8) {
                *reinterpret_cast<uint16*>(to) = static_cast<uint16>(steps);
            } else {
                static_assert(ROWS == 4, "a byte has the steps of four rows");
                *to = static_cast<uint8>(steps);
            }
        }

        static __device__ __forceinline__ void put(
                const SeriesAnswers& to, const SeriesCalls&, int32 row, double last) {
            double found = distance<POWER>(last);
            if (!(found < infinite())) {
                to.rows_of.reject(row);
            }
            to.distances[row] = found;
        }
    };
};
