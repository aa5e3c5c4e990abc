package dev.bellman.function;

import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import dev.bellman.proof.Proofs;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Creates instances of approximately a given size for any function, by requesting large instances from its generator,
 * or by repeating strings.
 */
final class LargeInstances {
    /** The maximum number of instances per size. */
    static final int DRAWS = 4;

    private static final long SMALLEST = 1 << 16;

    /**
     * The maximum size of an instance with strings. It is smaller than that of other instances, because generators keep
     * several copies of a string.
     */
    private static final int LARGEST_WITH_TEXT = 1 << 20;

    private static final int LARGEST = 1 << 28;

    private static final int BYTES_OF_A_STRUCT = 128;

    /** The approximate bytes of an array within an array, not counting its elements. */
    private static final int BYTES_OF_AN_ARRAY = 40;

    private LargeInstances() {}

    /**
     * Returns {@code ofEach} instances of each size up to about {@code bytes} bytes, without NULL arguments: first
     * those with repeated strings, and then those of the generator, both in ascending order of size.
     */
    static Stream<InternalRow> ascending(Signature<?> signature, long bytes, int ofEach) {
        Stream<InternalRow> repeated = Stream.iterate(SMALLEST, size -> size <= bytes, size -> 8 * size)
                .flatMap(size -> repeated(signature, size, ofEach));
        return Stream.concat(repeated, drawn(signature, bytes, ofEach));
    }

    /**
     * Returns the largest instances of up to about {@code bytes} bytes, one at a time.
     *
     * @param repeated the maximum number of instances that have repeated strings
     */
    static Stream<InternalRow> largest(Signature<?> signature, long bytes, int repeated) {
        return Stream.concat(
                repeated(signature, bytes, repeated), Stream.of(signature).map(any -> largestDrawn(any, bytes)));
    }

    private static InternalRow largestDrawn(Signature<?> signature, long bytes) {
        int size = Proofs.of(signature).generator().large();
        InternalRow largest = draws(signature, size, 1).get(0);
        // while an instance of twice the size is generated, it may need several times as much memory
        while (bytes(signature, largest) * 4 <= bytes && size < mostElements(signature)) {
            size *= 2;
            largest = draws(signature, size, 1).get(0);
        }
        return largest;
    }

    private static int mostElements(Signature<?> signature) {
        return signature.parameters().stream().anyMatch(LargeInstances::grows) ? LARGEST_WITH_TEXT : LARGEST;
    }

    private static Stream<InternalRow> drawn(Signature<?> signature, long bytes, int ofEach) {
        return Stream.iterate(
                        Proofs.of(signature).generator().large(),
                        size -> size < mostElements(signature),
                        size -> 2 * size)
                .map(size -> draws(signature, size, ofEach))
                .takeWhile(rows -> rows.stream().allMatch(row -> bytes(signature, row) <= bytes))
                .flatMap(List::stream);
    }

    private static List<InternalRow> draws(Signature<?> signature, int size, int count) {
        SplittableRandom random = new SplittableRandom(size);
        return Stream.generate(() -> Proofs.of(signature).generator().generate(random, size))
                .filter(row -> !row.anyNull())
                .limit(count)
                .sorted(Comparator.comparingLong(row -> bytes(signature, row)))
                .toList();
    }

    private static Stream<InternalRow> repeated(Signature<?> signature, long bytes, int count) {
        return signature.parameters().stream().noneMatch(LargeInstances::grows)
                ? Stream.empty()
                : draws(signature, Proofs.of(signature).generator().large(), DRAWS).stream()
                        .limit(count)
                        .map(row -> repeated(signature, row, bytes));
    }

    static boolean isText(Parameter parameter) {
        return parameter.type().equals(DataTypes.StringType)
                || parameter.type() instanceof ArrayType array
                        && array.elementType().equals(DataTypes.StringType);
    }

    private static boolean grows(Parameter parameter) {
        return !parameter.isSetting() && isText(parameter);
    }

    private static InternalRow repeated(Signature<?> signature, InternalRow row, long bytes) {
        int times = (int) Math.max(1, Math.min(Integer.MAX_VALUE / 4, bytes) / Math.max(1, bytes(signature, row)));
        Object[] values = new Object[row.numFields()];
        for (int i = 0; i < values.length; i++) {
            Parameter parameter = signature.parameters().get(i);
            Object value = row.get(i, parameter.type());
            values[i] = grows(parameter) ? repeated(value, times) : value;
        }
        return new GenericInternalRow(values);
    }

    private static Object repeated(Object value, int times) {
        return value instanceof UTF8String text
                ? text.repeat(times)
                : new GenericArrayData(IntStream.range(0, ((ArrayData) value).numElements())
                        .mapToObj(i -> ((ArrayData) value).isNullAt(i)
                                ? null
                                : ((ArrayData) value).getUTF8String(i).repeat(times))
                        .toArray());
    }

    /** Returns the approximate size of an instance in bytes. */
    static long bytes(Signature<?> signature, InternalRow row) {
        return IntStream.range(0, row.numFields())
                .mapToLong(i -> {
                    DataType type = signature.parameters().get(i).type();
                    return bytes(row.get(i, type), type);
                })
                .sum();
    }

    private static long bytes(Object value, DataType type) {
        if (value instanceof UTF8String text) {
            return text.numBytes();
        } else if (value instanceof ArrayData array && type instanceof ArrayType of) {
            long own = of.elementType() instanceof ArrayType ? BYTES_OF_AN_ARRAY : 0;
            return of.elementType().equals(DataTypes.StringType) || of.elementType() instanceof ArrayType
                    ? IntStream.range(0, array.numElements())
                            .mapToLong(i -> own
                                    + (array.isNullAt(i) ? 0 : bytes(array.get(i, of.elementType()), of.elementType())))
                            .sum()
                    : (long) (of.elementType() instanceof StructType ? BYTES_OF_A_STRUCT : Long.BYTES)
                            * array.numElements();
        }
        return Long.BYTES;
    }
}
