package dev.bellman.chain.matrix;

import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;

/**
 * Generates lists of numbers that are hard to handle. They have few or many ties, or are sorted or in a sawtooth
 * pattern. Some costs are near the limit of 32-bit integers, of the integers that a double represents exactly, or of
 * 64-bit integers. Some rows contain values that must be rejected.
 */
final class ChainInstances {
    private ChainInstances() {}

    /** Draws {@code (dims)}, or the weights of a polygon. */
    static InternalRow chain(SplittableRandom random, int size) {
        int count = random.nextInt(100) == 0 ? random.nextInt(3) : 2 + Values.size(random, Math.max(0, size - 2));
        long[] dims =
                switch (random.nextInt(10)) {
                    case 0 -> nearLimit(random, count, 31);
                    case 1 -> nearLimit(random, count, 53);
                    case 2 -> nearLimit(random, count, 63);
                    default ->
                        Values.longs(random, count, 1, Values.oneOf(random, 1L, 2L, 7L, 30L, 1_000L, 1_000L, 1_000L));
                };
        arrange(random, dims);
        if (count > 0 && random.nextInt(150) == 0) {
            dims[random.nextInt(count)] = Values.oneOf(random, 0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32);
        }
        return Values.row(Values.sometimesNull(random, Values.array(dims), DataTypes.LongType));
    }

    /** Draws numbers for which the sum of about {@code count} products of three of them is about {@code 2^bits}. */
    private static long[] nearLimit(SplittableRandom random, int count, int bits) {
        double most = StrictMath.cbrt(StrictMath.pow(2, bits) / (count + 1)) * (0.5 + 1.5 * random.nextDouble());
        return Values.longs(random, count, Math.max(1, (long) (most * random.nextDouble())), Math.max(1, (long) most));
    }

    private static void arrange(SplittableRandom random, long... dims) {
        switch (random.nextInt(8)) {
            case 0 -> Arrays.sort(dims);
            case 1 -> {
                Arrays.sort(dims);
                reverse(dims, 0, dims.length);
            }
            case 2 -> {
                // descending to the middle and then ascending, or the reverse
                Arrays.sort(dims);
                reverse(dims, 0, dims.length / 2);
                if (random.nextBoolean() && dims.length > 1) {
                    long[] halves = dims.clone();
                    int middle = dims.length / 2;
                    System.arraycopy(halves, middle, dims, 0, dims.length - middle);
                    System.arraycopy(halves, 0, dims, dims.length - middle, middle);
                }
            }
            case 3 -> {
                // a sawtooth pattern: small numbers at every other position
                for (int i = 1; i < dims.length; i += 2) {
                    dims[i] = Math.max(1, dims[i] >> 6);
                }
            }
            default -> {}
        }
    }

    private static void reverse(long[] values, int from, int to) {
        for (int i = from, j = to - 1; i < j; i++, j--) {
            long value = values[i];
            values[i] = values[j];
            values[j] = value;
        }
    }
}
