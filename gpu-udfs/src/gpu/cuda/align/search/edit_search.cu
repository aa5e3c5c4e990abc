// Computes the minimum edit distance between a pattern and a substring of a text, either anywhere in the text or at its
// beginning, and the position of that substring, as defined by dev.bellman.align.search.EditSearch.
//
// The recurrence is that of bits/column.cuh. If a match may begin anywhere, the row above the table is 0 and never
// grows. The pattern ends at the last row of the last word (symbols.cuh). Therefore, a column's value grows if the
// highest of its rise bits is set, and falls if the addition carries out of the last word.
//
// The match ends at the first column with the smallest value. To find where the match begins, a second pass searches
// for the reversed pattern in the reversed text before the match's end (edit_search_turn), and chooses the last such
// column.
#include "align/bits/column.cuh"
#include "align/search/symbols.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"

// Arguments of a launch.
struct Search {
    int32 anywhere;       // whether a match may begin anywhere
    int32 last;           // whether to find the last column with the smallest value, as in the second pass
    const int32* limits;  // the largest distance of interest per row, or null
    int32* distances;     // output: one per row
    int32* ends;          // the ends of the matches, output by the first pass; null if not requested
    int32* begins;        // the beginnings of the matches, output by the second pass

    // Returns the length of the text to search: a match at the beginning is no longer than twice the pattern.
    __device__ __forceinline__ int32 text_length(const Pair& pair) const {
        return anywhere ? pair.text_length : static_cast<int32>(min(2LL * pair.pattern_length, pair.text_length + 0LL));
    }
};

namespace {

// Tracks how far the value in the last row has fallen below the value in column 0, which is the length of the pattern.
struct LastRow {
    int32 fallen = 0;
    int32 most = 0;
    int32 column = 0;  // the first column with the largest fall, or the last one

    __device__ __forceinline__ void put(const Pair& pair, const Search& search) const {
        int32 distance = pair.pattern_length - most;
        bool too_far = search.limits != nullptr && distance > search.limits[pair.row];
        search.distances[pair.row] = too_far ? -1 : distance;
        if (search.last) {
            search.begins[pair.row] = search.ends[pair.row] - column;
        } else if (search.ends != nullptr) {
            search.ends[pair.row] = column;
        }
    }

    // Processes columns, given words whose highest bits show where the value rises and falls.
    __device__ __forceinline__ void pass(uint32 rises, uint32 falls, int32 from, int32 columns, int32 last) {
        uint32 known = ~0u << (32 - columns);
        if (fallen + __popc(falls & known) + last <= most) {
            fallen += __popc(falls & known) - __popc(rises & known);
            return;
        }
        for (int32 i = 0; i < columns; i++) {
            fallen += static_cast<int32>(falls >> 31) - static_cast<int32>(rises >> 31);
            falls <<= 1;
            rises <<= 1;
            if (fallen + last > most) {
                most = fallen;
                column = from + i + 1;
            }
        }
    }
};

// A column of a whole pattern in one thread.
template <int K>
struct SearchColumn {
    uint32 pv[K];
    uint32 mv[K];

    __device__ __forceinline__ explicit SearchColumn(int32 first_row) {
#pragma unroll
        for (int k = 0; k < K; k++) {
            pv[k] = ~free_rows(first_row + 32 * k);
            mv[k] = 0;
        }
    }

    // Works like EditColumn::step, but the row above grows by the highest bit of `top`.
    __device__ __forceinline__ void step(const uint32 (&equal)[K], uint32 top, int32& fallen) {
        uint32 both[K];
        uint32 sum[K];
#pragma unroll
        for (int k = 0; k < K; k++) {
            both[k] = pv[k] & equal[k];
        }
#pragma unroll
        for (int k = 0; k < K; k++) {
            sum[k] = k > 0 ? add_carry_through(pv[k], both[k]) : add_carry_out(pv[k], both[k]);
        }
        uint32 falls = add_carry_in(fallen, 0);
        uint32 below = top;
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint32 carry = logic<XOR3>(sum[k], pv[k], both[k]);
            uint32 level = logic<OR3>(equal[k], mv[k], carry);
            uint32 rises = logic<OR_NOR>(mv[k], level, pv[k]);
            uint32 shifted = __funnelshift_l(below, rises, 1);
            below = rises;
            pv[k] = logic<OR_NOR>(carry, level, shifted);
            mv[k] = shifted & level;
        }
        fallen = static_cast<int32>(falls) + (static_cast<int32>(below) >> 31);
    }
};

