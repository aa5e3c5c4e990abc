// Computes the edit distance of long pairs that differ by few edits: Ukkonen, "Algorithms for approximate string
// matching" (1985). FewEdits.java explains the recurrence.
//
// A block solves a pair. Step e computes, for each useful diagonal, the furthest row that e edits reach, from the rows
// of step e - 1, which are in shared memory. Each thread compares the first letters on its diagonal; a warp then
// compares long runs of equal letters together, because usually only one diagonal has such a run. A pair at distance d
// takes d + 1 steps. A step takes a few microseconds, and its number of diagonals exceeds the bound by at most one.
//
// A pair is left to the kernels that fill tables if its distance probably exceeds the bound up to which this kernel is
// faster, or if many diagonals have long runs, as in periodic texts.
#pragma once
#include "align/pairs.cuh"
#include "common/warp.cuh"

// Arguments of a launch.
struct EditWaves {
    const Pair* pairs;
    int32 least;          // only pairs whose bound is from `least` to `most` are solved
    int32 most;
    int32 cap;            // the largest bound for which the shared memory suffices
    const int32* limits;  // the largest distance of interest for each row, or null
    int32* results;
    int32* solved;        // receives 1 for each pair that is solved; initially zero
    int32* count_solved;  // the number of these pairs; initially zero
};

// The number of letters per edit above which this kernel is faster than a table.
constexpr int32 LETTERS_OF_AN_EDIT = 128;

// Pairs with a shorter string are left to the kernels that fill tables, which take little more time than the attempt.
constexpr int32 WAVE_LETTERS = 2'049;

// The largest small and medium bounds, and the block sizes for small, medium and larger bounds.
constexpr int32 WAVE_SMALL = 127;
constexpr int32 WAVE_SMALL_BLOCK = 32;
constexpr int32 WAVE_MEDIUM = 1023;
constexpr int32 WAVE_MEDIUM_BLOCK = 256;
constexpr int32 WAVE_LARGE_BLOCK = 1024;

// The number of edits after which the distance is first estimated, and the interval at which it is estimated again.
constexpr int32 FIRST_ESTIMATE = 8;
constexpr int32 ESTIMATE_INTERVAL = 32;

// The minimum interval, in edits, at which the rate of the most recent edits is checked.
constexpr int32 RATE_INTERVAL = 64;

// The number of int32 values that a step stores in shared memory, in addition to one for each unit of the bound.
constexpr int32 WAVE_MARGIN = 3;

namespace {

// The furthest row of a diagonal that is not reached yet. It remains negative when one row is added for each edit.
constexpr int32 UNREACHED = -0x40000000;

// The maximum number of bytes of a string that are loaded into the L2 cache in advance.
constexpr int32 MAX_PREFETCH = 1 << 24;

// Some letters, with the first letter in the lowest bits.
struct FewLetters {
    uint64 letters;
    int32 count;
};

// Reads bytes four at a time, at any alignment. Bytes after the end are arbitrary.
struct WaveBytes {
    static constexpr int32 LETTERS = 4;  // the number of letters in a word
    static constexpr int32 BITS = 8;     // the number of bits in a letter

    const uint32* words;
    int32 offset;
    int32 last;

    __device__ __forceinline__ WaveBytes(const void* begin, int32 length)
        : words(reinterpret_cast<const uint32*>(reinterpret_cast<uint64>(begin) & ~3ull)),
          offset(static_cast<int32>(reinterpret_cast<uint64>(begin) & 3)), last((offset + length - 1) / 4) {}

    // Reads the letters from a position to the end of its 8 aligned bytes. This takes a single load. The threads of a
    // warp read from addresses that are far apart, so the number of loads determines the time.
    __device__ __forceinline__ FewLetters few(int32 position) const {
        uint64 address = reinterpret_cast<uint64>(words) + offset + position;
        int32 before = static_cast<int32>(address & 7);
        return {__ldg(reinterpret_cast<const unsigned long long*>(address - before)) >> (8 * before), 8 - before};
    }

