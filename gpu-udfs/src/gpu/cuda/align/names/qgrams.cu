// Computes the similarity between the q-gram sets of short texts, as defined by dev.bellman.align.names.QGrams. A
// thread compares the grams of a pair one by one. Characters are equal if their bytes are equal, so grams are
// compared by their bytes.
#include "align/names/texts.cuh"
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/utf8.cuh"

constexpr int32 MAX_BYTES = 256;  // the maximum length of a text; the CPU solves longer texts in linear time
FOR_HOST(MAX_BYTES);

namespace {

enum Coefficient : int32 { NO_COEFFICIENT = 0, JACCARD = 1, DICE = 2, COSINE = 3 };

__device__ __forceinline__ int32 coefficient_of(const Texts& names, int64 row) {
    return names.equals(row, "jaccard") ? JACCARD
        : names.equals(row, "dice")     ? DICE
        : names.equals(row, "cosine")   ? COSINE
                                        : NO_COEFFICIENT;
}

// Iterates over the grams of a text in order. The current gram consists of the bytes from `begin` to `end`.
struct Grams {
    const uint8* bytes;
    int32 length;
    int32 begin = 0;
    int32 end = 0;
    bool has_one = false;  // false if the text has fewer than q characters, and after the last gram

    __device__ __forceinline__ Grams(const Texts& texts, int64 row) :
        bytes(texts.bytes + texts.offsets[row]), length(texts.offsets[row + 1] - texts.offsets[row]) {}

    __device__ __forceinline__ void start(int32 q) {
        begin = 0;
        end = 0;
        int32 characters = 0;
        while (characters < q && end < length) {
            end += bytes_from(bytes[end]);
            characters++;
        }
        has_one = characters == q;
    }

    __device__ __forceinline__ void next() {
        has_one = end < length;
        if (has_one) {
            begin += bytes_from(bytes[begin]);
            end += bytes_from(bytes[end]);
        }
    }

    // Whether two grams are equal. The last character may be truncated.
    __device__ __forceinline__ bool equals(const Grams& other) const {
        int32 size = min(end, length) - begin;
        bool same = size == min(other.end, other.length) - other.begin;
        for (int32 i = 0; i < size && same; i++) {
            same = bytes[begin + i] == other.bytes[other.begin + i];
        }
        return same;
    }

    // Whether a gram equals any of a text's grams that begin before a given position.
    __device__ __forceinline__ bool occurs(Grams in, int32 q, int32 before) const {
        bool found = false;
        for (in.start(q); in.has_one && in.begin < before && !found; in.next()) {
            found = equals(in);
        }
        return found;
    }
};

__device__ __forceinline__ bool same_texts(const Grams& a, const Grams& b) {
    bool same = a.length == b.length;
    for (int32 i = 0; i < a.length && same; i++) {
        same = a.bytes[i] == b.bytes[i];
    }
    return same;
}

// Computes the coefficient. The order of operations is part of the definition.
__device__ __forceinline__ double share(int32 coefficient, double common, double a, double b) {
    return coefficient == JACCARD ? __ddiv_rn(common, __dadd_rn(__dadd_rn(a, b), -common))
        : coefficient == DICE     ? __ddiv_rn(__dmul_rn(2, common), __dadd_rn(a, b))
                                  : __ddiv_rn(common, __dsqrt_rn(__dmul_rn(a, b)));
}

}  // namespace

extern "C" __global__ void __launch_bounds__(256) qgrams_classify(
        int32 rows, const uint32* validity, Texts a, Texts b, const int32* q, Texts coefficients, Classified rows_of) {
    int64 row = thread_index();
    if (row >= rows) {
        return;
    }
    if (!is_valid(validity, row)) {
        rows_of.put(row, NULL_ROW, 0, 0);
    } else if (q[row] < 1 || coefficient_of(coefficients, row) == NO_COEFFICIENT) {
        rows_of.put(row, REJECTED, 0, 0);
    } else {
        int32 longer = max(a.offsets[row + 1] - a.offsets[row], b.offsets[row + 1] - b.offsets[row]);
        rows_of.put(row, 0, longer, 0);
    }
}

// Solves the rows order[0..count).
extern "C" __global__ void __launch_bounds__(256) qgrams_solve(
        int32 count, const int32* order, Texts a, Texts b, const int32* q, Texts coefficients, double* similarities) {
    int64 place = thread_index();
    if (place >= count) {
        return;
    }
    int64 row = order[place];
    Grams of_a(a, row);
    Grams of_b(b, row);
    if (of_a.length == 0 || of_b.length == 0) {
        similarities[row] = of_a.length == of_b.length ? 1 : 0;
        return;
    }
    int32 most = q[row];
    of_a.start(most);
    of_b.start(most);
    if (!of_a.has_one || !of_b.has_one) {
        similarities[row] = same_texts(of_a, of_b) ? 1 : 0;
        return;
    }
    int32 a_count = 0;
    int32 b_count = 0;
    int32 common = 0;
    for (; of_a.has_one; of_a.next()) {
        if (!of_a.occurs(of_a, most, of_a.begin)) {
            a_count++;
            common += of_a.occurs(of_b, most, of_b.length) ? 1 : 0;
        }
    }
    for (; of_b.has_one; of_b.next()) {
        b_count += of_b.occurs(of_b, most, of_b.begin) ? 0 : 1;
    }
    similarities[row] = share(coefficient_of(coefficients, row), common, a_count, b_count);
}
