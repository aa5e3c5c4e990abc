// Compares strings of one length with strings of the same length or of one greater length, and finds the pairs whose
// Jaro, Jaro-Winkler or LCS similarity is large enough.
//
// Comparing two signatures (dev.bellman.join.Strings) excludes most pairs and takes two exclusive ors, two population
// counts, an addition and a comparison. A block puts the other pairs into a queue, so that all its threads take part in
// computing their similarities.
#include "align/distance/jaro.cuh"
#include "align/names/ratio.cuh"
#include "join/strings.cuh"

constexpr int32 PLAIN_BLOCK = 256;
// The maximum number of strings x in a block, two for each thread, and of strings y with which it compares them.
constexpr int32 PLAIN_ROWS = 2 * PLAIN_BLOCK;
constexpr int32 PLAIN_COLUMNS = 8192;
FOR_HOST(PLAIN_BLOCK);
FOR_HOST(PLAIN_ROWS);
FOR_HOST(PLAIN_COLUMNS);

constexpr int32 PLAIN_PAIRS = 0;
constexpr int32 PLAIN_VERIFIED = 1;
FOR_HOST(PLAIN_PAIRS);
FOR_HOST(PLAIN_VERIFIED);

constexpr int32 RATIO = 0;
constexpr int32 JARO = 1;
constexpr int32 JARO_WINKLER = 2;
FOR_HOST(RATIO);
FOR_HOST(JARO);
FOR_HOST(JARO_WINKLER);

// The strings to compare: x from `x_from` to `x_end`, each with n characters, and y from `y_from` to `y_end`, each with
// m characters, where n <= m. Only pairs with x < y are compared.
struct PlainRange {
    const int32* apart;  // [p]: the maximum number of different bits in the signatures for a common prefix of length p
    double least;
    int32 x_from;
    int32 x_end;
    int32 y_from;
    int32 y_end;
    int32 n;
    int32 m;
    int32 prefixes;
    int32 measure;
};
STRUCT_FOR_HOST(PlainRange);
MEMBER_FOR_HOST(PlainRange, apart);
MEMBER_FOR_HOST(PlainRange, least);
MEMBER_FOR_HOST(PlainRange, x_from);
MEMBER_FOR_HOST(PlainRange, x_end);
MEMBER_FOR_HOST(PlainRange, y_from);
MEMBER_FOR_HOST(PlainRange, y_end);
MEMBER_FOR_HOST(PlainRange, n);
MEMBER_FOR_HOST(PlainRange, m);
MEMBER_FOR_HOST(PlainRange, prefixes);
MEMBER_FOR_HOST(PlainRange, measure);

namespace {

constexpr int32 QUEUE = 4096;
constexpr int32 GROUP = 32;
constexpr int32 MAX_PREFIX = 4;

// Computes the matches of Jaro's similarity as dev.bellman.align.distance.JaroWinkler defines them.
__device__ Matches matches_of(const uint8* x, int32 n, const uint8* y, int32 m) {
    int32 window = max(0, max(n, m) / 2 - 1);
    uint64 x_taken = 0;
    uint64 y_taken = 0;
    for (int32 j = 0; j < m; j++) {
        int32 end = min(n - 1, j + window);
        for (int32 i = max(0, j - window); i <= end; i++) {
            if (x[i] == y[j] && (x_taken >> i & 1) == 0) {
                x_taken |= uint64(1) << i;
                y_taken |= uint64(1) << j;
                break;
            }
        }
    }
    Matches matches = {__popcll(x_taken), 0};
    for (; x_taken != 0; x_taken &= x_taken - 1, y_taken &= y_taken - 1) {
        matches.out_of_order += x[__ffsll(x_taken) - 1] == y[__ffsll(y_taken) - 1] ? 0 : 1;
    }
    return matches;
}

// Returns the length of a longest common subsequence, computed with one bit per character of x (Hyyrö, "Bit-parallel
// LCS-length computation revisited", 2004).
__device__ int32 common_of(const uint8* x, int32 n, const uint8* y, int32 m) {
    uint64 rows = ~uint64(0);
    for (int32 j = 0; j < m; j++) {
        uint64 equal = 0;
        for (int32 i = 0; i < n; i++) {
            equal |= static_cast<uint64>(x[i] == y[j] ? 1 : 0) << i;
        }
        uint64 matched = rows & equal;
        rows = (rows + matched) | (rows - matched);
    }
    return __popcll(~rows & ((uint64(1) << n) - 1));
}

__device__ bool is_pair(const JoinStrings& all, const PlainRange& range, int32 x, int32 y) {
    JoinString x_string = all.strings[x];
    JoinString y_string = all.strings[y];
    if ((x_string.sides | y_string.sides) != 3 || x_string.seed != y_string.seed) {
        return false;
    }
    const uint8* x_text = all.bytes + x_string.start;
    const uint8* y_text = all.bytes + y_string.start;
    if (range.measure == RATIO) {
        int64 both = range.n + range.m;
        return __dmul_rn(ratio_similarity(both, common_of(x_text, range.n, y_text, range.m)), MAX_RATIO) >= range.least;
    }
    int32 prefix = 0;
    while (prefix < min(range.prefixes, range.n) && x_text[prefix] == y_text[prefix]) {
        prefix++;
    }
    if (__popcll(x_string.signature ^ y_string.signature) > range.apart[prefix]) {
        return false;
    }
    Matches matches = matches_of(x_text, range.n, y_text, range.m);
    double similarity = range.measure == JARO_WINKLER
            ? jaro_winkler_of(range.n, range.m, matches, prefix)
            : jaro_of(range.n, range.m, matches.count, matches.out_of_order / 2);
    return similarity >= range.least;
}

__device__ void add_if_pair(
        const JoinStrings& all, const PlainRange& range, int32 x, int32 y, uint64* pairs, int64 most_pairs,
        int64* counts) {
    if (is_pair(all, range, x, y)) {
        int64 at = atomicAdd(reinterpret_cast<unsigned long long*>(counts + PLAIN_PAIRS), 1ull);
        if (at < most_pairs) {
            pairs[at] = static_cast<uint64>(x) << 32 | static_cast<uint64>(y);
        }
    }
}

}  // namespace

