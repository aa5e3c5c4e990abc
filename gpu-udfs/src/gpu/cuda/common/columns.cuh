// cudf columns in the form that the kernels use, which is plain arrays in device memory. A null row's slot contains
// arbitrary data, and even its length is undefined, so a kernel checks `is_valid` first.
#pragma once

// NVRTC has no <cstdint>. The signed types correspond to Java's byte, short, int and long.
using int8 = signed char;
using uint8 = unsigned char;
using int16 = short;
using uint16 = unsigned short;
using int32 = int;
using uint32 = unsigned int;
using int64 = long long;
using uint64 = unsigned long long;

// Returns the index of this thread among all threads of the launch. The last block may have extra threads, so callers
// must compare the index with the number of threads that they need.
__device__ __forceinline__ int64 thread_index() {
    return static_cast<int64>(blockIdx.x) * blockDim.x + threadIdx.x;
}

// Whether a row is not null according to Arrow's validity mask. Row i is not null if bit i of the little-endian words
// is set. Without a mask, no row is null.
__device__ __forceinline__ bool is_valid(const uint32* validity, int64 row) {
    return validity == nullptr || (validity[row >> 5] >> (row & 31) & 1) != 0;
}

// Sets a row to null. The mask must belong to the batch (Batch.writableValidity).
__device__ __forceinline__ void set_null(uint32* validity, int64 row) {
    atomicAnd(validity + (row >> 5), ~(1u << (row & 31)));
}
