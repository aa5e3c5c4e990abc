// Finds pairs of strings of one group within k edits, one from each side, by symmetric deletion. The keys in this file
// are bit-for-bit those of dev.bellman.join.DeletionKeys. Strings are ASCII and have fewer than LONGEST characters.
//
// One slice of the keys is searched at a time. A hash of a key's first characters shows whether the key may be in the
// slice. Therefore, one thread per string tries the ways to delete characters from the string's beginning, and queues
// the beginnings whose keys may be in the slice. Then one warp per queued beginning generates its keys; each lane
// handles one way at a time to delete characters from the rest of the string. A key takes one atomic operation for each
// slot of the hash table that it tries. The slots before its empty slot include those of all earlier strings with this
// key, so the later of two strings meets the earlier one, once per shared key.
//
// For example, with k = 1, `cat` inserts at, ct, ca and cat; `cut` inserts ut and then ct, which meets the ct of `cat`.
#include "join/strings.cuh"

constexpr int32 MAX_EDITS = 3;
constexpr int32 LONGEST_BEGINNING = 12;
constexpr int32 KEYS_BLOCK = 256;
constexpr int32 VERIFY_BLOCK = 128;
FOR_HOST(MAX_EDITS);
FOR_HOST(LONGEST_BEGINNING);
FOR_HOST(KEYS_BLOCK);
FOR_HOST(VERIFY_BLOCK);

// The indices of the counters.
constexpr int32 KEYS = 0;
constexpr int32 CANDIDATES = 1;
constexpr int32 PAIRS = 2;
FOR_HOST(KEYS);
FOR_HOST(CANDIDATES);
FOR_HOST(PAIRS);

// Selects the keys for which the highest `beginning_bits` bits of the beginning's hash equal `beginning`, and the
// highest `bits` bits of the word, before it is shifted by `bits`, equal `number`. A word stores the other bits of a
// key's hash, but its lowest bits are replaced by the string's number, which is counted from 1.
struct JoinSlice {
    uint64 number;
    uint64 low;             // the bits of a word that identify the string
    uint32 beginning;
    int32 beginning_bits;
    int32 begins;           // the number of characters in a beginning, unless the key is shorter
    int32 bits;
    int32 shift;            // the amount by which a word is shifted to obtain the index of its first slot
};
STRUCT_FOR_HOST(JoinSlice);
MEMBER_FOR_HOST(JoinSlice, number);
MEMBER_FOR_HOST(JoinSlice, low);
MEMBER_FOR_HOST(JoinSlice, beginning);
MEMBER_FOR_HOST(JoinSlice, beginning_bits);
MEMBER_FOR_HOST(JoinSlice, begins);
MEMBER_FOR_HOST(JoinSlice, bits);
MEMBER_FOR_HOST(JoinSlice, shift);

// The ways to delete characters. A way for a beginning has a bit for each deleted position; from bit 16 on, it has the
// total number of deletions in the key, and from bit 20 on, the number of positions up to the end of the beginning. The
// ways for strings of n characters start at beginnings[begin_starts[min(n, begins + edits)]]. A way for the rest has
// the deleted positions in ascending order, one byte each. The ways are ordered so that the first C(m, d) ways to
// delete d characters use only the first m positions. The ways to delete d characters start at rests[rest_starts[d]],
// and C(m, d) is ways[d * LONGEST + m].
struct JoinWays {
    const uint32* beginnings;
    const int32* begin_starts;
    const uint32* rests;
    const int32* rest_starts;
    const int32* ways;
};
STRUCT_FOR_HOST(JoinWays);
MEMBER_FOR_HOST(JoinWays, beginnings);
MEMBER_FOR_HOST(JoinWays, begin_starts);
MEMBER_FOR_HOST(JoinWays, rests);
MEMBER_FOR_HOST(JoinWays, rest_starts);
MEMBER_FOR_HOST(JoinWays, ways);

// Two strings with keys whose stored bits are equal.
struct JoinCandidate {
    uint64 word;    // the word of the later string
    uint32 other;
    uint32 places;  // the positions in the later string that the key lacks, ascending, one byte each; 255 for none
};

