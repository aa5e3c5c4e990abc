package dev.bellman.align.names;

import dev.bellman.FunctionOptions;
import dev.bellman.align.Text;
import dev.bellman.columns.ColumnarFunction;
import java.util.List;
import org.apache.spark.sql.api.java.UDF5;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code weighted_edit_distance(a, b, insert, delete, substitute)}. */
final class WeightedUdf implements UDF5<UTF8String, UTF8String, Double, Double, Double, Double>, ColumnarFunction {
    private static final long serialVersionUID = 1L;

    static final String NAME = "weighted_edit_distance";

    private final WeightedEditDistance.Strategy strategy;
    private final FunctionOptions options;

    WeightedUdf(WeightedEditDistance.Strategy strategy, FunctionOptions options) {
        this.strategy = strategy;
        this.options = options;
    }

    FunctionOptions options() {
        return options;
    }

    @Override
    public boolean hasKernel() {
        return strategy == WeightedEditDistance.Strategy.AUTO;
    }

    @Override
    public Double call(UTF8String a, UTF8String b, Double insert, Double delete, Double substitute) {
        if (a == null || b == null || insert == null || delete == null || substitute == null) {
            return null;
        }
        return options.answer(() -> WeightedEditDistance.distance(
                Text.of(a).characters(),
                Text.of(b).characters(),
                EditCosts.of(NAME, insert, delete, substitute, ""),
                strategy));
    }

    /** The function as a {@link dev.bellman.columns.CpuFunction}. */
    Object onCpu(FunctionOptions other, List<Object> arguments) {
        return new WeightedUdf(strategy, other)
                .call(
                        (UTF8String) arguments.get(0),
                        (UTF8String) arguments.get(1),
                        (Double) arguments.get(2),
                        (Double) arguments.get(3),
                        (Double) arguments.get(4));
    }
}
