package dev.bellman.plan.nearest;

import java.io.Serializable;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The smallest distances in each group, among the rows that a task has seen. Once a group has as many distances as
 * there are nearest rows, a row whose distance exceeds all of them cannot be among the nearest, regardless of later
 * rows.
 *
 * <p>A group that has not occurred for a long time may be forgotten; more rows of the group are then kept than
 * necessary.
 */
final class LeastDistances implements Serializable {
    private static final long serialVersionUID = 1L;

    /**
     * The maximum total number of distances in all groups. A group itself counts as {@value #NUMBERS_OF_A_GROUP}
     * distances.
     */
    private static final int MAX_NUMBERS = 1 << 20;

    private static final int NUMBERS_OF_A_GROUP = 16;

    private final int count;
    /** The distances of each group; the most recently used group is last. */
    private transient Map<UnsafeRow, PriorityQueue<Double>> groups;

    private transient UnsafeRow group;
    /** The distances of {@link #group}, largest first. */
    private transient PriorityQueue<Double> distances;

    /** @param count the number of nearest rows per group; rows that tie with the last of them are kept as well */
    LeastDistances(int count) {
        this.count = count;
    }

    int count() {
        return count;
    }

    /** Selects a group; the row that identifies it may be reused afterwards. */
    void turnTo(UnsafeRow next) {
        if (next.equals(group)) {
            return;
        }
        if (groups == null) {
            groups = new LinkedHashMap<>(16, 0.75f, true);
        }
        distances = groups.get(next);
        group = next.copy();
        if (distances == null) {
            distances = new PriorityQueue<>(Comparator.reverseOrder());
            groups.put(group, distances);
            if (groups.size() > Math.max(1, MAX_NUMBERS / (count + NUMBERS_OF_A_GROUP))) {
                groups.remove(groups.keySet().iterator().next());
            }
        }
    }

    /** Returns the largest distance at which a row of the group may be among the nearest. */
    double limit() {
        return distances.size() < count ? Double.POSITIVE_INFINITY : distances.peek();
    }

    /** Whether a row of the group may be among the nearest; the row then counts as seen. */
    boolean add(double distance) {
        if (distances.size() < count) {
            return distances.add(distance);
        }
        if (distance < distances.peek()) {
            distances.poll();
            distances.add(distance);
            return true;
        }
        return distance == distances.peek();
    }
}
