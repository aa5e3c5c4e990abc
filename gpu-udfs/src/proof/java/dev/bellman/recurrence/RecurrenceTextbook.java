package dev.bellman.recurrence;

import dev.bellman.proof.Leeway;
import dev.bellman.proof.Values;
import dev.bellman.recurrence.SimplifiedDp.Strategy;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * Defines S-DP: element {@code i} is {@code e(i - a_1) (x) e(i - a_2) (x) ... (x) e(i - a_k)}, folded from the left.
 * Integers are unbounded until an element is complete, but each weighted candidate must fit in 64 bits.
 */
final class RecurrenceTextbook {
    /**
     * The leeway for strategies that fold in a different order, which do not support sums of doubles, and for the
     * strategies by Matsumae and Miyazaki (2018), which are slow if there are many candidates.
     */
    static final Leeway LEEWAY = new Leeway() {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean isLimited(Enum<?> strategy) {
            return strategy != Strategy.AUTO && strategy != Strategy.BLOCKED;
        }

        @Override
        public boolean serves(Enum<?> strategy, InternalRow arguments) {
            if (arguments.anyNull()) {
                return true;
            }
            int op = arguments.numFields() - 1;
            long computed = arguments.getInt(op - 1) - arguments.getArray(0).numElements();
            long candidates = Math.max(0, computed) * arguments.getArray(1).numElements();
            boolean adds = arguments.getUTF8String(op).toString().equals("sum");
            return switch ((Strategy) strategy) {
                case AUTO, BLOCKED -> true;
                case SEQUENTIAL -> candidates <= 1L << 30;
                case PIPELINE, PIPELINE_2X2 -> candidates <= MAX_OF_THE_PAPER;
                case TOURNAMENT, NAIVE_PARALLEL -> candidates <= MAX_OF_THE_PAPER && !adds;
            };
        }
    };

    private static final long MAX_OF_THE_PAPER = 1L << 26;

    private static final Set<String> OF_DOUBLES = Set.of("min", "max", "sum", "first", "last");
    private static final Set<String> OF_WEIGHTED = Set.of("min", "max");
    private static final Set<String> OF_LONGS =
            Set.of("min", "max", "sum", "bit_and", "bit_or", "bit_xor", "bool_and", "bool_or", "first", "last");
    private static final Pattern SUM_MOD = Pattern.compile("sum mod [0-9]{1,19}");
    private static final BigInteger MAX_MODULUS = BigInteger.TWO.pow(62);

    private final int[] offsets;
    private final int n;
    private final String op;

    /** Checks the arguments that all signatures share. */
    private RecurrenceTextbook(InternalRow arguments, boolean weighted, Set<String> operators) {
        ArrayData initial = arguments.getArray(0);
        ArrayData distances = arguments.getArray(1);
        n = arguments.getInt(weighted ? 3 : 2);
        op = arguments.getUTF8String(weighted ? 4 : 3).toString();
        if (Values.hasNull(initial)
                || Values.hasNull(distances)
                || n < 0
                || distances.numElements() == 0
                || !operators.contains(op)
                        && !(operators == OF_LONGS && SUM_MOD.matcher(op).matches())) {
            throw Values.invalid();
        }
        offsets = distances.toIntArray();
        for (int j = 0; j < offsets.length; j++) {
            if (offsets[j] < 1 || offsets[j] > initial.numElements() || j > 0 && offsets[j] >= offsets[j - 1]) {
                throw Values.invalid();
            }
        }
        if (weighted
                && (arguments.getArray(2).numElements() != offsets.length || Values.hasNull(arguments.getArray(2)))) {
            throw Values.invalid();
        }
        if (isModular() && (modulus().signum() < 1 || modulus().compareTo(MAX_MODULUS) > 0)) {
            throw Values.invalid();
        }
    }

    static Object ofLongs(InternalRow arguments) {
        return Values.array(new RecurrenceTextbook(arguments, false, OF_LONGS)
                .longs(arguments.getArray(0).toLongArray(), null));
    }

