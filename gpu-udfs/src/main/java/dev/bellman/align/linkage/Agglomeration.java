package dev.bellman.align.linkage;

import dev.bellman.columns.Cancellation;
import dev.bellman.columns.TaskMemory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Merges clusters by complete or average linkage. Equal points start as one cluster, because their distance is 0; then
 * the two closest clusters merge repeatedly, as long as the distance between them is at most a limit. Ties: the
 * clusters whose first points come first merge first.
 *
 * <p>The caller adds only pairs of close points, whose distance is at most the limit. Two clusters can merge only if
 * some of their points are close, because neither a mean nor a maximum distance is below the minimum distance. All
 * other pairs of clusters are skipped. A mean also depends on the distances between points that are not close. These
 * distances are computed only if the mean could be within the limit, that is, if the mean is within the limit when each
 * unknown distance is assumed to be limit + 1.
 */
final class Agglomeration {
    /** Computes the distance between two points. */
    @FunctionalInterface
    interface Distances {
        int of(int a, int b);
    }

    private static final long UNKNOWN = -1;

    /** The number of bytes per link, including its entries in two maps and in the queue. */
    private static final int BYTES_OF_A_LINK = 240;

    private static final int LINKS_AT_A_TIME = 1 << 14;

    /** The cost, in steps, of adding a link to two maps and the queue, or of removing a link. */
    private static final int STEPS_OF_A_LINK = 1 << 9;

    /** Summarizes the distances between the points of two clusters. */
    private static final class Link {
        private long close;
        private long sumOfClose;
        private int largestOfClose;
        /** The sum of all distances, computed on demand. */
        private long sum = UNKNOWN;
    }

    /** Two clusters, identified by their first points. Their distance is {@code sum / count}. */
    private record Candidate(int a, int b, long sum, long count, Link link) implements Comparable<Candidate> {
        @Override
        public int compareTo(Candidate other) {
            int order = compareProducts(sum, other.count, other.sum, count);
            if (order == 0) {
                order = Integer.compare(a, other.a);
            }
            return order == 0 ? Integer.compare(b, other.b) : order;
        }
    }

    private final String function;
    private final boolean isAverage;
    private final int max;
    private final Distances distances;

    /** The clusters, indexed by their first points; null at other points. */
    private final List<List<Integer>> clusters = new ArrayList<>();

    private final List<Map<Integer, Link>> links = new ArrayList<>();
    private final PriorityQueue<Candidate> candidates = new PriorityQueue<>();
    private final Cancellation cancellation = new Cancellation();
    private int reckoned;

    /**
     * @param first for each point, the first point that is equal to it; equal points are in one cluster from the start
     * @param max the limit
     * @param distances returns exact distances; called only for average linkage
     */
    Agglomeration(String function, int[] first, boolean isAverage, int max, Distances distances) {
        this.function = function;
        this.isAverage = isAverage;
        this.max = max;
        this.distances = distances;
        for (int i = 0; i < first.length; i++) {
            boolean isFirst = first[i] == i;
            clusters.add(isFirst ? new ArrayList<>(List.of(i)) : null);
            links.add(isFirst ? new HashMap<>() : null);
            if (!isFirst) {
                clusters.get(first[i]).add(i);
            }
        }
    }

    /** Compares {@code a * b} with {@code c * d}; no factor may be negative. */
    static int compareProducts(long a, long b, long c, long d) {
        int high = Long.compare(Math.multiplyHigh(a, b), Math.multiplyHigh(c, d));
        return high == 0 ? Long.compareUnsigned(a * b, c * d) : high;
    }

    /** Adds all pairs between two groups of equal points, each of which is given by its first point. */
    void add(int a, int b, int distance) {
        Link link = new Link();
        link.close = (long) clusters.get(a).size() * clusters.get(b).size();
        link.sumOfClose = distance * link.close;
        link.largestOfClose = distance;
        link.sum = link.sumOfClose;
        put(a, b, link, clusters.get(a).size());
    }

