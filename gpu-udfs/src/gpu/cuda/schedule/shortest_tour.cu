// Finds the shortest tours, with one block per row: dev.bellman.schedule.ShortestTour. The other places are the places
// except place 0, and are numbered from 0. A number represents a set of other places, with one bit per place. Sets of
// one size are solved after all smaller sets.
#include "columns/instances.cuh"
#include "columns/slots.cuh"
#include "common/host.cuh"
#include "schedule/numbers.cuh"

// The class number depends on the number of places; rows with the most places come first.
constexpr int32 MAX_PLACES = 20;
constexpr int32 MAX_OTHERS = MAX_PLACES - 1;
FOR_HOST(MAX_PLACES);

struct TourCalls {
    const int32* offsets;
    const uint32* row_validity;
    const int32* row_offsets;
    const uint32* validity;
    const double* distances;
};

struct TourAnswers {
    double* lengths;
    int32* counts;  // the number of places, initially 0
    uint8* tours;   // the places in order, with MAX_PLACES bytes for each row
};

STRUCT_FOR_HOST(TourCalls);
MEMBER_FOR_HOST(TourCalls, offsets);
MEMBER_FOR_HOST(TourCalls, row_validity);
MEMBER_FOR_HOST(TourCalls, row_offsets);
MEMBER_FOR_HOST(TourCalls, validity);
MEMBER_FOR_HOST(TourCalls, distances);
STRUCT_FOR_HOST(TourAnswers);
MEMBER_FOR_HOST(TourAnswers, lengths);
MEMBER_FOR_HOST(TourAnswers, counts);
MEMBER_FOR_HOST(TourAnswers, tours);

namespace {

__device__ __forceinline__ double infinity() {
    return __longlong_as_double(0x7ff0000000000000);
}

}  // namespace

// Classifies the rows, with one warp per row.
extern "C" __global__ void shortest_tour_classify(
        int32 rows, const uint32* validity, TourCalls calls, Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int32 begin = calls.offsets[row];
    int32 n = calls.offsets[row + 1] - begin;
    if (n > MAX_PLACES) {
        if (lane == 0) {
            rows_of.put(row, ON_CPU, 0, 0);
        }
        return;
    }
    bool valid = n > 0;
    if (lane < n) {
        valid = is_valid(calls.row_validity, begin + lane)
                && calls.row_offsets[begin + lane + 1] - calls.row_offsets[begin + lane] == n;
    }
    valid = __all_sync(~0u, valid);
    for (int32 e = lane; valid && e < n * n; e += 32) {
        int64 at = static_cast<int64>(calls.row_offsets[begin]) + e;
        valid = is_valid(calls.validity, at) && is_allowed(calls.distances[at]);
    }
    valid = __all_sync(~0u, valid);
    if (lane == 0) {
        if (valid) {
            rows_of.put(row, MAX_PLACES - n, n, static_cast<int64>(n) * n << (n - 1));
        } else {
            rows_of.reject(row);
        }
    }
}

namespace {

// The distances between the places of a row.
struct Places {
    int32 others;
    double first[MAX_OTHERS];
    double back[MAX_OTHERS];
    double between[MAX_OTHERS * MAX_OTHERS];  // from i to j at j * others + i

    // Loads the distances, with all threads of the block.
    __device__ __forceinline__ void load(const TourCalls& calls, int32 row) {
        int32 begin = calls.offsets[row];
        int32 n = calls.offsets[row + 1] - begin;
        const double* distances = calls.distances + calls.row_offsets[begin];
        for (int32 e = threadIdx.x; e < n * n; e += blockDim.x) {
            int32 i = e / n - 1;
            int32 j = e % n - 1;
            // adding 0.0 turns -0.0 into 0.0
            double distance = __dadd_rn(distances[e], 0.0);
            if (i >= 0 && j >= 0) {
                between[j * (n - 1) + i] = distance;
            } else if (j >= 0) {
                first[j] = distance;
            } else if (i >= 0) {
                back[i] = distance;
            }
        }
        if (threadIdx.x == 0) {
            others = n - 1;
        }
        __syncthreads();
    }
};

// Removes the bit above the bits `below` from a number: 1011 becomes 111 if `below` is 11.
__device__ __forceinline__ uint32 without_bit(uint32 number, uint32 below) {
    return (number & below) | (number >> 1 & ~below);
}

// Inserts a bit 0 above the bits `below`: 111 becomes 1011 if `below` is 11.
__device__ __forceinline__ uint32 with_bit(uint32 number, uint32 below) {
    return (number & below) | (number & ~below) << 1;
}

// The table of a row. For each other place and each set without this place, it stores the length of the shortest path
// from place 0 through all places of the set to the place. The bit of the place, which is 0, is removed from the set's
// number, so the whole table is used. For example, with 4 other places, the path through the set 1001 to place 1 is at
// index 8 * 1 + 5, because removing bit 1 leaves 101, which is 5.
struct Lengths {
    double* lengths;
    int32 bits;  // the number of bits after the removal

    // Returns the length of the path to a place through the other places of a set. `below` has the bits below the
    // place's bit.
    __device__ __forceinline__ double to(int32 place, uint32 set, uint32 below) const {
        return lengths[(place << bits) + static_cast<int32>(without_bit(set, below))];
    }

