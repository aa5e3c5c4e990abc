// Computes Jaro's similarity and the Jaro-Winkler similarity, as defined by dev.bellman.align.distance.JaroWinkler.
//
// A thread compares two short texts with bits (jaro.cuh). A warp compares two longer texts, processing 32 positions of
// the pattern at a time.
#include "align/bits/alphabets.cuh"
#include "align/distance/jaro.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"

constexpr int32 WARPS = 4;  // the number of warps in a block
constexpr int32 LONGEST = 256;  // the maximum length of a text that a thread processes
FOR_HOST(WARPS);
FOR_HOST(LONGEST);

namespace {

// Returns the rank of this thread's bit among the set bits.
__device__ __forceinline__ int32 rank_in(uint32 bits, int32 thread) {
    return __popc(bits & ((1u << thread) - 1));
}

// - most_prefix: the maximum length of a common prefix that counts: 4, or 0 for Jaro's similarity
template <template <int, int> class Symbols, typename Symbol, int K, int BLOCK>
__device__ __forceinline__ void compare_alone(const Pair* pairs, int32 count, int32 most_prefix, double* similarities) {
    int64 index = thread_index();
    if (index >= count) {
        return;
    }
    Pair pair = pairs[index];
    int32 n = pair.pattern_length;
    int32 m = pair.text_length;
    const Symbol* pattern = static_cast<const Symbol*>(pair.pattern);
    const Symbol* text = static_cast<const Symbol*>(pair.text);
    int32 prefix = 0;
    while (prefix < min(most_prefix, n) && pattern[prefix] == text[prefix]) {
        prefix++;
    }
    Symbols<K, BLOCK> symbols(pair, 0);
    similarities[pair.row] = jaro_winkler_of(n, m, matches_alone<K, LONGEST>(symbols, n, m), prefix);
}

// - most: the maximum length of texts, a multiple of 32
template <typename Symbol>
__device__ __forceinline__ void compare(
        const Pair* pairs, int32 count, int32 most, int32 most_prefix, double* similarities) {
    extern __shared__ uint32 shared[];
    int64 index = thread_index() / 32;
    int32 thread = threadIdx.x % 32;
    if (index >= count) {
        return;
    }
    Pair pair = pairs[index];
    const Symbol* pattern = static_cast<const Symbol*>(pair.pattern);
    const Symbol* text = static_cast<const Symbol*>(pair.text);
    int32 n = pair.pattern_length;
    int32 m = pair.text_length;
    if (n == 0) {
        if (thread == 0) {
            similarities[pair.row] = m == 0 ? 1 : 0;
        }
        return;
    }
    // a bit for each position of the pattern, and the matching characters of the text
    int32 words = most / 32;
    uint32* taken = shared + threadIdx.x / 32 * (words + most * static_cast<int32>(sizeof(Symbol)) / 4);
    Symbol* matched = reinterpret_cast<Symbol*>(taken + words);
    for (int32 word = thread; word < words; word += 32) {
        taken[word] = 0;
    }
    __syncwarp();
    int32 window = max(0, m / 2 - 1);
    int32 matches = 0;
    for (int32 from = 0; from < m; from += 32) {
        int32 symbols = from + thread < m ? text[from + thread] : 0;
        uint32 found = 0;
        for (int32 j = from; j < min(from + 32, m); j++) {
            int32 symbol = __shfl_sync(~0u, symbols, j - from);
            int32 first = max(0, j - window);
            int32 last = min(n - 1, j + window);
            for (int32 word = first / 32; word <= last / 32; word++) {
                int32 i = 32 * word + thread;
                bool fits = i >= first && i <= last && pattern[i] == symbol && (taken[word] >> thread & 1) == 0;
                uint32 fitting = __ballot_sync(~0u, fits);
                if (fitting != 0) {
                    __syncwarp();
                    if (thread == 0) {
                        taken[word] |= fitting & ~(fitting - 1);
                    }
                    __syncwarp();
                    found |= 1u << (j - from);
                    break;
                }
            }
        }
        if (found >> thread & 1) {
            matched[matches + rank_in(found, thread)] = static_cast<Symbol>(symbols);
        }
        matches += __popc(found);
    }
    __syncwarp();
    int32 out_of_order = 0;
    int32 before = 0;
    for (int32 from = 0; from < n; from += 32) {
        uint32 bits = taken[from / 32];
        if (bits >> thread & 1) {
            out_of_order += pattern[from + thread] != matched[before + rank_in(bits, thread)];
        }
        before += __popc(bits);
    }
    out_of_order = sum_of_lanes<32>(out_of_order);
    uint32 unlike = __ballot_sync(~0u, thread >= min(most_prefix, n) || pattern[thread] != text[thread]);
    if (thread == 0) {
        similarities[pair.row] = jaro_winkler_of(n, m, {matches, out_of_order}, __ffs(unlike) - 1);
    }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(32 * WARPS) jaro_winkler_bytes(
        const Pair* pairs, int32 count, int32 most, int32 most_prefix, double* similarities) {
    compare<uint8>(pairs, count, most, most_prefix, similarities);
}

extern "C" __global__ void __launch_bounds__(32 * WARPS) jaro_winkler_characters(
        const Pair* pairs, int32 count, int32 most, int32 most_prefix, double* similarities) {
    compare<int32>(pairs, count, most, most_prefix, similarities);
}

#define JARO_ALONE(name, Symbols, Symbol, K) \
    extern "C" __global__ void __launch_bounds__(64) jaro_winkler_##name##_##K( \
            const Pair* pairs, int32 count, int32 most_prefix, double* similarities) { \
        compare_alone<Symbols, Symbol, K, 64>(pairs, count, most_prefix, similarities); \
    }

#define JARO_BYTES(name, Symbols) \
    JARO_ALONE(name, Symbols, uint8, 1) \
    JARO_ALONE(name, Symbols, uint8, 2) \
    JARO_ALONE(name, Symbols, uint8, 3) \
    JARO_ALONE(name, Symbols, uint8, 4) \
    JARO_ALONE(name, Symbols, uint8, 5) \
    JARO_ALONE(name, Symbols, uint8, 6) \
    JARO_ALONE(name, Symbols, uint8, 7) \
    JARO_ALONE(name, Symbols, uint8, 8)

JARO_BYTES(nucleotides, Nucleotides)
JARO_BYTES(ascii, Ascii)
JARO_ALONE(wide, CodePoints, int32, 1)
JARO_ALONE(wide, CodePoints, int32, 4)
JARO_ALONE(malformed, AnyCharacters, int32, 1)
JARO_ALONE(malformed, AnyCharacters, int32, 4)