    static Object ofDoubles(InternalRow arguments) {
        return Values.array(new RecurrenceTextbook(arguments, false, OF_DOUBLES)
                .doubles(arguments.getArray(0).toDoubleArray(), null));
    }

    static Object lastOfLongs(InternalRow arguments) {
        RecurrenceTextbook recurrence = new RecurrenceTextbook(arguments, false, OF_LONGS);
        long[] table = recurrence.longs(arguments.getArray(0).toLongArray(), null);
        recurrence.checkNotEmpty();
        return table[recurrence.n - 1];
    }

    static Object lastOfDoubles(InternalRow arguments) {
        RecurrenceTextbook recurrence = new RecurrenceTextbook(arguments, false, OF_DOUBLES);
        double[] table = recurrence.doubles(arguments.getArray(0).toDoubleArray(), null);
        recurrence.checkNotEmpty();
        return table[recurrence.n - 1];
    }

    static Object weightedOfLongs(InternalRow arguments) {
        return Values.array(new RecurrenceTextbook(arguments, true, OF_WEIGHTED)
                .longs(
                        arguments.getArray(0).toLongArray(),
                        arguments.getArray(2).toLongArray()));
    }

    static Object weightedOfDoubles(InternalRow arguments) {
        return Values.array(new RecurrenceTextbook(arguments, true, OF_WEIGHTED)
                .doubles(
                        arguments.getArray(0).toDoubleArray(),
                        arguments.getArray(2).toDoubleArray()));
    }

    private void checkNotEmpty() {
        if (n == 0) {
            throw Values.invalid();
        }
    }

    private boolean isModular() {
        return op.startsWith("sum mod ");
    }

    private BigInteger modulus() {
        return new BigInteger(op.substring("sum mod ".length()));
    }

    private long[] longs(long[] initial, long[] weights) {
        long[] table = Arrays.copyOf(initial, n);
        for (int i = 0; i < Math.min(n, initial.length) && isModular(); i++) {
            table[i] = BigInteger.valueOf(initial[i]).mod(modulus()).longValueExact();
        }
        if (op.startsWith("bool") && Arrays.stream(initial).anyMatch(value -> value != 0 && value != 1)) {
            throw Values.invalid();
        }
        for (int i = initial.length; i < n; i++) {
            BigInteger value = null;
            for (int j = 0; j < offsets.length; j++) {
                BigInteger candidate = BigInteger.valueOf(table[i - offsets[j]]);
                if (weights != null) {
                    candidate = fitting(candidate.add(BigInteger.valueOf(weights[j])));
                }
                value = value == null ? candidate : combine(value, candidate);
            }
            table[i] = fitting(value).longValueExact();
        }
        return table;
    }

    private static BigInteger fitting(BigInteger value) {
        if (value.bitLength() > 63) {
            throw Values.overflow();
        }
        return value;
    }

    private BigInteger combine(BigInteger left, BigInteger right) {
        return switch (op) {
            case "min" -> left.min(right);
            case "max" -> left.max(right);
            case "sum" -> left.add(right);
            case "bit_and", "bool_and" -> left.and(right);
            case "bit_or", "bool_or" -> left.or(right);
            case "bit_xor" -> left.xor(right);
            case "first" -> left;
            case "last" -> right;
            default -> left.add(right).mod(modulus());
        };
    }

    private double[] doubles(double[] initial, double[] weights) {
        double[] table = Arrays.copyOf(initial, n);
        for (int i = initial.length; i < n; i++) {
            Double value = null;
            for (int j = 0; j < offsets.length; j++) {
                double candidate = table[i - offsets[j]] + (weights == null ? -0.0 : weights[j]);
                value = value == null ? candidate : combine(value, candidate);
            }
            table[i] = value;
        }
        return table;
    }

    /** Combines two doubles in Spark's order, in which NaN is the largest value and -0.0 comes before 0.0. */
    private double combine(double left, double right) {
        return switch (op) {
            case "min" -> Double.compare(left, right) <= 0 ? left : right;
            case "max" -> Double.compare(left, right) >= 0 ? left : right;
            case "sum" -> left + right;
            case "first" -> left;
            default -> right;
        };
    }
}
