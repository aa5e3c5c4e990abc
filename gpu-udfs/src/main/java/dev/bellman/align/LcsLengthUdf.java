package dev.bellman.align;

import dev.bellman.FunctionOptions;
import dev.bellman.columns.ColumnarFunction;
import dev.bellman.columns.ColumnarKernel;
import org.apache.spark.sql.api.java.UDF2;

/** {@code lcs_length(a, b)}. */
public final class LcsLengthUdf implements UDF2<String, String, Integer>, ColumnarFunction {
    private static final long serialVersionUID = 1L;

    private final LongestCommonSubsequence.Strategy strategy;
    private final FunctionOptions options;

    public LcsLengthUdf(LongestCommonSubsequence.Strategy strategy, FunctionOptions options) {
        this.strategy = strategy;
        this.options = options;
    }

    @Override
    public Integer call(String a, String b) {
        if (a == null || b == null) {
            return null;
        }
        options.cells().add(Sequences.cells(a, b));
        return LongestCommonSubsequence.length(a, b, strategy);
    }

    @Override
    public ColumnarKernel kernel() {
        return new LcsLengthKernel(false, options.cells());
    }

    @Override
    public boolean hasKernel() {
        return strategy != LongestCommonSubsequence.Strategy.SERIAL;
    }
}
