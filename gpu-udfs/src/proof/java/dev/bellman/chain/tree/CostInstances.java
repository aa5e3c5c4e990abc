package dev.bellman.chain.tree;

import dev.bellman.proof.Values;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;

/**
 * Generates pairs of cost lists that have few or many ties, zeros, sums near a type's limit, or doubles of all
 * magnitudes. Some rows are rejected because of an entry or because the lengths of the lists do not match.
 */
final class CostInstances {
    private CostInstances() {}

    /** Draws BIGINT frequencies for n keys and for the n + 1 gaps around them. */
    static InternalRow longTree(SplittableRandom random, int size) {
        int keys = Values.size(random, size);
        return longs(random, keys, length(random, keys + 1), 2L * keys + 1);
    }

    /** Draws DOUBLE frequencies for keys and gaps. */
    static InternalRow doubleTree(SplittableRandom random, int size) {
        int keys = Values.size(random, size);
        return doubles(random, keys, length(random, keys + 1), false);
    }

    /** Draws BIGINT costs for n leaves and for the n (n - 1) / 2 ranges with two or more leaves. */
    static InternalRow longRanges(SplittableRandom random, int size) {
        int leaves = Values.size(random, size);
        return longs(random, leaves, length(random, leaves * (leaves - 1) / 2), 2L * leaves);
    }

    /** Draws DOUBLE costs for leaves and ranges. */
    static InternalRow doubleRanges(SplittableRandom random, int size) {
        int leaves = Values.size(random, size);
        return doubles(random, leaves, length(random, leaves * (leaves - 1) / 2), true);
    }

    private static int length(SplittableRandom random, int length) {
        return random.nextInt(200) == 0 ? Math.max(0, length + Values.oneOf(random, -1, 1)) : length;
    }

    private static InternalRow longs(SplittableRandom random, int first, int second, long terms) {
        // brings sums near a type's limit
        int bits = Values.oneOf(random, 31, 53, 63);
        long limit = (long) (StrictMath.pow(2, bits) / (terms + 1) * (0.1 + random.nextDouble()));
        long most = Values.oneOf(random, 0L, 1L, 3L, 100L, 1_000_000L, limit);
        return Values.row(
                list(random, longValues(random, first, most)), list(random, longValues(random, second, most)));
    }

    private static ArrayData list(SplittableRandom random, long... values) {
        return Values.sometimesNull(random, Values.array(values), DataTypes.LongType);
    }

    private static ArrayData list(SplittableRandom random, double... values) {
        return Values.sometimesNull(random, Values.array(values), DataTypes.DoubleType);
    }

    private static long[] longValues(SplittableRandom random, int count, long most) {
        long[] values = Values.longs(random, count, 0, most);
        if (count > 0 && random.nextInt(200) == 0) {
            values[random.nextInt(count)] = Values.oneOf(random, -1L, Long.MIN_VALUE, Long.MAX_VALUE);
        }
        return values;
    }

    private static InternalRow doubles(SplittableRandom random, int first, int second, boolean infinities) {
        int kind = random.nextInt(5);
        double[] all =
                switch (kind) {
                    // many ties in exact arithmetic, but not in doubles
                    case 0 ->
                        random.ints(first + second, 0, 100)
                                .mapToDouble(value -> value / 100.0)
                                .toArray();
                    case 1 -> random.ints(first + second, 0, 3).asDoubleStream().toArray();
                    case 2 -> random.doubles(first + second).toArray();
                    // all magnitudes, including subnormal numbers
                    case 3 ->
                        random.doubles(first + second)
                                .map(value -> StrictMath.scalb(value, -random.nextInt(1_100)))
                                .toArray();
                    default ->
                        random.doubles(first + second)
                                .map(value -> StrictMath.scalb(value, 1_000 + random.nextInt(25)))
                                .toArray();
                };
        if (all.length > 0 && random.nextInt(40) == 0) {
            double special = Values.oneOf(
                    random, -0.0, -0.0, Double.MIN_VALUE, Double.MAX_VALUE, Double.NaN, -1.0, Double.POSITIVE_INFINITY);
            all[random.nextInt(all.length)] = special;
        }
        if (infinities && random.nextInt(4) == 0) {
            // forbid some ranges
            for (int i = first; i < all.length; i++) {
                all[i] = random.nextInt(3) == 0 ? Double.POSITIVE_INFINITY : all[i];
            }
        }
        return Values.row(
                list(random, DoubleStream.of(all).limit(first).toArray()),
                list(random, DoubleStream.of(all).skip(first).toArray()));
    }
}
