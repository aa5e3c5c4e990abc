// Global alignments of pairs that differ little, by wavefronts after Marco-Sola and others (2021). Wavefronts.java
// explains the recurrence and proves the traceback.
//
// A bound on the penalty cuts off what cannot be part of an alignment within it: row s needs only the diagonals that
// can be reached with s, and from which the end can be reached with the rest. For gap extensions of e on both sides
// these are bound * bound / 2e numbers of each kind in all, half as
// many as without. align_wave_bound finds the bound: the penalty of the best alignment within a window of diagonals
// that follows the one that is furthest ahead. Mostly it is the penalty itself.
//
// A block solves a pair. The last rows are in a ring in shared memory, a column for each diagonal. A number of an
// older row stays in a column that the newer one does not use. It does no harm: it is true for a lower penalty, so
// it is true.
//
// A number takes about 70 instructions, at 128 per cycle: a GPU of 132 multiprocessors at 1.98 GHz can do 470 giga
// numbers of each kind a second.
#include "align/score/alignments.cuh"
#include "common/host.cuh"
#include "common/ticket.cuh"
#include "common/warp.cuh"

// A scoring as penalties: Penalties on the host.
struct Penalties {
    int32 match;
    int32 unit;
    int32 mismatch;
    int32 insert_open;
    int32 insert_extend;
    int32 delete_open;
    int32 delete_extend;
};

STRUCT_FOR_HOST(Penalties);
MEMBER_FOR_HOST(Penalties, match);
MEMBER_FOR_HOST(Penalties, unit);
MEMBER_FOR_HOST(Penalties, mismatch);
MEMBER_FOR_HOST(Penalties, insert_open);
MEMBER_FOR_HOST(Penalties, insert_extend);
MEMBER_FOR_HOST(Penalties, delete_open);
MEMBER_FOR_HOST(Penalties, delete_extend);

// A pair's bound.
struct Bounded {
    int32 bound;    // on its penalty; FAR for a pair for which a table is less work, or if the penalty turned out to be above
    int32 end;      // the diagonal of the end
    int32 letters;  // of both sequences
};

// Arguments of a launch that solves pairs.
struct Waves {
    const ScoredPair* pairs;
    const int32* members;  // the pairs to solve, by index
    int32 count;           // of those
    Bounded* bounds;       // of each pair
    int32 columns;         // in a row of the ring
    int32 letter_words;    // of shared memory for the letters of both sequences, 16 in a word
    int32 most_rows;       // more than any bound
    uint8* slots;          // memory of each block: `most_rows` RowPlaces, and the numbers that are kept; for large pairs, the ring
    int64 slot_bytes;
    int32* ticket;         // counts the pairs taken; zero before
};

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
MEMBER_FOR_HOST(Waves, most_rows);
MEMBER_FOR_HOST(Waves, slots);
MEMBER_FOR_HOST(Waves, slot_bytes);
MEMBER_FOR_HOST(Waves, ticket);

constexpr int32 FAR = -1;
FOR_HOST(FAR);

constexpr int32 BOUND_BLOCK = 128;
FOR_HOST(BOUND_BLOCK);

// The diagonals that align_wave_bound looks at.
constexpr int32 WINDOW = 64;
FOR_HOST(WINDOW);

// The largest 16-bit number, and the largest bound with such numbers: NONE grows by at most one a row.
constexpr int32 MAX_SHORT = 30'000;
constexpr int32 MAX_SHORT_ROWS = 15'000;
FOR_HOST(MAX_SHORT);
FOR_HOST(MAX_SHORT_ROWS);

// So that no number of rows overflows.
constexpr int32 MAX_BOUND = 1 << 24;

// The room of a row besides its numbers, in numbers.
constexpr int32 NUMBERS_OF_A_ROW = 32;

namespace {

constexpr int32 NO_NUMBER = -0x40000000;

// Where a row's numbers are kept, and the diagonal of the first.
struct RowPlace {
    int32 first;
    int32 lowest;
};

template <typename Number>
struct Kept {
    Number best;
    Number insert;
};

// A row of a ring that was written `by` rows before row `at`.
__device__ __forceinline__ int32 back(int32 at, int32 rows, int32 by) {
    return at < by ? at - by + rows : at - by;
}

__device__ __forceinline__ int32 next(int32 at, int32 rows) {
    return at + 1 == rows ? 0 : at + 1;
}

// How many letters a gap may have in a row, and in the rest of the rows up to a bound.
struct Reach {
    int32 open;    // rows until it may be longer
    int32 extend;
    int32 reached = 0;
    int32 left;
    int32 rest;

