package dev.bellman.chain.matrix;

import dev.bellman.chain.ChainSolver;
import dev.bellman.columns.Cancellation;

/**
 * Hu and Shing's O(n log n) algorithm for matrix chains (SIAM Journal on Computing 11(2), 1982 and 13(2), 1984).
 *
 * <p>The dimensions are the weights of the vertices of a convex polygon. An order of multiplication is a triangulation
 * of the polygon, in which a triangle costs the product of its three weights. All pruning in this package relies on
 * five facts about an optimal triangulation {@code T}. The facts are in the papers or follow from them. The proofs
 * below are our own, because Schwartz and Weiss, "Revisiting 'Computation of matrix chain products'", SIAM Journal on
 * Computing 48(5), 2019, had to repair a proof in the papers. A vertex also denotes its weight.
 *
 * <ol>
 *   <li><em>Strips.</em> Suppose that {@code T} does not join {@code s} and {@code t}. The triangles between these two
 *       form a strip: the first one has the corners {@code s, p, q}, the last one has the corners {@code t, x, y}, and
 *       each of the others has an edge {@code ab} of the strip's border and a third corner {@code c}. If no vertex of
 *       the strip except {@code t} is smaller than {@code s}, then {@code p q <= s t}. Proof: the strip costs
 *       {@code s p q + t x y} plus {@code a b c} for each of the other triangles. Joining {@code s} to every vertex of
 *       the strip instead would cost {@code s t x + s t y} plus {@code s a b} for each of the others. This cost is
 *       lower by the sum of all {@code a b (c - s)}, {@code t (x - s) (y - s)} and {@code s (p q - s t)}. {@code T} is
 *       optimal, so this sum is not positive, and the first two terms are not negative.
 *   <li><em>Three smallest.</em> Let {@code v1} be smaller than all other vertices, {@code v2} the smallest of the
 *       others, and {@code v3} the smallest of the rest. Then {@code T} joins {@code v1} to {@code v2} and to
 *       {@code v3}. If {@code v1} were not joined to {@code v2}, then by fact 1 {@code p q <= v1 v2}; but
 *       {@code p, q >= v2 > v1}. If {@code v1} were not joined to {@code v3}, then {@code p q <= v1 v3}; but one of
 *       {@code p, q} is not {@code v2}, so it is at least {@code v3}, and the other one is larger than {@code v1}.
 *   <li><em>Four smallest.</em> Let {@code v4} be the smallest of the rest. Then {@code T} joins {@code v1} to {@code
 *       v4} or {@code v2} to {@code v3}. If {@code v1} is not joined to {@code v4}, then {@code p q <= v1 v4}; both are
 *       larger than {@code v1}, so neither is {@code v4} or more. So they are {@code v2} and {@code v3}, which share an
 *       edge of a triangle.
 *   <li><em>Sides of an arc.</em> Let {@code h} be the smaller end of an arc (a chord of {@code T}). Then there cannot
 *       be both an {@code s < h} on one side of the arc and a {@code t <= h} on the other. Otherwise take the {@code s}
 *       and {@code t} with the shortest strip. All other vertices of the strip are at least {@code h}: a smaller one
 *       could replace {@code s} or {@code t}, whichever is on the same side, and would make a shorter strip. So
 *       {@code p q >= h h > s t}, which contradicts fact 1.
 *   <li><em>Splits.</em> Let {@code T} have a triangle {@code i, k, j} on a side {@code (i, j)} of the polygon. Then
 *       there cannot be both a {@code u} smaller than {@code k} between {@code i} and {@code k} and a {@code v} smaller
 *       than {@code k} between {@code k} and {@code j}. Otherwise {@code k} is larger than {@code i}, by fact 4 for the
 *       arc {@code (i, k)} with {@code u} and {@code v} on its sides, and likewise larger than {@code j}. Let
 *       {@code i <= j}; the other case is the mirror image. By fact 4 for the arc {@code (k, j)} and {@code i}, no
 *       vertex between {@code k} and {@code j} is smaller than {@code i}. In the polygon {@code i, k, ..., j}, only
 *       {@code k} and {@code j} are joined to {@code i}. So by fact 1 {@code k j <= i v}; but {@code k > v} and
 *       {@code j >= i}.
 * </ol>
 *
 * <p>Equal weights may be ordered in any way: if they are made to differ slightly, in that order, facts 2 and 3 hold. A
 * triangulation that is optimal for arbitrarily small differences is optimal without them. So below, "smaller" is a
 * total order in which the first of equal weights is the smallest, and there is an optimal triangulation with facts 2
 * and 3. Facts 1, 4 and 5 hold for all optimal triangulations as stated. The polygon is rotated so that its smallest
 * vertex is vertex 0.
 *
 * <p><b>Arcs.</b> For each vertex {@code t} there is one arc {@code (u, v)} to decide on, called arc {@code t} below,
 * from the nearest smaller vertex on the left to the nearest smaller vertex on the right. Arcs nest like the subtrees
 * of the Cartesian tree, and a stack sweep finds them, children before parents. Let {@code base(u, v)} be the minimum
 * cost of the polygon {@code u, ..., v}, and {@code cone(x; u, v)} the cost of the same polygon with one more vertex,
 * of weight {@code x <= u, v}; for neighbours these are 0 and {@code x u v}. If {@code low} is the smaller of {@code u}
 * and {@code v} and {@code o} is the other,
 *
 * <pre>{@code
 * base(u, v)    = base(low, t) + cone(low; t, o)                              by fact 2
 * cone(x; u, v) = min(x u v + base(u, v), cone(x; u, t) + cone(x; t, v))      by fact 3
 * }</pre>
 *
 * The first choice of the minimum contains the arc; the second does not. Arcs that end at vertex 0 need no decision: by
 * the first line they bound parts of the fan of vertex 0.
 *
 * <p><b>Supporting weights.</b> As a function of {@code x > 0}, a cone is the minimum of finitely many lines, so it is
 * concave, and so is the second choice. At {@code x = low} the first choice is the minimum, by fact 2 with {@code low}
 * as the smallest vertex. A concave function that is not below a line at {@code low} is below the line exactly for
 * those {@code x} that are less than some threshold. This threshold is the supporting weight of the arc: the arc is
 * present for larger {@code x}. As the sweep goes up, {@code x} takes the weights of smaller and smaller vertices, so
 * an arc that has disappeared does not come back.
 *
 * <p>The region below an arc is a fan of its smaller end. The boundary of the region consists of edges of the polygon
 * and the outermost arcs below that are present at {@code x = low}. Without the arc, the fan of {@code x} reaches that
 * boundary. Let the worth of an edge be the product of its ends. Removing the arc then costs {@code x * den} more,
 * where {@code den} is the worth of the boundary minus the worth of the arc. The removal saves
 * {@code num = low * (boundary - low * next)}, where {@code next} is the neighbour of the smaller end in the boundary.
 * So the supporting weight is {@code num / den}, unless an arc of the boundary disappears first. A new arc
 *
 * <ol>
 * <li>removes those arcs below it whose supporting weight is at least {@code low}: they are not present at {@code low}
 * or any later {@code x};
 * <li>absorbs those arcs below it whose supporting weight is at least its own: when the new arc disappears, they have
 * already disappeared, and until then the new arc hides them. Their {@code num} and {@code den} are
 *       added to those of the new arc.
 * </ol>
 *
 * So supporting weights strictly increase from the inside out, and the next arc to consider is always the one with the
 * largest weight in the subtree. The arcs of a subtree are kept in a mergeable heap (a pairing heap, Fredman et al.
 * 1986). Each arc enters and leaves the heap once. Finally, vertex 0 removes the arcs whose supporting weight it does
 * not exceed.
 *
 * <p><b>Arithmetic</b> is exact for weights up to 2^63 - 1. Each polygon edge lies in one triangle, and no triangle has
 * more than two polygon edges (of those that avoid vertex 0), so the sum of the edges is at most twice the cost: if the
 * sum reaches 2^64, the cost exceeds 63 bits. Otherwise every {@code den} is an unsigned 64-bit number, every {@code
 * num} fits in 127 bits, and ratios are compared by cross-multiplication, with 192-bit products.
 *
 * <p>The algorithm takes O(n log n) time and O(n) memory, in arrays.
 */
