// Computes optimal binary search trees, either with Knuth's algorithm or by trying every root. OptimalBst.java explains
// the problem, the bounds on the roots, and why DOUBLE frequencies are first converted to integers.
//
// The range from gap a to gap b is entry a of diagonal b - a. A diagonal is contiguous, so neighbouring threads, whose
// roots are close to each other, read neighbouring memory. Diagonals are stored one after another; diagonal d has
// `gaps - d` entries.
#include "columns/slots.cuh"
#include "common/columns.cuh"

namespace {

constexpr int SCALED_BITS = 57;
constexpr int ESTIMATE_BITS = 30;
constexpr int LEAST_EXPONENT = -1023;

// The tables for a tree with up to `capacity` gaps.
struct Tree {
    int gaps;
    int64* costs;
    int64* sums;  // prefix sums of the frequencies: for each gap, the sum over all keys and gaps up to it
    int64* q;
    int32* roots;
    int32* firsts;  // a queue of the tree's nodes: first gap, last gap, and position in preorder
    int32* lasts;
    int32* places;
    int32* shift;  // frequencies are multiplied by two to this power
    int32* overflowed;

    __device__ __forceinline__ Tree(uint8* slot, int capacity, int gaps) : gaps(gaps) {
        int64 entries = static_cast<int64>(capacity) * (capacity + 1) / 2;
        costs = reinterpret_cast<int64*>(slot);
        sums = costs + entries;
        q = sums + capacity;
        roots = reinterpret_cast<int32*>(q + capacity);
        firsts = roots + entries;
        lasts = firsts + capacity;
        places = lasts + capacity;
        shift = places + capacity;
        overflowed = shift + 1;
    }

    // Creates a tree without tables, which has only its frequencies.
    __device__ __forceinline__ Tree(int gaps, int64* sums, int64* q, int32* shift, int32* overflowed) :
        gaps(gaps),
        costs(q),
        sums(sums),
        q(q),
        shift(shift),
        overflowed(overflowed) {
    }

    __device__ __forceinline__ int64 diagonal(int64 d) const {
        return d * (2 * gaps - d + 1) / 2;
    }
};

// Adds two numbers of at most 2^63, where 2^63 also stands for any larger number.
__device__ __forceinline__ uint64 saturating_sum(uint64 a, uint64 b) {
    constexpr uint64 LIMIT = 1ull << 63;
    return (a | b) >= LIMIT || a + b >= LIMIT ? LIMIT : a + b;
}

__device__ __forceinline__ int exponent(double value) {
    return static_cast<int>(__double_as_longlong(value) >> 52 & 0x7ff) + LEAST_EXPONENT;
}

__device__ __forceinline__ int64 scaled(const void* values, int i, bool doubles, int shift) {
    return doubles ? static_cast<int64>(rint(scalbn(static_cast<const double*>(values)[i], shift)))
                   : static_cast<const int64*>(values)[i];
}

// Reads the frequencies, scales DOUBLE frequencies to integers, and computes the prefix sums, with one block.
__device__ void read(const Tree& tree, const void* p, int p_begin, const void* q, int q_begin, bool doubles) {
    __shared__ int32 largest;
    __shared__ unsigned long long estimate;
    int keys = tree.gaps - 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        largest = LEAST_EXPONENT;
        estimate = 0;
        *tree.shift = 0;
        *tree.overflowed = 0;
    }
    __syncthreads();
    if (doubles) {
        const double* ps = static_cast<const double*>(p) + p_begin;
        const double* qs = static_cast<const double*>(q) + q_begin;
        int own = LEAST_EXPONENT;
        for (int i = threadIdx.x; i < tree.gaps; i += blockDim.x) {
            own = max(own, exponent(qs[i]));
            own = i < keys ? max(own, exponent(ps[i])) : own;
        }
        atomicMax(&largest, own);
        __syncthreads();
        int to_estimate = ESTIMATE_BITS - 1 - largest;
        unsigned long long sum = 0;
        for (int i = threadIdx.x; i < tree.gaps; i += blockDim.x) {
            sum += static_cast<unsigned long long>(ceil(scalbn(qs[i], to_estimate)));
            sum += i < keys ? static_cast<unsigned long long>(ceil(scalbn(ps[i], to_estimate))) : 0;
        }
        atomicAdd(&estimate, sum);
        __syncthreads();
        if (threadIdx.x == 0) {
            int bits = 64 - __clzll(static_cast<int64>(estimate));
            *tree.shift = SCALED_BITS - bits - (largest + 1 - ESTIMATE_BITS);
        }
        __syncthreads();
    }
    int shift = *tree.shift;
    for (int i = threadIdx.x; i < tree.gaps; i += blockDim.x) {
        int64 frequency = scaled(q, q_begin + i, doubles, shift);
        tree.q[i] = frequency;
        tree.costs[i] = frequency;
        uint64 both = i == 0 ? frequency : saturating_sum(frequency, scaled(p, p_begin + i - 1, doubles, shift));
        tree.sums[i] = static_cast<int64>(both);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        uint64 before = 0;
        for (int from = 0; from < tree.gaps; from += 32) {
            int i = from + threadIdx.x;
            uint64 sum = i < tree.gaps ? static_cast<uint64>(tree.sums[i]) : 0;
            for (int distance = 1; distance < 32; distance *= 2) {
                uint64 other = __shfl_up_sync(0xffffffff, sum, distance);
                sum = threadIdx.x >= distance ? saturating_sum(sum, other) : sum;
            }
            sum = saturating_sum(sum, before);
            if (i < tree.gaps) {
                tree.sums[i] = static_cast<int64>(sum);
            }
            before = __shfl_sync(0xffffffff, sum, 31);
        }
        if (threadIdx.x == 0 && before >> 63 != 0) {
            *tree.overflowed = 1;
        }
    }
    __syncthreads();
}

