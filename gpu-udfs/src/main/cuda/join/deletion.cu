// Pairs of strings within k edits by symmetric deletion: dev.bellman.join.DeletionKeys explains the keys, which are the same here, bit for bit.
// Strings are ASCII and have fewer than LONGEST characters.
//
// One warp generates the keys of a string. A table for each length tells which characters to delete, one way per lane. The hash table inserts a key
// with one atomic operation, and the entries that the key meets on its way to an empty slot include the strings that share it: of two strings with
// equal keys the later one meets the earlier, so each pair is met once per shared key.
//
// Example, k = 1: `cat` puts at, ct, ca and cat into the table; `cut` puts ut, ct and meets cat's ct: a candidate.
#include "common/columns.cuh"
#include "common/host.cuh"

constexpr int32 LONGEST = 64;
constexpr int32 MOST_EDITS = 3;
constexpr int32 KEYS_BLOCK = 256;
constexpr int32 VERIFY_BLOCK = 128;
FOR_HOST(LONGEST);
FOR_HOST(MOST_EDITS);
FOR_HOST(KEYS_BLOCK);
FOR_HOST(VERIFY_BLOCK);

// Offsets of the counters.
constexpr int32 KEYS = 0;
constexpr int32 CANDIDATES = 1;
constexpr int32 PAIRS = 2;
FOR_HOST(KEYS);
FOR_HOST(CANDIDATES);
FOR_HOST(PAIRS);

// A string, as the host describes it.
struct JoinString {
    int64 start;      // of its bytes
    uint64 signature;
    uint64 seed;      // of its group
    int32 length;
    int32 sides;      // 1: left, 2: right
};
STRUCT_FOR_HOST(JoinString);
MEMBER_FOR_HOST(JoinString, start);
MEMBER_FOR_HOST(JoinString, signature);
MEMBER_FOR_HOST(JoinString, seed);
MEMBER_FOR_HOST(JoinString, length);
MEMBER_FOR_HOST(JoinString, sides);

// All strings, and the tables that all kernels read.
struct JoinStrings {
    const JoinString* strings;
    const uint8* bytes;
    const uint64* characters;  // the hash number of each character
    const uint64* powers;      // of the base of the hash
    int32 count;
    int32 edits;
};
STRUCT_FOR_HOST(JoinStrings);
MEMBER_FOR_HOST(JoinStrings, strings);
MEMBER_FOR_HOST(JoinStrings, bytes);
MEMBER_FOR_HOST(JoinStrings, characters);
MEMBER_FOR_HOST(JoinStrings, powers);
MEMBER_FOR_HOST(JoinStrings, count);
MEMBER_FOR_HOST(JoinStrings, edits);

// The keys whose highest `bits` bits are `number`. A word stores their other bits, the lowest replaced by the string's number, counted from 1.
struct JoinSlice {
    uint64 number;
    uint64 low;   // the bits of a word that hold the string
    int32 bits;
    int32 shift;  // of a word, for its slot
};
STRUCT_FOR_HOST(JoinSlice);
MEMBER_FOR_HOST(JoinSlice, number);
MEMBER_FOR_HOST(JoinSlice, low);
MEMBER_FOR_HOST(JoinSlice, bits);
MEMBER_FOR_HOST(JoinSlice, shift);

struct JoinCandidate {
    uint64 word;  // of the later string
    int64 other;
};

namespace {

__device__ __forceinline__ uint64 mix(uint64 value) {
    value ^= value >> 33;
    value *= 0xff51afd7ed558ccdull;
    value ^= value >> 33;
    value *= 0xc4ceb9fe1a85ec53ull;
    return value ^ value >> 33;
}

__device__ __forceinline__ bool has(const JoinSlice& slice, uint64 mixed) {
    return mixed >> 1 >> (63 - slice.bits) == slice.number;
}

// Whether deleting the character at `place`, in a run that begins at `gap`, is the canonical way to get its subsequence.
__device__ __forceinline__ bool is_rightmost(const uint8* text, int32 gap, int32 place) {
    return gap == 0 || text[gap - 1] != text[place];
}

// What a warp stores about its string.
struct Sums {
    uint64 of[MOST_EDITS + 1][LONGEST + 1];  // [j][p]: what the characters before p contribute with j deleted before them
    uint8 text[LONGEST];
};

}  // namespace

