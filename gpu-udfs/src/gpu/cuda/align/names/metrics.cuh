// Computes the distances, Jaro similarities and ratio of dev.bellman.align.names.Metric in one thread, for two texts of
// at most LONGEST characters. The computation is bit-parallel, as in the kernels for individual metrics.
#pragma once

#include "align/bits/column.cuh"
#include "align/distance/jaro.cuh"
#include "align/distance/transposition_column.cuh"
#include "align/names/ratio.cuh"
#include "align/names/texts.cuh"
#include "common/utf8.cuh"

constexpr int32 WORDS = 2;  // the number of words of 32 characters
constexpr int32 LONGEST = 32 * WORDS;
constexpr int32 MAX_PREFIX = 4;

// Distances come first, then similarities.
enum Metric : int32 {
    EDIT_DISTANCE = 0,
    OSA_DISTANCE = 1,
    DAMERAU_LEVENSHTEIN = 2,
    JARO_SIMILARITY = 3,
    JARO_WINKLER_SIMILARITY = 4,
    RATIO = 5,
    METRIC_ON_CPU = 6,
    NO_METRIC = 7
};

__device__ __forceinline__ int32 metric_named(const Texts& names, int64 row) {
    return names.equals(row, "edit_distance")             ? EDIT_DISTANCE
        : names.equals(row, "osa_distance")               ? OSA_DISTANCE
        : names.equals(row, "damerau_levenshtein")        ? DAMERAU_LEVENSHTEIN
        : names.equals(row, "jaro_similarity")            ? JARO_SIMILARITY
        : names.equals(row, "jaro_winkler_similarity")    ? JARO_WINKLER_SIMILARITY
        : names.equals(row, "ratio")                      ? RATIO
        : names.equals(row, "partial_ratio") || names.equals(row, "token_sort_ratio")
                || names.equals(row, "token_set_ratio") || names.equals(row, "weighted_ratio")
            ? METRIC_ON_CPU
            : NO_METRIC;
}

// The characters of a text.
struct Held {
    int32 characters[LONGEST];
    int32 length;

    // Reads bytes of at most LONGEST characters.
    __device__ __forceinline__ Held(const uint8* bytes, int32 begin, int32 end) {
        length = 0;
        for (int32 at = begin; at < end; at += bytes_from(bytes[at])) {
            characters[length++] = character_at(bytes, at, end);
        }
    }
};

// Implements an alphabet like those in bits/alphabets.cuh. It compares each character of the text with the whole
// pattern, which is short.
struct HeldSymbols {
    const Held& pattern;
    const Held& text;
    int32 position = 0;

    struct Column {
        int32 character;
        uint32 valid;
    };

    __device__ __forceinline__ HeldSymbols(const Held& its_pattern, const Held& its_text) :
        pattern(its_pattern), text(its_text) {}

    __device__ __forceinline__ void load(int32 at) {
        position = at;
    }

    __device__ __forceinline__ Column column(int32 i, uint32 valid) const {
        return {position + i < text.length ? text.characters[position + i] : NO_CHARACTER, valid};
    }

    __device__ __forceinline__ uint32 equal(const Column& column, int k) const {
        uint32 rows = 0;
#pragma unroll 1
        for (int32 i = 32 * k; i < min(32 * k + 32, pattern.length); i++) {
            rows |= (pattern.characters[i] == column.character ? 1u : 0) << (i & 31);
        }
        return rows & column.valid;
    }
};

// Returns how much the values grow along the last column.
template <template <int> class State>
__device__ __forceinline__ int32 growth_of(const Held& a, const Held& b) {
    HeldSymbols symbols(a, b);
    State<WORDS> state;
    state.reset();
    NoMoves moves;
    solve_alone(state, symbols, b.length, moves);
    return state.growth(a.length);
}

template <int K>
struct OsaColumn : TranspositionColumn<K, false> {};

template <int K>
struct DamerauColumn : TranspositionColumn<K, true> {};

__device__ __forceinline__ Matches matches_of(const Held& a, const Held& b) {
    HeldSymbols symbols(a, b);
    return matches_alone<WORDS, LONGEST>(symbols, a.length, b.length);
}

// Returns the length of the common prefix, limited to `most`.
__device__ __forceinline__ int32 prefix_of(const Held& a, const Held& b, int32 most) {
    int32 prefix = 0;
    while (prefix < min(most, min(a.length, b.length)) && a.characters[prefix] == b.characters[prefix]) {
        prefix++;
    }
    return prefix;
}

__device__ __forceinline__ double jaro_winkler(const Held& a, const Held& b, int32 most_prefix) {
    if (a.length == 0 || b.length == 0) {
        return a.length == b.length ? 1 : 0;
    }
    return jaro_winkler_of(a.length, b.length, matches_of(a, b), prefix_of(a, b, most_prefix));
}

__device__ __noinline__ double metric_of(int32 metric, const Held& a, const Held& b) {
    switch (metric) {
        case EDIT_DISTANCE:
            return b.length + growth_of<EditColumn>(a, b);
        case OSA_DISTANCE:
            return b.length + growth_of<OsaColumn>(a, b);
        case DAMERAU_LEVENSHTEIN:
            return b.length + growth_of<DamerauColumn>(a, b);
        case JARO_SIMILARITY:
            return jaro_winkler(a, b, 0);
        case JARO_WINKLER_SIMILARITY:
            return jaro_winkler(a, b, MAX_PREFIX);
        default:
            return ratio_at_least(0, ratio_similarity(a.length + b.length, growth_of<LcsColumn>(a, b)));
    }
}
