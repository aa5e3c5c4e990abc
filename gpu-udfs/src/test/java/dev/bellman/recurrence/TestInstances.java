package dev.bellman.recurrence;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Recurrences for tests, and the definition of their tables. */
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

    /** The definition, in numbers without bounds. */
    static long[] definition(Instance instance) {
        long[] table = instance.table();
        for (int i = instance.start(); i < table.length; i++) {
            table[i] = instance.element() == Element.LONG ? ofLongs(instance, table, i) : ofDoubles(instance, table, i);
        }
        return table;
    }

    private static long ofLongs(Instance instance, long[] table, int i) {
        BigInteger value = null;
        for (int j = 0; j < instance.stages(); j++) {
            BigInteger candidate = BigInteger.valueOf(table[i - instance.offsets()[j]]);
            if (instance.weights() != null) {
                candidate = candidate.add(BigInteger.valueOf(instance.weights()[j]));
                checkFits(candidate);
            }
            value = value == null ? candidate : combine(instance.operator(), value, candidate);
        }
        checkFits(value);
        return value.longValueExact();
    }

    private static void checkFits(BigInteger value) {
        if (value.bitLength() > 63) {
            throw new BellmanException(ErrorCode.BELLMAN_OVERFLOW, "too large");
        }
    }

    private static BigInteger combine(Operator operator, BigInteger left, BigInteger right) {
        return switch (operator.kind()) {
            case MIN -> left.min(right);
            case MAX -> left.max(right);
            case SUM -> left.add(right);
            case SUM_MOD -> left.add(right).mod(BigInteger.valueOf(operator.modulus()));
            case BIT_AND, BOOL_AND -> left.and(right);
            case BIT_OR, BOOL_OR -> left.or(right);
            case BIT_XOR -> left.xor(right);
            case FIRST -> left;
            case LAST -> right;
        };
    }

    private static long ofDoubles(Instance instance, long[] table, int i) {
        Double value = null;
        for (int j = 0; j < instance.stages(); j++) {
            double candidate = Element.value(table[i - instance.offsets()[j]]);
            if (instance.weights() != null) {
                candidate += Element.value(instance.weights()[j]);
            }
            value = value == null ? candidate : combine(instance.operator(), value, candidate);
        }
        return Element.key(value);
    }

    private static double combine(Operator operator, double left, double right) {
        return switch (operator.kind()) {
            case MIN -> Double.compare(left, right) <= 0 ? left : right;
            case MAX -> Double.compare(left, right) >= 0 ? left : right;
            case SUM -> left + right;
            case FIRST -> left;
            case LAST -> right;
            default -> throw new IllegalArgumentException();
        };
    }

    /** Distinct offsets up to {@code largest}, which is one of them. */
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
            // or every sum would overflow: they cancel out where there are many
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

    /** Offsets of every kind: one, consecutive, dense, sparse, with and without 1, around the sizes of words and tiles. */
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
