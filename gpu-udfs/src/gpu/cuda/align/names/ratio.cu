// The ratio of each pair from the length of its longest common subsequence.
#include "align/names/ratio.cuh"
#include "align/pairs.cuh"

// common, ratios    one per row
extern "C" __global__ void ratio_of_lengths(const Pair* pairs, int32 count, const int32* common, double* ratios) {
    int64 index = thread_index();
    if (index < count) {
        Pair pair = pairs[index];
        int64 both = static_cast<int64>(pair.pattern_length) + pair.text_length;
        ratios[pair.row] = ratio_at_least(0, ratio_similarity(both, common[pair.row]));
    }
}
