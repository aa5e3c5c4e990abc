// Finds the ends of all substrings of a text that are within a given edit distance of a pattern, as defined by
// dev.bellman.align.search.Occurrences.
//
// The first pass counts the columns whose value in the last row is within the limit (edit_search_all_count_*). The
// second pass lists these columns as matches (edit_search_all_list_*). A match with d edits has at most n + d
// characters, where n is the length of the pattern, and d is at most min(n, max). Therefore, the second pass starts to
// read the text n + min(n, max) characters before the first end, or slightly earlier, and stops at the last end, or
// shortly after it. It also lists a pair for each match: the reversed pattern and the reversed text before the end. The
// kernels of edit_search.cu then find the beginning of each match.
#include "align/search/iupac.cuh"
#include "align/search/reversed.cuh"
#include "align/search/sweep.cuh"
#include "columns/instances.cuh"
#include "common/host.cuh"

// Arguments of a launch. Arrays per pair begin with the launch's first pair. If rows have an array of patterns, each
// pattern counts as a row (patterns.cu).
struct SearchAll {
    Classified rows;
    const int32* limits;  // the largest distance of a match, per row
    const uint8* iupac;   // whether letters are IUPAC codes, per row; null if they never are
    int32* row_counts;    // output of the first pass: the number of matches per row
    int32* counts;        // output of the first pass: the number of matches per pair
    // output of the first pass, per pair: a column not after the first match, and one not before the last match
    int2* spans;
    const int32* firsts;  // the index of the first match in the result, per row
    const int32* places;  // the index of the first match among the matches of all launches, per pair
    int32 place;          // places[0]
    Pair* turned;         // the reversed pattern and the reversed part of the text, per pair
    int32* distances;     // output of the second pass: the result
    int32* ends;
    int32* begins;        // written only for empty patterns
    int32* patterns;      // null if the result has no index of patterns
    const int32* pattern_of;  // the index of each row's pattern in its array
    Pair* matches;        // output of the second pass: the launch's matches for edit_search.cu
};

namespace {

// The pairs that a kernel solves: those whose letters are IUPAC codes, or the others. OTHERS_ELSE_CPU also assigns
// pairs with IUPAC codes to the CPU.
enum Codes { OTHERS, OTHERS_ELSE_CPU, IUPAC };

template <Codes CODES>
__device__ __forceinline__ bool solves(const SearchAll& search, int32 row) {
    bool iupac = search.iupac != nullptr && search.iupac[row] != 0;
    return iupac == (CODES == IUPAC);
}

// Returns whether the kernel counts the matches of a pair. Otherwise, another kernel counts them, or this function
// assigns the pair's row to the CPU or rejects it.
template <Codes CODES>
__device__ __forceinline__ bool counts(const SearchAll& search, const Pair& pair) {
    if (!solves<CODES>(search, pair.row)) {
        if (CODES == OTHERS_ELSE_CPU) {
            search.rows.keys[pair.row] = ON_CPU;
        }
        return false;
    }
    bool rejected = search.limits[pair.row] < 0;
    if (CODES == IUPAC) {
        for (int32 i = 0; i < pair.pattern_length; i++) {
            rejected |= iupac_bases(static_cast<const uint8*>(pair.pattern)[i]) == 0;
        }
    }
    if (rejected) {
        search.rows.reject(pair.row);
    }
    return !rejected;
}

// The part of a pair's text that the second pass reads.
struct Part {
    int32 from;
    int32 to;

    __device__ __forceinline__ Part(const SearchAll& search, const Pair& pair, int64 index) {
        int2 span = search.spans[index];
        from = max(0, span.x - pair.pattern_length - min(pair.pattern_length, search.limits[pair.row]));
        to = span.y;
    }
};

// Counts matches: columns where the value of the last row has fallen by at least `needed` since column 0.
struct Count {
    int32 needed;
    int32 count;
    int32 counted = 0;
    int2 span = {0, 0};

    __device__ __forceinline__ explicit Count(int32 needed) : needed(needed), count(needed <= 0 ? 1 : 0) {}

