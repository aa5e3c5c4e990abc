// Implements the strategies by Matsumae and Miyazaki, "Solving dynamic programming problem by pipeline implementation
// on GPU" (2018), as described in the paper. Except by the sequential strategy, each instance is solved by one
// thread block or, if it is large, by all blocks of a cooperative launch, with a barrier after each step. `scratch` has
// room, for each instance, for one accumulator per table element and one per offset.
#include "common/team.cuh"
#include "recurrence/operators.cuh"

constexpr int32 ACCUMULATOR_BYTES = sizeof(Wide);  // large enough for any operator
FOR_HOST(ACCUMULATOR_BYTES);

__device__ __forceinline__ void note_overflow(Instance& instance, int32 index, bool overflow) {
    if (overflow) {
        atomicMin(&instance.overflow, index);
    }
}

// Reads a value that other threads may write while the kernel runs. Bypasses the L1 cache, which is not coherent
// between blocks.
__device__ __forceinline__ int64 read(const int64* address) {
    return __ldcg(address);
}

__device__ __forceinline__ Wide read(const Wide* address) {
    longlong2 words = __ldcg(reinterpret_cast<const longlong2*>(address));
    return {words.x, words.y};
}

// Combines the values from `first` up to but excluding `end`, in order.
template <class Op, class Values>
__device__ __forceinline__ auto fold(const Instance& instance, const Values& values, int32 first, int32 end) {
    auto value = values(first);
#pragma unroll 8
    for (int32 other = first + 1; other < end; other++) {
        value = Op::combine(instance, value, values(other));
    }
    return value;
}

template <int32 KIND>
struct Reader {
    using Op = Operator<KIND>;

    const Instance instance;
    bool overflow = false;

    __device__ __forceinline__ auto candidate(int32 i, int32 stage) {
        return Op::candidate(instance, read(instance.table + (i - instance.offsets[stage])), stage, overflow);
    }

    // Combines the candidates of the stages from `first` up to but excluding `end`.
    __device__ __forceinline__ auto fold(int32 i, int32 first, int32 end) {
        return ::fold<Op>(instance, [&](int32 stage) { return candidate(i, stage); }, first, end);
    }
};

template <int32 KIND>
__device__ void sequential(Instance& shared_instance) {
    Instance instance = shared_instance;
    for (int32 i = instance.start; i < instance.length; i++) {
        Reader<KIND> reader{instance};
        instance.table[i] = Operator<KIND>::value(reader.fold(i, 0, instance.stages), reader.overflow);
        note_overflow(shared_instance, i, reader.overflow);
    }
}

// Implements Fig. 1 of the paper, with one thread per instance.
extern "C" __global__ void s_dp_sequential(Instance* instances, int32 rows) {
    int64 row = thread_index();
    if (row >= rows) {
        return;
    }
#define ACTION(KIND) sequential<KIND>(instances[row])
    FOR_KIND(instances[row].kind, ACTION)
#undef ACTION
}

template <int32 KIND>
__device__ void tournament(Team team, Instance& shared_instance, typename Operator<KIND>::Accumulator* partial) {
    using Op = Operator<KIND>;
    Instance instance = shared_instance;
    for (int32 i = instance.start; i < instance.length; i++) {
        Reader<KIND> reader{instance};
        for (int32 j = team.thread; j < instance.stages; j += team.threads) {
            partial[j] = reader.candidate(i, j);
        }
        team.sync();
        for (int64 distance = 1; distance < instance.stages; distance *= 2) {
            for (int64 j = 2 * distance * team.thread; j + distance < instance.stages;
                 j += 2 * distance * team.threads) {
                partial[j] = Op::combine(instance, read(partial + j), read(partial + j + distance));
            }
            team.sync();
        }
        if (team.thread == 0) {
            instance.table[i] = Op::value(read(partial), reader.overflow);
        }
        note_overflow(shared_instance, i, reader.overflow);
        team.sync();
    }
}

// Contains one accumulator per thread, followed by one per warp.
__shared__ Wide shares[1024 + 32];

