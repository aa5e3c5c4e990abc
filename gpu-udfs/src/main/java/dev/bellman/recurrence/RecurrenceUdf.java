package dev.bellman.recurrence;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarFunction;
import dev.bellman.columns.TaskMemory;
import dev.bellman.recurrence.instance.Element;
import dev.bellman.recurrence.instance.Instance;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/** Shared by the functions of this family: NULL arguments, NULL entries, and rejected rows. */
abstract class RecurrenceUdf implements ColumnarFunction, Serializable {
    private static final long serialVersionUID = 1L;

    /** Spark boxes each element and writes it to a buffer that doubles when full. */
    static final int BYTES_IN_AN_ARRAY = 56;

    private static final int MAX_IN_A_ROW = 260_000_000;

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

    /** The function's result from a table. */
    abstract Object result(Instance instance, long[] table);

    /** @param weights null in the form without weights */
    final Object solve(ArrayData initial, ArrayData offsets, ArrayData weights, int n, UTF8String op) {
        return options.answer(() -> {
            Instance instance = Instance.of(
                    function,
                    element,
                    element.keys(checked("initial", initial)),
                    checked("offsets", offsets).toIntArray(),
                    weights == null ? null : element.keys(checked("weights", weights)),
                    n,
                    op.toString());
            checkMemory(instance);
            Object result = result(instance, SimplifiedDp.solve(instance, strategy));
            options.cells().add(SimplifiedDp.candidates(instance));
            return result;
        });
    }

    /** The same function with other options. */
    abstract RecurrenceUdf with(FunctionOptions other);

    /** The function as a {@link dev.bellman.columns.CpuFunction}: of {@code initial, offsets[, weights], n, op}. */
    final Object onCpu(FunctionOptions other, List<Object> arguments) {
        int count = arguments.size();
        return with(other)
                .solve(
                        (ArrayData) arguments.get(0),
                        (ArrayData) arguments.get(1),
                        count == 5 ? (ArrayData) arguments.get(2) : null,
                        (Integer) arguments.get(count - 2),
                        (UTF8String) arguments.get(count - 1));
    }

    /** The bytes that an element of the table takes in the result, as an object and in a Spark row. */
    abstract int bytesOfAResult();

    /** The longest table whose result a row holds. */
    final int mostElements() {
        return bytesOfAResult() > 0 ? MAX_IN_A_ROW : Integer.MAX_VALUE;
    }

    private void checkMemory(Instance instance) {
        long length = instance.length();
        if (length > mostElements()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s: n is %,d; an array in Spark has at most %,d elements. Use a smaller n, or %s_last"
                            .formatted(function, length, MAX_IN_A_ROW, function));
        }
        TaskMemory.take(
                function,
                length * (SimplifiedDp.bytesOfAnElement(instance, strategy) + bytesOfAResult()),
                "a smaller n, ",
                () -> "the table of n = %,d elements".formatted(length));
    }

    /** The values, which must not be NULL. */
    private ArrayData checked(String argument, ArrayData values) {
        TaskMemory.takeArgument(function, argument, values.numElements());
        for (int i = 0; i < values.numElements(); i++) {
            if (values.isNullAt(i)) {
                throw Instance.invalid(function, "entry %d of %s (counted from 1) is NULL".formatted(i + 1, argument));
            }
        }
        return values;
    }
}
