// Computes the largest ratio between the shorter text and any window of the longer one, as defined by
// dev.bellman.align.names.PartialRatio. A thread solves a pair: it computes the longest common subsequence of the
// shorter text, which is the pattern, and each window, as in bits/column.cuh.
//
// Between adjacent windows of n characters, the length of the common subsequence grows by at most one. Therefore, if a
// window has c characters in common and the best one so far has b, the next window that can have more than b begins b +
// 1 - c positions later.
#include "align/bits/alphabets.cuh"
#include "align/bits/column.cuh"
#include "align/names/ratio.cuh"
#include "common/host.cuh"

constexpr int32 LONGEST = 4096;  // the maximum number of characters in either text
FOR_HOST(LONGEST);

namespace {

// Processes a range of a text's columns, and padding columns up to a multiple of eight. After each column, calls `then`
// with the number of columns processed.
template <int K, class Symbols, class Then>
__device__ __forceinline__ void pass(LcsColumn<K>& state, Symbols& symbols, int32 from, int32 length, Then then) {
    Border none = {0, 0};
    NoMoves moves;
    uint32 equal[K];
#pragma unroll 1
    for (int32 position = 0; position < length; position += 8) {
        symbols.load(from + position);
#pragma unroll
        for (int i = 0; i < 8; i++) {
            find_equal(symbols, symbols.column(i, position + i < length ? ~0u : 0), equal);
            state.template step<false>(equal, none, none, moves);
            then(position + i + 1);
        }
    }
}

// Returns the number of characters in common with the window at `from`.
template <int K, class Symbols>
__device__ __forceinline__ int32 common_of(Symbols& symbols, int32 n, int32 from, int32 length) {
    LcsColumn<K> state;
    state.reset();
    pass<K>(state, symbols, from, length, [](int32) {});
    return state.growth(n);
}

// The best window at an end of the text, given by its number of characters in common and its length.
struct AtEnd {
    int32 n;
    int32 common = 0;
    int32 length = 0;

    __device__ __forceinline__ bool is_better(int32 other, int32 other_length) const {
        return static_cast<int64>(other) * (n + length) > static_cast<int64>(common) * (n + other_length);
    }

    __device__ __forceinline__ void put(int32 other, int32 other_length) {
        if (is_better(other, other_length)) {
            common = other;
            length = other_length;
        }
    }
};

// Returns the ratio, or 0 if it is less than the cutoff.
template <int K, class Symbols>
__device__ __forceinline__ double partial_ratio(Symbols& symbols, int32 n, int32 m, double cutoff) {
    int32 within = 0;
#pragma unroll 1
    for (int32 from = 0; from < m - n && within < n;) {
        int32 common = common_of<K>(symbols, n, from, n);
        within = max(within, common);
        from += within + 1 - common;
    }
    AtEnd end = {n};
    LcsColumn<K> first;
    first.reset();
    pass<K>(first, symbols, 0, n - 1, [&](int32 length) {
        if (length < n) {
            end.put(first.growth(n), length);
        }
    });
    int32 most = n;
#pragma unroll 1
    for (int32 length = n; length > 0; length--) {
        // a shorter window does not have more characters in common
        most = min(most, length);
        if (end.is_better(most, length) && 2LL * most * n >= static_cast<int64>(within) * (n + length)) {
            most = common_of<K>(symbols, n, m - length, length);
            end.put(most, length);
        }
    }
    double ratio = within == 0 ? 0 : __dmul_rn(ratio_similarity(2LL * n, within), MAX_RATIO);
    ratio = ratio >= cutoff ? ratio : 0;
    if (end.common == 0) {
        return ratio;
    }
    double similarity = ratio_similarity(static_cast<int64>(n) + end.length, end.common);
    return max(ratio, ratio_at_least(max(cutoff, ratio), similarity));
}

// Solves pairs. If both texts have the same length, each serves as the pattern once.
template <template <int, int> class Symbols, int K, int BLOCK>
__device__ __forceinline__ void solve(
        const Pair* pairs, int32 count, const double* cutoffs, double* ratios) {
    int64 index = thread_index();
    if (index >= count) {
        return;
    }
    Pair pair = pairs[index];
    double cutoff = cutoffs == nullptr ? 0 : cutoffs[pair.row];
    if (cutoff > MAX_RATIO) {
        ratios[pair.row] = 0;
        return;
    }
    int32 sides = pair.pattern_length == pair.text_length ? 2 : 1;
    double ratio = 0;
#pragma unroll 1
    for (int32 side = 0; side < sides; side++) {
        if (side == 1) {
            const void* text = pair.text;
            pair.text = pair.pattern;
            pair.pattern = text;
        }
        Symbols<K, BLOCK> symbols(pair, 0);
        double least = max(cutoff, ratio);
        ratio = max(ratio, partial_ratio<K>(symbols, pair.pattern_length, pair.text_length, least));
    }
    ratios[pair.row] = ratio;
}

}  // namespace

// Solves pairs whose shorter text is empty.
//
// - cutoffs: one cutoff per row, below which the ratio becomes 0; nullptr if there are no cutoffs
extern "C" __global__ void partial_ratio_empty(
        const Pair* pairs, int32 count, const double* cutoffs, double* ratios) {
    int64 index = thread_index();
    if (index < count) {
        Pair pair = pairs[index];
        double cutoff = cutoffs == nullptr ? 0 : cutoffs[pair.row];
        ratios[pair.row] = pair.text_length == 0 && cutoff <= MAX_RATIO ? MAX_RATIO : 0;
    }
}

#define PARTIAL_RATIO(name, Symbols, K) \
    extern "C" __global__ void __launch_bounds__(64) partial_ratio_##name##_##K( \
            const Pair* pairs, int32 count, const double* cutoffs, double* ratios) { \
        solve<Symbols, K, 64>(pairs, count, cutoffs, ratios); \
    }

PARTIAL_RATIO(ascii, Ascii, 1)
PARTIAL_RATIO(ascii, Ascii, 2)
PARTIAL_RATIO(ascii, Ascii, 3)
PARTIAL_RATIO(ascii, Ascii, 4)
PARTIAL_RATIO(ascii, Ascii, 6)
PARTIAL_RATIO(ascii, Ascii, 8)
PARTIAL_RATIO(wide, CodePoints, 1)
PARTIAL_RATIO(wide, CodePoints, 4)
PARTIAL_RATIO(malformed, AnyCharacters, 1)
PARTIAL_RATIO(malformed, AnyCharacters, 4)
