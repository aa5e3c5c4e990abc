package dev.bellman.knapsack;

import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;

/**
 * Generates items that tie, whose values are exactly or nearly their weights, whose weights are multiples of a unit, or
 * whose weights or values are 0. Some rows have only a few items, with weights of all magnitudes and values close to
 * the limit of 64 bits. Capacities range from 0 to more than the total weight. Some rows contain values that must be
 * rejected.
 */
final class KnapsackInstances {
    private static final int REJECTED = 300;

    /** The maximum number of items with arbitrary weights, which limits the number of possible solutions. */
    private static final int MAX_HEAVY = 10;

    /** The maximum requested size at which an instance may instead have a few heavy items. */
    private static final int MAX_SIZE_OF_HEAVY = 64;

    private static final int MAX_OPTIONS = 5;
    private static final int MAX_COUNT = 9;
    private static final int MAX_RARER = 1 << 20;

    private KnapsackInstances() {}

    static InternalRow items(SplittableRandom random, int size) {
        Draw draw = new Draw(random, size);
        long[] weights = draw.weights(draw.count);
        long[] values = draw.values(weights);
        return Values.row(array(random, weights), array(random, values), draw.capacity(weights));
    }

    static InternalRow weights(SplittableRandom random, int size) {
        Draw draw = new Draw(random, size);
        long[] weights = draw.weights(draw.count);
        return Values.row(array(random, weights), draw.capacity(weights));
    }

    static InternalRow counts(SplittableRandom random, int size) {
        Draw draw = new Draw(random, Math.max(1, size / 2));
        long[] weights = draw.weights(draw.count);
        long[] values = draw.values(weights);
        long[] counts = Values.longs(random, weights.length, 0, random.nextInt(MAX_COUNT));
        for (int i = 0; i < counts.length; i++) {
            if (weights[i] == 0 && random.nextInt(8) == 0) {
                counts[i] = random.nextLong(1L << random.nextInt(1, 63));
            }
        }
        return Values.row(array(random, weights), array(random, values), array(random, counts), draw.capacity(weights));
    }

    static InternalRow classes(SplittableRandom random, int size) {
        Draw draw = new Draw(random, Math.max(1, size / 2));
        Object[] weights = new Object[draw.count];
        Object[] values = new Object[draw.count];
        long[] lightest = new long[draw.count];
        long[] others = new long[draw.count];
        int rarer = rarer(size);
        for (int k = 0; k < weights.length; k++) {
            long[] ofClass = draw.weights(random.nextInt(REJECTED * rarer) == 0 ? 0 : 1 + random.nextInt(MAX_OPTIONS));
            lightest[k] = Arrays.stream(ofClass).min().orElse(0);
            others[k] = Arrays.stream(ofClass).max().orElse(0) - lightest[k];
            values[k] = array(random, rarer, draw.values(ofClass));
            weights[k] = array(random, rarer, ofClass);
        }
        Long capacity = draw.capacity(others);
        if (capacity != null && capacity >= 0 && capacity < Long.MAX_VALUE && random.nextInt(20) > 0) {
            capacity += Arrays.stream(lightest).sum();
        }
        return Values.row(
                Values.sometimesNull(random, Values.arrayOf(weights)),
                Values.sometimesNull(random, Values.arrayOf(values)),
                capacity);
    }

    static InternalRow realItems(SplittableRandom random, int size) {
        return withRealValues(random, items(random, size));
    }

    static InternalRow realCounts(SplittableRandom random, int size) {
        return withRealValues(random, counts(random, size));
    }

    private static InternalRow withRealValues(SplittableRandom random, InternalRow row) {
        if (!row.isNullAt(1)) {
            row.update(1, real(random, 1, unit(random), row.getArray(1)));
        }
        return row;
    }

    static InternalRow realClasses(SplittableRandom random, int size) {
        InternalRow row = classes(random, size);
        if (!row.isNullAt(1)) {
            ArrayData values = row.getArray(1);
            Object[] classes = new Object[values.numElements()];
            double unit = unit(random);
            Arrays.setAll(
                    classes, k -> values.isNullAt(k) ? null : real(random, rarer(size), unit, values.getArray(k)));
            row.update(1, Values.arrayOf(classes));
        }
        return row;
    }

