package dev.bellman.series;

import dev.bellman.proof.Values;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;

/**
 * Generates series with tied paths, random walks, decimal fractions and numbers of all magnitudes. The series of a pair
 * are equal, similar, stretched or unrelated, and bands range from 0 to the whole table. Some rows contain values that
 * must be rejected.
 */
final class SeriesInstances {
    private static final int REJECTED = 300;

    private static final int MAX_DIMENSIONS = 3;

    /** The types of series, in the order of a function's overloads. */
    enum Type {
        NUMBERS(500),
        POINTS(500),
        FLOATS(80);

        /**
         * An exclusive bound on the exponents of this type's numbers. The square of such a number may exceed the range
         * of FLOAT, but not of DOUBLE.
         */
        private final int maxExponent;

        Type(int maxExponent) {
            this.maxExponent = maxExponent;
        }
    }

    private SeriesInstances() {}

    /**
     * Draws a value for each parameter. The first parameter is a series, and so is the second if its name is {@code b}
     * or {@code series}.
     */
    static InternalRow row(SplittableRandom random, int size, Type type, List<String> parameters) {
        int dimensions = type == Type.POINTS ? 1 + random.nextInt(MAX_DIMENSIONS) : 1;
        int kind = random.nextInt(5);
        double[][] a = values(random, Values.size(random, size), dimensions, kind, type);
        Object[] values = new Object[parameters.size()];
        for (int p = 0; p < values.length; p++) {
            values[p] = switch (parameters.get(p)) {
                case "a", "query" -> series(random, a, type);
                case "b" -> series(random, other(random, a, size, dimensions, kind, type), type);
                case "series" -> series(random, p == 0 ? a : other(random, a, size, dimensions, kind, type), type);
                case "band" -> number(random, random.nextInt(4) == 0 ? size : random.nextInt(1 + size / 4), -1);
                case "power" -> number(random, 1 + random.nextInt(2), random.nextInt(2) == 0 ? 0 : 3);
                case "max" ->
                    Values.sometimesNull(
                            random,
                            random.nextInt(REJECTED) == 0
                                    ? Double.NaN
                                    : (double) Values.oneOf(
                                            random,
                                            random.nextDouble() * size,
                                            (double) random.nextInt(4),
                                            random.nextDouble() * 4,
                                            random.nextInt(9) == 0 ? -1.0 : Double.POSITIVE_INFINITY));
                case "tolerance" -> real(random, random.nextInt(8) / 4.0, -0.5);
                case "gamma" -> real(random, Values.oneOf(random, 0.01, 0.1, 1.0, 10.0), 0);
                default -> real(random, random.nextInt(5) - 2, Double.NEGATIVE_INFINITY);
            };
        }
        return Values.row(values);
    }

    private static Object number(SplittableRandom random, int value, int rejected) {
        return Values.sometimesNull(random, random.nextInt(REJECTED) == 0 ? rejected : value);
    }

    private static Object real(SplittableRandom random, double value, double rejected) {
        return Values.sometimesNull(
                random, random.nextInt(REJECTED) == 0 ? random.nextBoolean() ? rejected : Double.NaN : value);
    }

    private static double[][] values(SplittableRandom random, int length, int dimensions, int kind, Type type) {
        double[][] values = new double[length][dimensions];
        int exponent = kind == 4 ? random.nextInt(1, type.maxExponent) : 1;
        for (int i = 0; i < length; i++) {
            for (int k = 0; k < dimensions; k++) {
                values[i][k] = switch (kind) {
                    case 0 -> random.nextInt(3);
                    case 1 -> random.nextInt(100) / 10.0;
                    case 2 -> (i == 0 ? 0 : values[i - 1][k]) + random.nextDouble() - 0.5;
                    case 3 -> random.nextDouble() * 4 - 2;
                    default -> StrictMath.scalb(random.nextDouble() - 0.5, random.nextInt(-exponent, exponent));
                };
            }
        }
        return values;
    }

    /** Returns the same series, a noisy copy, a stretched copy, or an unrelated series. */
    private static double[][] other(
            SplittableRandom random, double[][] a, int size, int dimensions, int kind, Type type) {
        int draw = random.nextInt(4);
        if (draw == 0 || a.length == 0) {
            return values(random, Values.size(random, size), dimensions, kind, type);
        }
        int length = draw == 3 ? Math.max(1, Values.size(random, size)) : a.length;
        double[][] other = new double[length][];
        for (int i = 0; i < length; i++) {
            other[i] = a[(int) ((long) i * a.length / length)].clone();
            if (draw == 2 && random.nextInt(4) == 0) {
                other[i][random.nextInt(dimensions)] += random.nextInt(3) - 1;
            }
        }
        return other;
    }

    private static ArrayData series(SplittableRandom random, double[][] values, Type type) {
        if (values.length > 0 && random.nextInt(REJECTED) == 0) {
            double[] point = values[random.nextInt(values.length)];
            point[random.nextInt(point.length)] = Values.oneOf(
                    random, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MAX_VALUE, -0.0);
        }
        if (type == Type.FLOATS) {
            float[] numbers = new float[values.length];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = (float) values[i][0];
            }
            return Values.sometimesNull(random, Values.array(numbers), DataTypes.FloatType);
        }
        if (type == Type.NUMBERS) {
            double[] numbers = new double[values.length];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = values[i][0];
            }
            return Values.sometimesNull(random, Values.array(numbers), DataTypes.DoubleType);
        }
        Object[] rows = new Object[values.length];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = Values.array(values[i]);
        }
        if (rows.length > 0) {
            int at = random.nextInt(rows.length);
            switch (random.nextInt(REJECTED)) {
                case 0 -> rows[at] = Values.array(new double[values[0].length + 1]);
                case 1 -> rows[at] = Values.array(new double[0]);
                case 2 -> rows[at] = Values.arrayOf(new Object[values[0].length]);
                default -> {}
            }
        }
        return Values.sometimesNull(random, Values.arrayOf(rows), DataTypes.createArrayType(DataTypes.DoubleType));
    }
}
