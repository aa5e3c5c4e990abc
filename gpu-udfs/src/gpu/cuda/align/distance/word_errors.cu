// Counts the edits on the path of dev.bellman.align.distance.WordErrors, with one thread per pair of coded arrays. The
// pattern is the reference, and the text is the hypothesis.
#include "align/bits/path.cuh"
#include "common/host.cuh"

namespace {

// Counts the steps of a path.
struct ErrorCounter {
    static constexpr bool DIAGONAL_FIRST = false;

    template <int K>
    using Column = EditColumn<K>;

    int32 substitutions = 0;
    int32 deletions = 0;
    int32 insertions = 0;
    int32 hits = 0;

    __device__ __forceinline__ ErrorCounter(uint8*, const Pair&, int32, int32) {}

    __device__ __forceinline__ void diagonal(int32, bool equal) {
        hits += equal ? 1 : 0;
        substitutions += equal ? 0 : 1;
    }

    __device__ __forceinline__ void up(int32) {
        deletions++;
    }

    __device__ __forceinline__ void left(int32) {
        insertions++;
    }

    __device__ __forceinline__ void rest(int32 rows, int32 columns) {
        deletions += rows;
        insertions += columns;
    }
};

}  // namespace

// The results of each row.
struct ErrorCounts {
    int32* substitutions;
    int32* deletions;
    int32* insertions;
    int32* hits;
    double* rates;

    // common: the number of hits that are not on the counted path
    __device__ __forceinline__ void put(int32 row, const ErrorCounter& counter, int32 common) const {
        int32 found = counter.hits + common;
        int32 words = found + counter.substitutions + counter.deletions;
        substitutions[row] = counter.substitutions;
        deletions[row] = counter.deletions;
        insertions[row] = counter.insertions;
        hits[row] = found;
        rates[row] = __ddiv_rn(counter.substitutions + counter.deletions + counter.insertions, max(1, words));
    }
};

namespace {

// A pair without its common prefix and suffix, whose words are hits.
struct Core : Pair {
    int32 common;  // the number of words in the common prefix and suffix
};

struct Cores {
    static constexpr int32 supersequence = 0;

    const Pair* pairs;
    int32 count;
    ErrorCounts counts;

    // Returns the core of a pair, which keeps at least one word of each sequence. If the core of a sequence would
    // otherwise be empty, its only word is a hit on every path with the fewest edits.
    __device__ __forceinline__ Core pair(int64 index) const {
        Pair pair = pairs[index];
        const uint8* pattern = static_cast<const uint8*>(pair.pattern);
        const uint8* text = static_cast<const uint8*>(pair.text);
        int32 most = min(pair.pattern_length, pair.text_length) - 1;
        int32 prefix = 0;
        while (prefix < most && pattern[prefix] == text[prefix]) {
            prefix++;
        }
        most -= prefix;
        int32 suffix = 0;
        while (suffix < most
               && pattern[pair.pattern_length - 1 - suffix] == text[pair.text_length - 1 - suffix]) {
            suffix++;
        }
        int32 common = prefix + suffix;
        return {{pattern + prefix, text + prefix, pair.pattern_length - common, pair.text_length - common, pair.row, 0},
                common};
    }

    __device__ __forceinline__ uint8* end(const Pair&) const {
        return nullptr;
    }

    __device__ __forceinline__ void put(const Core& pair, Walk<ErrorCounter>& walk, const uint8*) const {
        walk.writer.rest(walk.row + 1, walk.column + 1);
        counts.put(pair.row, walk.writer, pair.common);
    }
};

}  // namespace

#define WORD_ERRORS(K, BLOCK) \
    extern "C" __global__ void __launch_bounds__(BLOCK) word_errors_1x##K( \
            const Pair* pairs, int32 count, ErrorCounts counts, uint2* saved, int32 checkpoints) { \
        path_alone<ErrorCounter, Ascii, K, BLOCK>(Cores{pairs, count, counts}, saved, checkpoints); \
    }

// The blocks have the same sizes as in PATH_BYTES.
WORD_ERRORS(1, 64)
WORD_ERRORS(2, 64)
WORD_ERRORS(3, 64)
WORD_ERRORS(4, 64)
WORD_ERRORS(5, 32)
WORD_ERRORS(6, 32)
WORD_ERRORS(7, 32)
WORD_ERRORS(8, 32)
WORD_ERRORS(10, 32)
WORD_ERRORS(12, 32)
WORD_ERRORS(16, 32)

// Counts the errors of pairs with an empty sequence.
extern "C" __global__ void word_errors_empty(const Pair* pairs, int32 count, ErrorCounts counts) {
    int64 index = thread_index();
    if (index < count) {
        Pair pair = pairs[index];
        ErrorCounter counter(nullptr, pair, 0, 0);
        counter.rest(pair.pattern_length, pair.text_length);
        counts.put(pair.row, counter, 0);
    }
}