    private static int rarer(int size) {
        return (int) Math.min(MAX_RARER, 20L * size);
    }

    private static double unit(SplittableRandom random) {
        return Values.oneOf(random, 1.0, 0.1, random.nextDouble());
    }

    /**
     * Multiplies numbers by a unit; with most units, sums are rounded. Occasionally inserts a number that must be
     * rejected.
     */
    private static ArrayData real(SplittableRandom random, int rarer, double unit, ArrayData values) {
        double[] reals = new double[values.numElements()];
        Arrays.setAll(reals, i -> values.isNullAt(i) ? 0 : unit * values.getLong(i));
        if (reals.length > 0 && random.nextInt(REJECTED * rarer) == 0) {
            reals[random.nextInt(reals.length)] = Values.oneOf(random, Double.NaN, 2e100, Double.POSITIVE_INFINITY);
        }
        ArrayData drawn = Values.array(reals);
        for (int i = 0; i < reals.length; i++) {
            if (values.isNullAt(i)) {
                drawn.setNullAt(i);
            }
        }
        return drawn;
    }

    private static ArrayData array(SplittableRandom random, long... numbers) {
        return array(random, 1, numbers);
    }

    /** Returns an array. Occasionally adds or removes an entry, or makes an entry negative or NULL. */
    private static ArrayData array(SplittableRandom random, int rarer, long... numbers) {
        int draw = random.nextInt(REJECTED * rarer);
        long[] drawn = draw == 0 ? Arrays.copyOf(numbers, Math.abs(numbers.length - 1)) : numbers;
        if (draw == 1 && drawn.length > 0) {
            drawn[random.nextInt(drawn.length)] = Values.oneOf(random, -1L, Long.MIN_VALUE);
        }
        return rarer == 1 || draw == 2
                ? Values.sometimesNull(random, Values.array(drawn), DataTypes.LongType)
                : Values.array(drawn);
    }

    /** Draws the numbers of an instance, whose kind is random. */
    private static final class Draw {
        private final SplittableRandom random;
        private final int kind;
        private final int count;
        private final long mostWeight;
        private final long unit;

        Draw(SplittableRandom random, int size) {
            this.random = random;
            kind = random.nextInt(size > MAX_SIZE_OF_HEAVY ? 5 : 6);
            boolean heavy = kind == 5;
            count = Values.size(random, heavy ? Math.min(size, MAX_HEAVY) : size);
            mostWeight = heavy ? 1L << random.nextInt(1, 59) : Values.oneOf(random, 1L, 3L, 10L, 40L);
            unit = heavy ? 1 : Values.oneOf(random, 1L, 1L, 7L);
        }

        long[] weights(int number) {
            long[] weights = Values.longs(random, number, random.nextInt(3) == 0 ? 0 : 1, mostWeight);
            Arrays.setAll(weights, i -> weights[i] * unit);
            return weights;
        }

        long[] values(long... weights) {
            long most = kind == 5 && random.nextInt(4) == 0 ? Long.MAX_VALUE : 1L << random.nextInt(1, 40);
            return switch (kind) {
                case 0 -> weights.clone();
                case 1 -> Arrays.stream(weights).map(weight -> weight + 3).toArray();
                case 2 -> Values.longs(random, weights.length, 0, 2);
                default -> Values.longs(random, weights.length, 0, most);
            };
        }

        Long capacity(long... weights) {
            if (random.nextInt(REJECTED) == 0) {
                return Values.oneOf(random, null, -1L, Long.MIN_VALUE);
            }
            double sum = Arrays.stream(weights).asDoubleStream().sum();
            return switch (random.nextInt(8)) {
                case 0 -> 0L;
                case 1 -> Long.MAX_VALUE;
                case 2 -> (long) sum;
                default -> (long) (sum * random.nextDouble());
            };
        }
    }
}