    __device__ __forceinline__ Reach(int32 its_open, int32 its_extend, int32 bound)
        : open(its_open), extend(its_extend), left(bound / its_extend), rest(bound % its_extend) {}

    // To the next row.
    __device__ __forceinline__ void advance() {
        if (--open == 0) {
            reached++;
            open = extend;
        }
        if (--rest < 0) {
            left--;
            rest = extend - 1;
        }
    }
};

// The rows that the ring has of each kind: those that the recurrence looks back, and the current one.
__device__ __forceinline__ int32 best_rows(const Penalties& its) {
    return max(its.mismatch, max(its.insert_open, its.delete_open)) + 1;
}

// Letters in the text.
class Text {
public:
    static constexpr int32 IN_A_WORD = 4;

    __device__ __forceinline__ Text(const uint8* text, int32 length)
        : words_(reinterpret_cast<const uint32*>(reinterpret_cast<uint64>(text) & ~3ull)),
          offset_(static_cast<int32>(reinterpret_cast<uint64>(text) & 3)), last_((offset_ + length - 1) / 4) {}

    // IN_A_WORD letters from position `at` on, the first in the lowest bits; those behind the end are arbitrary.
    __device__ __forceinline__ uint32 letters(int32 at) const {
        int32 place = at + offset_;
        int32 word = min(place / 4, last_);
        return __funnelshift_r(words_[word], words_[min(word + 1, last_)], 8 * (place % 4));
    }

private:
    const uint32* words_;
    int32 offset_;  // of the first letter
    int32 last_;    // word
};

// Nucleotides in shared memory, with a word behind the end.
struct Nucleotides {
    const uint32* words;

    static constexpr int32 IN_A_WORD = 16;

    __device__ __forceinline__ uint32 letters(int32 at) const {
        return __funnelshift_r(words[at / 16], words[at / 16 + 1], 2 * (at % 16));
    }
};

// The first row from i on, up to `last`, in which letters differ on the diagonal. Mostly that is in the first word or
// soon after; in a long run of equal letters several words are read at once.
template <class Letters>
__device__ __forceinline__ int32 extended(const Letters& a, const Letters& b, int32 i, int32 diagonal, int32 last) {
    constexpr int32 BITS = 32 / Letters::IN_A_WORD;
    constexpr int32 MORE = 4;
    int32 soon = min(last, i + 4 * Letters::IN_A_WORD);
    uint32 differ = 0;
    while (differ == 0 && i < soon) {
        differ = a.letters(i) ^ b.letters(i - diagonal);
        i += __clz(__brev(differ)) / BITS;
    }
    while (differ == 0 && i < last) {
        uint32 differs[MORE];
#pragma unroll
        for (int32 word = 0; word < MORE; word++) {
            int32 at = min(i + word * Letters::IN_A_WORD, last - 1);
            differs[word] = a.letters(at) ^ b.letters(at - diagonal);
        }
#pragma unroll
        for (int32 word = 0; word < MORE; word++) {
            if (differ == 0) {
                differ = differs[word];
                i += __clz(__brev(differ)) / BITS;
            }
        }
    }
    return min(i, last);
}

// Whether any thread of the block says so; afterwards all see what the others wrote.
__device__ __forceinline__ bool any_of_block(bool mine) {
    if (blockDim.x > 32) {
        return __syncthreads_or(mine) != 0;
    }
    __syncwarp();
    return __any_sync(~0u, mine) != 0;
}

// Packs a text into words; returns whether all its letters are nucleotides. All threads of a block.
__device__ __forceinline__ bool pack(const uint8* text, int32 length, uint32* words) {
    bool all = true;
    for (int32 word = threadIdx.x; word <= length / 16 + 1; word += blockDim.x) {
        uint32 packed = 0;
        for (int32 at = 16 * word; at < min(16 * word + 16, length); at++) {
            uint32 letter = text[at];
            all = all && (letter == 'A' || letter == 'C' || letter == 'G' || letter == 'T');
            packed |= nucleotide_code(letter) << 2 * (at % 16);
        }
        words[word] = packed;
    }
    return all;
}

// A pair within a bound, solved by a block.
template <typename Number, bool KEEPS>
struct Wave {
    const Penalties its;
    const ScoredPair pair;
    int32 bound;
    int32 end;      // the diagonal of the end
    int32 below;    // the number of diagonals below 0
    int32 columns;  // of the ring; one on each side has no number
    Number* best;
    Number* insert;
    Number* erase;
    RowPlace* places;
    Kept<Number>* kept;