    __device__ __forceinline__ double shortest(const Places& places, uint32 set, int32 to_place) const {
        const double* distances = places.between + to_place * places.others;
        double least = infinity();
        for (uint32 rest = set; rest != 0; rest &= rest - 1) {
            uint32 below = ~rest & (rest - 1);
            int32 i = __popc(below);
            double length = __dadd_rn(to(i, set, below), distances[i]);
            least = length < least ? length : least;
        }
        return least;
    }

    // Fills the table, with all threads of the block. `sets` contains all numbers of `set_bits` bits, in ascending
    // order of their number of ones, then of their values. Therefore, among the numbers with equally many ones, those
    // of `bits` bits come first.
    __device__ __forceinline__ void fill(const Places& places, const uint32* sets, int32 set_bits) const {
        for (int32 j = threadIdx.x; j < places.others; j += blockDim.x) {
            lengths[j << bits] = places.first[j];
        }
        __syncthreads();
        int32 begin = 0;
        int32 listed = 1;
        int32 count = 1;
        for (int32 size = 1; size <= bits; size++) {
            begin += listed;
            // the binomial coefficients of set_bits and size, and of bits and size
            listed = listed * (set_bits - size + 1) / size;
            count = count * (bits - size + 1) / size;
            for (int32 e = threadIdx.x; e < count * places.others; e += blockDim.x) {
                int32 j = e / count;
                uint32 number = sets[begin + e % count];
                lengths[(j << bits) + static_cast<int32>(number)] =
                        shortest(places, with_bit(number, (1u << j) - 1), j);
            }
            __syncthreads();
        }
    }
};

// Finds the tour from its last place to its first, with one warp. Each lane tries one place.
__device__ __forceinline__ void trace(
        const Places& places, const Lengths& table, const TourAnswers& answers, const Classified& rows_of, int32 row) {
    int32 lane = threadIdx.x;
    uint32 below = (1u << lane) - 1;
    uint32 set = (1u << places.others) - 1;
    bool is_place = lane < places.others;
    double length = is_place ? __dadd_rn(table.to(lane, set, below), places.back[lane]) : infinity();
    double least = length;
#pragma unroll
    for (int32 other = 16; other > 0; other /= 2) {
        double length_of = __shfl_xor_sync(~0u, least, other);
        least = length_of < least ? length_of : least;
    }
    if (!is_allowed(least)) {
        if (lane == 0) {
            rows_of.reject(row);
        }
        return;
    }
    uint8* tour = answers.tours + static_cast<int64>(MAX_PLACES) * row;
    int32 last = __ffs(__ballot_sync(~0u, is_place && length == least)) - 1;
    for (int32 at = places.others; at > 0; at--) {
        if (lane == 0) {
            tour[at] = static_cast<uint8>(last + 1);
        }
        double left = table.to(last, set, (1u << last) - 1);
        set &= ~(1u << last);
        bool fits = (set >> lane & 1) != 0
                && __dadd_rn(table.to(lane, set, below), places.between[last * places.others + lane]) == left;
        last = __ffs(__ballot_sync(~0u, fits)) - 1;
    }
    if (lane == 0) {
        tour[0] = 0;
        answers.lengths[row] = least;
        answers.counts[row] = places.others + 1;
    }
}

__device__ __forceinline__ void solve(
        Places& places,
        double* lengths,
        const TourCalls& calls,
        const TourAnswers& answers,
        const Classified& rows_of,
        const uint32* sets,
        int32 set_bits,
        int32 row) {
    places.load(calls, row);
    if (places.others == 0) {
        if (threadIdx.x == 0) {
            answers.tours[static_cast<int64>(MAX_PLACES) * row] = 0;
            answers.lengths[row] = 0;
            answers.counts[row] = 1;
        }
        return;
    }
    Lengths table = {lengths, places.others - 1};
    table.fill(places, sets, set_bits);
    if (threadIdx.x < 32) {
        trace(places, table, answers, rows_of, row);
    }
}

}  // namespace

// Solves the rows of a group, which blocks take in turn. Their tables are in shared memory.
extern "C" __global__ void __launch_bounds__(1024) shortest_tour_shared(
        Slots slots,
        TourCalls calls,
        TourAnswers answers,
        Classified rows_of,
        const uint32* sets,
        int32 set_bits) {
    extern __shared__ double table[];
    __shared__ Places places;
    for (int32 i = slots.next(); i < slots.to; i = slots.next()) {
        int32 row = slots.order[i];
        solve(places, table, calls, answers, rows_of, sets, set_bits, row);
    }
}

// Works like shortest_tour_shared, but with tables in slots, one for each block.
extern "C" __global__ void __launch_bounds__(1024) shortest_tour_global(
        Slots slots,
        TourCalls calls,
        TourAnswers answers,
        Classified rows_of,
        const uint32* sets,
        int32 set_bits) {
    __shared__ Places places;
    double* table = reinterpret_cast<double*>(slots.of_block());
    for (int32 i = slots.next(); i < slots.to; i = slots.next()) {
        int32 row = slots.order[i];
        solve(places, table, calls, answers, rows_of, sets, set_bits, row);
    }
}

// Copies the tours of all rows, with one warp per row.
extern "C" __global__ void shortest_tour_places(int32 rows, TourAnswers answers, const int32* offsets, int32* places) {
    int64 row = thread_index() / 32;
    if (row >= rows) {
        return;
    }
    int32 at = threadIdx.x % 32;
    if (at < offsets[row + 1] - offsets[row]) {
        places[offsets[row] + at] = answers.tours[MAX_PLACES * row + at];
    }
}