__device__ __forceinline__ void solve_entry(const Tree& tree, bool bounded, int d, int a) {
    int b = a + d;
    int first = a + 1;
    int last = b;
    if (bounded && d > 1) {
        const int32* before = tree.roots + tree.diagonal(d - 1) + a;
        first = before[0];
        last = before[1];
    }
    const int64* left = tree.costs + tree.diagonal(first - 1 - a) + a;
    const int64* right = tree.costs + tree.diagonal(b - first) + first;
    int64 best = *left + *right;
    int root = first;
    for (int r = first + 1; r <= last; r++) {
        left += tree.gaps - (r - 2 - a);
        right += 1 - (tree.gaps - (b - r));
        int64 candidate = *left + *right;
        if (candidate < best) {
            best = candidate;
            root = r;
        }
    }
    int64 cost = best + (tree.sums[b] - tree.sums[a] + tree.q[a]);
    if (best < 0 || cost < 0) {
        *tree.overflowed = 1;
    }
    int64 at = tree.diagonal(d) + a;
    tree.costs[at] = cost;
    tree.roots[at] = root;
}

// Reports the cost and, if requested, the roots in preorder, with one block.
__device__ void report(
        const Tree& tree, int row, bool doubles, int64* costs, const int32* root_offsets, int32* roots) {
    __shared__ int tail;
    __syncthreads();
    if (*tree.overflowed != 0) {
        if (threadIdx.x == 0) {
            costs[row] = -1;
        }
        return;
    }
    int64 cost = tree.costs[tree.diagonal(tree.gaps - 1)];
    if (threadIdx.x == 0) {
        costs[row] =
                doubles ? __double_as_longlong(scalbn(static_cast<double>(cost), -*tree.shift)) : cost;
        tree.firsts[0] = 0;
        tree.lasts[0] = tree.gaps - 1;
        tree.places[0] = 0;
        tail = tree.gaps > 1 ? 1 : 0;
    }
    if (roots == nullptr) {
        return;
    }
    roots += root_offsets[row];
    for (int begin = 0;;) {
        __syncthreads();
        int end = tail;
        __syncthreads();
        if (begin == end) {
            return;
        }
        for (int node = begin + threadIdx.x; node < end; node += blockDim.x) {
            int a = tree.firsts[node];
            int b = tree.lasts[node];
            int place = tree.places[node];
            int root = tree.roots[tree.diagonal(b - a) + a];
            roots[place] = root;
            int below = root - 1 - a;
            int above = b - root;
            int at = atomicAdd(&tail, (below > 0 ? 1 : 0) + (above > 0 ? 1 : 0));
            if (below > 0) {
                tree.firsts[at] = a;
                tree.lasts[at] = root - 1;
                tree.places[at] = place + 1;
                at++;
            }
            if (above > 0) {
                tree.firsts[at] = root;
                tree.lasts[at] = b;
                tree.places[at] = place + 1 + below;
            }
        }
        begin = end;
    }
}

}  // namespace