    __device__ __forceinline__ Wave(const Penalties& penalties, const ScoredPair& its_pair, int32 its_bound, int32 its_columns)
        : its(penalties), pair(its_pair), bound(its_bound), columns(its_columns) {
        end = pair.a_length - pair.b_length;
        int64 room = static_cast<int64>(bound) - static_cast<int64>(its.insert_extend) * end;
        below = static_cast<int32>(min(max(room, 0LL) / (its.insert_extend + its.delete_extend), static_cast<int64>(pair.b_length)));
    }

    // Computes rows until one has the end; returns the penalty, or FAR if it is above the bound.
    template <class Letters>
    __device__ __forceinline__ int32 solve(const Letters& a, const Letters& b) {
        int32 m = pair.a_length;
        int32 n = pair.b_length;
        int32 bests = best_rows(its);
        int32 inserts = its.insert_extend + 1;
        int32 deletes = its.delete_extend + 1;
        int32 at_best = 0;
        int32 at_insert = 0;
        int32 at_delete = 0;
        int32 place = 0;
        Reach insertions(its.insert_open, its.insert_extend, bound);
        Reach deletions(its.delete_open, its.delete_extend, bound);
        for (int32 s = 0; s <= bound; s++) {
            int32 lowest = max(-min(n, deletions.reached), end - insertions.left);
            int32 highest = min(min(m, insertions.reached), end + deletions.left);
            // at the column of diagonal 0
            auto row = [&](Number* of, int32 number) { return of + (number * columns + below + 1); };
            Number* best_now = row(best, at_best);
            Number* insert_now = row(insert, at_insert);
            Number* erase_now = row(erase, at_delete);
            const Number* mismatched = row(best, back(at_best, bests, its.mismatch));
            const Number* insert_opened = row(best, back(at_best, bests, its.insert_open));
            const Number* insert_extended = row(insert, back(at_insert, inserts, its.insert_extend));
            const Number* delete_opened = row(best, back(at_best, bests, its.delete_open));
            const Number* delete_extended = row(erase, back(at_delete, deletes, its.delete_extend));
            bool at_end = false;
            for (int32 k = lowest + static_cast<int32>(threadIdx.x); k <= highest; k += blockDim.x) {
                int32 last = min(m, n + k);
                int32 inserted = min(max(insert_opened[k - 1], insert_extended[k - 1]) + 1, last);
                int32 deleted = min(static_cast<int32>(max(delete_opened[k + 1], delete_extended[k + 1])), last);
                int32 value = max(min(mismatched[k] + 1, last), max(inserted, deleted));
                value = s == 0 ? 0 : value;
                if (value >= 0) {
                    value = extended(a, b, value, k, last);
                }
                best_now[k] = value;
                insert_now[k] = inserted;
                erase_now[k] = deleted;
                if (KEEPS) {
                    kept[place + k - lowest] = {static_cast<Number>(value), static_cast<Number>(inserted)};
                }
                at_end = at_end || (k == end && value == m);
            }
            if (KEEPS && threadIdx.x == 0) {
                places[s] = {place, lowest};
            }
            place += max(0, highest - lowest + 1);
            at_best = next(at_best, bests);
            at_insert = next(at_insert, inserts);
            at_delete = next(at_delete, deletes);
            insertions.advance();
            deletions.advance();
            if (any_of_block(at_end)) {
                if (KEEPS && threadIdx.x == 0) {
                    places[s + 1] = {place, 0};
                }
                return s;
            }
        }
        return FAR;
    }

