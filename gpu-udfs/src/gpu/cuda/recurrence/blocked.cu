// Implements the blocked strategy, which computes elements one tile at a time. First come the contributions from
// elements before the tile, which are independent of each other; then the contributions from the tile itself, for as
// many elements at a time as a warp has lanes. The candidates for an element are always combined in the order of the
// offsets, so candidates from before the tile come first.
#include "common/warp.cuh"
#include "recurrence/operators.cuh"

constexpr int32 WARP = 32;
constexpr int32 TILE = 1024;
constexpr uint32 ALL = 0xffffffffu;

constexpr int32 SHORT_WARPS = 4;

FOR_HOST(WARP);
FOR_HOST(TILE);
FOR_HOST(SHORT_WARPS);
constexpr int32 ACCUMULATOR_BYTES = sizeof(Wide);  // large enough for any operator
FOR_HOST(ACCUMULATOR_BYTES);

__device__ __forceinline__ int64 shuffle(int64 value, int32 lane) {
    return __shfl_sync(ALL, value, lane);
}

// Combines the contributions that 32 elements, one per lane, make to each other. Bit d of `near` is set if the distance
// d < 32 is an offset; its stage is `stages` minus the number of offsets that are at most d. Returns the element of
// this lane.
template <int32 KIND>
__device__ __forceinline__ int64 solve_warp(
        const Instance& instance,
        typename Operator<KIND>::Accumulator accumulator,
        bool begun,
        uint32 near,
        bool& overflow) {
    using Op = Operator<KIND>;
    int32 lane = threadIdx.x & (WARP - 1);
    bool unused = false;
    if (near != 0) {
        // bit s: whether this lane's element depends on element s. The last element that any lane depends on comes
        // before the last lane's element by the smallest distance
        uint32 sources = __brev(near) >> (WARP - 1 - lane);
        int32 count = WARP - (__ffs(near) - 1);
#pragma unroll 4
        for (int32 s = 0; s < WARP - 1; s++) {
            if (s >= count) {
                break;
            }
            int64 element = shuffle(Op::value(accumulator, unused), s);
            if ((sources >> s & 1) != 0) {
                int32 stage = instance.stages - __popc(near & ((2u << (lane - s)) - 1));
                auto candidate = Op::candidate(instance, element, stage, overflow);
                accumulator = begun ? Op::combine(instance, accumulator, candidate) : candidate;
                begun = true;
            }
        }
    }
    return Op::value(accumulator, overflow);
}

template <int32 KIND>
__device__ void solve_short(Instance& shared_instance, int64* table) {
    using Op = Operator<KIND>;
    Instance instance = shared_instance;
    int32 lane = threadIdx.x & (WARP - 1);
    for (int32 i = lane; i < instance.start; i += WARP) {
        table[i] = instance.table[i];
    }
    uint32 near = 0;
    int32 nearest = instance.stages - 1 - lane;
    if (nearest >= 0 && instance.offsets[nearest] < WARP) {
        near = 1u << instance.offsets[nearest];
    }
    near = any_bits(near);
    int32 far = instance.stages - __popc(near);
    __syncwarp();
    for (int32 begin = instance.start; begin < instance.length; begin += WARP) {
        int32 i = begin + lane;
        bool within = i < instance.length;
        bool overflow = false;
        bool begun = far > 0;
        typename Op::Accumulator accumulator{};
        // through a far offset, all lanes read elements before these 32; the results of lanes past the end are
        // discarded
        if (far > 0) {
            accumulator = Op::candidate(instance, table[i - instance.offsets[0]], 0, overflow);
        }
#pragma unroll 4
        for (int32 j = 1; j < far; j++) {
            accumulator = Op::combine(
                    instance, accumulator, Op::candidate(instance, table[i - instance.offsets[j]], j, overflow));
        }
        for (int32 j = far; j < instance.stages; j++) {
            int32 offset = instance.offsets[j];
            if (offset > lane) {
                auto candidate = Op::candidate(instance, table[i - offset], j, overflow);
                accumulator = begun ? Op::combine(instance, accumulator, candidate) : candidate;
                begun = true;
            }
        }
        int64 element = solve_warp<KIND>(instance, accumulator, begun, near, overflow);
        if (within) {
            table[i] = element;
            instance.table[i] = element;
            if (overflow) {
                atomicMin(&shared_instance.overflow, i);
            }
        }
        __syncwarp();
    }
}

