package dev.bellman.align.distance;

import dev.bellman.FunctionOptions;
import dev.bellman.align.PairUdf;
import dev.bellman.align.Text;
import dev.bellman.columns.ColumnarKernel;
import java.util.List;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code edit_distance(a, b)} and {@code edit_distance(a, b, max)}. */
public final class EditDistanceUdf extends PairUdf<EditDistance.Strategy, Integer>
        implements UDF3<UTF8String, UTF8String, Integer, Integer> {
    private static final long serialVersionUID = 1L;

    public EditDistanceUdf(EditDistance.Strategy strategy, FunctionOptions options) {
        super(strategy, options);
    }

    @Override
    protected Integer solve(Text a, Text b) {
        return EditDistance.distance(a, b, strategy);
    }

    @Override
    public Integer call(UTF8String a, UTF8String b, Integer max) {
        return a == null || b == null || max == null
                ? null
                : answer(a, b, (aText, bText) -> EditDistance.distance(aText, bText, max, strategy));
    }

    @Override
    protected Object call(List<Object> arguments) {
        return arguments.size() == 2
                ? super.call(arguments)
                : call((UTF8String) arguments.get(0), (UTF8String) arguments.get(1), (Integer) arguments.get(2));
    }

    @Override
    protected EditDistanceUdf with(FunctionOptions other) {
        return new EditDistanceUdf(strategy, other);
    }

    @Override
    public ColumnarKernel kernel() {
        return new EditDistanceKernel(this);
    }

    @Override
    public boolean hasKernel() {
        return strategy != EditDistance.Strategy.SERIAL;
    }
}