final class HuShing implements ChainSolver {
    private static final int NONE = -1;
    /** The value in {@link #absorber} of an arc that is not in the triangulation. */
    private static final int REMOVED = -2;

    /** The estimated number of steps per vertex, which is rarely exceeded. */
    private static final int STEPS_OF_A_VERTEX = 32;

    /** The number of bytes per vertex, for the fields and for two arrays of a sweep. */
    static final int BYTES_OF_A_VERTEX = 4 * Long.BYTES + 12 * Integer.BYTES;

    private final int vertices;
    /** The position of vertex 0 in the chain. */
    private final int rotation;
    /** The weight of each vertex; vertex 0 is repeated at the end. */
    private final long[] weight;

    /** The ends of each arc {@code t}. */
    private final int[] left;

    private final int[] right;
    /** The supporting weight of each arc: an unsigned 128-bit numerator and an unsigned 64-bit denominator. */
    private final long[] numHigh;

    private final long[] numLow;
    private final long[] den;
    /** The arc that absorbed each arc {@code t}; {@link #NONE} if no arc has absorbed it. */
    private final int[] absorber;
    /** The neighbours of each vertex, to its right and to its left, in the region above the outermost arcs so far. */
    private final int[] next;

    private final int[] previous;
    /**
     * For each arc {@code t}, the values of {@link #next} at its left end and of {@link #previous} at its right end
     * before the arc was added.
     */
    private final int[] nextBelow;

