// Computes functions of two lists of texts or words that apply a metric to each pair of these, as defined by
// dev.bellman.align.names.Matching, with one thread per row. The CPU solves rows with long texts, with many pairs, or
// with metrics that metrics.cuh lacks.
#include "align/names/metrics.cuh"
#include "align/names/words.cuh"
#include "columns/instances.cuh"
#include "common/host.cuh"

constexpr int32 MAX_PAIRS = 1024;   // the maximum number of pairs per row; a row with more would keep its warp waiting
constexpr int32 WORK_CLASSES = 12;  // the number of classes, which are in descending order of the number of pairs
FOR_HOST(WORK_CLASSES);

// A column of lists of texts.
struct TextLists {
    const int32* offsets;
    Texts texts;
    const uint32* validity;  // the validity mask of the texts
};

namespace {

// The class number decreases as the bit length of the number of pairs increases.
__device__ __forceinline__ void put_pairs(const Classified& rows_of, int64 row, int64 pairs) {
    int32 bits = 32 - __clz(static_cast<int32>(min(pairs, MAX_PAIRS + 1LL)));
    rows_of.put(row, pairs > MAX_PAIRS ? ON_CPU : WORK_CLASSES - 1 - bits, 0, 0);
}

__device__ __forceinline__ bool words_are_short(const Words& words) {
    bool are = words.is_solved;
    for (int32 i = 0; i < words.count && are; i++) {
        are = words.characters_of(i) <= LONGEST;
    }
    return are;
}

// Whether a list contains at least one text and no NULL.
__device__ __forceinline__ bool has_texts(const TextLists& lists, int64 row) {
    int32 from = lists.offsets[row];
    int32 to = lists.offsets[row + 1];
    bool has = from < to;
    for (int32 i = from; i < to && has; i++) {
        has = is_valid(lists.validity, i);
    }
    return has;
}

__device__ __forceinline__ bool texts_are_short(const TextLists& lists, int64 row) {
    bool are = true;
    for (int32 i = lists.offsets[row]; i < lists.offsets[row + 1] && are; i++) {
        int32 end = lists.texts.offsets[i + 1];
        int32 characters = 0;
        for (int32 at = lists.texts.offsets[i]; at < end && characters <= LONGEST;) {
            at += bytes_from(lists.texts.bytes[at]);
            characters++;
        }
        are = characters <= LONGEST;
    }
    return are;
}

__device__ __forceinline__ Held text_of(const TextLists& lists, int32 i) {
    return Held(lists.texts.bytes, lists.texts.offsets[i], lists.texts.offsets[i + 1]);
}

// Computes the best value among all pairs of a row's texts.
template <class Better>
__device__ __forceinline__ void solve_pairwise(
        int32 count,
        const int32* order,
        const TextLists& a,
        const TextLists& b,
        const Texts& metrics,
        double* values,
        Better is_better) {
    int64 place = thread_index();
    if (place >= count) {
        return;
    }
    int64 row = order[place];
    int32 metric = metric_named(metrics, row);
    double best = 0;
    bool has_one = false;
    for (int32 i = a.offsets[row]; i < a.offsets[row + 1]; i++) {
        Held text = text_of(a, i);
        for (int32 j = b.offsets[row]; j < b.offsets[row + 1]; j++) {
            double value = metric_of(metric, text, text_of(b, j));
            best = !has_one || is_better(value, best) ? value : best;
            has_one = true;
        }
    }
    values[row] = best;
}

}  // namespace

extern "C" __global__ void __launch_bounds__(128) monge_elkan_classify(
        int32 rows, const uint32* validity, Texts a, Texts b, Texts metrics, Classified rows_of) {
    int64 row = thread_index();
    if (row >= rows) {
        return;
    }
    int32 metric = is_valid(validity, row) ? metric_named(metrics, row) : NO_METRIC;
    if (!is_valid(validity, row)) {
        rows_of.put(row, NULL_ROW, 0, 0);
    } else if (metric < JARO_SIMILARITY || metric == NO_METRIC) {
        rows_of.put(row, REJECTED, 0, 0);
    } else if (metric == METRIC_ON_CPU) {
        rows_of.put(row, ON_CPU, 0, 0);
    } else {
        Words a_words(a, row);
        Words b_words(b, row);
        bool are_short = words_are_short(a_words) && words_are_short(b_words);
        put_pairs(rows_of, row, are_short ? a_words.count * b_words.count : MAX_PAIRS + 1);
    }
}

// Solves the rows order[0..count).
extern "C" __global__ void __launch_bounds__(128) monge_elkan_solve(
        int32 count, const int32* order, Texts a, Texts b, Texts metrics, double* similarities) {
    int64 place = thread_index();
    if (place >= count) {
        return;
    }
    int64 row = order[place];
    int32 metric = metric_named(metrics, row);
    Words a_words(a, row);
    Words b_words(b, row);
    double sum = 0;
    for (int32 i = 0; i < a_words.count && b_words.count > 0; i++) {
        Held word(a_words.bytes, a_words.begins[i], a_words.ends[i]);
        double most = 0;
        for (int32 j = 0; j < b_words.count; j++) {
            Held other(b_words.bytes, b_words.begins[j], b_words.ends[j]);
            most = max(most, metric_of(metric, word, other));
        }
        sum = __dadd_rn(sum, most);
    }
    similarities[row] = sum == 0 ? 0 : __ddiv_rn(sum, a_words.count);
}

extern "C" __global__ void __launch_bounds__(128) pairwise_classify(
        int32 rows, const uint32* validity, TextLists a, TextLists b, Texts metrics, Classified rows_of) {
    int64 row = thread_index();
    if (row >= rows) {
        return;
    }
    int32 metric = is_valid(validity, row) ? metric_named(metrics, row) : NO_METRIC;
    if (!is_valid(validity, row)) {
        rows_of.put(row, NULL_ROW, 0, 0);
    } else if (metric == NO_METRIC || !has_texts(a, row) || !has_texts(b, row)) {
        rows_of.put(row, REJECTED, 0, 0);
    } else if (metric == METRIC_ON_CPU || !texts_are_short(a, row) || !texts_are_short(b, row)) {
        rows_of.put(row, ON_CPU, 0, 0);
    } else {
        int64 a_count = a.offsets[row + 1] - a.offsets[row];
        put_pairs(rows_of, row, a_count * (b.offsets[row + 1] - b.offsets[row]));
    }
}

extern "C" __global__ void __launch_bounds__(128) pairwise_min_solve(
        int32 count, const int32* order, TextLists a, TextLists b, Texts metrics, double* values) {
    solve_pairwise(count, order, a, b, metrics, values, [](double value, double best) { return value < best; });
}

extern "C" __global__ void __launch_bounds__(128) pairwise_max_solve(
        int32 count, const int32* order, TextLists a, TextLists b, Texts metrics, double* values) {
    solve_pairwise(count, order, a, b, metrics, values, [](double value, double best) { return value > best; });
}