    __device__ __forceinline__ void column(int32 fallen, int32) {
        count += fallen >= needed ? 1 : 0;
    }

    __device__ __forceinline__ void columns(int32 from, int32 to) {
        if (count != counted) {
            span = {counted == 0 ? from : span.x, to};
            counted = count;
        }
    }

    __device__ __forceinline__ void put(const SearchAll& search, const Pair& pair, int64 index) const {
        search.row_counts[pair.row] = count;
        search.counts[index] = count;
        search.spans[index] = span;
    }
};

// Lists the columns that Count counts.
struct List {
    int32 needed;
    int32 pattern_length;
    int32 from;
    int32 bytes;  // the size of a symbol
    int32 iupac;
    Pair turned;
    int32 next;   // the index of the next match in the result
    int32 pattern;
    int32* patterns;
    int32* distances;
    int32* ends;
    Pair* matches;

    __device__ __forceinline__ List(
            const SearchAll& search, const Pair& pair, int64 index, int32 from, int32 bytes, bool iupac)
        : needed(pair.pattern_length - search.limits[pair.row]),
          pattern_length(pair.pattern_length),
          from(from),
          bytes(bytes),
          iupac(iupac ? 1 : 0),
          turned(search.turned[index]),
          next(search.firsts[pair.row]),
          pattern(search.patterns == nullptr ? 0 : search.pattern_of[pair.row]),
          patterns(search.patterns),
          distances(search.distances),
          ends(search.ends),
          matches(search.matches + (search.places[index] - search.place)) {}

    // Column 0 is a match only if an empty substring is within the limit. In this case, every column is a match, so the
    // part starts at the beginning of the text.
    __device__ __forceinline__ void first_column() {
        column(0, 0);
    }

    __device__ __forceinline__ void column(int32 fallen, int32 at) {
        if (fallen >= needed) {
            int32 distance = pattern_length - fallen;
            distances[next] = distance;
            ends[next] = from + at;
            if (patterns != nullptr) {
                patterns[next] = pattern;
            }
            const uint8* text = static_cast<const uint8*>(turned.text)
                + static_cast<int64>(bytes) * (turned.text_length - at);
            *matches++ = {turned.pattern, text, pattern_length, min(at, pattern_length + distance), next++, iupac};
        }
    }

    __device__ __forceinline__ void columns(int32, int32) {}
};

// Calls a visitor for the columns of a sweep by the lanes of a warp, except for groups that cannot contain a match.
template <class Visitor>
struct EachColumn {
    Visitor& visitor;
    int32 fallen = 0;

