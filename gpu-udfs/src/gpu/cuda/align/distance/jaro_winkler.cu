// Jaro's similarity and the Jaro-Winkler similarity, as dev.bellman.align.distance.JaroWinkler defines them.
//
// The characters of the text claim matches in the pattern one after another. Which text serves as the pattern does not
// matter: among equal characters, both orders pair the first within reach with the first.
//
// A thread compares two short texts. It has a bit for each position of the pattern, as bits/column.cuh has for each
// row: the positions that equal a character, within reach and not taken yet, of which the character takes the lowest.
// For the pattern MARTHA and the text MARHTA, reach 2, position 0 on the right:
//
//              A H T R A M
//     H equals 0 1 0 0 0 0
//     in reach 1 1 1 1 1 0       of place 3
//     free     1 1 1 0 0 0       M, A and R are taken
//
// Then it goes through the text again: the k-th character that has taken a position is in order if it equals the
// k-th position that is taken. A warp compares two longer texts, 32 positions of the pattern at a time.
#include "align/bits/alphabets.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"

constexpr int32 WARPS = 4;  // of a block
constexpr int32 LONGEST = 256;  // text of a thread
FOR_HOST(WARPS);
FOR_HOST(LONGEST);

namespace {

// The order of operations is part of the definition: no sum is fused with a product.
__device__ double similarity(int32 n, int32 m, int32 matches, int32 out_of_order, int32 prefix) {
    if (matches == 0) {
        return 0;
    }
    double jaro = __dadd_rn(__ddiv_rn(matches, n), __ddiv_rn(matches, m));
    jaro = __dadd_rn(jaro, __ddiv_rn(matches - out_of_order / 2, matches));
    jaro = __ddiv_rn(jaro, 3);
    return jaro > 0.7 ? __dadd_rn(jaro, __dmul_rn(__dmul_rn(prefix, 0.1), __dadd_rn(1, -jaro))) : jaro;
}

// The rank of this thread's bit among the set bits.
__device__ __forceinline__ int32 rank_in(uint32 bits, int32 thread) {
    return __popc(bits & ((1u << thread) - 1));
}

// The first `most` bits, at most 32.
__device__ __forceinline__ uint32 first_bits(int32 most) {
    return most <= 0 ? 0 : ~0u >> (32 - min(most, 32));
}

// Positions of the pattern, K words of bits.
template <int K>
struct Positions {
    uint32 bits[K];

    // The first `most`.
    __device__ __forceinline__ explicit Positions(int32 most) {
#pragma unroll
        for (int k = 0; k < K; k++) {
            bits[k] = first_bits(most - 32 * k);
        }
    }

    // All move up by one; the highest bit of `in` comes in.
    __device__ __forceinline__ void shift(uint32 in) {
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint32 out = bits[k];
            bits[k] = __funnelshift_l(in, bits[k], 1);
            in = out;
        }
    }

    // Takes out the first one that is among `wanted`; whether there is one.
    __device__ __forceinline__ bool take(const uint32 (&wanted)[K]) {
        bool found = false;
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint32 here = found ? 0 : bits[k] & wanted[k];
            bits[k] &= ~(here & (0 - here));
            found |= here != 0;
        }
        return found;
    }

    // Takes out the first one; whether it is among `wanted`.
    __device__ __forceinline__ bool next_is(const uint32 (&wanted)[K]) {
        bool found = false;
        bool is = false;
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint32 here = found ? 0 : bits[k];
            uint32 first = here & (0 - here);
            bits[k] &= ~first;
            is |= (first & wanted[k]) != 0;
            found |= here != 0;
        }
        return is;
    }
};

// Calls use(j, equal) for each character of a text of at most LONGEST.
template <int K, class Symbols, class Use>
__device__ __forceinline__ void for_each_character(Symbols& symbols, int32 length, Use use) {
    uint32 equal[K];
#pragma unroll 1
    for (int32 position = 0; position < length; position += 8) {
        symbols.load(position);
#pragma unroll
        for (int i = 0; i < 8; i++) {
            auto column = symbols.column(i, position + i < length ? ~0u : 0);
#pragma unroll
            for (int k = 0; k < K; k++) {
                equal[k] = symbols.equal(column, k);
            }
            use(position + i, equal);
        }
    }
}

// most_prefix    the most characters of a common prefix that count: 4, or 0 for Jaro's similarity
template <template <int, int> class Symbols, typename Symbol, int K, int BLOCK>
__device__ __forceinline__ void compare_alone(const Pair* pairs, int32 count, int32 most_prefix, double* similarities) {
    int64 index = thread_index();
    if (index >= count) {
        return;
    }
    Pair pair = pairs[index];
    int32 n = pair.pattern_length;
    int32 m = pair.text_length;
    Symbols<K, BLOCK> symbols(pair, 0);
    int32 window = max(0, m / 2 - 1);
    Positions<K> free(n);
    Positions<K> within(window + 1);
    uint32 has_taken[LONGEST / 32];
    int32 matches = 0;
    uint32 found = 0;
    for_each_character<K>(symbols, m, [&](int32 j, const uint32 (&equal)[K]) {
        uint32 wanted[K];
#pragma unroll
        for (int k = 0; k < K; k++) {
            wanted[k] = equal[k] & within.bits[k];
        }
        bool takes = free.take(wanted);
        within.shift(static_cast<uint32>(j - window));  // position 0 stays within reach of the first places
        found = found << 1 | (takes ? 1 : 0);
        matches += takes ? 1 : 0;
        if ((j & 31) == 31) {
            has_taken[j / 32] = found;
        }
    });
    int32 columns = (m + 7) / 8 * 8;
    if ((columns & 31) != 0) {
        has_taken[columns / 32] = found << (32 - (columns & 31));
    }
    Positions<K> taken(n);
#pragma unroll
    for (int k = 0; k < K; k++) {
        taken.bits[k] &= ~free.bits[k];
    }
    int32 out_of_order = 0;
    for_each_character<K>(symbols, m, [&](int32 j, const uint32 (&equal)[K]) {
        found = (j & 31) == 0 ? has_taken[j / 32] : found << 1;
        if (static_cast<int32>(found) < 0) {
            out_of_order += taken.next_is(equal) ? 0 : 1;
        }
    });
    const Symbol* pattern = static_cast<const Symbol*>(pair.pattern);
    const Symbol* text = static_cast<const Symbol*>(pair.text);
    int32 prefix = 0;
    while (prefix < min(most_prefix, n) && pattern[prefix] == text[prefix]) {
        prefix++;
    }
    similarities[pair.row] = similarity(n, m, matches, out_of_order, prefix);
}

// most    the longest text of the pairs, a multiple of 32
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
        similarities[pair.row] = similarity(n, m, matches, out_of_order, __ffs(unlike) - 1);
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
