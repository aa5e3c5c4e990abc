package dev.bellman.plan.training;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.apache.spark.api.java.JavaRDD;

/**
 * Finds the points that are at given places if all points are sorted, but does not sort them. Points are compared by
 * their first coordinates; if these are equal, by the second ones, and so on. For each coordinate, eight passes over
 * the points determine the eight bytes of the coordinate in each result, from the first to the last. Each pass counts
 * the points that agree with a result in the bytes known so far, by their next byte. Once each result is the only point
 * with its known coordinates, a last pass reads the other coordinates of all results.
 */
final class OrderStatistics {
    private static final int BYTES = 8;
    private static final int VALUES_OF_A_BYTE = 256;

    private final JavaRDD<double[]> sequences;
    private final int dimensions;
    /** For each result, the known bytes of its coordinates. */
    private final long[][] keys;
    /** For each result, its place among the points that begin with the same bytes. */
    private final long[] rest;

    private final Map<Long, double[]> found = new HashMap<>();

    private OrderStatistics(JavaRDD<double[]> sequences, int dimensions, long... places) {
        this.sequences = sequences;
        this.dimensions = dimensions;
        keys = new long[places.length][dimensions];
        rest = places.clone();
    }

    /**
     * Finds the points.
     *
     * @param sequences the coordinates of the points, point after point
     * @param places 0-based places, each less than the number of points
     */
    static OrderStatistics of(JavaRDD<double[]> sequences, int dimensions, long... places) {
        OrderStatistics statistics = new OrderStatistics(sequences, dimensions, places);
        int known = 0;
        boolean isUnique = false;
        while (known < dimensions && !isUnique) {
            isUnique = statistics.addCoordinate(known++);
        }
        if (known < dimensions) {
            statistics.readPoints(known);
        }
        for (int i = 0; i < places.length; i++) {
            double[] point = Arrays.stream(statistics.keys[i])
                    .mapToDouble(OrderStatistics::number)
                    .toArray();
            statistics.found.put(places[i], point);
        }
        return statistics;
    }

    double[] at(long place) {
        return found.get(place);
    }

    /**
     * Determines a coordinate of all results. Returns whether each result is the only point with its known coordinates.
     */
    private boolean addCoordinate(int coordinate) {
        boolean isUnique = true;
        for (int pass = BYTES - 1; pass >= 0; pass--) {
            long[][] prefixes = prefixes(coordinate + 1);
            long[][] counts = counts(sequences, dimensions, prefixes, pass * Byte.SIZE);
            for (int i = 0; i < keys.length; i++) {
                long[] row =
                        counts[Arrays.binarySearch(prefixes, Arrays.copyOf(keys[i], coordinate + 1), Arrays::compare)];
                int next = 0;
                while (rest[i] >= row[next]) {
                    rest[i] -= row[next++];
                }
                keys[i][coordinate] = keys[i][coordinate] << Byte.SIZE | next;
                isUnique &= pass > 0 || row[next] == 1;
            }
        }
        return isUnique;
    }

    /** Returns the first keys of the results, without duplicates and in the order of {@link Arrays#compare}. */
    private long[][] prefixes(int count) {
        TreeSet<long[]> prefixes = new TreeSet<>(Arrays::compare);
        for (long[] key : keys) {
            prefixes.add(Arrays.copyOf(key, count));
        }
        return prefixes.toArray(long[][]::new);
    }

    /** Counts points by the coordinates known so far, and by the next byte of the last of them. */
    private static long[][] counts(JavaRDD<double[]> sequences, int dimensions, long[][] prefixes, int shift) {
        return sequences.aggregate(
                new long[prefixes.length][VALUES_OF_A_BYTE],
                (counts, values) -> {
                    long[] keys = new long[prefixes[0].length];
                    int last = keys.length - 1;
                    for (int from = 0; from < values.length; from += dimensions) {
                        read(values, from, keys);
                        long next = keys[last] >>> shift;
                        // the counted byte is not part of the prefix
                        keys[last] = next >>> Byte.SIZE;
                        int at = Arrays.binarySearch(prefixes, keys, Arrays::compare);
                        if (at >= 0) {
                            counts[at][(int) (next & VALUES_OF_A_BYTE - 1)]++;
                        }
                    }
                    return counts;
                },
                (counts, others) -> {
                    for (int i = 0; i < counts.length; i++) {
                        for (int j = 0; j < VALUES_OF_A_BYTE; j++) {
                            counts[i][j] += others[i][j];
                        }
                    }
                    return counts;
                });
    }

    /** Reads the results, each of which is the only point with its first {@code known} coordinates. */
    private void readPoints(int known) {
        long[][] prefixes = prefixes(known);
        int count = dimensions;
        long[][] points = sequences.aggregate(
                new long[prefixes.length][],
                (all, values) -> {
                    long[] keys = new long[known];
                    for (int from = 0; from < values.length; from += count) {
                        read(values, from, keys);
                        int at = Arrays.binarySearch(prefixes, keys, Arrays::compare);
                        if (at >= 0) {
                            all[at] = new long[count];
                            read(values, from, all[at]);
                        }
                    }
                    return all;
                },
                (all, others) -> {
                    for (int i = 0; i < all.length; i++) {
                        all[i] = all[i] == null ? others[i] : all[i];
                    }
                    return all;
                });
        for (int i = 0; i < keys.length; i++) {
            keys[i] = points[Arrays.binarySearch(prefixes, Arrays.copyOf(keys[i], known), Arrays::compare)];
        }
    }

    /** Reads the keys of the first coordinates of a point. */
    private static void read(double[] values, int from, long... keys) {
        for (int d = 0; d < keys.length; d++) {
            keys[d] = key(values[from + d]);
        }
    }

    /** Returns bits that, compared as unsigned numbers, have the same order as the values. */
    private static long key(double value) {
        // turns -0.0 into 0.0
        long bits = Double.doubleToRawLongBits(value + 0.0);
        return bits < 0 ? ~bits : bits | Long.MIN_VALUE;
    }

    private static double number(long key) {
        return Double.longBitsToDouble(key < 0 ? key & Long.MAX_VALUE : ~key);
    }
}