    __device__ __forceinline__ void pass(uint32 rises, uint32 falls, int32 from, int32 columns) {
        uint32 known = ~0u << (32 - columns);
        if (fallen + __popc(falls & known) < visitor.needed) {
            fallen += __popc(falls & known) - __popc(rises & known);
            return;
        }
        for (int32 i = 0; i < columns; i++) {
            fallen += static_cast<int32>(falls >> 31) - static_cast<int32>(rises >> 31);
            falls <<= 1;
            rises <<= 1;
            visitor.column(fallen, from + i + 1);
        }
        visitor.columns(from, from + columns);
    }
};

template <Codes CODES, template <int, int> class Symbols, int K, int BLOCK>
__device__ __forceinline__ void count_alone(const Pair* pairs, int32 count, const SearchAll& search) {
    int64 index = thread_index();
    if (index >= count) {
        return;
    }
    Pair pair = pairs[index];
    if (counts<CODES>(search, pair)) {
        Count found(pair.pattern_length - search.limits[pair.row]);
        sweep_alone<Symbols, K, BLOCK>(pair, pair.text_length, true, found);
        found.put(search, pair, index);
    }
}

template <Codes CODES, template <int, int> class Symbols, int K, int BLOCK>
__device__ __forceinline__ void list_alone(const Pair* pairs, int32 count, const SearchAll& search, int32 bytes) {
    int64 index = thread_index();
    if (index >= count || search.counts[index] == 0) {
        return;
    }
    Pair pair = pairs[index];
    if (solves<CODES>(search, pair.row)) {
        Part part(search, pair, index);
        List found(search, pair, index, part.from, bytes, CODES == IUPAC);
        found.first_column();
        pair.text = static_cast<const uint8*>(pair.text) + static_cast<int64>(bytes) * part.from;
        pair.text_length = part.to - part.from;
        sweep_alone<Symbols, K, BLOCK>(pair, pair.text_length, true, found);
    }
}

// The lanes of a warp may have different pairs. All of them exchange borders, even those whose pair is not swept.
template <template <int, int> class Symbols, int L, int K, int BLOCK>
__device__ __forceinline__ void count_together(const Pair* pairs, int32 count, const SearchAll& search) {
    int64 index = thread_index() / L;
    int32 lane = threadIdx.x % L;
    Pair pair = pairs[min(index, count - 1LL)];
    bool counted = counts<OTHERS_ELSE_CPU>(search, pair);
    Count found(pair.pattern_length - search.limits[pair.row]);
    EachColumn<Count> each{found};
    sweep_together<Symbols, L, K, BLOCK>(pair, counted ? pair.text_length : 0, true, lane, each);
    if (counted && lane == L - 1 && index < count) {
        found.put(search, pair, index);
    }
}

template <template <int, int> class Symbols, int L, int K, int BLOCK>
__device__ __forceinline__ void list_together(const Pair* pairs, int32 count, const SearchAll& search, int32 bytes) {
    int64 index = thread_index() / L;
    int32 lane = threadIdx.x % L;
    bool listed = index < count && search.counts[index] > 0;
    if (!__any_sync(~0u, listed)) {
        return;
    }
    index = min(index, count - 1LL);
    Pair pair = pairs[index];
    Part part(search, pair, index);
    List found(search, pair, index, part.from, bytes, false);
    if (listed && lane == L - 1) {
        found.first_column();
    }
    pair.text = static_cast<const uint8*>(pair.text) + (listed ? static_cast<int64>(bytes) * part.from : 0);
    pair.text_length = listed ? part.to - part.from : 0;
    EachColumn<List> each{found};
    sweep_together<Symbols, L, K, BLOCK>(pair, pair.text_length, true, lane, each);
}

}  // namespace

// Solves pairs whose pattern is empty. Such a pattern matches before each character and at the end of the text.
extern "C" __global__ void edit_search_all_count_empty(const Pair* pairs, int32 count, SearchAll search) {
    int64 index = thread_index();
    if (index < count) {
        Pair pair = pairs[index];
        if (search.limits[pair.row] < 0) {
            search.rows.reject(pair.row);
        } else {
            search.row_counts[pair.row] = pair.text_length + 1;
        }
    }
}

extern "C" __global__ void edit_search_all_list_empty(const Pair* pairs, int32 count, SearchAll search) {
    int64 index = thread_index() / 32;
    if (index < count && search.row_counts[pairs[index].row] > 0) {
        Pair pair = pairs[index];
        int64 first = search.firsts[pair.row];
        for (int64 end = threadIdx.x % 32; end <= pair.text_length; end += 32) {
            search.distances[first + end] = 0;
            search.begins[first + end] = static_cast<int32>(end);
            search.ends[first + end] = static_cast<int32>(end);
            if (search.patterns != nullptr) {
                search.patterns[first + end] = search.pattern_of[pair.row];
            }
        }
    }
}

// For each pair that has matches, sets the offset at which edit_search_all_turn writes the pair's symbols.
//
// - symbols: the total number of symbols to write, to which the kernel adds
extern "C" __global__ void __launch_bounds__(256) edit_search_all_room(
        const Pair* pairs, int32 count, SearchAll search, int64* offsets, unsigned long long* symbols) {
    int64 index = thread_index();
    int64 its = 0;
    if (index < count && search.counts[index] > 0) {
        Pair pair = pairs[index];
        Part part(search, pair, index);
        its = static_cast<int64>(pair.pattern_length) + part.to - part.from;
    }
    int64 up_to = sum_up_to_lane(its);
    int64 offset = 0;
    if (threadIdx.x % 32 == 31) {
        offset = static_cast<int64>(atomicAdd(symbols, static_cast<unsigned long long>(up_to)));
    }
    offset = __shfl_sync(~0u, offset, 31);
    if (index < count) {
        offsets[index] = offset + up_to - its;
    }
}

