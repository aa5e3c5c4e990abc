package dev.bellman.recurrence;

import dev.bellman.proof.Values;
import dev.bellman.recurrence.instance.Element;
import dev.bellman.recurrence.instance.Instance;
import dev.bellman.recurrence.instance.Operator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/** Generates recurrences for tests, and computes their tables with the textbook. */
final class TestInstances {
    static final List<String> OPERATORS = List.of(
            "min",
            "max",
            "sum",
            "sum mod 1000000007",
            "sum mod 4611686018427387904",
            "bit_and",
            "bit_or",
            "bit_xor",
            "bool_and",
            "bool_or",
            "first",
            "last");

    static final List<String> DOUBLE_OPERATORS = List.of("min", "max", "sum", "first", "last");

    private static final double[] SPECIAL_DOUBLES = {
        0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE, -1.5, 1e300, -1e300
    };

    private TestInstances() {}

    /** Returns the textbook's table, as keys. */
    static long[] definition(Instance instance) {
        Operator operator = instance.operator();
        String op = operator.kind() == Operator.Kind.SUM_MOD
                ? "sum mod " + operator.modulus()
                : operator.kind().text();
        boolean weighted = instance.weights() != null;
        List<Object> arguments = new ArrayList<>(List.of(
                array(instance, instance.initial()),
                Values.array(instance.offsets()),
                instance.length(),
                UTF8String.fromString(op)));
        if (weighted) {
            arguments.add(2, array(instance, instance.weights()));
        }
        InternalRow row = Values.row(arguments.toArray());
        if (instance.element() == Element.LONG) {
            Object table = weighted ? RecurrenceTextbook.weightedOfLongs(row) : RecurrenceTextbook.ofLongs(row);
            return ((ArrayData) table).toLongArray();
        }
        Object table = weighted ? RecurrenceTextbook.weightedOfDoubles(row) : RecurrenceTextbook.ofDoubles(row);
        return Arrays.stream(((ArrayData) table).toDoubleArray())
                .mapToLong(Element::key)
                .toArray();
    }

    private static ArrayData array(Instance instance, long... keys) {
        return instance.element() == Element.LONG
                ? Values.array(keys)
                : Values.array(Arrays.stream(keys).mapToDouble(Element::value).toArray());
    }

    /** Returns {@code count} distinct offsets in descending order, the first of which is {@code largest}. */
    static int[] offsets(Random random, int count, int largest) {
        List<Integer> others =
                new ArrayList<>(IntStream.range(1, largest).boxed().toList());
        java.util.Collections.shuffle(others, random);
        others = new ArrayList<>(others.subList(0, count - 1));
        others.add(largest);
        return others.stream()
                .sorted(java.util.Comparator.reverseOrder())
                .mapToInt(Integer::intValue)
                .toArray();
    }

    static int[] consecutive(int largest, int count) {
        return IntStream.range(0, count).map(j -> largest - j).toArray();
    }

    static Instance longs(Random random, String operator, int[] offsets, int initial, int n) {
        int bits = operator.startsWith("bool") ? 1 : operator.equals("sum") ? 8 : 1 + random.nextInt(64);
        long[] values = random.longs(initial)
                .map(value -> bits == 1 ? value & 1 : value >> 64 - bits)
                .toArray();
        if (operator.equals("sum") && n > 50) {
            // larger values would overflow; with three or more offsets and many values, even a single 1 would
            values = random.longs(initial, -1, 2)
                    .map(value -> offsets.length > 1 ? 0 : value)
                    .toArray();
            values[random.nextInt(initial)] = offsets.length > 2 && n > 300 ? 0 : 1;
        }
        return Instance.of("s_dp", Element.LONG, values, offsets, null, n, operator);
    }

    static Instance doubles(Random random, String operator, int[] offsets, int initial, int n) {
        return Instance.of("s_dp", Element.DOUBLE, keys(random, initial), offsets, null, n, operator);
    }

    static long[] keys(Random random, int count) {
        boolean special = random.nextInt(3) == 0;
        return random.doubles(count)
                .map(value -> special && random.nextBoolean()
                        ? SPECIAL_DOUBLES[random.nextInt(SPECIAL_DOUBLES.length)]
                        : value - 0.5)
                .mapToLong(Element::key)
                .toArray();
    }

    static Instance weighted(Random random, Element element, String operator, int[] offsets, int initial, int n) {
        boolean longs = element == Element.LONG;
        return Instance.of(
                "s_dp_weighted",
                element,
                longs ? random.longs(initial, -1000, 1000).toArray() : keys(random, initial),
                offsets,
                longs ? random.longs(offsets.length, -100, 100).toArray() : keys(random, offsets.length),
                n,
                operator);
    }

    /**
     * Returns offsets of every kind: single, consecutive, dense, sparse, with and without 1, and around word and tile
     * sizes.
     */
    static List<int[]> offsets(Random random) {
        List<int[]> all = new ArrayList<>(List.of(
                new int[] {1},
                new int[] {2, 1},
                new int[] {5, 3, 1},
                new int[] {7},
                consecutive(4, 4),
                consecutive(64, 64),
                consecutive(130, 66),
                consecutive(300, 150),
                new int[] {200, 199, 64, 63, 33, 32, 31, 1}));
        for (int largest : new int[] {31, 32, 33, 63, 64, 65, 127, 128, 129, 400}) {
            all.add(offsets(random, 1 + random.nextInt(largest), largest));
        }
        return all;
    }
}