    // Prefetches the letters from a position on into the L1 cache. Each lane of the warp prefetches one memory sector.
    __device__ __forceinline__ void touch(int32 position) const {
        int32 word = min((position + offset) / 4 + 8 * static_cast<int32>(threadIdx.x % 32), last);
        asm volatile("prefetch.global.L1 [%0];" ::"l"(words + word));
    }

    // Reads COUNT words from a position on.
    template <int COUNT>
    __device__ __forceinline__ void read(int32 position, uint32 (&to)[COUNT]) const {
        uint32 place = static_cast<uint32>(position) + offset;
        int32 first = static_cast<int32>(place / 4);
        uint32 bits = 8 * (place % 4);
        uint32 word = __ldg(words + min(first, last));
#pragma unroll
        for (int32 i = 0; i < COUNT; i++) {
            uint32 next = __ldg(words + min(first + i + 1, last));
            to[i] = __funnelshift_r(word, next, bits);
            word = next;
        }
    }
};

// Reads characters, one per word.
struct WaveCharacters {
    static constexpr int32 LETTERS = 1;
    static constexpr int32 BITS = 32;

    const uint32* words;
    int32 last;

    __device__ __forceinline__ WaveCharacters(const void* begin, int32 length)
        : words(static_cast<const uint32*>(begin)), last(length - 1) {}

    __device__ __forceinline__ FewLetters few(int32 position) const {
        return {__ldg(words + position), 1};
    }

    __device__ __forceinline__ void touch(int32 position) const {
        int32 word = min(position + 8 * static_cast<int32>(threadIdx.x % 32), last);
        asm volatile("prefetch.global.L1 [%0];" ::"l"(words + word));
    }

