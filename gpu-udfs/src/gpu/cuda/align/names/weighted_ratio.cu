// Computes the largest of several weighted ratios, as defined by dev.bellman.align.names.Ratios.weightedRatio, with one
// thread per pair of whole texts. Other kernels compute these ratios. Between launches of those kernels, the kernels in
// this file compute the cutoffs. If a pair does not need a ratio, its cutoff is larger than any ratio.
#include "align/names/ratio.cuh"
#include "align/names/word_sets.cuh"
#include "align/pairs.cuh"

constexpr double UNREACHED = 1.7976931348623157e308;
constexpr double WORDS_WEIGHT = 0.95;
constexpr double PART_WEIGHT = 0.9;
constexpr double SMALL_PART_WEIGHT = 0.6;
constexpr double LONGER = 1.5;
constexpr double MUCH_LONGER = 8;

// Returns the length of the longer text divided by that of the shorter text. The pattern is the shorter text, which is
// not empty.
__device__ __forceinline__ double longer(const Pair& pair) {
    return __ddiv_rn(pair.text_length, pair.pattern_length);
}

// Returns the weight of partial ratios, or 0 if the texts are compared as a whole.
__device__ __forceinline__ double part_weight(const Pair& pair) {
    if (pair.pattern_length == 0 || longer(pair) < LONGER) {
        return 0;
    }
    return longer(pair) <= MUCH_LONGER ? PART_WEIGHT : SMALL_PART_WEIGHT;
}

// Returns the cutoff for a ratio with this weight: the weighted ratio can exceed `best` only if the ratio is at least
// the cutoff.
__device__ __forceinline__ double cutoff_of(double best, double weight) {
    double cutoff = __ddiv_rn(best, weight);
    return cutoff > MAX_RATIO ? UNREACHED : cutoff;
}

// Computes the cutoffs for the partial ratios of the texts.
//
// - whole: the ratios of the whole texts, one per row; all arrays below also have one entry per row
// - cutoffs: the output
extern "C" __global__ void weighted_ratio_parts(const Pair* pairs, int32 count, const double* whole, double* cutoffs) {
    int64 index = thread_index();
    if (index < count) {
        Pair pair = pairs[index];
        double weight = part_weight(pair);
        cutoffs[pair.row] = weight == 0 ? UNREACHED : cutoff_of(whole[pair.row], weight);
    }
}

// Computes the best ratio so far, and the cutoffs for the word ratios.
//
// - best: on input, the ratios of the whole texts; on output, the larger of this ratio and the weighted partial ratio
// - parts: the partial ratios of the texts
// - wholes (output): the cutoffs for the ratios of all words
// - places (output): the cutoffs for the partial ratios of words
extern "C" __global__ void weighted_ratio_words(
        const Pair* pairs,
        int32 count,
        const WordSets* sets,
        const double* parts,
        double* best,
        double* wholes,
        double* places) {
    int64 index = thread_index();
    if (index >= count) {
        return;
    }
    Pair pair = pairs[index];
    double weight = part_weight(pair);
    double found = max(best[pair.row], __dmul_rn(parts[pair.row], weight));
    double cutoff = cutoff_of(found, WORDS_WEIGHT);
    best[pair.row] = found;
    wholes[pair.row] = weight == 0 ? cutoff : UNREACHED;
    places[pair.row] = weight == 0 || sets[pair.row].common > 0 ? UNREACHED : cutoff;
}

// Computes the cutoffs for the partial ratios of the words that the other text lacks.
//
// - all: the partial ratios of all words
// - cutoffs: on input, the cutoffs for these ratios; on output, the cutoffs for the words that the other text lacks
extern "C" __global__ void weighted_ratio_others(
        const Pair* pairs, int32 count, const WordSets* sets, const double* all, double* cutoffs) {
    int64 index = thread_index();
    if (index < count) {
        int32 row = pairs[index].row;
        cutoffs[row] = sets[row].kind == OTHERS ? max(cutoffs[row], all[row]) : UNREACHED;
    }
}

// Computes the largest ratio.
//
// - sorted: the ratios of the sorted words
// - of_sets: the ratios of the word sets
// - all: the partial ratios of all words
// - others: the partial ratios of the words that the other text lacks
// - best: on input, the largest ratio so far; on output, the largest of all ratios
extern "C" __global__ void weighted_ratio_largest(
        const Pair* pairs,
        int32 count,
        const WordSets* sets,
        const double* sorted,
        const double* of_sets,
        const double* all,
        const double* others,
        double* best) {
    int64 index = thread_index();
    if (index >= count) {
        return;
    }
    Pair pair = pairs[index];
    double before = best[pair.row];
    double weight = part_weight(pair);
    bool may_count = __ddiv_rn(before, WORDS_WEIGHT) <= MAX_RATIO;
    double words = 0;
    if (may_count && weight == 0) {
        words = max(sorted[pair.row], of_sets[pair.row]);
    } else if (may_count) {
        words = sets[pair.row].common > 0 ? MAX_RATIO : max(all[pair.row], others[pair.row]);
    }
    double weighted = __dmul_rn(words, WORDS_WEIGHT);
    double largest = max(before, weight == 0 ? weighted : __dmul_rn(weighted, weight));
    best[pair.row] = pair.pattern_length == 0 ? 0 : largest;
}
