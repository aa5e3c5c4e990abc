// Computes global alignments of similar pairs with wavefronts, after Marco-Sola et al. (2021). Wavefronts.java explains
// the recurrence and proves that the traceback is correct.
//
// A bound on the penalty excludes all cells that are in no alignment within the bound. Row s needs only the diagonals
// that can be reached with penalty s and from which the end can be reached with the remaining penalty. If both gap
// extensions cost e, the rows then have bound * bound / (2 * e) numbers of each kind in total, half as many as without
// the bound. Unless a pair is short, align_wave_bound finds its bound: the penalty of the best alignment in a window of
// diagonals that moves with the diagonal furthest ahead. Usually, this bound equals the penalty.
//
// A block solves a pair. The most recent rows are in a ring buffer, in shared memory unless it is large, with a column
// for each diagonal. A column that a newer row does not use still contains a number from an older row. This is
// harmless: a number that is valid for a lower penalty is also valid for a higher one.
//
// Each number takes about 70 instructions, and a multiprocessor executes 128 per cycle, so a GPU with 132
// multiprocessors at 1.98 GHz can compute nearly 480 billion numbers of each kind per second.
#pragma once
#include "align/score/alignments.cuh"
#include "common/ticket.cuh"
#include "common/warp.cuh"

// A scoring expressed as penalties, called Penalties on the host.
struct Penalties {
    int32 match;
    int32 unit;
    int32 mismatch;
    int32 insert_open;
    int32 insert_extend;
    int32 delete_open;
    int32 delete_extend;
};

// A pair's bound.
struct Bounded {
    // the bound on the pair's penalty; FAR if a table takes less work, or if the penalty turned out to exceed the bound
    int32 bound;
    int32 end;      // the diagonal of the table's end
    int32 letters;  // the number of letters in both sequences
};

// Arguments of a launch that solves pairs.
struct Waves {
    const ScoredPair* pairs;
    const int32* members;  // the pairs to solve, by index
    int32 count;           // the number of these pairs
    Bounded* bounds;       // the bound of each pair
    int32 columns;         // the number of columns in a row of the ring
    int32 letter_words;    // the number of words in shared memory for the letters of both sequences, 16 per word
    int32 max_rows;        // larger than any bound
    // memory for each block: `max_rows` RowPlaces, and the numbers that are kept; for large pairs, also the ring
    uint8* slots;
    int64 slot_bytes;
    int32* ticket;         // the number of pairs taken so far; initially zero
};

// Marks a pair that wavefronts do not solve: a table takes less work than wavefronts, or the penalty exceeds the bound.
constexpr int32 FAR = -1;
constexpr int32 BOUND_BLOCK = 128;

// The number of diagonals that align_wave_bound examines.
constexpr int32 WINDOW = 64;

// The largest length of a, and the largest bound, for which 16-bit numbers suffice. A missing number grows by at most
// one per row and must remain negative.
constexpr int32 MAX_SHORT = 30'000;
constexpr int32 MAX_SHORT_ROWS = 15'000;

// The maximum number of rows, which prevents overflow.
constexpr int32 MAX_BOUND = 1 << 24;

// The time that a row takes in addition to its numbers, measured in numbers.
constexpr int32 NUMBERS_OF_A_ROW = 32;

namespace {

constexpr int32 NO_NUMBER = -0x40000000;

// The offset of a row's numbers, and the diagonal of the first number.
struct RowPlace {
    int32 first;
    int32 lowest;
};

template <typename Number>
struct Kept {
    Number best;
    Number insert;
};

// Returns the ring index of the row that was written `by` rows before row `at`.
__device__ __forceinline__ int32 back(int32 at, int32 rows, int32 by) {
    return at < by ? at - by + rows : at - by;
}

__device__ __forceinline__ int32 next(int32 at, int32 rows) {
    return at + 1 == rows ? 0 : at + 1;
}

// The maximum length of a gap in the current row, and the maximum length in any remaining row up to a bound.
struct Reach {
    int32 open;    // the number of rows until the gap may be longer
    int32 extend;
    int32 reached = 0;
    int32 left;
    int32 rest;

    __device__ __forceinline__ Reach(int32 its_open, int32 its_extend, int32 bound)
        : open(its_open), extend(its_extend), left(bound / its_extend), rest(bound % its_extend) {}

