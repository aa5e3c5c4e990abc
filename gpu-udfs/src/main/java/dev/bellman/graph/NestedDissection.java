package dev.bellman.graph;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * Orders a graph's vertices so that the tiles of the Floyd-Warshall table stay empty for as long as possible. The order
 * begins with two parts that have no edges between them; each part is ordered in the same way. Then comes the
 * separator: the vertices whose removal disconnects the parts. The steps for the vertices of one part find no paths to
 * the other part, because all such paths lead through later vertices. The directions and weights of edges do not
 * matter.
 *
 * <p>A separator is a level of a breadth-first search, after George and Liu, "An automatic nested dissection algorithm
 * for irregular finite element problems", SIAM Journal on Numerical Analysis 15 (1978). A tile with vertices from two
 * parts would connect the parts. Therefore, the second part begins at a tile border: the vertices after the last whole
 * tile of the first part move to the separator.
 */
final class NestedDissection {
    /**
     * The maximum number of searches of a part after the first. Each of them starts at the last vertex that the
     * previous search found, so that the last search starts at the end of a long path.
     */
    private static final int SEARCHES = 4;

    private static final int NONE = -1;

    private final int tile;

    /**
     * The undirected graph: the neighbours of {@code v} have the indices from {@code starts[v]} to {@code starts[v + 1]
     * - 1}.
     */
    private final int[] starts;

    private final int[] neighbours;

    private final int[] order;
    /** The part to which each vertex belongs; {@link #NONE} for vertices in a separator. */
    private final int[] part;

    private int parts;

    /** The vertices in the order in which searches found them. */
    private final int[] found;

    /** The search level of each vertex that a search found. */
    private final int[] level;

    /** A part: the vertices in {@link #order} from {@code begin} (inclusive) to {@code end} (exclusive). */
    private record Part(int begin, int end) {}

    private final Deque<Part> waiting = new ArrayDeque<>();

    private NestedDissection(Graph graph, int tile) {
        this.tile = tile;
        int n = graph.nodes;
        starts = new int[n + 1];
        for (int v = 0; v < n; v++) {
            starts[v] += graph.starts[v + 1] - graph.starts[v];
            for (int e = graph.starts[v]; e < graph.starts[v + 1]; e++) {
                starts[graph.targets[e]]++;
            }
        }
        int sum = 0;
        for (int v = 0; v <= n; v++) {
            sum = Math.addExact(sum, starts[v]);
            starts[v] = sum;
        }
        neighbours = new int[sum];
        // fill the neighbours of each vertex from the end
        for (int v = 0; v < n; v++) {
            for (int e = graph.starts[v]; e < graph.starts[v + 1]; e++) {
                int w = graph.targets[e];
                neighbours[--starts[v]] = w;
                neighbours[--starts[w]] = v;
            }
        }
        order = new int[n];
        part = new int[n];
        found = new int[n];
        level = new int[n];
        Arrays.setAll(order, v -> v);
        Arrays.fill(level, NONE);
    }

    /**
     * Returns the vertices of a graph in the order that this class defines.
     *
     * @param tile the number of vertices per tile
     */
    static int[] order(Graph graph, int tile) {
        NestedDissection dissection = new NestedDissection(graph, tile);
        dissection.waiting.push(new Part(0, graph.nodes));
        while (!dissection.waiting.isEmpty()) {
            Part next = dissection.waiting.pop();
            if (next.end - next.begin > tile) {
                dissection.separate(next);
            }
        }
        return dissection.order;
    }

    private void separate(Part whole) {
        int size = whole.end - whole.begin;
        int count = search(order[whole.begin], 0);
        if (count == size) {
            cut(whole);
        } else {
            group(whole, count);
        }
        for (int at = 0; at < size; at++) {
            level[found[at]] = NONE;
        }
    }

    /**
     * Searches a part, starting from one of its vertices.
     *
     * @param begin the index in {@link #found} at which the part begins
     * @return the index at which the found vertices end
     */
    private int search(int from, int begin) {
        int end = begin;
        found[end++] = from;
        level[from] = 0;
        for (int at = begin; at < end; at++) {
            int v = found[at];
            for (int e = starts[v]; e < starts[v + 1]; e++) {
                int w = neighbours[e];
                if (level[w] == NONE && part[w] == part[v]) {
                    level[w] = level[v] + 1;
                    found[end++] = w;
                }
            }
        }
        return end;
    }

    /**
     * Splits a part that is not connected: separates its largest component, or several components with about half of
     * the vertices, from the other components.
     */
    private void group(Part whole, int first) {
        int size = whole.end - whole.begin;
        int largest = 0;
        int largestEnd = first;
        int half = first;
        int end = first;
        for (int i = whole.begin; i < whole.end; i++) {
            if (level[order[i]] == NONE) {
                int begin = end;
                end = search(order[i], begin);
                if (end - begin > largestEnd - largest) {
                    largest = begin;
                    largestEnd = end;
                }
                if (2 * begin < size) {
                    half = end;
                }
            }
        }
        if (2 * (largestEnd - largest) >= size) {
            int[] before = Arrays.copyOf(found, largest);
            System.arraycopy(found, largest, found, 0, largestEnd - largest);
            System.arraycopy(before, 0, found, largestEnd - largest, largest);
            half = largestEnd - largest;
        }
        split(whole, half, half);
    }

    /** Splits a connected part at a level of a breadth-first search, which becomes the separator. */
    private void cut(Part whole) {
        int size = whole.end - whole.begin;
        int depth = 0;
        for (int i = 0; i < SEARCHES && level[found[size - 1]] > depth; i++) {
            int last = found[size - 1];
            depth = level[last];
            for (int at = 0; at < size; at++) {
                level[found[at]] = NONE;
            }
            search(last, 0);
        }
        int best = NONE;
        int bestEnd = NONE;
        double least = Double.POSITIVE_INFINITY;
        for (int begin = 0, end = 0; begin < size; begin = end) {
            while (end < size && level[found[end]] == level[found[begin]]) {
                end++;
            }
            int smaller = Math.min(begin, size - end);
            double cost = (end - begin) * Math.pow((double) size / smaller, 2);
            if (smaller > 0 && cost < least) {
                least = cost;
                best = begin;
                bestEnd = end;
            }
        }
        if (best != NONE) {
            split(whole, best, bestEnd);
        }
    }

    /**
     * Splits a part into the vertices before a separator, the vertices after it, and the separator itself. Does nothing
     * if both sides have fewer vertices than a tile.
     *
     * @param begin the index at which the separator begins in {@link #found}
     * @param end the index at which the separator ends
     */
    private void split(Part whole, int begin, int end) {
        int size = whole.end - whole.begin;
        int after = size - end;
        if (Math.max(begin, after) < tile) {
            return;
        }
        boolean inOrder = after < tile || begin >= tile && begin % tile <= after % tile;
        int first = inOrder ? begin : after;
        int rest = first % tile;
        // the separator, including the vertices next to it that are moved into it
        int from = inOrder ? begin - rest : begin;
        int to = inOrder ? end : end + rest;
        parts += 2;
        int middle = whole.begin + first - rest;
        int last = whole.end - (to - from);
        int[] places = {whole.begin, middle, last};
        for (int at = 0; at < size; at++) {
            int v = found[at];
            int place = at >= from && at < to ? 2 : at < from == inOrder ? 0 : 1;
            part[v] = place == 2 ? NONE : parts - 1 + place;
            order[places[place]++] = v;
        }
        waiting.push(new Part(whole.begin, middle));
        waiting.push(new Part(middle, last));
    }
}
