package dev.bellman.series;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.TaskMemory;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * A time series of points, whose coordinates are finite numbers.
 *
 * @param values the values of the first dimension, then the values of the second, and so on
 */
record Series(int length, int dimensions, double[] values) {
    /** Returns a coordinate of a point. */
    double at(int dimension, int point) {
        return values[dimension * length + point];
    }

    /**
     * Copies an argument that is an array of numbers.
     *
     * @param isFloat whether the numbers are FLOAT rather than DOUBLE
     */
    static Series of(String function, String argument, ArrayData numbers, boolean isFloat) {
        TaskMemory.takeArgument(function, argument, numbers.numElements());
        double[] values = new double[numbers.numElements()];
        for (int i = 0; i < values.length; i++) {
            values[i] = numbers.isNullAt(i) ? Double.NaN : isFloat ? numbers.getFloat(i) : numbers.getDouble(i);
            if (!Double.isFinite(values[i])) {
                throw notFinite(function, argument, i, numbers.isNullAt(i) ? null : values[i]);
            }
        }
        return new Series(values.length, 1, values);
    }

    /** Copies an argument that is an array of points, which are arrays of equal length. */
    static Series ofPoints(String function, String argument, ArrayData points) {
        int length = points.numElements();
        int dimensions =
                length == 0 || points.isNullAt(0) ? 0 : points.getArray(0).numElements();
        if ((long) length * dimensions > Integer.MAX_VALUE - 8) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s: %s has %,d points of %,d numbers; the maximum is 2^31 - 9 numbers"
                            .formatted(function, argument, length, dimensions));
        }
        TaskMemory.takeArgument(function, argument, length * dimensions);
        double[] values = new double[length * dimensions];
        for (int i = 0; i < length; i++) {
            if (points.isNullAt(i)) {
                throw BellmanException.inRow(
                        function,
                        "entry %d of %s (counted from 1) is NULL; it must be an array".formatted(i + 1, argument));
            }
            ArrayData point = points.getArray(i);
            if (point.numElements() != dimensions || dimensions == 0) {
                throw BellmanException.inRow(
                        function,
                        ("entry %d of %s (counted from 1) has %d numbers; each entry must have as many numbers as the "
                                        + "first entry, and at least one")
                                .formatted(i + 1, argument, point.numElements()));
            }
            for (int k = 0; k < dimensions; k++) {
                double value = point.isNullAt(k) ? Double.NaN : point.getDouble(k);
                if (!Double.isFinite(value)) {
                    throw notFinite(
                            function, "entry %d of %s".formatted(i + 1, argument), k, point.isNullAt(k) ? null : value);
                }
                values[k * length + i] = value;
            }
        }
        return new Series(length, dimensions, values);
    }

    /** @param value the invalid value; null for NULL */
    private static BellmanException notFinite(String function, String argument, int i, Double value) {
        return BellmanException.inRow(
                function,
                "entry %d of %s (counted from 1) is %s; it must be a finite number"
                        .formatted(i + 1, argument, value == null ? "NULL" : value));
    }
}
