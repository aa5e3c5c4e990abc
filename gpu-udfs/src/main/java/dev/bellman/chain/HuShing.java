package dev.bellman.chain;

/**
 * Hu and Shing's O(n log n) algorithm for matrix chains (SIAM Journal on Computing 11(2), 1982 and 13(2), 1984).
 *
 * <p>The dimensions are the weights of the vertices of a convex polygon. An order of multiplication is a triangulation of the
 * polygon, in which a triangle costs the product of its three weights. Ties between weights are broken by the position, so
 * that "smaller" is a total order. The polygon is turned so that its smallest vertex is vertex 0.
 *
 * <p><b>Arcs.</b> In an optimal triangulation some of the chords are <em>horizontal</em>: all vertices on the far side from
 * vertex 0 are larger than both ends. What the horizontal chords leave of the polygon are regions, each of which is a fan: its
 * smallest vertex is joined to all others. So it is enough to know the horizontal chords. The only candidates join the nearest
 * smaller vertex on the left and on the right of some vertex {@code t}; there is one for each {@code t}, called arc
 * {@code t} here, and they nest as the subtrees of the Cartesian tree do. A stack sweep finds them, children before parents.
 * Arcs that end at vertex 0 need no decision: they belong to its fan.
 *
 * <p><b>Supporting weights.</b> Suppose that an arc {@code (u, v)} is present and look at the fan below it, which ends at the
 * arcs present further down. Its cost is {@code num = low * (boundary - uv - low * next)}: the smaller end {@code low}, times
 * the edges of the region that do not touch it, an edge being the product of its ends. Without the arc, these edges would
 * join the fan of a vertex above, of weight {@code x}, at the price of {@code x * den}, where {@code den} is what the lower
 * boundary is worth more than the arc. So the arc pays off exactly while {@code x > num / den}, its supporting weight. Going
 * up, a new arc of smaller end {@code low}
 *
 * <ol>
 *   <li>removes the arcs below whose supporting weight is {@code low} or more: its own fan replaces theirs;
 *   <li>absorbs the arcs below whose supporting weight is at least its own: they would have to go first, but cannot while
 *       it shields them from the fans above, so they go together and share one supporting weight.
 * </ol>
 *
 * So supporting weights strictly increase from the inside out, the arc to look at is always the largest of the subtree,
 * and the arcs of a subtree are kept in a mergeable heap (a pairing heap, Fredman and others 1986). Each arc enters and
 * leaves it once. Finally vertex 0 removes the arcs whose supporting weight it does not exceed.
 *
 * <p><b>Arithmetic</b> is exact for weights up to 2^63 - 1. Each polygon edge lies in one triangle, and no triangle has more than
 * two (of those that avoid vertex 0), so the edges sum up to at most twice the cost: if the sum reaches 2^64, the cost is beyond 63
 * bits. Else every {@code den} is an unsigned 64-bit number, every {@code num} fits 127 bits, and ratios are compared by
 * products of 192 bits.
 *
 * <p>Time O(n log n), memory O(n), in arrays.
 */
final class HuShing implements ChainSolver {
    private static final int NONE = -1;
    /** In {@link #absorber}: the arc is not part of the triangulation. */
    private static final int REMOVED = -2;

    private final int vertices;
    /** Where vertex 0 is in the chain. */
    private final int rotation;
    /** The weight of each vertex, and that of vertex 0 again. */
    private final long[] weight;

    /** The ends of arc {@code t}. */
    private final int[] left;

    private final int[] right;
    /** The supporting weight of arc {@code t}: a numerator of 128 bits over a denominator of 64, without signs. */
    private final long[] numHigh;

    private final long[] numLow;
    private final long[] den;
    /** The arc that absorbed arc {@code t}; {@link #NONE} while it stands by itself. */
    private final int[] absorber;
    /** The neighbour of a vertex, to its right and to its left, in the region above the outermost arcs so far. */
    private final int[] next;

    private final int[] previous;
    /** What {@link #next} of the left end and {@link #previous} of the right end were before arc {@code t}. */
    private final int[] nextBelow;

    private final int[] previousBelow;
    /** The heap of arc {@code t}: its first child and its next sibling. */
    private final int[] child;

    private final int[] sibling;
    /** The arcs, children before parents. */
    private final int[] arcs;

    private int arcCount;
    private final long cost;

