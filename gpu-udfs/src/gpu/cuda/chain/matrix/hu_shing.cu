// Computes only the cost of an optimal matrix chain product, in O(n log n) per chain, with one thread per chain.
//
// The problem is stated for a polygon: the dimensions are the weights of its vertices, a parenthesization is a
// triangulation of the polygon, and a triangle costs the product of its weights (Hu and Shing, "Computation of matrix
// chain products", parts I and II, SIAM Journal on Computing 11, 1982, and 13, 1984). The polygon starts at its
// smallest vertex, the root, which is repeated at the end. A bridge is a pair b..c such that every vertex between b and
// c is larger than both. Of equal weights, the later one counts as smaller, and the root counts as the smallest of all.
// A stack of increasing weights finds the bridges, inner ones first: it finds a bridge when it pops the smallest vertex
// p between b and c. Let base(b, c) be the minimum cost of the polygon b..c, and let cone(x; b, c) be the minimum cost
// of the polygon b..c extended by an apex of weight x <= b, c. If a is the smaller of b and c, and o is the other,
//   base(b, c)    = base(a, p) + cone(a; o, p),                                             (I)
//   cone(x; b, c) = min(x b c + base(b, c), cone(x; b, p) + cone(x; p, c)).                 (II)
// Both follow from facts proved in HuShing.java. (I): a, o and p are the three smallest of the polygon b..c, so an
// optimal triangulation joins a to p (fact 2). (II): x, b, c and p are the four smallest, so an optimal one joins b to
// c or x to p (fact 3). The cost of the whole polygon is base(root, v) + base(v, root) for its second smallest vertex
// v, by fact 2 again.
//
// As a function of x > 0, a cone is the minimum of finitely many lines, one for each triangulation. So it is concave,
// and so is the fan, which is the second choice in (II). At x = a, the first choice (the line `direct`) is the minimum,
// because a, the apex and o are the three smallest weights at this x, so that by fact 2, an optimal triangulation joins
// a to o. If a concave function is not below a line at x = a, then for x <= a it is below the line if and only if x is
// less than some threshold. So a cone equals `direct` down to a threshold, and equals its fan below it. The cone keeps
// only those thresholds of the fan's two parts that are smaller than this threshold.
//
// All apexes are weights and therefore integers, and the stored values are exact at integers. A threshold is the
// largest integer x at which the fan is no more than `direct`, and its change is the fan's line at that x minus
// `direct`. So the change of a threshold, evaluated at that threshold, is at most 0. Therefore, thresholds of several
// parts may be equal: whichever of the thresholds at x are passed, and in whatever order, the result is never less than
// if all of them are passed.
//
// The apex of an outer bridge is never larger than the apex of an inner one, so each threshold is passed only once, and
// a threshold below the root is never passed. The thresholds of a cone form a pairing heap (Fredman et al., 1986), with
// the largest threshold on top.
//
// Every step waits for memory, so the state of a chain is kept close to the thread. The part that a random chain uses
// (16 thresholds, 8 stack entries) is in shared memory, and the rest is in `scratch`. In both, the chains of a block
// are interleaved. Thresholds that were passed are recycled.

#include "common/ticket.cuh"

namespace {

constexpr int LANES = 32;  // the maximum number of threads in a block
constexpr int NEAR_THRESHOLDS = 16;
constexpr int NEAR_ENTRIES = 8;
constexpr int NONE = -1;

// The line slope * x + intercept.
struct alignas(16) Line {
    int64 slope;
    int64 intercept;

    __device__ __forceinline__ int64 at(int x) const {
        return x * slope + intercept;
    }

    __device__ __forceinline__ void add(const Line& other) {
        slope += other.slope;
        intercept += other.intercept;
    }
};

// The cone over a bridge: the bridge's base, the weight of its right end, and its thresholds. Above the topmost
// threshold, the cone is direct.
struct alignas(16) Cone {
    int64 base;
    int weight;
    int heap;  // the topmost threshold, or NONE
};

// A threshold in its heap, with its first child and, unless it is the topmost threshold, its next sibling. NONE stands
// for a missing child or sibling.
struct Threshold {
    int value;
    int child;
    int sibling;
};

// An array private to this thread. The elements below NEAR are in shared memory, and the others are in scratch.
template <typename T, int NEAR>
struct Array {
    T* near;
    T* far;

