// Kernels of InstancesGpuTest.
#include "columns/instances.cuh"

// Whether the predicate is true for all integers in [begin, end); the lanes of a warp divide them among themselves.
template <typename Predicate>
__device__ bool all_of(int32 begin, int32 end, Predicate predicate) {
    bool all = true;
    for (int32 i = begin + threadIdx.x % 32; i < end; i += 32) {
        all = all && predicate(i);
    }
    return __all_sync(~0u, all);
}

// Classifies rows of edges, ARRAY<STRUCT<source: INT, weight: BIGINT>>, with one warp per row. Class 0 contains rows
// with up to three edges, and class 1 all other rows. The size is the number of edges. An edge must not be null; both
// of its fields must be set, and its weight must be at least 0.
extern "C" __global__ void graphs_classify(
        int32 rows,
        const uint32* validity,
        const int32* edge_offsets,
        const uint32* edge_validity,
        const uint32* source_validity,
        const int64* weights,
        const uint32* weight_validity,
        Classified rows_of) {
    int64 row = thread_index() / 32;
    if (row >= rows) {
        return;
    }
    bool present = is_valid(validity, row);
    int32 begin = present ? edge_offsets[row] : 0;
    int32 end = present ? edge_offsets[row + 1] : 0;
    bool valid = all_of(begin, end, [&](int32 i) {
        return is_valid(edge_validity, i) && is_valid(source_validity, i) && is_valid(weight_validity, i) && weights[i] >= 0;
    });
    if (threadIdx.x % 32 != 0) {
        return;
    }
    if (!present) {
        rows_of.put(row, NULL_ROW, 0, 0);
    } else if (!valid) {
        rows_of.reject(row);
    } else {
        rows_of.put(row, end - begin > 3 ? 1 : 0, end - begin, end - begin);
    }
}

// Sums the weights in each of the rows order[from..to); a negative result means that the sum does not fit.
extern "C" __global__ void graphs_sum(
        const int32* order, int32 from, int32 to, const int32* edge_offsets, const int64* weights, int64* sums) {
    int64 position = from + thread_index();
    if (position < to) {
        int32 row = order[position];
        uint64 sum = 0;
        for (int32 i = edge_offsets[row]; i < edge_offsets[row + 1]; i++) {
            sum += static_cast<uint64>(weights[i]);
            if (static_cast<int64>(sum) < 0) {
                break;
            }
        }
        sums[row] = static_cast<int64>(sum);
    }
}

// Classifies rows of square matrices, ARRAY<ARRAY<DOUBLE>>, with one warp per row. All rows are in class 0.
extern "C" __global__ void matrices_classify(
        int32 rows,
        const uint32* validity,
        const int32* line_offsets,
        const uint32* line_validity,
        const int32* entry_offsets,
        const uint32* entry_validity,
        Classified rows_of) {
    int64 row = thread_index() / 32;
    if (row >= rows) {
        return;
    }
    bool present = is_valid(validity, row);
    int32 begin = present ? line_offsets[row] : 0;
    int32 end = present ? line_offsets[row + 1] : 0;
    bool valid = all_of(begin, end, [&](int32 line) {
        return is_valid(line_validity, line) && entry_offsets[line + 1] - entry_offsets[line] == end - begin;
    });
    valid = valid && (begin == end || all_of(entry_offsets[begin], entry_offsets[end], [&](int32 entry) {
                          return is_valid(entry_validity, entry);
                      }));
    if (threadIdx.x % 32 == 0) {
        int32 key = !present ? NULL_ROW : valid ? 0 : REJECTED;
        rows_of.put(row, key, end - begin, static_cast<int64>(end - begin) * (end - begin));
    }
}

// Computes the trace of each of the matrices order[0..count).
extern "C" __global__ void matrices_trace(
        const int32* order,
        int32 count,
        const int32* line_offsets,
        const int32* entry_offsets,
        const double* entries,
        double* traces) {
    int64 position = thread_index();
    if (position < count) {
        int32 row = order[position];
        double trace = 0;
        for (int32 line = line_offsets[row]; line < line_offsets[row + 1]; line++) {
            trace += entries[entry_offsets[line] + (line - line_offsets[row])];
        }
        traces[row] = trace;
    }
}
