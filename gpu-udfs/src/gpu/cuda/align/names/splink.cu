// Computes the functions of dev.bellman.align.names.SplinkFunctions for two short texts in a thread. These functions
// compare UTF-16 code units, so the CPU solves texts with characters that take more than one unit.
#include "align/names/metrics.cuh"
#include "columns/instances.cuh"

namespace {

// Whether a text has at most LONGEST characters, each a single UTF-16 code unit.
__device__ __forceinline__ bool is_solved(const Texts& texts, int64 row) {
    int32 end = texts.offsets[row + 1];
    int32 characters = 0;
    bool are_units = true;
    for (int32 at = texts.offsets[row]; at < end && are_units && characters <= LONGEST;) {
        uint32 character = character_at(texts.bytes, at, end);
        are_units = character < 0xd800 || character - 0xe000 < 0x2000;
        at += bytes_from(texts.bytes[at]);
        characters++;
    }
    return are_units && characters <= LONGEST;
}

__device__ __forceinline__ double jaro_sim(const Held& a, const Held& b) {
    if (a.length == 0 || b.length == 0) {
        return a.length == b.length ? 1 : 0;
    }
    Matches matches = matches_of(a, b);
    return jaro_of(a.length, b.length, matches.count, matches.out_of_order / 2.0);
}

__device__ __forceinline__ bool has(const Held& text, int32 before, int32 character) {
    bool found = false;
    for (int32 i = 0; i < before && !found; i++) {
        found = text.characters[i] == character;
    }
    return found;
}

__device__ __forceinline__ double jaccard(const Held& a, const Held& b) {
    if (a.length == 0 || b.length == 0) {
        return a.length == b.length ? 1 : 0;
    }
    int32 all = 0;
    int32 common = 0;
    for (int32 i = 0; i < a.length; i++) {
        if (!has(a, i, a.characters[i])) {
            all++;
            common += has(b, b.length, a.characters[i]) ? 1 : 0;
        }
    }
    for (int32 i = 0; i < b.length; i++) {
        all += has(b, i, b.characters[i]) || has(a, a.length, b.characters[i]) ? 0 : 1;
    }
    return __ddiv_rn(common, all);
}

// Solves the rows order[0..count).
template <class Compare>
__device__ __forceinline__ void solve(
        int32 count, const int32* order, const Texts& a, const Texts& b, double* similarities, Compare compare) {
    int64 place = thread_index();
    if (place < count) {
        int64 row = order[place];
        Held its_a(a.bytes, a.offsets[row], a.offsets[row + 1]);
        Held its_b(b.bytes, b.offsets[row], b.offsets[row + 1]);
        similarities[row] = compare(its_a, its_b);
    }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(128) splink_classify(
        int32 rows, const uint32* validity, Texts a, Texts b, Classified rows_of) {
    int64 row = thread_index();
    if (row < rows) {
        bool is_present = is_valid(validity, row);
        int32 key = is_present && is_solved(a, row) && is_solved(b, row) ? 0 : ON_CPU;
        rows_of.put(row, is_present ? key : NULL_ROW, 0, 0);
    }
}

extern "C" __global__ void __launch_bounds__(128) splink_jaro_sim(
        int32 count, const int32* order, Texts a, Texts b, double* similarities) {
    solve(count, order, a, b, similarities, jaro_sim);
}

extern "C" __global__ void __launch_bounds__(128) splink_jaro_winkler(
        int32 count, const int32* order, Texts a, Texts b, double* similarities) {
    solve(count, order, a, b, similarities, [](const Held& x, const Held& y) {
        double jaro = jaro_sim(x, y);
        double weight = __dmul_rn(0.1, prefix_of(x, y, MAX_PREFIX));
        return jaro < 0.7 ? jaro : __dadd_rn(jaro, __dmul_rn(weight, __dadd_rn(1, -jaro)));
    });
}

extern "C" __global__ void __launch_bounds__(128) splink_jaccard(
        int32 count, const int32* order, Texts a, Texts b, double* similarities) {
    solve(count, order, a, b, similarities, jaccard);
}
