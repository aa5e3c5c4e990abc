package dev.bellman.recurrence;

import dev.bellman.FunctionOptions;
import dev.bellman.recurrence.instance.Element;
import dev.bellman.recurrence.instance.Instance;
import org.apache.spark.sql.api.java.UDF4;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code s_dp(initial, offsets, n, op)}. */
public final class SimplifiedDpUdf extends RecurrenceUdf
        implements UDF4<ArrayData, ArrayData, Integer, UTF8String, Object> {
    private static final long serialVersionUID = 1L;

    private SimplifiedDpUdf(Element element, SimplifiedDp.Strategy strategy, FunctionOptions options) {
        super("s_dp", element, strategy, options);
    }

    public static SimplifiedDpUdf ofLongs(SimplifiedDp.Strategy strategy, FunctionOptions options) {
        return new SimplifiedDpUdf(Element.LONG, strategy, options);
    }

    public static SimplifiedDpUdf ofDoubles(SimplifiedDp.Strategy strategy, FunctionOptions options) {
        return new SimplifiedDpUdf(Element.DOUBLE, strategy, options);
    }

    @Override
    public Object call(ArrayData initial, ArrayData offsets, Integer n, UTF8String op) {
        return initial == null || offsets == null || n == null || op == null
                ? null
                : solve(initial, offsets, null, n, op);
    }

    @Override
    Object result(Instance instance, long[] table) {
        return element.array(table);
    }

    @Override
    SimplifiedDpUdf with(FunctionOptions other) {
        return new SimplifiedDpUdf(element, strategy, other);
    }

    @Override
    int bytesOfAResult() {
        return BYTES_IN_AN_ARRAY;
    }
}