// Inserts the keys of all strings into an empty table, and lists who met whom.
//
// ways: the number of characters, and up to three places in ascending order, a byte each; those of a length and number of deletions from
// starts[length * (MOST_EDITS + 1) + number] on. lengths: bit l is set if there are strings of l characters.
extern "C" __global__ void __launch_bounds__(KEYS_BLOCK) join_deletion_keys(
        JoinStrings all,
        JoinSlice slice,
        const uint32* ways,
        const int32* starts,
        uint64 lengths,
        uint64* table,
        int64 slots,
        int64 most_keys,
        JoinCandidate* candidates,
        int64 most_candidates,
        int64* counts) {
    __shared__ Sums of_warps[KEYS_BLOCK / 32];
    Sums& sums = of_warps[threadIdx.x / 32];
    int32 lane = threadIdx.x % 32;
    int64 warps = static_cast<int64>(gridDim.x) * (KEYS_BLOCK / 32);
    for (int64 id = (static_cast<int64>(blockIdx.x) * KEYS_BLOCK + threadIdx.x) / 32; id < all.count; id += warps) {
        // too many: the host takes a smaller slice
        if (*reinterpret_cast<volatile int64*>(counts + KEYS) > most_keys
            || *reinterpret_cast<volatile int64*>(counts + CANDIDATES) > most_candidates) {
            return;
        }
        JoinString string = all.strings[id];
        int32 n = string.length;
        __syncwarp();
        for (int32 i = lane; i < n; i += 32) {
            sums.text[i] = all.bytes[string.start + i];
        }
        __syncwarp();
        int32 most = min(all.edits, n);
        if (lane <= most) {
            uint64 sum = 0;
            for (int32 p = 0; p <= n; p++) {
                sums.of[lane][p] = sum;
                if (p >= lane && p < n) {
                    sum += all.characters[sums.text[p]] * all.powers[p - lane];
                }
            }
        }
        __syncwarp();
        int32 entered = 0;
        for (int32 deleted = 0; deleted <= most; deleted++) {
            int32 longer = n - deleted + all.edits;
            if (deleted < n && (longer >= LONGEST || (lengths >> longer & 1) == 0)) {
                continue;
            }
            int32 end = starts[n * (MOST_EDITS + 1) + deleted + 1];
            for (int32 way = starts[n * (MOST_EDITS + 1) + deleted] + lane; way < end; way += 32) {
                uint32 places = ways[way];
                uint64 hash = string.seed;
                int32 from = 0;
                int32 gap = -1;
                bool counts_once = true;
                for (int32 j = 0; j < deleted; j++) {
                    int32 place = places >> 8 * j & 0xff;
                    gap = j > 0 && place == from ? gap : place;
                    counts_once = counts_once && is_rightmost(sums.text, gap, place);
                    hash += sums.of[j][place] - sums.of[j][from];
                    from = place + 1;
                }
                hash += sums.of[deleted][n] - sums.of[deleted][from];
                uint64 mixed = mix(hash);
                if (!counts_once || !has(slice, mixed)) {
                    continue;
                }
                entered++;
                uint64 word = mixed << slice.bits & ~slice.low | static_cast<uint64>(id + 1);
                int64 slot = static_cast<int64>(mixed << slice.bits >> slice.shift);
                for (int64 tried = 0; tried < slots; tried++) {
                    uint64 old = atomicCAS(reinterpret_cast<unsigned long long*>(table + slot), 0ull, word);
                    if (old == 0) {
                        break;
                    }
                    if (((old ^ word) & ~slice.low) == 0) {
                        int64 other = static_cast<int64>(old & slice.low) - 1;
                        JoinString met = all.strings[other];
                        if (abs(met.length - n) <= all.edits && (met.sides | string.sides) == 3
                            && __popcll(met.signature ^ string.signature) <= 2 * all.edits && other != id) {
                            int64 at = atomicAdd(reinterpret_cast<unsigned long long*>(counts + CANDIDATES), 1ull);
                            if (at < most_candidates) {
                                candidates[at] = {word, other};
                            }
                        }
                    }
                    slot = slot + 1 == slots ? 0 : slot + 1;
                }
            }
        }
#pragma unroll
        for (int32 other = 16; other > 0; other /= 2) {
            entered += __shfl_xor_sync(~0u, entered, other);
        }
        if (lane == 0) {
            atomicAdd(reinterpret_cast<unsigned long long*>(counts + KEYS), static_cast<unsigned long long>(entered));
        }
    }
}

