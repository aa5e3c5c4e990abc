// Groups the rows of a batch by class. The class with the number `classes`, one more than the family's last class,
// contains the rows for the CPU.
#include "columns/instances.cuh"
#include "columns/slots.cuh"
#include "common/host.cuh"
#include "common/sum.cuh"

STRUCT_FOR_HOST(Classified);
MEMBER_FOR_HOST(Classified, keys);
MEMBER_FOR_HOST(Classified, sizes);
MEMBER_FOR_HOST(Classified, cells);
STRUCT_FOR_HOST(Slots);
MEMBER_FOR_HOST(Slots, order);
MEMBER_FOR_HOST(Slots, from);
MEMBER_FOR_HOST(Slots, to);
MEMBER_FOR_HOST(Slots, ticket);
MEMBER_FOR_HOST(Slots, memory);
MEMBER_FOR_HOST(Slots, bytes);

// Totals over all rows of the batch.
struct Summary {
    int64 cells;           // the number of cells in rows that have a class
    int32 rejected;
    int32 first_rejected;  // the number of rows minus the index of the first rejected row; 0 if no row was rejected
};

STRUCT_FOR_HOST(Summary);
MEMBER_FOR_HOST(Summary, cells);
MEMBER_FOR_HOST(Summary, rejected);
MEMBER_FOR_HOST(Summary, first_rejected);

constexpr int32 COUNT_BLOCK = 256;
constexpr int32 ORDER_BLOCK = 1024;
FOR_HOST(COUNT_BLOCK);
FOR_HOST(ORDER_BLOCK);

// Counts the rows in each class, and finds the largest size in each class. Shared memory contains two int32 per class,
// and two more.
//
// - summary, counts and largest: initially zero
// - limits: for each class, the maximum size of a row, or null; larger rows are left to the CPU
extern "C" __global__ void __launch_bounds__(COUNT_BLOCK) instances_count(
        int32 rows, Classified rows_of, int32 classes, const int32* limits, Summary* summary, int32* counts,
        int32* largest) {
    extern __shared__ int32 shared[];
    int32* own_counts = shared;
    int32* own_largest = shared + classes + 1;
    for (int32 i = threadIdx.x; i < 2 * (classes + 1); i += blockDim.x) {
        shared[i] = 0;
    }
    __syncthreads();
    int64 cells = 0;
    int64 step = static_cast<int64>(gridDim.x) * blockDim.x;
    for (int64 first = thread_index() - threadIdx.x % 32; first < rows; first += step) {
        int64 row = first + threadIdx.x % 32;
        int32 key = row < rows ? rows_of.keys[row] : NULL_ROW;
        int32 size = 0;
        if (key >= 0) {
            size = rows_of.sizes[row];
            if (limits != nullptr && size > limits[key]) {
                rows_of.keys[row] = ON_CPU;
                key = ON_CPU;
            } else {
                cells += rows_of.cells[row];
            }
        }
        if (key == REJECTED) {
            atomicAdd(&summary->rejected, 1);
            atomicMax(&summary->first_rejected, static_cast<int32>(rows - row));
        }
        key = key == ON_CPU ? classes : key;
        uint32 peers = __match_any_sync(~0u, key);
        if (key >= 0) {
            if (threadIdx.x % 32 == __ffs(peers) - 1) {
                atomicAdd(own_counts + key, __popc(peers));
            }
            if (size > own_largest[key]) {
                atomicMax(own_largest + key, size);
            }
        }
    }
    add_to(&summary->cells, cells);
    __syncthreads();
    for (int32 i = threadIdx.x; i <= classes; i += blockDim.x) {
        if (own_counts[i] != 0) {
            atomicAdd(counts + i, own_counts[i]);
            atomicMax(largest + i, own_largest[i]);
        }
    }
}

// Orders the rows by class. Shared memory contains one int32 per class, and one more.
//
// - order: the rows, class after class
// - starts: the offset of each class, which this kernel advances
extern "C" __global__ void __launch_bounds__(ORDER_BLOCK) instances_order(
        int32 rows, Classified rows_of, int32 classes, int32* starts, int32* order) {
    extern __shared__ int32 shared[];
    for (int32 i = threadIdx.x; i <= classes; i += blockDim.x) {
        shared[i] = 0;
    }
    __syncthreads();
    int64 row = thread_index();
    int32 key = row < rows ? rows_of.keys[row] : NULL_ROW;
    key = key == ON_CPU ? classes : key;
    uint32 peers = __match_any_sync(~0u, key);
    int32 lane = threadIdx.x % 32;
    int32 leader = __ffs(peers) - 1;
    int32 rank = 0;
    if (key >= 0 && lane == leader) {
        rank = atomicAdd(shared + key, __popc(peers));
    }
    rank = __shfl_sync(~0u, rank, leader) + __popc(peers & ((1u << lane) - 1));
    __syncthreads();
    for (int32 i = threadIdx.x; i <= classes; i += blockDim.x) {
        if (shared[i] != 0) {
            shared[i] = atomicAdd(starts + i, shared[i]);
        }
    }
    __syncthreads();
    if (key >= 0) {
        order[shared[key] + rank] = static_cast<int32>(row);
    }
}

// Rejects the rows order[from..to) whose result is negative, because a negative result means an overflow.
extern "C" __global__ void instances_reject_negative(
        Classified rows_of, const int32* order, int32 from, int32 to, const int64* results) {
    int64 position = from + thread_index();
    if (position < to && results[order[position]] < 0) {
        rows_of.reject(order[position]);
    }
}

extern "C" __global__ void instances_leave_to_cpu(Classified rows_of, const int32* rows, int32 count) {
    int64 i = thread_index();
    if (i < count) {
        rows_of.keys[rows[i]] = ON_CPU;
    }
}

// Sets rejected rows, and rows for the CPU, to null.
extern "C" __global__ void instances_set_null(int32 rows, Classified rows_of, uint32* validity) {
    int64 row = thread_index();
    if (row < rows && (rows_of.keys[row] == REJECTED || rows_of.keys[row] == ON_CPU)) {
        set_null(validity, row);
    }
}