    __device__ __forceinline__ Array(T (&shared)[NEAR][LANES], T* scratch)
            : near(&shared[0][0] + threadIdx.x), far(scratch + threadIdx.x) {}

    __device__ __forceinline__ T& operator[](int i) const {
        return (i < NEAR ? near : far)[i * static_cast<int>(blockDim.x)];
    }
};

// The heaps of a chain, in one pool.
struct Heaps {
    Array<Threshold, NEAR_THRESHOLDS> thresholds;
    Array<Line, NEAR_THRESHOLDS> changes;
    int used;
    int spare;  // the most recently recycled threshold, linked to the others by `sibling`, or NONE

    __device__ __forceinline__ int create(int value, const Line& change, int child) {
        int threshold = spare;
        if (spare == NONE) {
            threshold = used++;
        } else {
            spare = thresholds[spare].sibling;
        }
        if (child != NONE) {
            thresholds[child].sibling = NONE;
        }
        thresholds[threshold] = Threshold{value, child, NONE};
        changes[threshold] = change;
        return threshold;
    }

    __device__ __forceinline__ int meld(int a, int b) const {
        return a == NONE ? b : b == NONE ? a : link(a, b);
    }

    __device__ __forceinline__ int link(int a, int b) const {
        if (thresholds[a].value < thresholds[b].value) {
            int swapped = a;
            a = b;
            b = swapped;
        }
        thresholds[b].sibling = thresholds[a].child;
        thresholds[a].child = b;
        return a;
    }

    __device__ __forceinline__ int remove_top(int top) {
        int rest = thresholds[top].child;
        thresholds[top].sibling = spare;
        spare = top;
        int pairs = NONE;
        while (rest != NONE) {
            int pair = rest;
            int second = thresholds[pair].sibling;
            rest = NONE;
            if (second != NONE) {
                rest = thresholds[second].sibling;
                pair = link(pair, second);
            }
            thresholds[pair].sibling = pairs;
            pairs = pair;
        }
        int root = NONE;
        while (pairs != NONE) {
            int pair = pairs;
            pairs = thresholds[pair].sibling;
            root = meld(pair, root);
        }
        return root;
    }

    // Returns the line of the cone over a bridge from b at this apex, and removes the thresholds from the apex on. The
    // line remains the same for every later apex until the topmost remaining threshold is reached.
    __device__ __forceinline__ Line descend(Cone& cone, int b, int apex) {
        Line line{static_cast<int64>(b) * cone.weight, cone.base};
        while (cone.heap != NONE && thresholds[cone.heap].value >= apex) {
            line.add(changes[cone.heap]);
            cone.heap = remove_top(cone.heap);
        }
        return line;
    }
};

// Divides and rounds down. The quotient must be at most 2^20, so that the estimate, with errors of 2^-24 from three
// roundings, is off by less than 1.
__device__ __forceinline__ int floor_divide(int64 dividend, int64 divisor) {
    int quotient = static_cast<int>(static_cast<float>(dividend) / static_cast<float>(divisor));
    int64 remainder = dividend - quotient * divisor;
    return remainder < 0 ? quotient - 1 : remainder >= divisor ? quotient + 1 : quotient;
}

// Returns the cone over b..c, given the cones over b..p (left) and p..c (right).
__device__ __forceinline__ Cone bridge(Heaps& heaps, int b, Cone left, Cone right, int root) {
    int c = right.weight;
    int apex = min(b, c);
    Line fan = heaps.descend(left, b, apex);
    Line right_line = heaps.descend(right, left.weight, apex);
    int64 base = b <= c ? left.base + right_line.at(apex) : right.base + fan.at(apex);
    fan.add(right_line);
    Line direct{static_cast<int64>(b) * c, base};
    int heap = heaps.meld(left.heap, right.heap);
    int threshold = 0;
    while (heap != NONE) {
        int value = heaps.thresholds[heap].value;
        if (fan.at(value) <= direct.at(value)) {
            break;
        }
        // the line of the fan from here on
        fan.add(heaps.changes[heap]);
        heap = heaps.remove_top(heap);
        if (fan.at(value) <= direct.at(value)) {
            threshold = value;
            break;
        }
    }
    if (threshold == 0 && base >= fan.intercept) {
        // The threshold is the intersection of the lines, rounded down. The fan's slope is larger, because p is larger,
        // and at the apex the fan is no less than `direct`, so the intersection is at most the apex.
        threshold = floor_divide(base - fan.intercept, fan.slope - direct.slope);
    }
    if (threshold < root) {
        return Cone{base, c, NONE};
    }
    Line change{fan.slope - direct.slope, fan.intercept - direct.intercept};
    return Cone{base, c, heaps.create(threshold, change, heap)};
}

}  // namespace

