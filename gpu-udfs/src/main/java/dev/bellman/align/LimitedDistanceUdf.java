package dev.bellman.align;

import dev.bellman.FunctionOptions;
import java.util.List;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.unsafe.types.UTF8String;

/** A distance with and without a limit: {@code (a, b)} and {@code (a, b, max)}, which returns -1 for pairs that are farther apart. */
public abstract class LimitedDistanceUdf<S extends Enum<S>> extends PairUdf<S, Integer>
        implements UDF3<UTF8String, UTF8String, Integer, Integer> {
    private static final long serialVersionUID = 1L;

    protected LimitedDistanceUdf(S strategy, FunctionOptions options) {
        super(strategy, options);
    }

    /** The distance, or -1 if it is more than {@code max}; a negative {@code max} allows none. */
    protected abstract int solve(Text a, Text b, int max);

    @Override
    public final Integer call(UTF8String a, UTF8String b, Integer max) {
        return a == null || b == null || max == null ? null : answer(a, b, (aText, bText) -> solve(aText, bText, max));
    }

    @Override
    protected final Object call(List<Object> arguments) {
        return arguments.size() == 2
                ? super.call(arguments)
                : call((UTF8String) arguments.get(0), (UTF8String) arguments.get(1), (Integer) arguments.get(2));
    }
}
