// Creates texts that consist of words from other texts.
#include "align/names/word_sets.cuh"
#include "common/host.cuh"
#include "common/sum.cuh"

// The words to join: all words in ascending order, or the distinct words that the other text lacks.
enum Chosen : int32 { SORTED = 0, OTHER = 1 };
FOR_HOST(SORTED);
FOR_HOST(OTHER);
constexpr int32 SETS_BYTES = sizeof(WordSets);
FOR_HOST(SETS_BYTES);

// Computes the number of bytes in the joined words of each text: 0 for null rows and for rows that exceed a thread's
// limits.
//
// - left (output): the number of rows that are left to the CPU, then the indices of these rows
// - cells: a counter to which the kernel adds the number of cells in the tables of all pairs of texts
// - sets (output): the word sets of each row, if the words to join are those that the other text lacks
extern "C" __global__ void __launch_bounds__(256) token_lengths(
        int32 rows,
        const uint32* validity,
        Texts a,
        Texts b,
        int32 chosen,
        int32* a_lengths,
        int32* b_lengths,
        int32* left,
        int64* cells,
        WordSets* sets) {
    int64 row = thread_index();
    int64 own = 0;
    if (row < rows) {
        a_lengths[row] = 0;
        b_lengths[row] = 0;
        if (is_valid(validity, row)) {
            Words a_words(a, row);
            Words b_words(b, row);
            own = static_cast<int64>(a_words.characters) * b_words.characters;
            if (a_words.is_solved && b_words.is_solved) {
                if (chosen == OTHER) {
                    a_words.sort();
                    b_words.sort();
                    sets[row] = leave_others(a_words, b_words);
                }
                a_lengths[row] = a_words.joined();
                b_lengths[row] = b_words.joined();
            } else {
                left[1 + atomicAdd(left, 1)] = static_cast<int32>(row);
            }
        }
    }
    add_to(cells, own);
}

// Joins the words of each row; token_lengths has computed the length of the result. Uses one thread per text.
extern "C" __global__ void __launch_bounds__(256) token_join(
        int32 rows,
        Texts a,
        Texts b,
        const int32* a_offsets,
        uint8* a_joined,
        const int32* b_offsets,
        uint8* b_joined) {
    int64 row = thread_index() / 2;
    if (row >= rows) {
        return;
    }
    bool is_a = threadIdx.x % 2 == 0;
    const int32* offsets = is_a ? a_offsets : b_offsets;
    if (offsets[row + 1] > offsets[row]) {
        Words words(is_a ? a : b, row);
        words.sort();
        words.join((is_a ? a_joined : b_joined) + offsets[row]);
    }
}

// Joins the words that the other text lacks, with one thread per row.
extern "C" __global__ void __launch_bounds__(256) token_join_others(
        int32 rows,
        Texts a,
        Texts b,
        const int32* a_offsets,
        uint8* a_joined,
        const int32* b_offsets,
        uint8* b_joined) {
    int64 row = thread_index();
    if (row >= rows || (a_offsets[row + 1] == a_offsets[row] && b_offsets[row + 1] == b_offsets[row])) {
        return;
    }
    Words a_words(a, row);
    Words b_words(b, row);
    a_words.sort();
    b_words.sort();
    leave_others(a_words, b_words);
    a_words.join(a_joined + a_offsets[row]);
    b_words.join(b_joined + b_offsets[row]);
}