// Solves the trees, one block each, with slots in dynamic shared memory if slots.bytes is 0. A slot contains a tree of
// `capacity` gaps: 12 bytes for each of its capacity (capacity + 1) / 2 ranges, 28 bytes for each gap, and 8 more
// bytes.
//
// - bounded: whether to use Knuth's bounds on the roots
// - costs: for each row, the bits of an int64, or of a double if `doubles`; negative if the cost exceeds 63 bits
// - roots: the output for the roots; null if they are not requested
extern "C" __global__ void optimal_bst_batch(
        Slots slots,
        const int32* p_offsets,
        const void* p,
        const int32* q_offsets,
        const void* q,
        int32 doubles,
        int32 bounded,
        int32 capacity,
        int64* costs,
        const int32* root_offsets,
        int32* roots) {
    extern __shared__ __align__(16) uint8 shared[];
    uint8* slot = slots.bytes == 0 ? shared : slots.of_block();
    for (int32 i = slots.next(); i < slots.to; i = slots.next()) {
        int32 row = slots.order[i];
        Tree tree(slot, capacity, q_offsets[row + 1] - q_offsets[row]);
        read(tree, p, p_offsets[row], q, q_offsets[row], doubles != 0);
        for (int d = 1; d < tree.gaps; d++) {
            for (int a = threadIdx.x; a + d < tree.gaps; a += blockDim.x) {
                solve_entry(tree, bounded != 0, d, a);
            }
            __syncthreads();
        }
        report(tree, row, doubles != 0, costs, root_offsets, roots);
    }
}

// Solves one tree with the whole device: one block reads it, one thread solves each entry of a diagonal, and one block
// reports.
extern "C" __global__ void optimal_bst_read(
        int32 row,
        const int32* p_offsets,
        const void* p,
        const int32* q_offsets,
        const void* q,
        int32 doubles,
        uint8* slot,
        int32 capacity) {
    Tree tree(slot, capacity, q_offsets[row + 1] - q_offsets[row]);
    read(tree, p, p_offsets[row], q, q_offsets[row], doubles != 0);
}

extern "C" __global__ void optimal_bst_diagonal(uint8* slot, int32 capacity, int32 bounded, int32 gaps, int32 d) {
    Tree tree(slot, capacity, gaps);
    int64 a = thread_index();
    if (a + d < gaps) {
        solve_entry(tree, bounded != 0, d, static_cast<int>(a));
    }
}

extern "C" __global__ void optimal_bst_report(
        int32 row,
        int32 doubles,
        uint8* slot,
        int32 capacity,
        int32 gaps,
        int64* costs,
        const int32* root_offsets,
        int32* roots) {
    Tree tree(slot, capacity, gaps);
    report(tree, row, doubles != 0, costs, root_offsets, roots);
}

// For the trees order[from], order[from + 1], ..., computes the weights for a parenthesization (TreeWeights), with one
// block per tree: the gaps and the sums at the offsets of q, or zeros if the sums exceed 63 bits.
//
// - shifts, overflowed: one value per row
extern "C" __global__ void optimal_bst_weights(
        const int32* order,
        int32 from,
        const int32* p_offsets,
        const void* p,
        const int32* q_offsets,
        const void* q,
        int32 doubles,
        int64* gaps,
        int64* sums,
        int32* shifts,
        int32* overflowed) {
    int row = order[from + blockIdx.x];
    int begin = q_offsets[row];
    Tree tree(q_offsets[row + 1] - begin, sums + begin, gaps + begin, shifts + row, overflowed + row);
    read(tree, p, p_offsets[row], q, begin, doubles != 0);
    if (*tree.overflowed != 0) {
        for (int i = threadIdx.x; i < tree.gaps; i += blockDim.x) {
            tree.q[i] = 0;
            tree.sums[i] = 0;
        }
    }
}

// Converts the costs of the parenthesizations to the costs of the trees.
extern "C" __global__ void optimal_bst_costs(
        const int32* order, int32 from, int32 count, int32 doubles, const int32* shifts, const int32* overflowed,
        int64* costs) {
    int64 position = thread_index();
    if (position < count) {
        int row = order[from + position];
        if (overflowed[row] != 0) {
            costs[row] = -1;
        } else if (doubles != 0) {
            costs[row] = __double_as_longlong(scalbn(static_cast<double>(costs[row]), -shifts[row]));
        }
    }
}