    HuShing(long[] dims) {
        vertices = dims.length;
        int smallest = 0;
        for (int i = 1; i < vertices; i++) {
            if (dims[i] < dims[smallest]) {
                smallest = i;
            }
        }
        rotation = smallest;
        weight = new long[vertices + 1];
        System.arraycopy(dims, rotation, weight, 0, vertices - rotation);
        System.arraycopy(dims, 0, weight, vertices - rotation, rotation + 1);
        left = new int[vertices];
        right = new int[vertices];
        numHigh = new long[vertices];
        numLow = new long[vertices];
        den = new long[vertices];
        absorber = new int[vertices];
        next = new int[vertices];
        previous = new int[vertices];
        nextBelow = new int[vertices];
        previousBelow = new int[vertices];
        child = new int[vertices];
        sibling = new int[vertices];
        arcs = new int[vertices];
        cost = solve();
    }

    @Override
    public long cost() {
        return cost;
    }

    private long solve() {
        long edges = 0;
        for (int i = 1; i + 1 < vertices; i++) {
            long edge = weight[i] * weight[i + 1];
            edges += edge;
            if (Math.multiplyHigh(weight[i], weight[i + 1]) != 0 || Long.compareUnsigned(edges, edge) < 0) {
                return OVERFLOW;
            }
        }
        sweep();

        // the fan of vertex 0 over everything, less what the arcs save of it
        long fan = weight[0];
        long high = multiplyHigh(edges, fan);
        long low = edges * fan;
        for (int i = 0; i < arcCount; i++) {
            int arc = arcs[i];
            if (absorber[arc] != NONE) {
                continue;
            }
            if (reaches(arc, fan)) {
                absorber[arc] = REMOVED;
                continue;
            }
            long savedLow = den[arc] * fan - numLow[arc];
            long borrow = Long.compareUnsigned(den[arc] * fan, numLow[arc]) < 0 ? 1 : 0;
            long savedHigh = multiplyHigh(den[arc], fan) - numHigh[arc] - borrow;
            high -= savedHigh + (Long.compareUnsigned(low, savedLow) < 0 ? 1 : 0);
            low -= savedLow;
        }
        return high != 0 || low < 0 ? OVERFLOW : low;
    }

    /** Finds the arcs, children before parents, and decides about those below each. */
    private void sweep() {
        // the vertices that still look for the nearest smaller one to their right, and the heap below the arc that
        // would
        // join each to its predecessor
        int[] open = new int[vertices];
        int[] heaps = new int[vertices];
        int depth = 0;
        for (int v = 0; v < vertices; v++) {
            next[v] = v + 1;
            previous[v] = v - 1;
        }
        for (int v = 0; v <= vertices; v++) {
            int heap = NONE;
            while (depth > 1 && (v == vertices || weight[open[depth - 1]] > weight[v])) {
                depth--;
                heap = merge(heaps[depth], heap);
                int u = open[depth - 1];
                if (u != 0 && v != vertices) {
                    heap = add(open[depth], u, v, heap);
                }
            }
            if (v < vertices) {
                open[depth] = v;
                heaps[depth] = heap;
                depth++;
            }
        }
    }

    /** Adds arc {@code t} = (u, v) above a heap of arcs; returns the heap with it. */
    private int add(int t, int u, int v, int below) {
        int heap = below;
        long low = Math.min(weight[u], weight[v]);
        long arc = weight[u] * weight[v];
        long d = weight[u] * weight[t] + weight[t] * weight[v] - arc;
        while (heap != NONE && reaches(heap, low)) {
            d += den[heap];
            absorber[heap] = REMOVED;
            heap = remove(heap);
        }
        int neighbour = weight[u] <= weight[v] ? next[u] : previous[v];
        long fanned = d + arc - low * weight[neighbour];
        long high = multiplyHigh(fanned, low);
        long lower = fanned * low;
        while (heap != NONE && compareRatios(numHigh[heap], numLow[heap], den[heap], high, lower, d) >= 0) {
            d += den[heap];
            lower += numLow[heap];
            high += numHigh[heap] + (Long.compareUnsigned(lower, numLow[heap]) < 0 ? 1 : 0);
            absorber[heap] = t;
            heap = remove(heap);
        }
        left[t] = u;
        right[t] = v;
        den[t] = d;
        numHigh[t] = high;
        numLow[t] = lower;
        absorber[t] = NONE;
        nextBelow[t] = next[u];
        next[u] = v;
        previousBelow[t] = previous[v];
        previous[v] = u;
        arcs[arcCount++] = t;
        // larger than all of the heap, so it is the root
        child[t] = heap;
        sibling[t] = NONE;
        return t;
    }

