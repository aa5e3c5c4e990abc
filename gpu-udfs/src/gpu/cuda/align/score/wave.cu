// Defines the kernels for wavefronts: they compute scores and paths (wave.cuh), compute bounds on penalties, and gather
// pairs.
#include "align/score/wave.cuh"
#include "common/host.cuh"

STRUCT_FOR_HOST(Penalties);
MEMBER_FOR_HOST(Penalties, match);
MEMBER_FOR_HOST(Penalties, unit);
MEMBER_FOR_HOST(Penalties, mismatch);
MEMBER_FOR_HOST(Penalties, insert_open);
MEMBER_FOR_HOST(Penalties, insert_extend);
MEMBER_FOR_HOST(Penalties, delete_open);
MEMBER_FOR_HOST(Penalties, delete_extend);

STRUCT_FOR_HOST(Bounded);
MEMBER_FOR_HOST(Bounded, bound);
MEMBER_FOR_HOST(Bounded, end);
MEMBER_FOR_HOST(Bounded, letters);

STRUCT_FOR_HOST(Waves);
MEMBER_FOR_HOST(Waves, pairs);
MEMBER_FOR_HOST(Waves, members);
MEMBER_FOR_HOST(Waves, count);
MEMBER_FOR_HOST(Waves, bounds);
MEMBER_FOR_HOST(Waves, columns);
MEMBER_FOR_HOST(Waves, letter_words);
MEMBER_FOR_HOST(Waves, max_rows);
MEMBER_FOR_HOST(Waves, slots);
MEMBER_FOR_HOST(Waves, slot_bytes);
MEMBER_FOR_HOST(Waves, ticket);

FOR_HOST(FAR);
FOR_HOST(BOUND_BLOCK);
FOR_HOST(WINDOW);
FOR_HOST(MAX_SHORT);
FOR_HOST(MAX_SHORT_ROWS);

#define SCORE_WAVES(NAME, NUMBER, LARGE, BLOCK)                                        \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                \
            align_wave_score_##NAME(Waves waves, Penalties penalties, int64* scores) { \
        solve_waves<NUMBER, false, LARGE>(waves, penalties, scores, nullptr);          \
    }                                                                                  \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                \
            align_wave_path_##NAME(Waves waves, Penalties penalties, Alignments to) {  \
        solve_waves<NUMBER, true, LARGE>(waves, penalties, to.scores, &to);            \
    }

constexpr int32 MAX_THREADS = 256;
constexpr int32 GATHER_BLOCK = 256;
FOR_HOST(GATHER_BLOCK);
constexpr int32 LARGE_BLOCK = 1024;
FOR_HOST(LARGE_BLOCK);

SCORE_WAVES(short, int16, false, MAX_THREADS)
SCORE_WAVES(large, int32, true, LARGE_BLOCK)

