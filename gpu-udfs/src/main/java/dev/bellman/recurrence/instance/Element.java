package dev.bellman.recurrence.instance;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * The elements of a recurrence's table. The algorithms work on 64-bit integers: a BIGINT is used unchanged, and a
 * DOUBLE is replaced with the integer of the same rank in the total order of {@link Double#compare}, so a minimum of
 * doubles is a minimum of integers. In this order, NaN is the largest value, as everywhere in Spark, and -0.0 comes
 * before 0.0.
 */
public enum Element {
    LONG {
        @Override
        public long[] keys(ArrayData values) {
            return values.toLongArray();
        }

        @Override
        public Object box(long key) {
            return key;
        }

        @Override
        public Object array(long[] keys) {
            return keys;
        }
    },
    DOUBLE {
        @Override
        public long[] keys(ArrayData values) {
            return Arrays.stream(values.toDoubleArray()).mapToLong(Element::key).toArray();
        }

        @Override
        public Object box(long key) {
            return value(key);
        }

        @Override
        public Object array(long[] keys) {
            double[] values = new double[keys.length];
            for (int i = 0; i < keys.length; i++) {
                values[i] = value(keys[i]);
            }
            return values;
        }
    };

    /** Returns the integers for an array of this element type, which must not contain NULL. */
    public abstract long[] keys(ArrayData values);

    public abstract Object box(long key);

    /** Returns the elements as a {@code long[]} or {@code double[]}. */
    public abstract Object array(long[] keys);

    /**
     * Returns the integer for a double. Negative doubles are ordered in reverse by their bits, so all bits except the
     * sign are flipped. All NaNs have the same integer.
     */
    public static long key(double value) {
        long bits = Double.doubleToLongBits(value);
        return bits ^ bits >> 63 & Long.MAX_VALUE;
    }

    public static double value(long key) {
        return Double.longBitsToDouble(key ^ key >> 63 & Long.MAX_VALUE);
    }
}