namespace {

constexpr int32 QUEUE = 3072;
// The number of ways that a thread tries between two checks of the queue.
constexpr int32 ROUND = 4;

__device__ __forceinline__ uint32 mix_small(uint32 value) {
    value ^= value >> 16;
    value *= 0x85ebca6bu;
    value ^= value >> 13;
    value *= 0xc2b2ae35u;
    return value ^ value >> 16;
}

__device__ __forceinline__ uint32 add_to_beginning(uint32 hash, uint32 character) {
    return (hash + character) * 0x9e3779b1u;
}

__device__ __forceinline__ bool has_beginning(const JoinSlice& slice, uint32 hash) {
    return mix_small(hash) >> 1 >> (31 - slice.beginning_bits) == slice.beginning;
}

__device__ __forceinline__ uint64 spread(uint64 mixed) {
    return mixed * 0xd6e8feb86659fd93ull;
}

__device__ __forceinline__ bool has_key(const JoinSlice& slice, uint64 spread_out) {
    return spread_out >> 1 >> (63 - slice.bits) == slice.number;
}

// Returns the length of the shared key that owns a pair (DeletionKeys.isOwner) whose longer string has `longer`
// characters.
__device__ __forceinline__ int32 owner_length(int32 longer, int32 edits) {
    return max(0, longer - edits);
}

// The data that a warp keeps about its string.
struct Sums {
    uint64 of[MAX_EDITS + 1][LONGEST + 1];  // [j][p]: the hash of the characters before p, after j deletions
    uint8 text[LONGEST];
};

__device__ void sum_up(const JoinStrings& all, const JoinString& string, int32 deleted, int32 lane, Sums& sums) {
    int32 n = string.length;
    __syncwarp();
    uint64 totals[MAX_EDITS + 1] = {};
    for (int32 from = 0; from < n; from += 32) {
        int32 p = from + lane;
        uint64 character = 0;
        if (p < n) {
            uint8 text = all.bytes[string.start + p];
            sums.text[p] = text;
            character = all.characters[text];
        }
#pragma unroll
        for (int32 j = 0; j <= MAX_EDITS; j++) {
            if (j <= deleted) {
                uint64 sum = p < n && p >= j ? character * all.powers[p - j] : 0;
#pragma unroll
                for (int32 offset = 1; offset < 32; offset *= 2) {
                    uint64 before = __shfl_up_sync(~0u, sum, offset);
                    sum += lane >= offset ? before : 0;
                }
                if (p < n) {
                    sums.of[j][p + 1] = totals[j] + sum;
                }
                totals[j] += __shfl_sync(~0u, sum, 31);
            }
        }
    }
    if (lane <= deleted) {
        sums.of[lane][0] = 0;
    }
    __syncwarp();
}

// Inserts a key into the hash table. Each earlier string with the same key becomes a candidate, unless the strings'
// lengths, sides, signatures or seeds exclude the pair. Stores at most most_candidates, but counts all.
__device__ __forceinline__ void insert(
        const JoinStrings& all,
        const JoinSlice& slice,
        const JoinString& string,
        uint64 word,
        int64 id,
        int32 kept,
        uint32 places,
        uint64* table,
        int64 slots,
        JoinCandidate* candidates,
        int64 most_candidates,
        int64* counts) {
    int64 slot = static_cast<int64>(word >> slice.shift);
    word = word & ~slice.low | static_cast<uint64>(id + 1);
    for (int64 tried = 0; tried < slots; tried++) {
        uint64 old = atomicCAS(reinterpret_cast<unsigned long long*>(table + slot), 0ull, word);
        if (old == 0) {
            return;
        }
        if (((old ^ word) & ~slice.low) == 0) {
            int64 other = static_cast<int64>(old & slice.low) - 1;
            JoinString met = all.strings[other];
            if (kept == owner_length(max(met.length, string.length), all.edits) && (met.sides | string.sides) == 3
                && __popcll(met.signature ^ string.signature) <= 2 * all.edits && met.seed == string.seed
                        && other != id) {
                int64 at = atomicAdd(reinterpret_cast<unsigned long long*>(counts + CANDIDATES), 1ull);
                if (at < most_candidates) {
                    candidates[at] = {word, static_cast<uint32>(other), places};
                }
            }
        }
        slot = slot + 1 == slots ? 0 : slot + 1;
    }
}

}  // namespace

