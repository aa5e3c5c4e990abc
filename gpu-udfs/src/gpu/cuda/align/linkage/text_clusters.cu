// Clusters the strings of a row by edit distance, with one warp per row: dev.bellman.align.linkage.TextClusters. The
// warp computes the distances of all pairs of strings, each in one lane. Then it searches the table of distances
// between clusters before each merge, as the CPU's serial strategy does.
#include "align/bits/column.cuh"
#include "align/names/texts.cuh"
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/utf8.cuh"

// The CPU solves rows with more or longer strings, or with more different characters that are not ASCII.
constexpr int32 MAX_STRINGS = 128;
constexpr int32 WORDS = 2;  // the number of words of 32 characters in a string
constexpr int32 LONGEST = 32 * WORDS;
constexpr int32 ASCII = 128;
constexpr int32 OTHERS = 128;
// A class contains the rows whose numbers of strings have the same bit length.
constexpr int32 CLUSTER_CLASSES = 9;
// The shared memory of a row: see Clusters.
constexpr int32 FIXED_BYTES = 4 * (ASCII + OTHERS) * WORDS + 4 * OTHERS;
constexpr int32 BYTES_OF_A_PAIR = 4 + 1;
constexpr int32 BYTES_OF_A_STRING = 4 * 4 + LONGEST;
FOR_HOST(CLUSTER_CLASSES);
FOR_HOST(FIXED_BYTES);
FOR_HOST(BYTES_OF_A_PAIR);
FOR_HOST(BYTES_OF_A_STRING);

struct ClusterCalls {
    const int32* offsets;
    Texts strings;
    const uint32* validity;  // the validity of the strings
    const int32* most;       // the maximum distances between clusters that merge
    Texts linkages;
};

// The results for all strings, and the number of results of each row.
struct ClusterAnswers {
    int32* counts;
    int32* clusters;
    int32* medoids;
    int32* diameters;
    int32* neighbours;
};

STRUCT_FOR_HOST(ClusterCalls);
MEMBER_FOR_HOST(ClusterCalls, offsets);
MEMBER_FOR_HOST(ClusterCalls, strings);
MEMBER_FOR_HOST(ClusterCalls, validity);
MEMBER_FOR_HOST(ClusterCalls, most);
MEMBER_FOR_HOST(ClusterCalls, linkages);
STRUCT_FOR_HOST(ClusterAnswers);
MEMBER_FOR_HOST(ClusterAnswers, counts);
MEMBER_FOR_HOST(ClusterAnswers, clusters);
MEMBER_FOR_HOST(ClusterAnswers, medoids);
MEMBER_FOR_HOST(ClusterAnswers, diameters);
MEMBER_FOR_HOST(ClusterAnswers, neighbours);

namespace {

enum Linkage : int32 { SINGLE = 0, COMPLETE = 1, AVERAGE = 2, NO_LINKAGE = 3 };

__device__ __forceinline__ Linkage linkage_named(const Texts& names, int64 row) {
    return names.equals(row, "single") ? SINGLE
        : names.equals(row, "complete") ? COMPLETE
        : names.equals(row, "average")  ? AVERAGE
                                        : NO_LINKAGE;
}

// Returns the number of characters in a string, or LONGEST + 1 if there are more.
__device__ __forceinline__ int32 length_of(const Texts& strings, int32 i) {
    int32 length = 0;
    for (int32 at = strings.offsets[i]; at < strings.offsets[i + 1] && length <= LONGEST; length++) {
        at += bytes_from(strings.bytes[at]);
    }
    return length;
}

// The rows of the pattern in which each character occurs, as an alphabet like HeldSymbols in align/names/metrics.cuh.
struct MaskSymbols {
    const uint32* masks;
    const uint8* codes;
    int32 stride;
    int32 position = 0;

    struct Column {
        const uint32* masks;
    };

    __device__ __forceinline__ void load(int32 at) {
        position = at;
    }

    __device__ __forceinline__ Column column(int32 i, uint32) const {
        return {masks + WORDS * codes[(position + i) * stride]};
    }

    __device__ __forceinline__ uint32 equal(const Column& column, int k) const {
        return column.masks[k];
    }
};

// Two clusters, given by their first strings a < b. The distance between them is sum / count.
struct ClusterPair {
    int32 key = MAX_STRINGS * MAX_STRINGS;  // a * MAX_STRINGS + b; the initial value stands for no pair
    uint32 sum = 0;
    uint32 count = 1;

    __device__ __forceinline__ bool exists() const {
        return key < MAX_STRINGS * MAX_STRINGS;
    }