    template <int COUNT>
    __device__ __forceinline__ void read(int32 position, uint32 (&to)[COUNT]) const {
#pragma unroll
        for (int32 i = 0; i < COUNT; i++) {
            to[i] = __ldg(words + min(position, last - i) + i);
        }
    }
};

// Returns the number of equal letters before the first difference in COUNT words of both strings. Letters after the end
// are arbitrary.
template <int COUNT, class Letters>
__device__ __forceinline__ int32 equal_letters(const Letters& a, const Letters& b, int32 i, int32 j) {
    uint32 in_a[COUNT];
    uint32 in_b[COUNT];
    a.read(i, in_a);
    b.read(j, in_b);
    int32 equal = COUNT * Letters::LETTERS;
#pragma unroll
    for (int32 word = COUNT - 1; word >= 0; word--) {
        uint32 differ = in_a[word] ^ in_b[word];
        if (differ != 0) {
            equal = word * Letters::LETTERS + (__ffs(differ) - 1) / Letters::BITS;
        }
    }
    return equal;
}

// Returns the first row from `row` on in which the letters differ, but at most `end`, if this row is near; otherwise
// returns a row before it and sets `goes_on`.
template <class Letters>
__device__ __forceinline__ int32 slide_alone(
        const Letters& a, const Letters& b, int32 row, int32 diagonal, int32 end, bool& goes_on) {
    constexpr int32 WORDS = 2;
    constexpr int32 TURNS = 3;
    FewLetters in_a = a.few(row);
    FewLetters in_b = b.few(row + diagonal);
    int32 count = min(in_a.count, in_b.count);
    int32 equal = (__ffsll(static_cast<long long>(in_a.letters ^ in_b.letters)) - 1) / Letters::BITS;
    goes_on = in_a.letters == in_b.letters || equal >= count;
    row += goes_on ? count : equal;
#pragma unroll 1
    for (int32 turn = 0; turn < TURNS && goes_on && row < end; turn++) {
        equal = equal_letters<WORDS>(a, b, row, row + diagonal);
        goes_on = equal == WORDS * Letters::LETTERS;
        row += equal;
    }
    goes_on = goes_on && row < end;
    return min(row, end);
}

// Returns the first row from `row` on in which the letters differ, but at most `end`. All lanes pass the same arguments
// and compare different letters. Adds the number of rounds to `rounds`.
template <class Letters>
__device__ __forceinline__ int32 slide_together(
        const Letters& a, const Letters& b, int32 row, int32 diagonal, int32 end, int32& rounds) {
    constexpr int32 WORDS = 4;
    constexpr int32 OWN = WORDS * Letters::LETTERS;
    constexpr int32 TURNS = 2;  // the number of reads in flight
    int32 lane = threadIdx.x % 32;
    while (row < end) {
        int32 equal[TURNS];
#pragma unroll
        for (int32 turn = 0; turn < TURNS; turn++) {
            int32 at = min(row + OWN * (32 * turn + lane), end - 1);
            equal[turn] = equal_letters<WORDS>(a, b, at, at + diagonal);
        }
        rounds++;
#pragma unroll
        for (int32 turn = 0; turn < TURNS; turn++) {
            // the first lane that found a difference within the letters up to `end`
            int32 from = row + OWN * lane;
            bool differs = from >= end || equal[turn] < min(OWN, end - from);
            uint32 differing = __ballot_sync(~0u, differs);
            if (differing != 0) {
                int32 first = __ffs(differing) - 1;
                int32 found = __shfl_sync(~0u, from >= end ? end : from + equal[turn], first);
                return min(found, end);
            }
            row += 32 * OWN;
        }
    }
    return min(row, end);
}

__device__ __forceinline__ void prefetch(const void* begin, int64 bytes) {
    const char* from = static_cast<const char*>(begin);
    for (int64 at = 128ll * threadIdx.x; at < min(bytes, static_cast<int64>(MAX_PREFETCH)); at += 128ll * blockDim.x) {
        asm volatile("prefetch.global.L2 [%0];" ::"l"(from + at));
    }
}

enum WaveState : int32 { GOES_ON = 0, AT_END = 1, GIVES_UP = 2 };

// Solves a pair with one block. Returns the distance in all threads, or -1 if it exceeds the bound or the search ended
// early.
//
// If `certain` is set, the caller does not need distances above the bound. The search then ends early only if many
// diagonals have long runs. `over` is set if the distance is known to exceed the bound.
template <class Letters>
__device__ __forceinline__ int32 edit_wave(
        const Pair& pair, int32 most, bool certain, int32 letter_bytes, int32* numbers, bool& over) {
    __shared__ int32 states[2];
    __shared__ int32 all_reached;
    int32 n = pair.pattern_length;
    int32 m = pair.text_length;
    int32 last = m - n;
    over = abs(last) > most;
    if (over) {
        return -1;
    }
    // the only diagonals that are used are those from which the last diagonal can be reached within the bound
    int32 below = (most - last) / 2;
    int32 width = most + WAVE_MARGIN;
    for (int32 i = threadIdx.x; i < 2 * width; i += blockDim.x) {
        numbers[i] = UNREACHED;
    }
    if (threadIdx.x == 0) {
        states[0] = GOES_ON;
        states[1] = GOES_ON;
        all_reached = 0;
    }
    __syncthreads();
    Letters a(pair.pattern, n);
    Letters b(pair.text, m);
    int32* before = numbers + below + 1;
    int32* now = before + width;
    int32 lane = threadIdx.x % 32;
    int32 rounds = 0;
    int32 max_rounds = n / (128 * Letters::LETTERS) + most + 16;
    int32 rate_interval = max(RATE_INTERVAL, most / 8 / ESTIMATE_INTERVAL * ESTIMATE_INTERVAL);
    int32 reached_before = 0;
#pragma unroll 1
    for (int32 edits = 0; edits <= most; edits++) {
        int32 first = max(-edits, last - (most - edits));
        int32 end = min(edits, last + (most - edits));
        bool estimates = edits == FIRST_ESTIMATE || (edits > 0 && edits % ESTIMATE_INTERVAL == 0);
        int32 reached = 0;
#pragma unroll 1
        for (int32 at = first + static_cast<int32>(threadIdx.x) - lane; at <= end; at += blockDim.x) {
            int32 k = min(at + lane, end);
            int32 bottom = min(n, m - k);
            int32 row = edits == 0 ? 0 : min(max(max(before[k], before[k + 1]) + 1, before[k - 1]), bottom);
            bool goes_on = false;
            if (row >= 0 && row < bottom) {
                row = slide_alone(a, b, row, k, bottom, goes_on);
                goes_on = goes_on && at + lane <= end;
            }
            uint32 long_runs = __ballot_sync(~0u, goes_on);
            while (long_runs != 0) {
                int32 which = __ffs(long_runs) - 1;
                long_runs &= long_runs - 1;
                int32 found = slide_together(
                        a,
                        b,
                        __shfl_sync(~0u, row, which),
                        at + which,
                        __shfl_sync(~0u, bottom, which),
                        rounds);
                // the next step probably continues from there
                a.touch(found);
                b.touch(found + at + which);
                row = lane == which ? found : row;
                if (rounds > max_rounds) {
                    break;
                }
            }
            if (at + lane <= end) {
                now[k] = row;
                if (k == last && row == n) {
                    atomicOr(&states[edits % 2], AT_END);
                }
            }
            reached = max(reached, row);
            if (rounds > max_rounds) {
                // the numbers of this step are incomplete, so they must not be used
                atomicOr(&states[edits % 2], GIVES_UP);
                break;
            }
        }
        if (estimates) {
            reached = max_of_lanes<32>(reached);
            if (lane == 0) {
                atomicMax(&all_reached, reached);
            }
        }
        __syncthreads();
        int32 state = *static_cast<volatile int32*>(&states[edits % 2]);
        if (state != GOES_ON) {
            // the end is reached by a complete run, even if another diagonal is incomplete
            return (state & AT_END) != 0 ? edits : -1;
        }
        if (estimates) {
            // estimates the distance from the part of the rows that is reached, with some tolerance for few edits
            int64 allowed = static_cast<int64>(most) * (edits + FIRST_ESTIMATE);
            if (!certain && static_cast<int64>(edits) * edits * n > allowed * all_reached) {
                return -1;
            }
            if (!certain && edits % rate_interval == 0) {
                // at the rate of the most recent edits, the distance would far exceed the bound
                int64 rows = static_cast<int64>(n - all_reached) * rate_interval;
                if (rows > static_cast<int64>(4 * most) * (all_reached - reached_before)) {
                    return -1;
                }
                reached_before = all_reached;
            }
            if (edits == FIRST_ESTIMATE) {
                prefetch(pair.pattern, static_cast<int64>(letter_bytes) * n);
                prefetch(pair.text, static_cast<int64>(letter_bytes) * m);
            }
        }
        int32* other = before;
        before = now;
        now = other;
    }
    over = true;
    return -1;
}

template <class Letters>
__device__ __forceinline__ void edit_waves(const EditWaves& its) {
    extern __shared__ int32 numbers[];
    Pair pair = its.pairs[blockIdx.x];
    int32 shorter = min(pair.pattern_length, pair.text_length);
    int32 bound = shorter / LETTERS_OF_AN_EDIT;
    if (shorter < WAVE_LETTERS || bound < its.least || bound > its.most) {
        return;
    }
    bound = min(bound, its.cap);
    bool certain = its.limits != nullptr && its.limits[pair.row] <= bound;
    if (certain) {
        bound = its.limits[pair.row];
    }
    bool over = false;
    int32 distance = bound < 0 ? -1 : edit_wave<Letters>(pair, bound, certain, 4 / Letters::LETTERS, numbers, over);
    if (threadIdx.x == 0 && (distance >= 0 || (certain && (over || bound < 0)))) {
        its.results[pair.row] = distance;
        its.solved[blockIdx.x] = 1;
        atomicAdd(its.count_solved, 1);
    }
}

}  // namespace
