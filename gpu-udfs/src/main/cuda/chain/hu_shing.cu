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

namespace {

// The cone over one bridge, as seen from apexes no heavier than the last one: slope * x + intercept, until x falls to the
// threshold on top of the heap.
struct alignas(16) Cone {
    long long base;
    long long slope;
    long long intercept;
    int weight;  // of the bridge's right end
    int heap;    // index of the topmost threshold, 0 for none
};

// At apexes up to `value`, the cone's line changes by these amounts.
struct alignas(16) Threshold {
    long long slope;
    long long intercept;
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

    __device__ int removeTop(int top) const {
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

    // Passes every threshold that an apex of this weight, and so every later one, is not above.
    __device__ void descend(Cone& cone, int apex) const {
        while (cone.heap != 0) {
            Threshold top = nodes[cone.heap];
            if (top.value < apex) {
                return;
            }
            cone.slope += top.slope;
            cone.intercept += top.intercept;
            cone.heap = removeTop(cone.heap);
        }
    }
};

// Of a quotient below 2^50, so that the estimate is off by one at most.
__device__ long long floorDivide(long long dividend, long long divisor) {
    long long quotient = static_cast<long long>(static_cast<double>(dividend) / static_cast<double>(divisor));
    long long remainder = dividend - quotient * divisor;
    return remainder < 0 ? quotient - 1 : remainder >= divisor ? quotient + 1 : quotient;
}

// The cone over b..c from those over b..p (left) and p..c (right).
__device__ Cone bridge(const Heaps& heaps, int node, int b, int c, bool leftIsSmaller, Cone left, Cone right) {
    int apex = min(b, c);
    heaps.descend(left, apex);
    heaps.descend(right, apex);
    long long base = leftIsSmaller ? left.base + apex * right.slope + right.intercept
                                   : right.base + apex * left.slope + left.intercept;
    long long direct = static_cast<long long>(b) * c;
    long long slope = left.slope + right.slope;
    long long intercept = left.intercept + right.intercept;
    int heap = heaps.meld(left.heap, right.heap);
    int threshold = 0;
    while (heap != 0) {
        Threshold top = heaps.nodes[heap];
        long long fan = top.value * (slope + top.slope) + intercept + top.intercept;
        if (fan <= top.value * direct + base) {
            threshold = top.value;
            break;
        }
        slope += top.slope;
        intercept += top.intercept;
        heap = heaps.removeTop(heap);
    }
    if (base >= intercept) {
        threshold = max(threshold, static_cast<int>(min(static_cast<long long>(apex), floorDivide(base - intercept, slope - direct))));
    }
    Cone cone;
    cone.base = base;
    cone.slope = direct;
    cone.intercept = base;
    cone.weight = c;
    cone.heap = 0;
    if (threshold > 0) {
        Threshold added;
        added.slope = slope - direct;
        added.intercept = intercept - base;
        added.value = threshold;
        added.child = heap;
        added.sibling = 0;
        added.unused = 0;
        heaps.nodes[node] = added;
        if (heap != 0) {
            heaps.nodes[heap].sibling = 0;
        }
        cone.heap = node;
    }
    return cone;
}

}  // namespace

// Solves rows[from..to), which must all be of a width of at most WIDTH_LONG (see batch.cu).
// scratch: 64 bytes for each entry of each of these chains plus 64 for each chain; slots of `slotBytes`, one per thread.
extern "C" __global__ void __launch_bounds__(128) chain_hu_shing(
        const int* rows,
        int from,
        int to,
        const int* offsets,
        const long long* dims,
        char* scratch,
        long long slotBytes,
        long long* costs) {
    long long slot = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
    long long slots = gridDim.x * static_cast<long long>(blockDim.x);
    for (long long position = from + slot; position < to; position += slots) {
        int row = rows[position];
        const long long* weights = dims + offsets[row];
        int count = offsets[row + 1] - offsets[row];
        Cone* stack = reinterpret_cast<Cone*>(scratch + slot * slotBytes);
        Heaps heaps{reinterpret_cast<Threshold*>(stack + count)};
        int nodes = 0;

        int smallest = 0;
        long long weight = weights[0];
        for (int i = 1; i < count; i++) {
            long long candidate = weights[i];
            if (candidate < weight) {
                weight = candidate;
                smallest = i;
            }
        }
        int root = static_cast<int>(weight);
        // The topmost entry of the stack lives in `top`; the entry at depth 0 is the smallest vertex.
        Cone top{0, 0, 0, root, 0};
        int depth = 0;
        int below = 0;  // weight of the entry below the top
        int source = smallest;
        for (int i = 1; i < count; i++) {
            source = source + 1 == count ? 0 : source + 1;
            int c = static_cast<int>(weights[source]);
            Cone current{0, static_cast<long long>(top.weight) * c, 0, c, 0};
            while (depth > 0 && top.weight > c) {
                current = bridge(heaps, ++nodes, below, c, below <= c, top, current);
                depth--;
                top = stack[depth];
                below = depth > 0 ? stack[depth - 1].weight : 0;
            }
            stack[depth] = top;
            below = top.weight;
            top = current;
            depth++;
        }
        Cone current{0, static_cast<long long>(top.weight) * root, 0, root, 0};
        while (depth > 1) {
            current = bridge(heaps, ++nodes, below, root, false, top, current);
            depth--;
            top = stack[depth];
            below = stack[depth - 1].weight;
        }
        costs[row] = top.base + current.base;
    }
}
