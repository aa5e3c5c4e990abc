package dev.bellman.align;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarFunction;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.unsafe.types.UTF8String;

/** What pair functions share: NULL handling, rejected rows, and the cells of the table. */
public abstract class PairUdf<S extends Enum<S>, R> implements UDF2<UTF8String, UTF8String, R>, ColumnarFunction {
    private static final long serialVersionUID = 1L;

    protected final S strategy;
    protected final FunctionOptions options;

    protected PairUdf(S strategy, FunctionOptions options) {
        this.strategy = strategy;
        this.options = options;
    }

    public final S strategy() {
        return strategy;
    }

    public final FunctionOptions options() {
        return options;
    }

    /** The result for a pair: a number, or the bytes of a {@link Text} as a {@link UTF8String}. */
    protected abstract R solve(Text a, Text b);

    /** The same function with other options. */
    protected abstract PairUdf<S, R> with(FunctionOptions other);

    /** The function as a {@link dev.bellman.columns.CpuFunction}. */
    public final Object onCpu(FunctionOptions other, List<Object> arguments) {
        return with(other).call(arguments);
    }

    /** Calls the function with the arguments of a row. */
    protected Object call(List<Object> arguments) {
        return call((UTF8String) arguments.get(0), (UTF8String) arguments.get(1));
    }

    @Override
    public R call(UTF8String a, UTF8String b) {
        return a == null || b == null ? null : answer(a, b, this::solve);
    }

    /** The result of {@code function} for a pair. */
    protected final R answer(UTF8String a, UTF8String b, BiFunction<Text, Text, R> function) {
        return options.answer(() -> {
            Text aText = Text.of(a);
            Text bText = Text.of(b);
            R result = function.apply(aText, bText);
            options.cells().add(cells(aText, bText));
            return result;
        });
    }

    /** The cells in the table of a pair: the whole table unless the function says otherwise. */
    protected long cells(Text a, Text b) {
        return (long) a.length() * b.length();
    }
}