// Inserts the keys of a slice into an initially empty table, and lists candidates; see `insert`.
extern "C" __global__ void __launch_bounds__(KEYS_BLOCK) join_deletion_keys(
        JoinStrings all,
        JoinSlice slice,
        JoinWays ways,
        uint64* table,
        int64 slots,
        int64 most_keys,
        JoinCandidate* candidates,
        int64 most_candidates,
        int64* counts) {
    __shared__ Sums of_warps[KEYS_BLOCK / 32];
    __shared__ uint32 queue[QUEUE];
    __shared__ uint32 queued;
    __shared__ int32 most_ways;
    Sums& sums = of_warps[threadIdx.x / 32];
    int32 lane = threadIdx.x % 32;
    int32 entered = 0;
    for (int64 tile = blockIdx.x; tile * KEYS_BLOCK < all.count; tile += gridDim.x) {
        // too many keys or candidates: the host chooses a smaller slice
        if (__syncthreads_or(*reinterpret_cast<volatile int64*>(counts + KEYS) > most_keys
                             || *reinterpret_cast<volatile int64*>(counts + CANDIDATES) > most_candidates)) {
            return;
        }
        int64 own = tile * KEYS_BLOCK + threadIdx.x;
        JoinString string = {};
        uint64 text[2] = {};
        if (own < all.count) {
            string = all.strings[own];
            int32 places = min(string.length, slice.begins + all.edits);
            for (int32 p = 0; p < places; p++) {
                text[p / 8] |= static_cast<uint64>(all.bytes[string.start + p]) << p % 8 * 8;
            }
        }
        if (threadIdx.x == 0) {
            queued = 0;
            most_ways = 0;
        }
        __syncthreads();
        int32 shape = min(string.length, slice.begins + all.edits);
        int32 way = own < all.count ? ways.begin_starts[shape] : 0;
        int32 end = own < all.count ? ways.begin_starts[shape + 1] : 0;
        atomicMax(&most_ways, end - way);
        __syncthreads();
        int32 rounds = most_ways;
        for (int32 from = 0; from < rounds; from += ROUND) {
            for (int32 i = 0; i < ROUND && way < end; i++, way++) {
                uint32 deletions = ways.beginnings[way];
                int32 deleted = static_cast<int32>(deletions >> 16 & 3);
                int32 places = static_cast<int32>(deletions >> 20);
                int32 kept = string.length - deleted;
                int32 longer = kept + all.edits;
                if (kept > 0 && (longer >= LONGEST || (all.lengths >> longer & 1) == 0)) {
                    continue;
                }
                uint32 hash = static_cast<uint32>(string.seed);
                uint32 before = ~0u;
                bool counts_once = true;
                for (int32 p = 0; p < places; p++) {
                    uint32 character = static_cast<uint32>((p < 8 ? text[0] >> 8 * p : text[1] >> 8 * (p - 8)) & 0xff);
                    bool is_deleted = deletions >> p & 1;
                    counts_once = counts_once && !(is_deleted && character == before);
                    before = is_deleted ? before : character;
                    hash = is_deleted ? hash : add_to_beginning(hash, character);
                }
                if (counts_once && has_beginning(slice, hash)) {
                    queue[atomicAdd(&queued, 1u)] = threadIdx.x << 20 | static_cast<uint32>(way);
                }
            }
            __syncthreads();
            uint32 waiting = queued;
            if (waiting > QUEUE - ROUND * KEYS_BLOCK || from + ROUND >= rounds) {
                for (uint32 item = threadIdx.x / 32; item < waiting; item += KEYS_BLOCK / 32) {
                    int64 id = tile * KEYS_BLOCK + (queue[item] >> 20);
                    uint32 deletions = ways.beginnings[queue[item] & 0xfffff];
                    int32 deleted = static_cast<int32>(deletions >> 16 & 3);
                    int32 start = static_cast<int32>(deletions >> 20);
                    JoinString of = all.strings[id];
                    int32 n = of.length;
                    int32 kept = n - deleted;
                    sum_up(all, of, deleted, lane, sums);
                    uint64 base = of.seed;
                    int32 done = 0;
                    int32 after = 0;
                    uint32 begin_places = 0;
                    for (int32 p = 0; p < start; p++) {
                        if (deletions >> p & 1) {
                            base += sums.of[done][p] - sums.of[done][after];
                            begin_places |= static_cast<uint32>(p) << 8 * done;
                            after = p + 1;
                            done++;
                        }
                    }
                    int32 rest = deleted - done;
                    int32 all_ways = ways.ways[rest * LONGEST + n - start];
                    const uint32* rests = ways.rests + ways.rest_starts[rest];
                    for (int32 i = lane; i < all_ways; i += 32) {
                        uint32 places = rests[i];
                        uint64 hash = base;
                        int32 from_place = after;
                        int32 gap = -1;
                        bool counts_once = true;
                        for (int32 j = 0; j < rest; j++) {
                            int32 place = start + static_cast<int32>(places >> 8 * j & 0xff);
                            // the character before `start` is kept, unless `start` is 0
                            gap = j > 0 && place == from_place ? gap : place;
                            counts_once = counts_once && (gap == 0 || sums.text[gap - 1] != sums.text[place]);
                            hash += sums.of[done + j][place] - sums.of[done + j][from_place];
                            from_place = place + 1;
                        }
                        hash += sums.of[deleted][n] - sums.of[deleted][from_place];
                        uint64 key = spread(mix(hash));
                        if (!counts_once || !has_key(slice, key)) {
                            continue;
                        }
                        entered++;
                        uint32 all_places = begin_places | places + start * 0x010101u << 8 * done;
                        all_places = deleted == 0 ? ~0u : all_places | ~0u << 8 * deleted;
                        insert(all, slice, of, key << slice.bits, id, kept, all_places, table, slots, candidates,
                                most_candidates, counts);
                    }
                }
                __syncthreads();
                if (threadIdx.x == 0) {
                    queued = 0;
                }
            }
            __syncthreads();
        }
        // counted immediately, so that the host's limit takes effect early
#pragma unroll
        for (int32 other = 16; other > 0; other /= 2) {
            entered += __shfl_xor_sync(~0u, entered, other);
        }
        if (lane == 0) {
            atomicAdd(reinterpret_cast<unsigned long long*>(counts + KEYS), static_cast<unsigned long long>(entered));
        }
        entered = 0;
    }
}