    private final int[] previousBelow;
    /** The heap of each arc: its first child and its next sibling. */
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

        // the cost of the fan of vertex 0 over all other vertices, minus the savings of the arcs
        long fan = weight[0];
        long high = WideArithmetic.multiplyHigh(edges, fan);
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
            long savedHigh = WideArithmetic.multiplyHigh(den[arc], fan) - numHigh[arc] - borrow;
            high -= savedHigh + (Long.compareUnsigned(low, savedLow) < 0 ? 1 : 0);
            low -= savedLow;
        }
        return high != 0 || low < 0 ? OVERFLOW : low;
    }

    /** Finds the arcs, children before parents, and decides for each arc which of the arcs below it remain. */
    private void sweep() {
        // the vertices whose nearest smaller vertex to the right is not known yet and, for each vertex, the heap below
        // the arc that would join it to its predecessor
        int[] open = new int[vertices];
        int[] heaps = new int[vertices];
        int depth = 0;
        for (int v = 0; v < vertices; v++) {
            next[v] = v + 1;
            previous[v] = v - 1;
        }
        Cancellation cancellation = new Cancellation();
        for (int v = 0; v <= vertices; v++) {
            cancellation.count(STEPS_OF_A_VERTEX);
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

    /** Adds arc {@code t} = (u, v) above a heap of arcs. Returns the heap including the arc. */
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
        long high = WideArithmetic.multiplyHigh(fanned, low);
        long lower = fanned * low;
        while (heap != NONE
                && WideArithmetic.compareRatios(numHigh[heap], numLow[heap], den[heap], high, lower, d) >= 0) {
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
        // the arc has the largest supporting weight in the heap, so it becomes the root
        child[t] = heap;
        sibling[t] = NONE;
        return t;
    }

    /**
     * Removes the root from its heap, and the root's arc from the boundary, where it is the outermost arc at both ends.
     */
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
        if (WideArithmetic.compareRatios(numHigh[a], numLow[a], den[a], numHigh[b], numLow[b], den[b]) >= 0) {
            sibling[b] = child[a];
            child[a] = b;
            return a;
        }
        sibling[a] = child[b];
        child[b] = a;
        return b;
    }

    /** Whether the arc's supporting weight is at least {@code x}. */
    private boolean reaches(int arc, long x) {
        int high = Long.compareUnsigned(numHigh[arc], WideArithmetic.multiplyHigh(den[arc], x));
        return high > 0 || high == 0 && Long.compareUnsigned(numLow[arc], den[arc] * x) >= 0;
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

    /**
     * Adds the chords of the triangulation that the arcs represent, with the chain's vertex numbers instead of the
     * rotated ones.
     */
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

    /**
     * Joins {@code centre} to the vertices between {@code u} and {@code v} along the boundary, except to the neighbours
     * of the centre.
     */
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