    // Returns whether this pair merges before `other`. The products are less than 2^31, because a distance is at most
    // LONGEST.
    __device__ __forceinline__ bool precedes(const ClusterPair& other) const {
        uint32 own_product = sum * other.count;
        uint32 other_product = other.sum * count;
        return exists()
            && (!other.exists() || own_product < other_product || (own_product == other_product && key < other.key));
    }
};

// A row's strings and clusters, in shared memory.
struct Clusters {
    int32 count;
    int32 lane;
    uint32* masks;    // for each code, the rows of the pattern
    int32* others;    // the characters with the codes ASCII, ASCII + 1, ...
    uint32* sums;     // for each pair of clusters, the sum of distances, or the smallest or largest distance
    int32* lengths;
    int32* firsts;    // the first string of each string's cluster
    int32* sizes;     // the size of each cluster
    int32* totals;    // for each string, the sum of the distances to the strings of its cluster
    uint8* distances;
    uint8* codes;     // the codes of all strings' first characters, then of all second characters, and so on

    __device__ Clusters(uint8* memory, int32 its_count, int32 its_lane) : count(its_count), lane(its_lane) {
        int32 pairs = count * (count - 1) / 2;
        masks = reinterpret_cast<uint32*>(memory);
        others = reinterpret_cast<int32*>(masks + (ASCII + OTHERS) * WORDS);
        sums = reinterpret_cast<uint32*>(others + OTHERS);
        lengths = reinterpret_cast<int32*>(sums + pairs);
        firsts = lengths + count;
        sizes = firsts + count;
        totals = sizes + count;
        distances = reinterpret_cast<uint8*>(totals + count);
        codes = distances + pairs;
    }

    // Returns the index of a pair of different strings.
    __device__ __forceinline__ int32 pair(int32 a, int32 b) const {
        int32 less = min(a, b);
        return less * (2 * count - less - 1) / 2 + max(a, b) - less - 1;
    }

    // Returns the code of a character, or -1 if there are too many different characters.
    __device__ __forceinline__ int32 code_of(int32 character) const {
        if (static_cast<uint32>(character) < ASCII) {
            return character;
        }
        for (int32 i = 0; i < OTHERS; i++) {
            int32 before = atomicCAS(others + i, NO_CHARACTER, character);
            if (before == NO_CHARACTER || before == character) {
                return ASCII + i;
            }
        }
        return -1;
    }

    // Reads the strings. Returns whether each character has a code.
    __device__ __forceinline__ bool read(const Texts& strings, int32 first) const {
        for (int32 i = lane; i < OTHERS; i += 32) {
            others[i] = NO_CHARACTER;
        }
        __syncwarp();
        bool coded = true;
        for (int32 i = lane; i < count; i += 32) {
            int32 length = 0;
            int32 end = strings.offsets[first + i + 1];
            for (int32 at = strings.offsets[first + i]; at < end; at += bytes_from(strings.bytes[at])) {
                int32 code = code_of(character_at(strings.bytes, at, end));
                coded = coded && code >= 0;
                codes[length++ * count + i] = static_cast<uint8>(code);
            }
            lengths[i] = length;
            firsts[i] = i;
            sizes[i] = 1;
        }
        return __all_sync(~0u, coded) != 0;
    }

    // Computes the distances between a pattern and all later strings.
    __device__ __forceinline__ void compare(int32 pattern) const {
        for (int32 i = lane; i < (ASCII + OTHERS) * WORDS; i += 32) {
            masks[i] = 0;
        }
        __syncwarp();
        for (int32 i = lane; i < lengths[pattern]; i += 32) {
            atomicOr(masks + WORDS * codes[i * count + pattern] + i / 32, 1u << i % 32);
        }
        __syncwarp();
        for (int32 i = pattern + 1 + lane; i < count; i += 32) {
            MaskSymbols symbols{masks, codes + i, count};
            EditColumn<WORDS> state;
            state.reset();
            NoMoves moves;
            solve_alone(state, symbols, lengths[i], moves);
            uint32 distance = lengths[i] + state.growth(lengths[pattern]);
            distances[pair(pattern, i)] = static_cast<uint8>(distance);
            sums[pair(pattern, i)] = distance;
        }
        __syncwarp();
    }

    // Returns the pair of clusters that merges next, or no pair if none is within the maximum distance.
    __device__ __forceinline__ ClusterPair closest(Linkage linkage, uint32 most) const {
        ClusterPair closest;
        for (int32 a = 0; a < count - 1; a++) {
            for (int32 b = a + 1 + lane; firsts[a] == a && b < count; b += 32) {
                ClusterPair each;
                each.key = a * MAX_STRINGS + b;
                each.sum = sums[pair(a, b)];
                each.count = linkage == AVERAGE ? sizes[a] * sizes[b] : 1;
                if (firsts[b] == b && each.sum <= most * each.count && each.precedes(closest)) {
                    closest = each;
                }
            }
        }
        __syncwarp();
#pragma unroll
        for (int32 other = 1; other < 32; other *= 2) {
            ClusterPair theirs;
            theirs.key = __shfl_xor_sync(~0u, closest.key, other);
            theirs.sum = __shfl_xor_sync(~0u, closest.sum, other);
            theirs.count = __shfl_xor_sync(~0u, closest.count, other);
            if (theirs.precedes(closest)) {
                closest = theirs;
            }
        }
        return closest;
    }

