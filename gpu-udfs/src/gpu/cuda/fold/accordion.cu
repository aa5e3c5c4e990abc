// Computes accordion foldings, using prefix and suffix maxima: dev.bellman.fold.AccordionFold.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"

// The number of classes. The class of a row depends on the binary logarithm of the number of residues; the longest
// chains come first.
constexpr int32 SIZES = 33;
FOR_HOST(SIZES);

namespace {

constexpr int32 NONE = -(1 << 30);

__device__ __forceinline__ bool is_hydrophobic(uint8 letter) {
    return letter == 'H' || letter == '1';
}

// Returns, in each lane, the largest value among this lane and the lanes before it.
__device__ __forceinline__ int32 max_up_to_lane(int32 value) {
    int32 lane = threadIdx.x % 32;
#pragma unroll
    for (int other = 1; other < 32; other *= 2) {
        int32 before = __shfl_up_sync(~0u, value, other);
        value = lane >= other ? max(value, before) : value;
    }
    return value;
}

// A chain and its table, processed by one warp. Residues are counted from 1.
struct Chain {
    const uint8* residues;
    int32 n;
    int32* contacts;  // AccordionFold's s(i, j) is at index (i - 1) * n + j - 1
    int32* second;    // s(j + 1, k) for the current j, at index k
    int32* suffix;    // the maximum of these values from index k on, at index k
    int32 lane;

    __device__ __forceinline__ int32& at(int32 i, int32 j) const {
        return contacts[static_cast<int64>(i - 1) * n + j - 1];
    }

    // Returns whether residue x and the residue that it faces across the fold after residue j are both hydrophobic, and
    // not neighbours.
    __device__ __forceinline__ bool is_contact(int32 j, int32 x) const {
        return x >= j + 2 && x <= min(2 * j, n) && is_hydrophobic(residues[x - 1])
                && is_hydrophobic(residues[2 * j - x]);
    }

    // Calls `use(x, facing)` for 32 residues x at a time, from j + 1 on, until `use` returns true or a call includes
    // `last`. `facing` is the number of contacts of the residues up to x across the fold after j.
    template <typename Use>
    __device__ __forceinline__ void facing(int32 j, int32 last, Use use) const {
        int32 before = 0;
        for (int32 first = j + 1; first <= last; first += 32) {
            int32 x = first + lane;
            uint32 contacts_here = __ballot_sync(~0u, is_contact(j, x));
            if (use(x, before + __popc(contacts_here & (2u << lane) - 1))) {
                return;
            }
            before += __popc(contacts_here);
        }
    }

    // Computes all s(i, j) for one j.
    __device__ void fill(int32 j) const {
        // the maximum of the values for the residues processed so far
        int32 largest = NONE;
        for (int32 last = n; last >= j + 2; last -= 32) {
            int32 k = last - lane;
            int32 value = k >= j + 2 ? at(j + 1, k) : NONE;
            int32 from = max(largest, max_up_to_lane(value));
            if (k >= j + 2) {
                second[k] = value;
                suffix[k] = from;
            }
            largest = __shfl_sync(~0u, from, 31);
        }
        __syncwarp();
        int32 prefix = NONE;
        int32 last = min(2 * j, n);
        facing(j, last, [&](int32 t, int32 faced) {
            int32 value = t >= j + 2 && t <= last ? second[t] + faced : NONE;
            int32 up_to = max(prefix, max_up_to_lane(value));
            if (t <= last) {
                int32 rest = t < n ? suffix[t + 1] : NONE;
                at(2 * j + 1 - t, j) = max(up_to, faced + rest);
            }
            prefix = __shfl_sync(~0u, up_to, 31);
            return false;
        });
        // cells whose strand from i to j is longer than the rest of the chain
        for (int32 i = 1 + lane; i <= 2 * j - last; i += 32) {
            at(i, j) = prefix;
        }
        __syncwarp();
    }

