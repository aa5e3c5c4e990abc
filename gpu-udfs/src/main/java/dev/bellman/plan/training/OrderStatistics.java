package dev.bellman.plan.training;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;

/**
 * Finds the numbers at given places in the sorted order of all numbers, without sorting them: eight passes over the
 * numbers determine the eight bytes of each result, from the first to the last. Each pass counts the numbers that agree
 * with a result in the bytes known so far, by their next byte.
 */
final class OrderStatistics {
    private static final int BYTES = 8;
    private static final int VALUES_OF_A_BYTE = 256;

    private final Map<Long, Double> found = new HashMap<>();

    private OrderStatistics() {}

    /** @param places 0-based places in the sorted order, each less than the number of values */
    static OrderStatistics of(JavaRDD<double[]> sequences, long... places) {
        long[] keys = new long[places.length];
        // the places among the numbers that begin with the same bytes
        long[] rest = places.clone();
        for (int pass = BYTES - 1; pass >= 0; pass--) {
            long[] prefixes = Arrays.stream(keys).sorted().distinct().toArray();
            long[][] counts = counts(sequences, prefixes, pass * Byte.SIZE);
            for (int i = 0; i < places.length; i++) {
                long[] row = counts[Arrays.binarySearch(prefixes, keys[i])];
                int next = 0;
                while (rest[i] >= row[next]) {
                    rest[i] -= row[next++];
                }
                keys[i] = keys[i] << Byte.SIZE | next;
            }
        }
        OrderStatistics statistics = new OrderStatistics();
        for (int i = 0; i < places.length; i++) {
            statistics.found.put(places[i], number(keys[i]));
        }
        return statistics;
    }

    double at(long place) {
        return found.get(place);
    }

    /** Counts numbers by prefix and by the byte after it. */
    private static long[][] counts(JavaRDD<double[]> sequences, long[] prefixes, int shift) {
        return sequences.aggregate(
                new long[prefixes.length][VALUES_OF_A_BYTE],
                (counts, values) -> {
                    for (double value : values) {
                        long key = key(value) >>> shift;
                        int at = Arrays.binarySearch(prefixes, key >>> Byte.SIZE);
                        if (at >= 0) {
                            counts[at][(int) (key & VALUES_OF_A_BYTE - 1)]++;
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

    /** Returns bits that have the order of the numbers if compared as unsigned numbers. */
    private static long key(double value) {
        // turns -0.0 into 0.0
        long bits = Double.doubleToRawLongBits(value + 0.0);
        return bits < 0 ? ~bits : bits | Long.MIN_VALUE;
    }

    private static double number(long key) {
        return Double.longBitsToDouble(key < 0 ? key & Long.MAX_VALUE : ~key);
    }
}