// Solves the chains rows[from..to), whose width is at most 2 (see batch.cu), so that weights are at most 2^20. `ticket`
// starts at 0. Uses blocks of up to LANES threads.
//
// - scratch: 44 bytes for each thread and each of `capacity` entries, a multiple of 4 not below any chain's length
extern "C" __global__ void __launch_bounds__(32) chain_hu_shing(
        const int32* rows,
        int32 from,
        int32 to,
        int32* ticket,
        const int32* offsets,
        const int64* dims,
        uint8* scratch,
        int32 capacity,
        int64* costs) {
    __shared__ Line near_changes[NEAR_THRESHOLDS][LANES];
    __shared__ Cone near_entries[NEAR_ENTRIES][LANES];
    __shared__ Threshold near_thresholds[NEAR_THRESHOLDS][LANES];
    int64 elements = static_cast<int64>(blockDim.x) * capacity;
    Line* changes = reinterpret_cast<Line*>(
            scratch + blockIdx.x * elements * (sizeof(Line) + sizeof(Cone) + sizeof(Threshold)));
    Cone* entries = reinterpret_cast<Cone*>(changes + elements);
    Array<Cone, NEAR_ENTRIES> stack(near_entries, entries);
    Heaps heaps{
            Array<Threshold, NEAR_THRESHOLDS>(near_thresholds, reinterpret_cast<Threshold*>(entries + elements)),
            Array<Line, NEAR_THRESHOLDS>(near_changes, changes),
            0,
            NONE};
    while (true) {
        int first = from + take(ticket, 0) * blockDim.x;
        if (first >= to) {
            return;
        }
        if (first + static_cast<int>(threadIdx.x) >= to) {
            continue;
        }
        int row = rows[first + threadIdx.x];
        const int64* weights = dims + offsets[row];
        int count = offsets[row + 1] - offsets[row];
        heaps.used = 0;
        heaps.spare = NONE;

        int smallest = 0;
        int64 least = weights[0];
        for (int i = 1; i < count; i++) {
            int64 candidate = weights[i];
            if (candidate < least) {
                least = candidate;
                smallest = i;
            }
        }
        int root = static_cast<int>(least);
        // The stack: its top, the entry below, and the remaining entries in memory. Below the root is an empty entry
        // with weight 0. The next vertex is loaded in advance.
        Cone top{0, root, NONE};
        Cone second{0, 0, NONE};
        int depth = 0;
        int source = smallest + 1 == count ? 0 : smallest + 1;
        Cone current{0, static_cast<int>(weights[source]), NONE};
        source = source + 1 == count ? 0 : source + 1;
        int next = static_cast<int>(weights[source]);
        // A chain of n entries has n - 2 bridges. Each iteration handles one bridge, regardless of the vertex at which
        // it is found. Therefore, the threads of a warp, whose chains have similar lengths, process bridges in step.
        for (int bridges = count - 2; bridges > 0; bridges--) {
            while (second.weight == 0 || top.weight < current.weight) {
                stack[depth] = second;
                depth++;
                second = top;
                top = current;
                current = Cone{0, next, NONE};
                source = source + 1 == count ? 0 : source + 1;
                next = static_cast<int>(weights[source]);
            }
            depth--;
            Cone third = stack[depth];
            current = bridge(heaps, second.weight, top, current, root);
            top = second;
            second = third;
        }
        costs[row] = top.base + current.base;
    }
}
