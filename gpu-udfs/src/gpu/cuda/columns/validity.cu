// Computes the validity of a result: a row is null if any argument is null.
#include "common/columns.cuh"

// Computes out = a & b, word by word; b may be null.
extern "C" __global__ void and_validity(uint32* out, const uint32* a, const uint32* b, int64 words) {
    int64 word = thread_index();
    if (word < words) {
        out[word] = b == nullptr ? a[word] : a[word] & b[word];
    }
}