// Solves pairs. PLACES: whether to find the column with the smallest value.
template <template <int, int> class Symbols, int K, int BLOCK, bool PLACES>
__device__ __forceinline__ void search_alone(const Pair* pairs, int32 count, const Search& search) {
    int64 index = thread_index();
    if (index >= count) {
        return;
    }
    Pair pair = pairs[index];
    int32 length = search.text_length(pair);
    int32 first_row = pair.pattern_length - 32 * K;
    Symbols<K, BLOCK> symbols(pair, first_row, search.anywhere != 0);
    SearchColumn<K> state(first_row);
    uint32 top = search.anywhere ? 0 : ~0u;
    LastRow found;
    auto pass = [&](int32 i, int32 column) {
        uint32 equal[K];
        find_equal(symbols, symbols.column(i, ~0u), equal);
        state.step(equal, top, found.fallen);
        if (PLACES) {
            if (found.fallen + search.last > found.most) {
                found.most = found.fallen;
                found.column = column;
            }
        } else {
            found.most = max(found.most, found.fallen);
        }
    };
    int32 head = length & 7;
    if (head != 0) {
        symbols.load(0);
#pragma unroll 1
        for (int32 i = 0; i < head; i++) {
            pass(i, i + 1);
        }
    }
#pragma unroll 1
    for (int32 position = head; position < length; position += 8) {
        symbols.load(position);
#pragma unroll
        for (int i = 0; i < 8; i++) {
            pass(i, position + i + 1);
        }
    }
    found.put(pair, search);
}

// Solves each pair with L lanes of a warp. A lane has K words of rows below the previous lane's rows, and is 32 columns
// behind that lane. The last lane has the last row.
template <template <int, int> class Symbols, int L, int K, int BLOCK>
__device__ __forceinline__ void search_together(const Pair* pairs, int32 count, const Search& search) {
    int32 index = static_cast<int32>(thread_index() / L);
    int32 lane = threadIdx.x % L;
    Pair pair = pairs[min(index, count - 1)];
    int32 length = search.text_length(pair);
    int32 blocks = static_cast<int32>((length + 31LL) / 32);
    int32 steps = blocks + L - 1;
#pragma unroll
    for (int other = L; other < 32; other *= 2) {
        steps = max(steps, __shfl_xor_sync(~0u, steps, other));
    }
    int32 first_row = pair.pattern_length - 32 * K * (L - lane);
    Symbols<K, BLOCK> symbols(pair, first_row, search.anywhere != 0);
    EditColumn<K> state;
    state.reset();
#pragma unroll
    for (int k = 0; k < K; k++) {
        state.pv[k] &= ~free_rows(first_row + 32 * k);
    }
    NoMoves moves;
    LastRow found;
    Border out = {0, 0};
#pragma unroll 1
    for (int32 step = 0; step < steps; step++) {
        Border in;
        in.rises = __shfl_up_sync(~0u, out.rises, 1, L);
        in.carries = __shfl_up_sync(~0u, out.carries, 1, L);
        if (lane == 0) {
            in = {search.anywhere ? 0 : ~0u, 0};
        }
        int32 block = step - lane;
        if (block >= 0 && block < blocks) {
            solve_block(state, symbols, 32 * block, ~0u, in, out, moves);
            if (lane == L - 1) {
                found.pass(out.rises, out.carries, 32 * block, min(32, length - 32 * block), search.last);
            }
        }
        __syncwarp();
    }
    if (lane == L - 1 && index < count) {
        found.put(pair, search);
    }
}

// Copies symbols in reverse order.
template <typename Symbol>
__device__ __forceinline__ void reverse(const void* from, int32 length, void* to, int32 thread) {
    for (int32 i = thread; i < length; i += 32) {
        static_cast<Symbol*>(to)[i] = static_cast<const Symbol*>(from)[length - 1 - i];
    }
}

}  // namespace

// Solves pairs whose pattern is empty.
extern "C" __global__ void edit_search_empty(const Pair* pairs, int32 count, Search search) {
    int64 index = thread_index();
    if (index < count) {
        LastRow().put(pairs[index], search);
    }
}

