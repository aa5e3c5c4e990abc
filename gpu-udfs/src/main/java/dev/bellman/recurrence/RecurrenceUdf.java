package dev.bellman.recurrence;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarFunction;
import dev.bellman.columns.TaskMemory;
import java.io.Serializable;
import scala.collection.Seq;

/** What the functions of a recurrence share: NULL, entries that are NULL, and rows that are not allowed. */
abstract class RecurrenceUdf implements ColumnarFunction, Serializable {
    private static final long serialVersionUID = 1L;

    /** Spark makes an object of each element, and writes it to a buffer that doubles when it is full. */
    static final int BYTES_IN_AN_ARRAY = 56;

    private static final int MOST_IN_A_ROW = 260_000_000;

    final String function;
    final Element element;
    final SimplifiedDp.Strategy strategy;
    final FunctionOptions options;

    RecurrenceUdf(String function, Element element, SimplifiedDp.Strategy strategy, FunctionOptions options) {
        this.function = function;
        this.element = element;
        this.strategy = strategy;
        this.options = options;
    }

    /** What the function returns of a table. */
    abstract Object result(Instance instance, long[] table);

    /** @param weights null in the form without weights */
    final Object solve(Seq<?> initial, Seq<Integer> offsets, Seq<?> weights, int n, String op) {
        return options.answer(() -> {
            Instance instance = Instance.of(
                    function,
                    element,
                    keys("initial", initial),
                    ints(offsets),
                    weights == null ? null : keys("weights", weights),
                    n,
                    op);
            checkMemory(instance);
            Object result = result(instance, SimplifiedDp.solve(instance, strategy));
            options.cells().add(SimplifiedDp.candidates(instance));
            return result;
        });
    }

    /** The bytes that an element of the table takes in what the function returns, as an object and in a row of Spark's. */
    abstract int bytesOfAResult();

    private void checkMemory(Instance instance) {
        long length = instance.length();
        if (bytesOfAResult() > 0 && length > MOST_IN_A_ROW) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s: n is %,d; a row of Spark's holds an array of at most %,d elements. Use a smaller n, or %s_last"
                            .formatted(function, length, MOST_IN_A_ROW, function));
        }
        TaskMemory.check(
                function,
                "the table of n = %,d elements".formatted(length),
                length * (SimplifiedDp.bytesOfAnElement(instance, strategy) + bytesOfAResult()),
                "a smaller n, ");
    }

    private long[] keys(String argument, Seq<?> values) {
        long[] keys = new long[values.length()];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = element.unbox(entry(argument, values, i));
        }
        return keys;
    }

    private int[] ints(Seq<Integer> values) {
        int[] ints = new int[values.length()];
        for (int i = 0; i < ints.length; i++) {
            ints[i] = (Integer) entry("offsets", values, i);
        }
        return ints;
    }

    private Object entry(String argument, Seq<?> values, int index) {
        Object value = values.apply(index);
        if (value == null) {
            throw Instance.invalid(function, "entry %d of %s (counted from 1) is NULL".formatted(index + 1, argument));
        }
        return value;
    }
}
