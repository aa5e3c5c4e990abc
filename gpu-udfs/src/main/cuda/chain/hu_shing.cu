// The cost alone of an optimal matrix chain product, O(n log n) per chain, one thread per chain.
//
// The problem as a polygon: the dimensions are the weights of its vertices, a parenthesization is a partition of the
// polygon into triangles, a triangle costs the product of its weights. T. C. Hu and M. T. Shing, "Computation of matrix
// chain products", parts I and II, SIAM J. Comput. 11 (1982) and 13 (1984), prove that some optimal partition joins the
// smallest vertex to the second and to the third smallest one. From that follows the form used here. Start the polygon at
// its smallest vertex, and repeat that vertex at the end. A bridge is a pair b..c between which every vertex is larger
// than both; the bridges are what a stack of increasing weights meets when it pops the vertex p between b and c. Let
//   base(b, c)   be the cost of the polygon b..c,
//   cone(x; b, c) the cost of the polygon b..c with an apex of weight x <= b, c added.
// Then, with a = min(b, c),
//   base(b, c)    = base(a, p) + cone(a; the other one, p)
//   cone(x; b, c) = min(x b c + base(b, c), cone(x; b, p) + cone(x; p, c)),
// where the second choice of the minimum wins exactly when x is at most some threshold below b and c. So cone(.; b, c) is
// a piecewise linear function of x: a current line and a set of thresholds at which it changes, and since x never grows on
// the way to the root, each threshold is passed once. The sets are pairing heaps, the largest threshold on top.

#include "common/columns.cuh"

namespace {

// The cone over a bridge: the bridge's base, its right end, and its thresholds. Above the topmost threshold the cone's line is that
// of the bridge itself.
struct alignas(16) Cone {
    int64 base;
    int weight;
    int heap;  // index of the topmost threshold, 0 for none
};

// slope * x + intercept.
struct Line {
    int64 slope;
    int64 intercept;

    __device__ int64 at(int x) const {
        return x * slope + intercept;
    }
};

// At apexes up to `value`, a cone's line changes by `change`.
struct alignas(16) Threshold {
    Line change;
    int value;
    int child;
    int sibling;
    int unused;
};

struct Heaps {
    Threshold* nodes;

    __device__ int meld(int a, int b) const {
        if (a == 0) {
            return b;
        }
        if (b == 0) {
            return a;
        }
        return link(a, b);
    }

    __device__ int link(int a, int b) const {
        if (nodes[a].value < nodes[b].value) {
            int swapped = a;
            a = b;
            b = swapped;
        }
        nodes[b].sibling = nodes[a].child;
        nodes[a].child = b;
        return a;
    }

    __device__ int remove_top(int top) const {
        int rest = nodes[top].child;
        int pairs = 0;
        while (rest != 0) {
            int first = rest;
            int second = nodes[first].sibling;
            if (second == 0) {
                nodes[first].sibling = pairs;
                pairs = first;
                break;
            }
            rest = nodes[second].sibling;
            int pair = link(first, second);
            nodes[pair].sibling = pairs;
            pairs = pair;
        }
        if (pairs == 0) {
            return 0;
        }
        int root = pairs;
        int next = nodes[root].sibling;
        while (next != 0) {
            int following = nodes[next].sibling;
            root = link(root, next);
            next = following;
        }
        return root;
    }