// Creates the pairs for the second pass, with one warp each: the reversed pattern, and the reversed text before the
// end, limited to the maximum length of a match.
//
// - symbol_bytes: 4 if any pair of the batch has symbols of four bytes, otherwise 1
// - room: memory for the symbols of all pairs; those of a pair are stored at the offset of its strings in the columns
extern "C" __global__ void __launch_bounds__(256) edit_search_turn(
        const Pair* pairs,
        int32 count,
        int32 is_wide,
        const int32* a_offsets,
        const int32* b_offsets,
        int32 symbol_bytes,
        uint8* room,
        Search search,
        Pair* turned) {
    int64 index = thread_index() / 32;
    if (index >= count) {
        return;
    }
    int32 thread = threadIdx.x % 32;
    Pair pair = pairs[index];
    int32 n = pair.pattern_length;
    int32 end = search.ends[pair.row];
    int32 length = static_cast<int32>(min(static_cast<int64>(n) + search.distances[pair.row], end + 0LL));
    int64 place = static_cast<int64>(a_offsets[pair.row]) - a_offsets[0] + b_offsets[pair.row] - b_offsets[0];
    uint8* pattern = room + symbol_bytes * place;
    int32 bytes = is_wide ? 4 : 1;
    uint8* text = pattern + static_cast<int64>(bytes) * n;
    const uint8* part = static_cast<const uint8*>(pair.text) + static_cast<int64>(bytes) * (end - length);
    if (is_wide) {
        reverse<int32>(pair.pattern, n, pattern, thread);
        reverse<int32>(part, length, text, thread);
    } else {
        reverse<uint8>(pair.pattern, n, pattern, thread);
        reverse<uint8>(part, length, text, thread);
    }
    if (thread == 0) {
        turned[index] = {pattern, text, n, length, pair.row, 0};
    }
}

#define SEARCH_ALONE(name, Symbols, K) \
    extern "C" __global__ void __launch_bounds__(64) edit_search_##name##_1x##K( \
            const Pair* pairs, int32 count, Search search) { \
        search_alone<Symbols, K, 64, false>(pairs, count, search); \
    } \
    extern "C" __global__ void __launch_bounds__(64) edit_search_places_##name##_1x##K( \
            const Pair* pairs, int32 count, Search search) { \
        search_alone<Symbols, K, 64, true>(pairs, count, search); \
    }

#define SEARCH_BYTES(name, Symbols) \
    SEARCH_ALONE(name, Symbols, 1) \
    SEARCH_ALONE(name, Symbols, 2) \
    SEARCH_ALONE(name, Symbols, 3) \
    SEARCH_ALONE(name, Symbols, 4) \
    SEARCH_ALONE(name, Symbols, 5) \
    SEARCH_ALONE(name, Symbols, 6) \
    SEARCH_ALONE(name, Symbols, 7) \
    SEARCH_ALONE(name, Symbols, 8)

#define SEARCH_TOGETHER(name, Symbols, L, K, BLOCK) \
    extern "C" __global__ void __launch_bounds__(BLOCK) edit_search_##name##_##L##x##K( \
            const Pair* pairs, int32 count, Search search) { \
        search_together<Symbols, L, K, BLOCK>(pairs, count, search); \
    }

#define SEARCH_LANES(L) \
    SEARCH_TOGETHER(ascii, FreeAscii, L, 5, 64) \
    SEARCH_TOGETHER(ascii, FreeAscii, L, 6, 64) \
    SEARCH_TOGETHER(ascii, FreeAscii, L, 8, 64)

#define SEARCH_CHARACTERS(name, Symbols) \
    SEARCH_ALONE(name, Symbols, 1) \
    SEARCH_TOGETHER(name, Symbols, 4, 1, 64) \
    SEARCH_TOGETHER(name, Symbols, 8, 1, 64) \
    SEARCH_TOGETHER(name, Symbols, 32, 1, 64)

SEARCH_BYTES(nucleotides, FreeNucleotides)
SEARCH_BYTES(ascii, FreeAscii)
SEARCH_LANES(2)
SEARCH_LANES(4)
SEARCH_LANES(8)
SEARCH_LANES(16)
SEARCH_LANES(32)
SEARCH_TOGETHER(ascii, FreeAscii, 32, 10, 32)
SEARCH_TOGETHER(ascii, FreeAscii, 32, 12, 32)
SEARCH_CHARACTERS(wide, FreeCodePoints)
SEARCH_CHARACTERS(malformed, FreeAnyCharacters)