    /** Merges clusters until no two can merge. Returns, for each point, the first point of its cluster. */
    int[] merged() {
        while (!candidates.isEmpty()) {
            cancellation.count(STEPS_OF_A_LINK);
            Candidate closest = candidates.poll();
            // a candidate is outdated if one of its clusters has changed: their link has then been replaced or removed
            if (clusters.get(closest.a) != null && links.get(closest.a).get(closest.b) == closest.link) {
                merge(closest.a, closest.b);
            }
        }
        int[] first = new int[clusters.size()];
        for (int i = 0; i < first.length; i++) {
            if (clusters.get(i) != null) {
                for (int point : clusters.get(i)) {
                    first[point] = i;
                }
            }
        }
        return first;
    }

    /** Merges cluster {@code b} into cluster {@code a}, whose first point comes first. */
    private void merge(int a, int b) {
        Map<Integer, Link> ofA = links.get(a);
        Map<Integer, Link> ofB = links.get(b);
        ofA.remove(b);
        ofB.remove(a);
        links.set(a, new HashMap<>());
        links.set(b, null);
        Map<Integer, Link> others = new HashMap<>(ofA);
        ofB.forEach(others::putIfAbsent);
        List<Integer> points = clusters.get(a);
        List<Integer> morePoints = clusters.get(b);
        clusters.set(b, null);
        for (int other : others.keySet()) {
            cancellation.count(STEPS_OF_A_LINK);
            links.get(other).remove(a);
            links.get(other).remove(b);
            Link joined = joined(ofA.get(other), points, ofB.get(other), morePoints, clusters.get(other));
            if (joined != null) {
                put(a, other, joined, points.size() + morePoints.size());
            }
        }
        points.addAll(morePoints);
    }

    /** Returns the link between a third cluster and the union of two clusters; null if the link can never matter. */
    private Link joined(Link one, List<Integer> points, Link other, List<Integer> morePoints, List<Integer> ofThird) {
        Link joined = new Link();
        for (Link link : new Link[] {one, other}) {
            if (link != null) {
                joined.close += link.close;
                joined.sumOfClose += link.sumOfClose;
                joined.largestOfClose = Math.max(joined.largestOfClose, link.largestOfClose);
            }
        }
        long count = (long) (points.size() + morePoints.size()) * ofThird.size();
        if (!isAverage) {
            return joined.close == count ? joined : null;
        }
        if (joined.sumOfClose + (count - joined.close) * (max + 1L) <= max * count) {
            joined.sum = sum(one, points, ofThird) + sum(other, morePoints, ofThird);
        }
        return joined;
    }

    private long sum(Link link, List<Integer> points, List<Integer> others) {
        if (link != null && link.sum != UNKNOWN) {
            return link.sum;
        }
        long sum = 0;
        for (int a : points) {
            for (int b : others) {
                sum += distances.of(a, b);
            }
        }
        return sum;
    }

    /** @param sizeOfA the size of cluster {@code a}, including the points that a merge is about to add */
    private void put(int a, int b, Link link, int sizeOfA) {
        cancellation.count(STEPS_OF_A_LINK);
        links.get(a).put(b, link);
        links.get(b).put(a, link);
        long count = isAverage ? (long) sizeOfA * clusters.get(b).size() : 1;
        long sum = isAverage ? link.sum : link.largestOfClose;
        if (sum != UNKNOWN && sum <= max * count) {
            candidates.add(new Candidate(Math.min(a, b), Math.max(a, b), sum, count, link));
            takeMemory();
        }
    }

    /** Reserves memory for the queue, which also contains outdated links of changed clusters. */
    private void takeMemory() {
        if (candidates.size() > reckoned) {
            TaskMemory.take(
                    function,
                    (long) BYTES_OF_A_LINK * LINKS_AT_A_TIME,
                    "",
                    () -> "a list of more than %,d pairs of close strings".formatted(reckoned));
            reckoned += LINKS_AT_A_TIME;
        }
    }
}
