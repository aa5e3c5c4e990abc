package dev.bellman.recurrence;

import dev.bellman.proof.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Generates recurrences over one, a few or thousands of offsets, which are consecutive, dense or sparse. All operators
 * occur, some sums barely fit, and some recurrences have weights. Some rows contain values that must be rejected.
 */
final class RecurrenceInstances {
    private static final String[] OF_LONGS = {
        "min",
        "max",
        "sum",
        "sum mod 1",
        "sum mod 2",
        "sum mod 1000000007",
        "sum mod 4611686018427387904",
        "bit_and",
        "bit_or",
        "bit_xor",
        "bool_and",
        "bool_or",
        "first",
        "last"
    };
    private static final String[] OF_DOUBLES = {"min", "max", "sum", "first", "last"};
    private static final String[] OF_WEIGHTED = {"min", "max"};
    private static final String[] UNKNOWN = {
        "", "avg", "SUM", "sum mod 0", "sum mod 4611686018427387905", "sum mod -7", "sum mod"
    };
    private static final double[] SPECIAL = {
        0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, -1.5, 1e300, -1e300
    };

    private static final int REJECTED = 400;

    private RecurrenceInstances() {}

    /** Draws {@code (initial, offsets, length, operator)} of BIGINT. */
    static InternalRow longs(SplittableRandom random, int size) {
        int[] offsets = offsets(random, size);
        int initial = initial(random, offsets, size);
        String op = operator(random, OF_LONGS);
        ArrayData values = Values.array(longValues(random, initial, op, offsets.length));
        return row(random, size, offsets, op, nullable(random, values, false));
    }

    /** Draws {@code (initial, offsets, length, operator)} of DOUBLE. */
    static InternalRow doubles(SplittableRandom random, int size) {
        int[] offsets = offsets(random, size);
        ArrayData values = Values.array(doubleValues(random, initial(random, offsets, size)));
        return row(random, size, offsets, operator(random, OF_DOUBLES), nullable(random, values, true));
    }

    /** Draws {@code (initial, offsets, weights, length, operator)} of BIGINT. */
    static InternalRow weightedLongs(SplittableRandom random, int size) {
        int[] offsets = offsets(random, size);
        long most = Values.oneOf(
                random, 3L, 1_000L, Long.MAX_VALUE / Math.max(1, size), Long.MAX_VALUE >> random.nextInt(8));
        ArrayData values = Values.array(Values.longs(random, initial(random, offsets, size), -most, most));
        ArrayData weights = Values.array(Values.longs(random, weights(random, offsets), -most, most));
        return row(
                random,
                size,
                offsets,
                operator(random, OF_WEIGHTED),
                nullable(random, values, false),
                nullable(random, weights, false));
    }

    /** Draws {@code (initial, offsets, weights, length, operator)} of DOUBLE. */
    static InternalRow weightedDoubles(SplittableRandom random, int size) {
        int[] offsets = offsets(random, size);
        ArrayData values = Values.array(doubleValues(random, initial(random, offsets, size)));
        ArrayData weights = Values.array(doubleValues(random, weights(random, offsets)));
        return row(
                random,
                size,
                offsets,
                operator(random, OF_WEIGHTED),
                nullable(random, values, true),
                nullable(random, weights, true));
    }

    private static ArrayData nullable(SplittableRandom random, ArrayData values, boolean doubles) {
        return Values.sometimesNull(random, values, doubles ? DataTypes.DoubleType : DataTypes.LongType);
    }

    /** @param lists initial values, and weights if there are any */
    private static InternalRow row(SplittableRandom random, int size, int[] offsets, String op, ArrayData... lists) {
        int n = random.nextInt(REJECTED) == 0 ? -1 : Values.size(random, size);
        List<Object> arguments = new ArrayList<>(Arrays.asList(lists));
        arguments.add(1, Values.sometimesNull(random, Values.array(offsets), DataTypes.IntegerType));
        arguments.add(Values.sometimesNull(random, n));
        arguments.add(Values.sometimesNull(random, UTF8String.fromString(op)));
        return Values.row(arguments.toArray());
    }

    private static String operator(SplittableRandom random, String... operators) {
        return random.nextInt(REJECTED) == 0 ? Values.oneOf(random, UNKNOWN) : Values.oneOf(random, operators);
    }

    /** Draws the number of initial values: as many as the first offset needs, more or, occasionally, one fewer. */
    private static int initial(SplittableRandom random, int[] offsets, int size) {
        int needed = offsets.length == 0 ? 1 : Math.max(1, offsets[0]);
        if (random.nextInt(REJECTED) == 0) {
            return needed - 1;
        }
        return random.nextInt(3) == 0 ? needed + Values.size(random, size / 4) : needed;
    }

    private static int weights(SplittableRandom random, int[] offsets) {
        return random.nextInt(REJECTED) == 0 ? offsets.length + 1 : offsets.length;
    }

    /**
     * Draws decreasing distances, the largest of which is 1 or at most half of the size. Occasionally, one of them is
     * invalid, or there are none.
     */
    private static int[] offsets(SplittableRandom random, int size) {
        int largest = 1 + Values.size(random, Math.max(1, size / Values.oneOf(random, 2, 4, 16)) - 1);
        int kind = random.nextInt(6);
        if (kind == 0) {
            return new int[] {largest};
        }
        if (kind == 1) {
            // uses the largest distance and the distances just below it, or all distances from 1 to the largest
            int count = random.nextBoolean() ? largest : 1 + random.nextInt(largest);
            int[] consecutive = new int[count];
            Arrays.setAll(consecutive, j -> largest - j);
            return consecutive;
        }
        int sparsity = Values.oneOf(random, 2, 3, 10, Math.max(2, largest / 4));
        int[] offsets = new int[largest];
        offsets[0] = largest;
        int count = 1;
        for (int offset = largest - 1; offset >= 1; offset--) {
            if (random.nextInt(sparsity) == 0) {
                offsets[count++] = offset;
            }
        }
        offsets = Arrays.copyOf(offsets, count);
        if (random.nextInt(REJECTED) == 0) {
            int at = random.nextInt(count);
            offsets[at] = Values.oneOf(random, 0, -3, largest, largest + 1);
        }
        return random.nextInt(REJECTED) == 0 ? new int[0] : offsets;
    }

    private static long[] longValues(SplittableRandom random, int count, String op, int offsets) {
        if (op.startsWith("bool")) {
            return Values.longs(random, count, 0, random.nextInt(REJECTED) == 0 ? 2 : 1);
        }
        if (op.equals("sum")) {
            // sums of several elements grow exponentially; with small numbers of both signs, only some of them overflow
            long most = offsets == 1 ? Long.MAX_VALUE : Values.oneOf(random, 1L, 1_000L, 1L << random.nextInt(63));
            long[] values = Values.longs(random, count, -most, most);
            if (random.nextBoolean()) {
                for (int i = 0; i < count; i++) {
                    values[i] = random.nextInt(Math.max(1, count / 2)) == 0 ? values[i] : 0;
                }
            }
            return values;
        }
        int shift = random.nextInt(64);
        return random.longs(count).map(value -> value >> shift).toArray();
    }

    private static double[] doubleValues(SplittableRandom random, int count) {
        boolean special = random.nextInt(3) == 0;
        return random.doubles(count)
                .map(value -> special && random.nextBoolean() ? SPECIAL[random.nextInt(SPECIAL.length)] : value - 0.5)
                .toArray();
    }
}
