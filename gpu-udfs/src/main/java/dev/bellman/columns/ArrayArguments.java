package dev.bellman.columns;

import dev.bellman.BellmanException;
import java.util.function.DoublePredicate;
import java.util.function.LongPredicate;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Copies and checks arguments that are arrays of numbers. */
public final class ArrayArguments {
    private ArrayArguments() {}

    /**
     * Returns the elements of an ARRAY&lt;BIGINT>.
     *
     * @param expected a description of the allowed numbers, such as {@code at least 0}
     * @throws BellmanException if an element is NULL or not allowed
     */
    public static long[] longs(
            String function, String name, ArrayData array, LongPredicate isAllowed, String expected) {
        int count = array.numElements();
        TaskMemory.takeArgument(function, name, count);
        for (int i = 0; i < count; i++) {
            if (array.isNullAt(i) || !isAllowed.test(array.getLong(i))) {
                throw invalid(function, name, i, array.isNullAt(i) ? "NULL" : array.getLong(i), expected);
            }
        }
        return array.toLongArray();
    }

    /** Returns the elements of an ARRAY&lt;DOUBLE>, like {@link #longs}. */
    public static double[] doubles(
            String function, String name, ArrayData array, DoublePredicate isAllowed, String expected) {
        int count = array.numElements();
        TaskMemory.takeArgument(function, name, count);
        for (int i = 0; i < count; i++) {
            if (array.isNullAt(i) || !isAllowed.test(array.getDouble(i))) {
                throw invalid(function, name, i, array.isNullAt(i) ? "NULL" : array.getDouble(i), expected);
            }
        }
        return array.toDoubleArray();
    }

    /** Returns the exception for an invalid element; {@code index} is 0 for the first element. */
    public static BellmanException invalid(String function, String name, int index, Object found, String expected) {
        return BellmanException.inRow(
                function,
                "entry %,d of %s (counted from 1) is %s; it must be %s".formatted(index + 1, name, found, expected));
    }
}
