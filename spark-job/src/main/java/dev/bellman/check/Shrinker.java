package dev.bellman.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Reduces a failing instance greedily: among the instances that are one step smaller and still fail, chooses the
 * smallest one, and repeats this until no smaller instance fails. A step removes a range of elements or characters,
 * either from one argument or from all of them, or replaces a number or a character with a simpler one.
 */
final class Shrinker {
    /** The maximum number of instances that are tried at once. */
    private static final int INSTANCES = 3_000;

    private static final int ELEMENTS = 3_000_000;

    /** The maximum number of rounds. A few dozen rounds shrink an instance from thousands of elements to a few. */
    private static final int ROUNDS = 200;

    /** The time limit after which the smallest instance found so far is returned. */
    private static final long MAX_SECONDS = 60;

    private final List<DataType> types;
    private final Function<List<InternalRow>, Optional<InternalRow>> firstFailing;

    /** @param firstFailing returns the first of the given instances that fails */
    Shrinker(List<DataType> types, Function<List<InternalRow>, Optional<InternalRow>> firstFailing) {
        this.types = types;
        this.firstFailing = firstFailing;
    }

    InternalRow shrink(InternalRow failing) {
        Value[] smallest = values(failing);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS);
        for (int round = 0; round < ROUNDS && System.nanoTime() < end; round++) {
            List<Value[]> steps = smaller(smallest);
            Optional<InternalRow> next =
                    firstFailing.apply(steps.stream().map(this::row).toList());
            if (next.isEmpty()) {
                break;
            }
            smallest = values(next.get());
        }
        return row(smallest);
    }

    /** An argument: a list of elements, a list of characters, a single number, or null. */
    private record Value(DataType type, boolean isNull, List<Object> elements) {
        static Value of(DataType type, Object value) {
            if (value == null) {
                return new Value(type, true, List.of());
            }
            if (type instanceof ArrayType array) {
                ArrayData data = (ArrayData) value;
                return new Value(
                        type,
                        false,
                        IntStream.range(0, data.numElements())
                                .mapToObj(i -> data.isNullAt(i) ? null : data.get(i, array.elementType()))
                                .toList());
            }
            if (value instanceof UTF8String text) {
                List<Object> characters = new ArrayList<>();
                byte[] bytes = text.getBytes();
                for (int at = 0; at < bytes.length; ) {
                    int end = Math.min(bytes.length, at + UTF8String.numBytesForFirstByte(bytes[at]));
                    characters.add(UTF8String.fromBytes(Arrays.copyOfRange(bytes, at, end)));
                    at = end;
                }
                return new Value(type, false, characters);
            }
            return new Value(type, false, List.of(value));
        }

        Object value() {
            if (isNull) {
                return null;
            }
            if (type instanceof ArrayType) {
                return new GenericArrayData(elements.toArray());
            }
            if (isSequence()) {
                return UTF8String.concat(elements.toArray(UTF8String[]::new));
            }
            return elements.get(0);
        }

        boolean isSequence() {
            return type instanceof ArrayType || type.sql().equals("STRING");
        }

        /**
         * Returns the value without this range of elements; returns it unchanged if it is not a sequence or has none of
         * these elements.
         */
        Value without(int from, int to) {
            if (!isSequence() || from >= elements.size()) {
                return this;
            }
            List<Object> rest = new ArrayList<>(elements);
            rest.subList(from, Math.min(to, rest.size())).clear();
            return new Value(type, isNull, rest);
        }

        Value with(int index, Object element) {
            List<Object> changed = new ArrayList<>(elements);
            changed.set(index, element);
            return new Value(type, isNull, changed);
        }

        /** Replaces every element that is equal to {@code element} with {@code by}. */
        Value replaced(Object element, Object by) {
            return new Value(
                    type,
                    isNull,
                    elements.stream()
                            .map(each -> element.equals(each) ? by : each)
                            .toList());
        }

        /** Returns a measure of size; it depends first on the number of elements, and then on their values. */
        double weight() {
            double weight = 0;
            for (Object element : elements) {
                weight += isSequence() ? 1_000 : 0;
                weight += magnitude(element);
            }
            return weight;
        }

        private static double magnitude(Object element) {
            if (element instanceof Number number) {
                double value = number.doubleValue();
                double size = Math.log1p(Math.min(Math.abs(value), Double.MAX_VALUE)) + (value < 0 ? 0.5 : 0);
                return Double.isNaN(value) ? 800 : value == Math.rint(value) ? size : size + 10;
            }
            if (element instanceof UTF8String text) {
                return text.numBytes() == 0
                        ? 0
                        : text.numBytes() + (Byte.toUnsignedInt(text.getByte(0)) - (double) 'a') / 256;
            }
            return 0;
        }
    }

    private Value[] values(InternalRow row) {
        return IntStream.range(0, types.size())
                .mapToObj(i -> Value.of(types.get(i), row.isNullAt(i) ? null : row.get(i, types.get(i))))
                .toArray(Value[]::new);
    }

    private InternalRow row(Value... values) {
        return new GenericInternalRow(Arrays.stream(values).map(Value::value).toArray());
    }

    private static double weight(Value... values) {
        return Arrays.stream(values).mapToDouble(Value::weight).sum();
    }

    /** Returns the instances that are one step smaller, smallest first. */
    private List<Value[]> smaller(Value... values) {
        Set<List<Value>> steps = new LinkedHashSet<>();
        int elements =
                Arrays.stream(values).mapToInt(value -> value.elements().size()).sum();
        int most = Math.max(2 * values.length + 4, Math.min(INSTANCES, ELEMENTS / (elements + 1)));
        int longest = Arrays.stream(values)
                .filter(Value::isSequence)
                .mapToInt(value -> value.elements().size())
                .max()
                .orElse(0);
        for (int run = Math.max(1, longest / 2); run > 0 && longest > 0; run /= 2) {
            for (int from = 0; from < longest && steps.size() < most; from += run) {
                int first = from;
                int end = from + run;
                steps.add(Stream.of(values)
                        .map(value -> value.without(first, end))
                        .toList());
                steps.add(withoutLeaves(values, first, end));
                for (int i = 0; i < values.length; i++) {
                    steps.add(with(values, i, values[i].without(first, end)));
                }
            }
        }
        for (int i = 0; i < values.length; i++) {
            simpler(values, i, steps, 2 * most);
        }
        double weight = weight(values);
        return steps.stream()
                .map(step -> step.toArray(Value[]::new))
                .filter(step -> weight(step) < weight)
                .sorted(Comparator.comparingDouble(Shrinker::weight))
                .limit(most)
                .toList();
    }

    private static void simpler(Value[] values, int i, Set<List<Value>> steps, int most) {
        Value value = values[i];
        for (int at = 0; at < value.elements().size() && steps.size() < most; at++) {
            Object element = value.elements().get(at);
            for (Object other : simpler(element)) {
                steps.add(with(values, i, value.with(at, other)));
                // make the same change in all arguments, so that equal elements remain equal
                steps.add(Stream.of(values)
                        .map(each -> each.type().equals(value.type()) ? each.replaced(element, other) : each)
                        .toList());
            }
        }
    }

    private static List<Object> simpler(Object element) {
        if (element instanceof Long number) {
            return List.of(0L, 1L, number / 2, number - Long.signum(number), number / 10 * 10);
        }
        if (element instanceof Integer number) {
            return List.of(0, 1, number / 2, number - Integer.signum(number));
        }
        if (element instanceof Double number) {
            return List.of(0.0, 1.0, Math.rint(number), number / 2);
        }
        if (element instanceof Float number) {
            return List.of(0F, 1F, (float) Math.rint(number), number / 2);
        }
        if (element instanceof UTF8String) {
            return List.of(UTF8String.fromString("a"), UTF8String.fromString("b"));
        }
        return List.of();
    }

    private static List<Value> with(Value[] values, int index, Value value) {
        Value[] changed = values.clone();
        changed[index] = value;
        return List.of(changed);
    }

    /**
     * Removes some of n leaves, and those of the n (n - 1) / 2 pairs, stored row by row, that contain a removed leaf.
     * Returns the values unchanged if they are not n leaves and their pairs.
     */
    private static List<Value> withoutLeaves(Value[] values, int from, int to) {
        if (values.length != 2
                || !(values[1].type() instanceof ArrayType)
                || values[1].elements().size()
                        != values[0].elements().size() * (values[0].elements().size() - 1) / 2) {
            return List.of(values);
        }
        int leaves = values[0].elements().size();
        List<Object> pairs = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < leaves; i++) {
            for (int j = i + 1; j < leaves; j++, at++) {
                boolean left = i >= from && i < to || j >= from && j < to;
                if (!left) {
                    pairs.add(values[1].elements().get(at));
                }
            }
        }
        return List.of(values[0].without(from, to), new Value(values[1].type(), values[1].isNull(), pairs));
    }
}
