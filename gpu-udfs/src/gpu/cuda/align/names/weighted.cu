// Computes the minimum cost of edits between two short texts, as defined by
// dev.bellman.align.names.WeightedEditDistance. A thread computes the table for a pair row by row. The cost of a path
// is summed from its beginning.
//
// If some substitutions have individual costs, the characters in these substitutions are replaced by CODE_POINTS plus
// their number. No other character has such a value, so this does not change which characters are equal.
#include "align/names/texts.cuh"
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/utf8.cuh"

// The class of a pair is the sum of LONG if b has more than SHORT_BYTES bytes, and LISTED if some substitutions have
// individual costs. The CPU solves pairs with a text of more than MAX_BYTES bytes.
constexpr int32 SHORT_BYTES = 64;
constexpr int32 MAX_BYTES = 256;
constexpr int32 LONG = 1;
constexpr int32 LISTED = 2;
constexpr int32 CLASSES = 4;
FOR_HOST(SHORT_BYTES);
FOR_HOST(MAX_BYTES);
FOR_HOST(LONG);
FOR_HOST(LISTED);
FOR_HOST(CLASSES);

// The substitutions with individual costs. Their characters are numbered from 1.
struct ListedCosts {
    const int2* slots;    // a hash table with each character and its number; the number in empty slots is 0
    const double* costs;  // at the first character's number * count + the second's; negative if not listed
    int32 shift;          // the number of a hash's bits that are not part of a slot's index
    int32 count;          // the number of characters plus 1

    // Returns CODE_POINTS plus the number of a character in the list, and all other characters unchanged.
    __device__ __forceinline__ int32 symbol_of(int32 character) const {
        uint32 place = static_cast<uint32>(character) * 0x9e3779b1u >> shift;
        int2 slot = slots[place];
        while (slot.y != 0 && slot.x != character) {
            place = (place + 1) & (~0u >> shift);
            slot = slots[place];
        }
        return slot.y == 0 ? character : CODE_POINTS + slot.y;
    }
};

STRUCT_FOR_HOST(ListedCosts);
MEMBER_FOR_HOST(ListedCosts, slots);
MEMBER_FOR_HOST(ListedCosts, costs);
MEMBER_FOR_HOST(ListedCosts, shift);
MEMBER_FOR_HOST(ListedCosts, count);

// The costs of edits in each row.
struct Costs {
    const double* insertion;
    const double* deletion;
    const double* substitution;
    const ListedCosts* lists;  // the lists of substitutions with individual costs
    const int32* list_of;      // the number of each row's list; null if no row has a list

    __device__ __forceinline__ bool has_listed(int64 row) const {
        return list_of != nullptr && lists[list_of[row]].count > 1;
    }
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
    } else if (costs.list_of != nullptr && costs.list_of[row] < 0) {
        rows_of.put(row, ON_CPU, 0, 0);
    } else if (
            !is_allowed(costs.insertion[row]) || !is_allowed(costs.deletion[row])
            || !is_allowed(costs.substitution[row])) {
        rows_of.put(row, REJECTED, 0, 0);
    } else {
        int32 a_bytes = a.offsets[row + 1] - a.offsets[row];
        int32 b_bytes = b.offsets[row + 1] - b.offsets[row];
        int32 key = (b_bytes > SHORT_BYTES ? LONG : 0) + (costs.has_listed(row) ? LISTED : 0);
        rows_of.put(row, key, max(a_bytes, b_bytes), 0);
    }
}

// Solves the rows order[0..count). For each thread of the block, shared memory contains a row of the table and the
// characters of b, of which there are at most `most`.
//
// - HAS_LISTED: whether the rows have lists of substitutions with individual costs
template <bool HAS_LISTED>
__device__ __forceinline__ void solve(
        int32 count,
        const int32* order,
        const Texts& a,
        const Texts& b,
        const Costs& costs,
        int32 most,
        double* distances) {
    extern __shared__ double shared[];
    int64 place = thread_index();
    if (place >= count) {
        return;
    }
    int32 step = blockDim.x;
    double* values = shared + threadIdx.x;  // the value of column j is at j * step
    int32* characters = reinterpret_cast<int32*>(shared + (most + 1) * step) + threadIdx.x;
    int64 row = order[place];
    ListedCosts listed = {};
    if constexpr (HAS_LISTED) {
        listed = costs.lists[costs.list_of[row]];
    }
    double insertion = costs.insertion[row];
    double deletion = costs.deletion[row];
    double substitution = costs.substitution[row];
    const uint8* bytes = b.bytes + b.offsets[row];
    int32 length = b.offsets[row + 1] - b.offsets[row];
    int32 columns = 0;
    double left = 0;
    values[0] = left;
    for (int32 at = 0; at < length; at += bytes_from(bytes[at])) {
        int32 character = character_at(bytes, at, length);
        characters[columns * step] = HAS_LISTED ? listed.symbol_of(character) : character;
        left += insertion;
        values[++columns * step] = left;
    }
    bytes = a.bytes + a.offsets[row];
    length = a.offsets[row + 1] - a.offsets[row];
    for (int32 at = 0; at < length; at += bytes_from(bytes[at])) {
        int32 character = character_at(bytes, at, length);
        const double* costs_of = nullptr;
        uint32 numbers = 0;  // how many numbers have a cost in `costs_of`
        if constexpr (HAS_LISTED) {
            character = listed.symbol_of(character);
            uint32 number = character - CODE_POINTS;
            if (number < listed.count) {
                costs_of = listed.costs + number * listed.count;
                numbers = listed.count;
            }
        }
        double diagonal = values[0];
        left = diagonal + deletion;
        values[0] = left;
        for (int32 j = 0; j < columns; j++) {
            int32 other = characters[j * step];
            double cost = substitution;
            if constexpr (HAS_LISTED) {
                uint32 number = other - CODE_POINTS;
                if (number < numbers && costs_of[number] >= 0) {
                    cost = costs_of[number];
                }
            }
            double substituted = character == other ? diagonal : diagonal + cost;
            diagonal = values[(j + 1) * step];
            left = min(substituted, min(diagonal + deletion, left + insertion));
            values[(j + 1) * step] = left;
        }
    }
    distances[row] = left;
}

extern "C" __global__ void __launch_bounds__(64) weighted_solve(
        int32 count, const int32* order, Texts a, Texts b, Costs costs, int32 most, double* distances) {
    solve<false>(count, order, a, b, costs, most, distances);
}

extern "C" __global__ void __launch_bounds__(64) weighted_solve_listed(
        int32 count, const int32* order, Texts a, Texts b, Costs costs, int32 most, double* distances) {
    solve<true>(count, order, a, b, costs, most, distances);
}
