package dev.bellman.recurrence;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.columns.Arguments;
import dev.bellman.columns.TaskMemory;
import dev.bellman.recurrence.instance.Element;
import dev.bellman.recurrence.instance.Instance;
import org.apache.spark.sql.catalyst.util.ArrayData;

/**
 * Solves the recurrence of a row on the CPU: rejects NULL entries and tables that are too long, and returns the result.
 */
final class RecurrenceRow {
    /**
     * The number of bytes per array element: Spark boxes each element and writes it to a buffer whose size doubles when
     * it is full.
     */
    private static final int BYTES_IN_AN_ARRAY = 56;

    private static final int MAX_IN_A_ROW = 260_000_000;

    private RecurrenceRow() {}

    /** Returns the whole table. */
    static Object table(Element element, SimplifiedDp.Strategy strategy, FunctionOptions options, Arguments arguments) {
        return element.array(solve(instance(element, arguments, false), strategy, options, false));
    }

    static Object weighted(
            Element element, SimplifiedDp.Strategy strategy, FunctionOptions options, Arguments arguments) {
        return element.array(solve(instance(element, arguments, true), strategy, options, false));
    }

    static Object last(Element element, SimplifiedDp.Strategy strategy, FunctionOptions options, Arguments arguments) {
        long[] table = solve(instance(element, arguments, false), strategy, options, true);
        return element.box(table[table.length - 1]);
    }

    private static Instance instance(Element element, Arguments arguments, boolean weighted) {
        int length = weighted ? 3 : 2;
        return Instance.of(
                arguments.function(),
                element,
                element.keys(list(arguments, 0, "initial")),
                list(arguments, 1, "offsets").toIntArray(),
                weighted ? element.keys(list(arguments, 2, "weights")) : null,
                arguments.integer(length),
                arguments.string(length + 1).toString());
    }

    /** @param last whether the function returns only the last element */
    private static long[] solve(
            Instance instance, SimplifiedDp.Strategy strategy, FunctionOptions options, boolean last) {
        checkMemory(instance, strategy, last);
        long[] table = SimplifiedDp.solve(instance, strategy);
        if (last && table.length == 0) {
            throw BellmanException.inRow(instance.function(), "length is 0; it must be at least 1");
        }
        options.cells().add(SimplifiedDp.candidates(instance));
        return table;
    }

    /** Returns the maximum length of a row's table. */
    static int maxLength(boolean last) {
        return last ? Integer.MAX_VALUE : MAX_IN_A_ROW;
    }

    private static void checkMemory(Instance instance, SimplifiedDp.Strategy strategy, boolean last) {
        long length = instance.length();
        if (length > maxLength(last)) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    ("%s: length is %,d; a Spark array has at most %,d elements. Use a smaller length, or s_dp_last if "
                                    + "only the last element of s_dp is needed")
                            .formatted(instance.function(), length, MAX_IN_A_ROW));
        }
        TaskMemory.take(
                instance.function(),
                length * (SimplifiedDp.bytesOfAnElement(instance, strategy) + (last ? 0 : BYTES_IN_AN_ARRAY)),
                "a smaller length, ",
                () -> "the table for %,d elements".formatted(length));
    }

    /** Returns an array argument, whose values must not be NULL. */
    private static ArrayData list(Arguments arguments, int place, String name) {
        ArrayData values = arguments.array(place);
        TaskMemory.takeArgument(arguments.function(), name, values.numElements());
        for (int i = 0; i < values.numElements(); i++) {
            if (values.isNullAt(i)) {
                throw BellmanException.inRow(
                        arguments.function(), "entry %d of %s (counted from 1) is NULL".formatted(i + 1, name));
            }
        }
        return values;
    }
}