// Keeps the candidates within the edit limit whose key is their owner (DeletionKeys.owner), as words with the smaller number above.
extern "C" __global__ void __launch_bounds__(VERIFY_BLOCK) join_deletion_verify(
        JoinStrings all,
        JoinSlice slice,
        const JoinCandidate* candidates,
        int64 count,
        uint64* pairs,
        int64 most_pairs,
        int64* counts) {
    constexpr int32 WIDTH = 2 * MOST_EDITS + 1;
    constexpr int32 FAR = 100;
    int64 at = static_cast<int64>(blockIdx.x) * VERIFY_BLOCK + threadIdx.x;
    if (at >= count) {
        return;
    }
    JoinCandidate candidate = candidates[at];
    int64 later = static_cast<int64>(candidate.word & slice.low) - 1;
    int64 x = min(later, candidate.other);
    int64 y = max(later, candidate.other);
    JoinString x_string = all.strings[x];
    JoinString y_string = all.strings[y];
    const uint8* x_text = all.bytes + x_string.start;
    const uint8* y_text = all.bytes + y_string.start;
    int32 k = all.edits;
    int32 n = x_string.length;
    int32 m = y_string.length;
    if (x_string.seed != y_string.seed) {
        return;
    }
    int32 prefix = 0;
    while (prefix < n && x_text[prefix] == y_text[prefix]) {
        prefix++;
    }
    // edits of the rest, from each cell within the band to the end
    uint8 edits[LONGEST + 1][WIDTH];
    for (int32 i = n; i >= prefix; i--) {
        for (int32 b = 2 * k; b >= 0; b--) {
            int32 j = i + b - k;
            int32 best = FAR;
            if (j >= prefix && j <= m) {
                if (i == n) {
                    best = m - j;
                } else {
                    best = b > 0 ? edits[i + 1][b - 1] + 1 : FAR;
                    if (j < m) {
                        best = min(best, edits[i + 1][b] + (x_text[i] == y_text[j] ? 0 : 1));
                        best = b < 2 * k ? min(best, edits[i][b + 1] + 1) : best;
                    }
                }
            }
            edits[i][b] = static_cast<uint8>(min(best, FAR));
        }
    }
    if (edits[prefix][k] > k) {
        return;
    }
    int32 wanted = max(0, m - k);
    uint64 hash = x_string.seed;
    int32 common = 0;
    for (; common < min(prefix, wanted); common++) {
        hash += all.characters[x_text[common]] * all.powers[common];
    }
    int32 i = prefix;
    int32 j = prefix;
    while (common < wanted) {
        int32 b = j - i + k;
        int32 here = edits[i][b];
        if (i < n && j < m && x_text[i] == y_text[j] && edits[i + 1][b] == here) {
            hash += all.characters[x_text[i]] * all.powers[common];
            common++;
            i++;
            j++;
        } else if (i < n && j < m && edits[i + 1][b] + 1 == here) {
            i++;
            j++;
        } else if (i < n && b > 0 && edits[i + 1][b - 1] + 1 == here) {
            i++;
        } else {
            j++;
        }
    }
    uint64 owner = mix(hash);
    if (has(slice, owner) && ((owner << slice.bits ^ candidate.word) & ~slice.low) == 0) {
        int64 to = atomicAdd(reinterpret_cast<unsigned long long*>(counts + PAIRS), 1ull);
        if (to < most_pairs) {
            pairs[to] = static_cast<uint64>(x) << 32 | static_cast<uint64>(y);
        }
    }
}