    // Writes the canonical alignment with the given penalty, by the first warp.
    __device__ __forceinline__ void walk(int32 penalty, int64 score, const Alignments& to) const {
        __syncwarp();
        int32 lane = threadIdx.x;
        int32 row = pair.row;
        uint8* last = end_of_cigar(to, row);
        CigarWriter cigar = {last};
        auto append = [&](uint8 operation, int32 count) {
            if (lane == 0) {
                cigar.append(operation, count);
            }
        };
        int32 i = pair.a_length;
        int32 j = pair.b_length;
        int32 s = penalty;
        int32 identities = 0;
        int32 gaps = 0;
        char gap = 0;
        while (i > 0 && j > 0) {
            if (gap == 0) {
                bool equal = lane < min(i, j) && pair.a[i - 1 - lane] == pair.b[j - 1 - lane];
                int32 run = __clz(__brev(~__ballot_sync(~0u, equal)));
                if (run > 0) {
                    append('=', run);
                    identities += run;
                    i -= run;
                    j -= run;
                    if (run == 32 || i == 0 || j == 0) {
                        continue;
                    }
                }
            }
            // four lanes look at one number each: for a mismatch, a gap against a, where it opens, and where one
            // against b opens
            int32 which = lane % 4;
            int32 before = s - (which == 0 ? its.mismatch : which == 1 ? 0 : which == 2 ? its.insert_open : its.delete_open);
            int32 diagonal = i - j - (which == 2 ? 1 : 0) + (which == 3 ? 1 : 0);
            int32 number = NO_NUMBER;
            if (before >= 0) {
                RowPlace its_place = places[before];
                int32 at = diagonal - its_place.lowest;
                if (at >= 0 && its_place.first + at < places[before + 1].first) {
                    Kept<Number> both = kept[its_place.first + at];
                    number = which == 1 ? both.insert : both.best;
                }
            }
            uint32 yes = __ballot_sync(~0u, number >= i - (which == 0 || which == 2 ? 1 : 0));
            if (gap == 0) {
                if ((yes & 1) != 0) {
                    append('X', 1);
                    i--;
                    j--;
                    s -= its.mismatch;
                    continue;
                }
                gap = (yes & 2) != 0 ? 'I' : 'D';
            }
            append(gap, 1);
            gaps++;
            bool opens = (yes & (gap == 'I' ? 4 : 8)) != 0;
            if (gap == 'I') {
                i--;
                s -= opens ? its.insert_open : its.insert_extend;
            } else {
                j--;
                s -= opens ? its.delete_open : its.delete_extend;
            }
            gap = opens ? 0 : gap;
        }
        if (lane == 0) {
            gaps += i + j;
            cigar.append('I', i);
            cigar.append('D', j);
            cigar.flush();
            to.begins_in_a[row] = 0;
            to.ends_in_a[row] = pair.a_length;
            to.begins_in_b[row] = 0;
            to.ends_in_b[row] = pair.b_length;
            to.identities[row] = identities;
            to.gaps[row] = gaps;
            to.lengths[row] = static_cast<int32>(last - cigar.at);
        }
    }
};

// LARGE: the ring is in device memory, and letters are read from the text.
template <typename Number, bool KEEPS, bool LARGE>
__device__ __forceinline__ void solve_waves(const Waves& waves, const Penalties& penalties, int64* scores, const Alignments* to) {
    extern __shared__ uint32 wave_memory[];
    int32 bests = best_rows(penalties);
    int32 inserts = penalties.insert_extend + 1;
    int32 deletes = penalties.delete_extend + 1;
    int32 numbers = (bests + inserts + deletes) * waves.columns;
    uint8* slot = waves.slots + waves.slot_bytes * blockIdx.x;
    while (true) {
        int32 index = take(waves.ticket, 0);
        if (index >= waves.count) {
            return;
        }
        int32 number = waves.members[index];
        ScoredPair pair = waves.pairs[number];
        Wave<Number, KEEPS> wave(penalties, pair, waves.bounds[number].bound, waves.columns);
        Number* ring = LARGE ? reinterpret_cast<Number*>(slot) : reinterpret_cast<Number*>(wave_memory + waves.letter_words);
        wave.best = ring;
        wave.insert = ring + static_cast<int64>(bests) * waves.columns;
        wave.erase = wave.insert + static_cast<int64>(inserts) * waves.columns;
        uint8* rest = LARGE ? slot + (static_cast<int64>(sizeof(Number)) * numbers + 15) / 16 * 16 : slot;
        wave.places = reinterpret_cast<RowPlace*>(rest);
        wave.kept = reinterpret_cast<Kept<Number>*>(wave.places + waves.most_rows);
        for (int32 at = threadIdx.x; at < numbers; at += blockDim.x) {
            ring[at] = static_cast<Number>(sizeof(Number) == 2 ? -0x4000 : NO_NUMBER);
        }
        bool packed = false;
        uint32* b_words = wave_memory + pair.a_length / 16 + 2;
        if (!LARGE) {
            packed = pack(pair.a, pair.a_length, wave_memory);
            packed = pack(pair.b, pair.b_length, b_words) && packed;
        }
        packed = __syncthreads_and(packed) != 0;
        int32 penalty = !LARGE && packed
            ? wave.solve(Nucleotides{wave_memory}, Nucleotides{b_words})
            : wave.solve(Text(pair.a, pair.a_length), Text(pair.b, pair.b_length));
        if (penalty == FAR) {
            if (threadIdx.x == 0) {
                waves.bounds[number].bound = FAR;
            }
            continue;
        }
        int64 letters = static_cast<int64>(pair.a_length) + pair.b_length;
        int64 score = (letters * penalties.match - static_cast<int64>(penalty) * penalties.unit) / 2;
        if (threadIdx.x == 0) {
            scores[pair.row] = score;
        }
        if (KEEPS && threadIdx.x < 32 && (to->least == nullptr || score >= to->least[pair.row])) {
            wave.walk(penalty, score, *to);
        }
    }
}

}  // namespace

