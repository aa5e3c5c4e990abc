// The kernel that CudaModuleGpuTest calls.
#include "common/columns.cuh"

extern "C" __global__ void squares(int32 count, int64* values) {
    int64 i = thread_index();
    if (i < count) {
        values[i] = i * i;
    }
}