    __device__ __forceinline__ void merge(int32 into, int32 from, Linkage linkage) const {
        for (int32 i = lane; i < count; i += 32) {
            if (firsts[i] == i && i != into && i != from) {
                uint32 moved = sums[pair(from, i)];
                uint32& sum = sums[pair(into, i)];
                sum = linkage == SINGLE ? min(sum, moved) : linkage == COMPLETE ? max(sum, moved) : sum + moved;
            }
        }
        __syncwarp();
        for (int32 i = lane; i < count; i += 32) {
            firsts[i] = firsts[i] == from ? into : firsts[i];
        }
        if (lane == 0) {
            sizes[into] += sizes[from];
        }
        __syncwarp();
    }

    // Writes the results, starting at `begin`.
    __device__ __forceinline__ void describe(int32 most, const ClusterAnswers& answers, int32 begin) const {
        // each string's largest distance within its cluster, in the memory for sizes, which are no longer needed
        uint32* largest = reinterpret_cast<uint32*>(sizes);
        for (int32 i = lane; i < count; i += 32) {
            int32 total = 0;
            int32 neighbours = 0;
            int32 farthest = 0;
            for (int32 k = 0; k < count; k++) {
                if (k != i && firsts[k] == firsts[i]) {
                    int32 distance = distances[pair(i, k)];
                    total += distance;
                    neighbours += distance <= most ? 1 : 0;
                    farthest = max(farthest, distance);
                }
            }
            totals[i] = total;
            largest[i] = farthest;
            answers.clusters[begin + i] = firsts[i];
            answers.neighbours[begin + i] = neighbours;
        }
        __syncwarp();
        for (int32 i = lane; i < count; i += 32) {
            int32 medoid = i;
            uint32 diameter = 0;
            for (int32 k = 0; k < count; k++) {
                if (firsts[k] == firsts[i]) {
                    bool is_better = totals[k] < totals[medoid] || (totals[k] == totals[medoid] && k < medoid);
                    medoid = is_better ? k : medoid;
                    diameter = max(diameter, largest[k]);
                }
            }
            answers.medoids[begin + i] = medoid;
            answers.diameters[begin + i] = diameter;
        }
    }
};

}  // namespace

// Classifies the rows, with one warp per row, and counts their results. The size of a row is the number of strings.
//
// - counts: initially 0
extern "C" __global__ void text_clusters_classify(
        int32 rows, const uint32* validity, ClusterCalls calls, int32* counts, Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int32 begin = calls.offsets[row];
    int32 count = calls.offsets[row + 1] - begin;
    bool valid = calls.most[row] >= 0 && linkage_named(calls.linkages, row) != NO_LINKAGE;
    bool are_short = count <= MAX_STRINGS;
    for (int32 i = lane; i < count; i += 32) {
        valid = valid && is_valid(calls.validity, begin + i);
        are_short = are_short && length_of(calls.strings, begin + i) <= LONGEST;
    }
    valid = __all_sync(~0u, valid) != 0;
    are_short = __all_sync(~0u, are_short) != 0;
    if (lane != 0) {
        return;
    }
    if (!valid) {
        rows_of.reject(row);
    } else if (!are_short) {
        rows_of.put(row, ON_CPU, 0, 0);
    } else {
        rows_of.put(row, CLUSTER_CLASSES - 1 - (32 - __clz(count)), count, 0);
        counts[row] = count;
    }
}

// Clusters the strings of the rows order[from], order[from + 1], ..., with one warp per block.
//
// - answer_offsets: the offsets of the rows' results
extern "C" __global__ void __launch_bounds__(32) text_clusters(
        const int32* order,
        int32 from,
        ClusterCalls calls,
        const int32* answer_offsets,
        ClusterAnswers answers,
        Classified rows_of) {
    extern __shared__ uint4 shared[];
    int32 lane = threadIdx.x;
    int32 row = order[from + blockIdx.x];
    int32 begin = calls.offsets[row];
    Clusters clusters(reinterpret_cast<uint8*>(shared), calls.offsets[row + 1] - begin, lane);
    if (!clusters.read(calls.strings, begin)) {
        if (lane == 0) {
            answers.counts[row] = 0;
            rows_of.put(row, ON_CPU, 0, 0);
        }
        return;
    }
    __syncwarp();
    for (int32 i = 0; i < clusters.count - 1; i++) {
        clusters.compare(i);
    }
    Linkage linkage = linkage_named(calls.linkages, row);
    int32 most = min(calls.most[row], LONGEST);
    while (true) {
        ClusterPair closest = clusters.closest(linkage, most);
        if (!closest.exists()) {
            break;
        }
        clusters.merge(closest.key / MAX_STRINGS, closest.key % MAX_STRINGS, linkage);
    }
    clusters.describe(most, answers, answer_offsets[row]);
}
