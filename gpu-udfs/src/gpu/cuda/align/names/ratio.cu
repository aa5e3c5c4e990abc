// Computes the ratio of each pair from the length of its longest common subsequence.
#include "align/names/ratio.cuh"
#include "align/names/word_sets.cuh"
#include "align/pairs.cuh"

// - common, ratios: one number per row
// - cutoffs: one cutoff per row, below which the ratio becomes 0; nullptr if there are no cutoffs
extern "C" __global__ void ratio_of_lengths(
        const Pair* pairs, int32 count, const int32* common, const double* cutoffs, double* ratios) {
    int64 index = thread_index();
    if (index < count) {
        Pair pair = pairs[index];
        int64 both = static_cast<int64>(pair.pattern_length) + pair.text_length;
        double cutoff = cutoffs == nullptr ? 0 : cutoffs[pair.row];
        ratios[pair.row] = ratio_at_least(cutoff, ratio_similarity(both, common[pair.row]));
    }
}

// Computes the ratio of the word sets of each row. A pair consists of the words that only one of the texts contains.
extern "C" __global__ void ratio_of_sets(
        const Pair* pairs,
        int32 count,
        const int32* common,
        const WordSets* sets,
        const double* cutoffs,
        double* ratios) {
    int64 index = thread_index();
    if (index >= count) {
        return;
    }
    Pair pair = pairs[index];
    WordSets of_row = sets[pair.row];
    if (of_row.kind == BLANK || of_row.kind == WITHIN) {
        ratios[pair.row] = of_row.kind == WITHIN ? MAX_RATIO : 0;
        return;
    }
    double cutoff = cutoffs == nullptr ? 0 : cutoffs[pair.row];
    int64 before = of_row.common == 0 ? 0 : 1;
    int64 with_a = of_row.common + before + pair.pattern_length;
    int64 with_b = of_row.common + before + pair.text_length;
    int64 distance = static_cast<int64>(pair.pattern_length) + pair.text_length - 2LL * common[pair.row];
    double ratio = ratio_of_distance(distance, with_a + with_b, cutoff);
    if (of_row.common > 0) {
        ratio = max(ratio, ratio_of_distance(before + pair.pattern_length, of_row.common + with_a, cutoff));
        ratio = max(ratio, ratio_of_distance(before + pair.text_length, of_row.common + with_b, cutoff));
    }
    ratios[pair.row] = ratio;
}
