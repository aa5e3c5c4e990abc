package dev.bellman.recurrence;

import dev.bellman.FunctionOptions;
import dev.bellman.recurrence.instance.Element;
import dev.bellman.recurrence.instance.Instance;
import org.apache.spark.sql.api.java.UDF4;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code s_dp_last(initial, offsets, n, op)}. */
public final class SimplifiedDpLastUdf extends RecurrenceUdf
        implements UDF4<ArrayData, ArrayData, Integer, UTF8String, Object> {
    private static final long serialVersionUID = 1L;

    private SimplifiedDpLastUdf(Element element, SimplifiedDp.Strategy strategy, FunctionOptions options) {
        super("s_dp_last", element, strategy, options);
    }

    public static SimplifiedDpLastUdf ofLongs(SimplifiedDp.Strategy strategy, FunctionOptions options) {
        return new SimplifiedDpLastUdf(Element.LONG, strategy, options);
    }

    public static SimplifiedDpLastUdf ofDoubles(SimplifiedDp.Strategy strategy, FunctionOptions options) {
        return new SimplifiedDpLastUdf(Element.DOUBLE, strategy, options);
    }

    @Override
    public Object call(ArrayData initial, ArrayData offsets, Integer n, UTF8String op) {
        return initial == null || offsets == null || n == null || op == null
                ? null
                : solve(initial, offsets, null, n, op);
    }

    @Override
    Object result(Instance instance, long[] table) {
        if (table.length == 0) {
            throw Instance.invalid(function, "n is 0; a table needs at least 1 element to have a last one");
        }
        return element.box(table[table.length - 1]);
    }

    @Override
    SimplifiedDpLastUdf with(FunctionOptions other) {
        return new SimplifiedDpLastUdf(element, strategy, other);
    }

    @Override
    int bytesOfAResult() {
        return 0;
    }
}
