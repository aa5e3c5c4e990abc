package dev.bellman.proof;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;

/** Creates Catalyst values for generators and oracles, and random draws that generators share. */
public final class Values {
    /** About one argument in {@code NULLS} is NULL, and about one array in {@code NULLS} has a NULL entry. */
    private static final int NULLS = 400;

    private Values() {}

    public static InternalRow row(Object... values) {
        return new GenericInternalRow(values);
    }

    public static ArrayData array(long... values) {
        return UnsafeArrayData.fromPrimitiveArray(values);
    }

    public static ArrayData array(int... values) {
        return UnsafeArrayData.fromPrimitiveArray(values);
    }

    public static ArrayData array(double... values) {
        return UnsafeArrayData.fromPrimitiveArray(values);
    }

    public static ArrayData array(float... values) {
        return UnsafeArrayData.fromPrimitiveArray(values);
    }

    /** Returns an array of entries that may be null. */
    public static ArrayData arrayOf(Object... values) {
        return new GenericArrayData(values);
    }

    /** Returns the array or, rarely, NULL or a copy with a NULL entry. */
    public static ArrayData sometimesNull(SplittableRandom random, ArrayData array, DataType element) {
        int draw = random.nextInt(NULLS);
        if (draw == 0) {
            return null;
        }
        if (draw > 1 || array.numElements() == 0) {
            return array;
        }
        Object[] entries = array.toObjectArray(element).clone();
        entries[random.nextInt(entries.length)] = null;
        return arrayOf(entries);
    }

    /** Returns the value or, rarely, NULL. */
    public static <T> T sometimesNull(SplittableRandom random, T value) {
        return random.nextInt(NULLS) == 0 ? null : value;
    }

    /** Whether an array has a NULL entry. */
    public static boolean hasNull(ArrayData array) {
        for (int i = 0; i < array.numElements(); i++) {
            if (array.isNullAt(i)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Draws a size from 0 to {@code most}: any size, one of the three largest sizes, or a size that differs by at most
     * 2 from a power of two or a multiple of 32.
     */
    public static int size(SplittableRandom random, int most) {
        int draw = random.nextInt(8);
        if (draw < 5 || most < 3) {
            return random.nextInt(most + 1);
        }
        if (draw == 5) {
            return most - random.nextInt(Math.min(3, most + 1));
        }
        int border = draw == 6
                ? 1 << random.nextInt(32 - Integer.numberOfLeadingZeros(most))
                : 32 * random.nextInt(most / 32 + 1);
        return Math.max(0, Math.min(most, border - 2 + random.nextInt(5)));
    }

    @SafeVarargs
    public static <T> T oneOf(SplittableRandom random, T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** Draws {@code count} values from {@code least} to {@code most}. */
    public static long[] longs(SplittableRandom random, int count, long least, long most) {
        long[] values = new long[count];
        Arrays.setAll(
                values,
                i -> most == Long.MAX_VALUE ? random.nextLong(least - 1, most) + 1 : random.nextLong(least, most + 1));
        return values;
    }

    /** Returns the exception that an oracle throws for rejected values. */
    public static BellmanException invalid() {
        return new BellmanException(ErrorCode.BELLMAN_INPUT_VALUE, "the definition rejects these arguments");
    }

    /** Rejects the arguments unless a condition of the definition holds. */
    public static void require(boolean holds) {
        if (!holds) {
            throw invalid();
        }
    }

    /** Returns the exception that an oracle throws if a result does not fit in 64 bits. */
    public static BellmanException overflow() {
        return new BellmanException(ErrorCode.BELLMAN_OVERFLOW, "the defined result exceeds 64 bits");
    }
}