    /** Takes the root out of its heap and out of the boundary, of which it is the outermost arc at both ends. */
    private int remove(int root) {
        next[left[root]] = nextBelow[root];
        previous[right[root]] = previousBelow[root];
        int pairs = NONE;
        int each = child[root];
        while (each != NONE) {
            int first = each;
            int second = sibling[first];
            each = second == NONE ? NONE : sibling[second];
            sibling[first] = NONE;
            int pair = first;
            if (second != NONE) {
                sibling[second] = NONE;
                pair = merge(first, second);
            }
            sibling[pair] = pairs;
            pairs = pair;
        }
        int heap = NONE;
        while (pairs != NONE) {
            int pair = pairs;
            pairs = sibling[pair];
            sibling[pair] = NONE;
            heap = merge(heap, pair);
        }
        return heap;
    }

    private int merge(int a, int b) {
        if (a == NONE) {
            return b;
        }
        if (b == NONE) {
            return a;
        }
        if (compareRatios(numHigh[a], numLow[a], den[a], numHigh[b], numLow[b], den[b]) >= 0) {
            sibling[b] = child[a];
            child[a] = b;
            return a;
        }
        sibling[a] = child[b];
        child[b] = a;
        return b;
    }

    /** Whether the supporting weight of the arc is at least {@code x}. */
    private boolean reaches(int arc, long x) {
        int high = Long.compareUnsigned(numHigh[arc], multiplyHigh(den[arc], x));
        return high > 0 || high == 0 && Long.compareUnsigned(numLow[arc], den[arc] * x) >= 0;
    }

    /** Compares two fractions, whose numerators have 128 bits. */
    private static int compareRatios(long highA, long lowA, long denA, long highB, long lowB, long denB) {
        long middleA = multiplyHigh(lowA, denB);
        long middleB = multiplyHigh(lowB, denA);
        if ((highA | highB) != 0) {
            long productA = highA * denB;
            long productB = highB * denA;
            middleA += productA;
            middleB += productB;
            long topA = multiplyHigh(highA, denB) + (Long.compareUnsigned(middleA, productA) < 0 ? 1 : 0);
            long topB = multiplyHigh(highB, denA) + (Long.compareUnsigned(middleB, productB) < 0 ? 1 : 0);
            if (topA != topB) {
                return Long.compareUnsigned(topA, topB);
            }
        }
        return middleA != middleB
                ? Long.compareUnsigned(middleA, middleB)
                : Long.compareUnsigned(lowA * denB, lowB * denA);
    }

    /** The upper half of the product of two unsigned numbers. */
    private static long multiplyHigh(long a, long b) {
        return Math.multiplyHigh(a, b) + (a >> 63 & b) + (b >> 63 & a);
    }

    @Override
    public int[] splits() {
        int matrices = vertices - 1;
        if (matrices == 1) {
            return new int[0];
        }
        Chords chords = new Chords(matrices);
        chords.add(0, matrices);
        triangulate(chords);
        return chords.splits();
    }

    /** Adds all chords of the triangulation that the arcs stand for, in the order of the chain. */
    private void triangulate(Chords chords) {
        for (int i = arcCount - 1; i >= 0; i--) {
            int arc = arcs[i];
            if (absorber[arc] >= 0) {
                absorber[arc] = absorber[absorber[arc]];
            }
        }
        for (int v = 0; v < vertices; v++) {
            next[v] = v + 1;
        }
        for (int i = 0; i < arcCount; i++) {
            int arc = arcs[i];
            if (absorber[arc] == NONE) {
                int u = left[arc];
                int v = right[arc];
                addFan(chords, weight[u] <= weight[v] ? u : v, u, v);
                add(chords, u, v);
                next[u] = v;
            }
        }
        addFan(chords, 0, 0, vertices);
    }

    /** Joins {@code centre} to the vertices between {@code u} and {@code v} along the boundary, but to its neighbours. */
    private void addFan(Chords chords, int centre, int u, int v) {
        boolean endsAtCentre = centre == v || v == vertices;
        int x = centre == u ? next[next[u]] : next[u];
        while (x < v && !(endsAtCentre && next[x] == v)) {
            add(chords, centre, x);
            x = next[x];
        }
    }

    private void add(Chords chords, int x, int y) {
        int a = (x + rotation) % vertices;
        int b = (y + rotation) % vertices;
        chords.add(Math.min(a, b), Math.max(a, b));
    }
}