// Lists the similar pairs of a range, as words with x in the upper half.
extern "C" __global__ void __launch_bounds__(PLAIN_BLOCK) join_plain(
        JoinStrings all, PlainRange range, uint64* pairs, int64 most_pairs, int64* counts) {
    __shared__ uint64 of_group[GROUP];
    __shared__ uint32 queue[QUEUE];
    __shared__ uint32 queued;
    int32 thread = static_cast<int32>(threadIdx.x);
    int32 x_tiles = (range.x_end - range.x_from + PLAIN_ROWS - 1) / PLAIN_ROWS;
    int32 tile = static_cast<int32>(blockIdx.x);
    int32 x_from = range.x_from + tile % x_tiles * PLAIN_ROWS;
    int32 y_from = range.y_from + tile / x_tiles * PLAIN_COLUMNS;
    int32 y_end = min(range.y_end, y_from + PLAIN_COLUMNS);
    // stops if there are too many pairs, in which case the host divides the range, or if all pairs have y <= x
    if (__syncthreads_or(*reinterpret_cast<volatile int64*>(counts + PLAIN_PAIRS) > most_pairs)
            || y_end <= x_from + 1) {
        return;
    }
    uint64 signatures[2] = {};
    for (int32 r = 0; r < 2; r++) {
        int32 x = x_from + r * PLAIN_BLOCK + thread;
        signatures[r] = x < range.x_end ? all.strings[x].signature : 0;
    }
    if (thread == 0) {
        queued = 0;
    }
    int32 apart = range.apart[range.prefixes];
    int64 verified = 0;
    for (int32 group = y_from; group < y_end; group += GROUP) {
        __syncthreads();
        if (thread < GROUP && group + thread < y_end) {
            of_group[thread] = all.strings[group + thread].signature;
        }
        __syncthreads();
        uint32 near[2] = {};
#pragma unroll
        for (int32 c = 0; c < GROUP; c++) {
            uint64 signature = of_group[c];
#pragma unroll
            for (int32 r = 0; r < 2; r++) {
                near[r] |= (__popcll(signatures[r] ^ signature) <= apart ? 1u : 0u) << c;
            }
        }
        uint32 exist = ~0u >> (GROUP - min(GROUP, y_end - group));
        for (int32 r = 0; r < 2; r++) {
            int32 x = x_from + r * PLAIN_BLOCK + thread;
            // the first y after x
            int32 first = x + 1 - group;
            uint32 after = first <= 0 ? ~0u : first >= GROUP ? 0 : ~0u << first;
            for (uint32 left = x < range.x_end ? near[r] & exist & after : 0; left != 0; left &= left - 1) {
                int32 c = __ffs(static_cast<int32>(left)) - 1;
                uint32 at = atomicAdd(&queued, 1u);
                if (at < QUEUE) {
                    queue[at] = static_cast<uint32>(x - x_from) << 13 | static_cast<uint32>(group - y_from + c);
                } else {
                    add_if_pair(all, range, x, group + c, pairs, most_pairs, counts);
                }
            }
        }
        __syncthreads();
        uint32 waiting = queued;
        if (waiting >= PLAIN_BLOCK || group + GROUP >= y_end) {
            for (uint32 item = threadIdx.x; item < min(waiting, static_cast<uint32>(QUEUE)); item += PLAIN_BLOCK) {
                add_if_pair(all, range, x_from + static_cast<int32>(queue[item] >> 13),
                        y_from + static_cast<int32>(queue[item] & 8191), pairs, most_pairs, counts);
            }
            verified += waiting;
            __syncthreads();
            if (thread == 0) {
                queued = 0;
            }
        }
    }
    if (thread == 0) {
        atomicAdd(reinterpret_cast<unsigned long long*>(counts + PLAIN_VERIFIED),
                static_cast<unsigned long long>(verified));
    }
}
