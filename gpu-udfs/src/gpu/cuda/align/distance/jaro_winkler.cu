// The Jaro-Winkler similarity, as dev.bellman.align.distance.JaroWinkler defines it. One warp compares a pair.
//
// The characters of the text claim matches in the pattern one after another. For each, the warp checks 32 positions of
// the pattern at a time. Which text serves as the pattern does not matter: among equal characters, both orders pair the
// first within reach with the first.
#include "align/pairs.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"

constexpr int32 WARPS = 4;  // of a block
FOR_HOST(WARPS);

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

// most    the longest text of the pairs, a multiple of 32
template <typename Symbol>
__device__ __forceinline__ void compare(const Pair* pairs, int32 count, int32 most, double* similarities) {
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
    uint32 unlike = __ballot_sync(~0u, thread >= min(4, n) || pattern[thread] != text[thread]);
    if (thread == 0) {
        similarities[pair.row] = similarity(n, m, matches, out_of_order, __ffs(unlike) - 1);
    }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(32 * WARPS) jaro_winkler_bytes(
        const Pair* pairs, int32 count, int32 most, double* similarities) {
    compare<uint8>(pairs, count, most, similarities);
}

extern "C" __global__ void __launch_bounds__(32 * WARPS) jaro_winkler_characters(
        const Pair* pairs, int32 count, int32 most, double* similarities) {
    compare<int32>(pairs, count, most, similarities);
}
