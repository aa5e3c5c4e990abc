// The strategies of S. Matsumae and M. Miyazaki, "Solving dynamic programming problem by pipeline implementation on GPU" (2018), as they
// describe them: a thread block for each instance, a barrier after each step. `scratch` holds for each instance as many accumulators as
// its table has elements and as it has offsets.
#include "recurrence/operators.cuh"

__device__ __forceinline__ void note_overflow(Instance& instance, int32 index, bool overflow) {
    if (overflow) {
        atomicMin(&instance.overflow, index);
    }
}

template <typename Accumulator>
__device__ __forceinline__ Accumulator* scratch_of(
        Wide* scratch, const int32* table_offsets, const int32* offset_offsets, int32 row) {
    return reinterpret_cast<Accumulator*>(
            scratch + static_cast<int64>(table_offsets[row]) + (offset_offsets[row] - offset_offsets[0]));
}

template <int32 KIND>
__device__ void sequential(Instance& shared_instance) {
    using Op = Operator<KIND>;
    Instance instance = shared_instance;
    for (int32 i = instance.start; i < instance.length; i++) {
        bool overflow = false;
        auto value = Op::candidate(instance, instance.table[i - instance.offsets[0]], 0, overflow);
        for (int32 j = 1; j < instance.stages; j++) {
            value = Op::combine(
                    instance, value, Op::candidate(instance, instance.table[i - instance.offsets[j]], j, overflow));
        }
        instance.table[i] = Op::value(value, overflow);
        note_overflow(shared_instance, i, overflow);
    }
}

// Fig. 1: a thread for each instance.
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
__device__ void tournament(Instance& shared_instance, typename Operator<KIND>::Accumulator* partial) {
    using Op = Operator<KIND>;
    Instance instance = shared_instance;
    for (int32 i = instance.start; i < instance.length; i++) {
        bool overflow = false;
        for (int32 j = threadIdx.x; j < instance.stages; j += blockDim.x) {
            partial[j] = Op::candidate(instance, instance.table[i - instance.offsets[j]], j, overflow);
        }
        __syncthreads();
        for (int64 distance = 1; distance < instance.stages; distance *= 2) {
            for (int64 j = 2 * distance * threadIdx.x; j + distance < instance.stages; j += 2 * distance * blockDim.x) {
                partial[j] = Op::combine(instance, partial[j], partial[j + distance]);
            }
            __syncthreads();
        }
        if (threadIdx.x == 0) {
            instance.table[i] = Op::value(partial[0], overflow);
        }
        note_overflow(shared_instance, i, overflow);
        __syncthreads();
    }
}

extern "C" __global__ void s_dp_tournament(
        Instance* instances, const int32* table_offsets, const int32* offset_offsets, Wide* scratch) {
    Instance& instance = instances[blockIdx.x];
#define ACTION(KIND)        \
    tournament<KIND>(       \
            instance,       \
            scratch_of<typename Operator<KIND>::Accumulator>(scratch, table_offsets, offset_offsets, blockIdx.x))
    FOR_KIND(instance.kind, ACTION)
#undef ACTION
}

// Each thread folds a share of the candidates, then one thread folds the shares.
template <int32 KIND>
__device__ void naive_parallel(Instance& shared_instance, typename Operator<KIND>::Accumulator* partial) {
    using Op = Operator<KIND>;
    Instance instance = shared_instance;
    int32 share = (instance.stages + blockDim.x - 1) / blockDim.x;
    int32 shares = (instance.stages + share - 1) / share;
    for (int32 i = instance.start; i < instance.length; i++) {
        bool overflow = false;
        int32 first = threadIdx.x * share;
        if (threadIdx.x < shares) {
            auto value = Op::candidate(instance, instance.table[i - instance.offsets[first]], first, overflow);
            for (int32 j = first + 1; j < min(first + share, instance.stages); j++) {
                value = Op::combine(
                        instance, value, Op::candidate(instance, instance.table[i - instance.offsets[j]], j, overflow));
            }
            partial[threadIdx.x] = value;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            auto value = partial[0];
            for (int32 other = 1; other < shares; other++) {
                value = Op::combine(instance, value, partial[other]);
            }
            instance.table[i] = Op::value(value, overflow);
        }
        note_overflow(shared_instance, i, overflow);
        __syncthreads();
    }
}

extern "C" __global__ void s_dp_naive_parallel(
        Instance* instances, const int32* table_offsets, const int32* offset_offsets, Wide* scratch) {
    Instance& instance = instances[blockIdx.x];
#define ACTION(KIND)        \
    naive_parallel<KIND>(   \
            instance,       \
            scratch_of<typename Operator<KIND>::Accumulator>(scratch, table_offsets, offset_offsets, blockIdx.x))
    FOR_KIND(instance.kind, ACTION)
#undef ACTION
}

// Fig. 2 with `width` 1: stage m folds offset m into the element `head - m`. With `width` 2 each stage has two offsets.
template <int32 KIND>
__device__ void pipeline(Instance& shared_instance, typename Operator<KIND>::Accumulator* partial, int32 width) {
    using Op = Operator<KIND>;
    Instance instance = shared_instance;
    int32 stages = (instance.stages + width - 1) / width;
    for (int64 head = instance.start; head < static_cast<int64>(instance.length) + stages - 1; head++) {
        int64 first = max(0LL, head - instance.length + 1);
        int64 last = min(static_cast<int64>(stages) - 1, head - instance.start);
        for (int64 stage = first + threadIdx.x; stage <= last; stage += blockDim.x) {
            int32 i = static_cast<int32>(head - stage);
            bool overflow = false;
            int32 begin = static_cast<int32>(stage) * width;
            int32 end = min(begin + width, instance.stages);
            auto value = partial[i];
            for (int32 j = begin; j < end; j++) {
                auto candidate = Op::candidate(instance, instance.table[i - instance.offsets[j]], j, overflow);
                value = j == 0 ? candidate : Op::combine(instance, value, candidate);
            }
            partial[i] = value;
            if (end == instance.stages) {
                instance.table[i] = Op::value(value, overflow);
            }
            note_overflow(shared_instance, i, overflow);
        }
        __syncthreads();
    }
}

extern "C" __global__ void s_dp_pipeline(
        Instance* instances, const int32* table_offsets, const int32* offset_offsets, Wide* scratch, int32 width) {
    Instance& instance = instances[blockIdx.x];
#define ACTION(KIND)    \
    pipeline<KIND>(     \
            instance,   \
            scratch_of<typename Operator<KIND>::Accumulator>(scratch, table_offsets, offset_offsets, blockIdx.x), \
            width)
    FOR_KIND(instance.kind, ACTION)
#undef ACTION
}