// Solves each of the `count` instances that have a short table with one warp.
extern "C" __global__ void __launch_bounds__(WARP * SHORT_WARPS, 7) s_dp_short(
        Instance* instances, const int32* short_rows, int32 count) {
    __shared__ int64 tables[SHORT_WARPS][SHORT];
    int32 warp = threadIdx.x / WARP;
    int64 position = static_cast<int64>(blockIdx.x) * SHORT_WARPS + warp;
    if (position >= count) {
        return;
    }
    Instance& instance = instances[short_rows[position]];
#define ACTION(KIND) solve_short<KIND>(instance, tables[warp])
    FOR_KIND(instance.kind, ACTION)
#undef ACTION
}

// The offsets that are smaller than TILE, one bit each, and the number of such offsets before each word of bits.
struct Near {
    uint32 words[TILE / WARP + 1];
    int32 ranks[TILE / WARP + 1];
};

// Computes the elements from `first` up to but excluding `last`, tile by tile. If `chunks` is not zero, `partial`
// contains the contributions to the first tile from earlier elements.
template <int32 KIND>
__device__ void solve_tiles(
        Instance& shared_instance,
        int32 first,
        int32 last,
        Near& near,
        int64* tile,
        const typename Operator<KIND>::Accumulator* partial,
        int32 chunks,
        int32 chunk) {
    using Op = Operator<KIND>;
    Instance instance = shared_instance;
    int32 position = threadIdx.x;
    int32 warp = position / WARP;
    if (position <= TILE / WARP) {
        near.words[position] = 0;
    }
    __syncthreads();
    int32 nearest = instance.stages - 1 - position;
    if (nearest >= 0 && instance.offsets[nearest] < TILE) {
        atomicOr(&near.words[instance.offsets[nearest] / WARP], 1u << (instance.offsets[nearest] & (WARP - 1)));
    }
    __syncthreads();
    if (position == 0) {
        int32 rank = 0;
        for (int32 word = 0; word <= TILE / WARP; word++) {
            near.ranks[word] = rank;
            rank += __popc(near.words[word]);
        }
    }
    __syncthreads();
    bool any_near = near.ranks[TILE / WARP] != 0;
    // the number of chunks that contribute to every position of a tile: those whose first offset, the largest, is at
    // least the size of a tile
    int32 far = instance.stages - near.ranks[TILE / WARP];
    int32 whole = chunks == 0 ? 0 : (far + chunk - 1) / chunk;

    for (int64 begin = first; begin < last; begin += TILE) {
        int32 i = static_cast<int32>(begin) + position;
        int32 count = static_cast<int32>(min(static_cast<int64>(TILE), last - begin));
        bool within = position < count;
        bool overflow = false;
        bool begun = false;
        typename Op::Accumulator accumulator{};
        if (within && chunks != 0) {
            begun = whole > 0;
            if (begun) {
                accumulator = partial[position];
            }
#pragma unroll 8
            for (int32 c = 1; c < whole; c++) {
                accumulator = Op::combine(instance, accumulator, partial[static_cast<int64>(c) * TILE + position]);
            }
            for (int32 c = whole; c < chunks && instance.offsets[c * chunk] > position; c++) {
                auto folded = partial[static_cast<int64>(c) * TILE + position];
                accumulator = begun ? Op::combine(instance, accumulator, folded) : folded;
                begun = true;
            }
        } else if (within) {
#pragma unroll 4
            for (int32 j = 0; j < instance.stages; j++) {
                int32 offset = instance.offsets[j];
                if (offset <= position) {
                    break;
                }
                auto candidate = Op::candidate(instance, instance.table[i - offset], j, overflow);
                accumulator = begun ? Op::combine(instance, accumulator, candidate) : candidate;
                begun = true;
            }
        }
        if (!any_near) {
            if (within) {
                instance.table[i] = Op::value(accumulator, overflow);
            }
        } else {
            for (int32 solved = 0; solved * WARP < count; solved++) {
                if (warp == solved) {
                    int64 element = solve_warp<KIND>(instance, accumulator, begun, near.words[0], overflow);
                    tile[position] = element;
                    if (within) {
                        instance.table[i] = element;
                    }
                }
                __syncthreads();
                if (warp > solved && within) {
                    // bit b: whether the distance to element b of the solved elements is an offset. The distance to the
                    // first of these is the largest
                    int32 distance = position - solved * WARP;
                    int32 nearer = distance - (WARP - 1);
                    uint32 reversed = __funnelshift_r(
                            near.words[nearer / WARP], near.words[nearer / WARP + 1], nearer & (WARP - 1));
                    uint32 bits = __brev(reversed);
                    for (; bits != 0; bits &= bits - 1) {
                        int32 s = __ffs(bits) - 1;
                        int32 offset = distance - s;
                        int32 stage = instance.stages - near.ranks[offset / WARP]
                            - __popc(near.words[offset / WARP] & ((2u << (offset & (WARP - 1))) - 1));
                        auto candidate = Op::candidate(instance, tile[solved * WARP + s], stage, overflow);
                        accumulator = begun ? Op::combine(instance, accumulator, candidate) : candidate;
                        begun = true;
                    }
                }
            }
        }
        if (within && overflow) {
            atomicMin(&shared_instance.overflow, i);
        }
        __syncthreads();
    }
}

