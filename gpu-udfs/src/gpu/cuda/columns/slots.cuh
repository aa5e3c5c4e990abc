// The rows of a group, which blocks solve in turn, and the memory of each block: dev.bellman.columns.Slots.
#pragma once

#include "common/columns.cuh"
#include "common/ticket.cuh"

// The rows order[from] to order[to - 1], and a slot of memory for each block that processes them.
//
// Some kernels need fewer registers if they declare the parameter as `const __grid_constant__ Slots`.
struct Slots {
    const int32* order;
    int32 from;
    int32 to;
    int32* ticket;  // the counter for take(), from which blocks obtain their next row
    uint8* memory;  // a slot for each block
    int64 bytes;    // the size of a slot

    // Returns the slot that a block uses for all of its rows.
    __device__ __forceinline__ uint8* of_block() const {
        return memory + bytes * blockIdx.x;
    }

    // Returns the position of the next row in all threads of a block; `to` or more if there are no more rows.
    __device__ __forceinline__ int32 next() const {
        return take(ticket, from);
    }

    // Returns the position of the first of the next rows, for blocks that solve `rows` rows at the same time.
    __device__ __forceinline__ int32 next(int32 rows) const {
        return from + take(ticket, 0) * rows;
    }
};