#define SCORE_WAVES(NAME, NUMBER, LARGE, BLOCK)                                                                             \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                                                    \
            align_wave_score_##NAME(Waves waves, Penalties penalties, int64* scores) {                                     \
        solve_waves<NUMBER, false, LARGE>(waves, penalties, scores, nullptr);                                              \
    }                                                                                                                      \
    extern "C" __global__ void __launch_bounds__(BLOCK)                                                                    \
            align_wave_path_##NAME(Waves waves, Penalties penalties, Alignments to) {                                      \
        solve_waves<NUMBER, true, LARGE>(waves, penalties, to.scores, &to);                                                \
    }

constexpr int32 MAX_THREADS = 256;
constexpr int32 GATHER_BLOCK = 256;
FOR_HOST(GATHER_BLOCK);
constexpr int32 LARGE_BLOCK = 1024;
FOR_HOST(LARGE_BLOCK);

SCORE_WAVES(short, int16, false, MAX_THREADS)
SCORE_WAVES(large, int32, true, LARGE_BLOCK)

// Bounds on the penalties of pairs, a warp for each; FAR where a table is less work.
//
// cells_of_a_number  the cells of a table that take the time of a number of each kind
// least_letters      a pair with fewer gets the bound above which a table is less work
extern "C" __global__ void __launch_bounds__(BOUND_BLOCK) align_wave_bound(
        const ScoredPair* pairs, int32 count, Penalties its, int32 cells_of_a_number, int32 least_letters, Bounded* bounds) {
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
    // most * most / (both extensions) + NUMBERS_OF_A_ROW * most = the numbers that take the time of the table
    float numbers = static_cast<float>(m) * static_cast<float>(n) / cells_of_a_number;
    float extensions = its.insert_extend + its.delete_extend;
    float root = sqrtf(NUMBERS_OF_A_ROW * NUMBERS_OF_A_ROW + 4 * numbers / extensions);
    int32 most = static_cast<int32>(fminf(MAX_BOUND, extensions / 2 * (root - NUMBERS_OF_A_ROW)));
    // the gap between the lengths
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
            bool inside = rows_back <= s && static_cast<uint32>(diagonal - bases[back(at_best, bests, rows_back)]) < WINDOW;
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
                ? min(max(look(best, insert_opened, its.insert_open, k - 1), look(insert, insert_extended, its.insert_extend, k - 1)) + 1, last)
                : NO_NUMBER;
            deleted[part] = inside
                ? min(max(look(best, delete_opened, its.delete_open, k + 1), look(erase, delete_extended, its.delete_extend, k + 1)), last)
                : NO_NUMBER;
            int32 value = max(min(look(best, mismatched, its.mismatch, k) + 1, last), max(inserted[part], deleted[part]));
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
        // half again as many rows as allowed to come, if it goes on like this
        if (s % WINDOW == WINDOW - 1
            && static_cast<int64>(2 * s) * (static_cast<int64>(m) + n) > static_cast<int64>(3 * static_cast<int64>(most)) * max(1, ahead / WINDOW)) {
            break;
        }
    }
    if (lane == 0) {
        bounds[index] = {bound, end, m + n};
    }
}

// The pairs with the given numbers.
extern "C" __global__ void __launch_bounds__(GATHER_BLOCK) align_wave_gather(
        const ScoredPair* pairs, const int32* members, int32 count, ScoredPair* to) {
    int64 index = thread_index();
    if (index < count) {
        to[index] = pairs[members[index]];
    }
}
