// Computes the maximum number of base pairs in RNAs and, if requested, structures with that number, as defined by
// dev.bellman.fold.BasePairs. One block per RNA fills the table diagonal by diagonal.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "fold/bases.cuh"

// The number of classes. The class of a row depends on the binary logarithm of the number of bases; the longest
// sequences come first.
constexpr int32 SIZES = 33;
constexpr int32 MAX_THREADS = 1024;
// The maximum number of bases, so that the index of an entry fits in 32 bits.
constexpr int32 MAX_BASES = 46'000;
FOR_HOST(SIZES);
FOR_HOST(MAX_THREADS);
FOR_HOST(MAX_BASES);

// A pair of base i and `last`, in row i of the table, and the maximum number of pairs from i to `last`. Every structure
// of these bases without this pair has fewer pairs.
struct alignas(4) Candidate {
    uint16 last;
    uint16 pairs;
};

// At most n / BASES_OF_CANDIDATE + MORE_CANDIDATES candidates are stored per row; for a row with more candidates, all
// pairs are tried. A row of a random sequence has one candidate per 20 bases on average.
constexpr int32 BASES_OF_CANDIDATE = 4;
constexpr int32 MORE_CANDIDATES = 16;
FOR_HOST(BASES_OF_CANDIDATE);
FOR_HOST(MORE_CANDIDATES);

constexpr int32 MIN_LOOP = 3;

namespace {

struct PairTable {
    const uint8* bases;
    int32 n;
    int32 min_loop;
    int32 kept;             // the maximum number of candidates per row
    Candidate* candidates;  // the c-th candidate of row i is at c * n + i
    int32* counts;          // the number of candidates in each row
    int32* parts;           // the segments that must still be traced
    uint16* most;           // the numbers of pairs, at the indices that diagonal_place returns

    __device__ PairTable(const uint8* of, int32 length, int32 least_loop, uint8* room)
        : bases(of), n(length), min_loop(min(least_loop, length)), kept(length / BASES_OF_CANDIDATE + MORE_CANDIDATES) {
        candidates = reinterpret_cast<Candidate*>(room);
        counts = reinterpret_cast<int32*>(candidates + static_cast<int64>(kept) * n);
        parts = counts + n;
        most = reinterpret_cast<uint16*>(parts + 2 * n + 4);
    }

    __device__ __forceinline__ bool can_pair(int32 i, int32 k) const {
        return pair_of(bases[i], bases[k]) > 0;
    }

    __device__ __forceinline__ int32 at(int32 i, int32 j) const {
        return j < i ? 0 : most[diagonal_place(n, i, j)];
    }

    __device__ __forceinline__ int32 with_pair(int32 i, int32 k, int32 j) const {
        return 1 + at(i + 1, k - 1) + at(k + 1, j);
    }

    __device__ void begin() {
        for (int32 i = threadIdx.x; i < n; i += blockDim.x) {
            counts[i] = 0;
            for (int32 j = i; j < n && j - i <= min_loop; j++) {
                most[diagonal_place(n, i, j)] = 0;
            }
        }
    }

    __device__ void fill(int32 i, int32 j) {
        int32 best = at(i + 1, j);
        int32 count = counts[i];
        if (count > kept) {
            for (int32 k = i + min_loop + 1; k < j; k++) {
                best = can_pair(i, k) ? max(best, with_pair(i, k, j)) : best;
            }
        } else {
            for (int32 c = 0; c < count; c++) {
                Candidate first = candidates[static_cast<int64>(c) * n + i];
                best = max(best, first.pairs + at(first.last + 1, j));
            }
        }
        int32 paired = can_pair(i, j) ? 1 + at(i + 1, j - 1) : 0;
        if (paired > best) {
            best = paired;
            counts[i] = count + 1;
            if (count < kept) {
                candidates[static_cast<int64>(count) * n + i] = {static_cast<uint16>(j), static_cast<uint16>(paired)};
            }
        }
        most[diagonal_place(n, i, j)] = static_cast<uint16>(best);
    }

    // Traces the structure with one warp.
    __device__ void walk(uint8* structure) const {
        int32 lane = threadIdx.x % 32;
        for (int32 i = lane; i < n; i += 32) {
            structure[i] = '.';
        }
        if (lane == 0) {
            parts[0] = 0;
            parts[1] = n - 1;
        }
        __syncwarp();
        int32 count = 2;
        while (count > 0) {
            count -= 2;
            int32 i = parts[count];
            int32 j = parts[count + 1];
            __syncwarp();
            i = first_that(i, j + 1, [&](int32 each) { return at(each, j) != at(each + 1, j); });
            if (i <= j) {
                int32 wanted = at(i, j);
                int32 k = first_that(i + min_loop + 1, j, [&](int32 each) {
                    return can_pair(i, each) && with_pair(i, each, j) == wanted;
                });
                if (lane == 0) {
                    structure[i] = '(';
                    structure[k] = ')';
                    parts[count] = i + 1;
                    parts[count + 1] = k - 1;
                    parts[count + 2] = k + 1;
                    parts[count + 3] = j;
                }
                __syncwarp();
                count += 4;
            }
        }
    }
};

}  // namespace

// Classifies the rows, with one warp per row.
//
// - min_loops: the minimum loop length of each row; null for MIN_LOOP
extern "C" __global__ void base_pairs_classify(
        int32 rows,
        const uint32* validity,
        const int32* offsets,
        const uint8* text,
        const int32* min_loops,
        Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int32 begin = offsets[row];
    int32 n = offsets[row + 1] - begin;
    bool valid = are_bases(text + begin, n) && (min_loops == nullptr || min_loops[row] >= 0);
    if (lane == 0) {
        if (valid) {
            rows_of.put(row, __clz(n), n, static_cast<int64>(n) * n / 2);
        } else {
            rows_of.reject(row);
        }
    }
}

// Solves the rows order[from], order[from + 1], ..., one block per row. Each row has `slot` bytes of `tables`. Shared
// memory contains a byte for each base of the longest row.
//
// - structures: the output for structures, at the offsets of the letters; null if only the numbers of pairs are
//   requested
extern "C" __global__ void __launch_bounds__(MAX_THREADS) base_pairs(
        const int32* order,
        int32 from,
        const int32* offsets,
        const uint8* text,
        const int32* min_loops,
        uint8* tables,
        int64 slot,
        int32* most,
        uint8* structures) {
    extern __shared__ uint8 bases[];
    int32 row = order[from + blockIdx.x];
    int32 begin = offsets[row];
    int32 n = offsets[row + 1] - begin;
    for (int32 i = threadIdx.x; i < n; i += blockDim.x) {
        bases[i] = static_cast<uint8>(base_of(text[begin + i]));
    }
    PairTable table(bases, n, min_loops == nullptr ? MIN_LOOP : min_loops[row], tables + slot * blockIdx.x);
    table.begin();
    __syncthreads();
    for (int32 diagonal = table.min_loop + 1; diagonal < n; diagonal++) {
        for (int32 i = threadIdx.x; i < n - diagonal; i += blockDim.x) {
            table.fill(i, i + diagonal);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        most[row] = table.at(0, n - 1);
    }
    if (structures != nullptr && threadIdx.x < 32) {
        table.walk(structures + begin);
    }
}