    // The line of the cone over a bridge from b at this apex, and so at every later one until the topmost threshold that is left.
    __device__ Line descend(Cone& cone, int b, int apex) const {
        Line line{static_cast<int64>(b) * cone.weight, cone.base};
        while (cone.heap != 0 && nodes[cone.heap].value >= apex) {
            line.slope += nodes[cone.heap].change.slope;
            line.intercept += nodes[cone.heap].change.intercept;
            cone.heap = remove_top(cone.heap);
        }
        return line;
    }
};

// Of a quotient below 2^50, so that the estimate is off by one at most.
__device__ int64 floor_divide(int64 dividend, int64 divisor) {
    int64 quotient = static_cast<int64>(static_cast<double>(dividend) / static_cast<double>(divisor));
    int64 remainder = dividend - quotient * divisor;
    return remainder < 0 ? quotient - 1 : remainder >= divisor ? quotient + 1 : quotient;
}

// The cone over b..c from those over b..p (left) and p..c (right). `node` is free for its threshold.
__device__ Cone bridge(const Heaps& heaps, int node, int b, bool left_is_smaller, Cone left, Cone right) {
    int c = right.weight;
    int apex = min(b, c);
    Line left_line = heaps.descend(left, b, apex);
    Line right_line = heaps.descend(right, left.weight, apex);
    int64 base = left_is_smaller ? left.base + right_line.at(apex) : right.base + left_line.at(apex);
    Line direct{static_cast<int64>(b) * c, base};
    Line fan{left_line.slope + right_line.slope, left_line.intercept + right_line.intercept};
    int heap = heaps.meld(left.heap, right.heap);
    // Thresholds above the one where the fan begins to win are never passed by themselves.
    int threshold = 0;
    while (heap != 0) {
        Threshold top = heaps.nodes[heap];
        Line below{fan.slope + top.change.slope, fan.intercept + top.change.intercept};
        if (below.at(top.value) <= direct.at(top.value)) {
            threshold = top.value;
            break;
        }
        fan = below;
        heap = heaps.remove_top(heap);
    }
    if (base >= fan.intercept) {
        int64 equal = floor_divide(base - fan.intercept, fan.slope - direct.slope);
        threshold = max(threshold, static_cast<int>(min(static_cast<int64>(apex), equal)));
    }
    if (threshold == 0) {
        return Cone{base, c, 0};
    }
    if (heap != 0) {
        heaps.nodes[heap].sibling = 0;
    }
    heaps.nodes[node] =
            Threshold{{fan.slope - direct.slope, fan.intercept - direct.intercept}, threshold, heap, 0, 0};
    return Cone{base, c, node};
}

}  // namespace

// Solves the chains rows[from..to), of width 2 at most (see batch.cu).
// scratch: a slot for each thread, of 48 bytes for each entry of a chain and 32 more.
extern "C" __global__ void __launch_bounds__(128) chain_hu_shing(
        const int32* rows,
        int32 from,
        int32 to,
        const int32* offsets,
        const int64* dims,
        uint8* scratch,
        int64 slot_bytes,
        int64* costs) {
    int64 slot = thread_index();
    int64 slots = gridDim.x * static_cast<int64>(blockDim.x);
    for (int64 position = from + slot; position < to; position += slots) {
        int row = rows[position];
        const int64* weights = dims + offsets[row];
        int count = offsets[row + 1] - offsets[row];
        Cone* stack = reinterpret_cast<Cone*>(scratch + slot * slot_bytes);
        Heaps heaps{reinterpret_cast<Threshold*>(stack + count)};
        int nodes = 0;

        int smallest = 0;
        int64 weight = weights[0];
        for (int i = 1; i < count; i++) {
            int64 candidate = weights[i];
            if (candidate < weight) {
                weight = candidate;
                smallest = i;
            }
        }
        int root = static_cast<int>(weight);
        // The topmost entry of the stack lives in `top`; the entry at depth 0 is the smallest vertex.
        Cone top{0, root, 0};
        int depth = 0;
        int below = 0;  // weight of the entry below the top
        int source = smallest;
        for (int i = 1; i < count; i++) {
            source = source + 1 == count ? 0 : source + 1;
            int c = static_cast<int>(weights[source]);
            Cone current{0, c, 0};
            while (depth > 0 && top.weight > c) {
                current = bridge(heaps, ++nodes, below, below <= c, top, current);
                depth--;
                top = stack[depth];
                below = depth > 0 ? stack[depth - 1].weight : 0;
            }
            stack[depth] = top;
            below = top.weight;
            top = current;
            depth++;
        }
        Cone current{0, root, 0};
        while (depth > 1) {
            current = bridge(heaps, ++nodes, below, false, top, current);
            depth--;
            top = stack[depth];
            below = stack[depth - 1].weight;
        }
        costs[row] = top.base + current.base;
    }
}