// Selects the candidates whose distance is at most the limit and whose key owns the pair (DeletionKeys.isOwner), and
// writes them as words with the smaller string index in the upper half. Different keys with equal words may find a
// pair twice; `seen`, a hash table that is initially empty, prevents the pair from being listed again.
extern "C" __global__ void __launch_bounds__(VERIFY_BLOCK) join_deletion_verify(
        JoinStrings all,
        JoinSlice slice,
        const JoinCandidate* candidates,
        int64 count,
        uint64* seen,
        int64 seen_slots,
        uint64* pairs,
        int64 most_pairs,
        int64* counts) {
    constexpr int32 WIDTH = 2 * MAX_EDITS + 1;
    constexpr int32 FAR = 100;
    int64 at = static_cast<int64>(blockIdx.x) * VERIFY_BLOCK + threadIdx.x;
    // too many pairs: the host chooses a smaller slice
    if (at >= count || *reinterpret_cast<volatile int64*>(counts + PAIRS) > most_pairs) {
        return;
    }
    JoinCandidate candidate = candidates[at];
    int64 later = static_cast<int64>(candidate.word & slice.low) - 1;
    int64 x = min(later, static_cast<int64>(candidate.other));
    int64 y = max(later, static_cast<int64>(candidate.other));
    JoinString x_string = all.strings[x];
    JoinString y_string = all.strings[y];
    const uint8* x_text = all.bytes + x_string.start;
    const uint8* y_text = all.bytes + y_string.start;
    int32 k = all.edits;
    int32 n = x_string.length;
    int32 m = y_string.length;
    int32 prefix = 0;
    while (prefix < n && x_text[prefix] == y_text[prefix]) {
        prefix++;
    }
    // an owner begins with the first `wanted` characters of the common prefix; a key that lacks one of them begins with
    // them only if the following characters are the same
    int32 wanted = owner_length(m, k);
    const uint8* text = later == x ? x_text : y_text;
    uint32 places = candidate.places;
    int32 place = static_cast<int32>(places & 0xff);
    for (int32 p = place; p < min(prefix, wanted); p++, place++) {
        for (; place == static_cast<int32>(places & 0xff); place++) {
            places = places >> 8 | 0xff000000u;
        }
        if (text[place] != text[p]) {
            return;
        }
    }
    // for each cell in the band, the number of edits from the cell to the end
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
    int32 begins = min(slice.begins, wanted);
    uint32 beginning = static_cast<uint32>(x_string.seed);
    for (int32 p = 0; p < min(prefix, begins); p++) {
        beginning = add_to_beginning(beginning, x_text[p]);
    }
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
            beginning = common < begins ? add_to_beginning(beginning, x_text[i]) : beginning;
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
    uint64 owner = spread(mix(hash));
    if (!has_beginning(slice, beginning) || !has_key(slice, owner)
            || ((owner << slice.bits ^ candidate.word) & ~slice.low) != 0) {
        return;
    }
    uint64 pair = static_cast<uint64>(x) << 32 | static_cast<uint64>(y);
    int64 slot = static_cast<int64>(mix(pair) & static_cast<uint64>(seen_slots - 1));
    for (int64 tried = 0; tried < seen_slots; tried++) {
        uint64 old = atomicCAS(reinterpret_cast<unsigned long long*>(seen + slot), 0ull, pair);
        if (old == pair) {
            return;
        }
        if (old == 0) {
            break;
        }
        slot = slot + 1 == seen_slots ? 0 : slot + 1;
    }
    int64 to = atomicAdd(reinterpret_cast<unsigned long long*>(counts + PAIRS), 1ull);
    if (to < most_pairs) {
        pairs[to] = pair;
    }
}