// Each thread combines a part of the candidates. Then one thread of each warp combines the results of its warp, one
// thread of each block combines the results of its warps, and finally one thread combines the results of all blocks.
template <int32 KIND>
__device__ void naive_parallel(Team team, Instance& shared_instance, typename Operator<KIND>::Accumulator* partial) {
    using Op = Operator<KIND>;
    using Accumulator = typename Op::Accumulator;
    Instance instance = shared_instance;
    auto* of_threads = reinterpret_cast<Accumulator*>(shares);
    auto* of_warps = reinterpret_cast<Accumulator*>(shares + 1024);
    int32 share = (instance.stages - 1) / team.threads + 1;
    int32 used = (instance.stages - 1) / share + 1;
    int32 thread = threadIdx.x;
    int32 block = team.thread / blockDim.x;
    int32 used_here = min(used - (team.thread - thread), static_cast<int32>(blockDim.x));
    int32 blocks = (used - 1) / static_cast<int32>(blockDim.x) + 1;
    for (int32 i = instance.start; i < instance.length; i++) {
        Reader<KIND> reader{instance};
        if (thread < used_here) {
            int32 first = team.thread * share;
            of_threads[thread] = reader.fold(i, first, min(first + share, instance.stages));
        }
        __syncwarp();
        if (thread % 32 == 0 && thread < used_here) {
            auto value = [&](int32 other) { return of_threads[other]; };
            of_warps[thread / 32] = fold<Op>(instance, value, thread, min(thread + 32, used_here));
        }
        __syncthreads();
        if (thread == 0 && used_here > 0) {
            partial[block] = fold<Op>(instance, [&](int32 other) { return of_warps[other]; }, 0, (used_here + 31) / 32);
        }
        team.sync();
        if (team.thread == 0) {
            auto value = fold<Op>(instance, [&](int32 other) { return read(partial + other); }, 0, blocks);
            instance.table[i] = Op::value(value, reader.overflow);
        }
        note_overflow(shared_instance, i, reader.overflow);
        team.sync();
    }
}

// Implements Fig. 2. With `width` 1, stage m appends the candidate of offset m to the accumulator of element `head -
// m`. With `width` 2, each stage has two offsets.
template <int32 KIND>
__device__ void pipeline(
        Team team, Instance& shared_instance, typename Operator<KIND>::Accumulator* partial, int32 width) {
    using Op = Operator<KIND>;
    Instance instance = shared_instance;
    int32 stages = (instance.stages + width - 1) / width;
    for (int64 head = instance.start; head < static_cast<int64>(instance.length) + stages - 1; head++) {
        int64 first = max(0LL, head - instance.length + 1);
        int64 last = min(static_cast<int64>(stages) - 1, head - instance.start);
#pragma unroll 2
        for (int64 stage = first + team.thread; stage <= last; stage += team.threads) {
            int32 i = static_cast<int32>(head - stage);
            int32 begin = static_cast<int32>(stage) * width;
            int32 end = min(begin + width, instance.stages);
            Reader<KIND> reader{instance};
            auto value = reader.candidate(i, begin);
            if (begin > 0) {
                value = Op::combine(instance, read(partial + i), value);
            }
            for (int32 j = begin + 1; j < end; j++) {
                value = Op::combine(instance, value, reader.candidate(i, j));
            }
            if (end == instance.stages) {
                instance.table[i] = Op::value(value, reader.overflow);
            } else {
                partial[i] = value;
            }
            note_overflow(shared_instance, i, reader.overflow);
        }
        team.sync();
    }
}

// Defines a kernel for a strategy. If `arrivals` is null, one block solves each row that is not large. Otherwise, all
// blocks solve one large row.
#define STRATEGY(NAME, CALL)                                                                                          \
    extern "C" __global__ void __launch_bounds__(1024) NAME(                                                          \
            Instance* instances,                                                                                      \
            const int32* table_offsets,                                                                               \
            const int32* offset_offsets,                                                                              \
            Wide* scratch,                                                                                            \
            int32 width,                                                                                              \
            int32 large_row,                                                                                          \
            uint32* arrivals) {                                                                                       \
        int32 row = arrivals == nullptr ? blockIdx.x : large_row;                                                     \
        Instance& instance = instances[row];                                                                          \
        if (arrivals == nullptr && is_large(instance)) {                                                              \
            return;                                                                                                   \
        }                                                                                                             \
        Wide* own = scratch + static_cast<int64>(table_offsets[row]) + (offset_offsets[row] - offset_offsets[0]);     \
        Team team(arrivals);                                                                                          \
        FOR_KIND(instance.kind, CALL)                                                                                 \
    }
#define PARTIAL(KIND) reinterpret_cast<typename Operator<KIND>::Accumulator*>(own)
#define TOURNAMENT(KIND) tournament<KIND>(team, instance, PARTIAL(KIND))
#define NAIVE_PARALLEL(KIND) naive_parallel<KIND>(team, instance, PARTIAL(KIND))
#define PIPELINE(KIND) pipeline<KIND>(team, instance, PARTIAL(KIND), width)

STRATEGY(s_dp_tournament, TOURNAMENT)
STRATEGY(s_dp_naive_parallel, NAIVE_PARALLEL)
STRATEGY(s_dp_pipeline, PIPELINE)