// Computes bounds on the penalties of pairs, with one warp per pair; FAR if a table probably takes less work.
//
// - cells_of_a_number: the number of table cells that take as much time as one wavefront number of each kind
// - least_letters: a pair with fewer letters gets the bound above which a table takes less work
extern "C" __global__ void __launch_bounds__(BOUND_BLOCK) align_wave_bound(
        const ScoredPair* pairs, int32 count, Penalties its, int32 cells_of_a_number, int32 least_letters,
        Bounded* bounds) {
    extern __shared__ int32 bound_memory[];
    int32 lane = threadIdx.x % 32;
    int64 index = thread_index() / 32;
    if (index >= count) {
        return;
    }
    ScoredPair pair = pairs[index];
    int32 m = pair.a_length;
    int32 n = pair.b_length;
    int32 end = m - n;
    // the number of wavefront numbers that take as much time as the table; up to the penalty `most`, there are
    // most * most / extensions + NUMBERS_OF_A_ROW * most
    float numbers = static_cast<float>(m) * static_cast<float>(n) / cells_of_a_number;
    float extensions = its.insert_extend + its.delete_extend;
    float root = sqrtf(NUMBERS_OF_A_ROW * NUMBERS_OF_A_ROW + 4 * numbers / extensions);
    int32 most = static_cast<int32>(fminf(MAX_BOUND, extensions / 2 * (root - NUMBERS_OF_A_ROW)));
    // the gap required by the difference in length
    int64 gap = end >= 0 ? static_cast<int64>(end) * its.insert_extend : static_cast<int64>(-end) * its.delete_extend;
    if (gap > most || m + n < least_letters) {
        if (lane == 0) {
            bounds[index] = {gap > most ? FAR : most, end, m + n};
        }
        return;
    }
    int32 bests = best_rows(its);
    int32 inserts = its.insert_extend + 1;
    int32 deletes = its.delete_extend + 1;
    int32* bases = bound_memory + threadIdx.x / 32 * ((bests + inserts + deletes) * WINDOW + bests);
    int32* best = bases + bests;
    int32* insert = best + bests * WINDOW;
    int32* erase = insert + inserts * WINDOW;
    for (int32 at = lane; at < (bests + inserts + deletes) * WINDOW; at += 32) {
        best[at] = NO_NUMBER;
    }
    for (int32 at = lane; at < bests; at += 32) {
        bases[at] = 0;
    }
    __syncwarp();
    Text a(pair.a, m);
    Text b(pair.b, n);
    int32 at_best = 0;
    int32 at_insert = 0;
    int32 at_delete = 0;
    int32 base = -WINDOW / 2;
    int32 bound = FAR;
    for (int32 s = 0; s <= most; s++) {
        auto look = [&](const int32* rows, int32 row, int32 rows_back, int32 diagonal) {
            bool inside = rows_back <= s
                    && static_cast<uint32>(diagonal - bases[back(at_best, bests, rows_back)]) < WINDOW;
            return inside ? rows[row * WINDOW + (diagonal & WINDOW - 1)] : NO_NUMBER;
        };
        int32 mismatched = back(at_best, bests, its.mismatch);
        int32 insert_opened = back(at_best, bests, its.insert_open);
        int32 insert_extended = back(at_insert, inserts, its.insert_extend);
        int32 delete_opened = back(at_best, bests, its.delete_open);
        int32 delete_extended = back(at_delete, deletes, its.delete_extend);
        int32 ahead = 0;
        int32 values[WINDOW / 32];
        int32 inserted[WINDOW / 32];
        int32 deleted[WINDOW / 32];
#pragma unroll
        for (int32 part = 0; part < WINDOW / 32; part++) {
            int32 k = base + lane + 32 * part;
            int32 last = min(m, n + k);
            bool inside = k >= -n && k <= m;
            inserted[part] = inside
                ? min(max(look(best, insert_opened, its.insert_open, k - 1),
                        look(insert, insert_extended, its.insert_extend, k - 1)) + 1, last)
                : NO_NUMBER;
            deleted[part] = inside
                ? min(max(look(best, delete_opened, its.delete_open, k + 1),
                        look(erase, delete_extended, its.delete_extend, k + 1)), last)
                : NO_NUMBER;
            int32 value = max(min(look(best, mismatched, its.mismatch, k) + 1, last),
                    max(inserted[part], deleted[part]));
            value = s == 0 && k == 0 ? 0 : value;
            if (inside && value >= 0) {
                value = extended(a, b, value, k, last);
                ahead = max(ahead, (2 * value - k) * WINDOW + (k - base));
            }
            values[part] = inside ? value : NO_NUMBER;
        }
        __syncwarp();
        bool at_end = false;
#pragma unroll
        for (int32 part = 0; part < WINDOW / 32; part++) {
            int32 k = base + lane + 32 * part;
            int32 column = k & WINDOW - 1;
            best[at_best * WINDOW + column] = values[part];
            insert[at_insert * WINDOW + column] = inserted[part];
            erase[at_delete * WINDOW + column] = deleted[part];
            at_end = at_end || (k == end && values[part] == m);
        }
        if (lane == 0) {
            bases[at_best] = base;
        }
        __syncwarp();
        if (__any_sync(~0u, at_end)) {
            bound = s;
            break;
        }
        at_best = next(at_best, bests);
        at_insert = next(at_insert, inserts);
        at_delete = next(at_delete, deletes);
        ahead = uniform(ahead);
        base += max(-WINDOW / 16, min(WINDOW / 16, (ahead & WINDOW - 1) - WINDOW / 2));
        // at this rate, the number of rows would exceed 1.5 times the maximum
        if (s % WINDOW == WINDOW - 1
            && static_cast<int64>(2 * s) * (static_cast<int64>(m) + n)
                    > static_cast<int64>(3 * static_cast<int64>(most)) * max(1, ahead / WINDOW)) {
            break;
        }
    }
    if (lane == 0) {
        bounds[index] = {bound, end, m + n};
    }
}

// Gathers the pairs with the given indices.
extern "C" __global__ void __launch_bounds__(GATHER_BLOCK) align_wave_gather(
        const ScoredPair* pairs, const int32* members, int32 count, ScoredPair* to) {
    int64 index = thread_index();
    if (index < count) {
        to[index] = pairs[members[index]];
    }
}