    // Returns the score.
    //
    // - ends (output): the last residue of each strand
    // - strands (output): the number of strands
    __device__ int32 walk(int32* ends, int32& strands) const {
        int32 score = NONE;
        int32 end = 0;
        for (int32 first = min(2, n); first <= n; first += 32) {
            int32 j = first + lane;
            int32 value = j <= n ? at(1, j) : NONE;
            int32 largest = max_of_lanes<32>(value);
            if (largest > score) {
                score = largest;
                end = first + __ffs(__ballot_sync(~0u, value == largest)) - 1;
            }
        }
        strands = 0;
        int32 begin = 1;
        while (true) {
            if (lane == 0) {
                ends[strands] = end;
            }
            strands++;
            if (end == n) {
                return score;
            }
            int32 wanted = at(begin, end);
            int32 t = min(2 * end - begin + 1, n);
            int32 next = 0;
            int32 at_t = 0;
            // first the strands that are no longer than the previous strand, then longer strands
            facing(end, t, [&](int32 k, int32 faced) {
                bool is_one = k >= end + 2 && k <= t && at(end + 1, k) + faced == wanted;
                uint32 ones = __ballot_sync(~0u, is_one);
                if (ones != 0) {
                    next = __shfl_sync(~0u, k, __ffs(ones) - 1);
                    return true;
                }
                at_t = __shfl_sync(~0u, faced, min(31, t - (k - lane)));
                return false;
            });
            for (int32 first = max(t + 1, end + 2); next == 0; first += 32) {
                int32 k = first + lane;
                uint32 ones = __ballot_sync(~0u, k <= n && at(end + 1, k) + at_t == wanted);
                next = ones != 0 ? first + __ffs(ones) - 1 : 0;
            }
            begin = end + 1;
            end = next;
        }
    }
};

}  // namespace

// Classifies the rows, with one warp per row.
extern "C" __global__ void accordion_classify(
        int32 rows, const uint32* validity, const int32* offsets, const uint8* text, Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int32 begin = offsets[row];
    int32 n = offsets[row + 1] - begin;
    bool valid = true;
    for (int32 i = lane; i < n; i += 32) {
        uint8 letter = text[begin + i];
        valid = valid && (is_hydrophobic(letter) || letter == 'P' || letter == '0');
    }
    valid = __all_sync(~0u, valid);
    if (lane == 0) {
        if (valid) {
            rows_of.put(row, __clz(n), n, static_cast<int64>(n) * n / 2);
        } else {
            rows_of.reject(row);
        }
    }
}

// Folds the rows order[from], order[from + 1], ..., one block of one warp per row. Each row has `slot` bytes of
// `tables`.
//
// - counts, ends: the number of strands in each row, and their last residues, from the offset of the row's residues on
extern "C" __global__ void __launch_bounds__(32) accordion_fold(
        const int32* order,
        int32 from,
        const int32* offsets,
        const uint8* text,
        uint8* tables,
        int64 slot,
        int32* scores,
        int32* counts,
        int32* ends) {
    int32 row = order[from + blockIdx.x];
    int32 begin = offsets[row];
    int32 n = offsets[row + 1] - begin;
    int32* room = reinterpret_cast<int32*>(tables + slot * blockIdx.x);
    int32* rows = room + static_cast<int64>(n) * n;
    Chain chain = {text + begin, n, room, rows, rows + n + 1, static_cast<int32>(threadIdx.x)};
    int32 score = 0;
    int32 strands = 0;
    if (n > 0) {
        for (int32 i = 1 + chain.lane; i <= n; i += 32) {
            chain.at(i, n) = 0;
        }
        __syncwarp();
        for (int32 j = n - 1; j >= 1; j--) {
            chain.fill(j);
        }
        score = chain.walk(ends + begin, strands);
    }
    if (chain.lane == 0) {
        scores[row] = score;
        counts[row] = strands;
    }
}

// Sets the number of strands to 0 for each row without a result on the GPU, and for the extra entry after the last row.
extern "C" __global__ void accordion_lengths(int32 rows, Classified rows_of, int32* counts) {
    int64 row = thread_index();
    if (row <= rows && !(row < rows && rows_of.is_solved(row))) {
        counts[row] = 0;
    }
}

// Copies the ends to their positions in the result, with one warp per row.
extern "C" __global__ void accordion_write(
        int32 rows, const int32* offsets, const int32* ends, const int32* to_offsets, int32* to) {
    int64 row = thread_index() / 32;
    if (row < rows) {
        int32 begin = to_offsets[row];
        int32 count = to_offsets[row + 1] - begin;
        for (int32 i = threadIdx.x % 32; i < count; i += 32) {
            to[begin + i] = ends[offsets[row] + i];
        }
    }
}
