// Solves large tables whose operator is a minimum, a maximum, AND or OR. For these lattice operators, a candidate
// matters only if it changes the accumulated value of an element. Exactly one table satisfies the recurrence, because
// each element depends only on earlier ones. Therefore, all elements after the initial ones start from the operator's
// neutral value and, in rounds, absorb all candidates that change them, until no element changes in a round. The number
// of rounds is at most one more than the maximum number of improving steps on a path from an initial element; with
// dense offsets, it is small.
//
// One warp searches for the candidates of one element. For each group of 1,024 elements and each block of 32 elements,
// the combined value of these elements is stored. The search skips groups and blocks whose combined values would not
// change the element. Values only decrease in the lattice's order; if a round misses a concurrent update, the next
// round sees it.
#include "common/warp.cuh"
#include "recurrence/operators.cuh"

constexpr int32 WARP = 32;
constexpr int32 GROUP = WARP * WARP;
constexpr uint32 ALL = 0xffffffffu;
FOR_HOST(WARP);
FOR_HOST(GROUP);

__device__ __forceinline__ int64 neutral(int32 kind) {
    switch (kind) {
        case MIN:
        case BOOL_AND: return 0x7fffffffffffffffLL;
        case MAX:
        case BOOL_OR: return -0x7fffffffffffffffLL - 1;
        case BIT_AND: return -1;
        default: return 0;
    }
}

template <int32 KIND>
__device__ __forceinline__ void join(int64* known, int64 value) {
    if constexpr (KIND == MIN) {
        atomicMin(known, value);
    } else if constexpr (KIND == MAX) {
        atomicMax(known, value);
    } else if constexpr (KIND == BIT_AND) {
        atomicAnd(reinterpret_cast<uint64*>(known), static_cast<uint64>(value));
    } else {
        atomicOr(reinterpret_cast<uint64*>(known), static_cast<uint64>(value));
    }
}

#define FOR_LATTICE(kind, ACTION)                \
    switch (kind) {                              \
        case MIN:                                \
        case BOOL_AND: ACTION(MIN); break;       \
        case MAX:                                \
        case BOOL_OR: ACTION(MAX); break;        \
        case BIT_AND: ACTION(BIT_AND); break;    \
        case BIT_OR: ACTION(BIT_OR); break;      \
        default: break;                          \
    }

// Returns the combined value of a warp's elements.
template <int32 KIND>
__device__ __forceinline__ int64 combine_lanes(const Instance& instance, int64 value) {
    return reduce_lanes<WARP>(value, [&](int64 a, int64 b) { return Operator<KIND>::combine(instance, a, b); });
}

// Initializes the table, its blocks and its groups, with one thread per element and one thread block per group. Sets
// bit d of `distances`, which must initially be zero, for each offset d.
extern "C" __global__ void __launch_bounds__(GROUP) s_dp_search_begin(
        const Instance* instances, int32 row, int64* blocks, int64* groups, uint32* distances, int32* changes,
        int32 rounds) {
    __shared__ int64 joined[WARP];
    Instance instance = instances[row];
    int64 i = thread_index();
    int64 value = neutral(instance.kind);
    if (i < instance.start) {
        value = instance.table[i];
    } else if (i < instance.length) {
        instance.table[i] = value;
    }
    if (i < instance.stages) {
        atomicOr(distances + instance.offsets[i] / WARP, 1u << (instance.offsets[i] & (WARP - 1)));
    }
    if (i < rounds) {
        changes[i] = 0;
    }
    int32 lane = threadIdx.x & (WARP - 1);
#define ACTION(KIND) value = combine_lanes<KIND>(instance, value)
    FOR_LATTICE(instance.kind, ACTION)
    if (lane == 0) {
        joined[threadIdx.x / WARP] = value;
        blocks[i / WARP] = value;
    }
    __syncthreads();
    if (threadIdx.x < WARP) {
        value = joined[threadIdx.x];
        FOR_LATTICE(instance.kind, ACTION)
        if (threadIdx.x == 0) {
            groups[blockIdx.x] = value;
        }
    }
#undef ACTION
}

template <int32 KIND>
__device__ void search(
        const Instance& instance, int32 i, int64* blocks, int64* groups, const uint32* distances, int32* change) {
    using Op = Operator<KIND>;
    int32 lane = threadIdx.x & (WARP - 1);
    int32 farthest = instance.offsets[0];
    int32 oldest = i - farthest;
    int32 newest = i - instance.offsets[instance.stages - 1];
    int64 before = instance.table[i];
    int64 known = before;
    for (int32 high = newest / GROUP; high >= oldest / GROUP; high -= WARP) {
        int32 group = high - lane;
        bool candidate = group >= oldest / GROUP;
        int64 together = candidate ? groups[group] : 0;
        uint32 open = __ballot_sync(ALL, candidate && Op::combine(instance, known, together) != known);
        while (open != 0) {
            int32 first = (high - (__ffs(open) - 1)) * WARP;
            open &= open - 1;
            // lane b checks the b-th block from the end of the group
            int32 block = first + (WARP - 1) - lane;
            bool reached = block >= oldest / WARP && block <= newest / WARP;
            int64 block_value = reached ? blocks[block] : 0;
            uint32 blocks_open = __ballot_sync(ALL, reached && Op::combine(instance, known, block_value) != known);
            while (blocks_open != 0) {
                int32 element = (first + (WARP - 1) - (__ffs(blocks_open) - 1)) * WARP + lane;
                blocks_open &= blocks_open - 1;
                int32 distance = i - element;
                int64 value = known;
                if (distance > 0 && distance <= farthest
                        && (distances[distance / WARP] >> (distance & (WARP - 1)) & 1) != 0) {
                    value = Op::combine(instance, known, instance.table[element]);
                }
                if (__any_sync(ALL, value != known)) {
                    known = combine_lanes<KIND>(instance, value);
                    blocks_open &= __ballot_sync(ALL, reached && Op::combine(instance, known, block_value) != known);
                    open &= __ballot_sync(ALL, candidate && Op::combine(instance, known, together) != known);
                }
            }
        }
    }
    if (lane == 0 && known != before) {
        instance.table[i] = known;
        join<KIND>(blocks + i / WARP, known);
        join<KIND>(groups + i / GROUP, known);
        *change = 1;
    }
}

// Runs one round, which has no effect if the previous round changed nothing. Warps process elements one by one.
extern "C" __global__ void s_dp_search_round(
        const Instance* instances, int32 row, int64* blocks, int64* groups, const uint32* distances, int32* changes,
        int32 round) {
    if (round > 0 && changes[round - 1] == 0) {
        return;
    }
    Instance instance = instances[row];
    int64 warps = static_cast<int64>(gridDim.x) * blockDim.x / WARP;
    for (int64 i = instance.start + thread_index() / WARP; i < instance.length; i += warps) {
#define ACTION(KIND) search<KIND>(instance, static_cast<int32>(i), blocks, groups, distances, changes + round)
        FOR_LATTICE(instance.kind, ACTION)
#undef ACTION
    }
}
