package dev.bellman.align;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarFunction;
import dev.bellman.columns.ColumnarKernel;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.api.java.UDF3;

/** {@code edit_distance(a, b)} and {@code edit_distance(a, b, max)}. */
public final class EditDistanceUdf
        implements UDF2<String, String, Integer>, UDF3<String, String, Integer, Integer>, ColumnarFunction {
    private static final long serialVersionUID = 1L;

    private final EditDistance.Strategy strategy;
    private final FunctionOptions options;

    public EditDistanceUdf(EditDistance.Strategy strategy, FunctionOptions options) {
        this.strategy = strategy;
        this.options = options;
    }

    @Override
    public Integer call(String a, String b) {
        if (a == null || b == null) {
            return null;
        }
        options.cells().add(Sequences.cells(a, b));
        return EditDistance.distance(a, b, strategy);
    }

    @Override
    public Integer call(String a, String b, Integer max) {
        if (a == null || b == null || max == null) {
            return null;
        }
        options.cells().add(Sequences.cells(a, b));
        return EditDistance.distance(a, b, max, strategy);
    }

    @Override
    public ColumnarKernel kernel() {
        return new EditDistanceKernel(options.cells());
    }

    @Override
    public boolean hasKernel() {
        return strategy != EditDistance.Strategy.SERIAL;
    }
}
