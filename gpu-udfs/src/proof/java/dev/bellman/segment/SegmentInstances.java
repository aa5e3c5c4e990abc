package dev.bellman.segment;

import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Generates series with levels, slopes, changing variance, counts, outliers or many ties, and series whose costs are 0
 * except for rounding errors. Some rows contain values that must be rejected.
 */
final class SegmentInstances {
    private static final int REJECTED = 300;

    private SegmentInstances() {}

    /** @param far the offset of some series; the larger offsets, 1e15 and 1e17, remove most of the noise */
    private static double[] values(SplittableRandom random, int count, boolean negative, double far) {
        double[] values = new double[count];
        int kind = random.nextInt(8);
        double level = 5;
        double slope = 0;
        double noise = 1;
        for (int i = 0; i < count; i++) {
            if (random.nextInt(8) == 0) {
                level = random.nextInt(20);
                slope = random.nextInt(5) - 2;
                noise = random.nextInt(4);
            }
            level += kind == 5 || kind == 7 ? slope : 0;
            values[i] = switch (kind) {
                case 0 -> random.nextInt(3);
                case 1 -> random.nextInt(100) / 10.0;
                case 2, 5 -> level + random.nextInt(2);
                case 3 -> level + noise * random.nextDouble();
                case 4 -> level;
                case 7 -> nearly(random, level * 0.7);
                default -> random.nextInt(20) == 0 ? 1e6 * random.nextDouble() : random.nextDouble() * 4;
            };
            values[i] = negative ? values[i] - (kind == 1 ? 0 : 2) : Math.abs(values[i]);
        }
        if (random.nextInt(8) == 0) {
            double offset = Values.oneOf(random, 3.0, far, 1e15, 1e17) * (negative && random.nextBoolean() ? -1 : 1);
            return Arrays.stream(values).map(value -> value + offset).toArray();
        }
        return values;
    }

    /** Rounds a value to a tenth. Sometimes returns the next larger double instead, unless the rounded value is 0. */
    private static double nearly(SplittableRandom random, double value) {
        double tenth = Math.rint(10 * value) / 10;
        return random.nextInt(4) == 0 && tenth != 0 ? Math.nextUp(tenth) : tenth;
    }

    private static ArrayData array(SplittableRandom random, double... values) {
        if (values.length > 0 && random.nextInt(REJECTED) == 0) {
            values[random.nextInt(values.length)] =
                    Values.oneOf(random, Double.NaN, Double.NEGATIVE_INFINITY, 2e100, -0.0, -1.0);
        }
        return Values.sometimesNull(random, Values.array(values), DataTypes.DoubleType);
    }

    private static ArrayData series(SplittableRandom random, int size) {
        return series(random, size, 1e9);
    }

    private static ArrayData series(SplittableRandom random, int size, double far) {
        return array(random, values(random, Values.size(random, size), random.nextBoolean(), far));
    }

    private static Object penalty(SplittableRandom random) {
        return Values.sometimesNull(
                random,
                random.nextInt(REJECTED) == 0
                        ? Values.oneOf(random, -1.0, Double.NaN, Double.POSITIVE_INFINITY)
                        : Values.oneOf(random, 0.0, 1.0, random.nextInt(9) / 2.0, random.nextDouble() * 20, 1e4));
    }

    private static Object number(SplittableRandom random, int value, int rejected) {
        return Values.sometimesNull(random, random.nextInt(REJECTED) == 0 ? rejected : value);
    }

    /** Draws the arguments of {@code change_points}. */
    static InternalRow changes(SplittableRandom random, int size) {
        String cost = random.nextInt(REJECTED) == 0 ? "l3" : Values.oneOf(random, "l2", "normal", "poisson", "l1");
        boolean negative = !cost.equals("poisson") && random.nextBoolean();
        double[] values = values(random, Values.size(random, size), negative, 1e9);
        return Values.row(
                array(random, values),
                penalty(random),
                Values.sometimesNull(random, UTF8String.fromString(cost)),
                number(random, 1 + random.nextInt(4), 0));
    }

    /** Draws the arguments of {@code change_points} with a named penalty. */
    static InternalRow criterion(SplittableRandom random, int size) {
        InternalRow row = changes(random, size);
        String name = random.nextInt(REJECTED) == 0 ? Values.oneOf(random, "aic", "", "4") : "bic";
        row.update(1, Values.sometimesNull(random, UTF8String.fromString(name)));
        return row;
    }

    /** Draws the arguments of {@code change_points_of}. */
    static InternalRow numbers(SplittableRandom random, int size) {
        InternalRow row = changes(random, size);
        int values = row.isNullAt(0) ? 0 : row.getArray(0).numElements();
        int most = row.isNullAt(3) ? 0 : values / Math.max(1, row.getInt(3)) - 1;
        row.update(
                1,
                number(random, most < 1 ? 0 : Math.min(8, random.nextInt(most + 1)), random.nextBoolean() ? -1 : size));
        return row;
    }

    /**
     * Replaces a series of numbers with a series of points: the first number of each point is from the series, and the
     * other numbers are from the reversed series, from the series itself, or constant. Some series are rejected.
     */
    static InternalRow points(SplittableRandom random, InternalRow row) {
        if (row.isNullAt(0)) {
            return row;
        }
        ArrayData values = row.getArray(0);
        int count = values.numElements();
        int[] kinds = random.ints(random.nextInt(3), 0, 3).toArray();
        Object[] points = new Object[count];
        for (int i = 0; i < count; i++) {
            Object[] point = new Object[1 + kinds.length];
            for (int k = 0; k < point.length; k++) {
                int kind = k == 0 ? 1 : kinds[k - 1];
                int place = kind == 0 ? count - 1 - i : kind == 1 ? i : 0;
                point[k] = values.isNullAt(place) ? null : (Object) values.getDouble(place);
            }
            points[i] = Values.arrayOf(point);
        }
        if (count > 0 && random.nextInt(REJECTED) == 0) {
            points[random.nextInt(count)] = Values.oneOf(
                    random, null, Values.array(new double[0]), Values.array(1.0, 2.0, 3.0, 4.0), Values.arrayOf((Object)
                            null));
        }
        row.update(0, Values.arrayOf(points));
        return row;
    }

    /**
     * The offset 1e6 is less than 2^25 times the noise. Up to this ratio, the costs of lines are exact, so equal costs
     * are also equal in the textbook.
     */
    static InternalRow lines(SplittableRandom random, int size) {
        return Values.row(series(random, size, 1e6), penalty(random));
    }

    static InternalRow bins(SplittableRandom random, int size) {
        return Values.row(series(random, size), number(random, 1 + random.nextInt(6), 0));
    }

    static InternalRow isotonic(SplittableRandom random, int size) {
        return Values.row(series(random, size));
    }

    static InternalRow weighted(SplittableRandom random, int size) {
        ArrayData series = series(random, size);
        int count = series == null ? 0 : series.numElements();
        double[] weights = new double[random.nextInt(REJECTED) == 0 ? count + 1 : count];
        int kind = random.nextInt(3);
        for (int i = 0; i < weights.length; i++) {
            weights[i] = kind == 0
                    ? 1 + random.nextInt(3)
                    : kind == 1 ? 0.1 * (1 + random.nextInt(9)) : 1 - random.nextDouble();
        }
        if (weights.length > 0 && random.nextInt(REJECTED) == 0) {
            weights[random.nextInt(weights.length)] = Values.oneOf(random, 0.0, -1.0, Double.NaN, 2e100);
        }
        return Values.row(series, Values.sometimesNull(random, Values.array(weights), DataTypes.DoubleType));
    }
}
