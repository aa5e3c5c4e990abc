// Computes the minimum edit distance between a pattern and a substring of a text, either anywhere in the text or at its
// beginning, and the position of that substring, as defined by dev.bellman.align.search.EditSearch.
//
// The match ends at the first column with the smallest value. To find where the match begins, a second pass searches
// for the reversed pattern in the reversed text before the match's end (edit_search_turn), and chooses the last such
// column.
#include "align/search/iupac.cuh"
#include "align/search/reversed.cuh"
#include "align/search/sweep.cuh"
#include "common/host.cuh"

// Arguments of a launch.
struct Search {
    int32 anywhere;       // whether a match may begin anywhere
    int32 last;           // whether to find the last column with the smallest value, as in the second pass
    const int32* limits;  // the largest distance of interest per row, or null
    int32* distances;     // output: the distance for each row
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
    int32 last;  // Search::last
    int32 fallen;
    int32 most;
    int32 place;  // the first column with the largest fall; the last such column if `last` is set

    __device__ __forceinline__ explicit LastRow(const Search& search)
        : last(search.last), fallen(0), most(0), place(0) {}

    __device__ __forceinline__ void put(const Pair& pair, const Search& search) const {
        int32 distance = pair.pattern_length - most;
        bool too_far = search.limits != nullptr && distance > search.limits[pair.row];
        search.distances[pair.row] = too_far ? -1 : distance;
        if (search.last) {
            search.begins[pair.row] = search.ends[pair.row] - place;
        } else if (search.ends != nullptr) {
            search.ends[pair.row] = place;
        }
    }

    __device__ __forceinline__ void pass(uint32 rises, uint32 falls, int32 from, int32 columns) {
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
                place = from + i + 1;
            }
        }
    }
};

// The last row in a sweep with one thread. PLACES: whether to find the column with the smallest value.
template <bool PLACES>
struct LastRowAlone : LastRow {
    using LastRow::LastRow;

    __device__ __forceinline__ void column(int32 value, int32 at) {
        if (!PLACES) {
            most = max(most, value);
        } else if (value + last > most) {
            most = value;
            place = at;
        }
    }

    __device__ __forceinline__ void columns(int32, int32) {}
};

// Solves each pair with one thread.
template <template <int, int> class Symbols, int K, int BLOCK, bool PLACES>
__device__ __forceinline__ void search_alone(const Pair* pairs, int32 count, const Search& search) {
    int64 index = thread_index();
    if (index >= count) {
        return;
    }
    Pair pair = pairs[index];
    LastRowAlone<PLACES> found(search);
    sweep_alone<Symbols, K, BLOCK>(pair, search.text_length(pair), search.anywhere != 0, found);
    found.put(pair, search);
}

// Solves each pair with L lanes of a warp.
template <template <int, int> class Symbols, int L, int K, int BLOCK>
__device__ __forceinline__ void search_together(const Pair* pairs, int32 count, const Search& search) {
    int32 index = static_cast<int32>(thread_index() / L);
    int32 lane = threadIdx.x % L;
    Pair pair = pairs[min(index, count - 1)];
    LastRow found(search);
    sweep_together<Symbols, L, K, BLOCK>(pair, search.text_length(pair), search.anywhere != 0, lane, found);
    if (lane == L - 1 && index < count) {
        found.put(pair, search);
    }
}

}  // namespace

// Solves pairs whose pattern is empty.
extern "C" __global__ void edit_search_empty(const Pair* pairs, int32 count, Search search) {
    int64 index = thread_index();
    if (index < count) {
        LastRow(search).put(pairs[index], search);
    }
}

// Creates the pairs for the second pass, with one warp each: the reversed pattern, and the reversed text before the
// end, limited to the maximum length of a match.
//
// - symbol_bytes: 4 if any pair of the batch has symbols of four bytes, otherwise 1
// - room: memory for the symbols of all pairs; a pair's symbols are stored at the offset of its strings in the columns
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
    int32 end = search.ends[pair.row];
    int32 length = static_cast<int32>(
            min(static_cast<int64>(pair.pattern_length) + search.distances[pair.row], end + 0LL));
    int64 place = static_cast<int64>(a_offsets[pair.row]) - a_offsets[0] + b_offsets[pair.row] - b_offsets[0];
    Pair its = reverse_pair(pair, end, length, is_wide != 0, room + symbol_bytes * place, thread);
    if (thread == 0) {
        turned[index] = its;
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

// Finds where matches of edit_search_all.cu begin, for the pairs whose letters are IUPAC codes; `swapped` marks these
// pairs.
#define SEARCH_IUPAC(K) \
    extern "C" __global__ void __launch_bounds__(64) edit_search_places_iupac_1x##K( \
            const Pair* pairs, int32 count, Search search) { \
        if (thread_index() < count && pairs[thread_index()].swapped) { \
            search_alone<FreeIupac, K, 64, true>(pairs, count, search); \
        } \
    }

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
SEARCH_IUPAC(1)
SEARCH_IUPAC(2)
SEARCH_IUPAC(3)
SEARCH_IUPAC(4)
SEARCH_IUPAC(5)
SEARCH_IUPAC(6)
SEARCH_IUPAC(7)
SEARCH_IUPAC(8)
