package dev.bellman.recurrence;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarFunction;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/** What the functions of a recurrence share: NULL, entries that are NULL, and rows that are not allowed. */
abstract class RecurrenceUdf implements ColumnarFunction, Serializable {
    private static final long serialVersionUID = 1L;

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

    /** A table beyond the heap would end the whole executor. */
    private static void checkMemory(Instance instance) {
        long bytes = (long) Long.BYTES * instance.length();
        long memory = Runtime.getRuntime().maxMemory();
        if (bytes > memory) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    ("%s: the table of n = %d elements takes %d bytes; this JVM has a heap of at most %d. Use a smaller n "
                                    + "or a larger heap")
                            .formatted(instance.function(), instance.length(), bytes, memory));
        }
    }

    /** The values, none of which is NULL. */
    private ArrayData checked(String argument, ArrayData values) {
        for (int i = 0; i < values.numElements(); i++) {
            if (values.isNullAt(i)) {
                throw Instance.invalid(function, "entry %d of %s (counted from 1) is NULL".formatted(i + 1, argument));
            }
        }
        return values;
    }
}
