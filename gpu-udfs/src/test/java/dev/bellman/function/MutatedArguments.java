package dev.bellman.function;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Changes values in ways that no generator does: arbitrary bytes, extreme values, NULL at any level, different sizes.
 */
final class MutatedArguments {
    private static final List<Long> LONGS = List.of(
            0L,
            1L,
            -1L,
            2L,
            64L,
            65L,
            (long) Integer.MAX_VALUE,
            (long) Integer.MIN_VALUE,
            Integer.MAX_VALUE - 1L,
            1L << 32,
            Long.MAX_VALUE,
            Long.MIN_VALUE,
            Long.MAX_VALUE - 1,
            1L << 62);

    private static final List<Double> DOUBLES = List.of(
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Double.MAX_VALUE,
            -Double.MAX_VALUE,
            Double.MIN_VALUE,
            1e16,
            1e-300,
            1e300);

    private static final int MAX_ENTRIES = 64;

    private final SplittableRandom random;

    MutatedArguments(SplittableRandom random) {
        this.random = random;
    }

    /** Returns the arguments with one to three changes. */
    Object[] mutated(List<DataType> types, InternalRow row) {
        Object[] values = IntStream.range(0, types.size())
                .mapToObj(i -> row.get(i, types.get(i)))
                .toArray();
        int changes = 1 + random.nextInt(3);
        for (int change = 0; change < changes; change++) {
            int at = random.nextInt(values.length);
            values[at] = mutated(types.get(at), values[at]);
        }
        return values;
    }

    private Object mutated(DataType type, Object value) {
        if (value == null || random.nextInt(20) == 0) {
            return null;
        } else if (value instanceof UTF8String text) {
            return mutated(text.getBytes());
        } else if (value instanceof Integer number) {
            return mutated((long) number).intValue();
        } else if (value instanceof Long number) {
            return mutated((long) number);
        } else if (value instanceof Double number) {
            return random.nextInt(4) == 0 ? Math.nextUp(number) : one(DOUBLES);
        } else if (value instanceof Float number) {
            return random.nextInt(4) == 0 ? Math.nextUp(number) : one(DOUBLES).floatValue();
        } else if (value instanceof Boolean flag) {
            return !flag;
        } else if (value instanceof ArrayData array) {
            return mutated(((ArrayType) type).elementType(), array);
        }
        InternalRow row = (InternalRow) value;
        StructType fields = (StructType) type;
        Object[] values = IntStream.range(0, fields.length())
                .mapToObj(i -> row.get(i, fields.apply(i).dataType()))
                .toArray();
        int at = random.nextInt(values.length);
        values[at] = mutated(fields.apply(at).dataType(), values[at]);
        return new GenericInternalRow(values);
    }

    private Long mutated(long number) {
        return switch (random.nextInt(4)) {
            case 0 -> number + 1 - 2 * random.nextInt(2);
            case 1 -> -number;
            default -> one(LONGS);
        };
    }

    private UTF8String mutated(byte... bytes) {
        int at = random.nextInt(bytes.length + 1);
        int end = at + random.nextInt(bytes.length - at + 1);
        byte[] changed = bytes.clone();
        switch (random.nextInt(6)) {
            case 0 -> changed = new byte[0];
            case 1 -> changed = joined(bytes, 0, at, bytes, end, bytes.length);
            case 2 -> changed = joined(bytes, 0, end, bytes, at, bytes.length);
            case 3 -> {
                byte[] more = new byte[1 + random.nextInt(3)];
                random.nextBytes(more);
                changed = joined(joined(bytes, 0, at, more, 0, more.length), bytes, at);
            }
            default -> {
                for (int i = at; i < Math.min(end, at + 3); i++) {
                    changed[i] = (byte)
                            (random.nextBoolean()
                                    ? random.nextInt()
                                    : " \t\n\0.-+()[]'\"/*#;|0xN".charAt(random.nextInt(20)));
                }
            }
        }
        return UTF8String.fromBytes(changed);
    }

    private static byte[] joined(byte[] first, byte[] last, int from) {
        return joined(first, 0, first.length, last, from, last.length);
    }

    private static byte[] joined(byte[] first, int begin, int end, byte[] last, int from, int to) {
        byte[] joined = Arrays.copyOf(Arrays.copyOfRange(first, begin, end), end - begin + to - from);
        System.arraycopy(last, from, joined, end - begin, to - from);
        return joined;
    }

    private ArrayData mutated(DataType element, ArrayData array) {
        Object[] entries = array.toObjectArray(element).clone();
        int at = random.nextInt(entries.length + 1);
        int choice = entries.length == 0 ? 3 : random.nextInt(6);
        if (choice == 0) {
            entries = Arrays.copyOf(entries, at);
        } else if (choice == 1 && entries.length < MAX_ENTRIES) {
            entries = Arrays.copyOf(entries, entries.length + at);
            System.arraycopy(entries, 0, entries, entries.length - at, at);
        } else if (choice == 2) {
            entries[random.nextInt(entries.length)] = null;
        } else if (choice == 3) {
            entries = new Object[random.nextInt(2)];
        } else {
            int entry = random.nextInt(entries.length);
            entries[entry] = mutated(element, entries[entry]);
        }
        return new GenericArrayData(entries);
    }

    private <T> T one(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
