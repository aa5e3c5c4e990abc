package dev.bellman.recurrence;

import dev.bellman.FunctionOptions;
import dev.bellman.recurrence.instance.Element;
import dev.bellman.recurrence.instance.Instance;
import org.apache.spark.sql.api.java.UDF5;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code s_dp_weighted(initial, offsets, weights, n, op)}. */
public final class SimplifiedDpWeightedUdf extends RecurrenceUdf
        implements UDF5<ArrayData, ArrayData, ArrayData, Integer, UTF8String, Object> {
    private static final long serialVersionUID = 1L;

    private SimplifiedDpWeightedUdf(Element element, SimplifiedDp.Strategy strategy, FunctionOptions options) {
        super("s_dp_weighted", element, strategy, options);
    }

    public static SimplifiedDpWeightedUdf ofLongs(SimplifiedDp.Strategy strategy, FunctionOptions options) {
        return new SimplifiedDpWeightedUdf(Element.LONG, strategy, options);
    }

    public static SimplifiedDpWeightedUdf ofDoubles(SimplifiedDp.Strategy strategy, FunctionOptions options) {
        return new SimplifiedDpWeightedUdf(Element.DOUBLE, strategy, options);
    }

    @Override
    public Object call(ArrayData initial, ArrayData offsets, ArrayData weights, Integer n, UTF8String op) {
        return initial == null || offsets == null || weights == null || n == null || op == null
                ? null
                : solve(initial, offsets, weights, n, op);
    }

    @Override
    Object result(Instance instance, long[] table) {
        return element.array(table);
    }

    @Override
    SimplifiedDpWeightedUdf with(FunctionOptions other) {
        return new SimplifiedDpWeightedUdf(element, strategy, other);
    }

    @Override
    int bytesOfAResult() {
        return BYTES_IN_AN_ARRAY;
    }
}
