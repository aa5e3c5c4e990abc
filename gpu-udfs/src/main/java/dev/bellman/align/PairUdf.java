package dev.bellman.align;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarFunction;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.unsafe.types.UTF8String;

/** What the functions of a pair share: NULL, and the cells of its table. */
public abstract class PairUdf<S extends Enum<S>, R> implements UDF2<UTF8String, UTF8String, R>, ColumnarFunction {
    private static final long serialVersionUID = 1L;

    protected final S strategy;
    protected final FunctionOptions options;

    protected PairUdf(S strategy, FunctionOptions options) {
        this.strategy = strategy;
        this.options = options;
    }

    protected abstract R solve(String a, String b);

    @Override
    public R call(UTF8String a, UTF8String b) {
        if (a == null || b == null) {
            return null;
        }
        count(a, b);
        return solve(a.toString(), b.toString());
    }

    protected final void count(UTF8String a, UTF8String b) {
        options.cells().add((long) a.numChars() * b.numChars());
    }
}