// Reverses the patterns, and the parts of the texts that the second pass reads, with one warp for each pair.
extern "C" __global__ void __launch_bounds__(256) edit_search_all_turn(
        const Pair* pairs, int32 count, int32 is_wide, SearchAll search, const int64* offsets, uint8* room) {
    int64 index = thread_index() / 32;
    if (index < count && search.counts[index] > 0) {
        Pair pair = pairs[index];
        Part part(search, pair, index);
        uint8* to = room + (is_wide ? 4 : 1) * offsets[index];
        Pair turned = reverse_pair(pair, part.to, part.to - part.from, is_wide != 0, to, threadIdx.x % 32);
        if (threadIdx.x % 32 == 0) {
            search.turned[index] = turned;
        }
    }
}

#define ALL_ALONE(name, CODES, Symbols, K) \
    extern "C" __global__ void __launch_bounds__(64) edit_search_all_count_##name##_1x##K( \
            const Pair* pairs, int32 count, SearchAll search) { \
        count_alone<CODES, Symbols, K, 64>(pairs, count, search); \
    } \
    extern "C" __global__ void __launch_bounds__(64) edit_search_all_list_##name##_1x##K( \
            const Pair* pairs, int32 count, SearchAll search, int32 bytes) { \
        list_alone<CODES, Symbols, K, 64>(pairs, count, search, bytes); \
    }

#define ALL_BYTES(name, CODES, Symbols) \
    ALL_ALONE(name, CODES, Symbols, 1) \
    ALL_ALONE(name, CODES, Symbols, 2) \
    ALL_ALONE(name, CODES, Symbols, 3) \
    ALL_ALONE(name, CODES, Symbols, 4) \
    ALL_ALONE(name, CODES, Symbols, 5) \
    ALL_ALONE(name, CODES, Symbols, 6) \
    ALL_ALONE(name, CODES, Symbols, 7) \
    ALL_ALONE(name, CODES, Symbols, 8)

#define ALL_TOGETHER(name, Symbols, L, K, BLOCK) \
    extern "C" __global__ void __launch_bounds__(BLOCK) edit_search_all_count_##name##_##L##x##K( \
            const Pair* pairs, int32 count, SearchAll search) { \
        count_together<Symbols, L, K, BLOCK>(pairs, count, search); \
    } \
    extern "C" __global__ void __launch_bounds__(BLOCK) edit_search_all_list_##name##_##L##x##K( \
            const Pair* pairs, int32 count, SearchAll search, int32 bytes) { \
        list_together<Symbols, L, K, BLOCK>(pairs, count, search, bytes); \
    }

#define ALL_LANES(L) \
    ALL_TOGETHER(ascii, FreeAscii, L, 5, 64) \
    ALL_TOGETHER(ascii, FreeAscii, L, 6, 64) \
    ALL_TOGETHER(ascii, FreeAscii, L, 8, 64)

#define ALL_CHARACTERS(name, Symbols) \
    ALL_ALONE(name, OTHERS_ELSE_CPU, Symbols, 1) \
    ALL_TOGETHER(name, Symbols, 4, 1, 64) \
    ALL_TOGETHER(name, Symbols, 8, 1, 64) \
    ALL_TOGETHER(name, Symbols, 32, 1, 64)

ALL_BYTES(nucleotides, OTHERS, FreeNucleotides)
ALL_BYTES(ascii, OTHERS, FreeAscii)
ALL_BYTES(iupac, IUPAC, FreeIupac)
ALL_LANES(2)
ALL_LANES(4)
ALL_LANES(8)
ALL_LANES(16)
ALL_LANES(32)
ALL_TOGETHER(ascii, FreeAscii, 32, 10, 32)
ALL_TOGETHER(ascii, FreeAscii, 32, 12, 32)
ALL_CHARACTERS(wide, FreeCodePoints)
ALL_CHARACTERS(malformed, FreeAnyCharacters)