    // Advances to the next row.
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

// Returns the number of rows of best values in the ring: the current row and those that the recurrence reads.
__device__ __forceinline__ int32 best_rows(const Penalties& its) {
    return max(its.mismatch, max(its.insert_open, its.delete_open)) + 1;
}

// Reads letters from a text.
class Text {
public:
    static constexpr int32 IN_A_WORD = 4;

    __device__ __forceinline__ Text(const uint8* text, int32 length)
        : words_(reinterpret_cast<const uint32*>(reinterpret_cast<uint64>(text) & ~3ull)),
          offset_(static_cast<int32>(reinterpret_cast<uint64>(text) & 3)), last_((offset_ + length - 1) / 4) {}

    // Returns IN_A_WORD letters from position `at` on, with the first letter in the lowest bits; letters after the end
    // are arbitrary.
    __device__ __forceinline__ uint32 letters(int32 at) const {
        int32 place = at + offset_;
        int32 word = min(place / 4, last_);
        return __funnelshift_r(words_[word], words_[min(word + 1, last_)], 8 * (place % 4));
    }

private:
    const uint32* words_;
    int32 offset_;  // the offset of the first letter
    int32 last_;    // the index of the last word
};

// Reads nucleotides that are packed in shared memory, with an extra word at the end.
struct Nucleotides {
    const uint32* words;

    static constexpr int32 IN_A_WORD = 16;

    __device__ __forceinline__ uint32 letters(int32 at) const {
        return __funnelshift_r(words[at / 16], words[at / 16 + 1], 2 * (at % 16));
    }
};

// Returns the first row from i on, but at most `last`, in which the letters on the diagonal differ. Usually, this row
// is among those that the first word covers, or it follows soon after. In a long run of equal letters, several words
// are read at once.
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

// Returns whether the condition is true in any thread of the block. Also makes the writes of each thread visible to all
// others.
__device__ __forceinline__ bool any_of_block(bool mine) {
    if (blockDim.x > 32) {
        return __syncthreads_or(mine) != 0;
    }
    __syncwarp();
    return __any_sync(~0u, mine) != 0;
}

// Packs a text into words, with all threads of a block. Returns whether this thread packed only nucleotides.
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

// Solves a pair within a bound, with one block.
template <typename Number, bool KEEPS>
struct Wave {
    const Penalties its;
    const ScoredPair pair;
    int32 bound;
    int32 end;      // the diagonal of the table's end
    int32 below;    // the number of diagonals below 0
    int32 columns;  // the number of columns in the ring; the first and the last have no number
    Number* best;
    Number* insert;
    Number* erase;
    RowPlace* places;
    Kept<Number>* kept;

    __device__ __forceinline__ Wave(
            const Penalties& penalties, const ScoredPair& its_pair, int32 its_bound, int32 its_columns)
        : its(penalties), pair(its_pair), bound(its_bound), columns(its_columns) {
        end = pair.a_length - pair.b_length;
        int64 room = static_cast<int64>(bound) - static_cast<int64>(its.insert_extend) * end;
        below = static_cast<int32>(
                min(max(room, 0LL) / (its.insert_extend + its.delete_extend), static_cast<int64>(pair.b_length)));
    }

    // Computes rows until one reaches the end. Returns the penalty, or FAR if it exceeds the bound.
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
            // returns the address of a row's number for diagonal 0
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

    // Writes the canonical alignment that has the given penalty, with the first warp.
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
            // each of four lanes reads one number: for a mismatch, for a gap against a, for opening that gap, and for
            // opening a gap against b
            int32 which = lane % 4;
            int32 before = s - (which == 0 ? its.mismatch : which == 1 ? 0 : which == 2 ? its.insert_open
                    : its.delete_open);
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

// Solves the pairs of a launch. LARGE: the ring is in device memory, and letters are read from the text.
template <typename Number, bool KEEPS, bool LARGE>
__device__ __forceinline__ void solve_waves(
        const Waves& waves, const Penalties& penalties, int64* scores, const Alignments* to) {
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
        Number* ring = LARGE ? reinterpret_cast<Number*>(slot)
                : reinterpret_cast<Number*>(wave_memory + waves.letter_words);
        wave.best = ring;
        wave.insert = ring + static_cast<int64>(bests) * waves.columns;
        wave.erase = wave.insert + static_cast<int64>(inserts) * waves.columns;
        uint8* rest = LARGE ? slot + (static_cast<int64>(sizeof(Number)) * numbers + 15) / 16 * 16 : slot;
        wave.places = reinterpret_cast<RowPlace*>(rest);
        wave.kept = reinterpret_cast<Kept<Number>*>(wave.places + waves.max_rows);
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
