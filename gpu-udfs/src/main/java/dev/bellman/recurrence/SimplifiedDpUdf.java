package dev.bellman.recurrence;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarKernel;
import org.apache.spark.sql.api.java.UDF4;
import scala.collection.Seq;

/** {@code s_dp(initial, offsets, n, op)}. */
public final class SimplifiedDpUdf extends RecurrenceUdf
        implements UDF4<Seq<?>, Seq<Integer>, Integer, String, Object> {
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
    public Object call(Seq<?> initial, Seq<Integer> offsets, Integer n, String op) {
        return initial == null || offsets == null || n == null || op == null
                ? null
                : solve(initial, offsets, null, n, op);
    }

    @Override
    Object result(Instance instance, long[] table) {
        return element.array(table);
    }

    @Override
    int bytesOfAResult() {
        return BYTES_IN_AN_ARRAY;
    }

    @Override
    public ColumnarKernel kernel() {
        return new SimplifiedDpKernel(this, false, false);
    }
}