// Solves each instance that is neither short nor large with one block.
extern "C" __global__ void __launch_bounds__(TILE) s_dp_long(Instance* instances, const int32* long_rows) {
    __shared__ Near near;
    __shared__ int64 tile[TILE];
    Instance& instance = instances[long_rows[blockIdx.x]];
#define ACTION(KIND) solve_tiles<KIND>(instance, instance.start, instance.length, near, tile, nullptr, 0, 0)
    FOR_KIND(instance.kind, ACTION)
#undef ACTION
}

// Computes the contributions of earlier elements to a tile of a large instance, with one block per `chunk` offsets.
template <int32 KIND>
__device__ void fold_chunk(
        Instance& shared_instance, int32 begin, int32 chunk, typename Operator<KIND>::Accumulator* partial) {
    using Op = Operator<KIND>;
    Instance instance = shared_instance;
    int32 position = threadIdx.x;
    int32 i = begin + position;
    if (i >= instance.length) {
        return;
    }
    int32 j = blockIdx.x * chunk;
    int32 end = min(j + chunk, instance.stages);
    if (instance.offsets[j] <= position) {
        return;
    }
    bool overflow = false;
    auto accumulator = Op::candidate(instance, instance.table[i - instance.offsets[j]], j, overflow);
#pragma unroll 8
    for (j++; j < end; j++) {
        int32 offset = instance.offsets[j];
        if (offset <= position) {
            break;
        }
        accumulator =
                Op::combine(instance, accumulator, Op::candidate(instance, instance.table[i - offset], j, overflow));
    }
    partial[static_cast<int64>(blockIdx.x) * TILE + position] = accumulator;
    if (overflow) {
        atomicMin(&shared_instance.overflow, i);
    }
}

extern "C" __global__ void __launch_bounds__(TILE) s_dp_fold_tile(
        Instance* instances, int32 row, int32 begin, int32 chunk, Wide* partial) {
#define ACTION(KIND)            \
    fold_chunk<KIND>(           \
            instances[row], begin, chunk, reinterpret_cast<typename Operator<KIND>::Accumulator*>(partial))
    FOR_KIND(instances[row].kind, ACTION)
#undef ACTION
}

extern "C" __global__ void __launch_bounds__(TILE) s_dp_solve_tile(
        Instance* instances, int32 row, int32 begin, int32 chunks, int32 chunk, const Wide* partial) {
    __shared__ Near near;
    __shared__ int64 tile[TILE];
    Instance& instance = instances[row];
    int32 last = min(begin + TILE, instance.length);
#define ACTION(KIND)         \
    solve_tiles<KIND>(       \
            instance,        \
            begin,           \
            last,            \
            near,            \
            tile,            \
            reinterpret_cast<const typename Operator<KIND>::Accumulator*>(partial), \
            chunks,          \
            chunk)
    FOR_KIND(instance.kind, ACTION)
#undef ACTION
}
